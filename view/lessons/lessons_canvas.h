// Drawings of lessons in the panel.
#ifndef PLI_VIEW_LESSONS_CANVAS_H
#define PLI_VIEW_LESSONS_CANVAS_H

#include "lessons/lessons.h"

#ifdef __cplusplus
extern "C" {
#endif

// The drawing of a lesson; the pointer moves its points.
void pli_lesson_draw(pli_viewer *viewer, const pli_lesson *lesson);

#ifdef __cplusplus
}
#endif

#endif
