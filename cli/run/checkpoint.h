// A state on disk from which a run goes on to the same bits.
#ifndef PLI_CLI_CHECKPOINT_H
#define PLI_CLI_CHECKPOINT_H

#include <pliant/scene.h>

// Writes the world's state after `frame`, through a temporary name and a rename.
pli_status pli_cli_checkpoint_write(const char *path, const pli_scene *scene, const pli_world *world, int32_t frame,
                                    pli_error *error);
// Restores a world just made from the scene. NOT_FOUND when there is no checkpoint; CORRUPT when
// it is damaged or of another scene. After a failure the world is good for nothing but destruction.
pli_status pli_cli_checkpoint_read(const char *path, const pli_scene *scene, pli_world *world, int32_t *frame,
                                   pli_error *error);

#endif
