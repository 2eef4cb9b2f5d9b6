// A thousand worlds made, stepped, restored and destroyed, on two threads of the host at a time, each with threads of its own. Worlds share
// nothing: all of one kind end in the same state, whatever runs beside them. Made for the thread sanitizer (preset tsan), which sees
// what is shared all the same.
//
//   tests_properties_interface test_thousand_worlds   40 worlds; PLIANT_LONG=1 is a thousand, less a share of them
#define _POSIX_C_SOURCE 200809L // pthread_barrier_t

#include "property.h"

#include <pthread.h>
#include <stdatomic.h>

enum { HOSTS = 2, KINDS = 4, WORLDS = 1000, STEPS = 3 };

typedef struct host {
    pthread_t thread;
    int32_t number, worlds;
    uint64_t hashes[KINDS]; // Hash of the first world of each kind.
    char failure[300];      // Empty while all is well.
    bool has_met;
} host;

static atomic_int alive, together; // Worlds that are there, and the most that were at once.
static pthread_barrier_t meeting;

// The hosts wait for one another once, each with its first world, however the machine schedules them.
static void meet(host *h)
{
    if (!h->has_met)
        pthread_barrier_wait(&meeting);
    h->has_met = true;
}

#define need(call)                                                                                                     \
    do {                                                                                                               \
        const pli_status need_status = (call);                                                                         \
        if (need_status) {                                                                                             \
            snprintf(h->failure, sizeof h->failure, "%s: %s: %.150s", #call, pli_status_name(need_status),             \
                     error.message);                                                                                   \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

// A sheet over a ball: that folds, that tears, that is on several threads, or whose stretch is solved.
static bool one_world(host *h, int32_t kind)
{
    pli_error error = {0};
    pli_world *world = NULL;
    pli_mesh *mesh = NULL;
    void *snapshot = NULL;
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 3;
    def.thread_count = 1 + kind % 3;
    need(pli_world_create(&def, &world, &error));
    const int now = atomic_fetch_add(&alive, 1) + 1;
    for (int most = atomic_load(&together); most < now && !atomic_compare_exchange_weak(&together, &most, now);)
        continue;
    meet(h);
    need(pli_mesh_create_grid(12, 12, 0.5f, 0.5f, PLI_GRID_ALTERNATING, &mesh, &error));
    pli_deformable_def sheet = pli_deformable_def_default();
    sheet.mesh = mesh, sheet.self_collision = true, sheet.thickness = 0.004f;
    sheet.pose.position.y = 0.11f, sheet.velocity.y = -1.0f;
    if (kind == 1)
        sheet.tearing.stretch = 1.03f;
    pli_constraints_def set = pli_constraints_def_default();
    pli_constraints made;
    need(pli_deformable_create(world, &sheet, &set.deformable, &error));
    set.type = kind == 3 ? "membrane" : "distance";
    need(pli_constraints_create(world, &set, &made, &error));
    set.type = "isometric";
    need(pli_constraints_create(world, &set, &made, &error));
    pli_collider_def ball = pli_collider_def_default();
    pli_collider collider;
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.1f;
    need(pli_collider_create(world, &ball, &collider, &error));
    for (int32_t i = 0; i < STEPS; i++)
        need(pli_world_step(world, 1.0f / 60.0f, &error));
    const size_t size = pli_world_snapshot_size(world);
    snapshot = malloc(size);
    need(pli_world_snapshot_write(world, snapshot, size, &error));
    need(pli_world_step(world, 1.0f / 60.0f, &error));
    const uint64_t hash = pli_world_hash(world);
    need(pli_world_snapshot_read(world, snapshot, size, &error));
    need(pli_world_step(world, 1.0f / 60.0f, &error));
    if (pli_world_hash(world) != hash)
        snprintf(h->failure, sizeof h->failure, "kind %d: another state after it was restored", (int)kind);
    if (h->hashes[kind] && h->hashes[kind] != hash)
        snprintf(h->failure, sizeof h->failure, "kind %d: another state than the first of its kind", (int)kind);
    h->hashes[kind] = hash;
done:
    meet(h); // The other host waits where the first world could not be made, too.
    free(snapshot);
    pli_mesh_destroy(mesh);
    if (world)
        atomic_fetch_sub(&alive, 1);
    pli_world_destroy(world);
    return h->failure[0] == '\0';
}

static void *work(void *argument)
{
    host *h = argument;
    for (int32_t i = 0; i < h->worlds && one_world(h, (i + h->number) % KINDS); i++)
        continue;
    return NULL;
}

static void worlds_share_nothing(void **state)
{
    (void)state;
    const char *share = getenv("PLIANT_LONG");
    static host hosts[HOSTS];
    const int32_t worlds = share ? (int32_t)(strtod(share, NULL) * WORLDS) : shortened() ? 24 : 40;
    assert_int_equal(pthread_barrier_init(&meeting, NULL, HOSTS), 0);
    for (int32_t i = 0; i < HOSTS; i++) {
        hosts[i].number = i, hosts[i].worlds = worlds / HOSTS;
        assert_int_equal(pthread_create(&hosts[i].thread, NULL, work, &hosts[i]), 0);
    }
    for (int32_t i = 0; i < HOSTS; i++) {
        pthread_join(hosts[i].thread, NULL);
        holds(!hosts[i].failure[0], "host %d: %s", (int)i, hosts[i].failure);
    }
    pthread_barrier_destroy(&meeting);
    for (int32_t kind = 0; kind < KINDS; kind++)
        holds(hosts[0].hashes[kind] == hosts[1].hashes[kind] && hosts[0].hashes[kind],
              "kind %d: the hosts' states differ", (int)kind);
    holds(atomic_load(&together) == HOSTS, "at most %d worlds at once", (int)atomic_load(&together));
    holds(atomic_load(&alive) == 0, "%d worlds are left", (int)atomic_load(&alive));
    print_message("%d worlds on %d threads of the host, %d at once\n", (int)(worlds / HOSTS * HOSTS), (int)HOSTS,
                  (int)atomic_load(&together));
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(worlds_share_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
