// Field-by-field byte stream: base/stream.h.
#include "base/stream.h"

#include <math.h>
#include <string.h>

static uint64_t read_bits(const pli_stream *s, size_t width)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++)
        bits |= (uint64_t)s->in[s->at + i] << (8 * i);
    return bits;
}

void pli_pass(pli_stream *s, uint64_t *bits, size_t width)
{
    if (s->mode != PLI_STREAM_MEASURE && s->size - s->at < width)
        s->failed = true;
    if (!s->failed && s->mode == PLI_STREAM_WRITE) {
        for (size_t i = 0; i < width; i++)
            s->out[s->at + i] = (unsigned char)(*bits >> (8 * i));
    } else if (!s->failed && s->mode >= PLI_STREAM_CHECK)
        *bits = read_bits(s, width);
    s->at += s->failed ? 0 : width;
}

void pli_pass_same(pli_stream *s, uint64_t value)
{
    uint64_t read = value;
    pli_pass(s, &read, 8);
    s->failed = s->failed || read != value;
}

// Pass a number and return it, or the one in the buffer, which the check also reads.
static float through_float(pli_stream *s, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t through = bits;
    pli_pass(s, &through, 4);
    bits = (uint32_t)through;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static double through_double(pli_stream *s, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pli_pass(s, &bits, 8);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static bool stores(const pli_stream *s) { return s->mode == PLI_STREAM_READ && !s->failed; }

void pli_pass_float(pli_stream *s, float *value)
{
    const float passed = through_float(s, *value);
    *value = stores(s) ? passed : *value;
}

void pli_pass_double(pli_stream *s, double *value)
{
    const double passed = through_double(s, *value);
    *value = stores(s) ? passed : *value;
}

void pli_pass_integer(pli_stream *s, int32_t *value)
{
    uint64_t bits = (uint32_t)*value;
    pli_pass(s, &bits, 4);
    if (s->mode == PLI_STREAM_READ && !s->failed)
        *value = (int32_t)(uint32_t)bits;
}

int32_t pli_pass_index(pli_stream *s, int32_t value, int32_t low, int32_t high)
{
    uint64_t bits = (uint32_t)value;
    pli_pass(s, &bits, 4);
    int32_t read = (int32_t)(uint32_t)bits;
    if (s->failed || read < low || read > high) {
        s->failed = true;
        return low;
    }
    return read;
}

void pli_pass_finite(pli_stream *s, float *value, float least)
{
    const float passed = through_float(s, *value);
    s->failed = s->failed || (s->mode >= PLI_STREAM_CHECK && !(isfinite(passed) && passed >= least));
    *value = stores(s) ? passed : *value;
}

void pli_pass_finite_double(pli_stream *s, double *value)
{
    const double passed = through_double(s, *value);
    s->failed = s->failed || (s->mode >= PLI_STREAM_CHECK && !isfinite(passed));
    *value = stores(s) ? passed : *value;
}

bool pli_pass_condition(pli_stream *s, bool condition) { return pli_pass_index(s, condition, 0, 1) != 0; }
