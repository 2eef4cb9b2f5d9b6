// Thickness, hems, seams and backs of surfaces, against areas and lengths that the picture must have.
#include "pictures.h"

#include <stddef.h>

static const pli_vec3 green = {0.02f, 0.6f, 0.02f};

// Pixels of a square metre that is seen squarely from 2 m.
static float pixels_of(float area)
{
    const float scale = (float)HEIGHT / (2.0f * 2.0f * tanf(20.0f * 0.0174532925f));
    return area * scale * scale;
}

static void expect_area(const fixture *f, int colour, float area, float tolerance, const char *what)
{
    const float wanted = pixels_of(area), found = (float)count_of(f, colour);
    if (!(fabsf(found - wanted) <= tolerance * wanted))
        fail_msg("%s: %g pixels, not %g", what, (double)found, (double)wanted);
}

static void draw_detailed(fixture *f, pli_render_mesh *mesh, const pli_render_detail *detail, pli_vec3 eye)
{
    pli_render_frame frame = frame_from(eye);
    frame.meshes = mesh, frame.mesh_count = 1, frame.details = detail, frame.detail_count = 1;
    draw(f, &frame, f->pixels);
}

// A hem of a tenth of the side leaves .8 x .8 of a square metre, whatever the mesh: fine, coarse, with corners of one triangle or of two.
static void a_hem_has_its_width_on_any_mesh(void **state)
{
    fixture *f = *state;
    pli_error error;
    for (int32_t columns = 2; columns <= 17; columns = 2 * columns - 1)
        for (int pattern = PLI_GRID_QUADS; pattern <= PLI_GRID_CROSSED; pattern++) {
            pli_mesh *grid;
            assert_int_equal(
                pli_mesh_create_grid(columns, columns, 1.0f, 1.0f, (pli_grid_pattern)pattern, &grid, &error),
                PLI_STATUS_OK);
            pli_render_mesh mesh = {.mesh = grid, .positions = rest_of(grid), .front = red, .back = blue};
            pli_render_detail detail = pli_render_detail_default();
            detail.hem = 0.1f, detail.hem_colour = green;
            draw_detailed(f, &mesh, &detail, (pli_vec3){0, 2, 0});
            expect_area(f, GREEN, 1.0f - 0.64f, 0.06f, "hem");
            // Its inner edge is a darker line of half a centimetre.
            expect_area(f, RED, 0.64f, 0.04f, "the cloth within");
            pli_mesh_destroy(grid);
        }
}

static void a_seam_runs_along_its_edges(void **state)
{
    fixture *f = *state;
    uint8_t edges[24];
    pli_render_mesh mesh = sheet_of(f);
    pli_render_detail detail = pli_render_detail_default();
    mark_middle(pli_mesh_topology(f->sheet), edges);
    detail.seam = 0.1f, detail.seam_colour = green, detail.edges = edges;
    // Marks are given, of which none is a hem.
    detail.hem = 0.2f, detail.hem_colour = blue;
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, 2, 0});
    expect_area(f, GREEN, 0.1f, 0.15f, "seam");
    assert_int_equal(count_of(f, BLUE), 0);
    assert_int_equal(colour_of(pixel(f->pixels, WIDTH / 2, HEIGHT / 2 + 30)), GREEN);
    // It is a groove.
    assert_true(brightness(pixel(f->pixels, WIDTH / 2, HEIGHT / 2)) <
                brightness(pixel(f->pixels, WIDTH / 2 + 3, HEIGHT / 2)) - 20);
    mark_middle(pli_mesh_topology(f->sheet), edges);
    for (int k = 0; k < 24; k++)
        edges[k] = 0;
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, 2, 0});
    assert_int_equal(count_of(f, GREEN), 0);
}

// Rows of the middle column that are no sky, of a sheet that is seen from its edge.
static int32_t rows_of_the_middle(fixture *f, float thickness)
{
    pli_render_mesh mesh = sheet_of(f);
    pli_render_detail detail = pli_render_detail_default();
    pli_render_frame frame = frame_from((pli_vec3){0, 0, 2.5f});
    frame.camera.up = (pli_vec3){0, 1, 0};
    frame.background = (pli_vec3){1, 1, 1};
    frame.meshes = &mesh, frame.mesh_count = 1, frame.details = &detail, frame.detail_count = 1;
    detail.thickness = thickness, detail.rim = green;
    draw(f, &frame, f->pixels);
    int32_t rows = 0;
    for (int y = 0; y < HEIGHT; y++)
        rows += colour_of(pixel(f->pixels, WIDTH / 2, y)) == GREEN;
    return rows;
}

// Below a pixel and a half, which are 23 mm here, the picture is that of a surface.
static void what_is_too_thin_to_see_is_a_surface(void **state)
{
    fixture *f = *state;
    const float thicknesses[] = {0.0f, 0.02f, 0.03f};
    bool same[3];
    for (int k = 0; k < 3; k++) {
        pli_render_mesh mesh = sheet_of(f);
        pli_render_detail detail = pli_render_detail_default();
        detail.thickness = thicknesses[k], detail.rim = green;
        draw_detailed(f, &mesh, &detail, (pli_vec3){0.0f, 1.0f, 2.29f});
        if (k == 0)
            memcpy(f->other, f->pixels, sizeof f->other);
        same[k] = memcmp(f->other, f->pixels, sizeof f->other) == 0;
    }
    assert_true(same[0] && same[1] && !same[2]);
}

// A rim .2 m high whose middle is 1.9 m away: its outline is where lines from the eye touch a circle of .1 m about a point at 2 m.
static void a_thick_sheet_has_two_sides_and_a_rim(void **state)
{
    fixture *f = *state;
    const double half = asin(0.1 / 2.0), rows = tan(half) / tan(20.0 * 0.0174532925) * HEIGHT;
    assert_in_range(abs(rows_of_the_middle(f, 0.2f) - (int32_t)lrint(rows)), 0, 1);
    assert_in_range(abs(rows_of_the_middle(f, 0.1f) - (int32_t)lrint(rows / 2.0)), 0, 1);
    assert_int_equal(rows_of_the_middle(f, 0.0f), 0);
    // From below its other side, which is nearer by half the thickness: the sheet is 1 m at 1.9 m there. The rim around is seen too, .1 m wide.
    pli_render_mesh mesh = sheet_of(f);
    pli_render_detail detail = pli_render_detail_default();
    detail.thickness = 0.2f, detail.rim = green;
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, -2, 0});
    expect_area(f, BLUE, (float)((2.0 / 1.9) * (2.0 / 1.9)), 0.03f, "the side below");
    assert_int_equal(count_of(f, RED), 0);
    assert_true(count_of(f, GREEN) > 500);
}

// Half of the faces are green on their backs; without colours of faces the front keeps its own.
static void backs_have_colours_and_images_of_their_own(void **state)
{
    fixture *f = *state;
    static const uint8_t blue_pixel[4] = {10, 10, 250, 255}, green_pixel[4] = {10, 250, 10, 255};
    float coordinates[48] = {0},
          backs[12] = {0.6f, 0.02f, 0.02f, 0.6f, 0.02f, 0.02f, 0.02f, 0.6f, 0.02f, 0.02f, 0.6f, 0.02f};
    pli_render_image front = {.width = 1, .height = 1, .pixels = green_pixel, .coordinates = coordinates};
    const pli_render_image behind = {.width = 1, .height = 1, .pixels = blue_pixel, .coordinates = coordinates};
    pli_render_mesh mesh = sheet_of(f);
    pli_render_detail detail = pli_render_detail_default();
    detail.back_colours = backs;
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, 2, 0});
    expect_area(f, RED, 1.0f, 0.03f, "front");
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, -2, 0});
    expect_area(f, RED, 0.5f, 0.04f, "backs of two faces");
    expect_area(f, GREEN, 0.5f, 0.04f, "backs of the others");
    detail.back_colours = NULL, detail.back_image = &behind;
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, 2, 0});
    expect_area(f, RED, 1.0f, 0.03f, "front without an image");
    draw_detailed(f, &mesh, &detail, (pli_vec3){0, -2, 0});
    expect_area(f, BLUE, 1.0f, 0.03f, "image on the back");
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh, frame.mesh_count = 1, frame.details = &detail, frame.detail_count = 1;
    frame.images = &front, frame.image_count = 1;
    draw(f, &frame, f->pixels);
    expect_area(f, GREEN, 1.0f, 0.03f, "image on the front");
    frame.camera.eye.y = -2.0f;
    draw(f, &frame, f->pixels);
    expect_area(f, BLUE, 1.0f, 0.03f, "image on the back beside one on the front");
}

static void refuse(fixture *f, const pli_render_detail *detail, const char *words)
{
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    pli_error error = {0};
    frame.meshes = &mesh, frame.mesh_count = 1, frame.details = detail, frame.detail_count = 1;
    assert_int_equal(pli_renderer_draw(f->renderer, &frame, f->other, &error), PLI_STATUS_INVALID_ARGUMENT);
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in '%s'", words, error.message);
}

static void bad_details_are_refused(void **state)
{
    fixture *f = *state;
    static const uint8_t pixels[4];
    const pli_render_image empty = {.width = 1, .height = 1, .pixels = pixels};
    refuse(f, NULL, "details are null");
    pli_render_detail detail = pli_render_detail_default();
    detail.mesh = 1;
    refuse(f, &detail, "on mesh 1 of 1");
    detail.mesh = 0, detail.thickness = -0.1f;
    refuse(f, &detail, "thickness of -0.1 m");
    detail.thickness = 0.0f, detail.hem = NAN;
    refuse(f, &detail, "hem of nan m");
    detail.hem = 0.0f, detail.seam = INFINITY;
    refuse(f, &detail, "seam of inf m");
    detail.seam = 0.0f, detail.back_image = &empty;
    refuse(f, &detail, "no coordinates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hem_has_its_width_on_any_mesh),
        cmocka_unit_test(a_seam_runs_along_its_edges),
        cmocka_unit_test(what_is_too_thin_to_see_is_a_surface),
        cmocka_unit_test(a_thick_sheet_has_two_sides_and_a_rim),
        cmocka_unit_test(backs_have_colours_and_images_of_their_own),
        cmocka_unit_test(bad_details_are_refused),
    };
    return cmocka_run_group_tests_name("details", tests, set_up, tear_down);
}
