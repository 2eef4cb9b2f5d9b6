// The table of constraint types, of each back end.
#ifndef PLI_CONSTRAINTS_TYPES_TYPE_TABLE_H
#define PLI_CONSTRAINTS_TYPES_TYPE_TABLE_H

#include "constraints/projection.h"

pli_constraint_table PLI_NAMED(pli_constraint_table)(void);
// The same kernels for particles in runs. Types of variable cardinality and types that need normals have none.
pli_constraint_table PLI_JOIN(PLI_NAMED(pli_constraint_table), runs)(void);

#endif
