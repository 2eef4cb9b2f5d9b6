// Windows on a list of candidate pairs: queues for both kinds of pairs, and the kernels that test them.
#include "collision/contacts/pair_window.h"

void pli_pair_block_fill(int32_t at[4][PLI_NEAR_LANES], int32_t count)
{
    for (int32_t lane = count; lane < PLI_NEAR_LANES; lane++)
        for (int32_t k = 0; k < 4; k++)
            at[k][lane] = at[k][0];
}

static void window_find(pli_pair_window *window, const pli_pairs_apart tests[2], bool crossing)
{
    const pli_collision *collision = window->collision;
    window->counts[0] = window->counts[1] = 0;
    for (int32_t i = 0; i < window->count; i++) {
        const pli_listed_pair *p = &window->pairs[window->offered[i]];
        int32_t kind = pli_listed_are_edges(p) ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE, at[4];
        int32_t slot = window->counts[kind]++, lane = slot % PLI_NEAR_LANES;
        pli_pair_block *b = &window->blocks[kind][slot / PLI_NEAR_LANES];
        pli_listed_particles(window->collision, p, at);
        for (int32_t k = 0; k < 4; k++)
            b->at[k][lane] = at[k];
        b->normal[0][lane] = p->normal.x, b->normal[1][lane] = p->normal.y, b->normal[2][lane] = p->normal.z;
        // The kernels prove that sides are apart if there is any gap at all. A limit of 0 makes them prove nothing about
        // round shapes, which keep their radius and are few.
        float core = pli_listed_core(window->collision, p), gap = core > 0.0f ? 0.0f : PLI_GAP_SHARE * p->rest_distance;
        b->limit[lane] = crossing ? gap : pli_near_of(window->collision, p->rest_distance, core);
        window->places[i] = (pli_window_place){window->offered[i], kind, slot};
    }
    for (int32_t kind = 0; kind < 2; kind++)
        for (int32_t i = 0; i * PLI_NEAR_LANES < window->counts[kind]; i++) {
            pli_pair_block *block = &window->blocks[kind][i];
            pli_pair_block_fill(block->at, window->counts[kind] - i * PLI_NEAR_LANES);
            window->found[kind][i] = tests[kind](collision->previous, collision->particles, block);
        }
}

void pli_pair_window_find_apart(pli_pair_window *window)
{
    window_find(window, window->collision->kernels.closest->apart, false);
}

void pli_pair_window_find_separated(pli_pair_window *window)
{
    window_find(window, window->collision->kernels.closest->separated, true);
}
