// Constraints whose particles lie one after the other are loaded and stored four at a time: the same bits as one by
// one, and found wherever a mesh is regular, however its vertices are numbered.
#include "scenery.h"

#include "model/handles.h"
#include "model/model.h"
#include "sweep/constraint_slots.h"
#include "sweep/contiguous_batches.h"
#include "sweep/line_order.h"

enum { LEVEL = 5, TYPES = 4 };
static const char *const types[TYPES] = {"distance", "triangle", "isometric", "dihedral"};

static pli_world *world_of(const pli_mesh *mesh, pli_simd simd, int32_t threads, double compliance)
{
    const pli_parameter_value soft[] = {{"compliance", compliance}, {"damping", compliance}};
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = PLI_ORDER_COLOURED, def.simd = simd, def.thread_count = threads;
    def.settings.iterations = 3;
    pli_world *world = world_from(&def);
    pli_deformable deformable = deform(world, mesh, NULL);
    random_state = 5;
    scatter(world, deformable, 1e-3);
    for (int32_t i = 0; i < TYPES; i++) {
        pli_constraints set;
        pli_constraints_def made = pli_constraints_def_default();
        made.deformable = deformable, made.type = types[i];
        made.parameters = soft, made.parameter_count = compliance > 0.0 ? 2 : 0;
        must(pli_constraints_create(world, &made, &set, &problem));
    }
    return world;
}

static pli_constraints_data *set_of(const pli_world *world, int32_t i)
{
    return pli_constraints_get(world, pli_world_constraints_at(world, i), NULL);
}

// Every width with them gives what the scalar back end gives, and so does each without.
static void quartets_give_the_same_bits(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    for (int32_t soft = 0; soft < 2; soft++) {
        uint64_t expected = 0;
        for (int32_t simd = PLI_SIMD_SCALAR; simd < 2 * PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)(simd % PLI_SIMD_COUNT)) || simd == PLI_SIMD_COUNT)
                continue;
            pli_world *world = world_of(mesh, (pli_simd)(simd % PLI_SIMD_COUNT), 1 + simd % 3, soft * 1e-4);
            for (int32_t i = 0; i < TYPES && simd >= PLI_SIMD_COUNT; i++)
                memset(set_of(world, i)->contiguous_batches, 0, (size_t)(set_of(world, i)->slot_count / PLI_BATCH));
            step(world, 1.0 / 60.0);
            uint64_t hash = pli_world_hash(world);
            expected = simd == PLI_SIMD_SCALAR ? hash : expected;
            holds(hash == expected, "%s, %s contiguous batches: %016llx, scalar %016llx",
                  pli_choice_name("simd", (int32_t)(pli_simd)(simd % PLI_SIMD_COUNT)),
                  simd >= PLI_SIMD_COUNT ? "without" : "with", (unsigned long long)hash, (unsigned long long)expected);
            pli_world_destroy(world);
        }
    }
    pli_mesh_destroy(mesh);
}

// A batch is marked where its particles can be loaded four at a time, and only there; most are.
static void regular_meshes_come_in_quartets(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    pli_world *world = world_of(mesh, PLI_SIMD_AUTO, 1, 0.0);
    for (int32_t i = 0; i < TYPES; i++) {
        const pli_constraints_data *set = set_of(world, i);
        int32_t batches = set->slot_count / PLI_BATCH, marked = 0;
        for (int32_t b = 0; b < batches; b++) {
            bool together = true;
            for (int32_t k = 0; k < set->type->cardinality; k++)
                for (int32_t q = 0; q < 4; q++)
                    for (int32_t j = 1; j < 4; j++) {
                        const pli_index *index = set->index[k] + b * PLI_BATCH + q;
                        together = together && pli_index_place(index[4 * j]) == pli_index_place(index[0]) + j;
                    }
            holds(set->contiguous_batches[b] == together, "%s: batch %d is marked %d", types[i], b,
                  set->contiguous_batches[b]);
            marked += together;
        }
        holds(marked > 0.7 * batches, "%s: %d of %d batches", types[i], marked, batches);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// Stencils keep their particles, whichever way round they are turned.
static void constraints_stay_where_they_were_made(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(LEVEL, 0.0);
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_world *world = world_of(mesh, PLI_SIMD_AUTO, 1, 0.0);
    for (int32_t i = 0; i < TYPES; i += 3) {
        const pli_constraints_data *set = set_of(world, i);
        const int32_t *made = i == 0 ? t->edges : t->hinges;
        for (int32_t c = 0; c < set->count; c++) {
            int32_t found[PLI_CARDINALITY_MAX], n = set->type->cardinality;
            const int32_t *places;
            pli_constraints_particles(set, c, &places, found);
            bool turned = pli_vertex(set->deformable, found[0]) != made[n * c];
            for (int32_t k = 0; k < n; k++)
                holds(pli_vertex(set->deformable, found[k]) == made[n * c + (turned ? k ^ 1 : k)],
                      "%s %d: particle %d is vertex %d", types[i], c, k, pli_vertex(set->deformable, found[k]));
        }
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void lines_take_every_place_once(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(&(pli_hooks){0});
    pli_mesh *mesh = mesh_ball(4, 0.2);
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t *along = calloc((size_t)t->vertex_count, sizeof *along),
            *order = calloc((size_t)t->vertex_count, sizeof *order);
    int32_t *hits = calloc((size_t)t->vertex_count, sizeof *hits);
    for (int32_t v = 0; v < t->vertex_count; v++)
        along[v] = t->vertex_count - 1 - v;
    double share = pli_line_order(&memory, t, along, order);
    holds(share >= 0.0 && share <= 1.0, "share %g", share);
    for (int32_t v = 0; v < t->vertex_count; v++)
        hits[order[v]]++;
    for (int32_t v = 0; v < t->vertex_count; v++)
        holds(hits[v] == 1, "%d vertices at place %d", hits[v], v);
    free(along);
    free(order);
    free(hits);
    pli_mesh_destroy(mesh);
}

// Random pairs are made into disjoint contiguous batches, one place on each, that share no particle.
static void contiguous_batches_share_nothing(void **state)
{
    (void)state;
    enum { COUNT = 12000, PARTICLES = 4000 };
    pli_memory memory = pli_memory_make(&(pli_hooks){0});
    int32_t *pairs = calloc(2 * COUNT, sizeof *pairs), owners[COUNT] = {0}, found = 0;
    random_state = 9;
    for (int32_t i = 0; i < COUNT; i++) {
        pairs[2 * i] = (int32_t)((int64_t)i * (PARTICLES - 40) / COUNT);
        pairs[2 * i + 1] = pairs[2 * i] + 2 + (int32_t)uniform(0.0, 3.9);
    }
    pli_contiguous_batches q;
    assert_true(pli_contiguous_batches_find(&memory, pairs, 2, COUNT, PARTICLES, &q));
    for (int32_t i = 0; i < COUNT; i++) {
        if (q.part[i] != PLI_CONTIGUOUS_BATCH_FIRST)
            continue;
        found++;
        int32_t width = pairs[2 * i + 1] - pairs[2 * i];
        holds(width >= 4, "a batch of pairs %d apart", width);
        for (int32_t j = 0, v = i; j < 4; v = q.next[v], j++) {
            holds(pairs[2 * v] == pairs[2 * i] + j && pairs[2 * v + 1] == pairs[2 * i + 1] + j, "pair %d of %d", j, i);
            holds(q.part[v] == (j == 0 ? PLI_CONTIGUOUS_BATCH_FIRST : PLI_CONTIGUOUS_BATCH_OTHER) && owners[v]++ == 0,
                  "pair %d twice", v);
        }
    }
    holds(found > 100, "%d contiguous batches", found);
    pli_contiguous_batches_release(&memory, &q);
    assert_int_equal(memory.bytes, 0);
    free(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(quartets_give_the_same_bits),           property(regular_meshes_come_in_quartets),
        property(constraints_stay_where_they_were_made), property(lines_take_every_place_once),
        property(contiguous_batches_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
