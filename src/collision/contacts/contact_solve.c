// The solver of contacts. Fills the SIMD blocks (contact_kernels.h), runs the kernels colour by colour, and copies accumulated impulses back.
#include "collision/contacts/contact.h"

#include "collision/contacts/contact_kernels.h"

#include <string.h>

enum { BLOCK_GRAIN = 8 };

typedef struct contact_batching {
    pli_collision *collision;
    int32_t begin, end; // Range of blocks.
    float bounce;
    bool rebounds, with_friction, again;
} contact_batching;

static void fill_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        pli_contact_block *b = &collision->contacts.blocks.items[i];
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++)
            if (b->contact[lane] < 0) {
                for (int k = 0; k < 4; k++) {
                    b->at[k][lane] = collision->dummy;
                    b->weights[k][lane] = 0.0f;
                    b->lost[k][0][lane] = b->lost[k][1][lane] = b->lost[k][2][lane] = 0.0f;
                }
                b->drag[0][lane] = b->drag[1][lane] = b->drag[2][lane] = 0.0f;
                b->normal[0][lane] = b->normal[1][lane] = b->normal[2][lane] = 0.0f;
                b->depth[lane] = b->friction[lane] = b->restitution[lane] = b->approach[lane] = 0.0f;
                b->normal_sum[lane] = b->friction_sum[lane] = b->slips[lane] = b->restitution_impulse[lane] = 0.0f;
                b->again[lane] = 0.0f;
                b->contact[lane] = -1;
            } else {
                const pli_surface_contact *t = &collision->contacts.surface_contacts.items[b->contact[lane]];
                for (int k = 0; k < 4; k++) {
                    b->at[k][lane] = t->at[k];
                    b->weights[k][lane] = t->weights[k];
                    b->lost[k][0][lane] = b->lost[k][1][lane] = b->lost[k][2][lane] = 0.0f;
                }
                b->drag[0][lane] = b->drag[1][lane] = b->drag[2][lane] = 0.0f;
                b->normal[0][lane] = t->normal.x, b->normal[1][lane] = t->normal.y, b->normal[2][lane] = t->normal.z;
                b->depth[lane] = t->depth;
                b->friction[lane] = t->friction;
                b->restitution[lane] = t->restitution;
                b->approach[lane] = t->approach;
                b->normal_sum[lane] = t->normal_sum;
                b->friction_sum[lane] = t->friction_sum;
                b->slips[lane] = t->slips;
                b->restitution_impulse[lane] = t->restitution_impulse;
                b->again[lane] = 0.0f;
            }
    }
}

static void collect_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        const pli_contact_block *b = &collision->contacts.blocks.items[i];
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++) {
            if (b->contact[lane] < 0)
                continue;
            pli_surface_contact *t = &collision->contacts.surface_contacts.items[b->contact[lane]];
            t->normal_sum = b->normal_sum[lane], t->friction_sum = b->friction_sum[lane], t->slips = b->slips[lane],
            t->restitution_impulse = b->restitution_impulse[lane];
        }
    }
}

static void sweep_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    const pli_contact_arrays on = {collision->particles,
                                   collision->velocities,
                                   collision->previous,
                                   collision->substep.length,
                                   p->with_friction,
                                   p->again,
                                   collision->contacts.warm_started};
    int32_t begin = p->begin + chunk * BLOCK_GRAIN;
    int32_t count = p->end - begin < BLOCK_GRAIN ? p->end - begin : BLOCK_GRAIN;
    if (p->rebounds)
        collision->kernels.contact_batches->rebound(&on, &collision->contacts.blocks.items[begin], count, p->bounce);
    else
        collision->kernels.contact_batches->project(&on, &collision->contacts.blocks.items[begin], count);
}

static void batch_run(contact_batching *p, pli_task task)
{
    if (p->begin < p->end)
        pli_tasks_run(p->collision->tasks, (p->end - p->begin + BLOCK_GRAIN - 1) / BLOCK_GRAIN, task, p);
}

static void fill_blocks(pli_collision *collision)
{
    contact_batching p = {.collision = collision, .end = collision->contacts.block_starts[PLI_CONTACT_COLOURS]};
    batch_run(&p, fill_chunk);
}

// `fill` copies the contacts into the blocks, `collect` copies the accumulated impulses of the blocks back.
static void collect_blocks(pli_collision *collision)
{
    contact_batching p = {.collision = collision, .end = collision->contacts.block_starts[PLI_CONTACT_COLOURS]};
    batch_run(&p, collect_chunk);
}

// Colours run one after the other; the blocks of a colour share no movable particle and run in parallel.
static void batch_sweep(pli_collision *collision, bool rebounds, float bounce, bool with_friction, bool again)
{
    for (int32_t c = 0; c < PLI_CONTACT_COLOURS; c++) {
        contact_batching p = {collision,
                              collision->contacts.block_starts[c],
                              collision->contacts.block_starts[c + 1],
                              bounce,
                              rebounds,
                              with_friction,
                              again};
        batch_run(&p, sweep_chunk);
    }
}

static void project_blocks(pli_collision *collision, bool with_friction, bool again)
{
    batch_sweep(collision, false, 0.0f, with_friction, again);
}

// One sweep over all blocks: positions (`project`; with `again` only marked contacts), or velocities (`rebound`, with the threshold
// `bounce` [m/s]).
static void rebound_blocks(pli_collision *collision, float bounce)
{
    batch_sweep(collision, true, bounce, false, false);
}

/* ---- colours, sweeps and islands ------------------------------------------------------------- */

// Projection of contacts: graph colouring into SIMD blocks, and a scalar solver for contacts with a rigid body, where
// each contact changes the pose that the next one uses.
//
//    contacts -> greedy colouring (64 colours, a bit mask for each particle)
//                  |-- colour c: blocks of 16, in parallel
//                  `-- rigid body, or no free colour: scalar, one after the other

// Within a colour, contacts that are likely to push come first, so that most blocks of the others need only a test.
// Contacts are ranked by the predicted distance beyond the rest distance, as a fraction of the rest distance.
enum { RANKS = 4 };
static const float rank_gaps[RANKS - 1] = {0.0f, 0.01f, 0.04f};

enum { SCALAR = PLI_CONTACT_COLOURS }; // Pseudo colour of contacts that are solved one at a time.

// Rigid body on one side of a contact.
typedef struct rigid_side {
    pli_rigid_body_data *rigid; // Null for a contact without a rigid body.
    pli_vec3 *lost;             // [4] displacements that rounding removed from the particles [m].
    float sign;                 // Sign of the contact's impulse on the body: 1 on side a, -1 on side b.
    pli_vec3 point;             // Contact point on the deformable's side [m].
    pli_vec3 moved;             // Displacement of the body's surface since its collider particles were placed [m].
    pli_vec3 material;          // Displacement of the body's material at the point since the start of the substep [m].
} rigid_side;

static pli_rigid_body_data *rigid_of(const pli_collision *collision, const pli_surface_contact *t, float *sign)
{
    for (int side = 0; side < 2; side++) {
        *sign = side == 0 ? 1.0f : -1.0f;
        if (collision->surfaces[t->surface[side]]->rigid)
            return collision->surfaces[t->surface[side]]->rigid;
    }
    return NULL;
}

static int32_t choose_colour(pli_collision *collision, const pli_surface_contact *t)
{
    float sign;
    if (rigid_of(collision, t, &sign))
        return SCALAR;
    uint64_t used = 0;
    for (int i = 0; i < 4; i++)
        if (collision->particles[t->at[i]].w > 0.0f)
            used |= collision->contacts.masks[t->at[i]];
    if (used == UINT64_MAX)
        return SCALAR;
    int32_t colour = (int32_t)__builtin_ctzll(~used);
    for (int i = 0; i < 4; i++)
        collision->contacts.masks[t->at[i]] |= 1ull << colour;
    return colour;
}

// If contacts are few, only the masks of their particles are cleared.
static void clear_masks(pli_collision *collision)
{
    if (collision->contacts.surface_contacts.count >= collision->particle_count / 4) {
        memset(collision->contacts.masks, 0, (size_t)collision->particle_count * sizeof *collision->contacts.masks);
        return;
    }
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++)
        for (int k = 0; k < 4; k++)
            collision->contacts.masks[collision->contacts.surface_contacts.items[i].at[k]] = 0;
}

// Rank of a contact within its colour: how far it is from pushing at the predicted positions.
static int32_t contact_rank(const pli_collision *collision, const pli_surface_contact *t)
{
    float gap = t->approach * collision->substep.length - t->depth;
    int32_t rank = 0;
    while (rank < RANKS - 1 && gap > rank_gaps[rank] * t->rest_distance)
        rank++;
    return rank;
}

// Assigns a colour to each contact and counts the contacts of each colour and rank.
static void choose_colours(pli_collision *collision, int32_t counts[SCALAR + 1][RANKS])
{
    clear_masks(collision);
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        pli_surface_contact *t = &collision->contacts.surface_contacts.items[i];
        t->colour = choose_colour(collision, t);
        counts[t->colour][contact_rank(collision, t)]++;
    }
}

// Assigns contacts to lanes of blocks, or to the scalar list, in their order.
static void place_surface_contacts(pli_collision *collision, int32_t counts[SCALAR][RANKS])
{
    int32_t next[SCALAR][RANKS];
    for (int32_t c = 0; c < SCALAR; c++) {
        next[c][0] = collision->contacts.block_starts[c] * PLI_CONTACT_LANES;
        for (int32_t r = 1; r < RANKS; r++)
            next[c][r] = next[c][r - 1] + counts[c][r - 1];
    }
    for (int32_t i = 0; i < collision->contacts.block_starts[SCALAR]; i++)
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++)
            collision->contacts.blocks.items[i].contact[lane] = -1;
    collision->contacts.scalar.count = 0;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        int32_t colour = collision->contacts.surface_contacts.items[i].colour;
        if (colour == SCALAR) {
            collision->contacts.scalar.items[collision->contacts.scalar.count++] = (pli_scalar_contact){.contact = i};
            continue;
        }
        int32_t slot = next[colour][contact_rank(collision, &collision->contacts.surface_contacts.items[i])]++;
        collision->contacts.blocks.items[slot / PLI_CONTACT_LANES].contact[slot % PLI_CONTACT_LANES] = i;
    }
}

static int32_t rank_sum(const int32_t counts[RANKS])
{
    int32_t sum = 0;
    for (int32_t r = 0; r < RANKS; r++)
        sum += counts[r];
    return sum;
}

static bool colour(pli_collision *collision)
{
    int32_t counts[SCALAR + 1][RANKS] = {{0}};
    pli_contacts *contacts = &collision->contacts;
    contacts->masks = PLI_TAKE(&collision->arena, uint64_t, collision->particle_count);
    if (!contacts->masks)
        return false;
    choose_colours(collision, counts);
    for (int32_t c = 0; c < SCALAR; c++)
        contacts->block_starts[c + 1] = contacts->block_starts[c] +
                                        (rank_sum(counts[c]) + PLI_CONTACT_LANES - 1) / PLI_CONTACT_LANES;
    if (!pli_array_reserve_unset(collision->memory, &contacts->blocks, contacts->block_starts[SCALAR]) ||
        !pli_array_reserve_unset(collision->memory, &contacts->scalar, rank_sum(counts[SCALAR])))
        return false;
    place_surface_contacts(collision, counts);
    fill_blocks(collision);
    return true;
}

bool pli_surface_contacts_colour(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool complete = colour(collision);
    pli_arena_end(&collision->arena, scope);
    return complete;
}

// Displacement of side a relative to side b since the start of the substep. The differences per particle are exact at
// any position; differences of weighted sums would round differently in each state.
static pli_vec3 displaced(const pli_collision *collision, const pli_surface_contact *t)
{
    pli_vec3 sum = pli_scale(pli_displacement_of(collision, t->at[0]), t->weights[0]);
    for (int i = 1; i < 4; i++)
        sum = pli_add(sum, pli_scale(pli_displacement_of(collision, t->at[i]), t->weights[i]));
    return sum;
}

// Displacement of one side alone: side a for a positive sign, side b for a negative one.
static pli_vec3 side_displaced(const pli_collision *collision, const pli_surface_contact *t, float sign)
{
    pli_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        if (sign * t->weights[i] > 0.0f)
            sum = pli_add(sum, pli_scale(pli_displacement_of(collision, t->at[i]), sign * t->weights[i]));
    return sum;
}

// Sum of w * weight^2: the inverse mass against an impulse along any direction [1/kg].
static float inverse_mass_of(const pli_collision *collision, const pli_surface_contact *t)
{
    float sum = 0.0f;
    for (int i = 0; i < 4; i++)
        sum += collision->particles[t->at[i]].w * t->weights[i] * t->weights[i];
    return sum;
}

// Contact point on one side: side a for a positive sign, side b for a negative one [m].
static pli_vec3 side_point(const pli_surface_contact *t, const pli_particle *particles, float sign)
{
    pli_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        if (sign * t->weights[i] > 0.0f)
            sum = pli_add(sum, pli_scale(pli_position_of(&particles[t->at[i]]), sign * t->weights[i]));
    return sum;
}

// Reads the body's current pose: earlier contacts of the sweep have moved it since its collider was placed.
static rigid_side rigid_side_of(const pli_collision *collision, const pli_surface_contact *t, pli_vec3 lost[4])
{
    rigid_side c = {.lost = lost};
    c.rigid = rigid_of(collision, t, &c.sign);
    if (!c.rigid)
        return c;
    const pli_rigid_pose *now = &c.rigid->now.pose;
    pli_vec3 placed = side_point(t, collision->particles, c.sign);
    c.point = side_point(t, collision->particles, -c.sign);
    c.moved = pli_sub(pli_rigid_carry(&c.rigid->placed_pose, now, placed), placed);
    c.material = pli_sub(c.point, pli_rigid_carry(now, &c.rigid->previous, c.point));
    return c;
}

static float inverse_mass_with(const rigid_side *c, float inverse_mass, pli_vec3 direction)
{
    return c->rigid ? inverse_mass + pli_rigid_inverse_mass(c->rigid, c->point, direction) : inverse_mass;
}

static void move_both(pli_collision *collision, const pli_surface_contact *t, const rigid_side *c, pli_vec3 push)
{
    // Rounding removes a part of each displacement. The part is kept for the velocities: friction in short substeps is a
    // few units in the last place.
    for (int i = 0; i < 4; i++) {
        pli_particle *p = &collision->particles[t->at[i]];
        pli_vec3 from = pli_position_of(p), by = pli_scale(push, p->w * t->weights[i]), to = pli_add(from, by);
        c->lost[i] = pli_add(c->lost[i], pli_sub(by, pli_sub(to, from)));
        p->x = to.x, p->y = to.y, p->z = to.z;
    }
    if (c->rigid)
        pli_rigid_push(c->rigid, c->point, pli_scale(push, c->sign));
}

// Slip of side a relative to side b since the start of the substep [m].
static pli_vec3 slip_of(const pli_collision *collision, const pli_surface_contact *t, const rigid_side *c)
{
    if (!c->rigid)
        return displaced(collision, t);
    return pli_scale(pli_sub(c->material, side_displaced(collision, t, -c->sign)), c->sign);
}

// Coulomb friction on positions: an impulse of at most friction times the normal impulse undoes slip since the start of
// the substep. Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, section 3.5.
static void apply_friction(pli_collision *collision, pli_surface_contact *t, const rigid_side *c, float inverse_mass)
{
    pli_vec3 slip = slip_of(collision, t, c);
    pli_vec3 along = pli_sub(slip, pli_scale(t->normal, pli_dot(slip, t->normal)));
    float length = pli_length(along), limit = t->friction * t->normal_sum - t->friction_sum;
    t->slips = 0.0f;
    if (!(length > 0.0f))
        return;
    pli_vec3 direction = pli_scale(along, 1.0f / length);
    float held = length / inverse_mass_with(c, inverse_mass, direction), push = fminf(held, limit);
    t->slips = limit < held ? 1.0f : 0.0f;
    if (!(push > 0.0f))
        return;
    t->friction_sum += push;
    move_both(collision, t, c, pli_scale(direction, -push));
}

// Friction for contacts that start from the forces of the previous substep (contact_kernels.c).
static void follow_friction(pli_collision *collision, pli_surface_contact *t, const rigid_side *c, float inverse_mass)
{
    pli_vec3 slip = slip_of(collision, t, c);
    pli_vec3 along = pli_sub(slip, pli_scale(t->normal, pli_dot(slip, t->normal)));
    float length = pli_length(along), limit = t->friction * t->normal_sum;
    pli_vec3 stopped = t->drag;
    if (length > 0.0f)
        stopped = pli_sub(stopped,
                          pli_scale(along, 1.0f / inverse_mass_with(c, inverse_mass, pli_scale(along, 1.0f / length))));
    float held = pli_length(stopped);
    t->slips = held > limit ? 1.0f : 0.0f;
    if (held > limit)
        stopped = pli_scale(stopped, limit / held);
    move_both(collision, t, c, pli_sub(stopped, t->drag));
    t->drag = stopped;
    t->friction_sum = held > limit ? limit : held;
}

// Cloth is pressed if the sweeps have drawn it further than this fraction of its mean edge into a body of more than HEAVIER times its
// mass, unless the body moves away from it in this substep: sweeps that push a body away make it bounce higher than it fell.
#define PRESSED_DEPTH 0.001f
#define HEAVIER 4.0f

static void note_depth(const pli_collision *collision, const pli_surface_contact *t, const rigid_side *c, float depth,
                       float inverse_mass)
{
    pli_contact_mesh *cloth = collision->surfaces[t->surface[c->sign > 0.0f ? 1 : 0]];
    if (cloth->load.pressed || !(depth > PRESSED_DEPTH * cloth->mean_edge))
        return;
    if (pli_dot(c->material, t->normal) * c->sign > 0.0f)
        return;
    float heavy = pli_rigid_inverse_mass(c->rigid, c->point, t->normal);
    // It is never reset to false here: another thread may have set it.
    if (heavy > 0.0f && inverse_mass > HEAVIER * heavy)
        cloth->load.pressed = true;
}

// A contact that others have pushed beyond its distance gives back the part of its own impulse that friction has not used.
static void contact_project_one(pli_collision *collision, pli_surface_contact *t, const rigid_side *c,
                                bool with_friction)
{
    float inverse_mass = inverse_mass_of(collision, t),
          normal_inverse_mass = inverse_mass_with(c, inverse_mass, t->normal);
    if (!(normal_inverse_mass > 0.0f))
        return;
    pli_vec3 moved = pli_add(displaced(collision, t), pli_scale(c->moved, c->sign));
    float depth = t->depth - pli_dot(t->normal, moved);
    if (c->rigid && !with_friction)
        note_depth(collision, t, c, depth, inverse_mass);
    const bool warm = collision->contacts.warm_started;
    float spare = t->normal_sum - (t->friction > 0.0f && !warm ? t->friction_sum / t->friction : 0.0f);
    float push = pli_higher(depth / normal_inverse_mass, -pli_higher(spare, 0.0f));
    if (push != 0.0f) {
        t->normal_sum += push;
        move_both(collision, t, c, pli_scale(t->normal, push));
    }
    if (!with_friction || !(t->friction > 0.0f) || !(t->normal_sum > 0.0f || (warm && t->friction_sum > 0.0f)))
        return;
    rigid_side pushed = c->rigid ? rigid_side_of(collision, t, c->lost) : *c;
    if (warm)
        follow_friction(collision, t, &pushed, inverse_mass);
    else
        apply_friction(collision, t, &pushed, inverse_mass);
}

// Does the contact belong to an island that is swept again?
static bool is_swept_again(const pli_collision *collision, const pli_surface_contact *t)
{
    int32_t side = pli_contact_mesh_is_kinematic(collision->surfaces[t->surface[0]]) ? 1 : 0;
    return collision->surfaces[t->surface[side]]->load.sinking > 0.0f;
}

static void contact_project_all(pli_collision *collision, bool with_friction, bool again)
{
    project_blocks(collision, with_friction, again);
    for (int32_t i = 0; i < collision->contacts.scalar.count; i++) {
        pli_scalar_contact *alone = &collision->contacts.scalar.items[i];
        pli_surface_contact *t = &collision->contacts.surface_contacts.items[alone->contact];
        if (again && !is_swept_again(collision, t))
            continue;
        rigid_side c = rigid_side_of(collision, t, alone->lost);
        contact_project_one(collision, t, &c, with_friction);
    }
}

// Contacts push one another beyond their distances. The second pass undoes this, so friction gets only the impulses
// that are needed: with one pass, friction holds cloth on finer cloth up to a third more strongly.
void pli_collision_project(pli_collision *collision, bool again)
{
    contact_project_all(collision, false, again);
    contact_project_all(collision, true, again);
}

// Largest ratio between the inverse masses of a contact's sides. Beyond it, sweeps would converge too slowly and strain the light side.
#define MOST_RATIO 100.0f

// An island is swept again as long as each sweep leaves less than this fraction of the previous sinking.
#define SINKING_LEFT 0.99f

// How much closer the sides of a contact come in this substep [m], if it is deeper than it recovers in a substep. Its push does not grow
// with depth, so one sweep may not carry its load. Cloth with attachments is excluded, since contact would stretch it against its pins.
static float sinking_of(const pli_collision *collision, const pli_surface_contact *t)
{
    if (!(t->recovery > 0.0f) || t->depth < t->recovery || !collision->surfaces[t->surface[0]]->load.loose ||
        !collision->surfaces[t->surface[1]]->load.loose)
        return 0.0f;
    float sides[2] = {0.0f, 0.0f};
    for (int i = 0; i < 4; i++)
        sides[i >= t->split] += collision->particles[t->at[i]].w * t->weights[i] * t->weights[i];
    float most = fmaxf(sides[0], sides[1]), least = fminf(sides[0], sides[1]);
    float sinking = most > 0.0f ? -pli_dot(t->normal, displaced(collision, t)) : 0.0f;
    return sinking > 0.0f && least > 0.0f && most > MOST_RATIO * least ? INFINITY : sinking;
}

static bool any_sinks(const pli_collision *collision)
{
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++)
        if (sinking_of(collision, &collision->contacts.surface_contacts.items[i]) > 0.0f)
            return true;
    return false;
}

// Measures how far each island sinks. Returns whether any island still sinks, and less than before.
static bool measure_islands(pli_collision *collision)
{
    bool any = false;
    for (int32_t s = 0; s < collision->surface_count; s++)
        collision->surfaces[s]->load.sank = collision->surfaces[s]->load.sinking,
        collision->surfaces[s]->load.sinking = 0.0f;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        const pli_surface_contact *t = &collision->contacts.surface_contacts.items[i];
        int32_t side = pli_contact_mesh_is_kinematic(collision->surfaces[t->surface[0]]) ? 1 : 0;
        pli_contact_mesh *root = collision->surfaces[pli_collision_link_of(collision, t->surface[side])];
        root->load.sinking = fmaxf(root->load.sinking, sinking_of(collision, t));
    }
    // A root comes before the other surfaces of its island.
    for (int32_t s = 0; s < collision->surface_count; s++) {
        pli_contact_mesh *of = collision->surfaces[s], *root = collision->surfaces[pli_collision_link_of(collision, s)];
        of->load.sinking = of != root || root->load.sinking < SINKING_LEFT * root->load.sank ? root->load.sinking
                                                                                             : 0.0f;
        any = any || of->load.sinking > 0.0f;
    }
    return any;
}

bool pli_collision_find_sinking(pli_collision *collision, bool first)
{
    if (first && !any_sinks(collision))
        return false;
    if (first) {
        // Join the surfaces that contacts connect, except kinematic ones, which transmit nothing.
        pli_collision_reset_links(collision);
        for (int32_t s = 0; s < collision->surface_count; s++) {
            collision->surfaces[s]->load.sinking = INFINITY;
            if (collision->surfaces[s]->rigid)
                pli_collision_link(collision, s, collision->surfaces[s]->rigid->leader);
        }
        for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
            const int32_t *sides = collision->contacts.surface_contacts.items[i].surface;
            if (!pli_contact_mesh_is_kinematic(collision->surfaces[sides[0]]) &&
                !pli_contact_mesh_is_kinematic(collision->surfaces[sides[1]]))
                pli_collision_link(collision, sides[0], sides[1]);
        }
    }
    if (!measure_islands(collision))
        return false;
    for (int32_t i = 0; i < collision->contacts.block_starts[SCALAR]; i++) {
        pli_contact_block *b = &collision->contacts.blocks.items[i];
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++)
            b->again[lane] = b->contact[lane] >= 0 &&
                                     is_swept_again(collision,
                                                    &collision->contacts.surface_contacts.items[b->contact[lane]])
                                 ? 1.0f
                                 : 0.0f;
    }
    return true;
}

void pli_collision_mark_touched(pli_collision *collision)
{
    collect_blocks(collision);
    for (int32_t s = 0; s < collision->surface_count; s++)
        collision->surfaces[s]->load.touched = false;
    pli_collision_reset_links(collision);
    int32_t linked[2] = {-1, -1};
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        const pli_surface_contact *t = &collision->contacts.surface_contacts.items[i];
        const int32_t *sides = t->surface;
        // Consecutive contacts mostly connect the same two surfaces.
        if (!(t->normal_sum > 0.0f) || sides[0] == sides[1] || (sides[0] == linked[0] && sides[1] == linked[1]))
            continue;
        linked[0] = sides[0], linked[1] = sides[1];
        collision->surfaces[sides[0]]->load.touched = collision->surfaces[sides[1]]->load.touched = true;
        pli_collision_link(collision, sides[0], sides[1]);
    }
}

// Friction follows the final normal impulse of a contact. If the contact slips, friction gives back its part of the
// normal impulse that the velocity pass removes; if the contact reflects, friction adds its part [N s].
static pli_vec3 friction_of_change(const pli_collision *collision, pli_surface_contact *t, const rigid_side *c,
                                   float impulse, pli_vec3 relative)
{
    pli_vec3 tangent = pli_sub(relative, pli_scale(t->normal, pli_dot(relative, t->normal)));
    float speed = pli_length(tangent);
    if (!(speed > 0.0f))
        return (pli_vec3){0, 0, 0};
    pli_vec3 direction = pli_scale(tangent, 1.0f / speed);
    float inverse_mass = inverse_mass_with(c, inverse_mass_of(collision, t), direction);
    float given = fminf(t->friction * fmaxf(-impulse, 0.0f), t->friction_sum / collision->substep.length) * t->slips,
          taken = fminf(t->friction * fmaxf(impulse, 0.0f), speed / inverse_mass);
    t->friction_sum -= (given - taken) * collision->substep.length;
    return pli_scale(direction, given - taken);
}

// Velocity pass. It reflects approaching contacts (Mueller et al. 2006, section 3.4) and removes velocity that comes
// from pushing sides apart (Mueller et al. 2020, section 3.6).
static void contact_rebound_one(pli_collision *collision, pli_surface_contact *t, const rigid_side *c, float bounce)
{
    if (!(t->normal_sum > 0.0f))
        return;
    float per_second = 1.0f / collision->substep.length;
    for (int i = 0; i < 4; i++) {
        pli_particle *v = &collision->velocities[t->at[i]];
        v->x += per_second * c->lost[i].x, v->y += per_second * c->lost[i].y, v->z += per_second * c->lost[i].z;
    }
    float inverse_mass = inverse_mass_with(c, inverse_mass_of(collision, t), t->normal);
    float wanted = t->approach < -bounce ? -t->restitution * t->approach : fmaxf(t->approach, 0.0f);
    // Weighted sum of velocities, as differences to one of them: the weights sum to zero, so a common speed causes no
    // rounding.
    pli_vec3 relative = {0, 0, 0}, origin = pli_position_of(&collision->velocities[t->at[0]]);
    for (int i = 1; i < 4; i++)
        relative = pli_add(
            relative, pli_scale(pli_sub(pli_position_of(&collision->velocities[t->at[i]]), origin), t->weights[i]));
    if (c->rigid)
        relative = pli_add(relative, pli_scale(pli_rigid_velocity_at(c->rigid, c->point), c->sign));
    float change = wanted - pli_dot(t->normal, relative);
    bool reflects = change > 0.0f && t->restitution > 0.0f && t->approach < -bounce;
    if (!(inverse_mass > 0.0f) || !(change < 0.0f || reflects))
        return;
    float push = change / inverse_mass;
    t->restitution_impulse += push;
    pli_vec3 impulse = pli_add(pli_scale(t->normal, push), friction_of_change(collision, t, c, push, relative));
    for (int k = 0; k < 4; k++) {
        pli_particle *v = &collision->velocities[t->at[k]];
        float share = collision->particles[t->at[k]].w * t->weights[k];
        v->x += share * impulse.x, v->y += share * impulse.y, v->z += share * impulse.z;
    }
    if (c->rigid)
        pli_rigid_apply_impulse(c->rigid, c->point, pli_scale(impulse, c->sign));
}

void pli_collision_rebound(pli_collision *collision, float bounce)
{
    rebound_blocks(collision, bounce);
    for (int32_t i = 0; i < collision->contacts.scalar.count; i++) {
        pli_scalar_contact *alone = &collision->contacts.scalar.items[i];
        pli_surface_contact *t = &collision->contacts.surface_contacts.items[alone->contact];
        rigid_side c = rigid_side_of(collision, t, alone->lost);
        contact_rebound_one(collision, t, &c, bounce);
    }
    collect_blocks(collision);
}
