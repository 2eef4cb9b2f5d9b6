// The recording's frame has the same number as the scene's, or the same offset from the frame at which recording began; it is clamped
// to the recorded range.
#include "compare.h"

#include <string.h>

static void end(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    for (int32_t i = 0; i < d->other.object_count; i++)
        pli_cli_world_view_values(v->picture, i, NULL, NULL, 0.0f);
    pli_view_other_close(&d->other);
    d->shown_difference = false;
}

bool pli_viewer_compare(pli_viewer *v, const char *path)
{
    pli_error error = {0};
    pli_view_desk *d = v->desk;
    if (d->other.path)
        end(v);
    if (!path)
        return true;
    bool done = pli_view_other_open(&d->other, path, v->session.world, &error) == PLI_STATUS_OK;
    d->other_first = d->recorded && strcmp(path, d->recorded) == 0 ? d->recorded_first : 0;
    d->ghost = d->difference = true;
    if (!done)
        pli_session_fail(&v->session, "nothing is compared: %s", error.message);
    return done;
}

void pli_viewer_compare_frame(pli_viewer *v)
{
    pli_error error = {0};
    pli_view_desk *d = v->desk;
    pli_view_other *o = &d->other;
    if (!o->path)
        return;
    if (pli_view_other_read(o, v->session.world, v->session.frame - d->other_first, &error) != PLI_STATUS_OK) {
        pli_session_fail(&v->session, "'%s' cannot be compared: %s", o->path, error.message);
        end(v);
        return;
    }
    // Models side by side may have fewer vertices than the scene, and are not compared.
    bool shows = d->difference && v->measure < 0 && v->models.count == 0 && v->tool != PLI_SESSION_TOOL_BRUSH;
    if (!shows && (!d->shown_difference || v->painted))
        return;
    // The range is the next power of two of a millimetre, so it does not follow the noise of each frame.
    float range = 1e-3f;
    while (range < o->largest)
        range *= 2.0f;
    for (int32_t i = 0; i < o->object_count; i++)
        pli_cli_world_view_values(v->picture, i, shows ? o->objects[i].distances : NULL, "metres apart", range);
    d->shown_difference = shows;
    v->still = 0;
}
