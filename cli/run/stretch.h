// Stretch of the edges of a deformable at one time: the number of edges that are longer than at rest, and their elongation.
#ifndef PLI_CLI_STRETCH_H
#define PLI_CLI_STRETCH_H

#include <pliant/tearing.h>
#include <pliant/world.h>

// Stretch relative to the rest length that 50 %, 99 % and 100 % of the edges do not exceed; 0 for edges that are not longer than at
// rest.
typedef struct pli_cli_stretch {
    double p50, p99, most;
} pli_cli_stretch;

// Over the current edges, after tears. False when memory ran out.
bool pli_cli_stretch_measure(pli_world *world, pli_deformable deformable, pli_cli_stretch *stretch);

#endif
