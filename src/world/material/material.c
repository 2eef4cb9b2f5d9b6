// Turns a material into a deformable: its definition, and the set that resists stretching.
#include "pliant/material.h"

#include "base/error.h"
#include "properties/materials.h"
#include "model/handles.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

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

static pli_status no_material(const char *name, pli_error *error)
{
    const char *names[64];
    int32_t count = 0;
    for (; count < pli_material_count() && count < 64; count++)
        names[count] = pli_material_at(count)->name;
    return pli_fail_unknown(error, "no material is called", name ? name : "", names, count);
}

// Bending by a constraint set, for meshes that are too large for a plate.
static pli_status add_bending_set(pli_world *world, pli_deformable cloth, const pli_deformable_def *sheet,
                                  const char *type, pli_error *error)
{
    const pli_parameter_value values[] = {{"rigidity", (double)sheet->plate.rigidity},
                                          {"yield", (double)sheet->plate.yield},
                                          {"hardening", (double)sheet->plate.hardening},
                                          {"damping", (double)sheet->plate.damping}};
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = cloth, def.type = type;
    def.parameters = values, def.parameter_count = sizeof values / sizeof *values;
    pli_constraints bending;
    return pli_constraints_create(world, &def, &bending, error);
}

pli_status pli_cloth_create(pli_world *world, const pli_mesh *mesh, const char *material, pli_deformable *cloth,
                            pli_error *error)
{
    *cloth = (pli_deformable){0, 0};
    const pli_material *preset = pli_material_find(material);
    if (!preset)
        return no_material(material, error);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    pli_status status = pli_material_apply(&preset->def, &def, error);
    pli_deformable_def made = def;
    const char *bending = mesh ? pli_mesh_recommended_bending(mesh) : "plate";
    const bool is_plate = strcmp(bending, "plate") == 0;
    if (!is_plate)
        made.plate = pli_deformable_def_default().plate;
    if (status == PLI_STATUS_OK)
        status = pli_deformable_create(world, &made, cloth, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_constraints stretch;
    status = pli_material_create_constraints(world, *cloth, &preset->def, &stretch, error);
    if (status == PLI_STATUS_OK && !is_plate)
        status = add_bending_set(world, *cloth, &def, bending, error);
    if (status != PLI_STATUS_OK) {
        pli_deformable_destroy(world, *cloth, NULL);
        *cloth = (pli_deformable){0, 0};
    }
    return status;
}
