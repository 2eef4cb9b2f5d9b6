// Rows of findings about loads and stiffness.
#ifndef PLI_QUERY_FINDINGS_OF_STIFFNESS_H
#define PLI_QUERY_FINDINGS_OF_STIFFNESS_H

#include "query/findings/findings.h"

void pli_findings_of_loads(pli_finder *finder);
void pli_findings_of_weight(pli_finder *finder);
void pli_findings_of_bending(pli_finder *finder);
void pli_findings_of_creases(pli_finder *finder);

#endif
