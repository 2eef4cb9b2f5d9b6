// Ghost motions from the sums of chunks: particles/ghost_motion.h.
#include "particles/ghost_motion.h"

#include "model/parallel.h"
#include "particles/history.h"
#include "particles/momentum.h"

#include <string.h>

// Directions in which the moment of inertia is less than this fraction of the largest one, such as the axis of a thin rod, have no lever
// for a rotation.
static const double least_inertia = 1e-6;

// Sums over a piece, about its centre of mass or its pivot.
typedef struct moments {
    double mass;
    pli_dvec3 centre, linear, angular;
    double inertia[6]; // xx yy zz xy xz yz.
} moments;

// A force that acts at the end positions of a substep has no moment about them. Under first-order time integration, levers from the start
// positions conserve momentum; under second-order integration they would drive a spin, by (b + b^2) h^2 (v x a) for each particle in a
// substep (particles/history.h).
static bool about_ends(const pli_deformable_data *deformable)
{
    return deformable->history && deformable->history->weight > 0.0f;
}

static pli_dvec3 ghost_start_of(const pli_deformable_data *deformable, int32_t particle)
{
    const pli_particle *x = &(about_ends(deformable) ? deformable->particles : deformable->previous)[particle];
    return (pli_dvec3){(double)x->x, (double)x->y, (double)x->z};
}

static pli_dvec3 chunk_start(const pli_deformable_data *deformable, int32_t chunk)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    int32_t first = pieces->chunks[chunk].begin;
    return ghost_start_of(deformable, pieces->members ? pieces->members[first] : first);
}

// Adds the moments of a chunk about its own start, which lies at `o` relative to the centre (Steiner's theorem).
static void add_chunk(moments *m, const double *row, pli_dvec3 o, pli_dvec3 *position)
{
    pli_dvec3 linear = pli_dmake(row + PLI_GHOST_SUM_LINEAR), s = pli_dmake(row + PLI_GHOST_SUM_POSITION);
    double mass = row[PLI_GHOST_SUM_MASS];
    const double *squares = row + PLI_GHOST_SUM_SQUARES, *products = row + PLI_GHOST_SUM_PRODUCTS;
    double xx = squares[0] + o.x * (2.0 * s.x + mass * o.x), yy = squares[1] + o.y * (2.0 * s.y + mass * o.y);
    double zz = squares[2] + o.z * (2.0 * s.z + mass * o.z);
    double yz = products[0] + o.y * s.z + o.z * (s.y + mass * o.y);
    double zx = products[1] + o.z * s.x + o.x * (s.z + mass * o.z);
    double xy = products[2] + o.x * s.y + o.y * (s.x + mass * o.x);
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, -xy, -zx, -yz};
    m->mass += mass;
    m->linear = pli_dadd(m->linear, linear);
    m->angular = pli_dadd(m->angular, pli_dadd(pli_dmake(row + PLI_GHOST_SUM_ANGULAR), pli_dcross(o, linear)));
    *position = pli_dadd(*position, pli_dadd(s, pli_dscale(o, mass)));
    for (int32_t k = 0; k < 6; k++)
        m->inertia[k] += inertia[k];
}

// Moves the moments to the centre of mass, which lies at `from` relative to their centre.
static void move_to_mass(moments *m, pli_dvec3 from)
{
    m->centre = pli_dadd(m->centre, from);
    m->angular = pli_dsub(m->angular, pli_dcross(from, m->linear));
    pli_add_point_inertia(m->inertia, -m->mass, from);
}

static moments measure_ghost_piece(const pli_deformable_data *deformable, const pli_piece *piece)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    moments m = {.centre = piece->pivot_count > 0 ? ghost_start_of(deformable, piece->pivots[0])
                                                  : chunk_start(deformable, piece->first_chunk)};
    pli_dvec3 position = {0.0, 0.0, 0.0};
    for (int32_t c = piece->first_chunk; c < piece->first_chunk + piece->chunk_count; c++)
        add_chunk(&m, pieces->sums + (size_t)c * PLI_GHOST_SUM_COUNT, pli_dsub(chunk_start(deformable, c), m.centre),
                  &position);
    if (piece->pivot_count == 0 && m.mass > 0.0)
        move_to_mass(&m, pli_dscale(position, 1.0 / m.mass));
    return m;
}

static pli_dvec3 turn_about_axis(const moments *m, pli_dvec3 along)
{
    double length = pli_dlength(along);
    if (!(length > 0.0))
        return (pli_dvec3){0.0, 0.0, 0.0};
    pli_dvec3 a = pli_dscale(along, 1.0 / length);
    const double *i = m->inertia;
    double inertia = pli_moment_about(i, a);
    if (!(inertia > least_inertia * (i[0] + i[1] + i[2])))
        return (pli_dvec3){0.0, 0.0, 0.0};
    return pli_dscale(a, pli_ddot(a, m->angular) / inertia);
}

static pli_vec3 to_floats(pli_dvec3 v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

// The centre is rounded to float, so the shift is computed for the rounded position.
static pli_ghost ghost_of(const pli_deformable_data *deformable, const pli_piece *piece)
{
    moments m = measure_ghost_piece(deformable, piece);
    pli_dvec3 shift = {0.0, 0.0, 0.0}, turn;
    if (!(m.mass > 0.0))
        return (pli_ghost){0};
    if (piece->pivot_count == PLI_PIVOTS_MAX)
        turn = turn_about_axis(&m, pli_dsub(ghost_start_of(deformable, piece->pivots[1]), m.centre));
    else
        turn = pli_solve_pseudo_inverse(m.inertia, m.angular, least_inertia);
    if (piece->pivot_count == 0)
        shift = pli_dscale(m.linear, 1.0 / m.mass);
    pli_vec3 centre = to_floats(m.centre);
    pli_dvec3 rounded = {(double)centre.x, (double)centre.y, (double)centre.z};
    pli_ghost ghost = {centre, to_floats(pli_dadd(shift, pli_dcross(turn, pli_dsub(rounded, m.centre)))),
                       to_floats(turn)};
    // A step that overflows becomes non-finite in any case, and another check finds the cause.
    return pli_finite3(ghost.centre) && pli_finite3(ghost.shift) && pli_finite3(ghost.turn) ? ghost : (pli_ghost){0};
}

static pli_ghost_job job_of(pli_deformable_data *deformable, float step)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    return (pli_ghost_job){
        .particles = deformable->particles,
        .velocities = deformable->velocities,
        .previous = pli_deformable_bases(deformable),
        .about_ends = about_ends(deformable),
        .lost = deformable->lost,
        .step = step,
        .fixed_span = deformable->history ? deformable->history->span : step,
        .members = pieces->members,
        .chunks = pieces->chunks,
        .masses = pieces->masses,
        .skipped = pieces->fast,
        .sums = pieces->sums,
        .ghosts = pieces->ghosts,
    };
}

void pli_deformable_weigh_pieces(pli_world *world, pli_deformable_data *deformable)
{
    pli_ghost_job job = job_of(deformable, 0.0f);
    pli_parallel(world, deformable->momentum->pieces->chunk_count, 1, world->kernels->ghost->weigh, &job);
}

static void measure_ghost(pli_world *world, pli_deformable_data *deformable, pli_ghost_job *job)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    pli_parallel(world, pieces->chunk_count, 1, world->kernels->ghost->sum_up, job);
    for (int32_t i = 0; i < pieces->count; i++)
        pieces->ghosts[i] = !pieces->fast[i] ? ghost_of(deformable, &pieces->items[i]) : (pli_ghost){0};
}

bool pli_deformable_has_ghosts(const pli_world *world, const pli_deformable_data *deformable)
{
    return world->settings.keep_momentum && deformable->momentum->pieces && deformable->momentum->pieces->any_free;
}

// Before the first sweep, particles are at their predicted positions, unless something has moved them since.
static bool was_moved(const pli_deformable_data *deformable, int32_t iteration)
{
    return iteration > 0 || deformable->during.moved_before;
}

void pli_deformable_begin_sweep(pli_deformable_data *deformable, int32_t iteration)
{
    if (!was_moved(deformable, iteration))
        return;
    size_t count = (size_t)deformable->count;
    memcpy(deformable->momentum->pieces->before, deformable->particles, count * sizeof *deformable->particles);
    if (deformable->lost)
        memcpy(deformable->momentum->pieces->before + count, deformable->lost, count * sizeof *deformable->lost);
}

void pli_deformable_end_sweep(pli_world *world, pli_deformable_data *deformable, float step, int32_t iteration)
{
    pli_ghost_job job = job_of(deformable, step);
    job.before = was_moved(deformable, iteration) ? deformable->momentum->pieces->before : NULL;
    job.lost_before = job.before ? job.before + deformable->count : NULL;
    measure_ghost(world, deformable, &job);
    if (!job.lost && deformable->momentum->pieces->any_drifts) {
        job.lost = world->store.lost + deformable->first;
        job.first_loss = !job.before || !deformable->momentum->pieces->kept_shifts;
        deformable->momentum->pieces->kept_shifts = true;
    }
    pli_parallel(world, deformable->momentum->pieces->chunk_count, 1, world->kernels->ghost->shift, &job);
}

void pli_deformable_derive_without_ghosts(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_ghost_job job = job_of(deformable, step);
    measure_ghost(world, deformable, &job);
    pli_parallel(world, deformable->momentum->pieces->chunk_count, 1, world->kernels->ghost->derive, &job);
}
