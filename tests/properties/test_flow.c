// Sweeps that follow one another down the rows of a grid: the same bits as one after the other, whatever the threads,
// the widths, the number of rows and what is swept.
#include "scenery.h"

#include "solver/flow.h"

static pli_set *set_of(pli_world *world, int32_t i) { return (pli_set *)(void *)world->sets.items[i]; }

typedef struct sheet {
    int32_t rows, columns, substeps, iterations;
    const char *types[3]; // None: every type that goes by runs.
} sheet;

// A host that runs loops itself, from the last item to the first: there sets are swept one after the other.
static void run_backwards(void *user, int32_t count, pli_task task, void *data)
{
    (void)user;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

static void add_sets(pli_world *world, pli_deformable body, const sheet *s)
{
    if (!s->types[0])
        constrain_with_all(world, body, true);
    for (int32_t i = 0; i < 3 && s->types[i]; i++) {
        pli_constraint_set set;
        pli_constraint_set_def def = pli_constraint_set_def_default();
        def.deformable = body, def.type = s->types[i];
        must(pli_constraint_set_create(world, &def, &set, &problem));
        tune(world, set, "compliance", i == 0 ? 0.0 : 1e-4);
    }
    for (int32_t i = world->sets.count - 1; i >= 0; i--)
        if (!set_of(world, i)->runs)
            must(pli_constraint_set_destroy(world, (pli_constraint_set){set_of(world, i)->id, world->tag}, &problem));
}

static void hold(pli_world *world, pli_deformable body, const int32_t *particles, int32_t count)
{
    pli_attachment attachment;
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = body, def.particles = particles, def.particle_count = count;
    def.pose.position = (pli_vec3){0.3f, 0.1f, -0.2f};
    must(pli_attachment_create(world, &def, &attachment, &problem));
}

static pli_world *hang(const sheet *s, pli_world_def def)
{
    def.settings.substeps = s->substeps, def.settings.iterations = s->iterations;
    pli_world *world = world_from(&def);
    random_state = 5;
    pli_deformable body = scattered_sheet(world, s->columns, s->rows, PLI_GRID_DIAGONAL);
    add_sets(world, body, s);
    const int32_t last = s->rows * s->columns - 1, first[] = {s->columns - 1, 0}, others[] = {last / 2, last, last / 3};
    hold(world, body, first, 2);
    hold(world, body, others, 3);
    return world;
}

// One of what holds it moves and turns, the other stays where it is.
static uint64_t hash_of(const sheet *s, pli_world_def def)
{
    pli_world *world = hang(s, def);
    holds(world->sets.count > 0, "%d x %d: no set goes by runs", s->columns, s->rows);
    for (int32_t i = 1; i < 4; i++) {
        pli_transform pose = {{0.3f + 0.01f * (float)i, 0.1f, -0.2f},
                              {0.0f, sinf(0.02f * (float)i), 0.0f, cosf(0.02f * (float)i)}};
        must(pli_attachment_set_pose(world, pli_world_attachment_at(world, 1), pose, &problem));
        step(world, 1.0 / 60.0);
    }
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void check_sheet(const sheet *s, bool all_widths)
{
    pli_world_def by_turns = pli_world_def_default();
    by_turns.tasks.run = run_backwards;
    uint64_t wanted = hash_of(s, by_turns);
    for (int32_t threads = 1; threads <= 4; threads++) {
        pli_world_def def = pli_world_def_default();
        def.thread_count = threads;
        uint64_t found = hash_of(s, def);
        holds(found == wanted, "%d x %d, %d x %d: with %d threads another state", s->columns, s->rows, s->substeps,
              s->iterations, threads);
    }
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT && all_widths; simd++) {
        pli_world_def def = pli_world_def_default();
        def.simd = (pli_simd)simd, def.thread_count = 2;
        if (!pli_simd_available((pli_simd)simd))
            continue;
        holds(hash_of(s, def) == wanted, "%d x %d: with %s another state", s->columns, s->rows,
              pli_simd_name((pli_simd)simd));
    }
}

static void sweeps_give_what_they_do_by_turns(void **state)
{
    (void)state;
    const int32_t rows[] = {8, 9, 15, 31, 32, 33, 47, 64, 65, 100}, columns[] = {24, 25, 29, 40, 63};
    for (int32_t i = 0; i < COUNT_OF(rows); i++) {
        sheet s = {rows[i], columns[i % COUNT_OF(columns)], 1 + i % 4, 1 + i % 3, {NULL}};
        check_sheet(&s, i % 4 == 3);
    }
}

// More than a core's cache holds: sweeps follow one another, those of several substeps too.
static void they_do_so_where_sweeps_follow_closely(void **state)
{
    (void)state;
    const sheet sheets[] = {{1903, 24, 9, 1, {"distance"}},
                            {1210, 31, 5, 2, {"distance", "triangle"}},
                            {907, 24, 6, 1, {"triangle", "dihedral", "distance"}},
                            {203, 700, 4, 1, {"distance", "isometric"}},
                            {45, 1100, 3, 1, {"distance", "opposite_distance"}}};
    for (int32_t i = 0; i < COUNT_OF(sheets); i++)
        check_sheet(&sheets[i], false);
}

/* ---- steps ------------------------------------------------------------------------------------- */

static bool share_a_row(const pli_set *set, const pli_slot_run *a, const pli_slot_run *b)
{
    int32_t pitch = set->body->grid->pitch;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        for (int32_t j = 0; j < set->type->cardinality; j++)
            if (a->at[k] / pitch == b->at[j] / pitch)
                return true;
    return false;
}

// The place of each run in the order of the steps, each of which keeps to the rows that it names.
static void number_runs(const pli_set *set, int32_t *order)
{
    int32_t next = 0;
    for (int32_t i = 0; i < set->step_count; i++) {
        const pli_flow_step *step = &set->steps[i];
        for (int32_t r = step->begin; r < step->end; r++) {
            holds(order[r] < 0, "%s: run %d is in two steps", set->name, r);
            order[r] = next++;
            for (int32_t k = 0; k < set->type->cardinality; k++) {
                int32_t row = set->runs[r].at[k] / set->body->grid->pitch;
                holds(row >= step->low && row < step->high, "%s: step %d names rows %d to %d and touches %d", set->name,
                      i, step->low, step->high - 1, row);
            }
        }
        for (int32_t later = i + 1; later < set->step_count; later++)
            holds(set->steps[later].low >= step->open, "%s: step %d goes back to row %d behind step %d", set->name,
                  later, set->steps[later].low, i);
    }
    near((double)next, (double)set->run_offsets[2 * set->block_count], 0.0, "%s: runs in steps", set->name);
}

static void steps_keep_the_order_of_what_meets(void **state)
{
    (void)state;
    const sheet sheets[] = {{71, 37, 1, 1, {NULL}}, {33, 1100, 1, 1, {NULL}}};
    for (int32_t i = 0; i < COUNT_OF(sheets); i++) {
        pli_world *world = hang(&sheets[i], pli_world_def_default());
        holds(world->sets.count >= 7, "only %d sets go by runs", world->sets.count);
        for (int32_t s = 0; s < world->sets.count; s++) {
            const pli_set *set = set_of(world, s);
            int32_t count = set->run_offsets[2 * set->block_count];
            int32_t *order = malloc(sizeof *order * (size_t)count);
            for (int32_t r = 0; r < count; r++)
                order[r] = -1;
            number_runs(set, order);
            for (int32_t a = 0; a < count; a++)
                for (int32_t b = a + 1; b < count; b++)
                    holds(order[a] < order[b] || !share_a_row(set, &set->runs[a], &set->runs[b]),
                          "%s: run %d comes behind run %d, with which it shares a row", set->name, a, b);
            free(order);
        }
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(sweeps_give_what_they_do_by_turns),
        property(they_do_so_where_sweeps_follow_closely),
        property(steps_keep_the_order_of_what_meets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
