// The rim of a surface that is drawn with a thickness.
#ifndef PLI_RENDER_SHELL_H
#define PLI_RENDER_SHELL_H

#include "gl/mesh_buffer.h"

// Creates a half round along the border of a mesh, between its sides: `upper` is the side offset by half the thickness along the
// normals. It has the face colours of the mesh, if any. Without an array if there is no border. False when memory runs out.
bool pli_shell_rim(pli_geometry *rim, const pli_render_mesh *mesh, const pli_geometry *upper, float thickness);

#endif
