// The properties of a topology, derived again from its faces by brute force.
#ifndef PLIANT_TESTS_MESH_ORACLE_H
#define PLIANT_TESTS_MESH_ORACLE_H

#include "pliant/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) ((int32_t)(sizeof(array) / sizeof *(array)))

static inline void oracle_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %g", value, expected, tolerance);
}

static inline pli_mesh_def oracle_def(const float *positions, int32_t vertex_count, const int32_t *sizes,
                                      const int32_t *vertices, int32_t face_count)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = vertex_count;
    def.face_sizes = sizes;
    def.face_vertices = vertices;
    def.face_count = face_count;
    return def;
}

static inline pli_mesh *oracle_make(const pli_mesh_def *def)
{
    pli_mesh *mesh = NULL;
    pli_error error = {0};
    pli_status status = pli_mesh_create(def, &mesh, &error);
    if (status)
        print_error("refused: %s\n", error.message);
    assert_int_equal(status, PLI_STATUS_OK);
    assert_non_null(mesh);
    return mesh;
}

static inline int32_t oracle_degree(const pli_topology *t, int32_t face)
{
    return t->face_offsets[face + 1] - t->face_offsets[face];
}

// Corner i of a face, counted around.
static inline int32_t oracle_vertex(const pli_topology *t, int32_t face, int32_t i)
{
    int32_t degree = oracle_degree(t, face);
    return t->face_vertices[t->face_offsets[face] + (i % degree + degree) % degree];
}

// The place of the step from a to b in a face, or -1.
static inline int32_t oracle_step(const pli_topology *t, int32_t face, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < oracle_degree(t, face); i++)
        if (oracle_vertex(t, face, i) == a && oracle_vertex(t, face, i + 1) == b)
            return i;
    return -1;
}

static inline int32_t oracle_find_edge(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t e = 0; e < t->edge_count; e++)
        if (t->edges[2 * e] == (a < b ? a : b) && t->edges[2 * e + 1] == (a < b ? b : a))
            return e;
    return -1;
}

static inline void oracle_check_edges(const pli_topology *t)
{
    int32_t hinge = 0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        int32_t a = t->edges[2 * e], b = t->edges[2 * e + 1], found = 0, faces[2] = {-1, -1};
        assert_true(a < b);
        assert_true(e == 0 || t->edges[2 * e - 2] < a || (t->edges[2 * e - 2] == a && t->edges[2 * e - 1] < b));
        for (int32_t face = 0; face < t->face_count; face++)
            if (oracle_step(t, face, a, b) >= 0 || oracle_step(t, face, b, a) >= 0) {
                assert_true(found < 2);
                faces[found++] = face;
            }
        assert_true(found > 0);
        assert_int_equal(t->edge_faces[2 * e], faces[0]);
        assert_int_equal(t->edge_faces[2 * e + 1], faces[1]);
        if (found < 2)
            continue;
        const int32_t *p = t->hinges + 4 * hinge;
        assert_int_equal(t->hinge_edges[hinge++], e);
        int32_t first = oracle_step(t, faces[0], p[0], p[1]);
        assert_true(first >= 0);
        assert_int_equal(p[2], oracle_vertex(t, faces[0], first + 2));
        int32_t second = oracle_step(t, faces[1], p[1], p[0]);
        second = second >= 0 ? second : oracle_step(t, faces[1], p[0], p[1]);
        assert_true(second >= 0);
        assert_int_equal(p[3], oracle_vertex(t, faces[1], second + 2));
    }
    assert_int_equal(t->hinge_count, hinge);
    for (int32_t face = 0; face < t->face_count; face++)
        for (int32_t i = 0; i < oracle_degree(t, face); i++)
            assert_true(oracle_find_edge(t, oracle_vertex(t, face, i), oracle_vertex(t, face, i + 1)) >= 0);
}

static inline bool oracle_corner_between(const pli_topology *t, int32_t vertex, int32_t after, int32_t before)
{
    for (int32_t face = 0; face < t->face_count; face++) {
        int32_t i = oracle_step(t, face, vertex, after);
        if (i >= 0 && oracle_vertex(t, face, i - 1) == before)
            return true;
    }
    return false;
}

// The ring's vertices are the neighbours; if `in_order`, each next one follows counter-clockwise.
static inline void oracle_check_rings(const pli_topology *t, bool in_order)
{
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const int32_t *ring = t->ring_vertices + t->ring_offsets[v];
        int32_t count = t->ring_offsets[v + 1] - t->ring_offsets[v], neighbours = 0;
        for (int32_t e = 0; e < t->edge_count; e++)
            neighbours += t->edges[2 * e] == v || t->edges[2 * e + 1] == v;
        assert_int_equal(count, neighbours);
        for (int32_t i = 0; i < count; i++) {
            assert_true(oracle_find_edge(t, v, ring[i]) >= 0);
            for (int32_t j = 0; j < i; j++)
                assert_int_not_equal(ring[i], ring[j]);
        }
        int32_t steps = t->vertex_boundary[v] ? count - 1 : count;
        for (int32_t i = 0; in_order && i < steps; i++)
            assert_true(oracle_corner_between(t, v, ring[i], ring[(i + 1) % count]));
    }
    assert_int_equal(t->ring_offsets[t->vertex_count], 2 * t->edge_count);
}

static inline void oracle_check_boundary(const pli_topology *t, bool oriented)
{
    int32_t boundary_edges = 0;
    for (int32_t e = 0; e < t->edge_count; e++)
        boundary_edges += t->edge_faces[2 * e + 1] < 0;
    assert_int_equal(t->boundary_offsets[0], 0);
    assert_int_equal(t->boundary_offsets[t->boundary_loop_count], boundary_edges);
    uint8_t *used = calloc((size_t)t->edge_count + 1, 1);
    for (int32_t loop = 0; loop < t->boundary_loop_count; loop++) {
        int32_t start = t->boundary_offsets[loop], count = t->boundary_offsets[loop + 1] - start;
        assert_true(count > 0);
        for (int32_t i = 0; i < count; i++) {
            int32_t a = t->boundary_vertices[start + i], b = t->boundary_vertices[start + (i + 1) % count];
            int32_t e = oracle_find_edge(t, a, b);
            assert_true(e >= 0 && !used[e]);
            used[e] = 1;
            assert_int_equal(t->edge_faces[2 * e + 1], -1);
            assert_true(!oriented || oracle_step(t, t->edge_faces[2 * e], a, b) >= 0);
            assert_int_equal(t->vertex_boundary[a], 1);
        }
    }
    for (int32_t v = 0; v < t->vertex_count; v++) {
        bool touched = false;
        for (int32_t e = 0; e < t->edge_count; e++)
            touched = touched || (used[e] && (t->edges[2 * e] == v || t->edges[2 * e + 1] == v));
        assert_int_equal(t->vertex_boundary[v], touched);
    }
    free(used);
}

// Labels spread along edges until nothing changes.
static inline void oracle_check_components(const pli_topology *t)
{
    int32_t *label = calloc((size_t)t->vertex_count + 1, sizeof *label);
    for (int32_t v = 0; v < t->vertex_count; v++)
        label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = 0; e < t->edge_count; e++) {
            int32_t *a = &label[t->edges[2 * e]], *b = &label[t->edges[2 * e + 1]];
            changed = changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    int32_t components = 0;
    for (int32_t v = 0; v < t->vertex_count; v++) {
        bool isolated = t->ring_offsets[v] == t->ring_offsets[v + 1];
        assert_int_equal(t->vertex_components[v] < 0, isolated);
        components += label[v] == v && !isolated;
        for (int32_t u = 0; u < v && !isolated; u++)
            assert_int_equal(label[u] == label[v], t->vertex_components[u] == t->vertex_components[v]);
    }
    assert_int_equal(t->component_count, components);
    for (int32_t face = 0; face < t->face_count; face++)
        assert_int_equal(t->face_components[face], t->vertex_components[oracle_vertex(t, face, 0)]);
    for (int32_t c = 0; c < components; c++) {
        bool closed = true;
        for (int32_t e = 0; e < t->edge_count; e++)
            closed = closed && (t->edge_faces[2 * e + 1] >= 0 || t->vertex_components[t->edges[2 * e]] != c);
        assert_int_equal(t->component_closed[c], closed);
    }
    free(label);
}

static inline void oracle_area_vector(const float *positions, const int32_t *vertices, int32_t count, double sum[3])
{
    for (int32_t i = 0; i < count; i++) {
        const float *p = positions + 3 * vertices[i], *q = positions + 3 * vertices[(i + 1) % count];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, w = (k + 2) % 3;
            sum[k] += 0.5 * ((double)p[u] * (double)q[w] - (double)p[w] * (double)q[u]);
        }
    }
}

// The triangles of each face add up to its area vector and use its vertices; areas and lists follow.
static inline void oracle_check_triangles(const pli_topology *t)
{
    int32_t triangle = 0;
    double *areas = calloc((size_t)t->vertex_count + 1, sizeof *areas);
    for (int32_t face = 0; face < t->face_count; face++) {
        double whole[3] = {0}, pieces[3] = {0}, size = 0;
        oracle_area_vector(t->positions, t->face_vertices + t->face_offsets[face], oracle_degree(t, face), whole);
        for (int32_t i = 0; i < oracle_degree(t, face) - 2; i++, triangle++) {
            const int32_t *corners = t->triangles + 3 * triangle;
            double own[3] = {0};
            assert_int_equal(t->triangle_faces[triangle], face);
            oracle_area_vector(t->positions, corners, 3, own);
            double area = sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
            size += area;
            for (int k = 0; k < 3; k++) {
                pieces[k] += own[k];
                areas[corners[k]] += area / 3;
                bool of_face = false;
                for (int32_t j = 0; j < oracle_degree(t, face); j++)
                    of_face = of_face || oracle_vertex(t, face, j) == corners[k];
                assert_true(of_face);
            }
        }
        for (int k = 0; k < 3; k++)
            assert_true(fabs(whole[k] - pieces[k]) <= 1e-9 * (1 + size));
    }
    assert_int_equal(t->triangle_count, triangle);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        oracle_near((double)t->vertex_areas[v], areas[v], 1e-6 * (1 + areas[v]));
        int32_t listed = t->triangle_offsets[v];
        for (int32_t corner = 0; corner < 3 * t->triangle_count; corner++)
            if (t->triangles[corner] == v)
                assert_int_equal(t->vertex_triangles[listed++], corner / 3);
        assert_int_equal(listed, t->triangle_offsets[v + 1]);
    }
    free(areas);
}

static inline void oracle_check(const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    oracle_check_edges(t);
    oracle_check_rings(t, report->oriented && report->non_manifold_vertices == 0);
    oracle_check_boundary(t, report->oriented);
    oracle_check_components(t);
    oracle_check_triangles(t);
    assert_int_equal(report->vertex_count, t->vertex_count);
    assert_int_equal(report->face_count, t->face_count);
    assert_int_equal(report->edge_count, t->edge_count);
    assert_int_equal(report->hinge_count, t->hinge_count);
    assert_int_equal(report->triangle_count, t->triangle_count);
    assert_int_equal(report->component_count, t->component_count);
    assert_int_equal(report->boundary_loop_count, t->boundary_loop_count);
    assert_int_equal(report->boundary_edge_count, t->boundary_offsets[t->boundary_loop_count]);
    assert_int_equal(report->closed, t->face_count > 0 && report->boundary_edge_count == 0);
}

static inline int32_t oracle_euler(const pli_mesh *mesh)
{
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    return report->vertex_count - report->edge_count + report->face_count;
}

#endif
