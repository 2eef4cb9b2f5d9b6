// The table of checks that `pliant-lab validate` runs, in the order in which `all` runs them.
#ifndef PLI_LAB_VALIDATION_TABLE_H
#define PLI_LAB_VALIDATION_TABLE_H

#include "base/lab.h"

int32_t lab_validation_count(void);
// Row i of the table; NULL when out of range.
const lab_experiment *lab_validation_at(int32_t i);

#endif
