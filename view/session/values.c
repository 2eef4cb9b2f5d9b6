// A set of control values is a baseline: the settings and the parameters of all constraint sets. The active set is in the world; the
// other one is stored.
#include "session/values.h"

#include "files/deformable_values.h"
#include "frame/folders.h"
#include "session/edits.h"

#include <stdio.h>
#include <string.h>

static const char *const groups[] = {"settings", "contact"};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool read_from(const pli_view_session *s, const pli_world *world, pli_view_baseline *set)
{
    if (pli_view_baseline_read(set, world, 0, NULL, NULL) != PLI_STATUS_OK)
        return false;
    // The air density that a gust sets is not a control value.
    if (world == s->world && s->gust.share > 0.0f)
        set->settings.air_density = s->gust.density;
    return true;
}

static bool same_settings(const pli_settings *a, const pli_settings *b)
{
    for (int g = 0; g < GROUPS; g++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(groups[g]);
        for (int32_t i = 0; i < group->property_count; i++) {
            double values[2][3] = {{0}};
            pli_property_read(&group->properties[i], a, values[0]);
            pli_property_read(&group->properties[i], b, values[1]);
            if (memcmp(values[0], values[1], sizeof values[0]) != 0)
                return false;
        }
    }
    return true;
}

static bool same(const pli_view_baseline *a, const pli_view_baseline *b)
{
    return same_settings(&a->settings, &b->settings) && a->parameter_count == b->parameter_count &&
           memcmp(a->parameters, b->parameters, (size_t)a->parameter_count * sizeof *a->parameters) == 0 &&
           a->deformable_count == b->deformable_count &&
           memcmp(a->deformable_values, b->deformable_values,
                  (size_t)a->deformable_count * (size_t)pli_view_deformable_property_count() *
                      sizeof *a->deformable_values) == 0;
}

static void put(pli_view_baseline *to, pli_view_baseline from)
{
    pli_view_baseline_release(to);
    *to = from;
}

bool pli_view_session_read_values(pli_view_session *s)
{
    pli_view_baseline now;
    pli_view_baseline *known = &s->values.sets[s->values.side];
    if (!read_from(s, s->world, &now))
        return false;
    const bool differs = !known->parameters || !same(known, &now);
    put(known, now);
    return differs;
}

void pli_view_session_copy_values(pli_view_session *s)
{
    pli_view_baseline now;
    if (read_from(s, s->world, &now))
        put(&s->values.sets[1 - s->values.side], now);
}

// Both sets exist afterwards.
static bool ready(pli_view_session *s)
{
    pli_view_session_read_values(s);
    if (!s->values.sets[1 - s->values.side].parameters)
        pli_view_session_copy_values(s);
    return s->values.sets[0].parameters && s->values.sets[1].parameters;
}

void pli_view_session_swap_values(pli_view_session *s, int32_t side)
{
    pli_error error = {0};
    if (side == s->values.side || s->cache)
        return;
    if (!ready(s)) {
        pli_view_session_tell(s, "there is no memory for another set of values");
        return;
    }
    const pli_view_baseline *next = &s->values.sets[side];
    pli_view_session_edit(s, side == 0 ? "values A" : "values B", false);
    // Paint is applied again, since a density scales the existing masses.
    pli_status status = pli_view_baseline_apply(next, s->world, &error);
    if (status == PLI_STATUS_OK)
        status = pli_view_paint_switch(NULL, s->paint, s->world, &error);
    if (status == PLI_STATUS_OK) {
        s->values.side = side;
        s->gust.density = next->settings.air_density;
    } else {
        pli_view_baseline_apply(&s->values.sets[1 - side], s->world, NULL);
        pli_view_session_fail(s, "the values stay: %s", error.message);
    }
    pli_view_session_edited(s, status == PLI_STATUS_OK);
}

/* ---- differences -------------------------------------------------------------------------------- */

typedef struct differences {
    pli_view_difference *list;
    int32_t count, most;
} differences;

static void add(differences *d, const char *path, double a, double b)
{
    if (a == b)
        return;
    if (d->count < d->most) {
        snprintf(d->list[d->count].path, sizeof d->list[0].path, "%s", path);
        d->list[d->count].values[0] = a, d->list[d->count].values[1] = b;
    }
    d->count++;
}

static void add_group(differences *d, const char *name, const pli_view_baseline sets[2])
{
    const pli_descriptor_group *group = pli_descriptor_group_find(name);
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        const int32_t components = p->kind == PLI_PROPERTY_VECTOR ? 3 : 1;
        double values[2][3] = {{0}};
        for (int k = 0; k < 2; k++)
            pli_property_read(p, &sets[k].settings, values[k]);
        for (int32_t c = 0; c < components; c++) {
            char path[200];
            snprintf(path, sizeof path, "%s.%s%s%.1s", name, p->name, components > 1 ? "." : "",
                     components > 1 ? &"xyz"[c] : "");
            add(d, path, values[0][c], values[1][c]);
        }
    }
}

int32_t pli_view_session_differences(const pli_view_session *s, pli_view_difference *list, int32_t most)
{
    const pli_view_baseline *sets = s->values.sets;
    differences d = {list, 0, most};
    if (!sets[0].parameters || !sets[1].parameters)
        return 0;
    for (int g = 0; g < GROUPS; g++)
        add_group(&d, groups[g], sets);
    for (int32_t i = 0, at = 0; i < pli_world_constraints_count(s->world); i++) {
        pli_constraints_info info;
        const pli_property *p;
        if (pli_constraints_get_info(s->world, pli_world_constraints_at(s->world, i), &info, NULL) != PLI_STATUS_OK)
            break;
        for (int32_t k = 0; (p = pli_constraint_type_parameter(info.type, k)); k++, at++) {
            char path[200];
            snprintf(path, sizeof path, "%.80s/%.60s.%.40s", pli_deformable_name(s->world, info.deformable), info.name,
                     p->name);
            add(&d, path, sets[0].parameters[at], sets[1].parameters[at]);
        }
    }
    for (int32_t i = 0, at = 0; i < sets[0].deformable_count && i < sets[1].deformable_count; i++) {
        const pli_property *p;
        for (int32_t k = 0; (p = pli_view_deformable_property_at(k)); k++, at++) {
            char path[200];
            snprintf(path, sizeof path, "%.80s.%.40s",
                     pli_deformable_name(s->world, pli_world_deformable_at(s->world, i)), p->name);
            add(&d, path, sets[0].deformable_values[at], sets[1].deformable_values[at]);
        }
    }
    return d.count;
}

/* ---- side by side ------------------------------------------------------------------------------- */

static pli_status apply_side(void *user, int32_t side, pli_world *world, pli_error *error)
{
    const pli_view_baseline *sets = user;
    return pli_view_baseline_apply(&sets[side], world, error);
}

bool pli_view_session_split_values(pli_view_session *s, pli_view_models *models)
{
    static const char *const names[] = {"A", "B"};
    pli_error error = {0};
    pli_status status = ready(s)
                            ? pli_view_models_open_as(models, s->scene, names, 2, apply_side, s->values.sets, &error)
                            : pli_cli_fail(&error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    if (status != PLI_STATUS_OK)
        pli_view_session_fail(s, "A and B are not side by side: %s", error.message);
    return status == PLI_STATUS_OK;
}

void pli_view_session_follow_values(pli_view_session *s, pli_view_models *models)
{
    pli_error error = {0};
    if (!models->apply || !pli_view_session_read_values(s))
        return;
    if (pli_view_models_apply(models, s->values.side, &error) != PLI_STATUS_OK)
        pli_view_session_fail(s, "side by side, a value is not as here: %s", error.message);
}
