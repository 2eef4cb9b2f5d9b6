// Solves (1 - u)^n = 1 - k for u by Newton's method, with the power by repeated squaring.
#include "constraints/stiffness.h"

// (1 - u)^n - 1 without cancellation: P(a + b) = P(a) + P(b) + P(a) P(b).
static double power_minus_one(double u, int32_t n)
{
    double square = -u, result = 0.0;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            result = result + square + result * square;
        square = square + square + square * square;
    }
    return result;
}

// Newton's method on (1 - u)^n - 1 + k = 0 from u = k / n, the side from which it converges without passing the root.
double pli_stiffness_per_iteration(double k, int32_t n)
{
    if (n <= 1 || k <= 0.0 || k >= 1.0)
        return k;
    double u = k / n;
    for (int32_t i = 0; i < 200; i++) {
        double power = power_minus_one(u, n);
        double next = u + (power + k) * (1.0 - u) / (n * (1.0 + power));
        if (!(next > u))
            break;
        u = next;
    }
    return u;
}
