// One table of defects serves both the text and the JSON output of a mesh report.
#include "reports/inspect_report.h"

#include "frame/command_table.h"
#include "frame/terminal.h"

#include <stddef.h>
#include <stdio.h>

// A count in the report, with the first element that has the defect.
typedef struct finding {
    const char *key, *element, *meaning;
    size_t count, first;
    int32_t vertices; // Indices in `first`.
} finding;

#define FINDING(field, first_field, element, vertices, meaning)                                                        \
    {                                                                                                                  \
#field, element, meaning, offsetof(pli_mesh_report, field), offsetof(pli_mesh_report, first_field), vertices   \
    }

static const finding findings[] = {
    FINDING(wrong_indices, first_wrong_index_face, "face", 1, "corners outside the vertices: refused"),
    FINDING(wrong_sizes, first_wrong_size_face, "face", 1, "faces of fewer than 3 corners: refused"),
    FINDING(non_finite_vertices, first_non_finite_vertex, "vertex", 1, "NaN or infinite: refused"),
    FINDING(non_manifold_edges, first_non_manifold_edge, "edge", 2,
            "edges of three or more faces: refused or repaired"),
    FINDING(repeated_vertex_faces, first_repeated_vertex_face, "face", 1,
            "faces that use a vertex twice: refused or repaired"),
    FINDING(duplicate_faces, first_duplicate_face, "face", 1, "faces on the vertices of an earlier one"),
    FINDING(non_manifold_vertices, first_non_manifold_vertex, "vertex", 1, "several fans of faces meet there"),
    FINDING(isolated_vertices, first_isolated_vertex, "vertex", 1, "used by no face: they are fixed"),
    FINDING(duplicate_vertices, first_duplicate_vertex, "vertex", 1, "at the position of an earlier one; see --weld"),
    FINDING(zero_area_faces, first_zero_area_face, "face", 1, "without area: they carry no mass"),
    FINDING(misoriented_edges, first_misoriented_edge, "edge", 2, "their two faces disagree in orientation"),
};

static int32_t whole_at(const pli_mesh_report *report, size_t offset)
{
    return *(const int32_t *)(const void *)((const char *)(const void *)report + offset);
}

static void print_finding(const pli_mesh_report *report, const finding *f)
{
    printf("  %-22s %8d   %s; the first is %s %d", f->key, (int)whole_at(report, f->count), f->meaning, f->element,
           (int)whole_at(report, f->first));
    if (f->vertices == 2)
        printf(" to %d", (int)whole_at(report, f->first + sizeof(int32_t)));
    putchar('\n');
}

static void print_findings(const pli_mesh_report *report)
{
    bool any = false;
    for (int32_t i = 0; i < PLI_CLI_COUNT(findings); i++)
        any = any || whole_at(report, findings[i].count) > 0;
    puts(any ? "\nUnusual:" : "\nNothing unusual.");
    for (int32_t i = 0; i < PLI_CLI_COUNT(findings); i++)
        if (whole_at(report, findings[i].count) > 0)
            print_finding(report, &findings[i]);
}

void pli_cli_report_print(const char *source, const pli_mesh_report *r)
{
    printf("%s\n", source);
    printf("  %-22s %8d\n", "vertices", (int)r->vertex_count);
    printf("  %-22s %8d   ", "faces", (int)r->face_count);
    if (r->face_degree_min == r->face_degree_max)
        printf("of %d corners; %d triangles\n", (int)r->face_degree_min, (int)r->triangle_count);
    else
        printf("of %d to %d corners; %d triangles\n", (int)r->face_degree_min, (int)r->face_degree_max,
               (int)r->triangle_count);
    printf("  %-22s %8d   %.3g to %.3g m, mean %.3g m\n", "edges", (int)r->edge_count, (double)r->edge_length_min,
           (double)r->edge_length_max, (double)r->edge_length_mean);
    printf("  %-22s %8d   pairs of faces on an edge\n", "hinges", (int)r->hinge_count);
    printf("  %-22s %8d   in %d loop%s\n", "boundary edges", (int)r->boundary_edge_count, (int)r->boundary_loop_count,
           r->boundary_loop_count == 1 ? "" : "s");
    printf("  %-22s %8d\n", "components", (int)r->component_count);
    printf("  %-22s %8s\n", "closed", r->closed ? "yes" : "no");
    printf("  %-22s %8s\n", "oriented", r->oriented ? "yes" : "no");
    printf("  %-22s %8.4g   m2\n", "area", r->area);
    if (r->closed && r->oriented)
        printf("  %-22s %8.4g   m3\n", "volume", r->volume);
    printf("  %-22s %.4g x %.4g x %.4g m, from (%.4g, %.4g, %.4g)\n", "size",
           (double)(r->bounds_max.x - r->bounds_min.x), (double)(r->bounds_max.y - r->bounds_min.y),
           (double)(r->bounds_max.z - r->bounds_min.z), (double)r->bounds_min.x, (double)r->bounds_min.y,
           (double)r->bounds_min.z);
    print_findings(r);
}

static json_t *vector_json(pli_vec3 v)
{
    json_t *array = json_array();
    json_array_append_new(array, pli_cli_json_number((double)v.x));
    json_array_append_new(array, pli_cli_json_number((double)v.y));
    json_array_append_new(array, pli_cli_json_number((double)v.z));
    return array;
}

static json_t *first_json(const pli_mesh_report *report, const finding *f)
{
    int32_t first = whole_at(report, f->first);
    if (whole_at(report, f->count) == 0)
        return json_null();
    return f->vertices == 2 ? json_pack("[i, i]", (int)first, (int)whole_at(report, f->first + sizeof first))
                            : json_integer(first);
}

json_t *pli_cli_report_json(const pli_mesh_report *r)
{
    json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:b}", "vertices",
                               (int)r->vertex_count, "faces", (int)r->face_count, "triangles", (int)r->triangle_count,
                               "edges", (int)r->edge_count, "hinges", (int)r->hinge_count, "boundary_edges",
                               (int)r->boundary_edge_count, "boundary_loops", (int)r->boundary_loop_count, "components",
                               (int)r->component_count, "face_degree_min", (int)r->face_degree_min, "face_degree_max",
                               (int)r->face_degree_max, "closed", r->closed, "oriented", r->oriented);
    for (int32_t i = 0; i < PLI_CLI_COUNT(findings); i++) {
        json_t *found = json_pack("{s:i}", "count", (int)whole_at(r, findings[i].count));
        json_object_set_new(found, "first", first_json(r, &findings[i]));
        json_object_set_new(object, findings[i].key, found);
    }
    json_object_set_new(object, "edge_length_min", pli_cli_json_number((double)r->edge_length_min));
    json_object_set_new(object, "edge_length_mean", pli_cli_json_number((double)r->edge_length_mean));
    json_object_set_new(object, "edge_length_max", pli_cli_json_number((double)r->edge_length_max));
    json_object_set_new(object, "area", pli_cli_json_number(r->area));
    json_object_set_new(object, "volume", pli_cli_json_number(r->volume));
    json_object_set_new(object, "bounds_min", vector_json(r->bounds_min));
    json_object_set_new(object, "bounds_max", vector_json(r->bounds_max));
    return object;
}
