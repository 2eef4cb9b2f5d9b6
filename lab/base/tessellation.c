// Tessellations of a square. Delaunay by Bowyer 1981 and Watson 1981: points are inserted one by one, and triangles
// whose circumcircle contains the new point are replaced by a fan. Quadratic, for a few thousand points.
#include "base/tessellation.h"

#include "base/lab_measures.h"
#include "base/lab_world.h"

#include <math.h>

typedef struct circle {
    int32_t corners[3];
    double x, z, square; // Centre, squared radius.
} circle;

typedef struct cloud {
    const double (*points)[2]; // Followed by the corners of a triangle that encloses all points.
    circle *triangles;
    int32_t triangle_count;
    int32_t (*rim)[2];
    int32_t rim_count;
} cloud;

static circle circle_of(const cloud *c, int32_t i, int32_t j, int32_t k)
{
    const double *a = c->points[i], *b = c->points[j], *d = c->points[k];
    double bx = b[0] - a[0], bz = b[1] - a[1], dx = d[0] - a[0], dz = d[1] - a[1];
    double cross = 2.0 * (bx * dz - bz * dx), bb = bx * bx + bz * bz, dd = dx * dx + dz * dz;
    double x = (dz * bb - bz * dd) / cross, z = (bx * dd - dx * bb) / cross;
    return (circle){{i, j, k}, a[0] + x, a[1] + z, x * x + z * z};
}

// Adds an edge of the cavity, or removes it if its reverse exists: then it is interior.
static void toggle(cloud *c, int32_t from, int32_t to)
{
    for (int32_t i = 0; i < c->rim_count; i++)
        if (c->rim[i][0] == to && c->rim[i][1] == from) {
            c->rim[i][0] = c->rim[c->rim_count - 1][0];
            c->rim[i][1] = c->rim[c->rim_count - 1][1];
            c->rim_count--;
            return;
        }
    c->rim[c->rim_count][0] = from;
    c->rim[c->rim_count++][1] = to;
}

static void insert(cloud *c, int32_t point)
{
    c->rim_count = 0;
    for (int32_t t = 0; t < c->triangle_count;) {
        const circle *o = &c->triangles[t];
        double x = c->points[point][0] - o->x, z = c->points[point][1] - o->z;
        if (x * x + z * z >= o->square) {
            t++;
            continue;
        }
        for (int32_t k = 0; k < 3; k++)
            toggle(c, o->corners[k], o->corners[(k + 1) % 3]);
        c->triangles[t] = c->triangles[--c->triangle_count];
    }
    for (int32_t i = 0; i < c->rim_count; i++)
        c->triangles[c->triangle_count++] = circle_of(c, c->rim[i][0], c->rim[i][1], point);
}

const pli_mesh *lab_delaunay(lab *l, const double (*points)[2], int32_t count)
{
    cloud c = {0};
    double(*all)[2] = lab_memory(l, (size_t)count + 3, sizeof *all);
    for (int32_t i = 0; i < count; i++)
        all[i][0] = points[i][0], all[i][1] = points[i][1];
    const double far[3][2] = {{-30.0, -20.0}, {30.0, -20.0}, {0.0, 40.0}};
    for (int32_t k = 0; k < 3; k++)
        all[count + k][0] = far[k][0], all[count + k][1] = far[k][1];
    c.points = (const double(*)[2])all;
    c.triangles = lab_memory(l, 2 * (size_t)count + 16, sizeof *c.triangles);
    c.rim = lab_memory(l, 6 * (size_t)count + 16, sizeof *c.rim);
    c.triangles[c.triangle_count++] = circle_of(&c, count, count + 1, count + 2);
    for (int32_t i = 0; i < count; i++)
        insert(&c, i);
    int32_t *faces = lab_memory(l, 6 * (size_t)count + 48, sizeof *faces), face_count = 0;
    float *positions = lab_memory(l, 3 * (size_t)count, sizeof *positions);
    for (int32_t i = 0; i < count; i++)
        positions[3 * i] = (float)points[i][0], positions[3 * i + 2] = (float)points[i][1];
    for (int32_t t = 0; t < c.triangle_count; t++) {
        const int32_t *k = c.triangles[t].corners;
        if (k[0] >= count || k[1] >= count || k[2] >= count)
            continue;
        // Counter-clockwise in (x, z) faces down; the grids face up.
        faces[3 * face_count] = k[0], faces[3 * face_count + 1] = k[2], faces[3 * face_count++ + 2] = k[1];
    }
    return lab_mesh_make(l, positions, count, faces, face_count);
}

// The one-diagonal grid mirrored, so that its diagonals have the other direction.
static const pli_mesh *mirrored(lab *l, int32_t side)
{
    const pli_mesh *grid = lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_DIAGONAL);
    if (!lab_ok(l))
        return NULL;
    const pli_topology *t = pli_mesh_topology(grid);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    int32_t *faces = lab_memory(l, 3 * (size_t)t->triangle_count, sizeof *faces);
    for (int32_t i = 0; i < 3 * t->vertex_count; i++)
        positions[i] = i % 3 == 0 ? -t->positions[i] : t->positions[i];
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        faces[i] = t->triangles[i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
    return lab_mesh_make(l, positions, t->vertex_count, faces, t->triangle_count);
}

static bool is_border(int32_t i, int32_t side)
{
    return i % side == 0 || i % side == side - 1 || i / side == 0 || i / side == side - 1;
}

// Points on the border of the grid; inside, its vertices displaced at random, or random points at a distance.
static const pli_mesh *irregular(lab *l, int32_t side, bool random)
{
    double(*points)[2] = lab_memory(l, (size_t)side * (size_t)side, sizeof *points), cell = 1.0 / (side - 1);
    uint64_t seed = 7;
    for (int32_t i = 0; i < side * side; i++) {
        bool inside = !is_border(i, side);
        points[i][0] = i % side * cell - 0.5 + (inside ? 0.25 * cell * lab_random(&seed) : 0.0);
        points[i][1] = i / side * cell - 0.5 + (inside ? 0.25 * cell * lab_random(&seed) : 0.0);
        for (int32_t trial = 0; inside && random && trial < 200; trial++) {
            double nearest = INFINITY, x = (0.5 - 0.4 * cell) * lab_random(&seed),
                   z = (0.5 - 0.4 * cell) * lab_random(&seed);
            for (int32_t k = 0; k < side * side; k++)
                if (k < i || is_border(k, side))
                    nearest = fmin(nearest, hypot(k % side * cell - 0.5 - x, k / side * cell - 0.5 - z));
            for (int32_t k = 0; k < i; k++)
                nearest = is_border(k, side) ? nearest : fmin(nearest, hypot(points[k][0] - x, points[k][1] - z));
            points[i][0] = x, points[i][1] = z;
            if (nearest > 0.55 * cell)
                break;
        }
    }
    return lab_delaunay(l, (const double(*)[2])points, side * side);
}

void lab_tessellations(lab *l, int32_t side, lab_tessellation sheets[LAB_TESSELLATIONS])
{
    int32_t crossed = (int32_t)(side / sqrt(2.0) + 0.5) + 1;
    sheets[0] = (lab_tessellation){"one diagonal", lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_DIAGONAL)};
    sheets[1] = (lab_tessellation){"the other", mirrored(l, side)};
    sheets[2] = (lab_tessellation){"alternating", lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_ALTERNATING)};
    sheets[3] = (lab_tessellation){"crossed", lab_grid(l, crossed, crossed, 1.0f, 1.0f, PLI_GRID_CROSSED)};
    sheets[4] = (lab_tessellation){"jittered", irregular(l, side, false)};
    sheets[5] = (lab_tessellation){"random", irregular(l, side, true)};
}

const pli_mesh *lab_bag(lab *l, const pli_mesh *sheet)
{
    if (!lab_ok(l) || !sheet)
        return NULL;
    const pli_topology *t = pli_mesh_topology(sheet);
    float *positions = lab_memory(l, 6 * (size_t)t->vertex_count, sizeof *positions);
    int32_t *other = lab_memory(l, (size_t)t->vertex_count, sizeof *other), count = t->vertex_count;
    int32_t *faces = lab_memory(l, 6 * (size_t)t->triangle_count, sizeof *faces);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        other[i] = t->vertex_boundary[i] ? i : count++;
        for (int32_t k = 0; k < 3; k++)
            positions[3 * i + k] = positions[3 * other[i] + k] = t->positions[3 * i + k];
    }
    for (int32_t i = 0; i < t->triangle_count; i++)
        for (int32_t k = 0; k < 3; k++) {
            faces[6 * i + k] = t->triangles[3 * i + k];
            faces[6 * i + 3 + k] = other[t->triangles[3 * i + 2 - k]];
        }
    return lab_mesh_make(l, positions, count, faces, 2 * t->triangle_count);
}
