// Guesses the kind of object that a mesh represents, and the values that follow from its shape.
#include <pliant/guess.h>

#include "files/io_error.h"
#include "files/json_parse.h"
#include "guess/measures.h"
#include "guess/supports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
// Mesh sizes between these limits are taken as metres.
#define SMALLEST 0.03
#define LARGEST 30.0
// An open shape is a garment if it is hardly doubly curved, stands upright, and is not nearly closed.
#define GARMENT_CURVATURE 0.6
#define GARMENT_LEVEL 0.6
#define GARMENT_OPENING 0.1
// A closed shape is round from this sphericity; a cube has 0.81.
#define ROUND 0.85
// The rigidity is this factor times d g L^3: a strip of length L then sags by 2 % of it, according to d g L^4 / (8 D). A doubly curved
// shape needs a tenth of that. Cloth gets the rigidity of a strip with this fraction of its size.
#define STIFF 6.0
#define STIFF_CURVED 0.6
// Sweeps with substep h can represent a rigidity of d l^4 / (4 h^2) for edges of length l (src/query/findings); at a tenth of it nearly all
// of the rigidity is effective.
#define SWEPT 0.025
#define CLOTH_LENGTH 0.02
#define RIGIDITY_MOST 1e6
// Tensile stiffness divided by density [m2/s2]: a metre of cotton strains by 0.2 permille under its own weight. The ratio of shear to
// tensile stiffness of cloth.
#define COTTON 5e4
#define RUBBER 1.1e4
#define SHEAR 0.005
#define SUBSTEP_RATE 600.0 // [1/s]
enum { PLATE_MOST = 20000 };

pli_guess_def pli_guess_def_default(void)
{
    return (pli_guess_def){.frame = 1.0 / 60.0, .ground = true, .scale = 1.0f};
}

/* ---- the kind of object ---------------------------------------------------------------------------- */

typedef struct guessed {
    const pli_topology *t;
    const pli_guess_def *def;
    pli_measures m;
    pli_guess g;
    double gravity;
    uint8_t *marked; // Pinned vertices.
    int32_t *joins;
    bool round, hangs, over_ball;
} guessed;

// There is no reason if the kind is given.
static void decide(guessed *w)
{
    const pli_measures *m = &w->m;
    const bool garment = m->curvature < GARMENT_CURVATURE && m->level < GARMENT_LEVEL && m->opening >= GARMENT_OPENING;
    const char *why = "as requested";
    if (w->def->kind != PLI_GUESS_AUTO) {
        w->g.kind = w->def->kind;
    } else if (m->closed_fraction > 0.5) {
        w->g.kind = PLI_GUESS_BALLOON;
        why = m->closed ? "it is closed" : "most of it is closed";
    } else if (m->flat) {
        w->g.kind = PLI_GUESS_CLOTH;
        why = "it is flat";
    } else if (garment && pli_mark_upper_border(w->t, m, w->marked) > 0) {
        w->g.kind = PLI_GUESS_CLOTH;
        why = "it is open at its top, and curved in one direction only";
        memset(w->marked, 0, (size_t)w->t->vertex_count);
    } else {
        w->g.kind = PLI_GUESS_SHELL;
        why = m->curvature < GARMENT_CURVATURE ? "it is open, and not flat"
                                               : "it is open, and curved in two directions";
    }
    snprintf(w->g.reason, sizeof w->g.reason, "%s%s: %s", w->g.kind == PLI_GUESS_CLOTH ? "" : "a ",
             pli_choice_name("guess", (int32_t)w->g.kind), why);
}

static void say(guessed *w, const char *what)
{
    const size_t used = strlen(w->g.reason);
    snprintf(w->g.reason + used, sizeof w->g.reason - used, "; %s", what);
}

static int32_t count_marked(const guessed *w)
{
    int32_t count = 0;
    for (int32_t v = 0; v < w->t->vertex_count; v++)
        count += w->marked[v];
    return count;
}

// Decides whether the shape hangs, stands or falls.
static bool support(guessed *w)
{
    const pli_measures *m = &w->m;
    const bool own = w->def->pins != NULL, cloth = w->g.kind == PLI_GUESS_CLOTH;
    const double sphere = m->area > 0.0 ? cbrt(36.0 * 3.14159265358979323846 * m->volume * m->volume) / m->area : 0.0;
    w->round = w->g.kind == PLI_GUESS_BALLOON && !own && w->t->component_count == 1 && sphere >= ROUND;
    for (int32_t i = 0; own && i < w->def->pin_count; i++)
        w->marked[w->def->pins[i]] = 1;
    if (!cloth && !pli_join_pieces(w->t, m, &w->joins, &w->g.join_count))
        return false;
    if (own)
        w->hangs = w->def->pin_count > 0;
    else if (cloth && m->level < GARMENT_LEVEL)
        w->hangs = pli_mark_upper_border(w->t, m, w->marked) > 0;
    else if (!cloth && !w->round && pli_mark_feet(w->t, m, w->marked))
        memset(w->marked, 0, (size_t)w->t->vertex_count);
    w->over_ball = cloth && !own && !w->hangs && m->flat && w->def->ground;
    w->g.pin_count = count_marked(w);
    if (own)
        w->hangs = w->g.pin_count > 0;
    say(w, own && w->hangs  ? "pinned as requested"
           : w->hangs       ? "it hangs from its upper border"
           : w->over_ball   ? "it falls over a ball"
           : cloth          ? "it falls"
           : w->round       ? "it falls and bounces"
           : w->g.pin_count ? "it stands, pinned at its lowest points since it would tip over"
                            : "it stands on its lowest points");
    return true;
}

/* ---- values ---------------------------------------------------------------------------------------- */

// Rounds to two significant digits, for values that users will change.
static double rounded(double value)
{
    const double unit = pow(10.0, floor(log10(value)) - 1.0);
    return round(value / unit) * unit;
}

static double guessed_unit(double largest)
{
    if (largest > LARGEST)
        return largest > 100.0 * LARGEST ? 0.001 : 0.01;
    return largest < SMALLEST ? 100.0 : 1.0;
}

// A plate solves bending implicitly, so all of the rigidity is effective. A balloon keeps its shape by its volume. Balloons and large
// meshes use sweeps and get the rigidity that sweeps can represent. A doubly curved shell carries its weight by its edges, and a plate
// much stiffer than the edges would strain them.
static void fill_values(guessed *w)
{
    pli_guess *g = &w->g;
    const pli_measures *m = &w->m;
    const bool cloth = g->kind == PLI_GUESS_CLOTH;
    const double length = m->largest * (cloth ? CLOTH_LENGTH : 1.0), slight = 1e-4 / g->unit;
    const double stiff = g->kind == PLI_GUESS_SHELL && m->curvature >= GARMENT_CURVATURE ? STIFF_CURVED : STIFF;
    g->density = 0.2;
    const double per_density = stiff * w->gravity * length * length * length;
    if (per_density * g->density > RIGIDITY_MOST)
        g->density = rounded(RIGIDITY_MOST / per_density);
    g->substeps = (int32_t)fmax(round(SUBSTEP_RATE * w->def->frame), 1.0);
    g->plate = g->kind != PLI_GUESS_BALLOON && w->t->vertex_count <= PLATE_MOST;
    double rigidity = per_density * g->density;
    if (!cloth && !g->plate)
        rigidity = fmin(rigidity, SWEPT * g->density * pow(m->edge, 4.0) * pow(g->substeps / w->def->frame, 2.0));
    g->rigidity = fmin(rounded(fmax(rigidity, 1e-12)), RIGIDITY_MOST);
    g->thickness = rounded(fmin(fmax(m->edge / 3.0, slight), fmax(0.01 * m->diagonal, slight)));
    // The plane is lower by the distance that contact keeps, so that nothing starts inside it.
    g->ground = (float)(m->low[m->up] - 1.5 * g->thickness);
    if (w->round)
        g->ground -= (float)(0.5 * m->extent[m->up]);
    if (w->over_ball)
        g->ground -= (float)(0.6 * m->largest);
    else if (cloth && w->hangs)
        g->ground -= (float)(0.25 * m->extent[m->up]);
}

/* ---- the scene ------------------------------------------------------------------------------------- */

static json_t *point(const guessed *w, double x, double up, double z)
{
    double p[3];
    p[w->m.up] = up, p[(w->m.up + 1) % 3] = z, p[(w->m.up + 2) % 3] = x;
    return json_pack("[fff]", p[0], p[1], p[2]);
}

static json_t *constraints_of(const guessed *w)
{
    const double per_density = w->round ? RUBBER : COTTON;
    const double stretch = per_density * w->g.density / pow(w->g.unit, 2.0);
    json_t *list = json_pack("[{ss sf sf}]", "type", "membrane", "warp", stretch, "weft", stretch);
    if (w->g.kind == PLI_GUESS_CLOTH) // Cloth shears by its weave.
        json_object_set_new(json_array_get(list, 0), "shear", json_real(SHEAR * stretch));
    if (w->g.kind != PLI_GUESS_CLOTH && !w->g.plate)
        json_array_append_new(list, json_pack("{ss sf}", "type", "dihedral", "rigidity", w->g.rigidity));
    if (w->g.kind == PLI_GUESS_BALLOON)
        json_array_append_new(list, json_pack("{ss}", "type", "volume"));
    if (w->g.join_count > 0) {
        json_t *particles = json_array();
        for (int32_t i = 0; i < 2 * w->g.join_count; i++)
            json_array_append_new(particles, json_integer(w->joins[i]));
        json_array_append_new(list,
                              json_pack("{ss ss so}", "type", "distance", "name", "joints", "particles", particles));
    }
    return list;
}

static json_t *mesh_of(const pli_guess_def *def, const char *name)
{
    json_t *mesh = json_pack("{ss}", def->file ? "file" : "name", def->file ? def->file : name);
    if (def->file && def->scale != 1.0f)
        json_object_set_new(mesh, "scale", json_real((double)def->scale));
    if (def->file && def->weld)
        json_object_set_new(mesh, "weld", json_true());
    if (def->file && def->repair)
        json_object_set_new(mesh, "repair", json_true());
    return mesh;
}

static json_t *deformable_of(const guessed *w, const char *name)
{
    const pli_guess *g = &w->g;
    json_t *made = json_pack("{ss so sf sf sb so}", "name", name, "mesh", mesh_of(w->def, name), "density", g->density,
                             "thickness", g->thickness, "self_collision", 1, "constraints", constraints_of(w));
    // Cloth leaves the choice of its model to its rigidity.
    if (g->kind == PLI_GUESS_CLOTH)
        json_object_set_new(made, "rigidity", json_real(g->rigidity));
    else if (g->plate)
        json_object_set_new(made, "plate", json_pack("{sf}", "rigidity", g->rigidity));
    if (g->pin_count == 0)
        return made;
    json_t *pins = json_array();
    for (int32_t v = 0; v < w->t->vertex_count; v++)
        if (w->marked[v])
            json_array_append_new(pins, json_integer(v));
    json_object_set_new(made, "attachments", json_pack("[{so}]", "particles", pins));
    return made;
}

static json_t *colliders_of(const guessed *w)
{
    const pli_measures *m = &w->m;
    const double ground = (double)w->g.ground;
    json_t *list = json_pack("[{ss sf s{so}}]", "shape", "plane", "friction", 0.5, "pose", "position",
                             point(w, 0.0, ground, 0.0));
    if (w->m.up == 2)
        json_object_set_new(json_object_get(json_array_get(list, 0), "pose"), "axis",
                            json_pack("[fff]", 1.0, 0.0, 0.0)),
            json_object_set_new(json_object_get(json_array_get(list, 0), "pose"), "angle", json_real(90.0));
    if (!w->over_ball)
        return list;
    const int x = (m->up + 2) % 3, z = (m->up + 1) % 3;
    const double radius = rounded(0.25 * fmin(m->extent[x], m->extent[z]));
    json_array_append_new(list, json_pack("{ss sf sf s{so}}", "shape", "sphere", "radius", radius, "friction", 0.5,
                                          "pose", "position",
                                          point(w, 0.5 * (m->low[x] + m->high[x]),
                                                m->low[m->up] - radius - 2.0 * w->g.thickness - 0.05 * m->largest,
                                                0.5 * (m->low[z] + m->high[z]))));
    return list;
}

static char *scene_of(const guessed *w)
{
    const char *name = w->def->name ? w->def->name : "mesh";
    // Damping removes the vibrations of shells and leaves rigid motion unchanged.
    json_t *settings = json_pack("{si sf}", "substeps", (int)w->g.substeps, "damping",
                                 w->g.kind == PLI_GUESS_CLOTH ? 1.0 : 2.0);
    if (w->g.unit != 1.0) {
        json_t *gravity = point(w, 0.0, -w->gravity, 0.0);
        json_object_set_new(settings, "gravity", gravity);
    }
    json_t *scene = json_pack("{si ss ss si so s[o]}", "pliant", 1, "title", name, "description", w->g.reason, "frames",
                              240, "settings", settings, "deformables", deformable_of(w, name));
    if (w->m.up == 2)
        json_object_set_new(scene, "up", json_string("z"));
    if (w->def->ground) {
        json_object_set_new(scene, "colliders", colliders_of(w));
        json_object_set_new(scene, "view", json_pack("{sf}", "ground_height", (double)w->g.ground));
    } else {
        json_object_set_new(scene, "view", json_pack("{sb}", "ground", 0));
    }
    char *text = pli_json_format(scene, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(scene);
    return text;
}

/* ---- the complete guess ---------------------------------------------------------------------------- */

static pli_status check(const pli_mesh *mesh, const pli_guess_def *def, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    if (t->triangle_count < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the mesh has %d vertices and no triangle: give a surface",
                        (int)t->vertex_count);
    if ((int)def->kind < 0 || def->kind >= PLI_GUESS_KIND_COUNT)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "kind is %d; it must be 0 to %d", (int)def->kind,
                        PLI_GUESS_KIND_COUNT - 1);
    if (!(def->unit == 0.0 || (def->unit >= 1e-6 && def->unit <= 1e6)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "unit is %g m; it must be 0 or 1e-6 to 1e6", def->unit);
    if (!(def->frame >= 1e-5 && def->frame <= 10.0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "frame is %g s; it must be 1e-5 to 10", def->frame);
    if (!(def->scale > 0.0f && isfinite(def->scale)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "scale is %g; it must be above 0", (double)def->scale);
    for (int32_t i = 0; def->pins && i < def->pin_count; i++)
        if (def->pins[i] < 0 || def->pins[i] >= t->vertex_count)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "pin %d is vertex %d; the mesh has %d vertices", (int)i,
                            (int)def->pins[i], (int)t->vertex_count);
    return PLI_STATUS_OK;
}

static pli_status guess_all(guessed *w, char **scene, pli_error *error)
{
    decide(w);
    if (w->g.kind == PLI_GUESS_BALLOON && w->m.closed_fraction == 0.0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "a balloon needs a closed surface, and this one has %d holes: close them, or choose shell",
                        (int)w->t->boundary_loop_count);
    if (!support(w))
        return pli_io_fail_memory(error);
    fill_values(w);
    if (scene && !(*scene = scene_of(w)))
        return pli_io_fail_memory(error);
    return pli_succeed(error);
}

pli_status pli_mesh_guess(const pli_mesh *mesh, const pli_guess_def *def, pli_guess *guess, char **scene,
                          pli_error *error)
{
    pli_status status = check(mesh, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    guessed w = {.t = pli_mesh_topology(mesh), .def = def};
    w.marked = calloc((size_t)w.t->vertex_count + 1, 1);
    if (!w.marked)
        return pli_io_fail_memory(error);
    pli_measure_shape(mesh, def->z_up, &w.m);
    w.g.unit = def->unit > 0.0 ? def->unit : guessed_unit(w.m.largest);
    w.gravity = GRAVITY / w.g.unit;
    w.g.extents = (pli_vec3){(float)w.m.extent[0], (float)w.m.extent[1], (float)w.m.extent[2]};
    w.g.edge = (float)w.m.edge;
    w.g.vertex_count = w.t->vertex_count, w.g.piece_count = w.t->component_count;
    w.g.closed = w.m.closed, w.g.flat = w.m.flat;
    w.g.curvature = w.m.curvature, w.g.opening = w.m.opening;
    if (scene)
        *scene = NULL;
    status = guess_all(&w, scene, error);
    if (status == PLI_STATUS_OK)
        *guess = w.g;
    free(w.marked);
    free(w.joins);
    return status;
}
