// Images on surfaces, as textures with mipmaps.
#ifndef PLI_RENDER_IMAGE_CACHE_H
#define PLI_RENDER_IMAGE_CACHE_H

#include <epoxy/gl.h>

#include <pliant/render.h>

typedef struct pli_image_texture {
    uint64_t hash; // Hash of its pixels.
    int32_t width, height;
    GLuint texture;
    int64_t drawn; // Last frame that used it.
} pli_image_texture;

typedef struct pli_image_cache {
    pli_image_texture *images;
    int32_t count, capacity;
} pli_image_cache;

// Finds the image's texture by its content, or uploads it. False when memory runs out.
bool pli_image_cache_get(pli_image_cache *cache, const pli_render_image *image, int64_t frame, GLuint *texture);
// Releases the images that this frame did not draw.
void pli_image_cache_trim(pli_image_cache *cache, int64_t frame);
// Without a current context, the textures are already lost.
void pli_image_cache_release(pli_image_cache *cache, bool current);

#endif
