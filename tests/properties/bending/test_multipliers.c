// Forces that users read: multipliers over the squared substep, and tearing by force, against tensions in closed form.
// Rounding of positions by half a unit in the last place, divided by a small substep squared, is as large as gravity.
#include "scenery.h"
#include "sheets.h"

enum { LINKS_MOST = 20 };

typedef struct chain {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable body;
    pli_constraints set;
    double mass; // Of each particle [kg].
    int32_t links;
} chain;

static const double gravity = 9.81, dt = 1.0 / 60.0;

// Particles one below the other, 1 m in all and 1 kg in all, of which the first is fixed.
static chain hang(int32_t links, double compliance, int32_t substeps, int32_t iterations, bool read)
{
    chain c = {.links = links, .mass = 1.0 / links};
    double points[LINKS_MOST + 1][3] = {{0}};
    float weights[LINKS_MOST + 1] = {0};
    int32_t pairs[2 * LINKS_MOST] = {0};
    for (int32_t i = 0; i <= links; i++) {
        points[i][0] = 0.3, points[i][1] = 1.37 - (double)i / links, points[i][2] = 0.1;
        weights[i] = i ? (float)links : 0.0f;
        if (i)
            pairs[2 * i - 2] = i - 1, pairs[2 * i - 1] = i;
    }
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    c.world = world_from(&def);
    c.mesh = mesh_of_points((const double(*)[3])points, links + 1);
    c.body = deform(c.world, c.mesh, NULL);
    must(pli_deformable_set_stretch(c.world, c.body, PLI_STRETCH_SWEPT, &problem)); // Multipliers are those of sweeps.
    weigh(c.world, c.body, weights, links + 1);
    pli_constraints_def set = pli_constraints_def_default();
    set.deformable = c.body;
    set.type = "distance";
    set.particles = pairs;
    set.constraint_count = links;
    set.keep_lambda = read;
    must(pli_constraints_create(c.world, &set, &c.set, &problem));
    tune(c.world, c.set, "compliance", compliance);
    return c;
}

static void chain_free(chain *c)
{
    pli_world_destroy(c->world);
    pli_mesh_destroy(c->mesh);
}

static double force_of(const chain *c, int32_t link, int32_t substeps)
{
    float lambda;
    must(pli_constraints_stencil(c->world, c->set, link, NULL, NULL, NULL, &lambda, &problem));
    return -(double)lambda * substeps * substeps / (dt * dt);
}

// Comes to rest by slowing everything down.
static void settle(pli_world *world, pli_deformable body)
{
    for (int32_t frame = 0; frame < 120; frame++) {
        for (int32_t i = 0; i < vertex_count_of(world, body); i++) {
            vec v = scale(velocity_of(world, body, i), 0.7);
            const float slower[3] = {(float)v.x, (float)v.y, (float)v.z};
            must(pli_deformable_set_velocities(world, body, i, 1, slower, &problem));
        }
        step(world, dt);
    }
}

static void multipliers_are_forces(void **state)
{
    (void)state;
    const struct {
        int32_t links, substeps, iterations;
        double compliance;
    } cases[] = {{1, 10, 1, 1e-3},   {1, 50, 1, 1e-3},   {1, 200, 1, 1e-3}, {1, 50, 4, 1e-5},
                 {1, 200, 1, 1e-5},  {20, 10, 1, 1e-5},  {20, 20, 1, 0.0},  {20, 50, 1, 1e-5},
                 {20, 200, 1, 1e-5}, {20, 50, 1, 0.0},   {20, 200, 1, 0.0}, {20, 10, 4, 0.0},
                 {20, 50, 4, 1e-5},  {20, 200, 4, 1e-5}, {20, 200, 4, 0.0}, {20, 50, 4, 0.0}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        chain c = hang(cases[i].links, cases[i].compliance, cases[i].substeps, cases[i].iterations, true);
        settle(c.world, c.body);
        for (int32_t frame = 0; frame < 10; frame++) {
            step(c.world, dt);
            for (int32_t k = 0; k <= c.links / 2 && k < c.links; k++) {
                double tension = c.mass * gravity * (c.links - k);
                near(force_of(&c, k, cases[i].substeps) / tension, 1.0, 0.01, "link %d of %d, %d x %d, compliance %g",
                     (int)k, (int)c.links, (int)cases[i].substeps, (int)cases[i].iterations, cases[i].compliance);
            }
        }
        chain_free(&c);
    }
}

// Soft links hang as long as they should, also where nobody reads their forces.
static void small_substeps_do_not_stretch(void **state)
{
    (void)state;
    const double compliance = 1e-3, expected = 1.0 + compliance * gravity;
    const int32_t substeps[] = {10, 50, 200};
    for (int32_t i = 0; i < COUNT_OF(substeps); i++) {
        chain c = hang(1, compliance, substeps[i], 1, false);
        settle(c.world, c.body);
        double length = distance(position_of(c.world, c.body, 0), position_of(c.world, c.body, 1));
        near((length - 1.0) / (expected - 1.0), 1.0, 0.01, "stretch with %d substeps", (int)substeps[i]);
        chain_free(&c);
    }
}

enum { STRIP_VERTICES = 6 };

// Vertices after half a second of a strip of two quads, whose upper row is fixed and whose upper edges each carry the
// weight of two particles, when it tears by a share of that tension.
static int32_t vertices_of_loaded_strip(int32_t substeps, double share)
{
    const float weights[STRIP_VERTICES] = {0.0f, 0.0f, 5.0f, 5.0f, 2.0f, 2.0f};
    double tension = (1.0 / 5.0 + 1.0 / 2.0) * gravity;
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_grid(2, 3, 0.4f, 0.9f, PLI_GRID_QUADS, &mesh, &problem));
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    cloth.pose.position = (pli_vec3){0.3f, 1.37f, 0.1f};
    cloth.pose.rotation = (pli_quat){(float)sqrt(0.5), 0.0f, 0.0f, (float)sqrt(0.5)};
    pli_deformable strip;
    must(pli_deformable_create(world, &cloth, &strip, &problem));
    weigh(world, strip, weights, STRIP_VERTICES);
    constrain(world, strip, "distance", NULL);
    settle(world, strip);
    pli_tearing tearing;
    must(pli_deformable_get_tearing(world, strip, &tearing, &problem));
    tearing.force = (float)(share * tension);
    must(pli_deformable_set_tearing(world, strip, &tearing, &problem));
    for (int32_t frame = 0; frame < 30; frame++)
        step(world, dt);
    int32_t count = vertex_count_of(world, strip);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return count;
}

// A patch hangs by one edge of known tension: it tears above the threshold, and not below.
static void tears_at_its_tension(void **state)
{
    (void)state;
    const int32_t substeps[] = {10, 50, 200};
    for (int32_t i = 0; i < COUNT_OF(substeps); i++)
        for (int32_t tears = 0; tears < 2; tears++) {
            int32_t vertices = vertices_of_loaded_strip(substeps[i], tears ? 0.99 : 1.01);
            holds((vertices > STRIP_VERTICES) == tears, "%d substeps, threshold %s the tension: %d vertices",
                  (int)substeps[i], tears ? "below" : "above", (int)vertices);
        }
}

// A structured grid, a closed surface by index lists and the sequential order, with every update rule: the hash of the
// state after a step whose substeps keep what rounding takes.
static uint64_t hash_with_losses(pli_order order, pli_simd simd, int32_t threads)
{
    static const char *const types[] = {"distance", "dihedral", "isometric", "triangle", "ring_laplacian", "volume"};
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 8;
    def.order = order;
    def.simd = simd;
    def.thread_count = threads;
    pli_world *world = world_from(&def);
    random_state = 11;
    for (int32_t m = 0; m < 2; m++) {
        pli_mesh *mesh = m ? mesh_ball(2, 0.05) : mesh_grid(37, 40, 1.0, PLI_GRID_ALTERNATING);
        pli_deformable body = deform(world, mesh, NULL);
        for (int32_t i = 0; i < COUNT_OF(types) - !m; i++)
            tune(world, constrain(world, body, types[i], NULL), "compliance", 1e-4);
        scatter(world, body, 0.02);
        pli_mesh_destroy(mesh);
    }
    step(world, dt / 15.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void losses_are_the_same_for_any_threads_and_width(void **state)
{
    (void)state;
    for (int32_t order = 0; order < 2; order++) {
        uint64_t expected = hash_with_losses((pli_order)order, PLI_SIMD_SCALAR, 1);
        for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
            if (pli_simd_available((pli_simd)simd))
                holds(hash_with_losses((pli_order)order, (pli_simd)simd, 1 + simd % 3) == expected, "order %d, %s",
                      (int)order, pli_choice_name("simd", simd));
    }
}

// A crumpled sheet in empty space, and one that touches itself, so that contacts act between its sweeps: internal
// corrections and what rounding takes from them leave no momentum.
static void losses_keep_momentum(void **state)
{
    (void)state;
    for (int32_t touches = 0; touches < 2; touches++) {
        pli_world_def def = pli_world_def_default();
        def.settings.substeps = 200;
        def.settings.iterations = 2;
        def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
        pli_world *world = world_from(&def);
        random_state = 3;
        pli_mesh *mesh = mesh_jittered(mesh_grid(12, 12, 1.0, PLI_GRID_ALTERNATING), 0.1, 0.05);
        pli_deformable_def cloth = pli_deformable_def_default();
        cloth.mesh = mesh;
        cloth.self_collision = touches;
        cloth.thickness = 0.05f;
        pli_deformable sheet;
        must(pli_deformable_create(world, &cloth, &sheet, &problem));
        scatter(world, sheet, 0.02);
        constrain(world, sheet, "distance", NULL);
        for (int32_t frame = 0; frame < 5; frame++)
            step(world, dt);
        vec momentum = {0, 0, 0}, spin = {0, 0, 0};
        double fast = 0.0;
        for (int32_t i = 0; i < vertex_count_of(world, sheet); i++) {
            vec p = scale(velocity_of(world, sheet, i), mass_of(world, sheet, i));
            momentum = add(momentum, p), spin = add(spin, cross(position_of(world, sheet, i), p));
            fast += length(p);
        }
        near(length(momentum) / fast, 0.0, 1e-4, "%s: momentum over its parts", touches ? "touching" : "alone");
        near(length(spin) / fast, 0.0, touches ? 0.05 : 1e-4, // Contacts turn it.
             "%s: angular momentum over its parts", touches ? "touching" : "alone");
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(multipliers_are_forces), property(small_substeps_do_not_stretch),
        property(tears_at_its_tension),   property(losses_are_the_same_for_any_threads_and_width),
        property(losses_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
