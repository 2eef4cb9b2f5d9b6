// What the window has beside the scene that is open, and keeps when another is opened.
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
#include "record/film.h"
#include "record/other.h"
#include "sources/plugins.h"

#include <pliant/guess.h>

enum { PLI_VIEW_PROBLEMS_MOST = 12 };

// What is wrong with a file, at its place.
typedef struct pli_view_problem {
    int32_t line, column; // From 1; 0 for none.
    char text[620];       // Path in the scene, and the error.
    char source[160];     // The line of the file.
} pli_view_problem;

typedef struct pli_view_desk {
    char *path;              // File of the scene that is open.
    char *mesh;              // File of the mesh that it was made for; null for none,
    pli_guess_kind kind;     // and what that was to be taken for.
    bool allow_outside;      // Whether every scene may name files outside its folder, as the command line says,
    bool open_outside;       // and whether the one that is open may: one that was made for a mesh does.
    pli_cli_plugins plugins; // Plugins of the command line, for every scene that is opened.
    pli_view_watch watch;
    pli_view_baseline start; // The scene's values.
    char *refused;           // File that has the problems; null for none.
    pli_view_problem problems[PLI_VIEW_PROBLEMS_MOST];
    int32_t problem_count;
    int32_t reloads; // How often the file was read again.
    pli_view_gallery gallery;
    uint32_t *pictures;     // Textures of the gallery's scenes; 0 for none.
    float *aspects;         // Width over height of each.
    bool shows_gallery;     // Windows that are open.
    bool shows_experiments; // The gallery opens at them.
    bool shows_first;       // The first steps.
    bool shows_files;       // The list of files.
    pli_view_listing listing;
    pli_view_preferences preferences, written; // As they are, and as their file has them.
    char *preferences_path;                    // Null where they are not kept.
    float scale;                               // The display has so many pixels for one of a plain screen.
    pli_view_film film;                        // The film that is recorded.
    pli_view_other other;                      // What is compared.
    bool ghost, difference, shown_difference;
    char *recorded;         // The last cache that was recorded; null for none.
    int32_t recorded_first; // Its first frame.
    int32_t other_first;    // Frame of the scene that the first one of the other run is compared with.
    int32_t slow;           // Pictures for each frame while time runs, less one.
    double memory;          // Bytes in use when a script noted them last.
    double growth;          // Least growth between two notes in a row.
    bool asks_to_leave;     // Ends the program.
} pli_view_desk;

#ifdef __cplusplus
}
#endif
#endif
