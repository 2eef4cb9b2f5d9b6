// Recordings: checks, names, and the call order of a format's functions.
#define _POSIX_C_SOURCE 200809L
#include "caches/recorder.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

pli_recorder_def pli_recorder_def_default(void)
{
    return (pli_recorder_def){.directory = ".", .name = "pliant", .frames_per_second = 60.0, .up = {0.0f, 1.0f, 0.0f}};
}

static char *file_name(const char *name, int32_t object)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "object%d", (int)object);
    char *copy = strdup(name && name[0] ? name : numbered);
    for (char *c = copy; c && *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '_';
    return copy;
}

// Objects with equal file names get their number appended.
static bool name_objects(pli_recorder *r, const pli_cache_object *objects)
{
    for (int32_t i = 0; i < r->object_count; i++) {
        r->objects[i] = objects[i];
        char *name = file_name(objects[i].name, i);
        for (int32_t j = 0; name && j < i; j++) {
            if (strcmp(name, r->objects[j].name) != 0)
                continue;
            size_t length = strlen(name) + 16;
            char *longer = malloc(length);
            if (longer)
                snprintf(longer, length, "%s-%d", name, (int)i);
            free(name);
            name = longer;
            break;
        }
        r->objects[i].name = name;
        if (!name)
            return false;
    }
    return true;
}

static void release(pli_recorder *r)
{
    for (int32_t i = 0; r->objects && i < r->object_count; i++)
        free((char *)r->objects[i].name);
    free(r->objects);
    free(r->directory);
    free(r->name);
    free(r->path);
    free(r->state);
    free(r);
}

static pli_status unknown_format(const char *format, pli_error *error)
{
    char names[200];
    pli_cache_list(PLI_CACHE_LIST_ALL, names, sizeof names);
    return pli_fail(error, PLI_STATUS_NOT_FOUND, "no cache format is called '%s'; there are %s", format ? format : "",
                    names);
}

static pli_status check(const pli_recorder_def *def, pli_error *error)
{
    if (!pli_cache_row_named(def->format))
        return unknown_format(def->format, error);
    if (def->object_count < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "there is nothing to record: no object");
    if (!(def->frames_per_second > 0.0) || def->frame_count < 0 || def->resume_frame < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "frames per second must be positive and frame counts "
                        "not negative");
    return pli_succeed(error);
}

static pli_recorder *allocate(const pli_recorder_def *def, const pli_cache_row *row)
{
    pli_recorder *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->row = row;
    r->directory = strdup(def->directory);
    r->name = file_name(def->name, 0);
    r->objects = calloc((size_t)def->object_count, sizeof *r->objects);
    r->state = calloc(1, r->row->state_size);
    r->object_count = def->object_count;
    r->frames_per_second = def->frames_per_second;
    r->up = def->up;
    r->attributes = def->attributes;
    r->frame_count = def->frame_count;
    r->frame = r->resume_frame = def->resume_frame;
    if (r->directory && r->name && r->objects && r->state && name_objects(r, def->objects))
        return r;
    release(r);
    return NULL;
}

pli_status pli_recorder_open(const pli_recorder_def *def, pli_recorder **recorder, pli_error *error)
{
    *recorder = NULL;
    pli_status status = check(def, error);

    if (status != PLI_STATUS_OK)
        return status;
    const pli_cache_row *row = pli_cache_row_load(pli_cache_row_named(def->format), def->format, error);
    if (!row)
        return PLI_STATUS_UNSUPPORTED;
    pli_recorder *r = allocate(def, row);
    if (!r)
        return pli_io_fail_memory(error);
    status = r->row->open(r, error);
    if (status == PLI_STATUS_OK) {
        *recorder = r;
        return status;
    }
    r->row->close(r, NULL);
    release(r);
    return status;
}

// The index of a vertex that is not finite, or -1.
static int32_t find_non_finite(pli_view view)
{
    for (int32_t v = 0; v < view.count; v++) {
        const float *p = pli_view_at(view, v);
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return v;
    }
    return -1;
}

pli_status pli_recorder_add(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    for (int32_t i = 0; i < r->object_count; i++)
        if (positions[i].count != pli_recorder_vertex_count(r, i))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "object '%s' has %d vertices, the frame gives %d",
                            r->objects[i].name, (int)pli_recorder_vertex_count(r, i), (int)positions[i].count);
    for (int32_t i = 0; i < r->object_count; i++) {
        const int32_t v = find_non_finite(positions[i]);
        if (v >= 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "vertex %d of object '%s' is not finite in frame %d",
                            (int)v, r->objects[i].name, (int)r->frame);
    }
    pli_status status = r->row->add(r, positions, normals, error);
    if (status == PLI_STATUS_OK)
        r->frame++;
    return status;
}

static pli_status fixed_faces(const pli_recorder *r, int32_t object, pli_error *error)
{
    char names[200];
    pli_cache_list(PLI_CACHE_LIST_CHANGING, names, sizeof names);
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "'%s' tore, and a %s cache holds one set of faces; formats whose faces may change are %s",
                    r->objects[object].name, r->row->face.name, names);
}

pli_status pli_recorder_set_mesh(pli_recorder *r, int32_t object, const pli_mesh *mesh, pli_error *error)
{
    if (object < 0 || object >= r->object_count || !mesh)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "object %d of %d has no new mesh", (int)object,
                        (int)r->object_count);
    if (!r->row->face.variable_topology)
        return fixed_faces(r, object, error);
    r->objects[object].mesh = mesh;
    return pli_succeed(error);
}

pli_status pli_recorder_close(pli_recorder *r, pli_error *error)
{
    if (!r)
        return pli_succeed(error);
    pli_status status = r->row->close(r, error);
    release(r);
    return status;
}

const char *pli_recorder_path(const pli_recorder *r) { return r->path ? r->path : ""; }
