// Motion blur: how far, in which direction, and that what does not move stays as it is in every bit.
#include "pictures.h"

enum { SAMPLES = 16, VERTICES = 9 };

// The sheet, moved along x from `before` to `now` [m], seen from above.
typedef struct sliding {
    float now[3 * VERTICES], before[3 * VERTICES];
    pli_render_mesh mesh;
    pli_view previous;
    pli_render_frame frame;
} sliding;

static pli_view moved(const fixture *f, float *to, float x)
{
    const pli_view rest = rest_of(f->sheet);
    for (int32_t v = 0; v < VERTICES; v++) {
        memcpy(to + 3 * v, pli_view_at(rest, v), 3 * sizeof *to);
        to[3 * v] += x;
    }
    return (pli_view){to, VERTICES, 3 * sizeof *to};
}

static void slide(const fixture *f, sliding *s, float before, float now, float shutter)
{
    s->mesh = sheet_of(f);
    s->mesh.positions = moved(f, s->now, now);
    s->previous = moved(f, s->before, before);
    s->frame = frame_from((pli_vec3){0, 2, 0});
    s->frame.meshes = &s->mesh, s->frame.mesh_count = 1;
    s->frame.previous_positions = &s->previous;
    s->frame.shutter = shutter;
}

static int set_up_samples(void **state)
{
    return set_up(state) || pli_renderer_resize(((fixture *)*state)->renderer, WIDTH, HEIGHT, SAMPLES, NULL);
}

static int difference(const fixture *f, int x, int y)
{
    return abs(pixel(f->pixels, x, y)[1] - pixel(f->other, x, y)[1]);
}

// Pixels of a row or a column through the middle that are not as in the other picture.
static int changed(const fixture *f, bool row)
{
    int count = 0;
    for (int i = 0; i < (row ? WIDTH : HEIGHT); i++)
        count += (row ? difference(f, i, HEIGHT / 2) : difference(f, WIDTH / 2, i)) > 5;
    return count;
}

static void a_sliding_sheet_is_blurred_along_its_path(void **state)
{
    fixture *f = *state;
    const float path = 0.3f, metre = (float)HEIGHT / (4.0f * tanf(20.0f * 0.0174532925f));
    sliding s;
    slide(f, &s, -0.5f * path, 0.5f * path, 0.0f);
    draw(f, &s.frame, f->other);
    for (float shutter = 0.5f; shutter <= 1.0f; shutter += 0.5f) {
        s.frame.shutter = shutter;
        draw(f, &s.frame, f->pixels);
        // Each of two edges is blurred over its path while the shutter is open, and the others are sharp.
        const float wanted = 2.0f * shutter * path * metre;
        if (fabsf((float)changed(f, true) - wanted) > 4.0f)
            fail_msg("shutter %g: %d pixels are blurred, not %g", (double)shutter, changed(f, true), (double)wanted);
        assert_int_equal(changed(f, false), 0);
        // The sheet ends where it is now, and the blur lies behind it.
        const int edge = WIDTH / 2 + (int)((0.5f + 0.5f * path) * metre), blur = (int)(shutter * path * metre);
        assert_in_range(difference(f, edge + 3, HEIGHT / 2), 0, 2);
        assert_in_range(difference(f, edge - blur - 3, HEIGHT / 2), 0, 2);
        assert_true(difference(f, edge - 3, HEIGHT / 2) > difference(f, edge - blur / 2, HEIGHT / 2) + 10);
        assert_true(difference(f, edge - blur / 2, HEIGHT / 2) > difference(f, edge - blur + 3, HEIGHT / 2) + 10);
    }
}

static void what_does_not_move_is_the_same_in_every_bit(void **state)
{
    fixture *f = *state;
    sliding s;
    slide(f, &s, 0.15f, 0.15f, 0.5f);
    s.frame.previous_camera = &s.frame.camera;
    draw(f, &s.frame, f->pixels);
    s.frame.previous_positions = NULL, s.frame.previous_camera = NULL, s.frame.shutter = 0.0f;
    draw(f, &s.frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
}

// Nor is anything blurred when the shutter does not open, or with few samples.
static void sharp_pictures_ignore_the_previous_frame(void **state)
{
    fixture *f = *state;
    const int32_t samples[] = {SAMPLES, 4};
    const float shutters[] = {0.0f, 1.0f};
    for (int i = 0; i < 2; i++) {
        sliding s;
        assert_int_equal(pli_renderer_resize(f->renderer, WIDTH, HEIGHT, samples[i], NULL), PLI_STATUS_OK);
        slide(f, &s, -0.15f, 0.15f, shutters[i]);
        draw(f, &s.frame, f->pixels);
        s.frame.previous_positions = NULL;
        draw(f, &s.frame, f->other);
        assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    }
}

static void shapes_and_cameras_move_too(void **state)
{
    fixture *f = *state;
    pli_render_shape box = {.collider = pli_collider_def_default(), .colour = red};
    box.collider.shape = PLI_SHAPE_BOX;
    box.collider.half_extents = (pli_vec3){0.5f, 0.05f, 0.5f};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.shapes = &box, frame.shape_count = 1;
    draw(f, &frame, f->other);
    pli_transform pose = box.collider.pose;
    pose.position.x = -0.2f;
    frame.previous_poses = &pose, frame.shutter = 1.0f;
    draw(f, &frame, f->pixels);
    assert_in_range(changed(f, true), 24, 44); // 2 x 17 pixels.
    assert_in_range(changed(f, false), 0, 2);
    pli_camera camera = frame.camera;
    camera.eye.z += 0.2f, camera.target.z += 0.2f;
    frame.previous_poses = NULL, frame.previous_camera = &camera;
    draw(f, &frame, f->pixels);
    assert_in_range(changed(f, true), 0, 2);
    assert_in_range(changed(f, false), 24, 44);
}

// A bar that has turned by 45 degrees covers two sectors, whatever the signs of its quaternions.
static void a_turn_takes_the_shorter_path(void **state)
{
    fixture *f = *state;
    pli_render_shape bar = {.collider = pli_collider_def_default(), .colour = red};
    bar.collider.shape = PLI_SHAPE_BOX;
    bar.collider.half_extents = (pli_vec3){0.6f, 0.05f, 0.03f};
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.shapes = &bar, frame.shape_count = 1, frame.shutter = 1.0f;
    const float half = 0.25f * 0.785398163f;
    // The negative of a quaternion is the same rotation.
    pli_transform pose = {{0, 0, 0}, {0, -sinf(half), 0, -cosf(half)}};
    frame.previous_poses = &pose;
    draw(f, &frame, f->pixels);
    pose.rotation = (pli_quat){0, sinf(half), 0, cosf(half)};
    draw(f, &frame, f->other);
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    frame.previous_poses = NULL;
    draw(f, &frame, f->other);
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        count += abs(f->pixels[4 * i + 1] - f->other[4 * i + 1]) > 5;
    assert_in_range(count, 200, 4000); // Two sectors of 22.5 degrees, not the whole disc of 7700 pixels.
}

static void wrong_previous_frames_are_refused(void **state)
{
    fixture *f = *state;
    pli_error error;
    sliding s;
    slide(f, &s, 0.0f, 0.1f, 1.5f);
    assert_int_equal(pli_renderer_draw(f->renderer, &s.frame, f->pixels, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "shutter is 1.5"));
    slide(f, &s, 0.0f, 0.1f, 0.5f);
    s.previous.count = 4;
    assert_int_equal(pli_renderer_draw(f->renderer, &s.frame, f->pixels, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "mesh 0 of the frame has 4 previous positions for 9 vertices"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sliding_sheet_is_blurred_along_its_path, set_up_samples, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_move_is_the_same_in_every_bit, set_up_samples, tear_down),
        cmocka_unit_test_setup_teardown(sharp_pictures_ignore_the_previous_frame, set_up_samples, tear_down),
        cmocka_unit_test_setup_teardown(shapes_and_cameras_move_too, set_up_samples, tear_down),
        cmocka_unit_test_setup_teardown(a_turn_takes_the_shorter_path, set_up_samples, tear_down),
        cmocka_unit_test_setup_teardown(wrong_previous_frames_are_refused, set_up_samples, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
