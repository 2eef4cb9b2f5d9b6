// Vertices with equal indices are compared.
#include "record/other.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "view/playback.h"

#include <math.h>
#include <stdlib.h>

pli_status pli_view_other_open(pli_view_other *o, const char *path, const pli_world *world, pli_error *error)
{
    *o = (pli_view_other){.object_count = pli_world_deformable_count(world), .frame = -1};
    pli_status status = pli_cli_recording_read(path, &o->cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (pli_cache_object_count(o->cache) < o->object_count)
        status = pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' has fewer objects than the scene has cloths",
                              path);
    o->path = pli_cli_format("%s", path);
    o->objects = calloc((size_t)o->object_count + 1, sizeof *o->objects);
    if (status == PLI_STATUS_OK && !o->objects)
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the recording");
    if (status != PLI_STATUS_OK)
        pli_view_other_close(o);
    return status;
}

void pli_view_other_close(pli_view_other *o)
{
    for (int32_t i = 0; o->objects && i < o->object_count; i++) {
        free(o->objects[i].positions);
        free(o->objects[i].distances);
    }
    free(o->objects);
    free(o->path);
    pli_cache_close(o->cache);
    *o = (pli_view_other){0};
}

static bool make_room(pli_view_other_object *object, int32_t count)
{
    if (count <= object->capacity)
        return true;
    free(object->positions);
    free(object->distances);
    object->positions = calloc(3 * (size_t)count, sizeof *object->positions);
    object->distances = calloc((size_t)count, sizeof *object->distances);
    object->capacity = object->positions && object->distances ? count : 0;
    return object->capacity > 0;
}

static pli_status read_object(pli_view_other *o, int32_t i, int32_t frame, pli_error *error)
{
    pli_view_other_object *object = &o->objects[i];
    pli_status status = pli_cache_frame_mesh(o->cache, i, frame, &object->mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    object->count = pli_mesh_topology(object->mesh)->vertex_count;
    return make_room(object, object->count)
               ? pli_cache_read(o->cache, i, frame, object->positions, error)
               : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the recording");
}

static pli_status measure(pli_view_other *o, const pli_world *world, int32_t i, pli_error *error)
{
    const pli_view_other_object *object = &o->objects[i];
    pli_view here = pli_deformable_positions(world, pli_world_deformable_at(world, i));
    if (here.count != object->count)
        return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED, "it has %d vertices where the scene has %d",
                            (int)object->count, (int)here.count);
    for (int32_t v = 0; v < here.count; v++) {
        const float *a = pli_view_at(here, v), *b = object->positions + 3 * (size_t)v;
        object->distances[v] = hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
        o->largest = fmaxf(o->largest, object->distances[v]);
    }
    return PLI_STATUS_OK;
}

pli_status pli_view_other_read(pli_view_other *o, const pli_world *world, int32_t frame, pli_error *error)
{
    int32_t last = pli_cache_frame_count(o->cache) - 1, wanted = frame < 0 ? 0 : frame < last ? frame : last;
    pli_status status = PLI_STATUS_OK;
    o->largest = 0.0f;
    for (int32_t i = 0; i < o->object_count && status == PLI_STATUS_OK; i++) {
        if (wanted != o->frame)
            status = read_object(o, i, wanted, error);
        if (status == PLI_STATUS_OK)
            status = measure(o, world, i, error);
    }
    o->frame = status == PLI_STATUS_OK ? wanted : -1;
    return status;
}
