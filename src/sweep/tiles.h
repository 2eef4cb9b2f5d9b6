// Tiles: ranges of particles whose constraints one thread projects, colour by colour, while they are in its cache. The same constraints
// move each particle in the same order as without tiles, so results are bit-identical for any number of tiles.
//
//   particles     |  tile 0   |  tile 1   |
//     colour 0      | a a a a a | b b b b b | d         a, b: in a tile, as are all earlier constraints on their particles
//     colour 1      |  a a a a  |  b b b b  | d d       d: across tiles, or dependent on an earlier d
//   colour 2      |   a a a   |   b b b   | d d d
//
// No a or b depends on an earlier d, so a forward sweep projects all of them first, with tiles in parallel, and a backward sweep, as its
// exact opposite, projects them last. Within a colour, slots are sorted by tile (docs/decisions/schedules.md).
#ifndef PLI_SWEEP_TILES_H
#define PLI_SWEEP_TILES_H

#include "model/model.h"

// Sorts the slots of a newly created set into tiles if they pay: for index lists that exceed a cache, or for several threads. False when
// memory ran out, with nothing changed.
bool pli_tiles_make(pli_world *world, pli_constraints_data *set);

#endif
