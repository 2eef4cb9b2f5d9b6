// The scenes that come with the program, with their titles and pictures.
#ifndef PLI_VIEW_SHIPPED_H
#define PLI_VIEW_SHIPPED_H

#include <stdint.h>

typedef struct pli_view_shipped {
    char *path, *title, *picture; // The picture is null where there is none.
} pli_view_shipped;

typedef struct pli_view_gallery {
    pli_view_shipped *scenes;
    int32_t count;
} pli_view_gallery;

// Reads the folder of frame/shipped_scenes.h, sorted by title. Empty where there is none.
void pli_view_gallery_find(pli_view_gallery *gallery);
void pli_view_gallery_release(pli_view_gallery *gallery);

#endif
