// Contact between surfaces within the step.
#ifndef PLI_WORLD_STEP_COLLISION_H
#define PLI_WORLD_STEP_COLLISION_H

#include "model/model.h"

// Before a step: makes the surfaces that are needed. False when memory ran out.
bool pli_world_gather_surfaces(pli_world *world);
// The same in the middle of a step, when more deformables take part than before. Their pairs are not yet searched.
bool pli_world_gather_again(pli_world *world);
// Whether any two surfaces may collide.
bool pli_world_has_surfaces(const pli_world *world);
// Whether no particle of the deformable's surface is fixed.
bool pli_deformable_can_move(const pli_deformable_data *deformable);

// Stages of a substep of `step` seconds with `left` substeps to go, this one included.
void pli_world_find_surfaces(pli_world *world, float step, int32_t left);
// Searches the pairs of the substep as it is now projected.
void pli_world_search_again(pli_world *world, float step, int32_t left);
void pli_world_run_ccd(pli_world *world);

// Whether the host moves colliders or attachments in this step.
bool pli_world_is_led(const pli_world *world);
// After a step: finds the intersections that there are at its end, if there may be any. `led` is what pli_world_is_led said
// during the step.
void pli_world_count_intersections(pli_world *world, bool led);
// After a step and before tears: counts what reaches into round colliders that rigid bodies carry.
void pli_world_count_deep(pli_world *world);
// After that: logs once when intersecting surfaces have not come apart for some time.
void pli_world_watch_intersections(pli_world *world);
// And once when motion was shortened to keep to the budget of work.
void pli_world_watch_work(pli_world *world);

#endif
