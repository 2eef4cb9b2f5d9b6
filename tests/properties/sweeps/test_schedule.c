// One state for every width, every number of threads and every host scheduler; both orders reach the
// same residuals.
#include "scenery.h"

#include "constraints/registry.h"
#include "sweep/colouring.h"

static const pli_method methods[] = {PLI_METHOD_XPBD, PLI_METHOD_PBD};

static void widths_and_threads_agree_on_everything(void **state)
{
    (void)state;
    for (int32_t m = 0; m < 2; m++) {
        pli_world_def def = furnished_def(methods[m], PLI_ORDER_COLOURED);
        def.simd = PLI_SIMD_SCALAR;
        int32_t frames = shortened() ? 2 : 5;
        uint64_t expected = hash_after(&def, LARGE, frames);
        for (int32_t simd = 0; simd < PLI_SIMD_COUNT; simd++) {
            for (int32_t threads = 1; threads <= 4; threads += shortened() ? 3 : 1) {
                if (!pli_simd_available((pli_simd)simd))
                    continue;
                def.simd = (pli_simd)simd;
                def.thread_count = threads;
                uint64_t hash = hash_after(&def, LARGE, frames);
                holds(hash == expected, "%s, %s, %d threads: hash %016llx, scalar on one %016llx", m ? "PBD" : "XPBD",
                      pli_choice_name("simd", (int32_t)def.simd), threads, (unsigned long long)hash,
                      (unsigned long long)expected);
            }
        }
    }
}

static void sequential_order_ignores_widths_and_threads(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_SEQUENTIAL);
    uint64_t expected = hash_after(&def, SMALL, 8);
    for (int32_t simd = 0; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        def.simd = (pli_simd)simd;
        def.thread_count = 1 + simd;
        uint64_t hash = hash_after(&def, SMALL, 8);
        holds(hash == expected, "%s: hash %016llx, expected %016llx", pli_choice_name("simd", (int32_t)def.simd),
              (unsigned long long)hash, (unsigned long long)expected);
    }
}

static uint64_t hash_of_fan(pli_mesh *mesh, pli_simd simd, int32_t threads, int32_t *colours)
{
    static const char *const types[] = {"distance", "dihedral", "triangle_signed", "ring_laplacian"};
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = PLI_ORDER_COLOURED;
    def.simd = simd, def.thread_count = threads, def.settings.iterations = 2;
    pli_world *world = world_from(&def);
    pli_deformable deformable = deform(world, mesh, NULL);
    random_state = 4;
    scatter(world, deformable, 0.03);
    for (int32_t i = 0; i < COUNT_OF(types); i++) {
        pli_constraints set = constrain(world, deformable, types[i], NULL);
        pli_constraints_info info;
        tune(world, set, "compliance", 0.01);
        must(pli_constraints_get_info(world, set, &info, &problem));
        colours[i] = info.colour_count;
    }
    for (int32_t i = 0; i < 4; i++)
        step(world, 1.0 / 60.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

// Beyond 63 colours what is left runs one by one, in every width alike.
static void a_hub_has_few_colours(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_fan(300);
    int32_t colours[4];
    uint64_t scalar = hash_of_fan(mesh, PLI_SIMD_SCALAR, 1, colours);
    for (int32_t i = 0; i < 3; i++)
        holds(colours[i] == 64, "%d colours for set %d", colours[i], i);
    for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
        for (int32_t threads = 1; threads <= 2 && pli_simd_available((pli_simd)simd); threads++)
            holds(hash_of_fan(mesh, (pli_simd)simd, threads, colours) == scalar, "%s with %d threads",
                  pli_choice_name("simd", simd), threads);
    pli_mesh_destroy(mesh);
}

// One type alone, so that a kernel that differs is named.
static uint64_t hash_of_type(const pli_constraint_type *type, pli_mesh *mesh, pli_simd simd, pli_method method)
{
    pli_world_def def = plain_world_def(method);
    def.order = PLI_ORDER_COLOURED;
    def.simd = simd;
    def.settings.iterations = 3;
    pli_world *world = world_from(&def);
    pli_deformable deformable = deform(world, mesh, NULL);
    random_state = 4;
    scatter(world, deformable, 0.03);
    pli_constraints set = constrain(world, deformable, type->name, NULL);
    tune(world, set, "compliance", 0.001);
    tune(world, set, "damping", 0.01);
    tune(world, set, "stiffness", 0.8);
    for (int32_t i = 0; i < 4; i++)
        step(world, 1.0 / 60.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void each_kernel_is_the_same_in_every_width(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(2, 0.1);
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        for (int32_t m = 0; m < 2 && type->generator; m++) {
            uint64_t scalar = hash_of_type(type, mesh, PLI_SIMD_SCALAR, methods[m]);
            for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
                holds(!pli_simd_available((pli_simd)simd) ||
                          hash_of_type(type, mesh, (pli_simd)simd, methods[m]) == scalar,
                      "%s with %s, %s", type->name, m ? "PBD" : "XPBD", pli_choice_name("simd", simd));
        }
    }
    pli_mesh_destroy(mesh);
}

// Runs the items in an order of its own, backwards or shuffled, on the caller's thread.
typedef struct shuffler {
    int32_t calls;
    uint32_t seed;
} shuffler;

static void run_shuffled(void *user, int32_t count, pli_task task, void *data)
{
    shuffler *s = user;
    s->calls++;
    int32_t order[512];
    if (count > 512)
        fail_msg("%d items of work at once", count);
    for (int32_t i = 0; i < count; i++)
        order[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        s->seed = s->seed * 1664525u + 1013904223u;
        int32_t j = (int32_t)((s->seed >> 8) % (uint32_t)(i + 1)), swap = order[i];
        order[i] = order[j], order[j] = swap;
    }
    for (int32_t i = 0; i < count; i++)
        task(data, order[i]);
}

static void a_host_may_run_tasks_in_any_order(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    uint64_t expected = hash_after(&def, LARGE, 4);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        shuffler s = {.seed = seed};
        def.tasks = (pli_task_hooks){run_shuffled, &s};
        def.thread_count = 3;
        uint64_t hash = hash_after(&def, LARGE, 4);
        holds(hash == expected, "seed %u: hash %016llx, expected %016llx", seed, (unsigned long long)hash,
              (unsigned long long)expected);
        holds(s.calls > 0, "the host's runner was called %d times", s.calls);
    }
}

static double residual_after(pli_order order, const pli_constraint_type *type, pli_mesh *mesh, int32_t iterations)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order;
    def.settings.iterations = iterations;
    pli_world *world = world_from(&def);
    pli_deformable deformable = deform(world, mesh, NULL);
    must(pli_deformable_set_stretch(world, deformable, PLI_STRETCH_SWEPT, &problem)); // Membranes would be solved.
    random_state = 9;
    scatter(world, deformable, 0.02);
    pli_constraints set = constrain(world, deformable, type->name, NULL);
    step(world, 1.0 / 60.0);
    double rms = residual_of(world, set).rms;
    pli_world_destroy(world);
    return rms;
}

// Colours only permute the sweep: it converges as the order of creation does.
static void both_orders_converge_alike(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(2, 0.1);
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        if (!type->generator)
            continue;
        double start = residual_after(PLI_ORDER_SEQUENTIAL, type, mesh, 1);
        double sequential = residual_after(PLI_ORDER_SEQUENTIAL, type, mesh, 60);
        double coloured = residual_after(PLI_ORDER_COLOURED, type, mesh, 60);
        holds(coloured < 3.0 * sequential + 1e-5 && sequential < 3.0 * coloured + 1e-5,
              "%s: residual %g coloured, %g sequential after 60 iterations (%g after one)", type->name, coloured,
              sequential, start);
        holds(sequential <= start + 1e-6, "%s: residual %g after 60 iterations, %g after one", type->name, sequential,
              start);
    }
    pli_mesh_destroy(mesh);
}

static void colours_are_told(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(10, 10, 1.0, PLI_GRID_DIAGONAL);
    for (int32_t order = 0; order < 2; order++) {
        pli_world_def def = pli_world_def_default();
        def.order = (pli_order)order;
        pli_world *world = world_from(&def);
        pli_deformable deformable = deform(world, mesh, NULL);
        pli_constraints_info info;
        must(pli_constraints_get_info(world, constrain(world, deformable, "distance", NULL), &info, &problem));
        holds(info.constraint_count == 261, "%d edges", info.constraint_count);
        // A vertex of six edges needs six colours at least; first-fit needs at most eleven.
        holds(order == PLI_ORDER_SEQUENTIAL ? info.colour_count == 0
                                            : info.colour_count >= 6 && info.colour_count <= 11,
              "%d colours", info.colour_count);
        holds(strcmp(info.name, "distance") == 0 && strcmp(info.generator, "edges") == 0, "names %s", info.name);
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

// Constraints of a colour share no particle, and each is there once.
static void check_schedule(const pli_schedule *s, const int32_t *particles, int32_t n, int32_t count)
{
    int32_t *seen = calloc((size_t)count, sizeof *seen);
    for (int32_t c = 0; c < s->colour_count; c++) {
        int32_t begin = s->colour_offsets[c], end = s->colour_offsets[c + 1];
        for (int32_t i = begin; i < end; i++) {
            seen[s->order[i]]++;
            for (int32_t j = begin; j < i; j++)
                for (int32_t k = 0; k < n * n && c != s->overflow; k++)
                    holds(particles[n * s->order[i] + k / n] != particles[n * s->order[j] + k % n],
                          "colour %d has %d and %d", c, s->order[i], s->order[j]);
        }
    }
    for (int32_t i = 0; i < count; i++)
        holds(seen[i] == 1, "%d is there %d times", i, seen[i]);
    free(seen);
}

// First-fit needs a colour more than a constraint has neighbours at most: those of the busiest particle, n times.
static void colours_are_few_and_share_nothing(void **state)
{
    (void)state;
    enum { COUNT = 300, PEOPLE = 240, ROUNDS = 20 };
    pli_memory memory = pli_memory_make(&(pli_hooks){0});
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t n = 2 + round % 3, particles[4 * COUNT], degrees[PEOPLE] = {0}, busiest = 0;
        for (int32_t i = 0; i < COUNT; i++)
            for (int32_t k = 0; k < n; k++) {
                int32_t *p = &particles[n * i + k];
                *p = (int32_t)uniform(0.0, PEOPLE / n - 0.5) * n + k;
                busiest = ++degrees[*p] > busiest ? degrees[*p] : busiest;
            }
        pli_schedule s;
        assert_true(pli_schedule_colour(&memory, particles, NULL, n, NULL, COUNT, PEOPLE, &s));
        check_schedule(&s, particles, n, COUNT);
        holds(s.colour_count <= n * (busiest - 1) + 1, "%d colours, the busiest particle has %d constraints of %d",
              s.colour_count, busiest, n);
        pli_schedule_release(&memory, &s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(widths_and_threads_agree_on_everything),
        property(sequential_order_ignores_widths_and_threads),
        property(a_hub_has_few_colours),
        property(each_kernel_is_the_same_in_every_width),
        property(a_host_may_run_tasks_in_any_order),
        property(both_orders_converge_alike),
        property(colours_are_told),
        property(colours_are_few_and_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
