// The user's contact filter.
#ifndef PLI_WORLD_CONTACT_FILTER_H
#define PLI_WORLD_CONTACT_FILTER_H

#include "model/model.h"

// Removes the particle contacts that the user refuses. A pair is asked once as long as it is found in consecutive
// substeps of a step.
void pli_world_filter_contacts(pli_world *world);
// Forgets all answers, before a step.
void pli_world_forget_filter_answers(pli_world *world);

#endif
