// Convex hulls: a tetrahedron grows by the point furthest outside a face, until none is outside.
//
//           apex                 Faces visible from the apex are removed. Their border, the horizon, is one loop;
//          / |  \                each of its sides gets a new face to the apex.
//         /  |   \.
//     --o----+----o--  horizon
//      /  removed  \.
//
// Visibility is decided exactly, so the visible faces are connected and the horizon is one loop for any points. Each
// point outside is stored with the face between it and an interior point, and is assigned again only when that face is
// removed.
//
//   Barber, Dobkin, Huhdanpaa 1996, The Quickhull Algorithm for Convex Hulls.
#include "mesh/primitives/hull.h"

#include "base/vector.h"
#include "mesh/primitives/orientation.h"

// Points nearer to a face than these fractions of the size of the cloud, and of its largest coordinate, count as on the face.
#define SIZE_SHARE 1e-6
#define HULL_ROUNDING 1.2e-7

// A side of the horizon, and the plane through its first corner, the apex and the interior point.
typedef struct hull_border {
    int32_t from, to, beyond;
    int32_t face;    // The new face on this side.
    pli_dvec3 fence; // Normal of that plane, towards the side.
} hull_border;

typedef struct hull_builder {
    pli_hull hull;
    int32_t count;
    pli_dvec3 middle;   // The interior point [m].
    double tolerance;   // Least distance of a point outside [m].
    int32_t *after;     // [count] the next point outside the same face.
    int32_t *side_from; // [count] the horizon side that starts at a point.
    int32_t *waiting, *seen, *free_faces;
    hull_border *borders;
    int32_t waiting_count, seen_count, free_count, border_count;
    int32_t waiting_capacity, seen_capacity, free_capacity, border_capacity;
} hull_builder;

static const float *at(const hull_builder *b, int32_t point) { return b->hull.positions + 3 * (size_t)point; }

static pli_dvec3 from_to(const float *a, const float *b)
{
    return (pli_dvec3){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]};
}

static pli_dvec3 from_middle(const hull_builder *b, int32_t point)
{
    const float *p = at(b, point);
    return pli_dsub((pli_dvec3){(double)p[0], (double)p[1], (double)p[2]}, b->middle);
}

static double orientation(const hull_builder *b, const int32_t corners[3], int32_t point)
{
    return pli_orientation(at(b, corners[0]), at(b, corners[1]), at(b, corners[2]), at(b, point));
}

static double doubled_area(const hull_builder *b, const int32_t corners[3])
{
    return pli_dlength(
        pli_dcross(from_to(at(b, corners[0]), at(b, corners[1])), from_to(at(b, corners[0]), at(b, corners[2]))));
}

// Assigns a point to a face if it is outside by more than the tolerance.
static void assign_outside_point(hull_builder *b, int32_t face, int32_t point)
{
    pli_hull_face *f = &b->hull.faces[face];
    double height = orientation(b, f->corners, point);
    if (!(height > 0.0) || !(height > b->tolerance * doubled_area(b, f->corners)))
        return;
    b->after[point] = f->above;
    f->above = point;
}

static bool enqueue_face(hull_builder *b, int32_t face)
{
    if (b->hull.faces[face].above < 0 || b->hull.faces[face].waiting)
        return true;
    if (!pli_reserve(b->hull.memory, &b->waiting, &b->waiting_capacity, (int64_t)b->waiting_count + 1, sizeof(int32_t)))
        return false;
    b->hull.faces[face].waiting = true;
    b->waiting[b->waiting_count++] = face;
    return true;
}

// Adds a face, reusing a removed one; -1 when memory ran out.
static int32_t hull_add_face(hull_builder *b, int32_t u, int32_t v, int32_t w)
{
    pli_hull *h = &b->hull;
    int32_t face = h->face_count;
    if (b->free_count > 0)
        face = b->free_faces[--b->free_count];
    else if (pli_reserve(h->memory, &h->faces, &h->face_capacity, (int64_t)face + 1, sizeof *h->faces))
        h->face_count++;
    else
        return -1;
    bool waiting = h->faces[face].waiting;
    h->faces[face] = (pli_hull_face){.corners = {u, v, w}, .across = {-1, -1, -1}, .above = -1, .waiting = waiting};
    return face;
}

static bool mark_visible(hull_builder *b, int32_t face)
{
    if (!pli_reserve(b->hull.memory, &b->seen, &b->seen_capacity, (int64_t)b->seen_count + 1, sizeof(int32_t)))
        return false;
    b->hull.faces[face].visible = true;
    b->seen[b->seen_count++] = face;
    return true;
}

static bool add_border(hull_builder *b, int32_t from, int32_t to, int32_t beyond)
{
    if (!pli_reserve(b->hull.memory, &b->borders, &b->border_capacity, (int64_t)b->border_count + 1,
                     sizeof(hull_border)))
        return false;
    b->borders[b->border_count++] = (hull_border){.from = from, .to = to, .beyond = beyond};
    return true;
}

// Marks all faces visible from the point, beginning with one, and collects the sides of the horizon.
static bool find_visible_faces(hull_builder *b, int32_t face, int32_t point)
{
    b->seen_count = b->border_count = 0;
    bool complete = mark_visible(b, face);
    for (int32_t i = 0; complete && i < b->seen_count; i++)
        for (int32_t k = 0; complete && k < 3; k++) {
            const pli_hull_face *f = &b->hull.faces[b->seen[i]];
            int32_t beyond = f->across[k];
            if (b->hull.faces[beyond].visible)
                continue;
            if (orientation(b, b->hull.faces[beyond].corners, point) > 0.0)
                complete = mark_visible(b, beyond);
            else
                complete = add_border(b, f->corners[k], f->corners[(k + 1) % 3], beyond);
        }
    return complete;
}

static bool raise_faces(hull_builder *b, int32_t point)
{
    pli_dvec3 axis = from_middle(b, point);
    for (int32_t i = 0; i < b->border_count; i++) {
        hull_border *side = &b->borders[i];
        side->face = hull_add_face(b, side->from, side->to, point);
        if (side->face < 0)
            return false;
        side->fence = pli_dcross(axis, from_middle(b, side->from));
        b->side_from[side->from] = i;
        b->hull.faces[side->face].across[0] = side->beyond;
        pli_hull_face *f = &b->hull.faces[side->beyond];
        for (int32_t k = 0; k < 3; k++)
            if (f->corners[k] == side->to)
                f->across[k] = side->face;
    }
    for (int32_t i = 0; i < b->border_count; i++) {
        int32_t face = b->borders[i].face, next = b->borders[b->side_from[b->borders[i].to]].face;
        b->hull.faces[face].across[1] = next;
        b->hull.faces[next].across[2] = face;
    }
    return true;
}

// Returns the new face that the ray from the interior point to `point` crosses: the point is between the planes at both
// ends of its side.
static int32_t face_under(const hull_builder *b, int32_t point)
{
    pli_dvec3 out = from_middle(b, point);
    for (int32_t i = 0; i < b->border_count; i++) {
        const hull_border *side = &b->borders[i], *next = &b->borders[b->side_from[side->to]];
        if (pli_ddot(side->fence, out) >= 0.0 && pli_ddot(next->fence, out) < 0.0)
            return side->face;
    }
    return b->borders[0].face;
}

// Assigns the points of removed faces to new faces, and recycles the removed ones.
static bool reassign_points(hull_builder *b, int32_t apex)
{
    if (!pli_reserve(b->hull.memory, &b->free_faces, &b->free_capacity, (int64_t)b->free_count + b->seen_count,
                     sizeof(int32_t)))
        return false;
    for (int32_t i = 0; i < b->seen_count; i++) {
        pli_hull_face *gone = &b->hull.faces[b->seen[i]];
        for (int32_t point = gone->above, next; point >= 0; point = next) {
            next = b->after[point];
            if (point != apex)
                assign_outside_point(b, face_under(b, point), point);
        }
        gone->above = -1;
        gone->removed = true;
        b->free_faces[b->free_count++] = b->seen[i];
    }
    for (int32_t i = 0; i < b->border_count; i++)
        if (!enqueue_face(b, b->borders[i].face))
            return false;
    return true;
}

static int32_t furthest_above(const hull_builder *b, int32_t face)
{
    const pli_hull_face *f = &b->hull.faces[face];
    int32_t best = f->above;
    double most = 0.0;
    for (int32_t point = f->above; point >= 0; point = b->after[point]) {
        double height = orientation(b, f->corners, point);
        if (height > most || (height == most && point < best)) {
            best = point;
            most = height;
        }
    }
    return best;
}

static bool hull_grow(hull_builder *b)
{
    while (b->waiting_count > 0) {
        int32_t face = b->waiting[--b->waiting_count];
        b->hull.faces[face].waiting = false;
        if (b->hull.faces[face].removed || b->hull.faces[face].above < 0)
            continue;
        int32_t apex = furthest_above(b, face);
        if (!find_visible_faces(b, face, apex) || !raise_faces(b, apex) || !reassign_points(b, apex))
            return false;
    }
    return true;
}

// Distance measures for choosing the first tetrahedron.
typedef double (*hull_measure)(const hull_builder *b, const int32_t corners[3], int32_t point);

static double from_corner(const hull_builder *b, const int32_t corners[3], int32_t point)
{
    return pli_dlength(from_to(at(b, corners[0]), at(b, point)));
}

static double from_line(const hull_builder *b, const int32_t corners[3], int32_t point)
{
    pli_dvec3 line = from_to(at(b, corners[0]), at(b, corners[1]));
    return pli_dlength(pli_dcross(line, from_to(at(b, corners[0]), at(b, point)))) / pli_dlength(line);
}

static double from_plane(const hull_builder *b, const int32_t corners[3], int32_t point)
{
    return fabs(orientation(b, corners, point)) / doubled_area(b, corners);
}

static int32_t furthest(const hull_builder *b, hull_measure size, const int32_t corners[3])
{
    int32_t best = -1;
    double most = b->tolerance;
    for (int32_t point = 0; point < b->count; point++) {
        double s = size(b, corners, point);
        if (s > most) {
            best = point;
            most = s;
        }
    }
    return best;
}

// Finds four points of positive volume; -1 from the first point that cannot be found.
static void choose_four(const hull_builder *b, int32_t four[4])
{
    four[0] = 0;
    for (int32_t point = 1; point < b->count; point++)
        if (at(b, point)[0] < at(b, four[0])[0])
            four[0] = point;
    four[2] = four[3] = -1;
    four[1] = furthest(b, from_corner, four);
    if (four[1] >= 0)
        four[2] = furthest(b, from_line, four);
    if (four[2] >= 0)
        four[3] = furthest(b, from_plane, four);
}

static pli_status refuse_flat(const hull_builder *b, const int32_t four[4], pli_error *error)
{
    const char *form = four[1] < 0 ? "at one place" : four[2] < 0 ? "on one line" : "in one plane";
    return pli_fail(error, PLI_STATUS_INVALID_MESH,
                    "hull: its %d points lie %s to within %g m, so that they have no "
                    "inside; use a mesh collider for a flat thing",
                    (int)b->count, form, b->tolerance);
}

// Returns the face of the first tetrahedron through which the ray from the interior point to `point` leaves.
static int32_t first_face_under(const hull_builder *b, int32_t point)
{
    int32_t best = 0;
    double most = -INFINITY;
    pli_dvec3 out = from_middle(b, point);
    for (int32_t face = 0; face < 4; face++) {
        const int32_t *c = b->hull.faces[face].corners;
        pli_dvec3 normal = pli_dcross(from_to(at(b, c[0]), at(b, c[1])), from_to(at(b, c[0]), at(b, c[2])));
        double share = pli_ddot(normal, out) / pli_ddot(normal, from_middle(b, c[0]));
        if (share > most) {
            best = face;
            most = share;
        }
    }
    return best;
}

static bool hull_start(hull_builder *b, int32_t four[4])
{
    static const int32_t sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int32_t beyond[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    if (orientation(b, four, four[3]) > 0.0) {
        int32_t swapped = four[1];
        four[1] = four[2];
        four[2] = swapped;
    }
    for (int k = 0; k < 4; k++)
        b->middle = pli_dadd(b->middle, pli_dscale(from_middle(b, four[k]), 1.0 / (k + 1)));
    for (int32_t face = 0; face < 4; face++) {
        int32_t added = hull_add_face(b, four[sides[face][0]], four[sides[face][1]], four[sides[face][2]]);
        if (added < 0)
            return false;
        for (int k = 0; k < 3; k++)
            b->hull.faces[added].across[k] = beyond[face][k];
    }
    for (int32_t point = 0; point < b->count; point++)
        assign_outside_point(b, first_face_under(b, point), point);
    for (int32_t face = 0; face < 4; face++)
        if (!enqueue_face(b, face))
            return false;
    return true;
}

static double tolerance_of(const float *points, int32_t count)
{
    double size = 0.0, largest = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < count; i++) {
            double at_k = (double)points[3 * (size_t)i + (size_t)k];
            low = at_k < low ? at_k : low; // This avoids fmin and fmax, with which gcc 12 for ARM fails.
            high = at_k > high ? at_k : high;
        }
        size = fmax(size, high - low);
        largest = fmax(largest, fmax(fabs(low), fabs(high)));
    }
    return fmax(SIZE_SHARE * size, HULL_ROUNDING * largest);
}

static pli_status hull_build(hull_builder *b, const pli_hooks *hooks, pli_mesh **mesh, pli_error *error)
{
    int32_t four[4];
    b->tolerance = tolerance_of(b->hull.positions, b->count);
    choose_four(b, four);
    if (four[3] < 0)
        return refuse_flat(b, four, error);
    b->after = PLI_ALLOCATE(b->hull.memory, int32_t, b->count);
    b->side_from = PLI_ALLOCATE(b->hull.memory, int32_t, b->count);
    if (!b->after || !b->side_from || !hull_start(b, four) || !hull_grow(b))
        return pli_fail_memory(error);
    return pli_hull_finish(&b->hull, b->count, hooks, mesh, error);
}

pli_status pli_mesh_create_hull_with(const pli_hooks *hooks, const float *points, int32_t count, pli_mesh **mesh,
                                     pli_error *error)
{
    if (count < 4 || count > PLI_MESH_COUNT_MAX)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "hull: it takes 4 to %d points, not %d",
                        (int)PLI_MESH_COUNT_MAX, (int)count);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(points[3 * (size_t)i + (size_t)k]))
                return pli_fail(error, PLI_STATUS_INVALID_MESH, "hull: a coordinate of point %d is not finite", (int)i);
    pli_memory memory = pli_memory_make(hooks);
    hull_builder b = {.hull = {.memory = &memory, .positions = points}, .count = count};
    pli_status status = hull_build(&b, hooks, mesh, error);
    void *arrays[] = {b.hull.faces, b.after, b.side_from, b.waiting, b.seen, b.free_faces, b.borders};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&memory, arrays[i]);
    return status;
}
