// Controls: one value of the world, a constraint set or a deformable. Conditions compare texts: names of choices, numbers, "true" and
// "false" (pli_condition).
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- properties of deformables ------------------------------------------------------------------ */

static bool is_live(const pli_property *p)
{
    return p->change == PLI_CHANGE_LIVE && (p->kind == PLI_PROPERTY_NUMBER || p->kind == PLI_PROPERTY_INTEGER ||
                                            p->kind == PLI_PROPERTY_BOOLEAN || p->kind == PLI_PROPERTY_CHOICE);
}

static const char *const groups[] = {"deformable", "plate"};
enum { GROUPS = sizeof groups / sizeof *groups };

const pli_property *pli_session_deformable_property_at(int32_t i)
{
    for (int32_t g = 0; i >= 0 && g < GROUPS; g++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(groups[g]);
        for (int32_t k = 0; k < group->property_count; k++)
            if (is_live(&group->properties[k]) && i-- == 0)
                return &group->properties[k];
    }
    return NULL;
}

const pli_property *pli_session_deformable_property_find(const char *name)
{
    const pli_property *p = NULL;
    for (int32_t g = 0; g < GROUPS && !p; g++)
        p = pli_descriptor_find(pli_descriptor_group_find(groups[g]), name);
    return p && is_live(p) ? p : NULL;
}

int32_t pli_session_deformable_property_count(void)
{
    int32_t count = 0;
    while (pli_session_deformable_property_at(count))
        count++;
    return count;
}

bool pli_session_is_of_plate(const pli_property *property)
{
    const pli_descriptor_group *plate = pli_descriptor_group_find("plate");
    return property >= plate->properties && property < plate->properties + plate->property_count;
}

static void *part_of(const pli_property *property, pli_deformable_def *def)
{
    return pli_session_is_of_plate(property) ? (void *)&def->plate : def;
}

double pli_session_deformable_value(const pli_world *world, pli_deformable deformable, const pli_property *property)
{
    pli_deformable_def def;
    double values[3] = {0};
    if (pli_deformable_get_def(world, deformable, &def, NULL) == PLI_STATUS_OK)
        pli_property_read(property, part_of(property, &def), values);
    return values[0];
}

/* ---- owners ------------------------------------------------------------------------------------- */

static const char *prefix_of(const pli_constraints_info *info)
{
    if (info->type->world_anchored)
        return "";
    if (info->type->bending)
        return "bend";
    const bool stretches = strcmp(info->type->name, "distance") == 0 || strcmp(info->type->name, "membrane") == 0;
    return stretches ? "stretch" : "others";
}

static bool has_plate(const pli_world *world, pli_deformable deformable)
{
    const pli_property *rigidity = pli_session_deformable_property_find("rigidity");
    return rigidity && pli_session_deformable_value(world, deformable, rigidity) > 0.0;
}

bool pli_session_owner_find(const pli_world *world, pli_deformable deformable, const char *prefix, int32_t i,
                            pli_session_owner *owner)
{
    *owner = (pli_session_owner){0};
    if (strcmp(prefix, "settings") == 0)
        return i == 0;
    if (strcmp(prefix, "cloth") == 0) {
        owner->deformable = deformable;
        return i == 0;
    }
    for (int32_t k = 0; k < pli_world_constraints_count(world); k++) {
        const pli_constraints set = pli_world_constraints_at(world, k);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) == PLI_STATUS_OK && info.deformable.id == deformable.id &&
            strcmp(prefix_of(&info), prefix) == 0 && i-- == 0) {
            owner->set = set;
            return true;
        }
    }
    owner->deformable = deformable;
    return i == 0 && strcmp(prefix, "bend") == 0 && has_plate(world, deformable);
}

const pli_property *pli_session_owner_property(const pli_world *world, pli_session_owner owner, const char *name)
{
    pli_constraints_info info;
    const pli_property *p = NULL;
    if (owner.deformable.id != 0)
        return pli_session_deformable_property_find(name);
    if (owner.set.id == 0) {
        p = pli_descriptor_find(pli_descriptor_group_find("settings"), name);
        return p ? p : pli_descriptor_find(pli_descriptor_group_find("contact"), name);
    }
    if (pli_constraints_get_info(world, owner.set, &info, NULL) != PLI_STATUS_OK)
        return NULL;
    for (int32_t i = 0; (p = pli_constraint_type_parameter(info.type, i)); i++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

void pli_session_owner_path(const pli_world *world, pli_session_owner owner, const char *name, char *path, size_t size)
{
    pli_constraints_info info;
    const bool is_contact = !pli_descriptor_find(pli_descriptor_group_find("settings"), name);
    if (owner.deformable.id != 0)
        snprintf(path, size, "%.80s.%.40s", pli_deformable_name(world, owner.deformable), name);
    else if (owner.set.id != 0 && pli_constraints_get_info(world, owner.set, &info, NULL) == PLI_STATUS_OK)
        snprintf(path, size, "%.80s/%.60s.%.40s", pli_deformable_name(world, info.deformable), info.name, name);
    else
        snprintf(path, size, "%s.%.40s", is_contact ? "contact" : "settings", name);
}

pli_constraints pli_session_find_set(const pli_session *s, const char *path, size_t length)
{
    for (int32_t i = 0; i < pli_world_constraints_count(s->world); i++) {
        pli_constraints set = pli_world_constraints_at(s->world, i);
        pli_constraints_info info;
        char name[300];
        if (pli_constraints_get_info(s->world, set, &info, NULL) != PLI_STATUS_OK)
            continue;
        snprintf(name, sizeof name, "%s/%s", pli_deformable_name(s->world, info.deformable), info.name);
        const char *own = strrchr(name, '/') + 1;
        if ((strlen(name) == length && strncmp(name, path, length) == 0) ||
            (strlen(own) == length && strncmp(own, path, length) == 0))
            return set;
    }
    return (pli_constraints){0};
}

pli_deformable pli_session_find_deformable(const pli_session *s, const char *name, size_t length)
{
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(s->world, i);
        const char *own = pli_deformable_name(s->world, deformable);
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            return deformable;
    }
    return (pli_deformable){0};
}

int32_t pli_session_index_of(const pli_world *world, pli_deformable deformable)
{
    int32_t i = deformable.id != 0 ? pli_world_deformable_count(world) - 1 : -1;
    while (i >= 0 && pli_world_deformable_at(world, i).id != deformable.id)
        i--;
    return i;
}

/* ---- controls ----------------------------------------------------------------------------------- */

// Finds a setting by NAME or GROUP.NAME, and components of vectors with .x, .y or .z.
static bool find_setting(const char *path, pli_session_control *control)
{
    static const char *const world_groups[] = {"settings", "contact"};
    const char *axes = "xyz";
    *control = (pli_session_control){.component = -1};
    for (int g = 0; g < 2; g++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(world_groups[g]);
        const size_t head = strlen(world_groups[g]);
        const bool in_full = strncmp(path, world_groups[g], head) == 0 && path[head] == '.';
        const char *name = in_full ? path + head + 1 : path;
        const size_t length = strcspn(name, ".");
        for (int32_t i = 0; i < group->property_count && (g == 0 || in_full); i++) {
            const pli_property *p = &group->properties[i];
            if (strlen(p->name) != length || strncmp(p->name, name, length) != 0)
                continue;
            const char *axis = name[length] && name[length + 1] ? strchr(axes, name[length + 1]) : NULL;
            if (p->kind != PLI_PROPERTY_VECTOR && !name[length])
                control->component = 0;
            if (p->kind == PLI_PROPERTY_VECTOR && axis && !name[length + 2])
                control->component = (int32_t)(axis - axes);
            // A deformable may have the name of a setting: "wind.friction" is then a value of that deformable.
            control->property = in_full || !name[length] || control->component >= 0 ? p : NULL;
            return control->property != NULL;
        }
    }
    return false;
}

bool pli_session_control_find(const pli_session *s, const char *path, pli_session_control *control)
{
    const char *dot = strrchr(path, '.');
    if (find_setting(path, control))
        return true;
    *control = (pli_session_control){0};
    if (!dot)
        return false;
    control->owner.set = pli_session_find_set(s, path, (size_t)(dot - path));
    if (control->owner.set.id == 0)
        control->owner.deformable = pli_session_find_deformable(s, path, (size_t)(dot - path));
    if (control->owner.set.id != 0 || control->owner.deformable.id != 0)
        control->property = pli_session_owner_property(s->world, control->owner, dot + 1);
    return control->property != NULL;
}

double pli_session_control_value(const pli_world *world, const pli_session_control *control)
{
    double values[3] = {0};
    const pli_settings settings = pli_world_settings(world);
    if (control->owner.set.id != 0)
        pli_constraints_get_parameter(world, control->owner.set, control->property->name, &values[0], NULL);
    else if (control->owner.deformable.id != 0)
        values[0] = pli_session_deformable_value(world, control->owner.deformable, control->property);
    else
        pli_property_read(control->property, &settings, values);
    return values[control->component > 0 ? control->component : 0];
}

static pli_status write_setting(pli_session *s, const pli_session_control *c, double value, pli_error *error)
{
    pli_settings settings = pli_world_settings(s->world);
    double values[3] = {0};
    if (c->component < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        c->property->kind == PLI_PROPERTY_VECTOR
                            ? "it is a vector: settings.%s.x, .y and .z are its components"
                            : "'%s' is a number without components",
                        c->property->name);
    pli_property_read(c->property, &settings, values);
    values[c->component] = value;
    pli_status status = pli_property_write(c->property, &settings, values, error);
    if (status == PLI_STATUS_OK)
        status = pli_world_set_settings(s->world, &settings, error);
    // While the blow tool sets the air density, the value takes effect afterwards.
    if (status == PLI_STATUS_OK && strcmp(c->property->name, "air_density") == 0)
        s->tools.gust.density = settings.air_density;
    return status;
}

static pli_status write_deformable(pli_session *s, const pli_session_control *c, double value, pli_error *error)
{
    pli_deformable_def def;
    const double values[3] = {value, 0.0, 0.0};
    if (pli_session_is_painted(s, c->owner.deformable, c->property->name))
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "it is painted, which the brush changes");
    pli_status status = pli_deformable_get_def(s->world, c->owner.deformable, &def, error);
    if (status == PLI_STATUS_OK)
        status = pli_property_write(c->property, part_of(c->property, &def), values, error);
    return status == PLI_STATUS_OK ? pli_deformable_set_def(s->world, c->owner.deformable, &def, error) : status;
}

pli_status pli_session_control_write(pli_session *s, const pli_session_control *c, double value, bool plain,
                                     pli_error *error)
{
    if (c->owner.deformable.id != 0)
        return write_deformable(s, c, value, error);
    if (c->owner.set.id == 0)
        return write_setting(s, c, value, error);
    const pli_property *other = !plain && c->property->instead_of && value > 0.0
                                    ? pli_session_owner_property(s->world, c->owner, c->property->instead_of)
                                    : NULL;
    pli_status status = PLI_STATUS_OK;
    double now = 0.0;
    if (other && pli_constraints_get_parameter(s->world, c->owner.set, other->name, &now, NULL) == PLI_STATUS_OK &&
        now != other->initial)
        status = pli_constraints_set_parameter(s->world, c->owner.set, other->name, other->initial, error);
    return status == PLI_STATUS_OK
               ? pli_constraints_set_parameter(s->world, c->owner.set, c->property->name, value, error)
               : status;
}

/* ---- effects ------------------------------------------------------------------------------------ */

bool pli_session_is_painted(const pli_session *s, pli_deformable deformable, const char *name)
{
    const int32_t quantity = pli_session_quantity_find(name);
    return quantity >= 0 && ((s->painted_by_file >> quantity & 1) ||
                             pli_session_paint_find(s->paint, quantity, pli_session_index_of(s->world, deformable)));
}

static bool is_value(const pli_property *p, double value, const char *text)
{
    if (p->kind == PLI_PROPERTY_CHOICE && p->choices)
        return pli_choice_find(p->choices, text) == (int32_t)value;
    if (p->kind == PLI_PROPERTY_BOOLEAN)
        return strcmp(text, value != 0.0 ? "true" : "false") == 0;
    return strtod(text, NULL) == value;
}

bool pli_session_has_effect(const pli_session *s, const pli_property *property, pli_session_owner owner)
{
    if (owner.deformable.id != 0 && pli_session_is_painted(s, owner.deformable, property->name))
        return false;
    const bool is_owned = owner.set.id != 0 || owner.deformable.id != 0;
    for (const pli_condition *c = property->when; c && c->path; c++) {
        // The property is searched among those of its owner, or among the settings.
        pli_session_control other = {is_owned ? pli_session_owner_property(s->world, owner, c->path) : NULL, owner, 0};
        if ((!other.property && !find_setting(c->path, &other)) || other.component < 0)
            continue;
        const double value = pli_session_control_value(s->world, &other);
        bool among = false;
        for (int i = 0; i < PLI_CONDITION_VALUES_MAX && c->values[i]; i++)
            among = among || is_value(other.property, value, c->values[i]);
        if (among == c->is_not)
            return false;
    }
    return true;
}
