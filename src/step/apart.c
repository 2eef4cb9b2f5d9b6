// Finds isolated deformables: boxes over the step, of deformables and colliders, in a bounding volume hierarchy.
#include "step/apart.h"

#include "step/extent.h"
#include "base/layers.h"
#include "model/handles.h"
#include "model/origin.h"
#include "sweep/crowd.h"
#include "step/moving_out.h"

// Boxes cover a step that is longer by this factor, since constraints may increase speeds.
static const float farther = 1.5f;
// Boxes grow by this fraction of their longest side, since constraints may move cloth at rest.
static const double slack_share = 0.01;
// Contacts are made up to at most this fraction of a thickness beyond the thickness.
static const double near_share = (double)PLI_RIGID_NEAR_SHARE - 1.0;
// Coordinates are rounded to floats for the hierarchy, so its boxes grow by this fraction of the coordinates.
static const float rounding = 1e-6f;

static bool may_be_apart(const pli_deformable_data *deformable)
{
    return !deformable->idle && deformable->count > 0 && deformable->count <= PLI_PARTICLE_GRAIN &&
           !deformable->def.self_collision && !deformable->first_attachment && !deformable->moving_out->before;
}

// Applications that act in each substep, and the bodies that they move, must see all deformables at the same time. The state
// before the step, which may have to be restored, is relative to the previous origin.
static bool any_may_be_apart(const pli_world *world)
{
    const pli_dvec3 moves = pli_dsub(world->next_origin, world->origin);
    int32_t count = 0;
    if (world->host || world->tracing.callback || world->rigids.count > 0 || pli_ddot(moves, moves) > 0.0)
        return false;
    for (int32_t i = 0; i < world->deformables.count; i++)
        count += may_be_apart(pli_deformable_at(world, i));
    return count > 0;
}

typedef struct bounding {
    pli_world *world;
    float dt;
} bounding;

static void bound_one(void *data, int32_t i)
{
    const bounding *b = data;
    pli_deformable_data *deformable = pli_deformable_at(b->world, i);
    if (deformable->idle)
        return;
    pli_extent e = pli_extent_of(b->world, deformable, farther * b->dt);
    const pli_dvec3 sides = pli_dsub(e.high, e.low);
    double slack = slack_share * fmax(sides.x, fmax(sides.y, sides.z));
    pli_extent_widen(&e, slack + near_share * (double)deformable->thickness);
    deformable->isolated->low = e.low, deformable->isolated->high = e.high;
}

static pli_extent extent_of(const pli_deformable_data *deformable)
{
    return (pli_extent){deformable->isolated->low, deformable->isolated->high, deformable->def.layers,
                        deformable->def.mask};
}

static float outward(double at, float sign)
{
    float rounded = (float)at;
    return rounded + sign * rounding * (1.0f + fabsf(rounded));
}

static pli_swept_box box_of(const pli_world *world, const pli_extent *e)
{
    pli_dvec3 low = pli_dsub(e->low, world->origin), high = pli_dsub(e->high, world->origin);
    pli_aabb box = {{outward(low.x, -1.0f), outward(low.y, -1.0f), outward(low.z, -1.0f)},
                    {outward(high.x, 1.0f), outward(high.y, 1.0f), outward(high.z, 1.0f)}};
    return (pli_swept_box){box, box};
}

// Whether the box is above a resting plane.
static bool is_above(const pli_collider_data *plane, const pli_extent *e)
{
    pli_vec3 up = pli_rotate(plane->def.pose.rotation, (pli_vec3){0.0f, 1.0f, 0.0f});
    pli_dvec3 lowest = {up.x > 0.0f ? e->low.x : e->high.x, up.y > 0.0f ? e->low.y : e->high.y,
                        up.z > 0.0f ? e->low.z : e->high.z};
    double above = pli_ddot(pli_widened(up), pli_dsub(lowest, pli_widened(plane->def.pose.position)));
    return above > (1.0 + near_share) * (double)plane->def.thickness;
}

static bool is_resting_plane(const pli_collider_data *collider)
{
    return collider->def.shape == PLI_SHAPE_PLANE && !pli_collider_moves(collider);
}

typedef struct company {
    const pli_world *world;
    pli_extent extent;
    int32_t number; // The index of the deformable.
    bool meets;
} company;

static bool may_touch(const pli_extent *e, uint32_t layers, uint32_t mask)
{
    return pli_layers_meet(e->layers, e->mask, layers, mask);
}

static bool found(void *data, int32_t leaf)
{
    company *c = data;
    if (leaf == c->number)
        return true;
    int32_t deformables = c->world->deformables.count;
    const pli_deformable_def *other = leaf < deformables ? &pli_deformable_at(c->world, leaf)->def : NULL;
    const pli_collider_def *collider = other ? NULL : &pli_collider_at(c->world, leaf - deformables)->def;
    c->meets = c->meets || (other ? may_touch(&c->extent, other->layers, other->mask)
                                  : may_touch(&c->extent, collider->layers, collider->mask));
    return !c->meets;
}

static bool fill_tree(pli_world *world, float dt)
{
    int32_t deformables = world->deformables.count;
    pli_bvh16 *tree = &world->apart_tree;
    const pli_swept_box empty = pli_swept_box_empty();
    if (!pli_bvh16_reserve(&world->memory, tree, deformables + world->colliders.count))
        return false;
    for (int32_t i = 0; i < deformables; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        const pli_extent e = extent_of(deformable);
        const pli_swept_box box = deformable->idle ? empty : box_of(world, &e);
        pli_bvh16_set(tree, i, &box);
    }
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        pli_extent e = pli_extent_of_collider(world, collider, dt);
        pli_extent_widen(&e, near_share * (double)collider->def.thickness);
        const pli_swept_box box = is_resting_plane(collider) ? empty : box_of(world, &e);
        pli_bvh16_set(tree, deformables + i, &box);
    }
    pli_bvh16_refit(tree, world->tasks);
    return true;
}

static void mark_one(void *data, int32_t i)
{
    const bounding *b = data;
    pli_world *world = b->world;
    pli_deformable_data *deformable = pli_deformable_at(world, i);
    if (!may_be_apart(deformable))
        return;
    company c = {.world = world, .extent = extent_of(deformable), .number = i};
    const pli_swept_box box = box_of(world, &c.extent);
    for (int32_t k = 0; k < world->colliders.count && !c.meets; k++) {
        const pli_collider_data *collider = pli_collider_at(world, k);
        c.meets = is_resting_plane(collider) && may_touch(&c.extent, collider->def.layers, collider->def.mask) &&
                  !is_above(collider, &c.extent);
    }
    if (!c.meets)
        pli_bvh16_query(&world->apart_tree, world->kernels->near, &box, 0, found, &c);
    deformable->isolated->active = !c.meets;
}

bool pli_world_choose_apart(pli_world *world, float dt)
{
    bounding b = {world, dt};
    pli_world_forget_apart(world);
    if (!any_may_be_apart(world))
        return true;
    pli_tasks_run(world->tasks, world->deformables.count, bound_one, &b);
    if (!fill_tree(world, dt))
        return false;
    pli_tasks_run(world->tasks, world->deformables.count, mark_one, &b);
    return true;
}

bool pli_world_any_apart(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->isolated->active)
            return true;
    return false;
}

void pli_world_forget_apart(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->isolated->active = false;
}

static bool holds(const pli_world *world, const pli_deformable_data *deformable, const pli_particle *particles)
{
    pli_aabb box = pli_aabb_of(particles, deformable->count);
    double margin = (1.0 + near_share) * (double)deformable->thickness;
    pli_dvec3 low = pli_dsub(pli_dadd(pli_widened(box.low), world->origin), deformable->isolated->low);
    pli_dvec3 high = pli_dsub(deformable->isolated->high, pli_dadd(pli_widened(box.high), world->origin));
    return low.x >= margin && low.y >= margin && low.z >= margin && high.x >= margin && high.y >= margin &&
           high.z >= margin;
}

bool pli_deformable_is_within(const pli_world *world, const pli_deformable_data *deformable)
{
    return holds(world, deformable, deformable->particles);
}

bool pli_world_others_are_within(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->idle && !deformable->isolated->active && !pli_deformable_is_within(world, deformable))
            return false;
    }
    return true;
}
