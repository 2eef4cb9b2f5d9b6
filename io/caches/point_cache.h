// Descriptions of the point caches PC2 and MDD, a header followed by floats, for both writing and reading.
#ifndef PLI_IO_POINT_CACHE_H
#define PLI_IO_POINT_CACHE_H

#include "caches/recorder.h"

typedef struct pli_point_format {
    bool big_endian;
    // Size of the header in bytes.
    int64_t (*header_size)(int32_t frame_count);
    // Writes the header at the start of the stream.
    void (*put_header)(FILE *stream, int32_t points, int32_t frames, double frames_per_second);
    // Reads the header; false when it is not of this format.
    bool (*get_header)(FILE *stream, int32_t *points, int32_t *frames, double *frames_per_second);
    bool counts_grow; // Whether the header counts the frames written so far instead of the expected ones.
} pli_point_format;

extern const pli_point_format pli_point_pc2, pli_point_mdd;

#endif
