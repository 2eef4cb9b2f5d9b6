// Forces that users read: multipliers over the squared substep, and tearing by force, against tensions in closed form.
// Rounding of positions by half a unit in the last place, divided by a small substep squared, is as large as gravity.
#include "sheets.h"

enum { LINKS_MOST = 20 };

typedef struct chain {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable body;
    pli_constraint_set set;
    double mass; // Of each particle [kg].
    int32_t links;
} chain;

static const double gravity = 9.81, dt = 1.0 / 60.0;

// Particles one below the other, 1 m in all and 1 kg in all, of which the first is fixed.
static chain hang(int32_t links, double compliance, int32_t substeps, int32_t iterations)
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
    weigh(c.world, c.body, weights, links + 1);
    pli_constraint_set_def set = pli_constraint_set_def_default();
    set.deformable = c.body;
    set.type = "distance";
    set.particles = pairs;
    set.constraint_count = links;
    set.keep_lambda = true;
    must(pli_constraint_set_create(c.world, &set, &c.set, &problem));
    tune(c.world, c.set, "compliance", compliance);
    return c;
}

static double force_of(const chain *c, int32_t link, int32_t substeps)
{
    float lambda;
    must(pli_constraint_set_at(c->world, c->set, link, NULL, NULL, NULL, &lambda, &problem));
    return -(double)lambda * substeps * substeps / (dt * dt);
}

// Comes to rest by slowing everything down, then hangs freely.
static void settle(const chain *c)
{
    for (int32_t frame = 0; frame < 120; frame++) {
        for (int32_t i = 0; i <= c->links; i++) {
            vec v = scale(velocity_of(c->world, c->body, i), 0.7);
            const float slower[3] = {(float)v.x, (float)v.y, (float)v.z};
            must(pli_deformable_set_velocities(c->world, c->body, i, 1, slower, &problem));
        }
        step(c->world, dt);
    }
}

static void multipliers_are_forces(void **state)
{
    (void)state;
    const struct {
        int32_t links, substeps, iterations;
        double compliance;
    } cases[] = {{1, 10, 1, 1e-3}, {1, 50, 1, 1e-3}, {1, 50, 4, 1e-5},  {20, 10, 1, 1e-5}, {20, 50, 1, 1e-5},
                 {20, 50, 1, 0.0}, {20, 10, 4, 0.0}, {20, 50, 4, 1e-5}, {20, 50, 4, 0.0}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        chain c = hang(cases[i].links, cases[i].compliance, cases[i].substeps, cases[i].iterations);
        settle(&c);
        for (int32_t frame = 0; frame < 10; frame++) {
            step(c.world, dt);
            for (int32_t k = 0; k <= c.links / 2 && k < c.links; k++) {
                double tension = c.mass * gravity * (c.links - k);
                near(force_of(&c, k, cases[i].substeps) / tension, 1.0, 0.01, "link %d of %d, %d x %d, compliance %g",
                     (int)k, (int)c.links, (int)cases[i].substeps, (int)cases[i].iterations, cases[i].compliance);
            }
        }
        pli_world_destroy(c.world);
        pli_mesh_destroy(c.mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(multipliers_are_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
