// A byte stream in which one function passes each field, for measuring, writing, checking and reading: so the four modes cannot disagree
// about the format. Used by snapshots and cooked sets; all integers are little-endian.
#ifndef PLI_BASE_STREAM_H
#define PLI_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MEASURE counts bytes. CHECK reads counts and indices and proves them valid, but leaves values alone: a snapshot is
// checked before it is read, so that reading cannot fail half-way.
typedef enum pli_stream_mode {
    PLI_STREAM_MEASURE,
    PLI_STREAM_WRITE,
    PLI_STREAM_CHECK,
    PLI_STREAM_READ
} pli_stream_mode;

typedef struct pli_stream {
    pli_stream_mode mode;
    unsigned char *out;      // Buffer to write; NULL in other modes.
    const unsigned char *in; // Buffer to read.
    size_t at, size;         // Present offset and size of the buffer [bytes].
    bool failed;             // The buffer is too short, or a value is out of range; later passes do nothing.
    bool out_of_memory;      // Memory ran out for data that the check stages.
    void **staged;           // Arrays that the check has read, in order; reading takes them.
    int32_t staged_count, staged_capacity, staged_at;
    bool whole; // The snapshot contains an uncut deformable that has been cut since.
} pli_stream;

// Passes `width` bytes of *bits, little-endian.
void pli_pass(pli_stream *stream, uint64_t *bits, size_t width);
// Passes a number that must be the same in both worlds.
void pli_pass_same(pli_stream *stream, uint64_t value);
// Pass a value; a check leaves the value alone.
void pli_pass_float(pli_stream *stream, float *value);
void pli_pass_double(pli_stream *stream, double *value);
void pli_pass_integer(pli_stream *stream, int32_t *value);
// Pass a value and check that it is finite, a float also that it is at least `least`. The check reads it into a copy.
void pli_pass_finite(pli_stream *stream, float *value, float least);
void pli_pass_finite_double(pli_stream *stream, double *value);
// Passes a condition: returns it, or the one in the buffer.
bool pli_pass_condition(pli_stream *stream, bool condition);
// Passes a count or an index and returns it. The check also reads it, since later fields depend on it; fails outside of low..high.
int32_t pli_pass_index(pli_stream *stream, int32_t value, int32_t low, int32_t high);

#endif
