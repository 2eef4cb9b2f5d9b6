// Shapes of revolution about local y: their triangles and mass properties, from the profile that is rotated.
//
//        y ^   pole
//          |--__
//          |    \       radius(y)
//          |     |
//          |__--'
//          +pole-----> radius
#ifndef PLI_SHAPES_REVOLUTION_H
#define PLI_SHAPES_REVOLUTION_H

#include "shapes/shape.h"

#define PLI_PI 3.14159265358979323846

// Returns the error of a size, or null when the size is valid.
const char *pli_radius_complaint(float radius);
const char *pli_half_height_complaint(float half_height);

/* ---- triangles ------------------------------------------------------------------------------ */

enum { PLI_PROFILE_MAX = PLI_SHAPE_RESOLUTION_MAX / 2 + 8 };

// The profile from the upper pole to the lower pole: radius and height of each point [m]. It is zeroed at the start.
typedef struct pli_profile {
    double points[PLI_PROFILE_MAX][2];
    int32_t count;
} pli_profile;

// Adds a point. A point equal to the last one is omitted.
void pli_profile_point(pli_profile *profile, double radius, double height);
// Adds an arc about (0, height) between the directions whose elevations have the sines `from` >= `to`. Its steps are
// as long as the edges of a circle with `resolution` edges; there is at least one.
void pli_profile_arc(pli_profile *profile, int32_t resolution, double height, double radius, double from, double to);

// Rotates the profile about the axis in `around` steps.
pli_status pli_revolve(const pli_profile *profile, int32_t around, const pli_hooks *hooks, pli_mesh **mesh,
                       pli_error *error);

/* ---- mass ----------------------------------------------------------------------------------- */

// The solid between two heights whose radius squared is c[0] + c[1] y + c[2] y^2, y from the frame's origin.
typedef struct pli_revolved {
    double low, high; // Heights [m], low <= high.
    double c[3];      // Coefficients [m^2], [m], [1].
} pli_revolved;

// A sphere about (0, centre) between two heights, and the cone from radius `bottom` to radius `top` between them.
pli_revolved pli_revolved_sphere(double centre, double radius, double low, double high);
pli_revolved pli_revolved_cone(double low, double high, double bottom, double top);
// Returns the exact mass properties of all parts together, at density 1.
pli_mass_properties pli_revolved_mass(const pli_revolved *parts, int32_t count);

// Returns the mass properties of a sphere about the origin, at density 1.
pli_mass_properties pli_sphere_mass(double radius);

#endif
