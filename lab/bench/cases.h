// The list of cases, and the names of units and layouts.
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "bench/bench.h"

// Which cases are measured.
typedef enum bench_extent { BENCH_QUICK, BENCH_USUAL, BENCH_FULL } bench_extent;

// Returns all cases of an extent, in the order in which they share most. Free with free(); null without memory.
bench_case *bench_cases(bench_extent extent, int32_t *count);

const char *bench_unit_name(bench_unit unit);
const char *bench_layout_name(bench_layout layout);

#endif
