// Queries over the collision state: the user's contact filter, groups of surfaces in contact, and sides of a pair.
#include "collision/state/collision_state.h"

#include "base/union_find.h"

#include <string.h>

// Rounding error of the endpoints of two trajectories, as a fraction of a coordinate.
#define POSITION_ROUNDING 4e-7f

bool pli_collision_allows(const pli_collision *collision, const int32_t surfaces[2], const int32_t *at, int32_t split,
                          int32_t count)
{
    if (!collision->filter.allows)
        return true;
    pli_side a = {collision->surfaces[surfaces[0]], at, split};
    pli_side b = {collision->surfaces[surfaces[1]], at + split, count - split};
    return collision->filter.allows(collision->filter.user, &a, &b);
}

void pli_collision_reset_links(pli_collision *collision) { pli_sets_reset(collision->links, collision->surface_count); }

int32_t pli_collision_link_of(const pli_collision *collision, int32_t surface)
{
    return pli_set_root(collision->links, surface);
}

void pli_collision_link(pli_collision *collision, int32_t a, int32_t b) { pli_sets_join(collision->links, a, b); }

static float vector_between(float from, float to, float share)
{
    return share > 0.0f ? (float)((double)from + (double)share * ((double)to - (double)from)) : from;
}

// Adds to the path length that cuts removed from a particle in this step.
static void note_withheld(pli_collision *collision, int32_t i, pli_vec3 taken)
{
    pli_ccd_state *ccd = &collision->ccd;
    if (ccd->withheld.count == 0) {
        if (!pli_array_reserve_unset(collision->memory, &ccd->withheld, collision->particle_count)) {
            collision->out_of_memory = true;
            return;
        }
        ccd->withheld.count = collision->particle_count;
        memset(ccd->withheld.items, 0, (size_t)ccd->withheld.count * sizeof *ccd->withheld.items);
    }
    ccd->withheld.items[i] += pli_length(taken);
}

void pli_collision_cut(pli_collision *collision, int32_t i, float share)
{
    const pli_particle *from = &collision->previous[i];
    pli_particle *p = &collision->particles[i], *v = &collision->velocities[i], was = *p;
    p->x = vector_between(from->x, p->x, share), p->y = vector_between(from->y, p->y, share),
    p->z = vector_between(from->z, p->z, share);
    v->x += (p->x - was.x) / collision->substep.length, v->y += (p->y - was.y) / collision->substep.length,
        v->z += (p->z - was.z) / collision->substep.length;
    note_withheld(collision, i, pli_sub(pli_position_of(&was), pli_position_of(p)));
}

void pli_collision_lead(pli_collision *collision, int32_t surface, float share)
{
    collision->hooks.yield(collision->hooks.leader, collision->surfaces[surface]->number, share);
    collision->ccd.yielded = true;
}

void pli_collision_stop_shapes(pli_collision *collision)
{
    bool complete = collision->hooks.find_walls(collision->hooks.leader);
    collision->out_of_memory = collision->out_of_memory || !complete;
    for (int32_t i = 0; complete && i < collision->ccd.walls.count; i++)
        if (collision->ccd.walls.items[i].shape >= 0)
            collision->hooks.yield(collision->hooks.leader, collision->ccd.walls.items[i].shape, 0.0f);
    collision->ccd.walls.count = 0;
}

// Do the pinned particles of a pair move relative to one another, by more than rounding?
static bool holders_part(const pli_collision *collision, const pli_candidate_pair *pair)
{
    const pli_particle *p = &collision->particles[pair->at[0]], *q = &collision->previous[pair->at[0]];
    pli_vec3 first = pli_sub(pli_position_of(p), pli_position_of(q));
    for (int i = 1; i < 4; i++) {
        const pli_particle *a = &collision->particles[pair->at[i]], *b = &collision->previous[pair->at[i]];
        pli_vec3 d = pli_sub(pli_sub(pli_position_of(a), pli_position_of(b)), first);
        float rounding = POSITION_ROUNDING * fmaxf(fmaxf(fabsf(a->x), fabsf(a->y)), fabsf(a->z));
        if (fabsf(d.x) > rounding || fabsf(d.y) > rounding || fabsf(d.z) > rounding)
            return true;
    }
    return false;
}

bool pli_pair_movable(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (collision->particles[pair->at[i]].w > 0.0f)
            return true;
    const pli_contact_mesh *a = collision->surfaces[pair->surface[0]], *b = collision->surfaces[pair->surface[1]];
    return a->rigid || b->rigid || holders_part(collision, pair);
}

int32_t pli_pair_collider(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int32_t side = 0; side < 2; side++)
        if (collision->surfaces[pair->surface[side]]->collider)
            return side;
    return -1;
}

void pli_collision_begin_work(pli_collision *collision, float most_work, int32_t substeps)
{
    int64_t free = 0, kinematic = 0;
    for (int32_t i = 0; i < collision->surface_count; i++)
        *(pli_contact_mesh_is_kinematic(collision->surfaces[i]) ? &kinematic
                                                                : &free) += collision->surfaces[i]->vertex_count;
    // A collider that is mostly far away needs little work, whatever its size.
    int64_t vertices = free + (kinematic < free ? kinematic : free);
    pli_work *work = &collision->work;
    *work = (pli_work){.usual = PLI_USUAL_LEAST + PLI_USUAL_PAIRS * vertices};
    double most = (double)most_work * (double)work->usual;
    if (!(most < (double)INT32_MAX))
        return;
    work->most_pairs = 1 + (int64_t)(most / PLI_LIST_SHARE);
    work->left = (int64_t)most * substeps;
}

void pli_collision_share_work(pli_collision *collision, int32_t substeps_left)
{
    pli_work *work = &collision->work;
    work->left -= work->spent;
    // An overdrawn budget leaves only a search of the nearly touching pairs for the rest of the step.
    work->share = work->left > 0 ? work->left / substeps_left : 0;
    work->spent = 0;
    work->allowed = work->share / 2;
    work->short_now = false;
}

void pli_collision_release(pli_collision *collision)
{
    pli_memory *memory = collision->memory;
    void *arrays[] = {collision->partial.items,
                      collision->cache.starts.items,
                      collision->cache.trajectories.items,
                      collision->contacts.surface_contacts.items,
                      collision->contacts.ends.items,
                      collision->contacts.blocks.items,
                      collision->contacts.scalar.items,
                      collision->contacts.one_sided.items,
                      collision->contacts.forces.items,
                      collision->contacts.forces_before.items,
                      collision->ccd.failing.items,
                      collision->ccd.concerned.items,
                      collision->ccd.planes.items,
                      collision->ccd.walls.items,
                      collision->ccd.withheld.items,
                      collision->untangle.intersecting.items,
                      collision->untangle.others.items,
                      collision->untangle.others_intersecting.items,
                      collision->untangle.intersections.items,
                      collision->untangle.regions.items,
                      collision->untangle.inside_of.items};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        pli_release(memory, collision->cache.lists[list].pairs.items);
        pli_release(memory, collision->cache.lists[list].spares.items);
        pli_release(memory, collision->cache.lists[list].cluster_pairs.items);
    }
    pli_bvh16_release(memory, &collision->broadphase.tree);
    collision->step_arena.memory = collision->arena.memory = memory;
    pli_arena_release(&collision->step_arena);
    pli_arena_release(&collision->arena);
}

/* ---- memory that is no longer used ----------------------------------------------------------- */

// Shrinks arrays and scratch memory of collision that were much too large for many steps.

// Arrays smaller than LEAST_BYTES are left alone.
enum { LEAST_BYTES = 1 << 20, MUCH = 2, TRIM_SPARE_PART = 4, CHUNK_LEAST = 64 };

// A growable array: the addresses of its members.
typedef struct growable {
    void *items; // Address of the pointer to the items.
    int32_t *count, *capacity;
    size_t size;
} growable;

#define GROWABLE(array)                                                                                                \
    {                                                                                                                  \
        &(array).items, &(array).count, &(array).capacity, sizeof *(array).items                                       \
    }

static void list_arrays(pli_collision *c, growable to[PLI_TRIMMED_ARRAYS])
{
    pli_candidate_list *lists = c->cache.lists;
    const growable all[PLI_TRIMMED_ARRAYS] = {
        GROWABLE(lists[0].pairs),
        GROWABLE(lists[0].cluster_pairs),
        GROWABLE(lists[1].pairs),
        GROWABLE(lists[1].cluster_pairs),
        GROWABLE(c->ccd.failing),
        GROWABLE(c->contacts.surface_contacts),
        GROWABLE(c->contacts.blocks),
        GROWABLE(c->contacts.scalar),
        GROWABLE(c->contacts.one_sided),
        GROWABLE(c->untangle.intersections),
        GROWABLE(c->ccd.concerned),
        {&c->ccd.planes.items, &c->ccd.concerned.count, &c->ccd.planes.capacity, sizeof *c->ccd.planes.items},
    };
    memcpy(to, all, sizeof all);
}

void pli_collision_note_sizes(pli_collision *collision)
{
    growable arrays[PLI_TRIMMED_ARRAYS];
    list_arrays(collision, arrays);
    for (int32_t i = 0; i < PLI_TRIMMED_ARRAYS; i++)
        if (*arrays[i].count > collision->trim.most[i])
            collision->trim.most[i] = *arrays[i].count;
}

// Moves the items to memory of `capacity` items. A failed allocation leaves the array as it is.
static void shrink(pli_memory *memory, const growable *array, int32_t capacity)
{
    void *old, *made = pli_allocate_unset(memory, (size_t)capacity, array->size);
    if (!made)
        return;
    memcpy(&old, array->items, sizeof old);
    memcpy(made, old, (size_t)*array->count * array->size);
    pli_release(memory, old);
    memcpy(array->items, &made, sizeof made);
    *array->capacity = capacity;
}

void pli_collision_trim(pli_collision *collision)
{
    if (++collision->trim.steps < PLI_TRIM_STEPS)
        return;
    growable arrays[PLI_TRIMMED_ARRAYS];
    list_arrays(collision, arrays);
    for (int32_t i = 0; i < PLI_TRIMMED_ARRAYS; i++) {
        int32_t most = collision->trim.most[i];
        bool large = (size_t)*arrays[i].capacity * arrays[i].size > LEAST_BYTES;
        if (large && *arrays[i].capacity / MUCH > most && *arrays[i].count <= most)
            shrink(collision->memory, &arrays[i], most + most / TRIM_SPARE_PART + 1);
    }
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        // The spares have one entry per pair, so they shrink to the capacity of the pairs.
        pli_candidate_list *of = &collision->cache.lists[list];
        growable spares = GROWABLE(of->spares);
        spares.count = &of->pairs.count;
        if (of->spares.capacity > of->pairs.capacity)
            shrink(collision->memory, &spares, of->pairs.capacity);
    }
    // The initial capacity of a search chunk otherwise only grows, up to the largest number of items that a chunk has found.
    int32_t *capacities[] = {&collision->cache.lists[0].pair_chunk_capacity,
                             &collision->cache.lists[0].cluster_pair_chunk_capacity,
                             &collision->cache.lists[1].pair_chunk_capacity,
                             &collision->cache.lists[1].cluster_pair_chunk_capacity,
                             &collision->ccd.failing_capacity,
                             &collision->contacts.chunk_capacity};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
        if (*capacities[i] > CHUNK_LEAST)
            *capacities[i] /= 2;
    pli_arena_trim(&collision->arena, LEAST_BYTES);
    pli_arena_trim(&collision->step_arena, LEAST_BYTES);
    collision->trim = (pli_trim){0};
}
