// Reads and writes mesh files: the table of formats, and the conversion from polygons to a mesh.
#include "pliant/mesh_file.h"

#include "files/file.h"
#include "meshes/assimp_plugin.h"
#include "soup/attribute_build.h"
#include "soup/soup_weld.h"
#include "formats/gltf_import.h"
#include "formats/mesh_write.h"
#include "meshes/mesh_file.h"
#include "formats/obj_read.h"
#include "formats/ply_read.h"
#include "formats/stl_read.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct format_row {
    pli_mesh_format face;
    pli_polygons_reader read;
    pli_mesh_writer write;
    bool welds; // Its files store a vertex for each corner.
} format_row;

static const format_row rows[] = {
    {{"obj", "obj", "Wavefront OBJ: polygons and the file's vertex order are kept", true, true},
     pli_read_obj,
     pli_write_obj,
     false},
    {{"ply", "ply", "Polygon file format, text or binary: polygons are kept", true, true},
     pli_read_ply,
     pli_write_ply,
     false},
    {{"stl", "stl", "Stereolithography: triangles, welded", true, true}, pli_read_stl, pli_write_stl, true},
    {{"gltf", "gltf glb", "glTF 2.0: triangles of all meshes, welded", true, true},
     pli_read_gltf,
     pli_write_gltf,
     true},
    {{"assimp", PLI_ASSIMP_EXTENSIONS, "Other formats by libpliant_assimp: faces, welded", true, false},
     pli_read_by_assimp,
     NULL,
     true},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

int32_t pli_mesh_format_count(void) { return ROW_COUNT; }

const pli_mesh_format *pli_mesh_format_at(int32_t i) { return i >= 0 && i < ROW_COUNT ? &rows[i].face : NULL; }

static const format_row *row_of(const char *extension)
{
    size_t length = strlen(extension);
    for (int32_t i = 0; length > 0 && i < ROW_COUNT; i++)
        for (const char *at = rows[i].face.extensions; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
            if (strncmp(at, extension, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
                return &rows[i];
    return NULL;
}

pli_mesh_import_def pli_mesh_import_def_default(void)
{
    return (pli_mesh_import_def){.scale = 1.0f, .hooks = pli_hooks_default()};
}

static pli_status no_format(const char *path, const char *extension, const char *verb, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: files %s%s%s cannot be %s; use .obj, .ply, .stl, .gltf or .glb",
                    path, extension[0] ? "ending in '." : "without an ending", extension, extension[0] ? "'" : "",
                    verb);
}

static pli_status weld(const format_row *row, const char *name, const pli_mesh_import_def *import,
                       pli_polygons *polygons, pli_error *error)
{
    if (!row->welds && !import->weld)
        return pli_succeed(error);
    pli_weld_counts counts;
    if (!pli_polygons_weld(polygons, &counts))
        return pli_io_fail_memory(error);
    if (counts.merged > 0 && import->hooks.log) {
        char line[400], dropped[100] = "";
        if (counts.dropped > 0)
            snprintf(dropped, sizeof dropped, ", and %d faces that lost their area by that were dropped",
                     (int)counts.dropped);
        snprintf(line, sizeof line, "%.200s: %d vertices within a millionth of its size of another one were merged%s",
                 name, (int)counts.merged, dropped);
        import->hooks.log(import->hooks.user, PLI_LOG_INFO, line);
    }
    return pli_succeed(error);
}

static void warn(const pli_mesh_import_def *import, const char *line)
{
    import->hooks.log(import->hooks.user, PLI_LOG_WARNING, line);
}

// Vertices that no face uses do not fall with the other vertices.
static void tell_isolated(const pli_mesh *mesh, const pli_mesh_import_def *import, const char *name)
{
    char line[400];
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    if (report->isolated_vertices == 0)
        return;
    snprintf(line, sizeof line,
             "%.200s: %d of its vertices, the first of which is %d, belong to no face; they stay in place", name,
             (int)report->isolated_vertices, (int)report->first_isolated_vertex);
    warn(import, line);
}

// Coincident borders are usually a seam of texture coordinates or normals, along which cloth falls apart.
static void suggest_weld(const pli_mesh *mesh, const pli_mesh_import_def *import, const char *name)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t border = 0;
    float *positions = malloc(((size_t)t->vertex_count + 1) * 3 * sizeof *positions);
    int32_t *target = malloc(((size_t)t->vertex_count + 1) * sizeof *target);
    for (int32_t v = 0; positions && v < t->vertex_count; v++)
        if (t->vertex_boundary[v] && t->vertex_source[v] == v) // Excludes vertices that a repair has split.
            memcpy(positions + 3 * (size_t)border++, t->positions + 3 * (size_t)v, 3 * sizeof *positions);
    int32_t merged = positions && target
                         ? pli_weld_targets(positions, border, pli_weld_distance(t->positions, t->vertex_count), target)
                         : 0;
    if (merged > 0) {
        char line[400];
        snprintf(line, sizeof line,
                 "%.200s: %d of its %d vertices at borders lie on others; if they belong together, weld them "
                 "(--weld, or \"weld\": true in a scene)",
                 name, (int)merged, (int)border);
        warn(import, line);
    }
    free(positions);
    free(target);
}

// Faces that are all triangles need no sizes.
static void drop_sizes(pli_polygons *polygons)
{
    for (int32_t i = 0; i < polygons->face_count; i++)
        if (polygons->sizes[i] != 3)
            return;
    free(polygons->sizes);
    polygons->sizes = NULL;
}

// Rejects a mesh, with a report on the input and advice on repairing it.
static pli_status refuse_mesh(const pli_mesh_def *def, const char *name, pli_status status, const char *message,
                              pli_mesh_report *report, pli_error *error)
{
    pli_mesh_report found;
    pli_mesh_inspect(def, &found, NULL);
    if (report)
        *report = found;
    bool repairable = status == PLI_STATUS_INVALID_MESH && def->policy == PLI_MESH_REFUSE &&
                      (found.repeated_vertex_faces || found.non_manifold_edges);
    return pli_fail(error, status, "%.150s: %.300s%s", name, message,
                    repairable ? " (--repair, or \"repair\": true in a scene; --weld joins surfaces split at seams)"
                               : "");
}

static pli_status make_mesh(const pli_polygons *polygons, const pli_mesh_import_def *import, const char *name,
                            pli_mesh **mesh, pli_mesh_report *report, pli_error *error)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = polygons->positions;
    def.vertex_count = polygons->vertex_count;
    def.face_sizes = polygons->sizes;
    def.face_vertices = polygons->corners;
    def.face_count = polygons->face_count;
    def.policy = import->policy;
    def.hooks = import->hooks;
    pli_error inner = {0};
    pli_status status = pli_mesh_create(&def, mesh, &inner);
    if (status != PLI_STATUS_OK)
        return refuse_mesh(&def, name, status, inner.message, report, error);
    if (report)
        *report = *pli_mesh_get_report(*mesh);
    if (pli_mesh_topology(*mesh)->face_count > 0)
        return pli_succeed(error);
    pli_mesh_destroy(*mesh);
    *mesh = NULL;
    return pli_fail(
        error, PLI_STATUS_INVALID_MESH,
        "%.150s: repair leaves none of its %d faces, since each uses a vertex twice, as a face around a hole "
        "does; triangulate it in the program that made it",
        name, (int)polygons->face_count);
}

// Reads the contents of a file; there is nothing to release if that fails.
static pli_status read_polygons(const pli_import_file *file, const format_row *row, const pli_mesh_import_def *import,
                                pli_polygons *polygons, pli_error *error)
{
    *polygons = (pli_polygons){0};
    pli_status status = row->read(file, polygons, error);
    for (int32_t i = 0; status == PLI_STATUS_OK && i < 3 * polygons->vertex_count; i++)
        polygons->positions[i] *= import->scale;
    if (status == PLI_STATUS_OK && polygons->face_count == 0)
        status = pli_fail(error, PLI_STATUS_PARSE, "%s: there are no faces in it", file->name);
    if (status == PLI_STATUS_OK)
        status = weld(row, file->name, import, polygons, error);
    if (status != PLI_STATUS_OK)
        pli_polygons_release(polygons);
    return status;
}

// Creates the mesh from polygons, which are released.
static pli_status finish_mesh(pli_polygons *polygons, const pli_mesh_import_def *import, const char *name,
                              pli_mesh **mesh, pli_mesh_report *report, pli_error *error)
{
    drop_sizes(polygons);
    pli_status status = make_mesh(polygons, import, name, mesh, report, error);
    if (status == PLI_STATUS_OK && import->hooks.log && !polygons->merged)
        suggest_weld(*mesh, import, name);
    if (status == PLI_STATUS_OK && import->hooks.log)
        tell_isolated(*mesh, import, name);
    if (status == PLI_STATUS_OK && import->attributes) {
        *import->attributes = pli_attributes_build(polygons, *mesh);
        if (!*import->attributes) {
            pli_mesh_destroy(*mesh);
            *mesh = NULL;
            status = pli_io_fail_memory(error);
        }
    }
    pli_polygons_release(polygons);
    return status;
}

static pli_status check_import(const pli_mesh_import_def *import, pli_mesh **mesh, pli_error *error)
{
    *mesh = NULL;
    if (import->attributes)
        *import->attributes = NULL;
    if (!(import->scale > 0.0f) || import->scale > 1e6f)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "scale is %g; it must be positive and at most 1e6",
                        (double)import->scale);
    return PLI_STATUS_OK;
}

pli_status pli_mesh_read_memory(const void *data, size_t size, const char *format, const pli_mesh_import_def *import,
                                pli_mesh **mesh, pli_mesh_report *report, pli_error *error)
{
    const format_row *row = row_of(format);
    pli_place place = {0};
    pli_status status = check_import(import, mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!row)
        return no_format("(memory)", format, "read", error);
    place.source = import->files;
    const pli_import_file file = {data ? data : "", data ? size : 0, format, import->files ? &place : NULL,
                                  &import->hooks};
    pli_polygons polygons;
    status = read_polygons(&file, row, import, &polygons, error);
    return status == PLI_STATUS_OK ? finish_mesh(&polygons, import, format, mesh, report, error) : status;
}

pli_status pli_mesh_read_at(const pli_place *place, const char *path, const pli_mesh_import_def *import,
                            pli_mesh **mesh, pli_mesh_report *report, pli_error *error)
{
    char extension[16];
    pli_bytes bytes;
    pli_status status = check_import(import, mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_file_extension(path, extension);
    const format_row *row = row_of(extension);
    struct stat info;
    if (!place->source && stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return pli_fail(error, PLI_STATUS_FILE, "'%s' is not a file", path);
    if (!row)
        return no_format(path, extension, "read", error);
    status = pli_place_read(place, path, &bytes, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_import_file file = {bytes.data, bytes.size, path, place, &import->hooks};
    pli_polygons polygons;
    status = read_polygons(&file, row, import, &polygons, error);
    pli_bytes_release(&bytes);
    return status == PLI_STATUS_OK ? finish_mesh(&polygons, import, path, mesh, report, error) : status;
}

pli_status pli_mesh_read(const char *path, const pli_mesh_import_def *import, pli_mesh **mesh, pli_mesh_report *report,
                         pli_error *error)
{
    pli_status status = check_import(import, mesh, error);
    const pli_place place = {.source = status == PLI_STATUS_OK ? import->files : NULL};
    return status == PLI_STATUS_OK ? pli_mesh_read_at(&place, path, import, mesh, report, error) : status;
}

static pli_status fail_attributes(const char *path, const char *what, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: attributes do not belong to the mesh: %s", path, what);
}

static bool all_below(const int32_t *numbers, int32_t count, int32_t limit)
{
    for (int32_t i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= limit)
            return false;
    return true;
}

// Attributes that an application has filled may contain anything.
static pli_status check_attributes(const char *path, const pli_topology *t, const pli_mesh_attributes *a,
                                   pli_error *error)
{
    if ((a->vertex_count > 0 && !a->vertex_map) || (t->corner_count > 0 && !a->corners))
        return fail_attributes(path, "vertex_map or corners are missing", error);
    if (!all_below(a->vertex_map, a->vertex_count, t->vertex_count))
        return fail_attributes(path, "vertex_map names a vertex that is not there", error);
    if (!all_below(a->corners, t->corner_count, a->vertex_count))
        return fail_attributes(path, "corners name a render vertex that is not there", error);
    for (int32_t c = 0; c < t->corner_count; c++)
        if (a->vertex_map[a->corners[c]] != t->face_vertices[c])
            return fail_attributes(path, "a corner's render vertex maps to another vertex", error);
    for (int32_t i = 0; i < a->attribute_count; i++)
        if (!a->attributes[i].name || !a->attributes[i].values || a->attributes[i].width < 1 ||
            a->attributes[i].width > 4 || (uint32_t)a->attributes[i].domain > PLI_ATTRIBUTE_FACE)
            return fail_attributes(path, "an attribute has no name, no values, no domain or a width beyond 1..4",
                                   error);
    for (int32_t i = 0; i < a->group_count; i++)
        if (!a->groups[i].name || !all_below(a->groups[i].elements, a->groups[i].count,
                                             a->groups[i].kind == PLI_GROUP_VERTICES ? t->vertex_count : t->face_count))
            return fail_attributes(path, "a group has no name, or names an element that is not there", error);
    return PLI_STATUS_OK;
}

pli_status pli_mesh_write_with_attributes(const char *path, const pli_mesh *mesh, const pli_mesh_attributes *attributes,
                                          pli_view positions, pli_view normals, pli_error *error)
{
    char extension[16];
    pli_file_extension(path, extension);
    const format_row *row = row_of(extension);
    if (!row || !row->write)
        return no_format(path, extension, "written", error);
    const pli_topology *topology = pli_mesh_topology(mesh);
    if (positions.count == 0)
        positions = (pli_view){topology->positions, topology->vertex_count, 3 * sizeof(float)};
    if (positions.count != topology->vertex_count || (normals.count != 0 && normals.count != topology->vertex_count))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: %d positions and %d normals for %d vertices", path,
                        (int)positions.count, (int)normals.count, (int)topology->vertex_count);
    pli_status status = attributes ? check_attributes(path, topology, attributes, error) : PLI_STATUS_OK;
    pli_new_file file;
    if (status == PLI_STATUS_OK)
        status = pli_new_file_open(&file, path, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_mesh_writing writing = {topology, positions, normals, attributes, extension};
    if (row->write(file.stream, &writing))
        return pli_new_file_commit(&file, error);
    pli_new_file_abandon(&file);
    return pli_io_fail_memory(error);
}

pli_status pli_mesh_write(const char *path, const pli_mesh *mesh, pli_view positions, pli_view normals,
                          pli_error *error)
{
    return pli_mesh_write_with_attributes(path, mesh, NULL, positions, normals, error);
}
