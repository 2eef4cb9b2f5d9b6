// The ghost motion of a deformable, and its removal.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.3: a projection that keeps both momenta makes no ghost
//   forces. Each projection keeps sum m p x dp = 0 about the positions p that it reads. Algorithm 1, line 13 turns dp
//   into velocities, whose moments count about the positions x at the start of the substep:
//
//     sum m x_new x v_new  =  sum m x x v  +  (1 / h) sum m x x dp          (exactly, for v_new = (x_new - x) / h)
//
//   The last sum is a spurious torque. Under stress, where large corrections oppose each other in every substep, it
//   always points in the same direction, and a body at rest starts to spin.
//
// So the corrections of a substep's internal sweeps are summed: P = sum m dp, T = sum m (x - c) x dp. The rigid motion with the same sums,
// P / M + I^-1 T x (x - c) with M and I of the positions x, is removed from positions and velocities, after which both sums are exactly
// zero. Corrections by contacts, attachments and friction are not summed, so they remain in full.
//
// A pivot is a particle that is fixed or tied to the world; it absorbs linear momentum. A piece with one pivot rotates only about it, and
// one with collinear pivots rotates about their line; other pivots leave no rigid motion (sweep/connected_pieces.h).
#ifndef PLI_PARTICLES_GHOST_MOTION_H
#define PLI_PARTICLES_GHOST_MOTION_H

#include "model/model.h"
#include "particles/ghost_kernels.h"

// The maximum number of pivots that leave a piece a rigid motion. One more denotes a piece without rigid motion.
enum { PLI_PIVOTS_MAX = 2, PLI_HELD_FAST };

// A piece of a deformable: particles that constraints or faces connect, directly or through others.
typedef struct pli_piece {
    int32_t first_chunk, chunk_count;
    int32_t pivots[PLI_PIVOTS_MAX], pivot_count; // PLI_HELD_FAST: the piece has no rigid motion.
} pli_piece;

// The motion of the pins of a piece, as sums over them (particles/damping.h).
typedef struct pli_pins {
    int32_t count;
    pli_dvec3 place, velocity, angular; // Sums of x, v and x x v [m], [m/s], [m2/s].
    double inertia[6];                  // Moments of unit masses at the pins about the origin [m2].
} pli_pins;

// The contacts of a piece with shapes: sums over them, for rolling friction (particles/rolling_friction.h).
typedef struct pli_footprint {
    double impulse;                 // Along the normals [N s].
    double torque, grip;            // Maximum rolling friction and maximum friction [N m s, N s].
    double lost;                    // Impulse times the fraction of deformation energy that is lost.
    double spread[6];               // Moments of inertia of the impulses, taken as masses.
    pli_dvec3 centre, normal, spin; // Position, normal and angular velocity of the surface, times the impulse.
    bool inflated;                  // A constraint keeps the piece's volume.
} pli_footprint;

typedef struct pli_pieces {
    pli_piece *items;          // [count]
    bool *fast;                // [count] pieces without rigid motion.
    pli_ghost *ghosts;         // [count] motion that is removed from each piece in this substep.
    pli_footprint *footprints; // [count]
    pli_pins *pins;            // [count]
    int32_t count;
    int32_t *members;  // [particles] particles by piece; null where one piece has them all, in internal order.
    int32_t *piece_of; // [particles] the piece of each; null likewise.
    pli_ghost_chunk *chunks;
    double *sums;  // [chunk_count * PLI_GHOST_SUM_COUNT]
    float *masses; // The masses of the chunks, see pli_ghost_job.
    int32_t chunk_count;
    int32_t
        *pivots; // [pivot_count] particles that are fixed or tied to the world; the first pin_count not by attachments.
    int32_t pin_count, pivot_count, pivot_capacity;
    pli_particle *before; // [2 * particles] positions before a sweep, then losses before it; null until needed.
    bool any_free;        // During a step: some piece has a rigid motion.
    bool rolls;           // During a substep: the footprints of the pieces are known and may resist rolling.
    bool any_drifts;      // During a step: some piece has no pivot, so that nothing absorbs its momentum.
    // During a substep: if sweeps keep no losses, the store contains the losses of the shifts below. A ghost of rounding is less than
    // the last place of a position, so it is removed from the velocities only.
    bool kept_shifts;
} pli_pieces;

// Records the masses of the particles, which do not change during a step.
void pli_deformable_weigh_pieces(pli_world *world, pli_deformable_data *deformable);
// Whether ghosts are removed from the deformable in this step.
bool pli_deformable_has_ghosts(const pli_world *world, const pli_deformable_data *deformable);
// Called around an internal sweep of a deformable that something external moves between sweeps: removes the sweep's ghost from the
// positions.
void pli_deformable_begin_sweep(pli_deformable_data *deformable, int32_t iteration);
void pli_deformable_end_sweep(pli_world *world, pli_deformable_data *deformable, float step, int32_t iteration);
// Derives velocities from positions, without the ghosts of all sweeps of the substep, which are also removed from the positions.
void pli_deformable_derive_without_ghosts(pli_world *world, pli_deformable_data *deformable, float step);

#endif
