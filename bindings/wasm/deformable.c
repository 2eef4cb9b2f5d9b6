// Deformables and their constraint sets.
#include "world.h"

#include <string.h>

/// Pose: values 0 to 6. Velocity, density and the like are in the definition. 0 when it fails (deformable_status).
EXPORT(deformable_create)
uint32_t web_deformable_create(web_world *world, const pli_mesh *mesh, const char *name, const float *positions,
                               bool keep_previous)
{
    pli_deformable_def *def = &web_definition.deformable;
    pli_deformable made = {0, 0};
    def->mesh = mesh, def->name = name, def->positions = positions, def->keep_previous = keep_previous;
    def->pose = web_pose(0);
    web_error.status = pli_deformable_create(world->world, def, &made, &web_error);
    return web_made(world, made.id, made.world);
}

EXPORT(deformable_destroy) pli_status web_deformable_destroy(web_world *world, uint32_t id)
{
    return pli_deformable_destroy(world->world, web_deformable(world, id), &web_error);
}

EXPORT(deformable_name) const char *web_deformable_name(const web_world *world, uint32_t id)
{
    return pli_deformable_name(world->world, web_deformable(world, id));
}
EXPORT(deformable_vertex_count) int32_t web_deformable_vertex_count(const web_world *world, uint32_t id)
{
    return pli_deformable_vertex_count(world->world, web_deformable(world, id));
}
EXPORT(deformable_mass) pli_status web_deformable_mass(const web_world *world, uint32_t id)
{
    pli_deformable_def def;
    web_values[0] = pli_deformable_mass(world->world, web_deformable(world, id));
    return pli_deformable_get_def(world->world, web_deformable(world, id), &def, &web_error);
}
EXPORT(deformable_bounds) pli_status web_deformable_bounds(const web_world *world, uint32_t id)
{
    pli_vec3 low = {0}, high = {0};
    pli_status status = pli_deformable_get_bounds(world->world, web_deformable(world, id), &low, &high, &web_error);
    web_put_vector(web_put_vector(web_values, low), high);
    return status;
}

/// The mesh that it was made from, with a reference of its own.
EXPORT(deformable_mesh) const pli_mesh *web_deformable_mesh(const web_world *world, uint32_t id)
{
    const pli_mesh *mesh = pli_deformable_rest_mesh(world->world, web_deformable(world, id));
    return mesh ? pli_mesh_retain(mesh) : NULL;
}

EXPORT(deformable_load) pli_status web_deformable_load(const web_world *world, uint32_t id)
{
    return pli_deformable_get_def(world->world, web_deformable(world, id), &web_definition.deformable, &web_error);
}
EXPORT(deformable_store) pli_status web_deformable_store(web_world *world, uint32_t id)
{
    web_definition.deformable.positions = NULL;
    return pli_deformable_set_def(world->world, web_deformable(world, id), &web_definition.deformable, &web_error);
}
EXPORT(deformable_set_paused) pli_status web_deformable_set_paused(web_world *world, uint32_t id, bool paused)
{
    return pli_deformable_set_paused(world->world, web_deformable(world, id), paused, &web_error);
}
EXPORT(deformable_is_asleep) bool web_deformable_is_asleep(const web_world *world, uint32_t id)
{
    return pli_deformable_is_asleep(world->world, web_deformable(world, id));
}
EXPORT(deformable_wake) pli_status web_deformable_wake(web_world *world, uint32_t id)
{
    return pli_deformable_wake(world->world, web_deformable(world, id), &web_error);
}

/// Views by number: positions, local positions, previous positions, velocities, normals.
EXPORT(deformable_view) void web_deformable_view(web_world *world, uint32_t id, int32_t which)
{
    pli_view (*const views[])(const pli_world *,
                              pli_deformable) = {pli_deformable_positions, pli_deformable_local_positions,
                                                 pli_deformable_previous_positions, pli_deformable_velocities};
    pli_deformable deformable = web_deformable(world, id);
    web_put_view(which < 4 ? views[which](world->world, deformable) : pli_deformable_normals(world->world, deformable));
}

/// Address and stride.
EXPORT(deformable_inverse_masses) void web_deformable_inverse_masses(const web_world *world, uint32_t id)
{
    int32_t stride = 0;
    const float *masses = pli_deformable_inverse_masses(world->world, web_deformable(world, id), &stride);
    web_values[0] = (double)(uintptr_t)masses;
    web_values[1] = stride;
}

EXPORT(deformable_triangles) const int32_t *web_deformable_triangles(const web_world *world, uint32_t id)
{
    return pli_deformable_triangles(world->world, web_deformable(world, id));
}
EXPORT(deformable_face_vertices) const int32_t *web_deformable_face_vertices(const web_world *world, uint32_t id)
{
    return pli_deformable_face_vertices(world->world, web_deformable(world, id));
}

EXPORT(deformable_set_positions)
pli_status web_deformable_set_positions(web_world *world, uint32_t id, int32_t first, int32_t count, const float *from)
{
    return pli_deformable_set_positions(world->world, web_deformable(world, id), first, count, from, &web_error);
}
EXPORT(deformable_set_velocities)
pli_status web_deformable_set_velocities(web_world *world, uint32_t id, int32_t first, int32_t count, const float *from)
{
    return pli_deformable_set_velocities(world->world, web_deformable(world, id), first, count, from, &web_error);
}
EXPORT(deformable_set_inverse_masses)
pli_status web_deformable_set_inverse_masses(web_world *world, uint32_t id, int32_t first, int32_t count,
                                             const float *from)
{
    return pli_deformable_set_inverse_masses(world->world, web_deformable(world, id), first, count, from, &web_error);
}
/// The force: values 0 to 2.
EXPORT(deformable_add_force) pli_status web_deformable_add_force(web_world *world, uint32_t id, int32_t particle)
{
    return pli_deformable_add_force(world->world, web_deformable(world, id), particle, web_vector(0), &web_error);
}

/// Elements are those of pli_element; null `values` clear.
EXPORT(deformable_paint)
pli_status web_deformable_paint(web_world *world, uint32_t id, const char *name, int32_t element, const float *values,
                                int32_t count)
{
    return pli_deformable_paint(world->world, web_deformable(world, id), name, (pli_element)element, values, count,
                                &web_error);
}
/// Values 0 and 1: 1 if the attribute is one of triangles, and its components.
EXPORT(attribute_info) void web_attribute_info(const char *name)
{
    const pli_attribute *row = pli_attribute_find(name, PLI_ELEMENT_VERTEX);
    row = row ? row : pli_attribute_find(name, PLI_ELEMENT_TRIANGLE);
    web_values[0] = row && row->element == PLI_ELEMENT_TRIANGLE;
    web_values[1] = row ? row->components : 1;
}
EXPORT(deformable_attribute)
pli_status web_deformable_attribute(const web_world *world, uint32_t id, const char *name, float *values, int32_t count)
{
    return pli_deformable_get_attribute(world->world, web_deformable(world, id), name, values, count, &web_error);
}

EXPORT(deformable_measure)
pli_status web_deformable_measure(const web_world *world, uint32_t id, const char *name, float *values,
                                  int32_t capacity)
{
    const int32_t measure = pli_choice_value("measure", name);
    if (measure < 0)
        return pli_fail(&web_error, PLI_STATUS_NOT_FOUND, "no measure is called '%s'", name);
    return pli_deformable_measure(world->world, web_deformable(world, id), (pli_measure)measure, values, capacity,
                                  &web_error);
}

#define STATISTICS(F, V, A)                                                                                            \
    F(particle_count)                                                                                                  \
    F(fixed_count)                                                                                                     \
    F(kinetic_energy)                                                                                                  \
    A(momentum, 3)                                                                                                     \
    A(angular_momentum, 3)                                                                                             \
    F(stretch_rms)                                                                                                     \
    F(stretch_max)                                                                                                     \
    F(contact_count)                                                                                                   \
    F(surface_contact_count)                                                                                           \
    F(intersection_count)                                                                                              \
    F(seconds)                                                                                                         \
    F(memory)

WEB_RECORD(deformable_statistics, pli_deformable_statistics, STATISTICS)

EXPORT(deformable_statistics) pli_status web_deformable_statistics(const web_world *world, uint32_t id)
{
    pli_deformable_statistics statistics;
    pli_status status = pli_deformable_get_statistics(world->world, web_deformable(world, id), &statistics, &web_error);
    if (status == PLI_STATUS_OK)
        web_put_deformable_statistics(&statistics);
    return status;
}

/// Along `path`, or with null along the plane: point and normal are values 0 to 5. Value 0 becomes the vertices added.
EXPORT(deformable_cut)
pli_status web_deformable_cut(web_world *world, uint32_t id, const int32_t *path, int32_t count, float reach)
{
    pli_cut_def def = pli_cut_def_default();
    int32_t copies = 0;
    def.path = path, def.path_count = count;
    def.point = web_vector(0), def.normal = web_vector(3), def.reach = reach;
    pli_status status = pli_deformable_cut(world->world, web_deformable(world, id), &def, &copies, &web_error);
    web_values[0] = copies;
    return status;
}

/// To the rest shape: at values 0 to 6 when `posed`, else at the pose of its definition.
EXPORT(deformable_reset) pli_status web_deformable_reset(web_world *world, uint32_t id, bool posed)
{
    pli_transform pose = web_pose(0);
    return pli_deformable_reset(world->world, web_deformable(world, id), posed ? &pose : NULL, &web_error);
}
EXPORT(deformable_reset_to)
pli_status web_deformable_reset_to(web_world *world, uint32_t id, const float *positions, int32_t count)
{
    return pli_deformable_reset_to(world->world, web_deformable(world, id), positions, count, &web_error);
}
