// Forward kinematics of a walk: each limb swings about its joint's x axis, in the frame of its parent.
//
//            head                 y
//     ___shoulders___             |
//    |     torso     |            |      The character looks along +z; x is to its left.
//  upper   |   |   upper          +--- x
//  arm    hips      arm
//    |    |   |      |           Legs and arms swing against one another, twice a second.
// forearm thighs  forearm
//         shins
#include "bench/scenarios/character.h"

#include <math.h>
#include <stdlib.h>

typedef struct limb {
    int32_t parent;            // -1: the hips.
    pli_vec3 joint;            // In the frame of the parent [m].
    pli_vec3 centre;           // The capsule's, in the frame of the limb [m].
    float radius, half_height; // [m]
    float rest, swing, phase;  // The swing's angle [rad].
    bool lies;                 // Along x; else along y.
} limb;

static const limb hero[] = {
    {-1, {0.00f, 0.00f, 0.0f}, {0.0f, 0.25f, 0.0f}, 0.140f, 0.15f, 0.05f, 0.05f, 0.0f, false},
    {0, {0.00f, 0.48f, 0.0f}, {0.0f, 0.00f, 0.0f}, 0.070f, 0.16f, 0.0f, 0.0f, 0.0f, true},
    {0, {0.00f, 0.55f, 0.0f}, {0.0f, 0.13f, 0.0f}, 0.100f, 0.03f, 0.0f, 0.05f, 0.0f, false},
    {0, {-0.24f, 0.47f, 0.0f}, {0.0f, -0.14f, 0.0f}, 0.050f, 0.10f, 0.0f, 0.5f, 0.0f, false},
    {0, {0.24f, 0.47f, 0.0f}, {0.0f, -0.14f, 0.0f}, 0.050f, 0.10f, 0.0f, 0.5f, 3.1416f, false},
    {3, {0.00f, -0.28f, 0.0f}, {0.0f, -0.12f, 0.0f}, 0.040f, 0.09f, -0.4f, 0.2f, 0.0f, false},
    {4, {0.00f, -0.28f, 0.0f}, {0.0f, -0.12f, 0.0f}, 0.040f, 0.09f, -0.4f, 0.2f, 3.1416f, false},
    {-1, {-0.10f, 0.00f, 0.0f}, {0.0f, -0.22f, 0.0f}, 0.080f, 0.15f, 0.0f, 0.45f, 3.1416f, false},
    {-1, {0.10f, 0.00f, 0.0f}, {0.0f, -0.22f, 0.0f}, 0.080f, 0.15f, 0.0f, 0.45f, 0.0f, false},
    {7, {0.00f, -0.43f, 0.0f}, {0.0f, -0.22f, 0.0f}, 0.055f, 0.17f, 0.4f, 0.35f, 3.9f, false},
    {8, {0.00f, -0.43f, 0.0f}, {0.0f, -0.22f, 0.0f}, 0.055f, 0.17f, 0.4f, 0.35f, 0.8f, false},
};
static const limb extra[] = {
    {-1, {0.00f, 0.00f, 0.0f}, {0.0f, 0.25f, 0.0f}, 0.150f, 0.17f, 0.05f, 0.05f, 0.0f, false},
    {0, {0.00f, 0.48f, 0.0f}, {0.0f, 0.00f, 0.0f}, 0.080f, 0.18f, 0.0f, 0.0f, 0.0f, true},
    {-1, {-0.10f, 0.00f, 0.0f}, {0.0f, -0.42f, 0.0f}, 0.090f, 0.35f, 0.0f, 0.45f, 3.1416f, false},
    {-1, {0.10f, 0.00f, 0.0f}, {0.0f, -0.42f, 0.0f}, 0.090f, 0.35f, 0.0f, 0.45f, 0.0f, false},
};
static const struct {
    const limb *limbs;
    int32_t count;
} builds[] = {{hero, sizeof hero / sizeof *hero}, {extra, sizeof extra / sizeof *extra}};
enum { LIMBS_MAX = sizeof hero / sizeof *hero };

static const double hip_height = 0.95;         // [m]
static const double speed = 1.4, circle = 3.0; // Walking speed [m/s] and the circle's radius [m].
static const double ramp = 0.5;                // [s] until it has that speed.
static const double step_rate = 12.566;        // [rad/s] of the limbs.

struct bench_character {
    bench_build_of build;
    pli_vec3 place;
    double heading;
    pli_collider colliders[LIMBS_MAX];
};

static pli_quat quat_product(pli_quat a, pli_quat b)
{
    return (pli_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static pli_vec3 rotate(pli_quat q, pli_vec3 v)
{
    pli_quat turned = quat_product(quat_product(q, (pli_quat){v.x, v.y, v.z, 0.0f}), (pli_quat){-q.x, -q.y, -q.z, q.w});
    return (pli_vec3){turned.x, turned.y, turned.z};
}

pli_transform bench_transform_product(pli_transform outer, pli_transform inner)
{
    pli_vec3 p = rotate(outer.rotation, inner.position);
    return (pli_transform){{outer.position.x + p.x, outer.position.y + p.y, outer.position.z + p.z},
                           quat_product(outer.rotation, inner.rotation)};
}

// The frame between the hips: it starts slowly, and turns with the circle.
static pli_transform hips(const bench_character *c, double time)
{
    double gone = speed * (time < ramp ? time * time / (2.0 * ramp) : time - 0.5 * ramp), turn = gone / circle;
    pli_transform around = {{(float)(circle * (1.0 - cos(turn))), (float)hip_height, (float)(circle * sin(turn))},
                            {0.0f, (float)sin(0.5 * turn), 0.0f, (float)cos(0.5 * turn)}};
    pli_transform place = {c->place, {0.0f, (float)sin(0.5 * c->heading), 0.0f, (float)cos(0.5 * c->heading)}};
    return bench_transform_product(place, around);
}

static pli_transform limb_frame(const bench_character *c, int32_t i, double time)
{
    const limb *l = &builds[c->build].limbs[i];
    double share = time < ramp ? time / ramp : 1.0;
    double angle = share * ((double)l->rest + (double)l->swing * sin(step_rate * time + (double)l->phase));
    pli_transform bent = {l->joint, {(float)sin(0.5 * angle), 0.0f, 0.0f, (float)cos(0.5 * angle)}};
    pli_transform parent = l->parent < 0 ? hips(c, time) : limb_frame(c, l->parent, time);
    return bench_transform_product(parent, bent);
}

pli_transform bench_character_chest(const bench_character *c, double time) { return limb_frame(c, 0, time); }

static pli_transform capsule_pose(const bench_character *c, int32_t i, double time)
{
    const limb *l = &builds[c->build].limbs[i];
    const float half = 0.70710678f;
    pli_transform at = {l->centre, l->lies ? (pli_quat){0.0f, 0.0f, half, half} : (pli_quat){0.0f, 0.0f, 0.0f, 1.0f}};
    return bench_transform_product(limb_frame(c, i, time), at);
}

pli_status bench_character_create(pli_world *world, bench_build_of build, pli_vec3 place, double heading,
                                  bench_character **character, pli_error *error)
{
    bench_character *c = calloc(1, sizeof *c);
    *character = c;
    if (!c)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    *c = (bench_character){.build = build, .place = place, .heading = heading};
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < builds[build].count && status == PLI_STATUS_OK; i++) {
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_CAPSULE;
        def.radius = builds[build].limbs[i].radius;
        def.half_height = builds[build].limbs[i].half_height;
        def.pose = capsule_pose(c, i, 0.0);
        status = pli_collider_create(world, &def, &c->colliders[i], error);
    }
    return status;
}

pli_status bench_character_move(const bench_character *c, pli_world *world, double time, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < builds[c->build].count && status == PLI_STATUS_OK; i++)
        status = pli_collider_set_pose(world, c->colliders[i], capsule_pose(c, i, time), error);
    return status;
}
