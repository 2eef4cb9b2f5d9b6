// Triangles of every face, in the order of the faces: n - 2 for n corners. Quads are divided along the shorter
// diagonal.
#include "mesh/draft.h"
#include "mesh/ear_clipping.h"

typedef struct clip_scratch {
    pli_dvec3 *points;
    pli_clip_corner *corners;
} clip_scratch;

// Diagonals of the squares of a grid differ by rounding only and must all run in the same direction: one must be
// shorter by this factor to be preferred.
static const double length_tolerance = 1 + 1e-5;

static pli_dvec3 draft_point(const pli_draft *draft, int32_t corner)
{
    const float *p = draft->positions + 3 * (size_t)draft->face_vertices[corner];
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Whether neither triangle of the quad, divided from corner `a` to the opposite one, is flipped.
static bool keeps_side(const pli_dvec3 *p, int a, pli_dvec3 normal)
{
    pli_dvec3 diagonal = pli_dsub(p[a + 2], p[a]);
    pli_dvec3 first = pli_dcross(pli_dsub(p[a + 1], p[a]), diagonal);
    pli_dvec3 second = pli_dcross(diagonal, pli_dsub(p[(a + 3) % 4], p[a]));
    return pli_ddot(first, normal) >= 0 && pli_ddot(second, normal) >= 0;
}

static void divide_quad(const pli_dvec3 *points, int32_t *triangles)
{
    pli_dvec3 normal = pli_newell_normal(points, 4);
    pli_dvec3 first = pli_dsub(points[2], points[0]), second = pli_dsub(points[3], points[1]);
    bool from_first = keeps_side(points, 0, normal), from_second = keeps_side(points, 1, normal);
    bool cut_second = from_second &&
                      (!from_first || pli_ddot(second, second) * length_tolerance < pli_ddot(first, first));
    static const int32_t cuts[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
    for (int i = 0; i < 6; i++)
        triangles[i] = cuts[cut_second][i];
}

static void divide_face(const pli_draft *draft, int32_t face, clip_scratch *scratch, int32_t *triangles)
{
    int32_t offset = draft->face_offsets[face], count = draft->face_offsets[face + 1] - offset;
    if (count == 3) {
        for (int32_t i = 0; i < 3; i++)
            triangles[i] = draft->face_vertices[offset + i];
        return;
    }
    for (int32_t i = 0; i < count; i++)
        scratch->points[i] = draft_point(draft, offset + i);
    if (count == 4)
        divide_quad(scratch->points, triangles);
    else
        pli_clip_polygon(scratch->points, count, scratch->corners, triangles);
    for (size_t i = 0; i < 3 * ((size_t)count - 2); i++)
        triangles[i] = draft->face_vertices[offset + triangles[i]];
}

static int32_t largest_degree(const pli_draft *draft)
{
    int32_t largest = 0;
    for (int32_t face = 0; face < draft->face_count; face++) {
        int32_t degree = draft->face_offsets[face + 1] - draft->face_offsets[face];
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

bool pli_draft_triangulate(pli_draft *draft)
{
    int32_t degree = largest_degree(draft);
    draft->triangle_count = draft->corner_count - 2 * draft->face_count;
    draft->triangles = degree <= 3 ? draft->face_vertices
                                   : PLI_ALLOCATE_UNSET(draft->memory, int32_t, 3 * (size_t)draft->triangle_count);
    draft->triangle_faces = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->triangle_count);
    clip_scratch scratch = {PLI_ALLOCATE(draft->memory, pli_dvec3, degree),
                            PLI_ALLOCATE(draft->memory, pli_clip_corner, degree > 4 ? degree : 0)};
    bool done = draft->triangles && draft->triangle_faces && scratch.points && scratch.corners;
    int32_t *triangle = draft->triangles;
    for (int32_t face = 0, filled = 0; done && face < draft->face_count; face++) {
        if (degree > 3)
            divide_face(draft, face, &scratch, triangle);
        int32_t pieces = draft->face_offsets[face + 1] - draft->face_offsets[face] - 2;
        triangle += 3 * (size_t)pieces;
        for (int32_t i = 0; i < pieces; i++)
            draft->triangle_faces[filled++] = face;
    }
    pli_release(draft->memory, scratch.corners);
    pli_release(draft->memory, scratch.points);
    return done;
}
