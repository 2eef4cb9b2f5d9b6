// Support contacts: positional impulses on the bodies alone keep them at the distance from their support that the cloth in between
// needs. The cloth carries no load, so that the mass ratio does not matter.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, sections 3.3 and 3.6.
#include "rigid/coupling/support_contacts.h"

#include "model/handles.h"
#include "model/origin.h"
#include "particles/contact_pool.h"

static pli_rigid_body_data *body_of(const pli_world *world, int32_t collider)
{
    return pli_collider_at(world, collider)->rigid;
}

static pli_dvec3 point_at(const pli_rigid_pose *pose, pli_dvec3 arm)
{
    return pli_dadd(pose->centre, pli_rigid_rotate(pose->turn, arm));
}

// How far the body's point has moved along the normal in this substep [m]; 0 without a body.
static double support_moved(const pli_rigid_body_data *body, pli_dvec3 arm, pli_dvec3 normal)
{
    if (!body)
        return 0.0;
    return pli_ddot(normal, pli_dsub(point_at(&body->now.pose, arm), point_at(&body->previous, arm)));
}

// Distance of body and support at their present poses, after the motion of a support that is not a body [m].
static double distance_now(const pli_world *world, const pli_support_contact_data *b)
{
    return b->start + support_moved(body_of(world, b->collider), b->arm, b->normal) -
           support_moved(body_of(world, b->support), b->support_arm, b->normal);
}

// Initialises a support contact that was found, at the predicted poses of its bodies.
static void support_contact_begin(const pli_world *world, const pli_support_contact_data *found,
                                  pli_support_contact_data *support_contact)
{
    double step = (double)world->collision.substep.length;
    *support_contact = *found;
    // `start` includes the motion of a support that is not a body; `before` excludes it.
    double before = found->start + found->support_speed * step;
    support_contact->wanted = fmin(found->keep, before + (double)PLI_RECOVERY * found->keep * step);
    support_contact->approach = (distance_now(world, support_contact) - before) / step;
}

static pli_vec3 support_place(const pli_rigid_body_data *body, pli_dvec3 arm)
{
    return pli_rounded(point_at(&body->now.pose, arm));
}

static double inverse_mass(const pli_rigid_body_data *body, pli_dvec3 arm, pli_vec3 normal)
{
    return body ? (double)pli_rigid_inverse_mass(body, support_place(body, arm), normal) : 0.0;
}

static double both_inverse_masses(const pli_world *world, const pli_support_contact_data *b)
{
    pli_vec3 normal = pli_rounded(b->normal);
    return inverse_mass(body_of(world, b->collider), b->arm, normal) +
           inverse_mass(body_of(world, b->support), b->support_arm, normal);
}

// Applies an impulse along the normal to the body, and the opposite one to a support that is a body, at the same point.
static void give(const pli_world *world, const pli_support_contact_data *b, double size,
                 void (*to)(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 impulse))
{
    pli_rigid_body_data *body = body_of(world, b->collider), *support = body_of(world, b->support);
    pli_vec3 point = support_place(body, b->arm), impulse = pli_rounded(pli_dscale(b->normal, size));
    to(body, point, impulse);
    if (support)
        to(support, point, pli_scale(impulse, -1.0f));
}

void pli_world_project_support_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->coupling.support_contacts.now.count; i++) {
        pli_support_contact_data *b = &world->coupling.support_contacts.now.items[i];
        double inverse = both_inverse_masses(world, b);
        if (!(inverse > 0.0))
            continue;
        double push = fmax((b->wanted - distance_now(world, b)) / inverse, -b->sum);
        if (push == 0.0)
            continue;
        b->sum += push;
        give(world, b, push, pli_rigid_push);
    }
}

static double speed_of(const pli_rigid_body_data *body, pli_dvec3 arm, pli_dvec3 normal)
{
    return body ? pli_ddot(normal, pli_widened(pli_rigid_velocity_at(body, support_place(body, arm)))) : 0.0;
}

void pli_world_rebound_support_contacts(pli_world *world, float bounce)
{
    for (int32_t i = 0; i < world->coupling.support_contacts.now.count; i++) {
        const pli_support_contact_data *b = &world->coupling.support_contacts.now.items[i];
        double inverse = both_inverse_masses(world, b);
        if (!(b->sum > 0.0) || !(inverse > 0.0))
            continue;
        bool reflects = b->approach < -(double)bounce && b->restitution > 0.0f;
        double wanted = b->approach < -(double)bounce ? -(double)b->restitution * b->approach : fmax(b->approach, 0.0);
        double speed = speed_of(body_of(world, b->collider), b->arm, b->normal) -
                       speed_of(body_of(world, b->support), b->support_arm, b->normal) - b->support_speed;
        if (speed > wanted || reflects)
            give(world, b, (wanted - speed) / inverse, pli_rigid_apply_impulse);
    }
}

void pli_world_measure_support_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->coupling.support_contacts.now.count; i++) {
        pli_support_contact_data *b = &world->coupling.support_contacts.now.items[i];
        const double *q = body_of(world, b->collider)->now.pose.turn, back[4] = {-q[0], -q[1], -q[2], q[3]};
        b->distance = distance_now(world, b);
        b->local_normal = pli_rigid_rotate(back, b->normal);
    }
}

pli_status pli_world_support_contacts(const pli_world *world, pli_support_contact *support_contacts, int32_t capacity,
                                      int32_t *count, pli_error *error)
{
    if (!world || !count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s of the support contacts is null",
                        world ? "count" : "world");
    if (capacity < 0 || (!support_contacts && capacity > 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "there is room for %d support contacts%s; give an array, or null and 0 for the count alone",
                        (int)capacity, support_contacts ? "" : " at null");
    *count = world->coupling.support_contacts.now.count;
    for (int32_t i = 0; i < *count && i < capacity; i++) {
        const pli_support_contact_data *b = &world->coupling.support_contacts.now.items[i];
        const pli_rigid_pose *pose = &body_of(world, b->collider)->now.pose;
        support_contacts[i] = (pli_support_contact){
            .collider = {pli_collider_at(world, b->collider)->id, world->tag},
            .support = {pli_collider_at(world, b->support)->id, world->tag},
            .position = pli_rounded(pli_dadd(point_at(pose, b->arm), world->origin)),
            .normal = pli_rounded(pli_rigid_rotate(pose->turn, b->local_normal)),
            .distance = (float)b->distance,
            .thickness = (float)b->keep,
            .friction = b->friction,
            .layers = b->layers,
        };
    }
    return pli_succeed(error);
}

/* ---- chains of contacts ---------------------------------------------------------------------- */

// Finds support contacts: follows contacts with similar normals from a contact of a body with cloth, through the layers below, to a
// collider. Guendelman, Bridson, Fedkiw 2003, Nonconvex Rigid Bodies with Stacking, section 7, orders contacts in the
// same way to transmit loads; here the layers in between are light, and the load bypasses them.
//
//      body        contact 1   n1, distance, keep
//      ------ layer
//                  contact 2   n2 within 30 degrees of n1      support contact: body and support, n1, sums of distance and keep
//      ------ layer
//                  contact 3   n3 within 30 degrees of n1
//      support

// Cosine of the largest angle between the normals of a chain: 30 degrees.
#define AGREE_COSINE 0.866
// A particle with a smaller weight in a contact point is not used to look for contacts below the point.
#define LEAST_WEIGHT 0.2f
// Most support contacts between two colliders: a body needs no more to rest, and the cost of an application's exact solver is cubic in them.
enum { LAYERS_MAX = 64, SUPPORT_CONTACTS_MAX = 8 };

// A contact at a particle: of surfaces, or of the particle with a shape. `next` links the entries of a particle.
typedef struct contact_entry {
    int32_t contact, next;          // Index among the contacts of surfaces; -1 for a contact with a shape.
    const pli_contact_group *group; // The group of a contact with a shape.
    int32_t lane;
    float thickness; // Thickness of the deformable that touches the shape [m].
} contact_entry;

typedef struct support_search {
    pli_world *world;
    contact_entry *entries;
    int32_t *first; // [particle_count] first entry of each particle; -1 for none.
    int32_t count;
    pli_support_contact_data *found;
    int32_t found_count;
} support_search;

// The contact below a layer, and its far side.
typedef struct layer_below {
    int32_t contact;  // Contact of surfaces; -1 for a contact with a shape.
    int32_t far;      // Side of that contact away from the layer.
    int32_t collider; // Index of the collider on the far side; -1 for cloth.
    double cosine;    // Cosine between its normal and the support contact's normal.
    double distance, keep, friction;
    double support_moved; // Displacement in this substep of a collider without a body, along its normal [m].
    pli_vec3 point;
} layer_below;

static const pli_surface_contact *contact_at(const support_search *s, int32_t i)
{
    return &s->world->collision.contacts.surface_contacts.items[i];
}

static const pli_contact_mesh *support_surface(const support_search *s, const pli_surface_contact *t, int32_t side)
{
    return s->world->collision.surfaces[t->surface[side]];
}

static int32_t side_begin(const pli_surface_contact *t, int32_t side) { return side == 0 ? 0 : t->split; }
static int32_t side_end(const pli_surface_contact *t, int32_t side) { return side == 0 ? t->split : t->particles; }

static pli_dvec3 normal_towards(const pli_surface_contact *t, int32_t side)
{
    return pli_dscale(pli_widened(t->normal), side == 0 ? 1.0 : -1.0);
}

static double radii(const support_search *s, const pli_surface_contact *t)
{
    return (double)support_surface(s, t, 0)->radius + (double)support_surface(s, t, 1)->radius;
}

// Weighted sum of the heights of particles begin..end-1 along the normal.
static double along_normal(const pli_surface_contact *t, const pli_particle *at, int32_t begin, int32_t end)
{
    double sum = 0.0;
    for (int32_t k = begin; k < end; k++)
        sum += (double)t->weights[k] * pli_ddot(pli_widened(t->normal), pli_widened(pli_position_of(&at[t->at[k]])));
    return sum;
}

static pli_vec3 side_point_of(const support_search *s, const pli_surface_contact *t, int32_t side)
{
    pli_vec3 sum = {0, 0, 0};
    for (int32_t k = side_begin(t, side); k < side_end(t, side); k++)
        sum = pli_add(sum, pli_scale(pli_position_of(&s->world->store.previous[t->at[k]]), fabsf(t->weights[k])));
    return sum;
}

static double distance_of(const support_search *s, const pli_surface_contact *t)
{
    return along_normal(t, s->world->store.previous, 0, t->particles) - radii(s, t);
}

static double keep_of(const support_search *s, const pli_surface_contact *t)
{
    return (double)t->rest_distance - radii(s, t);
}

/* ---- contacts by particle ----------------------------------------------------------------------- */

static void support_add_entry(support_search *s, int32_t particle, contact_entry e)
{
    e.next = s->first[particle];
    s->entries[s->count] = e;
    s->first[particle] = s->count++;
}

static int64_t entry_count(const pli_world *world)
{
    int64_t count = 4 * (int64_t)world->collision.contacts.surface_contacts.count;
    for (int32_t i = 0; i < world->deformables.count; i++)
        for (int32_t chunk = 0; chunk < pli_deformable_at(world, i)->pool->chunk_count; chunk++)
            count += (int64_t)PLI_BATCH * pli_deformable_at(world, i)->pool->counts[chunk];
    return count;
}

// Returns false when out of memory.
static bool list_contacts(support_search *s)
{
    pli_world *world = s->world;
    pli_arena *arena = &world->collision.arena;
    s->entries = PLI_TAKE(arena, contact_entry, entry_count(world));
    s->first = PLI_TAKE(arena, int32_t, world->store.count);
    s->found = PLI_TAKE_ZEROED(arena, pli_support_contact_data, world->collision.contacts.surface_contacts.count);
    if (!s->entries || !s->first || !s->found)
        return false;
    for (int32_t i = 0; i < world->store.count; i++)
        s->first[i] = -1;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++) {
            const pli_contact_group *groups = pli_chunk_contacts(deformable->pool, chunk);
            for (int32_t g = 0; g < deformable->pool->counts[chunk]; g++)
                for (int32_t lane = 0; lane < PLI_BATCH; lane++)
                    if (groups[g].lanes >> lane & 1u)
                        support_add_entry(
                            s, deformable->first + groups[g].first + lane,
                            (contact_entry){-1, -1, &groups[g], lane,
                                            pli_deformable_thickness(deformable, groups[g].first + lane)});
        }
    }
    for (int32_t i = 0; i < world->collision.contacts.surface_contacts.count; i++) {
        const pli_surface_contact *t = contact_at(s, i);
        for (int32_t k = 0; k < t->particles; k++)
            if (t->weights[k] != 0.0f)
                support_add_entry(s, t->at[k], (contact_entry){.contact = i});
    }
    return true;
}

/* ---- the chain ---------------------------------------------------------------------------------- */

static layer_below below_shape(const support_search *s, const contact_entry *e, int32_t particle, pli_dvec3 normal)
{
    const pli_contact_group *g = e->group;
    const pli_collider_def *def = s->world->during.analytic.shapes[g->collider].def;
    const pli_vec3 up = {g->normal[0][e->lane], g->normal[1][e->lane], g->normal[2][e->lane]},
                   moving = {g->velocity[0][e->lane], g->velocity[1][e->lane], g->velocity[2][e->lane]},
                   at = pli_position_of(&s->world->store.previous[particle]);
    double keep = (double)(e->thickness + def->thickness);
    double moved = pli_ddot(pli_widened(up), pli_widened(moving)) * (double)s->world->collision.substep.length;
    return (layer_below){
        .contact = -1,
        .collider = g->collider,
        .cosine = pli_ddot(pli_widened(up), normal),
        .distance = (double)(pli_dot(up, at) - g->offset[e->lane] - g->left[e->lane]) + keep + moved,
        .keep = keep,
        .friction = (double)def->friction,
        .support_moved = moved,
    };
}

static layer_below below_contact(const support_search *s, int32_t contact, int32_t particle, pli_dvec3 normal)
{
    const pli_surface_contact *t = contact_at(s, contact);
    int32_t here = 0;
    for (int32_t k = t->split; k < t->particles; k++)
        here = t->at[k] == particle ? 1 : here;
    int32_t far = 1 - here;
    const pli_contact_mesh *surface = support_surface(s, t, far);
    double moved = along_normal(t, s->world->store.particles, side_begin(t, far), side_end(t, far)) -
                   along_normal(t, s->world->store.previous, side_begin(t, far), side_end(t, far));
    // The weights of side b are negative, and the normal points away from it.
    return (layer_below){
        .contact = contact,
        .far = far,
        .collider = surface->collider ? surface->number : -1,
        .cosine = pli_ddot(normal_towards(t, here), normal),
        .distance = distance_of(s, t),
        .keep = keep_of(s, t),
        .friction = (double)t->friction,
        .support_moved = surface->collider && !surface->rigid ? -moved : 0.0,
        .point = side_point_of(s, t, far),
    };
}

// Finds the next contact below a particle, along the normal; colliders are preferred to cloth. Returns false if there is none.
static bool look_below(const support_search *s, int32_t particle, int32_t from, pli_dvec3 normal,
                       const pli_rigid_body_data *body, layer_below *best)
{
    best->cosine = AGREE_COSINE;
    best->collider = -1;
    bool any = false;
    for (int32_t i = s->first[particle]; i >= 0; i = s->entries[i].next) {
        const contact_entry *e = &s->entries[i];
        if (e->contact == from && e->contact >= 0)
            continue;
        layer_below b = e->contact < 0 ? below_shape(s, e, particle, normal)
                                       : below_contact(s, e->contact, particle, normal);
        bool own = b.collider >= 0 && pli_collider_at(s->world, b.collider)->rigid == body;
        bool nearer = (b.collider >= 0) != (best->collider >= 0) ? b.collider >= 0 : b.cosine > best->cosine;
        if (own || !(b.cosine > AGREE_COSINE) || !nearer)
            continue;
        *best = b;
        any = true;
    }
    return any;
}

// Finds the next contact below a side of a contact: below its particle of greatest weight that has one.
static bool look_below_side(const support_search *s, int32_t contact, int32_t side, pli_dvec3 normal,
                            const pli_rigid_body_data *body, layer_below *best)
{
    const pli_surface_contact *t = contact_at(s, contact);
    float least = INFINITY;
    for (int32_t tries = side_begin(t, side); tries < side_end(t, side); tries++) {
        int32_t heaviest = -1;
        for (int32_t k = side_begin(t, side); k < side_end(t, side); k++)
            if (fabsf(t->weights[k]) < least && (heaviest < 0 || fabsf(t->weights[k]) > fabsf(t->weights[heaviest])))
                heaviest = k;
        if (heaviest < 0 || fabsf(t->weights[heaviest]) < LEAST_WEIGHT)
            return false;
        if (look_below(s, t->at[heaviest], contact, normal, body, best))
            return true;
        least = fabsf(t->weights[heaviest]);
    }
    return false;
}

static bool is_movable(const pli_rigid_body_data *body) { return body && pli_rigid_is_movable(body); }

// One body must be movable. A support contact between two bodies is listed for the body whose collider was created first.
static bool is_wanted(const support_search *s, int32_t collider, int32_t support)
{
    const pli_rigid_body_data *a = pli_collider_at(s->world, collider)->rigid,
                              *b = pli_collider_at(s->world, support)->rigid;
    return (is_movable(a) || is_movable(b)) && (!b || collider < support);
}

static pli_dvec3 support_arm(const pli_rigid_body_data *body, pli_dvec3 point)
{
    const double *q = body->previous.turn, back[4] = {-q[0], -q[1], -q[2], q[3]};
    return pli_rigid_rotate(back, pli_dsub(point, body->previous.centre));
}

// Follows the chain of contacts from a contact whose side `of` is a body.
static bool follow(const support_search *s, int32_t contact, int32_t of, pli_support_contact_data *support_contact)
{
    const pli_surface_contact *t = contact_at(s, contact);
    const pli_contact_mesh *mine = support_surface(s, t, of);
    layer_below b = {.contact = contact, .far = 1 - of, .collider = -1};
    *support_contact = (pli_support_contact_data){
        .collider = mine->number,
        .friction = t->friction,
        .normal = normal_towards(t, of),
        .start = distance_of(s, t),
        .keep = keep_of(s, t),
    };
    for (int32_t layer = 1; layer <= LAYERS_MAX && b.collider < 0; layer++) {
        int32_t from = b.contact, side = b.far;
        if (!look_below_side(s, from, side, support_contact->normal, mine->rigid, &b))
            return false;
        support_contact->start += b.distance - b.support_moved;
        support_contact->keep += b.keep;
        support_contact->friction = fminf(support_contact->friction, (float)b.friction);
        support_contact->layers = layer;
    }
    if (b.collider < 0 || !is_wanted(s, mine->number, b.collider))
        return false;
    const pli_collider_data *own = pli_collider_at(s->world, mine->number),
                            *support = pli_collider_at(s->world, b.collider);
    support_contact->support = b.collider;
    support_contact->restitution = fmaxf(own->def.restitution, support->def.restitution);
    support_contact->support_speed = b.support_moved / (double)s->world->collision.substep.length;
    support_contact->arm = support_arm(own->rigid, pli_widened(side_point_of(s, t, 1 - of)));
    if (support->rigid)
        support_contact->support_arm = support_arm(support->rigid, pli_widened(b.point));
    return true;
}

/* ---- the support contacts that are kept ----------------------------------------------------------------- */

static bool is_pair(const pli_support_contact_data *a, const pli_support_contact_data *b)
{
    return a->collider == b->collider && a->support == b->support;
}

static double square_between(const pli_support_contact_data *a, const pli_support_contact_data *b)
{
    pli_dvec3 apart = pli_dsub(a->arm, b->arm);
    return pli_ddot(apart, apart);
}

// Moves the next support contact of the pair to index `kept`: first the deepest, then always the one farthest from the kept ones.
static bool choose(support_search *s, int32_t kept, int32_t begin)
{
    double most = -INFINITY;
    int32_t best = -1;
    for (int32_t i = kept; i < s->found_count; i++) {
        const pli_support_contact_data *f = &s->found[i];
        if (begin < kept && !is_pair(f, &s->found[begin]))
            continue;
        if (begin == kept && best >= 0 && !is_pair(f, &s->found[best]))
            continue;
        double score = begin == kept ? f->keep - f->start : INFINITY;
        for (int32_t k = begin; k < kept; k++)
            score = fmin(score, square_between(f, &s->found[k]));
        if (score > most)
            most = score, best = i;
    }
    if (best < 0 || (begin < kept && !(most > 0.0)))
        return false;
    const pli_support_contact_data chosen = s->found[best];
    // The others keep their order, so that the selection depends on the contacts alone.
    for (int32_t i = best; i > kept; i--)
        s->found[i] = s->found[i - 1];
    s->found[kept] = chosen;
    return true;
}

// The side of the contact that is a body, with cloth on the other side; -1 for none.
static int32_t body_side(const support_search *s, const pli_surface_contact *t)
{
    for (int32_t side = 0; side < 2; side++)
        if (support_surface(s, t, side)->rigid && !support_surface(s, t, 1 - side)->collider && t->particles == 4)
            return side;
    return -1;
}

static bool touches_bodies(const support_search *s)
{
    for (int32_t i = 0; i < s->world->collision.contacts.surface_contacts.count; i++)
        if (body_side(s, contact_at(s, i)) >= 0)
            return true;
    return false;
}

void pli_world_find_support_contacts(pli_world *world)
{
    support_search s = {.world = world};
    world->coupling.support_contacts.now.count = 0;
    if (world->rigids.count == 0 || world->out_of_memory || !touches_bodies(&s))
        return;
    const pli_arena_scope scope = pli_arena_begin(&world->collision.arena);
    bool complete = list_contacts(&s);
    if (complete) {
        for (int32_t i = 0; i < s.world->collision.contacts.surface_contacts.count; i++) {
            int32_t side = body_side(&s, contact_at(&s, i));
            if (side >= 0)
                s.found_count += follow(&s, i, side, &s.found[s.found_count]);
        }
        for (int32_t begin = 0, kept; begin < s.found_count; begin = kept) {
            for (kept = begin; kept - begin < SUPPORT_CONTACTS_MAX && choose(&s, kept, begin);)
                kept++;
            // Drop the remaining support contacts of the pair at `begin` after the kept ones.
            int32_t count = kept;
            for (int32_t i = kept; i < s.found_count; i++)
                if (!is_pair(&s.found[i], &s.found[begin]))
                    s.found[count++] = s.found[i];
            s.found_count = count;
        }
        complete = pli_array_reserve(&world->memory, &world->coupling.support_contacts.now, s.found_count) &&
                   pli_array_reserve(&world->memory, &world->coupling.support_contacts.good, s.found_count);
    }
    for (int32_t i = 0; complete && i < s.found_count; i++)
        support_contact_begin(
            world, &s.found[i],
            &world->coupling.support_contacts.now.items[world->coupling.support_contacts.now.count++]);
    pli_arena_end(&world->collision.arena, scope);
    world->out_of_memory = world->out_of_memory || !complete;
}
