// Edits of values: each is one or more events.
#include "session/edits.h"

#include "session/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------------- */

static int32_t index_of_set(const pli_world *world, pli_constraints set)
{
    int32_t i = set.id != 0 ? pli_world_constraints_count(world) - 1 : -1;
    while (i >= 0 && pli_world_constraints_at(world, i).id != set.id)
        i--;
    return i;
}

static pli_session_event event_of(const pli_session *s, const pli_session_control *c, double value, bool plain)
{
    return (pli_session_event){.kind = PLI_SESSION_SET,
                               .indices = {index_of_set(s->world, c->owner.set),
                                           pli_session_index_of(s->world, c->owner.deformable), c->component, plain},
                               .value = value,
                               .name = c->property->name};
}

static bool set(pli_session *s, const pli_session_control *control, double value, const char *path, const char *label)
{
    const pli_session_event event = event_of(s, control, value, false);
    const bool done = pli_session_act(s, &event, label);
    if (!done) {
        char reason[sizeof s->message];
        snprintf(reason, sizeof reason, "%s", s->message);
        pli_session_fail(s, "%.200s stays: %.190s", path, reason);
    }
    return done;
}

bool pli_session_set_control(pli_session *s, const pli_session_control *control, double value)
{
    char path[200];
    pli_session_owner_path(s->world, control->owner, control->property->name, path, sizeof path);
    return set(s, control, value, path, path);
}

bool pli_session_set(pli_session *s, const char *path, double value)
{
    return pli_session_set_labelled(s, path, value, path);
}

bool pli_session_set_labelled(pli_session *s, const char *path, double value, const char *label)
{
    pli_session_control control;
    const char *dot = strrchr(path, '.');
    if (pli_session_control_find(s, path, &control))
        return set(s, &control, value, path, label);
    const bool is_world = !dot || strncmp(path, "settings.", 9) == 0 || strncmp(path, "contact.", 8) == 0;
    if (control.owner.set.id != 0)
        pli_session_fail(s, "%s stays: the set has no parameter '%s'", path, dot + 1);
    else if (control.owner.deformable.id != 0)
        pli_session_fail(s, "%s stays: a deformable has no value '%s'", path, dot + 1);
    else if (is_world)
        pli_session_fail(s, "%s stays: there is no such setting", path);
    else
        pli_session_fail(s, "%s stays: no constraint set and no deformable is called '%.*s'", path, (int)(dot - path),
                         path);
    return false;
}

// A preset names owners as a panel does. Values that a set does not have are skipped.
bool pli_session_set_material(pli_session *s, pli_deformable deformable, const pli_material *material)
{
    pli_panel_value list[PLI_PANEL_VALUES_MAX];
    const int32_t count = pli_material_panel_values(material, list);
    char label[80];
    bool begun = false;
    snprintf(label, sizeof label, "material %s", material->name);
    for (int32_t i = 0; i < count; i++) {
        pli_session_control control = {0};
        if (pli_session_owner_find(s->world, deformable, list[i].prefix, 0, &control.owner))
            control.property = pli_session_owner_property(s->world, control.owner, list[i].name);
        if (!control.property ||
            (control.owner.deformable.id != 0 && pli_session_is_painted(s, deformable, control.property->name)))
            continue;
        const pli_session_event event = event_of(s, &control, list[i].value, false);
        if (!pli_session_act(s, &event, begun ? NULL : label)) {
            if (begun)
                pli_session_undo(s);
            return false;
        }
        begun = true;
    }
    return true;
}

bool pli_session_values_set(pli_session *s, const pli_session_values *from, const pli_session_values *to)
{
    const int32_t count = pli_session_values_compare(s->world, from, to, NULL, 0);
    pli_session_difference *list = malloc(((size_t)count + 1) * sizeof *list);
    bool done = list != NULL;
    if (list)
        pli_session_values_compare(s->world, from, to, list, count);
    for (int32_t i = 0; i < count && done; i++) {
        const pli_session_event event = event_of(s, &list[i].control, list[i].values[1], true);
        done = pli_session_act(s, &event, NULL);
    }
    free(list);
    return done;
}

bool pli_session_paint_set(pli_session *s, const pli_session_paint *paint)
{
    bool done = true;
    for (int32_t i = 0; paint && i < paint->count && done; i++) {
        const pli_session_layer *layer = paint->layers[i];
        if (pli_session_paint_find(s->paint, layer->quantity, layer->deformable) == layer)
            continue;
        int32_t *vertices = malloc(((size_t)layer->count + 1) * sizeof *vertices);
        for (int32_t k = 0; vertices && k < layer->count; k++)
            vertices[k] = k;
        const pli_session_event event = {.kind = PLI_SESSION_PAINT,
                                         .indices = {layer->deformable},
                                         .name = pli_session_quantity_name(layer->quantity),
                                         .vertices = vertices,
                                         .values = layer->values,
                                         .count = layer->count};
        done = vertices && pli_session_act(s, &event, NULL);
        free(vertices);
    }
    return done;
}

/* ---- A and B ------------------------------------------------------------------------------------ */

pli_status pli_session_values_now(const pli_session *s, pli_session_values *values, pli_error *error)
{
    pli_status status = pli_session_values_read(values, s->world, error);
    if (s->tools.gust.strength > 0.0f)
        values->settings.air_density = s->tools.gust.density;
    return status;
}

static void put(pli_session_values *to, pli_session_values from)
{
    pli_session_values_release(to);
    *to = from;
}

bool pli_session_read_values(pli_session *s)
{
    pli_session_values now;
    pli_session_values *known = &s->sets[s->tools.side];
    if (pli_session_values_now(s, &now, NULL) != PLI_STATUS_OK)
        return false;
    const bool differs = !known->parameters || known->parameter_count != now.parameter_count ||
                         pli_session_values_compare(s->world, known, &now, NULL, 0) > 0;
    put(known, now);
    return differs;
}

void pli_session_copy_values(pli_session *s)
{
    pli_session_values now;
    if (pli_session_values_now(s, &now, NULL) == PLI_STATUS_OK)
        put(&s->sets[1 - s->tools.side], now);
}

bool pli_session_ready_values(pli_session *s)
{
    pli_session_read_values(s);
    if (!s->sets[1 - s->tools.side].parameters)
        pli_session_copy_values(s);
    return s->sets[0].parameters && s->sets[1].parameters;
}

int32_t pli_session_differences(const pli_session *s, pli_session_difference *list, int32_t most)
{
    return pli_session_values_compare(s->world, &s->sets[0], &s->sets[1], list, most);
}

void pli_session_swap_values(pli_session *s, int32_t side)
{
    const pli_session_event event = {.kind = PLI_SESSION_SIDE, .indices = {side}};
    if (side == s->tools.side || s->show)
        return;
    if (!pli_session_ready_values(s)) {
        pli_session_tell(s, "there is no memory for another set of values");
        return;
    }
    if (!pli_session_act(s, &event, side == 0 ? "values A" : "values B"))
        return;
    if (!pli_session_values_set(s, &s->sets[1 - side], &s->sets[side])) {
        char reason[sizeof s->message];
        memcpy(reason, s->message, sizeof reason);
        pli_session_undo(s);
        pli_session_fail(s, "the values stay: %.300s", reason);
    }
}

void pli_session_restart(pli_session *s)
{
    pli_session_values now = {0}, start = {0};
    pli_error error = {0};
    if (s->show || pli_session_values_now(s, &now, &error) != PLI_STATUS_OK) {
        pli_session_go(s, 0);
        return;
    }
    pli_session_paint *paint = pli_session_paint_retain(s->paint);
    const int32_t side = s->tools.side;
    pli_session_forget(s);
    // Changes of values come before the paint, since a density scales the existing masses.
    bool done = pli_session_values_now(s, &start, &error) == PLI_STATUS_OK && pli_session_values_set(s, &start, &now);
    const pli_session_event event = {.kind = PLI_SESSION_SIDE, .indices = {side}};
    done = done && pli_session_act(s, &event, NULL) && pli_session_paint_set(s, paint);
    if (!done) {
        char reason[sizeof s->message];
        memcpy(reason, s->message, sizeof reason);
        pli_session_fail(s, "a value is not kept: %.300s", error.message[0] ? error.message : reason);
    }
    pli_session_values_release(&now);
    pli_session_values_release(&start);
    pli_session_paint_release(paint);
}
