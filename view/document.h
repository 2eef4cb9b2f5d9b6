// Files of the window: opening, watching, saving.
#ifndef PLI_VIEW_DOCUMENT_H
#define PLI_VIEW_DOCUMENT_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Opens a scene or a mesh in place of what is open. On failure everything stays as it is, and the desk's problems say why. False
// then.
bool pli_viewer_load(pli_viewer *viewer, const char *path);
// Makes the scene anew for the mesh that is open, taken for something else. False where none is, and as pli_viewer_load.
bool pli_viewer_take_mesh_for(pli_viewer *viewer, pli_guess_kind kind);
// Notes the mesh that the open scene was made for, or null.
void pli_viewer_note_mesh(pli_view_desk *desk, const char *mesh, pli_guess_kind kind);
// Reads the scene's file again, with the camera as it is.
bool pli_viewer_reload(pli_viewer *viewer);
// Loads the file again when another program has written it. Called once for each picture.
void pli_viewer_look_at_file(pli_viewer *viewer);
// Writes the scene with the values of now; null: beside it under the first name that is free.
bool pli_viewer_save(pli_viewer *viewer, const char *path);
// Notes what the scene that has been opened begins with.
pli_status pli_viewer_note_start(pli_viewer *viewer, const char *path, pli_error *error);
// Finds the scenes that come with the program, with their pictures, once.
void pli_viewer_find_gallery(pli_viewer *viewer);
// Shows a folder in the list of files; null: that of the scene that is open. False where it cannot be read.
bool pli_viewer_list(pli_viewer *viewer, const char *folder);
// Goes into the listed folder of that name, or "..", or opens the file. False where there is none.
bool pli_viewer_choose(pli_viewer *viewer, const char *name);
// Takes the user's preferences from a file, to which those that change are written.
void pli_viewer_prefer(pli_viewer *viewer, const char *path);
// Writes the preferences where they have changed.
void pli_viewer_keep_preferences(pli_viewer *viewer);
// Frees what the desk has.
void pli_view_desk_close(pli_view_desk *desk);

#ifdef __cplusplus
}
#endif
#endif
