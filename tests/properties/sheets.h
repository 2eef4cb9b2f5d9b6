// Sheets, colliders and worlds that tests of contact share.
#ifndef PLIANT_TESTS_SHEETS_H
#define PLIANT_TESTS_SHEETS_H

#include "crossings.h"
#include "samples.h"

static UNUSED pli_world_def contact_world_def(pli_ccd ccd, int32_t threads)
{
    pli_world_def def = pli_world_def_default();
    def.settings.ccd = ccd;
    def.thread_count = threads;
    return def;
}

static UNUSED pli_transform pose_turned(double degrees, vec axis, vec position)
{
    double half = degrees * acos(-1.0) / 360.0;
    return (pli_transform){
        {(float)position.x, (float)position.y, (float)position.z},
        {(float)(sin(half) * axis.x), (float)(sin(half) * axis.y), (float)(sin(half) * axis.z), (float)cos(half)}};
}

// A cloth with stiff edges and soft bending, of a mesh that is given away.
static UNUSED pli_deformable drop_cloth(pli_world *world, pli_mesh *mesh, pli_transform pose, double thickness,
                                        bool self)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = pose;
    def.thickness = (float)thickness;
    def.self_collision = self;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, cloth, "dihedral", NULL), "compliance", 1e-2);
    return cloth;
}

static UNUSED pli_collider ground(pli_world *world)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    return collider;
}

static UNUSED pli_collider mesh_collider(pli_world *world, pli_mesh *mesh, pli_transform pose, double friction)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    def.mesh = mesh;
    def.pose = pose;
    def.friction = (float)friction;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

static UNUSED pli_statistics statistics_of(const pli_world *world)
{
    pli_statistics s;
    pli_world_get_statistics(world, &s);
    return s;
}

// Steps and counts crossings in every frame.
static UNUSED void run_clean(pli_world *world, int32_t frames, const char *what)
{
    for (int32_t frame = 0; frame < frames; frame++) {
        step(world, 1.0 / 60.0);
        int32_t count = crossings(world);
        pli_statistics s = statistics_of(world);
        holds(count == 0 && s.intersection_count == 0 && s.failed_pair_count == 0,
              "%s, frame %d: %d crossings, %d intersections, %d given up", what, (int)frame, (int)count,
              (int)s.intersection_count, (int)s.failed_pair_count);
        if (count > 0)
            return;
    }
}

#endif
