// Sets one value at a time through the complete definition that the library requires.
#include "files/deformable_values.h"

bool pli_view_is_single(const pli_property *property)
{
    return property->kind == PLI_PROPERTY_NUMBER || property->kind == PLI_PROPERTY_INTEGER ||
           property->kind == PLI_PROPERTY_BOOLEAN || property->kind == PLI_PROPERTY_CHOICE;
}

static bool is_knob(const pli_property *property)
{
    return pli_view_is_single(property) && property->change == PLI_CHANGE_LIVE;
}

const pli_property *pli_view_deformable_property_at(int32_t i)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("deformable");
    for (int32_t k = 0; i >= 0 && k < group->property_count; k++)
        if (is_knob(&group->properties[k]) && i-- == 0)
            return &group->properties[k];
    return NULL;
}

const pli_property *pli_view_deformable_property_find(const char *name)
{
    const pli_property *p = pli_descriptor_find(pli_descriptor_group_find("deformable"), name);
    return p && is_knob(p) ? p : NULL;
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
        pli_property_read(property, &def, values);
    return values[0];
}

pli_status pli_view_deformable_set_value(pli_world *world, pli_deformable deformable, const pli_property *property,
                                         double value, pli_error *error)
{
    pli_deformable_def def;
    const double values[3] = {value, 0.0, 0.0};
    pli_status status = pli_deformable_get_def(world, deformable, &def, error);
    if (status == PLI_STATUS_OK)
        status = pli_property_write(property, &def, values, error);
    return status == PLI_STATUS_OK ? pli_deformable_set_def(world, deformable, &def, error) : status;
}
