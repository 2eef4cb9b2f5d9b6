// Finds values of a scene by path, for --set and keyframes.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_paths.h"

#include "scene_format/scene_values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Finds the item of a list by a word: by number, by its "name", or by its "type".
static json_t *list_item(json_t *list, const char *word)
{
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (isdigit((unsigned char)word[0]) && *end == '\0')
        return json_array_get(list, (size_t)number);
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (strcmp(scene_text(item, "name", ""), word) == 0)
            return item;
    json_array_foreach (list, i, item)
        if (strcmp(scene_text(item, "type", ""), word) == 0)
            return item;
    return NULL;
}

// Splits the first word off a path; words end at '.', '[' and ']'.
static bool next_word(const char **path, char word[64])
{
    while (**path == '.' || **path == '[' || **path == ']')
        (*path)++;
    size_t length = strcspn(*path, ".[]");
    if (length == 0 || length >= 64)
        return false;
    memcpy(word, *path, length);
    word[length] = '\0';
    *path += length;
    return true;
}

json_t *scene_at(json_t *root, const char *path, json_t **parent, char last[64])
{
    json_t *here = root;
    *parent = NULL;
    last[0] = '\0';
    char word[64];
    while (next_word(&path, word)) {
        *parent = here;
        strcpy(last, word);
        here = json_is_array(here) ? list_item(here, word) : json_object_get(here, word);
        const char *rest = path;
        char unused[64];
        if (!here && next_word(&rest, unused)) {
            *parent = NULL; // A parent is missing, not only the last key.
            return NULL;
        }
    }
    return here;
}

static json_t *parse_value(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    return value ? value : json_string(text);
}

// Creates the missing parents of a key, such as "view" for "view.width". The check that follows reports unknown keys.
static void make_way(json_t *root, const char *path)
{
    json_t *here = root;
    char word[64], next[64];
    while (next_word(&path, word)) {
        const char *rest = path;
        json_t *inner = json_is_array(here) ? list_item(here, word) : json_object_get(here, word);
        if (!inner && json_is_object(here) && next_word(&rest, next)) {
            inner = json_object();
            json_object_set_new(here, word, inner);
        }
        here = inner;
    }
}

// Reports a path that names no value, with the most similar item if a list has none of that name.
static void report_missing(scene_diagnostics *f, json_t *root, const char *path)
{
    json_t *here = root, *item;
    const char *names[SCENE_NAMES_MAX], *rest = path;
    char word[64] = "";
    while (next_word(&rest, word) && here) {
        item = json_is_array(here) ? list_item(here, word) : json_object_get(here, word);
        if (!item)
            break;
        here = item;
    }
    size_t i;
    int count = 0;
    json_array_foreach (here, i, item)
        if (count < SCENE_NAMES_MAX && (json_object_get(item, "name") || json_object_get(item, "type")))
            names[count++] = scene_text(item, "name", scene_text(item, "type", ""));
    if (count > 0)
        scene_report_unknown(f, path, "--set: no item is called", word, names, count);
    else
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path,
                     "--set: the scene has no value at this path; items of lists go by number, "
                     "name or type: deformables.cloth.constraints.triangle.kappa");
}

// The path in the form of diagnostics, with list items by number.
static void numbered_path(json_t *root, const char *path, char numbered[SCENE_BODY_PATH])
{
    json_t *here = root, *item;
    char word[64];
    size_t used = 0, i;
    numbered[0] = '\0';
    while (next_word(&path, word) && used < SCENE_BODY_PATH) {
        json_t *list = json_is_array(here) ? here : NULL;
        here = list ? list_item(list, word) : json_object_get(here, word);
        json_array_foreach (list, i, item)
            if (item == here)
                snprintf(word, sizeof word, "[%zu]", i);
        used += (size_t)snprintf(numbered + used, SCENE_BODY_PATH - used, "%s%s", used && !list ? "." : "", word);
    }
}

static bool replace_item(json_t *list, const json_t *old, json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_array_get(list, i) == old)
            return json_array_set(list, i, value) == 0;
    return false;
}

void scene_apply_setting(scene_diagnostics *f, json_t *root, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char path[200], last[64];
    json_t *parent;
    if (!equals || equals == setting || (size_t)(equals - setting) >= sizeof path) {
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, "--set", "'%.60s' is not of the form path=value", setting);
        return;
    }
    memcpy(path, setting, (size_t)(equals - setting));
    path[equals - setting] = '\0';
    make_way(root, path);
    json_t *old = scene_at(root, path, &parent, last), *value = parse_value(equals + 1);
    bool set = json_is_object(parent) ? json_object_set(parent, last, value) == 0
                                      : old && replace_item(parent, old, value);
    json_decref(value);
    if (!set) {
        report_missing(f, root, path);
        return;
    }
    char numbered[SCENE_BODY_PATH];
    numbered_path(root, path, numbered);
    if (!scene_places_set(&f->places, numbered, setting))
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, path, "out of memory for the places of settings");
}
