// Joints, limits and motors.
#include "joint.h"

#include "body.h"
#include "pointer_list.h"

#include <stdlib.h>

pli_ode_joint_def pli_ode_joint_def_default(void)
{
    return (pli_ode_joint_def){.axis = {0, 1, 0}, .second_axis = {1, 0, 0}, .minimum = -INFINITY, .maximum = INFINITY};
}

static bool has_motor(pli_ode_joint_type type) { return type == PLI_ODE_HINGE || type == PLI_ODE_SLIDER; }

static pli_status wrong(pli_error *error, const pli_ode_joint_def *def, const char *text)
{
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "a joint of the type %s: %s",
                    pli_choice_name("joint", (int32_t)def->type), text);
}

// Infinite limits are no limits.
static bool turn_too_far(float limit) { return isfinite(limit) && fabsf(limit) > 3.14160f; }

static pli_status check(const pli_ode_joint_def *def, pli_error *error)
{
    vec axis = vec_of(def->axis), second = vec_of(def->second_axis), anchor = vec_of(def->anchor);
    bool turned = def->type != PLI_ODE_BALL && def->type != PLI_ODE_FIXED;
    if ((unsigned)def->type >= PLI_ODE_JOINT_COUNT)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "joint type %d is none of pli_ode_joint_type",
                        (int)def->type);
    if (!isfinite(vec_length(axis) + vec_length(second) + vec_length(anchor)))
        return wrong(error, def, "the anchor and axes must be finite");
    if (turned && !(vec_length(axis) > 0.0))
        return wrong(error, def, "the axis is zero; give a direction");
    if (def->type == PLI_ODE_UNIVERSAL && !(vec_length(vec_cross(vec_unit(axis), vec_unit(second))) > 1e-3))
        return wrong(error, def, "the axes must not be parallel or zero");
    if (!(def->minimum <= def->maximum))
        return wrong(error, def, "minimum must not be above maximum");
    if (def->type == PLI_ODE_HINGE && (turn_too_far(def->minimum) || turn_too_far(def->maximum)))
        return wrong(error, def, "its limits must lie within half a turn, -pi to pi");
    if (!isfinite(def->motor_speed) || !(def->motor_force >= 0.0f) || !isfinite(def->motor_force))
        return wrong(error, def, "motor_speed must be finite and motor_force 0 or more");
    bool limited = def->minimum > -INFINITY || def->maximum < INFINITY;
    if (!has_motor(def->type) && (limited || def->motor_force > 0.0f))
        return wrong(error, def, "only hinges and sliders have limits and motors");
    return pli_succeed(error);
}

static void set_parameter(const ode_joint *joint, int hinge, double value)
{
    if (joint->type == PLI_ODE_HINGE)
        dJointSetHingeParam(joint->joint, hinge, value);
    else
        dJointSetSliderParam(joint->joint, hinge, value);
}

static void set_motor(const ode_joint *joint, float speed, float force)
{
    set_parameter(joint, dParamVel, (double)speed);
    set_parameter(joint, dParamFMax, (double)force);
}

static void set_limits(const ode_joint *joint, const pli_ode_joint_def *def)
{
    // ODE rejects a limit beyond the other one, so the lower one is set again.
    set_parameter(joint, dParamLoStop, (double)def->minimum);
    set_parameter(joint, dParamHiStop, (double)def->maximum);
    set_parameter(joint, dParamLoStop, (double)def->minimum);
}

static dJointID make(dWorldID world, const pli_ode_joint_def *def, dBodyID body, dBodyID to)
{
    vec p = vec_of(def->anchor), a = vec_of(def->axis), b = vec_of(def->second_axis);
    dJointID joint = 0;
    switch (def->type) {
    case PLI_ODE_BALL:
        joint = dJointCreateBall(world, 0);
        dJointAttach(joint, body, to);
        dJointSetBallAnchor(joint, p.x, p.y, p.z);
        break;
    case PLI_ODE_HINGE:
        joint = dJointCreateHinge(world, 0);
        dJointAttach(joint, body, to);
        dJointSetHingeAnchor(joint, p.x, p.y, p.z);
        dJointSetHingeAxis(joint, a.x, a.y, a.z);
        break;
    case PLI_ODE_SLIDER:
        joint = dJointCreateSlider(world, 0);
        dJointAttach(joint, body, to);
        dJointSetSliderAxis(joint, a.x, a.y, a.z);
        break;
    case PLI_ODE_UNIVERSAL:
        joint = dJointCreateUniversal(world, 0);
        dJointAttach(joint, to, body);
        dJointSetUniversalAnchor(joint, p.x, p.y, p.z);
        dJointSetUniversalAxis1(joint, a.x, a.y, a.z);
        dJointSetUniversalAxis2(joint, b.x, b.y, b.z);
        break;
    default:
        joint = dJointCreateFixed(world, 0);
        dJointAttach(joint, body, to);
        dJointSetFixed(joint);
    }
    return joint;
}

pli_status pli_ode_joint_create(pli_ode *ode, const pli_ode_joint_def *def, pli_ode_joint *result, pli_error *error)
{
    pli_status status = check(def, error);
    ode_body *body = status == PLI_STATUS_OK ? ode_body_find(ode, def->body, error) : NULL;
    ode_body *to = body && def->other_body.id ? ode_body_find(ode, def->other_body, error) : NULL;
    if (status != PLI_STATUS_OK)
        return status;
    if (!body || (def->other_body.id && !to))
        return PLI_STATUS_NOT_FOUND;
    if (body == to)
        return wrong(error, def, "it holds a body to itself");
    ode_joint *joint = calloc(1, sizeof *joint);
    if (!joint || !ode_reserve(&ode->joints, ode->joint_count)) {
        free(joint);
        return ode_fail_memory(error);
    }
    ode_bodies_read(ode);
    *joint = (ode_joint){++ode->last_joint, def->type, body, to, NULL};
    joint->joint = make(ode->id, def, body->id, to ? to->id : 0);
    if (has_motor(def->type)) {
        set_limits(joint, def);
        set_motor(joint, def->motor_speed, def->motor_force);
    }
    ode->joints[ode->joint_count++] = joint;
    ode_joints_stir(ode);
    *result = (pli_ode_joint){joint->id, body->proxy.world};
    return pli_succeed(error);
}

static void stir(const pli_ode *ode, const ode_body *body)
{
    if (body && !body->fixed)
        pli_rigid_body_wake(ode->world, body->proxy, NULL);
}

void ode_joints_stir(pli_ode *ode)
{
    for (int32_t i = 0; i < ode->joint_count; i++) {
        stir(ode, ode->joints[i]->body);
        stir(ode, ode->joints[i]->to);
    }
}

void ode_joint_remove(pli_ode *ode, ode_joint *joint)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < ode->joint_count; i++)
        if (ode->joints[i] != joint)
            ode->joints[kept++] = ode->joints[i];
    ode->joint_count = kept;
    dJointDestroy(joint->joint);
    free(joint);
}

static ode_joint *find(const pli_ode *ode, pli_ode_joint handle, pli_error *error)
{
    for (int32_t i = 0; i < ode->joint_count; i++)
        if (ode->joints[i]->id == handle.id && ode->joints[i]->body->proxy.world == handle.world)
            return ode->joints[i];
    pli_fail(error, PLI_STATUS_NOT_FOUND, "there is no joint %u", (unsigned)handle.id);
    return NULL;
}

static ode_joint *find_motor(const pli_ode *ode, pli_ode_joint handle, pli_status *status, pli_error *error)
{
    ode_joint *joint = find(ode, handle, error);
    *status = joint ? PLI_STATUS_OK : PLI_STATUS_NOT_FOUND;
    if (joint && !has_motor(joint->type))
        *status = pli_fail(error, PLI_STATUS_UNSUPPORTED,
                           "only hinges and sliders have a motor and a place; this is a %s",
                           pli_choice_name("joint", (int32_t)joint->type));
    return *status == PLI_STATUS_OK ? joint : NULL;
}

pli_status pli_ode_joint_destroy(pli_ode *ode, pli_ode_joint handle, pli_error *error)
{
    ode_joint *joint = find(ode, handle, error);
    if (!joint)
        return PLI_STATUS_NOT_FOUND;
    ode_joint_remove(ode, joint);
    return pli_succeed(error);
}

pli_status pli_ode_joint_set_motor(pli_ode *ode, pli_ode_joint handle, float speed, float force, pli_error *error)
{
    pli_status status;
    const ode_joint *joint = find_motor(ode, handle, &status, error);
    if (!joint)
        return status;
    if (!isfinite(speed) || !(force >= 0.0f) || !isfinite(force))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "a motor of speed %g and force %g: the speed must be finite "
                        "and the force 0 or more",
                        (double)speed, (double)force);
    set_motor(joint, speed, force);
    return pli_succeed(error);
}

pli_status pli_ode_joint_get_state(pli_ode *ode, pli_ode_joint handle, float *value, float *rate, pli_error *error)
{
    pli_status status;
    const ode_joint *joint = find_motor(ode, handle, &status, error);
    if (!joint)
        return status;
    ode_bodies_read(ode);
    bool hinge = joint->type == PLI_ODE_HINGE;
    *value = (float)(hinge ? dJointGetHingeAngle(joint->joint) : dJointGetSliderPosition(joint->joint));
    *rate = (float)(hinge ? dJointGetHingeAngleRate(joint->joint) : dJointGetSliderPositionRate(joint->joint));
    return pli_succeed(error);
}
