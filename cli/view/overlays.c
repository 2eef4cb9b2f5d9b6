// One row per overlay: a function that turns the library's data about a world into lines.
#include "view/overlays.h"

#include <pliant/math.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Distinguishable colours, linear.
static const pli_vec3 palette[] = {
    {0.80f, 0.20f, 0.05f}, {0.05f, 0.30f, 0.75f}, {0.10f, 0.50f, 0.12f}, {0.60f, 0.10f, 0.55f},
    {0.85f, 0.55f, 0.02f}, {0.02f, 0.50f, 0.55f}, {0.45f, 0.22f, 0.08f}, {0.90f, 0.35f, 0.50f},
};
enum { COLOURS = sizeof palette / sizeof *palette };
static const pli_vec3 grey = {0.30f, 0.32f, 0.35f};

typedef pli_cli_overlays overlays;

static void add_line(overlays *o, pli_vec3 a, pli_vec3 b, pli_vec3 colour)
{
    if (o->line_count == o->line_capacity) {
        int32_t capacity = 2 * o->line_capacity + 1024;
        pli_render_line *grown = realloc(o->lines, (size_t)capacity * sizeof *grown);
        if (!grown) {
            o->failed = true;
            return;
        }
        o->lines = grown;
        o->line_capacity = capacity;
    }
    o->lines[o->line_count++] = (pli_render_line){a, b, colour};
}

__attribute__((format(printf, 3, 4))) static void add_key(overlays *o, pli_vec3 colour, const char *format, ...)
{
    if (o->key_count == PLI_CLI_KEYS_MOST)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(o->names[o->key_count], sizeof o->names[0], format, arguments);
    va_end(arguments);
    o->keys[o->key_count] = (pli_render_key){o->names[o->key_count], colour};
    o->key_count++;
}

static pli_vec3 at(pli_view positions, int32_t i)
{
    const float *p = pli_view_at(positions, i);
    return (pli_vec3){p[0], p[1], p[2]};
}

static pli_vec3 between(pli_vec3 a, pli_vec3 b, float t) { return pli_add(pli_scale(a, 1.0f - t), pli_scale(b, t)); }

/* ---- constraints -------------------------------------------------------------------------------- */

// Two particles are joined by a line, more particles by a star around their centre, which leaves gaps to neighbouring stars. A
// constraint over many particles has no single place and is not drawn.
static void add_constraint(overlays *o, pli_view positions, const int32_t *particles, int32_t count, pli_vec3 colour)
{
    enum { MANY = 12 };
    pli_vec3 middle = {0};
    if (count == 2)
        add_line(o, at(positions, particles[0]), at(positions, particles[1]), colour);
    if (count <= 2 || count > MANY)
        return;
    for (int32_t k = 0; k < count; k++)
        middle = pli_add(middle, pli_scale(at(positions, particles[k]), 1.0f / (float)count));
    for (int32_t k = 0; k < count; k++)
        add_line(o, middle, between(middle, at(positions, particles[k]), 0.4f), colour);
}

// Adds the constraints of a set, each in the colour of its batch, or all in one colour.
static void add_set(overlays *o, const pli_world *world, pli_constraints set, const pli_constraints_info *info,
                    const int32_t *batches, pli_vec3 colour)
{
    pli_view positions = pli_deformable_positions(world, info->deformable);
    int32_t *particles = malloc((size_t)(positions.count + 16) * sizeof *particles);
    pli_error error;
    o->failed = o->failed || !particles;
    for (int32_t i = 0; particles && i < info->constraint_count; i++) {
        int32_t count = 0;
        if (pli_constraints_stencil(world, set, i, particles, &count, NULL, NULL, &error) != PLI_STATUS_OK)
            continue;
        pli_vec3 own = !batches ? colour : batches[i] < 0 ? grey : palette[batches[i] % COLOURS];
        add_constraint(o, positions, particles, count, own);
    }
    free(particles);
}

static void add_constraints(overlays *o, pli_world *world)
{
    pli_error error;
    for (int32_t k = 0; k < pli_world_constraints_count(world); k++) {
        pli_constraints set = pli_world_constraints_at(world, k);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, &error) != PLI_STATUS_OK)
            continue;
        pli_vec3 colour = palette[k % COLOURS];
        add_set(o, world, set, &info, NULL, colour);
        add_key(o, colour, "%s: %d", info.type->name, (int)info.constraint_count);
    }
}

static void add_batches(overlays *o, pli_world *world)
{
    pli_error error;
    int32_t most = -1;
    bool left = false;
    for (int32_t k = 0; k < pli_world_constraints_count(world); k++) {
        pli_constraints set = pli_world_constraints_at(world, k);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, &error) != PLI_STATUS_OK)
            continue;
        int32_t *batches = malloc((size_t)(info.constraint_count + 1) * sizeof *batches);
        o->failed = o->failed || !batches;
        if (batches && pli_constraints_batches(world, set, batches, &error) == PLI_STATUS_OK)
            add_set(o, world, set, &info, batches, grey);
        for (int32_t i = 0; batches && i < info.constraint_count; i++) {
            most = batches[i] > most ? batches[i] : most;
            left = left || batches[i] < 0;
        }
        free(batches);
    }
    for (int32_t i = 0; i <= most && i < COLOURS; i++) {
        if (i + COLOURS <= most)
            add_key(o, palette[i], "batch %d, %d ...", (int)i, (int)(i + COLOURS));
        else
            add_key(o, palette[i], "batch %d", (int)i);
    }
    if (left)
        add_key(o, grey, "row by row, one by one");
}

/* ---- contacts ----------------------------------------------------------------------------------- */

// The size of a cross follows from the mean edge length of the surfaces in contact.
static float mean_edge(const pli_world *world)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, pli_world_deformable_at(world, i)));
        pli_view rest = {t->positions, t->vertex_count, 12};
        for (int32_t e = 0; e < t->edge_count; e++) {
            pli_vec3 way = pli_sub(at(rest, t->edges[2 * e]), at(rest, t->edges[2 * e + 1]));
            sum += sqrt((double)pli_dot(way, way));
        }
        count += t->edge_count;
    }
    return count > 0 ? (float)(sum / (double)count) : 0.01f;
}

static void add_cross(overlays *o, pli_vec3 p, float reach, pli_vec3 colour)
{
    const pli_vec3 ways[] = {{reach, 0, 0}, {0, reach, 0}, {0, 0, reach}};
    for (int k = 0; k < 3; k++)
        add_line(o, pli_sub(p, ways[k]), pli_add(p, ways[k]), colour);
}

static void add_contacts(overlays *o, pli_world *world)
{
    static const pli_vec3 with_collider = {0.85f, 0.30f, 0.02f}, with_cloth = {0.70f, 0.03f, 0.45f};
    pli_error error;
    int32_t count = 0, counts[2] = {0, 0};
    float largest = 0.0f, edge = mean_edge(world);
    pli_world_contacts(world, NULL, 0, &count, &error);
    pli_contact_point *points = calloc((size_t)count + 1, sizeof *points);
    o->failed = o->failed || !points;
    if (!points || pli_world_contacts(world, points, count, &count, &error) != PLI_STATUS_OK)
        count = 0;
    for (int32_t i = 0; i < count; i++)
        largest = points[i].impulse > largest ? points[i].impulse : largest;
    for (int32_t i = 0; i < count; i++) {
        const pli_contact_point *p = &points[i];
        bool surfaces = p->b.deformable.id != 0;
        pli_vec3 colour = surfaces ? with_cloth : with_collider;
        counts[surfaces]++;
        add_cross(o, p->position, 0.12f * edge, colour);
        add_line(o, p->position,
                 pli_add(p->position, pli_scale(p->normal, edge * (0.5f + 2.0f * p->impulse / largest))), colour);
    }
    free(points);
    add_key(o, with_collider, "on colliders: %d", (int)counts[0]);
    add_key(o, with_cloth, "between surfaces: %d", (int)counts[1]);
    if (count > 0)
        add_key(o, with_collider, "longest normal: %.2g mN s", 1e3 * (double)largest);
}

/* ---- thickness ---------------------------------------------------------------------------------- */

static const pli_vec3 cloth_shell = {0.02f, 0.42f, 0.50f}, collider_shell = {0.55f, 0.20f, 0.60f};

static void add_cloth_shell(overlays *o, pli_world *world, pli_deformable deformable, float *thickest)
{
    pli_error error;
    pli_deformable_def def;
    const pli_mesh *mesh = NULL;
    pli_view positions = pli_deformable_positions(world, deformable),
             normals = pli_deformable_normals(world, deformable);
    if (pli_deformable_get_def(world, deformable, &def, &error) != PLI_STATUS_OK ||
        pli_deformable_get_mesh(world, deformable, &mesh, &error) != PLI_STATUS_OK)
        return;
    const pli_topology *t = pli_mesh_topology(mesh);
    *thickest = def.thickness > *thickest ? def.thickness : *thickest;
    for (int32_t e = 0; e < t->edge_count && normals.count == positions.count; e++) {
        int32_t i = t->edges[2 * e], j = t->edges[2 * e + 1];
        for (int side = -1; side <= 1; side += 2) {
            float by = 0.5f * (float)side * def.thickness;
            add_line(o, pli_add(at(positions, i), pli_scale(at(normals, i), by)),
                     pli_add(at(positions, j), pli_scale(at(normals, j), by)), cloth_shell);
        }
    }
}

// Vertices of a collider offset by its thickness: along the gradient of the distance, or away from its origin.
static void add_collider_shell(overlays *o, const pli_collider_def *def)
{
    enum { AROUND = 24 };
    pli_error error;
    pli_mesh *mesh = NULL;
    if (pli_shape_tessellate(def, AROUND, NULL, &mesh, &error) != PLI_STATUS_OK)
        return;
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_vec3 *pushed = calloc((size_t)t->vertex_count + 1, sizeof *pushed);
    o->failed = o->failed || !pushed;
    for (int32_t v = 0; pushed && v < t->vertex_count; v++) {
        pli_vec3 p = at((pli_view){t->positions, t->vertex_count, 12}, v), normal;
        float distance, length = sqrtf(pli_dot(p, p));
        if (!pli_shape_distance(def, pli_scale(p, 1.001f), &distance, &normal))
            normal = length > 0.0f ? pli_scale(p, 1.0f / length) : (pli_vec3){0, 1, 0};
        pli_vec3 out = pli_add(p, pli_scale(normal, def->thickness));
        pushed[v] = pli_add(def->pose.position, pli_rotate(def->pose.rotation, out));
    }
    for (int32_t e = 0; pushed && e < t->edge_count; e++)
        add_line(o, pushed[t->edges[2 * e]], pushed[t->edges[2 * e + 1]], collider_shell);
    free(pushed);
    pli_mesh_destroy(mesh);
}

static void add_thickness(overlays *o, pli_world *world)
{
    float thickest = 0.0f, most = 0.0f;
    pli_error error;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        add_cloth_shell(o, world, pli_world_deformable_at(world, i), &thickest);
    for (int32_t i = 0; i < pli_world_collider_count(world); i++) {
        pli_collider_def def;
        if (pli_collider_get_def(world, pli_world_collider_at(world, i), &def, &error) != PLI_STATUS_OK)
            continue;
        most = def.thickness > most ? def.thickness : most;
        add_collider_shell(o, &def);
    }
    add_key(o, cloth_shell, "cloth: %.3g mm at most", 1e3 * (double)thickest);
    add_key(o, collider_shell, "colliders: %.3g mm at most", 1e3 * (double)most);
}

/* ---- boxes -------------------------------------------------------------------------------------- */

static void add_box(overlays *o, const pli_vec3 c[2], pli_vec3 colour)
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            // Corners whose indices differ in one bit are joined.
            int low = axis == 0 ? k << 1 : axis == 1 ? (k & 1) | (k & 2) << 1 : k, high = low | 1 << axis;
            add_line(o, (pli_vec3){c[low & 1].x, c[low >> 1 & 1].y, c[low >> 2].z},
                     (pli_vec3){c[high & 1].x, c[high >> 1 & 1].y, c[high >> 2].z}, colour);
        }
}

static void add_boxes(overlays *o, pli_world *world)
{
    static const pli_vec3 colour = {0.25f, 0.40f, 0.02f};
    pli_error error;
    int32_t sum = 0;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        int32_t count = 0;
        pli_deformable_boxes(world, deformable, NULL, 0, &count, &error);
        pli_vec3 *corners = calloc(2 * (size_t)count + 1, sizeof *corners);
        o->failed = o->failed || !corners;
        if (corners && pli_deformable_boxes(world, deformable, corners, count, &count, &error) == PLI_STATUS_OK)
            for (int32_t b = 0; b < count; b++)
                add_box(o, corners + 2 * b, colour);
        free(corners);
        sum += count;
    }
    add_key(o, colour, "boxes of the search: %d", (int)sum);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const struct {
    const char *name, *summary;
    void (*add)(overlays *o, pli_world *world);
} rows[PLI_CLI_OVERLAY_COUNT] = {
    [PLI_CLI_OVERLAY_CONSTRAINTS] = {"constraints", "Each set of constraints in a colour.", add_constraints},
    [PLI_CLI_OVERLAY_BATCHES] = {"batches", "Constraints that are projected at the same time, in one colour.",
                                 add_batches},
    [PLI_CLI_OVERLAY_CONTACTS] = {"contacts", "Points of contact with their normals, as long as their impulse.",
                                  add_contacts},
    [PLI_CLI_OVERLAY_THICKNESS] = {"thickness", "Where cloth and colliders end when things touch them.", add_thickness},
    [PLI_CLI_OVERLAY_BOXES] = {"boxes", "The boxes in which contacts are searched.", add_boxes},
};

const char *pli_cli_overlay_name(int32_t i) { return i >= 0 && i < PLI_CLI_OVERLAY_COUNT ? rows[i].name : NULL; }

const char *pli_cli_overlay_summary(int32_t i) { return i >= 0 && i < PLI_CLI_OVERLAY_COUNT ? rows[i].summary : NULL; }

int32_t pli_cli_overlay_find(const char *name)
{
    for (int32_t i = 0; i < PLI_CLI_OVERLAY_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

bool pli_cli_overlays_make(pli_cli_overlays *o, pli_world *world, uint32_t which)
{
    o->line_count = o->key_count = 0;
    o->failed = false;
    for (int32_t i = 0; i < PLI_CLI_OVERLAY_COUNT; i++)
        if (which & 1u << i)
            rows[i].add(o, world);
    return !o->failed;
}

void pli_cli_overlays_release(pli_cli_overlays *o)
{
    free(o->lines);
    *o = (pli_cli_overlays){0};
}
