// Rigid bodies yield where they leave cloth no place: bodies that go where their host says, and what lies between one of them and an
// analytic floor. Brute force over all edges and triangles judges each frame.
#include "sheets.h"

#include "pliant/rigid.h"

static pli_world *open_world(int32_t threads, float budget)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.settings.substeps = 6;
    def.settings.work_budget = budget;
    return world_from(&def);
}

// With the usual budget of work motion is shortened first, with the other planes find where bodies have to stop.
static const float budgets[] = {16.0f, 1000.0f};

static pli_deformable sheet(pli_world *world, double degrees, vec at)
{
    return drop_cloth(world, mesh_grid(9, 9, 0.5, PLI_GRID_ALTERNATING), pose_turned(degrees, (vec){1, 0, 0}, at), 0.01,
                      true);
}

static void carry_box(pli_world *world, pli_rigid_body body, pli_vec3 size, float height)
{
    pli_mesh *mesh;
    must(pli_mesh_create_box(size, &mesh, &problem));
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_HULL, def.mesh = mesh, def.body = body;
    def.pose.position.y = height;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(mesh);
}

// A body that nothing pushes, which carries a box.
static pli_rigid_body add_body(pli_world *world, vec at)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = 0.0f;
    for (int k = 0; k < 3; k++)
        def.inverse_inertia[k] = 0.0f;
    def.state.pose.position = (pli_vec3){(float)at.x, (float)at.y, (float)at.z};
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    carry_box(world, body, (pli_vec3){0.4f, 0.1f, 0.4f}, 0.0f);
    return body;
}

static pli_rigid_state state_of(const pli_world *world, pli_rigid_body body)
{
    pli_rigid_state state;
    must(pli_rigid_body_get_state(world, body, &state, &problem));
    return state;
}

static void check_frame(const pli_world *world, const char *what, int32_t frame)
{
    int32_t count = crossings(world);
    pli_statistics s = statistics_of(world);
    holds(count == 0 && s.intersection_count == 0 && s.failed_pair_count == 0,
          "%s, frame %d: %d crossings, %d counted, %d given up", what, (int)frame, (int)count,
          (int)s.intersection_count, (int)s.failed_pair_count);
}

/* ---- bodies that go where their host says ---------------------------------------------------------- */

// Two boxes with a sheet between them, which their host leads into each other. One of them is two boxes that one body carries.
typedef struct jaws {
    pli_world *world;
    pli_rigid_body at[2];
} jaws;

static jaws open_jaws(int32_t threads, float budget)
{
    jaws j = {.world = open_world(threads, budget)};
    sheet(j.world, 20, (vec){0, 0, 0});
    for (int32_t k = 0; k < 2; k++)
        j.at[k] = add_body(j.world, (vec){0, k ? 0.25 : -0.25, 0});
    carry_box(j.world, j.at[1], (pli_vec3){0.1f, 0.3f, 0.1f}, 0.1f);
    return j;
}

static void lead_jaws(const jaws *j, float gap)
{
    for (int32_t k = 0; k < 2; k++) {
        pli_rigid_state state = state_of(j->world, j->at[k]);
        state.pose.position.y = (k ? 1.0f : -1.0f) * (0.05f + 0.5f * gap);
        must(pli_rigid_body_set_state(j->world, j->at[k], &state, false, &problem));
    }
}

static float gap_at(int32_t frame)
{
    return frame <= 24 ? fmaxf(0.4f - 0.025f * (float)frame, -0.02f) : 0.02f * (float)(frame - 24);
}

static void close_and_open(float budget)
{
    jaws j = open_jaws(1, budget);
    int32_t behind = 0;
    double lag = 0.0;
    for (int32_t frame = 1; frame <= 44; frame++) {
        lead_jaws(&j, gap_at(frame));
        step(j.world, 1.0 / 60.0);
        check_frame(j.world, "jaws", frame);
        pli_statistics s = statistics_of(j.world);
        behind = s.off_target_count > behind ? s.off_target_count : behind;
        lag = fmax(lag, s.tracking_error);
    }
    holds(behind > 0 && lag > 1e-4 && statistics_of(j.world).off_target_count == 0, "%d bodies were behind, by %g",
          (int)behind, lag);
    for (int32_t k = 0; k < 2; k++)
        near((double)state_of(j.world, j.at[k]).pose.position.y, (k ? 1.0 : -1.0) * (0.05 + 0.2), 1e-6, "jaw %d",
             (int)k);
    pli_world_destroy(j.world);
}

static void bodies_that_are_led_yield(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(budgets); i++)
        close_and_open(budgets[i]);
}

// What was stopped goes on by itself to where it was led last, and to the same bits from a snapshot and for any number of threads.
static void bodies_that_lag_go_on(void **state)
{
    (void)state;
    uint64_t hashes[2][2];
    for (int32_t threads = 1; threads <= 2; threads++) {
        jaws j = open_jaws(threads, budgets[1]);
        for (int32_t frame = 1; frame <= 18; frame++) {
            lead_jaws(&j, gap_at(frame));
            step(j.world, 1.0 / 60.0);
        }
        holds(statistics_of(j.world).off_target_count > 0, "none lags");
        size_t size;
        void *bytes = snapshot_of(j.world, &size);
        for (int32_t i = 0; i < 2; i++) {
            for (int32_t frame = 0; frame < 4; frame++)
                step(j.world, 1.0 / 60.0);
            hashes[threads - 1][i] = pli_world_hash(j.world);
            must(pli_world_snapshot_read(j.world, bytes, size, &problem));
        }
        free(bytes);
        pli_world_destroy(j.world);
    }
    holds(hashes[0][0] == hashes[0][1] && hashes[1][0] == hashes[1][1], "a restored world goes elsewhere");
    holds(hashes[0][0] == hashes[1][0], "two threads go elsewhere");
}

// Where motion is shortened for what the jaws do, a body that flies elsewhere keeps its speed.
static void others_go_on(void **state)
{
    (void)state;
    jaws j = open_jaws(1, budgets[0]);
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.state.pose.position = (pli_vec3){2, 0, 0};
    def.state.velocity = (pli_vec3){1, 0, 0};
    pli_rigid_body flying;
    must(pli_rigid_body_create(j.world, &def, &flying, &problem));
    carry_box(j.world, flying, (pli_vec3){0.1f, 0.1f, 0.1f}, 0.0f);
    int32_t shortened_substeps = 0;
    for (int32_t frame = 1; frame <= 20; frame++) {
        lead_jaws(&j, gap_at(frame));
        step(j.world, 1.0 / 60.0);
        shortened_substeps += statistics_of(j.world).shortened_count;
    }
    holds(shortened_substeps > 0, "no motion is shortened");
    near((double)state_of(j.world, flying).pose.position.x, 2.0 + 20.0 / 60.0, 1e-5, "the other body");
    pli_world_destroy(j.world);
}

/* ---- bodies and analytic shapes --------------------------------------------------------------------- */

// A body is led down through a sheet that lies on a plane.
static void bodies_stop_at_cloth_on_a_plane(void **state)
{
    (void)state;
    pli_world *world = open_world(1, budgets[0]);
    ground(world);
    pli_deformable cloth = sheet(world, 0, (vec){0, 0.02, 0});
    pli_rigid_body plate = add_body(world, (vec){0, 0.2, 0});
    double deepest = 0.0, lag = 0.0;
    for (int32_t frame = 1; frame <= 50; frame++) {
        pli_rigid_state at = state_of(world, plate);
        at.pose.position.y = frame <= 25 ? 0.2f - 0.01f * (float)frame : -0.05f + 0.012f * (float)(frame - 25);
        must(pli_rigid_body_set_state(world, plate, &at, false, &problem));
        step(world, 1.0 / 60.0);
        check_frame(world, "plate on plane", frame);
        for (int32_t i = 0; i < vertex_count_of(world, cloth); i++)
            deepest = fmin(deepest, position_of(world, cloth, i).y);
        pli_rigid_tracking_error told;
        must(pli_rigid_body_get_tracking_error(world, plate, &told, &problem));
        near(told.distance, statistics_of(world).tracking_error, 0.0, "frame %d: the way that it has lost", (int)frame);
        holds(told.force[1] == 0.0 && told.torque[0] == 0.0, "what nothing can push loses no momentum");
        lag = fmax(lag, told.distance);
    }
    holds(deepest > -1e-6 && lag > 1e-4, "cloth is at %g below the plane, the plate lagged by %g", deepest, lag);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(bodies_that_are_led_yield),
        property(bodies_that_lag_go_on),
        property(others_go_on),
        property(bodies_stop_at_cloth_on_a_plane),
    };
    return cmocka_run_group_tests_name("stopped", tests, NULL, NULL);
}
