// Hashes of bytes: little-endian words of eight bytes, the last one padded with zeros.
#include "base/hash.h"

uint64_t pli_hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    hash = pli_hash_mix(hash, size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < size; j++)
            word |= (uint64_t)bytes[i + j] << (8 * j);
        hash = pli_hash_mix(hash, word);
    }
    return hash;
}
