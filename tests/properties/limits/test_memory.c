// Allocation through the hooks only: none in a steady step, none left behind, and every call that
// needs memory survives not getting it.
#include "scenery.h"

// An allocator that counts, remembers sizes, and can refuse the n-th request or all from there on.
typedef struct counting {
    int64_t calls, live, bytes, fail_at;
    bool fail_after;
    bool wrong_size;
} counting;

enum { HEADER = 64 };

static void *count_allocate(void *user, size_t size, size_t alignment)
{
    counting *c = user;
    int64_t call = c->calls++;
    if (c->fail_at >= 0 && (call == c->fail_at || (c->fail_after && call > c->fail_at)))
        return NULL;
    if (alignment > HEADER)
        fail_msg("alignment %zu", alignment);
    char *block = aligned_alloc(HEADER, (size + 2 * HEADER - 1) / HEADER * HEADER + HEADER);
    memcpy(block, &size, sizeof size);
    c->live++;
    c->bytes += (int64_t)size;
    return block + HEADER;
}

static void count_release(void *user, void *memory, size_t size)
{
    counting *c = user;
    size_t was;
    memcpy(&was, (char *)memory - HEADER, sizeof was);
    c->wrong_size = c->wrong_size || was != size;
    c->live--;
    c->bytes -= (int64_t)was;
    free((char *)memory - HEADER);
}

static void count_log(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

static pli_hooks counting_hooks(counting *c)
{
    pli_hooks hooks = pli_hooks_default();
    hooks.allocate = count_allocate;
    hooks.release = count_release;
    hooks.log = count_log;
    hooks.user = c;
    return hooks;
}

// A fall onto colliders and onto one another; how many contacts there were.
static int32_t run_fall(pli_world *world, counting *c, int64_t *allocations)
{
    pli_deformable body = pli_world_deformable_at(world, 1);
    pli_statistics statistics;
    int32_t contacts = 0;
    float values[LARGE * LARGE];
    int64_t before = c->calls;
    for (int32_t i = 0; i < 23; i++) {
        pli_transform pose = pli_transform_identity();
        pose.position.x = 0.002f * (float)i;
        must(pli_collider_set_pose(world, pli_world_collider_at(world, 0), pose, &problem));
        must(pli_deformable_add_force(world, body, 7, (pli_vec3){0.01f, 0, 0}, &problem));
        step(world, 1.0 / 60.0);
        pli_world_get_statistics(world, &statistics);
        contacts += statistics.contact_count;
        (void)pli_deformable_normals(world, body);
        must(pli_deformable_measure(world, body, PLI_MEASURE_STRETCH, values, COUNT_OF(values), &problem));
    }
    *allocations = c->calls - before;
    return contacts;
}

// The lists of contacts grow with the contacts: the same fall a second time needs nothing new.
static void a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    for (int32_t m = 0; m < 4; m++) {
        counting c = {.fail_at = -1};
        pli_world_def def = furnished_def(m % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD,
                                          m / 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED);
        def.hooks = counting_hooks(&c);
        def.thread_count = 1 + m % 3;
        def.settings.keep_momentum = true;
        pli_world *world = furnished_world(&def, LARGE);
        int64_t first, again;
        size_t size = pli_world_snapshot_size(world);
        void *start = malloc(size);
        must(pli_world_snapshot_write(world, start, size, &problem));
        int32_t contacts = run_fall(world, &c, &first);
        uint64_t end = pli_world_hash(world);
        must(pli_world_snapshot_read(world, start, size, &problem));
        free(start);
        near((double)run_fall(world, &c, &again), (double)contacts, 0.0, "contacts of the second fall, case %d", m);
        holds(pli_world_hash(world) == end, "case %d: the second fall differs", m);
        near((double)again, 0.0, 0.0, "allocations in the second fall, case %d", m);
        holds(contacts > 0 && first > 0, "case %d: %d contacts", m, contacts);
        pli_statistics statistics;
        pli_world_get_statistics(world, &statistics);
        holds(statistics.memory > 0 && (int64_t)statistics.memory <= c.bytes, "case %d: memory %zu told, %lld held", m,
              statistics.memory, (long long)c.bytes);
        pli_world_destroy(world);
        near((double)c.live, 0.0, 0.0, "blocks left, case %d", m);
        holds(!c.wrong_size, "sizes at release, case %d", m);
    }
}

// Surfaces of all kinds, some of them intersecting: meshes and hulls, and a rigid body with a collider and an
// attachment.
static pli_status add_surfaces(pli_world *world, pli_deformable body, const pli_mesh *mesh)
{
    const pli_shape shapes[4] = {PLI_SHAPE_MESH, PLI_SHAPE_HULL, PLI_SHAPE_BOX, PLI_SHAPE_CAPSULE};
    const int32_t particle = 5;
    pli_rigid_body_def rigid_def = pli_rigid_body_def_default();
    pli_attachment_def tie = pli_attachment_def_default();
    rigid_def.name = "a rigid body with a name";
    rigid_def.state.pose.position.y = 0.25f;
    pli_status status = pli_rigid_body_create(world, &rigid_def, &tie.body, &problem);
    for (int32_t i = 0; i < 4 && !status; i++) {
        pli_collider_def def = pli_collider_def_default();
        pli_collider collider;
        def.shape = shapes[i];
        def.mesh = i < 2 ? mesh : NULL;
        def.radius = def.half_height = 0.05f;
        def.half_extents = (pli_vec3){0.05f, 0.05f, 0.05f};
        def.pose.position.x = 0.15f * (float)i + 0.05f;
        if (i >= 2)
            def.body = tie.body;
        status = pli_collider_create(world, &def, &collider, &problem);
    }
    pli_deformable_def by_particles = pli_deformable_def_default();
    pli_deformable ball;
    by_particles.mesh = mesh;
    by_particles.pose.position.x = 3.0f;
    by_particles.self_collision = true;
    by_particles.self_contact = PLI_SELF_CONTACT_PARTICLES;
    if (!status)
        status = pli_deformable_create(world, &by_particles, &ball, &problem);
    if (status)
        return status;
    pli_attachment attachment;
    tie.deformable = body, tie.particles = &particle, tie.particle_count = 1;
    return pli_attachment_create(world, &tie, &attachment, &problem);
}

// Everything that allocates, on a small mesh. Stops at the first refusal.
static pli_status build_all(const pli_hooks *hooks, const pli_mesh *mesh, pli_world **world)
{
    pli_world_def def = pli_world_def_default();
    def.hooks = *hooks;
    def.thread_count = 2;
    pli_status status = pli_world_create(&def, world, &problem);
    if (status)
        return status;
    pli_deformable_def body_def = pli_deformable_def_default();
    body_def.mesh = mesh;
    body_def.name = "a body with a name";
    body_def.self_collision = true;
    pli_deformable body;
    if ((status = pli_deformable_create(*world, &body_def, &body, &problem)))
        return status;
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        pli_constraints_def set_def = pli_constraints_def_default();
        set_def.deformable = body;
        set_def.type = pli_constraint_type_at(row)->name;
        set_def.name = "a set with a name";
        pli_constraints set;
        if (pli_constraint_type_at(row)->generator &&
            (status = pli_constraints_create(*world, &set_def, &set, &problem)))
            return status;
    }
    const int32_t particles[3] = {1, 2, 3};
    pli_attachment_def attachment_def = pli_attachment_def_default();
    attachment_def.deformable = body, attachment_def.particles = particles, attachment_def.particle_count = 3;
    pli_attachment attachment;
    if ((status = pli_attachment_create(*world, &attachment_def, &attachment, &problem)))
        return status;
    pli_collider_def collider_def = pli_collider_def_default();
    pli_collider collider;
    if ((status = pli_collider_create(*world, &collider_def, &collider, &problem)) ||
        (status = add_surfaces(*world, body, mesh)))
        return status;
    for (int32_t i = 0; i < 2; i++)
        if ((status = pli_world_step(*world, 1.0f / 60.0f, &problem)))
            return status;
    const double origin[3] = {30.0, 0.0, 0.0};
    if ((status = pli_world_set_origin(*world, origin, &problem)))
        return status;
    size_t size = pli_world_snapshot_size(*world);
    void *buffer = malloc(size);
    status = pli_world_snapshot_write(*world, buffer, size, &problem);
    if (!status)
        status = pli_world_snapshot_read(*world, buffer, size, &problem);
    free(buffer);
    return status;
}

// A refusal is reported, or it changes nothing: memory that is only desirable may be missing.
static void check_refused_at(int64_t n, bool after, const pli_mesh *mesh, uint64_t undisturbed, bool *finished)
{
    counting c = {.fail_at = n, .fail_after = after};
    pli_hooks hooks = counting_hooks(&c);
    pli_world *world = NULL;
    pli_status status = build_all(&hooks, mesh, &world);
    *finished = c.calls <= n;
    holds(status ? status == PLI_STATUS_OUT_OF_MEMORY : pli_world_hash(world) == undisturbed,
          "request %lld refused: %s, %.150s", (long long)n, pli_status_name(status), problem.message);
    holds(status != PLI_STATUS_OUT_OF_MEMORY || problem.status == status, "the error has the status too");
    if (world && !after) {
        // The world is whole: it steps on.
        c.fail_at = -1;
        holds(pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_OK, "a step after request %lld was refused",
              (long long)n);
        holds(all_finite(world), "finite after request %lld was refused", (long long)n);
    }
    pli_world_destroy(world);
    near((double)c.live, 0.0, 0.0, "blocks left after request %lld was refused", (long long)n);
    holds(!c.wrong_size, "sizes at release after request %lld was refused", (long long)n);
}

static void every_refused_request_is_survived(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(1, 0.1);
    pli_world *world = NULL;
    pli_hooks plain = pli_hooks_default();
    must(build_all(&plain, mesh, &world));
    uint64_t undisturbed = pli_world_hash(world);
    pli_world_destroy(world);
    for (int32_t after = 0; after < 2; after++) {
        bool finished = false;
        int64_t n = 0;
        for (; !finished && n < 5000; n += shortened() ? 7 : 1)
            check_refused_at(n, after, mesh, undisturbed, &finished);
        holds(finished && n > 50, "%lld requests", (long long)n);
    }
    pli_mesh_destroy(mesh);
}

// Refused, a set must leave no trace: the world steps as if nobody had asked.
static void a_refused_set_leaves_no_trace(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(1, 0.1);
    uint64_t expected = 0;
    for (int64_t n = -1; n < 12; n++) {
        counting c = {.fail_at = -1};
        pli_world_def def = pli_world_def_default();
        def.hooks = counting_hooks(&c);
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, NULL);
        constrain(world, body, "distance", NULL);
        c.fail_at = c.calls + n;
        pli_constraints_def set_def = pli_constraints_def_default();
        set_def.deformable = body, set_def.type = "volume";
        pli_constraints set;
        pli_status status = n < 0 ? PLI_STATUS_OUT_OF_MEMORY : pli_constraints_create(world, &set_def, &set, &problem);
        c.fail_at = -1;
        if (status == PLI_STATUS_OUT_OF_MEMORY) {
            near(pli_world_constraints_count(world), 1, 0.0, "sets");
            for (int32_t i = 0; i < 3; i++)
                step(world, 1.0 / 60.0);
            expected = n < 0 ? pli_world_hash(world) : expected;
            holds(pli_world_hash(world) == expected, "hash after request %lld was refused", (long long)n);
        }
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

// What a step asks for when an attachment first goes somewhere: refused in part, it is asked for again, and none of it is lost.
static void a_refused_reach_is_asked_for_again(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(1, 0.1);
    int32_t refused = 0;
    for (int64_t n = 0; n <= refused; n++) {
        counting c = {.fail_at = -1};
        pli_world_def def = pli_world_def_default();
        def.hooks = counting_hooks(&c);
        pli_world *world = world_from(&def);
        pli_attachment_def tie = pli_attachment_def_default();
        const int32_t particle = 3;
        tie.deformable = deform(world, mesh, NULL), tie.particles = &particle, tie.particle_count = 1;
        constrain(world, tie.deformable, "distance", NULL);
        pli_attachment attachment;
        must(pli_attachment_create(world, &tie, &attachment, &problem));
        step(world, 1.0 / 60.0);
        pli_transform aside = tie.pose;
        aside.position.x += 0.01f;
        must(pli_attachment_set_pose(world, attachment, aside, &problem));
        c.fail_at = c.calls + n;
        refused += pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_OUT_OF_MEMORY;
        c.fail_at = -1;
        step(world, 1.0 / 60.0);
        pli_world_destroy(world);
        near((double)c.live, 0.0, 0.0, "blocks left after request %lld was refused", (long long)n);
    }
    near(refused, 3.0, 0.0, "requests that were refused");
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_steady_step_allocates_nothing),
        property(every_refused_request_is_survived),
        property(a_refused_set_leaves_no_trace),
        property(a_refused_reach_is_asked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
