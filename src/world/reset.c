// Resets: a deformable returns to its rest shape or to a pose, and its history is cleared (pliant/placing.h).
#include "world/reset.h"

#include "model/attributes.h"
#include "model/handles.h"
#include "model/origin.h"
#include "particles/integrate.h"
#include "particles/publish.h"
#include "pliant/placing.h"

#include <string.h>

pli_vec3 pli_start_in_pose(const pli_world *world, pli_transform pose, pli_vec3 point)
{
    pli_transform_check(&pose);
    if (!pli_world_is_offset(world))
        return pli_transform_point(pose, point);
    pli_local_frame frame = pli_local_frame_between(world, pose, pose, 0.0f);
    return pli_local_frame_point(&frame, pli_widened(point));
}

// Restores the states from cooking: the sign of the rest value, which is the side on which the constraint was created.
static void forget_state(pli_constraints_data *set)
{
    for (int32_t slot = 0; set->state && slot < set->slot_count; slot++)
        set->state[slot] = set->rest[0][slot] < 0.0f ? -1.0f : 1.0f;
    for (int32_t d = 0; d < set->type->dimension && set->mean[d]; d++)
        memset(set->mean[d], 0, (size_t)set->slot_count * sizeof(float));
}

// Clears all state that results from motion.
static void forget_motion(pli_world *world, pli_deformable_data *deformable)
{
    pli_features_reset(deformable);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        forget_state(set);
    pli_attributes_reset(deformable);
    pli_world_forget_contacts(world);
    pli_collision_expect_intersections(&world->collision);
    pli_deformable_publish_jump(world, deformable, 0, deformable->count);
}

static void place(pli_deformable_data *deformable, int32_t vertex, pli_vec3 at, pli_vec3 velocity)
{
    int32_t i = pli_place(deformable, vertex);
    pli_particle *p = &deformable->particles[i], *v = &deformable->velocities[i];
    v->x = velocity.x, v->y = velocity.y, v->z = velocity.z;
    if (!deformable->held[i])
        p->x = at.x, p->y = at.y, p->z = at.z;
}

pli_status pli_deformable_reset(pli_world *world, pli_deformable handle, const pli_transform *pose, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_transform to = pose ? *pose : deformable->def.pose;
    pli_transform checked = to;
    if (!pli_transform_check(&checked))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "reset: the pose must be finite, with a unit rotation");
    for (int32_t v = 0; v < deformable->count; v++) {
        bool moves = deformable->velocities[pli_place(deformable, v)].w > 0.0f;
        place(deformable, v, pli_start_in_pose(world, to, pli_point_at(deformable->shape.positions, v)),
              moves ? deformable->def.velocity : (pli_vec3){0.0f, 0.0f, 0.0f});
    }
    forget_motion(world, deformable);
    return pli_succeed(error);
}

pli_status pli_deformable_reset_to(pli_world *world, pli_deformable handle, const float *positions, int32_t count,
                                   pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if (count != deformable->count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "reset: %d positions are given; '%s' has %d vertices",
                        (int)count, deformable->name ? deformable->name : "", (int)deformable->count);
    for (int32_t i = 0; i < 3 * count; i++)
        if (!isfinite(positions[i]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "reset: the position of vertex %d is not finite",
                            (int)(i / 3));
    for (int32_t v = 0; v < count; v++)
        place(deformable, v, pli_local_point(world, pli_point_at(positions, v)), (pli_vec3){0.0f, 0.0f, 0.0f});
    forget_motion(world, deformable);
    return pli_succeed(error);
}
