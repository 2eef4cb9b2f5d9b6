// Sets one value at a time through the complete definition that the library requires.
#include "files/deformable_values.h"

bool pli_view_is_single(const pli_property *property)
{
    return property->kind == PLI_PROPERTY_NUMBER || property->kind == PLI_PROPERTY_INTEGER ||
           property->kind == PLI_PROPERTY_BOOLEAN || property->kind == PLI_PROPERTY_CHOICE;
}

static bool is_live(const pli_property *property)
{
    return pli_view_is_single(property) && property->change == PLI_CHANGE_LIVE;
}

static const char *const groups[] = {"deformable", "plate"};
enum { GROUPS = sizeof groups / sizeof *groups };

const pli_property *pli_view_deformable_property_at(int32_t i)
{
    for (int32_t g = 0; i >= 0 && g < GROUPS; g++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(groups[g]);
        for (int32_t k = 0; k < group->property_count; k++)
            if (is_live(&group->properties[k]) && i-- == 0)
                return &group->properties[k];
    }
    return NULL;
}

const pli_property *pli_view_deformable_property_find(const char *name)
{
    const pli_property *p = NULL;
    for (int32_t g = 0; g < GROUPS && !p; g++)
        p = pli_descriptor_find(pli_descriptor_group_find(groups[g]), name);
    return p && is_live(p) ? p : NULL;
}

bool pli_view_is_of_plate(const pli_property *property)
{
    const pli_descriptor_group *plate = pli_descriptor_group_find("plate");
    return property >= plate->properties && property < plate->properties + plate->property_count;
}

static void *part_of(const pli_property *property, pli_deformable_def *def)
{
    return pli_view_is_of_plate(property) ? (void *)&def->plate : def;
}

int32_t pli_view_deformable_property_count(void)
{
    int32_t count = 0;
    while (pli_view_deformable_property_at(count))
        count++;
    return count;
}

double pli_view_deformable_value(const pli_world *world, pli_deformable deformable, const pli_property *property)
{
    pli_deformable_def def;
    double values[3] = {0};
    if (pli_deformable_get_def(world, deformable, &def, NULL) == PLI_STATUS_OK)
        pli_property_read(property, part_of(property, &def), values);
    return values[0];
}

pli_status pli_view_deformable_set_value(pli_world *world, pli_deformable deformable, const pli_property *property,
                                         double value, pli_error *error)
{
    pli_deformable_def def;
    const double values[3] = {value, 0.0, 0.0};
    pli_status status = pli_deformable_get_def(world, deformable, &def, error);
    if (status == PLI_STATUS_OK)
        status = pli_property_write(property, part_of(property, &def), values, error);
    return status == PLI_STATUS_OK ? pli_deformable_set_def(world, deformable, &def, error) : status;
}
