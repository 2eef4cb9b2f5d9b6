// Kernels of a solved membrane: stretch/membrane_kernels.h.
#include "stretch/membrane_kernels.h"

#include "stretch/coarsen.h"

// The inertia of parents on a line is singular. This fraction of their second moment, half the trace, is added to its diagonal.
#define LEAST_INERTIA 0.02f

#define SHEET(k) wide_load(sheets + (k)*PLI_BATCH)
#define SHAPE(k) wide_load(shapes + (k)*PLI_BATCH)

WIDE_INLINE wide3 membrane_load(const pli_particle *from, const int32_t *places)
{
    wide_particle p;
    wide_load_particles(from, places, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

// Differences of corners 1 and 2 to corner 0.
static inline void load_sides(const pli_particle *from, const int32_t *corners, wide3 *d1, wide3 *d2)
{
    const wide3 first = membrane_load(from, corners);
    *d1 = wide3_sub(membrane_load(from, corners + PLI_BATCH), first);
    *d2 = wide3_sub(membrane_load(from, corners + 2 * PLI_BATCH), first);
}

static inline wide3 membrane_weighted(wide3 d1, wide w1, wide3 d2, wide w2)
{
    return wide3_add_scaled(wide3_scale(d1, w1), d2, w2);
}

// The columns a and b of the deformation gradient, or of the gradient of a displacement.
static inline void load_columns(const pli_particle *from, const int32_t *corners, const float *sheets, wide3 *a,
                                wide3 *b)
{
    wide3 d1, d2;
    load_sides(from, corners, &d1, &d2);
    *a = membrane_weighted(d1, SHEET(PLI_SHEET_P1), d2, SHEET(PLI_SHEET_P2));
    *b = membrane_weighted(d1, SHEET(PLI_SHEET_Q1), d2, SHEET(PLI_SHEET_Q2));
}

// Computes U and 1 / tr U from a, b and j = |a x b|.
typedef struct principal_stretch {
    wide u11, u22, u12, inverse;
} principal_stretch;

static inline principal_stretch membrane_stretch(wide3 a, wide3 b, wide j)
{
    const wide aa = wide3_dot(a, a), bb = wide3_dot(b, b);
    const wide inverse = wide_inverse_above(wide_sqrt(aa + bb + (j + j)), 0.0f);
    return (principal_stretch){(aa + j) * inverse, (bb + j) * inverse, wide3_dot(a, b) * inverse, inverse};
}

// Biot's strain as a vector: its two stretches and twice its shear.
static inline wide3 biot_of(const principal_stretch *u)
{
    const wide one = wide_set(1.0f);
    return (wide3){u->u11 - one, u->u22 - one, u->u12 + u->u12};
}

// A triangle in the axes of its polar decomposition, with the rows that membrane_kernels.h defines.
typedef struct axes {
    wide3 r1, r2, n;
    wide t, c1, c2;
} axes;

// The components of a and b along the axes.
typedef struct gradient {
    wide a1, a2, b1, b2, an, bn;
} gradient;

// The entries of J.
static inline wide3 membrane_strain(const axes *x, const gradient *g)
{
    const wide turned = x->t * (g->a2 - g->b1);
    return (wide3){g->a1 + turned, g->b2 - turned, x->c2 * g->a2 + x->c1 * g->b1};
}

static inline wide3 stress_of(wide3 strain, const float *sheets)
{
    return (wide3){SHEET(PLI_SHEET_K11) * strain.x + SHEET(PLI_SHEET_K12) * strain.y,
                   SHEET(PLI_SHEET_K12) * strain.x + SHEET(PLI_SHEET_K22) * strain.y, SHEET(PLI_SHEET_K33) * strain.z};
}

// The product of J^T and a stress.
static inline gradient back_of(const axes *x, wide3 stress)
{
    const wide turned = x->t * (stress.x - stress.y);
    return (gradient){stress.x,      turned + x->c2 * stress.z, x->c1 * stress.z - turned, stress.y, wide_set(0.0f),
                      wide_set(0.0f)};
}

static inline wide3 along_axes(const axes *x, wide first, wide second, wide normal)
{
    return wide3_add_scaled(membrane_weighted(x->r1, first, x->r2, second), x->n, normal);
}

// Stores the negative of the forces at a and b, by corner.
static inline void store_pulls(const pli_sheets *s, int32_t batch, int32_t lane, const float *sheets, wide3 a, wide3 b)
{
    const int32_t *places = s->places + 3 * batch * PLI_BATCH + lane;
    const wide3 one = wide3_negate(membrane_weighted(a, SHEET(PLI_SHEET_P1), b, SHEET(PLI_SHEET_Q1)));
    const wide3 two = wide3_negate(membrane_weighted(a, SHEET(PLI_SHEET_P2), b, SHEET(PLI_SHEET_Q2)));
    const wide3 zeroth = wide3_negate(wide3_add(one, two));
    const wide none = wide_set(0.0f);
    wide_store_particles(s->pulls, places, zeroth.x, zeroth.y, zeroth.z, none);
    wide_store_particles(s->pulls, places + PLI_BATCH, one.x, one.y, one.z, none);
    wide_store_particles(s->pulls, places + 2 * PLI_BATCH, two.x, two.y, two.z, none);
}

// The block of the corners whose weights are p, q and pp, qq along the axes: entries 11, 12, 21, 22 and the entry along the normal.
typedef struct coupling {
    wide k11, k12, k21, k22, normal;
} coupling;

static inline coupling couple_corners(const axes *x, const float *sheets, const float *shapes, wide p, wide q, wide pp,
                                      wide qq)
{
    const wide zero = wide_set(0.0f), turn = SHAPE(PLI_SHAPE_TURN);
    const gradient along1 = {p, zero, q, zero, zero, zero}, along2 = {zero, p, zero, q, zero, zero};
    const gradient other1 = {pp, zero, qq, zero, zero, zero}, other2 = {zero, pp, zero, qq, zero, zero};
    const wide3 j1 = membrane_strain(x, &along1), j2 = membrane_strain(x, &along2);
    const wide3 s1 = stress_of(membrane_strain(x, &other1), sheets),
                s2 = stress_of(membrane_strain(x, &other2), sheets);
    return (coupling){wide3_dot(j1, s1) + turn * (q * qq), wide3_dot(j1, s2) - turn * (q * pp),
                      wide3_dot(j2, s1) - turn * (p * qq), wide3_dot(j2, s2) + turn * (p * pp),
                      SHAPE(PLI_SHAPE_ACROSS) * (p * pp) + SHAPE(PLI_SHAPE_ACROSS + 1) * (p * qq + q * pp) +
                          SHAPE(PLI_SHAPE_ACROSS + 2) * (q * qq)};
}

// The block in world axes, whose columns are k1 x r1 + k2 x r2 + normal x n.
static inline void spread_coupling(const axes *x, const coupling *k, wide3 columns[3])
{
    const wide3 one = membrane_weighted(x->r1, k->k11, x->r2, k->k21),
                two = membrane_weighted(x->r1, k->k12, x->r2, k->k22);
    const wide3 up = wide3_scale(x->n, k->normal);
    columns[0] = wide3_add_scaled(membrane_weighted(one, x->r1.x, two, x->r2.x), up, x->n.x);
    columns[1] = wide3_add_scaled(membrane_weighted(one, x->r1.y, two, x->r2.y), up, x->n.y);
    columns[2] = wide3_add_scaled(membrane_weighted(one, x->r1.z, two, x->r2.z), up, x->n.z);
}

static inline void weights_of(const float *sheets, wide p[3], wide q[3])
{
    p[1] = SHEET(PLI_SHEET_P1), p[2] = SHEET(PLI_SHEET_P2), p[0] = -(p[1] + p[2]);
    q[1] = SHEET(PLI_SHEET_Q1), q[2] = SHEET(PLI_SHEET_Q2), q[0] = -(q[1] + q[2]);
}

static inline axes load_axes(const float *shapes)
{
    axes x = {.r1 = {SHAPE(PLI_SHAPE_R1), SHAPE(PLI_SHAPE_R1 + 1), SHAPE(PLI_SHAPE_R1 + 2)},
              .r2 = {SHAPE(PLI_SHAPE_R2), SHAPE(PLI_SHAPE_R2 + 1), SHAPE(PLI_SHAPE_R2 + 2)},
              .t = SHAPE(PLI_SHAPE_T),
              .c1 = SHAPE(PLI_SHAPE_C1),
              .c2 = SHAPE(PLI_SHAPE_C2)};
    x.n = wide3_cross(x.r1, x.r2);
    return x;
}

/* ---- strain --------------------------------------------------------------------------------------- */

// The tensile part of the stress, as the rows of PLI_SHAPE_ACROSS.
static inline void store_across(float *shapes, wide3 stress)
{
    const wide half = wide_set(0.5f), zero = wide_set(0.0f);
    const wide mean = half * (stress.x + stress.y), apart = half * (stress.x - stress.y);
    const wide radius = wide_sqrt(apart * apart + stress.z * stress.z), high = mean + radius, low = mean - radius;
    const wide_mask mixed = wide_less(low, zero);
    const wide scale = wide_select(mixed, wide_max(high, zero) * half * wide_inverse_above(radius, 0.0f),
                                   wide_set(1.0f));
    const wide less = wide_select(mixed, low, zero);
    wide_store(shapes + PLI_SHAPE_ACROSS * PLI_BATCH, scale * (stress.x - less));
    wide_store(shapes + (PLI_SHAPE_ACROSS + 1) * PLI_BATCH, scale * stress.z);
    wide_store(shapes + (PLI_SHAPE_ACROSS + 2) * PLI_BATCH, scale * (stress.y - less));
}

static inline void store_axes(float *shapes, const axes *x)
{
    const wide values[] = {x->r1.x, x->r1.y, x->r1.z, x->r2.x, x->r2.y, x->r2.z, x->t, x->c1, x->c2};
    for (int k = 0; k < 9; k++)
        wide_store(shapes + k * PLI_BATCH, values[k]);
}

static inline void store_diagonal(const pli_sheets *s, int32_t batch, int32_t lane, const axes *x, const float *sheets,
                                  const float *shapes)
{
    wide p[3], q[3];
    weights_of(sheets, p, q);
    for (int k = 0; k < 3; k++) {
        wide3 columns[3];
        const uint32_t *places = (const uint32_t *)s->places + (3 * batch + k) * PLI_BATCH + lane;
        const coupling c = couple_corners(x, sheets, shapes, p[k], q[k], p[k], q[k]);
        spread_coupling(x, &c, columns);
        wide_store_scaled(&s->diagonal->x, places, 8, columns[0].x, columns[1].y, columns[2].z, columns[1].x);
        wide_store_scaled(&s->diagonal[1].x, places, 8, columns[2].x, columns[2].y, wide_set(0.0f), wide_set(0.0f));
    }
}

static inline gradient gradient_along(const axes *x, wide3 a, wide3 b)
{
    return (gradient){wide3_dot(a, x->r1), wide3_dot(a, x->r2), wide3_dot(b, x->r1),
                      wide3_dot(b, x->r2), wide3_dot(a, x->n),  wide3_dot(b, x->n)};
}

// Whether a tether is slack, from the strain along it.
static inline wide_mask is_slack(const float *sheets, wide strain)
{
    return wide_less(wide_min(strain, wide_set(0.0f)) * SHEET(PLI_SHEET_TETHER), wide_set(0.0f));
}

// Gives edges, whose b is 0, two directions perpendicular to r1, and gives slack tethers none.
static inline void turn_edges(axes *x, wide3 b, wide_mask slack)
{
    const wide zero = wide_set(0.0f);
    const wide3 none = {zero, zero, zero};
    const wide_mask is_triangle = wide_less(zero, wide3_dot(b, b));
    const wide_mask steep = wide_less(x->r1.x * x->r1.x, wide_set(0.5f));
    wide3 across = wide3_select(steep, (wide3){zero, x->r1.z, zero - x->r1.y}, (wide3){zero - x->r1.z, zero, x->r1.x});
    across = wide3_scale(across, wide_inverse_above(wide3_length(across), 0.0f));
    x->r1 = wide3_select(slack, none, x->r1);
    x->r2 = wide3_select(slack, none, wide3_select(is_triangle, x->r2, across));
    x->n = wide3_select(is_triangle, x->n, wide3_cross(x->r1, across));
}

static void strain(void *data, int32_t begin, int32_t end)
{
    const pli_sheets s = *(const pli_sheets *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const int32_t *corners = s.corners + 3 * batch * PLI_BATCH + lane;
            const float *sheets = s.sheets + PLI_SHEET_ROWS * batch * PLI_BATCH + lane;
            float *shapes = s.shapes + PLI_SHAPE_ROWS * batch * PLI_BATCH + lane;
            wide3 a, b;
            load_columns(s.positions, corners, sheets, &a, &b);
            wide3 n = wide3_cross(a, b);
            const wide j = wide3_length(n), one = wide_set(1.0f);
            n = wide3_scale(n, wide_inverse_above(j, 0.0f));
            const principal_stretch u = membrane_stretch(a, b, j);
            axes x = {.r1 = wide3_scale(wide3_add(a, wide3_cross(b, n)), u.inverse),
                      .r2 = wide3_scale(wide3_add(b, wide3_cross(n, a)), u.inverse),
                      .n = n,
                      .t = u.u12 * u.inverse,
                      .c1 = (u.u11 + u.u11) * u.inverse,
                      .c2 = (u.u22 + u.u22) * u.inverse};
            wide3 strained = biot_of(&u);
            if (s.edges)
                turn_edges(&x, b, is_slack(sheets, strained.x));
            if (s.bases) {
                wide3 d1, d2, e1, e2;
                load_sides(s.positions, corners, &d1, &d2);
                load_sides(s.bases, corners, &e1, &e2);
                e1 = wide3_sub(d1, e1), e2 = wide3_sub(d2, e2);
                const gradient g = gradient_along(&x,
                                                  membrane_weighted(e1, SHEET(PLI_SHEET_P1), e2, SHEET(PLI_SHEET_P2)),
                                                  membrane_weighted(e1, SHEET(PLI_SHEET_Q1), e2, SHEET(PLI_SHEET_Q2)));
                const wide damping = SHEET(PLI_SHEET_DAMPING);
                // K includes the factor 1 + damping, which the elastic part does not have.
                strained = wide3_scale(wide3_add_scaled(strained, membrane_strain(&x, &g), damping),
                                       one / (one + damping));
            }
            const wide3 stress = stress_of(strained, sheets);
            const wide pull = stress.x * u.u11 + stress.y * u.u22 + (stress.z + stress.z) * u.u12;
            store_axes(shapes, &x);
            wide_store(shapes + PLI_SHAPE_TURN * PLI_BATCH, wide_max(pull, wide_set(0.0f)) * (u.inverse * u.inverse));
            store_across(shapes, stress);
            const gradient g = back_of(&x, stress);
            store_pulls(&s, batch, lane, sheets, membrane_weighted(x.r1, g.a1, x.r2, g.a2),
                        membrane_weighted(x.r1, g.b1, x.r2, g.b2));
            store_diagonal(&s, batch, lane, &x, sheets, shapes);
        }
}

// Twice the energy, with the stiffness of damping.
static inline wide membrane_energy(const pli_particle *positions, const int32_t *corners, const float *sheets,
                                   bool edges)
{
    wide3 a, b;
    load_columns(positions, corners, sheets, &a, &b);
    const principal_stretch u = membrane_stretch(a, b, wide3_length(wide3_cross(a, b)));
    wide3 strained = biot_of(&u);
    if (edges)
        strained.x = wide_select(is_slack(sheets, strained.x), wide_set(0.0f), strained.x);
    return wide3_dot(stress_of(strained, sheets), strained);
}

static void membrane_measure(void *data, int32_t begin, int32_t end)
{
    const pli_sheets s = *(const pli_sheets *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const int32_t *corners = s.corners + 3 * batch * PLI_BATCH + lane;
            const float *sheets = s.sheets + PLI_SHEET_ROWS * batch * PLI_BATCH + lane;
            const wide gain = membrane_energy(s.positions, corners, sheets, s.edges) -
                              membrane_energy(s.earlier, corners, sheets, s.edges);
            const wide share = wide_set(0.5f) / (wide_set(1.0f) + SHEET(PLI_SHEET_DAMPING));
            wide_store(s.gains + batch * PLI_BATCH + lane, gain * share);
        }
}

/* ---- products ------------------------------------------------------------------------------------- */

static void membrane_multiply(void *data, int32_t begin, int32_t end)
{
    const pli_sheets s = *(const pli_sheets *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const float *sheets = s.sheets + PLI_SHEET_ROWS * batch * PLI_BATCH + lane;
            const float *shapes = s.shapes + PLI_SHAPE_ROWS * batch * PLI_BATCH + lane;
            const axes x = load_axes(shapes);
            wide3 a, b;
            load_columns(s.moves, s.corners + 3 * batch * PLI_BATCH + lane, sheets, &a, &b);
            const gradient g = gradient_along(&x, a, b);
            const gradient back = back_of(&x, stress_of(membrane_strain(&x, &g), sheets));
            const wide turn = SHAPE(PLI_SHAPE_TURN) * (g.a2 - g.b1);
            const wide an = SHAPE(PLI_SHAPE_ACROSS) * g.an + SHAPE(PLI_SHAPE_ACROSS + 1) * g.bn;
            const wide bn = SHAPE(PLI_SHAPE_ACROSS + 1) * g.an + SHAPE(PLI_SHAPE_ACROSS + 2) * g.bn;
            store_pulls(&s, batch, lane, sheets, along_axes(&x, back.a1, back.a2 + turn, an),
                        along_axes(&x, back.b1 - turn, back.b2, bn));
        }
}

static void couple(void *data, int32_t begin, int32_t end)
{
    static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
    const pli_sheets s = *(const pli_sheets *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const float *sheets = s.sheets + PLI_SHEET_ROWS * batch * PLI_BATCH + lane;
            const float *shapes = s.shapes + PLI_SHAPE_ROWS * batch * PLI_BATCH + lane;
            const axes x = load_axes(shapes);
            wide p[3], q[3];
            weights_of(sheets, p, q);
            for (int pair = 0; pair < 3; pair++) {
                wide3 columns[3];
                const int i = first[pair], k = second[pair];
                const coupling c = couple_corners(&x, sheets, shapes, p[i], q[i], p[k], q[k]);
                spread_coupling(&x, &c, columns);
                for (int column = 0; column < 3; column++)
                    wide_store_row(s.aside + (9 * batch + 3 * pair + column) * PLI_BATCH + lane, columns[column],
                                   wide_set(0.0f));
            }
        }
}

/* ---- particles ------------------------------------------------------------------------------------ */

static const int32_t every_second[16] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};

static void begin_nodes(void *data, int32_t begin, int32_t end)
{
    const pli_sheet_nodes s = *(const pli_sheet_nodes *)data;
    const wide relaxation = wide_set(s.relaxation);
    for (int32_t i = begin * PLI_BATCH; i < end * PLI_BATCH; i += WIDE) {
        pli_particle *blocks = s.blocks + 2 * i;
        wide xx, yy, zz, xy, xz, yz, unused, more;
        wide_load_particles(blocks, every_second, &xx, &yy, &zz, &xy);
        wide_load_particles(blocks + 1, every_second, &xz, &yz, &unused, &more);
        const wide3 first = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
        const wide inverse = wide_inverse_above(xx * first.x + xy * first.y + xz * first.z, 0.0f);
        const wide ixx = first.x * inverse, ixy = first.y * inverse, ixz = first.z * inverse;
        const wide iyy = (xx * zz - xz * xz) * inverse, iyz = (xy * xz - xx * yz) * inverse;
        const wide izz = (xx * yy - xy * xy) * inverse;
        wide_store_particles(blocks, every_second, ixx, iyy, izz, ixy);
        wide_store_particles(blocks + 1, every_second, ixz, iyz, wide_set(0.0f), wide_set(0.0f));
        const wide3 b = wide_load_row(s.right + i).x;
        const wide3 z = {ixx * b.x + ixy * b.y + ixz * b.z, ixy * b.x + iyy * b.y + iyz * b.z,
                         ixz * b.x + iyz * b.y + izz * b.z};
        wide_store_row(s.solution + i, wide3_scale(z, relaxation), wide_set(0.0f));
    }
}

static void relax(void *data, int32_t begin, int32_t end)
{
    const pli_sheet_nodes n = *(const pli_sheet_nodes *)data;
    const wide relaxation = wide_set(n.relaxation);
    for (int32_t piece = begin; piece < end; piece++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            wide sums[3] = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
            for (int32_t batch = piece * n.piece; batch < (piece + 1) * n.piece && batch < n.batches; batch++) {
                const int32_t i = batch * PLI_BATCH + lane;
                const wide3 right = wide_load_row(n.right + i).x, r = wide_load_row(n.left + i).x;
                wide xx, yy, zz, xy, xz, yz, unused, more;
                wide_load_particles(n.blocks + 2 * i, every_second, &xx, &yy, &zz, &xy);
                wide_load_particles(n.blocks + 2 * i + 1, every_second, &xz, &yz, &unused, &more);
                const wide3 s = wide3_scale((wide3){xx * r.x + xy * r.y + xz * r.z, xy * r.x + yy * r.y + yz * r.z,
                                                    xz * r.x + yz * r.y + zz * r.z},
                                            relaxation);
                const wide3 d = wide3_add(wide_load_row(n.solution + i).x, s);
                wide_store_row(n.solution + i, d, wide_set(0.0f));
                sums[0] += wide3_dot(right, d);
                sums[1] += wide3_dot(wide3_sub(right, r), wide3_add(d, s));
                sums[2] += wide3_dot(r, s);
            }
            for (int32_t k = 0; k < 3; k++)
                wide_store(n.products + (3 * piece + k) * PLI_BATCH + lane, sums[k]);
        }
}

/* ---- rows of blocks ------------------------------------------------------------------------------- */

static void pack(void *data, int32_t begin, int32_t end)
{
    const pli_block_rows r = *(const pli_block_rows *)data;
    for (int32_t slot = r.spans[begin]; slot < r.spans[end]; slot++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE)
            for (int32_t c = 0; c < 3; c++) {
                float *to = r.values + (9 * slot + 3 * c) * PLI_BATCH + lane;
                wide x, y, z, none;
                wide_load_scaled(r.from->at + 4 * c, (const uint32_t *)r.sources + slot * PLI_BATCH + lane, 12, &x, &y,
                                 &z, &none);
                wide_store(to, x);
                wide_store(to + PLI_BATCH, y);
                wide_store(to + 2 * PLI_BATCH, z);
            }
}

// The rows of the inverse of the inertia of places, or 0 where all places coincide.
static inline void invert_inertia(const wide3 *places, int32_t count, wide3 rows[3])
{
    const wide least = wide_set(LEAST_INERTIA);
    wide xx = wide_set(0.0f), yy = xx, zz = xx, xy = xx, xz = xx, yz = xx;
    for (int32_t k = 0; k < count; k++) {
        const wide3 p = places[k];
        xx += p.x * p.x, yy += p.y * p.y, zz += p.z * p.z, xy -= p.x * p.y, xz -= p.x * p.z, yz -= p.y * p.z;
    }
    const wide s = wide_inverse_above(xx + yy + zz, 0.0f);
    const wide a = (yy + zz) * s + least, b = (xx + zz) * s + least, c = (xx + yy) * s + least;
    xy *= s, xz *= s, yz *= s;
    const wide3 first = {b * c - yz * yz, xz * yz - xy * c, xy * yz - b * xz};
    const wide inverse = s / (a * first.x + xy * first.y + xz * first.z), mixed = xy * xz - a * yz;
    rows[0] = wide3_scale(first, inverse);
    rows[1] = wide3_scale((wide3){first.y, a * c - xz * xz, mixed}, inverse);
    rows[2] = wide3_scale((wide3){first.z, mixed, a * b - xy * xy}, inverse);
}

// The displacement of a node is sum w u + (I^-1 sum p x u) x offset, for parents with the weights w at the places p about their mean. A row
// of a block is w e + row x p, with the rows of -[offset] I^-1.
static void membrane_follow(void *data, int32_t begin, int32_t end)
{
    const pli_follow f = *(const pli_follow *)data;
    const wide zero = wide_set(0.0f), one = wide_set(1.0f);
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const int32_t first = f.rows->spans[batch], slots = f.rows->spans[batch + 1] - first;
            const wide3 node = wide_load_row(f.points + batch * PLI_BATCH + lane).x;
            wide3 places[PLI_PARENTS], mean = {zero, zero, zero}, offset = mean, r[3];
            wide weights[PLI_PARENTS], present[PLI_PARENTS], count = zero;
            for (int32_t k = 0; k < slots; k++) {
                const int32_t at = (first + k) * PLI_BATCH + lane;
                const wide weight = wide_load(f.weights + at);
                present[k] = wide_select(wide_less(weight, zero), zero, one);
                weights[k] = wide_max(weight, zero), count += present[k];
                places[k] = wide3_scale(wide3_sub(membrane_load(f.coarse, f.rows->columns + at), node), present[k]);
                mean = wide3_add(mean, places[k]), offset = wide3_add_scaled(offset, places[k], -weights[k]);
            }
            mean = wide3_scale(mean, wide_inverse_above(count, 0.0f));
            for (int32_t k = 0; k < slots; k++)
                places[k] = wide3_scale(wide3_sub(places[k], mean), present[k]);
            invert_inertia(places, slots, r);
            const wide3 rows[3] = {wide3_sub(wide3_scale(r[1], offset.z), wide3_scale(r[2], offset.y)),
                                   wide3_sub(wide3_scale(r[2], offset.x), wide3_scale(r[0], offset.z)),
                                   wide3_sub(wide3_scale(r[0], offset.y), wide3_scale(r[1], offset.x))};
            for (int32_t k = 0; k < slots; k++) {
                const uint32_t *sources = (const uint32_t *)f.rows->sources + (first + k) * PLI_BATCH + lane;
                float *values = f.rows->values + 9 * (first + k) * PLI_BATCH + lane;
                for (int32_t c = 0; c < 3; c++) {
                    wide3 row = wide3_cross(rows[c], places[k]);
                    wide *own = c == 0 ? &row.x : c == 1 ? &row.y : &row.z;
                    *own += weights[k];
                    wide_store_scaled(f.to->at + 4 * c, sources, 12, row.x, row.y, row.z, zero);
                    wide_store(values + c * PLI_BATCH, row.x);
                    wide_store(values + (3 + c) * PLI_BATCH, row.y);
                    wide_store(values + (6 + c) * PLI_BATCH, row.z);
                }
            }
        }
}

static void add_products(void *data, int32_t begin, int32_t end)
{
    const pli_block_rows r = *(const pli_block_rows *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const int32_t i = batch * PLI_BATCH + lane;
            const wide3 before = wide_load_row(r.y + i).x;
            wide3 sum = before;
            for (int32_t slot = r.spans[batch]; slot < r.spans[batch + 1]; slot++) {
                const float *v = r.values + 9 * slot * PLI_BATCH + lane;
                const wide3 x = membrane_load(r.x, r.columns + slot * PLI_BATCH + lane);
                wide3 column[3];
                for (int32_t c = 0; c < 3; c++, v += 3 * PLI_BATCH)
                    column[c] = (wide3){wide_load(v), wide_load(v + PLI_BATCH), wide_load(v + 2 * PLI_BATCH)};
                sum = wide3_add_scaled(wide3_add_scaled(wide3_add_scaled(sum, column[0], x.x), column[1], x.y),
                                       column[2], x.z);
            }
            if (r.joins)
                sum = wide3_select(wide_less(wide_set(0.0f), wide_load(r.joins + i)), sum, before);
            wide_store_row(r.y + i, sum, wide_set(0.0f));
        }
}

const pli_membrane_kernels PLI_NAMED(pli_membrane) = {
    strain, membrane_measure, membrane_multiply, couple, begin_nodes, relax, pack, add_products, membrane_follow};
