// The kernel that keeps a distance, for distance, stick and opposite distance.
#ifndef PLI_CONSTRAINTS_TYPES_DISTANCE_H
#define PLI_CONSTRAINTS_TYPES_DISTANCE_H

#include "constraints/types/distance_kernel.h"

void PLI_NAMED(pli_distance_project)(const pli_projection *p, int32_t begin, int32_t end);

#endif
