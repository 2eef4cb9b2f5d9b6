// Global intersection analysis: which regions of a surface are cut off by intersections. The smaller region is on the
// wrong side.
//
//    surface A, cut along a contour     edges that cross an odd number of triangles
//    +---------------+                  separate regions; all other edges join them
//    |     ..x..     |
//    |   x/ small\x  |                  flood fill by union-find:
//    |    \..x../    |                    region     joined by uncut edges
//    |    large      |                    component  joined by any edge
//    +---------------+                  beyond = not in the largest region of the component
//
// Baraff, Witkin, Kass 2003, Untangling Cloth, section 4.
#include "collision/untangle/regions.h"

enum { NO_SURFACE = -1, SEVERAL_SURFACES = -2 };

static int32_t region_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].region != i)
        i = regions[i].region = regions[regions[i].region].region;
    return i;
}

static int32_t component_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].component != i)
        i = regions[i].component = regions[regions[i].component].component;
    return i;
}

// Union-find; the smaller index becomes root, so the result is order-independent.
static void region_join(pli_intersection_region *regions, int32_t i, int32_t k, bool in_region)
{
    int32_t a = component_root(regions, i), b = component_root(regions, k);
    regions[a > b ? a : b].component = a < b ? a : b;
    if (!in_region)
        return;
    a = region_root(regions, i), b = region_root(regions, k);
    regions[a > b ? a : b].region = a < b ? a : b;
}

static bool region_is_cut(const pli_find *f, int32_t surface)
{
    return surface < f->surface_count && !f->collision->surfaces[surface]->collider;
}

// Closed colliders are handled by the winding number instead.
static bool involves_closed(const pli_collision *collision, const pli_intersection *t)
{
    return collision->surfaces[t->edge_surface]->closed || collision->surfaces[t->triangle_surface]->closed;
}

static void note_partner(pli_collision *collision, int32_t i, int32_t surface)
{
    int32_t root = region_root(collision->untangle.regions.items, i);
    int32_t *partner = &collision->untangle.regions.items[root].partner;
    *partner = *partner == NO_SURFACE || *partner == surface ? surface : SEVERAL_SURFACES;
}

bool pli_intersection_regions(pli_find *f)
{
    pli_collision *collision = f->collision;
    collision->untangle.cut_edges = PLI_TAKE(&collision->arena, uint8_t, f->edge_bases[f->surface_count]);
    if (!collision->untangle.cut_edges ||
        !pli_array_reserve(collision->memory, &collision->untangle.regions, collision->particle_count))
        return false;
    for (int32_t i = 0; i < collision->particle_count; i++)
        collision->untangle.regions.items[i] = (pli_intersection_region){
            .region = i, .component = i, .largest = -1, .partner = NO_SURFACE, .contour = i};
    // Both ends of an edge that crosses twice are on the same side.
    for (int32_t e = 0; e < f->edge_bases[f->surface_count]; e++)
        collision->untangle.cut_edges[e] = 0;
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        if (region_is_cut(f, t->edge_surface) && !involves_closed(collision, t))
            collision->untangle.cut_edges[f->edge_bases[t->edge_surface] + t->edge_index] ^= 1;
    }
    for (int32_t surface = 0; surface < f->surface_count; surface++)
        if (region_is_cut(f, surface)) {
            const pli_contact_mesh *s = collision->surfaces[surface];
            for (int32_t e = 0; e < s->edge_count; e++)
                region_join(collision->untangle.regions.items, s->first + s->edges[2 * e],
                            s->first + s->edges[2 * e + 1], !collision->untangle.cut_edges[f->edge_bases[surface] + e]);
            for (int32_t i = s->first; i < s->first + s->vertex_count; i++)
                collision->untangle.regions.items[region_root(collision->untangle.regions.items, i)].size++;
            for (int32_t i = s->first; i < s->first + s->vertex_count; i++) {
                pli_intersection_region *component =
                    &collision->untangle.regions.items[component_root(collision->untangle.regions.items, i)];
                if (region_root(collision->untangle.regions.items, i) == i &&
                    (component->largest < 0 || collision->untangle.regions.items[i].size >
                                                   collision->untangle.regions.items[component->largest].size))
                    component->largest = i;
            }
        }
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        if (involves_closed(collision, t))
            continue;
        for (int k = 0; k < 2; k++)
            note_partner(collision, t->edge[k], t->triangle_surface);
        for (int k = 0; k < 3; k++)
            note_partner(collision, t->corners[k], t->edge_surface);
    }
    for (int32_t i = 0; i < collision->particle_count; i++) {
        pli_intersection_region *region = &collision->untangle.regions.items[i];
        region->region = region_root(collision->untangle.regions.items, i);
        int32_t largest =
            collision->untangle.regions.items[component_root(collision->untangle.regions.items, i)].largest;
        region->beyond = largest >= 0 && region->region != largest;
    }
    return true;
}

// Does a side have a particle beyond an intersection with the other surface, in a region that has no particle of the
// other side?
static bool is_beyond(const pli_collision *collision, const int32_t *side, int32_t count, const int32_t *other,
                      int32_t other_count, int32_t other_surface)
{
    for (int32_t i = 0; i < count; i++) {
        const pli_intersection_region *region = &collision->untangle.regions.items[side[i]];
        int32_t partner = collision->untangle.regions.items[region->region].partner;
        if (!region->beyond || (partner != SEVERAL_SURFACES && partner != other_surface))
            continue;
        for (int32_t k = 0; k < other_count; k++)
            if (collision->untangle.regions.items[other[k]].region != region->region)
                return true;
    }
    return false;
}

bool pli_pair_is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    return is_beyond(collision, pair->at, split, pair->at + split, 4 - split, pair->surface[1]) ||
           is_beyond(collision, pair->at + split, 4 - split, pair->at, split, pair->surface[0]);
}
