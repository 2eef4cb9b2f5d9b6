// The plate of a deformable: when it is factored again, and its solve. See plate/plate.h.
#include "plate/plate.h"

#include "base/hash.h"
#include "descriptors/groups.h"
#include "model/parallel.h"
#include "particles/ghost_motion.h"
#include "plate/plate_hold.h"

#include <string.h>

pli_status pli_plate_check(const pli_plate *plate, pli_error *error)
{
    for (size_t i = 0; i < sizeof plate->reserved / sizeof *plate->reserved; i++)
        if (plate->reserved[i] != 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "plate: reserved words must be 0");
    pli_error found;
    if (pli_descriptor_check(&pli_plate_descriptors, plate, &found) == PLI_STATUS_OK)
        return pli_succeed(error);
    return pli_fail(error, found.status, "plate: %.400s", found.message);
}

/* ---- when it is factored ------------------------------------------------------------------------ */

// The largest number of substeps up to `most` that divides the step into equal intervals.
static int32_t interval_of(int32_t substeps, int32_t most)
{
    int32_t interval = most < substeps ? most : substeps;
    while (substeps % interval != 0)
        interval--;
    return interval;
}

static int32_t most_of(const pli_deformable_data *deformable)
{
    if (deformable->def.plate.interval > 0)
        return deformable->def.plate.interval;
    return deformable->count < PLI_PLATE_LARGE ? PLI_PLATE_INTERVAL : PLI_PLATE_LARGE_INTERVAL;
}

static pli_plate_key key_of(const pli_deformable_data *deformable, float step, int32_t interval)
{
    const pli_plate *plate = &deformable->def.plate;
    pli_plate_key key = {(float)interval * step, plate->rigidity,      plate->poisson,
                         deformable->count,      deformable->capacity, 0,
                         deformable->plate_paint};
    if (deformable->tear_state)
        key.shape = pli_hash_bytes(PLI_HASH_START, deformable->shape.triangles,
                                   3 * (size_t)deformable->shape.triangle_count * sizeof *deformable->shape.triangles);
    return key;
}

// By members, since the bytes between them are not set.
static bool is_same_key(const pli_plate_key *a, const pli_plate_key *b)
{
    return a->interval == b->interval && a->rigidity == b->rigidity && a->poisson == b->poisson &&
           a->count == b->count && a->capacity == b->capacity && a->shape == b->shape && a->paint == b->paint;
}

// Whether it was made for this key and for the base of its deformable.
static bool is_built_for(const pli_deformable_data *deformable, const pli_plate_key *key)
{
    const pli_plate_state *state = deformable->plate;
    return state && is_same_key(&state->key, key) &&
           memcmp(state->base, deformable->plate_base, (size_t)key->count * sizeof *state->base) == 0;
}

static bool holds_what_is_held(const pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < deformable->count; i++)
        if (deformable->plate->masses[i] != deformable->particles[i].w)
            return false;
    return true;
}

void pli_plate_free(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->plate)
        return;
    pli_plate_state_clear(&world->memory, deformable->plate);
    pli_release(&world->memory, deformable->plate);
    deformable->plate = NULL;
}

static pli_factor_result build(pli_world *world, pli_deformable_data *deformable, const pli_plate_key *key,
                               int32_t interval)
{
    pli_plate_free(world, deformable);
    deformable->plate = PLI_ALLOCATE(&world->memory, pli_plate_state, 1);
    if (!deformable->plate)
        return PLI_FACTOR_NO_MEMORY;
    deformable->plate->key = *key;
    deformable->plate->interval = interval;
    return pli_plate_state_build(world, deformable, deformable->plate_base, deformable->plate);
}

// Brings the plate up to date with the base as it is.
static pli_factor_result bring_up(pli_world *world, pli_deformable_data *deformable, const pli_plate_key *key,
                                  int32_t interval)
{
    pli_factor_result result = PLI_FACTOR_OK;
    if (!is_built_for(deformable, key))
        result = build(world, deformable, key, interval);
    if (result == PLI_FACTOR_OK && !holds_what_is_held(deformable))
        result = pli_plate_hold(world, deformable, deformable->plate);
    return result;
}

static bool update_plate(pli_world *world, pli_deformable_data *deformable, float step, int32_t substeps)
{
    if (!pli_deformable_has_plate(deformable) || deformable->shape.triangle_count == 0) {
        pli_plate_free(world, deformable);
        deformable->plate_base_count = 0;
        return true;
    }
    const int32_t interval = interval_of(substeps, most_of(deformable));
    const pli_plate_key key = key_of(deformable, step, interval);
    const bool serves = pli_plate_base_serves(deformable);
    if (!pli_plate_reserve_expected(world, deformable))
        return false;
    if (!serves && !pli_plate_take_base(world, deformable))
        return false;
    pli_factor_result result = bring_up(world, deformable, &key, interval);
    if (result == PLI_FACTOR_NOT_POSITIVE && serves) {
        pli_plate_free(world, deformable);
        if (!pli_plate_take_base(world, deformable))
            return false;
        result = bring_up(world, deformable, &key, interval);
    }
    if (result != PLI_FACTOR_OK)
        pli_plate_free(world, deformable);
    return result != PLI_FACTOR_NO_MEMORY;
}

bool pli_world_update_plates(pli_world *world, float step, int32_t substeps)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && !update_plate(world, pli_deformable_at(world, i), step, substeps))
            return false;
    return true;
}

/* ---- solve -------------------------------------------------------------------------------------- */

// Forces that hold particles are expected to go on with up to so many times the acceleration of gravity, and are learned in this time [s].
#define HELD_MOST 4.0f
#define LEARNING_TIME 0.25f

typedef struct bending {
    pli_deformable_data *deformable;
    pli_plate_state *state;
    pli_vec3 gravity;
    pli_vec3 shift; // (H^2 - h H) g [m]: what gravity adds behind this substep, whose share velocities have.
    float most;     // Most that is expected to go on of other forces than gravity and bending [m/s2].
    float share;    // h^2 / H^2.
} bending;

static pli_vec3 at_most(pli_vec3 a, float most)
{
    const float length = pli_length(a);
    return length > most ? pli_scale(a, most / length) : a;
}

// The acceleration by what holds a particle, edges and contacts, is expected to go on as it was lately: what hangs or lies at rest is then
// bent where it is, and not where gravity alone would take it in an interval. It follows slowly, since plates would be stirred by
// their own echo, and is bounded, since impacts do not go on.
static void learn(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    for (int32_t i = begin; i < end; i++) {
        pli_particle *e = &b->deformable->plate_expected[2 * (size_t)i], *held = e + 1;
        const pli_particle v = b->deformable->velocities[i];
        pli_vec3 a = {held->x, held->y, held->z};
        if (e->w > 0.0f) {
            const pli_vec3 now = pli_scale((pli_vec3){v.x - e->x, v.y - e->y, v.z - e->z}, 1.0f / e->w);
            const float share = e->w < LEARNING_TIME ? e->w / LEARNING_TIME : 1.0f;
            a = at_most(pli_add(a, pli_scale(at_most(pli_sub(now, a), b->most), share)), b->most);
        }
        const bool free = b->deformable->particles[i].w > 0.0f;
        *held = free ? (pli_particle){a.x, a.y, a.z, 0.0f} : (pli_particle){0};
    }
}

static void look_ahead(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    const float interval = b->state->key.interval;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = b->deformable->particles[i], v = b->deformable->velocities[i];
        const pli_particle held = b->deformable->plate_expected[2 * (size_t)i + 1];
        const pli_vec3 more = pli_scale((pli_vec3){held.x, held.y, held.z}, interval * interval);
        const pli_vec3 shift = x.w > 0.0f ? pli_add(b->shift, more) : (pli_vec3){0.0f, 0.0f, 0.0f};
        b->state->ahead[i] = (pli_particle){x.x + (v.x * interval + shift.x), x.y + (v.y * interval + shift.y),
                                            x.z + (v.z * interval + shift.z), x.w};
    }
}

static pli_particle pull_of(const pli_plate_state *s, int32_t particle)
{
    pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = s->pull_begins[particle]; k < s->pull_begins[particle + 1]; k++) {
        const pli_particle a = s->lists.pulls[s->pull_places[k]];
        sum.x += a.x, sum.y += a.y, sum.z += a.z;
    }
    return sum;
}

static pli_particle moment_of(const pli_plate_state *s, int32_t edge)
{
    const float scale = 1.0f / s->unit;
    pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
    if (s->first_moments[edge] >= 0) {
        const pli_particle a = s->lists.moments[s->first_moments[edge]];
        sum = (pli_particle){-a.x, -a.y, -a.z, 0.0f};
    }
    if (s->second_moments[edge] >= 0) {
        const pli_particle a = s->lists.moments[s->second_moments[edge]];
        sum.x += a.x, sum.y += a.y, sum.z += a.z;
    }
    return (pli_particle){sum.x * scale, sum.y * scale, sum.z * scale, 0.0f};
}

static void gather_pulls(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = ((const bending *)data)->state;
    for (int32_t i = begin; i < end; i++)
        if (s->places[i] >= 0)
            s->scratch.vector[s->places[i]] = pull_of(s, i);
}

static void gather_moments(void *data, int32_t begin, int32_t end)
{
    const pli_plate_state *s = ((const bending *)data)->state;
    for (int32_t e = begin; e < end; e++)
        if (s->places[s->key.count + e] >= 0)
            s->scratch.vector[s->places[s->key.count + e]] = moment_of(s, e);
}

// The residual of unknowns that are held now is 0, and what joins has its own.
static void gather_changed(const pli_plate_state *s)
{
    for (int32_t c = 0; c < s->changed_count; c++) {
        const int32_t i = s->changed[c], count = s->key.count;
        const bool joins = s->places[i] < 0;
        s->released[c] = !joins ? (pli_particle){0} : i < count ? pull_of(s, i) : moment_of(s, i - count);
        if (!joins)
            s->scratch.vector[s->places[i]] = (pli_particle){0};
    }
}

// The solution is exactly 0 where it is held; `released` keeps those of particles that join.
static void settle_changed(const pli_plate_state *s)
{
    for (int32_t c = 0; c < s->changed_count; c++)
        if (s->places[s->changed[c]] >= 0)
            s->scratch.vector[s->places[s->changed[c]]] = (pli_particle){0};
}

static void add_share(pli_particle *p, pli_particle d, float share)
{
    p->x += d.x * share, p->y += d.y * share, p->z += d.z * share;
}

static void displace(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    for (int32_t i = begin; i < end; i++)
        if (b->state->places[i] >= 0)
            add_share(&b->deformable->particles[i], b->state->scratch.vector[b->state->places[i]], b->share);
}

static void displace_changed(const bending *b)
{
    const pli_plate_state *s = b->state;
    for (int32_t c = 0; c < s->changed_count && s->changed[c] < s->key.count; c++)
        if (s->places[s->changed[c]] < 0)
            add_share(&b->deformable->particles[s->changed[c]], s->released[c], b->share);
}

static void expect(const bending *b, int32_t i, pli_particle d)
{
    const float interval = b->state->key.interval, scale = 1.0f / interval;
    const pli_particle v = b->deformable->velocities[i];
    b->deformable->plate_expected[2 * (size_t)i] = (pli_particle){
        v.x + (b->gravity.x * interval + d.x * scale), v.y + (b->gravity.y * interval + d.y * scale),
        v.z + (b->gravity.z * interval + d.z * scale), b->deformable->particles[i].w > 0.0f ? interval : 0.0f};
}

static void expect_all(void *data, int32_t begin, int32_t end)
{
    const bending *b = data;
    for (int32_t i = begin; i < end; i++)
        if (b->state->places[i] >= 0)
            expect(b, i, b->state->scratch.vector[b->state->places[i]]);
        else
            b->deformable->plate_expected[2 * (size_t)i] = (pli_particle){0};
}

static void expect_changed(const bending *b)
{
    const pli_plate_state *s = b->state;
    for (int32_t c = 0; c < s->changed_count && s->changed[c] < s->key.count; c++)
        if (s->places[s->changed[c]] < 0)
            expect(b, s->changed[c], s->released[c]);
}

void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep)
{
    pli_plate_state *s = deformable->plate;
    if (!s || s->factor.dissection.count == 0 || substep % s->interval != 0)
        return;
    enum { BATCH_GRAIN = PLI_PARTICLE_GRAIN / PLI_BATCH };
    const float interval = s->key.interval, step = interval / (float)s->interval;
    const pli_vec3 gravity = world->settings.gravity;
    bending b = {deformable,
                 s,
                 gravity,
                 pli_scale(gravity, interval * interval - step * interval),
                 HELD_MOST * pli_length(gravity),
                 0.0f};
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, learn, &b);
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, look_ahead, &b);
    pli_parallel(world, s->edge_batches, BATCH_GRAIN, world->kernels->plate->bend_edges, &s->lists);
    pli_parallel(world, s->triangle_batches, BATCH_GRAIN, world->kernels->plate->bend_triangles, &s->lists);
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, gather_pulls, &b);
    pli_parallel(world, s->mesh.edge_count, PLI_PARTICLE_GRAIN, gather_moments, &b);
    gather_changed(s);
    pli_solve(&s->factor, world->kernels->panels, world->tasks, &s->scratch, &s->border, s->released);
    settle_changed(s);
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, expect_all, &b);
    expect_changed(&b);
}

void pli_plate_bend(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_plate_state *s = deformable->plate;
    if (!s || s->factor.dissection.count == 0)
        return;
    bending b = {deformable,         s,    {0.0f, 0.0f, 0.0f},
                 {0.0f, 0.0f, 0.0f}, 0.0f, step * step / (s->key.interval * s->key.interval)};
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, displace, &b);
    displace_changed(&b);
    deformable->moved_before = false; // Nothing but this has moved it since the prediction.
    if (pli_deformable_has_ghosts(world, deformable))
        pli_deformable_end_sweep(world, deformable, step, 0);
}
