// Worlds of one scene that differ in the type of their bending constraints, or in something else, stepped together to be seen side by side.
#ifndef PLI_VIEW_MODELS_H
#define PLI_VIEW_MODELS_H

#include <pliant/pliant.h>
#include <pliant/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_VIEW_MODELS_MOST = 4 };

typedef struct pli_view_model {
    char type[60]; // Or another name.
    pli_world *world;
    void *start; // Snapshot of frame 0.
    size_t start_size;
    int32_t frame;
    float drop, stretch, milliseconds; // Fall of the lowest vertex since the start [m], largest [%], last step [ms].
    float lowest;                      // Height of the lowest vertex at the start [m].
    bool failed;                       // A step failed, and its world stands still.
    bool by_defaults;                  // A set in it has the type's defaults, since it does not go by a rigidity.
} pli_view_model;

// Gives a world what makes it the i-th.
typedef pli_status (*pli_view_models_make)(void *user, int32_t i, pli_world *world, pli_error *error);

typedef struct pli_view_models {
    pli_view_model model[PLI_VIEW_MODELS_MOST];
    int32_t count;
    pli_view_models_make apply; // Null for types of bending.
    void *user;
} pli_view_models;

// Makes a world for each type, up to four, in which each set of bending constraints is one of that type: as it is where it has
// that type, else with the same rigidity where both go by it, else by its defaults. What was there before is closed. Errors: those of the scene and of pli_constraint_set_create, and
// NOT_FOUND for a type that does not bend and for a scene without a set that does; nothing is left then.
pli_status pli_view_models_open(pli_view_models *models, const pli_scene *scene, const char *const *types,
                                int32_t count, pli_error *error);
// The same with worlds that a function makes differ, under names. It is called again, with `user`, for each world that starts anew.
pli_status pli_view_models_open_as(pli_view_models *models, const pli_scene *scene, const char *const *names,
                                   int32_t count, pli_view_models_make apply, void *user, pli_error *error);
// Calls that function for the i-th world as it is now.
pli_status pli_view_models_apply(pli_view_models *models, int32_t i, pli_error *error);
void pli_view_models_close(pli_view_models *models);
// Steps all of them to a frame; to an earlier one from the start.
void pli_view_models_go(pli_view_models *models, const pli_scene *scene, int32_t frame);

#ifdef __cplusplus
}
#endif
#endif
