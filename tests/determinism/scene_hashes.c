// The program that lab/tools/determinism-matrix runs in every build: it prints a scene's state hash after some frames, from its start or from a snapshot of a later
// frame, and the same with the world thrown away and restored on the way. It needs files and the scene library, and no test library,
// so that it runs wherever these do.
//
//   scene_hashes SCENE FRAMES [simd=NAME] [threads=N] [restore=N] [from=FILE] [save=FILE]
//
// Prints the hash after FRAMES frames. restore=N makes a new world from a snapshot at every N-th frame; from=FILE begins with the snapshot
// that save=FILE wrote behind a run's last frame.
#include <pliant/pliant.h>
#include <pliant/scene.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct asked {
    const char *scene, *from, *save;
    int32_t frames, restore;
    pli_scene_world_def def;
} asked;

static pli_error error;

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "scene_hashes: %s\n", error.message[0] ? error.message : "no memory");
        exit(1);
    }
    return memory;
}

static void must(pli_status status)
{
    if (status) {
        fprintf(stderr, "scene_hashes: %s: %s\n", pli_status_name(status), error.message);
        exit(status == PLI_STATUS_UNSUPPORTED ? 3 : 1);
    }
}

static bool read_option(asked *a, const char *word)
{
    const char *value = strchr(word, '=');
    if (!value)
        return false;
    const size_t length = (size_t)(value++ - word);
    const bool numbered = value[0] >= '0' && value[0] <= '9';
    if (strncmp(word, "simd", length) == 0)
        return (a->def.simd = (pli_simd)pli_choice_value("simd", value)) < PLI_SIMD_COUNT;
    if (strncmp(word, "threads", length) == 0)
        return numbered && (a->def.thread_count = atoi(value)) > 0;
    if (strncmp(word, "restore", length) == 0)
        return numbered && (a->restore = atoi(value)) > 0;
    if (strncmp(word, "from", length) == 0)
        return (a->from = value)[0] != '\0';
    return strncmp(word, "save", length) == 0 && (a->save = value)[0] != '\0';
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = must_have(fopen(path, "rb"));
    fseek(file, 0, SEEK_END);
    const long end = ftell(file);
    *size = end > 0 ? (size_t)end : 0;
    rewind(file);
    void *bytes = must_have(malloc(*size + 1));
    if (fread(bytes, 1, *size, file) != *size)
        must(PLI_STATUS_FILE);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = must_have(fopen(path, "wb"));
    if (fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        must(PLI_STATUS_FILE);
}

static void *snapshot_of(const pli_world *world, size_t *size)
{
    *size = pli_world_snapshot_size(world);
    void *bytes = must_have(malloc(*size));
    must(pli_world_snapshot_write(world, bytes, *size, &error));
    return bytes;
}

// A new world of the scene in the state of a snapshot.
static pli_world *restored(const pli_scene *scene, const asked *a, const void *bytes, size_t size, int32_t frame)
{
    pli_world *world;
    must(pli_scene_create_world(scene, &a->def, &world, &error));
    must(pli_scene_seek(scene, world, frame, &error));
    must(pli_world_snapshot_read(world, bytes, size, &error));
    return world;
}

int main(int argc, char **argv)
{
    asked a = {.def = pli_scene_world_def_default()};
    bool good = argc >= 3 && (a.frames = atoi(argv[2])) >= 0;
    a.def.thread_count = 1;
    for (int i = 3; i < argc; i++)
        good = good && read_option(&a, argv[i]);
    if (!good) {
        fprintf(stderr,
                "usage: scene_hashes SCENE FRAMES [simd=NAME] [threads=N] [restore=N] [from=FILE] [save=FILE]\n");
        return 2;
    }
    pli_scene_load_def load = pli_scene_load_def_default();
    load.path = argv[1];
    pli_scene *scene;
    must(pli_scene_load(&load, &scene, &error));
    pli_world *world;
    must(pli_scene_create_world(scene, &a.def, &world, &error));
    size_t size = 0;
    if (a.from) {
        void *bytes = read_file(a.from, &size);
        must(pli_world_snapshot_read(world, bytes, size, &error));
        const int32_t frame = (int32_t)pli_world_step_count(world);
        pli_world_destroy(world);
        world = restored(scene, &a, bytes, size, frame);
        free(bytes);
    }
    const int32_t first = (int32_t)pli_world_step_count(world);
    for (int32_t frame = first; frame < first + a.frames; frame++) {
        if (a.restore && frame > first && (frame - first) % a.restore == 0) {
            void *bytes = snapshot_of(world, &size);
            pli_world_destroy(world);
            world = restored(scene, &a, bytes, size, frame);
            free(bytes);
        }
        must(pli_scene_step(scene, world, frame, &error));
    }
    if (a.save) {
        void *bytes = snapshot_of(world, &size);
        write_file(a.save, bytes, size);
        free(bytes);
    }
    printf("%016" PRIx64 "\n", pli_world_hash(world));
    pli_world_destroy(world);
    pli_scene_destroy(scene);
    return 0;
}
