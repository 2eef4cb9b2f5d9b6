/// Pliant-scene, guesses. A scene for a mesh about which nothing else is known: cloth that hangs or falls over something, a shell that
/// stands, or a balloon, with values computed from its shape, so that it carries its own weight.
///
///     pli_guess_def def = pli_guess_def_default();
///     def.file = "head.obj", def.name = "head";
///     pli_guess guess;
///     char *scene;
///     if (pli_mesh_guess(mesh, &def, &guess, &scene, &error) != PLI_STATUS_OK) ...
///     puts(guess.reason);       // "a shell: it is open, and curved in two directions; it stands on its lowest points"
///     pli_text_release(scene);  // the text of a scene, for pli_scene_load or for a file
///
/// The command (`pliant new`, `pliant run MESH`), the window, the web page and the add-on for Blender all begin with this function.
#ifndef PLIANT_GUESS_H
#define PLIANT_GUESS_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of things that a mesh may be taken for.
typedef enum pli_guess_kind {
    PLI_GUESS_AUTO = 0, ///< Chosen by the shape.
    PLI_GUESS_CLOTH,    ///< It hangs from its upper border, or falls: over a ball when it is flat.
    PLI_GUESS_SHELL,    ///< It stands on its lowest points and keeps its shape.
    PLI_GUESS_BALLOON,  ///< A shell that keeps its volume as well. It falls and bounces when it is round.
    PLI_GUESS_KIND_COUNT,
    PLI_GUESS_KIND_FORCE_32 = PLI_FORCE_32
} pli_guess_kind;

/// "auto", "cloth", "shell", "balloon".
PLI_API const char *pli_guess_kind_name(pli_guess_kind kind);
PLI_API bool pli_guess_kind_from_name(const char *name, pli_guess_kind *kind);

/// Facts known beside the mesh, and choices made already.
typedef struct pli_guess_def {
    uint32_t size;       ///< Bytes of this struct; set by the default function.
    uint32_t cookie;     ///< Set by the default function.
    pli_guess_kind kind; ///< Default PLI_GUESS_AUTO.
    /// Metres in a unit of the mesh, 1e-6..1e6. Default 0: 1, but 0.01 or 0.001 above 30 units, and 100 below 0.03. Gravity is
    /// that of the earth in these units.
    double unit;
    double frame;      ///< Seconds of a frame, 1e-5..10, which substeps divide. Default 1/60.
    bool z_up;         ///< The z axis points up. Default false: the y axis.
    bool ground;       ///< A plane lies below. Default true.
    const char *file;  ///< File of the mesh as the scene names it; NULL: the scene names a mesh of the host, by `name`.
    const char *name;  ///< Title of the scene and name of the deformable. Default NULL: "mesh".
    float scale;       ///< Factor by which the mesh was scaled when the file was read, > 0. Default 1.
    bool weld, repair; ///< Whether it was welded and repaired then. Default false.
    const int32_t *pins; ///< Vertices to pin; NULL: those that the guess chooses.
    int32_t pin_count;
} pli_guess_def;

/// Fills `size` bytes of a definition with its defaults; see pli_guess_def_default.
PLI_API void pli_guess_def_init(pli_guess_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_guess_def pli_guess_def_default(void)
{
    pli_guess_def def;
    pli_guess_def_init(&def, sizeof def);
    return def;
}

/// The result: measures, choices and computed values. Lengths are in units of the mesh, which are metres unless `unit` differs from 1.
typedef struct pli_guess {
    pli_guess_kind kind; ///< Never PLI_GUESS_AUTO.
    double unit;         ///< Metres in a unit of the mesh.
    pli_vec3 extents;    ///< Sides of its bounding box.
    float edge;          ///< Mean length of edges.
    int32_t vertex_count, piece_count;
    bool closed, flat; ///< No piece has a border; all faces lie in one plane.
    double curvature;  ///< Integral of the Gaussian curvature inside of borders, over 2 pi: 2 for a ball, 1 for a bowl.
    double opening;    ///< Areas of discs with the perimeters of its borders, over its own area: 0 when closed.
    double density, thickness, rigidity; ///< As in the scene [kg/m2, m, N m].
    int32_t substeps;
    bool plate;         ///< Bending is solved; else swept.
    int32_t pin_count;  ///< Pinned vertices.
    int32_t join_count; ///< Constraints that join its pieces.
    float ground;       ///< Height of the plane below.
    char reason[160];   ///< One line: the kind, and why.
} pli_guess;

/// Guesses how a mesh is to be simulated. `scene` receives the text of a scene, for the caller to give to pli_text_release; it may be NULL. The rigidity
/// is 6 d g L^3, d being the density, g gravity and L the largest extent, with which a strip of the length L bends by 2 % of it under its own weight;
/// cloth has that of a strip of L / 50. Errors: INVALID_ARGUMENT for a mesh without triangles, for values out of range,
/// and for a balloon of a mesh that has no closed piece; OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_guess_sized(const pli_mesh *mesh, const pli_guess_def *def, pli_guess *guess, size_t size,
                                        char **scene, pli_error *error);
static inline pli_status pli_mesh_guess(const pli_mesh *mesh, const pli_guess_def *def, pli_guess *guess, char **scene,
                                        pli_error *error)
{
    return pli_mesh_guess_sized(mesh, def, guess, sizeof *guess, scene, error);
}

#ifdef __cplusplus
}
#endif
#endif
