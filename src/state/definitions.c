// Definitions in snapshots (state/definitions.h). The rows of the descriptors define which fields are passed, so a new
// field enters snapshots without an edit here.
#include "state/definitions.h"

#include <string.h>

// Passes a definition as numbers. The check and the reading store the numbers of the snapshot in `def`.
static void pass_rows(pli_stream *s, const char *id, void *def)
{
    const pli_descriptor_group *group = pli_descriptor_group_find(id);
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

void pli_pass_deformable_def(pli_stream *s, pli_deformable_data *deformable)
{
    pli_deformable_def def = deformable->def;
    pass_rows(s, "deformable", &def);
    pass_rows(s, "plate", &def.plate);
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
    pass_rows(s, "collider", &def);
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
