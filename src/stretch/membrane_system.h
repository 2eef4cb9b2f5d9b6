// The data of a solved membrane: stretch/membrane.h.
#ifndef PLI_STRETCH_MEMBRANE_SYSTEM_H
#define PLI_STRETCH_MEMBRANE_SYSTEM_H

#include "stretch/block_matrix.h"
#include "stretch/coarsen.h"
#include "stretch/membrane.h"
#include "stretch/membrane_kernels.h"

static inline pli_dvec3 pli_particle_widened(pli_particle p)
{
    return (pli_dvec3){(double)p.x, (double)p.y, (double)p.z};
}

enum {
    PLI_MEMBRANE_LEVELS = 16,
    PLI_MEMBRANE_STRIDE = 3,    // The distance between nodes that are kept on a coarser level, in edges.
    PLI_MEMBRANE_COARSEST = 24, // The largest number of nodes on the coarsest level, which is factored.
    PLI_MEMBRANE_SMALL = 200,   // With fewer particles, coarse levels are rebuilt in every substep.
};

// How a level follows the next one: each node has up to PLI_PARENTS parents there, and -1 after the last one.
typedef struct pli_membrane_transfer {
    int32_t *parents;  // [nodes * PLI_PARENTS]
    float *weights;    // By slot and row of `prolongation`: weights of parents at rest, -1 where there is none.
    int32_t *seeds;    // [coarse nodes] the node of this level that each coarse node corresponds to.
    pli_block *follow; // [nodes * PLI_PARENTS] how the displacement of each parent moves a node, transposed.
    pli_block_rows prolongation, restriction; // The rows of nodes by parents, and of coarse nodes by children.
    int32_t *child_offsets, *children;        // The children of each coarse node, as indices into `parents`.
    // A P by rows: transposed blocks with their columns, ascending; and for each block of A and parent of its column, the index in the row
    // of the block that it adds to.
    int32_t *product_offsets, *product_columns;
    pli_block *products;
    int32_t *product_targets;
    // P^T A P: the products that are summed into each block from the diagonal on, as indices into `follow` and `products`.
    int64_t *term_offsets;
    int32_t *terms;
} pli_membrane_transfer;

// A level: its matrix, the vectors of a cycle, and how it follows the next level.
typedef struct pli_membrane_level {
    pli_block_matrix matrix;
    pli_particle *right, *solution, *left; // [nodes] right side, solution, residual.
    pli_particle *points;                  // [nodes] positions of the nodes when the coarser levels were built.
    pli_membrane_transfer transfer;
} pli_membrane_level;

// The elasticity of a set: the compliances of its own parameters [m/N], a compliance that is added to each, their lower bound, the
// compliance of rigid constraints, and the damping time over the substep.
typedef struct pli_membrane_law {
    double own[6], more, least, rigid, damping;
    const float *painted, *painted_damping; // By slot, or null.
    float slack;                            // The length at which a tether starts to pull, over its rest length.
} pli_membrane_law;

// Where the constraint of a triangle or of an edge is stored.
typedef struct pli_membrane_triangle {
    int32_t set, slot;
    float area; // The rest area; for an edge the square of its rest length [m2].
    bool is_edge;
} pli_membrane_triangle;

// A particle that is at a shape in this substep.
typedef enum pli_support_kind { PLI_SUPPORT_NONE, PLI_SUPPORT_STICKS, PLI_SUPPORT_SLIDES } pli_support_kind;

typedef struct pli_membrane_support {
    int32_t particle;
    pli_vec3 normal;
    float friction;
    pli_particle place; // The contact point on the shape, which moves with it.
    float *impulse;     // The impulse of its contact [N s].
    pli_support_kind kind;
    pli_particle flown; // The displacement along the surface without forces [m].
    float speed;        // This displacement over the substep [m/s].
    pli_particle force; // The force on the particle at the position where it was placed [N].
    float drag;         // The friction of a sliding particle over its displacement [N/m].
} pli_membrane_support;

// A volume that the triangles enclose: stretch/membrane_volume.h.
typedef struct pli_membrane_volume {
    const pli_constraints_data *set;
    int32_t slot, first;     // `first`: index of its first member in `gradients`.
    double pressure, wanted; // p0, and p [Pa].
    double stiffness;        // c [Pa/m3].
    double moved;            // The change of the volume by the solution at the last multiplication [m3].
} pli_membrane_volume;

// The state of a particle at the end of the last substep of this step, and its load [N].
typedef struct pli_membrane_grip {
    pli_support_kind kind;
    float load;
} pli_membrane_grip;

// The coarse levels of the equations.
typedef struct pli_membrane_hierarchy {
    pli_membrane_level levels[PLI_MEMBRANE_LEVELS];
    int32_t level_count;
    double *factor,
        *coarsest; // Cholesky's factor of the coarsest matrix, row by row, and a vector; null for a matrix of many pieces.
    uint8_t *made; // [particles] the pli_support_kind that the levels were built for.
    float *joins;  // [particles] 1 for particles that the levels move, else 0.
    bool outdated; // The levels are too old for the current shape.
} pli_membrane_hierarchy;

typedef struct pli_membrane_supports {
    pli_membrane_support *items; // [count]
    int32_t *of, count;          // [particles] index of each in `items`, or -1.
    pli_membrane_grip *grips;    // [particles]
    bool shapes_move;            // A shape that supports particles moves.
} pli_membrane_supports;

typedef struct pli_membrane_volumes {
    pli_membrane_volume *items; // [count]
    int32_t count, *index;      // [particles] the index of each among the members of a volume.
    pli_vec3 *gradients;        // [members of all volumes] gradients [m2].
    pli_particle *response;     // [particles] u of all volumes.
    pli_particle *saved;        // [2 * particles] copies of the right side and solution while u is computed.
    bool has_response;          // u is valid for the current coarse levels.
    bool is_corrected;          // The solution has been corrected by u.
} pli_membrane_volumes;

struct pli_membrane {
    uint64_t key;
    bool reshaped;  // The deformable was cut since the membrane was made.
    size_t memory;  // Bytes of the equations.
    int32_t number; // The number of the deformable, where membranes are solved together.
    int32_t count, triangle_count, batch_count, set_count;
    pli_constraints_data **sets;
    pli_membrane_law *laws; // [set_count]
    pli_membrane_triangle *triangles;
    pli_sheets sheets;
    float step;              // The substep that the stiffness in `sheets` was computed for [s].
    int32_t *corner_offsets; // [particles + 1] the first entry in sheets.pulls of the corners at each particle.
    // The triangle blocks that are summed into each block of the finest matrix above the diagonal, as twice the index into sheets.aside of
    // their first column, plus 1 where they are transposed.
    int32_t *block_offsets, *block_sources;
    pli_membrane_hierarchy hierarchy;
    pli_particle *inverse; // [2 * particles] inverses of the finest diagonal blocks, see pli_sheet_nodes.
    pli_particle *starts;  // [particles] velocities at the start of the substep.
    pli_particle
        *predicted;  // [particles] positions under all forces except the membrane's; w is mass / h^2, 0 where fixed.
    double *sums;    // [pieces][2] partial sums over particles.
    float *products; // [pieces][3][PLI_BATCH] products of vectors.
    pli_membrane_supports support;
    struct {
        pli_particle
            *diagonal; // [2 * particles] contribution of surface contacts to the diagonal blocks, see pli_sheet_nodes.
        bool has_any;  // Some contributions are not 0.
        bool on_fixed; // Such a contact is with an object that the equations do not move.
    } contact;
    pli_membrane_volumes volume;
    struct {
        double curve
            [3]; // b d and d A d for the solution d, the right side b and the matrix A, and the mean of d over its limit.
        float length;        // Step length of the last solve, 0..1.
        double displacement; // By weight, air and users in the substep, as a root mean square [m].
        float trust;         // The fraction of the displacement that its limit allowed, 0..1.
    } solution;
};

// The support of a particle; a fixed particle sticks.
static inline pli_support_kind pli_membrane_support_of(const pli_membrane *m, int32_t particle)
{
    const int32_t k = m->support.of[particle];
    return !(m->predicted[particle].w > 0.0f) ? PLI_SUPPORT_STICKS
           : k >= 0                           ? m->support.items[k].kind
                                              : PLI_SUPPORT_NONE;
}

#endif
