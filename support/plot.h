// Draws plots as SVG: curves over linear or logarithmic axes, with a spread around them, and bars.
#ifndef PLI_SUPPORT_PLOT_H
#define PLI_SUPPORT_PLOT_H

#include "support/text_buffer.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLI_PLOT_CURVES_MAX = 16, PLI_PLOT_WIDTH = 640, PLI_PLOT_HEIGHT = 400 };

typedef struct pli_plot_curve {
    const char *name;
    const double *x, *y;
    const double *low, *high; // Spread around y; NULL for none.
    int32_t count;            // Values that are not finite (or not above 0 on a logarithmic axis) are skipped.
    bool marks;               // Draw marks at the points.
    bool dashed;
} pli_plot_curve;

typedef struct pli_plot {
    const char *title, *x_label, *y_label;
    bool x_logarithmic, y_logarithmic;
    pli_plot_curve curves[PLI_PLOT_CURVES_MAX];
    int32_t curve_count;
} pli_plot;

typedef struct pli_plot_bar {
    const char *name;
    double value;
    double mark; // Value marked on the bar; NAN for none.
} pli_plot_bar;

void pli_plot_add_curve(pli_plot *plot, pli_plot_curve curve);
// Adds the plot to a text, as an <svg> element of PLI_PLOT_WIDTH by PLI_PLOT_HEIGHT.
void pli_plot_draw(pli_text *out, const pli_plot *plot);
// Adds horizontal bars from zero to a text, as an <svg> element with the legend below them.
void pli_plot_draw_bars(pli_text *out, const char *title, const char *unit, const char *legend_text,
                        const pli_plot_bar *bars, int32_t count);

#endif
