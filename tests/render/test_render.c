// Pictures and video: facts that can be read off the pixels, and files read back by their libraries.
#include <pliant/pliant.h>
#include <pliant/render.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <png.h>

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 120 };

typedef struct fixture {
    pli_renderer *renderer;
    pli_mesh *sheet;
    uint8_t pixels[4 * WIDTH * HEIGHT], other[4 * WIDTH * HEIGHT];
} fixture;

static const pli_vec3 red = {0.6f, 0.02f, 0.02f}, blue = {0.02f, 0.02f, 0.6f};

static int set_up(void **state)
{
    pli_error error;
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (pli_renderer_create(WIDTH, HEIGHT, 4, &f->renderer, &error) != PLI_STATUS_OK) {
        print_error("%s\n", error.message);
        return 1;
    }
    return pli_mesh_create_grid(3, 3, 1.0f, 1.0f, PLI_GRID_QUADS, &f->sheet, &error) != PLI_STATUS_OK;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    pli_renderer_destroy(f->renderer);
    pli_mesh_destroy(f->sheet);
    free(f);
    return 0;
}

static pli_view rest_of(const pli_mesh *mesh)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    return (pli_view){topology->positions, topology->vertex_count, 12};
}

static pli_render_mesh sheet_of(const fixture *f)
{
    return (pli_render_mesh){.mesh = f->sheet, .positions = rest_of(f->sheet), .front = red, .back = blue};
}

static pli_render_frame frame_from(pli_vec3 eye)
{
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = (pli_camera){eye, {0, 0, 0}, {0, 0, -1}, 40.0f};
    frame.ground = false;
    return frame;
}

static void draw(fixture *f, const pli_render_frame *frame, uint8_t *pixels)
{
    pli_error error = {0};
    if (pli_renderer_draw(f->renderer, frame, pixels, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
}

static const uint8_t *pixel(const uint8_t *pixels, int x, int y) { return pixels + 4 * (y * WIDTH + x); }

static int brightness(const uint8_t *p) { return p[0] + p[1] + p[2]; }

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
    // The lower half is the background itself: 0.2 and 0.5 linear are 124 and 188 in sRGB.
    const uint8_t *p = pixel(f->pixels, 3, HEIGHT - 4);
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
    pli_render_mesh mesh = sheet_of(f);
    mesh.positions.count = 4;
    pli_render_frame frame = frame_from((pli_vec3){0, 2, 0});
    frame.meshes = &mesh;
    frame.mesh_count = 1;
    assert_int_equal(pli_renderer_draw(f->renderer, &frame, f->pixels, &error), PLI_STATUS_INVALID_ARGUMENT);
    frame.mesh_count = 0;
    frame.camera.field_of_view = 0.0f;
    assert_int_equal(pli_renderer_draw(f->renderer, &frame, f->pixels, &error), PLI_STATUS_INVALID_ARGUMENT);
}

static void the_fitted_camera_sees_the_whole_box(void **state)
{
    (void)state;
    const pli_vec3 low = {-1, 0, -2}, high = {3, 1, 2};
    pli_camera c = pli_camera_fit(low, high, (pli_vec3){0, 1, 0}, 1.5f);
    float forward[3] = {c.target.x - c.eye.x, c.target.y - c.eye.y, c.target.z - c.eye.z};
    float length = sqrtf(forward[0] * forward[0] + forward[1] * forward[1] + forward[2] * forward[2]);
    for (int corner = 0; corner < 8; corner++) {
        float d[3] = {(corner & 1 ? high.x : low.x) - c.eye.x, (corner & 2 ? high.y : low.y) - c.eye.y,
                      (corner & 4 ? high.z : low.z) - c.eye.z};
        float along = (d[0] * forward[0] + d[1] * forward[1] + d[2] * forward[2]) / length;
        float across = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - along * along);
        assert_true(along > 0.0f && across / along <= tanf(0.5f * c.field_of_view * 0.0174532925f) * 1.01f);
    }
}

static void png_files_read_back_equal(void **state)
{
    fixture *f = *state;
    pli_error error;
    for (size_t i = 0; i < sizeof f->pixels; i++)
        f->pixels[i] = (uint8_t)(i * 7 + i / 640);
    assert_int_equal(pli_image_write_png("test_render.png", f->pixels, WIDTH, HEIGHT, &error), PLI_STATUS_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, "test_render.png"));
    assert_int_equal(image.width, WIDTH);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, f->other, 0, NULL));
    assert_memory_equal(f->pixels, f->other, sizeof f->pixels);
    unlink("test_render.png");
    assert_int_equal(pli_image_write_png("no/such/folder.png", f->pixels, WIDTH, HEIGHT, &error), PLI_STATUS_FILE);
}

static int count_frames(const char *path, int *width, int *height)
{
    AVFormatContext *file = NULL;
    int count = 0;
    if (avformat_open_input(&file, path, NULL, NULL) < 0)
        return -1;
    avformat_find_stream_info(file, NULL);
    *width = file->streams[0]->codecpar->width;
    *height = file->streams[0]->codecpar->height;
    AVPacket *packet = av_packet_alloc();
    for (; av_read_frame(file, packet) >= 0; av_packet_unref(packet))
        count++;
    av_packet_free(&packet);
    avformat_close_input(&file);
    return count;
}

static void videos_have_their_frames(void **state)
{
    fixture *f = *state;
    const char *const paths[] = {"test_render.mp4", "test_render.webm"};
    for (int i = 0; i < 2; i++) {
        pli_video *video;
        pli_error error = {0};
        if (pli_video_open(paths[i], WIDTH - 1, HEIGHT, 30.0, &video, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
        for (int k = 0; k < 12; k++)
            assert_int_equal(pli_video_add(video, f->pixels, &error), PLI_STATUS_OK);
        assert_int_equal(pli_video_close(video, &error), PLI_STATUS_OK);
        int width, height;
        assert_int_equal(count_frames(paths[i], &width, &height), 12);
        assert_int_equal(width, WIDTH);
        assert_int_equal(height, HEIGHT);
        unlink(paths[i]);
    }
}

static void a_video_without_frames_leaves_no_file(void **state)
{
    (void)state;
    pli_video *video;
    pli_error error;
    assert_int_equal(pli_video_open("empty.mp4", 64, 64, 30.0, &video, &error), PLI_STATUS_OK);
    assert_int_equal(pli_video_close(video, &error), PLI_STATUS_OK);
    assert_int_equal(access("empty.mp4", F_OK), -1);
    assert_int_equal(pli_video_open("movie.avi", 64, 64, 30.0, &video, &error), PLI_STATUS_UNSUPPORTED);
    assert_int_equal(pli_video_open("movie.mp4", 64, 64, 0.0, &video, &error), PLI_STATUS_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_has_its_colour),
        cmocka_unit_test(the_sky_shows_beside),
        cmocka_unit_test(nearer_things_hide_farther_ones),
        cmocka_unit_test(things_cast_shadows_on_the_ground),
        cmocka_unit_test(edges_are_those_of_faces),
        cmocka_unit_test(the_legend_has_both_ends_of_the_map),
        cmocka_unit_test(the_same_frame_gives_the_same_pixels),
        cmocka_unit_test(a_renderer_outlives_others),
        cmocka_unit_test(another_thread_is_refused),
        cmocka_unit_test(wrong_frames_and_sizes_are_refused),
        cmocka_unit_test(the_fitted_camera_sees_the_whole_box),
        cmocka_unit_test(png_files_read_back_equal),
        cmocka_unit_test(videos_have_their_frames),
        cmocka_unit_test(a_video_without_frames_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
