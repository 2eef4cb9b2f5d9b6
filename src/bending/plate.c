// The plate of a deformable: when it is refactored, and its solve. See bending/plate.h.
#include "bending/plate.h"

#include "base/hash.h"
#include "properties/groups.h"
#include "model/parallel.h"
#include "bending/plate_expected.h"
#include "bending/plate_hold.h"
#include "bending/creases.h"

#include <math.h>

pli_status pli_plate_check(const pli_plate *plate, pli_error *error)
{
    pli_error found;
    if (pli_descriptor_check(&pli_plate_descriptors, plate, &found) == PLI_STATUS_OK)
        return pli_succeed(error);
    return pli_fail(error, found.status, "plate: %.400s", found.message);
}

/* ---- residual ------------------------------------------------------------------------------------ */

static pli_particle plate_pull_of(const pli_plate_state *s, int32_t particle)
{
    pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = s->pull_begins[particle]; k < s->pull_begins[particle + 1]; k++) {
        const pli_particle a = s->lists.pulls[s->pull_places[k]];
        sum.x += a.x, sum.y += a.y, sum.z += a.z;
    }
    return sum;
}

static pli_particle plate_moment_of(const pli_plate_state *s, int32_t edge)
{
    const float scale = 1.0f / s->unit;
    pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
    if (s->first_moments[edge] >= 0) {
        const pli_particle a = s->lists.moments[s->first_moments[edge]];
        sum = (pli_particle){-a.x, -a.y, -a.z, 0.0f};
    }
    if (s->second_moments[edge] >= 0) {
        const pli_particle a = s->lists.moments[s->second_moments[edge]];
        sum.x += a.x, sum.y += a.y, sum.z += a.z;
    }
    return (pli_particle){sum.x * scale, sum.y * scale, sum.z * scale, 0.0f};
}

static void gather_plate_pulls(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = data;
    for (int32_t i = begin; i < end; i++)
        if (s->system.places[i] >= 0)
            s->system.scratch.vector[s->system.places[i]] = plate_pull_of(s, i);
}

static void gather_moments(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = data;
    for (int32_t e = begin; e < end; e++)
        if (s->system.places[s->key.count + e] >= 0)
            s->system.scratch.vector[s->system.places[s->key.count + e]] = plate_moment_of(s, e);
}

static pli_particle plate_residual_of(const pli_deformable_data *deformable, int32_t unknown)
{
    const pli_plate_state *s = deformable->plate;
    return unknown < s->key.count ? plate_pull_of(s, unknown) : plate_moment_of(s, unknown - s->key.count);
}

static const pli_implicit_energy plate_energy = {pli_plate_is_held, pli_plate_add_column, plate_residual_of};

/* ---- when it is factored ------------------------------------------------------------------------ */

// The key that a plate is built for, and the number of substeps in an interval.
typedef struct making {
    pli_plate_key key;
    int32_t interval;
} making;

// With longer intervals, hanging cloth keeps swaying by some mm/s (docs/decisions/plates.md).
static int32_t most_by_default(int32_t count, float step)
{
    if (count >= PLI_PLATE_LARGE)
        return PLI_PLATE_LARGE_INTERVAL;
    const double most = PLI_PLATE_SHORT / (double)step;
    return count < PLI_PLATE_SMALL && most < PLI_IMPLICIT_INTERVAL ? (int32_t)fmax(most, 1.0) : PLI_IMPLICIT_INTERVAL;
}

static making making_of(const pli_deformable_data *deformable, float step, int32_t substeps)
{
    const pli_plate *plate = &deformable->def.plate;
    const int32_t most = plate->interval > 0 ? plate->interval : most_by_default(deformable->count, step);
    const int32_t interval = pli_implicit_interval(substeps, most);
    making m = {{(float)interval * step, plate->rigidity, plate->poisson, plate->damping, deformable->count,
                 deformable->capacity, 0, deformable->painted.rigidity_version},
                interval};
    if (deformable->tear_state)
        m.key.shape = pli_hash_bytes(PLI_HASH_START, deformable->shape.triangles,
                                     3 * (size_t)deformable->shape.triangle_count *
                                         sizeof *deformable->shape.triangles);
    return m;
}

// Compares member by member, since padding bytes are not set.
static bool is_same_plate_key(const pli_plate_key *a, const pli_plate_key *b)
{
    return a->interval == b->interval && a->rigidity == b->rigidity && a->poisson == b->poisson &&
           a->damping == b->damping && a->count == b->count && a->capacity == b->capacity && a->shape == b->shape &&
           a->paint == b->paint;
}

void pli_plate_free(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->plate)
        return;
    pli_plate_state_clear(&world->memory, deformable->plate);
    pli_release(&world->memory, deformable->plate);
    deformable->plate = NULL;
}

static pli_factor_result build_plate_factor(pli_world *world, pli_deformable_data *deformable, const making *m)
{
    pli_plate_free(world, deformable);
    deformable->plate = PLI_ALLOCATE(&world->memory, pli_plate_state, 1);
    if (!deformable->plate)
        return PLI_FACTOR_NO_MEMORY;
    deformable->plate->key = m->key;
    deformable->plate->system.interval = m->interval;
    deformable->plate->system.seconds = m->key.interval;
    return pli_plate_state_build(world, deformable, deformable->base->masses, deformable->plate);
}

static pli_factor_result update_plate_factor(pli_world *world, pli_deformable_data *deformable, const void *key)
{
    const making *m = key;
    const pli_plate_state *state = deformable->plate;
    pli_factor_result result = PLI_FACTOR_OK;
    if (!state || !is_same_plate_key(&state->key, &m->key) || !pli_implicit_has_base(deformable, &state->system) ||
        (deformable->plastic->creases && !state->lists.targets))
        result = build_plate_factor(world, deformable, m);
    if (result != PLI_FACTOR_OK || pli_implicit_holds(deformable, &deformable->plate->system))
        return result;
    if (!pli_plate_take_masses(world, deformable))
        return PLI_FACTOR_NO_MEMORY;
    return pli_implicit_hold(world, deformable, &deformable->plate->system, &plate_energy);
}

// Updates the targets with the bends that have become permanent since.
static void take_creases(const pli_deformable_data *deformable)
{
    for (int32_t e = 0; e < deformable->plate->mesh.edge_count; e++)
        pli_plate_put_shares(deformable, deformable->plate, e);
    deformable->plastic->creases->changed = false;
}

bool pli_plate_update(pli_world *world, pli_deformable_data *deformable, float step)
{
    if (!pli_deformable_has_plate(deformable) || deformable->shape.triangle_count == 0) {
        pli_plate_free(world, deformable);
        return true;
    }
    const making m = making_of(deformable, step, world->substep_count);
    if (!pli_plate_reserve_expected(world, deformable) ||
        !pli_implicit_update(world, deformable, update_plate_factor, pli_plate_free, &m))
        return false;
    if (deformable->plate && deformable->plastic->creases && deformable->plastic->creases->changed)
        take_creases(deformable);
    return true;
}

/* ---- a step ------------------------------------------------------------------------------------- */

const pli_implicit *pli_plate_system(const pli_deformable_data *deformable)
{
    return deformable->plate ? &deformable->plate->system : NULL;
}

typedef struct triangle_turning {
    pli_plate_state *state;
    const pli_particle *velocities;
    pli_vec3 gained; // The velocity that gravity has added in this substep [m/s].
} triangle_turning;

static void turn_triangle(void *data, int32_t begin, int32_t end)
{
    const triangle_turning *job = data;
    const float seconds = job->state->key.interval;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = job->state->lists.positions[i], v = job->velocities[i];
        const pli_vec3 gained = x.w > 0.0f ? job->gained : (pli_vec3){0.0f, 0.0f, 0.0f};
        job->state->lists.turned[i] = (pli_particle){x.x + (v.x - gained.x) * seconds, x.y + (v.y - gained.y) * seconds,
                                                     x.z + (v.z - gained.z) * seconds, x.w};
    }
}

// Where particles would move without forces, so that forces that balance bending do not rotate a sheet at rest.
static void turn_ahead(pli_world *world, pli_deformable_data *deformable)
{
    pli_plate_state *s = deformable->plate;
    const float step = s->key.interval / (float)s->system.interval;
    triangle_turning job = {s, deformable->velocities, pli_scale(world->settings.gravity, step)};
    s->lists.positions = deformable->particles;
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, turn_triangle, &job);
}

void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep)
{
    pli_plate_state *s = deformable->plate;
    if (!pli_implicit_is_due(pli_plate_system(deformable), substep))
        return;
    enum { BATCH_GRAIN = PLI_PARTICLE_GRAIN / PLI_BATCH };
    pli_implicit_look_ahead(world, deformable, &s->system);
    pli_plate_look_further(world, deformable);
    if (s->lists.turned)
        turn_ahead(world, deformable);
    pli_parallel(world, s->edge_batches, BATCH_GRAIN, world->kernels->plate->bend_edges, &s->lists);
    pli_parallel(world, s->triangle_batches, BATCH_GRAIN, world->kernels->plate->bend_triangles, &s->lists);
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, gather_plate_pulls, s);
    pli_parallel(world, s->mesh.edge_count, PLI_PARTICLE_GRAIN, gather_moments, s);
    pli_implicit_solve(world, deformable, &s->system, &plate_energy);
    pli_plate_expect(world, deformable);
}

static pli_status check_plate(const pli_world *world, const pli_deformable_def *def, pli_error *error)
{
    (void)world;
    return pli_plate_check(&def->plate, error);
}

const pli_feature pli_feature_plate = {
    .name = "plate",
    .at = offsetof(pli_deformable_data, plate),
    .check = check_plate,
    .destroy = pli_plate_free,
    .prepare = pli_plate_update,
};
