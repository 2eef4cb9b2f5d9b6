// Complete sets of values.
#ifndef PLI_SESSION_VALUES_H
#define PLI_SESSION_VALUES_H

#include "session/controls.h"

#ifdef __cplusplus
extern "C" {
#endif

// All values of a world: its settings, the parameters of all constraint sets, and the properties of all deformables, concatenated.
typedef struct pli_session_values {
    pli_settings settings;
    double *parameters; // Null if never read.
    int32_t parameter_count;
    double *deformable_values;
    int32_t deformable_count;
} pli_session_values;

pli_status pli_session_values_read(pli_session_values *values, const pli_world *world, pli_error *error);
// Applies them to a world of the same objects.
pli_status pli_session_values_apply(const pli_session_values *values, pli_world *world, pli_error *error);
void pli_session_values_release(pli_session_values *values);
// A value that differs between two sets.
typedef struct pli_session_difference {
    pli_session_control control;
    double values[2];
} pli_session_difference;

// Writes at most `most` of the differences between two sets of values, and returns how many there are.
int32_t pli_session_values_compare(const pli_world *world, const pli_session_values *a, const pli_session_values *b,
                                   pli_session_difference *list, int32_t most);

#ifdef __cplusplus
}
#endif
#endif
