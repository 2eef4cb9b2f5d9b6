/// Pliant, deformables: cloth, leaves, shells and balloons; surfaces of particles with mass.
///
///     pli_deformable_def def = pli_deformable_def_default();
///     def.mesh = mesh, def.name = "flag", def.density = 0.15f, def.self_collision = true;
///     pli_deformable flag;
///     if (pli_deformable_create(world, &def, &flag, &error) != PLI_STATUS_OK) ...
///     // constraint_set.h: what keeps its lengths and bends; then, after each step:
///     pli_view positions = pli_deformable_positions(world, flag);
///     for (int32_t i = 0; i < positions.count; i++)
///         draw(pli_view_at(positions, i));
///     pli_deformable_destroy(world, flag, NULL);
///
/// Particle i is vertex i of the mesh. A particle of inverse mass 0 is fixed: nothing but an attachment or the caller
/// moves it. Two sheets of thickness t1 and t2 [m] keep (t1 + t2) / 2 between their mid-surfaces:
///
///     ----------------------   sheet 1
///        |  (t1 + t2) / 2
///     ----------------------   sheet 2
#ifndef PLIANT_DEFORMABLE_H
#define PLIANT_DEFORMABLE_H

#include "handles.h"
#include "mesh.h"
#include "tearing.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the stretch of a deformable is found.
typedef enum pli_stretch {
    /// Solved where the deformable has a `membrane`, and where it has no triangles (ropes, nets of wire); else swept. Membranes with a strain limit are swept.
    PLI_STRETCH_AUTO = 0,
    /// Gauss-Seidel sweeps over the constraints, as in the papers. A sweep moves tension by about one edge, so that fine meshes stretch.
    PLI_STRETCH_SWEPT,
    /// Equations of all membranes, edges, tethers and volumes of the deformable, solved in each substep: the stiffness in N/m and the pressure in Pa act on
    /// any mesh, with any number of substeps. They take some 0.2 ms a substep for 1000 vertices. This needs XPBD in coloured order; otherwise it is swept.
    PLI_STRETCH_SOLVED,
    PLI_STRETCH_COUNT,
    PLI_STRETCH_FORCE_32 = PLI_FORCE_32
} pli_stretch;

/// "auto", "swept", "solved".
PLI_API const char *pli_stretch_name(pli_stretch stretch);
PLI_API bool pli_stretch_from_name(const char *name, pli_stretch *stretch);

#define PLI_PLATE_DAMPING_MOST                                                                                         \
    0.125f ///< Largest damping time of a plate [s]: beyond it curved sheets that spin are bent, and gain energy.

/// Bending that is solved for the whole surface at once instead of swept over constraints: the plate of Kirchhoff and Love, by Morley's
/// elements (1968). The rigidity that acts is the one asked for, on any triangulation, with any number of substeps and iterations, and
/// rest shapes may be curved. A set of bending constraints is not needed beside it; one along edges is, since a plate does not resist
/// stretch. Its factorisation takes memory (3 kB a vertex of 10 k, a little more in finer meshes), and is made anew, in some
/// .1 s at 10 k vertices, when masses, faces, the substep or these numbers change. Vertices that are fixed or released while it runs
/// cost .1 ms, until there are some dozens of them beside those that were held then; at that point it is made anew as well.
typedef struct pli_plate {
    float rigidity; ///< Flexural rigidity D = E t^3 / (12 (1 - nu^2)) [N m], >= 0. Default 0: no plate.
    float poisson;  ///< Poisson's ratio nu, -0.9..0.9. Default 0.3.
    /// Substeps between solves, 1..100; its force is spread over them. 0, the default, takes the largest number up to 5, or up to 10
    /// from 4096 vertices on, that divides the substeps of a step; below 2048 vertices only such whose substeps take 1/240 s at most, since with longer
    /// ones heavy strips go on swaying by some mm/s. Motion is damped by it.
    int32_t interval;
    float yield; ///< Curvature beyond the rest shape from which on a bend stays [1/m], >= 0. Default 0: it is elastic.
    float hardening; ///< How much the yield curvature grows for each 1/m that has stayed, >= 0. Default 0.
    /// Damping time T of bending [s], 0..PLI_PLATE_DAMPING_MOST, by Kelvin and Voigt: the moment is D (curvature + T * rate of curvature). A vibration at f Hz has
    /// the loss factor 2 pi f T. Rigid motion is not damped. Default 0.
    float damping;
    uint32_t reserved[2]; ///< Zero.
} pli_plate;

/// How a deformable collides with itself.
typedef enum pli_self_contact {
    /// Vertices against triangles and edges against edges, at pli_deformable_def.thickness; with continuous collision
    /// detection nothing passes through.
    PLI_SELF_CONTACT_SURFACES = 0,
    /// Particles against particles, which keep particle_distance (after Mueller 2022, Ten Minute Physics 15), at a
    /// fraction of the cost, for even meshes. Gaps between particles are not tested and the guarantee does not apply: fast or
    /// strongly stretched cloth can pass through itself.
    PLI_SELF_CONTACT_PARTICLES,
    PLI_SELF_CONTACT_COUNT,
    PLI_SELF_CONTACT_FORCE_32 = PLI_FORCE_32
} pli_self_contact;

/// Default particle_distance over mean edge length; larger than the distance from the middle of a regular square or
/// triangle to its corners (0.71, 0.58).
#define PLI_PARTICLE_DISTANCE_SHARE 0.75f

/// "surfaces", "particles".
PLI_API const char *pli_self_contact_name(pli_self_contact contact);
PLI_API bool pli_self_contact_from_name(const char *name, pli_self_contact *contact);

/// How a deformable is created.
typedef struct pli_deformable_def {
    uint32_t size;        ///< Bytes of this struct; set by the default function.
    uint32_t cookie;      ///< Set by the default function.
    const char *name;     ///< Copied; may be NULL.
    const pli_mesh *mesh; ///< Rest shape. The world keeps a reference.
    pli_transform pose;   ///< Applied to the rest positions to start from.
    /// Start positions in world space, 3 floats a vertex; NULL: the mesh's positions moved by `pose`.
    const float *positions;
    pli_vec3 velocity;             ///< At the start [m/s].
    float density;                 ///< Mass of the surface per area [kg/m2], > 0. Default 0.2.
    float thickness;               ///< Distance kept from colliders and other surfaces [m], >= 0. Default 0.005.
    bool self_collision;           ///< Collides with itself. Default false.
    pli_self_contact self_contact; ///< How, if it does. Default PLI_SELF_CONTACT_SURFACES.
    float particle_distance; ///< By particles: distance kept [m], >= 0, of those nearer at rest 0.9 of that. Default 0:
                             ///< PLI_PARTICLE_DISTANCE_SHARE of the mean edge.
    /// Coulomb coefficient between deformables, >= 0; a pair uses the geometric mean. Against a collider the
    /// collider's coefficient counts alone. Default 0.3.
    float friction;
    uint32_t layers;     ///< Bits of the layers it is in. Default 1.
    uint32_t mask;       ///< Layers it collides with; both sides must agree. Default all.
    uint64_t user_data;  ///< For the caller's contact lists and filters. Default 0.
    pli_tearing tearing; ///< Default never.
    pli_stretch stretch; ///< Default PLI_STRETCH_AUTO.
    /// Keep the positions before each step, for pli_deformable_previous_positions: 16 bytes a vertex. Default false.
    bool keep_previous;
    /// Takes no part in steps: it stays where it is, with its velocities, costs next to nothing, and others pass through
    /// it. Frames of its attachments go on; pli_world_teleport or a reset brings it to where they are. Default false.
    bool paused;
    pli_plate plate; ///< Default none.
    /// Coefficients of the air, as multiples of what the world's air does to any sheet (docs/concepts.md): a face at right angles to the
    /// flow meets the drag air_drag rho u^2, so that its drag coefficient is 2 air_drag; one at an angle of attack a is lifted by
    /// air_lift rho u^2 sin^2 a cos a across the flow and dragged by air_drag rho u^2 sin^3 a along it. 0..100, air_lift acts as
    /// no more than 100 air_drag. Default 1, the pressure along the normal.
    float air_drag, air_lift;
    float air_friction; ///< Its skin friction as a multiple of pli_settings.air_friction, 0..100. Default 1.
} pli_deformable_def;

/// Fills `size` bytes of a definition with its defaults; see pli_deformable_def_default.
PLI_API void pli_deformable_def_init(pli_deformable_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_deformable_def pli_deformable_def_default(void)
{
    pli_deformable_def def;
    pli_deformable_def_init(&def, sizeof def);
    return def;
}
/// Creates a deformable at rest or moving with `velocity`. Particle i is the mesh's vertex i. A vertex of no face
/// with area has no mass and is fixed. Linear in the mesh. Errors: INVALID_ARGUMENT for values out of range;
/// OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                         pli_error *error);
/// Destroys a deformable, its constraint sets and its attachments.
PLI_API pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error);
/// The i-th deformable in order of creation, null handle when out of range.
PLI_API pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_deformable_count(const pli_world *world);
/// Its name, borrowed; empty when it has none or is not found.
PLI_API const char *pli_deformable_name(const pli_world *world, pli_deformable deformable);
/// The first deformable of that name, or the null handle.
PLI_API pli_deformable pli_world_deformable_find(const pli_world *world, const char *name);
/// Number of vertices, those that tears have added included; 0 for a handle that is not found.
PLI_API int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable deformable);
/// Mass of the particles that are not fixed [kg].
PLI_API pli_status pli_deformable_mass(const pli_world *world, pli_deformable deformable, double *mass,
                                       pli_error *error);
/// Axis-aligned box around all particles [m]; without particles both corners are 0.
PLI_API pli_status pli_deformable_bounds(const pli_world *world, pli_deformable deformable, pli_vec3 *minimum,
                                         pli_vec3 *maximum, pli_error *error);

/// The definition as it stands: what it was created with and what was set since. Pointers are borrowed.
PLI_API pli_status pli_deformable_get_def_sized(const pli_world *world, pli_deformable deformable,
                                                pli_deformable_def *def, size_t size, pli_error *error);
static inline pli_status pli_deformable_get_def(const pli_world *world, pli_deformable deformable,
                                                pli_deformable_def *def, pli_error *error)
{
    return pli_deformable_get_def_sized(world, deformable, def, sizeof *def, error);
}

/// Takes over a definition, such as pli_deformable_get_def has given and you have changed, from the next step on: name,
/// density (which scales the masses as they are), thickness, friction, layers and mask, self-collision and its kind,
/// user data, tearing and stretch. `pose` and `velocity` are where pli_deformable_reset puts it. `mesh` must be null
/// or the one it has, and `positions` is not read. Nothing else changes: particles stay where they are. Cost: none worth
/// naming but for a change of self-collision, or of the thickness of what collides with itself, which makes the data for
/// contact anew in the next step (3 ms for 10 000 vertices). Errors: as pli_deformable_create; nothing has changed then.
PLI_API pli_status pli_deformable_set_def(pli_world *world, pli_deformable deformable, const pli_deformable_def *def,
                                          pli_error *error);

/// The field `paused` of its definition. What it intersects when it goes on is found and resolved.
PLI_API pli_status pli_deformable_set_paused(pli_world *world, pli_deformable deformable, bool paused,
                                             pli_error *error);
/// Whether it sleeps (pli_settings.sleep_speed), and for how long it has been at rest begins anew.
PLI_API bool pli_deformable_is_asleep(const pli_world *world, pli_deformable deformable);
PLI_API pli_status pli_deformable_wake(pli_world *world, pli_deformable deformable, pli_error *error);

/// The mesh it was created from, borrowed. After tears or cuts see pli_deformable_get_mesh.
PLI_API const pli_mesh *pli_deformable_rest_mesh(const pli_world *world, pli_deformable deformable);

/// Borrowed views in the order of the mesh's vertices, valid until the world changes. Empty for a handle that is not
/// found.
PLI_API pli_view pli_deformable_positions(const pli_world *world, pli_deformable deformable); ///< [m]
/// Positions relative to pli_world_origin [m]: what a step sees. Those above are their sums with the origin, rounded to
/// float, so by 3e-5 m at 1 km.
PLI_API pli_view pli_deformable_local_positions(const pli_world *world, pli_deformable deformable);
/// Positions before the last step [m], for a display between steps: p0 + s (p1 - p0) at the share s of a step behind it.
/// Whatever was placed since (by pli_deformable_set_positions, a reset, a teleport, a snapshot) has its present position
/// here too, so that nothing is drawn on a way that it did not take. Empty without `keep_previous`.
PLI_API pli_view pli_deformable_previous_positions(const pli_world *world, pli_deformable deformable);
PLI_API pli_view pli_deformable_velocities(const pli_world *world, pli_deformable deformable); ///< [m/s]
/// Unit vertex normals, computed on the first call after a step (so not from two threads at once).
PLI_API pli_view pli_deformable_normals(pli_world *world, pli_deformable deformable);
/// Inverse masses [1/kg], by vertex; `stride` bytes apart.
PLI_API const float *pli_deformable_inverse_masses(const pli_world *world, pli_deformable deformable, int32_t *stride);

/// Overwrite `count` particles from `first` on, 3 floats each (1 for masses), packed. Values must be finite. New
/// positions may create intersections, so the next step searches for them.
PLI_API pli_status pli_deformable_set_positions(pli_world *world, pli_deformable deformable, int32_t first,
                                                int32_t count, const float *positions, pli_error *error);
PLI_API pli_status pli_deformable_set_velocities(pli_world *world, pli_deformable deformable, int32_t first,
                                                 int32_t count, const float *velocities, pli_error *error);
/// Inverse masses >= 0 [1/kg]; 0 fixes the particle. A particle that an attachment fixes stays fixed until that is
/// destroyed. Rest lengths and contacts stay.
PLI_API pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable deformable, int32_t first,
                                                     int32_t count, const float *inverse_masses, pli_error *error);
/// Adds an external force [N] on one particle. Acts during the next step and is then cleared, even if that step
/// fails.
PLI_API pli_status pli_deformable_add_force(pli_world *world, pli_deformable deformable, int32_t particle,
                                            pli_vec3 force, pli_error *error);

/// Per-vertex measures for pictures and analysis.
typedef enum pli_measure {
    PLI_MEASURE_STRETCH = 0, ///< Largest |strain| of the vertex's edges, (l - l0) / l0 with its sign.
    PLI_MEASURE_BENDING,     ///< Largest residual of the bending constraints on the vertex, in their own unit.
    PLI_MEASURE_SPEED,       ///< [m/s]
    PLI_MEASURE_CURVATURE,   ///< Discrete mean curvature [1/m], at most that of a fold in every edge.
    /// Largest relative residual of all constraints on the vertex, whatever their type: how far one of them alone would move the
    /// vertex, without compliance and with equal masses, over the mean edge at rest. 0.01 is a hundredth of an edge.
    PLI_MEASURE_RESIDUAL,
    PLI_MEASURE_COUNT,
    PLI_MEASURE_FORCE_32 = PLI_FORCE_32
} pli_measure;

PLI_API const char *pli_measure_name(pli_measure measure);
PLI_API bool pli_measure_from_name(const char *name, pli_measure *measure);
/// Writes one value per vertex. `capacity` must be at least the vertex count.
PLI_API pli_status pli_deformable_measure(const pli_world *world, pli_deformable deformable, pli_measure measure,
                                          float *values, int32_t capacity, pli_error *error);

/// Measures of one deformable and of its part in the last step, to find the dear one among many. pli_deformable_bounds has
/// its box.
typedef struct pli_deformable_statistics {
    int32_t particle_count, fixed_count;
    double kinetic_energy;           ///< [J]
    double momentum[3];              ///< Linear, of particles that are not fixed [kg m/s].
    double angular_momentum[3];      ///< About the host's origin [kg m2/s].
    double stretch_rms, stretch_max; ///< |l - l0| / l0 over its edges.
    /// Contacts in the last substep that it has part in; one of two deformables counts for both. 0 where
    /// pli_world_contacts is empty.
    int32_t contact_count;
    int32_t surface_contact_count; ///< Contacts between surfaces, among them.
    int32_t intersection_count;    ///< Intersections of edges and triangles that it has part in.
    /// Wall time of the last step [s] that was its own: forces, damping, motion, sweeps, contact with smooth shapes. It is
    /// estimated from the first substep. Contact between surfaces belongs to no single one; its contacts say its share.
    double seconds;
    uint64_t memory; ///< Bytes of its constraint sets and of the equations of its stretch.
} pli_deformable_statistics;

/// Measures the current state. Cost: one pass over its particles and edges, and over the contacts.
PLI_API pli_status pli_deformable_get_statistics_sized(const pli_world *world, pli_deformable deformable,
                                                       pli_deformable_statistics *statistics, size_t size,
                                                       pli_error *error);
static inline pli_status pli_deformable_get_statistics(const pli_world *world, pli_deformable deformable,
                                                       pli_deformable_statistics *statistics, pli_error *error)
{
    return pli_deformable_get_statistics_sized(world, deformable, statistics, sizeof *statistics, error);
}

/// Energy of bending [J] in the plate of a deformable, as the last step had it, at the current positions; 0 without a plate and before the
/// first step. Errors: NOT_FOUND, OUT_OF_MEMORY. Cost: some tens of passes over the triangles, at most 300. From the thread that steps.
PLI_API pli_status pli_deformable_plate_energy(pli_world *world, pli_deformable deformable, double *energy,
                                               pli_error *error);

/* ---- stretch --------------------------------------------------------------------------------- */

/// Changes from the next step on how its stretch is found. Errors: NOT_FOUND; INVALID_ARGUMENT for a value that is none.
PLI_API pli_status pli_deformable_set_stretch(pli_world *world, pli_deformable deformable, pli_stretch stretch,
                                              pli_error *error);
/// How its stretch is found: as requested, and as a step would find it now, never PLI_STRETCH_AUTO. Either pointer may be NULL.
PLI_API pli_status pli_deformable_get_stretch(const pli_world *world, pli_deformable deformable, pli_stretch *requested,
                                              pli_stretch *effective, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
