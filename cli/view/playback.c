// With a scene, its colliders move as in the run: the world is stepped with every particle held
// and the least work, and then the particles are put where the cache says.
#include "view/playback.h"

#include "frame/folders.h"

#include <stdlib.h>

static int32_t vertex_count(const pli_cache *cache, int32_t object)
{
    return pli_mesh_topology(pli_cache_object_at(cache, object).mesh)->vertex_count;
}

static pli_status make_plain(pli_cli_puppet *puppet, pli_error *error)
{
    pli_world_def def = pli_world_def_default();
    pli_status status = pli_world_create(&def, &puppet->world, error);
    for (int32_t i = 0; i < pli_cache_object_count(puppet->cache) && status == PLI_STATUS_OK; i++) {
        pli_cache_object object = pli_cache_object_at(puppet->cache, i);
        pli_deformable_def deformable_def = pli_deformable_def_default();
        pli_deformable deformable;
        deformable_def.name = object.name;
        deformable_def.mesh = object.mesh;
        status = pli_deformable_create(puppet->world, &deformable_def, &deformable, error);
    }
    return status;
}

static pli_status check_match(const pli_cli_puppet *puppet, pli_error *error)
{
    bool same = pli_cache_object_count(puppet->cache) ==
                pli_world_deformable_count(puppet->world) + puppet->shells.count;
    for (int32_t i = 0; i < pli_world_deformable_count(puppet->world) && same; i++)
        same = vertex_count(puppet->cache, i) ==
               pli_deformable_positions(puppet->world, pli_world_deformable_at(puppet->world, i)).count;
    return same ? PLI_STATUS_OK
                : pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                               "the cache's objects are not the scene's: the scene "
                               "changed since the run");
}

static pli_status make_from_scene(pli_cli_puppet *puppet, pli_error *error)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_status status = pli_scene_create_world(puppet->scene, &def, &puppet->world, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_shells_open(puppet->world, &puppet->shells, error);
    return status == PLI_STATUS_OK ? check_match(puppet, error) : status;
}

// Stretched by a cache where it tore, a puppet would tear again.
static pli_status keep_whole(pli_cli_puppet *puppet, pli_error *error)
{
    pli_tearing never = pli_deformable_def_default().tearing;
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_world_deformable_count(puppet->world) && status == PLI_STATUS_OK; i++)
        status = pli_deformable_set_tearing(puppet->world, pli_world_deformable_at(puppet->world, i), &never, error);
    return status;
}

pli_status pli_cli_puppet_open(pli_cache *cache, const pli_scene *scene, pli_cli_puppet *puppet, pli_error *error)
{
    *puppet = (pli_cli_puppet){.cache = cache, .scene = scene};
    pli_status status = scene ? make_from_scene(puppet, error) : make_plain(puppet, error);
    if (status == PLI_STATUS_OK)
        status = keep_whole(puppet, error);
    int32_t count = status == PLI_STATUS_OK ? pli_world_deformable_count(puppet->world) : 0;
    puppet->objects = calloc((size_t)count + 1, sizeof *puppet->objects);
    if (status == PLI_STATUS_OK && !puppet->objects)
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the cache's frames");
    if (status != PLI_STATUS_OK)
        pli_cli_puppet_close(puppet);
    return status;
}

// Holds everything and lets the scene move what it moves.
static pli_status step_scene(pli_cli_puppet *puppet, pli_error *error)
{
    pli_settings settings = pli_world_settings(puppet->world);
    settings.substeps = settings.iterations = 1;
    settings.damping = settings.air_density = 0.0f;
    settings.guarantee = PLI_CCD_OFF;
    pli_status status = pli_world_set_settings(puppet->world, &settings, error);
    for (int32_t i = 0; i < pli_world_deformable_count(puppet->world) && status == PLI_STATUS_OK; i++) {
        pli_deformable deformable = pli_world_deformable_at(puppet->world, i);
        int32_t count = pli_deformable_positions(puppet->world, deformable).count;
        float *zeros = calloc((size_t)count + 1, sizeof *zeros);
        status = zeros ? pli_deformable_set_inverse_masses(puppet->world, deformable, 0, count, zeros, error)
                       : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        free(zeros);
    }
    return status == PLI_STATUS_OK ? pli_scene_step(puppet->scene, puppet->world, puppet->frame, error) : status;
}

static pli_status read_object(pli_cli_puppet *puppet, int32_t i, int32_t frame, pli_error *error)
{
    pli_cli_puppet_object *o = &puppet->objects[i];
    const pli_mesh *mesh;
    pli_status status = pli_cache_frame_mesh(puppet->cache, i, frame, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    o->count = pli_mesh_topology(mesh)->vertex_count;
    o->torn = o->count == vertex_count(puppet->cache, i) ? NULL : mesh;
    if (o->count > o->room) {
        float *positions = realloc(o->positions, 3 * sizeof *positions * (size_t)o->count);
        if (!positions)
            return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the cache's frames");
        o->positions = positions;
        o->room = o->count;
    }
    return pli_cache_read(puppet->cache, i, frame, o->positions, error);
}

pli_status pli_cli_puppet_show(pli_cli_puppet *puppet, int32_t frame, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (; puppet->scene && puppet->frame < frame && status == PLI_STATUS_OK; puppet->frame++)
        status = step_scene(puppet, error);
    for (int32_t i = 0; i < pli_world_deformable_count(puppet->world) && status == PLI_STATUS_OK; i++) {
        status = read_object(puppet, i, frame, error);
        // Vertices that tears added come after the others.
        int32_t own = vertex_count(puppet->cache, i), count = puppet->objects[i].count;
        if (status == PLI_STATUS_OK)
            status = pli_deformable_set_positions(puppet->world, pli_world_deformable_at(puppet->world, i), 0,
                                                  own < count ? own : count, puppet->objects[i].positions, error);
    }
    return status;
}

void pli_cli_puppet_lend(const pli_cli_puppet *puppet, pli_cli_picture *picture)
{
    for (int32_t i = 0; i < pli_world_deformable_count(puppet->world); i++) {
        const pli_cli_puppet_object *o = &puppet->objects[i];
        pli_cli_picture_instead(picture, i, o->torn, (pli_view){o->positions, o->count, 3 * sizeof(float)});
    }
}

// A run records the deformables, and after them the shells.
pli_status pli_cli_puppet_shell(void *puppet, int32_t shell, float *positions, pli_error *error)
{
    const pli_cli_puppet *p = puppet;
    return pli_cache_read(p->cache, pli_world_deformable_count(p->world) + shell, p->frame, positions, error);
}

void pli_cli_puppet_close(pli_cli_puppet *puppet)
{
    pli_cli_shells_close(&puppet->shells);
    for (int32_t i = 0; puppet->objects && i < pli_world_deformable_count(puppet->world); i++)
        free(puppet->objects[i].positions);
    free(puppet->objects);
    pli_world_destroy(puppet->world);
    *puppet = (pli_cli_puppet){0};
}
