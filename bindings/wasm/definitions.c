// Definitions, filled by number of group and property, in the order in which the descriptors' JSON text lists them. The
// library checks each value.
#include "web.h"

#include <string.h>

web_definitions web_definition;

EXPORT(definitions_reset) void web_definitions_reset(void)
{
    web_definition.world = pli_world_def_default();
    web_definition.deformable = pli_deformable_def_default();
    web_definition.attachment = pli_attachment_def_default();
    web_definition.collider = pli_collider_def_default();
    web_definition.material = pli_material_def_default();
}

// Where the properties of a group are.
static void *place_of(const pli_descriptor_group *group)
{
    const struct {
        const char *id;
        void *place;
    } places[] = {
        {"world", &web_definition.world},
        {"settings", &web_definition.world.settings},
        {"contact", &web_definition.world.settings},
        {"deformable", &web_definition.deformable},
        {"tearing", &web_definition.deformable.tearing},
        {"plate", &web_definition.deformable.plate},
        {"material", &web_definition.material},
        {"attachment", &web_definition.attachment},
        {"collider", &web_definition.collider},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].id, group->id) == 0)
            return places[i].place;
    return NULL;
}

// The property by its numbers, and the definition that has it; null where there is none.
static const pli_property *property_at(int32_t group, int32_t property, void **definition)
{
    const pli_descriptor_group *found = pli_descriptor_group_at(group);
    *definition = found ? place_of(found) : NULL;
    return *definition && property >= 0 && property < found->property_count ? &found->properties[property] : NULL;
}

EXPORT(property_write) pli_status web_property_write(int32_t group, int32_t property, double x, double y, double z)
{
    void *definition;
    const pli_property *row = property_at(group, property, &definition);
    if (!row)
        return pli_fail(&web_error, PLI_STATUS_NOT_FOUND, "no property %d in group %d", (int)property, (int)group);
    return pli_property_write(row, definition, (double[3]){x, y, z}, &web_error);
}

EXPORT(property_read) pli_status web_property_read(int32_t group, int32_t property)
{
    void *definition;
    const pli_property *row = property_at(group, property, &definition);
    if (!row)
        return pli_fail(&web_error, PLI_STATUS_NOT_FOUND, "no property %d in group %d", (int)property, (int)group);
    pli_property_read(row, definition, web_values);
    return PLI_STATUS_OK;
}
