// Any bytes as a scene file: loaded, and when it loads, made into a world and stepped once.
#define _GNU_SOURCE
#include <pliant/scene.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void silent(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int handle = memfd_create("scene", 0);
    if (handle < 0 || write(handle, data, size) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    pli_scene_diagnostic messages[4];
    pli_scene_load_def def = pli_scene_load_def_default();
    def.path = path;
    def.diagnostics = messages;
    def.diagnostic_capacity = 4;
    def.hooks.log = silent;
    def.vertex_limit = 4000; // Frames of more take a minute with sanitizers.
    pli_scene *scene = NULL;
    pli_error error;
    const pli_status status = pli_scene_load(&def, &scene, &error);
    if (status == PLI_STATUS_OUT_OF_MEMORY) // A mistake in the text was taken for it.
        abort();
    if (status == PLI_STATUS_OK) {
        pli_scene_world_def world_def = pli_scene_world_def_default();
        pli_world *world = NULL;
        world_def.thread_count = 1;
        if (pli_scene_create_world(scene, &world_def, &world, &error) == PLI_STATUS_OK) {
            pli_statistics statistics;
            pli_world_get_statistics(world, &statistics);
            pli_settings settings = pli_world_settings(world);
            if ((int64_t)statistics.particle_count * settings.substeps * settings.iterations < 2000000)
                pli_scene_step(scene, world, 0, &error);
        }
        pli_world_destroy(world);
    }
    pli_scene_destroy(scene);
    close(handle);
    return 0;
}
