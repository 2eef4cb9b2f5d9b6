// Turns a material into a deformable: its definition, and the set that resists stretching.
#include "pliant/material.h"

#include "base/error.h"
#include "properties/materials.h"
#include "model/handles.h"
#include "model/model.h"

#include <math.h>

// Contact keeps a sheet at least this far from others [m], or this fraction of its mean edge, whichever is less. Cloth is thinner than its
// displacement in a substep, so contact at its real thickness would have to stop it repeatedly.
#define LEAST_DISTANCE 1e-3f
#define LEAST_DISTANCE_SHARE 0.1f

// The contact distance of a sheet made of a material.
static float contact_distance(float thickness, const pli_mesh *mesh)
{
    const float least = mesh ? LEAST_DISTANCE_SHARE * pli_mesh_get_report(mesh)->edge_length_mean : 0.0f;
    return fmaxf(thickness, fminf(least, LEAST_DISTANCE));
}

pli_status pli_material_apply(const pli_material_def *material, pli_deformable_def *def, pli_error *error)
{
    pli_material_def found = *material;
    pli_status status = pli_material_resolve(&found, error);
    if (status != PLI_STATUS_OK)
        return status;
    def->density = found.density;
    def->thickness = contact_distance(found.thickness, def->mesh);
    def->friction = found.friction;
    def->air_drag = found.air_drag;
    def->air_lift = found.air_lift;
    def->air_friction = found.air_friction;
    def->plate.rigidity = found.rigidity;
    def->plate.poisson = found.poisson;
    def->plate.yield = found.yield;
    def->plate.hardening = found.hardening;
    def->plate.damping = pli_material_damping_time(&found);
    return pli_succeed(error);
}

pli_status pli_material_create_constraints(pli_world *world, pli_deformable deformable,
                                           const pli_material_def *material, pli_constraints *set, pli_error *error)
{
    pli_material_def found = *material;
    pli_constraints_def def = pli_constraints_def_default();
    *set = (pli_constraints){0, 0};
    pli_status status = pli_material_resolve(&found, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_deformable_data *sheet = pli_deformable_get(world, deformable, error);
    if (!sheet)
        return PLI_STATUS_NOT_FOUND;
    // Only edges can be torn by a force.
    const bool by_triangles = pli_mesh_topology(sheet->mesh)->triangle_count > 0 &&
                              !(sheet->def.tearing.force < INFINITY);
    const double warp = (double)found.tensile_stiffness, weft = (double)found.weft_stiffness;
    const pli_parameter_value values[] = {
        {"warp", warp},
        {"weft", weft > 0.0 ? weft : warp},
        {"shear", (double)found.shear_stiffness},
        {"poisson", (double)found.poisson},
        {"warp_x", (double)found.warp[0]},
        {"warp_y", (double)found.warp[1]},
        {"warp_z", (double)found.warp[2]},
    };
    def.deformable = deformable;
    def.type = by_triangles ? "membrane" : "distance";
    if (by_triangles)
        def.parameters = values, def.parameter_count = sizeof values / sizeof *values;
    status = pli_constraints_create(world, &def, set, error);
    if (status == PLI_STATUS_OK && !by_triangles && found.tensile_stiffness > 0.0f)
        status = pli_constraints_set_tensile_stiffness(world, *set, (double)found.tensile_stiffness, error);
    if (status != PLI_STATUS_OK && set->id) {
        pli_constraints_destroy(world, *set, NULL);
        *set = (pli_constraints){0, 0};
    }
    return status;
}
