// Plots in the report of an experiment.
#ifndef PLI_LAB_PLOTS_H
#define PLI_LAB_PLOTS_H

#include "base/report.h"
#include "support/plot.h"

// Writes the plot as a file and shows it in the report.
void lab_plot_write(lab *l, const char *name, const pli_plot *plot);
// The same for horizontal bars, on which the values of the paper are marked.
void lab_bars_write(lab *l, const char *name, const char *title, const char *unit, const pli_plot_bar *bars,
                    int32_t count);

#endif
