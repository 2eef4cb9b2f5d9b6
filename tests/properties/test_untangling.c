// What starts intersecting comes apart over some frames, calmly; what cannot is said once.
#include "sheets.h"

typedef struct knotted {
    const char *name;
    void (*build)(pli_world *world);
    double gravity; // [m/s2]
    int32_t frames; // Within which it comes apart.
} knotted;

static void place(pli_world *world, pli_deformable cloth, int32_t v, vec p)
{
    float at[3] = {(float)p.x, (float)p.y, (float)p.z};
    must(pli_deformable_set_positions(world, cloth, v, 1, at, &problem));
}

static pli_deformable square(pli_world *world, int32_t side, double size, pli_transform pose)
{
    return drop_cloth(world, mesh_grid(side, side, size, PLI_GRID_ALTERNATING), pose, 0.008, true);
}

static void build_corner(pli_world *world)
{
    square(world, 14, 0.3, pli_transform_identity());
    pli_transform corner = {{0.0133f, 0.17f, 0.007f}, {0.653281f, 0.270598f, 0.270598f, 0.653281f}};
    square(world, 14, 0.3, corner);
}

// Pulls down what is near the middle.
static void dent(pli_world *world, pli_deformable cloth, double depth, double width)
{
    for (int32_t v = 0; v < vertex_count_of(world, cloth); v++) {
        vec p = position_of(world, cloth, v);
        p.y -= depth * exp(-(p.x * p.x + p.z * p.z) / (width * width));
        place(world, cloth, v, p);
    }
}

static void build_bump(pli_world *world)
{
    square(world, 14, 0.3, pli_transform_identity());
    dent(world, square(world, 14, 0.3, pose_turned(10.0, (vec){0, 1, 0}, (vec){0.004, 0.01, 0.003})), 0.03, 0.07);
}

static pli_mesh *ball(double radius)
{
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(3, (float)radius, &mesh, &problem));
    return mesh;
}

static void build_half_inside(pli_world *world)
{
    mesh_collider(world, ball(0.15), pli_transform_identity(), 0.3);
    square(world, 16, 0.3, pose_turned(20.0, (vec){1, 0, 0}, (vec){0, 0.1, 0}));
}

// Folded over once, the upper half dented through the lower.
static void build_fold(pli_world *world)
{
    pli_deformable cloth = drop_cloth(world, mesh_grid(13, 25, 0.4, PLI_GRID_ALTERNATING), pli_transform_identity(),
                                      0.006, true);
    const double radius = 0.012, pi = acos(-1.0);
    for (int32_t v = 0; v < vertex_count_of(world, cloth); v++) {
        vec p = position_of(world, cloth, v);
        double beyond = p.z, round = pi * radius;
        if (beyond > 0.0)
            p.y = beyond < round ? radius * (1.0 - cos(beyond / radius)) : 2.0 * radius;
        if (beyond > 0.0)
            p.z = beyond < round ? radius * sin(beyond / radius) : round - beyond;
        double x = p.x - 0.003, z = p.z + 0.1;
        if (beyond > round)
            p.y -= 0.035 * exp(-(x * x + z * z) / 0.003);
        place(world, cloth, v, p);
    }
}

static const knotted cases[] = {
    {"a corner through a sheet", build_corner, 0.0, 120},
    {"a bump through a sheet", build_bump, 0.0, 120},
    {"a sheet half inside of a ball", build_half_inside, 0.0, 120},
    {"a fold through itself", build_fold, 0.0, 120},
};

static double fastest(const pli_world *world)
{
    double most = 0.0;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_deformable d = pli_world_deformable(world, i);
        for (int32_t v = 0; v < vertex_count_of(world, d); v++) {
            vec u = velocity_of(world, d, v);
            most = fmax(most, sqrt(dot(u, u)));
        }
    }
    return most;
}

static void what_intersects_comes_apart(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        const knotted *c = &cases[i];
        pli_world_def def = contact_world_def(PLI_GUARANTEE_ADVANCEMENT, 1);
        def.settings.gravity = (pli_vec3){0, (float)-c->gravity, 0};
        def.settings.damping = 0.1f;
        pli_world *world = world_from(&def);
        c->build(world);
        int32_t before = crossings(world), left = before, frame = 0;
        double speed = 0.0;
        for (; frame < c->frames && left > 0; frame++) {
            step(world, 1.0 / 60.0);
            left = crossings(world);
            speed = fmax(speed, fastest(world));
        }
        holds(before > 0, "%s: nothing intersects at the start", c->name);
        holds(speed < 3.0, "%s: %g m/s", c->name, speed);
        holds(left == 0, "%s: %d crossings of %d are left", c->name, (int)left, (int)before);
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_intersects_comes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
