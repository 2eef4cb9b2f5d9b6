// The row that implements VTKHDF.
#ifndef PLI_IO_VTKHDF_WRITE_H
#define PLI_IO_VTKHDF_WRITE_H

#include "caches/cache_formats.h"

extern const pli_cache_row pli_vtkhdf_row;

#endif
