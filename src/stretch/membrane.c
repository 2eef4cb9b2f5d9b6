// A substep of a solved membrane: stretch/membrane.h.
#include "stretch/membrane.h"

#include "constraints/membrane_values.h"
#include "stretch/membrane_contact.h"
#include "stretch/membrane_levels.h"
#include "stretch/membrane_volume.h"
#include "model/parallel.h"
#include "particles/history.h"
#include "sweep/constraint_slots.h"

#include <math.h>
#include <string.h>

enum { MEMBRANE_BATCH_GRAIN = 16, NODE_GRAIN = 256 };

// Below this step length, coarse levels are rebuilt.
#define MEMBRANE_LEAST_LENGTH 0.8

// Coarse levels are rebuilt when they leave out more than one particle in MOST_OUT.
#define MOST_OUT 16

// The relaxation of the smoother. The matrix of a triangle is at most 3 times its diagonal blocks, so 2/3 is the limit of stability.
#define RELAXATION 0.5f
#define LARGEST_EIGENVALUE 3.0

// The upper limit of a triangle's area over the square of a height. It is 0.58 in an equilateral triangle, and half of base over height in
// a sliver. Without the limit, a sliver would be as stiff as all other triangles together.
#define SHARPEST 10.0

// The stiffness of rigid membranes over their density: one metre stretches by 0.1 permille under its own weight [m2/s2].
#define RIGID 1e5

// The largest fractions of the relative motion that the energy balance removes in a substep: at first, and in total.
#define FIRST_DRAG 0.1
#define MOST_DRAG 0.5
// The largest ratio of the second to the first. If a gain is only rounding error, the effect of the first fraction on it is not meaningful.
#define MOST_EXTENDED 8.0

// The limit of the displacements in a substep, as a root mean square over the mean edge, in addition to displacements by weight, air and
// users. Above it, cloth that was pulled far out of shape would return so fast that its layers would pass into each other and stay there.
#define TRUSTED 0.05
// The fraction of the motion above the limit that is removed. With 0, cloth that is pulled back arrives with the energy of its strain; with
// 1, cloth trails the collider that hits it.
#define BRAKE 0.8f

/* ---- stiffness ------------------------------------------------------------------------------------- */

// The lower bounds of compliance: of any triangle, and of rigid triangles [m/N].
typedef struct compliance_bounds {
    double least, rigid;
} compliance_bounds;

static pli_membrane_law law_of(const pli_constraints_data *set, compliance_bounds b, float step)
{
    pli_membrane_law law = {.more = set->parameters[PLI_PARAMETER_COMPLIANCE],
                            .least = b.least,
                            .rigid = b.rigid,
                            .damping = set->parameters[PLI_PARAMETER_DAMPING] / (double)step,
                            .painted = pli_constraints_painted_scales(set),
                            .painted_damping = set->damping};
    law.slack = set->type->sense == PLI_SENSE_AT_MOST ? set->own[0] : 1.0f;
    if (set->row->soften)
        set->row->soften(set->own, law.own);
    return law;
}

// The stiffness of a compliance within the bounds [N/m].
static double stiffness_of(const pli_membrane_law *law, double compliance)
{
    return 1.0 / (!(compliance > 0.0) ? law->rigid : compliance > law->least ? compliance : law->least);
}

// Stiffness of a triangle [N/m]: k11, k12, k22 and k33.
static void membrane_find_stiffness(const pli_membrane_law *law, int32_t slot, double k[4])
{
    const double scale = law->painted ? (double)law->painted[slot] : 1.0, s33 = scale * law->own[5] + law->more;
    double s11 = scale * law->own[0] + law->more, s12 = scale * law->own[1], s22 = scale * law->own[3] + law->more;
    const double lower = s11 < s22 ? s11 : s22;
    if (!(lower > 0.0)) {
        s11 = s22 = law->rigid, s12 = 0.0;
    } else if (lower < law->least) {
        const double softer = law->least / lower;
        s11 *= softer, s12 *= softer, s22 *= softer;
    }
    const double inverse = 1.0 / (s11 * s22 - s12 * s12);
    k[0] = s22 * inverse, k[1] = -s12 * inverse, k[2] = s11 * inverse;
    k[3] = stiffness_of(law, s33);
}

// The factor that reduces the stiffness of slivers.
static double blunt(const float *sheets, double area)
{
    const double p1 = (double)sheets[PLI_SHEET_P1 * PLI_BATCH], p2 = (double)sheets[PLI_SHEET_P2 * PLI_BATCH];
    const double q1 = (double)sheets[PLI_SHEET_Q1 * PLI_BATCH], q2 = (double)sheets[PLI_SHEET_Q2 * PLI_BATCH];
    const double zeroth = (p1 + p2) * (p1 + p2) + (q1 + q2) * (q1 + q2), first = p1 * p1 + q1 * q1,
                 second = p2 * p2 + q2 * q2, last = first > second ? first : second;
    const double sharp = area * (zeroth > last ? zeroth : last);
    return sharp > SHARPEST ? SHARPEST / sharp : 1.0;
}

// Fills the rows of stiffness for a substep of `step` seconds. Returns whether any triangle is damped.
static bool fill_stiffness(pli_membrane *m, compliance_bounds b, float step)
{
    bool damped = false;
    for (int32_t i = 0; i < m->set_count; i++)
        m->laws[i] = law_of(m->sets[i], b, step);
    for (int32_t i = 0; i < m->triangle_count; i++) {
        const pli_membrane_triangle *t = &m->triangles[i];
        const pli_membrane_law *law = &m->laws[t->set];
        float *rows = m->sheets.sheets + PLI_SHEET_ROWS * (i / PLI_BATCH) * PLI_BATCH + i % PLI_BATCH;
        if (t->is_edge) {
            const float length = law->slack * sqrtf(t->area);
            rows[PLI_SHEET_P1 * PLI_BATCH] = length > 0.0f ? 1.0f / length : 0.0f;
        }
        const double size = t->is_edge ? (double)(law->slack * law->slack * t->area)
                                       : (double)t->area * blunt(rows, (double)t->area);
        const double damping = law->damping * (law->painted_damping ? (double)law->painted_damping[t->slot] : 1.0);
        double k[4];
        if (t->is_edge) {
            // The stiffness of an edge [N/m], as k11 of a triangle without any other entry.
            k[0] = stiffness_of(law, (law->painted ? (double)law->painted[t->slot] : 1.0) * law->more);
            k[1] = k[2] = k[3] = 0.0;
        } else
            membrane_find_stiffness(law, t->slot, k);
        for (int32_t e = 0; e < 4; e++)
            rows[(PLI_SHEET_K11 + e) * PLI_BATCH] = (float)(k[e] * size * (1.0 + damping));
        rows[PLI_SHEET_DAMPING * PLI_BATCH] = (float)damping;
        damped = damped || damping > 0.0;
    }
    return damped;
}

bool pli_membrane_is_supported(const pli_membrane *m) { return m->support.count > 0; }

/* ---- the start of a substep ------------------------------------------------------------------------ */

void pli_membrane_begin(const pli_deformable_data *deformable, pli_membrane *m)
{
    memcpy(m->starts, deformable->velocities, (size_t)m->count * sizeof *m->starts);
}

// Adds the scaled positions to the predicted ones.
static void add_positions(const pli_deformable_data *deformable, pli_membrane *m, float scale)
{
    for (int32_t i = 0; i < m->count; i++) {
        const float inertia = m->predicted[i].w;
        m->predicted[i] = pli_particle_add_scaled(m->predicted[i], deformable->particles[i], scale);
        m->predicted[i].w = inertia;
    }
}

void pli_membrane_expect_sweep(const pli_deformable_data *deformable, pli_membrane *m)
{
    add_positions(deformable, m, -1.0f);
}

typedef struct membrane_placing membrane_placing;
// Adds the contribution of a particle to two sums.
typedef void (*particle_term)(const membrane_placing *p, int32_t i, double sums[2]);

struct membrane_placing {
    pli_membrane *m;
    pli_particle *particles, *lost; // `lost` may be null.
    const pli_particle *bases;
    float step, share;
    const struct rigid_motion *rigid; // The rigid motion that the balance does not change; null for none.
    particle_term term;               // The term that is summed; null for none.
};

static bool is_free(const pli_membrane *m, int32_t i) { return m->predicted[i].w > 0.0f; }

static void sum_pieces(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    for (int32_t piece = begin; piece < end; piece++) {
        double *sums = p->m->sums + 2 * piece;
        sums[0] = sums[1] = 0.0;
        for (int32_t i = piece * PLI_PARTICLE_GRAIN; i < (piece + 1) * PLI_PARTICLE_GRAIN && i < p->m->count; i++)
            p->term(p, i, sums);
    }
}

// Two sums over all particles, in an order that does not depend on the number of threads.
static void sum_particles(pli_world *world, membrane_placing *p, particle_term term, double sums[2])
{
    const int32_t pieces = pli_piece_count(p->m->count, PLI_PARTICLE_GRAIN);
    p->term = term;
    pli_parallel(world, pieces, 1, sum_pieces, p);
    sums[0] = sums[1] = 0.0;
    for (int32_t i = 0; i < pieces; i++)
        sums[0] += p->m->sums[2 * i], sums[1] += p->m->sums[2 * i + 1];
}

// Moves a particle. `lost`, if not null, accumulates the rounding error.
static void move_particle(const membrane_placing *p, int32_t i, pli_particle from, pli_particle d)
{
    pli_particle *x = &p->particles[i];
    const pli_particle to = {from.x + d.x, from.y + d.y, from.z + d.z, x->w};
    if (p->lost) {
        pli_particle *lost = &p->lost[i];
        lost->x += d.x - (to.x - from.x), lost->y += d.y - (to.y - from.y), lost->z += d.z - (to.z - from.z);
    }
    *x = to;
}

// Stores the positions that other forces predict, and places the particles at the positions of free motion.
static void membrane_place_particles(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = p->particles[i], v = p->m->starts[i];
        const bool moves = x.w > 0.0f && p->m->corner_offsets[i] < p->m->corner_offsets[i + 1];
        p->m->predicted[i] = x;
        p->m->predicted[i].w = moves ? 1.0f / (x.w * p->step * p->step) : 0.0f;
        if (!moves)
            continue;
        if (p->lost)
            p->lost[i] = (pli_particle){0.0f, 0.0f, 0.0f, 0.0f};
        move_particle(p, i, p->bases[i], (pli_particle){p->step * v.x, p->step * v.y, p->step * v.z, 0.0f});
    }
}

// The positions of the particles at the middle of the step.
static void membrane_look_ahead(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    for (int32_t i = begin; i < end; i++)
        p->m->hierarchy.levels[0].left[i] = is_free(p->m, i)
                                                ? pli_particle_add_scaled(p->particles[i], p->m->starts[i], p->step)
                                                : p->particles[i];
}

/* ---- the finest level ------------------------------------------------------------------------------ */

// Sums forces and diagonal blocks by particle: b = f + M / h^2 (predicted - X).
static void gather_nodes(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    const pli_membrane *m = p->m;
    const pli_particle none = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t i = begin; i < end; i++) {
        pli_particle force = none, first = none, second = none;
        const pli_particle to = m->predicted[i], x = p->particles[i];
        if (is_free(m, i)) {
            force = (pli_particle){to.w * (to.x - x.x), to.w * (to.y - x.y), to.w * (to.z - x.z), 0.0f};
            first = (pli_particle){to.w, to.w, to.w, 0.0f};
            for (int32_t c = m->corner_offsets[i]; c < m->corner_offsets[i + 1]; c++) {
                force = pli_particle_sum(force, m->sheets.pulls[c]);
                first = pli_particle_sum(first, m->sheets.diagonal[2 * c]);
                second = pli_particle_sum(second, m->sheets.diagonal[2 * c + 1]);
            }
            if (m->contact.has_any)
                first = pli_particle_sum(first, m->contact.diagonal[2 * i]),
                second = pli_particle_sum(second, m->contact.diagonal[2 * i + 1]);
        }
        m->hierarchy.levels[0].right[i] = force;
        m->inverse[2 * i] = first, m->inverse[2 * i + 1] = second;
    }
}

static void membrane_find_left(void *data, int32_t begin, int32_t end)
{
    const pli_membrane *m = data;
    const pli_membrane_level *level = &m->hierarchy.levels[0];
    for (int32_t i = begin; i < end; i++) {
        pli_particle left = level->right[i];
        if (is_free(m, i)) {
            left = pli_particle_add_scaled(left, level->solution[i], -m->predicted[i].w);
            for (int32_t c = m->corner_offsets[i]; c < m->corner_offsets[i + 1]; c++)
                left = pli_particle_sum(left, m->sheets.pulls[c]);
        }
        level->left[i] = left;
    }
}

void pli_membrane_multiply(pli_world *world, pli_membrane *m)
{
    m->sheets.moves = m->hierarchy.levels[0].solution;
    pli_parallel(world, m->batch_count, MEMBRANE_BATCH_GRAIN, world->kernels->membrane->multiply, &m->sheets);
    pli_parallel(world, m->count, NODE_GRAIN, membrane_find_left, m);
    pli_membrane_drag_supports(m);
    if (m->volume.is_corrected)
        pli_membrane_multiply_volumes(m);
}

static pli_sheet_nodes nodes_of(const pli_membrane *m)
{
    const pli_membrane_level *finest = &m->hierarchy.levels[0];
    return (pli_sheet_nodes){m->inverse,
                             finest->right,
                             finest->left,
                             finest->solution,
                             m->products,
                             RELAXATION,
                             pli_piece_count(m->count, PLI_BATCH),
                             PLI_PARTICLE_GRAIN / PLI_BATCH};
}

// Sums b d and d A d for the step length. With z the solution before the last step s, where s A s is at most the largest eigenvalue times
// s D s, d A d = (z + 2 s) A z + s A s. The products are b d, (z + 2 s) A z and s D s.
static void find_products(pli_world *world, pli_membrane *m)
{
    const int32_t pieces = pli_piece_count(m->count, PLI_PARTICLE_GRAIN);
    double sums[3] = {0.0, 0.0, 0.0};
    pli_sheet_nodes nodes = nodes_of(m);
    pli_parallel(world, pieces, 1, world->kernels->membrane->relax, &nodes);
    for (int32_t i = 0; i < 3 * pieces * PLI_BATCH; i++)
        sums[i / PLI_BATCH % 3] += (double)m->products[i];
    m->solution.curve[0] = sums[0];
    m->solution.curve[1] = sums[1] + LARGEST_EIGENVALUE * (double)RELAXATION * sums[2];
    if (m->volume.is_corrected)
        m->solution.curve[1] += pli_membrane_volume_work(m);
}

/* ---- the finest matrix, from which the coarse ones are made ------------------------------------------ */

static void add_transposed(float to[12], const pli_particle *columns)
{
    for (int32_t r = 0; r < 3; r++) {
        const pli_particle c = columns[r * PLI_BATCH];
        to[r] += c.x, to[4 + r] += c.y, to[8 + r] += c.z;
    }
}

static void add_columns(float to[12], const pli_particle *columns)
{
    for (int32_t c = 0; c < 3; c++) {
        const pli_particle column = columns[c * PLI_BATCH];
        to[4 * c] += column.x, to[4 * c + 1] += column.y, to[4 * c + 2] += column.z;
    }
}

static void assemble_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane *m = data;
    const pli_block_matrix *matrix = &m->hierarchy.levels[0].matrix;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle a = m->inverse[2 * i], b = m->inverse[2 * i + 1];
        for (int32_t k = matrix->diagonal[i] + 1; k < matrix->offsets[i + 1]; k++) {
            pli_block block = {{0.0f}};
            if (is_free(m, i) && is_free(m, matrix->columns[k]))
                for (int32_t s = m->block_offsets[k]; s < m->block_offsets[k + 1]; s++) {
                    const pli_particle *from = m->sheets.aside + m->block_sources[s] / 2;
                    if (m->block_sources[s] % 2)
                        add_transposed(block.at, from);
                    else
                        add_columns(block.at, from);
                }
            pli_membrane_filter_block(m, i, matrix->columns[k], &block);
            matrix->blocks[k] = block;
        }
        matrix->blocks[matrix->diagonal[i]] = (pli_block){
            {a.x, a.w, b.x, 0.0f, a.w, a.y, b.y, 0.0f, b.x, b.y, a.z, 0.0f}};
    }
}

static void linearise(pli_world *world, const membrane_placing *p)
{
    pli_membrane *m = p->m;
    m->sheets.positions = p->particles;
    pli_parallel(world, m->batch_count, MEMBRANE_BATCH_GRAIN, world->kernels->membrane->strain, &m->sheets);
    pli_parallel(world, m->count, NODE_GRAIN, gather_nodes, (void *)p);
}

// Coarse levels would greatly overcorrect a particle that a shape restrained when they were built and that may now move in more directions.
// The particle is left out until the levels are rebuilt. Returns whether too many particles are left out.
static bool join_levels(pli_membrane *m)
{
    int32_t out = 0;
    for (int32_t i = 0; i < m->count; i++) {
        const pli_support_kind now = pli_membrane_support_of(m, i), made = m->hierarchy.made[i];
        const bool joins = now != PLI_SUPPORT_STICKS && (made == PLI_SUPPORT_NONE || made == now);
        m->hierarchy.joins[i] = joins ? 1.0f : 0.0f;
        out += now != PLI_SUPPORT_STICKS && !joins;
    }
    return out > m->count / MOST_OUT;
}

static void renew_levels(pli_world *world, const membrane_placing *p)
{
    pli_membrane *m = p->m;
    for (int32_t i = 0; i < m->count; i++) {
        m->hierarchy.made[i] = (uint8_t)pli_membrane_support_of(m, i);
        m->hierarchy.joins[i] = m->hierarchy.made[i] != PLI_SUPPORT_STICKS ? 1.0f : 0.0f;
    }
    pli_parallel(world, m->batch_count, MEMBRANE_BATCH_GRAIN, world->kernels->membrane->couple, &m->sheets);
    pli_parallel(world, m->count, NODE_GRAIN, assemble_rows, m);
    pli_membrane_coarsen(world, m, p->particles);
    m->hierarchy.outdated = m->volume.has_response = false;
}

/* ---- the balance of energy ------------------------------------------------------------------------- */

// One cycle does not solve the equations exactly, and its error depends on the shape, so it could feed energy to a crumpling sheet. An
// implicit step from x to x' cannot: with the other forces F and the displacement z of the solve,
//
//   E(x') - E(x) + sum m / h^2 ((z - h^2 F / m) . (x' - x) - z^2 / 2) <= 0
//
// The excess over 0 is removed from the motion of the step.

// The displacement of a particle, and the contribution of the membrane to it: z - h^2 F / m.
static pli_dvec3 membrane_displacement_of(const membrane_placing *p, int32_t i)
{
    return pli_dsub(pli_particle_widened(p->particles[i]), pli_particle_widened(p->bases[i]));
}

static pli_dvec3 inner_of(const membrane_placing *p, int32_t i)
{
    return pli_dsub(pli_particle_widened(p->particles[i]), pli_particle_widened(p->m->predicted[i]));
}

// A rigid displacement about a point, to second order: a rotating body is closer to its axis than the tangents by half of the squared
// angle. This second-order part has angular momentum, and `arc` compensates for it, so that the total is unchanged.
typedef struct rigid_motion {
    pli_dvec3 centre, linear, turn, arc;
} rigid_motion;

static pli_dvec3 membrane_arm_of(const membrane_placing *p, const rigid_motion *r, int32_t i)
{
    return pli_dsub(pli_particle_widened(p->bases[i]), r->centre);
}

// The rigid displacement to first order, along tangents.
static pli_dvec3 straight_at(const membrane_placing *p, const rigid_motion *r, int32_t i)
{
    return pli_dadd(r->linear, pli_dcross(r->turn, membrane_arm_of(p, r, i)));
}

static pli_dvec3 rigid_at(const membrane_placing *p, const rigid_motion *r, int32_t i)
{
    const pli_dvec3 arm = membrane_arm_of(p, r, i), inward = pli_dcross(r->turn, pli_dcross(r->turn, arm));
    return pli_dadd(r->linear, pli_dadd(pli_dcross(r->arc, arm), pli_dscale(inward, 0.5)));
}

// The rigid displacement with the same momenta as a field of displacements. Angular momentum is taken about x, since
// sum m x' v' = sum m x v' for x' = x + h v'.
static rigid_motion fit_rigid(const membrane_placing *p, pli_dvec3 (*field)(const membrane_placing *p, int32_t i))
{
    const pli_membrane *m = p->m;
    rigid_motion r = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double mass = 0.0, inertia[6] = {0.0};
    for (int32_t i = 0; i < m->count; i++)
        if (is_free(m, i)) {
            const double w = (double)m->predicted[i].w;
            r.centre = pli_dadd(r.centre, pli_dscale(pli_particle_widened(p->bases[i]), w));
            r.linear = pli_dadd(r.linear, pli_dscale(field(p, i), w)), mass += w;
        }
    if (!(mass > 0.0))
        return r;
    r.centre = pli_dscale(r.centre, 1.0 / mass), r.linear = pli_dscale(r.linear, 1.0 / mass);
    pli_dvec3 angular = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < m->count; i++)
        if (is_free(m, i)) {
            const pli_dvec3 arm = pli_dsub(pli_particle_widened(p->bases[i]), r.centre);
            const double w = (double)m->predicted[i].w;
            angular = pli_dadd(angular, pli_dscale(pli_dcross(arm, field(p, i)), w));
            pli_add_point_inertia(inertia, w, arm);
        }
    r.turn = pli_solve_symmetric(inertia, angular);
    r.arc = pli_solve_symmetric(inertia, pli_dsub(angular, pli_dscale(pli_dcross(r.turn, angular), 0.5)));
    return r;
}

static void membrane_move_by(const membrane_placing *p, int32_t i, pli_dvec3 d)
{
    move_particle(p, i, p->particles[i], (pli_particle){(float)d.x, (float)d.y, (float)d.z, 0.0f});
}

// The forces of a membrane give an unattached sheet no momenta, so the momenta of an approximate solution are removed.
static void take_momenta(const membrane_placing *p)
{
    const rigid_motion r = fit_rigid(p, inner_of);
    for (int32_t i = 0; i < p->m->count; i++)
        if (is_free(p->m, i))
            membrane_move_by(p, i, pli_dscale(straight_at(p, &r, i), -1.0));
}

// The term of the sum above, and the kinetic energy that is lost as motion relative to the rigid one is removed. The contribution of the
// membrane has no momenta, so it does no work along the tangents of a rigid motion.
static void membrane_add_work(const membrane_placing *p, int32_t i, double sums[2])
{
    const pli_membrane *m = p->m;
    const pli_particle x = p->particles[i], from = p->bases[i], to = m->predicted[i], v = m->starts[i];
    if (!is_free(m, i))
        return;
    const pli_vec3 all = {x.x - from.x, x.y - from.y, x.z - from.z};
    const pli_vec3 z = {all.x - p->step * v.x, all.y - p->step * v.y, all.z - p->step * v.z};
    const pli_dvec3 along = p->rigid ? straight_at(p, p->rigid, i) : (pli_dvec3){0.0, 0.0, 0.0};
    const pli_dvec3 around = p->rigid ? rigid_at(p, p->rigid, i) : along;
    const pli_vec3 moved = {all.x - (float)along.x, all.y - (float)along.y, all.z - (float)along.z};
    const pli_vec3 bent = {all.x - (float)around.x, all.y - (float)around.y, all.z - (float)around.z};
    const float done = (x.x - to.x) * moved.x + (x.y - to.y) * moved.y + (x.z - to.z) * moved.z;
    sums[0] += (double)(to.w * (done - 0.5f * (z.x * z.x + z.y * z.y + z.z * z.z)));
    sums[1] += (double)(to.w * (moved.x * bent.x + moved.y * bent.y + moved.z * bent.z));
}

// The strain energy gained in the substep. Each lane has its own sum, since additions to a single sum would have to wait for each other.
static double strain_gain(pli_world *world, const membrane_placing *p)
{
    pli_membrane *m = p->m;
    double sums[PLI_BATCH] = {0.0}, sum = 0.0;
    m->sheets.positions = p->particles, m->sheets.earlier = p->bases;
    pli_parallel(world, m->batch_count, MEMBRANE_BATCH_GRAIN, world->kernels->membrane->measure, &m->sheets);
    for (int32_t i = 0; i < m->batch_count; i++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane++)
            sums[lane] += (double)m->sheets.gains[i * PLI_BATCH + lane];
    for (int32_t lane = 0; lane < PLI_BATCH; lane++)
        sum += sums[lane];
    return sum;
}

// Whether only the forces of the sum do work on the membrane; `floats` is set if nothing is fixed.
static bool is_balanced(const pli_deformable_data *deformable, const pli_membrane *m, bool *floats)
{
    bool balanced = !deformable->history && !m->support.shapes_move;
    *floats = m->support.count == 0 && !m->contact.on_fixed;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        balanced = balanced && !pli_constraints_is_volume(set);
    for (int32_t i = 0; i < m->count; i++) {
        const pli_particle x = deformable->particles[i], before = deformable->previous[i];
        if (x.w > 0.0f)
            continue;
        *floats = false;
        balanced = balanced && x.x == before.x && x.y == before.y && x.z == before.z;
    }
    return balanced;
}

// Removes a fraction of the motion relative to the rigid one.
static void drag_particles(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    for (int32_t i = begin; i < end; i++)
        if (is_free(p->m, i)) {
            const pli_dvec3 along = p->rigid ? rigid_at(p, p->rigid, i) : (pli_dvec3){0.0, 0.0, 0.0};
            membrane_move_by(p, i, pli_dscale(pli_dsub(membrane_displacement_of(p, i), along), -(double)p->share));
        }
}

// The energy gained; `rate` is the kinetic energy that is removed per small fraction of the relative motion.
static double energy_gain(pli_world *world, membrane_placing *p, double *rate)
{
    double sums[2];
    sum_particles(world, p, membrane_add_work, sums);
    *rate = sums[1];
    return strain_gain(world, p) + sums[0];
}

static void take_share(pli_world *world, membrane_placing *p, double share)
{
    p->share = (float)share;
    pli_parallel(world, p->m->count, NODE_GRAIN, drag_particles, p);
}

// The first fraction assumes that only kinetic energy changes. This extends it to a fraction that removes all of the gain, as estimated
// from the remaining gain.
static void extend_share(pli_world *world, membrane_placing *p, double gain, double first)
{
    double rate;
    const double left = energy_gain(world, p, &rate);
    const double all = left < gain ? fmin(first * fmin(gain / (gain - left), MOST_EXTENDED), MOST_DRAG) : 0.0;
    take_share(world, p, 1.0 - (1.0 - all) / (1.0 - first));
}

// The energy of contacts is not measured: with contacts the remaining gain is unknown, and the first fraction is not extended.
static void keep_balance(pli_world *world, const pli_deformable_data *deformable, membrane_placing *p)
{
    rigid_motion whole;
    double rate;
    bool floats;
    const bool balanced = is_balanced(deformable, p->m, &floats);
    if (floats)
        take_momenta(p);
    if (!balanced)
        return;
    if (floats)
        whole = fit_rigid(p, membrane_displacement_of), p->rigid = &whole;
    const double gain = energy_gain(world, p, &rate);
    if (!(gain > 0.0) || !(rate > 0.0))
        return;
    const double first = fmin(gain / rate, FIRST_DRAG);
    take_share(world, p, first);
    if (p->m->support.count == 0 && !p->m->contact.has_any)
        extend_share(world, p, gain, first);
    if (floats)
        take_momenta(p);
}

// Cloth that is pulled back faster than the limit would arrive with the energy of its strain: it is slowed down accordingly.
static void brake(pli_world *world, membrane_placing *p)
{
    if (!(p->m->solution.trust < 1.0f))
        return;
    const rigid_motion whole = fit_rigid(p, membrane_displacement_of);
    p->rigid = &whole, p->share = BRAKE * (1.0f - p->m->solution.trust);
    pli_parallel(world, p->m->count, NODE_GRAIN, drag_particles, p);
}

/* ---- the size of displacements --------------------------------------------------------------------- */

static double square(pli_particle d) { return (double)(d.x * d.x + d.y * d.y + d.z * d.z); }

static void add_solution(const membrane_placing *p, int32_t i, double sums[2])
{
    sums[0] += square(p->m->hierarchy.levels[0].solution[i]);
}

// The displacement by weight, air and users.
static void add_given(const membrane_placing *p, int32_t i, double sums[2])
{
    if (is_free(p->m, i))
        sums[0] += square(pli_particle_add_scaled(p->m->predicted[i], p->particles[i], -1.0f));
}

// The root mean square of displacements [m].
static double mean_displacement(pli_world *world, membrane_placing *p, particle_term term)
{
    double sums[2];
    sum_particles(world, p, term, sums);
    return sqrt(sums[0] / p->m->count);
}

/* ---- a substep ------------------------------------------------------------------------------------- */

static void move_particles(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    for (int32_t i = begin; i < end; i++)
        if (is_free(p->m, i)) {
            const pli_particle d = p->m->hierarchy.levels[0].solution[i];
            move_particle(p, i, p->particles[i], (pli_particle){p->share * d.x, p->share * d.y, p->share * d.z, 0.0f});
        }
}

// Returns false if no particle moves.
static bool find_bounds(const pli_membrane *m, float step, double stiffest, compliance_bounds *b)
{
    double inertia = 0.0, area = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < m->count; i++)
        if (is_free(m, i))
            inertia += (double)m->predicted[i].w, count++;
    for (int32_t i = 0; i < m->triangle_count; i++)
        area += (double)m->triangles[i].area;
    if (count == 0 || !(area > 0.0))
        return false;
    const double density = inertia * (double)step * (double)step / area, limit = 1.0 / (RIGID * density);
    b->least = count / (stiffest * inertia);
    b->rigid = limit > b->least ? limit : b->least;
    return true;
}

// Builds the coarse levels for the middle of the step, with the supports of its start.
static void renew_ahead(pli_world *world, const membrane_placing *p)
{
    pli_membrane *m = p->m;
    membrane_placing ahead = *p;
    if (m->support.count > 0) {
        linearise(world, p);
        pli_membrane_decide_supports(m, p->particles, p->step);
    }
    ahead.step = 0.5f * p->step * (float)world->substep_count;
    pli_parallel(world, m->count, NODE_GRAIN, membrane_look_ahead, &ahead);
    ahead.particles = m->hierarchy.levels[0].left;
    linearise(world, &ahead);
    pli_membrane_hold_supports(m);
    renew_levels(world, &ahead);
}

static membrane_placing placing_of(const pli_deformable_data *deformable, pli_membrane *m, float step)
{
    return (membrane_placing){
        m,   deformable->particles, deformable->lost, pli_deformable_bases(deformable), step, m->solution.length, NULL,
        NULL};
}

void pli_membrane_open(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, float step, int32_t substep,
                       int32_t iteration)
{
    membrane_placing p = placing_of(deformable, m, step);
    const bool starts = substep == 0 && iteration == 0;
    if (iteration == 0) {
        pli_parallel(world, m->count, NODE_GRAIN, membrane_place_particles, &p);
        m->solution.displacement = mean_displacement(world, &p, add_given);
        pli_membrane_find_supports(world, deformable, m, step, starts);
    } else {
        add_positions(deformable, m, 1.0f);
    }
    if (starts || step != m->step) {
        compliance_bounds b;
        const double stiffest = pli_membrane_stiffest(pli_deformable_meets_moving(world, deformable));
        m->step = step;
        m->sheets.bases = find_bounds(m, step, stiffest, &b) && fill_stiffness(m, b, step) ? p.bases : NULL;
    }
    if (m->contact.has_any)
        memset(m->contact.diagonal, 0, 2 * (size_t)m->count * sizeof *m->contact.diagonal);
    m->contact.has_any = m->contact.on_fixed = false;
}

void pli_membrane_linearise(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, float step,
                            int32_t substep, int32_t iteration)
{
    const membrane_placing p = placing_of(deformable, m, step);
    const bool small = m->count < PLI_MEMBRANE_SMALL;
    if (substep == 0 && iteration == 0 && !small)
        renew_ahead(world, &p);
    linearise(world, &p);
    m->volume.is_corrected = false;
    pli_membrane_add_pressures(m, p.particles, p.bases, step);
    pli_membrane_decide_supports(m, p.particles, step);
    pli_membrane_hold_supports(m);
    if (small || join_levels(m) || m->hierarchy.outdated)
        renew_levels(world, &p);
    pli_sheet_nodes nodes = nodes_of(m);
    pli_parallel(world, nodes.batches, MEMBRANE_BATCH_GRAIN, world->kernels->membrane->begin, &nodes);
}

// Zeroes a vector at particles that coarse levels do not move.
static void leave_out(const pli_membrane *m, pli_particle *vector)
{
    for (int32_t i = 0; i < m->count; i++)
        if (!(m->hierarchy.joins[i] > 0.0f))
            vector[i] = (pli_particle){0.0f, 0.0f, 0.0f, 0.0f};
}

static void correct(pli_world *world, pli_membrane *m)
{
    pli_membrane_filter_supports(m, m->hierarchy.levels[0].left);
    leave_out(m, m->hierarchy.levels[0].left);
    pli_membrane_cycle(world, m);
    pli_membrane_filter_supports(m, m->hierarchy.levels[0].solution);
}

// Solves for the gradients of all volumes, starting from 0.
static void find_follow(pli_world *world, pli_membrane *m)
{
    pli_membrane_level *finest = &m->hierarchy.levels[0];
    const size_t size = (size_t)m->count * sizeof *m->volume.saved;
    pli_particle *const right = m->volume.saved, *const solution = m->volume.saved + m->count;
    memcpy(right, finest->right, size), memcpy(solution, finest->solution, size);
    pli_membrane_write_gradients(m, finest->right);
    pli_membrane_filter_supports(m, finest->right);
    memset(finest->solution, 0, size);
    pli_membrane_multiply(world, m);
    find_products(world, m);
    pli_membrane_multiply(world, m);
    correct(world, m);
    pli_membrane_multiply(world, m);
    pli_membrane_filter_supports(m, finest->left);
    find_products(world, m);
    memcpy(m->volume.response, finest->solution, size);
    memcpy(finest->right, right, size), memcpy(finest->solution, solution, size);
    m->volume.has_response = true;
}

static bool has_stiff_volumes(const pli_membrane *m)
{
    for (int32_t k = 0; k < m->volume.count; k++)
        if (m->volume.items[k].stiffness > 0.0)
            return true;
    return false;
}

void pli_membrane_correct(pli_world *world, pli_membrane *m)
{
    correct(world, m);
    if (!has_stiff_volumes(m))
        return;
    if (!m->volume.has_response)
        find_follow(world, m);
    memcpy(m->volume.saved, m->volume.response, (size_t)m->count * sizeof *m->volume.saved);
    leave_out(m, m->volume.saved);
    pli_membrane_filter_supports(m, m->volume.saved);
    pli_membrane_correct_volumes(m, m->volume.saved);
    m->volume.is_corrected = true;
}

void pli_membrane_measure(pli_world *world, const pli_deformable_data *deformable, pli_membrane *m, float step)
{
    membrane_placing p = placing_of(deformable, m, step);
    pli_membrane_filter_supports(m, m->hierarchy.levels[0].left);
    pli_membrane_learn_supports(m, step);
    find_products(world, m);
    m->solution.curve[2] = mean_displacement(world, &p, add_solution) /
                           (TRUSTED * (double)deformable->rest.mean_edge + m->solution.displacement);
    pli_membrane_shorten(m, m->solution.curve);
}

void pli_membrane_shorten(pli_membrane *m, const double curve[3])
{
    double length = 0.0, trust = 1.0;
    if (isfinite(curve[0]) && isfinite(curve[1]) && curve[0] > 0.0)
        length = curve[1] > curve[0] ? curve[0] / curve[1] : 1.0;
    if (length * curve[2] > 1.0)
        trust = 1.0 / (length * curve[2]);
    m->solution.length = (float)(length * trust), m->solution.trust = (float)trust;
    m->hierarchy.outdated = length < MEMBRANE_LEAST_LENGTH;
}

// Writes the multipliers of edges, -h^2 times their forces, which tearing reads.
static void write_multipliers(void *data, int32_t begin, int32_t end)
{
    const membrane_placing *p = data;
    const pli_membrane *m = p->m;
    for (int32_t i = begin; i < end; i++) {
        const pli_membrane_triangle *t = &m->triangles[i];
        float *const lambda = t->is_edge ? m->sets[t->set]->lambda[0] : NULL;
        if (!lambda)
            continue;
        const int32_t *corners = m->sheets.corners + 3 * (i / PLI_BATCH) * PLI_BATCH + i % PLI_BATCH;
        const float *rows = m->sheets.sheets + PLI_SHEET_ROWS * (i / PLI_BATCH) * PLI_BATCH + i % PLI_BATCH;
        const pli_particle x = p->particles[corners[0]], y = p->particles[corners[PLI_BATCH]];
        const pli_vec3 d = {y.x - x.x, y.y - x.y, y.z - x.z};
        float stretch = rows[PLI_SHEET_P1 * PLI_BATCH] * pli_length(d) - 1.0f;
        stretch = rows[PLI_SHEET_TETHER * PLI_BATCH] > 0.0f && stretch < 0.0f ? 0.0f : stretch;
        lambda[t->slot] = -p->step * p->step * rows[PLI_SHEET_K11 * PLI_BATCH] * rows[PLI_SHEET_P1 * PLI_BATCH] *
                          stretch / (1.0f + rows[PLI_SHEET_DAMPING * PLI_BATCH]);
    }
}

void pli_membrane_close(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, float step,
                        int32_t iteration)
{
    membrane_placing p = placing_of(deformable, m, step);
    pli_parallel(world, m->count, NODE_GRAIN, move_particles, &p);
    if (iteration == 0)
        keep_balance(world, deformable, &p);
    brake(world, &p);
    if (m->sheets.edges)
        pli_parallel(world, m->triangle_count, NODE_GRAIN, write_multipliers, &p);
}

void pli_membrane_solve(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, float step, int32_t substep,
                        int32_t iteration)
{
    pli_membrane_open(world, deformable, m, step, substep, iteration);
    pli_membrane_linearise(world, deformable, m, step, substep, iteration);
    pli_membrane_multiply(world, m);
    pli_membrane_correct(world, m);
    pli_membrane_multiply(world, m);
    pli_membrane_measure(world, deformable, m, step);
    pli_membrane_close(world, deformable, m, step, iteration);
}
