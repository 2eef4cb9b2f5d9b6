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
#include "pliant/contact.h"
#include "rigid/rigid.h"
#include "shapes/contact_group.h"

// Particles a task works on at least, and constraint slots. Fixed, so that nothing depends on threads.
enum { PLI_PARTICLE_GRAIN = 1024, PLI_SLOT_GRAIN = 512, PLI_CONTACT_GRAIN = 1024 };

// All particles of a world in one run of memory. Each deformable, and each collider with vertices, has a range of it.
typedef struct pli_store {
    // Positions, predicted during a substep [m]; w is the inverse mass in effect, 0 while fixed [1/kg].
    pli_particle *particles;
    pli_particle *previous;   // Positions at the start of the substep [m].
    pli_particle *velocities; // Velocities [m/s]; w is the inverse mass without attachments [1/kg].
    int32_t count, capacity;  // Particles in use, and particles that memory is reserved for.
} pli_store;

// Objects in order of creation, found by an id that is their first member and only grows.
typedef struct pli_list {
    uint32_t **items;
    int32_t count, capacity;
} pli_list;

// What the user said to a particle and a collider.
typedef struct pli_filter_answer {
    int32_t particle, collider;
    bool allowed;
} pli_filter_answer;

// Contacts of one deformable, in the chunks of particles that they were found in.
typedef struct pli_contact_pool {
    pli_contact_group *groups;
    int32_t capacity; // Of one chunk.
    int32_t chunk_count;
    int32_t *counts; // [chunk_count]
    pli_filter_answer *filter_answers,
        *next_filter_answers; // Of the last substep, and of this one while they are collected.
    int32_t filter_answer_count, filter_answer_capacity, next_capacity;
} pli_contact_pool;

// The motion of a whole: what damping spares, and what free flight keeps.
typedef struct pli_rigid_motion {
    double mass;                // [kg]
    pli_dvec3 centre, velocity; // [m], [m/s]
    pli_dvec3 spin_momentum;    // Angular momentum about the centre [kg m2/s].
    double inertia[6];          // About the centre: xx yy zz xy xz yz [kg m2].
} pli_rigid_motion;

typedef struct pli_deformable_data {
    uint32_t id;
    char *name;
    const pli_mesh *mesh;                            // As given.
    pli_faces shape;                                 // Its faces as they are now.
    int32_t count;                                   // Particles.
    int32_t capacity;                                // Room for them; at this place lies the dummy of inverse mass 0.
    pli_deformable_def def;                          // Its pointers are not kept.
    float thickness;                                 // [m]
    int32_t first, span;                             // Of the world's store; span is 0 until it has a range.
    pli_particle *particles, *previous, *velocities; // The range, as of pli_store.
    pli_particle *normals;                           // Unit, internal order; null until a set needs them.
    pli_particle *faces;                             // [triangles] scratch of normals and wind; null until needed.
    int32_t *corners; // [3 * triangles] their internal places, when has_corners; null like these.
    bool has_corners; // Lost when triangles or the order change.
    pli_particle *good_particles, *good_velocities; // Before the step; null where the user's order keeps that.
    float *forces;                                  // [3 * count] user forces for the next step; null until used.
    bool forced;
    struct pli_constraint_set_data *first_set;    // Its sets, in order of creation,
    struct pli_attachment_data *first_attachment; // and what ties it.
    int32_t number;                               // During a step: of the deformable among the world's.
    bool free;                                    // During a step: nothing ties it to the world.
    pli_rigid_motion whole; // Before the projections of this substep, when momentum is to be kept.
    uint8_t *held;          // [count] 1 while an attachment holds it.
    double *scratch;        // [3 * count] of volume constraints; null until needed.
    double *sums;           // Partial sums of damping, a row for each chunk.
    int32_t *order;         // Internal place of each vertex; null when they are the same.
    int32_t *vertices;      // Vertex of each internal place; null when order is.
    pli_particle *user_particles, *user_velocities; // In the user's order; null when order is.
    pli_particle *user_normals;                     // For the public view.
    bool user_normals_fresh;
    pli_contact_pool pool;
    struct pli_grid_layout *grid;      // Null unless the mesh is one.
    pli_contact_mesh *surface;         // For contact between surfaces; null until needed.
    struct pli_tear_state *tear_state; // Null until it may be cut.
    struct pli_limit *limit;           // Of its stretch; null until a step needs it.
    struct pli_wavefronts *wavefronts; // In sequential order: stretches of its sets that run wide.
    bool reshaped;                     // By cuts, since that was made.
} pli_deformable_data;

typedef struct pli_constraint_set_data {
    uint32_t id;
    struct pli_constraint_set_data *next; // Of the same deformable.
    char *name;
    const pli_constraint_type *type;
    const pli_constraint_row *row; // Of the world's back end; null for user types.
    const char *generator;
    pli_deformable_data *deformable;
    bool whole;         // All that the generator makes of the mesh, in its order.
    bool of_attachment; // Made and destroyed with an attachment.
    bool anchored;      // As of pli_projection.
    bool keep_lambda;
    uint64_t source; // Hash of the generator's name, or of the list it was made from.
    int32_t count, slot_count, colour_count, degenerate_count;
    int32_t *colour_offsets; // [colour_count + 1] where each colour begins, in slots.
    int32_t *colour_sizes;   // [colour_count] constraints in each; slots up to a multiple of `pad` are run.
    int32_t pad;
    pli_slot_run *runs;   // Of a grid, instead of colours; null for others.
    int32_t *run_offsets; // [2 * block_count + 1] the blocks' insides, then what leads from each to the next.
    int32_t block_count;
    int32_t *run_marks;          // The run of every PLI_RUN_STRIDE-th slot, to find those of others from.
    int32_t overflow;            // The colour whose constraints share particles: run one by one; -1 for none.
    struct pli_links *links;     // Null until the deformable may be cut.
    uint8_t *contiguous_batches; // As of pli_projection.
    int32_t *slot_of;            // [count] in order of creation; null when they are the same.
    pli_index *index[PLI_CARDINALITY_MAX];
    float *rest[PLI_REST_MAX];
    float *compliance_scale, *state, *good_state;         // good_state: before the step.
    float *lambda[3];                                     // Null until multipliers are needed.
    pli_span *member_spans, *rest_spans, *triangle_spans; // [slot_count] variable types:
    int32_t *members, *triangles, *local_triangles;       // of particles, and of places among the constraint's members.
    float *variable_rest;
    double *evaluation; // Positions, gradients and normals of the largest variable stencil.
    int32_t largest;
    uint32_t zero_rest;
    double parameters[PLI_PARAMETERS_MAX];
    float own[PLI_PARAMETERS_MAX]; // The type's own, as kernels read them.
    pli_projection projection;     // During a substep: of the sweep to come.
    size_t memory;
} pli_constraint_set_data;

typedef struct pli_attachment_data {
    uint32_t id;
    pli_deformable_data *deformable;
    struct pli_attachment_data *next_attachment; // Of the same deformable.
    pli_rigid_body_data *rigid;                  // That it ties to, or null.
    double compliance, stiffness;                // Of a tie to a rigid body.
    pli_vec3 *multipliers;                       // [count] of this substep; of a tie to a rigid body.
    int32_t count, capacity, made_count;         // With copies by cuts, room, and without.
    int32_t *particles;                          // Internal places.
    pli_vec3 *locals;                            // In the frame.
    pli_transform pose, next;
    pli_constraint_set_data *set; // Of a soft attachment; null when held.
} pli_attachment_data;

typedef struct pli_collider_data {
    uint32_t id;
    pli_collider_def def;
    pli_transform next;
    // Of those with vertices; null for others:
    const pli_mesh *mesh; // A reference, or the hull.
    pli_contact_mesh *surface;

    float *vertices, *next_vertices; // [3 * vertices] in the collider's frame.
    int32_t first, span;             // Of the world's store, for the vertices in the world.
    pli_rigid_body_data *rigid;      // That carries it, or null.
    bool moving;                     // During this step.
    bool placed;                     // Its vertices in the world are those of it at rest at `placed_at`.
    pli_transform placed_at;
    pli_vertex_source source; // Null when there is none.
    void *source_user;
} pli_collider_data;

// What a host gave the world to destroy with it.
typedef struct pli_lifetime {
    void *thing;
    void (*destroy)(void *thing);
} pli_lifetime;

typedef struct pli_diagnosis pli_diagnosis;

struct pli_world {
    pli_memory memory;
    uint32_t tag; // Of its handles, apart from those of other worlds.
    pli_settings settings;
    pli_order order;
    const pli_kernels *kernels; // Of the back end in use.
    pli_tasks *tasks;
    pli_store store;
    pli_collision collision;
    pli_list deformables, sets, attachments, colliders, rigids;
    uint32_t last_id;
    const pli_constraint_type **user_types;
    int32_t user_type_count, user_type_capacity;
    pli_contact_filter filter; // Null lets all touch.
    void *filter_user;
    pli_topology_callback remap;
    void *remap_user;
    bool has_contacts;        // Those of the last substep are whole and of things that are there.
    pli_moving_shape *shapes; // Of the current substep.
    int32_t shape_capacity;
    pli_bvh16 shape_tree; // Over them.
    struct pli_layer_group *layer_groups;
    int32_t layer_group_count, layer_group_capacity;
    pli_substep_callback host;
    void *host_user;
    bool host_runs; // Inside the callback.
    double time;
    int64_t step_count, projections;
    double stage_seconds[PLI_STAGE_COUNT], step_seconds;
    double stage_end;   // When the last stage of this step was over; what comes between two counts to the next.
    bool out_of_memory; // Memory ran out during the step.
    int32_t *islands;   // [1 + deformables + rigid bodies] towards the first of each island.
    int32_t island_capacity;
    // Of intersections that stay: the fewest so far, since when, and whether that was said.
    int32_t least_intersecting;
    double intersecting_since; // [s]
    bool told_intersecting;
    const unsigned char *cooked; // The user's bytes that new sets are taken from; null when they are cooked.
    size_t cooked_size, cooked_at;
    int32_t cooked_count, cooked_taken;
    pli_lifetime *kept;
    int32_t kept_count, kept_capacity;
    pli_diagnosis *diagnosis; // Set while a blown-up step is run again to find the cause.
};

// The i-th of each kind.
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

// Internal place of a vertex.
static inline int32_t pli_place(const pli_deformable_data *deformable, int32_t vertex)
{
    return deformable->order ? deformable->order[vertex] : vertex;
}

// Vertex at an internal place.
static inline int32_t pli_vertex(const pli_deformable_data *deformable, int32_t place)
{
    return deformable->vertices ? deformable->vertices[place] : place;
}

// Contacts of a chunk of particles; null before the first contact has made room.
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
