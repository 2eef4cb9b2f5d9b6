// The data structures of a world: deformables, constraint sets, attachments, colliders and lists. They have no behaviour; the
// folders above implement it. The public interface is pliant/world.h; the step is in step/step.c.
#ifndef PLI_MODEL_MODEL_H
#define PLI_MODEL_MODEL_H

#include "base/tasks.h"
#include "base/vector.h"
#include "collision/broadphase/bvh16.h"
#include "collision/state/collision_state.h"
#include "constraints/projection.h"
#include "mesh/fabric/faces.h"
#include "model/features.h"
#include "model/kernels.h"
#include "pliant/check.h"
#include "pliant/contact.h"
#include "rigid/support_contact.h"
#include "rigid/rigid.h"
#include "shapes/contact_group.h"

// The minimum numbers of particles, constraint slots and contacts per task. They are constants, so results do not depend on
// the number of threads.
enum { PLI_PARTICLE_GRAIN = 1024, PLI_SLOT_GRAIN = 512, PLI_CONTACT_GRAIN = 1024 };

// All particles of a world in one contiguous block. Each deformable, and each collider with vertices, owns a range of it.
typedef struct pli_store {
    // Positions, predicted during a substep [m]; w is the inverse mass in effect, 0 while fixed [1/kg].
    pli_particle *particles;
    pli_particle *previous;   // Positions at the start of the substep [m].
    pli_particle *velocities; // Velocities [m/s]; w is the inverse mass without attachments [1/kg].
    pli_particle *lost;       // Rounding errors of the displacements in this substep [m]; w is 0.
    int32_t count, capacity;  // Particles in use, and particles with reserved memory.
} pli_store;

// Objects in order of creation. An object is found by its id, which is its first member and only grows.
typedef struct pli_list {
    uint32_t **items;
    int32_t count, capacity;
} pli_list;

#define PLI_FEATURE_POINTER(type, name) struct type *name;

// Arrays by vertex in internal order, with memory for `capacity` vertices, and arrays by triangle; null until they are needed.
typedef struct pli_vertex_arrays {
#define PLI_VERTEX_ROW(type, field, components, ...) type *field;
#include "model/attribute_rows.h"
} pli_vertex_arrays;

typedef struct pli_triangle_arrays {
#define PLI_TRIANGLE_ROW(type, field, components, ...) type *field;
#include "model/attribute_rows.h"
} pli_triangle_arrays;

// A deformable: its identity, its particles, and pointers to everything else. "Internal order" is the order of its particles in memory
// (sweep/vertex_order).
typedef struct pli_deformable_data {
    uint32_t id;
    char *name;
    const pli_mesh *mesh; // The mesh it was created from.
    pli_faces shape;      // Its faces now, after tears and cuts.
    int32_t count;        // Number of particles.
    // Particles for which its range has memory. The particle at this index is a dummy with inverse mass 0; padding slots
    // of constraint sets refer to it.
    int32_t capacity;
    pli_deformable_def def; // The definition; its pointers are not kept.
    float thickness;        // Thickness of its surface; the largest one if painted [m].
    // Mean and longest edge [m] and area [m2] of the mesh at rest. The longest edge is 0 without triangles.
    struct {
        float mean_edge, longest_edge, area;
    } rest;
    int32_t first, span;                             // Its range of the world's store; span is 0 until it has one.
    pli_particle *particles, *previous, *velocities; // The range, in internal order (see pli_store).
    pli_particle *lost; // The range of rounding errors of this substep; null where they are not kept.
    struct pli_constraints_data *first_set;       // First of its sets, in order of creation.
    struct pli_attachment_data *first_attachment; // First of its attachments, in order of creation.
    int32_t number;                               // During a step: its index among the world's deformables.
    bool idle;                                    // It takes no part in this step because it is paused or asleep.
    struct {
        double seconds; // Wall time of its own work in the first substep of the last step [s].
        // During a substep: external objects may move it between sweeps; they have moved it since the prediction.
        bool moved_between, moved_before;
    } during;
    uint8_t *held;             // [count] 1 while an attachment fixes the particle.
    int32_t *order;            // Internal index of each vertex; null when both orders are the same.
    int32_t *vertices;         // Vertex of each internal index; null when order is null.
    double *scratch;           // [3 * count] scratch of volume constraints; null until needed.
    pli_contact_mesh *surface; // Its surface for contact; null until needed.
    bool surface_stale;        // Its surface has outdated self-contact or thickness; the next step rebuilds it.
    pli_vertex_arrays vertex;
    pli_triangle_arrays triangle;
    struct {
        bool forced;               // Any force is set (vertex.force).
        float thickest, thinnest;  // Extremes of the painted thickness [m].
        uint32_t rigidity_version; // Increments when the rigidity is painted.
    } painted;
    // The states of its features. Each row states when the pointer is null.
    struct {
        PLI_FEATURES(PLI_FEATURE_POINTER)
    };
} pli_deformable_data;

// The limit of motion in a step with fast objects (step/fast_motion).
typedef struct pli_fast_motion {
    bool watched;               // An object may be fast enough for the limit.
    bool recoils;               // Cloth is overstretched.
    float edge;                 // The longest edge of all surfaces at rest [m].
    float own_displacement;     // Displacement of a free particle by its own motion in a substep [m].
    float longest_displacement; // Largest permitted displacement in this substep [m].
} pli_fast_motion;

// Size-optimised builds leave out tiles (sweep/tiles.h).
#ifndef PLI_HAS_TILES
#define PLI_HAS_TILES 1
#endif

// How a set was made.
typedef struct pli_set_origin {
    const char *generator; // Null for a set from an explicit list.
    uint64_t hash;         // Of the generator's name, or of the list.
    bool whole;            // It has all constraints that its generator makes of the mesh, in their order.
} pli_set_origin;

// The order in which a set is projected (src/sweep).
typedef struct pli_set_schedule {
    uint64_t structure; // Hash of it; 0 until it is needed.
    int32_t colour_count;
    int32_t *colour_offsets; // [colour_count + 1] first slot of each colour.
    int32_t *colour_sizes;   // [colour_count] constraints in each colour; kernels run slots up to a multiple of `pad`.
    int32_t pad;
    int32_t overflow; // Colour whose constraints share particles and run one by one; -1 for none.
    int32_t *
        tiles; // [colour_count * (tile_count + 1)] first slot of each tile in each colour, and of slots without a tile; or null.
    int32_t tile_count;
    uint8_t *contiguous_batches; // As in pli_projection.
    int32_t *slot_of;            // [count] slot of each constraint in order of creation; null when they are equal.
} pli_set_schedule;

// The runs of a set on a structured grid, instead of colours; null for other sets.
typedef struct pli_set_runs {
    pli_slot_run *items;
    int32_t *offsets; // [2 * block_count + 1] runs inside each block, then runs to the next block.
    int32_t block_count;
    int32_t *marks; // The run of every PLI_RUN_STRIDE-th slot, from which the run of any slot is found.
} pli_set_runs;

// Constraints of types with variable cardinality.
typedef struct pli_set_variable {
    pli_span *member_spans, *rest_spans, *triangle_spans; // [slot_count] ranges of the lists below.
    // Particles, triangles, and the same triangles by index among the constraint's members.
    int32_t *members, *triangles, *local_triangles;
    float *rest;
    double *evaluation; // Scratch: positions, gradients and normals of the largest stencil.
    int32_t largest;    // Members of the largest stencil.
} pli_set_variable;

// A constraint set, in slots: arrays over all constraints in the order of projection, with padding (sweep/cook).
typedef struct pli_constraints_data {
    uint32_t id;
    struct pli_constraints_data *next; // Next set of the same deformable.
    char *name;
    const pli_constraint_type *type;
    const pli_constraint_row *row; // Kernels of the world's back end; null for user types.
    pli_deformable_data *deformable;
    pli_set_origin made;
    bool of_attachment; // An attachment owns it.
    bool keep_lambda;   // Mean multipliers are kept for queries.
    bool unswept;       // During a step: its forces are solved (src/bending), and no sweep projects it.
    int32_t count, slot_count, degenerate_count;
    pli_set_schedule schedule;
    pli_set_runs grid_runs;
    struct pli_links *links;               // Constraints of each particle; null until the deformable may be cut.
    pli_index *index[PLI_CARDINALITY_MAX]; // Particles of each slot.
// Arrays by slot: rest values, scales, multipliers, bends and painted values.
#define PLI_CONSTRAINT_ROW(type, field, ...) type *field;
#define PLI_CONSTRAINT_ROWS(type, field, count, ...) type *field[count];
#include "model/attribute_rows.h"
    float *warps; // [3 * faces of the mesh] warp directions that were set for each face; or null.
    pli_set_variable variable;
    uint32_t zero_rest; // Bit j is set if rest value j is 0 in every slot.
    double parameters[PLI_PARAMETERS_MAX];
    float own[PLI_PARAMETERS_MAX]; // The type's own parameters, as kernels read them.
    pli_projection projection;     // During a substep: arguments of the next sweep.
    size_t memory;                 // Bytes.
} pli_constraints_data;

// An attachment: particles that follow a frame exactly (fixed), softly (through a constraint set), or a rigid body.
typedef struct pli_attachment_data {
    uint32_t id;
    pli_deformable_data *deformable;
    struct pli_attachment_data *next_attachment; // Next attachment of the same deformable.
    pli_rigid_body_data *rigid;                  // Rigid body it attaches to; or null.
    double compliance, stiffness;                // Compliance and stiffness for a rigid body.
    pli_vec3 *multipliers;                       // [count] multipliers of this substep, for a rigid body.
    bool warm_started;                           // A substep starts with the multipliers of the previous substep.
    bool fixed;                                  // Its particles follow exactly; false for a rigid body.
    bool of_hand;                                // The grab tool pulls through it with limited force: it pins nothing.
    // Particles with copies from cuts, capacity, and particles without copies; while it is off, `off_count` replaces `count`.
    int32_t count, capacity, made_count, off_count;
    int32_t *particles;       // Internal indices.
    pli_vec3 *locals;         // Positions in the frame [m].
    pli_transform pose, next; // Pose now, and at the end of the next step.
    // Point of the frame to which `locals` are relative [m]: the world's origin at creation, so that particles far out in
    // their frame keep their precision; 0 near the origin.
    pli_dvec3 pivot;
    pli_constraints_data *set; // Set of a soft attachment; null when fixed.
    // A fixed attachment moves only while no edge at its particles exceeds this multiple of its rest length. `edges` connect them to
    // particles that it does not pin, once `edges_known` is set; `targets` is scratch for the targets of its particles.
    float stretch;
    struct pli_held_edge *edges;
    int32_t edge_count;
    bool edges_known;
    struct pli_held_reach *reach; // [count] with the edges.
    pli_vec3 *targets;            // [capacity]
    // Offset from the targets at the end of the last step: the particles that missed them, the largest distance [m], and the force
    // that would bring the particles to their targets within a substep [N].
    int32_t lagging;
    double lag, lag_force;
} pli_attachment_data;

// An application frame relative to the world's origin, in double precision: for points or frames that are far out.
typedef struct pli_local_frame {
    pli_dvec3 position;
    double turn[4]; // Unit quaternion x y z w.
} pli_local_frame;

// A collider. With triangles, it has a mesh, a contact surface and a range of the store; otherwise it has none of these.
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
    // An analytic shape has a surface because it is narrow compared with the triangles of a deformable (shapes/contact_group.h).
    bool narrow;
    // The guarantee has stopped it at this pose, at the fraction `since` of the step; it continues from there.
    bool yielded;
    pli_transform yielded_at;
    float since;
    // Frames far from the application's origin, where poses are too coarse: at the start and the end of the substep, where it was
    // stopped in this step, and at the end of the last step if it missed its target.
    pli_local_frame far_from, far_to, far_yielded, far_lag;
    bool lags_far;
    bool lags;       // The last step ended before `next`, exactly at def.pose, or some vertices missed their targets.
    double lag;      // The largest distance of a vertex from its target [m]; 0 otherwise.
    int32_t lagging; // Vertices of an animated collider that the guarantee has stopped individually.
    // [3 * vertices] positions relative to the world's origin while some vertices miss their targets; `vertices` are then
    // these positions, rounded in the frame of the collider.
    float *behind;
    bool is_behind;
    bool placed; // True if its vertices in the world are placed at rest at `placed_at`.
    pli_transform placed_at;
    pli_vertex_source source; // The user's animation; null when there is none.
    void *source_user;
} pli_collider_data;

// An object of the application that the world destroys with itself.
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

// Gusts: their eddies, the displacement by the wind [m], and the integral of their strength [m].
typedef struct pli_gusts {
    pli_eddy eddies[PLI_EDDIES];
    pli_dvec3 carried;
    double turned;
} pli_gusts;

// Findings of a check, in the order of their rows.
typedef PLI_ARRAY(pli_finding) pli_findings;

typedef struct pli_diagnosis pli_diagnosis;

// The trace callback for the parts of a step, and the current stage and substep.
typedef struct pli_tracing {
    pli_trace callback; // Or null.
    void *user;
    pli_stage stage;
    int32_t substep;          // From 1.
    pli_diagnosis *diagnosis; // Set while a failed step is run again to find the cause.
} pli_tracing;

// Types of constraints and generators of the application.
typedef struct pli_world_registry {
    const pli_constraint_type **types;
    int32_t type_count, type_capacity;
    const pli_generator **generators;
    int32_t generator_count, generator_capacity;
} pli_world_registry;

// Callbacks of the application; or null.
typedef struct pli_world_callbacks {
    pli_contact_filter filter; // Null accepts every pair.
    void *filter_user;
    pli_topology_callback topology; // Called after tears and cuts.
    void *topology_user;
    pli_substep_callback substep; // Called before each substep.
    void *substep_user;
    bool substep_runs; // True inside that callback.
} pli_world_callbacks;

typedef struct pli_world_air {
    pli_air_field field; // The application's field of air velocities; or null.
    void *field_user;
    float speed; // The highest speed in the field in this step [m/s].
    pli_gusts gusts;
} pli_world_air;

// Analytic colliders in this substep, and a bounding volume hierarchy over them.
typedef struct pli_world_analytic {
    pli_moving_shape *shapes;
    int32_t capacity;
    pli_bvh16 tree;
} pli_world_analytic;

// During a step: the hierarchy over the paths of deformables and colliders (step/isolated.h), and the crowds (sweep/crowd.h).
typedef struct pli_world_isolated {
    pli_bvh16 tree;
    pli_arena crowds;
} pli_world_isolated;

// Groups of equal layers and masks (world/collision_layers.h).
typedef struct pli_world_layers {
    struct pli_layer_group *groups;
    int32_t count, capacity;
} pli_world_layers;

// Rigid bodies and deformables that act on each other.
typedef struct pli_world_coupling {
    pli_support_contacts support_contacts; // Support contacts of bodies on colliders through cloth.
    // [1 + deformables + rigid bodies] union-find parents: the first object of each island is its root.
    int32_t *islands;
    int32_t island_capacity;
} pli_world_coupling;

// The limits of motion in this step.
typedef struct pli_world_limits {
    pli_fast_motion fast;
    bool moves_out; // During a step: a deformable is being moved out of something.
} pli_world_limits;

// Data of the present step.
typedef struct pli_world_during {
    pli_world_analytic analytic;
    pli_world_isolated isolated;
    pli_world_layers layers;
    pli_world_limits limits;
} pli_world_during;

// The steps so far, and the time that the last one took.
typedef struct pli_world_timing {
    int64_t step_count, projections;
    double stage_seconds[PLI_STAGE_COUNT], step_seconds;
    double stage_end; // Time at which the last stage ended; the time between two stages counts for the later one.
    double limit;     // Wall time that a step may take [s].
} pli_world_timing;

// Warnings that have been logged, and findings.
typedef struct pli_world_reports {
    pli_findings findings; // Findings of the last check.
    bool advised;          // The first step has logged findings, or must not log any.
    bool among_many;       // Set while a list of worlds is checked for duplicates.
    // Persistent intersections: the lowest count so far, its time [s], and whether a warning was logged.
    int32_t least_intersecting;
    double intersecting_since;
    bool intersecting;
    // Warnings that were logged: an object starts inside a collider, motion was shortened by the work budget, particles are stuck.
    bool inside, shortened, stuck;
} pli_world_reports;

// The user's cooked data, from which new sets are read; or null.
typedef struct pli_world_cook {
    const unsigned char *data;
    size_t size, at;
    int32_t count, taken;
} pli_world_cook;

// Objects that the world destroys with itself.
typedef struct pli_world_lifetimes {
    pli_lifetime *items;
    int32_t count, capacity;
    bool closes; // True while the world is destroyed.
} pli_world_lifetimes;

struct pli_world {
    pli_memory memory;
    uint32_t tag; // Marks the handles of this world, so that another world refuses them.
    pli_settings settings;
    pli_order order;
    const pli_kernels *kernels; // Kernels of the back end in use.
    pli_tasks *tasks;
    // Positions in the store, positions of rigid bodies and all derived positions are relative to this point of the
    // application's coordinates [m] (model/origin.h). Poses from the application are stored as given.
    pli_dvec3 origin;
    struct {
        pli_dvec3 good, next; // Before the step, and during it.
    } origins;
    pli_store store;
    pli_collision collision;
    pli_list deformables, sets, attachments, colliders, rigids;
    uint32_t last_id;
    double time;           // Simulated time [s].
    int32_t substep_count; // Substeps of this step, or of the last one.
    bool has_contacts;     // True if the contacts of the last substep are complete and their objects exist.
    bool out_of_memory;    // True if memory ran out during the step.
    pli_world_registry registry;
    pli_world_callbacks callbacks;
    pli_world_air air;
    pli_world_coupling coupling;
    pli_world_during during;
    pli_world_timing timing;
    pli_world_reports reports;
    pli_world_cook cook;
    pli_world_lifetimes lifetimes;
    pli_tracing tracing;
};

// Whether a diagnosis or a trace reads the state between the parts of a step. The parts then run one after the other.
static inline bool pli_world_is_watched(const pli_world *world)
{
    return world->tracing.diagnosis || world->tracing.callback;
}

// The i-th object of each kind, in order of creation.
static inline pli_deformable_data *pli_deformable_at(const pli_world *world, int32_t i)
{
    return (pli_deformable_data *)(void *)world->deformables.items[i];
}
static inline pli_constraints_data *pli_constraints_data_at(const pli_world *world, int32_t i)
{
    return (pli_constraints_data *)(void *)world->sets.items[i];
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

// A collider that no layer may touch, such as the skin of a figure that is only drawn: its vertices are placed once a step.
static inline bool pli_collider_meets_nothing(const pli_collider_data *collider)
{
    return !collider->rigid && (collider->def.mask == 0 || collider->def.layers == 0);
}

// Whether its layers permit contact with moving surfaces: its own, other deformables, and colliders that rigid bodies carry.
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

// The next step searches for all contacts again. It looks up their stored forces by the names of the contacts.
static inline void pli_world_expect_contacts(pli_world *world)
{
    world->has_contacts = false;
    world->coupling.support_contacts.now.count = 0;
    pli_contacts_mark(&world->collision.contacts, 0);
}

// Call this after relocating an object that contacts name, or before removing it.
static inline void pli_world_forget_contacts(pli_world *world)
{
    world->collision.contacts.forces.count = 0;
    pli_world_expect_contacts(world);
}

// Call this after relocating a collider: the stored positions of its vertices, and their contact data, are stale.
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

// The same in a snapshot, which may have more vertices than the deformable has now: tears append them in both orders.
static inline int32_t pli_place_of(const pli_deformable_data *deformable, int32_t vertex)
{
    return vertex < deformable->count ? pli_place(deformable, vertex) : vertex;
}

// Vertex of an internal index.
static inline int32_t pli_vertex(const pli_deformable_data *deformable, int32_t place)
{
    return deformable->vertices ? deformable->vertices[place] : place;
}

// Thickness at an internal index.
static inline float pli_deformable_thickness(const pli_deformable_data *deformable, int32_t place)
{
    return deformable->vertex.thickness ? deformable->vertex.thickness[place] : deformable->thickness;
}

// Call this after the definition's thickness or the painted thickness has changed.
static inline void pli_deformable_take_thickness(pli_deformable_data *deformable)
{
    deformable->thickness = deformable->vertex.thickness ? deformable->painted.thickest : deformable->def.thickness;
}

// Whether the step leaves the deformable as it is: it is idle, and the origin does not move.
static inline bool pli_deformable_is_left_alone(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_dvec3 *a = &world->origins.good, *b = &world->origins.next;
    return deformable->idle && a->x == b->x && a->y == b->y && a->z == b->z;
}

// Whether a threshold is set, so that the deformable may tear.
static inline bool pli_tears(const pli_tearing *tearing)
{
    return tearing->stretch < INFINITY || tearing->force < INFINITY;
}

#endif
