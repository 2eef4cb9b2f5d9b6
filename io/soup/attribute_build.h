// Converts the data of an importer to the attributes of the resulting mesh.
#ifndef PLI_IO_ATTRIBUTE_BUILD_H
#define PLI_IO_ATTRIBUTE_BUILD_H

#include "soup/polygon_soup.h"

#include <pliant/mesh_attributes.h>

// Creates the attributes of `mesh`, which was created from `polygons`, possibly welded and repaired. NULL when memory runs out.
pli_mesh_attributes *pli_attributes_build(const pli_polygons *polygons, const pli_mesh *mesh);
// The attributes of a sheet in the xz plane: texture coordinates along x and against z, so that a viewer of its front sees an image
// upright and not mirrored. NULL when memory runs out.
pli_mesh_attributes *pli_attributes_of_sheet(const pli_mesh *sheet);

#endif
