// Painted values of a session, which its moments share.
#ifndef PLI_VIEW_PAINT_H
#define PLI_VIEW_PAINT_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

// Quantities that a brush paints: two rows of pins, then one row for each attribute that can be painted.
enum { PLI_VIEW_BRUSH_PINS, PLI_VIEW_BRUSH_FREE, PLI_VIEW_BRUSH_VALUES, PLI_VIEW_BRUSH_MOST = 32 };

// The settings of the brush in its panel.
typedef struct pli_view_brush {
    int32_t row;
    float radius;   // [m]
    float strength; // Fraction of the difference to the target value that one dab applies at its centre, 0..1.
    double values[PLI_VIEW_BRUSH_MOST]; // Target values, in the units of the rows.
} pli_view_brush;

// Values of one row on one deformable, immutable after they were applied.
typedef struct pli_view_coat {
    int32_t references, row;
    pli_deformable deformable;
    int32_t count; // Vertices of the rest mesh.
    float values[];
} pli_view_coat;

// All painted values at one moment; null for none. They are immutable, so that the moments of a session share them.
typedef struct pli_view_paint {
    int32_t references, count;
    pli_view_coat *coats[];
} pli_view_paint;

int32_t pli_view_brush_count(void);
// The name of a row in panels and scripts, its name and unit for legends, its description, and whether it is a row of values; the row of a
// name, or -1.
enum { PLI_VIEW_LEGEND = 80 };
const char *pli_view_brush_name(int32_t row);
void pli_view_brush_legend(int32_t row, char text[PLI_VIEW_LEGEND]);
const char *pli_view_brush_summary(int32_t row);
bool pli_view_brush_is_value(int32_t row);
int32_t pli_view_brush_find(const char *name);
// Creates a brush for a world of the given size [m], with values that differ from those of its first deformable.
pli_view_brush pli_view_brush_for(const pli_world *world, float size);
// The value of a deformable if a row is not painted.
float pli_view_brush_plain(const pli_world *world, pli_deformable deformable, int32_t row);
// Whether a deformable has what the row changes, such as a plate.
bool pli_view_brush_fits(const pli_world *world, pli_deformable deformable, int32_t row);

pli_view_paint *pli_view_paint_hold(pli_view_paint *paint);
void pli_view_paint_release(pli_view_paint *paint);
// Returns the values of a row on a deformable, borrowed; null for none.
const pli_view_coat *pli_view_paint_find(const pli_view_paint *paint, int32_t row, pli_deformable deformable);
// Creates a coat that moves the values in `paint` towards `value` by `strength` times the weight of each vertex. Null when memory runs
// out; `changes` tells whether any value differs.
pli_view_coat *pli_view_coat_make(const pli_world *world, const pli_view_paint *paint, int32_t row,
                                  pli_deformable deformable, const float *weights, float value, float strength,
                                  bool *changes);
// Applies a coat to the world. Errors: those of the library's functions, for example for a value that it rejects; nothing has changed
// then.
pli_status pli_view_coat_apply(const pli_view_coat *coat, pli_world *world, pli_error *error);
void pli_view_coat_release(pli_view_coat *coat);
// Creates a coat of given values; null when memory runs out.
pli_view_coat *pli_view_coat_of(int32_t row, pli_deformable deformable, const float *values, int32_t count);
// Creates paint in which a coat replaces the one of the same row and deformable. It takes ownership of the coat; null when memory runs
// out.
pli_view_paint *pli_view_paint_with(const pli_view_paint *paint, pli_view_coat *coat);
// Applies the difference between the world's paint and another one.
pli_status pli_view_paint_switch(const pli_view_paint *from, const pli_view_paint *to, pli_world *world,
                                 pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
