// Reads studies. Random axes are drawn from the study's seed and the axis, so that they are the same on every machine.
#include "sweep/study.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_status refuse(const char *path, const char *key, const char *what, pli_error *error)
{
    return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: %s: %s", path, key, what);
}

/* ---- axes ----------------------------------------------------------------------------------- */

// SplitMix64 (Steele et al. 2014).
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double between(double low, double high, double share, bool logarithmic)
{
    return logarithmic ? low * pow(high / low, share) : low + (high - low) * share;
}

// A value between integer ends that is an integer up to rounding becomes an integer, as keys of counts require.
static json_t *number(double value, double largest, bool whole_ends)
{
    const double whole = rint(value);
    if (whole_ends && fabs(value) < 0x1p53 && fabs(value - whole) <= 64.0 * DBL_EPSILON * largest)
        return json_integer((json_int_t)whole);
    return json_real(value); // NULL when it is not finite.
}

// Fills an axis with evenly spaced numbers, or with random ones if `state` is not null; with fewer numbers if some are not finite.
static json_t *numbers(double low, double high, int32_t count, bool logarithmic, bool whole_ends, uint64_t *random)
{
    const double largest = fmax(fabs(low), fabs(high));
    json_t *values = json_array();
    for (int32_t i = 0; i < count; i++) {
        const double share = random      ? (double)(next_random(random) >> 11) * 0x1p-53
                             : count > 1 ? (double)i / (count - 1)
                                         : 0.0;
        json_array_append_new(values, number(between(low, high, share, logarithmic), largest, whole_ends && !random));
    }
    return values;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash * UINT64_C(0x100000001b3);
}

// {"from": a, "to": b, "count": n} or {"random": [a, b], "count": n}, each optionally with "log".
static pli_status read_range(const char *file, const char *path, const json_t *range, json_int_t seed, json_t **values,
                             pli_error *error)
{
    const json_t *random = json_object_get(range, "random");
    const json_t *low = random ? json_array_get(random, 0) : json_object_get(range, "from");
    const json_t *high = random ? json_array_get(random, 1) : json_object_get(range, "to");
    const json_int_t count = json_integer_value(json_object_get(range, "count"));
    const bool logarithmic = json_is_true(json_object_get(range, "log"));
    uint64_t state = mix_text(UINT64_C(0xcbf29ce484222325) + (uint64_t)seed, path);
    if (!json_is_number(low) || !json_is_number(high) || count < 1 || count > PLI_CLI_POINTS_MAX)
        return refuse(
            file, path,
            "an axis is a list, {\"from\": a, \"to\": b, \"count\": n}, or {\"random\": [a, b], \"count\": n}", error);
    if (logarithmic && !(json_number_value(low) > 0.0 && json_number_value(high) > 0.0))
        return refuse(file, path, "both ends of a logarithmic axis are above 0", error);
    *values = numbers(json_number_value(low), json_number_value(high), (int32_t)count, logarithmic,
                      json_is_integer(low) && json_is_integer(high), random ? &state : NULL);
    if (json_array_size(*values) == (size_t)count)
        return PLI_STATUS_OK;
    json_decref(*values);
    *values = NULL;
    return refuse(file, path, "its ends are too far apart: values between them are not finite", error);
}

static pli_status read_axis(pli_cli_study *s, const char *file, const char *path, json_t *given, pli_error *error)
{
    pli_cli_axis *axis = &s->axes[s->axis_count];
    if (s->axis_count == PLI_CLI_AXES_MAX)
        return refuse(file, path, "a study has at most 32 axes", error);
    axis->path = path;
    if (json_is_array(given) && json_array_size(given) > 0)
        axis->values = json_incref(given);
    else {
        pli_status status = read_range(file, path, given, json_integer_value(json_object_get(s->root, "seed")),
                                       &axis->values, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    s->axis_count++;
    const size_t size = json_array_size(axis->values);
    if (s->zip && s->axis_count > 1 && (int32_t)size != s->point_count)
        return refuse(file, path, "axes that are zipped have equally many values", error);
    if (!s->zip && size > (size_t)(PLI_CLI_POINTS_MAX / s->point_count))
        return refuse(file, path, "a study has at most a million points", error);
    s->point_count = s->zip ? (int32_t)size : s->point_count * (int32_t)size;
    return PLI_STATUS_OK;
}

/* ---- equal points --------------------------------------------------------------------------- */

typedef struct place {
    char *text;
    int32_t index;
} place;

static int by_text(const void *a, const void *b)
{
    const place *p = a, *q = b;
    const int order = strcmp(p->text, q->text);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

// All settings of a zipped point, or one value of an axis, as the command of a point receives them.
static char *text_at(const pli_cli_study *s, int32_t axis, int32_t index)
{
    if (!s->zip)
        return json_dumps(json_array_get(s->axes[axis].values, (size_t)index),
                          JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    char id[17];
    pli_cli_study_id(s, index, id);
    return pli_cli_format("%s", id);
}

// Equal points would run in the same folder at the same time.
static pli_status check_equal(const pli_cli_study *s, const char *file, int32_t axis, pli_error *error)
{
    const int32_t count = (int32_t)json_array_size(s->axes[axis].values);
    place *places = calloc((size_t)count, sizeof *places);
    int32_t same = 0, made = 0;
    for (; places && made < count; made++) {
        places[made] = (place){text_at(s, axis, made), made};
        if (!places[made].text)
            break;
    }
    const bool whole = places && made == count;
    if (whole)
        qsort(places, (size_t)count, sizeof *places, by_text);
    for (int32_t i = 1; whole && i < count && !same; i++)
        same = strcmp(places[i].text, places[i - 1].text) == 0 ? i : 0;
    pli_status status =
        !whole ? pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory")
        : same
            ? pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                           "%s: %s: values %d and %d, from 0, are equal in nine digits, and a point is run once", file,
                           s->zip ? "axes" : s->axes[axis].path, (int)places[same - 1].index, (int)places[same].index)
            : PLI_STATUS_OK;
    for (int32_t i = 0; i < made; i++)
        free(places[i].text);
    free(places);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_list_of_texts(const json_t *given)
{
    bool texts = !given || json_is_array(given);
    for (size_t i = 0; i < json_array_size(given); i++)
        texts = texts && json_is_string(json_array_get(given, i));
    return texts;
}

static pli_status check_keys(const char *path, const json_t *root, pli_error *error)
{
    static const char *const keys[] = {"scene", "frames", "axes", "combine", "seed", "columns", "formats"};
    if (json_object_get(root, "pliant"))
        return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "'%s' is a scene; a study is a file of its own that names it: {\"scene\": \"%s\", "
                            "\"axes\": {\"settings.substeps\": [5, 10, 20]}}",
                            path, path);
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)root, key, value) {
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            known = known || strcmp(key, keys[i]) == 0;
        if (!known)
            return refuse(path, key,
                          "is no key of a study; those are scene, frames, axes, combine, seed, columns, formats",
                          error);
    }
    if (!json_is_string(json_object_get(root, "scene")))
        return refuse(path, "scene", "names the scene file, from the study's folder", error);
    if (!json_is_object(json_object_get(root, "axes")) || json_object_size(json_object_get(root, "axes")) == 0)
        return refuse(path, "axes", "has a key of the scene for each axis", error);
    const json_t *frames = json_object_get(root, "frames"), *columns = json_object_get(root, "columns");
    if (frames && (!json_is_integer(frames) || json_integer_value(frames) < 0 || json_integer_value(frames) > 10000000))
        return refuse(path, "frames", "is a whole number from 0 to 10000000", error);
    if (!is_list_of_texts(columns))
        return refuse(path, "columns", "lists keys of summary.json, such as \"contact.held_back\"", error);
    if (!is_list_of_texts(json_object_get(root, "formats")))
        return refuse(path, "formats", "lists formats of caches, such as \"pc2\", as `pliant run --format` takes them",
                      error);
    return PLI_STATUS_OK;
}

static pli_status fill(pli_cli_study *s, const char *path, pli_error *error)
{
    pli_status status = check_keys(path, s->root, error);
    if (status != PLI_STATUS_OK)
        return status;
    const char *combine = json_string_value(json_object_get(s->root, "combine"));
    if (combine && strcmp(combine, "grid") != 0 && strcmp(combine, "zip") != 0)
        return refuse(path, "combine", "is \"grid\" or \"zip\"", error);
    const char *slash = strrchr(path, '/'), *scene = json_string_value(json_object_get(s->root, "scene"));
    s->scene = slash && scene[0] != '/' ? pli_cli_format("%.*s/%s", (int)(slash - path), path, scene)
                                        : pli_cli_format("%s", scene);
    s->zip = combine && combine[0] == 'z';
    s->point_count = 1;
    s->columns = json_object_get(s->root, "columns");
    s->formats = json_object_get(s->root, "formats");
    const json_t *frames = json_object_get(s->root, "frames");
    s->frames = frames ? (int32_t)json_integer_value(frames) : -1;
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get(s->root, "axes"), key, value) {
        status = read_axis(s, path, key, value, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    for (int32_t k = 0; k < (s->zip ? 1 : s->axis_count) && status == PLI_STATUS_OK; k++)
        status = check_equal(s, path, k, error);
    return status;
}

pli_status pli_cli_study_read(const char *path, pli_cli_study *study, pli_error *error)
{
    void *text = NULL;
    size_t size = 0;
    json_error_t where;
    *study = (pli_cli_study){0};
    pli_status status = pli_cli_file_read(path, &text, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    study->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!json_is_object(study->root))
        return pli_cli_fail(error, PLI_STATUS_PARSE, "%s:%d:%d: %s", path, where.line, where.column,
                            study->root ? "a study is an object" : where.text);
    return fill(study, path, error);
}

/* ---- points --------------------------------------------------------------------------------- */

json_t *pli_cli_study_value(const pli_cli_study *s, int32_t point, int32_t axis)
{
    int32_t index = point;
    for (int32_t k = s->axis_count - 1; k > axis && !s->zip; k--)
        index /= (int32_t)json_array_size(s->axes[k].values);
    return json_array_get(s->axes[axis].values, (size_t)index % json_array_size(s->axes[axis].values));
}

char *pli_cli_study_setting(const pli_cli_study *s, int32_t point, int32_t axis)
{
    char *value = json_dumps(pli_cli_study_value(s, point, axis),
                             JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    char *setting = pli_cli_format("%s=%s", s->axes[axis].path, value ? value : "null");
    free(value);
    return setting;
}

void pli_cli_study_id(const pli_cli_study *s, int32_t point, char id[17])
{
    uint64_t hash = mix_text(UINT64_C(0xcbf29ce484222325), json_string_value(json_object_get(s->root, "scene")));
    hash = (hash ^ (uint64_t)(s->frames + 1)) * UINT64_C(0x100000001b3);
    hash = (hash ^ s->inputs) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < json_array_size(s->formats); i++)
        hash = mix_text(hash, json_string_value(json_array_get(s->formats, i)));
    for (int32_t k = 0; k < s->axis_count; k++) {
        char *setting = pli_cli_study_setting(s, point, k);
        hash = mix_text(hash, setting);
        free(setting);
    }
    snprintf(id, 17, "%016" PRIx64, hash);
}

void pli_cli_study_release(pli_cli_study *s)
{
    for (int32_t k = 0; k < s->axis_count; k++)
        json_decref(s->axes[k].values);
    json_decref(s->root);
    free(s->scene);
    *s = (pli_cli_study){0};
}
