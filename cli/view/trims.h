// Thickness, hems, seams and backs that the appearance of a scene requests.
#ifndef PLI_CLI_TRIMS_H
#define PLI_CLI_TRIMS_H

#include <pliant/render.h>
#include <pliant/scene.h>

// A trim with the data that it points to.
typedef struct pli_cli_trim {
    pli_render_trim trim;
    pli_render_image back_image;
    uint8_t *edges;
    float *back_colours;
} pli_cli_trim;

typedef struct pli_cli_trims {
    pli_cli_trim *all;
    pli_render_trim *shown;
    int32_t count;
} pli_cli_trims;

// Allocates up to `most` trims. Returns the visible ones for a frame; null when memory runs out.
const pli_render_trim *pli_cli_trims_make(pli_cli_trims *trims, int32_t most);
void pli_cli_trims_release(pli_cli_trims *trims);
// Adds the trim of a deformable's appearance, with its image coordinates, which are borrowed. False when memory runs out.
bool pli_cli_trims_add(pli_cli_trims *trims, const pli_scene *scene, int32_t deformable, const float *coordinates);
// Shows the trims of meshes that still have the scene's triangles in the frame, as a torn mesh does, and returns their number.
int32_t pli_cli_trims_show(pli_cli_trims *trims, const pli_scene *scene, const pli_render_mesh *meshes);

#endif
