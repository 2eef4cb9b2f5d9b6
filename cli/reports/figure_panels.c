// Panels of figures: groups of columns, and their curves.
#include "reports/figure_panels.h"

#include "frame/strings.h"
#include "support/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Columns that begin with one of the words, or equal it if `whole` is set.
typedef struct panel {
    const char *title, *unit;
    const char *words[4];
    bool whole, logarithmic;
} panel;

static const panel panels[] = {
    {"Energy; potential from that at the start",
     "J",
     {"kinetic_energy", "potential_energy", "elastic_energy"},
     true,
     false},
    {"Elastic energy by type", "J", {"energy_"}, false, false},
    {"Stretch of edges, as a fraction", "", {"stretch_rms", "stretch_max"}, true, false},
    {"Residual, root mean square, in the unit of each type", "", {"residual_rms_"}, false, true},
    {"Contacts in the last substep", "", {"contacts", "surface_contacts", "intersections"}, true, false},
    {"Time per frame by stage", "ms", {"ms_"}, false, false},
};

// The curves of a panel, and the memory that they own.
typedef struct drawing {
    pli_plot plot;
    char *names[PLI_PLOT_CURVES_MAX];
    double *values[PLI_PLOT_CURVES_MAX];
} drawing;

static bool matches(const panel *p, const char *column)
{
    for (size_t i = 0; i < sizeof p->words / sizeof *p->words && p->words[i]; i++)
        if (p->whole ? strcmp(column, p->words[i]) == 0 : strncmp(column, p->words[i], strlen(p->words[i])) == 0)
            return true;
    return false;
}

static bool says_something(const double *values, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (isfinite(values[i]) && values[i] != 0.0)
            return true;
    return false;
}

// Potential energies are relative to the first row, since their zero is arbitrary.
static double *from_start(const double *values, int32_t count)
{
    double *moved = pli_text_memory((size_t)count * sizeof *moved);
    for (int32_t i = 0; i < count; i++)
        moved[i] = values[i] - values[0];
    return moved;
}

static void add_curve(drawing *d, const pli_cli_figure_source *s, const char *x, const char *column, const char *name,
                      bool several, bool dashed)
{
    const int32_t along = pli_cli_number_table_find(&s->table, x), at = pli_cli_number_table_find(&s->table, column);
    const int32_t k = d->plot.curve_count;
    if (along < 0 || at < 0 || k == PLI_PLOT_CURVES_MAX)
        return;
    const double *values = pli_cli_number_table_column(&s->table, at);
    if (strcmp(column, "potential_energy") == 0)
        values = d->values[k] = from_start(values, s->table.row_count);
    d->names[k] = several ? pli_cli_format("%s, %s", name, s->name) : pli_cli_format("%s", name);
    pli_plot_add_curve(&d->plot, (pli_plot_curve){.name = d->names[k],
                                                  .x = pli_cli_number_table_column(&s->table, along),
                                                  .y = values,
                                                  .count = s->table.row_count,
                                                  .marks = s->table.row_count < 30,
                                                  .dashed = dashed});
}

static const char *label_of(const char *x) { return strcmp(x, "time") == 0 ? "time [s]" : x; }

static void draw_panel(const pli_cli_figure_source *sources, int32_t count, const char *x, const panel *p, drawing *d)
{
    d->plot = (pli_plot){
        .title = p->title, .x_label = label_of(x), .y_label = p->unit, .y_logarithmic = p->logarithmic};
    for (int32_t s = 0; s < count; s++)
        for (int32_t i = 0; i < sources[s].table.column_count; i++) {
            const char *column = sources[s].table.names[i];
            const size_t common = p->whole ? 0 : strlen(p->words[0]);
            if (matches(p, column) &&
                says_something(pli_cli_number_table_column(&sources[s].table, i), sources[s].table.row_count))
                add_curve(d, &sources[s], x, column, column + common, count > 1, s % 2 == 1);
        }
}

static void release(drawing *d)
{
    for (int32_t i = 0; i < PLI_PLOT_CURVES_MAX; i++) {
        free(d->names[i]);
        free(d->values[i]);
    }
}

int32_t pli_cli_figure_panels(const pli_cli_figure_source *sources, int32_t count, const char *x, pli_text *out)
{
    pli_text inner = {0};
    int32_t drawn = 0;
    for (int32_t i = 0; i < (int32_t)(sizeof panels / sizeof *panels); i++) {
        drawing d = {0};
        draw_panel(sources, count, x, &panels[i], &d);
        if (d.plot.curve_count > 0) {
            pli_text_add(&inner, "<g transform='translate(0 %d)'>\n", PLI_PLOT_HEIGHT * drawn++);
            pli_plot_draw(&inner, &d.plot);
            pli_text_add(&inner, "</g>\n");
        }
        release(&d);
    }
    const int height = PLI_PLOT_HEIGHT * (drawn > 0 ? drawn : 1);
    pli_text_add(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n%s</svg>\n",
                 PLI_PLOT_WIDTH, height, PLI_PLOT_WIDTH, height, inner.characters ? inner.characters : "");
    pli_text_free(&inner);
    return drawn;
}

void pli_cli_figure_columns(const pli_cli_figure_source *sources, int32_t count, const char *x,
                            const char *const *columns, int32_t column_count, bool logarithmic, pli_text *out)
{
    drawing d = {.plot = {.title = column_count == 1 ? columns[0] : "",
                          .x_label = label_of(x),
                          .y_label = column_count == 1 ? columns[0] : "",
                          .y_logarithmic = logarithmic}};
    for (int32_t s = 0; s < count; s++)
        for (int32_t i = 0; i < column_count; i++)
            add_curve(&d, &sources[s], x, columns[i], columns[i], count > 1, s % 2 == 1);
    pli_plot_draw(out, &d.plot);
    release(&d);
}
