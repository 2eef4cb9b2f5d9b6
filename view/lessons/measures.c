#include "lessons/measures.h"

#include "desk.h"
#include "lessons/neighbors.h"
#include "session/tools.h"
#include "session/values.h"
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979;

static void put(pli_lesson_reading *r, const char *label, double value, const char *unit)
{
    *r = (pli_lesson_reading){label, unit, value};
}

/* ---- bodies ------------------------------------------------------------------------------------- */

typedef struct body {
    const pli_topology *rest;
    pli_view positions;
    pli_deformable deformable;
} body;

// The deformable of a name, or the first one for null; without a mesh there is none.
static body body_of(const pli_viewer *v, const char *name)
{
    const pli_session *s = &v->session;
    const pli_deformable d = name ? pli_session_find_deformable(s, name, strlen(name))
                                  : pli_world_deformable_at(s->world, 0);
    const pli_mesh *mesh = pli_deformable_rest_mesh(s->world, d);
    return (body){mesh ? pli_mesh_topology(mesh) : NULL, pli_deformable_positions(s->world, d), d};
}

static double at(const body *b, int32_t vertex, int axis) { return (double)pli_view_at(b->positions, vertex)[axis]; }
static double rest_at(const body *b, int32_t vertex, int axis) { return (double)b->rest->positions[3 * vertex + axis]; }

// Extent along y, now or at rest.
static double height_of(const body *b, bool at_rest)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < b->positions.count; i++) {
        const double y = at_rest ? rest_at(b, i, 1) : at(b, i, 1);
        low = fmin(low, y), high = fmax(high, y);
    }
    return high - low;
}

static double lowest(const body *b)
{
    double low = INFINITY;
    for (int32_t i = 0; i < b->positions.count; i++)
        low = fmin(low, at(b, i, 1));
    return low;
}

// The value of a control; NAN if there is none.
static double control(const pli_viewer *v, const char *path)
{
    pli_session_control found;
    return pli_session_control_find(&v->session, path, &found) && found.component >= 0
               ? pli_session_control_value(v->session.world, &found)
               : NAN;
}

static double stretch_of(const pli_viewer *v)
{
    pli_statistics s;
    pli_world_get_statistics(v->session.world, &s);
    return 100.0 * s.stretch_max;
}

/* ---- the tutorial's own steps ------------------------------------------------------------------- */

static double drop_of(const body *b) { return b->rest ? 1000.0 * (at(b, 0, 1) - lowest(b)) : NAN; }

int32_t pli_lesson_read_drop(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, "strip");
    put(&r[0], "drop of the free end", drop_of(&b), "mm");
    put(&r[1], "largest stretch of an edge", stretch_of(v), "%");
    return 2;
}

int32_t pli_lesson_read_fold(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, "book");
    // The free corner is across the diagonal from the held one.
    double middle[3], free_arm[3], held_arm[3], dot = 0.0, f = 0.0, h = 0.0;
    for (int k = 0; k < 3 && b.rest; k++) {
        middle[k] = 0.5 * (at(&b, 0, k) + at(&b, 3, k));
        free_arm[k] = at(&b, 2, k) - middle[k], held_arm[k] = middle[k] - at(&b, 1, k);
        dot += free_arm[k] * held_arm[k], f += free_arm[k] * free_arm[k], h += held_arm[k] * held_arm[k];
    }
    put(&r[0], "folded by", b.rest ? 180.0 / pi * acos(fmin(fmax(dot / sqrt(f * h), -1.0), 1.0)) : NAN, "degrees");
    put(&r[1], "largest change of an edge", stretch_of(v), "%");
    return 2;
}

static double shared_edges(const pli_topology *t, double walked, double stride)
{
    pli_view_row *rows = pli_view_rows_make(t, (int32_t)walked, (int32_t)stride);
    const double found = rows ? pli_view_rows_found(rows, 3 * t->triangle_count) : NAN;
    free(rows);
    return found;
}

int32_t pli_lesson_read_neighbors(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, NULL);
    put(&r[0], "shared edges found", b.rest ? shared_edges(b.rest, v->desk->lessons.value, 1.0) : NAN, "");
    put(&r[1], "of", b.rest ? b.rest->hinge_count : NAN, "");
    return 2;
}

int32_t pli_lesson_read_bug(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, NULL);
    put(&r[0], "shared edges found", b.rest ? shared_edges(b.rest, INT32_MAX, v->desk->lessons.value + 1.0) : NAN, "");
    put(&r[1], "of", b.rest ? b.rest->hinge_count : NAN, "");
    return 2;
}

// The pairs of the library that the value shows, beside those by hand.
int32_t pli_lesson_read_pairs(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, NULL);
    pli_error error;
    int32_t *neighbors = b.rest ? calloc(3 * (size_t)b.rest->triangle_count + 1, sizeof *neighbors) : NULL;
    double pairs = NAN;
    if (neighbors && pli_find_triangle_neighbors(b.rest->triangles, b.rest->triangle_count, b.positions.count,
                                                 neighbors, &error) == PLI_STATUS_OK)
        pairs = pli_triangle_pairs(b.rest->triangles, b.rest->triangle_count, neighbors, NULL, 0);
    free(neighbors);
    const double hand = b.rest ? shared_edges(b.rest, v->desk->lessons.value, 1.0) : NAN;
    put(&r[0], "by hand, over the library", hand / pairs, "");
    put(&r[1], "pairs by hand", hand, "");
    put(&r[2], "pairs of the library", pairs, "");
    return 3;
}

int32_t pli_lesson_read_gradient(pli_viewer *v, pli_lesson_reading *r)
{
    pli_view_points points = v->desk->lessons.points;
    points.weights[0] = v->desk->lessons.value;
    const pli_view_projection p = pli_view_points_project(&points);
    const double left = hypot(p.moves[0][0], p.moves[0][1]), right = hypot(p.moves[1][0], p.moves[1][1]);
    put(&r[0], "right tip over left tip", left > 0.0 ? right / left : INFINITY, "times");
    put(&r[1], "C, by the library", p.value, "m");
    put(&r[2], "momentum of both corrections", p.momentum < 1e-12 ? 0.0 : p.momentum, "kg m");
    put(&r[3], "largest difference by hand", p.apart, "m");
    return 4;
}

void pli_lesson_begin_points(pli_viewer *v)
{
    pli_view_lessons *l = &v->desk->lessons;
    pli_view_points_begin(&l->points, strcmp(l->current->id, "gradient") == 0 ? "opposite_distance" : "triangle");
}

int32_t pli_lesson_read_chain(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, "chain");
    const double compliance = control(v, "chain/distance.compliance");
    int32_t stride = 0;
    const char *weights = (const char *)pli_deformable_inverse_masses(v->session.world, b.deformable, &stride);
    double longer = 0.0, below = 0.0;
    // From the lowest link up: each carries what is below it.
    for (int32_t i = 10; b.rest && i > 0; i--) {
        float w;
        memcpy(&w, weights + (size_t)i * (size_t)stride, sizeof w);
        below += 1.0 / (double)w;
        longer += compliance * 9.81 * below;
    }
    put(&r[0], "longer than at rest", b.rest ? 100.0 * (at(&b, 0, 1) - at(&b, 10, 1) - 1.0) : NAN, "%");
    put(&r[1], "by the closed form", 100.0 * longer, "%");
    return 2;
}

int32_t pli_lesson_read_batches(pli_viewer *v, pli_lesson_reading *r)
{
    const pli_world *world = v->session.world;
    const pli_constraints set = pli_world_constraints_at(world, 0);
    pli_constraints_info info;
    pli_error error;
    int32_t most = -1, left = 0;
    if (pli_constraints_get_info(world, set, &info, &error) != PLI_STATUS_OK)
        return 0;
    int32_t *batches = calloc((size_t)info.constraint_count + 1, sizeof *batches);
    if (batches && pli_constraints_batches(world, set, batches, &error) == PLI_STATUS_OK)
        for (int32_t i = 0; i < info.constraint_count; i++) {
            most = batches[i] > most ? batches[i] : most;
            left += batches[i] < 0;
        }
    free(batches);
    put(&r[0], "colours", most + 1.0, "");
    put(&r[1], "edges", info.constraint_count, "");
    put(&r[2], "edges without a colour", left, "");
    put(&r[3], "largest stretch of an edge", stretch_of(v), "%");
    return 4;
}

int32_t pli_lesson_read_yours(pli_viewer *v, pli_lesson_reading *r)
{
    pli_statistics s;
    pli_world_get_statistics(v->session.world, &s);
    put(&r[0], "stretch of edges, rms", 100.0 * s.stretch_rms, "%");
    put(&r[1], "particles", s.particle_count, "");
    put(&r[2], "a step takes", 1e3 * s.step_seconds, "ms");
    return 3;
}

// Uniform in -1 to 1, by the generator of Knuth's MMIX.
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* ---- what a projection costs -------------------------------------------------------------------- */

enum { COST_STEPS = 60, COST_ITERATIONS = 16 };

// The rest shape with each coordinate moved by up to a fifth of an edge, to be freed. A flat mesh has no gradient of an arc cosine.
static float *uneven(const pli_topology *t)
{
    float *to = calloc(3 * (size_t)t->vertex_count + 3, sizeof *to);
    double square = 0.0;
    uint64_t seed = 1;
    for (int k = 0; k < 3; k++)
        square += pow((double)t->positions[3 * t->edges[0] + k] - (double)t->positions[3 * t->edges[1] + k], 2.0);
    for (int32_t i = 0; to && i < 3 * t->vertex_count; i++)
        to[i] = t->positions[i] + (float)(0.2 * sqrt(square) * uniform(&seed));
    return to;
}

// Nanoseconds for a projection of a type on an uneven mesh, in the least of many steps; NAN after a failure. In order of creation and without SIMD, as the papers' programs.
static double nanoseconds(const pli_mesh *mesh, const char *type)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = NULL;
    pli_deformable_def sheet = pli_deformable_def_default();
    pli_constraints_def bends = pli_constraints_def_default();
    pli_deformable d;
    pli_constraints set;
    pli_error error;
    double least = INFINITY;
    def.order = PLI_ORDER_SEQUENTIAL, def.simd = PLI_SIMD_SCALAR, def.settings.method = PLI_METHOD_PBD;
    def.settings.substeps = 1, def.settings.iterations = COST_ITERATIONS, def.settings.gravity = (pli_vec3){0, 0, 0};
    sheet.mesh = mesh, sheet.stretch = PLI_STRETCH_SWEPT;
    if (pli_world_create(&def, &world, &error) != PLI_STATUS_OK)
        return NAN;
    float *start = uneven(pli_mesh_topology(mesh));
    bends.type = type, sheet.positions = start;
    pli_status status = pli_deformable_create(world, &sheet, &d, &error);
    free(start);
    bends.deformable = d;
    if (status == PLI_STATUS_OK)
        status = pli_constraints_create(world, &bends, &set, &error);
    for (int32_t i = 0; i < COST_STEPS && status == PLI_STATUS_OK; i++) {
        pli_statistics s;
        status = pli_world_step(world, 1.0f / 60.0f, &error);
        pli_world_get_statistics(world, &s);
        if (s.projection_count > 0)
            least = fmin(least, 1e9 * s.stage_seconds[PLI_STAGE_PROJECT] / (double)s.projection_count);
    }
    pli_world_destroy(world);
    return status == PLI_STATUS_OK ? least : NAN;
}

// Both are measured once for each opening of the lesson.
static int32_t read_costs(pli_viewer *v, pli_lesson_reading *r, const char *cheap, const char *dear)
{
    static double of_cheap, of_dear;
    pli_view_lessons *l = &v->desk->lessons;
    const pli_mesh *mesh = pli_deformable_rest_mesh(v->session.world, pli_world_deformable_at(v->session.world, 0));
    if (!mesh)
        return 0;
    if (l->cost == 0.0) {
        of_cheap = nanoseconds(mesh, cheap), of_dear = nanoseconds(mesh, dear);
        l->cost = of_dear / of_cheap;
    }
    put(&r[0], "the dearer, over the cheaper", l->cost, "times");
    put(&r[1], cheap, of_cheap, "ns");
    put(&r[2], dear, of_dear, "ns");
    return 3;
}

int32_t pli_lesson_read_cost(pli_viewer *v, pli_lesson_reading *r)
{
    return read_costs(v, r, "opposite_distance", "isometric");
}

int32_t pli_lesson_read_table1(pli_viewer *v, pli_lesson_reading *r)
{
    return read_costs(v, r, "triangle", "dihedral_printed");
}

/* ---- Kelager's triangle bending ----------------------------------------------------------------- */

int32_t pli_lesson_read_height(pli_viewer *v, pli_lesson_reading *r)
{
    pli_view_points points = v->desk->lessons.points;
    points.kappa = v->desk->lessons.value;
    const pli_view_projection p = pli_view_points_project(&points);
    put(&r[0], "C, by the library", p.value, "m");
    put(&r[1], "C by hand", p.by_hand, "m");
    put(&r[2], "height h", p.by_hand + p.target, "m");
    put(&r[3], "h0 + kappa", p.target, "m");
    put(&r[4], "largest difference by hand", p.apart, "m");
    return 5;
}

// The drop of a ribbon whose edges turn by as much as kappa allows, each more than the one before, until they hang [mm].
static double ribbon_drop(double kappa, double edge, int32_t count)
{
    const double turn = 2.0 * asin(fmin(1.5 * kappa / edge, 1.0));
    double drop = 0.0;
    for (int32_t i = 1; i <= count; i++)
        drop += 1000.0 * edge * sin(fmin(i * turn, 0.5 * pi));
    return drop;
}

int32_t pli_lesson_read_strips(pli_viewer *v, pli_lesson_reading *r)
{
    static const char *const names[] = {"yours", "zero", "small", "large"};
    static const char *const labels[] = {"drop of yours", "kappa 0", "kappa 0.05 edges", "kappa 0.2 edges"};
    for (int i = 0; i < 4; i++) {
        const body b = body_of(v, names[i]);
        put(&r[i], labels[i], drop_of(&b), "mm");
    }
    put(&r[4], "yours, closed form", ribbon_drop(control(v, "yours/triangle.kappa"), 0.01, 29), "mm");
    return 5;
}

static int32_t read_height(pli_viewer *v, const char *name, pli_lesson_reading *r)
{
    const body b = body_of(v, name);
    put(&r[0], "height, over that at rest", b.rest ? height_of(&b, false) / height_of(&b, true) : NAN, "");
    return 1;
}

int32_t pli_lesson_read_bunny(pli_viewer *v, pli_lesson_reading *r) { return read_height(v, "bunny", r); }
int32_t pli_lesson_read_plant(pli_viewer *v, pli_lesson_reading *r) { return read_height(v, "plant", r); }

// Least mean squared distance from a plane, by power iterations for the two largest axes.
static double off_plane(const body *b)
{
    double mean[3] = {0}, c[3][3] = {{0}}, trace = 0.0;
    const int32_t count = b->positions.count;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += at(b, i, k) / count;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                c[k][m] += (at(b, i, k) - mean[k]) * (at(b, i, m) - mean[m]) / count;
    for (int k = 0; k < 3; k++)
        trace += c[k][k];
    for (int axis = 0; axis < 2; axis++) {
        double x[3] = {0.61, 0.53, 0.59}, value = 0.0;
        for (int turn = 0; turn < 200; turn++) {
            double y[3] = {0};
            for (int k = 0; k < 3; k++)
                for (int m = 0; m < 3; m++)
                    y[k] += c[k][m] * x[m];
            value = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
            for (int k = 0; k < 3 && value > 0.0; k++)
                x[k] = y[k] / value;
        }
        trace -= value;
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                c[k][m] -= value * x[k] * x[m];
    }
    return sqrt(fmax(trace, 0.0));
}

int32_t pli_lesson_read_crumpled(pli_viewer *v, pli_lesson_reading *r)
{
    static const char *const names[] = {"triangle", "dihedral", "stick"};
    for (int i = 0; i < 3; i++) {
        const body b = body_of(v, names[i]);
        put(&r[i], i == 0 ? "triangle, off its plane" : names[i], b.rest ? 9.0 * off_plane(&b) : NAN, "edges");
    }
    return 3;
}

int32_t pli_lesson_read_fabric(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, "fabric");
    double sum = 0.0;
    for (int32_t i = 0; b.rest && i < b.positions.count; i++)
        sum += (at(&b, 44, 1) - at(&b, i, 1)) / (5.0 * b.positions.count);
    put(&r[0], "mean sag, over the side", b.rest ? sum : NAN, "");
    return 1;
}

// Height of the tenth of the vertices that is highest at rest over the tenth that is lowest.
static double back_of(const body *b, bool at_rest)
{
    double low = INFINITY, high = -INFINITY, sums[2] = {0}, counts[2] = {0};
    for (int32_t i = 0; i < b->positions.count; i++)
        low = fmin(low, rest_at(b, i, 1)), high = fmax(high, rest_at(b, i, 1));
    for (int32_t i = 0; i < b->positions.count; i++) {
        const double share = (rest_at(b, i, 1) - low) / (high - low), y = at_rest ? rest_at(b, i, 1) : at(b, i, 1);
        if (share > 0.15 && share < 0.75)
            continue;
        sums[share > 0.5] += y;
        counts[share > 0.5]++;
    }
    return sums[1] / counts[1] - sums[0] / counts[0];
}

int32_t pli_lesson_read_cow(pli_viewer *v, pli_lesson_reading *r)
{
    const body b = body_of(v, "spot");
    put(&r[0], "back over feet, over rest", b.rest ? back_of(&b, false) / back_of(&b, true) : NAN, "");
    return 1;
}

// The triple product of the ways from the middle of a bowl of 13 x 13 vertices to three of its corners: a mirror image has its negative,
// and a bowl that turns keeps it.
static double handedness(const body *b, bool at_rest)
{
    static const int32_t corners[] = {0, 12, 168}, middle = 84;
    double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = at_rest ? rest_at(b, corners[i], k) - rest_at(b, middle, k)
                              : at(b, corners[i], k) - at(b, middle, k);
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

// How much of the way back from the mirror image is left: 1 is the mirror image, 0 the rest shape.
static double mirrored(const body *b)
{
    return b->rest && b->positions.count == 169 ? 0.5 * (1.0 - handedness(b, false) / handedness(b, true)) : NAN;
}

int32_t pli_lesson_read_bowls(pli_viewer *v, pli_lesson_reading *r)
{
    static const char *const names[] = {"signed", "printed", "linear"};
    static const char *const labels[] = {"signed height, way left", "as printed", "linear form"};
    for (int i = 0; i < 3; i++) {
        const body b = body_of(v, names[i]);
        put(&r[i], labels[i], mirrored(&b), "");
    }
    return 3;
}

int32_t pli_lesson_read_creation(pli_viewer *v, pli_lesson_reading *r)
{
    static const char *const rules[] = {"triples", "triples_fig6a", "triples_fig6b", "hinges"};
    static const char *const labels[] = {"Fig. 6 corrected", "text A, by indices", "text B, by cons[]", "over edges"};
    const pli_mesh *mesh = pli_deformable_rest_mesh(v->session.world, pli_world_deformable_at(v->session.world, 0));
    const int32_t chosen = (int32_t)v->desk->lessons.value;
    for (int i = 0; i < 4; i++) {
        pli_stencils stencils = {0};
        pli_error error;
        const bool made = mesh && pli_stencils_generate(mesh, rules[i], &stencils, &error) == PLI_STATUS_OK;
        put(&r[i + 1], labels[i], made ? stencils.count : NAN, "");
        pli_stencils_release(&stencils);
    }
    put(&r[0], "by the chosen rule", r[1 + chosen].value, "");
    return 5;
}

/* ---- Mueller's Algorithm 1 ---------------------------------------------------------------------- */

int32_t pli_lesson_read_algorithm(pli_viewer *v, pli_lesson_reading *r)
{
    const pli_view_algorithm *a = &v->desk->lessons.algorithm;
    const body b = body_of(v, NULL);
    const bool together = a->count > 0 && a->steps == v->session.frame;
    put(&r[0], "by hand from the library", together ? pli_view_algorithm_apart(a, v->session.world, b.deformable) : NAN,
        "m");
    put(&r[1], "steps by hand", a->steps, "");
    put(&r[2], "steps of the library", v->session.frame, "");
    return 3;
}

void pli_lesson_begin_algorithm(pli_viewer *v)
{
    float held[PLI_VIEW_ALGORITHM_POINTS] = {0};
    const body b = body_of(v, NULL);
    pli_session_pinned(&v->session, b.deformable, held, PLI_VIEW_ALGORITHM_POINTS);
    pli_view_algorithm_begin(&v->desk->lessons.algorithm, v->session.world, b.deformable, held);
}

// Angular momentum over the moment of inertia of a thin sphere of 2.2 times the volume [rad/s].
int32_t pli_lesson_read_momentum(pli_viewer *v, pli_lesson_reading *r)
{
    const double radius = 0.35, grown = 0.35 * cbrt(2.2), density = 0.1;
    pli_statistics s;
    pli_world_get_statistics(v->session.world, &s);
    const double *l = s.angular_momentum, *p = s.momentum;
    // About the centre of the ball, not the origin.
    const body b = body_of(v, "ball");
    double middle[3] = {0}, own[3];
    for (int32_t i = 0; i < b.positions.count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += at(&b, i, k) / b.positions.count;
    for (int k = 0; k < 3; k++)
        own[k] = l[k] - (middle[(k + 1) % 3] * p[(k + 2) % 3] - middle[(k + 2) % 3] * p[(k + 1) % 3]);
    put(&r[0], "spin",
        sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]) /
            (2.0 / 3.0 * density * 4.0 * pi * radius * radius * grown * grown),
        "rad/s");
    put(&r[1], "momentum", sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), "kg m/s");
    return 2;
}

/* ---- other starts ------------------------------------------------------------------------------- */

// Places the deformables at the start of the scene where a function says, by their rest shape, and stores that as the start.
static void place(pli_viewer *v, void (*move)(const float *rest, float *to, uint64_t *seed))
{
    pli_session *s = &v->session;
    pli_error error = {0};
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_deformable d = pli_world_deformable_at(s->world, i);
        const pli_mesh *mesh = pli_deformable_rest_mesh(s->world, d);
        const pli_view before = pli_deformable_positions(s->world, d);
        float *to = calloc(3 * (size_t)before.count + 3, sizeof *to);
        uint64_t seed = 4; // The same for each.
        for (int32_t k = 0; to && k < before.count; k++) {
            const float *rest = &pli_mesh_topology(mesh)->positions[3 * k], *now = pli_view_at(before, k);
            float moved[3] = {0};
            move(rest, moved, &seed);
            for (int axis = 0; axis < 3; axis++)
                to[3 * k + axis] = now[axis] + moved[axis];
        }
        if (to && pli_deformable_set_positions(s->world, d, 0, before.count, to, &error) != PLI_STATUS_OK)
            pli_session_tell(s, "the lesson does not begin: %s", error.message);
        free(to);
    }
    pli_session_begin_here(s);
}

static void crumple(const float *rest, float *moved, uint64_t *seed)
{
    (void)rest;
    for (int k = 0; k < 3; k++)
        moved[k] = (float)(uniform(seed) / 9.0);
}

static void mirror(const float *rest, float *moved, uint64_t *seed)
{
    for (int k = 0; k < 3; k++)
        moved[k] = (float)(0.004 * uniform(seed));
    moved[1] -= 2.0f * rest[1];
}

void pli_lesson_begin_crumpled(pli_viewer *v) { place(v, crumple); }
void pli_lesson_begin_bowls(pli_viewer *v) { place(v, mirror); }
