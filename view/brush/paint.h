// Painted values as a session keeps them: the library takes values and gives none back, and its snapshots have the masses only.
#ifndef PLI_VIEW_PAINT_H
#define PLI_VIEW_PAINT_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a brush does: two rows of pins, then values.
typedef enum pli_view_brush_row {
    PLI_VIEW_BRUSH_PINS,
    PLI_VIEW_BRUSH_FREE,
    PLI_VIEW_BRUSH_DENSITY,
    PLI_VIEW_BRUSH_FRICTION,
    PLI_VIEW_BRUSH_STIFFNESS,
    PLI_VIEW_BRUSH_RIGIDITY,
    PLI_VIEW_BRUSH_DRAG,
    PLI_VIEW_BRUSH_THICKNESS,
    PLI_VIEW_BRUSH_PRESSURE,
    PLI_VIEW_BRUSH_ROWS
} pli_view_brush_row;

// The brush as its panel has it.
typedef struct pli_view_brush {
    int32_t row;                        // A pli_view_brush_row.
    float radius;                       // [m]
    float strength;                     // Share of the way to its value that one dab goes in its middle, 0..1.
    double values[PLI_VIEW_BRUSH_ROWS]; // What it paints, in the unit of the row.
} pli_view_brush;

// Values of one row on one deformable, which no one changes after they were laid on.
typedef struct pli_view_coat {
    int32_t references, row;
    pli_deformable deformable;
    uint64_t sets; // A bit for each of the world's first 64 sets that took them as factors on its stiffness.
    int32_t count; // Vertices of the rest mesh.
    float values[];
} pli_view_coat;

// All values that are painted at a moment; null is none. It does not change either, so that the moments of a session share it.
typedef struct pli_view_paint {
    int32_t references, count;
    pli_view_coat *coats[];
} pli_view_paint;

// As panels, legends and scripts call a row, what it does, and whether it is one of values; the row of a name, or -1.
const char *pli_view_brush_name(int32_t row);
const char *pli_view_brush_legend(int32_t row);
const char *pli_view_brush_summary(int32_t row);
bool pli_view_brush_is_value(int32_t row);
int32_t pli_view_brush_find(const char *name);
// A brush for a world whose size is given [m]: values that differ from those of its first deformable.
pli_view_brush pli_view_brush_for(const pli_world *world, float size);
// What a deformable has where a row is not painted.
float pli_view_brush_plain(const pli_world *world, pli_deformable deformable, int32_t row);

pli_view_paint *pli_view_paint_hold(pli_view_paint *paint);
void pli_view_paint_release(pli_view_paint *paint);
// The values of a row on a deformable, borrowed; null for none.
const pli_view_coat *pli_view_paint_find(const pli_view_paint *paint, int32_t row, pli_deformable deformable);
// A coat of its own that goes towards `value` by `strength` times the weight of each vertex, from what `paint` has there. Null when memory is used
// up; `changes` tells whether a value differs.
pli_view_coat *pli_view_coat_make(const pli_world *world, const pli_view_paint *paint, int32_t row,
                                  pli_deformable deformable, const float *weights, float value, float strength,
                                  bool *changes);
// Lays a coat on the world. Errors: those of the library's functions, for example a value that it refuses; nothing has changed then.
pli_status pli_view_coat_apply(pli_view_coat *coat, pli_world *world, pli_error *error);
void pli_view_coat_release(pli_view_coat *coat);
// A coat of given values; null when memory is used up.
pli_view_coat *pli_view_coat_of(int32_t row, pli_deformable deformable, const float *values, int32_t count);
// Paint with a coat in place of that of its row and deformable. It takes the coat over; null when memory is used up.
pli_view_paint *pli_view_paint_with(const pli_view_paint *paint, pli_view_coat *coat);
// Lays on a world what differs between the paint that it has and another one. Densities that are taken off stay: masses are in snapshots, of which one
// is read after it.
pli_status pli_view_paint_switch(const pli_view_paint *from, const pli_view_paint *to, pli_world *world,
                                 pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
