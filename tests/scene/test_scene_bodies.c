#define _GNU_SOURCE
// Bodies and joints of scenes: what is made of them, and what is said where they are wrong.
#include "scene_text.h"

#include <pliant/rigid.h>

#include <math.h>

#define SCENE(...) "{\"pliant\": 1, " __VA_ARGS__ "}"
#define NAMED(name, ...) "{\"name\": \"" name "\", \"shape\": \"box\", " __VA_ARGS__ "}"
#define CLOTH "\"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 4, \"rows\": 5}}, "

static loaded check(const char *text) { return load_with(text, false, NULL); }

static void expect(const char *text, pli_status status, const char *path, const char *word)
{
    loaded l = check(text);
    assert_null(l.scene);
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        if (strcmp(l.messages[i].path, path) == 0 && strstr(l.messages[i].text, word) && l.messages[i].line == 1) {
            assert_int_equal(l.status, status);
            return;
        }
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        print_error("%s: %s\n", l.messages[i].path, l.messages[i].text);
    fail_msg("no finding at %s with '%s' in %s", path, word, text);
}

static pli_rigid_state state_of(const pli_world *world, int32_t body)
{
    pli_rigid_state state;
    assert_int_equal(pli_rigid_body_get_state(world, pli_world_rigid_body_at(world, body), &state, NULL),
                     PLI_STATUS_OK);
    return state;
}

static void assert_at(pli_vec3 found, float x, float y, float z, float tolerance)
{
    assert_near((const float[3]){found.x, found.y, found.z}, x, y, z, tolerance);
}

static void bodies_are_as_the_scene_says(void **unused)
{
    (void)unused;
    pli_scene *scene = load(SCENE(
        "\"bodies\": ["
        "{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.2, \"mass\": 2, \"pose\": {\"position\": [1, 2, 3]},"
        " \"velocity\": [0, 0, 1], \"angular_velocity\": [0, 180, 0], \"friction\": 0.7, \"restitution\": 0.4,"
        " \"thickness\": 0.01, \"layer\": 3, \"collides_with\": [0, 3], \"colour\": [0.1, 0.2, 0.3]},"
        "{\"name\": \"pair\", \"fixed\": true, \"visible\": false,"
        " \"shapes\": [{\"shape\": \"box\", \"half_extents\": [0.1, 0.2, 0.3]},"
        " {\"shape\": \"capsule\", \"radius\": 0.1, \"half_height\": 0.4, \"pose\": {\"position\": [1, 0, 0]}}]}],"
        "\"colliders\": [{\"shape\": \"plane\", \"colour\": [1, 0, 0]}, {\"shape\": \"sphere\", \"body\": \"pair\"}]"));
    pli_world *world = world_of(scene);
    assert_int_equal(pli_world_rigid_body_count(world), 2);
    assert_int_equal(pli_world_collider_count(world), 5);
    assert_string_equal(pli_rigid_body_name(world, pli_world_rigid_body_at(world, 1)), "pair");
    assert_at(state_of(world, 0).pose.position, 1, 2, 3, 1e-6f);
    assert_at(state_of(world, 0).velocity, 0, 0, 1, 1e-6f);
    assert_at(state_of(world, 0).angular_velocity, 0, 3.14159265f, 0, 1e-6f);
    pli_collider_def ball, capsule, carried;
    assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 0), &ball, NULL), PLI_STATUS_OK);
    assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 2), &capsule, NULL), PLI_STATUS_OK);
    assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 4), &carried, NULL), PLI_STATUS_OK);
    assert_true(ball.friction == 0.7f && ball.restitution == 0.4f && ball.thickness == 0.01f && ball.radius == 0.2f);
    assert_int_equal(ball.layers, 8);
    assert_int_equal(ball.mask, 9);
    assert_true(capsule.shape == PLI_SHAPE_CAPSULE && capsule.half_height == 0.4f);
    assert_int_equal(carried.body.id, pli_world_rigid_body_at(world, 1).id);
    // The shapes of bodies come before the scene's colliders.
    assert_at(pli_scene_collider_colour(scene, 0), 0.1f, 0.2f, 0.3f, 1e-6f);
    assert_at(pli_scene_collider_colour(scene, 3), 1, 0, 0, 1e-6f);
    assert_true(pli_scene_collider_visible(scene, 0));
    assert_false(pli_scene_collider_visible(scene, 1));
    assert_false(pli_scene_collider_visible(scene, 2));
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

// A box falls on the ground, beside one that no gravity moves because it is fixed; up is z.
static void bodies_fall_on_colliders(void **unused)
{
    (void)unused;
    pli_scene *scene = load(SCENE(
        "\"up\": \"z\", \"colliders\": [{\"shape\": \"plane\", \"pose\": {\"axis\": [1, 0, 0], \"angle\": 90}}],"
        "\"bodies\": [{\"shape\": \"box\", \"half_extents\": [0.1, 0.1, 0.1], \"pose\": {\"position\": [0, 0, 0.6]}},"
        "{\"shape\": \"sphere\", \"radius\": 0.1, \"fixed\": true, \"pose\": {\"position\": [1, 0, 0.6]}}]"));
    pli_world *world = world_of(scene);
    step(scene, world, 0, 12);
    // Velocities lead by a substep: z = 0.6 - g (t^2 + t h) / 2.
    assert_at(state_of(world, 0).pose.position, 0, 0, 0.6f - 0.5f * 9.81f * (0.04f + 0.2f / 600.0f), 1e-3f);
    step(scene, world, 12, 120);
    assert_at(state_of(world, 0).pose.position, 0, 0, 0.1f, 2e-3f);
    assert_at(state_of(world, 1).pose.position, 1, 0, 0.6f, 1e-6f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

// A motor turns a wheel by 90 degrees a second about its hinge, whose anchor is the body's position.
static void motors_turn(void **unused)
{
    (void)unused;
    pli_scene *scene = load(SCENE("\"bodies\": [" NAMED(
        "wheel", "\"mass\": 1, \"pose\": {\"position\": [0, 1, 0]}") "],"
                                                                     "\"joints\": [{\"type\": \"hinge\", \"body\": "
                                                                     "\"wheel\", \"axis\": [0, 0, 2], \"motor\": "
                                                                     "{\"speed\": 90, \"force\": "
                                                                     "100}}]"));
    pli_world *world = world_of(scene);
    step(scene, world, 0, 60);
    assert_at(state_of(world, 0).pose.position, 0, 1, 0, 1e-4f);
    assert_at(state_of(world, 0).angular_velocity, 0, 0, 1.57079633f, 1e-3f);
    pli_quat q = state_of(world, 0).pose.rotation;
    assert_true(fabsf(fabsf(q.z) - sinf(0.78539816f)) < 5e-3f && fabsf(fabsf(q.w) - cosf(0.78539816f)) < 5e-3f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

// A door on a hinge with another body falls to its limit, 30 degrees.
static void limits_are_in_degrees(void **unused)
{
    (void)unused;
    pli_scene *scene = load(SCENE("\"bodies\": [" NAMED(
        "door",
        "\"half_extents\": [0.4, 0.05, 0.05], \"pose\": {\"position\": [0.6, 1, "
        "0]}") ", " NAMED("post",
                          "\"half_extents\": [0.05, 0.05, 0.05], \"fixed\": true, \"pose\": {\"position\": [0, 1, "
                          "0]}") "],"
                                 "\"joints\": [{\"type\": \"hinge\", \"body\": \"door\", \"to\": \"post\", "
                                 "\"anchor\": [0, 1, 0],"
                                 " \"axis\": [0, 0, 1], \"limits\": [-30, 0]}]"));
    pli_world *world = world_of(scene);
    step(scene, world, 0, 180);
    assert_at(state_of(world, 0).pose.position, 0.6f * 0.8660254f, 1.0f - 0.3f, 0, 5e-3f);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

static void wrong_bodies_are_refused(void **unused)
{
    (void)unused;
    const pli_status bad = PLI_STATUS_INVALID_ARGUMENT;
    expect(SCENE("\"bodies\": [{\"mass\": 1}]"), bad, "bodies[0]", "exactly one of shapes and shape");
    expect(SCENE("\"bodies\": [{\"shapes\": []}]"), bad, "bodies[0].shapes", "at least one");
    expect(SCENE("\"bodies\": [{\"shape\": \"sphere\", \"shapes\": [{\"shape\": \"box\"}]}]"), bad, "bodies[0]",
           "one of");
    expect(SCENE("\"bodies\": [{\"shape\": \"plane\"}]"), bad, "bodies[0].shape", "sphere, capsule, box, hull");
    expect(SCENE("\"bodies\": [{\"shape\": \"sphere\", \"mass\": 0}]"), bad, "bodies[0].mass", "[kg]");
    expect(SCENE("\"bodies\": [{\"shape\": \"sphere\", \"mass\": 1, \"density\": 2}]"), bad, "bodies[0].mass",
           "density");
    expect(SCENE("\"bodies\": [{\"shape\": \"hull\"}]"), bad, "bodies[0]", "'mesh'");
    expect(SCENE("\"bodies\": [{\"shape\": \"box\", \"mesh\": {\"sphere\": {}}}]"), bad, "bodies[0].mesh", "hull");
    expect(SCENE("\"bodies\": [{\"shapes\": [{\"shape\": \"hull\", \"mesh\": {}}]}]"), bad, "bodies[0].shapes[0].mesh",
           "exactly one");
    expect(SCENE("\"bodies\": [{\"shape\": \"hull\", \"mesh\": {\"grid\": {}}}]"), PLI_STATUS_INVALID_MESH, "bodies[0]",
           "plane");
    expect(SCENE("\"bodies\": [" NAMED("a", "\"mass\": 1") ", " NAMED("a", "\"mass\": 2") "]"), bad, "bodies[1].name",
           "bodies[0]");
    expect(SCENE("\"bodies\": [" NAMED("a", "\"colour\": [0, 0, 0], \"weight\": 1") "]"), PLI_STATUS_NOT_FOUND,
           "bodies[0].weight", "there are name,");
    expect(SCENE("\"bodies\": [" NAMED("a", "\"densty\": 1") "]"), PLI_STATUS_NOT_FOUND, "bodies[0].densty",
           "did you mean 'density'");
}

static void wrong_joints_are_refused(void **unused)
{
    (void)unused;
    const pli_status bad = PLI_STATUS_INVALID_ARGUMENT;
#define JOINT(...) SCENE("\"bodies\": [" NAMED("door", "\"mass\": 1") "], \"joints\": [{" __VA_ARGS__ "}]")
    expect(JOINT("\"type\": \"hinge\", \"body\": \"dor\""), PLI_STATUS_NOT_FOUND, "joints[0].body", "'door'");
    expect(JOINT("\"type\": \"hinge\", \"body\": \"door\", \"to\": \"x\""), PLI_STATUS_NOT_FOUND, "joints[0].to",
           "'x'");
    expect(JOINT("\"type\": \"hinge\""), bad, "joints[0]", "'body' is missing");
    expect(JOINT("\"type\": \"hing\", \"body\": \"door\""), bad, "joints[0].type", "'hinge'");
    expect(JOINT("\"type\": \"hinge\", \"body\": \"door\", \"axis\": [0, 0, 0]"), bad, "joints[0].axis", "is zero");
    expect(JOINT("\"type\": \"ball\", \"body\": \"door\", \"motor\": {\"force\": 1}"), bad, "joints[0]",
           "hinges and sliders");
    expect(JOINT("\"type\": \"hinge\", \"body\": \"door\", \"motor\": {\"speed\": 1}"), bad, "joints[0].motor",
           "'force'");
    expect(JOINT("\"type\": \"slider\", \"body\": \"door\", \"limits\": [1, 0]"), bad, "joints[0]", "minimum");
    expect(JOINT("\"type\": \"hinge\", \"body\": \"door\", \"limits\": [0, 200]"), bad, "joints[0]", "half a turn");
    expect(JOINT("\"type\": \"fixed\", \"body\": \"door\", \"to\": \"door\""), bad, "joints[0]", "itself");
}

static void wrong_references_are_refused(void **unused)
{
    (void)unused;
    const pli_status bad = PLI_STATUS_INVALID_ARGUMENT;
    expect(SCENE(CLOTH "\"attachments\": [{\"corners\": true, \"body\": \"x\"}]}]"), PLI_STATUS_NOT_FOUND,
           "deformables[0].attachments[0].body", "no body has a name");
    expect(SCENE("\"bodies\": [" NAMED(
               "a", "\"mass\": 1") "], " CLOTH
                                   "\"attachments\": [{\"corners\": true, \"body\": \"a\", \"held\": true}]}]"),
           bad, "deformables[0].attachments[0]", "leave out");
    expect(SCENE("\"bodies\": [" NAMED("a", "\"mass\": 1") "],"
                                                           "\"colliders\": [{\"shape\": \"plane\", \"body\": \"a\"}]"),
           bad, "colliders[0]", "box");
    expect(SCENE("\"bodies\": [" NAMED(
               "a", "\"mass\": 1") "],"
                                   "\"colliders\": [{\"shape\": \"box\", \"body\": \"a\", \"motion\": {}}]"),
           bad, "colliders[0]", "leave out motion");
    loaded l = check(SCENE(
        "\"bodies\": [" NAMED("a", "\"mass\": 1") "],"
                                                  "\"colliders\": [{\"shape\": \"mesh\", \"mesh\": {\"grid\": {}}}]"));
    assert_int_equal(l.count, 1);
    assert_true(l.messages[0].warning && strstr(l.messages[0].text, "pass through"));
    pli_scene_destroy(l.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_as_the_scene_says),
        cmocka_unit_test(bodies_fall_on_colliders),
        cmocka_unit_test(motors_turn),
        cmocka_unit_test(limits_are_in_degrees),
        cmocka_unit_test(wrong_bodies_are_refused),
        cmocka_unit_test(wrong_joints_are_refused),
        cmocka_unit_test(wrong_references_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
