// Creates and moves the colliders of a world, and places them for a substep.
#include "world/collider.h"

#include "base/layers.h"
#include "collision/particle_contact/particle_contact.h"
#include "collision/shape_contact/shape_contact.h"
#include "properties/groups.h"
#include "model/handles.h"
#include "model/origin.h"
#include "particles/store_range.h"
#include "pliant/contact.h"
#include "pliant/placing.h"
#include "query/collider_place.h"
#include "rigid/coupling/carried_collider.h"
#include "rigid/coupling/rigid_proxy.h"
#include "shapes/shape.h"
#include "shapes/types/shape_table.h"

#include <string.h>

pli_collider_def pli_collider_def_default(void)
{
    pli_collider_def standard = {.pose = pli_transform_identity()};
    pli_descriptor_write_defaults(&pli_collider_descriptors, &standard);
    return standard;
}

// Checks only the sizes that the shape uses.
static pli_status check_properties(const pli_collider_def *def, pli_error *error)
{
    const pli_descriptor_group *group = &pli_collider_descriptors;
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *property = &group->properties[i];
        double values[3];
        if (property->kind == PLI_PROPERTY_BOOLEAN || !pli_property_applies(group, property, def))
            continue;
        pli_property_read(property, def, values);
        pli_status status = pli_property_check(property, values, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return pli_succeed(error);
}

static pli_status check_positions(const float *positions, int32_t count, pli_error *error)
{
    for (int32_t i = 0; i < 3 * count; i++)
        if (!isfinite(positions[i]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the position of collider vertex %d is not finite",
                            (int)(i / 3));
    return pli_succeed(error);
}

static pli_status check_collider(pli_collider_def *def, pli_error *error)
{
    const char *name = pli_choice_name("shape", (int32_t)def->shape);
    pli_status status = pli_shape_check(def, error);
    pli_error found;
    if (status != PLI_STATUS_OK)
        return status;
    if (check_properties(def, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "the %s collider's %.400s", name, found.message);
    if (!pli_transform_check(&def->pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the %s collider's pose must be finite, with a unit "
                        "rotation",
                        name);
    bool placed = def->positions && def->mesh && pli_shape_at((int32_t)def->shape)->deforms;
    return placed ? check_positions(def->positions, pli_mesh_topology(def->mesh)->vertex_count, error)
                  : pli_succeed(error);
}

// References or builds the triangles of a collider that collides as a surface.
static pli_status take_mesh(pli_world *world, pli_collider_data *collider, pli_error *error)
{
    pli_mesh *mesh = NULL;
    if (!pli_collider_has_triangles(collider))
        return PLI_STATUS_OK;
    pli_status status = pli_shape_tessellate(&collider->def, PLI_SHAPE_RESOLUTION, &world->memory.hooks, &mesh, error);
    collider->mesh = mesh;
    return status;
}

static void release_surface(pli_world *world, const pli_collider_data *collider)
{
    pli_contact_mesh_free(&world->memory, collider->surface);
    pli_release(&world->memory, collider->vertices);
    pli_release(&world->memory, collider->next_vertices);
    pli_release(&world->memory, collider->behind);
    pli_mesh_destroy((pli_mesh *)collider->mesh);
}

void pli_collider_free(pli_world *world, pli_collider_data *collider)
{
    if (collider->id)
        pli_world_forget_contacts(world);
    pli_list_remove(&world->colliders, collider);
    world->collision.stirred = true;
    pli_range_return(world, collider->first, collider->span);
    release_surface(world, collider);
    pli_release(&world->memory, collider);
}

pli_status pli_collider_create(pli_world *world, const pli_collider_def *def, pli_collider *handle, pli_error *error)
{
    *handle = (pli_collider){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_collider_def checked = *def;
    pli_status status = check_collider(&checked, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_rigid_body_data *rigid = def->body.id ? pli_rigid_get(world, def->body, error) : NULL;
    if (def->body.id && !rigid)
        return PLI_STATUS_NOT_FOUND;
    if (rigid && !pli_shape_at((int32_t)def->shape)->bounded)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "a rigid body cannot carry a %s; give it a box",
                        pli_choice_name("shape", (int32_t)def->shape));
    pli_memory *memory = &world->memory;
    pli_collider_data *collider = PLI_ALLOCATE(memory, pli_collider_data, 1);
    if (!collider)
        return pli_fail_memory(error);
    collider->def = checked;
    collider->next = checked.pose;
    collider->rigid = rigid;
    status = take_mesh(world, collider, error);
    if (status != PLI_STATUS_OK) {
        pli_collider_free(world, collider);
        return status;
    }
    if (!pli_reserve(memory, &world->during.analytic.shapes, &world->during.analytic.capacity,
                     (int64_t)world->colliders.count + 1, sizeof *world->during.analytic.shapes) ||
        !pli_list_add(memory, &world->colliders, collider) || !pli_collider_take_surface(world, collider)) {
        pli_collider_free(world, collider);
        return pli_fail_memory(error);
    }
    collider->def.mesh = collider->mesh;
    collider->def.positions = NULL;
    collider->def.body = def->body;
    collider->id = ++world->last_id;
    *handle = (pli_collider){collider->id, world->tag};
    pli_collision_expect_intersections(&world->collision);
    return pli_succeed(error);
}

pli_status pli_collider_destroy(pli_world *world, pli_collider handle, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    pli_collider_free(world, collider);
    return pli_succeed(error);
}

pli_status pli_collider_set_pose(pli_world *world, pli_collider handle, pli_transform pose, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    if (!pli_transform_check(&pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the pose must be finite, with a unit rotation");
    collider->next = pose;
    return pli_succeed(error);
}

pli_status pli_collider_teleport(pli_world *world, pli_collider handle, pli_transform pose, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status = pli_collider_set_pose(world, handle, pose, error);
    pli_collider_data *collider = pli_collider_data_of(world, handle, NULL);
    if (status != PLI_STATUS_OK)
        return status;
    collider->def.pose = collider->next;
    collider->lags = false;
    pli_collider_forget_place(collider);
    pli_collision_expect_intersections(&world->collision);
    return status;
}

pli_status pli_collider_get_def(const pli_world *world, pli_collider handle, pli_collider_def *def, pli_error *error)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    *def = collider->def;
    return pli_succeed(error);
}

// Whether the definitions lead to different triangles or vertices.
static bool has_other_shape(const pli_collider_def *a, const pli_collider_def *b)
{
    const pli_vec3 *p = &a->half_extents, *q = &b->half_extents;
    return a->shape != b->shape || a->mesh != b->mesh || a->positions || a->radius != b->radius ||
           a->half_height != b->half_height || a->top_radius != b->top_radius || p->x != q->x || p->y != q->y ||
           p->z != q->z;
}

// Builds triangles, vertices and surface of a new definition, and removes the animation, which does not fit it. On failure
// nothing changes.
static pli_status reshape(pli_world *world, pli_collider_data *collider, const pli_collider_def *def, pli_error *error)
{
    const pli_collider_data old = *collider;
    collider->def = *def;
    collider->mesh = NULL, collider->surface = NULL;
    collider->vertices = collider->next_vertices = collider->behind = NULL;
    collider->span = 0, collider->moving = collider->is_behind = collider->lags = false, collider->source = NULL;
    pli_status status = take_mesh(world, collider, error);
    if (status == PLI_STATUS_OK && !pli_collider_take_surface(world, collider))
        status = pli_fail_memory(error);
    if (status != PLI_STATUS_OK) {
        int32_t first = collider->first, span = collider->span;
        release_surface(world, collider);
        *collider = old;
        pli_range_return(world, first, span);
        return status;
    }
    release_surface(world, &old);
    pli_range_return(world, old.first, old.span);
    pli_world_expect_contacts(world);
    world->collision.surface_count = 0, world->collision.particle_lists.has_any = false;
    return status;
}

// Whether the collider is so narrow that it could pass through the triangles of a deformable.
static bool is_narrow(const pli_world *world, const pli_collider_data *collider)
{
    float width = pli_shape_width(&collider->def);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (pli_is_narrow(width, deformable->rest.longest_edge) &&
            pli_layers_meet(deformable->def.layers, deformable->def.mask, collider->def.layers, collider->def.mask))
            return true;
    }
    return false;
}

// Builds or removes the surface of a collider that collides with particles by distance. If its triangles cannot be built, it
// collides with particles only.
static bool update_collider_surface(pli_world *world, pli_collider_data *collider, bool narrow)
{
    bool before = collider->narrow, lags = collider->lags;
    collider->narrow = narrow;
    pli_status status = reshape(world, collider, &collider->def, NULL);
    if (status != PLI_STATUS_OK) {
        collider->narrow = before;
        return status != PLI_STATUS_OUT_OF_MEMORY;
    }
    collider->lags = lags;
    collider->def.mesh = collider->mesh;
    pli_collider_forget_place(collider);
    return true;
}

bool pli_world_update_narrow_shapes(pli_world *world)
{
    if (!pli_bvh16_reserve(&world->memory, &world->during.analytic.tree, world->colliders.count))
        return false;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = pli_collider_at(world, i);
        if (collider->rigid || !pli_shape_row_at_scalar(collider->def.shape)->distances)
            continue;
        bool narrow = is_narrow(world, collider);
        if ((narrow != collider->narrow || narrow != (collider->surface != NULL)) &&
            !update_collider_surface(world, collider, narrow))
            return false;
    }
    return true;
}

// Checks a new definition for an existing collider, and fills in the fields that are not read from it.
static pli_status check_collider_change(const pli_collider_data *collider, pli_collider_def *def, pli_error *error)
{
    def->pose = collider->def.pose;
    pli_status status = check_collider(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_shape_info *shape = pli_shape_at((int32_t)def->shape);
    if (def->body.id != collider->def.body.id || def->body.world != collider->def.body.world)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "a collider keeps its rigid body; make another one");
    if (collider->rigid && !shape->bounded)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "a rigid body cannot carry a %s; give it a box", shape->name);
    if (!shape->takes_mesh)
        def->mesh = collider->def.mesh;
    if (!shape->deforms)
        def->positions = NULL;
    return pli_succeed(error);
}

pli_status pli_collider_set_def(pli_world *world, pli_collider handle, const pli_collider_def *def, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_collider_def full = *def;
    pli_status status = check_collider_change(collider, &full, error);
    const bool reshaped = status == PLI_STATUS_OK && has_other_shape(&full, &collider->def);
    if (reshaped)
        status = reshape(world, collider, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (reshaped)
        pli_world_forget_contacts(world);
    collider->def = full;
    collider->def.mesh = collider->mesh, collider->def.positions = NULL;
    pli_collider_forget_place(collider);
    pli_collision_expect_intersections(&world->collision);
    return pli_succeed(error);
}

pli_status pli_collider_pose(const pli_world *world, pli_collider handle, pli_transform *pose, pli_error *error)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    *pose = collider->rigid ? pli_world_pose(world, pli_collider_pose_now(world, collider)) : collider->def.pose;
    return pli_succeed(error);
}

pli_status pli_collider_get_local_pose(const pli_world *world, pli_collider handle, pli_transform *pose,
                                       pli_error *error)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    *pose = collider->rigid || pli_world_is_offset(world) ? pli_collider_pose_now(world, collider) : collider->def.pose;
    return pli_succeed(error);
}

bool pli_collider_ray(const pli_world *world, pli_collider handle, pli_vec3 origin, pli_vec3 direction, float reach,
                      float *distance, pli_vec3 *normal)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, NULL);
    if (!collider)
        return false;
    pli_transform pose = pli_collider_pose_now(world, collider);
    origin = pli_transform_inverse_point(pose, pli_local_point(world, origin));
    direction = pli_rotate(pli_conjugate(pose.rotation), direction);
    bool given = pli_shape_at((int32_t)collider->def.shape)->takes_mesh;
    bool met = given ? pli_triangles_ray(pli_mesh_topology(collider->mesh), collider->vertices, origin, direction,
                                         reach, distance, normal)
                     : pli_shape_ray(&collider->def, origin, direction, reach, distance, normal);
    if (met)
        *normal = pli_rotate(pose.rotation, *normal);
    return met;
}

pli_collider pli_world_collider_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->colliders.count ? *world->colliders.items[i] : 0;
    return (pli_collider){id, id ? world->tag : 0};
}

int32_t pli_world_collider_count(const pli_world *world) { return world->colliders.count; }

static pli_collider_data *collider_at(const pli_world *world, int32_t i)
{
    return (pli_collider_data *)(void *)world->colliders.items[i];
}

pli_status pli_collider_set_vertices(pli_world *world, pli_collider handle, const float *positions, int32_t count,
                                     pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    if (!pli_shape_at((int32_t)collider->def.shape)->deforms)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "only mesh colliders deform; this one is a %s",
                        pli_choice_name("shape", (int32_t)collider->def.shape));
    if (count != collider->span)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "%d vertices are given for a collider mesh of %d; an "
                        "animation must keep the number of vertices",
                        (int)count, (int)collider->span);
    pli_status status = check_positions(positions, count, error);
    if (status != PLI_STATUS_OK)
        return status;
    memcpy(collider->next_vertices, positions, 3 * (size_t)count * sizeof(float));
    collider->moving = true;
    return pli_succeed(error);
}

pli_status pli_collider_teleport_vertices(pli_world *world, pli_collider handle, const float *positions, int32_t count,
                                          pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status = pli_collider_set_vertices(world, handle, positions, count, error);
    pli_collider_data *collider = pli_collider_data_of(world, handle, NULL);
    if (status != PLI_STATUS_OK)
        return status;
    memcpy(collider->vertices, collider->next_vertices, 3 * (size_t)count * sizeof(float));
    collider->moving = collider->lags = false;
    pli_collider_forget_place(collider);
    pli_collision_expect_intersections(&world->collision);
    return status;
}

pli_status pli_collider_set_source(pli_world *world, pli_collider handle, pli_vertex_source source, void *user,
                                   pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    if (!pli_shape_at((int32_t)collider->def.shape)->deforms)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "only mesh colliders deform; this one is a %s",
                        pli_choice_name("shape", (int32_t)collider->def.shape));
    collider->source = source;
    collider->source_user = user;
    return pli_succeed(error);
}

pli_view pli_collider_vertices(const pli_world *world, pli_collider handle)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, NULL);
    bool given = collider && pli_shape_at((int32_t)collider->def.shape)->takes_mesh;
    return given ? (pli_view){collider->vertices, collider->span, 3 * sizeof(float)} : (pli_view){0};
}

const pli_mesh *pli_collider_mesh(const pli_world *world, pli_collider handle)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, NULL);
    return collider ? collider->mesh : NULL;
}

pli_status pli_world_read_sources(pli_world *world, double time, pli_error *error)
{
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = collider_at(world, i);
        if (!collider->source)
            continue;
        if (!collider->source(collider->source_user, time, collider->next_vertices)) {
            collider->source = NULL;
            memcpy(collider->next_vertices, collider->vertices, 3 * (size_t)collider->span * sizeof(float));
            continue;
        }
        for (int32_t k = 0; k < 3 * collider->span; k++)
            if (!isfinite(collider->next_vertices[k])) {
                memcpy(collider->next_vertices, collider->vertices, 3 * (size_t)collider->span * sizeof(float));
                return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                                "the source of collider %d gave a position that is "
                                "not finite for vertex %d",
                                (int)i, (int)(k / 3));
            }
        collider->moving = true;
    }
    return pli_succeed(error);
}

static void place_vertices(const pli_collider_data *collider, const pli_placement *at, pli_particle *out)
{
    for (int32_t v = 0; v < collider->span; v++)
        out[v] = pli_collider_vertex_at(collider, v, at);
}

// Places vertices that were stopped before their targets: they continue from their positions over the rest of the step.
static void place_behind(const pli_world *world, const pli_collider_data *collider, const pli_placement *from,
                         const pli_placement *to)
{
    pli_particle *previous = world->store.previous + collider->first,
                 *particles = world->store.particles + collider->first;
    const pli_local_frame last_frame = pli_collider_far_frame(world, collider, 1.0f);
    const pli_placement last = {pli_collider_pose_at(world, collider, NULL, 1.0f), to->far ? &last_frame : NULL, 1.0f};
    for (int32_t v = 0; v < collider->span; v++) {
        const float *behind = collider->behind + 3 * v;
        const pli_particle start = pli_collider_vertex_at(collider, v, from);
        previous[v] = from->part > 0.0f     ? particles[v]
                      : collider->is_behind ? (pli_particle){behind[0], behind[1], behind[2], 0.0f}
                                            : start;
        particles[v] = pli_collider_vertex_at(collider, v, to->part < 1.0f ? to : &last);
        if (!(to->part < 1.0f) || pli_is_same_place(&previous[v], &start))
            continue;
        const pli_particle *at = &previous[v], end = pli_collider_vertex_at(collider, v, &last);
        float share = (to->part - from->part) / (1.0f - from->part);
        particles[v] = (pli_particle){at->x + share * (end.x - at->x), at->y + share * (end.y - at->y),
                                      at->z + share * (end.z - at->z), 0.0f};
    }
}

static void derive_vertices(const pli_store *store, const pli_collider_data *collider, float step)
{
    const pli_particle *previous = store->previous + collider->first, *particles = store->particles + collider->first;
    for (int32_t v = 0; v < collider->span; v++)
        store->velocities[collider->first + v] = (pli_particle){(particles[v].x - previous[v].x) / step,
                                                                (particles[v].y - previous[v].y) / step,
                                                                (particles[v].z - previous[v].z) / step, 0.0f};
}

// Whether the collider follows its entire path in this step, whatever it touches.
static bool insists(const pli_collider_data *collider)
{
    if (collider->rigid)
        return false;
    return collider->def.yields == PLI_YIELDS_CLOTH || (collider->def.yields == PLI_YIELDS_AUTO && collider->moving);
}

static void place_collider(pli_world *world, pli_collider_data *collider, const pli_moving_shape *shape, float from,
                           float to, float step)
{
    pli_store *store = &world->store;
    pli_particle *previous = store->previous + collider->first, *particles = store->particles + collider->first;
    bool goes_on = collider->is_behind || collider->surface->path.lagged;
    collider->surface->path.moving = collider->moving || !shape->rests || goes_on;
    // Animated vertices have no intermediate pose, and yield individually.
    bool led = !collider->rigid &&
               (collider->lags_far ||
                !pli_same_pose(collider->yielded ? &collider->yielded_at : &collider->def.pose, &collider->next));
    collider->surface->path.insists = insists(collider);
    collider->surface->path.bends = !collider->rigid && !collider->surface->path.insists &&
                                    (collider->moving || goes_on);
    collider->surface->path.yields = led && !collider->surface->path.bends && !collider->surface->path.insists;
    // A collider that does not move keeps its placed vertices, so that its size costs nothing.
    if (collider->placed && !collider->rigid && !collider->surface->path.moving &&
        pli_same_pose(&shape->from, &collider->placed_at))
        return;
    collider->placed = !collider->surface->path.moving;
    collider->placed_at = shape->from;
    const bool far = pli_collider_is_far(world, collider);
    const pli_placement start = {shape->from, far ? &collider->far_from : NULL, from},
                        end = {shape->to, far ? &collider->far_to : NULL, to};
    if (!collider->rigid && goes_on) {
        place_behind(world, collider, &start, &end);
    } else {
        place_vertices(collider, &start, previous);
        place_vertices(collider, &end, particles);
    }
    derive_vertices(store, collider, step);
}

// Stores the pose at which a collider is stopped at the end of this substep.
static void note_stop(const pli_world *world, pli_collider_data *collider, const pli_moving_shape *shape)
{
    collider->yielded_at = shape->to;
    if (!pli_collider_is_far(world, collider))
        return;
    collider->far_yielded = collider->far_to;
    collider->yielded_at = pli_world_pose(world, pli_local_frame_rounded(&collider->far_to));
}

void pli_collider_yield(void *user, int32_t number, float share)
{
    pli_world *world = user;
    pli_collider_data *collider = collider_at(world, number);
    pli_moving_shape *shape = &world->during.analytic.shapes[number];
    if (collider->rigid) {
        pli_world_stop_rigid(world, collider->rigid, share);
        return;
    }
    const bool far = pli_collider_is_far(world, collider);
    shape->to = share > 0.0f ? pli_transform_between(shape->from, shape->to, share) : shape->from;
    if (far)
        collider->far_to = pli_local_frame_mix(&collider->far_from, &collider->far_to, (double)share);
    note_stop(world, collider, shape);
    collider->yielded = true, collider->since = world->collision.substep.reached;
    shape->stopped = true;
    if (!collider->surface)
        return;
    const pli_placement at = {shape->to, far ? &collider->far_to : NULL, 0.0f};
    place_vertices(collider, &at, world->store.particles + collider->first);
    derive_vertices(&world->store, collider, world->collision.substep.length);
}

void pli_world_place_shapes(pli_world *world, float from, float to, float step)
{
    world->collision.substep.reached = to;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = collider_at(world, i);
        collider->yielded = collider->yielded && from > 0.0f;
        if (collider->surface && !(from > 0.0f))
            collider->surface->path.lagged = false;
        if (pli_collider_is_far(world, collider)) {
            collider->far_from = pli_collider_far_frame(world, collider, from);
            collider->far_to = pli_collider_far_frame(world, collider, to);
        }
        world->during.analytic.shapes[i] = (pli_moving_shape){
            .def = &collider->def,
            .find = collider->surface && !collider->narrow ? NULL : world->kernels->shape_at(collider->def.shape)->find,
            .from = pli_collider_pose_at(world, collider, collider->rigid ? &collider->rigid->previous : NULL, from),
            .to = pli_collider_pose_at(world, collider, collider->rigid ? &collider->rigid->placed_pose : NULL, to),
        };
        pli_moving_shape *shape = &world->during.analytic.shapes[i];
        shape->rests = pli_same_pose(&shape->from, &shape->to);
        if (collider->surface && (to >= 1.0f || !pli_collider_meets_nothing(collider)))
            place_collider(world, collider, shape, from, to, step);
        if (shape->find)
            shape->reach = pli_shape_reach(&collider->def), shape->width = pli_shape_width(&collider->def);
    }
    pli_shapes_place(&world->during.analytic.tree, world->during.analytic.shapes);
}

// The offset of a yielded collider from its target; without a surface, the offset of its origin.
static double lag_of(const pli_world *world, const pli_collider_data *collider)
{
    const bool far = pli_collider_is_far(world, collider);
    const pli_local_frame frame = pli_collider_far_frame(world, collider, 1.0f);
    const pli_placement now = {collider->yielded_at, far ? &collider->far_yielded : NULL, 0.0f},
                        end = {collider->next, far ? &frame : NULL, 0.0f};
    float square = 0.0f;
    if (!collider->surface)
        return (double)pli_length(pli_sub(collider->next.position, collider->yielded_at.position));
    for (int32_t v = 0; v < collider->span; v++) {
        const pli_particle at = pli_collider_vertex_at(collider, v, &now),
                           wanted = pli_collider_vertex_at(collider, v, &end);
        const pli_vec3 behind = pli_sub(pli_position_of(&wanted), pli_position_of(&at));
        square = pli_dot(behind, behind) > square ? pli_dot(behind, behind) : square;
    }
    return sqrt((double)square);
}

// A position in the collider's frame.
static pli_vec3 local_of(const pli_placement *at, pli_vec3 place)
{
    if (!at->far)
        return pli_transform_inverse_point(at->pose, place);
    return pli_rounded(pli_local_frame_unturn(at->far, pli_dsub(pli_widened(place), at->far->position)));
}

// Stores the positions of the vertices of a collider that bends, and their offset from their targets. `vertices` become these
// positions, rounded in its frame.
static void finish_bending(const pli_world *world, pli_collider_data *collider)
{
    const pli_particle *particles = world->store.particles + collider->first;
    const pli_local_frame frame = pli_collider_far_frame(world, collider, 1.0f);
    const pli_placement last = {collider->next, pli_collider_is_far(world, collider) ? &frame : NULL, 1.0f};
    float square = 0.0f;
    collider->lagging = 0;
    for (int32_t v = 0; v < collider->span; v++) {
        const pli_particle *at = &particles[v], end = pli_collider_vertex_at(collider, v, &last);
        const pli_vec3 place = pli_position_of(at), missing = pli_sub(pli_position_of(&end), place);
        float *behind = collider->behind + 3 * v, *vertex = collider->vertices + 3 * v;
        behind[0] = at->x, behind[1] = at->y, behind[2] = at->z;
        memcpy(vertex, collider->next_vertices + 3 * v, 3 * sizeof(float));
        if (pli_is_same_place(at, &end))
            continue;
        const pli_vec3 local = local_of(&last, place);
        vertex[0] = local.x, vertex[1] = local.y, vertex[2] = local.z;
        square = fmaxf(square, pli_dot(missing, missing));
        collider->lagging++;
    }
    collider->lags = collider->is_behind = collider->lagging > 0;
    collider->lag = sqrt((double)square);
    collider->lags_far = false;
    collider->def.pose = collider->next;
}

static void finish_whole(const pli_world *world, pli_collider_data *collider, int32_t number)
{
    // A collider that yielded in an earlier substep may have continued since.
    if (collider->yielded)
        note_stop(world, collider, &world->during.analytic.shapes[number]);
    const bool far = pli_collider_is_far(world, collider);
    const pli_local_frame end = pli_local_frame_between(world, collider->next, collider->next, 1.0f);
    bool there = far ? memcmp(&collider->far_yielded, &end, sizeof end) == 0
                     : pli_same_pose(&collider->yielded_at, &collider->next);
    collider->lags = collider->yielded && !there;
    collider->lag = collider->lags ? lag_of(world, collider) : 0.0;
    collider->lags_far = collider->lags && far;
    collider->far_lag = collider->far_yielded;
    collider->def.pose = collider->lags ? collider->yielded_at : collider->next;
    collider->is_behind = false;
    if (collider->moving)
        memcpy(collider->vertices, collider->next_vertices, 3 * (size_t)collider->span * sizeof(float));
}

void pli_world_finish_shapes(pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = collider_at(world, i);
        const pli_contact_mesh *s = collider->surface;
        if (s && s->path.bends && (s->path.lagged || collider->is_behind))
            finish_bending(world, collider);
        else
            finish_whole(world, collider, i);
        if (s && s->path.moving)
            pli_contact_mesh_invalidate(collider->surface);
        collider->moving = false;
    }
}
