// Parameters and rest values of membranes, for their kernel and for the solver of membranes (src/stretch).
#ifndef PLI_CONSTRAINTS_MEMBRANE_VALUES_H
#define PLI_CONSTRAINTS_MEMBRANE_VALUES_H

#include <stdbool.h>

enum {
    PLI_MEMBRANE_WARP,
    PLI_MEMBRANE_WEFT,
    PLI_MEMBRANE_SHEAR,
    PLI_MEMBRANE_POISSON,
    PLI_MEMBRANE_LIMIT,
    PLI_MEMBRANE_DIRECTION
};

// The maximum stiffness of a solved membrane, times h^2 over the mass of a particle: beyond it, rounding is noise. With 10 substeps of
// 1/600 s it is 54 kN/m for 150 g/m2 on cells of 1 cm. Membranes that may touch moving surfaces are less stiff than the springs of their
// contacts (stretch/surface_forces.h), 380 N/m: stiffer membranes turn the noise of contacts in folds into crumples.
static inline double pli_membrane_stiffest(bool meets_moving) { return meets_moving ? 70.0 : 1e4; }

// The inverse of the rest triangle's sides in warp and weft [1/m], and the square root of its area [m].
enum { PLI_MEMBRANE_B00, PLI_MEMBRANE_B01, PLI_MEMBRANE_B10, PLI_MEMBRANE_B11, PLI_MEMBRANE_ROOT };

#endif
