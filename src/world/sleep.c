// Sleep at rest, and waking by touch. A deformable whose particles have all been slower than the settings' sleep_speed for half
// a second sleeps, unless something that moves is near; then both, and what lies near them, are awake:
//
//     at rest   at rest   moves            at rest   at rest
//     [  A  ]...[  B  ]...[  C  ]          [  A  ]...[  B  ]          boxes that meet are joined: left all are awake,
//                                                                     right both sleep
//
// All is decided from the state alone, by boxes in the order of creation, so that it depends neither on threads nor on time.
// A sleeper takes no part in a step: it costs one test of boxes for each thing that moves.
#include "world/sleep.h"

#include "model/handles.h"
#include "model/origin.h"
#include "shapes/shape.h"

#include <string.h>

// Time at rest before sleep [s].
#define SLEEP_TIME 0.5

typedef struct extent {
    pli_dvec3 low, high; // In the host's coordinates [m].
    uint32_t layers, mask;
} extent;

static void include(extent *e, pli_dvec3 at)
{
    e->low = (pli_dvec3){fmin(e->low.x, at.x), fmin(e->low.y, at.y), fmin(e->low.z, at.z)};
    e->high = (pli_dvec3){fmax(e->high.x, at.x), fmax(e->high.y, at.y), fmax(e->high.z, at.z)};
}

static const extent empty = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};

static void widen(extent *e, double by)
{
    const pli_dvec3 margin = {by, by, by};
    e->low = pli_dsub(e->low, margin), e->high = pli_dadd(e->high, margin);
}

static float fastest(const pli_deformable_data *deformable)
{
    float most = 0.0f;
    for (int32_t i = 0; i < deformable->count; i++) {
        const pli_vec3 v = pli_position_of(&deformable->velocities[i]);
        float square = pli_dot(v, v);
        most = square > most ? square : most;
    }
    return sqrtf(most);
}

// Where a deformable may come within dt, with what it keeps from others.
static extent extent_of(const pli_world *world, const pli_deformable_data *deformable, float dt)
{
    // Within the world's frame in float: gcc 12 for ARM fails in the vectoriser where each position is widened.
    pli_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < deformable->count; i++) {
        const pli_vec3 p = pli_position_of(&deformable->particles[i]);
        low = (pli_vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
        high = (pli_vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
    }
    extent e = {.low = pli_dadd(pli_widened(low), world->origin), .high = pli_dadd(pli_widened(high), world->origin)};
    double fall = (double)pli_length(world->settings.gravity) * (double)dt * (double)dt;
    double path = dt > 0.0f ? (double)fastest(deformable) * (double)dt + fall : 0.0;
    widen(&e, (double)deformable->thickness + path);
    e.layers = deformable->def.layers, e.mask = deformable->def.mask;
    return e;
}

// Bodies are the host's, so what they carry may always move.
static bool moves(const pli_collider_data *collider)
{
    const pli_transform *a = &collider->def.pose, *b = &collider->next;
    bool same = a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
                a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
                a->rotation.w == b->rotation.w;
    return collider->rigid || collider->moving || collider->source || !same;
}

// A ball about all that a collider passes in a step.
static extent extent_of_collider(const pli_world *world, const pli_collider_data *collider, float dt)
{
    extent e = empty;
    double reach = 0.0, path = 0.0;
    for (int32_t v = 0; v < collider->span; v++)
        for (int k = 0; k < 2; k++) {
            const float *p = (k ? collider->next_vertices : collider->vertices) + 3 * v;
            reach = fmax(reach, pli_dlength((pli_dvec3){(double)p[0], (double)p[1], (double)p[2]}));
        }
    if (collider->surface)
        reach += (double)collider->surface->radius;
    else
        reach = (double)pli_shape_reach(&collider->def);
    pli_dvec3 from = pli_widened(collider->def.pose.position), to = pli_widened(collider->next.position);
    if (collider->rigid) {
        const pli_rigid_body_motion *now = &collider->rigid->now;
        reach += fmax(pli_dlength(from), pli_dlength(to)) + (double)pli_length(collider->rigid->def.centre_of_mass);
        from = to = pli_dadd(now->pose.centre, world->origin);
        if (collider->rigid->approaching)
            to = pli_dadd(collider->rigid->target.centre, world->origin);
        path = pli_dlength(now->velocity) * (double)dt;
    }
    include(&e, from), include(&e, to);
    widen(&e, reach + path + (double)collider->def.thickness);
    e.layers = collider->def.layers, e.mask = collider->def.mask;
    return e;
}

static bool meet(const extent *a, const extent *b)
{
    return (a->layers & b->mask) && (b->layers & a->mask) && a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static void wake(pli_deformable_data *deformable)
{
    deformable->asleep = false;
    deformable->still_time = 0.0;
}

// The extent of one that sleeps is known since it fell asleep.
static extent extent_now(const pli_world *world, const pli_deformable_data *deformable, float dt)
{
    if (!deformable->asleep)
        return extent_of(world, deformable, dt);
    return (extent){deformable->asleep_low, deformable->asleep_high, deformable->def.layers, deformable->def.mask};
}

// Takes the mark from deformables that meet the extent, and notes them; returns how many are noted then.
static int32_t unmark(pli_world *world, float dt, const extent *from, int32_t noted)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *other = pli_deformable_at(world, i);
        if (!other->idle || other->def.paused)
            continue;
        extent e = extent_now(world, other, dt);
        if (!meet(from, &e))
            continue;
        other->idle = false;
        world->islands[noted++] = i;
    }
    return noted;
}

// Takes it from all that meet the extent, from all that meet those, and so on.
static void spread(pli_world *world, float dt, const extent *from)
{
    for (int32_t noted = unmark(world, dt, from, 0); noted > 0;) {
        extent e = extent_now(world, pli_deformable_at(world, world->islands[--noted]), dt);
        noted = unmark(world, dt, &e, noted);
    }
}

// Whether a frame moves what it holds, or a rigid body does, which is the host's and may always move.
static bool is_led(const pli_deformable_data *deformable)
{
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (a->rigid || memcmp(&a->pose, &a->next, sizeof a->pose) != 0)
            return true;
    return false;
}

// Leaves the mark only to those that nothing which moves may meet within dt. `done` says that colliders have
// made their motion of the step.
static void unmark_touched(pli_world *world, float dt, bool done)
{
    bool any = false;
    for (int32_t i = 0; i < world->deformables.count; i++)
        any = any || (pli_deformable_at(world, i)->idle && !pli_deformable_at(world, i)->def.paused);
    for (int32_t i = 0; any && i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        extent e = extent_now(world, deformable, dt);
        spread(world, dt, &e);
    }
    for (int32_t i = 0; any && i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (!moves(collider) && !(done && !world->shapes[i].rests))
            continue;
        extent e = extent_of_collider(world, collider, dt);
        spread(world, dt, &e);
    }
}

void pli_world_choose_idle(pli_world *world, float dt)
{
    bool stirred = world->collision.stirred || !(world->settings.sleep_speed > 0.0f);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (stirred || deformable->forced || is_led(deformable))
            wake(deformable);
        deformable->idle = deformable->asleep || deformable->def.paused;
    }
    unmark_touched(world, dt, false);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && pli_deformable_at(world, i)->asleep)
            wake(pli_deformable_at(world, i));
    world->collision.stirred = false;
}

static void fall_asleep(const pli_world *world, pli_deformable_data *deformable)
{
    const extent e = extent_of(world, deformable, 0.0f);
    deformable->asleep = true;
    deformable->asleep_low = e.low, deformable->asleep_high = e.high;
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *v = &deformable->velocities[i];
        v->x = v->y = v->z = 0.0f;
    }
}

void pli_world_fall_asleep(pli_world *world, float dt)
{
    float slow = world->settings.sleep_speed;
    for (int32_t i = 0; i < world->deformables.count && slow > 0.0f; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        bool still = !is_led(deformable) && fastest(deformable) < slow;
        deformable->still_time = still ? deformable->still_time + (double)dt : 0.0;
        deformable->idle = deformable->still_time >= SLEEP_TIME;
    }
    if (slow > 0.0f)
        unmark_touched(world, dt, true);
    for (int32_t i = 0; i < world->deformables.count && slow > 0.0f; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        bool rests = deformable->idle && !deformable->def.paused;
        if (rests && !deformable->asleep) {
            fall_asleep(world, deformable);
            deformable->idle = false; // It took part in this step.
        } else if (!rests && deformable->asleep)
            wake(deformable);
    }
}

/* ---- public ------------------------------------------------------------------------------------- */

pli_status pli_deformable_set_paused(pli_world *world, pli_deformable handle, bool paused, pli_error *error)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if (deformable->def.paused != paused)
        pli_collision_expect_intersections(&world->collision);
    deformable->def.paused = paused;
    return pli_succeed(error);
}

pli_status pli_deformable_wake(pli_world *world, pli_deformable handle, pli_error *error)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    wake(deformable);
    return pli_succeed(error);
}

bool pli_deformable_is_asleep(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable && deformable->asleep;
}
