// A hash of all inputs of a study's points: different inputs give different points.
#ifndef PLI_CLI_INPUTS_H
#define PLI_CLI_INPUTS_H

#include "sweep/study.h"

// A hash of the scene file, of each file that it, the study's values or a JSON file among these name (meshes, animations, images,
// buffers of a glTF), of the plugins and of this version of Pliant. Unreadable files count as missing: their points fail with a
// message. Numbered files of a sequence are not included, except the named one.
uint64_t pli_cli_inputs_hash(const pli_cli_study *study);

#endif
