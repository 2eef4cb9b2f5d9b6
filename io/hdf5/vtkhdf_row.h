// The row of VTKHDF that does the work.
#ifndef PLI_IO_VTKHDF_ROW_H
#define PLI_IO_VTKHDF_ROW_H

#include "caches/cache_formats.h"

extern const pli_cache_row pli_vtkhdf_row;

#endif
