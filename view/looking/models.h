// Worlds of one scene that differ in the type of their bending constraints, or in something else, stepped together and shown side by
// side.
#ifndef PLI_VIEW_MODELS_H
#define PLI_VIEW_MODELS_H

#include <pliant/pliant.h>
#include <pliant/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_VIEW_MODELS_MOST = 4 };

typedef struct pli_view_model {
    char type[60]; // Type of the model, or another name.
    pli_world *world;
    void *start; // Snapshot of frame 0.
    size_t start_size;
    int32_t frame;
    float drop, stretch, milliseconds; // Drop of the lowest vertex since the start [m], largest [%], last step [ms].
    float lowest;                      // Height of the lowest vertex at the start [m].
    bool failed;                       // A step failed, and the world no longer advances.
    bool by_defaults;                  // A set has the type's defaults, since the type does not use a rigidity.
} pli_view_model;

// Applies the changes of the i-th world.
typedef pli_status (*pli_view_models_make)(void *user, int32_t i, pli_world *world, pli_error *error);

typedef struct pli_view_models {
    pli_view_model model[PLI_VIEW_MODELS_MOST];
    int32_t count;
    pli_view_models_make apply; // Null for bending types.
    void *user;
} pli_view_models;

// Creates a world for each type, at most four, in which every set of bending constraints has that type. A set that already has the type
// is kept; otherwise the new set gets the same rigidity if both types use it, else the defaults of the type. The previous worlds are
// closed. Errors: those of the scene and of pli_constraints_create, and NOT_FOUND for a type that does not bend and for a scene
// without a bending set; no world remains then.
pli_status pli_view_models_open(pli_view_models *models, const pli_scene *scene, const char *const *types,
                                int32_t count, pli_error *error);
// The same for worlds that a function modifies, with given names. The function is called again, with `user`, for each world that
// restarts.
pli_status pli_view_models_open_as(pli_view_models *models, const pli_scene *scene, const char *const *names,
                                   int32_t count, pli_view_models_make apply, void *user, pli_error *error);
// Calls that function for the i-th world in its current state.
pli_status pli_view_models_apply(pli_view_models *models, int32_t i, pli_error *error);
void pli_view_models_close(pli_view_models *models);
// Steps all worlds to a frame; an earlier frame is reached from the start.
void pli_view_models_go(pli_view_models *models, const pli_scene *scene, int32_t frame);

#ifdef __cplusplus
}
#endif
#endif
