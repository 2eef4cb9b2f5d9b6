// Selection of one of two sets of control values, and the differences between them.
#ifndef PLI_VIEW_VALUES_PANEL_H
#define PLI_VIEW_VALUES_PANEL_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Buttons and a list of differences. Returns whether the side-by-side view has changed.
bool pli_values_panel(pli_session *session, pli_view_models *models);

#ifdef __cplusplus
}
#endif
#endif
