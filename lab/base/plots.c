// Writes plots into the report of an experiment.
#include "base/plots.h"

void lab_plot_write(lab *l, const char *name, const pli_plot *plot)
{
    if (!lab_ok(l))
        return;
    pli_plot_draw(lab_file_add(l, name), plot);
    lab_say(l, "![%s](%s)\n\n", plot->title, name);
}

void lab_bars_write(lab *l, const char *name, const char *title, const char *unit, const pli_plot_bar *bars,
                    int32_t count)
{
    if (!lab_ok(l))
        return;
    pli_plot_draw_bars(lab_file_add(l, name), title, unit, "bars: ours; orange marks: the paper's", bars, count);
    lab_say(l, "![%s](%s)\n\n", title, name);
}
