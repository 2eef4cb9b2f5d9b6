// Opens caches, distinguishes cloth from colliders, and reads frames.
#include "view/cache_surfaces.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static pli_status fail_memory(pli_error *error)
{
    return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the surfaces");
}

// Only the objects of a run's folder have roles, in the order of its caches.
static json_t *load_roles(const char *path)
{
    if (!pli_cli_is_folder(path))
        return NULL;
    char *file = pli_cli_format("%s/summary.json", path);
    json_t *summary = json_load_file(file, 0, NULL), *objects = json_object_get(summary, "objects");
    json_incref(objects);
    json_decref(summary);
    free(file);
    return objects;
}

static bool has_collider_role(json_t *objects, int32_t object)
{
    const char *role = json_string_value(json_object_get(json_array_get(objects, (size_t)object), "role"));
    return role && strcmp(role, "deformable") != 0;
}

static bool grow(pli_cli_cache_surfaces *all, int32_t added)
{
    size_t count = (size_t)all->count + (size_t)added;
    pli_cli_cache_surface *sources = realloc(all->sources, count * sizeof *sources);
    if (sources)
        all->sources = sources;
    pli_cli_surface *surfaces = realloc(all->surfaces, count * sizeof *surfaces);
    if (surfaces)
        all->surfaces = surfaces;
    return sources && surfaces;
}

static pli_status add_object(pli_cli_cache_surfaces *all, const char *path, pli_cache *cache, int32_t object,
                             bool collider, pli_error *error)
{
    pli_cache_object info = pli_cache_object_at(cache, object);
    pli_cli_cache_surface source = {.path = path,
                                    .name = info.name,
                                    .topology = pli_mesh_topology(info.mesh),
                                    .capacity = pli_mesh_topology(info.mesh)->vertex_count,
                                    .cache = cache,
                                    .object = object,
                                    .moves = pli_cache_frame_count(cache) > 1};
    if (source.topology->triangle_count > INT32_MAX - all->triangle_count)
        return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s' has more triangles than can be counted", path);
    source.positions = calloc((size_t)source.topology->vertex_count + 1, 3 * sizeof *source.positions);
    if (!source.positions)
        return fail_memory(error);
    all->sources[all->count] = source;
    all->surfaces[all->count++] = (pli_cli_surface){.triangles = source.topology->triangles,
                                                    .triangle_count = source.topology->triangle_count,
                                                    .positions = source.positions,
                                                    .collider = collider};
    all->triangle_count += source.topology->triangle_count;
    return PLI_STATUS_OK;
}

static void note_frames(pli_cli_cache_surfaces *all, int32_t count)
{
    if (all->frame_count <= 1 || (count > 1 && count < all->frame_count))
        all->frame_count = count;
    if (count > all->frame_count_most)
        all->frame_count_most = count;
}

pli_status pli_cli_cache_surfaces_add(pli_cli_cache_surfaces *all, const char *path, const char *mesh, bool collider,
                                      pli_error *error)
{
    pli_cache **caches = realloc(all->caches, ((size_t)all->cache_count + 1) * sizeof *caches);
    if (!caches)
        return fail_memory(error);
    all->caches = caches;
    pli_cache *cache = NULL;
    pli_status status = pli_cache_open(path, mesh, &cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    caches[all->cache_count++] = cache;
    int32_t count = pli_cache_object_count(cache);
    if (pli_cache_frame_count(cache) < 1)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "'%s' has no frames", path);
    note_frames(all, pli_cache_frame_count(cache));
    if (!grow(all, count))
        return fail_memory(error);
    json_t *roles = load_roles(path);
    for (int32_t i = 0; i < count && status == PLI_STATUS_OK; i++)
        status = add_object(all, path, cache, i, collider || has_collider_role(roles, i), error);
    json_decref(roles);
    return status;
}

static pli_status check_finite(const pli_cli_cache_surface *source, int32_t frame, pli_error *error)
{
    for (int32_t i = 0; i < source->topology->vertex_count; i++) {
        const float *p = source->positions + 3 * (size_t)i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return pli_cli_fail(error, PLI_STATUS_NON_FINITE,
                                "%s: vertex %d of '%s' is not finite in frame %d; frames "
                                "before it can be checked with --to",
                                source->path, (int)i, source->name, (int)frame);
    }
    return PLI_STATUS_OK;
}

// The faces of a deformable that tears may differ in every frame.
static pli_status take_faces(pli_cli_cache_surface *source, pli_cli_surface *surface, int32_t frame, pli_error *error)
{
    const pli_mesh *mesh;
    pli_status status = pli_cache_frame_mesh(source->cache, source->object, frame, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    source->topology = pli_mesh_topology(mesh);
    surface->triangles = source->topology->triangles;
    if (source->topology->vertex_count <= source->capacity)
        return status;
    float *positions = realloc(source->positions, 3 * sizeof *positions * ((size_t)source->topology->vertex_count + 1));
    if (!positions)
        return fail_memory(error);
    surface->positions = source->positions = positions;
    source->capacity = source->topology->vertex_count;
    return status;
}

pli_status pli_cli_cache_surfaces_read(pli_cli_cache_surfaces *all, int32_t frame, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < all->count && status == PLI_STATUS_OK; i++) {
        pli_cli_cache_surface *source = &all->sources[i];
        int32_t own_frame = source->moves ? frame : 0;
        status = take_faces(source, &all->surfaces[i], own_frame, error);
        if (status == PLI_STATUS_OK)
            status = pli_cache_read(source->cache, source->object, own_frame, source->positions, error);
        if (status == PLI_STATUS_OK)
            status = check_finite(source, own_frame, error);
    }
    return status;
}

void pli_cli_cache_surfaces_release(pli_cli_cache_surfaces *all)
{
    for (int32_t i = 0; i < all->count; i++)
        free(all->sources[i].positions);
    for (int32_t i = 0; i < all->cache_count; i++)
        pli_cache_close(all->caches[i]);
    free(all->sources);
    free(all->surfaces);
    free(all->caches);
    *all = (pli_cli_cache_surfaces){0};
}
