// Checks the given arrays before any topology exists: arguments, sizes, indices, values.
#include "mesh/mesh_report.h"

#include <math.h>
#include <string.h>

static void note_face(int32_t *count, int32_t *first, int32_t index)
{
    if ((*count)++ == 0)
        *first = index;
}

static pli_mesh_report empty_report(const pli_mesh_def *def)
{
    return (pli_mesh_report){
        .vertex_count = def->vertex_count,
        .face_count = def->face_count,
        .first_wrong_index_face = -1,
        .first_wrong_size_face = -1,
        .first_non_finite_vertex = -1,
        .first_non_manifold_edge = {-1, -1},
        .first_repeated_vertex_face = -1,
        .first_duplicate_face = -1,
        .first_non_manifold_vertex = -1,
        .first_isolated_vertex = -1,
        .first_duplicate_vertex = -1,
        .first_zero_area_face = -1,
        .first_misoriented_edge = {-1, -1},
    };
}

static pli_status check_arguments(const pli_mesh_def *def, pli_error *error)
{
    const pli_status invalid = PLI_STATUS_INVALID_ARGUMENT;
    if (def->vertex_count < 0 || def->face_count < 0)
        return pli_fail(error, invalid, "mesh: vertex_count %d and face_count %d must not be negative",
                        (int)def->vertex_count, (int)def->face_count);
    if (def->vertex_count > PLI_MESH_COUNT_MAX || def->face_count > PLI_MESH_COUNT_MAX / 3)
        return pli_fail(error, invalid, "mesh: %d vertices and %d faces are more than the %d and %d allowed; split it",
                        (int)def->vertex_count, (int)def->face_count, PLI_MESH_COUNT_MAX, PLI_MESH_COUNT_MAX / 3);
    if (def->vertex_count > 0 && !def->positions)
        return pli_fail(error, invalid, "mesh: positions is null though vertex_count is %d", (int)def->vertex_count);
    if (def->face_count > 0 && !def->face_vertices)
        return pli_fail(error, invalid, "mesh: face_vertices is null though face_count is %d", (int)def->face_count);
    if (def->position_stride != 0 && def->position_stride < 12)
        return pli_fail(error, invalid, "mesh: position_stride is %d bytes; give 12 or more, or 0 for packed positions",
                        (int)def->position_stride);
    if (def->policy != PLI_MESH_REFUSE && def->policy != PLI_MESH_REPAIR)
        return pli_fail(error, invalid, "mesh: policy %d is neither PLI_MESH_REFUSE nor PLI_MESH_REPAIR",
                        (int)def->policy);
    return pli_succeed(error);
}

// Counts faces by their sizes. Returns false when the sizes do not determine where each face starts.
static bool count_sizes(const pli_mesh_def *def, pli_mesh_report *report)
{
    int64_t corners = 0;
    bool usable = true;
    for (int32_t face = 0; face < def->face_count; face++) {
        int32_t size = def->face_sizes ? def->face_sizes[face] : 3;
        if (size < 3)
            note_face(&report->wrong_sizes, &report->first_wrong_size_face, face);
        usable = usable && size >= 0;
        corners += size > 0 ? size : 0;
        report->face_degree_min = face == 0 || size < report->face_degree_min ? size : report->face_degree_min;
        report->face_degree_max = face == 0 || size > report->face_degree_max ? size : report->face_degree_max;
    }
    return usable && corners <= PLI_MESH_COUNT_MAX;
}

static void count_indices(const pli_mesh_def *def, pli_mesh_report *report)
{
    size_t offset = 0;
    for (int32_t face = 0; face < def->face_count; face++) {
        size_t size = def->face_sizes ? (size_t)def->face_sizes[face] : 3;
        for (size_t i = offset; i < offset + size; i++)
            if (def->face_vertices[i] < 0 || def->face_vertices[i] >= def->vertex_count)
                note_face(&report->wrong_indices, &report->first_wrong_index_face, face);
        offset += size;
    }
}

static void count_non_finite(const pli_mesh_def *def, pli_mesh_report *report)
{
    size_t stride = def->position_stride ? (size_t)def->position_stride : 3 * sizeof(float);
    const char *source = (const char *)(const void *)def->positions;
    for (int32_t i = 0; i < def->vertex_count; i++) {
        float p[3];
        memcpy(p, source + (size_t)i * stride, sizeof p);
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            note_face(&report->non_finite_vertices, &report->first_non_finite_vertex, i);
    }
}

static pli_status refuse_mesh(const pli_mesh_report *report, bool countable, pli_error *error)
{
    const pli_status invalid = PLI_STATUS_INVALID_MESH;
    if (report->wrong_sizes)
        return pli_fail(error, invalid, "mesh: face %d has fewer than 3 corners (%d such faces); remove it",
                        (int)report->first_wrong_size_face, (int)report->wrong_sizes);
    if (!countable)
        return pli_fail(error, invalid, "mesh: the faces have more than %d corners together; split the mesh",
                        PLI_MESH_COUNT_MAX);
    if (report->wrong_indices)
        return pli_fail(error, invalid,
                        "mesh: face %d names a vertex outside 0 to %d (%d such corners); correct its indices",
                        (int)report->first_wrong_index_face, (int)report->vertex_count - 1, (int)report->wrong_indices);
    return pli_fail(error, invalid, "mesh: vertex %d is not finite (%d such vertices); give it a position",
                    (int)report->first_non_finite_vertex, (int)report->non_finite_vertices);
}

pli_status pli_check_mesh_def(const pli_mesh_def *def, pli_mesh_report *report, bool *readable, pli_error *error)
{
    *report = empty_report(def);
    *readable = false;
    pli_status status = check_arguments(def, error);
    if (status)
        return status;
    bool countable = count_sizes(def, report);
    if (countable)
        count_indices(def, report);
    count_non_finite(def, report);
    *readable = countable && !report->wrong_sizes && !report->wrong_indices;
    bool refused = !*readable || report->non_finite_vertices;
    return refused ? refuse_mesh(report, countable, error) : pli_succeed(error);
}
