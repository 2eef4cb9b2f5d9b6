// Files of the window: opening, watching and saving them.
#ifndef PLI_VIEW_DOCUMENT_H
#define PLI_VIEW_DOCUMENT_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Opens a scene or a mesh instead of the current one. On failure it returns false, everything stays as it is, and the desk lists the
// problems.
bool pli_viewer_load(pli_viewer *viewer, const char *path);
// Generates the scene for the open mesh again, with another kind of object. Returns false if no mesh is open, and otherwise as
// pli_viewer_load.
bool pli_viewer_take_mesh_for(pli_viewer *viewer, pli_guess_kind kind);
// Generates the scene for a mesh in a temporary folder. `path` gets its path, to be freed, also on failure.
pli_status pli_viewer_make_for(pli_view_desk *desk, const char *mesh, pli_guess_kind kind, bool quiet, char **path,
                               pli_error *error);
// Stores the path of the mesh that the open scene was generated for, or null.
void pli_viewer_note_mesh(pli_view_desk *desk, const char *mesh, pli_guess_kind kind);
// Reloads the scene's file and keeps the camera.
bool pli_viewer_reload(pli_viewer *viewer);
// Reloads the file when another program has written it. Called once per picture.
void pli_viewer_look_at_file(pli_viewer *viewer);
// Writes the scene with its current values; null: next to the scene's file, under the first free name.
bool pli_viewer_save(pli_viewer *viewer, const char *path);
// Stores the initial values of the opened scene.
pli_status pli_viewer_note_start(pli_viewer *viewer, const char *path, pli_error *error);
// Finds the scenes that come with the program, with their pictures, once.
void pli_viewer_find_gallery(pli_viewer *viewer);
// Shows a folder in the list of files; null: the folder of the open scene. Returns false if the folder cannot be read.
bool pli_viewer_list(pli_viewer *viewer, const char *folder);
// Enters the listed folder of that name, or "..", or opens the file. Returns false if there is no such entry.
bool pli_viewer_choose(pli_viewer *viewer, const char *name);
// Reads the user's preferences from a file, to which later changes are written.
void pli_viewer_prefer(pli_viewer *viewer, const char *path);
// Writes the preferences if they have changed.
void pli_viewer_keep_preferences(pli_viewer *viewer);
// Frees everything that the desk owns.
void pli_view_desk_close(pli_view_desk *desk);

#ifdef __cplusplus
}
#endif
#endif
