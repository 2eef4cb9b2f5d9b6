// Findings about a world (pliant/check.h): each row of the table looks for one kind. A kind is a constant, a row, and a function.
#ifndef PLI_QUERY_FINDINGS_FINDINGS_H
#define PLI_QUERY_FINDINGS_FINDINGS_H

#include "model/model.h"
#include "pliant/check.h"

typedef struct pli_finder {
    pli_world *world;
    double dt; // Length of the coming steps [s].
    bool
        quick; // At the first step: rows skip checks that take longer than a pass over the vertices, and problems that the step reports.
    // Whether findings are added to the world's list; the first finding, and the number of findings.
    bool keeps;
    pli_finding first;
    int32_t count;
    bool out_of_memory;
} pli_finder;

// Adds a finding, with the text that `format` makes.
void pli_finding_add(pli_finder *finder, const pli_finding *finding, const char *format, ...) PLI_PRINTF(3, 4);
// Returns a finding of this kind about deformable i.
pli_finding pli_finding_about(const pli_world *world, int32_t i, pli_finding_kind kind);
// The name of a deformable or a collider in texts; `text` has room for generated names.
typedef char pli_name_buffer[80];
const char *pli_finding_name(const pli_world *world, int32_t i, pli_name_buffer text);
const char *pli_finding_collider_name(const pli_world *world, int32_t i, pli_name_buffer text);

// Logs the first finding and the number of others, once per world, at the start of its first step of dt seconds.
void pli_world_advise(pli_world *world, double dt);

#endif
