// A fixed attachment moves its particles towards their targets only as far as no edge to a free particle becomes longer than a multiple of
// its rest length or than its present length. All of its particles move by the same fraction, so that their formation keeps its shape.
//
//   attached   free                     |d + s e| <= max(stretch * rest, |d|)      d: from the free particle, as predicted, to the
//      x--------o     rest              attached one; e: from there to the target
//      x  - - - - - - - - - > target
//      x----->  s e
//
// A particle that the guarantee has pushed out of this formation returns automatically: as far as its own edges allow, and no faster than
// the frame moves plus RETURN_RATE.
//
// Without this limit, two attachments that move apart would stretch rigid edges between them without bound, and a target that jumps 100 m
// in one step would sweep the cloth through everything on its path.
#include "particles/held_reach.h"

// An edge between two attached particles is deformed if it is longer than between their targets by this fraction.
#define DEVIATING_STRETCH 0.5f
// Speed at which a deviating particle returns [longest edges at the attachment/s].
#define RETURN_RATE 24.0f

typedef struct pli_held_edge {
    int32_t held, other; // Index in the attachment; the place of a free particle, or the index of another attached one.
    float rest;          // Rest length [m].
    bool inner;          // Both particles are attached.
} pli_held_edge;

struct pli_held_reach {
    pli_vec3 before; // Position of the target at the start of the substep.
    double share;    // Fraction of the displacement that the edges allow.
    bool deviating;  // The particle has left the formation of the targets.
};

static float rest_length(const pli_faces *shape, int32_t a, int32_t b)
{
    const float *p = shape->positions + 3 * a, *q = shape->positions + 3 * b;
    return pli_length((pli_vec3){p[0] - q[0], p[1] - q[1], p[2] - q[2]});
}

// Adds the edges at particles of the attachment; the index of such a particle in the attachment is numbers[vertex] - 1.
static void add_edges(pli_attachment_data *attachment, const int32_t *numbers)
{
    const pli_deformable_data *deformable = attachment->deformable;
    const pli_faces *shape = &deformable->shape;
    for (int32_t e = 0; e < shape->edge_count; e++)
        for (int32_t k = 0; k < 2; k++) {
            int32_t a = shape->edges[2 * e + k], b = shape->edges[2 * e + 1 - k];
            bool inner = numbers[b] > 0;
            if (numbers[a] > 0 && (!inner || k == 0))
                attachment->edges[attachment->edge_count++] = (pli_held_edge){
                    numbers[a] - 1, inner ? numbers[b] - 1 : pli_place(deformable, b), rest_length(shape, a, b), inner};
        }
}

bool pli_held_edges_find(pli_world *world, pli_attachment_data *attachment)
{
    if (attachment->edges_known)
        return true;
    pli_held_edges_release(&world->memory, attachment); // Edges found before a tear are stale.
    const pli_deformable_data *deformable = attachment->deformable;
    const pli_faces *shape = &deformable->shape;
    int32_t *numbers = PLI_ALLOCATE(&world->memory, int32_t, deformable->count), count = 0;
    for (int32_t i = 0; numbers && i < attachment->count; i++)
        numbers[pli_vertex(deformable, attachment->particles[i])] = i + 1;
    for (int32_t e = 0; numbers && e < shape->edge_count; e++)
        count += numbers[shape->edges[2 * e]] > 0 || numbers[shape->edges[2 * e + 1]] > 0;
    attachment->edges = numbers && count > 0 ? PLI_ALLOCATE(&world->memory, pli_held_edge, count) : NULL;
    attachment->reach = numbers ? PLI_ALLOCATE(&world->memory, struct pli_held_reach, attachment->count) : NULL;
    attachment->edge_count = 0;
    attachment->edges_known = attachment->reach && (count == 0 || attachment->edges);
    if (attachment->edges_known)
        add_edges(attachment, numbers);
    else
        pli_held_edges_release(&world->memory, attachment); // The next step requests both again.
    pli_release(&world->memory, numbers);
    return attachment->edges_known;
}

void pli_held_edges_release(pli_memory *memory, pli_attachment_data *attachment)
{
    pli_release(memory, attachment->edges);
    pli_release(memory, attachment->reach);
    attachment->edges = NULL, attachment->reach = NULL, attachment->edge_count = 0, attachment->edges_known = false;
}

// Returns the largest s in 0..1 with |d + s e|^2 <= square, where |d|^2 <= square.
static double share_within(pli_dvec3 d, pli_dvec3 e, double square)
{
    double a = pli_ddot(e, e), b = pli_ddot(d, e), c = pli_ddot(d, d) - square;
    if (a + 2.0 * b + c <= 0.0)
        return 1.0;
    double share = (sqrt(fmax(b * b - a * c, 0.0)) - b) / a;
    return share > 0.0 ? fmin(share, 1.0) : 0.0;
}

static const pli_particle *held_particle(const pli_attachment_data *attachment, int32_t i)
{
    return &attachment->deformable->particles[attachment->particles[i]];
}

bool pli_held_find_deviating(pli_attachment_data *attachment)
{
    bool any = false;
    for (int32_t i = 0; i < attachment->count; i++)
        attachment->reach[i] = (struct pli_held_reach){.share = 1.0};
    for (int32_t k = 0; k < attachment->edge_count; k++) {
        const pli_held_edge *edge = &attachment->edges[k];
        if (!edge->inner)
            continue;
        const pli_particle *a = held_particle(attachment, edge->held), *b = held_particle(attachment, edge->other);
        float wanted = pli_length(pli_sub(attachment->targets[edge->held], attachment->targets[edge->other]));
        float is = pli_length(pli_sub(pli_position_of(a), pli_position_of(b)));
        if (!(is > (1.0f + DEVIATING_STRETCH) * wanted))
            continue;
        any = attachment->reach[edge->held].deviating = attachment->reach[edge->other].deviating = true;
    }
    return any;
}

void pli_held_note_before(pli_attachment_data *attachment)
{
    for (int32_t i = 0; i < attachment->count; i++)
        attachment->reach[i].before = attachment->targets[i];
}

// Fraction of the path to its target that an edge allows an attached particle.
static double share_of_edge(const pli_attachment_data *attachment, const pli_held_edge *edge)
{
    const pli_particle *other = &attachment->deformable->particles[edge->other];
    const pli_vec3 *target = &attachment->targets[edge->held];
    if (other->w == 0.0f)
        return 1.0;
    pli_dvec3 x = pli_widened_position(held_particle(attachment, edge->held)),
              d = pli_dsub(x, pli_widened_position(other));
    pli_dvec3 e = pli_dsub(pli_widened(*target), x);
    double limit = (double)attachment->stretch * (double)edge->rest;
    return share_within(d, e, fmax(limit * limit, pli_ddot(d, d)));
}

// Fraction of the path to its target that a deviating particle travels: at most `most` plus the distance that the target moves.
static double share_in_time(const pli_attachment_data *attachment, int32_t i, double most)
{
    const pli_dvec3 target = pli_widened(attachment->targets[i]);
    double distance = pli_dlength(pli_dsub(target, pli_widened_position(held_particle(attachment, i))));
    most += pli_dlength(pli_dsub(target, pli_widened(attachment->reach[i].before)));
    return distance > most ? most / distance : 1.0;
}

void pli_held_limit(pli_attachment_data *attachment, float step)
{
    struct pli_held_reach *reach = attachment->reach;
    double common = 1.0;
    float longest = 0.0f;
    for (int32_t k = 0; k < attachment->edge_count; k++) {
        const pli_held_edge *edge = &attachment->edges[k];
        longest = fmaxf(longest, edge->rest);
        if (edge->inner)
            continue;
        double *share = reach[edge->held].deviating ? &reach[edge->held].share : &common;
        *share = fmin(*share, share_of_edge(attachment, edge));
    }
    for (int32_t i = 0; i < attachment->count; i++) {
        double share = reach[i].deviating
                           ? fmin(reach[i].share, share_in_time(attachment, i, (double)(RETURN_RATE * longest * step)))
                           : common;
        const pli_vec3 at = pli_position_of(held_particle(attachment, i));
        if (share < 1.0)
            attachment->targets[i] = pli_add(at, pli_scale(pli_sub(attachment->targets[i], at), (float)share));
    }
}
