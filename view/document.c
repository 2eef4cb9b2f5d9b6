// A new file is opened next to the current one and replaces it only when it is valid: an error loses nothing.
#define _XOPEN_SOURCE 700
#include "document.h"
#include "recording.h"

#include "compare.h"
#include "files/scene_paints.h"
#include "files/thumbnail.h"
#include "frame/folders.h"
#include "frame/strings.h"
#include "sources/fitted_scene.h"

#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- problems of a file ------------------------------------------------------------------------- */

static void read_line(const char *path, int32_t number, char *line, size_t size)
{
    FILE *file = number > 0 ? fopen(path, "r") : NULL;
    line[0] = '\0';
    for (int32_t i = 1; file && i <= number;) {
        if (!fgets(line, (int)size, file)) {
            line[0] = '\0';
            break;
        }
        // A line longer than the buffer is read in parts.
        i += i == number || strchr(line, '\n') ? 1 : 0;
    }
    if (file)
        fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
}

static void forget_problems(pli_view_desk *d)
{
    free(d->refused);
    d->refused = NULL;
    d->problem_count = 0;
}

static void note_problems(pli_view_desk *d, const char *path, const pli_cli_scene_source *source,
                          const pli_error *error)
{
    forget_problems(d);
    d->refused = pli_cli_format("%s", path);
    for (int32_t i = 0; i < source->message_count && d->problem_count < PLI_VIEW_PROBLEMS_MOST; i++) {
        const pli_scene_diagnostic *m = &source->messages[i];
        if (m->warning)
            continue;
        pli_view_problem *p = &d->problems[d->problem_count++];
        p->line = m->line, p->column = m->column;
        snprintf(p->text, sizeof p->text, "%s%s%s", m->path, m->path[0] ? ": " : "", m->text);
        read_line(source->path, m->line, p->source, sizeof p->source);
    }
    if (d->problem_count > 0)
        return;
    d->problems[0] = (pli_view_problem){0};
    snprintf(d->problems[0].text, sizeof d->problems[0].text, "%s", error->message);
    d->problem_count = 1;
}

/* ---- opening ------------------------------------------------------------------------------------ */

// Values that the scene lists are in the world already. The library does not return values of a file, which a brush cannot continue.
static void begin_paint(pli_session *s, const pli_view_baseline *start)
{
    json_t *scene = start->text ? json_loadb(start->text, start->text_size, 0, NULL) : NULL;
    for (int32_t quantity = 0; quantity < pli_session_quantity_count(); quantity++) {
        const char *name = pli_session_quantity_name(quantity);
        if (!pli_session_quantity_is_value(quantity))
            continue;
        if (pli_view_paints_by_file(scene, name))
            s->painted_by_file |= 1u << quantity;
        for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
            const pli_mesh *mesh = pli_deformable_rest_mesh(s->world, pli_world_deformable_at(s->world, i));
            const int32_t count = pli_mesh_topology(mesh)->vertex_count;
            float *values = malloc(((size_t)count + 1) * sizeof *values);
            if (values && pli_view_paints_read(scene, i, name, values, count))
                pli_session_paint_start(s, quantity, i, values, count);
            free(values);
        }
    }
    json_decref(scene);
    if (s->paint)
        pli_session_begin_here(s);
}

pli_status pli_viewer_note_start(pli_viewer *v, const char *path, pli_error *error)
{
    pli_view_desk *d = v->desk;
    pli_view_baseline start;
    // A recording is not saved as a scene.
    pli_status status = pli_view_baseline_read(&start, v->session.world,
                                               pli_world_collider_count(v->session.world) - PLI_SESSION_BALLS,
                                               v->session.show ? NULL : path, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_view_baseline_release(&d->start);
    d->start = start;
    char *copied = pli_cli_format("%s", path);
    free(d->path);
    d->path = copied;
    v->source->scene.path = d->path;
    pli_view_watch_begin(&d->watch, copied);
    begin_paint(&v->session, &d->start);
    forget_problems(d);
    return status;
}

// The state of the window that persists when another scene is opened.
static void carry(pli_viewer *next, const pli_viewer *before)
{
    next->tool = before->tool;
    next->drawing = before->drawing;
    next->click_x = before->click_x, next->click_y = before->click_y, next->click = before->click;
    next->click_to = before->click_to;
    next->session.playing = before->session.playing;
}

static bool open_scene(pli_viewer *v, const char *path, bool allow_outside)
{
    pli_error error = {0};
    pli_viewer next;
    char *kept = pli_cli_format("%s", path);
    pli_status status = pli_viewer_open(&next, v->desk, kept, allow_outside, v->width, v->height, &error);
    if (status != PLI_STATUS_OK) {
        note_problems(v->desk, kept, &next.source->scene, &error);
        pli_view_source_close(next.source, &next.session);
        free(kept);
        return false;
    }
    pli_viewer_record_end(v);
    pli_viewer_compare(v, NULL);
    carry(&next, v);
    pli_viewer_close(v);
    *v = next;
    status = pli_viewer_note_start(v, kept, &error);
    v->desk->open_outside = allow_outside;
    free(kept);
    return status == PLI_STATUS_OK;
}

void pli_viewer_note_mesh(pli_view_desk *d, const char *mesh, pli_guess_kind kind)
{
    char *kept = mesh ? pli_cli_format("%s", mesh) : NULL;
    free(d->mesh);
    d->mesh = kept;
    d->kind = kind;
}

static void forget_made(pli_view_desk *d)
{
    if (d->made)
        unlink(d->made);
    free(d->made);
    d->made = NULL;
}

pli_status pli_viewer_make_for(pli_view_desk *d, const char *mesh, pli_guess_kind kind, bool quiet, char **path,
                               pli_error *error)
{
    const char *temporary = getenv("TMPDIR");
    *path = NULL;
    if (!d->made_folder) {
        d->made_folder = pli_cli_format("%s/pliant-view-XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
        if (!mkdtemp(d->made_folder)) {
            pli_status status = pli_cli_fail(error, PLI_STATUS_FILE, "the folder '%s' cannot be made", d->made_folder);
            free(d->made_folder);
            d->made_folder = NULL;
            return status;
        }
    }
    pli_status status = pli_cli_fitted_for(mesh, d->made_folder, kind, quiet, path, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (d->made && strcmp(d->made, *path) == 0)
        free(d->made);
    else
        forget_made(d);
    d->made = pli_cli_format("%s", *path);
    return status;
}

static bool open_mesh(pli_viewer *v, const char *path, pli_guess_kind kind)
{
    pli_error error = {0};
    char *made = NULL, *kept = pli_cli_format("%s", path);
    bool done = false;
    if (pli_viewer_make_for(v->desk, kept, kind, true, &made, &error) != PLI_STATUS_OK)
        note_problems(v->desk, kept, &(pli_cli_scene_source){.path = kept}, &error);
    else
        done = open_scene(v, made, true);
    if (done)
        pli_viewer_note_mesh(v->desk, kept, kind);
    free(kept);
    free(made);
    return done;
}

bool pli_viewer_load(pli_viewer *v, const char *path)
{
    const bool mesh = pli_cli_is_mesh_file(path) && !pli_cli_is_recording(path);
    const bool done = mesh ? open_mesh(v, path, PLI_GUESS_AUTO) : open_scene(v, path, v->desk->allow_outside);
    if (done && !mesh)
        pli_viewer_note_mesh(v->desk, NULL, PLI_GUESS_AUTO);
    if (done)
        v->desk->shows_gallery = v->desk->shows_files = false;
    return done;
}

bool pli_viewer_take_mesh_for(pli_viewer *v, pli_guess_kind kind)
{
    if (!v->desk->mesh) {
        pli_session_tell(&v->session, "this scene was not made for a mesh: open or drop one first");
        return false;
    }
    return open_mesh(v, v->desk->mesh, kind);
}

bool pli_viewer_reload(pli_viewer *v)
{
    const pli_view_camera camera = v->camera;
    v->desk->reloads++;
    if (!open_scene(v, v->desk->path, v->desk->open_outside))
        return false;
    v->camera = camera;
    pli_session_tell(&v->session, "'%s' has changed and is loaded again", v->desk->path);
    return true;
}

void pli_viewer_look_at_file(pli_viewer *v)
{
    if (pli_view_watch_look(&v->desk->watch))
        pli_viewer_reload(v);
}

/* ---- saving ------------------------------------------------------------------------------------- */

static char *free_name(const char *path)
{
    const char *extension = pli_cli_extension(path);
    int length = (int)(strlen(path) - (*extension ? strlen(extension) + 1 : 0));
    for (int number = 1;; number++) {
        char *name = pli_cli_format("%.*s-%d.json", length, path, number);
        if (access(name, F_OK) != 0)
            return name;
        free(name);
    }
}

// A saved scene must load; in another folder its meshes may be missing.
static bool loads(pli_viewer *v, const char *path)
{
    pli_cli_scene_source source = {.path = path, .allow_outside = v->desk->open_outside, .plugins = v->desk->plugins};
    pli_scene *scene = NULL;
    pli_error error = {0};
    bool sound = pli_cli_scene_load(&source, &scene, &error) == PLI_STATUS_OK;
    if (!sound)
        pli_session_fail(&v->session, "'%s' is written, but does not load: %s", path, error.message);
    pli_scene_destroy(scene);
    pli_cli_scene_source_release(&source);
    return sound;
}

bool pli_viewer_save(pli_viewer *v, const char *path)
{
    pli_view_desk *d = v->desk;
    // A scene that was made for a mesh is saved next to the mesh.
    const bool anew = !path || (d->made && strcmp(path, d->made) == 0);
    char *to = anew ? free_name(d->mesh ? d->mesh : d->path) : pli_cli_format("%s", path);
    int32_t changes = 0;
    pli_error error = {0};
    if (v->session.show) {
        pli_session_tell(&v->session, "a recording is no scene that can be saved");
        free(to);
        return false;
    }
    bool own = strcmp(to, d->path) == 0, done;
    pli_settings settings = pli_world_settings(v->session.world);
    if (v->session.tools.gust.strength > 0.0f)
        settings.air_density = v->session.tools.gust.density;
    const pli_view_copy_def def = {&settings, v->session.paint};
    if (pli_view_scene_copy(&d->start, v->session.world, &def, to, &changes, &error) != PLI_STATUS_OK) {
        pli_session_fail(&v->session, "the scene is not saved: %s", error.message);
        done = false;
    } else {
        done = loads(v, to);
        if (done)
            pli_session_tell(&v->session, "'%s' is saved with %d %s", to, (int)changes,
                             changes == 1 ? "change" : "changes");
        if (own)
            pli_view_watch_begin(&d->watch, d->path);
    }
    free(to);
    return done;
}

/* ---- the gallery -------------------------------------------------------------------------------- */

void pli_viewer_find_gallery(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    if (d->gallery.count > 0 || d->pictures)
        return;
    pli_view_gallery_find(&d->gallery);
    d->pictures = calloc((size_t)d->gallery.count + 1, sizeof *d->pictures);
    d->aspects = calloc((size_t)d->gallery.count + 1, sizeof *d->aspects);
    for (int32_t i = 0; i < d->gallery.count && d->pictures && d->aspects; i++)
        if (d->gallery.scenes[i].picture)
            d->pictures[i] = pli_view_thumbnail(d->gallery.scenes[i].picture, &d->aspects[i]);
}

/* ---- files and preferences ---------------------------------------------------------------------- */

static bool opens(const char *name)
{
    return (strcmp(pli_cli_extension(name), "json") == 0 && !strstr(name, ".schema.json")) ||
           pli_cli_is_mesh_file(name) || pli_cli_is_recording(name);
}

bool pli_viewer_list(pli_viewer *v, const char *folder)
{
    pli_view_desk *d = v->desk;
    const char *slash = d->path ? strrchr(d->path, '/') : NULL;
    char *own = slash ? pli_cli_format("%.*s/", (int)(slash - d->path), d->path) : pli_cli_format(".");
    bool done = pli_view_listing_read(&d->listing, folder ? folder : own, opens);
    if (!done)
        pli_session_fail(&v->session, "the folder '%s' cannot be read", folder ? folder : own);
    free(own);
    return done;
}

bool pli_viewer_choose(pli_viewer *v, const char *name)
{
    pli_view_listing *l = &v->desk->listing;
    int32_t i = 0;
    while (i < l->count && strcmp(l->entries[i].name, name) != 0)
        i++;
    bool up = strcmp(name, "..") == 0;
    if (!l->folder || !(up || i < l->count))
        return false;
    bool folder = up || l->entries[i].folder;
    char *path = pli_cli_format("%s/%s", l->folder, name);
    // A folder that a run wrote is a recording.
    if (folder && !(!up && pli_cli_is_recording(path)))
        pli_viewer_list(v, path);
    else
        pli_viewer_load(v, path);
    free(path);
    return true;
}

void pli_viewer_prefer(pli_viewer *v, const char *path)
{
    pli_view_desk *d = v->desk;
    free(d->preferences_path);
    d->preferences_path = pli_cli_format("%s", path);
    pli_view_preferences_read(&d->preferences, path);
    d->written = d->preferences;
}

void pli_viewer_keep_preferences(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    pli_error error = {0};
    const pli_view_preferences *now = &d->preferences, *before = &d->written;
    bool same = now->light == before->light && now->zoom == before->zoom && now->quality == before->quality &&
                now->knows_steps == before->knows_steps;
    if (!d->preferences_path || same)
        return;
    // If the preferences cannot be saved, this is reported once.
    d->written = *now;
    if (pli_view_preferences_write(now, d->preferences_path, &error) != PLI_STATUS_OK)
        pli_session_fail(&v->session, "preferences are not kept: %s", error.message);
}

void pli_view_desk_close(pli_view_desk *d)
{
    pli_view_listing_release(&d->listing);
    free(d->preferences_path);
    forget_problems(d);
    if (d->pictures)
        glDeleteTextures(d->gallery.count, d->pictures);
    free(d->pictures);
    free(d->aspects);
    pli_view_gallery_release(&d->gallery);
    pli_view_baseline_release(&d->start);
    pli_view_watch_end(&d->watch);
    pli_view_other_close(&d->other);
    free(d->recorded);
    free(d->sought);
    forget_made(d);
    if (d->made_folder)
        rmdir(d->made_folder);
    free(d->made_folder);
    free(d->mesh);
    free(d->path);
    *d = (pli_view_desk){0};
}
