#include "collision/space.h"

bool pli_space_allows(const pli_space *space, const int32_t surfaces[2], const int32_t *at, int32_t split,
                      int32_t count)
{
    if (!space->allows)
        return true;
    pli_side a = {space->surfaces[surfaces[0]], at, split};
    pli_side b = {space->surfaces[surfaces[1]], at + split, count - split};
    return space->allows(space->user, &a, &b);
}

void pli_space_forget_links(pli_space *space)
{
    for (int32_t s = 0; s < space->surface_count; s++)
        space->links[s] = s;
}

int32_t pli_space_link_of(const pli_space *space, int32_t surface)
{
    while (space->links[surface] != surface)
        surface = space->links[surface];
    return surface;
}

void pli_space_link(pli_space *space, int32_t a, int32_t b)
{
    int32_t first = pli_space_link_of(space, a), second = pli_space_link_of(space, b);
    space->links[first > second ? first : second] = first < second ? first : second;
}

bool pli_pair_movable(const pli_space *space, const pli_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (space->particles[pair->at[i]].w > 0.0f)
            return true;
    return space->surfaces[pair->surface[0]]->rigid || space->surfaces[pair->surface[1]]->rigid;
}

int32_t pli_pair_collider(const pli_space *space, const pli_pair *pair)
{
    for (int32_t side = 0; side < 2; side++)
        if (space->surfaces[pair->surface[side]]->collider)
            return side;
    return -1;
}

void pli_space_release(pli_space *space)
{
    pli_memory *memory = space->memory;
    void *arrays[] = {space->partial.items,          space->cache.starts.items,   space->cache.ways.items,
                      space->contacts.touches.items, space->contacts.press.items, space->contacts.alone.items,
                      space->contacts.holds.items,   space->ccd.failing.items,    space->untangle.tangled.items,
                      space->untangle.tangles.items, space->untangle.cuts.items,  space->untangle.within.items};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        pli_release(memory, space->cache.lists[list].pairs.items);
        pli_release(memory, space->cache.lists[list].meetings.items);
    }
    pli_box_tree_release(memory, &space->around);
    space->step_arena.memory = space->arena.memory = memory;
    pli_arena_release(&space->step_arena);
    pli_arena_release(&space->arena);
}
