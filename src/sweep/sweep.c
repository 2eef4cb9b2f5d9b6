// One sweep over a constraint set, nonlinear Gauss-Seidel: colour after colour, and within a colour in parallel pieces
// of fixed size, so that the result does not depend on the number of threads.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 9 to 11;
//   Macklin et al. 2016, XPBD, equations 17 and 18.
#include "sweep/sweep.h"

#include "constraints/one_by_one.h"
#include "constraints/registry.h"
#include "constraints/stiffness.h"
#include "constraints/types/type_table.h"
#include "constraints/types/volume.h"
#include "sweep/grid/grid_layout.h"
#include "model/parallel.h"
#include "particles/history.h"
#include "sweep/constraint_slots.h"
#include "particles/normals_wind.h"

typedef struct slot_kernel {
    pli_project run;
    int32_t lanes; // Number of lanes if it replaces a scalar kernel, constraint by constraint; else 0.
} slot_kernel;

typedef struct sweep_run {
    slot_kernel kernel;
    const pli_projection *projection;
    int32_t begin;
} sweep_run;

static bool turns(const pli_settings *settings) { return settings->sweeps == PLI_SWEEPS_BACK_AND_FORTH; }

int32_t pli_sweeps_before(const pli_settings *settings, int32_t iteration)
{
    bool doubled = turns(settings) && settings->iterations % 2 == 1 && iteration > settings->iterations / 2;
    return iteration + doubled;
}

int32_t pli_sweep_count(const pli_settings *settings) { return pli_sweeps_before(settings, settings->iterations); }

int32_t pli_effective_sweeps(const pli_settings *settings)
{
    const int32_t sweeps = pli_sweep_count(settings);
    return turns(settings) && sweeps > 1 ? sweeps - 1 : sweeps;
}

bool pli_sweep_is_backward(const pli_settings *settings, int32_t at)
{
    return turns(settings) && at < pli_sweep_count(settings) / 2;
}

static pli_sense sweep_sense_of(const pli_constraints_data *set)
{
    const pli_constraint_type *type = set->type;
    if (type->sense_parameter)
        return (pli_sense)(int32_t)set->parameters[pli_parameter_slot(type, type->sense_parameter)];
    return type->sense;
}

bool pli_constraints_passes_multipliers(const pli_world *world, const pli_constraints_data *set)
{
    bool rigid = !(set->parameters[PLI_PARAMETER_COMPLIANCE] > 0.0) &&
                 !(set->parameters[PLI_PARAMETER_RIGIDITY] > 0.0) && !(set->row && set->row->soften);
    const bool by_pressure = pli_volume_is_pressure(set->type, set->own);
    return pli_sweep_count(&world->settings) > 1 && (by_pressure || !(rigid && sweep_sense_of(set) == PLI_SENSE_EQUAL));
}

pli_projection pli_constraints_projection(const pli_world *world, const pli_constraints_data *set, float step,
                                          pli_sweep which)
{
    const pli_settings *settings = &world->settings;
    bool compliant = settings->method == PLI_METHOD_XPBD;
    double rigidity = set->parameters[PLI_PARAMETER_RIGIDITY];
    float per_square = 1.0f / (step * step);
    pli_dvec3 origin = pli_constraints_origin(world, set);
    pli_projection p = {
        .particles = set->deformable->particles,
        .previous = pli_deformable_bases(set->deformable),
        .lost = set->deformable->lost,
        .columns = set->grid_runs.items ? set->deformable->grid->at : (pli_soa){0},
        .previous_columns = set->grid_runs.items ? set->deformable->grid->previous : (pli_soa){0},
        .lost_columns = set->grid_runs.items ? set->deformable->grid->lost : (pli_soa){0},
        .runs = set->grid_runs.items,
        .normals = set->type->needs_normals ? set->deformable->normals->at : NULL,
        .contiguous_batches = set->schedule.contiguous_batches,
        .state = set->state,
        .variable = {set->variable.member_spans, set->variable.members, set->variable.rest_spans, set->variable.rest,
                     set->variable.triangle_spans, set->variable.triangles, set->deformable->scratch},
        .type = set->type,
        .parameters = set->own,
        .origin = {origin.x, origin.y, origin.z},
        .zero_rest = set->zero_rest,
        .sense = sweep_sense_of(set),
        .first = which.first,
        .backward = which.backward,
        .coefficients.stiffness = 1.0f,
    };
    for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
        p.index[k] = set->index[k];
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        p.rest[j] = set->rest[j];
    if (!compliant) {
        p.coefficients.stiffness = (float)pli_stiffness_per_iteration(set->parameters[PLI_PARAMETER_STIFFNESS],
                                                                      pli_sweep_count(settings));
        p.first = true;
        p.plain = p.sense == PLI_SENSE_EQUAL && !p.lost;
        return p;
    }
    const float *painted = pli_constraints_painted_scales(set);
    p.coefficients.step = step;
    p.coefficients.compliance = (float)(set->parameters[PLI_PARAMETER_COMPLIANCE] * (double)per_square);
    p.coefficients.damping = (float)(set->parameters[PLI_PARAMETER_DAMPING] / (double)step);
    p.damping_scale = set->damping;
    p.coefficients.per_square = per_square;
    if (painted) {
        p.compliance_scale = p.coefficients.compliance > 0.0f || (set->row && set->row->soften) ? painted : NULL;
        p.coefficients.inverse_rigidity = p.coefficients.compliance;
        p.coefficients.compliance = 0.0f;
    } else if (rigidity > 0.0 && set->compliance_scale) {
        p.compliance_scale = set->compliance_scale;
        p.coefficients.inverse_rigidity = (float)((double)per_square / rigidity);
    }
    // Multipliers are needed between sweeps, and if their means are read. Without them `first` starts every projection from 0.
    if (set->lambda[0] && (set->mean[0] || pli_constraints_passes_multipliers(world, set)))
        for (int32_t d = 0; d < set->type->dimension; d++)
            p.lambda[d] = set->lambda[d];
    else
        p.first = true;
    p.plain = p.sense == PLI_SENSE_EQUAL && p.coefficients.damping == 0.0f && !p.compliance_scale && !p.lambda[0] &&
              !p.lost;
    return p;
}

static void run_slots(slot_kernel kernel, const pli_projection *p, int32_t begin, int32_t end)
{
    if (kernel.lanes > 0)
        pli_project_one_by_one(p, begin, end, kernel.run, kernel.lanes);
    else
        kernel.run(p, begin, end);
}

static void sweep_run_piece(void *data, int32_t begin, int32_t end)
{
    const sweep_run *s = data;
    run_slots(s->kernel, s->projection, s->begin + begin, s->begin + end);
}

// The kernel for constraints that must be projected one after the other: the scalar kernel of the same type, or if the build has none, the
// kernel of the world's back end. Both give the same bits.
static slot_kernel kernel_for_one(const pli_world *world, const pli_constraints_data *set, pli_project run)
{
    if (!set->row || run == pli_project_plain)
        return (slot_kernel){run, 0};
    const pli_constraint_row *row = pli_constraint_table_scalar().rows[pli_constraint_type_index(set->type->name)];
    pli_project scalar = run == set->row->prepare ? row->prepare : row->project;
    return scalar ? (slot_kernel){scalar, 0} : (slot_kernel){run, world->kernels->width};
}

static void run_joined(pli_projection *p, slot_kernel kernel, int32_t begin, int32_t end, bool shares)
{
    p->block = shares ? 0 : PLI_BATCH;
    run_slots(kernel, p, begin, end);
}

/* ---- tiles (sweep/tiles.h) ----------------------------------------------------------------------- */

typedef struct tile_sweep {
    const pli_constraints_data *set;
    sweep_run each; // Its `begin` refers to the constraints in no tile.
} tile_sweep;

// First slots of the tiles in colour i of the sweep.
static const int32_t *starts_in(const tile_sweep *s, int32_t i)
{
    int32_t colour = s->each.projection->backward ? s->set->schedule.colour_count - 1 - i : i;
    return s->set->schedule.tiles + colour * (s->set->schedule.tile_count + 1);
}

static void run_tiles(void *data, int32_t begin, int32_t end)
{
    const tile_sweep *s = data;
    for (int32_t t = begin; t < end; t++)
        for (int32_t i = 0; i < s->set->schedule.colour_count; i++) {
            const int32_t *starts = starts_in(s, i);
            run_slots(s->each.kernel, s->each.projection, starts[t], starts[t + 1]);
        }
}

// Constraints in no tile are run colour by colour.
static void run_between(pli_world *world, tile_sweep *s)
{
    for (int32_t i = 0; i < s->set->schedule.colour_count; i++) {
        int32_t colour = s->each.projection->backward ? s->set->schedule.colour_count - 1 - i : i;
        s->each.begin = starts_in(s, i)[s->set->schedule.tile_count];
        pli_parallel(world, s->set->schedule.colour_offsets[colour + 1] - s->each.begin, PLI_SLOT_GRAIN,
                     sweep_run_piece, &s->each);
    }
}

static void run_tiled(pli_world *world, const pli_constraints_data *set, slot_kernel kernel, pli_projection p)
{
    p.block = PLI_BLOCK;
    tile_sweep s = {set, {kernel, &p, 0}};
    if (p.backward)
        run_between(world, &s);
    pli_parallel(world, set->schedule.tile_count, 1, run_tiles, &s);
    if (!p.backward)
        run_between(world, &s);
}

/* ---- all slots ----------------------------------------------------------------------------------- */

// One call runs successive colours of less than a block, since a call costs about as much as their projections: their order stays the
// same, or the opposite. Then only slots of one batch are known to share no particle.
static void run_all(pli_world *world, const pli_constraints_data *set, pli_project project,
                    const pli_projection *projection)
{
    // In sequential order there is one colour, whose constraints may share particles.
    bool shares = world->order == PLI_ORDER_SEQUENTIAL && set->schedule.pad == 1;
    int32_t grain = shares ? INT32_MAX : PLI_SLOT_GRAIN;
    slot_kernel run = shares ? kernel_for_one(world, set, project) : (slot_kernel){project, 0};
    bool backward = projection->backward;
    if (PLI_HAS_TILES && set->schedule.tiles) {
        run_tiled(world, set, run, *projection);
        return;
    }
    int32_t begin = 0, end = 0;     // Colours that wait for their call.
    pli_projection p = *projection; // The next call reads it.
    for (int32_t i = 0; i < set->schedule.colour_count; i++) {
        int32_t colour = backward ? set->schedule.colour_count - 1 - i : i,
                first = set->schedule.colour_offsets[colour];
        int32_t slots = (set->schedule.colour_sizes[colour] + set->schedule.pad - 1) &
                        -set->schedule.pad; // A power of two.
        bool overflows = colour == set->schedule.overflow, waits = slots < PLI_BLOCK && !overflows;
        bool joins = waits && end > begin && (backward ? first + slots == begin : first == end);
        if (end > begin && !joins)
            run_joined(&p, run, begin, end, shares);
        if (waits) {
            begin = joins && !backward ? begin : first;
            end = joins && backward ? end : first + slots;
            continue;
        }
        begin = end = 0;
        p.block = shares || overflows ? 0 : PLI_BLOCK;
        sweep_run s = {overflows ? kernel_for_one(world, set, project) : run, &p, first};
        pli_parallel(world, slots, overflows ? INT32_MAX : grain, sweep_run_piece, &s);
    }
    if (end > begin)
        run_joined(&p, run, begin, end, shares);
}

void pli_constraints_project(pli_world *world, const pli_constraints_data *set, const pli_projection *projection)
{
    run_all(world, set, set->row && set->row->project ? set->row->project : pli_project_plain, projection);
}

void pli_constraints_prepare(pli_world *world, const pli_constraints_data *set, const pli_projection *projection)
{
    if (set->row && set->row->prepare)
        run_all(world, set, set->row->prepare, projection);
}

typedef struct averaging {
    const float *lambda;
    float *mean, share;
    bool first;
} averaging;

static void average_piece(void *data, int32_t begin, int32_t end)
{
    const averaging a = *(const averaging *)data;
    for (int32_t slot = begin; slot < end; slot++)
        a.mean[slot] = (a.first ? 0.0f : a.mean[slot]) + a.lambda[slot] * a.share;
}

void pli_constraints_average(pli_world *world, const pli_constraints_data *set, bool first)
{
    const pli_history *history = set->deformable->history;
    float share = 1.0f / (float)world->substep_count;
    if (history) // Multipliers are forces times the squared substep of the deformable.
        share *= history->span * history->span / (history->own_step * history->own_step);
    for (int32_t d = 0; d < set->type->dimension && set->mean[d]; d++) {
        averaging a = {set->lambda[d], set->mean[d], share, first};
        pli_parallel(world, set->slot_count, PLI_SLOT_GRAIN, average_piece, &a);
    }
}

void pli_constraints_update_parameters(pli_constraints_data *set)
{
    for (int32_t i = 0; i < set->type->parameter_count; i++)
        set->own[i] = (float)set->parameters[PLI_PARAMETER_COMMON_COUNT + i];
}
