// Computes the energy, and the residual of each constraint, |C| where its sense is violated, with the functions of its type in double.
#include "query/residual.h"

#include "constraints/registry.h"
#include "model/handles.h"
#include "bending/plate.h"
#include "sweep/constraint_slots.h"
#include "particles/normals_wind.h"

#include <math.h>

typedef struct evaluation {
    pli_stencil stencil;
    float rest[PLI_REST_MAX];
    double values[3];
} evaluation;

static void load_stencil(const pli_constraints_data *set, int32_t i, pli_dvec3 from, evaluation *e)
{
    int32_t fixed[PLI_CARDINALITY_MAX], slot = pli_constraints_slot(set, i);
    const int32_t *particles;
    int32_t n = pli_constraints_particles(set, i, &particles, fixed);
    double(*positions)[3] = (double(*)[3])set->evaluation;
    double(*normals)[3] = positions + set->largest;
    for (int32_t k = 0; k < n; k++) {
        const pli_particle *p = &set->deformable->particles[particles[k]];
        positions[k][0] = (double)p->x + from.x, positions[k][1] = (double)p->y + from.y,
        positions[k][2] = (double)p->z + from.z;
        if (!set->type->needs_normals)
            continue;
        const pli_particle *normal = &set->deformable->normals->at[particles[k]];
        normals[k][0] = (double)normal->x, normals[k][1] = (double)normal->y, normals[k][2] = (double)normal->z;
    }
    for (int32_t j = 0; set->type->cardinality > 0 && j < set->type->rest_count; j++)
        e->rest[j] = set->rest[j][slot];
    e->stencil = (pli_stencil){
        .positions = (const double(*)[3])positions,
        .normals = set->type->needs_normals ? (const double(*)[3])normals : NULL,
        .count = n,
        .rest = set->type->cardinality > 0 ? e->rest : set->variable_rest + set->rest_spans[slot].begin,
        .parameters = set->own,
        .state = set->state ? set->state[slot] : 1.0f,
        .user = set->type->user,
    };
    if (set->local_triangles) {
        pli_span span = set->triangle_spans[slot];
        e->stencil.triangles = set->local_triangles + 3 * span.begin;
        e->stencil.triangle_count = span.end - span.begin;
    }
}

static pli_sense residual_sense_of(const pli_constraints_data *set)
{
    if (!set->type->sense_parameter)
        return set->type->sense;
    return (pli_sense)(int32_t)set->parameters[pli_parameter_slot(set->type, set->type->sense_parameter)];
}

// The type may be defined by the application.
static void evaluate(const pli_world *world, const pli_constraints_data *set, evaluation *e, double *gradients)
{
    pli_world_begin_call(world);
    set->type->evaluate(&e->stencil, e->values, gradients);
    pli_world_end_call(world);
}

double pli_constraints_violation(const pli_world *world, const pli_constraints_data *set, int32_t i)
{
    evaluation e;
    load_stencil(set, i, pli_constraints_origin(world, set), &e);
    evaluate(world, set, &e, NULL);
    double square = 0.0;
    for (int32_t d = 0; d < set->type->dimension; d++)
        square += e.values[d] * e.values[d];
    pli_sense sense = residual_sense_of(set);
    bool kept = (sense == PLI_SENSE_AT_MOST && e.values[0] <= 0.0) ||
                (sense == PLI_SENSE_AT_LEAST && e.values[0] >= 0.0);
    return kept ? 0.0 : sqrt(square);
}

/* ---- energy --------------------------------------------------------------------------------------- */

// Returns the compliance that the sweeps use (sweep/sweep.c).
static double residual_compliance_of(const pli_constraints_data *set, int32_t slot)
{
    const double rigidity = set->parameters[PLI_PARAMETER_RIGIDITY], own = set->parameters[PLI_PARAMETER_COMPLIANCE];
    const float *painted = pli_constraints_painted_scales(set);
    if (painted)
        return own * (double)painted[slot];
    return rigidity > 0.0 && set->compliance_scale ? own + (double)set->compliance_scale[slot] / rigidity : own;
}

// Computes 1/2 C^T S^-1 C by elimination. Directions without compliance are rigid and store no energy.
static double stored(double s[3][3], double values[3], int32_t dimension)
{
    double sum = 0.0;
    for (int32_t k = 0; k < dimension; k++) {
        if (!(s[k][k] > 0.0))
            continue;
        sum += 0.5 * values[k] * values[k] / s[k][k];
        for (int32_t i = k + 1; i < dimension; i++) {
            const double factor = s[i][k] / s[k][k];
            values[i] -= factor * values[k];
            for (int32_t j = k + 1; j < dimension; j++)
                s[i][j] -= factor * s[k][j];
        }
    }
    return sum;
}

static double residual_energy_of(const pli_world *world, const pli_constraints_data *set, const double soft[6],
                                 int32_t i)
{
    evaluation e;
    const int32_t slot = pli_constraints_slot(set, i);
    const double compliance = residual_compliance_of(set, slot);
    const float *painted = pli_constraints_painted_scales(set);
    double s[3][3] = {{soft[0], soft[1], soft[2]}, {soft[1], soft[3], soft[4]}, {soft[2], soft[4], soft[5]}};
    for (int32_t k = 0; k < 9 && painted; k++)
        s[k / 3][k % 3] *= (double)painted[slot];
    load_stencil(set, i, pli_constraints_origin(world, set), &e);
    evaluate(world, set, &e, NULL);
    const pli_sense sense = residual_sense_of(set);
    if ((sense == PLI_SENSE_AT_MOST && e.values[0] <= 0.0) || (sense == PLI_SENSE_AT_LEAST && e.values[0] >= 0.0))
        return 0.0;
    for (int32_t d = 0; d < 3; d++)
        s[d][d] += compliance;
    return stored(s, e.values, set->type->dimension);
}

double pli_constraints_energy(const pli_world *world, pli_constraints handle)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, NULL);
    if (!set)
        return (double)NAN;
    double soft[6] = {0.0}, energy = 0.0;
    if (set->row && set->row->soften)
        set->row->soften(set->own, soft);
    for (int32_t i = 0; i < set->count && world->settings.method == PLI_METHOD_XPBD; i++)
        energy += residual_energy_of(world, set, soft, i);
    return energy;
}

pli_status pli_deformable_get_plate_energy(pli_world *world, pli_deformable handle, double *energy, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const double found = pli_plate_energy(world, deformable);
    if (isnan(found))
        return pli_fail_memory(error);
    *energy = found;
    return pli_succeed(error);
}

/* ---- residual ------------------------------------------------------------------------------------- */

// Returns the squared length of J^T C, which overwrites the gradients of the first value.
static double pull_back(const evaluation *e, int32_t dimension, int32_t n, double *gradients)
{
    double square = 0.0;
    for (int32_t j = 0; j < 3 * n; j++) {
        double sum = 0.0;
        for (int32_t d = 0; d < dimension; d++)
            sum += e->values[d] * gradients[d * 3 * n + j];
        gradients[j] = sum;
        square += sum * sum;
    }
    return square;
}

const double *pli_constraints_moves(const pli_world *world, const pli_constraints_data *set, int32_t i)
{
    double violation = pli_constraints_violation(world, set, i);
    evaluation e;
    load_stencil(set, i, pli_constraints_origin(world, set), &e);
    // The gradients are stored after the positions and normals, which the type still reads; the moves replace the positions.
    int32_t n = e.stencil.count, largest = set->largest;
    double *moves = set->evaluation, *gradients = set->evaluation + 6 * largest;
    evaluate(world, set, &e, gradients);
    double square = pull_back(&e, set->type->dimension, n, gradients), share = violation * violation / square;
    for (int32_t k = 0; k < n; k++) {
        const double *g = gradients + 3 * k;
        double move = share * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        moves[k] = isfinite(move) ? move : 0.0;
    }
    return moves;
}

pli_status pli_constraints_get_residual(const pli_world *world, pli_constraints handle, pli_residual *residual,
                                        pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    pli_residual found = {.count = set->count, .worst = -1};
    double squares = 0.0;
    for (int32_t i = 0; i < set->count; i++) {
        double violation = pli_constraints_violation(world, set, i);
        squares += violation * violation;
        if (violation > found.max || found.worst < 0) {
            found.max = violation;
            found.worst = i;
        }
    }
    found.rms = set->count > 0 ? sqrt(squares / set->count) : 0.0;
    *residual = found;
    return pli_succeed(error);
}

pli_status pli_constraints_stencil(const pli_world *world, pli_constraints handle, int32_t index, int32_t *particles,
                                   int32_t *particle_count, float *rest, float *lambda, pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    if (index < 0 || index >= set->count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "constraint %d was requested; '%s' has %d", (int)index,
                        set->name, (int)set->count);
    if (lambda && !set->mean[0] && !set->keep_lambda && world->settings.method == PLI_METHOD_XPBD)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' keeps no multipliers; make the set with keep_lambda",
                        set->name);
    int32_t fixed[PLI_CARDINALITY_MAX], slot = pli_constraints_slot(set, index);
    const int32_t *places;
    int32_t n = pli_constraints_particles(set, index, &places, fixed);
    for (int32_t k = 0; particles && k < n; k++)
        particles[k] = pli_vertex(set->deformable, places[k]);
    if (particle_count)
        *particle_count = n;
    int32_t values = set->type->rest_count + (set->type->rest_per_particle ? n : 0);
    const double targets[3] = {world->origin.x, world->origin.y, world->origin.z};
    for (int32_t j = 0; rest && j < values; j++)
        rest[j] = set->type->cardinality > 0 ? set->rest[j][slot] : set->variable_rest[set->rest_spans[slot].begin + j];
    for (int32_t k = 0; rest && k < 3 && pli_constraints_has_targets(set); k++)
        rest[k] = (float)((double)rest[k] + targets[k]);
    for (int32_t d = 0; lambda && d < set->type->dimension; d++)
        lambda[d] = set->mean[d] ? set->mean[d][slot] : 0.0f;
    return pli_succeed(error);
}
