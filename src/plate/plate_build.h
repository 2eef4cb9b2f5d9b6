// The lists, the matrix and the factorisation of a plate are made from its shape at rest and its masses.
//
// Unknowns of a plate: the position of particle i is number i, and the derivative across edge e, times `unit`, number particles + e. Those
// of fixed particles are held, and so are derivatives at the edges of a triangle whose corners are fixed, which is clamped.
#ifndef PLI_PLATE_PLATE_BUILD_H
#define PLI_PLATE_PLATE_BUILD_H

#include "implicit/implicit.h"
#include "plate/plate_element.h"
#include "plate/plate_kernels.h"
#include "plate/plate_mesh.h"

// A plate serves as long as this is the same.
typedef struct pli_plate_key {
    float interval, rigidity, poisson, damping; // H [s], D [N m], nu, damping time [s].
    int32_t count, capacity;
    uint64_t shape; // Hash of its triangles where it may be cut.
    uint32_t paint; // This tells one paint of its rigidity from another.
} pli_plate_key;

typedef struct pli_plate_state {
    pli_plate_key key;
    pli_implicit system;
    pli_plate_mesh mesh;
    bool *valid;      // [triangles] not degenerate.
    uint8_t *clamped; // [edges] 1 where the derivative is held now.
    pli_plate_lists lists;
    int32_t edge_batches, triangle_batches;
    float unit;                              // [m].
    int32_t *pull_begins, *pull_places;      // [count + 1] ranges of the places of a particle's forces in lists.pulls.
    int32_t *first_moments, *second_moments; // [edges] places in lists.moments; -1 where there is no triangle.
} pli_plate_state;

static inline int32_t pli_plate_unknowns(const pli_plate_state *state)
{
    return state->key.count + state->mesh.edge_count;
}
// Where value `kind` of item i stands in rows of `kinds` (plate/plate_kernels.h).
static inline size_t pli_plate_row(int32_t i, int32_t kinds, int32_t kind)
{
    return ((size_t)(i / PLI_BATCH) * (size_t)kinds + (size_t)kind) * PLI_BATCH + (size_t)(i % PLI_BATCH);
}
// The particle at corner `side` % 3 of triangle `side` / 3.
static inline int32_t pli_plate_corner(const pli_deformable_data *deformable, int32_t side)
{
    return pli_place(deformable, deformable->shape.triangles[side]);
}

// Whether all corners of the triangle of a side are fixed, and whether the derivative across an edge is held by one that is.
bool pli_plate_triangle_is_fixed(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t side);
bool pli_plate_edge_is_clamped(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge);
// The element of a triangle; false where it is degenerate.
bool pli_plate_element_of(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                          pli_plate_element *element);
// The matrix of an element, with its damping, over its unknowns: those of its three corners, then of its three edges.
void pli_plate_element_matrix(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                              const pli_plate_element *element, int32_t unknowns[6], double values[36]);
// The diagonal has this besides, for an unknown.
double pli_plate_inertia(const pli_plate_state *state, int32_t unknown, float inverse_mass);
// Writes which share of the jump at an edge the triangles beside it have to bear, and in curved shapes their targets.
void pli_plate_put_shares(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge);

// Fills a zeroed state whose key is set; `base` is copied, and what is in effect is the same at first. PLI_FACTOR_NOT_POSITIVE where a triangle is degenerate or numbers are out of range.
pli_factor_result pli_plate_state_build(pli_world *world, const pli_deformable_data *deformable, const float *base,
                                        pli_plate_state *state);
void pli_plate_state_clear(pli_memory *memory, pli_plate_state *state);

#endif
