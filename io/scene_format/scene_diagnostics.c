// Collects the diagnostics of a scene with their locations in its file.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_diagnostics.h"

#include "src/base/nearest_name.h"
#include "support/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void scene_diagnostics_keep(const scene_diagnostics *f, const pli_scene_diagnostic *message)
{
    if (f->def->diagnostics && f->count < f->def->diagnostic_capacity)
        f->def->diagnostics[f->count] = *message;
}

void scene_report(scene_diagnostics *f, pli_status status, bool warning, const char *path, const char *format, ...)
{
    pli_scene_diagnostic message = {.warning = warning};
    bool kept = f->def && f->def->diagnostics && f->count < f->def->diagnostic_capacity;
    const scene_place *place = kept || f->errors == 0 ? scene_places_at(&f->places, path) : NULL;
    if (place) {
        message.line = place->line;
        message.column = place->column;
    }
    snprintf(message.path, sizeof message.path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    size_t used = strlen(message.text);
    if (place && place->setting)
        snprintf(message.text + used, sizeof message.text - used, " (set by %s)", place->setting);
    pli_make_printable(message.path, false);
    pli_make_printable(message.text, false);
    if (kept)
        scene_diagnostics_keep(f, &message);
    f->count++;
    if (warning)
        return;
    if (f->errors++ == 0) {
        f->status = status;
        char at[32] = "";
        if (message.line > 0)
            snprintf(at, sizeof at, ":%d:%d", (int)message.line, (int)message.column);
        pli_fail(&f->first, status, "%.120s%s: %.100s: %.220s",
                 !f->def        ? ""
                 : f->def->path ? f->def->path
                                : "scene",
                 at, message.path, message.text);
    }
}

void scene_report_unknown(scene_diagnostics *f, const char *path, const char *what, const char *name,
                          const char *const *names, int count)
{
    const char *meant = pli_meant_name(name, names, count);
    char list[PLI_NAME_LIST];
    if (meant) {
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "%s '%s'; did you mean '%s'?", what, name, meant);
        return;
    }
    pli_list_names(list, names, count);
    scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "%s '%s'; there %s %s", what, name, count == 1 ? "is" : "are",
                 count > 0 ? list : "none");
}
