// One row per quantity; layers and paints are reference-counted.
#include "session/session.h"

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
} quantities[PLI_SESSION_QUANTITIES] = {
    [PLI_SESSION_PAINT_PINS] = {"pins", "pinned", "Pins the vertices that it passes over.", NULL, NULL, 0.0, 0.0},
    [PLI_SESSION_PAINT_FREE] = {"free", "pinned",
                                "Unpins the vertices that it passes over, attachments of the scene too.", NULL, NULL,
                                0.0, 0.0},
    [PLI_SESSION_PAINT_DENSITY] = {"density", "density [kg/m2]", "Mass per area.", plain_density,
                                   pli_deformable_paint_density, 4.0, 0.0},
    [PLI_SESSION_PAINT_FRICTION] = {"friction", "friction", "Coulomb coefficient against cloth and itself.",
                                    plain_friction, pli_deformable_paint_friction, 1.0, 0.5},
    [PLI_SESSION_PAINT_STIFFNESS] = {"stiffness", "stiffness factor",
                                     "Factor on the stiffness of all sets that can be painted.", plain_factor, NULL,
                                     0.0, 10.0},
    [PLI_SESSION_PAINT_RIGIDITY] = {"rigidity", "rigidity [N m]", "Flexural rigidity of the plate.", plain_rigidity,
                                    pli_deformable_paint_rigidity, 10.0, 0.0},
    [PLI_SESSION_PAINT_DRAG] = {"drag", "pull of the air", "Factor on the pull of the air; 0 lets it through.",
                                plain_factor, pli_deformable_paint_drag, 0.0, 0.0},
    [PLI_SESSION_PAINT_THICKNESS] = {"thickness", "thickness [m]", "Distance that contact keeps.", plain_thickness,
                                     pli_deformable_paint_thickness, 2.0, 0.0},
    [PLI_SESSION_PAINT_PRESSURE] = {"pressure", "pressure [Pa]", "Pressure on the back over that on the front.",
                                    plain_pressure, pli_deformable_paint_pressure, 0.0, 2.0},
};

const char *pli_session_quantity_name(int32_t quantity) { return quantities[quantity].name; }
const char *pli_session_quantity_legend(int32_t quantity) { return quantities[quantity].legend; }
const char *pli_session_quantity_summary(int32_t quantity) { return quantities[quantity].summary; }
bool pli_session_quantity_is_value(int32_t quantity) { return quantities[quantity].plain != NULL; }

int32_t pli_session_quantity_find(const char *name)
{
    for (int32_t i = 0; i < PLI_SESSION_QUANTITIES; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return i;
    return -1;
}

float pli_session_quantity_plain(const pli_world *world, pli_deformable deformable, int32_t quantity)
{
    pli_deformable_def def;
    if (!quantities[quantity].plain || pli_deformable_get_def(world, deformable, &def, NULL) != PLI_STATUS_OK)
        return 0.0f;
    return quantities[quantity].plain(&def);
}

pli_session_brush pli_session_brush_for(const pli_world *world, float size)
{
    pli_session_brush b = {.radius = 0.1f * size, .strength = 0.5f};
    for (int32_t i = 0; i < PLI_SESSION_QUANTITIES; i++) {
        float plain = pli_session_quantity_plain(world, pli_world_deformable_at(world, 0), i);
        b.values[i] = quantities[i].factor * (double)plain + quantities[i].offset;
    }
    return b;
}

/* ---- layers ------------------------------------------------------------------------------------- */

static pli_session_layer *create(int32_t quantity, int32_t deformable, int32_t count)
{
    pli_session_layer *layer = calloc(1, sizeof *layer + (size_t)count * sizeof *layer->values);
    if (layer)
        layer->references = 1, layer->quantity = quantity, layer->deformable = deformable, layer->count = count;
    return layer;
}

static void release(pli_session_layer *layer)
{
    if (layer && --layer->references == 0)
        free(layer);
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
    for (int32_t i = 0; i < pli_world_constraint_set_count(world); i++) {
        pli_constraint_set set = pli_world_constraint_set_at(world, i);
        pli_constraint_set_info info;
        if (pli_constraint_set_get_info(world, set, &info, NULL) != PLI_STATUS_OK ||
            info.deformable.id != deformable.id ||
            pli_constraint_set_paint_stiffness(world, set, PLI_PAINT_VERTICES, values, count, &own) != PLI_STATUS_OK)
            continue;
        painted++;
        *sets |= i < 64 ? UINT64_C(1) << i : 0;
    }
    if (painted == 0)
        *error = own;
    return painted > 0 ? PLI_STATUS_OK : own.status;
}

static pli_status apply(pli_session_layer *c, pli_world *world, pli_error *error)
{
    const pli_deformable deformable = pli_world_deformable_at(world, c->deformable);
    return quantities[c->quantity].apply
               ? quantities[c->quantity].apply(world, deformable, PLI_PAINT_VERTICES, c->values, c->count, error)
               : paint_sets(world, deformable, c->values, c->count, &c->sets, error);
}

static pli_status clear(const pli_session_layer *c, pli_world *world, pli_error *error)
{
    const pli_deformable deformable = pli_world_deformable_at(world, c->deformable);
    if (c->quantity == PLI_SESSION_PAINT_DENSITY)
        return PLI_STATUS_OK;
    if (quantities[c->quantity].apply)
        return quantities[c->quantity].apply(world, deformable, PLI_PAINT_VERTICES, NULL, 0, error);
    float *ones = malloc(((size_t)c->count + 1) * sizeof *ones);
    for (int32_t i = 0; ones && i < c->count; i++)
        ones[i] = 1.0f;
    uint64_t sets;
    pli_status status = paint_sets(world, deformable, ones, c->count, &sets, error);
    free(ones);
    return status;
}

/* ---- paints ------------------------------------------------------------------------------------- */

pli_session_paint *pli_session_paint_retain(pli_session_paint *paint)
{
    if (paint)
        paint->references++;
    return paint;
}

void pli_session_paint_release(pli_session_paint *paint)
{
    if (!paint || --paint->references > 0)
        return;
    for (int32_t i = 0; i < paint->count; i++)
        release(paint->layers[i]);
    free(paint);
}

const pli_session_layer *pli_session_paint_find(const pli_session_paint *paint, int32_t quantity, int32_t deformable)
{
    for (int32_t i = 0; paint && i < paint->count; i++)
        if (paint->layers[i]->quantity == quantity && paint->layers[i]->deformable == deformable)
            return paint->layers[i];
    return NULL;
}

// Creates paint in which a layer replaces the one of the same quantity and deformable. It owns the layer; null when memory runs out.
static pli_session_paint *with(const pli_session_paint *paint, pli_session_layer *layer)
{
    const int32_t count = paint ? paint->count : 0;
    const pli_session_layer *before = pli_session_paint_find(paint, layer->quantity, layer->deformable);
    pli_session_paint *made = calloc(1, sizeof *made + ((size_t)count + 1) * sizeof *made->layers);
    if (!made)
        return NULL;
    made->references = 1;
    for (int32_t i = 0; i < count; i++) {
        if (paint->layers[i] == before)
            continue;
        paint->layers[i]->references++;
        made->layers[made->count++] = paint->layers[i];
    }
    made->layers[made->count++] = layer;
    return made;
}

pli_status pli_session_paint_switch(const pli_session_paint *from, const pli_session_paint *to, pli_world *world,
                                    pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; from && i < from->count && status == PLI_STATUS_OK; i++)
        if (!pli_session_paint_find(to, from->layers[i]->quantity, from->layers[i]->deformable))
            status = clear(from->layers[i], world, error);
    for (int32_t i = 0; to && i < to->count && status == PLI_STATUS_OK; i++)
        if (pli_session_paint_find(from, to->layers[i]->quantity, to->layers[i]->deformable) != to->layers[i])
            status = apply(to->layers[i], world, error);
    return status;
}

/* ---- paint of a session ------------------------------------------------------------------------- */

static bool replace(pli_session *s, pli_session_layer *layer)
{
    pli_session_paint *paint = with(s->paint, layer);
    if (!paint)
        return false;
    pli_session_paint_release(s->paint);
    s->paint = paint;
    return true;
}

pli_status pli_session_paint_put(pli_session *s, int32_t quantity, int32_t deformable, const int32_t *vertices,
                                 const float *values, int32_t count, pli_error *error)
{
    const pli_deformable handle = pli_world_deformable_at(s->world, deformable);
    const pli_session_layer *before = pli_session_paint_find(s->paint, quantity, deformable);
    const int32_t vertex_count = pli_mesh_topology(pli_deformable_rest_mesh(s->world, handle))->vertex_count;
    const float plain = pli_session_quantity_plain(s->world, handle, quantity);
    pli_session_layer *layer = create(quantity, deformable, vertex_count);
    if (!layer)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "nothing is painted: out of memory");
    for (int32_t i = 0; i < vertex_count; i++)
        layer->values[i] = before ? before->values[i] : plain;
    for (int32_t i = 0; i < count; i++)
        if (vertices[i] < vertex_count)
            layer->values[vertices[i]] = values[i];
    pli_status status = apply(layer, s->world, error);
    if (status == PLI_STATUS_OK && !replace(s, layer))
        status = pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "nothing is painted: out of memory");
    if (status != PLI_STATUS_OK)
        release(layer);
    return status;
}

bool pli_session_paint_start(pli_session *s, int32_t quantity, int32_t deformable, const float *values, int32_t count)
{
    pli_session_layer *layer = create(quantity, deformable, count);
    if (!layer)
        return false;
    memcpy(layer->values, values, (size_t)count * sizeof *values);
    if (replace(s, layer))
        return true;
    release(layer);
    return false;
}
