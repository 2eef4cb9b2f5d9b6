// What sizes each shape takes, and how far it reaches.
#include "collision/shape.h"

static bool positive(float size) { return size > 0.0f && isfinite(size); }

static const char *plane_complaint(const pli_collider_def *def)
{
    (void)def;
    return NULL;
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

static float sphere_reach(const pli_collider_def *def) { return def->radius; }

static const char *capsule_complaint(const pli_collider_def *def)
{
    if (!(def->half_height >= 0.0f) || !isfinite(def->half_height))
        return "its half_height must not be negative [m]";
    return sphere_complaint(def);
}

static float capsule_reach(const pli_collider_def *def) { return def->radius + def->half_height; }

static const char *box_complaint(const pli_collider_def *def)
{
    bool sound = positive(def->half_extents.x) && positive(def->half_extents.y) && positive(def->half_extents.z);
    return sound ? NULL : "its half_extents must be positive [m]";
}

static float box_reach(const pli_collider_def *def) { return pli_length(def->half_extents); }

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
    [PLI_SHAPE_PLANE] = {"plane", plane_complaint, plane_reach},
    [PLI_SHAPE_SPHERE] = {"sphere", sphere_complaint, sphere_reach},
    [PLI_SHAPE_CAPSULE] = {"capsule", capsule_complaint, capsule_reach},
    [PLI_SHAPE_BOX] = {"box", box_complaint, box_reach},
    [PLI_SHAPE_HULL] = {"hull", hull_complaint, NULL},
    [PLI_SHAPE_MESH] = {"mesh", mesh_complaint, NULL},
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
