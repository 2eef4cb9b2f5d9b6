// Boxes about what is drawn.
#ifndef PLI_CLI_BOUNDS_H
#define PLI_CLI_BOUNDS_H

#include <pliant/collider.h>

// Extends the box, a lower and an upper corner, by positions. Start with +infinity and -infinity.
void pli_cli_bounds_add(pli_vec3 bounds[2], pli_view positions);
// Extends it by the surface of a shape in its pose. Unbounded shapes have none.
void pli_cli_bounds_add_shape(pli_vec3 bounds[2], const pli_collider_def *shape);
// Extends it on all sides by 3 % of its diagonal.
void pli_cli_bounds_leave_room(pli_vec3 bounds[2]);
// Extends it in each direction perpendicular to `up` to its diagonal, so that it fits from all sides.
void pli_cli_bounds_turn(pli_vec3 bounds[2], pli_vec3 up);

#endif
