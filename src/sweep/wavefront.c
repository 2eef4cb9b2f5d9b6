// Wavefronts of the sequential order: kept up to date for each deformable, and projected. See sweep/wavefront.h;
// batches are planned in sweep/wavefront_plan.c.
#include "sweep/wavefront.h"

#include "sweep/constraint_slots.h"
#include "sweep/sweep.h"
#include "sweep/wavefront_plan.h"

// Maximum number of constraints in all sweeps of a segment, so that their data stay in the second-level cache; and maximum number of
// constraints in a segment, since planning takes about 40 bytes for each.
enum { MAX_SWEPT = 1 << 15, MAX_CONSTRAINTS = 1 << 22 };

static void free_part(pli_world *world, pli_wavefront_part *part)
{
    pli_memory *memory = &world->memory;
    pli_release(memory, part->slots);
    pli_release(memory, part->compliance_scale);
    pli_release(memory, part->damping_scale);
    pli_release(memory, part->state);
    for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
        pli_release(memory, part->index[k]);
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        pli_release(memory, part->rest[j]);
    for (int32_t d = 0; d < 3; d++)
        pli_release(memory, part->lambda[d]);
}

static void free_one(pli_world *world, pli_wavefronts *wavefronts)
{
    for (int32_t k = 0; wavefronts->parts && k < wavefronts->part_count; k++)
        free_part(world, &wavefronts->parts[k]);
    pli_release(&world->memory, wavefronts->parts);
    pli_release(&world->memory, wavefronts->batches);
    pli_release(&world->memory, wavefronts);
}

static void free_from(pli_world *world, pli_wavefronts **at)
{
    while (*at) {
        pli_wavefronts *wavefronts = *at;
        *at = wavefronts->next;
        free_one(world, wavefronts);
    }
}

void pli_wavefronts_free(pli_world *world, pli_deformable_data *deformable)
{
    free_from(world, &deformable->wavefronts);
}

// Sets of user types, of variable cardinality or without constraints are projected as they are, between segments. Solved sets are not
// projected at all.
static bool wavefront_fits(const pli_constraints_data *set)
{
    return !set->unswept && set->row && set->row->project && set->type->cardinality > 0 && set->count > 0;
}

// Wavefronts serve the sequential order on SIMD back ends. Cuts change constraints one by one, so a deformable that may
// be cut is projected by the scalar kernels.
static bool is_eligible(const pli_world *world, const pli_deformable_data *deformable)
{
    return world->order == PLI_ORDER_SEQUENTIAL && world->kernels->width > 1 && !deformable->tear_state &&
           !pli_tears(&deformable->def.tearing);
}

// Successive sets of a deformable that are planned together, up to and excluding `end`.
typedef struct segment {
    pli_constraints_data *first, *end;
    int32_t sets;
    int64_t constraints;
} segment;

// Returns the first segment that starts at or after a set.
static segment segment_from(pli_constraints_data *set)
{
    while (set && !wavefront_fits(set))
        set = set->next;
    segment s = {.first = set, .end = set};
    for (; s.end && wavefront_fits(s.end); s.end = s.end->next)
        s.sets++, s.constraints += s.end->count;
    return s;
}

// Number of sweeps that are planned together, a divisor of the number in a substep. Under XPBD it is 1, since multipliers pass from one
// sweep to the next by slot. Sweeps in both directions are planned together only if all sweeps are.
static int32_t sweeps_of(const pli_world *world, const segment *s, bool alone)
{
    bool all = alone && s->first == s->first->deformable->first_set && !s->end;
    int32_t count = pli_sweep_count(&world->settings);
    int32_t sweeps = all && world->settings.method == PLI_METHOD_PBD ? count : 1;
    bool turns = pli_sweep_is_backward(&world->settings, 0);
    while (sweeps > 1 && (count % sweeps != 0 || sweeps * s->constraints > MAX_SWEPT ||
                          (turns && sweeps < count && count / 2 % sweeps != 0)))
        sweeps--;
    return sweeps;
}

// Whether the wavefronts were planned for these sets, with or without multipliers, and for these sweeps.
static bool is_current(const pli_wavefronts *wavefronts, const segment *s, int32_t sweeps, bool turns)
{
    const pli_constraints_data *set = s->first;
    bool same = wavefronts && wavefronts->part_count == s->sets && wavefronts->sweeps == sweeps &&
                wavefronts->turns == turns;
    for (int32_t k = 0; same && k < s->sets; k++, set = set->next)
        same = wavefronts->parts[k].set == set && wavefronts->parts[k].id == set->id &&
               wavefronts->parts[k].multipliers == (set->lambda[0] != NULL);
    return same;
}

static pli_wavefronts *make_wavefronts(pli_world *world, const segment *s, int32_t sweeps, bool turns)
{
    pli_wavefronts *wavefronts = PLI_ALLOCATE(&world->memory, pli_wavefronts, 1);
    if (!wavefronts)
        return NULL;
    wavefronts->sweeps = sweeps;
    wavefronts->turns = turns;
    wavefronts->part_count = s->sets;
    wavefronts->parts = PLI_ALLOCATE(&world->memory, pli_wavefront_part, s->sets);
    pli_constraints_data *set = s->first;
    for (int32_t k = 0; wavefronts->parts && k < s->sets; k++, set = set->next)
        wavefronts->parts[k] = (pli_wavefront_part){.set = set, .id = set->id, .multipliers = set->lambda[0] != NULL};
    if (wavefronts->parts &&
        (s->constraints > MAX_CONSTRAINTS || pli_wavefronts_plan(world, wavefronts, (int32_t)s->constraints)))
        return wavefronts;
    free_one(world, wavefronts);
    return NULL;
}

bool pli_wavefronts_update(pli_world *world, pli_deformable_data *deformable, bool alone)
{
    pli_wavefronts **at = &deformable->wavefronts;
    segment s = segment_from(is_eligible(world, deformable) ? deformable->first_set : NULL);
    for (; s.first; s = segment_from(s.end)) {
        int32_t sweeps = sweeps_of(world, &s, alone);
        bool turns = sweeps == pli_sweep_count(&world->settings) && pli_sweep_is_backward(&world->settings, 0);
        if (!is_current(*at, &s, sweeps, turns)) {
            free_from(world, at);
            if (!(*at = make_wavefronts(world, &s, sweeps, turns)))
                return false;
        }
        at = &(*at)->next;
    }
    free_from(world, at);
    return true;
}

/* ---- projection ----------------------------------------------------------------------------------- */

pli_wavefronts *pli_wavefronts_from(const pli_world *world, const pli_constraints_data *set, int32_t sweeps)
{
    for (pli_wavefronts *wavefronts = pli_world_is_watched(world) ? NULL : set->deformable->wavefronts; wavefronts;
         wavefronts = wavefronts->next)
        if (wavefronts->parts[0].set == set)
            return wavefronts->batch_count > 0 && wavefronts->sweeps <= sweeps ? wavefronts : NULL;
    return NULL;
}

pli_constraints_data *pli_wavefronts_behind(const pli_wavefronts *wavefronts)
{
    return wavefronts->parts[wavefronts->part_count - 1].set->next;
}

// Sets up the projection of a part for this sweep, and refreshes what may have changed since the plan.
static void bind_part(const pli_world *world, pli_wavefront_part *part, float step, pli_sweep which)
{
    const pli_constraints_data *set = part->set;
    pli_projection p = pli_constraints_projection(world, set, step, which);
    for (int32_t k = 0; k < set->type->cardinality; k++)
        p.index[k] = part->index[k];
    for (int32_t j = 0; j < set->type->rest_count; j++) {
        if ((set->of_attachment || (set->bends && j == set->type->bend_rest)) && which.first)
            pli_copy_slot_words(part->rest[j], set->rest[j], part->slots, part->slot_count);
        p.rest[j] = part->rest[j];
    }
    if (p.compliance_scale)
        p.compliance_scale = part->compliance_scale;
    p.damping_scale = part->damping_scale;
    if (p.state && which.first)
        pli_copy_slot_words(part->state, set->state, part->slots, part->slot_count);
    p.state = part->state;
    for (int32_t d = 0; p.lambda[0] && d < set->type->dimension; d++)
        p.lambda[d] = part->lambda[d];
    part->projection = p;
}

// Copies the multipliers of a batch back to the slots of its set, where their means are read.
static void store_multipliers(const pli_wavefronts *wavefronts, const pli_batch *at)
{
    const pli_wavefront_part *part = &wavefronts->parts[at->part];
    for (int32_t d = 0; part->set->mean[0] && part->projection.lambda[0] && d < part->set->type->dimension; d++)
        for (int32_t i = at->begin; i < at->end; i++)
            part->set->lambda[d][part->slots[i]] = part->lambda[d][i];
}

// Segments with sweeps in one direction run backward by traversing the batches from the last; if both directions occur, the plan contains
// them.
int32_t pli_wavefronts_project(pli_world *world, pli_wavefronts *wavefronts, float step, pli_sweep which)
{
    which.backward = which.backward && !wavefronts->turns;
    for (int32_t k = 0; k < wavefronts->part_count; k++)
        bind_part(world, &wavefronts->parts[k], step, which);
    for (int32_t b = 0; b < wavefronts->batch_count; b++) {
        const pli_batch *at = &wavefronts->batches[which.backward ? wavefronts->batch_count - 1 - b : b];
        at->project(&wavefronts->parts[at->part].projection, at->begin, at->end);
    }
    for (int32_t b = 0; b < wavefronts->batch_count; b++)
        store_multipliers(wavefronts, &wavefronts->batches[b]);
    return wavefronts->sweeps;
}

const pli_feature pli_feature_wavefronts = {
    .name = "wavefronts",
    .at = offsetof(pli_deformable_data, wavefronts),
    .destroy = pli_wavefronts_free,
};
