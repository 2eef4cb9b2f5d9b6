// The tutorial: a table of lessons, each with a scene, values to turn, and a measured number beside the claim of a paper.
#ifndef PLI_VIEW_LESSONS_H
#define PLI_VIEW_LESSONS_H

#include "lessons/algorithm.h"
#include "lessons/points.h"

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_LESSON_READINGS = 5, PLI_LESSON_CONTROLS = 3, PLI_LESSON_WIDTH = 345 }; // The width of the panel [pixels].

typedef struct pli_viewer pli_viewer;

// A measured number. It is NAN until it can be measured.
typedef struct pli_lesson_reading {
    const char *label, *unit;
    double value;
} pli_lesson_reading;

typedef enum pli_lesson_sense { PLI_LESSON_AT_MOST, PLI_LESSON_AT_LEAST, PLI_LESSON_NEAR } pli_lesson_sense;

// Drawings in the panel.
typedef enum pli_lesson_canvas {
    PLI_LESSON_NO_CANVAS,
    PLI_LESSON_POINTS,    // Points that can be dragged, with the correction of one projection.
    PLI_LESSON_NEIGHBORS, // The mesh from above, with the shared edges that have been found.
    PLI_LESSON_ALGORITHM  // The lines of Algorithm 1 and its points.
} pli_lesson_canvas;

typedef struct pli_lesson {
    const char *id; // That of the section of the web page.
    const char *title, *text;
    const char *scene;                         // In the folder of the shipped scenes.
    const char *controls[PLI_LESSON_CONTROLS]; // Paths of pli_session_set; null after the last.
    double
        turned; // Another value of the first control, or of the drawing, which changes what is measured or the state.
    int32_t frames; // After which the claim holds; lines for Algorithm 1.
    bool steady;    // Whether the first reading does not depend on the value, but the state does.
    int32_t (*read)(pli_viewer *viewer, pli_lesson_reading *readings); // The first reading is that of the claim.
    void (*begin)(pli_viewer *viewer);                                 // Changes the start of the scene; null for none.
    const char *claim, *paper; // The statement about the first reading, and the number or the words of the paper.
    pli_lesson_sense sense;
    double limit, tolerance; // The limit of the claim, and the tolerance of NEAR.
    int32_t
        against; // The reading that NEAR compares with instead of the limit; then the tolerance is relative. 0 for none.
    pli_lesson_canvas canvas;
    struct {
        const char *label;
        double initial, low, high;
        const char *const *choices; // Names of the values 0, 1 and so on; null for a number.
    } value;                        // Of the drawing; without a label there is none.
    const char *overlay;            // Name of an overlay that is shown; null for none.
} pli_lesson;

typedef struct pli_view_lessons {
    bool shown;
    const pli_lesson *current; // Null for none.
    double value;              // Of the drawing.
    double cost;               // Measured once for each opening; 0 before.
    pli_view_points points;
    pli_view_algorithm algorithm;
    double noted; // The first reading and the state when a script noted them.
    uint64_t state;
} pli_view_lessons;

// Opens the scene of a lesson and shows the panel. On failure it returns false with the session's message.
bool pli_lesson_open(pli_viewer *viewer, const pli_lesson *lesson);
// The current readings; 0 when the open scene is not that of the lesson.
int32_t pli_lesson_read(pli_viewer *viewer, pli_lesson_reading readings[PLI_LESSON_READINGS]);
// Whether the claim holds with these readings.
bool pli_lesson_holds(const pli_lesson *lesson, const pli_lesson_reading *readings);
// Sets the drawing's value, within its limits.
void pli_lesson_set(pli_viewer *viewer, double value);
// Sets the first control, or the drawing's value, to `turned`.
bool pli_lesson_turn(pli_viewer *viewer);
// A line of a script: lesson ID | set V | turn | note | next N | point I X,Y. Returns the requirement that is missing, or null.
const char *pli_lesson_command(pli_viewer *viewer, const char *word, const char *second, const char *third);
// What differs from `expect lesson id ID`, `holds`, `fails`, `reads V [N]`, of the Nth reading, or `acts`; null if it is as
// expected.
const char *pli_lesson_expect(pli_viewer *viewer, const char *what, const char *wanted, const char *which);

#ifdef __cplusplus
}
#endif
#endif
