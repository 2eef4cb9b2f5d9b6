// Places the origin of a world, and moves everything that depends on it.
//
//     |<-- reach -->|
//     O      .      |   *        the mean of the moving particles has left the reach of the origin O:
//     0     16      |  34   [m]  O moves to the nearest whole metre
//
// The rule treats each axis separately and depends only on the state: not on time, threads or earlier states. Shifts are whole metres, so
// a position that becomes closer to the origin is moved without rounding.
#include "world/moving_origin.h"

#include "model/handles.h"
#include "particles/publish.h"
#include "sweep/constraint_slots.h"

#define REACH 16.0
#define CELL 1.0
// The origin moves no further; cells are exactly representable far beyond this distance.
#define FARTHEST_ORIGIN 1e12
// Number of particles sampled for the mean, distributed over the deformables, and the minimum for each deformable.
enum { SAMPLES = 64, LEAST_SAMPLES = 4 };

static double next_on_axis(double origin, double middle)
{
    double there = origin + middle;
    if (fabs(middle) <= REACH || !(fabs(there) <= FARTHEST_ORIGIN))
        return origin;
    return fabs(there) <= REACH ? 0.0 : CELL * round(there / CELL);
}

static pli_dvec3 next_from(pli_dvec3 origin, pli_dvec3 middle)
{
    return (pli_dvec3){next_on_axis(origin.x, middle.x), next_on_axis(origin.y, middle.y),
                       next_on_axis(origin.z, middle.z)};
}

// The mean of the rigid bodies is used if no particle moves.
static pli_dvec3 middle_of_rigids(const pli_world *world, const pli_motion_of_objects *motion)
{
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < world->rigids.count; i++) {
        const pli_rigid_body_data *rigid = pli_rigid_at(world, i);
        pli_dvec3 at = rigid->now.pose.centre;
        at = motion ? motion->rigid(motion->user, rigid, at) : at;
        sum = pli_dadd(sum, pli_dscale(at, 1.0 / world->rigids.count));
    }
    return sum;
}

// A mean over moving particles, instead of the centre of their bounding box, so that a scrap that flies off does not pull the origin
// along.
static pli_dvec3 motion_middle_of(const pli_world *world, const pli_motion_of_objects *motion)
{
    pli_dvec3 sum = {0, 0, 0};
    double weight = 0.0;
    for (int32_t b = 0; b < world->deformables.count; b++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, b);
        int32_t samples = SAMPLES / world->deformables.count;
        samples = samples < LEAST_SAMPLES ? LEAST_SAMPLES : samples;
        samples = samples < deformable->count ? samples : deformable->count;
        double share = samples > 0 ? (double)deformable->count / samples : 0.0;
        for (int32_t k = 0; k < samples; k++) {
            const pli_particle *p = &deformable->particles[(int64_t)k * deformable->count / samples];
            if (p->w == 0.0f)
                continue;
            pli_dvec3 at = pli_widened(pli_position_of(p));
            at = motion ? motion->particle(motion->user, deformable, at) : at;
            sum = pli_dadd(sum, pli_dscale(at, share));
            weight += share;
        }
    }
    return weight > 0.0 ? pli_dscale(sum, 1.0 / weight) : middle_of_rigids(world, motion);
}

static bool is_zero(pli_dvec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

pli_dvec3 pli_world_origin_after(const pli_world *world, const pli_motion_of_objects *motion)
{
    return world->settings.origin == PLI_ORIGIN_AUTO ? next_from(world->origin, motion_middle_of(world, motion))
                                                     : world->origin;
}

bool pli_world_choose_origin(pli_world *world)
{
    world->origins.next = pli_world_origin_after(world, NULL);
    return is_zero(world->origins.next) || pli_world_reserve_published(world);
}

// All data that depend on the origin are derived again: vertices of colliders, their cached contact data, and targets.
void pli_world_take_origin(pli_world *world, pli_dvec3 origin)
{
    world->origin = origin;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = pli_collider_at(world, i);
        bool lags_far = collider->lags_far;
        pli_collider_forget_place(collider);
        collider->lags_far = lags_far;
    }
    for (int32_t i = 0; i < world->sets.count; i++)
        pli_constraints_place_targets(world, pli_constraints_data_at(world, i));
}

static void shift_origin_particles(pli_particle *particles, int32_t count, pli_dvec3 by)
{
    for (int32_t i = 0; i < count; i++) {
        pli_vec3 at = pli_rounded(pli_dsub(pli_widened(pli_position_of(&particles[i])), by));
        particles[i].x = at.x, particles[i].y = at.y, particles[i].z = at.z;
    }
}

static void shift_rigid(pli_rigid_body_data *rigid, pli_dvec3 by)
{
    pli_dvec3 *centres[] = {&rigid->now.pose.centre, &rigid->previous.centre, &rigid->placed_pose.centre,
                            &rigid->target.centre};
    for (size_t i = 0; i < sizeof centres / sizeof *centres; i++)
        *centres[i] = pli_dsub(*centres[i], by);
}

// Colliders that trail their pose stay where they are in the application's coordinates.
static void shift_lags(const pli_world *world, pli_dvec3 by)
{
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_dvec3 *at = &pli_collider_at(world, i)->far_lag.position;
        *at = pli_dsub(*at, by);
    }
}

static void move_origin(pli_world *world, pli_dvec3 origin)
{
    pli_dvec3 by = pli_dsub(origin, world->origin);
    if (is_zero(by))
        return;
    shift_origin_particles(world->store.particles, world->store.count, by);
    shift_origin_particles(world->store.previous, world->store.count, by);
    for (int32_t i = 0; i < world->rigids.count; i++)
        shift_rigid(pli_rigid_at(world, i), by);
    shift_lags(world, by);
    pli_world_take_origin(world, origin);
}

void pli_world_enter_origin(pli_world *world) { move_origin(world, world->origins.next); }

void pli_world_restore_origin(pli_world *world)
{
    const pli_dvec3 by = pli_dsub(world->origins.good, world->origin);
    if (is_zero(by))
        return;
    shift_lags(world, by);
    pli_world_take_origin(world, world->origins.good);
}

void pli_world_begin_origin(pli_world *world, pli_dvec3 low, pli_dvec3 high)
{
    const double least[3] = {low.x, low.y, low.z}, most[3] = {high.x, high.y, high.z};
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = least[k] <= REACH && most[k] >= -REACH ? 0.0 : 0.5 * (least[k] + most[k]);
    if (world->settings.origin == PLI_ORIGIN_AUTO)
        move_origin(world, next_from(world->origin, pli_dmake(middle)));
}

/* ---- asked for by the host --------------------------------------------------------------------- */

void pli_world_get_origin(const pli_world *world, double origin[3])
{
    origin[0] = world->origin.x, origin[1] = world->origin.y, origin[2] = world->origin.z;
}

static pli_status check_point(const double point[3], const char *what, pli_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(point[k]) <= FARTHEST_ORIGIN))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s's coordinate %d is %g; it must be within %g m",
                            what, k, point[k], FARTHEST_ORIGIN);
    return pli_succeed(error);
}

static void publish_all(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        pli_deformable_publish_jump(world, deformable, 0, deformable->count);
    }
}

pli_status pli_world_set_origin(pli_world *world, const double origin[3], pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_dvec3 cell = {CELL * round(origin[0] / CELL), CELL * round(origin[1] / CELL), CELL * round(origin[2] / CELL)};
    pli_status status = check_point(origin, "origin", error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!is_zero(cell) && !pli_world_reserve_published(world))
        return pli_fail_memory(error);
    move_origin(world, cell);
    publish_all(world);
    return status;
}

static void shift_pose(pli_transform *pose, pli_dvec3 by)
{
    pose->position = pli_rounded(pli_dadd(pli_widened(pose->position), by));
}

pli_status pli_world_shift(pli_world *world, const double offset[3], pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_dvec3 by = pli_dmake(offset), origin = pli_dadd(world->origin, by);
    const double there[3] = {origin.x, origin.y, origin.z};
    pli_status status = check_point(offset, "offset", error);
    if (status == PLI_STATUS_OK)
        status = check_point(there, "origin", error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!is_zero(origin) && !pli_world_reserve_published(world))
        return pli_fail_memory(error);
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = pli_collider_at(world, i);
        if (!collider->rigid)
            shift_pose(&collider->def.pose, by), shift_pose(&collider->next, by);
    }
    for (int32_t i = 0; i < world->attachments.count; i++)
        shift_pose(&pli_attachment_at(world, i)->pose, by), shift_pose(&pli_attachment_at(world, i)->next, by);
    pli_world_take_origin(world, origin);
    publish_all(world);
    // Poses are floats, so rounding may have moved colliders.
    pli_collision_expect_intersections(&world->collision);
    return status;
}
