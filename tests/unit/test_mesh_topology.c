// Topology of hand-made and real meshes against brute force, closed forms and the tutorial's lists.
#include "mesh/mesh.h"
#include "mesh_oracle.h"

#include <pthread.h>

// A box with a side open and one quad divided: quads, triangles and a pentagon together.
static const float mixed_positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1,    0,    0, 0,
                                        1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1.5f, 0.5f, 0};
static const int32_t mixed_sizes[] = {5, 4, 4, 3, 3};
static const int32_t mixed_faces[] = {0, 3, 2, 8, 1, 0, 1, 5, 4, 3, 7, 6, 2, 0, 4, 7, 0, 7, 3};

static void polygons_of_any_degree_keep_it(void **state)
{
    (void)state;
    const pli_mesh_def def = oracle_def(mixed_positions, 9, mixed_sizes, mixed_faces, 5);
    pli_mesh *mesh = oracle_make(&def);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    oracle_check(mesh);
    assert_int_equal(report->face_degree_min, 3);
    assert_int_equal(report->face_degree_max, 5);
    assert_int_equal(report->triangle_count, 3 + 2 + 2 + 1 + 1);
    assert_int_equal(report->boundary_loop_count, 1);
    assert_true(report->oriented && !report->closed);
    oracle_near((double)report->edge_length_max, sqrt(2), 1e-6);
    oracle_near((double)report->edge_length_min, sqrt(0.5), 1e-6);
    pli_mesh_destroy(mesh);
}

static void an_empty_mesh_is_a_mesh(void **state)
{
    (void)state;
    pli_mesh_def def = oracle_def(NULL, 0, NULL, NULL, 0);
    pli_mesh *mesh = oracle_make(&def);
    oracle_check(mesh);
    assert_false(pli_mesh_get_report(mesh)->closed);
    pli_mesh_destroy(mesh);
    def = oracle_def(mixed_positions, 9, NULL, NULL, 0);
    mesh = oracle_make(&def);
    assert_int_equal(pli_mesh_get_report(mesh)->isolated_vertices, 9);
    oracle_check(mesh);
    pli_mesh_destroy(mesh);
    pli_mesh_destroy(NULL);
}

static void strides_are_followed(void **state)
{
    (void)state;
    struct {
        float position[3], colour[4];
    } vertices[4] = {{{0, 0, 0}, {9}}, {{1, 0, 0}, {9}}, {{0, 2, 0}, {9}}, {{0, 0, 3}, {9}}};
    static const int32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    pli_mesh_def def = oracle_def(vertices[0].position, 4, NULL, faces, 4);
    def.position_stride = sizeof vertices[0];
    pli_mesh *mesh = oracle_make(&def);
    oracle_check(mesh);
    oracle_near(pli_mesh_get_report(mesh)->volume, 1, 1e-7);
    oracle_near((double)pli_mesh_get_report(mesh)->bounds_max.z, 3, 0);
    pli_mesh_destroy(mesh);
}

// A vertex in the middle of a hexagon: its ring is the hexagon, counter-clockwise.
static void rings_run_counter_clockwise(void **state)
{
    (void)state;
    float positions[21] = {0};
    for (int32_t i = 0; i < 6; i++) {
        positions[3 * i + 3] = (float)cos(i * 1.0471975511965976);
        positions[3 * i + 4] = (float)sin(i * 1.0471975511965976);
    }
    static const int32_t faces[] = {3, 4, 0, 0, 1, 2, 0, 5, 6, 2, 3, 0, 6, 1, 0, 4, 5, 0};
    const pli_mesh_def def = oracle_def(positions, 7, NULL, faces, 6);
    pli_mesh *mesh = oracle_make(&def);
    const pli_topology *t = pli_mesh_topology(mesh);
    oracle_check(mesh);
    for (int32_t i = 0; i < 6; i++)
        assert_int_equal(t->ring_vertices[t->ring_offsets[0] + (i + 1) % 6] % 6,
                         (t->ring_vertices[t->ring_offsets[0] + i] + 1) % 6);
    const int32_t border[3] = {2, 0, 6};
    assert_int_equal(t->ring_offsets[2] - t->ring_offsets[1], 3);
    assert_memory_equal(t->ring_vertices + t->ring_offsets[1], border, sizeof border);
    oracle_near(pli_mesh_get_report(mesh)->area, 1.5 * sqrt(3), 1e-6);
    oracle_near((double)t->vertex_areas[0], 0.5 * sqrt(3), 1e-6);
    pli_mesh_destroy(mesh);
}

// 64-bit steps of a fixed sequence: the same shuffle everywhere.
static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

static void shuffle(int32_t *items, int32_t count, uint64_t *state)
{
    for (int32_t i = 0; i < count; i++)
        items[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)draw(state, (uint32_t)i + 1), swap = items[i];
        items[i] = items[j];
        items[j] = swap;
    }
}

// The same mesh with its vertices renumbered and its faces in another order.
static pli_mesh *renumbered(const pli_topology *t, int32_t *name, uint64_t seed)
{
    float *positions = malloc(3 * (size_t)t->vertex_count * sizeof *positions);
    int32_t *order = malloc((size_t)t->face_count * sizeof *order);
    int32_t *sizes = malloc((size_t)t->face_count * sizeof *sizes);
    int32_t *faces = malloc((size_t)t->corner_count * sizeof *faces);
    shuffle(name, t->vertex_count, &seed);
    shuffle(order, t->face_count, &seed);
    for (int32_t v = 0; v < t->vertex_count; v++)
        memcpy(positions + 3 * name[v], t->positions + 3 * v, 3 * sizeof *positions);
    for (int32_t i = 0, filled = 0; i < t->face_count; i++) {
        sizes[i] = oracle_degree(t, order[i]);
        int32_t turn = (int32_t)draw(&seed, (uint32_t)sizes[i]);
        for (int32_t k = 0; k < sizes[i]; k++)
            faces[filled++] = name[oracle_vertex(t, order[i], k + turn)];
    }
    const pli_mesh_def def = oracle_def(positions, t->vertex_count, sizes, faces, t->face_count);
    pli_mesh *mesh = oracle_make(&def);
    free(positions);
    free(order);
    free(sizes);
    free(faces);
    return mesh;
}

static void renumbering_renames_and_no_more(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        pli_mesh *mesh;
        assert_int_equal(pli_mesh_create_grid(6, 5, 1, 1, (pli_grid_pattern)(seed % 4), &mesh, NULL), PLI_STATUS_OK);
        const pli_topology *a = pli_mesh_topology(mesh);
        int32_t *name = malloc((size_t)a->vertex_count * sizeof *name);
        pli_mesh *other = renumbered(a, name, seed);
        const pli_topology *b = pli_mesh_topology(other);
        oracle_check(other);
        assert_int_equal(a->edge_count, b->edge_count);
        assert_int_equal(a->hinge_count, b->hinge_count);
        for (int32_t e = 0; e < a->edge_count; e++)
            assert_true(oracle_find_edge(b, name[a->edges[2 * e]], name[a->edges[2 * e + 1]]) >= 0);
        for (int32_t v = 0; v < a->vertex_count; v++) {
            assert_int_equal(a->vertex_boundary[v], b->vertex_boundary[name[v]]);
            if (seed % 4 != PLI_GRID_QUADS) // Squares are divided from their first vertex, which has changed.
                oracle_near((double)b->vertex_areas[name[v]], (double)a->vertex_areas[v], 1e-7);
            if (!a->vertex_boundary[v])
                continue;
            for (int32_t i = 0; i < a->ring_offsets[v + 1] - a->ring_offsets[v]; i++)
                assert_int_equal(b->ring_vertices[b->ring_offsets[name[v]] + i],
                                 name[a->ring_vertices[a->ring_offsets[v] + i]]);
        }
        free(name);
        pli_mesh_destroy(other);
        pli_mesh_destroy(mesh);
    }
}

typedef struct wavefront {
    float *positions;
    int32_t *faces, vertex_count, face_count;
} wavefront;

// Triangles of an OBJ file that has nothing but "v x y z" and "f a b c", with or without slashes.
static wavefront read_triangles(const char *asset)
{
    const char *root = getenv("PLIANT_SOURCE_DIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/meshes/%s", root ? root : ".", asset);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    wavefront mesh = {malloc(3 * 8192 * sizeof(float)), malloc(3 * 8192 * sizeof(int32_t)), 0, 0};
    char line[256];
    while (fgets(line, sizeof line, file)) {
        float *p = mesh.positions + 3 * mesh.vertex_count;
        int32_t *f = mesh.faces + 3 * mesh.face_count;
        if (line[0] == 'v' && line[1] == ' ' && sscanf(line + 2, "%f %f %f", p, p + 1, p + 2) == 3) {
            mesh.vertex_count++;
        } else if (line[0] == 'f') {
            char *rest = line + 1;
            for (int i = 0; i < 3; i++) {
                f[i] = (int32_t)strtol(rest, &rest, 10) - 1;
                rest += strcspn(rest, " \n");
            }
            mesh.face_count++;
        }
    }
    fclose(file);
    return mesh;
}

static int compare_quartets(const void *a, const void *b) { return memcmp(a, b, 4 * sizeof(int32_t)); }

// Both ends of the edge and both tips in ascending order, so that two lists can be compared as sets.
static void normalise(int32_t *contiguous_batches, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t *pair = contiguous_batches + 4 * i; pair < contiguous_batches + 4 * i + 4; pair += 2)
            if (pair[0] > pair[1]) {
                int32_t swap = pair[0];
                pair[0] = pair[1];
                pair[1] = swap;
            }
    qsort(contiguous_batches, (size_t)count, 4 * sizeof *contiguous_batches, compare_quartets);
}

static void check_tutorial_lists(const pli_topology *t)
{
    const size_t corners = 3 * (size_t)t->triangle_count;
    int32_t *neighbors = malloc(corners * sizeof *neighbors);
    assert_int_equal(pli_find_triangle_neighbors(t->triangles, t->triangle_count, t->vertex_count, neighbors, NULL),
                     PLI_STATUS_OK);
    int32_t count = pli_triangle_pairs(t->triangles, t->triangle_count, neighbors, NULL, 0);
    assert_int_equal(count, t->hinge_count);
    int32_t *pairs = malloc(4 * (size_t)count * sizeof *pairs), *hinges = malloc(4 * (size_t)count * sizeof *hinges);
    assert_int_equal(pli_triangle_pairs(t->triangles, t->triangle_count, neighbors, pairs, count), count);
    memcpy(hinges, t->hinges, 4 * (size_t)count * sizeof *hinges);
    normalise(pairs, count);
    normalise(hinges, count);
    assert_memory_equal(pairs, hinges, 4 * (size_t)count * sizeof *pairs);
    free(pairs);
    free(hinges);
    free(neighbors);
}

static void check_real_mesh(const char *asset, int32_t vertices, int32_t faces)
{
    wavefront file = read_triangles(asset);
    assert_int_equal(file.vertex_count, vertices);
    assert_int_equal(file.face_count, faces);
    const pli_mesh_def def = oracle_def(file.positions, file.vertex_count, NULL, file.faces, file.face_count);
    pli_mesh *mesh = oracle_make(&def);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    const pli_topology *t = pli_mesh_topology(mesh);
    assert_int_equal(oracle_euler(mesh), 2);
    assert_int_equal(report->edge_count, faces * 3 / 2);
    assert_int_equal(report->hinge_count, report->edge_count);
    assert_true(report->closed && report->oriented);
    assert_true(report->volume > 0);
    assert_int_equal(report->component_count, 1);
    assert_memory_equal(t->face_vertices, file.faces, 3 * (size_t)faces * sizeof *file.faces);
    double sum = 0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        sum += (double)t->vertex_areas[v];
    oracle_near(sum, report->area, 1e-5 * report->area);
    check_tutorial_lists(t);
    pli_mesh_destroy(mesh);
    free(file.positions);
    free(file.faces);
}

static void real_meshes_are_closed_surfaces(void **state)
{
    (void)state;
    check_real_mesh("bunny.obj", 1839, 3674);
    check_real_mesh("spot.obj", 2930, 5856);
}

// The article's example: two triangles whose corners 2 and 5 start the shared edge.
static void the_tutorials_example_comes_out(void **state)
{
    (void)state;
    static const int32_t triangles[] = {0, 1, 2, 2, 3, 0}, expected[] = {-1, -1, 5, -1, -1, 2};
    int32_t neighbors[6], pairs[4];
    assert_int_equal(pli_find_triangle_neighbors(triangles, 2, 4, neighbors, NULL), PLI_STATUS_OK);
    assert_memory_equal(neighbors, expected, sizeof expected);
    assert_int_equal(pli_triangle_pairs(triangles, 2, neighbors, pairs, 1), 1);
    const int32_t pair[] = {2, 0, 1, 3};
    assert_memory_equal(pairs, pair, sizeof pair);
}

static void three_triangles_pair_the_first_two(void **state)
{
    (void)state;
    static const int32_t triangles[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 5, 5, 0};
    static const int32_t expected[] = {3, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    int32_t neighbors[12];
    pli_error error;
    pli_status status = pli_find_triangle_neighbors(triangles, 3, 5, neighbors, &error);
    assert_int_equal(status, PLI_STATUS_OK);
    assert_memory_equal(neighbors, expected, 9 * sizeof *expected);
    assert_int_equal(pli_find_triangle_neighbors(triangles, 4, 5, neighbors, &error), PLI_STATUS_INVALID_MESH);
    assert_non_null(strstr(error.message, "triangle 3"));
    assert_int_equal(pli_find_triangle_neighbors(triangles, -1, 5, neighbors, &error), PLI_STATUS_INVALID_MESH);
}

static void *share(void *data)
{
    for (int i = 0; i < 20000; i++) {
        pli_mesh_retain(data);
        pli_mesh_destroy(data);
    }
    return NULL;
}

static void meshes_are_shared_between_threads(void **state)
{
    (void)state;
    const pli_mesh_def def = oracle_def(mixed_positions, 9, mixed_sizes, mixed_faces, 5);
    pli_mesh *mesh = oracle_make(&def);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, share, mesh), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&mesh->references), 1);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_of_any_degree_keep_it),
        cmocka_unit_test(an_empty_mesh_is_a_mesh),
        cmocka_unit_test(strides_are_followed),
        cmocka_unit_test(rings_run_counter_clockwise),
        cmocka_unit_test(renumbering_renames_and_no_more),
        cmocka_unit_test(real_meshes_are_closed_surfaces),
        cmocka_unit_test(the_tutorials_example_comes_out),
        cmocka_unit_test(three_triangles_pair_the_first_two),
        cmocka_unit_test(meshes_are_shared_between_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
