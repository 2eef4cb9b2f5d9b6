// Runs a generator of the table by its name.
#ifndef PLI_MESH_GENERATORS_GENERATOR_TABLE_H
#define PLI_MESH_GENERATORS_GENERATOR_TABLE_H

#include "pliant/constraint_type.h"
#include "pliant/generator.h"

// Does the work of pli_stencils_generate with the memory and threads of the caller.
pli_status pli_generate(const pli_mesh *mesh, const char *name, const pli_hooks *hooks, const pli_task_hooks *tasks,
                        pli_stencils *stencils, pli_error *error);
// Fails with NOT_FOUND and names the generator that was probably meant, or all generators.
pli_status pli_generator_not_found(const char *name, pli_error *error);

#endif
