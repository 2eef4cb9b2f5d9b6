// Output of importers: positions, faces and their attributes, before they become a mesh.
#ifndef PLI_IO_POLYGON_SOUP_H
#define PLI_IO_POLYGON_SOUP_H

#include "files/io_error.h"
#include "files/place.h"
#include "soup/soup_groups.h"
#include "soup/soup_layers.h"

// Arrays grown with malloc; a zeroed struct is empty.
typedef struct pli_polygons {
    float *positions;
    int32_t vertex_count, vertex_capacity;
    int32_t *sizes; // NULL if all faces are known to be triangles.
    int32_t face_count, face_capacity;
    int32_t *corners;
    int32_t corner_count, corner_capacity;
    pli_soup_layers layers;
    pli_soup_groups groups;
    // Set by welding, NULL before: the original corners, and the vertex into which each vertex of the file was merged.
    int32_t *file_corners, *merged;
    int32_t file_vertex_count;
} pli_polygons;

// Append a vertex or a face. False when memory or the range of int32_t runs out.
bool pli_polygons_add_vertex(pli_polygons *polygons, float x, float y, float z);
bool pli_polygons_add_face(pli_polygons *polygons, const int32_t *corners, int32_t count);
void pli_polygons_release(pli_polygons *polygons);

// A file to import: `name` is for messages; files that it names are relative to its folder.
typedef struct pli_import_file {
    const char *data;
    size_t size;
    const char *name;
    const pli_place *place; // Place of the files that this one names; NULL: it may name none.
    const pli_hooks *hooks; // Logs skipped content; NULL: no log.
} pli_import_file;

// One importer.
typedef pli_status (*pli_polygons_reader)(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
