// Measures of states: distances between shapes, curvature, statistics, fits and random numbers.
#include "base/lab_measures.h"

#include <math.h>
#include <stdlib.h>

static void centre_of(const float *positions, int32_t count, double centre[3])
{
    for (int32_t k = 0; k < 3; k++) {
        centre[k] = 0.0;
        for (int32_t i = 0; i < count; i++)
            centre[k] += (double)positions[3 * i + k] / count;
    }
}

// Diagonalises a symmetric matrix by Jacobi rotations, and collects them: column k of `axes` is the direction of a[k][k].
static void diagonalise(double a[4][4], double axes[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            axes[i][k] = i == k;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++) {
                if (fabs(a[p][q]) < 1e-300)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 4; k++) {
                    double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                    double vp = axes[k][p], vq = axes[k][q];
                    axes[k][p] = c * vp - s * vq;
                    axes[k][q] = s * vp + c * vq;
                }
                for (int k = 0; k < 4; k++) {
                    double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
            }
}

// The best rigid alignment of `rest` with the positions as a unit quaternion w, x, y, z (Horn 1987). Returns the sum of
// squared distances that it leaves.
static double align(const float *rest, const float *positions, int32_t count, double quaternion[4])
{
    double a[3], b[3], m[3][3] = {{0}}, axes[4][4], squares = 0.0;
    centre_of(rest, count, a);
    centre_of(positions, count, b);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < 3; j++) {
            double p = (double)rest[3 * i + j] - a[j], q = (double)positions[3 * i + j] - b[j];
            squares += p * p + q * q;
            for (int32_t k = 0; k < 3; k++)
                m[j][k] += p * ((double)positions[3 * i + k] - b[k]);
        }
    double n[4][4] = {
        {m[0][0] + m[1][1] + m[2][2], m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]},
        {m[1][2] - m[2][1], m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[2][0] + m[0][2]},
        {m[2][0] - m[0][2], m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]},
        {m[0][1] - m[1][0], m[2][0] + m[0][2], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1]},
    };
    diagonalise(n, axes);
    int32_t best = 0;
    for (int32_t k = 1; k < 4; k++)
        best = n[k][k] > n[best][best] ? k : best;
    for (int32_t k = 0; k < 4; k++)
        quaternion[k] = axes[k][best];
    return fmax(0.0, squares - 2.0 * n[best][best]);
}

double lab_shape_distance(const float *rest, const float *positions, int32_t count)
{
    double quaternion[4];
    return sqrt(align(rest, positions, count, quaternion) / count);
}

double lab_rotation(const float *rest, const float *positions, int32_t count)
{
    double q[4];
    align(rest, positions, count, q);
    return 2.0 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0])) * 57.29577951308232;
}

double lab_flatness(const float *positions, int32_t count)
{
    double centre[3], m[4][4] = {{0}}, axes[4][4];
    centre_of(positions, count, centre);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < 3; j++)
            for (int32_t k = 0; k < 3; k++)
                m[j][k] += ((double)positions[3 * i + j] - centre[j]) * ((double)positions[3 * i + k] - centre[k]);
    diagonalise(m, axes);
    return sqrt(fmax(0.0, fmin(m[0][0], fmin(m[1][1], m[2][2]))) / count);
}

double lab_volume(const pli_mesh *mesh, const float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double sum = 0.0;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        double p[3][3];
        for (int32_t c = 0; c < 3; c++)
            for (int32_t k = 0; k < 3; k++)
                p[c][k] = (double)positions[3 * t->triangles[3 * i + c] + k] - (double)positions[k];
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum / 6.0;
}

double lab_mean_curvature(lab *l, const lab_body *body)
{
    if (!lab_ok(l))
        return 0.0;
    pli_error error;
    int32_t mark = lab_mark(l);
    float *values = lab_memory(l, (size_t)body->count, sizeof *values);
    double sum = 0.0;
    lab_note(l,
             pli_deformable_measure(body->world, body->deformable, PLI_MEASURE_CURVATURE, values, body->count, &error),
             &error);
    for (int32_t i = 0; i < body->count; i++)
        sum += fabs((double)values[i]) / body->count;
    lab_release_to(l, mark);
    return sum;
}

double lab_extent(const float *positions, int32_t count, int32_t axis)
{
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, (double)positions[3 * i + axis]);
        most = fmax(most, (double)positions[3 * i + axis]);
    }
    return most - least;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double lab_quantile(double *values, int32_t count, double share)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, ascending);
    double place = share * (count - 1);
    int32_t below = (int32_t)place, above = below + 1 < count ? below + 1 : below;
    return values[below] + (place - below) * (values[above] - values[below]);
}

double lab_median(double *values, int32_t count) { return lab_quantile(values, count, 0.5); }

double lab_mean(const double *values, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += values[i];
    return count > 0 ? sum / count : NAN;
}

double lab_relative_spread(const double *values, int32_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return (most - least) / lab_mean(values, count);
}

double lab_slope(const double *x, const double *y, int32_t count)
{
    double mx = lab_mean(x, count), my = lab_mean(y, count), xx = 0.0, xy = 0.0;
    for (int32_t i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / xx;
}

double lab_random(uint64_t *state)
{
    // Vigna's splitmix64.
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}
