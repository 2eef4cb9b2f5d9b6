// The ODE world that accompanies a Pliant world: created, stepped in every substep, and destroyed with it.
#include "adapter.h"

#include "body.h"
#include "collide.h"
#include "geom.h"
#include "joint.h"
#include "pointer_list.h"

#include <pthread.h>
#include <stdlib.h>

// Overlaps are not pushed apart faster than this [m/s].
static const double parting_speed = 1.0;

// Sweeps of the iterative solver, used where the exact one found no solution.
static const int rescue_iterations = 100;

// ODE has one state per process: its initialisation count, its message handler, and
// the random numbers with which its iterative solver orders constraints.
static pthread_mutex_t whole_process = PTHREAD_MUTEX_INITIALIZER;
static int users;
static dMessageFunction *said_before;
static _Thread_local bool listening, stuck;

pli_ode_def pli_ode_def_default(void) { return (pli_ode_def){.error_reduction = 0.2f, .overlap = 1e-4f}; }

// The exact solver reports with a message when friction makes it cycle; other messages go to the previous handler.
static void listen(int number, const char *text, va_list values)
{
    if (listening)
        stuck = true;
    else if (said_before)
        said_before(number, text, values);
}

static void begin_ode(void)
{
    pthread_mutex_lock(&whole_process);
    if (users++ == 0) {
        dInitODE2(0);
        said_before = dGetMessageHandler();
        dSetMessageHandler(listen);
    }
    pthread_mutex_unlock(&whole_process);
}

static void end_ode(void)
{
    pthread_mutex_lock(&whole_process);
    if (--users == 0) {
        dSetMessageHandler(said_before);
        dCloseODE();
    }
    pthread_mutex_unlock(&whole_process);
}

vec ode_free_spin(const ode_body *body, vec spin, double step)
{
    turn q = body->where.rotation;
    vec local = turn_apply(turn_conjugate(q), spin);
    vec momentum = turn_apply(q, symmetric_apply(body->mass.inertia, local)), result = spin;
    for (int i = 0; i < 4; i++) {
        vec half = vec_scale(result, 0.5 * step);
        turn change = turn_product((turn){half.x, half.y, half.z, 0}, q);
        turn next = turn_unit((turn){q.x + change.x, q.y + change.y, q.z + change.z, q.w + change.w});
        vec there = turn_apply(turn_conjugate(next), momentum);
        result = turn_apply(next, symmetric_apply(body->inverse_inertia, there));
    }
    return result;
}

static void spin_freely(pli_ode *ode, double step)
{
    for (int32_t i = 0; i < ode->body_count; i++) {
        ode_body *body = ode->bodies[i];
        if (!ode_body_moves(body))
            continue;
        vec spin = ode_free_spin(body, vec_of(body->state.angular_velocity), step);
        dBodySetAngularVel(body->id, spin.x, spin.y, spin.z);
    }
}

static void solve_by_sweeps(pli_ode *ode, double step, int iterations)
{
    pthread_mutex_lock(&whole_process);
    dWorldSetQuickStepNumIterations(ode->id, iterations);
    dRandSetSeed(0);
    dWorldQuickStep(ode->id, step);
    pthread_mutex_unlock(&whole_process);
}

// True unless the exact solver found no solution.
static bool solve_exactly(pli_ode *ode, double step)
{
    stuck = false;
    listening = true;
    dWorldStep(ode->id, step);
    listening = false;
    return !stuck;
}

static void solve(pli_ode *ode, double step)
{
    if (ode->def.iterations > 0) {
        solve_by_sweeps(ode, step, ode->def.iterations);
    } else if (!solve_exactly(ode, step)) {
        ode_bodies_read(ode);
        spin_freely(ode, step);
        solve_by_sweeps(ode, step, rescue_iterations);
    }
}

static bool any_moves(const pli_ode *ode)
{
    for (int32_t i = 0; i < ode->body_count; i++)
        if (ode_body_moves(ode->bodies[i]))
            return true;
    return false;
}

static void substep(void *user, pli_world *world, float step)
{
    pli_ode *ode = user;
    pli_vec3 gravity = pli_world_settings(world).gravity;
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    // Values that are not finite are detected by the world at the end of the step.
    ode_joints_stir(ode);
    if (!ode_bodies_read(ode) || !any_moves(ode))
        return;
    dWorldSetGravity(ode->id, (double)gravity.x, (double)gravity.y, (double)gravity.z);
    ode->gravity = vec_length(vec_of(gravity));
    ode_geoms_place(ode);
    spin_freely(ode, (double)step);
    ode_collide(ode, (double)step);
    solve(ode, (double)step);
    dJointGroupEmpty(ode->contacts);
    ode_bodies_write(ode);
}

static void destroy(void *thing)
{
    pli_ode *ode = thing;
    while (ode->joint_count > 0)
        ode_joint_remove(ode, ode->joints[ode->joint_count - 1]);
    while (ode->body_count > 0)
        ode_body_remove(ode, ode->bodies[ode->body_count - 1]);
    while (ode->geom_count > 0)
        ode_geom_remove(ode, ode->geoms[ode->geom_count - 1]);
    dJointGroupDestroy(ode->contacts);
    dWorldDestroy(ode->id);
    free(ode->bodies);
    free(ode->geoms);
    free(ode->sweep);
    free(ode->joints);
    free(ode->support_contacts);
    free(ode);
    end_ode();
}

static pli_status check(const pli_ode_def *def, pli_error *error)
{

    if (def->iterations < 0 || def->iterations > 10000)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "iterations is %d; it must be 0 to 10000",
                        (int)def->iterations);
    if (!(def->error_reduction >= 0.0f && def->error_reduction <= 1.0f))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "error_reduction is %g; it must be 0 to 1",
                        (double)def->error_reduction);
    if (!(def->overlap >= 0.0f) || !isfinite(def->overlap))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "overlap is %g m; it must be 0 or more",
                        (double)def->overlap);
    return pli_succeed(error);
}

pli_status pli_ode_create(pli_world *world, const pli_ode_def *def, pli_ode **result, pli_error *error)
{
    *result = NULL;
    pli_status status = check(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_ode *ode = calloc(1, sizeof *ode);
    if (!ode)
        return ode_fail_memory(error);
    begin_ode();
    ode->world = world;
    ode->def = *def;
    ode->id = dWorldCreate();
    ode->contacts = dJointGroupCreate(0);
    dWorldSetERP(ode->id, (double)def->error_reduction);
    dWorldSetContactSurfaceLayer(ode->id, (double)def->overlap);
    dWorldSetContactMaxCorrectingVel(ode->id, parting_speed);
    status = pli_world_own(world, ode, destroy, error);
    if (status != PLI_STATUS_OK) {
        destroy(ode);
        return status;
    }
    pli_world_set_substep_callback(world, substep, ode);
    *result = ode;
    return pli_succeed(error);
}

pli_status pli_ode_collider_add(pli_ode *ode, pli_collider collider, pli_error *error)
{
    pli_collider_def def;
    ode_geom *geom;
    pli_status status = pli_collider_get_def(ode->world, collider, &def, error);
    if (status == PLI_STATUS_OK && def.body.id != 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "this collider is carried by a body; it is one of its shapes");
    if (status == PLI_STATUS_OK)
        status = ode_geom_create(&def, &geom, error);
    if (status != PLI_STATUS_OK)
        return status;
    geom->collider = collider;
    if (!ode_geom_add(ode, geom)) {
        ode_geom_free(geom);
        return ode_fail_memory(error);
    }
    for (int32_t i = 0; i < ode->body_count; i++)
        pli_rigid_body_wake(ode->world, ode->bodies[i]->proxy, NULL);
    return pli_succeed(error);
}
