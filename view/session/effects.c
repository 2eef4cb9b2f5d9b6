// Conditions compare texts: names of choices, numbers, "true" and "false" (pli_condition).
#include "session/effects.h"

#include "files/deformable_values.h"

#include <stdlib.h>
#include <string.h>

static const pli_property *parameter_of(const pli_world *world, pli_constraint_set set, const char *name)
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

// A number of an owner by its name; NULL for none.
static const pli_property *own(const pli_world *world, pli_view_owner owner, const char *name)
{
    return owner.set.id != 0          ? parameter_of(world, owner.set, name)
           : owner.deformable.id != 0 ? pli_view_deformable_property_find(name)
                                      : NULL;
}

static bool find_setting(const char *path, pli_view_knob *knob)
{
    *knob = (pli_view_knob){0};
    knob->property = pli_view_setting_find(path, &knob->component);
    return knob->property != NULL;
}

bool pli_view_knob_find(const pli_view_session *session, const char *path, pli_view_knob *knob)
{
    const char *dot = strrchr(path, '.');
    if (find_setting(path, knob))
        return true;
    *knob = (pli_view_knob){0};
    if (!dot)
        return false;
    knob->owner.set = pli_view_session_find_set(session, path, (size_t)(dot - path));
    if (knob->owner.set.id == 0)
        knob->owner.deformable = pli_view_session_find_deformable(session, path, (size_t)(dot - path));
    knob->property = own(session->world, knob->owner, dot + 1);
    return knob->property != NULL;
}

double pli_view_knob_value(const pli_world *world, const pli_view_knob *knob)
{
    double values[3] = {0};
    const pli_settings settings = pli_world_settings(world);
    if (knob->owner.set.id != 0)
        pli_constraint_set_read_parameter(world, knob->owner.set, knob->property->name, &values[0], NULL);
    else if (knob->owner.deformable.id != 0)
        values[0] = pli_view_deformable_value(world, knob->owner.deformable, knob->property);
    else
        pli_property_read(knob->property, &settings, values);
    return values[knob->component];
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
        pli_view_knob other = {own(session->world, owner, c->path), owner, 0};
        if ((!other.property && !find_setting(c->path, &other)) || other.component < 0)
            continue;
        const double value = pli_view_knob_value(session->world, &other);
        bool among = false;
        for (int i = 0; i < PLI_CONDITION_VALUES_MAX && c->values[i]; i++)
            among = among || is_value(other.property, value, c->values[i]);
        if (among == c->is_not)
            return false;
    }
    return true;
}
