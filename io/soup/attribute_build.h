// From what an importer found to the attributes of the mesh that was made of it.
#ifndef PLI_IO_ATTRIBUTE_BUILD_H
#define PLI_IO_ATTRIBUTE_BUILD_H

#include "soup/polygon_soup.h"

#include <pliant/mesh_attributes.h>

// Makes the attributes of `mesh`, which was made of `polygons`, perhaps welded and repaired. NULL when memory runs out.
pli_mesh_attributes *pli_attributes_build(const pli_polygons *polygons, const pli_mesh *mesh);
// The attributes of a sheet in the xz plane: texture coordinates that show an image upright and unmirrored to who looks at its front, along
// x and against z. NULL when memory runs out.
pli_mesh_attributes *pli_attributes_of_sheet(const pli_mesh *sheet);

#endif
