// Draws a world: every deformable and collider, with the camera of its scene or a fitted one.
#ifndef PLI_CLI_WORLD_VIEW_H
#define PLI_CLI_WORLD_VIEW_H

#include "frame/options.h"
#include "view/following.h"

#include <pliant/render.h>
#include <pliant/scene.h>

typedef struct pli_cli_world_view pli_cli_world_view;

// Writes the positions of a collider mesh, as pli_cli_collider_mesh_positions does.
typedef pli_status (*pli_cli_collider_mesh_source)(void *user, int32_t collider_mesh, float *positions,
                                                   pli_error *error);

// From the fastest to the best pictures.
typedef enum pli_cli_quality {
    PLI_CLI_QUALITY_DRAFT,
    PLI_CLI_QUALITY_PLAIN,
    PLI_CLI_QUALITY_GOOD,
    PLI_CLI_QUALITY_BEST,
    PLI_CLI_QUALITY_COUNT
} pli_cli_quality;

// Name of a quality, for choices; null when out of range.
const char *pli_cli_quality_name(int32_t i);
// The quality that an option names, or good.
pli_cli_quality pli_cli_quality_chosen(const pli_cli_arguments *arguments, int32_t option);

#define PLI_CLI_OPTION_QUALITY                                                                                         \
    {                                                                                                                  \
        .name = "quality", .kind = PLI_CLI_CHOICE, .value = "NAME", .choice = pli_cli_quality_name,                    \
        .summary = "Quality of pictures: draft, plain, good or best, at about 0.7, 1, 4 and 16 times the time "        \
                   "(default: good)"                                                                                   \
    }

typedef struct pli_cli_world_view_def {
    const pli_scene *scene;              // Null: plain colours and a fitted camera.
    pli_world *world;                    // World at its start; the camera is fitted to its bounds.
    int32_t width, height;               // [pixels]; 0: values of the scene.
    const pli_camera *camera;            // NULL: the camera of the scene.
    pli_cli_quality quality;             // Trade-off between quality and time.
    bool wireframe;                      // Draws edges even if the scene does not.
    int32_t measure;                     // pli_measure to colour by; -1: the measure of the scene.
    pli_cli_collider_mesh_source source; // Positions of collider meshes; NULL: the world's.
    void *source_user;
    bool hosts;             // Draws in the current context, of a window, by pli_cli_world_view_draw_to.
    uint32_t overlays;      // A bit for each visible pli_cli_overlay.
    const pli_vec3 *bounds; // [2] lower and upper corner to fit instead of the world's bounds; may be NULL.
    const pli_cli_camera_motion *motion; // NULL: the scene's.
    float
        shutter; // Fraction of the time between frames in which the shutter is open at quality best; negative: the scene's.
} pli_cli_world_view_def;

pli_status pli_cli_world_view_open(const pli_cli_world_view_def *def, pli_cli_world_view **picture, pli_error *error);
void pli_cli_world_view_close(pli_cli_world_view *picture);
// Switches to another world of the same scene.
void pli_cli_world_view_show(pli_cli_world_view *picture, pli_world *world, pli_cli_collider_mesh_source source,
                             void *user);
// Draws a deformable with these faces and positions, borrowed until the next call, instead of the mesh of the world, which does not
// tear in a playback. A NULL mesh ends this. Measures are not available for it.
void pli_cli_world_view_replace(pli_cli_world_view *picture, int32_t deformable, const pli_mesh *mesh,
                                pli_view positions);
// Draws the current state of the world, with the camera at the time that was set last.
pli_status pli_cli_world_view_draw(pli_cli_world_view *picture, pli_error *error);
// Whether pictures have motion blur.
bool pli_cli_world_view_is_blurred(const pli_cli_world_view *picture);
// Takes the current state for the frame before the next picture. Each picture that is drawn is taken for the one before the next.
pli_status pli_cli_world_view_pass(pli_cli_world_view *picture, pli_error *error);
// Sets the time of the state that is drawn next [s]; 0 at first.
void pli_cli_world_view_time(pli_cli_world_view *picture, double seconds);
// The drawn frame. Its camera, edges and draft flag may be changed between pictures.
pli_render_frame *pli_cli_world_view_frame(pli_cli_world_view *picture);
// Colours surfaces by a pli_measure; -1 for their own colours.
void pli_cli_world_view_measure(pli_cli_world_view *picture, int32_t measure);
// Colours a deformable by the caller's values, one per vertex, from 0 to `maximum`, if no measure is active; borrowed until they are
// replaced. NULL for its own colours.
void pli_cli_world_view_values(pli_cli_world_view *picture, int32_t deformable, const float *values, const char *title,
                               float maximum);
// Whether pictures of pli_cli_world_view_draw_to have the legend and the meanings of overlays, or leave them to the caller, who finds them
// in the frame.
void pli_cli_world_view_legend(pli_cli_world_view *picture, bool drawn);
// Shows the overlays whose bits are set.
void pli_cli_world_view_overlays(pli_cli_world_view *picture, uint32_t overlays);
// Sets the number of samples for pictures of pli_cli_world_view_draw_to.
void pli_cli_world_view_quality(pli_cli_world_view *view, pli_cli_quality quality);
// Draws the current state into a part of the window, at its size divided by `divisor`.
pli_status pli_cli_world_view_draw_to(pli_cli_world_view *picture, const pli_render_target *target, int32_t divisor,
                                      pli_error *error);
// Whether the renderer runs in software.
bool pli_cli_world_view_is_software(const pli_cli_world_view *picture);
// Pixels of the last picture: RGBA, top row first. Borrowed.
const uint8_t *pli_cli_world_view_pixels(const pli_cli_world_view *picture);
void pli_cli_world_view_size(const pli_cli_world_view *picture, int32_t *width, int32_t *height);

#endif
