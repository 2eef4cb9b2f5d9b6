// Clusters: groups of 8 triangles that are near each other at rest. A cluster also owns the vertices and edges of its
// triangles that no earlier cluster owns. The broad phase tests clusters, and the narrow phase the primitives of
// overlapping clusters.
#ifndef PLI_COLLISION_BROADPHASE_CLUSTER_H
#define PLI_COLLISION_BROADPHASE_CLUSTER_H

#include "base/memory.h"
#include "collision/broadphase/bvh16.h"

enum { PLI_CLUSTER_SIZE = 8 }; // Triangles in a cluster; edges or vertices for meshes without triangles.

typedef enum pli_primitive {
    PLI_PRIMITIVE_VERTEX,
    PLI_PRIMITIVE_TRIANGLE,
    PLI_PRIMITIVE_EDGE,
    PLI_PRIMITIVE_COUNT
} pli_primitive;

// Upper bound of the items of one kind in a cluster: every side of its triangles.
enum { PLI_CLUSTER_ITEMS_MAX = 3 * PLI_CLUSTER_SIZE };

typedef struct pli_clusters {
    int32_t count;
    int32_t *items[PLI_PRIMITIVE_COUNT]; // Vertex, triangle and edge indices, contiguous for each cluster.
    int32_t *starts[PLI_PRIMITIVE_COUNT], *ends[PLI_PRIMITIVE_COUNT]; // [count] range of each cluster in `items`.
    int32_t packed
        // End of the packed runs. Tearing moved the runs after it, which have PLI_CLUSTER_ITEMS_MAX slots each.
        [PLI_PRIMITIVE_COUNT];
    int32_t used[PLI_PRIMITIVE_COUNT], capacities[PLI_PRIMITIVE_COUNT]; // Slots in use, and allocated.
    int32_t *cluster_of;                                                // [triangle_count] cluster of each triangle.
    // Boxes as of the last refit:
    // Swept boxes of the items, as SIMD rows for each cluster (pli_clusters_items).
    float *boxes[PLI_PRIMITIVE_COUNT];
    uint8_t *refitted; // [count] 1 when the boxes of the cluster's items are up to date.
    pli_bvh16 tree;    // One leaf for each cluster.
} pli_clusters;

// Mesh arrays from which clusters are built.
typedef struct pli_cluster_source {
    int32_t vertex_count, triangle_count, edge_count;
    const int32_t *triangles;  // [3 * triangle_count]
    const int32_t *side_edges; // [3 * triangle_count]
    const int32_t *edges;      // [2 * edge_count]
    const float *rest;         // [3 * vertex_count]
} pli_cluster_source;

// Returns false when out of memory; release the clusters either way.
bool pli_clusters_build(pli_memory *memory, pli_clusters *clusters, const pli_cluster_source *source);
// Reserves slots for `more` items of a kind. Returns false when out of memory.
bool pli_clusters_reserve(pli_memory *memory, pli_clusters *clusters, pli_primitive kind, int32_t more);
// Edits of the vertex and edge lists of clusters after a tear. sort brings all lists into ascending order, and insert
// and remove maintain it. remove returns false when the item is not in the cluster. A cluster never has more items
// than its triangles have.
void pli_clusters_sort(pli_clusters *clusters);
void pli_clusters_insert(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item);
bool pli_clusters_remove(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item);
// Number of corners of a vertex, a triangle and an edge.
extern const int32_t pli_primitive_corners[PLI_PRIMITIVE_COUNT];
// The boxes of a cluster's items of one kind, for reading and for writing.
pli_near_items pli_clusters_items(const pli_clusters *clusters, pli_primitive kind, int32_t cluster);
float *pli_clusters_boxes(const pli_clusters *clusters, pli_primitive kind, int32_t cluster);
void pli_clusters_release(pli_memory *memory, pli_clusters *clusters);

#endif
