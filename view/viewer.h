// The viewer's state, which the window, the panels and scripts share.
#ifndef PLI_VIEW_VIEWER_H
#define PLI_VIEW_VIEWER_H

#include "camera.h"
#include "desk.h"
#include "camera.h"
#include "looking/models.h"
#include "opening.h"
#include "session/edits.h"
#include "session/events.h"
#include "session/session.h"
#include "session/tools.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "view/world_view.h"

// Sizes of the menu above the scene, of the panels to its right and below it, and of the plots under the right panel [pixels].
enum { PLI_VIEW_MENU = 24, PLI_VIEW_SIDE = 320, PLI_VIEW_BAR = 76, PLI_VIEW_PLOTS = 210 };

typedef struct pli_viewer {
    pli_session session;
    pli_view_source *source; // Of the session.
    pli_view_desk *desk;     // Borrowed; it persists when another scene is opened.
    pli_cli_world_view *picture;
    pli_view_camera camera, start; // The current camera and the initial one.
    pli_session_tool tool;
    bool secondary;         // Shift is down: the tool frees instead of pinning, and deflates.
    int32_t measure;        // The pli_measure that colours the surfaces, or -1.
    uint32_t overlays;      // A bit for each pli_cli_overlay that is shown.
    pli_view_models models; // Shown instead of the session's world if there are any.
    int32_t chosen;         // Deformable whose values the panel shows.
    bool wireframe;
    int32_t width, height;           // Size of the window [pixels].
    double drawing;                  // Wall time of the last picture [s].
    int32_t still;                   // Number of pictures since something moved.
    char legend[PLI_SESSION_LEGEND]; // Of the brush colours.
    float press_x, press_y;          // Where the pointer was pressed [pixels].
    float *painted;         // Brush colours for the vertices of all deformables; null unless the brush is selected.
    float click_x, click_y; // Point that a script clicks on a panel [pixels].
    float click_to;         // Where it is released; it moves there along x.
    int32_t click;          // Pictures until the click ends; it is released in the last one.
} pli_viewer;

// Opens the scene in the current context; `path` is borrowed. After a failure, only the source remains valid, with its problems.
pli_status pli_viewer_open(pli_viewer *viewer, pli_view_desk *desk, const char *path, bool allow_outside, int32_t width,
                           int32_t height, pli_error *error);
void pli_viewer_close(pli_viewer *viewer);
// Opens A and B side by side, each in its own world, instead of the current models. Returns false with the message on failure.
bool pli_viewer_split_values(pli_session *session, pli_view_models *models);
// Draws the scene into the window's framebuffer. `quick` permits coarse pictures while something moves.
pli_status pli_viewer_draw(pli_viewer *viewer, bool quick, pli_error *error);

// Converts panel lengths to this display: unscaled pixels times the display's scale.
float pli_viewer_pixels(const pli_viewer *viewer, int32_t plain);
// Size and edges of the part of the window that shows the scene [pixels].
float pli_viewer_stage_width(const pli_viewer *viewer);
float pli_viewer_stage_height(const pli_viewer *viewer);
float pli_viewer_stage_top(const pli_viewer *viewer);
float pli_viewer_stage_bottom(const pli_viewer *viewer);

// The unit direction from the eye through a point of the window, and the camera.
pli_vec3 pli_viewer_ray(const pli_viewer *viewer, float x, float y, pli_camera *camera);
// The pointer of the session at a point of the window.
pli_session_pointer pli_viewer_pointer(const pli_viewer *viewer, float x, float y);
// Pointer events at a point of the window [pixels from its upper left corner]. A press returns true if it hits the surface; otherwise
// it does nothing.
bool pli_viewer_press(pli_viewer *viewer, float x, float y);
void pli_viewer_drag(pli_viewer *viewer, float x, float y);
void pli_viewer_release(pli_viewer *viewer, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
