// The table of linear forms.
#ifndef PLI_CONSTRAINTS_SOLVED_SOLVED_FORMS_H
#define PLI_CONSTRAINTS_SOLVED_SOLVED_FORMS_H

#include "constraints/solved/solved_form.h"

// The form of a type; null if it has none.
const pli_solved_form *pli_solved_form_find(const char *type);

#endif
