// A 64-bit hash with a fixed definition, equal on machines of either byte order. The multiplier is one of the constants
// of MurmurHash3 (A. Appleby).
#ifndef PLI_BASE_HASH_H
#define PLI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PLI_HASH_START 0x9e3779b97f4a7c15ull

static inline uint64_t pli_hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xff51afd7ed558ccdull;
    return hash ^ (hash >> 32);
}

// Continues `hash` with `size` bytes and their number, for checksums and names.
uint64_t pli_hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
