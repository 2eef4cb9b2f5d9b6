// Chooses the model that bends a sheet: the plate, which is solved, or hinges, which are swept.
#include "pliant/material.h"

// The factorisation of more vertices than this takes gigabytes of memory and a minute.
enum { MOST_OF_PLATE = 300000 };

const char *pli_mesh_recommended_bending(const pli_mesh *mesh)
{
    return pli_mesh_topology(mesh)->vertex_count <= MOST_OF_PLATE ? "plate" : "dihedral";
}
