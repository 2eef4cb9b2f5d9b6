// Blow tool: air flows in a cone along the view while the user holds the button.
#ifndef PLI_SESSION_BLOW_H
#define PLI_SESSION_BLOW_H

#include <pliant/pliant.h>

typedef struct pli_session_gust {
    pli_vec3 from, direction; // Origin [m] and unit direction.
    float speed;              // Speed at full strength [m/s].
    float strength;           // Current fraction of the full strength, 0..1: it ramps up and down over some frames.
    float density;            // Air density of the scene [kg/m3], restored when the gust is over.
    bool blows;               // Whether the gust is requested now.
} pli_session_gust;

// Starts a gust, or changes the direction of the current one.
void pli_session_gust_blow(pli_session_gust *gust, const pli_world *world, pli_vec3 from, pli_vec3 direction,
                           float speed);
// Called before a step: ramps the gust up or down and sets the world's air. `gust` must live until the step is over. A scene without
// air gets air of sea-level density while the gust lasts.
pli_status pli_session_gust_apply(pli_session_gust *gust, pli_world *world, pli_error *error);

#endif
