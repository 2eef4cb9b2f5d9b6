// Writes sequences: one OBJ or PLY file per frame and object, numbered from 0.
#define _POSIX_C_SOURCE 200809L
#include "caches/sequence_read.h"
#include "caches/recorder.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>
#include <unistd.h>

static pli_status open_sequence(pli_recorder *r, pli_error *error)
{
    // The first and the last of the frames before tell whether this format was among those of the run.
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
                                                 "formats of before, or start anew",
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
                                ? pli_mesh_write(path, r->objects[i].mesh, positions[i], normals ? normals[i] : none,
                                                 error)
                                : pli_io_fail_memory(error);
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
