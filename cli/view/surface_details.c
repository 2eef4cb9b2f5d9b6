// Trims of a frame from the scene's appearance.
#include "view/surface_details.h"

#include <stdlib.h>

_Static_assert((int)PLI_SCENE_EDGE_HEM == PLI_RENDER_HEM && (int)PLI_SCENE_EDGE_SEAM == PLI_RENDER_SEAM,
               "a scene's edges are read by the renderer as they are");

const pli_render_detail *pli_cli_details_make(pli_cli_details *t, int32_t most)
{
    t->all = calloc((size_t)most + 1, sizeof *t->all);
    t->shown = calloc((size_t)most + 1, sizeof *t->shown);
    return t->all ? t->shown : NULL;
}

void pli_cli_details_release(pli_cli_details *t)
{
    for (int32_t i = 0; t->all && i < t->count; i++) {
        free(t->all[i].edges);
        free(t->all[i].back_colours);
    }
    free(t->all);
    free(t->shown);
    *t = (pli_cli_details){0};
}

// Back colours by part, if any part has one.
static bool add_backs(pli_cli_detail *t, const pli_scene *scene, int32_t deformable, const pli_topology *topology)
{
    float *colours = calloc(3 * (size_t)topology->face_count + 1, sizeof *colours);
    if (colours && pli_scene_back_colours(scene, deformable, colours)) {
        t->detail.back_colours = t->back_colours = colours;
        return true;
    }
    free(colours);
    return colours != NULL;
}

static bool add_edges(pli_cli_detail *t, const pli_scene *scene, int32_t deformable, const pli_topology *topology)
{
    t->detail.edges = t->edges = calloc(3 * (size_t)topology->triangle_count + 1, 1);
    return t->edges && pli_scene_look_edges(scene, deformable, t->edges);
}

bool pli_cli_details_add(pli_cli_details *details, const pli_scene *scene, int32_t deformable, const float *coordinates)
{
    const pli_scene_look look = pli_scene_get_look(scene, deformable);
    const pli_mesh *mesh = pli_scene_mesh(scene, deformable);
    if (!mesh)
        return true;
    const pli_topology *topology = pli_mesh_topology(mesh);
    pli_cli_detail *t = &details->all[details->count++];
    t->detail = pli_render_detail_default();
    t->detail.mesh = deformable;
    t->detail.thickness = look.thickness, t->detail.rim = look.rim;
    t->detail.hem = look.hem, t->detail.hem_colour = look.hem_colour;
    t->detail.seam = look.seam, t->detail.seam_colour = look.seam_colour;
    t->back_image = (pli_render_image){deformable, look.back_image_width, look.back_image_height, look.back_image,
                                       coordinates};
    if (look.back_image)
        t->detail.back_image = &t->back_image;
    if ((look.hem > 0.0f || look.seam > 0.0f) && !add_edges(t, scene, deformable, topology))
        return false;
    return add_backs(t, scene, deformable, topology);
}

int32_t pli_cli_details_show(pli_cli_details *details, const pli_scene *scene, const pli_render_mesh *meshes)
{
    int32_t count = 0;
    for (int32_t k = 0; k < details->count; k++) {
        const pli_render_detail *detail = &details->all[k].detail;
        const pli_topology *now = pli_mesh_topology(meshes[detail->mesh].mesh);
        const pli_topology *own = pli_mesh_topology(pli_scene_mesh(scene, detail->mesh));
        if (now->triangle_count == own->triangle_count && now->face_count == own->face_count)
            details->shown[count++] = *detail;
    }
    return count;
}
