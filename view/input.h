// Script commands that stand for keys, the pointer and the panel, in addition to those of commands.c.
#ifndef PLI_VIEW_INPUT_H
#define PLI_VIEW_INPUT_H

#include "commands.h"

pli_view_result pli_view_input_run(pli_view_line *line);
// A line that begins with "expect".
pli_view_result pli_view_input_expect(pli_view_line *line);

#endif
