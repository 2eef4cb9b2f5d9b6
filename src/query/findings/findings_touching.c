// Surfaces of two objects that touch. The triangles of both are halved alternately, and triangles outside of the other's box are dropped,
// until few of each are left; these are tested in double precision.
#include "query/findings/findings.h"

#include "base/layers.h"
#include "collision/broadphase/aabb.h"
#include "collision/narrowphase/closest_points.h"
#include "pliant/collider.h"
#include "pliant/deformable.h"

#include <math.h>
#include <stdio.h>

// Distance at which surfaces touch, as a fraction of their largest coordinate: two roundings of a float.
#define TOUCHING_ROUNDING 0x1p-22
// Up to FEW triangles are tested one by one. PAIRS_PER_TRIANGLE limits the number of tested pairs for each triangle.
enum { FEW = 8, PAIRS_PER_TRIANGLE = 256 };

typedef struct contact_side {
    pli_vec3 *at; // [count] vertices in the application's coordinates.
    int32_t count;
    const int32_t *triangles; // [3 * triangle_count]
    int32_t triangle_count;
    pli_aabb bounds;
    // For a search: the triangles that take part, boxes by triangle, vertices that are exempt, and vertices that touch.
    int32_t *parts, part_count;
    pli_aabb *boxes;
    uint8_t *exempt, *touches;
} contact_side;

typedef struct touching_search {
    contact_side *sides[2];
    double reach;      // [m]
    int64_t left;      // Pairs that may still be tested.
    int32_t counts[2]; // Vertices that touch.
    bool along_edges;  // Edges touch; tested while no vertex touches.
    pli_dvec3 place;   // Position of the first contact.
} touching_search;

static pli_dvec3 vertex_of(const contact_side *s, int32_t triangle, int k)
{
    return pli_widened(s->at[s->triangles[3 * (ptrdiff_t)triangle + k % 3]]);
}

/* ---- two triangles ------------------------------------------------------------------------------ */

static void touching_note(touching_search *s, pli_dvec3 place)
{
    if (s->counts[0] + s->counts[1] == 0 && !s->along_edges)
        s->place = place;
}

// Tests the corners of a triangle of one side against a triangle of the other.
static void test_corners(touching_search *s, int of, int32_t triangle, int32_t other)
{
    contact_side *a = s->sides[of];
    const contact_side *b = s->sides[1 - of];
    for (int k = 0; k < 3; k++) {
        const int32_t v = a->triangles[3 * (ptrdiff_t)triangle + k];
        const pli_dvec3 at[4] = {pli_widened(a->at[v]), vertex_of(b, other, 0), vertex_of(b, other, 1),
                                 vertex_of(b, other, 2)};
        if (a->touches[v] || pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at).square > s->reach * s->reach)
            continue;
        touching_note(s, at[0]);
        a->touches[v] = 1;
        s->counts[of]++;
    }
}

static void test_edges(touching_search *s, int32_t triangle, int32_t other)
{
    for (int k = 0; k < 9 && !s->along_edges; k++) {
        const pli_dvec3 at[4] = {vertex_of(s->sides[0], triangle, k / 3), vertex_of(s->sides[0], triangle, k / 3 + 1),
                                 vertex_of(s->sides[1], other, k % 3), vertex_of(s->sides[1], other, k % 3 + 1)};
        const pli_closest c = pli_closest_points(PLI_PAIR_EDGE_EDGE, at);
        if (c.square > s->reach * s->reach)
            continue;
        touching_note(s, pli_dadd(pli_dscale(at[0], c.weights[0]), pli_dscale(at[1], c.weights[1])));
        s->along_edges = true;
    }
}

static void test(touching_search *s, int32_t triangle, int32_t other)
{
    if (s->left <= 0 || !pli_aabb_overlap(s->sides[0]->boxes[triangle], s->sides[1]->boxes[other]))
        return;
    s->left--;
    test_corners(s, 0, triangle, other);
    test_corners(s, 1, other, triangle);
    if (s->counts[0] + s->counts[1] == 0)
        test_edges(s, triangle, other);
}

/* ---- halving ------------------------------------------------------------------------------------ */

static pli_aabb parts_box(const contact_side *s, const int32_t *parts, int32_t count)
{
    pli_aabb box = pli_aabb_empty();
    for (int32_t i = 0; i < count; i++)
        box = pli_aabb_join(box, s->boxes[parts[i]]);
    return box;
}

static void swap_parts(int32_t *a, int32_t *b)
{
    const int32_t kept = *a;
    *a = *b, *b = kept;
}

// Moves the parts that overlap a box to the front. Returns their number.
static int32_t keep_within(const contact_side *s, int32_t *parts, int32_t count, pli_aabb box)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (pli_aabb_overlap(s->boxes[parts[i]], box))
            swap_parts(&parts[kept++], &parts[i]);
    return kept;
}

static float along_axis(pli_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double middle(const contact_side *s, int32_t part, int axis)
{
    return (double)along_axis(s->boxes[part].low, axis) + (double)along_axis(s->boxes[part].high, axis);
}

// Moves the parts below the mean along the longest axis to the front. Returns their number, or 0 if all are at one position.
static int32_t halve(const contact_side *s, int32_t *parts, int32_t count)
{
    const pli_aabb box = parts_box(s, parts, count);
    const pli_vec3 size = pli_sub(box.high, box.low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double mean = 0.0;
    for (int32_t i = 0; i < count; i++)
        mean += middle(s, parts[i], axis) / count;
    int32_t below = 0;
    for (int32_t i = 0; i < count; i++)
        if (middle(s, parts[i], axis) < mean)
            swap_parts(&parts[below++], &parts[i]);
    return below < count ? below : 0;
}

static void touching_find(touching_search *s, int32_t *parts[2], const int32_t given[2])
{
    const contact_side *a = s->sides[0], *b = s->sides[1];
    int32_t counts[2] = {given[0], given[1]};
    counts[1] = keep_within(b, parts[1], counts[1], parts_box(a, parts[0], counts[0]));
    counts[0] = keep_within(a, parts[0], counts[0], parts_box(b, parts[1], counts[1]));
    for (int turn = 0; turn < 2 && (counts[0] > FEW || counts[1] > FEW) && counts[0] > 0 && counts[1] > 0; turn++) {
        const int which = (counts[1] > counts[0]) ^ turn;
        const int32_t below = counts[which] > 1 ? halve(s->sides[which], parts[which], counts[which]) : 0;
        if (below == 0)
            continue;
        int32_t *low[2] = {parts[0], parts[1]}, *high[2] = {parts[0], parts[1]};
        int32_t low_counts[2] = {counts[0], counts[1]}, high_counts[2] = {counts[0], counts[1]};
        low_counts[which] = below, high[which] += below, high_counts[which] -= below;
        touching_find(s, low, low_counts);
        touching_find(s, high, high_counts);
        return;
    }
    for (int32_t i = 0; i < counts[0]; i++)
        for (int32_t k = 0; k < counts[1] && s->left > 0; k++)
            test(s, parts[0][i], parts[1][k]);
}

/* ---- surfaces ----------------------------------------------------------------------------------- */

static bool make_side(pli_memory *memory, contact_side *s, int32_t count, const int32_t *triangles,
                      int32_t triangle_count)
{
    s->count = count, s->triangles = triangles, s->triangle_count = triangle_count;
    s->at = PLI_ALLOCATE_UNSET(memory, pli_vec3, count);
    s->bounds = pli_aabb_empty();
    return s->at != NULL;
}

static bool side_of_deformable(pli_world *world, int32_t i, contact_side *s)
{
    const pli_deformable_data *deformable = pli_deformable_at(world, i);
    const pli_view points = pli_deformable_positions(world, (pli_deformable){deformable->id, world->tag});
    if (!make_side(&world->memory, s, points.count, deformable->shape.triangles, deformable->shape.triangle_count))
        return false;
    for (int32_t v = 0; v < points.count; v++) {
        const float *p = pli_view_at(points, v);
        s->at[v] = (pli_vec3){p[0], p[1], p[2]};
        pli_aabb_include(&s->bounds, s->at[v]);
    }
    return true;
}

// A collider that only particles can touch, such as a sphere, has no side: its distance always has a direction.
static bool side_of_collider(pli_world *world, int32_t i, contact_side *s)
{
    const pli_collider_data *collider = pli_collider_at(world, i);
    *s = (contact_side){.bounds = pli_aabb_empty()};
    if (!collider->surface || !collider->mesh)
        return true;
    const pli_topology *topology = pli_mesh_topology(collider->mesh);
    if (!make_side(&world->memory, s, collider->span, topology->triangles, topology->triangle_count))
        return false;
    if (pli_collider_get_placed_vertices(world, (pli_collider){collider->id, world->tag}, &s->at->x, s->count, NULL) !=
        PLI_STATUS_OK)
        s->count = 0;
    for (int32_t v = 0; v < s->count; v++)
        pli_aabb_include(&s->bounds, s->at[v]);
    return true;
}

// Collects the triangles that reach into the box, without triangles at exempt vertices.
static bool touching_gather(pli_memory *memory, contact_side *s, pli_aabb box, float reach)
{
    s->boxes = PLI_ALLOCATE_UNSET(memory, pli_aabb, s->triangle_count);
    s->parts = PLI_ALLOCATE_UNSET(memory, int32_t, s->triangle_count);
    s->touches = PLI_ALLOCATE(memory, uint8_t, s->count);
    s->part_count = 0;
    for (int32_t t = 0; s->boxes && s->parts && t < s->triangle_count; t++) {
        bool exempt = false;
        s->boxes[t] = pli_aabb_empty();
        for (int k = 0; k < 3; k++) {
            const int32_t v = s->triangles[3 * (ptrdiff_t)t + k];
            exempt = exempt || (s->exempt && s->exempt[v]);
            pli_aabb_include(&s->boxes[t], s->at[v]);
        }
        s->boxes[t] = pli_aabb_grow(s->boxes[t], reach);
        if (!exempt && pli_aabb_overlap(s->boxes[t], box))
            s->parts[s->part_count++] = t;
    }
    return s->boxes && s->parts && s->touches;
}

static void release_search(pli_memory *memory, contact_side *s)
{
    pli_release(memory, s->boxes);
    pli_release(memory, s->parts);
    pli_release(memory, s->touches);
    pli_release(memory, s->exempt);
    s->boxes = NULL, s->parts = NULL, s->touches = s->exempt = NULL;
}

static float largest_coordinate(pli_aabb box)
{
    const float of[6] = {box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z};
    float most = 0.0f;
    for (int k = 0; k < 6; k++)
        most = fabsf(of[k]) > most ? fabsf(of[k]) : most;
    return most;
}

// Returns false when memory ran out.
static bool touching_look(pli_memory *memory, contact_side *a, contact_side *b, touching_search *s)
{
    const float reach = (float)TOUCHING_ROUNDING *
                        pli_higher(largest_coordinate(a->bounds), largest_coordinate(b->bounds));
    *s = (touching_search){.sides = {a, b}, .reach = (double)reach};
    if (!pli_aabb_overlap(pli_aabb_grow(a->bounds, reach), b->bounds))
        return true;
    bool complete = touching_gather(memory, a, pli_aabb_grow(b->bounds, reach), reach) &&
                    touching_gather(memory, b, pli_aabb_grow(a->bounds, reach), reach);
    if (complete) {
        s->left = (int64_t)PAIRS_PER_TRIANGLE * ((int64_t)a->part_count + b->part_count);
        touching_find(s, (int32_t *[2]){a->parts, b->parts}, (const int32_t[2]){a->part_count, b->part_count});
    }
    return complete;
}

/* ---- the row ------------------------------------------------------------------------------------ */

// Particles that are attached to a body do not touch its colliders.
static bool exempt_attached(pli_world *world, const pli_deformable_data *deformable, const pli_collider_data *collider,
                            contact_side *s)
{
    for (int32_t k = 0; k < world->attachments.count; k++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, k);
        if (!attachment->rigid || attachment->rigid != collider->rigid || attachment->deformable != deformable)
            continue;
        if (!s->exempt && !(s->exempt = PLI_ALLOCATE(&world->memory, uint8_t, s->count)))
            return false;
        for (int32_t i = 0; i < attachment->count; i++)
            s->exempt[pli_vertex(deformable, attachment->particles[i])] = 1;
    }
    return true;
}

static int32_t first_touching(const contact_side *s)
{
    for (int32_t v = 0; v < s->count; v++)
        if (s->touches[v])
            return v;
    return -1;
}

static void report(pli_finder *finder, pli_finding *found, const touching_search *s, const char *name,
                   const char *other)
{
    char where[60] = "along edges";
    found->count = s->counts[0] + s->counts[1];
    found->vertex = first_touching(s->sides[0]);
    if (found->count > 0)
        snprintf(where, sizeof where, "at %d vertices", (int)found->count);
    pli_finding_add(
        finder, found,
        "%s: it touches %s%s %s, the first at (%.3g, %.3g, %.3g). At a distance of 0 neither is in front, so Pliant "
        "chooses how they separate; leave a gap of %.2g m, their thickness, on the side you want, or weld them into "
        "one mesh",
        name, other, found->other.id ? "" : ",", where, s->place.x, s->place.y, s->place.z, found->wanted);
}

static bool look_at_deformables(pli_finder *finder, contact_side *sides, int32_t i, int32_t k)
{
    pli_world *world = finder->world;
    const pli_deformable_data *a = pli_deformable_at(world, i), *b = pli_deformable_at(world, k);
    if (!pli_layers_meet(a->def.layers, a->def.mask, b->def.layers, b->def.mask))
        return true;
    touching_search s;
    const bool complete = touching_look(&world->memory, &sides[i], &sides[k], &s);
    if (complete && (s.counts[0] + s.counts[1] > 0 || s.along_edges)) {
        pli_name_buffer name, other;
        pli_finding found = pli_finding_about(world, i, PLI_FINDING_TOUCHING);
        found.other = (pli_deformable){b->id, world->tag};
        found.wanted = 0.5 * ((double)a->thickness + (double)b->thickness);
        report(finder, &found, &s, pli_finding_name(world, i, name), pli_finding_name(world, k, other));
    }
    release_search(&world->memory, &sides[i]);
    release_search(&world->memory, &sides[k]);
    return complete;
}

static bool look_at_collider(pli_finder *finder, contact_side *sides, int32_t i, int32_t k, contact_side *surface)
{
    pli_world *world = finder->world;
    const pli_deformable_data *a = pli_deformable_at(world, i);
    const pli_collider_data *b = pli_collider_at(world, k);
    if (!pli_layers_meet(a->def.layers, a->def.mask, b->def.layers, b->def.mask))
        return true;
    touching_search s;
    const bool complete = exempt_attached(world, a, b, &sides[i]) &&
                          touching_look(&world->memory, &sides[i], surface, &s);
    if (complete && (s.counts[0] + s.counts[1] > 0 || s.along_edges)) {
        pli_name_buffer name, other;
        pli_finding found = pli_finding_about(world, i, PLI_FINDING_TOUCHING);
        found.collider = (pli_collider){b->id, world->tag};
        found.wanted = (double)a->thickness + (double)b->def.thickness;
        report(finder, &found, &s, pli_finding_name(world, i, name), pli_finding_collider_name(world, k, other));
    }
    release_search(&world->memory, &sides[i]);
    release_search(&world->memory, surface);
    return complete;
}

void pli_findings_of_touching(pli_finder *finder)
{
    pli_world *world = finder->world;
    const int32_t count = world->deformables.count;
    contact_side *sides = PLI_ALLOCATE(&world->memory, contact_side, count);
    bool complete = sides != NULL;
    for (int32_t i = 0; i < count && complete; i++)
        complete = side_of_deformable(world, i, &sides[i]);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = i + 1; k < count && complete; k++)
            complete = look_at_deformables(finder, sides, i, k);
    for (int32_t k = 0; k < world->colliders.count && complete; k++) {
        contact_side surface;
        complete = side_of_collider(world, k, &surface);
        for (int32_t i = 0; i < count && complete && surface.count > 0; i++)
            complete = look_at_collider(finder, sides, i, k, &surface);
        pli_release(&world->memory, surface.at);
    }
    for (int32_t i = 0; i < count && sides; i++)
        pli_release(&world->memory, sides[i].at);
    pli_release(&world->memory, sides);
    finder->out_of_memory = finder->out_of_memory || !complete;
}
