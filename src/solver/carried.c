#include "solver/carried.h"

#include "mesh/mesh.h"
#include "solver/proxy.h"
#include "solver/range.h"
#include "shapes/shape.h"

#include <string.h>

static bool take_vertices(pli_world *world, pli_solid *solid, const float *positions, int32_t count)
{
    size_t size = 3 * (size_t)count * sizeof(float);
    solid->vertices = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)count);
    solid->next_vertices = PLI_ALLOCATE(&world->memory, float, 3 * (int64_t)count);
    if (!solid->vertices || !solid->next_vertices || !pli_range_take(world, count, &solid->first))
        return false;
    solid->span = count;
    memcpy(solid->vertices, positions, size);
    memcpy(solid->next_vertices, positions, size);
    return true;
}

static bool take_mesh(pli_world *world, pli_solid *solid)
{
    pli_memory *memory = &world->memory;
    const pli_topology *t = pli_mesh_topology(solid->mesh);
    const pli_faces faces = pli_faces_of(t);
    if (!pli_surface_build(memory, solid->surface, &faces, NULL) ||
        !take_vertices(world, solid, t->positions, t->vertex_count))
        return false;
    const pli_mesh_report *report = pli_mesh_get_report(solid->mesh);
    solid->surface->closed = report->closed && report->oriented;
    return true;
}

// Whether the shape is all points within a radius of a point or of a segment along local y.
static bool is_thin(const pli_solid *solid, pli_shape_core *core)
{
    return pli_shape_core_of(&solid->def, core) && core->radius > 0.0f && core->half_extents.x == 0.0f &&
           core->half_extents.z == 0.0f;
}

// Particles meet a shape by its distance when it has one and no body carries it.
static bool has_surface(const pli_solid *solid)
{
    return solid->rigid || !pli_shape_row_at_scalar(solid->def.shape)->find;
}

bool pli_solid_has_triangles(const pli_solid *solid)
{
    pli_shape_core core;
    return has_surface(solid) && !is_thin(solid, &core);
}

// The point or segment at the core.
static bool take_core(pli_world *world, pli_solid *solid, const pli_shape_core *core)
{
    float half = core->half_extents.y;
    const float ends[6] = {0.0f, -half, 0.0f, 0.0f, half, 0.0f};
    int32_t count = half > 0.0f ? 2 : 1;
    solid->surface->radius = core->radius;
    return pli_surface_build_thin(&world->memory, solid->surface, ends, count) &&
           take_vertices(world, solid, ends, count);
}

static void set_material(pli_solid *solid)
{
    solid->surface->collider = true;
    solid->surface->rigid = solid->rigid;
    solid->surface->material = (pli_surface_material){
        .thickness = solid->def.thickness,
        .friction = solid->def.friction,
        .restitution = solid->def.restitution,
        .layers = solid->def.layers,
        .mask = solid->def.mask,
        .one_sided = solid->def.one_sided,
    };
}

bool pli_solid_take_surface(pli_world *world, pli_solid *solid)
{
    pli_shape_core core;
    if (!has_surface(solid))
        return true;
    if (!(solid->surface = PLI_ALLOCATE(&world->memory, pli_surface, 1)))
        return false;
    set_material(solid);
    return is_thin(solid, &core) ? take_core(world, solid, &core) : take_mesh(world, solid);
}

void pli_world_lay_carried(pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_at(world, i)->laid = pli_rigid_at(world, i)->now.pose;
    for (int32_t i = 0; i < world->solids.count; i++) {
        pli_solid *solid = (pli_solid *)(void *)world->solids.items[i];
        if (!solid->rigid)
            continue;
        pli_transform pose = pli_transform_times(pli_rigid_frame(solid->rigid, &solid->rigid->now.pose), solid->next);
        pli_particle *p = world->store.particles + solid->first;
        for (int32_t v = 0; v < solid->span; v++) {
            const float *local = solid->vertices + 3 * v;
            pli_vec3 at = pli_transform_point(pose, (pli_vec3){local[0], local[1], local[2]});
            p[v].x = at.x, p[v].y = at.y, p[v].z = at.z;
        }
    }
}
