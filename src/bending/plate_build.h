// Builds the lists, the matrix and the factorisation of a plate from its rest shape and its masses.
//
// Unknowns of a plate: the position of particle i is unknown i, and the derivative across edge e, times `unit`, is unknown particles + e.
// The unknowns of fixed particles are fixed, and so are the derivatives at the edges of a clamped triangle, whose corners are all fixed.
#ifndef PLI_BENDING_PLATE_BUILD_H
#define PLI_BENDING_PLATE_BUILD_H

#include "bending/implicit.h"
#include "bending/plate_element.h"
#include "bending/plate_kernels.h"
#include "bending/plate_mesh.h"

// A plate is valid as long as its key does not change.
typedef struct pli_plate_key {
    float interval, rigidity, poisson, damping; // H [s], D [N m], nu, damping time [s].
    int32_t count, capacity;
    uint64_t shape; // Hash of its triangles if it can be cut.
    uint32_t paint; // Identifies the paint of its rigidity.
} pli_plate_key;

typedef struct pli_plate_state {
    pli_plate_key key;
    pli_implicit system;
    pli_plate_mesh mesh;
    bool *valid;      // [triangles] not degenerate.
    uint8_t *clamped; // [edges] 1 where the derivative is fixed now.
    pli_plate_lists lists;
    int32_t edge_batches, triangle_batches;
    float unit;                         // [m].
    int32_t *pull_begins, *pull_places; // [count + 1] ranges, and the indices of a particle's forces in lists.pulls.
    int32_t *first_moments, *second_moments; // [edges] indices in lists.moments; -1 where there is no triangle.
} pli_plate_state;

static inline int32_t pli_plate_unknowns(const pli_plate_state *state)
{
    return state->key.count + state->mesh.edge_count;
}
// The index of value `kind` of item i in rows of `kinds` (bending/plate_kernels.h).
static inline size_t pli_plate_row(int32_t i, int32_t kinds, int32_t kind)
{
    return ((size_t)(i / PLI_BATCH) * (size_t)kinds + (size_t)kind) * PLI_BATCH + (size_t)(i % PLI_BATCH);
}
// The particle at corner `side` % 3 of triangle `side` / 3.
static inline int32_t pli_plate_corner(const pli_deformable_data *deformable, int32_t side)
{
    return pli_place(deformable, deformable->shape.triangles[side]);
}

// Whether all corners of the triangle of a side are fixed, and whether such a triangle fixes the derivative across an edge.
bool pli_plate_triangle_is_fixed(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t side);
bool pli_plate_edge_is_clamped(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge);
// The element of a triangle; false if it is degenerate.
bool pli_plate_element_of(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                          pli_plate_element *element);
// The matrix of an element, with its damping, over its unknowns: its three corners, then its three edges.
void pli_plate_element_matrix(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                              const pli_plate_element *element, int32_t unknowns[6], double values[36]);
// The addition to the diagonal for an unknown.
double pli_plate_inertia(const pli_plate_state *state, int32_t unknown, float inverse_mass);
// Writes the fractions of the jump at an edge for the triangles on both sides, and in curved shapes their targets.
void pli_plate_put_shares(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge);

// Fills a zeroed state whose key is set; `base` is copied, and the masses in effect start with the same values. PLI_FACTOR_NOT_POSITIVE if
// a triangle is degenerate or values are out of range.
pli_factor_result pli_plate_state_build(pli_world *world, const pli_deformable_data *deformable, const float *base,
                                        pli_plate_state *state);
void pli_plate_state_clear(pli_memory *memory, pli_plate_state *state);

#endif
