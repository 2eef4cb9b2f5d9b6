// Painted numbers: the values of an attribute, mapped from 0..1 to the scene's range, for each vertex or face of the mesh.
#include "scene/scene_paint.h"

#include "files/io_error.h"
#include "scene/scene_texture.h"
#include "scene_format/scene_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct paint_values {
    float *values;
    int32_t count;
    pli_element element;
} paint_values;

static pli_status no_attribute(const pli_scene *scene, size_t i, const char *name, pli_error *error)
{
    const pli_mesh_attributes *a = scene->attributes[i];
    json_t *mesh = json_object_get(json_array_get(json_object_get(scene->root, "deformables"), i), "mesh");
    char list[160] = "";
    for (int32_t k = 0; a && k < a->attribute_count && strlen(list) < 120; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.30s", k ? ", " : "", a->attributes[k].name);
    const char *file = scene_text(mesh, "file", NULL), *has = list[0] ? list : "none";
    if (!file)
        return pli_fail(
            error, PLI_STATUS_NOT_FOUND,
            "the mesh comes from no file and has no attribute '%.60s'; it has %s; take a file of PLY or glTF", name,
            has);
    return pli_fail(error, PLI_STATUS_NOT_FOUND, "'%.80s' has no attribute '%.60s'; it has %s", file, name, has);
}

// The value of each particle is the value of its first render vertex.
static void fill(const pli_mesh_attributes *all, const pli_mesh_attribute *from, json_t *paint, paint_values *to)
{
    const int component = (int)scene_number(paint, "component", 0.0);
    const double low = scene_number(paint, "from", 0.0), high = scene_number(paint, "to", 1.0);
    const int32_t given = to->element == PLI_ELEMENT_FACE ? to->count : all->vertex_count;
    for (int32_t k = given - 1; k >= 0; k--) {
        const int32_t at = to->element == PLI_ELEMENT_FACE ? k : all->vertex_map[k];
        const double value = (double)from->values[(size_t)from->width * (size_t)k + (size_t)component];
        to->values[at] = (float)(low + value * (high - low));
    }
}

static pli_status read_attribute(const pli_scene *scene, size_t i, json_t *paint, paint_values *read, pli_error *error)
{
    const char *name = scene_text(paint, "attribute", "");
    const pli_mesh_attribute *from = pli_mesh_attribute_named(scene->attributes[i], name);
    if (!from)
        return no_attribute(scene, i, name, error);
    if ((int)scene_number(paint, "component", 0.0) >= from->width)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%.60s' has %d numbers a value; the component is 0 to %d",
                        name, (int)from->width, (int)from->width - 1);
    const pli_topology *t = pli_mesh_topology(scene->meshes[i]);
    const bool of_faces = from->domain == PLI_ATTRIBUTE_FACE;
    *read = (paint_values){.count = of_faces ? t->face_count : t->vertex_count,
                           .element = of_faces ? PLI_ELEMENT_FACE : PLI_ELEMENT_VERTEX};
    read->values = calloc((size_t)read->count + 1, sizeof *read->values);
    if (!read->values)
        return pli_io_fail_memory(error);
    fill(scene->attributes[i], from, paint, read);
    return pli_succeed(error);
}

static pli_status read_image(const pli_scene *scene, size_t i, json_t *paint, paint_values *read, pli_error *error)
{
    const int32_t component = (int32_t)scene_number(paint, "component", 0.0);
    const double low = scene_number(paint, "from", 0.0), high = scene_number(paint, "to", 1.0);
    if (json_object_get(paint, "attribute") && !scene_texture_coordinates(scene, i, paint))
        return no_attribute(scene, i, scene_text(paint, "attribute", ""), error);
    *read = (paint_values){.count = pli_mesh_topology(scene->meshes[i])->vertex_count, .element = PLI_ELEMENT_VERTEX};
    read->values = calloc((size_t)read->count + 1, sizeof *read->values);
    if (!read->values)
        return pli_io_fail_memory(error);
    if (!scene_image_values(scene, i, paint, component, read->values))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the image '%.80s' has no component %d",
                        scene_text(paint, "image", ""), (int)component);
    for (int32_t k = 0; k < read->count; k++)
        read->values[k] = (float)(low + (double)read->values[k] * (high - low));
    return pli_succeed(error);
}

static pli_status read_list(const pli_scene *scene, size_t i, json_t *paint, paint_values *read, pli_error *error)
{
    json_t *list = json_object_get(paint, "values");
    const double low = scene_number(paint, "from", 0.0), high = scene_number(paint, "to", 1.0);
    *read = (paint_values){.count = pli_mesh_topology(scene->meshes[i])->vertex_count, .element = PLI_ELEMENT_VERTEX};
    if (json_array_size(list) != (size_t)read->count) {
        const int32_t needed = read->count;
        *read = (paint_values){0};
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "it lists %zu values, but the mesh has %d vertices",
                        json_array_size(list), (int)needed);
    }
    read->values = calloc((size_t)read->count + 1, sizeof *read->values);
    if (!read->values)
        return pli_io_fail_memory(error);
    for (int32_t k = 0; k < read->count; k++)
        read->values[k] = (float)(low + json_number_value(json_array_get(list, (size_t)k)) * (high - low));
    return pli_succeed(error);
}

static pli_status read_values(const pli_scene *scene, size_t i, json_t *paint, const pli_attribute *row,
                              paint_values *read, pli_error *error)
{
    const char *image = scene_text(paint, "image", NULL), *name = image ? image : scene_text(paint, "attribute", "");
    const bool listed = json_object_get(paint, "values") != NULL;
    if (!listed && !name[0])
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "it names neither an attribute nor an image, and lists no values; give one of them");
    if (listed && name[0])
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "it lists values and names '%.60s'; give one of the two",
                        name);
    if (listed)
        name = "values";
    pli_status status = (listed ? read_list : image ? read_image : read_attribute)(scene, i, paint, read, error);
    for (int32_t k = 0; k < read->count && status == PLI_STATUS_OK; k++) {
        const double value = (double)read->values[k];
        if (!(value >= row->minimum && value <= row->maximum))
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                              "'%.60s' gives %s %d the %s %g; it must be %g to %g: change from and to", name,
                              pli_element_name(read->element), (int)k, row->name, value, row->minimum, row->maximum);
    }
    if (status != PLI_STATUS_OK) {
        free(read->values);
        read->values = NULL;
    }
    return status;
}

static void check(const pli_scene *scene, scene_diagnostics *f, size_t i, json_t *paint, const pli_attribute *row,
                  const char *path)
{
    paint_values read = {0};
    pli_error error;
    if (!paint)
        return;
    if (read_values(scene, i, paint, row, &read, &error) != PLI_STATUS_OK)
        scene_report(f, error.status, false, path, "%.380s", error.message);
    free(read.values);
}

void scene_check_paint(const pli_scene *scene, scene_diagnostics *f)
{
    size_t i, k;
    json_t *deformable, *set;
    char path[200];
    const pli_attribute *row;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, deformable) {
        json_t *painted = json_object_get(deformable, "painted");
        for (int32_t r = 0; (row = pli_attribute_painted_at(r)); r++) {
            snprintf(path, sizeof path, "deformables[%zu].painted.%s", i, row->name);
            check(scene, f, i, json_object_get(painted, row->name), row, path);
        }
        json_array_foreach (json_object_get(deformable, "constraints"), k, set) {
            snprintf(path, sizeof path, "deformables[%zu].constraints[%zu].painted", i, k);
            check(scene, f, i, json_object_get(set, "painted"), pli_attribute_find("stiffness", PLI_ELEMENT_CONSTRAINT),
                  path);
        }
    }
}

pli_status scene_paint_deformable(const pli_scene *scene, pli_world *world, size_t i, pli_deformable deformable,
                                  pli_error *error)
{
    json_t *json = json_array_get(json_object_get(scene->root, "deformables"), i);
    json_t *painted = json_object_get(json, "painted");
    pli_status status = PLI_STATUS_OK;
    const pli_attribute *row;
    for (int32_t r = 0; status == PLI_STATUS_OK && (row = pli_attribute_painted_at(r)); r++) {
        json_t *paint = json_object_get(painted, row->name);
        paint_values read = {0};
        if (!paint)
            continue;
        status = read_values(scene, i, paint, row, &read, error);
        if (status == PLI_STATUS_OK)
            status = pli_deformable_paint(world, deformable, row->name, read.element, read.values, read.count, error);
        free(read.values);
    }
    return status;
}

pli_status scene_paint_set(const pli_scene *scene, pli_world *world, size_t i, json_t *set_json, pli_constraints set,
                           pli_error *error)
{
    json_t *paint = json_object_get(set_json, "painted");
    paint_values read = {0};
    if (!paint)
        return PLI_STATUS_OK;
    const pli_attribute *row = pli_attribute_find("stiffness", PLI_ELEMENT_CONSTRAINT);
    pli_status status = read_values(scene, i, paint, row, &read, error);
    if (status == PLI_STATUS_OK)
        status = pli_constraints_paint(world, set, row->name, read.element, read.values, read.count, error);
    free(read.values);
    return status;
}
