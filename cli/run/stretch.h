// Stretch of the edges of a deformable at one time: how many of them are longer than at rest, by how much.
#ifndef PLI_CLI_STRETCH_H
#define PLI_CLI_STRETCH_H

#include <pliant/tearing.h>
#include <pliant/world.h>

// Shares of the length at rest that half of the edges, 99 of 100 and all are stretched by at most; 0 for edges that are not
// longer than at rest.
typedef struct pli_cli_stretch {
    double p50, p99, most;
} pli_cli_stretch;

// Over the edges that there are now, after tears. False when memory ran out.
bool pli_cli_stretch_measure(pli_world *world, pli_deformable deformable, pli_cli_stretch *stretch);

#endif
