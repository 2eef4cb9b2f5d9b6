// Pictures side by side, in a table of the report. The quick version draws none.
#ifndef PLI_LAB_PICTURES_H
#define PLI_LAB_PICTURES_H

#include "lab/lab_world.h"

typedef struct lab_gallery lab_gallery;

typedef struct lab_gallery_def {
    const char *name;          // Prefix of the file names.
    int32_t columns;           // Pictures per row.
    pli_vec3 minimum, maximum; // Box that the camera frames.
    bool turned;               // View from the front instead of from a corner.
    bool wireframe;
    bool ground; // Draws a ground at `ground_height`.
    float ground_height;
} lab_gallery_def;

// Opens a gallery. Without a renderer the report says so and has no pictures. The gallery lives until the lab is
// released to an earlier mark.
lab_gallery *lab_gallery_open(lab *l, const lab_gallery_def *def);
// Draws the mesh at these positions (3 floats a vertex; NULL: at rest). `caption` is copied.
void lab_gallery_add(lab_gallery *g, const char *caption, const pli_mesh *mesh, const float *positions);
// Draws everything in the world: deformables and colliders.
void lab_gallery_add_world(lab_gallery *g, const char *caption, pli_world *world);
// Writes the table into the report.
void lab_gallery_close(lab_gallery *g);

#endif
