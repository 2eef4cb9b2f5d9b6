// The mesh of a plate: bending/plate_mesh.h. Sides with the same vertices are found by sorting.
#include "bending/plate_mesh.h"

#include "base/sort.h"

bool pli_plate_mesh_make(pli_memory *memory, const pli_faces *faces, pli_plate_mesh *mesh)
{
    const int32_t count = 3 * faces->triangle_count;
    *mesh = (pli_plate_mesh){0};
    pli_sort_pair *pairs = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, count);
    mesh->edge_of = PLI_ALLOCATE_UNSET(memory, int32_t, count);
    mesh->sides = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (size_t)count);
    bool made = pairs && mesh->edge_of && mesh->sides;
    for (int32_t side = 0; made && side < count; side++) {
        const int32_t a = faces->triangles[side], b = faces->triangles[side % 3 == 2 ? side - 2 : side + 1];
        pairs[side] = (pli_sort_pair){a < b ? a : b, a < b ? b : a, side};
    }
    made = made && pli_sort_pairs(memory, NULL, pairs, count, faces->vertex_count);
    for (int32_t i = 0; made && i < count; i++) {
        const bool is_new = i == 0 || pairs[i].low != pairs[i - 1].low || pairs[i].high != pairs[i - 1].high ||
                            mesh->sides[2 * mesh->edge_count - 1] >= 0;
        if (is_new) {
            mesh->sides[2 * mesh->edge_count] = pairs[i].value;
            mesh->sides[2 * mesh->edge_count++ + 1] = -1;
        } else
            mesh->sides[2 * mesh->edge_count - 1] = pairs[i].value;
        mesh->edge_of[pairs[i].value] = mesh->edge_count - 1;
    }
    pli_release(memory, pairs);
    if (!made)
        pli_plate_mesh_free(memory, mesh);
    return made;
}

void pli_plate_mesh_free(pli_memory *memory, pli_plate_mesh *mesh)
{
    pli_release(memory, mesh->edge_of);
    pli_release(memory, mesh->sides);
    *mesh = (pli_plate_mesh){0};
}
