// The elastica by shooting from its free end, where phi = pi / 2 - theta is small: phi'' = Gamma u sin phi over the length u from there,
// phi'(0) = 0 and phi(1) = pi / 2. From the clamp rounding would grow by exp(Gamma^1/2) on the way.
#include "base/elastica.h"

#include <math.h>
#include <stdint.h>

// Integrates from phi(0) = `first`; returns phi(1), at most pi, and where the end is.
static double shoot(double gamma, double first, lab_elastica_end *end)
{
    enum { STEPS = 4000 };
    const double h = 1.0 / STEPS;
    double phi = first, slope = 0.0;
    *end = (lab_elastica_end){0};
    for (int32_t i = 0; i < STEPS && phi < 3.141592653589793; i++) {
        // The rule of the middle, whose error is some h^2.
        const double turn = gamma * (i + 0.5) * h * sin(phi + 0.5 * h * slope);
        const double between = phi + 0.5 * h * (slope + 0.25 * h * turn);
        end->drop += h * cos(between);
        end->reach += h * sin(between);
        phi += h * (slope + 0.5 * h * turn);
        slope += h * turn;
    }
    return phi;
}

lab_elastica_end lab_elastica(double gamma)
{
    double low = -100.0, high = log(1.5707963267948966); // Bounds of the logarithm of phi(0).
    lab_elastica_end end = {0};
    for (int32_t i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (shoot(gamma, exp(middle), &end) > 1.5707963267948966)
            high = middle;
        else
            low = middle;
    }
    return end;
}

double lab_elastica_gamma(double angle)
{
    double low = -8.0, high = 12.0; // Bounds of the logarithm.
    for (int32_t i = 0; i < 40; i++) {
        const double middle = 0.5 * (low + high);
        const lab_elastica_end end = lab_elastica(exp(middle));
        if (atan2(end.drop, end.reach) > angle)
            high = middle;
        else
            low = middle;
    }
    return exp(0.5 * (low + high));
}
