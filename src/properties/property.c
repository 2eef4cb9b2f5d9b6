// Properties of definitions: lookup by name, reading, checking and writing.
#include "properties/groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const pli_property *pli_descriptor_find(const pli_descriptor_group *group, const char *name)
{
    for (int32_t i = 0; group && name && i < group->property_count; i++)
        if (strcmp(group->properties[i].name, name) == 0)
            return &group->properties[i];
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------------ */

void pli_property_read(const pli_property *property, const void *definition, double values[3])
{
    const char *field = (const char *)definition + property->offset;
    float number;
    int32_t whole;
    uint32_t bits;
    bool flag;
    pli_vec3 vector;
    switch (property->kind) {
    case PLI_PROPERTY_NUMBER:
        if (property->size == sizeof number) {
            memcpy(&number, field, sizeof number);
            values[0] = (double)number;
        } else {
            memcpy(values, field, sizeof *values);
        }
        break;
    case PLI_PROPERTY_INTEGER:
    case PLI_PROPERTY_CHOICE:
        memcpy(&whole, field, sizeof whole);
        values[0] = whole;
        break;
    case PLI_PROPERTY_BOOLEAN:
        memcpy(&flag, field, sizeof flag);
        values[0] = flag;
        break;
    case PLI_PROPERTY_LAYER:
    case PLI_PROPERTY_LAYERS:
        memcpy(&bits, field, sizeof bits);
        values[0] = bits;
        break;
    case PLI_PROPERTY_VECTOR:
        memcpy(&vector, field, sizeof vector);
        values[0] = (double)vector.x, values[1] = (double)vector.y, values[2] = (double)vector.z;
        break;
    }
}

/* ---- checking ----------------------------------------------------------------------------------- */

static int32_t choice_count(const pli_choice *choices)
{
    int32_t count = 0;
    while (choices[count].name)
        count++;
    return count;
}

static pli_status refuse_choice(const pli_property *property, double value, pli_error *error)
{
    char list[200] = "";
    size_t used = 0;
    for (int32_t i = 0; property->choices[i].name && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d (%s)", i ? ", " : "", (int)i,
                                 property->choices[i].name);
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s is %g; it must be one of %s", property->name, value, list);
}

static pli_status refuse_number(const pli_property *property, double value, pli_error *error)
{
    const char *unit = property->unit ? property->unit : "", *open = unit[0] ? " [" : "", *close = unit[0] ? "]" : "";
    const char *whole = property->kind == PLI_PROPERTY_INTEGER ? "a whole number, " : "";
    if (isinf(property->maximum))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s is %g; it must be %s%g or more%s%s%s", property->name,
                        value, whole, property->minimum, open, unit, close);
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s is %g; it must be %s%g to %g%s%s%s", property->name, value,
                    whole, property->minimum, property->maximum, open, unit, close);
}

// Compares the value in the precision of its field: a value that rounds into the range is in the range.
static bool in_range(const pli_property *property, double value)
{
    bool single = property->kind == PLI_PROPERTY_VECTOR || property->size == sizeof(float);
    if (single)
        return (float)value >= (float)property->minimum && (float)value <= (float)property->maximum;
    return value >= property->minimum && value <= property->maximum;
}

static bool is_whole_number(double value, double minimum, double maximum)
{
    return value >= minimum && value <= maximum && value == floor(value);
}

pli_status pli_property_check(const pli_property *property, const double values[3], pli_error *error)
{
    switch (property->kind) {
    case PLI_PROPERTY_INTEGER:
        if (!is_whole_number(values[0], property->minimum, property->maximum))
            return refuse_number(property, values[0], error);
        break;
    case PLI_PROPERTY_BOOLEAN:
        if (values[0] != 0.0 && values[0] != 1.0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s is %g; it must be 0 or 1", property->name,
                            values[0]);
        break;
    case PLI_PROPERTY_CHOICE:
        if (!is_whole_number(values[0], 0.0, choice_count(property->choices) - 1))
            return refuse_choice(property, values[0], error);
        break;
    case PLI_PROPERTY_LAYER:
    case PLI_PROPERTY_LAYERS:
        if (!is_whole_number(values[0], 0.0, UINT32_MAX))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s is %g; it must be bits of layers, 0 to 4294967295",
                            property->name, values[0]);
        break;
    case PLI_PROPERTY_NUMBER:
    case PLI_PROPERTY_VECTOR:
        for (int k = 0; k < (property->kind == PLI_PROPERTY_VECTOR ? 3 : 1); k++)
            if (!in_range(property, values[k]))
                return refuse_number(property, values[k], error);
        break;
    }
    return pli_succeed(error);
}

pli_status pli_descriptor_check(const pli_descriptor_group *group, const void *definition, pli_error *error)
{
    for (int32_t i = 0; i < group->property_count; i++) {
        double values[3];
        if (group->properties[i].kind == PLI_PROPERTY_BOOLEAN)
            continue;
        pli_property_read(&group->properties[i], definition, values);
        pli_status status = pli_property_check(&group->properties[i], values, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return pli_succeed(error);
}

/* ---- writing ------------------------------------------------------------------------------------ */

pli_status pli_property_write(const pli_property *property, void *definition, const double values[3], pli_error *error)
{
    pli_status status = pli_property_check(property, values, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *field = (char *)definition + property->offset;
    float number = (float)values[0];
    bool flag = values[0] != 0.0;
    switch (property->kind) {
    case PLI_PROPERTY_NUMBER:
        if (property->size == sizeof number)
            memcpy(field, &number, sizeof number);
        else
            memcpy(field, values, sizeof *values);
        break;
    case PLI_PROPERTY_INTEGER:
    case PLI_PROPERTY_CHOICE:
        memcpy(field, &(int32_t){(int32_t)values[0]}, sizeof(int32_t));
        break;
    case PLI_PROPERTY_BOOLEAN:
        memcpy(field, &flag, sizeof flag);
        break;
    case PLI_PROPERTY_LAYER:
    case PLI_PROPERTY_LAYERS:
        memcpy(field, &(uint32_t){(uint32_t)values[0]}, sizeof(uint32_t));
        break;
    case PLI_PROPERTY_VECTOR:
        memcpy(field, &(pli_vec3){number, (float)values[1], (float)values[2]}, sizeof(pli_vec3));
        break;
    }
    return status;
}

/* ---- conditions --------------------------------------------------------------------------------- */

// Prints the value in the form of conditions: the name of a choice, true or false, or a number.
static void print_value(const pli_property *property, const void *definition, char *text, size_t size)
{
    double values[3];
    pli_property_read(property, definition, values);
    if (property->kind == PLI_PROPERTY_CHOICE)
        snprintf(text, size, "%s",
                 pli_property_check(property, values, NULL) == PLI_STATUS_OK ? property->choices[(int)values[0]].name
                                                                             : "");
    else if (property->kind == PLI_PROPERTY_BOOLEAN)
        snprintf(text, size, "%s", values[0] != 0.0 ? "true" : "false");
    else
        snprintf(text, size, "%g", values[0]);
}

bool pli_property_applies(const pli_descriptor_group *group, const pli_property *property, const void *definition)
{
    for (const pli_condition *condition = property->when; condition && condition->path; condition++) {
        const pli_property *other = pli_descriptor_find(group, condition->path);
        if (!other)
            continue;
        char text[40];
        bool found = false;
        print_value(other, definition, text, sizeof text);
        for (int i = 0; i < PLI_CONDITION_VALUES_MAX && condition->values[i]; i++)
            found = found || strcmp(condition->values[i], text) == 0;
        if (found == condition->is_not)
            return false;
    }
    return true;
}
