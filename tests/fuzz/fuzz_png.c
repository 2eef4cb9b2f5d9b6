// Any bytes as an image, and as the image that a scene paints with over texture coordinates, over an image without them, and as a look.
#include "files/png.h"

#include <pliant/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct files {
    const uint8_t *data;
    size_t size;
} files;

static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 2.5 1\nvt -1e30 1\n"
                           "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";

static bool read_file(void *user, const char *path, const void **data, size_t *size)
{
    const files *f = user;
    const bool is_mesh = strcmp(path, "a.obj") == 0;
    *data = is_mesh ? (const void *)mesh : f->data;
    *size = is_mesh ? sizeof mesh - 1 : f->size;
    return true;
}

static void silent(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

static void load(const files *f, const char *faces)
{
    static const char form[] =
        "{\"pliant\": 1, \"deformables\": [{\"mesh\": {%s}, \"density\": 0.2, \"look\": {\"image\": \"a.png\"},"
        " \"painted\": {\"density\": {\"image\": \"a.png\", \"range\": [0.1, 1]}},"
        " \"constraints\": [{\"type\": \"distance\"}]}]}";
    char text[sizeof form + 80];
    pli_file_source source = {.user = (void *)(uintptr_t)f, .read = read_file};
    pli_scene_load_def def = pli_scene_load_def_default();
    pli_scene_world_def world_def = pli_scene_world_def_default();
    pli_scene *scene = NULL;
    pli_world *world = NULL;
    snprintf(text, sizeof text, form, faces);
    def.text = text, def.text_size = strlen(text);
    def.files = &source;
    def.hooks.log = silent;
    world_def.thread_count = 1;
    if (pli_scene_load(&def, &scene, NULL) == PLI_STATUS_OK)
        pli_scene_create_world(scene, &world_def, &world, NULL);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const files f = {data, size};
    pli_image image = {0};
    if (pli_png_decode(data, size, &image, NULL) != PLI_STATUS_OK)
        return 0;
    const size_t count = (size_t)image.channels * (size_t)image.width * (size_t)image.height;
    for (size_t i = 0; i < count; i++)
        if (!(image.values[i] >= 0.0f && image.values[i] <= 1.0f))
            abort();
    free(image.values);
    if (count > 1 << 16)
        return 0;
    load(&f, "\"file\": \"a.obj\"");
    load(&f, "\"grid\": {\"columns\": 3, \"rows\": 3}");
    return 0;
}
