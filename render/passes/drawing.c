// Loads a frame into buffers, and places camera and light. The camera of each sub-frame is moved within a pixel, and the light over
// its disc, by the sequence of Halton (1960), so that their mean has smooth edges and soft shadows.
#include "passes/drawing.h"

#include "passes/marks.h"
#include "passes/shell.h"

#include <stdlib.h>
#include <string.h>

// From this number of samples, the light moves over its disc; with fewer samples, each sub-frame has soft shadows of its own.
enum { MOVING_LIGHT = 8 };

bool pli_light_moves(int32_t samples) { return samples >= MOVING_LIGHT; }

// Tangent of the half angle under which the light is seen: about ten suns across, a window rather than the sun.
static const float light_size = 0.05f;

/* ---- bounds ------------------------------------------------------------------------------------- */

typedef struct box {
    pli_vec3 low, high;
} box;

static void include(box *b, pli_vec3 p)
{
    b->low = (pli_vec3){fminf(b->low.x, p.x), fminf(b->low.y, p.y), fminf(b->low.z, p.z)};
    b->high = (pli_vec3){fmaxf(b->high.x, p.x), fmaxf(b->high.y, p.y), fmaxf(b->high.z, p.z)};
}

static bool is_drawn(const pli_render_shape *shape)
{
    const pli_collider_def *c = &shape->collider;
    return pli_shape_check(c, NULL) == PLI_STATUS_OK && pli_shape_at((int32_t)c->shape)->bounded &&
           shape->transparency < 1.0f;
}

static box bounds_of(const pli_render_frame *frame)
{
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < frame->mesh_count; i++) {
        for (int32_t v = 0; v < frame->meshes[i].positions.count; v++) {
            const float *p = pli_view_at(frame->meshes[i].positions, v);
            include(&b, (pli_vec3){p[0], p[1], p[2]});
        }
    }
    for (int32_t i = 0; i < frame->shape_count; i++) {
        const pli_collider_def *c = &frame->shapes[i].collider;
        if (!is_drawn(&frame->shapes[i]))
            continue;
        float reach = pli_shape_reach(c);
        include(&b, pli_sub(c->pose.position, (pli_vec3){reach, reach, reach}));
        include(&b, pli_add(c->pose.position, (pli_vec3){reach, reach, reach}));
    }
    if (!(b.low.x <= b.high.x) || !isfinite(b.low.x + b.low.y + b.low.z + b.high.x + b.high.y + b.high.z))
        b = (box){{-1, -1, -1}, {1, 1, 1}};
    return b;
}

// The light comes from the left of the camera, so that shadows fall to the right.
static pli_vec3 light_direction(const pli_drawing *d)
{
    const pli_camera *c = &d->frame->camera;
    pli_vec3 look = pli_sub(c->eye, c->target), left = pli_cross(vec_unit(look), d->up);
    pli_vec3 side = vec_across(d->up), front = pli_cross(side, d->up);
    if (pli_dot(left, left) > 1e-6f)
        return vec_unit(pli_add(pli_add(d->up, pli_scale(vec_unit(left), 0.72f)), pli_scale(vec_unit(look), 0.5f)));
    return vec_unit(pli_add(pli_add(d->up, pli_scale(side, 0.35f)), pli_scale(front, -0.18f)));
}

static void place_all(pli_drawing *d)
{
    box b = bounds_of(d->frame);
    pli_vec3 size = pli_sub(b.high, b.low);
    d->up = vec_unit(d->frame->up);
    d->centre = pli_scale(pli_add(b.low, b.high), 0.5f);
    d->radius = fmaxf(0.5f * sqrtf(pli_dot(size, size)), 1e-4f);
    d->to_light = light_direction(d);
    pli_vec3 to_eye = pli_sub(d->frame->camera.eye, d->centre);
    d->ground_radius = 6.0f * d->radius + sqrtf(pli_dot(to_eye, to_eye));
}

/* ---- geometry ----------------------------------------------------------------------------------- */

static float distance_of(const pli_drawing *d, int32_t shape)
{
    pli_vec3 to_eye = pli_sub(d->frame->camera.eye, d->frame->shapes[shape].collider.pose.position);
    return pli_dot(to_eye, to_eye);
}

// Few shapes are transparent, so insertion sort suffices.
static void order_shapes(pli_drawing *d)
{
    int32_t count = 0;
    for (int32_t i = 0; i < d->frame->shape_count; i++)
        if (!(d->frame->shapes[i].transparency > 0.0f))
            d->order[count++] = i;
    d->opaque_shape_count = count;
    for (int32_t i = 0; i < d->frame->shape_count; i++) {
        if (!(d->frame->shapes[i].transparency > 0.0f))
            continue;
        int32_t at = count++;
        for (; at > d->opaque_shape_count && distance_of(d, d->order[at - 1]) < distance_of(d, i); at--)
            d->order[at] = d->order[at - 1];
        d->order[at] = i;
    }
}

// Whether a thickness is visible at the centre of the scene: the rim of a thinner one would be a row of dots.
static bool is_seen(const pli_drawing *d, float thickness)
{
    static const float pixels_least = 1.5f;
    const pli_camera *c = &d->frame->camera;
    const pli_vec3 to_eye = pli_sub(c->eye, d->centre);
    const float height = 2.0f * tanf(c->field_of_view * 0.00872664626f) * sqrtf(pli_dot(to_eye, to_eye));
    return thickness * (float)d->targets->height > pixels_least * height;
}

// A thick mesh is drawn twice, with a rim between its sides.
static bool load_mesh(pli_drawing *d, int32_t i, const pli_render_image *image, pli_geometry_cache *cache,
                      int64_t number)
{
    const pli_render_mesh *mesh = &d->frame->meshes[i];
    const pli_render_detail *detail = &d->details[i];
    const pli_render_image *lies = image ? image : detail->back_image;
    const bool banded = detail->hem > 0.0f || detail->seam > 0.0f;
    const bool thick = is_seen(d, detail->thickness);
    pli_geometry_over over = {lies ? lies->coordinates : NULL, detail->back_colours,
                              thick ? 0.5f * detail->thickness : 0.0f};
    pli_geometry *upper = pli_geometry_cache_get(cache, mesh, &over, lies || banded, number), *lower = NULL;
    d->meshes[i].surface = upper;
    if (!upper || (banded && !pli_geometry_band(upper, detail)))
        return false;
    if (!thick)
        return true;
    over.offset = -over.offset;
    d->meshes[i].lower = lower = pli_geometry_cache_get(cache, mesh, &over, lies || banded, number);
    return lower && (!banded || pli_geometry_band(lower, detail)) &&
           pli_shell_rim(&d->meshes[i].rim, mesh, upper, detail->thickness);
}

// The meshes, with the last image on each.
static bool load_meshes(pli_drawing *d, pli_geometry_cache *cache, pli_image_cache *images, int64_t number)
{
    const pli_render_frame *f = d->frame;
    const pli_render_image **on = calloc((size_t)f->mesh_count + 1, sizeof *on);
    bool complete = on != NULL;
    for (int32_t i = 0; complete && i < f->image_count; i++)
        on[f->images[i].mesh] = &f->images[i];
    for (int32_t i = 0; complete && i < f->mesh_count; i++) {
        const pli_render_image *behind = d->details[i].back_image;
        complete = load_mesh(d, i, on[i], cache, number) &&
                   (!on[i] || pli_image_cache_get(images, on[i], number, &d->meshes[i].image)) &&
                   (!behind || pli_image_cache_get(images, behind, number, &d->meshes[i].back_image));
    }
    free(on);
    return complete;
}

bool pli_drawing_load(pli_drawing *d, pli_geometry_cache *cache, pli_image_cache *images, int64_t number)
{
    const pli_render_frame *f = d->frame;
    place_all(d);
    d->meshes = calloc((size_t)f->mesh_count + 1, sizeof *d->meshes);
    d->shapes = calloc((size_t)f->shape_count + 1, sizeof *d->shapes);
    d->order = calloc((size_t)f->shape_count + 1, sizeof *d->order);
    if (!d->meshes || !d->shapes || !d->order)
        return false;
    order_shapes(d);
    if (!load_meshes(d, cache, images, number))
        return false;
    for (int32_t i = 0; i < f->shape_count; i++)
        if (is_drawn(&f->shapes[i]) && !pli_geometry_shape(&d->shapes[i], &f->shapes[i].collider))
            return false;
    pli_vec3 foot = pli_add(d->centre, pli_scale(d->up, f->ground_height - pli_dot(d->up, d->centre)));
    if (f->ground && !pli_geometry_disc(&d->ground, foot, d->up, d->ground_radius))
        return false;
    return f->line_count == 0 || pli_marks_load(&d->marks, f->lines, f->line_count);
}

void pli_drawing_release(pli_drawing *d)
{
    for (int32_t i = 0; d->shapes && i < d->frame->shape_count; i++)
        if (d->shapes[i].array)
            pli_geometry_release(&d->shapes[i]);
    for (int32_t i = 0; d->meshes && i < d->frame->mesh_count; i++)
        if (d->meshes[i].rim.array)
            pli_geometry_release(&d->meshes[i].rim);
    if (d->ground.array)
        pli_geometry_release(&d->ground);
    if (d->marks.array)
        pli_geometry_release(&d->marks);
    free(d->meshes);
    free(d->shapes);
    free(d->order);
}

/* ---- camera and light --------------------------------------------------------------------------- */

// The radical inverse of a number, which Halton's sequence uses with a different base for each dimension.
static float halton(int32_t number, int32_t base)
{
    float value = 0.0f, digit = 1.0f;
    for (int32_t n = number; n > 0; n /= base) {
        digit /= (float)base;
        value += digit * (float)(n % base);
    }
    return value;
}

static void put(float to[4], pli_vec3 v, float last) { to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = last; }

static pli_vec3 row_of(const matrix *m, int row) { return (pli_vec3){m->m[row], m->m[4 + row], m->m[8 + row]}; }

// Rays give the position of a pixel of known depth. They are computed from the projection, since the inverse of its product with the
// view would lose digits.
static void put_rays(pli_frame_block *b, const matrix *view, const matrix *lens, float width, float height, float far)
{
    pli_vec3 x = pli_scale(row_of(view, 0), 2.0f / (width * lens->m[0]));
    pli_vec3 y = pli_scale(row_of(view, 1), 2.0f / (height * lens->m[5]));
    pli_vec3 first = pli_add(pli_scale(x, 0.5f + 0.5f * width * (lens->m[8] - 1.0f)),
                             pli_scale(y, 0.5f + 0.5f * height * (lens->m[9] - 1.0f)));
    put(b->ray_at, pli_sub(first, row_of(view, 2)), (lens->m[10] - 1.0f) / lens->m[14]);
    put(b->ray_x, x, 2.0f / lens->m[14]);
    put(b->ray_y, y, 1.0f / far);
}

// The radius of the lens over the distance that is in focus, where pictures have enough samples for it.
static const float lens_radius = 0.0025f;

// Where on the lens a sample looks from, across and upwards [m]. The plane through the centre of the objects is in focus.
static void place_on_lens(const pli_drawing *d, int32_t sample, int32_t samples, float focus, float offset[2])
{
    const float radius = sample > 0 && pli_light_moves(samples) ? lens_radius * focus * sqrtf(halton(sample, 13))
                                                                : 0.0f;
    const float angle = 6.28318531f * halton(sample, 17);
    offset[0] = d->frame->line_count > 0 ? 0.0f : radius * cosf(angle);
    offset[1] = d->frame->line_count > 0 ? 0.0f : radius * sinf(angle);
}

static void put_camera(pli_frame_block *b, const pli_drawing *d, int32_t sample, int32_t samples)
{
    const pli_camera *c = &d->frame->camera;
    const float width = (float)d->targets->width, height = (float)d->targets->height;
    pli_vec3 to_eye = pli_sub(c->eye, d->centre);
    float distance = sqrtf(pli_dot(to_eye, to_eye)), far = 2.0f * (distance + d->ground_radius);
    const matrix centred = matrix_look(c->eye, c->target, c->up);
    const pli_vec3 right = row_of(&centred, 0), top = row_of(&centred, 1), back = row_of(&centred, 2);
    const float focus = fmaxf(pli_dot(to_eye, back), 0.5f * distance);
    float offset[2];
    place_on_lens(d, sample, samples, focus, offset);
    const pli_vec3 shift = pli_add(pli_scale(right, offset[0]), pli_scale(top, offset[1]));
    const pli_vec3 eye = pli_add(c->eye, shift);
    matrix view = matrix_look(eye, pli_add(c->target, shift), c->up);
    matrix lens = matrix_perspective(c->field_of_view, width / height,
                                     fmaxf(far * 1e-4f, 0.05f * (distance - d->radius)), far);
    // Points in focus keep their place in the picture.
    lens.m[8] -= lens.m[0] * offset[0] / focus;
    lens.m[9] -= lens.m[5] * offset[1] / focus;
    if (sample > 0) {
        lens.m[8] += (2.0f * halton(sample, 2) - 1.0f) / width;
        lens.m[9] += (2.0f * halton(sample, 3) - 1.0f) / height;
    }
    b->camera = matrix_product(&lens, &view);
    put(b->eye, eye, 0.22f * d->radius);
    put_rays(b, &view, &lens, width, height, far);
}

static pli_vec3 light_of(const pli_drawing *d, int32_t sample, int32_t samples)
{
    if (sample == 0 || !pli_light_moves(samples))
        return d->to_light;
    pli_vec3 across = vec_across(d->to_light), along = pli_cross(d->to_light, across);
    float radius = light_size * sqrtf(halton(sample, 5)), angle = 6.28318531f * halton(sample, 7);
    return vec_unit(
        pli_add(d->to_light, pli_add(pli_scale(across, radius * cosf(angle)), pli_scale(along, radius * sinf(angle)))));
}

void pli_drawing_place(const pli_drawing *d, int32_t sample, int32_t samples)
{
    const pli_render_frame *f = d->frame;
    float width = (float)d->targets->width, height = (float)d->targets->height, reach = 1.02f * d->radius;
    pli_frame_block b = {0};
    put_camera(&b, d, sample, samples);
    pli_vec3 to_light = light_of(d, sample, samples);
    matrix view = matrix_look(pli_add(d->centre, pli_scale(to_light, 2.0f * reach)), d->centre, d->up);
    matrix lens = matrix_orthographic(reach, reach, reach, 3.0f * reach);
    b.light = matrix_product(&lens, &view);
    float facet = 2.0f * reach / PLI_SHADOW_SIZE;
    put(b.to_light, to_light, reach);
    put(b.up, d->up, f->ground_height);
    put(b.background, f->background, (float)f->floor);
    put(b.centre, d->centre, d->ground_radius);
    put(b.size, (pli_vec3){width, height, 1.0f / width}, 1.0f / height);
    // A moving light has only a small width at each of its positions.
    float softness = pli_light_moves(samples) ? 0.3f * light_size : light_size;
    put(b.range, (pli_vec3){f->legend_minimum, f->legend_maximum, softness}, 2.0f * reach);
    put(b.noise,
        (pli_vec3){halton(sample, 11), 1.5f * facet, 2.0f * tanf(f->camera.field_of_view * 0.00872664626f) / height},
        0.0f);
    glBindBuffer(GL_UNIFORM_BUFFER, d->frame_block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof b, &b, GL_STREAM_DRAW);
}
