// Finds the nearest triangle of a deformable on a ray.
#include "mesh/ray_triangle.h"
#include "model/origin.h"
#include "pliant/contact.h"
#include "particles/publish.h"

// Returns the vector area of a polygon. It is the same about any point; the first corner is used to reduce cancellation.
static pli_dvec3 area_of(const pli_particle *at, const int32_t *vertices, int32_t count)
{
    pli_dvec3 sum = {0, 0, 0}, first = pli_widened_position(&at[vertices[0]]);
    for (int32_t k = 1; k + 1 < count; k++)
        sum = pli_dadd(sum, pli_dcross(pli_dsub(pli_widened_position(&at[vertices[k]]), first),
                                       pli_dsub(pli_widened_position(&at[vertices[k + 1]]), first)));
    return sum;
}

static pli_vec3 face_normal(const pli_faces *shape, const pli_particle *at, int32_t triangle)
{
    int32_t face = shape->triangle_faces[triangle], begin = shape->face_offsets[face];
    pli_dvec3 area = area_of(at, shape->face_vertices + begin, shape->face_offsets[face + 1] - begin);
    // A polygon folded onto itself has no vector area, but the triangle that was hit has one.
    if (!(pli_dlength(area) > 0.0))
        area = area_of(at, shape->triangles + 3 * triangle, 3);
    double length = pli_dlength(area), scale = length > 0.0 ? 1.0 / length : 0.0;
    return (pli_vec3){(float)(area.x * scale), (float)(area.y * scale), (float)(area.z * scale)};
}

static const pli_particle *ray_vertices(const pli_deformable_data *deformable)
{
    return deformable->order ? deformable->view->particles : deformable->particles;
}

typedef struct ray_nearest {
    const pli_deformable_data *deformable;
    int32_t triangle;
    double weights[3], distance;
} ray_nearest;

// Among several hits at the same distance the first one is kept.
static void test_deformable(const pli_sheared_ray *r, const pli_deformable_data *deformable, ray_nearest *n)
{
    const pli_faces *shape = &deformable->shape;
    const pli_particle *at = ray_vertices(deformable);
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        ray_nearest here = {.deformable = deformable, .triangle = t};
        pli_sheared_vertex corners[3];
        for (int32_t k = 0; k < 3; k++)
            corners[k] = pli_ray_shear_point(r, &at[shape->triangles[3 * t + k]].x);
        if (pli_ray_meets(r, corners, here.weights, &here.distance) && here.distance < n->distance)
            *n = here;
    }
}

static void fill_hit(const pli_world *world, const ray_nearest *n, pli_ray_hit *hit)
{
    const pli_faces *shape = &n->deformable->shape;
    const pli_particle *at = ray_vertices(n->deformable);
    pli_dvec3 position = {0, 0, 0};
    *hit = (pli_ray_hit){.deformable = {n->deformable->id, world->tag},
                         .face = shape->triangle_faces[n->triangle],
                         .distance = (float)n->distance,
                         .normal = face_normal(shape, at, n->triangle)};
    for (int32_t k = 0; k < 3; k++) {
        hit->vertices[k] = shape->triangles[3 * n->triangle + k];
        hit->weights[k] = (float)n->weights[k];
        position = pli_dadd(position, pli_dscale(pli_widened_position(&at[hit->vertices[k]]), n->weights[k]));
    }
    hit->position = pli_rounded(pli_dadd(position, world->origin));
}

bool pli_world_ray(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach, uint32_t mask,
                   pli_ray_hit *hit)
{
    pli_sheared_ray r;
    if (!world || !hit || !(reach >= 0.0f) || !pli_ray_shear(pli_local_point(world, origin), direction, &r))
        return false;
    // A hit at exactly `reach` counts.
    ray_nearest n = {.distance = nextafter((double)reach, HUGE_VAL)};
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->def.layers & mask)
            test_deformable(&r, deformable, &n);
    }
    pli_ray_hit found;
    if (n.deformable) {
        fill_hit(world, &n, &found);
        *hit = found;
    }
    return n.deformable != NULL;
}
