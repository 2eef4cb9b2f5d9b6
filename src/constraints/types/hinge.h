// The stencil of two faces on an edge, and its measures in double.
//
//            p3
//           /  \         e = p2 - p1
//         p1 -- p2       N1 = e x (p3 - p1),  N2 = (p4 - p1) x e
//           \  /
//            p4          flat: N1 and N2 point in the same direction
#ifndef PLI_CONSTRAINTS_TYPES_HINGE_H
#define PLI_CONSTRAINTS_TYPES_HINGE_H

#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"

// Minimum height of a wing over the edge, as a fraction of the edge, at which a hinge has an angle.
#define HINGE_LEAST_HEIGHT 1e-6

typedef struct hinge_wings {
    pli_dvec3 edge, normal1, normal2;
    double edge_length, square1, square2;
} hinge_wings;

static inline hinge_wings hinge_of(const pli_stencil *s)
{
    pli_dvec3 p1 = pli_dmake(s->positions[0]);
    hinge_wings h = {.edge = pli_dsub(pli_dmake(s->positions[1]), p1)};
    h.normal1 = pli_dcross(h.edge, pli_dsub(pli_dmake(s->positions[2]), p1));
    h.normal2 = pli_dcross(pli_dsub(pli_dmake(s->positions[3]), p1), h.edge);
    h.edge_length = pli_dlength(h.edge);
    h.square1 = pli_ddot(h.normal1, h.normal1);
    h.square2 = pli_ddot(h.normal2, h.normal2);
    return h;
}

// Whether both wings rise over the edge by `least` of its length.
static inline bool hinge_sound(const hinge_wings *h, double least)
{
    double square = h->edge_length * h->edge_length;
    double bound = least * least * square * square;
    return h->edge_length > 0.0 && h->square1 > bound && h->square2 > bound;
}

// Area of the triangles (p1, p2, p3) and (p1, p2, p4): in a quad half of its faces, since the opposite edge represents the other half.
static inline double hinge_area(const hinge_wings *h) { return 0.5 * (sqrt(h->square1) + sqrt(h->square2)); }

// Slivers with less height over the edge, as a fraction of the edge, have cotangents too large to solve with.
#define HINGE_LEAST_SLIVER 1e-3

// Bergou's K of p2, p3, p4; K of p1 is minus their sum. False for slivers.
static inline bool hinge_weights(const pli_stencil *s, const hinge_wings *h, float *weights)
{
    if (!hinge_sound(h, HINGE_LEAST_SLIVER))
        return false;
    pli_dvec3 p1 = pli_dmake(s->positions[0]), p2 = pli_dmake(s->positions[1]);
    double at1[2], at2[2];
    for (int32_t wing = 0; wing < 2; wing++) {
        pli_dvec3 side1 = pli_dsub(pli_dmake(s->positions[2 + wing]), p1);
        pli_dvec3 side2 = pli_dsub(pli_dmake(s->positions[2 + wing]), p2);
        double twice_area = sqrt(wing == 0 ? h->square1 : h->square2);
        at1[wing] = pli_ddot(h->edge, side1) / twice_area;
        at2[wing] = -pli_ddot(h->edge, side2) / twice_area;
    }
    weights[0] = (float)(at1[0] + at1[1]);
    weights[1] = (float)(-at1[0] - at2[0]);
    weights[2] = (float)(-at1[1] - at2[1]);
    return true;
}

// The parameter that limits the change of angle in one projection: a move along the tangents lengthens the faces by the square of that
// angle (docs/decisions/bending.md).
#define HINGE_CHANGE_LIMIT                                                                                             \
    {                                                                                                                  \
        .name = "change_limit", .label = PLI_TEXT("Change limit"), .unit = "rad",                                      \
        .summary = PLI_TEXT(                                                                                           \
            "Largest change of the angle that one projection may make; cloth of very soft edges, of PBD "              \
            "stiffness below 0.1, needs as little as 0.01."),                                                          \
        .minimum = 1e-6, .maximum = 1e6, .initial = 0.3, .soft_minimum = 0.005, .soft_maximum = 3.2,                   \
        .scale = PLI_SLIDER_LOG, .section = "advanced",                                                                \
    }

#endif
