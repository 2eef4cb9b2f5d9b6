// Plots of the figures of runs (run/figures.h): panels of related columns, one below the other.
#ifndef PLI_CLI_FIGURE_PANELS_H
#define PLI_CLI_FIGURE_PANELS_H

#include "reports/number_table.h"
#include "support/text_buffer.h"

typedef struct pli_cli_figure_source {
    const char *name; // Label of the curves if there are several sources.
    pli_cli_number_table table;
} pli_cli_figure_source;

// Draws panels of energy, stretch, residuals, times and contacts over `x` as one SVG document, as far as the tables have these columns.
// Returns the number of panels.
int32_t pli_cli_figure_panels(const pli_cli_figure_source *sources, int32_t count, const char *x, pli_text *out);
// Draws one panel of these columns; columns that a table lacks are left out.
void pli_cli_figure_columns(const pli_cli_figure_source *sources, int32_t count, const char *x,
                            const char *const *columns, int32_t column_count, bool logarithmic, pli_text *out);

#endif
