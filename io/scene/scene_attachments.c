// Selects the particles of attachments, and checks keys of deformables that depend on their meshes.
#define _POSIX_C_SOURCE 200809L
#include "scene/scene_attachments.h"

#include "scene_format/scene_values.h"
#include <pliant/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_vec3 start_of(const pli_topology *topology, pli_transform pose, int32_t vertex)
{
    const float *p = topology->positions + 3 * vertex;
    pli_vec3 turned = scene_rotate(pose.rotation, (pli_vec3){p[0], p[1], p[2]});
    return (pli_vec3){turned.x + pose.position.x, turned.y + pose.position.y, turned.z + pose.position.z};
}

static bool chosen(json_t *box, bool all, pli_vec3 p)
{
    pli_vec3 low = scene_vector(box, "minimum", (pli_vec3){0}), high = scene_vector(box, "maximum", (pli_vec3){0});
    return all ||
           (box && p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z);
}

// An index counted from the start, or from the end when negative.
static int64_t counted(json_t *json, const char *key, int64_t count)
{
    int64_t place = (int64_t)scene_number(json, key, 0);
    return place < 0 ? place + count : place;
}

// Marks rows, columns and corners of a grid (or rings of a tube), whose vertices go row by row.
static void mark_grid(json_t *deformable, json_t *json, uint8_t *marks)
{
    json_t *mesh = json_object_get(deformable, "mesh"), *grid = json_object_get(mesh, "grid");
    json_t *tube = json_object_get(mesh, "tube");
    int64_t columns = grid ? (int64_t)scene_number(grid, "columns", 40) : (int64_t)scene_number(tube, "around", 32);
    int64_t rows = grid ? (int64_t)scene_number(grid, "rows", 40) : (int64_t)scene_number(tube, "along", 32);
    int64_t row = counted(json, "row", rows), column = counted(json, "column", columns);
    if (!grid && !tube)
        return;
    for (int64_t i = 0; json_object_get(json, "row") && row >= 0 && row < rows && i < columns; i++)
        marks[row * columns + i] = 1;
    for (int64_t i = 0; json_object_get(json, "column") && column >= 0 && column < columns && i < rows; i++)
        marks[i * columns + column] = 1;
    if (grid && scene_boolean(json, "corners", false))
        marks[0] = marks[columns - 1] = marks[(rows - 1) * columns] = marks[rows * columns - 1] = 1;
}

// Marks the vertices of all selectors of an attachment; false when a number is too large.
static bool mark(const pli_topology *topology, json_t *deformable, json_t *json, uint8_t *marks, long *wrong)
{
    pli_transform pose = scene_pose(json_object_get(deformable, "pose"));
    json_t *box = json_object_get(json, "box"), *item;
    bool all = scene_boolean(json, "all", false);
    size_t i;
    for (int32_t v = 0; v < topology->vertex_count; v++)
        marks[v] = chosen(box, all, start_of(topology, pose, v));
    mark_grid(deformable, json, marks);
    json_array_foreach (json_object_get(json, "particles"), i, item) {
        json_int_t vertex = json_integer_value(item);
        if (vertex >= topology->vertex_count) {
            *wrong = (long)vertex;
            return false;
        }
        marks[vertex] = 1;
    }
    return true;
}

static void collect(scene_attachment *attachment, const pli_topology *topology, pli_transform pose,
                    const uint8_t *marks)
{
    double sum[3] = {0};
    for (int32_t v = 0; v < topology->vertex_count; v++) {
        if (!marks[v])
            continue;
        pli_vec3 p = start_of(topology, pose, v);
        sum[0] += (double)p.x, sum[1] += (double)p.y, sum[2] += (double)p.z;
        attachment->particles[attachment->count++] = v;
    }
    attachment->centre = (pli_vec3){(float)(sum[0] / attachment->count), (float)(sum[1] / attachment->count),
                                    (float)(sum[2] / attachment->count)};
}

static void add_attachment(pli_scene *scene, scene_diagnostics *f, json_t *deformable, json_t *json, int d,
                           const char *path)
{
    const pli_topology *topology = pli_mesh_topology(scene->meshes[d]);
    pli_transform pose = scene_pose(json_object_get(deformable, "pose"));
    scene_attachment *attachments = realloc(scene->attachments,
                                            ((size_t)scene->attachment_count + 1) * sizeof *attachments);
    uint8_t *marks = malloc((size_t)topology->vertex_count + 1);
    int32_t *particles = malloc(4 * (size_t)topology->vertex_count + 4);
    long wrong = 0;
    if (attachments)
        scene->attachments = attachments;
    if (!attachments || !marks || !particles) {
        free(particles);
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, path, "out of memory");
    } else {
        scene_attachment *attachment = &attachments[scene->attachment_count++];
        *attachment = (scene_attachment){
            .json = json, .deformable = d, .particles = particles, .until = scene_number(json, "until", INFINITY)};
        if (mark(topology, deformable, json, marks, &wrong))
            collect(attachment, topology, pose, marks);
        else
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "no particle %ld: the mesh has particles 0 to %d",
                         wrong, (int)topology->vertex_count - 1);
        if (attachment->count == 0 && wrong == 0)
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                         "no particle is chosen; give particles, a box that "
                         "holds some at the start, all, or corners, row or column of a grid");
    }
    free(marks);
}

// Checks that listed constraints name existing particles.
static void check_listed(const pli_scene *scene, scene_diagnostics *f, json_t *deformable, size_t d)
{
    int32_t count = pli_mesh_topology(scene->meshes[d])->vertex_count;
    size_t i, k;
    json_t *set, *item;
    json_array_foreach (json_object_get(deformable, "constraints"), i, set) {
        json_array_foreach (json_object_get(set, "particles"), k, item) {
            char path[200];
            snprintf(path, sizeof path, "deformables[%zu].constraints[%zu].particles[%zu]", d, i, k);
            if (json_integer_value(item) >= count)
                scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                             "no particle %ld: the mesh has particles 0 to %d", (long)json_integer_value(item),
                             (int)count - 1);
        }
    }
}

void scene_find_attachments(pli_scene *scene, scene_diagnostics *f)
{
    size_t d, i;
    json_t *deformable, *json;
    json_array_foreach (json_object_get(scene->root, "deformables"), d, deformable) {
        check_listed(scene, f, deformable, d);
        json_array_foreach (json_object_get(deformable, "attachments"), i, json) {
            char path[200];
            snprintf(path, sizeof path, "deformables[%zu].attachments[%zu]", d, i);
            add_attachment(scene, f, deformable, json, (int)d, path);
        }
    }
}

void scene_release_attachments(pli_scene *scene)
{
    for (int i = 0; i < scene->attachment_count; i++)
        free(scene->attachments[i].particles);
    free(scene->attachments);
}
