// The smaller build looks for no findings: these definitions come before those of the library, which are then not linked.
#include "query/findings/findings.h"

#include "base/error.h"

pli_status pli_world_check(pli_world *world, double dt, int32_t *count, pli_error *error)
{
    (void)world, (void)dt;
    *count = 0;
    return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the smaller build checks no worlds: load() without `slim`");
}

const pli_finding *pli_world_finding_at(const pli_world *world, int32_t i)
{
    (void)world, (void)i;
    return NULL;
}

void pli_world_set_advice(pli_world *world, bool advice) { (void)world, (void)advice; }

void pli_world_advise(pli_world *world, double dt) { (void)world, (void)dt; }
