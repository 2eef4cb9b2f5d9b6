// Conditions compare texts: names of choices, numbers, "true" and "false" (pli_condition).
#include "session/effects.h"

#include "files/deformable_values.h"
#include "session/owners.h"

#include <stdlib.h>
#include <string.h>

// A number of an owner by its name; NULL for none. Settings are found by their paths.
static const pli_property *own(const pli_world *world, pli_view_owner owner, const char *name)
{
    return owner.set.id != 0 || owner.deformable.id != 0 ? pli_view_owner_property(world, owner, name) : NULL;
}

static bool find_setting(const char *path, pli_view_control *control)
{
    *control = (pli_view_control){0};
    control->property = pli_view_setting_find(path, &control->component);
    return control->property != NULL;
}

bool pli_view_control_find(const pli_view_session *session, const char *path, pli_view_control *control)
{
    const char *dot = strrchr(path, '.');
    if (find_setting(path, control))
        return true;
    *control = (pli_view_control){0};
    if (!dot)
        return false;
    control->owner.set = pli_view_session_find_set(session, path, (size_t)(dot - path));
    if (control->owner.set.id == 0)
        control->owner.deformable = pli_view_session_find_deformable(session, path, (size_t)(dot - path));
    control->property = own(session->world, control->owner, dot + 1);
    return control->property != NULL;
}

double pli_view_control_value(const pli_world *world, const pli_view_control *control)
{
    double values[3] = {0};
    const pli_settings settings = pli_world_settings(world);
    if (control->owner.set.id != 0)
        pli_constraints_get_parameter(world, control->owner.set, control->property->name, &values[0], NULL);
    else if (control->owner.deformable.id != 0)
        values[0] = pli_view_deformable_value(world, control->owner.deformable, control->property);
    else
        pli_property_read(control->property, &settings, values);
    return values[control->component];
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
        // The property is searched among those of its owner, or among the settings.
        pli_view_control other = {own(session->world, owner, c->path), owner, 0};
        if ((!other.property && !find_setting(c->path, &other)) || other.component < 0)
            continue;
        const double value = pli_view_control_value(session->world, &other);
        bool among = false;
        for (int i = 0; i < PLI_CONDITION_VALUES_MAX && c->values[i]; i++)
            among = among || is_value(other.property, value, c->values[i]);
        if (among == c->is_not)
            return false;
    }
    return true;
}
