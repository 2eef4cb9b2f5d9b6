// The elastica by shooting: bisection on the curvature at the clamp.
#include "lab/elastica.h"

#include <math.h>
#include <stdint.h>

// Integrates from the clamp with theta'(0) = `curvature`; returns theta'(1), and where the end is.
static double shoot(double gamma, double curvature, lab_elastica_end *end)
{
    enum { STEPS = 4000 };
    const double h = 1.0 / STEPS;
    double theta = 0.0, slope = curvature;
    *end = (lab_elastica_end){0};
    for (int32_t i = 0; i < STEPS; i++) {
        // The rule of the middle, whose error is some h^2.
        const double s = (i + 0.5) * h, middle = theta + 0.5 * h * slope;
        const double turn = -gamma * (1.0 - s) * cos(middle), between = theta + 0.5 * h * (slope + 0.25 * h * turn);
        end->drop += h * sin(between);
        end->reach += h * cos(between);
        theta += h * (slope + 0.5 * h * turn);
        slope += h * turn;
    }
    return slope;
}

lab_elastica_end lab_elastica(double gamma)
{
    double low = 0.0, high = gamma;
    lab_elastica_end end = {0};
    for (int32_t i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (shoot(gamma, middle, &end) > 0.0)
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
