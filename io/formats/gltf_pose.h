// The nodes of a glTF document in a pose: their transforms, animated by a clip or as in the file.
#ifndef PLI_IO_GLTF_POSE_H
#define PLI_IO_GLTF_POSE_H

#include "formats/gltf_document.h"

// An affine transform, column by column.
typedef struct pli_matrix {
    double at[12];
} pli_matrix;

// The transform of a node from its parent.
typedef struct pli_gltf_move {
    double translation[3], rotation[4], scale[3]; // The rotation as x, y, z, w.
} pli_gltf_move;

typedef struct pli_gltf_pose {
    const pli_gltf *gltf;
    int32_t count;    // Nodes.
    int32_t *parents; // By node; -1 for a root.
    int32_t *order;   // All nodes, parents first.
    json_t **nodes;   // By node.
    pli_gltf_move *moves;
    pli_matrix *worlds;     // From the node to the scene.
    const double **weights; // By node: morph target weights from a clip; NULL: the weights of the file.
    int32_t *weight_counts;
} pli_gltf_pose;

pli_matrix pli_matrix_identity(void);
pli_matrix pli_matrix_product(const pli_matrix *a, const pli_matrix *b);
double pli_matrix_determinant(const pli_matrix *m);

// Reads the nodes, which must form a tree. The pose must be closed even after a failure.
pli_status pli_gltf_pose_open(pli_gltf_pose *pose, const pli_gltf *gltf, pli_error *error);
void pli_gltf_pose_close(pli_gltf_pose *pose);
// Resets the local transforms of all nodes to those of the file.
void pli_gltf_pose_rest(pli_gltf_pose *pose);
// Computes the transforms to the scene from the local ones.
void pli_gltf_pose_place(pli_gltf_pose *pose);
// Weight k of the morph targets of a node with this mesh; pass -1 for no node.
double pli_gltf_pose_weight(const pli_gltf_pose *pose, int32_t node, json_t *mesh, int32_t k);

#endif
