// Kinds of measurement: a frame, a projection, the creation of a world and of a mesh.
#ifndef BENCH_MEASURE_KINDS_H
#define BENCH_MEASURE_KINDS_H

#include "bench/bench.h"

// Measures one case. False with the error, which is CANCELLED when `cancelled` returned true.
bool bench_measure(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

// The functions that a case points to, one for each kind of measurement.
bool bench_measure_projection(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
// Measures the contact search of a frame, per vertex.
bool bench_measure_contacts(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_frame(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
// Measures frames one by one, and the strain of all edges as a root mean square over them; the warm-up has as many frames.
enum { BENCH_STRAIN_FRAMES = 60 };
bool bench_measure_strain(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_cooking(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_reading(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_mesh(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

#endif
