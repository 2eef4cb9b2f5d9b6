// Saves and restores the state around a step, and reads it between the parts of a step: for the search for the part that
// made it non-finite, and for the trace of the application.
#include "step/diagnose.h"

#include "model/handles.h"
#include "model/parallel.h"
#include "rigid/coupling/rigid_proxy.h"
#include "sweep/constraint_slots.h"

#include <stdatomic.h>
#include <string.h>

typedef struct finite_job {
    const pli_deformable_data *deformable;
    _Atomic bool bad;
} finite_job;

// Squares of larger numbers overflow, and the diagnosis would then name the next stage of the step [m, m/s].
#define FARTHEST 1e15f

static int32_t finite_particle(const pli_particle *p)
{
    int32_t x = fabsf(p->x) < FARTHEST, y = fabsf(p->y) < FARTHEST, z = fabsf(p->z) < FARTHEST;
    return x & y & z;
}

// The loop has no branches, so that compilers vectorise it.
static void check_piece(void *data, int32_t begin, int32_t end)
{
    finite_job *job = data;
    const pli_particle *particles = job->deformable->particles, *velocities = job->deformable->velocities;
    int32_t fine = 1;
    for (int32_t i = begin; i < end; i++)
        fine &= finite_particle(&particles[i]) & finite_particle(&velocities[i]);
    if (!fine)
        job->bad = true;
}

bool pli_world_is_finite(pli_world *world)
{
    for (int32_t b = 0; b < world->deformables.count; b++) {
        finite_job job = {.deformable = pli_deformable_at(world, b)};
        if (job.deformable->idle)
            continue;
        pli_parallel(world, job.deformable->count, PLI_PARTICLE_GRAIN, check_piece, &job);
        if (job.bad)
            return false;
    }
    return pli_world_rigids_are_finite(world);
}

void pli_world_save_state(pli_world *world)
{
    pli_world_save_rigids(world);
    world->good_origin = world->origin;
    for (int32_t b = 0; b < world->deformables.count; b++) {
        pli_features_save(world, pli_deformable_at(world, b));
    }
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_constraints_data *set = pli_constraints_data_at(world, i);
        if (set->state && !set->deformable->idle)
            memcpy(set->good_state, set->state, (size_t)set->slot_count * sizeof *set->state);
    }
}

void pli_deformable_restore_state(pli_deformable_data *deformable)
{
    pli_features_restore(deformable);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (set->state && !deformable->idle)
            memcpy(set->state, set->good_state, (size_t)set->slot_count * sizeof *set->state);
}

void pli_world_restore_state(pli_world *world)
{
    pli_world_restore_rigids(world);
    for (int32_t b = 0; b < world->deformables.count; b++)
        if (!pli_deformable_is_left_alone(world, pli_deformable_at(world, b)))
            pli_deformable_restore_state(pli_deformable_at(world, b));
}

static int32_t constraint_on(const pli_constraints_data *set, int32_t place)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t fixed[PLI_CARDINALITY_MAX];
        const int32_t *particles;
        int32_t n = pli_constraints_particles(set, i, &particles, fixed);
        for (int32_t k = 0; k < n; k++)
            if (particles[k] == place)
                return i;
    }
    return -1;
}

static void tell_trace(const pli_world *world, const char *part, const pli_deformable_data *acted,
                       const pli_constraints_data *set)
{
    const pli_tracing *tracing = &world->tracing;
    if (!tracing->callback)
        return;
    pli_trace_point point = {.stage = tracing->stage, .substep = tracing->substep, .part = part};
    if (acted)
        point.deformable = (pli_deformable){acted->id, world->tag};
    if (set)
        point.set = (pli_constraints){set->id, world->tag};
    tracing->callback(tracing->user, world, &point);
}

void pli_diagnose(pli_world *world, const char *part, const pli_deformable_data *acted, const pli_constraints_data *set)
{
    pli_diagnosis *diagnosis = world->diagnosis;
    if (!diagnosis)
        tell_trace(world, part, acted, set);
    if (!diagnosis || diagnosis->found)
        return;
    for (int32_t b = 0; b < world->deformables.count; b++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, b);
        for (int32_t i = 0; i < deformable->count; i++) {
            if (finite_particle(&deformable->particles[i]) && finite_particle(&deformable->velocities[i]))
                continue;
            *diagnosis = (pli_diagnosis){
                true, part, set, deformable, pli_vertex(deformable, i), set ? constraint_on(set, i) : -1};
            return;
        }
    }
}

pli_status pli_diagnosis_fail(const pli_world *world, const pli_diagnosis *diagnosis, pli_error *error)
{
    const char *deformable = diagnosis->deformable && diagnosis->deformable->name ? diagnosis->deformable->name : "";
    long long step = (long long)world->step_count;
    if (!diagnosis->found)
        return pli_fail(error, PLI_STATUS_NON_FINITE,
                        "step %lld ended with a non-finite state; the state before it is "
                        "back",
                        step);
    if (!diagnosis->set)
        return pli_fail(error, PLI_STATUS_NON_FINITE,
                        "step %lld: %s made particle %d of '%s' non-finite; the state "
                        "before the step is back",
                        step, diagnosis->stage, (int)diagnosis->vertex, deformable);
    return pli_fail(error, PLI_STATUS_NON_FINITE,
                    "step %lld: constraint type '%s' (set '%s', constraint %d) made "
                    "particle %d of '%s' non-finite; the state before the step is back; use more substeps or softer "
                    "constraints",
                    step, diagnosis->set->type->name, diagnosis->set->name, (int)diagnosis->constraint,
                    (int)diagnosis->vertex, deformable);
}

/* ---- the trace ----------------------------------------------------------------------------------- */

void pli_world_set_trace(pli_world *world, pli_trace trace, void *user)
{
    if (!pli_world_may_change(world, NULL))
        return;
    world->tracing = (pli_tracing){.callback = trace, .user = user};
}

static void write_vector(float *to, const pli_particle *from) { to[0] = from->x, to[1] = from->y, to[2] = from->z; }

int32_t pli_trace_read(const pli_world *world, pli_deformable handle, float *positions, float *velocities)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    for (int32_t v = 0; deformable && v < deformable->count; v++) {
        int32_t i = pli_place(deformable, v);
        if (positions)
            write_vector(positions + 3 * (size_t)v, &deformable->particles[i]);
        if (velocities)
            write_vector(velocities + 3 * (size_t)v, &deformable->velocities[i]);
    }
    return deformable ? deformable->count : 0;
}
