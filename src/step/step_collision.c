// Contact between surfaces in the step: the choice of surfaces, and the calls into the collision detection.
#include "step/step_collision.h"

#include "step/extent.h"
#include "step/stuck.h"
#include "collision/ccd/ccd.h"
#include "collision/contacts/contact.h"
#include "collision/pair_cache/trajectories.h"
#include "collision/state/collision_state.h"
#include "collision/particle_contact/particle_contact.h"
#include "collision/untangle/intersections.h"
#include "rigid/coupling/carried_collider.h"
#include "tearing/contact_mesh_cut.h"
#include "tearing/tear_state.h"
#include "world/collider.h"
#include "world/collision_layers.h"
#include "step/step.h"
#include "sweep/crowd.h"

#include <stdio.h>
#include <string.h>

static pli_deformable_data *deformable_at(const pli_world *world, int32_t i)
{
    return (pli_deformable_data *)(void *)world->deformables.items[i];
}

static pli_collider_data *step_collider_at(const pli_world *world, int32_t i)
{
    return (pli_collider_data *)(void *)world->colliders.items[i];
}

// Spare vertices and edges of a tearable surface at its creation.
enum { SPARE_CUTS = 64 };

// Makes the data for self-collision: a flatness certificate for surfaces, or a list of particles.
static bool make_self_contact(pli_world *world, const pli_deformable_data *deformable, pli_contact_mesh *surface)
{
    if (!deformable->def.self_collision)
        return true;
    if (deformable->def.self_contact == PLI_SELF_CONTACT_SURFACES)
        return pli_contact_mesh_make_flat_certificate(&world->memory, world->kernels->near, surface);
    surface->own.particle_list = PLI_ALLOCATE(&world->memory, pli_particle_list, 1);
    if (!surface->own.particle_list)
        return false;
    float given = deformable->def.particle_distance;
    surface->own.particle_list->distance = given > 0.0f ? given : PLI_PARTICLE_DISTANCE_RATIO * surface->mean_edge;
    return true;
}

static void set_material(const pli_deformable_data *deformable, pli_contact_mesh *surface)
{
    surface->material = (pli_contact_mesh_material){
        .thickness = deformable->thickness,
        .thicknesses = deformable->vertex.thickness,
        .least_thickness = deformable->vertex.thickness ? deformable->painted.thinnest : deformable->thickness,
        .friction = deformable->def.friction,
        .frictions = deformable->vertex.friction,
        .longest_edge = deformable->rest.longest_edge,
        .layers = deformable->def.layers,
        .mask = deformable->def.mask,
        .self_collision = deformable->def.self_collision && deformable->def.self_contact == PLI_SELF_CONTACT_SURFACES,
    };
}

static bool make_surface(pli_world *world, pli_deformable_data *deformable)
{
    pli_contact_mesh *surface = PLI_ALLOCATE(&world->memory, pli_contact_mesh, 1);
    if (!surface)
        return false;
    // Cuts are replayed on a new surface, so that the result does not depend on when it is first needed.
    const pli_faces whole = pli_faces_of(pli_mesh_topology(deformable->mesh));
    bool cut = deformable->count > whole.vertex_count;
    if (!pli_contact_mesh_build(&world->memory, surface, &whole, deformable->order) ||
        (cut && !pli_tear_state_replay(world, deformable, surface)) ||
        (deformable->tear_state && !pli_contact_mesh_reserve_cut(&world->memory, surface, deformable->capacity,
                                                                 SPARE_CUTS, NULL, 0, deformable->order))) {
        pli_contact_mesh_free(&world->memory, surface);
        return false;
    }
    set_material(deformable, surface);
    if (!make_self_contact(world, deformable, surface)) {
        pli_contact_mesh_free(&world->memory, surface);
        return false;
    }
    deformable->surface = surface;
    return true;
}

// Builds the surface of a deformable for its current definition, unless it is up to date.
static bool update_step_surface(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->surface_stale) {
        pli_contact_mesh_free(&world->memory, deformable->surface);
        deformable->surface = NULL;
        deformable->surface_stale = false;
    }
    if (!deformable->surface)
        return make_surface(world, deformable);
    set_material(deformable, deformable->surface);
    return true;
}

static void add(pli_collision *collision, pli_contact_mesh *surface, int32_t first, int32_t number)
{
    surface->first = first;
    surface->number = number;
    surface->contains = surface->moves_out = false;
    if (surface->own.particle_list) {
        surface->own.particle_list->slack.age = -1;
        collision->particle_lists.has_any = true;
    }
    collision->surfaces[collision->surface_count++] = surface;
}

static bool has_pairs(const pli_collision *collision)
{
    return collision->cache.has_pairs[PLI_LIST_DEFORMABLES] || collision->cache.has_pairs[PLI_LIST_COLLIDERS];
}

// Writes the rigid body that each particle is attached to.
static bool gather_attachments(pli_world *world)
{
    pli_collision *collision = &world->collision;
    collision->attached_to = NULL;
    for (int32_t k = 0; k < world->attachments.count; k++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, k);
        if (!attachment->rigid)
            continue;
        if (!collision->attached_to)
            collision->attached_to = PLI_TAKE_ZEROED(&collision->step_arena, uint32_t, world->store.count);
        if (!collision->attached_to)
            return false;
        uint32_t *ids = collision->attached_to + attachment->deformable->first;
        for (int32_t i = 0; i < attachment->count; i++)
            ids[attachment->particles[i]] = attachment->rigid->id;
    }
    return true;
}

// Adds the colliders that rigid bodies carry, or all others.
static void add_colliders(pli_world *world, bool carried)
{
    for (int32_t i = 0; i < world->rigids.count && carried; i++)
        pli_rigid_at(world, i)->leader = -1;
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = step_collider_at(world, i);
        if (!collider->surface || (collider->rigid != NULL) != carried || pli_collider_meets_nothing(collider))
            continue;
        pli_collider_set_material(collider);
        collider->surface->load.loose = !carried;
        if (carried && collider->rigid->leader < 0)
            collider->rigid->leader = world->collision.surface_count;
        add(&world->collision, collider->surface, collider->first, i);
    }
}

// Surfaces that are pinned on both sides, or wrapped around themselves, can intersect forever. After `eagerness` they are
// separated less strongly, after `patience` a warning is logged.
static const double eagerness = 0.5, patience = 2.0; // [s]

static bool intersecting_for(const pli_world *world, double time)
{
    return world->reports.least_intersecting > 0 && world->time - world->reports.intersecting_since > time;
}

bool pli_deformable_can_move(const pli_deformable_data *deformable)
{
    const pli_faces *shape = &deformable->shape;
    for (int32_t v = 0; v < deformable->count; v++)
        if (deformable->particles[pli_place(deformable, v)].w == 0.0f &&
            shape->triangle_begins[v] < shape->triangle_ends[v])
            return false;
    return true;
}

bool pli_world_gather_surfaces(pli_world *world)
{
    pli_collision *collision = &world->collision;
    int64_t most = (int64_t)world->deformables.count + world->colliders.count;
    collision->memory = &world->memory;
    collision->tasks = world->tasks;
    collision->hooks.yield = pli_collider_yield, collision->hooks.find_walls = pli_world_find_walls;
    collision->hooks.keep_outside = pli_world_keep_outside, collision->hooks.leader = world;
    collision->kernels.near = world->kernels->near;
    collision->kernels.closest = world->kernels->closest;
    collision->kernels.gradients = world->kernels->gradients;
    collision->kernels.contact_batches = world->kernels->contact_batches;
    collision->kernels.particle_contacts = world->kernels->particle_contacts;
    collision->surface_count = 0;
    collision->particle_lists.has_any = false;
    collision->particle_lists.pair_count = 0;
    collision->cache.slack.age = -1;
    collision->step_arena.memory = collision->arena.memory = collision->memory;
    pli_arena_reset(&collision->arena);
    collision->untangle.starts = NULL;
    pli_collision_trim(collision);
    pli_arena_reset(&collision->step_arena);
    collision->surfaces = PLI_TAKE(&collision->step_arena, pli_contact_mesh *, most);
    collision->links = PLI_TAKE(&collision->step_arena, int32_t, most);
    if (!collision->surfaces || !collision->links || !pli_world_group_layers(world))
        return false;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = deformable_at(world, i);
        if (deformable->idle || deformable->isolated->active || !pli_world_needs_surface(world, deformable))
            continue;
        if (!update_step_surface(world, deformable))
            return false;
        deformable->surface->load.loose = !deformable->first_attachment && pli_deformable_can_move(deformable);
        add(collision, deformable->surface, deformable->first, i);
    }
    add_colliders(world, true);
    add_colliders(world, false);
    pli_world_note_pair_lists(world, collision->cache.has_pairs);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (!collision->cache.has_pairs[list]) // It is not searched, and its surfaces may be gone.
            pli_candidate_list_empty(&collision->cache.lists[list]);
    collision->cache.near_share = world->rigids.count > 0 ? PLI_RIGID_NEAR_SHARE : PLI_NEAR_SHARE;
    pli_collision_reset_links(collision);
    pli_collision_begin_work(collision, world->settings.work_budget, world->substep_count);
    collision->untangle.lasting = intersecting_for(world, eagerness);
    collision->ccd.limited_count = collision->ccd.failed_pair_count = collision->ccd.withheld.count = 0;
    collision->ccd.squeezed = collision->ccd.yielded = collision->ccd.crowded = false;
    collision->ccd.led = world->attachments.count > 0 || pli_world_leads_any(world);
    for (int32_t i = 0; i < world->colliders.count; i++)
        collision->ccd.squeezed = collision->ccd.squeezed ||
                                  (step_collider_at(world, i)->lags && !step_collider_at(world, i)->is_behind);
    pli_contacts_forget(collision);
    if (!has_pairs(collision)) // Nothing is searched, and old findings may name particles that are gone.
        collision->untangle.intersections.count = collision->untangle.inside_count = collision->untangle.round_count =
            collision->contacts.one_sided.count = 0;
    collision->out_of_memory = false;
    return gather_attachments(world);
}

bool pli_world_gather_again(pli_world *world)
{
    pli_collision *collision = &world->collision;
    int32_t limited = collision->ccd.limited_count, failed = collision->ccd.failed_pair_count,
            withheld = collision->ccd.withheld.count;
    bool complete = pli_world_gather_surfaces(world);
    collision->ccd.limited_count = limited, collision->ccd.failed_pair_count = failed;
    collision->ccd.withheld.count = withheld;
    return complete;
}

bool pli_world_has_surfaces(const pli_world *world)
{
    return has_pairs(&world->collision) || world->collision.particle_lists.has_any;
}

static void count_particle_pairs(pli_collision *collision)
{
    collision->particle_lists.pair_count = 0;
    for (int32_t i = 0; i < collision->surface_count; i++)
        if (collision->surfaces[i]->own.particle_list)
            collision->particle_lists.pair_count += collision->surfaces[i]->own.particle_list->pairs.count;
}

static void read_substep(pli_world *world, float step, int32_t left)
{
    pli_collision *collision = &world->collision;
    collision->particles = world->store.particles;
    collision->previous = world->store.previous;
    collision->velocities = world->store.velocities;
    collision->particle_count = world->store.count;
    collision->dummy = world->deformables.count > 0 ? deformable_at(world, 0)->first + deformable_at(world, 0)->capacity
                                                    : 0;
    collision->substep.length = step;
    collision->substep.left = left;
}

void pli_world_find_surfaces(pli_world *world, float step, int32_t left)
{
    pli_collision *collision = &world->collision;
    read_substep(world, step, left);
    pli_collision_share_work(collision, left);
    pli_arena_reset(&collision->arena);
    collision->untangle.starts = NULL;
    if (!pli_world_has_surfaces(world))
        return;
    if (has_pairs(collision)) {
        pli_collision_untangle(collision);
        if (!collision->out_of_memory)
            pli_collision_update_pairs(collision);
    }
    if (collision->particle_lists.has_any && !collision->out_of_memory) {
        pli_collision_update_particle_pairs(collision);
        count_particle_pairs(collision);
    }
    if (!collision->out_of_memory)
        pli_collision_build_contacts(collision);
    pli_collision_note_sizes(collision);
    world->out_of_memory = world->out_of_memory || collision->out_of_memory;
}

void pli_world_search_again(pli_world *world, float step, int32_t left)
{
    pli_collision *collision = &world->collision;
    read_substep(world, step, left);
    if (has_pairs(collision))
        pli_collision_update_pairs(collision);
    world->out_of_memory = world->out_of_memory || collision->out_of_memory;
}

void pli_world_run_ccd(pli_world *world)
{
    pli_collision *collision = &world->collision;
    if (!has_pairs(collision) || collision->out_of_memory)
        return;
    if (world->settings.ccd != PLI_CCD_OFF) {
        pli_collision_run_ccd(collision);
        if (pli_collision_find_growth(collision))
            pli_collision_freeze_growth(collision);
    }
    pli_collision_note_sizes(collision);
    world->out_of_memory = world->out_of_memory || collision->out_of_memory || !pli_world_reserve_held_back(world);
}

bool pli_world_is_led(const pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++)
        if ((step_collider_at(world, i)->moving || step_collider_at(world, i)->lags) &&
            !step_collider_at(world, i)->rigid)
            return true;
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, i);
        bool moves = attachment->lagging > 0 ||
                     memcmp(&attachment->pose, &attachment->next, sizeof attachment->pose) != 0;
        if (!attachment->rigid && moves)
            return true;
    }
    return false;
}

// Updates the surfaces to the store at the end of the step, since tears have moved its ranges.
static void read_end(pli_world *world)
{
    pli_collision *collision = &world->collision;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        pli_contact_mesh *s = collision->surfaces[i];
        s->first = s->collider ? step_collider_at(world, s->number)->first : deformable_at(world, s->number)->first;
    }
    collision->particles = collision->previous = world->store.particles;
    collision->particle_count = world->store.count;
}

// Intersections are possible where there were some before, where a pair was given up, where the motion of the last
// substeps was not proved free of them, and where fixed objects passed through fixed objects.
void pli_world_count_intersections(pli_world *world, bool led)
{
    pli_collision *collision = &world->collision;
    const pli_untangling *known = &collision->untangle;
    bool everywhere = known->unverified || known->touching || known->intersections.count > 0 || known->inside_count > 0;
    bool counts = has_pairs(collision) && (everywhere || led);
    if (!counts && !collision->particle_lists.has_any)
        return;
    read_end(world);
    // Self-crossings of particle lists are counted when statistics are read, but here if a tear has moved the store.
    for (int32_t i = 0; i < collision->surface_count; i++)
        collision->surfaces[i]->own.crossings = collision->surfaces[i]->own.particle_list ? PLI_UNCOUNTED : 0;
    if (collision->particle_lists.has_any && !world->has_contacts)
        pli_collision_count_own(collision);
    if (!counts)
        return;
    if (world->has_contacts || gather_attachments(world))
        pli_collision_count_intersections(collision, everywhere);
    else
        collision->untangle.unverified = true;
}

void pli_world_count_deep(pli_world *world)
{
    world->collision.untangle.deep_count = 0;
    if (has_pairs(&world->collision) && !world->collision.out_of_memory)
        pli_collision_count_deep(&world->collision);
}

static const char *surface_name(const pli_world *world, int32_t surface)
{
    const pli_contact_mesh *s = world->collision.surfaces[surface];
    const char *name = s->collider ? NULL : deformable_at(world, s->number)->name;
    return s->collider ? "a collider" : name && name[0] ? name : "a deformable";
}

void pli_world_watch_work(pli_world *world)
{
    const pli_work *work = &world->collision.work;
    if (work->shortened == 0 || world->reports.shortened)
        return;
    world->reports.shortened = true;
    char line[300];
    snprintf(
        line, sizeof line,
        "contact takes more work than work_budget = %g allows: the motion of %d substeps was shortened at %g s, and %d "
        "pairs with kinematic objects could not be kept apart; move these less in a step, or raise the budget",
        (double)world->settings.work_budget, (int)work->shortened, world->time,
        (int)world->collision.ccd.failed_pair_count);
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
}

void pli_world_watch_intersections(pli_world *world)
{
    int32_t count = has_pairs(&world->collision) ? world->collision.untangle.intersections.count : 0;
    if (count == 0 || world->reports.least_intersecting == 0 || count < world->reports.least_intersecting) {
        world->reports.least_intersecting = count;
        world->reports.intersecting_since = world->time;
    }
    if (count == 0 || world->reports.intersecting || !intersecting_for(world, patience))
        return;
    world->reports.intersecting = true;
    const pli_intersection *first = &world->collision.untangle.intersections.items[0];
    char line[400];
    snprintf(
        line, sizeof line,
        "intersections cannot be resolved: %d edges have passed through triangles for %g s without getting fewer, the "
        "first between %.60s and %.60s; start without intersections, or release pinned particles",
        (int)count, patience, surface_name(world, first->edge_surface), surface_name(world, first->triangle_surface));
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
}
