// Runs importers, which invalid files can crash or hang, in a child process.
#ifndef PLI_IO_CHILD_PROCESS_H
#define PLI_IO_CHILD_PROCESS_H

#include "soup/polygon_soup.h"

// Runs `read` in a child process with a time limit, and receives its result. A child that crashes or exceeds the limit is a PARSE
// failure.
pli_status pli_read_apart(pli_polygons_reader read, const pli_import_file *file, pli_polygons *polygons,
                          pli_error *error);

#endif
