// Blowing: air in a cone along the view, while a hand asks for it.
#ifndef PLI_VIEW_GUST_H
#define PLI_VIEW_GUST_H

#include <pliant/pliant.h>

typedef struct pli_view_gust {
    pli_vec3 from, way; // Where it comes from [m], and its unit direction.
    float speed;        // At full strength [m/s].
    float share;        // Of the strength now, 0..1: it comes and goes over some frames.
    float density;      // That of the air in the scene [kg/m3], which comes back when it is over.
    bool blows;         // Asked for now.
} pli_view_gust;

// Begins to blow, or leads what blows to another direction.
void pli_view_gust_blow(pli_view_gust *gust, const pli_world *world, pli_vec3 from, pli_vec3 way, float speed);
// Before a step: lets it come or go, and gives the world its air. `gust` must live until the step is over. A scene without air gets that of the
// sea's level as long as it blows.
pli_status pli_view_gust_apply(pli_view_gust *gust, pli_world *world, pli_error *error);

#endif
