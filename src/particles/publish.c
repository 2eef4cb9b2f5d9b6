// Publishes the particles of a deformable in the vertex order of its mesh, which may differ from their order in memory,
// and fixes or releases single particles.
#include "particles/publish.h"

#include "model/model.h"
#include "model/parallel.h"

static void publish_piece(void *data, int32_t begin, int32_t end)
{
    pli_deformable_data *deformable = data;
    for (int32_t v = begin; v < end; v++) {
        deformable->user_particles[v] = deformable->particles[deformable->order[v]];
        deformable->user_velocities[v] = deformable->velocities[deformable->order[v]];
    }
}

void pli_deformable_publish(pli_deformable_data *deformable, int32_t first, int32_t count)
{
    deformable->user_normals_fresh = false;
    if (deformable->order)
        publish_piece(deformable, first, first + count);
}

void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable)
{
    deformable->user_normals_fresh = false;
    if (deformable->order)
        pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, publish_piece, deformable);
}

void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held)
{
    deformable->held[place] = held;
    deformable->particles[place].w = held ? 0.0f : deformable->velocities[place].w;
    deformable->pivots_known = false;
}
