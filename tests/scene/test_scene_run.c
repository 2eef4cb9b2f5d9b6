#define _GNU_SOURCE
// Worlds made from scenes: the same as worlds made by hand, and moved as the scene says.
#include "scene_text.h"

#include <math.h>

static pli_world *made_by_hand(void)
{
    pli_mesh *mesh;
    pli_world *world;
    pli_constraints set;
    pli_collider collider;
    pli_attachment attachment;
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.substeps = 6;
    world_def.settings.iterations = 2;
    world_def.settings.air_density = 1.2f;
    world_def.settings.wind = (pli_vec3){1, 0, 2};
    assert_int_equal(pli_world_create(&world_def, &world, NULL), PLI_STATUS_OK);
    assert_int_equal(pli_mesh_create_grid(7, 9, 0.6f, 0.8f, PLI_GRID_CROSSED, &mesh, NULL), PLI_STATUS_OK);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0, 0.5f, 0.1f};
    def.velocity = (pli_vec3){0.3f, 0, 0};
    def.density = 0.3f;
    def.thickness = 0.01f;
    pli_constraints_def set_def = pli_constraints_def_default();
    assert_int_equal(pli_deformable_create(world, &def, &set_def.deformable, NULL), PLI_STATUS_OK);
    pli_mesh_destroy(mesh);
    set_def.type = "distance";
    assert_int_equal(pli_constraints_create(world, &set_def, &set, NULL), PLI_STATUS_OK);
    const pli_parameter_value values[] = {{"relation", PLI_SENSE_AT_MOST}, {"kappa", 0.01}, {"compliance", 0.1}};
    set_def.type = "triangle";
    set_def.generator = "triples_fig6a";
    set_def.parameters = values;
    set_def.parameter_count = 3;
    assert_int_equal(pli_constraints_create(world, &set_def, &set, NULL), PLI_STATUS_OK);
    const int32_t corners[] = {0, 6};
    const float *a = particle(world, 0), *b = particle(world, 6);
    pli_attachment_def tie = pli_attachment_def_default();
    tie.deformable = set_def.deformable;
    tie.particles = corners;
    tie.particle_count = 2;
    tie.pose.position = (pli_vec3){(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    assert_int_equal(pli_attachment_create(world, &tie, &attachment, NULL), PLI_STATUS_OK);
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE;
    ball.radius = 0.2f;
    ball.friction = 0.7f;
    ball.pose.position = (pli_vec3){0, 0.25f, 0.2f};
    assert_int_equal(pli_collider_create(world, &ball, &collider, NULL), PLI_STATUS_OK);
    return world;
}

static void a_scene_makes_the_world_that_calls_make(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"settings\": {\"substeps\": 6, \"iterations\": 2, \"air_density\": 1.2, \"wind\": [1, 0, 2]},"
        " \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 7, \"rows\": 9, \"width\": 0.6, \"depth\": 0.8,"
        " \"pattern\": \"crossed\"}}, \"pose\": {\"position\": [0, 0.5, 0.1]}, \"velocity\": [0.3, 0, 0],"
        " \"density\": 0.3, \"thickness\": 0.01, \"constraints\": [{\"type\": \"distance\"}, {\"type\": \"triangle\","
        " \"generator\": \"triples_fig6a\", \"relation\": \"at_most\", \"kappa\": 0.01, \"compliance\": 0.1}],"
        " \"attachments\": [{\"particles\": [0, 6]}]}],"
        " \"colliders\": [{\"shape\": \"sphere\", \"radius\": 0.2, \"friction\": 0.7,"
        " \"pose\": {\"position\": [0, 0.25, 0.2]}}]}");
    pli_world *found = world_of(scene), *expected = made_by_hand();
    uint64_t start = pli_world_hash(found);
    assert_true(start == pli_world_hash(expected));
    for (int frame = 0; frame < 20; frame++) {
        step(scene, found, frame, frame + 1);
        assert_int_equal(pli_world_step(expected, 1.0f / 60.0f, NULL), PLI_STATUS_OK);
        assert_true(pli_world_hash(found) == pli_world_hash(expected));
    }
    assert_true(pli_world_hash(found) != start);
    pli_world_destroy(found);
    pli_world_destroy(expected);
    pli_scene_destroy(scene);
}

// A strip in the xz plane, 3 columns over x = -1..1 and 4 rows over z = -1..1, with an attachment.
static pli_scene *strip(const char *attachment)
{
    char text[900];
    snprintf(
        text, sizeof text,
        "{\"pliant\": 1, \"frames_per_second\": 10, \"deformables\": [{\"mesh\": {\"grid\": "
        "{\"columns\": 3, \"rows\": 4, \"width\": 2, \"depth\": 2, \"pattern\": \"quads\"}}, \"attachments\": [%s]}]}",
        attachment);
    return load(text);
}

static void attachments_choose_what_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        unsigned fixed;
    } rows[] = {
        {"{\"row\": 0}", 0x007},
        {"{\"row\": -1}", 0xe00},
        {"{\"column\": 2}", 0x924},
        {"{\"column\": -3}", 0x249},
        {"{\"corners\": true}", 0xa05},
        {"{\"all\": true}", 0xfff},
        {"{\"all\": true, \"fixed\": true}", 0xfff},
        {"{\"all\": true, \"fixed\": false}", 0},
        {"{\"all\": true, \"held\": false}", 0}, // The former name.
        {"{\"particles\": [4], \"row\": 0}", 0x017},
        {"{\"box\": {\"minimum\": [-0.1, -1, -2], \"maximum\": [2, 1, 0]}}", 0x036},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pli_scene *scene = strip(rows[i].json);
        pli_world *world = world_of(scene);
        int32_t stride;
        const char *w = (const char *)pli_deformable_inverse_masses(world, pli_world_deformable_at(world, 0), &stride);
        unsigned fixed = 0;
        for (unsigned v = 0; v < 12; v++)
            fixed |= (*(const float *)(const void *)(w + (size_t)v * (size_t)stride) == 0.0f ? 1u : 0u) << v;
        if (fixed != rows[i].fixed)
            fail_msg("%s fixes %03x, expected %03x", rows[i].json, fixed, rows[i].fixed);
        pli_world_destroy(world);
        pli_scene_destroy(scene);
    }
}

// Steps the strip and holds its corner (-1, 0, -1) against a place.
static void expect_corner(const char *motion, int frames, float x, float y, float z)
{
    char attachment[500];
    snprintf(attachment, sizeof attachment, "{\"row\": 0, \"motion\": {%s}}", motion);
    pli_scene *scene = strip(attachment);
    pli_world *world = world_of(scene);
    step(scene, world, 0, frames);
    assert_near(particle(world, 0), x, y, z, 2e-6f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void scenes_say_whether_they_tear(void **state)
{
    (void)state;
    static const char *const deformables[2] = {"", ", \"tearing\": {\"stretch\": 1.5}"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {}}%s,"
                 " \"constraints\": [{\"type\": \"distance\"}]}]}",
                 deformables[i]);
        pli_scene *scene = load(text);
        assert_int_equal(pli_scene_tears(scene), i == 1);
        pli_scene_destroy(scene);
    }
}

static void motion_follows_its_closed_form(void **state)
{
    (void)state;
    float c = cosf(0.3f), s = sinf(0.3f);
    expect_corner("\"velocity\": [0.5, 1, 0]", 10, -0.5f, 1, -1);
    expect_corner("\"velocity\": [0.5, 1, 0], \"start\": 0.5, \"stop\": 0.7", 10, -0.9f, 0.2f, -1);
    // The row's centre is (0, 0, -1); about y, x goes to -z.
    expect_corner("\"axis\": [0, 2, 0], \"angular_speed\": 90", 10, 0, 0, 0);
    expect_corner("\"angular_speed\": 17.188733853924695, \"centre\": [0, 0, 0]", 10, -c - s, 0, -c + s);
    expect_corner("\"keyframes\": [{\"time\": 0}, {\"time\": 1, \"position\": [2, 0, 0]}, {\"time\": 1.5}]", 5, 0, 0,
                  -1);
    expect_corner("\"keyframes\": [{\"time\": 0}, {\"time\": 1, \"position\": [2, 0, 0]}, {\"time\": 1.5}]", 12, 0.2f,
                  0, -1);
    expect_corner("\"keyframes\": [{\"time\": 0}, {\"time\": 1, \"angle\": 90}]", 20, 0, 0, 0);
    expect_corner("\"loop\": true, \"keyframes\": [{\"time\": 0}, {\"time\": 0.4, \"position\": [0, 1, 0]}, "
                  "{\"time\": 0.8}]",
                  18, -1, 0.5f, -1);
}

static void released_particles_fall(void **state)
{
    (void)state;
    pli_scene *scene = strip("{\"all\": true, \"until\": 0.5}, {\"particles\": [1], \"fixed\": false}");
    pli_world *world = world_of(scene);
    step(scene, world, 0, 5);
    assert_near(particle(world, 0), -1, 0, -1, 0);
    assert_int_equal(pli_world_attachment_count(world), 2);
    step(scene, world, 5, 6);
    assert_int_equal(pli_world_attachment_count(world), 1);
    assert_true(particle(world, 0)[1] < -0.01f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void colliders_move(void **state)
{
    (void)state;
    pli_scene *scene = load("{\"pliant\": 1, \"frames_per_second\": 10, \"colliders\": [{\"shape\": \"box\", \"pose\": "
                            "{\"position\": [1, 2, 3]}, \"motion\": {\"velocity\": [0, 1, 0], \"axis\": [1, 0, 0], "
                            "\"angular_speed\": 60}}]}");
    pli_world *world = world_of(scene);
    pli_transform pose;
    step(scene, world, 0, 10);
    pli_collider_pose(world, pli_world_collider_at(world, 0), &pose, NULL);
    float found[3] = {pose.position.x, pose.position.y, pose.position.z};
    float turn[3] = {pose.rotation.x, pose.rotation.y, pose.rotation.w};
    assert_near(found, 1, 3, 3, 1e-6f);
    assert_near(turn, 0.5f, 0, 0.8660254f, 1e-6f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void keyframes_set_parameters(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"frames_per_second\": 10, \"deformables\": [{\"name\": \"a\", \"mesh\": {\"sphere\": {}}, "
        "\"constraints\": [{\"type\": \"distance\"}, {\"type\": \"volume\"}]}], \"keyframes\": ["
        "{\"path\": \"deformables.a.constraints.volume.pressure\", \"keys\": [[0.2, 1], [1.2, 2]]}, "
        "{\"path\": \"settings.damping\", \"keys\": [[0, 0], [1, 1]]}, "
        "{\"path\": \"settings.gravity\", \"keys\": [[0, [0, 0, 0]], [1, [2, -4, 6]]]}]}");
    static const struct {
        int frame;
        double pressure, damping;
    } rows[] = {
        {0, 1, 0}, {2, 1, 0.2}, {7, 1.5, 0.7}, {12, 2, 1}, {30, 2, 1},
    };
    pli_world *world = world_of(scene);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double pressure;
        step(scene, world, rows[i].frame, rows[i].frame + 1);
        pli_constraints_get_parameter(world, pli_world_constraints_at(world, 1), "pressure", &pressure, NULL);
        pli_settings settings = pli_world_settings(world);
        float g[3] = {settings.gravity.x, settings.gravity.y, settings.gravity.z}, d = (float)rows[i].damping;
        assert_true(fabs(pressure - rows[i].pressure) < 1e-6);
        assert_true(fabs((double)settings.damping - rows[i].damping) < 1e-6);
        assert_near(g, 2 * d, -4 * d, 6 * d, 1e-5f);
    }
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void a_snapshot_goes_on_after_seeking(void **state)
{
    (void)state;
    pli_scene *scene = strip("{\"corners\": true, \"until\": 0.3}, {\"particles\": [4], \"motion\": {\"velocity\": "
                             "[1, 0, 0]}}");
    pli_world *whole = world_of(scene), *resumed = world_of(scene);
    pli_error error;
    step(scene, whole, 0, 7);
    size_t size = pli_world_snapshot_size(whole);
    void *buffer = malloc(size);
    assert_int_equal(pli_world_snapshot_write(whole, buffer, size, &error), PLI_STATUS_OK);
    assert_int_equal(pli_scene_seek(scene, resumed, 7, &error), PLI_STATUS_OK);
    if (pli_world_snapshot_read(resumed, buffer, size, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    step(scene, whole, 7, 20);
    step(scene, resumed, 7, 20);
    assert_true(pli_world_hash(whole) == pli_world_hash(resumed));
    free(buffer);
    pli_world_destroy(whole);
    pli_world_destroy(resumed);
    pli_scene_destroy(scene);
}

static void up_may_be_z(void **state)
{
    (void)state;
    pli_scene *scene = load("{\"pliant\": 1, \"up\": \"z\", \"deformables\": [{\"mesh\": {\"grid\": {}}}]}");
    pli_world *world = world_of(scene);
    pli_settings settings = pli_world_settings(world);
    pli_scene_view view = pli_scene_get_view(scene);
    float gravity[3] = {settings.gravity.x, settings.gravity.y, settings.gravity.z};
    float up[3] = {view.up.x, view.up.y, view.up.z};
    assert_near(gravity, 0, 0, -9.81f, 1e-6f);
    assert_near(up, 0, 0, 1, 0);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

// Of a sheet of four squares a box half a metre above the origin, where the pose puts it, holds the two of one side; without parts
// there are no colours.
static void faces_take_the_colours_of_their_parts(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3, "
        "\"pattern\": \"quads\"}}, "
        "\"pose\": {\"position\": [0, 0.5, 0]}, \"look\": {\"front\": [0, 1, 0], \"parts\": "
        "[{\"box\": {\"minimum\": [-9, 0.4, -9], "
        "\"maximum\": [0.001, 0.6, 9]}, \"colour\": [1, 0, 0.5], \"back\": [0, 0, 1]}]}}, {\"mesh\": {\"grid\": "
        "{\"columns\": 3, \"rows\": 3}}}]}");
    const pli_topology *t = pli_mesh_topology(pli_scene_mesh(scene, 0));
    float colours[3 * 4] = {0};
    assert_int_equal(t->face_count, 4);
    assert_true(pli_scene_face_colours(scene, 0, colours));
    int32_t inside = 0;
    for (int32_t f = 0; f < 4; f++) {
        float x = 0.0f;
        for (int32_t c = t->face_offsets[f]; c < t->face_offsets[f + 1]; c++)
            x += t->positions[3 * t->face_vertices[c]];
        const float *colour = colours + 3 * f;
        bool in = x < 0.0f;
        inside += in;
        assert_true(in ? colour[0] == 1.0f && colour[1] == 0.0f && colour[2] == 0.5f
                       : colour[0] == 0.0f && colour[1] == 1.0f && colour[2] == 0.0f);
    }
    assert_int_equal(inside, 2);
    // The backs likewise, where the look's own is the default one; and the edges: eight of the border, and two where both sides meet.
    float backs[3 * 4] = {0};
    assert_true(pli_scene_back_colours(scene, 0, backs));
    for (int32_t f = 0; f < 4; f++)
        assert_true(colours[3 * f] == 1.0f ? backs[3 * f] == 0.0f && backs[3 * f + 2] == 1.0f
                                           : backs[3 * f] == 0.16f && backs[3 * f + 2] == 0.45f);
    uint8_t edges[24];
    int32_t hems = 0, seams = 0;
    assert_int_equal(t->triangle_count, 8);
    assert_true(pli_scene_look_edges(scene, 0, edges));
    for (int32_t k = 0; k < 24; k++) {
        const int32_t next = k % 3 == 2 ? k - 2 : k + 1;
        const float *a = t->positions + 3 * t->triangles[k], *b = t->positions + 3 * t->triangles[next];
        hems += edges[k] == PLI_SCENE_EDGE_HEM, seams += edges[k] == PLI_SCENE_EDGE_SEAM;
        // Both triangles beside a seam have it; the sheet is a metre wide about the origin.
        assert_int_equal(edges[k] == PLI_SCENE_EDGE_SEAM, a[0] == 0.0f && b[0] == 0.0f);
    }
    assert_true(hems == 8 && seams == 4);
    assert_false(pli_scene_back_colours(scene, 1, backs));
    assert_false(pli_scene_look_edges(scene, 2, edges));
    assert_false(pli_scene_face_colours(scene, 1, colours));
    pli_scene_destroy(scene);
}

static void looks_and_views_have_defaults(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"title\": \"t\", \"frames\": 7, \"view\": {\"measure\": \"speed\", "
        "\"measure_range\": [0, 2]}, \"output\": {\"formats\": [\"pc2\", \"vtkhdf\"]}, \"colliders\": "
        "[{\"shape\": \"box\", \"colour\": [1, 0.5, 0], \"visible\": false}]}");
    pli_scene_view view = pli_scene_get_view(scene);
    pli_vec3 colour = pli_scene_collider_colour(scene, 0);
    assert_true(view.fitted && view.ground && !view.wireframe);
    assert_true(view.follow == PLI_SCENE_FOLLOW_NONE && view.orbit == 0.0f && !view.fits_run);
    assert_int_equal(view.measure, PLI_MEASURE_SPEED);
    assert_true(view.measure_maximum == 2.0f && view.width == 960 && view.height == 540);
    assert_true(colour.x == 1.0f && colour.y == 0.5f && !pli_scene_collider_visible(scene, 0));
    assert_true(pli_scene_collider_visible(scene, 1));
    assert_string_equal(pli_scene_title(scene), "t");
    assert_int_equal(pli_scene_frame_count(scene), 7);
    assert_true(pli_scene_frames_per_second(scene) == 60.0);
    assert_int_equal(pli_scene_format_count(scene), 2);
    assert_string_equal(pli_scene_format(scene, 1), "vtkhdf");
    assert_null(pli_scene_format(scene, 2));
    assert_false(pli_scene_get_look(scene, 0).flat);
    assert_true(pli_scene_collider_transparency(scene, 0) == 0.0f);
    pli_scene_destroy(scene);
}

static void what_is_expected_is_read(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"deformables\": [{\"name\": \"cloth\", \"mesh\": {\"grid\": {}}}], \"expect\": "
        "{\"intersections\": 2, "
        "\"stretch_p99\": 0.5, \"stretch_end\": 0.75, \"ends\": [{\"name\": \"cloth\", \"maximum\": [1, 2, 3]}, "
        "{\"name\": "
        "\"cloth\", \"volume\": [0.5, 1.5]}]}}");
    const pli_scene_expect expect = pli_scene_get_expect(scene);
    assert_int_equal(expect.intersection_count, 2);
    assert_int_equal(expect.end_count, 2);
    assert_true(expect.stretch_p99 == 0.5 && expect.stretch_end == 0.75);
    assert_true(isinf(expect.stretch) && isinf(expect.kinetic_energy));
    const pli_scene_end end = pli_scene_get_end(scene, 0), volume = pli_scene_get_end(scene, 1);
    assert_string_equal(end.name, "cloth");
    assert_true(end.maximum.z == 3.0f && isinf(end.minimum.x) && end.minimum.x < 0.0f && isinf(end.volume_maximum));
    assert_true(volume.volume_minimum == 0.5 && volume.volume_maximum == 1.5 && isinf(volume.maximum.y));
    assert_null(pli_scene_get_end(scene, 2).name);
    assert_null(pli_scene_get_end(scene, -1).name);
    pli_scene_destroy(scene);
    scene = load("{\"pliant\": 1, \"deformables\": [{\"name\": \"cloth\", \"mesh\": {\"grid\": {}}}]}");
    assert_int_equal(pli_scene_get_expect(scene).intersection_count, -1);
    pli_scene_destroy(scene);
}

static void probes_are_read(void **state)
{
    (void)state;
    pli_scene *scene = load(
        "{\"pliant\": 1, \"deformables\": [{\"name\": \"cloth\", \"mesh\": {\"grid\": {}}}], \"probes\": "
        "[{\"name\": \"tip\", \"deformable\": \"cloth\", \"vertex\": 3}, {\"name\": \"skin\", "
        "\"measure\": \"area\"}]}");
    assert_int_equal(pli_scene_probe_count(scene), 2);
    const pli_scene_probe tip = pli_scene_get_probe(scene, 0), skin = pli_scene_get_probe(scene, 1);
    assert_string_equal(tip.name, "tip");
    assert_string_equal(tip.deformable, "cloth");
    assert_string_equal(tip.measure, "position");
    assert_int_equal(tip.vertex, 3);
    assert_string_equal(skin.measure, "area");
    assert_null(skin.deformable);
    assert_null(pli_scene_get_probe(scene, 2).name);
    assert_null(pli_scene_get_probe(scene, -1).name);
    pli_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_are_read),
        cmocka_unit_test(what_is_expected_is_read),
        cmocka_unit_test(a_scene_makes_the_world_that_calls_make),
        cmocka_unit_test(attachments_choose_what_they_name),
        cmocka_unit_test(scenes_say_whether_they_tear),
        cmocka_unit_test(motion_follows_its_closed_form),
        cmocka_unit_test(released_particles_fall),
        cmocka_unit_test(colliders_move),
        cmocka_unit_test(keyframes_set_parameters),
        cmocka_unit_test(a_snapshot_goes_on_after_seeking),
        cmocka_unit_test(up_may_be_z),
        cmocka_unit_test(faces_take_the_colours_of_their_parts),
        cmocka_unit_test(looks_and_views_have_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
