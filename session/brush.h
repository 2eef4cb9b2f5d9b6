// Painted values of a session, which its moments share.
#ifndef PLI_SESSION_BRUSH_H
#define PLI_SESSION_BRUSH_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_session pli_session;

// Quantities that a brush paints: two for pins, then one for each attribute that can be painted.
enum {
    PLI_SESSION_PAINT_PINS,
    PLI_SESSION_PAINT_FREE,
    PLI_SESSION_PAINT_VALUES,
    PLI_SESSION_QUANTITIES_MOST = 32,
    PLI_SESSION_LEGEND = 80
};

typedef struct pli_session_brush {
    int32_t quantity;
    float radius;   // [m]
    float strength; // Fraction of the difference to the target value that one sample applies at its centre, 0..1.
    double values[PLI_SESSION_QUANTITIES_MOST]; // Target values.
} pli_session_brush;

// Values of one quantity on one deformable, immutable.
typedef struct pli_session_layer {
    int32_t references, quantity, deformable; // Index of the deformable.
    int32_t count;                            // Vertices of the rest mesh.
    float values[];
} pli_session_layer;

// All painted values at one moment; null for none. They are immutable, so that moments share them.
typedef struct pli_session_paint {
    int32_t references, count;
    pli_session_layer *layers[];
} pli_session_paint;

int32_t pli_session_quantity_count(void);
// The name of a quantity in panels and scripts, its name and unit for legends, its description, and whether it has values; the quantity of
// a name, or -1.
const char *pli_session_quantity_name(int32_t quantity);
void pli_session_quantity_legend(int32_t quantity, char text[PLI_SESSION_LEGEND]);
const char *pli_session_quantity_summary(int32_t quantity);
bool pli_session_quantity_is_value(int32_t quantity);
int32_t pli_session_quantity_find(const char *name);
// Creates a brush for a world of the given size [m], with target values that differ from the values of its first deformable.
pli_session_brush pli_session_brush_for(const pli_world *world, float size);
// The value of a deformable where a quantity is not painted.
float pli_session_quantity_plain(const pli_world *world, pli_deformable deformable, int32_t quantity);
// Whether a deformable has what the quantity changes, such as a plate.
bool pli_session_quantity_fits(const pli_world *world, pli_deformable deformable, int32_t quantity);
// Declares values that the scene paints itself, before the first event: they are in the world already. `pli_session_begin_here` follows.
bool pli_session_paint_start(pli_session *session, int32_t quantity, int32_t deformable, const float *values,
                             int32_t count);

pli_session_paint *pli_session_paint_retain(pli_session_paint *paint);
void pli_session_paint_release(pli_session_paint *paint);
// Returns the values of a quantity on a deformable, borrowed; null for none.
const pli_session_layer *pli_session_paint_find(const pli_session_paint *paint, int32_t quantity, int32_t deformable);
// Paints values on some vertices. Errors: those of the library's functions; nothing has changed then.
pli_status pli_session_paint_put(pli_session *session, int32_t quantity, int32_t deformable, const int32_t *vertices,
                                 const float *values, int32_t count, pli_error *error);
// Applies the difference between the world's paint and another one.
pli_status pli_session_paint_switch(const pli_session_paint *from, const pli_session_paint *to, pli_world *world,
                                    pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
