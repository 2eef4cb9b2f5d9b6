// Opening edges, and splitting the vertices whose fans are then disconnected (drawing in fabric.h).
#include "base/sort.h"
#include "mesh/fabric/fabric.h"

#include <string.h>

void pli_fabric_begin(pli_fabric *f) { f->cut.opened_count = f->cut.touched_count = f->cut.copy_count = 0; }

// The face of the higher corner gets the new edge.
void pli_fabric_open(pli_fabric *f, int32_t edge)
{
    int32_t *corners = f->edge_corners + 2 * edge, fresh = f->faces.edge_count;
    if (corners[1] < 0)
        return;
    int32_t higher = corners[0] > corners[1] ? corners[0] : corners[1];
    corners[0] = corners[0] > corners[1] ? corners[1] : corners[0];
    corners[1] = -1;
    f->edge_corners[2 * fresh] = higher, f->edge_corners[2 * fresh + 1] = -1;
    f->edges[2 * fresh] = f->edges[2 * edge], f->edges[2 * fresh + 1] = f->edges[2 * edge + 1];
    f->edge_lengths[fresh] = f->edge_lengths[edge];
    f->corner_edges[higher] = fresh;
    f->faces.edge_count++;
    f->cut.opened[f->cut.opened_count++] = edge;
    f->cut.opened[f->cut.opened_count++] = fresh;
}

void pli_fabric_close(pli_fabric *f)
{
    for (int32_t i = f->cut.opened_count - 2; i >= 0; i -= 2) {
        int32_t edge = f->cut.opened[i], corner = f->edge_corners[2 * f->cut.opened[i + 1]];
        f->edge_corners[2 * edge + 1] = corner;
        f->corner_edges[corner] = edge;
        f->faces.edge_count--;
    }
    f->cut.opened_count = f->cut.touched_count = 0;
}

int32_t pli_fabric_between(const pli_fabric *f, int32_t v, const uint8_t *sides, int32_t *edges)
{
    int32_t begin = f->corner_begins[v], degree = f->corner_ends[v] - begin, count = 0;
    for (int32_t i = 0; i < degree; i++) {
        int32_t c = f->vertex_corners[begin + i], before = pli_previous_in_face(f, c);
        const int32_t here[2] = {f->corner_edges[c], f->corner_edges[before]};
        for (int32_t k = i + 1; k < degree; k++) {
            int32_t d = f->vertex_corners[begin + k], ahead = pli_previous_in_face(f, d);
            for (int32_t m = 0; m < 2 && sides[i] != sides[k]; m++)
                if (here[m] == f->corner_edges[d] || here[m] == f->corner_edges[ahead])
                    edges[count++] = here[m];
        }
    }
    return count;
}

void pli_fabric_list_touched(pli_fabric *f)
{
    f->cut.touched_count = 0;
    for (int32_t i = 0; i < f->cut.opened_count; i += 2)
        for (int32_t k = 0; k < 2; k++)
            f->cut.touched[f->cut.touched_count++] = f->edges[2 * f->cut.opened[i] + k];
    pli_sort_integers(f->cut.touched, f->cut.touched_count);
    int32_t kept = 0;
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        if (i == 0 || f->cut.touched[i] != f->cut.touched[i - 1])
            f->cut.touched[kept++] = f->cut.touched[i];
    f->cut.touched_count = kept;
}

int32_t pli_fabric_number_fans(pli_fabric *f, int32_t v, int32_t *fans)
{
    const int32_t *corners = f->vertex_corners + f->corner_begins[v];
    int32_t degree = f->corner_ends[v] - f->corner_begins[v], count = 0, *stack = f->scratch + 3 * f->max_degree;
    for (int32_t i = 0; i < degree; i++)
        fans[i] = -1;
    for (int32_t first = 0; first < degree; first++) {
        if (fans[first] >= 0)
            continue;
        int32_t waiting = 0;
        fans[first] = count++;
        stack[waiting++] = first;
        while (waiting > 0) {
            int32_t at = stack[--waiting], c = corners[at];
            int32_t out = f->corner_edges[c], in = f->corner_edges[pli_previous_in_face(f, c)];
            f->work += degree;
            for (int32_t i = 0; i < degree; i++) {
                int32_t other_out = f->corner_edges[corners[i]];
                int32_t other_in = f->corner_edges[pli_previous_in_face(f, corners[i])];
                if (fans[i] < 0 && (out == other_in || in == other_out || out == other_out || in == other_in)) {
                    fans[i] = fans[first];
                    stack[waiting++] = i;
                }
            }
        }
    }
    return count;
}

static int32_t add_copy(pli_fabric *f, int32_t v)
{
    int32_t copy = f->faces.vertex_count++;
    memcpy(f->positions + 3 * copy, f->positions + 3 * v, 3 * sizeof(float));
    f->sources[copy] = f->sources[v];
    f->vertex_boundary[copy] = 1;
    f->cut.copies[f->cut.copy_count++] = (pli_vertex_copy){v, copy};
    return copy;
}

// Replaces the vertex of the corner, and of the triangles of its face there.
static void rename_corner(pli_fabric *f, int32_t corner, int32_t from, int32_t to)
{
    int32_t face = f->corner_faces[corner];
    int32_t first = f->faces.face_offsets[face] - 2 * face, last = f->faces.face_offsets[face + 1] - 2 * (face + 1);
    f->face_vertices[corner] = to;
    for (int32_t i = 3 * first; i < 3 * last; i++)
        if (f->triangles[i] == from)
            f->triangles[i] = to;
}

static bool has_corner(const pli_fabric *f, int32_t triangle, int32_t v)
{
    const int32_t *corners = f->triangles + 3 * triangle;
    return corners[0] == v || corners[1] == v || corners[2] == v;
}

// Divides the corners of v among v and its copies first, first + 1, ... and keeps their order in each part.
static void share_corners(pli_fabric *f, int32_t v, int32_t first, int32_t count)
{
    int32_t begin = f->corner_begins[v], degree = f->corner_ends[v] - begin, at = begin,
            *all = f->scratch + f->max_degree;
    memcpy(all, f->vertex_corners + begin, (size_t)degree * sizeof *all);
    for (int32_t part = 0; part < count; part++) {
        int32_t owner = part == 0 ? v : first + part - 1;
        f->corner_begins[owner] = at;
        for (int32_t i = 0; i < degree; i++)
            if (f->face_vertices[all[i]] == owner)
                f->vertex_corners[at++] = all[i];
        f->corner_ends[owner] = at;
    }
}

static void share_triangles(pli_fabric *f, int32_t v, int32_t first, int32_t count)
{
    int32_t begin = f->triangle_begins[v], degree = f->triangle_ends[v] - begin, at = begin,
            *all = f->scratch + f->max_degree;
    memcpy(all, f->vertex_triangles + begin, (size_t)degree * sizeof *all);
    for (int32_t part = 0; part < count; part++) {
        int32_t owner = part == 0 ? v : first + part - 1;
        f->triangle_begins[owner] = at;
        for (int32_t i = 0; i < degree; i++)
            if (has_corner(f, all[i], owner))
                f->vertex_triangles[at++] = all[i];
        f->triangle_ends[owner] = at;
    }
}

static void separate_vertex(pli_fabric *f, int32_t v, int32_t keep_corner)
{
    int32_t *fans = f->scratch, degree = f->corner_ends[v] - f->corner_begins[v], kept = 0;
    int32_t count = pli_fabric_number_fans(f, v, fans), first = f->faces.vertex_count;
    const int32_t *corners = f->vertex_corners + f->corner_begins[v];
    for (int32_t i = 0; i < degree; i++)
        if (corners[i] == keep_corner)
            kept = fans[i];
    for (int32_t fan = 0; fan < count; fan++) {
        if (fan == kept)
            continue;
        int32_t copy = add_copy(f, v);
        for (int32_t i = 0; i < degree; i++)
            if (fans[i] == fan)
                rename_corner(f, corners[i], v, copy);
    }
    if (count > 1) {
        share_corners(f, v, first, count);
        share_triangles(f, v, first, count);
    }
}

static void name_ends(pli_fabric *f, int32_t edge)
{
    int32_t c = f->edge_corners[2 * edge];
    int32_t a = f->face_vertices[c], b = f->face_vertices[pli_next_in_face(f, c)];
    f->edges[2 * edge] = a < b ? a : b;
    f->edges[2 * edge + 1] = a < b ? b : a;
}

static void name_edges_at(pli_fabric *f, int32_t v)
{
    for (int32_t i = f->corner_begins[v]; i < f->corner_ends[v]; i++) {
        int32_t c = f->vertex_corners[i];
        name_ends(f, f->corner_edges[c]);
        name_ends(f, f->corner_edges[pli_previous_in_face(f, c)]);
        f->work += 2;
    }
}

// Removes an edge. The last edge takes its number.
static void drop_edge(pli_fabric *f, int32_t edge)
{
    int32_t last = --f->faces.edge_count;
    if (edge == last)
        return;
    for (int32_t k = 0; k < 2; k++) {
        f->edges[2 * edge + k] = f->edges[2 * last + k];
        f->edge_corners[2 * edge + k] = f->edge_corners[2 * last + k];
        if (f->edge_corners[2 * edge + k] >= 0)
            f->corner_edges[f->edge_corners[2 * edge + k]] = edge;
    }
    f->edge_lengths[edge] = f->edge_lengths[last];
    for (int32_t i = 0; i < f->cut.opened_count; i++)
        if (f->cut.opened[i] == last)
            f->cut.opened[i] = edge;
}

// Closes opened edges whose two sides still share both vertices: a single edge inside a surface opens nothing.
static void close_again(pli_fabric *f)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < f->cut.opened_count; i += 2) {
        int32_t edge = f->cut.opened[i], fresh = f->cut.opened[i + 1];
        bool same = f->edges[2 * edge] == f->edges[2 * fresh] && f->edges[2 * edge + 1] == f->edges[2 * fresh + 1];
        if (same) {
            int32_t corner = f->edge_corners[2 * fresh];
            f->edge_corners[2 * edge + 1] = corner;
            f->corner_edges[corner] = edge;
            drop_edge(f, fresh);
            continue;
        }
        for (int32_t k = 0; k < 2; k++)
            f->vertex_boundary[f->edges[2 * edge + k]] = f->vertex_boundary[f->edges[2 * fresh + k]] = 1;
        f->cut.opened[kept++] = edge, f->cut.opened[kept++] = fresh;
    }
    f->cut.opened_count = kept;
}

void pli_fabric_separate(pli_fabric *f, int32_t keep_corner)
{
    pli_fabric_list_touched(f);
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        separate_vertex(f, f->cut.touched[i], keep_corner);
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        name_edges_at(f, f->cut.touched[i]);
    for (int32_t i = 0; i < f->cut.copy_count; i++)
        name_edges_at(f, f->cut.copies[i].copy);
    close_again(f);
}
