// The viewer's state, which the window, the panels and scripts share.
#ifndef PLI_VIEW_VIEWER_H
#define PLI_VIEW_VIEWER_H

#include "camera.h"
#include "looking/models.h"
#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "view/world_view.h"

// Room of the panels at the right and below [pixels], and of the plots under the panel at the right; the scene has the rest.
enum { PLI_VIEW_SIDE = 320, PLI_VIEW_BAR = 64, PLI_VIEW_PLOTS = 178 };

typedef enum pli_view_tool { PLI_VIEW_GRAB, PLI_VIEW_PIN, PLI_VIEW_CUT } pli_view_tool;

typedef struct pli_viewer {
    pli_view_session session;
    pli_cli_world_view *picture;
    pli_view_camera camera, start; // Now, and at the beginning.
    pli_view_tool tool;
    int32_t measure;        // A pli_measure that colours, or -1.
    uint32_t overlays;      // A bit for each pli_cli_overlay that is shown.
    pli_view_models models; // Seen in place of the session's world where there are any.
    bool wireframe, help;
    int32_t width, height; // Of the window [pixels].
    double drawing;        // Wall time of the last picture [s].
    int32_t still;         // Pictures since something moved.
    pli_ray_hit stroke;    // Where a cut began; without a deformable while none goes on.
    float stroke_x, stroke_y;
    float click_x, click_y; // Where a script clicks on a panel [pixels].
    int32_t click;          // Pictures that the click still takes: 2 pressed, 1 let go, 0 for none.
} pli_viewer;

// Opens the scene in the current context. Nothing is left on failure.
pli_status pli_viewer_open(pli_viewer *viewer, const char *path, bool allow_outside, int32_t width, int32_t height,
                           pli_error *error);
void pli_viewer_close(pli_viewer *viewer);
// Draws the scene into the window's framebuffer. `quick` lets pictures be coarse while something moves.
pli_status pli_viewer_draw(pli_viewer *viewer, bool quick, pli_error *error);

// Hands at a point of the window [pixels from its upper left corner]. A press on the surface returns true; beside it nothing happens.
bool pli_viewer_press(pli_viewer *viewer, float x, float y);
void pli_viewer_drag(pli_viewer *viewer, float x, float y);
void pli_viewer_release(pli_viewer *viewer, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
