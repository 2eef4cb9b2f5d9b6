// Connected components by union-find: faces that share a vertex are connected. Components are numbered by their first
// face.
#include "base/union_find.h"
#include "mesh/draft.h"

static void join_draft_faces(const pli_draft *draft, int32_t *parents)
{
    for (int32_t face = 0; face < draft->face_count; face++) {
        int32_t first = draft->face_offsets[face];
        for (int32_t corner = first + 1; corner < draft->face_offsets[face + 1]; corner++)
            pli_sets_join(parents, draft->face_vertices[first], draft->face_vertices[corner]);
    }
}

bool pli_draft_components(pli_draft *draft)
{
    draft->vertex_components = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->vertex_count);
    int32_t *parents = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->vertex_count);
    bool done = draft->vertex_components && parents;
    if (done) {
        pli_sets_reset(parents, draft->vertex_count);
        for (int32_t i = 0; i < draft->vertex_count; i++)
            draft->vertex_components[i] = -1;
        join_draft_faces(draft, parents);
        for (int32_t face = 0; face < draft->face_count; face++) {
            int32_t root = pli_set_root(parents, draft->face_vertices[draft->face_offsets[face]]);
            if (draft->vertex_components[root] < 0)
                draft->vertex_components[root] = draft->component_count++;
        }
        for (int32_t i = 0; i < draft->vertex_count; i++)
            draft->vertex_components[i] = draft->vertex_components[pli_set_root(parents, i)];
    }
    pli_release(draft->memory, parents);
    return done;
}
