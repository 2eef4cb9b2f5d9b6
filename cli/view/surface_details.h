// Thickness, hems, seams and backs that the appearance of a scene requests.
#ifndef PLI_CLI_TRIMS_H
#define PLI_CLI_TRIMS_H

#include <pliant/render.h>
#include <pliant/scene.h>

// A detail with the data that it points to.
typedef struct pli_cli_detail {
    pli_render_detail detail;
    pli_render_image back_image;
    uint8_t *edges;
    float *back_colours;
} pli_cli_detail;

typedef struct pli_cli_details {
    pli_cli_detail *all;
    pli_render_detail *shown;
    int32_t count;
} pli_cli_details;

// Allocates up to `most` details. Returns the visible ones for a frame; null when memory runs out.
const pli_render_detail *pli_cli_details_make(pli_cli_details *details, int32_t most);
void pli_cli_details_release(pli_cli_details *details);
// Adds the detail of a deformable's appearance, with its image coordinates, which are borrowed. False when memory runs out.
bool pli_cli_details_add(pli_cli_details *details, const pli_scene *scene, int32_t deformable,
                         const float *coordinates);
// Shows the details of meshes that still have the scene's triangles in the frame, as a torn mesh does, and returns their number.
int32_t pli_cli_details_show(pli_cli_details *details, const pli_scene *scene, const pli_render_mesh *meshes);

#endif
