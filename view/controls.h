// One control for each kind of property: a slider, a box, a list, or three numbers.
#ifndef PLI_VIEW_CONTROLS_H
#define PLI_VIEW_CONTROLS_H

#include "viewer.h"

#include <pliant/descriptor.h>

// The needs of a control besides its property.
struct pli_control_place {
    const char *path; // As scripts name it.
    const char *unit; // Complete unit; null for none.
    double edge;      // Mean edge of the mesh [m], for soft ranges; 0 where there is no mesh.
};

// Draws the control; returns the index of the value that changed, -1 for none. Changes by one drag are one edit (session->drag).
int32_t pli_control_draw(pli_viewer *viewer, const pli_property *property, const pli_control_place &place,
                         double values[3]);
// Begins a row: its label at the left, and the width of the control that follows.
void pli_control_label(const char *label);
// Shows a text when the last item is under the pointer for a moment.
bool pli_control_hovered(const void *item);
// Stores where the last item is, if a script looks for it.
void pli_control_note(pli_viewer *viewer, const char *path);

#endif
