// A surface in clusters: a few triangles that lie together, and the vertices and edges that no earlier
// cluster has. Searches go from cluster to cluster, each with a box, under a tree of boxes.
#ifndef PLI_COLLISION_BROADPHASE_CLUSTER_H
#define PLI_COLLISION_BROADPHASE_CLUSTER_H

#include "base/memory.h"
#include "collision/broadphase/bvh16.h"

enum { PLI_CLUSTER_SIZE = 8 }; // Triangles; where there are none, edges or vertices.

typedef enum pli_primitive {
    PLI_PRIMITIVE_VERTEX,
    PLI_PRIMITIVE_TRIANGLE,
    PLI_PRIMITIVE_EDGE,
    PLI_PRIMITIVE_COUNT
} pli_primitive;

// At most so many of one kind in a cluster: all sides of its triangles.
enum { PLI_CLUSTER_ITEMS_MAX = 3 * PLI_CLUSTER_SIZE };

typedef struct pli_clusters {
    int32_t count;
    int32_t *items[PLI_PRIMITIVE_COUNT]; // Vertices, triangles and edges, cluster by cluster.
    int32_t *starts[PLI_PRIMITIVE_COUNT], *ends[PLI_PRIMITIVE_COUNT]; // [count] into items.
    int32_t packed[PLI_PRIMITIVE_COUNT]; // Where runs without room to spare end; behind lie runs of PLI_CLUSTER_MOST.
    int32_t used[PLI_PRIMITIVE_COUNT], capacities[PLI_PRIMITIVE_COUNT]; // Of the items, and room for them.
    int32_t *cluster_of;                                                // [triangle_count] of each triangle.
    // Where all this was when it was last looked at:
    float *boxes[PLI_PRIMITIVE_COUNT]; // About the items, cluster by cluster (pli_clusters_items).
    uint8_t *refitted;                 // [count] whether the boxes of its items are those of now, as passages are.
    pli_bvh16 tree;                    // Over the clusters.
} pli_clusters;

// What clusters are made of.
typedef struct pli_cluster_source {
    int32_t vertex_count, triangle_count, edge_count;
    const int32_t *triangles;  // [3 * triangle_count]
    const int32_t *side_edges; // [3 * triangle_count]
    const int32_t *edges;      // [2 * edge_count]
    const float *rest;         // [3 * vertex_count]
} pli_cluster_source;

// False when memory ran out; release it either way.
bool pli_clusters_build(pli_memory *memory, pli_clusters *clusters, const pli_cluster_source *source);
// Room to put `more` items of a kind into clusters. False when memory ran out.
bool pli_clusters_reserve(pli_memory *memory, pli_clusters *clusters, pli_primitive kind, int32_t more);
// Brings the vertices and edges of every cluster into ascending order, in which these keep them: puts an item into a
// cluster, or takes one out, if it is there. A cluster has at most the items that its triangles have.
void pli_clusters_sort(pli_clusters *clusters);
void pli_clusters_insert(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item);
bool pli_clusters_remove(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item);
// Corners of a vertex, a triangle and an edge.
extern const int32_t pli_primitive_corners[PLI_PRIMITIVE_COUNT];
// The boxes of the items of one kind in a cluster, and where they are written.
pli_near_items pli_clusters_items(const pli_clusters *clusters, pli_primitive kind, int32_t cluster);
float *pli_clusters_boxes(const pli_clusters *clusters, pli_primitive kind, int32_t cluster);
void pli_clusters_release(pli_memory *memory, pli_clusters *clusters);

#endif
