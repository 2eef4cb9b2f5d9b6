// A traced step of a world: the hash of its state after each of its parts, and the state after one of them.
#ifndef PLI_CLI_TRACED_STEP_H
#define PLI_CLI_TRACED_STEP_H

#include "diff/difference.h"

#include <pliant/scene.h>

// The state after a part of a step.
typedef struct pli_cli_probe {
    uint64_t hash;
    pli_stage stage;
    int32_t substep;
    const char *part;
    pli_constraints set;
} pli_cli_probe;

// Probes and one state of a step. Initialise the struct with zeros.
typedef struct pli_cli_traced {
    pli_cli_probe *probes;
    int32_t count, capacity;
    int32_t wanted;             // Probe after which the state is stored.
    float **arrays;             // [2 * deformables] positions and velocities
    pli_cli_vertices *vertices; // [deformables]
    int32_t deformables;
    bool out_of_memory;
} pli_cli_traced;

// Stores the current state, in the step or between steps.
void pli_cli_traced_keep(pli_cli_traced *traced, const pli_world *world);
enum { PLI_CLI_BEFORE_STEP = -1, PLI_CLI_ALL_PROBES = -2 };

// Computes the step of this frame. `wanted` is the probe whose state is stored (PLI_CLI_BEFORE_STEP: the state before the step), in
// which case no hashes are recorded; or PLI_CLI_ALL_PROBES, to record only hashes.
pli_status pli_cli_traced_step(pli_cli_traced *traced, const pli_scene *scene, pli_world *world, int32_t frame,
                               int32_t wanted, pli_error *error);
void pli_cli_traced_release(pli_cli_traced *traced);

#endif
