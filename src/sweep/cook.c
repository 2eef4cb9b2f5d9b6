// Cooks a constraint set: turns stencils into the arrays that kernels read, with colours, slots, rest values and
// padding.
//
//   stencils (vertices) --> internal indices --> runs, or colours --> slots --> rest values --> padding
//
// Types of fixed cardinality are stored as a structure of arrays, colour by colour, each colour padded to a multiple of
// PLI_BATCH slots with constraints on the dummy particle (sweep/constraint_slots.h). Types of variable cardinality
// are stored one after the other.
//
// Stencils are assumed to be valid, and rest values are measured directly into their slots. If one is degenerate, it is removed with all
// other degenerate ones, and the rest is cooked again.
#include "sweep/cook.h"

#include "sweep/grid/grid_layout.h"
#include "sweep/grid/grid_runs.h"
#include "model/parallel.h"
#include "model/user_types.h"
#include "sweep/colouring.h"
#include "sweep/constraint_slots.h"
#include "sweep/contiguous_batches.h"
#include "sweep/rest_values.h"

#include <string.h>

// Constraints of a parallel piece, and the largest stencil that is measured on the stack.
enum { FILL_GRAIN = 4096, SMALL_STENCIL = 64 };

typedef struct cooking {
    pli_world *world;
    pli_constraints_data *set;
    pli_stencils *stencils; // Vertices of the constraints, replaced by internal indices.
    const int32_t *rows;    // Internal indices of the stencils in the order of their visits.
    const double *areas;    // Areas of the stencils in that order [m2], or NULL.
    int32_t *visits;        // Stencil of each visit; NULL if they are visited in their own order.
    int32_t *own_rows;
    double *own_areas;
    pli_rest_shape shape;
    pli_schedule schedule;
    int32_t reversible_pairs;
    uint8_t *degenerate;  // [stencils] 1 for a stencil without rest values.
    uint32_t *zero_rest;  // [chunks] bit j is set when rest value j is 0 throughout the chunk.
    double (*scratch)[3]; // Positions and normals of the largest stencil.
} cooking;

static pli_memory *memory_of(const cooking *c) { return &c->world->memory; }

static int32_t largest_stencil(const pli_stencils *s)
{
    int32_t largest = s->cardinality;
    for (int32_t i = 0; s->offsets && i < s->count; i++)
        largest = pli_stencil_size(s, i) > largest ? pli_stencil_size(s, i) : largest;
    return largest;
}

static void to_internal(void *data, int32_t begin, int32_t end)
{
    const cooking *c = data;
    const int32_t *order = c->set->deformable->order;
    for (int32_t i = begin; i < end; i++)
        c->stencils->particles[i] = order[c->stencils->particles[i]];
}

// Reverses stencils whose first particle has the higher index. Line order shuffles vertices, and stencils of one direction must have the
// same orientation to form contiguous batches.
static void orient_stencils(void *data, int32_t begin, int32_t end)
{
    const cooking *c = data;
    int32_t n = c->stencils->cardinality, pairs = c->reversible_pairs;
    for (int32_t i = begin; i < end; i++) {
        int32_t *particles = c->stencils->particles + (size_t)i * (size_t)n;
        for (int32_t k = 2 * pairs - 2; k >= 0 && particles[0] > particles[1]; k -= 2) {
            int32_t kept = particles[k];
            particles[k] = particles[k + 1], particles[k + 1] = kept;
        }
    }
}

static void orient_all(cooking *c)
{
    const pli_deformable_data *deformable = c->set->deformable;
    const pli_generator *generator = pli_world_find_generator(c->world, c->set->generator);
    bool may_turn = generator && deformable->order && !deformable->grid &&
                    c->stencils->count >= PLI_CONTIGUOUS_BATCHES_LEAST;
    c->reversible_pairs = may_turn ? generator->reversible_pairs : 0;
    if (c->reversible_pairs > 0)
        pli_parallel(c->world, c->stencils->count, FILL_GRAIN, orient_stencils, c);
}

static int64_t particle_total(const pli_stencils *s)
{
    return s->offsets ? s->offsets[s->count] : (int64_t)s->count * s->cardinality;
}

// Copies the stencils into the order of their visits.
static void cook_copy_rows(void *data, int32_t begin, int32_t end)
{
    const cooking *c = data;
    int32_t n = c->stencils->cardinality;
    for (int32_t v = begin; v < end; v++) {
        memcpy(c->own_rows + (size_t)v * (size_t)n, c->stencils->particles + (size_t)c->visits[v] * (size_t)n,
               (size_t)n * sizeof *c->own_rows);
        if (c->own_areas)
            c->own_areas[v] = c->stencils->areas[c->visits[v]];
    }
}

// Sorts the stencils along memory, so that all later passes access memory locally.
static bool sort_rows(cooking *c)
{
    const pli_stencils *s = c->stencils;
    c->visits = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, s->count);
    if (!c->visits || !pli_schedule_visits(memory_of(c), s->particles, s->offsets, s->cardinality, s->count,
                                           c->set->deformable->count, c->visits))
        return false;
    if (s->offsets)
        return true;
    c->own_rows = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, (int64_t)s->count * s->cardinality);
    c->own_areas = s->areas ? PLI_ALLOCATE_UNSET(memory_of(c), double, s->count) : NULL;
    if (!c->own_rows || (s->areas && !c->own_areas))
        return false;
    pli_parallel(c->world, s->count, FILL_GRAIN, cook_copy_rows, c);
    c->rows = c->own_rows, c->areas = c->own_areas;
    return true;
}

static void release_rows(cooking *c)
{
    pli_release(memory_of(c), c->visits);
    pli_release(memory_of(c), c->own_rows);
    pli_release(memory_of(c), c->own_areas);
    c->visits = c->own_rows = NULL, c->own_areas = NULL;
}

// Finds a set with runs that has all constraints that the same generator made of the same mesh, so that its runs can be copied.
static const pli_constraints_data *find_sibling(const cooking *c)
{
    for (int32_t i = 0; i < c->world->sets.count; i++) {
        const pli_constraints_data *set = pli_constraints_data_at(c->world, i);
        if (set->runs && set->whole && set->deformable == c->set->deformable && set->generator == c->set->generator &&
            set->count == c->stencils->count)
            return set;
    }
    return NULL;
}

static bool make_runs(cooking *c)
{
    const pli_constraints_data *sibling = c->set->whole && pli_runs_may(c->set) ? find_sibling(c) : NULL;
    return sibling ? pli_runs_copy(c->world, c->set, sibling)
                   : pli_runs_plan(c->world, c->set, c->rows, c->stencils->count);
}

// A single colour of all constraints, for sequential order and for sets with runs.
static bool make_one_colour(cooking *c)
{
    c->schedule.colour_offsets = PLI_ALLOCATE(memory_of(c), int32_t, 2);
    if (!c->schedule.colour_offsets)
        return false;
    c->schedule.colour_count = 1;
    c->schedule.colour_offsets[1] = c->stencils->count;
    return true;
}

// Schedules the constraints: as runs where the mesh is a grid and they repeat, else by colour, or in order of creation
// in a sequential world.
static bool schedule(cooking *c)
{
    const pli_stencils *s = c->stencils;
    c->rows = s->particles, c->areas = s->areas;
    c->schedule.overflow = -1;
    if (!make_runs(c))
        return false;
    if (c->set->runs)
        return make_one_colour(c);
    if (c->world->order == PLI_ORDER_COLOURED)
        return sort_rows(c) &&
               pli_schedule_colour(memory_of(c), c->rows, s->offsets, s->cardinality, s->offsets ? c->visits : NULL,
                                   s->count, c->set->deformable->count, &c->schedule);
    c->schedule.order = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, s->count);
    for (int32_t i = 0; i < s->count && c->schedule.order; i++)
        c->schedule.order[i] = i;
    return c->schedule.order && make_one_colour(c);
}

// Assigns slots to the colours, each padded to a multiple of `pad`.
static bool place_slots(cooking *c)
{
    pli_constraints_data *set = c->set;
    bool batches = c->world->order == PLI_ORDER_COLOURED && set->type->cardinality > 0 && !set->runs;
    int32_t pad = batches ? PLI_BATCH : 1;
    set->pad = pad;
    set->count = c->stencils->count;
    set->overflow = c->schedule.overflow;
    set->colour_offsets = PLI_ALLOCATE(memory_of(c), int32_t, (int64_t)c->schedule.colour_count + 1);
    set->colour_sizes = PLI_ALLOCATE(memory_of(c), int32_t, c->schedule.colour_count);
    if (c->world->order == PLI_ORDER_COLOURED && !set->runs)
        set->slot_of = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, set->count);
    if (!set->colour_offsets || !set->colour_sizes || (c->world->order == PLI_ORDER_COLOURED && !set->slot_of))
        return false;
    set->colour_count = c->schedule.colour_count;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t size = c->schedule.colour_offsets[colour + 1] - c->schedule.colour_offsets[colour];
        set->colour_sizes[colour] = size;
        set->colour_offsets[colour + 1] = set->colour_offsets[colour] + (size + pad - 1) / pad * pad;
    }
    set->slot_count = set->colour_offsets[set->colour_count];
    return true;
}

// Values are filled in later, except for zeros after the last slot: kernels for runs load full registers.
static bool allocate_floats(const cooking *c, float **array)
{
    size_t count = (size_t)c->set->slot_count, behind = c->set->runs ? PLI_BATCH : 0;
    *array = PLI_ALLOCATE_UNSET(memory_of(c), float, count + behind);
    if (*array)
        memset(*array + count, 0, behind * sizeof **array);
    return *array != NULL;
}

static bool cook_allocate_slots(cooking *c)
{
    pli_constraints_data *set = c->set;
    bool complete = true;
    for (int32_t k = 0; k < set->type->cardinality && !set->runs; k++)
        complete = (set->index[k] = PLI_ALLOCATE_UNSET(memory_of(c), pli_index, set->slot_count)) && complete;
    for (int32_t j = 0; j < set->type->rest_count && set->type->cardinality > 0; j++)
        complete = allocate_floats(c, &set->rest[j]) && complete;
    if (set->type->compliance_scale)
        complete = allocate_floats(c, &set->compliance_scale) && complete;
    if (set->type->needs_normals)
        complete = allocate_floats(c, &set->state) && allocate_floats(c, &set->good_state) && complete;
    return complete;
}

// Scratch in which the rest values of a piece of constraints are measured, one constraint after the other.
typedef struct cook_measuring {
    pli_stencil view;
    double positions[PLI_CARDINALITY_MAX][3], normals[PLI_CARDINALITY_MAX][3];
} cook_measuring;

static void init_measuring(const cooking *c, cook_measuring *m)
{
    const double(*normals)[3] = c->shape.normals ? (const double(*)[3])m->normals : NULL;
    m->view = pli_rest_view(c->set, (const double(*)[3])m->positions, normals, c->set->type->cardinality);
}

// Measures and stores the constraint of visit v; returns a bit for each rest value that is 0.
static uint32_t fill_slot(const cooking *c, cook_measuring *m, int32_t slot, int32_t v)
{
    pli_constraints_data *set = c->set;
    float values[PLI_REST_MAX], scale = 0.0f;
    uint32_t zero = 0;
    int32_t n = set->type->cardinality, stencil = c->visits ? c->visits[v] : v;
    const int32_t *places = c->rows + (size_t)v * (size_t)n;
    for (int32_t k = 0; k < n; k++)
        pli_rest_load(&c->shape, places[k], m->positions[k], m->normals[k]);
    m->view.area = c->areas ? c->areas[v] : 0.0;
    if (!pli_rest_find(set->type, &m->view, values, &scale))
        c->degenerate[stencil] = 1;
    for (int32_t k = 0; k < n && !set->runs; k++)
        set->index[k][slot] = pli_index_of(places[k]);
    for (int32_t j = 0; j < set->type->rest_count; j++) {
        set->rest[j][slot] = values[j];
        zero |= (uint32_t)(values[j] == 0.0f) << j;
    }
    if (set->compliance_scale)
        set->compliance_scale[slot] = scale;
    if (set->state)
        set->state[slot] = values[0] < 0.0f ? -1.0f : 1.0f;
    if (set->slot_of)
        set->slot_of[stencil] = slot;
    return zero;
}

// Fills the constraints begin..end-1 in the order of the schedule, or in order of creation where the set has runs.
static void fill_fixed(void *data, int32_t begin, int32_t end)
{
    const cooking *c = data;
    const int32_t *offsets = c->schedule.colour_offsets;
    cook_measuring m;
    int32_t colour = 0;
    uint32_t zero = UINT32_MAX;
    init_measuring(c, &m);
    for (int32_t i = begin; i < end && c->set->runs; i++)
        zero &= fill_slot(c, &m, c->set->slot_of[i], i);
    for (int32_t i = begin; i < end && !c->set->runs; i++) {
        while (i >= offsets[colour + 1])
            colour++;
        zero &= fill_slot(c, &m, c->set->colour_offsets[colour] + i - offsets[colour], c->schedule.order[i]);
    }
    c->zero_rest[begin / FILL_GRAIN] = zero;
}

static bool allocate_variable(cooking *c)
{
    pli_constraints_data *set = c->set;
    const pli_stencils *s = c->stencils;
    int64_t triangles = s->triangle_offsets ? s->triangle_offsets[s->count] : 0, values = 0;
    for (int32_t i = 0; i < s->count; i++)
        values += pli_rest_count(set->type, pli_stencil_size(s, i));
    set->member_spans = PLI_ALLOCATE_UNSET(memory_of(c), pli_span, set->count);
    set->members = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, s->offsets[s->count]);
    set->rest_spans = PLI_ALLOCATE_UNSET(memory_of(c), pli_span, set->count);
    set->variable_rest = PLI_ALLOCATE_UNSET(memory_of(c), float, values);
    set->triangle_spans = PLI_ALLOCATE_UNSET(memory_of(c), pli_span, set->count);
    set->triangles = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, 3 * triangles);
    set->local_triangles = PLI_ALLOCATE_UNSET(memory_of(c), int32_t, 3 * triangles);
    if (!set->deformable->scratch)
        set->deformable->scratch = PLI_ALLOCATE(memory_of(c), double, 3 * (int64_t)set->deformable->capacity);
    return set->member_spans && set->members && set->rest_spans && set->variable_rest && set->triangle_spans &&
           set->triangles && set->local_triangles && set->deformable->scratch && values <= INT32_MAX;
}

// Spans of the members, rest values and triangles of each constraint.
static void place_variable(const cooking *c)
{
    pli_constraints_data *set = c->set;
    pli_span member = {0, 0}, rest = {0, 0}, triangle = {0, 0};
    for (int32_t slot = 0; slot < set->count; slot++) {
        int32_t stencil = c->schedule.order[slot], size = pli_stencil_size(c->stencils, stencil);
        member.end += size;
        rest.end += pli_rest_count(set->type, size);
        triangle.end += pli_stencil_triangles(c->stencils, stencil);
        set->member_spans[slot] = member, set->rest_spans[slot] = rest, set->triangle_spans[slot] = triangle;
        member.begin = member.end, rest.begin = rest.end, triangle.begin = triangle.end;
    }
}

static void fill_constraint(const cooking *c, int32_t slot)
{
    pli_constraints_data *set = c->set;
    int32_t stencil = c->schedule.order[slot];
    pli_span member = set->member_spans[slot], triangle = set->triangle_spans[slot];
    float scale = 0.0f;
    double positions[SMALL_STENCIL][3], normals[SMALL_STENCIL][3];
    const int32_t *places = pli_stencil_particles(c->stencils, stencil);
    int32_t n = member.end - member.begin;
    double(*at)[3] = n <= SMALL_STENCIL ? positions : c->scratch,
    (*along)[3] = n <= SMALL_STENCIL ? normals : c->scratch + n;
    pli_stencil view = pli_rest_view(set, (const double(*)[3])at, c->shape.normals ? (const double(*)[3])along : NULL,
                                     n);
    for (int32_t k = 0; k < n; k++)
        pli_rest_load(&c->shape, places[k], at[k], along[k]);
    view.area = c->areas ? c->areas[stencil] : 0.0;
    view.triangles = c->stencils->triangles ? c->stencils->triangles + 3 * c->stencils->triangle_offsets[stencil]
                                            : NULL;
    view.triangle_count = triangle.end - triangle.begin;
    if (!pli_rest_find(set->type, &view, set->variable_rest + set->rest_spans[slot].begin, &scale))
        c->degenerate[stencil] = 1;
    memcpy(set->members + member.begin, places, (size_t)n * sizeof *places);
    for (int32_t t = 0; t < 3 * (triangle.end - triangle.begin); t++) {
        int32_t local = c->stencils->triangles[3 * c->stencils->triangle_offsets[stencil] + t];
        set->local_triangles[3 * triangle.begin + t] = local;
        set->triangles[3 * triangle.begin + t] = places[local];
    }
    if (set->compliance_scale)
        set->compliance_scale[slot] = scale;
    if (set->slot_of)
        set->slot_of[stencil] = slot;
}

static void fill_variable(void *data, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot++)
        fill_constraint(data, slot);
}

static bool cook_fill(cooking *c)
{
    pli_constraints_data *set = c->set;
    if (set->type->cardinality == 0) {
        if (!allocate_variable(c))
            return false;
        place_variable(c);
        // Large stencils share the scratch, so they are measured in one piece.
        pli_parallel(c->world, set->count, set->largest > SMALL_STENCIL ? INT32_MAX : FILL_GRAIN, fill_variable, c);
        return true;
    }
    pli_parallel(c->world, set->count, FILL_GRAIN, fill_fixed, c);
    pli_constraints_fill_padding(set);
    set->zero_rest = set->count > 0 ? UINT32_MAX : 0;
    for (int32_t chunk = 0; chunk * FILL_GRAIN < set->count; chunk++)
        set->zero_rest &= c->zero_rest[chunk];
    return true;
}

// Removes the degenerate stencils from the list; returns their number.
static int32_t drop_degenerate(cooking *c)
{
    pli_stencils *s = c->stencils;
    int32_t kept = 0, particles = 0, triangles = 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (c->degenerate[i])
            continue;
        int32_t n = pli_stencil_size(s, i), t = pli_stencil_triangles(s, i);
        memmove(s->particles + particles, pli_stencil_particles(s, i), (size_t)n * sizeof *s->particles);
        if (s->triangles)
            memmove(s->triangles + 3 * triangles, s->triangles + 3 * s->triangle_offsets[i],
                    3 * (size_t)t * sizeof(int32_t));
        if (s->areas)
            s->areas[kept] = s->areas[i];
        particles += n, triangles += t;
        c->degenerate[kept++] = 0;
        // The offsets written here never pass those that are still to be read, i + 1 and up.
        if (s->offsets)
            s->offsets[kept - 1] = particles - n;
        if (s->triangle_offsets)
            s->triangle_offsets[kept - 1] = triangles - t;
    }
    int32_t dropped = s->count - kept;
    if (s->offsets)
        s->offsets[kept] = particles;
    if (s->triangle_offsets)
        s->triangle_offsets[kept] = triangles;
    s->count = kept;
    s->degenerate_count += dropped;
    return dropped;
}

static bool build_arrays(cooking *c) { return schedule(c) && place_slots(c) && cook_allocate_slots(c) && cook_fill(c); }

static bool cook(cooking *c)
{
    pli_constraints_data *set = c->set;
    pli_stencils *s = c->stencils;
    if (particle_total(s) > INT32_MAX)
        return false;
    set->largest = largest_stencil(s);
    set->whole = set->generator != NULL;
    if (set->deformable->order)
        pli_parallel(c->world, (int32_t)particle_total(s), FILL_GRAIN, to_internal, c);
    orient_all(c);
    c->degenerate = PLI_ALLOCATE(memory_of(c), uint8_t, s->count);
    c->zero_rest = PLI_ALLOCATE(memory_of(c), uint32_t, s->count / FILL_GRAIN + 1);
    c->scratch = pli_allocate(memory_of(c), 2 * (size_t)set->largest, sizeof *c->scratch);
    // 15 doubles for each particle: position, normal and up to 3 gradients.
    set->evaluation = PLI_ALLOCATE(memory_of(c), double, 15 * (int64_t)set->largest);
    if (!c->degenerate || !c->zero_rest || !c->scratch || !set->evaluation ||
        !pli_rest_shape_load(c->world, set, &c->shape) || !build_arrays(c))
        return false;
    if (memchr(c->degenerate, 1, (size_t)s->count)) {
        pli_constraints_release_slots(c->world, set);
        pli_schedule_release(memory_of(c), &c->schedule);
        release_rows(c);
        drop_degenerate(c);
        set->whole = false;
        if (!build_arrays(c))
            return false;
    }
    set->degenerate_count = s->degenerate_count;
    return pli_contiguous_batches_mark(c->world, set);
}

pli_status pli_constraints_cook(pli_world *world, pli_constraints_data *set, pli_stencils *stencils, pli_error *error)
{
    cooking c = {.world = world, .set = set, .stencils = stencils};
    size_t before = world->memory.bytes;
    pli_tasks_wake(world->tasks);
    bool complete = cook(&c);
    pli_tasks_sleep(world->tasks);
    pli_release(&world->memory, c.degenerate);
    pli_release(&world->memory, c.zero_rest);
    pli_release(&world->memory, c.scratch);
    release_rows(&c);
    pli_schedule_release(&world->memory, &c.schedule);
    pli_rest_shape_release(&world->memory, &c.shape);
    set->memory = world->memory.bytes - before;
    return complete ? pli_succeed(error) : pli_fail_memory(error);
}
