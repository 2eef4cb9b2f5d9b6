// Geoms: created from colliders, and placed in every substep.
#include "adapter.h"

#include <stdlib.h>

// ODE's capsules lie along z, the library's along y.
static const turn y_from_z = {-0.70710678118654752, 0, 0, 0.70710678118654752};

static pli_status make_hull(const pli_collider_def *def, polyhedron **hull, pli_error *error)
{
    const pli_topology *points = def->mesh ? pli_mesh_topology(def->mesh) : NULL;
    pli_vec3 h = def->half_extents;
    pli_mesh *mesh;
    pli_status status;
    if (def->shape == PLI_SHAPE_BOX)
        status = pli_mesh_create_box((pli_vec3){2.0f * h.x, 2.0f * h.y, 2.0f * h.z}, &mesh, error);
    else if (points)
        status = pli_mesh_create_hull(points->positions, points->vertex_count, &mesh, error);
    else
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "a hull needs a mesh, of whose vertices it is the hull");
    if (status != PLI_STATUS_OK)
        return status;
    status = polyhedron_create(mesh, hull, error);
    pli_mesh_destroy(mesh);
    return status;
}

static pli_status make_shape(ode_geom *geom, const pli_collider_def *def, pli_error *error)
{
    switch (def->shape) {
    case PLI_SHAPE_PLANE:
        geom->id = dCreatePlane(0, 0, 1, 0, 0);
        break;
    case PLI_SHAPE_CAPSULE:
        if (def->half_height > 0.0f) {
            geom->id = dCreateCapsule(0, (double)def->radius, 2.0 * (double)def->half_height);
            break;
        }
        // Otherwise a ball.
        __attribute__((fallthrough));
    case PLI_SHAPE_SPHERE:
        geom->id = dCreateSphere(0, (double)def->radius);
        break;
    case PLI_SHAPE_BOX:
        geom->id = dCreateBox(0, 2.0 * (double)def->half_extents.x, 2.0 * (double)def->half_extents.y,
                              2.0 * (double)def->half_extents.z);
        return make_hull(def, &geom->hull, error);
    case PLI_SHAPE_HULL:
        return make_hull(def, &geom->hull, error);
    default:
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "bodies do not touch colliders of the shape %s; use hulls or boxes",
                        pli_shape_name(def->shape));
    }
    return pli_succeed(error);
}

pli_status ode_geom_create(const pli_collider_def *def, ode_geom **result, pli_error *error)
{
    ode_geom *geom = calloc(1, sizeof *geom);
    *result = NULL;
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
    const pli_collider_def *def = &geom->def;
    double radius = (double)def->radius, half = def->shape == PLI_SHAPE_CAPSULE ? (double)def->half_height : 0.0;
    geom->low = (vec){INFINITY, INFINITY, INFINITY};
    geom->high = vec_negate(geom->low);
    if (def->shape == PLI_SHAPE_PLANE) {
        geom->high = geom->low;
        geom->low = vec_negate(geom->low);
    } else if (geom->hull) {
        for (int32_t i = 0; i < geom->hull->vertex_count; i++)
            widen(geom, placement_apply(geom->where, geom->hull->vertices[i]), 0.0);
    } else {
        widen(geom, placement_apply(geom->where, (vec){0, half, 0}), radius);
        widen(geom, placement_apply(geom->where, (vec){0, -half, 0}), radius);
    }
}

static void place(ode_geom *geom)
{
    vec p = geom->where.position, up = turn_apply(geom->where.rotation, (vec){0, 1, 0});
    if (geom->def.shape == PLI_SHAPE_PLANE) {
        dGeomPlaneSetParams(geom->id, up.x, up.y, up.z, vec_dot(up, p));
    } else if (geom->id) {
        turn q = geom->where.rotation;
        if (geom->def.shape == PLI_SHAPE_CAPSULE)
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
