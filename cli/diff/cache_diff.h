// Compares two recordings, frame by frame.
#ifndef PLI_CLI_CACHE_DIFF_H
#define PLI_CLI_CACHE_DIFF_H

#include "diff/difference.h"

#include <pliant/base.h>

// Reads at most `frame_limit` frames of both (below 0: all), up to the first one that differs.
pli_status pli_cli_cache_diff(const char *a, const char *b, int32_t frame_limit, pli_cli_difference *difference,
                              pli_error *error);

#endif
