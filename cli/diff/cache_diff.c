// Recordings must have the same objects, equal vertex counts in each frame, and bit-identical positions.
#include "diff/cache_diff.h"

#include "frame/folders.h"
#include "view/playback.h"

#include <stdlib.h>

typedef struct side {
    pli_cache *cache;
    int32_t frames, objects;
    float **positions; // [objects]
    pli_cli_vertices *vertices;
} side;

static pli_status open_side(const char *path, side *s, pli_error *error)
{
    pli_status status = pli_cli_recording_read(path, &s->cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    s->frames = pli_cache_frame_count(s->cache);
    s->objects = pli_cache_object_count(s->cache);
    s->positions = calloc((size_t)s->objects + 1, sizeof *s->positions);
    s->vertices = calloc((size_t)s->objects + 1, sizeof *s->vertices);
    return s->positions && s->vertices ? status : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
}

static void close_side(side *s)
{
    for (int32_t i = 0; s->positions && i < s->objects; i++)
        free(s->positions[i]);
    free(s->positions);
    free(s->vertices);
    pli_cache_close(s->cache);
}

static pli_status read_object(side *s, int32_t object, int32_t frame, pli_error *error)
{
    const pli_mesh *mesh;
    pli_status status = pli_cache_frame_mesh(s->cache, object, frame, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    const int32_t count = pli_mesh_topology(mesh)->vertex_count;
    float *positions = realloc(s->positions[object], ((size_t)count + 1) * 3 * sizeof *positions);
    if (!positions)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for %d vertices", (int)count);
    s->positions[object] = positions;
    s->vertices[object] = (pli_cli_vertices){
        .name = pli_cache_object_at(s->cache, object).name, .positions = positions, .count = count};
    return pli_cache_read(s->cache, object, frame, positions, error);
}

static pli_status read_frame(side *s, int32_t frame, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < s->objects && status == PLI_STATUS_OK; i++)
        status = read_object(s, i, frame, error);
    return status;
}

static pli_status compare(side *a, side *b, int32_t frame_limit, pli_cli_difference *d, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    const int32_t shorter = a->frames < b->frames ? a->frames : b->frames;
    d->count = frame_limit >= 0 && frame_limit < shorter ? frame_limit : shorter;
    if (a->objects != b->objects) {
        d->found = true;
        snprintf(d->reason, sizeof d->reason, "A has %d objects and B has %d", (int)a->objects, (int)b->objects);
        return status;
    }
    for (int32_t frame = 0; frame < d->count && status == PLI_STATUS_OK && !d->found; frame++) {
        status = read_frame(a, frame, error);
        if (status == PLI_STATUS_OK)
            status = read_frame(b, frame, error);
        if (status != PLI_STATUS_OK)
            break;
        d->at = frame;
        d->found = !pli_cli_difference_look(d, a->vertices, b->vertices, a->objects) || d->differing > 0;
    }
    if (status == PLI_STATUS_OK && !d->found && a->frames != b->frames && d->count == shorter) {
        d->found = true, d->at = shorter;
        snprintf(d->reason, sizeof d->reason, "equal up to there; A has %d frames and B has %d", (int)a->frames,
                 (int)b->frames);
    }
    return status;
}

pli_status pli_cli_cache_diff(const char *a, const char *b, int32_t frame_limit, pli_cli_difference *difference,
                              pli_error *error)
{
    side sides[2] = {{.cache = NULL}, {.cache = NULL}};
    *difference = (pli_cli_difference){.unit = "frame"};
    pli_status status = open_side(a, &sides[0], error);
    if (status == PLI_STATUS_OK)
        status = open_side(b, &sides[1], error);
    if (status == PLI_STATUS_OK)
        status = compare(&sides[0], &sides[1], frame_limit, difference, error);
    close_side(&sides[0]);
    close_side(&sides[1]);
    return status;
}
