// What the figures of the tutorial do with the library, in C: bit-identical to steps.js. The program prints the results.
#include <pliant/pliant.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_error error;

static void must(pli_status status)
{
    if (status == PLI_STATUS_OK)
        return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

// The neighbour of each edge of each triangle, or -1: findTriNeighbors.
static void neighbors_of(const int32_t *triangles, int32_t count, int32_t vertex_count, int32_t *neighbors)
{
    must(pli_find_triangle_neighbors(triangles, count, vertex_count, neighbors, &error));
}

// Four vertices for each pair of triangles, the shared edge first: getTriPairIds. The caller frees them.
static int32_t *pairs_of(const int32_t *triangles, int32_t count, const int32_t *neighbors, int32_t *pair_count)
{
    *pair_count = pli_triangle_pairs(triangles, count, neighbors, NULL, 0);
    int32_t *pairs = malloc(4 * (size_t)*pair_count * sizeof *pairs);
    pli_triangle_pairs(triangles, count, neighbors, pairs, *pair_count);
    return pairs;
}

// C and its gradient for the tips of two triangles: their distance, less that at rest.
static double tip_constraint(const double rest_positions[2][3], const double positions[2][3], double gradients[2][3])
{
    const pli_constraint_type *type = pli_constraint_type_find("opposite_distance");
    float rest[1];
    double value;
    type->rest(&(pli_stencil){.positions = rest_positions, .count = 2}, rest);
    type->evaluate(&(pli_stencil){.positions = positions, .count = 2, .rest = rest}, &value, &gradients[0][0]);
    return value;
}

// A set of one type on all of a cloth, with one parameter, or none where its name is null.
static void bend_by(pli_world *world, pli_deformable cloth, const char *type, const char *name, double value)
{
    pli_constraints_def def = pli_constraints_def_default();
    pli_constraints set;
    def.deformable = cloth;
    def.type = type;
    must(pli_constraints_create(world, &def, &set, &error));
    if (name)
        must(pli_constraints_set_parameter(world, set, name, value, &error));
}

// Fixes some particles where they are.
static void hold(pli_world *world, pli_deformable cloth, const int32_t *particles, int32_t count)
{
    pli_attachment_def def = pli_attachment_def_default();
    pli_attachment attachment;
    def.deformable = cloth;
    def.particles = particles;
    def.particle_count = count;
    must(pli_attachment_create(world, &def, &attachment, &error));
}

// A swatch of 10 x 30 cm, clamped along one end, that bends by one model.
static pli_world *swatch(const char *type, const char *name, double value, int32_t substeps)
{
    pli_world_def settings = pli_world_def_default();
    settings.settings.substeps = substeps;
    settings.settings.air_density = 1.2f;
    settings.settings.damping = 0.6f;
    pli_world *world;
    must(pli_world_create(&settings, &world, &error));
    pli_mesh *mesh;
    must(pli_mesh_create_grid(11, 31, 0.1f, 0.3f, PLI_GRID_ALTERNATING, &mesh, &error));
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.density = 0.2f;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &error));
    bend_by(world, cloth, "distance", NULL, 0.0);
    bend_by(world, cloth, type, name, value);
    int32_t held[22];
    for (int32_t i = 0; i < 22; i++)
        held[i] = i;
    hold(world, cloth, held, 22);
    pli_mesh_destroy(mesh);
    return world;
}

// A square of stretchy cloth that hangs by two corners, with a compliance under XPBD and a stiffness under PBD.
static pli_world *square(pli_method method, int32_t substeps, int32_t iterations)
{
    pli_world_def settings = pli_world_def_default();
    settings.settings.method = method;
    settings.settings.substeps = substeps;
    settings.settings.iterations = iterations;
    settings.settings.air_density = 1.2f;
    settings.settings.damping = 3.1f;
    pli_world *world;
    must(pli_world_create(&settings, &world, &error));
    pli_mesh *mesh;
    must(pli_mesh_create_grid(13, 13, 0.6f, 0.6f, PLI_GRID_ALTERNATING, &mesh, &error));
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.density = 0.3f;
    def.stretch = PLI_STRETCH_SWEPT;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &error));
    if (method == PLI_METHOD_XPBD)
        bend_by(world, cloth, "distance", "compliance", 0.02);
    else
        bend_by(world, cloth, "distance", "stiffness", 0.12);
    hold(world, cloth, (const int32_t[]){0, 12}, 2);
    pli_mesh_destroy(mesh);
    return world;
}

static void print_run(const char *name, pli_world *world)
{
    for (int32_t frame = 0; frame < 30; frame++)
        must(pli_world_step(world, 1.0f / 60.0f, &error));
    printf("%s %016" PRIx64 "\n", name, pli_world_hash(world));
    pli_world_destroy(world);
}

int main(void)
{
    const int32_t triangles[6] = {1, 2, 0, 0, 3, 1};
    int32_t neighbors[6], pair_count;
    neighbors_of(triangles, 2, 4, neighbors);
    int32_t *pairs = pairs_of(triangles, 2, neighbors, &pair_count);
    printf("neighbors");
    for (int32_t i = 0; i < 6; i++)
        printf(" %d", neighbors[i]);
    printf("\npairs");
    for (int32_t i = 0; i < 4 * pair_count; i++)
        printf(" %d", pairs[i]);
    free(pairs);
    const double rest[2][3] = {{-1, 0, 0}, {1, 0, 0}}, bent[2][3] = {{-0.8, 0.6, 0}, {0.8, 0.4, 0.1}};
    double gradients[2][3];
    printf("\nC %.12g, gradient", tip_constraint(rest, bent, gradients));
    for (int32_t i = 0; i < 6; i++)
        printf(" %.12g", gradients[i / 3][i % 3]);
    printf("\n");
    print_run("opposite_distance", swatch("opposite_distance", "compliance", 0.002, 60));
    print_run("isometric", swatch("isometric", "rigidity", 0.001, 60));
    print_run("dihedral", swatch("dihedral", "rigidity", 0.001, 60));
    print_run("triangle", swatch("triangle", "rigidity", 0.001, 60));
    print_run("xpbd", square(PLI_METHOD_XPBD, 8, 2));
    print_run("pbd", square(PLI_METHOD_PBD, 8, 2));
    return 0;
}
