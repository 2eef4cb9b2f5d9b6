// Plane, sphere, capsule and box as signed distances.
#include "collision/shape.h"

static bool positive(float size)
{
    return size > 0.0f && isfinite(size);
}

static pli_vec3 unit_or_up(pli_vec3 v, float length)
{
    return length > 0.0f ? pli_scale(v, 1.0f / length) : (pli_vec3){0, 1, 0};
}

static const char *plane_complaint(const pli_collider_def *def)
{
    (void)def;
    return NULL;
}

static float plane_distance(const pli_collider_def *def, pli_vec3 point, pli_vec3 *normal)
{
    (void)def;
    *normal = (pli_vec3){0, 1, 0};
    return point.y;
}

static float plane_reach(const pli_collider_def *def)
{
    (void)def;
    return INFINITY;
}

static const char *sphere_complaint(const pli_collider_def *def)
{
    return positive(def->radius) ? NULL : "its radius must be positive [m]";
}

static float sphere_distance(const pli_collider_def *def, pli_vec3 point, pli_vec3 *normal)
{
    float length = pli_length(point);
    *normal = unit_or_up(point, length);
    return length - def->radius;
}

static float sphere_reach(const pli_collider_def *def)
{
    return def->radius;
}

static const char *capsule_complaint(const pli_collider_def *def)
{
    if (!(def->half_height >= 0.0f) || !isfinite(def->half_height))
        return "its half_height must not be negative [m]";
    return sphere_complaint(def);
}

static float capsule_distance(const pli_collider_def *def, pli_vec3 point, pli_vec3 *normal)
{
    float y = fminf(fmaxf(point.y, -def->half_height), def->half_height);
    pli_vec3 out = {point.x, point.y - y, point.z};
    float length = pli_length(out);
    *normal = length > 0.0f ? pli_scale(out, 1.0f / length) : (pli_vec3){1, 0, 0};
    return length - def->radius;
}

static float capsule_reach(const pli_collider_def *def)
{
    return def->radius + def->half_height;
}

static const char *box_complaint(const pli_collider_def *def)
{
    bool sound = positive(def->half_extents.x) && positive(def->half_extents.y) && positive(def->half_extents.z);
    return sound ? NULL : "its half_extents must be positive [m]";
}

static float box_distance(const pli_collider_def *def, pli_vec3 point, pli_vec3 *normal)
{
    pli_vec3 side = {point.x < 0 ? -1.0f : 1.0f, point.y < 0 ? -1.0f : 1.0f, point.z < 0 ? -1.0f : 1.0f};
    pli_vec3 over = {fabsf(point.x) - def->half_extents.x, fabsf(point.y) - def->half_extents.y,
                     fabsf(point.z) - def->half_extents.z};
    pli_vec3 out = {fmaxf(over.x, 0.0f), fmaxf(over.y, 0.0f), fmaxf(over.z, 0.0f)};
    float length = pli_length(out);
    if (length > 0.0f) {
        *normal = (pli_vec3){side.x * out.x / length, side.y * out.y / length, side.z * out.z / length};
        return length;
    }
    *normal = (pli_vec3){0};
    if (over.x >= over.y && over.x >= over.z)
        normal->x = side.x;
    else if (over.y >= over.z)
        normal->y = side.y;
    else
        normal->z = side.z;
    return fmaxf(over.x, fmaxf(over.y, over.z));
}

static float box_reach(const pli_collider_def *def)
{
    return pli_length(def->half_extents);
}

static const char *hull_complaint(const pli_collider_def *def)
{
    return def->mesh ? NULL : "its mesh, whose vertices it is the hull of, is missing";
}

static const char *mesh_complaint(const pli_collider_def *def)
{
    if (!def->mesh)
        return "its mesh is missing";
    return pli_mesh_topology(def->mesh)->triangle_count > 0 ? NULL : "its mesh has no faces";
}

static const pli_shape_row rows[PLI_SHAPE_COUNT] = {
    [PLI_SHAPE_PLANE] = {"plane", plane_complaint, plane_distance, plane_reach},
    [PLI_SHAPE_SPHERE] = {"sphere", sphere_complaint, sphere_distance, sphere_reach},
    [PLI_SHAPE_CAPSULE] = {"capsule", capsule_complaint, capsule_distance, capsule_reach},
    [PLI_SHAPE_BOX] = {"box", box_complaint, box_distance, box_reach},
    [PLI_SHAPE_HULL] = {"hull", hull_complaint, NULL, NULL},
    [PLI_SHAPE_MESH] = {"mesh", mesh_complaint, NULL, NULL},
};

const pli_shape_row *pli_shape_row_at(pli_shape shape)
{
    return (unsigned)shape < PLI_SHAPE_COUNT ? &rows[shape] : NULL;
}

const char *pli_shape_name(pli_shape shape)
{
    const pli_shape_row *row = pli_shape_row_at(shape);
    return row ? row->name : "unknown shape";
}
