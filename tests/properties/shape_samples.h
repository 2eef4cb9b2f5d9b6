// Sizes for a row of the table of shapes, and triangles in double to hold it against. Nothing here names a shape.
#ifndef PLIANT_TESTS_SHAPE_SAMPLES_H
#define PLIANT_TESTS_SHAPE_SAMPLES_H

#include "worlds.h"

enum { AROUND = 128 };

// How much smaller a round shape's triangles are than the shape, of its reach: the sagitta of an edge, along and across.
static const double sagitta = 2.0 * (1.0 - 0.99969881869620420); // cos(pi / 128)

// A closed mesh that is neither centred nor symmetric, for the shapes that take one.
static UNUSED pli_mesh *lump(void)
{
    pli_mesh *ball, *mesh;
    must(pli_mesh_create_sphere(2, 0.4f, &ball, &problem));
    const pli_topology *t = pli_mesh_topology(ball);
    float *positions = calloc(3 * (size_t)t->vertex_count, sizeof *positions);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const float *p = t->positions + 3 * v;
        positions[3 * v] = 1.3f * p[0] + 0.05f, positions[3 * v + 1] = p[1] - 0.1f, positions[3 * v + 2] = 0.7f * p[2];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = t->vertex_count;
    def.face_vertices = t->triangles, def.face_count = t->triangle_count;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(positions);
    pli_mesh_destroy(ball);
    return mesh;
}

static UNUSED float *size_of(pli_collider_def *def, int32_t field)
{
    return (float *)(void *)((char *)def + pli_shape_field_at(field)->offset);
}

// Sound sizes of the row between 0.1 and 0.6 m; `mesh` is that of the shapes that take one.
static UNUSED pli_collider_def sample_of(const pli_shape_info *info, const pli_mesh *mesh)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = info->shape;
    def.mesh = info->takes_mesh ? mesh : NULL;
    for (int32_t tries = 0; tries < 1000; tries++) {
        for (int32_t i = 0; i < pli_shape_field_count(); i++)
            for (int32_t k = 0; k < pli_shape_field_at(i)->length && (info->fields >> i & 1u); k++)
                size_of(&def, i)[k] = (float)uniform(0.1, 0.6);
        if (pli_shape_check(&def, NULL) == PLI_STATUS_OK)
            return def;
    }
    fail_msg("%s: no sizes between 0.1 and 0.6 m are sound", info->name);
    return def;
}

static UNUSED vec vertex_of(const pli_mesh *mesh, int32_t i)
{
    return vec_of_floats(pli_mesh_topology(mesh)->positions + 3 * (size_t)i);
}

static UNUSED void corners_of(const pli_mesh *mesh, int32_t triangle, vec corners[3])
{
    for (int32_t k = 0; k < 3; k++)
        corners[k] = vertex_of(mesh, pli_mesh_topology(mesh)->triangles[3 * triangle + k]);
}

static UNUSED double distance_to_segment(vec p, vec a, vec b)
{
    vec ab = sub(b, a);
    double t = dot(sub(p, a), ab) / dot(ab, ab);
    return distance(p, add(a, scale(ab, fmax(0.0, fmin(1.0, t)))));
}

static UNUSED double distance_to_triangle(vec p, const vec c[3])
{
    vec n = unit(cross(sub(c[1], c[0]), sub(c[2], c[0])));
    bool within = true;
    double least = INFINITY;
    for (int32_t k = 0; k < 3; k++) {
        within = within && dot(cross(n, sub(c[(k + 1) % 3], c[k])), sub(p, c[k])) >= 0.0;
        least = fmin(least, distance_to_segment(p, c[k], c[(k + 1) % 3]));
    }
    return within ? fabs(dot(n, sub(p, c[0]))) : least;
}

// Distance from a closed mesh, negative inside by its winding number.
//   van Oosterom, Strackee 1983, The Solid Angle of a Plane Triangle.
static UNUSED double distance_to_mesh(const pli_mesh *mesh, vec p)
{
    double least = INFINITY, solid_angle = 0.0;
    for (int32_t t = 0; t < pli_mesh_topology(mesh)->triangle_count; t++) {
        vec c[3], r[3];
        corners_of(mesh, t, c);
        least = fmin(least, distance_to_triangle(p, c));
        for (int32_t k = 0; k < 3; k++)
            r[k] = sub(c[k], p);
        double a = length(r[0]), b = length(r[1]), d = length(r[2]);
        solid_angle += 2.0 * atan2(dot(r[0], cross(r[1], r[2])),
                                   a * b * d + dot(r[0], r[1]) * d + dot(r[1], r[2]) * a + dot(r[2], r[0]) * b);
    }
    return fabs(solid_angle) > 6.0 ? -least : least;
}

// First meeting of a ray with a unit direction; infinite when there is none.
//   Moeller, Trumbore 1997, Fast, Minimum Storage Ray/Triangle Intersection.
static UNUSED double ray_to_mesh(const pli_mesh *mesh, vec origin, vec direction)
{
    double nearest = INFINITY;
    for (int32_t t = 0; t < pli_mesh_topology(mesh)->triangle_count; t++) {
        vec c[3];
        corners_of(mesh, t, c);
        vec e = sub(c[1], c[0]), f = sub(c[2], c[0]), s = sub(origin, c[0]), h = cross(direction, f), q = cross(s, e);
        double a = dot(e, h), u = dot(s, h) / a, v = dot(direction, q) / a, at = dot(f, q) / a;
        if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && at >= 0.0 && at < nearest)
            nearest = at;
    }
    return nearest;
}

// Volume, centre, and inertia about it of a closed mesh of density 1: the divergence theorem, by tetrahedra from the
// origin.
static UNUSED pli_mass_properties weigh_mesh(const pli_mesh *mesh)
{
    pli_mass_properties m = {0};
    double s[6] = {0};
    for (int32_t t = 0; t < pli_mesh_topology(mesh)->triangle_count; t++) {
        vec c[3];
        corners_of(mesh, t, c);
        double v = dot(c[0], cross(c[1], c[2])) / 6.0;
        vec sum = add(c[0], add(c[1], c[2])), points[4] = {c[0], c[1], c[2], sum};
        m.mass += v;
        m.centre[0] += 0.25 * v * sum.x, m.centre[1] += 0.25 * v * sum.y, m.centre[2] += 0.25 * v * sum.z;
        for (int32_t i = 0; i < 4; i++) {
            vec p = points[i];
            const double squares[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
            for (int32_t k = 0; k < 6; k++)
                s[k] += 0.05 * v * squares[k];
        }
    }
    for (int32_t k = 0; k < 3; k++)
        m.centre[k] /= m.mass;
    const double *c = m.centre;
    const double centred[6] = {c[0] * c[0], c[1] * c[1], c[2] * c[2], c[0] * c[1], c[0] * c[2], c[1] * c[2]};
    for (int32_t k = 0; k < 6; k++)
        s[k] -= m.mass * centred[k];
    const double inertia[6] = {s[1] + s[2], s[0] + s[2], s[0] + s[1], -s[3], -s[4], -s[5]};
    memcpy(m.inertia, inertia, sizeof inertia);
    return m;
}

#endif
