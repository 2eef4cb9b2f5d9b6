// Contacts of spheres and capsules with convex polyhedra.
#include "convex/hull_round.h"

// Parameter in 0..1 of the point of a segment nearest to p.
static double share_along(vec from, vec along, vec p)
{
    double square = vec_dot(along, along);
    return square > 0.0 ? fmin(1.0, fmax(0.0, vec_dot(vec_sub(p, from), along) / square)) : 0.0;
}

// Parameters of the closest points of two segments (Ericson 2005, section 5.1.9).
static void nearest_shares(vec p, vec u, vec q, vec v, double *s, double *t)
{
    vec w = vec_sub(p, q);
    double a = vec_dot(u, u), b = vec_dot(u, v), e = vec_dot(v, v), c = vec_dot(u, w);
    double denominator = a * e - b * b;
    *s = denominator > 1e-12 * a * e ? fmin(1.0, fmax(0.0, (b * vec_dot(v, w) - c * e) / denominator)) : 0.5;
    *t = share_along(q, v, vec_add(p, vec_scale(u, *s)));
    *s = share_along(p, u, vec_add(q, vec_scale(v, *t)));
}

static bool inside_face(const polyhedron *hull, const polyhedron_face *face, vec p)
{
    for (int32_t i = 0; i < face->count; i++) {
        vec a = hull->vertices[hull->corners[face->first + i]];
        vec b = hull->vertices[hull->corners[face->first + (i + 1) % face->count]];
        if (vec_dot(vec_cross(vec_sub(b, a), face->normal), vec_sub(p, a)) > 0.0)
            return false;
    }
    return true;
}

// The nearest point of the surface to p outside, on edges; NULL when farther than `reach`.
static bool nearest_on_edges(const polyhedron *hull, vec p, double reach, vec *nearest)
{
    double best = reach;
    for (int32_t i = 0; i < hull->edge_count; i++) {
        vec from = hull->vertices[hull->edges[i].from], along = vec_sub(hull->vertices[hull->edges[i].to], from);
        vec q = vec_add(from, vec_scale(along, share_along(from, along, p)));
        double distance = vec_length(vec_sub(p, q));
        if (distance < best) {
            best = distance;
            *nearest = q;
        }
    }
    return best < reach;
}

// Contact of a sphere at p, in the polyhedron's frame; the normal points from the sphere to the polyhedron.
static bool touch_ball(const polyhedron *hull, vec p, double radius, hull_contact *contact)
{
    double most = -INFINITY;
    int32_t face = 0;
    for (int32_t f = 0; f < hull->face_count; f++) {
        double above = vec_dot(hull->faces[f].normal, p) - hull->faces[f].offset;
        if (above > most) {
            most = above;
            face = f;
        }
    }
    if (most > radius)
        return false;
    vec normal = hull->faces[face].normal, nearest = vec_sub(p, vec_scale(normal, most));
    double distance = most;
    if (most > 0.0 && !inside_face(hull, &hull->faces[face], nearest)) {
        if (!nearest_on_edges(hull, p, radius, &nearest))
            return false;
        distance = vec_length(vec_sub(p, nearest));
        normal = vec_scale(vec_sub(p, nearest), 1.0 / distance);
    }
    *contact = (hull_contact){nearest, vec_negate(normal), radius - distance};
    return true;
}

// Contact of the interior of a segment with an edge, unless one of its ends is as near.
static bool touch_edge(const polyhedron *hull, const vec ends[2], double radius, hull_contact *contact)
{
    vec along = vec_sub(ends[1], ends[0]);
    double best = radius;
    bool found = false;
    for (int32_t i = 0; i < hull->edge_count; i++) {
        vec from = hull->vertices[hull->edges[i].from], edge = vec_sub(hull->vertices[hull->edges[i].to], from);
        double s, t;
        nearest_shares(ends[0], along, from, edge, &s, &t);
        vec p = vec_add(ends[0], vec_scale(along, s)), q = vec_add(from, vec_scale(edge, t)), away = vec_sub(p, q);
        double distance = vec_length(away);
        if (!(distance < best) || !(s > 1e-3 && s < 1.0 - 1e-3) || !(distance > 0.0))
            continue;
        if (vec_dot(away, vec_sub(q, hull->centre)) <= 0.0)
            continue; // Deeper than the edge: the ends give the normal.
        best = distance;
        found = true;
        *contact = (hull_contact){q, vec_scale(away, -1.0 / distance), radius - distance};
    }
    return found;
}

int hull_touch_capsule(const placed_hull *a, const vec ends[2], double radius, hull_contact contacts[HULL_CONTACTS_MAX])
{
    const vec local[2] = {placement_undo(a->where, ends[0]), placement_undo(a->where, ends[1])};
    bool ball = vec_length(vec_sub(ends[1], ends[0])) == 0.0;
    int count = 0;
    for (int k = 0; k < (ball ? 1 : 2); k++)
        count += touch_ball(a->hull, local[k], radius, &contacts[count]);
    if (!ball)
        count += touch_edge(a->hull, local, radius, &contacts[count]);
    for (int i = 0; i < count; i++) {
        contacts[i].position = placement_apply(a->where, contacts[i].position);
        contacts[i].normal = turn_apply(a->where.rotation, contacts[i].normal);
    }
    return count;
}
