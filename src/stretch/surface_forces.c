// Surface contacts and attachments to rigid bodies in the equations of membranes: stretch/surface_forces.h.
#include "stretch/surface_forces.h"

#include "base/hash.h"
#include "base/union_find.h"
#include "stretch/membrane_system.h"

#include <math.h>
#include <string.h>

// Stiffness of a spring along the normal, times h^2 over the effective mass of its particles.
#define SPRING_STIFFNESS 100.0f
// The tangential stiffness as a fraction of it: a stiffer spring would turn rounding errors into forces above the friction limit.
#define STIFFNESS_ALONG 0.1f

// A contact starts without a force where its sides are separated by more than NEAR times its distance when the substep starts or, unless
// it is with a rigid body, penetrate by more than DEEP times its distance and must still be separated.
#define NEAR 0.05f
#define DEEP 0.01f

// Newton steps for rigid bodies.
enum { RIGID_STEPS = 3 };

/* ---- contacts -------------------------------------------------------------------------------------- */

// A contact, and the block and lane that store its forces. The block is null for a contact that is solved alone.
typedef struct contact_place {
    pli_surface_contact *contact;
    pli_contact_block *block;
    int32_t lane;
} contact_place;

// The contact of a slot, null for padding.
static contact_place contact_place_at(const pli_surface_forces *f, int32_t slot)
{
    const pli_contacts *contacts = &f->world->collision.contacts;
    contact_place p = {NULL, NULL, slot % PLI_CONTACT_LANES};
    int32_t contact;
    if (slot < f->lanes) {
        p.block = &contacts->blocks.items[slot / PLI_CONTACT_LANES];
        contact = p.block->contact[p.lane];
    } else {
        contact = contacts->scalar.items[slot - f->lanes].contact;
    }
    p.contact = contact < 0 ? NULL : &contacts->surface_contacts.items[contact];
    return p;
}

static float normal_impulse_of(const contact_place *p)
{
    return p->block ? p->block->normal_sum[p->lane] : p->contact->normal_sum;
}

static pli_vec3 drag_of(const contact_place *p)
{
    const pli_contact_block *b = p->block;
    return b ? (pli_vec3){b->drag[0][p->lane], b->drag[1][p->lane], b->drag[2][p->lane]} : p->contact->drag;
}

static bool sticks_at(const contact_place *p)
{
    return (p->block ? p->block->slips[p->lane] : p->contact->slips) == 0.0f;
}

// Limits a force by Coulomb's law: no pull, and no more friction than the coefficient allows.
static pli_vec3 limit_force(pli_vec3 n, float friction, pli_vec3 force)
{
    const float across = pli_dot(n, force), normal = across > 0.0f ? across : 0.0f, limit = friction * normal;
    const pli_vec3 drag = pli_sub(force, pli_scale(n, across));
    const float length = pli_length(drag);
    return pli_add(pli_scale(n, normal), length > limit ? pli_scale(drag, limit / length) : drag);
}

// Sets the force of a contact, limited by Coulomb's law.
static void set_contact(const contact_place *p, pli_vec3 force)
{
    const pli_vec3 n = p->contact->normal, limited = limit_force(n, p->contact->friction, force);
    const float across = pli_dot(n, limited), normal = across > 0.0f ? across : 0.0f;
    const pli_vec3 drag = pli_sub(limited, pli_scale(n, normal));
    const float rubbed = pli_length(drag);
    if (!p->block) {
        p->contact->normal_sum = normal, p->contact->drag = drag, p->contact->friction_sum = rubbed;
        return;
    }
    p->block->normal_sum[p->lane] = normal, p->block->friction_sum[p->lane] = rubbed;
    p->block->drag[0][p->lane] = drag.x, p->block->drag[1][p->lane] = drag.y, p->block->drag[2][p->lane] = drag.z;
}

static const pli_contact_mesh *spring_surface(const pli_surface_forces *f, const pli_surface_contact *t, int32_t k)
{
    return f->world->collision.surfaces[t->surface[k < t->split ? 0 : 1]];
}

// The membrane that moves a surface, or null.
static pli_membrane *membrane_of(const pli_surface_forces *f, const pli_contact_mesh *surface)
{
    return surface->collider ? NULL : f->membranes[surface->number];
}

// Whether the contact takes part in the equations of any membrane.
static bool concerns(const pli_surface_forces *f, const pli_surface_contact *t)
{
    return membrane_of(f, f->world->collision.surfaces[t->surface[0]]) ||
           membrane_of(f, f->world->collision.surfaces[t->surface[1]]);
}

static bool has_rigid(const pli_surface_forces *f, const pli_surface_contact *t)
{
    return f->world->collision.surfaces[t->surface[0]]->rigid || f->world->collision.surfaces[t->surface[1]]->rigid;
}

// The membrane that an attachment joins to a rigid body, or null.
static pli_membrane *membrane_at(const pli_surface_forces *f, const pli_attachment_data *attachment)
{
    return attachment->rigid && f->membranes ? f->membranes[attachment->deformable->number] : NULL;
}

/* ---- springs ----------------------------------------------------------------------------------------- */

static pli_vec3 force_of(const pli_surface_forces *f, const pli_contact_spring *spring)
{
    if (spring->attachment)
        return spring->attachment->multipliers[spring->point];
    const contact_place p = contact_place_at(f, spring->slot);
    return pli_add(pli_scale(p.contact->normal, normal_impulse_of(&p)), drag_of(&p));
}

static void set_force(const pli_surface_forces *f, const pli_contact_spring *spring, pli_vec3 force)
{
    if (spring->attachment) {
        spring->attachment->multipliers[spring->point] = force;
        return;
    }
    const contact_place p = contact_place_at(f, spring->slot);
    set_contact(&p, force);
}

// Whether the equations move a particle of a spring.
static bool is_moved(const pli_contact_spring *spring, int32_t k)
{
    return spring->membrane[k] && spring->membrane[k]->predicted[spring->node[k]].w > 0.0f;
}

static void join_rigid(pli_contact_spring *spring, pli_rigid_body_data *rigid, float sign)
{
    if (pli_rigid_is_movable(rigid) && !rigid->idle)
        spring->rigid = rigid, spring->sign = sign;
}

// Computes the stiffness of a spring from the mass of its particles. The stiffness of an attachment is at least m / h^2 for its part m of
// the body's mass, in series with the compliance of the attachment.
static void find_spring_stiffness(const pli_surface_forces *f, pli_contact_spring *spring)
{
    const float square = f->step * f->step;
    float light = 0.0f, soft = 0.0f;
    for (int32_t k = 0; k < 4; k++)
        light += spring->weights[k] * spring->weights[k] * f->world->collision.particles[spring->at[k]].w;
    light /= SPRING_STIFFNESS;
    if (spring->attachment && spring->rigid && spring->rigid->inverse_mass > 0.0) {
        const float part = (float)(spring->rigid->inverse_mass * f->rigids[spring->rigid->number].springs);
        light = light < part ? light : part;
    }
    if (spring->attachment)
        soft = (float)(spring->attachment->compliance / ((double)f->step * (double)f->step));
    spring->across = light > 0.0f ? 1.0f / ((light + soft) * square) : 0.0f;
    spring->along = spring->attachment ? spring->across : spring->sticks ? STIFFNESS_ALONG * spring->across : 0.0f;
}

static pli_contact_spring contact_spring(const pli_surface_forces *f, const pli_surface_contact *t, int32_t slot,
                                         bool sticks)
{
    pli_contact_spring spring = {.slot = slot, .normal = t->normal, .friction = t->friction};
    for (int32_t k = 0; k < 4; k++) {
        const pli_contact_mesh *surface = spring_surface(f, t, k);
        spring.at[k] = t->at[k], spring.weights[k] = t->weights[k];
        if (t->at[k] == f->world->collision.dummy)
            continue;
        spring.membrane[k] = membrane_of(f, surface), spring.node[k] = t->at[k] - surface->first;
        if (surface->rigid) {
            join_rigid(&spring, surface->rigid, k < t->split ? -1.0f : 1.0f);
            continue;
        }
        const pli_particle *p = &f->world->collision.particles[t->at[k]];
        const float w = t->weights[k] < 0.0f ? -t->weights[k] : t->weights[k];
        spring.place = pli_add(spring.place, pli_scale((pli_vec3){p->x, p->y, p->z}, w));
    }
    spring.sticks = sticks;
    return spring;
}

static pli_contact_spring point_spring(const pli_surface_forces *f, pli_attachment_data *attachment, int32_t i,
                                       int32_t slot)
{
    const pli_deformable_data *deformable = attachment->deformable;
    const int32_t node = attachment->particles[i], dummy = f->world->collision.dummy;
    const pli_particle *p = &deformable->particles[node];
    pli_contact_spring spring = {.slot = slot,
                                 .attachment = attachment,
                                 .point = i,
                                 .place = {p->x, p->y, p->z},
                                 .at = {deformable->first + node, dummy, dummy, dummy},
                                 .membrane = {membrane_at(f, attachment)},
                                 .node = {node},
                                 .weights = {1.0f},
                                 .normal = {1.0f, 0.0f, 0.0f}};
    join_rigid(&spring, attachment->rigid, 1.0f);
    return spring;
}

// Applies the change of a spring's force to both of its sides: as one of the other forces where the equations move the particle, otherwise
// as an immediate displacement.
static void spring_apply(const pli_surface_forces *f, const pli_contact_spring *spring, bool outside)
{
    const pli_vec3 force = force_of(f, spring), change = pli_sub(force, f->applied[spring->slot]);
    f->applied[spring->slot] = force;
    for (int32_t k = 0; k < 4; k++) {
        pli_particle *particle = &f->world->collision.particles[spring->at[k]], *to = particle;
        const float w = spring->weights[k] * particle->w;
        if (spring->membrane[k])
            to = &spring->membrane[k]->predicted[spring->node[k]];
        else if (!outside)
            continue;
        to->x += w * change.x, to->y += w * change.y, to->z += w * change.z;
    }
    if (spring->rigid && outside)
        pli_rigid_push(spring->rigid, spring->place, pli_scale(change, -spring->sign));
}

// Adds a spring to the diagonal blocks and to its body. For weights that sum to 1 on each side, (sum w d)^2 <= 2 sum |w| d^2, and half of
// that bound is within the stability limit of the smoother.
static void stiffen(const pli_surface_forces *f, const pli_contact_spring *spring)
{
    const pli_vec3 n = spring->normal;
    bool on_fixed = spring->attachment && !spring->rigid;
    for (int32_t k = 0; k < 4; k++)
        on_fixed = on_fixed || (spring->weights[k] != 0.0f && !is_moved(spring, k) && !spring->rigid);
    for (int32_t k = 0; k < 4; k++) {
        if (!is_moved(spring, k))
            continue;
        pli_particle *block = &spring->membrane[k]->contact.diagonal[2 * spring->node[k]];
        const float w = spring->weights[k] < 0.0f ? -spring->weights[k] : spring->weights[k], along = w * spring->along,
                    more = w * (spring->across - spring->along);
        block[0].x += along + more * n.x * n.x, block[0].y += along + more * n.y * n.y;
        block[0].z += along + more * n.z * n.z, block[0].w += more * n.x * n.y;
        block[1].x += more * n.x * n.z, block[1].y += more * n.y * n.z;
        spring->membrane[k]->contact.has_any = true;
        spring->membrane[k]->contact.on_fixed = spring->membrane[k]->contact.on_fixed || on_fixed;
    }
    if (spring->rigid)
        pli_rigid_unknown_stiffen(&f->rigids[spring->rigid->number], spring->place, n, spring->across, spring->along);
}

/* ---- forces that last -------------------------------------------------------------------------------- */

static uint32_t owner_of(const pli_surface_forces *f, const pli_contact_mesh *surface)
{
    return surface->collider ? ~pli_collider_at(f->world, surface->number)->id
                             : pli_deformable_at(f->world, surface->number)->id;
}

// The key of a contact's stored force; the force itself is left 0.
static pli_contact_force force_name(const pli_surface_forces *f, const pli_surface_contact *t)
{
    pli_contact_force name = {.split = t->split};
    for (int32_t side = 0; side < 2; side++)
        name.owners[side] = owner_of(f, f->world->collision.surfaces[t->surface[side]]);
    for (int32_t k = 0; k < 4; k++)
        name.at[k] = t->at[k] == f->world->collision.dummy ? -1 : t->at[k] - spring_surface(f, t, k)->first;
    return name;
}

// The key of an attachment point: a vertex, and the attachment in place of the other side.
static pli_contact_force name_of_point(const pli_attachment_data *attachment, int32_t i)
{
    return (pli_contact_force){.owners = {attachment->deformable->id, attachment->id},
                               .at = {attachment->particles[i], -1, -1, -1},
                               .split = PLI_ATTACHMENT_SPLIT};
}

static uint64_t force_hash(const pli_contact_force *name)
{
    uint64_t hash = pli_hash_mix(pli_hash_mix(PLI_HASH_START, name->owners[0]), name->owners[1]);
    for (int32_t k = 0; k < 4; k++)
        hash = pli_hash_mix(hash, (uint32_t)name->at[k]);
    return pli_hash_mix(hash, (uint32_t)name->split);
}

static bool is_same_force(const pli_contact_force *a, const pli_contact_force *b)
{
    return memcmp(a->owners, b->owners, sizeof a->owners) == 0 && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           a->split == b->split;
}

// A hash table of the stored forces by key: indices, -1 for empty entries. It is filled at the first lookup.
typedef struct force_table {
    const pli_contact_force *items;
    int32_t *index;
    uint64_t mask;
    bool failed; // Memory ran out.
} force_table;

static int32_t *find_force(const force_table *t, const pli_contact_force *name)
{
    uint64_t i = force_hash(name) & t->mask;
    while (t->index[i] >= 0 && !is_same_force(&t->items[t->index[i]], name))
        i = (i + 1) & t->mask;
    return &t->index[i];
}

static void fill_table(force_table *t, pli_collision *collision)
{
    const int32_t count = collision->contacts.forces.count;
    t->items = collision->contacts.forces.items, t->mask = 1;
    while (t->mask < 2 * (uint64_t)count)
        t->mask = 2 * t->mask + 1;
    t->index = PLI_TAKE(&collision->arena, int32_t, (int64_t)t->mask + 1);
    t->failed = !t->index;
    if (t->failed)
        return;
    memset(t->index, -1, (size_t)(t->mask + 1) * sizeof *t->index);
    for (int32_t i = 0; i < count; i++)
        *find_force(t, &t->items[i]) = i;
}

// The index of the force that is stored under this key, or -1.
static int32_t look_up(const pli_surface_forces *f, force_table *kept, const pli_contact_force *name)
{
    if (!kept->index && !kept->failed)
        fill_table(kept, &f->world->collision);
    return kept->failed ? -1 : *find_force(kept, name);
}

/* ---- the start of an iteration ----------------------------------------------------------------------- */

// Counts the points of all attachments between membranes and rigid bodies.
static int32_t count_points(const pli_surface_forces *f)
{
    int32_t count = 0;
    for (int32_t i = 0; i < f->world->attachments.count; i++)
        if (membrane_at(f, pli_attachment_at(f->world, i)))
            count += pli_attachment_at(f->world, i)->count;
    return count;
}

void pli_surface_forces_reserve(pli_surface_forces *f, pli_world *world, pli_membrane **membranes, float step)
{
    pli_collision *collision = &world->collision;
    *f = (pli_surface_forces){.world = world, .membranes = world->out_of_memory ? NULL : membranes, .step = step};
    for (int32_t i = 0; i < world->attachments.count; i++)
        pli_attachment_at(world, i)->warm_started = false;
    collision->contacts.warm_started = f->membranes != NULL;
    if (!f->membranes)
        return;
    f->lanes = collision->contacts.block_starts[PLI_CONTACT_COLOURS] * PLI_CONTACT_LANES;
    f->slots = f->lanes + collision->contacts.scalar.count;
    const int64_t most = (int64_t)f->slots + count_points(f);
    f->springs = PLI_TAKE(&collision->arena, pli_contact_spring, most);
    f->applied = PLI_TAKE_ZEROED(&collision->arena, pli_vec3, most);
    f->rigids = PLI_TAKE(&collision->arena, pli_rigid_unknown, world->rigids.count);
    f->groups = PLI_TAKE(&collision->arena, int32_t, (int64_t)world->deformables.count + world->rigids.count);
    f->curves = (double(*)[3])PLI_TAKE(&collision->arena, double, 3 * (int64_t)world->deformables.count);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (membranes[i])
            membranes[i]->number = i;
    if (f->springs && f->applied && f->rigids && f->groups && f->curves)
        return;
    f->membranes = NULL, f->slots = 0;
    world->out_of_memory = true;
}

// Starts a contact from its stored force. Returns whether static friction acted on it.
static bool begin_contact(const pli_surface_forces *f, force_table *kept, const contact_place *p)
{
    const pli_surface_contact *t = p->contact;
    int32_t i = t->warm < 0 ? -1 : t->warm - 1;
    if (t->warm == 0) {
        const pli_contact_force name = force_name(f, t);
        i = look_up(f, kept, &name);
    }
    if (i < 0 || -t->depth > NEAR * t->rest_distance || (t->depth > DEEP * t->rest_distance && !has_rigid(f, t)))
        return false;
    const pli_contact_force *force = &f->world->collision.contacts.forces.items[i];
    const pli_vec3 normal = pli_scale(t->normal, force->normal),
                   drag = pli_sub(force->drag, pli_scale(t->normal, pli_dot(t->normal, force->drag)));
    set_contact(p, pli_add(normal, drag));
    return force->sticks;
}

static void find_contacts(pli_surface_forces *f, force_table *kept, int32_t iteration)
{
    for (int32_t slot = 0; slot < f->slots; slot++) {
        const contact_place p = contact_place_at(f, slot);
        if (!p.contact || !concerns(f, p.contact))
            continue;
        const bool sticks = iteration == 0 ? begin_contact(f, kept, &p) : sticks_at(&p);
        if (normal_impulse_of(&p) > 0.0f)
            f->springs[f->count++] = contact_spring(f, p.contact, slot, sticks);
    }
}

static void find_points(pli_surface_forces *f, force_table *kept, int32_t iteration)
{
    int32_t slot = f->slots;
    for (int32_t k = 0; k < f->world->attachments.count; k++) {
        pli_attachment_data *attachment = pli_attachment_at(f->world, k);
        attachment->warm_started = membrane_at(f, attachment) != NULL;
        for (int32_t i = 0; attachment->warm_started && i < attachment->count; i++) {
            const pli_contact_force name = name_of_point(attachment, i);
            const int32_t found = iteration == 0 ? look_up(f, kept, &name) : -1;
            if (iteration == 0)
                attachment->multipliers[i] = found >= 0 ? f->world->collision.contacts.forces.items[found].drag
                                                        : (pli_vec3){0.0f, 0.0f, 0.0f};
            f->springs[f->count++] = point_spring(f, attachment, i, slot++);
        }
    }
}

static void begin_rigids(const pli_surface_forces *f, int32_t iteration)
{
    for (int32_t i = 0; i < f->world->rigids.count; i++)
        f->rigids[i].rigid = NULL;
    for (int32_t i = 0; i < f->count; i++) {
        const pli_rigid_body_data *rigid = f->springs[i].rigid;
        if (rigid && !f->rigids[rigid->number].rigid)
            pli_rigid_unknown_begin(&f->rigids[rigid->number], rigid, f->step, iteration > 0);
        if (rigid)
            f->rigids[rigid->number].springs++;
    }
}

void pli_surface_forces_begin(pli_surface_forces *f, int32_t iteration)
{
    force_table kept = {0};
    f->count = 0;
    if (!f->membranes)
        return;
    find_contacts(f, &kept, iteration);
    find_points(f, &kept, iteration);
    f->world->out_of_memory = f->world->out_of_memory || kept.failed;
    for (int32_t i = 0; i < f->count; i++)
        spring_apply(f, &f->springs[i], iteration == 0);
    begin_rigids(f, iteration);
    for (int32_t i = 0; i < f->count; i++) {
        find_spring_stiffness(f, &f->springs[i]);
        stiffen(f, &f->springs[i]);
    }
}

/* ---- the equations ----------------------------------------------------------------------------------- */

// The relative displacement of a spring's particles by their solutions, or by these times the step length [m].
static pli_vec3 spring_displacement_of(const pli_contact_spring *spring, bool shortened)
{
    pli_vec3 d = {0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < 4; k++)
        if (is_moved(spring, k)) {
            const pli_membrane *m = spring->membrane[k];
            const pli_particle z = m->hierarchy.levels[0].solution[spring->node[k]];
            d = pli_add(
                d, pli_scale((pli_vec3){z.x, z.y, z.z}, (shortened ? m->solution.length : 1.0f) * spring->weights[k]));
        }
    return d;
}

// The force on side a that a spring adds to the stored one, when side a moves by d relative to side b [N]. At a contact with a rigid body
// the total is limited to compression and to Coulomb friction: otherwise a heavy body that leaves would pull the cloth along.
static pli_vec3 spring_pull_of(const pli_surface_forces *f, const pli_contact_spring *spring, pli_vec3 d)
{
    const pli_vec3 more = pli_add(
        pli_scale(d, -spring->along),
        pli_scale(spring->normal, (spring->along - spring->across) * pli_dot(d, spring->normal)));
    if (spring->attachment || !spring->rigid)
        return more;
    const pli_vec3 lasting = pli_scale(f->applied[spring->slot], 1.0f / (f->step * f->step));
    return pli_sub(limit_force(spring->normal, spring->friction, pli_add(lasting, more)), lasting);
}

// The same, including the displacement of the body.
static pli_vec3 borne_by(const pli_surface_forces *f, const pli_contact_spring *spring, bool shortened)
{
    pli_vec3 d = spring_displacement_of(spring, shortened);
    if (spring->rigid)
        d = pli_sub(d,
                    pli_scale(pli_rigid_unknown_moved(&f->rigids[spring->rigid->number], spring->place), spring->sign));
    return spring_pull_of(f, spring, d);
}

// Moves rigid bodies to where all forces on them balance for the displacements of the membranes. Contact forces that reach their limit make
// the problem nonlinear, so it takes a few Newton steps, which use the stiffness of all springs.
static void spring_settle_rigids(const pli_surface_forces *f, bool shortened)
{
    for (int32_t k = 0; k < RIGID_STEPS && f->count > 0; k++) {
        for (int32_t i = 0; i < f->count; i++) {
            const pli_contact_spring *spring = &f->springs[i];
            if (spring->rigid)
                pli_rigid_unknown_pull(&f->rigids[spring->rigid->number], spring->place,
                                       pli_scale(borne_by(f, spring, shortened), -spring->sign));
        }
        for (int32_t i = 0; i < f->world->rigids.count; i++)
            if (f->rigids[i].rigid)
                pli_rigid_unknown_solve(&f->rigids[i], f->step);
    }
}

void pli_surface_forces_multiply(pli_surface_forces *f)
{
    spring_settle_rigids(f, false);
    for (int32_t i = 0; i < f->count; i++) {
        const pli_contact_spring *spring = &f->springs[i];
        const pli_vec3 force = borne_by(f, spring, false);
        for (int32_t k = 0; k < 4; k++)
            if (is_moved(spring, k)) {
                pli_particle *left = &spring->membrane[k]->hierarchy.levels[0].left[spring->node[k]];
                const float w = spring->weights[k];
                left->x += w * force.x, left->y += w * force.y, left->z += w * force.z;
            }
    }
}

// Membranes that are joined by springs use the same step length, since the displacement of each is valid only together with the others.
static void share_lengths(const pli_surface_forces *f)
{
    const int32_t count = f->world->deformables.count;
    for (int32_t i = 0; i < count + f->world->rigids.count; i++)
        f->groups[i] = i;
    for (int32_t i = 0; i < f->count; i++) {
        // Joins the sides of a spring into one group: membranes by the numbers of their deformables, then rigid bodies.
        int32_t first = f->springs[i].rigid ? f->world->deformables.count + f->springs[i].rigid->number : -1;
        for (int32_t k = 0; k < 4; k++)
            if (is_moved(&f->springs[i], k)) {
                const int32_t number = f->springs[i].membrane[k]->number;
                first = first < 0 ? number : pli_sets_join(f->groups, first, number);
            }
    }
    memset(f->curves, 0, (size_t)count * sizeof *f->curves);
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < count; i++) {
            pli_membrane *m = f->membranes[i];
            double *curve = f->curves[pli_set_root(f->groups, i)];
            if (m && pass == 0)
                curve[0] += m->solution.curve[0], curve[1] += m->solution.curve[1],
                    curve[2] = fmax(curve[2], m->solution.curve[2]);
            else if (m)
                pli_membrane_shorten(m, curve);
        }
}

void pli_surface_forces_update(pli_surface_forces *f)
{
    if (f->count > 0)
        share_lengths(f);
    spring_settle_rigids(f, true);
    for (int32_t i = 0; i < f->count; i++) {
        const pli_contact_spring *spring = &f->springs[i];
        const pli_vec3 more = pli_scale(borne_by(f, spring, true), f->step * f->step);
        set_force(f, spring, pli_add(force_of(f, spring), more));
        spring_apply(f, spring, true);
    }
}

/* ---- the end of a substep ------------------------------------------------------------------------------ */

static bool is_kept(const pli_surface_forces *f, const contact_place *p)
{
    return p->contact && normal_impulse_of(p) > 0.0f && concerns(f, p->contact);
}

static void keep_points(const pli_surface_forces *f, pli_contacts *contacts)
{
    for (int32_t k = 0; k < f->world->attachments.count; k++) {
        const pli_attachment_data *attachment = pli_attachment_at(f->world, k);
        for (int32_t i = 0; membrane_at(f, attachment) && i < attachment->count; i++) {
            pli_contact_force *force = &contacts->forces.items[contacts->forces.count++];
            *force = name_of_point(attachment, i);
            force->drag = attachment->multipliers[i];
        }
    }
}

void pli_surface_forces_keep(const pli_surface_forces *f)
{
    pli_contacts *contacts = &f->world->collision.contacts;
    int32_t count = f->membranes ? count_points(f) : 0;
    if (f->membranes || contacts->forces.count > 0)
        pli_contacts_mark(contacts, -1);
    contacts->forces.count = 0;
    for (int32_t slot = 0; slot < f->slots; slot++) {
        const contact_place p = contact_place_at(f, slot);
        count += is_kept(f, &p);
    }
    if (!pli_array_reserve_unset(&f->world->memory, &contacts->forces, count)) {
        f->world->out_of_memory = true;
        return;
    }
    for (int32_t slot = 0; slot < f->slots; slot++) {
        const contact_place p = contact_place_at(f, slot);
        if (!is_kept(f, &p))
            continue;
        pli_contact_force *force = &contacts->forces.items[contacts->forces.count++];
        p.contact->warm = contacts->forces.count;
        *force = force_name(f, p.contact);
        force->normal = normal_impulse_of(&p), force->drag = drag_of(&p), force->sticks = sticks_at(&p);
    }
    if (f->membranes)
        keep_points(f, contacts);
}

static bool copy_forces(pli_memory *memory, const pli_contact_force *from, int32_t count, pli_contacts *to)
{
    if (!pli_array_reserve_unset(memory, &to->forces_before, count))
        return false;
    if (count > 0)
        memcpy(to->forces_before.items, from, (size_t)count * sizeof *from);
    to->forces_before.count = count;
    return true;
}

bool pli_surface_forces_save(pli_world *world)
{
    pli_contacts *contacts = &world->collision.contacts;
    return copy_forces(&world->memory, contacts->forces.items, contacts->forces.count, contacts);
}

// Both arrays have capacity for the forces from the start of the step.
void pli_surface_forces_restore(pli_world *world, bool repeats)
{
    (void)repeats;
    pli_contacts *contacts = &world->collision.contacts;
    contacts->forces.count = contacts->forces_before.count;
    pli_contacts_mark(contacts, 0);
    if (contacts->forces.count > 0)
        memcpy(contacts->forces.items, contacts->forces_before.items,
               (size_t)contacts->forces.count * sizeof *contacts->forces.items);
}
