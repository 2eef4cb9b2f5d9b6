// Irregular triangle meshes: vertices of 4 to 9 neighbours, numbered at random.
#ifndef BENCH_IRREGULAR_MESH_H
#define BENCH_IRREGULAR_MESH_H

#include <pliant/mesh.h>

// The Delaunay triangulation of side x side points in a square of this width [m] in the xz plane: a grid's, each
// moved by up to `jitter` (below 0.5) of the spacing along both axes, those of the border along it.
pli_status bench_create_irregular_sheet(int32_t side, float width, double jitter, pli_mesh **mesh, pli_error *error);
// The spherical Delaunay triangulation of `count` points that lie unevenly over a sphere.
pli_status bench_create_irregular_sphere(int32_t count, float radius, pli_mesh **mesh, pli_error *error);

#endif
