// Finds the vertices that a shape hangs from or stands on, and joins its pieces.
#ifndef PLI_GUESS_SUPPORTS_H
#define PLI_GUESS_SUPPORTS_H

#include "guess/measures.h"

// Marks the vertices of the upper border and returns their number: 0 if the top of the shape is not a border.
int32_t pli_mark_upper_border(const pli_topology *t, const pli_measures *m, uint8_t *marked);
// Marks the vertices on which the shape stands. True if its weight is above them, so that it needs no support; otherwise more vertices
// are marked, for pinning.
bool pli_mark_feet(const pli_topology *t, const pli_measures *m, uint8_t *marked);
// Pairs of vertices for distance constraints that join each piece to larger nearby ones: 2 * *count indices, to be freed. False when
// memory runs out.
bool pli_join_pieces(const pli_topology *t, const pli_measures *m, int32_t **pairs, int32_t *count);

#endif
