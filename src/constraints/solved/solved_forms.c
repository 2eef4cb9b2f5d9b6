// The table of linear forms, one line each.
#include "constraints/solved/solved_forms.h"

#include <string.h>

// clang-format off
#define FORM_ROWS(ROW) \
    ROW(isometric) \
    ROW(dihedral) \
    ROW(triangle) \
    ROW(triangle_linear) \
    ROW(ring)
// clang-format on

#define DECLARE_FORM(name) extern const pli_solved_form pli_form_##name;
#define REFER_TO_FORM(name) &pli_form_##name,

FORM_ROWS(DECLARE_FORM)

static const pli_solved_form *const forms[] = {FORM_ROWS(REFER_TO_FORM)};

const pli_solved_form *pli_solved_form_find(const char *type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i]->type, type) == 0)
            return forms[i];
    return NULL;
}
