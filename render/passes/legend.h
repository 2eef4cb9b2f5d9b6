// The legend: a bar of colours with its title and three numbers, and a key of single colours; as triangles in clip space.
#ifndef PLI_RENDER_LEGEND_H
#define PLI_RENDER_LEGEND_H

#include "gl/mesh_buffer.h"

// Vertices (positions in -1..1, colours in their normals) of a frame's legend and keys for a picture of that size; the caller
// frees them. NULL when memory runs out.
pli_vertex *pli_legend_make(const pli_render_frame *frame, int32_t width, int32_t height, int32_t *count);

#endif
