// Indices of the options of `pliant view`, which pliant-view reads too.
#ifndef PLI_CLI_VIEW_OPTIONS_H
#define PLI_CLI_VIEW_OPTIONS_H

enum {
    PLI_VIEW_OPTION_SCRIPT,
    PLI_VIEW_OPTION_SIZE,
    PLI_VIEW_OPTION_ALLOW_OUTSIDE,
    PLI_VIEW_OPTION_PLUGIN,
    PLI_VIEW_OPTION_AS
};

#endif
