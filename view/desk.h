// State of the window that is independent of the open scene and persists when another is opened.
#ifndef PLI_VIEW_DESK_H
#define PLI_VIEW_DESK_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "files/listing.h"
#include "files/preferences.h"
#include "files/scene_copy.h"
#include "files/shipped.h"
#include "files/watch.h"
#include "lessons/lessons.h"
#include "record/film.h"
#include "record/other.h"
#include "sources/plugins.h"

#include <pliant/guess.h>

enum { PLI_VIEW_PROBLEMS_MOST = 12 };

// A problem of a file, with its location.
typedef struct pli_view_problem {
    int32_t line, column; // From 1; 0 for none.
    char text[620];       // Path in the scene, and the error.
    char source[160];     // The line of the file.
} pli_view_problem;

typedef struct pli_view_desk {
    char *path;          // File of the open scene.
    char *mesh;          // File of the mesh that it was generated for; null for none,
    pli_guess_kind kind; // and the requested kind of that mesh.
    char *made_folder;   // Temporary folder of such scenes, and the current one; null for none.
    char *made;
    bool allow_outside;      // Whether every scene may name files outside its folder, as the command line says,
    bool open_outside;       // and whether the open scene may: a scene that was generated for a mesh does.
    pli_cli_plugins plugins; // Plugins of the command line, for every opened scene.
    pli_view_watch watch;
    pli_view_baseline start; // Initial values of the scene.
    char *refused;           // File with the problems; null for none.
    pli_view_problem problems[PLI_VIEW_PROBLEMS_MOST];
    int32_t problem_count;
    int32_t reloads; // Number of reloads of the file.
    pli_view_gallery gallery;
    uint32_t *pictures;     // Textures of the gallery's scenes; 0 for none.
    float *aspects;         // Width over height of each.
    bool shows_gallery;     // Open windows.
    bool shows_experiments; // The gallery opens at the experiments.
    bool shows_first;       // The introduction.
    bool shows_files;       // The list of files.
    bool shows_keys;        // The table of keys.
    bool hides;             // The scene fills the window.
    const char *only_part;  // Part of the panel that a script opens, closing the others, in the next picture.
    char *sought;           // Path of a control that a script looks for,
    float spot[4];          // and where it is: left, top, right and bottom [pixels],
    bool found;             // if it is shown.
    double clock;           // Time for messages to disappear [s]; scripts have their own.
    double message_time;    // Time of the shown message,
    int32_t message_number; // and its number.
    pli_view_listing listing;
    pli_view_preferences preferences, written; // Current preferences, and the ones in their file.
    char *preferences_path;                    // Null if they are not saved.
    float scale;                               // Pixels of the display per pixel of an unscaled one.
    pli_view_film film;                        // The running recording.
    pli_view_other other;                      // The compared recording.
    bool ghost, difference, shown_difference;
    char *recorded;         // The last recorded cache; null for none.
    int32_t recorded_first; // Its first frame.
    int32_t other_first;    // Frame of the scene that corresponds to the first frame of the other run.
    int32_t slow;           // Pictures per frame while the scene runs, minus one.
    double memory;          // Bytes in use at the last note of a script.
    double growth;          // Smallest growth between two consecutive notes.
    pli_view_lessons lessons;
    bool asks_to_leave; // Ends the program.
} pli_view_desk;

#ifdef __cplusplus
}
#endif
#endif
