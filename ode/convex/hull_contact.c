// Separating axes over faces and edges, with clipped faces as contacts.
//   Gregorius 2013, The Separating Axis Test between Convex Polyhedra.
#include "convex/hull_contact.h"

#include <string.h>

enum { POLYGON_MAX = 256 };

// A face must be worse than a pair of edges by this fraction before edges are taken: faces give steady contacts.
static const double edge_bias = 0.05;

typedef struct face_axis {
    double separation; // [m]
    int32_t face;
} face_axis;

typedef struct edge_axis {
    double separation;
    int32_t a, b;
    vec normal; // In b's frame, from a to b.
} edge_axis;

typedef struct polygon {
    vec points[POLYGON_MAX];
    int count;
} polygon;

static placement seen_from(placement frame, placement where)
{
    placement back = {{0, 0, 0}, turn_conjugate(frame.rotation)};
    back.position = vec_negate(turn_apply(back.rotation, frame.position));
    return placement_product(back, where);
}

// The face of `a` of largest separation; `a_in_b` is the pose of a in the frame of b.
static face_axis find_face(const polyhedron *a, const polyhedron *b, placement a_in_b)
{
    face_axis best = {-INFINITY, -1};
    for (int32_t f = 0; f < a->face_count; f++) {
        vec normal = turn_apply(a_in_b.rotation, a->faces[f].normal);
        double offset = a->faces[f].offset + vec_dot(normal, a_in_b.position), least = INFINITY;
        for (int32_t i = 0; i < b->vertex_count; i++)
            least = fmin(least, vec_dot(normal, b->vertices[i]));
        if (least - offset > best.separation)
            best = (face_axis){least - offset, f};
        if (best.separation > 0.0)
            break;
    }
    return best;
}

// Whether two edges make a face of the Minkowski difference: their arcs cross on the Gauss map.
static bool arcs_cross(vec a, vec b, vec a_edge, vec c, vec d, vec c_edge)
{
    double cba = vec_dot(c, a_edge), dba = vec_dot(d, a_edge), adc = vec_dot(a, c_edge), bdc = vec_dot(b, c_edge);
    return cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0;
}

static edge_axis find_edges(const polyhedron *a, const polyhedron *b, placement a_in_b)
{
    edge_axis best = {-INFINITY, -1, -1, {0, 0, 0}};
    vec centre = placement_apply(a_in_b, a->centre);
    for (int32_t i = 0; i < a->edge_count; i++) {
        const polyhedron_edge *e = &a->edges[i];
        vec from = placement_apply(a_in_b, a->vertices[e->from]), to = placement_apply(a_in_b, a->vertices[e->to]);
        vec along = vec_sub(to, from);
        vec left = turn_apply(a_in_b.rotation, a->faces[e->left].normal);
        vec right = turn_apply(a_in_b.rotation, a->faces[e->right].normal), arc = vec_cross(right, left);
        for (int32_t k = 0; k < b->edge_count; k++) {
            const polyhedron_edge *g = &b->edges[k];
            vec c = vec_negate(b->faces[g->left].normal), d = vec_negate(b->faces[g->right].normal);
            if (!arcs_cross(left, right, arc, c, d, vec_cross(d, c)))
                continue;
            vec other = vec_sub(b->vertices[g->to], b->vertices[g->from]), normal = vec_cross(along, other);
            double length = vec_length(normal);
            if (length < 1e-6 * sqrt(vec_dot(along, along) * vec_dot(other, other)))
                continue;
            normal = vec_scale(normal, (vec_dot(normal, vec_sub(from, centre)) < 0.0 ? -1.0 : 1.0) / length);
            double separation = vec_dot(normal, vec_sub(b->vertices[g->from], from));
            if (separation > best.separation)
                best = (edge_axis){separation, i, k, normal};
            if (separation > 0.0)
                return best;
        }
    }
    return best;
}

// Midpoint of the closest points of two lines.
static vec between_lines(vec p, vec u, vec q, vec v)
{
    vec w = vec_sub(p, q);
    double a = vec_dot(u, u), b = vec_dot(u, v), c = vec_dot(v, v), d = vec_dot(u, w), e = vec_dot(v, w);
    double denominator = a * c - b * b;
    double s = denominator > 0.0 ? (b * e - c * d) / denominator : 0.0, t = c > 0.0 ? (b * s + e) / c : 0.0;
    return vec_scale(vec_add(vec_add(p, vec_scale(u, s)), vec_add(q, vec_scale(v, t))), 0.5);
}

static void clip(polygon *poly, vec normal, double offset)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < poly->count; i++) {
        vec p = poly->points[i], q = poly->points[(i + 1) % poly->count];
        double dp = vec_dot(normal, p) - offset, dq = vec_dot(normal, q) - offset;
        if (dp <= 0.0 && kept.count < POLYGON_MAX)
            kept.points[kept.count++] = p;
        if ((dp < 0.0) != (dq < 0.0) && dp != 0.0 && dq != 0.0 && kept.count < POLYGON_MAX)
            kept.points[kept.count++] = vec_add(p, vec_scale(vec_sub(q, p), dp / (dp - dq)));
    }
    memcpy(poly->points, kept.points, sizeof *kept.points * (size_t)kept.count);
    poly->count = kept.count;
}

static int deepest(const hull_contact *all, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (all[i].depth > all[best].depth)
            best = i;
    return best;
}

// Keeps the deepest contact and the contacts that are farthest in seven directions perpendicular to the normal.
static int thin_out(const hull_contact *all, int count, hull_contact contacts[HULL_CONTACTS_MAX])
{
    static const double ways[HULL_CONTACTS_MAX - 1][2] = {
        {1.0, 0.0}, {0.62, 0.78}, {-0.22, 0.97}, {-0.9, 0.43}, {-0.9, -0.43}, {-0.22, -0.97}, {0.62, -0.78},
    };
    if (count <= HULL_CONTACTS_MAX) {
        memcpy(contacts, all, sizeof *all * (size_t)count);
        return count;
    }
    int chosen[HULL_CONTACTS_MAX] = {deepest(all, count)}, kept = 1;
    vec n = all[0].normal;
    vec u = vec_unit(vec_cross(n, fabs(n.x) < 0.7 ? (vec){1, 0, 0} : (vec){0, 1, 0})), v = vec_cross(n, u);
    for (int k = 0; k < HULL_CONTACTS_MAX - 1; k++) {
        vec way = vec_add(vec_scale(u, ways[k][0]), vec_scale(v, ways[k][1]));
        int best = 0;
        for (int i = 1; i < count; i++)
            if (vec_dot(all[i].position, way) > vec_dot(all[best].position, way))
                best = i;
        bool known = false;
        for (int i = 0; i < kept; i++)
            known = known || chosen[i] == best;
        if (!known)
            chosen[kept++] = best;
    }
    for (int i = 0; i < kept; i++)
        contacts[i] = all[chosen[i]];
    return kept;
}

// Clips the face of `other` that faces the reference face by the sides of the reference face. Contacts are in the reference's frame,
// with the normal of its face.
static int clip_faces(const polyhedron *reference, int32_t face, const polyhedron *other, placement other_in_it,
                      hull_contact contacts[HULL_CONTACTS_MAX])
{
    const polyhedron_face *f = &reference->faces[face];
    vec looking = turn_apply(turn_conjugate(other_in_it.rotation), f->normal);
    int32_t against = 0;
    for (int32_t i = 1; i < other->face_count; i++)
        if (vec_dot(other->faces[i].normal, looking) < vec_dot(other->faces[against].normal, looking))
            against = i;
    const polyhedron_face *g = &other->faces[against];
    polygon poly = {.count = g->count < POLYGON_MAX ? g->count : POLYGON_MAX};
    for (int i = 0; i < poly.count; i++)
        poly.points[i] = placement_apply(other_in_it, other->vertices[other->corners[g->first + i]]);
    for (int32_t i = 0; i < f->count && poly.count > 0; i++) {
        vec p = reference->vertices[reference->corners[f->first + i]];
        vec q = reference->vertices[reference->corners[f->first + (i + 1) % f->count]];
        vec out = vec_cross(vec_sub(q, p), f->normal);
        clip(&poly, out, vec_dot(out, p));
    }
    hull_contact all[POLYGON_MAX];
    int count = 0;
    for (int i = 0; i < poly.count; i++) {
        double depth = f->offset - vec_dot(f->normal, poly.points[i]);
        if (depth >= 0.0)
            all[count++] = (hull_contact){vec_add(poly.points[i], vec_scale(f->normal, 0.5 * depth)), f->normal, depth};
    }
    return thin_out(all, count, contacts);
}

static void place(hull_contact *contact, placement frame, double side)
{
    contact->position = placement_apply(frame, contact->position);
    contact->normal = vec_scale(turn_apply(frame.rotation, contact->normal), side);
}

int hull_touch_hull(const placed_hull *a, const placed_hull *b, hull_contact contacts[HULL_CONTACTS_MAX])
{
    placement a_in_b = seen_from(b->where, a->where), b_in_a = seen_from(a->where, b->where);
    face_axis of_a = find_face(a->hull, b->hull, a_in_b);
    face_axis of_b = of_a.separation > 0.0 ? of_a : find_face(b->hull, a->hull, b_in_a);
    if (of_a.separation > 0.0 || of_b.separation > 0.0)
        return 0;
    edge_axis edges = find_edges(a->hull, b->hull, a_in_b);
    if (edges.separation > 0.0)
        return 0;
    double face = fmax(of_a.separation, of_b.separation);
    int count = 0;
    if (edges.a >= 0 && edges.separation * (1.0 + edge_bias) > face) {
        const polyhedron_edge *e = &a->hull->edges[edges.a], *g = &b->hull->edges[edges.b];
        vec from = placement_apply(a_in_b, a->hull->vertices[e->from]), other = b->hull->vertices[g->from];
        vec along = vec_sub(placement_apply(a_in_b, a->hull->vertices[e->to]), from);
        contacts[count++] = (hull_contact){between_lines(from, along, other, vec_sub(b->hull->vertices[g->to], other)),
                                           edges.normal, -edges.separation};
        place(&contacts[0], b->where, -1.0);
    } else if (of_a.separation >= of_b.separation) {
        count = clip_faces(a->hull, of_a.face, b->hull, b_in_a, contacts);
        for (int i = 0; i < count; i++)
            place(&contacts[i], a->where, -1.0);
    } else {
        count = clip_faces(b->hull, of_b.face, a->hull, a_in_b, contacts);
        for (int i = 0; i < count; i++)
            place(&contacts[i], b->where, 1.0);
    }
    return count;
}

int hull_touch_plane(const placed_hull *a, vec normal, double offset, hull_contact contacts[HULL_CONTACTS_MAX])
{
    hull_contact all[POLYGON_MAX];
    int count = 0;
    for (int32_t i = 0; i < a->hull->vertex_count && count < POLYGON_MAX; i++) {
        vec p = placement_apply(a->where, a->hull->vertices[i]);
        double depth = offset - vec_dot(normal, p);
        if (depth >= 0.0)
            all[count++] = (hull_contact){vec_add(p, vec_scale(normal, 0.5 * depth)), normal, depth};
    }
    return thin_out(all, count, contacts);
}
