// Which contacts the user refuses.
#ifndef PLI_WORLD_CONTACT_FILTER_H
#define PLI_WORLD_CONTACT_FILTER_H

#include "model/model.h"

// Takes the contacts of particles out that the user refuses. Each pair is asked once for as long as it is found in every
// substep of a step.
void pli_world_filter_contacts(pli_world *world);
// Before a step.
void pli_world_forget_filter_answers(pli_world *world);

#endif
