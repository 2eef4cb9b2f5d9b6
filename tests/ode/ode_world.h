// Short functions to create bodies and to read them.
#ifndef PLIANT_TESTS_ODE_WORLD_H
#define PLIANT_TESTS_ODE_WORLD_H

#include <pliant/ode.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNUSED __attribute__((unused))

static pli_error problem;

static UNUSED void must(pli_status status)
{
    if (status != PLI_STATUS_OK)
        fail_msg("%s", problem.message);
}

static UNUSED void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.9g, expected %.9g within %.3g", found, expected, tolerance);
}

typedef struct stage {
    pli_world *world;
    pli_ode *ode;
} stage;

static UNUSED stage make_stage(bool gravity, int32_t threads)
{
    stage s;
    pli_world_def def = pli_world_def_default();
    pli_ode_def ode = pli_ode_def_default();
    if (!gravity)
        def.settings.gravity = (pli_vec3){0, 0, 0};
    def.thread_count = threads;
    must(pli_world_create(&def, &s.world, &problem));
    must(pli_ode_create(s.world, &ode, &s.ode, &problem));
    return s;
}

static UNUSED pli_collider_def shape_of(pli_shape shape, float size)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape;
    def.radius = size;
    def.half_height = size;
    def.half_extents = (pli_vec3){size, size, size};
    return def;
}

static UNUSED pli_transform at(float x, float y, float z)
{
    pli_transform pose = pli_transform_identity();
    pose.position = (pli_vec3){x, y, z};
    return pose;
}

static UNUSED pli_transform turned(pli_transform pose, pli_vec3 axis, double angle)
{
    float s = (float)sin(0.5 * angle);
    pose.rotation = (pli_quat){s * axis.x, s * axis.y, s * axis.z, (float)cos(0.5 * angle)};
    return pose;
}

static UNUSED pli_ode_body_def body_of(const pli_collider_def *shape, float mass, pli_transform pose)
{
    pli_ode_body_def def = pli_ode_body_def_default();
    def.shapes = shape;
    def.shape_count = 1;
    def.mass = mass;
    def.pose = pose;
    return def;
}

static UNUSED pli_rigid_body add_body(stage s, const pli_ode_body_def *def)
{
    pli_rigid_body body;
    must(pli_ode_body_create(s.ode, def, &body, &problem));
    return body;
}

static UNUSED pli_rigid_body drop(stage s, pli_shape shape, float size, float mass, pli_transform pose)
{
    pli_collider_def collider = shape_of(shape, size);
    pli_ode_body_def def = body_of(&collider, mass, pose);
    return add_body(s, &def);
}

// A collider of the world that bodies touch.
static UNUSED pli_collider ground(stage s, const pli_collider_def *def)
{
    pli_collider collider;
    must(pli_collider_create(s.world, def, &collider, &problem));
    must(pli_ode_collider_add(s.ode, collider, &problem));
    return collider;
}

static UNUSED void run(stage s, double seconds)
{
    int32_t count = (int32_t)lround(seconds * 60.0);
    for (int32_t i = 0; i < count; i++)
        must(pli_world_step(s.world, 1.0f / 60.0f, &problem));
}

static UNUSED pli_rigid_state state_of(stage s, pli_rigid_body body)
{
    pli_rigid_state state;
    must(pli_rigid_body_get_state(s.world, body, &state, &problem));
    return state;
}

static UNUSED double speed_of(pli_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

#endif
