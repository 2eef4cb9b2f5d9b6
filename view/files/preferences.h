// What the window keeps between runs, in a file of the user's.
#ifndef PLI_VIEW_PREFERENCES_H
#define PLI_VIEW_PREFERENCES_H

#include <pliant/base.h>

typedef struct pli_view_preferences {
    bool light;       // Light colours rather than dark ones.
    float zoom;       // Size of letters and panels on top of the display's scale, 0.5 to 3.
    int32_t quality;  // A pli_cli_quality of what stands still.
    bool knows_steps; // The first steps were seen.
} pli_view_preferences;

pli_view_preferences pli_view_preferences_default(void);
// The user's file, pliant/viewer.json in $XDG_CONFIG_HOME or ~/.config; null without either. Free with free().
char *pli_view_preferences_path(void);
// Reads what is in the file and in range; the rest stays. A file that is not there or not sound changes nothing.
void pli_view_preferences_read(pli_view_preferences *preferences, const char *path);
// Writes the file, whose folder is made, through a temporary name.
pli_status pli_view_preferences_write(const pli_view_preferences *preferences, const char *path, pli_error *error);

#endif
