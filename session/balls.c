// Balls fly with a little drag. In the pool a ball is too small to be seen and is in no layer. A collider is kinematic and passes
// through obstacles. A ball therefore has a mass: the impulse from cloth in the last substep slows it, and colliders of the scene
// reflect it in front of the cloth on them.
#include "session/balls.h"

#include <pliant/placing.h>

#include <pliant/math.h>

static const float hidden = 1e-6f, drag = 0.9994f, restitution = 0.5f, tangential = 0.9f;
static const float ball_density = 150.0f; // Density of a ball, about that of a soft one [kg/m^3].

static pli_transform at(pli_vec3 place) { return (pli_transform){place, {0, 0, 0, 1}}; }

pli_status pli_session_balls_create(pli_world *world, pli_session_balls *balls, pli_collider *colliders,
                                    pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_SPHERE;
    def.radius = hidden;
    def.friction = 0.2f;
    def.layers = def.mask = 0;
    // A position inside of the drawn scene, where it does not change any bounds.
    if (pli_world_deformable_count(world) > 0) {
        pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, 0));
        const float *p = pli_view_at(positions, 0);
        def.pose.position = (pli_vec3){p[0], p[1], p[2]};
    }
    *balls = (pli_session_balls){0};
    for (int i = 0; i < PLI_SESSION_BALLS && status == PLI_STATUS_OK; i++) {
        balls->balls[i] = (pli_session_ball){.position = def.pose.position, .age = -1};
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

pli_status pli_session_balls_throw(pli_world *world, pli_session_balls *balls, const pli_collider *colliders,
                                   pli_vec3 from, pli_vec3 through, float speed, float radius, pli_error *error)
{
    int32_t i = balls->thrown % PLI_SESSION_BALLS;
    pli_vec3 way = pli_sub(through, from), gravity = pli_world_settings(world).gravity;
    float length = sqrtf(pli_dot(way, way)), time = length / speed;
    pli_status status = pli_collider_teleport(world, colliders[i], at(from), error);
    if (status == PLI_STATUS_OK)
        status = change(world, colliders[i], radius, true, error);
    if (status != PLI_STATUS_OK)
        return status;
    // The initial velocity compensates the fall during the flight.
    pli_vec3 start = pli_sub(pli_scale(way, 1.0f / fmaxf(time, 1e-6f)), pli_scale(gravity, 0.5f * time));
    balls->balls[i] = (pli_session_ball){from, start, radius, 0};
    balls->thrown++;
    return status;
}

// Moves the ball out of the collider that it has entered, and reflects it.
static void reflect(pli_session_ball *ball, pli_vec3 normal, float below)
{
    float falls = pli_dot(ball->velocity, normal);
    if (!(below > 0.0f))
        return;
    ball->position = pli_add(ball->position, pli_scale(normal, below));
    if (falls >= 0.0f)
        return;
    pli_vec3 along = pli_sub(ball->velocity, pli_scale(normal, falls));
    ball->velocity = pli_add(pli_scale(along, tangential), pli_scale(normal, -restitution * falls));
}

static bool is_ball(const pli_collider *colliders, pli_collider collider)
{
    bool found = false;
    for (int i = 0; i < PLI_SESSION_BALLS; i++)
        found = found || colliders[i].id == collider.id;
    return found;
}

// Keeps room for cloth between the ball and each collider.
static void collide(pli_session_ball *ball, const pli_world *world, const pli_collider *colliders, float room)
{
    for (int32_t i = 0; i < pli_world_collider_count(world); i++) {
        const pli_collider collider = pli_world_collider_at(world, i);
        pli_collider_def def;
        pli_transform pose;
        pli_vec3 normal;
        float distance;
        if (is_ball(colliders, collider) || pli_collider_get_def(world, collider, &def, NULL) != PLI_STATUS_OK ||
            def.layers == 0 || pli_collider_pose(world, collider, &pose, NULL) != PLI_STATUS_OK)
            continue;
        const pli_quat back = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
        const pli_vec3 at_it = pli_rotate(back, pli_sub(ball->position, pose.position));
        if (pli_shape_distance(&def, at_it, &distance, &normal))
            reflect(ball, pli_rotate(pose.rotation, normal), ball->radius + def.thickness + room - distance);
    }
}

// The velocity change from contacts with cloth in a step of dt, of which only the last substep is known. It never throws the ball back
// faster than it came.
static void apply_contacts(pli_session_ball *ball, const pli_collider_tracking_error *lag, float dt)
{
    const float mass = ball_density * 4.18879f * ball->radius * ball->radius * ball->radius;
    const pli_vec3 force = {(float)lag->force[0], (float)lag->force[1], (float)lag->force[2]};
    const pli_vec3 push = pli_scale(force, dt / mass);
    const float length = sqrtf(pli_dot(push, push));
    if (!(length > 0.0f))
        return;
    const float against = -pli_dot(ball->velocity, push) / length,
                most = against > 0.0f ? (1.0f + restitution) * against : 0.0f;
    ball->velocity = pli_add(ball->velocity, pli_scale(push, length > most ? most / length : 1.0f));
}

// Twice the thickness of the thickest cloth.
static float room_of(const pli_world *world)
{
    float thickest = 0.0f;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_deformable_def def;
        if (pli_deformable_get_def(world, pli_world_deformable_at(world, i), &def, NULL) == PLI_STATUS_OK)
            thickest = fmaxf(thickest, def.thickness);
    }
    return 2.0f * thickest;
}

static void move(pli_session_ball *ball, pli_vec3 gravity, float dt, pli_vec3 up, float ground)
{
    ball->velocity = pli_scale(pli_add(ball->velocity, pli_scale(gravity, dt)), drag);
    ball->position = pli_add(ball->position, pli_scale(ball->velocity, dt));
    reflect(ball, up, ground + ball->radius - pli_dot(ball->position, up));
}

pli_status pli_session_balls_move(pli_world *world, pli_session_balls *balls, const pli_collider *colliders, float dt,
                                  pli_vec3 up, float ground, pli_error *error)
{
    enum { PARTS = 8 }; // Parts of a flight per step, so that the ball passes through nothing.
    pli_status status = PLI_STATUS_OK;
    const pli_settings settings = pli_world_settings(world);
    const float room = room_of(world);
    if (pli_session_balls_count(balls) == 0)
        return status;
    for (int i = 0; i < PLI_SESSION_BALLS && status == PLI_STATUS_OK; i++) {
        pli_session_ball *ball = &balls->balls[i];
        if (ball->age < 0)
            continue;
        ball->age++;
        if (ball->age > PLI_SESSION_BALL_FRAMES) {
            ball->age = -1;
            status = change(world, colliders[i], hidden, false, error);
            continue;
        }
        // It may have stopped where surfaces would have intersected.
        pli_transform pose;
        if (pli_collider_pose(world, colliders[i], &pose, NULL) == PLI_STATUS_OK)
            ball->position = pose.position;
        pli_collider_tracking_error lag;
        if (pli_collider_get_tracking_error(world, colliders[i], &lag, NULL) == PLI_STATUS_OK)
            apply_contacts(ball, &lag, dt);
        for (int part = 0; part < PARTS; part++) {
            move(ball, settings.gravity, dt / PARTS, up, ground);
            collide(ball, world, colliders, room);
        }
        status = pli_collider_set_pose(world, colliders[i], at(ball->position), error);
    }
    return status;
}

pli_status pli_session_balls_copy(pli_world *world, const pli_session_balls *balls, const pli_collider *colliders,
                                  pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int i = 0; i < PLI_SESSION_BALLS && status == PLI_STATUS_OK; i++) {
        const pli_session_ball *ball = &balls->balls[i];
        if (ball->age < 0)
            continue;
        status = pli_collider_teleport(world, colliders[i], at(ball->position), error);
        if (status == PLI_STATUS_OK)
            status = change(world, colliders[i], ball->radius, true, error);
    }
    return status;
}

int32_t pli_session_balls_count(const pli_session_balls *balls)
{
    int32_t count = 0;
    for (int i = 0; i < PLI_SESSION_BALLS; i++)
        count += balls->balls[i].age >= 0;
    return count;
}
