// Colliders of a world: made, moved and laid out for a substep.
#include "solver/collider.h"

#define COLLIDER_COOKIE 0x504c4943u

pli_collider_def pli_collider_def_default(void)
{
    return (pli_collider_def){
        .cookie = COLLIDER_COOKIE,
        .shape = PLI_SHAPE_SPHERE,
        .radius = 0.5f,
        .half_height = 0.5f,
        .half_extents = {0.5f, 0.5f, 0.5f},
        .pose = pli_transform_identity(),
        .friction = 0.3f,
        .layers = 1,
        .mask = UINT32_MAX,
    };
}

static pli_status check(pli_collider_def *def, pli_error *error)
{
    const pli_shape_row *row = pli_shape_row_at(def->shape);
    if (!row)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "collider shape %d is none of pli_shape", (int)def->shape);
    const char *complaint = row->complaint(def);
    if (complaint)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s collider is refused: %s", row->name, complaint);
    if (!pli_transform_check(&def->pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s collider's pose must be finite, with a unit "
                        "rotation", row->name);
    if (!(def->friction >= 0.0f) || !isfinite(def->friction))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s collider's friction is %g; it must not be negative",
                        row->name, (double)def->friction);
    if (!(def->restitution >= 0.0f && def->restitution <= 1.0f))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s collider's restitution is %g; it must be 0 to 1",
                        row->name, (double)def->restitution);
    return pli_succeed(error);
}

pli_status pli_collider_create(pli_world *world, const pli_collider_def *def, pli_collider *collider, pli_error *error)
{
    collider->id = 0;
    PLI_ASSERT(&world->memory.hooks, def->cookie == COLLIDER_COOKIE);
    pli_collider_def checked = *def;
    pli_status status = check(&checked, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_memory *memory = &world->memory;
    pli_solid *solid = PLI_ALLOCATE(memory, pli_solid, 1);
    bool complete = solid && pli_reserve(memory, &world->shapes, &world->shape_capacity,
                                         (int64_t)world->solids.count + 1, sizeof *world->shapes);
    if (!complete || !pli_list_add(memory, &world->solids, solid)) {
        pli_release(memory, solid);
        return pli_fail_memory(error);
    }
    solid->def = checked;
    solid->next = checked.pose;
    solid->id = collider->id = ++world->last_id;
    return pli_succeed(error);
}

static pli_solid *solid_get(const pli_world *world, pli_collider handle, pli_error *error)
{
    pli_solid *solid = pli_list_find(&world->solids, handle.id);
    if (!solid)
        pli_fail(error, PLI_STATUS_NOT_FOUND, "no such collider: the handle is null or its collider was destroyed");
    return solid;
}

pli_status pli_collider_destroy(pli_world *world, pli_collider collider, pli_error *error)
{
    pli_solid *solid = solid_get(world, collider, error);
    if (!solid)
        return PLI_STATUS_NOT_FOUND;
    pli_list_remove(&world->solids, solid);
    pli_release(&world->memory, solid);
    return pli_succeed(error);
}

pli_status pli_collider_set_pose(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error)
{
    pli_solid *solid = solid_get(world, collider, error);
    if (!solid)
        return PLI_STATUS_NOT_FOUND;
    if (!pli_transform_check(&pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the pose must be finite, with a unit rotation");
    solid->next = pose;
    return pli_succeed(error);
}

pli_status pli_collider_get(const pli_world *world, pli_collider collider, pli_collider_def *def, pli_error *error)
{
    const pli_solid *solid = solid_get(world, collider, error);
    if (!solid)
        return PLI_STATUS_NOT_FOUND;
    *def = solid->def;
    return pli_succeed(error);
}

pli_status pli_collider_pose(const pli_world *world, pli_collider collider, pli_transform *pose, pli_error *error)
{
    pli_collider_def def;
    pli_status status = pli_collider_get(world, collider, &def, error);
    if (status == PLI_STATUS_OK)
        *pose = def.pose;
    return status;
}

pli_collider pli_world_collider(const pli_world *world, int32_t i)
{
    return (pli_collider){i >= 0 && i < world->solids.count ? *world->solids.items[i] : 0};
}

int32_t pli_world_collider_count(const pli_world *world)
{
    return world->solids.count;
}

void pli_world_place_shapes(pli_world *world, float from, float to)
{
    for (int32_t i = 0; i < world->solids.count; i++) {
        const pli_solid *solid = (const pli_solid *)(const void *)world->solids.items[i];
        world->shapes[i] = (pli_moving_shape){
            .row = pli_shape_row_at(solid->def.shape),
            .def = &solid->def,
            .from = pli_transform_between(solid->def.pose, solid->next, from),
            .to = pli_transform_between(solid->def.pose, solid->next, to),
            .friction = solid->def.friction,
            .restitution = solid->def.restitution,
        };
    }
}

void pli_world_finish_shapes(pli_world *world)
{
    for (int32_t i = 0; i < world->solids.count; i++) {
        pli_solid *solid = (pli_solid *)(void *)world->solids.items[i];
        solid->def.pose = solid->next;
    }
}
