// Gestures of the pointer, and what they do.
#include "session/tools.h"

#include "session/edits.h"
#include "session/events.h"

#include <pliant/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    bool is_free, has_radius;
} tools[PLI_SESSION_TOOLS] = {
    [PLI_SESSION_TOOL_GRAB] = {"Grab", "Press on cloth and pull. The pull is soft, and its force is limited.", false,
                               true},
    [PLI_SESSION_TOOL_PIN] =
        {"Pin",
         "Press on cloth to pin it where it is. Press on a pin, or an attachment of the scene, to free "
         "it; drag it to move it.",
         false, true},
    [PLI_SESSION_TOOL_BRUSH] = {"Brush",
                                "Paint pins, density, friction and more over cloth. N selects the next quantity.",
                                false, true},
    [PLI_SESSION_TOOL_CUT] = {"Cut", "Draw a stroke across cloth. It is cut on release.", true, false},
    [PLI_SESSION_TOOL_BALL] =
        {"Ball",
         "Press to throw a ball through the point; press longer for a faster one. Four exist at a "
         "time, for 180 frames each.",
         true, false},
    [PLI_SESSION_TOOL_BLOW] = {"Blow", "Press and hold for wind of 8 m/s in a cone along the view.", true, false},
    [PLI_SESSION_TOOL_PUMP] = {"Pump", "Press and hold to pump up closed surfaces, with Shift to deflate them.", true,
                               false},
    [PLI_SESSION_TOOL_MOVE] = {"Move", "Drag a collider or a pin across the view, or along X, Y or Z.", false, false},
};

static const float gust_speed = 8.0f;                  // [m/s]
static const float pump_rate = 0.5f;                   // Change of the relative pressure [1/s].
static const float is_moved = 4e-3f;                   // Angle of the pointer's ray from which a press is a drag.
static const float far_away = 1e6f, hidden_by = 0.02f; // [m]

const char *pli_session_tool_name(int32_t tool) { return tools[tool].name; }
const char *pli_session_tool_summary(int32_t tool) { return tools[tool].summary; }
bool pli_session_tool_is_free(int32_t tool) { return tools[tool].is_free; }
bool pli_session_tool_has_radius(int32_t tool) { return tools[tool].has_radius; }

float pli_session_radius(const pli_session *s, int32_t tool, pli_deformable deformable)
{
    const pli_mesh *mesh = pli_deformable_rest_mesh(s->world, deformable);
    const float edge = mesh ? pli_mesh_get_report(mesh)->edge_length_mean : 0.0f;
    if (tool == PLI_SESSION_TOOL_BRUSH)
        return s->brush.radius;
    if (tool == PLI_SESSION_TOOL_PIN)
        return s->pin_radius > 0.0f ? s->pin_radius : edge;
    // As pli_grab_def.radius.
    return s->grab_radius > 0.0f ? s->grab_radius : fmaxf(0.04f * pli_session_size(s), 2.5f * edge);
}

void pli_session_widen(pli_session *s, int32_t tool, float factor)
{
    const float size = pli_session_size(s), now = pli_session_radius(s, tool, pli_world_deformable_at(s->world, 0));
    const float next = fminf(fmaxf(now * factor, 1e-3f * size), 0.5f * size);
    if (tool == PLI_SESSION_TOOL_BRUSH)
        s->brush.radius = next;
    else if (tool == PLI_SESSION_TOOL_PIN)
        s->pin_radius = next;
    else if (tool == PLI_SESSION_TOOL_GRAB)
        s->grab_radius = next;
}

/* ---- rays --------------------------------------------------------------------------------------- */

int32_t pli_session_nearest(const pli_ray_hit *hit)
{
    int32_t most = 0;
    for (int32_t k = 1; k < 3; k++)
        most = hit->weights[k] > hit->weights[most] ? k : most;
    return hit->vertices[most];
}

// The nearest collider within a distance; planes are infinite and are left out. Returns its index, or -1.
static int32_t collider_at(const pli_session *s, const pli_session_pointer *p, float *distance)
{
    int32_t found = -1;
    for (int32_t i = 0; i < pli_world_collider_count(s->world); i++) {
        const pli_collider collider = pli_world_collider_at(s->world, i);
        pli_collider_def def;
        pli_vec3 normal;
        float here;
        if (pli_collider_get_def(s->world, collider, &def, NULL) == PLI_STATUS_OK && def.layers != 0 &&
            isfinite(pli_shape_reach(&def)) &&
            pli_collider_ray(s->world, collider, p->eye, p->ray, *distance, &here, &normal) && here <= *distance)
            found = i, *distance = here;
    }
    return found;
}

bool pli_session_pick(const pli_session *s, const pli_session_pointer *p, pli_ray_hit *hit)
{
    if (!pli_world_ray(s->world, p->eye, p->ray, far_away, UINT32_MAX, hit))
        return false;
    float distance = hit->distance - hidden_by;
    return !(distance > 0.0f && collider_at(s, p, &distance) >= 0);
}

static pli_vec3 position_of(const pli_session *s, pli_deformable deformable, int32_t vertex)
{
    const float *p = pli_view_at(pli_deformable_positions(s->world, deformable), vertex);
    return (pli_vec3){p[0], p[1], p[2]};
}

// Where the ray meets the plane through a point that is parallel to the picture; the point itself behind the eye.
static pli_vec3 in_plane(const pli_session_pointer *p, pli_vec3 point)
{
    const float slope = pli_dot(p->ray, p->ahead), depth = pli_dot(pli_sub(point, p->eye), p->ahead);
    return slope > 1e-6f ? pli_add(p->eye, pli_scale(p->ray, depth / slope)) : point;
}

// The point of an axis that is nearest to the ray.
static pli_vec3 on_axis(const pli_session_pointer *p, pli_vec3 from, int32_t i)
{
    const pli_vec3 axis = {i == 0, i == 1, i == 2}, to = pli_sub(from, p->eye);
    const float along = pli_dot(axis, p->ray), across = 1.0f - along * along;
    return across > 1e-4f ? pli_add(from, pli_scale(axis, (pli_dot(to, p->ray) * along - pli_dot(to, axis)) / across))
                          : from;
}

/* ---- actions ------------------------------------------------------------------------------------ */

static void put(pli_session_event *e, int32_t first, pli_vec3 v)
{
    e->numbers[first] = v.x, e->numbers[first + 1] = v.y, e->numbers[first + 2] = v.z;
}

static bool refuse(pli_session *s, const char *what)
{
    char reason[sizeof s->message];
    memcpy(reason, s->message, sizeof reason);
    pli_session_fail(s, "%s: %.300s", what, reason);
    return false;
}

// Acts; messages of the library get the action as subject.
static bool act(pli_session *s, const pli_session_event *e, const char *label, const char *what)
{
    if (pli_session_act(s, e, label))
        return true;
    return s->message_stays ? refuse(s, what) : false;
}

bool pli_session_grab(pli_session *s, int32_t hand, pli_deformable deformable, int32_t vertex)
{
    pli_session_event e = {.kind = PLI_SESSION_GRAB,
                           .indices = {hand, pli_session_index_of(s->world, deformable), vertex},
                           .numbers = {s->grab_radius, s->grab_strength}};
    put(&e, 2, position_of(s, deformable, vertex));
    return act(s, &e, NULL, "nothing is grabbed");
}

void pli_session_pull(pli_session *s, int32_t hand, pli_vec3 target)
{
    pli_session_event e = {.kind = PLI_SESSION_PULL, .indices = {hand}};
    put(&e, 0, target);
    pli_session_act(s, &e, NULL);
}

void pli_session_let_go(pli_session *s, int32_t hand)
{
    const pli_session_event e = {.kind = PLI_SESSION_RELEASE, .indices = {hand}};
    if (s->tools.hands[hand].holds)
        pli_session_act(s, &e, NULL);
}

// Collects the vertex and its neighbours, or the vertices within the radius of the tool; to be freed by the caller.
static int32_t *patch_of(pli_session *s, pli_deformable deformable, int32_t vertex, int32_t *count)
{
    const pli_mesh *mesh;
    *count = 0;
    if (pli_deformable_get_mesh(s->world, deformable, &mesh, NULL) != PLI_STATUS_OK)
        return NULL;
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t weight_count = 0, *patch = calloc((size_t)t->vertex_count + 1, sizeof *patch);
    float *weights = s->pin_radius > 0.0f
                         ? pli_session_sample(s->world, deformable, vertex, position_of(s, deformable, vertex),
                                              s->pin_radius, &weight_count)
                         : NULL;
    if (patch)
        patch[(*count)++] = vertex;
    for (int32_t i = 0; patch && i < weight_count; i++)
        if (weights[i] > 0.0f && i != vertex)
            patch[(*count)++] = i;
    for (int32_t k = t->ring_offsets[vertex]; patch && !weights && k < t->ring_offsets[vertex + 1]; k++)
        patch[(*count)++] = t->ring_vertices[k];
    free(weights);
    return patch;
}

// Keeps the vertices of a list that are pinned, or not pinned.
static int32_t filter(const pli_session *s, pli_deformable deformable, int32_t *list, int32_t count, bool pinned)
{
    const int32_t vertex_count = pli_deformable_positions(s->world, deformable).count;
    float *now = calloc((size_t)vertex_count + 1, sizeof *now);
    int32_t left = 0;
    if (now)
        pli_session_pinned(s, deformable, now, vertex_count);
    for (int32_t i = 0; now && i < count; i++)
        if ((now[list[i]] > 0.0f) == pinned)
            list[left++] = list[i];
    free(now);
    return left;
}

bool pli_session_pin(pli_session *s, pli_deformable deformable, int32_t vertex)
{
    int32_t count, *patch = patch_of(s, deformable, vertex, &count);
    // Vertices that are already pinned stay with their attachment.
    const int32_t left = patch ? filter(s, deformable, patch, count, false) : 0;
    const pli_session_event e = {.kind = PLI_SESSION_PIN,
                                 .indices = {pli_session_index_of(s->world, deformable)},
                                 .vertices = patch,
                                 .count = left};
    if (left == 0)
        pli_session_tell(s, "nothing is pinned: it is pinned there already");
    const bool done = left > 0 && act(s, &e, "pin", "nothing is pinned");
    free(patch);
    return done;
}

bool pli_session_unpin(pli_session *s, pli_deformable deformable, int32_t vertex)
{
    int32_t count, *patch = patch_of(s, deformable, vertex, &count);
    const pli_session_event e = {.kind = PLI_SESSION_UNPIN,
                                 .indices = {pli_session_index_of(s->world, deformable)},
                                 .vertices = patch,
                                 .count = count};
    const bool done = patch && act(s, &e, "unpin", "nothing is freed");
    free(patch);
    return done;
}

bool pli_session_cut(pli_session *s, pli_deformable deformable, pli_vec3 point, pli_vec3 normal, float reach)
{
    pli_session_event e = {.kind = PLI_SESSION_CUT, .indices = {pli_session_index_of(s->world, deformable)}};
    put(&e, 0, point), put(&e, 3, normal), e.numbers[6] = reach;
    return act(s, &e, "cut", "nothing is cut");
}

bool pli_session_throw(pli_session *s, pli_vec3 from, pli_vec3 through, float strength)
{
    // Gives a ball of 8 cm at 5 m/s for a cloth of 1.4 m, and the same flight time for other sizes.
    const float size = pli_session_size(s);
    const pli_vec3 path = pli_sub(through, from);
    // The ball starts between the eye and the target, at most 1.5 sizes from the target.
    const float length = sqrtf(pli_dot(path, path)), near = fmaxf(length - 1.5f * size, 0.0f);
    pli_session_event e = {.kind = PLI_SESSION_BALL};
    put(&e, 0, pli_add(from, pli_scale(path, near / fmaxf(length, 1e-6f))));
    put(&e, 3, through);
    e.numbers[6] = 3.5f * strength * fmaxf(size, 0.1f), e.numbers[7] = 0.055f * size;
    return act(s, &e, "ball", "nothing is thrown");
}

void pli_session_blow(pli_session *s, pli_vec3 from, pli_vec3 direction)
{
    pli_session_event e = {.kind = PLI_SESSION_BLOW};
    put(&e, 0, from), put(&e, 3, direction), e.numbers[6] = gust_speed;
    pli_session_act(s, &e, NULL);
}

void pli_session_calm(pli_session *s)
{
    const pli_session_event e = {.kind = PLI_SESSION_CALM};
    if (s->tools.gust.blows)
        pli_session_act(s, &e, NULL);
}

bool pli_session_pump(pli_session *s, float rate)
{
    const pli_session_event e = {.kind = PLI_SESSION_PUMP, .numbers = {rate}};
    return act(s, &e, rate != 0.0f ? "pump" : NULL, "nothing is pumped");
}

static bool take(pli_session *s, int32_t collider, int32_t deformable, int32_t vertex, const char *label)
{
    const pli_session_event e = {.kind = PLI_SESSION_TAKE, .indices = {collider, deformable, vertex}};
    return act(s, &e, label, "it cannot be moved");
}

bool pli_session_take_collider(pli_session *s, pli_collider collider)
{
    int32_t i = pli_world_collider_count(s->world) - 1;
    while (i >= 0 && (collider.id == 0 || pli_world_collider_at(s->world, i).id != collider.id))
        i--;
    if (i < 0)
        pli_session_tell(s, "only colliders of the scene that no body carries can be moved");
    return i >= 0 && take(s, i, -1, -1, "move a collider");
}

bool pli_session_take_pin(pli_session *s, pli_deformable deformable, int32_t vertex)
{
    return take(s, -1, pli_session_index_of(s->world, deformable), vertex, "move a pin");
}

void pli_session_move(pli_session *s, pli_vec3 target)
{
    pli_session_event e = {.kind = PLI_SESSION_MOVE};
    put(&e, 0, target);
    pli_session_act(s, &e, NULL);
}

void pli_session_drop(pli_session *s)
{
    const pli_session_event e = {.kind = PLI_SESSION_DROP};
    if (s->tools.mover.collider.id != 0 || s->tools.mover.attachment.id != 0)
        pli_session_act(s, &e, NULL);
}

/* ---- brush -------------------------------------------------------------------------------------- */

// (1 - (d / r)^2)^2 at the distance d from the point.
static float weight_at(const float *p, pli_vec3 point, float radius)
{
    const float x = p[0] - point.x, y = p[1] - point.y, z = p[2] - point.z;
    const float left = 1.0f - (x * x + y * y + z * z) / (radius * radius);
    return left > 0.0f ? left * left : 0.0f;
}

float *pli_session_sample(pli_world *world, pli_deformable deformable, int32_t vertex, pli_vec3 point, float radius,
                          int32_t *count)
{
    const pli_mesh *mesh;
    if (pli_deformable_get_mesh(world, deformable, &mesh, NULL) != PLI_STATUS_OK)
        return NULL;
    const pli_topology *t = pli_mesh_topology(mesh);
    const pli_view positions = pli_deformable_positions(world, deformable);
    float *weights = calloc((size_t)t->vertex_count + 1, sizeof *weights);
    int32_t *reached = malloc(((size_t)t->vertex_count + 1) * sizeof *reached), last = 0;
    *count = t->vertex_count;
    if (weights && reached) {
        // If the mesh is coarser than the brush, the sample affects the vertex itself.
        weights[vertex] = fmaxf(weight_at(pli_view_at(positions, vertex), point, radius), 0.1f);
        reached[last++] = vertex;
    }
    for (int32_t i = 0; i < last; i++)
        for (int32_t k = t->ring_offsets[reached[i]]; k < t->ring_offsets[reached[i] + 1]; k++) {
            const int32_t next = t->ring_vertices[k];
            const float weight = weights[next] > 0.0f ? 0.0f : weight_at(pli_view_at(positions, next), point, radius);
            if (weight > 0.0f) {
                weights[next] = weight;
                reached[last++] = next;
            }
        }
    if (!reached) {
        free(weights);
        weights = NULL;
    }
    free(reached);
    return weights;
}

// The quantity of a stroke: the secondary button frees instead of pinning, and the reverse.
static int32_t quantity_of(const pli_session *s, const pli_session_gesture *g)
{
    const int32_t q = s->brush.quantity;
    return !g->secondary || pli_session_quantity_is_value(q)
               ? q
               : (q == PLI_SESSION_PAINT_PINS ? PLI_SESSION_PAINT_FREE : PLI_SESSION_PAINT_PINS);
}

bool pli_session_stroke_begin(pli_session *s, int32_t hand, pli_deformable deformable, bool secondary)
{
    pli_session_gesture *g = &s->gestures[hand];
    g->tool = PLI_SESSION_TOOL_BRUSH;
    g->pressed = g->edited = false;
    g->secondary = secondary;
    const int32_t quantity = quantity_of(s, g);
    // The library does not return painted values, so a brush would start from different values.
    if (s->painted_by_file & 1u << quantity)
        pli_session_tell(s, "nothing is painted: the scene's file paints %s, which a brush cannot continue",
                         pli_session_quantity_name(quantity));
    else if (!pli_session_quantity_fits(s->world, deformable, quantity))
        pli_session_tell(s, "nothing is painted: '%s' has no plate, whose %s this is",
                         pli_deformable_name(s->world, deformable), pli_session_quantity_name(quantity));
    else
        g->pressed = true;
    g->hit.deformable = deformable;
    return g->pressed;
}

static void sample_values(pli_session *s, pli_session_gesture *g, const float *weights, int32_t count)
{
    const pli_deformable deformable = g->hit.deformable;
    const int32_t index = pli_session_index_of(s->world, deformable), quantity = quantity_of(s, g);
    const pli_session_layer *layer = pli_session_paint_find(s->paint, quantity, index);
    const float plain = pli_session_quantity_plain(s->world, deformable, quantity),
                target = (float)s->brush.values[quantity];
    int32_t *vertices = malloc(((size_t)count + 1) * sizeof *vertices), listed = 0;
    float *values = malloc(((size_t)count + 1) * sizeof *values);
    for (int32_t i = 0; vertices && values && i < count; i++) {
        const float was = layer && i < layer->count ? layer->values[i] : plain,
                    fraction = s->brush.strength * weights[i];
        // At full strength the result is exactly the target value, without a rounded sum.
        const float next = fraction >= 1.0f ? target : was + fraction * (target - was);
        if (weights[i] > 0.0f && next != was)
            vertices[listed] = i, values[listed++] = next;
    }
    char label[80];
    snprintf(label, sizeof label, "brush: %s", pli_session_quantity_name(quantity));
    const pli_session_event e = {.kind = PLI_SESSION_PAINT,
                                 .indices = {index},
                                 .name = pli_session_quantity_name(quantity),
                                 .vertices = vertices,
                                 .values = values,
                                 .count = listed};
    if (listed > 0) {
        g->pressed = act(s, &e, g->edited ? NULL : label, "nothing is painted");
        g->edited = g->edited || g->pressed;
    }
    free(vertices);
    free(values);
}

static void sample_pins(pli_session *s, pli_session_gesture *g, const float *weights, int32_t count)
{
    const pli_deformable deformable = g->hit.deformable;
    const int32_t quantity = quantity_of(s, g);
    const bool frees = quantity == PLI_SESSION_PAINT_FREE;
    int32_t *list = malloc(((size_t)count + 1) * sizeof *list), listed = 0;
    for (int32_t i = 0; list && i < count; i++)
        if (weights[i] > 0.0f)
            list[listed++] = i;
    listed = list ? filter(s, deformable, list, listed, frees) : 0;
    char label[80];
    snprintf(label, sizeof label, "brush: %s", pli_session_quantity_name(quantity));
    const pli_session_event e = {.kind = frees ? PLI_SESSION_UNPIN : PLI_SESSION_PIN,
                                 .indices = {pli_session_index_of(s->world, deformable), g->edited},
                                 .vertices = list,
                                 .count = listed};
    if (listed > 0) {
        g->pressed = act(s, &e, g->edited ? NULL : label, "nothing is painted");
        g->edited = g->edited || g->pressed;
    }
    free(list);
}

void pli_session_stroke(pli_session *s, int32_t hand, pli_deformable deformable, int32_t vertex, pli_vec3 point)
{
    pli_session_gesture *g = &s->gestures[hand];
    int32_t count;
    if (!g->pressed || g->hit.deformable.id != deformable.id)
        return;
    float *weights = pli_session_sample(s->world, deformable, vertex, point, s->brush.radius, &count);
    if (!weights)
        pli_session_fail(s, "nothing is painted: out of memory");
    else if (pli_session_quantity_is_value(quantity_of(s, g)))
        sample_values(s, g, weights, count);
    else
        sample_pins(s, g, weights, count);
    free(weights);
}

void pli_session_stroke_end(pli_session *s, int32_t hand) { s->gestures[hand] = (pli_session_gesture){0}; }

/* ---- gestures ----------------------------------------------------------------------------------- */

static bool press_move(pli_session *s, pli_session_gesture *g, const pli_session_pointer *p)
{
    float distance = g->hits ? g->hit.distance : far_away;
    const int32_t collider = collider_at(s, p, &distance);
    g->taken = collider >= 0 ? take(s, collider, -1, -1, "move a collider")
               : g->hits     ? pli_session_take_pin(s, g->hit.deformable, pli_session_nearest(&g->hit))
                             : false;
    if (!g->hits && collider < 0)
        pli_session_tell(s, "nothing can be moved there: press on a collider, or where cloth is pinned");
    g->from = s->tools.mover.target;
    return g->taken;
}

static void note_cut(const pli_session *s, pli_session_gesture *g, const pli_session_pointer *p)
{
    pli_ray_hit hit;
    if (!pli_session_pick(s, p, &hit) || (g->cut_hits > 0 && hit.deformable.id != g->hit.deformable.id))
        return;
    const int32_t i = g->cut_hits++ > 0;
    g->hit.deformable = hit.deformable;
    g->cut_rays[i] = p->ray, g->cut_ends[i] = hit.position;
}

bool pli_session_press(pli_session *s, int32_t hand, pli_session_tool tool, const pli_session_pointer *p,
                       bool secondary)
{
    pli_session_gesture *g = &s->gestures[hand];
    if (s->show) // No tool works on a recording.
        return false;
    pli_ray_hit hit = {0};
    const bool hits = pli_session_pick(s, p, &hit);
    if (tool == PLI_SESSION_TOOL_MOVE) {
        *g = (pli_session_gesture){.tool = tool, .hit = hit, .hits = hits, .first = *p, .last = *p};
        return g->pressed = press_move(s, g, p);
    }
    if (!hits && !tools[tool].is_free)
        return false;
    *g = (pli_session_gesture){
        .pressed = true, .tool = tool, .secondary = secondary, .hit = hit, .hits = hits, .first = *p, .last = *p};
    const int32_t vertex = hits ? pli_session_nearest(&hit) : 0;
    if (tool == PLI_SESSION_TOOL_GRAB) {
        g->pressed = pli_session_grab(s, hand, hit.deformable, vertex);
    } else if (tool == PLI_SESSION_TOOL_BRUSH) {
        if (pli_session_stroke_begin(s, hand, hit.deformable, secondary))
            pli_session_stroke(s, hand, hit.deformable, vertex, hit.position);
    } else if (tool == PLI_SESSION_TOOL_CUT) {
        note_cut(s, g, p);
    } else if (tool == PLI_SESSION_TOOL_BLOW) {
        pli_session_blow(s, p->eye, p->ray);
    } else if (tool == PLI_SESSION_TOOL_PUMP) {
        g->pressed = pli_session_pump(s, secondary ? -pump_rate : pump_rate);
    }
    return g->pressed;
}

// Calls a function for rays between the last pointer and this one, less than a distance apart on the cloth.
static void sweep(pli_session *s, int32_t hand, const pli_session_pointer *p, float gap)
{
    enum { MOST = 64 };
    pli_session_gesture *g = &s->gestures[hand];
    const pli_vec3 change = pli_sub(p->ray, g->last.ray);
    const float depth = g->hit.distance > 0.0f ? g->hit.distance : 1.0f;
    const float length = depth * sqrtf(pli_dot(change, change));
    const int32_t count = length < (float)MOST * gap ? (int32_t)(length / gap) : MOST;
    if (count == 0)
        return;
    for (int32_t i = 1; i <= count && g->pressed; i++) {
        pli_session_pointer between = *p;
        pli_ray_hit hit;
        const pli_vec3 ray = pli_add(g->last.ray, pli_scale(change, (float)i / (float)count));
        between.ray = pli_scale(ray, 1.0f / sqrtf(pli_dot(ray, ray)));
        if (g->tool == PLI_SESSION_TOOL_CUT)
            note_cut(s, g, &between);
        else if (pli_session_pick(s, &between, &hit))
            pli_session_stroke(s, hand, hit.deformable, pli_session_nearest(&hit), hit.position);
    }
    g->last = *p;
}

static void drag_pin(pli_session *s, pli_session_gesture *g)
{
    const int32_t vertex = pli_session_nearest(&g->hit);
    if (g->taken || !g->moved || !pli_session_is_pinned(s, g->hit.deformable, vertex))
        return;
    g->taken = pli_session_take_pin(s, g->hit.deformable, vertex);
    g->from = s->tools.mover.target;
    // The motion is relative to the point that was pressed.
    g->pressed = g->taken;
}

void pli_session_drag_pointer(pli_session *s, int32_t hand, const pli_session_pointer *p)
{
    pli_session_gesture *g = &s->gestures[hand];
    const pli_vec3 change = pli_sub(p->ray, g->first.ray);
    if (!g->pressed)
        return;
    g->moved = g->moved || pli_dot(change, change) > is_moved * is_moved;
    if (g->tool == PLI_SESSION_TOOL_PIN)
        drag_pin(s, g);
    if (g->tool == PLI_SESSION_TOOL_GRAB)
        pli_session_pull(s, hand, in_plane(p, s->tools.hands[hand].target));
    else if (g->tool == PLI_SESSION_TOOL_BLOW)
        pli_session_blow(s, p->eye, p->ray);
    else if (g->tool == PLI_SESSION_TOOL_BRUSH)
        sweep(s, hand, p, 0.25f * s->brush.radius);
    else if (g->tool == PLI_SESSION_TOOL_CUT)
        sweep(s, hand, p, 0.005f * pli_session_size(s));
    else if (g->taken && g->tool == PLI_SESSION_TOOL_PIN)
        pli_session_move(s, pli_add(g->from, pli_sub(in_plane(p, g->hit.position), g->hit.position)));
    else if (g->taken)
        pli_session_move(s, s->axis < 0 ? in_plane(p, g->from) : on_axis(p, g->from, s->axis));
    if (g->tool != PLI_SESSION_TOOL_BRUSH && g->tool != PLI_SESSION_TOOL_CUT)
        g->last = *p;
}

void pli_session_push(pli_session *s, int32_t hand, const pli_session_pointer *p, float factor)
{
    if (s->tools.hands[hand].holds)
        pli_session_pull(s, hand, pli_add(p->eye, pli_scale(pli_sub(s->tools.hands[hand].target, p->eye), factor)));
}

// Cuts along the plane through the eye and both ends of the stroke on the cloth, and half an edge beyond.
static void finish_cut(pli_session *s, const pli_session_gesture *g)
{
    const pli_vec3 normal = pli_cross(g->cut_rays[0], g->cut_rays[1]);
    const pli_vec3 path = pli_sub(g->cut_ends[1], g->cut_ends[0]);
    const float length = sqrtf(pli_dot(path, path));
    if (g->cut_hits < 2 || !(length > 0.0f)) {
        if (g->moved)
            pli_session_tell(s, "nothing is cut: the stroke touches no cloth");
        return;
    }
    const pli_mesh *mesh = pli_deformable_rest_mesh(s->world, g->hit.deformable);
    const float edge = mesh ? pli_mesh_get_report(mesh)->edge_length_mean : 0.0f;
    pli_session_cut(s, g->hit.deformable, pli_scale(pli_add(g->cut_ends[0], g->cut_ends[1]), 0.5f), normal,
                    0.5f * (length + edge));
}

static void finish_pin(pli_session *s, const pli_session_gesture *g)
{
    const int32_t vertex = pli_session_nearest(&g->hit);
    if (g->taken || g->moved)
        return;
    if (pli_session_is_pinned(s, g->hit.deformable, vertex))
        pli_session_unpin(s, g->hit.deformable, vertex);
    else
        pli_session_pin(s, g->hit.deformable, vertex);
}

// Throws at the surface under the pointer, or at the middle of the scene's depth if there is none.
static void finish_ball(pli_session *s, const pli_session_gesture *g, const pli_session_pointer *p)
{
    const float pressed = fminf(fmaxf((float)(p->seconds - g->first.seconds), 0.0f), 1.0f);
    const float distance = g->hits ? g->hit.distance : 2.0f * pli_session_size(s);
    if (!g->moved)
        pli_session_throw(s, g->first.eye, pli_add(g->first.eye, pli_scale(g->first.ray, distance)), 1.0f + pressed);
}

void pli_session_release(pli_session *s, int32_t hand, const pli_session_pointer *p)
{
    if (!s->gestures[hand].pressed)
        return;
    pli_session_drag_pointer(s, hand, p);
    const pli_session_gesture g = s->gestures[hand];
    s->gestures[hand] = (pli_session_gesture){0};
    if (g.tool == PLI_SESSION_TOOL_GRAB)
        pli_session_let_go(s, hand);
    else if (g.tool == PLI_SESSION_TOOL_PIN)
        finish_pin(s, &g);
    else if (g.tool == PLI_SESSION_TOOL_CUT)
        finish_cut(s, &g);
    else if (g.tool == PLI_SESSION_TOOL_BALL)
        finish_ball(s, &g, p);
    else if (g.tool == PLI_SESSION_TOOL_BLOW)
        pli_session_calm(s);
    else if (g.tool == PLI_SESSION_TOOL_PUMP)
        pli_session_pump(s, 0.0f);
    if (g.taken)
        pli_session_drop(s);
}

void pli_session_release_all(pli_session *s)
{
    for (int32_t i = 0; i < PLI_SESSION_HANDS; i++) {
        pli_session_gesture *g = &s->gestures[i];
        // A press that is cancelled neither pins nor throws nor cuts.
        if (g->tool == PLI_SESSION_TOOL_PIN || g->tool == PLI_SESSION_TOOL_BALL || g->tool == PLI_SESSION_TOOL_CUT)
            g->moved = true, g->cut_hits = 0;
        if (g->pressed && g->tool == PLI_SESSION_TOOL_CUT)
            *g = (pli_session_gesture){0};
        const pli_session_pointer last = g->last;
        pli_session_release(s, i, &last);
        pli_session_let_go(s, i); // Also what a script grabs.
    }
}
