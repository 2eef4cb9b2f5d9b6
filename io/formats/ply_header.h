// The header of a PLY file: elements with their properties, and the meaning of each property.
#ifndef PLI_IO_PLY_HEADER_H
#define PLI_IO_PLY_HEADER_H

#include "soup/polygon_soup.h"
#include "formats/text_scan.h"

enum { PLI_PLY_PROPERTIES_MAX = 256, PLI_PLY_ELEMENTS_MAX = 32, PLI_PLY_NAME_MAX = 64 };

typedef enum pli_ply_format { PLI_PLY_ASCII, PLI_PLY_LITTLE, PLI_PLY_BIG } pli_ply_format;

typedef enum pli_ply_use {
    PLI_PLY_SKIPPED,
    PLI_PLY_POSITION,
    PLI_PLY_COLOUR,
    PLI_PLY_UV,       // Texture coordinates of a vertex; a face has a list of two numbers per corner.
    PLI_PLY_INDICES,  // The list of a face's vertices.
    PLI_PLY_ATTRIBUTE // An attribute named after the property.
} pli_ply_use;

typedef enum pli_ply_element_kind { PLI_PLY_OTHER, PLI_PLY_VERTEX, PLI_PLY_FACE } pli_ply_element_kind;

// A number type, with its two common names.
typedef struct pli_ply_type {
    const char *name, *other_name;
    int32_t bytes;
    double whole; // The number of this type that stands for 1 in a colour.
    bool is_signed, is_float;
} pli_ply_type;

typedef struct pli_ply_property {
    char name[PLI_PLY_NAME_MAX];
    const pli_ply_type *type, *count_type; // `count_type` for lists only, else NULL.
    pli_ply_use use;
    int32_t component; // Component of a position, a colour or texture coordinates.
} pli_ply_property;

typedef struct pli_ply_element {
    pli_ply_element_kind kind;
    int64_t count;
    int32_t first_property, property_count, line;
} pli_ply_element;

typedef struct pli_ply_header {
    pli_ply_format format;
    pli_ply_element elements[PLI_PLY_ELEMENTS_MAX];
    int32_t element_count;
    pli_ply_property properties[PLI_PLY_PROPERTIES_MAX];
    int32_t property_count;
} pli_ply_header;

// Reads the header and moves the cursor to the first byte after it.
pli_status pli_ply_header_read(pli_scan *scan, pli_ply_header *header, pli_error *error);

#endif
