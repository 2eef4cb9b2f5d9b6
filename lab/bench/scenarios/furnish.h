// Cloth, balloons and shapes for the builders of scenarios.
#ifndef BENCH_FURNISH_H
#define BENCH_FURNISH_H

#include "bench/scenarios/scenario.h"

// Edges that keep their length, and bending as of cotton (rigidity 1e-4 N m by the isometric model).
pli_status bench_add_cloth_sets(pli_world *world, pli_deformable cloth, pli_error *error);
// The sets of a balloon: edges of this compliance [m/N], the bending of cotton, and `pressure` times the volume.
pli_status bench_add_balloon_sets(pli_world *world, pli_deformable balloon, double compliance, double pressure,
                                  pli_error *error);
// A deformable of cloth in `mesh` at `pose`; the mesh is released, also after a failure before this (null).
pli_status bench_add_cloth(bench_live *live, pli_mesh *mesh, pli_transform pose, bool self_collision,
                           pli_deformable *cloth, pli_error *error);
pli_status bench_add_shape(pli_world *world, pli_shape shape, float radius, pli_vec3 position, pli_error *error);
// The ground at y = 0.
pli_status bench_add_ground(pli_world *world, pli_error *error);
// Holds particles in a frame and gives it to the actor.
pli_status bench_hold(bench_live *live, pli_deformable cloth, const int32_t *particles, int32_t count,
                      pli_transform pose, bench_actor *actor, pli_error *error);

#endif
