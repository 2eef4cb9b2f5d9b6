// With a scene, its colliders move as in the run: the world is stepped with all deformables paused and bodies fixed, and then the
// particles are placed at the positions of the cache.
#include "view/playback.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <pliant/check.h>
#include <pliant/rigid.h>
#include <stdlib.h>
#include <string.h>

pli_status pli_cli_recording_read(const char *path, pli_cache **cache, pli_error *error)
{
    const char *extension = pli_cli_extension(path);
    bool faceless = strcmp(extension, "pc2") == 0 || strcmp(extension, "mdd") == 0;
    char *mesh = faceless ? pli_cli_format("%.*s.obj", (int)(strlen(path) - 4), path) : NULL;
    *cache = NULL;
    pli_status status = pli_cache_open(path, mesh, cache, error);
    free(mesh);
    return status;
}

bool pli_cli_is_recording(const char *path)
{
    pli_cache *cache = NULL;
    if (strcmp(pli_cli_extension(path), "json") == 0)
        return false;
    bool moves = pli_cli_recording_read(path, &cache, NULL) == PLI_STATUS_OK && pli_cache_frame_count(cache) > 1;
    pli_cache_close(cache);
    return moves;
}

static int32_t vertex_count(const pli_cache *cache, int32_t object)
{
    return pli_mesh_topology(pli_cache_object_at(cache, object).mesh)->vertex_count;
}

static pli_status make_plain(pli_cli_playback *playback, pli_error *error)
{
    pli_world_def def = pli_world_def_default();
    pli_status status = pli_world_create(&def, &playback->world, error);
    for (int32_t i = 0; i < pli_cache_object_count(playback->cache) && status == PLI_STATUS_OK; i++) {
        pli_cache_object object = pli_cache_object_at(playback->cache, i);
        pli_deformable_def deformable_def = pli_deformable_def_default();
        pli_deformable deformable;
        deformable_def.name = object.name;
        deformable_def.mesh = object.mesh;
        status = pli_deformable_create(playback->world, &deformable_def, &deformable, error);
    }
    return status;
}

static pli_status check_match(const pli_cli_playback *playback, pli_error *error)
{
    bool same = pli_cache_object_count(playback->cache) ==
                pli_world_deformable_count(playback->world) + playback->collider_meshes.count;
    for (int32_t i = 0; i < pli_world_deformable_count(playback->world) && same; i++)
        same = vertex_count(playback->cache, i) ==
               pli_deformable_positions(playback->world, pli_world_deformable_at(playback->world, i)).count;
    return same ? PLI_STATUS_OK
                : pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                               "the cache's objects are not the scene's: the scene "
                               "changed since the run");
}

static pli_status make_from_scene(pli_cli_playback *playback, pli_error *error)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_status status = pli_scene_create_world(playback->scene, &def, &playback->world, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_collider_meshes_open(playback->world, &playback->collider_meshes, error);
    return status == PLI_STATUS_OK ? check_match(playback, error) : status;
}

// Pauses the deformables. Positions of torn cloth in a cache would tear the world again, so tearing is disabled.
static pli_status stop_deformables(pli_world *world, pli_error *error)
{
    pli_tearing never = pli_deformable_def_default().tearing;
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_world_deformable_count(world) && status == PLI_STATUS_OK; i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        status = pli_deformable_set_tearing(world, deformable, &never, error);
        if (status == PLI_STATUS_OK)
            status = pli_deformable_set_paused(world, deformable, true, error);
    }
    return status;
}

// Fixes all bodies where they are: their shapes are meshes of the cache.
static pli_status fix_bodies(pli_world *world, pli_error *error)
{
    static const float none[6] = {0};
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_world_rigid_body_count(world) && status == PLI_STATUS_OK; i++) {
        pli_rigid_body body = pli_world_rigid_body_at(world, i);
        pli_rigid_state state;
        status = pli_rigid_body_get_state(world, body, &state, error);
        state.velocity = state.angular_velocity = (pli_vec3){0, 0, 0};
        if (status == PLI_STATUS_OK)
            status = pli_rigid_body_set_state(world, body, &state, false, error);
        if (status == PLI_STATUS_OK)
            status = pli_rigid_body_set_mass(world, body, 0.0f, none, error);
    }
    return status;
}

pli_status pli_cli_playback_open(pli_cache *cache, const pli_scene *scene, pli_cli_playback *playback, pli_error *error)
{
    *playback = (pli_cli_playback){.cache = cache, .scene = scene};
    pli_status status = scene ? make_from_scene(playback, error) : make_plain(playback, error);
    if (status == PLI_STATUS_OK)
        status = stop_deformables(playback->world, error);
    if (status == PLI_STATUS_OK)
        status = fix_bodies(playback->world, error);
    // Without objects, the world is not accessed, since it may not exist.
    if (status == PLI_STATUS_OK)
        playback->objects = calloc((size_t)pli_world_deformable_count(playback->world) + 1, sizeof *playback->objects);
    if (status == PLI_STATUS_OK && !playback->objects)
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the cache's frames");
    if (status != PLI_STATUS_OK)
        pli_cli_playback_close(playback);
    return status;
}

// Lets the scene move its colliders and attachments.
static pli_status step_scene(pli_cli_playback *playback, pli_error *error)
{
    pli_settings settings = pli_world_settings(playback->world);
    settings.substeps = settings.iterations = 1;
    pli_world_set_advice(playback->world, false); // Its particles are fixed, and a run has other settings.
    settings.damping = settings.air_density = 0.0f;
    settings.ccd = PLI_CCD_OFF;
    pli_status status = pli_world_set_settings(playback->world, &settings, error);
    return status == PLI_STATUS_OK ? pli_scene_step(playback->scene, playback->world, playback->frame, error) : status;
}

static pli_status read_object(pli_cli_playback *playback, int32_t i, int32_t frame, pli_error *error)
{
    pli_cli_playback_object *o = &playback->objects[i];
    const pli_mesh *mesh;
    pli_status status = pli_cache_frame_mesh(playback->cache, i, frame, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    o->count = pli_mesh_topology(mesh)->vertex_count;
    o->torn = o->count == vertex_count(playback->cache, i) ? NULL : mesh;
    if (o->count > o->capacity) {
        float *positions = realloc(o->positions, 3 * sizeof *positions * (size_t)o->count);
        if (!positions)
            return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the cache's frames");
        o->positions = positions;
        o->capacity = o->count;
    }
    return pli_cache_read(playback->cache, i, frame, o->positions, error);
}

pli_status pli_cli_playback_show(pli_cli_playback *playback, int32_t frame, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (; playback->scene && playback->frame < frame && status == PLI_STATUS_OK; playback->frame++)
        status = step_scene(playback, error);
    for (int32_t i = 0; i < pli_world_deformable_count(playback->world) && status == PLI_STATUS_OK; i++) {
        status = read_object(playback, i, frame, error);
        // Vertices added by tears come after the others.
        int32_t own = vertex_count(playback->cache, i), count = playback->objects[i].count;
        if (status == PLI_STATUS_OK)
            status = pli_deformable_set_positions(playback->world, pli_world_deformable_at(playback->world, i), 0,
                                                  own < count ? own : count, playback->objects[i].positions, error);
    }
    return status;
}

bool pli_cli_playback_is_torn(const pli_cli_playback *playback)
{
    for (int32_t i = 0; i < pli_world_deformable_count(playback->world); i++)
        if (playback->objects[i].torn)
            return true;
    return false;
}

void pli_cli_playback_lend(const pli_cli_playback *playback, pli_cli_world_view *view)
{
    for (int32_t i = 0; i < pli_world_deformable_count(playback->world); i++) {
        const pli_cli_playback_object *o = &playback->objects[i];
        pli_cli_world_view_replace(view, i, o->torn, (pli_view){o->positions, o->count, 3 * sizeof(float)});
    }
}

// A run records the deformables, followed by the collider meshes.
pli_status pli_cli_playback_collider_mesh(void *playback, int32_t collider_mesh, float *positions, pli_error *error)
{
    const pli_cli_playback *p = playback;
    return pli_cache_read(p->cache, pli_world_deformable_count(p->world) + collider_mesh, p->frame, positions, error);
}

void pli_cli_playback_close(pli_cli_playback *playback)
{
    pli_cli_collider_meshes_close(&playback->collider_meshes);
    for (int32_t i = 0; playback->objects && i < pli_world_deformable_count(playback->world); i++)
        free(playback->objects[i].positions);
    free(playback->objects);
    pli_world_destroy(playback->world);
    *playback = (pli_cli_playback){0};
}
