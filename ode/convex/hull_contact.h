// Contacts of convex polyhedra with each other and with half-spaces; hull_round.h handles spheres and capsules. ODE's own convex shapes
// meet at single points, and its meshes share scratch memory between threads.
#ifndef PLI_ODE_HULL_CONTACT_H
#define PLI_ODE_HULL_CONTACT_H

#include "convex/polyhedron.h"

// Normals point to the first of the two.
typedef struct hull_contact {
    vec position, normal;
    double depth; // [m], >= 0.
} hull_contact;

enum { HULL_CONTACTS_MAX = 8 };

// A polyhedron and its pose.
typedef struct placed_hull {
    const polyhedron *hull;
    placement where;
} placed_hull;

// Each function returns the number of contacts it wrote.
int hull_touch_hull(const placed_hull *a, const placed_hull *b, hull_contact contacts[HULL_CONTACTS_MAX]);
// Solid below the plane normal . x = offset.
int hull_touch_plane(const placed_hull *a, vec normal, double offset, hull_contact contacts[HULL_CONTACTS_MAX]);

#endif
