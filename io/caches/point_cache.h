// PC2 and MDD: point caches, a header and floats. One description serves writing and reading.
#ifndef PLI_IO_POINT_CACHE_H
#define PLI_IO_POINT_CACHE_H

#include "caches/recorder.h"

typedef struct pli_point_format {
    bool big_endian;
    // Bytes before the first frame.
    int64_t (*header_size)(int32_t frame_count);
    // Writes the header from the start of the stream.
    void (*put_header)(FILE *stream, int32_t points, int32_t frames, double frames_per_second);
    // Reads it; false when it is not one.
    bool (*get_header)(FILE *stream, int32_t *points, int32_t *frames, double *frames_per_second);
    bool counts_grow; // The header's count is what has come so far, not what is expected.
} pli_point_format;

extern const pli_point_format pli_point_pc2, pli_point_mdd;

#endif
