// Opens recordings: files by their extension, folders of `pliant run` through their summary.
#define _POSIX_C_SOURCE 200809L
#include "caches/cache_read.h"

#include "caches/cache_formats.h"
#include "files/json_parse.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static pli_status open_file(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                            pli_error *error)
{
    char extension[16];
    pli_file_extension(path, extension);
    const pli_cache_row *row = pli_cache_row_of_extension(extension);
    if (row && row->face.can_read) {
        row = pli_cache_row_load(row, path, error);
        return row ? row->read(cache, place, path, mesh_path, error) : PLI_STATUS_UNSUPPORTED;
    }
    char readable[200];
    pli_cache_list(PLI_CACHE_LIST_READABLE, readable, sizeof readable);
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "'%s' is not a cache that can be opened; formats that can be read are %s", path, readable);
}

// Opens the files of the first cache that the summary lists. PC2 and MDD files contain one object each and are listed individually
// under "files". All files must be inside of the folder, whoever wrote the summary.
static pli_status open_listed(pli_cache *cache, const pli_place *place, const char *path, json_t *summary,
                              pli_error *error)
{
    json_t *caches = json_object_get(summary, "caches"), *first = json_array_get(caches, 0);
    json_t *files = json_object_get(first, "files"), *file;
    size_t i;
    pli_status status = json_array_size(files) > 0
                            ? PLI_STATUS_OK
                            : pli_fail(error, PLI_STATUS_PARSE, "'%s' lists no cache; run with --format", path);
    json_array_foreach (files, i, file) {
        const char *name = json_is_string(file) ? json_string_value(file) : "";
        bool outside = false;
        char *found = status == PLI_STATUS_OK && name[0] ? pli_place_beside(place, path, name, &outside) : NULL;
        if (status == PLI_STATUS_OK)
            status = found ? open_file(cache, place, found, NULL, error) : pli_place_fail(name, outside, error);
        free(found);
    }
    double rate = json_number_value(json_object_get(summary, "frames_per_second"));
    for (int32_t k = 0; rate > 0.0 && k < cache->count; k++)
        cache->readers[k].frames_per_second = rate;
    return status;
}

static pli_status open_folder(pli_cache *cache, const pli_place *place, const char *folder, pli_error *error)
{
    char *path = pli_file_join(folder, "summary.json"), *content = NULL;
    size_t size = 0;
    pli_status status = path ? pli_file_read(path, &content, &size, error) : pli_io_fail_memory(error);
    json_error_t where = {.text = ""};
    json_t *summary = status == PLI_STATUS_OK ? pli_json_parse(content, size, 0, &where) : NULL;
    free(content);
    if (summary)
        status = open_listed(cache, place, path, summary, error);
    else if (status == PLI_STATUS_OK)
        status = where.text[0] ? pli_fail(error, PLI_STATUS_PARSE, "%s:%d: %s", path, where.line, where.text)
                               : pli_io_fail_memory(error);
    json_decref(summary);
    free(path);
    return status;
}

pli_status pli_cache_open_at(const pli_place *place, const char *path, const char *mesh_path,
                             const pli_clip_choice *choice, pli_cache **cache, pli_error *error)
{
    struct stat info = {0};
    *cache = NULL;
    if (!place->source && stat(path, &info) != 0)
        return pli_io_fail_errno(error, "open", path);
    if (!place->source && !S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
        return pli_fail(error, PLI_STATUS_FILE, "'%s' is neither a file nor a folder", path);
    pli_cache *opened = calloc(1, sizeof *opened);
    if (!opened)
        return pli_io_fail_memory(error);
    if (choice)
        opened->choice = *choice;
    pli_status status = !place->source && S_ISDIR(info.st_mode) ? open_folder(opened, place, path, error)
                                                                : open_file(opened, place, path, mesh_path, error);
    if (status != PLI_STATUS_OK) {
        pli_cache_close(opened);
        return status;
    }
    *cache = opened;
    return status;
}

pli_status pli_cache_open(const char *path, const char *mesh_path, pli_cache **cache, pli_error *error)
{
    const pli_place disk = {0};
    return pli_cache_open_at(&disk, path, mesh_path, NULL, cache, error);
}

pli_status pli_cache_open_from(const pli_file_source *files, const char *path, const char *mesh_path, pli_cache **cache,
                               pli_error *error)
{
    const pli_place place = {.source = files};
    return pli_cache_open_at(&place, path, mesh_path, NULL, cache, error);
}

void pli_cache_close(pli_cache *cache)
{
    if (!cache)
        return;
    for (int32_t i = 0; i < cache->count; i++)
        cache->readers[i].close(&cache->readers[i]);
    free(cache->readers);
    free(cache);
}

int32_t pli_cache_frame_count(const pli_cache *cache)
{
    int32_t least = cache->count > 0 ? cache->readers[0].frame_count : 0;
    for (int32_t i = 1; i < cache->count; i++)
        least = cache->readers[i].frame_count < least ? cache->readers[i].frame_count : least;
    return least;
}

double pli_cache_frames_per_second(const pli_cache *cache)
{
    return cache->count > 0 ? cache->readers[0].frames_per_second : 60.0;
}

pli_cache_object pli_cache_object_at(const pli_cache *cache, int32_t object)
{
    if (object < 0 || object >= cache->count)
        return (pli_cache_object){0};
    return (pli_cache_object){cache->readers[object].name, cache->readers[object].mesh, {0.8f, 0.8f, 0.8f}};
}

static pli_status check_frame(const pli_cache *cache, int32_t object, int32_t frame, pli_error *error)
{
    if (object < 0 || object >= cache->count || frame < 0 || frame >= cache->readers[object].frame_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "no frame %d of object %d: the cache has %d frames of %d objects", (int)frame, (int)object,
                        (int)pli_cache_frame_count(cache), (int)cache->count);
    return pli_succeed(error);
}

pli_status pli_cache_frame_mesh(pli_cache *cache, int32_t object, int32_t frame, const pli_mesh **mesh,
                                pli_error *error)
{
    pli_status status = check_frame(cache, object, frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_cache_reader *reader = &cache->readers[object];
    *mesh = reader->mesh;
    return reader->faces ? reader->faces(reader, frame, mesh, error) : status;
}

pli_status pli_cache_read(pli_cache *cache, int32_t object, int32_t frame, float *positions, pli_error *error)
{
    pli_status status = check_frame(cache, object, frame, error);
    return status == PLI_STATUS_OK ? cache->readers[object].read(&cache->readers[object], frame, positions, error)
                                   : status;
}
