// Directions of pockets: collision/untangle/pockets.h.
#include "collision/untangle/pockets.h"

#include "base/union_find.h"

#include <math.h>

// Unit vectors agree if their mean is longer than AGREE. A pocket has a normal if its area vectors sum to more than FLAT of its area.
#define AGREE 0.5
#define POCKET_FLAT 0.2

typedef struct pocket {
    pli_dvec3 direction, place, normal; // Sums over particles, and over triangles by twice their area.
    double area;                        // Twice the area of the triangles.
    double depth;                       // Depth of the deepest particle.
    int32_t count;
    bool goes; // The pocket has a direction, stored in `direction`.
} pocket;

typedef struct pockets {
    const pli_pocket_mesh *mesh;
    int32_t *number_of; // [particles] 1 + index among the particles inside; 0 for others.
    int32_t *roots;     // [count]
    pocket *items;      // [count] at the roots.
} pockets;

static int32_t pocket_particle(const pli_pocket_mesh *mesh, int32_t vertex)
{
    return mesh->order ? mesh->order[vertex] : vertex;
}

static pli_dvec3 pocket_position(const pli_pocket_mesh *mesh, int32_t particle)
{
    const pli_particle *p = &mesh->particles[particle];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// Sets the pocket's direction; returns false if it has none.
static bool pocket_direction(const pocket *of, pli_pocket_reach reach, const void *collider, pli_dvec3 *direction)
{
    const double along = pli_dlength(of->direction), across = pli_dlength(of->normal);
    if (along > AGREE * of->count) {
        *direction = pli_dscale(of->direction, 1.0 / along);
        return true;
    }
    if (!(across > POCKET_FLAT * of->area))
        return false;
    const pli_dvec3 up = pli_dscale(of->normal, 1.0 / across), down = pli_dscale(up, -1.0);
    const double height = pli_ddot(up, of->place) / of->count;
    *direction = reach(collider, up) - height <= reach(collider, down) + height ? up : down;
    return true;
}

bool pli_pockets_direct(pli_arena *arena, const pli_pocket_mesh *mesh, pli_pocket_reach reach, const void *collider,
                        const int32_t *inside, pli_dvec3 *directions, double *depths, int32_t count)
{
    const pli_arena_scope scope = pli_arena_begin(arena);
    const pockets p = {mesh, PLI_TAKE_ZEROED(arena, int32_t, mesh->particle_count), PLI_TAKE(arena, int32_t, count),
                       PLI_TAKE_ZEROED(arena, pocket, count)};
    const bool complete = p.number_of && p.roots && p.items;
    for (int32_t i = 0; complete && i < count; i++) {
        p.roots[i] = i;
        p.number_of[inside[i]] = i + 1;
    }
    if (complete) {
        for (int32_t e = 0; e < p.mesh->edge_count; e++) {
            const int32_t a = p.number_of[pocket_particle(p.mesh, p.mesh->edges[2 * e])] - 1,
                          b = p.number_of[pocket_particle(p.mesh, p.mesh->edges[2 * e + 1])] - 1;
            if (a >= 0 && b >= 0)
                pli_sets_join(p.roots, a, b);
        }
        for (int32_t i = 0; i < count; i++) {
            pocket *of = &p.items[pli_set_root(p.roots, i)];
            of->direction = pli_dadd(of->direction, directions[i]);
            of->place = pli_dadd(of->place, pocket_position(mesh, inside[i]));
            of->depth = depths ? fmax(of->depth, depths[i]) : 0.0;
            of->count++;
        }
        // A triangle counts for the pocket of its first corner that is inside.
        for (int32_t t = 0; t < p.mesh->triangle_count; t++) {
            int32_t corners[3], number = -1;
            for (int k = 2; k >= 0; k--) {
                corners[k] = pocket_particle(p.mesh, p.mesh->triangles[3 * t + k]);
                number = p.number_of[corners[k]] > 0 ? p.number_of[corners[k]] - 1 : number;
            }
            if (number < 0)
                continue;
            const pli_dvec3 a = pocket_position(p.mesh, corners[0]);
            const pli_dvec3 normal = pli_dcross(pli_dsub(pocket_position(p.mesh, corners[1]), a),
                                                pli_dsub(pocket_position(p.mesh, corners[2]), a));
            pocket *of = &p.items[pli_set_root(p.roots, number)];
            of->normal = pli_dadd(of->normal, normal);
            of->area += pli_dlength(normal);
        }
        // A root comes before the others of its pocket.
        for (int32_t i = 0; i < count; i++) {
            pocket *of = &p.items[pli_set_root(p.roots, i)];
            if (of == &p.items[i])
                of->goes = pocket_direction(of, reach, collider, &of->direction);
            if (of->goes)
                directions[i] = of->direction;
            if (of->goes && depths)
                depths[i] = of->depth;
        }
    }
    pli_arena_end(arena, scope);
    return complete;
}
