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
    def.settings.damping = small > 1 ? 3.1f : 0.0f;
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
            pli_world_get_statistics(world, &statistics);
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

enum { PAIRS = 300, IN_A_ROW = 17, FRAMES = 14 };

static pli_world *world_of_threads(int32_t threads)
{
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads;
    def.settings.origin =
        PLI_ORIGIN_FIXED; // It is one for all that a world holds, and would follow a pair that is alone.
    return world_from(&def);
}

// Two small sheets that fall on each other over a ball; one or the other is held at a corner in every third pair.
static pli_deformable add_pair(pli_world *world, const pli_mesh *mesh, int32_t pair)
{
    pli_vec3 at = {1.5f * (float)(pair % IN_A_ROW), 1.0f, 1.5f * (float)(pair / IN_A_ROW)};
    pli_deformable bodies[2];
    for (int32_t k = 0; k < 2; k++) {
        pli_deformable_def sheet = pli_deformable_def_default();
        sheet.mesh = mesh;
        sheet.pose.position = (pli_vec3){at.x + 0.05f * (float)k, at.y + 0.02f * (float)k, at.z};
        must(pli_deformable_create(world, &sheet, &bodies[k], &problem));
        constrain(world, bodies[k], "distance", NULL);
        const int32_t corner[1] = {3};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = bodies[k], hold.particles = corner, hold.particle_count = 1;
        pli_attachment attachment;
        if (pair % 3 == k)
            must(pli_attachment_create(world, &hold, &attachment, &problem));
    }
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.15f;
    ball.pose.position = (pli_vec3){at.x, at.y - 0.2f, at.z};
    pli_collider collider;
    must(pli_collider_create(world, &ball, &collider, &problem));
    return bodies[1];
}

static void step_frames(pli_world *world)
{
    for (int32_t i = 0; i < FRAMES; i++)
        step(world, 1.0 / 60.0);
}

// Distant pairs do not meet, in whatever tree they are: a pair in a crowd has the same bits as a pair alone.
static void a_pair_in_a_crowd_does_what_it_does_alone(void **state)
{
    (void)state;
    static pli_deformable tops[PAIRS];
    pli_mesh *mesh = mesh_grid(6, 5, 0.4, PLI_GRID_ALTERNATING);
    pli_world *crowd = world_of_threads(2);
    for (int32_t i = 0; i < PAIRS; i++)
        tops[i] = add_pair(crowd, mesh, i);
    step_frames(crowd);
    for (int32_t i = 0; i < PAIRS; i += 23) {
        pli_world *alone = world_of_threads(1);
        pli_deformable top = add_pair(alone, mesh, i);
        step_frames(alone);
        pli_statistics statistics;
        pli_world_get_statistics(alone, &statistics);
        holds(statistics.contact_count > 0 && statistics.surface_contact_count > 0, "pair %d touches nothing", (int)i);
        for (int32_t v = 0; v < vertex_count_of(alone, top); v++) {
            vec a = position_of(alone, top, v), b = position_of(crowd, tops[i], v);
            holds(a.x == b.x && a.y == b.y && a.z == b.z, "pair %d, vertex %d", (int)i, (int)v);
        }
        pli_world_destroy(alone);
    }
    pli_world_destroy(crowd);
    pli_mesh_destroy(mesh);
}

// Groups of what says the same of layers: each meets the groups it should, and those only.
static void layers_part_a_crowd(void **state)
{
    (void)state;
    static const struct {
        uint32_t layers[2], masks[2];
        bool meet;
    } cases[] = {
        {{1, 1}, {1, 1}, true},  {{1, 1}, {0, 0}, false}, {{1, 2}, {2, 1}, true},
        {{1, 2}, {2, 2}, false}, {{1, 2}, {1, 2}, false}, {{1, 6}, {4, 9}, true},
    };
    pli_mesh *mesh = mesh_grid(6, 5, 0.4, PLI_GRID_ALTERNATING);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pli_world *world = world_of_threads(1);
        for (int32_t i = 0; i < 40; i++) {
            pli_deformable_def sheet = pli_deformable_def_default();
            sheet.mesh = mesh, sheet.thickness = 0.02f;
            sheet.layers = cases[c].layers[i % 2], sheet.mask = cases[c].masks[i % 2];
            sheet.pose.position = (pli_vec3){(float)(i / 2), 0.01f * (float)(i % 2), 0.0f};
            pli_deformable body;
            must(pli_deformable_create(world, &sheet, &body, &problem));
        }
        step(world, 1.0 / 60.0);
        pli_statistics statistics;
        pli_world_get_statistics(world, &statistics);
        holds((statistics.surface_contact_count > 0) == cases[c].meet, "case %d: %d contacts", (int)c,
              (int)statistics.surface_contact_count);
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

enum { EQUALS = 50, SIDE = 7, OTHERS = 5 };

typedef struct equals {
    const char *type;
    pli_method method;
    bool soft;
    pli_simd simd;
    bool rolls; // Onto balls and the ground.
} equals;

static void paint_unevenly(pli_world *world, pli_deformable body, pli_constraints set)
{
    float factors[SIDE * SIDE];
    const int32_t vertices = vertex_count_of(world, body);
    for (int32_t i = 0; i < vertices; i++)
        factors[i] = (float)uniform(0.2, 5.0);
    must(pli_constraints_paint(world, set, "stiffness", PLI_ELEMENT_VERTEX, factors, vertices, &problem));
    must(pli_deformable_paint(world, body, "damping", PLI_ELEMENT_VERTEX, factors, vertices, &problem));
}

// Sheets of one topology with a set of the type and another set, each with its own rest shape, masses and positions. Those of the last
// topology are too few for a crowd. Every third is held.
static pli_world *world_of_equals(const equals *e)
{
    pli_world_def def = furnished_def(e->method, PLI_ORDER_COLOURED);
    def.thread_count = 2, def.simd = e->simd, def.settings.iterations = 4;
    pli_world *world = world_from(&def);
    random_state = 5;
    for (int32_t i = 0; i < EQUALS + OTHERS; i++) {
        pli_mesh *flat = mesh_grid(SIDE, SIDE - (i >= EQUALS), 0.4, PLI_GRID_ALTERNATING),
                 *mesh = mesh_jittered(flat, 0.1, 0.05);
        pli_deformable_def sheet = pli_deformable_def_default();
        sheet.mesh = mesh, sheet.stretch = PLI_STRETCH_SWEPT;
        sheet.pose.position = (pli_vec3){(float)i, 0.3f, 0.0f};
        pli_deformable body;
        must(pli_deformable_create(world, &sheet, &body, &problem));
        scatter(world, body, 0.1 * mean_edge(mesh));
        const char *const types[] = {e->type, NULL};
        const bool made = constrain_with(world, body, types, e->soft) > 0;
        const pli_constraints set = pli_world_constraints_at(world, pli_world_constraints_count(world) - 1);
        // Other parameters, and where the type has it another stiffness for each constraint.
        if (made && e->soft && i % 5 == 0)
            tune(world, set, "compliance", 0.03);
        if (made && e->soft && i % 2 == 0)
            pli_constraints_set_parameter(world, set, "rigidity", 1e-5, NULL);
        const pli_constraints edges = constrain(world, body, "distance", NULL);
        if (e->soft)
            tune(world, edges, "compliance", 1e-5);
        if (e->soft && i % 4 == 0)
            paint_unevenly(world, body, edges);
        const int32_t corner[1] = {SIDE - 1};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = body, hold.particles = corner, hold.particle_count = 1;
        pli_attachment attachment;
        if (i % 3 == 0)
            must(pli_attachment_create(world, &hold, &attachment, &problem));
        pli_mesh_destroy(mesh);
        pli_collider_def ball = pli_collider_def_default();
        pli_collider collider;
        ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.15f, ball.pose.position = (pli_vec3){(float)i, 0.14f, 0.0f};
        if (e->rolls)
            must(pli_collider_create(world, &ball, &collider, &problem));
    }
    return world;
}

static void see_part(void *user, const pli_world *world, const pli_trace_point *point)
{
    (void)world, (void)point;
    ++*(int32_t *)user;
}

// A traced world sweeps each deformable by itself.
static void compare_with_traced(const equals *e)
{
    int32_t parts = 0, contacts = 0;
    pli_world *crowd = world_of_equals(e), *single = world_of_equals(e);
    pli_world_set_trace(single, see_part, &parts);
    for (int32_t i = 0; i < 3; i++) {
        step(crowd, 1.0 / 60.0);
        step(single, 1.0 / 60.0);
        pli_statistics statistics;
        pli_world_get_statistics(crowd, &statistics);
        contacts += statistics.contact_count;
    }
    holds(pli_world_hash(crowd) == pli_world_hash(single), "%s%s, %s, %s%s: a crowd has other bits",
          e->soft ? "soft " : "", e->type, e->method == PLI_METHOD_XPBD ? "XPBD" : "PBD",
          pli_choice_name("simd", (int32_t)e->simd), e->rolls ? ", over balls" : "");
    holds(parts > 0, "the world is not traced");
    pli_deformable_statistics first, second;
    must(pli_deformable_get_statistics(crowd, pli_world_deformable_at(crowd, 1), &first, &problem));
    must(pli_deformable_get_statistics(crowd, pli_world_deformable_at(crowd, 2), &second, &problem));
    holds(first.seconds > 0.0, "a crowd takes no time");
    // Some types are not swept in crowds, and soft sheets have unequal parameters.
    const bool together = !e->soft && strcmp(e->type, "isometric") == 0;
    holds(!together || first.seconds == second.seconds, "%g and %g s of equal deformables", first.seconds,
          second.seconds);
    holds((contacts > 0) == e->rolls, "%d contacts", contacts);
    pli_world_destroy(crowd);
    pli_world_destroy(single);
}

// Equal deformables are swept together, one in each lane: that may change no bit, whatever the type, and in no back end.
static void equal_deformables_have_the_bits_of_single_ones(void **state)
{
    (void)state;
    for (int32_t row = 0; row < pli_constraint_type_count(); row++)
        for (int32_t k = 0; k < 3 && pli_constraint_type_at(row)->generator; k++) {
            const equals e = {pli_constraint_type_at(row)->name, k > 0 ? PLI_METHOD_XPBD : PLI_METHOD_PBD, k > 0,
                              PLI_SIMD_AUTO, k > 1};
            compare_with_traced(&e);
        }
    for (int32_t simd = 1; simd < PLI_SIMD_COUNT; simd++) {
        const equals e = {"isometric", PLI_METHOD_XPBD, true, (pli_simd)simd, true};
        if (pli_simd_available(e.simd))
            compare_with_traced(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(who_takes_which_does_not_matter),
        property(equal_deformables_have_the_bits_of_single_ones),
        property(what_is_tiny_wakes_nobody),
        property(a_pair_in_a_crowd_does_what_it_does_alone),
        property(layers_part_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
