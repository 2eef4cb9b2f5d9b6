// Images and warps by texture coordinates: scene/scene_texture.h.
#define _POSIX_C_SOURCE 200809L
#include "scene/scene_texture.h"

#include "files/io_error.h"
#include "files/place.h"
#include "files/png.h"
#include "scene/scene_mesh.h"
#include "scene_format/scene_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scene_image {
    char *name;
    pli_image image;
    uint8_t *pixels; // [4 * width * height] sRGB RGBA, if an appearance names it.
    struct scene_image *next;
};

/* ---- images -------------------------------------------------------------------------------------- */

static struct scene_image *find(const pli_scene *scene, const char *name)
{
    struct scene_image *at = scene->images;
    while (at && strcmp(at->name, name) != 0)
        at = at->next;
    return at;
}

static pli_status add(pli_scene *scene, const char *name, const char *file, pli_error *error)
{
    pli_bytes bytes = {0};
    pli_status status = pli_place_read(&scene->place, file, &bytes, error);
    struct scene_image *made = status == PLI_STATUS_OK ? calloc(1, sizeof *made) : NULL;
    if (status == PLI_STATUS_OK && (!made || !(made->name = strdup(name))))
        status = pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK)
        status = pli_png_decode(bytes.data, bytes.size, &made->image, error);
    pli_bytes_release(&bytes);
    if (status == PLI_STATUS_OK) {
        made->next = scene->images, scene->images = made;
        return status;
    }
    free(made ? made->name : NULL);
    free(made);
    return status;
}

// Finds the image that a table names by a key.
static void read_image(pli_scene *scene, scene_diagnostics *f, json_t *paint, const char *key, const char *path)
{
    const char *name = scene_text(paint, key, NULL);
    char inner[220];
    pli_error error;
    if (!name || find(scene, name))
        return;
    snprintf(inner, sizeof inner, "%.200s.%.12s", path, key);
    char *file = scene_file(scene, name, f, inner);
    if (file && add(scene, name, file, &error) != PLI_STATUS_OK)
        scene_report(f, error.status, false, inner, "'%.80s': %.280s", name, error.message);
    free(file);
}

// The visible image: grey if it has no colours, opaque if it has no opacity.
static uint8_t *pixels_of(const pli_image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *pixels = malloc(4 * count);
    for (size_t i = 0; pixels && i < count; i++) {
        const float *from = image->values + (size_t)image->channels * i;
        for (int k = 0; k < 3; k++)
            pixels[4 * i + (size_t)k] = (uint8_t)lrintf(255.0f * from[image->channels < 3 ? 0 : k]);
        pixels[4 * i + 3] = image->channels % 2 ? 255 : (uint8_t)lrintf(255.0f * from[image->channels - 1]);
    }
    return pixels;
}

static void read_look(pli_scene *scene, scene_diagnostics *f, size_t i, json_t *deformable, const char *key)
{
    enum { SIDE_MOST = 8192 };
    json_t *look = json_object_get(deformable, "look");
    const char *name = scene_text(look, key, NULL);
    char path[80];
    if (!name || !scene->meshes[i])
        return;
    snprintf(path, sizeof path, "deformables[%zu].look", i);
    read_image(scene, f, look, key, path);
    snprintf(path, sizeof path, "deformables[%zu].look.%.12s", i, key);
    struct scene_image *found = find(scene, name);
    if (!scene_texture_coordinates(scene, i, NULL) && !json_object_get(json_object_get(deformable, "mesh"), "grid"))
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path,
                     "the mesh has no texture coordinates 'uv' to lay an image by; unwrap it in the program that made "
                     "it and save it with them, or use a grid");
    if (found && (found->image.width > SIDE_MOST || found->image.height > SIDE_MOST))
        scene_report(f, PLI_STATUS_UNSUPPORTED, false, path, "'%.80s' is %d x %d pixels; make its sides at most %d",
                     name, (int)found->image.width, (int)found->image.height, SIDE_MOST);
    else if (found && !found->pixels && !(found->pixels = pixels_of(&found->image)))
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, path, "out of memory for '%.80s'", name);
}

const uint8_t *scene_look_image(const pli_scene *scene, json_t *look, const char *key, int32_t *width, int32_t *height)
{
    const char *name = scene_text(look, key, NULL);
    const struct scene_image *found = name ? find(scene, name) : NULL;
    if (!found || !found->pixels)
        return NULL;
    *width = found->image.width;
    *height = found->image.height;
    return found->pixels;
}

static void check_warp(const pli_scene *scene, scene_diagnostics *f, size_t i, json_t *deformable)
{
    json_t *material = json_object_get(deformable, "material");
    const char *name = scene_text(material, "warp_attribute", NULL);
    char path[80];
    snprintf(path, sizeof path, "deformables[%zu].material.warp_attribute", i);
    const pli_mesh_attribute *from = name ? pli_mesh_attribute_named(scene->attributes[i], name) : NULL;
    if (name && (!from || from->width < 2 || from->domain != PLI_ATTRIBUTE_VERTEX))
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path,
                     "the mesh's file has no texture coordinates '%.60s'; most files call them 'uv'", name);
}

void scene_read_textures(pli_scene *scene, scene_diagnostics *f)
{
    size_t i, k;
    json_t *deformable, *item;
    const char *key;
    char path[160];
    json_array_foreach (json_object_get(scene->root, "deformables"), i, deformable) {
        check_warp(scene, f, i, deformable);
        read_look(scene, f, i, deformable, "image");
        read_look(scene, f, i, deformable, "back_image");
        json_object_foreach (json_object_get(deformable, "painted"), key, item) {
            snprintf(path, sizeof path, "deformables[%zu].painted.%.60s", i, key);
            read_image(scene, f, item, "image", path);
        }
        json_array_foreach (json_object_get(deformable, "constraints"), k, item) {
            snprintf(path, sizeof path, "deformables[%zu].constraints[%zu].painted", i, k);
            read_image(scene, f, json_object_get(item, "painted"), "image", path);
        }
    }
}

void scene_release_textures(pli_scene *scene)
{
    while (scene->images) {
        struct scene_image *first = scene->images;
        scene->images = first->next;
        free(first->name);
        free(first->image.values);
        free(first->pixels);
        free(first);
    }
}

uint64_t scene_hash_textures(const pli_scene *scene, uint64_t hash)
{
    for (const struct scene_image *at = scene->images; at; at = at->next) {
        const size_t count = (size_t)at->image.channels * (size_t)at->image.width * (size_t)at->image.height;
        for (size_t i = 0; i < count; i++)
            hash = (hash ^ (uint64_t)lrintf(at->image.values[i] * 65535.0f)) * 1099511628211ull;
    }
    return hash;
}

/* ---- texture coordinates ------------------------------------------------------------------------- */

const pli_mesh_attribute *scene_texture_coordinates(const pli_scene *scene, size_t i, json_t *json)
{
    const char *name = scene_text(json, "attribute", PLI_ATTRIBUTE_UV);
    const pli_mesh_attribute *from = pli_mesh_attribute_named(scene->attributes[i], name);
    return from && from->width >= 2 && from->domain == PLI_ATTRIBUTE_VERTEX ? from : NULL;
}

// Interpolates between the four pixels around a point; rows go down while v goes up. Images do not repeat.
static float sample(const pli_image *image, int32_t component, double u, double v)
{
    const double x = fmin(fmax(u, 0.0), 1.0) * image->width - 0.5,
                 y = fmin(fmax(1.0 - v, 0.0), 1.0) * image->height - 0.5;
    const int32_t left = (int32_t)floor(x), top = (int32_t)floor(y);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; k++) {
        const int32_t column = left + k % 2, row = top + k / 2;
        const int32_t inside = column < 0 ? 0 : column >= image->width ? image->width - 1 : column;
        const int32_t within = row < 0 ? 0 : row >= image->height ? image->height - 1 : row;
        const double share = (k % 2 ? x - left : left + 1 - x) * (k / 2 ? y - top : top + 1 - y);
        const size_t at = (size_t)within * (size_t)image->width + (size_t)inside;
        sum += share * (double)image->values[(size_t)image->channels * at + (size_t)component];
    }
    return (float)sum;
}

// Texture coordinates of an image that covers a mesh from above.
typedef struct cover {
    double left, front, width, depth;
} cover;

static cover cover_of(const pli_topology *t)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t k = 0; k < 3 * t->vertex_count; k++) {
        low[k % 3] = fmin(low[k % 3], (double)t->positions[k]);
        high[k % 3] = fmax(high[k % 3], (double)t->positions[k]);
    }
    return (cover){low[0], high[2], fmax(high[0] - low[0], 1e-30), fmax(high[2] - low[2], 1e-30)};
}

static double cover_u(const cover *c, const float *at) { return ((double)at[0] - c->left) / c->width; }
static double cover_v(const cover *c, const float *at) { return (c->front - (double)at[2]) / c->depth; }

bool scene_image_values(const pli_scene *scene, size_t i, json_t *paint, int32_t component, float *values)
{
    const struct scene_image *found = find(scene, scene_text(paint, "image", ""));
    const pli_mesh_attribute *uv = scene_texture_coordinates(scene, i, paint);
    const pli_mesh_attributes *all = scene->attributes[i];
    if (!found || component >= found->image.channels)
        return false;
    const pli_topology *t = pli_mesh_topology(scene->meshes[i]);
    const cover whole = cover_of(t);
    for (int32_t k = uv ? t->vertex_count : 0; k < t->vertex_count; k++) {
        const float *at = t->positions + 3 * (size_t)k;
        values[k] = sample(&found->image, component, cover_u(&whole, at), cover_v(&whole, at));
    }
    for (int32_t k = uv ? all->vertex_count - 1 : -1; k >= 0; k--) {
        const float *at = uv->values + (size_t)uv->width * (size_t)k;
        values[all->vertex_map[k]] = sample(&found->image, component, (double)at[0], (double)at[1]);
    }
    return true;
}

// The render vertex at a corner of a triangle, which is a corner of the triangle's face.
static int32_t render_vertex(const pli_topology *t, const pli_mesh_attributes *all, int32_t corner)
{
    const int32_t face = t->triangle_faces[corner / 3];
    if (all->triangles)
        return all->triangles[corner];
    int32_t c = t->face_offsets[face];
    while (c + 1 < t->face_offsets[face + 1] && t->face_vertices[c] != t->triangles[corner])
        c++;
    return all->corners[c];
}

bool pli_scene_image_coordinates(const pli_scene *scene, int32_t deformable, float *coordinates)
{
    json_t *item = deformable >= 0 ? json_array_get(json_object_get(scene->root, "deformables"), (size_t)deformable)
                                   : NULL;
    json_t *look = json_object_get(item, "look");
    int32_t width, height;
    if (!scene_look_image(scene, look, "image", &width, &height) &&
        !scene_look_image(scene, look, "back_image", &width, &height))
        return false;
    const pli_topology *t = pli_mesh_topology(scene->meshes[deformable]);
    const pli_mesh_attribute *uv = scene_texture_coordinates(scene, (size_t)deformable, NULL);
    const cover whole = cover_of(t);
    for (int32_t corner = 0; corner < 3 * t->triangle_count; corner++) {
        float *to = coordinates + 2 * (size_t)corner;
        if (uv) {
            const int32_t v = render_vertex(t, scene->attributes[deformable], corner);
            memcpy(to, uv->values + (size_t)uv->width * (size_t)v, 2 * sizeof *to);
        } else {
            const float *at = t->positions + 3 * (size_t)t->triangles[corner];
            to[0] = (float)cover_u(&whole, at), to[1] = (float)cover_v(&whole, at);
        }
    }
    return true;
}

/* ---- warp ---------------------------------------------------------------------------------------- */

// The direction of growing u in a triangle, from positions and texture coordinates. False if these are degenerate.
static bool u_direction(const float *const x[3], const float *const uv[3], float direction[3])
{
    const double u1 = (double)uv[1][0] - (double)uv[0][0], u2 = (double)uv[2][0] - (double)uv[0][0];
    const double v1 = (double)uv[1][1] - (double)uv[0][1], v2 = (double)uv[2][1] - (double)uv[0][1];
    const double twice = u1 * v2 - u2 * v1;
    double d[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double e1 = (double)x[1][k] - (double)x[0][k], e2 = (double)x[2][k] - (double)x[0][k];
        d[k] = v2 * e1 - v1 * e2;
        d[k] = twice < 0.0 ? -d[k] : d[k];
        square += d[k] * d[k];
    }
    if (!(fabs(twice) > 0.0) || !(square > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        direction[k] = (float)(d[k] / sqrt(square));
    return true;
}

// The first non-degenerate triangle of each face, in a fan from its first corner.
static void find_directions(const pli_topology *t, const pli_mesh_attributes *all, const pli_mesh_attribute *uv,
                            float *directions)
{
    for (int32_t face = 0; face < t->face_count; face++) {
        const int32_t first = t->face_offsets[face], end = t->face_offsets[face + 1];
        for (int32_t c = first + 1, done = 0; c + 1 < end && !done; c++) {
            const int32_t corners[3] = {first, c, c + 1};
            const float *x[3], *at[3];
            for (int k = 0; k < 3; k++) {
                x[k] = t->positions + 3 * (size_t)t->face_vertices[corners[k]];
                at[k] = uv->values + (size_t)uv->width * (size_t)all->corners[corners[k]];
            }
            done = u_direction(x, at, directions + 3 * (size_t)face);
        }
    }
}

pli_status scene_set_warp(const pli_scene *scene, pli_world *world, size_t i, pli_constraints set, pli_error *error)
{
    json_t *material = json_object_get(json_array_get(json_object_get(scene->root, "deformables"), i), "material");
    const char *name = scene_text(material, "warp_attribute", NULL);
    pli_constraints_info info;
    pli_status status = pli_constraints_get_info(world, set, &info, error);
    if (!name || status != PLI_STATUS_OK || !scene_find_parameter(info.type, "warp_x"))
        return status;
    const pli_topology *t = pli_mesh_topology(scene->meshes[i]);
    float *directions = calloc(3 * (size_t)t->face_count + 1, sizeof *directions);
    if (!directions)
        return pli_io_fail_memory(error);
    find_directions(t, scene->attributes[i], pli_mesh_attribute_named(scene->attributes[i], name), directions);
    status = pli_constraints_set_warp(world, set, directions, t->face_count, error);
    free(directions);
    return status;
}
