// Settings of a world.
#ifndef PLI_MODEL_SETTINGS_H
#define PLI_MODEL_SETTINGS_H

#include "pliant/world.h"

// Fails for settings out of range.
pli_status pli_settings_check(const pli_settings *settings, pli_error *error);

#endif
