// Snapshots go back over pins, grabs, switches, ties to bodies and cuts: a run with all of these is recorded, and then a world is
// put back to random frames of it, in any order, and goes on with the same events: it must have the recorded hash after each step.
// A world that never saw the events must go on alike.
#include "sheets.h"

#include "pliant/grab.h"
#include "pliant/rigid.h"

enum { SIDE = 25, FRAMES = 30, JUMPS = 16 };

// The objects that events make, by value, as a host keeps them with its snapshots.
typedef struct hands {
    pli_attachment pin, soft, tie, copy, switched;
    pli_grab grab;
} hands;

typedef struct place {
    pli_world *world;
    pli_mesh *meshes[2];
    pli_deformable sheet, other;
    pli_rigid_body body;
    hands hands;
} place;

typedef struct saved {
    void *bytes;
    size_t size;
    uint64_t hash;
    hands hands;
} saved;

static pli_attachment hold(place *p, pli_deformable deformable, const int32_t *particles, int32_t count, bool fixed,
                           bool tied)
{
    pli_attachment_def def = pli_attachment_def_default();
    pli_attachment made;
    def.deformable = deformable, def.particles = particles, def.particle_count = count, def.fixed = fixed;
    def.compliance = fixed ? 0.0 : 1e-4;
    if (tied)
        def.body = p->body;
    must(pli_attachment_create(p->world, &def, &made, &problem));
    return made;
}

static void cut(place *p, pli_deformable cloth, float x)
{
    pli_cut_def def = pli_cut_def_default();
    def.point = (pli_vec3){x, 0.0f, 0.0f}, def.normal = (pli_vec3){1.0f, 0.0f, 0.0f}, def.reach = 10.0f;
    must(pli_deformable_cut(p->world, cloth, &def, NULL, &problem));
}

static void add_body(place *p)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = 4.0f;
    for (int32_t k = 0; k < 3; k++)
        def.inverse_inertia[k] = 40.0f;
    def.state.pose.position = (pli_vec3){0.0f, 0.3f, 0.1f};
    must(pli_rigid_body_create(p->world, &def, &p->body, &problem));
}

// `cut_first`: the other sheet is cut before the run, so that all of it is of a deformable that is cut.
static place open_place_with(pli_order order, int32_t threads, bool cut_first, const char *type)
{
    pli_world_def world = pli_world_def_default();
    world.order = order;
    world.thread_count = threads;
    world.settings.substeps = 4;
    world.settings.damping = 2.0f; // Hands pin nothing, and other attachments do.
    place p = {.world = world_from(&world)};
    p.meshes[0] = mesh_grid(SIDE, SIDE, 0.6, PLI_GRID_DIAGONAL);
    const uint64_t now = random_state;
    random_state = 7; // The same mesh in all worlds.
    p.meshes[1] = mesh_jittered(mesh_grid(SIDE, SIDE, 0.6, PLI_GRID_CROSSED), 0.2, 0.02);
    random_state = now;
    add_body(&p);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = p.meshes[0], def.thickness = 0.005f, def.self_collision = true;
    must(pli_deformable_create(p.world, &def, &p.sheet, &problem));
    def.mesh = p.meshes[1], def.pose.position = (pli_vec3){0.0f, -0.03f, 0.0f};
    must(pli_deformable_create(p.world, &def, &p.other, &problem));
    constrain(p.world, p.sheet, type, NULL);
    const int32_t row[3] = {0, SIDE / 2, SIDE - 1}, corners[2] = {SIDE * (SIDE - 1), SIDE * SIDE - 1};
    hold(&p, p.sheet, row, 3, true, false);
    hold(&p, p.other, corners, 2, true, false);
    constrain(p.world, p.other, type, NULL);
    tune(p.world, constrain(p.world, p.other, "dihedral", NULL), "compliance", 1e-3);
    p.hands.switched = hold(&p, p.sheet, corners, 2, true, false);
    if (cut_first)
        cut(&p, p.other, 0.2f);
    return p;
}

static place open_place(pli_order order, int32_t threads, bool cut_first)
{
    return open_place_with(order, threads, cut_first, "distance");
}

static void close_place(place *p)
{
    pli_world_destroy(p->world);
    pli_mesh_destroy(p->meshes[0]);
    pli_mesh_destroy(p->meshes[1]);
}

static void switch_hold(place *p, bool on)
{
    const int32_t aims[3] = {300, 301, 330};
    pli_attachment_def def;
    must(pli_attachment_get_def(p->world, p->hands.switched, &def, &problem));
    def.enabled = on;
    def.particles = on ? aims : NULL, def.particle_count = 3;
    must(pli_attachment_set_def(p->world, p->hands.switched, &def, &problem));
}

static void grab_step(place *p, int32_t frame)
{
    if (frame == 5) {
        pli_grab_def def = pli_grab_def_default();
        def.deformable = p->sheet, def.vertex = SIDE * 12 + 12;
        must(pli_grab_begin(p->world, &def, &p->hands.grab, &problem));
    }
    if (frame >= 5)
        must(pli_grab_update(p->world, &p->hands.grab, (pli_vec3){0.02f * (float)frame, 0.1f, 0.0f}, 1.0f / 60.0f,
                             frame < 15, &problem));
}

static void events(place *p, int32_t frame)
{
    const int32_t pinned = SIDE * 20 + 7, soft[3] = {400, 401, 402}, tied[2] = {500, 512};
    const int32_t count = vertex_count_of(p->world, p->other), last = count - 1;
    grab_step(p, frame);
    switch (frame) {
    case 3:
        p->hands.pin = hold(p, p->sheet, &pinned, 1, true, false);
        break;
    case 8:
        p->hands.soft = hold(p, p->other, soft, 3, false, false);
        break;
    case 10:
        must(pli_attachment_destroy(p->world, p->hands.pin, &problem));
        break;
    case 11:
        cut(p, p->other, -0.1f);
        break;
    case 12:
        switch_hold(p, false);
        break;
    case 14:
        p->hands.tie = hold(p, p->other, tied, 2, true, true);
        break;
    case 16:
        switch_hold(p, true);
        break;
    case 18:
        p->hands.copy = hold(p, p->other, &last, 1, false, false);
        break;
    case 20:
        cut(p, p->sheet, 0.12f); // A grid until now.
        break;
    case 22:
        must(pli_attachment_destroy(p->world, p->hands.soft, &problem));
        break;
    case 24:
        must(pli_attachment_destroy(p->world, p->hands.tie, &problem));
        break;
    default:
        break;
    }
}

static saved save(const place *p)
{
    saved s = {.size = pli_world_snapshot_size(p->world), .hash = pli_world_hash(p->world), .hands = p->hands};
    s.bytes = malloc(s.size);
    must(pli_world_snapshot_write(p->world, s.bytes, s.size, &problem));
    return s;
}

static bool put_back(place *p, const saved *s)
{
    pli_status status = pli_world_snapshot_read(p->world, s->bytes, s->size, &problem);
    holds(status == PLI_STATUS_OK, "refused: %.200s", problem.message);
    p->hands = s->hands;
    return status == PLI_STATUS_OK;
}

// Handles of another world that was made alike.
static void carry_over(place *p)
{
    pli_attachment *all[] = {&p->hands.pin,  &p->hands.soft,     &p->hands.tie,
                             &p->hands.copy, &p->hands.switched, &p->hands.grab.attachment};
    for (int32_t i = 0; i < COUNT_OF(all); i++)
        all[i]->world = p->sheet.world;
    p->hands.grab.deformable = p->sheet;
}

static void go_on(place *p, const saved *record, int32_t from, int32_t to, const char *where)
{
    for (int32_t frame = from; frame < to; frame++) {
        events(p, frame);
        step(p->world, 1.0 / 60.0);
        if (pli_world_hash(p->world) != record[frame + 1].hash) {
            holds(false, "%s put back to frame %d: another state after frame %d", where, (int)from, (int)frame);
            return;
        }
    }
}

static void go_back_and_forth(pli_order order, bool cut_first, const char *type)
{
    saved record[FRAMES + 1];
    place p = open_place_with(order, 1, cut_first, type);
    record[0] = save(&p);
    for (int32_t frame = 0; frame < FRAMES; frame++) {
        events(&p, frame);
        step(p.world, 1.0 / 60.0);
        record[frame + 1] = save(&p);
    }
    for (int32_t jump = 0; jump < (shortened() ? JUMPS / 4 : JUMPS); jump++) {
        int32_t from = below(FRAMES), to = from + 1 + below(5);
        if (put_back(&p, &record[from]) && pli_world_hash(p.world) == record[from].hash)
            go_on(&p, record, from, to < FRAMES ? to : FRAMES, "a world");
        else
            holds(false, "frame %d: another state", (int)from);
    }
    for (int32_t from = 1; from < FRAMES; from += shortened() ? 24 : 7) {
        place fresh = open_place_with(order, 2, cut_first, type);
        bool back = put_back(&fresh, &record[from]);
        carry_over(&fresh);
        if (back)
            go_on(&fresh, record, from, from + 3 < FRAMES ? from + 3 : FRAMES, "a fresh world");
        close_place(&fresh);
    }
    for (int32_t i = 0; i <= FRAMES; i++)
        free(record[i].bytes);
    close_place(&p);
}

static void a_run_goes_back_over_pins_grabs_and_cuts(void **state)
{
    (void)state;
    go_back_and_forth(PLI_ORDER_COLOURED, false, "distance");
}

static void so_it_does_in_sequence(void **state)
{
    (void)state;
    go_back_and_forth(PLI_ORDER_SEQUENTIAL, true, "distance");
}

static void so_it_does_where_stretch_is_solved(void **state)
{
    (void)state;
    go_back_and_forth(PLI_ORDER_COLOURED, false, "membrane");
}

// A snapshot with another pin, of another mesh: the world has its own pins afterwards, and goes on as if nothing had been.
static void what_is_refused_leaves_the_pins(void **state)
{
    (void)state;
    const int32_t pinned = 77, soft[2] = {30, 31};
    place p[3];
    for (int32_t i = 0; i < 3; i++) {
        p[i] = open_place(PLI_ORDER_COLOURED, 1, true);
        hold(&p[i], p[i].sheet, &pinned, 1, true, false);
        hold(&p[i], p[i].other, soft, 2, false, false);
        step(p[i].world, 1.0 / 60.0);
    }
    const int32_t more[2] = {78, 90};
    hold(&p[2], p[2].sheet, more, 2, false, false);
    pli_deformable other;
    pli_deformable_def def = pli_deformable_def_default();
    pli_mesh *meshes[2] = {mesh_grid(3, 3, 0.1, PLI_GRID_DIAGONAL), mesh_grid(3, 3, 0.1, PLI_GRID_ALTERNATING)};
    for (int32_t i = 0; i < 3; i++) {
        def.mesh = meshes[i == 2];
        def.pose.position = (pli_vec3){3.0f, 0.0f, 0.0f};
        must(pli_deformable_create(p[i].world, &def, &other, &problem));
    }
    saved s = save(&p[2]);
    int32_t count = pli_world_attachment_count(p[0].world);
    holds(pli_world_snapshot_read(p[0].world, s.bytes, s.size, &problem) == PLI_STATUS_CORRUPT, "not refused");
    holds(pli_world_attachment_count(p[0].world) == count, "%d attachments, %d before",
          (int)pli_world_attachment_count(p[0].world), (int)count);
    for (int32_t i = 0; i < 6; i++) {
        holds(pli_world_hash(p[0].world) == pli_world_hash(p[1].world), "another state %d steps later", (int)i);
        step(p[0].world, 1.0 / 60.0), step(p[1].world, 1.0 / 60.0);
    }
    for (int32_t i = 0; i < 3; i++)
        close_place(&p[i]);
    pli_mesh_destroy(meshes[0]);
    pli_mesh_destroy(meshes[1]);
    free(s.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_run_goes_back_over_pins_grabs_and_cuts),
        property(so_it_does_in_sequence),
        property(so_it_does_where_stretch_is_solved),
        property(what_is_refused_leaves_the_pins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
