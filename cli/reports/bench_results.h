// Results of the benchmark as JSON objects, and as CSV with the machine described in its head. Both are
// written and read by their column names, so that those of other programs (bench/peers) compare as well.
#ifndef PLI_CLI_BENCH_RESULTS_H
#define PLI_CLI_BENCH_RESULTS_H

#include <bench.h>

#include <jansson.h>

// {"machine": {...}, "cases": []} for this machine. The caller owns it.
json_t *pli_cli_bench_document(void);
// Adds a case; returns its object, borrowed.
json_t *pli_cli_bench_add(json_t *document, const bench_case *item, const bench_figure *figure);
pli_status pli_cli_bench_write_csv(const json_t *document, const char *path, pli_error *error);

// Reads a document from CSV or JSON. Null with the error.
json_t *pli_cli_bench_read(const char *path, pli_error *error);
// The case of that name, or null. Borrowed.
json_t *pli_cli_bench_find(const json_t *document, const char *name);

// Puts "earlier", "change" (now over earlier), "change_of_ratio" (the same of figures over their limits) and
// "verdict" ("faster", "slower", "within the spread") into a case.
void pli_cli_bench_compare(json_t *now, const json_t *earlier);

#endif
