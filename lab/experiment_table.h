// The table of experiments, in the order in which `all` runs them.
#ifndef PLI_LAB_EXPERIMENT_TABLE_H
#define PLI_LAB_EXPERIMENT_TABLE_H

#include "base/lab.h"

int32_t lab_experiment_count(void);
// Row i of the table; NULL when out of range.
const lab_experiment *lab_experiment_at(int32_t i);

#endif
