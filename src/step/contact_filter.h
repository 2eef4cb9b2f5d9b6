// The user's contact filter.
#ifndef PLI_STEP_CONTACT_FILTER_H
#define PLI_STEP_CONTACT_FILTER_H

#include "model/model.h"

// Removes the particle contacts that the filter rejects. The filter is called once for a pair as long as consecutive
// substeps of a step find it.
void pli_world_filter_contacts(pli_world *world);

#endif
