// How many constraints a mesh would get.
#ifndef PLI_CLI_INSPECT_COUNTS_H
#define PLI_CLI_INSPECT_COUNTS_H

#include <pliant/pliant.h>

typedef struct pli_cli_count {
    const char *type, *generator;
    int32_t made;
    int32_t degenerate; // Refused by the generator, or left out for their rest state.
    int32_t duplicate;
    char refused[200]; // Why the mesh cannot have this type; empty when it can.
} pli_cli_count;

// Counts one type, or all when `type` is null; `generator` may be null for each type's own.
// `counts` has room for every type.
pli_status pli_cli_count_constraints(const pli_mesh *mesh, const pli_constraint_type *type, const char *generator,
                                     pli_cli_count *counts, int32_t *count, pli_error *error);

#endif
