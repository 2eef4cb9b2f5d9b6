// The machine and the build that figures belong to.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

// A fact is a pair of a key and a value.
enum { BENCH_FACTS = 10, BENCH_FACT_MAX = 160 };
typedef struct bench_fact {
    const char *key;
    char value[BENCH_FACT_MAX];
} bench_fact;
// Writes BENCH_FACTS facts.
void bench_describe(bench_fact *facts);

#endif
