// Measures of states: distances between shapes, medians, fits, and reproducible random numbers.
#ifndef PLI_LAB_MEASURES_H
#define PLI_LAB_MEASURES_H

#include "base/lab_world.h"

// Root mean square distance of `count` points from `rest` after the best rigid alignment (Horn 1987). 3 floats per
// point.
double lab_shape_distance(const float *rest, const float *positions, int32_t count);
// Angle of that alignment [degrees], 0 to 180: how far a body has turned.
double lab_rotation(const float *rest, const float *positions, int32_t count);
// Root mean square distance of the points from the plane that fits them best.
double lab_flatness(const float *positions, int32_t count);
// Volume enclosed by a closed mesh at these positions.
double lab_volume(const pli_mesh *mesh, const float *positions);
// Mean over the vertices of the absolute discrete mean curvature [1/m].
double lab_mean_curvature(lab *l, const lab_body *body);
// Extent of the points along axis 0, 1 or 2.
double lab_extent(const float *positions, int32_t count, int32_t axis);

// Quantile and median; they sort the values.
double lab_quantile(double *values, int32_t count, double share);
double lab_median(double *values, int32_t count);
double lab_mean(const double *values, int32_t count);
// Difference of the largest and least value, over their mean.
double lab_relative_spread(const double *values, int32_t count);
// Slope of the least-squares line through the points (x, y).
double lab_slope(const double *x, const double *y, int32_t count);

// Uniform random number in [-1, 1); `state` is the seed and is updated.
double lab_random(uint64_t *state);

#endif
