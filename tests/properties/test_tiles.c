// Sheets too large for the second-level cache are swept tile by tile: the same bits from all, as near to rest as in the
// order of creation, read back whole, and given up when the sheet is cut.
#include "scenery.h"

#include "solver/schedule.h"
#include "solver/set.h"

enum { LEVEL = 7, TYPES = 2 };
static const char *const types[TYPES] = {"distance", "isometric"};

typedef struct ball {
    pli_world *world;
    pli_deformable body;
    pli_constraint_set sets[TYPES];
} ball;

static ball ball_of(const pli_mesh *mesh, pli_order order, pli_simd simd, int32_t threads)
{
    ball b;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order, def.simd = simd, def.thread_count = threads;
    def.settings.iterations = 4;
    b.world = world_from(&def);
    b.body = deform(b.world, mesh, NULL);
    random_state = 5;
    scatter(b.world, b.body, 1e-4);
    for (int32_t i = 0; i < TYPES; i++)
        b.sets[i] = constrain(b.world, b.body, types[i], NULL);
    return b;
}

static pli_set *set_of(const ball *b, int32_t i) { return pli_set_get(b->world, b->sets[i], NULL); }

static void every_width_and_thread_gives_the_same(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    uint64_t expected = 0;
    for (int32_t simd = 0; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        ball b = ball_of(mesh, PLI_ORDER_COLOURED, (pli_simd)simd, simd % 2 ? 3 : 1);
        for (int32_t i = 0; i < TYPES; i++) {
            pli_constraint_set_info info;
            must(pli_constraint_set_get_info(b.world, b.sets[i], &info, &problem));
            holds(set_of(&b, i)->tile_count > 1, "%d tiles of %s", set_of(&b, i)->tile_count, types[i]);
            holds(info.colour_count < 64, "%d colours of %s after one another", info.colour_count, types[i]);
        }
        step(b.world, 1.0 / 60.0);
        uint64_t hash = pli_world_hash(b.world);
        expected = simd == 0 ? hash : expected;
        holds(hash == expected, "%s: hash %016llx, scalar %016llx", pli_simd_name((pli_simd)simd),
              (unsigned long long)hash, (unsigned long long)expected);
        pli_world_destroy(b.world);
    }
    pli_mesh_destroy(mesh);
}

// Tiles only permute the sweep.
static void the_order_of_creation_is_no_nearer(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    double residuals[2][TYPES];
    for (int32_t order = 0; order < 2; order++) {
        ball b = ball_of(mesh, (pli_order)order, PLI_SIMD_AUTO, 2);
        step(b.world, 1.0 / 60.0);
        for (int32_t i = 0; i < TYPES; i++)
            residuals[order == PLI_ORDER_SEQUENTIAL][i] = residual_of(b.world, b.sets[i]).rms;
        pli_world_destroy(b.world);
    }
    for (int32_t i = 0; i < TYPES; i++)
        holds(residuals[0][i] < 1.1 * residuals[1][i], "%s: residual %g in tiles, %g one after the other", types[i],
              residuals[0][i], residuals[1][i]);
    pli_mesh_destroy(mesh);
}

static unsigned char *cooked_bytes(const ball *b, size_t *size)
{
    *size = pli_world_cooked_size(b->world);
    unsigned char *bytes = malloc(*size);
    must(pli_world_cooked_write(b->world, bytes, *size, &problem));
    return bytes;
}

static pli_status read_set(pli_world *world, pli_deformable body, const unsigned char *bytes, size_t size)
{
    pli_constraint_set made;
    pli_constraint_set_def def = pli_constraint_set_def_default();
    def.deformable = body, def.type = types[0];
    must(pli_world_set_cooked(world, bytes, size, &problem));
    return pli_constraint_set_create(world, &def, &made, &problem);
}

// Tiles that would share particles, or hold what is projected one by one, are refused.
static void tiles_that_clash_are_not_read(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    ball b = ball_of(mesh, PLI_ORDER_COLOURED, PLI_SIMD_AUTO, 1);
    must(pli_constraint_set_destroy(b.world, b.sets[1], &problem));
    pli_set *set = set_of(&b, 0);
    int32_t tiles = set->tile_count, first = set->tile_offsets[1], last = set->tile_offsets[tiles];
    for (int32_t change = 0; change < 4; change++) {
        set->tile_offsets[1] = first + (change == 1);
        set->tile_offsets[tiles] = last + (change == 2);
        set->tile_offsets[0] = change == 3;
        size_t size;
        unsigned char *bytes = cooked_bytes(&b, &size);
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.order = PLI_ORDER_COLOURED;
        pli_world *world = world_from(&def);
        pli_status status = read_set(world, deform(world, mesh, NULL), bytes, size);
        holds(status == (change ? PLI_STATUS_CORRUPT : PLI_STATUS_OK), "change %d: %.150s", change, problem.message);
        pli_world_destroy(world);
        free(bytes);
    }
    set->tile_offsets[0] = 0;
    pli_world_destroy(b.world);
    pli_mesh_destroy(mesh);
}

static void a_cut_gives_tiles_up(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    uint64_t hashes[2];
    for (int32_t i = 0; i < 2; i++) {
        ball b = ball_of(mesh, PLI_ORDER_COLOURED, PLI_SIMD_AUTO, 1 + 2 * i);
        pli_cut_def cut = pli_cut_def_default();
        int32_t copies;
        cut.point = (pli_vec3){0.0f, 0.5f, 0.0f}, cut.normal = (pli_vec3){1.0f, 0.0f, 0.3f}, cut.reach = 0.1f;
        step(b.world, 1e-3);
        must(pli_deformable_cut(b.world, b.body, &cut, &copies, &problem));
        holds(copies > 0 && set_of(&b, 0)->tile_count == 0, "%d copies, %d tiles", copies, set_of(&b, 0)->tile_count);
        step(b.world, 1e-3);
        hashes[i] = pli_world_hash(b.world);
        pli_world_destroy(b.world);
    }
    holds(hashes[0] == hashes[1], "threads matter after a cut");
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(every_width_and_thread_gives_the_same),
        property(the_order_of_creation_is_no_nearer),
        property(tiles_that_clash_are_not_read),
        property(a_cut_gives_tiles_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
