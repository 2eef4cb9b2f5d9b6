// Definitions in snapshots (state/definitions.h). The rows of the descriptors define which fields are passed, so a new
// field enters snapshots without an edit here.
#include "state/definitions.h"

#include "base/hash.h"
#include "model/attributes.h"
#include "properties/groups.h"

#include <string.h>

static const pli_descriptor_group *const groups_in_snapshots[] = {
    &pli_settings_descriptors, &pli_contact_descriptors,  &pli_deformable_descriptors,
    &pli_plate_descriptors,    &pli_collider_descriptors,
};

static uint64_t hash_row(uint64_t hash, const char *name, int32_t kind, int32_t size)
{
    hash = name ? pli_hash_bytes(hash, name, strlen(name)) : hash;
    return pli_hash_mix(pli_hash_mix(hash, (uint64_t)kind), (uint64_t)size);
}

uint64_t pli_snapshot_rows_hash(void)
{
    const pli_element elements[] = {PLI_ELEMENT_VERTEX, PLI_ELEMENT_TRIANGLE, PLI_ELEMENT_CONSTRAINT};
    uint64_t hash = PLI_HASH_START;
    for (size_t g = 0; g < sizeof groups_in_snapshots / sizeof *groups_in_snapshots; g++)
        for (int32_t i = 0; i < groups_in_snapshots[g]->property_count; i++)
            hash = hash_row(hash, groups_in_snapshots[g]->properties[i].name,
                            (int32_t)groups_in_snapshots[g]->properties[i].kind, 0);
    for (int32_t e = 0; e < 3; e++) {
        int32_t count;
        const pli_attribute *row = pli_attribute_rows(elements[e], &count);
        for (; count > 0; count--, row++)
            if (row->size > 0 && row->lifetime != PLI_LIFETIME_SCRATCH)
                hash = hash_row(hash, row->name, (int32_t)row->lifetime, row->components);
    }
    for (int32_t i = 0; i < pli_feature_count(); i++)
        if (pli_feature_at(i)->pass)
            hash = hash_row(hash, pli_feature_at(i)->name, 0, 0);
    return hash;
}

uint64_t pli_type_rows_hash(const pli_constraint_type *type)
{
    uint64_t hash = pli_hash_bytes(PLI_HASH_START, type->name, strlen(type->name));
    const pli_property *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        hash = hash_row(hash, parameter->name, (int32_t)parameter->kind, 0);
    return hash;
}

// Passes a definition as numbers. The check and the reading store the numbers of the snapshot in `def`.
static void pass_rows(pli_stream *s, const pli_descriptor_group *group, void *def)
{
    pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    for (int32_t i = 0; i < group->property_count && !s->failed; i++) {
        const pli_property *property = &group->properties[i];
        double values[3] = {0.0, 0.0, 0.0};
        pli_property_read(property, def, values);
        for (int k = 0; k < (property->kind == PLI_PROPERTY_VECTOR ? 3 : 1); k++)
            pli_pass_double(s, &values[k]);
        // A size that the shape does not use may have any value.
        bool acts = pli_property_applies(group, property, def);
        if (mode >= PLI_STREAM_CHECK && !s->failed)
            s->failed = pli_property_write(property, def, values, NULL) != PLI_STATUS_OK && acts;
    }
    s->mode = mode;
}

void pli_pass_settings(pli_stream *s, pli_world *world)
{
    pli_settings settings = world->settings;
    pass_rows(s, &pli_settings_descriptors, &settings);
    pass_rows(s, &pli_contact_descriptors, &settings);
    if (s->mode == PLI_STREAM_READ && !s->failed)
        world->settings = settings;
}

void pli_pass_deformable_def(pli_stream *s, pli_deformable_data *deformable)
{
    pli_deformable_def def = deformable->def;
    pass_rows(s, &pli_deformable_descriptors, &def);
    pass_rows(s, &pli_plate_descriptors, &def.plate);
    if (s->mode != PLI_STREAM_READ || s->failed)
        return;
    bool self = def.self_collision != deformable->def.self_collision ||
                def.self_contact != deformable->def.self_contact ||
                def.particle_distance != deformable->def.particle_distance ||
                def.thickness != deformable->def.thickness;
    deformable->surface_stale = deformable->surface_stale || self;
    deformable->def = def;
    pli_deformable_take_thickness(deformable);
}

void pli_pass_collider_def(pli_stream *s, pli_collider_data *collider)
{
    pli_collider_def def = collider->def;
    pass_rows(s, &pli_collider_descriptors, &def);
    bool same = true;
    for (int32_t i = 0; collider->surface && i < pli_shape_field_count(); i++) {
        const pli_shape_field *field = pli_shape_field_at(i);
        const char *a = (const char *)&def + field->offset, *b = (const char *)&collider->def + field->offset;
        same = same && memcmp(a, b, (size_t)field->length * sizeof(float)) == 0;
    }
    s->failed = s->failed || (!same && !collider->narrow);
    if (s->mode != PLI_STREAM_READ || s->failed)
        return;
    collider->def = def;
    collider->narrow = collider->narrow && same; // Otherwise the next step makes its surface again.
}
