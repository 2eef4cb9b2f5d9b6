// Checkpoints: a state on disk from which a run resumes bit-identically.
#ifndef PLI_CLI_CHECKPOINT_H
#define PLI_CLI_CHECKPOINT_H

#include "sources/plugins.h"

#include <pliant/scene.h>

// Writes the world's state after `frame` and the plugins that it needs, through a temporary name and a rename.
pli_status pli_cli_checkpoint_write(const char *path, const pli_scene *scene, const pli_cli_plugins *plugins,
                                    const pli_world *world, int32_t frame, pli_error *error);
// Checks the plugins against a checkpoint: INVALID_ARGUMENT names a plugin that is missing or has different content. OK also for a
// missing or damaged file, which pli_cli_checkpoint_read reports. Called before the scene is loaded, since loading fails without the
// plugin's types.
pli_status pli_cli_checkpoint_check_plugins(const char *path, const pli_cli_plugins *plugins, pli_error *error);
// Restores a newly created world of the scene. NOT_FOUND when there is no checkpoint; CORRUPT when
// it is damaged or belongs to another scene. After a failure the world may only be destroyed.
pli_status pli_cli_checkpoint_read(const char *path, const pli_scene *scene, pli_world *world, int32_t *frame,
                                   pli_error *error);

#endif
