// The public functions on constraint types, and the kernel of types without their own kernel.
#include "constraints/registry.h"

#include "base/text.h"
#include "constraints/kernel.h"
#include "constraints/types/type_table.h"

#include <stdio.h>
#include <string.h>

static const pli_condition registry_under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};
static const pli_condition registry_under_pbd[] = {{.path = "settings.method", .values = {"pbd"}}, {.path = NULL}};

#define COMPLIANCE                                                                                                     \
    .name = "compliance", .label = PLI_TEXT("Compliance"), .unit = "C^2/J",                                            \
    .summary = PLI_TEXT("Inverse stiffness under XPBD; 0 is rigid."),                                                  \
    .help = PLI_TEXT(                                                                                                  \
        "How much a constraint gives way for a given energy. 0 means: as stiff as the sweeps can make it."),           \
    .maximum = 1e30, .scale = PLI_SLIDER_LOG, .zero = "rigid", .saturates = PLI_SATURATES_BELOW,                       \
    .when = registry_under_xpbd

static const pli_property common_properties[PLI_PARAMETER_COMMON_COUNT] = {
    [PLI_PARAMETER_STIFFNESS] = {.name = "stiffness",
                                 .label = PLI_TEXT("Stiffness"),
                                 .unit = "",
                                 .summary = PLI_TEXT(
                                     "Fraction of the error removed per substep under PBD, independent of the "
                                     "number of iterations."),
                                 .help = PLI_TEXT(
                                     "What it looks like depends on substeps and frame rate; rigidity does not."),
                                 .maximum = 1.0,
                                 .initial = 1.0,
                                 .when = registry_under_pbd},
    [PLI_PARAMETER_COMPLIANCE] = {COMPLIANCE, .soft_minimum = 1e-9, .soft_maximum = 1e-2},
    [PLI_PARAMETER_DAMPING] = {.name = "damping",
                               .label = PLI_TEXT("Damping"),
                               .unit = "s",
                               .summary = PLI_TEXT("Relaxation time of the constraint's own motion under XPBD."),
                               .help = PLI_TEXT(
                                   "How long a bend takes to come to rest. It slows folding, not falling."),
                               .maximum = 1e6,
                               .soft_minimum = 1e-3,
                               .soft_maximum = 1.0,
                               .scale = PLI_SLIDER_LOG,
                               .zero = "none",
                               .when = registry_under_xpbd,
                               .section = "advanced"},
    [PLI_PARAMETER_RIGIDITY] = {.name = "rigidity",
                                .label = PLI_TEXT("Rigidity"),
                                .unit = "N m",
                                .summary = PLI_TEXT(
                                    "Flexural rigidity of the sheet under XPBD, given instead of a compliance; "
                                    "above 0 its compliance adds to that one."),
                                .help = PLI_TEXT(
                                    "How hard the sheet is to fold, as a physical number. Silk has about 1e-6, "
                                    "cotton 1e-5, denim 1e-4, thin card 1e-2."),
                                .maximum = 1e30,
                                .soft_minimum = 1e-7,
                                .soft_maximum = 0.1,
                                .scale = PLI_SLIDER_LOG,
                                .zero = "off",
                                .saturates = PLI_SATURATES_ABOVE,
                                .when = registry_under_xpbd,
                                .instead_of = "compliance"},
};

// The compliance of types that also have a rigidity: the sliders of both cover the same sheets.
static const pli_property compliance_beside_rigidity = {COMPLIANCE,
                                                        .soft_minimum = 10.0,
                                                        .soft_maximum = 1e7,
                                                        .soft_unit = PLI_SOFT_COMPLIANCE_SCALE,
                                                        .instead_of = "rigidity",
                                                        .section = "advanced"};

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

const pli_property *pli_parameter_of_slot(const pli_constraint_type *type, int32_t slot)
{
    if (slot >= PLI_PARAMETER_COMMON_COUNT)
        return &type->parameters[slot - PLI_PARAMETER_COMMON_COUNT];
    return slot == PLI_PARAMETER_COMPLIANCE && type->compliance_scale ? &compliance_beside_rigidity
                                                                      : &common_properties[slot];
}

// Types without a compliance scale have no rigidity, which is the last of the common slots.
const pli_property *pli_constraint_type_parameter(const pli_constraint_type *type, int32_t i)
{
    int32_t missing = type->compliance_scale ? 0 : PLI_PARAMETER_COMMON_COUNT - PLI_PARAMETER_RIGIDITY;
    if (i < 0 || i >= PLI_PARAMETER_COMMON_COUNT - missing + type->parameter_count)
        return NULL;
    return pli_parameter_of_slot(type, i < PLI_PARAMETER_RIGIDITY ? i : i + missing);
}

int32_t pli_parameter_slot(const pli_constraint_type *type, const char *name)
{
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT; i++)
        if (strcmp(common_properties[i].name, name) == 0)
            return i == PLI_PARAMETER_RIGIDITY && !type->compliance_scale ? -1 : i;
    for (int32_t i = 0; i < type->parameter_count; i++)
        if (strcmp(type->parameters[i].name, name) == 0)
            return PLI_PARAMETER_COMMON_COUNT + i;
    return -1;
}

const char *pli_constraint_type_parameter_unit(const pli_constraint_type *type, const pli_property *parameter,
                                               char *text, size_t size)
{
    const char *unit = parameter->unit ? parameter->unit : "", *of_c = type->unit && type->unit[0] ? type->unit : "1";
    if (unit[0] != 'C')
        snprintf(text, size, "%s", unit);
    else if (strcmp(of_c, "1") == 0)
        snprintf(text, size, "1%s", strchr(unit, '/') ? strchr(unit, '/') : "");
    else if (strpbrk(of_c, " /^*"))
        snprintf(text, size, "(%s)%s", of_c, unit + 1);
    else
        snprintf(text, size, "%s%s", of_c, unit + 1);
    return text;
}

static void load_plain(const pli_projection *p, int32_t slot, wide_particle *stencil, double (*positions)[3])
{
    pli_load_stencil(p, slot, p->type->cardinality, stencil);
    for (int32_t k = 0; k < p->type->cardinality; k++) {
        positions[k][0] = (double)stencil[k].x.x + p->origin[0];
        positions[k][1] = (double)stencil[k].x.y + p->origin[1];
        positions[k][2] = (double)stencil[k].x.z + p->origin[2];
    }
}

// The components of a vector constraint are corrected one after the other along their own gradients.
static void project_user_slot(const pli_projection *p, int32_t slot)
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
    for (int32_t i = 0; i < p->type->dimension; i++) {
        int32_t d = pli_slot_in_order(p, 0, p->type->dimension, i);
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
            pli_move(p, k, slot, &stencil[k], g[k], stencil[k].w * change);
        pli_store_stencil(p, slot, count, stencil);
    }
}

void pli_project_plain(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        project_user_slot(p, pli_slot_in_order(p, begin, end, i));
}
