// The parts of a panel, as one table for every program, and the values that a material gives to them.
#include "base/text.h"
#include "properties/groups.h"
#include "properties/materials.h"
#include "pliant/material.h"

#include <math.h>

static const pli_panel_part panel_parts[] = {
    {.id = "bending",
     .label = PLI_TEXT("Material and bending"),
     .open = true,
     .rows = {{.prefix = "bend", .sections = {"basic"}}}},
    {.id = "stretching",
     .label = PLI_TEXT("Stretching"),
     .rows = {{.prefix = "stretch", .sections = {"basic", "advanced"}},
              {.prefix = "cloth", .group = "deformable", .sections = {"solver"}}}},
    {.id = "others",
     .label = PLI_TEXT("Pressure and other sets"),
     .rows = {{.prefix = "others", .sections = {"basic", "advanced"}}}},
    {.id = "cloth",
     .label = PLI_TEXT("Cloth and contact"),
     .rows = {{.prefix = "cloth", .group = "deformable", .sections = {"basic", "contact"}}}},
    {.id = "air",
     .label = PLI_TEXT("Air"),
     .rows = {{.prefix = "settings", .group = "settings", .sections = {"air"}},
              {.prefix = "cloth", .group = "deformable", .sections = {"air"}}}},
    {.id = "solver",
     .label = PLI_TEXT("Solver"),
     .rows = {{.prefix = "settings", .group = "settings", .sections = {"basic", "solver"}}}},
    {.id = "advanced",
     .label = PLI_TEXT("Advanced"),
     .rows = {{.prefix = "bend", .sections = {"advanced"}},
              {.prefix = "cloth", .group = "deformable", .sections = {"advanced"}}}},
    {.id = "more",
     .label = PLI_TEXT("More of the solver"),
     .rows = {{.prefix = "bend", .sections = {"solver"}},
              {.prefix = "settings", .group = "settings", .sections = {"advanced"}}}},
};

int32_t pli_panel_part_count(void) { return (int32_t)(sizeof panel_parts / sizeof *panel_parts); }

const pli_panel_part *pli_panel_part_at(int32_t i)
{
    return i >= 0 && i < pli_panel_part_count() ? &panel_parts[i] : NULL;
}

// The shortest decimal of a float, six digits, as a double: 0.06 instead of 0.0599999987.
static double six_digits(float value)
{
    const double size = fabs((double)value);
    double scale = 1.0;
    while (size > 0.0 && size * scale < 1e5 && scale < 1e22)
        scale *= 10.0;
    return floor((double)value * scale + 0.5) / scale;
}

int32_t pli_material_panel_values(const pli_material *material, pli_panel_value values[PLI_PANEL_VALUES_MAX])
{
    pli_material_def def = material->def;
    if (pli_material_resolve(&def, NULL) != PLI_STATUS_OK)
        return 0;
    const float weft = def.weft_stiffness > 0.0f ? def.weft_stiffness : def.tensile_stiffness;
    const struct {
        const char *prefix, *name;
        float value;
    } list[PLI_PANEL_VALUES_MAX] = {
        {"cloth", "density", def.density},
        {"cloth", "friction", def.friction},
        {"bend", "rigidity", def.rigidity},
        {"bend", "poisson", def.poisson},
        {"bend", "yield", def.yield},
        {"bend", "hardening", def.hardening},
        {"bend", "damping", pli_material_damping_time(&def)},
        {"stretch", "warp", def.tensile_stiffness},
        {"stretch", "weft", weft},
        {"stretch", "shear", def.shear_stiffness},
        {"stretch", "poisson", def.poisson},
    };
    for (int i = 0; i < PLI_PANEL_VALUES_MAX; i++)
        values[i] = (pli_panel_value){list[i].prefix, list[i].name, six_digits(list[i].value)};
    return PLI_PANEL_VALUES_MAX;
}
