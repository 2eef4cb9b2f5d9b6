// A scene's title is read from its file; its picture is that of docs/pictures/gallery.
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

static void add(pli_view_gallery *g, const char *folder, const char *name)
{
    char *path = pli_cli_format("%s/%s", folder, name), *stem = pli_cli_stem(name);
    json_t *root = json_load_file(path, 0, NULL);
    const char *title = json_string_value(json_object_get(root, "title"));
    pli_view_shipped *grown = realloc(g->scenes, ((size_t)g->count + 1) * sizeof *grown);
    if (grown)
        g->scenes = grown;
    if (grown && json_object_get(root, "pliant")) {
        char *picture = pli_cli_format("%s/../docs/pictures/gallery/%s.png", folder, stem);
        if (access(picture, R_OK) != 0) {
            free(picture);
            picture = NULL;
        }
        g->scenes[g->count++] = (pli_view_shipped){path, pli_cli_format("%s", title ? title : stem), picture};
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

void pli_view_gallery_find(pli_view_gallery *g)
{
    char *folder = pli_cli_shipped_folder();
    *g = (pli_view_gallery){0};
    if (folder)
        read_folder(g, folder);
    free(folder);
}

void pli_view_gallery_release(pli_view_gallery *g)
{
    for (int32_t i = 0; i < g->count; i++) {
        free(g->scenes[i].path);
        free(g->scenes[i].title);
        free(g->scenes[i].picture);
    }
    free(g->scenes);
    *g = (pli_view_gallery){0};
}
