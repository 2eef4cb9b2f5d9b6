// Collects the diagnostics of a scene with their locations in its file.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_diagnostics.h"

#include "support/printable.h"

#include <stdarg.h>
#include <stdio.h>

void scene_diagnostics_keep(const scene_diagnostics *f, const pli_scene_diagnostic *message)
{
    if (!f->def->diagnostics || f->count >= f->def->diagnostic_capacity)
        return;
    char *at = (char *)f->def->diagnostics + (size_t)f->count * f->def->diagnostic_size;
    pli_struct_write(at, f->def->diagnostic_size, message, sizeof *message);
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
    pli_make_printable(message.path, false);
    pli_make_printable(message.text, false);
    if (kept)
        scene_diagnostics_keep(f, &message);
    f->count++;
    if (warning)
        return;
    if (f->errors++ == 0) {
        f->status = status;
        pli_fail(&f->first, status, "%.120s:%d:%d: %.100s: %.220s",
                 !f->def        ? ""
                 : f->def->path ? f->def->path
                                : "scene",
                 (int)message.line, (int)message.column, message.path, message.text);
    }
}
