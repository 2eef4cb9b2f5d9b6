// One solve of tension: linearisation at the present positions, factorisation, and the moves. See tension/tension.h.
#include "tension/tension.h"

#include "particles/history.h"
#include "schedule/constraint_slots.h"
#include "tension/tension_band.h"
#include "tension/tension_factor.h"

#include <math.h>
#include <string.h>

// Share of J M^-1 J^T that is added to its diagonal, and the longest move in mean edges: constraints that contradict each other, as in
// crumpled cloth, would else move particles by multiples of an edge.
#define SOFTENING 1e-4
#define LONGEST_MOVE 0.25

typedef struct solving {
    pli_deformable_data *deformable;
    pli_tension *t;
    double per_square, damping; // 1 / h^2, and damping time / h of the present constraint.
    double kept;                // The share that stays of what C was at the start of the substep.
    bool first;                 // Multipliers start from 0.
    bool known;                 // They are those of a state like this one, so that they tell the tension.
} solving;

/* ---- one constraint ------------------------------------------------------------------------------- */

// C and its gradients with these particles.
static void evaluate(const pli_constraint_set_data *set, const pli_tensile *item, const pli_particle *particles,
                     double *values, double *gradients)
{
    double positions[PLI_TENSILE_PARTICLES][3];
    float rest[PLI_REST_MAX];
    const int32_t count = set->type->cardinality;
    for (int32_t k = 0; k < count; k++) {
        const pli_particle p = particles[item->places[k]];
        positions[k][0] = (double)p.x, positions[k][1] = (double)p.y, positions[k][2] = (double)p.z;
    }
    for (int32_t j = 0; j < set->type->rest_count; j++)
        rest[j] = set->rest[j][item->slot];
    const pli_stencil stencil = {.positions = (const double(*)[3])positions,
                                 .count = count,
                                 .rest = rest,
                                 .parameters = set->own,
                                 .state = 1.0f,
                                 .user = set->type->user};
    set->type->evaluate(&stencil, values, gradients);
}

// C and its gradients at the present positions, less what stays of C at the start of the substep.
static void linearise(const solving *s, const pli_constraint_set_data *set, pli_tensile *item, double *values)
{
    double before[PLI_TENSILE_VALUES] = {0.0}, gradients[3 * PLI_TENSILE_VALUES * PLI_TENSILE_PARTICLES];
    const int32_t count = set->type->cardinality;
    if (s->kept > 0.0)
        evaluate(set, item, pli_deformable_bases(s->deformable), before, gradients);
    evaluate(set, item, s->deformable->particles, values, gradients);
    for (int32_t d = 0; d < set->type->dimension; d++)
        if (set->type->sense == PLI_SENSE_EQUAL || before[d] > 0.0)
            values[d] -= s->kept * before[d];
    for (int32_t d = 0; d < set->type->dimension; d++)
        for (int32_t k = 0; k < count; k++)
            memcpy(item->gradients[d][k], gradients + 3 * (d * count + k), sizeof item->gradients[d][k]);
}

static pli_dvec3 place_of(const solving *s, const pli_tensile *item, int32_t k)
{
    const pli_particle p = s->deformable->particles[item->places[k]];
    return (pli_dvec3){(double)p.x, (double)p.y, (double)p.z};
}

// Tension T in an edge of length l resists what turns it, T / l (1 - n n^T); that in a triangle what tilts it, along its normal. With
// gradients of length 1, or sqrt(A) times those of the strain, both are -lambda / size g_i . g_j for each value of C. Shear
// stiffens nothing here.
static void find_pulls(const solving *s, const pli_constraint_set_data *set, pli_tensile *item)
{
    const bool is_edge = item->places[2] < 0;
    const pli_dvec3 origin = place_of(s, item, 0), side = pli_dsub(place_of(s, item, 1), origin);
    const pli_dvec3 axis = is_edge ? side : pli_dcross(side, pli_dsub(place_of(s, item, 2), origin));
    const double length = pli_dlength(axis), size = is_edge ? length : sqrt(0.5 * length);
    for (int32_t d = 0; d < PLI_TENSILE_VALUES; d++) {
        const bool pulls = s->known && size > 0.0 && d < (is_edge ? 1 : 2) && set->lambda[d][item->slot] < 0.0f;
        item->pulls[d] = pulls ? -(double)set->lambda[d][item->slot] / size : 0.0;
    }
    const double n[3] = {axis.x, axis.y, axis.z}, scale = length > 0.0 ? 1.0 / (length * length) : 0.0;
    for (int32_t a = 0; a < 3; a++)
        for (int32_t b = 0; b < 3; b++)
            item->across[a][b] = is_edge ? (a == b ? 1.0 : 0.0) - n[a] * n[b] * scale : n[a] * n[b] * scale;
}

// grad C . (x - x_prev) of value d.
static double drift_of(const solving *s, const pli_tensile *item, int32_t d)
{
    double sum = 0.0;
    for (int32_t k = 0; k < PLI_TENSILE_PARTICLES && item->places[k] >= 0; k++) {
        const pli_particle now = s->deformable->particles[item->places[k]];
        const pli_particle before = pli_deformable_bases(s->deformable)[item->places[k]];
        const double *g = item->gradients[d][k];
        sum += g[0] * (double)(now.x - before.x) + g[1] * (double)(now.y - before.y) +
               g[2] * (double)(now.z - before.z);
    }
    return sum;
}

// The mean of the diagonal of J M^-1 J^T.
static double weight_of(const solving *s, const pli_tensile *item, int32_t dimension)
{
    double sum = 0.0;
    for (int32_t k = 0; k < PLI_TENSILE_PARTICLES && item->places[k] >= 0; k++) {
        const double w = (double)s->deformable->particles[item->places[k]].w;
        for (int32_t d = 0; d < dimension; d++) {
            const double *g = item->gradients[d][k];
            sum += w * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        }
    }
    return sum / dimension;
}

// The inverse of a symmetric matrix of n rows, 1 or 3; false where it has none.
static bool invert(double a[3][3], int32_t n, double inverse[3][3])
{
    if (n == 1) {
        inverse[0][0] = 1.0 / a[0][0];
        return a[0][0] > 0.0;
    }
    const double c00 = a[1][1] * a[2][2] - a[1][2] * a[1][2], c01 = a[0][2] * a[1][2] - a[0][1] * a[2][2];
    const double c02 = a[0][1] * a[1][2] - a[0][2] * a[1][1];
    const double determinant = a[0][0] * c00 + a[0][1] * c01 + a[0][2] * c02, scale = 1.0 / determinant;
    inverse[0][0] = scale * c00;
    inverse[0][1] = inverse[1][0] = scale * c01;
    inverse[0][2] = inverse[2][0] = scale * c02;
    inverse[1][1] = scale * (a[0][0] * a[2][2] - a[0][2] * a[0][2]);
    inverse[1][2] = inverse[2][1] = scale * (a[0][1] * a[0][2] - a[0][0] * a[1][2]);
    inverse[2][2] = scale * (a[0][0] * a[1][1] - a[0][1] * a[0][1]);
    return determinant > 0.0 && isfinite(scale);
}

// alpha / h^2 of the set, own compliances of the type included.
static void find_softness(const solving *s, const pli_constraint_set_data *set, double a[3][3])
{
    double own[6] = {0.0};
    if (set->row->soften)
        set->row->soften(set->own, own);
    const double compliance = set->parameters[PLI_PARAMETER_COMPLIANCE];
    const double upper[3][3] = {{own[0], own[1], own[2]}, {own[1], own[3], own[4]}, {own[2], own[4], own[5]}};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t j = 0; j < 3; j++)
            a[i][j] = (1.0 - s->kept) * s->per_square * (upper[i][j] + (i == j ? compliance : 0.0));
}

// Fills A^-1 and b of a constraint; both are 0 where it cannot move, or is slack and says "at most".
static void prepare(const solving *s, const pli_constraint_set_data *set, double softness[3][3], pli_tensile *item)
{
    const int32_t n = set->type->dimension;
    const float *painted = pli_constraint_set_painted_scales(set);
    const double scale = painted ? (double)painted[item->slot] : 1.0;
    double values[PLI_TENSILE_VALUES] = {0.0}, a[3][3];
    for (int32_t i = 0; i < 9; i++)
        a[i / 3][i % 3] = scale * softness[i / 3][i % 3];
    linearise(s, set, item, values);
    find_pulls(s, set, item);
    for (int32_t i = 0; i < n; i++) {
        float *lambda = set->lambda[i] + item->slot;
        *lambda = s->first ? 0.0f : *lambda;
    }
    for (int32_t i = 0; i < n; i++) {
        item->excess[i] = -values[i];
        for (int32_t j = 0; j < n; j++)
            item->excess[i] -= a[i][j] * (double)set->lambda[j][item->slot];
        if (s->damping > 0.0)
            item->excess[i] -= s->damping * drift_of(s, item, i);
    }
    const double weight = weight_of(s, item, n);
    const bool slack = set->type->sense == PLI_SENSE_AT_MOST && !(values[0] > 0.0);
    for (int32_t i = 0; i < n; i++)
        a[i][i] += SOFTENING * weight;
    if (!slack && weight > 0.0 && invert(a, n, item->inverse))
        return;
    memset(item->inverse, 0, sizeof item->inverse);
    memset(item->excess, 0, sizeof item->excess);
}

/* ---- the system ----------------------------------------------------------------------------------- */

// The block of particles i and j: the sum of g_d A^-1_de g_e^T.
static void add_block(const pli_tensile *item, int32_t n, int32_t i, int32_t j, double scale, double *block)
{
    for (int32_t d = 0; d < n; d++) {
        double along[3] = {0.0, 0.0, 0.0};
        for (int32_t e = 0; e < n; e++)
            for (int32_t b = 0; b < 3; b++)
                along[b] += item->inverse[d][e] * item->gradients[e][j][b];
        for (int32_t a = 0; a < 3; a++)
            for (int32_t b = 0; b < 3; b++)
                block[3 * a + b] += scale * item->gradients[d][i][a] * along[b];
    }
}

// The stiffness across tension, which vanishes where the particles move alike since gradients add up to 0.
static void add_across(const pli_tensile *item, int32_t i, int32_t j, double *block)
{
    double share = 0.0;
    for (int32_t d = 0; d < PLI_TENSILE_VALUES; d++)
        if (item->pulls[d] > 0.0)
            for (int32_t a = 0; a < 3; a++)
                share += item->pulls[d] * item->gradients[d][i][a] * item->gradients[d][j][a];
    for (int32_t a = 0; a < 3; a++)
        for (int32_t b = 0; b < 3; b++)
            block[3 * a + b] += share * item->across[a][b];
}

static void add_item(const solving *s, const pli_tensile *item, int32_t n)
{
    for (int32_t i = 0; i < PLI_TENSILE_PARTICLES; i++) {
        if (item->unknowns[i] < 0)
            continue;
        double *to = s->t->vector + 3 * (size_t)item->unknowns[i];
        for (int32_t d = 0; d < n; d++) {
            double pull = 0.0;
            for (int32_t e = 0; e < n; e++)
                pull += item->inverse[d][e] * item->excess[e];
            for (int32_t a = 0; a < 3; a++)
                to[a] += pull * item->gradients[d][i][a];
        }
        for (int32_t j = 0; j < PLI_TENSILE_PARTICLES; j++) {
            if (item->entries[i][j] < 0)
                continue;
            add_block(item, n, i, j, 1.0 + s->damping, s->t->blocks[item->entries[i][j]]);
            add_across(item, i, j, s->t->blocks[item->entries[i][j]]);
        }
    }
}

static void set_damping(solving *s, const pli_constraint_set_data *set, int32_t slot, float step)
{
    const double painted = set->damping_scale ? (double)set->damping_scale[slot] : 1.0;
    s->damping = painted * set->parameters[PLI_PARAMETER_DAMPING] / (double)step;
}

static void assemble(solving *s, float step)
{
    pli_tension *t = s->t;
    memset(t->blocks, 0, (size_t)t->graph.offsets[t->free_count] * sizeof *t->blocks);
    memset(t->vector, 0, 3 * (size_t)t->free_count * sizeof *t->vector);
    for (int32_t i = 0; i < t->free_count; i++) {
        const double mass = 1.0 / (double)s->deformable->particles[t->free_particles[i]].w, *more = t->carried[i];
        double *block = t->blocks[t->diagonal[i]];
        block[0] = mass + more[0], block[4] = mass + more[1], block[8] = mass + more[2];
        block[1] = block[3] = more[3], block[2] = block[6] = more[4], block[5] = block[7] = more[5];
    }
    for (int32_t k = 0; k < t->set_count; k++) {
        const pli_constraint_set_data *set = t->sets[k].set;
        double softness[3][3];
        find_softness(s, set, softness);
        for (int32_t i = t->sets[k].first; i < t->sets[k].first + t->sets[k].count; i++) {
            set_damping(s, set, t->items[i].slot, step);
            prepare(s, set, softness, &t->items[i]);
            add_item(s, &t->items[i], set->type->dimension);
        }
    }
}

/* ---- the moves ------------------------------------------------------------------------------------ */

// The share of the solution that is taken, so that no particle moves further than it may; 0 where the solution is none.
static double share_of(const solving *s)
{
    double most = 0.0, longest = LONGEST_MOVE * (double)s->deformable->mean_edge;
    for (int32_t i = 0; i < s->t->free_count; i++) {
        const double *d = s->t->vector + 3 * (size_t)i, square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!isfinite(square))
            return 0.0;
        most = square > most ? square : most;
    }
    return most > longest * longest && longest > 0.0 ? longest / sqrt(most) : 1.0;
}

static void move_particles(const solving *s, double share)
{
    for (int32_t i = 0; i < s->t->free_count; i++) {
        const double *d = s->t->vector + 3 * (size_t)i;
        const int32_t place = s->t->free_particles[i];
        pli_particle *p = &s->deformable->particles[place];
        const pli_particle before = *p;
        p->x = (float)((double)p->x + share * d[0]);
        p->y = (float)((double)p->y + share * d[1]);
        p->z = (float)((double)p->z + share * d[2]);
        if (!s->deformable->lost)
            continue;
        pli_particle *lost = &s->deformable->lost[place];
        lost->x += (float)(share * d[0] - ((double)p->x - (double)before.x));
        lost->y += (float)(share * d[1] - ((double)p->y - (double)before.y));
        lost->z += (float)(share * d[2] - ((double)p->z - (double)before.z));
    }
}

// lambda += A^-1 (b - (1 + damping) J d).
static void add_multipliers(const solving *s, const pli_constraint_set_data *set, const pli_tensile *item, double share)
{
    const int32_t n = set->type->dimension;
    double left[PLI_TENSILE_VALUES];
    for (int32_t e = 0; e < n; e++) {
        double moved = 0.0;
        for (int32_t k = 0; k < PLI_TENSILE_PARTICLES; k++) {
            const double *d = item->unknowns[k] < 0 ? NULL : s->t->vector + 3 * (size_t)item->unknowns[k];
            for (int32_t a = 0; d && a < 3; a++)
                moved += item->gradients[e][k][a] * d[a];
        }
        left[e] = item->excess[e] - (1.0 + s->damping) * moved;
    }
    for (int32_t d = 0; d < n; d++) {
        double change = 0.0;
        for (int32_t e = 0; e < n; e++)
            change += item->inverse[d][e] * left[e];
        float *lambda = &set->lambda[d][item->slot];
        *lambda += (float)(share * change);
        if (set->type->sense == PLI_SENSE_AT_MOST && *lambda > 0.0f)
            *lambda = 0.0f;
    }
}

// Solves for the vector d and adds to the multipliers; returns the share of d that may be taken.
static double solve(solving *s, float step)
{
    pli_tension *t = s->t;
    assemble(s, step);
    if (!(t->banded ? pli_tension_factor_band(t) : pli_tension_factor(t)))
        return 0.0;
    if (t->banded)
        pli_tension_substitute_band(t);
    else
        pli_tension_substitute(t);
    const double share = share_of(s);
    for (int32_t k = 0; k < t->set_count && share > 0.0; k++) {
        for (int32_t i = t->sets[k].first; i < t->sets[k].first + t->sets[k].count; i++) {
            set_damping(s, t->sets[k].set, t->items[i].slot, step);
            add_multipliers(s, t->sets[k].set, &t->items[i], share);
        }
    }
    return share;
}

void pli_tension_solve(pli_deformable_data *deformable, pli_tension *tension, float step, pli_tension_start start,
                       double kept)
{
    solving s = {
        .deformable = deformable, .t = tension, .per_square = 1.0 / ((double)step * (double)step), .kept = kept};
    s.first = start != PLI_TENSION_ITERATION, s.known = start != PLI_TENSION_STEP;
    tension->share = 0.0;
    if (tension->free_count == 0 || tension->item_count == 0)
        return;
    double share = solve(&s, step);
    if (!s.known && share > 0.0) {
        s.known = true;
        share = solve(&s, step);
    }
    if (share > 0.0)
        move_particles(&s, share);
    tension->share = share;
}
