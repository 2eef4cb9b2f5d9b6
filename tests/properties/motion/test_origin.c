// Far from the origin: scenes at 1 km against the same at the origin, worlds that fly and walk across moves of their own
// origin, what the host writes and reads there, and snapshots, threads and widths. PLIANT_TABLE=1 prints a table, of
// which docs/concepts.md has some rows.
#include "far_scenes.h"

static const vec far_away = {800.3, 299.7, -520.45};

// A row of the table for each figure of a scene: at 0, within reach of the origin, 100 m, 1 km and 10 km away, and 1 km away
// from an origin that stays at 0.
static void print_rows(const far_scene *scene)
{
    const vec places[] = {{0, 0, 0}, {11, -7, 9}, scale(far_away, 0.1), far_away, scale(far_away, 10.0), far_away};
    double figures[COUNT_OF(places)][FIGURES];
    for (int32_t p = 0; p < COUNT_OF(places); p++) {
        far_origin = p + 1 < COUNT_OF(places) ? PLI_ORIGIN_AUTO : PLI_ORIGIN_FIXED;
        scene->run(places[p], figures[p]);
    }
    far_origin = PLI_ORIGIN_AUTO;
    for (int32_t k = 0; k < FIGURES; k++) {
        print_message("| %s | %s |", scene->name, scene->figures[k].what);
        for (int32_t p = 0; p < COUNT_OF(places); p++)
            print_message(" %.3g |", figures[p][k]);
        print_message("\n");
    }
}

static void far_scenes_are_like_near_ones(void **state)
{
    (void)state;
    for (int32_t s = 0; s < COUNT_OF(far_scenes); s++) {
        const far_scene *scene = &far_scenes[s];
        double near_by[FIGURES], far[FIGURES];
        scene->run((vec){0, 0, 0}, near_by);
        scene->run(far_away, far);
        for (int32_t k = 0; k < FIGURES; k++)
            near(far[k], near_by[k], scene->figures[k].tolerance, "%s: %s", scene->name, scene->figures[k].what);
        if (getenv("PLIANT_TABLE"))
            print_rows(scene);
    }
}

/* ---- the same bits ------------------------------------------------------------------------------- */

// Everything at coordinates that float has at 1 km too: cloth that falls on all kinds of colliders and on itself, held
// and soft attachments, targets of a list, and a rigid body.
static void fill_yard(pli_world *world, vec at)
{
    const int32_t corner[1] = {0}, other[1] = {20}, rim[2] = {420, 440};
    pli_transform pose = far_pose(at, 0, 0.5, 0);
    pli_deformable cloth = far_cloth(world, mesh_grid(21, 21, 1.0, PLI_GRID_ALTERNATING), pose, true);
    far_hold(world, cloth, corner, 1);
    pli_attachment_def soft = pli_attachment_def_default();
    soft.deformable = cloth, soft.particles = other, soft.particle_count = 1;
    soft.fixed = false, soft.compliance = 1e-3;
    pli_attachment attachment;
    must(pli_attachment_create(world, &soft, &attachment, &problem));
    pli_rigid_body_def body = pli_rigid_body_def_default();
    body.state.pose = far_pose(at, 0.25, 1.0, 0.25);
    pli_rigid_body ball;
    must(pli_rigid_body_create(world, &body, &ball, &problem));
    pli_attachment_def tie = pli_attachment_def_default();
    tie.deformable = cloth, tie.particles = rim, tie.particle_count = 2;
    tie.body = ball;
    must(pli_attachment_create(world, &tie, &attachment, &problem));
    pli_collider_def def = pli_collider_def_default();
    def.radius = 0.125f;
    def.body = ball;
    far_collider(world, def);
    def.body = (pli_rigid_body){0, 0};
    def.shape = PLI_SHAPE_PLANE;
    def.pose = far_pose(at, 0, -0.25, 0);
    far_collider(world, def);
    def.shape = PLI_SHAPE_BOX;
    def.half_extents = (pli_vec3){0.125f, 0.25f, 0.125f};
    def.pose = far_pose(at, 0.25, 0, 0.25);
    far_collider(world, def);
    def.shape = PLI_SHAPE_MESH;
    pli_mesh *mesh = mesh_ball(2, 0.0);
    def.mesh = mesh;
    def.pose = far_pose(at, -0.5, -0.0625, -0.25);
    far_collider(world, def);
    pli_mesh_destroy(mesh);
}

static pli_world *yard(vec at, int32_t threads, pli_simd simd)
{
    const double origin[3] = {at.x, at.y, at.z};
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads;
    def.simd = simd;
    pli_world *world = world_from(&def);
    must(pli_world_set_origin(world, origin, &problem));
    fill_yard(world, at);
    return world;
}

static void check_same_local(const pli_world *a, const pli_world *b, const char *what)
{
    for (int32_t d = 0; d < pli_world_deformable_count(a); d++) {
        pli_deformable one = pli_world_deformable_at(a, d), other = pli_world_deformable_at(b, d);
        pli_view p = pli_deformable_local_positions(a, one), q = pli_deformable_local_positions(b, other);
        pli_view v = pli_deformable_velocities(a, one), w = pli_deformable_velocities(b, other);
        int32_t differing = p.count == q.count ? 0 : 1;
        for (int32_t i = 0; i < p.count && i < q.count; i++)
            differing += memcmp(pli_view_at(p, i), pli_view_at(q, i), 12) != 0 ||
                         memcmp(pli_view_at(v, i), pli_view_at(w, i), 12) != 0;
        holds(differing == 0, "%s: %d of %d particles differ", what, (int)differing, (int)p.count);
    }
}

static void whole_metres_away_the_bits_are_the_same(void **state)
{
    (void)state;
    const vec places[] = {{1000, 300, -500}, {-123456, 7, 0}, {0, 0, 99}};
    int32_t count = shortened() ? 1 : COUNT_OF(places);
    pli_world *home = yard((vec){0, 0, 0}, 1, PLI_SIMD_AUTO);
    int32_t contacts = 0;
    for (int32_t i = 0; i < 40; i++) {
        steps(home, 1);
        contacts += statistics_of(home).contact_count;
    }
    holds(contacts > 100, "%d contacts", (int)contacts);
    for (int32_t i = 0; i < count; i++) {
        pli_world *away = yard(places[i], 1, PLI_SIMD_AUTO);
        steps(away, 40);
        double origin[3];
        pli_world_get_origin(away, origin);
        near(distance(vec_of(origin), places[i]), 0.0, 0.0, "the origin");
        check_same_local(home, away, "far");
        pli_world_destroy(away);
    }
    pli_world_destroy(home);
}

/* ---- across moves -------------------------------------------------------------------------------- */

static pli_world *thrown_balloon(int32_t threads, pli_simd simd)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    def.thread_count = threads;
    def.simd = simd;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_ball(2, 0.0);
    pli_deformable_def ball = pli_deformable_def_default();
    ball.mesh = mesh;
    ball.velocity = (pli_vec3){290.0f, 40.0f, -60.0f};
    pli_deformable deformable;
    must(pli_deformable_create(world, &ball, &deformable, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, deformable, "distance", NULL);
    tune(world, constrain(world, deformable, "volume", NULL), "pressure", 1.2);
    return world;
}

static double radius_of(const pli_world *world, double *least)
{
    pli_view view = pli_deformable_local_positions(world, pli_world_deformable_at(world, 0));
    vec sum = {0, 0, 0};
    for (int32_t i = 0; i < view.count; i++)
        sum = add(sum, scale(vec_of_floats(pli_view_at(view, i)), 1.0 / view.count));
    double most = 0.0;
    *least = INFINITY;
    for (int32_t i = 0; i < view.count; i++) {
        double r = distance(vec_of_floats(pli_view_at(view, i)), sum);
        most = fmax(most, r), *least = fmin(*least, r);
    }
    return most;
}

// 3 km in 10 s: it stays as round as one that stays where it is, and is where it should be.
static void a_thrown_balloon_flies_as_it_is(void **state)
{
    (void)state;
    pli_world *flying = thrown_balloon(1, PLI_SIMD_AUTO), *staying = thrown_balloon(1, PLI_SIMD_AUTO);
    rest_velocities(staying, pli_world_deformable_at(staying, 0));
    int32_t moves = 0;
    double last[3] = {0, 0, 0}, origin[3], least, still_least;
    for (int32_t i = 0; i < 600; i++) {
        step(flying, 1.0 / 60.0), step(staying, 1.0 / 60.0);
        pli_world_get_origin(flying, origin);
        moves += memcmp(origin, last, sizeof origin) != 0;
        memcpy(last, origin, sizeof origin);
    }
    holds(moves > 100, "the origin moved %d times", (int)moves);
    vec expected = {2900.0, 400.0, -600.0}, centre = far_centre(flying, pli_world_deformable_at(flying, 0));
    near(distance(centre, expected), 0.0, 0.05, "where it is");
    near(radius_of(flying, &least), radius_of(staying, &still_least), 2e-4, "its largest radius");
    near(least, still_least, 2e-4, "its least radius");
    pli_world_destroy(flying);
    pli_world_destroy(staying);
}

static void flights_are_the_same_in_all_ways(void **state)
{
    (void)state;
    pli_world *plain = thrown_balloon(1, PLI_SIMD_AUTO), *other = thrown_balloon(3, PLI_SIMD_SCALAR);
    pli_world *restored = thrown_balloon(2, PLI_SIMD_AUTO);
    size_t size;
    for (int32_t i = 0; i < 40; i++) {
        steps(plain, 1), steps(other, 1);
        holds(pli_world_hash(plain) == pli_world_hash(other), "step %d in another width", (int)i);
        void *snapshot = snapshot_of(plain, &size);
        // Restored at every step, so before, at and after every move.
        must(pli_world_snapshot_read(restored, snapshot, size, &problem));
        free(snapshot);
        holds(pli_world_hash(plain) == pli_world_hash(restored), "restored after step %d", (int)i);
        for (int32_t v = 0; v < 5; v++)
            near(distance(position_of(plain, pli_world_deformable_at(plain, 0), v),
                          position_of(restored, pli_world_deformable_at(restored, 0), v)),
                 0.0, 0.0, "published vertex %d", (int)v);
        steps(restored, 1), steps(plain, 1), steps(other, 1);
        holds(pli_world_hash(plain) == pli_world_hash(restored), "a step after the restored %d", (int)i);
    }
    pli_world_destroy(plain);
    pli_world_destroy(other);
    pli_world_destroy(restored);
}

static void a_yard_far_away_is_restored_to_the_same_bits(void **state)
{
    (void)state;
    const vec at = {1000, 300, -500};
    pli_world *a = yard(at, 1, PLI_SIMD_AUTO), *b = yard(at, 2, PLI_SIMD_SCALAR),
              *c = yard((vec){0, 0, 0}, 1, PLI_SIMD_AUTO);
    size_t size;
    steps(a, 20), steps(b, 20);
    holds(pli_world_hash(a) == pli_world_hash(b), "threads and widths");
    void *snapshot = snapshot_of(a, &size);
    must(pli_world_snapshot_read(b, snapshot, size, &problem));
    // A world made elsewhere is not the same world, but its objects are: it takes the origin of the snapshot.
    must(pli_world_snapshot_read(c, snapshot, size, &problem));
    steps(a, 10), steps(b, 10), steps(c, 10);
    holds(pli_world_hash(a) == pli_world_hash(b), "restored");
    holds(pli_world_hash(a) == pli_world_hash(c), "restored elsewhere");
    free(snapshot);
    pli_world_destroy(a);
    pli_world_destroy(b);
    pli_world_destroy(c);
}

// Patches at rest on each kind of collider stay at rest while the origin is put here and there.
static void what_lies_stays_while_the_origin_moves(void **state)
{
    (void)state;
    static const pli_shape shapes[] = {PLI_SHAPE_PLANE, PLI_SHAPE_BOX, PLI_SHAPE_MESH};
    static const double places[][3] = {{5, 0, 0}, {5, -9, 2}, {0, 40, 0}, {0, 0, 0}, {-3, 1, 14}};
    for (int32_t i = 0; i < COUNT_OF(shapes); i++) {
        pli_world *world = far_world();
        pli_settings settings = pli_world_settings(world);
        settings.origin = PLI_ORIGIN_FIXED;
        must(pli_world_set_settings(world, &settings, &problem));
        pli_mesh *floor = mesh_grid(9, 9, 2.0, PLI_GRID_ALTERNATING);
        pli_deformable cloth = far_cloth(world, mesh_grid(7, 7, 0.5, PLI_GRID_ALTERNATING),
                                         far_pose((vec){0, 0, 0}, 0, 0.0055, 0), true);
        pli_collider_def def = pli_collider_def_default();
        def.shape = shapes[i];
        def.half_extents = (pli_vec3){2.0f, 0.5f, 2.0f};
        def.mesh = floor;
        def.pose = far_pose((vec){0, 0, 0}, 0, def.shape == PLI_SHAPE_BOX ? -0.5 : 0.0, 0);
        far_collider(world, def);
        pli_mesh_destroy(floor);
        steps(world, 15);
        vec before = far_centre(world, cloth);
        for (int32_t k = 0; k < COUNT_OF(places); k++) {
            must(pli_world_set_origin(world, places[k], &problem));
            steps(world, 3);
            near(distance(far_centre(world, cloth), before), 0.0, 2e-5, "%s: origin %d",
                 pli_choice_name("shape", (int32_t)shapes[i]), (int)k);
            holds(statistics_of(world).contact_count > 40, "%s: %d contacts",
                  pli_choice_name("shape", (int32_t)shapes[i]), (int)statistics_of(world).contact_count);
        }
        pli_world_destroy(world);
    }
}

// A cape on shoulders that walk 120 m at 10 m/s, in front of a wind of the same speed: as if they stood.
static void a_walking_cape_hangs_as_it_does_at_rest(void **state)
{
    (void)state;
    const int32_t top[3] = {0, 6, 12};
    double far_from_hold = 0.0, gap = 0.0;
    int32_t through = 0;
    pli_world *world = far_world();
    pli_transform pose = far_pose((vec){0, 0, 0}, 0, 1.5, 0.42);
    pli_deformable cape = far_cloth(world, mesh_grid(13, 13, 0.8, PLI_GRID_ALTERNATING), pose, true);
    pli_attachment hold = far_hold(world, cape, top, 3);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    pli_mesh *body = NULL;
    must(pli_mesh_create_tube(16, 8, 0.2f, 1.6f, true, PLI_GRID_ALTERNATING, &body, &problem));
    def.mesh = body;
    def.pose = far_pose((vec){0, 0, 0}, 0, 0.5, -0.25);
    pli_collider back = far_collider(world, def);
    pli_mesh_destroy(body);
    vec start = position_of(world, cape, 0);
    for (int32_t i = 1; i <= (shortened() ? 360 : 720); i++) {
        // From rest to 10 m/s within two seconds.
        double t = i / 60.0, z = t < 2.0 ? -2.5 * t * t : -10.0 * (t - 1.0);
        must(pli_attachment_set_pose(world, hold, far_pose((vec){0, 0, 0}, 0, 0, z), &problem));
        must(pli_collider_set_pose(world, back, far_pose((vec){0, 0.5, -0.25}, 0, 0, z), &problem));
        steps(world, 1);
        vec held = sub(position_of(world, cape, 0), (vec){0, 0, z});
        far_from_hold = fmax(far_from_hold, distance(held, start));
        gap = fmax(gap, statistics_of(world).stretch_max);
        through += i % 60 == 0 ? crossings(world) : 0;
    }
    near(far_from_hold, 0.0, 1e-5, "what is held follows");
    near(gap, 0.0, 0.3, "stretch");
    holds(through == 0, "%d crossings", (int)through);
    double origin[3];
    pli_world_get_origin(world, origin);
    holds(origin[2] < -30.0, "the origin has come along, to %g", origin[2]);
    pli_world_destroy(world);
}

/* ---- the border ---------------------------------------------------------------------------------- */

static void what_is_read_can_be_written_back(void **state)
{
    (void)state;
    pli_world *world = yard((vec){1000, 300, -500}, 1, PLI_SIMD_AUTO);
    steps(world, 15);
    uint64_t before = pli_world_hash(world);
    pli_deformable cloth = pli_world_deformable_at(world, 0);
    int32_t count = vertex_count_of(world, cloth), moved = 0;
    float *positions = malloc(sizeof *positions * 3 * (size_t)count);
    for (int32_t i = 0; i < count; i++)
        memcpy(positions + 3 * i, pli_view_at(pli_deformable_positions(world, cloth), i), 12);
    must(pli_deformable_set_positions(world, cloth, 0, count, positions, &problem));
    pli_rigid_state body;
    must(pli_rigid_body_get_state(world, pli_world_rigid_body_at(world, 0), &body, &problem));
    must(pli_rigid_body_set_state(world, pli_world_rigid_body_at(world, 0), &body, true, &problem));
    holds(pli_world_hash(world) == before, "positions and a body written back");
    pli_rigid_state unrounded;
    must(pli_rigid_body_get_local_state(world, pli_world_rigid_body_at(world, 0), &unrounded, &problem));
    near((double)unrounded.pose.position.x + 1000.0, (double)body.pose.position.x, 3.1e-5, "the body as it is read");
    // One coordinate written leaves the others of its particle alone.
    pli_view local = pli_deformable_local_positions(world, cloth);
    vec was = vec_of_floats(pli_view_at(local, 7));
    positions[3 * 7 + 1] += 0.25f;
    must(pli_deformable_set_positions(world, cloth, 7, 1, positions + 3 * 7, &problem));
    vec is = vec_of_floats(pli_view_at(pli_deformable_local_positions(world, cloth), 7));
    holds(is.x == was.x && is.z == was.z, "x and z of a particle whose y was written");
    near(is.y, was.y + 0.25, 4e-5, "y");
    near(position_of(world, cloth, 7).y, (double)positions[3 * 7 + 1], 0.0, "y as it is read");
    for (int32_t i = 0; i < count; i++) {
        vec p = position_of(world, cloth, i), q = vec_of_floats(pli_view_at(local, i));
        moved += distance(p, add(q, (vec){1000, 300, -500})) > 6e-5;
    }
    holds(moved == 0, "%d positions are not those of the origin and the local ones", (int)moved);
    free(positions);
    pli_world_destroy(world);
}

static void target_values(const pli_stencil *s, double *values, double *gradients)
{
    values[0] = s->positions[0][1] - s->parameters[0];
    if (gradients)
        gradients[0] = gradients[2] = 0.0, gradients[1] = 1.0;
}

static bool no_rest(const pli_stencil *s, float *rest)
{
    (void)s;
    rest[0] = 0.0f;
    return true;
}

// Types of the user see the user's coordinates, to the bit that double has.
static void own_types_see_the_coordinates_of_the_host(void **state)
{
    (void)state;
    static const pli_parameter height[] = {
        {.name = "height", .unit = "m", .summary = "to be at", .minimum = -1e6, .maximum = 1e6, .initial = 300.5},
    };
    const pli_constraint_type type = {.name = "own_height",
                                      .summary = "a height",
                                      .formula = "C = y - h",
                                      .source = "this test",
                                      .unit = "m",
                                      .cardinality = 1,
                                      .dimension = 1,
                                      .rest_count = 1,
                                      .parameters = height,
                                      .parameter_count = 1,
                                      .rest = no_rest,
                                      .evaluate = target_values};
    const int32_t one[1] = {4};
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    must(pli_world_register_type(world, &type, &problem));
    pli_mesh *mesh = mesh_grid(3, 3, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = far_pose((vec){1000, 300, -500}, 0, 0, 0);
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    pli_constraints set = constrain_list(world, cloth, "own_height", one, 1);
    near(residual_of(world, set).max, 0.5, 1e-6, "before");
    step(world, 0.01);
    near(position_of(world, cloth, 4).y, 300.5, 3e-5, "where the type wanted it");
    near(residual_of(world, set).max, 0.0, 1e-6, "after");
    pli_world_destroy(world);
}

// Targets of a list of attachments are where the mesh has its vertices, wherever the origin is.
static void targets_stay_in_the_world(void **state)
{
    (void)state;
    const int32_t list[2] = {0, 8};
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *near_mesh = mesh_grid(3, 3, 1.0, PLI_GRID_ALTERNATING);
    float *moved = copied_positions(near_mesh);
    for (int32_t i = 0; i < 9; i++)
        moved[3 * i] += 1000.0f;
    pli_mesh *mesh = mesh_moved(near_mesh, moved);
    pli_deformable cloth = deform(world, mesh, NULL);
    pli_constraints set = constrain_list(world, cloth, "attachment", list, 2);
    float rest[3];
    must(pli_constraints_stencil(world, set, 1, NULL, NULL, rest, NULL, &problem));
    for (int k = 0; k < 3; k++)
        near((double)rest[k], (double)moved[3 * 8 + k], 0.0, "target, coordinate %d", k);
    near(residual_of(world, set).max, 0.0, 1e-6, "at once");
    const double elsewhere[3] = {990.4, -3, 0};
    must(pli_world_set_origin(world, elsewhere, &problem));
    near(residual_of(world, set).max, 0.0, 1e-6, "from another origin");
    step(world, 0.01);
    near(residual_of(world, set).max, 0.0, 1e-6, "a step later");
    free(moved);
    pli_mesh_destroy(near_mesh);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// Rays, boxes, contacts, cuts and momenta are in the host's coordinates.
static void queries_are_in_the_coordinates_of_the_host(void **state)
{
    (void)state;
    const vec at = {1000, 300, -500};
    pli_world *home = yard((vec){0, 0, 0}, 1, PLI_SIMD_AUTO), *away = yard(at, 1, PLI_SIMD_AUTO);
    pli_world *both[2] = {home, away};
    pli_ray_hit hit[2];
    pli_vec3 low[2], high[2];
    pli_contact_point points[2][500];
    pli_statistics s[2];
    float reach[2];
    pli_transform pose[2];
    int32_t counts[2], copies[2];
    for (int32_t i = 0; i < 2; i++) {
        vec from = i ? at : (vec){0, 0, 0};
        steps(both[i], 15);
        pli_deformable cloth = pli_world_deformable_at(both[i], 0);
        must(pli_deformable_get_bounds(both[i], cloth, &low[i], &high[i], &problem));
        holds(pli_world_ray(both[i], to_vec3(add(from, (vec){0.03125, 3, 0.0625})), (pli_vec3){0, -1, 0}, 9.0f,
                            UINT32_MAX, &hit[i]),
              "a ray meets the cloth");
        pli_vec3 normal;
        holds(pli_collider_ray(both[i], pli_world_collider_at(both[i], 3), to_vec3(add(from, (vec){-0.5, 3, -0.125})),
                               (pli_vec3){0, -1, 0}, 9.0f, &reach[i], &normal),
              "a ray meets the mesh");
        must(pli_collider_pose(both[i], pli_world_collider_at(both[i], 0), &pose[i], &problem));
        must(pli_world_contacts(both[i], points[i], 500, &counts[i], &problem));
        s[i] = statistics_of(both[i]);
        pli_cut_def cut = pli_cut_def_default();
        cut.point = to_vec3(add(from, (vec){0.03125, 0, 0}));
        cut.normal = (pli_vec3){1, 0, 0};
        must(pli_deformable_cut(both[i], cloth, &cut, &copies[i], &problem));
    }
    near(distance(vec_of_floats(&low[1].x), add(at, vec_of_floats(&low[0].x))), 0.0, 6e-5, "the box, low");
    near(distance(vec_of_floats(&high[1].x), add(at, vec_of_floats(&high[0].x))), 0.0, 6e-5, "the box, high");
    near((double)hit[1].distance, (double)hit[0].distance, 1e-6, "the distance of a ray");
    near(distance(vec_of_floats(&hit[1].position.x), add(at, vec_of_floats(&hit[0].position.x))), 0.0, 6e-5, "hit");
    near((double)reach[1], (double)reach[0], 1e-6, "the distance of a ray to a collider");
    near(distance(vec_of_floats(&pose[1].position.x), add(at, vec_of_floats(&pose[0].position.x))), 0.0, 6e-5,
         "the pose of what a body carries");
    holds(counts[0] == counts[1] && counts[0] > 0, "%d and %d contacts", (int)counts[0], (int)counts[1]);
    holds(s[0].surface_contact_count > 5, "%d contacts with surfaces", (int)s[0].surface_contact_count);
    for (int32_t i = 0; i < counts[0] && i < counts[1] && i < 500; i++)
        near(distance(vec_of_floats(&points[1][i].position.x), add(at, vec_of_floats(&points[0][i].position.x))), 0.0,
             6e-5, "contact %d", (int)i);
    vec turning = add(vec_of(s[0].angular_momentum), cross(at, vec_of(s[0].momentum)));
    near(distance(vec_of(s[1].angular_momentum), turning), 0.0, 1e-9 * length(turning), "angular momentum");
    holds(copies[0] == copies[1] && copies[0] > 5, "%d and %d copies by a cut", (int)copies[0], (int)copies[1]);
    pli_world_destroy(home);
    pli_world_destroy(away);
}

/* ---- asked for ----------------------------------------------------------------------------------- */

// A host that moves its own origin finds everything moved, and goes on to the same bits.
static void a_shifted_world_goes_on(void **state)
{
    (void)state;
    const double by[3] = {512.0, -64.0, 2048.0}, back[3] = {-512.0, 64.0, -2048.0}, wrong[3] = {0, NAN, 0};
    pli_world *home = yard((vec){0, 0, 0}, 1, PLI_SIMD_AUTO), *away = yard((vec){0, 0, 0}, 1, PLI_SIMD_AUTO);
    steps(home, 10), steps(away, 10);
    uint64_t before = pli_world_hash(away);
    must(pli_world_shift(away, by, &problem));
    check_same_local(home, away, "shifted");
    near(distance(position_of(away, pli_world_deformable_at(away, 0), 3),
                  add(vec_of(by), position_of(home, pli_world_deformable_at(home, 0), 3))),
         0.0, 3e-4, "a vertex");
    steps(home, 10), steps(away, 10);
    check_same_local(home, away, "gone on");
    pli_rigid_state body[2];
    must(pli_rigid_body_get_state(home, pli_world_rigid_body_at(home, 0), &body[0], &problem));
    must(pli_rigid_body_get_state(away, pli_world_rigid_body_at(away, 0), &body[1], &problem));
    near(distance(vec_of_floats(&body[1].pose.position.x), add(vec_of(by), vec_of_floats(&body[0].pose.position.x))),
         0.0, 3e-4, "the body");
    must(pli_world_shift(away, back, &problem));
    holds(pli_world_hash(home) == pli_world_hash(away) && pli_world_hash(home) != before, "and back");
    holds(pli_world_shift(away, wrong, NULL) == PLI_STATUS_INVALID_ARGUMENT, "what is no number");
    holds(pli_world_set_origin(away, wrong, NULL) == PLI_STATUS_INVALID_ARGUMENT, "what is no number");
    pli_world_destroy(home);
    pli_world_destroy(away);
}

static void a_fixed_origin_stays(void **state)
{
    (void)state;
    holds(pli_choice_value("origin", "fixed") == (int32_t)PLI_ORIGIN_FIXED, "the kind by its name");
    holds(strcmp(pli_choice_name("origin", (int32_t)PLI_ORIGIN_AUTO), "auto") == 0, "the name of a kind");
    const double there[3] = {400.4, 0, -1.6};
    double origin[3];
    pli_world *world = thrown_balloon(1, PLI_SIMD_AUTO);
    pli_settings settings = pli_world_settings(world);
    settings.origin = PLI_ORIGIN_FIXED;
    must(pli_world_set_settings(world, &settings, &problem));
    steps(world, 30);
    pli_world_get_origin(world, origin);
    near(length(vec_of(origin)), 0.0, 0.0, "fixed at 0");
    vec before = position_of(world, pli_world_deformable_at(world, 0), 0);
    must(pli_world_set_origin(world, there, &problem));
    near(distance(position_of(world, pli_world_deformable_at(world, 0), 0), before), 0.0, 2e-5, "nothing moves");
    steps(world, 30);
    pli_world_get_origin(world, origin);
    near(distance(vec_of(origin), (vec){400, 0, -2}), 0.0, 0.0, "fixed where it was put");
    settings.origin = (pli_origin_kind)7;
    holds(pli_world_set_settings(world, &settings, NULL) == PLI_STATUS_INVALID_ARGUMENT, "no such kind");
    pli_world_destroy(world);
}

// Positions that are put far away by the host are followed, and a step that fails leaves all as it was.
static void a_failed_step_leaves_the_origin(void **state)
{
    (void)state;
    double origin[3];
    pli_world *world = thrown_balloon(1, PLI_SIMD_AUTO);
    pli_deformable ball = pli_world_deformable_at(world, 0);
    int32_t count = vertex_count_of(world, ball);
    float *positions = malloc(sizeof *positions * 3 * (size_t)count);
    for (int32_t i = 0; i < 3 * count; i++)
        positions[i] = pli_view_at(pli_deformable_positions(world, ball), i / 3)[i % 3] + 5000.0f;
    must(pli_deformable_set_positions(world, ball, 0, count, positions, &problem));
    const float broken[3] = {1e30f, 0.0f, 0.0f};
    must(pli_deformable_set_velocities(world, ball, 5, 1, broken, &problem));
    uint64_t before = pli_world_hash(world);
    holds(pli_world_step(world, 1.0f / 60.0f, NULL) == PLI_STATUS_NON_FINITE, "the step fails");
    holds(pli_world_hash(world) == before, "nothing has changed");
    pli_world_get_origin(world, origin);
    near(length(vec_of(origin)), 0.0, 0.0, "the origin");
    rest_velocities(world, ball);
    steps(world, 1);
    pli_world_get_origin(world, origin);
    near(distance(vec_of(origin), (vec){5000, 5000, 5000}), 0.0, 1.0, "the origin has followed");
    near(distance(far_centre(world, ball), (vec){5000, 5000, 5000}), 0.0, 1e-3, "the ball is where it was put");
    free(positions);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(far_scenes_are_like_near_ones),
        property(whole_metres_away_the_bits_are_the_same),
        property(a_thrown_balloon_flies_as_it_is),
        property(flights_are_the_same_in_all_ways),
        property(a_yard_far_away_is_restored_to_the_same_bits),
        property(what_lies_stays_while_the_origin_moves),
        property(a_walking_cape_hangs_as_it_does_at_rest),
        property(what_is_read_can_be_written_back),
        property(own_types_see_the_coordinates_of_the_host),
        property(targets_stay_in_the_world),
        property(queries_are_in_the_coordinates_of_the_host),
        property(a_shifted_world_goes_on),
        property(a_fixed_origin_stays),
        property(a_failed_step_leaves_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
