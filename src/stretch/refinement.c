// The number of substeps by the stretch of the edges: stretch/refinement.h.
#include "stretch/refinement.h"

#include "stretch/stretch_limit.h"

#include <math.h>

enum { EDGE_GRAIN = 8192, PIECES = 64 };

// Edges shorter than this share of the mean edge are not looked at: slivers stretch by much where next to nothing moves.
#define SLIVER 0.25f
// Share of the step by which the stretch is looked ahead, at the present velocities.
#define AHEAD 0.25f

// The edges of one deformable, in pieces that threads share. A maximum is the same in any order.
typedef struct measure {
    const pli_deformable_data *deformable;
    float shortest, ahead;
    int32_t per_piece;
    float squares[PIECES]; // Greatest (l / l0)^2 of each piece.
} measure;

static float square_between(const float *a, const float *b)
{
    float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return x * x + y * y + z * z;
}

static void measure_piece(void *data, int32_t piece)
{
    measure *m = data;
    const pli_deformable_data *deformable = m->deformable;
    const pli_faces *shape = &deformable->shape;
    int32_t begin = piece * m->per_piece, left = shape->edge_count - begin;
    int32_t end = begin + (left < m->per_piece ? left : m->per_piece);
    float most = 1.0f, shortest = m->shortest * m->shortest;
    for (int32_t e = begin; e < end; e++) {
        int32_t a = shape->edges[2 * e], b = shape->edges[2 * e + 1];
        const pli_particle *p = &deformable->particles[pli_place(deformable, a)],
                           *q = &deformable->particles[pli_place(deformable, b)];
        float rest = square_between(shape->positions + 3 * (size_t)a, shape->positions + 3 * (size_t)b);
        const pli_particle *u = &deformable->velocities[p - deformable->particles],
                           *v = &deformable->velocities[q - deformable->particles];
        float x = q->x - p->x, y = q->y - p->y, z = q->z - p->z;
        float now = x * x + y * y + z * z, gain = x * (v->x - u->x) + y * (v->y - u->y) + z * (v->z - u->z);
        now += gain > 0.0f ? m->ahead * gain : 0.0f;
        if (now > most * rest && rest > shortest && p->w + q->w > 0.0f)
            most = now / rest;
    }
    m->squares[piece] = most;
}

// The greatest stretch of an edge that is not led at both ends.
static float stretch_of(pli_world *world, const pli_deformable_data *deformable, float dt)
{
    int32_t edges = deformable->shape.edge_count;
    measure m = {.deformable = deformable, .shortest = SLIVER * deformable->mean_edge, .ahead = 2.0f * AHEAD * dt};
    m.per_piece = edges / PIECES + 1 > EDGE_GRAIN ? edges / PIECES + 1 : EDGE_GRAIN;
    int32_t pieces = (edges + m.per_piece - 1) / m.per_piece;
    pli_tasks_run(world->tasks, pieces, measure_piece, &m);
    float most = 1.0f;
    for (int32_t i = 0; i < pieces; i++)
        most = m.squares[i] > most ? m.squares[i] : most;
    return sqrtf(most) - 1.0f;
}

int32_t pli_world_choose_substeps(pli_world *world, float dt)
{
    const pli_settings *settings = &world->settings;
    float most = 0.0f;
    for (int32_t i = 0; i < world->deformables.count && settings->refinement > 1; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle || !pli_deformable_may_be_refined(world, deformable))
            continue;
        float stretch = stretch_of(world, deformable, dt);
        most = stretch > most ? stretch : most;
    }
    float factor = sqrtf(most / PLI_REFINED_STRETCH), greatest = (float)settings->refinement;
    factor = factor < greatest ? factor : greatest; // Also where it is not a number.
    return factor > 1.0f ? (int32_t)ceilf(factor * (float)settings->substeps) : settings->substeps;
}
