// Pictures: facts that can be read off the pixels, and files read back by their library.
#include "pictures.h"

#include <malloc.h>
#include <epoxy/gl.h>
#include <png.h>
#include <pthread.h>
#include <unistd.h>

static void each_side_has_its_colour(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    draw(f, &frame, f->pixels);
    const uint8_t *p = pixel(f->pixels, WIDTH / 2, HEIGHT / 2);
    if (!(p[0] > 2 * p[2]))
        fail_msg("front: red %d, blue %d", p[0], p[2]);
    frame.camera.eye.y = -2;
    draw(f, &frame, f->pixels);
    p = pixel(f->pixels, WIDTH / 2, HEIGHT / 2);
    if (!(p[2] > 2 * p[0]))
        fail_msg("back: red %d, blue %d", p[0], p[2]);
}

static void the_sky_shows_beside(void **state)
{
    fixture *f = *state;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.background = (pli_vec3){0.2f, 0.5f, 0.2f};
    draw(f, &frame, f->pixels);
    // The wall is brightest on the left, a little above the middle, where it is the background itself: 0.2 and 0.5 linear are 124 and 188 in
    // sRGB. It is darker in the corners.
    const uint8_t *p = pixel(f->pixels, WIDTH / 3, 9 * HEIGHT / 20), *corner = pixel(f->pixels, WIDTH - 1, HEIGHT - 1);
    assert_in_range(corner[1], 120, p[1] - 10);
    assert_in_range(p[0], 121, 127);
    assert_in_range(p[1], 185, 191);
    assert_in_range(p[2], 121, 127);
    assert_int_equal(p[3], 255);
}

static void nearer_things_hide_farther_ones(void **state)
{
    fixture *f = *state;
    float lifted[27];
    memcpy(lifted, pli_mesh_topology(f->sheet)->positions, sizeof lifted);
    for (int i = 0; i < 9; i++)
        lifted[3 * i + 1] += 0.5f;
    pli_render_mesh meshes[2] = {sheet_of(f), sheet_of(f)};
    meshes[1].front = (pli_vec3){0.02f, 0.6f, 0.02f};
    meshes[1].positions.data = lifted;
    pli_render_frame frame = frame_from((pli_vec3){0, 3, 0});
    frame.meshes = meshes;
    frame.mesh_count = 2;
    draw(f, &frame, f->pixels);
    const uint8_t *p = pixel(f->pixels, WIDTH / 2, HEIGHT / 2);
    if (!(p[1] > 2 * p[0]))
        fail_msg("the upper sheet is green, here red %d, green %d", p[0], p[1]);
}

static void things_cast_shadows_on_the_ground(void **state)
{
    fixture *f = *state;
    pli_render_shape ball = {.collider = pli_collider_def_default(), .colour = {0.5f, 0.5f, 0.5f}};
    ball.collider.radius = 0.3f;
    ball.collider.pose.position.y = 0.35f;
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = (pli_camera){{0, 3, 3}, {0, 0, 0}, {0, 1, 0}, 40.0f};
    frame.ground = true;
    draw(f, &frame, f->other);
    frame.shapes = &ball;
    frame.shape_count = 1;
    draw(f, &frame, f->pixels);
    int darker = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        darker += brightness(f->pixels + 4 * i) < 0.75 * brightness(f->other + 4 * i);
    assert_in_range(darker, 200, WIDTH * HEIGHT / 3);
}

static void edges_are_those_of_faces(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 1.6f, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    draw(f, &frame, f->other);
    frame.wireframe = true;
    draw(f, &frame, f->pixels);
    int edge = 0, inside = 0;
    // The middle vertex is at the centre; the middle of a quad is a quarter of the sheet away.
    float scale = (float)HEIGHT / (2.0f * 1.6f * tanf(20.0f * 0.0174532925f));
    int quarter = (int)(0.25f * scale);
    for (int dx = -2; dx <= 2; dx++)
        for (int dy = -2; dy <= 2; dy++) {
            int x = WIDTH / 2 + dx, y = HEIGHT / 2 - quarter + dy;
            edge += brightness(pixel(f->pixels, x, y)) < brightness(pixel(f->other, x, y)) - 20;
            inside += brightness(pixel(f->pixels, x + quarter, y)) != brightness(pixel(f->other, x + quarter, y));
        }
    assert_true(edge >= 3);
    assert_int_equal(inside, 0);
}

// Ink is darker than any surface, even one that is almost black in the light.
static void edges_are_dark_ink(void **state)
{
    static const pli_vec3 fronts[] = {{0.9f, 0.9f, 0.9f}, {0.06f, 0.22f, 0.48f}, {0.06f, 0.06f, 0.06f}};
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 1.6f, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    for (int i = 0; i < 3; i++) {
        mesh.front = fronts[i];
        frame.wireframe = false;
        draw(f, &frame, f->other);
        frame.wireframe = true;
        draw(f, &frame, f->pixels);
        int darkest = 255 * 3, lighter = 0;
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            int here = brightness(f->pixels + 4 * k);
            darkest = here < darkest ? here : darkest;
            lighter += here > brightness(f->other + 4 * k) && brightness(f->other + 4 * k) < 300;
        }
        // Linear 0.02, 0.02 and 0.03 are 39, 39 and 48 in sRGB.
        assert_in_range(darkest, 110, 140);
        assert_in_range(lighter, 0, 8);
    }
}

static void the_legend_has_both_ends_of_the_map(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    const float values[9] = {0, 0, 0, 0.5f, 0.5f, 0.5f, 1, 1, 1};
    mesh.values = values;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    frame.legend = "stretch";
    frame.legend_maximum = 1.0f;
    draw(f, &frame, f->pixels);
    int yellow = 0, violet = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH / 5; x++) {
            const uint8_t *p = pixel(f->pixels, x, y);
            yellow += p[0] > 220 && p[1] > 200 && p[2] < 110;
            violet += p[0] > 60 && p[0] < 120 && p[1] < 70 && p[2] > 80 && p[2] < 140;
        }
    if (yellow < 5 || violet < 5)
        fail_msg("%d yellow and %d violet pixels", yellow, violet);
}

static float linear_of(uint8_t srgb)
{
    float s = (float)srgb / 255.0f;
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

// Each value is drawn by the map, then in the plain colour that the legend's bar has there.
static void surfaces_have_the_colours_of_the_legend(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    float values[9];
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    frame.legend = "stretch";
    frame.legend_minimum = -1.0f;
    frame.legend_maximum = 3.0f;
    draw(f, &frame, f->other);
    // The bar is 0.45 of the picture high, in its middle; ten pixels from the left are inside.
    const int low = (int)(0.725 * HEIGHT), bar = (int)(0.45 * HEIGHT);
    for (int k = 2; k < bar - 2; k++) {
        const uint8_t *p = pixel(f->other, 15, low - 1 - k);
        mesh.front = (pli_vec3){linear_of(p[0]), linear_of(p[1]), linear_of(p[2])};
        mesh.values = NULL;
        draw(f, &frame, f->pixels);
        uint8_t plain[4];
        memcpy(plain, pixel(f->pixels, WIDTH / 2, HEIGHT / 2), 4);
        for (int v = 0; v < 9; v++)
            values[v] = -1.0f + 4.0f * ((float)k + 0.5f) / (0.45f * HEIGHT);
        mesh.values = values;
        draw(f, &frame, f->pixels);
        const uint8_t *mapped = pixel(f->pixels, WIDTH / 2, HEIGHT / 2);
        for (int channel = 0; channel < 3; channel++)
            if (abs(mapped[channel] - plain[channel]) > 3)
                fail_msg("row %d, channel %d: %d by the map, %d by the legend", k, channel, mapped[channel],
                         plain[channel]);
    }
}

static void values_that_are_not_finite_are_drawn(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    const float values[9] = {NAN, INFINITY, -INFINITY, 0, NAN, 1e38f, -1e38f, NAN, 1}, ends[] = {1.0f, NAN, INFINITY};
    float positions[27];
    memcpy(positions, mesh.positions.data, sizeof positions);
    positions[4] = NAN;
    mesh.values = values;
    mesh.positions.data = positions;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    frame.legend = "stretch";
    for (int i = 0; i < 3; i++) {
        frame.legend_maximum = ends[i];
        draw(f, &frame, f->pixels);
    }
}

static void the_same_frame_gives_the_same_pixels(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2, 0.4f});
    frame.ground = true;
    frame.ground_height = -0.2f;
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    draw(f, &frame, f->pixels);
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
}

static void a_renderer_outlives_others(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2, 0.4f});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    draw(f, &frame, f->pixels);
    for (int i = 0; i < 2; i++) {
        pli_renderer *first, *second;
        pli_error error = {0};
        assert_int_equal(pli_renderer_create(64, 48, 1, &first, &error), PLI_STATUS_OK);
        assert_int_equal(pli_renderer_create(WIDTH, HEIGHT, 4, &second, &error), PLI_STATUS_OK);
        pli_renderer_destroy(i ? second : first);
        memset(f->other, 0, sizeof f->other);
        if (pli_renderer_draw(i ? f->renderer : second, &frame, f->other, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
        assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
        pli_renderer_destroy(i ? first : second);
        memset(f->other, 0, sizeof f->other);
        draw(f, &frame, f->other);
        assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    }
}

typedef struct stranger {
    fixture *f;
    pli_error error;
} stranger;

static void *draw_elsewhere(void *argument)
{
    stranger *s = argument;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    pli_renderer_draw(s->f->renderer, &frame, s->f->other, &s->error);
    return NULL;
}

static void another_thread_is_refused(void **state)
{
    fixture *f = *state;
    stranger s = {.f = f};
    pthread_t thread;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    draw(f, &frame, f->pixels);
    assert_int_equal(pthread_create(&thread, NULL, draw_elsewhere, &s), 0);
    pthread_join(thread, NULL);
    assert_int_equal(s.error.status, PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(s.error.message, "thread"));
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
}

static void wrong_frames_and_sizes_are_refused(void **state)
{
    fixture *f = *state;
    pli_renderer *renderer;
    pli_error error;
    assert_int_equal(pli_renderer_create(8, 120, 1, &renderer, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_renderer_create(160, 100000, 1, &renderer, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_renderer_create(160, 120, 99, &renderer, &error), PLI_STATUS_INVALID_ARGUMENT);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    assert_int_equal(pli_renderer_draw(f->renderer, &frame, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_renderer_draw(f->renderer, NULL, f->pixels, &error), PLI_STATUS_INVALID_ARGUMENT);
}

// A frame with two meshes and a shape, all of it right.
typedef struct scenery {
    pli_render_frame frame;
    pli_render_mesh meshes[2];
    pli_render_shape shape;
} scenery;

static void negative_mesh_count(scenery *s) { s->frame.mesh_count = -1; }
static void negative_shape_count(scenery *s) { s->frame.shape_count = -2; }
static void no_meshes(scenery *s) { s->frame.meshes = NULL; }
static void no_shapes(scenery *s) { s->frame.shapes = NULL; }
static void no_mesh(scenery *s) { s->meshes[1].mesh = NULL; }
static void no_positions(scenery *s) { s->meshes[1].positions.data = NULL; }
static void few_positions(scenery *s) { s->meshes[1].positions.count = 4; }
static void narrow_positions(scenery *s) { s->meshes[1].positions.stride = 0; }
static void no_normals(scenery *s) { s->meshes[0].normals = (pli_view){NULL, 9, 12}; }
static void few_normals(scenery *s) { s->meshes[0].normals = (pli_view){s->meshes[0].positions.data, 3, 12}; }
static void eye_not_finite(scenery *s) { s->frame.camera.eye.y = NAN; }
static void target_not_finite(scenery *s) { s->frame.camera.target.x = INFINITY; }
static void camera_up_not_finite(scenery *s) { s->frame.camera.up.z = NAN; }
static void view_not_finite(scenery *s) { s->frame.camera.field_of_view = NAN; }
static void no_view(scenery *s) { s->frame.camera.field_of_view = 0.0f; }
static void up_not_finite(scenery *s) { s->frame.up.x = NAN; }
static void background_not_finite(scenery *s) { s->frame.background.x = -INFINITY; }
static void ground_not_finite(scenery *s) { s->frame.ground_height = NAN; }
static void no_lines(scenery *s) { s->frame.line_count = 2; }
static void too_many_keys(scenery *s)
{
    static const pli_render_key keys[17];
    s->frame.keys = keys, s->frame.key_count = 17;
}
static void no_name(scenery *s)
{
    static const pli_render_key key;
    s->frame.keys = &key, s->frame.key_count = 1;
}
static void line_not_finite(scenery *s)
{
    static const pli_render_line line = {.b = {0, NAN, 0}};
    s->frame.lines = &line, s->frame.line_count = 1;
}
static void no_images(scenery *s) { s->frame.image_count = 1; }
static void spoil_image(scenery *s, pli_render_image spoilt)
{
    static pli_render_image image;
    image = spoilt;
    s->frame.images = &image, s->frame.image_count = 1;
}
static void image_on_no_mesh(scenery *s) { spoil_image(s, (pli_render_image){.mesh = s->frame.mesh_count}); }
static void image_too_wide(scenery *s) { spoil_image(s, (pli_render_image){.width = 8193, .height = 1}); }
static void image_without_pixels(scenery *s) { spoil_image(s, (pli_render_image){.width = 1, .height = 1}); }
static void no_such_shape(scenery *s) { s->shape.collider.shape = PLI_SHAPE_COUNT; }

static void wrong_parts_of_a_frame_are_named(void **state)
{
    static const struct {
        void (*spoil)(scenery *);
        const char *says;
    } cases[] = {
        {negative_mesh_count, "mesh_count is -1"},
        {negative_shape_count, "shape_count is -2"},
        {no_images, "images are null"},
        {image_on_no_mesh, "is on mesh 2 of 2"},
        {image_too_wide, "8193 x 1"},
        {image_without_pixels, "no pixels"},
        {no_meshes, "meshes are null but its mesh_count is 2"},
        {no_shapes, "shapes are null but its shape_count is 1"},
        {no_mesh, "mesh 1"},
        {no_positions, "mesh 1 of the frame has 9 positions but their data is null"},
        {few_positions, "mesh 1 of the frame has 4 positions for 9 vertices"},
        {narrow_positions, "stride"},
        {no_normals, "mesh 0 of the frame has 9 normals but their data is null"},
        {few_normals, "mesh 0 of the frame has 3 normals for 9 vertices"},
        {eye_not_finite, "camera.eye"},
        {target_not_finite, "camera.target"},
        {camera_up_not_finite, "camera.up"},
        {view_not_finite, "field of view"},
        {no_view, "field of view"},
        {up_not_finite, "frame's up"},
        {background_not_finite, "background"},
        {ground_not_finite, "ground_height"},
        {no_such_shape, "shape 0"},
        {no_lines, "lines are null but its line_count is 2"},
        {too_many_keys, "at most"},
        {no_name, "key 0 of the frame has no name"},
        {line_not_finite, "line's end b"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scenery s = {.meshes = {sheet_of(f), sheet_of(f)}, .shape = {.collider = pli_collider_def_default()}};
        s.frame = frame_from((pli_vec3){0, 2, 0});
        s.frame.ground = true;
        s.frame.meshes = s.meshes;
        s.frame.mesh_count = 2;
        s.frame.shapes = &s.shape;
        s.frame.shape_count = 1;
        draw(f, &s.frame, f->pixels);
        memcpy(f->other, f->pixels, sizeof f->pixels);
        cases[i].spoil(&s);
        pli_error error = {0};
        assert_int_equal(pli_renderer_draw(f->renderer, &s.frame, f->other, &error), PLI_STATUS_INVALID_ARGUMENT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("'%s' does not say '%s'", error.message, cases[i].says);
        assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    }
}

static void what_has_an_end_and_sound_sizes_is_drawn(void **state)
{
    fixture *f = *state;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    draw(f, &frame, f->other);
    pli_render_shape shape = {.collider = pli_collider_def_default(), .colour = red};
    frame.shapes = &shape;
    frame.shape_count = 1;
    pli_mesh *ball;
    assert_int_equal(pli_mesh_create_sphere(1, 0.5f, &ball, NULL), PLI_STATUS_OK);
    for (int kind = PLI_SHAPE_PLANE; kind < PLI_SHAPE_COUNT; kind++) {
        shape.collider.shape = (pli_shape)kind;
        draw(f, &frame, f->pixels);
        const pli_shape_info *info = pli_shape_at(kind);
        bool changed = memcmp(f->pixels, f->other, sizeof f->pixels) != 0;
        assert_int_equal(changed, info->bounded && !info->takes_mesh);
        shape.collider.mesh = ball;
        draw(f, &frame, f->pixels);
        assert_int_equal(memcmp(f->pixels, f->other, sizeof f->pixels) != 0, info->bounded);
        shape.collider.mesh = NULL;
    }
    pli_mesh_destroy(ball);
}

// Cloth that is cut has another mesh each time. With what the driver has of it, one of some 4500 vertices takes more than half a megabyte.
static void meshes_that_are_gone_are_forgotten(void **state)
{
    enum { ROUNDS = 60, BEFORE = 20 };
    fixture *f = *state;
    pli_error error;
    size_t before = 0;
    assert_int_equal(pli_renderer_resize(f->renderer, WIDTH, HEIGHT, 1, &error), PLI_STATUS_OK);
    for (int32_t round = 0; round < ROUNDS; round++) {
        pli_mesh *mesh;
        assert_int_equal(pli_mesh_create_grid(40 + round, 100 - round, 1.0f, 1.0f, PLI_GRID_QUADS, &mesh, &error),
                         PLI_STATUS_OK);
        pli_render_mesh drawn = {.mesh = mesh, .positions = rest_of(mesh), .front = red};
        pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
        frame.meshes = &drawn, frame.mesh_count = 1, frame.draft = true;
        draw(f, &frame, f->pixels);
        pli_mesh_destroy(mesh);
        before = round == BEFORE ? mallinfo2().uordblks : before;
    }
    const double grown = (double)mallinfo2().uordblks - (double)before;
    if (!(grown < 2e6))
        fail_msg("%g bytes more are in use after %d meshes", grown, ROUNDS - BEFORE);
    assert_int_equal(pli_renderer_resize(f->renderer, WIDTH, HEIGHT, 4, &error), PLI_STATUS_OK);
}

// Three hundred squares of eight pixels, in rows of twenty; the others are green.
static void many_meshes_are_each_drawn(void **state)
{
    enum { ROWS = 15, COLUMNS = 20, COUNT = ROWS * COLUMNS };
    static float positions[COUNT][27];
    static pli_render_mesh meshes[COUNT];
    fixture *f = *state;
    const float *rest = pli_mesh_topology(f->sheet)->positions;
    for (int i = 0; i < COUNT; i++) {
        for (int v = 0; v < 9; v++) {
            positions[i][3 * v] = 0.8f * rest[3 * v] + (float)(i % COLUMNS) - 9.5f;
            positions[i][3 * v + 1] = 0.0f;
            positions[i][3 * v + 2] = 0.8f * rest[3 * v + 2] + (float)(i / COLUMNS) - 7.0f;
        }
        meshes[i] = sheet_of(f);
        meshes[i].positions.data = positions[i];
        meshes[i].front = i % 2 ? red : (pli_vec3){0.02f, 0.6f, 0.02f};
    }
    pli_render_frame frame = frame_from((pli_vec3){0, 7.5f / tanf(20.0f * 0.0174532925f), 0});
    frame.meshes = meshes;
    frame.mesh_count = COUNT;
    draw(f, &frame, f->pixels);
    for (int i = 0; i < COUNT; i++) {
        const uint8_t *p = pixel(f->pixels, i % COLUMNS * 8 + 4, i / COLUMNS * 8 + 4);
        if (!(i % 2 ? p[0] > 2 * p[1] : p[1] > 2 * p[0]))
            fail_msg("square %d is %d %d %d", i, p[0], p[1], p[2]);
    }
}

static PFNGLGENVERTEXARRAYSPROC gen_vertex_arrays;
static int arrays_made;

static void count_arrays(GLsizei count, GLuint *arrays)
{
    arrays_made += count;
    gen_vertex_arrays(count, arrays);
}

static int arrays_for(fixture *f, pli_render_frame *frame, const pli_render_mesh *meshes, int32_t count)
{
    frame->meshes = meshes;
    frame->mesh_count = count;
    arrays_made = 0;
    draw(f, frame, f->pixels);
    return arrays_made;
}

// A mesh that 15 pictures did not show is still there, one that 16 did not is made anew; what is shown stays, however much it is.
static void meshes_drawn_last_are_kept(void **state)
{
    enum { COUNT = 300, KEPT = 16 };
    fixture *f = *state;
    pli_mesh *meshes[COUNT];
    pli_render_mesh seen[COUNT];
    pli_error error;
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(pli_mesh_create_grid(2, 2, 1.0f, 1.0f, PLI_GRID_QUADS, &meshes[i], &error), PLI_STATUS_OK);
        seen[i] = (pli_render_mesh){.mesh = meshes[i], .positions = rest_of(meshes[i])};
    }
    pli_renderer *shared = f->renderer;
    assert_int_equal(pli_renderer_create(WIDTH, HEIGHT, 1, &f->renderer, &error), PLI_STATUS_OK);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    draw(f, &frame, f->pixels);
    gen_vertex_arrays = epoxy_glGenVertexArrays;
    epoxy_glGenVertexArrays = count_arrays;
    const int first = arrays_for(f, &frame, seen, COUNT), again = arrays_for(f, &frame, seen, COUNT);
    int others = 0, kept[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < KEPT - 1 + k; i++)
            others += arrays_for(f, &frame, seen + 1, 1);
        kept[k] = arrays_for(f, &frame, seen, 1);
    }
    epoxy_glGenVertexArrays = gen_vertex_arrays;
    pli_renderer_destroy(f->renderer);
    f->renderer = shared;
    for (int i = 0; i < COUNT; i++)
        pli_mesh_destroy(meshes[i]);
    assert_int_equal(first, COUNT);
    assert_int_equal(again, 0);
    assert_int_equal(others, 0);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[1], 1);
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void unit_cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    double length = sqrt(dot3(c, c));
    for (int i = 0; i < 3; i++)
        c[i] /= length;
}

// How far the corners of the box come towards the edges of the picture: to the left, right, bottom and top, 1 at the
// edge. A pinhole in the eye looks at the target. Returns the depth of the nearest corner over that of the farthest.
static double project_box(const pli_camera *c, const double low[3], const double high[3], double aspect,
                          double reach[4])
{
    const double eye[3] = {(double)c->eye.x, (double)c->eye.y, (double)c->eye.z};
    const double up[3] = {(double)c->up.x, (double)c->up.y, (double)c->up.z};
    double forward[3] = {(double)c->target.x - eye[0], (double)c->target.y - eye[1], (double)c->target.z - eye[2]};
    double right[3], top[3], length = sqrt(dot3(forward, forward));
    for (int i = 0; i < 3; i++)
        forward[i] /= length;
    unit_cross(forward, up, right);
    unit_cross(right, forward, top);
    double nearest = INFINITY, farthest = 0.0;
    const double slope = tan((double)c->field_of_view * acos(-1.0) / 360.0);
    for (int i = 0; i < 4; i++)
        reach[i] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double d[3];
        for (int i = 0; i < 3; i++)
            d[i] = (corner >> i & 1 ? high[i] : low[i]) - eye[i];
        double depth = dot3(d, forward);
        assert_true(depth > 0.0);
        nearest = fmin(nearest, depth), farthest = fmax(farthest, depth);
        double x = dot3(d, right) / (depth * slope * aspect), y = dot3(d, top) / (depth * slope);
        reach[0] = fmax(reach[0], -x);
        reach[1] = fmax(reach[1], x);
        reach[2] = fmax(reach[2], -y);
        reach[3] = fmax(reach[3], y);
    }
    return nearest / farthest;
}

static void the_fitted_camera_sees_the_whole_box(void **state)
{
    (void)state;
    static const double boxes[][2][3] = {
        {{-1, 0, -2}, {3, 1, 2}},       {{-1, -1, -1}, {1, 1, 1}},        {{10, 20, 30}, {10.01, 20.01, 30.01}},
        {{-50, 0, -50}, {50, 0, 50}},   {{-0.1, 0, -0.1}, {0.1, 9, 0.1}}, {{2, 2, 2}, {2, 2, 7}},
        {{0, 0, 0}, {0.02, 0.01, 500}},
    };
    static const double aspects[] = {0.3, 1.0, 16.0 / 9.0, 5.0};
    static const pli_vec3 ups[] = {{0, 1, 0}, {0, 0, 1}, {0.36f, 0.48f, 0.8f}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (int k = 0; k < 12; k++) {
            const double *low = boxes[i][0], *high = boxes[i][1], aspect = aspects[k / 3];
            pli_camera c = pli_camera_fit((pli_vec3){(float)low[0], (float)low[1], (float)low[2]},
                                          (pli_vec3){(float)high[0], (float)high[1], (float)high[2]}, ups[k % 3],
                                          (float)aspect);
            double reach[4];
            const double nearness = project_box(&c, low, high, aspect, reach);
            double across = fmin(reach[0], reach[1]), along = fmin(reach[2], reach[3]);
            // Nothing beyond the edges, and the picture is full from left to right, or from bottom to top, unless the eye would be in the box.
            for (int side = 0; side < 4; side++)
                if (!(reach[side] <= 0.97))
                    fail_msg("box %d, view %d: %g towards edge %d", (int)i, k, reach[side], side);
            if (nearness > 0.05 && !(fmax(across, along) >= 0.91))
                fail_msg("box %d, view %d: fills %g by %g", (int)i, k, across, along);
        }
}

static void a_camera_is_fitted_to_anything(void **state)
{
    (void)state;
    const pli_vec3 zero = {0, 0, 0}, up = {0, 1, 0}, endless = {INFINITY, 1, 1};
    const pli_camera cameras[] = {pli_camera_fit(zero, zero, up, 1.5f),    pli_camera_fit(zero, up, zero, 1.5f),
                                  pli_camera_fit(zero, up, up, 0.0f),      pli_camera_fit(zero, up, up, NAN),
                                  pli_camera_fit(zero, endless, up, 1.5f), pli_camera_fit(up, zero, up, 1.5f)};
    for (int i = 0; i < 6; i++) {
        const float *numbers = &cameras[i].eye.x;
        for (int k = 0; k < 10; k++)
            if (!isfinite(numbers[k]))
                fail_msg("camera %d has number %d = %g", i, k, (double)numbers[k]);
    }
}

// Writes the pixels and reads them back; whether the file has a palette.
static bool png_has_palette(fixture *f)
{
    pli_error error;
    assert_int_equal(pli_image_write_png("test_render.png", f->pixels, WIDTH, HEIGHT, &error), PLI_STATUS_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, "test_render.png"));
    assert_int_equal(image.width, WIDTH);
    bool palette = (image.format & PNG_FORMAT_FLAG_COLORMAP) != 0;
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, f->other, 0, NULL));
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    unlink("test_render.png");
    return palette;
}

static void png_files_read_back_equal(void **state)
{
    fixture *f = *state;
    pli_error error;
    for (size_t i = 0; i < sizeof f->pixels; i++)
        f->pixels[i] = (uint8_t)(i * 7 + i / 640);
    assert_false(png_has_palette(f));
    // 256 opaque colours have a palette; one more has none, nor has a pixel that is not opaque.
    for (size_t i = 0; i < sizeof f->pixels / 4; i++)
        memcpy(&f->pixels[4 * i], (const uint8_t[]){(uint8_t)(i * 37), 5, 9, 255}, 4);
    assert_true(png_has_palette(f));
    f->pixels[4 * 1000 + 2] = 10;
    assert_false(png_has_palette(f));
    f->pixels[4 * 1000 + 2] = 9;
    f->pixels[4 * 1000 + 3] = 254;
    assert_false(png_has_palette(f));
    assert_int_equal(pli_image_write_png("no/such/folder.png", f->pixels, WIDTH, HEIGHT, &error), PLI_STATUS_FILE);
    assert_int_equal(pli_image_write_png("none.png", f->pixels, 0, HEIGHT, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_image_write_png("none.png", NULL, WIDTH, HEIGHT, &error), PLI_STATUS_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_has_its_colour),
        cmocka_unit_test(the_sky_shows_beside),
        cmocka_unit_test(nearer_things_hide_farther_ones),
        cmocka_unit_test(things_cast_shadows_on_the_ground),
        cmocka_unit_test(edges_are_those_of_faces),
        cmocka_unit_test(edges_are_dark_ink),
        cmocka_unit_test(the_legend_has_both_ends_of_the_map),
        cmocka_unit_test(surfaces_have_the_colours_of_the_legend),
        cmocka_unit_test(values_that_are_not_finite_are_drawn),
        cmocka_unit_test(the_same_frame_gives_the_same_pixels),
        cmocka_unit_test(a_renderer_outlives_others),
        cmocka_unit_test(another_thread_is_refused),
        cmocka_unit_test(wrong_frames_and_sizes_are_refused),
        cmocka_unit_test(wrong_parts_of_a_frame_are_named),
        cmocka_unit_test(what_has_an_end_and_sound_sizes_is_drawn),
        cmocka_unit_test(meshes_that_are_gone_are_forgotten),
        cmocka_unit_test(many_meshes_are_each_drawn),
        cmocka_unit_test(meshes_drawn_last_are_kept),
        cmocka_unit_test(the_fitted_camera_sees_the_whole_box),
        cmocka_unit_test(a_camera_is_fitted_to_anything),
        cmocka_unit_test(png_files_read_back_equal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
