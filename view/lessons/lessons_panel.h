// The panel of the tutorial, over the left part of the scene.
#ifndef PLI_VIEW_LESSONS_PANEL_H
#define PLI_VIEW_LESSONS_PANEL_H

#include "lessons/lessons.h"

#ifdef __cplusplus
extern "C" {
#endif

// Called once per picture, between the beginning and the end of the interface. Returns the lesson that the user opens, or null.
const pli_lesson *pli_lessons_panel(pli_viewer *viewer);
// The drawing of a lesson; the pointer moves its points.
void pli_lesson_draw(pli_viewer *viewer, const pli_lesson *lesson);

#ifdef __cplusplus
}
#endif

#endif
