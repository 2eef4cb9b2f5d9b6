// Complete sets of values. The active one of A and B is in the world; the other one is stored.
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static const char *const groups[] = {"settings", "contact"};
enum { GROUPS = sizeof groups / sizeof *groups };

static int32_t count_of(const pli_constraint_type *type)
{
    int32_t count = 0;
    while (pli_constraint_type_parameter(type, count))
        count++;
    return count;
}

static int32_t count_parameters(const pli_world *world)
{
    int32_t count = 0;
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints_info info;
        if (pli_constraints_get_info(world, pli_world_constraints_at(world, i), &info, NULL) == PLI_STATUS_OK)
            count += count_of(info.type);
    }
    return count;
}

static void read_parameters(const pli_world *world, double *values)
{
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) != PLI_STATUS_OK)
            continue;
        for (int32_t k = 0; k < count_of(info.type); k++)
            pli_constraints_get_parameter(world, set, pli_constraint_type_parameter(info.type, k)->name, values++,
                                          NULL);
    }
}

static void read_deformables(const pli_world *world, double *values)
{
    const pli_property *p;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        for (int32_t k = 0; (p = pli_session_deformable_property_at(k)); k++)
            *values++ = pli_session_deformable_value(world, pli_world_deformable_at(world, i), p);
}

pli_status pli_session_values_read(pli_session_values *v, const pli_world *world, pli_error *error)
{
    *v = (pli_session_values){.settings = pli_world_settings(world),
                              .parameter_count = count_parameters(world),
                              .deformable_count = pli_world_deformable_count(world)};
    const size_t count = (size_t)v->deformable_count * (size_t)pli_session_deformable_property_count();
    v->parameters = calloc((size_t)v->parameter_count + 1, sizeof *v->parameters);
    v->deformable_values = calloc(count + 1, sizeof *v->deformable_values);
    if (!v->parameters || !v->deformable_values) {
        pli_session_values_release(v);
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene's values");
    }
    read_parameters(world, v->parameters);
    read_deformables(world, v->deformable_values);
    return PLI_STATUS_OK;
}

static pli_status write_deformable(pli_world *world, pli_deformable deformable, const pli_property *p, double value,
                                   pli_error *error)
{
    pli_deformable_def def;
    const double values[3] = {value, 0.0, 0.0};
    pli_status status = pli_deformable_get_def(world, deformable, &def, error);
    if (status == PLI_STATUS_OK)
        status = pli_property_write(p, pli_session_is_of_plate(p) ? (void *)&def.plate : &def, values, error);
    return status == PLI_STATUS_OK ? pli_deformable_set_def(world, deformable, &def, error) : status;
}

pli_status pli_session_values_apply(const pli_session_values *v, pli_world *world, pli_error *error)
{
    const double *values = v->parameters;
    const pli_property *p;
    pli_status status = pli_world_set_settings(world, &v->settings, error);
    for (int32_t i = 0; i < pli_world_constraints_count(world) && status == PLI_STATUS_OK; i++) {
        pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        status = pli_constraints_get_info(world, set, &info, error);
        for (int32_t k = 0; status == PLI_STATUS_OK && (p = pli_constraint_type_parameter(info.type, k)); k++)
            status = pli_constraints_set_parameter(world, set, p->name, *values++, error);
    }
    values = v->deformable_values;
    for (int32_t i = 0; i < v->deformable_count; i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        for (int32_t k = 0; (p = pli_session_deformable_property_at(k)); k++, values++)
            if (status == PLI_STATUS_OK && pli_session_deformable_value(world, deformable, p) != *values)
                status = write_deformable(world, deformable, p, *values, error);
    }
    return status;
}

void pli_session_values_release(pli_session_values *v)
{
    free(v->parameters);
    free(v->deformable_values);
    *v = (pli_session_values){0};
}

/* ---- differences -------------------------------------------------------------------------------- */

typedef struct differences {
    pli_session_difference *list;
    int32_t count, most;
} differences;

static void add(differences *d, pli_session_control control, double a, double b)
{
    if (a == b)
        return;
    if (d->count < d->most)
        d->list[d->count] = (pli_session_difference){control, {a, b}};
    d->count++;
}

static void add_group(differences *d, const char *name, const pli_settings *a, const pli_settings *b)
{
    const pli_descriptor_group *group = pli_descriptor_group_find(name);
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        double values[2][3] = {{0}};
        pli_property_read(p, a, values[0]);
        pli_property_read(p, b, values[1]);
        for (int32_t c = 0; c < (p->kind == PLI_PROPERTY_VECTOR ? 3 : 1); c++)
            add(d, (pli_session_control){.property = p, .component = c}, values[0][c], values[1][c]);
    }
}

int32_t pli_session_values_compare(const pli_world *world, const pli_session_values *a, const pli_session_values *b,
                                   pli_session_difference *list, int32_t most)
{
    differences d = {list, 0, most};
    const pli_property *p;
    if (!a->parameters || !b->parameters || a->parameter_count != b->parameter_count ||
        a->deformable_count != b->deformable_count)
        return 0;
    for (int g = 0; g < GROUPS; g++)
        add_group(&d, groups[g], &a->settings, &b->settings);
    for (int32_t i = 0, at = 0; i < pli_world_constraints_count(world); i++) {
        const pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) != PLI_STATUS_OK)
            break;
        for (int32_t k = 0; (p = pli_constraint_type_parameter(info.type, k)); k++, at++)
            add(&d, (pli_session_control){.property = p, .owner = {.set = set}}, a->parameters[at], b->parameters[at]);
    }
    for (int32_t i = 0, at = 0; i < a->deformable_count; i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        for (int32_t k = 0; (p = pli_session_deformable_property_at(k)); k++, at++)
            add(&d, (pli_session_control){.property = p, .owner = {.deformable = deformable}}, a->deformable_values[at],
                b->deformable_values[at]);
    }
    return d.count;
}
