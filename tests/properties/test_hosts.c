// Hosts of rigid bodies: they are called in every substep, may move bodies there, and find their bodies again.
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
    must(pli_rigid_body_state(world, body, &state, &problem));
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
    holds(pli_rigid_body_state(world, first, &gone, &problem) == PLI_STATUS_NOT_FOUND &&
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(hosts_step_within_the_step),
        property(bodies_are_found_and_go_with_what_names_them),
        property(mass_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
