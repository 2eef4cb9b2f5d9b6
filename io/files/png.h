// Images of PNG files, as numbers.
#ifndef PLI_IO_PNG_H
#define PLI_IO_PNG_H

#include <pliant/base.h>

#include <stddef.h>

// Rows from the top, pixels from the left, `channels` numbers a pixel, 0..1 as the file has them: 1 grey, 2 with opacity, 3 colours, 4 with opacity.
typedef struct pli_image {
    int32_t width, height, channels;
    float *values; // [channels * width * height], to be freed.
} pli_image;

// Decodes a PNG file of 8 or 16 bits a number, in rows. CORRUPT for what is damaged, UNSUPPORTED for palettes, fewer bits, interlaced images and
// more than 2^26 pixels, with how to save it; OUT_OF_MEMORY.
pli_status pli_png_decode(const void *bytes, size_t size, pli_image *image, pli_error *error);

#endif
