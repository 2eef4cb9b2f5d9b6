/// Pliant, deformables: cloth, leaves, shells and balloons. A deformable is a surface of particles with mass.
///
///     pli_deformable_def def = pli_deformable_def_default();
///     def.mesh = mesh, def.name = "flag", def.density = 0.15f, def.self_collision = true;
///     pli_deformable flag;
///     if (pli_deformable_create(world, &def, &flag, &error) != PLI_STATUS_OK) ...
///     // add constraints for stretch and bending (constraints.h); then, after each step:
///     pli_view positions = pli_deformable_positions(world, flag);
///     for (int32_t i = 0; i < positions.count; i++)
///         draw(pli_view_at(positions, i));
///     pli_deformable_destroy(world, flag, NULL);
///
/// Particle i is vertex i of the mesh. A particle of inverse mass 0 is fixed: only an attachment or the caller moves it.
/// Two sheets of thickness t1 and t2 [m] keep a distance of (t1 + t2) / 2 between their mid-surfaces:
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

/// The solver for the stretch of a deformable.
typedef enum pli_stretch {
    /// Solved if the deformable has a `membrane` constraint set, or no triangles (ropes, nets of wire); swept otherwise.
    /// Membranes with a strain limit are swept.
    PLI_STRETCH_AUTO = 0,
    /// Gauss-Seidel sweeps over the constraints, as in the papers. A sweep propagates tension by about one edge, so fine
    /// meshes stretch.
    PLI_STRETCH_SWEPT,
    /// One system of equations for all membranes, edges, tethers and volumes of the deformable, solved in each substep. The
    /// requested stiffness [N/m] and pressure [Pa] are effective on any mesh, with any number of substeps. A solve takes
    /// some 0.2 ms a substep for 1000 vertices. It needs XPBD in coloured order; otherwise the deformable is swept.
    PLI_STRETCH_SOLVED,
    PLI_STRETCH_COUNT
} pli_stretch;

/// Largest damping time of a plate [s]. Beyond it, curved sheets that spin are bent, and gain energy.
#define PLI_PLATE_DAMPING_MAX 0.125f

/// Bending that is solved for the entire surface, instead of by sweeps over constraints: a Kirchhoff-Love plate with
/// Morley's elements (1968). The effective rigidity is the requested one on any triangulation, with any number of substeps
/// and iterations, and rest shapes may be curved. A plate needs no bending constraints in addition; it does need
/// constraints along edges, since it does not resist stretch. Its factorisation takes memory: 3 kB a vertex at 10 k
/// vertices, a little more in finer meshes. It is repeated, in some 0.1 s at 10 k vertices, when masses, faces, the substep
/// or these parameters change. Fixing or releasing vertices during the simulation costs 0.1 ms, until some dozens of them
/// differ from the vertices that were fixed at the last factorisation; the factorisation is then repeated as well.
typedef struct pli_plate {
    float rigidity; ///< Flexural rigidity D = E t^3 / (12 (1 - nu^2)) [N m], >= 0. Default 0: no plate.
    float poisson;  ///< Poisson's ratio nu, -0.9..0.9. Default 0.3.
    /// Substeps between solves, 1..100. The force of a solve is spread over them, which damps motion. 0, the default, takes
    /// the largest number up to 5, or up to 10 from 4096 vertices on, that divides the substeps of a step. Below 2048
    /// vertices these substeps together take at most 1/240 s, since with longer intervals heavy strips continue to sway by
    /// some mm/s.
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
    /// detection the non-penetration guarantee covers them.
    PLI_SELF_CONTACT_SURFACES = 0,
    /// Particles collide with particles and keep `particle_distance` (after Mueller 2022, Ten Minute Physics 15), at a
    /// fraction of the cost. Suits even meshes. Gaps between particles are not tested and the guarantee does not apply:
    /// fast or strongly stretched cloth can pass through itself.
    PLI_SELF_CONTACT_PARTICLES,
    PLI_SELF_CONTACT_COUNT
} pli_self_contact;

/// Ratio of the default `particle_distance` to the mean edge length. It is larger than the distance from the centre of a
/// regular square or triangle to its corners (0.71, 0.58).
#define PLI_PARTICLE_DISTANCE_RATIO 0.75f

/// How a deformable is created.
typedef struct pli_deformable_def {
    const char *name;     ///< Copied; may be NULL.
    const pli_mesh *mesh; ///< Rest shape. The world keeps a reference.
    pli_transform pose;   ///< Applied to the rest positions to obtain the start positions.
    /// Start positions in world space [m], 3 floats a vertex; NULL: the positions of the mesh, transformed by `pose`.
    const float *positions;
    pli_vec3 velocity;             ///< Start velocity of the particles that are not fixed [m/s].
    float density;                 ///< Mass of the surface per area [kg/m2], > 0. Default 0.2.
    float thickness;               ///< Distance kept from colliders and other surfaces [m], >= 0. Default 0.005.
    bool self_collision;           ///< The deformable collides with itself. Default false.
    pli_self_contact self_contact; ///< Kind of self-collision. Default PLI_SELF_CONTACT_SURFACES.
    /// Distance that particles keep with PLI_SELF_CONTACT_PARTICLES [m], >= 0. A pair keeps at most 0.9 of its rest
    /// distance. Default 0: PLI_PARTICLE_DISTANCE_RATIO of the mean edge length.
    float particle_distance;
    /// Coulomb coefficient between deformables, >= 0; a pair uses the geometric mean. Against a collider, only the
    /// coefficient of the collider counts. Default 0.3.
    float friction;
    uint32_t layers;     ///< Bits of the collision layers that it belongs to. Default 1.
    uint32_t mask;       ///< Layers it collides with; the masks of both sides must allow a pair. Default all.
    uint64_t user_data;  ///< For the caller's contact lists and filters. Default 0.
    pli_tearing tearing; ///< Default: never tears.
    pli_stretch stretch; ///< Default PLI_STRETCH_AUTO.
    /// Keeps the positions before each step for pli_deformable_previous_positions: 16 bytes a vertex. Default false.
    bool keep_previous;
    /// Excludes it from steps. It stays where it is, keeps its velocities and costs next to nothing; other objects pass
    /// through it. The frames of its attachments continue to move; pli_world_teleport or a reset brings it to where they
    /// are. Default false.
    bool paused;
    pli_plate plate; ///< Default: no plate.
    /// Drag and lift coefficients, as multiples of the coefficients that docs/concepts.md (Air) gives for every sheet. Per
    /// area, a face perpendicular to the flow has the drag air_drag rho u^2, which is a drag coefficient of 2 air_drag. At
    /// an angle of attack a, a face has the lift air_lift rho u^2 sin^2 a cos a across the flow and the drag
    /// air_drag rho u^2 sin^3 a along it. Range 0..100; the effective air_lift is at most 100 air_drag. Default 1, which is
    /// a pressure along the normal.
    float air_drag, air_lift;
    float air_friction; ///< Skin friction as a multiple of pli_settings.air_friction, 0..100. Default 1.
    /// Upper bound of the speed of its particles before constraints move them [m/s], > 0. The smaller one of it and
    /// pli_settings.speed_limit applies. Default infinite.
    float speed_limit;
} pli_deformable_def;

/// Returns a definition with all fields at their defaults. Change single fields after that.
PLI_API pli_deformable_def pli_deformable_def_default(void);
/// Creates a deformable, at rest or with the start velocity `velocity`. Particle i is vertex i of the mesh. A vertex that belongs to no face
/// with area has no mass and is fixed. Cost: linear in the size of the mesh. Errors: INVALID_ARGUMENT for values out of
/// range; OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                         pli_error *error);
/// Destroys a deformable, its constraint sets and its attachments. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error);
/// Returns the i-th deformable in order of creation; the null handle if i is out of range.
PLI_API pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_deformable_count(const pli_world *world);
/// Returns its name, borrowed; an empty string if it has no name or is not found.
PLI_API const char *pli_deformable_name(const pli_world *world, pli_deformable deformable);
/// Returns the first deformable with this name, or the null handle.
PLI_API pli_deformable pli_world_deformable_find(const pli_world *world, const char *name);
/// Number of vertices, including vertices that tears have added; 0 for a handle that is not found.
PLI_API int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable deformable);
/// Total mass of the particles that are not fixed [kg]; NaN for a handle that is not found.
PLI_API double pli_deformable_mass(const pli_world *world, pli_deformable deformable);
/// Axis-aligned bounding box of all particles [m]; both corners are 0 if there are no particles.
PLI_API pli_status pli_deformable_get_bounds(const pli_world *world, pli_deformable deformable, pli_vec3 *minimum,
                                             pli_vec3 *maximum, pli_error *error);

/// The current definition: the one it was created with, with all later changes. Pointers are borrowed.
PLI_API pli_status pli_deformable_get_def(const pli_world *world, pli_deformable deformable, pli_deformable_def *def,
                                          pli_error *error);

/// Applies a changed definition, such as one from pli_deformable_get_def, from the next step on: name, density (which
/// scales the current masses), thickness, friction, layers and mask, self-collision and its kind, user data, tearing and
/// stretch. `pose` and `velocity` become the state that pli_deformable_reset restores. `mesh` must be null or the current
/// mesh, and `positions` is ignored. Nothing else changes: particles stay where they are. The cost is negligible, except
/// for a change of self-collision, or of the thickness of a deformable with self-collision: the next step then builds the
/// contact data again (3 ms for 10 000 vertices). Errors: as for pli_deformable_create; nothing has changed then.
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

/// Borrowed views in the order of the vertices of the mesh. They are valid until the world changes, and empty for a handle
/// that is not found.
PLI_API pli_view pli_deformable_positions(const pli_world *world, pli_deformable deformable); ///< [m]
/// Positions relative to pli_world_get_origin [m], which a step uses. pli_deformable_positions is their sum with the origin,
/// rounded to float: by 3e-5 m at 1 km.
PLI_API pli_view pli_deformable_local_positions(const pli_world *world, pli_deformable deformable);
/// Positions before the last step [m], for rendering between steps: p0 + s (p1 - p0), where s is the fraction of a step
/// since p0. Vertices whose positions were set since (by pli_deformable_set_positions, a reset, a teleport or a snapshot)
/// have their current position here too, so that no motion is drawn that did not take place. Empty without
/// `keep_previous`.
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
/// attachment is destroyed. Rest lengths and contacts do not change.
PLI_API pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable deformable, int32_t first,
                                                     int32_t count, const float *inverse_masses, pli_error *error);
/// Adds an external force [N] to one particle. The force acts during the next step and is then cleared, even if that step
/// fails.
PLI_API pli_status pli_deformable_add_force(pli_world *world, pli_deformable deformable, int32_t particle,
                                            pli_vec3 force, pli_error *error);

/// Per-vertex measures for visualisation and analysis.
typedef enum pli_measure {
    PLI_MEASURE_STRETCH = 0, ///< Strain (l - l0) / l0 of largest magnitude among the vertex's edges, with its sign.
    PLI_MEASURE_BENDING,     ///< Largest residual of the bending constraints at the vertex, in their own unit.
    PLI_MEASURE_SPEED,       ///< [m/s]
    PLI_MEASURE_CURVATURE,   ///< Discrete mean curvature [1/m], at most the value for a fold in every edge.
    /// Largest relative residual of all constraints at the vertex, whatever their type: the distance by which one of them
    /// alone would move the vertex, without compliance and with equal masses, divided by the mean rest edge length. 0.01 is
    /// a hundredth of an edge.
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
    /// Contacts of the deformable in the last substep. A contact between two deformables counts for both. 0 if
    /// pli_world_contacts is empty.
    int32_t contact_count;
    int32_t surface_contact_count; ///< Contacts between surfaces; contact_count includes them.
    int32_t intersection_count;    ///< Intersections of edges and triangles in which the deformable takes part.
    /// Wall time of the last step that belongs to this deformable alone [s]: forces, damping, motion, sweeps, and contact
    /// with smooth shapes. It is estimated from the first substep. The time for contact between surfaces belongs to no
    /// single deformable; surface_contact_count indicates its fraction. Equal small deformables are swept together, and each
    /// has an equal part of their time.
    double seconds;
    uint64_t memory; ///< Bytes of its constraint sets and of the equations for its stretch.
} pli_deformable_statistics;

/// Measures the current state. Cost: one pass over its particles and edges, and over the contacts. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_statistics(const pli_world *world, pli_deformable deformable,
                                                 pli_deformable_statistics *statistics, pli_error *error);

/// Bending energy [J] of the plate that the last step used, at the current positions; 0 without a plate and before the
/// first step. Call it from the thread that steps. Cost: some tens of passes over the triangles, at most 300. Errors:
/// NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_get_plate_energy(pli_world *world, pli_deformable deformable, double *energy,
                                                   pli_error *error);

/* ---- stretch --------------------------------------------------------------------------------- */

/// Changes the solver for the stretch of the deformable from the next step on. Errors: NOT_FOUND; INVALID_ARGUMENT for an invalid value.
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
