// See run/verification.h. A failure names the pair with the lowest numbers and a point of its intersection.
#include "run/verification.h"

#include "frame/folders.h"

#include <pliant/mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting --------------------------------------------------------------------------------- */

static bool make_room(pli_cli_verification *v, int32_t triangles)
{
    if (triangles <= v->box_count)
        return true;
    free(v->boxes);
    v->boxes = malloc((size_t)triangles * sizeof *v->boxes);
    v->box_count = v->boxes ? triangles : 0;
    return v->boxes != NULL;
}

// Positions relative to the world's origin: far from the application's origin, the positions in the files are rounded by more than the
// width of gaps.
static void pack(const pli_cli_recording *r, int32_t object, int32_t count, float *packed)
{
    const pli_world *world = r->def.world;
    if (object >= r->deformable_count) {
        pli_cli_collider_mesh_local_positions(&r->collider_meshes, world, object - r->deformable_count, packed);
        return;
    }
    pli_view positions = pli_deformable_local_positions(world, pli_world_deformable_at(world, object));
    for (int32_t k = 0; k < count && k < positions.count; k++)
        memcpy(packed + 3 * (size_t)k, pli_view_at(positions, k), 3 * sizeof *packed);
}

static bool count_surfaces(pli_cli_verification *v, const pli_cli_recording *r, pli_cli_surface *surfaces,
                           float **packed)
{
    int32_t triangles = 0;
    v->found = (pli_cli_intersections){.own = 0};
    for (int32_t i = 0; i < r->object_count; i++) {
        const pli_topology *t = pli_mesh_topology(r->objects[i].mesh);
        packed[i] = malloc(3 * ((size_t)t->vertex_count + 1) * sizeof **packed);
        if (!packed[i])
            return false;
        pack(r, i, t->vertex_count, packed[i]);
        surfaces[i] = (pli_cli_surface){t->triangles, t->triangle_count, packed[i], i >= r->deformable_count};
        triangles += t->triangle_count;
    }
    return make_room(v, triangles) &&
           (triangles == 0 || pli_cli_intersections_count(surfaces, r->object_count, v->boxes, &v->found));
}

pli_status pli_cli_verification_count(pli_cli_verification *v, const pli_cli_recording *r, pli_error *error)
{
    pli_cli_surface *surfaces = calloc((size_t)r->object_count + 1, sizeof *surfaces);
    float **packed = calloc((size_t)r->object_count + 1, sizeof *packed);
    bool complete = surfaces && packed && count_surfaces(v, r, surfaces, packed);
    for (int32_t i = 0; i < r->object_count && packed; i++)
        free(packed[i]);
    free(packed);
    free(surfaces);
    return complete ? PLI_STATUS_OK
                    : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the intersections of a frame");
}

/* ---- place of an intersection ----------------------------------------------------------------- */

typedef struct point {
    double at[3];
} point;

static point difference(point a, point b) { return (point){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}}; }

static double volume(point a, point b, point c)
{
    return a.at[0] * (b.at[1] * c.at[2] - b.at[2] * c.at[1]) + a.at[1] * (b.at[2] * c.at[0] - b.at[0] * c.at[2]) +
           a.at[2] * (b.at[0] * c.at[1] - b.at[1] * c.at[0]);
}

// The point where the segment passes through the triangle, from the volumes that it spans with the sides.
static bool pierces(const point ends[2], const point t[3], point *place)
{
    double first = volume(difference(t[1], t[0]), difference(t[2], t[0]), difference(ends[0], t[0]));
    double second = volume(difference(t[1], t[0]), difference(t[2], t[0]), difference(ends[1], t[0]));
    int32_t sides = 0;
    point along = difference(ends[1], ends[0]);
    if ((first > 0.0) == (second > 0.0))
        return false;
    for (int32_t k = 0; k < 3; k++)
        sides += volume(along, difference(t[k], ends[0]), difference(t[(k + 1) % 3], ends[0])) > 0.0 ? 1 : -1;
    for (int32_t k = 0; k < 3; k++)
        place->at[k] = ends[0].at[k] + first / (first - second) * along.at[k];
    return sides == 3 || sides == -3;
}

// A point of both triangles, up to rounding; a corner if the doubles find none.
static point place_of(const point t[2][3])
{
    point place = t[0][0];
    for (int32_t side = 0; side < 2; side++)
        for (int32_t k = 0; k < 3; k++) {
            const point ends[2] = {t[side][k], t[side][(k + 1) % 3]};
            point found;
            if (pierces(ends, t[1 - side], &found))
                return found;
        }
    return place;
}

pli_status pli_cli_verification_judge(const pli_cli_verification *v, const pli_cli_recording *r, int32_t frame,
                                      pli_error *error)
{
    long long pairs = (long long)pli_cli_intersections_total(&v->found);
    const char *names[2];
    int32_t faces[2];
    point corners[2][3];
    pli_statistics statistics;
    if (pairs == 0)
        return PLI_STATUS_OK;
    for (int32_t side = 0; side < 2; side++) {
        int32_t object = v->found.surfaces[side], triangle = v->found.triangles[side];
        const pli_topology *t = pli_mesh_topology(r->objects[object].mesh);
        names[side] = r->objects[object].name;
        faces[side] = t->triangle_faces[triangle];
        for (int32_t k = 0; k < 9; k++)
            corners[side][k / 3].at[k % 3] = (double)pli_view_at(r->positions[object],
                                                                 t->triangles[3 * triangle + k / 3])[k % 3];
    }
    point place = place_of((const point(*)[3])corners);
    pli_world_get_statistics(r->def.world, &statistics);
    return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "%lld pair%s of triangles intersect%s in frame %d, the first in face %d of '%s' and face %d of "
                        "'%s' at (%.6g, %.6g, "
                        "%.6g); the step itself says %d intersections, and %d pairs given up",
                        pairs, pairs == 1 ? "" : "s", pairs == 1 ? "s" : "", (int)frame, (int)faces[0], names[0],
                        (int)faces[1], names[1], place.at[0], place.at[1], place.at[2],
                        (int)statistics.intersection_count, (int)statistics.failed_pair_count);
}

void pli_cli_verification_release(pli_cli_verification *v)
{
    free(v->boxes);
    *v = (pli_cli_verification){0};
}
