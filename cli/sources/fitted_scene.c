// Scenes for meshes: the library guesses the values, and the command adds the requested pins.
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

const char *pli_cli_guess_choice(int32_t i) { return i < PLI_GUESS_KIND_COUNT ? pli_choice_name("guess", i) : NULL; }

pli_guess_kind pli_cli_guess_kind(const pli_cli_arguments *arguments, int32_t option)
{
    const int32_t choice = pli_cli_choice(arguments, option);
    return choice >= 0 ? (pli_guess_kind)choice : PLI_GUESS_AUTO;
}

/* ---- the mesh ----------------------------------------------------------------------------------- */

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

// Reads the mesh as it is, or repaired if it would be rejected.
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

// An element has a painted number, or a colour with its brightness as the value.
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

/* ---- the scene ---------------------------------------------------------------------------------- */

// Returns the marked vertices, to be freed; null when there are none.
static int32_t *marked_of(const uint8_t *pinned, int32_t vertex_count, int32_t *count)
{
    int32_t *list = NULL;
    *count = 0;
    for (int32_t v = 0; v < vertex_count; v++)
        *count += pinned[v];
    if (*count > 0)
        list = malloc((size_t)*count * sizeof *list);
    for (int32_t v = 0, at = 0; list && v < vertex_count; v++)
        if (pinned[v])
            list[at++] = v;
    return list;
}

static pli_status guess(const pli_cli_fitted_def *def, const pli_mesh *mesh, const uint8_t *pinned,
                        pli_cli_fitted *fitted, pli_error *error)
{
    char *name = pli_cli_stem(def->mesh);
    pli_cli_name_clean(name);
    int32_t count, *pins = marked_of(pinned, pli_mesh_topology(mesh)->vertex_count, &count);
    pli_guess_def wanted = pli_guess_def_default();
    wanted.kind = def->kind;
    wanted.unit = def->scaled ? 1.0 : 0.0;
    wanted.ground = def->ground;
    wanted.file = def->named, wanted.name = name;
    wanted.scale = def->scale, wanted.weld = def->weld, wanted.repair = fitted->repair[0] != '\0';
    wanted.pins = pins, wanted.pin_count = count;
    pli_status status = count > 0 && !pins ? pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the pins")
                                           : pli_mesh_guess(mesh, &wanted, &fitted->guess, &fitted->scene, error);
    free(pins);
    free(name);
    return status;
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
    status = pinned ? pin_groups(def, t, attributes, pinned, error)
                    : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the pins");
    if (status == PLI_STATUS_OK)
        status = pin_map(def, t, attributes, pinned, error);
    if (status == PLI_STATUS_OK) {
        pin_top(t, def->pin_top, pinned);
        status = guess(def, mesh, pinned, fitted, error);
    }
    free(pinned);
    pli_mesh_attributes_destroy(attributes);
    pli_mesh_destroy(mesh);
    return status;
}

pli_status pli_cli_fitted_write(const pli_cli_fitted *fitted, const char *path, pli_error *error)
{
    const void *const pieces[] = {fitted->scene, "\n"};
    const size_t sizes[] = {strlen(fitted->scene), 1};
    return pli_cli_file_write(path, pieces, sizes, 2, error);
}

static void say(const char *mesh, const char *what, const char *more)
{
    char *line = pli_cli_format("%s: %s%s", mesh, what, more);
    pli_cli_log(NULL, PLI_LOG_INFO, line);
    free(line);
}

pli_status pli_cli_fitted_for(const char *mesh, const char *folder, pli_guess_kind kind, bool quiet, char **path,
                              pli_error *error)
{
    char *name = pli_cli_stem(mesh), *shipped = pli_cli_named_mesh(mesh),
         *whole = realpath(shipped ? shipped : mesh, NULL);
    pli_cli_name_clean(name);
    char *into = folder ? pli_cli_format("%s", folder) : pli_cli_format("out/%s", name);
    const pli_cli_fitted_def def = {.mesh = whole ? whole : mesh,
                                    .named = whole ? whole : mesh,
                                    .kind = kind,
                                    .scale = 1.0f,
                                    .ground = true,
                                    .quiet = true};
    pli_cli_fitted fitted;
    pli_status status = pli_cli_fitted_make(&def, &fitted, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_folder_make(into, error);
    *path = pli_cli_format("%s/%s.json", into, name);
    if (status == PLI_STATUS_OK)
        status = pli_cli_fitted_write(&fitted, *path, error);
    if (status == PLI_STATUS_OK && fitted.repair[0] && !quiet)
        say(mesh, fitted.repair, "");
    if (status == PLI_STATUS_OK && !quiet)
        say(mesh, fitted.guess.reason, kind == PLI_GUESS_AUTO ? " (--as cloth, shell or balloon changes this)" : "");
    pli_text_release(fitted.scene);
    free(into);
    free(whole);
    free(shipped);
    free(name);
    return status;
}
