// Edits of the user besides pulling. Each can be undone by a snapshot of the moment before it.
#include "session/edits.h"

#include "brush/dab.h"
#include "files/scene_copy.h"
#include "frame/folders.h"

#include <pliant/math.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- undo and redo ------------------------------------------------------------------------------ */

static void empty(pli_view_edits *e)
{
    while (e->count > 0)
        pli_view_kept_release(&e->edits[--e->count].moment);
}

static size_t size_of(const pli_view_edits *e)
{
    size_t sum = 0;
    for (int32_t i = 0; i < e->count; i++)
        sum += e->edits[i].moment.size;
    return sum;
}

static void forget_oldest(pli_view_edits *e)
{
    pli_view_kept_release(&e->edits[0].moment);
    memmove(&e->edits[0], &e->edits[1], (size_t)(e->count - 1) * sizeof e->edits[0]);
    e->count--;
}

// A moment is as large as the world, so the list is limited by memory and not only by the number of moments. The newest one is always
// kept.
static void push(pli_view_session *s, pli_view_edits *e, const char *label)
{
    pli_view_edit edit = {0};
    if (!pli_view_session_capture(s, &edit.moment))
        return;
    snprintf(edit.label, sizeof edit.label, "%s", label);
    while (e->count > 0 && (e->count == PLI_VIEW_EDITS_MOST ||
                            size_of(&s->undo) + size_of(&s->redo) + edit.moment.size > s->edits_budget))
        forget_oldest(e);
    e->edits[e->count++] = edit;
}

static bool joins_last(const pli_view_session *s, const char *label)
{
    const pli_view_edit *last = s->undo.count > 0 ? &s->undo.edits[s->undo.count - 1] : NULL;
    return last && (last->moment.frame == s->frame || s->drag == PLI_VIEW_DRAG_CONTINUES) &&
           s->drag != PLI_VIEW_DRAG_BEGINS && strncmp(last->label, label, sizeof last->label - 1) == 0;
}

void pli_view_session_edit(pli_view_session *s, const char *label, bool joins)
{
    s->joined = joins && s->redo.count == 0 && joins_last(s, label);
    if (!s->joined)
        push(s, &s->undo, label);
}

void pli_view_session_edited(pli_view_session *s, bool success)
{
    if (success) {
        empty(&s->redo);
        pli_view_session_keep_again(s);
    } else if (!s->joined && s->undo.count > 0) {
        pli_view_kept_release(&s->undo.edits[--s->undo.count].moment);
    }
}

// Restores the last moment of one list and stores the current state in the other.
static void turn(pli_view_session *s, pli_view_edits *from, pli_view_edits *to, const char *what)
{
    if (from->count == 0) {
        pli_view_session_tell(s, "there is nothing to %s", what);
        return;
    }
    pli_view_edit edit = from->edits[--from->count];
    push(s, to, edit.label);
    if (pli_view_session_return(s, &edit.moment))
        pli_view_session_tell(s, "%s: %s, at frame %d", what, edit.label, (int)s->frame);
    pli_view_kept_release(&edit.moment);
    s->playing = false;
}

void pli_view_session_undo(pli_view_session *s) { turn(s, &s->undo, &s->redo, "undo"); }
void pli_view_session_redo(pli_view_session *s) { turn(s, &s->redo, &s->undo, "redo"); }

void pli_view_session_forget_edits(pli_view_session *s)
{
    empty(&s->redo);
    while (s->undo.count > 0 && s->undo.edits[s->undo.count - 1].moment.frame > s->frame)
        pli_view_kept_release(&s->undo.edits[--s->undo.count].moment);
}

void pli_view_session_release_edits(pli_view_session *s)
{
    empty(&s->undo);
    empty(&s->redo);
}

void pli_view_session_restart(pli_view_session *s)
{
    pli_view_baseline now;
    pli_error error = {0};
    if (pli_view_baseline_read(&now, s->world, 0, NULL, &error) != PLI_STATUS_OK)
        return;
    // The air density that a gust sets is not a control value.
    if (s->gust.share > 0.0f)
        now.settings.air_density = s->gust.density;
    pli_view_paint *paint = pli_view_paint_hold(s->paint);
    const int32_t side = s->values.side;
    pli_view_session_go(s, 0);
    if (s->frame == 0 && !s->cache) {
        // Control changes are the same edits as before, applied at another time. Paint is applied after them, since a density scales
        // the existing masses.
        pli_status status = pli_view_baseline_apply(&now, s->world, &error);
        s->values.side = side;
        if (status == PLI_STATUS_OK)
            status = pli_view_paint_switch(s->paint, paint, s->world, &error);
        if (status == PLI_STATUS_OK) {
            pli_view_paint_release(s->paint);
            s->paint = pli_view_paint_hold(paint);
        }
        if (status != PLI_STATUS_OK)
            pli_view_session_fail(s, "a value is not kept: %s", error.message);
        pli_view_session_keep_again(s);
        pli_view_session_forget_edits(s);
    }
    pli_view_paint_release(paint);
    pli_view_baseline_release(&now);
}

/* ---- pins --------------------------------------------------------------------------------------- */

// Collects the vertex and its neighbours, or the vertices within the radius of the tool; to be freed by the caller.
static int32_t *patch_of(const pli_view_session *s, pli_deformable deformable, int32_t vertex, int32_t *count,
                         pli_error *error)
{
    const pli_mesh *mesh;
    *count = 0;
    if (pli_deformable_get_mesh(s->world, deformable, &mesh, error) != PLI_STATUS_OK)
        return NULL;
    const pli_topology *t = pli_mesh_topology(mesh);
    const float *p = pli_view_at(pli_deformable_positions(s->world, deformable), vertex);
    int32_t weight_count = 0, *patch = calloc((size_t)t->vertex_count + 1, sizeof *patch);
    float *weights = s->pin_radius > 0.0f
                         ? pli_view_dab_make(s->world, deformable, vertex, (pli_vec3){p[0], p[1], p[2]}, s->pin_radius,
                                             &weight_count)
                         : NULL;
    if (!patch)
        pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    else
        patch[(*count)++] = vertex;
    for (int32_t i = 0; patch && i < weight_count; i++)
        if (weights[i] > 0.0f && i != vertex)
            patch[(*count)++] = i;
    for (int32_t k = t->ring_offsets[vertex]; patch && !weights && k < t->ring_offsets[vertex + 1]; k++)
        patch[(*count)++] = t->ring_vertices[k];
    free(weights);
    return patch;
}

bool pli_view_session_is_held(const pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    const int32_t count = pli_deformable_positions(s->world, deformable).count;
    float *held = calloc((size_t)count + 1, sizeof *held);
    if (held)
        pli_view_session_held(s, deformable, held, count);
    const bool is_held = held && held[vertex] > 0.0f;
    free(held);
    return is_held;
}

void pli_view_session_pin(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    pli_error error = {0};
    int32_t count, free_count = 0, *ring = patch_of(s, deformable, vertex, &count, &error);
    const int32_t vertex_count = pli_deformable_positions(s->world, deformable).count;
    float *held = calloc((size_t)vertex_count + 1, sizeof *held);
    if (!held) {
        free(ring);
        return;
    }
    pli_view_session_held(s, deformable, held, vertex_count);
    // Vertices that are already held stay with their attachment.
    for (int32_t i = 0; i < count; i++)
        if (held[ring[i]] == 0.0f)
            ring[free_count++] = ring[i];
    free(held);
    pli_attachment made = {0};
    if (count > 0 && free_count == 0) {
        pli_view_session_tell(s, "nothing is pinned: it is pinned there already");
        free(ring);
        return;
    }
    pli_view_session_edit(s, "pin", false);
    bool done = count > 0 && pli_view_session_hold(s, deformable, ring, free_count, &made, &error) == PLI_STATUS_OK;
    pli_view_session_edited(s, done);
    free(ring);
    if (!done)
        pli_view_session_fail(s, "nothing is pinned: %s", error.message);
}

// Returns the particles of an attachment, to be freed by the caller.
static int32_t *particles_of(const pli_view_session *s, pli_attachment attachment, int32_t *count)
{
    *count = 0;
    pli_attachment_particles(s->world, attachment, NULL, 0, count, NULL);
    int32_t *particles = calloc((size_t)*count + 1, sizeof *particles);
    if (!particles || pli_attachment_particles(s->world, attachment, particles, *count, count, NULL) != PLI_STATUS_OK)
        *count = 0;
    return particles;
}

static bool is_among(int32_t vertex, const int32_t *list, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (list[i] == vertex)
            return true;
    return false;
}

void pli_view_session_held(const pli_view_session *s, pli_deformable deformable, float *held, int32_t vertex_count)
{
    memset(held, 0, (size_t)vertex_count * sizeof *held);
    for (int32_t i = 0; i < pli_world_attachment_count(s->world); i++) {
        pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        if (pli_attachment_get_def(s->world, attachment, &def, NULL) != PLI_STATUS_OK || !def.fixed || !def.enabled ||
            def.deformable.id != deformable.id)
            continue;
        int32_t count, *particles = particles_of(s, attachment, &count);
        for (int32_t k = 0; k < count; k++)
            if (particles[k] < vertex_count)
                held[particles[k]] = 1.0f;
        free(particles);
    }
}

pli_status pli_view_session_hold(pli_view_session *s, pli_deformable deformable, const int32_t *vertices,
                                 int32_t vertex_count, pli_attachment *attachment, pli_error *error)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = deformable, def.particles = vertices, def.particle_count = vertex_count;
    if (attachment->id == 0)
        return pli_attachment_create(s->world, &def, attachment, error);
    int32_t count, *before = particles_of(s, *attachment, &count);
    int32_t *all = before ? realloc(before, ((size_t)count + (size_t)vertex_count) * sizeof *all) : NULL;
    if (!all) {
        free(before);
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    }
    memcpy(all + count, vertices, (size_t)vertex_count * sizeof *all);
    pli_status status = pli_attachment_get_def(s->world, *attachment, &def, error);
    def.particles = all, def.particle_count = count + vertex_count;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_set_def(s->world, *attachment, &def, error);
    free(all);
    return status;
}

// Removes vertices from an attachment. An empty attachment is disabled instead of destroyed, since scenes number their attachments.
static pli_status let_go(pli_view_session *s, pli_attachment attachment, const int32_t *ring, int32_t ring_count,
                         int32_t *released, pli_error *error)
{
    int32_t count, left = 0, *particles = particles_of(s, attachment, &count);
    if (!particles)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    pli_attachment_def def;
    pli_status status = pli_attachment_get_def(s->world, attachment, &def, error);
    for (int32_t i = 0; i < count; i++)
        if (!is_among(particles[i], ring, ring_count))
            particles[left++] = particles[i];
    *released += count - left;
    if (left > 0) {
        def.particles = particles;
        def.particle_count = left;
    } else {
        def.enabled = false;
    }
    if (status == PLI_STATUS_OK && left < count)
        status = pli_attachment_set_def(s->world, attachment, &def, error);
    free(particles);
    return status;
}

pli_status pli_view_session_let_go(pli_view_session *s, pli_deformable deformable, const int32_t *vertices,
                                   int32_t vertex_count, int32_t *released, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    *released = 0;
    for (int32_t i = 0; i < pli_world_attachment_count(s->world) && status == PLI_STATUS_OK; i++) {
        pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        status = pli_attachment_get_def(s->world, attachment, &def, error);
        bool holds = def.deformable.id == deformable.id && def.enabled && attachment.id != s->grab.attachment.id;
        if (status == PLI_STATUS_OK && holds)
            status = let_go(s, attachment, vertices, vertex_count, released, error);
    }
    return status;
}

void pli_view_session_unpin(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    pli_error error = {0};
    int32_t count, released = 0, *ring = patch_of(s, deformable, vertex, &count, &error);
    pli_status status = count > 0 ? PLI_STATUS_OK : error.status;
    pli_view_session_edit(s, "unpin", false);
    if (status == PLI_STATUS_OK)
        status = pli_view_session_let_go(s, deformable, ring, count, &released, &error);
    pli_view_session_edited(s, status == PLI_STATUS_OK && released > 0);
    free(ring);
    if (status != PLI_STATUS_OK)
        pli_view_session_fail(s, "nothing is released: %s", error.message);
    else if (released == 0)
        pli_view_session_tell(s, "nothing is pinned there");
}

/* ---- moving ------------------------------------------------------------------------------------- */

static bool take(pli_view_session *s, pli_view_mover mover)
{
    pli_transform pose;
    if (!pli_view_mover_place(&mover, s->world, &pose))
        return false;
    s->mover = mover;
    s->mover.target = pose.position;
    s->mover.holds = true;
    return true;
}

bool pli_view_session_take_collider(pli_view_session *s, pli_collider collider)
{
    pli_collider_def def;
    bool found = pli_collider_get_def(s->world, collider, &def, NULL) == PLI_STATUS_OK;
    for (int i = 0; i < PLI_VIEW_BALLS; i++)
        found = found && s->ball_colliders[i].id != collider.id;
    if (!found || def.body.id != 0) {
        pli_view_session_tell(s, "only colliders of the scene that no body carries can be moved");
        return false;
    }
    pli_view_session_edit(s, "move a collider", false);
    pli_view_session_edited(s, true);
    return take(s, (pli_view_mover){.collider = collider});
}

// The scene moves its own attachments in each step, so a new attachment takes over their vertices.
static pli_status take_over(pli_view_session *s, pli_attachment *attachment, pli_error *error)
{
    pli_attachment_def def, made;
    int32_t count, *particles = particles_of(s, *attachment, &count);
    pli_status status = pli_attachment_get_def(s->world, *attachment, &def, error);
    made = def;
    def.enabled = false;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_set_def(s->world, *attachment, &def, error);
    made.particles = particles;
    made.particle_count = count;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_create(s->world, &made, attachment, error);
    free(particles);
    return status;
}

bool pli_view_session_take_pin(pli_view_session *s, pli_deformable deformable, int32_t vertex)
{
    pli_error error = {0};
    for (int32_t i = 0; i < pli_world_attachment_count(s->world); i++) {
        pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        if (pli_attachment_get_def(s->world, attachment, &def, NULL) != PLI_STATUS_OK || !def.fixed || !def.enabled ||
            def.deformable.id != deformable.id || def.body.id != 0)
            continue;
        int32_t count, *particles = particles_of(s, attachment, &count);
        bool holds = is_among(vertex, particles, count);
        free(particles);
        if (!holds)
            continue;
        pli_view_session_edit(s, "move a pin", false);
        pli_status status = take_over(s, &attachment, &error);
        pli_view_session_edited(s, status == PLI_STATUS_OK);
        if (status != PLI_STATUS_OK)
            pli_view_session_fail(s, "it cannot be moved: %s", error.message);
        return status == PLI_STATUS_OK && take(s, (pli_view_mover){.attachment = attachment});
    }
    pli_view_session_tell(s, "nothing can be moved there: press on a collider, or where cloth is pinned");
    return false;
}

void pli_view_session_drop(pli_view_session *s) { s->mover = (pli_view_mover){0}; }

/* ---- cuts --------------------------------------------------------------------------------------- */

void pli_view_session_cut(pli_view_session *s, pli_deformable deformable, pli_vec3 point, pli_vec3 normal, float reach)
{
    pli_error error = {0};
    int32_t copies = 0;
    pli_cut_def cut = pli_cut_def_default();
    cut.point = point, cut.normal = normal, cut.reach = reach;
    pli_view_session_edit(s, "cut", false);
    pli_status status = pli_deformable_cut(s->world, deformable, &cut, &copies, &error);
    pli_view_session_edited(s, status == PLI_STATUS_OK && copies > 0);
    if (status != PLI_STATUS_OK)
        pli_view_session_fail(s, "nothing is cut: %s", error.message);
    else if (copies == 0)
        pli_view_session_tell(s, "nothing is cut: the stroke meets no edge");
}

/* ---- balls and gusts ---------------------------------------------------------------------------- */

float pli_view_session_size(const pli_view_session *s)
{
    float most = 0.0f;
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_topology *t = pli_mesh_topology(
            pli_deformable_rest_mesh(s->world, pli_world_deformable_at(s->world, i)));
        pli_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
        for (int32_t v = 0; v < t->vertex_count; v++) {
            const float *p = t->positions + 3 * (size_t)v;
            low = (pli_vec3){fminf(low.x, p[0]), fminf(low.y, p[1]), fminf(low.z, p[2])};
            high = (pli_vec3){fmaxf(high.x, p[0]), fmaxf(high.y, p[1]), fmaxf(high.z, p[2])};
        }
        pli_vec3 way = pli_sub(high, low);
        most = fmaxf(most, t->vertex_count > 0 ? sqrtf(pli_dot(way, way)) : 0.0f);
    }
    return most > 0.0f ? most : 1.0f;
}

void pli_view_session_throw(pli_view_session *s, pli_vec3 from, pli_vec3 through)
{
    // Gives a ball of 8 cm at 5 m/s for a cloth of 1.4 m, and the same flight time for other sizes.
    const float size = pli_view_session_size(s), radius = 0.055f * size, speed = 3.5f * fmaxf(size, 0.1f);
    pli_error error = {0};
    pli_vec3 way = pli_sub(through, from);
    // The ball starts between the eye and the target, at most 1.5 sizes from the target.
    float length = sqrtf(pli_dot(way, way)), near = fmaxf(length - 1.5f * size, 0.0f);
    pli_vec3 start = pli_add(from, pli_scale(way, near / fmaxf(length, 1e-6f)));
    pli_view_session_edit(s, "ball", false);
    pli_status status = pli_view_balls_throw(s->world, &s->balls, s->ball_colliders, start, through, speed, radius,
                                             &error);
    pli_view_session_edited(s, status == PLI_STATUS_OK);
    if (status != PLI_STATUS_OK)
        pli_view_session_fail(s, "nothing is thrown: %s", error.message);
}

void pli_view_session_blow(pli_view_session *s, pli_vec3 from, pli_vec3 way)
{
    pli_view_gust_blow(&s->gust, s->world, from, way, 8.0f);
}

void pli_view_session_calm(pli_view_session *s) { s->gust.blows = false; }
