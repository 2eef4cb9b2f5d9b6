// Checkpoints: a state on disk from which a run resumes bit-identically.
#ifndef PLI_CLI_CHECKPOINT_H
#define PLI_CLI_CHECKPOINT_H

#include "sources/plugins.h"

#include <pliant/scene.h>

// Writes the world's state after `frame` and which plugins made it, through a temporary name and a rename.
pli_status pli_cli_checkpoint_write(const char *path, const pli_scene *scene, const pli_cli_plugins *plugins,
                                    const pli_world *world, int32_t frame, pli_error *error);
// Whether the plugins are those of a checkpoint: INVALID_ARGUMENT names one that is missing or has other content. OK also for a file
// that is not there or damaged, which pli_cli_checkpoint_read tells. Asked before the scene is loaded, which fails without its types.
pli_status pli_cli_checkpoint_check_plugins(const char *path, const pli_cli_plugins *plugins, pli_error *error);
// Restores a newly created world of the scene. NOT_FOUND when there is no checkpoint; CORRUPT when
// it is damaged or belongs to another scene. After a failure the world may only be destroyed.
pli_status pli_cli_checkpoint_read(const char *path, const pli_scene *scene, pli_world *world, int32_t *frame,
                                   pli_error *error);

#endif
