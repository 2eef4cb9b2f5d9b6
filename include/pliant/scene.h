/// Pliant-scene, scenes: loads and validates scene files (JSON), creates worlds, and steps them frame by frame.
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

/// A loaded scene; opaque.
typedef struct pli_scene pli_scene;

/// An error or warning about a scene, with its location in the file.
typedef struct pli_scene_diagnostic {
    int32_t line, column; ///< Counted from 1; 0 if the diagnostic has no location.
    bool warning;         ///< False for an error, which makes the scene unusable.
    char path[200];       ///< Path of the value, such as "deformables[0].constraints[1].kappa".
    char text[400];       ///< The error and how to fix it.
} pli_scene_diagnostic;

/// A mesh of the application, which scenes use as "mesh": {"name": "cape"}. This struct does not grow in future versions.
typedef struct pli_scene_host_mesh {
    const char *name;
    const pli_mesh *mesh; ///< The scene takes its own reference.
} pli_scene_host_mesh;

/// How a scene is loaded, and where diagnostics are written.
typedef struct pli_scene_load_def {
    /// The scene file. File names in the scene are relative to its folder. If `text` is given, `path` supplies only this folder
    /// and the name of the scene in messages, and may be NULL.
    const char *path;
    const char *const *overrides; ///< "path=value" overrides, as for --set; values are JSON or bare words.
    int32_t override_count;
    bool allow_outside;   ///< Allows files outside the folder of the scene. Default false.
    int32_t vertex_limit; ///< Limit on the total number of vertices from the scene's generators. Default 4 million.
    pli_scene_diagnostic *diagnostics; ///< Array that receives the diagnostics; may be NULL.
    int32_t diagnostic_capacity;       ///< Number of elements of `diagnostics`.
    int32_t *diagnostic_count; ///< Receives the number of all diagnostics, which may exceed the capacity; may be NULL.
    pli_hooks hooks;
    const char *text;                  ///< JSON text of the scene; NULL: read the file `path`.
    size_t text_size;                  ///< Bytes of `text`.
    const pli_file_source *files;      ///< Source of the scene and of its files; NULL means the disk.
    const pli_scene_host_mesh *meshes; ///< Meshes that the scene may use by name.
    int32_t mesh_count;
    /// [plugin_count] plugins with types and generators that the scene may use, from pli_plugin_open or from the application; or
    /// NULL. The array is borrowed for the call. The plugins must outlive the scene and its worlds.
    const pli_plugin_table *const *plugins;
    int32_t plugin_count;
} pli_scene_load_def;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_scene_load_def pli_scene_load_def_default(void);
/// Reads and checks a scene without creating a world. The caller owns the scene. All diagnostics are collected; `error` receives the
/// first error. Errors: FILE, PARSE, INVALID_ARGUMENT, NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_scene_load(const pli_scene_load_def *def, pli_scene **scene, pli_error *error);
/// Destroys a scene; NULL is allowed. Worlds that were created from it are not affected.
PLI_API void pli_scene_destroy(pli_scene *scene);

/// Returns the mesh of deformable i as read or generated; NULL if i is out of range. Borrowed from the scene.
PLI_API const pli_mesh *pli_scene_mesh(const pli_scene *scene, int32_t deformable);
/// Returns the attributes from the mesh file of deformable i; NULL if its mesh does not come from a file. Borrowed from the scene.
PLI_API const pli_mesh_attributes *pli_scene_mesh_attributes(const pli_scene *scene, int32_t deformable);

/// Values of pli_scene_view.follow other than the index of a deformable.
#define PLI_SCENE_FOLLOW_NONE (-1) ///< The camera follows nothing.
#define PLI_SCENE_FOLLOW_ALL (-2)  ///< The camera follows the centre of all deformables.

/// View settings of the scene. Defaults replace settings that the scene does not give.
typedef struct pli_scene_view {
    bool fitted;           ///< The scene gives no camera: fit it to the objects.
    pli_vec3 eye, target;  ///< [m]
    float field_of_view;   ///< Vertical [degrees].
    pli_vec3 up;           ///< Up axis of the scene; a unit vector.
    int32_t width, height; ///< [pixels]
    bool ground;           ///< Draw a ground with shadows at `ground_height` [m] along up.
    float ground_height;
    bool wireframe;
    int32_t measure;                        ///< The pli_measure that is shown as colours, or -1.
    float measure_minimum, measure_maximum; ///< Range of the legend; automatic if both are equal.
    pli_vec3 background;                    ///< Linear 0..1.
    /// Index of the deformable that eye and target follow; its centre is the mean of its vertices. Or PLI_SCENE_FOLLOW_NONE or
    /// PLI_SCENE_FOLLOW_ALL.
    int32_t follow;
    float orbit; ///< Rotation of the eye about the target and up [degrees/s], counterclockwise as seen from above.
    /// A fitted camera frames the motion in the entire run, as far as it is known, instead of the start.
    bool fits_run;
    int32_t floor;            ///< A pli_render_floor.
    float azimuth, elevation; ///< Direction of a fitted camera [degrees], see pli_camera_get_fit.
    float shutter; ///< Fraction of the time between frames in which the shutter is open, see pli_render_frame.
} pli_scene_view;

/// The appearance of one deformable, which the key `look` of the scene sets. Colours are linear 0..1.
typedef struct pli_scene_look {
    pli_vec3 front, back; ///< Colours of the two sides.
    bool flat;            ///< Flat shading.
    int32_t pattern;      ///< A pli_render_pattern: 0 none, 1 squares, 2 stripes.
    float pattern_size;   ///< Width of a square or stripe [m].
    float weave;          ///< Distance between threads [m]; 0 for none.
    float sheen;          ///< Strength of the light that fibres scatter at the outline, 0..1.
    float gloss;          ///< Strength of the highlight, 0..1.
    float transmission;   ///< Fraction of the light from behind that is transmitted, 0..1.
    const uint8_t *image; ///< Pixels as in pli_render_image, or NULL. Borrowed from the scene.
    int32_t image_width, image_height;
    const uint8_t *back_image; ///< As image, but for the back only.
    int32_t back_image_width, back_image_height;
    float thickness;      ///< Drawn thickness [m]; 0 for none.
    pli_vec3 rim;         ///< Colour of the rim if the look has a hem or no parts.
    float hem;            ///< Width of the hem along the border [m]; 0 for none.
    pli_vec3 hem_colour;  ///< Colour of the hem.
    float seam;           ///< Width of the seams where parts meet [m]; 0 for none.
    pli_vec3 seam_colour; ///< Colour of the seams.
} pli_scene_look;

/// Flags of triangle edges, with the values of PLI_RENDER_HEM and PLI_RENDER_SEAM.
typedef enum pli_scene_edge {
    PLI_SCENE_EDGE_NONE = 0, ///< Neither hem nor seam.
    PLI_SCENE_EDGE_HEM = 1,  ///< An edge on the border.
    PLI_SCENE_EDGE_SEAM = 2  ///< An edge between two parts, or between a part and a face in no part.
} pli_scene_edge;

/// Returns the title of the scene; borrowed from the scene.
PLI_API const char *pli_scene_title(const pli_scene *scene);
PLI_API int32_t pli_scene_frame_count(const pli_scene *scene);
PLI_API double pli_scene_frames_per_second(const pli_scene *scene);
PLI_API pli_scene_view pli_scene_get_view(const pli_scene *scene);
PLI_API pli_scene_look pli_scene_get_look(const pli_scene *scene, int32_t deformable);
/// Writes the front colours of the faces, for a look with parts: 3 numbers, linear 0..1, for each face of the mesh of deformable i. A
/// face in no part gets the front colour of the look. Returns false and writes nothing if the look has no parts.
PLI_API bool pli_scene_face_colours(const pli_scene *scene, int32_t deformable, float *colours);
/// Writes the back colours of the faces, in the same layout. A face gets the back colour of its part, or the colour of the part darkened
/// if it gives none. A face in no part gets the back colour of the look. Returns false and writes nothing if no part gives a back
/// colour.
PLI_API bool pli_scene_back_colours(const pli_scene *scene, int32_t deformable, float *colours);
/// Writes the hems and seams of deformable i in the layout of pli_render_detail.edges: a pli_scene_edge for each corner of each triangle of
/// its mesh (pli_topology), for the edge from this corner to the next corner of the triangle. Returns false and writes nothing if the
/// deformable has no mesh or memory runs out.
PLI_API bool pli_scene_look_edges(const pli_scene *scene, int32_t deformable, uint8_t *edges);
/// Writes the texture coordinates of the images on deformable i, in the layout of pli_render_image.coordinates: u and v for each corner of
/// each triangle of the mesh (pli_topology), six numbers per triangle. Returns false and writes nothing if the look has neither an
/// image nor a back_image.
PLI_API bool pli_scene_image_coordinates(const pli_scene *scene, int32_t deformable, float *coordinates);
/// Returns the colour of collider i of the world, linear 0..1. The shapes of rigid bodies come first, then the colliders of the scene.
PLI_API pli_vec3 pli_scene_collider_colour(const pli_scene *scene, int32_t collider);
/// Whether collider i is drawn (infinite planes are drawn as the ground).
PLI_API bool pli_scene_collider_visible(const pli_scene *scene, int32_t collider);
/// Returns the transparency of collider i, 0..1; meshes are opaque.
PLI_API float pli_scene_collider_transparency(const pli_scene *scene, int32_t collider);
/// Whether a mesh collider is drawn with flat shading, one shade per face.
PLI_API bool pli_scene_collider_flat(const pli_scene *scene, int32_t collider);
/// Whether a deformable of the scene can tear. Only output formats with `variable_topology` can record tearing.
PLI_API bool pli_scene_tears(const pli_scene *scene);
/// Returns the number of output formats that the scene requests; 0 if it requests none.
PLI_API int32_t pli_scene_format_count(const pli_scene *scene);
/// Returns the name of output format i; NULL if i is out of range. Borrowed from the scene.
PLI_API const char *pli_scene_format(const pli_scene *scene, int32_t i);

/// An entry of the section "probes": a quantity of a deformable that a run reports. Texts are borrowed from the scene.
typedef struct pli_scene_probe {
    const char *name;
    const char *deformable; ///< Name of the deformable; null: the first deformable.
    const char *measure;    ///< "position", "bounds", "area", "volume", "curvature" or "energy".
    int32_t vertex;         ///< The vertex that "position" reports.
} pli_scene_probe;

PLI_API int32_t pli_scene_probe_count(const pli_scene *scene);
/// Gets probe i, 0..count-1; all fields are zero if i is out of range.
PLI_API pli_scene_probe pli_scene_get_probe(const pli_scene *scene, int32_t i);

/// The section "expect": limits that a run of the scene must satisfy. Limits that the scene does not give are infinite, or -1.
typedef struct pli_scene_expect {
    int32_t intersection_count; ///< Upper limit of intersecting triangle pairs in any frame; -1: no limit.
    int32_t end_count;          ///< Number of objects with limits for the last frame; see pli_scene_get_end.
    double stretch;             ///< Upper limit of edge stretch in any frame, as a fraction of the rest length.
    double stretch_p99;    ///< Upper limit of the 99th percentile of edge stretch of each deformable in the last frame.
    double kinetic_energy; ///< Upper limit of the total kinetic energy of all deformables in the last frame [J].
    double stretch_end;    ///< Upper limit of edge stretch of each deformable in the last frame.
    /// Upper limit of the fraction of stuck particles in any frame (pli_statistics.stuck); INFINITY: no limit.
    double stuck;
} pli_scene_expect;

/// Limits for one object in the last frame of the scene: for all vertices of a deformable, or for the centre of a rigid body.
typedef struct pli_scene_end {
    const char *name;          ///< Name of the deformable or rigid body; borrowed from the scene.
    pli_vec3 minimum, maximum; ///< Box that must contain it [m]; infinite where the scene gives no limit.
    /// Volume of a closed deformable divided by its volume at the start; 0 and infinite if the scene gives no limit.
    double volume_minimum, volume_maximum;
} pli_scene_end;

PLI_API pli_scene_expect pli_scene_get_expect(const pli_scene *scene);
/// Gets end i, 0..end_count-1; all fields are zero if i is out of range.
PLI_API pli_scene_end pli_scene_get_end(const pli_scene *scene, int32_t i);

/// Returns a 64-bit hash of the contents of the scene, including settings and meshes. A checkpoint can be used only with a scene of
/// the same hash.
PLI_API uint64_t pli_scene_hash(const pli_scene *scene);

/// Overrides for creating a world from a scene.
typedef struct pli_scene_world_def {
    int32_t thread_count; ///< Number of threads; 0: the value of the scene.
    pli_simd simd;
    const void *cooked;   ///< Data from pli_world_cooked_write for this scene, used instead of cooking; or null.
    uint64_t cooked_size; ///< Bytes of `cooked`.
    pli_hooks hooks;
    pli_task_hooks tasks;
} pli_scene_world_def;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_scene_world_def pli_scene_world_def_default(void);
/// Creates the world of a scene in its start state. The caller owns the world, which may outlive the scene.
PLI_API pli_status pli_scene_create_world(const pli_scene *scene, const pli_scene_world_def *def, pli_world **world,
                                          pli_error *error);
/// Sets the poses and keyframed parameters for the step from `frame` to `frame` + 1, and steps the world, which must come from
/// pli_scene_create_world with this scene. Frame 0 is the start.
PLI_API pli_status pli_scene_step(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error);

/// Call this function before you restore a snapshot of `frame`. It destroys the attachments that the scene has released by that
/// frame. During a run, pli_scene_step destroys them.
PLI_API pli_status pli_scene_seek(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error);

/// Returns the JSON Schema of scenes, generated from the tables that pli_scene_load validates with. The caller frees it with
/// pli_text_release. NULL if memory runs out.
PLI_API char *pli_scene_schema(void);
/// Returns the reference of all keys as Markdown, generated from the same tables. The caller frees it with pli_text_release.
PLI_API char *pli_scene_reference(void);

#ifdef __cplusplus
}
#endif

#endif
