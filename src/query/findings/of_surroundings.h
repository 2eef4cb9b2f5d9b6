// Rows of findings about the surroundings of a deformable.
#ifndef PLI_QUERY_FINDINGS_OF_SURROUNDINGS_H
#define PLI_QUERY_FINDINGS_OF_SURROUNDINGS_H

#include "query/findings/findings.h"

void pli_findings_of_inside(pli_finder *finder);
void pli_findings_of_thin(pli_finder *finder);
void pli_findings_of_thickness(pli_finder *finder);
void pli_findings_of_tracking(pli_finder *finder);

#endif
