// Diagnostics: each kind of flaw in a mesh made by hand, what the report says and what the message names.
#include "mesh_oracle.h"

static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 0, 0, 1};

// Inspects and creates: both must agree. Returns the report of the arrays as given.
static pli_mesh_report inspect(const pli_mesh_def *def, pli_status expected, const char *words)
{
    pli_mesh_report report;
    pli_error inspected = {0}, created = {0};
    pli_mesh *mesh = NULL;
    assert_int_equal(pli_mesh_inspect(def, &report, &inspected), expected);
    assert_int_equal(pli_mesh_create(def, &mesh, &created), expected);
    assert_int_equal(mesh != NULL, expected == PLI_STATUS_OK);
    assert_string_equal(inspected.message, created.message);
    if (!strstr(inspected.message, words))
        fail_msg("\"%s\" does not say \"%s\"", inspected.message, words);
    if (mesh)
        oracle_check(mesh);
    pli_mesh_destroy(mesh);
    return report;
}

static void sound_meshes_have_nothing_to_report(void **state)
{
    (void)state;
    static const int32_t sizes[] = {4}, faces[] = {0, 1, 2, 3};
    pli_mesh_def def = oracle_def(square, 4, sizes, faces, 1);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.edge_count, 4);
    assert_int_equal(r.boundary_loop_count, 1);
    const int32_t counts[] = {r.wrong_indices,         r.wrong_sizes,     r.non_finite_vertices,   r.non_manifold_edges,
                              r.repeated_vertex_faces, r.duplicate_faces, r.non_manifold_vertices, r.isolated_vertices,
                              r.duplicate_vertices,    r.zero_area_faces, r.misoriented_edges};
    for (int32_t i = 0; i < COUNT_OF(counts); i++)
        assert_int_equal(counts[i], 0);
    const int32_t firsts[] = {r.first_wrong_index_face,     r.first_wrong_size_face,      r.first_non_finite_vertex,
                              r.first_non_manifold_edge[0], r.first_repeated_vertex_face, r.first_duplicate_face,
                              r.first_non_manifold_vertex,  r.first_isolated_vertex,      r.first_duplicate_vertex,
                              r.first_zero_area_face,       r.first_misoriented_edge[0]};
    for (int32_t i = 0; i < COUNT_OF(firsts); i++)
        assert_int_equal(firsts[i], -1);
    oracle_near(r.area, 1, 0);
    oracle_near((double)r.edge_length_mean, 1, 0);
}

static void wrong_indices_are_always_refused(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 2, 0, 2, 4, 0, -1, INT32_MAX};
    pli_mesh_def def = oracle_def(square, 4, NULL, faces, 3);
    for (int repair = 0; repair < 2; repair++) {
        def.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
        pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "face 1 names a vertex outside 0 to 3");
        assert_int_equal(r.wrong_indices, 3);
        assert_int_equal(r.first_wrong_index_face, 1);
        assert_int_equal(r.edge_count, 0);
    }
}

static void wrong_sizes_are_always_refused(void **state)
{
    (void)state;
    static const int32_t sizes[] = {3, 2, 0}, negative[] = {3, -3}, endless[] = {INT32_MAX, INT32_MAX, 3};
    static const int32_t faces[] = {0, 1, 2, 0, 2};
    pli_mesh_def def = oracle_def(square, 4, sizes, faces, 3);
    pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "face 1 has fewer than 3 corners");
    assert_int_equal(r.wrong_sizes, 2);
    assert_int_equal(r.first_wrong_size_face, 1);
    assert_int_equal(r.wrong_indices, 0);
    def = oracle_def(square, 4, negative, faces, 2);
    inspect(&def, PLI_STATUS_INVALID_MESH, "face 1 has fewer than 3 corners");
    def = oracle_def(square, 4, endless, faces, 3);
    inspect(&def, PLI_STATUS_INVALID_MESH, "corners together");
}

static void non_finite_positions_are_always_refused(void **state)
{
    (void)state;
    float positions[12];
    memcpy(positions, square, sizeof positions);
    positions[4] = INFINITY;
    positions[11] = NAN;
    static const int32_t faces[] = {0, 1, 2, 0, 2, 3};
    pli_mesh_def def = oracle_def(positions, 4, NULL, faces, 2);
    def.policy = PLI_MESH_REPAIR;
    pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "vertex 1 is not finite");
    assert_int_equal(r.non_finite_vertices, 2);
    assert_int_equal(r.first_non_finite_vertex, 1);
    assert_int_equal(r.edge_count, 5);
}

static void non_manifold_edges_are_named(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 3, 1, 0, 4, 0, 1, 5};
    pli_mesh_def def = oracle_def(square, 6, NULL, faces, 3);
    pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "between vertices 0 and 1 has 3 faces");
    assert_int_equal(r.non_manifold_edges, 1);
    assert_int_equal(r.first_non_manifold_edge[0], 0);
    assert_int_equal(r.first_non_manifold_edge[1], 1);
    assert_int_equal(r.edge_count, 7);
    assert_int_equal(r.boundary_edge_count, 6);
    assert_int_equal(r.isolated_vertices, 1);
    assert_int_equal(r.first_isolated_vertex, 2);
    inspect(&def, PLI_STATUS_INVALID_MESH, "repair");
    def.policy = PLI_MESH_REPAIR;
    assert_int_equal(inspect(&def, PLI_STATUS_OK, "").non_manifold_edges, 1);
}

static void faces_that_use_a_vertex_twice_are_named(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 2, 3, 3, 0, 2, 2, 2};
    pli_mesh_def def = oracle_def(square, 4, NULL, faces, 3);
    pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "face 1 uses a vertex twice");
    assert_int_equal(r.repeated_vertex_faces, 2);
    assert_int_equal(r.first_repeated_vertex_face, 1);
}

static void duplicate_faces_are_counted(void **state)
{
    (void)state;
    static const int32_t sizes[] = {3, 4, 3, 4, 3}, faces[] = {0, 1, 4, 0, 1, 2, 3, 4, 0, 1, 3, 1, 0, 2, 1, 2, 3};
    pli_mesh_def def = oracle_def(square, 5, sizes, faces, 5);
    pli_mesh_report r = inspect(&def, PLI_STATUS_INVALID_MESH, "faces");
    assert_int_equal(r.duplicate_faces, 2);
    assert_int_equal(r.first_duplicate_face, 2);
}

static void a_doubled_triangle_is_allowed(void **state)
{
    (void)state;
    static const int32_t same[] = {0, 1, 2, 0, 1, 2}, back[] = {0, 1, 2, 0, 2, 1};
    pli_mesh_def def = oracle_def(square, 3, NULL, same, 2);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.duplicate_faces, 1);
    assert_int_equal(r.misoriented_edges, 3);
    assert_false(r.oriented);
    def.face_vertices = back;
    r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.misoriented_edges, 0);
    assert_true(r.closed && r.oriented);
}

static void vertices_between_fans_are_counted(void **state)
{
    (void)state;
    static const int32_t bow_tie[] = {0, 1, 2, 0, 3, 5};
    pli_mesh_def def = oracle_def(square, 6, NULL, bow_tie, 2);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.non_manifold_vertices, 1);
    assert_int_equal(r.first_non_manifold_vertex, 0);
    assert_int_equal(r.component_count, 1);
    assert_int_equal(r.isolated_vertices, 1);
    assert_int_equal(r.first_isolated_vertex, 4);
}

static void duplicate_vertices_are_counted(void **state)
{
    (void)state;
    static const float positions[] = {0, 0, 0, 1, 0, 0, -0.0f, 0, -0.0f, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1e-20f};
    static const int32_t faces[] = {0, 1, 3};
    pli_mesh_def def = oracle_def(positions, 7, NULL, faces, 1);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.duplicate_vertices, 3);
    assert_int_equal(r.first_duplicate_vertex, 2);
}

static void zero_area_faces_are_counted(void **state)
{
    (void)state;
    static const float positions[] = {0, 0, 0, 0.1f, 0.2f, 0.3f, 0.3f, 0.6f, 0.9f, 1, 0, 0, 0, 0, 0};
    static const int32_t faces[] = {0, 3, 1, 1, 0, 2, 0, 4, 3};
    pli_mesh_def def = oracle_def(positions, 5, NULL, faces, 3);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.zero_area_faces, 2);
    assert_int_equal(r.first_zero_area_face, 1);
    oracle_near((double)r.edge_length_min, 0, 0);
}

static void misoriented_edges_are_counted(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 2, 0, 3, 2};
    pli_mesh_def def = oracle_def(square, 4, NULL, faces, 2);
    pli_mesh_report r = inspect(&def, PLI_STATUS_OK, "");
    assert_int_equal(r.misoriented_edges, 1);
    assert_int_equal(r.first_misoriented_edge[0], 0);
    assert_int_equal(r.first_misoriented_edge[1], 2);
    assert_int_equal(r.hinge_count, 1);
    assert_int_equal(r.boundary_loop_count, 1);
    assert_false(r.oriented);
}

static void huge_and_tiny_meshes_are_measured(void **state)
{
    (void)state;
    const float big = 3e38f, small = 1e-30f;
    const float huge[] = {-big, 0, 0, big, 0, 0, 0, big, 0}, tiny[] = {0, 0, 0, small, 0, 0, 0, small, 0};
    static const int32_t faces[] = {0, 1, 2};
    pli_mesh_def def = oracle_def(huge, 3, NULL, faces, 1);
    pli_mesh *mesh = oracle_make(&def);
    oracle_near(pli_mesh_get_report(mesh)->area, 9e76, 1e71);
    assert_true(isfinite(pli_mesh_topology(mesh)->vertex_areas[0]));
    pli_mesh_destroy(mesh);
    def.positions = tiny;
    mesh = oracle_make(&def);
    assert_int_equal(pli_mesh_get_report(mesh)->zero_area_faces, 0);
    pli_mesh_destroy(mesh);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 1, 2};
    const pli_mesh_def good = oracle_def(square, 3, NULL, faces, 1);
    pli_mesh_def def = good;
    def.vertex_count = -1;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "vertex_count -1");
    def = good;
    def.face_count = INT32_MAX;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "more than");
    def = good;
    def.positions = NULL;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "positions is null");
    def = good;
    def.face_vertices = NULL;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "face_vertices is null");
    def = good;
    def.position_stride = 8;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "position_stride is 8");
    def = good;
    def.policy = (pli_mesh_policy)7;
    inspect(&def, PLI_STATUS_INVALID_ARGUMENT, "policy 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_meshes_have_nothing_to_report),
        cmocka_unit_test(wrong_indices_are_always_refused),
        cmocka_unit_test(wrong_sizes_are_always_refused),
        cmocka_unit_test(non_finite_positions_are_always_refused),
        cmocka_unit_test(non_manifold_edges_are_named),
        cmocka_unit_test(faces_that_use_a_vertex_twice_are_named),
        cmocka_unit_test(duplicate_faces_are_counted),
        cmocka_unit_test(a_doubled_triangle_is_allowed),
        cmocka_unit_test(vertices_between_fans_are_counted),
        cmocka_unit_test(duplicate_vertices_are_counted),
        cmocka_unit_test(zero_area_faces_are_counted),
        cmocka_unit_test(misoriented_edges_are_counted),
        cmocka_unit_test(huge_and_tiny_meshes_are_measured),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
