// Kinetic damping brings worlds to rest: where statics have them, within a bound of energy, and to the same bits.
#include "sheets.h"
#include "worlds.h"

#include "pliant/placing.h"
#include "pliant/shape.h"

static const float frame = 1.0f / 60.0f;

// A strip of 1 m that begins level and is pinned at its first row.
static pli_world *strip(pli_deformable *cloth)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(4, 21, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def made = pli_deformable_def_default();
    made.mesh = mesh;
    must(pli_deformable_create(world, &made, cloth, &problem));
    constrain(world, *cloth, "membrane", NULL);
    const float fixed = 0.0f;
    for (int32_t i = 0; i < 4; i++)
        must(pli_deformable_set_inverse_masses(world, *cloth, i, 1, &fixed, &problem));
    pli_mesh_destroy(mesh);
    return world;
}

static void a_strip_comes_to_hang(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t i = 0; i < 2; i++) {
        pli_deformable cloth;
        pli_world *world = strip(&cloth);
        pli_settled s;
        must(pli_world_settle(world, frame, 0.01f, 3000, &s, &problem));
        holds(s.settled && s.speed < 0.01 && s.steps < 3000, "settled %d in %d steps, %g m/s", s.settled, (int)s.steps,
              s.speed);
        holds(s.kinetic_energy < 0.5 * 0.2 * 1e-4, "energy %g J", s.kinetic_energy);
        for (int32_t v = 4; v < 84; v++)
            near(position_of(world, cloth, v).y, -0.05 * (v / 4), 0.01, "height of vertex %d", (int)v);
        const pli_statistics now = statistics_of(world);
        holds(now.time == 0.0 && now.step == 0 && now.kinetic_energy == 0.0,
              "time stands still, and so does the strip");
        hashes[i] = pli_world_hash(world);
        for (int32_t f = 0; f < 60; f++)
            step(world, 1.0 / 60.0);
        holds(statistics_of(world).kinetic_energy < 1e-4, "it stays at rest: %g J",
              statistics_of(world).kinetic_energy);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "the same bits");
}

// A settled scene hardly moves when it is stepped: no vertex moves farther than `most` in a second.
static void stays(pli_world *world, pli_deformable cloth, int32_t count, double most, const char *what)
{
    vec *at = calloc((size_t)count, sizeof *at);
    double farthest = 0.0;
    assert_non_null(at);
    for (int32_t v = 0; v < count; v++)
        at[v] = position_of(world, cloth, v);
    for (int32_t f = 0; f < 60; f++)
        step(world, 1.0 / 60.0);
    for (int32_t v = 0; v < count; v++)
        farthest = fmax(farthest, distance(at[v], position_of(world, cloth, v)));
    holds(farthest < most, "%s moves by %g m in a second after it has settled", what, farthest);
    free(at);
}

// A cord of length 1 between points at the distance 0.6 hangs as a cosh (x / a), where 2 a sinh (0.3 / a) = 1.
static void a_cord_comes_to_the_catenary(void **state)
{
    (void)state;
    enum { ROWS = 41 };
    double low = 0.05, high = 1.0;
    for (int32_t k = 0; k < 60; k++) {
        const double a = 0.5 * (low + high);
        *(2.0 * a * sinh(0.3 / a) > 1.0 ? &low : &high) = a;
    }
    const double a = low, deepest = a * (cosh(0.3 / a) - 1.0);
    pli_world_def world_def = pli_world_def_default();
    pli_world *world = world_from(&world_def);
    pli_mesh *mesh;
    must(pli_mesh_create_grid(2, ROWS, 1.0f / (ROWS - 1), 1.0f, PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable_def def = pli_deformable_def_default();
    float start[3 * 2 * ROWS];
    for (int32_t v = 0; v < 2 * ROWS; v++) { // Two straight halves of sides 3, 4 and 5.
        const float along = (float)(v / 2) / (ROWS - 1), down = along < 0.5f ? along : 1.0f - along;
        const float place[3] = {0.6f * along, -0.8f * down, (float)(v % 2) / (ROWS - 1)};
        memcpy(start + 3 * v, place, sizeof place);
    }
    pli_deformable cord;
    def.mesh = mesh, def.positions = start;
    must(pli_deformable_create(world, &def, &cord, &problem));
    constrain(world, cord, "membrane", NULL);
    const float fixed = 0.0f;
    for (int32_t v = 0; v < 2 * ROWS; v++)
        if (v / 2 == 0 || v / 2 == ROWS - 1)
            must(pli_deformable_set_inverse_masses(world, cord, v, 1, &fixed, &problem));
    pli_settled s;
    must(pli_world_settle(world, frame, 0.005f, 3000, &s, &problem));
    holds(s.settled, "settled in %d steps, %g m/s", (int)s.steps, s.speed);
    for (int32_t v = 0; v < 2 * ROWS; v++) {
        // Across the curve, whose slope is sinh. Edges are stretched by up to 2 % at the pins.
        const vec at = position_of(world, cord, v);
        const double above = at.y - (a * cosh((at.x - 0.3) / a) - a - deepest);
        near(above / cosh((at.x - 0.3) / a), 0.0, 0.005, "distance of vertex %d from the catenary", (int)v);
    }
    stays(world, cord, 2 * ROWS, 0.002, "the cord");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static pli_world *world_with_ground(void)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_collider_def ground = pli_collider_def_default();
    pli_collider made;
    ground.shape = PLI_SHAPE_PLANE, ground.friction = 0.5f;
    must(pli_collider_create(world, &ground, &made, &problem));
    return world;
}

static void folded_cloth_comes_to_lie(void **state)
{
    (void)state;
    pli_world *world = world_with_ground();
    pli_mesh *mesh = mesh_grid(21, 21, 0.5, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.self_collision = true, def.thickness = 0.005f, def.friction = 0.5f;
    def.pose.position.y = 0.3f;
    def.pose.rotation = (pli_quat){0.70f, 0.05f, 0.0f, 0.7124f};
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    constrain(world, cloth, "distance", NULL);
    tune(world, constrain(world, cloth, "isometric", NULL), "rigidity", 1e-5);
    pli_settled s;
    must(pli_world_settle(world, frame, 0.05f, 3000, &s, &problem));
    holds(s.settled, "settled in %d steps, %g m/s", (int)s.steps, s.speed);
    holds(statistics_of(world).intersection_count == 0, "nothing crosses");
    double highest = 0.0;
    for (int32_t v = 0; v < 441; v++)
        highest = fmax(highest, position_of(world, cloth, v).y);
    holds(highest < 0.15, "it lies: %g m high", highest);
    stays(world, cloth, 441, 0.05, "the cloth");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void a_balloon_comes_to_rest(void **state)
{
    (void)state;
    pli_world *world = world_with_ground();
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(3, 0.3f, &mesh, &problem));
    const int32_t count = pli_mesh_topology(mesh)->vertex_count;
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.density = 0.1f, def.friction = 0.5f, def.pose.position.y = 0.5f;
    pli_deformable ball;
    must(pli_deformable_create(world, &def, &ball, &problem));
    tune(world, constrain(world, ball, "distance", NULL), "compliance", 1e-4);
    tune(world, constrain(world, ball, "volume", NULL), "pressure", 1.2);
    pli_settled s;
    must(pli_world_settle(world, frame, 0.05f, 3000, &s, &problem));
    holds(s.settled, "settled in %d steps, %g m/s", (int)s.steps, s.speed);
    double lowest = INFINITY;
    for (int32_t v = 0; v < count; v++)
        lowest = fmin(lowest, position_of(world, ball, v).y);
    holds(lowest > -1e-3 && lowest < 0.02, "it rests on the ground: %g m", lowest);
    stays(world, ball, count, 0.05, "the balloon");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void what_cannot_settle_says_so(void **state)
{
    (void)state;
    pli_deformable cloth;
    pli_world *world = strip(&cloth);
    pli_settled s;
    must(pli_world_settle(world, frame, 0.01f, 5, &s, &problem));
    holds(!s.settled && s.steps == 5 && s.kinetic_energy > 0.0, "five steps do not do: %d", (int)s.steps);
    const uint64_t before = pli_world_hash(world);
    holds(pli_world_settle(world, 0.0f, 0.01f, 5, &s, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_world_settle(world, frame, 0.0f, 5, &s, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_world_settle(world, frame, NAN, 5, &s, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_world_settle(world, frame, 0.01f, 0, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "refused");
    holds(pli_world_hash(world) == before, "nothing has changed");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_strip_comes_to_hang),   property(a_cord_comes_to_the_catenary), property(folded_cloth_comes_to_lie),
        property(a_balloon_comes_to_rest), property(what_cannot_settle_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
