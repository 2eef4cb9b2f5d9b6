// Formats JSON with jansson and joins each list of numbers into one line.
#include "files/scene_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *pli_view_json_number(double value)
{
    char text[40];
    if (value == floor(value) && fabs(value) < 1e9)
        return json_integer((json_int_t)value);
    for (int digits = 3; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if ((float)strtod(text, NULL) == (float)value)
            break;
    }
    return json_real(strtod(text, NULL));
}

json_t *pli_view_json_item(json_t *parent, const char *key, json_type type)
{
    json_t *found = json_object_get(parent, key);
    if (found && json_typeof(found) == type)
        return found;
    // On failure jansson frees the new item.
    return json_object_set_new(parent, key, type == JSON_ARRAY ? json_array() : json_object()) == 0
               ? json_object_get(parent, key)
               : NULL;
}

// Returns the end of a list that contains only numbers; null for any other list.
static char *end_of_numbers(char *open)
{
    char *end = open + 1 + strcspn(open + 1, "[]{}\"");
    return *end == ']' ? end : NULL;
}

char *pli_view_json_text(const json_t *root)
{
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)), *to = text;
    for (char *from = text; from && *from;) {
        char *end = *from == '[' ? end_of_numbers(from) : NULL;
        // A blank is kept after each comma and removed elsewhere.
        for (; end && from <= end; from++)
            if (*from != '\n' && (*from != ' ' || from[-1] == ','))
                *to++ = *from;
            else if (*from == '\n' && from[-1] == ',')
                *to++ = ' ';
        if (!end)
            *to++ = *from++;
    }
    if (to)
        *to = '\0';
    return text;
}
