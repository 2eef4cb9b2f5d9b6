// The plate of a deformable: when it is factored again, and its solve. See plate/plate.h.
#include "plate/plate.h"

#include "base/hash.h"
#include "descriptors/groups.h"
#include "model/parallel.h"
#include "particles/ghost_motion.h"
#include "plate/plate_build.h"

pli_status pli_plate_check(const pli_plate *plate, pli_error *error)
{
    for (size_t i = 0; i < sizeof plate->reserved / sizeof *plate->reserved; i++)
        if (plate->reserved[i] != 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "plate: reserved words must be 0");
    pli_error found;
    if (pli_descriptor_check(&pli_plate_descriptors, plate, &found) == PLI_STATUS_OK)
        return pli_succeed(error);
    return pli_fail(error, found.status, "plate: %.400s", found.message);
}

/* ---- when it is factored ------------------------------------------------------------------------ */

// The largest number of substeps up to `most` that divides the step into equal intervals.
static int32_t interval_of(int32_t substeps, int32_t most)
{
    int32_t interval = most < substeps ? most : substeps;
    while (substeps % interval != 0)
        interval--;
    return interval;
}

static pli_plate_key key_of(const pli_deformable_data *deformable, float step, int32_t interval)
{
    const pli_plate *plate = &deformable->def.plate;
    pli_plate_key key = {(float)interval * step, plate->rigidity,      plate->poisson,
                         deformable->count,      deformable->capacity, 0};
    if (deformable->tear_state)
        key.shape = pli_hash_bytes(PLI_HASH_START, deformable->shape.triangles,
                                   3 * (size_t)deformable->shape.triangle_count * sizeof *deformable->shape.triangles);
    return key;
}

// By members, since the bytes between them are not set.
static bool is_same_key(const pli_plate_key *a, const pli_plate_key *b)
{
    return a->interval == b->interval && a->rigidity == b->rigidity && a->poisson == b->poisson &&
           a->count == b->count && a->capacity == b->capacity && a->shape == b->shape;
}

static bool is_current(const pli_deformable_data *deformable, const pli_plate_key *key)
{
    const pli_plate_state *state = deformable->plate;
    if (!state || !is_same_key(&state->key, key))
        return false;
    for (int32_t i = 0; i < deformable->count; i++)
        if (state->masses[i] != deformable->particles[i].w)
            return false;
    return true;
}

void pli_plate_free(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->plate)
        return;
    pli_plate_state_clear(&world->memory, deformable->plate);
    pli_release(&world->memory, deformable->plate);
    deformable->plate = NULL;
}

static bool update_plate(pli_world *world, pli_deformable_data *deformable, float step, int32_t substeps)
{
    if (!pli_deformable_has_plate(deformable) || deformable->shape.triangle_count == 0) {
        pli_plate_free(world, deformable);
        return true;
    }
    const int32_t most = deformable->def.plate.interval > 0 ? deformable->def.plate.interval : PLI_PLATE_INTERVAL;
    const int32_t interval = interval_of(substeps, most);
    const pli_plate_key key = key_of(deformable, step, interval);
    if (is_current(deformable, &key))
        return true;
    pli_plate_free(world, deformable);
    deformable->plate = PLI_ALLOCATE(&world->memory, pli_plate_state, 1);
    if (!deformable->plate)
        return false;
    deformable->plate->key = key;
    deformable->plate->interval = interval;
    const pli_factor_result result = pli_plate_state_build(world, deformable, deformable->plate);
    if (result == PLI_FACTOR_OK)
        return true;
    pli_plate_free(world, deformable);
    return result == PLI_FACTOR_NOT_POSITIVE;
}

bool pli_world_update_plates(pli_world *world, float step, int32_t substeps)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && !update_plate(world, pli_deformable_at(world, i), step, substeps))
            return false;
    return true;
}

/* ---- solve -------------------------------------------------------------------------------------- */

typedef struct bending {
    pli_deformable_data *deformable;
    pli_plate_state *state;
    pli_vec3 shift; // (H^2 - h H) g [m]: what gravity adds behind this substep, whose share velocities have.
    float share;    // h^2 / H^2.
} bending;

static void look_ahead(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    const float interval = b->state->key.interval;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = b->deformable->particles[i], v = b->deformable->velocities[i];
        const pli_vec3 shift = x.w > 0.0f ? b->shift : (pli_vec3){0.0f, 0.0f, 0.0f};
        b->state->ahead[i] = (pli_particle){x.x + (v.x * interval + shift.x), x.y + (v.y * interval + shift.y),
                                            x.z + (v.z * interval + shift.z), x.w};
    }
}

static void gather_pulls(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = ((const bending *)data)->state;
    for (int32_t i = begin; i < end; i++) {
        pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int32_t k = s->pull_begins[i]; k < s->pull_begins[i + 1]; k++) {
            const pli_particle a = s->lists.pulls[s->pull_places[k]];
            sum.x += a.x, sum.y += a.y, sum.z += a.z;
        }
        s->scratch.vector[s->factor.dissection.places[i]] = sum;
    }
}

static void gather_moments(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = ((const bending *)data)->state;
    const float scale = 1.0f / s->unit;
    for (int32_t e = begin; e < end; e++) {
        pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
        if (s->first_moments[e] >= 0) {
            const pli_particle a = s->lists.moments[s->first_moments[e]];
            sum = (pli_particle){-a.x, -a.y, -a.z, 0.0f};
        }
        if (s->second_moments[e] >= 0) {
            const pli_particle a = s->lists.moments[s->second_moments[e]];
            sum.x += a.x, sum.y += a.y, sum.z += a.z;
        }
        s->scratch.vector[s->factor.dissection.places[s->free_count + e]] = (pli_particle){sum.x * scale, sum.y * scale,
                                                                                           sum.z * scale, 0.0f};
    }
}

static void displace(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle d = b->state->scratch.vector[b->state->factor.dissection.places[i]];
        pli_particle *p = &b->deformable->particles[b->state->free_particles[i]];
        p->x += d.x * b->share, p->y += d.y * b->share, p->z += d.z * b->share;
    }
}

void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep)
{
    pli_plate_state *s = deformable->plate;
    if (!s || s->free_count == 0 || substep % s->interval != 0)
        return;
    enum { BATCH_GRAIN = PLI_PARTICLE_GRAIN / PLI_BATCH };
    const float interval = s->key.interval, step = interval / (float)s->interval;
    bending b = {deformable, s, pli_scale(world->settings.gravity, interval * interval - step * interval), 0.0f};
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, look_ahead, &b);
    pli_parallel(world, s->edge_batches, BATCH_GRAIN, world->kernels->plate->bend_edges, &s->lists);
    pli_parallel(world, s->triangle_batches, BATCH_GRAIN, world->kernels->plate->bend_triangles, &s->lists);
    pli_parallel(world, s->free_count, PLI_PARTICLE_GRAIN, gather_pulls, &b);
    pli_parallel(world, s->derivative_count, PLI_PARTICLE_GRAIN, gather_moments, &b);
    pli_solve(&s->factor, world->kernels->panels, world->tasks, &s->scratch);
}

void pli_plate_bend(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_plate_state *s = deformable->plate;
    if (!s || s->free_count == 0)
        return;
    bending b = {deformable, s, {0.0f, 0.0f, 0.0f}, step * step / (s->key.interval * s->key.interval)};
    pli_parallel(world, s->free_count, PLI_PARTICLE_GRAIN, displace, &b);
    deformable->moved_before = false; // Nothing but this has moved it since the prediction.
    if (pli_deformable_has_ghosts(world, deformable))
        pli_deformable_end_sweep(world, deformable, step, 0);
}
