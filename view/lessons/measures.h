// What lessons measure in the open scene, and how some of them begin.
#ifndef PLI_VIEW_MEASURES_H
#define PLI_VIEW_MEASURES_H

#include "lessons/lessons.h"

typedef int32_t pli_lesson_reader(pli_viewer *viewer, pli_lesson_reading *readings);

pli_lesson_reader pli_lesson_read_drop, pli_lesson_read_fold, pli_lesson_read_neighbors, pli_lesson_read_bug,
    pli_lesson_read_pairs, pli_lesson_read_gradient, pli_lesson_read_chain, pli_lesson_read_batches,
    pli_lesson_read_cost, pli_lesson_read_table1, pli_lesson_read_height, pli_lesson_read_strips, pli_lesson_read_bunny,
    pli_lesson_read_plant, pli_lesson_read_crumpled, pli_lesson_read_fabric, pli_lesson_read_cow, pli_lesson_read_bowls,
    pli_lesson_read_creation, pli_lesson_read_algorithm, pli_lesson_read_momentum, pli_lesson_read_yours;

void pli_lesson_begin_points(pli_viewer *viewer);
void pli_lesson_begin_crumpled(pli_viewer *viewer);
void pli_lesson_begin_bowls(pli_viewer *viewer);
void pli_lesson_begin_algorithm(pli_viewer *viewer);

#endif
