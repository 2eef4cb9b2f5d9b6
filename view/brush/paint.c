// Rows follow the attributes of the library; coats and paints are reference-counted.
#include "brush/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------------------------------- */

static const pli_attribute *attribute_of(int32_t row) { return pli_attribute_painted_at(row - PLI_VIEW_BRUSH_VALUES); }

int32_t pli_view_brush_count(void)
{
    int32_t count = PLI_VIEW_BRUSH_VALUES;
    while (count < PLI_VIEW_BRUSH_MOST && attribute_of(count))
        count++;
    return count;
}

const char *pli_view_brush_name(int32_t row)
{
    return row == PLI_VIEW_BRUSH_PINS ? "pins" : row == PLI_VIEW_BRUSH_FREE ? "free" : attribute_of(row)->name;
}

void pli_view_brush_legend(int32_t row, char text[PLI_VIEW_LEGEND])
{
    const char *unit = pli_view_brush_is_value(row) ? attribute_of(row)->unit : NULL;
    const char *name = pli_view_brush_is_value(row) ? pli_view_brush_name(row) : "pinned";
    snprintf(text, PLI_VIEW_LEGEND, "%s%s%s%s", name, unit ? " [" : "", unit ? unit : "", unit ? "]" : "");
}

const char *pli_view_brush_summary(int32_t row)
{
    return row == PLI_VIEW_BRUSH_PINS   ? "Pins the vertices that it passes over."
           : row == PLI_VIEW_BRUSH_FREE ? "Unpins the vertices that it passes over, attachments of the scene too."
                                        : attribute_of(row)->summary;
}

bool pli_view_brush_is_value(int32_t row) { return row >= PLI_VIEW_BRUSH_VALUES; }

int32_t pli_view_brush_find(const char *name)
{
    for (int32_t i = 0; i < pli_view_brush_count(); i++)
        if (strcmp(pli_view_brush_name(i), name) == 0)
            return i;
    return -1;
}

float pli_view_brush_plain(const pli_world *world, pli_deformable deformable, int32_t row)
{
    pli_deformable_def def;
    if (!pli_view_brush_is_value(row) || pli_deformable_get_def(world, deformable, &def, NULL) != PLI_STATUS_OK)
        return 0.0f;
    return (float)pli_attribute_initial(attribute_of(row), &def);
}

bool pli_view_brush_fits(const pli_world *world, pli_deformable deformable, int32_t row)
{
    const bool plate = pli_view_brush_is_value(row) && attribute_of(row)->scales_with_field;
    return !plate || pli_view_brush_plain(world, deformable, row) > 0.0f;
}

pli_view_brush pli_view_brush_for(const pli_world *world, float size)
{
    pli_view_brush b = {.radius = 0.1f * size, .strength = 0.5f};
    for (int32_t i = PLI_VIEW_BRUSH_VALUES; i < pli_view_brush_count(); i++) {
        const double plain = (double)pli_view_brush_plain(world, pli_world_deformable_at(world, 0), i);
        b.values[i] = plain > 0.0 ? fmin(4.0 * plain, attribute_of(i)->maximum) : 1.0;
    }
    return b;
}

/* ---- coats -------------------------------------------------------------------------------------- */

static pli_view_coat *make(int32_t row, pli_deformable deformable, int32_t count)
{
    pli_view_coat *coat = calloc(1, sizeof *coat + (size_t)count * sizeof *coat->values);
    if (coat)
        coat->references = 1, coat->row = row, coat->deformable = deformable, coat->count = count;
    return coat;
}

pli_view_coat *pli_view_coat_of(int32_t row, pli_deformable deformable, const float *values, int32_t count)
{
    pli_view_coat *coat = make(row, deformable, count);
    if (coat)
        memcpy(coat->values, values, (size_t)count * sizeof *values);
    return coat;
}

pli_view_coat *pli_view_coat_make(const pli_world *world, const pli_view_paint *paint, int32_t row,
                                  pli_deformable deformable, const float *weights, float value, float strength,
                                  bool *changes)
{
    const pli_view_coat *before = pli_view_paint_find(paint, row, deformable);
    const int32_t count = pli_mesh_topology(pli_deformable_rest_mesh(world, deformable))->vertex_count;
    const float plain = pli_view_brush_plain(world, deformable, row);
    pli_view_coat *coat = make(row, deformable, count);
    *changes = false;
    if (!coat)
        return NULL;
    for (int32_t i = 0; i < count; i++) {
        const float was = before ? before->values[i] : plain, share = strength * weights[i];
        // At full strength the result is exactly the target value, without a rounded sum.
        coat->values[i] = share >= 1.0f ? value : was + share * (value - was);
        *changes = *changes || !(coat->values[i] == was);
    }
    return coat;
}

void pli_view_coat_release(pli_view_coat *coat)
{
    if (coat && --coat->references == 0)
        free(coat);
}

pli_status pli_view_coat_apply(const pli_view_coat *c, pli_world *world, pli_error *error)
{
    return pli_deformable_paint(world, c->deformable, pli_view_brush_name(c->row), PLI_ELEMENT_VERTEX, c->values,
                                c->count, error);
}

/* ---- paints ------------------------------------------------------------------------------------- */

pli_view_paint *pli_view_paint_hold(pli_view_paint *paint)
{
    if (paint)
        paint->references++;
    return paint;
}

void pli_view_paint_release(pli_view_paint *paint)
{
    if (!paint || --paint->references > 0)
        return;
    for (int32_t i = 0; i < paint->count; i++)
        pli_view_coat_release(paint->coats[i]);
    free(paint);
}

const pli_view_coat *pli_view_paint_find(const pli_view_paint *paint, int32_t row, pli_deformable deformable)
{
    for (int32_t i = 0; paint && i < paint->count; i++)
        if (paint->coats[i]->row == row && paint->coats[i]->deformable.id == deformable.id)
            return paint->coats[i];
    return NULL;
}

pli_view_paint *pli_view_paint_with(const pli_view_paint *paint, pli_view_coat *coat)
{
    const int32_t count = paint ? paint->count : 0;
    const pli_view_coat *before = pli_view_paint_find(paint, coat->row, coat->deformable);
    pli_view_paint *made = calloc(1, sizeof *made + ((size_t)count + 1) * sizeof *made->coats);
    if (!made)
        return NULL;
    made->references = 1;
    for (int32_t i = 0; i < count; i++) {
        if (paint->coats[i] == before)
            continue;
        paint->coats[i]->references++;
        made->coats[made->count++] = paint->coats[i];
    }
    made->coats[made->count++] = coat;
    return made;
}

pli_status pli_view_paint_switch(const pli_view_paint *from, const pli_view_paint *to, pli_world *world,
                                 pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; from && i < from->count && status == PLI_STATUS_OK; i++)
        if (!pli_view_paint_find(to, from->coats[i]->row, from->coats[i]->deformable))
            status = pli_deformable_paint(world, from->coats[i]->deformable, pli_view_brush_name(from->coats[i]->row),
                                          PLI_ELEMENT_VERTEX, NULL, 0, error);
    for (int32_t i = 0; to && i < to->count && status == PLI_STATUS_OK; i++)
        if (pli_view_paint_find(from, to->coats[i]->row, to->coats[i]->deformable) != to->coats[i])
            status = pli_view_coat_apply(to->coats[i], world, error);
    return status;
}
