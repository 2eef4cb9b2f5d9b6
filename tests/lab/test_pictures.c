// Pictures of experiments: cameras that cut nothing off and waste no room, palettes that change colours little.
#include <base/lab_camera.h>
#include <base/lab_palette.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 200, VIEWS = 3 };

static uint32_t state = 1;

static float random_unit(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / (float)(1 << 23) - 1.0f;
}

// Clouds of different sizes, stretched and off the origin.
static void make_clouds(float points[VIEWS][3 * POINTS], pli_view views[VIEWS])
{
    for (int v = 0; v < VIEWS; v++) {
        const float size[3] = {expf(2.0f * random_unit()), expf(2.0f * random_unit()), expf(2.0f * random_unit())};
        const float place[3] = {5.0f * random_unit(), 5.0f * random_unit(), 5.0f * random_unit()};
        for (int i = 0; i < 3 * POINTS; i++)
            points[v][i] = place[i % 3] + size[i % 3] * random_unit();
        views[v] = (pli_view){points[v], POINTS, 12};
    }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    double length = sqrt(dot(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

// The largest |x| and |y| of the views' points on a picture whose edges are at 1, by the pinhole camera.
static void reach_of(const pli_view *views, int count, const pli_camera *c, double aspect, double reach[2])
{
    double back[3], right[3], top[3];
    const double up[3] = {(double)c->up.x, (double)c->up.y, (double)c->up.z};
    const double eye[3] = {(double)c->eye.x, (double)c->eye.y, (double)c->eye.z};
    const double target[3] = {(double)c->target.x, (double)c->target.y, (double)c->target.z};
    for (int k = 0; k < 3; k++)
        back[k] = eye[k] - target[k];
    double distance = sqrt(dot(back, back));
    for (int k = 0; k < 3; k++)
        back[k] /= distance;
    cross(up, back, right);
    cross(back, right, top);
    double slope = tan((double)c->field_of_view * 0.00872664626);
    reach[0] = reach[1] = 0.0;
    for (int v = 0; v < count; v++)
        for (int i = 0; i < views[v].count; i++) {
            const float *p = pli_view_at(views[v], i);
            const double d[3] = {(double)p[0] - eye[0], (double)p[1] - eye[1], (double)p[2] - eye[2]};
            assert_true(dot(d, back) < 0.0);
            reach[0] = fmax(reach[0], fabs(dot(d, right)) / (-dot(d, back) * slope * aspect));
            reach[1] = fmax(reach[1], fabs(dot(d, top)) / (-dot(d, back) * slope));
        }
}

static void cameras_show_everything_and_fill_the_picture(void **unused)
{
    (void)unused;
    static float points[VIEWS][3 * POINTS];
    pli_view views[VIEWS];
    for (int trial = 0; trial < 200; trial++) {
        make_clouds(points, views);
        lab_lens lens = {
            {random_unit(), 0.8f * random_unit(), 1.0f}, {0, 1, 0}, 20.0f + 30.0f * fabsf(random_unit()), 1.5f};
        double reach[2];
        pli_camera camera = lab_camera_fit(views, VIEWS, &lens);
        reach_of(views, VIEWS, &camera, 1.5, reach);
        if (!(reach[0] < 0.97 && reach[1] < 0.97 && fmax(reach[0], reach[1]) > 0.9))
            fail_msg("trial %d: the points reach %g and %g of the picture's half sizes", trial, reach[0], reach[1]);
    }
}

static void the_aspect_fills_both_directions(void **unused)
{
    (void)unused;
    static float points[VIEWS][3 * POINTS];
    pli_view views[VIEWS];
    for (int trial = 0; trial < 200; trial++) {
        make_clouds(points, views);
        lab_lens lens = {{0.5f, 0.4f, 0.9f}, {0, 1, 0}, 35.0f, 1.0f};
        double reach[2];
        lens.aspect = lab_camera_aspect(views, 1, lens, 0.01f, 100.0f);
        pli_camera camera = lab_camera_fit(views, 1, &lens);
        reach_of(views, 1, &camera, (double)lens.aspect, reach);
        if (!(fmin(reach[0], reach[1]) > 0.9))
            fail_msg("trial %d: the points reach %g and %g of the picture's half sizes", trial, reach[0], reach[1]);
    }
}

static void a_camera_that_retreats_still_shows_everything(void **unused)
{
    (void)unused;
    static float points[VIEWS][3 * POINTS];
    pli_view views[VIEWS];
    for (int trial = 0; trial < 50; trial++) {
        make_clouds(points, views);
        lab_lens lens = {{0.5f, 0.4f, 0.9f}, {0, 1, 0}, 35.0f, 1.3f};
        double reach[2];
        pli_camera camera = lab_camera_fit(views, 1, &lens);
        float further = 1.7f * lab_camera_distance(views, 1, &camera);
        lab_camera_retreat(views, 1, further, &camera);
        assert_float_equal(lab_camera_distance(views, 1, &camera), further, 1e-4f * further);
        reach_of(views, 1, &camera, 1.3, reach);
        assert_true(reach[0] < 0.9 && reach[1] < 0.9);
    }
}

static void a_palette_has_256_colours_near_those_of_the_picture(void **unused)
{
    (void)unused;
    enum { SIDE = 256 };
    uint8_t *pixels = malloc(4 * SIDE * SIDE), *before = malloc(4 * SIDE * SIDE), *used = calloc(1 << 24, 1);
    assert_true(pixels && before && used);
    // A sky and two shaded materials, as pictures have them.
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE, kind = (x / 64 + y / 64) % 3;
        uint8_t colours[3][4] = {{(uint8_t)(170 + y / 5), (uint8_t)(190 + y / 6), (uint8_t)(220 + y / 9), 255},
                                 {(uint8_t)(x / 4), (uint8_t)(x / 2), (uint8_t)x, 255},
                                 {(uint8_t)(255 - y), (uint8_t)(200 - y / 2), (uint8_t)(90 - y / 4), 255}};
        memcpy(&pixels[4 * i], colours[kind], 4);
    }
    memcpy(before, pixels, 4 * SIDE * SIDE);
    lab_palette_apply(pixels, SIDE * SIDE);
    int colours = 0, worst = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        uint8_t *place = &used[pixels[4 * i] << 16 | pixels[4 * i + 1] << 8 | pixels[4 * i + 2]];
        colours += !*place;
        *place = 1;
        for (int k = 0; k < 4; k++)
            worst = abs(pixels[4 * i + k] - before[4 * i + k]) > worst ? abs(pixels[4 * i + k] - before[4 * i + k])
                                                                       : worst;
    }
    assert_in_range(colours, 100, LAB_PALETTE_MAX);
    assert_in_range(worst, 0, 6);
    free(pixels);
    free(before);
    free(used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_show_everything_and_fill_the_picture),
        cmocka_unit_test(the_aspect_fills_both_directions),
        cmocka_unit_test(a_camera_that_retreats_still_shows_everything),
        cmocka_unit_test(a_palette_has_256_colours_near_those_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
