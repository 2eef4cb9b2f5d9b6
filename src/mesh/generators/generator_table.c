// The table of generators, one line each.
#include "mesh/generators/generator_table.h"

#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"

#include <string.h>

#define GENERATOR_ROWS(ROW)                                                                                            \
    ROW(edges)                                                                                                         \
    ROW(hinges)                                                                                                        \
    ROW(opposite)                                                                                                      \
    ROW(second_neighbours)                                                                                             \
    ROW(triples)                                                                                                       \
    ROW(triples_fig6a)                                                                                                 \
    ROW(triples_fig6b)                                                                                                 \
    ROW(triples_linear)                                                                                                \
    ROW(rings)                                                                                                         \
    ROW(closed_volume)                                                                                                 \
    ROW(triangles)

#define DECLARE_GENERATOR(name) extern const pli_generator pli_generator_row_##name;
#define REFER_TO_GENERATOR(name) &pli_generator_row_##name,

GENERATOR_ROWS(DECLARE_GENERATOR)

static const pli_generator *const generator_rows[] = {GENERATOR_ROWS(REFER_TO_GENERATOR)};
enum { GENERATOR_COUNT = sizeof generator_rows / sizeof *generator_rows };

int32_t pli_generator_count(void) { return GENERATOR_COUNT; }

const pli_generator *pli_generator_at(int32_t i) { return i >= 0 && i < GENERATOR_COUNT ? generator_rows[i] : NULL; }

const pli_generator *pli_generator_find(const char *name)
{
    for (int32_t i = 0; name && i < GENERATOR_COUNT; i++)
        if (strcmp(generator_rows[i]->name, name) == 0)
            return generator_rows[i];
    return NULL;
}

pli_status pli_generator_not_found(const char *name, pli_error *error)
{
    const char *names[GENERATOR_COUNT];
    for (int32_t i = 0; i < GENERATOR_COUNT; i++)
        names[i] = generator_rows[i]->name;
    return pli_fail_unknown(error, "no generator is called", name, names, GENERATOR_COUNT);
}

pli_status pli_generate(const pli_mesh *mesh, const char *name, const pli_hooks *hooks, const pli_task_hooks *tasks,
                        pli_stencils *stencils, pli_error *error)
{
    *stencils = (pli_stencils){.hooks = *hooks, .tasks = *tasks};
    const pli_generator *generator = pli_generator_find(name);
    if (!generator)
        return pli_generator_not_found(name ? name : "", error);
    return generator->generate(mesh, stencils, error);
}

pli_status pli_stencils_generate(const pli_mesh *mesh, const char *generator, pli_stencils *result, pli_error *error)
{
    const pli_task_hooks here = {NULL, NULL};
    return pli_generate(mesh, generator, &mesh->memory.hooks, &here, result, error);
}
