// Constraints are counted by making them, in a world that is never stepped.
#include "reports/inspect_counts.h"

#include <stdio.h>

// Stencils that the generator rejected before the type computed a rest state.
static pli_status count_generated(const pli_mesh *mesh, pli_cli_count *row, pli_error *error)
{
    pli_stencils stencils = {0};
    pli_status status = pli_stencils_generate(mesh, row->generator, &stencils, error);
    row->degenerate = stencils.degenerate_count;
    row->duplicate = stencils.duplicate_count;
    row->made = stencils.count;
    pli_stencils_release(&stencils);
    return status;
}

static pli_status count_type(pli_world *world, pli_deformable deformable, pli_cli_count *row, pli_error *error)
{
    pli_status status = count_generated(pli_deformable_rest_mesh(world, deformable), row, error);
    if (status != PLI_STATUS_OK || row->made == 0)
        return status;
    pli_constraint_set set;
    pli_constraint_set_info info;
    pli_constraint_set_def def = pli_constraint_set_def_default();
    int32_t generated = row->made;
    def.deformable = deformable;
    def.type = row->type;
    def.generator = row->generator;
    status = pli_constraint_set_create(world, &def, &set, error);
    if (status == PLI_STATUS_OK)
        status = pli_constraint_set_get_info(world, set, &info, error);
    if (status != PLI_STATUS_OK)
        return status;
    row->made = info.constraint_count;
    row->degenerate += generated - info.constraint_count;
    return pli_constraint_set_destroy(world, set, error);
}

static pli_status count_all(pli_world *world, const pli_mesh *mesh, const pli_constraint_type *only,
                            const char *generator, pli_cli_count *counts, int32_t *count, pli_error *error)
{
    pli_deformable deformable;
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    pli_status status = pli_deformable_create(world, &def, &deformable, error);
    for (int32_t i = 0; i < pli_constraint_type_count() && status == PLI_STATUS_OK; i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        const char *maker = generator ? generator : type->generator;
        if (!maker || (only && only != type))
            continue;
        pli_cli_count *row = &counts[(*count)++];
        *row = (pli_cli_count){.type = type->name, .generator = maker};
        pli_error refusal;
        status = count_type(world, deformable, row, &refusal);
        if (status != PLI_STATUS_INVALID_MESH && status != PLI_STATUS_OK && error)
            *error = refusal;
        if (status == PLI_STATUS_INVALID_MESH) {
            snprintf(row->refused, sizeof row->refused, "%.199s", refusal.message);
            status = PLI_STATUS_OK;
        }
    }
    return status;
}

pli_status pli_cli_count_constraints(const pli_mesh *mesh, const pli_constraint_type *type, const char *generator,
                                     pli_cli_count *counts, int32_t *count, pli_error *error)
{
    pli_world *world = NULL;
    pli_world_def def = pli_world_def_default();
    *count = 0;
    pli_status status = pli_world_create(&def, &world, error);
    if (status == PLI_STATUS_OK)
        status = count_all(world, mesh, type, generator, counts, count, error);
    pli_world_destroy(world);
    return status;
}
