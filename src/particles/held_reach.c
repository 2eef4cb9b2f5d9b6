// A fixed attachment goes towards its targets only as far as no edge from one of its particles to a free one gets longer than a
// multiple of its rest length, or longer than it is. All of its particles go the same share, so that what is held keeps its shape.
//
//     held     free                     |d + s e| <= max(stretch * rest, |d|)      d from the free particle, as predicted, to the
//      x--------o     rest              held one, e the way to the target
//      x  - - - - - - - - - > target
//      x----->  s e
//
// Rigid edges between two attachments that part would otherwise be stretched without bound, and one step of a target by 100 m
// would sweep cloth through everything on the way.
#include "particles/held_reach.h"

typedef struct pli_held_edge {
    int32_t held, free; // Index in the attachment, and the place of the other particle.
    float rest;         // Its length at rest [m].
} pli_held_edge;

static float rest_length(const pli_faces *shape, int32_t a, int32_t b)
{
    const float *p = shape->positions + 3 * a, *q = shape->positions + 3 * b;
    return pli_length((pli_vec3){p[0] - q[0], p[1] - q[1], p[2] - q[2]});
}

// Adds the edges from particles of the attachment, whose index is numbers[vertex] - 1, to others.
static void add_edges(pli_attachment_data *attachment, const int32_t *numbers)
{
    const pli_deformable_data *deformable = attachment->deformable;
    const pli_faces *shape = &deformable->shape;
    for (int32_t e = 0; e < shape->edge_count; e++)
        for (int32_t k = 0; k < 2; k++) {
            int32_t a = shape->edges[2 * e + k], b = shape->edges[2 * e + 1 - k];
            if (numbers[a] > 0 && numbers[b] == 0)
                attachment->edges[attachment->edge_count++] = (pli_held_edge){numbers[a] - 1, pli_place(deformable, b),
                                                                              rest_length(shape, a, b)};
        }
}

bool pli_held_edges_find(pli_world *world, pli_attachment_data *attachment)
{
    if (attachment->edges_known)
        return true;
    const pli_deformable_data *deformable = attachment->deformable;
    const pli_faces *shape = &deformable->shape;
    int32_t *numbers = PLI_ALLOCATE(&world->memory, int32_t, deformable->count), crossing = 0;
    for (int32_t i = 0; numbers && i < attachment->count; i++)
        numbers[pli_vertex(deformable, attachment->particles[i])] = i + 1;
    for (int32_t e = 0; numbers && e < shape->edge_count; e++)
        crossing += (numbers[shape->edges[2 * e]] > 0) != (numbers[shape->edges[2 * e + 1]] > 0);
    attachment->edges = numbers && crossing > 0 ? PLI_ALLOCATE(&world->memory, pli_held_edge, crossing) : NULL;
    attachment->edge_count = 0;
    attachment->edges_known = numbers && (crossing == 0 || attachment->edges);
    if (attachment->edges)
        add_edges(attachment, numbers);
    pli_release(&world->memory, numbers);
    return attachment->edges_known;
}

void pli_held_edges_release(pli_memory *memory, pli_attachment_data *attachment)
{
    pli_release(memory, attachment->edges);
    attachment->edges = NULL, attachment->edge_count = 0, attachment->edges_known = false;
}

// The largest s in 0..1 with |d + s e|^2 <= limit^2, where |d| <= limit.
static double share_within(pli_dvec3 d, pli_dvec3 e, double square)
{
    double a = pli_ddot(e, e), b = pli_ddot(d, e), c = pli_ddot(d, d) - square;
    if (a + 2.0 * b + c <= 0.0)
        return 1.0;
    double share = (sqrt(fmax(b * b - a * c, 0.0)) - b) / a;
    return share > 0.0 ? fmin(share, 1.0) : 0.0;
}

float pli_held_share(const pli_attachment_data *attachment, const pli_vec3 *targets)
{
    const pli_particle *particles = attachment->deformable->particles;
    double least = 1.0;
    for (int32_t i = 0; i < attachment->edge_count; i++) {
        const pli_held_edge *edge = &attachment->edges[i];
        const pli_particle *held = &particles[attachment->particles[edge->held]];
        const pli_vec3 *target = &targets[edge->held];
        if (particles[edge->free].w == 0.0f)
            continue;
        pli_dvec3 x = pli_widened_position(held), d = pli_dsub(x, pli_widened_position(&particles[edge->free]));
        pli_dvec3 e = pli_dsub((pli_dvec3){(double)target->x, (double)target->y, (double)target->z}, x);
        double limit = (double)attachment->stretch * (double)edge->rest;
        least = fmin(least, share_within(d, e, fmax(limit * limit, pli_ddot(d, d))));
    }
    return (float)least;
}
