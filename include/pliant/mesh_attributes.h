/// Pliant-scene, mesh attributes. What a mesh file says about a mesh beside its shape: texture coordinates, colours, other
/// numbers, groups; and which vertex of the file each particle is.
///
/// A mesh has one vertex, which is one particle, at each place where faces are joined. A picture needs more: where a
/// seam of a texture runs, one particle has two texture coordinates. Those are render vertices here: first the vertices
/// of the file, in its order, then what seams and repairs add. Each belongs to one vertex of the mesh, and a picture of
/// the simulation moves render vertex i to where vertex `vertex_map[i]` of the mesh is.
///
///     pli_mesh_attributes *attributes;
///     pli_mesh_import_def import = pli_mesh_import_def_default();
///     import.attributes = &attributes;
///     pli_mesh_read("cape.glb", &import, &mesh, NULL, &error);
///     const pli_mesh_attribute *uv = pli_mesh_attribute_named(attributes, PLI_ATTRIBUTE_UV);
///     draw(attributes->triangles, uv ? uv->values : NULL, attributes->vertex_map, pli_deformable_positions(cape));
///     pli_mesh_attributes_destroy(attributes);
#ifndef PLIANT_MESH_ATTRIBUTES_H
#define PLIANT_MESH_ATTRIBUTES_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Names of attributes with a meaning; others keep the name they have in their file.
#define PLI_ATTRIBUTE_UV "uv"         ///< Texture coordinates, 2 numbers. A second set is "uv1", and so on.
#define PLI_ATTRIBUTE_COLOUR "colour" ///< 3 or 4 numbers, 0..1 as the file has them: linear in glTF, often sRGB elsewhere.

/// The elements that an attribute has a value for each.
typedef enum pli_attribute_domain {
    PLI_ATTRIBUTE_VERTEX = 0, ///< Each render vertex.
    PLI_ATTRIBUTE_FACE,       ///< Each face of the mesh.
    PLI_ATTRIBUTE_DOMAIN_FORCE_32 = PLI_FORCE_32
} pli_attribute_domain;

/// Numbers of render vertices or faces. This struct does not grow.
typedef struct pli_mesh_attribute {
    const char *name;
    pli_attribute_domain domain;
    int32_t width;       ///< Numbers a value, 1..4.
    const float *values; ///< [width * count of the domain]; 0 where the file gives none.
} pli_mesh_attribute;

/// The part that a group plays in its file.
typedef enum pli_mesh_group_kind {
    PLI_GROUP_FACES = 0, ///< A named group of faces: "g" of OBJ.
    PLI_GROUP_MATERIAL,  ///< Faces of one material: "usemtl" of OBJ, a material of glTF.
    PLI_GROUP_OBJECT,    ///< Faces of one object: "o" of OBJ, a node of glTF.
    PLI_GROUP_VERTICES,  ///< Vertices of the mesh, with weights: a joint of a glTF skin.
    PLI_MESH_GROUP_KIND_FORCE_32 = PLI_FORCE_32
} pli_mesh_group_kind;

/// Named faces, or named vertices. This struct does not grow.
typedef struct pli_mesh_group {
    const char *name;
    pli_mesh_group_kind kind;
    int32_t count;
    const int32_t *elements; ///< [count] faces of the mesh, or its vertices (not render vertices), ascending.
    const float *weights;    ///< [count], 0..1; NULL where all are 1.
} pli_mesh_group;

/// Everything beside the shape. A program that writes a mesh file may fill one of its own.
typedef struct pli_mesh_attributes {
    uint32_t size;             ///< Bytes of this struct; set by the default function.
    uint32_t cookie;           ///< Set by the default function.
    int32_t vertex_count;      ///< Render vertices.
    int32_t file_vertex_count; ///< Render vertices that are the file's own vertices; they come first.
    const int32_t *vertex_map; ///< [vertex_count] the vertex of the mesh, which is the particle, of each render vertex.
    const int32_t *corners;    ///< [corner_count of the mesh] the render vertex at each corner of its faces.
    const int32_t *triangles;  ///< [3 * triangle_count] as those of pli_topology, but render vertices; may be NULL.
    const pli_mesh_attribute *attributes;
    int32_t attribute_count;
    const pli_mesh_group *groups;
    int32_t group_count;
} pli_mesh_attributes;

/// Fills `size` bytes with defaults, which are no attributes; see pli_mesh_attributes_default.
PLI_API void pli_mesh_attributes_init(pli_mesh_attributes *attributes, size_t size);
/// Attributes without any content, to be filled by a program that writes a mesh file.
static inline pli_mesh_attributes pli_mesh_attributes_default(void)
{
    pli_mesh_attributes attributes;
    pli_mesh_attributes_init(&attributes, sizeof attributes);
    return attributes;
}
/// Frees what pli_mesh_read gave. Null is allowed. Not for attributes that the program filled itself.
PLI_API void pli_mesh_attributes_destroy(pli_mesh_attributes *attributes);
/// The first attribute of that name; NULL when there is none. Borrowed.
PLI_API const pli_mesh_attribute *pli_mesh_attribute_named(const pli_mesh_attributes *attributes, const char *name);
/// The first group of that name and kind; NULL when there is none. Borrowed.
PLI_API const pli_mesh_group *pli_mesh_group_named(const pli_mesh_attributes *attributes, const char *name,
                                                   pli_mesh_group_kind kind);

#ifdef __cplusplus
}
#endif

#endif
