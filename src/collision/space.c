#include "collision/tangle.h"

bool pli_space_meet(const pli_space *space, int32_t a, int32_t b)
{
    return pli_surfaces_meet(space->surfaces[a], space->surfaces[b]);
}

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

// A triangle of the collider's side of a pair.
static int32_t triangle_of(const pli_surface *s, const pli_pair *pair, int32_t side)
{
    int32_t primitive = pair->primitive[side];
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return s->edge_triangles[primitive];
    return side == 1 ? primitive : s->vertex_triangles[primitive];
}

// Whether rounding decides where a triangle looks.
static bool has_no_front(const pli_dvec3 corners[3], pli_dvec3 normal)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        pli_dvec3 side = pli_dsub(corners[(k + 1) % 3], corners[k]);
        longest = fmax(longest, pli_ddot(side, side));
    }
    return pli_dlength(normal) <= 2e-7 * longest;
}

// What comes from behind a one-sided collider passes.
static bool from_behind(const pli_space *space, const pli_pair *pair)
{
    int32_t side = pli_pair_collider(space, pair);
    const pli_surface *s = side < 0 ? NULL : space->surfaces[pair->surface[side]];
    if (!s || !s->material.one_sided)
        return false;
    int32_t triangle = triangle_of(s, pair, side);
    pli_dvec3 corners[3], at[4];
    for (int k = 0; k < 3; k++)
        corners[k] = pli_start_of(space, s->first + s->triangles[3 * triangle + k]);
    pli_dvec3 normal = pli_dcross(pli_dsub(corners[1], corners[0]), pli_dsub(corners[2], corners[0]));
    if (has_no_front(corners, normal))
        return false;
    pli_pair_positions(pair, space->previous, at);
    double apart = pli_ddot(normal, pli_closest_points((pli_pair_kind)pair->kind, at).apart);
    return (side == 1 ? apart : -apart) <= 0.0;
}

static bool is_tangled(const pli_space *space, const pli_pair *pair)
{
    if (space->tangled_count == 0)
        return false;
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    bool a = false, b = false;
    for (int i = 0; i < 4; i++)
        *(i < split ? &a : &b) |= space->tangled[pair->at[i]] != 0;
    return (a && b) || pli_pair_is_cut(space, pair);
}

static bool is_within(const pli_space *space, const pli_pair *pair)
{
    int32_t side = space->within_count > 0 ? pli_pair_collider(space, pair) : -1;
    for (int i = 0; side >= 0 && i < 4; i++)
        if (space->within[pair->at[i]] == pair->surface[side] + 1)
            return true;
    return false;
}

bool pli_pair_exempt(const pli_space *space, const pli_pair *pair)
{
    return is_tangled(space, pair) || is_within(space, pair) || from_behind(space, pair);
}

void pli_space_release(pli_space *space)
{
    void *arrays[] = {
        space->surfaces,    space->trees,       space->scratch, space->astray, space->strays,  space->marks,
        space->patch_bases, space->squares_off, space->wanted,  space->asking, space->sorting, space->touches,
        space->masks,       space->tangled,     space->ways,    space->starts, space->partial, space->failing,
        space->changed,     space->zones,       space->bounds,  space->press,  space->alone,   space->tangles,
        space->bases,       space->zone_sums,   space->in_zone, space->tied,   space->within,  space->cuts,
        space->cut_edges,   space->shifts,      space->links,   space->holds,  space->leaving, space->doubtful};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(space->memory, arrays[i]);
    pli_box_tree_release(space->memory, &space->around);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        pli_release(space->memory, space->lists[list].pairs);
        pli_release(space->memory, space->lists[list].meetings);
        pli_release(space->memory, space->lists[list].spare_meetings);
    }
}
