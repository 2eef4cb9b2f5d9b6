// The determinant in doubles decides when it is larger than its rounding error bound. Otherwise, if all coordinates are multiples of
// one power of two and not too large, it is computed in integers. In the remaining cases it is expanded into products of coordinates
// and summed exactly, as sums of non-overlapping doubles (Shewchuk 1997). Floats keep these sums short: the product of two floats is a
// double, the product of three is the sum of two doubles, and neither can overflow or underflow.
#include "intersections/exact_sign.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Products of three coordinates in a determinant of four points, with two doubles each.
enum { PARTS_MAX = 48 };

typedef struct exact_sum {
    double parts[PARTS_MAX]; // In increasing magnitude, without zeros; their sum is the value.
    int count;
} exact_sum;

static void add(exact_sum *sum, double value)
{
    int kept = 0;
    for (int i = 0; i < sum->count; i++) {
        double part = sum->parts[i], total = value + part;
        double part_taken = total - value, value_taken = total - part_taken;
        double rest = (value - value_taken) + (part - part_taken);
        if (rest != 0.0)
            sum->parts[kept++] = rest;
        value = total;
    }
    if (value != 0.0)
        sum->parts[kept++] = value;
    sum->count = kept;
}

static int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

static int sign_of_sum(const exact_sum *sum) { return sum->count > 0 ? sign_of(sum->parts[sum->count - 1]) : 0; }

static void add_product(exact_sum *sum, double sign, float x, float y, float z)
{
    double two = sign * (double)x * (double)y, three = two * (double)z;
    add(sum, fma(two, (double)z, -three));
    add(sum, three);
}

// Adds sign * det(a, b, c).
static void add_determinant(exact_sum *sum, double sign, const float *a, const float *b, const float *c)
{
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
        add_product(sum, sign, a[i], b[j], c[k]);
        add_product(sum, -sign, a[i], b[k], c[j]);
    }
}

static int side_by_sum(const float *a, const float *b, const float *c, const float *d)
{
    exact_sum sum = {.count = 0};
    add_determinant(&sum, 1.0, b, c, d);
    add_determinant(&sum, -1.0, a, c, d);
    add_determinant(&sum, 1.0, a, b, d);
    add_determinant(&sum, -1.0, a, b, c);
    return sign_of_sum(&sum);
}

/* ---- whole numbers -------------------------------------------------------------------------- */

__extension__ typedef __int128 wide_whole;

// The sum of six products of three integers of this many bits fits into a wide integer.
enum { WHOLE_BITS = 40 };

// Converts the points to integers in a common unit, if possible.
static bool to_wholes(const float *const points[4], int64_t wholes[4][3])
{
    float largest = 0.0f;
    for (int i = 0; i < 12; i++)
        largest = fmaxf(largest, fabsf(points[i / 3][i % 3]));
    int exponent;
    frexpf(largest, &exponent);
    double unit = ldexp(1.0, WHOLE_BITS - 1 - exponent);
    for (int i = 0; i < 12; i++) {
        double scaled = (double)points[i / 3][i % 3] * unit;
        wholes[i / 3][i % 3] = (int64_t)scaled;
        if ((double)wholes[i / 3][i % 3] != scaled)
            return false;
    }
    return true;
}

static int side_in_wholes(int64_t p[4][3])
{
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] -= p[0][k];
    wide_whole sum = 0;
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
        sum += ((wide_whole)p[1][i] * p[2][j] - (wide_whole)p[1][j] * p[2][i]) * p[3][k];
    return (sum > 0) - (sum < 0);
}

/* ---- sides ---------------------------------------------------------------------------------- */

int pli_cli_side_of_plane(const float *a, const float *b, const float *c, const float *d)
{
    // At most eight roundings separate a coordinate from the determinant.
    static const double error_share = 8.0 * DBL_EPSILON;
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
        w[i] = (double)d[i] - (double)a[i];
    }
    double determinant = 0.0, size = 0.0;
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
        double plus = u[i] * v[j], minus = u[j] * v[i];
        determinant += (plus - minus) * w[k];
        size += (fabs(plus) + fabs(minus)) * fabs(w[k]);
    }
    if (fabs(determinant) > error_share * size || size == 0.0)
        return sign_of(determinant);
    int64_t wholes[4][3];
    return to_wholes((const float *[]){a, b, c, d}, wholes) ? side_in_wholes(wholes) : side_by_sum(a, b, c, d);
}

int pli_cli_side_of_line(const float *a, const float *b, const float *c, int first, int second)
{
    static const double error_share = 4.0 * DBL_EPSILON;
    double plus = ((double)b[first] - (double)a[first]) * ((double)c[second] - (double)a[second]);
    double minus = ((double)b[second] - (double)a[second]) * ((double)c[first] - (double)a[first]);
    double size = fabs(plus) + fabs(minus);
    if (fabs(plus - minus) > error_share * size || size == 0.0)
        return sign_of(plus - minus);
    const float *const rows[3][2] = {{b, c}, {c, a}, {a, b}};
    exact_sum sum = {.count = 0};
    for (int i = 0; i < 3; i++) {
        const float *p = rows[i][0], *q = rows[i][1];
        add(&sum, (double)p[first] * (double)q[second]);
        add(&sum, -(double)p[second] * (double)q[first]);
    }
    return sign_of_sum(&sum);
}
