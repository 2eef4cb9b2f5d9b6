// Sleep at rest, and waking by touch. A deformable sleeps once all of its particles have been slower than the settings' sleep_speed
// for half a second, unless a moving object is near. Then both objects, and all objects near them, are awake:
//
//     at rest   at rest   moves            at rest   at rest
//     [  A  ]...[  B  ]...[  C  ]          [  A  ]...[  B  ]          overlapping boxes are joined: left all are awake,
//                                                                     right both sleep
//
// Rigid bodies are joined in the same way by the boxes of their colliders, and to deformables by attachments, so that a ball sleeps
// with the cloth that it lies on. An immovable body joins nothing: like a collider, it rests or wakes the objects near it.
//
// The result depends only on the state, by boxes in the order of creation, so it depends neither on threads nor on timing.
// A sleeping object takes no part in a step: it costs one box test for each moving object.
#include "step/sleep.h"

#include "step/extent.h"
#include "model/handles.h"
#include "particles/held_back.h"

#include <string.h>

// Time at rest before sleep [s].
#define SLEEP_TIME 0.5

static void wake(pli_deformable_data *deformable)
{
    deformable->sleep->asleep = false;
    deformable->sleep->still_time = 0.0;
}

// The extent of a sleeping deformable was stored when it fell asleep.
static pli_extent extent_now(const pli_world *world, const pli_deformable_data *deformable, float dt)
{
    if (!deformable->sleep->asleep)
        return pli_extent_of(world, deformable, dt);
    return (pli_extent){deformable->sleep->low, deformable->sleep->high, deformable->def.layers, deformable->def.mask};
}

// Objects are numbered: deformables, then rigid bodies. Removes the idle mark of one and notes it. Returns the number of noted objects.
static int32_t unmark_deformable(pli_world *world, int32_t i, int32_t noted)
{
    pli_deformable_data *deformable = pli_deformable_at(world, i);
    if (!deformable->idle || deformable->def.paused)
        return noted;
    deformable->idle = false;
    world->coupling.islands[noted++] = i;
    return noted;
}

static int32_t unmark_rigid(pli_world *world, pli_rigid_body_data *rigid, int32_t noted)
{
    if (!rigid->idle || !pli_rigid_is_movable(rigid))
        return noted;
    rigid->idle = false;
    world->coupling.islands[noted++] = world->deformables.count + rigid->number;
    return noted;
}

// Removes the mark of all objects that overlap the extent.
static int32_t unmark(pli_world *world, float dt, const pli_extent *from, int32_t noted)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *other = pli_deformable_at(world, i);
        if (!other->idle || other->def.paused)
            continue;
        const pli_extent e = extent_now(world, other, dt);
        if (pli_extents_meet(from, &e))
            noted = unmark_deformable(world, i, noted);
    }
    for (int32_t i = 0; i < world->colliders.count && world->rigids.count > 0; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (!collider->rigid || !collider->rigid->idle)
            continue;
        const pli_extent e = pli_extent_of_collider(world, collider, dt);
        if (pli_extents_meet(from, &e))
            noted = unmark_rigid(world, collider->rigid, noted);
    }
    return noted;
}

// Removes the mark of all objects that overlap a deformable, and of the bodies that it is attached to.
static int32_t unmark_near_deformable(pli_world *world, float dt, const pli_deformable_data *deformable, int32_t noted)
{
    const pli_extent e = extent_now(world, deformable, dt);
    noted = unmark(world, dt, &e, noted);
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (a->rigid && a->count > 0)
            noted = unmark_rigid(world, a->rigid, noted);
    return noted;
}

// Removes the mark of all objects that overlap a body, and of the deformables that are attached to it.
static int32_t unmark_near_rigid(pli_world *world, float dt, const pli_rigid_body_data *rigid, int32_t noted)
{
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (collider->rigid != rigid)
            continue;
        const pli_extent e = pli_extent_of_collider(world, collider, dt);
        noted = unmark(world, dt, &e, noted);
    }
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *a = pli_attachment_at(world, i);
        if (a->rigid == rigid && a->count > 0)
            noted = unmark_deformable(world, a->deformable->number, noted);
    }
    return noted;
}

// Removes the mark of all objects that overlap noted objects, then of the neighbours of these, and so on.
static void spread_wake(pli_world *world, float dt, int32_t noted)
{
    while (noted > 0) {
        const int32_t i = world->coupling.islands[--noted], rigid = i - world->deformables.count;
        noted = rigid < 0 ? unmark_near_deformable(world, dt, pli_deformable_at(world, i), noted)
                          : unmark_near_rigid(world, dt, pli_rigid_at(world, rigid), noted);
    }
}

// Whether a body stays in place for the step: it sleeps; or it is immovable, has no velocity, and the application has set no
// target for it. An application that acts within steps may move any body that is awake.
static bool stays(const pli_world *world, const pli_rigid_body_data *rigid)
{
    const pli_dvec3 *v[] = {&rigid->now.velocity, &rigid->now.spin, &rigid->acceleration};
    double sum = 0.0;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        sum += pli_dlength(*v[i]);
    return rigid->idle || (!world->callbacks.substep_runs && !world->callbacks.substep &&
                           !pli_rigid_is_movable(rigid) && !rigid->approaching && !(sum > 0.0));
}

// Whether a moving frame drives an attachment of the deformable.
static bool is_led(const pli_deformable_data *deformable)
{
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (!a->rigid && memcmp(&a->pose, &a->next, sizeof a->pose) != 0)
            return true;
    return false;
}

// Whether a collider that no body carries may move in the next step. With `done`, also whether it has moved in the current step.
static bool collider_can_move(const pli_world *world, int32_t i, bool done)
{
    const pli_collider_data *collider = pli_collider_at(world, i);
    return !collider->rigid && (pli_collider_moves(collider) || (done && !world->during.analytic.shapes[i].rests));
}

static bool any_is_idle(const pli_world *world)
{
    bool any = false;
    for (int32_t i = 0; i < world->deformables.count; i++)
        any = any || (pli_deformable_at(world, i)->idle && !pli_deformable_at(world, i)->def.paused);
    for (int32_t i = 0; i < world->rigids.count; i++)
        any = any || pli_rigid_at(world, i)->idle;
    return any;
}

// Removes the mark of every object that moving objects may reach within dt. `done`: the colliders have completed
// their motion of the step.
static void unmark_touched(pli_world *world, float dt, bool done)
{
    if (!any_is_idle(world))
        return;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle)
            spread_wake(world, dt, unmark_near_deformable(world, dt, pli_deformable_at(world, i), 0));
    for (int32_t i = 0; i < world->rigids.count; i++)
        if (!stays(world, pli_rigid_at(world, i)))
            spread_wake(world, dt, unmark_near_rigid(world, dt, pli_rigid_at(world, i), 0));
    for (int32_t i = 0; i < world->colliders.count; i++) {
        if (!collider_can_move(world, i, done))
            continue;
        const pli_extent e = pli_extent_of_collider(world, pli_collider_at(world, i), dt);
        spread_wake(world, dt, unmark(world, dt, &e, 0));
    }
}

// Wakes objects that were changed or may be touched, and marks all objects that take no part in the step as idle.
static pli_status choose_idle(pli_world *world, float dt, pli_error *error)
{
    (void)error;
    bool stirred = world->collision.stirred || !(world->settings.sleep_speed > 0.0f);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        deformable->number = i;
        if (stirred || deformable->painted.forced || is_led(deformable))
            wake(deformable);
        deformable->idle = deformable->sleep->asleep || deformable->def.paused;
    }
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_body_data *rigid = pli_rigid_at(world, i);
        rigid->number = i;
        if (stirred)
            pli_rigid_wake(rigid);
        rigid->idle = rigid->asleep;
    }
    unmark_touched(world, dt, false);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && pli_deformable_at(world, i)->sleep->asleep)
            wake(pli_deformable_at(world, i));
    for (int32_t i = 0; i < world->rigids.count; i++)
        if (!pli_rigid_at(world, i)->idle && pli_rigid_at(world, i)->asleep)
            pli_rigid_wake(pli_rigid_at(world, i));
    world->collision.stirred = false;
    return PLI_STATUS_OK;
}

static void fall_asleep(const pli_world *world, pli_deformable_data *deformable)
{
    const pli_extent e = pli_extent_of(world, deformable, 0.0f);
    deformable->sleep->asleep = true;
    pli_features_jump(deformable);
    deformable->sleep->low = e.low, deformable->sleep->high = e.high;
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *v = &deformable->velocities[i];
        v->x = v->y = v->z = 0.0f;
    }
}

// Marks bodies that have been slow everywhere for long enough, and bodies that slept through the step without being woken.
static void mark_still_rigids(pli_world *world, float dt)
{
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_at(world, i)->reach = 0.0;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (collider->rigid && !collider->rigid->idle)
            collider->rigid->reach = fmax(collider->rigid->reach, pli_collider_reach(collider));
    }
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_body_data *rigid = pli_rigid_at(world, i);
        if (rigid->idle) {
            rigid->idle = rigid->asleep;
            continue;
        }
        double speed = pli_dlength(rigid->now.velocity) + rigid->reach * pli_dlength(rigid->now.spin);
        bool still = !rigid->approaching && speed < (double)world->settings.sleep_speed;
        rigid->still_time = still ? rigid->still_time + (double)dt : 0.0;
        rigid->idle = rigid->still_time >= SLEEP_TIME;
    }
}

static void mark_still_deformables(pli_world *world, float dt)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        bool still = !is_led(deformable) && pli_deformable_fastest(deformable) < world->settings.sleep_speed &&
                     !pli_deformable_is_held_back(deformable);
        deformable->sleep->still_time = still ? deformable->sleep->still_time + (double)dt : 0.0;
        deformable->idle = deformable->sleep->still_time >= SLEEP_TIME;
    }
}

static void settle_rigids(pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_body_data *rigid = pli_rigid_at(world, i);
        if (rigid->idle && !rigid->asleep)
            pli_rigid_rest(rigid);
        else if (!rigid->idle && rigid->asleep)
            pli_rigid_wake(rigid);
        rigid->asleep = rigid->idle;
    }
}

// Objects that have been at rest for long enough fall asleep.
static void publish_sleep(pli_world *world, float dt)
{
    if (!(world->settings.sleep_speed > 0.0f))
        return;
    mark_still_deformables(world, dt);
    mark_still_rigids(world, dt);
    unmark_touched(world, dt, true);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        bool rests = deformable->idle && !deformable->def.paused;
        if (rests && !deformable->sleep->asleep) {
            fall_asleep(world, deformable);
            deformable->idle = false; // The deformable took part in this step.
        } else if (!rests && deformable->sleep->asleep)
            wake(deformable);
    }
    settle_rigids(world);
}

/* ---- public ------------------------------------------------------------------------------------- */

pli_status pli_deformable_set_paused(pli_world *world, pli_deformable handle, bool paused, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
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
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    wake(deformable);
    return pli_succeed(error);
}

bool pli_deformable_is_asleep(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable && deformable->sleep->asleep;
}

pli_status pli_rigid_body_wake(pli_world *world, pli_rigid_body handle, pli_error *error)
{
    pli_rigid_body_data *rigid = pli_rigid_get(world, handle, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_rigid_wake(rigid);
    return pli_succeed(error);
}

bool pli_rigid_body_is_asleep(const pli_world *world, pli_rigid_body handle)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, handle, NULL);
    return rigid && rigid->asleep;
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void pass_sleep(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    (void)world, (void)count;
    pli_sleep *sleep = deformable->sleep;
    double *values[] = {&sleep->still_time, &sleep->low.x,  &sleep->low.y, &sleep->low.z,
                        &sleep->high.x,     &sleep->high.y, &sleep->high.z};
    const bool asleep = pli_pass_condition(s, sleep->asleep);
    if (s->mode == PLI_STREAM_READ)
        sleep->asleep = asleep;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        pli_pass_double(s, values[i]);
}

const pli_feature pli_feature_sleep = {
    .name = "sleep",
    PLI_FEATURE_STATE(pli_sleep, sleep),
    .begin = choose_idle,
    .publish = publish_sleep,
    .pass = pass_sleep,
};
