// Constraint sets and plates that keep bends: bending/plastic.h.
#include "bending/plastic.h"

#include "constraints/registry.h"
#include "model/parallel.h"
#include "particles/damping.h"
#include "sweep/constraint_slots.h"

// T of bending/plastic.h [s]: long compared with the overshoot of a released sheet, short compared with a fold.
#define RELAXATION_TIME 0.3

static double own_parameter(const pli_constraints_data *set, const char *name)
{
    const int32_t slot = set->type->bend ? pli_parameter_slot(set->type, name) : -1;
    return slot < 0 ? 0.0 : set->parameters[slot];
}

static bool yields(const pli_constraints_data *set) { return set->yield || own_parameter(set, "yield") > 0.0; }

/* ---- one constraint ------------------------------------------------------------------------------ */

// The size of a set determines its pieces, and so the order in which their work is summed.
enum { PIECES = 64, LEAST_PIECE = 512 };

typedef struct bending_set {
    const pli_world *world;
    pli_constraints_data *set;
    double yield, hardening, fraction, compliance, per_rigidity;
    int32_t grain;
    double work[PIECES];
} bending_set;

static void load(const bending_set *b, int32_t i, double now[][3], double at_rest[][3])
{
    const pli_deformable_data *deformable = b->set->deformable;
    const pli_dvec3 origin = pli_constraints_origin(b->world, b->set);
    int32_t places[PLI_CARDINALITY_MAX];
    pli_constraints_slot_particles(b->set, pli_constraints_slot(b->set, i), places);
    for (int32_t k = 0; k < b->set->type->cardinality; k++) {
        const pli_particle *p = &deformable->particles[places[k]];
        const float *rest = deformable->shape.positions + 3 * (size_t)pli_vertex(deformable, places[k]);
        now[k][0] = (double)p->x + origin.x, now[k][1] = (double)p->y + origin.y, now[k][2] = (double)p->z + origin.z;
        at_rest[k][0] = (double)rest[0], at_rest[k][1] = (double)rest[1], at_rest[k][2] = (double)rest[2];
    }
}

// The plastic work of a bend that stays, with moments for the curvature `mean`: the energy is (per_bend curvature)^2 / (2 compliance).
static double work_of(const bending_set *b, int32_t slot, double per_bend, double stays, double mean)
{
    const double scale = b->set->compliance_scale ? (double)b->set->compliance_scale[slot] : 0.0;
    const double compliance = b->compliance + scale * b->per_rigidity;
    return compliance > 0.0 ? per_bend * per_bend / compliance * mean * stays : 0.0;
}

static double keep_bend(const bending_set *b, int32_t i)
{
    pli_constraints_data *set = b->set;
    const int32_t slot = pli_constraints_slot(set, i);
    double now[PLI_CARDINALITY_MAX][3], rest[PLI_CARDINALITY_MAX][3], per_bend = 0.0;
    float values[PLI_REST_MAX];
    const double yield = set->yield ? (double)set->yield[slot] : b->yield;
    const double hardening = set->hardening ? (double)set->hardening[slot] : b->hardening;
    if (!(yield > 0.0))
        return 0.0;
    load(b, i, now, rest);
    for (int32_t j = 0; j < set->type->rest_count; j++)
        values[j] = set->rest[j][slot];
    pli_stencil stencil = {.positions = (const double(*)[3])now,
                           .count = set->type->cardinality,
                           .rest = values,
                           .parameters = set->own,
                           .state = set->state ? set->state[slot] : 1.0f,
                           .user = set->type->user};
    pli_stencil at_rest = stencil;
    at_rest.positions = (const double(*)[3])rest, at_rest.rest = NULL;
    const double excess = set->type->bend(&stencil, &at_rest, &per_bend), bent = (double)set->bends[slot];
    const double stays = pli_bend_that_stays(fabs(excess), yield, hardening, bent, b->fraction);
    const double follows = (double)values[set->type->bend_rest] + copysign(stays, excess) * per_bend;
    if (!(stays > 0.0) || !isfinite((float)follows) || !isfinite((float)(bent + stays)))
        return 0.0;
    set->rest[set->type->bend_rest][slot] = (float)follows;
    set->bends[slot] = (float)(bent + stays);
    return work_of(b, slot, per_bend, stays, yield + hardening * (bent + 0.5 * stays));
}

/* ---- a set --------------------------------------------------------------------------------------- */

static void keep_plastic_piece(void *data, int32_t begin, int32_t end)
{
    bending_set *b = data;
    double work = 0.0;
    for (int32_t i = begin; i < end; i++)
        work += keep_bend(b, i);
    b->work[begin / b->grain] = work;
}

static void keep_set(pli_world *world, pli_constraints_data *set, double fraction)
{
    bending_set b = {.world = world, .set = set, .fraction = fraction};
    b.yield = own_parameter(set, "yield"), b.hardening = own_parameter(set, "hardening");
    b.grain = pli_piece_count(set->count, PIECES) > LEAST_PIECE ? pli_piece_count(set->count, PIECES) : LEAST_PIECE;
    if (!yields(set) || !set->bends)
        return;
    if (world->settings.method == PLI_METHOD_XPBD) {
        const double rigidity = set->parameters[PLI_PARAMETER_RIGIDITY];
        b.compliance = set->parameters[PLI_PARAMETER_COMPLIANCE];
        b.per_rigidity = rigidity > 0.0 ? 1.0 / rigidity : 0.0;
    }
    pli_parallel(world, set->count, b.grain, keep_plastic_piece, &b);
    for (int32_t piece = 0; piece < PIECES; piece++)
        set->deformable->plastic->work += b.work[piece];
    pli_constraints_mark_bends(set);
}

/* ---- a world ------------------------------------------------------------------------------------- */

static bool reserve_plastic(pli_world *world, pli_deformable_data *deformable)
{
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (yields(set) && !pli_constraints_reserve_bends(world, set))
            return false;
    return (!pli_deformable_plate_yields(deformable) && !deformable->plastic->creases) ||
           pli_deformable_reserve_creases(world, deformable);
}

// Makes bends of all objects that are not idle permanent.
static void finish_plastic(pli_world *world, float dt)
{
    const double fraction = pli_decay_fraction(1.0 / RELAXATION_TIME, (double)dt);
    for (int32_t i = 0; i < world->sets.count; i++)
        if (!pli_constraints_data_at(world, i)->deformable->idle)
            keep_set(world, pli_constraints_data_at(world, i), fraction);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle)
            pli_deformable_keep_creases(world, pli_deformable_at(world, i), fraction);
}

/* ---- snapshots, and the feature ------------------------------------------------------------------ */

void pli_pass_bends(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    if (!set->type->bend)
        return;
    const bool bent = pli_pass_condition(s, pli_constraints_is_bent(set));
    if (s->mode == PLI_STREAM_CHECK && bent && !s->failed && !pli_constraints_reserve_bends(world, set))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ)
        pli_constraints_forget_bends(set);
    for (int32_t i = 0; i < set->count && bent && !s->failed; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        pli_pass_finite(s, &set->rest[set->type->bend_rest][slot], -INFINITY);
        pli_pass_finite(s, &set->bends[slot], 0.0f);
    }
    if (s->mode == PLI_STREAM_READ && bent)
        pli_constraints_mark_bends(set);
}

static void pass_plastic(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    (void)count;
    const bool bent = pli_pass_condition(s, pli_deformable_is_creased(deformable));
    pli_pass_finite_double(s, &deformable->plastic->work);
    if (s->mode == PLI_STREAM_CHECK && bent && !s->failed && !pli_deformable_reserve_creases(world, deformable))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ)
        pli_deformable_forget_creases(deformable);
    const pli_creases *creases = deformable->plastic->creases;
    for (int32_t t = 0; bent && !s->failed && t < creases->count; t++) {
        for (int32_t k = 0; k < 9; k++)
            pli_pass_finite(s, &creases->offsets[9 * (size_t)t + (size_t)k], -INFINITY);
        pli_pass_finite(s, &creases->bends[t], 0.0f);
    }
}

static void reset_plastic(pli_deformable_data *deformable)
{
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        pli_constraints_forget_bends(set);
    pli_deformable_forget_creases(deformable);
    deformable->plastic->work = 0.0;
}

const pli_feature pli_feature_plastic = {
    .name = "plastic bending",
    PLI_FEATURE_STATE(pli_plastic, plastic),
    .destroy = pli_deformable_free_creases,
    .finish = finish_plastic,
    .reserve = reserve_plastic,
    .reset = reset_plastic,
    .pass = pass_plastic,
};
