// Pictures of a world: every deformable and collider, seen as its scene says or fitted.
#ifndef PLI_CLI_WORLD_VIEW_H
#define PLI_CLI_WORLD_VIEW_H

#include <pliant/render.h>
#include <pliant/scene.h>

typedef struct pli_cli_world_view pli_cli_world_view;

// Writes where a collider's collider mesh is, as pli_cli_collider_mesh_positions does.
typedef pli_status (*pli_cli_collider_mesh_source)(void *user, int32_t collider_mesh, float *positions,
                                                   pli_error *error);

typedef struct pli_cli_world_view_def {
    const pli_scene *scene;              // Null: plain colours and a fitted camera.
    pli_world *world;                    // As made; its bounds are what a fitted camera sees.
    int32_t width, height;               // [pixels]; 0: as the scene says.
    const pli_camera *camera;            // Null: as the scene says.
    bool wireframe;                      // Also where the scene has none.
    int32_t measure;                     // A pli_measure to colour by; -1: as the scene says.
    pli_cli_collider_mesh_source source; // Of the collider meshes' positions; null: the world.
    void *source_user;
    const pli_vec3 *bounds; // [2] least and greatest corner to fit instead of the world's; may be null.
} pli_cli_world_view_def;

pli_status pli_cli_world_view_open(const pli_cli_world_view_def *def, pli_cli_world_view **picture, pli_error *error);
void pli_cli_world_view_close(pli_cli_world_view *picture);
// Draws another world from now on, made from the same scene.
void pli_cli_world_view_show(pli_cli_world_view *picture, pli_world *world, pli_cli_collider_mesh_source source,
                             void *user);
// Draws a deformable with these faces and positions, borrowed until the next call, instead of the world's: a playback
// cannot tear. A null mesh ends it. There are no measures of it.
void pli_cli_world_view_replace(pli_cli_world_view *picture, int32_t deformable, const pli_mesh *mesh,
                                pli_view positions);
// Draws the world as it is now.
pli_status pli_cli_world_view_draw(pli_cli_world_view *picture, pli_error *error);
// What was drawn last: RGBA, top row first. Borrowed.
const uint8_t *pli_cli_world_view_pixels(const pli_cli_world_view *picture);
void pli_cli_world_view_size(const pli_cli_world_view *picture, int32_t *width, int32_t *height);

// Widens the corners by a view's positions. Start with +infinity and -infinity.
void pli_cli_bounds_add(pli_vec3 bounds[2], pli_view positions);

#endif
