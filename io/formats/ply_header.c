// Reads PLY headers (Turk 1994): every line is checked, and no count is accepted for which the file has too few bytes.
#include "formats/ply_header.h"

#include <stdio.h>
#include <string.h>

static const pli_ply_type types[] = {
    {"char", "int8", 1, 127.0, true, false},        {"uchar", "uint8", 1, 255.0, false, false},
    {"short", "int16", 2, 32767.0, true, false},    {"ushort", "uint16", 2, 65535.0, false, false},
    {"int", "int32", 4, 2147483647.0, true, false}, {"uint", "uint32", 4, 4294967295.0, false, false},
    {"float", "float32", 4, 1.0, true, true},       {"double", "float64", 8, 1.0, true, true},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

// Properties with a predefined meaning.
static const struct {
    const char *name;
    pli_ply_element_kind kind;
    bool list;
    pli_ply_use use;
    int32_t component;
} meanings[] = {
    {"x", PLI_PLY_VERTEX, false, PLI_PLY_POSITION, 0},
    {"y", PLI_PLY_VERTEX, false, PLI_PLY_POSITION, 1},
    {"z", PLI_PLY_VERTEX, false, PLI_PLY_POSITION, 2},
    {"nx", PLI_PLY_VERTEX, false, PLI_PLY_SKIPPED, 0},
    {"ny", PLI_PLY_VERTEX, false, PLI_PLY_SKIPPED, 0},
    {"nz", PLI_PLY_VERTEX, false, PLI_PLY_SKIPPED, 0},
    {"red", PLI_PLY_VERTEX, false, PLI_PLY_COLOUR, 0},
    {"green", PLI_PLY_VERTEX, false, PLI_PLY_COLOUR, 1},
    {"blue", PLI_PLY_VERTEX, false, PLI_PLY_COLOUR, 2},
    {"alpha", PLI_PLY_VERTEX, false, PLI_PLY_COLOUR, 3},
    {"s", PLI_PLY_VERTEX, false, PLI_PLY_UV, 0},
    {"t", PLI_PLY_VERTEX, false, PLI_PLY_UV, 1},
    {"u", PLI_PLY_VERTEX, false, PLI_PLY_UV, 0},
    {"v", PLI_PLY_VERTEX, false, PLI_PLY_UV, 1},
    {"texture_u", PLI_PLY_VERTEX, false, PLI_PLY_UV, 0},
    {"texture_v", PLI_PLY_VERTEX, false, PLI_PLY_UV, 1},
    {"vertex_indices", PLI_PLY_FACE, true, PLI_PLY_INDICES, 0},
    {"vertex_index", PLI_PLY_FACE, true, PLI_PLY_INDICES, 0},
    {"texcoord", PLI_PLY_FACE, true, PLI_PLY_UV, 0},
    {"red", PLI_PLY_FACE, false, PLI_PLY_COLOUR, 0},
    {"green", PLI_PLY_FACE, false, PLI_PLY_COLOUR, 1},
    {"blue", PLI_PLY_FACE, false, PLI_PLY_COLOUR, 2},
    {"alpha", PLI_PLY_FACE, false, PLI_PLY_COLOUR, 3},
};

static void find_meaning(pli_ply_property *p, pli_ply_element_kind kind)
{
    p->use = p->count_type || kind == PLI_PLY_OTHER ? PLI_PLY_SKIPPED : PLI_PLY_ATTRIBUTE;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (meanings[i].kind != kind || meanings[i].list != (p->count_type != NULL) ||
            strcmp(meanings[i].name, p->name) != 0)
            continue;
        p->use = meanings[i].use;
        p->component = meanings[i].component;
    }
}

static const pli_ply_type *read_type(pli_scan *s)
{
    pli_scan_skip_blanks(s);
    for (int i = 0; i < TYPE_COUNT; i++)
        if (pli_scan_word(s, types[i].name, false) || pli_scan_word(s, types[i].other_name, false))
            return &types[i];
    return NULL;
}

static pli_status fail_header(const pli_scan *s, pli_error *error)
{
    return pli_scan_fail_line(s, "a line of its header is not of the PLY format", error);
}

static pli_status read_property(pli_scan *s, pli_ply_header *h, pli_error *error)
{
    if (h->element_count == 0 || h->property_count == PLI_PLY_PROPERTIES_MAX)
        return pli_scan_fail_line(s, "a property needs an element before it, and a file has at most 256", error);
    pli_ply_property *p = &h->properties[h->property_count];
    pli_ply_element *element = &h->elements[h->element_count - 1];
    *p = (pli_ply_property){0};
    pli_scan_skip_blanks(s);
    bool list = pli_scan_word(s, "list", false);
    p->count_type = list ? read_type(s) : NULL;
    p->type = read_type(s);
    pli_scan_skip_blanks(s);
    int32_t length = pli_scan_word_length(s);
    if (!p->type || (list && (!p->count_type || p->count_type->is_float)) || length == 0 || length >= PLI_PLY_NAME_MAX)
        return fail_header(s, error);
    memcpy(p->name, s->at, (size_t)length);
    find_meaning(p, element->kind);
    h->property_count++;
    element->property_count++;
    return PLI_STATUS_OK;
}

static pli_status read_element(pli_scan *s, pli_ply_header *h, pli_error *error)
{
    if (h->element_count == PLI_PLY_ELEMENTS_MAX)
        return pli_scan_fail_line(s, "a file has at most 32 elements", error);
    pli_ply_element *e = &h->elements[h->element_count++];
    *e = (pli_ply_element){.first_property = h->property_count, .line = s->line};
    pli_scan_skip_blanks(s);
    if (pli_scan_word(s, "vertex", false))
        e->kind = PLI_PLY_VERTEX;
    else if (pli_scan_word(s, "face", false))
        e->kind = PLI_PLY_FACE;
    else
        pli_scan_skip_word(s);
    pli_scan_skip_blanks(s);
    if (!pli_scan_integer(s, &e->count) || e->count < 0 || !pli_scan_at_word_end(s))
        return fail_header(s, error);
    for (int32_t i = 0; i < h->element_count - 1 && e->kind != PLI_PLY_OTHER; i++)
        if (h->elements[i].kind == e->kind)
            return pli_scan_fail_line(s, "this element is there twice", error);
    return PLI_STATUS_OK;
}

static pli_status read_format(pli_scan *s, pli_ply_header *h, pli_error *error)
{
    pli_scan_skip_blanks(s);
    if (pli_scan_word(s, "ascii", false))
        h->format = PLI_PLY_ASCII;
    else if (pli_scan_word(s, "binary_little_endian", false))
        h->format = PLI_PLY_LITTLE;
    else if (pli_scan_word(s, "binary_big_endian", false))
        h->format = PLI_PLY_BIG;
    else
        return pli_scan_fail(s, s->at, "a format: ascii, binary_little_endian or binary_big_endian", error);
    pli_scan_skip_blanks(s);
    return pli_scan_word(s, "1.0", false) ? PLI_STATUS_OK : fail_header(s, error);
}

static pli_status read_line(pli_scan *s, pli_ply_header *h, pli_error *error)
{
    if (pli_scan_word(s, "element", false))
        return read_element(s, h, error);
    if (pli_scan_word(s, "property", false))
        return read_property(s, h, error);
    if (pli_scan_word(s, "format", false))
        return read_format(s, h, error);
    if (pli_scan_word(s, "comment", false) || pli_scan_word(s, "obj_info", false) || pli_scan_at_line_end(s))
        return PLI_STATUS_OK;
    return fail_header(s, error);
}

// Minimum size of one element in the file, in bytes.
static int64_t least_bytes(const pli_ply_header *h, const pli_ply_element *e)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < e->property_count; i++) {
        const pli_ply_property *p = &h->properties[e->first_property + i];
        bytes += h->format == PLI_PLY_ASCII ? 2 : p->count_type ? p->count_type->bytes : p->type->bytes;
    }
    return bytes;
}

static bool has(const pli_ply_header *h, pli_ply_element_kind kind, pli_ply_use use, int32_t component)
{
    for (int32_t k = 0; k < h->element_count; k++)
        for (int32_t i = 0; i < h->elements[k].property_count; i++) {
            const pli_ply_property *p = &h->properties[h->elements[k].first_property + i];
            if (h->elements[k].kind == kind && p->use == use && p->component == component)
                return true;
        }
    return false;
}

static pli_status check(const pli_scan *s, const pli_ply_header *h, pli_error *error)
{
    int64_t left = s->end - s->at + 1; // The last number of a text needs no blank after it.
    for (int32_t i = 0; i < h->element_count; i++) {
        int64_t least = least_bytes(h, &h->elements[i]);
        if (h->elements[i].count > left || (least > 0 && h->elements[i].count > left / least))
            return pli_fail(error, PLI_STATUS_PARSE, "%s:%d: its header promises more elements than the file has bytes",
                            s->name, (int)h->elements[i].line);
        left -= least * h->elements[i].count;
    }
    for (int32_t k = 0; k < 3; k++)
        if (!has(h, PLI_PLY_VERTEX, PLI_PLY_POSITION, k))
            return pli_fail(error, PLI_STATUS_PARSE, "%s: its vertices have no property '%c'", s->name, "xyz"[k]);
    return has(h, PLI_PLY_FACE, PLI_PLY_INDICES, 0)
               ? PLI_STATUS_OK
               : pli_fail(error, PLI_STATUS_PARSE, "%s: it has no faces with a list 'vertex_indices'", s->name);
}

// In a binary file the byte after the header may be a line feed that belongs to the first number: a header whose lines end with
// carriage returns only also ends with one.
static void end_header(pli_scan *s, bool feeds)
{
    while (!pli_scan_at_line_end(s))
        s->at++;
    if (!feeds && s->at < s->end)
        s->at++, s->line++;
    else
        pli_scan_next_line(s);
}

pli_status pli_ply_header_read(pli_scan *s, pli_ply_header *h, pli_error *error)
{
    *h = (pli_ply_header){.format = PLI_PLY_ASCII};
    if (!pli_scan_word(s, "ply", false))
        return pli_fail(error, PLI_STATUS_PARSE, "%s: this is not a PLY file", s->name);
    pli_scan_skip_blanks(s);
    bool feeds = s->at < s->end && (*s->at == '\n' || (s->at + 1 < s->end && s->at[1] == '\n'));
    pli_status status = PLI_STATUS_OK;
    for (pli_scan_next_line(s); status == PLI_STATUS_OK; pli_scan_next_line(s)) {
        pli_scan_skip_blanks(s);
        if (s->at == s->end)
            return pli_fail(error, PLI_STATUS_PARSE, "%s: its header has no end", s->name);
        if (pli_scan_word(s, "end_header", false)) {
            end_header(s, feeds);
            return check(s, h, error);
        }
        status = read_line(s, h, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return status;
}
