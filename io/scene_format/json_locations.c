// Scans text that is known to be valid JSON once.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/json_locations.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LENGTH = 400, DEPTH_MAX = 64 };

typedef struct scanner {
    const char *at, *end, *line_start;
    int line;
    scene_places *places;
    char path[PATH_LENGTH];
    bool failed;
} scanner;

static void skip_space(scanner *s)
{
    for (; s->at < s->end && isspace((unsigned char)*s->at); s->at++) {
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        }
    }
}

static bool append(scene_places *p, const char *path, scene_place place)
{
    if (p->count == p->capacity) {
        int capacity = 2 * p->capacity + 64;
        scene_place *items = realloc(p->items, (size_t)capacity * sizeof *items);
        if (!items)
            return false;
        p->items = items;
        p->capacity = capacity;
    }
    place.path = strdup(path);
    if (place.path)
        p->items[p->count++] = place;
    return place.path != NULL;
}

static void note(scanner *s, const char *start)
{
    scene_place place = {.line = s->line, .column = (int)(start - s->line_start) + 1};
    s->failed = !append(s->places, s->path, place) || s->failed;
}

// Skips a string and copies as much of it as fits, with its escape sequences.
static void scan_string(scanner *s, char *copy, size_t size)
{
    size_t length = 0;
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
        if (length + 1 < size)
            copy[length++] = *s->at;
    }
    if (size > 0)
        copy[length] = '\0';
    s->at++;
}

static void scan_value(scanner *s, int depth);

static void scan_object(scanner *s, int depth)
{
    size_t length = strlen(s->path);
    for (s->at++, skip_space(s); s->at < s->end && *s->at != '}' && !s->failed;) {
        char key[128];
        const char *start = s->at;
        if (*s->at != '"')
            return;
        scan_string(s, key, sizeof key);
        snprintf(s->path + length, sizeof s->path - length, "%s%s", length ? "." : "", key);
        note(s, start);
        skip_space(s);
        s->at++;
        scan_value(s, depth + 1);
        s->path[length] = '\0';
        skip_space(s);
        if (s->at < s->end && *s->at == ',')
            s->at++;
        skip_space(s);
    }
    s->at++;
}

static void scan_array(scanner *s, int depth)
{
    size_t length = strlen(s->path);
    s->at++;
    skip_space(s);
    for (int i = 0; s->at < s->end && *s->at != ']' && !s->failed; i++) {
        const char *start = s->at;
        snprintf(s->path + length, sizeof s->path - length, "[%d]", i);
        note(s, start);
        scan_value(s, depth + 1);
        s->path[length] = '\0';
        skip_space(s);
        if (s->at < s->end && *s->at == ',')
            s->at++;
        skip_space(s);
    }
    s->at++;
}

static void scan_value(scanner *s, int depth)
{
    skip_space(s);
    if (s->at >= s->end || depth > DEPTH_MAX) {
        s->at = s->end;
        return;
    }
    if (*s->at == '{')
        scan_object(s, depth);
    else if (*s->at == '[')
        scan_array(s, depth);
    else if (*s->at == '"')
        scan_string(s, NULL, 0);
    else
        do
            s->at++;
        while (s->at < s->end && *s->at != ',' && *s->at != ']' && *s->at != '}' && !isspace((unsigned char)*s->at));
}

bool scene_places_find(scene_places *places, const char *text, size_t size)
{
    scanner s = {.at = text, .end = text + size, .line_start = text, .line = 1, .places = places};
    scan_value(&s, 0);
    return !s.failed;
}

bool scene_places_set(scene_places *places, const char *path, const char *setting)
{
    size_t length = strlen(path);
    int kept = 0;
    for (int i = 0; i < places->count; i++) {
        char *other = places->items[i].path;
        if (strncmp(other, path, length) == 0 && strchr(".[", other[length])) // This also matches the final zero.
            free(other);
        else
            places->items[kept++] = places->items[i];
    }
    places->count = kept;
    return append(places, path, (scene_place){.setting = setting});
}

const scene_place *scene_places_at(const scene_places *places, const char *path)
{
    char shorter[PATH_LENGTH];
    snprintf(shorter, sizeof shorter, "%s", path);
    while (shorter[0]) {
        for (int i = 0; i < places->count; i++)
            if (strcmp(places->items[i].path, shorter) == 0)
                return &places->items[i];
        char *dot = strrchr(shorter, '.'), *bracket = strrchr(shorter, '[');
        char *cut = dot > bracket ? dot : bracket;
        if (!cut)
            break;
        *cut = '\0';
    }
    return NULL;
}

void scene_places_release(scene_places *places)
{
    for (int i = 0; i < places->count; i++)
        free(places->items[i].path);
    free(places->items);
    *places = (scene_places){0};
}
