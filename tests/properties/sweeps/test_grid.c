// Grids: found whatever their numbering, shared out so that nothing collides, and the same results as one constraint
// after the other.
#include "scenery.h"

#include "model/backends/backend_kernels.h"
#include "constraints/registry.h"
#include "sweep/grid/grid_sweep.h"
#include "mesh/grid_detect.h"
#include "model/model.h"
#include "sweep/constraint_slots.h"
#include "sweep/grid_give_up.h"
#include "sweep/sweep.h"

#include <limits.h>

static const pli_grid_pattern patterns[] = {PLI_GRID_QUADS, PLI_GRID_DIAGONAL, PLI_GRID_ALTERNATING};

/* ---- found ------------------------------------------------------------------------------------- */

// The same mesh with its vertices in another order, and one face less when `without` is one of them.
static pli_mesh *renumbered(const pli_mesh *mesh, bool shuffled, int32_t without)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t n = t->vertex_count, faces = 0, corners = 0;
    int32_t *number = malloc(sizeof *number * (size_t)n), *sizes = malloc(sizeof *sizes * (size_t)t->face_count);
    int32_t *vertices = malloc(sizeof *vertices * (size_t)t->corner_count);
    float *positions = malloc(sizeof *positions * 3 * (size_t)n);
    for (int32_t i = 0; i < n; i++)
        number[i] = i;
    for (int32_t i = n - 1; shuffled && i > 0; i--) {
        int32_t j = (int32_t)uniform(0.0, (double)i + 0.999), swap = number[i];
        number[i] = number[j], number[j] = swap;
    }
    for (int32_t i = 0; i < 3 * n; i++)
        positions[3 * number[i / 3] + i % 3] = t->positions[i];
    for (int32_t f = 0; f < t->face_count; f++) {
        if (f == without)
            continue;
        sizes[faces++] = t->face_offsets[f + 1] - t->face_offsets[f];
        for (int32_t c = t->face_offsets[f]; c < t->face_offsets[f + 1]; c++)
            vertices[corners++] = number[t->face_vertices[c]];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = n;
    def.face_vertices = vertices, def.face_sizes = sizes, def.face_count = faces;
    pli_mesh *made;
    must(pli_mesh_create(&def, &made, &problem));
    free(number), free(sizes), free(vertices), free(positions);
    return made;
}

// Whether the tensor's places are a grid, from the mesh's edges alone.
static void check_tensor(const pli_mesh *mesh, const pli_tensor *tensor, int32_t columns, int32_t rows)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    bool as_made = tensor->columns == columns && tensor->rows == rows;
    holds(as_made || (tensor->columns == rows && tensor->rows == columns), "%d x %d found, %d x %d made",
          tensor->columns, tensor->rows, columns, rows);
    uint8_t *taken = calloc((size_t)t->vertex_count, 1);
    int32_t straight = 0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        taken[tensor->order ? tensor->order[v] : v]++;
    for (int32_t v = 0; v < t->vertex_count; v++)
        holds(taken[v] == 1, "place %d is taken %d times", v, taken[v]);
    for (int32_t e = 0; e < t->edge_count; e++) {
        int32_t a = t->edges[2 * e], b = t->edges[2 * e + 1];
        a = tensor->order ? tensor->order[a] : a, b = tensor->order ? tensor->order[b] : b;
        int32_t down = abs(a / tensor->columns - b / tensor->columns);
        int32_t across = abs(a % tensor->columns - b % tensor->columns);
        holds(down <= 1 && across <= 1, "edge %d goes %d down and %d across", e, down, across);
        straight += down + across == 1;
    }
    near((double)straight, (double)(rows * (columns - 1) + columns * (rows - 1)), 0.0, "straight edges");
    free(taken);
}

static void grids_are_found(void **state)
{
    (void)state;
    random_state = 3;
    pli_memory memory = pli_memory_make(NULL);
    for (int32_t i = 0; i < 2 * COUNT_OF(patterns); i++) {
        pli_mesh *grid = mesh_grid(23, 17, 1.0, patterns[i / 2]), *mesh = renumbered(grid, i % 2, -1);
        pli_tensor tensor;
        assert_true(pli_tensor_find(&memory, pli_mesh_topology(mesh), &tensor));
        check_tensor(mesh, &tensor, 23, 17);
        holds((tensor.order != NULL) == (i % 2 == 1), "case %d: the order is given", i);
        pli_release(&memory, tensor.order);
        pli_mesh_destroy(mesh);
        pli_mesh_destroy(grid);
    }
}

static void what_is_no_grid_is_none(void **state)
{
    (void)state;
    random_state = 4;
    pli_memory memory = pli_memory_make(NULL);
    pli_mesh *grid = mesh_grid(20, 16, 1.0, PLI_GRID_DIAGONAL);
    pli_mesh *meshes[] = {mesh_ball(3, 0.0),
                          mesh_fan(9),
                          renumbered(grid, false, 0),
                          renumbered(grid, true, 0),
                          renumbered(grid, false, 200),
                          renumbered(grid, true, 200)};
    for (int32_t i = 0; i < COUNT_OF(meshes); i++) {
        pli_tensor tensor;
        assert_true(pli_tensor_find(&memory, pli_mesh_topology(meshes[i]), &tensor));
        // A corner without its triangle is a grid with a diagonal that is missing only if no straight edge went with it.
        holds(tensor.rows == 0 && !tensor.order, "mesh %d was taken for %d x %d", i, tensor.columns, tensor.rows);
        pli_mesh_destroy(meshes[i]);
    }
    pli_mesh_destroy(grid);
}

/* ---- shared out -------------------------------------------------------------------------------- */

static pli_world *grid_world(int32_t columns, int32_t rows, pli_grid_pattern pattern, int32_t threads, pli_simd simd)
{
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads;
    def.simd = simd;
    pli_world *world = world_from(&def);
    random_state = 11;
    pli_deformable deformable = scattered_sheet(world, columns, rows, pattern);
    constrain_with_all(world, deformable, true);
    const int32_t corners[2] = {0, columns - 1};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = deformable, hold.particles = corners, hold.particle_count = 2;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    return world;
}

static pli_constraints_data *set_of(pli_world *world, int32_t i)
{
    return (pli_constraints_data *)(void *)world->sets.items[i];
}

// Marks the particles of runs begin..end-1 with `mark`; counts those that another mark above `above` has.
static int32_t mark_runs(const pli_constraints_data *set, int32_t begin, int32_t end, int32_t *marks, int32_t mark,
                         int32_t above, uint8_t *seen)
{
    int32_t clashes = 0;
    for (int32_t r = begin; r < end; r++) {
        for (int32_t slot = set->runs[r].slot; slot < set->runs[r].slot + set->runs[r].count; slot++) {
            int32_t places[PLI_CARDINALITY_MAX];
            pli_constraints_slot_particles(set, slot, places);
            seen[slot]++;
            for (int32_t k = 0; k < set->type->cardinality; k++) {
                int32_t *own = &marks[places[k]];
                clashes += *own > above && *own != mark;
                *own = mark;
            }
        }
    }
    return clashes;
}

// In a run no two constraints, and in a phase no two blocks, may share a particle; each constraint is in one run.
static void check_sharing(const pli_constraints_data *set)
{
    int32_t *marks = calloc((size_t)set->deformable->count + 1, sizeof *marks), mark = 0;
    uint8_t *seen = calloc((size_t)set->count, 1);
    for (int32_t r = 0; r < set->run_offsets[2 * set->block_count]; r++) {
        int32_t above = mark;
        for (int32_t slot = set->runs[r].slot; slot < set->runs[r].slot + set->runs[r].count; slot++) {
            int32_t places[PLI_CARDINALITY_MAX];
            pli_constraints_slot_particles(set, slot, places);
            mark++;
            for (int32_t k = 0; k < set->type->cardinality; k++) {
                int32_t *own = &marks[places[k]];
                holds(*own <= above || *own == mark, "%s: run %d uses a particle twice", set->name, r);
                *own = mark;
            }
        }
    }
    for (int32_t phase = 0; phase < 2; phase++) {
        int32_t above = mark;
        for (int32_t b = phase * set->block_count; b < (phase + 1) * set->block_count; b++)
            near(mark_runs(set, set->run_offsets[b], set->run_offsets[b + 1], marks, ++mark, above, seen), 0.0, 0.0,
                 "%s: particles that blocks of phase %d share", set->name, phase);
    }
    for (int32_t i = 0; i < set->count; i++)
        holds(seen[i] == 1, "%s: constraint %d is in %d runs", set->name, i, seen[i]);
    free(marks), free(seen);
}

static void blocks_and_runs_share_nothing(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(patterns); i++) {
        pli_world *world = grid_world(37 + i, 71, patterns[i], 1, PLI_SIMD_AUTO);
        int32_t in_runs = 0;
        for (int32_t s = 0; s < world->sets.count; s++) {
            if (!set_of(world, s)->runs)
                continue;
            in_runs++;
            check_sharing(set_of(world, s));
        }
        holds(in_runs >= 7, "pattern %d: only %d sets go by runs", i, in_runs);
        pli_world_destroy(world);
    }
}

// The constraints that are read back are those that generators make, one by one, though sets keep no lists of them.
static void constraints_are_what_was_generated(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(patterns); i++) {
        pli_world *world = grid_world(37 + i, 71, patterns[i], 2, PLI_SIMD_AUTO);
        int32_t in_runs = 0;
        for (int32_t s = 0; s < world->sets.count; s++) {
            const pli_constraints_data *set = set_of(world, s);
            pli_stencils made;
            if (!set->runs)
                continue;
            in_runs++;
            must(pli_stencils_generate(set->deformable->mesh, set->generator, &made, &problem));
            near((double)set->count, (double)(made.count - set->degenerate_count), 0.0, "%s", set->name);
            for (int32_t c = 0; c < set->count; c++) {
                int32_t found[PLI_CARDINALITY_MAX], n;
                must(pli_constraints_stencil(world, (pli_constraints){set->id, world->tag}, c, found, &n, NULL, NULL,
                                             &problem));
                holds(n == made.cardinality && memcmp(found, made.particles + c * n, sizeof *found * (size_t)n) == 0,
                      "%s: constraint %d is between %d and %d...", set->name, c, found[0], found[1]);
                holds(!set->index[0], "%s keeps lists", set->name);
            }
            pli_stencils_release(&made);
        }
        holds(in_runs >= 7, "pattern %d: only %d sets go by runs", i, in_runs);
        pli_world_destroy(world);
    }
}

/* ---- the same as one by one -------------------------------------------------------------------- */

// Index lists of a set that goes by runs, which has none of its own.
static void list_particles(const pli_constraints_data *set, pli_index *lists[PLI_CARDINALITY_MAX])
{
    for (int32_t k = 0; k < set->type->cardinality; k++)
        lists[k] = malloc((size_t)set->count * sizeof *lists[k]);
    for (int32_t slot = 0; slot < set->count; slot++) {
        int32_t places[PLI_CARDINALITY_MAX];
        pli_constraints_slot_particles(set, slot, places);
        for (int32_t k = 0; k < set->type->cardinality; k++)
            lists[k][slot] = pli_index_of(places[k]);
    }
}

static void runs_give_what_one_after_the_other_does(void **state)
{
    (void)state;
    pli_world *world = grid_world(45, 40, PLI_GRID_DIAGONAL, 2, PLI_SIMD_AUTO);
    pli_deformable_data *deformable = (pli_deformable_data *)(void *)world->deformables.items[0];
    pli_particle *before = malloc(sizeof *before * (size_t)deformable->count),
                 *runs = malloc(sizeof *runs * (size_t)deformable->count);
    memcpy(before, deformable->particles, sizeof *before * (size_t)deformable->count);
    memcpy(deformable->previous, before, sizeof *before * (size_t)deformable->count);
    for (int32_t s = 0; s < world->sets.count; s++) {
        pli_constraints_data *set = set_of(world, s);
        if (!set->runs)
            continue;
        pli_index *lists[PLI_CARDINALITY_MAX] = {NULL};
        list_particles(set, lists);
        for (int32_t way = 0; way < 4; way++) {
            bool kept = way >= 2, backward = way & 1;
            if (kept)
                assert_true(pli_constraints_reserve_multipliers(world, set, true));
            pli_projection p = pli_constraints_projection(world, set, 0.001f, (pli_sweep){true, backward});
            memcpy(deformable->particles, before, sizeof *before * (size_t)deformable->count);
            pli_grid_queue queue = {.world = world, .deformable = deformable};
            pli_grid_enter(&queue);
            pli_grid_sweep(&queue, set, &p);
            pli_grid_leave(&queue);
            memcpy(runs, deformable->particles, sizeof *runs * (size_t)deformable->count);
            memcpy(deformable->particles, before, sizeof *before * (size_t)deformable->count);
            const pli_constraint_row *row =
                pli_kernels_scalar()->types().rows[pli_constraint_type_index(set->type->name)];
            for (int32_t k = 0; k < set->type->cardinality; k++)
                p.index[k] = lists[k];
            row->project(&p, 0, set->count);
            holds(memcmp(runs, deformable->particles, sizeof *runs * (size_t)deformable->count) == 0, "%s: %s%s",
                  set->name, kept ? "with multipliers" : "plain", backward ? ", backward" : "");
            holds(memcmp(runs, before, sizeof *runs * (size_t)deformable->count) != 0, "%s does nothing", set->name);
        }
        for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
            free(lists[k]);
    }
    free(before), free(runs);
    pli_world_destroy(world);
}

/* ---- swept ------------------------------------------------------------------------------------- */

typedef struct sheet {
    int32_t rows, columns, substeps, iterations;
} sheet;

// A host that runs loops itself, from the last item to the first.
static void run_backwards(void *user, int32_t count, pli_task task, void *data)
{
    (void)user;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

// A sheet of every type that goes by runs. One of its attachments moves and turns, the other stays where it is.
static uint64_t hash_of(const sheet *s, pli_world_def def)
{
    def.settings.substeps = s->substeps, def.settings.iterations = s->iterations;
    pli_world *world = world_from(&def);
    random_state = 5;
    pli_deformable deformable = scattered_sheet(world, s->columns, s->rows, PLI_GRID_DIAGONAL);
    constrain_with_all(world, deformable, true);
    for (int32_t i = world->sets.count - 1; i >= 0; i--)
        if (!set_of(world, i)->runs)
            must(pli_constraints_destroy(world, (pli_constraints){set_of(world, i)->id, world->tag}, &problem));
    holds(world->sets.count > 0, "%d x %d: no set goes by runs", s->columns, s->rows);
    const int32_t last = s->rows * s->columns - 1, held[2][2] = {{s->columns - 1, 0}, {last / 2, last}};
    for (int32_t i = 0; i < 2; i++) {
        pli_attachment attachment;
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = deformable, hold.particles = held[i], hold.particle_count = 2;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
    }
    for (int32_t i = 1; i < 4; i++) {
        pli_transform pose = {{0.01f * (float)i, 0.0f, 0.0f},
                              {0.0f, sinf(0.02f * (float)i), 0.0f, cosf(0.02f * (float)i)}};
        must(pli_attachment_set_pose(world, pli_world_attachment_at(world, 1), pose, &problem));
        step(world, 1.0 / 60.0);
    }
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

// Blocks of rows are of all sizes here, and their last rows fewer than a band. The host takes stage after stage; with threads of ours, each
// takes all stages over a range of blocks where that is long enough; above 2000 rows it is with four.
static void threads_and_hosts_do_not_matter(void **state)
{
    (void)state;
    const sheet sheets[] = {{8, 24, 1, 1},  {15, 29, 3, 3},  {31, 40, 4, 1},   {33, 24, 2, 3},  {47, 25, 3, 1},
                            {65, 40, 1, 3}, {100, 63, 2, 2}, {203, 700, 1, 1}, {640, 26, 1, 3}, {2100, 24, 1, 2}};
    for (int32_t i = 0; i < COUNT_OF(sheets); i++) {
        pli_world_def by_turns = pli_world_def_default();
        by_turns.tasks.run = run_backwards;
        uint64_t wanted = hash_of(&sheets[i], by_turns);
        for (int32_t threads = 1; threads <= 4; threads += shortened() ? 2 : 1) {
            pli_world_def def = pli_world_def_default();
            def.thread_count = threads;
            holds(hash_of(&sheets[i], def) == wanted, "%d x %d: with %d threads another state", sheets[i].rows,
                  sheets[i].columns, threads);
        }
    }
}

/* ---- given up ---------------------------------------------------------------------------------- */

static void a_cut_keeps_every_constraint(void **state)
{
    (void)state;
    pli_world *world = grid_world(25, 24, PLI_GRID_DIAGONAL, 1, PLI_SIMD_AUTO);
    pli_deformable_data *deformable = (pli_deformable_data *)(void *)world->deformables.items[0];
    for (int32_t s = 0; s < world->sets.count; s++)
        ((pli_constraints_data *)(void *)world->sets.items[s])->keep_lambda = true;
    step(world, 1.0 / 60.0);
    enum { MOST = 40000 };
    typedef struct known {
        int32_t particles[4];
        float rest[PLI_REST_MAX], lambda[3];
    } known;
    known *before = calloc(MOST, sizeof *before), now;
    for (int32_t round = 0; round < 2; round++) {
        int32_t at = 0;
        for (int32_t s = 0; s < world->sets.count; s++) {
            const pli_constraints_data *set = set_of(world, s);
            for (int32_t i = 0; i < set->count && set->type->cardinality > 0 && at < MOST; i++, at++) {
                now = (known){0};
                must(pli_constraints_stencil(world, (pli_constraints){set->id, world->tag}, i, now.particles, NULL,
                                             now.rest, now.lambda, &problem));
                if (round == 0)
                    before[at] = now;
                holds(memcmp(&before[at], &now, sizeof now) == 0, "%s: constraint %d has changed", set->name, i);
            }
        }
        holds((deformable->grid != NULL) == (round == 0), "round %d: the grid", round);
        if (round == 0)
            assert_true(pli_grid_give_up(world, deformable));
    }
    free(before);
    for (int32_t i = 0; i < 5; i++)
        step(world, 1.0 / 60.0);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(grids_are_found),
        property(what_is_no_grid_is_none),
        property(blocks_and_runs_share_nothing),
        property(constraints_are_what_was_generated),
        property(runs_give_what_one_after_the_other_does),
        property(threads_and_hosts_do_not_matter),
        property(a_cut_keeps_every_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
