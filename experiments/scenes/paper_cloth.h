// The cloth of Figs. 6 and 9 of Mueller et al. 2006: 1364 vertices and 2562 triangles, which is a grid of 22 x 62.
#ifndef PLI_LAB_PAPER_CLOTH_H
#define PLI_LAB_PAPER_CLOTH_H

#include "lab/lab_world.h"

// What was seen of a cloth while it ran.
typedef struct lab_watch {
    int32_t frame_count, capacity;
    double *seconds;   // Of each step.
    int32_t crossings; // Most in a frame that was looked at.
    int32_t looks;
    int32_t contacts; // Most between surfaces in a substep.
    double stretch;   // Largest of any edge.
    double speed;     // Root mean square at the end [m/s].
} lab_watch;

lab_watch lab_watch_make(lab *l, int32_t frames);
// After a step. Looks for crossings when told.
void lab_watch_add(lab *l, const lab_body *body, bool look, lab_watch *w);
// Frames simulated in a second, by the median step.
double lab_watch_rate(lab *l, const lab_watch *w);
// Says what was seen, and adds it to the CSV.
void lab_watch_report(lab *l, const lab_body *body, const lab_watch *w);

// 0.7 m x 2 m, with self-collision, XPBD.
lab_body_def lab_paper_cloth(lab *l);

#endif
