// The shipped scenes and experiments, with their titles and pictures.
#ifndef PLI_VIEW_SHIPPED_H
#define PLI_VIEW_SHIPPED_H

#include <stdint.h>

// A scene or an experiment. The path of an experiment is that of its scene, or null if the experiment creates its own worlds. Missing
// items are null.
typedef struct pli_view_shipped {
    char *path, *title, *picture;
    char *name, *source;     // Name for `pliant-lab experiment`, and the paper; experiments only.
    int32_t claims, holding; // Number of claims in its last report, and number of those that hold.
} pli_view_shipped;

typedef struct pli_view_gallery {
    pli_view_shipped *scenes; // The scenes, then the experiments.
    int32_t count, scene_count;
} pli_view_gallery;

// Reads the folder of frame/shipped_scenes.h, sorted by title, and the verdicts of experiments (lab/verdicts, or
// where they are installed), sorted by name. The result is empty if there is no such folder.
void pli_view_gallery_find(pli_view_gallery *gallery);
void pli_view_gallery_release(pli_view_gallery *gallery);

#endif
