// The key `values` of a paint lists a number for each vertex.
#include "files/scene_paints.h"

#include "files/scene_numbers.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_sets(const char *name) { return strcmp(name, "stiffness") == 0; }

static bool is_by_file(json_t *paint) { return paint && !json_object_get(paint, "values"); }

bool pli_view_paints_by_file(const json_t *root, const char *name)
{
    size_t i, k;
    json_t *deformable, *set;
    bool found = false;
    json_array_foreach (json_object_get(root, "deformables"), i, deformable) {
        found = found || is_by_file(json_object_get(json_object_get(deformable, "painted"), name));
        json_array_foreach (json_object_get(deformable, "constraints"), k, set)
            found = found || (is_of_sets(name) && is_by_file(json_object_get(set, "painted")));
    }
    return found;
}

// The numbers of a paint as floats; false unless there are `count`.
static bool read_list(json_t *paint, float *values, int32_t count)
{
    json_t *list = json_object_get(paint, "values");
    const json_t *from = json_object_get(paint, "from"), *to = json_object_get(paint, "to");
    const double low = from ? json_number_value(from) : 0.0, high = to ? json_number_value(to) : 1.0;
    if (json_array_size(list) != (size_t)count)
        return false;
    for (int32_t v = 0; v < count; v++)
        values[v] = (float)(low + json_number_value(json_array_get(list, (size_t)v)) * (high - low));
    return true;
}

bool pli_view_paints_read(const json_t *root, int32_t deformable, const char *name, float *values, int32_t count)
{
    size_t k;
    json_t *set, *json = json_array_get(json_object_get(root, "deformables"), (size_t)deformable);
    bool found = read_list(json_object_get(json_object_get(json, "painted"), name), values, count);
    if (is_of_sets(name))
        json_array_foreach (json_object_get(json, "constraints"), k, set)
            found = found || read_list(json_object_get(set, "painted"), values, count);
    return found;
}

bool pli_view_paints_put(json_t *parent, const char *name, const float *values, int32_t count)
{
    json_t *painted = pli_view_json_item(parent, "painted", JSON_OBJECT);
    float *before = malloc(((size_t)count + 1) * sizeof *before);
    bool same = before && read_list(json_object_get(painted, name), before, count) &&
                memcmp(before, values, (size_t)count * sizeof *before) == 0;
    free(before);
    if (same)
        return false;
    json_t *list = json_array();
    for (int32_t v = 0; v < count; v++)
        json_array_append_new(list, pli_view_json_number((double)values[v]));
    json_object_set_new(painted, name, json_pack("{so}", "values", list));
    return true;
}
