#include "solver/carried.h"

#include "mesh/mesh.h"
#include "solver/proxy.h"
#include "solver/range.h"

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
    const pli_mesh_report *report = pli_mesh_report_get(solid->mesh);
    solid->surface->closed = report->closed && report->oriented;
    return true;
}

// The segment at the core of a sphere or capsule.
static bool take_core(pli_world *world, pli_solid *solid)
{
    float half = solid->def.shape == PLI_SHAPE_CAPSULE ? solid->def.half_height : 0.0f;
    const float ends[6] = {0.0f, -half, 0.0f, 0.0f, half, 0.0f};
    int32_t count = half > 0.0f ? 2 : 1;
    solid->surface->radius = solid->def.radius;
    return pli_surface_build_thin(&world->memory, solid->surface, ends, count) &&
           take_vertices(world, solid, ends, count);
}

static bool make_box(pli_world *world, pli_solid *solid)
{
    pli_mesh *box = NULL;
    static const int32_t corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    static const int32_t sizes[6] = {4, 4, 4, 4, 4, 4};
    pli_vec3 half = solid->def.half_extents;
    float positions[24];
    for (int32_t v = 0; v < 8; v++) {
        positions[3 * v] = v & 1 ? half.x : -half.x;
        positions[3 * v + 1] = v & 2 ? half.y : -half.y;
        positions[3 * v + 2] = v & 4 ? half.z : -half.z;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.hooks = world->memory.hooks;
    def.positions = positions, def.vertex_count = 8;
    def.face_vertices = corners, def.face_sizes = sizes, def.face_count = 6;
    pli_status status = pli_mesh_create(&def, &box, NULL);
    solid->mesh = box;
    return status == PLI_STATUS_OK;
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
    pli_shape shape = solid->def.shape;
    bool has_mesh = shape == PLI_SHAPE_MESH || shape == PLI_SHAPE_HULL;
    if (!has_mesh && !solid->rigid)
        return true;
    if (!(solid->surface = PLI_ALLOCATE(&world->memory, pli_surface, 1)))
        return false;
    set_material(solid);
    if (shape == PLI_SHAPE_SPHERE || shape == PLI_SHAPE_CAPSULE)
        return take_core(world, solid);
    if (shape == PLI_SHAPE_BOX && !make_box(world, solid))
        return false;
    return take_mesh(world, solid);
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
