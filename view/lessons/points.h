// Two or three points in a plane and one constraint of the library on them: its value, and the corrections of one projection.
#ifndef PLI_VIEW_POINTS_H
#define PLI_VIEW_POINTS_H

#include <pliant/constraint_type.h>
#include <pliant/generator.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_VIEW_POINTS_MOST = 3 };

typedef struct pli_view_points {
    const char *type; // "triangle" or "opposite_distance".
    int32_t count;
    double rest[PLI_VIEW_POINTS_MOST][2], now[PLI_VIEW_POINTS_MOST][2]; // [m]
    double weights[PLI_VIEW_POINTS_MOST];                               // Inverse masses.
    double kappa;                                                       // [m]
    pli_sense relation;
} pli_view_points;

typedef struct pli_view_projection {
    double value, by_hand;                 // C of the library, and of the formula [m].
    double target;                         // h0 + kappa, or d [m].
    bool acts;                             // Whether the constraint is violated.
    double moves[PLI_VIEW_POINTS_MOST][2]; // Corrections from the library's gradient [m].
    double momentum;                       // Of all corrections [kg m].
    double apart;                          // Largest difference of C and the corrections from the printed formulas.
} pli_view_projection;

// The points at rest, under the triangle's constraint or that of the two tips.
void pli_view_points_begin(pli_view_points *points, const char *type);
pli_view_projection pli_view_points_project(const pli_view_points *points);

#ifdef __cplusplus
}
#endif
#endif
