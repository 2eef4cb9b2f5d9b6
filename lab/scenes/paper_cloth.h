// The cloth of Figs. 6 and 9 of Mueller et al. 2006: 1364 vertices and 2562 triangles, which is a grid of 22 x 62.
#ifndef PLI_LAB_PAPER_CLOTH_H
#define PLI_LAB_PAPER_CLOTH_H

#include "base/lab_world.h"

// Self-contact by surfaces, with the guarantee, and by particles.
enum { LAB_CONTACT_WAYS = PLI_SELF_CONTACT_COUNT };

// Quantities measured on a cloth during its run.
typedef struct lab_watch {
    int32_t frame_count, capacity;
    double *seconds;   // Processor time of each step.
    int32_t crossings; // Largest number of intersections in a checked frame.
    int32_t looks;
    int32_t contacts; // Largest number of contacts in a substep.
    double stretch;   // Largest stretch of any edge.
    double speed;     // Root mean square speed at the end [m/s].
} lab_watch;

lab_watch lab_watch_make(lab *l, int32_t frames);
// Measures after a step that took `seconds`; counts intersections if asked.
void lab_watch_add(lab *l, const lab_body *body, double seconds, bool look, lab_watch *w);
// Frames simulated per second, by the median step.
double lab_watch_rate(lab *l, const lab_watch *w);
// Writes the measurements of both ways of self-contact to the report and the CSV.
void lab_watch_report(lab *l, const lab_body_def *cloth, const lab_watch w[LAB_CONTACT_WAYS]);

// Words in which the figures of the paper differ, for the claims on both ways of self-contact.
typedef struct lab_watch_claims_def {
    // The claim "By particles it runs at interactive speed".
    const char *rate_source, *rate_reason;
    // The claim that nothing crosses by particles.
    const char *holds, *holds_source;
    // The claim that surfaces take at most so many times the particles' time, as a number and as a word.
    double most_cost;
    const char *most_cost_word;
} lab_watch_claims_def;

// Claims that the cloth runs at interactive speed by particles, crosses itself in neither way, and that the proof of
// surfaces costs a bounded multiple.
void lab_watch_claims(lab *l, const lab_watch w[LAB_CONTACT_WAYS], const lab_watch_claims_def *def);

// Creates the cloth of 0.7 m x 2 m, with self-collision of this way, XPBD.
lab_body_def lab_paper_cloth(lab *l, pli_self_contact way);

#endif
