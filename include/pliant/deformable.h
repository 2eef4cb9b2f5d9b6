/// Pliant, deformables: a mesh whose vertices are particles, such as cloth, a shell, a balloon or a rope.
///
///     pli_deformable_def def = pli_deformable_def_default();
///     def.mesh = mesh;
///     def.name = "flag";
///     def.density = 0.15f;
///     def.self_collision = true;
///     pli_deformable flag;
///     if (pli_deformable_create(world, &def, &flag, &error) != PLI_STATUS_OK) ...
///     // add constraints for stretch and bending (constraints.h); then, after each step:
///     pli_view positions = pli_deformable_positions(world, flag);
///     for (int32_t i = 0; i < positions.count; i++)
///         draw(pli_view_at(positions, i));
///     pli_deformable_destroy(world, flag, NULL);
///
/// Particle i is vertex i of the mesh. Its mass is the density times a third of the area of its triangles. A particle of
/// inverse mass 0 is fixed: only an attachment or the caller moves it. Vertices of no triangle start fixed; give a rope its
/// masses with pli_deformable_set_inverse_masses.
///
/// Contact. `thickness` [m] is the distance that contact keeps between mid-surfaces: two deformables keep the mean of both
/// thicknesses, a deformable and a collider the sum. `self_collision` switches on contact of a deformable with itself, and
/// `self_contact` selects its method: surfaces, which keep `thickness`, or particles, which keep `particle_distance`.
///
///     ----------------------   sheet 1
///        |  (t1 + t2) / 2
///     ----------------------   sheet 2
///
/// Air. `air_drag`, `air_lift` and `air_friction` scale the forces on each face (docs/concepts.md, Air). At 1, a face
/// across the flow has a drag coefficient of 2, and the force of drag and lift is a pressure along the normal of the face.
#ifndef PLIANT_DEFORMABLE_H
#define PLIANT_DEFORMABLE_H

#include "handles.h"
#include "mesh.h"
#include "tearing.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The solver for the stretch of a deformable.
typedef enum pli_stretch {
    /// Solved if the deformable has a `membrane` constraint set, or no triangles (ropes, nets of wire); swept otherwise.
    /// Membranes with a strain limit are swept.
    PLI_STRETCH_AUTO = 0,
    /// Gauss-Seidel sweeps over the constraints, as in PBD and XPBD. A sweep propagates tension by about one edge, so fine
    /// meshes stretch.
    PLI_STRETCH_SWEPT,
    /// One system of equations for all membranes, edges, tethers and volumes of the deformable, solved in each substep. The
    /// requested stiffness [N/m] and pressure [Pa] are effective on any mesh, except that the stiffness is limited where the
    /// cloth may touch itself, other cloth or rigid bodies (docs/concepts.md, Effective tensile stiffness). It needs XPBD
    /// in coloured order; otherwise the deformable is swept.
    PLI_STRETCH_SOLVED,
    PLI_STRETCH_COUNT
} pli_stretch;

/// Largest damping time of a plate [s]. With larger values, the damping would deform spinning curved sheets and add energy.
#define PLI_PLATE_DAMPING_MAX 0.125f

/// Solves bending for the whole surface as one linear system, instead of sweeping over bending constraints: a
/// Kirchhoff-Love plate with Morley's elements (1968). The effective rigidity is the requested one on any triangulation,
/// with any number of substeps and iterations, and rest shapes may be curved. A plate does not resist stretch, so the
/// deformable needs edge or membrane constraints; it needs no bending constraints.
///
/// The factorisation takes about 3 kB for each vertex. It is repeated when masses, faces, the substep or these parameters
/// change; pinning or releasing a few dozen vertices does not repeat it.
typedef struct pli_plate {
    float rigidity; ///< Flexural rigidity D = E t^3 / (12 (1 - nu^2)) [N m], >= 0. Default 0: no plate.
    float poisson;  ///< Poisson's ratio nu, -0.9..0.9. Default 0.3.
    /// Substeps between solves, 0..100. The force of a solve is spread over them, which damps motion. 0, the default,
    /// chooses up to 5 substeps, up to 10 for large meshes (docs/decisions/plates.md).
    int32_t interval;
    /// Curvature relative to the rest shape above which bending is plastic [1/m], >= 0. Default 0: bending is elastic.
    float yield;
    float hardening; ///< Increase of the yield curvature per plastic curvature, >= 0. Default 0.
    /// Damping time T of bending [s], 0..PLI_PLATE_DAMPING_MAX, in the Kelvin-Voigt model: the moment is D (curvature +
    /// T * rate of curvature). A vibration at f Hz has the loss factor 2 pi f T. Rigid motion is not damped. Default 0.
    float damping;
} pli_plate;

/// How a deformable collides with itself.
typedef enum pli_self_contact {
    /// Vertices collide with triangles and edges with edges, at pli_deformable_def.thickness. With continuous collision
    /// detection, the non-penetration guarantee covers self-contact.
    PLI_SELF_CONTACT_SURFACES = 0,
    /// Particles collide with particles and keep `particle_distance` (after Mueller 2022, Ten Minute Physics 15), at a
    /// fraction of the cost. Suited to meshes with edges of similar length. Gaps between particles are not tested and the
    /// guarantee does not apply: fast or strongly stretched cloth can pass through itself.
    PLI_SELF_CONTACT_PARTICLES,
    PLI_SELF_CONTACT_COUNT
} pli_self_contact;

/// Ratio of the default `particle_distance` to the mean edge length. It exceeds the circumradius of a square (0.71) and of
/// an equilateral triangle (0.58) with edges of length 1, so no slow particle fits through such a face.
#define PLI_PARTICLE_DISTANCE_RATIO 0.75f

/// How a deformable is created.
typedef struct pli_deformable_def {
    const char *name;     ///< Copied; may be NULL.
    const pli_mesh *mesh; ///< Rest shape. The deformable keeps a reference, so you may destroy the mesh right away.
    pli_transform pose;   ///< Applied to the positions of the mesh to obtain the start positions.
    /// Start positions in world space [m], 3 floats for each vertex, instead of the mesh in its `pose`; the rest shape
    /// remains the mesh. Default NULL: none.
    const float *positions;
    pli_vec3 velocity;             ///< Start velocity of the particles that are not fixed [m/s].
    float density;                 ///< Mass of the surface per area [kg/m2], > 0. Default 0.2.
    float thickness;               ///< Contact thickness [m], >= 0 (see the top of this file). Default 0.005.
    bool self_collision;           ///< The deformable collides with itself. Default false.
    pli_self_contact self_contact; ///< Method of self-collision. Default PLI_SELF_CONTACT_SURFACES.
    /// Distance that particles keep with PLI_SELF_CONTACT_PARTICLES [m], >= 0. Pairs that are closer at rest keep 0.9 of
    /// their rest distance. Default 0: PLI_PARTICLE_DISTANCE_RATIO of the mean edge length.
    float particle_distance;
    /// Coulomb coefficient between deformables, >= 0; a pair uses the geometric mean. Against a collider, only the
    /// coefficient of the collider counts. Default 0.3.
    float friction;
    uint32_t layers;     ///< Bits of the collision layers that it belongs to. Default 1.
    uint32_t mask;       ///< Layers it collides with; the masks of both sides must allow a pair. Default all.
    uint64_t user_data;  ///< Returned unchanged in contacts and passed to contact filters. Default 0.
    pli_tearing tearing; ///< Default: never tears.
    pli_stretch stretch; ///< Default PLI_STRETCH_AUTO.
    /// Keeps the positions before each step for pli_deformable_previous_positions: 16 bytes a vertex. Default false.
    bool keep_previous;
    /// The deformable is not simulated: it keeps its positions and velocities, and other objects pass through it. The
    /// frames of its attachments continue to move; teleport or reset the deformable before you resume it. Default false.
    bool paused;
    pli_plate plate; ///< Default: no plate.
    /// Factors on the drag along the flow and on the lift across it, 0..100. air_lift is clamped to 100 air_drag. Default 1.
    float air_drag, air_lift;
    float air_friction; ///< Factor on pli_settings.air_friction, 0..100. Default 1.
    /// Particles are slowed to this speed before constraints and contacts move them [m/s], > 0. The lower of this and
    /// pli_settings.speed_limit applies. Default infinite.
    float speed_limit;
} pli_deformable_def;

/// Returns a definition with all fields at their defaults. Change single fields after that.
PLI_API pli_deformable_def pli_deformable_def_default(void);
/// Creates a deformable. A vertex that belongs to no triangle of non-zero area is fixed, until
/// pli_deformable_set_inverse_masses gives it a mass. Cost: linear in the size of the mesh. Errors: INVALID_ARGUMENT for
/// values out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                         pli_error *error);
/// Destroys a deformable, its constraint sets and its attachments. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error);
/// Returns the i-th deformable in order of creation; the null handle if i is out of range.
PLI_API pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i);
/// Number of existing deformables.
PLI_API int32_t pli_world_deformable_count(const pli_world *world);
/// Returns its name, borrowed; an empty string if it has no name or is not found.
PLI_API const char *pli_deformable_name(const pli_world *world, pli_deformable deformable);
/// Returns the first deformable with this name, or the null handle.
PLI_API pli_deformable pli_world_deformable_find(const pli_world *world, const char *name);
/// Number of vertices, including vertices that tears have added; 0 for a handle that is not found.
PLI_API int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable deformable);
/// Total mass of the particles that are not fixed [kg]; NaN for a handle that is not found.
PLI_API double pli_deformable_mass(const pli_world *world, pli_deformable deformable);
/// Axis-aligned bounding box of all particles [m]; both corners are 0 if there are no particles. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_bounds(const pli_world *world, pli_deformable deformable, pli_vec3 *minimum,
                                             pli_vec3 *maximum, pli_error *error);

/// The current definition: the one it was created with, with all later changes. Pointers are borrowed. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_def(const pli_world *world, pli_deformable deformable, pli_deformable_def *def,
                                          pli_error *error);

/// Applies a changed definition, such as one from pli_deformable_get_def, from the next step on: every field, except that
/// `mesh` must be null or the current mesh, and `positions` is ignored. Particles stay where they are: a changed `density`
/// scales the current masses, and `pose` and `velocity` become the state that pli_deformable_reset restores. The cost is
/// negligible, except that a changed plate is factored again, and changed self-collision builds the contact data again.
/// Errors: as for pli_deformable_create; nothing has changed then.
PLI_API pli_status pli_deformable_set_def(pli_world *world, pli_deformable deformable, const pli_deformable_def *def,
                                          pli_error *error);

/// Sets the field `paused` of its definition. Intersections that exist when it resumes are found and resolved.
PLI_API pli_status pli_deformable_set_paused(pli_world *world, pli_deformable deformable, bool paused,
                                             pli_error *error);
/// Whether the deformable is asleep (pli_settings.sleep_speed).
PLI_API bool pli_deformable_is_asleep(const pli_world *world, pli_deformable deformable);
/// Wakes the deformable and resets the time for which it has been at rest to 0. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_wake(pli_world *world, pli_deformable deformable, pli_error *error);

/// The mesh that the deformable was created from, borrowed. For the mesh after tears or cuts see pli_deformable_get_mesh.
PLI_API const pli_mesh *pli_deformable_rest_mesh(const pli_world *world, pli_deformable deformable);

/// Borrowed views in the order of the vertices of the mesh, empty for a handle that is not found. A view is valid until the
/// next step, and until a function changes the world: get it again after each.
PLI_API pli_view pli_deformable_positions(const pli_world *world, pli_deformable deformable); ///< [m]
/// The positions that the solver uses [m], relative to pli_world_get_origin. pli_deformable_positions is their sum with the
/// origin, rounded to float (error up to 3e-5 m at 1 km).
PLI_API pli_view pli_deformable_local_positions(const pli_world *world, pli_deformable deformable);
/// Positions before the last step [m]. To render between steps, draw previous + s (current - previous) with s in 0..1.
/// Vertices that were moved since by pli_deformable_set_positions, a reset, a teleport or a snapshot have their current
/// position here too, so that interpolation does not draw the jump as motion. Empty without `keep_previous`.
PLI_API pli_view pli_deformable_previous_positions(const pli_world *world, pli_deformable deformable);
PLI_API pli_view pli_deformable_velocities(const pli_world *world, pli_deformable deformable); ///< [m/s]
/// Unit vertex normals. The first call after a step computes them, so two threads must not call it simultaneously.
PLI_API pli_view pli_deformable_normals(pli_world *world, pli_deformable deformable);
/// Inverse masses [1/kg] in the order of vertices, `stride` bytes apart.
PLI_API const float *pli_deformable_inverse_masses(const pli_world *world, pli_deformable deformable, int32_t *stride);

/// Overwrites the values of `count` particles from index `first` on, from a packed array: 3 floats a particle (1 for
/// masses). Values must be finite. New positions may create intersections, so the next step searches for them. Errors:
/// NOT_FOUND; INVALID_ARGUMENT.
PLI_API pli_status pli_deformable_set_positions(pli_world *world, pli_deformable deformable, int32_t first,
                                                int32_t count, const float *positions, pli_error *error);
PLI_API pli_status pli_deformable_set_velocities(pli_world *world, pli_deformable deformable, int32_t first,
                                                 int32_t count, const float *velocities, pli_error *error);
/// Sets inverse masses >= 0 [1/kg]; 0 fixes the particle. A particle that an attachment fixes stays fixed until the
/// attachment is destroyed.
PLI_API pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable deformable, int32_t first,
                                                     int32_t count, const float *inverse_masses, pli_error *error);
/// Adds an external force [N] to one particle. The force acts during the next step and is then cleared, even if that step
/// fails.
PLI_API pli_status pli_deformable_add_force(pli_world *world, pli_deformable deformable, int32_t particle,
                                            pli_vec3 force, pli_error *error);

/// Per-vertex measures for visualisation and analysis.
typedef enum pli_measure {
    PLI_MEASURE_STRETCH = 0, ///< Strain (l - l0) / l0 of largest magnitude among the vertex's edges, with its sign.
    PLI_MEASURE_BENDING,     ///< Largest |C| of the bending constraints at the vertex, in the unit of their type.
    PLI_MEASURE_SPEED,       ///< [m/s]
    PLI_MEASURE_CURVATURE, ///< Discrete mean curvature [1/m], capped at that of edges which are all folded by 180 degrees.
    /// Largest constraint error at the vertex: the longest PBD correction that a single constraint would apply to it, without
    /// compliance and with equal masses, divided by the mean rest edge length. 0.01 is a hundredth of an edge.
    PLI_MEASURE_RESIDUAL,
    PLI_MEASURE_COUNT
} pli_measure;

/// Writes one value per vertex. `capacity` must be at least the vertex count. Errors: NOT_FOUND; INVALID_ARGUMENT.
PLI_API pli_status pli_deformable_measure(const pli_world *world, pli_deformable deformable, pli_measure measure,
                                          float *values, int32_t capacity, pli_error *error);

/// Measures of one deformable and of its part of the last step, to find the most expensive of many deformables.
/// pli_deformable_get_bounds returns its bounding box.
typedef struct pli_deformable_statistics {
    int32_t particle_count, fixed_count;
    double kinetic_energy;           ///< [J]
    double momentum[3];              ///< Linear momentum of the particles that are not fixed [kg m/s].
    double angular_momentum[3];      ///< About the origin of the application's coordinates [kg m2/s].
    double stretch_rms, stretch_max; ///< |l - l0| / l0 over its edges.
    /// Contacts of the deformable in the last substep. A contact between two deformables counts for both. 0 after an object
    /// was destroyed or a snapshot restored, until the next step.
    int32_t contact_count;
    int32_t surface_contact_count; ///< Contacts between surfaces; contact_count includes them.
    int32_t intersection_count;    ///< Intersections of edges and triangles in which the deformable takes part.
    /// Estimated wall time of the last step for this deformable alone [s], extrapolated from the first substep: forces,
    /// damping, prediction, sweeps, and contact with analytic shapes, but not contact between surfaces. Equal small
    /// deformables are swept together and share their time equally.
    double seconds;
    uint64_t memory; ///< Bytes of its constraint sets and of the equations for its stretch.
} pli_deformable_statistics;

/// Measures the current state. Cost: one pass over its particles and edges, and over the contacts; for
/// PLI_SELF_CONTACT_PARTICLES see pli_world_get_statistics. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_statistics(const pli_world *world, pli_deformable deformable,
                                                 pli_deformable_statistics *statistics, pli_error *error);

/// Bending energy [J] of the plate that the last step used, at the current positions; 0 without a plate and before the
/// first step. Call it from the thread that steps. Cost: an iterative solve of at most 300 passes over the triangles.
/// Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_get_plate_energy(pli_world *world, pli_deformable deformable, double *energy,
                                                   pli_error *error);

/* ---- stretch --------------------------------------------------------------------------------- */

/// Changes the solver for the stretch of the deformable from the next step on. Errors: NOT_FOUND; INVALID_ARGUMENT for an
/// invalid value.
PLI_API pli_status pli_deformable_set_stretch(pli_world *world, pli_deformable deformable, pli_stretch stretch,
                                              pli_error *error);
/// The requested solver for stretch, and the effective one, which a step would use now and which is never PLI_STRETCH_AUTO.
/// Either pointer may be NULL. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_stretch(const pli_world *world, pli_deformable deformable, pli_stretch *requested,
                                              pli_stretch *effective, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
