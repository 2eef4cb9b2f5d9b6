// The rim of a surface that is drawn as thick.
#ifndef PLI_RENDER_SHELL_H
#define PLI_RENDER_SHELL_H

#include "gl/mesh_buffer.h"

// A half round along the border of a mesh, between its sides: `upper` is the side that was moved by half the thickness along the normals. It has the
// colours of the faces where the mesh has them. Without an array where there is no border. False when memory runs out.
bool pli_shell_rim(pli_geometry *rim, const pli_render_mesh *mesh, const pli_geometry *upper, float thickness);

#endif
