// Finds the overlapping pairs of a set of boxes.
#ifndef PLI_CLI_BOX_PAIRS_H
#define PLI_CLI_BOX_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_cli_box {
    float low[3], high[3];
    int32_t item;
    bool fixed; // Pairs of two fixed boxes are skipped.
} pli_cli_box;

// Calls `visit` once for every pair that overlaps or touches, with the boxes' items. The boxes are
// reordered. False when memory ran out.
bool pli_cli_overlaps(pli_cli_box *boxes, int32_t count, void (*visit)(void *data, int32_t a, int32_t b), void *data);

#endif
