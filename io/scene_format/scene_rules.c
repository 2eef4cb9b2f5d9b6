// Rules of a scene that involve several keys: choices between keys, sizes, order, and paths into the scene.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_rules.h"

#include "caches/cache_formats.h"
#include "scene_format/scene_material.h"
#include "scene_format/scene_paths.h"
#include "scene_format/scene_rules_bodies.h"
#include "scene_format/scene_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 200 };

// Rings around the stem, and leaves of 37 vertices.
static double vertices_of_plant(json_t *plant)
{
    const pli_plant_def initial = pli_plant_def_default();
    const double branches = scene_number(plant, "branches", initial.branches);
    const double rings = (scene_number(plant, "segments", initial.segments) + 1.0) * (branches + 1.0);
    return rings * scene_number(plant, "sides", initial.sides) + 37.0 * branches + 2.0;
}

// Number of vertices that the generators of a mesh create; 0 for files.
static double vertices_of(json_t *mesh)
{
    json_t *grid = json_object_get(mesh, "grid"), *tube = json_object_get(mesh, "tube");
    json_t *sphere = json_object_get(mesh, "sphere");
    double count = 0.0;
    if (grid)
        count += scene_number(grid, "columns", 40) * scene_number(grid, "rows", 40);
    if (tube)
        count += scene_number(tube, "around", 32) * scene_number(tube, "along", 32);
    if (strcmp(scene_text(grid ? grid : tube, "pattern", ""), "crossed") == 0)
        count *= 2.0;
    if (json_object_get(mesh, "plant"))
        count += vertices_of_plant(json_object_get(mesh, "plant"));
    return sphere ? 10.0 * pow(4.0, scene_number(sphere, "subdivisions", 3)) + 2.0 : count;
}

static void check_source(scene_diagnostics *f, const char *path, json_t *mesh)
{
    static const char *const sources[] = {"file", "name", "grid", "sphere", "tube", "plant"};
    int count = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        count += json_object_get(mesh, sources[i]) != NULL;
    if (count != 1)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                     "needs exactly one of file, name, grid, sphere, tube, plant; "
                     "here are %d",
                     count);
}

void scene_check_mesh(scene_diagnostics *f, const char *path, json_t *mesh, double *total)
{
    double before = *total, limit = f->def->vertex_limit;
    check_source(f, path, mesh);
    *total += vertices_of(mesh);
    if (*total > limit && before <= limit)
        scene_report(
            f, PLI_STATUS_INVALID_ARGUMENT, false, path,
            "brings the scene to %.0f vertices; at most %.0f are allowed: use fewer columns, rows or subdivisions",
            *total, limit);
}

// The names of the shapes for which `is` holds, such as "hull and mesh".
static void name_shapes(char *text, size_t size, bool (*is)(const pli_shape_info *))
{
    const pli_shape_info *info;
    int32_t left = 0, used = 0;
    for (int32_t i = 0; (info = pli_shape_at(i)); i++)
        left += is(info);
    text[0] = '\0';
    for (int32_t i = 0; (info = pli_shape_at(i)); i++) {
        if (!is(info) || used >= (int32_t)size)
            continue;
        left--;
        used += snprintf(text + used, size - (size_t)used, "%s%s", info->name, left > 1 ? ", " : left ? " and " : "");
    }
}

static bool takes_mesh(const pli_shape_info *info) { return info->takes_mesh; }
static bool deforms(const pli_shape_info *info) { return info->deforms; }

// Warns of a size that has no effect for the shape.
static void check_sizes(scene_diagnostics *f, const char *before, json_t *shape, const pli_shape_info *info)
{
    char path[PATH_LENGTH], taken[100] = "no size";
    const pli_shape_field *field;
    int32_t used = 0;
    for (int32_t i = 0; (field = pli_shape_field_at(i)) && used < (int32_t)sizeof taken; i++)
        if (info->fields >> i & 1u)
            used += snprintf(taken + used, sizeof taken - (size_t)used, "%s%s", used ? ", " : "", field->name);
    for (int32_t i = 0; (field = pli_shape_field_at(i)); i++) {
        snprintf(path, sizeof path, "%.150s.%.40s", before, field->name);
        if (!(info->fields >> i & 1u) && json_object_get(shape, field->name))
            scene_report(f, PLI_STATUS_OK, true, path, "has no effect: a %s takes %s", info->name, taken);
    }
}

void scene_check_shape(scene_diagnostics *f, const char *before, json_t *shape, bool made, double *total)
{
    char path[PATH_LENGTH], names[80];
    const pli_shape_info *info = pli_shape_find(scene_text(shape, "shape", ""));
    json_t *mesh = json_object_get(shape, "mesh");
    if (!info)
        return;
    snprintf(path, sizeof path, "%.150s.mesh", before);
    if (info->takes_mesh && !mesh && !made)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, before, "a %s needs the key 'mesh'%s", info->name,
                     info->deforms ? ", or an animation with faces" : "");
    name_shapes(names, sizeof names, takes_mesh);
    if (mesh && !info->takes_mesh)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "a %s has no mesh; the shapes %s have", info->name,
                     names);
    else if (mesh)
        scene_check_mesh(f, path, mesh, total);
    check_sizes(f, before, shape, info);
}

static void check_collider(scene_diagnostics *f, size_t i, json_t *collider, double *total)
{
    char path[PATH_LENGTH], names[80];
    const pli_shape_info *info = pli_shape_find(scene_text(collider, "shape", ""));
    json_t *animation = json_object_get(collider, "animation");
    snprintf(path, sizeof path, "colliders[%zu].animation", i);
    name_shapes(names, sizeof names, deforms);
    if (info && animation && !info->deforms)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                     "only the shape %s is animated, not a %s; move it with motion", names, info->name);
    snprintf(path, sizeof path, "colliders[%zu]", i);
    scene_check_shape(f, path, collider, info && info->deforms && animation, total);
}

static void check_meshes(scene_diagnostics *f, json_t *root)
{
    double total = 0.0;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(root, "deformables"), i, item) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "deformables[%zu].mesh", i);
        scene_check_mesh(f, path, json_object_get(item, "mesh"), &total);
    }
    json_array_foreach (json_object_get(root, "colliders"), i, item)
        check_collider(f, i, item, &total);
    scene_check_bodies(f, root, &total);
}

// Checks that names in a list are unique, so that paths are unambiguous.
static void check_names(scene_diagnostics *f, json_t *list, const char *before)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        const char *name = scene_text(item, "name", NULL);
        for (size_t j = 0; name && j < i; j++) {
            const char *other = scene_text(json_array_get(list, j), "name", NULL);
            if (!other || strcmp(name, other) != 0)
                continue;
            char path[PATH_LENGTH];
            snprintf(path, sizeof path, "%.120s[%zu].name", before, i);
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "'%s' is the name of %.120s[%zu] too", name,
                         before, j);
        }
    }
}

static void check_motion(scene_diagnostics *f, json_t *motion, const char *before)
{
    double last = -INFINITY;
    size_t i;
    json_t *key;
    json_array_foreach (json_object_get(motion, "keyframes"), i, key) {
        double time = scene_number(key, "time", 0.0);
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "%.120s.motion.keyframes[%zu].time", before, i);
        if (!(time > last))
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                         "time %g s must be later than the previous key (%g s)", time, last);
        last = time;
    }
}

static void check_motions(scene_diagnostics *f, json_t *list, const char *before)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "%.120s[%zu]", before, i);
        check_motion(f, json_object_get(item, "motion"), path);
    }
}

// Range and number of components of the value at a keyframe's path. False when the value cannot change.
static bool find_target(scene_plugins plugins, json_t *root, const char *target, double range[2], size_t *width)
{
    char last[64];
    json_t *parent = NULL;
    scene_at(root, target, &parent, last);
    const pli_constraint_type *type = scene_find_type(plugins, scene_text(parent, "type", ""));
    const pli_property *parameter = type ? scene_find_parameter(type, last) : NULL;
    *width = 0;
    if (parameter) {
        range[0] = parameter->minimum;
        range[1] = parameter->maximum;
        return parameter->change == PLI_CHANGE_LIVE;
    }
    const pli_descriptor_group *settings = pli_descriptor_group_find("settings");
    const pli_property *setting = strncmp(target, "settings.", 9) == 0 ? pli_descriptor_find(settings, target + 9)
                                                                       : NULL;
    if (!setting || setting->change != PLI_CHANGE_LIVE ||
        (setting->kind != PLI_PROPERTY_NUMBER && setting->kind != PLI_PROPERTY_INTEGER &&
         setting->kind != PLI_PROPERTY_VECTOR))
        return false;
    range[0] = setting->minimum;
    range[1] = setting->maximum;
    *width = setting->kind == PLI_PROPERTY_VECTOR ? 3 : 0;
    return true;
}

static void check_key(scene_diagnostics *f, const char *path, json_t *value, const double range[2], size_t width)
{
    if (json_array_size(value) != width) {
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                     width ? "needs [time, [x, y, z]]" : "needs [time, number]");
        return;
    }
    for (size_t i = 0; i < (width ? width : 1); i++) {
        double number = json_number_value(width ? json_array_get(value, i) : value);
        if (!(number >= range[0] && number <= range[1]))
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "is %g; it must be %g to %g", number, range[0],
                         range[1]);
    }
}

static void check_keyframe(scene_diagnostics *f, json_t *root, json_t *keyframe, size_t i)
{
    char path[PATH_LENGTH];
    double range[2];
    size_t width, k;
    const char *target = scene_text(keyframe, "path", "");
    snprintf(path, sizeof path, "keyframes[%zu].path", i);
    if (!find_target(scene_plugins_of(f->def), root, target, range, &width)) {
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path,
                     "'%s' is neither a parameter of a constraint set that may "
                     "change nor a number or vector among the settings",
                     target);
        return;
    }
    json_t *pair;
    json_array_foreach (json_object_get(keyframe, "keys"), k, pair) {
        snprintf(path, sizeof path, "keyframes[%zu].keys[%zu]", i, k);
        check_key(f, path, json_array_get(pair, 1), range, width);
    }
}

static void check_format(scene_diagnostics *f, const char *path, const char *name)
{
    const pli_cache_row *row = pli_cache_row_named(name);
    char changing[200];
    pli_cache_list(PLI_CACHE_LIST_CHANGING, changing, sizeof changing);
    if (row && !row->face.variable_topology)
        scene_report(f, PLI_STATUS_UNSUPPORTED, false, path,
                     "output.formats has %s, which holds one set of faces; formats whose faces may change are %s", name,
                     changing);
}

// Tearing by force needs multipliers, and all tearing needs caches that can store changing faces.
static void check_tearing(scene_diagnostics *f, json_t *root, json_t *tearing, size_t i)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "deformables[%zu].tearing", i);
    if (!tearing)
        return;
    json_t *force = json_object_get(tearing, "force");
    if (!force && !json_object_get(tearing, "stretch"))
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "needs stretch, force or both");
    if (force && strcmp(scene_text(json_object_get(root, "settings"), "method", "xpbd"), "pbd") == 0)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                     "pbd has no multipliers, and so no force; give stretch, or use xpbd");
    size_t k;
    json_t *name;
    json_array_foreach (json_object_get(json_object_get(root, "output"), "formats"), k, name)
        check_format(f, path, json_string_value(name));
}

static bool has_named(json_t *list, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (strcmp(scene_text(item, "name", ""), name) == 0)
            return true;
    return false;
}

static bool is_descending(json_t *low, json_t *high)
{
    for (size_t k = 0; k < json_array_size(low) && k < json_array_size(high); k++)
        if (json_number_value(json_array_get(low, k)) > json_number_value(json_array_get(high, k)))
            return true;
    return false;
}

static void check_end(scene_diagnostics *f, json_t *root, json_t *end, size_t i)
{
    char path[PATH_LENGTH];
    const char *name = scene_text(end, "name", "");
    json_t *volume = json_object_get(end, "volume"), *least = json_object_get(end, "minimum");
    bool deforms = has_named(json_object_get(root, "deformables"), name);
    snprintf(path, sizeof path, "expect.ends[%zu].name", i);
    if (!deforms && !has_named(json_object_get(root, "bodies"), name))
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "there is no deformable and no body '%s'", name);
    snprintf(path, sizeof path, "expect.ends[%zu].volume", i);
    if (volume && !deforms)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "the volume of a body does not change");
    if (json_number_value(json_array_get(volume, 0)) > json_number_value(json_array_get(volume, 1)))
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "the first number is above the second");
    snprintf(path, sizeof path, "expect.ends[%zu].minimum", i);
    if (is_descending(least, json_object_get(end, "maximum")))
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "it is above the maximum: nothing is in that box");
}

static void check_probe(scene_diagnostics *f, json_t *root, json_t *probe, size_t i)
{
    char path[PATH_LENGTH];
    const char *deformable = scene_text(probe, "deformable", NULL), *measure = scene_text(probe, "measure", "position");
    snprintf(path, sizeof path, "probes[%zu].deformable", i);
    if (deformable && !has_named(json_object_get(root, "deformables"), deformable))
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "there is no deformable '%s'", deformable);
    snprintf(path, sizeof path, "probes[%zu].vertex", i);
    if (json_object_get(probe, "vertex") && strcmp(measure, "position") != 0)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "only a position is that of a vertex");
}

void scene_check_rules(scene_diagnostics *f, json_t *root)
{
    size_t i;
    json_t *item, *deformables = json_object_get(root, "deformables");
    check_meshes(f, root);
    check_names(f, deformables, "deformables");
    json_array_foreach (deformables, i, item) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "deformables[%zu].constraints", i);
        check_names(f, json_object_get(item, "constraints"), path);
        snprintf(path, sizeof path, "deformables[%zu].attachments", i);
        check_motions(f, json_object_get(item, "attachments"), path);
        check_tearing(f, root, json_object_get(item, "tearing"), i);
        snprintf(path, sizeof path, "deformables[%zu]", i);
        scene_check_material(f, item, path);
    }
    check_motions(f, json_object_get(root, "colliders"), "colliders");
    check_names(f, json_object_get(root, "bodies"), "bodies");
    check_names(f, json_object_get(root, "joints"), "joints");
    json_array_foreach (json_object_get(root, "keyframes"), i, item)
        check_keyframe(f, root, item, i);
    check_names(f, json_object_get(root, "probes"), "probes");
    json_array_foreach (json_object_get(root, "probes"), i, item)
        check_probe(f, root, item, i);
    json_array_foreach (json_object_get(json_object_get(root, "expect"), "ends"), i, item)
        check_end(f, root, item, i);
    if (json_array_size(deformables) + json_array_size(json_object_get(root, "bodies")) == 0)
        scene_report(f, PLI_STATUS_OK, true, "", "the scene has no deformable and no body: nothing will move");
}
