// Constraints are counted per generator, for all of its types together.
#include "reports/inspect_counts.h"

#include "frame/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The mesh is built on one thread, so more threads gain little; each reserves 8 MB of a memory limit for its stack.
enum { MOST_THREADS = 8 };

// Counts the rows of one generator, of `count` rows.
static pli_status count_generated(const pli_mesh *mesh, const char *generator, pli_cli_count *counts, int32_t count,
                                  pli_error *error)
{
    const size_t room = (size_t)count;
    const pli_constraint_type **types = malloc(room * sizeof *types);
    pli_constraint_count *found = malloc(room * sizeof *found);
    int32_t type_count = 0;
    for (int32_t i = 0; types && i < count; i++)
        if (strcmp(counts[i].generator, generator) == 0)
            types[type_count++] = pli_constraint_type_find(counts[i].type);
    pli_status status = PLI_STATUS_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    if (types && found)
        status = pli_generator_count_constraints(mesh, generator, types, type_count, pli_cli_processors(MOST_THREADS),
                                                 found, error);
    const bool refused = status == PLI_STATUS_INVALID_MESH;
    for (int32_t i = 0, k = 0; i < count && (refused || status == PLI_STATUS_OK); i++) {
        if (strcmp(counts[i].generator, generator) != 0)
            continue;
        if (refused)
            snprintf(counts[i].refused, sizeof counts[i].refused, "%.199s", error->message);
        else
            counts[i].found = found[k++];
    }
    free(types);
    free(found);
    return refused ? PLI_STATUS_OK : status;
}

static bool is_first_of_generator(const pli_cli_count *counts, int32_t i)
{
    for (int32_t k = 0; k < i; k++)
        if (strcmp(counts[k].generator, counts[i].generator) == 0)
            return false;
    return true;
}

pli_status pli_cli_count_constraints(const pli_mesh *mesh, const pli_constraint_type *type, const char *generator,
                                     pli_cli_count *counts, int32_t *count, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    *count = 0;
    for (int32_t i = 0; i < pli_constraint_type_count(); i++) {
        const pli_constraint_type *one = pli_constraint_type_at(i);
        const char *maker = generator ? generator : one->generator;
        if (maker && (!type || type == one))
            counts[(*count)++] = (pli_cli_count){.type = one->name, .generator = maker};
    }
    for (int32_t i = 0; i < *count && status == PLI_STATUS_OK; i++)
        if (is_first_of_generator(counts, i))
            status = count_generated(mesh, counts[i].generator, counts + i, *count - i, error);
    return status;
}
