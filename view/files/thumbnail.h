// Pictures of files as textures of the window.
#ifndef PLI_VIEW_THUMBNAIL_H
#define PLI_VIEW_THUMBNAIL_H

#include <stdint.h>

// Reads a PNG into a new texture of the current context; 0 when it cannot be read. Its owner deletes it. `aspect` gets width over height.
uint32_t pli_view_thumbnail(const char *path, float *aspect);

#endif
