// Energies of a deformable that are solved, plates (src/plate) and constraint sets (src/bends), have this in common. Once in an interval
// of H = n h, after the forces,
//
//   (M / H^2 + Q) d = r(y),    y = x + H v',    a = d / H^2
//
// is solved for the particles that are not fixed, and for further unknowns without a mass, where r is the force of the energy at y and Q
// a constant matrix that stands for its stiffness; h^2 a is added to predicted positions in each of the n substeps. It is an implicit
// step over H that is spread, so that contacts and projections between see a force and no kicks. Of the forces, gravity is known to
// go on through H. The momenta of a are those of internal forces at y, not at x; what they would turn a body by is taken out as for
// projections (particles/ghost_motion.h).
//
// A factorisation is made for the inverse masses of a moment, the base of the deformable. Particles that are fixed or released since
// then are a border of the equations (sparse/border.h), which takes microseconds where a factorisation takes a tenth of a second.
// The base is taken anew where masses have changed otherwise, or where the border would have more than PLI_BORDER_MOST columns. It is
// saved with snapshots, so that what a step gives depends on what is saved alone.
#ifndef PLI_IMPLICIT_IMPLICIT_H
#define PLI_IMPLICIT_IMPLICIT_H

#include "base/array.h"
#include "model/model.h"
#include "particles/integrate.h"
#include "sparse/border.h"
#include "sparse/solve.h"

enum { PLI_IMPLICIT_INTERVAL = 5 }; // Most substeps in an interval by default.

// The first `count` unknowns are the particles, by internal index.
typedef struct pli_implicit {
    int32_t count, unknowns;
    int32_t interval;    // n.
    float seconds;       // H [s].
    float *base;         // [count] inverse masses that the factorisation was made for [1/kg].
    float *masses;       // [count] those in effect, which may hold others.
    int32_t *places;     // [unknowns] of each in the order of elimination; -1 for those held in the base.
    pli_particle *ahead; // [count] y until the solve, then the particles' part of d.
    pli_factor factor;
    pli_solve_scratch scratch; // Its vector has the residual, then the correction d.
    // Unknowns whose state is another than in the base, ascending, and what they add to the equations.
    int32_t *changed;
    int32_t changed_count;
    pli_border border;
    pli_particle *released; // [changed] the residual of those that are held in the base, then their correction.
} pli_implicit;

// The columns of a border while they are filled.
typedef struct pli_implicit_columns pli_implicit_columns;

// An energy tells the equations this.
typedef struct pli_implicit_energy {
    bool (*is_held)(const pli_deformable_data *deformable, int32_t unknown);
    // Adds the entries of the matrix in the column of an unknown that joins, by pli_implicit_add. False when memory ran out.
    bool (*add_column)(const pli_deformable_data *deformable, int32_t unknown, pli_implicit_columns *columns);
    pli_particle (*residual)(const pli_deformable_data *deformable, int32_t unknown);
} pli_implicit_energy;

typedef PLI_ARRAY(int32_t) pli_implicit_numbers;

// The largest number of substeps up to `most`, or by default up to PLI_IMPLICIT_INTERVAL, that divides the step into equal intervals.
int32_t pli_implicit_interval(int32_t substeps, int32_t most);

// Allocates what a zeroed system has by particle and unknown, with `base` as the masses in effect too. False when memory ran out.
bool pli_implicit_make(pli_memory *memory, pli_implicit *system, int32_t count, int32_t unknowns, const float *base);
// Factors the sum of the elements and a diagonal. `numbers` has the number of each unknown in these, or -1 where it is held, and
// `points` three coordinates of each of the `number_count` that are not.
pli_factor_result pli_implicit_factor(pli_memory *memory, pli_implicit *system, const pli_elements *elements,
                                      const int32_t *numbers, int32_t number_count, const double *points,
                                      const double *diagonal);
void pli_implicit_clear(pli_memory *memory, pli_implicit *system);

// Whether a system was made for the base of the deformable, and whether it holds what is held now.
bool pli_implicit_has_base(const pli_deformable_data *deformable, const pli_implicit *system);
bool pli_implicit_holds(const pli_deformable_data *deformable, const pli_implicit *system);
// Takes the masses in effect, and lists the particles that are held or released by that. False when memory ran out.
bool pli_implicit_take_masses(pli_memory *memory, const pli_deformable_data *deformable, pli_implicit *system,
                              pli_implicit_numbers *turned);
// Makes the border of what is held now. PLI_FACTOR_NOT_POSITIVE where a new base is needed.
pli_factor_result pli_implicit_hold(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                                    const pli_implicit_energy *energy);
bool pli_implicit_add(pli_implicit_columns *columns, int32_t unknown, double value);

// Brings a state up to date by `bring_up`, which makes it for the base or holds what is held, taking a new base where that is
// needed. Where no base will do, the state is freed. False when memory ran out.
typedef pli_factor_result (*pli_implicit_bring_up)(pli_world *world, pli_deformable_data *deformable, const void *key);
typedef void (*pli_implicit_free)(pli_world *world, pli_deformable_data *deformable);
bool pli_implicit_update(pli_world *world, pli_deformable_data *deformable, pli_implicit_bring_up bring_up,
                         pli_implicit_free release, const void *key);

// Where the particles will be at the end of the interval.
void pli_implicit_look_ahead(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system);
// From the residual in the vector to the correction.
void pli_implicit_solve(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                        const pli_implicit_energy *energy);
// Whether an interval begins with this substep, which counts from 0 in the step. A system may be null.
bool pli_implicit_is_due(const pli_implicit *system, int32_t substep);
// h^2 a, which is added to predicted positions; and then, what this would give of a rigid motion to a piece of the deformable is taken out.
pli_push pli_implicit_push(const pli_implicit *system, float step);
void pli_implicit_take_ghosts(pli_world *world, pli_deformable_data *deformable, float step);

#endif
