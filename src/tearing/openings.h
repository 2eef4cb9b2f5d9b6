// Separates the sides of a tear. They start at the same position, where contact cannot tell on which side of each other
// they are. Each vertex there moves into its own fan of faces, away from the borders of the fan, by 0.6 of the distance
// that contact keeps between the sides. The centre of mass of these vertices does not move.
//
//        a                a           Across a - v, the faces lie on both sides of the plane that halves the angle
//       /|\              /|\          between them. v and v' move to the side of their own faces, so that they
//      p v q     ->     p v v' q      separate and do not cross, however the faces are folded.
//       \|/              \| |/
//
// Openings are planned before the cut and tested exactly against all surfaces of the world. An opening that does not
// fit is made smaller; when a sixteenth of it does not fit either, the tear waits.
#ifndef PLI_TEARING_OPENINGS_H
#define PLI_TEARING_OPENINGS_H

#include "collision/broadphase/aabb.h"
#include "mesh/fabric/fabric.h"
#include "model/model.h"

// The opening of one fan of a vertex that is about to be split.
typedef struct pli_opening {
    int32_t group, corner; // The vertex, equal for all its openings; a corner of the fan, whose vertex moves.
    pli_vec3 move, back;   // Displacement into the fan, and common displacement that keeps the centre of mass [m].
    float share;           // Fraction of both displacements that is applied: 1, or less where there is no space.
} pli_opening;

// Returns twice the rest area of a fan at a vertex: of the corners with the number `fan` in `fans`, or of all fans when `fans` is null.
double pli_fan_area(const pli_fabric *fabric, int32_t vertex, const int32_t *fans, int32_t fan);

// Boxes around the clusters of all surfaces, found once for all tears of a step, which move particles by less than the margin.
typedef struct pli_surroundings {
    pli_aabb *boxes;
    int32_t count;
    bool found;
} pli_surroundings;

void pli_surroundings_release(pli_world *world, pli_surroundings *around);

// Plans the openings of a cut whose edges are open and whose vertices are not separated yet. The fan of `keep_corner`
// keeps its vertex. Sets *fits to false when an opening does not fit. Returns false when memory ran out.
bool pli_openings_plan(pli_world *world, pli_deformable_data *deformable, int32_t keep_corner, pli_surroundings *around,
                       bool *fits);
// The first function moves the vertices after their separation; the second one discards the plan.
void pli_openings_apply(pli_deformable_data *deformable);
void pli_openings_drop(pli_deformable_data *deformable);
// Opens coincident vertices among these particles after the attachment that fixed them in one place releases them.
void pli_openings_let_go(pli_world *world, pli_deformable_data *deformable, const int32_t *particles, int32_t count);

#endif
