// Projection of tethers (Kim, Chentanez, Mueller 2012, Long Range Attachments).
//
// Tethers between particles are a constraint set of type "tether" whose colours are the ranks: a particle has one
// tether of each rank, and anchors are only read, so constraints of a colour share no particle that moves.
//
//   rank 0: p --> nearest anchor      rank 1: p --> second nearest      ...
//
// Tethers with rigid bodies are projected one after the other, since they share the body. Both ends move by their
// inverse masses, so what a strip carries is held by its far end at once, however light the strip is.
#include "stretch/stretch_tethers.h"

#include "constraints/registry.h"
#include "grid/grid_layout.h"
#include "model/handles.h"
#include "model/user_types.h"
#include "schedule/constraint_slots.h"
#include "stretch/stretch_limit.h"

#include <string.h>

/* ---- building ----------------------------------------------------------------------------------- */

// Notes for each vertex that a body holds which of its attachment's points it is.
static void number_points(const pli_deformable_data *deformable, int32_t *points)
{
    for (int32_t v = 0; v < deformable->count; v++)
        points[v] = -1;
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        for (int32_t k = 0; k < a->count; k++) {
            int32_t vertex = pli_vertex(deformable, a->particles[k]);
            if (deformable->limit->owners[vertex] == (int32_t)a->id)
                points[vertex] = k;
        }
}

static pli_rigid_tether_end end_of(const pli_world *world, const pli_deformable_data *deformable, int32_t vertex,
                                   const int32_t *points)
{
    if (points[vertex] >= 0)
        return (pli_rigid_tether_end){pli_list_find(&world->attachments, (uint32_t)deformable->limit->owners[vertex]),
                                      points[vertex]};
    return (pli_rigid_tether_end){NULL, pli_place(deformable, vertex)};
}

static bool is_rigid_tether(const pli_limit *limit, const pli_tether *t)
{
    // Owners above 1 are attachments to rigid bodies; 0 is a free particle, 1 an anchor of the world.
    return limit->owners[t->particle] > 1 || limit->owners[t->anchor] > 1;
}

bool pli_tether_acts(const pli_limit *limit, const pli_tether *t)
{
    const int32_t *then = limit->owners, *now = limit->found;
    bool carried = then[t->particle] > 1 || now[t->particle] > 1; // A particle that the world holds does not move.
    return then[t->anchor] == now[t->anchor] && (!carried || then[t->particle] == now[t->particle]);
}

static bool build_rigid_tethers(pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    pli_limit *limit = deformable->limit;
    const pli_tethers *t = &limit->tethers;
    int32_t *points = PLI_ALLOCATE_UNSET(&world->memory, int32_t, deformable->count);
    limit->rigid_tethers = PLI_ALLOCATE(&world->memory, pli_rigid_tether, count);
    if (!limit->rigid_tethers || !points) {
        pli_release(&world->memory, points);
        return false;
    }
    number_points(deformable, points);
    for (int32_t i = 0; i < t->offsets[t->rank_count]; i++) {
        const pli_tether *tether = &t->items[i];
        if (is_rigid_tether(limit, tether) && pli_tether_acts(limit, tether))
            limit->rigid_tethers[limit->rigid_tether_count++] = (pli_rigid_tether){
                {end_of(world, deformable, tether->particle, points),
                 end_of(world, deformable, tether->anchor, points)},
                tether->length};
    }
    pli_release(&world->memory, points);
    return true;
}

static bool allocate(pli_world *world, pli_deformable_data *deformable, int32_t slots, int32_t colours)
{
    pli_memory *memory = &world->memory;
    pli_constraint_set_data *set = deformable->limit->set = PLI_ALLOCATE(memory, pli_constraint_set_data, 1);
    if (!set)
        return false;
    set->type = pli_world_find_type(world, "tether", &set->row, NULL);
    set->deformable = deformable;
    set->anchored = true;
    set->overflow = -1;
    set->pad = PLI_BATCH;
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT + set->type->parameter_count; i++)
        set->parameters[i] = pli_parameter_of_slot(set->type, i)->initial;
    set->index[0] = PLI_ALLOCATE(memory, pli_index, slots);
    set->index[1] = PLI_ALLOCATE(memory, pli_index, slots);
    set->rest[0] = PLI_ALLOCATE(memory, float, slots);
    set->colour_offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)colours + 1);
    set->colour_sizes = PLI_ALLOCATE(memory, int32_t, colours);
    return pli_copy_string(memory, set->type->name, &set->name) && set->index[0] && set->index[1] && set->rest[0] &&
           set->colour_offsets && set->colour_sizes;
}

// Fills the slots of a rank in the order of the particles in memory; numbers[place] is scratch.
static void fill_set_rank(const pli_deformable_data *deformable, int32_t rank, int32_t *numbers)
{
    const pli_limit *limit = deformable->limit;
    const pli_tethers *t = &limit->tethers;
    pli_constraint_set_data *set = limit->set;
    int32_t slot = set->colour_offsets[rank];
    for (int32_t place = 0; place < deformable->count; place++)
        numbers[place] = -1;
    for (int32_t i = t->offsets[rank]; i < t->offsets[rank + 1]; i++)
        if (!is_rigid_tether(limit, &t->items[i]) && pli_tether_acts(limit, &t->items[i]))
            numbers[pli_place(deformable, t->items[i].particle)] = i;
    for (int32_t place = 0; place < deformable->count; place++) {
        if (numbers[place] < 0)
            continue;
        const pli_tether *tether = &t->items[numbers[place]];
        set->index[0][slot] = pli_index_of(place);
        set->index[1][slot] = pli_index_of(pli_place(deformable, tether->anchor));
        set->rest[0][slot++] = tether->length;
    }
    set->colour_sizes[rank] = slot - set->colour_offsets[rank];
    set->count += set->colour_sizes[rank];
    for (; slot % PLI_BATCH != 0; slot++)
        set->index[0][slot] = set->index[1][slot] = pli_index_of(deformable->capacity);
    set->colour_offsets[rank + 1] = slot;
}

static bool build_set(pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    const pli_tethers *t = &deformable->limit->tethers;
    int32_t *numbers = PLI_ALLOCATE_UNSET(&world->memory, int32_t, deformable->count);
    bool complete = numbers && allocate(world, deformable, count + t->rank_count * PLI_BATCH, t->rank_count);
    for (int32_t rank = 0; complete && rank < t->rank_count; rank++)
        fill_set_rank(deformable, rank, numbers);
    pli_release(&world->memory, numbers);
    if (complete)
        deformable->limit->set->colour_count = t->rank_count;
    if (complete)
        deformable->limit->set->slot_count = deformable->limit->set->colour_offsets[t->rank_count];
    return complete;
}

/* ---- tethers in the layout of a grid ------------------------------------------------------------- */

// Numbers each anchor when it first appears; `numbers` is by internal index, -1 for none.
static int32_t number_of(pli_limit *limit, int32_t *numbers, int32_t place)
{
    if (numbers[place] < 0) {
        numbers[place] = limit->row_anchor_count;
        limit->row_anchors[limit->row_anchor_count++] = place;
    }
    return numbers[place];
}

static void fill_row_rank(pli_limit *limit, const pli_grid_layout *grid, int32_t rank, int32_t *numbers)
{
    const pli_constraint_set_data *set = limit->set;
    pli_rows *rows = &limit->rows[rank];
    for (int32_t i = 0; i < grid->rows * grid->pitch; i++)
        rows->lengths[i] = INFINITY;
    for (int32_t i = 0; i < set->colour_sizes[rank]; i++) {
        int32_t slot = set->colour_offsets[rank] + i, at = pli_grid_at(grid, pli_index_place(set->index[0][slot]));
        rows->lengths[at] = set->rest[0][slot];
        rows->anchors[at] = number_of(limit, numbers, pli_index_place(set->index[1][slot]));
    }
}

static bool build_rows(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    const pli_grid_layout *grid = deformable->grid;
    pli_memory *memory = &world->memory;
    if (!grid || !limit->set)
        return true;
    int64_t size = (int64_t)grid->rows * grid->pitch;
    int32_t *numbers = PLI_ALLOCATE(memory, int32_t, deformable->count);
    limit->rows = PLI_ALLOCATE(memory, pli_rows, limit->set->colour_count);
    limit->row_anchors = PLI_ALLOCATE(memory, int32_t, deformable->count);
    bool complete = numbers && limit->rows && limit->row_anchors;
    for (int32_t i = 0; complete && i < deformable->count; i++)
        numbers[i] = -1;
    for (int32_t rank = 0; complete && rank < limit->set->colour_count; rank++) {
        limit->rank_count++;
        limit->rows[rank] = (pli_rows){PLI_ALLOCATE(memory, float, size), PLI_ALLOCATE(memory, int32_t, size)};
        complete = limit->rows[rank].lengths && limit->rows[rank].anchors;
        if (complete)
            fill_row_rank(limit, grid, rank, numbers);
    }
    pli_release(memory, numbers);
    return complete && (limit->row_points = PLI_ALLOCATE(memory, float, 3 * (int64_t)limit->row_anchor_count));
}

static void free_rows(pli_world *world, pli_limit *limit)
{
    for (int32_t rank = 0; rank < limit->rank_count; rank++) {
        pli_release(&world->memory, limit->rows[rank].lengths);
        pli_release(&world->memory, limit->rows[rank].anchors);
    }
    pli_release(&world->memory, limit->rows);
    pli_release(&world->memory, limit->row_anchors);
    pli_release(&world->memory, limit->row_points);
    limit->rows = NULL, limit->row_anchors = NULL, limit->row_points = NULL;
    limit->rank_count = limit->row_anchor_count = 0;
}

// Copies the anchors' positions out of the layout first, so that the kernel reads them while it moves particles.
static void project_rows(pli_world *world, pli_deformable_data *deformable)
{
    const pli_limit *limit = deformable->limit;
    const pli_grid_layout *grid = deformable->grid;
    int32_t count = limit->row_anchor_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t at = pli_grid_at(grid, limit->row_anchors[i]);
        limit->row_points[i] = grid->at.x[at];
        limit->row_points[count + i] = grid->at.y[at];
        limit->row_points[2 * count + i] = grid->at.z[at];
    }
    for (int32_t rank = 0; rank < limit->rank_count; rank++) {
        pli_grid_tethers tethers = {grid,
                                    limit->rows[rank].lengths,
                                    limit->rows[rank].anchors,
                                    limit->row_points,
                                    limit->row_points + count,
                                    limit->row_points + 2 * count,
                                    deformable->def.stretch_limit.slack};
        pli_grid_run(world, grid, world->kernels->grid->tether, &tethers);
    }
}

/* ---- all tethers --------------------------------------------------------------------------------- */

bool pli_limit_build_tethers(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    const pli_tethers *t = &limit->tethers;
    int32_t total = t->rank_count > 0 ? t->offsets[t->rank_count] : 0, rigid_tethers = 0, acting = 0;
    for (int32_t i = 0; i < total; i++) {
        bool acts = pli_tether_acts(limit, &t->items[i]);
        acting += acts;
        rigid_tethers += acts && is_rigid_tether(limit, &t->items[i]);
    }
    memcpy(limit->filled, limit->found, (size_t)deformable->count * sizeof *limit->filled);
    return (rigid_tethers == 0 || build_rigid_tethers(world, deformable, rigid_tethers)) &&
           (acting == rigid_tethers || build_set(world, deformable, acting - rigid_tethers)) &&
           build_rows(world, deformable);
}

void pli_limit_free_set(pli_world *world, pli_limit *limit)
{
    free_rows(world, limit);
    if (limit->set)
        pli_constraint_set_release(world, limit->set);
    pli_release(&world->memory, limit->rigid_tethers);
    limit->set = NULL, limit->rigid_tethers = NULL, limit->rigid_tether_count = 0;
}

void pli_limit_project_tethers(pli_world *world, pli_deformable_data *deformable, float step, pli_sweep sweep)
{
    pli_limit *limit = deformable->limit;
    if (limit->rows) {
        project_rows(world, deformable);
    } else if (limit->set) {
        limit->set->own[0] = deformable->def.stretch_limit.slack;
        pli_projection projection = pli_constraint_set_projection(world, limit->set, step, sweep);
        pli_constraint_set_project(world, limit->set, &projection);
    }
}

/* ---- rigid_tethers -------------------------------------------------------------------------------------- */

static pli_vec3 point_of(const pli_deformable_data *deformable, const pli_rigid_tether_end *e)
{
    if (e->attachment)
        return pli_transform_point(pli_rigid_frame(e->attachment->rigid, &e->attachment->rigid->now.pose),
                                   e->attachment->locals[e->at]);
    const pli_particle *p = &deformable->particles[e->at];
    return (pli_vec3){p->x, p->y, p->z};
}

static float inverse_mass_of(const pli_deformable_data *deformable, const pli_rigid_tether_end *e, pli_vec3 point,
                             pli_vec3 direction)
{
    return e->attachment ? pli_rigid_inverse_mass(e->attachment->rigid, point, direction)
                         : deformable->particles[e->at].w;
}

static void apply_impulse(pli_deformable_data *deformable, const pli_rigid_tether_end *e, pli_vec3 point, pli_vec3 by)
{
    if (e->attachment) {
        pli_rigid_push(e->attachment->rigid, point, by);
        return;
    }
    pli_particle *p = &deformable->particles[e->at];
    p->x += p->w * by.x, p->y += p->w * by.y, p->z += p->w * by.z;
}

// Moves both ends together by their inverse masses until the tether is no longer than its length times slack.
static void project_rigid_tether(pli_deformable_data *deformable, const pli_rigid_tether *tether, float slack)
{
    pli_vec3 a = point_of(deformable, &tether->ends[0]), b = point_of(deformable, &tether->ends[1]),
             away = pli_sub(b, a);
    float length = pli_length(away), beyond = length - slack * tether->length;
    if (!(beyond > 0.0f))
        return;
    pli_vec3 direction = pli_scale(away, 1.0f / length);
    float weight_sum = inverse_mass_of(deformable, &tether->ends[0], a, direction) +
                       inverse_mass_of(deformable, &tether->ends[1], b, direction);
    if (!(weight_sum > 0.0f))
        return;
    apply_impulse(deformable, &tether->ends[0], a, pli_scale(direction, beyond / weight_sum));
    apply_impulse(deformable, &tether->ends[1], b, pli_scale(direction, -beyond / weight_sum));
}

void pli_world_pull_rigids(pli_world *world)
{
    for (int32_t b = 0; b < world->deformables.count; b++) {
        pli_deformable_data *deformable = pli_deformable_at(world, b);
        if (deformable->idle || !deformable->limit)
            continue;
        if (deformable->limit->tension)
            pli_tension_pull_rigids(world, deformable, deformable->limit->tension);
        for (int32_t i = 0; i < deformable->limit->rigid_tether_count; i++)
            project_rigid_tether(deformable, &deformable->limit->rigid_tethers[i], deformable->def.stretch_limit.slack);
    }
}
