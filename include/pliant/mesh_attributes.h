/// Pliant-scene, mesh attributes: the contents of a mesh file other than its shape. They are texture coordinates, colours, other
/// numbers, and groups. A map gives the particle of each vertex of the file.
///
/// A mesh has one vertex, which is one particle, at each point where faces are joined. Rendering needs more vertices: along a
/// texture seam, one particle has two texture coordinates. Render vertices provide them. The first render vertices are the
/// vertices of the file, in its order; render vertices that seams and repairs add follow. Each render vertex belongs to one
/// vertex of the mesh. To draw the simulation, place render vertex i at vertex `vertex_map[i]` of the mesh.
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

/// Attribute names with a fixed meaning. All other attributes keep their name from the file.
#define PLI_ATTRIBUTE_UV "uv" ///< Texture coordinates, 2 components. A second set is "uv1", and so on.
#define PLI_ATTRIBUTE_COLOUR                                                                                           \
    "colour" ///< 3 or 4 components, 0..1, as in the file: linear in glTF, often sRGB in other formats.

/// The kind of element that an attribute has values for.
typedef enum pli_attribute_domain {
    PLI_ATTRIBUTE_VERTEX = 0, ///< One value per render vertex.
    PLI_ATTRIBUTE_FACE        ///< One value per face of the mesh.
} pli_attribute_domain;

/// Values of render vertices or faces. This struct does not grow in future versions.
typedef struct pli_mesh_attribute {
    const char *name;
    pli_attribute_domain domain;
    int32_t width;       ///< Components per value, 1..4.
    const float *values; ///< [width * number of elements in the domain]; 0 where the file gives no value.
} pli_mesh_attribute;

/// The role of a group in its file.
typedef enum pli_mesh_group_kind {
    PLI_GROUP_FACES = 0, ///< A named group of faces: "g" of OBJ.
    PLI_GROUP_MATERIAL,  ///< The faces with one material: "usemtl" of OBJ, a material of glTF.
    PLI_GROUP_OBJECT,    ///< The faces of one object: "o" of OBJ, a node of glTF.
    PLI_GROUP_VERTICES   ///< Vertices of the mesh with weights: a joint of a glTF skin.
} pli_mesh_group_kind;

/// Named faces or named vertices. This struct does not grow in future versions.
typedef struct pli_mesh_group {
    const char *name;
    pli_mesh_group_kind kind;
    int32_t count;
    const int32_t *elements; ///< [count] faces or vertices of the mesh (not render vertices), in ascending order.
    const float *weights;    ///< [count] 0..1; NULL if all weights are 1.
} pli_mesh_group;

/// The contents of a mesh file other than its shape. An application that writes a mesh file may fill a struct of its own.
typedef struct pli_mesh_attributes {
    int32_t vertex_count;      ///< Number of render vertices.
    int32_t file_vertex_count; ///< Number of render vertices that are vertices of the file; they come first.
    const int32_t *vertex_map; ///< [vertex_count] the vertex of the mesh, and thus the particle, of each render vertex.
    const int32_t *corners;    ///< [corner_count of the mesh] the render vertex at each face corner.
    const int32_t *triangles;  ///< [3 * triangle_count] pli_topology.triangles with render vertices; may be NULL.
    const pli_mesh_attribute *attributes;
    int32_t attribute_count;
    const pli_mesh_group *groups;
    int32_t group_count;
} pli_mesh_attributes;

/// Returns empty attributes, to be filled by an application that writes a mesh file.
PLI_API pli_mesh_attributes pli_mesh_attributes_default(void);
/// Frees attributes that pli_mesh_read returned. Null is allowed. Do not pass attributes that the application filled itself.
PLI_API void pli_mesh_attributes_destroy(pli_mesh_attributes *attributes);
/// Returns the first attribute with the name, or NULL. Borrowed from `attributes`.
PLI_API const pli_mesh_attribute *pli_mesh_attribute_named(const pli_mesh_attributes *attributes, const char *name);
/// Returns the first group with the name and kind, or NULL. Borrowed from `attributes`.
PLI_API const pli_mesh_group *pli_mesh_group_named(const pli_mesh_attributes *attributes, const char *name,
                                                   pli_mesh_group_kind kind);

#ifdef __cplusplus
}
#endif

#endif
