// Shapes of revolution about local y: their triangles and what they weigh, from the curve that is turned.
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

// Null, or what is wrong with a size.
const char *pli_radius_complaint(float radius);
const char *pli_half_height_complaint(float half_height);

/* ---- triangles ------------------------------------------------------------------------------ */

enum { PLI_PROFILE_MAX = PLI_SHAPE_RESOLUTION_MAX / 2 + 8 };

// The curve from the upper pole to the lower: radius and height of each point [m]. Begins as zeros.
typedef struct pli_profile {
    double points[PLI_PROFILE_MAX][2];
    int32_t count;
} pli_profile;

// A point at the place of the last is left out.
void pli_profile_point(pli_profile *profile, double radius, double height);
// An arc about (0, height) between the directions whose sines over the horizon are `from` and `to`, from >= to, in as
// many steps as a circle of `resolution` edges has there, at least one.
void pli_profile_arc(pli_profile *profile, int32_t resolution, double height, double radius, double from, double to);

// Turns the curve about the axis in `around` steps.
pli_status pli_revolve(const pli_profile *profile, int32_t around, const pli_hooks *hooks, pli_mesh **mesh,
                       pli_error *error);

/* ---- mass ----------------------------------------------------------------------------------- */

// The solid between two heights whose radius squared is c[0] + c[1] y + c[2] y^2, y from the frame's origin.
typedef struct pli_revolved {
    double low, high; // [m]
    double c[3];      // [m^2], [m], []
} pli_revolved;

// Between two heights of a ball about (0, centre), and of the cone from `bottom` to `top`, its radii there.
pli_revolved pli_revolved_ball(double centre, double radius, double low, double high);
pli_revolved pli_revolved_cone(double low, double high, double bottom, double top);
// The exact mass properties of all parts together, of density 1.
pli_mass_properties pli_revolved_mass(const pli_revolved *parts, int32_t count);

// A ball about the origin, of density 1.
pli_mass_properties pli_ball_mass(double radius);

#endif
