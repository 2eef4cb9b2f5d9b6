// Deformables: particles created from a mesh, edited and viewed in the order of its vertices.
#include "world/deformable.h"

#include "properties/groups.h"
#include "mesh/mesh.h"
#include "model/attributes.h"
#include "model/handles.h"
#include "particles/publish.h"
#include "particles/store_range.h"
#include "world/attachment.h"
#include "world/constraint_set.h"
#include "world/moving_origin.h"
#include "world/reset.h"
#include "collision/particle_contact/particle_contact.h"

pli_deformable_def pli_deformable_def_default(void)
{
    pli_deformable_def standard = {.pose = pli_transform_identity()};
    pli_descriptor_write_defaults(&pli_deformable_descriptors, &standard);
    pli_descriptor_write_defaults(&pli_tearing_descriptors, &standard.tearing);
    pli_descriptor_write_defaults(&pli_plate_descriptors, &standard.plate);
    return standard;
}

static pli_status check_deformable(const pli_deformable_def *def, pli_error *error)
{
    pli_transform pose = def->pose;
    pli_status status = pli_descriptor_check(&pli_deformable_descriptors, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!pli_transform_check(&pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the pose must be finite, with a unit rotation");
    if (!def->mesh)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "pli_deformable_def.mesh is null: a deformable needs a mesh");
    int32_t count = pli_mesh_topology(def->mesh)->vertex_count;
    for (int32_t i = 0; def->positions && i < 3 * count; i++)
        if (!isfinite(def->positions[i]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the start position of vertex %d is not finite",
                            (int)(i / 3));
    return pli_succeed(error);
}

static bool allocate_deformable(pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    deformable->held = PLI_ALLOCATE(&world->memory, uint8_t, deformable->capacity);
    return deformable->held && pli_features_create(world, deformable) &&
           pli_copy_string(&world->memory, def->name, &deformable->name);
}

// The start position of a vertex, relative to the world's origin.
static pli_vec3 start_position_of(const pli_world *world, const pli_deformable_def *def, int32_t v)
{
    if (def->positions)
        return pli_local_point(world, pli_point_at(def->positions, v));
    return pli_start_in_pose(world, def->pose, pli_point_at(pli_mesh_topology(def->mesh)->positions, v));
}

// The first deformable of a world moves the origin to its start position.
static void begin_origin(pli_world *world, const pli_deformable_def *def)
{
    pli_dvec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    int32_t count = pli_mesh_topology(def->mesh)->vertex_count;
    if (world->deformables.count > 0 || count == 0)
        return;
    for (int32_t v = 0; v < count; v++) {
        pli_dvec3 at = pli_widened(start_position_of(world, def, v));
        low = (pli_dvec3){fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z)};
        high = (pli_dvec3){fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z)};
    }
    pli_world_begin_origin(world, low, high);
}

static void measure_rest_shape(pli_deformable_data *deformable)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    double area = 0.0, length = 0.0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        area += (double)t->vertex_areas[v];
    for (int32_t e = 0; e < t->edge_count; e++) {
        const float *a = t->positions + 3 * (size_t)t->edges[2 * e],
                    *b = t->positions + 3 * (size_t)t->edges[2 * e + 1];
        length += (double)pli_length((pli_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    }
    deformable->rest.longest_edge = 0.0f;
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        const float *a = t->positions + 3 * (size_t)t->triangles[i],
                    *b = t->positions + 3 * (size_t)t->triangles[i % 3 == 2 ? i - 2 : i + 1];
        float side = pli_length((pli_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]});
        deformable->rest.longest_edge = fmaxf(deformable->rest.longest_edge, side);
    }
    deformable->rest.area = (float)area;
    deformable->rest.mean_edge = t->edge_count > 0 ? (float)(length / (double)t->edge_count) : 0.0f;
}

static void place_particles(const pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    const pli_topology *topology = pli_mesh_topology(deformable->mesh);
    for (int32_t v = 0; v < deformable->count; v++) {
        pli_vec3 at = start_position_of(world, def, v);
        float mass = def->density * topology->vertex_areas[v];
        float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
        if (!isfinite(inverse))
            inverse = 0.0f;
        int32_t i = pli_place(deformable, v);
        pli_vec3 velocity = inverse > 0.0f ? def->velocity : (pli_vec3){0};
        deformable->particles[i] = (pli_particle){at.x, at.y, at.z, inverse};
        deformable->velocities[i] = (pli_particle){velocity.x, velocity.y, velocity.z, inverse};
    }
}

pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *handle,
                                 pli_error *error)
{
    *handle = (pli_deformable){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_status status = check_deformable(def, error);
    if (status == PLI_STATUS_OK)
        status = pli_features_check(world, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_deformable_data *deformable = pli_deformable_allocate(&world->memory);
    if (!deformable)
        return pli_fail_memory(error);
    pli_mesh_retain(def->mesh);
    deformable->mesh = def->mesh;
    deformable->shape = pli_faces_of(pli_mesh_topology(def->mesh));
    deformable->count = deformable->capacity = deformable->shape.vertex_count;
    deformable->def = *def;
    deformable->def.name = NULL, deformable->def.mesh = NULL, deformable->def.positions = NULL;
    deformable->thickness = def->thickness;
    begin_origin(world, def);
    if (!allocate_deformable(world, deformable, def) ||
        !pli_list_add(&world->memory, &world->deformables, deformable) ||
        !pli_range_take(world, deformable->capacity + 1, &deformable->first) ||
        (pli_world_is_offset(world) && !pli_world_reserve_published(world))) {
        pli_deformable_free(world, deformable);
        return pli_fail_memory(error);
    }
    deformable->span = deformable->capacity + 1;
    measure_rest_shape(deformable);
    place_particles(world, deformable, def);
    if (!pli_features_configure(world, deformable, def)) {
        pli_deformable_free(world, deformable);
        return pli_fail_memory(error);
    }
    pli_deformable_publish_jump(world, deformable, 0, deformable->count);
    pli_collision_expect_intersections(&world->collision);
    deformable->id = ++world->last_id;
    *handle = (pli_deformable){deformable->id, world->tag};
    return pli_succeed(error);
}

static bool has_other_surface(const pli_deformable_def *a, const pli_deformable_def *b)
{
    bool self = a->self_collision != b->self_collision || a->self_contact != b->self_contact ||
                a->particle_distance != b->particle_distance;
    return self || (a->self_collision && a->thickness != b->thickness);
}

static bool may_meet_others(const pli_deformable_def *a, const pli_deformable_def *b)
{
    return a->self_collision != b->self_collision || a->self_contact != b->self_contact || a->layers != b->layers ||
           a->mask != b->mask || a->paused != b->paused;
}

// Masses that were set by hand keep their ratio to the others.
static void scale_masses(const pli_world *world, pli_deformable_data *deformable, float by)
{
    for (int32_t i = 0; i < deformable->count && by != 1.0f; i++) {
        float inverse = deformable->velocities[i].w * by;
        deformable->velocities[i].w = isfinite(inverse) ? inverse : 0.0f;
        pli_deformable_fix(deformable, i, deformable->held[i]);
    }
    if (by != 1.0f)
        pli_deformable_publish(world, deformable, 0, deformable->count);
}

static pli_status check_deformable_change(const pli_world *world, const pli_deformable_data *deformable,
                                          pli_deformable_def *def, pli_error *error)
{
    if (def->mesh && def->mesh != deformable->mesh)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "a deformable keeps its mesh; make another one");
    def->mesh = deformable->mesh, def->positions = NULL;
    pli_status status = check_deformable(def, error);
    return status == PLI_STATUS_OK ? pli_features_check(world, def, error) : status;
}

pli_status pli_deformable_set_def(pli_world *world, pli_deformable handle, const pli_deformable_def *def,
                                  pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_deformable_def full = *def;
    pli_status status = check_deformable_change(world, deformable, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *name = NULL;
    if (!pli_copy_string(&world->memory, full.name, &name) || !pli_features_configure(world, deformable, &full)) {
        pli_release(&world->memory, name);
        return pli_fail_memory(error);
    }
    pli_release(&world->memory, deformable->name);
    deformable->name = name;
    full.name = NULL, full.mesh = NULL;
    deformable->surface_stale = deformable->surface_stale || has_other_surface(&full, &deformable->def);
    if (may_meet_others(&full, &deformable->def))
        pli_collision_expect_intersections(&world->collision);
    scale_masses(world, deformable, deformable->def.density / full.density);
    deformable->def = full;
    pli_deformable_take_thickness(deformable);
    world->collision.stirred = true;
    return pli_succeed(error);
}

void pli_deformable_free(pli_world *world, pli_deformable_data *deformable)
{
    pli_memory *memory = &world->memory;
    pli_features_destroy(world, deformable);
    if (deformable->id)
        pli_world_forget_contacts(world);
    void *arrays[] = {deformable->name, deformable->held, deformable->order, deformable->vertices, deformable->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_attributes_release(memory, deformable);
    pli_list_remove(&world->deformables, deformable);
    world->collision.stirred = true;
    pli_range_return(world, deformable->first, deformable->span);
    pli_contact_mesh_free(&world->memory, deformable->surface);
    pli_mesh_destroy((pli_mesh *)deformable->mesh);
    pli_release(memory, deformable);
}

pli_status pli_deformable_destroy(pli_world *world, pli_deformable handle, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    while (deformable->first_attachment)
        pli_attachment_free(world, deformable->first_attachment);
    while (deformable->first_set)
        pli_constraints_free(world, deformable->first_set);
    pli_deformable_free(world, deformable);
    return pli_succeed(error);
}

pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->deformables.count ? *world->deformables.items[i] : 0;
    return (pli_deformable){id, id ? world->tag : 0};
}

int32_t pli_world_deformable_count(const pli_world *world) { return world->deformables.count; }

const char *pli_deformable_name(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable && deformable->name ? deformable->name : "";
}

const pli_mesh *pli_deformable_rest_mesh(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? deformable->mesh : NULL;
}

// The deformable, when first..first+count-1 are particles of it and the `width` floats of each are finite; else null.
static pli_deformable_data *edited(pli_world *world, pli_deformable handle, int32_t first, int32_t count,
                                   const float *values, int32_t width, pli_status *status, pli_error *error)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable) {
        *status = PLI_STATUS_NOT_FOUND;
        return NULL;
    }
    if (first < 0 || count < 0 || first > deformable->count - count) {
        *status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                           "%d particles starting at %d were requested; '%s' has 0 to %d", (int)count, (int)first,
                           deformable->name ? deformable->name : "", (int)deformable->count - 1);
        return NULL;
    }
    for (int32_t i = 0; i < width * count; i++) {
        if (!isfinite(values[i]) || (width == 1 && values[i] < 0.0f)) {
            *status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                               "the value for particle %d is %g; it must be finite%s", (int)(first + i / width),
                               (double)values[i], width == 1 ? " and not negative" : "");
            return NULL;
        }
    }
    *status = pli_succeed(error);
    return deformable;
}

// Writing back a coordinate as it was read does not change the position, since the read value is only its rounding.
static void write_position(const pli_world *world, pli_particle *p, const pli_particle *published, pli_vec3 given)
{
    pli_vec3 at = pli_local_point(world, given);
    p->x = given.x == published->x && given.x != 0.0f ? p->x : at.x;
    p->y = given.y == published->y && given.y != 0.0f ? p->y : at.y;
    p->z = given.z == published->z && given.z != 0.0f ? p->z : at.z;
}

pli_status pli_deformable_set_positions(pli_world *world, pli_deformable handle, int32_t first, int32_t count,
                                        const float *positions, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    pli_deformable_data *deformable = edited(world, handle, first, count, positions, 3, &status, error);
    const pli_particle *published = deformable ? pli_deformable_published(world, deformable) : NULL;
    if (deformable)
        pli_features_jump(deformable);
    for (int32_t i = 0; deformable && i < count; i++) {
        pli_vec3 given = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        write_position(world, &deformable->particles[pli_place(deformable, first + i)], &published[first + i], given);
        pli_features_write(deformable, pli_place(deformable, first + i));
    }
    if (deformable) {
        pli_deformable_publish_jump(world, deformable, first, count);
        pli_collision_expect_intersections(&world->collision);
    }
    return status;
}

pli_status pli_deformable_set_velocities(pli_world *world, pli_deformable handle, int32_t first, int32_t count,
                                         const float *velocities, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    pli_deformable_data *deformable = edited(world, handle, first, count, velocities, 3, &status, error);
    for (int32_t i = 0; deformable && i < count; i++) {
        pli_particle *v = &deformable->velocities[pli_place(deformable, first + i)];
        v->x = velocities[3 * i], v->y = velocities[3 * i + 1], v->z = velocities[3 * i + 2];
        pli_features_write(deformable, pli_place(deformable, first + i));
    }
    if (deformable) {
        pli_features_jump(deformable);
        pli_deformable_publish(world, deformable, first, count);
        world->collision.stirred = true;
    }
    return status;
}

pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable handle, int32_t first, int32_t count,
                                             const float *inverse_masses, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    pli_deformable_data *deformable = edited(world, handle, first, count, inverse_masses, 1, &status, error);
    for (int32_t i = 0; deformable && i < count; i++) {
        int32_t place = pli_place(deformable, first + i);
        deformable->velocities[place].w = inverse_masses[i];
        pli_deformable_fix(deformable, place, deformable->held[place]);
    }
    if (deformable) {
        pli_deformable_publish(world, deformable, first, count);
        // Contact does not separate fixed particles from each other, so they may intersect once they move.
        pli_collision_expect_intersections(&world->collision);
    }
    return status;
}

pli_status pli_deformable_add_force(pli_world *world, pli_deformable handle, int32_t particle, pli_vec3 force,
                                    pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    const float values[3] = {force.x, force.y, force.z};
    pli_deformable_data *deformable = edited(world, handle, particle, 1, values, 3, &status, error);
    if (!deformable)
        return status;
    if (!deformable->vertex.force &&
        !(deformable->vertex.force = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)deformable->capacity)))
        return pli_fail_memory(error);
    float *sum = deformable->vertex.force + 3 * pli_place(deformable, particle);
    sum[0] += force.x, sum[1] += force.y, sum[2] += force.z;
    deformable->painted.forced = true;
    return status;
}
