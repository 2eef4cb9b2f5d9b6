// Choosing bending models, and what is said beside each of them.
#ifndef PLI_VIEW_MODELS_PANEL_H
#define PLI_VIEW_MODELS_PANEL_H

#include "looking/models.h"

#ifdef __cplusplus
extern "C" {
#endif

// The part of the window that cell `i` of `count` has in a stage [pixels from the upper left corner].
typedef struct pli_view_cell {
    int32_t x, y, width, height;
} pli_view_cell;

pli_view_cell pli_view_cell_of(int32_t i, int32_t count, int32_t width, int32_t height);
// Boxes to tick for the types that bend. Returns whether the models changed; `message` has why they could not.
bool pli_models_panel(pli_view_models *models, const pli_scene *scene, char *message, size_t size);
// Name, drop, stretch and time of each model over its cell, of a stage whose upper edge is at `top` [pixels].
void pli_models_labels(const pli_view_models *models, int32_t width, int32_t height, float top);

#ifdef __cplusplus
}
#endif
#endif
