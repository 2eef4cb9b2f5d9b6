// Signs of determinants of float coordinates, without rounding. Axes are 0 (x), 1 (y) and 2 (z).
#ifndef PLI_CLI_EXACT_SIGN_H
#define PLI_CLI_EXACT_SIGN_H

// The side of d relative to the plane of a, b, c: +1 on the side from which they run counter-clockwise, -1 on the other, 0 in the
// plane. All coordinates must be finite.
int pli_cli_side_of_plane(const float *a, const float *b, const float *c, const float *d);
// The side of c seen along the third axis: +1 left of the line from a to b (`first` to the right,
// `second` up), -1 right of it, 0 on it.
int pli_cli_side_of_line(const float *a, const float *b, const float *c, int first, int second);

#endif
