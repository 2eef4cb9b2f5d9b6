// Algorithm 1 of Mueller and others 2006 on a small net, one line at a time.
#ifndef PLI_VIEW_ALGORITHM_H
#define PLI_VIEW_ALGORITHM_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_VIEW_ALGORITHM_POINTS = 64, PLI_VIEW_ALGORITHM_EDGES = 256 };

typedef struct pli_view_algorithm {
    int32_t count, edge_count; // 0 before it begins.
    int32_t edges[PLI_VIEW_ALGORITHM_EDGES][2];
    double lengths[PLI_VIEW_ALGORITHM_EDGES];
    double x[PLI_VIEW_ALGORITHM_POINTS][3], v[PLI_VIEW_ALGORITHM_POINTS][3], p[PLI_VIEW_ALGORITHM_POINTS][3];
    double w[PLI_VIEW_ALGORITHM_POINTS];
    int32_t line;       // Index of the line that runs next.
    int32_t iterations; // Done in the current step.
    int32_t steps;      // Done since the start.
} pli_view_algorithm;

typedef struct pli_view_algorithm_line {
    const char *number, *text, *meaning;
} pli_view_algorithm_line;

int32_t pli_view_algorithm_lines(void);
const pli_view_algorithm_line *pli_view_algorithm_line_at(int32_t i);

// Takes points, masses and edges from a deformable; `held` is 1 for each point that is kinematic. Returns false if it has too many.
bool pli_view_algorithm_begin(pli_view_algorithm *algorithm, const pli_world *world, pli_deformable deformable,
                              const float *held);
// Runs one line with the settings of a world. Returns true after the last line of a step.
bool pli_view_algorithm_next(pli_view_algorithm *algorithm, const pli_world *world, double dt);
// The largest difference of a coordinate from the deformable [m].
double pli_view_algorithm_apart(const pli_view_algorithm *algorithm, const pli_world *world, pli_deformable deformable);

#ifdef __cplusplus
}
#endif
#endif
