// The parameter of constraint types whose forces may be solved (constraints/solved).
#ifndef PLI_CONSTRAINTS_SOLVE_PARAMETER_H
#define PLI_CONSTRAINTS_SOLVE_PARAMETER_H

#include "base/text.h"
#include "pliant/descriptor.h"

static const pli_condition solve_under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};

#define PLI_SOLVE_PARAMETER                                                                                            \
    {                                                                                                                  \
        .name = "solve", .label = PLI_TEXT("Solve"), .unit = "", .kind = PLI_PROPERTY_BOOLEAN, .maximum = 1,           \
        .summary = PLI_TEXT("Whether one solve for the whole deformable replaces the sweeps."),                        \
        .help = PLI_TEXT(                                                                                              \
            "The entire rigidity is then effective, on any mesh and in any substep; a sweep reaches about "            \
            "rho l^4 / (4 h^2). It needs a rigidity or a compliance above 0, no yield, and no plate."),                \
        .when = solve_under_xpbd, .section = "solver"                                                                  \
    }

#endif
