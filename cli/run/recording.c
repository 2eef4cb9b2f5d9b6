// Recorders of a run, and the names of their files.
#define _XOPEN_SOURCE 700
#include "run/recording.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Object names become parts of file names; equal names get a number.
static char *object_name(const pli_cli_recording *r, const char *given, int32_t object)
{
    char *name = given && given[0] ? pli_cli_format("%s", given) : pli_cli_format("object%d", (int)object);
    pli_cli_name_clean(name);
    for (int32_t i = 0; i < object; i++) {
        if (strcmp(name, r->objects[i].name) != 0)
            continue;
        char *longer = pli_cli_format("%s-%d", name, (int)object);
        free(name);
        return longer;
    }
    return name;
}

// The colour of an object's front, and the attributes that the file of its mesh gives in addition to its shape.
static void take_look(pli_cli_recording *r, int32_t deformable)
{
    if (!r->def.scene)
        return;
    r->objects[deformable].colour = pli_scene_get_look(r->def.scene, deformable).front;
    r->attributes[deformable] = pli_scene_mesh_attributes(r->def.scene, deformable);
}

static void add_object(pli_cli_recording *r, const char *name, const pli_mesh *mesh)
{
    int32_t i = r->object_count;
    r->objects[i] = (pli_cache_object){object_name(r, name, i), mesh, {0.8f, 0.8f, 0.8f}};
    r->object_count = i + 1;
}

// Collider meshes are recorded in world space.
static bool add_shell(pli_cli_recording *r, int32_t collider_mesh)
{
    const pli_mesh *mesh = r->collider_meshes.meshes[collider_mesh];
    int32_t i = r->object_count, count = pli_mesh_topology(mesh)->vertex_count;
    char *name = pli_cli_format("collider%d", (int)r->collider_meshes.numbers[collider_mesh]);
    add_object(r, name, mesh);
    if (r->def.scene)
        r->objects[i].colour = pli_scene_collider_colour(r->def.scene, r->collider_meshes.numbers[collider_mesh]);
    free(name);
    r->buffers[i] = calloc(3 * (size_t)count + 1, sizeof **r->buffers);
    r->positions[i] = (pli_view){r->buffers[i], count, 3 * sizeof(float)};
    return r->buffers[i] != NULL;
}

static pli_status allocate(pli_cli_recording *r, pli_world *world, pli_error *error)
{
    pli_status status = pli_cli_collider_meshes_open(world, &r->collider_meshes, error);
    if (status != PLI_STATUS_OK)
        return status;
    r->deformable_count = pli_world_deformable_count(world);
    size_t count = (size_t)r->deformable_count + (size_t)r->collider_meshes.count + 1;
    r->objects = calloc(count, sizeof *r->objects);
    r->positions = calloc(count, sizeof *r->positions);
    r->normals = calloc(count, sizeof *r->normals);
    r->buffers = calloc(count, sizeof *r->buffers);
    r->attributes = calloc(count, sizeof *r->attributes);
    r->vertex_counts = calloc(count, sizeof *r->vertex_counts);
    bool complete = r->objects && r->positions && r->normals && r->buffers && r->attributes && r->vertex_counts;
    for (int32_t i = 0; i < r->deformable_count && complete; i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        add_object(r, pli_deformable_name(world, deformable), pli_deformable_rest_mesh(world, deformable));
        take_look(r, i);
    }
    for (int32_t i = 0; i < r->collider_meshes.count && complete; i++)
        complete = add_shell(r, i);
    return complete ? PLI_STATUS_OK : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the recording");
}

// Torn cloth has different faces.
static pli_status update_meshes(pli_cli_recording *r, pli_world *world, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->deformable_count && status == PLI_STATUS_OK; i++) {
        const pli_mesh *mesh = NULL;
        status = pli_deformable_get_mesh(world, pli_world_deformable_at(world, i), &mesh, error);
        bool changed = status == PLI_STATUS_OK &&
                       (mesh != r->objects[i].mesh || pli_mesh_topology(mesh)->vertex_count != r->vertex_counts[i]);
        if (!changed)
            continue;
        r->objects[i].mesh = mesh;
        r->vertex_counts[i] = pli_mesh_topology(mesh)->vertex_count;
        for (int32_t k = 0; k < r->def.format_count && status == PLI_STATUS_OK; k++)
            if (r->recorders[k])
                status = pli_recorder_set_mesh(r->recorders[k], i, mesh, error);
    }
    return status;
}

// Formats whose faces may change from frame to frame.
static const char *changing_format(int32_t i)
{
    for (int32_t k = 0; k < pli_cache_format_count(); k++)
        if (pli_cache_format_at(k)->variable_topology && i-- == 0)
            return pli_cache_format_at(k)->name;
    return NULL;
}

static pli_status fixed_faces(const char *object, const char *format, pli_error *error)
{
    char list[200];
    pli_cli_choice_list(changing_format, list, sizeof list);
    return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "'%s' may tear, and a %s cache holds one set of faces; formats whose faces may change are %s",
                        object, format, list);
}

// Rejects a format with constant faces for a deformable that may tear, before the run instead of at its first tear.
static pli_status check_format(const pli_cli_recording *r, const char *name, pli_error *error)
{
    for (int32_t i = 0; i < r->deformable_count; i++) {
        pli_tearing tearing;
        pli_status status = pli_deformable_get_tearing(r->def.world, pli_world_deformable_at(r->def.world, i), &tearing,
                                                       error);
        bool tears = tearing.stretch < INFINITY || tearing.force < INFINITY;
        for (int32_t k = 0; k < pli_cache_format_count() && status == PLI_STATUS_OK && tears; k++)
            if (strcmp(pli_cache_format_at(k)->name, name) == 0 && !pli_cache_format_at(k)->variable_topology)
                return fixed_faces(r->objects[i].name, name, error);
    }
    return PLI_STATUS_OK;
}

static pli_status open_recorder(pli_cli_recording *r, int32_t i, pli_error *error)
{
    const pli_cli_recording_def *def = &r->def;
    pli_recorder_def recorder_def = pli_recorder_def_default();
    recorder_def.directory = def->folder;
    recorder_def.name = def->name;
    recorder_def.format = def->formats[i];
    recorder_def.objects = r->objects;
    recorder_def.object_count = r->object_count;
    recorder_def.frames_per_second = def->frames_per_second;
    recorder_def.frame_count = def->frame_count;
    recorder_def.attributes = r->attributes;
    if (def->scene)
        recorder_def.up = pli_scene_get_view(def->scene).up;
    recorder_def.resume_frame = def->resume_frame;
    return pli_recorder_open(&recorder_def, &r->recorders[i], error);
}

static pli_status open_all(pli_cli_recording *r, pli_error *error)
{
    pli_status status = update_meshes(r, r->def.world, error);
    for (int32_t i = 0; i < r->def.format_count && status == PLI_STATUS_OK; i++)
        status = check_format(r, r->def.formats[i], error);
    for (int32_t i = 0; i < r->def.format_count && status == PLI_STATUS_OK; i++)
        status = open_recorder(r, i, error);
    if (status != PLI_STATUS_OK)
        pli_cli_recording_close(r, NULL);
    return status;
}

pli_status pli_cli_recording_open(const pli_cli_recording_def *def, pli_cli_recording *recording, pli_error *error)
{
    *recording = (pli_cli_recording){.def = *def};
    // Otherwise later frames of an earlier run would seem to belong to this one.
    for (int32_t i = 0; i < def->format_count; i++)
        pli_cli_remove_numbered(def->folder, def->name, def->formats[i], def->resume_frame);
    pli_status status = allocate(recording, def->world, error);
    if (recording->object_count == 0) // Bodies and analytic shapes alone have pictures, figures and a summary.
        recording->def.format_count = 0;
    return status == PLI_STATUS_OK ? open_all(recording, error) : status;
}

pli_status pli_cli_recording_secure(pli_cli_recording *r, int32_t frame_count, pli_error *error)
{
    pli_status status = pli_cli_recording_close(r, error);
    r->def.resume_frame = frame_count;
    return status == PLI_STATUS_OK ? open_all(r, error) : status;
}

pli_status pli_cli_recording_add(pli_cli_recording *r, pli_world *world, pli_error *error)
{
    for (int32_t i = 0; i < r->deformable_count; i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        r->positions[i] = pli_deformable_positions(world, deformable);
        r->normals[i] = pli_deformable_normals(world, deformable);
        if (r->normals[i].count < r->positions[i].count)
            return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the normals of '%s'",
                                r->objects[i].name);
    }
    for (int32_t i = r->deformable_count; i < r->object_count; i++)
        pli_cli_collider_mesh_positions(&r->collider_meshes, world, i - r->deformable_count, r->buffers[i]);
    pli_status status = update_meshes(r, world, error);
    for (int32_t i = 0; i < r->def.format_count && status == PLI_STATUS_OK; i++)
        status = pli_recorder_add(r->recorders[i], r->positions, r->normals, error);
    return status;
}

pli_status pli_cli_recording_close(pli_cli_recording *r, pli_error *error)
{
    pli_status first = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->def.format_count; i++) {
        pli_status status = pli_recorder_close(r->recorders[i], first == PLI_STATUS_OK ? error : NULL);
        r->recorders[i] = NULL;
        if (first == PLI_STATUS_OK)
            first = status;
    }
    return first;
}

void pli_cli_recording_release(pli_cli_recording *r)
{
    for (int32_t i = 0; i < r->object_count; i++) {
        free((char *)(uintptr_t)r->objects[i].name);
        free(r->buffers[i]);
    }
    free(r->objects);
    pli_cli_collider_meshes_close(&r->collider_meshes);
    free(r->vertex_counts);
    free(r->attributes);
    free(r->buffers);
    free(r->positions);
    free(r->normals);
    *r = (pli_cli_recording){0};
}

/* ---- written files -------------------------------------------------------------------------- */

static bool append_if_there(json_t *files, const pli_cli_recording *r, const char *file)
{
    char *path = pli_cli_format("%s/%s", r->def.folder, file);
    bool there = access(path, R_OK) == 0;
    free(path);
    if (there)
        json_array_append_new(files, json_string(file));
    return there;
}

// The first file of an object: one per object or one for all, numbered or not, depending on the format.
static json_t *files_json(const pli_cli_recording *r, const char *extension)
{
    static const char *const numbers[] = {"_0000", ""};
    json_t *files = json_array();
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers && json_array_size(files) == 0; n++) {
        char *file = pli_cli_format("%s%s.%s", r->def.name, numbers[n], extension);
        bool one = append_if_there(files, r, file);
        free(file);
        for (int32_t i = 0; i < r->object_count && !one; i++) {
            file = pli_cli_format("%s_%s%s.%s", r->def.name, r->objects[i].name, numbers[n], extension);
            append_if_there(files, r, file);
            free(file);
        }
    }
    return files;
}

static const char *format_extension(const char *name)
{
    for (int32_t i = 0; i < pli_cache_format_count(); i++)
        if (strcmp(pli_cache_format_at(i)->name, name) == 0)
            return pli_cache_format_at(i)->extension;
    return name;
}

json_t *pli_cli_recording_json(const pli_cli_recording *r)
{
    json_t *caches = json_array();
    for (int32_t i = 0; i < r->def.format_count; i++) {
        json_t *objects = json_array(), *files = files_json(r, format_extension(r->def.formats[i]));
        for (int32_t k = 0; k < r->object_count; k++)
            json_array_append_new(objects, json_string(r->objects[k].name));
        const char *first = json_string_value(json_array_get(files, 0));
        json_t *row = json_pack("{s:s, s:o}", "format", r->def.formats[i], "objects", objects);
        json_object_set_new(row, "path", first ? json_string(first) : json_null());
        json_object_set_new(row, "files", files);
        json_array_append_new(caches, row);
    }
    return caches;
}
