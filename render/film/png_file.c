// Writes PNG files through libpng, a temporary name and a rename.
#define _POSIX_C_SOURCE 200809L
#include "support/publish.h"

#include <pliant/render.h>

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PALETTE_MAX = 256, PLACES = 1024, COMPRESSION_FAST = 3, COMPRESSION_BEST = 9 };

// The colours of a picture that has few.
typedef struct palette {
    png_color colours[PALETTE_MAX];
    uint32_t keys[PALETTE_MAX];
    int16_t places[PLACES]; // Index of a colour + 1, by hash.
    int32_t count;
} palette;

// Index of the pixel's colour, which is added if it is new; -1 when there is no room or the pixel is transparent.
static int32_t palette_index(palette *p, const uint8_t *pixel)
{
    uint32_t key = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
    uint32_t place = (key * 2654435761u) >> 22;
    while (p->places[place] && p->keys[p->places[place] - 1] != key)
        place = (place + 1) % PLACES;
    if (pixel[3] != 255 || (!p->places[place] && p->count == PALETTE_MAX))
        return -1;
    if (!p->places[place]) {
        p->keys[p->count] = key;
        p->colours[p->count] = (png_color){pixel[0], pixel[1], pixel[2]};
        p->places[place] = (int16_t)++p->count;
    }
    return p->places[place] - 1;
}

// One byte per pixel for a picture of at most 256 opaque colours; null for others. `complete` is false when memory runs out.
static uint8_t *indexed(const uint8_t *pixels, size_t count, palette *p, bool *complete)
{
    uint8_t *indices = malloc(count);
    *complete = indices != NULL;
    for (size_t i = 0; indices && i < count; i++) {
        int32_t index = palette_index(p, &pixels[4 * i]);
        if (index < 0) {
            free(indices);
            return NULL;
        }
        indices[i] = (uint8_t)index;
    }
    return indices;
}

// Rows of one byte per pixel with a palette, or of four without.
static bool encode_rows(FILE *stream, const uint8_t *rows, int32_t width, int32_t height, const palette *p)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, stream);
    png_set_compression_level(png, p ? COMPRESSION_BEST : COMPRESSION_FAST);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 p ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (p)
        png_set_PLTE(png, info, p->colours, p->count);
    png_write_info(png, info);
    for (int32_t y = 0; y < height; y++)
        png_write_row(png, (png_const_bytep)(rows + (p ? 1 : 4) * (size_t)y * (size_t)width));
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

static bool encode(FILE *stream, const uint8_t *pixels, int32_t width, int32_t height)
{
    palette p = {.count = 0};
    bool complete;
    uint8_t *indices = indexed(pixels, (size_t)width * (size_t)height, &p, &complete);
    bool written = complete && encode_rows(stream, indices ? indices : pixels, width, height, indices ? &p : NULL);
    free(indices);
    return written;
}

pli_status pli_image_write_png(const char *path, const uint8_t *pixels, int32_t width, int32_t height, pli_error *error)
{
    if (!pixels || width < 1 || height < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s': a picture of %d x %d%s was requested; give pixels, and sizes of 1 or more", path,
                        (int)width, (int)height, pixels ? "" : " without pixels");
    char *temporary = pli_temporary_name(path);
    if (!temporary)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    FILE *stream = fopen(temporary, "wb");
    bool written = stream && encode(stream, pixels, width, height) && fflush(stream) == 0;
    if (stream && fclose(stream) != 0)
        written = false;
    written = written && pli_publish(temporary, path);
    pli_status status = written ? pli_succeed(error)
                                : pli_fail(error, PLI_STATUS_FILE, "cannot write '%s': %s", path, strerror(errno));
    if (!written && stream)
        unlink(temporary);
    free(temporary);
    return status;
}
