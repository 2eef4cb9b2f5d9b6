// Torn cloth that collides with itself goes through itself nowhere, by brute force in every frame: neither where it tears, on
// meshes of every kind, nor where it is cut by hand, whether the sides are let go or held.
#include "sheets.h"
#include "tears.h"

enum { FRAMES = 24 };

static pulled torn_cloth(int32_t kind, const pli_tearing *tearing)
{
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    random_state = 5;
    pulled p = {.world = world_from(&def), .mesh = mesh_of_kind(kind, 11)};
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = p.mesh;
    cloth.thickness = 0.02f;
    cloth.self_collision = true;
    cloth.tearing = *tearing;
    must(pli_deformable_create(p.world, &cloth, &p.cloth, &problem));
    tune(p.world, constrain(p.world, p.cloth, "distance", NULL), "compliance", 1e-7);
    tune(p.world, constrain(p.world, p.cloth, "dihedral", NULL), "compliance", 1e-3);
    hold_ends(&p);
    return p;
}

// Pulls the ends apart, then together again over one another, so that loose sides meet.
static void pull_and_close(const pulled *p, int32_t frame)
{
    float way = frame < FRAMES / 2 ? 0.02f * (float)frame : 0.02f * (float)(FRAMES - frame);
    for (int32_t k = 0; k < 2; k++) {
        pli_transform pose = pli_transform_identity();
        pose.position = (pli_vec3){k ? way : -way, 0.0f, k ? 0.4f * way : 0.0f};
        must(pli_attachment_set_pose(p->world, p->ends[k], pose, &problem));
    }
    step(p->world, 1.0 / 60.0);
}

static int32_t run_torn(const pulled *p, const char *what, int32_t kind)
{
    int32_t whole = pli_mesh_topology(p->mesh)->vertex_count;
    for (int32_t frame = 1; frame <= FRAMES; frame++) {
        pull_and_close(p, frame);
        int32_t count = crossings(p->world);
        pli_statistics s = statistics_of(p->world);
        holds(count == 0 && s.intersection_count == 0, "%s %d, frame %d: %d crossings, %d intersections", what,
              (int)kind, (int)frame, (int)count, (int)s.intersection_count);
    }
    return vertex_count_of(p->world, p->cloth) - whole;
}

static void tears_do_not_cross_themselves(void **state)
{
    (void)state;
    const pli_tearing tearing = {.stretch = 1.12f, .force = INFINITY, .max_tears = 6};
    for (int32_t kind = 0; kind < KINDS; kind += shortened() ? 2 : 1) {
        pulled p = torn_cloth(kind, &tearing);
        int32_t copies = run_torn(&p, "torn", kind);
        holds(copies > 20, "mesh %d: %d copies", (int)kind, (int)copies);
        let_go(&p);
    }
}

// Cut before the first step, across all that is held too: copies that are held stay where their sources are.
static void cuts_do_not_cross_themselves(void **state)
{
    (void)state;
    const pli_tearing never = {.stretch = INFINITY, .force = INFINITY, .max_tears = 1};
    for (int32_t kind = 0; kind < KINDS; kind += shortened() ? 2 : 1) {
        pulled p = torn_cloth(kind, &never);
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){0.1f, 0.2f, 1.0f};
        must(pli_deformable_cut(p.world, p.cloth, &cut, NULL, &problem));
        int32_t copies = run_torn(&p, "cut", kind);
        holds(copies > 5, "mesh %d: %d copies", (int)kind, (int)copies);
        let_go(&p);
    }
}

// The mesh of a plate that is not flat, and its collider below the cloth.
static pli_collider plate_below(pli_world *world, pli_transform pose)
{
    pli_collider_def plate = pli_collider_def_default();
    pli_mesh *mesh = mesh_jittered(mesh_grid(6, 6, 2.5, PLI_GRID_ALTERNATING), 0.2, 0.1);
    pli_collider collider;
    plate.shape = PLI_SHAPE_MESH;
    plate.mesh = mesh;
    plate.pose = pose;
    must(pli_collider_create(world, &plate, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

// A plate moves through where the ends of a cut cloth are held, so that they yield to it: the sides of the cut are in one place there,
// and have to stay in one. At last they are let go, and part.
static void held_sides_go_as_one(void **state)
{
    (void)state;
    const pli_tearing never = {.stretch = INFINITY, .force = INFINITY, .max_tears = 1};
    for (int32_t kind = 0; kind < KINDS; kind += shortened() ? 2 : 1) {
        pulled p = torn_cloth(kind, &never);
        pli_collider plate = plate_below(p.world, pose_turned(0.0, (vec){1, 0, 0}, (vec){0, -0.9, 0}));
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){0.1f, 0.2f, 1.0f};
        must(pli_deformable_cut(p.world, p.cloth, &cut, NULL, &problem));
        for (int32_t frame = 1; frame <= FRAMES; frame++) {
            pli_transform pose = pose_turned(12.0 * sin(0.3 * frame), (vec){1, 0, 0}, (vec){0, -0.9 + 0.05 * frame, 0});
            must(pli_collider_set_pose(p.world, plate, pose, &problem));
            for (int32_t k = 0; frame == FRAMES - 4 && k < 2; k++)
                must(pli_attachment_destroy(p.world, p.ends[k], &problem));
            step(p.world, 1.0 / 60.0);
            int32_t count = crossings(p.world);
            holds(count == 0, "mesh %d, frame %d: %d crossings", (int)kind, (int)frame, (int)count);
        }
        let_go(&p);
    }
}

// A cloth that is attached to a body, all of it within the body's sphere, beside one that tears: tears move its particles in memory.
static void what_is_attached_within_a_body_is_known_after_tears(void **state)
{
    (void)state;
    const pli_tearing tearing = {.stretch = 1.05f, .force = INFINITY, .max_tears = 40};
    pulled p = torn_cloth(0, &tearing);
    pli_mesh *sphere = NULL;
    must(pli_mesh_create_sphere(2, 0.3f, &sphere, &problem));
    pli_rigid_body_def body_def = pli_rigid_body_def_default();
    body_def.state.pose.position.y = 3.0f;
    pli_collider_def carried = pli_collider_def_default();
    pli_attachment_def tie = pli_attachment_def_default();
    must(pli_rigid_body_create(p.world, &body_def, &tie.body, &problem));
    carried.shape = PLI_SHAPE_MESH, carried.mesh = sphere, carried.body = tie.body;
    pli_collider collider;
    must(pli_collider_create(p.world, &carried, &collider, &problem));
    enum { SIDE = 4 };
    int32_t all[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        all[i] = i;
    tie.deformable = drop_cloth(p.world, mesh_grid(SIDE, SIDE, 0.1, PLI_GRID_DIAGONAL), body_def.state.pose, 0.01,
                                false);
    tie.particles = all, tie.particle_count = SIDE * SIDE;
    pli_attachment attachment;
    must(pli_attachment_create(p.world, &tie, &attachment, &problem));
    const int32_t copies = run_torn(&p, "beside a body", 0);
    holds(copies > 20, "%d copies", (int)copies);
    pli_mesh_destroy(sphere);
    let_go(&p);
}

// Crumpled cloth that lies between two copies of itself, a tenth of an opening away, tears everywhere: what has no room waits.
static void tears_wait_for_room(void **state)
{
    (void)state;
    const pli_tearing tearing = {.stretch = 1.02f, .force = INFINITY, .max_tears = 40};
    for (int32_t seed = 0; seed < 6; seed += shortened() ? 3 : 1) {
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        random_state = 31 + (uint32_t)seed;
        pulled p = {.world = world_from(&def),
                    .mesh = mesh_jittered(mesh_grid(11, 11, 1.0, PLI_GRID_ALTERNATING), 0.3, 0.35)};
        for (int32_t k = -1; k <= 1; k++) {
            pli_deformable_def cloth = pli_deformable_def_default();
            pli_deformable made;
            cloth.mesh = p.mesh;
            cloth.thickness = 2e-4f;
            cloth.self_collision = true;
            cloth.pose.position.y = 3e-4f * (float)k;
            if (k == 0)
                cloth.tearing = tearing;
            must(pli_deformable_create(p.world, &cloth, &made, &problem));
            tune(p.world, constrain(p.world, made, "distance", NULL), "compliance", 1e-7);
            tune(p.world, constrain(p.world, made, "dihedral", NULL), "compliance", 1e-3);
            p.cloth = k == 0 ? made : p.cloth;
        }
        hold_ends(&p);
        int32_t copies = run_torn(&p, "between copies", seed);
        holds(copies > 20, "seed %d: %d copies", (int)seed, (int)copies);
        let_go(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(tears_do_not_cross_themselves), property(cuts_do_not_cross_themselves),
        property(held_sides_go_as_one),          property(what_is_attached_within_a_body_is_known_after_tears),
        property(tears_wait_for_room),
    };
    return cmocka_run_group_tests_name("torn contact", tests, NULL, NULL);
}
