// Contacts that persist for several substeps. At rest, or where layers move together, a rebuilt contact differs from
// the old one only by the relative motion of its particles. Each cluster pair therefore has leeway for such motion, a
// fraction of the least distance that its pairs keep. Its contacts are rebuilt when the leeway is used up:
//
//      predicted positions    p0     p1      p2       p3          of all particles of both clusters
//      their differences         d1      d2       d3              a box of each: its size bounds relative motion
//      leeway             l      l-|d1|  ..-|d2|  < 0: rebuilt
//
// A pair without contact at p0 is beyond PLI_NEAR_SHARE of its distance there, and therefore beyond the distance itself
// as long as leeway remains: no pushing contact is missed. Depth and approach speed always belong to the current
// positions. The guarantee (ccd) covers all pairs, independently of contacts.
#include "collision/contacts/contact.h"

#include "base/simd/four.h"

#include <string.h>

// Leeway of a cluster pair, as a fraction of the least distance that its pairs keep: a fifth of the margin by which a contact may exceed
// this distance. With half of it, cloth that slides off a coarse ball leaves it ten frames early, with or without persistent contacts.
#define LEEWAY_SHARE 0.02f

enum { KEEP_CLUSTER_GRAIN = 64, CONTACT_GRAIN = 256 };

// Box of the displacements of a cluster's particles since the previous substep.
typedef struct keep_motion {
    pli_four low, high;
} keep_motion;

typedef struct keeping {
    pli_collision *collision;
    int32_t *bases;            // [surface_count] number of each surface's first cluster.
    uint8_t *asked;            // [clusters] 1 for clusters in `places`.
    keep_motion *motions;      // [clusters]
    pli_cluster_place *places; // Clusters whose motion is measured.
    int32_t count;
    int32_t *moved_to[PLI_LIST_COUNT]; // Current index of each cluster pair, by its previous `made`; -1 for none.
} keeping;

void pli_contacts_forget(pli_collision *collision)
{
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        for (int32_t i = 0; i < collision->cache.lists[list].cluster_pairs.count; i++)
            collision->cache.lists[list].cluster_pairs.items[i].made = 0;
    collision->contacts.surface_contacts.count = collision->contacts.implied = 0;
}

// Do contacts depend on more than surface positions?
static bool depend_on_more(const pli_collision *collision)
{
    return collision->untangle.intersections.count > 0 || collision->untangle.inside_count > 0 ||
           collision->contacts.one_sided.count > 0;
}

static bool any_made(const pli_collision *collision)
{
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        for (int32_t i = 0; i < collision->cache.lists[list].cluster_pairs.count; i++)
            if (collision->cache.lists[list].cluster_pairs.items[i].made)
                return true;
    return false;
}

/* ---- how clusters move -------------------------------------------------------------------------- */

static void keep_include(const keeping *k, const pli_contact_mesh *s, int32_t vertex, keep_motion *m)
{
    int32_t i = s->first + vertex;
    pli_four by = pli_four_of(&k->collision->particles[i]) - pli_four_of(&k->collision->contacts.ends.items[i]);
    m->low = pli_four_lower(by, m->low), m->high = pli_four_higher(by, m->high);
}

static keep_motion keep_motion_of(const keeping *k, const pli_contact_mesh *s, int32_t cluster)
{
    keep_motion m = {pli_four_set(INFINITY), pli_four_set(-INFINITY)};
    int32_t listed[PLI_CLUSTER_PLACES], count;
    const int32_t *places = pli_contact_mesh_cluster_places(s, cluster, listed, &count);
    for (int32_t i = 0; i < count; i++)
        keep_include(k, s, places[i], &m);
    return m;
}

static void keep_measure_chunk(void *data, int32_t chunk)
{
    const keeping *k = data;
    int32_t end = (chunk + 1) * KEEP_CLUSTER_GRAIN < k->count ? (chunk + 1) * KEEP_CLUSTER_GRAIN : k->count;
    for (int32_t i = chunk * KEEP_CLUSTER_GRAIN; i < end; i++) {
        const pli_contact_mesh *s = k->collision->surfaces[k->places[i].surface];
        bool rests = pli_contact_mesh_is_kinematic(s) && !s->path.moving;
        k->motions[k->bases[k->places[i].surface] + k->places[i].cluster] =
            rests ? (keep_motion){pli_four_set(0.0f), pli_four_set(0.0f)} : keep_motion_of(k, s, k->places[i].cluster);
    }
}

static bool keep_begin(keeping *k, pli_collision *collision)
{
    int32_t clusters = 0;
    *k = (keeping){.collision = collision, .bases = PLI_TAKE(&collision->arena, int32_t, collision->surface_count)};
    for (int32_t s = 0; k->bases && s < collision->surface_count; s++) {
        k->bases[s] = clusters;
        clusters += collision->surfaces[s]->clusters.count;
    }
    k->asked = PLI_TAKE_ZEROED(&collision->arena, uint8_t, clusters);
    k->motions = PLI_TAKE(&collision->arena, keep_motion, clusters);
    k->places = PLI_TAKE(&collision->arena, pli_cluster_place, clusters);
    return k->bases && k->asked && k->motions && k->places;
}

// Subtracts the motion from the leeway of the cluster pairs, and records the current index of each pair with leeway left.
static bool spend(keeping *k, int32_t list)
{
    pli_candidate_list *of = &k->collision->cache.lists[list];
    int32_t most = 0;
    for (int32_t i = 0; i < of->cluster_pairs.count; i++)
        most = of->cluster_pairs.items[i].made > most ? of->cluster_pairs.items[i].made : most;
    k->moved_to[list] = PLI_TAKE(&k->collision->arena, int32_t, most + 1);
    if (!k->moved_to[list])
        return false;
    memset(k->moved_to[list], -1, (size_t)(most + 1) * sizeof *k->moved_to[list]);
    k->moved_to[list][0] = most;
    for (int32_t i = 0; i < of->cluster_pairs.count; i++) {
        pli_cluster_pair *p = &of->cluster_pairs.items[i];
        if (!p->made)
            continue;
        // Upper bound of the relative displacement of two particles of these clusters [m].
        const keep_motion *a = &k->motions[k->bases[p->surface[0]] + p->cluster[0]];
        const keep_motion *b = &k->motions[k->bases[p->surface[1]] + p->cluster[1]];
        pli_four d = pli_four_higher(a->high, b->high) - pli_four_lower(a->low, b->low);
        p->leeway -= sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (p->leeway > 0.0f)
            k->moved_to[list][p->made] = i;
        else
            p->made = 0;
    }
    return true;
}

/* ---- contacts that hold -------------------------------------------------------------------------- */

static void bring_up_to_date(const pli_collision *collision, pli_surface_contact *t)
{
    pli_dvec3 apart = {0, 0, 0}, moved = {0, 0, 0}, first = pli_start_position(collision, t->at[0]);
    for (int i = 0; i < 4; i++) {
        pli_dvec3 at = pli_start_position(collision, t->at[i]);
        pli_dvec3 by = pli_dsub(pli_widened_position(&collision->particles[t->at[i]]), at);
        apart = pli_dadd(apart, pli_dscale(pli_dsub(at, first), (double)t->weights[i]));
        moved = pli_dadd(moved, pli_dscale(by, (double)t->weights[i]));
    }
    pli_dvec3 normal = pli_widened(t->normal);
    float distance = t->lift + (float)pli_ddot(normal, apart);
    t->depth = pli_lower(t->rest_distance - distance, t->recovery);
    t->approach = (float)pli_ddot(normal, moved) / collision->substep.length;
    t->normal_sum = t->friction_sum = t->slips = t->restitution_impulse = 0.0f;
    t->drag = (pli_vec3){0.0f, 0.0f, 0.0f};
}

static void bring_chunk(void *data, int32_t chunk)
{
    const pli_collision *collision = data;
    int32_t count = collision->contacts.surface_contacts.count;
    int32_t end = (chunk + 1) * CONTACT_GRAIN < count ? (chunk + 1) * CONTACT_GRAIN : count;
    for (int32_t i = chunk * CONTACT_GRAIN; i < end; i++)
        bring_up_to_date(collision, &collision->contacts.surface_contacts.items[i]);
}

static bool keep(pli_collision *collision)
{
    keeping k;
    if (!keep_begin(&k, collision))
        return false;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        const pli_candidate_list *of = &k.collision->cache.lists[list];
        for (int32_t i = 0; i < of->cluster_pairs.count; i++)
            for (int32_t side = 0; side < 2 && of->cluster_pairs.items[i].made; side++) {
                int32_t surface = of->cluster_pairs.items[i].surface[side];
                int32_t cluster = of->cluster_pairs.items[i].cluster[side];
                uint8_t *asked = &k.asked[k.bases[surface] + cluster];
                if (!*asked)
                    k.places[k.count++] = (pli_cluster_place){surface, cluster};
                *asked = 1;
            }
    }
    pli_tasks_run(k.collision->tasks, (k.count + KEEP_CLUSTER_GRAIN - 1) / KEEP_CLUSTER_GRAIN, keep_measure_chunk, &k);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (!spend(&k, list))
            return false;
    // Move the contacts that persist to the front.
    pli_contacts *contacts = &k.collision->contacts;
    int32_t all = contacts->surface_contacts.count + contacts->implied, kept = 0;
    for (int32_t i = 0; i < all; i++) {
        pli_surface_contact *t = &contacts->surface_contacts.items[i];
        const int32_t *moved_to = k.moved_to[t->owner > 0 ? PLI_LIST_DEFORMABLES : PLI_LIST_COLLIDERS];
        int32_t made = t->owner > 0 ? t->owner : -t->owner;
        int32_t now = made == 0 || made > moved_to[0] ? -1 : moved_to[made];
        if (now < 0)
            continue;
        t->owner = pli_contact_owner(t->owner > 0 ? PLI_LIST_DEFORMABLES : PLI_LIST_COLLIDERS, now);
        if (kept < i)
            contacts->surface_contacts.items[kept] = *t;
        kept++;
    }
    contacts->surface_contacts.count = kept;
    contacts->implied = 0;
    pli_tasks_run(collision->tasks, (collision->contacts.surface_contacts.count + CONTACT_GRAIN - 1) / CONTACT_GRAIN,
                  bring_chunk, collision);
    return true;
}

bool pli_contacts_keep(pli_collision *collision)
{
    if (depend_on_more(collision) || collision->contacts.ends.count != collision->particle_count ||
        !any_made(collision)) {
        pli_contacts_forget(collision);
        return true;
    }
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool complete = keep(collision);
    pli_arena_end(&collision->arena, scope);
    if (!complete)
        pli_contacts_forget(collision);
    return complete;
}

/* ---- contacts that were made --------------------------------------------------------------------- */

// Sweeps end before they converge, so the same contacts in another order would push the cloth in the next substep, and
// cloth at rest would not come to rest.

// Index of a contact's cluster pair among the pairs of both lists, in the order of the lists.
static int32_t keep_place_of(const pli_collision *collision, int32_t owner)
{
    int32_t in = owner > 0 ? PLI_LIST_DEFORMABLES : PLI_LIST_COLLIDERS, place = owner > 0 ? owner - 1 : -owner - 1;
    for (int32_t list = 0; list < in; list++)
        place += collision->cache.lists[list].cluster_pairs.count;
    return place;
}

static bool order(pli_collision *collision)
{
    pli_contacts *contacts = &collision->contacts;
    int32_t places = 0, count = contacts->surface_contacts.count;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        places += collision->cache.lists[list].cluster_pairs.count;
    int32_t *begins = PLI_TAKE_ZEROED(&collision->arena, int32_t, places + 1);
    pli_surface_contact *sorted = PLI_TAKE(&collision->arena, pli_surface_contact, count);
    if (!begins || !sorted)
        return false;
    for (int32_t i = 0; i < count; i++)
        begins[keep_place_of(collision, contacts->surface_contacts.items[i].owner) + 1]++;
    for (int32_t i = 0; i < places; i++)
        begins[i + 1] += begins[i];
    for (int32_t i = 0; i < count; i++)
        sorted[begins[keep_place_of(collision, contacts->surface_contacts.items[i].owner)]++] =
            contacts->surface_contacts.items[i];
    memcpy(contacts->surface_contacts.items, sorted, (size_t)count * sizeof *sorted);
    return true;
}

bool pli_contacts_order(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool complete = order(collision);
    pli_arena_end(&collision->arena, scope);
    return complete;
}

bool pli_contacts_note_made(pli_collision *collision)
{
    pli_contacts *contacts = &collision->contacts;
    bool any = false;
    contacts->ends.count = 0;
    if (depend_on_more(collision))
        return true;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        for (int32_t i = 0; i < collision->cache.lists[list].cluster_pairs.count; i++) {
            pli_cluster_pair *p = &collision->cache.lists[list].cluster_pairs.items[i];
            if (!p->made)
                p->leeway = LEEWAY_SHARE * p->least_rest;
            p->made = p->made ||
                              (p->least.contact <= pli_collision_pair_deviation(collision) &&
                               !collision->surfaces[p->surface[0]]->rigid && !collision->surfaces[p->surface[1]]->rigid)
                          ? i + 1
                          : 0;
            any = any || p->made;
        }
    if (!any)
        return true;
    if (!pli_array_reserve_unset(collision->memory, &contacts->ends, collision->particle_count))
        return false;
    contacts->ends.count = collision->particle_count;
    memcpy(contacts->ends.items, collision->particles,
           (size_t)collision->particle_count * sizeof *contacts->ends.items);
    return true;
}
