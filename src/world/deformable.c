// Deformables: particles created from a mesh, edited and viewed in the order of its vertices.
#include "world/deformable.h"

#include "collision/particle_contact/particle_contact.h"
#include "properties/groups.h"
#include "sweep/grid/grid_layout.h"
#include "mesh/mesh.h"
#include "model/attributes.h"
#include "model/handles.h"
#include "model/model.h"
#include "particles/history.h"
#include "particles/publish.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/store_range.h"
#include "sweep/vertex_order.h"
#include "sweep/wavefront.h"
#include "bending/plastic.h"
#include "bending/plate.h"
#include "bending/bends.h"
#include "stretch/membrane.h"
#include "tearing/tear_edges.h"
#include "tearing/tear_state.h"
#include "world/attachment.h"
#include "world/constraint_set.h"
#include "sweep/connected_pieces.h"
#include "world/moving_origin.h"
#include "world/reset.h"

#define DEFORMABLE_COOKIE 0x504c4944u

void pli_deformable_def_init(pli_deformable_def *def, size_t size)
{
    const pli_deformable_def standard = {
        .size = (uint32_t)size,
        .cookie = DEFORMABLE_COOKIE,
        .pose = pli_transform_identity(),
        .density = 0.2f,
        .thickness = 0.005f,
        .friction = 0.3f,
        .air_drag = 1.0f,
        .air_lift = 1.0f,
        .air_friction = 1.0f,
        .layers = 1,
        .mask = UINT32_MAX,
        .tearing = {.stretch = INFINITY, .force = INFINITY, .max_tears = 64},
        .plate = {.poisson = 0.3f},
    };
    pli_struct_write(def, size, &standard, sizeof standard);
}

static pli_status check(const pli_deformable_def *def, pli_error *error)
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

static bool reserve_shown(pli_world *world, pli_deformable_data *deformable, bool wanted)
{
    if (!wanted || deformable->shown_before)
        return true;
    deformable->shown_before = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
    return deformable->shown_before || deformable->capacity == 0;
}

static bool allocate(pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    pli_memory *memory = &world->memory;
    int32_t count = deformable->capacity, chunks = count / PLI_PARTICLE_GRAIN + 1;
    bool ordered = pli_grid_make(world, deformable);
    if (ordered && !deformable->grid && world->order == PLI_ORDER_COLOURED)
        ordered = pli_particle_order(memory, deformable->mesh, &deformable->order);
    deformable->held = PLI_ALLOCATE(memory, uint8_t, count);
    deformable->sums = PLI_ALLOCATE(memory, double, PLI_MOTION_SUM_COUNT *(int64_t)chunks);
    deformable->pool.chunk_count = count / PLI_CONTACT_GRAIN + 1;
    deformable->pool.counts = PLI_ALLOCATE(memory, int32_t, deformable->pool.chunk_count);
    bool complete = ordered && deformable->held && deformable->sums && deformable->pool.counts;
    if (complete && !deformable->order) {
        deformable->good_particles = PLI_ALLOCATE(memory, pli_particle, count);
        deformable->good_velocities = PLI_ALLOCATE(memory, pli_particle, count);
        complete = deformable->good_particles && deformable->good_velocities;
    } else if (complete) {
        deformable->user_particles = PLI_ALLOCATE(memory, pli_particle, count);
        deformable->user_velocities = PLI_ALLOCATE(memory, pli_particle, count);
        deformable->vertices = PLI_ALLOCATE(memory, int32_t, count);
        complete = deformable->user_particles && deformable->user_velocities && deformable->vertices;
        for (int32_t v = 0; complete && v < deformable->count; v++)
            deformable->vertices[deformable->order[v]] = v;
    }
    return pli_copy_string(memory, def->name, &deformable->name) && complete;
}

// The start position of a vertex, relative to the world's origin.
static pli_vec3 start_of(const pli_world *world, const pli_deformable_def *def, int32_t v)
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
        pli_dvec3 at = pli_widened(start_of(world, def, v));
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
    deformable->longest_edge = 0.0f;
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        const float *a = t->positions + 3 * (size_t)t->triangles[i],
                    *b = t->positions + 3 * (size_t)t->triangles[i % 3 == 2 ? i - 2 : i + 1];
        float side = pli_length((pli_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]});
        deformable->longest_edge = fmaxf(deformable->longest_edge, side);
    }
    deformable->area = (float)area;
    deformable->mean_edge = t->edge_count > 0 ? (float)(length / (double)t->edge_count) : 0.0f;
}

static void place_particles(const pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    const pli_topology *topology = pli_mesh_topology(deformable->mesh);
    for (int32_t v = 0; v < deformable->count; v++) {
        pli_vec3 at = start_of(world, def, v);
        float mass = def->density * topology->vertex_areas[v];
        float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
        if (!isfinite(inverse))
            inverse = 0.0f;
        int32_t i = pli_place(deformable, v);
        pli_vec3 velocity = inverse > 0.0f ? def->velocity : (pli_vec3){0};
        deformable->particles[i] = (pli_particle){at.x, at.y, at.z, inverse};
        deformable->velocities[i] = (pli_particle){velocity.x, velocity.y, velocity.z, inverse};
    }
    pli_deformable_publish(world, deformable, 0, deformable->count);
}

pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *handle,
                                 pli_error *error)
{
    *handle = (pli_deformable){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_def full = pli_deformable_def_default();
    PLI_ASSERT(&world->memory.hooks, def && def->cookie == full.cookie);
    pli_status status = pli_def_read(&full, def, "pli_deformable_def", error);
    def = &full;
    if (status == PLI_STATUS_OK)
        status = check(def, error);
    if (status == PLI_STATUS_OK)
        status = pli_tearing_check(world, &def->tearing, error);
    if (status == PLI_STATUS_OK)
        status = pli_plate_check(&def->plate, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_deformable_data *deformable = PLI_ALLOCATE(&world->memory, pli_deformable_data, 1);
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
    if (!allocate(world, deformable, def) || !reserve_shown(world, deformable, def->keep_previous) ||
        !pli_list_add(&world->memory, &world->deformables, deformable) ||
        !pli_range_take(world, deformable->capacity + 1, &deformable->first) ||
        (pli_world_is_offset(world) && !pli_world_reserve_published(world))) {
        pli_deformable_free(world, deformable);
        return pli_fail_memory(error);
    }
    deformable->span = deformable->capacity + 1;
    measure_rest_shape(deformable);
    place_particles(world, deformable, def);
    pli_deformable_forget_shown(world, deformable, 0, deformable->count);
    if (pli_tears(&def->tearing) && !pli_tear_state_build(world, deformable)) {
        pli_deformable_free(world, deformable);
        return pli_fail_memory(error);
    }
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

static pli_status check_change(const pli_world *world, const pli_deformable_data *deformable, pli_deformable_def *def,
                               pli_error *error)
{
    if (def->mesh && def->mesh != deformable->mesh)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "a deformable keeps its mesh; make another one");
    def->mesh = deformable->mesh, def->positions = NULL;
    pli_status status = check(def, error);
    if (status == PLI_STATUS_OK)
        status = pli_tearing_check(world, &def->tearing, error);
    return status == PLI_STATUS_OK ? pli_plate_check(&def->plate, error) : status;
}

pli_status pli_deformable_set_def(pli_world *world, pli_deformable handle, const pli_deformable_def *def,
                                  pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_deformable_def full = pli_deformable_def_default();
    PLI_ASSERT(&world->memory.hooks, def && def->cookie == full.cookie);
    pli_status status = pli_def_read(&full, def, "pli_deformable_def", error);
    if (status == PLI_STATUS_OK)
        status = check_change(world, deformable, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *name = NULL;
    bool shown = deformable->shown_before;
    if (!reserve_shown(world, deformable, full.keep_previous) || !pli_copy_string(&world->memory, full.name, &name) ||
        (pli_tears(&full.tearing) && !pli_tear_state_build(world, deformable))) {
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
    if (!shown)
        pli_deformable_forget_shown(world, deformable, 0, deformable->count);
    return pli_succeed(error);
}

void pli_deformable_free(pli_world *world, pli_deformable_data *deformable)
{
    pli_memory *memory = &world->memory;
    pli_tear_state_free(world, deformable);
    pli_grid_free(world, deformable);
    pli_deformable_free_membrane(world, deformable);
    pli_plate_free(world, deformable);
    pli_deformable_free_creases(world, deformable);
    pli_bends_free(world, deformable);
    pli_wavefronts_free(world, deformable);
    pli_pieces_free(world, deformable);
    pli_history_free(memory, deformable);
    if (deformable->id)
        pli_world_forget_contacts(world);
    void *arrays[] = {deformable->name,
                      deformable->normals,
                      deformable->faces,
                      deformable->corners,
                      deformable->air,
                      deformable->good_particles,
                      deformable->good_velocities,
                      deformable->held,
                      deformable->base_masses,
                      deformable->plate_expected,
                      deformable->good_expected,
                      deformable->scratch,
                      deformable->sums,
                      deformable->order,
                      deformable->vertices,
                      deformable->user_particles,
                      deformable->user_velocities,
                      deformable->world_particles,
                      deformable->shown_before,
                      deformable->user_normals,
                      deformable->pool.groups,
                      deformable->pool.counts,
                      deformable->pool.filter_answers,
                      deformable->pool.next_filter_answers};
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
        pli_constraint_set_free(world, deformable->first_set);
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

// Clears the expected motion of a particle that the plate has learned; it is invalid once the user writes the particle.
static void forget_expected(pli_deformable_data *deformable, int32_t place)
{
    for (int32_t k = 0; deformable->plate_expected && k < 2; k++)
        deformable->plate_expected[2 * (size_t)place + (size_t)k] = (pli_particle){0};
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
        pli_deformable_forget_history(deformable);
    for (int32_t i = 0; deformable && i < count; i++) {
        pli_vec3 given = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        write_position(world, &deformable->particles[pli_place(deformable, first + i)], &published[first + i], given);
        forget_expected(deformable, pli_place(deformable, first + i));
    }
    if (deformable) {
        pli_deformable_publish(world, deformable, first, count);
        pli_deformable_forget_shown(world, deformable, first, count);
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
        forget_expected(deformable, pli_place(deformable, first + i));
    }
    if (deformable) {
        pli_deformable_forget_history(deformable);
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
    deformable->forced = true;
    return status;
}
