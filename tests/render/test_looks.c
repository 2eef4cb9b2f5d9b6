// Samples, light and looks: facts that can be read off the pixels.
#include "pictures.h"

#include <epoxy/gl.h>
#include <pthread.h>

static void set_samples(const fixture *f, int32_t samples)
{
    pli_error error;
    assert_int_equal(pli_renderer_resize(f->renderer, WIDTH, HEIGHT, samples, &error), PLI_STATUS_OK);
}

// Different brightnesses along the outline of a dark sheet that stands askew before a light sky.
static int32_t steps_at_outline(fixture *f, int32_t samples)
{
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2.5f, 0.2f});
    frame.meshes = &mesh, frame.mesh_count = 1;
    mesh.front = (pli_vec3){0, 0, 0};
    frame.background = (pli_vec3){1, 1, 1};
    set_samples(f, samples);
    draw(f, &frame, f->pixels);
    set_samples(f, 4);
    bool seen[256] = {false};
    int32_t count = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint8_t value = f->pixels[4 * i];
        count += value > 90 && value < 150 && !seen[value]; // The wall is brighter, also in the corners.
        seen[value] = true;
    }
    return count;
}

static void samples_make_outlines_smooth(void **state)
{
    fixture *f = *state;
    int32_t one = steps_at_outline(f, 1), many = steps_at_outline(f, 16);
    if (!(one <= 3 && many >= 10))
        fail_msg("%d brightnesses between sheet and sky with one sample, %d with sixteen", (int)one, (int)many);
}

// Two pictures of two samples, the second of which goes on, are one of four.
static void a_picture_goes_on_getting_better(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2, 0.4f});
    pli_error error;
    frame.meshes = &mesh, frame.mesh_count = 1, frame.ground = true, frame.ground_height = -0.3f;
    draw(f, &frame, f->pixels);
    set_samples(f, 2);
    draw(f, &frame, f->other);
    assert_memory_not_equal(f->pixels, f->other, sizeof f->pixels);
    frame.first_sample = 2;
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    // One sample, which is no sum yet, and three more.
    frame.first_sample = 0;
    set_samples(f, 1);
    draw(f, &frame, f->other);
    set_samples(f, 3);
    frame.first_sample = 1;
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    frame.first_sample = -1;
    assert_int_equal(pli_renderer_draw(f->renderer, &frame, f->other, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "first_sample"));
    set_samples(f, 4);
}

// Ground that nothing is near has one brightness up to the border, where pixels have no neighbours on one side.
static void the_border_is_as_bright_as_what_is_beside_it(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 3, 0});
    frame.meshes = &mesh, frame.mesh_count = 1, frame.ground = true, frame.ground_height = -0.02f;
    set_samples(f, 1);
    draw(f, &frame, f->pixels);
    for (int y = 8; y < HEIGHT - 8; y += 8) {
        int left = brightness(pixel(f->pixels, 0, y)) - brightness(pixel(f->pixels, 12, y));
        int right = brightness(pixel(f->pixels, WIDTH - 1, y)) - brightness(pixel(f->pixels, WIDTH - 13, y));
        assert_true(abs(left) <= 6 && abs(right) <= 6);
    }
    set_samples(f, 4);
}

static void a_renderer_takes_another_size(void **state)
{
    enum { SIDE = 48 };
    static uint8_t resized[4 * SIDE * SIDE], made[4 * SIDE * SIDE];
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    pli_renderer *small;
    pli_error error;
    frame.meshes = &mesh, frame.mesh_count = 1;
    draw(f, &frame, f->pixels);
    assert_int_equal(pli_renderer_resize(f->renderer, SIDE, SIDE, 4, &error), PLI_STATUS_OK);
    draw(f, &frame, resized);
    assert_int_equal(pli_renderer_create(SIDE, SIDE, 4, &small, &error), PLI_STATUS_OK);
    assert_int_equal(pli_renderer_draw(small, &frame, made, &error), PLI_STATUS_OK);
    pli_renderer_destroy(small);
    assert_memory_equal(resized, made, sizeof made);
    assert_int_equal(pli_renderer_resize(f->renderer, 5, SIDE, 4, &error), PLI_STATUS_INVALID_ARGUMENT);
    draw(f, &frame, made);
    assert_memory_equal(resized, made, sizeof made);
    set_samples(f, 4);
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->other);
}

static GLuint make_framebuffer(GLuint *colour, int32_t width, int32_t height)
{
    GLuint framebuffer;
    glGenTextures(1, colour);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, *colour);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *colour, 0);
    return framebuffer;
}

// The context of one renderer is the host's of another.
static void a_host_lends_its_context(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2, 0.4f});
    pli_renderer *guest;
    pli_error error;
    frame.meshes = &mesh, frame.mesh_count = 1;
    frame.legend = "stretch", frame.legend_maximum = 1.0f;
    draw(f, &frame, f->pixels);
    const char *device = (const char *)glGetString(GL_RENDERER);
    assert_int_equal(pli_renderer_is_software(f->renderer), strstr(device, "pipe") || strstr(device, "SwiftShader"));
    assert_int_equal(pli_renderer_create_current(WIDTH, HEIGHT, 4, &guest, &error), PLI_STATUS_OK);
    GLuint colour, framebuffer = make_framebuffer(&colour, WIDTH + 20, HEIGHT + 10);
    pli_render_target target = {framebuffer, 20, 10, WIDTH, HEIGHT};
    assert_int_equal(pli_renderer_draw_to(guest, &frame, &target, &error), PLI_STATUS_OK);
    glReadPixels(20, 10, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, f->other);
    // Its first row is the lowest one. The pattern of the film stands on the framebuffer's pixels.
    int32_t most = 0;
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t i = 0; i < 4 * WIDTH; i++) {
            int32_t difference = abs(f->pixels[4 * WIDTH * y + i] - f->other[4 * WIDTH * (HEIGHT - 1 - y) + i]);
            most = difference > most ? difference : most;
        }
    assert_in_range(most, 0, 1);
    target.width = 0;
    assert_int_equal(pli_renderer_draw_to(guest, &frame, &target, &error), PLI_STATUS_INVALID_ARGUMENT);
    pli_renderer_destroy(guest);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &colour);
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->other);
}

static void *take_nothing(void *result)
{
    pli_renderer *guest;
    *(pli_status *)result = pli_renderer_create_current(WIDTH, HEIGHT, 1, &guest, NULL);
    return NULL;
}

static void without_a_context_there_is_nothing_to_take(void **state)
{
    (void)state;
    pli_status status = PLI_STATUS_OK;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, take_nothing, &status), 0);
    pthread_join(thread, NULL);
    assert_int_equal(status, PLI_STATUS_UNSUPPORTED);
}

// A sheet whose normals all look into the eye: products of unit vectors are rounded beyond 1 at some of its pixels.
static void what_faces_the_eye_is_lit(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0.1f, 1.3f, 0.2f});
    float normals[27];
    for (int32_t v = 0; v < 9; v++) {
        const float *p = pli_mesh_topology(f->sheet)->positions + 3 * v;
        double x = 0.1 - (double)p[0], y = 1.3 - (double)p[1], z = 0.2 - (double)p[2],
               length = sqrt(x * x + y * y + z * z);
        normals[3 * v] = (float)(x / length), normals[3 * v + 1] = (float)(y / length),
                    normals[3 * v + 2] = (float)(z / length);
    }
    mesh.normals = (pli_view){normals, 9, 12};
    mesh.front = (pli_vec3){0.5f, 0.5f, 0.5f}, mesh.sheen = 1.0f;
    frame.meshes = &mesh, frame.mesh_count = 1;
    set_samples(f, 16);
    draw(f, &frame, f->pixels);
    set_samples(f, 4);
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_in_range(brightness(f->pixels + 4 * i), 200, 765);
}

// A ball in front of the eye, on the ground or above it.
static void draw_ball(const fixture *f, float height, bool draft, uint8_t *pixels)
{
    pli_render_shape ball = {.collider = pli_collider_def_default(), .colour = {0.5f, 0.5f, 0.5f}};
    pli_render_frame frame = pli_render_frame_default();
    ball.collider.radius = 0.2f;
    ball.collider.pose.position.y = height;
    frame.camera = (pli_camera){{0, 2.2f, 2.2f}, {0, 0, 0}, {0, 1, 0}, 40.0f};
    frame.shapes = &ball, frame.shape_count = 1;
    frame.draft = draft;
    draw(f, &frame, pixels);
}

// The largest step between neighbours in a row of a picture of four times the size, beside the ball, which is between two rows.
static int32_t sharpest_shadow(const fixture *f, float height, int32_t above, int32_t below)
{
    enum { LARGE_WIDTH = 4 * WIDTH, LARGE_HEIGHT = 4 * HEIGHT };
    static uint8_t large[4 * LARGE_WIDTH * LARGE_HEIGHT];
    int32_t most = 0;
    pli_error error;
    assert_int_equal(pli_renderer_resize(f->renderer, LARGE_WIDTH, LARGE_HEIGHT, 4, &error), PLI_STATUS_OK);
    draw_ball(f, height, false, large);
    for (int32_t y = 0; y < LARGE_HEIGHT; y++)
        for (int32_t x = 0; x + 1 < LARGE_WIDTH; x++) {
            bool ball = y >= above && y <= below && abs(x - LARGE_WIDTH / 2) <= (below - above) / 2;
            const uint8_t *p = large + 4 * (y * LARGE_WIDTH + x);
            int32_t step = abs(brightness(p) - brightness(p + 4));
            most = !ball && step > most ? step : most;
        }
    set_samples(f, 4);
    return most;
}

static void shadows_are_softer_further_away(void **state)
{
    const fixture *f = *state;
    int32_t near = sharpest_shadow(f, 0.22f, 144, 264), far = sharpest_shadow(f, 0.9f, 8, 136);
    if (!(far < 2 * near / 3))
        fail_msg("the shadow has steps of %d of a ball on the ground, of %d of one above it", (int)near, (int)far);
}

// Around a ball that touches the ground it is darker than without occlusion, and as light far away.
static void what_is_near_darkens_the_ground(void **state)
{
    fixture *f = *state;
    draw_ball(f, 0.2f, false, f->pixels);
    draw_ball(f, 0.2f, true, f->other);
    int32_t darker = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        darker += brightness(f->pixels + 4 * i) < brightness(f->other + 4 * i) - 15;
    assert_in_range(darker, 30, WIDTH * HEIGHT / 4);
    const uint8_t *open = pixel(f->pixels, 4, HEIGHT - 4), *draft = pixel(f->other, 4, HEIGHT - 4);
    assert_in_range(abs(brightness(open) - brightness(draft)), 0, 4);
}

static void faces_have_colours_of_their_own(void **state)
{
    static const float colours[12] = {0.6f, 0.02f, 0.02f, 0.02f, 0.6f, 0.02f, 0.02f, 0.02f, 0.6f, 0.5f, 0.5f, 0.02f};
    const float scale = (float)HEIGHT / (2.0f * 2.0f * tanf(20.0f * 0.0174532925f));
    fixture *f = *state;
    const pli_topology *t = pli_mesh_topology(f->sheet);
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh, frame.mesh_count = 1;
    mesh.face_colours = colours;
    draw(f, &frame, f->pixels);
    assert_int_equal(t->face_count, 4);
    for (int32_t face = 0; face < 4; face++) {
        float x = 0.0f, z = 0.0f;
        for (int32_t k = 0; k < 4; k++) {
            const float *p = t->positions + 3 * (size_t)t->face_vertices[4 * face + k];
            x += 0.25f * p[0], z += 0.25f * p[2];
        }
        // The camera looks down with -z up.
        const uint8_t *p = pixel(f->pixels, (int)(0.5f * WIDTH + scale * x), (int)(0.5f * HEIGHT + scale * z));
        for (int channel = 0; channel < 3; channel++)
            if ((colours[3 * face + channel] > 0.1f) != (p[channel] > 130))
                fail_msg("face %d: channel %d is %d", (int)face, channel, p[channel]);
    }
}

// Along a row of squares, light and dark ones take turns.
static int32_t changes_in_a_row(const uint8_t *pixels)
{
    int32_t changes = 0, low = 255, high = 0;
    for (int32_t x = WIDTH / 2 - 36; x <= WIDTH / 2 + 36; x++) {
        int32_t here = pixel(pixels, x, HEIGHT / 2 + 4)[0];
        low = here < low ? here : low, high = here > high ? here : high;
    }
    for (int32_t x = WIDTH / 2 - 36; x < WIDTH / 2 + 36 && high > low + 20; x++) {
        int32_t here = pixel(pixels, x, HEIGHT / 2 + 4)[0], next = pixel(pixels, x + 1, HEIGHT / 2 + 4)[0];
        changes += (2 * here > low + high) != (2 * next > low + high);
    }
    return changes;
}

static void patterns_have_their_size(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    float coordinates[18];
    frame.meshes = &mesh, frame.mesh_count = 1;
    mesh.pattern_size = 0.1f;
    draw(f, &frame, f->pixels);
    assert_int_equal(changes_in_a_row(f->pixels), 0);
    // 72 pixels are .874 m here: eight borders and sometimes a ninth.
    for (int32_t pattern = PLI_RENDER_CHECKER; pattern <= PLI_RENDER_STRIPES; pattern++) {
        mesh.pattern = (pli_render_pattern)pattern;
        draw(f, &frame, f->pixels);
        assert_in_range(changes_in_a_row(f->pixels), 8, 9);
    }
    // By coordinates of twice the size there are twice as many.
    for (int32_t v = 0; v < 9; v++)
        for (int32_t k = 0; k < 2; k++)
            coordinates[2 * v + k] = 2.0f * pli_mesh_topology(f->sheet)->positions[3 * v + 2 * k];
    mesh.coordinates = coordinates;
    draw(f, &frame, f->pixels);
    assert_in_range(changes_in_a_row(f->pixels), 16, 18);
}

// The component of a pixel's colour that is far above the others: 1 red, 2 green, 3 blue; 0 for none.
static int colour_at(const fixture *f, int x, int y)
{
    const uint8_t *p = pixel(f->pixels, x, y);
    for (int k = 0; k < 3; k++)
        if (p[k] > p[(k + 1) % 3] + 60 && p[k] > p[(k + 2) % 3] + 60)
            return k + 1;
    return 0;
}

// An image of 2 x 2 pixels on the sheet seen from above: red over green on the left and blue over what is transparent, where the sheet's own red is
// seen, on the right. Then by corner: each triangle has the left half or the right half of its own, which no coordinates by vertex give.
static void images_lie_on_surfaces(void **state)
{
    fixture *f = *state;
    const uint8_t pixels[16] = {250, 10, 10, 255, 10, 10, 250, 255, 10, 250, 10, 255, 0, 0, 0, 0};
    const pli_topology *t = pli_mesh_topology(f->sheet);
    float coordinates[6 * 8], *at = coordinates;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_image image = {.width = 2, .height = 2, .pixels = pixels, .coordinates = coordinates};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    assert_int_equal(t->triangle_count, 8);
    for (int32_t c = 0; c < 24; c++, at += 2)
        at[0] = t->positions[3 * t->triangles[c]] + 0.5f, at[1] = 0.5f - t->positions[3 * t->triangles[c] + 2];
    frame.meshes = &mesh, frame.mesh_count = 1, frame.images = &image, frame.image_count = 1;
    draw(f, &frame, f->pixels);
    const int middle = WIDTH / 2, row = HEIGHT / 2, off = 20; // Middles of the image's pixels.
    assert_int_equal(colour_at(f, middle - off, row - off), 1);
    assert_int_equal(colour_at(f, middle + off, row - off), 3);
    assert_int_equal(colour_at(f, middle - off, row + off), 2);
    assert_int_equal(colour_at(f, middle + off, row + off), 1);
    for (int32_t c = 0; c < 24; c++)
        coordinates[2 * c] = c / 3 % 2 ? 0.25f : 0.75f, coordinates[2 * c + 1] = 0.75f;
    draw(f, &frame, f->pixels);
    int32_t seen[4] = {0};
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        seen[colour_at(f, i % WIDTH, i / WIDTH)]++;
    if (!(seen[1] > 3000 && seen[3] > 3000 && seen[2] == 0 && abs(seen[1] - seen[3]) < 300))
        fail_msg("%d red, %d green, %d blue", (int)seen[1], (int)seen[2], (int)seen[3]);
}

static int32_t largest_difference(const fixture *f)
{
    int32_t most = 0;
    for (int32_t i = 0; i < 4 * WIDTH * HEIGHT; i++) {
        int32_t difference = abs(f->pixels[i] - f->other[i]);
        most = difference > most ? difference : most;
    }
    return most;
}

// Sides of the image that are much smaller than a pixel blend by light, not by its numbers: half white on black is 188 of 255.
static void images_blend_far_away(void **state)
{
    enum { SIDE = 512 };
    fixture *f = *state;
    uint8_t *pixels = malloc(4 * SIDE * SIDE), plain[4] = {188, 188, 188, 255};
    const pli_topology *t = pli_mesh_topology(f->sheet);
    float coordinates[6 * 8];
    pli_render_mesh mesh = sheet_of(f);
    pli_render_image image = {.width = SIDE, .height = SIDE, .pixels = pixels, .coordinates = coordinates};
    pli_render_frame frame = frame_from((pli_vec3){0.3f, 2.5f, 0.2f});
    assert_non_null(pixels);
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        memset(pixels + 4 * i, (i % SIDE + i / SIDE) % 2 ? 255 : 0, 3), pixels[4 * i + 3] = 255;
    for (int32_t c = 0; c < 24; c++)
        for (int k = 0; k < 2; k++)
            coordinates[2 * c + k] = t->positions[3 * t->triangles[c] + 2 * k];
    frame.meshes = &mesh, frame.mesh_count = 1, frame.images = &image, frame.image_count = 1;
    draw(f, &frame, f->pixels);
    image.pixels = plain, image.width = image.height = 1;
    draw(f, &frame, f->other);
    assert_in_range(largest_difference(f), 0, 4);
    // A transparent pixel has no colour: white beside transparent black stays white on white cloth.
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        pixels[4 * i + 3] = pixels[4 * i];
    image.pixels = pixels, image.width = image.height = SIDE;
    mesh.front = mesh.back = (pli_vec3){1, 1, 1};
    draw(f, &frame, f->pixels);
    free(pixels);
    plain[0] = plain[1] = plain[2] = 255;
    image.pixels = plain, image.width = image.height = 1;
    draw(f, &frame, f->other);
    assert_in_range(largest_difference(f), 0, 4);
}

// Two transparent balls in a row: what is behind shows through, and the order of the list does not matter.
static void one_sees_through_what_is_transparent(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_shape balls[2] = {
        {.collider = pli_collider_def_default(), .colour = {0.02f, 0.6f, 0.02f}, .transparency = 0.5f},
        {.collider = pli_collider_def_default(), .colour = {0.02f, 0.02f, 0.6f}, .transparency = 0.5f}};
    balls[0].collider.radius = balls[1].collider.radius = 0.15f;
    balls[0].collider.pose.position.y = 0.3f, balls[1].collider.pose.position.y = 0.8f;
    pli_render_frame frame = frame_from((pli_vec3){0, 2.5f, 0});
    frame.meshes = &mesh, frame.mesh_count = 1, frame.shapes = balls;
    draw(f, &frame, f->pixels);
    const uint8_t *middle = pixel(f->pixels, WIDTH / 2, HEIGHT / 2);
    int32_t red_alone = middle[0];
    frame.shape_count = 2;
    draw(f, &frame, f->pixels);
    if (!(middle[0] > 40 && middle[0] < red_alone - 40 && middle[2] > middle[1] + 20))
        fail_msg("red %d before, then red %d, green %d, blue %d", (int)red_alone, middle[0], middle[1], middle[2]);
    pli_render_shape first = balls[0];
    balls[0] = balls[1], balls[1] = first;
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->other);
    // Shapes that are not seen at all cast no shadow either.
    balls[0].transparency = balls[1].transparency = 1.0f;
    draw(f, &frame, f->pixels);
    assert_in_range(abs(middle[0] - red_alone), 0, 2);
}

// Pixels that are rather green than anything else.
static int32_t green_pixels(const uint8_t *pixels)
{
    int32_t count = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        count += pixels[4 * i + 1] > pixels[4 * i] + 40 && pixels[4 * i + 1] > pixels[4 * i + 2] + 40;
    return count;
}

// A line over the sheet is seen along its length and about two pixels wide; behind the sheet it only tints it; one that passes the eye
// is cut off there.
static void lines_are_seen_and_faint_behind_things(void **state)
{
    fixture *f = *state;
    pli_render_mesh mesh = sheet_of(f);
    pli_render_line line = {{-0.3f, 0.1f, 0.0f}, {0.3f, 0.1f, 0.0f}, {0.02f, 0.6f, 0.02f}};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh, frame.mesh_count = 1;
    draw(f, &frame, f->other);
    assert_int_equal(green_pixels(f->other), 0);
    frame.lines = &line, frame.line_count = 1;
    draw(f, &frame, f->pixels);
    // .6 m at a distance of 1.9 m, where the picture is 1.383 m high.
    assert_in_range(green_pixels(f->pixels), 40, 160);
    line.a.y = line.b.y = -0.1f;
    draw(f, &frame, f->pixels);
    assert_int_equal(green_pixels(f->pixels), 0);
    int32_t tinted = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        tinted += f->pixels[4 * i + 1] > f->other[4 * i + 1] + 12;
    assert_in_range(tinted, 40, 200);
    line.a = (pli_vec3){0.02f, 0.1f, 0.0f}, line.b = (pli_vec3){0.02f, 4.0f, 0.5f};
    draw(f, &frame, f->pixels);
    assert_in_range(green_pixels(f->pixels), 20, 400);
}

static pli_vec3 vec_behind(const pli_camera *c)
{
    return (pli_vec3){2.0f * c->eye.x - c->target.x, 2.0f * c->eye.y - c->target.y, 2.0f * c->eye.z - c->target.z};
}

// The largest difference that the lens makes to a sheet that is seen by 16 samples: a line, here behind the eye, turns the lens off.
static int32_t blur_of(fixture *f, pli_camera camera)
{
    const pli_vec3 behind = vec_behind(&camera);
    const pli_render_line line = {behind, behind, {0.5f, 0.5f, 0.5f}};
    pli_render_mesh mesh = sheet_of(f);
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = camera;
    frame.ground = false;
    frame.meshes = &mesh, frame.mesh_count = 1;
    set_samples(f, 16);
    draw(f, &frame, f->pixels);
    frame.lines = &line, frame.line_count = 1;
    draw(f, &frame, f->other);
    set_samples(f, 4);
    return largest_difference(f);
}

// A sheet across the view through the centre is in focus; one along it is not at its near end.
static void the_centre_is_in_focus(void **state)
{
    fixture *f = *state;
    const int32_t across = blur_of(f, (pli_camera){{0, 1.4f, 0}, {0, 0, 0}, {0, 0, -1}, 40.0f});
    const int32_t along = blur_of(f, (pli_camera){{0, 0.12f, 0.56f}, {0, 0, 0}, {0, 1, 0}, 60.0f});
    if (!(across <= 8 && along >= 24))
        fail_msg("the lens changes a sheet across the view by %d, one along it by %d", (int)across, (int)along);
}

static void keys_are_listed(void **state)
{
    fixture *f = *state;
    const pli_render_key keys[] = {{"Green, N (=1)", {0.02f, 0.6f, 0.02f}}, {"green too", {0.02f, 0.6f, 0.02f}}};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.keys = keys, frame.key_count = 1;
    draw(f, &frame, f->pixels);
    int32_t one = green_pixels(f->pixels);
    assert_in_range(one, 9 * 7, 11 * 9);
    frame.key_count = 2;
    draw(f, &frame, f->pixels);
    assert_int_equal(green_pixels(f->pixels), 2 * one);
}

static void colours_of_measures_are_those_of_the_legend(void **state)
{
    (void)state;
    const pli_vec3 low = pli_render_measure_colour(0.0f), high = pli_render_measure_colour(1.0f);
    assert_true(low.z > low.y && high.x > 3.0f * high.z); // From violet to yellow.
    const pli_vec3 below = pli_render_measure_colour(-3.0f), above = pli_render_measure_colour(2.0f);
    assert_memory_equal(&low, &below, sizeof low);
    assert_memory_equal(&high, &above, sizeof high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_make_outlines_smooth),
        cmocka_unit_test(a_picture_goes_on_getting_better),
        cmocka_unit_test(the_border_is_as_bright_as_what_is_beside_it),
        cmocka_unit_test(a_renderer_takes_another_size),
        cmocka_unit_test(a_host_lends_its_context),
        cmocka_unit_test(without_a_context_there_is_nothing_to_take),
        cmocka_unit_test(what_faces_the_eye_is_lit),
        cmocka_unit_test(shadows_are_softer_further_away),
        cmocka_unit_test(what_is_near_darkens_the_ground),
        cmocka_unit_test(faces_have_colours_of_their_own),
        cmocka_unit_test(patterns_have_their_size),
        cmocka_unit_test(images_lie_on_surfaces),
        cmocka_unit_test(images_blend_far_away),
        cmocka_unit_test(one_sees_through_what_is_transparent),
        cmocka_unit_test(lines_are_seen_and_faint_behind_things),
        cmocka_unit_test(the_centre_is_in_focus),
        cmocka_unit_test(keys_are_listed),
        cmocka_unit_test(colours_of_measures_are_those_of_the_legend),
    };
    return cmocka_run_group_tests_name("looks", tests, set_up, tear_down);
}
