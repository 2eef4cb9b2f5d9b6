/// Pliant, materials: fabrics and sheets defined by measured properties, and presets with their sources.
///
///     pli_deformable cloth;
///     pli_cloth_create(world, mesh, "denim", &cloth, &error);            // with plate and membrane, ready to step
///
/// pli_cloth_create is equivalent to four calls, between which an application can change the definition:
///
///     const pli_material *denim = pli_material_find("denim");
///     pli_deformable_def def = pli_deformable_def_default();
///     def.mesh = mesh, def.self_collision = true;
///     pli_material_apply(&denim->def, &def, &error);                     // density, thickness, friction, plate
///     pli_deformable_create(world, &def, &cloth, &error);
///     pli_material_create_constraints(world, cloth, &denim->def, &set, &error);   // a membrane with the tensile stiffness
///
/// Presets are constants of the library. Functions without a world may be called from any thread. Functions that take a world follow the
/// threading rules of that world.
#ifndef PLIANT_MATERIAL_H
#define PLIANT_MATERIAL_H

#include "constraints.h"
#include "deformable.h"
#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The properties of a sheet. Unless a field says otherwise, 0 means that the property is not given.
typedef struct pli_material_def {
    float density;   ///< Mass per area [kg/m2], > 0. Default 0.2.
    float thickness; ///< Thickness of the sheet [m], >= 0. Default 0.0005.
    float young;     ///< Young's modulus [Pa], >= 0; if given, it replaces `tensile_stiffness`. Default 0.
    /// Tensile stiffness [N/m], >= 0: force per width and strain. If `young` is also 0, the sheet is inextensible. Default 0.
    float tensile_stiffness;
    float rigidity; ///< Flexural rigidity D [N m], >= 0; 0: computed from `young` and `thickness`. Default 0.
    /// Peirce's bending length c [m], >= 0. It is measured on a strip, so D is density g c^3 / (1 - nu^2). If given, it replaces
    /// `rigidity`. Default 0.
    float bending_length;
    float poisson;  ///< Poisson's ratio nu, -0.9..0.9. Default 0.3.
    float friction; ///< Coulomb coefficient, >= 0. Default 0.3.
    /// Loss factor of bending at 1 Hz, 0..4: the energy lost in a cycle over 2 pi times the energy stored. A plate uses at most 0.785.
    /// Default 0.
    float loss_factor;
    /// Yield curvature [1/m], >= 0: a bend beyond the rest shape by more than this becomes permanent. Default 0: bending is elastic.
    float yield;
    float hardening; ///< Increase of the yield curvature per permanent curvature, both in 1/m, >= 0. Default 0.
    /// Tensile stiffness along the weft [N/m], >= 0; `tensile_stiffness` then applies along the warp. Default 0: the same in both directions.
    float weft_stiffness;
    /// Shear stiffness [N/m], >= 0: shear force per width and shear angle between warp and weft. Default 0: the stiffness of an isotropic sheet.
    float shear_stiffness;
    /// Direction of the warp in the rest shape, of any length; it is projected onto each triangle. Default (1, 0, 0).
    float warp[3];
    /// Factors on the drag, lift and skin friction of the air, 0..100, as in pli_deformable_def. Default 1.
    float air_drag, air_lift, air_friction;
} pli_material_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_material_def pli_material_def_default(void);

/// A preset. Presets are constants of the library.
typedef struct pli_material {
    const char *name;     ///< As in scenes: "denim".
    const char *label;    ///< The name to show in a user interface.
    const char *summary;  ///< One full sentence that describes the sheet.
    const char *source;   ///< The source of each value.
    pli_material_def def; ///< The properties. Later versions may add fields at the end of this struct.
} pli_material;

/// The number of presets.
PLI_API int32_t pli_material_count(void);
/// Preset i, 0..pli_material_count() - 1; null when out of range.
PLI_API const pli_material *pli_material_at(int32_t i);
/// The preset with this name; null when there is none, and when `name` is null.
PLI_API const pli_material *pli_material_find(const char *name);

/// The values that a preset gives to a panel: density and friction of the cloth; rigidity, Poisson's ratio, yield, hardening and damping of
/// its bending; warp, weft and shear stiffness and Poisson's ratio of its stretching. Writes PLI_PANEL_VALUES_MAX values and returns
/// their number. The panel skips values that a constraint type does not have. The contact thickness depends on the mesh and is not changed.
PLI_API int32_t pli_material_panel_values(const pli_material *material, pli_panel_value values[PLI_PANEL_VALUES_MAX]);

/// Computes the dependent properties: `tensile_stiffness` from `young`; `rigidity` from `bending_length` (with g = 9.80665 m/s2), or
/// from `young` as E t^3 / (12 (1 - nu^2)). Errors: INVALID_ARGUMENT for values out of range; the material is then unchanged.
PLI_API pli_status pli_material_resolve(pli_material_def *material, pli_error *error);
/// Writes density, thickness, friction, the air coefficients, and the plate with its rigidity, Poisson's ratio, yield, hardening and damping
/// into a definition. In a definition, `thickness` is the distance that contact keeps. Cloth is thinner than the distance that it moves in a
/// substep, so if the definition already has its `mesh`, `thickness` becomes at least 1 mm or a tenth of the mean edge, whichever is less.
/// Errors: INVALID_ARGUMENT for values out of range; the definition is then unchanged.
PLI_API pli_status pli_material_apply(const pli_material_def *material, pli_deformable_def *def, pli_error *error);
/// Creates a constraint set with the tensile stiffness and Poisson's ratio of the material; `set` receives it. The set is a `membrane`, which
/// is solved by default. Deformables without triangles get `distance` constraints along edges instead. So do deformables with
/// `tearing.force`, because a force threshold applies to edges only. Errors: as pli_constraints_create, and INVALID_ARGUMENT for
/// values out of range.
PLI_API pli_status pli_material_create_constraints(pli_world *world, pli_deformable deformable,
                                                   const pli_material_def *material, pli_constraints *set,
                                                   pli_error *error);

/// Creates cloth at the positions of the mesh, of a preset material: a deformable with the density, thickness and friction of the material, the
/// constraint set of its stretch, and bending by a plate, or by a "dihedral" set above 300 thousand vertices. Other properties have their
/// defaults; pli_deformable_set_def changes them. Errors: NOT_FOUND for an unknown material (the message suggests the nearest name);
/// otherwise as pli_deformable_create and pli_constraints_create. On an error nothing is created.
PLI_API pli_status pli_cloth_create(pli_world *world, const pli_mesh *mesh, const char *material, pli_deformable *cloth,
                                    pli_error *error);

/// Gives a set of `distance` constraints from the generator `edges` the compliances of a sheet with the tensile stiffness Y [N/m]. An edge
/// of length l has the stiffness Y (A1 + A2) / l^2, where A1 and A2 are the areas of the adjacent triangles (van Gelder 1998). A face of
/// n > 3 corners contributes 2 / n times its area. On equilateral triangles the result is exactly a sheet with Poisson's ratio 1/3. On other
/// triangles the stiffness varies with direction by up to a fifth, and quads have no shear stiffness. The compliances act under XPBD. They
/// replace the set's `compliance` and its factors. After a tear, the edges that existed before keep them. Errors: INVALID_ARGUMENT for any
/// other set, for a stiffness outside 1e-15..1e15, and for a deformable that has torn; OUT_OF_MEMORY.
PLI_API pli_status pli_constraints_set_tensile_stiffness(pli_world *world, pli_constraints set, double stiffness,
                                                         pli_error *error);

/// Sets the warp direction of a `membrane` for each face of the mesh. `directions` has 3 times `count` values: one direction in the rest
/// shape per face, of any length. A face with direction 0 keeps the direction of the set's parameters. With texture coordinates, use the
/// direction in which u grows. The call replaces the set's rest values; tears keep them. Errors: INVALID_ARGUMENT for any other set,
/// another count, components outside -1e6..1e6, and a deformable that has torn; OUT_OF_MEMORY. On an error nothing changes.
PLI_API pli_status pli_constraints_set_warp(pli_world *world, pli_constraints set, const float *directions,
                                            int32_t count, pli_error *error);

/// Recommends a bending model for a sheet with this mesh, independent of rigidity and substeps: "plate" (pli_deformable_def.plate) up to
/// 300 thousand vertices, and above that the constraint type "dihedral", because the factorisation of the plate takes gigabytes. The result is
/// a constant of the library. May be called from any thread.
PLI_API const char *pli_mesh_recommended_bending(const pli_mesh *mesh);

/* ---- requested and effective stiffness ----------------------------------------------------------- */

/// Requested and effective stiffnesses of a deformable. The requested stiffness of a rigid constraint set (compliance 0) is infinite. In the formulas, rho is the mass
/// per area [kg/m2] and g the acceleration of gravity.
typedef struct pli_effective_stiffness {
    double rigidity_requested; ///< Requested: flexural rigidity D of the plate and of all sets with a rigidity [N m].
    /// Effective: D / (1 + 0.6 (l / c)^2) of the plate, where c = (D / (rho g))^(1/3) is the length at which it bends under its weight, and
    /// D / (1 + 4 D h^2 / (rho l^4)) of swept sets [N m].
    double rigidity_effective;
    /// Requested: tensile stiffness Y of edges and membranes [N/m]; infinite if rigid, 0 without any.
    double tensile_requested;
    /// Effective: Y / (1 + Y h^2 / (rho l^2)) of swept edges and membranes, and Y of solved membranes [N/m].
    double tensile_effective;
    double rigidity_limit; ///< Largest effective rigidity of swept bending here: rho l^4 / (4 h^2) [N m].
    double tensile_limit;  ///< Largest effective tensile stiffness of swept edges here: rho l^2 / h^2 [N/m].
    double length;         ///< l: the mean edge length [m].
    double step;           ///< h: the length of a substep [s].
    /// Substeps with which the effective rigidity of swept bending is 95 % of the requested one; 0 without such a set.
    int32_t substeps_needed;
    bool has_plate;             ///< Bending is solved.
    bool has_compliant_bending; ///< A bending set is given by a compliance, so its rigidity is not known.
    double yield; ///< Least yield curvature of the plate and of sets with permanent bends [1/m]; 0: bending is elastic.
    /// Curvature of faces of the mean edge length that meet at a right angle, sqrt(2) / l [1/m]. The mesh can hardly bend further.
    double yield_limit;
    /// Requested: tensile stiffness of membranes along warp and weft [N/m]; infinite if rigid, 0 without a membrane.
    double warp_requested, weft_requested;
    /// Requested: shear stiffness of membranes, given or isotropic [N/m]; infinite if rigid, 0 without a membrane.
    double shear_requested;
} pli_effective_stiffness;

/// Estimates the effective stiffness in a step of `dt` seconds with the current settings. The estimates hold for one sweep of one set,
/// to within a third on regular meshes; n sweeps count as n times the limit of one. Errors: NOT_FOUND; INVALID_ARGUMENT for a dt that
/// is not above 0.
PLI_API pli_status pli_deformable_get_effective_stiffness(const pli_world *world, pli_deformable deformable, double dt,
                                                          pli_effective_stiffness *stiffness, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
