// The exact intersection check of the frames of a run, by the code of check-intersections, on the recorded surfaces.
#ifndef PLI_CLI_VERIFICATION_H
#define PLI_CLI_VERIFICATION_H

#include "intersections/intersection_count.h"
#include "run/recording.h"

typedef struct pli_cli_verification {
    pli_cli_box *boxes;
    int32_t box_count;
    pli_cli_intersections found; // Intersections in the frame recorded last.
} pli_cli_verification;

// Counts the pairs of intersecting triangles in the frame recorded last.
pli_status pli_cli_verification_count(pli_cli_verification *verification, const pli_cli_recording *recording,
                                      pli_error *error);
// Fails if there were any, and reports the frame, the place, and the engine's data about them.
pli_status pli_cli_verification_judge(const pli_cli_verification *verification, const pli_cli_recording *recording,
                                      int32_t frame, pli_error *error);
void pli_cli_verification_release(pli_cli_verification *verification);

#endif
