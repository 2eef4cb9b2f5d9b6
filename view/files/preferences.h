// Preferences that the window keeps between runs, in a file of the user.
#ifndef PLI_VIEW_PREFERENCES_H
#define PLI_VIEW_PREFERENCES_H

#include <pliant/base.h>

typedef struct pli_view_preferences {
    bool light;       // Light instead of dark colours.
    float zoom;       // Scale of fonts and panels relative to the display's scale, 0.5 to 3.
    int32_t quality;  // The pli_cli_quality of still pictures.
    bool knows_steps; // The introduction was seen.
} pli_view_preferences;

pli_view_preferences pli_view_preferences_default(void);
// Path of the user's file, pliant/viewer.json in $XDG_CONFIG_HOME or ~/.config; null if neither variable is set. Free with free().
char *pli_view_preferences_path(void);
// Reads the values of the file that are in range; the others keep their values. A missing or invalid file changes nothing.
void pli_view_preferences_read(pli_view_preferences *preferences, const char *path);
// Writes the file through a temporary name and creates its folder.
pli_status pli_view_preferences_write(const pli_view_preferences *preferences, const char *path, pli_error *error);

#endif
