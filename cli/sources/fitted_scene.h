// A scene for a mesh file, with values that fit its size and its edges.
#ifndef PLI_CLI_FITTED_SCENE_H
#define PLI_CLI_FITTED_SCENE_H

#include "frame/options.h"

#include <pliant/guess.h>
#include <pliant/mesh_attributes.h>
#include <pliant/mesh_file.h>

typedef struct pli_cli_fitted_def {
    const char *mesh;       // Path of the mesh file.
    const char *named;      // The path as the scene will have it.
    pli_guess_kind kind;    // As of pli_guess_def.
    float scale;            // Factor on its positions, above 0.
    bool scaled;            // The factor was given, so that the result is in metres.
    bool weld;              // As of the scene's mesh.
    bool refuse;            // Refuse a mesh that is not manifold instead of repairing it.
    bool quiet;             // Without a word of what importing and repairing did.
    float pin_top;          // Share of the height that is pinned from the top on; 0 for none.
    const char *pin_groups; // Groups whose vertices are pinned, between commas; null for none.
    const char *pin_map;    // Painted values, of which vertices with half or more are pinned; null for none.
    bool ground;            // A plane under it.
} pli_cli_fitted_def;

typedef struct pli_cli_fitted {
    char *scene; // Its text, to be released with pli_text_release.
    pli_guess guess;
    char repair[300]; // Says how the mesh was repaired; empty where it was not.
} pli_cli_fitted;

// "auto", "cloth", "shell", "balloon", null: the choices of --as.
const char *pli_cli_guess_choice(int32_t i);
// The kind that an option of these choices gives.
pli_guess_kind pli_cli_guess_kind(const pli_cli_arguments *arguments, int32_t option);
#define PLI_CLI_OPTION_AS                                                                                              \
    {                                                                                                                  \
        .name = "as", .kind = PLI_CLI_CHOICE, .value = "KIND", .choice = pli_cli_guess_choice,                         \
        .summary = "What a mesh is taken for (default: auto, by its shape)"                                            \
    }

// Whether the path ends like a mesh file of one of the formats that pli_mesh_read reads.
bool pli_cli_is_mesh_file(const char *path);
// Reads the mesh and makes the scene.
pli_status pli_cli_fitted_make(const pli_cli_fitted_def *def, pli_cli_fitted *fitted, pli_error *error);
// Makes a scene for a mesh with the usual values, and writes it into `folder` (null: out/ and its name) under its name, from where it can be
// changed and run again; it names the mesh by its whole path. Says how the mesh was repaired, and what it is taken for, unless `quiet`. `path` gets the scene's path, to be freed, also on failure.
pli_status pli_cli_fitted_for(const char *mesh, const char *folder, pli_guess_kind kind, bool quiet, char **path,
                              pli_error *error);
// Writes the scene with indentation, through a temporary name.
pli_status pli_cli_fitted_write(const pli_cli_fitted *fitted, const char *path, pli_error *error);

#endif
