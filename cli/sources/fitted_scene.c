// Values for a mesh that nobody has chosen yet. Lengths follow the mean edge: a thickness of a third of it keeps neighbours
// apart at rest. The number of substeps follows from the stretch that sweeps leave (docs/concepts.md, "PBD or XPBD").
#define _XOPEN_SOURCE 700
#include "sources/fitted_scene.h"

#include "frame/folders.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pli_cli_is_mesh_file(const char *path)
{
    const char *extension = pli_cli_extension(path);
    const size_t length = strlen(extension);
    for (int32_t i = 0; length > 0 && i < pli_mesh_format_count(); i++)
        for (const char *at = pli_mesh_format_at(i)->extensions; *at; at += strcspn(at, " "), at += strspn(at, " "))
            if (strcspn(at, " ") == length && strncmp(at, extension, length) == 0)
                return pli_mesh_format_at(i)->can_read;
    return false;
}

/* ---- the mesh ----------------------------------------------------------------------------------- */

static void measure(const pli_topology *t, pli_cli_fitted *f)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum = 0.0;
    for (int32_t i = 0; i < 3 * t->vertex_count; i++) {
        low[i % 3] = fminf(low[i % 3], t->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], t->positions[i]);
    }
    for (int32_t e = 0; e < t->edge_count; e++) {
        const float *a = t->positions + 3 * (size_t)t->edges[2 * e],
                    *b = t->positions + 3 * (size_t)t->edges[2 * e + 1];
        sum += hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
    }
    for (int k = 0; k < 3; k++)
        f->size[k] = high[k] - low[k];
    f->edge = t->edge_count > 0 ? (float)(sum / t->edge_count) : f->size[0];
    f->vertices = t->vertex_count;
    f->components = t->component_count;
    f->closed = t->component_count > 0;
    for (int32_t i = 0; i < t->component_count; i++)
        f->closed = f->closed && t->component_closed[i];
    float most = fmaxf(f->size[0], fmaxf(f->size[1], f->size[2]));
    f->flat = fminf(f->size[0], fminf(f->size[1], f->size[2])) < 1e-4f * most;
}

// Sweeps hold a stiffness of d l^2 / h^2 for edges l and a mass d per area, h being the substep. A sheet of height L that hangs
// stretches by its weight d g L over that, and this many substeps keep it within a hundredth. A closed shape stands on
// its feet instead: they are taken to bear ten times as much.
static int substeps_for(const pli_cli_fitted *f)
{
    const double gravity = 9.81, frame = 1.0 / 60.0, stretch = 0.01, feet = 10.0, least = 10.0, most = 40.0;
    double height = (double)(f->flat ? fmaxf(f->size[0], fmaxf(f->size[1], f->size[2])) : f->size[1]);
    double load = gravity * height * (f->closed ? feet : 1.0);
    return (int)fmin(fmax(round(frame * sqrt(load / stretch) / (double)f->edge), least), most);
}

// Two significant digits, for values that people will change.
static double rounded(double value)
{
    double unit = pow(10.0, floor(log10(value)) - 1.0);
    return round(value / unit) * unit;
}

static void note_repair(pli_cli_fitted *f, const pli_mesh_report *refused, const pli_mesh_report *made)
{
    snprintf(
        f->repair, sizeof f->repair,
        "repaired: %d of %d faces dropped (%d use a vertex twice, %d repeat another), and %d vertices added where it "
        "was cut apart (%d edges of more than two faces)",
        (int)(refused->face_count - made->face_count), (int)refused->face_count, (int)refused->repeated_vertex_faces,
        (int)refused->duplicate_faces, (int)(made->vertex_count - refused->vertex_count),
        (int)refused->non_manifold_edges);
}

// Reads the mesh as it is, or repaired where it would be refused.
static pli_status read_mesh(const pli_cli_fitted_def *def, pli_cli_fitted *f, pli_mesh **mesh,
                            pli_mesh_attributes **attributes, pli_error *error)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh_report refused, made;
    import.weld = def->weld;
    import.scale = def->scale;
    import.attributes = attributes;
    import.hooks.log = def->quiet ? NULL : pli_cli_log;
    pli_status status = pli_mesh_read(def->mesh, &import, mesh, &refused, error);
    if (status != PLI_STATUS_INVALID_MESH || def->refuse ||
        (!refused.repeated_vertex_faces && !refused.non_manifold_edges))
        return status;
    import.policy = PLI_MESH_REPAIR;
    status = pli_mesh_read(def->mesh, &import, mesh, &made, error);
    if (status == PLI_STATUS_OK)
        note_repair(f, &refused, &made);
    return status;
}

/* ---- pins --------------------------------------------------------------------------------------- */

static void pin_top(const pli_topology *t, float share, uint8_t *pinned)
{
    float low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < t->vertex_count; v++) {
        low = fminf(low, t->positions[3 * (size_t)v + 1]);
        high = fmaxf(high, t->positions[3 * (size_t)v + 1]);
    }
    for (int32_t v = 0; v < t->vertex_count && share > 0.0f; v++)
        pinned[v] |= t->positions[3 * (size_t)v + 1] >= high - share * (high - low);
}

static void pin_elements(const pli_topology *t, const pli_mesh_group *group, uint8_t *pinned)
{
    for (int32_t i = 0; i < group->count; i++) {
        int32_t element = group->elements[i];
        if (group->kind == PLI_GROUP_VERTICES)
            pinned[element] = 1;
        for (int32_t k = t->face_offsets[element];
             group->kind != PLI_GROUP_VERTICES && k < t->face_offsets[element + 1]; k++)
            pinned[t->face_vertices[k]] = 1;
    }
}

static pli_status fail_group(const char *mesh, const char *name, int length, const pli_mesh_attributes *attributes,
                             pli_error *error)
{
    char list[300] = "";
    for (int32_t i = 0; i < attributes->group_count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", attributes->groups[i].name);
    }
    return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "%s has no group '%.*s'; %s%s", mesh, length, name,
                        attributes->group_count ? "it has " : "it has none at all", list);
}

static pli_status pin_groups(const pli_cli_fitted_def *def, const pli_topology *t,
                             const pli_mesh_attributes *attributes, uint8_t *pinned, pli_error *error)
{
    for (const char *name = def->pin_groups; name && *name;) {
        int length = (int)strcspn(name, ",");
        bool found = false;
        for (int32_t i = 0; i < attributes->group_count; i++) {
            const char *other = attributes->groups[i].name;
            if (strncmp(other, name, (size_t)length) != 0 || other[length] != '\0')
                continue;
            pin_elements(t, &attributes->groups[i], pinned);
            found = true;
        }
        if (!found)
            return fail_group(def->mesh, name, length, attributes, error);
        name += length + (name[length] == ',');
    }
    return PLI_STATUS_OK;
}

static pli_status fail_map(const pli_cli_fitted_def *def, const pli_mesh_attributes *attributes, pli_error *error)
{
    char list[300] = "";
    for (int32_t i = 0; i < attributes->attribute_count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", attributes->attributes[i].name);
    }
    return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "%s has no painted values '%s'; %s%s", def->mesh, def->pin_map,
                        attributes->attribute_count ? "it has " : "it has none at all", list);
}

// An element has a painted number, or a colour, of which the brightness counts.
static float painted_at(const pli_mesh_attribute *map, int32_t element)
{
    const float *value = map->values + (size_t)map->width * (size_t)element;
    return map->width < 3 ? value[0] : (value[0] + value[1] + value[2]) / 3.0f;
}

static pli_status pin_map(const pli_cli_fitted_def *def, const pli_topology *t, const pli_mesh_attributes *attributes,
                          uint8_t *pinned, pli_error *error)
{
    const float least = 0.5f;
    const pli_mesh_attribute *map = def->pin_map ? pli_mesh_attribute_named(attributes, def->pin_map) : NULL;
    if (def->pin_map && !map)
        return fail_map(def, attributes, error);
    for (int32_t v = 0; map && map->domain == PLI_ATTRIBUTE_VERTEX && v < attributes->vertex_count; v++)
        pinned[attributes->vertex_map[v]] |= painted_at(map, v) >= least;
    for (int32_t f = 0; map && map->domain == PLI_ATTRIBUTE_FACE && f < t->face_count; f++)
        for (int32_t k = t->face_offsets[f]; k < t->face_offsets[f + 1]; k++)
            pinned[t->face_vertices[k]] |= painted_at(map, f) >= least;
    return PLI_STATUS_OK;
}

static json_t *numbers_of(const uint8_t *pinned, pli_cli_fitted *f)
{
    json_t *list = json_array();
    for (int32_t v = 0; v < f->vertices; v++)
        if (pinned[v]) {
            json_array_append_new(list, json_integer(v));
            f->pinned++;
        }
    return list;
}

/* ---- the scene ---------------------------------------------------------------------------------- */

// The rigidity chooses what bends. Closed shapes keep their volume.
static json_t *constraints_of(const pli_cli_fitted *f)
{
    json_t *list = json_pack("[{ss}]", "type", "distance");
    if (f->closed)
        json_array_append_new(list, json_pack("{ss}", "type", "volume"));
    return list;
}

static json_t *mesh_of(const pli_cli_fitted_def *def, const pli_cli_fitted *f)
{
    json_t *mesh = json_pack("{ss}", "file", def->named);
    if (def->scale != 1.0f)
        json_object_set_new(mesh, "scale", json_real((double)def->scale));
    if (def->weld)
        json_object_set_new(mesh, "weld", json_true());
    if (f->repair[0])
        json_object_set_new(mesh, "repair", json_true());
    return mesh;
}

static json_t *scene_of(const pli_cli_fitted_def *def, pli_cli_fitted *f, const pli_topology *t, const uint8_t *pinned)
{
    double diagonal = hypot(hypot((double)f->size[0], (double)f->size[1]), (double)f->size[2]);
    double thickness = rounded(fmin(fmax((double)f->edge / 3.0, 1e-4), fmax(0.01 * diagonal, 1e-4)));
    char *name = pli_cli_stem(def->mesh);
    pli_cli_name_clean(name);
    json_t *deformable = json_pack("{ss so sf sb sf so}", "name", name, "mesh", mesh_of(def, f), "thickness", thickness,
                                   "self_collision", 1, "rigidity", 1e-4, "constraints", constraints_of(f));
    json_t *pins = numbers_of(pinned, f);
    if (f->pinned > 0)
        json_object_set_new(deformable, "attachments", json_pack("[{sO}]", "particles", pins));
    json_decref(pins);
    json_t *scene = json_pack("{si ss si s{si} s[o]}", "pliant", 1, "title", name, "frames", 240, "settings",
                              "substeps", substeps_for(f), "deformables", deformable);
    float low = INFINITY;
    for (int32_t v = 0; v < t->vertex_count; v++)
        low = fminf(low, t->positions[3 * (size_t)v + 1]);
    // The plane is as far below as particles are kept from it, so that nothing starts inside.
    double ground = (double)low - 1.5 * thickness;
    if (def->ground) {
        json_object_set_new(scene, "colliders",
                            json_pack("[{ss s{s[fff]}}]", "shape", "plane", "pose", "position", 0.0, ground, 0.0));
        json_object_set_new(scene, "view", json_pack("{sf}", "ground_height", ground));
    } else {
        json_object_set_new(scene, "view", json_pack("{sb}", "ground", 0));
    }
    free(name);
    return scene;
}

pli_status pli_cli_fitted_make(const pli_cli_fitted_def *def, pli_cli_fitted *fitted, pli_error *error)
{
    *fitted = (pli_cli_fitted){0};
    pli_mesh *mesh = NULL;
    pli_mesh_attributes *attributes = NULL;
    pli_status status = read_mesh(def, fitted, &mesh, &attributes, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(mesh);
    uint8_t *pinned = calloc((size_t)t->vertex_count + 1, 1);
    measure(t, fitted);
    status = pinned ? pin_groups(def, t, attributes, pinned, error)
                    : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the pins");
    if (status == PLI_STATUS_OK)
        status = pin_map(def, t, attributes, pinned, error);
    if (status == PLI_STATUS_OK) {
        pin_top(t, def->pin_top, pinned);
        fitted->scene = scene_of(def, fitted, t, pinned);
        if (!fitted->scene)
            status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene");
    }
    free(pinned);
    pli_mesh_attributes_destroy(attributes);
    pli_mesh_destroy(mesh);
    return status;
}

pli_status pli_cli_fitted_write(const pli_cli_fitted *fitted, const char *path, pli_error *error)
{
    char *text = pli_cli_json_format(json_incref(fitted->scene), JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (!text)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene");
    const void *const pieces[] = {text, "\n"};
    const size_t sizes[] = {strlen(text), 1};
    pli_status status = pli_cli_file_write(path, pieces, sizes, 2, error);
    free(text);
    return status;
}

pli_status pli_cli_fitted_for(const char *mesh, const char *folder, bool quiet, char **path, pli_error *error)
{
    char *name = pli_cli_stem(mesh), *shipped = pli_cli_named_mesh(mesh),
         *whole = realpath(shipped ? shipped : mesh, NULL);
    pli_cli_name_clean(name);
    char *into = folder ? pli_cli_format("%s", folder) : pli_cli_format("out/%s", name);
    const pli_cli_fitted_def def = {
        .mesh = whole ? whole : mesh, .named = whole ? whole : mesh, .scale = 1.0f, .ground = true, .quiet = true};
    pli_cli_fitted fitted;
    pli_status status = pli_cli_fitted_make(&def, &fitted, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_folder_make(into, error);
    *path = pli_cli_format("%s/%s.json", into, name);
    if (status == PLI_STATUS_OK)
        status = pli_cli_fitted_write(&fitted, *path, error);
    if (status == PLI_STATUS_OK && fitted.repair[0] && !quiet) {
        char *line = pli_cli_format("%s: %s", mesh, fitted.repair);
        pli_cli_log(NULL, PLI_LOG_INFO, line);
        free(line);
    }
    json_decref(fitted.scene);
    free(into);
    free(whole);
    free(shipped);
    free(name);
    return status;
}
