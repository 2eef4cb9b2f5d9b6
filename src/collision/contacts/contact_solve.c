#include "collision/contacts/contact_solve.h"

#include "collision/contacts/contact_batch.h"

#include <string.h>

enum { ALONE = PLI_CONTACT_BATCH_COLOURS }; // The colour of what is done one at a time.

// The rigid body of a contact, while it is projected.
typedef struct carrier {
    pli_rigid_body_data *rigid; // Null when there is none.
    float sign;                 // Of what the contact does to it: 1 on side a, -1 on side b.
    pli_vec3 point;             // Where the other side touches it.
    pli_vec3 moved;             // How far its side is from where the particles of its collider were laid out.
    pli_vec3 material;          // How far its material at the point has come since the start of the substep.
} carrier;

static pli_rigid_body_data *rigid_of(const pli_collision *collision, const pli_surface_contact *t, float *sign)
{
    for (int side = 0; side < 2; side++) {
        *sign = side == 0 ? 1.0f : -1.0f;
        if (collision->surfaces[t->surface[side]]->rigid)
            return collision->surfaces[t->surface[side]]->rigid;
    }
    return NULL;
}

static int32_t choose_colour(pli_collision *collision, const pli_surface_contact *t)
{
    float sign;
    if (rigid_of(collision, t, &sign))
        return ALONE;
    uint64_t used = 0;
    for (int i = 0; i < 4; i++)
        if (collision->particles[t->at[i]].w > 0.0f)
            used |= collision->contacts.masks[t->at[i]];
    if (used == UINT64_MAX)
        return ALONE;
    int32_t colour = (int32_t)__builtin_ctzll(~used);
    for (int i = 0; i < 4; i++)
        collision->contacts.masks[t->at[i]] |= 1ull << colour;
    return colour;
}

// Where contacts are few, most particles have none.
static void clear_masks(pli_collision *collision)
{
    if (collision->contacts.surface_contacts.count >= collision->particle_count / 4) {
        memset(collision->contacts.masks, 0, (size_t)collision->particle_count * sizeof *collision->contacts.masks);
        return;
    }
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++)
        for (int k = 0; k < 4; k++)
            collision->contacts.masks[collision->contacts.surface_contacts.items[i].at[k]] = 0;
}

// Colours all contacts and counts those of each.
static void choose_colours(pli_collision *collision, int32_t counts[ALONE + 1])
{
    clear_masks(collision);
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        collision->contacts.surface_contacts.items[i].colour = choose_colour(
            collision, &collision->contacts.surface_contacts.items[i]);
        counts[collision->contacts.surface_contacts.items[i].colour]++;
    }
}

// Tells the blocks and the list of the others what they have, in the order of the contacts.
static void place_surface_contacts(pli_collision *collision)
{
    int32_t next[ALONE];
    for (int32_t c = 0; c < ALONE; c++)
        next[c] = collision->contacts.contact_batch_starts[c] * PLI_CONTACT_BATCH_LANES;
    for (int32_t i = 0; i < collision->contacts.contact_batch_starts[ALONE]; i++)
        for (int32_t lane = 0; lane < PLI_CONTACT_BATCH_LANES; lane++)
            collision->contacts.contact_batch.items[i].surface_contact[lane] = -1;
    collision->contacts.alone.count = 0;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        int32_t colour = collision->contacts.surface_contacts.items[i].colour;
        if (colour == ALONE) {
            collision->contacts.alone.items[collision->contacts.alone.count++] = i;
            continue;
        }
        int32_t slot = next[colour]++;
        collision->contacts.contact_batch.items[slot / PLI_CONTACT_BATCH_LANES]
            .surface_contact[slot % PLI_CONTACT_BATCH_LANES] = i;
    }
}

static bool colour(pli_collision *collision)
{
    int32_t counts[ALONE + 1] = {0};
    pli_contacts *contacts = &collision->contacts;
    contacts->masks = PLI_TAKE(&collision->arena, uint64_t, collision->particle_count);
    if (!contacts->masks)
        return false;
    choose_colours(collision, counts);
    for (int32_t c = 0; c < ALONE; c++)
        contacts->contact_batch_starts[c + 1] = contacts->contact_batch_starts[c] +
                                                (counts[c] + PLI_CONTACT_BATCH_LANES - 1) / PLI_CONTACT_BATCH_LANES;
    if (!pli_array_reserve_unset(collision->memory, &contacts->contact_batch, contacts->contact_batch_starts[ALONE]) ||
        !pli_array_reserve_unset(collision->memory, &contacts->alone, counts[ALONE]))
        return false;
    place_surface_contacts(collision);
    pli_contact_batch_fill(collision);
    return true;
}

bool pli_surface_contacts_colour(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool complete = colour(collision);
    pli_arena_end(&collision->arena, scope);
    return complete;
}

// Differences to one of the four, since the weights sum to zero: no rounding of large coordinates.
static pli_vec3 weighted(const pli_surface_contact *t, const pli_particle *at)
{
    pli_vec3 sum = {0, 0, 0}, origin = pli_place_of(&at[t->at[0]]);
    for (int i = 1; i < 4; i++)
        sum = pli_add(sum, pli_scale(pli_sub(pli_place_of(&at[t->at[i]]), origin), t->weights[i]));
    return sum;
}

// Sum of inverse masses along any direction [1/kg].
static float yielding(const pli_collision *collision, const pli_surface_contact *t)
{
    float sum = 0.0f;
    for (int i = 0; i < 4; i++)
        sum += collision->particles[t->at[i]].w * t->weights[i] * t->weights[i];
    return sum;
}

static void shift(pli_collision *collision, const pli_surface_contact *t, pli_vec3 push)
{
    for (int i = 0; i < 4; i++) {
        pli_particle *p = &collision->particles[t->at[i]];
        float share = p->w * t->weights[i];
        p->x += share * push.x, p->y += share * push.y, p->z += share * push.z;
    }
}

// The point of one side: of a when `sign` is positive, of b when it is negative.
static pli_vec3 side_point(const pli_surface_contact *t, const pli_particle *particles, float sign)
{
    pli_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        if (sign * t->weights[i] > 0.0f)
            sum = pli_add(sum, pli_scale(pli_place_of(&particles[t->at[i]]), sign * t->weights[i]));
    return sum;
}

// What a contact's body is like now: pushes have moved it away from where its collider was laid out.
static carrier carrier_of(const pli_collision *collision, const pli_surface_contact *t)
{
    carrier c = {0};
    c.rigid = rigid_of(collision, t, &c.sign);
    if (!c.rigid)
        return c;
    const pli_rigid_pose *now = &c.rigid->now.pose;
    pli_vec3 refitted = side_point(t, collision->particles, c.sign);
    c.point = side_point(t, collision->particles, -c.sign);
    c.moved = pli_sub(pli_rigid_carry(&c.rigid->placed_pose, now, refitted), refitted);
    c.material = pli_sub(c.point, pli_rigid_carry(now, &c.rigid->previous, c.point));
    return c;
}

static float yielding_with(const carrier *c, float yields, pli_vec3 direction)
{
    return c->rigid ? yields + pli_rigid_inverse_mass(c->rigid, c->point, direction) : yields;
}

static void push_both(pli_collision *collision, const pli_surface_contact *t, const carrier *c, pli_vec3 push)
{
    shift(collision, t, push);
    if (c->rigid)
        pli_rigid_push(c->rigid, c->point, pli_scale(push, c->sign));
}

// How far side a has slid against b since the start of the substep.
static pli_vec3 slid_of(const pli_collision *collision, const pli_surface_contact *t, const carrier *c)
{
    if (!c->rigid)
        return pli_sub(weighted(t, collision->particles), weighted(t, collision->previous));
    pli_vec3 trajectory = pli_sub(c->point, side_point(t, collision->previous, -c->sign));
    return pli_scale(pli_sub(c->material, trajectory), c->sign);
}

// Coulomb: sliding since the start of the substep is taken back by at most friction times the push.
// Mueller et al. 2020, section 3.5.
static void rub(pli_collision *collision, pli_surface_contact *t, const carrier *c, float yields)
{
    pli_vec3 slid = slid_of(collision, t, c);
    pli_vec3 along = pli_sub(slid, pli_scale(t->normal, pli_dot(slid, t->normal)));
    float length = pli_length(along), most = t->friction * t->push - t->rubbed;
    if (!(length > 0.0f) || !(most > 0.0f))
        return;
    pli_vec3 direction = pli_scale(along, 1.0f / length);
    float push = fminf(length / yielding_with(c, yields, direction), most);
    t->rubbed += push;
    push_both(collision, t, c, pli_scale(direction, -push));
}

static void project(pli_collision *collision, pli_surface_contact *t, const carrier *c, float bounce)
{
    (void)bounce;
    float yields = yielding(collision, t), normal_yields = yielding_with(c, yields, t->normal);
    if (!(normal_yields > 0.0f))
        return;
    pli_vec3 apart = pli_add(weighted(t, collision->particles), pli_scale(c->moved, c->sign));
    float depth = t->rest_distance - pli_dot(t->normal, apart);
    if (depth > 0.0f) {
        float push = depth / normal_yields;
        t->push += push;
        push_both(collision, t, c, pli_scale(t->normal, push));
    }
    if (!(t->friction > 0.0f) || !(t->push > 0.0f))
        return;
    carrier pushed = c->rigid ? carrier_of(collision, t) : *c;
    rub(collision, t, &pushed, yields);
}

typedef void (*surface_contact_stage)(pli_collision *collision, pli_surface_contact *t, const carrier *c, float bounce);

static void sweep_others(pli_collision *collision, surface_contact_stage stage, float bounce)
{
    for (int32_t i = 0; i < collision->contacts.alone.count; i++) {
        pli_surface_contact *t = &collision->contacts.surface_contacts.items[collision->contacts.alone.items[i]];
        carrier c = carrier_of(collision, t);
        stage(collision, t, &c, bounce);
    }
}

void pli_collision_project(pli_collision *collision)
{
    pli_contact_batch_project(collision);
    sweep_others(collision, project, 0.0f);
}

void pli_collision_mark_touched(pli_collision *collision)
{
    pli_contact_batch_collect(collision);
    for (int32_t s = 0; s < collision->surface_count; s++)
        collision->surfaces[s]->touched = false;
    pli_collision_forget_links(collision);
    int32_t linked[2] = {-1, -1};
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        const pli_surface_contact *t = &collision->contacts.surface_contacts.items[i];
        const int32_t *sides = t->surface;
        // Most contacts are between the same two as those before them.
        if (!(t->push > 0.0f) || sides[0] == sides[1] || (sides[0] == linked[0] && sides[1] == linked[1]))
            continue;
        linked[0] = sides[0], linked[1] = sides[1];
        collision->surfaces[sides[0]]->touched = collision->surfaces[sides[1]]->touched = true;
        pli_collision_link(collision, sides[0], sides[1]);
    }
}

// What approached is reflected (Mueller et al. 2006, section 3.4), and what was brought apart because it was
// too near does not go on going apart (Mueller et al. 2020, section 3.6).
static void rebound(pli_collision *collision, pli_surface_contact *t, const carrier *c, float bounce)
{
    if (!(t->push > 0.0f))
        return;
    float yields = yielding_with(c, yielding(collision, t), t->normal);
    float wanted = t->approach < -bounce ? -t->restitution * t->approach : fmaxf(t->approach, 0.0f);
    float change = wanted - pli_dot(t->normal, weighted(t, collision->velocities));
    if (c->rigid)
        change -= c->sign * pli_dot(t->normal, pli_rigid_velocity_at(c->rigid, c->point));
    bool reflects = change > 0.0f && t->restitution > 0.0f && t->approach < -bounce;
    if (!(yields > 0.0f) || !(change < 0.0f || reflects))
        return;
    t->kick += change / yields;
    for (int k = 0; k < 4; k++) {
        pli_particle *v = &collision->velocities[t->at[k]];
        float share = collision->particles[t->at[k]].w * t->weights[k] * change / yields;
        v->x += share * t->normal.x, v->y += share * t->normal.y, v->z += share * t->normal.z;
    }
    if (c->rigid)
        pli_rigid_apply_impulse(c->rigid, c->point, pli_scale(t->normal, c->sign * change / yields));
}

void pli_collision_rebound(pli_collision *collision, float bounce)
{
    pli_contact_batch_rebound(collision, bounce);
    sweep_others(collision, rebound, bounce);
    pli_contact_batch_collect(collision);
}
