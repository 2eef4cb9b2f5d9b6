// A world may represent less of rigidity and tensile stiffness than its scene requests. This says how much.
#ifndef PLI_CLI_REPRESENTED_H
#define PLI_CLI_REPRESENTED_H

#include <jansson.h>
#include <pliant/material.h>
#include <pliant/world.h>

#include <stdio.h>

// The numbers asked for and acting in a step of `dt` seconds; null for one that neither bends nor stretches by constraints.
json_t *pli_cli_represented_json(const pli_world *world, pli_deformable deformable, double dt);
// The same as a phrase: "effective rigidity 1.5e-4 of 1.5e-4 N m, ...". False, and nothing written, where there is none.
bool pli_cli_represented_text(const pli_world *world, pli_deformable deformable, double dt, char *text, size_t size);
#endif
