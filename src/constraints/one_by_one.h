// Projects constraints one after the other with a kernel that takes several at a time, in small builds that omit the scalar kernels.
#ifndef PLI_CONSTRAINTS_ONE_BY_ONE_H
#define PLI_CONSTRAINTS_ONE_BY_ONE_H

#include "constraints/projection.h"

// Projects the slots begin..end-1, which may share particles, by `run`, a kernel of `width` lanes with index lists. The result is
// bit-identical to the scalar kernel of the same type.
void pli_project_one_by_one(const pli_projection *projection, int32_t begin, int32_t end, pli_project run,
                            int32_t width);

#endif
