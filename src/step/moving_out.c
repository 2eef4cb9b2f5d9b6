// The motion limits of cloth that is being moved out: step/moving_out.h.
#include "step/moving_out.h"

#include "collision/untangle/push_out.h"
#include "particles/contact_pool.h"

#include <math.h>

// Speeds up to this factor times the limit do not count as released stretch.
#define MORE 1.02f

static void start(pli_world *world, float dt)
{
    (void)dt;
    world->during.limits.moves_out = false;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_moving_out *out = pli_deformable_at(world, i)->moving_out;
        out->now = out->before;
        out->still = false;
        world->during.limits.moves_out = world->during.limits.moves_out || out->now;
    }
}

// Lanes of free particles inside the shape. Pinned particles stay there.
static uint32_t inside_lanes(const pli_deformable_data *deformable, const pli_contact_group *g)
{
    uint32_t lanes = 0;
    for (uint32_t left = g->inside & g->lanes; left; left &= left - 1)
        if (deformable->particles[g->first + __builtin_ctz(left)].w > 0.0f)
            lanes |= left & -left;
    return lanes;
}

static bool is_inside_shape(const pli_deformable_data *deformable)
{
    const pli_contact_pool *pool = deformable->pool;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++) {
        const pli_contact_group *groups = pli_chunk_contacts(pool, chunk);
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            if (inside_lanes(deformable, &groups[i]))
                return true;
    }
    return false;
}

// Whether the intersection involves particles of the deformable and all of these are free. Cloth pinned inside a collider stays there.
static bool moves_out(const pli_deformable_data *deformable, const pli_intersection *t)
{
    const int32_t at[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    bool any = false;
    for (int k = 0; k < 5; k++) {
        const int32_t i = at[k] - deformable->first;
        const bool own = i >= 0 && i < deformable->count;
        if (own && deformable->particles[i].w == 0.0f)
            return false;
        any = any || own;
    }
    return any;
}

static bool is_in_surface(const pli_collision *collision, const pli_deformable_data *deformable)
{
    const pli_untangling *u = &collision->untangle;
    for (int32_t i = 0; i < u->intersections.count; i++)
        if (moves_out(deformable, &u->intersections.items[i]))
            return true;
    for (int32_t i = 0; u->inside_count > 0 && i < deformable->count; i++)
        if (u->inside_of.items[deformable->first + i] && deformable->particles[i].w > 0.0f)
            return true;
    return false;
}

/* ---- one direction for a pocket ------------------------------------------------------------------ */

// Contacts of the particles of a deformable that are inside one shape.
typedef struct inside_shape {
    pli_contact_group **groups; // [count]
    int32_t *particles;         // [count]
    pli_dvec3 *directions;      // [count]
    int32_t count;
} inside_shape;

static int32_t count_inside(const pli_deformable_data *deformable, int32_t collider)
{
    const pli_contact_pool *pool = deformable->pool;
    int32_t count = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t i = 0; i < pool->counts[chunk]; i++) {
            const pli_contact_group *g = &pli_chunk_contacts(pool, chunk)[i];
            count += g->collider == collider ? __builtin_popcount(inside_lanes(deformable, g)) : 0;
        }
    return count;
}

// Lists the contacts and removes their friction: cloth that a pocket pulls along the shape presses on it, and would stay.
static void list_inside(const pli_deformable_data *deformable, int32_t collider, inside_shape *list)
{
    const pli_contact_pool *pool = deformable->pool;
    int32_t count = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t i = 0; i < pool->counts[chunk]; i++) {
            pli_contact_group *g = &pli_chunk_contacts(pool, chunk)[i];
            g->slides = g->slides || g->collider == collider;
            for (uint32_t left = g->collider == collider ? inside_lanes(deformable, g) : 0; left; left &= left - 1) {
                const int k = __builtin_ctz(left);
                list->groups[count] = g, list->particles[count] = g->first + k;
                list->directions[count++] = pli_widened((pli_vec3){g->normal[0][k], g->normal[1][k], g->normal[2][k]});
            }
        }
}

// Replaces the plane of a contact by the plane through its particle, normal to the direction. It moves by the recovery and with the shape.
static void direct(const pli_substep *s, const pli_deformable_data *deformable, pli_contact_group *g, int32_t particle,
                   pli_dvec3 direction)
{
    const int32_t k = particle - g->first;
    const pli_vec3 d = {(float)direction.x, (float)direction.y, (float)direction.z},
                   start = pli_position_of(&deformable->previous[particle]),
                   carried = pli_scale((pli_vec3){g->velocity[0][k], g->velocity[1][k], g->velocity[2][k]}, s->step),
                   moved = pli_sub(pli_position_of(&deformable->particles[particle]), start);
    g->normal[0][k] = d.x, g->normal[1][k] = d.y, g->normal[2][k] = d.z;
    g->offset[k] = pli_dot(d, pli_add(start, carried)) + (g->overlap[k] - g->left[k]);
    g->approach[k] = pli_dot(d, pli_sub(moved, carried)) / s->step;
}

// The extent of a shape in a direction. For unbounded shapes, without a support function, pockets use the mean of their directions.
static double reach_of_shape(const void *shape, pli_dvec3 direction)
{
    const pli_moving_shape *of = shape;
    const pli_quat back = pli_conjugate(of->from.rotation);
    const pli_vec3 d = {(float)direction.x, (float)direction.y, (float)direction.z};
    pli_vec3 farthest = {0.0f, 0.0f, 0.0f};
    pli_shape_support(of->def, pli_rotate(back, d), &farthest);
    return pli_ddot(direction, pli_widened(of->from.position)) + (double)pli_dot(pli_rotate(back, d), farthest);
}

static bool direct_pockets(const pli_substep *s, const pli_deformable_data *deformable, int32_t collider)
{
    pli_arena *arena = &s->world->collision.arena;
    const int32_t count = count_inside(deformable, collider);
    if (count == 0)
        return true;
    const pli_arena_scope scope = pli_arena_begin(arena);
    inside_shape list = {PLI_TAKE(arena, pli_contact_group *, count), PLI_TAKE(arena, int32_t, count),
                         PLI_TAKE(arena, pli_dvec3, count), count};
    const pli_pocket_mesh mesh = {.edges = deformable->shape.edges,
                                  .triangles = deformable->shape.triangles,
                                  .order = deformable->order,
                                  .edge_count = deformable->shape.edge_count,
                                  .triangle_count = deformable->shape.triangle_count,
                                  .particle_count = deformable->count,
                                  .particles = deformable->previous};
    bool complete = list.groups && list.particles && list.directions;
    if (complete) {
        list_inside(deformable, collider, &list);
        complete = pli_pockets_direct(arena, &mesh, reach_of_shape, &s->world->during.analytic.shapes[collider],
                                      list.particles, list.directions, NULL, count);
    }
    for (int32_t i = 0; complete && i < count; i++)
        direct(s, deformable, list.groups[i], list.particles[i], list.directions[i]);
    pli_arena_end(arena, scope);
    return complete;
}

/* ---- deformables that are being moved out ------------------------------------------------------- */

void pli_moving_out_find(const pli_substep *s, bool placed, bool has_surfaces)
{
    pli_world *world = s->world;
    const bool surfaces = has_surfaces && !world->out_of_memory;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle || world->out_of_memory || !(placed || deformable->moving_out->now))
            continue;
        const bool inside = world->colliders.count > 0 && is_inside_shape(deformable);
        for (int32_t k = 0; k < world->colliders.count && inside && !world->out_of_memory; k++)
            world->out_of_memory = !direct_pockets(s, deformable, k);
        deformable->moving_out->still = deformable->moving_out->still || inside ||
                                        (surfaces && deformable->surface &&
                                         is_in_surface(&world->collision, deformable));
        deformable->moving_out->now = deformable->moving_out->now || deformable->moving_out->still;
        if (deformable->surface)
            deformable->surface->moves_out = deformable->moving_out->now;
        world->during.limits.moves_out = world->during.limits.moves_out || deformable->moving_out->now;
    }
}

static float square_of(const pli_particle *v) { return v->x * v->x + v->y * v->y + v->z * v->z; }

float pli_squared_displacement_of_movers(const pli_world *world, bool leaves)
{
    const pli_store *store = &world->store;
    float square = 0.0f;
    for (int32_t i = 0; i < world->collision.surface_count; i++) {
        const pli_contact_mesh *s = world->collision.surfaces[i];
        // A body that cloth pushes out gains speed by it, so it must not set the limit.
        if (leaves && s->rigid && pli_rigid_is_movable(s->rigid))
            continue;
        for (int32_t k = s->first; s->collider && s->path.moving && k < s->first + s->vertex_count; k++)
            square = fmaxf(square, pli_squared_displacement(&store->previous[k], &store->particles[k]));
    }
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, i);
        const pli_deformable_data *of = attachment->deformable;
        for (int32_t k = 0; (attachment->fixed || leaves) && !of->idle && k < attachment->count; k++)
            square = fmaxf(square, pli_squared_displacement(&of->previous[attachment->particles[k]],
                                                            &of->particles[attachment->particles[k]]));
    }
    return square;
}

bool pli_deformable_limit_displacements(pli_deformable_data *deformable, float most)
{
    bool limited = false;
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *p = &deformable->particles[i];
        const pli_particle *q = &deformable->previous[i];
        float square = pli_squared_displacement(q, p);
        if (p->w == 0.0f || !(square > most * most))
            continue;
        float share = most / sqrtf(square);
        p->x = q->x + share * (p->x - q->x);
        p->y = q->y + share * (p->y - q->y);
        p->z = q->z + share * (p->z - q->z);
        limited = true;
    }
    deformable->during.moved_between = deformable->during.moved_between || limited;
    return limited;
}

// The analytic shapes that a deformable touches: the highest speed of their surfaces, squared, and the largest recovery of an overlap.
typedef struct met_shapes {
    float square, recovered; // [m2/s2], [m]
} met_shapes;

static met_shapes met_by(const pli_deformable_data *deformable)
{
    const pli_contact_pool *pool = deformable->pool;
    met_shapes m = {0.0f, 0.0f};
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++) {
        const pli_contact_group *groups = pli_chunk_contacts(pool, chunk);
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            for (uint32_t left = groups[i].lanes; left; left &= left - 1) {
                const int k = __builtin_ctz(left);
                const pli_particle v = {groups[i].velocity[0][k], groups[i].velocity[1][k], groups[i].velocity[2][k],
                                        0.0f};
                m.square = fmaxf(m.square, square_of(&v));
                m.recovered = fmaxf(m.recovered, groups[i].overlap[k] - groups[i].left[k]);
            }
    }
    return m;
}

// The highest particle speed of all active deformables before the sweeps: they may hit the cloth that is being moved out [m/s].
static float fastest_of(const pli_world *world)
{
    float square = 0.0f;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        for (int32_t k = 0; !deformable->idle && k < deformable->count; k++)
            square = fmaxf(square, square_of(&deformable->velocities[k]));
    }
    return sqrtf(square);
}

// The speed at which an overlap recovers [m/s].
static float recovery_of(const pli_deformable_data *deformable)
{
    return PLI_RECOVERY * fmaxf(deformable->thickness, PLI_LEAST_RECOVERED * deformable->rest.mean_edge);
}

static void limit_displacements(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!deformable->moving_out->now || deformable->idle)
        return;
    const float most = s->step * deformable->moving_out->speed +
                       fmaxf(s->step * recovery_of(deformable), deformable->moving_out->recovered);
    if (pli_deformable_limit_displacements(deformable, most))
        deformable->moving_out->still = true;
}

void pli_moving_out_limit_displacements(const pli_substep *s)
{
    pli_world *world = s->world;
    if (!world->during.limits.moves_out)
        return;
    const float speed = fmaxf(fastest_of(world), sqrtf(pli_squared_displacement_of_movers(world, true)) / s->step);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->moving_out->now || deformable->idle)
            continue;
        const met_shapes by = met_by(deformable);
        deformable->moving_out->recovered = by.recovered;
        // This is the maximum, since a sum with the fastest particle's speed would grow from substep to substep.
        deformable->moving_out->speed = fmaxf(speed, sqrtf(by.square) + recovery_of(deformable));
    }
    pli_for_deformables(s, limit_displacements);
}

static void limit_speeds(const pli_substep *s, pli_deformable_data *deformable)
{
    (void)s;
    pli_moving_out *out = deformable->moving_out;
    if (!out->now || deformable->idle)
        return;
    const float most = out->speed, far = MORE * most;
    bool limited = false;
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *v = &deformable->velocities[i];
        const float square = square_of(v);
        if (deformable->particles[i].w == 0.0f || !(square > most * most))
            continue;
        const float share = most / sqrtf(square);
        out->still = out->still || square > far * far;
        v->x *= share, v->y *= share, v->z *= share;
        limited = true;
    }
    if (limited)
        pli_features_jump(deformable);
}

void pli_moving_out_limit_speeds(const pli_substep *s)
{
    if (s->world->during.limits.moves_out)
        pli_for_deformables(s, limit_speeds);
}

static void finish_moving_out(pli_world *world, float dt)
{
    (void)dt;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle)
            pli_deformable_at(world, i)->moving_out->before = pli_deformable_at(world, i)->moving_out->still;
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void reset_moving_out(pli_deformable_data *deformable) { deformable->moving_out->before = false; }

static void pass_moving_out(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    (void)world, (void)count;
    const bool before = pli_pass_condition(s, deformable->moving_out->before);
    if (s->mode == PLI_STREAM_READ)
        deformable->moving_out->before = before;
}

const pli_feature pli_feature_moving_out = {
    .name = "moving out",
    PLI_FEATURE_STATE(pli_moving_out, moving_out),
    .start = start,
    .finish = finish_moving_out,
    .reset = reset_moving_out,
    .pass = pass_moving_out,
};
