// Counts the constraints that each type would create on a mesh.
#ifndef PLI_CLI_INSPECT_COUNTS_H
#define PLI_CLI_INSPECT_COUNTS_H

#include <pliant/pliant.h>

typedef struct pli_cli_count {
    const char *type, *generator;
    pli_constraint_count found;
    char refused[200]; // Reason why the mesh cannot have this type; empty when it can.
} pli_cli_count;

// Counts one type, or all if `type` is null; a null `generator` selects each type's own.
pli_status pli_cli_count_constraints(const pli_mesh *mesh, const pli_constraint_type *type, const char *generator,
                                     pli_cli_count *counts, int32_t *count, pli_error *error);

#endif
