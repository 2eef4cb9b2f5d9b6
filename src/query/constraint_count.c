// Counts the constraints that each type would have for given stencils, without a set or a world. The count runs block
// by block, which loads the rest shape once for all types, and part by part. Threads count a range of each part.
#include "base/pieces.h"
#include "base/tasks.h"
#include "constraints/registry.h"
#include "mesh/generators/generator_table.h"
#include "mesh/mesh.h"
#include "sweep/constraint_slots.h"
#include "sweep/rest_values.h"
#include "sweep/sweep.h"

// Maximum number of particles in a block with several stencils: their positions and normals stay in the fastest cache.
enum { COUNT_BLOCK = 512, MOST_THREADS = 64 };

// Memory of a thread for one block, and its counts.
typedef struct count_worker {
    double (*positions)[3], (*normals)[3]; // [capacity] positions and normals of a block.
    float *values;                         // [value_capacity] rest values of one stencil.
    int32_t *degenerate;                   // [type_count] number of stencils without rest values.
    int32_t capacity, normal_capacity, value_capacity;
} count_worker;

// Memory and tables serve all stencils of one mesh.
typedef struct counting {
    pli_memory memory;
    pli_rest_shape shape;
    pli_constraints_data *sets; // [type_count] with the initial parameters of each type, in no world.
    int32_t type_count, worker_count;
    count_worker *workers; // [worker_count] each one counts a range of stencils.
    pli_tasks *tasks;
    const pli_stencils *stencils; // The stencils that the workers are counting.
} counting;

static void set_up_plain(pli_constraints_data *set, const pli_constraint_type *type)
{
    set->type = type;
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT + type->parameter_count; i++)
        set->parameters[i] = pli_parameter_of_slot(type, i)->initial;
    pli_constraints_update_parameters(set);
}

static bool count_start(counting *c, const pli_mesh *mesh, const pli_constraint_type *const *types, int32_t type_count,
                        int32_t thread_count)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_task_hooks none = {NULL, NULL};
    bool wants_normals = false;
    *c = (counting){.memory = pli_memory_make(&mesh->memory.hooks),
                    .shape.positions = topology->positions,
                    .type_count = type_count,
                    .worker_count = thread_count};
    c->sets = PLI_ALLOCATE(&c->memory, pli_constraints_data, type_count);
    c->workers = PLI_ALLOCATE(&c->memory, count_worker, thread_count);
    c->tasks = pli_tasks_create(&c->memory, thread_count, &none);
    bool complete = c->sets && c->workers && c->tasks;
    for (int32_t i = 0; complete && i < thread_count; i++) {
        c->workers[i].degenerate = PLI_ALLOCATE(&c->memory, int32_t, type_count);
        complete = c->workers[i].degenerate != NULL;
    }
    for (int32_t i = 0; complete && i < type_count; i++) {
        set_up_plain(&c->sets[i], types[i]);
        wants_normals = wants_normals || types[i]->needs_normals;
    }
    return complete && (!wants_normals || pli_rest_normals_make(&c->memory, topology, &c->shape));
}

static void count_finish(counting *c)
{
    for (int32_t i = 0; c->workers && i < c->worker_count; i++) {
        pli_release(&c->memory, c->workers[i].positions);
        pli_release(&c->memory, c->workers[i].normals);
        pli_release(&c->memory, c->workers[i].values);
        pli_release(&c->memory, c->workers[i].degenerate);
    }
    pli_tasks_destroy(&c->memory, c->tasks);
    pli_rest_shape_release(&c->memory, &c->shape);
    pli_release(&c->memory, c->sets);
    pli_release(&c->memory, c->workers);
}

// Allocates memory for blocks of the stencils.
static bool count_reserve(counting *c, const pli_stencils *s)
{
    int32_t largest = COUNT_BLOCK, values = 0;
    bool complete = true;
    for (int32_t i = 0; i < s->count && (s->offsets || i == 0); i++)
        largest = pli_stencil_size(s, i) > largest ? pli_stencil_size(s, i) : largest;
    for (int32_t i = 0; i < c->type_count; i++)
        values = pli_rest_count(c->sets[i].type, largest) > values ? pli_rest_count(c->sets[i].type, largest) : values;
    for (int32_t i = 0; complete && i < c->worker_count; i++) {
        count_worker *w = &c->workers[i];
        complete = pli_reserve_unset(&c->memory, &w->positions, &w->capacity, largest, sizeof *w->positions) &&
                   pli_reserve_unset(&c->memory, &w->values, &w->value_capacity, values, sizeof *w->values) &&
                   (!c->shape.normals ||
                    pli_reserve_unset(&c->memory, &w->normals, &w->normal_capacity, largest, sizeof *w->normals));
    }
    return complete;
}

// Loads the stencils from `begin` that fit into a block, and returns the end of their range.
static int32_t load_block(const counting *c, const count_worker *w, int32_t begin, int32_t end)
{
    const pli_stencils *s = c->stencils;
    int32_t i = begin, filled = 0;
    for (; i < end && (i == begin || filled + pli_stencil_size(s, i) <= COUNT_BLOCK); i++) {
        const int32_t *particles = pli_stencil_particles(s, i);
        for (int32_t k = 0; k < pli_stencil_size(s, i); k++, filled++)
            pli_rest_load(&c->shape, particles[k], w->positions[filled], c->shape.normals ? w->normals[filled] : NULL);
    }
    return i;
}

// Counts the stencils of a block that have no rest values.
static int32_t count_block(const counting *c, const count_worker *w, const pli_constraints_data *set, int32_t begin,
                           int32_t end)
{
    const pli_stencils *s = c->stencils;
    int32_t degenerate = 0;
    for (int32_t i = begin, at = 0; i < end; at += pli_stencil_size(s, i++)) {
        pli_stencil view = pli_rest_view(set, (const double(*)[3])w->positions + at,
                                         c->shape.normals ? (const double(*)[3])w->normals + at : NULL,
                                         pli_stencil_size(s, i));
        float scale;
        view.area = s->areas ? s->areas[i] : 0.0;
        view.triangles = s->triangles ? s->triangles + 3 * s->triangle_offsets[i] : NULL;
        view.triangle_count = pli_stencil_triangles(s, i);
        degenerate += !pli_rest_find(set->type, &view, w->values, &scale);
    }
    return degenerate;
}

static void count_range(void *data, int32_t index)
{
    const counting *c = data;
    count_worker *w = &c->workers[index];
    const int64_t count = c->stencils->count;
    const int32_t last = (int32_t)(count * (index + 1) / c->worker_count);
    for (int32_t i = 0; i < c->type_count; i++)
        w->degenerate[i] = 0;
    for (int32_t begin = (int32_t)(count * index / c->worker_count), end; begin < last; begin = end) {
        end = load_block(c, w, begin, last);
        for (int32_t i = 0; i < c->type_count; i++)
            w->degenerate[i] += count_block(c, w, &c->sets[i], begin, end);
    }
}

// Adds the stencils to the counts. Stencils that the generator rejected count as degenerate, like stencils without rest values.
static bool count_stencils(counting *c, const pli_stencils *s, pli_constraint_count *counts)
{
    if (!count_reserve(c, s))
        return false;
    c->stencils = s;
    pli_tasks_run(c->tasks, c->worker_count, count_range, c);
    for (int32_t i = 0; i < c->type_count; i++) {
        int32_t degenerate = 0;
        for (int32_t k = 0; k < c->worker_count; k++)
            degenerate += c->workers[k].degenerate[i];
        counts[i].made += s->count - degenerate;
        counts[i].degenerate += s->degenerate_count + degenerate;
        counts[i].duplicate += s->duplicate_count;
    }
    return true;
}

pli_status pli_stencils_count_degenerate(const pli_mesh *mesh, const pli_constraint_type *type,
                                         const pli_stencils *stencils, int32_t *degenerate, pli_error *error)
{
    counting c;
    pli_constraint_count count = {0};
    const bool complete = count_start(&c, mesh, &type, 1, 1) && count_stencils(&c, stencils, &count);
    *degenerate = complete ? count.degenerate - stencils->degenerate_count : 0;
    count_finish(&c);
    return complete ? pli_succeed(error) : pli_fail_memory(error);
}

static pli_status count_part(counting *c, const pli_mesh *mesh, const pli_generator *generator, pli_stencils *stencils,
                             pli_constraint_count *counts, pli_error *error)
{
    pli_status status = generator->generate(mesh, stencils, error);
    if (status == PLI_STATUS_OK && !count_stencils(c, stencils, counts))
        status = pli_fail_memory(error);
    return status;
}

static pli_status count_parts(counting *c, const pli_mesh *mesh, const pli_generator *generator,
                              pli_constraint_count *counts, pli_error *error)
{
    pli_status status = pli_succeed(error);
    int32_t part = 1, part_count = 1;
    pli_tasks_wake(c->tasks);
    for (; status == PLI_STATUS_OK && part <= part_count; part++) {
        pli_stencils stencils = {.hooks = mesh->memory.hooks, .tasks = pli_tasks_hooks(c->tasks), .part = part};
        status = count_part(c, mesh, generator, &stencils, counts, error);
        part_count = stencils.part_count;
        pli_stencils_release(&stencils);
    }
    pli_tasks_sleep(c->tasks);
    return status;
}

pli_status pli_generator_count_constraints(const pli_mesh *mesh, const char *name,
                                           const pli_constraint_type *const *types, int32_t type_count,
                                           int32_t thread_count, pli_constraint_count *counts, pli_error *error)
{
    const pli_generator *generator = pli_generator_find(name);
    if (!generator)
        return pli_generator_not_found(name ? name : "", error);
    if (thread_count < 1 || thread_count > MOST_THREADS)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%d threads; give 1 to %d", (int)thread_count,
                        MOST_THREADS);
    for (int32_t i = 0; i < type_count; i++)
        counts[i] = (pli_constraint_count){0};
    counting c;
    pli_status status = count_start(&c, mesh, types, type_count, thread_count)
                            ? count_parts(&c, mesh, generator, counts, error)
                            : pli_fail_memory(error);
    count_finish(&c);
    return status;
}
