// Statistics, residuals, per-vertex measures and the hash of the state.
#include "base/hash.h"
#include "collision/shape_contact/shape_contact.h"
#include "collision/untangle/intersections.h"
#include "model/handles.h"
#include "model/origin.h"
#include "query/residual.h"
#include "sweep/constraint_slots.h"
#include "bending/creases.h"
#include "particles/contact_pool.h"
#include "particles/held_back.h"

#include <string.h>

static pli_dvec3 wide_of(const pli_particle *p) { return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z}; }

static pli_dvec3 at_rest(const pli_faces *shape, int32_t vertex)
{
    const float *p = shape->positions + 3 * vertex;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static double strain_of(const pli_deformable_data *deformable, const pli_faces *shape, int32_t edge)
{
    int32_t a = shape->edges[2 * edge], b = shape->edges[2 * edge + 1];
    double rest_length = pli_dlength(pli_dsub(at_rest(shape, a), at_rest(shape, b)));
    if (rest_length == 0.0)
        return 0.0;
    pli_dvec3 now = pli_dsub(wide_of(&deformable->particles[pli_place(deformable, a)]),
                             wide_of(&deformable->particles[pli_place(deformable, b)]));
    return pli_dlength(now) / rest_length - 1.0;
}

typedef struct vertex_totals {
    double squares;
    pli_dvec3 moment; // Sum of mass times position.
    int64_t edges;
} vertex_totals;

static void measure_add_deformable(const pli_deformable_data *deformable, pli_dvec3 origin, pli_statistics *s,
                                   vertex_totals *t)
{
    const pli_faces *shape = &deformable->shape;
    for (int32_t v = 0; v < deformable->count; v++) {
        int32_t i = pli_place(deformable, v);
        float w = deformable->particles[i].w;
        s->fixed_count += w == 0.0f;
        if (w == 0.0f)
            continue;
        pli_dvec3 x = pli_dadd(wide_of(&deformable->particles[i]), origin), u = wide_of(&deformable->velocities[i]);
        pli_dvec3 momentum = pli_dscale(u, 1.0 / (double)w), angular = pli_dcross(x, momentum);
        t->moment = pli_dadd(t->moment, pli_dscale(x, 1.0 / (double)w));
        s->kinetic_energy += 0.5 * pli_ddot(momentum, u);
        s->momentum[0] += momentum.x, s->momentum[1] += momentum.y, s->momentum[2] += momentum.z;
        s->angular_momentum[0] += angular.x, s->angular_momentum[1] += angular.y, s->angular_momentum[2] += angular.z;
    }
    for (int32_t e = 0; e < shape->edge_count; e++) {
        double strain = fabs(strain_of(deformable, shape, e));
        t->squares += strain * strain;
        s->stretch_max = strain > s->stretch_max ? strain : s->stretch_max;
    }
    t->edges += shape->edge_count;
    s->plastic_work += deformable->plastic->work;
    s->particle_count += deformable->count;
    for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++)
        s->contact_count += pli_contacts_count(pli_chunk_contacts(deformable->pool, chunk),
                                               deformable->pool->counts[chunk]);
}

// Counts the edges of a deformable that pass through its own triangles, where its self-contact is by particles. They
// are found on the first read after a step, which costs a large part of the time of a step.
static int32_t measure_own_crossings(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_contact_mesh *surface = deformable->surface;
    if (surface && surface->own.crossings == PLI_UNCOUNTED && world->has_contacts)
        pli_collision_count_own((pli_collision *)&world->collision);
    return surface && surface->own.crossings > 0 ? surface->own.crossings : 0;
}

// Adds the fixed particles, colliders and rigid bodies that did not reach their requested or predicted position.
static void add_lags(const pli_world *world, pli_statistics *statistics)
{
    for (int32_t i = 0; i < world->attachments.count; i++) {
        statistics->off_target_count += pli_attachment_at(world, i)->lagging;
        statistics->tracking_error = fmax(statistics->tracking_error, pli_attachment_at(world, i)->lag);
    }
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        statistics->off_target_count += collider->is_behind ? collider->lagging : collider->lags;
        statistics->tracking_error = fmax(statistics->tracking_error, collider->lag);
    }
    for (int32_t i = 0; i < world->rigids.count; i++) {
        statistics->off_target_count += pli_rigid_at(world, i)->lost > 0.0;
        statistics->tracking_error = fmax(statistics->tracking_error, pli_rigid_at(world, i)->lost);
    }
}

_Static_assert(sizeof((pli_statistics *)0)->stage_seconds >= PLI_STAGE_COUNT * sizeof(double),
               "every stage has its seconds");

void pli_world_get_statistics(const pli_world *world, pli_statistics *result)
{
    pli_statistics found = {
        .step = world->timing.step_count,
        .time = world->time,
        .step_seconds = world->timing.step_seconds,
        .projection_count = world->timing.projections,
        .memory = world->memory.bytes,
        .substep_count = world->substep_count,
    };
    pli_statistics *statistics = &found;
    memcpy(statistics->stage_seconds, world->timing.stage_seconds, sizeof world->timing.stage_seconds);
    vertex_totals t = {0};
    for (int32_t i = 0; i < world->deformables.count; i++)
        measure_add_deformable(pli_deformable_at(world, i), world->origin, statistics, &t);
    const pli_collision *collision = &world->collision;
    statistics->surface_contact_count = collision->contacts.surface_contacts.count;
    statistics->contact_count += collision->contacts.surface_contacts.count;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        statistics->candidate_count += collision->cache.has_pairs[list] ? collision->cache.lists[list].count : 0;
    statistics->candidate_count += collision->particle_lists.pair_count;
    statistics->limited_count = collision->ccd.limited_count;
    statistics->intersection_count = collision->untangle.intersections.count + collision->untangle.inside_count -
                                     collision->untangle.round_count + collision->untangle.deep_count;
    for (int32_t i = 0; i < world->deformables.count; i++)
        statistics->intersection_count += measure_own_crossings(world, pli_deformable_at(world, i));
    statistics->failed_pair_count = collision->ccd.failed_pair_count;
    add_lags(world, statistics);
    const pli_work *work = &collision->work;
    statistics->work = work->usual > 0 ? (double)work->total / (double)work->usual / world->substep_count : 0.0;
    statistics->shortened_count = work->shortened;
    int64_t stuck = 0;
    for (int32_t i = 0; i < world->deformables.count; i++)
        stuck += pli_deformable_stuck_count(pli_deformable_at(world, i));
    statistics->stuck = stuck > 0 ? (double)stuck / (double)statistics->particle_count : 0.0;
    statistics->stretch_rms = t.edges > 0 ? sqrt(t.squares / (double)t.edges) : 0.0;
    const pli_vec3 g = world->settings.gravity;
    statistics->potential_energy = -((double)g.x * t.moment.x + (double)g.y * t.moment.y + (double)g.z * t.moment.z);
    *result = found;
}

static uint64_t hash_vector(uint64_t hash, const pli_particle *p)
{
    uint32_t bits[3];
    memcpy(bits, p, sizeof bits);
    hash = pli_hash_mix(hash, (uint64_t)bits[0] << 32 | bits[1]);
    return pli_hash_mix(hash, bits[2]);
}

static uint64_t hash_dvector(uint64_t hash, pli_dvec3 v)
{
    uint64_t bits[3];
    memcpy(bits, &v, sizeof bits);
    return pli_hash_mix(pli_hash_mix(pli_hash_mix(hash, bits[0]), bits[1]), bits[2]);
}

static uint64_t hash_rigid(uint64_t hash, const pli_rigid_body_motion *now)
{
    const double *q = now->pose.turn;
    hash = hash_dvector(hash, now->pose.centre);
    hash = hash_dvector(hash, (pli_dvec3){q[0], q[1], q[2]});
    return hash_dvector(hash_dvector(hash, now->velocity), now->spin);
}

// Counts the contacts between surfaces that involve `surface`.
static int32_t count_contacts(const pli_world *world, const pli_contact_mesh *surface)
{
    const pli_collision *collision = &world->collision;
    int32_t count = 0;
    for (int32_t i = 0; world->has_contacts && i < collision->contacts.surface_contacts.count; i++) {
        const int32_t *sides = collision->contacts.surface_contacts.items[i].surface;
        count += collision->surfaces[sides[0]] == surface || collision->surfaces[sides[1]] == surface;
    }
    return count;
}

static int32_t count_surface_intersections(const pli_world *world, const pli_contact_mesh *surface)
{
    const pli_collision *collision = &world->collision;
    int32_t count = 0;
    for (int32_t i = 0; world->has_contacts && i < collision->untangle.intersections.count; i++) {
        const pli_intersection *item = &collision->untangle.intersections.items[i];
        count += collision->surfaces[item->edge_surface] == surface ||
                 collision->surfaces[item->triangle_surface] == surface;
    }
    return count;
}

pli_status pli_deformable_get_statistics(const pli_world *world, pli_deformable handle,
                                         pli_deformable_statistics *result, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_statistics sums = {0};
    vertex_totals t = {0};
    measure_add_deformable(deformable, world->origin, &sums, &t);
    pli_deformable_statistics found = {
        .particle_count = sums.particle_count,
        .fixed_count = sums.fixed_count,
        .kinetic_energy = sums.kinetic_energy,
        .momentum = {sums.momentum[0], sums.momentum[1], sums.momentum[2]},
        .angular_momentum = {sums.angular_momentum[0], sums.angular_momentum[1], sums.angular_momentum[2]},
        .stretch_rms = t.edges > 0 ? sqrt(t.squares / (double)t.edges) : 0.0,
        .stretch_max = sums.stretch_max,
        .surface_contact_count = deformable->surface ? count_contacts(world, deformable->surface) : 0,
        .intersection_count = deformable->surface ? count_surface_intersections(world, deformable->surface) +
                                                        measure_own_crossings(world, deformable)
                                                  : 0,
        .seconds = deformable->during.seconds * world->substep_count,
        .memory = pli_features_memory(deformable),
    };
    found.contact_count = found.surface_contact_count + (world->has_contacts ? sums.contact_count : 0);
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        found.memory += set->memory;
    *result = found;
    return pli_succeed(error);
}

uint64_t pli_world_hash(const pli_world *world)
{
    uint64_t hash = PLI_HASH_START;
    for (int32_t b = 0; b < world->deformables.count; b++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, b);
        hash = pli_hash_mix(hash, (uint64_t)deformable->count);
        for (int32_t v = 0; v < deformable->count; v++) {
            int32_t i = pli_place(deformable, v);
            hash = hash_vector(hash, &deformable->particles[i]);
            hash = hash_vector(hash, &deformable->velocities[i]);
        }
    }
    for (int32_t i = 0; i < world->rigids.count; i++)
        hash = hash_rigid(hash, &(pli_rigid_at(world, i))->now);
    return pli_world_is_offset(world) ? hash_dvector(hash, world->origin) : hash;
}

static void measure_stretch(const pli_world *world, const pli_deformable_data *deformable, float *values)
{
    (void)world;
    const pli_faces *shape = &deformable->shape;
    for (int32_t e = 0; e < shape->edge_count; e++) {
        float strain = (float)strain_of(deformable, shape, e);
        for (int32_t k = 0; k < 2; k++) {
            float *value = &values[shape->edges[2 * e + k]];
            if (fabsf(strain) > fabsf(*value))
                *value = strain;
        }
    }
}

static void measure_bending(const pli_world *world, const pli_deformable_data *deformable, float *values)
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        if (!set->type->bending)
            continue;
        for (int32_t c = 0; c < set->count; c++) {
            int32_t fixed[PLI_CARDINALITY_MAX];
            const int32_t *particles;
            int32_t n = pli_constraints_particles(set, c, &particles, fixed);
            float violation = (float)pli_constraints_violation(world, set, c);
            for (int32_t k = 0; k < n; k++) {
                float *value = &values[pli_vertex(deformable, particles[k])];
                *value = violation > *value ? violation : *value;
            }
        }
    }
}

static double mean_rest_edge(const pli_faces *shape)
{
    double sum = 0.0;
    for (int32_t e = 0; e < shape->edge_count; e++)
        sum += pli_dlength(pli_dsub(at_rest(shape, shape->edges[2 * e]), at_rest(shape, shape->edges[2 * e + 1])));
    return shape->edge_count > 0 ? sum / (double)shape->edge_count : 0.0;
}

// Constraints have different units; the distance by which each one would move a particle is a length for all of them.
static void measure_residual(const pli_world *world, const pli_deformable_data *deformable, float *values)
{
    double mean = mean_rest_edge(&deformable->shape);
    for (const pli_constraints_data *set = deformable->first_set; mean > 0.0 && set; set = set->next)
        for (int32_t c = 0; c < set->count; c++) {
            int32_t fixed[PLI_CARDINALITY_MAX];
            const int32_t *particles;
            int32_t n = pli_constraints_particles(set, c, &particles, fixed);
            const double *moves = pli_constraints_moves(world, set, c);
            for (int32_t k = 0; k < n; k++) {
                float *value = &values[pli_vertex(deformable, particles[k])];
                *value = fmaxf(*value, (float)(moves[k] / mean));
            }
        }
}

static void measure_speed(const pli_world *world, const pli_deformable_data *deformable, float *values)
{
    (void)world;
    for (int32_t v = 0; v < deformable->count; v++)
        values[v] = (float)pli_dlength(wide_of(&deformable->velocities[pli_place(deformable, v)]));
}

// Returns twice the rest area of a triangle.
static double doubled_rest_area(const pli_faces *shape, const int32_t *corners)
{
    pli_dvec3 a = at_rest(shape, corners[0]);
    return pli_dlength(pli_dcross(pli_dsub(at_rest(shape, corners[1]), a), pli_dsub(at_rest(shape, corners[2]), a)));
}

// Discrete mean curvature: half the length of the cotangent Laplacian of position, with cotangents of the current shape
// and a third of each triangle's area (Meyer et al. 2003, Discrete Differential-Geometry Operators, eq. 8).
//
// It grows without bound where triangles lose their area. The integral of the mean curvature over a surface with edges
// is a quarter of the sum of length times angle (Steiner). The largest value of a mesh thus belongs to a fold by pi
// in every edge, over no less than the rest area.
static float curvature_at(const pli_deformable_data *deformable, const pli_faces *shape, int32_t vertex)
{
    pli_dvec3 centre = wide_of(&deformable->particles[pli_place(deformable, vertex)]), sum = {0};
    double area = 0.0, rest_area = 0.0, lengths = 0.0;
    for (int32_t i = shape->triangle_begins[vertex]; i < shape->triangle_ends[vertex]; i++) {
        const int32_t *corners = shape->triangles + 3 * shape->vertex_triangles[i];
        int32_t at = corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
        pli_dvec3 u = pli_dsub(wide_of(&deformable->particles[pli_place(deformable, corners[(at + 1) % 3])]), centre);
        pli_dvec3 w = pli_dsub(wide_of(&deformable->particles[pli_place(deformable, corners[(at + 2) % 3])]), centre);
        pli_dvec3 across = pli_dsub(w, u);
        double doubled = pli_dlength(pli_dcross(u, w));
        rest_area += doubled_rest_area(shape, corners) / 6.0;
        lengths += 0.5 * (pli_dlength(u) + pli_dlength(w));
        if (doubled == 0.0)
            continue;
        area += doubled / 6.0;
        sum = pli_dadd(sum, pli_dscale(u, 0.5 * pli_ddot(w, across) / doubled));
        sum = pli_dadd(sum, pli_dscale(w, -0.5 * pli_ddot(u, across) / doubled));
    }
    const double pi = 3.14159265358979323846;
    double most = 0.25 * pi * lengths / fmax(area, rest_area);
    return (float)(area > 0.0 ? fmin(0.5 * pli_dlength(sum) / area, most) : most);
}

static void measure_curvature(const pli_world *world, const pli_deformable_data *deformable, float *values)
{
    (void)world;
    const pli_faces *shape = &deformable->shape;
    for (int32_t v = 0; v < deformable->count; v++)
        values[v] = shape->vertex_boundary[v] ? 0.0f : curvature_at(deformable, shape, v);
}

typedef void (*measure_run)(const pli_world *world, const pli_deformable_data *deformable, float *values);

static const measure_run vertex_measures[PLI_MEASURE_COUNT] = {
    [PLI_MEASURE_STRETCH] = measure_stretch,   [PLI_MEASURE_BENDING] = measure_bending,
    [PLI_MEASURE_SPEED] = measure_speed,       [PLI_MEASURE_CURVATURE] = measure_curvature,
    [PLI_MEASURE_RESIDUAL] = measure_residual,
};

pli_status pli_deformable_measure(const pli_world *world, pli_deformable handle, pli_measure measure, float *values,
                                  int32_t capacity, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if ((unsigned)measure >= PLI_MEASURE_COUNT || capacity < deformable->count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "measure %d of %d vertices into room for %d", (int)measure,
                        (int)deformable->count, (int)capacity);
    for (int32_t v = 0; v < deformable->count; v++)
        values[v] = 0.0f;
    vertex_measures[measure](world, deformable, values);
    return pli_succeed(error);
}
