// Reads stereolithography files: binary, recognised by their size, and text. Each triangle has three vertices, which welding joins; the
// names of solids are groups. Normals are not read, since they follow from the triangles.
#include "formats/stl_read.h"

#include "files/bytes.h"
#include "formats/text_scan.h"

#include <pliant/mesh_attributes.h>

#include <string.h>

enum { HEADER = 84, FACET = 50, NORMAL = 12 };

static pli_status read_binary(const pli_import_file *file, pli_polygons *p, pli_error *error)
{
    const unsigned char *bytes = (const unsigned char *)file->data;
    bool fine = true;
    for (size_t at = HEADER; fine && at + FACET <= file->size; at += FACET) {
        float v[9];
        int32_t first = p->vertex_count;
        const int32_t corners[3] = {first, first + 1, first + 2};
        for (int i = 0; i < 9; i++)
            v[i] = pli_bits_float(pli_unpack_little(bytes + at + NORMAL + 4 * (size_t)i));
        for (int i = 0; fine && i < 3; i++)
            fine = pli_polygons_add_vertex(p, v[3 * i], v[3 * i + 1], v[3 * i + 2]);
        fine = fine && pli_polygons_add_face(p, corners, 3);
    }
    return fine ? pli_succeed(error) : pli_io_fail_memory(error);
}

static pli_status expect(pli_scan *s, const char *word, pli_error *error)
{
    pli_scan_skip_space(s);
    if (pli_scan_word(s, word, true))
        return PLI_STATUS_OK;
    char what[40];
    snprintf(what, sizeof what, "'%s', which must be here", word);
    return s->at == s->end ? pli_scan_fail_line(s, "the file ends within a facet", error)
                           : pli_scan_fail(s, s->at, what, error);
}

static pli_status expect_number(pli_scan *s, double *value, pli_error *error)
{
    pli_scan_skip_space(s);
    const char *word = s->at;
    if (pli_scan_number(s, value))
        return PLI_STATUS_OK;
    return word == s->end ? pli_scan_fail_line(s, "the file ends within a facet", error)
                          : pli_scan_fail(s, word, "a number", error);
}

static pli_status read_corners(pli_scan *s, pli_polygons *p, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int i = 0; i < 3; i++) {
        double v[3] = {0};
        status = expect(s, "vertex", error);
        for (int k = 0; status == PLI_STATUS_OK && k < 3; k++)
            status = expect_number(s, &v[k], error);
        if (status != PLI_STATUS_OK)
            return status;
        if (!pli_polygons_add_vertex(p, (float)v[0], (float)v[1], (float)v[2]))
            return pli_io_fail_memory(error);
    }
    return status;
}

// Reads a facet after "facet": a normal, which may be missing or not finite, and three vertices.
static pli_status read_facet(pli_scan *s, pli_polygons *p, int32_t group, pli_error *error)
{
    int32_t first = p->vertex_count;
    const int32_t corners[3] = {first, first + 1, first + 2};
    pli_scan_next_line(s);
    pli_status status = expect(s, "outer", error);
    status = status == PLI_STATUS_OK ? expect(s, "loop", error) : status;
    status = status == PLI_STATUS_OK ? read_corners(s, p, error) : status;
    status = status == PLI_STATUS_OK ? expect(s, "endloop", error) : status;
    status = status == PLI_STATUS_OK ? expect(s, "endfacet", error) : status;
    if (status != PLI_STATUS_OK)
        return status;
    bool added = pli_polygons_add_face(p, corners, 3) &&
                 (group < 0 || pli_soup_group_add(&p->groups, group, p->face_count - 1));
    return added ? status : pli_io_fail_memory(error);
}

// The name after "solid" is the rest of its line.
static int32_t read_name(pli_scan *s, const char **name)
{
    pli_scan_skip_blanks(s);
    const char *end = *name = s->at;
    for (; !pli_scan_at_line_end(s); pli_scan_skip_blanks(s)) {
        pli_scan_skip_word(s);
        end = s->at;
    }
    return (int32_t)(end - *name);
}

static pli_status read_text(const pli_import_file *file, pli_polygons *p, pli_error *error)
{
    pli_scan s = {file->data, file->data + file->size, 1, file->name, false};
    pli_status status = PLI_STATUS_OK;
    int32_t group = -1;
    for (pli_scan_skip_space(&s); status == PLI_STATUS_OK && s.at < s.end; pli_scan_skip_space(&s)) {
        const char *name;
        if (pli_scan_word(&s, "solid", true)) {
            int32_t length = read_name(&s, &name);
            group = length > 0 ? pli_soup_group_named(&p->groups, PLI_GROUP_OBJECT, name, length) : -1;
        } else if (pli_scan_word(&s, "facet", true)) {
            status = read_facet(&s, p, group, error);
        } else if (pli_scan_word(&s, "endsolid", true)) {
            read_name(&s, &name);
        } else {
            status = pli_scan_fail(&s, s.at, "'facet', 'solid' or 'endsolid', one of which must be here", error);
        }
    }
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

pli_status pli_read_stl(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    // The length identifies binary files, since they may also begin with "solid".
    const unsigned char *bytes = (const unsigned char *)file->data;
    uint64_t facets = file->size >= HEADER ? pli_unpack_little(bytes + HEADER - 4) : 0;
    if (file->size >= HEADER && file->size == HEADER + FACET * facets)
        return read_binary(file, polygons, error);
    if (file->size > 5 && memcmp(file->data, "solid", 5) == 0)
        return read_text(file, polygons, error);
    return pli_fail(error, PLI_STATUS_PARSE, "%s: this is not an STL file, or it is cut off", file->name);
}
