// Reads PLY, text and binary of both byte orders: positions and polygons, colours and texture coordinates of vertices or faces, and
// every other number as an attribute with the name of its property.
#include "formats/ply_read.h"

#include "files/bytes.h"
#include "formats/ply_header.h"

#include <pliant/mesh_attributes.h>

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    pli_scan s;
    pli_ply_header h;
    pli_polygons *p;
    pli_error *error;
    double *list; // Numbers of the list being read.
    int32_t list_count, list_capacity;
    int32_t *corners; // Vertices of the face being read.
    int32_t corner_count, corner_capacity;
    float *uv; // Two numbers for each of its corners.
    int32_t uv_count, uv_capacity;
} reading;

static pli_status fail_end(const reading *r)
{
    return r->h.format == PLI_PLY_ASCII
               ? pli_scan_fail_line(&r->s, "the file ends before its last element", r->error)
               : pli_fail(r->error, PLI_STATUS_PARSE, "%s: the file ends before its last element", r->s.name);
}

static double unpack(const unsigned char *at, const pli_ply_type *type, bool big)
{
    uint64_t bits = 0;
    for (int32_t i = 0; i < type->bytes; i++)
        bits |= (uint64_t)at[big ? type->bytes - 1 - i : i] << (8 * i);
    if (type->is_float && type->bytes == 4)
        return (double)pli_bits_float((uint32_t)bits);
    if (type->is_float) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    bool negative = type->is_signed && bits >> (8 * type->bytes - 1) & 1;
    return negative ? (double)bits - (double)((uint64_t)1 << 8 * type->bytes) : (double)bits;
}

static pli_status read_number(reading *r, const pli_ply_type *type, double *value)
{
    if (r->h.format == PLI_PLY_ASCII) {
        pli_scan_skip_space(&r->s);
        const char *word = r->s.at;
        if (word == r->s.end)
            return fail_end(r);
        return pli_scan_number(&r->s, value) ? PLI_STATUS_OK : pli_scan_fail(&r->s, word, "a number", r->error);
    }
    if (r->s.end - r->s.at < type->bytes)
        return fail_end(r);
    *value = unpack((const unsigned char *)r->s.at, type, r->h.format == PLI_PLY_BIG);
    r->s.at += type->bytes;
    return PLI_STATUS_OK;
}

static pli_status read_list(reading *r, const pli_ply_property *p)
{
    double count = 0.0;
    pli_status status = read_number(r, p->count_type, &count);
    double room = (double)(r->s.end - r->s.at) / (r->h.format == PLI_PLY_ASCII ? 1 : p->type->bytes);
    if (status == PLI_STATUS_OK && !(count >= 0.0 && count <= room && count == (double)(int64_t)count))
        return pli_fail(r->error, PLI_STATUS_PARSE, "%s:%d: a list '%s' of %g numbers is longer than the file",
                        r->s.name, (int)r->s.line, p->name, count);
    r->list_count = status == PLI_STATUS_OK && count < INT32_MAX ? (int32_t)count : 0;
    if (!pli_soup_reserve((void **)&r->list, &r->list_capacity, r->list_count, sizeof *r->list))
        return pli_io_fail_memory(r->error);
    for (int32_t i = 0; status == PLI_STATUS_OK && i < r->list_count; i++)
        status = read_number(r, p->type, &r->list[i]);
    return status;
}

// Stores the list of a face: its corners or their texture coordinates.
static bool keep_list(reading *r, const pli_ply_property *p)
{
    if (p->use == PLI_PLY_INDICES) {
        r->corner_count = r->list_count;
        if (!pli_soup_reserve((void **)&r->corners, &r->corner_capacity, r->list_count, sizeof *r->corners))
            return false;
        for (int32_t i = 0; i < r->list_count; i++)
            r->corners[i] = r->list[i] >= 0.0 && r->list[i] < INT32_MAX ? (int32_t)r->list[i] : -1;
    } else if (p->use == PLI_PLY_UV) {
        r->uv_count = r->list_count;
        if (!pli_soup_reserve((void **)&r->uv, &r->uv_capacity, r->list_count, sizeof *r->uv))
            return false;
        for (int32_t i = 0; i < r->list_count; i++)
            r->uv[i] = (float)r->list[i];
    }
    return true;
}

// Values that consist of several numbers of one element.
typedef struct gathered {
    float position[3], colour[4], uv[2];
    int32_t colour_width;
    bool has_uv;
} gathered;

static bool keep_number(reading *r, const pli_ply_property *p, double value, pli_layer_domain domain, int32_t element,
                        gathered *g)
{
    if (p->use == PLI_PLY_POSITION)
        g->position[p->component] = (float)value;
    if (p->use == PLI_PLY_COLOUR) {
        g->colour[p->component] = (float)(value / p->type->whole);
        g->colour_width = p->component == 3 ? 4 : g->colour_width > 3 ? 4 : 3;
    }
    if (p->use == PLI_PLY_UV) {
        g->uv[p->component] = (float)value;
        g->has_uv = true;
    }
    if (p->use != PLI_PLY_ATTRIBUTE)
        return true;
    const float number = (float)value;
    pli_soup_layer *layer = pli_layer_named(&r->p->layers, p->name, (int32_t)strlen(p->name), domain, 1);
    return layer && pli_layer_set(layer, element, &number);
}

static bool keep_layers(reading *r, pli_layer_domain domain, int32_t element, const gathered *g)
{
    if (g->colour_width > 0) {
        pli_soup_layer *colour = pli_layer_named(&r->p->layers, PLI_ATTRIBUTE_COLOUR, 6, domain, g->colour_width);
        if (!colour || !pli_layer_set(colour, element, g->colour))
            return false;
    }
    if (!g->has_uv)
        return true;
    pli_soup_layer *uv = pli_layer_named(&r->p->layers, PLI_ATTRIBUTE_UV, 2, domain, 2);
    return uv && pli_layer_set(uv, element, g->uv);
}

static bool keep_face(reading *r)
{
    int32_t first = r->p->corner_count;
    if (!pli_polygons_add_face(r->p, r->corners, r->corner_count))
        return false;
    if (r->uv_count < 2 * r->corner_count)
        return true;
    pli_soup_layer *uv = pli_layer_named(&r->p->layers, PLI_ATTRIBUTE_UV, 2, PLI_LAYER_CORNER, 2);
    bool fine = uv != NULL;
    for (int32_t i = 0; fine && i < r->corner_count; i++) {
        int32_t value = uv->count;
        fine = pli_layer_set(uv, value, r->uv + 2 * i) && pli_layer_set_corner(uv, first + i, value);
    }
    return fine;
}

static pli_status read_element(reading *r, const pli_ply_element *e)
{
    pli_layer_domain domain = e->kind == PLI_PLY_FACE ? PLI_LAYER_FACE : PLI_LAYER_VERTEX;
    int32_t element = e->kind == PLI_PLY_FACE ? r->p->face_count : r->p->vertex_count;
    gathered g = {.colour = {0, 0, 0, 1}};
    r->corner_count = r->uv_count = 0;
    for (int32_t i = 0; i < e->property_count; i++) {
        const pli_ply_property *p = &r->h.properties[e->first_property + i];
        double value = 0.0;
        pli_status status = p->count_type ? read_list(r, p) : read_number(r, p->type, &value);
        if (status != PLI_STATUS_OK)
            return status;
        if (!(p->count_type ? keep_list(r, p) : keep_number(r, p, value, domain, element, &g)))
            return pli_io_fail_memory(r->error);
    }
    if (e->kind == PLI_PLY_OTHER)
        return PLI_STATUS_OK;
    bool fine = e->kind == PLI_PLY_FACE ? keep_face(r)
                                        : pli_polygons_add_vertex(r->p, g.position[0], g.position[1], g.position[2]);
    return fine && keep_layers(r, domain, element, &g) ? PLI_STATUS_OK : pli_io_fail_memory(r->error);
}

pli_status pli_read_ply(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    reading *r = calloc(1, sizeof *r);
    if (!r)
        return pli_io_fail_memory(error);
    r->s = (pli_scan){file->data, file->data + file->size, 1, file->name, false};
    r->p = polygons;
    r->error = error;
    pli_status status = pli_ply_header_read(&r->s, &r->h, error);
    for (int32_t i = 0; status == PLI_STATUS_OK && i < r->h.element_count; i++)
        for (int64_t k = 0; status == PLI_STATUS_OK && k < r->h.elements[i].count; k++)
            status = read_element(r, &r->h.elements[i]);
    free(r->list);
    free(r->corners);
    free(r->uv);
    free(r);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
