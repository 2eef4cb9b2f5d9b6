// Choosing between two sets of knobs, and where they differ.
#ifndef PLI_VIEW_KNOBS_PANEL_H
#define PLI_VIEW_KNOBS_PANEL_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Buttons and a list of differences. Returns whether what is seen side by side has changed.
bool pli_knobs_panel(pli_view_session *session, pli_view_models *models);

#ifdef __cplusplus
}
#endif
#endif
