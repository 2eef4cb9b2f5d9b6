// The public face of the table of types, and the kernel of types without one of their own.
#include "constraints/registry.h"

#include "constraints/kernel.h"

#include <string.h>

static const pli_parameter common[PLI_PARAMETER_COMMON_COUNT] = {
    [PLI_PARAMETER_STIFFNESS] = {.name = "stiffness",
                                 .unit = "",
                                 .maximum = 1.0,
                                 .initial = 1.0,
                                 .summary = "PBD: part of the error removed in a substep, whatever the iterations"},
    [PLI_PARAMETER_COMPLIANCE] = {.name = "compliance",
                                  .unit = "C^2/J",
                                  .maximum = 1e30,
                                  .summary = "XPBD: inverse stiffness; 0 is rigid"},
    [PLI_PARAMETER_DAMPING] = {.name = "damping",
                               .unit = "s",
                               .maximum = 1e6,
                               .summary = "XPBD: relaxation time of the constraint's own motion"},
    [PLI_PARAMETER_RIGIDITY] = {.name = "rigidity",
                                .unit = "N m",
                                .maximum = 1e30,
                                .summary = "XPBD: flexural rigidity of the sheet, instead of compliance; 0 is unused"},
};

int32_t pli_constraint_type_count(void) { return pli_constraint_table_scalar().count; }

const pli_constraint_type *pli_constraint_type_at(int32_t i)
{
    pli_constraint_table table = pli_constraint_table_scalar();
    return i >= 0 && i < table.count ? table.rows[i]->type : NULL;
}

int32_t pli_constraint_type_index(const char *name)
{
    pli_constraint_table table = pli_constraint_table_scalar();
    for (int32_t i = 0; name && i < table.count; i++)
        if (strcmp(table.rows[i]->type->name, name) == 0)
            return i;
    return -1;
}

const pli_constraint_type *pli_constraint_type_find(const char *name)
{
    return pli_constraint_type_at(pli_constraint_type_index(name));
}

const pli_parameter *pli_constraint_type_parameter(const pli_constraint_type *type, int32_t i)
{
    int32_t common_count = type->compliance_scale ? PLI_PARAMETER_COMMON_COUNT : PLI_PARAMETER_RIGIDITY;
    if (i < 0)
        return NULL;
    if (i < common_count)
        return &common[i];
    i -= common_count;
    return i < type->parameter_count ? &type->parameters[i] : NULL;
}

int32_t pli_parameter_slot(const pli_constraint_type *type, const char *name)
{
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT; i++)
        if (strcmp(common[i].name, name) == 0)
            return i == PLI_PARAMETER_RIGIDITY && !type->compliance_scale ? -1 : i;
    for (int32_t i = 0; i < type->parameter_count; i++)
        if (strcmp(type->parameters[i].name, name) == 0)
            return PLI_PARAMETER_COMMON_COUNT + i;
    return -1;
}

const pli_parameter *pli_parameter_of_slot(const pli_constraint_type *type, int32_t slot)
{
    return slot < PLI_PARAMETER_COMMON_COUNT ? &common[slot] : &type->parameters[slot - PLI_PARAMETER_COMMON_COUNT];
}

static void load_plain(const pli_projection *p, int32_t slot, wide_particle *stencil, double (*positions)[3])
{
    pli_load_stencil(p, slot, p->type->cardinality, stencil);
    for (int32_t k = 0; k < p->type->cardinality; k++) {
        positions[k][0] = (double)stencil[k].x.x;
        positions[k][1] = (double)stencil[k].x.y;
        positions[k][2] = (double)stencil[k].x.z;
    }
}

// A vector constraint's components are corrected one after the other along their own gradients.
static void project_one(const pli_projection *p, int32_t slot)
{
    wide_particle stencil[PLI_CARDINALITY_MAX];
    double positions[PLI_CARDINALITY_MAX][3], normals[PLI_CARDINALITY_MAX][3];
    double values[3], gradients[3 * 3 * PLI_CARDINALITY_MAX];
    float rest[PLI_REST_MAX];
    int32_t count = p->type->cardinality;
    for (int32_t j = 0; j < p->type->rest_count; j++)
        rest[j] = p->rest[j][slot];
    for (int32_t k = 0; p->normals && k < count; k++) {
        const pli_particle *normal = &p->normals[pli_index_place(p->index[k][slot])];
        normals[k][0] = (double)normal->x, normals[k][1] = (double)normal->y, normals[k][2] = (double)normal->z;
    }
    pli_stencil view = {.positions = (const double(*)[3])positions,
                        .count = count,
                        .rest = rest,
                        .normals = p->normals ? (const double(*)[3])normals : NULL,
                        .parameters = p->parameters,
                        .state = p->state ? p->state[slot] : 1.0f,
                        .user = p->type->user};
    for (int32_t d = 0; d < p->type->dimension; d++) {
        wide3 g[PLI_CARDINALITY_MAX];
        load_plain(p, slot, stencil, positions);
        p->type->evaluate(&view, values, gradients);
        for (int32_t k = 0; k < count; k++) {
            const double *at = gradients + 3 * (d * count + k);
            g[k] = (wide3){(float)at[0], (float)at[1], (float)at[2]};
        }
        wide drift = pli_drift(p, slot, count, stencil, g);
        wide change = pli_multiplier(p, d, slot, (float)values[d], pli_weight(count, stencil, g), drift);
        for (int32_t k = 0; k < count; k++)
            stencil[k].x = wide3_add_scaled(stencil[k].x, g[k], stencil[k].w * change);
        pli_store_stencil(p, slot, count, stencil);
    }
}

void pli_project_plain(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot++)
        project_one(p, slot);
}
