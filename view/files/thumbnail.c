// libpng's simple interface gives red, green, blue and alpha of any PNG.
#include "files/thumbnail.h"

#include <epoxy/gl.h>
#include <png.h>

#include <stdlib.h>
#include <string.h>

static uint32_t texture_of(const png_image *image, const uint8_t *pixels)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)image->width, (GLsizei)image->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, pixels);
    // Thumbnails are shown at a fraction of their size.
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return texture;
}

uint32_t pli_view_thumbnail(const char *path, float *aspect)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return 0;
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    uint32_t texture = 0;
    if (pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        *aspect = (float)image.width / (float)image.height;
        texture = texture_of(&image, pixels);
    }
    png_image_free(&image);
    free(pixels);
    return texture;
}
