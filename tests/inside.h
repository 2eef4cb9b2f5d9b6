// Functions by which tests reach the engine's private structures: when those change their names or layout, inside.c is
// edited and the tests are not. A test that needs more of one structure includes its header and is that structure's
// test.
#ifndef PLIANT_TESTS_INSIDE_H
#define PLIANT_TESTS_INSIDE_H

#include "pliant/pliant.h"
#include "collision/certificate/flat_kernels.h"
#include "collision/contacts/contact_kernels.h"
#include "collision/narrowphase/closest_kernels.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/particle_contact/particle_kernels.h"
#include "collision/shape_contact/shape_kernels.h"
#include "model/kernels.h"
#include "particles/rigid_motion_kernels.h"

// Kernels of a back end that is available, or of the one that worlds take by themselves.
const pli_kernels *inside_kernels(pli_simd simd);
const pli_near_kernels *inside_pair_kernels(pli_simd simd);
const pli_closest_kernels *inside_closest_kernels(pli_simd simd);
const pli_contact_batch_kernels *inside_contact_kernels(pli_simd simd);
const pli_smooth_kernels *inside_shape_kernels(pli_simd simd);
const pli_rigid_motion_kernels *inside_rigid_motion_kernels(pli_simd simd);
const pli_particle_contact_kernels *inside_particle_kernels(pli_simd simd);
const pli_gradient_kernels *inside_gradient_kernels(pli_simd simd);

// Whether sets are projected one constraint at a time, in order of creation.
bool inside_is_sequential(const pli_world *world);
// Whether the world's first set is projected by wavefronts.
bool inside_runs_in_wavefronts(const pli_world *world);

// The colour of a constraint, counted in order of creation, or -1 when none has it or several do.
int32_t inside_colour_of(const pli_world *world, pli_constraints set, int32_t constraint);
int32_t inside_colour_count(const pli_world *world, pli_constraints set);
// Places in memory of a constraint's particles, as many as returned; in `fixed` where their number is the type's.
int32_t inside_particles_of(const pli_world *world, pli_constraints set, int32_t constraint, const int32_t **particles,
                            int32_t fixed[PLI_CARDINALITY_MAX]);
// Particles of the set's deformable.
int32_t inside_particle_count(const pli_world *world, pli_constraints set);

#endif
