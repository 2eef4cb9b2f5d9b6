// Residual of a plate: bending/plate_kernels.h.
#include "bending/plate_kernels.h"

WIDE_INLINE wide3 plate_load(const pli_particle *from, const int32_t *places)
{
    wide_particle p;
    wide_load_particles(from, places, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

static inline wide3 jump_of(const wide3 corners[4], const float *weights)
{
    wide3 jump = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
    for (int k = 1; k < 4; k++)
        jump = wide3_add_scaled(jump, wide3_sub(corners[k], corners[0]), wide_load(weights + (k - 1) * PLI_BATCH));
    return jump;
}

static inline wide3 plate_direction(wide3 a) { return wide3_scale(a, wide_inverse_above(wide3_length(a), 0.0f)); }

// Along the edge, its normal, and across it; the last two are 0 where its triangles are folded onto each other.
static inline void plate_frame(const wide3 corners[4], wide3 axes[3])
{
    const wide3 side = wide3_sub(corners[1], corners[0]);
    axes[0] = plate_direction(side);
    axes[1] = plate_direction(wide3_add(plate_direction(wide3_cross(side, wide3_sub(corners[2], corners[0]))),
                                        plate_direction(wide3_cross(wide3_sub(corners[3], corners[0]), side))));
    axes[2] = wide3_cross(axes[1], axes[0]);
}

// The jump at y, and its change since x in the frame of the edge.
static inline wide3 damped_jump(const pli_plate_lists *lists, const int32_t *particles, const float *weights,
                                wide3 jump)
{
    wide3 now[4], turned[4], from[3], to[3], change = jump;
    for (int k = 0; k < 4; k++) {
        now[k] = plate_load(lists->positions, particles + k * PLI_BATCH);
        turned[k] = plate_load(lists->turned, particles + k * PLI_BATCH);
    }
    const wide3 before = jump_of(now, weights);
    plate_frame(now, from), plate_frame(turned, to);
    for (int axis = 0; axis < 3; axis++)
        change = wide3_add_scaled(change, to[axis], -wide3_dot(from[axis], before));
    const wide_mask folded = wide_less(wide_min(wide3_dot(from[1], from[1]), wide3_dot(to[1], to[1])), wide_set(0.5f));
    return wide3_add_scaled(jump, change, wide_select(folded, wide_set(0.0f), wide_set(lists->damping)));
}

static void bend_edges(void *data, int32_t begin, int32_t end)
{
    const pli_plate_lists lists = *(const pli_plate_lists *)data;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const int32_t *particles = lists.edge_particles + 4 * batch * PLI_BATCH + lane;
            const float *weights = lists.edge_weights + PLI_PLATE_WEIGHTS * batch * PLI_BATCH + lane;
            wide3 corners[4];
            for (int k = 0; k < 4; k++)
                corners[k] = plate_load(lists.ahead, particles + k * PLI_BATCH);
            wide3 jump = jump_of(corners, weights);
            if (lists.turned)
                jump = damped_jump(&lists, particles, weights, jump);
            wide_store_row(lists.jumps + batch * PLI_BATCH + lane, jump, wide_set(0.0f));
        }
}

// Subtracts the target of each edge, which rotates with the triangle.
static inline void subtract_targets(const pli_plate_lists *lists, int32_t batch, int32_t lane, wide3 excess[3])
{
    const int32_t *corners = lists->corners + 3 * batch * PLI_BATCH + lane;
    const float *targets = lists->targets + PLI_PLATE_TARGETS * (int64_t)batch * PLI_BATCH + lane;
    const wide3 origin = plate_load(lists->ahead, corners);
    const wide3 side = wide3_sub(plate_load(lists->ahead, corners + PLI_BATCH), origin);
    const wide3 up = wide3_cross(side, wide3_sub(plate_load(lists->ahead, corners + 2 * PLI_BATCH), origin));
    const wide3 along = wide3_scale(side, wide_inverse_above(wide3_length(side), 0.0f));
    const wide3 normal = wide3_scale(up, wide_inverse_above(wide3_length(up), 0.0f));
    const wide3 axes[3] = {along, wide3_cross(normal, along), normal};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            excess[k] = wide3_add_scaled(excess[k], axes[axis], -wide_load(targets + (3 * k + axis) * PLI_BATCH));
}

static void bend_triangles(void *data, int32_t begin, int32_t end)
{
    const pli_plate_lists lists = *(const pli_plate_lists *)data;
    const wide zero = wide_set(0.0f);
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            const float *k = lists.stiffnesses + PLI_PLATE_STIFFNESSES * batch * PLI_BATCH + lane;
            const float *derivatives = lists.derivatives + PLI_PLATE_DERIVATIVES * batch * PLI_BATCH + lane;
            wide3 e[3], m[3], pulls[3];
            for (int i = 0; i < 3; i++)
                e[i] = wide3_scale(plate_load(lists.jumps, lists.edges + (3 * batch + i) * PLI_BATCH + lane),
                                   wide_load(lists.shares + (3 * batch + i) * PLI_BATCH + lane));
            if (lists.targets)
                subtract_targets(&lists, batch, lane, e);
            const wide k00 = wide_load(k), k11 = wide_load(k + PLI_BATCH), k22 = wide_load(k + 2 * PLI_BATCH);
            const wide k01 = wide_load(k + 3 * PLI_BATCH), k02 = wide_load(k + 4 * PLI_BATCH);
            const wide k12 = wide_load(k + 5 * PLI_BATCH);
            m[0] = wide3_add_scaled(wide3_add_scaled(wide3_scale(e[0], k00), e[1], k01), e[2], k02);
            m[1] = wide3_add_scaled(wide3_add_scaled(wide3_scale(e[0], k01), e[1], k11), e[2], k12);
            m[2] = wide3_add_scaled(wide3_add_scaled(wide3_scale(e[0], k02), e[1], k12), e[2], k22);
            for (int corner = 1; corner < 3; corner++) {
                pulls[corner] = (wide3){zero, zero, zero};
                for (int i = 0; i < 3; i++)
                    pulls[corner] = wide3_add_scaled(pulls[corner], m[i],
                                                     wide_load(derivatives + (2 * i + corner - 1) * PLI_BATCH));
            }
            pulls[0] = wide3_negate(wide3_add(pulls[1], pulls[2]));
            for (int i = 0; i < 3; i++) {
                wide_store_row(lists.moments + (3 * batch + i) * PLI_BATCH + lane, m[i], zero);
                wide_store_row(lists.pulls + (3 * batch + i) * PLI_BATCH + lane, pulls[i], zero);
            }
        }
}

const pli_plate_kernels PLI_NAMED(pli_plate) = {bend_edges, bend_triangles};
