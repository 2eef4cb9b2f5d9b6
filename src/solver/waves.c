#include "solver/waves.h"

#include "solver/tear.h"
#include "solver/waves_plan.h"

// Constraints in all sweeps of a stretch that are run at once: their numbers should stay in the second-level cache. And
// in a stretch, since planning takes some 40 bytes for each.
enum { SWEPT_MOST = 1 << 15, MOST = 1 << 22 };

static void free_part(pli_world *world, pli_wave_part *part)
{
    pli_memory *memory = &world->memory;
    pli_release(memory, part->slots);
    pli_release(memory, part->compliance_scale);
    pli_release(memory, part->state);
    pli_release_words(memory, part->index, part->rest, part->lambda);
}

static void free_one(pli_world *world, pli_waves *waves)
{
    for (int32_t k = 0; waves->parts && k < waves->part_count; k++)
        free_part(world, &waves->parts[k]);
    pli_release(&world->memory, waves->parts);
    pli_release(&world->memory, waves->batches);
    pli_release(&world->memory, waves);
}

static void free_from(pli_world *world, pli_waves **at)
{
    while (*at) {
        pli_waves *waves = *at;
        *at = waves->next;
        free_one(world, waves);
    }
}

void pli_waves_free(pli_world *world, pli_body *body) { free_from(world, &body->waves); }

// Sets of other kinds run as they lie, between stretches.
static bool fits(const pli_set *set)
{
    return set->row && set->row->project && set->type->cardinality > 0 && set->count > 0;
}

static bool may_have(const pli_world *world, const pli_body *body)
{
    return world->order == PLI_ORDER_SEQUENTIAL && world->kernels != pli_kernels_scalar() && !body->torn &&
           !pli_tears(&body->def.tearing);
}

typedef struct stretch {
    pli_set *first, *end;
    int32_t sets;
    int64_t constraints;
} stretch;

// The first at or behind a set.
static stretch stretch_from(pli_set *set)
{
    while (set && !fits(set))
        set = set->next;
    stretch s = {.first = set, .end = set};
    for (; s.end && fits(s.end); s.end = s.end->next)
        s.sets++, s.constraints += s.end->count;
    return s;
}

// Sweeps that are run at once: a divisor of the iterations. Multipliers go from one sweep to the next in their slots.
static int32_t sweeps_of(const pli_world *world, const stretch *s, bool alone)
{
    bool all = alone && s->first == s->first->body->first_set && !s->end;
    int32_t sweeps = all && world->settings.method == PLI_METHOD_PBD ? world->settings.iterations : 1;
    while (sweeps > 1 && (world->settings.iterations % sweeps != 0 || sweeps * s->constraints > SWEPT_MOST))
        sweeps--;
    return sweeps;
}

static bool is_for(const pli_waves *waves, const stretch *s, int32_t sweeps)
{
    const pli_set *set = s->first;
    bool same = waves && waves->part_count == s->sets && waves->sweeps == sweeps;
    for (int32_t k = 0; same && k < s->sets; k++, set = set->next)
        same = waves->parts[k].set == set && waves->parts[k].id == set->id &&
               waves->parts[k].multipliers == (set->lambda[0] != NULL);
    return same;
}

static pli_waves *make(pli_world *world, const stretch *s, int32_t sweeps)
{
    pli_waves *waves = PLI_ALLOCATE(&world->memory, pli_waves, 1);
    if (!waves)
        return NULL;
    waves->sweeps = sweeps;
    waves->part_count = s->sets;
    waves->parts = PLI_ALLOCATE(&world->memory, pli_wave_part, s->sets);
    pli_set *set = s->first;
    for (int32_t k = 0; waves->parts && k < s->sets; k++, set = set->next)
        waves->parts[k] = (pli_wave_part){.set = set, .id = set->id, .multipliers = set->lambda[0] != NULL};
    if (waves->parts && (s->constraints > MOST || pli_waves_plan(world, waves, (int32_t)s->constraints)))
        return waves;
    free_one(world, waves);
    return NULL;
}

bool pli_waves_update(pli_world *world, pli_body *body, bool alone)
{
    pli_waves **at = &body->waves;
    stretch s = stretch_from(may_have(world, body) ? body->first_set : NULL);
    for (; s.first; s = stretch_from(s.end)) {
        int32_t sweeps = sweeps_of(world, &s, alone);
        if (!is_for(*at, &s, sweeps)) {
            free_from(world, at);
            if (!(*at = make(world, &s, sweeps)))
                return false;
        }
        at = &(*at)->next;
    }
    free_from(world, at);
    return true;
}

/* ---- projection ----------------------------------------------------------------------------------- */

pli_waves *pli_waves_from(const pli_world *world, const pli_set *set, int32_t sweeps)
{
    for (pli_waves *waves = world->blame ? NULL : set->body->waves; waves; waves = waves->next)
        if (waves->parts[0].set == set)
            return waves->batch_count > 0 && waves->sweeps <= sweeps ? waves : NULL;
    return NULL;
}

pli_set *pli_waves_behind(const pli_waves *waves) { return waves->parts[waves->part_count - 1].set->next; }

static void take_part(const pli_world *world, pli_wave_part *part, float step, pli_sweep which)
{
    const pli_set *set = part->set;
    pli_projection p = pli_set_projection(world, set, step, which);
    for (int32_t k = 0; k < set->type->cardinality; k++)
        p.index[k] = part->index[k];
    for (int32_t j = 0; j < set->type->rest_count; j++) {
        if (set->of_attachment && which.first)
            pli_gather_words(part->rest[j], set->rest[j], part->slots, part->slot_count);
        p.rest[j] = part->rest[j];
    }
    if (p.compliance_scale)
        p.compliance_scale = part->compliance_scale;
    if (p.state && which.first)
        pli_gather_words(part->state, set->state, part->slots, part->slot_count);
    p.state = part->state;
    for (int32_t d = 0; p.lambda[0] && d < set->type->dimension; d++)
        p.lambda[d] = part->lambda[d];
    part->projection = p;
}

static void give_multipliers(const pli_waves *waves, const pli_batch *at)
{
    const pli_wave_part *part = &waves->parts[at->part];
    for (int32_t d = 0; part->projection.lambda[0] && d < part->set->type->dimension; d++)
        for (int32_t i = at->begin; i < at->end; i++)
            part->set->lambda[d][part->slots[i]] = part->lambda[d][i];
}

int32_t pli_waves_project(pli_world *world, pli_waves *waves, float step, pli_sweep which)
{
    for (int32_t k = 0; k < waves->part_count; k++)
        take_part(world, &waves->parts[k], step, which);
    for (int32_t b = 0; b < waves->batch_count; b++) {
        const pli_batch *at = &waves->batches[b];
        at->project(&waves->parts[at->part].projection, at->begin, at->end);
    }
    for (int32_t b = 0; b < waves->batch_count && which.last_substep; b++)
        give_multipliers(waves, &waves->batches[b]);
    return waves->sweeps;
}
