// Scenes that come from memory: the text, a source of files, meshes of the host. The same scene from the disk is the
// reference: its worlds have the same states.
#define _GNU_SOURCE
#include <pliant/cache.h>
#include <pliant/mesh_file.h>
#include <pliant/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILES_MAX = 8 };

// Files in memory, and how they were asked for.
typedef struct archive {
    const char *names[FILES_MAX];
    const void *contents[FILES_MAX];
    size_t sizes[FILES_MAX];
    int count, asked, open;
    char last[200];
} archive;

static bool read_file(void *user, const char *name, const void **data, size_t *size)
{
    archive *a = user;
    a->asked++;
    snprintf(a->last, sizeof a->last, "%s", name);
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->names[i], name) == 0) {
            *data = a->contents[i];
            *size = a->sizes[i];
            a->open++;
            return true;
        }
    return false;
}

static void release_file(void *user, const void *data, size_t size)
{
    archive *a = user;
    for (int i = 0; i < a->count; i++)
        if (a->contents[i] == data && a->sizes[i] == size) {
            a->open--;
            return;
        }
    fail_msg("what is released was not given");
}

static void add_file(archive *a, const char *name, const void *content, size_t size)
{
    a->names[a->count] = name;
    a->contents[a->count] = content;
    a->sizes[a->count++] = size;
}

static const char square[] = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n";

#define SCENE(mesh)                                                                                                    \
    "{\"pliant\": 1, \"deformables\": [{\"mesh\": {" mesh "}, \"constraints\": [{\"type\": \"distance\"}]}]}"

static uint64_t run(const pli_scene *scene)
{
    pli_error error = {0};
    pli_world *world;
    pli_scene_world_def def = pli_scene_world_def_default();
    def.thread_count = 1;
    if (pli_scene_create_world(scene, &def, &world, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    for (int32_t frame = 0; frame < 5; frame++)
        assert_int_equal(pli_scene_step(scene, world, frame, &error), PLI_STATUS_OK);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static uint64_t load_and_run(const pli_scene_load_def *def, uint64_t *scene_hash)
{
    pli_error error = {0};
    pli_scene *scene;
    if (pli_scene_load(def, &scene, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    uint64_t hash = run(scene);
    *scene_hash = pli_scene_hash(scene);
    pli_scene_destroy(scene);
    return hash;
}

#ifndef __wasm__ // Tests there have no disk.
static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void scenes_are_the_same_from_everywhere(void **state)
{
    (void)state;
    static const char text[] = SCENE("\"file\": \"meshes/square.obj\"");
    char folder[] = "/tmp/pliant-sources-XXXXXX", path[100], mesh[100], command[150];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir %s/meshes", folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/scene.json", folder);
    snprintf(mesh, sizeof mesh, "%s/meshes/square.obj", folder);
    put(path, text);
    put(mesh, square);
    archive files = {0};
    add_file(&files, "scenes/scene.json", text, sizeof text - 1);
    add_file(&files, "scenes/meshes/square.obj", square, sizeof square - 1);
    const pli_file_source source = {read_file, release_file, &files};
    uint64_t reference, hash, expected;

    pli_scene_load_def def = pli_scene_load_def_default();
    def.path = path; // All from the disk.
    expected = load_and_run(&def, &reference);
    def.text = text; // The text from memory, its file from the disk.
    def.text_size = sizeof text - 1;
    assert_true(load_and_run(&def, &hash) == expected && hash == reference);
    def.path = "scenes/scene.json"; // All from the source.
    def.files = &source;
    def.text = NULL;
    assert_true(load_and_run(&def, &hash) == expected && hash == reference);
    assert_int_equal(files.asked, 2);
    assert_int_equal(files.open, 0);
    def.text = text; // The text from memory, its file from the source, by a path from the top.
    def.path = NULL;
    files.names[1] = "meshes/square.obj";
    assert_true(load_and_run(&def, &hash) == expected && hash == reference);
    assert_int_equal(files.asked, 3);
    assert_int_equal(files.open, 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}
#endif

static void names_do_not_leave_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *file, *asked; // NULL: not asked for.
    } cases[] = {
        {"a.obj", "in/a.obj"},      {"./b/.././a.obj", "in/a.obj"}, {"../a.obj", "a.obj"},
        {"../../a.obj", NULL},      {"b/../../../a.obj", NULL},     {"/a.obj", NULL},
        {"b\\\\..\\\\a.obj", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        archive files = {0};
        const pli_file_source source = {read_file, release_file, &files};
        pli_error error = {0};
        pli_scene *scene;
        snprintf(text, sizeof text, SCENE("\"file\": \"%s\""), cases[i].file);
        pli_scene_load_def def = pli_scene_load_def_default();
        def.path = "in/scene.json";
        def.text = text;
        def.text_size = strlen(text);
        def.files = &source;
        assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_FILE);
        if (strcmp(files.last, cases[i].asked ? cases[i].asked : "") != 0)
            fail_msg("'%s' asks for '%s': %s", cases[i].file, files.last, error.message);
        assert_non_null(strstr(error.message, cases[i].asked ? "has no" : "outside"));
        assert_non_null(strstr(error.message, "in/scene.json:1:"));
    }
}

static void meshes_of_the_host_are_used_by_name(void **state)
{
    (void)state;
    static const char named[] = SCENE("\"name\": \"cape\""), made[] = SCENE("\"grid\": {\"columns\": 7, \"rows\": 5}");
    pli_mesh *cape;
    assert_int_equal(pli_mesh_create_grid(7, 5, 1, 1, PLI_GRID_ALTERNATING, &cape, NULL), PLI_STATUS_OK);
    const pli_scene_host_mesh meshes[] = {{"other", NULL}, {"cape", cape}};
    uint64_t hash, scene_hash;
    pli_error error = {0};
    pli_scene *scene;
    pli_scene_load_def def = pli_scene_load_def_default();
    def.text = made;
    def.text_size = sizeof made - 1;
    hash = load_and_run(&def, &scene_hash);
    def.text = named;
    def.text_size = sizeof named - 1;
    assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "'cape'"));
    assert_non_null(strstr(error.message, "scene:1:"));
    def.meshes = meshes;
    def.mesh_count = 2;
    assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_OK);
    pli_mesh_destroy(cape); // The scene has a reference of its own.
    assert_true(pli_scene_mesh(scene, 0) == cape);
    assert_null(pli_scene_mesh(scene, 1));
    assert_null(pli_scene_mesh_attributes(scene, 0));
    assert_true(run(scene) == hash);
    pli_scene_destroy(scene);
}

static void attributes_come_with_the_scene(void **state)
{
    (void)state;
    static const char text[] = SCENE("\"file\": \"square.obj\", \"weld\": true");
    archive files = {0};
    add_file(&files, "square.obj", square, sizeof square - 1);
    const pli_file_source source = {read_file, NULL, &files};
    pli_error error = {0};
    pli_scene *scene;
    pli_scene_load_def def = pli_scene_load_def_default();
    def.text = text;
    def.text_size = sizeof text - 1;
    def.files = &source;
    if (pli_scene_load(&def, &scene, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    const pli_mesh_attributes *a = pli_scene_mesh_attributes(scene, 0);
    const float uv[] = {0, 0, 1, 0, 1, 1, 0, 1};
    assert_non_null(a);
    assert_memory_equal(pli_mesh_attribute_named(a, PLI_ATTRIBUTE_UV)->values, uv, sizeof uv);
    assert_null(pli_scene_mesh_attributes(scene, -1));
    pli_scene_destroy(scene);
}

// Animations too: of a point cache, whose faces are a mesh of the source.
static void animations_come_from_the_source(void **state)
{
    (void)state;
    unsigned char pc2[32 + 2 * 48] = "POINTCACHE2";
    const uint32_t head[] = {1, 4, 0, 0x3f800000, 2};
    float points[24] = {0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    memcpy(points + 12, points, 48);
    points[12] = 0.5f;
    memcpy(pc2 + 12, head, sizeof head);
    memcpy(pc2 + 32, points, sizeof points);
    static const char text[] =
        "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {}}}], \"colliders\": [{\"shape\": "
        "\"mesh\", \"mesh\": {\"file\": \"s.obj\"}, \"animation\": {\"file\": \"s.pc2\"}}]}";
    archive files = {0};
    add_file(&files, "s.obj", square, sizeof square - 1);
    add_file(&files, "s.pc2", pc2, sizeof pc2);
    add_file(&files, "s_0001.obj", square, sizeof square - 1);
    add_file(&files, "s_0002.obj", square, sizeof square - 1);
    add_file(&files, "s.vtkhdf", "x", 1);
    const pli_file_source source = {read_file, release_file, &files};
    pli_error error = {0};
    pli_scene *scene;
    pli_cache *cache;
    float frame[12];
    pli_scene_load_def def = pli_scene_load_def_default();
    def.text = text;
    def.text_size = sizeof text - 1;
    def.files = &source;
    if (pli_scene_load(&def, &scene, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    pli_scene_destroy(scene);
    if (pli_cache_open_from(&source, "s.pc2", NULL, &cache, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pli_cache_frame_count(cache), 2);
    assert_int_equal(pli_cache_read(cache, 0, 1, frame, &error), PLI_STATUS_OK);
    assert_memory_equal(frame, points + 12, 48);
    pli_cache_close(cache);
    if (pli_cache_open_from(&source, "s_0001.obj", NULL, &cache, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pli_cache_frame_count(cache), 2);
    pli_cache_close(cache);
    assert_int_equal(files.open, 0);
    assert_int_equal(pli_cache_open_from(&source, "s.vtkhdf", NULL, &cache, &error), PLI_STATUS_UNSUPPORTED);
}

static void texts_without_a_place_say_what_is_missing(void **state)
{
    (void)state;
    static const char text[] = SCENE("\"file\": \"square.obj\"");
    pli_error error = {0};
    pli_scene *scene;
    pli_scene_load_def def = pli_scene_load_def_default();
    assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_INVALID_ARGUMENT);
    def.text = text;
    def.text_size = sizeof text - 1;
    assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_FILE);
    assert_non_null(strstr(error.message, "give its path or a file source"));
    def.text_size = 5;
    assert_int_equal(pli_scene_load(&def, &scene, &error), PLI_STATUS_PARSE);
    assert_non_null(strstr(error.message, "scene:1:"));
}

static void objects_that_are_no_plugins_are_refused(void **state)
{
    (void)state;
    const pli_plugin_table *plugin = NULL;
    pli_error found;
    assert_int_equal(pli_plugin_open("no-such-plugin.so", &plugin, &found), PLI_STATUS_UNSUPPORTED);
    assert_null(plugin);
    assert_non_null(strstr(found.message, "no-such-plugin.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_that_are_no_plugins_are_refused),
#ifndef __wasm__
        cmocka_unit_test(scenes_are_the_same_from_everywhere),
#endif
        cmocka_unit_test(names_do_not_leave_the_source),
        cmocka_unit_test(meshes_of_the_host_are_used_by_name),
        cmocka_unit_test(attributes_come_with_the_scene),
        cmocka_unit_test(animations_come_from_the_source),
        cmocka_unit_test(texts_without_a_place_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
