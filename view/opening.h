// Opens scenes and recordings as sessions.
#ifndef PLI_VIEW_OPENING_H
#define PLI_VIEW_OPENING_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "looking/figures.h"
#include "sources/scene_source.h"
#include "view/playback.h"

// Where a session comes from, and what its plots show.
typedef struct pli_view_source {
    pli_cli_scene_source scene; // File of the scene or of the recording, with its problems.
    pli_cache *cache;           // Cache of a recording; null for a simulated scene.
    pli_cli_playback playback;  // Its playback, which owns the world.
    pli_view_figures *figures;  // Figures of each frame so far.
    int32_t figure_count, figure_capacity;
} pli_view_source;

// Opens a scene or a recording; `path` and the paths of the plugins are borrowed. After a failure `source` is open, with the problems of
// the file, unless memory ran out; the session is closed.
pli_status pli_view_source_open(pli_view_source **source, pli_session *session, const char *path, bool allow_outside,
                                const pli_cli_plugins *plugins, pli_error *error);
// Closes both; a null source is allowed.
void pli_view_source_close(pli_view_source *source, pli_session *session);
// The figures of a frame: zero for a frame that was not shown yet.
pli_view_figures pli_view_source_figures(const pli_view_source *source, int32_t frame);

#ifdef __cplusplus
}
#endif
#endif
