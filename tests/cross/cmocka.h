// Stands in for cmocka on processors that it is not packaged for: what our tests use of it, and no more.
// A failed assertion ends the program. CROSS_TEST in the environment names the one test to run.
#ifndef PLIANT_TESTS_CROSS_CMOCKA_H
#define PLIANT_TESTS_CROSS_CMOCKA_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*cross_fixture)(void **state);

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    cross_fixture setup, teardown;
};

#define cmocka_unit_test(f)                                                                                            \
    {                                                                                                                  \
#f, f, NULL, NULL                                                                                              \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                                            \
    {                                                                                                                  \
#f, f, setup, teardown                                                                                         \
    }
#define cmocka_run_group_tests(tests, setup, teardown) cross_run(tests, sizeof(tests) / sizeof *(tests))

static inline int cross_run(const struct CMUnitTest *tests, size_t count)
{
    int failures = 0, runs = 0;
    void *state = NULL;
    const char *only = getenv("CROSS_TEST");
    for (size_t i = 0; i < count; i++) {
        if (only && strcmp(only, tests[i].name) != 0)
            continue;
        runs++;
        printf("%s\n", tests[i].name);
        fflush(stdout);
        if (tests[i].setup && tests[i].setup(&state) != 0)
            failures++;
        tests[i].run(&state);
        if (tests[i].teardown && tests[i].teardown(&state) != 0)
            failures++;
    }
    printf("%d of %d tests failed\n", failures, runs);
    return failures > 0 || runs == 0;
}

#define vprint_error(format, arguments) vfprintf(stderr, format, arguments)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__), fflush(stdout)
#define fail_msg(...)                                                                                                  \
    do {                                                                                                               \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                                \
        fprintf(stderr, __VA_ARGS__);                                                                                  \
        fprintf(stderr, "\n");                                                                                         \
        exit(1);                                                                                                       \
    } while (0)

#define assert_true(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("not %s", #condition);                                                                            \
    } while (0)
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_float_equal(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (double)(tolerance))

#endif
