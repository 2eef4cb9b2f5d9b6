// Writes sequences: one OBJ or PLY file per frame and object, numbered from 0.
#define _POSIX_C_SOURCE 200809L
#include "caches/sequence_read.h"
#include "caches/recorder.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sequence_state {
    int32_t *corner_counts; // [object_count] corner counts of the meshes before they tore.
} sequence_state;

// Whether attributes belong to the current mesh.
static bool fits(const pli_topology *t, const pli_mesh_attributes *of)
{
    for (int32_t c = 0; c < t->corner_count; c++)
        if (of->vertex_map[of->corners[c]] != t->face_vertices[c])
            return false;
    return true;
}

// Texture coordinates of a torn mesh: it has the same faces with other vertices, so each corner keeps its image coordinates.
typedef struct torn_uv {
    pli_mesh_attributes all;
    pli_mesh_attribute uv;
    int32_t *corners;
    float *values;
} torn_uv;

static bool carry_uv(const pli_topology *t, const pli_mesh_attributes *of, const pli_mesh_attribute *uv, torn_uv *torn)
{
    torn->corners = malloc(((size_t)t->corner_count + 1) * sizeof *torn->corners);
    torn->values = malloc(((size_t)t->corner_count + 1) * 2 * sizeof *torn->values);
    if (!torn->corners || !torn->values)
        return false;
    for (int32_t c = 0; c < t->corner_count; c++) {
        torn->corners[c] = c;
        memcpy(torn->values + 2 * (size_t)c, uv->values + (size_t)uv->width * (size_t)of->corners[c],
               2 * sizeof(float));
    }
    torn->uv = (pli_mesh_attribute){PLI_ATTRIBUTE_UV, PLI_ATTRIBUTE_VERTEX, 2, torn->values};
    torn->all = pli_mesh_attributes_default();
    torn->all.vertex_count = t->corner_count;
    torn->all.vertex_map = t->face_vertices;
    torn->all.corners = torn->corners;
    torn->all.attributes = &torn->uv;
    torn->all.attribute_count = 1;
    return true;
}

// Writes an object with the attributes of its file, or after a tear with its texture coordinates only.
static pli_status write_object(const pli_recorder *r, int32_t object, const char *path, pli_view positions,
                               pli_view normals, pli_error *error)
{
    const pli_mesh *mesh = r->objects[object].mesh;
    const pli_topology *t = pli_mesh_topology(mesh);
    const sequence_state *s = r->state;
    const pli_mesh_attributes *of = r->attributes ? r->attributes[object] : NULL;
    const pli_mesh_attribute *uv = pli_mesh_attribute_named(of, PLI_ATTRIBUTE_UV);
    torn_uv torn = {0};
    bool fine = true;
    if (of && (!of->vertex_map || !of->corners || s->corner_counts[object] != t->corner_count))
        of = NULL;
    if (of && !fits(t, of)) {
        bool carried = uv && uv->domain == PLI_ATTRIBUTE_VERTEX && uv->width >= 2;
        fine = !carried || carry_uv(t, of, uv, &torn);
        of = carried ? &torn.all : NULL;
    }
    pli_status status = fine ? pli_mesh_write_with_attributes(path, mesh, of, positions, normals, error)
                             : pli_io_fail_memory(error);
    free(torn.corners);
    free(torn.values);
    return status;
}

static pli_status open_sequence(pli_recorder *r, pli_error *error)
{
    sequence_state *s = r->state;
    s->corner_counts = calloc((size_t)r->object_count + 1, sizeof *s->corner_counts);
    if (!s->corner_counts)
        return pli_io_fail_memory(error);
    for (int32_t i = 0; i < r->object_count; i++)
        s->corner_counts[i] = pli_mesh_topology(r->objects[i].mesh)->corner_count;
    // The first and the last of the previous frames tell whether the run already wrote this format.
    const int32_t looked_at[] = {0, r->resume_frame - 1};
    for (int k = 0; k < 2 && r->resume_frame > 0; k++)
        for (int32_t i = 0; i < r->object_count; i++) {
            r->frame = looked_at[k];
            char *path = pli_recorder_frame_path(r, i);
            r->frame = r->resume_frame;
            if (!path)
                return pli_io_fail_memory(error);
            const bool there = access(path, R_OK) == 0;
            pli_status status = there ? PLI_STATUS_OK
                                      : pli_fail(error, PLI_STATUS_CORRUPT,
                                                 "'%s' is missing among the %d frames to resume from; resume with the "
                                                 "same formats, or start again",
                                                 path, (int)r->resume_frame);
            free(path);
            if (!there)
                return status;
        }
    return pli_succeed(error);
}

static pli_status add_frame(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    for (int32_t i = 0; i < r->object_count; i++) {
        char *path = pli_recorder_frame_path(r, i);
        pli_view none = {0};
        pli_status status = path && pli_recorder_note_path(r, path)
                                ? write_object(r, i, path, positions[i], normals ? normals[i] : none, error)
                                : pli_io_fail_memory(error);
        free(path);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return pli_succeed(error);
}

static pli_status close_sequence(pli_recorder *r, pli_error *error)
{
    sequence_state *s = r->state;
    free(s->corner_counts);
    s->corner_counts = NULL;
    return pli_succeed(error);
}

const pli_cache_row pli_cache_row_obj = {
    .face = {"obj", "obj", "one OBJ file a frame; opens everywhere", .can_read = true, .variable_topology = true},
    .state_size = sizeof(sequence_state),
    .open = open_sequence,
    .add = add_frame,
    .close = close_sequence,
    .read = pli_open_sequence,
};

const pli_cache_row pli_cache_row_ply = {
    .face = {"ply", "ply", "one binary PLY file a frame; opens everywhere", .can_read = true,
             .variable_topology = true},
    .state_size = sizeof(sequence_state),
    .open = open_sequence,
    .add = add_frame,
    .close = close_sequence,
    .read = pli_open_sequence,
};
