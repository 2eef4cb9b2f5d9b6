// Thrown balls: colliders from a pool that is created with the world, so that a throw does not change the list of colliders and
// snapshots from before it can be restored.
#ifndef PLI_SESSION_BALLS_H
#define PLI_SESSION_BALLS_H

#include <pliant/pliant.h>

enum { PLI_SESSION_BALLS = 4, PLI_SESSION_BALL_FRAMES = 180 };

typedef struct pli_session_ball {
    pli_vec3 position, velocity; // [m], [m/s]
    float radius;                // [m]
    int32_t age;                 // Frames since it was thrown; -1 for a ball in the pool.
} pli_session_ball;

// The data of the balls in a stored frame; their colliders are in its snapshot.
typedef struct pli_session_balls {
    pli_session_ball balls[PLI_SESSION_BALLS];
    int32_t thrown; // Number of throws so far; the oldest ball is reused.
} pli_session_balls;

// Creates the pool. `colliders` [PLI_SESSION_BALLS] gets its handles.
pli_status pli_session_balls_create(pli_world *world, pli_session_balls *balls, pli_collider *colliders,
                                    pli_error *error);
// Throws a ball from a point such that it flies through another point at a speed [m/s] under the world's gravity.
pli_status pli_session_balls_throw(pli_world *world, pli_session_balls *balls, const pli_collider *colliders,
                                   pli_vec3 from, pli_vec3 through, float speed, float radius, pli_error *error);
// Called before a step of dt [s]: moves the flying balls to their positions at its end. They bounce at `ground` along the unit vector
// `up` (-INFINITY for none) and at colliders that have a distance function, and contacts with cloth push them as they push balls of 150
// kg/m^3.
pli_status pli_session_balls_move(pli_world *world, pli_session_balls *balls, const pli_collider *colliders, float dt,
                                  pli_vec3 up, float ground, pli_error *error);
// Puts the flying balls into the pool of another world.
pli_status pli_session_balls_copy(pli_world *world, const pli_session_balls *balls, const pli_collider *colliders,
                                  pli_error *error);
// Number of flying balls.
int32_t pli_session_balls_count(const pli_session_balls *balls);

#endif
