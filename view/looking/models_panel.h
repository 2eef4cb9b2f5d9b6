// Selection of bending models, and the text next to each of them.
#ifndef PLI_VIEW_MODELS_PANEL_H
#define PLI_VIEW_MODELS_PANEL_H

#include "looking/models.h"

#ifdef __cplusplus
extern "C" {
#endif

// The rectangle of cell `i` of `count` within a stage [pixels from the upper left corner].
typedef struct pli_view_cell {
    int32_t x, y, width, height;
} pli_view_cell;

pli_view_cell pli_view_cell_of(int32_t i, int32_t count, int32_t width, int32_t height);
// Check boxes for the bending types. Returns whether the models changed; on failure `message` gets the reason.
bool pli_models_panel(pli_view_models *models, const pli_scene *scene, pli_error *error);
// Name, drop, stretch and time of each model above its cell, in a stage with its upper edge at `top` [pixels].
void pli_models_labels(const pli_view_models *models, int32_t width, int32_t height, float top);

#ifdef __cplusplus
}
#endif
#endif
