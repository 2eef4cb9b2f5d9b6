// Geoms: created from colliders, and placed in every substep.
#include "geom.h"

#include "pointer_list.h"

#include <stdlib.h>

// ODE's capsules lie along z, the library's along y.
static const turn y_from_z = {-0.70710678118654752, 0, 0, 0.70710678118654752};

// Maximum number of edges of a polyhedron: contacts are searched among all pairs of edges.
enum { AROUND = 16 };

static pli_status make_hull(const pli_collider_def *def, polyhedron **hull, pli_error *error)
{
    pli_mesh *mesh;
    pli_status status = pli_shape_tessellate(def, AROUND, NULL, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    status = polyhedron_create(mesh, hull, error);
    pli_mesh_destroy(mesh);
    return status;
}

static bool is_box(const pli_shape_core *core)
{
    return core->radius == 0.0f && core->half_extents.x > 0.0f && core->half_extents.y > 0.0f &&
           core->half_extents.z > 0.0f;
}

static bool is_thin(const pli_shape_core *core)
{
    return core->radius > 0.0f && core->half_extents.x == 0.0f && core->half_extents.z == 0.0f;
}

// ODE has half-spaces, boxes, and rounded points and segments; any other convex shape becomes a polyhedron.
static pli_status make_shape(ode_geom *geom, const pli_collider_def *def, pli_error *error)
{
    pli_shape_core core;
    pli_status status = pli_shape_check(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_shape_info *info = pli_shape_at((int32_t)def->shape);
    bool has_core = pli_shape_core_of(def, &core);
    if (!info->convex)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "bodies do not touch colliders of the shape %s; use hulls or boxes", info->name);
    if (!info->bounded) {
        geom->half_space = true;
        geom->id = dCreatePlane(0, 0, 1, 0, 0);
    } else if (has_core && is_thin(&core)) {
        geom->radius = (double)core.radius, geom->half = (double)core.half_extents.y;
        geom->id = geom->half > 0.0 ? dCreateCapsule(0, geom->radius, 2.0 * geom->half)
                                    : dCreateSphere(0, geom->radius);
    } else {
        if (has_core && is_box(&core))
            geom->id = dCreateBox(0, 2.0 * (double)core.half_extents.x, 2.0 * (double)core.half_extents.y,
                                  2.0 * (double)core.half_extents.z);
        return make_hull(def, &geom->hull, error);
    }
    return pli_succeed(error);
}

pli_status ode_geom_create(const pli_collider_def *def, ode_geom **result, pli_error *error)
{
    *result = NULL;
    ode_geom *geom = calloc(1, sizeof *geom);
    if (!geom)
        return ode_fail_memory(error);
    pli_status status = make_shape(geom, def, error);
    if (status != PLI_STATUS_OK) {
        ode_geom_free(geom);
        return status;
    }
    geom->def = *def;
    geom->def.mesh = NULL;
    geom->local = placement_of(def->pose);
    *result = geom;
    return status;
}

void ode_geom_free(ode_geom *geom)
{
    if (!geom)
        return;
    if (geom->id)
        dGeomDestroy(geom->id);
    polyhedron_destroy(geom->hull);
    free(geom);
}

bool ode_geom_add(pli_ode *ode, ode_geom *geom)
{
    if (!ode_reserve(&ode->geoms, ode->geom_count) || !ode_reserve(&ode->sweep, ode->geom_count))
        return false;
    geom->order = ode->last_geom++;
    ode->geoms[ode->geom_count++] = geom;
    return true;
}

void ode_geom_remove(pli_ode *ode, ode_geom *geom)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < ode->geom_count; i++)
        if (ode->geoms[i] != geom)
            ode->geoms[kept++] = ode->geoms[i];
    ode->geom_count = kept;
    ode_geom_free(geom);
}

static void widen(ode_geom *geom, vec point, double radius)
{
    geom->low = (vec){fmin(geom->low.x, point.x - radius), fmin(geom->low.y, point.y - radius),
                      fmin(geom->low.z, point.z - radius)};
    geom->high = (vec){fmax(geom->high.x, point.x + radius), fmax(geom->high.y, point.y + radius),
                       fmax(geom->high.z, point.z + radius)};
}

static void bound(ode_geom *geom)
{
    geom->low = (vec){INFINITY, INFINITY, INFINITY};
    geom->high = vec_negate(geom->low);
    if (geom->half_space) {
        geom->high = geom->low;
        geom->low = vec_negate(geom->low);
    } else if (geom->hull) {
        for (int32_t i = 0; i < geom->hull->vertex_count; i++)
            widen(geom, placement_apply(geom->where, geom->hull->vertices[i]), 0.0);
    } else {
        widen(geom, placement_apply(geom->where, (vec){0, geom->half, 0}), geom->radius);
        widen(geom, placement_apply(geom->where, (vec){0, -geom->half, 0}), geom->radius);
    }
}

static void place(ode_geom *geom)
{
    vec p = geom->where.position, up = turn_apply(geom->where.rotation, (vec){0, 1, 0});
    if (geom->half_space) {
        dGeomPlaneSetParams(geom->id, up.x, up.y, up.z, vec_dot(up, p));
    } else if (geom->id) {
        turn q = geom->where.rotation;
        if (geom->half > 0.0)
            q = turn_product(q, y_from_z);
        const dQuaternion rotation = {q.w, q.x, q.y, q.z};
        dGeomSetPosition(geom->id, p.x, p.y, p.z);
        dGeomSetQuaternion(geom->id, rotation);
    }
    bound(geom);
}

void ode_geoms_place(pli_ode *ode)
{
    for (int32_t i = 0; i < ode->geom_count;) {
        ode_geom *geom = ode->geoms[i];
        pli_transform pose;
        if (geom->body) {
            geom->where = placement_product(geom->body->where, geom->local);
        } else if (pli_collider_pose(ode->world, geom->collider, &pose, NULL) == PLI_STATUS_OK) {
            geom->where = placement_of(pose);
        } else {
            ode_geom_remove(ode, geom); // Its collider was destroyed.
            continue;
        }
        place(geom);
        i++;
    }
}
