#define _GNU_SOURCE
// Mesh colliders of scenes and their animation, and the keys of contact.
#include "scene_text.h"

#include <pliant/cache.h>
#include <pliant/mesh_file.h>

#include <math.h>

enum { TENT_VERTICES = 5, TENT_FRAMES = 4 };
#define TENT_OBJ "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0.5 0.5 0.5\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n"
static const float rate = 60.0f; // Frames per second of caches that do not store their rate.

// Where vertex v is in a frame, by no rule that linear interpolation would guess.
static void tent_at(int frame, int v, float out[3])
{
    static const float base[TENT_VERTICES][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0.5f, 0.5f, 0.5f}};
    out[0] = base[v][0] + 0.25f * (float)(frame * frame);
    out[1] = base[v][1] + (v == 4 ? 0.5f * (float)(frame % 2) : 0.0f);
    out[2] = base[v][2] - 0.125f * (float)frame * (float)v;
}

// Records the tent, beside another object when `second` is set. Returns the name of the first file.
static void record_tent(const char *format, const char *name, bool second)
{
    pli_mesh *mesh;
    pli_recorder *recorder;
    pli_error error;
    char path[300];
    write_text("tent.obj", TENT_OBJ);
    snprintf(path, sizeof path, "%s/tent.obj", folder());
    pli_mesh_import_def import = pli_mesh_import_def_default();
    assert_int_equal(pli_mesh_read(path, &import, &mesh, NULL, &error), PLI_STATUS_OK);
    const pli_cache_object objects[] = {{"tent", mesh, {1, 1, 1}}, {"other", mesh, {1, 1, 1}}};
    pli_recorder_def def = pli_recorder_def_default();
    def.directory = folder();
    def.name = name;
    def.format = format;
    def.objects = objects;
    def.object_count = second ? 2 : 1;
    def.frames_per_second = (double)rate;
    def.frame_count = TENT_FRAMES;
    assert_int_equal(pli_recorder_open(&def, &recorder, &error), PLI_STATUS_OK);
    for (int frame = 0; frame < TENT_FRAMES; frame++) {
        float positions[2][TENT_VERTICES][3];
        for (int v = 0; v < TENT_VERTICES; v++) {
            tent_at(frame, v, positions[0][v]);
            tent_at(0, v, positions[1][v]);
        }
        const pli_view views[] = {{positions[0][0], TENT_VERTICES, 12}, {positions[1][0], TENT_VERTICES, 12}};
        assert_int_equal(pli_recorder_add(recorder, views, NULL, &error), PLI_STATUS_OK);
    }
    assert_int_equal(pli_recorder_close(recorder, &error), PLI_STATUS_OK);
    pli_mesh_destroy(mesh);
}

static pli_scene *tent_scene(const char *collider)
{
    char text[900];
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"frames_per_second\": 120, \"settings\": {\"gravity\": [0, 0, 0]}, "
             "\"colliders\": [{\"shape\": \"mesh\", %s}]}",
             collider);
    return load(text);
}

// The tent at a place between frames, times a scale.
static void expect_tent(const pli_world *world, double at, float scale)
{
    int first = (int)at, second = first + 1 < TENT_FRAMES ? first + 1 : first;
    pli_view view = pli_collider_vertices(world, pli_world_collider_at(world, 0));
    assert_int_equal(view.count, TENT_VERTICES);
    for (int v = 0; v < TENT_VERTICES; v++) {
        float a[3], b[3], part = (float)(at - first);
        tent_at(first, v, a);
        tent_at(second, v, b);
        assert_near(pli_view_at(view, v), scale * (a[0] + (b[0] - a[0]) * part), scale * (a[1] + (b[1] - a[1]) * part),
                    scale * (a[2] + (b[2] - a[2]) * part), 2e-6f);
    }
}

// Steps a scene at 120 frames a second and holds the tent against frame `at` of the cache after `frames`.
static void expect_after(const char *collider, int frames, double at, float scale)
{
    pli_scene *scene = tent_scene(collider);
    pli_world *world = world_of(scene);
    step(scene, world, 0, frames);
    expect_tent(world, at, scale);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void vertices_follow_the_cache(void **state)
{
    (void)state;
    static const char mesh[] = "\"mesh\": {\"file\": \"tent.obj\"}, \"animation\": {\"file\": \"tent.pc2\"%s}";
    static const struct {
        const char *keys;
        int frames;
        double at;
    } rows[] = {
        {"", 0, 0},
        {"", 1, 0.5},
        {"", 2, 1},
        {"", 5, 2.5},
        {"", 6, 3},
        {"", 50, 3},
        {", \"start\": 0.0166666666666666667", 1, 0},
        {", \"start\": 0.0166666666666666667", 2, 0},
        {", \"start\": 0.0166666666666666667", 5, 1.5},
        {", \"start\": -0.0166666666666666667", 0, 1},
        {", \"speed\": 0.5", 2, 0.5},
        {", \"speed\": 2", 1, 1},
        {", \"speed\": 0", 9, 0},
        {", \"loop\": true", 9, 0.5},
        {", \"loop\": true", 8, 0},
        {", \"loop\": true", 13, 2.5},
    };
    record_tent("pc2", "tent", false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char collider[300];
        snprintf(collider, sizeof collider, mesh, rows[i].keys);
        expect_after(collider, rows[i].frames, rows[i].at, 1.0f);
    }
    expect_after("\"mesh\": {\"file\": \"tent.obj\", \"scale\": 2}, \"animation\": {\"file\": \"tent.pc2\"}", 3, 1.5,
                 2.0f);
}

// A loop goes from the last frame straight to the first.
static void a_loop_closes(void **state)
{
    (void)state;
    record_tent("pc2", "tent", false);
    pli_scene *scene = tent_scene(
        "\"mesh\": {\"file\": \"tent.obj\"}, \"animation\": {\"file\": \"tent.pc2\", \"loop\": true}");
    pli_world *world = world_of(scene);
    step(scene, world, 0, 7);
    float last[3], first[3];
    tent_at(TENT_FRAMES - 1, 2, last);
    tent_at(0, 2, first);
    assert_near(pli_view_at(pli_collider_vertices(world, pli_world_collider_at(world, 0)), 2), (last[0] + first[0]) / 2,
                (last[1] + first[1]) / 2, (last[2] + first[2]) / 2, 1e-6f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

// Caches with faces need no mesh.
static void every_format_is_read(void **state)
{
    (void)state;
    record_tent("gltf", "tent", true);
    record_tent("vtkhdf", "tent", true);
    record_tent("mdd", "tent", false);
    record_tent("obj", "frames", false);
    expect_after("\"animation\": {\"file\": \"tent.gltf\"}", 5, 2.5, 1.0f);
    expect_after("\"animation\": {\"file\": \"tent_tent.vtkhdf\"}", 5, 2.5, 1.0f);
    expect_after("\"animation\": {\"file\": \"tent.mdd\"}", 3, 1.5, 1.0f);
    expect_after("\"animation\": {\"file\": \"tent.gltf\", \"object\": 1}", 5, 0, 1.0f);
    expect_after("\"animation\": {\"file\": \"frames_0000.obj\"}", 3, 1.5, 1.0f);
}

// One finding has that path, line 3, and that word.
static void expect_finding(const char *collider, const char *path, const char *word)
{
    char text[900];
    snprintf(text, sizeof text, "{\"pliant\": 1,\n\"colliders\": [\n%s]}", collider);
    loaded l = load_with(text, false, NULL);
    assert_null(l.scene);
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        if (strcmp(l.messages[i].path, path) == 0 && strstr(l.messages[i].text, word) && l.messages[i].line == 3)
            return;
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        print_error("line %d: %s: %s\n", (int)l.messages[i].line, l.messages[i].path, l.messages[i].text);
    fail_msg("no finding at %s with '%s'", path, word);
}

static void wrong_animations_are_refused(void **state)
{
    (void)state;
    record_tent("pc2", "tent", false);
    record_tent("gltf", "tent", true);
    record_tent("obj", "frames", false);
    write_text("frames_0002.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    write_text("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    write_text("short.pc2", "POINTCACHE2");
    write_text("text.gltf", "{}");
    static const struct {
        const char *collider, *path, *word;
    } rows[] = {
        {"{\"shape\": \"mesh\"}", "colliders[0]", "needs the key 'mesh'"},
        {"{\"shape\": \"hull\", \"animation\": {\"file\": \"tent.pc2\"}}", "colliders[0]", "needs the key 'mesh'"},
        {"{\"shape\": \"sphere\", \"mesh\": {\"sphere\": {}}}", "colliders[0].mesh", "a sphere has no mesh"},
        {"{\"shape\": \"box\", \"animation\": {\"file\": \"tent.pc2\"}}", "colliders[0].animation", "not a box"},
        {"{\"shape\": \"mesh\", \"mesh\": {}}", "colliders[0].mesh", "exactly one"},
        {"{\"shape\": \"mesh\", \"mesh\": {\"grid\": {\"columns\": 9000, \"rows\": 9000}}}", "colliders[0].mesh",
         "at most"},
        {"{\"shape\": \"mesh\", \"mesh\": {\"file\": \"none.obj\"}}", "colliders[0].mesh.file", "no file"},
        {"{\"shape\": \"mesh\", \"animation\": {}}", "colliders[0].animation", "'file' is missing"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"none.pc2\"}}", "colliders[0].animation.file", "no file"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"/etc/passwd\"}}", "colliders[0].animation.file", "outside"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"short.pc2\"}}", "colliders[0].animation.file", "header"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"text.gltf\"}}", "colliders[0].animation.file", "text.gltf"},
        {"{\"shape\": \"mesh\", \"mesh\": {\"file\": \"triangle.obj\"}, \"animation\": {\"file\": \"tent.pc2\"}}",
         "colliders[0].animation.file", "5 points, its mesh has 3"},
        {"{\"shape\": \"mesh\", \"mesh\": {\"grid\": {\"columns\": 2, \"rows\": 2}}, \"animation\": {\"file\": "
         "\"tent.gltf\"}}",
         "colliders[0].animation.file", "5 vertices, the collider's mesh has 4"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"tent.gltf\", \"object\": 2}}",
         "colliders[0].animation.object", "1 other"},
        {"{\"shape\": \"mesh\", \"animation\": {\"file\": \"frames_0000.obj\"}}", "colliders[0].animation.file",
         "has 3 vertices, the first frame has 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_finding(rows[i].collider, rows[i].path, rows[i].word);
}

static void a_frame_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    char path[300];
    const float nan = NAN;
    record_tent("pc2", "tent", false);
    snprintf(path, sizeof path, "%s/tent.pc2", folder());
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 32 + 12 * (2 * TENT_VERTICES + 3), SEEK_SET), 0);
    assert_int_equal(fwrite(&nan, sizeof nan, 1, file), 1);
    fclose(file);
    expect_finding("{\"shape\": \"mesh\", \"animation\": {\"file\": \"tent.pc2\"}}", "colliders[0].animation.file",
                   "vertex 3 in frame 2");
}

static uint64_t hash_of_tent(const char *collider)
{
    pli_scene *scene = tent_scene(collider);
    uint64_t hash = pli_scene_hash(scene);
    pli_scene_destroy(scene);
    return hash;
}

static void the_hash_has_meshes_and_animation(void **state)
{
    (void)state;
    static const char animated[] = "\"mesh\": {\"file\": \"tent.obj\"}, \"animation\": {\"file\": \"tent.pc2\"}";
    static const char still[] = "\"mesh\": {\"file\": \"tent.obj\"}";
    char path[300];
    const float other = 7.5f;
    record_tent("pc2", "tent", false);
    uint64_t with = hash_of_tent(animated), without = hash_of_tent(still);
    assert_true(with == hash_of_tent(animated));
    snprintf(path, sizeof path, "%s/tent.pc2", folder());
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -4, SEEK_END), 0);
    assert_int_equal(fwrite(&other, sizeof other, 1, file), 1);
    fclose(file);
    assert_true(with != hash_of_tent(animated));
    write_text("tent.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0.5 0.25 0.5\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n");
    assert_true(without != hash_of_tent(still));
}

// A sheet that falls on the tent while that moves.
static pli_scene *falling(void)
{
    record_tent("pc2", "tent", false);
    return load(
        "{\"pliant\": 1, \"frames_per_second\": 60, \"settings\": {\"substeps\": 8}, \"deformables\": [{\"mesh\": "
        "{\"grid\": {\"columns\": 9, \"rows\": 9, \"width\": 0.8, \"depth\": 0.8}}, \"self_collision\": true, "
        "\"pose\": {\"position\": [0.5, 0.52, 0.5]}, \"constraints\": [{\"type\": \"distance\"}]}], "
        "\"colliders\": [{\"shape\": \"mesh\", \"mesh\": {\"file\": \"tent.obj\"}, \"motion\": {\"angular_speed\": "
        "20}, \"animation\": {\"file\": \"tent.pc2\", \"speed\": 0.02}}]}");
}

static void a_snapshot_keeps_deforming_colliders(void **state)
{
    (void)state;
    pli_scene *scene = falling();
    pli_world *whole = world_of(scene), *resumed = world_of(scene);
    pli_statistics statistics;
    pli_error error;
    step(scene, whole, 0, 25);
    pli_world_get_statistics(whole, &statistics);
    assert_true(statistics.surface_contact_count > 0);
    size_t size = pli_world_snapshot_size(whole);
    void *buffer = malloc(size);
    assert_int_equal(pli_world_snapshot_write(whole, buffer, size, &error), PLI_STATUS_OK);
    assert_int_equal(pli_scene_seek(scene, resumed, 25, &error), PLI_STATUS_OK);
    if (pli_world_snapshot_read(resumed, buffer, size, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    for (int frame = 25; frame < 45; frame++) {
        step(scene, whole, frame, frame + 1);
        step(scene, resumed, frame, frame + 1);
        assert_true(pli_world_hash(whole) == pli_world_hash(resumed));
    }
    free(buffer);
    pli_world_destroy(whole);
    pli_world_destroy(resumed);
    pli_scene_destroy(scene);
}

static void keys_of_colliders_are_taken(void **state)
{
    (void)state;
    pli_scene *scene = tent_scene(
        "\"mesh\": {\"tube\": {\"around\": 5, \"along\": 3}}, \"one_sided\": true, \"thickness\": "
        "0.02, \"layer\": 3, \"collides_with\": [0, 5, 31], \"friction\": 0.7, \"pose\": "
        "{\"position\": [1, 2, 3]}, \"flat\": true}, {\"shape\": \"plane\", \"transparency\": 0.25");
    pli_world *world = world_of(scene);
    pli_collider_def def, plain;
    assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 0), &def, NULL), PLI_STATUS_OK);
    assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 1), &plain, NULL), PLI_STATUS_OK);
    assert_int_equal(def.shape, PLI_SHAPE_MESH);
    assert_int_equal(pli_mesh_topology(def.mesh)->vertex_count, 15);
    assert_true(def.one_sided && def.thickness == 0.02f && def.friction == 0.7f && def.pose.position.y == 2.0f);
    assert_true(def.layers == 1u << 3 && def.mask == (1u | 1u << 5 | 1u << 31));
    assert_true(plain.layers == 1u && plain.mask == UINT32_MAX && !plain.one_sided && !plain.mesh);
    assert_true(pli_scene_collider_flat(scene, 0) && !pli_scene_collider_flat(scene, 1));
    assert_true(pli_scene_collider_transparency(scene, 1) == 0.25f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void guarantees_are_chosen(void **state)
{
    (void)state;
    for (int g = 0; g < PLI_CCD_COUNT; g++) {
        char text[200];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"contact\": {\"ccd\": \"%s\"}}", pli_choice_name("ccd", g));
        pli_scene *scene = load(text);
        pli_world *world = world_of(scene);
        assert_int_equal(pli_world_settings(world).ccd, g);
        pli_world_destroy(world);
        pli_scene_destroy(scene);
    }
    loaded l = load_with("{\"pliant\": 1, \"contact\": {\"ccd\": \"none\"}}", false, NULL);
    assert_null(l.scene);
    assert_non_null(strstr(l.error.message, "contact.ccd"));
}

// Two sheets over one another, the upper one falling: the least distance between them after a while says
// whether they touch.
static float gap_after(const char *upper, const char *lower)
{
    static const char form[] =
        "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3}}, \"attachments\": "
        "[{\"all\": "
        "true}]%s}, {\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3}}, \"pose\": {\"position\": [0, 0.05, 0]}, "
        "\"constraints\": [{\"type\": \"distance\"}]%s}]}";
    char text[900];
    snprintf(text, sizeof text, form, lower, upper);
    pli_scene *scene = load(text);
    pli_world *world = world_of(scene);
    step(scene, world, 0, 30);
    pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, 1));
    float least = INFINITY;
    for (int32_t i = 0; i < positions.count; i++)
        least = fminf(least, pli_view_at(positions, i)[1]);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
    return least;
}

static void layers_choose_who_meets(void **state)
{
    (void)state;
    assert_true(gap_after("", "") > 0.0f);
    assert_true(gap_after(", \"layer\": 2", ", \"layer\": 1") > 0.0f);
    assert_true(gap_after(", \"layer\": 2, \"collides_with\": [1]", ", \"layer\": 1") > 0.0f);
    assert_true(gap_after(", \"collides_with\": []", "") < -0.5f);
    assert_true(gap_after("", ", \"layer\": 1, \"collides_with\": [1]") < -0.5f);
    assert_true(gap_after(", \"layer\": 2, \"collides_with\": [3]", ", \"layer\": 1") < -0.5f);
}

// A sheet on a sloping one slides or stays by the friction of the two.
static float slid(double friction)
{
    char text[900];
    snprintf(
        text, sizeof text,
        "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 5, \"rows\": 5, \"width\": 3, "
        "\"depth\": "
        "3}}, \"friction\": %g, \"pose\": {\"axis\": [0, 0, 1], \"angle\": 20}, \"attachments\": [{\"all\": true}]}, "
        "{\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3, \"width\": 0.4, \"depth\": 0.4}}, \"friction\": %g, "
        "\"pose\": {\"position\": [0, 0.012, 0], \"axis\": [0, 0, 1], \"angle\": 20}, \"constraints\": [{\"type\": "
        "\"distance\"}]}]}",
        friction, friction);
    pli_scene *scene = load(text);
    pli_world *world = world_of(scene);
    step(scene, world, 0, 40);
    float x = pli_view_at(pli_deformable_positions(world, pli_world_deformable_at(world, 1)), 4)[0];
    pli_world_destroy(world);
    pli_scene_destroy(scene);
    return fabsf(x);
}

static void friction_is_of_the_scene(void **state)
{
    (void)state;
    assert_true(slid(1.0) < 0.05f);
    assert_true(slid(0.0) > 0.4f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_follow_the_cache),
        cmocka_unit_test(a_loop_closes),
        cmocka_unit_test(every_format_is_read),
        cmocka_unit_test(wrong_animations_are_refused),
        cmocka_unit_test(a_frame_that_is_not_finite_is_refused),
        cmocka_unit_test(the_hash_has_meshes_and_animation),
        cmocka_unit_test(a_snapshot_keeps_deforming_colliders),
        cmocka_unit_test(keys_of_colliders_are_taken),
        cmocka_unit_test(guarantees_are_chosen),
        cmocka_unit_test(layers_choose_who_meets),
        cmocka_unit_test(friction_is_of_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
