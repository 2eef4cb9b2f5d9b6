// Draws plots as SVG: axes with round ticks, curves with spreads, bars.
#include "support/plot.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = PLI_PLOT_WIDTH,
    HEIGHT = PLI_PLOT_HEIGHT,
    LEFT = 70,
    RIGHT = 20,
    TOP = 36,
    BOTTOM = 52,
    LEGEND_LINE = 16
};
enum { BAR_HEIGHT = 22, BAR_LEFT = 190, BAR_RIGHT = 90, TICKS = 6 };

// Palette of Okabe and Ito, distinguishable with colour vision deficiencies.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
enum { COLOUR_COUNT = sizeof colours / sizeof *colours };

typedef struct axis {
    double least, most; // Range shown; of the logarithms on a logarithmic axis.
    bool logarithmic;
} axis;

typedef struct frame {
    axis x, y;
    pli_text *out;
} frame;

static bool shown(const axis *a, double value) { return isfinite(value) && (!a->logarithmic || value > 0.0); }

static double along(const axis *a, double value)
{
    double place = a->logarithmic ? log10(value) : value;
    return (place - a->least) / (a->most - a->least);
}

static double across(const frame *f, double x) { return LEFT + along(&f->x, x) * (WIDTH - LEFT - RIGHT); }

static double down(const frame *f, double y)
{
    return HEIGHT - BOTTOM - fmax(-0.02, fmin(1.02, along(&f->y, y))) * (HEIGHT - TOP - BOTTOM);
}

static void widen(axis *a, const double *values, int32_t count)
{
    for (int32_t i = 0; values && i < count; i++) {
        if (!shown(a, values[i]))
            continue;
        double place = a->logarithmic ? log10(values[i]) : values[i];
        a->least = fmin(a->least, place);
        a->most = fmax(a->most, place);
    }
}

static void settle(axis *a)
{
    if (!(a->least <= a->most))
        a->least = 0.0, a->most = 1.0;
    if (a->logarithmic && a->most - a->least > 0.5) {
        a->least = floor(a->least + 1e-9);
        a->most = ceil(a->most - 1e-9);
    }
    double room = a->most - a->least;
    if (room <= 1e-12 * fmax(fabs(a->least), fabs(a->most)))
        room = fmax(fabs(a->most), 1.0), a->least -= 0.1 * room, a->most += 0.1 * room;
    else if (!a->logarithmic)
        a->most += 0.03 * room, a->least -= a->least == 0.0 ? 0.0 : 0.03 * room;
}

// A round tick distance that gives about TICKS ticks.
static double round_step(double range)
{
    double rough = range / TICKS, power = pow(10.0, floor(log10(rough))), digit = rough / power;
    return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

static void escape(pli_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&' || *text == '<' || *text == '>')
            pli_text_add(out, *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;");
        else
            pli_text_add(out, "%c", *text);
    }
}

static void label(pli_text *out, double x, double y, const char *anchor, const char *more, const char *text)
{
    pli_text_add(out, "<text x='%.1f' y='%.1f' text-anchor='%s'%s>", x, y, anchor, more);
    escape(out, text);
    pli_text_add(out, "</text>\n");
}

static void tick(const frame *f, bool vertical, double value, const char *text)
{
    if (vertical) {
        double y = down(f, value);
        pli_text_add(f->out, "<path d='M%d %.1fH%d' stroke='#ddd'/>\n", LEFT, y, WIDTH - RIGHT);
        label(f->out, LEFT - 6, y + 4, "end", "", text);
    } else {
        double x = across(f, value);
        pli_text_add(f->out, "<path d='M%.1f %dV%d' stroke='#ddd'/>\n", x, TOP, HEIGHT - BOTTOM);
        label(f->out, x, HEIGHT - BOTTOM + 16, "middle", "", text);
    }
}

static void ticks(const frame *f, const axis *a, bool vertical)
{
    char text[32];
    pli_text number = {0};
    double step = a->logarithmic ? fmax(1.0, round_step(a->most - a->least)) : round_step(a->most - a->least);
    for (double at = ceil(a->least / step - 1e-9) * step; at <= a->most + 1e-9 * step; at += step) {
        double value = a->logarithmic ? pow(10.0, at) : fabs(at) < 1e-9 * step ? 0.0 : at;
        number.length = 0;
        pli_text_add(&number, "%.6g", value);
        strncpy(text, number.characters, sizeof text - 1);
        text[sizeof text - 1] = '\0';
        tick(f, vertical, value, text);
    }
    pli_text_free(&number);
}

static void begin(pli_text *out, int height, const char *title)
{
    pli_text_add(out,
                 "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
                 "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
                 WIDTH, height, WIDTH, height);
    label(out, WIDTH / 2.0, 20, "middle", " font-size='14' font-weight='bold'", title);
}

static void spread(const frame *f, const pli_plot_curve *c, const char *colour)
{
    bool started = false;
    pli_text_add(f->out, "<path fill='%s' fill-opacity='0.15' d='", colour);
    for (int32_t i = 0; i < 2 * c->count; i++) {
        int32_t k = i < c->count ? i : 2 * c->count - 1 - i;
        double y = i < c->count ? c->low[k] : c->high[k];
        if (!shown(&f->x, c->x[k]) || !shown(&f->y, y))
            continue;
        pli_text_add(f->out, "%s%.1f %.1f", started ? "L" : "M", across(f, c->x[k]), down(f, y));
        started = true;
    }
    pli_text_add(f->out, "'/>\n");
}

static void draw_curve(const frame *f, const pli_plot_curve *c, const char *colour)
{
    bool started = false;
    if (c->low && c->high)
        spread(f, c, colour);
    pli_text_add(f->out, "<path fill='none' stroke='%s' stroke-width='2'%s d='", colour,
                 c->dashed ? " stroke-dasharray='6 4'" : "");
    for (int32_t i = 0; i < c->count; i++) {
        bool here = shown(&f->x, c->x[i]) && shown(&f->y, c->y[i]);
        if (here)
            pli_text_add(f->out, "%s%.1f %.1f", started ? "L" : "M", across(f, c->x[i]), down(f, c->y[i]));
        started = here;
    }
    pli_text_add(f->out, "'/>\n");
    for (int32_t i = 0; c->marks && i < c->count; i++)
        if (shown(&f->x, c->x[i]) && shown(&f->y, c->y[i]))
            pli_text_add(f->out, "<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>\n", across(f, c->x[i]),
                         down(f, c->y[i]), colour);
}

static void legend(const frame *f, const pli_plot *plot)
{
    int top = TOP + 8;
    pli_text_add(f->out, "<rect x='%d' y='%d' width='176' height='%d' fill='#fff' fill-opacity='0.8'/>\n",
                 WIDTH - RIGHT - 180, top - 4, LEGEND_LINE * plot->curve_count + 6);
    for (int32_t i = 0; i < plot->curve_count; i++) {
        int y = top + 8 + LEGEND_LINE * i;
        pli_text_add(f->out, "<path d='M%d %dh22' stroke='%s' stroke-width='3'%s/>\n", WIDTH - RIGHT - 174, y,
                     colours[i % COLOUR_COUNT], plot->curves[i].dashed ? " stroke-dasharray='6 4'" : "");
        label(f->out, WIDTH - RIGHT - 146, y + 4, "start", "", plot->curves[i].name);
    }
}

void pli_plot_add_curve(pli_plot *plot, pli_plot_curve curve)
{
    if (plot->curve_count < PLI_PLOT_CURVES_MAX)
        plot->curves[plot->curve_count++] = curve;
}

void pli_plot_draw(pli_text *out, const pli_plot *plot)
{
    frame f = {{INFINITY, -INFINITY, plot->x_logarithmic}, {INFINITY, -INFINITY, plot->y_logarithmic}, out};
    for (int32_t i = 0; i < plot->curve_count; i++) {
        const pli_plot_curve *c = &plot->curves[i];
        widen(&f.x, c->x, c->count);
        widen(&f.y, c->y, c->count);
        widen(&f.y, c->low, c->count);
        widen(&f.y, c->high, c->count);
    }
    settle(&f.x);
    settle(&f.y);
    begin(f.out, HEIGHT, plot->title);
    ticks(&f, &f.x, false);
    ticks(&f, &f.y, true);
    pli_text_add(f.out, "<path d='M%d %dV%dH%d' fill='none' stroke='#333'/>\n", LEFT, TOP, HEIGHT - BOTTOM,
                 WIDTH - RIGHT);
    label(f.out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "", plot->x_label);
    label(f.out, 0, 0, "middle", " transform='translate(16 190) rotate(-90)'", plot->y_label);
    for (int32_t i = 0; i < plot->curve_count; i++)
        draw_curve(&f, &plot->curves[i], colours[i % COLOUR_COUNT]);
    legend(&f, plot);
    pli_text_add(f.out, "</svg>\n");
}

void pli_plot_draw_bars(pli_text *out, const char *title, const char *unit, const char *legend_text,
                        const pli_plot_bar *bars, int32_t count)
{
    double most = 0.0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, fmax(bars[i].value, isfinite(bars[i].mark) ? bars[i].mark : 0.0));
    double scale = (WIDTH - BAR_LEFT - BAR_RIGHT) / (most > 0.0 ? most : 1.0);
    begin(out, TOP + BAR_HEIGHT * count + 30, title);
    for (int32_t i = 0; i < count; i++) {
        int y = TOP + BAR_HEIGHT * i;
        pli_text value = {0};
        pli_text_add(&value, "%.3g %s", bars[i].value, unit);
        label(out, BAR_LEFT - 8, y + 13, "end", "", bars[i].name);
        pli_text_add(out, "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>\n", BAR_LEFT, y,
                     fmax(0.0, bars[i].value * scale), BAR_HEIGHT - 6, colours[0]);
        label(out, BAR_LEFT + fmax(0.0, bars[i].value * scale) + 6, y + 13, "start", "", value.characters);
        if (isfinite(bars[i].mark))
            pli_text_add(out, "<path d='M%.1f %dv%d' stroke='%s' stroke-width='4'/>\n", BAR_LEFT + bars[i].mark * scale,
                         y - 2, BAR_HEIGHT - 2, colours[1]);
        pli_text_free(&value);
    }
    label(out, BAR_LEFT, TOP + BAR_HEIGHT * count + 18, "start", "", legend_text);
    pli_text_add(out, "</svg>\n");
}
