// Counts the constraints that types would have of stencils, without a set or a world: block by block, so that the rest shape is
// loaded once for all types, and generator by generator part by part.
#include "constraints/registry.h"
#include "generators/generator_table.h"
#include "mesh/mesh.h"
#include "schedule/constraint_slots.h"
#include "schedule/rest_values.h"
#include "schedule/sweep.h"

// Particles of a block, unless its only stencil has more: their positions and normals stay in the fastest cache.
enum { BLOCK = 512 };

// Memory and tables serve all stencils of one mesh.
typedef struct counting {
    pli_memory memory;
    pli_rest_shape shape;
    pli_constraint_set_data *sets;         // [type_count] with the initial parameters of each type, in no world.
    double (*positions)[3], (*normals)[3]; // [capacity] those of a block.
    float *values;                         // [value_capacity] rest values of one stencil.
    int32_t type_count, capacity, normal_capacity, value_capacity;
} counting;

static void set_up_plain(pli_constraint_set_data *set, const pli_constraint_type *type)
{
    set->type = type;
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT + type->parameter_count; i++)
        set->parameters[i] = pli_parameter_of_slot(type, i)->initial;
    pli_constraint_set_update_parameters(set);
}

static bool start(counting *c, const pli_mesh *mesh, const pli_constraint_type *const *types, int32_t type_count)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    bool wants_normals = false;
    *c = (counting){.memory = pli_memory_make(&mesh->memory.hooks),
                    .shape.positions = topology->positions,
                    .type_count = type_count};
    c->sets = PLI_ALLOCATE(&c->memory, pli_constraint_set_data, type_count);
    for (int32_t i = 0; c->sets && i < type_count; i++) {
        set_up_plain(&c->sets[i], types[i]);
        wants_normals = wants_normals || types[i]->needs_normals;
    }
    return c->sets && (!wants_normals || pli_rest_normals_make(&c->memory, topology, &c->shape));
}

static void finish(counting *c)
{
    pli_rest_shape_release(&c->memory, &c->shape);
    pli_release(&c->memory, c->sets);
    pli_release(&c->memory, c->positions);
    pli_release(&c->memory, c->normals);
    pli_release(&c->memory, c->values);
}

// Makes room for blocks of the stencils.
static bool reserve(counting *c, const pli_stencils *s)
{
    int32_t largest = BLOCK, values = 0;
    for (int32_t i = 0; i < s->count && (s->offsets || i == 0); i++)
        largest = pli_stencil_size(s, i) > largest ? pli_stencil_size(s, i) : largest;
    for (int32_t i = 0; i < c->type_count; i++)
        values = pli_rest_count(c->sets[i].type, largest) > values ? pli_rest_count(c->sets[i].type, largest) : values;
    return pli_reserve_unset(&c->memory, &c->positions, &c->capacity, largest, sizeof *c->positions) &&
           pli_reserve_unset(&c->memory, &c->values, &c->value_capacity, values, sizeof *c->values) &&
           (!c->shape.normals ||
            pli_reserve_unset(&c->memory, &c->normals, &c->normal_capacity, largest, sizeof *c->normals));
}

// Loads the stencils from `begin` on that fit into a block, and returns the end of them.
static int32_t load_block(const counting *c, const pli_stencils *s, int32_t begin)
{
    int32_t end = begin, filled = 0;
    for (; end < s->count && (end == begin || filled + pli_stencil_size(s, end) <= BLOCK); end++) {
        const int32_t *particles = pli_stencil_particles(s, end);
        for (int32_t k = 0; k < pli_stencil_size(s, end); k++, filled++)
            pli_rest_load(&c->shape, particles[k], c->positions[filled], c->shape.normals ? c->normals[filled] : NULL);
    }
    return end;
}

// How many stencils of a block have no rest values.
static int32_t count_block(const counting *c, const pli_constraint_set_data *set, const pli_stencils *s, int32_t begin,
                           int32_t end)
{
    int32_t degenerate = 0;
    for (int32_t i = begin, at = 0; i < end; at += pli_stencil_size(s, i++)) {
        pli_stencil view = pli_rest_view(set, (const double(*)[3])c->positions + at,
                                         c->shape.normals ? (const double(*)[3])c->normals + at : NULL,
                                         pli_stencil_size(s, i));
        float scale;
        view.area = s->areas ? s->areas[i] : 0.0;
        view.triangles = s->triangles ? s->triangles + 3 * s->triangle_offsets[i] : NULL;
        view.triangle_count = pli_stencil_triangles(s, i);
        degenerate += !pli_rest_find(set->type, &view, c->values, &scale);
    }
    return degenerate;
}

// Adds the stencils to the counts. Those that the generator rejected count as degenerate, as those without rest values do.
static bool count_stencils(counting *c, const pli_stencils *s, pli_constraint_count *counts)
{
    if (!reserve(c, s))
        return false;
    for (int32_t i = 0; i < c->type_count; i++) {
        counts[i].made += s->count;
        counts[i].degenerate += s->degenerate_count;
        counts[i].duplicate += s->duplicate_count;
    }
    for (int32_t begin = 0, end; begin < s->count; begin = end) {
        end = load_block(c, s, begin);
        for (int32_t i = 0; i < c->type_count; i++) {
            const int32_t degenerate = count_block(c, &c->sets[i], s, begin, end);
            counts[i].made -= degenerate;
            counts[i].degenerate += degenerate;
        }
    }
    return true;
}

pli_status pli_stencils_count_degenerate(const pli_mesh *mesh, const pli_constraint_type *type,
                                         const pli_stencils *stencils, int32_t *degenerate, pli_error *error)
{
    counting c;
    pli_constraint_count count = {0};
    const bool complete = start(&c, mesh, &type, 1) && count_stencils(&c, stencils, &count);
    *degenerate = complete ? count.degenerate - stencils->degenerate_count : 0;
    finish(&c);
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

pli_status pli_generator_count_constraints(const pli_mesh *mesh, const char *name,
                                           const pli_constraint_type *const *types, int32_t type_count,
                                           pli_constraint_count *counts, pli_error *error)
{
    const pli_generator *generator = pli_generator_find(name);
    if (!generator)
        return pli_generator_not_found(name ? name : "", error);
    for (int32_t i = 0; i < type_count; i++)
        counts[i] = (pli_constraint_count){0};
    counting c;
    pli_status status = start(&c, mesh, types, type_count) ? pli_succeed(error) : pli_fail_memory(error);
    int32_t part = 1, part_count = 1;
    for (; status == PLI_STATUS_OK && part <= part_count; part++) {
        pli_stencils stencils = {.size = sizeof stencils, .hooks = mesh->memory.hooks, .part = part};
        status = count_part(&c, mesh, generator, &stencils, counts, error);
        part_count = stencils.part_count;
        pli_stencils_release(&stencils);
    }
    finish(&c);
    return status;
}
