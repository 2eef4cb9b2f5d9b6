// A stroke of values creates a new coat for each dab; a stroke of pins extends one attachment.
#include "session/strokes.h"

#include "brush/dab.h"
#include "files/scene_paints.h"
#include "session/edits.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- values ------------------------------------------------------------------------------------- */

bool pli_view_session_repaint(pli_view_session *s, pli_view_paint *paint)
{
    pli_error error = {0};
    if (paint == s->paint)
        return true;
    // Torn cloth cannot be painted, so the state without tears is restored meanwhile.
    pli_status status = PLI_STATUS_OK;
    if (s->whole.bytes)
        status = pli_world_snapshot_read(s->world, s->whole.bytes, s->whole.size, &error);
    if (status == PLI_STATUS_OK)
        status = pli_view_paint_switch(s->paint, paint, s->world, &error);
    if (status != PLI_STATUS_OK) {
        pli_view_session_fail(s, "painted values cannot be undone: %s", error.message);
        return false;
    }
    pli_view_paint_release(s->paint);
    s->paint = pli_view_paint_hold(paint);
    return true;
}

bool pli_view_session_stroke(pli_view_session *s, pli_deformable deformable)
{
    const int32_t row = s->brush.row;
    s->stroke = (pli_view_stroke){0};
    // The library does not return painted values, so a brush would start from different values.
    if (s->painted_rows & 1u << row) {
        pli_view_session_tell(s, "nothing is painted: the scene's file paints %s, which a brush cannot continue",
                              pli_view_brush_name(row));
        return false;
    }
    if (!pli_view_brush_fits(s->world, deformable, row)) {
        pli_view_session_tell(s, "nothing is painted: '%s' has no plate, whose %s this is",
                              pli_deformable_name(s->world, deformable), pli_view_brush_name(row));
        return false;
    }
    s->stroke.deformable = deformable;
    return true;
}

// Values that the scene paints are already applied to the world.
static void begin_row(pli_view_session *s, const json_t *scene, int32_t row, int32_t i)
{
    const pli_deformable deformable = pli_world_deformable_at(s->world, i);
    const int32_t count = pli_mesh_topology(pli_deformable_rest_mesh(s->world, deformable))->vertex_count;
    float *values = malloc(((size_t)count + 1) * sizeof *values);
    pli_view_coat *coat = NULL;
    if (values && pli_view_paints_read(scene, i, pli_view_brush_name(row), values, count))
        coat = pli_view_coat_of(row, deformable, values, count);
    free(values);
    pli_view_paint *paint = coat ? pli_view_paint_with(s->paint, coat) : NULL;
    if (paint) {
        pli_view_paint_release(s->paint);
        s->paint = paint;
    } else {
        pli_view_coat_release(coat);
    }
}

void pli_view_session_begin_paint(pli_view_session *s, const pli_view_baseline *start)
{
    json_t *scene = start->text ? json_loadb(start->text, start->text_size, 0, NULL) : NULL;
    s->painted_rows = 0;
    for (int32_t row = 0; row < pli_view_brush_count(); row++) {
        if (!pli_view_brush_is_value(row))
            continue;
        if (pli_view_paints_by_file(scene, pli_view_brush_name(row)))
            s->painted_rows |= 1u << row;
        for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++)
            begin_row(s, scene, row, i);
    }
    json_decref(scene);
    if (s->paint)
        pli_view_session_keep_again(s);
}

int32_t pli_view_session_list_paint(const pli_view_session *s, pli_view_painted *list, int32_t most)
{
    int32_t count = 0;
    for (int32_t i = 0; s->paint && i < s->paint->count && count < most; i++) {
        const pli_view_coat *c = s->paint->coats[i];
        list[count++] = (pli_view_painted){pli_view_brush_name(c->row), c->deformable, c->values, c->count};
    }
    return count;
}

// Called before the first dab that changes something.
static void begin(pli_view_session *s)
{
    char label[80];
    snprintf(label, sizeof label, "brush: %s", pli_view_brush_name(s->brush.row));
    if (!s->stroke.changed)
        pli_view_session_edit(s, label, false);
}

static void finish(pli_view_session *s, pli_status status, const pli_error *error)
{
    if (!s->stroke.changed)
        pli_view_session_edited(s, status == PLI_STATUS_OK);
    if (status == PLI_STATUS_OK) {
        s->stroke.changed = true;
        return;
    }
    pli_view_session_fail(s, "nothing is painted: %s", error->message);
    pli_view_session_stroke_end(s);
}

static void keep_whole(pli_view_session *s)
{
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        pli_deformable d = pli_world_deformable_at(s->world, i);
        if (pli_deformable_positions(s->world, d).count >
            pli_mesh_topology(pli_deformable_rest_mesh(s->world, d))->vertex_count)
            return;
    }
    if (!s->whole.bytes && pli_view_session_capture(s, &s->whole)) {
        pli_view_paint_release(s->whole.paint);
        s->whole.paint = NULL;
    }
}

static void dab_values(pli_view_session *s, const float *weights)
{
    pli_error error = {.status = PLI_STATUS_OUT_OF_MEMORY, .message = "out of memory"};
    const pli_view_brush *b = &s->brush;
    bool changes;
    pli_view_coat *coat = pli_view_coat_make(s->world, s->paint, b->row, s->stroke.deformable, weights,
                                             (float)b->values[b->row], b->strength, &changes);
    pli_view_paint *paint = coat && changes ? pli_view_paint_with(s->paint, coat) : NULL;
    if (!paint)
        pli_view_coat_release(coat);
    if (coat && !changes)
        return;
    begin(s);
    keep_whole(s);
    pli_status status = paint ? pli_view_coat_apply(coat, s->world, &error) : error.status;
    if (status == PLI_STATUS_OK) {
        pli_view_paint_release(s->paint);
        s->paint = paint;
    } else {
        pli_view_paint_release(paint);
    }
    finish(s, status, &error);
}

/* ---- pins --------------------------------------------------------------------------------------- */

static void dab_pins(pli_view_session *s, const float *weights, int32_t count)
{
    pli_error error = {.status = PLI_STATUS_OUT_OF_MEMORY, .message = "out of memory"};
    const bool frees = s->brush.row == PLI_VIEW_BRUSH_FREE;
    float *held = calloc((size_t)count + 1, sizeof *held);
    int32_t *list = malloc(((size_t)count + 1) * sizeof *list), listed = 0;
    if (held && list)
        pli_view_session_held(s, s->stroke.deformable, held, count);
    for (int32_t i = 0; held && list && i < count; i++)
        if (weights[i] > 0.0f && (held[i] > 0.0f) == frees)
            list[listed++] = i;
    if (listed > 0 || !held || !list) {
        begin(s);
        pli_status status = error.status;
        if (held && list && frees)
            status = pli_view_session_let_go(s, s->stroke.deformable, list, listed, &listed, &error);
        else if (held && list)
            status = pli_view_session_hold(s, s->stroke.deformable, list, listed, &s->stroke.pins, &error);
        finish(s, status, &error);
    }
    free(held);
    free(list);
}

/* ---- strokes ------------------------------------------------------------------------------------ */

void pli_view_session_dab(pli_view_session *s, pli_deformable deformable, int32_t vertex, pli_vec3 point)
{
    int32_t count;
    if (s->stroke.deformable.id == 0 || s->stroke.deformable.id != deformable.id)
        return;
    float *weights = pli_view_dab_make(s->world, deformable, vertex, point, s->brush.radius, &count);
    if (!weights)
        pli_view_session_tell(s, "nothing is painted: out of memory");
    else if (pli_view_brush_is_value(s->brush.row))
        dab_values(s, weights);
    else
        dab_pins(s, weights, count);
    free(weights);
}

void pli_view_session_stroke_end(pli_view_session *s)
{
    const bool changed = s->stroke.changed;
    s->stroke = (pli_view_stroke){0};
    if (changed)
        pli_view_session_keep_again(s);
}

void pli_view_session_painted(const pli_view_session *s, pli_deformable deformable, int32_t row, float *values,
                              int32_t count)
{
    const pli_view_coat *coat = pli_view_paint_find(s->paint, row, deformable);
    const float plain = pli_view_brush_plain(s->world, deformable, row);
    for (int32_t i = 0; i < count; i++)
        values[i] = coat && i < coat->count ? coat->values[i] : plain;
    if (!pli_view_brush_is_value(row))
        pli_view_session_held(s, deformable, values, count);
}
