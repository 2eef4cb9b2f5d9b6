// Bounds of shapes made from the vertices of a mesh.
#ifndef PLI_SHAPES_VERTICES_H
#define PLI_SHAPES_VERTICES_H

#include "shapes/shape.h"

// Return the reach and the support point of the vertices of def->mesh.
float pli_vertices_reach(const pli_collider_def *def);
pli_vec3 pli_vertices_support(const pli_collider_def *def, pli_vec3 direction);

#endif
