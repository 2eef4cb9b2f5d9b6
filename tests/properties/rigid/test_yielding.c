// Attachments yield: they go no further than the edges at them let them go, say how far they are behind, come to their
// frame as soon as they can, and go on to the same bits from a snapshot.
#include "sheets.h"

enum { SIDE = 11 };

typedef struct pulled {
    pli_world *world;
    pli_deformable cloth;
    pli_attachment ends[2];
} pulled;

// A sheet of 50 cm held at two opposite sides.
static pulled hold_sheet(float stretch)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.gravity = (pli_vec3){0, 0, 0};
    pulled p = {.world = world_from(&def)};
    p.cloth = drop_cloth(p.world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING), pli_transform_identity(), 0.01,
                         true);
    for (int32_t k = 0; k < 2; k++) {
        int32_t particles[SIDE];
        for (int32_t i = 0; i < SIDE; i++)
            particles[i] = (SIDE - 1) * SIDE * k + i;
        pli_attachment_def held = pli_attachment_def_default();
        held.deformable = p.cloth, held.particles = particles, held.particle_count = SIDE, held.stretch = stretch;
        must(pli_attachment_create(p.world, &held, &p.ends[k], &problem));
    }
    return p;
}

static void lead(pulled p, float apart)
{
    for (int32_t k = 0; k < 2; k++) {
        pli_transform pose = pli_transform_identity();
        pose.position.z = (k ? 0.5f : -0.5f) * apart;
        must(pli_attachment_set_pose(p.world, p.ends[k], pose, &problem));
    }
}

static double width_of(pulled p)
{
    return fabs((double)position_of(p.world, p.cloth, SIDE * SIDE - 1).z - (double)position_of(p.world, p.cloth, 0).z);
}

static pli_attachment_tracking_error lag_of(pulled p, int32_t end)
{
    pli_attachment_tracking_error lag;
    must(pli_attachment_get_tracking_error(p.world, p.ends[end], &lag, &problem));
    return lag;
}

// Drawn apart to four times its size, or in one step by 100 m, the sheet is stretched by little more than the limit for its edges
// at the holders; what is missing is told, and made up for.
static void attachments_go_as_far_as_edges_let_them(void **state)
{
    (void)state;
    for (int32_t jump = 0; jump < 2; jump++) {
        pulled p = hold_sheet(1.5f);
        double widest = 0.0;
        for (int32_t frame = 1; frame <= 40; frame++) {
            lead(p, jump ? 100.0f : 0.0375f * (float)frame);
            step(p.world, 1.0 / 60.0);
            widest = fmax(widest, statistics_of(p.world).stretch_max);
            near(width_of(p) + lag_of(p, 0).distance + lag_of(p, 1).distance,
                 0.5 + (jump ? 100.0 : 0.0375 * (double)frame), 2e-5, "frame %d: width and lag", (int)frame);
        }
        pli_attachment_tracking_error lag = lag_of(p, 0);
        holds(widest < 1.5 && lag.count == SIDE && lag.force > 0.0, "stretched by %g, %d lag with %g N", widest,
              (int)lag.count, lag.force);
        holds(statistics_of(p.world).off_target_count == 2 * SIDE &&
                  statistics_of(p.world).tracking_error == lag_of(p, 0).distance,
              "statistics have %d that lag", (int)statistics_of(p.world).off_target_count);
        for (int32_t frame = 0; frame < 60; frame++) {
            lead(p, 0.0f);
            step(p.world, 1.0 / 60.0);
        }
        holds(lag_of(p, 0).count == 0 && lag_of(p, 1).distance == 0.0 && lag_of(p, 0).force == 0.0, "%d lag still",
              (int)lag_of(p, 0).count);
        near(width_of(p), 0.5, 1e-6, "width again");
        pli_world_destroy(p.world);
    }
}

// With an infinite limit they go wherever they are led.
static void attachments_without_limit_do_not_lag(void **state)
{
    (void)state;
    pulled p = hold_sheet(INFINITY);
    for (int32_t frame = 1; frame <= 20; frame++) {
        lead(p, 0.1f * (float)frame);
        step(p.world, 1.0 / 60.0);
        holds(lag_of(p, 0).count == 0 && lag_of(p, 1).count == 0, "frame %d: %d lag", (int)frame,
              (int)lag_of(p, 0).count);
        near(width_of(p), 0.5 + 0.1 * (double)frame, 1e-5, "frame %d: width", (int)frame);
    }
    pli_world_destroy(p.world);
}

// A plate that is led through a sheet on a floor and lags, and attachments that do, go on to the same bits after a restore.
static void what_lags_is_restored(void **state)
{
    (void)state;
    pulled p = hold_sheet(1.2f);
    for (int32_t k = 0; k < 2; k++) {
        pli_transform pose = pose_turned(k ? 3.0 : 0.0, (vec){1, 0.3, 0}, (vec){0.01, k ? 0.06 : -0.02, 0.02});
        pli_collider plate = mesh_collider(p.world, mesh_grid(5, 5, 0.7, PLI_GRID_ALTERNATING), pose, 0.3);
        pose.position.y = -0.05f;
        if (k)
            must(pli_collider_set_pose(p.world, plate, pose, &problem));
    }
    lead(p, 0.4f);
    for (int32_t frame = 0; frame < 2; frame++)
        step(p.world, 1.0 / 60.0);
    holds(statistics_of(p.world).off_target_count > 2 * SIDE, "%d lag", (int)statistics_of(p.world).off_target_count);
    size_t size;
    void *bytes = snapshot_of(p.world, &size);
    uint64_t hashes[2];
    for (int32_t i = 0; i < 2; i++) {
        for (int32_t frame = 0; frame < 4; frame++)
            step(p.world, 1.0 / 60.0);
        hashes[i] = pli_world_hash(p.world);
        must(pli_world_snapshot_read(p.world, bytes, size, &problem));
    }
    holds(hashes[0] == hashes[1], "the restored world goes elsewhere");
    free(bytes);
    pli_world_destroy(p.world);
}

/* ---- lag and force of colliders ---------------------------------------------------------------------- */

static pli_collider_tracking_error collider_lag(const pli_world *world, pli_collider collider)
{
    pli_collider_tracking_error lag;
    must(pli_collider_get_tracking_error(world, collider, &lag, &problem));
    return lag;
}

enum { PLANE, BOX, MESH, CARRIED, KINDS };

// The top of the plate is at 0.
static pli_collider add_plate(pli_world *world, int32_t kind)
{
    pli_collider_def def = pli_collider_def_default();
    pli_collider plate;
    pli_mesh *mesh = NULL;
    def.shape = kind == PLANE ? PLI_SHAPE_PLANE : kind == MESH ? PLI_SHAPE_MESH : PLI_SHAPE_BOX;
    def.half_extents = (pli_vec3){0.5f, 0.1f, 0.5f};
    if (kind == MESH)
        must(pli_mesh_create_box((pli_vec3){1.0f, 0.2f, 1.0f}, &mesh, &problem));
    def.mesh = mesh, def.pose.position.y = kind == PLANE ? 0.0f : -0.1f;
    if (kind == CARRIED) {
        pli_rigid_body_def body = pli_rigid_body_def_default();
        body.inverse_mass = 0.0f;
        for (int32_t k = 0; k < 6; k++)
            body.inverse_inertia[k] = 0.0f;
        must(pli_rigid_body_create(world, &body, &def.body, &problem));
    }
    must(pli_collider_create(world, &def, &plate, &problem));
    if (mesh)
        pli_mesh_destroy(mesh);
    return plate;
}

// A sheet at rest presses with its weight on whatever carries it; springs that pull it up take n x / compliance off.
static void a_collider_knows_what_presses_on_it(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < KINDS; kind++)
        for (int32_t pulled_up = 0; pulled_up < 2; pulled_up++) {
            pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
            def.settings.damping = 10.0f;
            pli_world *world = world_from(&def);
            pli_deformable cloth = drop_cloth(world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING),
                                              pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.012, 0}), 0.01, false);
            pli_collider plate = add_plate(world, kind);
            int32_t all[SIDE * SIDE];
            for (int32_t i = 0; i < SIDE * SIDE; i++)
                all[i] = i;
            const double rise = 0.02, compliance = 20.0;
            pli_attachment springs;
            pli_attachment_def up = pli_attachment_def_default();
            up.deformable = cloth, up.particles = all, up.particle_count = SIDE * SIDE;
            up.fixed = false, up.compliance = compliance;
            for (int32_t frame = 0; frame < 120; frame++)
                step(world, 1.0 / 60.0);
            if (pulled_up) {
                must(pli_attachment_create(world, &up, &springs, &problem));
                pli_transform pose = pli_transform_identity();
                pose.position.y = (float)rise;
                must(pli_attachment_set_pose(world, springs, pose, &problem));
                for (int32_t frame = 0; frame < 120; frame++)
                    step(world, 1.0 / 60.0);
            }
            pli_deformable_statistics s;
            must(pli_deformable_get_statistics(world, cloth, &s, &problem));
            pli_deformable_def made;
            must(pli_deformable_get_def(world, cloth, &made, &problem));
            const double mass = (double)made.density * 0.25;
            const double expected = mass * 9.81 - (pulled_up ? SIDE * SIDE * rise / compliance : 0.0);
            const pli_collider_tracking_error lag = collider_lag(world, plate);
            near(-lag.force[1], expected, 0.01 * mass * 9.81, "kind %d, springs %d: its weight", (int)kind,
                 (int)pulled_up);
            near(lag.force[0], 0.0, 0.01 * mass * 9.81, "kind %d: nothing aside", (int)kind);
            holds(lag.count == 0 && lag.distance == 0.0, "kind %d: it lags by %g", (int)kind, lag.distance);
            pli_world_destroy(world);
        }
}

// A plate that is led through a sheet on a floor stops above it. Its lag is what is missing to its target, and what presses on it
// points back where it came from.
static void a_plunger_tells_what_is_missing(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.012, 0}), 0.01, false);
    pli_transform pose = pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.06, 0});
    pli_collider floor = mesh_collider(world, mesh_grid(5, 5, 0.7, PLI_GRID_ALTERNATING), pli_transform_identity(),
                                       0.3),
                 plate = mesh_collider(world, mesh_grid(5, 5, 0.7, PLI_GRID_ALTERNATING), pose, 0.3);
    for (int32_t frame = 1; frame <= 12; frame++) {
        pose.position.y = 0.06f - 0.01f * (float)frame;
        must(pli_collider_set_pose(world, plate, pose, &problem));
        step(world, 1.0 / 60.0);
        pli_transform now;
        must(pli_collider_pose(world, plate, &now, &problem));
        const pli_collider_tracking_error lag = collider_lag(world, plate);
        near(lag.distance, (double)now.position.y - (double)pose.position.y, 1e-6, "frame %d: its lag", (int)frame);
        holds(lag.count == (lag.distance > 0.0), "frame %d: %d behind", (int)frame, (int)lag.count);
        near(statistics_of(world).tracking_error, lag.distance, 0.0, "frame %d: as in the statistics", (int)frame);
    }
    const pli_collider_tracking_error pressed = collider_lag(world, plate), below = collider_lag(world, floor);
    holds(pressed.count == 1 && pressed.distance > 0.05, "it is %g m behind", pressed.distance);
    holds(pressed.force[1] > 0.0 && below.force[1] < 0.0, "pressed with %g and %g N", pressed.force[1], below.force[1]);
    pli_collider_tracking_error none;
    holds(pli_collider_get_tracking_error(world, (pli_collider){0, 0}, &none, &problem) == PLI_STATUS_NOT_FOUND,
          "no collider");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(attachments_go_as_far_as_edges_let_them),
        property(attachments_without_limit_do_not_lag),
        property(what_lags_is_restored),
        property(a_collider_knows_what_presses_on_it),
        property(a_plunger_tells_what_is_missing),
    };
    return cmocka_run_group_tests_name("yielding", tests, NULL, NULL);
}
