// The kernel of a distance that is kept, which distance, stick and opposite distance share.
#ifndef PLI_CONSTRAINTS_TYPES_DISTANCE_H
#define PLI_CONSTRAINTS_TYPES_DISTANCE_H

#include "constraints/types/distance_kernel.h"

void PLI_NAMED(pli_distance_project)(const pli_projection *p, int32_t begin, int32_t end);

#endif
