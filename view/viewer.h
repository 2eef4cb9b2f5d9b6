// The viewer's state, which the window, the panels and scripts share.
#ifndef PLI_VIEW_VIEWER_H
#define PLI_VIEW_VIEWER_H

#include "desk.h"
#include "hands/camera.h"
#include "looking/models.h"
#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "view/world_view.h"

// Room of the menu above, the panels at the right and below [pixels], and of the plots under the panel at the right; the scene has the rest.
enum { PLI_VIEW_MENU = 20, PLI_VIEW_SIDE = 320, PLI_VIEW_BAR = 64, PLI_VIEW_PLOTS = 210 };

typedef enum pli_view_tool {
    PLI_VIEW_GRAB,
    PLI_VIEW_PIN,
    PLI_VIEW_CUT,
    PLI_VIEW_UNPIN,
    PLI_VIEW_THROW,
    PLI_VIEW_BLOW,
    PLI_VIEW_MOVE,
    PLI_VIEW_BRUSH,
    PLI_VIEW_TOOL_COUNT
} pli_view_tool;

typedef struct pli_viewer {
    pli_view_session session;
    pli_view_desk *desk; // Borrowed; it goes on when another scene is opened.
    pli_cli_world_view *picture;
    pli_view_camera camera, start; // Now, and at the beginning.
    pli_view_tool tool;
    int32_t measure;        // A pli_measure that colours, or -1.
    uint32_t overlays;      // A bit for each pli_cli_overlay that is shown.
    pli_view_models models; // Seen in place of the session's world where there are any.
    bool wireframe;
    int32_t width, height; // Of the window [pixels].
    double drawing;        // Wall time of the last picture [s].
    int32_t still;         // Pictures since something moved.
    pli_ray_hit stroke;    // Where a cut began; without a deformable while none goes on.
    pli_vec3 moved_from;   // Where what is moved was when it was taken [m].
    int32_t axis;          // Along which it moves, 0 to 2; -1: in the plane across the view.
    float stroke_x, stroke_y;
    float *painted;         // Colours of the brush by vertex of all deformables; null while it is not chosen.
    float click_x, click_y; // Where a script clicks on a panel [pixels].
    int32_t click;          // Pictures that the click still takes: 2 pressed, 1 let go, 0 for none.
} pli_viewer;

// Opens the scene in the current context; `path` is borrowed. On failure nothing is left but the session's source.
pli_status pli_viewer_open(pli_viewer *viewer, pli_view_desk *desk, const char *path, bool allow_outside, int32_t width,
                           int32_t height, pli_error *error);
void pli_viewer_close(pli_viewer *viewer);
// Draws the scene into the window's framebuffer. `quick` lets pictures be coarse while something moves.
pli_status pli_viewer_draw(pli_viewer *viewer, bool quick, pli_error *error);

// Lengths of panels on this display: plain pixels times its scale.
float pli_viewer_pixels(const pli_viewer *viewer, int32_t plain);
// Size of the part of the window that the scene has, and its upper edge [pixels].
float pli_viewer_stage_width(const pli_viewer *viewer);
float pli_viewer_stage_height(const pli_viewer *viewer);
float pli_viewer_stage_top(const pli_viewer *viewer);
float pli_viewer_stage_bottom(const pli_viewer *viewer);

// The unit direction from the eye through a point of the window, and the camera.
pli_vec3 pli_viewer_ray(const pli_viewer *viewer, float x, float y, pli_camera *camera);
// The vertex of the triangle that is nearest to where it is met.
int32_t pli_viewer_nearest(const pli_ray_hit *hit);

// Name of a tool as buttons show it, and what it does.
const char *pli_view_tool_name(pli_view_tool tool);
const char *pli_view_tool_summary(pli_view_tool tool);
// Hands at a point of the window [pixels from its upper left corner]. A press on the surface returns true; beside it nothing happens.
bool pli_viewer_press(pli_viewer *viewer, float x, float y);
void pli_viewer_drag(pli_viewer *viewer, float x, float y);
void pli_viewer_release(pli_viewer *viewer, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
