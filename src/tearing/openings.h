// How the sides of a tear part. They begin in one place, where nothing says which way they are apart. Each vertex there moves into its
// own fan of faces, across the borders of the fan, by half of the distance that contact keeps between sides and a fifth more; the centre
// of mass of all of them stays.
//
//        a                a           Across a - v, the faces lie on both sides of the plane that halves the angle
//       /|\              /|\          between them. Their vertices move to their own sides of it, so that they part
//      p v q     ->     p v v' q      and do not cross, however they are folded.
//       \|/              \| |/
//
// Openings are planned before the cut, and held against all surfaces of the world by an exact test: where there is no space for one, it
// is made smaller, and where there is none for a sixteenth of it, the tear waits.
#ifndef PLI_TEARING_OPENINGS_H
#define PLI_TEARING_OPENINGS_H

#include "collision/broadphase/aabb.h"
#include "mesh/fabric/fabric.h"
#include "model/model.h"

// One fan of a vertex that is to be split.
typedef struct pli_opening {
    int32_t group, corner; // Equal for the openings of one vertex; a corner of the fan, whose vertex moves.
    pli_vec3 move, back;   // Into its fan, and with all fans of the vertex so that their centre of mass stays [m].
    float share;           // The part of these that is made: 1, or less where there is no space for all.
} pli_opening;

// Twice the area at rest of a fan at a vertex, whose corners have the number `fan` in `fans`; of all fans where that is null.
double pli_fan_area(const pli_fabric *fabric, int32_t vertex, const int32_t *fans, int32_t fan);

// Boxes about the clusters of all surfaces, found once for the tears of a step, which move particles by less than the margin.
typedef struct pli_surroundings {
    pli_aabb *boxes;
    int32_t count;
    bool found;
} pli_surroundings;

void pli_surroundings_release(pli_world *world, pli_surroundings *around);

// Plans the openings of the cut whose edges have been opened and whose vertices are not yet separated; the fan of `keep_corner` keeps
// its vertex. Sets *fits to false where there is none for one of them. False when memory ran out.
bool pli_openings_plan(pli_world *world, pli_deformable_data *deformable, int32_t keep_corner, pli_surroundings *around,
                       bool *fits);
// Moves the vertices, once they are separated; or drops the plan.
void pli_openings_apply(pli_deformable_data *deformable);
void pli_openings_drop(pli_deformable_data *deformable);
// Opens what coincides among these particles, which an attachment has held in one place until now.
void pli_openings_let_go(pli_world *world, pli_deformable_data *deformable, const int32_t *particles, int32_t count);

#endif
