// Shared by all property tests: checks that print both values and go on, random numbers that are the same everywhere,
// and vectors in double.
#ifndef PLIANT_TESTS_PROPERTY_H
#define PLIANT_TESTS_PROPERTY_H

#include "pliant/pliant.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) ((int32_t)(sizeof(array) / sizeof *(array)))
#define UNUSED __attribute__((unused))

// Long tests do part of their work under sanitizers, which look at what is done rather than how often and take ten times
// as long, and where PLIANT_QUICK is set (make check).
static UNUSED bool shortened(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return getenv("PLIANT_QUICK") != NULL;
#endif
}

/* ---- checks ---------------------------------------------------------------------------------- */

enum { FAILURES_SHOWN = 12 };

static int32_t failure_count;
static uint64_t random_state;

__attribute__((format(printf, 1, 2))) static void failed(const char *format, ...)
{
    failure_count++;
    if (failure_count > FAILURES_SHOWN)
        return;
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
}

// Fails unless |value - expected| <= tolerance. The rest names what was compared.
#define near(value, expected, tolerance, ...)                                                                          \
    do {                                                                                                               \
        double near_value = (value), near_expected = (expected), near_tolerance = (tolerance);                         \
        if (!(fabs(near_value - near_expected) <= near_tolerance)) {                                                   \
            char near_what[200];                                                                                       \
            snprintf(near_what, sizeof near_what, __VA_ARGS__);                                                        \
            failed("%s:%d: %s: %.9g, expected %.9g within %g\n", __func__, __LINE__, near_what, near_value,            \
                   near_expected, near_tolerance);                                                                     \
        }                                                                                                              \
    } while (0)

#define holds(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            char holds_what[300];                                                                                      \
            snprintf(holds_what, sizeof holds_what, __VA_ARGS__);                                                      \
            failed("%s:%d: %s: not %s\n", __func__, __LINE__, holds_what, #condition);                                 \
        }                                                                                                              \
    } while (0)

// For calls that must work before anything else makes sense.
#define must(call)                                                                                                     \
    do {                                                                                                               \
        pli_status must_status = (call);                                                                               \
        if (must_status)                                                                                               \
            fail_msg("%s: %s: %s", #call, pli_status_name(must_status), problem.message);                              \
    } while (0)

static UNUSED pli_error problem;

static int checks_begin(void **state)
{
    (void)state;
    failure_count = 0;
    random_state = 20100615;
    return 0;
}

static int checks_end(void **state)
{
    (void)state;
    if (failure_count > FAILURES_SHOWN)
        print_error("and %d more\n", (int)(failure_count - FAILURES_SHOWN));
    return failure_count ? -1 : 0;
}

#define property(function) cmocka_unit_test_setup_teardown(function, checks_begin, checks_end)

/* ---- random numbers -------------------------------------------------------------------------- */

static UNUSED uint32_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

static UNUSED double uniform(double low, double high)
{
    return low + (high - low) * (double)random_bits() / 2147483648.0;
}

static UNUSED int32_t below(int32_t count) { return (int32_t)(random_bits() % (uint32_t)count); }

/* ---- vectors --------------------------------------------------------------------------------- */

typedef struct vec {
    double x, y, z;
} vec;

static UNUSED vec vec_of(const double *p) { return (vec){p[0], p[1], p[2]}; }
static UNUSED vec vec_of_floats(const float *p) { return (vec){(double)p[0], (double)p[1], (double)p[2]}; }
static UNUSED vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static UNUSED vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static UNUSED vec scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static UNUSED double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static UNUSED double length(vec a) { return sqrt(dot(a, a)); }
static UNUSED double distance(vec a, vec b) { return length(sub(a, b)); }
static UNUSED vec unit(vec a) { return scale(a, 1.0 / length(a)); }

static UNUSED vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static UNUSED vec random_vec(double size)
{
    double x = uniform(-size, size), y = uniform(-size, size);
    return (vec){x, y, uniform(-size, size)};
}

// Turns v about a unit axis (Rodrigues).
static UNUSED vec turned(vec v, vec axis, double angle)
{
    vec along = scale(axis, dot(axis, v) * (1.0 - cos(angle)));
    return add(add(scale(v, cos(angle)), scale(cross(axis, v), sin(angle))), along);
}

static UNUSED pli_vec3 to_vec3(vec v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

static UNUSED pli_quat quat_about(vec axis, double angle)
{
    vec a = scale(unit(axis), sin(0.5 * angle));
    return (pli_quat){(float)a.x, (float)a.y, (float)a.z, (float)cos(0.5 * angle)};
}

#endif
