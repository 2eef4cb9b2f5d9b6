// A dress as a newcomer has it: what `pliant new` makes of its mesh, over a body.
#ifndef BENCH_GARMENT_H
#define BENCH_GARMENT_H

#include "bench/scenarios/scenario.h"

// A dress of some 70 * `around` vertices that hangs by its neckline over a body of 12 thousand triangles, which touches it from the
// shoulders to the waist.
pli_status bench_build_garment(bench_live *live, int32_t around, pli_error *error);

#endif
