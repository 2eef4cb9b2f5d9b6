// Materials and painted numbers of scenes: what arrives in the world, what a scene says itself has precedence, and mistakes name file, key and
// what to do.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include <pliant/pliant.h>

#include <math.h>

#define SHEET "\"mesh\": {\"grid\": {\"columns\": 5, \"rows\": 5}}"

// The world of a scene with one deformable.
static pli_world *world_with(const char *keys)
{
    char text[1200];
    snprintf(text, sizeof text, "{\"pliant\": 1, \"deformables\": [{%s}]}", keys);
    pli_scene *scene = load(text);
    pli_world *world = world_of(scene);
    pli_scene_destroy(scene);
    return world;
}

static pli_deformable_def def_of(const pli_world *world)
{
    pli_deformable_def def;
    assert_int_equal(pli_deformable_get_def(world, pli_world_deformable_at(world, 0), &def, NULL), PLI_STATUS_OK);
    return def;
}

static double parameter(const pli_world *world, int32_t set, const char *type, const char *name)
{
    pli_constraint_set_info info;
    double value;
    pli_constraint_set handle = pli_world_constraint_set_at(world, set);
    assert_int_equal(pli_constraint_set_get_info(world, handle, &info, NULL), PLI_STATUS_OK);
    assert_string_equal(info.type->name, type);
    assert_int_equal(pli_constraint_set_read_parameter(world, handle, name, &value, NULL), PLI_STATUS_OK);
    return value;
}

static void near(double value, double expected) { assert_true(fabs(value - expected) <= 1e-5 * fabs(expected)); }

static void a_name_gives_all_numbers(void **state)
{
    (void)state;
    pli_world *world = world_with(SHEET ", \"material\": \"denim\"");
    pli_deformable_def def = def_of(world);
    near((double)def.density, 0.4);
    near((double)def.thickness, 9.9e-4);
    near((double)def.friction, 0.5);
    near((double)def.plate.rigidity, 1.5e-4);
    near((double)def.plate.poisson, 0.25);
    assert_int_equal(def.stretch_limit.kind, PLI_STRETCH_HIERARCHY);
    assert_int_equal(pli_world_constraint_set_count(world), 1);
    near(parameter(world, 0, "distance", "compliance"), 1.0 / 9400.0);
    pli_world_destroy(world);
    world = world_with(SHEET
                       ", \"material\": \"rubber\""); // It stretches by its own weight: by triangles, without a limit.
    near(parameter(world, 0, "membrane", "warp"), 750.0);
    near(parameter(world, 0, "membrane", "weft"), 750.0);
    near(parameter(world, 0, "membrane", "poisson"), 0.49);
    assert_int_equal(def_of(world).stretch_limit.kind, PLI_STRETCH_AUTO);
    near((double)def_of(world).plate.rigidity, 1.5e6 * 1.25e-10 / 12.0 / (1.0 - 0.49 * 0.49));
    pli_world_destroy(world);
}

static void what_a_scene_says_has_precedence(void **state)
{
    (void)state;
    pli_world *world = world_with(
        SHEET ", \"density\": 1, \"material\": {\"preset\": \"mylar\", \"density\": 2, \"tensile_stiffness\": 1e5,"
              " \"bending_length\": 0.02}, \"stretch_limit\": {\"kind\": \"none\"},"
              " \"plate\": {\"poisson\": 0.1}");
    pli_deformable_def def = def_of(world);
    near((double)def.density, 1.0);
    near((double)def.plate.rigidity, 2.0 * 9.80665 * 8e-6); // With the material's own density.
    near((double)def.plate.poisson, 0.1);
    assert_int_equal(def.stretch_limit.kind, PLI_STRETCH_NONE);
    near(parameter(world, 0, "distance", "compliance"), 1e-5); // Not from the preset's Young's modulus.
    pli_world_destroy(world);
    world = world_with(
        SHEET ", \"material\": \"cotton\", \"constraints\": [{\"type\": \"distance\"}, {\"type\": \"isometric\"},"
              " {\"type\": \"dihedral\", \"compliance\": 3}, {\"type\": \"distance\", \"name\": \"own\", "
              "\"compliance\": 7}]");
    near(parameter(world, 0, "distance", "compliance"), 1.0 / 9800.0);
    near(parameter(world, 1, "isometric", "rigidity"), 1e-5);
    near(parameter(world, 1, "isometric", "damping"), 0.2 / (2.0 * acos(-1.0)));
    near(parameter(world, 2, "dihedral", "compliance"), 3.0);
    assert_true(parameter(world, 2, "dihedral", "rigidity") == 0.0);
    near(parameter(world, 3, "distance", "compliance"), 7.0);
    assert_true(def_of(world).plate.rigidity == 0.0f); // What bends is among the constraints.
    pli_world_destroy(world);
}

// The world of a square grid of so many vertices a side.
static pli_world *world_of_grid(int vertices, double size, const char *keys)
{
    char text[500];
    snprintf(text, sizeof text, "\"mesh\": {\"grid\": {\"columns\": %d, \"rows\": %d, \"width\": %g, \"depth\": %g}}%s",
             vertices, vertices, size, size, keys);
    return world_with(text);
}

static void a_rigidity_chooses_what_bends(void **state)
{
    (void)state;
    pli_world *world = world_of_grid(9, 1.0, ", \"rigidity\": 1e-6");
    near((double)def_of(world).plate.rigidity, 1e-6); // Small: a plate, though sweeps would hold it.
    near((double)def_of(world).plate.poisson, 0.3);
    pli_world_destroy(world);
    world = world_of_grid(65, 65.0, ", \"rigidity\": 1e-6, \"constraints\": [{\"type\": \"distance\"}]");
    assert_true(def_of(world).plate.rigidity == 0.0f); // Large and soft.
    near(parameter(world, 1, "isometric", "rigidity"), 1e-6);
    pli_world_destroy(world);
    world = world_of_grid(65, 1.0, ", \"rigidity\": 1e-4"); // Large and stiff: 4 S is some .1.
    near((double)def_of(world).plate.rigidity, 1e-4);
    pli_world_destroy(world);
    world = world_of_grid(9, 1.0, ", \"rigidity\": 1e-4, \"constraints\": [{\"type\": \"dihedral\"}]");
    assert_true(def_of(world).plate.rigidity == 0.0f); // It was asked for.
    near(parameter(world, 0, "dihedral", "rigidity"), 1e-4);
    pli_world_destroy(world);
    world = world_of_grid(9, 1.0, ", \"rigidity\": 1e-4, \"plate\": {\"rigidity\": 2e-4}");
    near((double)def_of(world).plate.rigidity, 2e-4);
    pli_world_destroy(world);
    pli_mesh *ball = NULL;
    assert_int_equal(pli_mesh_create_sphere(5, 100.0f, &ball, NULL), PLI_STATUS_OK);
    assert_string_equal(pli_bending_choose(ball, 0.2, 1e-6, 1.0 / 600.0), "dihedral");
    assert_string_equal(pli_bending_choose(ball, 0.2, 1e6, 1.0 / 600.0), "plate");
    pli_mesh_destroy(ball);
}

static void a_made_set_has_a_path(void **state)
{
    (void)state;
    pli_scene *scene = load("{\"pliant\": 1, \"deformables\": [{\"name\": \"cloth\", \"material\": \"silk\", " SHEET
                            "}], \"keyframes\": [{\"path\": "
                            "\"deformables.cloth.constraints.distance.compliance\", \"keys\": [[0, 0.5]]}]}");
    pli_world *world = world_of(scene);
    assert_int_equal(pli_scene_step(scene, world, 0, NULL), PLI_STATUS_OK);
    near(parameter(world, 0, "distance", "compliance"), 0.5);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
}

/* ---- painted ------------------------------------------------------------------------------------- */

// A square of two triangles, with a number by vertex and one by face.
static void write_square(void)
{
    write_text("square.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
                             "float z\nproperty float weight\n"
                             "element face 2\nproperty list uchar int vertex_indices\nproperty float grip\nend_header\n"
                             "0 0 0 0\n1 0 0 1\n1 0 1 1\n0 0 1 0.5\n3 0 2 1 0.25\n3 0 3 2 0.75\n");
}

#define SQUARE "\"mesh\": {\"file\": \"square.ply\"}"

static void attributes_paint(void **state)
{
    (void)state;
    write_square();
    pli_world *world = world_with(
        SQUARE
        ", \"painted\": {\"density\": {\"attribute\": \"weight\", \"from\": 0.2, \"to\": 0.6},"
        " \"friction\": {\"attribute\": \"grip\"}}, \"constraints\": [{\"type\": \"distance\", \"compliance\": 1e-3,"
        " \"painted\": {\"attribute\": \"weight\", \"from\": 1, \"to\": 4}}]");
    pli_deformable sheet = pli_world_deformable_at(world, 0);
    int32_t stride;
    const float *w = pli_deformable_inverse_masses(world, sheet, &stride);
    const double densities[4] = {0.2, 0.6, 0.6, 0.4}, areas[4] = {1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int v = 0; v < 4; v++)
        near((double)*(const float *)(const void *)((const char *)w + v * stride), 1.0 / (densities[v] * areas[v]));
    pli_world_destroy(world);
}

static void expect_error(const char *keys, const char *path, const char *first, const char *second)
{
    char text[900];
    snprintf(text, sizeof text, "{\"pliant\": 1, \"deformables\": [{%s}]}", keys);
    loaded result = load_with(text, false, NULL);
    if (result.status == PLI_STATUS_OK || strcmp(result.messages[0].path, path) != 0 ||
        !strstr(result.messages[0].text, first) || !strstr(result.messages[0].text, second))
        fail_msg("%s: %d: '%s': %s", keys, (int)result.status, result.messages[0].path, result.messages[0].text);
    pli_scene_destroy(result.scene);
}

static void mistakes_name_file_and_key(void **state)
{
    (void)state;
    write_square();
    expect_error(SHEET ", \"material\": \"denm\"", "deformables[0].material", "denm", "denim");
    expect_error(SHEET ", \"material\": {\"preset\": 3}", "deformables[0].material.preset", "not a text", "silk");
    expect_error(SHEET ", \"material\": {\"density\": -1}", "deformables[0].material.density", "-1", "kg/m^2");
    expect_error(SHEET ", \"material\": {\"density\": 1e9, \"bending_length\": 50}", "deformables[0].material",
                 "rigidity", "bending_length");
    expect_error(SHEET ", \"constraints\": [{\"type\": \"stick\", \"tensile_stiffness\": 5}]",
                 "deformables[0].constraints[0].tensile_stiffness", "distance", "compliance");
    expect_error(SHEET ", \"constraints\": [{\"type\": \"distance\", \"compliance\": 1, \"tensile_stiffness\": 5}]",
                 "deformables[0].constraints[0].tensile_stiffness", "compliance", "one of the two");
    expect_error(SQUARE ", \"painted\": {\"density\": {\"attribute\": \"wight\"}}", "deformables[0].painted.density",
                 "square.ply", "weight, grip");
    expect_error(SQUARE ", \"painted\": {\"density\": {\"attribute\": \"weight\"}}", "deformables[0].painted.density",
                 "vertex 0", "from");
    expect_error(SQUARE ", \"painted\": {\"friction\": {\"attribute\": \"grip\", \"component\": 1}}",
                 "deformables[0].painted.friction", "grip", "0 to 0");
    expect_error(SQUARE ", \"rigidity\": 1, \"painted\": {\"rigidity\": {\"attribute\": \"weight\"}}",
                 "deformables[0].painted.rigidity", "vertex 0", "from");
    expect_error(SQUARE ", \"painted\": {\"wetness\": {\"attribute\": \"grip\"}}", "deformables[0].painted.wetness",
                 "unknown key", "density");
    expect_error(SHEET ", \"painted\": {\"friction\": {\"attribute\": \"grip\"}}", "deformables[0].painted.friction",
                 "no file", "PLY");
    expect_error(SQUARE ", \"constraints\": [{\"type\": \"distance\", \"painted\": {\"attribute\": \"weight\"}}]",
                 "deformables[0].constraints[0].painted", "stiffness", "1e-06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_gives_all_numbers),   cmocka_unit_test(what_a_scene_says_has_precedence),
        cmocka_unit_test(a_made_set_has_a_path),      cmocka_unit_test(attributes_paint),
        cmocka_unit_test(mistakes_name_file_and_key), cmocka_unit_test(a_rigidity_chooses_what_bends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
