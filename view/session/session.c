// The world over time and under the user's tools. Going back restores a snapshot: from there the library gives bit-identical results,
// also with pins, grabs and cuts.
#include "session/session.h"

#include "session/edits.h"
#include "session/owners.h"
#include "session/strokes.h"
#include "files/deformable_values.h"
#include "frame/folders.h"
#include "frame/strings.h"

#include <jansson.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t budget_default = (size_t)256 << 20, edits_budget_default = (size_t)128 << 20;

static void show_message(pli_view_session *s, bool stays, const char *format, va_list arguments)
{
    vsnprintf(s->message, sizeof s->message, format, arguments);
    s->message_stays = stays;
    s->message_count++;
}

void pli_view_session_tell(pli_view_session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show_message(s, false, format, arguments);
    va_end(arguments);
}

void pli_view_session_fail(pli_view_session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show_message(s, true, format, arguments);
    va_end(arguments);
}

/* ---- kept frames -------------------------------------------------------------------------------- */

static void drop(pli_view_session *s, int32_t i)
{
    s->kept_bytes -= s->kept[i].size;
    pli_view_kept_release(&s->kept[i]);
    memmove(&s->kept[i], &s->kept[i + 1], (size_t)(s->kept_count - i - 1) * sizeof *s->kept);
    s->kept_count--;
}

static bool make_room(pli_view_session *s)
{
    if (s->kept_count < s->kept_capacity)
        return true;
    int32_t capacity = 2 * s->kept_capacity + 64;
    pli_view_kept *grown = realloc(s->kept, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    s->kept = grown;
    s->kept_capacity = capacity;
    return true;
}

bool pli_view_session_capture(const pli_view_session *s, pli_view_kept *k)
{
    *k = (pli_view_kept){.frame = s->frame,
                         .size = pli_world_snapshot_size(s->world),
                         .grab = s->grab,
                         .target = s->target,
                         .holds = s->holds,
                         .balls = s->balls,
                         .gust = s->gust,
                         .figures = pli_view_figures_of(s->world),
                         .paint = pli_view_paint_hold(s->paint),
                         .side = s->values.side};
    k->bytes = malloc(k->size);
    if (k->bytes && pli_world_snapshot_write(s->world, k->bytes, k->size, NULL) == PLI_STATUS_OK)
        return true;
    pli_view_kept_release(k);
    return false;
}

void pli_view_kept_release(pli_view_kept *k)
{
    free(k->bytes);
    pli_view_paint_release(k->paint);
    *k = (pli_view_kept){0};
}

// When memory runs out, the oldest frames except the start are dropped.
static void push(pli_view_session *s, const pli_view_kept *k)
{
    s->kept[s->kept_count++] = *k;
    s->kept_bytes += k->size;
    while (s->kept_bytes > s->budget && s->kept_count > 2)
        drop(s, 1);
}

static void keep(pli_view_session *s)
{
    pli_view_kept k;
    if (make_room(s) && pli_view_session_capture(s, &k))
        push(s, &k);
}

int32_t pli_view_session_check(pli_view_session *s)
{
    const double dt = 1.0 / pli_scene_frames_per_second(s->scene);
    if (s->cache) // A recording cannot be stepped.
        return 0;
    if (!s->checked)
        pli_world_check(s->world, dt, &s->finding_count, NULL);
    s->checked = true;
    return s->finding_count;
}

void pli_view_session_keep_again(pli_view_session *s)
{
    pli_view_kept k;
    s->checked = false;
    if (!make_room(s) || !pli_view_session_capture(s, &k))
        return;
    while (s->kept_count > 0 && s->kept[s->kept_count - 1].frame >= s->frame)
        drop(s, s->kept_count - 1);
    push(s, &k);
}

static int32_t kept_before(const pli_view_session *s, int32_t frame)
{
    int32_t i = s->kept_count - 1;
    while (i > 0 && s->kept[i].frame > frame)
        i--;
    return i;
}

static bool restore(pli_view_session *s, const pli_view_kept *k)
{
    pli_error error;
    s->stroke = (pli_view_stroke){0};
    if (!pli_view_session_repaint(s, k->paint))
        return false;
    if (pli_world_snapshot_read(s->world, k->bytes, k->size, &error) != PLI_STATUS_OK) {
        pli_view_session_fail(s, "frame %d cannot be restored: %s", (int)k->frame, error.message);
        return false;
    }
    s->frame = k->frame;
    s->grab = k->grab, s->target = k->target, s->holds = k->holds;
    s->balls = k->balls, s->gust = k->gust, s->values.side = k->side;
    s->mover = (pli_view_mover){0};
    s->playback.frame = k->frame;
    if (s->cache && pli_cli_playback_show(&s->playback, k->frame, &error) != PLI_STATUS_OK)
        pli_view_session_fail(s, "frame %d cannot be read: %s", (int)k->frame, error.message);
    return true;
}

bool pli_view_session_return(pli_view_session *s, const pli_view_kept *moment)
{
    if (!restore(s, moment))
        return false;
    pli_view_session_keep_again(s);
    return true;
}

/* ---- opening ------------------------------------------------------------------------------------ */

static pli_status first_diagnostic(const pli_cli_scene_source *source, pli_error *error)
{
    for (int32_t i = 0; i < source->message_count; i++) {
        const pli_scene_diagnostic *m = &source->messages[i];
        if (m->warning)
            continue;
        snprintf(error->message, sizeof error->message, "%s:%d:%d: %s: %s", source->path, (int)m->line, (int)m->column,
                 m->path, m->text);
        break;
    }
    return error->status;
}

// A recording without a scene gets an empty scene with its name and length.
static pli_status plain_scene(pli_view_session *s, pli_error *error)
{
    const char *slash = strrchr(s->source.path, '/');
    char text[400], *name = pli_cli_stem(s->source.path);
    pli_cli_name_clean(name);
    snprintf(text, sizeof text, "{\"pliant\": 1, \"title\": \"%.100s\", \"frames\": %d, \"frames_per_second\": %.9g}",
             name[0] ? name : (slash ? "recording" : "run"), (int)pli_cache_frame_count(s->cache),
             fmax(pli_cache_frames_per_second(s->cache), 0.1));
    pli_scene_load_def def = pli_scene_load_def_default();
    def.text = text;
    def.text_size = strlen(text);
    free(name);
    return pli_scene_load(&def, &s->scene, error);
}

// Loads the scene that a run's folder names, for its colliders and colours; false if it no longer exists.
static bool scene_of_run(pli_view_session *s)
{
    char *path = pli_cli_format("%s/summary.json", s->source.path);
    json_t *summary = json_load_file(path, 0, NULL);
    pli_cli_scene_source source = {.path = json_string_value(json_object_get(summary, "scene")),
                                   .allow_outside = s->source.allow_outside,
                                   .plugins = s->source.plugins};
    bool found = source.path && pli_cli_scene_load(&source, &s->scene, NULL) == PLI_STATUS_OK;
    found = found && pli_cli_playback_open(s->cache, s->scene, &s->playback, NULL) == PLI_STATUS_OK;
    if (!found) {
        pli_scene_destroy(s->scene);
        s->scene = NULL;
    }
    pli_cli_scene_source_release(&source);
    json_decref(summary);
    free(path);
    return found;
}

static pli_status open_recording(pli_view_session *s, pli_error *error)
{
    pli_status status = pli_cli_recording_read(s->source.path, &s->cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    bool has_scene = pli_cli_is_folder(s->source.path) && scene_of_run(s);
    if (!has_scene)
        status = plain_scene(s, error);
    if (status == PLI_STATUS_OK && !has_scene)
        status = pli_cli_playback_open(s->cache, NULL, &s->playback, error);
    s->world = s->playback.world;
    return status == PLI_STATUS_OK ? pli_cli_playback_show(&s->playback, 0, error) : status;
}

static pli_status open_scene(pli_view_session *s, pli_error *error)
{
    pli_status status = pli_cli_scene_load(&s->source, &s->scene, error);
    if (status != PLI_STATUS_OK)
        status = first_diagnostic(&s->source, error);
    pli_scene_world_def def = pli_scene_world_def_default();
    return status == PLI_STATUS_OK ? pli_scene_create_world(s->scene, &def, &s->world, error) : status;
}

pli_status pli_view_session_open(pli_view_session *s, const char *path, bool allow_outside,
                                 const pli_cli_plugins *plugins, pli_error *error)
{
    *s = (pli_view_session){.source = {.path = path, .allow_outside = allow_outside, .plugins = *plugins},
                            .budget = budget_default,
                            .edits_budget = edits_budget_default};
    pli_status status = (pli_cli_is_recording(path) ? open_recording : open_scene)(s, error);
    if (status == PLI_STATUS_OK)
        status = pli_view_balls_make(s->world, &s->balls, s->ball_colliders, error);
    if (status != PLI_STATUS_OK) {
        pli_cli_scene_source source = s->source;
        s->source.messages = NULL;
        pli_view_session_close(s);
        s->source = source;
        return status;
    }
    s->brush = pli_view_brush_for(s->world, pli_view_session_size(s));
    keep(s);
    return status;
}

void pli_view_session_close(pli_view_session *s)
{
    while (s->kept_count > 0)
        drop(s, s->kept_count - 1);
    free(s->kept);
    pli_view_session_release_edits(s);
    for (int k = 0; k < 2; k++)
        pli_view_baseline_release(&s->values.sets[k]);
    pli_view_kept_release(&s->whole);
    pli_view_paint_release(s->paint);
    // The playback owns the world of a recording.
    if (s->cache)
        pli_cli_playback_close(&s->playback);
    else
        pli_world_destroy(s->world);
    pli_cache_close(s->cache);
    pli_scene_destroy(s->scene);
    pli_cli_scene_source_release(&s->source);
    *s = (pli_view_session){0};
}

/* ---- time --------------------------------------------------------------------------------------- */

static pli_status move_hands(pli_view_session *s, pli_error *error)
{
    const pli_scene_view view = pli_scene_get_view(s->scene);
    const float dt = (float)(1.0 / pli_scene_frames_per_second(s->scene));
    pli_status status = pli_view_gust_apply(&s->gust, s->world, error);
    if (status == PLI_STATUS_OK)
        status = pli_view_mover_apply(&s->mover, s->world, dt, error);
    return status == PLI_STATUS_OK ? pli_view_balls_move(s->world, &s->balls, s->ball_colliders, dt, view.up,
                                                         view.ground ? view.ground_height : -INFINITY, error)
                                   : status;
}

int32_t pli_view_session_last(const pli_view_session *s)
{
    return s->cache ? pli_cache_frame_count(s->cache) - 1 : s->kept[s->kept_count - 1].frame;
}

static void show_next(pli_view_session *s)
{
    pli_error error;
    if (s->frame >= pli_view_session_last(s)) {
        s->playing = false;
    } else if (pli_cli_playback_show(&s->playback, s->frame + 1, &error) != PLI_STATUS_OK) {
        s->playing = false;
        pli_view_session_fail(s, "frame %d cannot be read: %s", (int)s->frame + 1, error.message);
    } else if (++s->frame > s->kept[s->kept_count - 1].frame) {
        keep(s);
    }
}

void pli_view_session_step(pli_view_session *s)
{
    pli_error error;
    pli_status status = PLI_STATUS_OK;
    if (s->cache) {
        show_next(s);
        return;
    }
    while (s->kept_count > 1 && s->kept[s->kept_count - 1].frame > s->frame)
        drop(s, s->kept_count - 1);
    pli_view_session_forget_edits(s);
    if (s->grab.attachment.id != 0)
        status = pli_grab_update(s->world, &s->grab, s->target, (float)(1.0 / pli_scene_frames_per_second(s->scene)),
                                 s->holds, &error);
    if (status == PLI_STATUS_OK)
        status = move_hands(s, &error);
    if (status == PLI_STATUS_OK)
        status = pli_scene_step(s->scene, s->world, s->frame, &error);
    if (status == PLI_STATUS_OK) {
        s->frame++;
        keep(s);
        return;
    }
    int32_t failed = s->frame + 1;
    s->playing = false;
    if (restore(s, &s->kept[kept_before(s, s->frame)]))
        pli_view_session_fail(s, "frame %d failed, and frame %d is restored: %s", (int)failed, (int)s->frame,
                              error.message);
}

void pli_view_session_go(pli_view_session *s, int32_t frame)
{
    frame = frame > 0 ? frame : 0;
    int32_t last = pli_view_session_last(s);
    if (!restore(s, &s->kept[kept_before(s, frame)]))
        return;
    // Frames after the last stored one must be computed.
    for (s->playing = s->playing && frame > last; s->frame < frame;) {
        int32_t before = s->frame;
        pli_view_session_step(s);
        if (s->frame <= before)
            return;
    }
}

/* ---- tools -------------------------------------------------------------------------------------- */

void pli_view_session_grab(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    pli_error error;
    pli_grab_def def = pli_grab_def_default();
    pli_view positions = pli_deformable_positions(s->world, deformable);
    def.deformable = deformable;
    def.vertex = vertex;
    def.radius = s->grab_radius;
    if (pli_grab_begin(s->world, &def, &s->grab, &error) != PLI_STATUS_OK) {
        pli_view_session_fail(s, "nothing is grabbed: %s", error.message);
        return;
    }
    const float *p = pli_view_at(positions, vertex);
    s->target = (pli_vec3){p[0], p[1], p[2]};
    s->holds = true;
}

void pli_view_session_release(pli_view_session *s) { s->holds = false; }

/* ---- values ------------------------------------------------------------------------------------- */

const pli_property *pli_view_setting_find(const char *path, int32_t *component)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("settings");
    const bool in_full = strncmp(path, "settings.", 9) == 0;
    const char *name = in_full ? path + 9 : path;
    const size_t length = strcspn(name, ".");
    *component = -1;
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        if (strlen(p->name) != length || strncmp(p->name, name, length) != 0)
            continue;
        const char *axes = "xyz", *axis = name[length] ? strchr(axes, name[length + 1]) : NULL;
        if (p->kind != PLI_PROPERTY_VECTOR && !name[length])
            *component = 0;
        if (p->kind == PLI_PROPERTY_VECTOR && axis && *axis && !name[length + 2])
            *component = (int32_t)(axis - axes);
        // A deformable may have the name of a setting: "wind.friction" is then a number of that deformable.
        return in_full || !name[length] || *component >= 0 ? p : NULL;
    }
    return NULL;
}

static pli_status set_setting(pli_world *world, const char *path, double value, pli_error *error)
{
    int32_t component;
    const pli_property *property = pli_view_setting_find(path, &component);
    pli_settings settings = pli_world_settings(world);
    double values[3] = {0};
    if (!property)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "there is no such setting");
    if (component < 0)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND,
                            property->kind == PLI_PROPERTY_VECTOR
                                ? "it is a vector: settings.%s.x, .y and .z are its components"
                                : "'%s' is a number without components",
                            property->name);
    pli_property_read(property, &settings, values);
    values[component] = value;
    pli_status status = pli_property_write(property, &settings, values, error);
    return status == PLI_STATUS_OK ? pli_world_set_settings(world, &settings, error) : status;
}

pli_constraints pli_view_session_find_set(const pli_view_session *s, const char *path, size_t length)
{
    for (int32_t i = 0; i < pli_world_constraints_count(s->world); i++) {
        pli_constraints set = pli_world_constraints_at(s->world, i);
        pli_constraints_info info;
        char name[300];
        if (pli_constraints_get_info(s->world, set, &info, NULL) != PLI_STATUS_OK)
            continue;
        snprintf(name, sizeof name, "%s/%s", pli_deformable_name(s->world, info.deformable), info.name);
        const char *own = strrchr(name, '/') + 1;
        if ((strlen(name) == length && strncmp(name, path, length) == 0) ||
            (strlen(own) == length && strncmp(own, path, length) == 0))
            return set;
    }
    return (pli_constraints){0};
}

pli_deformable pli_view_session_find_deformable(const pli_view_session *s, const char *name, size_t length)
{
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(s->world, i);
        const char *own = pli_deformable_name(s->world, deformable);
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            return deformable;
    }
    return (pli_deformable){0};
}

static bool finish(pli_view_session *s, const char *path, pli_status status, const pli_error *error)
{
    pli_view_session_edited(s, status == PLI_STATUS_OK);
    if (status != PLI_STATUS_OK)
        pli_view_session_fail(s, "%s stays: %s", path, error->message);
    return status == PLI_STATUS_OK;
}

bool pli_view_session_set_parameter(pli_view_session *s, pli_constraints set, const char *name, double value)
{
    pli_error error = {0};
    pli_constraints_info info;
    char path[300];
    pli_status status = pli_constraints_get_info(s->world, set, &info, &error);
    snprintf(path, sizeof path, "%s.%s", status == PLI_STATUS_OK ? info.name : "?", name);
    pli_view_session_edit(s, path, true);
    const pli_view_owner owner = {.set = set};
    const pli_property *p = pli_view_owner_property(s->world, owner, name);
    if (status == PLI_STATUS_OK)
        status = p ? pli_view_owner_write(s->world, owner, p, value, &error)
                   : pli_constraints_set_parameter(s->world, set, name, value, &error);
    return finish(s, path, status, &error);
}

// A preset names owners as a panel does. Values that a set does not have are skipped.
static pli_status apply_material(pli_view_session *s, pli_deformable deformable, const pli_material *material,
                                 pli_error *error)
{
    pli_panel_value list[PLI_PANEL_VALUES_MAX];
    const int32_t count = pli_material_panel_values(material, list);
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < count && status == PLI_STATUS_OK; i++) {
        pli_view_owner owner;
        const pli_property *p = NULL;
        if (pli_view_owner_find(s->world, deformable, list[i].prefix, 0, &owner))
            p = pli_view_owner_property(s->world, owner, list[i].name);
        if (p && !(owner.deformable.id != 0 && pli_view_session_is_painted(s, deformable, p->name)))
            status = pli_view_owner_write(s->world, owner, p, list[i].value, error);
    }
    return status;
}

bool pli_view_session_set_material(pli_view_session *s, pli_deformable deformable, const pli_material *material)
{
    pli_error error = {0};
    char label[80];
    snprintf(label, sizeof label, "material %s", material->name);
    pli_view_session_edit(s, label, false);
    pli_status status = apply_material(s, deformable, material, &error);
    return finish(s, "material", status, &error);
}

bool pli_view_session_is_painted(const pli_view_session *s, pli_deformable deformable, const char *name)
{
    const int32_t row = pli_view_brush_find(name);
    return row >= 0 && ((s->painted_rows >> row & 1) || pli_view_paint_find(s->paint, row, deformable));
}

bool pli_view_session_set_deformable(pli_view_session *s, pli_deformable deformable, const char *name, double value)
{
    pli_error error = {0};
    char path[300];
    const pli_property *p = pli_view_deformable_property_find(name);
    snprintf(path, sizeof path, "%.200s.%.80s", pli_deformable_name(s->world, deformable), name);
    pli_view_session_edit(s, path, true);
    pli_status status = !p ? pli_cli_fail(&error, PLI_STATUS_NOT_FOUND, "a deformable has no such number")
                        : pli_view_session_is_painted(s, deformable, name)
                            ? pli_cli_fail(&error, PLI_STATUS_UNSUPPORTED, "it is painted, which the brush changes")
                            : pli_view_deformable_set_value(s->world, deformable, p, value, &error);
    return finish(s, path, status, &error);
}

bool pli_view_session_set(pli_view_session *s, const char *path, double value)
{
    pli_error error = {0};
    const char *dot = strrchr(path, '.');
    int32_t component;
    if (dot && strncmp(path, "settings.", 9) != 0 && !pli_view_setting_find(path, &component)) {
        pli_constraints set = pli_view_session_find_set(s, path, (size_t)(dot - path));
        const pli_deformable deformable = pli_view_session_find_deformable(s, path, (size_t)(dot - path));
        if (set.id != 0)
            return pli_view_session_set_parameter(s, set, dot + 1, value);
        if (deformable.id != 0)
            return pli_view_session_set_deformable(s, deformable, dot + 1, value);
        pli_view_session_fail(s, "%s stays: no constraint set and no deformable is called '%.*s'", path,
                              (int)(dot - path), path);
        return false;
    }
    pli_view_session_edit(s, path, true);
    return finish(s, path, set_setting(s->world, path, value, &error), &error);
}
