// A world may represent less rigidity and tensile stiffness than its scene requests. These functions report the ratio.
#ifndef PLI_CLI_REPRESENTED_H
#define PLI_CLI_REPRESENTED_H

#include <jansson.h>
#include <pliant/material.h>
#include <pliant/world.h>

#include <stdio.h>

// The requested and the effective values in a step of `dt` seconds; null for a deformable that neither bends nor stretches by
// constraints.
json_t *pli_cli_effective_stiffness_json(const pli_world *world, pli_deformable deformable, double dt);
// The same as a phrase: "effective rigidity 1.5e-4 of 1.5e-4 N m, ...". Returns false and writes nothing if there are no values.
bool pli_cli_effective_stiffness_text(const pli_world *world, pli_deformable deformable, double dt, char *text,
                                      size_t size);
#endif
