// The primitives of a glTF scene in an import. Their vertices can be evaluated in any pose: by morph targets, then by the joints of a
// skin, or otherwise by their node.
#ifndef PLI_IO_GLTF_PARTS_H
#define PLI_IO_GLTF_PARTS_H

#include "formats/gltf_pose.h"

enum { PLI_JOINT_SETS = 4 };

typedef struct pli_gltf_skin {
    int32_t count;  // Joints.
    int32_t *nodes; // By joint.
    pli_matrix *inverse_bind, *now;
} pli_gltf_skin;

typedef struct pli_gltf_part {
    json_t *mesh;
    int32_t node, skin; // -1 for none.
    int32_t first;      // Vertex of the import.
    int32_t target_count, sets;
    double *amounts; // [target_count] weights of the targets in the pose.
    pli_gltf_numbers positions, *targets, joints[PLI_JOINT_SETS], weights[PLI_JOINT_SETS];
} pli_gltf_part;

typedef struct pli_gltf_parts {
    pli_gltf_part *items;
    int32_t count, capacity;
    pli_gltf_skin *skins; // By skin of the document; without joints until one is used.
    int32_t skin_count;
} pli_gltf_parts;

// Adds a primitive whose vertices start at `first`. All its data are checked: joints, weights and targets. Its skin is part of the
// pose.
pli_status pli_gltf_parts_add(pli_gltf_parts *parts, pli_gltf *gltf, const pli_gltf_pose *pose, json_t *primitive,
                              const pli_gltf_part *part, pli_error *error);
void pli_gltf_parts_release(pli_gltf_parts *parts);
// Updates the joint matrices for an evaluated pose.
void pli_gltf_parts_pose(pli_gltf_parts *parts, const pli_gltf_pose *pose);
// Writes the positions of a part's vertices, 3 per vertex; the array starts at the import's first vertex.
void pli_gltf_part_place(const pli_gltf_parts *parts, pli_gltf_part *part, const pli_gltf_pose *pose, float *positions);

#endif
