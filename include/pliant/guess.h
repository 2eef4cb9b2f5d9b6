/// Pliant-scene, guesses: a scene for a mesh about which nothing else is known.
///
/// The scene contains cloth that hangs or falls, a shell that stands, or a balloon. The parameters are computed from the shape of
/// the mesh such that the object carries its own weight.
///
///     pli_guess_def def = pli_guess_def_default();
///     def.file = "head.obj", def.name = "head";
///     pli_guess guess;
///     char *scene;
///     if (pli_mesh_guess(mesh, &def, &guess, &scene, &error) != PLI_STATUS_OK) ...
///     puts(guess.reason);       // "a shell: it is open, and curved in two directions; it stands on its lowest points"
///     pli_text_release(scene);  // the text of a scene, for pli_scene_load or for a file
///
/// The command line (`pliant new`, `pliant run MESH`), the window, the web page and the Blender add-on all start with this
/// function.
#ifndef PLIANT_GUESS_H
#define PLIANT_GUESS_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of object that a mesh may represent.
typedef enum pli_guess_kind {
    PLI_GUESS_AUTO = 0, ///< Chosen from the shape of the mesh.
    PLI_GUESS_CLOTH,    ///< Cloth hangs from its upper border, or falls; flat cloth falls over a ball.
    PLI_GUESS_SHELL,    ///< A shell stands on its lowest points and keeps its shape.
    PLI_GUESS_BALLOON,  ///< A balloon is a shell that also keeps its volume. A round balloon falls and bounces.
    PLI_GUESS_KIND_COUNT
} pli_guess_kind;

/// Facts that the caller knows in addition to the mesh, and choices that the guess must respect.
typedef struct pli_guess_def {
    pli_guess_kind kind; ///< Default PLI_GUESS_AUTO.
    /// Length of one mesh unit in metres, 1e-6..1e6, or 0. Gravity is 9.81 m/s2 converted to these units. Default 0: chosen from
    /// the largest extent of the mesh. It is 1 for 0.03 to 30 mesh units, 0.01 above 30, 0.001 above 3000 and 100 below 0.03.
    double unit;
    double frame;        ///< Length of a frame [s], 1e-5..10, which substeps divide. Default 1/60.
    bool z_up;           ///< The z axis points up. Default false: the y axis.
    bool ground;         ///< The scene has a ground plane below the mesh. Default true.
    const char *file;    ///< Mesh file for the scene; NULL: the application provides the mesh under `name`.
    const char *name;    ///< Title of the scene and name of the deformable. Default NULL: "mesh".
    float scale;         ///< Factor by which the mesh was scaled when the file was read, > 0. Default 1.
    bool weld, repair;   ///< Whether the mesh was welded and repaired when the file was read. Default false.
    const int32_t *pins; ///< [pin_count] vertices to pin; NULL: the guess chooses them.
    int32_t pin_count;
} pli_guess_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_guess_def pli_guess_def_default(void);

/// The result: measured, chosen and computed values. Lengths are in mesh units, which are metres unless `unit` differs from 1.
typedef struct pli_guess {
    pli_guess_kind kind; ///< Never PLI_GUESS_AUTO.
    double unit;         ///< Length of one mesh unit in metres.
    pli_vec3 extents;    ///< Side lengths of the bounding box.
    float edge;          ///< Mean edge length.
    int32_t vertex_count, piece_count;
    bool closed, flat; ///< closed: no piece has a border. flat: all faces lie in one plane.
    double curvature; ///< Integral of the Gaussian curvature inside the borders, over 2 pi: 2 for a ball, 1 for a bowl.
    double opening;   ///< Area of discs with the perimeters of the borders, over the area of the mesh: 0 if closed.
    double density, thickness, rigidity; ///< Values in the scene [kg/m2, m, N m].
    int32_t substeps;                    ///< Substeps per frame.
    bool plate;                          ///< true: a plate solves bending. false: sweeps project bending.
    int32_t pin_count;                   ///< Number of pinned vertices.
    int32_t join_count;                  ///< Number of constraints that join the pieces of the mesh.
    float ground;                        ///< Height of the ground plane.
    char reason[160];                    ///< One line: the kind, and the reason for it.
} pli_guess;

/// Guesses how to simulate a mesh. `scene` receives the text of a scene, which the caller frees with pli_text_release; it may be
/// NULL. The rigidity is 6 d g L^3, with density d, gravity g and largest extent L: a strip of length L then bends by 2 % of L
/// under its own weight. Cloth has the rigidity of a strip of length L / 50. A shell that is curved in two directions needs a
/// tenth, 0.6 d g L^3. Balloons, and shells of more than 20000 vertices, have at most the rigidity that sweeps can resolve. Errors:
/// INVALID_ARGUMENT for a mesh without triangles, for values out of range, and for the kind balloon if the mesh has no closed
/// piece; OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_guess(const pli_mesh *mesh, const pli_guess_def *def, pli_guess *guess, char **scene,
                                  pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
