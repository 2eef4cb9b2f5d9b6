// Figures of a run in every frame, as a table of comma-separated values: energies, momenta, stretch, residuals, contacts and times.
#ifndef PLI_CLI_FIGURES_H
#define PLI_CLI_FIGURES_H

#include "support/text_buffer.h"

#include <pliant/scene.h>

typedef struct pli_cli_figures {
    char *path;    // NULL when nothing is recorded.
    pli_text text; // The file's content so far, its header included.
    // Objects at the start; the fields of an object are empty after it was destroyed.
    pli_constraints *sets;
    int32_t set_count;
    const pli_scene *scene; // Scene of the probes.
    const char **types;     // [type_count] names of the types of these sets, each once.
    int32_t type_count;
} pli_cli_figures;

// Chooses the columns, while the world is at its start; `path` is copied. The scene must outlive the figures.
pli_status pli_cli_figures_open(const char *path, const pli_scene *scene, const pli_world *world,
                                pli_cli_figures *figures, pli_error *error);
// Reads the rows of an earlier run up to `frame`. Fails when the file has different columns or lacks such a row.
pli_status pli_cli_figures_resume(pli_cli_figures *figures, int32_t frame, pli_error *error);
// Adds the row of a frame. This and the following functions do nothing if nothing is recorded. `intersections` is the count for a frame
// without a step; -1: the count of the step.
pli_status pli_cli_figures_add(pli_cli_figures *figures, pli_world *world, int32_t frame, int64_t intersections,
                               pli_error *error);
// Writes the file with all rows so far, through a temporary name and a rename.
pli_status pli_cli_figures_write(const pli_cli_figures *figures, pli_error *error);
void pli_cli_figures_release(pli_cli_figures *figures);

#endif
