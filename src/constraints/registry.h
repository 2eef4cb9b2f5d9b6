// Constraint types and their parameters, found by name, and the kernel of types without their own kernel.
#ifndef PLI_CONSTRAINTS_REGISTRY_H
#define PLI_CONSTRAINTS_REGISTRY_H

#include "constraints/projection.h"

// The row of a built-in type, or -1.
int32_t pli_constraint_type_index(const char *name);

// The slot of a parameter in a set's array, common parameters first, then the type's own; -1 if there is none.
int32_t pli_parameter_slot(const pli_constraint_type *type, const char *name);
const pli_property *pli_parameter_of_slot(const pli_constraint_type *type, int32_t slot);

// The plain kernel: one constraint at a time through type->evaluate. Fixed cardinality only.
void pli_project_plain(const pli_projection *projection, int32_t begin, int32_t end);

#endif
