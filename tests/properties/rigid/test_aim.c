// Attachments while they live: switched off and on, aimed at other particles, softened; against worlds in which they were made
// so, and against closed forms.
#include "samples.h"
#include "scenery.h"
#include "sheets.h"

#include "model/model.h"

static void steps(pli_world *world, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step(world, 1.0 / 60.0);
}

typedef struct hung {
    pli_world *world;
    pli_deformable cloth;
    pli_rigid_body body;
    pli_attachment hold;
} hung;

typedef enum kind { FIXED, SOFT, TO_BODY, KIND_COUNT } kind;

// A cloth that is held at `count` particles, or at none when that is 0, in the air.
static hung hang(kind k, const int32_t *particles, int32_t count, bool enabled, pli_order order)
{
    hung h = {.world = NULL};
    pli_world_def def = pli_world_def_default();
    def.order = order;
    def.settings.damping = 6.3f;
    h.world = world_from(&def);
    pli_mesh *mesh = mesh_grid(8, 8, 0.7, PLI_GRID_ALTERNATING);
    h.cloth = deform(h.world, mesh, NULL);
    pli_mesh_destroy(mesh);
    constrain(h.world, h.cloth, "distance", NULL);
    pli_rigid_body_def body = pli_rigid_body_def_default();
    body.inverse_mass = 0.1f;
    must(pli_rigid_body_create(h.world, &body, &h.body, &problem));
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = h.cloth, hold.particles = particles, hold.particle_count = count, hold.enabled = enabled;
    hold.fixed = k == FIXED, hold.compliance = 1e-3;
    if (k == TO_BODY)
        hold.body = h.body;
    if (count > 0)
        must(pli_attachment_create(h.world, &hold, &h.hold, &problem));
    return h;
}

static pli_attachment_def def_of(const hung *h)
{
    pli_attachment_def def;
    must(pli_attachment_get_def(h->world, h->hold, &def, &problem));
    return def;
}

static void an_attachment_switched_off_holds_nothing(void **state)
{
    (void)state;
    const int32_t two[2] = {0, 7};
    for (int32_t k = 0; k < 2 * KIND_COUNT; k++) {
        pli_order order = k % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        hung without = hang((kind)(k / 2), NULL, 0, true, order), made = hang((kind)(k / 2), two, 2, false, order),
             set = hang((kind)(k / 2), two, 2, true, order);
        pli_attachment_def off = def_of(&set);
        off.enabled = false;
        must(pli_attachment_set_def(set.world, set.hold, &off, &problem));
        int32_t count;
        must(pli_attachment_particles(set.world, set.hold, NULL, 0, &count, &problem));
        near(count, 2, 0, "kind %d: it knows its particles", (int)k);
        holds(!def_of(&set).enabled && def_of(&set).fixed == (k / 2 == FIXED), "kind %d: its definition", (int)k);
        steps(without.world, 12), steps(made.world, 12), steps(set.world, 12);
        holds(pli_world_hash(made.world) == pli_world_hash(without.world), "kind %d: made so", (int)k);
        holds(pli_world_hash(set.world) == pli_world_hash(without.world), "kind %d: switched off", (int)k);
        // Switched on again it holds them where they are.
        vec there = position_of(set.world, set.cloth, 7);
        off.enabled = true;
        must(pli_attachment_set_def(set.world, set.hold, &off, &problem));
        near(distance(position_of(set.world, set.cloth, 7), there), 0.0, 0.0, "kind %d: nothing jumps", (int)k);
        steps(set.world, 3);
        double moved = distance(position_of(set.world, set.cloth, 7), there);
        holds(moved < (k / 2 == FIXED ? 1e-6 : 0.02), "kind %d: it holds: %g", (int)k, moved);
        pli_world_destroy(without.world);
        pli_world_destroy(made.world);
        pli_world_destroy(set.world);
    }
}

static void an_attachment_aimed_again_is_like_one_made_so(void **state)
{
    (void)state;
    const int32_t two[2] = {0, 7}, others[3] = {7, 56, 60};
    for (int32_t k = 0; k < 2 * KIND_COUNT; k++) {
        pli_order order = k % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        hung made = hang((kind)(k / 2), others, 3, true, order), set = hang((kind)(k / 2), two, 2, true, order);
        pli_attachment_def aim = def_of(&set);
        aim.particles = others, aim.particle_count = 3;
        must(pli_attachment_set_def(set.world, set.hold, &aim, &problem));
        steps(made.world, 15), steps(set.world, 15);
        holds(pli_world_hash(made.world) == pli_world_hash(set.world), "kind %d", (int)k);
        near(mass_of(set.world, set.cloth, 0) > 0.0, true, 0, "kind %d: what it let go", (int)k);
        pli_world_destroy(made.world);
        pli_world_destroy(set.world);
    }
}

// A particle of mass m hangs by a soft attachment of compliance a at a m g below its place.
static void a_softened_attachment_gives_by_its_compliance(void **state)
{
    (void)state;
    const int32_t all[3] = {0, 1, 2};
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 50;
    pli_world *world = world_from(&def);
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    pli_mesh_def triangle = pli_mesh_def_default();
    triangle.positions = points, triangle.vertex_count = 3, triangle.face_vertices = all, triangle.face_count = 1;
    pli_mesh *mesh;
    must(pli_mesh_create(&triangle, &mesh, &problem));
    pli_deformable cloth = deform(world, mesh, NULL);
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = cloth, hold.particles = all, hold.particle_count = 3, hold.fixed = false, hold.compliance = 0.01;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    for (int32_t k = 0; k < 2; k++) {
        must(pli_attachment_get_def(world, attachment, &hold, &problem));
        hold.compliance = k ? 0.05 : 0.02;
        must(pli_attachment_set_def(world, attachment, &hold, &problem));
        for (int32_t i = 0; i < 300; i++) {
            step(world, 1.0 / 60.0);
            rest_velocities(world, cloth);
        }
        double expected = hold.compliance * mass_of(world, cloth, 1) * 9.81;
        near(-position_of(world, cloth, 1).y, expected, 0.03 * expected, "compliance %g", hold.compliance);
        must(pli_attachment_get_def(world, attachment, &hold, &problem));
        near(hold.compliance, k ? 0.05 : 0.02, 0.0, "it is read back");
    }
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

enum { FREE, NEIGHBOURS, BESIDE_A_HELD_SHEET, BESIDE_A_MESH, PIN_KINDS };

// A pin that lets go of a particle among free ones asks for no search for intersections. It does where what it held may have gone
// through something: held edges, triangles that are held as wholes, faces of colliders.
static void a_pin_lets_go_without_a_search(void **state)
{
    (void)state;
    for (int32_t way = 0; way < PIN_KINDS; way++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_deformable cloth = drop_cloth(world, mesh_grid(12, 12, 1.0, PLI_GRID_ALTERNATING),
                                          pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 1, 0}), 0.01, true);
        int32_t held[36];
        for (int32_t i = 0; i < 36; i++)
            held[i] = i;
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = cloth, hold.particles = held, hold.particle_count = 12;
        pli_attachment top, pin, other;
        must(pli_attachment_create(world, &hold, &top, &problem));
        if (way == BESIDE_A_HELD_SHEET) {
            hold.deformable = drop_cloth(world, mesh_grid(4, 4, 0.3, PLI_GRID_ALTERNATING),
                                         pose_turned(0.0, (vec){1, 0, 0}, (vec){3, 1, 0}), 0.01, true);
            hold.particle_count = 16;
            must(pli_attachment_create(world, &hold, &other, &problem));
        }
        if (way == BESIDE_A_MESH)
            mesh_collider(world, mesh_grid(5, 5, 0.7, PLI_GRID_ALTERNATING),
                          pose_turned(0.0, (vec){1, 0, 0}, (vec){3, 0, 0}), 0.3);
        const int32_t middle[2] = {6 * 12 + 6, 6 * 12 + 7};
        hold.deformable = cloth, hold.particles = middle, hold.particle_count = way == NEIGHBOURS ? 2 : 1;
        step(world, 1.0 / 60.0);
        must(pli_attachment_create(world, &hold, &pin, &problem));
        step(world, 1.0 / 60.0);
        holds(!world->collision.untangle.unverified, "way %d: all is known before", (int)way);
        must(pli_attachment_destroy(world, pin, &problem));
        holds(world->collision.untangle.unverified == (way != FREE), "way %d: a search is asked for: %d", (int)way,
              world->collision.untangle.unverified);
        step(world, 1.0 / 60.0);
        near(crossings(world), 0, 0, "way %d: crossings", (int)way);
        pli_world_destroy(world);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const int32_t two[2] = {0, 7}, three[3] = {1, 2, 3}, taken[2] = {0, 1}, twice[2] = {4, 4}, far[1] = {64};
    hung h = hang(FIXED, two, 2, true, PLI_ORDER_COLOURED);
    pli_attachment_def def = pli_attachment_def_default(), wrong;
    pli_attachment other;
    def.deformable = h.cloth, def.particles = three, def.particle_count = 3;
    must(pli_attachment_create(h.world, &def, &other, &problem));
    uint64_t before = pli_world_hash(h.world);
    const int32_t *const lists[3] = {taken, twice, far};
    for (int32_t i = 0; i < 3; i++) {
        wrong = def_of(&h);
        wrong.particles = lists[i], wrong.particle_count = i == 2 ? 1 : 2;
        near(pli_attachment_set_def(h.world, h.hold, &wrong, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "list %d",
             (int)i);
    }
    wrong = def_of(&h), wrong.body = h.body;
    near(pli_attachment_set_def(h.world, h.hold, &wrong, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "a body");
    wrong = def_of(&h), wrong.compliance = -1.0;
    near(pli_attachment_set_def(h.world, h.hold, &wrong, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "compliance");
    near(mass_of(h.world, h.cloth, 0) + mass_of(h.world, h.cloth, 7), 0.0, 0.0, "it holds what it held");
    holds(pli_world_hash(h.world) == before, "nothing has changed");
    // One that is off does not keep another from its particles, and cannot take them back then.
    wrong = def_of(&h), wrong.enabled = false;
    must(pli_attachment_set_def(h.world, h.hold, &wrong, &problem));
    def.particles = two, def.particle_count = 2;
    must(pli_attachment_create(h.world, &def, &other, &problem));
    wrong.enabled = true;
    near(pli_attachment_set_def(h.world, h.hold, &wrong, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "taken meanwhile");
    pli_world_destroy(h.world);
}

// A hand is made once, switched off: snapshots from before it holds are read while it holds, and after it let go.
static void snapshots_go_back_over_a_hand(void **state)
{
    (void)state;
    const int32_t two[2] = {0, 7}, held[1] = {60};
    for (int32_t k = 0; k < KIND_COUNT; k++) {
        hung h = hang(FIXED, two, 2, true, PLI_ORDER_COLOURED);
        pli_attachment_def def = pli_attachment_def_default();
        def.deformable = h.cloth, def.particles = held, def.particle_count = 1, def.enabled = false;
        def.fixed = k == FIXED, def.compliance = 1e-3;
        if (k == TO_BODY)
            def.body = h.body;
        pli_attachment hand;
        must(pli_attachment_create(h.world, &def, &hand, &problem));
        steps(h.world, 5);
        size_t size = pli_world_snapshot_size(h.world);
        void *saved = malloc(size);
        must(pli_world_snapshot_write(h.world, saved, size, &problem));
        uint64_t ends[2];
        for (int32_t go = 0; go < 2; go++) {
            must(pli_attachment_get_def(h.world, hand, &def, &problem));
            def.particles = held, def.particle_count = 1, def.enabled = true;
            must(pli_attachment_set_def(h.world, hand, &def, &problem));
            steps(h.world, go ? 5 : 2);
            // While it holds: the hand is as it was then, and takes hold anew.
            must(pli_world_snapshot_read(h.world, saved, size, &problem));
            pli_attachment_def then;
            must(pli_attachment_get_def(h.world, hand, &then, &problem));
            holds(!then.enabled, "kind %d: the hand is off again", (int)k);
            must(pli_attachment_set_def(h.world, hand, &def, &problem));
            steps(h.world, 5);
            def.enabled = false, def.particles = NULL;
            must(pli_attachment_set_def(h.world, hand, &def, &problem));
            steps(h.world, 5);
            ends[go] = pli_world_hash(h.world);
            must(pli_world_snapshot_read(h.world, saved, size, &problem));
        }
        holds(ends[0] == ends[1], "kind %d: the same bits again", (int)k);
        free(saved);
        pli_world_destroy(h.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(an_attachment_switched_off_holds_nothing),
        property(an_attachment_aimed_again_is_like_one_made_so),
        property(a_softened_attachment_gives_by_its_compliance),
        property(a_pin_lets_go_without_a_search),
        property(what_does_not_fit_is_refused),
        property(snapshots_go_back_over_a_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
