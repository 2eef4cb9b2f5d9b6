// The scenes and the experiments that come with the program, with their titles and pictures.
#ifndef PLI_VIEW_SHIPPED_H
#define PLI_VIEW_SHIPPED_H

#include <stdint.h>

// A scene, or an experiment: its path is then that of the scene that it is about, or null for one that makes its worlds itself. What is not there is null.
typedef struct pli_view_shipped {
    char *path, *title, *picture;
    char *name, *source;     // Of an experiment: its name for `pliant experiment`, and its paper.
    int32_t claims, holding; // How many claims its last report made, and how many of them held.
} pli_view_shipped;

typedef struct pli_view_gallery {
    pli_view_shipped *scenes; // The scenes, then the experiments.
    int32_t count, scene_count;
} pli_view_gallery;

// Reads the folder of frame/shipped_scenes.h, sorted by title, and the reports of experiments in docs/experiments beside it, in the order of their table. Empty
// where there is none.
void pli_view_gallery_find(pli_view_gallery *gallery);
void pli_view_gallery_release(pli_view_gallery *gallery);

#endif
