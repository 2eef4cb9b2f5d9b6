// The warp of a membrane, laid face by face.
#include "base/error.h"
#include "constraints/registry.h"
#include "model/handles.h"
#include "pliant/material.h"
#include "sweep/rest_values.h"
#include "sweep/wavefront.h"

#include <math.h>
#include <string.h>

static pli_status check_warps(const pli_constraints_data *set, const float *directions, int32_t count, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    if (pli_parameter_slot(set->type, "warp_x") < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' is a set of '%s', which has no warp; give a membrane",
                        set->name, set->type->name);
    if (set->deformable->count > t->vertex_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' has torn; lay its warp before it tears", set->name);
    if (!directions || count != t->face_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "%d directions for the %d faces of '%s'; give one for each, 0 0 0 for that of the set",
                        directions ? (int)count : 0, (int)t->face_count, set->name);
    for (int32_t i = 0; i < 3 * count; i++)
        if (!(fabsf(directions[i]) <= 1e6f))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "the warp of face %d has the component %g; it must be -1e6 to 1e6", (int)(i / 3),
                            (double)directions[i]);
    return pli_succeed(error);
}

pli_status pli_constraints_set_warp(pli_world *world, pli_constraints handle, const float *directions, int32_t count,
                                    pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = check_warps(set, directions, count, error);
    if (status != PLI_STATUS_OK)
        return status;
    float *warps = set->warps ? set->warps : PLI_ALLOCATE(&world->memory, float, 3 * (size_t)count + 1);
    if (!warps)
        return pli_fail_memory(error);
    memcpy(warps, directions, 3 * (size_t)count * sizeof *warps);
    set->warps = warps;
    pli_rest_turn_warp(set, warps);
    pli_wavefronts_free(world, set->deformable); // Wavefronts have copies of rest values.
    world->collision.stirred = true;
    return pli_succeed(error);
}
