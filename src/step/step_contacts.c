// Contacts in the step: between particles and shapes, in chunks of particles divided among threads, and between surfaces.
#include "step/extent.h"
#include "collision/ccd/ccd.h"
#include "collision/contacts/contact.h"
#include "collision/shape_contact/shape_contact.h"
#include "particles/rolling_friction.h"
#include "rigid/coupling/support_contacts.h"
#include "step/contact_filter.h"
#include "step/step.h"
#include "world/starting_inside.h"
#include "step/moving_out.h"
#include "step/step_collision.h"
#include "particles/contact_pool.h"

static pli_contact_job contact_job(const pli_substep *s, pli_deformable_data *deformable)
{
    return (pli_contact_job){
        .particles = deformable->particles,
        .velocities = deformable->velocities,
        .previous = deformable->previous,
        .count = deformable->count,
        .shapes = s->world->during.analytic.shapes,
        .around = &s->world->during.analytic.tree,
        .near = s->world->kernels->near,
        .thickness = deformable->thickness,
        .thicknesses = deformable->vertex.thickness,
        .step = s->step,
        .bounce = s->bounce,
        .recovery = PLI_RECOVERY * s->step,
        .least = PLI_LEAST_RECOVERED * deformable->rest.mean_edge,
        .longest_edge = deformable->rest.longest_edge,
        .layers = deformable->def.layers,
        .mask = deformable->def.mask,
    };
}

typedef struct contact_work {
    pli_contact_job job;
    const pli_smooth_kernels *kernels;
    pli_contact_pool *pool;
} contact_work;

static void find_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    int32_t begin = chunk * PLI_CONTACT_GRAIN;
    int32_t end = work->job.count - begin > PLI_CONTACT_GRAIN ? begin + PLI_CONTACT_GRAIN : work->job.count;
    work->pool->counts[chunk] = pli_contacts_find(&work->job, work->kernels, begin, end,
                                                  pli_chunk_contacts(work->pool, chunk), work->pool->capacity);
}

static void project_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->project(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

static void update_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->update(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

// Grows the capacity of every chunk when one overflowed. False when none did, or when memory ran out, which ends the
// step.
static bool grow_pool(pli_world *world, pli_contact_pool *pool)
{
    int32_t most = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        most = pool->counts[chunk] > most ? pool->counts[chunk] : most;
    if (most <= pool->capacity)
        return false;
    int32_t capacity = most + most / 2;
    pli_contact_group *groups = PLI_ALLOCATE(&world->memory, pli_contact_group, (int64_t)capacity * pool->chunk_count);
    if (groups) {
        pli_release(&world->memory, pool->groups);
        pool->groups = groups;
        pool->capacity = capacity;
        return true;
    }
    world->out_of_memory = true;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        if (pool->counts[chunk] > pool->capacity)
            pool->counts[chunk] = pool->capacity;
    return false;
}

static void run_contacts(const pli_substep *s, pli_deformable_data *deformable, pli_task task)
{
    contact_work work = {contact_job(s, deformable), s->world->kernels->smooth, deformable->pool};
    pli_tasks_run(s->world->tasks, deformable->pool->chunk_count, task, &work);
}

static void find_of_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    run_contacts(s, deformable, find_chunk);
}
static void project_of_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    run_contacts(s, deformable, project_chunk);
}
// With self-contact by particles, the planes on which flat layers slide (collision/particle_contact) are projected last: a shape that was
// projected after them would slow the layers.
static void project_of_deformable_again(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!deformable->def.self_collision || deformable->def.self_contact == PLI_SELF_CONTACT_SURFACES)
        run_contacts(s, deformable, project_chunk);
}
static void update_of_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    run_contacts(s, deformable, update_chunk);
    pli_deformable_find_footprints(s->world, deformable, s->step);
}
static void resist_of_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    pli_deformable_resist_rolling(deformable, s->step);
}

static void for_contacts(const pli_substep *s, pli_deformable_work work)
{
    if (s->world->colliders.count > 0)
        pli_for_deformables(s, work);
}

static void drop_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        for (int32_t chunk = 0; chunk < pli_deformable_at(world, i)->pool->chunk_count; chunk++)
            pli_deformable_at(world, i)->pool->counts[chunk] = 0;
}

/* ---- surfaces of shapes that the guarantee respects ---------------------------------------------- */

// Layers thinner than this fraction of an edge are too thin to stop in.
#define LEAST_LAYER 0.02f

// The search for walls among the contacts of one deformable, for the guarantee.
typedef struct wall_search {
    pli_world *world;
    const pli_deformable_data *deformable;
    bool moving; // Lists walls of shapes that must stop; else walls of shapes at rest, and finds shapes that must stop.
} wall_search;

static pli_wall wall_of(const wall_search *s, const pli_contact_group *group, int32_t lane)
{
    const pli_moving_shape *shape = &s->world->during.analytic.shapes[group->collider];
    float layer = pli_deformable_thickness(s->deformable, group->first + lane) + shape->def->thickness,
          least = LEAST_LAYER * s->deformable->surface->mean_edge;
    // A particle that began inside, and is still being moved out, does not count as behind the surface, so it does not stop the shape.
    layer = fmaxf(layer, group->left[lane] + least);
    return (pli_wall){
        .at = s->deformable->first + group->first + lane,
        .shape = shape->rests ? -1 : group->collider,
        .normal = {group->normal[0][lane], group->normal[1][lane], group->normal[2][lane]},
        .level = group->offset[lane] + group->left[lane] - fmaxf(layer, least),
    };
}

// Whether the surface of a shape at a contact moves by more than the thickness in this substep. Such a shape must not carry along cloth
// that surfaces hold back, and does not stop at cloth: with a ball thrown into a curtain, these stretched it by 2300 % and by 1760 %.
static bool is_fast(const pli_collision *collision, const pli_contact_group *group, int32_t lane, float thickness)
{
    float step = collision->substep.length;
    pli_vec3 led = {step * group->velocity[0][lane], step * group->velocity[1][lane], step * group->velocity[2][lane]};
    return pli_dot(led, led) > thickness * thickness;
}

static bool is_behind(const pli_world *world, const pli_wall *wall)
{
    return pli_dot(wall->normal, pli_position_of(&world->store.particles[wall->at])) < wall->level;
}

static bool look_behind(const wall_search *s, const pli_contact_group *group, uint8_t *stops)
{
    pli_collision *collision = &s->world->collision;
    for (uint32_t left = group->lanes; left; left &= left - 1) {
        const pli_wall wall = wall_of(s, group, __builtin_ctz(left));
        bool led = wall.shape >= 0;
        // A collider that stopped before has an offset from its target, and is fast only for that reason.
        const pli_collider_data *collider = pli_collider_at(s->world, group->collider);
        if (led && !collider->rigid && collider->def.yields == PLI_YIELDS_CLOTH)
            continue;
        if (led && !collider->lags && !collider->yielded &&
            is_fast(collision, group, __builtin_ctz(left),
                    pli_deformable_thickness(s->deformable, group->first + __builtin_ctz(left))))
            continue;
        if (led && !s->moving && is_behind(s->world, &wall))
            stops[wall.shape] = 1;
        if (led ? !s->moving || !stops[wall.shape] : s->moving || !is_behind(s->world, &wall))
            continue;
        if (!pli_array_reserve(collision->memory, &collision->ccd.walls, (int64_t)collision->ccd.walls.count + 1))
            return false;
        collision->ccd.walls.items[collision->ccd.walls.count++] = wall;
    }
    return true;
}

static bool find_walls_of(const wall_search *s, uint8_t *stops)
{
    const pli_contact_pool *pool = s->deformable->pool;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++) {
        const pli_contact_group *groups = pli_chunk_contacts(pool, chunk);
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            if (!s->world->during.analytic.shapes[groups[i].collider].stopped && !look_behind(s, &groups[i], stops))
                return false;
    }
    return true;
}

bool pli_world_leads_any(const pli_world *world)
{
    bool led = pli_world_is_led(world);
    for (int32_t i = 0; i < world->rigids.count && !led; i++)
        led = pli_rigid_at(world, i)->leader >= 0;
    for (int32_t i = 0; i < world->colliders.count && !led; i++)
        led = !pli_collider_at(world, i)->rigid && pli_collider_moves(pli_collider_at(world, i));
    return led;
}

bool pli_world_find_walls(void *user)
{
    pli_world *world = user;
    pli_collision *collision = &world->collision;
    collision->ccd.walls.count = 0;
    if (!pli_world_leads_any(world))
        return true;
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    uint8_t *stops = PLI_TAKE_ZEROED(&collision->arena, uint8_t, world->colliders.count + 1);
    bool complete = stops != NULL;
    bool any = true;
    for (int32_t pass = 0; pass < 2 && any; pass++) {
        for (int32_t i = 0; i < world->deformables.count && complete; i++) {
            const wall_search s = {world, pli_deformable_at(world, i), pass > 0};
            if (s.deformable->surface && !s.deformable->idle)
                complete = find_walls_of(&s, stops);
        }
        any = false;
        for (int32_t i = 0; stops && i < world->colliders.count; i++)
            any = any || stops[i];
    }
    pli_arena_end(&collision->arena, scope);
    return complete;
}

void pli_step_find_contacts(const pli_substep *s)
{
    drop_contacts(s->world);
    for_contacts(s, find_of_deformable);
    bool grown = false;
    for (int32_t i = 0; i < s->world->deformables.count && s->world->colliders.count > 0; i++)
        grown = grow_pool(s->world, pli_deformable_at(s->world, i)->pool) || grown;
    if (grown)
        for_contacts(s, find_of_deformable);
    pli_world_filter_contacts(s->world);
    pli_world_find_surfaces(s->world, s->step, s->left);
    pli_world_find_support_contacts(s->world);
    const bool placed = s->world->collision.untangle.placed;
    if (!s->world->out_of_memory)
        pli_world_tell_inside(s->world);
    pli_moving_out_find(s, placed, pli_world_has_surfaces(s->world));
}

// A sweep over contacts transfers the load of a pile by about one layer, and contact of thin layers recovers too little in a substep to
// bear more. Where loose cloth sinks, contacts are swept at most this many times in addition to the sweep of the iteration.
enum { MOST_SINKING_SWEEPS = 63 };

static void project_of_sinking(const pli_substep *s, pli_deformable_data *deformable)
{
    if (deformable->surface && deformable->surface->load.sinking > 0.0f)
        project_of_deformable_again(s, deformable);
}

// Support contacts of bodies come first, so that cloth in the gap is not pressed. Analytic shapes are projected before surfaces, so
// that surfaces see where shapes move particles, and again last, since nothing else keeps particles out that surfaces push into shapes.
void pli_step_project_contacts(const pli_substep *s)
{
    pli_world_project_support_contacts(s->world);
    for_contacts(s, project_of_deformable);
    if (!pli_world_has_surfaces(s->world) || s->world->out_of_memory)
        return;
    pli_collision *collision = &s->world->collision;
    pli_collision_project(collision, false);
    for_contacts(s, project_of_deformable_again);
    // Iterations beyond the settings are numerous already, so they add no such sweeps.
    const int32_t most = s->iteration < s->world->settings.iterations ? MOST_SINKING_SWEEPS : 0;
    for (int32_t sweep = 0; sweep < most && pli_collision_find_sinking(collision, sweep == 0); sweep++) {
        pli_collision_project(collision, true);
        for_contacts(s, project_of_sinking);
    }
}

// Moves the particles of a group that collision detection has pushed into their shape back to its surface. It uses the tangent planes
// of the contacts, so a particle without a contact stays where it is.
static void keep_group(pli_collision *collision, const pli_deformable_data *deformable, const pli_contact_group *group)
{
    for (int32_t k = 0; k < PLI_BATCH; k++) {
        int32_t i = deformable->first + group->first + k;
        if (!(group->lanes >> k & 1u) || !(collision->ccd.changed[i] & PLI_CCD_MOVED) ||
            is_fast(collision, group, k, pli_deformable_thickness(deformable, group->first + k)))
            continue;
        pli_vec3 normal = {group->normal[0][k], group->normal[1][k], group->normal[2][k]};
        float missing = group->offset[k] - pli_dot(normal, pli_position_of(&collision->particles[i]));
        if (missing > 0.0f)
            pli_ccd_move(collision, i, pli_scale(normal, missing));
    }
}

void pli_world_keep_outside(void *user)
{
    pli_world *world = user;
    for (int32_t i = 0; i < world->deformables.count && world->colliders.count > 0; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++) {
            const pli_contact_group *groups = pli_chunk_contacts(deformable->pool, chunk);
            for (int32_t k = 0; k < deformable->pool->counts[chunk]; k++)
                keep_group(&world->collision, deformable, &groups[k]);
        }
    }
}

void pli_step_apply_friction(const pli_substep *s)
{
    pli_world_rebound_support_contacts(s->world, s->bounce);
    for_contacts(s, update_of_deformable);
    if (pli_world_has_surfaces(s->world) && !s->world->out_of_memory) {
        pli_collision_rebound(&s->world->collision, s->bounce);
        pli_world_add_surfaces_to_footprints(s->world, s->step);
    }
    for_contacts(s, resist_of_deformable);
}

bool pli_is_pushed(const pli_world *world, const pli_deformable_data *deformable)
{
    for (int32_t chunk = 0; chunk < deformable->pool->chunk_count && world->colliders.count > 0; chunk++)
        if (pli_contacts_push(pli_chunk_contacts(deformable->pool, chunk), deformable->pool->counts[chunk]))
            return true;
    return false;
}

static void mark_surface(const pli_world *world, int32_t surface, bool before)
{
    const pli_contact_mesh *mesh = world->collision.surfaces[surface];
    if (mesh->collider)
        return;
    pli_deformable_data *deformable = pli_deformable_at(world, mesh->number);
    deformable->during.moved_between = true;
    deformable->during.moved_before = deformable->during.moved_before || before;
}

void pli_step_mark_contacts(const pli_world *world)
{
    const pli_collision *collision = &world->collision;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++)
            deformable->during.moved_between = deformable->during.moved_between || deformable->pool->counts[chunk] > 0;
    }
    if (!pli_world_has_surfaces(world) || world->out_of_memory)
        return;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++)
        for (int32_t side = 0; side < 2; side++)
            mark_surface(world, collision->contacts.surface_contacts.items[i].surface[side], false);
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        mark_surface(world, collision->untangle.intersections.items[i].edge_surface, true);
        mark_surface(world, collision->untangle.intersections.items[i].triangle_surface, true);
    }
}
