// Tiles: ranges of particles whose constraints one thread projects, colour by colour, while they are in its cache. Every particle is moved
// by the same constraints in the same order as without them, so that no bit changes, whatever the number of tiles.
//
//   particles     |  tile 0   |  tile 1   |
//   colour 0      | a a a a a | b b b b b | d         a, b: in a tile, and so are all that move their particles before
//   colour 1      |  a a a a  |  b b b b  | d d       d: across tiles, or behind such a one
//   colour 2      |   a a a   |   b b b   | d d d
//
// No a or b is behind a d, so that a forward sweep may have all of them first, tiles side by side, and a backward sweep, as its exact
// opposite, last. Within a colour, slots lie tile by tile (docs/decisions/0120).
#ifndef PLI_TILES_TILES_H
#define PLI_TILES_TILES_H

#include "model/model.h"

// Sorts the slots of a set that has just been made into tiles, where these pay: index lists beyond a cache, or for several threads. False
// when memory ran out, with nothing changed.
bool pli_tiles_make(pli_world *world, pli_constraint_set_data *set);

#endif
