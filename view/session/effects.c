// Conditions compare texts: names of choices, numbers, "true" and "false" (pli_condition).
#include "session/effects.h"

#include "files/deformable_values.h"

#include <stdlib.h>
#include <string.h>

const pli_property *pli_view_parameter_find(const pli_world *world, pli_constraint_set set, const char *name)
{
    pli_constraint_set_info info;
    const pli_property *p = NULL;
    if (pli_constraint_set_get_info(world, set, &info, NULL) != PLI_STATUS_OK)
        return NULL;
    for (int32_t i = 0; (p = pli_constraint_type_parameter(info.type, i)); i++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

// The property that a condition names, beside the others of its owner or among the settings, and its value. NULL for none.
static const pli_property *find(const pli_world *world, pli_view_owner owner, const char *path, double *value)
{
    const pli_property *p = owner.set.id != 0 ? pli_view_parameter_find(world, owner.set, path) : NULL;
    if (p)
        return pli_constraint_set_read_parameter(world, owner.set, path, value, NULL) == PLI_STATUS_OK ? p : NULL;
    p = owner.deformable.id != 0 ? pli_view_deformable_property_find(path) : NULL;
    if (p) {
        *value = pli_view_deformable_value(world, owner.deformable, p);
        return p;
    }
    const pli_settings settings = pli_world_settings(world);
    int32_t component;
    double values[3] = {0};
    p = pli_view_setting_find(path, &component);
    if (!p || component < 0)
        return NULL;
    pli_property_read(p, &settings, values);
    *value = values[component];
    return p;
}

static bool is_value(const pli_property *p, double value, const char *text)
{
    if (p->kind == PLI_PROPERTY_CHOICE && p->choices)
        return pli_choice_find(p->choices, text) == (int32_t)value;
    if (p->kind == PLI_PROPERTY_BOOLEAN)
        return strcmp(text, value != 0.0 ? "true" : "false") == 0;
    return strtod(text, NULL) == value;
}

bool pli_view_has_effect(const pli_view_session *session, const pli_property *property, pli_view_owner owner)
{
    if (owner.deformable.id != 0 && pli_view_session_is_painted(session, owner.deformable, property->name))
        return false;
    for (const pli_condition *c = property->when; c && c->path; c++) {
        double value = 0.0;
        const pli_property *other = find(session->world, owner, c->path, &value);
        bool among = false;
        for (int i = 0; other && i < PLI_CONDITION_VALUES_MAX && c->values[i]; i++)
            among = among || is_value(other, value, c->values[i]);
        if (other && among == c->is_not)
            return false;
    }
    return true;
}
