// Boxes of deformables and of the space that colliders sweep. They depend only on the state before a step.
#include "step/extent.h"

#include "base/layers.h"
#include "model/handles.h"
#include "model/origin.h"
#include "shapes/shape.h"
#include "base/simd/four.h"

static void include(pli_extent *e, pli_dvec3 at)
{
    e->low = (pli_dvec3){fmin(e->low.x, at.x), fmin(e->low.y, at.y), fmin(e->low.z, at.z)};
    e->high = (pli_dvec3){fmax(e->high.x, at.x), fmax(e->high.y, at.y), fmax(e->high.z, at.z)};
}

static const pli_extent empty_extent = {.low = {INFINITY, INFINITY, INFINITY},
                                        .high = {-INFINITY, -INFINITY, -INFINITY}};

void pli_extent_widen(pli_extent *e, double by)
{
    const pli_dvec3 margin = {by, by, by};
    e->low = pli_dsub(e->low, margin), e->high = pli_dadd(e->high, margin);
}

float pli_deformable_fastest(const pli_deformable_data *deformable)
{
    float most = 0.0f;
    for (int32_t i = 0; i < deformable->count; i++) {
        const pli_vec3 v = pli_position_of(&deformable->velocities[i]);
        float square = pli_dot(v, v);
        most = square > most ? square : most;
    }
    return sqrtf(most);
}

pli_aabb pli_aabb_of(const pli_particle *particles, int32_t count)
{
    pli_four low = pli_four_set(INFINITY), high = pli_four_set(-INFINITY);
    for (int32_t i = 0; i < count; i++) {
        pli_four at = pli_four_of(&particles[i]);
        low = pli_four_lower(at, low), high = pli_four_higher(at, high);
    }
    return (pli_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

pli_extent pli_extent_of(const pli_world *world, const pli_deformable_data *deformable, float dt)
{
    // The box is computed in float within the world's frame: gcc 12 for ARM fails in the vectoriser if each position is widened.
    pli_aabb box = pli_aabb_of(deformable->particles, deformable->count);
    pli_extent e = {.low = pli_dadd(pli_widened(box.low), world->origin),
                    .high = pli_dadd(pli_widened(box.high), world->origin)};
    double fall = (double)pli_length(world->settings.gravity) * (double)dt * (double)dt;
    double path = dt > 0.0f ? (double)pli_deformable_fastest(deformable) * (double)dt + fall : 0.0;
    pli_extent_widen(&e, (double)deformable->thickness + path);
    e.layers = deformable->def.layers, e.mask = deformable->def.mask;
    return e;
}

bool pli_collider_moves(const pli_collider_data *collider)
{
    const pli_transform *a = &collider->def.pose, *b = &collider->next;
    bool same = a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
                a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
                a->rotation.w == b->rotation.w;
    return collider->rigid || collider->moving || collider->is_behind || collider->source || !same;
}

// The largest distance of the collider's points from the origin of its frame [m]; infinite for a plane.
static double own_reach(const pli_collider_data *collider)
{
    double reach = 0.0;
    if (!collider->surface)
        return (double)pli_shape_reach(&collider->def);
    for (int32_t v = 0; v < collider->span; v++)
        for (int k = 0; k < 2; k++) {
            const float *p = (k ? collider->next_vertices : collider->vertices) + 3 * v;
            reach = fmax(reach, pli_dlength((pli_dvec3){(double)p[0], (double)p[1], (double)p[2]}));
        }
    return reach + (double)collider->surface->radius;
}

double pli_collider_reach(const pli_collider_data *collider)
{
    double reach = own_reach(collider);
    if (collider->rigid)
        reach += fmax(pli_dlength(pli_widened(collider->def.pose.position)),
                      pli_dlength(pli_widened(collider->next.position))) +
                 (double)pli_length(collider->rigid->def.centre_of_mass);
    return reach;
}

pli_extent pli_extent_of_collider(const pli_world *world, const pli_collider_data *collider, float dt)
{
    pli_extent e = empty_extent;
    double path = 0.0;
    pli_dvec3 from = pli_widened(collider->def.pose.position), to = pli_widened(collider->next.position);
    if (collider->rigid) {
        const pli_rigid_body_motion *now = &collider->rigid->now;
        from = to = pli_dadd(now->pose.centre, world->origin);
        if (collider->rigid->approaching)
            to = pli_dadd(collider->rigid->target.centre, world->origin);
        path = pli_dlength(now->velocity) * (double)dt;
    }
    include(&e, from), include(&e, to);
    pli_extent_widen(&e, pli_collider_reach(collider) + path + (double)collider->def.thickness);
    e.layers = collider->def.layers, e.mask = collider->def.mask;
    return e;
}

bool pli_extents_meet(const pli_extent *a, const pli_extent *b)
{
    return pli_layers_meet(a->layers, a->mask, b->layers, b->mask) && a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}
