// Places of colliders (query/collider_place.h).
#include "query/collider_place.h"

#include "model/handles.h"
#include "rigid/rigid.h"
#include "shapes/shape.h"

#include <string.h>

// Returns the pose that the application requests at a fraction of the step, starting where the collider stopped, if it did.
static pli_transform own_pose_at(const pli_collider_data *collider, float part)
{
    pli_transform from = collider->yielded ? collider->yielded_at : collider->def.pose;
    float since = collider->yielded ? collider->since : 0.0f;
    // Blending two equal poses rounds, and would move the triangles of a collider at rest by more than the gaps of a squeeze.
    if (part >= 1.0f || (collider->surface && pli_same_pose(&from, &collider->next)))
        return collider->next;
    // The last substep ended exactly here. A blend by 0 would normalise again, which moves more than the gaps of a squeeze.
    if (part <= since)
        return from;
    return pli_transform_between(from, collider->next, collider->yielded ? (part - since) / (1.0f - since) : part);
}

bool pli_collider_is_far(const pli_world *world, const pli_collider_data *collider)
{
    return !collider->rigid && pli_world_is_offset(world);
}

pli_local_frame pli_collider_far_frame(const pli_world *world, const pli_collider_data *collider, float part)
{
    if (!collider->yielded && !collider->lags_far)
        return pli_local_frame_between(world, collider->def.pose, collider->next, part);
    const pli_local_frame *from = collider->yielded ? &collider->far_yielded : &collider->far_lag,
                          end = pli_local_frame_between(world, collider->next, collider->next, 1.0f);
    if (part >= 1.0f)
        return end;
    float since = collider->yielded ? collider->since : 0.0f;
    return pli_local_frame_mix(from, &end, part <= since ? 0.0 : (double)((part - since) / (1.0f - since)));
}

pli_transform pli_collider_pose_at(const pli_world *world, const pli_collider_data *collider,
                                   const pli_rigid_pose *carrier, float part)
{
    pli_transform own = own_pose_at(collider, part);
    if (collider->rigid)
        return pli_transform_multiply(pli_rigid_frame(collider->rigid, carrier), own);
    if (pli_world_is_offset(world)) {
        const pli_local_frame frame = pli_collider_far_frame(world, collider, part);
        const pli_transform rounded = pli_local_frame_rounded(&frame);
        own.position = rounded.position;
        own.rotation = collider->yielded || collider->lags_far ? rounded.rotation : own.rotation;
    }
    return own;
}

pli_transform pli_collider_pose_now(const pli_world *world, const pli_collider_data *collider)
{
    return pli_collider_pose_at(world, collider, collider->rigid ? &collider->rigid->now.pose : NULL, 0.0f);
}

pli_particle pli_collider_vertex_at(const pli_collider_data *collider, int32_t v, const pli_placement *at)
{
    const float *a = collider->vertices + 3 * v, *b = collider->next_vertices + 3 * v;
    float part = at->part;
    pli_vec3 place;
    if (part >= 1.0f) // The result is bit-identical to the start of the next step, unlike a + (b - a).
        a = b;
    if (at->far) {
        pli_dvec3 from = {(double)a[0], (double)a[1], (double)a[2]}, to = {(double)b[0], (double)b[1], (double)b[2]};
        place = pli_local_frame_point(at->far, pli_dadd(from, pli_dscale(pli_dsub(to, from), (double)part)));
    } else {
        pli_vec3 local = {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part};
        place = pli_transform_point(at->pose, local);
    }
    return (pli_particle){place.x, place.y, place.z, 0.0f};
}

pli_status pli_collider_get_placed_vertices(const pli_world *world, pli_collider handle, float *positions,
                                            int32_t count, pli_error *error)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    if (!collider->mesh)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "this collider, a %s, has no faces",
                        pli_choice_name("shape", (int32_t)collider->def.shape));
    if (count != collider->span)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%d vertices are asked of a collider that has %d",
                        (int)count, (int)collider->span);
    const pli_local_frame frame = pli_collider_far_frame(world, collider, 0.0f);
    const pli_placement now = {pli_collider_pose_now(world, collider),
                               pli_collider_is_far(world, collider) ? &frame : NULL, 0.0f};
    for (int32_t v = 0; v < count; v++) {
        pli_particle at = pli_collider_vertex_at(collider, v, &now);
        if (collider->is_behind)
            memcpy(&at, collider->behind + 3 * v, 3 * sizeof(float));
        memcpy(positions + 3 * v, &at, 3 * sizeof(float));
    }
    return pli_succeed(error);
}
