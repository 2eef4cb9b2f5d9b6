// Lengths, areas, volume and bounds of a mesh, in double.
#include "base/vector.h"
#include "mesh/mesh_report.h"

// Rounding of its coordinates gives a degenerate, straight triangle about this area, relative to its squared length.
static const double flat_ratio = 1e-7;

static pli_dvec3 draft_position(const pli_draft *draft, int32_t vertex)
{
    const float *p = draft->positions + 3 * (size_t)vertex;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static void measure_bounds(const pli_draft *draft, pli_mesh_report *report)
{
    for (int32_t i = 0; i < draft->vertex_count; i++) {
        const float *p = draft->positions + 3 * (size_t)i;
        pli_vec3 *low = &report->bounds_min, *high = &report->bounds_max;
        if (i == 0)
            *low = *high = (pli_vec3){p[0], p[1], p[2]};
        *low = (pli_vec3){fminf(low->x, p[0]), fminf(low->y, p[1]), fminf(low->z, p[2])};
        *high = (pli_vec3){fmaxf(high->x, p[0]), fmaxf(high->y, p[1]), fmaxf(high->z, p[2])};
    }
}

static void measure_draft_edges(const pli_draft *draft, pli_mesh_report *report)
{
    double sum = 0, low = 0, high = 0;
    for (int32_t i = 0; i < draft->edge_count; i++) {
        const int32_t *ends = draft->edges + 2 * (size_t)i;
        double length = pli_dlength(pli_dsub(draft_position(draft, ends[1]), draft_position(draft, ends[0])));
        sum += length;
        low = i == 0 ? length : fmin(low, length);
        high = fmax(high, length);
    }
    report->edge_length_min = pli_clamp_to_float(low);
    report->edge_length_mean = draft->edge_count ? pli_clamp_to_float(sum / draft->edge_count) : 0;
    report->edge_length_max = pli_clamp_to_float(high);
}

typedef struct face_measure {
    int32_t face;
    double area, longest_squared;
} face_measure;

static void finish_face(const face_measure *face, pli_mesh_report *report)
{
    report->area += face->area;
    if (face->face >= 0 && face->area <= flat_ratio * face->longest_squared)
        if (report->zero_area_faces++ == 0)
            report->first_zero_area_face = face->face;
}

static double longest_side_squared(pli_dvec3 a, pli_dvec3 b, pli_dvec3 c)
{
    pli_dvec3 ab = pli_dsub(b, a), bc = pli_dsub(c, b), ca = pli_dsub(a, c);
    return fmax(pli_ddot(ab, ab), fmax(pli_ddot(bc, bc), pli_ddot(ca, ca)));
}

static void measure_triangles(const pli_draft *draft, pli_mesh_report *report, double *areas)
{
    pli_dvec3 low = {(double)report->bounds_min.x, (double)report->bounds_min.y, (double)report->bounds_min.z};
    pli_dvec3 high = {(double)report->bounds_max.x, (double)report->bounds_max.y, (double)report->bounds_max.z};
    pli_dvec3 centre = pli_dscale(pli_dadd(low, high), 0.5);
    face_measure face = {.face = -1};
    for (int32_t i = 0; i < draft->triangle_count; i++) {
        if (draft->triangle_faces[i] != face.face) {
            finish_face(&face, report);
            face = (face_measure){.face = draft->triangle_faces[i]};
        }
        const int32_t *corner = draft->triangles + 3 * (size_t)i;
        pli_dvec3 a = pli_dsub(draft_position(draft, corner[0]), centre);
        pli_dvec3 b = pli_dsub(draft_position(draft, corner[1]), centre);
        pli_dvec3 c = pli_dsub(draft_position(draft, corner[2]), centre);
        double area = 0.5 * pli_dlength(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)));
        report->volume += pli_ddot(a, pli_dcross(b, c)) / 6;
        face.area += area;
        face.longest_squared = fmax(face.longest_squared, longest_side_squared(a, b, c));
        for (int j = 0; areas && j < 3; j++)
            areas[corner[j]] += area / 3;
    }
    finish_face(&face, report);
}

void pli_measure_draft(const pli_draft *draft, pli_mesh_report *report, double *vertex_areas)
{
    measure_bounds(draft, report);
    measure_draft_edges(draft, report);
    measure_triangles(draft, report, vertex_areas);
}
