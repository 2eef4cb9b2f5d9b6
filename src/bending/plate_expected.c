// Expectations of a plate about its particles: bending/plate_expected.h.
#include "bending/plate_expected.h"

#include "model/parallel.h"
#include "bending/plate_build.h"
#include "base/stream.h"

#include <string.h>

// The acceleration of particles by forces that persist is limited to this multiple of gravity, and is learned over this time [s].
#define HELD_MOST 4.0f
#define LEARNING_TIME 0.25f

typedef struct expecting {
    pli_deformable_data *deformable;
    const pli_implicit *system;
    pli_vec3 gravity;
    float most; // Largest expected acceleration by persistent forces other than gravity and bending [m/s2].
} expecting;

static expecting expecting_of(const pli_world *world, pli_deformable_data *deformable)
{
    const pli_vec3 gravity = world->settings.gravity;
    return (expecting){deformable, &deformable->plate->system, gravity, HELD_MOST * pli_length(gravity)};
}

bool pli_plate_reserve_expected(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->expected->now)
        deformable->expected->now = PLI_ALLOCATE(&world->memory, pli_particle, 2 * (int64_t)deformable->capacity);
    if (!deformable->expected->good)
        deformable->expected->good = PLI_ALLOCATE(&world->memory, pli_particle, 2 * (int64_t)deformable->capacity);
    return deformable->expected->now && deformable->expected->good;
}

static pli_vec3 at_most(pli_vec3 a, float most)
{
    const float length = pli_length(a);
    return length > most ? pli_scale(a, most / length) : a;
}

// The expectation adapts slowly, since plates would be excited by their own response, and is limited, since impacts do not persist.
static void learn(void *data, int32_t begin, int32_t end)
{
    const expecting *x = data;
    const float seconds = x->system->seconds;
    for (int32_t i = begin; i < end; i++) {
        pli_particle *e = &x->deformable->expected->now[2 * (size_t)i], *held = e + 1, *ahead = &x->system->ahead[i];
        const pli_particle v = x->deformable->velocities[i];
        pli_vec3 a = {held->x, held->y, held->z};
        if (e->w > 0.0f) {
            const pli_vec3 now = pli_scale((pli_vec3){v.x - e->x, v.y - e->y, v.z - e->z}, 1.0f / e->w);
            const float share = e->w < LEARNING_TIME ? e->w / LEARNING_TIME : 1.0f;
            a = at_most(pli_add(a, pli_scale(at_most(pli_sub(now, a), x->most), share)), x->most);
        }
        const bool free = x->deformable->particles[i].w > 0.0f;
        *held = free ? (pli_particle){a.x, a.y, a.z, 0.0f} : (pli_particle){0};
        const pli_vec3 more = pli_scale((pli_vec3){held->x, held->y, held->z}, seconds * seconds);
        ahead->x += more.x, ahead->y += more.y, ahead->z += more.z;
    }
}

void pli_plate_look_further(pli_world *world, pli_deformable_data *deformable)
{
    expecting x = expecting_of(world, deformable);
    pli_parallel(world, x.system->count, PLI_PARTICLE_GRAIN, learn, &x);
}

static void expect(const expecting *x, int32_t i)
{
    const float seconds = x->system->seconds, scale = 1.0f / seconds;
    const pli_particle v = x->deformable->velocities[i], d = x->system->ahead[i];
    x->deformable->expected->now[2 * (size_t)i] = (pli_particle){
        v.x + (x->gravity.x * seconds + d.x * scale), v.y + (x->gravity.y * seconds + d.y * scale),
        v.z + (x->gravity.z * seconds + d.z * scale), x->deformable->particles[i].w > 0.0f ? seconds : 0.0f};
}

static void expect_all(void *data, int32_t begin, int32_t end)
{
    const expecting *x = data;
    for (int32_t i = begin; i < end; i++)
        if (x->system->places[i] >= 0)
            expect(x, i);
        else
            x->deformable->expected->now[2 * (size_t)i] = (pli_particle){0};
}

void pli_plate_expect(pli_world *world, pli_deformable_data *deformable)
{
    expecting x = expecting_of(world, deformable);
    const pli_implicit *s = x.system;
    pli_parallel(world, s->count, PLI_PARTICLE_GRAIN, expect_all, &x);
    for (int32_t c = 0; c < s->changed_count && s->changed[c] < s->count; c++)
        if (s->places[s->changed[c]] < 0)
            expect(&x, s->changed[c]);
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void save_expected(pli_world *world, pli_deformable_data *deformable)
{
    (void)world;
    const pli_plate_expectation *expected = deformable->expected;
    if (expected->now)
        memcpy(expected->good, expected->now, 2 * (size_t)deformable->count * sizeof *expected->now);
}

static void restore_expected(pli_deformable_data *deformable)
{
    const pli_plate_expectation *expected = deformable->expected;
    if (expected->now)
        memcpy(expected->now, expected->good, 2 * (size_t)deformable->count * sizeof *expected->now);
}

static void forget_particle(pli_deformable_data *deformable, int32_t place)
{
    for (int32_t k = 0; deformable->expected->now && k < 2; k++)
        deformable->expected->now[2 * (size_t)place + (size_t)k] = (pli_particle){0};
}

// Turns the expectation with the velocities; if velocities are not kept, the plate expects nothing.
static void teleport_expected(pli_deformable_data *deformable, const pli_jump *jump)
{
    pli_particle *expected = deformable->expected->now;
    for (int32_t k = 0; expected && k < 2 * deformable->count; k++) {
        const pli_vec3 now = pli_jump_turn(jump, pli_position_of(&expected[k]));
        expected[k] = (pli_particle){now.x, now.y, now.z, jump->keeps_velocities ? expected[k].w : 0.0f};
    }
}

static void pass_expected(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    pli_plate_expectation *expected = deformable->expected;
    const bool expects = pli_pass_condition(s, expected->now != NULL);
    if (s->mode == PLI_STREAM_CHECK && expects && !s->failed && !pli_plate_reserve_expected(world, deformable))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ && expected->now)
        memset(expected->now, 0, 2 * (size_t)deformable->capacity * sizeof *expected->now);
    for (int32_t v = 0; v < count && expects && !s->failed; v++) {
        const int32_t i = pli_place_of(deformable, v);
        pli_pass_particle(s, &expected->now[2 * i]);
        pli_pass_particle(s, &expected->now[2 * i + 1]);
    }
}

static const pli_feature_array expected_arrays[] = {
    {PLI_FEATURE_ARRAY(pli_plate_expectation, now, 2), .inherited = true, .of_motion = true},
    {PLI_FEATURE_ARRAY(pli_plate_expectation, good, 2)},
};

const pli_feature pli_feature_expected = {
    .name = "plate expectation",
    PLI_FEATURE_STATE(pli_plate_expectation, expected),
    PLI_FEATURE_ARRAYS(expected_arrays),
    .save = save_expected,
    .restore = restore_expected,
    .write = forget_particle,
    .teleport = teleport_expected,
    .pass = pass_expected,
};
