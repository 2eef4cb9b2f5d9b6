// Which parameters and rest values membranes have, for their kernel and for the solver of membranes (src/membrane).
#ifndef PLI_CONSTRAINTS_MEMBRANE_VALUES_H
#define PLI_CONSTRAINTS_MEMBRANE_VALUES_H

enum {
    PLI_MEMBRANE_WARP,
    PLI_MEMBRANE_WEFT,
    PLI_MEMBRANE_SHEAR,
    PLI_MEMBRANE_POISSON,
    PLI_MEMBRANE_LIMIT,
    PLI_MEMBRANE_DIRECTION
};

// The inverse of the rest triangle's sides by warp and weft [1/m], and the root of its area [m].
enum { PLI_MEMBRANE_B00, PLI_MEMBRANE_B01, PLI_MEMBRANE_B10, PLI_MEMBRANE_B11, PLI_MEMBRANE_ROOT };

#endif
