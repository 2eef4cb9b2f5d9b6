// A flight with a little drag. In the pool a ball is too small to be seen and in no layer.
#include "hands/balls.h"

#include <pliant/placing.h>

#include "support/vector3.h"

static const float hidden = 1e-6f, drag = 0.995f, bounce = 0.5f, rub = 0.9f;

static pli_transform at(pli_vec3 place) { return (pli_transform){place, {0, 0, 0, 1}}; }

pli_status pli_view_balls_make(pli_world *world, pli_view_balls *balls, pli_collider *colliders, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_SPHERE;
    def.radius = hidden;
    def.friction = 0.2f;
    def.layers = def.mask = 0;
    // Somewhere inside of what is drawn, where it changes nobody's bounds.
    if (pli_world_deformable_count(world) > 0) {
        pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, 0));
        const float *p = pli_view_at(positions, 0);
        def.pose.position = (pli_vec3){p[0], p[1], p[2]};
    }
    *balls = (pli_view_balls){0};
    for (int i = 0; i < PLI_VIEW_BALLS && status == PLI_STATUS_OK; i++) {
        balls->balls[i] = (pli_view_ball){.place = def.pose.position, .age = -1};
        status = pli_collider_create(world, &def, &colliders[i], error);
    }
    return status;
}

static pli_status change(pli_world *world, pli_collider collider, float radius, bool there, pli_error *error)
{
    pli_collider_def def;
    pli_status status = pli_collider_get_def(world, collider, &def, error);
    def.radius = radius;
    def.layers = there ? 1 : 0;
    def.mask = there ? UINT32_MAX : 0;
    return status == PLI_STATUS_OK ? pli_collider_set_def(world, collider, &def, error) : status;
}

pli_status pli_view_balls_throw(pli_world *world, pli_view_balls *balls, const pli_collider *colliders, pli_vec3 from,
                                pli_vec3 through, float speed, float radius, pli_error *error)
{
    int32_t i = balls->thrown % PLI_VIEW_BALLS;
    pli_vec3 way = vec3_sub(through, from), gravity = pli_world_settings(world).gravity;
    float length = sqrtf(vec3_dot(way, way)), time = length / speed;
    pli_status status = pli_collider_teleport(world, colliders[i], at(from), error);
    if (status == PLI_STATUS_OK)
        status = change(world, colliders[i], radius, true, error);
    if (status != PLI_STATUS_OK)
        return status;
    // It rises by what it falls on its way.
    pli_vec3 start = vec3_sub(vec3_scale(way, 1.0f / fmaxf(time, 1e-6f)), vec3_scale(gravity, 0.5f * time));
    balls->balls[i] = (pli_view_ball){from, start, radius, 0};
    balls->thrown++;
    return status;
}

static void fly(pli_view_ball *ball, pli_vec3 gravity, float dt, pli_vec3 up, float ground)
{
    ball->speed = vec3_scale(vec3_add(ball->speed, vec3_scale(gravity, dt)), drag);
    ball->place = vec3_add(ball->place, vec3_scale(ball->speed, dt));
    float below = ground + ball->radius - vec3_dot(ball->place, up), falls = vec3_dot(ball->speed, up);
    if (!(below > 0.0f && falls < 0.0f))
        return;
    ball->place = vec3_add(ball->place, vec3_scale(up, below));
    pli_vec3 along = vec3_sub(ball->speed, vec3_scale(up, falls));
    ball->speed = vec3_add(vec3_scale(along, rub), vec3_scale(up, -bounce * falls));
}

pli_status pli_view_balls_move(pli_world *world, pli_view_balls *balls, const pli_collider *colliders, float dt,
                               pli_vec3 up, float ground, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    const pli_vec3 gravity = pli_world_settings(world).gravity;
    for (int i = 0; i < PLI_VIEW_BALLS && status == PLI_STATUS_OK; i++) {
        pli_view_ball *ball = &balls->balls[i];
        if (ball->age < 0)
            continue;
        ball->age++;
        if (ball->age > PLI_VIEW_BALL_FRAMES) {
            ball->age = -1;
            status = change(world, colliders[i], hidden, false, error);
            continue;
        }
        fly(ball, gravity, dt, up, ground);
        status = pli_collider_set_pose(world, colliders[i], at(ball->place), error);
    }
    return status;
}

int32_t pli_view_balls_count(const pli_view_balls *balls)
{
    int32_t count = 0;
    for (int i = 0; i < PLI_VIEW_BALLS; i++)
        count += balls->balls[i].age >= 0;
    return count;
}
