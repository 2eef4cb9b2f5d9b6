// The common part of the solved energies of a deformable: plates (src/bending) and constraint sets (src/bending). Once in an interval of
// H = n h, after the forces,
//
//   (M / H^2 + Q) d = r(y),    y = x + H v',    a = d / H^2
//
// is solved for the particles that are not fixed, and for further unknowns without a mass, where r is the force of the energy at y and Q a
// constant matrix that approximates its stiffness; h^2 a is added to predicted positions in each of the n substeps. This spreads an
// implicit step over H, so that contacts and projections between see a force instead of impulses. Of the forces, gravity is known to act
// throughout H. The momenta of a belong to internal forces at y, not at x; the rigid rotation that they would cause is removed as for
// projections (particles/ghost_motion.h).
//
// A factorisation is made for the inverse masses at one time, the base of the deformable. Particles that were fixed or released since then
// form a border of the equations (base/sparse/border.h), which takes microseconds where a factorisation takes a tenth of a second. The base is
// replaced when masses have changed otherwise, or when the border would have more than PLI_BORDER_MOST columns. Snapshots save it, so the
// result of a step depends on saved data alone.
#ifndef PLI_BENDING_IMPLICIT_H
#define PLI_BENDING_IMPLICIT_H

#include "base/array.h"
#include "model/model.h"
#include "particles/integrate.h"
#include "base/sparse/border.h"
#include "base/sparse/solve.h"

// The inverse masses for which the plate and the solved sets of a deformable are factored, and their number; 0 until a step chooses them.
typedef struct pli_implicit_base {
    float *masses;
    int32_t count;
} pli_implicit_base;

enum { PLI_IMPLICIT_INTERVAL = 5 }; // The largest number of substeps in an interval by default.

// The first `count` unknowns are the particles, by internal index.
typedef struct pli_implicit {
    int32_t count, unknowns;
    int32_t interval;    // n.
    float seconds;       // H [s].
    float *base;         // [count] inverse masses that the factorisation was made for [1/kg].
    float *masses;       // [count] inverse masses in effect, which may fix other particles.
    int32_t *places;     // [unknowns] the place of each in the elimination order; -1 if fixed in the base.
    pli_particle *ahead; // [count] y until the solve, then the particles' part of d.
    pli_factor factor;
    pli_solve_scratch scratch; // Its vector has the residual, then the correction d.
    // Unknowns whose state differs from the base, ascending, and the border that they add to the equations.
    int32_t *changed;
    int32_t changed_count;
    pli_border border;
    pli_particle *released; // [changed] for unknowns that are fixed in the base: the residual, then the correction.
} pli_implicit;

// The terms of a matrix until it is factored.
typedef struct pli_implicit_terms {
    int32_t rows;
    int32_t *unknowns; // As in pli_elements, and so
    double *values;
    double *points;   // [3 * rows] position of each row [m].
    double *diagonal; // [rows]
} pli_implicit_terms;

// The columns of a border while they are filled.
typedef struct pli_implicit_columns pli_implicit_columns;

// The functions by which an energy describes its equations.
typedef struct pli_implicit_energy {
    bool (*is_held)(const pli_deformable_data *deformable, int32_t unknown);
    // Adds the entries of the matrix in the column of an unknown that joins, with pli_implicit_add. False when memory ran out.
    bool (*add_column)(const pli_deformable_data *deformable, int32_t unknown, pli_implicit_columns *columns);
    pli_particle (*residual)(const pli_deformable_data *deformable, int32_t unknown);
} pli_implicit_energy;

typedef PLI_ARRAY(int32_t) pli_implicit_numbers;

// The largest number of substeps up to `most`, or by default up to PLI_IMPLICIT_INTERVAL, that divides the step into equal intervals.
int32_t pli_implicit_interval(int32_t substeps, int32_t most);

// Allocates the arrays of a zeroed system by particle and unknown; `base` also becomes the masses in effect. False when memory ran out.
bool pli_implicit_make(pli_memory *memory, pli_implicit *system, int32_t count, int32_t unknowns, const float *base);
// Allocates the terms of a matrix with `rows` rows, of elements with this many unknowns and values in all. On failure there are none.
bool pli_implicit_terms_make(pli_memory *memory, int32_t rows, int64_t unknowns, int64_t values,
                             pli_implicit_terms *terms);
// Factors the sum of the terms, and releases them. `numbers` has the row of each unknown of the system, or -1 where it is fixed; `elements`
// has the number and sizes of the elements.
pli_factor_result pli_implicit_factor(pli_world *world, pli_implicit *system, const pli_implicit_terms *terms,
                                      pli_elements elements, const int32_t *numbers);
void pli_implicit_clear(pli_memory *memory, pli_implicit *system);

// Whether a system was made for the base of the deformable, and whether it fixes the particles that are fixed now.
bool pli_implicit_has_base(const pli_deformable_data *deformable, const pli_implicit *system);
bool pli_implicit_holds(const pli_deformable_data *deformable, const pli_implicit *system);
// Takes the masses in effect, and lists the particles that they fix or release. False when memory ran out.
bool pli_implicit_take_masses(pli_memory *memory, const pli_deformable_data *deformable, pli_implicit *system,
                              pli_implicit_numbers *turned);
// Builds the border for the unknowns that are fixed now. PLI_FACTOR_NOT_POSITIVE if a new base is needed.
pli_factor_result pli_implicit_hold(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                                    const pli_implicit_energy *energy);
bool pli_implicit_add(pli_implicit_columns *columns, int32_t unknown, double value);

// Updates a state with `bring_up`, which builds it for the base or a border for the fixed unknowns, and takes a new base if one is needed.
// If no base succeeds, the state is freed. False when memory ran out.
typedef pli_factor_result (*pli_implicit_bring_up)(pli_world *world, pli_deformable_data *deformable, const void *key);
typedef void (*pli_implicit_free)(pli_world *world, pli_deformable_data *deformable);
bool pli_implicit_update(pli_world *world, pli_deformable_data *deformable, pli_implicit_bring_up bring_up,
                         pli_implicit_free release, const void *key);

// Computes the positions of the particles at the end of the interval.
void pli_implicit_look_ahead(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system);
// Solves for the correction from the residual in the vector.
void pli_implicit_solve(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                        const pli_implicit_energy *energy);
// Whether an interval begins with this substep, which counts from 0 in the step. A system may be null.
bool pli_implicit_is_due(const pli_implicit *system, int32_t substep);
// The first function gives h^2 a, which is added to predicted positions. The second removes the rigid motion that this would give to a
// piece of the deformable.
pli_push pli_implicit_push(const pli_implicit *system, float step);
void pli_implicit_take_ghosts(pli_world *world, pli_deformable_data *deformable, float step);

#endif
