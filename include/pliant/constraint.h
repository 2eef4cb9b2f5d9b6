/// Pliant, constraints: the table of constraint types and the table of generators.
#ifndef PLIANT_CONSTRAINT_H
#define PLIANT_CONSTRAINT_H

#include "constraint_type.h"
#include "generator.h"

#endif
