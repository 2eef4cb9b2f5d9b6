// Solves with a factor for three right-hand sides simultaneously, the coordinates of vectors. It is meant for corrections: in A d = r,
// where the residual r was computed from small differences, the precision that floats lack affects only d.
#ifndef PLI_BASE_SPARSE_SOLVE_H
#define PLI_BASE_SPARSE_SOLVE_H

#include "base/tasks.h"
#include "base/sparse/border.h"

// Scratch memory of solves with one factor.
typedef struct pli_solve_scratch {
    pli_particle
        *vector;       // [unknowns + 1] right-hand sides and solution by place (pli_dissection.places); the last is 0.
    pli_particle *top; // [subtrees][unknowns of the top] contribution of each subtree to the top.
    pli_particle *panels; // [subtrees] operands and result of a product.
    int32_t panel_size;
} pli_solve_scratch;

bool pli_solve_scratch_make(pli_memory *memory, const pli_factor *factor, pli_solve_scratch *scratch);
void pli_solve_scratch_free(pli_memory *memory, pli_solve_scratch *scratch);

// Replaces the right-hand sides `scratch->vector` by the solution; w is 0 before and after. The result is bit-identical for any number of
// threads and any back end. `tasks` may be null, and so may `border`, whose unknowns are `corner` (base/sparse/border.h).
void pli_solve(const pli_factor *factor, const pli_panel_kernels *kernels, pli_tasks *tasks, pli_solve_scratch *scratch,
               const pli_border *border, pli_particle *corner);

#endif
