// Kinetic damping brings worlds to rest: where statics have them, within a bound of energy, and to the same bits.
#include "sheets.h"
#include "worlds.h"

#include "pliant/placing.h"

static const float frame = 1.0f / 60.0f;

// A strip of 1 m that begins level and is pinned at its first row.
static pli_world *strip(pli_deformable *cloth)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(4, 21, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def made = pli_deformable_def_default();
    made.mesh = mesh, made.stretch_limit.kind = PLI_STRETCH_HIERARCHY;
    must(pli_deformable_create(world, &made, cloth, &problem));
    constrain(world, *cloth, "distance", NULL);
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
        property(a_strip_comes_to_hang),
        property(what_cannot_settle_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
