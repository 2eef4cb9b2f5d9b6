#include "guess/measures.h"

#include <math.h>

#define PI 3.14159265358979323846
// A shape is flat if its largest extent along its mean normal is at most this fraction of its size.
#define FLAT 1e-3

double pli_measured_distance(const float *a, const float *b)
{
    const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1], z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

static void measure_box(const pli_topology *t, pli_measures *m)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        m->low[k] = INFINITY, m->high[k] = -INFINITY;
    // Vertices without a face are not part of the shape.
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        const float *p = pli_measured_point(t, t->triangles[i]);
        for (int k = 0; k < 3; k++)
            m->low[k] = fmin(m->low[k], (double)p[k]), m->high[k] = fmax(m->high[k], (double)p[k]);
    }
    for (int k = 0; k < 3; k++) {
        m->extent[k] = m->high[k] - m->low[k];
        m->largest = fmax(m->largest, m->extent[k]);
        square += m->extent[k] * m->extent[k];
    }
    m->diagonal = sqrt(square);
    for (int32_t e = 0; e < t->edge_count; e++)
        m->edge += pli_measured_distance(pli_measured_point(t, t->edges[2 * e]),
                                         pli_measured_point(t, t->edges[2 * e + 1])) /
                   t->edge_count;
}

// Twice the area along the normal.
static void cross_of(const pli_topology *t, int32_t triangle, double n[3])
{
    const int32_t *c = t->triangles + 3 * (size_t)triangle;
    const float *a = pli_measured_point(t, c[0]), *b = pli_measured_point(t, c[1]), *d = pli_measured_point(t, c[2]);
    double u[3], v[3];
    for (int k = 0; k < 3; k++)
        u[k] = (double)b[k] - (double)a[k], v[k] = (double)d[k] - (double)a[k];
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static double angle_at(const float *at, const float *b, const float *c)
{
    double dot = 0.0;
    for (int k = 0; k < 3; k++)
        dot += ((double)b[k] - (double)at[k]) * ((double)c[k] - (double)at[k]);
    const double lengths = pli_measured_distance(at, b) * pli_measured_distance(at, c);
    return lengths > 0.0 ? acos(fmin(fmax(dot / lengths, -1.0), 1.0)) : 0.0;
}

// Gauss-Bonnet theorem: the sum of the angle deficits to a full turn over interior vertices.
static void measure_curvature(const pli_topology *t, pli_measures *m)
{
    double sum = 0.0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        if (!t->vertex_boundary[v] && t->vertex_components[v] >= 0)
            sum += 2.0 * PI;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        const int32_t *c = t->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            if (!t->vertex_boundary[c[k]])
                sum -= angle_at(pli_measured_point(t, c[k]), pli_measured_point(t, c[(k + 1) % 3]),
                                pli_measured_point(t, c[(k + 2) % 3]));
    }
    m->curvature = sum / (2.0 * PI);
}

static void measure_opening(const pli_topology *t, pli_measures *m)
{
    for (int32_t i = 0; i < t->boundary_loop_count; i++) {
        const int32_t first = t->boundary_offsets[i], count = t->boundary_offsets[i + 1] - first;
        double length = 0.0;
        for (int32_t k = 0; k < count; k++)
            length += pli_measured_distance(pli_measured_point(t, t->boundary_vertices[first + k]),
                                            pli_measured_point(t, t->boundary_vertices[first + (k + 1) % count]));
        m->opening += length * length / (4.0 * PI);
    }
    m->opening = m->area > 0.0 ? m->opening / m->area : 0.0;
}

// Whether the extent of the points along the mean normal is small. The mean normal of a flat shape is parallel to a triangle's normal,
// regardless of the orientation of the faces.
static bool is_flat(const pli_topology *t, const double normal[3], double largest)
{
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < 3 * t->triangle_count && length > 0.0; i++) {
        const float *p = pli_measured_point(t, t->triangles[i]);
        const double at = (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]) / length;
        low = fmin(low, at), high = fmax(high, at);
    }
    return length > 0.0 && high - low <= FLAT * largest;
}

void pli_measure_shape(const pli_mesh *mesh, bool z_up, pli_measures *m)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double widest = 0.0, normal[3] = {0}, closed_area = 0.0;
    *m = (pli_measures){.up = z_up ? 2 : 1, .closed = t->component_count > 0};
    measure_box(t, m);
    for (int32_t i = 0; i < t->triangle_count; i++) {
        const int32_t *c = t->triangles + 3 * (size_t)i;
        double n[3];
        cross_of(t, i, n);
        const double area = 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const bool inside = t->component_closed[t->vertex_components[c[0]]];
        m->area += area;
        m->level += 0.5 * fabs(n[m->up]);
        closed_area += inside ? area : 0.0;
        for (int k = 0; k < 3; k++) {
            const double middle = ((double)pli_measured_point(t, c[0])[k] + (double)pli_measured_point(t, c[1])[k] +
                                   (double)pli_measured_point(t, c[2])[k]) /
                                  3.0;
            m->centre[k] += area * middle;
            m->volume += inside ? (middle - m->low[k]) * n[k] / 6.0 : 0.0;
        }
        if (area > widest) {
            widest = area;
            for (int k = 0; k < 3; k++)
                normal[k] = n[k];
        }
    }
    for (int k = 0; k < 3 && m->area > 0.0; k++)
        m->centre[k] /= m->area;
    m->level = m->area > 0.0 ? m->level / m->area : 0.0;
    m->closed_fraction = m->area > 0.0 ? closed_area / m->area : 0.0;
    for (int32_t i = 0; i < t->component_count; i++)
        m->closed = m->closed && t->component_closed[i];
    m->flat = is_flat(t, normal, m->largest);
    measure_curvature(t, m);
    measure_opening(t, m);
}
