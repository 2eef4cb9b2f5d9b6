// Results of the benchmark as JSON objects, and as CSV with a description of the machine in its header. Both are written and read by
// column names, so that results of other programs (lab/bench/peers) can be compared too.
#ifndef PLI_LAB_BENCH_RESULTS_H
#define PLI_LAB_BENCH_RESULTS_H

#include "bench/bench.h"

#include <jansson.h>

// {"machine": {...}, "cases": []} for this machine. The caller owns it.
json_t *pli_lab_bench_document(void);
// Adds a case; returns its object, borrowed.
json_t *pli_lab_bench_add(json_t *document, const bench_case *item, const bench_figure *figure);
pli_status pli_lab_bench_write_csv(const json_t *document, const char *path, pli_error *error);

// Reads a document from CSV or JSON. Returns null with the error.
json_t *pli_lab_bench_read(const char *path, pli_error *error);
// The case of that name, or null. Borrowed.
json_t *pli_lab_bench_find(const json_t *document, const char *name);

// Adds "earlier", "change" (current over earlier), "change_of_ratio" (the same for figures divided by their limits) and "verdict"
// ("faster", "slower", "within the spread") to a case.
void pli_lab_bench_compare(json_t *now, const json_t *earlier);

#endif
