// Contact between surfaces within the step.
#ifndef PLI_STEP_STEP_COLLISION_H
#define PLI_STEP_STEP_COLLISION_H

#include "model/model.h"

// Before a step: builds the surfaces that are needed. False when memory ran out.
bool pli_world_gather_surfaces(pli_world *world);
// Does the same during a step, when more deformables take part than before. Their pairs are not searched yet.
bool pli_world_gather_again(pli_world *world);
// Whether any two surfaces may collide.
bool pli_world_has_surfaces(const pli_world *world);
// Whether no particle of the deformable's surface is fixed.
bool pli_deformable_can_move(const pli_deformable_data *deformable);

// Stages of a substep of `step` seconds with `left` remaining substeps, including this one.
void pli_world_find_surfaces(pli_world *world, float step, int32_t left);
// Searches the pairs of the substep again, with the current projected positions.
void pli_world_search_again(pli_world *world, float step, int32_t left);
void pli_world_run_ccd(pli_world *world);

// Whether the application moves colliders or attachments in this step, or some have not reached their targets.
bool pli_world_is_led(const pli_world *world);
// After a step: finds the intersections at its end, if any are possible. `led` is the result of pli_world_is_led during the
// step.
void pli_world_count_intersections(pli_world *world, bool led);
// After a step and before tears: counts penetrations into round colliders that rigid bodies carry.
void pli_world_count_deep(pli_world *world);
// After tears: logs once when intersecting surfaces have not separated for some time.
void pli_world_watch_intersections(pli_world *world);
// Logs once when motion was shortened to keep the work budget.
void pli_world_watch_work(pli_world *world);

#endif
