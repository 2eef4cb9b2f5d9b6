// Rolling friction of the pieces of a deformable: particles/rolling_friction.h.
//
// A piece loses spin about an axis through the middle of its contact, in the contact plane, as a rigid body that sticks there would.
// Positions rotate with it, as they move with friction; otherwise a piece would creep in every substep.
#include "particles/rolling_friction.h"

#include "particles/ghost_motion.h"
#include "particles/momentum.h"
#include "particles/contact_pool.h"

#include <string.h>

// A piece about the middle of its contact.
typedef struct roller {
    double mass;
    pli_dvec3 position, momentum, angular;
    double inertia[6]; // xx yy zz xy xz yz.
} roller;

static pli_dvec3 vector_at(const pli_particle *p) { return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z}; }

static pli_dvec3 lane_of(const float lanes[3][PLI_BATCH], int32_t k)
{
    return (pli_dvec3){(double)lanes[0][k], (double)lanes[1][k], (double)lanes[2][k]};
}

// Angular velocity of a collider during the substep, for rotations well below a half turn.
static pli_dvec3 spin_of(const pli_moving_shape *shape, float step)
{
    pli_quat a = shape->from.rotation, b = shape->to.rotation;
    if (shape->rests)
        return (pli_dvec3){0.0, 0.0, 0.0};
    double real = (double)(b.w * a.w + b.x * a.x + b.y * a.y + b.z * a.z);
    pli_dvec3 u = {(double)a.x, (double)a.y, (double)a.z}, v = {(double)b.x, (double)b.y, (double)b.z};
    pli_dvec3 along = pli_dsub(pli_dsub(pli_dscale(v, (double)a.w), pli_dscale(u, (double)b.w)), pli_dcross(v, u));
    return pli_dscale(along, (real < 0.0 ? -2.0 : 2.0) / (double)step);
}

// Nothing receives the opposite torque if a rigid body carries the shape.
static double lost_share(const pli_moving_shape *shape)
{
    double restitution = fmin(1.0, (double)shape->def->restitution);
    return shape->def->body.id ? 0.0 : 1.0 - restitution * restitution;
}

static void add_contact(pli_footprint *footprint, const pli_moving_shape *shape, double impulse, double friction,
                        pli_dvec3 at, pli_dvec3 normal, pli_dvec3 spin)
{
    footprint->impulse += impulse;
    footprint->torque += impulse * (double)shape->def->rolling_friction;
    footprint->grip += impulse * friction;
    footprint->lost += impulse * lost_share(shape);
    footprint->centre = pli_dadd(footprint->centre, pli_dscale(at, impulse));
    pli_add_point_inertia(footprint->spread, impulse, at);
    footprint->normal = pli_dadd(footprint->normal, pli_dscale(normal, impulse));
    footprint->spin = pli_dadd(footprint->spin, pli_dscale(spin, impulse));
}

static void add_group(const pli_world *world, pli_deformable_data *deformable, const pli_contact_group *group,
                      float step)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    const pli_moving_shape *shape = &world->during.analytic.shapes[group->collider];
    pli_dvec3 spin = spin_of(shape, step);
    for (int32_t k = 0; k < PLI_BATCH; k++) {
        if (!(group->lanes >> k & 1u) || !(group->push[k] > 0.0f))
            continue;
        int32_t particle = group->first + k;
        pli_footprint *footprint = &pieces->footprints[pieces->piece_of ? pieces->piece_of[particle] : 0];
        add_contact(footprint, shape, (double)group->impulse[k], (double)shape->def->friction,
                    vector_at(&deformable->particles[particle]), lane_of(group->normal, k), spin);
    }
}

static bool keeps_volume(const pli_constraints_data *set)
{
    return set->type->generator && strcmp(set->type->generator, "closed_volume") == 0;
}

static bool is_inflated(const pli_deformable_data *deformable)
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (keeps_volume(set))
            return true;
    return false;
}

static void mark_inflated(pli_deformable_data *deformable)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        for (int32_t i = 0; keeps_volume(set) && i < set->slot_count; i++) {
            int32_t member = set->variable.members[set->variable.member_spans[i].begin];
            pieces->footprints[pieces->piece_of ? pieces->piece_of[member] : 0].inflated = true;
        }
}

static void find_footprints(const pli_world *world, pli_deformable_data *deformable, float step)
{
    const pli_contact_pool *pool = deformable->pool;
    for (int32_t i = 0; i < deformable->momentum->pieces->count; i++)
        deformable->momentum->pieces->footprints[i] = (pli_footprint){0};
    mark_inflated(deformable);
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            add_group(world, deformable, pli_chunk_contacts(pool, chunk) + i, step);
}

// Adds a contact of a deformable with a collider surface that no rigid body carries. The collider may be on either side.
static void add_surface_contact(const pli_world *world, const pli_surface_contact *t, float step)
{
    const pli_collision *collision = &world->collision;
    const int side = collision->surfaces[t->surface[0]]->collider ? 1 : 0;
    const pli_contact_mesh *own = collision->surfaces[t->surface[side]],
                           *other = collision->surfaces[t->surface[1 - side]];
    const double impulse = (double)t->normal_sum / (double)step + (double)t->restitution_impulse;
    if (own->collider || !other->collider || other->rigid || !(impulse > 0.0))
        return;
    const pli_deformable_data *deformable = pli_deformable_at(world, own->number);
    const pli_pieces *pieces = deformable->momentum->pieces;
    if (!pieces || !pieces->rolls)
        return;
    const double sign = side == 0 ? 1.0 : -1.0;
    const int32_t begin = side == 0 ? 0 : t->split, end = side == 0 ? t->split : t->particles;
    pli_dvec3 at = {0.0, 0.0, 0.0};
    for (int32_t k = begin; k < end; k++)
        at = pli_dadd(at, pli_dscale(vector_at(&world->store.particles[t->at[k]]), sign * (double)t->weights[k]));
    const int32_t piece = pieces->piece_of ? pieces->piece_of[t->at[begin] - deformable->first] : 0;
    const pli_moving_shape *shape = &world->during.analytic.shapes[other->number];
    add_contact(&pieces->footprints[piece], shape, impulse, (double)t->friction, at,
                pli_dscale(pli_widened(t->normal), sign), spin_of(shape, step));
}

typedef void (*visit_particle)(pli_particle *p, pli_particle *v, void *data);

static void for_piece(const pli_deformable_data *deformable, const pli_piece *piece, visit_particle run, void *data)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    const pli_ghost_chunk *chunks = pieces->chunks + piece->first_chunk;
    for (int32_t i = chunks[0].begin; i < chunks[piece->chunk_count - 1].end; i++) {
        int32_t particle = pieces->members ? pieces->members[i] : i;
        run(&deformable->particles[particle], &deformable->velocities[particle], data);
    }
}

typedef struct measuring {
    pli_dvec3 centre;
    roller sums;
} measuring;

static void measure_rolling(pli_particle *p, pli_particle *v, void *data)
{
    measuring *m = data;
    roller *s = &m->sums;
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    pli_dvec3 r = pli_dsub(vector_at(p), m->centre), momentum = pli_dscale(vector_at(v), mass);
    s->mass += mass;
    s->position = pli_dadd(s->position, pli_dscale(r, mass));
    s->momentum = pli_dadd(s->momentum, momentum);
    s->angular = pli_dadd(s->angular, pli_dcross(r, momentum));
    pli_add_point_inertia(s->inertia, mass, r);
}

// Mean angular velocity of the piece.
static pli_dvec3 turning_of(const roller *s)
{
    pli_dvec3 c = pli_dscale(s->position, 1.0 / s->mass);
    double inertia[6];
    memcpy(inertia, s->inertia, sizeof inertia);
    pli_add_point_inertia(inertia, -s->mass, c);
    return pli_solve_pseudo_inverse(inertia, pli_dsub(s->angular, pli_dcross(c, s->momentum)), 1e-6);
}

typedef struct rolling_turn {
    pli_dvec3 centre, change;
    double step;
} rolling_turn;

static void apply_rolling_turn(pli_particle *p, pli_particle *v, void *data)
{
    const rolling_turn *t = data;
    if (!(p->w > 0.0f))
        return;
    pli_dvec3 faster = pli_dcross(t->change, pli_dsub(vector_at(p), t->centre));
    v->x += (float)faster.x, v->y += (float)faster.y, v->z += (float)faster.z;
    p->x += (float)(t->step * faster.x), p->y += (float)(t->step * faster.y), p->z += (float)(t->step * faster.z);
}

// Torque of the front half of a footprint about its middle, divided by the normal force: half of the mean distance along the rolling
// direction. Divided by the root mean square of these distances it is 0.4193 for Hertz's pressure on a disc, where the lever is 3/16 of
// the radius, 0.424 on a strip, and 0.433 for a pressure that is uniform along the rolling direction.
static double lever_of(const pli_footprint *footprint, pli_dvec3 axis)
{
    double spread[6];
    memcpy(spread, footprint->spread, sizeof spread);
    pli_add_point_inertia(spread, -footprint->impulse, pli_dscale(footprint->centre, 1.0 / footprint->impulse));
    return 0.1875 * sqrt(5.0 * fmax(0.0, pli_moment_about(spread, axis)) / footprint->impulse);
}

// The torque is limited to the levers times the normal force, and to the friction at the contact.
static void resist(pli_deformable_data *deformable, const pli_piece *piece, const pli_footprint *footprint, float step)
{
    pli_dvec3 normal = pli_dscale(footprint->normal, 1.0 / pli_dlength(footprint->normal));
    measuring m = {.centre = pli_dscale(footprint->centre, 1.0 / footprint->impulse)};
    for_piece(deformable, piece, measure_rolling, &m);
    pli_dvec3 spin = pli_dsub(turning_of(&m.sums), pli_dscale(footprint->spin, 1.0 / footprint->impulse));
    spin = pli_dsub(spin, pli_dscale(normal, pli_ddot(normal, spin)));
    double speed = pli_dlength(spin);
    if (!(speed > 0.0))
        return;
    pli_dvec3 axis = pli_dscale(spin, 1.0 / speed);
    double inertia = pli_moment_about(m.sums.inertia, axis), lever = pli_dlength(pli_dcross(axis, m.sums.position));
    double torque = footprint->torque + (footprint->inflated ? footprint->lost * lever_of(footprint, axis) : 0.0);
    double most = torque / inertia;
    if (footprint->grip < most * lever)
        most = footprint->grip / lever;
    rolling_turn t = {m.centre, pli_dscale(axis, -fmin(speed, most)), (double)step};
    if (pli_dlength(t.change) > 0.0)
        for_piece(deformable, piece, apply_rolling_turn, &t);
}

static bool resists(const pli_footprint *footprint)
{
    return (footprint->torque > 0.0 || (footprint->inflated && footprint->lost > 0.0)) &&
           pli_dlength(footprint->normal) > 0.0;
}

bool pli_world_resists_rolling(const pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++)
        if (((const pli_collider_data *)(const void *)world->colliders.items[i])->def.rolling_friction > 0.0f)
            return true;
    return false;
}

void pli_deformable_find_footprints(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    if (!pieces)
        return;
    pieces->rolls = is_inflated(deformable) || pli_world_resists_rolling(world);
    if (pieces->rolls)
        find_footprints(world, deformable, step);
}

void pli_world_add_surfaces_to_footprints(const pli_world *world, float step)
{
    const pli_collision *collision = &world->collision;
    bool any = false;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        any = any || (!deformable->idle && deformable->momentum->pieces && deformable->momentum->pieces->rolls);
    }
    for (int32_t i = 0; any && i < collision->contacts.surface_contacts.count; i++)
        add_surface_contact(world, &collision->contacts.surface_contacts.items[i], step);
}

void pli_deformable_resist_rolling(pli_deformable_data *deformable, float step)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    for (int32_t i = 0; pieces && pieces->rolls && i < pieces->count; i++)
        if (pieces->items[i].pivot_count == 0 && resists(&pieces->footprints[i]))
            resist(deformable, &pieces->items[i], &pieces->footprints[i], step);
}
