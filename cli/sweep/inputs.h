// A hash of everything that a study's points are computed from: other inputs are other points.
#ifndef PLI_CLI_INPUTS_H
#define PLI_CLI_INPUTS_H

#include "sweep/study.h"

// A hash of the scene file, of each file that it, the study's values or a JSON file among these name (meshes, animations, images, buffers
// of a glTF), of the plugins and of this version of Pliant. Files that cannot be read count as missing: their points fail with a message.
// Not in it: numbered files of a sequence but the one that is named.
uint64_t pli_cli_inputs_hash(const pli_cli_study *study);

#endif
