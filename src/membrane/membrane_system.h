// The data of a solved membrane: membrane/membrane.h.
#ifndef PLI_MEMBRANE_MEMBRANE_SYSTEM_H
#define PLI_MEMBRANE_MEMBRANE_SYSTEM_H

#include "membrane/block_matrix.h"
#include "membrane/coarsen.h"
#include "membrane/membrane.h"
#include "membrane/membrane_kernels.h"

static inline pli_dvec3 pli_particle_widened(pli_particle p)
{
    return (pli_dvec3){(double)p.x, (double)p.y, (double)p.z};
}

enum {
    PLI_MEMBRANE_LEVELS = 16,
    PLI_MEMBRANE_STRIDE = 3,    // Nodes that stay on a coarser level are so many edges apart.
    PLI_MEMBRANE_COARSEST = 24, // Most nodes of the coarsest level, which is factored.
    PLI_MEMBRANE_SMALL = 200,   // Below so many particles coarse levels are made in every substep.
};

// How a level follows the next one: each node has up to PLI_PARENTS parents there, -1 behind the last.
typedef struct pli_membrane_transfer {
    int32_t *parents;  // [nodes * PLI_PARENTS]
    float *weights;    // By slot and row of `prolongation`: weights of parents at rest, -1 where there is none.
    int32_t *seeds;    // [coarse nodes] the node of this level that each of them is.
    pli_block *follow; // [nodes * PLI_PARENTS] how the displacement of each parent moves a node, transposed.
    pli_block_rows prolongation, restriction; // The rows of nodes by parents, and of coarse nodes by children.
    int32_t *child_offsets, *children;        // The children of each coarse node, as indices into `parents`.
    // A P by rows: transposed blocks with their columns, ascending; and by block of A and parent of its column, which of a row's blocks
    // it adds to.
    int32_t *product_offsets, *product_columns;
    pli_block *products;
    int32_t *product_targets;
    // P^T A P: the products that each block from the diagonal on is a sum of, as indices into `follow` and `products`.
    int64_t *term_offsets;
    int32_t *terms;
} pli_membrane_transfer;

// A level: its matrix, vectors of a cycle, and how it follows the next level.
typedef struct pli_membrane_level {
    pli_block_matrix matrix;
    pli_particle *right, *solution, *left; // [nodes] right side, solution, residual.
    pli_particle *points;                  // [nodes] where the nodes were when coarser levels were made.
    pli_membrane_transfer transfer;
} pli_membrane_level;

// The elasticity of a set: compliances by its own parameters [m/N], what is added to each of them, their lower bound, the compliance of
// rigid ones, and damping time over the substep.
typedef struct pli_membrane_law {
    double own[6], more, least, rigid, damping;
    const float *painted, *painted_damping; // By slot, or null.
    float slack;                            // The length from which a tether pulls, over that at rest.
} pli_membrane_law;

// Where the constraint of a triangle or of an edge lies.
typedef struct pli_membrane_triangle {
    int32_t set, slot;
    float area; // An edge has the square of its length at rest here [m2].
    bool is_edge;
} pli_membrane_triangle;

// A particle that is at a shape in this substep.
typedef enum pli_support_kind { PLI_SUPPORT_NONE, PLI_SUPPORT_STICKS, PLI_SUPPORT_SLIDES } pli_support_kind;

typedef struct pli_membrane_support {
    int32_t particle;
    pli_vec3 normal;
    float friction;
    pli_particle place; // Where the shape takes it.
    float *impulse;     // The impulse of its contact [N s].
    pli_support_kind kind;
    pli_particle flown; // How far it goes along the surface without forces [m].
    float speed;        // That over the substep [m/s].
    pli_particle force; // On it where it was placed [N].
    float drag;         // Friction of what slides, over displacement [N/m].
} pli_membrane_support;

// A volume that the triangles enclose: membrane/membrane_volume.h.
typedef struct pli_membrane_volume {
    const pli_constraint_set_data *set;
    int32_t slot, first;     // `first`: where its members begin in `gradients`.
    double pressure, wanted; // p0, and p [Pa].
    double stiffness;        // c [Pa/m3].
    double moved;            // Its change by the solution when that was multiplied last [m3].
} pli_membrane_volume;

// The state of a particle at the end of the last substep of this step, and its load [N].
typedef struct pli_membrane_grip {
    pli_support_kind kind;
    float load;
} pli_membrane_grip;

struct pli_membrane {
    uint64_t key;
    int32_t number; // The deformable, where membranes are solved together.
    int32_t count, triangle_count, batch_count, set_count;
    pli_constraint_set_data **sets;
    pli_membrane_law *laws; // [set_count]
    pli_membrane_triangle *triangles;
    pli_sheets sheets;
    float step;              // Substep that the stiffness in `sheets` is for [s].
    int32_t *corner_offsets; // [particles + 1] where the pulls of corners at each particle begin in sheets.pulls.
    // The triangles' blocks that each block of the finest matrix above the diagonal is a sum of, as twice the index into sheets.aside
    // of their first column, plus 1 where they are transposed.
    int32_t *block_offsets, *block_sources;
    pli_membrane_level levels[PLI_MEMBRANE_LEVELS];
    int32_t level_count;
    pli_particle *inverse; // [2 * particles] inverses of the finest diagonal blocks, see pli_sheet_nodes.
    double *factor,
        *coarsest; // Cholesky's factor of the coarsest matrix, row by row, and a vector; null where that has many pieces.
    pli_particle *starts; // [particles] velocities at the start of the substep.
    pli_particle
        *predicted;  // [particles] where all but the membrane takes them; w is mass / h^2, 0 where they are fixed.
    double *sums;    // [pieces][2] partial sums over particles.
    float *products; // [pieces][3][PLI_BATCH] of vectors.
    pli_membrane_support *supports;     // [support_count]
    pli_membrane_grip *grips;           // [particles]
    uint8_t *made;                      // [particles] the pli_support_kind that coarse levels were made for.
    float *joins;                       // [particles] 1 for those that coarse levels move, else 0.
    bool shapes_move;                   // A shape that supports particles moves.
    int32_t *support_of, support_count; // [particles] index of each among those, or -1.
    pli_particle *
        contact_diagonal; // [2 * particles] what contacts with surfaces add to the diagonal blocks, see pli_sheet_nodes.
    bool has_contacts;    // Any of these is not 0.
    bool on_fixed;        // Such a contact is with something that the equations do not move.
    pli_membrane_volume *volumes; // [volume_count]
    int32_t volume_count, *index; // [particles] the place of each among the members of a volume.
    pli_vec3 *gradients;          // At the members of each volume [m2].
    pli_particle *follow,
        *kept;          // [particles] u of all volumes; [2 * particles] right side and solution while it is found.
    bool fills, filled; // u belongs to the present coarse levels; the solution has been corrected by it.
    double curve
        [3]; // b d and d A d for the solution d, the right side b and the matrix A, and the mean of d over its limit.
    float length; // Step length of the last solve, 0..1.
    double given; // How far weight, air and users would move the particles in the substep, as a root mean square [m].
    float trust;  // The fraction of it that the limit of displacements left, 0..1.
    bool behind;  // The coarse levels are too old for the present shape.
};

// The support of a particle; one that is fixed sticks.
static inline pli_support_kind pli_membrane_support_of(const pli_membrane *m, int32_t particle)
{
    const int32_t k = m->support_of[particle];
    return !(m->predicted[particle].w > 0.0f) ? PLI_SUPPORT_STICKS : k >= 0 ? m->supports[k].kind : PLI_SUPPORT_NONE;
}

#endif
