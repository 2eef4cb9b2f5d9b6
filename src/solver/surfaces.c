#include "solver/surfaces.h"

#include "collision/guard.h"
#include "collision/particles.h"
#include "collision/surface_cut.h"
#include "collision/tangle.h"
#include "collision/touch.h"
#include "collision/ways.h"
#include "solver/collider.h"
#include "solver/layers.h"
#include "solver/torn.h"

#include <stdio.h>

static pli_body *body_at(const pli_world *world, int32_t i) { return (pli_body *)(void *)world->bodies.items[i]; }

static pli_solid *solid_at(const pli_world *world, int32_t i) { return (pli_solid *)(void *)world->solids.items[i]; }

// Vertices and edges that what tears has room for from the start.
enum { SPARE_CUTS = 64 };

// What a deformable that keeps clear of itself needs.
static bool make_self_contact(pli_world *world, const pli_body *body, pli_surface *surface)
{
    if (!body->def.self_collision)
        return true;
    if (body->def.self_contact == PLI_SELF_CONTACT_SURFACES)
        return pli_surface_make_sheet(&world->memory, world->kernels->near, surface);
    surface->particle_list = PLI_ALLOCATE(&world->memory, pli_particle_list, 1);
    if (!surface->particle_list)
        return false;
    float given = body->def.particle_distance;
    surface->particle_list->distance = given > 0.0f ? given : PLI_PARTICLE_DISTANCE_SHARE * surface->mean_edge;
    return true;
}

static bool make_surface(pli_world *world, pli_body *body)
{
    pli_surface *surface = PLI_ALLOCATE(&world->memory, pli_surface, 1);
    if (!surface)
        return false;
    // What was cut before is cut again, so that it does not matter when a surface is first needed.
    const pli_faces whole = pli_faces_of(pli_mesh_topology(body->mesh));
    bool cut = body->count > whole.vertex_count;
    if (!pli_surface_build(&world->memory, surface, &whole, body->order) ||
        (cut && !pli_torn_replay(world, body, surface)) ||
        (body->torn &&
         !pli_surface_reserve_cut(&world->memory, surface, body->capacity, SPARE_CUTS, NULL, 0, body->order))) {
        pli_surface_free(world, surface);
        return false;
    }
    surface->material = (pli_surface_material){
        .thickness = body->thickness,
        .friction = body->def.friction,
        .layers = body->def.layers,
        .mask = body->def.mask,
        .self_collision = body->def.self_collision && body->def.self_contact == PLI_SELF_CONTACT_SURFACES,
    };
    if (!make_self_contact(world, body, surface)) {
        pli_surface_free(world, surface);
        return false;
    }
    body->surface = surface;
    return true;
}

void pli_surface_free(pli_world *world, pli_surface *surface)
{
    if (!surface)
        return;
    pli_particle_list_release(&world->memory, surface->particle_list);
    pli_surface_release(&world->memory, surface);
    pli_release(&world->memory, surface);
}

static void add(pli_space *space, pli_surface *surface, int32_t first, int32_t number)
{
    surface->first = first;
    surface->number = number;
    if (surface->particle_list) {
        surface->particle_list->slack.age = -1;
        space->has_particle_lists = true;
    }
    space->surfaces[space->surface_count++] = surface;
}

static bool has_pairs(const pli_space *space)
{
    return space->cache.has_pairs[PLI_LIST_DEFORMABLES] || space->cache.has_pairs[PLI_LIST_COLLIDERS];
}

// Which rigid body each particle is tied to.
static bool gather_ties(pli_world *world)
{
    pli_space *space = &world->space;
    bool any = false;
    for (int32_t i = 0; i < world->ties.count; i++)
        any = any || ((pli_tie *)(void *)world->ties.items[i])->rigid;
    space->tied = any ? PLI_TAKE_ZEROED(&space->step_arena, uint32_t, world->store.count) : NULL;
    if (!any || !space->tied)
        return !any;
    for (int32_t k = 0; k < world->ties.count; k++) {
        const pli_tie *tie = (pli_tie *)(void *)world->ties.items[k];
        for (int32_t i = 0; tie->rigid && i < tie->count; i++)
            space->tied[tie->body->first + tie->particles[i]] = tie->rigid->id;
    }
    return true;
}

// Colliders that rigid bodies carry, or the others.
static void add_solids(pli_world *world, bool carried)
{
    for (int32_t i = 0; i < world->solids.count; i++) {
        pli_solid *solid = solid_at(world, i);
        if (solid->surface && (solid->rigid != NULL) == carried)
            add(&world->space, solid->surface, solid->first, i);
    }
}

// What is held on both sides, or wrapped around itself, can stay as it is for ever: when it is pulled less, and
// when it is said.
static const double eagerness = 0.5, patience = 2.0; // [s]

static bool tangled_for(const pli_world *world, double time)
{
    return world->least_tangled > 0 && world->time - world->tangled_since > time;
}

bool pli_world_gather_surfaces(pli_world *world)
{
    pli_space *space = &world->space;
    int64_t most = (int64_t)world->bodies.count + world->solids.count;
    space->memory = &world->memory;
    space->tasks = world->tasks;
    space->near = world->kernels->near;
    space->slopes = world->kernels->slopes;
    space->presses = world->kernels->presses;
    space->balls = world->kernels->balls;
    space->surface_count = 0;
    space->has_particle_lists = false;
    space->cache.slack.age = -1;
    space->step_arena.memory = space->arena.memory = space->memory;
    pli_arena_reset(&space->step_arena);
    space->surfaces = PLI_TAKE(&space->step_arena, pli_surface *, most);
    space->links = PLI_TAKE(&space->step_arena, int32_t, most);
    if (!space->surfaces || !space->links || !pli_world_group_layers(world))
        return false;
    for (int32_t i = 0; i < world->bodies.count; i++) {
        pli_body *body = body_at(world, i);
        if (!pli_world_needs_surface(world, body))
            continue;
        if (!body->surface && !make_surface(world, body))
            return false;
        add(space, body->surface, body->first, i);
    }
    add_solids(world, true);
    add_solids(world, false);
    pli_world_note_meetings(world, space->cache.has_pairs);
    pli_space_forget_links(space);
    space->ccd.bounded = world->settings.guarantee == PLI_CCD_BOUNDS;
    space->untangle.hopeless = tangled_for(world, eagerness);
    space->ccd.held_back = space->ccd.breaches = 0;
    space->contacts.touches.count = 0;
    if (!has_pairs(space))
        space->untangle.tangles.count = 0;
    space->starved = false;
    return gather_ties(world);
}

bool pli_world_has_surfaces(const pli_world *world)
{
    return has_pairs(&world->space) || world->space.has_particle_lists;
}

void pli_world_find_surfaces(pli_world *world, float step, int32_t left)
{
    pli_space *space = &world->space;
    space->particles = world->store.particles;
    space->previous = world->store.previous;
    space->velocities = world->store.velocities;
    space->particle_count = world->store.count;
    space->dummy = world->bodies.count > 0 ? body_at(world, 0)->first + body_at(world, 0)->capacity : 0;
    space->step = step;
    space->substeps_left = left;
    pli_arena_reset(&space->arena);
    if (!pli_world_has_surfaces(world))
        return;
    if (has_pairs(space)) {
        pli_space_untangle(space);
        if (!space->starved)
            pli_space_find(space);
    }
    if (space->has_particle_lists && !space->starved)
        pli_space_find_particles(space);
    if (!space->starved)
        pli_space_touch(space);
    world->starved = world->starved || space->starved;
}

void pli_world_guard_surfaces(pli_world *world)
{
    pli_space *space = &world->space;
    if (!has_pairs(space) || space->starved)
        return;
    if (world->settings.guarantee != PLI_CCD_OFF)
        pli_space_guard(space);
    world->starved = world->starved || space->starved;
}

static const char *surface_name(const pli_world *world, int32_t surface)
{
    const pli_surface *s = world->space.surfaces[surface];
    const char *name = s->collider ? NULL : body_at(world, s->number)->name;
    return s->collider ? "a collider" : name && name[0] ? name : "a deformable";
}

void pli_world_watch_tangles(pli_world *world)
{
    int32_t count = has_pairs(&world->space) ? world->space.untangle.tangles.count : 0;
    if (count == 0 || world->least_tangled == 0 || count < world->least_tangled) {
        world->least_tangled = count;
        world->tangled_since = world->time;
    }
    if (count == 0 || world->told_tangled || !tangled_for(world, patience))
        return;
    world->told_tangled = true;
    const pli_tangle *first = &world->space.untangle.tangles.items[0];
    char line[400];
    snprintf(
        line, sizeof line,
        "what intersects cannot be brought apart: %d edges have gone through triangles for %g s "
        "without getting fewer, the first between %.60s and %.60s; start without intersections, or let held particles "
        "go",
        (int)count, patience, surface_name(world, first->edge_surface), surface_name(world, first->triangle_surface));
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
}
