// The structure of a mesh, and its upper bound on counts.
#ifndef PLI_MESH_MESH_H
#define PLI_MESH_MESH_H

#include "base/memory.h"
#include "pliant/mesh.h"

#include <stdatomic.h>

#define PLI_MESH_DEF_COOKIE 0x6d657368u
#define PLI_PLANT_DEF_COOKIE 0x706c6e74u

// Four times any count still fits an int32_t.
#define PLI_MESH_COUNT_MAX (INT32_MAX / 4)

struct pli_mesh {
    pli_memory memory;
    atomic_int references;
    pli_topology topology;
    pli_mesh_report report;
};

#endif
