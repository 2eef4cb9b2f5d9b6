// A checked mesh, as the format writers receive it.
#ifndef PLI_IO_MESH_WRITE_H
#define PLI_IO_MESH_WRITE_H

#include "files/io_error.h"

#include <pliant/mesh_attributes.h>

#include <stdio.h>

typedef struct pli_mesh_writing {
    const pli_topology *topology;
    pli_view positions, normals;           // One per vertex of the mesh; `normals` may be empty.
    const pli_mesh_attributes *attributes; // NULL for none.
    const char *extension;                 // Extension of the file.
} pli_mesh_writing;

// Writes to the stream; the caller checks the stream for errors. False when memory runs out.
typedef bool (*pli_mesh_writer)(FILE *stream, const pli_mesh_writing *w);
bool pli_write_obj(FILE *stream, const pli_mesh_writing *w);
bool pli_write_ply(FILE *stream, const pli_mesh_writing *w);
bool pli_write_stl(FILE *stream, const pli_mesh_writing *w);
bool pli_write_gltf(FILE *stream, const pli_mesh_writing *w);

// The attribute of that name and domain with at least that width; NULL when there is none.
const pli_mesh_attribute *pli_writing_attribute(const pli_mesh_writing *w, const char *name,
                                                pli_attribute_domain domain, int32_t width);
// The first render vertex of each vertex of the mesh, or -1; free with free(). NULL when memory runs out.
int32_t *pli_writing_firsts(const pli_mesh_writing *w);
// The last group of that kind that each face belongs to, or -1; free with free(). NULL when memory runs out.
int32_t *pli_writing_face_groups(const pli_mesh_writing *w, pli_mesh_group_kind kind);
// Writes a name with '_' instead of blanks and line breaks.
void pli_writing_put_name(FILE *stream, const char *name, bool blanks);

#endif
