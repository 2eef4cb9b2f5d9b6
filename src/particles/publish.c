// Publishes the particles of a deformable in the vertex order of its mesh, which may differ from their order in memory,
// and fixes or releases single particles.
#include "particles/publish.h"

#include "model/origin.h"
#include "model/parallel.h"

#include <string.h>

typedef struct publishing {
    const pli_world *world;
    pli_deformable_data *deformable;
} publishing;

static void publish_piece(void *data, int32_t begin, int32_t end)
{
    const publishing *job = data;
    pli_deformable_data *deformable = job->deformable;
    for (int32_t v = begin; deformable->order && v < end; v++) {
        deformable->user_particles[v] = deformable->particles[deformable->order[v]];
        deformable->user_velocities[v] = deformable->velocities[deformable->order[v]];
    }
    for (int32_t v = begin; pli_world_is_offset(job->world) && v < end; v++) {
        const pli_particle *p = &deformable->particles[pli_place(deformable, v)];
        pli_vec3 at = pli_world_point(job->world, (pli_vec3){p->x, p->y, p->z});
        deformable->world_particles[v] = (pli_particle){at.x, at.y, at.z, p->w};
    }
}

void pli_deformable_publish(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count)
{
    publishing job = {world, deformable};
    deformable->user_normals_fresh = false;
    publish_piece(&job, first, first + count);
}

void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable)
{
    publishing job = {world, deformable};
    deformable->user_normals_fresh = false;
    if (deformable->order || pli_world_is_offset(world))
        pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, publish_piece, &job);
}

bool pli_world_reserve_published(pli_world *world)
{
    bool complete = true;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->world_particles)
            deformable->world_particles = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
        complete = complete && (deformable->world_particles || deformable->capacity == 0);
    }
    return complete;
}

const pli_particle *pli_deformable_published(const pli_world *world, const pli_deformable_data *deformable)
{
    if (pli_world_is_offset(world))
        return deformable->world_particles;
    return deformable->order ? deformable->user_particles : deformable->particles;
}

void pli_deformable_forget_shown(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count)
{
    if (deformable->shown_before && count > 0)
        memcpy(deformable->shown_before + first, pli_deformable_published(world, deformable) + first,
               (size_t)count * sizeof(pli_particle));
}

void pli_deformable_keep_shown(const pli_world *world, pli_deformable_data *deformable)
{
    pli_deformable_forget_shown(world, deformable, 0, deformable->count);
}

void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held)
{
    deformable->held[place] = held;
    deformable->particles[place].w = held ? 0.0f : deformable->velocities[place].w;
    deformable->pivots_known = false;
}
