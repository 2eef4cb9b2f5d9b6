// The panel of the tutorial, over the left part of the scene.
#ifndef PLI_VIEW_LESSONS_PANEL_H
#define PLI_VIEW_LESSONS_PANEL_H

#include "lessons/lessons.h"

#ifdef __cplusplus
extern "C" {
#endif

// Called once per picture, between the beginning and the end of the interface. Returns the lesson that the user opens, or null.
const pli_lesson *pli_lessons_panel(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif

#endif
