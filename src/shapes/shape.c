// The public functions on shapes, which use the row of the shape.
#include "shapes/shape.h"

#include "base/text.h"
#include "mesh/ray_triangle.h"
#include "shapes/types/shape_table.h"

#include <string.h>

/* ---- the table ------------------------------------------------------------------------------ */

static const pli_shape_field fields[] = {
#define SHAPE_FIELD(name, label, length, minimum, maximum, initial, zero, summary)                                     \
    {#name, length, offsetof(pli_collider_def, name), PLI_TEXT(label), minimum, maximum, initial, PLI_TEXT(summary)},
    PLI_SHAPE_FIELDS(SHAPE_FIELD)
#undef SHAPE_FIELD
};

#define KIND_HALF_SPACE .convex = true
#define KIND_SOLID .bounded = true, .convex = true, .solid = true
#define KIND_HULL .bounded = true, .convex = true, .solid = true, .takes_mesh = true
#define KIND_TRIANGLES .bounded = true, .takes_mesh = true, .deforms = true

static const pli_shape_info infos[PLI_SHAPE_COUNT] = {
#define INFO(value, id, title, kind, r, h, e, t, sentence)                                                             \
    [PLI_SHAPE_##value] = {.shape = PLI_SHAPE_##value,                                                                 \
                           .name = #id,                                                                                \
                           .label = PLI_TEXT(title),                                                                   \
                           .summary = PLI_TEXT(sentence),                                                              \
                           .fields = (r)*PLI_SHAPE_TAKES(radius) | (h)*PLI_SHAPE_TAKES(half_height) |                  \
                                     (e)*PLI_SHAPE_TAKES(half_extents) | (t)*PLI_SHAPE_TAKES(top_radius),              \
                           KIND_##kind},
    PLI_SHAPES(INFO)
#undef INFO
};

int32_t pli_shape_field_count(void) { return PLI_SHAPE_FIELD_COUNT; }

const pli_shape_field *pli_shape_field_at(int32_t i) { return i >= 0 && i < PLI_SHAPE_FIELD_COUNT ? &fields[i] : NULL; }

int32_t pli_shape_count(void) { return PLI_SHAPE_COUNT; }

const pli_shape_info *pli_shape_at(int32_t i) { return i >= 0 && i < PLI_SHAPE_COUNT ? &infos[i] : NULL; }

const pli_shape_info *pli_shape_find(const char *name)
{
    for (int32_t i = 0; name && i < PLI_SHAPE_COUNT; i++)
        if (strcmp(pli_shape_at(i)->name, name) == 0)
            return pli_shape_at(i);
    return NULL;
}

/* ---- one shape ------------------------------------------------------------------------------ */

static const pli_shape_row *shape_row(const pli_collider_def *def) { return pli_shape_row_at_scalar(def->shape); }

pli_status pli_shape_check(const pli_collider_def *def, pli_error *error)
{
    const pli_shape_row *row = shape_row(def);
    if (!row)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "collider shape %d is none of pli_shape", (int)def->shape);
    const char *complaint = row->complaint(def);
    if (complaint)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s collider is refused: %s",
                        pli_choice_name("shape", (int32_t)row->shape), complaint);
    return pli_succeed(error);
}

// Returns the row, or null when the shape or its sizes are invalid.
static const pli_shape_row *sound_row(const pli_collider_def *def)
{
    return pli_shape_check(def, NULL) == PLI_STATUS_OK ? shape_row(def) : NULL;
}

float pli_shape_width(const pli_collider_def *def)
{
    const pli_shape_info *info = pli_shape_at((int32_t)def->shape);
    const pli_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    float width = INFINITY;
    for (int k = 0; k < 3 && info->bounded; k++) {
        pli_vec3 first = shape_row(def)->support(def, axes[k]),
                 last = shape_row(def)->support(def, pli_scale(axes[k], -1.0f));
        width = fminf(width, pli_dot(axes[k], pli_sub(first, last)));
    }
    if (info->fields & PLI_SHAPE_TAKES(top_radius))
        width = fminf(width, 2.0f * fminf(def->radius, def->top_radius));
    return width;
}

float pli_shape_reach(const pli_collider_def *def) { return shape_row(def)->reach(def); }

bool pli_shape_support(const pli_collider_def *def, pli_vec3 direction, pli_vec3 *point)
{
    const pli_shape_row *row = sound_row(def);
    if (!row || !row->support || !pli_finite3(direction) || !(pli_length(direction) > 0.0f))
        return false;
    *point = row->support(def, direction);
    return true;
}

bool pli_shape_bounds(const pli_collider_def *def, pli_transform pose, pli_vec3 *low, pli_vec3 *high)
{
    const pli_shape_row *row = sound_row(def);
    if (!row || !row->support)
        return false;
    float ends[2][3];
    for (int32_t axis = 0; axis < 3; axis++)
        for (int32_t side = 0; side < 2; side++) {
            float point_along = side ? 1.0f : -1.0f;
            pli_vec3 out = {axis == 0 ? point_along : 0.0f, axis == 1 ? point_along : 0.0f,
                            axis == 2 ? point_along : 0.0f};
            pli_vec3 local = pli_rotate(pli_conjugate(pose.rotation), out);
            ends[side][axis] = point_along * pli_dot(out, pli_transform_point(pose, row->support(def, local)));
        }
    *low = (pli_vec3){ends[0][0], ends[0][1], ends[0][2]};
    *high = (pli_vec3){ends[1][0], ends[1][1], ends[1][2]};
    return true;
}

bool pli_shape_core_of(const pli_collider_def *def, pli_shape_core *core)
{
    const pli_shape_row *row = sound_row(def);
    if (!row || !row->core)
        return false;
    *core = row->core(def);
    return true;
}

pli_status pli_shape_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                pli_mesh **mesh, pli_error *error)
{
    *mesh = NULL;
    pli_status status = pli_shape_check(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_shape_row *row = shape_row(def);
    if (!row->tessellate)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "a %s has no end and therefore no triangles",
                        pli_choice_name("shape", (int32_t)row->shape));
    if (resolution < 4 || resolution > PLI_SHAPE_RESOLUTION_MAX)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the resolution %d is not 4 to %d edges around a shape",
                        (int)resolution, PLI_SHAPE_RESOLUTION_MAX);
    return row->tessellate(def, resolution, hooks, mesh, error);
}

bool pli_shape_distance(const pli_collider_def *def, pli_vec3 point, float *distance, pli_vec3 *gradient)
{
    const pli_shape_row *row = sound_row(def);
    if (!row || !row->distances)
        return false;
    const float at[3] = {point.x, point.y, point.z};
    float point_along[3];
    row->distances(def, at, 1, distance, point_along);
    *gradient = (pli_vec3){point_along[0], point_along[1], point_along[2]};
    return true;
}

/* ---- mass ----------------------------------------------------------------------------------- */

// Sums over the tetrahedra between one vertex of a closed mesh and its triangles: volume, and its first and second
// moments about that vertex.
typedef struct volume_moments {
    double volume;
    pli_dvec3 first;
    double second[6];
} volume_moments;

static pli_dvec3 vertex_at(const float *positions, int32_t i)
{
    const float *p = positions + 3 * (size_t)i;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static pli_mass_properties mass_of_mesh(const pli_topology *mesh)
{
    volume_moments sum = {0};
    pli_dvec3 origin = vertex_at(mesh->positions, mesh->triangles[0]);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        pli_dvec3 a = pli_dsub(vertex_at(mesh->positions, corners[0]), origin);
        pli_dvec3 b = pli_dsub(vertex_at(mesh->positions, corners[1]), origin);
        pli_dvec3 c = pli_dsub(vertex_at(mesh->positions, corners[2]), origin);
        const pli_dvec3 at[4] = {a, b, c, pli_dadd(a, pli_dadd(b, c))};
        double product = pli_ddot(a, pli_dcross(b, c));
        sum.volume += product / 6.0;
        sum.first = pli_dadd(sum.first, pli_dscale(at[3], product / 24.0));
        for (int32_t i = 0; i < 4; i++) {
            pli_dvec3 v = at[i];
            const double squares[6] = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
            for (int32_t m = 0; m < 6; m++)
                sum.second[m] += squares[m] * product / 120.0;
        }
    }
    pli_dvec3 c = pli_dscale(sum.first, sum.volume > 0.0 ? 1.0 / sum.volume : 1.0);
    const double centred[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
    for (int32_t m = 0; m < 6; m++)
        sum.second[m] -= sum.volume * centred[m];
    const double *s = sum.second;
    c = pli_dadd(c, origin);
    return (pli_mass_properties){
        sum.volume, {c.x, c.y, c.z}, {s[1] + s[2], s[0] + s[2], s[0] + s[1], -s[3], -s[4], -s[5]}};
}

static pli_status integrate(const pli_collider_def *def, pli_mass_properties *mass, pli_error *error)
{
    pli_mesh *mesh;
    pli_status status = pli_shape_tessellate(def, PLI_SHAPE_RESOLUTION, NULL, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    if (report->closed && report->oriented && report->volume > 0.0)
        *mass = mass_of_mesh(pli_mesh_topology(mesh));
    else
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                          "the %s has no inside to weigh: it must be closed, with its faces outwards",
                          pli_choice_name("shape", (int32_t)def->shape));
    pli_mesh_destroy(mesh);
    return status;
}

pli_status pli_shape_mass(const pli_collider_def *def, double density, pli_mass_properties *mass, pli_error *error)
{
    *mass = (pli_mass_properties){0};
    if (!(density > 0.0) || !isfinite(density))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the density is %g kg/m3; it must be positive", density);
    const pli_shape_row *row = sound_row(def);
    pli_status status = PLI_STATUS_OK;
    if (row && row->mass)
        *mass = row->mass(def);
    else
        status = integrate(def, mass, error);
    mass->mass *= density;
    for (int32_t k = 0; k < 6; k++)
        mass->inertia[k] *= density;
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

/* ---- rays ----------------------------------------------------------------------------------- */

enum { RAY_STEPS_MAX = 64 };

// A ray has reached the surface at this distance, as a fraction of the distance to its origin.
#define MET 1e-6f

static pli_vec3 shape_along(pli_vec3 origin, pli_vec3 unit, float distance)
{
    return pli_add(origin, pli_scale(unit, distance));
}

// Newton's method on the distance along the ray, which is convex because the shape is convex: from outside it converges
// to the first intersection without passing it.
static bool meet_distance(const pli_collider_def *def, pli_vec3 origin, pli_vec3 unit, float reach, float *distance,
                          pli_vec3 *normal)
{
    float gone = 0.0f, clear = 0.0f, met = MET * (pli_length(origin) + 1e-3f);
    if (!pli_shape_distance(def, origin, &clear, normal) || clear < 0.0f)
        return false;
    for (int32_t i = 0; i < RAY_STEPS_MAX && clear > met; i++) {
        float gradient = -pli_dot(*normal, unit);
        gone += clear / gradient;
        if (!(gradient > 0.0f) || !(gone <= reach))
            return false;
        pli_shape_distance(def, shape_along(origin, unit, gone), &clear, normal);
    }
    *distance = gone;
    return clear <= met && gone <= reach;
}

bool pli_triangles_ray(const pli_topology *mesh, const float *positions, pli_vec3 origin, pli_vec3 direction,
                       float reach, float *distance, pli_vec3 *normal)
{
    pli_sheared_ray ray;
    if (!(reach >= 0.0f) || !pli_ray_shear(origin, direction, &ray))
        return false;
    double nearest = nextafter((double)reach, HUGE_VAL);
    int32_t first = -1;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        pli_sheared_vertex corners[3];
        double weights[3], here;
        for (int32_t k = 0; k < 3; k++)
            corners[k] = pli_ray_shear_point(&ray, positions + 3 * (size_t)mesh->triangles[3 * t + k]);
        if (pli_ray_meets(&ray, corners, weights, &here) && here < nearest)
            nearest = here, first = t;
    }
    if (first < 0)
        return false;
    *distance = (float)nearest;
    const int32_t *corners = mesh->triangles + 3 * (size_t)first;
    pli_dvec3 a = vertex_at(positions, corners[0]);
    pli_dvec3 n = pli_dcross(pli_dsub(vertex_at(positions, corners[1]), a),
                             pli_dsub(vertex_at(positions, corners[2]), a));
    double length = pli_dlength(n), scale = length > 0.0 ? 1.0 / length : 0.0;
    *normal = (pli_vec3){(float)(n.x * scale), (float)(n.y * scale), (float)(n.z * scale)};
    return true;
}

bool pli_shape_ray(const pli_collider_def *def, pli_vec3 origin, pli_vec3 direction, float reach, float *distance,
                   pli_vec3 *normal)
{
    pli_mesh *mesh;
    const pli_shape_row *row = sound_row(def);
    bool aimed = pli_finite3(origin) && pli_finite3(direction) && pli_length(direction) > 0.0f && reach >= 0.0f;
    if (!row || !aimed)
        return false;
    if (row->distances)
        return meet_distance(def, origin, pli_scale(direction, 1.0f / pli_length(direction)), reach, distance, normal);
    if (pli_shape_tessellate(def, PLI_SHAPE_RESOLUTION, NULL, &mesh, NULL) != PLI_STATUS_OK)
        return false;
    const pli_topology *t = pli_mesh_topology(mesh);
    bool met = pli_triangles_ray(t, t->positions, origin, direction, reach, distance, normal);
    pli_mesh_destroy(mesh);
    return met;
}
