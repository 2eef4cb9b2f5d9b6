// The permanent bends of a plate: bending/plastic.h defines the rule.
#ifndef PLI_BENDING_CREASES_H
#define PLI_BENDING_CREASES_H

#include "model/model.h"

// The permanent bends of a plate for each triangle of its deformable.
typedef struct pli_creases {
    int32_t count;  // Triangles.
    float *offsets; // [9 * count] displacements of the targets of the three sides, in the axes of the triangle.
    float *bends;   // [count] permanent curvature, accumulated without signs [1/m].
    bool changed;   // The plate has not applied them yet.
    // Derived from the rest shape: the side across each side or -1, [3 * count], and targets of the sides, [9 * count].
    int32_t *across;
    float *targets;
    uint64_t shape;               // Hash of the triangles to which these arrays belong.
    struct pli_crease_frame *now; // [count] scratch: current triangles.
    double fraction;              // Scratch: fraction of an excess that flows in the step.
    double *work;                 // [pieces] scratch.
} pli_creases;

typedef struct pli_plastic {
    pli_creases *creases; // Permanent bends of the plate; null until it may have any.
    double work; // Work absorbed by permanent bends of the plate and the sets since the start or the last reset [J].
} pli_plastic;

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
