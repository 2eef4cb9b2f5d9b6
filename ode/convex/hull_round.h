// Contacts of spheres and capsules with convex polyhedra.
#ifndef PLI_ODE_HULL_ROUND_H
#define PLI_ODE_HULL_ROUND_H

#include "convex/hull_contact.h"

// Returns the number of contacts it wrote. A segment of equal ends is a sphere.
int hull_touch_capsule(const placed_hull *a, const vec ends[2], double radius,
                       hull_contact contacts[HULL_CONTACTS_MAX]);

#endif
