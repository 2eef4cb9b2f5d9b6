#include "model/settings.h"

#include "base/error.h"
#include "properties/groups.h"

pli_status pli_settings_check(const pli_settings *s, pli_error *error)
{
    pli_status status = pli_descriptor_check(&pli_settings_descriptors, s, error);
    return status == PLI_STATUS_OK ? pli_descriptor_check(&pli_contact_descriptors, s, error) : status;
}
