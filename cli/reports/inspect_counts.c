// Constraints are counted by their stencils, generator by generator: nothing else of a set is made.
#include "reports/inspect_counts.h"

#include <stdio.h>
#include <string.h>

// Stencils that the generator rejected count as degenerate, as those without rest values do.
static pli_status count_type(const pli_mesh *mesh, const pli_stencils *stencils, pli_cli_count *row, pli_error *error)
{
    int32_t degenerate;
    pli_status status = pli_stencils_count_degenerate(mesh, pli_constraint_type_find(row->type), stencils, &degenerate,
                                                      error);
    if (status != PLI_STATUS_OK)
        return status;
    row->made = stencils->count - degenerate;
    row->degenerate = stencils->degenerate_count + degenerate;
    row->duplicate = stencils->duplicate_count;
    return status;
}

// Counts the rows of one generator.
static pli_status count_generated(const pli_mesh *mesh, const char *generator, pli_cli_count *counts, int32_t count,
                                  pli_error *error)
{
    pli_stencils stencils = {0};
    pli_error refusal;
    pli_status status = pli_stencils_generate(mesh, generator, &stencils, &refusal);
    const bool refused = status == PLI_STATUS_INVALID_MESH;
    if (status != PLI_STATUS_OK && !refused && error)
        *error = refusal;
    for (int32_t i = 0; i < count && (refused || status == PLI_STATUS_OK); i++) {
        if (strcmp(counts[i].generator, generator) != 0)
            continue;
        if (refused)
            snprintf(counts[i].refused, sizeof counts[i].refused, "%.199s", refusal.message);
        else
            status = count_type(mesh, &stencils, &counts[i], error);
    }
    pli_stencils_release(&stencils);
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
