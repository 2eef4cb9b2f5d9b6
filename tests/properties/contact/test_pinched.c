// Cloth between two plates that close: kept free of intersections as long as there is space; where there is none, the plate that
// is led stops.
#include "sheets.h"

enum { SIDE = 12 };

typedef struct press {
    pli_world *world;
    pli_collider upper;
} press;

// A sheet of 30 cm that hangs in the air between two plates of 60 cm, the upper one tilted.
static press make_press(int32_t threads)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.settings.gravity = (pli_vec3){0, 0, 0};
    press p = {.world = world_from(&def)};
    drop_cloth(p.world, mesh_grid(SIDE, SIDE, 0.3, PLI_GRID_ALTERNATING),
               pose_turned(2.0, (vec){1, 0, 0}, (vec){0, 0, 0}), 0.004, true);
    mesh_collider(p.world, mesh_grid(5, 5, 0.6, PLI_GRID_ALTERNATING),
                  pose_turned(0.0, (vec){0, 1, 0}, (vec){0, -0.02, 0}), 0.3);
    p.upper = mesh_collider(p.world, mesh_grid(5, 5, 0.6, PLI_GRID_ALTERNATING),
                            pose_turned(1.0, (vec){0, 0, 1}, (vec){0.01, 0.04, 0.02}), 0.3);
    return p;
}

// Moves the upper plate to a height in so many frames; how many pairs were given up.
static int32_t close_to(press p, double from, double to, int32_t frames)
{
    int32_t given_up = 0;
    for (int32_t frame = 1; frame <= frames; frame++) {
        double y = from + (to - from) * frame / frames;
        must(pli_collider_set_pose(p.world, p.upper, pose_turned(1.0, (vec){0, 0, 1}, (vec){0.01, y, 0.02}), &problem));
        step(p.world, 1.0 / 60.0);
        given_up += statistics_of(p.world).failed_pair_count;
        holds(all_finite(p.world), "frame %d of the way to %g", (int)frame, to);
    }
    return given_up;
}

static void cloth_stays_clean_while_there_is_room(void **state)
{
    (void)state;
    press p = make_press(1);
    // 4 mm between the middles, less than half of that where the cloth ends.
    int32_t given_up = close_to(p, 0.04, -0.016, 60);
    near(given_up, 0, 0.0, "pairs given up");
    near(crossings(p.world), 0, 0.0, "crossings");
    holds(statistics_of(p.world).limited_count > 0, "it was not tight");
    pli_world_destroy(p.world);
}

// The upper plate is led through the lower one with the cloth between them, and up again.
static void what_is_crushed_stops_the_plate(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t i = 0; i < 2; i++) {
        press p = make_press(1 + 2 * i);
        int32_t given_up = close_to(p, 0.04, -0.06, 60);
        pli_transform at;
        must(pli_collider_pose(p.world, p.upper, &at, &problem));
        pli_statistics s = statistics_of(p.world);
        double behind = (double)at.position.y + 0.06;
        holds(given_up == 0 && s.intersection_count == 0 && crossings(p.world) == 0,
              "crushed: %d given up, %d intersections, %d crossings", (int)given_up, (int)s.intersection_count,
              (int)crossings(p.world));
        holds(behind > 0.03 && s.off_target_count == 1 && fabs(s.tracking_error - behind) < 1e-6,
              "%d lag by %g, the plate by %g", (int)s.off_target_count, s.tracking_error, behind);
        close_to(p, -0.06, 0.04, 60);
        given_up = close_to(p, 0.04, 0.04, 60);
        s = statistics_of(p.world);
        holds(s.off_target_count == 0 && s.tracking_error == 0.0, "%d lag by %g", (int)s.off_target_count,
              s.tracking_error);
        holds(given_up == 0 && s.intersection_count == 0 && crossings(p.world) == 0,
              "open again: %d given up, %d intersections, %d crossings", (int)given_up, (int)s.intersection_count,
              (int)crossings(p.world));
        holds(s.stretch_max < 0.1, "stretch %g", s.stretch_max);
        hashes[i] = pli_world_hash(p.world);
        pli_world_destroy(p.world);
    }
    holds(hashes[0] == hashes[1], "threads do not agree");
}

// A plate that moves up at 3 m/s carries the cloth that lies on it.
static void moving_plates_pass_nothing(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.gravity = (pli_vec3){0, 0, 0};
    pli_world *world = world_from(&def);
    pli_deformable cloth = drop_cloth(world, mesh_grid(SIDE, SIDE, 0.3, PLI_GRID_ALTERNATING),
                                      pose_turned(3.0, (vec){1, 0, 0}, (vec){0, 0.05, 0}), 0.004, false);
    press p = {.world = world};
    p.upper = mesh_collider(world, mesh_grid(5, 5, 0.6, PLI_GRID_ALTERNATING),
                            pose_turned(1.0, (vec){0, 0, 1}, (vec){0.01, 0, 0.02}), 0.3);
    near(close_to(p, 0.0, 1.0, 20), 0, 0.0, "pairs given up");
    near(crossings(world), 0, 0.0, "crossings");
    for (int32_t v = 0; v < SIDE * SIDE; v++)
        holds(position_of(world, cloth, v).y > 0.99, "vertex %d was left behind", (int)v);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(cloth_stays_clean_while_there_is_room),
        property(what_is_crushed_stops_the_plate),
        property(moving_plates_pass_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
