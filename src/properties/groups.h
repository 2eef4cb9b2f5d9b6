// The groups of properties, declared for the files that check definitions against them.
#ifndef PLI_PROPERTIES_GROUPS_H
#define PLI_PROPERTIES_GROUPS_H

#include "pliant/descriptor.h"

extern const pli_descriptor_group pli_world_descriptors, pli_settings_descriptors, pli_contact_descriptors,
    pli_deformable_descriptors;
extern const pli_descriptor_group pli_plate_descriptors, pli_material_descriptors;
extern const pli_descriptor_group pli_tearing_descriptors, pli_attachment_descriptors;
extern const pli_descriptor_group pli_collider_descriptors;

// Writes the defaults of all properties of a group into a definition.
void pli_descriptor_write_defaults(const pli_descriptor_group *group, void *definition);

#endif
