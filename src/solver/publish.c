// What a deformable's owner sees of its particles, in the order of the mesh; and what holds a particle.
#include "solver/body.h"

static void publish_piece(void *data, int32_t begin, int32_t end)
{
    pli_body *body = data;
    for (int32_t v = begin; v < end; v++) {
        body->user_particles[v] = body->particles[body->order[v]];
        body->user_velocities[v] = body->velocities[body->order[v]];
    }
}

void pli_body_publish(pli_body *body, int32_t first, int32_t count)
{
    body->user_normals_fresh = false;
    if (body->order)
        publish_piece(body, first, first + count);
}

void pli_body_publish_all(pli_world *world, pli_body *body)
{
    body->user_normals_fresh = false;
    if (body->order)
        pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, publish_piece, body);
}

void pli_body_hold(pli_body *body, int32_t place, bool held)
{
    body->held[place] = held;
    body->particles[place].w = held ? 0.0f : body->velocities[place].w;
}
