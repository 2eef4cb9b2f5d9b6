// Volumes in the equations of a membrane: gas, kept pressures, and volumes that stay.
//
// A pressure p(V) pulls each particle with p g, where g is the gradient of the volume, and the matrix gains c g g^T with c = -p'(V): 0 for
// a kept pressure, n R T / V^2 for gas, 1 / compliance for a volume that stays. The equations begin with a pressure p0, which is that of
// the gas, or, for a volume that stays, the one in balance with all other forces, so that nothing moves at rest. With u = B g, where B is
// the cycle that stands for the inverse of the rest of the matrix, their solution z becomes (Sherman and Morrison 1950)
//
//   z + u (p - p0 - c g . z) / (1 + c g . u)
#ifndef PLI_MEMBRANE_MEMBRANE_VOLUME_H
#define PLI_MEMBRANE_MEMBRANE_VOLUME_H

#include "membrane/membrane_system.h"

// Lists the volumes of the deformable. False when memory ran out.
bool pli_membrane_list_volumes(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *membrane);
void pli_membrane_free_volumes(pli_memory *memory, pli_membrane *membrane);
// Finds gradients, pressures and stiffnesses at `positions`, and adds the pressures' forces to the right side. `bases` are where a substep of
// `step` seconds started.
void pli_membrane_add_pressures(pli_membrane *membrane, const pli_particle *positions, const pli_particle *bases,
                                float step);
// Writes the gradients of all volumes as a vector.
void pli_membrane_write_gradients(const pli_membrane *membrane, pli_particle *vector);
// Corrects the solution by `follow`, which is u of all volumes, and brings the right side to the pressure p.
void pli_membrane_correct_volumes(pli_membrane *membrane, const pli_particle *follow);
// Subtracts the volumes' products with the solution from the residual, once that has been corrected by them.
void pli_membrane_multiply_volumes(pli_membrane *membrane);
// The part of d A d that the last step of the solution has through volumes.
double pli_membrane_volume_work(const pli_membrane *membrane);

#endif
