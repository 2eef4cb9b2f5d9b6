// Sleep at rest, and waking by touch. A deformable whose particles have all been slower than the settings' sleep_speed for half
// a second sleeps, unless something that moves is near; then both, and what lies near them, are awake:
//
//     at rest   at rest   moves            at rest   at rest
//     [  A  ]...[  B  ]...[  C  ]          [  A  ]...[  B  ]          boxes that meet are joined: left all are awake,
//                                                                     right both sleep
//
// All is decided from the state alone, by boxes in the order of creation, so that it depends neither on threads nor on time.
// A sleeper takes no part in a step: it costs one test of boxes for each thing that moves.
#include "apart/sleep.h"

#include "apart/extent.h"
#include "model/handles.h"

#include <string.h>

// Time at rest before sleep [s].
#define SLEEP_TIME 0.5

static void wake(pli_deformable_data *deformable)
{
    deformable->asleep = false;
    deformable->still_time = 0.0;
}

// The extent of one that sleeps is known since it fell asleep.
static pli_extent extent_now(const pli_world *world, const pli_deformable_data *deformable, float dt)
{
    if (!deformable->asleep)
        return pli_extent_of(world, deformable, dt);
    return (pli_extent){deformable->asleep_low, deformable->asleep_high, deformable->def.layers, deformable->def.mask};
}

// Takes the mark from deformables that meet the extent, and notes them; returns how many are noted then.
static int32_t unmark(pli_world *world, float dt, const pli_extent *from, int32_t noted)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *other = pli_deformable_at(world, i);
        if (!other->idle || other->def.paused)
            continue;
        pli_extent e = extent_now(world, other, dt);
        if (!pli_extents_meet(from, &e))
            continue;
        other->idle = false;
        world->islands[noted++] = i;
    }
    return noted;
}

// Takes it from all that meet the extent, from all that meet those, and so on.
static void spread(pli_world *world, float dt, const pli_extent *from)
{
    for (int32_t noted = unmark(world, dt, from, 0); noted > 0;) {
        pli_extent e = extent_now(world, pli_deformable_at(world, world->islands[--noted]), dt);
        noted = unmark(world, dt, &e, noted);
    }
}

// Whether a body stays where it is for the step: nothing can push it, it has no velocity, and the host has not said where it
// shall go. A host that acts within steps may move any.
static bool stays(const pli_world *world, const pli_rigid_body_data *rigid)
{
    const pli_dvec3 *v[] = {&rigid->now.velocity, &rigid->now.spin, &rigid->acceleration};
    double sum = 0.0;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        sum += pli_dlength(*v[i]);
    return !world->host_runs && !world->host && !pli_rigid_is_movable(rigid) && !rigid->approaching && !(sum > 0.0);
}

// Whether a frame moves what it holds, or a rigid body may.
static bool is_led(const pli_world *world, const pli_deformable_data *deformable)
{
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (a->rigid ? !stays(world, a->rigid) : memcmp(&a->pose, &a->next, sizeof a->pose) != 0)
            return true;
    return false;
}

// Whether a collider may move in the next step; `done`: or has moved in the one that ends.
static bool moves(const pli_world *world, int32_t i, bool done)
{
    const pli_collider_data *collider = pli_collider_at(world, i);
    if (collider->rigid)
        return !stays(world, collider->rigid);
    return pli_collider_moves(collider) || (done && !world->shapes[i].rests);
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
        pli_extent e = extent_now(world, deformable, dt);
        spread(world, dt, &e);
    }
    for (int32_t i = 0; any && i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (!moves(world, i, done))
            continue;
        pli_extent e = pli_extent_of_collider(world, collider, dt);
        spread(world, dt, &e);
    }
}

void pli_world_choose_idle(pli_world *world, float dt)
{
    bool stirred = world->collision.stirred || !(world->settings.sleep_speed > 0.0f);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (stirred || deformable->forced || is_led(world, deformable))
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
    const pli_extent e = pli_extent_of(world, deformable, 0.0f);
    deformable->asleep = true;
    if (deformable->history)
        deformable->history->step = 0.0f;
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
        bool still = !is_led(world, deformable) && pli_deformable_fastest(deformable) < slow;
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
