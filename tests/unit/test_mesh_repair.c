// Repair: what is dropped, turned and cut; that a second repair finds nothing; and random soups.
#include "mesh_oracle.h"

static const float points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5f, 0.5f, 1, 0.5f, 0.5f, -1, 2, 0, 0, 2, 1, 0};

static pli_mesh *repair(const float *positions, int32_t vertex_count, const int32_t *sizes, const int32_t *faces,
                        int32_t face_count)
{
    pli_mesh_def def = oracle_def(positions, vertex_count, sizes, faces, face_count);
    def.policy = PLI_MESH_REPAIR;
    return oracle_make(&def);
}

// The face's parity in the tree of faces that must agree with one another.
static int32_t find_root(const int32_t *parents, const int32_t *flips, int32_t face, int32_t *flip)
{
    for (*flip = 0; parents[face] != face; face = parents[face])
        *flip ^= flips[face];
    return face;
}

// Whether some orientation of the faces lets all neighbours agree.
static bool is_orientable(const pli_topology *t)
{
    int32_t *parents = malloc(((size_t)t->face_count + 1) * sizeof *parents);
    int32_t *flips = calloc((size_t)t->face_count + 1, sizeof *flips);
    bool orientable = true;
    for (int32_t face = 0; face < t->face_count; face++)
        parents[face] = face;
    for (int32_t h = 0; h < t->hinge_count; h++) {
        const int32_t *p = t->hinges + 4 * h, *f = t->edge_faces + 2 * t->hinge_edges[h];
        int32_t wanted = oracle_step(t, f[0], p[0], p[1]) >= 0 && oracle_step(t, f[1], p[0], p[1]) >= 0;
        int32_t flip[2], root[2];
        for (int side = 0; side < 2; side++)
            root[side] = find_root(parents, flips, f[side], &flip[side]);
        if (root[0] == root[1])
            orientable = orientable && (flip[0] ^ flip[1]) == wanted;
        parents[root[0]] = root[1];
        flips[root[0]] = root[0] == root[1] ? 0 : flip[0] ^ flip[1] ^ wanted;
    }
    free(parents);
    free(flips);
    return orientable;
}

static void check_repaired(const pli_mesh *mesh)
{
    const pli_mesh_report *r = pli_mesh_get_report(mesh);
    const pli_topology *t = pli_mesh_topology(mesh);
    oracle_check(mesh);
    assert_int_equal(r->non_manifold_edges, 0);
    assert_int_equal(r->non_manifold_vertices, 0);
    assert_int_equal(r->repeated_vertex_faces, 0);
    assert_int_equal(r->duplicate_faces, 0);
    if (r->component_count == 1)
        assert_int_equal(r->oriented, is_orientable(t));
    else if (is_orientable(t))
        assert_true(r->oriented);
    int32_t *sizes = malloc(((size_t)t->face_count + 1) * sizeof *sizes);
    for (int32_t face = 0; face < t->face_count; face++)
        sizes[face] = oracle_degree(t, face);
    pli_mesh *again = repair(t->positions, t->vertex_count, sizes, t->face_vertices, t->face_count);
    const pli_topology *second = pli_mesh_topology(again);
    assert_int_equal(second->vertex_count, t->vertex_count);
    assert_int_equal(second->face_count, t->face_count);
    assert_memory_equal(second->face_vertices, t->face_vertices, (size_t)t->corner_count * sizeof(int32_t));
    pli_mesh_destroy(again);
    free(sizes);
}

static void sound_meshes_stay_as_they_are(void **state)
{
    (void)state;
    static const int32_t sizes[] = {4, 4}, faces[] = {0, 1, 2, 3, 6, 7, 2, 1};
    pli_mesh *mesh = repair(points, 8, sizes, faces, 2);
    assert_memory_equal(pli_mesh_topology(mesh)->face_vertices, faces, sizeof faces);
    assert_int_equal(pli_mesh_topology(mesh)->vertex_count, 8);
    check_repaired(mesh);
    pli_mesh_destroy(mesh);
}

static void three_triangles_on_an_edge_come_apart(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 3, 1, 0, 4, 0, 1, 5};
    pli_mesh *mesh = repair(points, 6, NULL, faces, 3);
    const pli_topology *t = pli_mesh_topology(mesh);
    check_repaired(mesh);
    assert_int_equal(t->vertex_count, 10);
    assert_int_equal(t->component_count, 3);
    assert_int_equal(t->hinge_count, 0);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        assert_int_equal(t->vertex_source[v], v < 6 ? v : (v - 6) / 2);
        assert_memory_equal(t->positions + 3 * v, points + 3 * t->vertex_source[v], 3 * sizeof(float));
    }
    pli_mesh_destroy(mesh);
}

static void bow_ties_come_apart(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 4, 0, 3, 5};
    pli_mesh *mesh = repair(points, 6, NULL, faces, 2);
    const pli_topology *t = pli_mesh_topology(mesh);
    check_repaired(mesh);
    assert_int_equal(t->vertex_count, 7);
    assert_int_equal(t->vertex_source[6], 0);
    assert_int_equal(t->face_vertices[0], 0);
    assert_int_equal(t->face_vertices[3], 6);
    assert_int_equal(t->component_count, 2);
    pli_mesh_destroy(mesh);
}

static void a_turned_neighbour_is_turned_back(void **state)
{
    (void)state;
    static const int32_t faces[][9] = {
        {0, 1, 4, 4, 1, 2, 2, 4, 3}, // The last one is turned.
        {4, 1, 0, 1, 2, 4, 2, 3, 4}, // The first one is: the majority wins.
    };
    for (int i = 0; i < 2; i++) {
        pli_mesh *mesh = repair(points, 5, NULL, faces[i], 3);
        const pli_topology *t = pli_mesh_topology(mesh);
        check_repaired(mesh);
        assert_true(pli_mesh_get_report(mesh)->oriented);
        for (int32_t face = 0; face < 3; face++)
            assert_true(oracle_step(t, face, face, face + 1) >= 0);
        pli_mesh_destroy(mesh);
    }
    static const int32_t draw_game[] = {0, 1, 2, 0, 3, 2};
    pli_mesh *mesh = repair(points, 4, NULL, draw_game, 2);
    assert_memory_equal(pli_mesh_topology(mesh)->face_vertices, draw_game, 3 * sizeof(int32_t));
    check_repaired(mesh);
    pli_mesh_destroy(mesh);
}

static void unusable_faces_are_dropped(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 0, 1, 0, 1, 2, 2, 1, 0, 0, 2, 3, 3, 3, 3, 1, 2, 0};
    pli_mesh *mesh = repair(points, 4, NULL, faces, 6);
    const pli_topology *t = pli_mesh_topology(mesh);
    const int32_t kept[] = {0, 1, 2, 0, 2, 3};
    check_repaired(mesh);
    assert_int_equal(t->face_count, 2);
    assert_memory_equal(t->face_vertices, kept, sizeof kept);
    assert_int_equal(t->vertex_count, 4);
    pli_mesh_destroy(mesh);
}

static void nothing_may_be_left(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 0, 1};
    pli_mesh *mesh = repair(points, 2, NULL, faces, 1);
    check_repaired(mesh);
    assert_int_equal(pli_mesh_get_report(mesh)->face_count, 0);
    assert_int_equal(pli_mesh_get_report(mesh)->isolated_vertices, 2);
    assert_int_equal(pli_mesh_get_report(mesh)->face_degree_max, 0);
    pli_mesh_destroy(mesh);
}

// A strip of `count` quads closed with or without a twist.
static pli_mesh *band(int32_t count, bool twisted)
{
    float positions[2 * 3 * 32] = {0};
    int32_t sizes[32], faces[4 * 32];
    for (int32_t i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * i / count, tilt = twisted ? angle / 2 : 0;
        for (int32_t side = 0; side < 2; side++) {
            const double r = 3 + (side ? 1 : -1) * cos(tilt);
            float *p = positions + 3 * (2 * i + side);
            p[0] = (float)(r * cos(angle)), p[1] = (float)((side ? 1 : -1) * sin(tilt)), p[2] = (float)(r * sin(angle));
        }
        int32_t next = i + 1 == count ? 0 : i + 1, swap = twisted && i + 1 == count;
        const int32_t quad[] = {2 * i, 2 * i + 1, 2 * next + !swap, 2 * next + swap};
        memcpy(faces + 4 * i, quad, sizeof quad);
        sizes[i] = 4;
    }
    return repair(positions, 2 * count, sizes, faces, count);
}

static void a_moebius_band_stays(void **state)
{
    (void)state;
    pli_mesh *mesh = band(9, true);
    const pli_mesh_report *r = pli_mesh_get_report(mesh);
    check_repaired(mesh);
    assert_false(is_orientable(pli_mesh_topology(mesh)));
    assert_false(r->oriented);
    assert_int_equal(r->misoriented_edges, 1);
    assert_int_equal(r->boundary_loop_count, 1);
    assert_int_equal(oracle_euler(mesh), 0);
    pli_mesh_destroy(mesh);
    mesh = band(9, false);
    assert_true(pli_mesh_get_report(mesh)->oriented);
    assert_int_equal(pli_mesh_get_report(mesh)->boundary_loop_count, 2);
    pli_mesh_destroy(mesh);
}

// Two cubes that share an edge: closed once cut apart.
static void cubes_on_an_edge_come_apart_closed(void **state)
{
    (void)state;
    static const float corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1,
                                    0, 1, 1, 2, 1, 0, 2, 2, 0, 1, 2, 0, 2, 1, 1, 2, 2, 1, 1, 2, 1};
    static const int32_t sizes[] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int32_t faces[] = {0, 3,  2, 1, 4, 5,  6,  7,  0, 1, 5,  4, 1, 2, 6,  5,  2, 3,  7,  6,  3,  0, 4, 7,
                                    2, 10, 9, 8, 6, 11, 12, 13, 2, 8, 11, 6, 8, 9, 12, 11, 9, 10, 13, 12, 10, 2, 6, 13};
    pli_mesh *mesh = repair(corners, 14, sizes, faces, 12);
    check_repaired(mesh);
    assert_int_equal(pli_mesh_get_report(mesh)->component_count, 2);
    assert_int_equal(pli_mesh_get_report(mesh)->vertex_count, 16);
    assert_true(pli_mesh_get_report(mesh)->closed);
    oracle_near(pli_mesh_get_report(mesh)->volume, 2, 1e-6);
    pli_mesh_destroy(mesh);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

static int32_t make_soup(uint64_t *seed, float *positions, int32_t *vertex_count, int32_t *sizes, int32_t *faces)
{
    int32_t face_count = (int32_t)draw(seed, 24), corners = 0;
    *vertex_count = 3 + (int32_t)draw(seed, 10);
    const bool wrong = draw(seed, 16) == 0;
    for (int32_t i = 0; i < 3 * *vertex_count; i++)
        positions[i] = (float)draw(seed, 5) * 0.25f;
    if (draw(seed, 32) == 0)
        positions[draw(seed, 9)] = NAN;
    for (int32_t face = 0; face < face_count; face++) {
        sizes[face] = 3 + (int32_t)(draw(seed, 3) == 0 ? draw(seed, 5) : 0);
        if (wrong && draw(seed, 8) == 0)
            sizes[face] = (int32_t)draw(seed, 4) - 1;
        for (int32_t i = 0; i < sizes[face]; i++) {
            faces[corners + i] = (int32_t)draw(seed, (uint32_t)*vertex_count + (wrong && draw(seed, 8) == 0));
            if (i > 0 && draw(seed, 4) && faces[corners + i] == faces[corners + i - 1])
                faces[corners + i] = (faces[corners + i] + 1) % *vertex_count;
        }
        corners += sizes[face] > 0 ? sizes[face] : 0;
    }
    return face_count;
}

static void random_soups_are_refused_or_repaired(void **state)
{
    (void)state;
    uint64_t seed = 20;
    int32_t refused = 0, cut = 0, hopeless = 0;
    for (int32_t round = 0; round < 4000; round++) {
        float positions[3 * 16];
        int32_t sizes[24], faces[24 * 8], vertex_count;
        int32_t face_count = make_soup(&seed, positions, &vertex_count, sizes, faces);
        pli_mesh_def def = oracle_def(positions, vertex_count, sizes, faces, face_count);
        pli_mesh_report report;
        pli_error error;
        pli_mesh *mesh = NULL;
        pli_status status = pli_mesh_inspect(&def, &report, &error);
        assert_int_equal(pli_mesh_create(&def, &mesh, &error), status);
        refused += status != PLI_STATUS_OK;
        if (mesh)
            oracle_check(mesh);
        pli_mesh_destroy(mesh);
        mesh = NULL;
        def.policy = PLI_MESH_REPAIR;
        status = pli_mesh_inspect(&def, &report, &error);
        assert_int_equal(pli_mesh_create(&def, &mesh, &error), status);
        hopeless += status != PLI_STATUS_OK;
        assert_int_equal(status != PLI_STATUS_OK,
                         report.wrong_sizes + report.wrong_indices + report.non_finite_vertices > 0);
        if (!mesh)
            continue;
        check_repaired(mesh);
        cut += pli_mesh_topology(mesh)->vertex_count > vertex_count;
        pli_mesh_destroy(mesh);
    }
    assert_true(refused > 1000 && cut > 1000 && hopeless > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_meshes_stay_as_they_are),
        cmocka_unit_test(three_triangles_on_an_edge_come_apart),
        cmocka_unit_test(bow_ties_come_apart),
        cmocka_unit_test(a_turned_neighbour_is_turned_back),
        cmocka_unit_test(unusable_faces_are_dropped),
        cmocka_unit_test(nothing_may_be_left),
        cmocka_unit_test(a_moebius_band_stays),
        cmocka_unit_test(cubes_on_an_edge_come_apart_closed),
        cmocka_unit_test(random_soups_are_refused_or_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
