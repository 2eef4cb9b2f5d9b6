// A collider or pinned particles that move by more than an edge of the cloth in a substep reach far into the cloth before it
// can yield. Contacts and constraints then displace particles much further than this motion, and each substep starts with the
// speed at the end of the previous one. In such substeps the displacement of a free particle is therefore limited to the sum of
//
//     the path of kinematic objects         in this substep
//   + the fastest particle's own path       by its speed at the start of the step, gravity and wind
//   + an edge                               in the entire step
//
// The same bound holds for the entire step: cloth moves no further than its own path plus the collider's. The limit also
// applies while overstretched cloth recoils, since it would otherwise gain speed around an obstacle from substep to substep.
#include "step/fast_motion.h"

#include "step/extent.h"
#include "collision/state/collision_state.h"
#include "particles/air.h"
#include "world/attachment.h"
#include "step/moving_out.h"
#include "step/step_collision.h"

// Edges longer than this multiple of the longest rest length are overstretched; and the fraction of its own path that
// cloth with such edges keeps in a step.
#define OVERSTRETCHED 3.0f
#define RECOIL_SHARE 0.7f

static bool may_move(const pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++)
        if (pli_collider_moves(pli_collider_at(world, i)))
            return true;
    return pli_world_is_led(world);
}

// Whether any edge is longer than OVERSTRETCHED times the longest rest length.
static bool is_overstretched(const pli_deformable_data *deformable)
{
    const pli_contact_mesh *s = deformable->surface;
    float most = OVERSTRETCHED * s->longest_edge;
    for (int32_t e = 0; e < s->edge_count; e++)
        if (pli_squared_displacement(&deformable->particles[s->edges[2 * e]],
                                     &deformable->particles[s->edges[2 * e + 1]]) > most * most)
            return true;
    return false;
}

void pli_fast_motion_begin(pli_world *world, float dt)
{
    pli_fast_motion *fast = &world->during.limits.fast;
    float square = 0.0f, edge = 0.0f;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle || !deformable->surface)
            continue;
        edge = fmaxf(edge, deformable->surface->longest_edge);
        for (int32_t k = 0; k < deformable->count; k++) {
            pli_vec3 v = pli_position_of(&deformable->velocities[k]);
            square = fmaxf(square, pli_dot(v, v));
        }
    }
    float air = pli_world_air_speed(world);
    float own = dt * (sqrtf(square) + air + dt * pli_length(world->settings.gravity)) + edge;
    *fast = (pli_fast_motion){.edge = edge, .own_displacement = own / (float)world->substep_count};
    fast->watched = edge > 0.0f && may_move(world);
    for (int32_t i = 0; i < world->deformables.count && !fast->recoils; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        fast->recoils = !deformable->idle && deformable->surface && is_overstretched(deformable);
    }
    // This brings cloth to rest around the obstacle over which it was stretched.
    if (fast->recoils)
        fast->own_displacement *= RECOIL_SHARE;
}

static void limit_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    pli_deformable_limit_displacements(deformable, s->world->during.limits.fast.longest_displacement);
}

void pli_fast_motion_limit(const pli_substep *s)
{
    pli_fast_motion *fast = &s->world->during.limits.fast;
    float host = fast->watched ? sqrtf(pli_squared_displacement_of_movers(s->world, false)) : 0.0f;
    if (!fast->recoils && !(fast->watched && host > fast->edge))
        return;
    fast->longest_displacement = host + fast->own_displacement;
    pli_for_deformables(s, limit_deformable);
}
