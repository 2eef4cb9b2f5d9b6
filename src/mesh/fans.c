// Rings, boundary loops and fan numbers, by walking around vertices.
#include "mesh/fans.h"

pli_fan_place pli_fan_start(const pli_draft *draft, int32_t corner)
{
    int32_t vertex = draft->face_vertices[corner];
    const pli_fan_place back = {corner, false};
    pli_fan_place place = back;
    if (!draft->vertex_borders[vertex])
        return (pli_fan_place){corner, true};
    while (pli_fan_advance(draft, vertex, &place))
        if (pli_fan_same(place, back))
            return (pli_fan_place){corner, true};
    return (pli_fan_place){place.corner, !place.entered_out};
}

int32_t pli_number_fans(const pli_draft *draft, int32_t vertex, int32_t *fan)
{
    int32_t fans = 0;
    for (int32_t i = draft->corner_offsets[vertex]; i < draft->corner_offsets[vertex + 1]; i++) {
        if (fan[draft->vertex_corners[i]] >= 0)
            continue;
        const pli_fan_place start = pli_fan_start(draft, draft->vertex_corners[i]);
        pli_fan_place place = start;
        do
            fan[place.corner] = fans;
        while (pli_fan_advance(draft, vertex, &place) && !pli_fan_same(place, start));
        fans++;
    }
    return fans;
}

static int32_t fill_fan(const pli_draft *draft, int32_t vertex, int32_t corner, uint8_t *visited, int32_t *ring)
{
    const pli_fan_place start = pli_fan_start(draft, corner);
    pli_fan_place place = start;
    int32_t count = 0;
    for (;;) {
        visited[place.corner] = 1;
        ring[count++] = pli_other_end(draft, pli_fan_entry(draft, place), vertex);
        if (!pli_fan_advance(draft, vertex, &place))
            break;
        if (pli_fan_same(place, start))
            return count;
    }
    ring[count++] = pli_other_end(draft, pli_fan_exit(draft, place), vertex);
    return count;
}

static void fill_rings(pli_draft *draft, uint8_t *visited)
{
    int32_t filled = 0;
    draft->split_vertices = 0;
    draft->first_split_vertex = -1;
    for (int32_t vertex = 0; vertex < draft->vertex_count; vertex++) {
        int32_t fans = 0;
        draft->ring_offsets[vertex] = filled;
        for (int32_t i = draft->corner_offsets[vertex]; i < draft->corner_offsets[vertex + 1]; i++) {
            int32_t corner = draft->vertex_corners[i];
            if (visited[corner])
                continue;
            filled += fill_fan(draft, vertex, corner, visited, draft->ring_vertices + filled);
            fans++;
        }
        if (fans > 1 && draft->split_vertices++ == 0)
            draft->first_split_vertex = vertex;
    }
    draft->ring_offsets[draft->vertex_count] = filled;
}

// A closed fan has one neighbour for each corner. An open fan has one more and ends at two edges without twins, each of
// which ends fans at both its vertices.
static size_t reserve_ring(const pli_draft *draft)
{
    size_t size = (size_t)draft->corner_count;
    for (int32_t corner = 0; corner < draft->corner_count; corner++)
        size += draft->corner_twins[corner] < 0;
    return size;
}

bool pli_draft_rings(pli_draft *draft)
{
    uint8_t *visited = PLI_ALLOCATE(draft->memory, uint8_t, draft->corner_count);
    draft->ring_offsets = PLI_ALLOCATE_UNSET(draft->memory, int32_t, (size_t)draft->vertex_count + 1);
    draft->ring_vertices = PLI_ALLOCATE_UNSET(draft->memory, int32_t, reserve_ring(draft));
    bool done = visited && draft->ring_offsets && draft->ring_vertices;
    if (done)
        fill_rings(draft, visited);
    pli_release(draft->memory, visited);
    return done;
}

// Returns the boundary edge that follows `corner` at its end `vertex`: it is at the other end of the fan there.
static int32_t next_boundary_corner(const pli_draft *draft, int32_t corner, int32_t vertex)
{
    bool starts_here = draft->face_vertices[corner] == vertex;
    pli_fan_place place = {starts_here ? corner : pli_next_corner(draft, corner), starts_here};
    while (pli_fan_advance(draft, vertex, &place))
        continue;
    return pli_fan_exit(draft, place);
}

int32_t pli_fill_boundary(const pli_draft *draft, int32_t *offsets, int32_t *vertices)
{
    uint8_t *visited = PLI_ALLOCATE(draft->memory, uint8_t, draft->corner_count);
    if (!visited)
        return -1;
    int32_t loops = 0, filled = 0;
    for (int32_t start = 0; start < draft->corner_count; start++) {
        if (visited[start] || draft->corner_twins[start] >= 0)
            continue;
        offsets[loops++] = filled;
        int32_t corner = start, vertex = draft->face_vertices[start];
        do {
            visited[corner] = 1;
            vertices[filled++] = vertex;
            vertex = pli_other_end(draft, corner, vertex);
            corner = next_boundary_corner(draft, corner, vertex);
        } while (corner != start);
    }
    offsets[loops] = filled;
    pli_release(draft->memory, visited);
    return loops;
}
