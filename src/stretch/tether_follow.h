// Tethers follow what is held: to search for those of 10 k vertices takes 20 ms, which a pin is not worth at once.
//
//   step:    n           n + 1 ...           n + k
//   held:    a pin comes
//   tethers: those that are, less those       those with the pin, searched for in k pieces
//            whose ends are held otherwise
//
// A piece is a number of arrivals of fronts, so that tethers depend on steps and never on time. The first tethers, and those
// after a cut or of other settings, are found at once; so are all if most are taken off together.
#ifndef PLI_STRETCH_TETHER_FOLLOW_H
#define PLI_STRETCH_TETHER_FOLLOW_H

#include "schedule/stream.h"
#include "stretch/stretch_limit.h"

// The owner of what the world holds; see pli_limit.owners.
#define PLI_OWNER_WORLD 1

// Finds the tethers of limit->owners at once, or those that the limit's record asks for, and builds their set. False when
// memory ran out.
bool pli_limit_find_tethers(pli_world *world, pli_deformable_data *deformable);
// Before a step, with a limit for the present shape and settings: goes back to the tethers that a snapshot says, or that are
// wanted at once. False where they have to be found anew.
bool pli_limit_go_back(pli_world *world, pli_deformable_data *deformable);
// Whether more than three quarters of the tethers are to be taken off.
bool pli_limit_lost_most(const pli_limit *limit);
// Whether tethers are those of what was held before.
bool pli_limit_is_behind(const pli_limit *limit);
// Before a step: takes off tethers whose ends are held otherwise than they were. False when memory ran out.
bool pli_limit_keep_up(pli_world *world, pli_deformable_data *deformable);
// At the end of a step: begins, goes on with or ends a search for tethers. Begins again where memory runs out.
void pli_limit_follow(pli_world *world, pli_deformable_data *deformable);

void pli_limit_drop_job(pli_world *world, pli_limit *limit);
void pli_limit_drop_record(pli_world *world, pli_limit *limit);

// Passes which tethers a deformable has, and how far the search for others is.
void pli_pass_tethers(pli_stream *stream, pli_world *world, pli_deformable_data *deformable);

#endif
