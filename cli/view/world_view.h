// Pictures of a world: every deformable and collider, seen as its scene says or fitted.
#ifndef PLI_CLI_WORLD_VIEW_H
#define PLI_CLI_WORLD_VIEW_H

#include <pliant/render.h>
#include <pliant/scene.h>

typedef struct pli_cli_picture pli_cli_picture;

// Writes where a collider's shell is, as pli_cli_shell_positions does.
typedef pli_status (*pli_cli_shell_source)(void *user, int32_t shell, float *positions, pli_error *error);

typedef struct pli_cli_picture_def {
    const pli_scene *scene;      // Null: plain colours and a fitted camera.
    pli_world *world;            // As made; its bounds are what a fitted camera sees.
    int32_t width, height;       // [pixels]; 0: as the scene says.
    const pli_camera *camera;    // Null: as the scene says.
    bool wireframe;              // Also where the scene has none.
    int32_t measure;             // A pli_measure to colour by; -1: as the scene says.
    pli_cli_shell_source source; // Of the shells' positions; null: the world.
    void *source_user;
    const pli_vec3 *bounds; // [2] least and greatest corner to fit instead of the world's; may be null.
} pli_cli_picture_def;

pli_status pli_cli_picture_open(const pli_cli_picture_def *def, pli_cli_picture **picture, pli_error *error);
void pli_cli_picture_close(pli_cli_picture *picture);
// Draws another world from now on, made from the same scene.
void pli_cli_picture_turn_to(pli_cli_picture *picture, pli_world *world, pli_cli_shell_source source, void *user);
// Draws a deformable with these faces and positions, borrowed until the next call, instead of the world's: a puppet
// cannot tear. A null mesh ends it. There are no measures of it.
void pli_cli_picture_instead(pli_cli_picture *picture, int32_t deformable, const pli_mesh *mesh, pli_view positions);
// Draws the world as it is now.
pli_status pli_cli_picture_draw(pli_cli_picture *picture, pli_error *error);
// What was drawn last: RGBA, top row first. Borrowed.
const uint8_t *pli_cli_picture_pixels(const pli_cli_picture *picture);
void pli_cli_picture_size(const pli_cli_picture *picture, int32_t *width, int32_t *height);

// Widens the corners by a view's positions. Start with +infinity and -infinity.
void pli_cli_bounds_add(pli_vec3 bounds[2], pli_view positions);

#endif
