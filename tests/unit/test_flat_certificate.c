// Pairs that the flatness certificate excludes are apart: against every pair of primitives, at many times along their
// linear trajectories.
#include "../inside.h"

#include "collision/pair_search/cluster_pairs.h"
#include "pliant/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 14, COUNT = SIDE * SIDE, TIMES = 5 };

static uint32_t random_state = 77;

static double between(double low, double high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(random_state >> 8) / 16777216.0;
}

typedef struct scene {
    pli_memory memory;
    pli_contact_mesh surface, *surfaces[1];
    pli_particle starts[COUNT], trajectories[COUNT];
    pli_collision collision;
    pli_find find;
} scene;

static void build(scene *s, const pli_mesh *mesh, float thickness)
{
    memset(s, 0, sizeof *s);
    s->memory = pli_memory_make(NULL);
    const pli_faces faces = pli_faces_of(pli_mesh_topology(mesh));
    assert_true(pli_contact_mesh_build(&s->memory, &s->surface, &faces, NULL));
    s->surface.material = (pli_contact_mesh_material){.thickness = thickness, .self_collision = true};
    assert_true(pli_contact_mesh_make_flat_certificate(&s->memory, inside_pair_kernels(PLI_SIMD_SCALAR), &s->surface));
    s->surfaces[0] = &s->surface;
}

static void release(scene *s)
{
    pli_contact_mesh_release(&s->memory, &s->surface);
    pli_arena_release(&s->collision.arena);
    pli_bvh16_release(&s->memory, &s->collision.broadphase.tree);
    assert_int_equal(s->memory.bytes, 0);
}

static void refit(scene *s, pli_simd simd)
{
    pli_task_hooks hooks = {0};
    s->collision.memory = s->collision.arena.memory = &s->memory;
    s->collision.surfaces = s->surfaces;
    s->collision.surface_count = 1;
    s->collision.tasks = pli_tasks_create(&s->memory, 1, &hooks);
    s->collision.cache.trajectories.items = s->trajectories;
    s->collision.cache.reach_share = 1.0f, s->collision.cache.near_share = PLI_NEAR_SHARE;
    s->collision.kernels.gradients = inside_gradient_kernels(simd);
    s->find = (pli_find){.collision = &s->collision, .starts = s->starts, .from = 0.0f, .to = 1.0f};
    assert_true(pli_find_refit(&s->find));
    pli_tasks_destroy(&s->memory, s->collision.tasks);
}

// Rolled up, sheared, stretched and rough.
typedef struct shape {
    double radius, shear, stretch[2], rough, turn;
    bool curved; // The rest shape is, and is not rolled up.
} shape;

static shape any_shape(void)
{
    return (shape){between(0.03, 1.0),
                   between(-0.4, 0.4),
                   {between(0.7, 1.5), between(0.7, 1.5)},
                   between(0.0, 1.0) < 0.5 ? 0.0 : between(0.0, 0.3),
                   between(-0.4, 0.4),
                   false};
}

static pli_dvec3 image(const shape *s, const float *rest, double edge)
{
    double x = s->stretch[0] * (double)rest[0] + s->shear * (double)rest[2], z = s->stretch[1] * (double)rest[2];
    double angle = x / s->radius, r = s->rough * edge;
    if (s->curved)
        return (pli_dvec3){x + between(-r, r), s->stretch[0] * (double)rest[1] + s->turn * x + between(-r, r),
                           z + between(-r, r)};
    pli_dvec3 p = {s->radius * sin(angle) + between(-r, r), s->radius * (1.0 - cos(angle)) + between(-r, r),
                   z + between(-r, r)};
    return (pli_dvec3){cos(s->turn) * p.x - sin(s->turn) * p.y, sin(s->turn) * p.x + cos(s->turn) * p.y, p.z};
}

static void deform(scene *s, const shape *from, const shape *to)
{
    for (int32_t i = 0; i < COUNT; i++) {
        const float *rest = s->surface.rest + 3 * i;
        pli_dvec3 p = image(from, rest, (double)s->surface.mean_edge),
                  q = image(to, rest, (double)s->surface.mean_edge);
        s->starts[i] = (pli_particle){(float)p.x, (float)p.y, (float)p.z, 1.0f};
        s->trajectories[i] = (pli_particle){(float)(q.x - p.x), (float)(q.y - p.y), (float)(q.z - p.z), 0.0f};
    }
}

// Positions of the particles at a time, off their trajectories by at most `deviation`.
static void place(const scene *s, double time, double deviation, pli_dvec3 at[COUNT])
{
    for (int32_t i = 0; i < COUNT; i++) {
        const pli_particle *p = &s->starts[i], *w = &s->trajectories[i];
        double off = deviation / sqrt(3.0);
        at[i] = (pli_dvec3){(double)p->x + time * (double)w->x + between(-off, off),
                            (double)p->y + time * (double)w->y + between(-off, off),
                            (double)p->z + time * (double)w->z + between(-off, off)};
    }
}

static bool share(const int32_t *a, int32_t count_a, const int32_t *b, int32_t count_b)
{
    for (int32_t i = 0; i < count_a; i++)
        for (int32_t k = 0; k < count_b; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

// The least distance between primitives that share no particle, and its ratio to that at rest.
typedef struct least {
    double distance, share;
} least;

static void measure_distance(const scene *s, pli_primitive ka, int32_t a, pli_primitive kb, int32_t b,
                             const pli_dvec3 *at, least *all)
{
    const pli_contact_mesh *f = &s->surface;
    const pli_clusters *p = &f->clusters;
    for (int32_t i = p->starts[ka][a]; i < p->ends[ka][a]; i++)
        for (int32_t k = p->starts[kb][b]; k < p->ends[kb][b]; k++) {
            int32_t ia = p->items[ka][i], ib = p->items[kb][k], split = ka == PLI_PRIMITIVE_VERTEX ? 1 : 2;
            const int32_t *pa = split == 1 ? &ia : f->edges + 2 * ia;
            const int32_t *pb = split == 1 ? f->triangles + 3 * ib : f->edges + 2 * ib;
            if (share(pa, split, pb, 4 - split))
                continue;
            pli_dvec3 now[4], rest[4];
            for (int32_t c = 0; c < 4; c++) {
                int32_t v = c < split ? pa[c] : pb[c - split];
                now[c] = at[v];
                rest[c] = (pli_dvec3){(double)f->rest[3 * v], (double)f->rest[3 * v + 1], (double)f->rest[3 * v + 2]};
            }
            pli_pair_kind kind = split == 1 ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE;
            double distance = sqrt(pli_closest_points(kind, now).square);
            all->distance = fmin(all->distance, distance);
            all->share = fmin(all->share, distance / sqrt(pli_closest_points(kind, rest).square));
        }
}

static least least_of_patches(const scene *s, int32_t a, int32_t b, const pli_dvec3 *at)
{
    least all = {INFINITY, INFINITY};
    measure_distance(s, PLI_PRIMITIVE_VERTEX, a, PLI_PRIMITIVE_TRIANGLE, b, at, &all);
    measure_distance(s, PLI_PRIMITIVE_VERTEX, b, PLI_PRIMITIVE_TRIANGLE, a, at, &all);
    measure_distance(s, PLI_PRIMITIVE_EDGE, a, PLI_PRIMITIVE_EDGE, b, at, &all);
    return all;
}

static pli_mesh *grid(pli_grid_pattern pattern)
{
    pli_mesh *mesh = NULL;
    assert_int_equal(pli_mesh_create_grid(SIDE, SIDE, 0.26f, 0.26f, pattern, &mesh, NULL), PLI_STATUS_OK);
    return mesh;
}

// The same moved by up to a quarter of a cell, but for its border: slivers, with heights down to a fifth of a cell.
static pli_mesh *uneven(pli_grid_pattern pattern)
{
    pli_mesh *whole = grid(pattern), *mesh = NULL;
    const pli_topology *t = pli_mesh_topology(whole);
    float positions[3 * COUNT], most = 0.25f * 0.26f / (SIDE - 1);
    int32_t sizes[2 * COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        bool inside = i % SIDE > 0 && i % SIDE < SIDE - 1 && i / SIDE > 0 && i / SIDE < SIDE - 1;
        for (int32_t k = 0; k < 3; k++)
            positions[3 * i + k] = t->positions[3 * i + k] +
                                   (inside && k != 1 ? (float)between(-1.0, 1.0) * most : 0.0f);
    }
    for (int32_t i = 0; i < t->face_count; i++)
        sizes[i] = t->face_offsets[i + 1] - t->face_offsets[i];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = COUNT;
    def.face_sizes = sizes, def.face_vertices = t->face_vertices, def.face_count = t->face_count;
    assert_int_equal(pli_mesh_create(&def, &mesh, NULL), PLI_STATUS_OK);
    pli_mesh_destroy(whole);
    return mesh;
}

// The grid bent about its rows, by 150 degrees, or over a ball.
static pli_mesh *bent(pli_grid_pattern pattern, double radius, bool over_ball)
{
    pli_mesh *whole = grid(pattern), *mesh = NULL;
    const pli_topology *t = pli_mesh_topology(whole);
    float positions[3 * COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        double angle = (double)t->positions[3 * i] / radius;
        positions[3 * i] = (float)(radius * sin(angle)), positions[3 * i + 1] = (float)(radius * cos(angle));
        double across = (double)t->positions[3 * i + 2] / radius, inward = positions[3 * i + 1];
        positions[3 * i + 1] = (float)(inward * (over_ball ? cos(across) : 1.0));
        positions[3 * i + 2] = over_ball ? (float)(inward * sin(across)) : t->positions[3 * i + 2];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = COUNT;
    def.face_vertices = t->face_vertices, def.face_count = t->face_count;
    assert_int_equal(pli_mesh_create(&def, &mesh, NULL), PLI_STATUS_OK);
    pli_mesh_destroy(whole);
    return mesh;
}

static pli_mesh *curved(pli_grid_pattern pattern) { return bent(pattern, 0.1, false); }

// The grid without some squares: with a notch from the middle of one border, or in two pieces.
static pli_mesh *in_parts(bool pieces)
{
    pli_mesh *whole = grid(PLI_GRID_DIAGONAL), *mesh = NULL;
    const pli_topology *t = pli_mesh_topology(whole);
    int32_t corners[6 * COUNT], count = 0;
    for (int32_t i = 0; i < t->face_count; i++) {
        int32_t column = i / 2 % (SIDE - 1), row = i / 2 / (SIDE - 1);
        for (int32_t k = 0; k < 3 && (column != SIDE / 2 || (row < SIDE / 2 && !pieces)); k++)
            corners[count++] = t->face_vertices[3 * i + k];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = t->positions, def.vertex_count = COUNT;
    def.face_vertices = corners, def.face_count = count / 3;
    assert_int_equal(pli_mesh_create(&def, &mesh, NULL), PLI_STATUS_OK);
    pli_mesh_destroy(whole);
    return mesh;
}

static bool is_rough(const scene *s, int32_t cluster, int32_t partner)
{
    uint64_t bit = UINT64_C(1) << partner;
    bool together = (pli_find_uncertified(&s->find, 0, cluster,
                                          pli_flat_certificate_all(s->surface.flat_certificate, cluster)) &
                     bit) != 0;
    bool alone = pli_find_uncertified(&s->find, 0, cluster, bit) != 0;
    return together && alone;
}

// Checks the distances along linear trajectories, with and without deviations: pairs of clusters stay farther apart than
// pairs are searched for, or, in thick cloth, keep a share of the distances at rest.
static void assert_apart(const scene *s, bool thick, double least_share, int32_t a, int32_t b,
                         pli_dvec3 (*at)[2][COUNT])
{
    double allowed_deviation = (double)s->collision.cache.slack.allowed_deviation,
           reach = (double)pli_collision_reach(&s->collision, s->surface.material.thickness);
    for (int32_t time = 0; time < TIMES; time++) {
        least kept = least_of_patches(s, a, b, at[time][0]), left = least_of_patches(s, a, b, at[time][1]);
        bool far = kept.distance >= 0.9999 * reach && left.distance >= 0.9999 * (reach - 2.0 * allowed_deviation);
        if (!far && !(thick && kept.share >= least_share && left.share >= 0.05))
            fail_msg("patches %d and %d: %g m apart and %g of the distance at rest, %g m and %g off the way", (int)a,
                     (int)b, kept.distance, kept.share, left.distance, left.share);
    }
}

// How many pairs of clusters are smooth, of `looked`.
static int32_t look_at_all(const scene *s, bool thick, double least_share, pli_dvec3 (*at)[2][COUNT], int32_t *looked)
{
    const pli_flat_certificate *flat_certificate = s->surface.flat_certificate;
    int32_t smooth = 0;
    for (int32_t a = 0; a < s->surface.clusters.count; a++)
        for (int32_t k = 0; k < pli_flat_certificate_partner_count(flat_certificate, a); k++) {
            ++*looked;
            if (is_rough(s, a, k))
                continue;
            smooth++;
            assert_apart(s, thick, least_share, a, flat_certificate->partners[flat_certificate->partner_starts[a] + k],
                         at);
        }
    return smooth;
}

static void what_is_smooth_is_apart(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    static pli_dvec3 at[TIMES][2][COUNT];
    int32_t smooth[2] = {0}, looked[2] = {0}, curved_smooth = 0;
    for (int32_t round = 0; round < 60; round++) {
        pli_grid_pattern pattern = round % 4 < 2 ? PLI_GRID_DIAGONAL : PLI_GRID_ALTERNATING;
        pli_mesh *mesh = round % 7 == 6   ? curved(pattern)
                         : round % 3 == 0 ? grid(pattern)
                         : round % 3 == 1 ? uneven(pattern)
                                          : in_parts(round % 6 < 3);
        bool thick = round % 2 != 0;
        build(s, mesh, thick ? 0.01f : 0.001f);
        assert_non_null(s->surface.flat_certificate);
        shape from = any_shape(), to = from;
        from.curved = to.curved = round % 7 == 6;
        to.turn += between(-0.3, 0.3), to.shear += between(-0.1, 0.1), to.radius *= between(0.8, 1.2);
        deform(s, &from, &to);
        float allowed_deviation = s->collision.cache.slack.allowed_deviation = (thick ? 0.15f : 0.1f) *
                                                                               s->surface.mean_edge;
        if (round % 3 ==
            2) { // Across the gap something happens that no gradient shows: one side is moved over the other.
            float over = (float)between(-0.1, 0.1);
            for (int32_t i = 0; i < COUNT; i++)
                s->starts[i].x += round % 6 < 3 && i % SIDE > SIDE / 2 ? over : 0.0f;
        }
        refit(s, PLI_SIMD_SCALAR);
        for (int32_t time = 0; time < TIMES; time++)
            for (int32_t deviations = 0; deviations < 2; deviations++)
                place(s, (double)time / (TIMES - 1), deviations ? (double)allowed_deviation : 0.0,
                      at[time][deviations]);
        int32_t before = smooth[thick];
        smooth[thick] += look_at_all(s, thick, round % 7 == 6 ? 0.699 * 0.82 : 0.699, at, &looked[thick]);
        curved_smooth += round % 7 == 6 ? smooth[thick] - before : 0;
        release(s);
        pli_mesh_destroy(mesh);
    }
    assert_true(curved_smooth > 100);
    for (int32_t thick = 0; thick < 2; thick++) {
        assert_true(smooth[thick] > 500);
        assert_true(looked[thick] > smooth[thick] + 500);
    }
    free(s);
}

static void back_ends_say_alike(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    pli_mesh *mesh = grid(PLI_GRID_ALTERNATING);
    for (int32_t round = 0; round < 10; round++) {
        uint64_t first[COUNT];
        shape from = any_shape(), to = from;
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            build(s, mesh, round % 2 ? 0.01f : 0.001f);
            random_state = 5;
            deform(s, &from, &to);
            s->collision.cache.slack.allowed_deviation = 0.1f * s->surface.mean_edge;
            refit(s, (pli_simd)simd);
            for (int32_t a = 0; a < s->surface.clusters.count; a++) {
                uint64_t rough = pli_find_uncertified(&s->find, 0, a,
                                                      pli_flat_certificate_all(s->surface.flat_certificate, a));
                first[a] = simd == (int32_t)PLI_SIMD_SCALAR ? rough : first[a];
                assert_true(rough == first[a]);
            }
            release(s);
        }
        random_state = (uint32_t)round;
    }
    pli_mesh_destroy(mesh);
    free(s);
}

static void a_sheet_at_rest_is_smooth_and_a_fold_is_not(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    pli_mesh *mesh = grid(PLI_GRID_ALTERNATING);
    for (int32_t round = 0; round < 4; round++) {
        bool folded = round % 2 != 0;
        build(s, mesh, round < 2 ? 0.01f : 0.001f);
        for (int32_t i = 0; i < COUNT; i++) {
            const float *p = s->surface.rest + 3 * i;
            float x = folded ? fabsf(p[0]) : p[0];
            s->starts[i] = (pli_particle){x, folded && p[0] < 0.0f ? 0.001f : 0.0f, p[2], 1.0f};
        }
        s->collision.cache.slack.allowed_deviation = 0.1f * s->surface.mean_edge;
        refit(s, PLI_SIMD_SCALAR);
        int32_t refused = 0;
        for (int32_t a = 0; a < s->surface.clusters.count; a++)
            for (int32_t k = 0; k < pli_flat_certificate_partner_count(s->surface.flat_certificate, a); k++)
                refused += is_rough(s, a, k);
        assert_true(folded ? refused > 5 : refused == 0);
        release(s);
    }
    pli_mesh_destroy(mesh);
    free(s);
}

static void only_covered_hulls_have_certificates(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    // A square of 3 x 3 vertices, without one of its triangles, bent, and torn along the middle.
    const float flat[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 1, 2, 0,
                          1, 0, 0, 2, 1, 0, 2, 2, 0, 2, 1, 0, 0, 1, 0, 1};
    const int32_t triangles[] = {0, 3, 4, 0, 4, 1, 3, 6, 7, 3, 7, 4, 1, 4, 5, 1, 5, 2, 4, 7, 8, 4, 8, 5};
    enum { WHOLE, NOTCHED, BENT, SLIT, KINDS };
    for (int32_t what = WHOLE; what < KINDS; what++) {
        float positions[33];
        int32_t corners[24];
        memcpy(positions, flat, sizeof flat);
        memcpy(corners, triangles, sizeof triangles);
        if (what == BENT)
            positions[3 * 8 + 1] = 0.2f;
        for (int32_t i = 12; what == SLIT && i < 24; i++)
            corners[i] = corners[i] == 1 ? 9 : corners[i] == 4 && i < 18 ? 10 : corners[i];
        pli_mesh_def def = pli_mesh_def_default();
        def.positions = positions, def.vertex_count = what == SLIT ? 11 : 9;
        def.face_vertices = corners, def.face_count = what == NOTCHED ? 7 : 8;
        pli_mesh *mesh = NULL;
        assert_int_equal(pli_mesh_create(&def, &mesh, NULL), PLI_STATUS_OK);
        build(s, mesh, 0.01f);
        const pli_flat_certificate *made = s->surface.flat_certificate;
        assert_non_null(made);
        // One cluster, whose hull is not covered where a triangle is missing or a tear runs, nor where a bent border is
        // no straight line from above.
        assert_int_equal(pli_flat_certificate_partner_count(made, 0), what == WHOLE);
        release(s);
        pli_mesh_destroy(mesh);
    }
    free(s);
}

static bool share_a_vertex(const pli_contact_mesh *s, int32_t a, int32_t b)
{
    int32_t ones[PLI_CLUSTER_PLACES], others[PLI_CLUSTER_PLACES];
    int32_t count = pli_contact_mesh_places(s, a, ones), more = pli_contact_mesh_places(s, b, others);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < more; k++)
            if (ones[i] == others[k])
                return true;
    return false;
}

// Charts overlap, so that neighbours are partners where a chart ends, and are certified at rest by images of both in one chart.
static void look_over_ball(double radius, double least_share)
{
    scene *s = malloc(sizeof *s);
    pli_mesh *mesh = bent(PLI_GRID_ALTERNATING, radius, true);
    build(s, mesh, 0.001f);
    const pli_flat_certificate *made = s->surface.flat_certificate;
    assert_non_null(made);
    assert_true(made->image_count > made->cluster_count);
    int32_t neighbours = 0, partners = 0, rough = 0, clusters = s->surface.clusters.count;
    for (int32_t i = 0; i < COUNT; i++) {
        const float *p = s->surface.rest + 3 * i;
        s->starts[i] = (pli_particle){p[0], p[1], p[2], 1.0f};
    }
    s->collision.cache.slack.allowed_deviation = 0.1f * s->surface.mean_edge;
    refit(s, PLI_SIMD_SCALAR);
    for (int32_t a = 0; a < clusters; a++)
        for (int32_t b = a; b < clusters; b++) {
            int32_t partner = pli_flat_certificate_partner(made, a, b);
            neighbours += share_a_vertex(&s->surface, a, b);
            partners += partner >= 0 && share_a_vertex(&s->surface, a, b);
            rough += partner >= 0 && is_rough(s, a, partner);
        }
    // The rest are at the border, where it is no straight line from above.
    assert_true(partners > least_share * neighbours);
    assert_int_equal(rough, 0);
    release(s);
    pli_mesh_destroy(mesh);
    free(s);
}

static void neighbours_are_partners_across_seams(void **state)
{
    (void)state;
    look_over_ball(0.4, 0.45);
    look_over_ball(0.2, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_smooth_is_apart),
        cmocka_unit_test(back_ends_say_alike),
        cmocka_unit_test(a_sheet_at_rest_is_smooth_and_a_fold_is_not),
        cmocka_unit_test(only_covered_hulls_have_certificates),
        cmocka_unit_test(neighbours_are_partners_across_seams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
