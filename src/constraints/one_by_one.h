// Constraints projected one after the other by a kernel that takes several at once, in builds that leave out the scalar kernels
// to be small.
#ifndef PLI_CONSTRAINTS_ONE_BY_ONE_H
#define PLI_CONSTRAINTS_ONE_BY_ONE_H

#include "constraints/projection.h"

// Projects the slots begin..end-1, which may share particles, by `run`, a kernel of `width` lanes that goes by lists. The bits
// are those of the scalar kernel of the same type.
void pli_project_one_by_one(const pli_projection *projection, int32_t begin, int32_t end, pli_project run,
                            int32_t width);

#endif
