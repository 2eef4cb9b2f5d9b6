// pliant convert: mesh files into mesh files, caches into caches, and one frame into a mesh.
#include "frame/options.h"
#include "frame/terminal.h"
#include "frame/folders.h"
#include "sources/mesh_source.h"
#include "frame/strings.h"

#include <pliant/cache.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_MESH, OPTION_FRAME, OPTION_REPAIR, OPTION_WELD };

// The source of a conversion: the frames of a cache, or a mesh that counts as one frame.
typedef struct origin {
    pli_cache *cache; // Null for a mesh.
    pli_mesh *mesh;   // Null for a cache.
    int32_t first, count;
    double frames_per_second;
    int32_t object_count;
    pli_cache_object *objects;
    float **positions; // One frame of each object.
    pli_view *views;
} origin;

static bool lists(const char *words, const char *extension)
{
    size_t length = strlen(extension);
    for (const char *at = words; length > 0 && (at = strstr(at, extension)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static const pli_mesh_format *find_mesh_format(const char *extension)
{
    for (int32_t i = 0; i < pli_mesh_format_count(); i++)
        if (lists(pli_mesh_format_at(i)->extensions, extension))
            return pli_mesh_format_at(i);
    return NULL;
}

static const pli_cache_format *find_cache_format(const char *extension)
{
    for (int32_t i = 0; i < pli_cache_format_count(); i++)
        if (strcmp(pli_cache_format_at(i)->extension, extension) == 0)
            return pli_cache_format_at(i);
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static pli_status fail_memory(pli_error *error)
{
    return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
}

// OBJ, PLY and glTF are formats of caches and of meshes: a file without a sequence of frames is a mesh.
static pli_status open_origin(const pli_cli_arguments *arguments, origin *o, pli_error *error)
{
    const char *path = arguments->operands[0], *extension = pli_cli_extension(path);
    bool cache = pli_cli_is_folder(path) || find_cache_format(extension);
    const pli_mesh_format *mesh = pli_cli_is_folder(path) ? NULL : find_mesh_format(extension);
    pli_status status = PLI_STATUS_UNSUPPORTED;
    if (cache)
        status = pli_cache_open(path, pli_cli_text(arguments, OPTION_MESH), &o->cache, error);
    bool moving = status == PLI_STATUS_OK && pli_cache_frame_count(o->cache) > 1;
    // A file that is damaged, or that could not be read for lack of memory, is not opened as a mesh either.
    const bool damaged = status == PLI_STATUS_OUT_OF_MEMORY || status == PLI_STATUS_PARSE;
    if (moving || damaged || (cache && !(mesh && mesh->can_read)))
        return status;
    pli_cache_close(o->cache);
    o->cache = NULL;
    return pli_cli_mesh_load(path, pli_cli_flag(arguments, OPTION_REPAIR), pli_cli_flag(arguments, OPTION_WELD),
                             &o->mesh, NULL, error);
}

static pli_status choose_frames(const pli_cli_arguments *arguments, origin *o, pli_error *error)
{
    int32_t frame = pli_cli_whole(arguments, OPTION_FRAME, -1);
    o->count = o->cache ? pli_cache_frame_count(o->cache) : 1;
    o->frames_per_second = o->cache ? pli_cache_frames_per_second(o->cache) : 60.0;
    o->object_count = o->cache ? pli_cache_object_count(o->cache) : 1;
    if (o->count < 1 || frame >= o->count)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "'%s' has %d frames, so there is no frame %d",
                            arguments->operands[0], (int)o->count, (int)(frame < 0 ? 0 : frame));
    if (frame < 0)
        return PLI_STATUS_OK;
    o->first = frame;
    o->count = 1;
    return PLI_STATUS_OK;
}

static pli_status allocate(origin *o, pli_error *error)
{
    size_t count = (size_t)o->object_count;
    o->objects = calloc(count, sizeof *o->objects);
    o->positions = calloc(count, sizeof *o->positions);
    o->views = calloc(count, sizeof *o->views);
    if (!o->objects || !o->positions || !o->views)
        return fail_memory(error);
    for (int32_t i = 0; i < o->object_count; i++) {
        o->objects[i] = o->cache ? pli_cache_object_at(o->cache, i)
                                 : (pli_cache_object){"mesh", o->mesh, {0.8f, 0.8f, 0.8f}};
        const pli_topology *topology = pli_mesh_topology(o->objects[i].mesh);
        o->views[i] = (pli_view){topology->positions, topology->vertex_count, 12};
        if (!o->cache)
            continue;
        o->positions[i] = calloc((size_t)topology->vertex_count + 1, 12);
        if (!o->positions[i])
            return fail_memory(error);
        o->views[i].data = o->positions[i];
    }
    return PLI_STATUS_OK;
}

static pli_status read_frame(origin *o, int32_t frame, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; o->cache && i < o->object_count && status == PLI_STATUS_OK; i++)
        status = pli_cache_read(o->cache, i, frame, o->positions[i], error);
    return status;
}

static void close_origin(origin *o)
{
    for (int32_t i = 0; o->positions && i < o->object_count; i++)
        free(o->positions[i]);
    free(o->positions);
    free(o->views);
    free(o->objects);
    pli_cache_close(o->cache);
    pli_mesh_destroy(o->mesh);
}

/* ---- writing -------------------------------------------------------------------------------- */

static pli_status write_frames(origin *o, pli_recorder *recorder, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < o->count && status == PLI_STATUS_OK; i++) {
        status = read_frame(o, o->first + i, error);
        if (status == PLI_STATUS_OK)
            status = pli_recorder_add(recorder, o->views, NULL, error);
    }
    return status;
}

static pli_status write_cache(origin *o, const char *path, const char *format, pli_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pli_cli_format("%.*s", (int)(slash == path ? 1 : slash - path), path) : pli_cli_format(".");
    char *name = pli_cli_stem(path);
    // "name_0000.obj" names the sequence as well as "name.obj" does.
    size_t length = strlen(name), digits = 0;
    while (digits < length && isdigit((unsigned char)name[length - 1 - digits]))
        digits++;
    if (digits >= 4 && digits < length && name[length - 1 - digits] == '_')
        name[length - 1 - digits] = '\0';
    pli_recorder_def def = pli_recorder_def_default();
    def.directory = folder;
    def.name = name;
    def.format = format;
    def.objects = o->objects;
    def.object_count = o->object_count;
    def.frames_per_second = o->frames_per_second;
    def.frame_count = o->count;
    pli_recorder *recorder = NULL;
    pli_status status = pli_recorder_open(&def, &recorder, error);
    if (status == PLI_STATUS_OK) {
        status = write_frames(o, recorder, error);
        if (status == PLI_STATUS_OK)
            printf("%s: %d frame%s of %d object%s at %g frames/s\n", pli_recorder_path(recorder), (int)o->count,
                   o->count == 1 ? "" : "s", (int)o->object_count, o->object_count == 1 ? "" : "s",
                   o->frames_per_second);
        pli_status closed = pli_recorder_close(recorder, status == PLI_STATUS_OK ? error : NULL);
        status = status == PLI_STATUS_OK ? closed : status;
    }
    free(folder);
    free(name);
    return status;
}

static pli_status write_mesh(origin *o, const char *path, pli_error *error)
{
    pli_status status = read_frame(o, o->first, error);
    if (status == PLI_STATUS_OK)
        status = pli_mesh_write(path, o->objects[0].mesh, o->views[0], (pli_view){0}, error);
    if (status == PLI_STATUS_OK)
        printf("%s: %d vertices, %d faces\n", path, (int)o->views[0].count,
               (int)pli_mesh_topology(o->objects[0].mesh)->face_count);
    return status;
}

static pli_status convert(const pli_cli_arguments *arguments, origin *o, pli_error *error)
{
    const char *path = arguments->operands[1], *extension = pli_cli_extension(path);
    const pli_mesh_format *mesh = find_mesh_format(extension);
    pli_status status = open_origin(arguments, o, error);
    if (status == PLI_STATUS_OK)
        status = choose_frames(arguments, o, error);
    if (status == PLI_STATUS_OK)
        status = allocate(o, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (mesh && mesh->can_write && o->count == 1 && o->object_count == 1)
        return write_mesh(o, path, error);
    return write_cache(o, path, find_cache_format(extension)->name, error);
}

static bool reads_mesh(const char *name)
{
    for (int32_t i = 0; i < pli_mesh_format_count(); i++)
        if (strcmp(pli_mesh_format_at(i)->name, name) == 0)
            return pli_mesh_format_at(i)->can_read;
    return false;
}

// Readable formats: first those of meshes, then those of caches alone.
static const char *readable_format(int32_t i)
{
    for (int32_t k = 0; k < pli_mesh_format_count(); k++)
        if (pli_mesh_format_at(k)->can_read && i-- == 0)
            return pli_mesh_format_at(k)->name;
    for (int32_t k = 0; k < pli_cache_format_count(); k++)
        if (pli_cache_format_at(k)->can_read && !reads_mesh(pli_cache_format_at(k)->name) && i-- == 0)
            return pli_cache_format_at(k)->name;
    return NULL;
}

static const char *writable_format(int32_t i)
{
    const pli_cache_format *format = pli_cache_format_at(i);
    return format ? format->name : NULL;
}

static pli_cli_exit run_convert(const pli_cli_arguments *arguments)
{
    const char *path = arguments->operands[1];
    origin o = {0};
    pli_error error;
    char list[200];
    pli_cli_choice_list(writable_format, list, sizeof list);
    if (!find_cache_format(pli_cli_extension(path)))
        return pli_cli_complain(PLI_CLI_WRONG_USE, "convert: unknown output format '%s'; known are %s", path, list);
    pli_status status = convert(arguments, &o, &error);
    close_origin(&o);
    return status == PLI_STATUS_OK ? PLI_CLI_DONE : pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
}

static const pli_cli_operand operands[] = {
    {.name = "IN",
     .summary = "A folder of pliant run, a shape (" PLI_CLI_SHAPES
                "), the first file of a sequence (name_0000.obj), or a mesh or "
                "cache file, by its extension",
     .kind = PLI_CLI_FILE,
     .listed = readable_format},
    {.name = "OUT",
     .summary = "A file whose extension says the format; several frames become name_0000.obj, name_0001.obj, ... in "
                "formats of "
                "one "
                "file a frame. The formats",
     .kind = PLI_CLI_FILE,
     .listed = writable_format},
};

static const pli_cli_option options[] = {
    [OPTION_MESH] = PLI_CLI_OPTION_FACES,
    [OPTION_FRAME] = {.name = "frame",
                      .letter = 'n',
                      .kind = PLI_CLI_WHOLE,
                      .value = "N",
                      .maximum = 10000000,
                      .summary = "Take only this frame, from 0"},
    [OPTION_REPAIR] = {.name = "repair",
                       .kind = PLI_CLI_FLAG,
                       .summary = "Repair a mesh that would be refused; see pliant inspect --help"},
    [OPTION_WELD] = {.name = "weld",
                     .kind = PLI_CLI_FLAG,
                     .summary = "Merge a mesh's vertices within a millionth of its size"},
};

static const pli_cli_example examples[] = {
    {"pliant convert scan.stl scan.obj", "A mesh in another format"},
    {"pliant convert out/first first.pc2", "A run's animation for Blender's Mesh Cache modifier"},
    {"pliant convert first.gltf frames_0000.ply", "An animation as a file a frame"},
    {"pliant convert out/first last.obj --frame 120", "One frame as a mesh"},
};

const pli_cli_command pli_cli_row_convert = {
    .name = "convert",
    .summary = "Convert mesh files and caches",
    .description = "Converts between mesh files, and between caches. Vertex order and polygons are kept.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_convert,
};
