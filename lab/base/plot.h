// Draws plots as SVG: curves over linear or logarithmic axes, with a spread around them, and bars.
#ifndef PLI_LAB_PLOT_H
#define PLI_LAB_PLOT_H

#include "base/report.h"

enum { LAB_CURVES_MAX = 16 };

typedef struct lab_curve {
    const char *name;
    const double *x, *y;
    const double *low, *high; // Spread around y; NULL for none.
    int32_t count;            // Values that are not finite (or not above 0 on a logarithmic axis) are skipped.
    bool marks;               // Draw marks at the points.
    bool dashed;
} lab_curve;

typedef struct lab_plot {
    const char *title, *x_label, *y_label;
    bool x_logarithmic, y_logarithmic;
    lab_curve curves[LAB_CURVES_MAX];
    int32_t curve_count;
} lab_plot;

enum { LAB_PLOT_WIDTH = 640, LAB_PLOT_HEIGHT = 400 };

void lab_plot_curve(lab_plot *plot, lab_curve curve);
// Adds the plot to a text, as a whole <svg> element of LAB_PLOT_WIDTH by LAB_PLOT_HEIGHT.
void lab_plot_draw(pli_text *out, const lab_plot *plot);
// Writes the plot as a file and shows it in the report.
void lab_plot_write(lab *l, const char *name, const lab_plot *plot);

typedef struct lab_bar {
    const char *name;
    double value;
    double paper; // Value marked beside the bar; NAN for none.
} lab_bar;

// Writes horizontal bars from zero.
void lab_bars_write(lab *l, const char *name, const char *title, const char *unit, const lab_bar *bars, int32_t count);

#endif
