// The world over time and under hands. Going back is reading a snapshot: the library gives the same bits from there on, over pins, grabs
// and cuts as well.
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t budget_default = (size_t)256 << 20;

__attribute__((format(printf, 2, 3))) static void tell(pli_view_session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->message, sizeof s->message, format, arguments);
    va_end(arguments);
}

/* ---- kept frames -------------------------------------------------------------------------------- */

static void drop(pli_view_session *s, int32_t i)
{
    s->kept_bytes -= s->kept[i].size;
    free(s->kept[i].bytes);
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

// Keeps the present frame. The oldest but the start go when memory is used up.
static void keep(pli_view_session *s)
{
    pli_view_kept k = {.frame = s->frame,
                       .size = pli_world_snapshot_size(s->world),
                       .grab = s->grab,
                       .target = s->target,
                       .holds = s->holds,
                       .figures = pli_view_figures_of(s->world)};
    k.bytes = malloc(k.size);
    if (!k.bytes || !make_room(s) || pli_world_snapshot_write(s->world, k.bytes, k.size, NULL) != PLI_STATUS_OK) {
        free(k.bytes);
        return;
    }
    s->kept[s->kept_count++] = k;
    s->kept_bytes += k.size;
    while (s->kept_bytes > s->budget && s->kept_count > 2)
        drop(s, 1);
}

static int32_t kept_before(const pli_view_session *s, int32_t frame)
{
    int32_t i = s->kept_count - 1;
    while (i > 0 && s->kept[i].frame > frame)
        i--;
    return i;
}

static bool restore(pli_view_session *s, int32_t i)
{
    pli_error error;
    const pli_view_kept *k = &s->kept[i];
    if (pli_world_snapshot_read(s->world, k->bytes, k->size, &error) != PLI_STATUS_OK) {
        tell(s, "frame %d cannot be restored: %s", (int)k->frame, error.message);
        return false;
    }
    s->frame = k->frame;
    s->grab = k->grab, s->target = k->target, s->holds = k->holds;
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

pli_status pli_view_session_open(pli_view_session *s, const char *path, bool allow_outside, pli_error *error)
{
    *s = (pli_view_session){.source = {.path = path, .allow_outside = allow_outside}, .budget = budget_default};
    pli_status status = pli_cli_scene_load(&s->source, &s->scene, error);
    if (status != PLI_STATUS_OK)
        status = first_diagnostic(&s->source, error);
    pli_scene_world_def def = pli_scene_world_def_default();
    if (status == PLI_STATUS_OK)
        status = pli_scene_create_world(s->scene, &def, &s->world, error);
    if (status != PLI_STATUS_OK) {
        pli_view_session_close(s);
        return status;
    }
    keep(s);
    return status;
}

void pli_view_session_close(pli_view_session *s)
{
    while (s->kept_count > 0)
        drop(s, s->kept_count - 1);
    free(s->kept);
    pli_world_destroy(s->world);
    pli_scene_destroy(s->scene);
    pli_cli_scene_source_release(&s->source);
    *s = (pli_view_session){0};
}

/* ---- time --------------------------------------------------------------------------------------- */

void pli_view_session_step(pli_view_session *s)
{
    pli_error error;
    pli_status status = PLI_STATUS_OK;
    while (s->kept_count > 1 && s->kept[s->kept_count - 1].frame > s->frame)
        drop(s, s->kept_count - 1);
    if (s->grab.attachment.id != 0)
        status = pli_grab_update(s->world, &s->grab, s->target, (float)(1.0 / pli_scene_frames_per_second(s->scene)),
                                 s->holds, &error);
    if (status == PLI_STATUS_OK)
        status = pli_scene_step(s->scene, s->world, s->frame, &error);
    if (status == PLI_STATUS_OK) {
        s->frame++;
        keep(s);
        return;
    }
    int32_t failed = s->frame + 1;
    s->playing = false;
    if (restore(s, kept_before(s, s->frame)))
        tell(s, "frame %d failed, and frame %d is restored: %s", (int)failed, (int)s->frame, error.message);
}

void pli_view_session_go(pli_view_session *s, int32_t frame)
{
    frame = frame > 0 ? frame : 0;
    int32_t last = s->kept[s->kept_count - 1].frame;
    if (!restore(s, kept_before(s, frame)))
        return;
    // Frames behind the last one are new ones.
    for (s->playing = s->playing && frame > last; s->frame < frame;) {
        int32_t before = s->frame;
        pli_view_session_step(s);
        if (s->frame <= before)
            return;
    }
}

/* ---- hands -------------------------------------------------------------------------------------- */

void pli_view_session_grab(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    pli_error error;
    pli_grab_def def = pli_grab_def_default();
    pli_view positions = pli_deformable_positions(s->world, deformable);
    def.deformable = deformable;
    def.vertex = vertex;
    if (pli_grab_begin(s->world, &def, &s->grab, &error) != PLI_STATUS_OK) {
        tell(s, "nothing is held: %s", error.message);
        return;
    }
    const float *p = pli_view_at(positions, vertex);
    s->target = (pli_vec3){p[0], p[1], p[2]};
    s->holds = true;
}

void pli_view_session_release(pli_view_session *s) { s->holds = false; }

void pli_view_session_pin(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    enum { MOST = 64 };
    const pli_mesh *mesh;
    pli_error error;
    int32_t particles[MOST] = {vertex}, count = 1;
    pli_attachment_def def = pli_attachment_def_default();
    pli_attachment made;
    pli_status status = pli_deformable_get_mesh(s->world, deformable, &mesh, &error);
    if (status == PLI_STATUS_OK) {
        const pli_topology *t = pli_mesh_topology(mesh);
        for (int32_t k = t->ring_offsets[vertex]; k < t->ring_offsets[vertex + 1] && count < MOST; k++)
            particles[count++] = t->ring_vertices[k];
        def.deformable = deformable;
        def.particles = particles;
        def.particle_count = count;
        status = pli_attachment_create(s->world, &def, &made, &error);
    }
    if (status != PLI_STATUS_OK)
        tell(s, "nothing is pinned: %s", error.message);
}

void pli_view_session_cut(pli_view_session *s, pli_deformable deformable, pli_vec3 point, pli_vec3 normal, float reach)
{
    pli_error error;
    int32_t copies = 0;
    pli_cut_def cut = pli_cut_def_default();
    cut.point = point, cut.normal = normal, cut.reach = reach;
    if (pli_deformable_cut(s->world, deformable, &cut, &copies, &error) != PLI_STATUS_OK)
        tell(s, "nothing is cut: %s", error.message);
    else if (copies == 0)
        tell(s, "nothing is cut: the stroke meets no edge");
}

/* ---- values ------------------------------------------------------------------------------------- */

static pli_status set_setting(pli_world *world, const char *name, double value, pli_error *error)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("settings");
    const pli_property *property = pli_descriptor_find(group, name);
    pli_settings settings = pli_world_settings(world);
    const double values[3] = {value, 0.0, 0.0};
    if (!property) {
        error->status = PLI_STATUS_NOT_FOUND;
        snprintf(error->message, sizeof error->message, "there is no setting '%s'", name);
        return error->status;
    }
    pli_status status = pli_property_write(property, &settings, values, error);
    return status == PLI_STATUS_OK ? pli_world_set_settings(world, &settings, error) : status;
}

bool pli_view_session_set(pli_view_session *s, const char *path, double value)
{
    pli_error error = {0};
    const char *dot = strrchr(path, '.');
    pli_status status;
    if (!dot || strncmp(path, "settings.", 9) == 0) {
        status = set_setting(s->world, dot ? dot + 1 : path, value, &error);
    } else {
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        status = pli_constraint_set_write_parameter(s->world, pli_world_constraint_set_find(s->world, name), dot + 1,
                                                    value, &error);
    }
    if (status != PLI_STATUS_OK)
        tell(s, "%s stays: %s", path, error.message);
    return status == PLI_STATUS_OK;
}
