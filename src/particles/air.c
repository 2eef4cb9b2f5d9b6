// The velocity of the air at particles: particles/air.h.
#include "particles/air.h"

#include "model/handles.h"
#include "model/origin.h"

#include <math.h>
#include <string.h>

/* ---- gusts -------------------------------------------------------------------------------------- */

enum { OCTAVES = 4, EDDIES_OF_OCTAVE = PLI_EDDIES / OCTAVES };

// Fraction of the energy in each octave: (1, 2, 4, 8)^(-2/3), divided by their sum.
static const double octave_energies[OCTAVES] = {0.43922, 0.27669, 0.17430, 0.10979};
// Turns of an eddy in the time in which air at the gust speed travels its length.
#define TURNS 0.5
// Gusts above this multiple of the root mean square speed are rare.
#define RARE 3.0f
#define FASTEST 1e6f

// Random numbers in -1..1 from the generator of Steele et al. 2014, Fast Splittable Pseudorandom Number Generators.
static double next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

// A random unit vector.
static pli_dvec3 random_direction(uint64_t *state)
{
    for (;;) {
        const double x = next_random(state), y = next_random(state), z = next_random(state);
        const pli_dvec3 v = {x, y, z};
        const double square = pli_ddot(v, v);
        if (square > 0.01 && square < 1.0)
            return pli_dscale(v, 1.0 / sqrt(square));
    }
}

void pli_gusts_make(pli_gusts *gusts, double length, int32_t seed)
{
    uint64_t state = (uint64_t)seed;
    double turns = 1.0 / length;
    for (int32_t i = 0; i < PLI_EDDIES; i++) {
        pli_eddy *eddy = &gusts->eddies[i];
        const pli_dvec3 along = random_direction(&state);
        pli_dvec3 across = pli_dcross(along, random_direction(&state));
        while (!(pli_dlength(across) > 0.1))
            across = pli_dcross(along, random_direction(&state));
        const double crest = sqrt(2.0 * octave_energies[i / EDDIES_OF_OCTAVE] / EDDIES_OF_OCTAVE) / pli_dlength(across);
        eddy->number[0] = turns * along.x, eddy->number[1] = turns * along.y, eddy->number[2] = turns * along.z;
        eddy->sway[0] = (float)(crest * across.x), eddy->sway[1] = (float)(crest * across.y);
        eddy->sway[2] = (float)(crest * across.z);
        eddy->offset = next_random(&state);
        if (i % EDDIES_OF_OCTAVE == EDDIES_OF_OCTAVE - 1)
            turns *= 2.0;
    }
}

int32_t pli_gusts_now(const pli_world *world, double since, pli_gust gusts[PLI_EDDIES])
{
    const float strength = world->settings.gust_strength;
    if (!(strength > 0.0f))
        return 0;
    const pli_dvec3 wind = pli_widened(world->settings.wind);
    const pli_dvec3 carried = pli_dadd(world->air.gusts.carried, pli_dscale(wind, since));
    const pli_dvec3 origin = pli_dsub(world->origin, carried);
    const double turned = TURNS * (world->air.gusts.turned + (double)strength * since);
    for (int32_t i = 0; i < PLI_EDDIES; i++) {
        const pli_eddy *e = &world->air.gusts.eddies[i];
        const pli_dvec3 number = pli_dmake(e->number);
        const double turns = e->offset + pli_ddot(number, origin) + pli_dlength(number) * turned;
        gusts[i].phase = (float)(turns - floor(turns));
        for (int32_t k = 0; k < 3; k++)
            gusts[i].number[k] = (float)e->number[k], gusts[i].sway[k] = strength * e->sway[k];
    }
    return PLI_EDDIES;
}

static void advance_gusts(pli_world *world, float dt)
{
    const pli_settings *settings = &world->settings;
    if (!(settings->gust_strength > 0.0f))
        return;
    world->air.gusts.carried = pli_dadd(world->air.gusts.carried, pli_dscale(pli_widened(settings->wind), (double)dt));
    world->air.gusts.turned += (double)settings->gust_strength * (double)dt;
}

/* ---- the host's field --------------------------------------------------------------------------- */

void pli_world_set_air_field(pli_world *world, pli_air_field field, void *user)
{
    if (!pli_world_may_change(world, NULL))
        return;
    world->air.field = field;
    world->air.field_user = user;
    world->collision.stirred = true; // The air may blow sleeping cloth away.
    for (int32_t i = 0; i < world->deformables.count && !field; i++) {
        pli_release(&world->memory, pli_deformable_at(world, i)->air->velocities);
        pli_deformable_at(world, i)->air->velocities = NULL;
    }
}

// Writes the points in vertex order, with the wind as the default result.
static void fill_points(const pli_world *world, const pli_deformable_data *deformable, float *points, float *velocities)
{
    for (int32_t v = 0; v < deformable->count; v++) {
        const pli_particle *p = &deformable->particles[pli_place(deformable, v)];
        const pli_vec3 at = pli_rounded(pli_dadd(pli_widened(pli_position_of(p)), world->origin));
        const pli_vec3 wind = world->settings.wind;
        points[3 * v] = at.x, points[3 * v + 1] = at.y, points[3 * v + 2] = at.z;
        velocities[3 * v] = wind.x, velocities[3 * v + 1] = wind.y, velocities[3 * v + 2] = wind.z;
    }
}

static pli_status take_velocities(pli_world *world, pli_deformable_data *deformable, const float *velocities,
                                  pli_error *error)
{
    for (int32_t v = 0; v < deformable->count; v++) {
        const pli_vec3 u = {velocities[3 * v], velocities[3 * v + 1], velocities[3 * v + 2]};
        const float speed = pli_length(u);
        if (!(speed <= FASTEST))
            return pli_fail(
                error, PLI_STATUS_INVALID_ARGUMENT,
                "the field of the air gave vertex %d of \"%s\" a velocity that is not finite or above 1e6 m/s", (int)v,
                deformable->name ? deformable->name : "");
        deformable->air->velocities[pli_place(deformable, v)] = (pli_particle){u.x, u.y, u.z, 0.0f};
        world->air.speed = speed > world->air.speed ? speed : world->air.speed;
    }
    return PLI_STATUS_OK;
}

static pli_status read_air_of(pli_world *world, pli_deformable_data *deformable, double time, pli_error *error)
{
    if (!deformable->air->velocities)
        deformable->air->velocities = PLI_ALLOCATE(&world->memory, pli_particle, (int64_t)deformable->capacity + 1);
    float *points = PLI_TAKE(&world->collision.arena, float, 3 * (int64_t)deformable->count + 1);
    float *velocities = PLI_TAKE(&world->collision.arena, float, 3 * (int64_t)deformable->count + 1);
    if (!deformable->air->velocities || !points || !velocities)
        return pli_fail_memory(error);
    fill_points(world, deformable, points, velocities);
    if (!world->air.field(world->air.field_user, time, points, velocities, deformable->count))
        return pli_fail(error, PLI_STATUS_CANCELLED, "the field of the air ended the step");
    return take_velocities(world, deformable, velocities, error);
}

// Queries the application's field for the air at all active particles.
static pli_status read_air(pli_world *world, float dt, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    world->air.speed = pli_length(world->settings.wind);
    if (!world->air.field || !(world->settings.air_density > 0.0f))
        return status;
    world->collision.arena.memory = &world->memory; // It may not have been used yet.
    const pli_arena_scope scope = pli_arena_begin(&world->collision.arena);
    for (int32_t i = 0; i < world->deformables.count && status == PLI_STATUS_OK; i++)
        if (!pli_deformable_at(world, i)->idle)
            status = read_air_of(world, pli_deformable_at(world, i), world->time + 0.5 * (double)dt, error);
    pli_arena_end(&world->collision.arena, scope);
    return status;
}

float pli_world_air_speed(const pli_world *world)
{
    return world->settings.air_density > 0.0f ? world->air.speed + RARE * world->settings.gust_strength : 0.0f;
}

static const pli_feature_array air_arrays[] = {{PLI_FEATURE_ARRAY(pli_air, velocities, 1), .extra = 1}};

const pli_feature pli_feature_air = {
    .name = "air",
    PLI_FEATURE_STATE(pli_air, air),
    PLI_FEATURE_ARRAYS(air_arrays),
    .begin = read_air,
    .finish = advance_gusts,
};
