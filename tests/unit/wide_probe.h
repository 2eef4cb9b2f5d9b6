// Every operation of base/simd/wide.h on 16 floats, compiled once for each back end.
#ifndef PLIANT_TESTS_WIDE_PROBE_H
#define PLIANT_TESTS_WIDE_PROBE_H

#include "base/simd/wide.h"

// clang-format off
#define PROBE_OPERATIONS(X)                                                                                            \
    X(plus) X(minus) X(times) X(over) X(negative) X(root) X(least) X(most) X(size) X(select_less) X(select_both)       \
    X(select_either) X(inverse_above) X(angle) X(load_x) X(load_y) X(load_z) X(load_w) X(part) X(loaded_part) X(indexed) \
    X(select_not) X(bits) X(bundle_x) X(bundle_y) X(bundle_z) X(bundle_w)        \
    X(block_x) X(block_y) X(block_z) X(block_w)
#define PROBE_QUADS(X) X(quads_plus) X(quads_minus) X(quads_times) X(quads_kept_w) X(quads_moving) X(quads_least)    \
    X(quads_most) X(quads_taken) X(stored) X(bundled) X(paired)
// clang-format on

enum { PROBE_LANES = 16, PROBE_PARTICLES = 40 };

typedef struct probe_input {
    float a[PROBE_LANES], b[PROBE_LANES], c[PROBE_LANES];
    _Alignas(16) pli_particle p[PROBE_PARTICLES], q[PROBE_PARTICLES]; // As bundles need them.
    int32_t index[PROBE_LANES];                                       // Into p; all different.
    pli_index places[PROBE_LANES];                                    // The same.
} probe_input;

#define LANES_OF(name) float name[PROBE_LANES];
#define PARTICLES_OF(name) _Alignas(16) pli_particle name[PROBE_PARTICLES];
typedef struct probe_output {
    PROBE_OPERATIONS(LANES_OF)
    PROBE_QUADS(PARTICLES_OF)
} probe_output;

typedef void (*probe)(const probe_input *in, probe_output *out);

// Each back end's probe enrols itself before main.
void probe_enrol(const char *backend, probe run);

#endif
