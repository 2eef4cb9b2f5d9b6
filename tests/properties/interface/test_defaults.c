// A curtain that a ball hits hard opens again, with default settings.
#include "sheets.h"

static pli_deformable hang_curtain(pli_world *world, int32_t side, bool crossed)
{
    pli_mesh *mesh = mesh_grid(side, side, 1.0, crossed ? PLI_GRID_CROSSED : PLI_GRID_DIAGONAL);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 0.7, 0});
    def.self_collision = true;
    pli_deformable curtain;
    must(pli_deformable_create(world, &def, &curtain, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, curtain, "membrane", NULL);
    tune(world, constrain(world, curtain, "isometric", NULL), "compliance", 1e-6);
    int32_t row[128];
    for (int32_t i = 0; i < side; i++)
        row[i] = i;
    pli_attachment_def held = pli_attachment_def_default();
    held.deformable = curtain;
    held.particles = row, held.particle_count = side;
    pli_attachment attachment;
    must(pli_attachment_create(world, &held, &attachment, &problem));
    return curtain;
}

// A ball that goes through the plane of the curtain at 8 m/s, a metre beyond it, and back: further than the curtain is long.
static double ball_at(double time) { return 1.0 - 8.0 * fmin(fmax(time - 0.3, 0.0), fmax(0.8 - time, 0.0)); }

static void strike(pli_world *world, pli_collider ball, int64_t frame)
{
    pli_transform pose = pose_turned(0.0, (vec){1, 0, 0}, (vec){0, 0.7, ball_at((double)(frame + 1) / 60.0)});
    must(pli_collider_set_pose(world, ball, pose, &problem));
}

static double lowest_of(const pli_world *world, pli_deformable cloth)
{
    pli_view view = pli_deformable_positions(world, cloth);
    double lowest = INFINITY;
    for (int32_t v = 0; v < view.count; v++)
        lowest = fmin(lowest, (double)pli_view_at(view, v)[1]);
    return lowest;
}

static void hit_curtain(bool crossed, double most_stretch, double most_later)
{
    const pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_deformable curtain = hang_curtain(world, crossed ? 24 : shortened() ? 32 : 64, crossed);
    pli_collider_def ball_def = pli_collider_def_default();
    ball_def.shape = PLI_SHAPE_SPHERE;
    ball_def.radius = 0.15f;
    ball_def.pose = pose_turned(0.0, (vec){1, 0, 0}, (vec){0, 0.7, 1});
    pli_collider ball;
    must(pli_collider_create(world, &ball_def, &ball, &problem));
    double most = 0.0, late = 0.0, lowest = INFINITY;
    for (int32_t frame = 0; frame < 240; frame++) {
        strike(world, ball, frame);
        must(pli_world_step(world, 1.0f / 60.0f, &problem));
        pli_statistics s;
        pli_world_get_statistics(world, &s);
        holds(s.intersection_count == 0 && s.failed_pair_count == 0, "frame %d: %d intersections", (int)frame,
              s.intersection_count);
        holds(s.substep_count == 10, "frame %d: %d substeps", (int)frame, s.substep_count);
        most = fmax(most, s.stretch_max);
        late = frame >= 120 ? fmax(late, s.stretch_rms) : late;
        lowest = frame >= 120 ? fmin(lowest, lowest_of(world, curtain)) : lowest;
    }
    holds(most < most_stretch, "a stretch of %g", most);
    holds(late < most_later, "a stretch of %g in the mean, two seconds later", late);
    holds(lowest < 0.3, "the lowest point does not come below %g m", lowest);
    pli_world_destroy(world);
}

static void a_curtain_that_is_hit_opens_again(void **state)
{
    (void)state;
    hit_curtain(false, shortened() ? 2.0 : 2.5, shortened() ? 0.02 : 0.04);
}

static void so_does_one_that_is_no_grid(void **state)
{
    (void)state;
    hit_curtain(
        true, 3.5,
        0.02); // With balls of 14.8 to 15.3 cm the peak is 0.3 to 3.1: it depends on where the ball meets edges.
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(a_curtain_that_is_hit_opens_again),
                                       property(so_does_one_that_is_no_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
