// The sequential order runs wide where it can, and gives the bits of one constraint after the other: the scalar back
// end, which knows no wavefronts, is the plain twin.
#include "../../inside.h"
#include "samples.h"
#include "worlds.h"

enum { STEPS = 3 };

typedef struct trial {
    pli_method method;
    int32_t substeps, iterations;
    bool looked_at; // A collider far away: something might act between sweeps.
    pli_sweeps sweeps;
} trial;

static const trial trials[] = {
    {PLI_METHOD_PBD, 1, 6, false, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_PBD, 2, 5, true, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_PBD, 1, 1, false, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_XPBD, 3, 1, false, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_XPBD, 2, 4, false, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_XPBD, 2, 3, true, PLI_SWEEPS_BACK_AND_FORTH},
    {PLI_METHOD_PBD, 1, 6, false, PLI_SWEEPS_FORWARD},
    {PLI_METHOD_XPBD, 2, 3, true, PLI_SWEEPS_FORWARD},
};

typedef void (*furnishing)(pli_world *world, const void *what);

static uint64_t add_multipliers(const pli_world *world, uint64_t hash)
{
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        must(pli_constraints_get_info(world, set, &info, &problem));
        for (int32_t k = 0; k < info.constraint_count && info.type->cardinality > 0; k++) {
            float lambda[3] = {0};
            if (pli_constraints_stencil(world, set, k, NULL, NULL, NULL, lambda, NULL))
                continue;
            for (int32_t d = 0; d < info.type->dimension; d++) {
                uint32_t bits;
                memcpy(&bits, &lambda[d], sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
        }
    }
    return hash;
}

// State and multipliers after some steps; `in_wavefronts` tells whether the first set runs in wavefronts.
static uint64_t outcome(const trial *t, pli_simd simd, furnishing furnish, const void *what, bool *in_wavefronts)
{
    pli_world_def def = plain_world_def(t->method);
    def.settings.substeps = t->substeps, def.settings.iterations = t->iterations;
    def.settings.sweeps = t->sweeps;
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.simd = simd;
    pli_world *world = world_from(&def);
    random_state = 11;
    furnish(world, what);
    pli_collider_def ground = pli_collider_def_default();
    ground.pose.position.y = -100.0f;
    pli_collider collider;
    if (t->looked_at)
        must(pli_collider_create(world, &ground, &collider, &problem));
    for (int32_t i = 0; i < STEPS; i++)
        step(world, 1.0 / 60.0);
    *in_wavefronts = inside_runs_in_wavefronts(world);
    uint64_t hash = add_multipliers(world, pli_world_hash(world));
    pli_world_destroy(world);
    return hash;
}

static void check_all(furnishing furnish, const void *what, const char *name, bool expect_wide)
{
    for (int32_t i = 0; i < COUNT_OF(trials); i++) {
        bool in_wavefronts;
        uint64_t plain = outcome(&trials[i], PLI_SIMD_SCALAR, furnish, what, &in_wavefronts);
        holds(!in_wavefronts, "%s: scalar in wavefronts", name);
        for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            uint64_t hash = outcome(&trials[i], (pli_simd)simd, furnish, what, &in_wavefronts);
            holds(hash == plain, "%s, trial %d, %s: %016llx, one by one %016llx", name, (int)i,
                  pli_choice_name("simd", simd), (unsigned long long)hash, (unsigned long long)plain);
            holds(in_wavefronts == expect_wide, "%s, trial %d, %s: in wavefronts %d", name, (int)i,
                  pli_choice_name("simd", simd), in_wavefronts);
        }
    }
}

static pli_deformable held_sheet(pli_world *world)
{
    pli_mesh *mesh = mesh_jittered(mesh_grid(13, 12, 1.0, PLI_GRID_ALTERNATING), 0.2, 0.2);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    const int32_t corners[2] = {0, 12};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = body, hold.particles = corners, hold.particle_count = 2;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    return body;
}

static void soften(pli_world *world, pli_constraints set, double by)
{
    tune(world, set, "stiffness", 0.4);
    tune(world, set, "compliance", by);
    tune(world, set, "damping", by);
}

static void one_type(pli_world *world, const void *type)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = held_sheet(world);
    def.type = ((const pli_constraint_type *)type)->name;
    def.keep_lambda = true;
    pli_constraints set;
    must(pli_constraints_create(world, &def, &set, &problem));
    soften(world, set, 1e-3);
}

static void each_type_has_the_bits_of_one_by_one(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_constraint_type_count(); i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        if (type->generator && strcmp(type->name, "volume") != 0)
            check_all(one_type, type, type->name, type->cardinality > 0);
    }
}

// Random stencils in random order; several sets, rigid, soft and of variable cardinality, and one that ties softly.
static void at_random(pli_world *world, const void *what)
{
    bool with_rings = *(const bool *)what;
    pli_deformable body = held_sheet(world);
    int32_t lists[3][4 * 300], count = vertex_count_of(world, body);
    static const char *const types[] = {"distance", "triangle", "dihedral"};
    for (int32_t s = 0; s < 3; s++) {
        // Collinear stencils are degenerate and dropped; stencils close together make long chains.
        for (int32_t i = 0; i < 300; i++) {
            int32_t first = (int32_t)uniform(0.0, (double)count - 60.0);
            for (int32_t k = 0; k < s + 2; k++)
                lists[s][(s + 2) * i + k] = first + 15 * k + (int32_t)uniform(0.0, 14.0);
        }
        pli_constraints set = constrain_list(world, body, types[s], lists[s], 300);
        if (s > 0)
            soften(world, set, 1e-4);
        if (s == 1)
            tune(world, set, "relation", 1.0);
        if (with_rings && s == 1)
            soften(world, constrain(world, body, "ring_laplacian", NULL), 1e-2);
    }
    const int32_t middle[3] = {70, 71, 85};
    pli_attachment_def tie = pli_attachment_def_default();
    tie.deformable = body, tie.particles = middle, tie.particle_count = 3;
    tie.fixed = false, tie.compliance = 1e-3, tie.stiffness = 0.5;
    pli_attachment attachment;
    must(pli_attachment_create(world, &tie, &attachment, &problem));
    pli_transform pose = pli_transform_identity();
    pose.position.x = 0.1f;
    must(pli_attachment_set_pose(world, attachment, pose, &problem));
}

static void random_sets_have_the_bits_of_one_by_one(void **state)
{
    (void)state;
    for (int32_t rings = 0; rings < 2; rings++) {
        bool with_rings = rings;
        check_all(at_random, &with_rings, with_rings ? "with rings" : "random sets", true);
    }
}

// A chain leaves nothing to run side by side.
static void chain(pli_world *world, const void *what)
{
    (void)what;
    pli_deformable body = held_sheet(world);
    int32_t list[2 * 100];
    for (int32_t i = 0; i < 100; i++)
        list[2 * i] = i, list[2 * i + 1] = i + 1;
    constrain_list(world, body, "distance", list, 100);
}

static void chains_run_one_by_one(void **state)
{
    (void)state;
    bool in_wavefronts;
    const trial once = {PLI_METHOD_XPBD, 2, 1, false, PLI_SWEEPS_BACK_AND_FORTH};
    outcome(&once, PLI_SIMD_AUTO, chain, NULL, &in_wavefronts);
    holds(!in_wavefronts, "a chain runs in wavefronts");
}

static void change(pli_world *world, pli_deformable body, int32_t round)
{
    static pli_constraints added;
    pli_settings settings = pli_world_settings(world);
    if (round == 1)
        added = constrain(world, body, "triangle", NULL);
    if (round == 2)
        settings.iterations = 3;
    if (round == 3)
        must(pli_constraints_destroy(world, added, &problem));
    if (round == 4)
        settings.method = PLI_METHOD_XPBD;
    if (round == 5)
        tune(world, pli_world_constraints_at(world, 0), "compliance", 1e-4);
    must(pli_world_set_settings(world, &settings, &problem));
}

// Sets and settings may change between steps.
static void changes_are_followed(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t in_wavefronts = 0; in_wavefronts < 2; in_wavefronts++) {
        pli_world_def def = plain_world_def(PLI_METHOD_PBD);
        def.settings.iterations = 4;
        def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
        def.simd = in_wavefronts ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
        pli_world *world = world_from(&def);
        random_state = 5;
        pli_deformable body = held_sheet(world);
        constrain(world, body, "distance", NULL);
        for (int32_t round = 0; round < 6; round++) {
            change(world, body, round);
            step(world, 1.0 / 60.0);
            step(world, 1.0 / 60.0);
        }
        hashes[in_wavefronts] = add_multipliers(world, pli_world_hash(world));
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "%016llx, one by one %016llx", (unsigned long long)hashes[1],
          (unsigned long long)hashes[0]);
}

/* ---- the trace ---------------------------------------------------------------------------------- */

typedef struct seen {
    pli_deformable body;
    pli_constraints sets[2];
    int32_t calls, sweeps[2], substep, publishes, misplaced;
    pli_stage stage;
    uint64_t hash;
    float position[3], velocity[3]; // The last vertex's, at that point of the step.
} seen;

static void see(void *user, const pli_world *world, const pli_trace_point *point)
{
    seen *s = user;
    s->calls++;
    s->misplaced += point->substep < s->substep || (point->substep == s->substep && point->stage < s->stage);
    for (int32_t i = 0; i < 2 && point->set.id > 0; i++) {
        s->sweeps[i] += point->set.id == s->sets[i].id;
        s->misplaced += point->stage != PLI_STAGE_PROJECT || point->deformable.id != s->body.id;
    }
    s->publishes += point->stage == PLI_STAGE_PUBLISH;
    s->substep = point->substep, s->stage = point->stage;
    s->hash = pli_world_hash(world);
    const int32_t count = pli_trace_read(world, s->body, NULL, NULL);
    float *x = calloc(3 * (size_t)count, sizeof *x), *v = calloc(3 * (size_t)count, sizeof *v);
    pli_trace_read(world, s->body, x, v);
    memcpy(s->position, x + 3 * (count - 1), sizeof s->position);
    memcpy(s->velocity, v + 3 * (count - 1), sizeof s->velocity);
    free(x);
    free(v);
}

static pli_world *traced_world(pli_order order, seen *s)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order;
    def.settings.substeps = 3, def.settings.iterations = 4;
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    pli_world *world = world_from(&def);
    random_state = 5;
    s->body = held_sheet(world);
    s->sets[0] = constrain(world, s->body, "distance", NULL);
    s->sets[1] = constrain(world, s->body, "triangle", NULL);
    return world;
}

// Four sweeps over each set in each of three substeps, in the order of the stages; and the state of a world that nobody watches.
static void a_trace_sees_each_part_and_changes_nothing(void **state)
{
    (void)state;
    for (int32_t order = PLI_ORDER_COLOURED; order <= PLI_ORDER_SEQUENTIAL; order++) {
        seen s = {.calls = 0}, none;
        pli_world *watched = traced_world((pli_order)order, &s), *other = traced_world((pli_order)order, &none);
        pli_world_set_trace(watched, see, &s);
        step(watched, 1.0 / 60.0);
        step(other, 1.0 / 60.0);
        holds(s.sweeps[0] == 12 && s.sweeps[1] == 12 && s.publishes == 1, "%d and %d sweeps", (int)s.sweeps[0],
              (int)s.sweeps[1]);
        holds(s.misplaced == 0 && s.substep == 3, "%d parts out of place", (int)s.misplaced);
        holds(s.hash == pli_world_hash(watched) && s.hash == pli_world_hash(other), "another state");
        const int32_t last = vertex_count_of(watched, s.body) - 1;
        holds(memcmp(s.position, pli_view_at(pli_deformable_positions(other, none.body), last), 12) == 0, "position");
        holds(memcmp(s.velocity, pli_view_at(pli_deformable_velocities(other, none.body), last), 12) == 0, "velocity");
        pli_world_set_trace(watched, NULL, NULL);
        const int32_t calls = s.calls;
        step(watched, 1.0 / 60.0);
        step(other, 1.0 / 60.0);
        holds(s.calls == calls && pli_world_hash(watched) == pli_world_hash(other), "it was taken out");
        pli_world_destroy(watched);
        holds(pli_trace_read(other, (pli_deformable){0, 0}, NULL, NULL) == 0, "vertices of nothing");
        pli_world_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(each_type_has_the_bits_of_one_by_one),
        property(random_sets_have_the_bits_of_one_by_one),
        property(chains_run_one_by_one),
        property(changes_are_followed),
        property(a_trace_sees_each_part_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
