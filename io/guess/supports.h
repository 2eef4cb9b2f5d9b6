// Finds the vertices that a shape hangs from or stands on, and joins its pieces.
#ifndef PLI_GUESS_SUPPORTS_H
#define PLI_GUESS_SUPPORTS_H

#include "guess/measures.h"

// Marks the vertices of the upper border and returns how many there are: 0 where the top of the shape is no border.
int32_t pli_mark_upper_border(const pli_topology *t, const pli_measures *m, uint8_t *marked);
// Marks the vertices it stands on. True when its weight is above them, so that it stands by itself; else more are marked, to pin it.
bool pli_mark_feet(const pli_topology *t, const pli_measures *m, uint8_t *marked);
// Pairs of vertices whose distances join each piece to larger ones that are near: 2 * *count indices, to be freed. False without memory.
bool pli_join_pieces(const pli_topology *t, const pli_measures *m, int32_t **pairs, int32_t *count);

#endif
