// Where tests meet private structures (inside.h).
#include "inside.h"

#include "model/backends/backends.h"
#include "model/handles.h"
#include "model/model.h"
#include "sweep/constraint_slots.h"
#include "sweep/wavefront.h"

const pli_kernels *inside_kernels(pli_simd simd) { return pli_kernels_of(simd); }
const pli_near_kernels *inside_pair_kernels(pli_simd simd) { return pli_kernels_of(simd)->near; }
const pli_closest_kernels *inside_closest_kernels(pli_simd simd) { return pli_kernels_of(simd)->closest; }
const pli_contact_batch_kernels *inside_contact_kernels(pli_simd simd) { return pli_kernels_of(simd)->contact_batches; }
const pli_smooth_kernels *inside_shape_kernels(pli_simd simd) { return pli_kernels_of(simd)->smooth; }
const pli_rigid_motion_kernels *inside_rigid_motion_kernels(pli_simd simd) { return pli_kernels_of(simd)->whole; }
const pli_particle_contact_kernels *inside_particle_kernels(pli_simd simd)
{
    return pli_kernels_of(simd)->particle_contacts;
}
const pli_gradient_kernels *inside_gradient_kernels(pli_simd simd) { return pli_kernels_of(simd)->gradients; }

bool inside_is_sequential(const pli_world *world) { return world->order == PLI_ORDER_SEQUENTIAL; }

bool inside_runs_in_wavefronts(const pli_world *world)
{
    return pli_wavefronts_from(world, (const pli_constraints_data *)(const void *)world->sets.items[0], INT32_MAX) !=
           NULL;
}

int32_t inside_colour_count(const pli_world *world, pli_constraints handle)
{
    return pli_constraints_get(world, handle, NULL)->colour_count;
}

int32_t inside_colour_of(const pli_world *world, pli_constraints handle, int32_t constraint)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, NULL);
    int32_t slot = pli_constraints_slot(set, constraint), found = -1, count = 0;
    for (int32_t c = 0; c < set->colour_count; c++)
        if (slot >= set->colour_offsets[c] && slot < set->colour_offsets[c] + set->colour_sizes[c])
            found = c, count++;
    return count == 1 ? found : -1;
}

int32_t inside_particles_of(const pli_world *world, pli_constraints handle, int32_t constraint,
                            const int32_t **particles, int32_t fixed[PLI_CARDINALITY_MAX])
{
    return pli_constraints_particles(pli_constraints_get(world, handle, NULL), constraint, particles, fixed);
}

int32_t inside_particle_count(const pli_world *world, pli_constraints handle)
{
    return pli_constraints_get(world, handle, NULL)->deformable->count;
}
