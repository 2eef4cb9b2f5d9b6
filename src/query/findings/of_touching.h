// The row of findings about touching surfaces.
#ifndef PLI_QUERY_FINDINGS_OF_TOUCHING_H
#define PLI_QUERY_FINDINGS_OF_TOUCHING_H

#include "query/findings/findings.h"

void pli_findings_of_touching(pli_finder *finder);

#endif
