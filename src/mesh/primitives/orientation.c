// The orientation predicate: double arithmetic with an error bound, and an exact sum where the bound cannot decide.
// Products of two floats are exact in a double; the rounding errors of a third factor and of each sum are stored in an
// expansion.
//
//   Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates.
#include "mesh/primitives/orientation.h"

#include <math.h>

// Nine roundings of 2^-53 and a margin, relative to the sum of absolute products.
#define ORIENTATION_ROUNDING 1.0e-15

enum { EXPANSION_TERMS = 48 };

// A nonoverlapping expansion: components in ascending order, whose exact sum is the value.
typedef struct exact_sum {
    double parts[EXPANSION_TERMS];
    int count;
} exact_sum;

static void sum_add(exact_sum *s, double x)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        double part = s->parts[i], total = x + part, shared = total - x;
        double rest = (x - (total - shared)) + (part - shared);
        if (rest != 0.0)
            s->parts[kept++] = rest;
        x = total;
    }
    if (x != 0.0)
        s->parts[kept++] = x;
    s->count = kept;
}

// Splits a double into a part of at most 27 bits and the remainder.
static void split_double(double x, double *high, double *low)
{
    double large = 134217729.0 * x;
    *high = large - (large - x);
    *low = x - *high;
}

// Adds x y. `y` is the value of a float, so that its products with the halves of x are exact.
static void add_product(exact_sum *s, double x, double y)
{
    double high, low, product = x * y;
    split_double(x, &high, &low);
    sum_add(s, (high * y - product) + low * y);
    sum_add(s, product);
}

// Adds sign * det [p q r].
static void add_determinant(exact_sum *s, double sign, const float *p, const float *q, const float *r)
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double factor = sign * (double)r[k];
        add_product(s, (double)p[i] * (double)q[j], factor);
        add_product(s, -(double)p[j] * (double)q[i], factor);
    }
}

static double exact(const float *a, const float *b, const float *c, const float *d)
{
    exact_sum s = {.count = 0};
    add_determinant(&s, 1.0, b, c, d);
    add_determinant(&s, -1.0, a, c, d);
    add_determinant(&s, 1.0, a, b, d);
    add_determinant(&s, -1.0, a, b, c);
    double total = 0.0;
    for (int i = 0; i < s.count; i++)
        total += s.parts[i];
    return total;
}

double pli_orientation(const float *a, const float *b, const float *c, const float *d)
{
    double u[3], v[3], w[3], value = 0.0, size = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
        w[k] = (double)d[k] - (double)a[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double first = u[i] * v[j], second = u[j] * v[i];
        value += (first - second) * w[k];
        size += (fabs(first) + fabs(second)) * fabs(w[k]);
    }
    return fabs(value) > ORIENTATION_ROUNDING * size ? value : exact(a, b, c, d);
}
