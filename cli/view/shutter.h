// The previous frame of a film, for motion blur.
#ifndef PLI_CLI_SHUTTER_H
#define PLI_CLI_SHUTTER_H

#include <pliant/render.h>

typedef struct pli_cli_shutter_mesh {
    float *positions;
    int32_t count, *triangles, triangle_count;
} pli_cli_shutter_mesh;

// Initialise it with zeros.
typedef struct pli_cli_shutter {
    float open;  // Fraction of the time between frames in which the shutter is open.
    bool passed; // Whether there is a previous frame.
    int32_t mesh_count, shape_count;
    pli_cli_shutter_mesh *meshes;
    pli_view *views; // [mesh_count]
    float **split;   // [mesh_count] previous positions of vertices that tears have added.
    pli_transform *poses;
    pli_camera camera;
} pli_cli_shutter;

// Copies a frame that has been drawn, or that came before one to draw. False when memory runs out.
bool pli_cli_shutter_keep(pli_cli_shutter *shutter, const pli_render_frame *frame);
// Gives the frame the previous one that was kept. False when memory runs out.
bool pli_cli_shutter_show(pli_cli_shutter *shutter, pli_render_frame *frame);
void pli_cli_shutter_release(pli_cli_shutter *shutter);

#endif
