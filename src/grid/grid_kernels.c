// Copies between particles (x, y, z, w together) and the structure-of-arrays layout of a grid, and tethers on that
// layout: grid/grid_kernels.h.
#include "grid/grid_kernels.h"

// Offsets of the particles that follow one another in a part: every PLI_INTERLEAVE-th of the row.
static const int32_t interleaved[16] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

typedef void (*wide_copy)(const pli_soa *columns, int32_t at, pli_particle *particles);
typedef void (*single_copy)(const pli_soa *columns, int32_t at, pli_particle *particle);

// Copies the particles of rows begin..end-1 part by part: WIDE at a time, then the rest of each part one by one.
static inline __attribute__((always_inline)) void for_rows(const pli_grid_layout *g, const pli_soa *columns,
                                                           pli_particle *particles, int32_t begin, int32_t end,
                                                           wide_copy wide_one, single_copy one)
{
    for (int32_t row = begin; row < end; row++) {
        for (int32_t part = 0; part < PLI_INTERLEAVE; part++) {
            pli_particle *from = particles + (size_t)row * (size_t)g->columns + part;
            int32_t at = pli_grid_place(g, row, part),
                    count = (g->columns - part + PLI_INTERLEAVE - 1) / PLI_INTERLEAVE, k = 0;
            for (; k + WIDE <= count; k += WIDE)
                wide_one(columns, at + k, from + PLI_INTERLEAVE * k);
            for (; k < count; k++)
                one(columns, at + k, from + PLI_INTERLEAVE * k);
        }
    }
}

static inline void load_positions_wide(const pli_soa *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, interleaved, &x, &y, &z, &w);
    wide_store(c->x + at, x);
    wide_store(c->y + at, y);
    wide_store(c->z + at, z);
}

static inline void load_position(const pli_soa *c, int32_t at, pli_particle *particle)
{
    c->x[at] = particle->x, c->y[at] = particle->y, c->z[at] = particle->z;
}

static inline void load_particles_wide(const pli_soa *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, interleaved, &x, &y, &z, &w);
    wide_store(c->x + at, x);
    wide_store(c->y + at, y);
    wide_store(c->z + at, z);
    wide_store(c->w + at, w);
}

static inline void load_particle(const pli_soa *c, int32_t at, pli_particle *particle)
{
    load_position(c, at, particle);
    c->w[at] = particle->w;
}

static inline void store_positions_wide(const pli_soa *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, interleaved, &x, &y, &z, &w);
    wide_store_particles(particles, interleaved, wide_load(c->x + at), wide_load(c->y + at), wide_load(c->z + at), w);
}

static inline void store_position(const pli_soa *c, int32_t at, pli_particle *particle)
{
    *particle = (pli_particle){c->x[at], c->y[at], c->z[at], particle->w};
}

static void enter(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->at, copy->particles, begin, end, load_particles_wide, load_particle);
}

static void leave(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->at, copy->particles, begin, end, store_positions_wide, store_position);
}

static void enter_previous(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->previous, copy->particles, begin, end, load_positions_wide, load_position);
}

static void enter_lost(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->lost, copy->particles, begin, end, load_positions_wide, load_position);
}

static void leave_lost(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->lost, copy->particles, begin, end, store_positions_wide, store_position);
}

// Kim, Chentanez, Mueller 2012, Long Range Attachments: a particle beyond the length of its tether is moved straight
// towards its anchor until it is at that length. Anchors are only read.
static void tether(void *tethers, int32_t begin, int32_t end)
{
    const pli_grid_tethers *t = tethers;
    const pli_soa at = t->grid->at;
    wide zero = wide_set(0.0f), slack = wide_set(t->slack);
    for (int32_t i = begin * t->grid->pitch; i < end * t->grid->pitch; i += WIDE) {
        wide3 x = {wide_load(at.x + i), wide_load(at.y + i), wide_load(at.z + i)};
        wide3 anchor = {wide_load_indexed(t->x, t->anchors + i), wide_load_indexed(t->y, t->anchors + i),
                        wide_load_indexed(t->z, t->anchors + i)};
        wide3 d = wide3_sub(x, anchor);
        wide length = wide3_length(d), limit = slack * wide_load(t->lengths + i);
        wide_mask beyond = wide_and(wide_less(limit, length), wide_less(zero, wide_load(at.w + i)));
        wide fraction = wide_select(beyond, limit, zero) / wide_select(beyond, length, wide_set(1.0f));
        wide3 back = wide3_add_scaled(anchor, d, fraction);
        wide_store(at.x + i, wide_select(beyond, back.x, x.x));
        wide_store(at.y + i, wide_select(beyond, back.y, x.y));
        wide_store(at.z + i, wide_select(beyond, back.z, x.z));
    }
}

const pli_grid_kernels PLI_NAMED(pli_grid_layout) = {enter, leave, enter_previous, enter_lost, leave_lost, tether};
