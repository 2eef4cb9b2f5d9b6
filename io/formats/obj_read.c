// Reads Wavefront OBJ in one pass: vertices with their colours, texture coordinates, polygons, groups, materials and objects. The
// file's vertex order is kept. Grammar: the Alias/Wavefront file format specification; lines that do not describe polygons (curves,
// smoothing, display) are ignored.
#include "formats/obj_read.h"

#include "formats/text_scan.h"

#include <pliant/mesh_attributes.h>

#include <stdlib.h>
#include <string.h>

enum { CURRENT_MAX = 64, COORDINATES_MAX = 3 };

typedef struct reading {
    pli_scan s;
    pli_polygons *p;
    pli_error *error;
    int32_t uv_count;             // "vt" lines so far.
    int32_t current[CURRENT_MAX]; // Current groups of faces: from "g", then the material and the object.
    int32_t current_count, material, object;
    int32_t *corners, *coordinates; // Indices of the face being read.
    int32_t corner_capacity, coordinate_capacity;
} reading;

static pli_status fail_word(const reading *r, const char *word, const char *what)
{
    return pli_scan_fail(&r->s, word, what, r->error);
}

static pli_status fail_short(const reading *r, const char *thing, int count)
{
    return pli_fail(r->error, PLI_STATUS_PARSE, "%s:%d: a %s needs at least 3 numbers, here are %d", r->s.name,
                    (int)r->s.line, thing, count);
}

// Reads the optional values after the three numbers of a vertex: a weight, which is irrelevant for polygons, or a colour.
static bool read_colour(reading *r)
{
    double extra[4];
    int count = 0;
    for (pli_scan_skip_blanks(&r->s); !pli_scan_at_line_end(&r->s); pli_scan_skip_blanks(&r->s)) {
        if (count < 4 && pli_scan_number(&r->s, &extra[count]))
            count++;
        else
            count = 5; // Too many numbers, or an invalid one: no colour.
        pli_scan_skip_word(&r->s);
    }
    if (count != 3)
        return true;
    const float colour[3] = {(float)extra[0], (float)extra[1], (float)extra[2]};
    pli_soup_layer *layer = pli_layer_named(&r->p->layers, PLI_ATTRIBUTE_COLOUR, 6, PLI_LAYER_VERTEX, 3);
    return layer && pli_layer_set(layer, r->p->vertex_count - 1, colour);
}

static pli_status read_vertex(reading *r)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        pli_scan_skip_blanks(&r->s);
        if (pli_scan_at_line_end(&r->s))
            return fail_short(r, "vertex", i);
        const char *word = r->s.at;
        if (!pli_scan_number(&r->s, &v[i]))
            return fail_word(r, word, "a number");
    }
    bool added = pli_polygons_add_vertex(r->p, (float)v[0], (float)v[1], (float)v[2]) && read_colour(r);
    return added ? PLI_STATUS_OK : pli_io_fail_memory(r->error);
}

static pli_status read_coordinates(reading *r)
{
    double v[COORDINATES_MAX] = {0};
    int count = 0;
    for (pli_scan_skip_blanks(&r->s); !pli_scan_at_line_end(&r->s); pli_scan_skip_blanks(&r->s), count++) {
        const char *word = r->s.at;
        if (count == COORDINATES_MAX || !pli_scan_number(&r->s, &v[count]))
            return fail_word(r, word, "a number, of which texture coordinates have at most 3");
    }
    const float value[2] = {(float)v[0], (float)v[1]};
    // Layers may move when another is created, so this one is looked up again.
    pli_soup_layer *uv = pli_layer_named(&r->p->layers, PLI_ATTRIBUTE_UV, 2, PLI_LAYER_CORNER, 2);
    return uv && pli_layer_set(uv, r->uv_count++, value) ? PLI_STATUS_OK : pli_io_fail_memory(r->error);
}

// Reads "v", "v/t", "v//n" or "v/t/n"; the parts after a slash may be empty.
static bool read_corner(reading *r, int64_t *vertex, int64_t *coordinate)
{
    int64_t other = 0;
    *coordinate = 0;
    if (!pli_scan_integer(&r->s, vertex))
        return false;
    for (int slash = 0; slash < 2 && r->s.at < r->s.end && *r->s.at == '/'; slash++) {
        r->s.at++;
        bool empty = r->s.at == r->s.end || *r->s.at == '/' || pli_scan_at_word_end(&r->s);
        if (!empty && !pli_scan_integer(&r->s, slash == 0 ? coordinate : &other))
            return false;
    }
    return pli_scan_at_word_end(&r->s);
}

// Indices count from 1, or backwards from -1 for the latest of `count`; -1 for invalid ones.
static int32_t index_of(int64_t number, int32_t count)
{
    if (number > 0)
        return number > INT32_MAX ? -1 : (int32_t)(number - 1);
    return number < 0 && number >= -(int64_t)count ? (int32_t)(count + number) : -1;
}

static bool add_face(reading *r, int32_t count)
{
    pli_polygons *p = r->p;
    int32_t first = p->corner_count, face = p->face_count;
    pli_soup_layer *uv = pli_layer_named(&p->layers, PLI_ATTRIBUTE_UV, 2, PLI_LAYER_CORNER, 2);
    bool fine = uv && pli_polygons_add_face(p, r->corners, count);
    for (int32_t i = 0; fine && i < count; i++)
        fine = r->coordinates[i] < 0 || pli_layer_set_corner(uv, first + i, r->coordinates[i]);
    for (int32_t i = 0; fine && i < r->current_count; i++)
        fine = pli_soup_group_add(&p->groups, r->current[i], face);
    fine = fine && (r->material < 0 || pli_soup_group_add(&p->groups, r->material, face));
    return fine && (r->object < 0 || pli_soup_group_add(&p->groups, r->object, face));
}

// Vertex indices beyond the last are reported by the check of the mesh, which can repair them.
static pli_status read_face(reading *r)
{
    int32_t count = 0;
    for (pli_scan_skip_blanks(&r->s); !pli_scan_at_line_end(&r->s); pli_scan_skip_blanks(&r->s), count++) {
        const char *word = r->s.at;
        int64_t vertex, coordinate;
        if (!read_corner(r, &vertex, &coordinate))
            return fail_word(r, word, "an index, which is a number like 7 or 7/2/5");
        if (vertex > INT32_MAX || index_of(vertex, r->p->vertex_count) < 0)
            return fail_word(r, word, "a vertex: they count from 1, or from -1 backwards");
        if (!pli_soup_reserve((void **)&r->corners, &r->corner_capacity, (int64_t)count + 1, sizeof(int32_t)) ||
            !pli_soup_reserve((void **)&r->coordinates, &r->coordinate_capacity, (int64_t)count + 1, sizeof(int32_t)))
            return pli_io_fail_memory(r->error);
        r->corners[count] = index_of(vertex, r->p->vertex_count);
        r->coordinates[count] = index_of(coordinate, r->uv_count);
    }
    if (count < 3)
        return fail_short(r, "face", count);
    return add_face(r, count) ? PLI_STATUS_OK : pli_io_fail_memory(r->error);
}

// The rest of the line without surrounding blanks: names of materials and objects may contain blanks.
static int32_t read_name(reading *r, const char **name)
{
    pli_scan_skip_blanks(&r->s);
    const char *end = *name = r->s.at;
    for (; !pli_scan_at_line_end(&r->s); pli_scan_skip_blanks(&r->s)) {
        pli_scan_skip_word(&r->s);
        end = r->s.at;
    }
    return (int32_t)(end - *name);
}

static pli_status read_named(reading *r, pli_mesh_group_kind kind, int32_t *current)
{
    const char *name;
    int32_t length = read_name(r, &name);
    *current = length > 0 ? pli_soup_group_named(&r->p->groups, (int32_t)kind, name, length) : -1;
    return length == 0 || *current >= 0 ? PLI_STATUS_OK : pli_io_fail_memory(r->error);
}

static pli_status read_groups(reading *r)
{
    r->current_count = 0;
    for (pli_scan_skip_blanks(&r->s); !pli_scan_at_line_end(&r->s); pli_scan_skip_blanks(&r->s)) {
        const char *word = r->s.at;
        int32_t length = pli_scan_word_length(&r->s);
        if (r->current_count == CURRENT_MAX)
            return fail_word(r, word, "possible: a face belongs to at most 64 groups");
        int32_t group = pli_soup_group_named(&r->p->groups, PLI_GROUP_FACES, word, length);
        if (group < 0)
            return pli_io_fail_memory(r->error);
        bool twice = false;
        for (int32_t i = 0; i < r->current_count; i++)
            twice = twice || r->current[i] == group;
        if (!twice)
            r->current[r->current_count++] = group;
        pli_scan_skip_word(&r->s);
    }
    return PLI_STATUS_OK;
}

static pli_status read_line(reading *r)
{
    if (pli_scan_word(&r->s, "v", false))
        return read_vertex(r);
    if (pli_scan_word(&r->s, "vt", false))
        return read_coordinates(r);
    if (pli_scan_word(&r->s, "f", false))
        return read_face(r);
    if (pli_scan_word(&r->s, "g", false))
        return read_groups(r);
    if (pli_scan_word(&r->s, "usemtl", false))
        return read_named(r, PLI_GROUP_MATERIAL, &r->material);
    if (pli_scan_word(&r->s, "o", false))
        return read_named(r, PLI_GROUP_OBJECT, &r->object);
    return PLI_STATUS_OK;
}

pli_status pli_read_obj(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    reading r = {.s = {file->data, file->data + file->size, 1, file->name, true},
                 .p = polygons,
                 .error = error,
                 .material = -1,
                 .object = -1};
    if (file->size >= 3 && memcmp(file->data, "\xef\xbb\xbf", 3) == 0)
        r.s.at += 3;
    if (memchr(file->data, '\0', file->size))
        return pli_fail(error, PLI_STATUS_PARSE, "%s: there are zero bytes in it; this is not an OBJ file", file->name);
    pli_status status = PLI_STATUS_OK;
    for (; r.s.at < r.s.end && status == PLI_STATUS_OK; pli_scan_next_line(&r.s)) {
        pli_scan_skip_blanks(&r.s);
        status = read_line(&r);
    }
    free(r.corners);
    free(r.coordinates);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
