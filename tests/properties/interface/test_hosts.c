// Hosts: of rigid bodies, which are called in every substep, may move bodies there, and find their bodies again; and of many worlds,
// which are stepped by one call.
#include "sheets.h"

#include "pliant/rigid.h"

typedef struct host {
    pli_rigid_body body;
    int32_t calls;
    double time;
    bool lifts; // Places the body anew in each call.
} host;

static pli_rigid_state state_of(const pli_world *world, pli_rigid_body body)
{
    pli_rigid_state state;
    must(pli_rigid_body_get_state(world, body, &state, &problem));
    return state;
}

static void give_gravity(void *user, pli_world *world, float step)
{
    host *h = user;
    pli_rigid_state now = state_of(world, h->body);
    h->calls++;
    h->time += (double)step;
    now.velocity.y -= 10.0f * step;
    if (h->lifts)
        now.pose.position.x = (float)h->calls;
    must(pli_rigid_body_set_state(world, h->body, &now, false, &problem));
}

static pli_rigid_body body_named(pli_world *world, const char *name)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_rigid_body body;
    def.name = name;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    return body;
}

// With velocities first, n substeps fall by g h^2 n (n + 1) / 2; a pose set in a call holds at once.
static void hosts_step_within_the_step(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.substeps = 8;
    pli_world *world = world_from(&def);
    host h = {.body = body_named(world, NULL)};
    pli_world_set_substep_callback(world, give_gravity, &h);
    for (int32_t frame = 0; frame < 5; frame++)
        step(world, 1.0 / 60.0);
    double small = 1.0 / 480.0, fallen = 10.0 * small * small * 40.0 * 41.0 / 2.0;
    near(h.calls, 40, 0.0, "calls in 5 steps of 8 substeps");
    near(h.time, 5.0 / 60.0, 1e-6, "time of all calls");
    near((double)state_of(world, h.body).pose.position.y, -fallen, 1e-6, "place of what the host lets fall");
    h.lifts = true;
    step(world, 1.0 / 60.0);
    near((double)state_of(world, h.body).pose.position.x, h.calls, 1e-5, "place that the host set in the last call");
    pli_world_set_substep_callback(world, NULL, NULL);
    int32_t calls = h.calls;
    step(world, 1.0 / 60.0);
    near(h.calls, calls, 0.0, "calls after it was taken out");
    pli_world_destroy(world);
}

static void bodies_are_found_and_go_with_what_names_them(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    pli_rigid_body first = body_named(world, "first"), second = body_named(world, NULL);
    near(pli_world_rigid_body_count(world), 2, 0.0, "bodies");
    holds(pli_world_rigid_body_at(world, 0).id == first.id && pli_world_rigid_body_at(world, 1).id == second.id,
          "their order");
    holds(pli_world_rigid_body_at(world, 2).id == 0 && pli_world_rigid_body_at(world, -1).id == 0, "beyond them");
    assert_string_equal(pli_rigid_body_name(world, first), "first");
    assert_string_equal(pli_rigid_body_name(world, second), "");
    pli_deformable cloth = drop_cloth(world, mesh_grid(4, 4, 0.3, PLI_GRID_ALTERNATING), pli_transform_identity(),
                                      0.004, true);
    const int32_t corner = 0;
    pli_attachment_def tie = pli_attachment_def_default();
    pli_attachment attachment;
    tie.deformable = cloth, tie.particles = &corner, tie.particle_count = 1, tie.body = first;
    must(pli_attachment_create(world, &tie, &attachment, &problem));
    step(world, 1.0 / 60.0);
    must(pli_rigid_body_destroy(world, first, &problem));
    near(pli_world_attachment_count(world), 0, 0.0, "attachments to the body that went");
    step(world, 1.0 / 60.0);
    pli_rigid_state gone;
    pli_rigid_change change;
    const float inertia[6] = {1, 1, 1, 0, 0, 0};
    holds(pli_rigid_body_get_state(world, first, &gone, &problem) == PLI_STATUS_NOT_FOUND &&
              pli_rigid_body_set_state(world, first, &gone, false, &problem) == PLI_STATUS_NOT_FOUND &&
              pli_rigid_body_set_mass(world, first, 1.0f, inertia, &problem) == PLI_STATUS_NOT_FOUND &&
              pli_rigid_body_take_change(world, first, &change, &problem) == PLI_STATUS_NOT_FOUND &&
              pli_rigid_body_destroy(world, first, &problem) == PLI_STATUS_NOT_FOUND,
          "a handle of a body that went");
    assert_string_equal(pli_rigid_body_name(world, first), "");
    pli_world_destroy(world);
}

// Half the inverse mass is half the change by the same pull.
static void mass_may_change(void **state)
{
    (void)state;
    double pulled[2];
    for (int32_t heavy = 0; heavy < 2; heavy++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        def.settings.gravity = (pli_vec3){0, 0, 0};
        pli_world *world = world_from(&def);
        pli_rigid_body body = body_named(world, NULL);
        const float none[6] = {0};
        must(pli_rigid_body_set_mass(world, body, heavy ? 5e-6f : 1e-5f, none, &problem));
        pli_deformable cloth = drop_cloth(world, mesh_grid(2, 2, 0.1, PLI_GRID_ALTERNATING), pli_transform_identity(),
                                          0.0, false);
        const int32_t corner = 0;
        const float velocities[12] = {0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0};
        must(pli_deformable_set_velocities(world, cloth, 0, 4, velocities, &problem));
        pli_attachment_def tie = pli_attachment_def_default();
        pli_attachment attachment;
        tie.deformable = cloth, tie.particles = &corner, tie.particle_count = 1, tie.body = body;
        must(pli_attachment_create(world, &tie, &attachment, &problem));
        step(world, 1.0 / 60.0);
        pli_rigid_change change;
        must(pli_rigid_body_take_change(world, body, &change, &problem));
        pulled[heavy] = (double)change.velocity.y;
        pli_world_destroy(world);
    }
    holds(pulled[0] > 0.0, "nothing pulled");
    near(pulled[1] / pulled[0], 0.5, 1e-3, "change of the heavier by that of the lighter");
}

/* ---- many worlds in one call ------------------------------------------------------------------ */

enum { MANY = 7, MANY_STEPS = 4, BLOWN = 3 };

// Worlds that differ in size and in their threads, with cloth that folds on the ground.
static pli_world *one_of_many(int32_t i)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, i % 2 ? 2 : 1);
    def.settings.substeps = 2 + i % 3;
    pli_world *world = world_from(&def);
    pli_collider_def ground = pli_collider_def_default();
    pli_collider collider;
    must(pli_collider_create(world, &ground, &collider, &problem));
    pli_transform pose = pli_transform_identity();
    pose.position.y = 0.02f;
    pli_deformable cloth = drop_cloth(world, mesh_grid(5 + i, 6, 0.3, PLI_GRID_ALTERNATING), pose, 0.004, true);
    const int32_t corner = 0;
    pli_attachment_def tie = pli_attachment_def_default();
    pli_attachment attachment;
    tie.deformable = cloth, tie.particles = &corner, tie.particle_count = 1;
    must(pli_attachment_create(world, &tie, &attachment, &problem));
    return world;
}

static void make_many(pli_world *worlds[MANY])
{
    for (int32_t i = 0; i < MANY; i++)
        worlds[i] = one_of_many(i);
}

static void destroy_many(pli_world *worlds[MANY])
{
    for (int32_t i = 0; i < MANY; i++)
        pli_world_destroy(worlds[i]);
}

static void many_worlds_are_as_each_alone(void **state)
{
    (void)state;
    pli_world *alone[MANY], *together[MANY];
    make_many(alone);
    for (int32_t s = 0; s < MANY_STEPS; s++)
        for (int32_t i = 0; i < MANY; i++)
            step(alone[i], 1.0 / 60.0);
    for (int32_t threads = 1; threads <= 9; threads += 4) { // Also more threads than worlds.
        make_many(together);
        for (int32_t s = 0; s < MANY_STEPS; s++)
            must(pli_worlds_step(together, MANY, 1.0f / 60.0f, threads, NULL, &problem));
        for (int32_t i = 0; i < MANY; i++) {
            holds(pli_world_hash(together[i]) == pli_world_hash(alone[i]), "state of world %d on %d threads", (int)i,
                  (int)threads);
            near((double)pli_world_step_count(together[i]), MANY_STEPS, 0.0, "steps of each");
        }
        destroy_many(together);
    }
    must(pli_worlds_step(NULL, 0, 1.0f, 2, NULL, &problem));
    destroy_many(alone);
}

static void one_that_fails_keeps_no_other_from_its_step(void **state)
{
    (void)state;
    pli_world *worlds[MANY];
    pli_status statuses[MANY];
    make_many(worlds);
    pli_deformable cloth = pli_world_deformable_at(worlds[BLOWN], 0);
    const uint64_t before = pli_world_hash(worlds[BLOWN]);
    must(pli_deformable_add_force(worlds[BLOWN], cloth, 7, (pli_vec3){3e38f, 0, 0}, &problem));
    pli_world_cancel(worlds[BLOWN + 1]);
    holds(pli_worlds_step(worlds, MANY, 1.0f / 60.0f, 2, statuses, &problem) == PLI_STATUS_NON_FINITE,
          "the first error");
    holds(strncmp(problem.message, "world 3: ", 9) == 0, "its place: %.100s", problem.message);
    for (int32_t i = 0; i < MANY; i++) {
        pli_status wanted = i == BLOWN ? PLI_STATUS_NON_FINITE : i == BLOWN + 1 ? PLI_STATUS_CANCELLED : PLI_STATUS_OK;
        near(statuses[i], wanted, 0.0, "status of each");
        near((double)pli_world_step_count(worlds[i]), wanted == PLI_STATUS_OK, 0.0, "steps done by each");
    }
    holds(pli_world_hash(worlds[BLOWN]) == before, "the one that failed is as before");
    destroy_many(worlds);
}

static void wrong_lists_step_nothing(void **state)
{
    (void)state;
    pli_world *worlds[MANY];
    make_many(worlds);
    pli_world *twice[] = {worlds[0], worlds[1], worlds[0]}, *none[] = {worlds[0], NULL};
    const float dt = 1.0f / 60.0f;
    holds(pli_worlds_step(twice, 3, dt, 2, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "one that is there twice");
    holds(strstr(problem.message, "world 2 ") != NULL, "its place: %.100s", problem.message);
    holds(pli_worlds_step(none, 2, dt, 2, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "a null world");
    holds(pli_worlds_step(worlds, MANY, dt, 0, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no threads");
    holds(pli_worlds_step(worlds, -1, dt, 1, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "fewer than no worlds");
    for (int32_t i = 0; i < MANY; i++)
        near((double)pli_world_step_count(worlds[i]), 0.0, 0.0, "steps after refusals");
    must(pli_worlds_step(worlds, MANY, dt, 2, NULL, &problem));
    destroy_many(worlds);
}

// Memory of a host that refuses one request.
typedef struct meter {
    int64_t calls, refused;
} meter;

static void *metered(void *user, size_t size, size_t alignment)
{
    meter *m = user;
    return m->calls++ == m->refused ? NULL : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void given_back(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

// An empty world's own step asks for nothing once it has its buffers.
static void threads_of_many_have_the_memory_of_the_first(void **state)
{
    (void)state;
    meter m = {.refused = -1};
    pli_world_def def = pli_world_def_default();
    def.hooks.allocate = metered, def.hooks.release = given_back, def.hooks.user = &m;
    pli_world *worlds[] = {world_from(&def), one_of_many(0)};
    const float dt = 1.0f / 60.0f;
    must(pli_worlds_step(worlds, 2, dt, 2, NULL, &problem));
    int64_t refusals = 0;
    for (m.calls = 0, m.refused = 0; m.refused < 100; m.calls = 0, m.refused++) {
        const pli_status status = pli_worlds_step(worlds, 2, dt, 2, NULL, &problem);
        if (m.calls <= m.refused)
            break;
        refusals++;
        holds(status == PLI_STATUS_OUT_OF_MEMORY, "request %lld: %s", (long long)m.refused, pli_status_name(status));
        for (int32_t i = 0; i < 2; i++)
            near((double)pli_world_step_count(worlds[i]), 1.0, 0.0, "steps of world %d", (int)i);
    }
    holds(refusals >= 3 && refusals < 100, "%lld requests", (long long)refusals);
    for (int32_t i = 0; i < 2; i++)
        near((double)pli_world_step_count(worlds[i]), 2.0, 0.0, "steps at last of world %d", (int)i);
    pli_world_destroy(worlds[0]);
    pli_world_destroy(worlds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(hosts_step_within_the_step),
        property(bodies_are_found_and_go_with_what_names_them),
        property(mass_may_change),
        property(many_worlds_are_as_each_alone),
        property(one_that_fails_keeps_no_other_from_its_step),
        property(wrong_lists_step_nothing),
        property(threads_of_many_have_the_memory_of_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
