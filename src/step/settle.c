// Finds the rest state by kinetic damping.
//
//   Day 1965, An introduction to dynamic relaxation; Barnes 1999, Form finding and analysis of tension structures by dynamic relaxation.
//
// A structure that is released gains kinetic energy until it passes through its equilibrium. Velocities are then set to 0, and it starts
// again closer to the equilibrium, along the remaining slower motions.
#include "base/error.h"
#include "model/model.h"
#include "particles/history.h"
#include "particles/publish.h"
#include "pliant/placing.h"

#include <math.h>

// Number of steps during which no particle may be faster, so that a structure that was just released does not count as at rest.
enum { STILL_STEPS = 10 };

typedef struct settle_motion {
    double energy, speed; // Kinetic energy of the particles [J], and the speed of the fastest [m/s].
} settle_motion;

static settle_motion fastest_motion_of(const pli_world *world)
{
    settle_motion found = {0.0, 0.0};
    for (int32_t b = 0; b < world->deformables.count; b++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, b);
        for (int32_t i = 0; i < deformable->count; i++) {
            const pli_particle v = deformable->velocities[i];
            const double x = (double)v.x, y = (double)v.y, z = (double)v.z, square = x * x + y * y + z * z;
            if (!(deformable->particles[i].w > 0.0f))
                continue;
            found.energy += 0.5 * square / (double)deformable->particles[i].w;
            found.speed = fmax(found.speed, square);
        }
    }
    found.speed = sqrt(found.speed);
    return found;
}

static void stop(pli_world *world)
{
    for (int32_t b = 0; b < world->deformables.count; b++) {
        pli_deformable_data *deformable = pli_deformable_at(world, b);
        for (int32_t i = 0; i < deformable->count; i++)
            deformable->velocities[i].x = deformable->velocities[i].y = deformable->velocities[i].z = 0.0f;
        pli_features_jump(deformable);
        pli_deformable_publish_all(world, deformable);
    }
}

static pli_status check_settle(float dt, float speed, int32_t max_steps, pli_error *error)
{
    if (!(dt > 0.0f && isfinite(dt)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "settling: the step is %g s; it must be above 0",
                        (double)dt);
    if (!(speed > 0.0f && isfinite(speed)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "settling: the speed is %g m/s; it must be above 0",
                        (double)speed);
    if (max_steps < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "settling: %d steps at most; it must be 1 or more",
                        (int)max_steps);
    return PLI_STATUS_OK;
}

pli_status pli_world_settle(pli_world *world, float dt, float speed, int32_t max_steps, pli_settled *settled,
                            pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL);
    pli_status status = check_settle(dt, speed, max_steps, error);
    if (status != PLI_STATUS_OK)
        return status;
    const double time = world->time;
    const int64_t steps = world->timing.step_count;
    pli_settled found = {.settled = false};
    double before = 0.0, energies[STILL_STEPS] = {0.0};
    for (int32_t still = 0; found.steps < max_steps && still < STILL_STEPS;) {
        status = pli_world_step(world, dt, error);
        if (status != PLI_STATUS_OK)
            break;
        world->time = time;
        const settle_motion now = fastest_motion_of(world);
        energies[found.steps++ % STILL_STEPS] = now.energy;
        found.speed = now.speed;
        still = now.speed < (double)speed ? still + 1 : 0;
        found.settled = still == STILL_STEPS;
        const bool passed = now.energy < before;
        if (passed)
            stop(world);
        before = passed ? 0.0 : now.energy;
    }
    if (found.steps > 0)
        stop(world);
    world->time = time, world->timing.step_count = steps;
    for (int32_t i = 0; i < STILL_STEPS; i++)
        found.kinetic_energy = fmax(found.kinetic_energy, energies[i]);
    if (settled)
        *settled = found;
    return status;
}
