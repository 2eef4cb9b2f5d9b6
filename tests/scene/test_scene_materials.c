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
    pli_constraints_info info;
    double value;
    pli_constraints handle = pli_world_constraints_at(world, set);
    assert_int_equal(pli_constraints_get_info(world, handle, &info, NULL), PLI_STATUS_OK);
    assert_string_equal(info.type->name, type);
    assert_int_equal(pli_constraints_get_parameter(world, handle, name, &value, NULL), PLI_STATUS_OK);
    return value;
}

static void near(double value, double expected) { assert_true(fabs(value - expected) <= 1e-5 * fabs(expected)); }

static void a_name_gives_all_numbers(void **state)
{
    (void)state;
    pli_world *world = world_with(SHEET ", \"material\": \"denim\"");
    pli_deformable_def def = def_of(world);
    near((double)def.density, 0.4);
    near((double)def.thickness, 1e-3);
    near((double)def.friction, 0.5);
    near((1.0 - 0.25 * 0.25) * (double)def.plate.rigidity, 1.5e-4); // A strip of denim has this.
    near((double)def.plate.poisson, 0.25);
    assert_int_equal(def.stretch, PLI_STRETCH_AUTO);
    assert_int_equal(pli_world_constraints_count(world), 1);
    near(parameter(world, 0, "membrane", "warp"), 9400.0);
    near(parameter(world, 0, "membrane", "weft"), 9400.0);
    near(parameter(world, 0, "membrane", "poisson"), 0.25);
    pli_world_destroy(world);
    world = world_with(SHEET ", \"material\": \"rubber\"");
    near(parameter(world, 0, "membrane", "warp"), 750.0);
    near(parameter(world, 0, "membrane", "weft"), 750.0);
    near(parameter(world, 0, "membrane", "poisson"), 0.49);
    assert_int_equal(def_of(world).stretch, PLI_STRETCH_AUTO);
    near((double)def_of(world).plate.rigidity, 1.5e6 * 1.25e-10 / 12.0 / (1.0 - 0.49 * 0.49));
    pli_world_destroy(world);
}

static pli_stretch stretch_in_effect(const pli_world *world)
{
    pli_stretch stretch;
    assert_int_equal(pli_deformable_get_stretch(world, pli_world_deformable_at(world, 0), NULL, &stretch, NULL),
                     PLI_STATUS_OK);
    return stretch;
}

// A material's stretch is solved, and acts, unless a scene has other constraints or an order in which nothing is solved.
static void stretch_of_a_material_acts(void **state)
{
    (void)state;
    pli_effective_stiffness r;
    pli_world *world = world_with(SHEET ", \"material\": \"denim\"");
    assert_int_equal(stretch_in_effect(world), PLI_STRETCH_SOLVED);
    assert_int_equal(
        pli_deformable_get_effective_stiffness(world, pli_world_deformable_at(world, 0), 1.0 / 60.0, &r, NULL),
        PLI_STATUS_OK);
    near(r.tensile_effective, 9400.0);
    pli_world_destroy(world);
    // A force tears edges, which are swept.
    world = world_with(SHEET ", \"material\": \"denim\", \"tearing\": {\"force\": 20}");
    near(parameter(world, 0, "distance", "compliance"), 1.0 / 9400.0);
    assert_int_equal(stretch_in_effect(world), PLI_STRETCH_SWEPT);
    pli_world_destroy(world);
    world = world_with(SHEET ", \"material\": \"denim\", \"tearing\": {\"stretch\": 1.4}");
    assert_int_equal(stretch_in_effect(world), PLI_STRETCH_SOLVED);
    pli_world_destroy(world);
    world = world_with(SHEET ", \"material\": \"denim\", \"constraints\": [{\"type\": \"distance\"}]");
    assert_int_equal(stretch_in_effect(world), PLI_STRETCH_SWEPT);
    assert_int_equal(
        pli_deformable_get_effective_stiffness(world, pli_world_deformable_at(world, 0), 1.0 / 60.0, &r, NULL),
        PLI_STATUS_OK);
    assert_true(r.tensile_effective < 0.6 * 9400.0);
    pli_world_destroy(world);
}

static void what_a_scene_says_has_precedence(void **state)
{
    (void)state;
    pli_world *world = world_with(
        SHEET ", \"density\": 1, \"material\": {\"preset\": \"mylar\", \"density\": 2, \"tensile_stiffness\": 1e5,"
              " \"bending_length\": 0.02}, \"stretch\": \"swept\","
              " \"plate\": {\"poisson\": 0.1}");
    pli_deformable_def def = def_of(world);
    near((double)def.density, 1.0);
    near((1.0 - 0.38 * 0.38) * (double)def.plate.rigidity, // With the Poisson ratio of mylar,
         2.0 * 9.80665 * 8e-6);                            // and the material's own density.
    near((double)def.plate.poisson, 0.1);
    assert_int_equal(def.stretch, PLI_STRETCH_SWEPT);
    near(parameter(world, 0, "membrane", "warp"), 1e5); // Not from the preset's Young's modulus.
    assert_int_equal(stretch_in_effect(world), PLI_STRETCH_SWEPT);
    pli_world_destroy(world);
    world = world_with(
        SHEET ", \"material\": \"cotton\", \"constraints\": [{\"type\": \"distance\"}, {\"type\": \"isometric\"},"
              " {\"type\": \"dihedral\", \"compliance\": 3}, {\"type\": \"distance\", \"name\": \"own\", "
              "\"compliance\": 7}]");
    near(parameter(world, 0, "distance", "compliance"), 1.0 / 9800.0);
    near((1.0 - 0.243 * 0.243) * parameter(world, 1, "isometric", "rigidity"), 1e-5);
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
    near((double)def_of(world).plate.rigidity, 1e-6);
    near((double)def_of(world).plate.poisson, 0.3);
    pli_world_destroy(world);
    world = world_of_grid(65, 65.0, ", \"rigidity\": 1e-6, \"constraints\": [{\"type\": \"distance\"}]");
    near((double)def_of(world).plate.rigidity, 1e-6); // The same model on every mesh.
    pli_world_destroy(world);
    world = world_of_grid(9, 1.0, ", \"rigidity\": 1e-4, \"constraints\": [{\"type\": \"dihedral\"}]");
    assert_true(def_of(world).plate.rigidity == 0.0f); // It was asked for.
    near(parameter(world, 0, "dihedral", "rigidity"), 1e-4);
    pli_world_destroy(world);
    world = world_of_grid(9, 1.0, ", \"rigidity\": 1e-4, \"plate\": {\"rigidity\": 2e-4}");
    near((double)def_of(world).plate.rigidity, 2e-4);
    pli_world_destroy(world);
    for (int32_t columns = 300; columns <= 301; columns++) {
        pli_mesh *mesh = NULL;
        assert_int_equal(pli_mesh_create_grid(columns, 1000, 1.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, NULL),
                         PLI_STATUS_OK);
        assert_string_equal(pli_mesh_recommended_bending(mesh), columns == 300 ? "plate" : "dihedral");
        pli_mesh_destroy(mesh);
    }
}

static void a_made_set_has_a_path(void **state)
{
    (void)state;
    pli_scene *scene = load("{\"pliant\": 1, \"deformables\": [{\"name\": \"cloth\", \"material\": \"silk\", " SHEET
                            "}], \"keyframes\": [{\"path\": "
                            "\"deformables.cloth.constraints.membrane.warp\", \"keys\": [[0, 0.5]]}]}");
    pli_world *world = world_of(scene);
    assert_int_equal(pli_scene_step(scene, world, 0, NULL), PLI_STATUS_OK);
    near(parameter(world, 0, "membrane", "warp"), 0.5);
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

// A list has a number for each vertex.
static void lists_paint(void **state)
{
    (void)state;
    write_square();
    pli_world *world = world_with(SQUARE ", \"painted\": {\"density\": {\"values\": [0.25, 0.5, 1, 2]}}");
    int32_t stride;
    const float *w = pli_deformable_inverse_masses(world, pli_world_deformable_at(world, 0), &stride);
    const double densities[4] = {0.25, 0.5, 1.0, 2.0}, areas[4] = {1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int v = 0; v < 4; v++)
        near((double)*(const float *)(const void *)((const char *)w + v * stride), 1.0 / (densities[v] * areas[v]));
    pli_world_destroy(world);
}

// Yield is what is asked for at the least place; damping is that of the sets, which stand in the scene behind it.
static void yield_and_damping_are_painted(void **state)
{
    (void)state;
    write_square();
    pli_world *world = world_with(
        SQUARE ", \"plate\": {\"rigidity\": 1e-4}, \"painted\": {\"yield\": {\"values\": [30, 40, 50, 60]}, "
               "\"hardening\": {\"attribute\": \"grip\"}}");
    pli_effective_stiffness found;
    assert_int_equal(
        pli_deformable_get_effective_stiffness(world, pli_world_deformable_at(world, 0), 1.0 / 60.0, &found, NULL),
        PLI_STATUS_OK);
    near(found.yield, 40.0); // The mean of vertices 0, 1 and 2.
    pli_world_destroy(world);
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        char keys[320];
        snprintf(keys, sizeof keys,
                 SQUARE ", \"painted\": {%s}, \"constraints\": [{\"type\": \"distance\", \"compliance\": 0.1, "
                        "\"damping\": %g}], \"attachments\": [{\"particles\": [0]}]",
                 i == 0 ? "\"damping\": {\"values\": [4, 4, 4, 4]}" : "", i == 1 ? 0.5 : 0.125);
        world = world_with(keys);
        for (int frame = 0; frame < 10; frame++)
            assert_int_equal(pli_world_step(world, 1.0f / 60.0f, NULL), PLI_STATUS_OK);
        hashes[i] = pli_world_hash(world);
        pli_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

// A pressure by face pushes the corner that only one face has by p A / 3; a thickness by vertex is where each comes to rest.
static void pressure_and_thickness_are_painted(void **state)
{
    (void)state;
    write_square();
    pli_world *world = world_with(SQUARE
                                  ", \"density\": 0.3, \"painted\": {\"pressure\": {\"attribute\": \"grip\", "
                                  "\"from\": -4, \"to\": 36}, \"thickness\": {\"attribute\": \"weight\", \"from\": "
                                  "0.002, \"to\": 0.01}}, \"constraints\": []");
    pli_settings settings = pli_world_settings(world);
    settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f}, settings.substeps = 1, settings.damping = 0.0f;
    assert_int_equal(pli_world_set_settings(world, &settings, NULL), PLI_STATUS_OK);
    assert_int_equal(pli_world_step(world, 0.01f, NULL), PLI_STATUS_OK);
    const pli_deformable sheet = pli_world_deformable_at(world, 0);
    // Vertex 1 has a third of the area of its face, so that p / density is left; the faces look up.
    near((double)pli_view_at(pli_deformable_velocities(world, sheet), 1)[1], 0.01 * 6.0 / 0.3);
    near((double)pli_view_at(pli_deformable_velocities(world, sheet), 3)[1], 0.01 * 26.0 / 0.3);
    assert_int_equal(pli_deformable_paint(world, sheet, "pressure", PLI_ELEMENT_FACE, NULL, 0, NULL), PLI_STATUS_OK);
    settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    assert_int_equal(pli_world_set_settings(world, &settings, NULL), PLI_STATUS_OK);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE, def.thickness = 0.0f, def.pose.position.y = -0.05f;
    pli_collider ground;
    assert_int_equal(pli_collider_create(world, &def, &ground, NULL), PLI_STATUS_OK);
    for (int frame = 0; frame < 60; frame++)
        assert_int_equal(pli_world_step(world, 1.0f / 60.0f, NULL), PLI_STATUS_OK);
    const double heights[4] = {0.002, 0.01, 0.01, 0.006};
    for (int v = 0; v < 4; v++)
        assert_true(fabs((double)pli_view_at(pli_deformable_positions(world, sheet), v)[1] + 0.05 - heights[v]) < 1e-6);
    pli_world_destroy(world);
}

/* ---- images -------------------------------------------------------------------------------------- */

// Images that zlib 1.2.13 has packed in its three ways, with a filter of each kind in turn, their data in two chunks. Number c of the pixel
// (x, y) is (13 x + 7 y^2 + 50 c) modulo 256, or of 16 bits (1300 x + 700 y^2 + 5000 c) modulo 65536.
static const unsigned char dynamic_image[] = {
    137, 80,  78,  71,  13,  10,  26,  10,  0,   0,   0,   13,  73,  72,  68,  82,  0,   0,   0,   12,  0,   0,   0,
    11,  8,   2,   0,   0,   0,   196, 18,  251, 8,   0,   0,   0,   20,  73,  68,  65,  84,  120, 218, 99,  96,  48,
    74,  225, 181, 47,  148, 242, 169, 83,  143, 236, 54,  73,  155, 225, 88,  194, 253, 162, 192, 0,   0,   0,   140,
    73,  68,  65,  84,  188, 212, 175, 97,  83,  116, 239, 254, 140, 89,  103, 74,  151, 223, 108, 218, 242, 172, 255,
    224, 103, 70,  118, 203, 108, 94,  66,  128, 73,  148, 8,   192, 108, 232, 149, 44,  129, 19,  204, 128, 80,  44,
    134, 134, 134, 56,  44,  49,  132, 211, 12,  235, 31,  10,  239, 121, 167, 112, 242, 183, 238, 53,  14,  171, 199,
    162, 238, 31,  148, 66,  254, 234, 39,  114, 217, 228, 137, 123, 86,  171, 132, 117, 24,  38,  79,  181, 43,  88,
    196, 248, 71,  47,  129, 176, 195, 163, 137, 0,   204, 83,  215, 29,  183, 182, 222, 13,  66,  187, 161, 104, 55,
    130, 9,   145, 176, 102, 41,  47,  47,  7,   153, 88,  14,  53,  185, 28,  155, 117, 12,  4,   93,  237, 93,  187,
    30,  0,   6,   239, 99,  59,  205, 239, 57,  66,  0,   0,   0,   0,   73,  69,  78,  68,  174, 66,  96,  130};
static const unsigned char fixed_image[] = {
    137, 80,  78,  71,  13,  10,  26,  10,  0,   0,   0,   13,  73,  72,  68, 82,  0,   0,   0,   6,   0,   0,
    0,   6,   16,  4,   0,   0,   0,   26,  85,  251, 128, 0,   0,   0,   20, 73,  68,  65,  84,  120, 1,   99,
    96,  96,  16,  238, 96,  21,  145, 152, 195, 165, 33,  187, 129, 223, 70, 233, 136, 33,  136, 134, 139, 0,
    0,   0,   82,  73,  68,  65,  84,  72,  128, 250, 13,  201, 20,  157, 55, 140, 76,  123, 196, 92,  88,  69,
    16,  144, 13,  74,  51,  113, 152, 112, 152, 112, 34,  97,  24,  100, 22, 86,  145, 125, 193, 153, 192, 245,
    0,   25,  115, 1,   49,  139, 176, 138, 176, 10,  134, 81,  64,  17,  6,  151, 152, 240, 39,  158, 5,   49,
    63,  252, 90,  146, 120, 130, 103, 164, 43,  68,  172, 201, 49,  137, 61, 80,  232, 1,   0,   250, 199, 30,
    234, 210, 183, 255, 183, 0,   0,   0,   0,   73,  69,  78,  68,  174, 66, 96,  130};
static const unsigned char stored_image[] = {
    137, 80, 78, 71, 13,  10, 26, 10,  0,  0,   0,   13,  73,  72, 68,  82, 0,   0,  0,  3,  0,  0,   0,   5,  8,
    0,   0,  0,  0,  165, 26, 9,  126, 0,  0,   0,   20,  73,  68, 65,  84, 120, 1,  1,  20, 0,  235, 255, 0,  0,
    13,  26, 1,  7,  13,  13, 2,  21,  21, 21,  3,   210, 181, 34, 226, 0,  0,   0,  11, 73, 68, 65,  84,  49, 24,
    24,  4,  49, 13, 13,  10, 95, 1,   62, 184, 219, 89,  155, 0,  0,   0,  0,   73, 69, 78, 68, 174, 66,  96, 130};

static const struct {
    const unsigned char *bytes;
    size_t size;
    int width, height, channels, bits;
} images[] = {
    {dynamic_image, sizeof dynamic_image, 12, 11, 3, 8},
    {fixed_image, sizeof fixed_image, 6, 6, 2, 16},
    {stored_image, sizeof stored_image, 3, 5, 1, 8},
};

static void write_image(const unsigned char *bytes, size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "%s/image.png", folder());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static double number_of(int x, int y, int c, int bits)
{
    return bits == 8 ? (13 * x + 7 * y * y + 50 * c) % 256 / 255.0
                     : (1300 * x + 700 * y * y + 5000 * c) % 65536 / 65535.0;
}

static double mass_of(const pli_world *world, int vertex)
{
    int32_t stride;
    const float *w = pli_deformable_inverse_masses(world, pli_world_deformable_at(world, 0), &stride);
    return 1.0 / (double)*(const float *)(const void *)((const char *)w + vertex * stride);
}

// A grid of two cells a pixel has a vertex in the middle of each, whose mass is that of its area.
static void images_cover_grids(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof images / sizeof *images; k++)
        for (int c = 0; c < images[k].channels; c++) {
            const int columns = 2 * images[k].width + 1, rows = 2 * images[k].height + 1;
            char keys[400];
            write_image(images[k].bytes, images[k].size);
            snprintf(keys, sizeof keys,
                     "\"mesh\": {\"grid\": {\"columns\": %d, \"rows\": %d, \"width\": %d, \"depth\": %d, \"pattern\": "
                     "\"quads\"}}, \"painted\": {\"density\": {\"image\": \"image.png\", \"component\": %d, \"from\": "
                     "1, \"to\": 3}}",
                     columns, rows, columns - 1, rows - 1, c);
            pli_world *world = world_with(keys);
            for (int y = 0; y < images[k].height; y++)
                for (int x = 0; x < images[k].width; x++)
                    near(mass_of(world, (2 * y + 1) * columns + 2 * x + 1),
                         1.0 + 2.0 * number_of(x, y, c, images[k].bits));
            pli_world_destroy(world);
        }
}

// A square with the texture coordinates of the middles of the pixels of one row: 0, 1/3, 2/3, 1.
static void images_follow_texture_coordinates(void **state)
{
    (void)state;
    static const unsigned char ramp[] = {137, 80, 78,  71,  13, 10, 26,  10,  0,   0,  0,   13, 73,  72,  68, 82, 0,
                                         0,   0,  4,   0,   0,  0,  1,   8,   0,   0,  0,   0,  220, 87,  80, 17, 0,
                                         0,   0,  13,  73,  68, 65, 84,  120, 218, 99, 96,  8,  93,  245, 31, 0,  3,
                                         87,  1,  255, 242, 56, 96, 255, 0,   0,   0,  0,   73, 68,  65,  84, 53, 175,
                                         6,   30, 0,   0,   0,  0,  73,  69,  78,  68, 174, 66, 96,  130};
    write_image(ramp, sizeof ramp);
    write_text("square.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0.125 0.5\nvt 0.375 0.5\nvt 0.625 0.5\nvt 0.875 "
                             "0.5\nf 1/1 3/3 2/2\nf 1/1 4/4 3/3\n");
    pli_world *world = world_with("\"mesh\": {\"file\": \"square.obj\"}, \"painted\": {\"density\": {\"image\": "
                                  "\"image.png\", \"from\": 1, \"to\": 4}}");
    const double areas[4] = {1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int v = 0; v < 4; v++)
        near(mass_of(world, v), (1.0 + v) * areas[v]);
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

// An image on a grid goes from corner to corner; on a mesh of a file it is at its texture coordinates, which differ by corner along a seam; without
// any it is refused.
static void images_are_seen_on_surfaces(void **state)
{
    (void)state;
    const char *const grid =
        "\"mesh\": {\"grid\": {\"columns\": 2, \"rows\": 2, \"width\": 3, \"depth\": 2, \"pattern\": \"quads\"}}";
    char text[400];
    float at[12];
    write_image(dynamic_image, sizeof dynamic_image);
    snprintf(text, sizeof text, "{\"pliant\": 1, \"deformables\": [{%s, \"look\": {\"image\": \"image.png\"}}, {%s}]}",
             grid, grid);
    loaded l = load_with(text, false, NULL);
    assert_int_equal(l.status, PLI_STATUS_OK);
    const pli_scene_look look = pli_scene_get_look(l.scene, 0);
    const pli_topology *t = pli_mesh_topology(pli_scene_mesh(l.scene, 0));
    assert_true(look.image_width == 12 && look.image_height == 11 && !pli_scene_get_look(l.scene, 1).image);
    for (int i = 0; i < 4 * 12 * 11; i++)
        assert_int_equal(look.image[i], i % 4 == 3 ? 255 : lround(255.0 * number_of(i / 4 % 12, i / 48, i % 4, 8)));
    assert_true(pli_scene_image_coordinates(l.scene, 0, at));
    for (int c = 0; c < 6; c++) {
        const float *p = t->positions + 3 * t->triangles[c];
        near((double)at[2 * c], (double)p[0] / 3.0 + 0.5);
        near((double)at[2 * c + 1], 0.5 - (double)p[2] / 2.0);
    }
    assert_false(pli_scene_image_coordinates(l.scene, 1, at) || pli_scene_image_coordinates(l.scene, -1, at) ||
                 pli_scene_image_coordinates(l.scene, 2, at));
    pli_scene_destroy(l.scene);
    write_text("seam.obj",
               "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nvt 0.25 0\nvt 0 0.75\n"
               "f 1/1 3/3 2/2\nf 1/4 4/5 3/6\n");
    l = load_with("{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"file\": \"seam.obj\"}, \"look\": {\"image\": "
                  "\"image.png\"}}]}",
                  false, NULL);
    assert_int_equal(l.status, PLI_STATUS_OK);
    assert_true(pli_scene_image_coordinates(l.scene, 0, at));
    const double expected[2][4][2] = {{{0, 0}, {1, 0}, {1, 1}, {-1, -1}}, {{0.5, 0.5}, {-1, -1}, {0, 0.75}, {0.25, 0}}};
    t = pli_mesh_topology(pli_scene_mesh(l.scene, 0));
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < 2; k++)
            near((double)at[2 * c + k], expected[c / 3][t->triangles[c]][k]);
    pli_scene_destroy(l.scene);
    write_square();
    expect_error("\"mesh\": {\"file\": \"square.ply\"}, \"look\": {\"image\": \"image.png\"}",
                 "deformables[0].look.image", "no texture coordinates", "grid");
    expect_error("\"mesh\": {\"grid\": {}}, \"look\": {\"image\": \"none.png\"}", "deformables[0].look.image",
                 "none.png", "");
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
    expect_error(SQUARE ", \"painted\": {\"drag\": {\"values\": [1, 1, 2]}}", "deformables[0].painted.drag", "3 values",
                 "4 vertices");
    expect_error(SQUARE ", \"painted\": {\"drag\": {\"values\": [1, 1, 2, -1]}}", "deformables[0].painted.drag",
                 "vertex 3", "0 to 100");
    expect_error(SQUARE ", \"painted\": {\"drag\": {\"values\": [1, \"x\", 2, 1]}}",
                 "deformables[0].painted.drag.values[1]", "number", "");
    expect_error(SQUARE ", \"painted\": {\"drag\": {\"values\": [1, 1, 1, 1], \"attribute\": \"grip\"}}",
                 "deformables[0].painted.drag", "grip", "one of the two");
    expect_error(SQUARE ", \"painted\": {\"friction\": {\"attribute\": \"grip\", \"component\": 1}}",
                 "deformables[0].painted.friction", "grip", "0 to 0");
    expect_error(SQUARE ", \"rigidity\": 1, \"painted\": {\"rigidity\": {\"attribute\": \"weight\"}}",
                 "deformables[0].painted.rigidity", "vertex 0", "from");
    expect_error(SQUARE ", \"painted\": {\"yield\": {\"attribute\": \"weight\"}}", "deformables[0].painted.yield",
                 "vertex 0", "1e-06");
    expect_error(SQUARE ", \"painted\": {\"wetness\": {\"attribute\": \"grip\"}}", "deformables[0].painted.wetness",
                 "unknown key", "thickness");
    expect_error(SHEET ", \"painted\": {\"friction\": {\"attribute\": \"grip\"}}", "deformables[0].painted.friction",
                 "no file", "PLY");
    expect_error(SQUARE ", \"constraints\": [{\"type\": \"distance\", \"painted\": {\"attribute\": \"weight\"}}]",
                 "deformables[0].constraints[0].painted", "stiffness", "1e-06");
}

// No damage crashes, and what is cut off is refused.
static void damaged_images_are_refused(void **state)
{
    (void)state;
    const char *keys = SHEET ", \"painted\": {\"density\": {\"image\": \"image.png\", \"from\": 1, \"to\": 3}}";
    unsigned char bytes[sizeof dynamic_image];
    for (size_t k = 0; k < sizeof images / sizeof *images; k++)
        for (size_t at = 0; at < images[k].size; at += 3) {
            char text[400];
            memcpy(bytes, images[k].bytes, images[k].size);
            bytes[at] ^= (unsigned char)(1 + at * 31 % 255);
            write_image(bytes, images[k].size);
            snprintf(text, sizeof text, "{\"pliant\": 1, \"deformables\": [{%s}]}", keys);
            loaded result = load_with(text, false, NULL);
            pli_scene_destroy(result.scene);
            write_image(images[k].bytes, at);
            expect_error(keys, "deformables[0].painted.density.image", "image.png", "damaged");
        }
    write_image(stored_image, sizeof stored_image);
    expect_error(SHEET ", \"painted\": {\"density\": {\"image\": \"image.png\", \"component\": 1, \"from\": 1}}",
                 "deformables[0].painted.density", "image.png", "no component 1");
    expect_error(SHEET ", \"painted\": {\"density\": {\"image\": \"imag.png\"}}",
                 "deformables[0].painted.density.image", "no file", "imag.png");
    expect_error(SHEET ", \"painted\": {\"density\": {\"from\": 1}}", "deformables[0].painted.density", "neither",
                 "image");
}

/* ---- woven and creased --------------------------------------------------------------------------- */

static void weaves_are_membranes(void **state)
{
    (void)state;
    pli_world *world = world_with(SHEET ", \"material\": {\"preset\": \"cotton\", \"weft_stiffness\": 5000, "
                                        "\"shear_stiffness\": 40, \"warp\": [0, 0, 1]}");
    near(parameter(world, 0, "membrane", "warp"), 9800.0);
    near(parameter(world, 0, "membrane", "weft"), 5000.0);
    near(parameter(world, 0, "membrane", "shear"), 40.0);
    near(parameter(world, 0, "membrane", "warp_z"), 1.0);
    near(parameter(world, 0, "membrane", "warp_x"), 0.0);
    pli_effective_stiffness r;
    assert_int_equal(
        pli_deformable_get_effective_stiffness(world, pli_world_deformable_at(world, 0), 1.0 / 60.0, &r, NULL),
        PLI_STATUS_OK);
    near(r.warp_requested, 9800.0), near(r.weft_requested, 5000.0), near(r.shear_requested, 40.0);
    pli_world_destroy(world);
}

static void presets_yield(void **state)
{
    (void)state;
    pli_world *world = world_with(SHEET ", \"material\": \"paper\"");
    near((double)def_of(world).plate.yield, 73.0);
    near((double)def_of(world).plate.hardening, 0.05);
    pli_effective_stiffness r;
    assert_int_equal(
        pli_deformable_get_effective_stiffness(world, pli_world_deformable_at(world, 0), 1.0 / 60.0, &r, NULL),
        PLI_STATUS_OK);
    near(r.yield, 73.0);
    near(r.yield_limit, sqrt(2.0) / r.length);
    pli_world_destroy(world);
    world = world_with(SHEET ", \"material\": \"paper\", \"constraints\": [{\"type\": \"dihedral\"}, {\"type\": "
                             "\"isometric\", \"yield\": 9}]");
    near(parameter(world, 0, "dihedral", "yield"), 73.0);
    near(parameter(world, 1, "isometric", "yield"), 9.0);
    pli_world_destroy(world);
}

// Rest values of membranes whose warp goes along u, which runs along z here, are those of the direction (0, 0, 1).
static void a_warp_follows_texture_coordinates(void **state)
{
    (void)state;
    write_text("turned.obj", "v 0 0 0\nv 1 0 0\nv 1.2 0 1\nv 0 0 1\nvt 0 0\nvt 0 -1\nvt 1 -1.2\nvt 1 0\n"
                             "f 1/1 3/3 2/2\nf 1/1 4/4 3/3\n");
    const char *const warps[3] = {"\"warp_attribute\": \"uv\"", "\"warp\": [0, 0, 1]", "\"warp\": [1, 0, 0]"};
    float rest[3][2][PLI_REST_MAX];
    for (int k = 0; k < 3; k++) {
        char keys[300];
        snprintf(keys, sizeof keys,
                 "\"mesh\": {\"file\": \"turned.obj\"}, \"material\": {\"shear_stiffness\": 30, \"tensile_stiffness\": "
                 "900, %s}",
                 warps[k]);
        pli_world *world = world_with(keys);
        pli_constraints set = pli_world_constraints_at(world, 0);
        for (int32_t i = 0; i < 2; i++)
            assert_int_equal(pli_constraints_stencil(world, set, i, NULL, NULL, rest[k][i], NULL, NULL), PLI_STATUS_OK);
        pli_world_destroy(world);
    }
    bool differs = false;
    for (int k = 0; k < 10; k++) {
        assert_true(fabsf(rest[0][k / 5][k % 5] - rest[1][k / 5][k % 5]) < 1e-5f);
        differs = differs || fabsf(rest[0][k / 5][k % 5] - rest[2][k / 5][k % 5]) > 0.1f;
    }
    assert_true(differs);
    write_square();
    expect_error(SQUARE ", \"material\": {\"warp_attribute\": \"uv\"}", "deformables[0].material.warp_attribute",
                 "'uv'", "texture");
    pli_world_destroy(world_with(SHEET ", \"material\": {\"warp_attribute\": \"uv\"}")); // Grids have them.
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_gives_all_numbers),
        cmocka_unit_test(stretch_of_a_material_acts),
        cmocka_unit_test(what_a_scene_says_has_precedence),
        cmocka_unit_test(a_made_set_has_a_path),
        cmocka_unit_test(attributes_paint),
        cmocka_unit_test(lists_paint),
        cmocka_unit_test(pressure_and_thickness_are_painted),
        cmocka_unit_test(yield_and_damping_are_painted),
        cmocka_unit_test(images_are_seen_on_surfaces),
        cmocka_unit_test(mistakes_name_file_and_key),
        cmocka_unit_test(images_cover_grids),
        cmocka_unit_test(images_follow_texture_coordinates),
        cmocka_unit_test(damaged_images_are_refused),
        cmocka_unit_test(weaves_are_membranes),
        cmocka_unit_test(presets_yield),
        cmocka_unit_test(a_warp_follows_texture_coordinates),
        cmocka_unit_test(a_rigidity_chooses_what_bends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
