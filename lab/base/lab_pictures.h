// Pictures side by side, in a table of the report. The quick version draws none.
//
// A gallery collects what is to be seen, and draws it when it is closed: its camera then fits what moves in all of its
// pictures, so that nothing is cut off. Pictures are 960 wide, as high as their content asks for, and have 256 colours,
// since they are kept beside the sources.
#ifndef PLI_LAB_PICTURES_H
#define PLI_LAB_PICTURES_H

#include "base/lab_world.h"

enum { LAB_LOOKS_MAX = 4 };

typedef struct lab_gallery lab_gallery;

// The camera of a picture is fitted to one of these.
typedef enum lab_fit {
    LAB_FIT_RUN,    // One camera for all pictures: places can be compared.
    LAB_FIT_FOLLOW, // One distance; the camera follows what moves: shapes and sizes can be compared.
    LAB_FIT_EACH    // Each picture by itself.
} lab_fit;

typedef struct lab_gallery_def {
    const char *name; // Prefix of the file names.
    int32_t columns;  // Pictures per row.
    lab_fit fit;
    pli_vec3 toward;                     // From what is seen to the eye; 0: the scene's view, or from a corner above.
    bool surroundings;                   // The camera fits bounded colliders too, not only what moves.
    pli_scene_look looks[LAB_LOOKS_MAX]; // Deformables without a scene take them in turn; black: blue, its back gold.
    pli_scene_look colliders;            // Look of colliders without a scene; black: grey.
    bool wireframe;
    bool ground; // Draws a ground at `ground_height`; a scene has its own.
    float ground_height;
} lab_gallery_def;

// Opens a gallery. It lives until the lab is released to an earlier mark; worlds and meshes that were added need not.
lab_gallery *lab_gallery_open(lab *l, const lab_gallery_def *def);
// Leaves a collider out of the pictures, such as a wall before what is to be seen.
void lab_gallery_hide(lab_gallery *g, pli_collider collider);
// Adds the mesh at these positions (3 floats a vertex; NULL: at rest). `caption` is copied.
void lab_gallery_add(lab_gallery *g, const char *caption, const pli_mesh *mesh, const float *positions);
// Adds everything in the world: deformables and colliders, also those of meshes and bodies.
void lab_gallery_add_world(lab_gallery *g, const char *caption, pli_world *world);
// Adds everything in the scene's world as the scene has it: colours, what is visible, ground, direction of view.
void lab_gallery_add_scene(lab_gallery *g, const char *caption, const lab_scene *s);
// Draws the pictures and writes the table into the report. Without a renderer the report says so.
void lab_gallery_close(lab_gallery *g);

#endif
