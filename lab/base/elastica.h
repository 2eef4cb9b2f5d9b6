// The elastica: a strip of unit length that is clamped at one end, level there, and hangs under its weight.
#ifndef PLI_LAB_ELASTICA_H
#define PLI_LAB_ELASTICA_H

// With s along the strip of length L, angle theta and Gamma = w g L^3 / D for a mass w per area and a rigidity D it is
// theta'' = -Gamma (1 - s) cos theta, theta(0) = theta'(1) = 0 on unit length.
typedef struct lab_elastica_end {
    double drop, reach; // Place of the end, over the length.
} lab_elastica_end;

// Solves it by shooting; Gamma > 0.
lab_elastica_end lab_elastica(double gamma);
// The Gamma at which the line from the clamp to the end falls by this angle [rad], 0 to pi / 2: what Peirce's test inverts.
double lab_elastica_gamma(double angle);

#endif
