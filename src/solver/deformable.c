// Deformables: particles made from a mesh, edited and viewed in the order of its vertices.
#include "descriptors/groups.h"
#include "mesh/mesh.h"
#include "solver/body.h"
#include "solver/grid.h"
#include "solver/limit.h"
#include "solver/order.h"
#include "solver/range.h"
#include "solver/surfaces.h"
#include "solver/tear.h"
#include "solver/torn.h"
#include "solver/waves.h"

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
        .layers = 1,
        .mask = UINT32_MAX,
        .tearing = {.stretch = INFINITY, .force = INFINITY, .max_tears = 64},
        .stretch_limit = {.kind = PLI_STRETCH_AUTO, .slack = 1.0f, .anchors = 4, .levels = 16},
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
    int32_t count = pli_mesh_topology(def->mesh)->vertex_count;
    for (int32_t i = 0; def->positions && i < 3 * count; i++)
        if (!isfinite(def->positions[i]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the start position of vertex %d is not finite",
                            (int)(i / 3));
    return pli_succeed(error);
}

static bool allocate(pli_world *world, pli_body *body, const pli_deformable_def *def)
{
    pli_memory *memory = &world->memory;
    int32_t count = body->capacity, chunks = count / PLI_PARTICLE_GRAIN + 1;
    bool ordered = pli_grid_make(world, body);
    if (ordered && !body->grid && world->order == PLI_ORDER_COLOURED)
        ordered = pli_particle_order(memory, body->mesh, &body->order);
    body->held = PLI_ALLOCATE(memory, uint8_t, count);
    body->sums = PLI_ALLOCATE(memory, double, PLI_WHOLE_SUMS *(int64_t)chunks);
    body->pool.chunk_count = count / PLI_CONTACT_GRAIN + 1;
    body->pool.counts = PLI_ALLOCATE(memory, int32_t, body->pool.chunk_count);
    bool complete = ordered && body->held && body->sums && body->pool.counts;
    if (complete && !body->order) {
        body->good_particles = PLI_ALLOCATE(memory, pli_particle, count);
        body->good_velocities = PLI_ALLOCATE(memory, pli_particle, count);
        complete = body->good_particles && body->good_velocities;
    } else if (complete) {
        body->user_particles = PLI_ALLOCATE(memory, pli_particle, count);
        body->user_velocities = PLI_ALLOCATE(memory, pli_particle, count);
        body->vertices = PLI_ALLOCATE(memory, int32_t, count);
        complete = body->user_particles && body->user_velocities && body->vertices;
        for (int32_t v = 0; complete && v < body->count; v++)
            body->vertices[body->order[v]] = v;
    }
    return pli_copy_string(memory, def->name, &body->name) && complete;
}

static void place_particles(pli_body *body, const pli_deformable_def *def)
{
    const pli_topology *topology = pli_mesh_topology(body->mesh);
    pli_transform pose = def->pose;
    pli_transform_check(&pose);
    for (int32_t v = 0; v < body->count; v++) {
        const float *rest = topology->positions + 3 * v, *start = def->positions ? def->positions + 3 * v : rest;
        pli_vec3 at = {start[0], start[1], start[2]};
        if (!def->positions)
            at = pli_transform_point(pose, at);
        float mass = def->density * topology->vertex_areas[v];
        float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
        if (!isfinite(inverse))
            inverse = 0.0f;
        int32_t i = pli_place(body, v);
        pli_vec3 velocity = inverse > 0.0f ? def->velocity : (pli_vec3){0};
        body->particles[i] = (pli_particle){at.x, at.y, at.z, inverse};
        body->velocities[i] = (pli_particle){velocity.x, velocity.y, velocity.z, inverse};
    }
    pli_body_publish(body, 0, body->count);
}

pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                 pli_error *error)
{
    *deformable = (pli_deformable){0, 0};
    pli_deformable_def full = pli_deformable_def_default();
    PLI_ASSERT(&world->memory.hooks, def && def->cookie == full.cookie && def->mesh);
    pli_status status = pli_def_read(&full, def, "pli_deformable_def", error);
    def = &full;
    if (status == PLI_STATUS_OK)
        status = check(def, error);
    if (status == PLI_STATUS_OK)
        status = pli_tearing_check(world, &def->tearing, error);
    if (status == PLI_STATUS_OK)
        status = pli_stretch_limit_check(&def->stretch_limit, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_body *body = PLI_ALLOCATE(&world->memory, pli_body, 1);
    if (!body)
        return pli_fail_memory(error);
    pli_mesh_retain(def->mesh);
    body->mesh = def->mesh;
    body->shape = pli_faces_of(pli_mesh_topology(def->mesh));
    body->count = body->capacity = body->shape.vertex_count;
    body->def = *def;
    body->def.name = NULL, body->def.mesh = NULL, body->def.positions = NULL;
    body->thickness = def->thickness;
    if (!allocate(world, body, def) || !pli_list_add(&world->memory, &world->bodies, body) ||
        !pli_range_take(world, body->capacity + 1, &body->first)) {
        pli_body_free(world, body);
        return pli_fail_memory(error);
    }
    body->span = body->capacity + 1;
    place_particles(body, def);
    if (pli_tears(&def->tearing) && !pli_torn_build(world, body)) {
        pli_body_free(world, body);
        return pli_fail_memory(error);
    }
    pli_space_expect_intersections(&world->space);
    body->id = ++world->last_id;
    *deformable = (pli_deformable){body->id, world->tag};
    return pli_succeed(error);
}

void pli_body_free(pli_world *world, pli_body *body)
{
    pli_memory *memory = &world->memory;
    pli_torn_free(world, body);
    pli_grid_free(world, body);
    pli_limit_free(world, body);
    pli_waves_free(world, body);
    if (body->id)
        world->has_contacts = false;
    void *arrays[] = {body->name,
                      body->normals,
                      body->faces,
                      body->corners,
                      body->good_particles,
                      body->good_velocities,
                      body->forces,
                      body->held,
                      body->scratch,
                      body->sums,
                      body->order,
                      body->vertices,
                      body->user_particles,
                      body->user_velocities,
                      body->user_normals,
                      body->pool.groups,
                      body->pool.counts,
                      body->pool.verdicts,
                      body->pool.next_verdicts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_list_remove(&world->bodies, body);
    pli_range_return(world, body->first, body->span);
    pli_surface_free(world, body->surface);
    pli_mesh_destroy((pli_mesh *)body->mesh);
    pli_release(memory, body);
}

pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error)
{
    pli_body *body = pli_body_get(world, deformable, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    while (body->first_tie)
        pli_tie_free(world, body->first_tie);
    while (body->first_set)
        pli_set_free(world, body->first_set);
    pli_body_free(world, body);
    return pli_succeed(error);
}

pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->bodies.count ? *world->bodies.items[i] : 0;
    return (pli_deformable){id, id ? world->tag : 0};
}

int32_t pli_world_deformable_count(const pli_world *world) { return world->bodies.count; }

const char *pli_deformable_name(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body && body->name ? body->name : "";
}

const pli_mesh *pli_deformable_rest_mesh(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body ? body->mesh : NULL;
}

static pli_view view_of(const pli_body *body, const pli_particle *own, const pli_particle *published)
{
    const pli_particle *array = published ? published : own;
    return (pli_view){body->count > 0 ? &array->x : NULL, body->count, sizeof *array};
}

pli_view pli_deformable_positions(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body ? view_of(body, body->particles, body->user_particles) : (pli_view){0};
}

pli_view pli_deformable_velocities(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body ? view_of(body, body->velocities, body->user_velocities) : (pli_view){0};
}

const float *pli_deformable_inverse_masses(const pli_world *world, pli_deformable deformable, int32_t *stride)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    *stride = sizeof(pli_particle);
    if (!body || body->count == 0)
        return NULL;
    return body->user_particles ? &body->user_particles->w : &body->particles->w;
}

// The body, when first..first+count-1 are particles of it and the `width` floats of each are finite.
static pli_body *edited(pli_world *world, pli_deformable deformable, int32_t first, int32_t count, const float *values,
                        int32_t width, pli_status *status, pli_error *error)
{
    pli_body *body = pli_body_get(world, deformable, error);
    if (!body) {
        *status = PLI_STATUS_NOT_FOUND;
        return NULL;
    }
    if (first < 0 || count < 0 || first > body->count - count) {
        *status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                           "%d particles from %d on are asked for; '%s' has 0 to %d", (int)count, (int)first,
                           body->name ? body->name : "", (int)body->count - 1);
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
    return body;
}

pli_status pli_deformable_set_positions(pli_world *world, pli_deformable deformable, int32_t first, int32_t count,
                                        const float *positions, pli_error *error)
{
    pli_status status;
    pli_body *body = edited(world, deformable, first, count, positions, 3, &status, error);
    for (int32_t i = 0; body && i < count; i++) {
        pli_particle *p = &body->particles[pli_place(body, first + i)];
        p->x = positions[3 * i], p->y = positions[3 * i + 1], p->z = positions[3 * i + 2];
    }
    if (body) {
        pli_body_publish(body, first, count);
        pli_space_expect_intersections(&world->space);
    }
    return status;
}

pli_status pli_deformable_set_velocities(pli_world *world, pli_deformable deformable, int32_t first, int32_t count,
                                         const float *velocities, pli_error *error)
{
    pli_status status;
    pli_body *body = edited(world, deformable, first, count, velocities, 3, &status, error);
    for (int32_t i = 0; body && i < count; i++) {
        pli_particle *v = &body->velocities[pli_place(body, first + i)];
        v->x = velocities[3 * i], v->y = velocities[3 * i + 1], v->z = velocities[3 * i + 2];
    }
    if (body)
        pli_body_publish(body, first, count);
    return status;
}

pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable deformable, int32_t first, int32_t count,
                                             const float *inverse_masses, pli_error *error)
{
    pli_status status;
    pli_body *body = edited(world, deformable, first, count, inverse_masses, 1, &status, error);
    for (int32_t i = 0; body && i < count; i++) {
        int32_t place = pli_place(body, first + i);
        body->velocities[place].w = inverse_masses[i];
        pli_body_hold(body, place, body->held[place]);
    }
    if (body) {
        pli_body_publish(body, first, count);
        // Held particles are not kept from one another; once let go they are.
        pli_space_expect_intersections(&world->space);
    }
    return status;
}

pli_status pli_deformable_add_force(pli_world *world, pli_deformable deformable, int32_t particle, pli_vec3 force,
                                    pli_error *error)
{
    pli_status status;
    const float values[3] = {force.x, force.y, force.z};
    pli_body *body = edited(world, deformable, particle, 1, values, 3, &status, error);
    if (!body)
        return status;
    if (!body->forces && !(body->forces = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)body->capacity)))
        return pli_fail_memory(error);
    float *sum = body->forces + 3 * pli_place(body, particle);
    sum[0] += force.x, sum[1] += force.y, sum[2] += force.z;
    body->forced = true;
    return status;
}
