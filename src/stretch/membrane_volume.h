// Volumes in the equations of a membrane: gas, constant pressures, and constant volumes.
//
// A pressure p(V) exerts the force p g on each particle, where g is the gradient of the volume, and adds c g g^T to the matrix with
// c = -p'(V): 0 for a constant pressure, n R T / V^2 for gas, 1 / compliance for a constant volume. The equations start from a pressure p0:
// the pressure of the gas, or, for a constant volume, the pressure that balances all other forces, so that nothing moves at rest. With
// u = B g, where B is the cycle that approximates the inverse of the rest of the matrix, the solution z becomes (Sherman and Morrison 1950)
//
//   z + u (p - p0 - c g . z) / (1 + c g . u)
#ifndef PLI_STRETCH_MEMBRANE_VOLUME_H
#define PLI_STRETCH_MEMBRANE_VOLUME_H

#include "stretch/membrane_system.h"

// Lists the volumes of the deformable. False when memory ran out.
bool pli_membrane_list_volumes(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *membrane);
void pli_membrane_free_volumes(pli_memory *memory, pli_membrane *membrane);
// Computes gradients, pressures and stiffnesses at `positions`, and adds the forces of the pressures to the right side. `bases` are the
// positions at the start of a substep of `step` seconds.
void pli_membrane_add_pressures(pli_membrane *membrane, const pli_particle *positions, const pli_particle *bases,
                                float step);
// Writes the gradients of all volumes as a vector.
void pli_membrane_write_gradients(const pli_membrane *membrane, pli_particle *vector);
// Corrects the solution by `follow`, which is u of all volumes, and updates the right side to the pressure p.
void pli_membrane_correct_volumes(pli_membrane *membrane, const pli_particle *follow);
// Subtracts the products of the volumes and the solution from the residual, once the solution has been corrected for volumes.
void pli_membrane_multiply_volumes(pli_membrane *membrane);
// The contribution of volumes to d A d in the last step of the solution.
double pli_membrane_volume_work(const pli_membrane *membrane);

#endif
