// The choices of every public enumeration: name, label, meaning.
#ifndef PLI_PROPERTIES_CHOICES_H
#define PLI_PROPERTIES_CHOICES_H

#include "pliant/descriptor.h"

// Each array has an entry for each value of its enumeration, in its order, and ends with a null name.
extern const pli_choice pli_method_choices[], pli_order_choices[], pli_simd_choices[], pli_ccd_choices[];
extern const pli_choice pli_sweeps_choices[], pli_integrator_choices[], pli_origin_choices[];
extern const pli_choice pli_stretch_choices[], pli_self_contact_choices[], pli_shape_choices[];
extern const pli_choice pli_yields_choices[], pli_grid_pattern_choices[], pli_measure_choices[], pli_stage_choices[],
    pli_sense_choices[];

#endif
