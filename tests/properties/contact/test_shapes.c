// Every row of the table of shapes: what it says of itself against its triangles, finite differences and the world. A
// new shape is tested here without an edit.
#include "shape_samples.h"

#include "model/backends/backends.h"
#include "model/model.h"
#include "pliant/rigid.h"
#include "shapes/shape.h"
#include "shapes/types/shape_table.h"

enum { SAMPLES = 6 };

typedef void (*shape_check)(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles);

// The check for some sizes of every shape; `triangles` is null for what is not bounded.
static void for_all(shape_check check)
{
    pli_mesh *mesh = lump(), *triangles = NULL;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        for (int32_t k = 0; k < SAMPLES; k++) {
            pli_collider_def def = sample_of(info, mesh);
            if (info->bounded)
                must(pli_shape_tessellate(&def, AROUND, NULL, &triangles, &problem));
            check(info, &def, info->bounded ? triangles : NULL);
            if (info->bounded)
                pli_mesh_destroy(triangles);
        }
    }
    pli_mesh_destroy(mesh);
}

static vec wide_vec(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

static double distance_at(const pli_collider_def *def, vec p, vec *gradient)
{
    float d = NAN;
    pli_vec3 g = {0.0f, 0.0f, 0.0f};
    bool has = pli_shape_distance(def, to_vec3(p), &d, &g);
    *gradient = wide_vec(g);
    return has ? (double)d : NAN;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define IS_SOLID true
#define IS_HULL true
#define IS_HALF_SPACE false
#define IS_TRIANGLES false
#define LISTED(value, name, label, kind, ...) {#name, PLI_SHAPE_##value, IS_##kind},

static void the_table_says_the_same_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        pli_shape shape;
        bool solid;
    } listed[] = {PLI_SHAPES(LISTED)};
    assert_int_equal(COUNT_OF(listed), pli_shape_count());
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        const pli_shape_row *row = pli_shape_row_at_scalar((pli_shape)i);
        holds(info->shape == (pli_shape)i && listed[i].shape == info->shape && row->shape == info->shape, "%s: value",
              info->name);
        holds(strcmp(listed[i].name, info->name) == 0 && pli_shape_find(info->name) == info, "%s: name", info->name);
        holds(strcmp(pli_choice_name("shape", (int32_t)info->shape), info->name) == 0, "%s: name of the value",
              info->name);
        holds(info->summary && info->summary[0], "%s: summary", info->name);
        holds(listed[i].solid == info->solid, "%s: solid in the list and the row", info->name);
        holds(!info->solid || (info->bounded && info->convex), "%s: what is solid is bounded and convex", info->name);
        holds(row->complaint && row->reach, "%s: complaint and reach", info->name);
        holds(info->bounded == (row->tessellate != NULL) && info->bounded == (row->support != NULL),
              "%s: what is bounded has triangles and a support point", info->name);
        holds((row->find != NULL) == (row->distances != NULL), "%s: find goes with distances", info->name);
        holds(row->find || row->tessellate, "%s: it is met by its distance or by its triangles", info->name);
        holds(!row->find || info->convex, "%s: trajectories are marched to convex shapes", info->name);
        holds(!info->deforms || info->takes_mesh, "%s: what deforms has vertices", info->name);
    }
    holds(!pli_shape_at(-1) && !pli_shape_at(pli_shape_count()), "rows out of range");
    holds(!pli_shape_find("dodecahedron") && !pli_shape_find(NULL), "names that are none");
    holds(strcmp(pli_choice_name("shape", 77), "unknown") == 0, "the name of no shape");
}

static void defaults_are_those_of_the_fields(void **state)
{
    (void)state;
    pli_collider_def def = pli_collider_def_default();
    holds(!pli_shape_field_at(-1) && !pli_shape_field_at(pli_shape_field_count()), "fields out of range");
    for (int32_t i = 0; i < pli_shape_field_count(); i++) {
        const pli_shape_field *field = pli_shape_field_at(i);
        for (int32_t k = 0; k < field->length; k++)
            near((double)size_of(&def, i)[k], field->initial, 1e-7, "%s[%d]", field->name, (int)k);
    }
}

// A size that is wrong is refused by all that ask, and one that the shape does not take is not looked at.
static void wrong_size(const pli_collider_def *sound, int32_t field, int32_t k, float value)
{
    const pli_shape_info *info = pli_shape_at((int32_t)sound->shape);
    const char *name = pli_shape_field_at(field)->name;
    bool taken = info->fields >> field & 1u;
    pli_collider_def def = *sound;
    size_of(&def, field)[k] = value;
    pli_status expected = taken ? PLI_STATUS_INVALID_ARGUMENT : PLI_STATUS_OK;
    pli_mass_properties mass;
    pli_vec3 v, w = {0.0f, 1.0f, 0.0f};
    float d;
    pli_mesh *mesh = NULL;
    pli_collider handle;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    holds(pli_shape_check(&def, &problem) == expected, "%s: %s = %g: check", info->name, name, (double)value);
    holds(!taken || (strstr(problem.message, info->name) && strstr(problem.message, name)),
          "%s: %s = %g: '%.100s' names both", info->name, name, (double)value, problem.message);
    holds(pli_collider_create(world, &def, &handle, &problem) == expected, "%s: %s = %g: collider", info->name, name,
          (double)value);
    if (taken) {
        holds(pli_shape_tessellate(&def, 8, NULL, &mesh, NULL) == expected && !mesh, "%s: %s: triangles", info->name,
              name);
        holds(pli_shape_mass(&def, 1.0, &mass, NULL) == expected, "%s: %s: mass", info->name, name);
        holds(!pli_shape_support(&def, w, &v) && !pli_shape_bounds(&def, pli_transform_identity(), &v, &v) &&
                  !pli_shape_distance(&def, w, &d, &v) && !pli_shape_ray(&def, w, w, 1.0f, &d, &v),
              "%s: %s: questions", info->name, name);
    }
    pli_world_destroy(world);
}

static void wrong_sizes_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    (void)info, (void)triangles;
    const float values[] = {-1.0f, NAN, INFINITY};
    for (int32_t field = 0; field < pli_shape_field_count(); field++)
        for (int32_t i = 0; i < COUNT_OF(values); i++)
            for (int32_t k = 0; k < pli_shape_field_at(field)->length; k++)
                wrong_size(def, field, k, values[i]);
}

static void wrong_sizes_are_refused_by_all_that_ask(void **state)
{
    (void)state;
    for_all(wrong_sizes_of);
    pli_collider_def none = pli_collider_def_default();
    none.shape = PLI_SHAPE_COUNT;
    pli_mesh *mesh;
    holds(pli_shape_check(&none, NULL) == PLI_STATUS_INVALID_ARGUMENT, "no such shape");
    holds(pli_shape_tessellate(&none, 8, NULL, &mesh, NULL) == PLI_STATUS_INVALID_ARGUMENT, "its triangles");
    pli_collider_def ball = pli_collider_def_default();
    const int32_t resolutions[] = {-1, 0, 3, PLI_SHAPE_RESOLUTION_MAX + 1};
    for (int32_t i = 0; i < COUNT_OF(resolutions); i++)
        holds(pli_shape_tessellate(&ball, resolutions[i], NULL, &mesh, NULL) == PLI_STATUS_INVALID_ARGUMENT && !mesh,
              "resolution %d", (int)resolutions[i]);
}

/* ---- distance -------------------------------------------------------------------------------- */

// Outside of a convex shape the distance is smooth, so that its gradient is its difference; inside and outside alike it
// is of length 1 and leads to the surface.
static void gradient_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    (void)triangles;
    const double h = 3e-4;
    for (int32_t i = 0; i < 200; i++) {
        vec p = random_vec(1.0), g, unused;
        double d = distance_at(def, p, &g);
        if (isnan(d))
            return;
        near(length(g), 1.0, 1e-5, "%s: length of the gradient", info->name);
        near(distance_at(def, sub(p, scale(g, d)), &unused), 0.0, 2e-6, "%s: the foot of %g", info->name, d);
        if (d < 0.05)
            continue;
        for (int32_t k = 0; k < 3; k++) {
            vec e = {k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0};
            double gradient = (distance_at(def, add(p, e), &unused) - distance_at(def, sub(p, e), &unused)) / (2.0 * h);
            near(gradient, k == 0 ? g.x : k == 1 ? g.y : g.z, 5e-3, "%s: slope along %d at %g", info->name, (int)k, d);
        }
    }
}

static void gradients_are_finite_differences(void **state)
{
    (void)state;
    for_all(gradient_of);
}

// The triangles lie within the shape, with their vertices on it.
static void brute_force_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    vec unused;
    if (!triangles || isnan(distance_at(def, (vec){0, 1, 0}, &unused)))
        return;
    double most = sagitta * (double)pli_shape_reach(def);
    for (int32_t v = 0; v < pli_mesh_topology(triangles)->vertex_count; v++)
        near(distance_at(def, vertex_of(triangles, v), &unused), 0.0, 1e-6, "%s: vertex %d", info->name, (int)v);
    for (int32_t i = 0; i < 24; i++) {
        vec p = random_vec(1.0);
        double d = distance_at(def, p, &unused), brute = distance_to_mesh(triangles, p);
        holds(brute >= d - 2e-6 && brute <= d + most + 2e-6, "%s: distance %g, of its triangles %g", info->name, d,
              brute);
    }
}

static void distances_are_those_of_the_triangles(void **state)
{
    (void)state;
    for_all(brute_force_of);
}

// Distance from a box about the origin, rounded.
static double distance_to_core(const pli_shape_core *core, vec p)
{
    vec h = wide_vec(core->half_extents), d = {fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z};
    double outside = length((vec){fmax(d.x, 0.0), fmax(d.y, 0.0), fmax(d.z, 0.0)});
    return outside + fmin(fmax(d.x, fmax(d.y, d.z)), 0.0) - (double)core->radius;
}

static void core_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    (void)triangles;
    pli_shape_core core = {.radius = -1.0f};
    vec unused;
    if (!pli_shape_core_of(def, &core)) {
        holds(core.radius == -1.0f, "%s: no core is written", info->name);
        return;
    }
    holds(info->convex && info->bounded, "%s: a rounded box is convex", info->name);
    for (int32_t i = 0; i < 24; i++) {
        vec p = random_vec(1.0);
        near(distance_at(def, p, &unused), distance_to_core(&core, p), 1e-6, "%s: from its core", info->name);
    }
    pli_collider_def wrong = *def;
    for (int32_t i = 0; i < pli_shape_field_count(); i++)
        if (info->fields >> i & 1u)
            *size_of(&wrong, i) = NAN;
    holds(!pli_shape_core_of(&wrong, &core), "%s: the core of no size", info->name);
}

static void shapes_with_a_core_are_rounded_boxes(void **state)
{
    (void)state;
    static const struct {
        pli_shape shape;
        bool has;
    } known[] = {{PLI_SHAPE_SPHERE, true}, {PLI_SHAPE_CAPSULE, true}, {PLI_SHAPE_BOX, true}, {PLI_SHAPE_PLANE, false}};
    for (int32_t i = 0; i < COUNT_OF(known); i++) {
        pli_shape_core core;
        pli_collider_def def = sample_of(pli_shape_at((int32_t)known[i].shape), NULL);
        holds(pli_shape_core_of(&def, &core) == known[i].has, "%s", pli_choice_name("shape", (int32_t)known[i].shape));
    }
    for_all(core_of);
}

static void fill_points(float *points, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        vec p = random_vec(0.8);
        // The axes and planes of symmetry, where a direction must be chosen.
        p = (vec){i % 5 == 0 ? 0.0 : p.x, i % 7 == 0 ? 0.0 : p.y, i % 5 == 0 || i % 11 == 0 ? 0.0 : p.z};
        points[i] = (float)p.x, points[count + i] = (float)p.y, points[2 * count + i] = (float)p.z;
    }
}

static void every_width_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    enum { COUNT = 32 * PLI_BATCH };
    static float points[3 * COUNT], expected[4 * COUNT], found[4 * COUNT];
    (void)triangles;
    const pli_shape_row *scalar = pli_shape_row_at_scalar(info->shape);
    fill_points(points, COUNT);
    if (scalar->distances)
        scalar->distances(def, points, COUNT, expected, expected + COUNT);
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        const pli_shape_row *row = pli_kernels_of((pli_simd)simd)->shape_at(info->shape);
        holds(!row->distances == !scalar->distances, "%s: has a distance in %s", info->name,
              pli_choice_name("simd", simd));
        if (!row->distances)
            continue;
        row->distances(def, points, COUNT, found, found + COUNT);
        holds(memcmp(found, expected, sizeof found) == 0, "%s: bits in %s", info->name, pli_choice_name("simd", simd));
    }
    for (int32_t i = 0; i < COUNT && scalar->distances; i++) {
        vec g, p = {(double)points[i], (double)points[COUNT + i], (double)points[2 * COUNT + i]};
        near(distance_at(def, p, &g), (double)expected[i], 0.0, "%s: the public distance", info->name);
        near(length(g), 1.0, 1e-5, "%s: gradient where there is a choice", info->name);
    }
}

static void every_width_gives_the_same_bits(void **state)
{
    (void)state;
    for_all(every_width_of);
}

/* ---- extent ---------------------------------------------------------------------------------- */

static void solid_triangles_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    pli_mesh *coarse = NULL;
    pli_status expected = info->bounded ? PLI_STATUS_OK : PLI_STATUS_UNSUPPORTED;
    holds(pli_shape_tessellate(def, 4, NULL, &coarse, &problem) == expected, "%s: coarse triangles", info->name);
    if (!info->bounded)
        return;
    const pli_mesh_report *fine = pli_mesh_get_report(triangles), *few = pli_mesh_get_report(coarse);
    holds(fine->closed && fine->oriented && few->closed && few->oriented, "%s: closed", info->name);
    holds(fine->non_manifold_vertices == 0 && fine->component_count == 1 && fine->zero_area_faces == 0, "%s: manifold",
          info->name);
    holds(few->volume > 0.0 && few->volume <= fine->volume * (1.0 + 1e-9), "%s: volumes %g and %g", info->name,
          few->volume, fine->volume);
    pli_mesh_destroy(coarse);
}

static void triangles_are_closed_and_face_outwards(void **state)
{
    (void)state;
    for_all(solid_triangles_of);
}

static double farthest_along(const pli_mesh *mesh, vec direction)
{
    double most = -INFINITY;
    for (int32_t v = 0; v < pli_mesh_topology(mesh)->vertex_count; v++)
        most = fmax(most, dot(direction, vertex_of(mesh, v)));
    return most;
}

static void support_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    double slack = triangles ? sagitta * (double)pli_shape_reach(def) : 0.0;
    for (int32_t i = 0; i < 100; i++) {
        pli_vec3 point;
        vec direction = random_vec(3.0), g;
        // Along the axes too.
        direction = i < 6 ? (vec){i / 2 == 0 ? 1 - 2 * (i & 1) : 0, i / 2 == 1 ? 1 - 2 * (i & 1) : 0,
                                  i / 2 == 2 ? 1 - 2 * (i & 1) : 0}
                          : direction;
        bool found = pli_shape_support(def, to_vec3(direction), &point);
        holds(found == info->bounded, "%s: has a support point", info->name);
        if (!found)
            continue;
        double reached = dot(unit(direction), wide_vec(point)), most = farthest_along(triangles, unit(direction));
        holds(reached >= most - 2e-6 && reached <= most + slack + 2e-6, "%s: support at %g, triangles reach %g",
              info->name, reached, most);
        double d = distance_at(def, wide_vec(point), &g);
        holds(isnan(d) || fabs(d) < 1e-6, "%s: the support point is %g off the surface", info->name, d);
    }
    pli_vec3 point;
    holds(!pli_shape_support(def, (pli_vec3){0.0f, 0.0f, 0.0f}, &point), "%s: along nothing", info->name);
    holds(!pli_shape_support(def, (pli_vec3){NAN, 0.0f, 0.0f}, &point), "%s: along no number", info->name);
}

static void support_points_are_extremal(void **state)
{
    (void)state;
    for_all(support_of);
}

static vec placed(pli_transform t, vec p)
{
    vec u = {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z}, c = scale(cross(u, p), 2.0);
    return add(add(p, add(scale(c, (double)t.rotation.w), cross(u, c))), wide_vec(t.position));
}

static void extent_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    pli_vec3 low, high;
    pli_transform pose = {to_vec3(random_vec(2.0)), quat_about(random_vec(1.0), uniform(0.0, 3.0))};
    holds(pli_shape_bounds(def, pose, &low, &high) == info->bounded, "%s: has bounds", info->name);
    holds(isfinite(pli_shape_reach(def)) == info->bounded, "%s: reach", info->name);
    if (!info->bounded)
        return;
    double reach = (double)pli_shape_reach(def), slack = sagitta * reach, farthest = 0.0;
    vec least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < pli_mesh_topology(triangles)->vertex_count; v++) {
        vec p = vertex_of(triangles, v), q = placed(pose, p);
        farthest = fmax(farthest, length(p));
        least = (vec){fmin(least.x, q.x), fmin(least.y, q.y), fmin(least.z, q.z)};
        most = (vec){fmax(most.x, q.x), fmax(most.y, q.y), fmax(most.z, q.z)};
    }
    vec below = sub(least, wide_vec(low)), above = sub(wide_vec(high), most);
    const double margins[6] = {below.x, below.y, below.z, above.x, above.y, above.z};
    for (int32_t k = 0; k < 6; k++)
        holds(margins[k] >= -2e-6 && margins[k] <= slack + 2e-6, "%s: side %d of the box is %g off", info->name, (int)k,
              margins[k]);
    holds(reach >= farthest - 1e-6 && reach <= farthest + slack + 1e-6, "%s: reach %g, farthest %g", info->name, reach,
          farthest);
}

static void bounds_and_reach_hold_the_shape(void **state)
{
    (void)state;
    for_all(extent_of);
}

/* ---- mass ------------------------------------------------------------------------------------ */

static void mass_of_shape(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    pli_mass_properties found, twice;
    pli_status status = pli_shape_mass(def, 1.0, &found, &problem);
    holds(status == (info->bounded ? PLI_STATUS_OK : PLI_STATUS_UNSUPPORTED), "%s: mass", info->name);
    holds(pli_shape_mass(def, 0.0, &twice, &problem) == PLI_STATUS_INVALID_ARGUMENT, "%s: no density", info->name);
    if (!info->bounded)
        return;
    // The triangles lack twice a half of the square of an edge's angle, of the volume, and twice that of the inertia.
    pli_mass_properties expected = weigh_mesh(triangles);
    double lack = 3.0 * sagitta, reach = (double)pli_shape_reach(def), most = 0.0;
    for (int32_t k = 0; k < 3; k++)
        most = fmax(most, expected.inertia[k]);
    near(found.mass / expected.mass, 1.0 + 0.5 * lack, 0.5 * lack + 1e-6, "%s: volume", info->name);
    for (int32_t k = 0; k < 3; k++)
        near(found.centre[k], expected.centre[k], lack * reach + 1e-6, "%s: centre %d", info->name, (int)k);
    for (int32_t k = 0; k < 6; k++)
        near(found.inertia[k], expected.inertia[k], 2.0 * lack * most + 1e-6 * most, "%s: inertia %d", info->name,
             (int)k);
    must(pli_shape_mass(def, 700.0, &twice, &problem));
    near(twice.mass / found.mass, 700.0, 1e-9, "%s: density", info->name);
    near(twice.inertia[0] / found.inertia[0], 700.0, 1e-9, "%s: density in the inertia", info->name);
}

static void masses_are_integrals_over_the_triangles(void **state)
{
    (void)state;
    for_all(mass_of_shape);
}

/* ---- rays ------------------------------------------------------------------------------------ */

static void ray_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    for (int32_t i = 0; i < 40; i++) {
        float at;
        pli_vec3 n;
        vec origin = scale(unit(random_vec(1.0)), 2.0), unused;
        origin.y = info->bounded ? origin.y : fabs(origin.y) + 0.01;
        vec direction = unit(sub(random_vec(0.5), origin));
        bool met = pli_shape_ray(def, to_vec3(origin), to_vec3(scale(direction, 7.0)), 10.0f, &at, &n);
        double brute = triangles           ? ray_to_mesh(triangles, origin, direction)
                       : direction.y < 0.0 ? -origin.y / direction.y
                                           : INFINITY;
        double against = met ? -dot(direction, wide_vec(n)) : 0.0, slack = triangles ? sagitta : 0.0;
        holds(met || !isfinite(brute), "%s: a ray that meets a triangle after %g m", info->name, brute);
        if (!met)
            continue;
        vec point = add(origin, scale(direction, (double)at));
        double d = distance_at(def, point, &unused);
        holds(isnan(d) || fabs(d) < 5e-6, "%s: the meeting is %g off the surface", info->name, d);
        holds(against > 0.0, "%s: the normal looks back", info->name);
        if (isfinite(brute) && against > 0.2)
            near((double)at, brute, slack / against * 2.0 + 1e-5, "%s: the meeting", info->name);
        holds(isfinite(brute) || against < 0.2, "%s: a ray that meets no triangle meets it at %g", info->name, against);
        holds(!pli_shape_ray(def, to_vec3(origin), to_vec3(direction), 0.9f * at, &at, &n), "%s: beyond the reach",
              info->name);
        holds(!pli_shape_ray(def, to_vec3(origin), to_vec3(scale(direction, -1.0)), 10.0f, &at, &n), "%s: backwards",
              info->name);
    }
}

static void rays_meet_what_they_meet_of_the_triangles(void **state)
{
    (void)state;
    for_all(ray_of);
}

// A collider on a body, moved and turned, is met where its shape is met from the same place.
static void collider_ray_of(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    (void)triangles;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_collider_def moved = *def;
    pli_collider handle;
    vec axis = unit(random_vec(1.0));
    double angle = uniform(-3.0, 3.0);
    moved.pose = (pli_transform){to_vec3(random_vec(3.0)), quat_about(axis, angle)};
    if (info->bounded) {
        pli_rigid_body_def body = pli_rigid_body_def_default();
        body.state.pose = (pli_transform){moved.pose.position, {0.0f, 0.0f, 0.0f, 1.0f}};
        moved.pose.position = (pli_vec3){0.0f, 0.0f, 0.0f};
        must(pli_rigid_body_create(world, &body, &moved.body, &problem));
    }
    must(pli_collider_create(world, &moved, &handle, &problem));
    pli_transform pose;
    must(pli_collider_pose(world, handle, &pose, &problem));
    for (int32_t i = 0; i < 20; i++) {
        vec origin = scale(unit(random_vec(1.0)), 2.0), direction = unit(sub(random_vec(0.3), origin));
        float expected = 0.0f, found = 0.0f;
        pli_vec3 n, m;
        bool met = pli_shape_ray(def, to_vec3(origin), to_vec3(direction), 10.0f, &expected, &n);
        vec from = placed(pose, origin), along = turned(direction, axis, angle);
        bool also = pli_collider_ray(world, handle, to_vec3(from), to_vec3(along), 10.0f, &found, &m);
        double against = met ? -dot(direction, wide_vec(n)) : 0.0;
        if (met && against > 0.1) {
            holds(also, "%s: the collider is met", info->name);
            near((double)found, (double)expected, 1e-4, "%s: the meeting", info->name);
        }
        holds(met || !also || fabs(dot(along, wide_vec(m))) < 0.1, "%s: the collider is met where its shape is not",
              info->name);
        if (met && also && against > 0.1)
            near(-dot(along, wide_vec(m)), against, 2e-2, "%s: the normal", info->name);
    }
    must(pli_collider_destroy(world, handle, &problem));
    float at;
    pli_vec3 n;
    holds(!pli_collider_ray(world, handle, moved.pose.position, (pli_vec3){0, 1, 0}, 10.0f, &at, &n), "%s: gone",
          info->name);
    pli_world_destroy(world);
}

static void colliders_are_met_where_they_are(void **state)
{
    (void)state;
    for_all(collider_ray_of);
}

/* ---- in a world ------------------------------------------------------------------------------ */

static const double kept = 0.01;

static pli_world *falling_world(void)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 20;
    return world_from(&def);
}

// A small square of cloth over the highest point that the shape has there.
static pli_deformable drop_patch(pli_world *world, double top)
{
    pli_mesh *mesh;
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_mesh_create_grid(5, 5, 0.08f, 0.08f, PLI_GRID_DIAGONAL, &mesh, &problem));
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0.01f, (float)(top + 0.1), -0.01f};
    def.thickness = (float)kept;
    def.friction = 1.0f;
    pli_deformable cluster;
    must(pli_deformable_create(world, &def, &cluster, &problem));
    constrain(world, cluster, "distance", NULL);
    pli_mesh_destroy(mesh);
    return cluster;
}

static double top_of(const pli_collider_def *def)
{
    pli_vec3 point;
    return pli_shape_support(def, (pli_vec3){0.0f, 1.0f, 0.0f}, &point) ? (double)point.y : 0.0;
}

// Where all of the cluster is after it fell: outside but for `slack`, near, and slow.
static void check_rest(pli_world *world, pli_deformable cluster, const pli_collider_def *def, const pli_mesh *triangles,
                       double slack)
{
    const char *name = pli_choice_name("shape", (int32_t)def->shape);
    pli_view positions = pli_deformable_positions(world, cluster),
             velocities = pli_deformable_velocities(world, cluster);
    double nearest = INFINITY, fastest = 0.0;
    for (int32_t i = 0; i < positions.count; i++) {
        vec p = vec_of_floats(pli_view_at(positions, i)), g;
        double d = distance_at(def, p, &g);
        nearest = fmin(nearest, isnan(d) ? distance_to_mesh(triangles, p) : d);
        fastest = fmax(fastest, length(vec_of_floats(pli_view_at(velocities, i))));
    }
    holds(nearest > kept - slack && nearest < kept + 4e-3, "%s: the nearest particle rests at %g m", name, nearest);
    holds(fastest < 0.05, "%s: the fastest particle has %g m/s", name, fastest);
}

static void rest_on(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    (void)info;
    pli_collider_def rough = *def;
    pli_collider handle;
    pli_world *world = falling_world();
    rough.friction = 1.0f;
    pli_deformable cluster = drop_patch(world, top_of(def));
    must(pli_collider_create(world, &rough, &handle, &problem));
    for (int32_t frame = 0; frame < 40; frame++)
        must(pli_world_step(world, 1.0f / 60.0f, &problem));
    check_rest(world, cluster, def, triangles, 2e-3);
    pli_world_destroy(world);
}

static void what_falls_on_it_rests_outside(void **state)
{
    (void)state;
    for_all(rest_on);
}

static void carry_by(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles, bool one_sided)
{
    pli_world *world = falling_world();
    pli_rigid_body_def body = pli_rigid_body_def_default();
    pli_collider_def carried = *def;
    pli_collider handle;
    body.state.pose.position = (pli_vec3){0.5f, -0.25f, 0.75f};
    body.inverse_mass = 0.0f;
    must(pli_rigid_body_create(world, &body, &carried.body, &problem));
    carried.friction = 1.0f;
    carried.one_sided = one_sided;
    carried.pose.position = (pli_vec3){-0.5f, 0.25f, -0.75f};
    pli_deformable cluster = drop_patch(world, top_of(def));
    pli_status status = pli_collider_create(world, &carried, &handle, &problem);
    holds(status == (info->bounded ? PLI_STATUS_OK : PLI_STATUS_UNSUPPORTED), "%s: carried", info->name);
    for (int32_t frame = 0; frame < 40 && status == PLI_STATUS_OK; frame++)
        must(pli_world_step(world, 1.0f / 60.0f, &problem));
    // Surfaces may come nearer than is kept, and those of triangles lie within the shape.
    double within = (1.0 - cos(acos(-1.0) / PLI_SHAPE_RESOLUTION)) * (double)pli_shape_reach(def);
    if (status == PLI_STATUS_OK)
        check_rest(world, cluster, def, triangles, 3e-3 + within);
    pli_world_destroy(world);
}

// All shapes face outwards, so that what lies on one from outside does not feel whether its back is met too.
static void carry(const pli_shape_info *info, const pli_collider_def *def, const pli_mesh *triangles)
{
    carry_by(info, def, triangles, false);
    carry_by(info, def, triangles, true);
}

static void bodies_carry_what_is_bounded(void **state)
{
    (void)state;
    for_all(carry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(the_table_says_the_same_everywhere),
        property(defaults_are_those_of_the_fields),
        property(wrong_sizes_are_refused_by_all_that_ask),
        property(gradients_are_finite_differences),
        property(distances_are_those_of_the_triangles),
        property(shapes_with_a_core_are_rounded_boxes),
        property(every_width_gives_the_same_bits),
        property(triangles_are_closed_and_face_outwards),
        property(support_points_are_extremal),
        property(bounds_and_reach_hold_the_shape),
        property(masses_are_integrals_over_the_triangles),
        property(rays_meet_what_they_meet_of_the_triangles),
        property(colliders_are_met_where_they_are),
        property(what_falls_on_it_rests_outside),
        property(bodies_carry_what_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
