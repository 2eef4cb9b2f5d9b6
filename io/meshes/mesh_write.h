// Writers of mesh formats; errors stay in the stream until it is committed.
#ifndef PLI_IO_MESH_WRITE_H
#define PLI_IO_MESH_WRITE_H

#include <pliant/mesh.h>

#include <stdio.h>

typedef void (*pli_mesh_writer)(FILE *stream, const pli_topology *topology, pli_view positions, pli_view normals);
void pli_write_obj(FILE *stream, const pli_topology *topology, pli_view positions, pli_view normals);
void pli_write_ply(FILE *stream, const pli_topology *topology, pli_view positions, pli_view normals);

#endif
