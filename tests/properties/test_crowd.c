// Many deformables at once: threads take whole small ones, and what is tiny wakes nobody.
#include "scenery.h"

typedef struct host {
    int32_t loops;
} host;

// A host that runs tasks backwards: no order may matter.
static void run_backwards(void *user, int32_t count, pli_task task, void *data)
{
    ((host *)user)->loops++;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

static pli_world *crowd_of(int32_t small, int32_t threads, host *h)
{
    pli_world_def def = pli_world_def_default();
    def.settings.damping = small > 1 ? 0.05f : 0.0f;
    def.thread_count = threads;
    if (h)
        def.tasks = (pli_task_hooks){.run = run_backwards, .user = h};
    pli_world *world = world_from(&def);
    pli_mesh *meshes[2] = {mesh_grid(10, 10, 0.5, PLI_GRID_DIAGONAL), mesh_grid(45, 40, 2.0, PLI_GRID_QUADS)};
    for (int32_t i = 0; i < small + (small > 1); i++) {
        bool large = i == small / 2 && small > 1;
        pli_deformable_def sheet = pli_deformable_def_default();
        sheet.mesh = meshes[large];
        sheet.pose.position = (pli_vec3){(float)(i % 7), 0.1f + 0.02f * (float)i, (float)(i / 7)};
        sheet.mask = 2; // They touch what is in layer 2 only.
        pli_deformable body;
        must(pli_deformable_create(world, &sheet, &body, &problem));
        constrain(world, body, "distance", NULL);
        tune(world, constrain(world, body, i % 2 ? "dihedral" : "triangle_signed", NULL), "compliance", 1e-4);
        if (i % 3)
            continue;
        const int32_t corner[1] = {0};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = body, hold.particles = corner, hold.particle_count = 1;
        pli_attachment attachment;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
    }
    if (small > 1) {
        pli_collider_def ground = pli_collider_def_default();
        ground.layers = 2;
        pli_collider collider;
        must(pli_collider_create(world, &ground, &collider, &problem));
    }
    pli_mesh_destroy(meshes[0]);
    pli_mesh_destroy(meshes[1]);
    return world;
}

static void who_takes_which_does_not_matter(void **state)
{
    (void)state;
    uint64_t alone = 0;
    for (int32_t threads = 1; threads < 5; threads++) {
        host h = {0};
        pli_world *world = crowd_of(30, threads, threads == 4 ? &h : NULL);
        int32_t contacts = 0;
        for (int32_t i = 0; i < 15; i++) {
            pli_statistics statistics;
            step(world, 1.0 / 60.0);
            pli_world_statistics(world, &statistics);
            contacts += statistics.contact_count;
        }
        alone = threads == 1 ? pli_world_hash(world) : alone;
        holds(pli_world_hash(world) == alone, "%d threads: another state", threads);
        holds(contacts > 0, "nothing touches the ground");
        holds(threads != 4 || h.loops > 0, "the host's threads are not asked");
        pli_world_destroy(world);
    }
}

static void what_is_tiny_wakes_nobody(void **state)
{
    (void)state;
    host h = {0};
    pli_world *world = crowd_of(1, 1, &h);
    for (int32_t i = 0; i < 3; i++)
        step(world, 1.0 / 60.0);
    near((double)h.loops, 0.0, 0.0, "loops on other threads for 100 particles");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(who_takes_which_does_not_matter),
        property(what_is_tiny_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
