// Meshes that are subdivided for the picture, against the weights of Loop 1987 and against areas of what lies on them.
#include "pictures.h"

#include <stddef.h>

// The area that a red mesh covers, seen along -z from far away.
static float area_of(fixture *f, const pli_mesh *mesh, bool subdivided)
{
    pli_render_mesh drawn = {
        .mesh = mesh, .positions = rest_of(mesh), .front = red, .back = red, .subdivided = subdivided};
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = (pli_camera){{0, 0, 60}, {0, 0, 0}, {0, 1, 0}, 2.5f};
    frame.ground = false;
    frame.meshes = &drawn, frame.mesh_count = 1;
    draw(f, &frame, f->pixels);
    const float scale = (float)HEIGHT / (2.0f * 60.0f * tanf(1.25f * 0.0174532925f));
    return (float)count_of(f, 1) / (scale * scale);
}

static void expect(const char *what, float found, float wanted, float tolerance)
{
    if (!(fabsf(found - wanted) <= tolerance * wanted))
        fail_msg("%s: %g, not %g", what, (double)found, (double)wanted);
}

static pli_mesh *mesh_of(const float *positions, int32_t vertices, const int32_t *faces, int32_t count)
{
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh;
    pli_error error;
    def.positions = positions, def.vertex_count = vertices, def.face_vertices = faces, def.face_count = count;
    if (pli_mesh_create(&def, &mesh, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return mesh;
}

// Vertices of valence 4 move to 5/8 of themselves, since the sum of their neighbours is 0, and the middles of edges to 3/8 of the sum of their
// ends: the outline from an axis is an octagon with corners at 0.625 along the axes and at (0.375, 0.375).
static void an_octahedron_shrinks_by_the_weights(void **state)
{
    fixture *f = *state;
    const float corners[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    const int32_t faces[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    pli_mesh *mesh = mesh_of(corners, 6, faces, 8);
    expect("octahedron", area_of(f, mesh, false), 2.0f, 0.02f);
    expect("subdivided octahedron", area_of(f, mesh, true), 8.0f * 0.5f * 0.625f * 0.375f, 0.03f);
    pli_mesh_destroy(mesh);
}

// A vertex of a tetrahedron has three neighbours, each of weight 3/16, whose sum is minus itself: it moves to 1/4 of itself. The middle of an edge
// moves to 3/8 of the sum of its ends and 1/8 of that of the others, its opposite: to 1/4 of the sum of its ends.
static void a_tetrahedron_shrinks_by_the_weights(void **state)
{
    fixture *f = *state;
    const float corners[] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
    const int32_t faces[] = {0, 1, 3, 0, 2, 1, 0, 3, 2, 1, 2, 3};
    pli_mesh *mesh = mesh_of(corners, 4, faces, 4);
    expect("tetrahedron", area_of(f, mesh, false), 4.0f, 0.02f);
    // From z: corners at (+-0.25, +-0.25), and middles at (+-0.5, 0), (0, +-0.5) and (0, 0): a square on its tip.
    expect("subdivided tetrahedron", area_of(f, mesh, true), 0.5f, 0.05f);
    pli_mesh_destroy(mesh);
}

// The border of a strip of four triangles is a curve: corners of one triangle stay, the others have 3/4 of themselves and 1/8 of both neighbours,
// here on a line, so that the strip keeps its outline.
static void a_flat_strip_keeps_its_outline(void **state)
{
    fixture *f = *state;
    const float corners[] = {-1, -0.5f, 0, 0, -0.5f, 0, 1, -0.5f, 0, -1, 0.5f, 0, 0, 0.5f, 0, 1, 0.5f, 0};
    const int32_t faces[] = {0, 4, 3, 0, 1, 4, 1, 5, 4, 1, 2, 5};
    pli_mesh *mesh = mesh_of(corners, 6, faces, 4);
    // Corners 0 and 5 have two triangles: each moves by 1/8 of both sides, which cuts off a triangle and two slivers.
    const float plain = area_of(f, mesh, false), rounded = area_of(f, mesh, true);
    expect("strip", plain, 2.0f, 0.02f);
    assert_true(rounded < plain && rounded > 0.9f * plain);
    // Corner 3 has one triangle, and stays; corner 0 does not.
    const float scale = (float)HEIGHT / (2.0f * 60.0f * tanf(1.25f * 0.0174532925f));
    const int left = WIDTH / 2 - (int)(0.97f * scale), above = HEIGHT / 2 - (int)(0.47f * scale),
              below = HEIGHT / 2 + (int)(0.47f * scale);
    assert_int_equal(colour_of(pixel(f->pixels, left, above)), 1);
    assert_int_equal(colour_of(pixel(f->pixels, left, below)), 0);
    pli_mesh_destroy(mesh);
}

// Colours of faces, marks of seams, values and images stay where they were on the sheet.
static void what_lies_on_the_mesh_stays(void **state)
{
    static const float colours[12] = {0.6f, 0.02f, 0.02f, 0.02f, 0.6f, 0.02f, 0.02f, 0.02f, 0.6f, 0.6f, 0.02f, 0.02f};
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    int32_t counts[2][4], seen[2][8];
    uint8_t edges[24];
    pli_render_detail detail = pli_render_detail_default();
    frame.meshes = &mesh, frame.mesh_count = 1;
    mark_middle(pli_mesh_topology(f->sheet), edges);
    detail.seam = 0.1f, detail.seam_colour = (pli_vec3){0.02f, 0.6f, 0.02f}, detail.edges = edges;
    for (int subdivided = 0; subdivided < 2; subdivided++) {
        mesh.subdivided = subdivided;
        mesh.face_colours = colours;
        draw(f, &frame, f->pixels);
        for (int colour = 1; colour < 4; colour++)
            counts[subdivided][colour] = count_of(f, colour);
        // Each face has its colour near its middle and near the middle of the sheet.
        for (int k = 0; k < 8; k++) {
            const int away = k < 4 ? 20 : 5, x = WIDTH / 2 + (k & 1 ? away : -away),
                      y = HEIGHT / 2 + (k & 2 ? away : -away);
            seen[subdivided][k] = colour_of(pixel(f->pixels, x, y));
        }
        mesh.face_colours = NULL;
        frame.details = &detail, frame.detail_count = 1;
        draw(f, &frame, f->pixels);
        counts[subdivided][0] = count_of(f, 2);
        frame.details = NULL, frame.detail_count = 0;
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    for (int k = 0; k < 4; k++)
        expect(k == 0 ? "seam" : "face", (float)counts[1][k], (float)counts[0][k], 0.1f);
}

// An image of two colours, left and right, by corner; and values, whose legend has other colours at both ends.
static void images_and_values_stay(void **state)
{
    fixture *f = *state;
    const uint8_t pixels[8] = {250, 10, 10, 255, 10, 10, 250, 255};
    const pli_topology *t = pli_mesh_topology(f->sheet);
    float coordinates[48], values[9];
    pli_render_mesh mesh = sheet_of(f);
    pli_render_image image = {.width = 2, .height = 1, .pixels = pixels, .coordinates = coordinates};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    for (int32_t c = 0; c < 24; c++)
        coordinates[2 * c] = t->positions[3 * t->triangles[c]] + 0.5f, coordinates[2 * c + 1] = 0.5f;
    for (int32_t v = 0; v < 9; v++)
        values[v] = t->positions[3 * v] + 0.5f;
    frame.meshes = &mesh, frame.mesh_count = 1;
    mesh.subdivided = true;
    frame.images = &image, frame.image_count = 1;
    draw(f, &frame, f->pixels);
    assert_int_equal(colour_of(pixel(f->pixels, WIDTH / 2 - 20, HEIGHT / 2)), 1);
    assert_int_equal(colour_of(pixel(f->pixels, WIDTH / 2 + 20, HEIGHT / 2)), 3);
    // The same with a seam, where both sides of the middle have coordinates of their own.
    for (int32_t c = 0; c < 24; c++)
        coordinates[2 * c] += t->positions[3 * t->triangles[3 * (c / 3)]] +
                                          t->positions[3 * t->triangles[3 * (c / 3) + 1]] +
                                          t->positions[3 * t->triangles[3 * (c / 3) + 2]] >
                                      0.0f
                                  ? 1.0f
                                  : 0.0f;
    draw(f, &frame, f->other);
    assert_int_equal(colour_of(pixel(f->other, WIDTH / 2 - 20, HEIGHT / 2)), 1);
    assert_int_equal(colour_of(pixel(f->other, WIDTH / 2 + 20, HEIGHT / 2)), 3);
    frame.images = NULL, frame.image_count = 0;
    mesh.values = values, frame.legend_maximum = 1.0f;
    draw(f, &frame, f->pixels);
    mesh.subdivided = false;
    draw(f, &frame, f->other);
    for (int x = WIDTH / 2 - 20; x <= WIDTH / 2 + 20; x += 10)
        for (int k = 0; k < 3; k++)
            assert_in_range(abs(pixel(f->pixels, x, HEIGHT / 2)[k] - pixel(f->other, x, HEIGHT / 2)[k]), 0, 6);
}

// A seam of an image does not move what is printed beside it, on triangles of uneven sizes: a stripe is where it is without the seam.
static void a_seam_leaves_its_image_in_place(void **state)
{
    enum { SIDE = 9, CORNERS = 6 * (SIDE - 1) * (SIDE - 1) };
    fixture *f = *state;
    const uint8_t pixels[24] = {250, 10, 10,  255, 10,  10, 250, 255, 250, 10, 10,  255,
                                10,  10, 250, 255, 250, 10, 10,  255, 10,  10, 250, 255};
    float corners[3 * SIDE * SIDE], coordinates[2 * CORNERS];
    int32_t faces[CORNERS], count = 0;
    for (int v = 0; v < SIDE * SIDE; v++) {
        // Moved by up to a third of a cell, except on the border and in the middle column, where the seam is.
        const int i = v % SIDE, j = v / SIDE, inside = i > 0 && j > 0 && i < SIDE - 1 && j < SIDE - 1;
        const float shift = inside && i != SIDE / 2 ? (float)((i * 7 + j * 5) % 3 - 1) / 24.0f : 0.0f;
        corners[3 * v] = (float)i / (SIDE - 1) - 0.5f + shift, corners[3 * v + 1] = 0.0f;
        corners[3 * v + 2] = (float)j / (SIDE - 1) - 0.5f;
    }
    for (int j = 0; j + 1 < SIDE; j++)
        for (int i = 0; i + 1 < SIDE; i++) {
            const int a = j * SIDE + i, quad[6] = {a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1};
            for (int k = 0; k < 6; k++)
                faces[count++] = quad[k];
        }
    pli_mesh *sheet = mesh_of(corners, SIDE * SIDE, faces, CORNERS / 3);
    pli_render_mesh mesh = {.mesh = sheet, .positions = rest_of(sheet), .front = red, .back = red, .subdivided = true};
    pli_render_image image = {.width = 6, .height = 1, .pixels = pixels, .coordinates = coordinates};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh, frame.mesh_count = 1;
    frame.images = &image, frame.image_count = 1;
    for (int seam = 0; seam < 2; seam++) {
        // The image repeats, so that whole numbers do not show.
        for (int k = 0; k < CORNERS; k++) {
            const bool right = (k / 6) % (SIDE - 1) >= SIDE / 2;
            coordinates[2 * k] = corners[3 * faces[k]] + 0.5f + (seam && right ? 1.0f : 0.0f);
            coordinates[2 * k + 1] = 0.5f;
        }
        draw(f, &frame, seam ? f->pixels : f->other);
    }
    int differing = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        differing += colour_of(f->pixels + 4 * k) != colour_of(f->other + 4 * k);
    assert_in_range(differing, 0, 40);
    pli_mesh_destroy(sheet);
}

// Drafts, wireframes and flat shading draw the mesh itself.
static void drafts_are_not_subdivided(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2, 0.4f});
    frame.meshes = &mesh, frame.mesh_count = 1;
    for (int way = 0; way < 4; way++) {
        frame.draft = way == 1, frame.wireframe = way == 2, mesh.flat = way == 3;
        mesh.subdivided = false;
        draw(f, &frame, f->other);
        mesh.subdivided = true;
        draw(f, &frame, f->pixels);
        assert_int_equal(memcmp(f->pixels, f->other, sizeof f->pixels) == 0, way != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_octahedron_shrinks_by_the_weights),
        cmocka_unit_test(a_tetrahedron_shrinks_by_the_weights),
        cmocka_unit_test(a_flat_strip_keeps_its_outline),
        cmocka_unit_test(what_lies_on_the_mesh_stays),
        cmocka_unit_test(images_and_values_stay),
        cmocka_unit_test(a_seam_leaves_its_image_in_place),
        cmocka_unit_test(drafts_are_not_subdivided),
    };
    return cmocka_run_group_tests_name("subdivision", tests, set_up, tear_down);
}
