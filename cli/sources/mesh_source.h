// Meshes from the command line: a file or a built-in shape.
#ifndef PLI_CLI_MESH_SOURCE_H
#define PLI_CLI_MESH_SOURCE_H

#include <pliant/mesh_file.h>

#define PLI_CLI_SHAPES                                                                                                 \
    "grid:COLUMNSxROWS[:quads|diagonal|alternating|crossed], sphere:SUBDIVISIONS, tube:AROUNDxALONG or plant:SEED"

// Reads the file, or creates the shape. `report`, which may be null, is filled also for rejected files.
pli_status pli_cli_mesh_load(const char *source, bool repair, bool weld, pli_mesh **mesh, pli_mesh_report *report,
                             pli_error *error);

#endif
