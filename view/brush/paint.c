// One table row per quantity; coats and paints are reference-counted.
#include "brush/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------------------------------- */

static float plain_density(const pli_deformable_def *def) { return def->density; }
static float plain_friction(const pli_deformable_def *def) { return def->friction; }
static float plain_rigidity(const pli_deformable_def *def) { return def->plate.rigidity; }
static float plain_thickness(const pli_deformable_def *def) { return def->thickness; }
static float plain_factor(const pli_deformable_def *def)
{
    (void)def;
    return 1.0f;
}
static float plain_pressure(const pli_deformable_def *def)
{
    (void)def;
    return 0.0f;
}

static const struct {
    const char *name, *legend, *summary;
    float (*plain)(const pli_deformable_def *def);
    pli_status (*apply)(pli_world *, pli_deformable, pli_paint_domain, const float *, int32_t, pli_error *);
    double factor, offset; // The initial target value, relative to the unpainted value.
} rows[PLI_VIEW_BRUSH_ROWS] = {
    [PLI_VIEW_BRUSH_PINS] = {"pins", "pinned", "Pins the vertices that it passes over.", NULL, NULL, 0.0, 0.0},
    [PLI_VIEW_BRUSH_FREE] = {"free", "pinned", "Unpins the vertices that it passes over, attachments of the scene too.",
                             NULL, NULL, 0.0, 0.0},
    [PLI_VIEW_BRUSH_DENSITY] = {"density", "density [kg/m2]", "Mass per area.", plain_density,
                                pli_deformable_paint_density, 4.0, 0.0},
    [PLI_VIEW_BRUSH_FRICTION] = {"friction", "friction", "Coulomb coefficient against cloth and itself.",
                                 plain_friction, pli_deformable_paint_friction, 1.0, 0.5},
    [PLI_VIEW_BRUSH_STIFFNESS] = {"stiffness", "stiffness factor",
                                  "Factor on the stiffness of all sets that can be painted.", plain_factor, NULL, 0.0,
                                  10.0},
    [PLI_VIEW_BRUSH_RIGIDITY] = {"rigidity", "rigidity [N m]", "Flexural rigidity of the plate.", plain_rigidity,
                                 pli_deformable_paint_rigidity, 10.0, 0.0},
    [PLI_VIEW_BRUSH_DRAG] = {"drag", "pull of the air", "Factor on the pull of the air; 0 lets it through.",
                             plain_factor, pli_deformable_paint_drag, 0.0, 0.0},
    [PLI_VIEW_BRUSH_THICKNESS] = {"thickness", "thickness [m]", "Distance that contact keeps.", plain_thickness,
                                  pli_deformable_paint_thickness, 2.0, 0.0},
    [PLI_VIEW_BRUSH_PRESSURE] = {"pressure", "pressure [Pa]", "Pressure on the back over that on the front.",
                                 plain_pressure, pli_deformable_paint_pressure, 0.0, 2.0},
};

const char *pli_view_brush_name(int32_t row) { return rows[row].name; }
const char *pli_view_brush_legend(int32_t row) { return rows[row].legend; }
const char *pli_view_brush_summary(int32_t row) { return rows[row].summary; }
bool pli_view_brush_is_value(int32_t row) { return rows[row].plain != NULL; }

int32_t pli_view_brush_find(const char *name)
{
    for (int32_t i = 0; i < PLI_VIEW_BRUSH_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

float pli_view_brush_plain(const pli_world *world, pli_deformable deformable, int32_t row)
{
    pli_deformable_def def;
    if (!rows[row].plain || pli_deformable_get_def(world, deformable, &def, NULL) != PLI_STATUS_OK)
        return 0.0f;
    return rows[row].plain(&def);
}

pli_view_brush pli_view_brush_for(const pli_world *world, float size)
{
    pli_view_brush b = {.radius = 0.1f * size, .strength = 0.5f};
    for (int32_t i = 0; i < PLI_VIEW_BRUSH_ROWS; i++) {
        float plain = pli_view_brush_plain(world, pli_world_deformable_at(world, 0), i);
        b.values[i] = rows[i].factor * (double)plain + rows[i].offset;
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

// Applies stiffness factors to each set of the deformable that supports them; if none does, the error of the last set is returned. Null
// values stand for factors of one.
static pli_status paint_sets(pli_world *world, pli_deformable deformable, const float *values, int32_t count,
                             uint64_t *sets, pli_error *error)
{
    int32_t painted = 0;
    *sets = 0;
    pli_error own = {0};
    snprintf(own.message, sizeof own.message, "it has no sets of constraints");
    own.status = PLI_STATUS_INVALID_ARGUMENT;
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) != PLI_STATUS_OK || info.deformable.id != deformable.id ||
            pli_constraints_paint_stiffness(world, set, PLI_PAINT_VERTICES, values, count, &own) != PLI_STATUS_OK)
            continue;
        painted++;
        *sets |= i < 64 ? UINT64_C(1) << i : 0;
    }
    if (painted == 0)
        *error = own;
    return painted > 0 ? PLI_STATUS_OK : own.status;
}

pli_status pli_view_coat_apply(pli_view_coat *c, pli_world *world, pli_error *error)
{
    return rows[c->row].apply ? rows[c->row].apply(world, c->deformable, PLI_PAINT_VERTICES, c->values, c->count, error)
                              : paint_sets(world, c->deformable, c->values, c->count, &c->sets, error);
}

static pli_status take_off(const pli_view_coat *c, pli_world *world, pli_error *error)
{
    if (c->row == PLI_VIEW_BRUSH_DENSITY)
        return PLI_STATUS_OK;
    if (rows[c->row].apply)
        return rows[c->row].apply(world, c->deformable, PLI_PAINT_VERTICES, NULL, 0, error);
    float *ones = malloc(((size_t)c->count + 1) * sizeof *ones);
    for (int32_t i = 0; ones && i < c->count; i++)
        ones[i] = 1.0f;
    uint64_t sets;
    pli_status status = paint_sets(world, c->deformable, ones, c->count, &sets, error);
    free(ones);
    return status;
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
            status = take_off(from->coats[i], world, error);
    for (int32_t i = 0; to && i < to->count && status == PLI_STATUS_OK; i++)
        if (pli_view_paint_find(from, to->coats[i]->row, to->coats[i]->deformable) != to->coats[i])
            status = pli_view_coat_apply(to->coats[i], world, error);
    return status;
}
