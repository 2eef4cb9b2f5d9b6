// Drafts: copying the given arrays, grouping (counting sort), releasing.
#include "mesh/draft.h"

#include <string.h>

static void copy_positions(pli_draft *draft, const pli_mesh_def *def)
{
    size_t stride = def->position_stride ? (size_t)def->position_stride : 3 * sizeof(float);
    const char *source = (const char *)(const void *)def->positions;
    for (int32_t i = 0; i < def->vertex_count; i++)
        memcpy(draft->positions + 3 * (size_t)i, source + (size_t)i * stride, 3 * sizeof(float));
}

bool pli_draft_own(pli_draft *draft)
{
    const pli_mesh_def *def = draft->borrowed;
    const bool triangles = draft->triangles == draft->face_vertices;
    if (!def)
        return true;
    draft->borrowed = NULL;
    draft->positions = PLI_ALLOCATE_UNSET(draft->memory, float, 3 * (size_t)def->vertex_count);
    draft->vertex_source = PLI_ALLOCATE_UNSET(draft->memory, int32_t, def->vertex_count);
    draft->face_vertices = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->corner_count);
    draft->triangles = triangles ? draft->face_vertices : draft->triangles;
    if (!draft->positions || !draft->vertex_source || !draft->face_vertices)
        return false;
    copy_positions(draft, def);
    for (int32_t i = 0; i < def->vertex_count; i++)
        draft->vertex_source[i] = i;
    if (draft->corner_count)
        memcpy(draft->face_vertices, def->face_vertices, (size_t)draft->corner_count * sizeof(int32_t));
    return true;
}

// Copies arrays immediately when they have gaps or are missing.
bool pli_draft_borrow(pli_draft *draft, pli_memory *memory, const pli_mesh_def *def)
{
    *draft = (pli_draft){
        .memory = memory,
        .borrowed = def,
        .vertex_count = def->vertex_count,
        .face_count = def->face_count,
        .positions = (float *)(uintptr_t)def->positions,
        .face_offsets = PLI_ALLOCATE_UNSET(memory, int32_t, (size_t)def->face_count + 1),
        .face_vertices = (int32_t *)(uintptr_t)def->face_vertices,
    };
    int32_t offset = 0;
    for (int32_t face = 0; draft->face_offsets && face <= def->face_count; face++) {
        draft->face_offsets[face] = offset;
        offset += face == def->face_count ? 0 : def->face_sizes ? def->face_sizes[face] : 3;
    }
    draft->corner_count = offset;
    const bool whole = def->positions && def->face_vertices && def->position_stride == 0;
    return draft->face_offsets && (whole || pli_draft_own(draft));
}

static void release_list(pli_memory *memory, int32_t **array)
{
    pli_release(memory, *array);
    *array = NULL;
}

void pli_draft_release_edges(pli_draft *draft)
{
    release_list(draft->memory, &draft->corner_faces);
    release_list(draft->memory, &draft->corner_twins);
    release_list(draft->memory, &draft->edges);
    release_list(draft->memory, &draft->edge_corners);
    pli_release(draft->memory, draft->vertex_borders);
    draft->vertex_borders = NULL;
    release_list(draft->memory, &draft->corner_offsets);
    release_list(draft->memory, &draft->vertex_corners);
}

void pli_draft_release(pli_draft *draft)
{
    pli_draft_release_edges(draft);
    if (draft->triangles == draft->face_vertices)
        draft->triangles = NULL;
    if (!draft->borrowed) {
        pli_release(draft->memory, draft->positions);
        release_list(draft->memory, &draft->face_vertices);
    }
    draft->positions = NULL, draft->face_vertices = NULL;
    release_list(draft->memory, &draft->vertex_source);
    release_list(draft->memory, &draft->face_offsets);
    release_list(draft->memory, &draft->ring_offsets);
    release_list(draft->memory, &draft->ring_vertices);
    release_list(draft->memory, &draft->triangles);
    release_list(draft->memory, &draft->triangle_faces);
    release_list(draft->memory, &draft->vertex_components);
}

void pli_group_into(const int32_t *keys, int32_t count, int32_t group_count, int32_t *offsets, int32_t *members)
{
    memset(offsets, 0, ((size_t)group_count + 1) * sizeof *offsets);
    for (int32_t i = 0; i < count; i++)
        offsets[keys[i] + 1]++;
    for (int32_t group = 0; group < group_count; group++)
        offsets[group + 1] += offsets[group];
    for (int32_t i = 0; i < count; i++)
        members[offsets[keys[i]]++] = i;
    // Filling advanced every start to the start of the next group; this loop moves the starts back.
    for (int32_t group = group_count; group > 0; group--)
        offsets[group] = offsets[group - 1];
    offsets[0] = 0;
}

bool pli_group(pli_memory *memory, const int32_t *keys, int32_t count, int32_t group_count, int32_t **offsets,
               int32_t **members)
{
    *offsets = PLI_ALLOCATE_UNSET(memory, int32_t, (size_t)group_count + 1);
    *members = PLI_ALLOCATE_UNSET(memory, int32_t, count);
    if (!*offsets || !*members)
        return false;
    pli_group_into(keys, count, group_count, *offsets, *members);
    return true;
}

bool pli_grouped_make(pli_memory *memory, const int32_t *keys, int32_t count, int32_t group_count, pli_grouped *groups)
{
    *groups = (pli_grouped){0};
    bool done = pli_group(memory, keys, count, group_count, &groups->offsets, &groups->members);
    int32_t largest = 0;
    for (int32_t group = 0; done && group < group_count; group++)
        largest = pli_grouped_size(groups, group) > largest ? pli_grouped_size(groups, group) : largest;
    groups->pairs = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, largest);
    groups->scratch = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, largest);
    return done && groups->pairs && groups->scratch;
}

void pli_grouped_release(pli_memory *memory, pli_grouped *groups)
{
    pli_release(memory, groups->offsets);
    pli_release(memory, groups->members);
    pli_release(memory, groups->pairs);
    pli_release(memory, groups->scratch);
    *groups = (pli_grouped){0};
}
