// The parameter of constraint types whose forces may be solved (constraints/solved).
#ifndef PLI_CONSTRAINTS_SOLVE_PARAMETER_H
#define PLI_CONSTRAINTS_SOLVE_PARAMETER_H

#include "base/text.h"
#include "pliant/descriptor.h"

static const pli_condition solve_under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};

#define PLI_SOLVE_PARAMETER                                                                                            \
    {                                                                                                                  \
        .name = "solve", .label = PLI_TEXT("Solve"), .unit = "", .kind = PLI_PROPERTY_BOOLEAN, .maximum = 1,           \
        .summary = PLI_TEXT("Whether its forces are solved for the whole deformable at once instead of swept."),       \
        .help = PLI_TEXT(                                                                                              \
            "All of a rigidity then acts, on any mesh and in any substep; a sweep stops at about "                     \
            "rho l^4 / (4 h^2). It needs a rigidity or a compliance above 0, no yield, and no plate beside it."),      \
        .when = solve_under_xpbd, .section = "solver"                                                                  \
    }

#endif
