// Mass and inertia of composed solids in any pose.
#ifndef PLI_ODE_MASS_H
#define PLI_ODE_MASS_H

#include "convex/turn_vector.h"

#include <pliant/shape.h>

// Mass [kg], centre of mass [m], and inertia about it: xx yy zz xy xz yz [kg m2].
typedef struct solid_mass {
    double mass;
    vec centre;
    double inertia[6];
} solid_mass;

solid_mass mass_of(const pli_mass_properties *mass);
// Transforms a mass to the frame in which `where` is given.
solid_mass mass_placed(solid_mass mass, placement where);
solid_mass mass_sum(solid_mass a, solid_mass b);
solid_mass mass_scaled(solid_mass mass, double factor);
// False when the inertia is singular.
bool mass_invert(const double inertia[6], double inverse[6]);
// The product of a symmetric matrix xx yy zz xy xz yz and a vector.
vec symmetric_apply(const double matrix[6], vec v);

#endif
