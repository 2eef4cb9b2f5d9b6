#include "collision/pull.h"

#include "collision/contour.h"

// Mean edges that an edge and its triangle are moved against each other in a second.
#define EDGE_RATE 24.0
#define HOPELESS_SHARE 0.1

bool pli_holds_reserve(pli_space *space, int32_t count)
{
    return pli_array_reserve(space->memory, &space->contacts.holds, count);
}

pli_touch pli_hold_of(int32_t vertex, const int32_t corners[3], const double weights[3], pli_dvec3 direction,
                      const int32_t surfaces[2])
{
    return (pli_touch){
        .at = {vertex, corners[0], corners[1], corners[2]},
        .weights = {1.0f, (float)-weights[0], (float)-weights[1], (float)-weights[2]},
        .normal = {(float)direction.x, (float)direction.y, (float)direction.z},
        .surface = {surfaces[0], surfaces[1]},
        .split = 1,
        .particles = 4,
    };
}

void pli_holds_settle(pli_space *space)
{
    for (int32_t i = 0; i < space->contacts.holds.count; i++) {
        pli_touch *t = &space->contacts.holds.items[i];
        float keep = 0.0f;
        pli_vec3 origin = pli_place_of(&space->previous[t->at[0]]);
        for (int k = 1; k < 4; k++)
            keep += t->weights[k] * pli_dot(t->normal, pli_sub(pli_place_of(&space->previous[t->at[k]]), origin));
        t->keep = keep;
    }
}

// Whether a part of it is on its way out of the collider that it crosses.
static bool leaves_already(const pli_space *space, const pli_tangle *t)
{
    for (int k = 0; k < 5 && space->untangle.within_count > 0; k++) {
        int32_t solid = space->untangle.within.items[k < 2 ? t->edge[k] : t->corners[k - 2]] - 1;
        if (solid >= 0 && (solid == t->edge_surface || solid == t->triangle_surface))
            return true;
    }
    return false;
}

// Where an edge goes through a triangle, in weights of its corners.
static void weigh_corners(const pli_space *space, const pli_tangle *t, double weights[3])
{
    pli_dvec3 ends[2] = {pli_start_of(space, t->edge[0]), pli_start_of(space, t->edge[1])};
    pli_dvec3 at[4] = {pli_dadd(pli_dscale(ends[0], 1.0 - t->part), pli_dscale(ends[1], t->part))};
    for (int k = 0; k < 3; k++)
        at[1 + k] = pli_start_of(space, t->corners[k]);
    pli_closest closest = pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
    for (int k = 0; k < 3; k++)
        weights[k] = -closest.weights[1 + k];
}

// The end of the edge that is further back along the direction goes no further.
static void hold(pli_space *space, const pli_tangle *t, const double weights[3], pli_dvec3 direction)
{
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    pli_dvec3 along = pli_dsub(pli_start_of(space, t->edge[1]), pli_start_of(space, t->edge[0]));
    int32_t end = t->edge[pli_ddot(along, direction) < 0.0];
    space->contacts.holds.items[space->contacts.holds.count++] = pli_hold_of(end, t->corners, weights, direction,
                                                                             surfaces);
}

// An edge and the point of the triangle that it goes through, as one.
typedef struct crossing {
    int32_t at[5];
    double weights[5];
} crossing;

static crossing crossing_of(const pli_tangle *t, const double corners[3])
{
    return (crossing){
        {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]},
        {1.0 - t->part, t->part, -corners[0], -corners[1], -corners[2]},
    };
}

static pli_dvec3 way_of(const pli_space *space, int32_t i)
{
    const pli_particle *p = &space->particles[i], *q = &space->previous[i];
    return (pli_dvec3){(double)p->x - (double)q->x, (double)p->y - (double)q->y, (double)p->z - (double)q->z};
}

// Moves the edge against the triangle until it has gone `size` in this substep: as a motion of both surfaces,
// or as a mend.
static void move_by(pli_space *space, const crossing *c, pli_dvec3 direction, double size, bool as_motion)
{
    double yields = 0.0, gone = 0.0;
    for (int k = 0; k < 5; k++) {
        yields += (double)space->particles[c->at[k]].w * c->weights[k] * c->weights[k];
        gone += c->weights[k] *
                pli_ddot(as_motion ? way_of(space, c->at[k]) : space->untangle.shifts[c->at[k]], direction);
    }
    for (int k = 0; k < 5 && yields > 0.0 && gone < size; k++) {
        int32_t i = c->at[k];
        pli_particle *p = &space->particles[i];
        pli_dvec3 by = pli_dscale(direction, (double)p->w * c->weights[k] * (size - gone) / yields);
        if (as_motion) {
            p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
            continue;
        }
        space->untangle.shifts[i] = pli_dadd(space->untangle.shifts[i], by);
        pli_space_shift(space, i, by);
    }
}

static void pull_apart(pli_space *space, const pli_tangle *t)
{
    pli_dvec3 direction;
    double corners[3], rate = EDGE_RATE * (space->untangle.hopeless ? HOPELESS_SHARE : 1.0);
    if (leaves_already(space, t))
        return;
    pli_way way = pli_contour_way(space, t, &direction);
    weigh_corners(space, t, corners);
    crossing c = crossing_of(t, corners);
    move_by(space, &c, direction, rate * (double)(space->step * space->surfaces[t->edge_surface]->mean_edge),
            way == PLI_WAY_SLIDE);
    if (way == PLI_WAY_BACK && !space->untangle.hopeless)
        hold(space, t, corners, direction);
}

bool pli_tangles_pull_apart(pli_space *space)
{
    if (space->untangle.tangles.count == 0)
        return true;
    space->untangle.shifts = PLI_TAKE_ZEROED(&space->arena, pli_dvec3, space->particle_count);
    if (!space->untangle.shifts ||
        !pli_holds_reserve(space, space->contacts.holds.count + space->untangle.tangles.count))
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->untangle.shifts[i] = (pli_dvec3){0, 0, 0};
    pli_contours_sum(space);
    for (int32_t i = 0; i < space->untangle.tangles.count; i++)
        pull_apart(space, &space->untangle.tangles.items[i]);
    return true;
}
