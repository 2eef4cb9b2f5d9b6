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

static bool encode(FILE *stream, const uint8_t *pixels, int32_t width, int32_t height)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, stream);
    png_set_compression_level(png, 3);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int32_t y = 0; y < height; y++)
        png_write_row(png, (png_const_bytep)(pixels + 4 * (size_t)y * (size_t)width));
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

pli_status pli_image_write_png(const char *path, const uint8_t *pixels, int32_t width, int32_t height, pli_error *error)
{
    if (!pixels || width < 1 || height < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s': a picture of %d x %d%s is asked for; give pixels, and sizes of 1 or more", path,
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
