// Pictures of files as textures of the window.
#ifndef PLI_VIEW_THUMBNAIL_H
#define PLI_VIEW_THUMBNAIL_H

#include <stdint.h>

// Reads a PNG file into a new texture of the current context, which the caller deletes; 0 when the file cannot be read. `aspect` gets
// width over height.
uint32_t pli_view_thumbnail(const char *path, float *aspect);

#endif
