// Vertex normals, and wind and pressure on triangles.
#ifndef PLI_PARTICLES_NORMALS_WIND_H
#define PLI_PARTICLES_NORMALS_WIND_H

#include "model/model.h"

typedef struct pli_normals {
    pli_particle *at;        // [capacity + 1] unit normals of the particles; null until a set needs them.
    pli_particle *faces;     // [triangles] scratch of normals and wind; null until needed.
    int32_t *corners;        // [3 * triangles] internal indices of the corners, valid while has_corners; or null.
    bool has_corners;        // Cleared when the triangles or the order change.
    pli_particle *by_vertex; // Normals for the application.
    bool is_fresh;           // They belong to the published positions.
} pli_normals;

// Allocates the arrays for normals. False when memory ran out.
bool pli_deformable_reserve_normals(pli_world *world, pli_deformable_data *deformable);
bool pli_deformable_reserve_faces(pli_world *world, pli_deformable_data *deformable);
// Unit vertex normals of `positions` (internal order) into normals->at; zero where undefined.
void pli_deformable_update_normals(pli_world *world, pli_deformable_data *deformable, const pli_particle *positions);

// Adds the force of the air during a substep of `step` seconds, which starts `since` seconds into the step, to the velocities.
void pli_deformable_add_wind(pli_world *world, pli_deformable_data *deformable, float step, double since);
// Adds the force of the painted pressure to the velocities.
void pli_deformable_add_pressure(pli_world *world, pli_deformable_data *deformable, float step);

#endif
