// The grab tool for a deformable (pliant/grab.h): a soft attachment of all particles within a radius along the surface. Its frame follows
// the target t, at most at the reach r from the centre c of the grabbed particles:
//
//     frame = c + min(1, r / |t - c|) (t - c)         compliance of each of n particles = n r / F
//
// Then the force K |frame - c| with K = F / r is at most F.
#include "pliant/grab.h"

#include "base/union_find.h"
#include "model/handles.h"
#include "particles/publish.h"
#include "pliant/pliant.h"

#define EARTH 9.81f
// Under PBD a soft attachment has a stiffness but no force limit; this stiffness follows the target without jerks.
#define STIFFNESS 0.2

pli_grab_def pli_grab_def_default(void) { return (pli_grab_def){.strength = 1.0f, .ramp = 6}; }

static float apart(const float *positions, int32_t a, int32_t b)
{
    const float *p = positions + 3 * a, *q = positions + 3 * b;
    return pli_length((pli_vec3){p[0] - q[0], p[1] - q[1], p[2] - q[2]});
}

// Distances from a vertex along edges at rest, up to the radius; infinite beyond. A path along edges is at least as long as the straight
// line, except for rounding, so edges further away are ignored: the indices of near edges are written to `near`.
static void spread_grab(const pli_faces *shape, int32_t vertex, float radius, float *distances, int32_t *near)
{
    int32_t count = 0;
    for (int32_t v = 0; v < shape->vertex_count; v++)
        distances[v] = apart(shape->positions, v, vertex);
    for (int32_t e = 0; e < shape->edge_count; e++)
        if (distances[shape->edges[2 * e]] <= 1.001f * radius && distances[shape->edges[2 * e + 1]] <= 1.001f * radius)
            near[count++] = e;
    for (int32_t v = 0; v < shape->vertex_count; v++)
        distances[v] = v == vertex ? 0.0f : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < 2 * count; i++) {
            const int32_t *edge = shape->edges + 2 * near[i / 2];
            int32_t a = edge[i % 2], b = edge[1 - i % 2];
            float there = distances[a] + apart(shape->positions, a, b);
            if (there > radius || there >= distances[b])
                continue;
            distances[b] = there;
            changed = true;
        }
    }
}

typedef struct piece_size {
    double mass, size, mean_edge; // Mass of movable particles [kg]; diagonal of the rest box, and mean rest edge [m].
} piece_size;

// Measures the connected piece of a vertex. `roots` is scratch by vertex.
static piece_size piece_of(const pli_deformable_data *deformable, int32_t vertex, int32_t *roots)
{
    const pli_faces *shape = &deformable->shape;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    piece_size found = {0};
    double edges = 0.0;
    pli_sets_reset(roots, shape->vertex_count);
    for (int32_t e = 0; e < shape->edge_count; e++) {
        edges += (double)apart(shape->positions, shape->edges[2 * e], shape->edges[2 * e + 1]);
        pli_sets_join(roots, shape->edges[2 * e], shape->edges[2 * e + 1]);
    }
    const int32_t root = pli_set_root(roots, vertex);
    for (int32_t v = 0; v < shape->vertex_count; v++) {
        if (pli_set_root(roots, v) != root)
            continue;
        float w = deformable->velocities[pli_place(deformable, v)].w;
        found.mass += w > 0.0f ? 1.0 / (double)w : 0.0;
        for (int k = 0; k < 3; k++) {
            float x = shape->positions[3 * v + k];
            low[k] = x < low[k] ? x : low[k], high[k] = x > high[k] ? x : high[k];
        }
    }
    found.size = (double)pli_length((pli_vec3){high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    found.mean_edge = shape->edge_count > 0 ? edges / shape->edge_count : 0.0;
    return found;
}

// The centre of the grabbed particles, in the application's coordinates.
static pli_vec3 grabbed_middle_of(pli_view positions, const int32_t *particles, int32_t count)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += (double)pli_view_at(positions, particles[i])[k];
    return (pli_vec3){(float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count)};
}

static pli_status check_grab(const pli_deformable_data *deformable, const pli_grab_def *def, pli_error *error)
{
    if (def->vertex < 0 || def->vertex >= deformable->count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "grab: vertex %d is not in 0..%d", (int)def->vertex,
                        (int)deformable->count - 1);
    if (!(def->radius >= 0.0f) || !isfinite(def->radius) || !(def->reach >= 0.0f) || !isfinite(def->reach))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "grab: radius %g and reach %g must be finite and not negative [m]", (double)def->radius,
                        (double)def->reach);
    if (!(def->strength > 0.0f) || !isfinite(def->strength) || def->ramp < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "grab: strength %g must be positive and finite, and ramp %d at least 1", (double)def->strength,
                        (int)def->ramp);
    return pli_succeed(error);
}

static double compliance_of(const pli_grab *grab)
{
    float force = grab->limit * fmaxf(grab->share, 1e-3f);
    return (double)grab->particle_count * (double)grab->reach / (double)force;
}

static pli_status take_hold(pli_world *world, pli_grab *grab, const int32_t *particles, pli_error *error)
{
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = grab->deformable;
    hold.particles = particles, hold.particle_count = grab->particle_count;
    hold.pose.position = grabbed_middle_of(pli_deformable_positions(world, grab->deformable), particles,
                                           grab->particle_count);
    hold.fixed = false, hold.compliance = compliance_of(grab), hold.stiffness = STIFFNESS;
    pli_status status = pli_attachment_create(world, &hold, &grab->attachment, error);
    if (status == PLI_STATUS_OK)
        pli_attachment_get(world, grab->attachment, error)->of_hand = true;
    return status;
}

pli_status pli_grab_begin(pli_world *world, const pli_grab_def *def, pli_grab *grab, pli_error *error)
{
    *grab = (pli_grab){0};
    PLI_ASSERT(&world->memory.hooks, def);
    pli_deformable_data *deformable = pli_deformable_get(world, def->deformable, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = check_grab(deformable, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    float *distances = PLI_ALLOCATE(&world->memory, float, deformable->count);
    int32_t *particles = PLI_ALLOCATE(&world->memory, int32_t, deformable->count);
    int32_t *near = PLI_ALLOCATE(&world->memory, int32_t, deformable->shape.edge_count);
    if (distances && particles && near) {
        piece_size whole = piece_of(deformable, def->vertex, particles);
        float radius = def->radius > 0.0f ? def->radius : (float)fmax(0.04 * whole.size, 2.5 * whole.mean_edge);
        spread_grab(&deformable->shape, def->vertex, radius, distances, near);
        grab->deformable = def->deformable;
        grab->reach = def->reach > 0.0f ? def->reach : (float)fmax(0.06 * whole.size, 1e-6);
        grab->limit = fmaxf(1.5f * EARTH * (float)whole.mass * def->strength, 0.01f);
        grab->share = grab->ramp = 1.0f / (float)def->ramp;
        for (int32_t v = 0; v < deformable->count; v++)
            if (distances[v] <= radius && deformable->particles[pli_place(deformable, v)].w > 0.0f)
                particles[grab->particle_count++] = v;
        status = grab->particle_count > 0 ? take_hold(world, grab, particles, error)
                                          : pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                                                     "grab: nothing around vertex %d can move", (int)def->vertex);
    } else {
        status = pli_fail_memory(error);
    }
    pli_release(&world->memory, distances);
    pli_release(&world->memory, near);
    pli_release(&world->memory, particles);
    return status;
}

// A vector limited to a length.
static pli_vec3 cut_to(pli_vec3 v, float most)
{
    float length = pli_length(v);
    return length > most ? pli_scale(v, most / length) : v;
}

// The mean over the grabbed particles: of positions in the application's coordinates, or of velocities.
static pli_vec3 mean_of(const pli_attachment_data *attachment, const pli_particle *by_vertex,
                        const pli_particle *by_place)
{
    double sum[3] = {0.0, 0.0, 0.0}, n = attachment->count;
    for (int32_t i = 0; i < attachment->count; i++) {
        int32_t place = attachment->particles[i];
        const pli_particle *p = by_vertex ? &by_vertex[pli_vertex(attachment->deformable, place)] : &by_place[place];
        sum[0] += (double)p->x, sum[1] += (double)p->y, sum[2] += (double)p->z;
    }
    return (pli_vec3){(float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n)};
}

// Moves the frame towards the target, within the reach of the particles' mean at the start of the step and of its extrapolated position at
// the end: a frame that trailed the particles would pull with less than its limit.
static pli_status lead(pli_world *world, pli_grab *grab, pli_attachment_data *attachment, pli_vec3 target, float dt,
                       pli_error *error)
{
    const pli_deformable_data *deformable = attachment->deformable;
    pli_vec3 now = mean_of(attachment, pli_deformable_published(world, deformable), NULL);
    pli_vec3 then = pli_add(now, pli_scale(mean_of(attachment, NULL, deformable->velocities), dt));
    pli_vec3 from = cut_to(pli_sub(attachment->next.position, now), grab->reach);
    pli_vec3 away = cut_to(pli_sub(target, then), grab->reach);
    pli_transform pose = attachment->next;
    grab->force = pli_scale(away, grab->share * grab->limit / grab->reach);
    pose.position = pli_add(then, away);
    pli_status status = pli_attachment_set_pose(world, grab->attachment, pose, error);
    if (status == PLI_STATUS_OK)
        attachment->pose.position = pli_add(now, from);
    return status;
}

pli_status pli_grab_update(pli_world *world, pli_grab *grab, pli_vec3 target, float dt, bool holds, pli_error *error)
{
    if (grab->attachment.id == 0)
        return pli_succeed(error);
    if (!pli_finite3(target) || !(dt > 0.0f) || !isfinite(dt))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "grab: the target must be finite, and the step %g positive [s]", (double)dt);
    pli_attachment_data *attachment = pli_attachment_get(world, grab->attachment, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    if (!holds && grab->share <= grab->ramp) {
        pli_status status = pli_attachment_destroy(world, grab->attachment, error);
        grab->attachment = (pli_attachment){0, 0};
        grab->force = (pli_vec3){0.0f, 0.0f, 0.0f};
        return status;
    }
    pli_attachment_def soft = pli_attachment_def_default();
    soft.deformable = grab->deformable, soft.fixed = false;
    soft.compliance = compliance_of(grab), soft.stiffness = STIFFNESS;
    pli_status status = pli_attachment_set_def(world, grab->attachment, &soft, error);
    if (status == PLI_STATUS_OK)
        status = lead(world, grab, attachment, target, dt, error);
    grab->share = holds ? fminf(grab->share + grab->ramp, 1.0f) : grab->share - grab->ramp;
    return status;
}
