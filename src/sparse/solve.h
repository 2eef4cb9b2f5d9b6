// Solves with a factor for three right-hand sides at once, the coordinates of vectors. Meant for corrections: in A d = r with a residual
// r that was found from small differences, the digits that floats lack are lost from d alone.
#ifndef PLI_SPARSE_SOLVE_H
#define PLI_SPARSE_SOLVE_H

#include "base/tasks.h"
#include "sparse/factor.h"
#include "sparse/panel_kernels.h"

// Scratch of solves with one factor.
typedef struct pli_solve_scratch {
    pli_particle *vector; // [unknowns + PLI_FACTOR_ROWS] in the order of elimination; behind the last there is 0.
    pli_particle *top;    // [subtrees][unknowns of the top] what each subtree adds there.
    pli_particle *panels; // [subtrees] rows and columns of a node.
    int32_t panel_size;
} pli_solve_scratch;

bool pli_solve_scratch_make(pli_memory *memory, const pli_factor *factor, pli_solve_scratch *scratch);
void pli_solve_scratch_free(pli_memory *memory, pli_solve_scratch *scratch);

// Replaces the right-hand sides `vector` [unknowns] by the solution; w is 0 before and after. The result has the same bits for any
// number of threads and any back end. `tasks` may be null.
void pli_solve(const pli_factor *factor, const pli_panel_kernels *kernels, pli_tasks *tasks, pli_solve_scratch *scratch,
               pli_particle *vector);

#endif
