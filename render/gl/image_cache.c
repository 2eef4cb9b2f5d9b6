// Uploads images and keeps the ones that the next frame shows again.
#include "gl/image_cache.h"

#include "gl/programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A fast hash with two lanes of multiplied words, since an image is hashed for each frame.
static uint64_t hash_of(const pli_render_image *image)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t lanes[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x9e3779b97f4a7c15)};
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel;
        memcpy(&pixel, image->pixels + 4 * i, sizeof pixel);
        uint64_t *lane = &lanes[i & 1];
        *lane = (*lane ^ pixel) * prime;
        *lane ^= *lane >> 29;
    }
    return lanes[0] ^ (lanes[1] << 1 | lanes[1] >> 63);
}

// A linear colour value, multiplied by its opacity.
static uint8_t covered(uint8_t number, uint8_t opacity)
{
    const float v = (float)number / 255.0f;
    const float light = (v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f)) * (float)opacity / 255.0f;
    return (uint8_t)lrintf(255.0f *
                           (light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1.0f / 2.4f) - 0.055f));
}

// Pixels with premultiplied colours, so that transparent ones do not tint their neighbours. NULL when memory runs out.
static uint8_t *covering_pixels(const pli_render_image *image)
{
    const size_t count = 4 * (size_t)image->width * (size_t)image->height;
    uint8_t *pixels = malloc(count);
    if (!pixels)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const uint8_t opacity = image->pixels[i | 3], number = image->pixels[i];
        pixels[i] = (i & 3) == 3 || opacity == 255 ? number : opacity == 0 ? 0 : covered(number, opacity);
    }
    return pixels;
}

static GLuint upload(const pli_render_image *image, const uint8_t *pixels)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
    glBindTexture(GL_TEXTURE_2D, texture);
    // An application may have changed these settings.
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, image->width, image->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return texture;
}

bool pli_image_cache_get(pli_image_cache *c, const pli_render_image *image, int64_t frame, GLuint *texture)
{
    const uint64_t hash = hash_of(image);
    for (int32_t i = 0; i < c->count; i++) {
        pli_image_texture *kept = &c->images[i];
        if (kept->hash == hash && kept->width == image->width && kept->height == image->height) {
            kept->drawn = frame;
            *texture = kept->texture;
            return true;
        }
    }
    if (c->count == c->capacity) {
        const int32_t capacity = 2 * c->capacity + 4;
        pli_image_texture *grown = realloc(c->images, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        c->images = grown;
        c->capacity = capacity;
    }
    uint8_t *pixels = covering_pixels(image);
    if (!pixels)
        return false;
    *texture = upload(image, pixels);
    free(pixels);
    c->images[c->count++] = (pli_image_texture){hash, image->width, image->height, *texture, frame};
    return true;
}

void pli_image_cache_trim(pli_image_cache *c, int64_t frame)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < c->count; i++) {
        if (c->images[i].drawn == frame)
            c->images[kept++] = c->images[i];
        else
            glDeleteTextures(1, &c->images[i].texture);
    }
    c->count = kept;
}

void pli_image_cache_release(pli_image_cache *c, bool current)
{
    for (int32_t i = 0; current && i < c->count; i++)
        glDeleteTextures(1, &c->images[i].texture);
    free(c->images);
    *c = (pli_image_cache){0};
}
