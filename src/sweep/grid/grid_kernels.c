// Copies between particles (x, y, z, w together) and the structure-of-arrays layout of a grid:
// sweep/grid/grid_kernels.h.
#include "sweep/grid/grid_kernels.h"

// Offsets of successive particles of a part: every PLI_INTERLEAVE-th of the row.
static const int32_t interleaved[16] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

typedef void (*wide_copy)(const pli_soa *columns, int32_t at, pli_particle *particles);
typedef void (*single_copy)(const pli_soa *columns, int32_t at, pli_particle *particle);

// Copies the particles of rows begin..end-1 part by part, WIDE at a time. The last WIDE of a part are copied together, some of them a second
// time; parts of fewer particles are copied one by one.
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
            if (k < count && count >= WIDE)
                wide_one(columns, at + count - WIDE, from + PLI_INTERLEAVE * (count - WIDE));
            for (; k < count && count < WIDE; k++)
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

static void grid_enter(void *data, int32_t begin, int32_t end)
{
    const pli_grid_copy *copy = data;
    for_rows(copy->grid, &copy->grid->at, copy->particles, begin, end, load_particles_wide, load_particle);
}

static void grid_leave(void *data, int32_t begin, int32_t end)
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

const pli_grid_kernels PLI_NAMED(pli_grid_layout) = {grid_enter, grid_leave, enter_previous, enter_lost, leave_lost};
