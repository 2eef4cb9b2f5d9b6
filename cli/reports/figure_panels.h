// Plots of the figures of runs (run/figures.h): panels of columns that belong together, one below the other.
#ifndef PLI_CLI_FIGURE_PANELS_H
#define PLI_CLI_FIGURE_PANELS_H

#include "reports/number_table.h"
#include "support/text_buffer.h"

typedef struct pli_cli_figure_source {
    const char *name; // Shown beside the curves where there are several sources.
    pli_cli_number_table table;
} pli_cli_figure_source;

// Draws panels of energy, stretch, residuals, times and contacts, of those that the tables have, over `x`, as one SVG document.
// Returns how many panels there are.
int32_t pli_cli_figure_panels(const pli_cli_figure_source *sources, int32_t count, const char *x, pli_text *out);
// Draws one panel of these columns; those that a table lacks are left out.
void pli_cli_figure_columns(const pli_cli_figure_source *sources, int32_t count, const char *x,
                            const char *const *columns, int32_t column_count, bool logarithmic, pli_text *out);

#endif
