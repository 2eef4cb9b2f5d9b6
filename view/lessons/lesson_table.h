// The lessons, in their order.
#ifndef PLI_VIEW_LESSON_TABLE_H
#define PLI_VIEW_LESSON_TABLE_H

#include "lessons/lessons.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t pli_lesson_count(void);
const pli_lesson *pli_lesson_at(int32_t i);
const pli_lesson *pli_lesson_find(const char *id);
// The lesson after or before the current one; null at the ends.
const pli_lesson *pli_lesson_step(const pli_lesson *lesson, int32_t by);

#ifdef __cplusplus
}
#endif

#endif
