// A scene's title is read from its file; its picture is in docs/pictures/gallery. The data of an experiment are in its
// verdict, and its picture is in its report, if that has been built (scripts/build-reports).
#define _XOPEN_SOURCE 700
#include "files/shipped.h"

#include "frame/folders.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"

#include <jansson.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pli_view_shipped *grow(pli_view_gallery *g)
{
    pli_view_shipped *grown = realloc(g->scenes, ((size_t)g->count + 1) * sizeof *grown);
    if (grown)
        g->scenes = grown;
    return grown ? &grown[g->count] : NULL;
}

// Returns the path if it can be read, else null; takes ownership of it.
static char *readable(char *path)
{
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static void add(pli_view_gallery *g, const char *folder, const char *name)
{
    char *path = pli_cli_format("%s/%s", folder, name), *stem = pli_cli_stem(name);
    json_t *root = json_load_file(path, 0, NULL);
    const char *title = json_string_value(json_object_get(root, "title"));
    pli_view_shipped *to = grow(g);
    if (to && json_object_get(root, "pliant")) {
        char *picture = readable(pli_cli_format("%s/../docs/pictures/gallery/%s.png", folder, stem));
        *to = (pli_view_shipped){.path = path, .title = pli_cli_format("%s", title ? title : stem), .picture = picture};
        g->count++;
        path = NULL;
    }
    json_decref(root);
    free(path);
    free(stem);
}

static int by_title(const void *a, const void *b)
{
    return strcmp(((const pli_view_shipped *)a)->title, ((const pli_view_shipped *)b)->title);
}

static void read_folder(pli_view_gallery *g, const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (strcmp(pli_cli_extension(entry->d_name), "json") == 0)
            add(g, folder, entry->d_name);
    if (directory)
        closedir(directory);
    if (g->count > 0)
        qsort(g->scenes, (size_t)g->count, sizeof *g->scenes, by_title);
}

/* ---- experiments -------------------------------------------------------------------------------- */

// Experiments that use the world of a shipped scene.
static const struct {
    const char *name, *scene;
} about[] = {{"chapter-isometric", "dress.json"},
             {"kelager-fig1", "plant.json"},
             {"kelager-fig2", "kappa-live.json"},
             {"kelager-fig9", "spot-stands.json"},
             {"mueller-fig8", "stripes-bodies.json"}};

// The second picture of a report, which shows more than the start, or else the first one; null without a report.
static char *picture_in(const char *folder)
{
    static const char *const endings[] = {"-01.png", "-00.png"};
    char *found = NULL;
    for (size_t k = 0; k < sizeof endings / sizeof *endings && !found; k++) {
        DIR *directory = opendir(folder);
        for (struct dirent *entry; directory && !found && (entry = readdir(directory));) {
            const size_t length = strlen(entry->d_name), end = strlen(endings[k]);
            if (length > end && strcmp(entry->d_name + length - end, endings[k]) == 0)
                found = pli_cli_format("%s/%s", folder, entry->d_name);
        }
        if (directory)
            closedir(directory);
    }
    return found;
}

// Reports are in the build tree of the sources, or installed.
static char *picture_of(const char *scenes, const char *name)
{
    static const char *const places[] = {"build/reports/experiments", "reports/experiments"};
    char *found = NULL;
    for (size_t k = 0; k < sizeof places / sizeof *places && !found; k++) {
        char *folder = pli_cli_format("%s/../%s/%s", scenes, places[k], name);
        found = picture_in(folder);
        free(folder);
    }
    return found;
}

static void add_experiment(pli_view_gallery *g, const char *scenes, const char *verdicts, const char *file)
{
    char *name = pli_cli_stem(file), *path = pli_cli_format("%s/%s", verdicts, file);
    json_t *root = json_load_file(path, 0, NULL);
    const char *title = json_string_value(json_object_get(root, "title"));
    const char *source = json_string_value(json_object_get(root, "source"));
    pli_view_shipped *to = title && source ? grow(g) : NULL;
    if (to) {
        *to = (pli_view_shipped){
            .title = pli_cli_format("%s", title),
            .picture = picture_of(scenes, name),
            .name = pli_cli_format("%s", name),
            .source = pli_cli_format("%s", source),
            .claims = (int32_t)json_array_size(json_object_get(root, "claims")),
            .holding = (int32_t)json_integer_value(json_object_get(root, "holding")),
        };
        for (size_t k = 0; k < sizeof about / sizeof *about; k++)
            if (strcmp(about[k].name, name) == 0)
                to->path = readable(pli_cli_format("%s/%s", scenes, about[k].scene));
        g->count++;
    }
    json_decref(root);
    free(path);
    free(name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const pli_view_shipped *)a)->name, ((const pli_view_shipped *)b)->name);
}

// In the sources, or installed.
static DIR *open_verdicts(const char *scenes, char **folder)
{
    *folder = pli_cli_format("%s/../lab/verdicts", scenes);
    DIR *directory = opendir(*folder);
    if (!directory) {
        free(*folder);
        *folder = pli_cli_format("%s/../verdicts", scenes);
        directory = opendir(*folder);
    }
    return directory;
}

static void read_experiments(pli_view_gallery *g, const char *scenes)
{
    char *folder;
    DIR *directory = open_verdicts(scenes, &folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (strcmp(pli_cli_extension(entry->d_name), "json") == 0)
            add_experiment(g, scenes, folder, entry->d_name);
    if (directory)
        closedir(directory);
    if (g->count > g->scene_count)
        qsort(g->scenes + g->scene_count, (size_t)(g->count - g->scene_count), sizeof *g->scenes, by_name);
    free(folder);
}

void pli_view_gallery_find(pli_view_gallery *g)
{
    char *folder = pli_cli_shipped_folder();
    *g = (pli_view_gallery){0};
    if (folder)
        read_folder(g, folder);
    g->scene_count = g->count;
    if (folder)
        read_experiments(g, folder);
    free(folder);
}

void pli_view_gallery_release(pli_view_gallery *g)
{
    for (int32_t i = 0; i < g->count; i++) {
        free(g->scenes[i].path);
        free(g->scenes[i].title);
        free(g->scenes[i].picture);
        free(g->scenes[i].name);
        free(g->scenes[i].source);
    }
    free(g->scenes);
    *g = (pli_view_gallery){0};
}
