// Names of all that can be set, for JavaScript to address rows by number. What people read of them (labels, sentences) is
// no part of the .wasm without scenes: package/tools/make-descriptors.mjs makes a module of it.
#include "web.h"

// A property of a group of definitions, or with a negative owner a parameter of the constraint type ~owner.
static const pli_property *row_at(int32_t owner, int32_t i)
{
    if (owner < 0)
        return pli_constraint_type_parameter(pli_constraint_type_at(~owner), i);
    const pli_descriptor_group *group = pli_descriptor_group_at(owner);
    return i < group->property_count ? &group->properties[i] : NULL;
}

/// Null behind the last. web_values[0] is the number of particles of a type.
EXPORT(owner_name) const char *web_owner_name(int32_t owner)
{
    if (owner >= 0)
        return owner < pli_descriptor_group_count() ? pli_descriptor_group_at(owner)->id : NULL;
    const pli_constraint_type *type = pli_constraint_type_at(~owner);
    if (!type)
        return NULL;
    web_values[0] = type->cardinality;
    return type->name;
}

/// The owner is there; null behind the last row. web_values[0] is the kind.
EXPORT(row_name) const char *web_row_name(int32_t owner, int32_t i)
{
    const pli_property *row = row_at(owner, i);
    if (!row)
        return NULL;
    web_values[0] = (double)row->kind;
    return row->name;
}

/// The row is there and a choice; null behind the last.
EXPORT(choice_name) const char *web_choice_name(int32_t owner, int32_t i, int32_t choice)
{
    return row_at(owner, i)->choices[choice].name;
}

EXPORT(measure_name) const char *web_measure_name(int32_t i)
{
    return i < PLI_MEASURE_COUNT ? pli_choice_name("measure", i) : NULL;
}

EXPORT(stage_name) const char *web_stage_name(int32_t i)
{
    return i < PLI_STAGE_COUNT ? pli_choice_name("stage", i) : NULL;
}
