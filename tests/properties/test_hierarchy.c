// The hierarchy: what it holds, and what it must leave alone.
#include "sheets.h"
#include "worlds.h"

static const double pi = 3.14159265358979324;

static pli_deformable levelled(pli_world *world, const pli_mesh *mesh, const float *positions, pli_stretch_kind kind)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.positions = positions;
    def.stretch_limit.kind = kind;
    pli_deformable body;
    must(pli_deformable_create(world, &def, &body, &problem));
    return body;
}

static pli_stretch_limit_info info_of(pli_world *world, pli_deformable body)
{
    pli_stretch_limit_info info;
    must(pli_deformable_build_stretch_limit(world, body, &info, &problem));
    return info;
}

static pli_world *weightless(int32_t threads, pli_simd simd)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    def.settings.substeps = 1;
    def.thread_count = threads;
    def.simd = simd;
    return world_from(&def);
}

// A sheet of 30 edges in a row cannot hold itself by ten substeps of sweeps over edges; by levels it can, on any mesh.
static void fine_sheets_hold_whatever_the_mesh(void **state)
{
    (void)state;
    enum { SIDE = 31 };
    for (int32_t kind = 0; kind < 4; kind++) {
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0,
                                   kind == 1   ? PLI_GRID_CROSSED
                                   : kind == 2 ? PLI_GRID_QUADS
                                               : PLI_GRID_DIAGONAL);
        mesh = kind == 3 ? mesh_jittered(mesh, 0.25, 0.0) : mesh;
        double stretch[2] = {INFINITY, INFINITY};
        for (int32_t with = kind > 0; with < 2; with++) {
            pli_world_def def = pli_world_def_default();
            pli_world *world = world_from(&def);
            float *positions = copied_positions(mesh);
            for (int32_t v = 0; v < pli_mesh_topology(mesh)->vertex_count; v++)
                positions[3 * v + 1] = -positions[3 * v + 2], positions[3 * v + 2] = 0.0f;
            pli_deformable body = levelled(world, mesh, positions, with ? PLI_STRETCH_HIERARCHY : PLI_STRETCH_NONE);
            free(positions);
            constrain(world, body, "distance", NULL);
            const float zero = 0.0f;
            must(pli_deformable_set_inverse_masses(world, body, 0, 1, &zero, &problem));
            must(pli_deformable_set_inverse_masses(world, body, SIDE - 1, 1, &zero, &problem));
            vec held = position_of(world, body, 0);
            for (int32_t frame = 0; frame < 40; frame++)
                step(world, 1.0 / 60.0);
            stretch[with] = statistics_of(world).stretch_max;
            holds(distance(held, position_of(world, body, 0)) == 0.0, "a held particle moved");
            pli_world_destroy(world);
        }
        holds(stretch[0] > 0.05 && stretch[1] < 0.01, "mesh %d: stretch %g without, %g with", (int)kind, stretch[0],
              stretch[1]);
        pli_mesh_destroy(mesh);
    }
}

// Fixed particles need not be among the nodes of coarse levels.
static void it_hangs_by_any_particle(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    for (int32_t kind = 0; kind < 2; kind++) {
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, kind == 0 ? PLI_GRID_DIAGONAL : PLI_GRID_CROSSED);
        pli_world_def def = pli_world_def_default();
        pli_world *world = world_from(&def);
        float *positions = copied_positions(mesh);
        for (int32_t v = 0; v < pli_mesh_topology(mesh)->vertex_count; v++)
            positions[3 * v + 1] = -positions[3 * v + 2], positions[3 * v + 2] = 0.0f;
        pli_deformable body = levelled(world, mesh, positions, PLI_STRETCH_HIERARCHY);
        constrain(world, body, "distance", NULL);
        for (int32_t i = 0; i < 2; i++) {
            const float zero = 0.0f;
            must(
                pli_deformable_set_inverse_masses(world, body, 2 * SIDE + (i == 0 ? 2 : SIDE - 3), 1, &zero, &problem));
        }
        for (int32_t frame = 0; frame < 40; frame++)
            step(world, 1.0 / 60.0);
        // A single particle is held by a few edges, so these stretch more than a corner's.
        holds(statistics_of(world).stretch_max < 0.06, "mesh %d: stretch %g", (int)kind,
              statistics_of(world).stretch_max);
        free(positions);
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
}

typedef struct moved {
    vec linear, angular;
    double size, turn;
} moved;

// The motion that one step from rest gave to the particles of `part`.
static moved pull_of(const pli_world *world, pli_deformable body, const bool *part)
{
    moved m = {{0, 0, 0}, {0, 0, 0}, 0.0, 0.0};
    for (int32_t v = 0; v < vertex_count_of(world, body); v++) {
        if (part && !part[v])
            continue;
        vec push = scale(velocity_of(world, body, v), mass_of(world, body, v)), at = position_of(world, body, v);
        m.linear = add(m.linear, push), m.angular = add(m.angular, cross(at, push));
        m.size += length(push), m.turn += length(push) * length(at);
    }
    return m;
}

// Stretched, and let go, with masses that differ by up to a hundred: all that moves it is the hierarchy.
static void both_momenta_are_kept(void **state)
{
    (void)state;
    pli_mesh *meshes[2] = {mesh_jittered(mesh_grid(30, 25, 1.0, PLI_GRID_DIAGONAL), 0.2, 0.3), mesh_ball(4, 0.1)};
    for (int32_t m = 0; m < 2; m++) {
        float *positions = copied_positions(meshes[m]);
        int32_t count = pli_mesh_topology(meshes[m])->vertex_count;
        for (int32_t v = 0; v < count; v++) {
            float *p = positions + 3 * v;
            p[0] = p[0] * 1.15f + 0.05f * p[2] * p[2], p[1] *= 1.02f, p[2] = p[2] * 1.08f + 0.1f * p[0] * p[0];
        }
        pli_world *world = weightless(1, PLI_SIMD_AUTO);
        pli_deformable body = levelled(world, meshes[m], positions, PLI_STRETCH_HIERARCHY);
        for (int32_t v = 0; v < count; v++) {
            float w = (float)(exp(uniform(-2.3, 2.3)) / mass_of(world, body, v));
            must(pli_deformable_set_inverse_masses(world, body, v, 1, &w, &problem));
        }
        holds(info_of(world, body).level_count >= 2, "%d levels", (int)info_of(world, body).level_count);
        step(world, 1.0);
        moved pull = pull_of(world, body, NULL);
        holds(pull.size > 1e-4, "it pulled: %g", pull.size);
        near(length(pull.linear), 0.0, 2e-6 * pull.size, "mesh %d: linear momentum of %g", (int)m, pull.size);
        near(length(pull.angular), 0.0, 2e-3 * pull.turn, "mesh %d: angular momentum of %g", (int)m, pull.turn);
        free(positions);
        pli_mesh_destroy(meshes[m]);
        pli_world_destroy(world);
    }
}

static double largest_move(const pli_world *world, pli_deformable body, const float *from)
{
    double most = 0.0;
    for (int32_t v = 0; v < vertex_count_of(world, body); v++)
        most = fmax(most, distance(position_of(world, body, v), vec_of_floats(from + 3 * v)));
    return most;
}

// At rest, crumpled, and bent without stretch, whether the sheet was made flat or as a half tube: not a pull.
static void what_is_not_stretched_is_let_be(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    pli_mesh *flat = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING);
    float *level = copied_positions(flat), *rolled = copied_positions(flat), *crumpled = copied_positions(flat);
    for (int32_t v = 0; v < SIDE * SIDE; v++) {
        double angle = pi * (double)level[3 * v], radius = 1.0 / pi;
        rolled[3 * v] = (float)(radius * sin(angle)), rolled[3 * v + 1] = (float)(radius * cos(angle));
        crumpled[3 * v] *= 0.7f, crumpled[3 * v + 1] = (float)(0.01 * sin(60.0 * (double)level[3 * v + 2]));
        crumpled[3 * v + 2] *= 0.9f;
    }
    pli_mesh *tube = mesh_moved(flat, rolled), *ball;
    must(pli_mesh_create_sphere(4, 0.5f, &ball, &problem));
    float *round = copied_positions(ball);
    const pli_mesh *meshes[6] = {flat, flat, flat, tube, tube, ball};
    const float *starts[6] = {level, rolled, crumpled, rolled, level, round};
    const char *names[6] = {"flat", "rolled up", "crumpled", "a half tube", "a half tube, unrolled", "a ball"};
    for (int32_t i = 0; i < 6; i++) {
        pli_world *world = weightless(1, PLI_SIMD_AUTO);
        pli_deformable body = levelled(world, meshes[i], starts[i], PLI_STRETCH_HIERARCHY);
        step(world, 1.0);
        double move = largest_move(world, body, starts[i]);
        holds(info_of(world, body).level_count >= 2 && move < 0.001, "%s: moved by %g m", names[i], move);
        pli_world_destroy(world);
    }
    // And the tube does resist being longer than it is, around and along.
    pli_world *world = weightless(1, PLI_SIMD_AUTO);
    for (int32_t v = 0; v < SIDE * SIDE; v++)
        level[3 * v] *= 1.1f;
    pli_deformable body = levelled(world, tube, level, PLI_STRETCH_HIERARCHY);
    step(world, 1.0);
    holds(largest_move(world, body, level) > 0.02, "stretched, it moved by %g m", largest_move(world, body, level));
    pli_world_destroy(world);
    free(level), free(rolled), free(crumpled), free(round);
    pli_mesh_destroy(flat), pli_mesh_destroy(tube), pli_mesh_destroy(ball);
}

static void parts_that_were_cut_apart_do_not_pull(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    pli_world *world = weightless(1, PLI_SIMD_AUTO);
    pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable body = levelled(world, mesh, NULL, PLI_STRETCH_HIERARCHY);
    step(world, 1.0);
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1, 0, 0};
    int32_t copies;
    must(pli_deformable_cut(world, body, &cut, &copies, &problem));
    holds(copies == SIDE, "%d copies", (int)copies);
    const pli_mesh *now;
    must(pli_deformable_get_mesh(world, body, &now, &problem));
    const pli_topology *t = pli_mesh_topology(now);
    bool *part = calloc((size_t)t->vertex_count, sizeof *part);
    float *apart = copied_positions(now);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        part[v] = t->vertex_components[v] == 0;
        apart[3 * v] += part[v] ? 3.0f : 0.0f;
    }
    must(pli_deformable_set_positions(world, body, 0, t->vertex_count, apart, &problem));
    rest_velocities(world, body);
    step(world, 1.0);
    near(length(pull_of(world, body, part).linear), 0.0, 1e-7, "pull on a part");
    near(pull_of(world, body, NULL).size, 0.0, 1e-6, "pulls");
    free(part);
    free(apart);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// In columns and in lists, of so many nodes that they are shared out to threads.
static void states_do_not_depend_on_threads_or_width(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 2; kind++) {
        pli_mesh *flat = kind == 0 ? mesh_grid(70, 60, 1.0, PLI_GRID_DIAGONAL)
                                   : mesh_grid(45, 35, 1.0, PLI_GRID_CROSSED);
        pli_mesh *mesh = mesh_jittered(flat, 0.2, 0.1);
        float *positions = copied_positions(mesh);
        uint64_t first = 0;
        for (int32_t i = 0; i < 3 * pli_mesh_topology(mesh)->vertex_count; i++)
            positions[i] *= 1.2f;
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            for (int32_t threads = 1; threads <= 3 && pli_simd_available((pli_simd)simd); threads++) {
                pli_world *world = weightless(threads, (pli_simd)simd);
                pli_deformable body = levelled(world, mesh, positions, PLI_STRETCH_HIERARCHY);
                constrain(world, body, "distance", NULL);
                const float held = 0.0f;
                must(pli_deformable_set_inverse_masses(world, body, 17, 1, &held, &problem));
                for (int32_t i = 0; i < 5; i++)
                    step(world, 1.0 / 60.0);
                uint64_t hash = pli_world_hash(world);
                first = first ? first : hash;
                holds(hash == first, "mesh %d, %s, %d threads", (int)kind, pli_simd_name((pli_simd)simd), (int)threads);
                pli_world_destroy(world);
            }
        }
        free(positions);
        pli_mesh_destroy(mesh);
    }
}

// Levels are no state: they are made of masses and shapes, which a snapshot brings back.
static void a_restored_run_goes_on_alike(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(40, 30, 1.0, PLI_GRID_ALTERNATING);
    float *positions = copied_positions(mesh);
    for (int32_t i = 0; i < 3 * 40 * 30; i++)
        positions[i] *= 1.2f;
    pli_world *world = weightless(1, PLI_SIMD_AUTO);
    pli_deformable body = levelled(world, mesh, positions, PLI_STRETCH_HIERARCHY);
    constrain(world, body, "distance", NULL);
    size_t size = pli_world_snapshot_size(world);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    uint64_t ends[2];
    for (int32_t round = 0; round < 2; round++) {
        for (int32_t i = 0; i < 5; i++)
            step(world, 1.0 / 60.0);
        ends[round] = pli_world_hash(world);
        const float light = 1e6f, held = 0.0f;
        must(pli_deformable_set_inverse_masses(world, body, 5, 1, &light, &problem));
        must(pli_deformable_set_inverse_masses(world, body, 700, 1, &held, &problem));
        step(world, 1.0 / 60.0);
        must(pli_world_snapshot_read(world, bytes, size, &problem));
    }
    holds(ends[0] == ends[1], "another end");
    free(bytes);
    free(positions);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static pli_world *hung(const pli_mesh *mesh, pli_deformable *body)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    *body = levelled(world, mesh, NULL, PLI_STRETCH_HIERARCHY);
    constrain(world, *body, "distance", NULL);
    return world;
}

// Pins that come and go, and masses that change, step by step, leave the levels that a world has which is made anew with them.
static void pins_one_by_one_are_pins_at_once(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 4; kind++) {
        pli_mesh *mesh = kind == 0   ? mesh_grid(41, 38, 1.0, PLI_GRID_DIAGONAL)
                         : kind == 1 ? mesh_grid(30, 30, 1.0, PLI_GRID_QUADS)
                         : kind == 2 ? mesh_jittered(mesh_grid(40, 40, 1.0, PLI_GRID_CROSSED), 0.25, 0.05)
                                     : mesh_ball(4, 0.02);
        int32_t count = pli_mesh_topology(mesh)->vertex_count;
        pli_deformable body;
        pli_world *world = hung(mesh, &body);
        for (int32_t change = 0; change < 24; change++) {
            float inverse_mass = change % 3 == 0 ? (float)uniform(1e2, 1e5) : 0.0f;
            must(pli_deformable_set_inverse_masses(world, body, below(count), 1, &inverse_mass, &problem));
            if (change % 2 == 0)
                step(world, 1.0 / 60.0);
            if (change % 8 != 7)
                continue;
            size_t size = pli_world_snapshot_size(world);
            void *bytes = malloc(size);
            must(pli_world_snapshot_write(world, bytes, size, &problem));
            pli_deformable anew;
            pli_world *other = hung(mesh, &anew);
            must(pli_world_snapshot_read(other, bytes, size, &problem));
            for (int32_t i = 0; i < 3; i++)
                step(world, 1.0 / 60.0), step(other, 1.0 / 60.0);
            holds(pli_world_hash(world) == pli_world_hash(other), "mesh %d, change %d: another state", (int)kind,
                  (int)change);
            pli_world_destroy(other);
            free(bytes);
        }
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// Meshes that have no coarser level are no failure; levels may be fewer than there could be.
static void small_meshes_and_few_levels(void **state)
{
    (void)state;
    pli_world *world = weightless(1, PLI_SIMD_AUTO);
    const int32_t sides[3] = {2, 4, 30};
    for (int32_t i = 0; i < 3; i++) {
        pli_mesh *mesh = mesh_grid(sides[i], sides[i], 1.0, PLI_GRID_ALTERNATING);
        pli_deformable body = levelled(world, mesh, NULL, PLI_STRETCH_HIERARCHY);
        pli_stretch_limit limit = info_of(world, body).limit;
        int32_t count = info_of(world, body).level_count;
        holds(i == 2 ? count >= 2 : count == 0, "%d vertices: %d levels", (int)(sides[i] * sides[i]), (int)count);
        limit.levels = 2;
        must(pli_deformable_set_stretch_limit(world, body, &limit, &problem));
        holds(info_of(world, body).level_count == (i == 2 ? 2 : 0), "two of them");
        step(world, 1.0 / 60.0);
        pli_mesh_destroy(mesh);
    }
    pli_world_destroy(world);
}

// On a grid a vertex follows a node of the nearest kept lines, which are every fourth; on any mesh each node has followers, and those of one node
// follow one node of the next level.
static void levels_tell_their_nodes(void **state)
{
    (void)state;
    enum { SIDE = 33, LINES = 9, COUNT = SIDE * SIDE };
    for (int32_t kind = 0; kind < 2; kind++) {
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_DIAGONAL);
        mesh = kind == 1 ? mesh_jittered(mesh, 0.25, 0.0) : mesh;
        pli_world_def def = pli_world_def_default();
        pli_world *world = world_from(&def);
        pli_deformable body = levelled(world, mesh, NULL, PLI_STRETCH_HIERARCHY);
        constrain(world, body, "distance", NULL);
        const pli_stretch_limit_info info = info_of(world, body);
        static int32_t nodes[COUNT], before[COUNT], next[COUNT], followers[COUNT];
        int32_t count = 0, finer = COUNT;
        holds(info.level_count >= 2, "%d levels", (int)info.level_count);
        for (int32_t level = 0; level < info.level_count; level++) {
            must(pli_deformable_level_nodes(world, body, level, nodes, &count, &problem));
            holds(count < finer, "level %d has %d nodes, the finer one %d", (int)level, (int)count, (int)finer);
            memset(followers, 0, sizeof followers);
            memset(next, -1, sizeof next);
            for (int32_t v = 0; v < COUNT; v++) {
                assert_in_range(nodes[v], 0, count - 1);
                followers[nodes[v]]++;
                if (level > 0)
                    assert_true(next[before[v]] < 0 || next[before[v]] == nodes[v]);
                if (level > 0)
                    next[before[v]] = nodes[v];
                if (level == 0 && kind == 0)
                    holds(abs(4 * (nodes[v] / LINES) - v / SIDE) <= 2 && abs(4 * (nodes[v] % LINES) - v % SIDE) <= 2,
                          "vertex %d follows node %d", (int)v, (int)nodes[v]);
            }
            for (int32_t node = 0; node < count; node++)
                assert_true(followers[node] > 0);
            memcpy(before, nodes, sizeof before);
            finer = count;
        }
        assert_int_equal(pli_deformable_level_nodes(world, body, info.level_count, nodes, &count, &problem),
                         PLI_STATUS_INVALID_ARGUMENT);
        assert_int_equal(pli_deformable_level_nodes(world, (pli_deformable){0}, 0, nodes, &count, &problem),
                         PLI_STATUS_NOT_FOUND);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(fine_sheets_hold_whatever_the_mesh),
        property(it_hangs_by_any_particle),
        property(both_momenta_are_kept),
        property(what_is_not_stretched_is_let_be),
        property(parts_that_were_cut_apart_do_not_pull),
        property(states_do_not_depend_on_threads_or_width),
        property(a_restored_run_goes_on_alike),
        property(pins_one_by_one_are_pins_at_once),
        property(small_meshes_and_few_levels),
        property(levels_tell_their_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
