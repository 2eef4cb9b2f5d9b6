// Pixels of PNG images as numbers.
#ifndef PLI_IO_PNG_H
#define PLI_IO_PNG_H

#include <pliant/base.h>

#include <stddef.h>

// Rows from the top, pixels from the left, `channels` numbers per pixel, 0..1 as in the file: 1 grey, 2 grey with opacity, 3 colours, 4
// colours with opacity.
typedef struct pli_image {
    int32_t width, height, channels;
    float *values; // [channels * width * height], to be freed.
} pli_image;

// Decodes a PNG file of 8 or 16 bits per number, in rows. CORRUPT for damaged files; UNSUPPORTED for palettes, fewer bits, interlaced
// images and more than 2^26 pixels, with advice on how to save it; OUT_OF_MEMORY.
pli_status pli_png_decode(const void *bytes, size_t size, pli_image *image, pli_error *error);

#endif
