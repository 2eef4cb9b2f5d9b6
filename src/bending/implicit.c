// Solved steps: bending/implicit.h.
#include "bending/implicit.h"

#include "base/stream.h"

#include "model/parallel.h"
#include "particles/ghost_motion.h"

#include <string.h>

int32_t pli_implicit_interval(int32_t substeps, int32_t most)
{
    most = most > 0 ? most : PLI_IMPLICIT_INTERVAL;
    int32_t interval = most < substeps ? most : substeps;
    while (substeps % interval != 0)
        interval--;
    return interval;
}

/* ---- made and freed ------------------------------------------------------------------------------ */

bool pli_implicit_make(pli_memory *memory, pli_implicit *system, int32_t count, int32_t unknowns, const float *base)
{
    system->count = count, system->unknowns = unknowns;
    system->base = PLI_ALLOCATE(memory, float, count);
    system->masses = PLI_ALLOCATE(memory, float, count);
    system->places = PLI_ALLOCATE(memory, int32_t, unknowns);
    system->ahead = PLI_ALLOCATE(memory, pli_particle, count);
    if (!system->base || !system->masses || !system->places || !system->ahead)
        return false;
    memcpy(system->base, base, (size_t)count * sizeof *base);
    memcpy(system->masses, base, (size_t)count * sizeof *base);
    return true;
}

// Releases what is not needed once the matrix is assembled: all terms but the points.
static void release_terms(pli_memory *memory, const pli_implicit_terms *terms)
{
    pli_release(memory, terms->unknowns);
    pli_release(memory, terms->values);
    pli_release(memory, terms->diagonal);
}

bool pli_implicit_terms_make(pli_memory *memory, int32_t rows, int64_t unknowns, int64_t values,
                             pli_implicit_terms *terms)
{
    *terms = (pli_implicit_terms){
        .rows = rows,
        .unknowns = PLI_ALLOCATE(memory, int32_t, unknowns),
        .values = PLI_ALLOCATE(memory, double, values),
        .points = PLI_ALLOCATE(memory, double, 3 * (int64_t)rows),
        .diagonal = PLI_ALLOCATE(memory, double, rows),
    };
    const bool complete = terms->unknowns && terms->values && terms->points && terms->diagonal;
    if (!complete) {
        release_terms(memory, terms);
        pli_release(memory, terms->points);
    }
    return complete;
}

pli_factor_result pli_implicit_factor(pli_world *world, pli_implicit *system, const pli_implicit_terms *terms,
                                      pli_elements elements, const int32_t *numbers)
{
    pli_memory *memory = &world->memory;
    pli_symmetric_matrix matrix = {0};
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    elements.unknowns = terms->unknowns, elements.values = terms->values;
    const bool complete = pli_symmetric_matrix_assemble(memory, terms->rows, &elements, terms->diagonal, &matrix);
    // The factorisation takes the most memory.
    release_terms(memory, terms);
    pli_tasks_wake(world->tasks);
    if (complete)
        result = pli_factor_make(memory, world->kernels->panels, world->tasks, &matrix, terms->points, &system->factor);
    pli_tasks_sleep(world->tasks);
    pli_symmetric_matrix_free(memory, &matrix);
    pli_release(memory, terms->points);
    if (result == PLI_FACTOR_OK && !pli_solve_scratch_make(memory, &system->factor, &system->scratch))
        result = PLI_FACTOR_NO_MEMORY;
    for (int32_t i = 0; i < system->unknowns && result == PLI_FACTOR_OK; i++)
        system->places[i] = numbers[i] < 0 ? -1 : system->factor.dissection.places[numbers[i]];
    return result;
}

void pli_implicit_clear(pli_memory *memory, pli_implicit *system)
{
    void *const all[] = {system->base,  system->masses,  system->places,
                         system->ahead, system->changed, system->released};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(memory, all[i]);
    pli_factor_free(memory, &system->factor);
    pli_solve_scratch_free(memory, &system->scratch);
    pli_border_free(memory, &system->border);
    *system = (pli_implicit){0};
}

/* ---- the base ------------------------------------------------------------------------------------ */

// Whether the masses in effect differ from the base only in the particles that are fixed.
static bool base_serves(const pli_deformable_data *deformable)
{
    if (deformable->base->count != deformable->count)
        return false;
    for (int32_t i = 0; i < deformable->count; i++) {
        const float then = deformable->base->masses[i], now = deformable->particles[i].w;
        if (then != now && then > 0.0f && now > 0.0f)
            return false;
    }
    return true;
}

// Takes the masses in effect as the base. False when memory ran out.
static bool take_base(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->base->masses)
        deformable->base->masses = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
    if (!deformable->base->masses)
        return false;
    for (int32_t i = 0; i < deformable->count; i++)
        deformable->base->masses[i] = deformable->particles[i].w;
    deformable->base->count = deformable->count;
    return true;
}

bool pli_implicit_has_base(const pli_deformable_data *deformable, const pli_implicit *system)
{
    return memcmp(system->base, deformable->base->masses, (size_t)system->count * sizeof *system->base) == 0;
}

bool pli_implicit_update(pli_world *world, pli_deformable_data *deformable, pli_implicit_bring_up bring_up,
                         pli_implicit_free release, const void *key)
{
    const bool serves = base_serves(deformable);
    if (!serves && !take_base(world, deformable))
        return false;
    pli_factor_result result = bring_up(world, deformable, key);
    if (result == PLI_FACTOR_NOT_POSITIVE && serves) {
        release(world, deformable);
        if (!take_base(world, deformable))
            return false;
        result = bring_up(world, deformable, key);
    }
    if (result != PLI_FACTOR_OK)
        release(world, deformable);
    return result != PLI_FACTOR_NO_MEMORY;
}

/* ---- a step ------------------------------------------------------------------------------------- */

typedef struct implicit_step {
    const pli_particle *particles, *velocities;
    const pli_implicit *system;
    pli_vec3 shift; // (H^2 - h H) g [m]: displacement by gravity in later substeps; velocities include this one.
} implicit_step;

static void look_ahead(void *data, int32_t begin, int32_t end)
{
    const implicit_step *m = data;
    const float seconds = m->system->seconds;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = m->particles[i], v = m->velocities[i];
        const pli_vec3 shift = x.w > 0.0f ? m->shift : (pli_vec3){0.0f, 0.0f, 0.0f};
        m->system->ahead[i] = (pli_particle){x.x + (v.x * seconds + shift.x), x.y + (v.y * seconds + shift.y),
                                             x.z + (v.z * seconds + shift.z), x.w};
    }
}

void pli_implicit_look_ahead(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system)
{
    const float seconds = system->seconds, step = seconds / (float)system->interval;
    implicit_step m = {deformable->particles, deformable->velocities, system,
                       pli_scale(world->settings.gravity, seconds * seconds - step * seconds)};
    pli_parallel(world, system->count, PLI_PARTICLE_GRAIN, look_ahead, &m);
}

// The residual of unknowns that are fixed now is 0; unknowns that join have their own residual.
static void gather_changed(const pli_deformable_data *deformable, pli_implicit *s, const pli_implicit_energy *energy)
{
    for (int32_t c = 0; c < s->changed_count; c++) {
        const int32_t i = s->changed[c];
        const bool joins = s->places[i] < 0;
        s->released[c] = joins ? energy->residual(deformable, i) : (pli_particle){0};
        if (!joins)
            s->scratch.vector[s->places[i]] = (pli_particle){0};
    }
}

// The solution is exactly 0 at fixed unknowns; `released` has the solution of particles that join.
static void settle_changed(pli_implicit *s)
{
    for (int32_t c = 0; c < s->changed_count; c++)
        if (s->places[s->changed[c]] >= 0)
            s->scratch.vector[s->places[s->changed[c]]] = (pli_particle){0};
}

// In the order of the particles, since each substep reads it. Fixed particles are moved by -0, which leaves every value unchanged.
static void gather_corrections(void *data, int32_t begin, int32_t end)
{
    const pli_implicit *s = data;
    for (int32_t i = begin; i < end; i++)
        s->ahead[i] = s->places[i] >= 0 ? s->scratch.vector[s->places[i]] : (pli_particle){-0.0f, -0.0f, -0.0f, -0.0f};
}

static void put_joined(pli_implicit *s)
{
    for (int32_t c = 0; c < s->changed_count && s->changed[c] < s->count; c++)
        if (s->places[s->changed[c]] < 0)
            s->ahead[s->changed[c]] = s->released[c];
}

void pli_implicit_solve(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                        const pli_implicit_energy *energy)
{
    gather_changed(deformable, system, energy);
    pli_solve(&system->factor, world->kernels->panels, world->tasks, &system->scratch, &system->border,
              system->released);
    settle_changed(system);
    pli_parallel(world, system->count, PLI_PARTICLE_GRAIN, gather_corrections, system);
    put_joined(system);
}

bool pli_implicit_is_due(const pli_implicit *system, int32_t substep)
{
    return system && system->factor.dissection.count > 0 && substep % system->interval == 0;
}

pli_push pli_implicit_push(const pli_implicit *system, float step)
{
    if (!system || system->factor.dissection.count == 0)
        return (pli_push){NULL, 0.0f};
    return (pli_push){system->ahead, step * step / (system->seconds * system->seconds)};
}

void pli_implicit_take_ghosts(pli_world *world, pli_deformable_data *deformable, float step)
{
    deformable->during.moved_before = false; // Only the push has moved it since the prediction.
    if (pli_deformable_has_ghosts(world, deformable))
        pli_deformable_end_sweep(world, deformable, step, 0);
}

/* ---- the feature -------------------------------------------------------------------------------- */

static bool prepare_implicit(pli_world *world, pli_deformable_data *deformable, float step)
{
    (void)world, (void)step;
    if (!deformable->plate && !deformable->bends)
        deformable->base->count = 0;
    return true;
}

static void reset_implicit(pli_deformable_data *deformable) { deformable->base->count = 0; }

static void pass_implicit(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    pli_implicit_base *base = deformable->base;
    const bool checks = s->mode == PLI_STREAM_CHECK;
    const int32_t based = pli_pass_index(s, base->count, 0, count);
    if (checks && based > 0 && !s->failed && !base->masses)
        base->masses = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
    if (checks && based > 0 && !base->masses)
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ)
        base->count = based;
    for (int32_t v = 0; v < based && !s->failed; v++)
        pli_pass_finite(s, &base->masses[pli_place_of(deformable, v)], 0.0f);
}

static const pli_feature_array implicit_arrays[] = {{PLI_FEATURE_ARRAY(pli_implicit_base, masses, 1)}};

const pli_feature pli_feature_base = {
    .name = "base of solved bending",
    PLI_FEATURE_STATE(pli_implicit_base, base),
    PLI_FEATURE_ARRAYS(implicit_arrays),
    .prepare = prepare_implicit,
    .reset = reset_implicit,
    .pass = pass_implicit,
};
