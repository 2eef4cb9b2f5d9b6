// Shared by the tests of pictures: a small renderer, a sheet of four squares, and what is read off the pixels.
#ifndef PLIANT_TESTS_PICTURES_H
#define PLIANT_TESTS_PICTURES_H

#include <pliant/pliant.h>
#include <pliant/render.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNUSED __attribute__((unused))

enum { WIDTH = 160, HEIGHT = 120 };

typedef struct fixture {
    pli_renderer *renderer;
    pli_mesh *sheet;
    uint8_t pixels[4 * WIDTH * HEIGHT], other[4 * WIDTH * HEIGHT];
} fixture;

static UNUSED const pli_vec3 red = {0.6f, 0.02f, 0.02f}, blue = {0.02f, 0.02f, 0.6f};

static UNUSED int set_up(void **state)
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

static UNUSED int tear_down(void **state)
{
    fixture *f = *state;
    pli_renderer_destroy(f->renderer);
    pli_mesh_destroy(f->sheet);
    free(f);
    return 0;
}

static UNUSED pli_view rest_of(const pli_mesh *mesh)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    return (pli_view){topology->positions, topology->vertex_count, 12};
}

static UNUSED pli_render_mesh sheet_of(const fixture *f)
{
    return (pli_render_mesh){.mesh = f->sheet, .positions = rest_of(f->sheet), .front = red, .back = blue};
}

static UNUSED pli_render_frame frame_from(pli_vec3 eye)
{
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = (pli_camera){eye, {0, 0, 0}, {0, 0, -1}, 40.0f};
    frame.ground = false;
    return frame;
}

static UNUSED void draw(const fixture *f, const pli_render_frame *frame, uint8_t *pixels)
{
    pli_error error = {0};
    if (pli_renderer_draw(f->renderer, frame, pixels, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
}

static UNUSED const uint8_t *pixel(const uint8_t *pixels, int x, int y) { return pixels + 4 * (y * WIDTH + x); }

static UNUSED int brightness(const uint8_t *p) { return p[0] + p[1] + p[2]; }

enum { RED = 1, GREEN, BLUE };

// The component of a pixel's colour that is far above the others; 0 for none.
static UNUSED int colour_of(const uint8_t *p)
{
    for (int k = 0; k < 3; k++)
        if (p[k] > p[(k + 1) % 3] + 50 && p[k] > p[(k + 2) % 3] + 50)
            return k + 1;
    return 0;
}

static UNUSED int32_t count_of(const fixture *f, int colour)
{
    int32_t count = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        count += colour_of(f->pixels + 4 * i) == colour;
    return count;
}

// Marks the edges of the sheet's triangles that run along x = 0 as seams.
static UNUSED void mark_middle(const pli_topology *t, uint8_t *edges)
{
    for (int32_t k = 0; k < 3 * t->triangle_count; k++) {
        const int32_t next = k % 3 == 2 ? k - 2 : k + 1;
        const float a = t->positions[3 * t->triangles[k]], b = t->positions[3 * t->triangles[next]];
        edges[k] = fabsf(a) + fabsf(b) < 1e-6f ? PLI_RENDER_SEAM : 0;
    }
}

#endif
