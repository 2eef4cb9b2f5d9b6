// Tiles change no bit: against the same worlds on one thread, which has none below their size; and what is in a tile comes before what is in
// none, colour by colour, which the order of every particle's constraints depends on.
#include "scenery.h"

#include "model/handles.h"

enum { SIDE = 72 };

static const char *const types[] = {"distance", "isometric", "dihedral", "triangle_signed", NULL};

// A sheet whose squares are divided by one diagonal or the other at random, numbered at random.
static pli_mesh *mesh_uneven(void)
{
    enum { COUNT = SIDE * SIDE, FACES = 2 * (SIDE - 1) * (SIDE - 1) };
    int32_t *faces = malloc(sizeof *faces * 3 * FACES), *sizes = malloc(sizeof *sizes * FACES), *at = faces;
    int32_t *numbers = malloc(sizeof *numbers * COUNT);
    float *positions = malloc(3 * sizeof *positions * COUNT);
    random_state = 5;
    for (int32_t i = 0; i < COUNT; i++) {
        int32_t other = below(i + 1);
        numbers[i] = numbers[other], numbers[other] = i;
    }
    for (int32_t i = 0; i < COUNT; i++) {
        float *p = positions + 3 * numbers[i];
        p[0] = 0.02f * (float)(i % SIDE), p[1] = 0.0f, p[2] = 0.02f * (float)(i / SIDE);
    }
    for (int32_t square = 0; square < FACES / 2; square++) {
        const int32_t a = square / (SIDE - 1) * SIDE + square % (SIDE - 1), b = a + 1, c = b + SIDE, d = a + SIDE;
        const int32_t one[6] = {a, d, c, a, c, b}, other[6] = {a, d, b, b, d, c};
        const int32_t *corners = below(2) ? one : other;
        for (int32_t k = 0; k < 6; k++)
            *at++ = numbers[corners[k]];
    }
    for (int32_t i = 0; i < FACES; i++)
        sizes[i] = 3;
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh;
    def.positions = positions, def.vertex_count = COUNT;
    def.face_sizes = sizes, def.face_vertices = faces, def.face_count = FACES;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(faces), free(numbers), free(positions), free(sizes);
    return mesh;
}

typedef struct making {
    pli_mesh *mesh;
    int32_t threads;
    pli_simd simd;
    pli_sweeps sweeps;
    const void *cooked;
    size_t size;
} making;

static pli_world *make(const making *m)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = PLI_ORDER_COLOURED, def.thread_count = m->threads, def.simd = m->simd;
    def.settings.sweeps = m->sweeps, def.settings.iterations = 2;
    pli_world *world = world_from(&def);
    pli_deformable disc = deform(world, m->mesh, NULL);
    random_state = 9;
    scatter(world, disc, 0.004);
    if (m->cooked)
        must(pli_world_set_cooked(world, m->cooked, m->size, &problem));
    assert_int_equal(constrain_with(world, disc, types, true), COUNT_OF(types) - 1);
    return world;
}

static const pli_constraints_data *set_at(const pli_world *world, int32_t i)
{
    return pli_constraints_get(world, pli_world_constraints_at(world, i), &problem);
}

static void bits_are_those_without_tiles(void **state)
{
    (void)state;
    making m = {.mesh = mesh_uneven()};
    for (int32_t sweeps = 0; sweeps < 2; sweeps++) {
        uint64_t expected = 0;
        for (int32_t run = 0; run < 3; run++) {
            m.sweeps = (pli_sweeps)sweeps, m.threads = run > 0 ? 2 : 1;
            m.simd = run < 2 ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
            pli_world *world = make(&m);
            for (int32_t i = 0; i < COUNT_OF(types) - 1; i++)
                holds((set_at(world, i)->tiles != NULL) == (m.threads > 1), "%s, %d threads", types[i], m.threads);
            step(world, 0.01);
            expected = run == 0 ? pli_world_hash(world) : expected;
            holds(pli_world_hash(world) == expected, "sweeps %d, run %d: other bits", sweeps, run);
            pli_world_destroy(world);
        }
    }
    pli_mesh_destroy(m.mesh);
}

static void what_is_cooked_in_tiles_serves_without(void **state)
{
    (void)state;
    making m = {.mesh = mesh_uneven(), .threads = 2};
    pli_world *world = make(&m);
    m.size = pli_world_cooked_size(world);
    void *bytes = malloc(m.size);
    must(pli_world_cooked_write(world, bytes, m.size, &problem));
    step(world, 0.01);
    const uint64_t expected = pli_world_hash(world);
    pli_world_destroy(world);
    m.cooked = bytes;
    for (m.threads = 1; m.threads <= 2; m.threads++) {
        world = make(&m);
        step(world, 0.01);
        holds(pli_world_hash(world) == expected, "%d threads: other bits", m.threads);
        pli_world_destroy(world);
    }
    free(bytes);
    pli_mesh_destroy(m.mesh);
}

static int32_t particle_of(const pli_constraints_data *set, int32_t k, int32_t slot)
{
    return (int32_t)pli_index_place(set->index[k][slot]);
}

// Goes through the slots of a colour: particles have one tile, and until a constraint of none has moved them. Returns how many are in tiles.
static int32_t check_colour(const pli_constraints_data *set, int32_t colour, int32_t *tile_of)
{
    const int32_t *starts = set->tiles + colour * (set->tile_count + 1);
    const int32_t end = set->colour_offsets[colour] + set->colour_sizes[colour];
    assert_int_equal(starts[0], set->colour_offsets[colour]);
    for (int32_t t = 0; t < set->tile_count; t++)
        for (int32_t slot = starts[t]; slot < starts[t + 1]; slot++)
            for (int32_t k = 0; k < set->type->cardinality; k++) {
                int32_t *tile = &tile_of[particle_of(set, k, slot)];
                holds(*tile == 0 || *tile == t + 1, "%s, slot %d: tile %d and %d", set->type->name, slot, *tile, t + 1);
                *tile = t + 1;
            }
    for (int32_t slot = starts[set->tile_count]; slot < end; slot++)
        for (int32_t k = 0; k < set->type->cardinality; k++)
            tile_of[particle_of(set, k, slot)] = -1;
    for (int32_t t = 0; t <= set->tile_count; t++)
        assert_int_equal((starts[t] - starts[0]) % PLI_BATCH, 0);
    return starts[set->tile_count] - starts[0];
}

static void particles_keep_the_order_of_their_constraints(void **state)
{
    (void)state;
    making m = {.mesh = mesh_uneven(), .threads = 2};
    pli_world *world = make(&m);
    for (int32_t i = 0; i < COUNT_OF(types) - 1; i++) {
        const pli_constraints_data *set = set_at(world, i);
        int32_t inside = 0, *tile_of = calloc((size_t)set->deformable->count + 1, sizeof *tile_of);
        for (int32_t colour = 0; colour < set->colour_count; colour++)
            inside += check_colour(set, colour, tile_of);
        holds(inside > set->count / 2, "%s: %d of %d are in tiles", types[i], inside, set->count);
        free(tile_of);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(m.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(bits_are_those_without_tiles),
        property(what_is_cooked_in_tiles_serves_without),
        property(particles_keep_the_order_of_their_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
