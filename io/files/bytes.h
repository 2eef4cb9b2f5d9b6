// Reads and writes numbers in either byte order, independent of the machine.
#ifndef PLI_IO_BYTES_H
#define PLI_IO_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint32_t pli_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float pli_bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void pli_pack_little(unsigned char *to, uint32_t bits)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(bits >> (8 * i));
}

static inline void pli_pack_big(unsigned char *to, uint32_t bits)
{
    for (int i = 0; i < 4; i++)
        to[3 - i] = (unsigned char)(bits >> (8 * i));
}

static inline uint32_t pli_unpack_little(const unsigned char *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint32_t pli_unpack_big(const unsigned char *from)
{
    return (uint32_t)from[3] | (uint32_t)from[2] << 8 | (uint32_t)from[1] << 16 | (uint32_t)from[0] << 24;
}

static inline void pli_put_int_little(FILE *stream, int32_t value)
{
    unsigned char bytes[4];
    pli_pack_little(bytes, (uint32_t)value);
    fwrite(bytes, 1, sizeof bytes, stream);
}

static inline void pli_put_float_little(FILE *stream, float value)
{
    unsigned char bytes[4];
    pli_pack_little(bytes, pli_float_bits(value));
    fwrite(bytes, 1, sizeof bytes, stream);
}

#endif
