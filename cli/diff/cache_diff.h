// Comparing two recordings, frame by frame.
#ifndef PLI_CLI_CACHE_DIFF_H
#define PLI_CLI_CACHE_DIFF_H

#include "diff/difference.h"

#include <pliant/base.h>

// Reads both up to the first frame that differs, of which there are at most `frame_limit`; below 0 for all.
pli_status pli_cli_cache_diff(const char *a, const char *b, int32_t frame_limit, pli_cli_difference *difference,
                              pli_error *error);

#endif
