// The mesh of a hull: coplanar triangles are merged into polygons.
#include "mesh/primitives/hull.h"
#include "mesh/primitives/mesh_list.h"
#include "mesh/primitives/orientation.h"

// A corner of a face, and the side that begins there.
typedef struct hull_mesh_place {
    int32_t face, corner;
} hull_mesh_place;

typedef struct finisher {
    const pli_hull *hull;
    int32_t *stack;
    int32_t *planes_at; // [points] number of planes whose border contains the point.
    int32_t *names;     // [points] index in the mesh.
    int32_t *corners;   // Corners of one plane, in order.
    pli_mesh_list list;
} finisher;

static bool in_plane(const pli_hull *h, const pli_hull_face *f, const pli_hull_face *other)
{
    const int32_t *c = f->corners;
    for (int k = 0; k < 3; k++) {
        const float *p = h->positions;
        if (pli_orientation(p + 3 * (size_t)c[0], p + 3 * (size_t)c[1], p + 3 * (size_t)c[2],
                            p + 3 * (size_t)other->corners[k]) != 0.0)
            return false;
    }
    return true;
}

// Numbers the planes: all faces of a plane get the number of its first face.
static void number_planes(finisher *f)
{
    const pli_hull *h = f->hull;
    for (int32_t i = 0; i < h->face_count; i++)
        h->faces[i].plane = -1;
    for (int32_t first = 0; first < h->face_count; first++) {
        if (h->faces[first].removed || h->faces[first].plane >= 0)
            continue;
        int32_t depth = 0;
        h->faces[first].plane = first;
        f->stack[depth++] = first;
        while (depth > 0) {
            const pli_hull_face *face = &h->faces[f->stack[--depth]];
            for (int k = 0; k < 3; k++) {
                pli_hull_face *other = &h->faces[face->across[k]];
                if (other->plane >= 0 || !in_plane(h, &h->faces[first], other))
                    continue;
                other->plane = first;
                f->stack[depth++] = face->across[k];
            }
        }
    }
}

static bool is_border(const pli_hull *h, hull_mesh_place p)
{
    const pli_hull_face *face = &h->faces[p.face];
    return h->faces[face->across[p.corner]].plane != face->plane;
}

// Returns the next side on the border of the plane.
static hull_mesh_place next_on_border(const pli_hull *h, hull_mesh_place p)
{
    hull_mesh_place next = {p.face, (p.corner + 1) % 3};
    while (!is_border(h, next)) {
        int32_t corner = h->faces[next.face].corners[next.corner], beyond = h->faces[next.face].across[next.corner];
        for (int32_t k = 0; k < 3; k++)
            if (h->faces[beyond].corners[k] == corner)
                next = (hull_mesh_place){beyond, k};
    }
    return next;
}

static void name_corners(finisher *f, int32_t point_count)
{
    const pli_hull *h = f->hull;
    for (int32_t i = 0; i < h->face_count; i++)
        for (int32_t k = 0; k < 3 && !h->faces[i].removed; k++)
            f->planes_at[h->faces[i].corners[k]] += is_border(h, (hull_mesh_place){i, k});
    for (int32_t i = 0; i < point_count; i++) {
        const float *p = h->positions + 3 * (size_t)i;
        if (f->planes_at[i] >= 3)
            f->names[i] = pli_mesh_list_vertex(&f->list, (double)p[0], (double)p[1], (double)p[2]);
    }
}

static void add_plane(finisher *f, hull_mesh_place first)
{
    int32_t count = 0;
    hull_mesh_place p = first;
    do {
        int32_t point = f->hull->faces[p.face].corners[p.corner];
        if (f->planes_at[point] >= 3)
            f->corners[count++] = f->names[point];
        p = next_on_border(f->hull, p);
    } while (p.face != first.face || p.corner != first.corner);
    for (int32_t i = 1; i + 1 < count; i++)
        pli_mesh_list_triangle(&f->list, f->corners[0], f->corners[i], f->corners[i + 1]);
}

static void add_planes(finisher *f)
{
    const pli_hull *h = f->hull;
    for (int32_t i = 0; i < h->face_count; i++) {
        // The stack now marks the finished planes.
        int32_t plane = h->faces[i].removed ? -1 : h->faces[i].plane;
        for (int32_t k = 0; k < 3 && plane >= 0; k++)
            if (is_border(h, (hull_mesh_place){i, k}) && f->stack[plane] >= 0) {
                f->stack[plane] = -1;
                add_plane(f, (hull_mesh_place){i, k});
            }
    }
}

pli_status pli_hull_finish(const pli_hull *hull, int32_t point_count, const pli_hooks *hooks, pli_mesh **mesh,
                           pli_error *error)
{
    pli_memory *memory = hull->memory;
    finisher f = {.hull = hull, .list = pli_mesh_list_start(hooks)};
    f.stack = PLI_ALLOCATE(memory, int32_t, hull->face_count);
    f.planes_at = PLI_ALLOCATE(memory, int32_t, point_count);
    f.names = PLI_ALLOCATE(memory, int32_t, point_count);
    f.corners = PLI_ALLOCATE(memory, int32_t, point_count);
    f.list.out_of_memory = !f.stack || !f.planes_at || !f.names || !f.corners;
    if (!f.list.out_of_memory) {
        number_planes(&f);
        name_corners(&f, point_count);
        for (int32_t i = 0; i < hull->face_count; i++)
            f.stack[i] = 0;
        add_planes(&f);
    }
    pli_status status = pli_mesh_list_finish(&f.list, mesh, error);
    void *arrays[] = {f.stack, f.planes_at, f.names, f.corners};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    return status;
}
