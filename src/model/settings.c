#include "model/settings.h"

#include "base/error.h"
#include "properties/groups.h"

pli_status pli_settings_check(const pli_settings *s, pli_error *error)
{
    for (size_t i = 0; i < sizeof s->reserved / sizeof *s->reserved; i++)
        if (s->reserved[i] != 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "reserved settings must be 0; start from pli_world_settings or the default definition");
    pli_status status = pli_descriptor_check(&pli_settings_descriptors, s, error);
    return status == PLI_STATUS_OK ? pli_descriptor_check(&pli_contact_descriptors, s, error) : status;
}
