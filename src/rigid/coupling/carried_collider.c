// Contact surfaces of colliders: the triangles of a mesh, or a point or segment with a radius for round shapes.
#include "rigid/coupling/carried_collider.h"

#include "mesh/mesh.h"
#include "particles/store_range.h"
#include "rigid/coupling/rigid_proxy.h"
#include "shapes/shape.h"
#include "shapes/types/shape_table.h"

#include <string.h>

static bool allocate_vertices(pli_world *world, pli_collider_data *collider, const float *positions, int32_t count)
{
    size_t size = 3 * (size_t)count * sizeof(float);
    collider->vertices = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)count);
    collider->next_vertices = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)count);
    bool deforms = pli_shape_at((int32_t)collider->def.shape)->deforms;
    collider->behind = deforms ? PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)count) : NULL;
    if (!collider->vertices || !collider->next_vertices || (deforms && !collider->behind) ||
        !pli_range_take(world, count, &collider->first))
        return false;
    collider->span = count;
    memcpy(collider->vertices, positions, size);
    memcpy(collider->next_vertices, positions, size);
    return true;
}

static bool make_mesh_surface(pli_world *world, pli_collider_data *collider)
{
    pli_memory *memory = &world->memory;
    const pli_topology *t = pli_mesh_topology(collider->mesh);
    const pli_faces faces = pli_faces_of(t);
    bool given = collider->def.positions && pli_shape_at((int32_t)collider->def.shape)->deforms;
    if (!pli_contact_mesh_build(memory, collider->surface, &faces, NULL) ||
        !allocate_vertices(world, collider, given ? collider->def.positions : t->positions, t->vertex_count))
        return false;
    const pli_mesh_report *report = pli_mesh_get_report(collider->mesh);
    collider->surface->closed = report->closed && report->oriented;
    return true;
}

// Whether the shape is all points within a radius of a point or of a segment along local y.
static bool is_thin(const pli_collider_data *collider, pli_shape_core *core)
{
    return pli_shape_core_of(&collider->def, core) && core->radius > 0.0f && core->half_extents.x == 0.0f &&
           core->half_extents.z == 0.0f;
}

// Particles collide with a shape's signed distance if it has one, no rigid body carries it, and it is not narrow compared with
// their triangles.
static bool has_surface(const pli_collider_data *collider)
{
    return collider->rigid || collider->narrow || !pli_shape_row_at_scalar(collider->def.shape)->distances;
}

bool pli_collider_has_triangles(const pli_collider_data *collider)
{
    pli_shape_core core;
    return has_surface(collider) && !is_thin(collider, &core);
}

// Makes a contact mesh of the point or segment at the core, with the radius as its thickness.
static bool make_core_surface(pli_world *world, pli_collider_data *collider, const pli_shape_core *core)
{
    float half = core->half_extents.y;
    const float ends[6] = {0.0f, -half, 0.0f, 0.0f, half, 0.0f};
    int32_t count = half > 0.0f ? 2 : 1;
    collider->surface->radius = core->radius;
    return pli_contact_mesh_build_thin(&world->memory, collider->surface, ends, count) &&
           allocate_vertices(world, collider, ends, count);
}

void pli_collider_set_material(pli_collider_data *collider)
{
    collider->surface->collider = true;
    collider->surface->rigid = collider->rigid;
    collider->surface->material = (pli_contact_mesh_material){
        .thickness = collider->def.thickness,
        .friction = collider->def.friction,
        .restitution = collider->def.restitution,
        .layers = collider->def.layers,
        .mask = collider->def.mask,
        .width = collider->narrow ? pli_shape_width(&collider->def) : 0.0f,
        // A point or segment with a radius has no faces; its contacts are on the outside in any case.
        .one_sided = collider->def.one_sided && pli_collider_has_triangles(collider),
    };
}

bool pli_collider_take_surface(pli_world *world, pli_collider_data *collider)
{
    pli_shape_core core;
    if (!has_surface(collider))
        return true;
    if (!(collider->surface = PLI_ALLOCATE(&world->memory, pli_contact_mesh, 1)))
        return false;
    pli_collider_set_material(collider);
    return is_thin(collider, &core) ? make_core_surface(world, collider, &core) : make_mesh_surface(world, collider);
}

// Places the vertices at the pose of the body. Returns the square of their largest displacement [m2].
static float carried_place(const pli_world *world, const pli_collider_data *collider)
{
    pli_transform pose = pli_transform_multiply(pli_rigid_frame(collider->rigid, &collider->rigid->now.pose),
                                                collider->next);
    pli_particle *p = world->store.particles + collider->first;
    float square = 0.0f;
    for (int32_t v = 0; v < collider->span; v++) {
        const float *local = collider->vertices + 3 * v;
        const pli_vec3 at = pli_transform_point(pose, (pli_vec3){local[0], local[1], local[2]}),
                       moved = pli_sub(at, pli_position_of(&p[v]));
        p[v].x = at.x, p[v].y = at.y, p[v].z = at.z;
        square = fmaxf(square, pli_dot(moved, moved));
    }
    return square;
}

void pli_world_place_carried(pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_at(world, i)->placed_pose = pli_rigid_at(world, i)->now.pose;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = (pli_collider_data *)(void *)world->colliders.items[i];
        if (collider->rigid)
            carried_place(world, collider);
    }
}

void pli_world_stop_rigid(pli_world *world, pli_rigid_body_data *body, float share)
{
    float square = 0.0f;
    pli_rigid_stop_at(body, (double)share);
    body->placed_pose = body->now.pose;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = (pli_collider_data *)(void *)world->colliders.items[i];
        if (collider->rigid == body)
            square = fmaxf(square, carried_place(world, collider));
    }
    body->lost += sqrt((double)square);
}
