/// Pliant-scene, scenes. Scene files (JSON): load and validate, create a world, step it frame by frame.
///
///     pli_scene_load_def load = pli_scene_load_def_default();
///     load.path = "flag.json";
///     pli_scene *scene;
///     if (pli_scene_load(&load, &scene, &error) != PLI_STATUS_OK) ...        // "flag.json:7:12: ..."
///     pli_scene_world_def def = pli_scene_world_def_default();
///     pli_world *world;
///     pli_scene_create_world(scene, &def, &world, &error);
///     for (int32_t frame = 0; frame < pli_scene_frame_count(scene); frame++)
///         pli_scene_step(scene, world, frame, &error);
///     pli_world_destroy(world);
///     pli_scene_destroy(scene);
///
/// docs/scene-format.md lists every key.
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include "file_source.h"
#include "mesh_attributes.h"
#include "plugin.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_scene pli_scene;

/// A diagnostic with its location in the file.
typedef struct pli_scene_diagnostic {
    int32_t line, column; ///< From 1; 0 when the finding has no place.
    bool warning;         ///< False for errors, which make the scene unusable.
    char path[200];       ///< Such as "deformables[0].constraints[1].kappa".
    char text[400];       ///< The error and how to fix it.
} pli_scene_diagnostic;

/// A mesh of the host, which scenes use as "mesh": {"name": "cape"}. This struct does not grow.
typedef struct pli_scene_host_mesh {
    const char *name;
    const pli_mesh *mesh; ///< The scene takes a reference of its own.
} pli_scene_host_mesh;

/// Which parts of a scene are loaded, and where diagnostics go.
typedef struct pli_scene_load_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    /// Scene file; file names inside are relative to its folder. With `text` it only names the scene in messages, and
    /// the folder; it may then be NULL.
    const char *path;
    const char *const *overrides; ///< "path=value" overrides, as of --set; values are JSON or bare words.
    int32_t override_count;
    bool allow_outside;   ///< Files outside the scene's folder may be read. Default false.
    int32_t vertex_limit; ///< Most vertices that the scene's generators may make together. Default 4 million.
    pli_scene_diagnostic *diagnostics; ///< Room for findings; may be NULL.
    int32_t diagnostic_capacity;
    uint32_t diagnostic_size;  ///< Bytes of a pli_scene_diagnostic as the caller knows it; set by the default function.
    int32_t *diagnostic_count; ///< How many findings there are, also beyond the capacity; may be NULL.
    pli_hooks hooks;
    const char *text;                  ///< The scene itself, taken instead of reading `path`; NULL: read it.
    size_t text_size;                  ///< Bytes of `text`.
    const pli_file_source *files;      ///< Where the scene and the files that it names come from; NULL is the disk.
    const pli_scene_host_mesh *meshes; ///< Meshes that the scene may use by name.
    int32_t mesh_count;
    /// [plugin_count] plugins whose types and generators the scene may use, of pli_plugin_open or of the host's own making; or NULL. The array
    /// is borrowed for the call, the plugins as long as the scene and its worlds are there.
    const pli_plugin_table *const *plugins;
    int32_t plugin_count;
} pli_scene_load_def;

/// Fills `size` bytes of a definition with its defaults; see pli_scene_load_def_default.
PLI_API void pli_scene_load_def_init(pli_scene_load_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_scene_load_def pli_scene_load_def_default(void)
{
    pli_scene_load_def def;
    pli_scene_load_def_init(&def, sizeof def);
    def.diagnostic_size = sizeof(pli_scene_diagnostic);
    return def;
}
/// Reads and checks a scene without making a world. All findings are collected, not only the
/// first; the error carries the first. Errors: FILE, PARSE, INVALID_ARGUMENT, NOT_FOUND.
PLI_API pli_status pli_scene_load(const pli_scene_load_def *def, pli_scene **scene, pli_error *error);
PLI_API void pli_scene_destroy(pli_scene *scene);

/// The mesh of deformable i, as it was read or made; NULL when out of range. Borrowed from the scene.
PLI_API const pli_mesh *pli_scene_mesh(const pli_scene *scene, int32_t deformable);
/// Attributes that the mesh's file gives beside its shape; NULL when it came from no file. Borrowed from the scene.
PLI_API const pli_mesh_attributes *pli_scene_mesh_attributes(const pli_scene *scene, int32_t deformable);

/// A camera follows one of these, or a deformable by its number.
#define PLI_SCENE_FOLLOW_NONE (-1) ///< Nothing.
#define PLI_SCENE_FOLLOW_ALL (-2)  ///< The centre of all deformables.

/// View settings of the scene, with defaults filled in.
typedef struct pli_scene_view {
    bool fitted;           ///< The camera is not given: fit it to the objects.
    pli_vec3 eye, target;  ///< [m]
    float field_of_view;   ///< Vertical [degrees].
    pli_vec3 up;           ///< Unit; the scene's up axis.
    int32_t width, height; ///< [pixels]
    bool ground;           ///< Draw a ground with shadow at `ground_height` [m] along up.
    float ground_height;
    bool wireframe;
    int32_t measure;                        ///< A pli_measure to colour by, or -1.
    float measure_minimum, measure_maximum; ///< Range of the legend; equal means automatic.
    pli_vec3 background;                    ///< Linear 0..1.
    int32_t
        follow; ///< Deformable whose centre, the mean of its vertices, eye and target move with; or PLI_SCENE_FOLLOW_NONE or _ALL.
    float orbit; ///< The eye turns about the target and up [degrees/s], counterclockwise as seen from above.
    bool
        fits_run; ///< A fitted camera takes in what moves in all frames, as far as they are known, instead of the start.
} pli_scene_view;

/// Looks of one deformable. Colours are linear 0..1, of its two sides.
typedef struct pli_scene_look {
    pli_vec3 front, back;
    bool flat;            ///< Flat shading.
    int32_t pattern;      ///< 0 none, 1 squares, 2 stripes: the values of pli_render_pattern.
    float pattern_size;   ///< Width of a square or stripe [m].
    float weave;          ///< Distance of the threads [m]; 0 for none.
    float sheen;          ///< Strength of the light that fibres scatter at the outline, 0..1.
    float gloss;          ///< Strength of the highlight, 0..1.
    float transmission;   ///< Share of the light from behind, 0..1.
    const uint8_t *image; ///< Image on it, as that of a pli_render_image, or NULL. Borrowed from the scene.
    int32_t image_width, image_height;
    const uint8_t *back_image; ///< As image, on the back alone.
    int32_t back_image_width, back_image_height;
    float thickness;      ///< Drawn thickness [m]; 0 for none.
    pli_vec3 rim;         ///< Colour of its rim where the look has a hem or no parts.
    float hem;            ///< Width of the hem along the border [m]; 0 for none.
    pli_vec3 hem_colour;  ///< Colour of the hem.
    float seam;           ///< Width of the seams where parts meet [m]; 0 for none.
    pli_vec3 seam_colour; ///< Colour of the seams.
} pli_scene_look;

/// Edges of a look, as bits of the value of PLI_RENDER_HEM and PLI_RENDER_SEAM.
typedef enum pli_scene_edge {
    PLI_SCENE_EDGE_NONE = 0, ///< Neither.
    PLI_SCENE_EDGE_HEM = 1,  ///< An edge of the border.
    PLI_SCENE_EDGE_SEAM = 2, ///< Two parts meet there, or a part and what is in none.
    PLI_SCENE_EDGE_FORCE_32 = PLI_FORCE_32
} pli_scene_edge;

PLI_API const char *pli_scene_title(const pli_scene *scene);
PLI_API int32_t pli_scene_frame_count(const pli_scene *scene);
PLI_API double pli_scene_frames_per_second(const pli_scene *scene);
PLI_API void pli_scene_get_view_sized(const pli_scene *scene, pli_scene_view *view, size_t size);
static inline pli_scene_view pli_scene_get_view(const pli_scene *scene)
{
    pli_scene_view view;
    pli_scene_get_view_sized(scene, &view, sizeof view);
    return view;
}
PLI_API void pli_scene_get_look_sized(const pli_scene *scene, int32_t deformable, pli_scene_look *look, size_t size);
static inline pli_scene_look pli_scene_get_look(const pli_scene *scene, int32_t deformable)
{
    pli_scene_look look;
    pli_scene_get_look_sized(scene, deformable, &look, sizeof look);
    return look;
}
/// Colours of faces, for looks by part: writes three numbers, linear 0..1, for each face of deformable i's mesh, that of the look's
/// front where no part has the face. False, with nothing written, when the look has no parts.
PLI_API bool pli_scene_face_colours(const pli_scene *scene, int32_t deformable, float *colours);
/// The same of the faces' backs: that of the part, or its colour darker; the look's back where no part has the face. False, with nothing written, when no
/// part says a colour of its back.
PLI_API bool pli_scene_back_colours(const pli_scene *scene, int32_t deformable, float *colours);
/// Hems and seams of deformable i: writes a pli_scene_edge for each corner of each triangle of its mesh (pli_topology), about the edge from it to the
/// triangle's next corner, as a pli_render_trim has them. False, with nothing written, when it has no mesh or memory runs out.
PLI_API bool pli_scene_look_edges(const pli_scene *scene, int32_t deformable, uint8_t *edges);
/// Where the look's images are on deformable i: writes u and v for each corner of each triangle of its mesh (pli_topology), six numbers a triangle, as a
/// pli_render_image has them. False, with nothing written, when the look has no image and no back_image.
PLI_API bool pli_scene_image_coordinates(const pli_scene *scene, int32_t deformable, float *coordinates);
/// Colour of the world's collider i, linear 0..1. The shapes of bodies come first, then the scene's colliders.
PLI_API pli_vec3 pli_scene_collider_colour(const pli_scene *scene, int32_t collider);
/// Whether collider i is drawn (infinite planes are drawn as the ground).
PLI_API bool pli_scene_collider_visible(const pli_scene *scene, int32_t collider);
/// How much one sees through collider i, 0..1; meshes are opaque.
PLI_API float pli_scene_collider_transparency(const pli_scene *scene, int32_t collider);
/// Whether the faces of a mesh collider are drawn with one shade each.
PLI_API bool pli_scene_collider_flat(const pli_scene *scene, int32_t collider);
/// Whether any deformable of the scene tears: only formats with `variable_topology` can record it.
PLI_API bool pli_scene_tears(const pli_scene *scene);
/// Output formats the scene asks for, by name; empty when it does not say.
PLI_API int32_t pli_scene_format_count(const pli_scene *scene);
PLI_API const char *pli_scene_format(const pli_scene *scene, int32_t i);

/// An item of the section "probes": a quantity of a deformable that a run reports. Texts are borrowed from the scene.
typedef struct pli_scene_probe {
    const char *name;
    const char *deformable; ///< Its name; null: the first one.
    const char *measure;    ///< "position", "bounds", "area", "volume", "curvature" or "energy".
    int32_t vertex;         ///< The vertex whose position it is.
} pli_scene_probe;

PLI_API int32_t pli_scene_probe_count(const pli_scene *scene);
/// Probe i, 0..count-1; all zero when out of range.
PLI_API void pli_scene_get_probe_sized(const pli_scene *scene, int32_t i, pli_scene_probe *probe, size_t size);
static inline pli_scene_probe pli_scene_get_probe(const pli_scene *scene, int32_t i)
{
    pli_scene_probe probe;
    pli_scene_get_probe_sized(scene, i, &probe, sizeof probe);
    return probe;
}

/// The section "expect": limits that a run of the scene must keep. Limits that it does not say are infinite, or -1.
typedef struct pli_scene_expect {
    int32_t intersection_count; ///< Most pairs of triangles that intersect in any frame; -1: not said.
    int32_t end_count;          ///< Objects whose places in the last frame are said: pli_scene_get_end.
    double stretch;             ///< Largest stretch of an edge in any frame, as a share of its rest length.
    double stretch_p99;         ///< Stretch that 99 of 100 edges of each deformable are below in the last frame.
    double kinetic_energy;      ///< Largest of all deformables in the last frame [J].
    double stretch_end;         ///< Largest stretch of an edge of each deformable in the last frame.
    double
        stuck; ///< Largest fraction of stuck particles in any frame (pli_statistics.stuck); INFINITY when not expected.
} pli_scene_expect;

/// Where a deformable, with every vertex, or a body, with its centre, must be in the last frame of the scene.
typedef struct pli_scene_end {
    const char *name;          ///< The deformable's or body's; borrowed from the scene.
    pli_vec3 minimum, maximum; ///< Box that holds it [m]; infinite where the scene does not say.
    /// Volume of a closed deformable, over that at the start; 0 and infinite where the scene does not say.
    double volume_minimum, volume_maximum;
} pli_scene_end;

PLI_API void pli_scene_get_expect_sized(const pli_scene *scene, pli_scene_expect *expect, size_t size);
static inline pli_scene_expect pli_scene_get_expect(const pli_scene *scene)
{
    pli_scene_expect expect;
    pli_scene_get_expect_sized(scene, &expect, sizeof expect);
    return expect;
}
/// End i, 0..end_count-1; all zero when out of range.
PLI_API void pli_scene_get_end_sized(const pli_scene *scene, int32_t i, pli_scene_end *end, size_t size);
static inline pli_scene_end pli_scene_get_end(const pli_scene *scene, int32_t i)
{
    pli_scene_end end;
    pli_scene_get_end_sized(scene, i, &end, sizeof end);
    return end;
}

/// 64-bit hash of the scene's content with its settings and meshes: a checkpoint belongs to one.
PLI_API uint64_t pli_scene_hash(const pli_scene *scene);

/// Overrides for creating a world from a scene.
typedef struct pli_scene_world_def {
    uint32_t size;        ///< Bytes of this struct; set by the default function.
    uint32_t cookie;      ///< Set by the default function.
    int32_t thread_count; ///< 0: as the scene says.
    pli_simd simd;
    const void *cooked;   ///< Written by pli_world_cooked_write for this scene, taken instead of cooking; or null.
    uint64_t cooked_size; ///< Bytes.
    pli_hooks hooks;
    pli_task_hooks tasks;
} pli_scene_world_def;

/// Fills `size` bytes of a definition with its defaults; see pli_scene_world_def_default.
PLI_API void pli_scene_world_def_init(pli_scene_world_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_scene_world_def pli_scene_world_def_default(void)
{
    pli_scene_world_def def;
    pli_scene_world_def_init(&def, sizeof def);
    return def;
}
/// Makes the world of a scene at its start. The caller owns it; it may outlive the scene.
PLI_API pli_status pli_scene_create_world(const pli_scene *scene, const pli_scene_world_def *def, pli_world **world,
                                          pli_error *error);
/// Sets the poses and keyframed parameters for the step from `frame` to `frame` + 1, and steps.
/// `world` must come from this scene. Frame 0 is the start.
PLI_API pli_status pli_scene_step(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error);

/// Before restoring a snapshot of `frame`: destroys the attachments that the scene has released by then.
/// pli_scene_step does so as it goes.
PLI_API pli_status pli_scene_seek(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error);

/// The JSON Schema of scenes, made from the same tables as the check; the caller gives it to pli_text_release. NULL
/// when memory runs out.
PLI_API char *pli_scene_schema(void);
/// The reference of all keys as Markdown, from the same tables; the caller gives it to pli_text_release.
PLI_API char *pli_scene_reference(void);

#ifdef __cplusplus
}
#endif

#define PLIANT_OLD_NAMES_OF_SCENE // For one version.
#include "deprecated.h"

#endif
