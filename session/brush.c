// Quantities follow the attributes of the library; layers and paints are reference-counted.
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- quantities --------------------------------------------------------------------------------- */

static const pli_attribute *attribute_of(int32_t quantity)
{
    return pli_attribute_painted_at(quantity - PLI_SESSION_PAINT_VALUES);
}

int32_t pli_session_quantity_count(void)
{
    int32_t count = PLI_SESSION_PAINT_VALUES;
    while (count < PLI_SESSION_QUANTITIES_MOST && attribute_of(count))
        count++;
    return count;
}

const char *pli_session_quantity_name(int32_t quantity)
{
    return quantity == PLI_SESSION_PAINT_PINS   ? "pins"
           : quantity == PLI_SESSION_PAINT_FREE ? "free"
                                                : attribute_of(quantity)->name;
}

void pli_session_quantity_legend(int32_t quantity, char text[PLI_SESSION_LEGEND])
{
    const char *unit = pli_session_quantity_is_value(quantity) ? attribute_of(quantity)->unit : NULL;
    const char *name = pli_session_quantity_is_value(quantity) ? pli_session_quantity_name(quantity) : "pinned";
    snprintf(text, PLI_SESSION_LEGEND, "%s%s%s%s", name, unit ? " [" : "", unit ? unit : "", unit ? "]" : "");
}

const char *pli_session_quantity_summary(int32_t quantity)
{
    return quantity == PLI_SESSION_PAINT_PINS ? "Pins the vertices that it passes over."
           : quantity == PLI_SESSION_PAINT_FREE
               ? "Unpins the vertices that it passes over, attachments of the scene too."
               : attribute_of(quantity)->summary;
}

bool pli_session_quantity_is_value(int32_t quantity) { return quantity >= PLI_SESSION_PAINT_VALUES; }

int32_t pli_session_quantity_find(const char *name)
{
    for (int32_t i = 0; i < pli_session_quantity_count(); i++)
        if (strcmp(pli_session_quantity_name(i), name) == 0)
            return i;
    return -1;
}

float pli_session_quantity_plain(const pli_world *world, pli_deformable deformable, int32_t quantity)
{
    pli_deformable_def def;
    if (!pli_session_quantity_is_value(quantity) ||
        pli_deformable_get_def(world, deformable, &def, NULL) != PLI_STATUS_OK)
        return 0.0f;
    return (float)pli_attribute_initial(attribute_of(quantity), &def);
}

bool pli_session_quantity_fits(const pli_world *world, pli_deformable deformable, int32_t quantity)
{
    const bool plate = pli_session_quantity_is_value(quantity) && attribute_of(quantity)->scales_with_field;
    return !plate || pli_session_quantity_plain(world, deformable, quantity) > 0.0f;
}

pli_session_brush pli_session_brush_for(const pli_world *world, float size)
{
    pli_session_brush b = {.radius = 0.1f * size, .strength = 0.5f};
    for (int32_t i = PLI_SESSION_PAINT_VALUES; i < pli_session_quantity_count(); i++) {
        const double plain = (double)pli_session_quantity_plain(world, pli_world_deformable_at(world, 0), i);
        b.values[i] = plain > 0.0 ? fmin(4.0 * plain, attribute_of(i)->maximum) : 1.0;
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

static pli_status apply(const pli_session_layer *c, pli_world *world, pli_error *error)
{
    return pli_deformable_paint(world, pli_world_deformable_at(world, c->deformable),
                                pli_session_quantity_name(c->quantity), PLI_ELEMENT_VERTEX, c->values, c->count, error);
}

static pli_status clear(const pli_session_layer *c, pli_world *world, pli_error *error)
{
    return pli_deformable_paint(world, pli_world_deformable_at(world, c->deformable),
                                pli_session_quantity_name(c->quantity), PLI_ELEMENT_VERTEX, NULL, 0, error);
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
