/// Pliant-render: pictures without a display, and video.
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
/// Use a renderer on the thread that created it. Drawing makes its OpenGL context current and leaves it current.
/// Renderers are independent of each other.
#ifndef PLIANT_RENDER_H
#define PLIANT_RENDER_H

#include "mesh.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_renderer pli_renderer;

typedef struct pli_camera {
    pli_vec3 eye, target, up; ///< [m]; up need not be exact.
    float field_of_view;      ///< Vertical [degrees], 1..170.
} pli_camera;

/// A 35-degree three-quarter view that frames the box; its corners reach 94 % of the half-width or half-height. `up`
/// need not be a unit vector; aspect is width over height. A box without size or end, or an aspect that is not above
/// 0, gives the view of a box of one metre or of a square picture.
PLI_API void pli_camera_get_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect, pli_camera *camera);
static inline pli_camera pli_camera_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect)
{
    pli_camera camera;
    pli_camera_get_fit(minimum, maximum, up, aspect, &camera);
    return camera;
}

/// Prints on a surface.
typedef enum pli_render_pattern {
    PLI_RENDER_PLAIN,
    PLI_RENDER_CHECKER,
    PLI_RENDER_STRIPES,
    PLI_RENDER_PATTERN_FORCE_32 = PLI_FORCE_32
} pli_render_pattern;

/// A surface to draw. Set to zeros what is not used.
typedef struct pli_render_mesh {
    const pli_mesh *mesh; ///< Faces.
    pli_view positions;   ///< One a vertex of the mesh [m].
    pli_view normals;     ///< Unit, one a vertex; empty: computed.
    pli_vec3 front, back; ///< Linear 0..1.
    bool flat;            ///< Flat shading.
    const float *values;  ///< One a vertex, coloured by the legend's map; null for the plain colours.
    /// Two a vertex [m], across and along the threads; null: the two directions in which the rest shape is largest.
    const float *coordinates;
    const float *face_colours;  ///< Three a face, linear, in place of front and back; null for these.
    pli_render_pattern pattern; ///< In `coordinates`: darker squares or stripes.
    float pattern_size;         ///< Width of a square or stripe [m], above 0 where there is a pattern.
    float weave;                ///< Distance of the threads [m]; 0 for none. Fades where it is smaller than a pixel.
    float sheen;                ///< Light that fibres scatter at the outline, 0..1; about 0.3 for cloth.
    float gloss;                ///< Strength of the highlight, 0..1; about 0.1 for paint.
    float transmission;         ///< Share of the light from behind that comes through, 0..1; about 0.2 for leaves.
} pli_render_mesh;

/// A collider to draw.
typedef struct pli_render_shape {
    pli_collider_def collider; ///< Shape, size and pose. What has no end (planes) is not drawn, and a shape whose
                               ///< sizes are not sound; meshes that move are for a pli_render_mesh.
    pli_vec3 colour;           ///< Linear 0..1.
    float transparency; ///< 0 for none; up to 1, which is not drawn. What one sees through is drawn last, by distance.
} pli_render_shape;

/// A thin line over the picture, without a shadow: faint where a surface hides it.
typedef struct pli_render_line {
    pli_vec3 a, b;   ///< Its ends [m].
    pli_vec3 colour; ///< Linear 0..1.
} pli_render_line;

/// A line of the list that says what colours mean, in the upper left corner.
typedef struct pli_render_key {
    const char *name; ///< At most 40 letters are shown.
    pli_vec3 colour;  ///< Linear 0..1.
} pli_render_key;

/// An image on a surface. The frame's list of them is read only while it draws; the renderer keeps images that are drawn again.
typedef struct pli_render_image {
    int32_t mesh;          ///< Number of the mesh in the frame's list; of several on one mesh the last is drawn.
    int32_t width, height; ///< 1..8192 [pixels].
    const uint8_t *pixels; ///< sRGB RGBA, top row first; where it is transparent the mesh's own colour is seen.
    const float *
        coordinates; ///< u and v at the three corners of each triangle of the mesh (pli_topology), 0..1 from the lower left
                     ///< corner of the image, which repeats beyond.
} pli_render_image;

/// Edges of triangles in pli_render_trim.edges, as bits.
#define PLI_RENDER_HEM 1  ///< A hem runs along it.
#define PLI_RENDER_SEAM 2 ///< A seam runs along it.

/// Thickness, hems, seams and the back of a mesh, beside what its pli_render_mesh says. The frame's list of these is read only while it draws.
typedef struct pli_render_trim {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    int32_t mesh;    ///< Number of the mesh in the frame's list; of several on one mesh the last counts.
    float thickness; ///< Drawn thickness [m]: two sides, each half of it from the vertices along their normals, and a
        ///< rounded rim along the border, where that is a pixel and a half high or more; 0 for one surface.
    pli_vec3 rim;         ///< Colour of the rim, where the mesh has a hem or no colours of faces; linear 0..1.
    float hem;            ///< Width of the band along hems, at rest [m]; 0 for none.
    pli_vec3 hem_colour;  ///< Linear 0..1.
    float seam;           ///< Width of the groove along seams, at rest [m]; 0 for none.
    pli_vec3 seam_colour; ///< Linear 0..1.
    /// One for each corner of each triangle (pli_topology), of PLI_RENDER_HEM and PLI_RENDER_SEAM, about the edge from it to the triangle's next
    /// corner; null: hems run along the border, and there are no seams.
    const uint8_t *edges;
    const float
        *back_colours; ///< Three a face, linear, of the backs; null: the mesh's back, or its face colours darker.
    /// Seen on the back alone, while the mesh's own image is then on the front alone; null for none. Its `mesh` is not read, and its coordinates are those
    /// of the mesh's own image where there is one.
    const pli_render_image *back_image;
} pli_render_trim;

/// Fills `size` bytes of a definition with its defaults; see pli_render_trim_default.
PLI_API void pli_render_trim_init(pli_render_trim *def, size_t size);
/// A definition with all its defaults, to be changed field by field: a surface without any trim.
static inline pli_render_trim pli_render_trim_default(void)
{
    pli_render_trim def;
    pli_render_trim_init(&def, sizeof def);
    return def;
}

typedef struct pli_render_frame {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_camera camera;
    pli_vec3 up;         ///< Unit.
    pli_vec3 background; ///< Linear 0..1.
    bool ground;         ///< With the shadow of everything drawn.
    float ground_height; ///< Along up [m].
    bool wireframe;      ///< Edges of the faces (not of their triangulation) over the surface.
    const pli_render_mesh *meshes;
    int32_t mesh_count;
    const pli_render_shape *shapes;
    int32_t shape_count;
    const char *legend; ///< Title of the colour legend, such as "stretch"; null for none.
    float legend_minimum, legend_maximum;
    bool draft; ///< Hard shadows and nothing else that costs time, for pictures while something moves.
    /// 0 for a new picture. Else the picture is a better one of the frame before, which was drawn with as many samples so far:
    /// those of this call are added to them.
    int32_t first_sample;
    const pli_render_line *lines; ///< Up to 2^24.
    int32_t line_count;
    const pli_render_key *keys; ///< Up to 16.
    int32_t key_count;
    const pli_render_image *images; ///< On meshes of this frame.
    int32_t image_count;
    const pli_render_trim *trims; ///< On meshes of this frame; all of one size.
    int32_t trim_count;
} pli_render_frame;

/// Where a picture goes in a framebuffer of the host's.
typedef struct pli_render_target {
    uint32_t
        framebuffer; ///< Its OpenGL name; 0 for the window. Colours are written as sRGB values, whatever its format.
    int32_t x, y, width,
        height; ///< The part that is drawn [pixels], from its lower left corner; pictures of another size are scaled.
} pli_render_target;

/// Fills `size` bytes of a definition with its defaults; see pli_render_frame_default.
PLI_API void pli_render_frame_init(pli_render_frame *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_render_frame pli_render_frame_default(void)
{
    pli_render_frame def;
    pli_render_frame_init(&def, sizeof def);
    return def;
}

/// Opens an off-screen context (EGL without a display; software Mesa is enough). width, height in 16..8192 [pixels]. A picture
/// is the mean of `samples` drawings, 1..64, in which the camera moves by parts of a pixel and, from eight on, the light over its
/// disc: smooth edges, soft shadows, no noise. Time grows with their number. UNSUPPORTED when there is no OpenGL 3.3; the
/// message says which package to install. A renderer is used from the thread that made it: drawing on
/// another is refused while that thread has its context. Renderers do not disturb each other, and EGL's
/// display stays open when they are gone; drawing leaves the renderer's context current on its thread.
PLI_API pli_status pli_renderer_create(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                                       pli_error *error);
/// The same in the context that is current, a window's for example, of OpenGL 3.3 core or later: it must be current in each
/// later call, the destruction included. Drawing leaves bindings, viewport and tests of OpenGL changed. UNSUPPORTED when no context is
/// current, or it is too old.
PLI_API pli_status pli_renderer_create_current(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                                               pli_error *error);
PLI_API void pli_renderer_destroy(pli_renderer *renderer);
/// Changes what pli_renderer_create was given. On failure (INVALID_ARGUMENT, UNSUPPORTED) nothing changes.
PLI_API pli_status pli_renderer_resize(pli_renderer *renderer, int32_t width, int32_t height, int32_t samples,
                                       pli_error *error);
/// Whether a program on the processor draws (Mesa's llvmpipe or softpipe): draft pictures of half the size keep up there.
PLI_API bool pli_renderer_is_software(const pli_renderer *renderer);
/// Draws, and writes width * height * 4 bytes of sRGB RGBA, top row first, to `pixels`. INVALID_ARGUMENT, with the
/// part of the frame that is wrong, for negative counts, arrays that are null, views that do not match their mesh,
/// and a camera, up, background or ground that is not finite. Any number of meshes; faces are
/// kept for 16 frames in which they are not drawn.
PLI_API pli_status pli_renderer_draw(pli_renderer *renderer, const pli_render_frame *frame, uint8_t *pixels,
                                     pli_error *error);
/// Draws into a framebuffer of the context that the renderer was made in (pli_renderer_create_current), and leaves it bound. Errors as
/// pli_renderer_draw's, and INVALID_ARGUMENT for a part without an extent.
PLI_API pli_status pli_renderer_draw_to(pli_renderer *renderer, const pli_render_frame *frame,
                                        const pli_render_target *target, pli_error *error);

/// Writes RGBA pixels as PNG through a temporary name, a flush to the disk and a rename. A picture of at most 256 colours,
/// all opaque, is stored with a palette, which changes none of them and takes a quarter of the room. Errors:
/// INVALID_ARGUMENT for sizes below 1 and null pixels; FILE.
PLI_API pli_status pli_image_write_png(const char *path, const uint8_t *pixels, int32_t width, int32_t height,
                                       pli_error *error);

/// A video file: H.264 in .mp4, VP9 in .webm, or an animated picture in .webp, by the extension. Colours are sRGB, stored with the matrix of BT.709
/// in the limited range and tagged so; in .webp with that of BT.601, as its readers expect.
typedef struct pli_video pli_video;
/// width, height in 16..8192 [pixels]; an odd size is made even by repeating the last column or row.
/// frames_per_second in 0.01..1000. Errors: INVALID_ARGUMENT for values out of range; UNSUPPORTED for other
/// extensions, a missing encoder, and where libpliant_video, which is loaded at the first call, cannot be; FILE. The
/// file appears under its name when it is closed; until then it has another beside it.
PLI_API pli_status pli_video_open(const char *path, int32_t width, int32_t height, double frames_per_second,
                                  pli_video **video, pli_error *error);
/// Adds a picture of width * height * 4 bytes of sRGB RGBA, top row first; alpha is ignored.
PLI_API pli_status pli_video_add(pli_video *video, const uint8_t *pixels, pli_error *error);
/// Completes the file, flushes it to the disk and frees the video also on failure. Without a frame, or when one could
/// not be written, no file remains and an older one is untouched. libav's log level is lowered to warnings while the
/// file is completed, and put back.
PLI_API pli_status pli_video_close(pli_video *video, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
