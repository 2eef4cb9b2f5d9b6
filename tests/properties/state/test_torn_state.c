// Worlds with torn cloth are saved and restored to the same bits; damaged snapshots and missing memory do no harm.
#include "tears.h"

/* ---- snapshots --------------------------------------------------------------------------------- */

typedef struct saved {
    void *bytes;
    size_t size;
    uint64_t hash;
} saved;

static saved save(const pli_world *world)
{
    saved s = {.size = pli_world_snapshot_size(world), .hash = pli_world_hash(world)};
    s.bytes = malloc(s.size);
    must(pli_world_snapshot_write(world, s.bytes, s.size, &problem));
    return s;
}

static void restore(pli_world *world, const saved *s)
{
    must(pli_world_snapshot_read(world, s->bytes, s->size, &problem));
    holds(pli_world_hash(world) == s->hash, "restored");
}

// Cloth that keeps clear of itself and a ball, and tears between a rigid and a soft attachment.
static pulled furnished(pli_order order, int32_t threads, int32_t kind)
{
    pli_world_def def = tear_def(order);
    def.thread_count = threads;
    def.simd = threads > 1 ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
    random_state = 11;
    pulled p = {.world = world_from(&def), .mesh = mesh_of_kind(kind, 14)};
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = p.mesh;
    cloth.self_collision = true;
    cloth.tearing = (pli_tearing){.stretch = 1.25f, .force = INFINITY, .max_tears = 3};
    must(pli_deformable_create(p.world, &cloth, &p.cloth, &problem));
    for (int32_t i = 0; i < MODELS; i++)
        tune(p.world, constrain(p.world, p.cloth, models[i], NULL), "compliance", i == 0 ? 1e-7 : 1e-3);
    const pli_topology *t = pli_mesh_topology(p.mesh);
    int32_t *ends = malloc(sizeof *ends * (size_t)t->vertex_count);
    for (int32_t k = 0; k < 2; k++) {
        pli_attachment_def hold = pli_attachment_def_default();
        for (int32_t v = 0; v < t->vertex_count; v++)
            if (k ? t->positions[3 * v] > 0.26f : t->positions[3 * v] < -0.26f)
                ends[hold.particle_count++] = v;
        hold.deformable = p.cloth, hold.particles = ends, hold.fixed = k == 0;
        must(pli_attachment_create(p.world, &hold, &p.ends[k], &problem));
    }
    free(ends);
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.2f, ball.pose.position.y = -0.25f;
    pli_collider collider;
    must(pli_collider_create(p.world, &ball, &collider, &problem));
    return p;
}

static void torn_worlds_are_saved_and_go_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int32_t round = 0; round < 6; round += shortened() ? 3 : 1) {
        pli_order order = round % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        const int32_t kinds[] = {1, 2, 4};
        pulled a = furnished(order, 1, kinds[round / 2]), twin = furnished(order, 3, kinds[round / 2]);
        int32_t whole = pli_mesh_topology(a.mesh)->vertex_count;
        saved start = save(a.world);
        pull(&a, 2);
        saved middle = save(a.world);
        int32_t torn = pli_deformable_positions(a.world, a.cloth).count;
        pull(&a, 13);
        uint64_t end = pli_world_hash(a.world);
        int32_t more = pli_deformable_positions(a.world, a.cloth).count;
        holds(torn > whole && more > torn, "%d, %d and %d vertices", (int)whole, (int)torn, (int)more);
        restore(a.world, &middle);
        pull(&a, 13);
        holds(pli_world_hash(a.world) == end, "the same world, less torn");
        restore(twin.world, &middle);
        pull(&twin, 13);
        holds(pli_world_hash(twin.world) == end, "a twin that never tore");
        restore(a.world, &start);
        holds(pli_deformable_positions(a.world, a.cloth).count == whole, "whole again");
        pull(&a, 15);
        holds(pli_world_hash(a.world) == end, "from the start");
        saved again = save(a.world), other = save(twin.world);
        holds(again.size == other.size && memcmp(again.bytes, other.bytes, again.size) == 0, "the same bytes");
        for (int32_t i = 0; i < pli_world_constraints_count(a.world); i++)
            check_colours(a.world, pli_world_constraints_at(a.world, i));
        const saved *all[] = {&start, &middle, &again, &other};
        for (int32_t i = 0; i < COUNT_OF(all); i++)
            free(all[i]->bytes);
        let_go(&a);
        let_go(&twin);
    }
}

static void cuts_by_hand_are_saved_too(void **state)
{
    (void)state;
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    pli_world *worlds[2];
    pli_deformable cloths[2];
    pli_mesh *mesh;
    for (int32_t i = 0; i < 2; i++) {
        worlds[i] = world_from(&def);
        balloons(worlds[i], &cloths[i], &mesh);
        pli_mesh_destroy(mesh);
    }
    saved whole = save(worlds[0]);
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){0, 1, 0}, cut.reach = 0.25f;
    must(pli_deformable_cut(worlds[0], cloths[0], &cut, NULL, &problem));
    saved open = save(worlds[0]);
    restore(worlds[1], &open);
    for (int32_t i = 0; i < 2; i++)
        for (int32_t k = 0; k < 5; k++)
            step(worlds[i], 1.0 / 60.0);
    holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "both go on alike");
    pli_world_destroy(worlds[1]);
    worlds[1] = world_from(&def);
    balloons(worlds[1], &cloths[1], &mesh);
    pli_mesh_destroy(mesh);
    restore(worlds[0], &whole);
    for (int32_t k = 0; k < 5; k++) {
        step(worlds[0], 1.0 / 60.0), step(worlds[1], 1.0 / 60.0);
        holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "whole again, %d steps later", (int)k);
    }
    // A list of the host's is changed by cuts for good.
    const int32_t pairs[4] = {0, 1, 1, 2};
    constrain_list(worlds[1], cloths[1], "distance", pairs, 2);
    saved listed = save(worlds[1]);
    must(pli_deformable_cut(worlds[1], cloths[1], &cut, NULL, &problem));
    uint64_t hash = pli_world_hash(worlds[1]);
    holds(pli_world_snapshot_read(worlds[1], listed.bytes, listed.size, &problem) == PLI_STATUS_CORRUPT &&
              strstr(problem.message, "whole") != NULL,
          "%.150s", problem.message);
    holds(pli_world_hash(worlds[1]) == hash, "nothing changed");
    free(listed.bytes);
    free(whole.bytes);
    free(open.bytes);
    for (int32_t i = 0; i < 2; i++)
        pli_world_destroy(worlds[i]);
}

// Bytes that were changed on purpose, checksum and all, are refused or lead to some sound world.
static void damaged_snapshots_do_no_harm(void **state)
{
    (void)state;
    pulled p = furnished(PLI_ORDER_COLOURED, 1, 1);
    pull(&p, 8);
    saved good = save(p.world);
    unsigned char *bytes = malloc(good.size);
    int32_t refusals = 0, damages = shortened() ? 150 : 400;
    for (int32_t round = 0; round < damages; round++) {
        memcpy(bytes, good.bytes, good.size);
        size_t at = (size_t)uniform(0, (double)good.size - 9), size = round % 8 ? good.size : good.size - at / 2;
        bytes[at] = (unsigned char)(round % 3 ? random_bits() : 0xff);
        if (round % 5 == 0)
            memset(bytes + at, 0xff, at + 4 < good.size - 8 ? 4 : 1);
        uint64_t checksum = pli_hash_bytes(PLI_HASH_START, bytes, size - 8);
        for (int32_t k = 0; k < 8; k++)
            bytes[size - 8 + (size_t)k] = (unsigned char)(checksum >> (8 * k));
        uint64_t before = pli_world_hash(p.world);
        pli_status status = pli_world_snapshot_read(p.world, bytes, size, &problem);
        holds(status == PLI_STATUS_OK || status == PLI_STATUS_CORRUPT, "%s", pli_status_name(status));
        holds(status == PLI_STATUS_OK || pli_world_hash(p.world) == before, "nothing changed");
        refusals += status != PLI_STATUS_OK;
        pli_world_step(p.world, 1e-3f, NULL);
        // Each for itself: particles thrown about by one would cost the next.
        restore(p.world, &good);
    }
    holds(refusals > damages / 8, "%d refused", (int)refusals);
    free(good.bytes);
    free(bytes);
    let_go(&p);
}

/* ---- memory that runs out ---------------------------------------------------------------------- */

typedef struct meter {
    int64_t calls, fail_at, live;
} meter;

static void *measured_allocate(void *user, size_t size, size_t alignment)
{
    meter *m = user;
    if (m->calls++ == m->fail_at)
        return NULL;
    m->live++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void measured_release(void *user, void *memory, size_t size)
{
    meter *m = user;
    (void)size;
    m->live--;
    free(memory);
}

// Cuts, then saves and restores; a refusal is told and leaves the world as it was.
static pli_status cut_and_save(pli_world *world, pli_deformable cloth, const meter *m)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1.0f, 0.0f, 0.3f};
    uint64_t before = pli_world_hash(world);
    pli_status status = pli_deformable_cut(world, cloth, &cut, NULL, &problem);
    holds(!status || pli_world_hash(world) == before, "request %lld refused: the cut changed something",
          (long long)m->fail_at);
    if (status)
        return status;
    size_t size = pli_world_snapshot_size(world);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    status = pli_world_step(world, 1e-3f, &problem);
    before = pli_world_hash(world);
    if (!status)
        status = pli_world_snapshot_read(world, bytes, size, &problem);
    holds(!status || pli_world_hash(world) == before, "request %lld refused: reading changed something",
          (long long)m->fail_at);
    free(bytes);
    return status;
}

static void cuts_without_memory_change_nothing(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_DIAGONAL);
    const char *const types[] = {"distance", "ring_laplacian"};
    bool finished = false;
    int64_t n = 0;
    for (; !finished && n < 2000; n++) {
        meter m = {.fail_at = -1};
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        def.hooks.allocate = measured_allocate, def.hooks.release = measured_release, def.hooks.user = &m;
        pli_world *world = world_from(&def);
        pli_deformable_def cloth_def = pli_deformable_def_default();
        cloth_def.mesh = mesh, cloth_def.self_collision = true;
        pli_deformable cloth;
        must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
        for (int32_t i = 0; i < 2; i++)
            constrain(world, cloth, types[i], NULL);
        step(world, 1e-3);
        m.calls = 0, m.fail_at = n;
        pli_status status = cut_and_save(world, cloth, &m);
        holds(status == PLI_STATUS_OK || status == PLI_STATUS_OUT_OF_MEMORY, "%s", pli_status_name(status));
        finished = m.calls <= n;
        m.fail_at = -1;
        // The world is whole: it is cut and goes on.
        must(cut_and_save(world, cloth, &m));
        check_set(world, cloth, pli_world_constraints_at(world, 0));
        pli_world_destroy(world);
        near((double)m.live, 0.0, 0.0, "blocks left after request %lld was refused", (long long)n);
    }
    holds(n > 60 && finished, "%lld requests", (long long)n);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(torn_worlds_are_saved_and_go_on_to_the_same_bits),
        property(cuts_by_hand_are_saved_too),
        property(damaged_snapshots_do_no_harm),
        property(cuts_without_memory_change_nothing),
    };
    return cmocka_run_group_tests_name("torn state", tests, NULL, NULL);
}
