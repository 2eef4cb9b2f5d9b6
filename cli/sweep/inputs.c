#include "sweep/inputs.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <stdlib.h>
#include <string.h>

// A scene names a glTF, which names its buffers.
enum { DEPTH = 2 };

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? pli_cli_format("%.*s", (int)(slash - path), path) : pli_cli_format(".");
}

static uint64_t add_file(uint64_t sum, const char *path, int depth);

// Adds each text in the value that is the name of a file in that folder.
static uint64_t add_named(uint64_t sum, const json_t *value, const char *folder, int depth)
{
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach ((json_t *)(uintptr_t)value, key, item)
        sum = add_named(sum, item, folder, depth);
    json_array_foreach (value, i, item)
        sum = add_named(sum, item, folder, depth);
    const char *text = json_string_value(value);
    if (!text || !text[0])
        return sum;
    char *path = text[0] == '/' ? pli_cli_format("%s", text) : pli_cli_format("%s/%s", folder, text);
    sum = add_file(sum, path, depth + 1);
    free(path);
    return sum;
}

static uint64_t add_file(uint64_t sum, const char *path, int depth)
{
    void *content = NULL;
    size_t size = 0;
    if (pli_cli_is_folder(path) || pli_cli_file_read(path, &content, &size, NULL) != PLI_STATUS_OK)
        return sum;
    sum = pli_cli_checksum(sum, &size, sizeof size);
    sum = pli_cli_checksum(sum, content, size);
    const char *extension = pli_cli_extension(path);
    const bool names = depth < DEPTH && (strcmp(extension, "json") == 0 || strcmp(extension, "gltf") == 0);
    json_t *parsed = names ? json_loadb(content, size, 0, NULL) : NULL;
    char *folder = folder_of(path);
    sum = add_named(sum, parsed, folder, depth);
    free(folder);
    json_decref(parsed);
    free(content);
    return sum;
}

uint64_t pli_cli_inputs_hash(const pli_cli_study *study)
{
    char *folder = folder_of(study->scene);
    uint64_t sum = pli_cli_checksum(PLI_CLI_CHECKSUM_START, pli_version(), strlen(pli_version()));
    sum = add_file(sum, study->scene, 0);
    for (int32_t k = 0; k < study->axis_count; k++)
        sum = add_named(sum, study->axes[k].values, folder, 0);
    for (int32_t i = 0; i < study->plugins.count; i++)
        sum = add_file(sum, study->plugins.paths[i], DEPTH);
    free(folder);
    return sum;
}
