// Pictures of few colours: their PNG files are a quarter as large, which is what a repository with pictures needs.
#ifndef PLI_LAB_PALETTE_H
#define PLI_LAB_PALETTE_H

#include <stdint.h>

enum { LAB_PALETTE_MAX = 256 };

// Replaces the colours of `count` RGBA pixels by at most 256 of them, by median cut.
void lab_palette_apply(uint8_t *pixels, int32_t count);

#endif
