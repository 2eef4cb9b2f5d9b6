// The table of linear forms, one line each.
#include "constraints/solved/solved_forms.h"

#include <string.h>

// clang-format off
#define ROWS(ROW) \
    ROW(isometric) \
    ROW(dihedral) \
    ROW(triangle) \
    ROW(triangle_linear) \
    ROW(ring)
// clang-format on

#define DECLARE(name) extern const pli_solved_form pli_form_##name;
#define REFER(name) &pli_form_##name,

ROWS(DECLARE)

static const pli_solved_form *const forms[] = {ROWS(REFER)};

const pli_solved_form *pli_solved_form_find(const char *type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i]->type, type) == 0)
            return forms[i];
    return NULL;
}
