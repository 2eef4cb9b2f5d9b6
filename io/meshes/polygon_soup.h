// Output of importers: positions and faces, before they become a mesh.
#ifndef PLI_IO_POLYGON_SOUP_H
#define PLI_IO_POLYGON_SOUP_H

#include "files/io_error.h"

#ifdef __cplusplus
extern "C" {
#endif

// Arrays grown with malloc; a zeroed struct is empty.
typedef struct pli_polygons {
    float *positions;
    int32_t vertex_count, vertex_capacity;
    int32_t *sizes;
    int32_t face_count, face_capacity;
    int32_t *corners;
    int32_t corner_count, corner_capacity;
} pli_polygons;

// Append a vertex or a face. False when memory or the range of int32_t runs out.
bool pli_polygons_add_vertex(pli_polygons *polygons, float x, float y, float z);
bool pli_polygons_add_face(pli_polygons *polygons, const int32_t *corners, int32_t count);
void pli_polygons_release(pli_polygons *polygons);
// Merges vertices at exactly equal positions into the first of them, and drops the others; returns
// the number dropped, or -1 when memory ran out.
int32_t pli_polygons_weld(pli_polygons *polygons);

// One importer: `name` is for messages.
typedef pli_status (*pli_polygons_reader)(const char *data, size_t size, const char *name, pli_polygons *polygons,
                                          pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
