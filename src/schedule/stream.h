// The bytes of a snapshot, passed field by field.
#ifndef PLI_SCHEDULE_STREAM_H
#define PLI_SCHEDULE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One pass over the same fields measures, writes, checks or reads them.
typedef enum pli_stream_mode {
    PLI_STREAM_MEASURE,
    PLI_STREAM_WRITE,
    PLI_STREAM_CHECK,
    PLI_STREAM_READ
} pli_stream_mode;

typedef struct pli_stream {
    pli_stream_mode mode;
    unsigned char *out;
    const unsigned char *in;
    size_t at, size;
    bool failed;
    bool out_of_memory; // Memory for what a check lays aside ran out.
    bool whole;         // The snapshot is of something whole that has been cut since.
} pli_stream;

// Passes `width` bytes of *bits, little-endian.
void pli_pass(pli_stream *stream, uint64_t *bits, size_t width);
// A number that must be the same in both worlds.
void pli_pass_same(pli_stream *stream, uint64_t value);
// Values, which a check leaves alone.
void pli_pass_float(pli_stream *stream, float *value);
void pli_pass_double(pli_stream *stream, double *value);
void pli_pass_integer(pli_stream *stream, int32_t *value);
// A count or an index that the check reads too, since what follows depends on it; from low to high.
int32_t pli_pass_index(pli_stream *stream, int32_t value, int32_t low, int32_t high);

#endif
