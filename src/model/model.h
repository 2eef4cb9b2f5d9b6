// The data of a world: its deformables, constraint sets, attachments, colliders and lists. There is no behaviour here; each
// folder above adds what it does with these. The public face is pliant/world.h; the step is in world/step.c.
#ifndef PLI_MODEL_MODEL_H
#define PLI_MODEL_MODEL_H

#include "base/tasks.h"
#include "base/vector.h"
#include "collision/broadphase/bvh16.h"
#include "collision/state/collision_state.h"
#include "constraints/projection.h"
#include "mesh/fabric/faces.h"
#include "model/kernels.h"
#include "pliant/check.h"
#include "pliant/contact.h"
#include "rigid/bearing.h"
#include "rigid/rigid.h"
#include "shapes/contact_group.h"

// The least numbers of particles, of constraint slots and of contacts that one task works on. They are fixed, so that no
// result depends on the number of threads.
enum { PLI_PARTICLE_GRAIN = 1024, PLI_SLOT_GRAIN = 512, PLI_CONTACT_GRAIN = 1024 };

// All particles of a world in one run of memory. Each deformable, and each collider with vertices, has a range of it.
typedef struct pli_store {
    // Positions, predicted during a substep [m]; w is the inverse mass in effect, 0 while fixed [1/kg].
    pli_particle *particles;
    pli_particle *previous;   // Positions at the start of the substep [m].
    pli_particle *velocities; // Velocities [m/s]; w is the inverse mass without attachments [1/kg].
    pli_particle *lost;       // Moves of this substep that rounding took from positions [m]; w is 0.
    int32_t count, capacity;  // Particles in use, and particles that memory is reserved for.
} pli_store;

// Objects in order of creation. An object is found by its id, which is its first member and only grows.
typedef struct pli_list {
    uint32_t **items;
    int32_t count, capacity;
} pli_list;

// An answer of the user's contact filter about a particle and a collider.
typedef struct pli_filter_answer {
    int32_t particle, collider;
    bool allowed;
} pli_filter_answer;

// Contacts of one deformable with analytic shapes, in the chunks of particles that they were found in.
typedef struct pli_contact_pool {
    pli_contact_group *groups;
    int32_t capacity; // Groups that each chunk has memory for.
    int32_t chunk_count;
    int32_t *counts; // [chunk_count] groups of each chunk in this substep.
    // Answers of the last substep, and those collected in this one.
    pli_filter_answer *filter_answers, *next_filter_answers;
    int32_t filter_answer_count, filter_answer_capacity, next_capacity;
} pli_contact_pool;

// The rigid motion of a deformable: damping leaves it alone, and islands with rigid bodies keep it.
typedef struct pli_rigid_motion {
    double mass;                // Total mass [kg].
    pli_dvec3 centre, velocity; // Centre of mass [m] and its velocity [m/s].
    pli_dvec3 spin_momentum;    // Angular momentum about the centre [kg m2/s].
    double inertia[6];          // Inertia about the centre: xx yy zz xy xz yz [kg m2].
} pli_rigid_motion;

// The history of a deformable, for the second order of time (particles/history.h). Positions at its start are in the store.
typedef struct pli_history {
    int32_t capacity;      // Particles that its arrays have memory for.
    float step;            // Length of the last substep [s]; 0 where history begins anew.
    float own_step, span;  // During a substep: its length as the deformable takes it, and as it is [s].
    float weight;          // During a substep: share of the last substep's change that goes on.
    pli_particle *bases;   // During a substep: where velocities are measured from [m].
    pli_particle *earlier; // Velocities at the start of the last substep [m/s].
    pli_particle *good_starts, *good_earlier; // State before the step, with `good_step`.
    float good_step;
} pli_history;
// The bends that a plate keeps (src/plastic), by triangles of its deformable.
typedef struct pli_creases {
    int32_t count;  // Triangles.
    float *offsets; // [9 * count] what the targets of its three sides have moved by, along the axes of the triangle.
    float *bends;   // [count] curvature that has stayed, summed up without signs [1/m].
    bool changed;   // The plate has not taken them yet.
    // These follow from the shape at rest: the side across each side or -1, [3 * count], and targets of the sides, [9 * count].
    int32_t *across;
    float *targets;
    uint64_t shape;               // Hash of the triangles that these are for.
    struct pli_crease_frame *now; // [count] scratch: triangles as they are.
    double fraction;              // Scratch: this much of an excess flows in the step.
    double *work;                 // [pieces] scratch.
} pli_creases;

// Whether a deformable is being moved out of something (world/moving_out).
typedef struct pli_moving_out {
    bool before; // It was at the end of the last step.
    bool now;    // During a step: its motion is limited.
    bool still;  // During a step: a part of it has been inside of something, or would have been too fast.
    // During a substep: the highest speed that its particles may keep [m/s], and how far an overlap recovers [m].
    float speed, recovered;
} pli_moving_out;

// A deformable. "Internal" is the order of its particles in memory (schedule/vertex_order).
typedef struct pli_deformable_data {
    uint32_t id;
    char *name;
    const pli_mesh *mesh; // The mesh it was created from.
    pli_faces shape;      // Its faces now, after tears and cuts.
    int32_t count;        // Number of particles.
    // Particles that its range has memory for. The particle at this index is a dummy of inverse mass 0, which padding
    // slots of constraint sets name.
    int32_t capacity;
    pli_deformable_def def;                          // The definition; its pointers are not kept.
    float thickness;                                 // Thickness of its surface, where it is painted the largest [m].
    float mean_edge, area;                           // Edge length and area of the mesh at rest [m], [m2].
    float longest_edge;                              // Longest side of a triangle at rest [m]; 0 without triangles.
    int32_t first, span;                             // Its range of the world's store; span is 0 until it has one.
    pli_particle *particles, *previous, *velocities; // The range, in internal order (see pli_store).
    pli_particle *lost;    // The range of moves lost to rounding in this substep; null where they are not kept.
    pli_particle *normals; // Unit vertex normals in internal order; null until a set needs them.
    pli_particle *faces;   // [triangles] scratch of normals and wind; null until needed.
    int32_t *corners;      // [3 * triangles] internal indices of the corners, valid while has_corners; or null.
    bool has_corners;      // Cleared when the triangles or the order change.
    // [capacity] velocity of the air at each particle in this step [m/s], in internal order; null without a field.
    pli_particle *air;
    // State before the step, for undoing it; null where the user's order keeps it.
    pli_particle *good_particles, *good_velocities;
    pli_history *history;                      // Null under implicit Euler.
    float *forces;                             // [3 * count] the user's forces for the next step [N]; null until used.
    bool forced;                               // True if any force is set.
    struct pli_constraint_set_data *first_set; // First of its sets, in order of creation.
    struct pli_attachment_data *first_attachment; // First of its attachments, in order of creation.
    int32_t number;                               // During a step: its index among the world's deformables.
    bool free;                                    // During a step: true if nothing connects it to the world.
    bool pinned;                                  // During a substep with damping: whether a piece of it is pinned.
    pli_rigid_motion whole; // Rigid motion before the projections of this substep, if momentum is to be kept.
    uint8_t *held;          // [count] 1 while an attachment fixes the particle.
    float *frictions;       // [friction_count] painted coefficients of friction in internal order; null until painted.
    int32_t friction_count;
    float *drags; // [drag_count] painted factors of the pull of the air in internal order; null until painted.
    int32_t drag_count;
    // Painted thickness of each particle in internal order, with PLI_BATCH more, and the extremes [m]; null until painted.
    float *thicknesses, thickest, thinnest;
    float *pressures;  // Painted pressure on the back of each triangle over that on its front [Pa]; null until painted.
    double *scratch;   // [3 * count] scratch of volume constraints; null until needed.
    double *sums;      // Partial sums of damping, one row per chunk.
    int32_t *order;    // Internal index of each vertex; null when both orders are the same.
    int32_t *vertices; // Vertex of each internal index; null when order is null.
    pli_particle *user_particles, *user_velocities; // State in the user's order; null when order is null.
    // Positions as the user reads them, with the world's origin; null until that has left 0, and not read while it is 0.
    pli_particle *world_particles;
    pli_particle *shown_before; // Positions before the last step as the user read them; null unless they are kept.
    pli_particle *user_normals; // Normals for the public view.
    bool user_normals_fresh;
    pli_contact_pool pool;
    struct pli_grid_layout *grid; // Layout of a structured grid; null for other meshes.
    pli_contact_mesh *surface;    // Its surface for contact; null until needed.
    bool surface_stale;           // The surface was made for other self-contact or thickness; a step makes it anew.
    struct pli_tear_state *tear_state; // State of tearing; null until it may be cut.
    struct pli_membrane
        *membrane; // The equations of its stretch (src/membrane); null where it is swept, or until a step needs them.
    size_t membrane_memory;        // Bytes of these.
    struct pli_plate_state *plate; // Its plate; null without one, or until a step needs it.
    struct pli_bends_state *bends; // Its constraint sets that are solved; null without any, or until a step needs it.
    // Inverse masses that its plate or those sets are factored for, of so many particles; 0 of them until a step chooses
    // (implicit/implicit.h).
    float *base_masses;
    int32_t base_count;
    pli_creases *creases; // Bends that its plate keeps; null until it may.
    double plastic_work;  // Work that bends have taken up since the start or the last reset [J].
    // Two for each particle, null without a plate: the velocity that its plate expects it to have at the end of an interval unless
    // something else than gravity acts, with w, the seconds of that interval, 0 where nothing is expected; and the acceleration that
    // something else has given it lately. And those before the step.
    pli_particle *plate_expected, *good_expected;
    // Painted rigidity over that of the definition, of each triangle; null until painted. Every paint has another number.
    float *plate_factors;
    uint32_t plate_paint;
    float *plate_yields, *plate_hardenings; // Painted yield [1/m] and hardening of each triangle; null until painted.
    struct pli_wavefronts *wavefronts;      // Wavefront schedule of the sequential order; or null.
    bool reshaped;                          // True if it was cut since its membrane was made.
    struct pli_pieces *pieces;       // Its connected pieces (particles/ghost_motion.h); null until a step needs them.
    bool pieces_known, pivots_known; // Cleared by what changes connections, and what fixes or ties particles.
    // It takes no part in this step: it is paused or sleeps. How long it has been at rest [s]; and, asleep, the box about
    // it in the host's coordinates, with its thickness.
    bool idle, asleep;
    double still_time;
    float *
        held_back; // [capacity] time for which each particle has been held back without interruption [s]; null until one is.
    pli_dvec3 asleep_low, asleep_high;
    // It goes through all substeps of this step by itself (src/apart); and the box about its way in the step, with its
    // thickness, in the host's coordinates [m].
    bool apart;
    pli_dvec3 apart_low, apart_high;
    double seconds; // Wall time of its own work in the first substep of the last step [s].
    // During a substep: something outside may move it between sweeps; it has moved it since the prediction.
    bool moved_between, moved_before;
    pli_moving_out moving_out;
} pli_deformable_data;

// The limit of motion in a step with something fast (world/fast_motion).
typedef struct pli_fast_motion {
    bool watched;               // Something may be fast enough.
    bool recoils;               // Cloth is far too long.
    float edge;                 // The longest edge of all surfaces at rest [m].
    float own_displacement;     // How far a free particle goes by itself in a substep [m].
    float longest_displacement; // How far one may go in this substep [m].
} pli_fast_motion;

// Numbers of bending and damping that are painted by constraint.
typedef enum pli_painted_kind {
    PLI_PAINTED_YIELD,     // Curvature from which on a bend stays [1/m].
    PLI_PAINTED_HARDENING, // As the parameter.
    PLI_PAINTED_DAMPING,   // Factor on the damping time.
    PLI_PAINTED_KINDS
} pli_painted_kind;

typedef struct pli_painted {
    float *values; // [count] in order of creation; null and 0 until painted.
    int32_t count;
} pli_painted;

// The value that constraint i was painted with, or else `plain`.
static inline double pli_painted_at(const pli_painted *painted, int32_t i, double plain)
{
    return i < painted->count ? (double)painted->values[i] : plain;
}

// Tiles (tiles/tiles.h) are left out where bytes count.
#ifndef PLI_HAS_TILES
#define PLI_HAS_TILES 1
#endif

// A constraint set, in slots: arrays over all constraints in the order of projection, with padding (schedule/cook).
typedef struct pli_constraint_set_data {
    uint32_t id;
    struct pli_constraint_set_data *next; // Next set of the same deformable.
    char *name;
    const pli_constraint_type *type;
    const pli_constraint_row *row; // Kernels of the world's back end; null for user types.
    const char *generator;         // Null for a set from an explicit list.
    pli_deformable_data *deformable;
    bool whole;         // True if it has all constraints that its generator makes of the mesh, in their order.
    bool of_attachment; // True if an attachment owns it.
    bool keep_lambda;   // True if mean multipliers are kept for queries.
    bool unswept;       // During a step: its forces are solved (src/bends), and no sweep projects it.
    uint64_t source;    // Hash of the generator's name, or of the list it was made from.
    int32_t count, slot_count, colour_count, degenerate_count;
    int32_t *colour_offsets; // [colour_count + 1] first slot of each colour.
    int32_t *colour_sizes;   // [colour_count] constraints in each colour; kernels run slots up to a multiple of `pad`.
    int32_t pad;
    int32_t *
        tiles; // [colour_count * (tile_count + 1)] first slot of each tile in each colour, and of what is in none; or null.
    int32_t tile_count;
    pli_slot_run *runs;   // Runs of a structured grid, instead of colours; null for other sets.
    int32_t *run_offsets; // [2 * block_count + 1] runs inside each block, then those from it to the next block.
    int32_t block_count;
    int32_t *run_marks;          // The run of every PLI_RUN_STRIDE-th slot, from which the run of any slot is found.
    int32_t overflow;            // Colour whose constraints share particles and run one by one; -1 for none.
    struct pli_links *links;     // Constraints of each particle; null until the deformable may be cut.
    uint8_t *contiguous_batches; // As in pli_projection.
    int32_t *slot_of;            // [count] slot of each constraint in order of creation; null when they are equal.
    pli_index *index[PLI_CARDINALITY_MAX];        // Particles of each slot.
    float *rest[PLI_REST_MAX];                    // Rest values of each slot.
    float *compliance_scale, *state, *good_state; // Per slot; good_state is the state before the step.
    float *damping_scale;                         // Per slot, painted factor on the damping time; or null.
    pli_painted painted[PLI_PAINTED_KINDS];
    // [scaled_count] by constraint in order of creation, of sets whose stiffness was painted or follows from a sheet: scales before they
    // were painted, and factors. The scale of a slot is their quotient.
    float *base_scales, *stiffness_factors;
    int32_t scaled_count;
    // Per slot, of sets that keep bends (src/plastic); null until they may: the rest value that follows as it was cooked, and the
    // curvature that has stayed, summed up without signs [1/m].
    float *first_rest, *bends;
    float *warps;     // [3 * faces of the mesh] directions of its warp that were laid face by face; or null.
    float *lambda[3]; // Multipliers of this substep; null until they are needed.
    float *mean[3];   // Their means over the last step; null unless they are read.
    // Types of variable cardinality, [slot_count] ranges of the lists below.
    pli_span *member_spans, *rest_spans, *triangle_spans;
    // Particles, triangles, and the same triangles by index among the constraint's members.
    int32_t *members, *triangles, *local_triangles;
    float *variable_rest;
    double *evaluation; // Scratch: positions, gradients and normals of the largest variable stencil.
    int32_t largest;    // Members of the largest stencil.
    uint32_t zero_rest; // Bit j is set if rest value j is 0 in every slot.
    double parameters[PLI_PARAMETERS_MAX];
    float own[PLI_PARAMETERS_MAX]; // The type's own parameters, as kernels read them.
    pli_projection projection;     // During a substep: arguments of the next sweep.
    size_t memory;                 // Bytes.
} pli_constraint_set_data;

// An attachment: particles that follow a frame exactly (fixed), softly (through a constraint set), or a rigid body.
typedef struct pli_attachment_data {
    uint32_t id;
    pli_deformable_data *deformable;
    struct pli_attachment_data *next_attachment; // Next attachment of the same deformable.
    pli_rigid_body_data *rigid;                  // Rigid body it attaches to; or null.
    double compliance, stiffness;                // Compliance and stiffness for a rigid body.
    pli_vec3 *multipliers;                       // [count] multipliers of this substep, for a rigid body.
    bool warm_started;                           // A substep begins with the multipliers of the one before.
    bool fixed;                                  // It holds exactly; not when it is to a rigid body.
    bool of_hand;                                // A hand pulls by it, with a force that has a limit: it pins nothing.
    // Particles with copies by cuts, capacity, and without copies; switched off it has none, and `off_count` for later.
    int32_t count, capacity, made_count, off_count;
    int32_t *particles;       // Internal indices.
    pli_vec3 *locals;         // Positions in the frame [m].
    pli_transform pose, next; // Pose now, and at the end of the next step.
    // Point of the frame that `locals` are relative to [m]: the world's origin when it was made, so that particles far
    // out in their frame keep their places; 0 near the origin.
    pli_dvec3 pivot;
    pli_constraint_set_data *set; // Set of a soft attachment; null when fixed.
    // A fixed one goes on only while no edge at its particles gets longer than this multiple of its rest length. The edges to
    // particles that it does not hold, once they are known, and room for the targets of its particles.
    float stretch;
    struct pli_held_edge *edges;
    int32_t edge_count;
    bool edges_known;
    struct pli_held_reach *reach; // [count] with the edges.
    pli_vec3 *targets;            // [capacity]
    // How far it was behind at the end of the last step: particles, the largest distance [m], and the force that would bring them to
    // their targets within a substep [N].
    int32_t lagging;
    double lag, lag_force;
} pli_attachment_data;

// A frame of the host's relative to the world's origin, in double: for points that lie far out in their frame, or whose frame does.
typedef struct pli_local_frame {
    pli_dvec3 position;
    double turn[4]; // Unit quaternion x y z w.
} pli_local_frame;

// A collider. Those with triangles have a mesh, a contact surface and a range of the store; others have none of these.
typedef struct pli_collider_data {
    uint32_t id;
    pli_collider_def def;
    pli_transform next;              // Pose at the end of the next step.
    const pli_mesh *mesh;            // Its triangles: a reference to the user's mesh, or a mesh of its own.
    pli_contact_mesh *surface;       // Contact surface.
    float *vertices, *next_vertices; // [3 * vertices] in the collider's frame, now and at the end of the next step [m].
    int32_t first, span;             // Range of the world's store for the vertices in the world.
    pli_rigid_body_data *rigid;      // Rigid body that carries it; or null.
    bool moving;                     // True if it moves during this step.
    // An analytic shape has its surface because it is narrow beside the triangles of a deformable (shapes/contact_group.h).
    bool narrow;
    // Where the guarantee has stopped it, at the share `since` of the step; it goes on from there.
    bool yielded;
    pli_transform yielded_at;
    float since;
    // Far from the host's origin, where its poses are too coarse: the frames at the start and the end of the substep, where it has
    // been stopped in this step, and where it was at the end of the last one, if it lags since.
    pli_local_frame far_from, far_to, far_yielded, far_lag;
    bool lags_far;
    bool lags;       // The last step ended short of `next`, at def.pose to the bit, or with vertices behind.
    double lag;      // The largest distance of a vertex from there [m]; 0 otherwise.
    int32_t lagging; // Vertices of an animated one that the guarantee has stopped, each by itself.
    // [3 * vertices] where they are, relative to the world's origin, while some are behind; then `vertices` are nearly there.
    float *behind;
    bool is_behind;
    bool placed; // True if its vertices in the world are those of it at rest at `placed_at`.
    pli_transform placed_at;
    pli_vertex_source source; // The user's animation; null when there is none.
    void *source_user;
} pli_collider_data;

// An object of the host that the world destroys with itself.
typedef struct pli_lifetime {
    void *thing;
    void (*destroy)(void *thing);
} pli_lifetime;

// An eddy of the gusts: it adds `sway` times its sine to the air's velocity (particles/air.h).
typedef struct pli_eddy {
    double number[3], offset; // Turns over a metre [1/m], and at the start.
    float sway[3];            // At a strength of 1 m/s.
} pli_eddy;

enum { PLI_EDDIES = 24 };

// Gusts: their eddies, how far the wind has carried them [m], and the integral of their strength [m].
typedef struct pli_gusts {
    pli_eddy eddies[PLI_EDDIES];
    pli_dvec3 carried;
    double turned;
} pli_gusts;

// Findings of a check, in the order of their rows.
typedef PLI_ARRAY(pli_finding) pli_findings;

typedef struct pli_diagnosis pli_diagnosis;

// Who is told of the parts of a step, and where the step is.
typedef struct pli_tracing {
    pli_trace callback; // Or null.
    void *user;
    pli_stage stage;
    int32_t substep; // From 1.
} pli_tracing;

struct pli_world {
    pli_memory memory;
    uint32_t tag;    // Marks the handles of this world, so that another world refuses them.
    bool among_many; // While a list of worlds is looked through for one that is there twice.
    pli_settings settings;
    pli_order order;
    const pli_kernels *kernels; // Kernels of the back end in use.
    pli_tasks *tasks;
    // Positions of the store, of rigid bodies and of all that follows from them are relative to this point of the
    // host's coordinates [m] (model/origin.h). The poses that the host gives are kept as given.
    pli_dvec3 origin;
    pli_dvec3 good_origin, next_origin; // Before the step, and during it.
    pli_store store;
    pli_collision collision;
    pli_list deformables, sets, attachments, colliders, rigids;
    uint32_t last_id;
    const pli_constraint_type **user_types;
    int32_t user_type_count, user_type_capacity;
    const pli_generator **user_generators;
    int32_t user_generator_count, user_generator_capacity;
    pli_contact_filter filter; // The user's contact filter; null accepts every pair.
    void *filter_user;
    pli_air_field air_field; // Velocities of the air by the host; or null.
    void *air_field_user;
    float air_speed; // The greatest of them in this step [m/s].
    pli_gusts gusts;
    pli_topology_callback remap; // Called after tears and cuts; or null.
    void *remap_user;
    bool has_contacts;        // True if the contacts of the last substep are complete and their objects exist.
    pli_bearings bearings;    // Where bodies bear on colliders through cloth.
    pli_moving_shape *shapes; // Analytic colliders in this substep.
    int32_t shape_capacity;
    pli_bvh16 shape_tree; // Bounding volume hierarchy over them.
    pli_bvh16 apart_tree; // During a step: over the ways of deformables and colliders.
    struct pli_layer_group *layer_groups;
    int32_t layer_group_count, layer_group_capacity;
    pli_substep_callback host; // Called before each substep; or null.
    void *host_user;
    bool host_runs; // True inside that callback.
    double time;    // Simulated time [s].
    int64_t step_count, projections;
    int32_t substep_count; // Substeps of this step, or of the last one.
    double stage_seconds[PLI_STAGE_COUNT], step_seconds;
    double stage_end;   // Time at which the last stage ended; the time between two stages counts for the later one.
    bool out_of_memory; // True if memory ran out during the step.
    double time_limit;  // Wall time that a step may take [s].
    pli_fast_motion fast_motion;
    bool moves_out; // During a step: a deformable is being moved out of something.
    int32_t
        *islands; // [1 + deformables + rigid bodies] union-find parents: the first object of each island is its root.
    int32_t island_capacity;
    // Intersections that persist: the fewest so far, since when [s], and whether a warning was logged.
    int32_t least_intersecting;
    double intersecting_since;
    bool told_intersecting;
    pli_findings findings;       // They are of the last check.
    bool advised;                // The first step has logged findings, or is not to.
    bool told_inside;            // A warning was logged of something that starts inside of a collider.
    bool told_shortened;         // And one of motion that was shortened for the budget of work.
    bool told_stuck;             // And one of a deformable whose particles are stuck.
    const unsigned char *cooked; // The user's cooked data, which new sets are read from; or null.
    size_t cooked_size, cooked_at;
    int32_t cooked_count, cooked_taken;
    bool closes;        // True while the world is destroyed.
    pli_lifetime *kept; // Objects that the world destroys with itself.
    int32_t kept_count, kept_capacity;
    pli_diagnosis *diagnosis; // Set while a failed step is run again to find the cause.
    pli_tracing tracing;
};

// Whether somebody looks at the state between the parts of a step, which then run one after the other.
static inline bool pli_world_is_watched(const pli_world *world) { return world->diagnosis || world->tracing.callback; }

// A particle is stuck that has been held back (apart/stuck.h) for longer than this [s].
#define PLI_STUCK_TIME 0.5f
static inline int32_t pli_deformable_stuck_count(const pli_deformable_data *deformable)
{
    int32_t count = 0;
    for (int32_t i = 0; deformable->held_back && i < deformable->count; i++)
        count += deformable->held_back[i] > PLI_STUCK_TIME;
    return count;
}
// Whether any particle was held back in the last step.
static inline bool pli_deformable_is_held_back(const pli_deformable_data *deformable)
{
    for (int32_t i = 0; deformable->held_back && i < deformable->count; i++)
        if (deformable->held_back[i] > 0.0f)
            return true;
    return false;
}

// The i-th object of each kind, in order of creation.
static inline pli_deformable_data *pli_deformable_at(const pli_world *world, int32_t i)
{
    return (pli_deformable_data *)(void *)world->deformables.items[i];
}
static inline pli_constraint_set_data *pli_constraint_set_data_at(const pli_world *world, int32_t i)
{
    return (pli_constraint_set_data *)(void *)world->sets.items[i];
}
static inline pli_attachment_data *pli_attachment_at(const pli_world *world, int32_t i)
{
    return (pli_attachment_data *)(void *)world->attachments.items[i];
}
static inline pli_collider_data *pli_collider_at(const pli_world *world, int32_t i)
{
    return (pli_collider_data *)(void *)world->colliders.items[i];
}
static inline pli_rigid_body_data *pli_rigid_at(const pli_world *world, int32_t i)
{
    return (pli_rigid_body_data *)(void *)world->rigids.items[i];
}

static inline bool pli_deformable_is_attached_to_rigids(const pli_deformable_data *deformable)
{
    const pli_attachment_data *attachment = deformable->first_attachment;
    while (attachment && !attachment->rigid)
        attachment = attachment->next_attachment;
    return attachment != NULL;
}

// Whether its layers let its surface touch surfaces that move: its own, those of other deformables, and of what rigid bodies carry.
static inline bool pli_deformable_meets_moving(const pli_world *world, const pli_deformable_data *deformable)
{
    const uint32_t layers = deformable->def.layers, mask = deformable->def.mask;
    bool meets = deformable->def.self_collision;
    for (int32_t i = 0; !meets && i < world->deformables.count; i++) {
        const pli_deformable_data *other = pli_deformable_at(world, i);
        meets = other != deformable && pli_layers_meet(layers, mask, other->def.layers, other->def.mask);
    }
    for (int32_t i = 0; !meets && i < world->colliders.count; i++) {
        const pli_collider_data *other = pli_collider_at(world, i);
        meets = other->rigid && pli_layers_meet(layers, mask, other->def.layers, other->def.mask);
    }
    return meets;
}

// The next step finds contacts anew, by whose names it finds the forces that are kept for them.
static inline void pli_world_expect_contacts(pli_world *world)
{
    world->has_contacts = false;
    world->bearings.now.count = 0;
    pli_contacts_mark(&world->collision.contacts, 0);
}

// To be called after an object that contacts name was put elsewhere, or is to go.
static inline void pli_world_forget_contacts(pli_world *world)
{
    world->collision.contacts.forces.count = 0;
    pli_world_expect_contacts(world);
}

// To be called after a collider was put elsewhere: where its vertices were, and what contact knows of them, is stale.
static inline void pli_collider_forget_place(pli_collider_data *collider)
{
    collider->placed = collider->is_behind = collider->lags_far = collider->yielded = false;
    if (collider->surface)
        pli_contact_mesh_invalidate(collider->surface);
}

// Internal index of a vertex.
static inline int32_t pli_place(const pli_deformable_data *deformable, int32_t vertex)
{
    return deformable->order ? deformable->order[vertex] : vertex;
}

// Vertex of an internal index.
static inline int32_t pli_vertex(const pli_deformable_data *deformable, int32_t place)
{
    return deformable->vertices ? deformable->vertices[place] : place;
}

// Thickness at a place.
static inline float pli_deformable_thickness(const pli_deformable_data *deformable, int32_t place)
{
    return deformable->thicknesses ? deformable->thicknesses[place] : deformable->thickness;
}

// To be called after the definition's thickness or the painted one has changed.
static inline void pli_deformable_take_thickness(pli_deformable_data *deformable)
{
    deformable->thickness = deformable->thicknesses ? deformable->thickest : deformable->def.thickness;
}

// Contacts of a chunk of particles; null until the first contact has allocated them.
static inline pli_contact_group *pli_chunk_contacts(const pli_contact_pool *pool, int32_t chunk)
{
    return pool->groups ? pool->groups + (size_t)chunk * (size_t)pool->capacity : NULL;
}

// Whether a threshold is set, so that the deformable may tear.
static inline bool pli_tears(const pli_tearing *tearing)
{
    return tearing->stretch < INFINITY || tearing->force < INFINITY;
}

#endif
