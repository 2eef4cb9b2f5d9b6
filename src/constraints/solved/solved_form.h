// Types of bending whose forces may be solved instead of swept (src/bending): each constraint is a linear form s = sum K_k x_k of its
// particles, and pulls them with -K_k f, where
//
//   f = (s - t) / (alpha g)        alpha its compliance, g a measure of the form, t the target at the present positions
//
// is the local step, and K^T K / (alpha g) the constant matrix of the global step. If t is the nearest point to s without energy, this is
// projective dynamics (Bouaziz et al. 2014); for flat rest shapes t = 0 and one solve is exact. f determines the rest state. The matrix
// determines the convergence to it: it must be at least 3/4 as stiff as the energy.
#ifndef PLI_CONSTRAINTS_SOLVED_SOLVED_FORM_H
#define PLI_CONSTRAINTS_SOLVED_SOLVED_FORM_H

#include "base/vector.h"
#include "constraints/projection.h"

enum { PLI_FORM_SHAPES = 3 }; // Values of the rest shape that the target of a constraint needs.

// A constraint at the present positions.
typedef struct pli_bent {
    const pli_particle *particles;
    const int32_t *members; // [count]
    int32_t count;
    const float *shape;      // [PLI_FORM_SHAPES]
    const float *parameters; // The type's own parameters.
    pli_vec3 sum;            // s.
} pli_bent;

typedef struct pli_solved_form {
    const char *type;
    // Computes, from the rest shape and the rest values of a constraint, K of all its particles, g, and the shape, which is zeroed before.
    // False if there is no such form.
    bool (*make)(const pli_stencil *stencil, double *weights, double *measure, float *shape);
    pli_vec3 (*excess)(const pli_bent *bent); // s - t.
    // Whether t is 0 for a shape of 0; `excess` is then not called in sets in which all shapes are 0.
    bool (*is_plain)(const float *parameters);
} pli_solved_form;

static inline pli_vec3 pli_bent_at(const pli_bent *b, int32_t k)
{
    const pli_particle *p = &b->particles[b->members[k]];
    return (pli_vec3){p->x, p->y, p->z};
}

// The form of a type; null if it has none.
const pli_solved_form *pli_solved_form_find(const char *type);

#endif
