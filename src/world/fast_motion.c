// A collider or held particles that move by more than an edge of the cloth in a substep reach far into the cloth before the
// cloth can yield. Contacts and constraints then take particles much further than that motion
// went, and each substep begins with the speed that the one before ended with. So in such substeps no free particle goes
// further than the sum of
//
//     the way of what the host moves        in this substep
//   + the fastest particle's own way        by its speed at the start of the step, gravity and wind
//   + an edge                               in the whole step
//
// which holds for the whole step as well: cloth ends no further than its own way and the collider's. The same limit
// holds while cloth that was drawn out recoils, as long as it is far too long: around an obstacle it gains speed from
// substep to substep otherwise.
#include "world/fast_motion.h"

#include "apart/extent.h"
#include "collision/state/collision_state.h"
#include "particles/air.h"
#include "world/attachment.h"
#include "world/step_collision.h"

// Edges this many times as long as the longest at rest are far too long; and the share of its own way that cloth with such
// edges keeps from step to step.
#define OVERSTRETCHED 3.0f
#define RECOIL_SHARE 0.7f

static float squared_displacement(const pli_particle *from, const pli_particle *to)
{
    pli_vec3 d = pli_sub(pli_position_of(to), pli_position_of(from));
    return pli_dot(d, d);
}

static bool may_move(const pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++)
        if (pli_collider_moves(pli_collider_at(world, i)))
            return true;
    return pli_world_is_led(world);
}

// Is any edge longer than OVERSTRETCHED times the longest at rest?
static bool is_overstretched(const pli_deformable_data *deformable)
{
    const pli_contact_mesh *s = deformable->surface;
    float most = OVERSTRETCHED * s->longest_edge;
    for (int32_t e = 0; e < s->edge_count; e++)
        if (squared_displacement(&deformable->particles[s->edges[2 * e]], &deformable->particles[s->edges[2 * e + 1]]) >
            most * most)
            return true;
    return false;
}

void pli_fast_motion_begin(pli_world *world, float dt)
{
    pli_fast_motion *fast = &world->fast_motion;
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
    // So that it comes to rest around what it was stretched over.
    if (fast->recoils)
        fast->own_displacement *= RECOIL_SHARE;
}

// The longest way of a particle that the host moves in this substep, squared [m^2].
static float squared_displacement_of_host(const pli_world *world)
{
    const pli_store *store = &world->store;
    float square = 0.0f;
    for (int32_t i = 0; i < world->collision.surface_count; i++) {
        const pli_contact_mesh *s = world->collision.surfaces[i];
        for (int32_t k = s->first; s->collider && s->moving && k < s->first + s->vertex_count; k++)
            square = fmaxf(square, squared_displacement(&store->previous[k], &store->particles[k]));
    }
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, i);
        const pli_deformable_data *of = attachment->deformable;
        for (int32_t k = 0; attachment->fixed && !of->idle && k < attachment->count; k++)
            square = fmaxf(square, squared_displacement(&of->previous[attachment->particles[k]],
                                                        &of->particles[attachment->particles[k]]));
    }
    return square;
}

static void limit_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    float most = s->world->fast_motion.longest_displacement;
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *p = &deformable->particles[i];
        const pli_particle *q = &deformable->previous[i];
        float square = squared_displacement(q, p);
        if (p->w == 0.0f || !(square > most * most))
            continue;
        float share = most / sqrtf(square);
        p->x = q->x + share * (p->x - q->x);
        p->y = q->y + share * (p->y - q->y);
        p->z = q->z + share * (p->z - q->z);
        deformable->moved_between = true;
    }
}

void pli_fast_motion_limit(const pli_substep *s)
{
    pli_fast_motion *fast = &s->world->fast_motion;
    float host = fast->watched ? sqrtf(squared_displacement_of_host(s->world)) : 0.0f;
    if (!fast->recoils && !(fast->watched && host > fast->edge))
        return;
    fast->longest_displacement = host + fast->own_displacement;
    pli_for_deformables(s, limit_deformable);
}
