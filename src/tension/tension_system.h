// The linear system of tension/tension.h: which constraints, unknowns and fronts it has.
#ifndef PLI_TENSION_TENSION_SYSTEM_H
#define PLI_TENSION_TENSION_SYSTEM_H

#include "model/model.h"
#include "sparse/dissection.h"
#include "tension/tension.h"

// Values of C and particles of a constraint at most, and so the sizes of what is kept of it.
enum { PLI_TENSILE_VALUES = 3, PLI_TENSILE_PARTICLES = 3 };

// A linearised constraint.
typedef struct pli_tensile {
    int32_t places[PLI_TENSILE_PARTICLES];   // Particles, -1 behind the last.
    int32_t unknowns[PLI_TENSILE_PARTICLES]; // -1 for fixed ones.
    int32_t slot;                            // In its set.
    // Where the block of particles i and j lies, for j not before i in the order of elimination; -1 elsewhere.
    int32_t entries[PLI_TENSILE_PARTICLES][PLI_TENSILE_PARTICLES];
    double gradients[PLI_TENSILE_VALUES][PLI_TENSILE_PARTICLES][3];
    double inverse[PLI_TENSILE_VALUES][PLI_TENSILE_VALUES]; // A^-1.
    double excess[PLI_TENSILE_VALUES];                      // b.
    double pulls[PLI_TENSILE_VALUES];                       // Tension of each value, times h^2; 0 under pressure.
    double across[3][3];                                    // The projector onto the directions that tension stiffens.
} pli_tensile;

// The constraints of a set.
typedef struct pli_tensile_set {
    pli_constraint_set_data *set;
    int32_t first, count;
} pli_tensile_set;

// A node of the dissection as a front, in unknowns: `count` that are eliminated, then `row_count` places that they couple to.
typedef struct pli_tension_front {
    int32_t first, count, rows, row_count;
    int64_t columns;   // Where its columns of L begin in `columns`, three scalars an unknown.
    int64_t remainder; // Where what it leaves to its parent begins in `remainders`.
    int32_t first_child, next_child;
} pli_tension_front;

struct pli_tension {
    uint64_t key;
    pli_tensile_set *sets;
    pli_tensile *items;
    int32_t set_count, item_count;
    int32_t free_count;
    int32_t *free_particles; // [free_count] the particle of each unknown.
    int32_t *numbers;        // [particles] the unknown of each particle, -1 for fixed ones.
    pli_symmetric_matrix graph;
    double (*blocks)[9]; // [entries of the graph] row by row of the earlier unknown.
    int32_t *diagonal;   // [free_count] entry of each unknown with itself.
    // [free_count] symmetric mass of the bodies that are attached to the particle of each unknown, xx yy zz xy xz yz [kg].
    double (*carried)[6];
    double share;    // The share of d that the last solve took.
    double *vector;  // [3 * free_count] by unknown: the right-hand side, then d.
    double *ordered; // [3 * free_count] the same in the order of elimination.
    pli_dissection dissection;
    pli_tension_front *fronts; // [dissection.node_count]
    int32_t *rows, row_capacity, row_total;
    int32_t *local; // [free_count] index in the front of a place.
    double *columns, *remainders, *front;
    int64_t column_total, remainder_total, front_most;
    bool banded;  // It is a band (tension/tension_band.h), which `columns` has: there are no fronts.
    int32_t band; // How many places ahead of its own a row couples, in the order from end to end.
};

#endif
