// What cannot be had is not had at the cost of surfaces: cloth between what the host animates, leads or holds and something else.
// Brute force over all edges and triangles judges each frame.
#include "sheets.h"

// Where the scenes are [m]: far away poses are too coarse for contact.
static vec home;

static pli_world *open_world(void)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.substeps = 8;
    return world_from(&def);
}

static pli_transform at_home(pli_transform pose)
{
    pose.position.x += (float)home.x, pose.position.z += (float)home.z;
    return pose;
}

static pli_deformable sheet(pli_world *world, int32_t side, pli_transform pose)
{
    return drop_cloth(world, mesh_grid(side, side, 0.5, PLI_GRID_ALTERNATING), at_home(pose), 0.01, true);
}

static pli_transform lifted(float height)
{
    pli_transform pose = pli_transform_identity();
    pose.position.y = height;
    return at_home(pose);
}

static pli_mesh *box_mesh(float width, float height)
{
    pli_mesh *mesh;
    must(pli_mesh_create_box((pli_vec3){width, height, width}, &mesh, &problem));
    return mesh;
}

static void check_frame(const pli_world *world, const char *what, int32_t frame)
{
    int32_t count = crossings(world);
    pli_statistics s = statistics_of(world);
    holds(count == 0 && s.intersection_count == 0 && s.failed_pair_count == 0,
          "%s, frame %d: %d crossings, %d counted, %d given up", what, (int)frame, (int)count,
          (int)s.intersection_count, (int)s.failed_pair_count);
}

/* ---- animated colliders -------------------------------------------------------------------------- */

enum { JAWS = 2, CORNERS = 8 };

typedef struct jaws {
    pli_world *world;
    pli_collider at[JAWS];
    float rest[3 * CORNERS];
} jaws;

// A sheet between two boxes whose vertices are animated.
static jaws open_jaws(double degrees, pli_yields yields)
{
    jaws j = {.world = open_world()};
    sheet(j.world, 9, pose_turned(degrees, (vec){1, 0, 0}, (vec){0, 0, 0}));
    for (int32_t k = 0; k < JAWS; k++) {
        pli_mesh *mesh = box_mesh(0.4f, 0.1f);
        const pli_topology *t = pli_mesh_topology(mesh);
        holds(t->vertex_count == CORNERS, "a box has %d vertices", (int)t->vertex_count);
        memcpy(j.rest, t->positions, sizeof j.rest);
        pli_collider_def def = pli_collider_def_default();
        float placed[3 * CORNERS];
        for (int32_t i = 0; i < 3 * CORNERS; i++)
            placed[i] = j.rest[i] + (i % 3 == 1 ? (k ? 0.25f : -0.25f) : 0.0f);
        def.shape = PLI_SHAPE_MESH, def.mesh = mesh, def.positions = placed, def.yields = yields;
        def.pose = at_home(pli_transform_identity());
        must(pli_collider_create(j.world, &def, &j.at[k], &problem));
        pli_mesh_destroy(mesh);
    }
    return j;
}

static void close_jaws(const jaws *j, float gap)
{
    for (int32_t k = 0; k < JAWS; k++) {
        float placed[3 * CORNERS];
        for (int32_t i = 0; i < 3 * CORNERS; i++)
            placed[i] = j->rest[i] + (i % 3 == 1 ? (k ? 1.0f : -1.0f) * (0.05f + 0.5f * gap) : 0.0f);
        must(pli_collider_set_vertices(j->world, j->at[k], placed, CORNERS, &problem));
    }
}

// They close until they would meet, and open again: vertices of theirs stop at the sheet, the lag is told, and they are where they
// are led once there is room.
static void animated_colliders_yield(void **state)
{
    (void)state;
    jaws j = open_jaws(20, PLI_YIELDS_COLLIDER);
    int32_t lagging = 0;
    double lag = 0.0;
    for (int32_t frame = 1; frame <= 40; frame++) {
        close_jaws(&j,
                   frame <= 20 ? fmaxf(0.4f - 0.025f * (float)frame, -0.02f) : -0.02f + 0.025f * (float)(frame - 20));
        step(j.world, 1.0 / 60.0);
        check_frame(j.world, "jaws", frame);
        pli_statistics s = statistics_of(j.world);
        lagging = s.off_target_count > lagging ? s.off_target_count : lagging;
        lag = fmax(lag, s.tracking_error);
        holds((s.off_target_count > 0) == (s.tracking_error > 0.0), "%d lag by %g", (int)s.off_target_count,
              s.tracking_error);
    }
    holds(lagging >= 4 && lag > 0.005, "%d vertices lagged, by %g at most", (int)lagging, lag);
    holds(statistics_of(j.world).off_target_count == 0, "%d lag at the end",
          (int)statistics_of(j.world).off_target_count);
    for (int32_t k = 0; k < JAWS; k++) {
        pli_view view = pli_collider_vertices(j.world, j.at[k]);
        for (int32_t v = 0; v < CORNERS; v++)
            near((double)pli_view_at(view, v)[1], (double)j.rest[3 * v + 1] + (k ? 1.0 : -1.0) * (0.05 + 0.24), 1e-6,
                 "jaw %d, vertex %d", (int)k, (int)v);
    }
    pli_world_destroy(j.world);
}

// By default the cloth yields to animated vertices: the jaws are where they are animated to in each frame, what crosses is counted, and the
// sheet is free again, and not thrown, after they have opened.
static void animated_colliders_keep_their_animation(void **state)
{
    (void)state;
    jaws j = open_jaws(20, PLI_YIELDS_AUTO);
    double start = 0.0;
    int32_t most = 0, frames = shortened() ? 90 : 150;
    for (int32_t frame = 1; frame <= frames; frame++) {
        const float gap = frame <= 20   ? fmaxf(0.4f - 0.025f * (float)frame, -0.02f)
                          : frame <= 40 ? -0.02f + 0.025f * (float)(frame - 20)
                                        : 0.48f;
        close_jaws(&j, gap);
        step(j.world, 1.0 / 60.0);
        const pli_statistics s = statistics_of(j.world);
        const int32_t found = crossings(j.world);
        pli_collider_tracking_error lags[JAWS];
        int32_t of_jaws = 0;
        for (int32_t k = 0; k < JAWS; k++) {
            must(pli_collider_get_tracking_error(j.world, j.at[k], &lags[k], &problem));
            of_jaws += lags[k].intersection_count;
            for (int32_t v = 0; v < CORNERS; v++)
                holds(pli_view_at(pli_collider_vertices(j.world, j.at[k]), v)[1] ==
                          j.rest[3 * v + 1] + (k ? 1.0f : -1.0f) * (0.05f + 0.5f * gap),
                      "frame %d: vertex %d of jaw %d is not where it is animated to", (int)frame, (int)v, (int)k);
        }
        holds(s.off_target_count == 0 && s.tracking_error == 0.0, "frame %d: %d lag", (int)frame,
              (int)s.off_target_count);
        holds((found == 0 || s.intersection_count > 0) && of_jaws <= s.intersection_count,
              "frame %d: %d crossings, %d counted, %d of them by jaws", (int)frame, (int)found,
              (int)s.intersection_count, (int)of_jaws);
        // The sheet may turn the potential energy of its fall into kinetic energy, and gain no more.
        start = frame == 1 ? s.kinetic_energy + s.potential_energy : start;
        holds(s.kinetic_energy + s.potential_energy - start < 1.0 && s.stretch_max < 5.0, "frame %d: %g J, strain %g",
              (int)frame, s.kinetic_energy + s.potential_energy - start, s.stretch_max);
        most = found > most ? found : most;
    }
    holds(most > 0, "nothing had to cross");
    holds(statistics_of(j.world).stretch_max < 0.05, "strain %g at the end", statistics_of(j.world).stretch_max);
    holds(crossings(j.world) == 0 && statistics_of(j.world).intersection_count == 0,
          "%d crossings at the end, %d counted", (int)crossings(j.world),
          (int)statistics_of(j.world).intersection_count);
    pli_world_destroy(j.world);
}

// Vertices that are behind continue to the same bits from a snapshot, in this world and in a fresh one, whose are not behind.
static void animated_colliders_that_lag_are_restored(void **state)
{
    (void)state;
    jaws j = open_jaws(20, PLI_YIELDS_COLLIDER);
    for (int32_t frame = 1; frame <= 18; frame++) {
        close_jaws(&j, fmaxf(0.4f - 0.025f * (float)frame, -0.02f));
        step(j.world, 1.0 / 60.0);
    }
    holds(statistics_of(j.world).off_target_count > 0, "none lags");
    size_t size;
    void *bytes = snapshot_of(j.world, &size);
    jaws fresh = open_jaws(20, PLI_YIELDS_COLLIDER);
    pli_world *worlds[] = {j.world, j.world, fresh.world};
    uint64_t hashes[3];
    must(pli_world_snapshot_read(fresh.world, bytes, size, &problem));
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t frame = 0; frame < 4; frame++)
            step(worlds[i], 1.0 / 60.0);
        hashes[i] = pli_world_hash(worlds[i]);
        must(pli_world_snapshot_read(j.world, bytes, size, &problem));
    }
    holds(hashes[0] == hashes[1] && hashes[0] == hashes[2], "the restored world goes elsewhere");
    free(bytes);
    pli_world_destroy(fresh.world);
    pli_world_destroy(j.world);
}

/* ---- held particles ------------------------------------------------------------------------------ */

enum { ROW = 9 };

typedef struct worn {
    pli_world *world;
    pli_attachment row;
    pli_collider wearer;
    float rest[3 * 200];
    int32_t count;
} worn;

// A sheet that hangs by a row above a ball of triangles.
static worn open_worn(void)
{
    worn w = {.world = open_world()};
    pli_deformable cloth = sheet(w.world, ROW, pose_turned(70, (vec){1, 0, 0}, (vec){0, 0, 0}));
    int32_t particles[ROW];
    for (int32_t i = 0; i < ROW; i++)
        particles[i] = i;
    pli_attachment_def held = pli_attachment_def_default();
    held.deformable = cloth, held.particles = particles, held.particle_count = ROW;
    must(pli_attachment_create(w.world, &held, &w.row, &problem));
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(2, 0.12f, &mesh, &problem));
    const pli_topology *t = pli_mesh_topology(mesh);
    w.count = t->vertex_count;
    holds(3 * w.count <= COUNT_OF(w.rest), "the ball has %d vertices", (int)w.count);
    memcpy(w.rest, t->positions, sizeof(float) * 3 * (size_t)w.count);
    pli_transform pose = pli_transform_identity();
    pose.position = (pli_vec3){0.03f, 0.2f, 0.25f};
    w.wearer = mesh_collider(w.world, mesh, at_home(pose), 0.3);
    return w;
}

// The wearer goes through the row and back, led by its pose or by its vertices: the row gives way, says so, and is back where it is held;
// the wearer is stopped nowhere.
static void held_particles_give_way_to_what_is_led(void **state)
{
    (void)state;
    for (int32_t animated = 0; animated < 2; animated++) {
        worn w = open_worn();
        int32_t behind = 0;
        for (int32_t frame = 1; frame <= 60; frame++) {
            float way = 0.02f * (float)(frame <= 20 ? frame : frame <= 40 ? 40 - frame : 0), placed[COUNT_OF(w.rest)];
            pli_transform pose = pli_transform_identity();
            pose.position = (pli_vec3){0.03f, 0.2f, 0.25f - way};
            for (int32_t i = 0; i < 3 * w.count; i++)
                placed[i] = w.rest[i] - (i % 3 == 2 ? way : 0.0f);
            if (animated)
                must(pli_collider_set_vertices(w.world, w.wearer, placed, w.count, &problem));
            else
                must(pli_collider_set_pose(w.world, w.wearer, at_home(pose), &problem));
            step(w.world, 1.0 / 60.0);
            check_frame(w.world, animated ? "animated wearer" : "wearer", frame);
            pli_attachment_tracking_error lag;
            must(pli_attachment_get_tracking_error(w.world, w.row, &lag, &problem));
            pli_statistics s = statistics_of(w.world);
            // Positions are rounded otherwise far away, and cloth may come between the wearer and the row for some frames.
            holds(s.off_target_count == lag.count || home.x > 0.0, "frame %d: %d lag, %d of them held", (int)frame,
                  (int)s.off_target_count, (int)lag.count);
            behind = lag.count > behind ? lag.count : behind;
        }
        pli_statistics s = statistics_of(w.world);
        holds(behind > 0 && s.off_target_count == 0, "%d held particles were behind, %d are", (int)behind,
              (int)s.off_target_count);
        pli_world_destroy(w.world);
    }
}

// A sheet that is folded at rest, 5 cm apart.
static pli_mesh *folded_mesh(void)
{
    enum { COLUMNS = 9, ROWS = 19, HALF = ROWS / 2 };
    pli_mesh *flat = mesh_grid(COLUMNS, ROWS, 0.5, PLI_GRID_ALTERNATING);
    float *positions = copied_positions(flat);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++) {
        int32_t row = i / COLUMNS;
        positions[3 * i + 1] = row < HALF ? 0.0f : row == HALF ? -0.025f : -0.05f;
        positions[3 * i + 2] = 0.05f * (float)(row <= HALF ? row : ROWS - 1 - row) - 0.2f;
    }
    pli_mesh *folded = mesh_moved(flat, positions);
    free(positions);
    pli_mesh_destroy(flat);
    return folded;
}

// Both layers of a folded sheet are held by one attachment, and a ball is led through both and back.
static void what_one_attachment_holds_stays_apart(void **state)
{
    (void)state;
    pli_world *world = open_world();
    pli_deformable cloth = drop_cloth(world, folded_mesh(), at_home(pli_transform_identity()), 0.01, true);
    int32_t particles[171], count = vertex_count_of(world, cloth);
    for (int32_t i = 0; i < count && i < COUNT_OF(particles); i++)
        particles[i] = i;
    pli_attachment_def held = pli_attachment_def_default();
    held.deformable = cloth, held.particles = particles, held.particle_count = count;
    pli_attachment attachment;
    must(pli_attachment_create(world, &held, &attachment, &problem));
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(2, 0.07f, &mesh, &problem));
    pli_collider ball = mesh_collider(world, mesh, lifted(0.15f), 0.3);
    int32_t behind = 0;
    for (int32_t frame = 1; frame <= 40; frame++) {
        must(pli_collider_set_pose(world, ball, lifted(0.15f - 0.02f * (float)(frame <= 20 ? frame : 40 - frame)),
                                   &problem));
        step(world, 1.0 / 60.0);
        check_frame(world, "both layers held", frame);
        behind = statistics_of(world).off_target_count > behind ? statistics_of(world).off_target_count : behind;
    }
    holds(behind > 1 && statistics_of(world).off_target_count == 0, "%d lagged, %d do", (int)behind,
          (int)statistics_of(world).off_target_count);
    pli_world_destroy(world);
}

/* ---- analytic shapes ----------------------------------------------------------------------------- */

static double lowest(const pli_world *world, pli_deformable cloth)
{
    double least = INFINITY;
    for (int32_t i = 0; i < vertex_count_of(world, cloth); i++)
        least = fmin(least, position_of(world, cloth, i).y);
    return least;
}

static pli_collider analytic_box(pli_world *world, float width, float height, pli_transform pose)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_BOX, def.half_extents = (pli_vec3){0.5f * width, 0.5f * height, 0.5f * width};
    def.pose = pose;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    return collider;
}

// Two sheets on a plane or on a box, and a plate of triangles that is led down through them: it stops, the sheets stay above, and it
// goes on to where it is led once that is up again.
static void a_plate_stops_at_cloth_on_an_analytic_shape(void **state)
{
    (void)state;
    for (int32_t on_box = 0; on_box < 2; on_box++) {
        pli_world *world = open_world();
        if (on_box)
            analytic_box(world, 0.8f, 0.2f, lifted(-0.1f));
        else
            ground(world);
        pli_deformable sheets[2];
        for (int32_t k = 0; k < 2; k++)
            sheets[k] = sheet(world, 9, pose_turned(0, (vec){1, 0, 0}, (vec){0.01 * k, 0.02 + 0.02 * k, 0.005 * k}));
        pli_collider plate = mesh_collider(world, box_mesh(0.3f, 0.05f), lifted(0.15f), 0.3);
        double deepest = 0.0, lag = 0.0;
        for (int32_t frame = 1; frame <= 50; frame++) {
            float height = frame <= 25 ? 0.15f - 0.01f * (float)frame : -0.1f + 0.012f * (float)(frame - 25);
            must(pli_collider_set_pose(world, plate, lifted(height), &problem));
            step(world, 1.0 / 60.0);
            check_frame(world, on_box ? "plate on box" : "plate on plane", frame);
            for (int32_t k = 0; k < 2; k++)
                deepest = fmin(deepest, lowest(world, sheets[k]));
            lag = fmax(lag, statistics_of(world).tracking_error);
        }
        holds(deepest > -1e-6, "cloth is at %g below the surface", deepest);
        holds(lag > 0.1 && statistics_of(world).off_target_count == 0, "the plate lagged by %g at most", lag);
        pli_world_destroy(world);
    }
}

// A plate that was stopped goes on to the same bits from a snapshot.
static void a_plate_that_lags_is_restored(void **state)
{
    (void)state;
    pli_world *world = open_world();
    ground(world);
    sheet(world, 9, pose_turned(0, (vec){1, 0, 0}, (vec){0, 0.02, 0}));
    pli_collider plate = mesh_collider(world, box_mesh(0.3f, 0.05f), lifted(0.1f), 0.3);
    for (int32_t frame = 1; frame <= 12; frame++) {
        must(pli_collider_set_pose(world, plate, lifted(0.1f - 0.01f * (float)frame), &problem));
        step(world, 1.0 / 60.0);
    }
    holds(statistics_of(world).off_target_count > 0, "the plate does not lag");
    size_t size;
    void *bytes = snapshot_of(world, &size);
    pli_transform poses[2];
    uint64_t hashes[2];
    for (int32_t i = 0; i < 2; i++) {
        for (int32_t frame = 1; frame <= 6; frame++) {
            must(pli_collider_set_pose(world, plate, lifted(-0.02f + 0.01f * (float)frame), &problem));
            step(world, 1.0 / 60.0);
            check_frame(world, "restored plate", frame);
        }
        must(pli_collider_get_local_pose(world, plate, &poses[i], &problem));
        hashes[i] = pli_world_hash(world);
        must(pli_world_snapshot_read(world, bytes, size, &problem));
    }
    holds(hashes[0] == hashes[1] && memcmp(&poses[0], &poses[1], sizeof poses[0]) == 0,
          "the restored world goes elsewhere");
    free(bytes);
    pli_world_destroy(world);
}

// The same with what is led and what stands exchanged: an analytic box is led down on a sheet on a floor of triangles.
static void an_analytic_shape_that_is_led_stops_at_cloth(void **state)
{
    (void)state;
    pli_world *world = open_world();
    mesh_collider(world, box_mesh(0.8f, 0.2f), lifted(-0.1f), 0.3);
    pli_deformable cloth = sheet(world, 9, pose_turned(0, (vec){1, 0, 0}, (vec){0, 0.02, 0}));
    pli_collider plate = analytic_box(world, 0.7f, 0.05f, lifted(0.15f));
    double lag = 0.0, highest = -INFINITY;
    for (int32_t frame = 1; frame <= 50; frame++) {
        float height = frame <= 25 ? 0.15f - 0.01f * (float)frame : -0.1f + 0.012f * (float)(frame - 25);
        must(pli_collider_set_pose(world, plate, lifted(height), &problem));
        step(world, 1.0 / 60.0);
        check_frame(world, "box on floor", frame);
        pli_transform pose;
        must(pli_collider_pose(world, plate, &pose, &problem));
        for (int32_t i = 0; i < vertex_count_of(world, cloth); i++) {
            vec p = sub(position_of(world, cloth, i), home);
            double in = fmin(fmin(0.35 - fabs(p.x), 0.35 - fabs(p.z)), 0.025 - fabs(p.y - (double)pose.position.y));
            highest = fmax(highest, in);
        }
        lag = fmax(lag, statistics_of(world).tracking_error);
    }
    holds(highest < 1e-6, "cloth is %g deep in the box", highest);
    holds(lag > 0.1 && statistics_of(world).off_target_count == 0, "the box lagged by %g at most, and %d lag", lag,
          (int)statistics_of(world).off_target_count);
    pli_world_destroy(world);
}

/* ---- pairs that are given up --------------------------------------------------------------------- */

static void lead(pli_world *world, int32_t attachment, pli_vec3 position)
{
    pli_transform pose = pli_transform_identity();
    pose.position = position;
    must(pli_attachment_set_pose(world, pli_world_attachment_at(world, attachment), pose, &problem));
}

// Two sheets, each held by two borders, are led through one another. They begin with a fold of one through the other, which exempts some
// pairs from the start: what goes through becomes half more and eight edges at most, and each edge is seen from two triangles.
static void what_intersects_opens_no_door(void **state)
{
    (void)state;
    enum { SIDE = 15 };
    pli_world *world = open_world();
    pli_deformable above = sheet(world, SIDE, pli_transform_identity());
    // One corner of the lower sheet, which is held, sticks through the upper one.
    pli_transform pose = pose_turned(6, (vec){0.6, 0, 0.8}, (vec){0.011, -0.03, 0.013});
    pli_deformable below = sheet(world, SIDE + 1, pose);
    attach_every(world, above, 0, SIDE, 1), attach_every(world, above, SIDE * (SIDE - 1), SIDE, 1);
    attach_every(world, below, 0, SIDE + 1, SIDE + 1), attach_every(world, below, SIDE, SIDE + 1, SIDE + 1);
    int32_t begun = crossings(world), most = 0;
    for (int32_t frame = 1; frame <= 30; frame++) {
        for (int32_t k = 0; k < 4; k++)
            lead(world, k, (pli_vec3){0, (k < 2 ? -0.015f : 0.015f) * (float)frame, 0});
        step(world, 1.0 / 60.0);
        int32_t count = crossings(world);
        most = count > most ? count : most;
    }
    holds(begun > 0 && most <= 3 * begun / 2 + 24, "%d crossings at the start, %d at most", (int)begun, (int)most);
    pli_world_destroy(world);
}

// Colliders that are led, or animated, yield there too, and go on, to the same bits from a snapshot.
static void what_is_far_yields(void **state)
{
    home = (vec){8000, 0, -6000};
    animated_colliders_yield(state);
    animated_colliders_that_lag_are_restored(state);
    a_plate_that_lags_is_restored(state);
    if (!shortened()) {
        held_particles_give_way_to_what_is_led(state);
        a_plate_stops_at_cloth_on_an_analytic_shape(state);
    }
    an_analytic_shape_that_is_led_stops_at_cloth(state);
    home = (vec){0, 0, 0};
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(animated_colliders_yield),
        property(animated_colliders_keep_their_animation),
        property(animated_colliders_that_lag_are_restored),
        property(held_particles_give_way_to_what_is_led),
        property(what_one_attachment_holds_stays_apart),
        property(a_plate_stops_at_cloth_on_an_analytic_shape),
        property(a_plate_that_lags_is_restored),
        property(an_analytic_shape_that_is_led_stops_at_cloth),
        property(what_intersects_opens_no_door),
        property(what_is_far_yields),
    };
    return cmocka_run_group_tests_name("squeezed", tests, NULL, NULL);
}
