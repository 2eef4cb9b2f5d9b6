#include "wide/kernels.h"

const pli_kernels *PLI_NAMED(pli_kernels)(void)
{
    static const pli_kernels kernels = {PLI_NAMED(pli_constraint_table), &PLI_NAMED(pli_motion)};
    return &kernels;
}
