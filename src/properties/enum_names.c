// Names of log levels, and conversion of names to enumeration values.
#include "pliant/contact.h"
#include "pliant/world.h"

#include <string.h>

const char *pli_log_level_name(pli_log_level level)
{
    static const char *const names[] = {"info", "warning", "error"};
    return (unsigned)level <= PLI_LOG_ERROR ? names[level] : "unknown";
}

#define FROM_NAME(type, last)                                                                                          \
    bool type##_from_name(const char *name, type *value)                                                               \
    {                                                                                                                  \
        for (int i = 0; name && i <= (int)(last); i++)                                                                 \
            if (strcmp(type##_name((type)i), name) == 0) {                                                             \
                *value = (type)i;                                                                                      \
                return true;                                                                                           \
            }                                                                                                          \
        return false;                                                                                                  \
    }

FROM_NAME(pli_method, PLI_METHOD_PBD)
FROM_NAME(pli_order, PLI_ORDER_SEQUENTIAL)
FROM_NAME(pli_sweeps, PLI_SWEEPS_FORWARD)
FROM_NAME(pli_integrator, PLI_INTEGRATOR_BDF2)
FROM_NAME(pli_simd, PLI_SIMD_COUNT - 1)
FROM_NAME(pli_ccd, PLI_CCD_COUNT - 1)
FROM_NAME(pli_origin_kind, PLI_ORIGIN_COUNT - 1)
FROM_NAME(pli_stage, PLI_STAGE_COUNT - 1)
FROM_NAME(pli_stretch, PLI_STRETCH_COUNT - 1)
FROM_NAME(pli_self_contact, PLI_SELF_CONTACT_COUNT - 1)
FROM_NAME(pli_measure, PLI_MEASURE_COUNT - 1)
FROM_NAME(pli_yields, PLI_YIELDS_COUNT - 1)
FROM_NAME(pli_shape, PLI_SHAPE_COUNT - 1)
FROM_NAME(pli_grid_pattern, PLI_GRID_CROSSED)
FROM_NAME(pli_sense, PLI_SENSE_AT_LEAST)
