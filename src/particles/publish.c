// Publishes the particles of a deformable in the vertex order of its mesh, which may differ from their order in memory,
// and fixes or releases single particles.
#include "particles/publish.h"

#include "model/origin.h"
#include "model/parallel.h"
#include "particles/integrate.h"
#include "particles/normals_wind.h"
#include "particles/momentum.h"

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
        deformable->view->particles[v] = deformable->particles[deformable->order[v]];
        deformable->view->velocities[v] = deformable->velocities[deformable->order[v]];
    }
    for (int32_t v = begin; pli_world_is_offset(job->world) && v < end; v++) {
        const pli_particle *p = &deformable->particles[pli_place(deformable, v)];
        pli_vec3 at = pli_world_point(job->world, (pli_vec3){p->x, p->y, p->z});
        deformable->view->in_world[v] = (pli_particle){at.x, at.y, at.z, p->w};
    }
}

void pli_deformable_publish(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count)
{
    publishing job = {world, deformable};
    deformable->normals->is_fresh = false;
    publish_piece(&job, first, first + count);
}

void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable)
{
    publishing job = {world, deformable};
    deformable->normals->is_fresh = false;
    if (deformable->order || pli_world_is_offset(world))
        pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, publish_piece, &job);
}

bool pli_world_reserve_published(pli_world *world)
{
    bool complete = true;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->view->in_world)
            deformable->view->in_world = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
        complete = complete && (deformable->view->in_world || deformable->capacity == 0);
    }
    return complete;
}

const pli_particle *pli_deformable_published(const pli_world *world, const pli_deformable_data *deformable)
{
    if (pli_world_is_offset(world))
        return deformable->view->in_world;
    return deformable->order ? deformable->view->particles : deformable->particles;
}

// Keeps the positions that the user reads now as those before the next step.
static void keep_shown(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count)
{
    if (deformable->view->before && count > 0)
        memcpy(deformable->view->before + first, pli_deformable_published(world, deformable) + first,
               (size_t)count * sizeof(pli_particle));
}

void pli_deformable_publish_jump(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count)
{
    pli_deformable_publish(world, deformable, first, count);
    keep_shown(world, deformable, first, count);
}

void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held)
{
    deformable->held[place] = held;
    deformable->particles[place].w = held ? 0.0f : deformable->velocities[place].w;
    deformable->momentum->pivots_known = false;
}

/* ---- the feature -------------------------------------------------------------------------------- */

static bool create_published(pli_world *world, pli_deformable_data *deformable)
{
    pli_user_view *view = deformable->view;
    pli_particle **particles = deformable->order ? &view->particles : &view->good_particles;
    pli_particle **velocities = deformable->order ? &view->velocities : &view->good_velocities;
    *particles = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
    *velocities = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
    return *particles && *velocities;
}

static bool configure(pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    if (!def->keep_previous || deformable->view->before)
        return true;
    deformable->view->before = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
    if (deformable->view->before && deformable->id)
        keep_shown(world, deformable, 0, deformable->count);
    return deformable->view->before != NULL;
}

enum { SAVE_GRAIN = 4096 }; // Particles of a task.

static void save_piece(void *data, int32_t begin, int32_t end)
{
    const pli_deformable_data *deformable = data;
    size_t size = (size_t)(end - begin) * sizeof *deformable->particles;
    memcpy(deformable->view->good_particles + begin, deformable->particles + begin, size);
    memcpy(deformable->view->good_velocities + begin, deformable->velocities + begin, size);
}

static void save_published(pli_world *world, pli_deformable_data *deformable)
{
    keep_shown(world, deformable, 0, deformable->count);
    if (!deformable->order && !pli_deformable_is_left_alone(world, deformable))
        pli_parallel(world, deformable->count, SAVE_GRAIN, save_piece, deformable);
}

static void restore_published(pli_deformable_data *deformable)
{
    const pli_user_view *view = deformable->view;
    const size_t size = (size_t)deformable->count * sizeof *deformable->particles;
    for (int32_t v = 0; deformable->order && v < deformable->count; v++) {
        deformable->particles[deformable->order[v]] = view->particles[v];
        deformable->velocities[deformable->order[v]] = view->velocities[v];
    }
    if (!deformable->order) {
        memcpy(deformable->particles, view->good_particles, size);
        memcpy(deformable->velocities, view->good_velocities, size);
    }
}

// The user's forces were for this step.
static void drop_forces(pli_world *world, bool repeats)
{
    for (int32_t i = 0; i < world->deformables.count && !repeats; i++)
        pli_deformable_drop_forces(pli_deformable_at(world, i));
}

static void publish_particles(pli_world *world, float dt)
{
    (void)dt;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_is_left_alone(world, pli_deformable_at(world, i)))
            pli_deformable_publish_all(world, pli_deformable_at(world, i));
    drop_forces(world, false);
}

static const pli_feature_array published_arrays[] = {
    {PLI_FEATURE_ARRAY(pli_user_view, particles, 1), .by_vertex = true},
    {PLI_FEATURE_ARRAY(pli_user_view, velocities, 1), .by_vertex = true},
    {PLI_FEATURE_ARRAY(pli_user_view, good_particles, 1), .inherited = true},
    {PLI_FEATURE_ARRAY(pli_user_view, good_velocities, 1), .inherited = true},
    {PLI_FEATURE_ARRAY(pli_user_view, in_world, 1), .by_vertex = true},
    {PLI_FEATURE_ARRAY(pli_user_view, before, 1), .by_vertex = true, .inherited = true},
};

const pli_feature pli_feature_view = {
    .name = "user view",
    PLI_FEATURE_STATE(pli_user_view, view),
    PLI_FEATURE_ARRAYS(published_arrays),
    .create = create_published,
    .configure = configure,
    .publish = publish_particles,
    .undo = drop_forces,
    .save = save_published,
    .restore = restore_published,
};
