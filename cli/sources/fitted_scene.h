// Creates a scene for a mesh file, with values that suit its size and its edges.
#ifndef PLI_CLI_FITTED_SCENE_H
#define PLI_CLI_FITTED_SCENE_H

#include "frame/options.h"

#include <pliant/guess.h>
#include <pliant/mesh_attributes.h>
#include <pliant/mesh_file.h>

typedef struct pli_cli_fitted_def {
    const char *mesh;       // Path of the mesh file.
    const char *named;      // The path that the scene will contain.
    pli_guess_kind kind;    // As in pli_guess_def.
    float scale;            // Factor on its positions, above 0.
    bool scaled;            // The factor was given, so that the result is in metres.
    bool weld;              // As in the scene's mesh.
    bool refuse;            // Reject a non-manifold mesh instead of repairing it.
    bool quiet;             // Do not report the import and repairs.
    float pin_top;          // Fraction of the height, from the top, that is pinned; 0 for none.
    const char *pin_groups; // Groups of pinned vertices, separated by commas; null for none.
    const char *pin_map;    // Painted values; vertices with 0.5 or more are pinned; null for none.
    bool ground;            // Add a plane under the mesh.
} pli_cli_fitted_def;

typedef struct pli_cli_fitted {
    char *scene; // Text of the scene, to be released with pli_text_release.
    pli_guess guess;
    char repair[300]; // Description of the repair; empty if there was none.
} pli_cli_fitted;

// "auto", "cloth", "shell", "balloon", null: the choices of --as.
const char *pli_cli_guess_choice(int32_t i);
// The kind for an option with these choices.
pli_guess_kind pli_cli_guess_kind(const pli_cli_arguments *arguments, int32_t option);
#define PLI_CLI_OPTION_AS                                                                                              \
    {                                                                                                                  \
        .name = "as", .kind = PLI_CLI_CHOICE, .value = "KIND", .choice = pli_cli_guess_choice,                         \
        .summary = "What a mesh is taken for (default: auto, by its shape)"                                            \
    }

// Whether the path has the extension of a mesh format that pli_mesh_read reads.
bool pli_cli_is_mesh_file(const char *path);
// Reads the mesh and creates the scene.
pli_status pli_cli_fitted_make(const pli_cli_fitted_def *def, pli_cli_fitted *fitted, pli_error *error);
// Creates a scene for a mesh with the usual values, and writes it into `folder` (null: out/ and its name) under the mesh's name. The
// scene can be edited and run again; it contains the absolute path of the mesh. Reports repairs of the mesh and its assumed kind unless
// `quiet`. `path` gets the scene's path, to be freed, also on failure.
pli_status pli_cli_fitted_for(const char *mesh, const char *folder, pli_guess_kind kind, bool quiet, char **path,
                              pli_error *error);
// Writes the scene with indentation, through a temporary name.
pli_status pli_cli_fitted_write(const pli_cli_fitted *fitted, const char *path, pli_error *error);

#endif
