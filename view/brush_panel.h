// The brush's part of the panel: the value that it paints, its strength and its radius.
#ifndef PLI_VIEW_BRUSH_PANEL_H
#define PLI_VIEW_BRUSH_PANEL_H

#include "session/brush.h"

// Part of the open window; returns true when something has changed.
bool pli_brush_panel(pli_session_brush *brush);

#endif
