// Writes sequences: one OBJ or PLY file per frame and object, numbered from 0.
#define _POSIX_C_SOURCE 200809L
#include "caches/sequence_read.h"
#include "caches/recorder.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>

static pli_status open_sequence(pli_recorder *r, pli_error *error)
{
    (void)r;
    return pli_succeed(error);
}

static pli_status add_frame(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    for (int32_t i = 0; i < r->object_count; i++) {
        char *path = pli_recorder_frame_path(r, i);
        if (!path)
            return pli_io_fail_memory(error);
        pli_view none = {0};
        pli_status status = pli_mesh_write(path, r->objects[i].mesh, positions[i], normals ? normals[i] : none, error);
        pli_recorder_note_path(r, path);
        free(path);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return pli_succeed(error);
}

static pli_status close_sequence(pli_recorder *r, pli_error *error)
{
    (void)r;
    return pli_succeed(error);
}

const pli_cache_row pli_cache_row_obj = {
    .face = {"obj", "obj", "one OBJ file a frame; opens everywhere", .can_read = true, .variable_topology = true},
    .state_size = 1,
    .open = open_sequence,
    .add = add_frame,
    .close = close_sequence,
    .read = pli_open_sequence,
};

const pli_cache_row pli_cache_row_ply = {
    .face = {"ply", "ply", "one binary PLY file a frame; opens everywhere", .can_read = true,
             .variable_topology = true},
    .state_size = 1,
    .open = open_sequence,
    .add = add_frame,
    .close = close_sequence,
    .read = pli_open_sequence,
};
