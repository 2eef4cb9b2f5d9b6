// Figures of one step, which the plots show over time.
#ifndef PLI_VIEW_FIGURES_H
#define PLI_VIEW_FIGURES_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_view_figures {
    float energy;                 // Kinetic energy [J].
    float stretch;                // Largest stretch of an edge [%].
    float residual;               // Largest residual of a constraint, as PLI_MEASURE_RESIDUAL [edges].
    float milliseconds;           // Wall time of the step [ms].
    float stages[PLI_STAGE_ROOM]; // Times of its stages [ms].
} pli_view_figures;

// Reads the figures of the world's last step.
pli_view_figures pli_view_figures_of(const pli_world *world);

#ifdef __cplusplus
}
#endif
#endif
