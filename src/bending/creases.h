// The permanent bends of a plate: bending/plastic.h defines the rule.
#ifndef PLI_BENDING_CREASES_H
#define PLI_BENDING_CREASES_H

#include "model/model.h"

// Allocates the memory that a plate needs to keep bends, and recomputes the data that depend on its shape. False when memory ran out.
bool pli_deformable_reserve_creases(pli_world *world, pli_deformable_data *deformable);
// Whether any triangle of its plate may keep a bend.
bool pli_deformable_plate_yields(const pli_deformable_data *deformable);
// Makes bends of a plate permanent, at the end of a step in which this fraction of an excess flows.
void pli_deformable_keep_creases(pli_world *world, pli_deformable_data *deformable, double fraction);
// Whether the plate has a permanent bend since the start or the last reset.
bool pli_deformable_is_creased(const pli_deformable_data *deformable);
// Restores the original rest shape.
void pli_deformable_forget_creases(pli_deformable_data *deformable);
void pli_deformable_free_creases(pli_world *world, pli_deformable_data *deformable);

#endif
