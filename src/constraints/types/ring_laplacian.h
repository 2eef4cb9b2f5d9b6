// The kernel of ring Laplacians, which all back ends share: rings differ in size, so they are projected one by one.
#ifndef PLI_CONSTRAINTS_TYPES_RING_LAPLACIAN_H
#define PLI_CONSTRAINTS_TYPES_RING_LAPLACIAN_H

#include "constraints/projection.h"

void pli_project_rings(const pli_projection *p, int32_t begin, int32_t end);

#endif
