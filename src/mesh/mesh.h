// The structure of a mesh, and its upper bound on counts.
#ifndef PLI_MESH_MESH_H
#define PLI_MESH_MESH_H

#include "base/memory.h"
#include "pliant/mesh.h"

#include <stdatomic.h>

// Four times any count still fits an int32_t.
#define PLI_MESH_COUNT_MAX (INT32_MAX / 4)

struct pli_mesh {
    pli_memory memory;
    atomic_int references;
    pli_topology topology;
    pli_mesh_report report;
    atomic_int later; // Progress of pli_mesh_topology, which fills the remaining arrays on demand.
};

// Fills mesh->topology and the measures of mesh->report from a complete draft. The mesh then owns the arrays that it
// keeps; others are released as soon as nothing needs them. The counts of the report are those of the draft, whose
// edges must be manifold. Returns false when memory ran out; the draft must be released in both cases.
struct pli_draft;
bool pli_fill_topology(pli_mesh *mesh, struct pli_draft *draft);

// Returns the topology without the arrays that are filled on first use: hinges, hinge_edges, face_components,
// triangle_offsets and vertex_triangles.
static inline const pli_topology *pli_mesh_base(const pli_mesh *mesh) { return &mesh->topology; }

// Writes the four vertices of the hinge on an edge, from the base topology. Returns false for an edge with one face.
bool pli_edge_hinge(const pli_topology *topology, int32_t edge, int32_t hinge[4]);

#endif
