// Queries of objects: their current definitions, names, counts, mass and bounds.
#include "model/backends/backends.h"
#include "base/tasks.h"
#include "model/handles.h"
#include "model/model.h"
#include "particles/publish.h"
#include "rigid/coupling/rigid_proxy.h"

#include <math.h>
#include <string.h>

static bool is_called(const char *own, const char *name) { return name && strcmp(own ? own : "", name) == 0; }

pli_deformable pli_world_deformable_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = (const pli_deformable_data *)(const void *)world->deformables.items[i];
        if (is_called(deformable->name, name))
            return (pli_deformable){deformable->id, world->tag};
    }
    return (pli_deformable){0, 0};
}

pli_constraints pli_world_constraints_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->sets.count; i++) {
        const pli_constraints_data *set = (const pli_constraints_data *)(const void *)world->sets.items[i];
        if (is_called(set->name, name))
            return (pli_constraints){set->id, world->tag};
    }
    return (pli_constraints){0, 0};
}

pli_rigid_body pli_world_rigid_body_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        const pli_rigid_body_data *rigid = (const pli_rigid_body_data *)(const void *)world->rigids.items[i];
        if (is_called(rigid->name, name))
            return (pli_rigid_body){rigid->id, world->tag};
    }
    return (pli_rigid_body){0, 0};
}

pli_status pli_deformable_get_def(const pli_world *world, pli_deformable handle, pli_deformable_def *def,
                                  pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_deformable_def found = deformable->def;
    found.name = deformable->name, found.mesh = deformable->mesh;
    *def = found;
    return pli_succeed(error);
}

int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? deformable->count : 0;
}

static pli_view view_of(const pli_deformable_data *deformable, const pli_particle *own, const pli_particle *published)
{
    const pli_particle *array = published ? published : own;
    return (pli_view){deformable->count > 0 ? &array->x : NULL, deformable->count, sizeof *array};
}

pli_view pli_deformable_positions(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? view_of(deformable, NULL, pli_deformable_published(world, deformable)) : (pli_view){0};
}

pli_view pli_deformable_local_positions(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? view_of(deformable, deformable->particles, deformable->view->particles) : (pli_view){0};
}

pli_view pli_deformable_previous_positions(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    bool kept = deformable && deformable->def.keep_previous && deformable->view->before;
    return kept ? view_of(deformable, NULL, deformable->view->before) : (pli_view){0};
}

pli_view pli_deformable_velocities(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? view_of(deformable, deformable->velocities, deformable->view->velocities) : (pli_view){0};
}

const float *pli_deformable_inverse_masses(const pli_world *world, pli_deformable handle, int32_t *stride)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    *stride = sizeof(pli_particle);
    if (!deformable || deformable->count == 0)
        return NULL;
    return deformable->view->particles ? &deformable->view->particles->w : &deformable->particles->w;
}

double pli_deformable_mass(const pli_world *world, pli_deformable handle)
{
    int32_t stride;
    const float *inverse = pli_deformable_inverse_masses(world, handle, &stride);
    int32_t count = pli_deformable_vertex_count(world, handle);
    if (!pli_deformable_get(world, handle, NULL))
        return (double)NAN;
    double mass = 0.0;
    for (int32_t i = 0; i < count; i++) {
        float w = *(const float *)(const void *)((const char *)inverse + (size_t)i * (size_t)stride);
        mass += w > 0.0f ? 1.0 / (double)w : 0.0;
    }
    return mass;
}

pli_status pli_deformable_get_bounds(const pli_world *world, pli_deformable handle, pli_vec3 *minimum,
                                     pli_vec3 *maximum, pli_error *error)
{
    if (!pli_deformable_get(world, handle, error))
        return PLI_STATUS_NOT_FOUND;
    pli_view view = pli_deformable_positions(world, handle);
    *minimum = *maximum = (pli_vec3){0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < view.count; i++) {
        const float *p = pli_view_at(view, i);
        pli_vec3 at = {p[0], p[1], p[2]};
        *minimum = i == 0 ? at : (pli_vec3){fminf(minimum->x, at.x), fminf(minimum->y, at.y), fminf(minimum->z, at.z)};
        *maximum = i == 0 ? at : (pli_vec3){fmaxf(maximum->x, at.x), fmaxf(maximum->y, at.y), fmaxf(maximum->z, at.z)};
    }
    return pli_succeed(error);
}

pli_status pli_rigid_body_get_def(const pli_world *world, pli_rigid_body body, pli_rigid_body_def *def,
                                  pli_error *error)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_rigid_body_def found = rigid->def;
    found.name = rigid->name;
    pli_rigid_body_get_state(world, body, &found.state, NULL);
    *def = found;
    return pli_succeed(error);
}

int32_t pli_world_thread_count(const pli_world *world) { return pli_tasks_width(world->tasks); }

pli_order pli_world_order(const pli_world *world) { return world->order; }

pli_simd pli_world_simd(const pli_world *world)
{
    for (int i = PLI_SIMD_SCALAR; i < PLI_SIMD_COUNT; i++)
        if (pli_simd_available((pli_simd)i) && pli_kernels_of((pli_simd)i) == world->kernels)
            return (pli_simd)i;
    return PLI_SIMD_SCALAR;
}
