/// Pliant-render: off-screen rendering of pictures, without a display, and video.
///
///     pli_renderer *renderer;
///     if (pli_renderer_create(960, 540, 8, &renderer, &error) != PLI_STATUS_OK) ...
///     pli_render_mesh mesh = {.mesh = faces, .positions = pli_deformable_positions(world, flag)};
///     pli_render_frame frame = pli_render_frame_default();
///     frame.camera = pli_camera_fit(low, high, (pli_vec3){0, 1, 0}, 960.0f / 540.0f);
///     frame.meshes = &mesh, frame.mesh_count = 1;
///     pli_renderer_draw(renderer, &frame, pixels, &error);
///     pli_image_write_png("flag.png", pixels, 960, 540, &error);
///     pli_renderer_destroy(renderer);
///
/// Use a renderer only on the thread that created it. Drawing makes the OpenGL context of the renderer current and leaves it
/// current. Renderers are independent of each other.
#ifndef PLIANT_RENDER_H
#define PLIANT_RENDER_H

#include "mesh.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_renderer pli_renderer;

/// A perspective camera.
typedef struct pli_camera {
    pli_vec3 eye, target, up; ///< [m]; up need not be a unit vector or perpendicular to the view.
    float field_of_view;      ///< Vertical [degrees], 1..170.
} pli_camera;

/// The direction from which a fitted camera looks by default [degrees].
#define PLI_CAMERA_AZIMUTH 28.0f
#define PLI_CAMERA_ELEVATION 12.0f

/// The linear colour of a value at t of the legend, from 0 at its minimum to 1 at its maximum.
PLI_API pli_vec3 pli_render_measure_colour(float t);

/// Computes a view that frames a box, with a field of view of 30 degrees. The corners of the box reach 94 % of the half-width or
/// half-height of the picture. The eye is at `azimuth` to the right of the front [degrees] and at `elevation` above the horizon
/// [degrees], limited to -89..89; values that are not finite are replaced by 0. The front is +z where y is up, and -y where z
/// is up. `up` need not be a unit vector; aspect is width divided by height. A box of zero or infinite size is replaced by a box of
/// one metre. An aspect that is not above 0 is replaced by 1.
PLI_API void pli_camera_get_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect, float azimuth,
                                float elevation, pli_camera *camera);
/// The same from the default direction, from the right and a little above.
static inline pli_camera pli_camera_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect)
{
    pli_camera camera;
    pli_camera_get_fit(minimum, maximum, up, aspect, PLI_CAMERA_AZIMUTH, PLI_CAMERA_ELEVATION, &camera);
    return camera;
}

/// The pattern that is printed on a surface.
typedef enum pli_render_pattern { PLI_RENDER_PLAIN, PLI_RENDER_CHECKER, PLI_RENDER_STRIPES } pli_render_pattern;

/// A surface to draw. Set unused fields to zero.
typedef struct pli_render_mesh {
    const pli_mesh *mesh; ///< Faces.
    pli_view positions;   ///< One per vertex of the mesh [m].
    pli_view normals;     ///< Unit vectors, one per vertex; if empty, they are computed.
    pli_vec3 front, back; ///< Colours of the two sides; linear 0..1.
    bool flat;            ///< Flat shading.
    const float *values;  ///< One per vertex, shown in the colours of the legend; null: colours of the surface.
    /// Two per vertex [m], across and along the threads. If null, they follow the two directions in which the rest shape is
    /// largest.
    const float *coordinates;
    const float *face_colours;  ///< Three per face, linear, which replace front and back; may be null.
    pli_render_pattern pattern; ///< Darker squares or stripes, placed by `coordinates`.
    float pattern_size;         ///< Width of a square or stripe [m], above 0 if there is a pattern.
    float weave;                ///< Distance between threads [m]; 0 for none. Fades where it is below a pixel.
    float sheen;        ///< Strength of the light that fibres scatter at the outline, 0..1; cloth has about 0.3.
    float gloss;        ///< Strength of the highlight, 0..1; paint has about 0.1.
    float transmission; ///< Fraction of the light from behind that is transmitted, 0..1; leaves have about 0.2.
    /// Draws the mesh subdivided once (Loop 1987), with computed normals: four triangles for each. No effect on flat shading, in drafts and
    /// wireframes, and on non-manifold meshes.
    bool subdivided;
} pli_render_mesh;

/// A collider to draw.
typedef struct pli_render_shape {
    /// Shape, size and pose. Unbounded shapes (planes) and shapes with invalid sizes are not drawn. Draw moving meshes as
    /// pli_render_mesh.
    pli_collider_def collider;
    pli_vec3 colour; ///< Linear 0..1.
    /// 0 for an opaque shape, up to 1, which is not drawn. Transparent shapes are drawn last, sorted by distance.
    float transparency;
} pli_render_shape;

/// A thin line on top of the picture, without a shadow. It is faint where a surface hides it.
typedef struct pli_render_line {
    pli_vec3 a, b;   ///< Ends of the line [m].
    pli_vec3 colour; ///< Linear 0..1.
} pli_render_line;

/// An entry of the colour key in the upper left corner of the picture.
typedef struct pli_render_key {
    const char *name; ///< At most 40 letters are shown.
    pli_vec3 colour;  ///< Linear 0..1.
} pli_render_key;

/// An image on a surface. The image list of a frame is read only during the draw call. The renderer caches an image while every
/// frame draws it again.
typedef struct pli_render_image {
    int32_t mesh;          ///< Index of the mesh in the frame's list. If a mesh has several images, the last is drawn.
    int32_t width, height; ///< 1..8192 [pixels].
    const uint8_t *pixels; ///< sRGB RGBA, top row first. Transparent pixels show the colour of the mesh.
    /// u and v at the three corners of each triangle of the mesh (pli_topology), 0..1 from the lower left corner of the image.
    /// The image repeats outside of this range.
    const float *coordinates;
} pli_render_image;

/// Flags of triangle edges in pli_render_detail.edges; they can be combined.
#define PLI_RENDER_HEM 1  ///< A hem runs along the edge.
#define PLI_RENDER_SEAM 2 ///< A seam runs along the edge.

/// Thickness, hems, seams and the back of a mesh, in addition to its pli_render_mesh. The detail list of a frame is read only during
/// the draw call.
typedef struct pli_render_detail {
    int32_t mesh; ///< Index of the mesh in the frame's list. If a mesh has several details, the last one applies.
    /// Drawn thickness [m]; 0 draws one surface. Otherwise the mesh is drawn as two sides, offset from the vertices along their
    /// normals by half of the thickness, and a rounded rim along the border. A thickness that is less than 1.5 pixels high at
    /// the centre of the drawn objects is drawn as one surface.
    float thickness;
    pli_vec3 rim;         ///< Colour of the rim if the mesh has a hem or no face colours; linear 0..1.
    float hem;            ///< Width of the band along hems, at rest [m]; 0 for none.
    pli_vec3 hem_colour;  ///< Linear 0..1.
    float seam;           ///< Width of the groove along seams, at rest [m]; 0 for none.
    pli_vec3 seam_colour; ///< Linear 0..1.
    /// PLI_RENDER_HEM and PLI_RENDER_SEAM flags for each corner of each triangle (pli_topology). They apply to the edge from this
    /// corner to the next corner of the triangle. If null, hems run along the border and there are no seams.
    const uint8_t *edges;
    /// Back colours, three per face, linear. If null, the back has the back colour of the mesh, or its face colours darkened.
    const float *back_colours;
    /// Image that is drawn on the back only; the mesh's own image is then drawn on the front only. Null for none. Its `mesh` is
    /// ignored. If the mesh has an image of its own, the coordinates of that image are used.
    const pli_render_image *back_image;
} pli_render_detail;

/// Returns a definition with default values, to be changed field by field: a surface without detail.
PLI_API pli_render_detail pli_render_detail_default(void);

/// The material of the ground. Boards and grain have their size in metres, and fade where they are smaller than a pixel.
typedef enum pli_render_floor {
    PLI_RENDER_FLOOR_PAPER,   ///< The colour of the background, without a texture.
    PLI_RENDER_FLOOR_OAK,     ///< Boards, 20 cm wide.
    PLI_RENDER_FLOOR_CONCRETE ///< Polished concrete.
} pli_render_floor;

/// The contents of a picture.
typedef struct pli_render_frame {
    pli_camera camera;
    pli_vec3 up;         ///< Unit vector.
    pli_vec3 background; ///< Linear 0..1.
    bool ground;         ///< Draws a ground that receives the shadows of all objects.
    float ground_height; ///< Along up [m].
    bool wireframe;      ///< Draws the edges of the faces (not of their triangulation) on the surface.
    const pli_render_mesh *meshes;
    int32_t mesh_count;
    const pli_render_shape *shapes;
    int32_t shape_count;
    const char *legend; ///< Title of the colour legend, such as "stretch"; null for none.
    float legend_minimum, legend_maximum;
    /// Draws hard shadows and omits all other expensive effects, for pictures while something moves.
    bool draft;
    /// 0 starts a new picture. Otherwise, this call refines the picture of the previous frame, which has had `first_sample` samples
    /// so far: the samples of this call are added to them.
    int32_t first_sample;
    const pli_render_line *lines; ///< Up to 2^24.
    int32_t line_count;
    const pli_render_key *keys; ///< Up to 16.
    int32_t key_count;
    const pli_render_image *images; ///< Images on meshes of this frame.
    int32_t image_count;
    const pli_render_detail *details; ///< Trims of meshes of this frame; all have the same `size`.
    int32_t detail_count;
    pli_render_floor floor; ///< The material of the ground.
    /// Motion blur: the fraction of the time since the previous frame in which the shutter is open, 0..1; it closes at this frame. Samples
    /// are spread over this time, and positions change linearly. No effect with fewer than 8 samples, and when a picture is refined.
    float shutter;
    /// One per mesh: its positions in the previous frame, with the same vertices; empty for a mesh that is not blurred. Null: no mesh is.
    const pli_view *previous_positions;
    const pli_transform *previous_poses; ///< One per shape. Null: no shape is blurred.
    const pli_camera *previous_camera;   ///< Null: the camera did not move. Only eye and target may differ.
} pli_render_frame;

/// The part of an application's framebuffer that receives a picture.
typedef struct pli_render_target {
    /// OpenGL name of the framebuffer; 0 for the window. Colours are written as sRGB values, whatever its format.
    uint32_t framebuffer;
    /// Position of the lower left corner and size of the part [pixels]. A picture of another size is scaled.
    int32_t x, y, width, height;
} pli_render_target;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_render_frame pli_render_frame_default(void);

/// Creates a renderer with an off-screen OpenGL context (EGL without a display; Mesa's software rendering is sufficient). width and
/// height are 16..8192 [pixels]. A picture is the mean of `samples` renderings, 1..64. The camera moves by fractions of a pixel
/// between them and, from 8 samples on, the light moves over the disc of its source. This gives smooth edges and soft shadows without noise.
/// The time is proportional to the number of samples. UNSUPPORTED if there is no OpenGL 3.3; the message names the package to
/// install. Use a renderer on the thread that created it: drawing on another thread fails while the context is current on the
/// creating thread. Renderers do not affect each other. The EGL display remains open after they are destroyed. Drawing leaves the
/// context of the renderer current on its thread.
PLI_API pli_status pli_renderer_create(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                                       pli_error *error);
/// Like pli_renderer_create, but uses the current OpenGL context, for example the context of a window. It must be OpenGL 3.3 core or
/// later, and it must be current in each later call, including pli_renderer_destroy. Drawing changes bindings, viewport and tests
/// of OpenGL. UNSUPPORTED if no context is current, or if its version is too old.
PLI_API pli_status pli_renderer_create_current(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                                               pli_error *error);
PLI_API void pli_renderer_destroy(pli_renderer *renderer);
/// Changes the size and the number of samples of a renderer. On failure (INVALID_ARGUMENT, UNSUPPORTED) the renderer is unchanged.
PLI_API pli_status pli_renderer_resize(pli_renderer *renderer, int32_t width, int32_t height, int32_t samples,
                                       pli_error *error);
/// Whether OpenGL is a software implementation on the CPU (Mesa's llvmpipe or softpipe). Draft pictures of half the size then
/// keep up with motion.
PLI_API bool pli_renderer_is_software(const pli_renderer *renderer);
/// Draws a frame, and writes width * height * 4 bytes of sRGB RGBA, top row first, to `pixels`. The number of meshes is unlimited. The
/// renderer keeps the faces of a mesh for 16 frames that do not draw it. INVALID_ARGUMENT for negative counts, null arrays, views
/// that do not match their mesh, and a camera, up, background or ground that is not finite; the message names the part of the
/// frame.
PLI_API pli_status pli_renderer_draw(pli_renderer *renderer, const pli_render_frame *frame, uint8_t *pixels,
                                     pli_error *error);
/// Draws a frame into a framebuffer of the context in which the renderer was created (pli_renderer_create_current), and leaves the
/// framebuffer bound. Errors: as for pli_renderer_draw, and INVALID_ARGUMENT for a part without extent.
PLI_API pli_status pli_renderer_draw_to(pli_renderer *renderer, const pli_render_frame *frame,
                                        const pli_render_target *target, pli_error *error);

/// Writes RGBA pixels as PNG to a temporary file, flushes it to the disk and renames it. A picture of at most 256 colours, all opaque,
/// is stored with a palette; this is lossless and takes a quarter of the space. Errors: INVALID_ARGUMENT for sizes below 1 and null
/// pixels; FILE.
PLI_API pli_status pli_image_write_png(const char *path, const uint8_t *pixels, int32_t width, int32_t height,
                                       pli_error *error);

/// A video file. The extension selects the format: H.264 in .mp4, VP9 in .webm, or an animated picture in .webp. Colours are sRGB. They
/// are stored with the BT.709 matrix in the limited range, and tagged accordingly; .webp uses the BT.601 matrix, which its readers
/// expect.
typedef struct pli_video pli_video;
/// Opens a video. width and height are 16..8192 [pixels]; an odd size is made even by repeating the last column or row.
/// frames_per_second is 0.01..1000. Errors: INVALID_ARGUMENT for values out of range; UNSUPPORTED for other extensions, for a missing
/// encoder, and if libpliant_video, which is loaded at the first call, cannot be loaded; FILE. The file gets its name when it is
/// closed; until then, it has a temporary name in the same folder.
PLI_API pli_status pli_video_open(const char *path, int32_t width, int32_t height, double frames_per_second,
                                  pli_video **video, pli_error *error);
/// Adds a picture of width * height * 4 bytes of sRGB RGBA, top row first; alpha is ignored.
PLI_API pli_status pli_video_add(pli_video *video, const uint8_t *pixels, pli_error *error);
/// Completes the file and flushes it to the disk. Frees the video, even on failure. If no picture was added, or a picture could not be
/// written, no file is created and an existing file is left unchanged. The log level of libav is lowered to warnings while the file
/// is completed, and then restored.
PLI_API pli_status pli_video_close(pli_video *video, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
