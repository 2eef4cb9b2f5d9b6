/// Pliant, materials: fabrics and sheets by their measured numbers, and presets with the sources of theirs.
///
///     const pli_material *denim = pli_material_find("denim");
///     pli_deformable_def def = pli_deformable_def_default();
///     def.mesh = mesh;
///     pli_material_apply(&denim->def, &def, &error);                     // density, thickness, friction, plate
///     pli_deformable_create(world, &def, &cloth, &error);
///     pli_material_constrain(world, cloth, &denim->def, &set, &error);   // a membrane with the tensile stiffness
///     pli_representation found;
///     pli_deformable_represent(world, cloth, 1.0 / 60.0, &found, &error);  // what of it acts in such a step
///
/// Presets are constants of the library. Those functions may be called from any thread; those with a world as that says.
#ifndef PLIANT_MATERIAL_H
#define PLIANT_MATERIAL_H

#include "constraint_set.h"
#include "deformable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers of a sheet. What is 0 is not given.
typedef struct pli_material_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    float density;   ///< Mass per area [kg/m2], > 0. Default 0.2.
    float thickness; ///< Thickness of the sheet [m], >= 0. Default 0.0005.
    float young;     ///< Young's modulus [Pa], >= 0; if given, it counts instead of `tensile_stiffness`. Default 0.
    float
        tensile_stiffness; ///< Force over width and strain [N/m], >= 0; 0 without `young`: it does not stretch. Default 0.
    float rigidity;        ///< Flexural rigidity D [N m], >= 0; 0: that of `young` and `thickness`. Default 0.
    float
        bending_length; ///< Peirce's c [m], >= 0: D is density g c^3 / (1 - nu^2), since c is of a strip; if given, it counts instead of `rigidity`. Default 0.
    float poisson;      ///< Poisson's ratio, -0.9..0.9. Default 0.3.
    float friction;     ///< Coulomb coefficient, >= 0. Default 0.3.
    float
        loss_factor; ///< Energy lost in a cycle of bending over 2 pi times the energy stored, 0..4, at 1 Hz. A plate takes 0.785 at most. Default 0.
    float yield; ///< Curvature beyond the rest shape from which on a bend stays [1/m], >= 0. Default 0: it is elastic.
    float hardening; ///< How much the yield curvature grows for each 1/m that has stayed, >= 0. Default 0.
    /// Force over width and strain across the warp [N/m], >= 0; then `tensile_stiffness` is that along it. Default 0: the same.
    float weft_stiffness;
    /// Shear force over width and shear angle between warp and weft [N/m], >= 0. Default 0: that of a sheet alike in all directions.
    float shear_stiffness;
    /// Direction of the warp in the rest shape, of any length; it is laid onto each triangle. Default (1, 0, 0).
    float warp[3];
    /// Multiples of the air's drag, lift and skin friction, 0..100, as in pli_deformable_def. Default 1.
    float air_drag, air_lift, air_friction;
} pli_material_def;

/// Fills `size` bytes of a definition with its defaults; see pli_material_def_default.
PLI_API void pli_material_def_init(pli_material_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_material_def pli_material_def_default(void)
{
    pli_material_def def;
    pli_material_def_init(&def, sizeof def);
    return def;
}

/// A preset. Rows are constants of the library.
typedef struct pli_material {
    const char *name;     ///< As in scenes: "denim".
    const char *label;    ///< As a panel shows it.
    const char *summary;  ///< Meaning: the sheet, in one full sentence.
    const char *source;   ///< Where each of its figures is from.
    pli_material_def def; ///< The numbers. It may grow at its end.
} pli_material;

/// The number of presets.
PLI_API int32_t pli_material_count(void);
/// Preset i, 0..pli_material_count() - 1; null when out of range.
PLI_API const pli_material *pli_material_at(int32_t i);
/// The preset of that name; null when there is none, and when `name` is null.
PLI_API const pli_material *pli_material_find(const char *name);

/// Fills in what follows from other numbers: `tensile_stiffness` from `young`, `rigidity` from `bending_length` (with g of
/// 9.80665 m/s2), or from `young` as E t^3 / (12 (1 - nu^2)). INVALID_ARGUMENT for values out of range, with the material
/// unchanged.
PLI_API pli_status pli_material_resolve(pli_material_def *material, pli_error *error);
/// Writes density, thickness, friction, the coefficients of the air, and the plate's rigidity and Poisson's ratio into a definition. If that has its
/// `mesh` already, `thickness`, which is the distance that contact keeps, becomes at least 1 mm or a tenth of the mean edge, whichever is less: cloth is
/// thinner than it moves in a substep. INVALID_ARGUMENT for values out of range, with the definition unchanged.
PLI_API pli_status pli_material_apply(const pli_material_def *material, pli_deformable_def *def, pli_error *error);
/// Creates the set that has the material's tensile stiffness and Poisson's ratio, a `membrane`, which is solved by default; `set` receives it.
/// Deformables without triangles get `distance` constraints along edges, and so do those with `tearing.force`, since a force tears edges only. Errors: as pli_constraint_set_create, and INVALID_ARGUMENT for values out of range.
PLI_API pli_status pli_material_constrain(pli_world *world, pli_deformable deformable, const pli_material_def *material,
                                          pli_constraint_set *set, pli_error *error);

/// Gives a set of edges, `distance` from the generator `edges`, the compliances of a sheet of this tensile stiffness Y [N/m]:
/// each edge of length l has the stiffness Y (A1 + A2) / l^2, A1 and A2 the areas of the triangles at it (van Gelder 1998), and 2 / n
/// times that for faces of n > 3 corners. On equilateral triangles this is exactly the sheet with Poisson's ratio 1/3;
/// on other triangles stiffnesses by direction are off by up to a fifth, and quads have no shear. It acts under XPBD, replaces the
/// set's `compliance` and its factors, and is kept by tears for the edges that were there. INVALID_ARGUMENT for another set or a
/// stiffness that is not finite and above 0; OUT_OF_MEMORY.
PLI_API pli_status pli_constraint_set_set_tensile_stiffness(pli_world *world, pli_constraint_set set, double stiffness,
                                                            pli_error *error);

/// Lays the warp of a `membrane` face by face: a direction in the rest shape for each face of the mesh, `directions` with 3 times
/// `count` values, of any length; a face whose direction is 0 keeps that of the set's parameters. Texture coordinates give
/// it as the direction in which u grows. It replaces the set's rest values and is kept by tears. INVALID_ARGUMENT for another
/// set, another count, values that are not finite, and for a deformable that has torn. Nothing has changed then.
PLI_API pli_status pli_constraint_set_set_warp(pli_world *world, pli_constraint_set set, const float *directions,
                                               int32_t count, pli_error *error);

/// Which model bends a sheet of this mesh: "plate" (pli_deformable_def.plate) up to 300 thousand vertices, whatever the rigidity and the
/// substeps. Above that the type of constraint "dihedral", since the factorisation of the plate takes gigabytes. The result is a
/// constant; the function may be called from any thread.
PLI_API const char *pli_bending_choose(const pli_mesh *mesh);

/* ---- painted numbers ----------------------------------------------------------------------------- */

/// The elements of the rest mesh that painted values are given for, one for each, in its order.
typedef enum pli_paint_domain {
    PLI_PAINT_VERTICES = 0,
    PLI_PAINT_FACES,
    PLI_PAINT_DOMAIN_FORCE_32 = PLI_FORCE_32
} pli_paint_domain;

/// Paints the density of a deformable: one value [kg/m2] > 0 for each vertex of its rest mesh, or each face. The masses of all
/// particles are those of the areas around them from now on; its definition's density then scales them. INVALID_ARGUMENT for another
/// count, naming both, for values that are not finite and above 0, and for a deformable that has torn. Nothing has changed then.
PLI_API pli_status pli_deformable_paint_density(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                const float *values, int32_t count, pli_error *error);
/// Paints the Coulomb coefficient against other deformables and itself: a value >= 0 for each vertex or face, which counts
/// instead of that of its definition. Contacts take it at the point of contact; faces give their vertices the mean. Vertices that tears
/// add have the value of their definition. Null values take the paint off. Errors: as pli_deformable_paint_density.
PLI_API pli_status pli_deformable_paint_friction(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                 const float *values, int32_t count, pli_error *error);
/// Paints the rigidity of a plate: one value [N m], 1e-12..1e6, for each vertex of its rest mesh, or each face; a triangle has that of its
/// face or the mean of its corners. The rigidity of its definition then scales them. The next step factors the plate anew, as for any change of its
/// rigidity. Null values take the paint off. Errors: as pli_deformable_paint_density, and INVALID_ARGUMENT for a deformable
/// without a plate.
PLI_API pli_status pli_deformable_paint_rigidity(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                 const float *values, int32_t count, pli_error *error);
/// Paints the pull of the air: a factor 0..100 for each vertex or face, by which drag, lift and skin friction are multiplied beside those of
/// its definition; 0 is a part that lets the air through. Vertices that tears add have 1. Otherwise as pli_deformable_paint_friction.
PLI_API pli_status pli_deformable_paint_drag(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                             const float *values, int32_t count, pli_error *error);
/// Paints the thickness that contact keeps: a value 0..1e6 m for each vertex of its rest mesh, or each face, which counts instead of that
/// of its definition. A pair of a vertex and a triangle, or of two edges, keeps the mean of the largest values at the corners of either
/// side, with a collider the sum; a vertex keeps its own from shapes. Faces give their vertices the mean by area, and vertices that
/// tears add have the value of what they are copies of. Null values take the paint off. Errors: as
/// pli_deformable_paint_density, but values of 0 are allowed.
PLI_API pli_status pli_deformable_paint_thickness(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                  const float *values, int32_t count, pli_error *error);
/// Paints a pressure on the back of the faces over that on their front: a value -1e9..1e9 Pa for each vertex or face. A triangle of area A has
/// that of its face, or the mean of its corners, and is pushed along its normal by p A, a third at each corner. It acts beside the
/// pressure of volume constraints, in every substep along the normals of its start, also on sheets that are open. Null values take
/// the paint off. Errors: as pli_deformable_paint_density, but values of 0 and below are allowed.
PLI_API pli_status pli_deformable_paint_pressure(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                 const float *values, int32_t count, pli_error *error);
/// Paints the yield of bends: a curvature 1e-6..1e9 1/m for each vertex of the rest mesh, or each face, from which on a bend stays. It counts
/// instead of the yield of the definition's plate, whose triangles have that of their face or the mean of their corners, and instead of that of each
/// constraint set which is there now and can keep bends, whose constraints have the mean of their particles; faces give their vertices the mean by area. 1e9
/// is elastic on any mesh. Null values take the paint off. Errors: as pli_deformable_paint_density, INVALID_ARGUMENT for a deformable that has
/// neither, and OUT_OF_MEMORY, after which nothing of it is painted.
PLI_API pli_status pli_deformable_paint_yield(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                              const float *values, int32_t count, pli_error *error);
/// Paints the hardening of bends, a value 0..1e6 for each vertex or face. Otherwise as pli_deformable_paint_yield.
PLI_API pli_status pli_deformable_paint_hardening(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                  const float *values, int32_t count, pli_error *error);
/// Paints the damping of the constraint sets which are there now: a factor 0..1e6 for each vertex or face on the damping time of each set, and so on the loss
/// factor of a material; each constraint has the mean of its particles. Volumes and attachments have none of it. It acts where the damping of sets does:
/// under XPBD, on what sweeps or solved membranes hold, and not on plates and solved sets. Null values take the paint off. Errors: as
/// pli_deformable_paint_yield.
PLI_API pli_status pli_deformable_paint_damping(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                                const float *values, int32_t count, pli_error *error);
/// Paints the stiffness of a set under XPBD: a factor > 0 for each vertex or face of the rest mesh; each constraint has the mean of its
/// particles. It multiplies the rigidity of types that have one and the warp, weft and shear stiffness of membranes, and divides the
/// compliance of others; what is rigid stays rigid. INVALID_ARGUMENT for another count, for factors outside 1e-6..1e6,
/// for sets of a type of variable cardinality, and for a deformable that has torn. Nothing has
/// changed then. OUT_OF_MEMORY.
PLI_API pli_status pli_constraint_set_paint_stiffness(pli_world *world, pli_constraint_set set, pli_paint_domain domain,
                                                      const float *factors, int32_t count, pli_error *error);

/* ---- what acts ------------------------------------------------------------------------------------ */

/// Numbers that a deformable is asked for, and those that act in a step. What is asked to be rigid is infinite.
typedef struct pli_representation {
    double rigidity_asked; ///< Flexural rigidity of the plate and of all sets that bend by one [N m].
    /// D / (1 + .6 (l / c)^2) of the plate, c = (D / (rho g))^(1/3) the length at which it bends under its weight, and
    /// D / (1 + 4 D h^2 / (rho l^4)) of swept sets [N m].
    double rigidity_acting;
    double tensile_asked; ///< Tensile stiffness of edges [N/m]; infinite for rigid edges, 0 without edges.
    /// Y / (1 + Y h^2 / (rho l^2)) of swept edges and membranes, and Y of membranes that are solved [N/m].
    double tensile_acting;
    double rigidity_limit; ///< Most that swept bending can act with here: rho l^4 / (4 h^2) [N m].
    double tensile_limit;  ///< Most that swept edges can act with here: rho l^2 / h^2 [N/m].
    double length;         ///< l: the mean edge [m].
    double step;           ///< h: length of a substep [s].
    int32_t
        substeps_needed; ///< Substeps with which swept bending acts with 95 % of what is asked; 0 without such a set.
    bool has_plate;      ///< Bending is solved.
    bool has_compliant_bending; ///< A bending set goes by a compliance, so that its rigidity is not known.
    double yield; ///< Least yield curvature of the plate and of sets that keep bends [1/m]; 0: all is elastic.
    double
        yield_limit; ///< Curvature of faces of the mean edge that stand at a right angle, sqrt(2) / l: the mesh has hardly more [1/m].
    double warp_asked,
        weft_asked;     ///< Tensile stiffness of membranes along warp and weft [N/m]; infinite: rigid, 0 without.
    double shear_asked; ///< Their shear stiffness, given or that of a uniform sheet [N/m]; infinite: rigid, 0 without.
} pli_representation;

/// Estimates what acts in a step of `dt` seconds with the settings as they are. The estimates hold for one sweep of one set, within
/// a third on regular meshes; sweeps beyond the first count as so many times the limit. Errors: NOT_FOUND, INVALID_ARGUMENT
/// for a dt that is not above 0.
PLI_API pli_status pli_deformable_represent_sized(const pli_world *world, pli_deformable deformable, double dt,
                                                  pli_representation *representation, size_t size, pli_error *error);
static inline pli_status pli_deformable_represent(const pli_world *world, pli_deformable deformable, double dt,
                                                  pli_representation *representation, pli_error *error)
{
    return pli_deformable_represent_sized(world, deformable, dt, representation, sizeof *representation, error);
}

#ifdef __cplusplus
}
#endif
#endif
