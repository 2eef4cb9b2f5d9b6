// Restores the momentum of islands, which union-find over deformables and rigid bodies finds.
#include "step/momentum_groups.h"

#include "base/union_find.h"
#include "particles/damping.h"
#include "particles/integrate.h"
#include "particles/rigid_motion_kernels.h"
#include "step/step.h"
#include "sweep/connected_pieces.h"
#include "step/step_collision.h"

#include <string.h>

// Nodes: 0 is the world, then the deformables, then the rigid bodies. The smallest node of an island is its root, so
// that the result does not depend on the order of joining.
enum { WORLD = 0 };

typedef struct motion_sums {
    double mass;
    pli_dvec3 centre, momentum, angular; // Sums of m x and m v, and angular momentum about a point.
    double inertia[6];                   // Inertia about that point: xx yy zz xy xz yz.
} motion_sums;

static bool is_anchored(const pli_deformable_data *deformable)
{
    for (const pli_attachment_data *attachment = deformable->first_attachment; attachment;
         attachment = attachment->next_attachment)
        if (!attachment->rigid && attachment->count > 0)
            return true;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (set->type->world_anchored)
            return true;
    return false;
}

bool pli_world_keeps_momentum(const pli_world *world) { return world->rigids.count > 0; }

static void find_free(pli_world *world, float dt)
{
    (void)dt;
    bool wanted = pli_world_keeps_momentum(world);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        deformable->number = i;
        deformable->momentum->free = wanted && !deformable->idle &&
                                     pli_deformable_speed_limit(world, deformable) == INFINITY &&
                                     !is_anchored(deformable) && pli_deformable_can_move(deformable);
    }
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_at(world, i)->number = i;
}

static bool reserve_islands(pli_world *world)
{
    return pli_reserve(&world->memory, &world->coupling.islands, &world->coupling.island_capacity,
                       1 + (int64_t)world->deformables.count + world->rigids.count, sizeof(int32_t));
}

static int32_t root_of(const pli_world *world, int32_t node) { return pli_set_root(world->coupling.islands, node); }

static void join_islands(pli_world *world, int32_t a, int32_t b) { pli_sets_join(world->coupling.islands, a, b); }

static int32_t node_of_rigid(const pli_world *world, const pli_rigid_body_data *rigid)
{
    return 1 + world->deformables.count + rigid->number;
}

static int32_t node_of_surface(const pli_world *world, const pli_contact_mesh *surface)
{
    if (surface->rigid)
        return node_of_rigid(world, surface->rigid);
    return surface->collider ? WORLD : 1 + surface->number;
}

// Whether its momentum is well defined: the application does not move it, and it can rotate about every axis.
static bool is_plain(const pli_rigid_body_data *rigid)
{
    const double *inverse = rigid->inverse_inertia;
    return !rigid->approaching && rigid->def.mass_scale == 1.0f && rigid->inverse_mass > 0.0 &&
           pli_dlength(pli_solve_symmetric(inverse, (pli_dvec3){1.0, 0.0, 0.0})) > 0.0;
}

static void find_islands(pli_world *world)
{
    int32_t deformables = world->deformables.count, rigids = world->rigids.count;
    pli_sets_reset(world->coupling.islands, 1 + deformables + rigids);
    for (int32_t i = 0; i < deformables; i++)
        if (!pli_deformable_at(world, i)->momentum->free || pli_is_pushed(world, pli_deformable_at(world, i)))
            join_islands(world, WORLD, 1 + i);
    for (int32_t i = 0; i < rigids; i++)
        if (!is_plain(pli_rigid_at(world, i)))
            join_islands(world, WORLD, 1 + deformables + i);
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, i);
        if (attachment->rigid && attachment->count > 0)
            join_islands(world, 1 + attachment->deformable->number, node_of_rigid(world, attachment->rigid));
    }
    for (int32_t i = 0; i < world->coupling.support_contacts.now.count; i++) {
        const pli_support_contact_data *support_contact = &world->coupling.support_contacts.now.items[i];
        const pli_rigid_body_data *support = pli_collider_at(world, support_contact->support)->rigid;
        if (support_contact->sum > 0.0)
            join_islands(world, node_of_rigid(world, pli_collider_at(world, support_contact->collider)->rigid),
                         support ? node_of_rigid(world, support) : WORLD);
    }
    const pli_collision *collision = &world->collision;
    for (int32_t s = 0; s < collision->surface_count; s++)
        join_islands(world, node_of_surface(world, collision->surfaces[s]),
                     node_of_surface(world, collision->surfaces[pli_collision_link_of(collision, s)]));
}

static void add_part(motion_sums *t, pli_dvec3 about, double mass, pli_dvec3 centre, pli_dvec3 velocity,
                     pli_dvec3 spin_momentum)
{
    pli_dvec3 momentum = pli_dscale(velocity, mass);
    t->mass += mass;
    t->centre = pli_dadd(t->centre, pli_dscale(centre, mass));
    t->momentum = pli_dadd(t->momentum, momentum);
    t->angular = pli_dadd(t->angular, pli_dadd(spin_momentum, pli_dcross(pli_dsub(centre, about), momentum)));
}

static void add_inertia(motion_sums *t, pli_dvec3 about, double mass, pli_dvec3 centre, const double inertia[6])
{
    double shifted[6];
    memcpy(shifted, inertia, sizeof shifted);
    pli_add_point_inertia(shifted, mass, pli_dsub(centre, about));
    for (int k = 0; k < 6; k++)
        t->inertia[k] += shifted[k];
}

static void inertia_of(const pli_rigid_body_data *rigid, double inertia[6])
{
    pli_dvec3 x = pli_solve_symmetric(rigid->inverse_inertia, (pli_dvec3){1.0, 0.0, 0.0});
    pli_dvec3 y = pli_solve_symmetric(rigid->inverse_inertia, (pli_dvec3){0.0, 1.0, 0.0});
    pli_dvec3 z = pli_solve_symmetric(rigid->inverse_inertia, (pli_dvec3){0.0, 0.0, 1.0});
    const double columns[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
    for (int k = 0; k < 6; k++)
        inertia[k] = columns[k];
}

static void add_deformable(pli_world *world, pli_deformable_data *deformable, pli_dvec3 about, motion_sums *before,
                           motion_sums *after)
{
    pli_rigid_motion now = pli_deformable_measure_rigid_motion(world, deformable);
    const pli_rigid_motion *then = &deformable->momentum->whole;
    add_part(before, about, then->mass, then->centre, then->velocity, then->spin_momentum);
    add_part(after, about, now.mass, now.centre, now.velocity, now.spin_momentum);
    add_inertia(after, about, now.mass, now.centre, now.inertia);
}

static void add_rigid(const pli_rigid_body_data *rigid, pli_dvec3 about, motion_sums *before, motion_sums *after)
{
    double inertia[6], mass = 1.0 / rigid->inverse_mass;
    inertia_of(rigid, inertia);
    add_part(before, about, mass, rigid->previous.centre, rigid->free_velocity,
             pli_solve_symmetric(rigid->inverse_inertia, rigid->free_spin));
    add_part(after, about, mass, rigid->now.pose.centre, rigid->now.velocity,
             pli_solve_symmetric(rigid->inverse_inertia, rigid->now.spin));
    add_inertia(after, about, mass, rigid->now.pose.centre, inertia);
}

static void measure_momentum(pli_world *world, int32_t island, pli_dvec3 about, motion_sums *before, motion_sums *after)
{
    *before = *after = (motion_sums){0};
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (root_of(world, 1 + i) == island)
            add_deformable(world, pli_deformable_at(world, i), about, before, after);
    for (int32_t i = 0; i < world->rigids.count; i++)
        if (root_of(world, 1 + world->deformables.count + i) == island)
            add_rigid(pli_rigid_at(world, i), about, before, after);
}

static pli_dvec3 centre_of(pli_world *world, int32_t island)
{
    motion_sums before, after;
    measure_momentum(world, island, (pli_dvec3){0.0, 0.0, 0.0}, &before, &after);
    return pli_dscale(after.centre, 1.0 / after.mass);
}

static void restore_momentum(pli_world *world, int32_t island)
{
    motion_sums before, after;
    pli_dvec3 centre = centre_of(world, island);
    measure_momentum(world, island, centre, &before, &after);
    pli_dvec3 velocity = pli_dscale(pli_dsub(before.momentum, after.momentum), 1.0 / after.mass);
    pli_dvec3 spin = pli_solve_symmetric(after.inertia, pli_dsub(before.angular, after.angular));
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (root_of(world, 1 + i) == island)
            pli_deformable_add_motion(world, pli_deformable_at(world, i), centre, velocity, spin);
    for (int32_t i = 0; i < world->rigids.count; i++)
        if (root_of(world, 1 + world->deformables.count + i) == island)
            pli_rigid_add_motion(pli_rigid_at(world, i), centre, velocity, spin);
}

// Whether an island needs restoration. A single deformable has been restored already, unless something has moved it
// between sweeps, and a single rigid body keeps its momenta.
static bool is_restored(const pli_world *world, int32_t island)
{
    int32_t members = 0;
    for (int32_t node = 1; node <= world->deformables.count + world->rigids.count; node++)
        members += root_of(world, node) == island;
    return members > 1 ||
           (island <= world->deformables.count && pli_deformable_at(world, island - 1)->during.moved_between);
}

void pli_world_restore_islands(pli_world *world)
{
    if (!pli_world_keeps_momentum(world))
        return;
    find_islands(world);
    for (int32_t node = 1; node <= world->deformables.count + world->rigids.count; node++)
        if (world->coupling.islands[node] == node && is_restored(world, node))
            restore_momentum(world, node);
}

/* ---- the feature -------------------------------------------------------------------------------- */

static bool create_momentum(pli_world *world, pli_deformable_data *deformable)
{
    int32_t chunks = deformable->capacity / PLI_PARTICLE_GRAIN + 1;
    deformable->momentum->sums = PLI_ALLOCATE(&world->memory, double, PLI_MOTION_SUM_COUNT *(int64_t)chunks);
    return deformable->momentum->sums != NULL;
}

static void destroy_momentum(pli_world *world, pli_deformable_data *deformable)
{
    pli_pieces_free(world, deformable);
    pli_release(&world->memory, deformable->momentum->sums);
}

static void cut_momentum(pli_deformable_data *deformable)
{
    deformable->momentum->pieces_known = deformable->momentum->pivots_known = false;
}

static void pass_momentum(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    (void)world, (void)count;
    if (s->mode == PLI_STREAM_READ)
        deformable->momentum->pivots_known = false;
}

static pli_status begin_momentum(pli_world *world, float dt, pli_error *error)
{
    (void)dt;
    return reserve_islands(world) ? PLI_STATUS_OK : pli_fail_memory(error);
}

const pli_feature pli_feature_momentum = {
    .name = "momentum",
    PLI_FEATURE_STATE(pli_momentum, momentum),
    .create = create_momentum,
    .destroy = destroy_momentum,
    .begin = begin_momentum,
    .ready = pli_world_update_pieces,
    .start = find_free,
    .cut = cut_momentum,
    .pass = pass_momentum,
};
