// Pause and sleep: what is paused is as if it were not there; what sleeps stays to the bit, costs no projection, and wakes by all
// that could move it, together with what lies near.
#include "crossings.h"

#include "pliant/rigid.h"
#include "samples.h"
#include "scenery.h"
#include "sheets.h"

static void steps(pli_world *world, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step(world, 1.0 / 60.0);
}

static uint64_t bits_of(const pli_world *world, pli_deformable cloth)
{
    pli_view views[2] = {pli_deformable_positions(world, cloth), pli_deformable_velocities(world, cloth)};
    uint64_t hash = 14695981039346656037u;
    for (int32_t k = 0; k < 2; k++)
        for (int32_t v = 0; v < views[k].count; v++) {
            uint32_t word[3];
            memcpy(word, pli_view_at(views[k], v), sizeof word);
            for (int d = 0; d < 3; d++)
                hash = (hash ^ word[d]) * 1099511628211u;
        }
    return hash;
}

static pli_deformable sheet_at(pli_world *world, int32_t side, double size, double x, double y)
{
    return drop_cloth(world, mesh_grid(side, side, size, PLI_GRID_ALTERNATING),
                      pose_turned(0.0, (vec){0, 1, 0}, (vec){x, y, 0}), 0.01, false);
}

/* ---- pause ------------------------------------------------------------------------------------------ */

static void what_is_paused_is_not_there(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t k = 0; k < 2; k++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_deformable falls = sheet_at(world, 8, 0.5, 0.0, 0.3), below = {0, 0};
        if (k) {
            below = sheet_at(world, 9, 1.0, 0.0, 0.2);
            must(pli_deformable_set_paused(world, below, true, &problem));
        }
        uint64_t before = k ? bits_of(world, below) : 0;
        steps(world, 20);
        hashes[k] = bits_of(world, falls);
        holds(!k || bits_of(world, below) == before, "it stays");
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "others pass through it to the bit");
}

static void a_pause_takes_no_time(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t k = 0; k < 2; k++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_deformable cloth = sheet_at(world, 24, 1.0, 0.0, 0.3);
        const int32_t corner[1] = {3};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = cloth, hold.particles = corner, hold.particle_count = 1;
        pli_attachment attachment;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
        ground(world);
        steps(world, 10);
        if (k) {
            must(pli_deformable_set_paused(world, cloth, true, &problem));
            steps(world, 7);
            pli_statistics s = statistics_of(world);
            near((double)s.projection_count, 0.0, 0.0, "projections while it is paused");
            must(pli_deformable_set_paused(world, cloth, false, &problem));
        }
        steps(world, 25);
        hashes[k] = bits_of(world, cloth);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "it goes on as if there had been no pause");
}

/* ---- sleep ------------------------------------------------------------------------------------------ */

static pli_world *sleepy_world(int32_t threads, pli_simd simd)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.simd = simd;
    def.settings.sleep_speed = 0.01f;
    def.settings.damping = 13.4f;
    return world_from(&def);
}

// Two sheets one on the other, and a third far from them, on the ground.
typedef struct floor_scene {
    pli_world *world;
    pli_deformable low, high, far;
    pli_constraints first_set;
} floor_scene;

static floor_scene make_floor(int32_t threads, pli_simd simd)
{
    floor_scene s = {.world = sleepy_world(threads, simd)};
    s.low = sheet_at(s.world, 9, 0.6, 0.0, 0.011);
    s.high = sheet_at(s.world, 7, 0.4, 0.0, 0.023);
    s.far = sheet_at(s.world, 9, 0.6, 3.0, 0.011);
    s.first_set = pli_world_constraints_at(s.world, 0);
    ground(s.world);
    return s;
}

static int32_t asleep_count(const floor_scene *s)
{
    return pli_deformable_is_asleep(s->world, s->low) + pli_deformable_is_asleep(s->world, s->high) +
           pli_deformable_is_asleep(s->world, s->far);
}

static void put_to_sleep(const floor_scene *s)
{
    for (int32_t i = 0; i < 300 && asleep_count(s) < 3; i++)
        steps(s->world, 1);
    near(asleep_count(s), 3, 0, "asleep at %g s", pli_world_time(s->world));
}

static void what_is_at_rest_sleeps(void **state)
{
    (void)state;
    floor_scene s = make_floor(1, PLI_SIMD_AUTO);
    steps(s.world, 29);
    near(asleep_count(&s), 0, 0, "before half a second");
    put_to_sleep(&s);
    uint64_t before = pli_world_hash(s.world);
    near(statistics_of(s.world).kinetic_energy, 0.0, 0.0, "energy");
    steps(s.world, 30);
    holds(pli_world_hash(s.world) == before, "it stays to the bit");
    near((double)statistics_of(s.world).projection_count, 0.0, 0.0, "projections");
    near(crossings(s.world), 0, 0, "crossings");
    pli_world_destroy(s.world);
}

static void nothing_sleeps_unasked(void **state)
{
    (void)state;
    floor_scene s = make_floor(1, PLI_SIMD_AUTO);
    pli_settings settings = pli_world_settings(s.world);
    settings.sleep_speed = 0.0f;
    must(pli_world_set_settings(s.world, &settings, &problem));
    steps(s.world, 120);
    near(asleep_count(&s), 0, 0, "by default nothing sleeps");
    pli_world_destroy(s.world);
}

// Everything that can move what sleeps: `all` also what is far from it.
static bool stir(const floor_scene *s, int32_t how, bool *all)
{
    pli_world *world = s->world;
    const float zero[3] = {0.0f, 0.0f, 0.0f};
    const int32_t one[1] = {0};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = s->low, hold.particles = one, hold.particle_count = 1;
    pli_attachment attachment;
    pli_deformable_def def;
    pli_settings settings = pli_world_settings(world);
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1, 0, 0};
    *all = true;
    switch (how) {
    case 0:
        *all = false;
        return !pli_deformable_wake(world, s->high, &problem);
    case 1:
        *all = false;
        return !pli_deformable_add_force(world, s->low, 3, (pli_vec3){0, 1.0f, 0}, &problem);
    case 2:
        return !pli_deformable_set_velocities(world, s->low, 0, 1, zero, &problem);
    case 3:
        return !pli_deformable_reset(world, s->low, NULL, &problem);
    case 4:
        return !pli_constraints_set_parameter(world, s->first_set, "compliance", 1e-6, &problem);
    case 5:
        return !pli_attachment_create(world, &hold, &attachment, &problem);
    case 6:
        settings.wind.x = 3.0f;
        return !pli_world_set_settings(world, &settings, &problem);
    case 7:
        return !pli_collider_destroy(world, pli_world_collider_at(world, 0), &problem);
    case 8:
        must(pli_deformable_get_def(world, s->low, &def, &problem));
        def.friction = 0.9f;
        return !pli_deformable_set_def(world, s->low, &def, &problem);
    case 9:
        return !pli_deformable_cut(world, s->low, &cut, NULL, &problem);
    case 10:
        return !pli_deformable_destroy(world, s->high, &problem);
    default:
        return false;
    }
}

static void what_is_changed_wakes(void **state)
{
    (void)state;
    bool all = false;
    for (int32_t how = 0; how < 11; how++) {
        floor_scene s = make_floor(1, PLI_SIMD_AUTO);
        put_to_sleep(&s);
        holds(stir(&s, how, &all), "way %d: %.200s", (int)how, problem.message);
        steps(s.world, 1);
        holds(!pli_deformable_is_asleep(s.world, s.low), "way %d: the lower one is awake", (int)how);
        holds(!pli_deformable_is_asleep(s.world, s.high), "way %d: so is what lies on it", (int)how);
        near(pli_deformable_is_asleep(s.world, s.far), !all, 0, "way %d: what is far", (int)how);
        pli_world_destroy(s.world);
    }
}

// A ball that comes down on the sheets wakes them in time: they give way and nothing crosses.
static void touch_wakes_what_is_near(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 3; kind++) {
        floor_scene s = make_floor(1, PLI_SIMD_AUTO);
        pli_mesh *mesh = mesh_ball(2, 0.0);
        pli_collider ball = {0, 0};
        pli_deformable cloth = {0, 0};
        pli_collider_def def = pli_collider_def_default();
        def.radius = 0.1f, def.shape = kind == 1 ? PLI_SHAPE_MESH : PLI_SHAPE_SPHERE, def.mesh = mesh;
        def.pose.position.y = 3.0f;
        if (kind < 2)
            must(pli_collider_create(s.world, &def, &ball, &problem));
        put_to_sleep(&s);
        if (kind == 2)
            cloth = sheet_at(s.world, 6, 0.3, 0.0, 4.0);
        // A new object wakes all; they sleep again while it falls or waits.
        steps(s.world, 1);
        put_to_sleep(&s);
        bool woke = false;
        for (int32_t i = 0; i < 110 && !woke; i++) {
            pli_transform pose = def.pose;
            pose.position.y = 3.0f - 0.03f * (float)i;
            if (kind < 2)
                must(pli_collider_set_pose(s.world, ball, pose, &problem));
            steps(s.world, 1);
            woke = !pli_deformable_is_asleep(s.world, s.high);
            double bottom = kind < 2 ? (double)pose.position.y - (kind ? 0.5 : 0.1) : position_of(s.world, cloth, 14).y;
            holds(woke || bottom > 0.02, "kind %d: it wakes before %g", (int)kind, bottom);
            holds(!woke || bottom < 0.8, "kind %d: and not while it is far, at %g", (int)kind, bottom);
        }
        holds(woke && !pli_deformable_is_asleep(s.world, s.low), "kind %d: both", (int)kind);
        holds(pli_deformable_is_asleep(s.world, s.far), "kind %d: what is far sleeps on", (int)kind);
        pli_mesh_destroy(mesh);
        pli_world_destroy(s.world);
    }
}

// A collider that comes from far within one step finds it awake in that step.
static void a_fast_collider_wakes_in_time(void **state)
{
    (void)state;
    floor_scene s = make_floor(1, PLI_SIMD_AUTO);
    pli_collider_def def = pli_collider_def_default();
    def.radius = 0.1f;
    def.pose.position = (pli_vec3){3.0f, 0.1f, 2.0f};
    pli_collider ball;
    must(pli_collider_create(s.world, &def, &ball, &problem));
    steps(s.world, 1);
    put_to_sleep(&s);
    vec before = position_of(s.world, s.far, 40);
    def.pose.position.z = 0.0f;
    must(pli_collider_set_pose(s.world, ball, def.pose, &problem));
    steps(s.world, 1);
    holds(!pli_deformable_is_asleep(s.world, s.far), "it is awake");
    holds(distance(position_of(s.world, s.far, 40), before) > 0.01, "and has been swept along");
    near(asleep_count(&s), 2, 0, "the others sleep on");
    pli_world_destroy(s.world);
}

// Cloth on a body that nothing can push, and cloth that it holds, sleep like cloth on a collider, until the host moves the body.
static void what_lies_on_a_body_that_rests_sleeps(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t round = 0; round < 2; round++) {
        pli_world *world = sleepy_world(1 + round, PLI_SIMD_AUTO);
        pli_rigid_body_def table = pli_rigid_body_def_default();
        table.inverse_mass = 0.0f;
        for (int32_t k = 0; k < 6; k++)
            table.inverse_inertia[k] = 0.0f;
        pli_rigid_body body;
        must(pli_rigid_body_create(world, &table, &body, &problem));
        pli_collider_def top = pli_collider_def_default();
        top.shape = PLI_SHAPE_BOX, top.half_extents = (pli_vec3){0.6f, 0.1f, 0.6f}, top.body = body;
        top.pose.position.y = -0.1f;
        pli_collider collider;
        must(pli_collider_create(world, &top, &collider, &problem));
        pli_deformable lies = sheet_at(world, 9, 0.6, 0.0, 0.011), tied = sheet_at(world, 7, 0.3, 0.0, 0.05);
        const int32_t corner = 0;
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = tied, hold.particles = &corner, hold.particle_count = 1, hold.body = body;
        pli_attachment grip;
        must(pli_attachment_create(world, &hold, &grip, &problem));
        int32_t i = 0;
        for (; i < 600 && !(pli_deformable_is_asleep(world, lies) && pli_deformable_is_asleep(world, tied)); i++)
            steps(world, 1);
        holds(i < 600, "asleep: %d, %d", pli_deformable_is_asleep(world, lies), pli_deformable_is_asleep(world, tied));
        steps(world, 5);
        near((double)statistics_of(world).projection_count, 0.0, 0.0, "projections");
        vec before = position_of(world, lies, 40);
        pli_rigid_state moved = {.pose = pli_transform_identity()};
        moved.pose.position.y = 0.02f;
        must(pli_rigid_body_set_state(world, body, &moved, false, &problem));
        steps(world, 1);
        holds(!pli_deformable_is_asleep(world, lies) && !pli_deformable_is_asleep(world, tied), "both are awake");
        holds(position_of(world, lies, 40).y - before.y > 0.01, "and lifted in that step");
        near(crossings(world), 0, 0, "crossings");
        hashes[round] = pli_world_hash(world);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "other bits with two threads");
}

// A ball that can be pushed, on a sheet on the ground, its weight an acceleration; and a sheet far away.
typedef struct ball_scene {
    pli_world *world;
    pli_deformable sheet, far;
    pli_rigid_body ball;
} ball_scene;

static const pli_vec3 weight = {0.0f, -9.81f, 0.0f};

static void resting_host(void *user, pli_world *world, float step) { (void)user, (void)world, (void)step; }

static ball_scene make_ball(int32_t threads, pli_simd simd)
{
    ball_scene s = {.world = sleepy_world(threads, simd)};
    s.sheet = sheet_at(s.world, 9, 0.6, 0.0, 0.011);
    s.far = sheet_at(s.world, 9, 0.6, 3.0, 0.011);
    ground(s.world);
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = 0.5f, def.state.acceleration = weight;
    for (int32_t k = 0; k < 3; k++)
        def.inverse_inertia[k] = 125.0f; // Of a solid ball: 2/5 m r^2.
    def.state.pose.position.y = 0.13f;
    must(pli_rigid_body_create(s.world, &def, &s.ball, &problem));
    pli_collider_def skin = pli_collider_def_default();
    skin.radius = 0.1f, skin.body = s.ball;
    pli_collider collider;
    must(pli_collider_create(s.world, &skin, &collider, &problem));
    pli_world_set_substep_callback(s.world, threads > 1 ? resting_host : NULL, NULL);
    return s;
}

static bool ball_sleeps(const ball_scene *s)
{
    return pli_deformable_is_asleep(s->world, s->sheet) && pli_rigid_body_is_asleep(s->world, s->ball);
}

static pli_rigid_state ball_state(const ball_scene *s)
{
    pli_rigid_state now;
    must(pli_rigid_body_get_state(s->world, s->ball, &now, &problem));
    return now;
}

static void put_ball_to_sleep(const ball_scene *s)
{
    for (int32_t i = 0; i < 180 && !(ball_sleeps(s) && pli_deformable_is_asleep(s->world, s->far)); i++)
        steps(s->world, 1);
    holds(ball_sleeps(s), "the ball sleeps with the sheet within three seconds");
}

static void a_ball_sleeps_with_the_cloth_under_it(void **state)
{
    (void)state;
    ball_scene s = make_ball(1, PLI_SIMD_AUTO);
    holds(!pli_rigid_body_is_asleep(s.world, (pli_rigid_body){0, 0}), "nothing sleeps under the null handle");
    for (int32_t i = 0; i < 180 && !ball_sleeps(&s); i++) {
        steps(s.world, 1);
        holds(pli_rigid_body_is_asleep(s.world, s.ball) == pli_deformable_is_asleep(s.world, s.sheet), "both or none");
    }
    holds(ball_sleeps(&s), "they sleep");
    const pli_rigid_state rests = ball_state(&s);
    near((double)rests.velocity.y, 0.0, 0.0, "its velocity");
    near((double)rests.pose.position.y, 0.12, 2e-3, "its height: radius and both gaps");
    uint64_t before = pli_world_hash(s.world);
    steps(s.world, 60);
    holds(pli_world_hash(s.world) == before && ball_sleeps(&s), "it stays to the bit");
    near((double)statistics_of(s.world).projection_count, 0.0, 0.0, "projections");
    near(statistics_of(s.world).contact_count, 0, 0, "contacts");
    pli_world_destroy(s.world);
}

// All that can move a ball that sleeps, or the cloth below it.
static void touch_ball(const ball_scene *s, int32_t how)
{
    pli_rigid_state state = ball_state(s);
    const float inertia[6] = {100.0f, 100.0f, 100.0f, 0.0f, 0.0f, 0.0f};
    switch (how) {
    case 0:
        state.velocity.x = 0.5f;
        must(pli_rigid_body_set_state(s->world, s->ball, &state, false, &problem));
        return;
    case 1:
        state.pose.position.x += 0.02f;
        must(pli_rigid_body_set_state(s->world, s->ball, &state, false, &problem));
        return;
    case 2:
        state.acceleration.y = 3.0f;
        must(pli_rigid_body_set_state(s->world, s->ball, &state, false, &problem));
        return;
    case 3:
        must(pli_rigid_body_wake(s->world, s->ball, &problem));
        return;
    case 4:
        must(pli_deformable_add_force(s->world, s->sheet, 3, (pli_vec3){0, 1.0f, 0}, &problem));
        return;
    case 5:
        must(pli_rigid_body_set_mass(s->world, s->ball, 0.4f, inertia, &problem));
        return;
    default:
        must(pli_collider_destroy(s->world, pli_world_collider_at(s->world, 0), &problem));
    }
}

// A sleeper that is touched goes on as if it had been touched at once, however long it has slept.
static void a_ball_wakes_to_the_same_bits(void **state)
{
    (void)state;
    for (int32_t how = 0; how < 7; how++) {
        uint64_t hashes[2];
        for (int32_t late = 0; late < 2; late++) {
            ball_scene s = make_ball(1, PLI_SIMD_AUTO);
            put_ball_to_sleep(&s);
            steps(s.world, 17 * late);
            touch_ball(&s, how);
            steps(s.world, 1);
            holds(!pli_rigid_body_is_asleep(s.world, s.ball), "way %d: the ball is awake", (int)how);
            holds(!pli_deformable_is_asleep(s.world, s.sheet), "way %d: so is the sheet", (int)how);
            holds(how == 6 || pli_deformable_is_asleep(s.world, s.far), "way %d: what is far sleeps", (int)how);
            steps(s.world, 10);
            near(crossings(s.world), 0, 0, "way %d: crossings", (int)how);
            hashes[late] = bits_of(s.world, s.sheet) * 31 + bits_of(s.world, s.far);
            const pli_rigid_state now = ball_state(&s);
            hashes[late] ^= (uint64_t)(1e9 * ((double)now.pose.position.x + (double)now.pose.position.y + 10.0));
            pli_world_destroy(s.world);
        }
        holds(hashes[0] == hashes[1], "way %d: the bits do not depend on how long it slept", (int)how);
    }
}

// Cloth that falls on the ball wakes it in time, and through it the sheet below.
static void cloth_wakes_a_ball_that_it_falls_on(void **state)
{
    (void)state;
    ball_scene s = make_ball(1, PLI_SIMD_AUTO);
    put_ball_to_sleep(&s);
    pli_deformable falls = sheet_at(s.world, 6, 0.2, 0.0, 4.0);
    steps(s.world, 1);
    put_ball_to_sleep(&s);
    bool woke = false;
    for (int32_t i = 0; i < 110 && !woke; i++) {
        steps(s.world, 1);
        woke = !pli_rigid_body_is_asleep(s.world, s.ball);
        double bottom = position_of(s.world, falls, 14).y;
        holds(woke || bottom > 0.22, "it wakes before the cloth is at %g", bottom);
        holds(!woke || bottom < 0.8, "and not while it is at %g", bottom);
    }
    holds(woke && !pli_deformable_is_asleep(s.world, s.sheet), "both are awake");
    holds(pli_deformable_is_asleep(s.world, s.far), "what is far sleeps on");
    steps(s.world, 40);
    near(crossings(s.world), 0, 0, "crossings");
    pli_world_destroy(s.world);
}

// Cloth tied to a body that can be pushed wakes with it, and it with the cloth.
static void what_is_tied_to_a_body_sleeps_with_it(void **state)
{
    (void)state;
    for (int32_t how = 0; how < 2; how++) {
        ball_scene s = make_ball(1, PLI_SIMD_AUTO);
        const int32_t corner[1] = {0};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = s.far, hold.particles = corner, hold.particle_count = 1, hold.body = s.ball;
        pli_attachment grip;
        must(pli_attachment_create(s.world, &hold, &grip, &problem));
        for (int32_t i = 0; i < 300 && !pli_deformable_is_asleep(s.world, s.far); i++)
            steps(s.world, 1);
        holds(ball_sleeps(&s) && pli_deformable_is_asleep(s.world, s.far), "all three sleep");
        if (how)
            must(pli_rigid_body_wake(s.world, s.ball, &problem));
        else
            must(pli_deformable_wake(s.world, s.far, &problem));
        steps(s.world, 1);
        holds(!pli_rigid_body_is_asleep(s.world, s.ball) && !pli_deformable_is_asleep(s.world, s.far) &&
                  !pli_deformable_is_asleep(s.world, s.sheet),
              "way %d: and wake together", (int)how);
        pli_world_destroy(s.world);
    }
}

// A host that integrates gravity itself sets velocities in each step: its bodies stay awake, unless it says that it asks.
static void a_host_that_pushes_keeps_its_bodies_awake(void **state)
{
    (void)state;
    for (int32_t asks = 0; asks < 2; asks++) {
        pli_world *world = sleepy_world(1, PLI_SIMD_AUTO);
        pli_deformable sheet = sheet_at(world, 9, 0.6, 0.0, 0.011);
        ground(world);
        pli_rigid_body_def def = pli_rigid_body_def_default();
        def.respects_sleep = asks, def.state.pose.position.y = 0.13f;
        for (int32_t k = 0; k < 3; k++)
            def.inverse_inertia[k] = 250.0f;
        pli_rigid_body ball;
        must(pli_rigid_body_create(world, &def, &ball, &problem));
        pli_collider_def skin = pli_collider_def_default();
        skin.radius = 0.1f, skin.body = ball;
        pli_collider collider;
        must(pli_collider_create(world, &skin, &collider, &problem));
        int32_t slept = 0;
        for (int32_t i = 0; i < 240; i++) {
            pli_rigid_state now;
            must(pli_rigid_body_get_state(world, ball, &now, &problem));
            now.velocity.y -= 9.81f / 60.0f;
            if (!pli_rigid_body_is_asleep(world, ball))
                must(pli_rigid_body_set_state(world, ball, &now, false, &problem));
            steps(world, 1);
            slept += pli_rigid_body_is_asleep(world, ball) && pli_deformable_is_asleep(world, sheet);
        }
        holds(asks ? slept > 60 : slept == 0, "asks %d: %d frames asleep", (int)asks, (int)slept);
        pli_world_destroy(world);
    }
}

static void bodies_sleep_the_same_for_threads_widths_and_snapshots(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int32_t k = 0; k < 4; k++) {
        ball_scene s = make_ball(k == 1 ? 3 : 1, k == 2 ? PLI_SIMD_SCALAR : PLI_SIMD_AUTO);
        uint64_t hash = 0;
        int32_t slept = 0;
        for (int32_t frame = 0; frame < 220; frame++) {
            if (frame == 200)
                touch_ball(&s, 0);
            if (k == 3) {
                // Another world, made the same way, goes on in its place in every frame.
                size_t size = pli_world_snapshot_size(s.world);
                void *saved = malloc(size);
                must(pli_world_snapshot_write(s.world, saved, size, &problem));
                pli_world_destroy(s.world);
                s = make_ball(1, PLI_SIMD_AUTO);
                must(pli_world_snapshot_read(s.world, saved, size, &problem));
                free(saved);
            }
            steps(s.world, 1);
            slept += ball_sleeps(&s);
            hash = hash * 31 + pli_world_hash(s.world);
        }
        holds(slept > 20, "kind %d: it slept for %d frames", (int)k, (int)slept);
        holds(k == 0 || hash == expected, "kind %d: the same bits in every frame", (int)k);
        expected = k == 0 ? hash : expected;
        pli_world_destroy(s.world);
    }
}

// Sheets in a row, each near the next: the last wakes with the first.
static void waking_goes_from_one_to_the_next(void **state)
{
    (void)state;
    pli_world *world = sleepy_world(1, PLI_SIMD_AUTO);
    pli_deformable row[5];
    for (int32_t i = 0; i < 5; i++)
        row[(i * 3) % 5] = sheet_at(world, 5, 0.3, 0.31 * ((i * 3) % 5), 0.011);
    pli_deformable apart = sheet_at(world, 5, 0.3, 4.0, 0.011);
    ground(world);
    steps(world, 1);
    double of_all = (double)statistics_of(world).projection_count;
    for (int32_t i = 0; i < 200 && !pli_deformable_is_asleep(world, row[4]); i++)
        steps(world, 1);
    must(pli_deformable_wake(world, row[0], &problem));
    steps(world, 1);
    for (int32_t i = 0; i < 5; i++)
        holds(!pli_deformable_is_asleep(world, row[i]), "sheet %d", (int)i);
    holds(pli_deformable_is_asleep(world, apart), "one apart sleeps on");
    near((double)statistics_of(world).projection_count, of_all * 5.0 / 6.0, 0.5, "all five were in that step");
    pli_world_destroy(world);
}

static void a_frame_that_moves_wakes_what_it_holds(void **state)
{
    (void)state;
    floor_scene s = make_floor(1, PLI_SIMD_AUTO);
    const int32_t one[1] = {0};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = s.far, hold.particles = one, hold.particle_count = 1;
    pli_attachment attachment;
    must(pli_attachment_create(s.world, &hold, &attachment, &problem));
    put_to_sleep(&s);
    double before = position_of(s.world, s.far, 0).y;
    hold.pose.position.y = 0.05f;
    must(pli_attachment_set_pose(s.world, attachment, hold.pose, &problem));
    steps(s.world, 1);
    near(asleep_count(&s), 2, 0, "the others sleep on");
    near(position_of(s.world, s.far, 0).y - before, 0.05, 1e-5, "it follows");
    pli_world_destroy(s.world);
}

static void sleep_is_the_same_for_threads_widths_and_snapshots(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int32_t k = 0; k < 4; k++) {
        floor_scene s = make_floor(k == 1 ? 3 : 1, k == 2 ? PLI_SIMD_SCALAR : PLI_SIMD_AUTO);
        uint64_t hash = 0;
        for (int32_t frame = 0; frame < 150; frame++) {
            if (frame == 100)
                must(pli_deformable_add_force(s.world, s.high, 24, (pli_vec3){0, 2.0f, 0}, &problem));
            if (k == 3 && (frame == 20 || frame == 75 || frame == 101)) {
                // Another world, made the same way, goes on in its place.
                size_t size = pli_world_snapshot_size(s.world);
                void *saved = malloc(size);
                must(pli_world_snapshot_write(s.world, saved, size, &problem));
                pli_world_destroy(s.world);
                s = make_floor(1, PLI_SIMD_AUTO);
                must(pli_world_snapshot_read(s.world, saved, size, &problem));
                free(saved);
            }
            steps(s.world, 1);
            hash = hash * 31 + pli_world_hash(s.world);
        }
        holds(k == 0 || hash == expected, "kind %d: the same bits in every frame", (int)k);
        expected = k == 0 ? hash : expected;
        pli_world_destroy(s.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_is_paused_is_not_there),
        property(a_pause_takes_no_time),
        property(what_is_at_rest_sleeps),
        property(nothing_sleeps_unasked),
        property(what_is_changed_wakes),
        property(touch_wakes_what_is_near),
        property(a_fast_collider_wakes_in_time),
        property(what_lies_on_a_body_that_rests_sleeps),
        property(a_ball_sleeps_with_the_cloth_under_it),
        property(a_ball_wakes_to_the_same_bits),
        property(cloth_wakes_a_ball_that_it_falls_on),
        property(what_is_tied_to_a_body_sleeps_with_it),
        property(a_host_that_pushes_keeps_its_bodies_awake),
        property(bodies_sleep_the_same_for_threads_widths_and_snapshots),
        property(waking_goes_from_one_to_the_next),
        property(a_frame_that_moves_wakes_what_it_holds),
        property(sleep_is_the_same_for_threads_widths_and_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
