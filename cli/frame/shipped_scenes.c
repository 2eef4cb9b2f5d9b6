// The program's own path comes from the system, so that no build path is compiled in.
#define _XOPEN_SOURCE 700
#include "frame/shipped_scenes.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *pli_cli_shipped_folder(void)
{
    static const char *const beside[] = {"../share/pliant/scenes", "../../scenes", "../../../scenes"};
    const char *named = getenv("PLIANT_SCENES");
    if (named && pli_cli_is_folder(named))
        return pli_cli_format("%s", named);
    char here[4000];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(here, '/');
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
        char *folder = pli_cli_format("%.*s/%s", (int)(slash - here), here, beside[i]);
        if (pli_cli_is_folder(folder))
            return folder;
        free(folder);
    }
    return pli_cli_is_folder("scenes") ? pli_cli_format("scenes") : NULL;
}

// The path within the shipped folder, without the leading folders that it may name: scenes/meshes/spot.obj becomes spot.obj.
static const char *without_folders(const char *file)
{
    static const char *const within[] = {"scenes/", "meshes/"};
    for (size_t i = 0; i < sizeof within / sizeof *within; i++)
        if (strncmp(file, within[i], strlen(within[i])) == 0)
            file += strlen(within[i]);
    return file;
}

// A readable file of that name in a subfolder of the shipped folder, if there is one.
static char *in_shipped_folder(const char *below, const char *file)
{
    const char *name = without_folders(file);
    char *folder = file[0] == '/' || strchr(name, '/') ? NULL : pli_cli_shipped_folder();
    char *found = folder ? pli_cli_format("%s/%s%s", folder, below, name) : NULL;
    free(folder);
    if (found && access(found, R_OK) == 0)
        return found;
    free(found);
    return NULL;
}

char *pli_cli_named_scene(const char *path)
{
    const bool has_extension = pli_cli_extension(path)[0] != '\0';
    if (access(path, F_OK) == 0 || (has_extension && strcmp(pli_cli_extension(path), "json") != 0))
        return NULL;
    char *file = pli_cli_format("%s%s", path, has_extension ? "" : ".json");
    if (!has_extension && access(file, R_OK) == 0)
        return file;
    char *found = in_shipped_folder("", file);
    free(file);
    return found;
}

char *pli_cli_named_mesh(const char *path)
{
    return access(path, F_OK) == 0 || strchr(path, ':') ? NULL : in_shipped_folder("meshes/", path);
}
