// Contacts of surfaces in the equations of membranes: membrane/surface_forces.h.
#include "membrane/surface_forces.h"

#include "base/hash.h"
#include "membrane/membrane_system.h"

#include <string.h>

// Stiffness of a spring along the normal, times h^2 over the mass that it meets.
#define STIFFNESS 100.0f
// The fraction of it in the surface: a stiff spring would turn the rounding of a membrane into forces beyond what friction holds.
#define STIFFNESS_ALONG 0.1f

// A contact has no force where its sides are further apart than this fraction of its distance when the substep starts, or closer by that
// one, where it has still to bring them apart.
#define NEAR 0.05f
#define DEEP 0.01f

/* ---- contacts -------------------------------------------------------------------------------------- */

static pli_contact_block *block_at(const pli_surface_forces *f, int32_t slot)
{
    return &f->world->collision.contacts.blocks.items[slot / PLI_CONTACT_LANES];
}

// The contact of a lane, or null for padding.
static const pli_surface_contact *contact_at(const pli_surface_forces *f, int32_t slot)
{
    const int32_t contact = block_at(f, slot)->contact[slot % PLI_CONTACT_LANES];
    return contact < 0 ? NULL : &f->world->collision.contacts.surface_contacts.items[contact];
}

static int32_t slots_of(const pli_surface_forces *f)
{
    return f->applied ? f->world->collision.contacts.block_starts[PLI_CONTACT_COLOURS] * PLI_CONTACT_LANES : 0;
}

static const pli_contact_mesh *surface_of(const pli_surface_forces *f, const pli_surface_contact *t, int32_t k)
{
    return f->world->collision.surfaces[t->surface[k < t->split ? 0 : 1]];
}

// The membrane that moves a surface, or null.
static pli_membrane *membrane_of(const pli_surface_forces *f, const pli_contact_mesh *surface)
{
    return surface->collider ? NULL : f->membranes[surface->number];
}

// Whether the equations of any membrane concern the contact.
static bool concerns(const pli_surface_forces *f, const pli_surface_contact *t)
{
    return membrane_of(f, f->world->collision.surfaces[t->surface[0]]) ||
           membrane_of(f, f->world->collision.surfaces[t->surface[1]]);
}

static pli_vec3 force_of(const pli_contact_block *b, int32_t lane)
{
    const float normal = b->normal_sum[lane];
    return (pli_vec3){b->normal[0][lane] * normal + b->drag[0][lane], b->normal[1][lane] * normal + b->drag[1][lane],
                      b->normal[2][lane] * normal + b->drag[2][lane]};
}

// Sets a contact's force: no pull, and no more friction than the coefficient allows.
static void set_force(pli_contact_block *b, int32_t lane, pli_vec3 force)
{
    const pli_vec3 n = {b->normal[0][lane], b->normal[1][lane], b->normal[2][lane]};
    const float across = pli_dot(n, force), normal = across > 0.0f ? across : 0.0f, limit = b->friction[lane] * normal;
    pli_vec3 drag = pli_sub(force, pli_scale(n, across));
    const float length = pli_length(drag);
    if (length > limit)
        drag = pli_scale(drag, limit / length);
    b->normal_sum[lane] = normal;
    b->drag[0][lane] = drag.x, b->drag[1][lane] = drag.y, b->drag[2][lane] = drag.z;
    b->friction_sum[lane] = length < limit ? length : limit;
}

/* ---- forces that last -------------------------------------------------------------------------------- */

static uint32_t owner_of(const pli_surface_forces *f, const pli_contact_mesh *surface)
{
    return surface->collider ? ~pli_collider_at(f->world, surface->number)->id
                             : pli_deformable_at(f->world, surface->number)->id;
}

// The force of a contact, without its values.
static pli_contact_force name_of(const pli_surface_forces *f, const pli_surface_contact *t)
{
    pli_contact_force name = {.split = t->split};
    for (int32_t side = 0; side < 2; side++)
        name.owners[side] = owner_of(f, f->world->collision.surfaces[t->surface[side]]);
    for (int32_t k = 0; k < 4; k++)
        name.at[k] = t->at[k] == f->world->collision.dummy ? -1 : t->at[k] - surface_of(f, t, k)->first;
    return name;
}

static uint64_t hash_of(const pli_contact_force *name)
{
    uint64_t hash = pli_hash_mix(pli_hash_mix(PLI_HASH_START, name->owners[0]), name->owners[1]);
    for (int32_t k = 0; k < 4; k++)
        hash = pli_hash_mix(hash, (uint32_t)name->at[k]);
    return pli_hash_mix(hash, (uint32_t)name->split);
}

static bool is_same(const pli_contact_force *a, const pli_contact_force *b)
{
    return memcmp(a->owners, b->owners, sizeof a->owners) == 0 && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           a->split == b->split;
}

// A table of the forces that were kept, by their names: indices, -1 where there is none.
typedef struct table {
    const pli_contact_force *items;
    int32_t *index;
    uint64_t mask;
} table;

static int32_t *find(const table *t, const pli_contact_force *name)
{
    uint64_t i = hash_of(name) & t->mask;
    while (t->index[i] >= 0 && !is_same(&t->items[t->index[i]], name))
        i = (i + 1) & t->mask;
    return &t->index[i];
}

static bool fill_table(table *t, pli_collision *collision)
{
    const int32_t count = collision->contacts.forces.count;
    t->items = collision->contacts.forces.items, t->mask = 1;
    while (t->mask < 2 * (uint64_t)count)
        t->mask = 2 * t->mask + 1;
    t->index = PLI_TAKE(&collision->arena, int32_t, (int64_t)t->mask + 1);
    if (!t->index)
        return false;
    memset(t->index, -1, (size_t)(t->mask + 1) * sizeof *t->index);
    for (int32_t i = 0; i < count; i++)
        *find(t, &t->items[i]) = i;
    return true;
}

/* ---- the start of an iteration ----------------------------------------------------------------------- */

void pli_surface_forces_reserve(pli_surface_forces *f, pli_world *world, pli_membrane **membranes, float step)
{
    pli_collision *collision = &world->collision;
    const int64_t slots = (int64_t)collision->contacts.block_starts[PLI_CONTACT_COLOURS] * PLI_CONTACT_LANES;
    *f = (pli_surface_forces){.world = world, .membranes = membranes, .step = step};
    collision->contacts.forces_last = membranes && slots > 0 && !world->out_of_memory;
    if (!collision->contacts.forces_last)
        return;
    f->springs = PLI_TAKE(&collision->arena, pli_contact_spring, slots);
    f->applied = PLI_TAKE_ZEROED(&collision->arena, pli_vec3, slots);
    if (f->springs && f->applied)
        return;
    f->applied = NULL;
    world->out_of_memory = true;
}

// Begins a contact with the force that was kept for it. Returns whether friction held it.
static bool begin_contact(const pli_surface_forces *f, const table *kept, const pli_surface_contact *t, int32_t slot)
{
    const pli_contact_force name = name_of(f, t);
    const int32_t i = *find(kept, &name);
    if (i < 0 || -t->depth > NEAR * t->rest_distance || t->depth > DEEP * t->rest_distance)
        return false;
    pli_contact_block *b = block_at(f, slot);
    const pli_vec3 normal = pli_scale(t->normal, kept->items[i].normal),
                   drag = pli_sub(kept->items[i].drag, pli_scale(t->normal, pli_dot(t->normal, kept->items[i].drag)));
    set_force(b, slot % PLI_CONTACT_LANES, pli_add(normal, drag));
    return kept->items[i].sticks;
}

// Moves a particle by a change of force: where the equations have it as one of the other forces, or at once.
static void apply(const pli_surface_forces *f, const pli_contact_spring *spring, int32_t k, pli_vec3 change)
{
    pli_particle *particle = &f->world->collision.particles[spring->at[k]];
    pli_particle *to = spring->membrane[k] ? &spring->membrane[k]->predicted[spring->node[k]] : particle;
    const float w = spring->weights[k] * particle->w;
    to->x += w * change.x, to->y += w * change.y, to->z += w * change.z;
}

static void apply_all(const pli_surface_forces *f, const pli_contact_spring *spring, pli_vec3 force, bool outside)
{
    const int32_t slot = spring->block * PLI_CONTACT_LANES + spring->lane;
    const pli_vec3 change = pli_sub(force, f->applied[slot]);
    f->applied[slot] = force;
    for (int32_t k = 0; k < 4; k++)
        if (outside || spring->membrane[k])
            apply(f, spring, k, change);
}

static void make_spring(const pli_surface_forces *f, const pli_surface_contact *t, int32_t slot, bool sticks,
                        pli_contact_spring *spring)
{
    const pli_collision *collision = &f->world->collision;
    float inverse_mass = 0.0f;
    *spring = (pli_contact_spring){
        .block = slot / PLI_CONTACT_LANES, .lane = slot % PLI_CONTACT_LANES, .normal = t->normal};
    for (int32_t k = 0; k < 4; k++) {
        const pli_contact_mesh *surface = surface_of(f, t, k);
        spring->at[k] = t->at[k], spring->weights[k] = t->weights[k];
        if (t->at[k] == collision->dummy)
            continue;
        spring->membrane[k] = membrane_of(f, surface), spring->node[k] = t->at[k] - surface->first;
        inverse_mass += t->weights[k] * t->weights[k] * collision->particles[t->at[k]].w;
    }
    spring->across = inverse_mass > 0.0f ? STIFFNESS / (inverse_mass * f->step * f->step) : 0.0f;
    spring->along = sticks ? STIFFNESS_ALONG * spring->across : 0.0f;
}

// Whether the equations move a particle of a spring.
static bool is_moved(const pli_contact_spring *spring, int32_t k)
{
    return spring->membrane[k] && spring->membrane[k]->predicted[spring->node[k]].w > 0.0f;
}

// Adds a spring to the diagonal blocks. For weights that sum to 1 on each side, (sum w d)^2 <= 2 sum |w| d^2, and half of that bound is
// within what the smoother allows.
static void stiffen(const pli_contact_spring *spring)
{
    const pli_vec3 n = spring->normal;
    bool leans = false;
    for (int32_t k = 0; k < 4; k++)
        leans = leans || (spring->weights[k] != 0.0f && !is_moved(spring, k));
    for (int32_t k = 0; k < 4; k++) {
        if (!is_moved(spring, k))
            continue;
        pli_particle *block = &spring->membrane[k]->held[2 * spring->node[k]];
        const float w = spring->weights[k] < 0.0f ? -spring->weights[k] : spring->weights[k], along = w * spring->along,
                    more = w * (spring->across - spring->along);
        block[0].x += along + more * n.x * n.x, block[0].y += along + more * n.y * n.y;
        block[0].z += along + more * n.z * n.z, block[0].w += more * n.x * n.y;
        block[1].x += more * n.x * n.z, block[1].y += more * n.y * n.z;
        spring->membrane[k]->is_held = true;
        spring->membrane[k]->leans = spring->membrane[k]->leans || leans;
    }
}

void pli_surface_forces_begin(pli_surface_forces *f, int32_t iteration)
{
    pli_collision *collision = &f->world->collision;
    table kept = {0};
    f->count = 0;
    if (f->applied && iteration == 0 && !fill_table(&kept, collision)) {
        f->applied = NULL;
        f->world->out_of_memory = true;
    }
    for (int32_t slot = 0, count = slots_of(f); slot < count; slot++) {
        const pli_surface_contact *t = contact_at(f, slot);
        const pli_contact_block *b = block_at(f, slot);
        const int32_t lane = slot % PLI_CONTACT_LANES;
        if (!t || !concerns(f, t))
            continue;
        const bool sticks = iteration == 0 ? begin_contact(f, &kept, t, slot) : b->slips[lane] == 0.0f;
        if (!(b->normal_sum[lane] > 0.0f))
            continue;
        pli_contact_spring *spring = &f->springs[f->count++];
        make_spring(f, t, slot, sticks, spring);
        apply_all(f, spring, force_of(b, lane), iteration == 0);
        stiffen(spring);
    }
}

/* ---- the equations ----------------------------------------------------------------------------------- */

// The force of a spring on side a when its particles move by their solutions, or by these times the step length [N].
static pli_vec3 borne_by(const pli_contact_spring *spring, bool shortened)
{
    pli_vec3 d = {0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < 4; k++)
        if (is_moved(spring, k)) {
            const pli_membrane *m = spring->membrane[k];
            const pli_particle z = m->levels[0].solution[spring->node[k]];
            d = pli_add(d, pli_scale((pli_vec3){z.x, z.y, z.z}, (shortened ? m->length : 1.0f) * spring->weights[k]));
        }
    return pli_add(pli_scale(d, -spring->along),
                   pli_scale(spring->normal, (spring->along - spring->across) * pli_dot(d, spring->normal)));
}

void pli_surface_forces_multiply(const pli_surface_forces *f)
{
    for (int32_t i = 0; i < f->count; i++) {
        const pli_contact_spring *spring = &f->springs[i];
        const pli_vec3 force = borne_by(spring, false);
        for (int32_t k = 0; k < 4; k++)
            if (is_moved(spring, k)) {
                pli_particle *left = &spring->membrane[k]->levels[0].left[spring->node[k]];
                const float w = spring->weights[k];
                left->x += w * force.x, left->y += w * force.y, left->z += w * force.z;
            }
    }
}

void pli_surface_forces_answer(pli_surface_forces *f)
{
    for (int32_t i = 0; i < f->count; i++) {
        const pli_contact_spring *spring = &f->springs[i];
        pli_contact_block *b = &f->world->collision.contacts.blocks.items[spring->block];
        const pli_vec3 more = pli_scale(borne_by(spring, true), f->step * f->step),
                       force = pli_add(force_of(b, spring->lane), more);
        set_force(b, spring->lane, force);
        apply_all(f, spring, force, true);
    }
}

/* ---- the end of a substep ------------------------------------------------------------------------------ */

void pli_surface_forces_keep(const pli_surface_forces *f)
{
    pli_contacts *contacts = &f->world->collision.contacts;
    int32_t count = 0;
    contacts->forces.count = 0;
    for (int32_t slot = 0, slots = slots_of(f); slot < slots; slot++)
        count += block_at(f, slot)->normal_sum[slot % PLI_CONTACT_LANES] > 0.0f;
    if (!pli_array_reserve_unset(&f->world->memory, &contacts->forces, count)) {
        f->world->out_of_memory = true;
        return;
    }
    for (int32_t slot = 0, slots = slots_of(f); slot < slots; slot++) {
        const pli_surface_contact *t = contact_at(f, slot);
        const pli_contact_block *b = block_at(f, slot);
        const int32_t lane = slot % PLI_CONTACT_LANES;
        if (!t || !(b->normal_sum[lane] > 0.0f) || !concerns(f, t))
            continue;
        pli_contact_force *force = &contacts->forces.items[contacts->forces.count++];
        *force = name_of(f, t);
        force->normal = b->normal_sum[lane];
        force->drag = (pli_vec3){b->drag[0][lane], b->drag[1][lane], b->drag[2][lane]};
        force->sticks = b->slips[lane] == 0.0f;
    }
}

static bool copy(pli_memory *memory, const pli_contact_force *from, int32_t count, pli_contacts *to)
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
    return copy(&world->memory, contacts->forces.items, contacts->forces.count, contacts);
}

// Both have room for what the step began with.
void pli_surface_forces_restore(pli_world *world)
{
    pli_contacts *contacts = &world->collision.contacts;
    contacts->forces.count = contacts->forces_before.count;
    if (contacts->forces.count > 0)
        memcpy(contacts->forces.items, contacts->forces_before.items,
               (size_t)contacts->forces.count * sizeof *contacts->forces.items);
}
