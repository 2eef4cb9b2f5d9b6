// Snapshots: everything that a run depends on, little-endian, in the user's order, so that a world
// made the same way goes on to the same bits on any machine and with any threads or width.
#include "base/hash.h"
#include "solver/set.h"

#include <string.h>

#define SNAPSHOT_MAGIC 0x4e53494c50ull // "PLISN"
#define SNAPSHOT_VERSION 4u

// One pass over the same fields measures, writes, checks or reads them.
typedef enum stream_mode { STREAM_MEASURE, STREAM_WRITE, STREAM_CHECK, STREAM_READ } stream_mode;

typedef struct stream {
    stream_mode mode;
    unsigned char *out;
    const unsigned char *in;
    size_t at, size;
    bool failed;
} stream;

static uint64_t get_bits(const stream *s, size_t width)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++)
        bits |= (uint64_t)s->in[s->at + i] << (8 * i);
    return bits;
}

static void put_bits(stream *s, uint64_t bits, size_t width)
{
    for (size_t i = 0; i < width; i++)
        s->out[s->at + i] = (unsigned char)(bits >> (8 * i));
}

// Passes `width` bytes of *bits through the stream.
static void pass(stream *s, uint64_t *bits, size_t width)
{
    if (s->mode != STREAM_MEASURE && s->size - s->at < width)
        s->failed = true;
    if (!s->failed && s->mode == STREAM_WRITE)
        put_bits(s, *bits, width);
    else if (!s->failed && s->mode >= STREAM_CHECK)
        *bits = get_bits(s, width);
    s->at += s->failed ? 0 : width;
}

// A number that must be the same in both worlds.
static void same(stream *s, uint64_t value)
{
    uint64_t read = value;
    pass(s, &read, 8);
    s->failed = s->failed || read != value;
}

static void pass_float(stream *s, float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    uint64_t through = bits;
    pass(s, &through, 4);
    bits = (uint32_t)through;
    if (s->mode == STREAM_READ && !s->failed)
        memcpy(value, &bits, sizeof bits);
}

static void pass_double(stream *s, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    pass(s, &bits, 8);
    if (s->mode == STREAM_READ && !s->failed)
        memcpy(value, &bits, sizeof bits);
}

static void pass_integer(stream *s, int32_t *value)
{
    uint64_t bits = (uint32_t)*value;
    pass(s, &bits, 4);
    if (s->mode == STREAM_READ && !s->failed)
        *value = (int32_t)(uint32_t)bits;
}

static void pass_vector(stream *s, pli_vec3 *v)
{
    pass_float(s, &v->x), pass_float(s, &v->y), pass_float(s, &v->z);
}

static void pass_pose(stream *s, pli_transform *pose)
{
    pass_vector(s, &pose->position);
    pass_float(s, &pose->rotation.x), pass_float(s, &pose->rotation.y);
    pass_float(s, &pose->rotation.z), pass_float(s, &pose->rotation.w);
}

// Particles are checked to be finite, again in a copy.
static void pass_particle(stream *s, pli_particle *p)
{
    pli_particle copy = *p;
    stream_mode mode = s->mode;
    if (mode == STREAM_CHECK)
        s->mode = STREAM_READ;
    pass_float(s, &copy.x), pass_float(s, &copy.y), pass_float(s, &copy.z), pass_float(s, &copy.w);
    s->mode = mode;
    if (mode >= STREAM_CHECK && !(isfinite(copy.x) && isfinite(copy.y) && isfinite(copy.z) && copy.w >= 0.0f &&
                                  isfinite(copy.w)))
        s->failed = true;
    if (mode == STREAM_READ && !s->failed)
        *p = copy;
}

static void pass_body(stream *s, pli_body *body)
{
    same(s, (uint64_t)body->count);
    same(s, pli_hash_bytes(0, pli_mesh_topology(body->mesh)->edges,
                           2 * (size_t)pli_mesh_topology(body->mesh)->edge_count * sizeof(int32_t)));
    for (int32_t v = 0; v < body->count && !s->failed; v++) {
        int32_t i = pli_place(body, v), held = body->held[i];
        pass_particle(s, &body->particles[i]);
        pass_particle(s, &body->velocities[i]);
        same(s, (uint64_t)held);
    }
}

static void pass_set(stream *s, pli_set *set)
{
    same(s, pli_hash_bytes(0, set->type->name, strlen(set->type->name)));
    same(s, (uint64_t)set->count);
    for (int32_t i = 0; i < PLI_PARAMETERS_MAX; i++)
        pass_double(s, &set->parameters[i]);
    for (int32_t i = 0; i < set->count && set->state && !s->failed; i++)
        pass_float(s, &set->state[pli_set_slot(set, i)]);
    if (s->mode == STREAM_READ)
        pli_set_update_parameters(set);
}

static void pass_tie(stream *s, pli_tie *tie)
{
    same(s, (uint64_t)tie->count);
    pass_pose(s, &tie->pose);
    pass_pose(s, &tie->next);
    for (int32_t i = 0; i < tie->count && !s->failed; i++)
        pass_vector(s, &tie->locals[i]);
}

// Settings are read also by the check, into a copy, so that wrong ones are found before anything changes.
static void pass_settings(stream *s, pli_world *world)
{
    pli_settings copy = world->settings, *settings = &copy;
    stream_mode mode = s->mode;
    if (mode == STREAM_CHECK)
        s->mode = STREAM_READ;
    int32_t method = (int32_t)settings->method;
    pass_integer(s, &method);
    settings->method = (pli_method)method;
    pass_integer(s, &settings->substeps);
    pass_integer(s, &settings->iterations);
    pass_vector(s, &settings->gravity);
    pass_float(s, &settings->damping);
    pass_vector(s, &settings->wind);
    pass_float(s, &settings->air_density);
    int32_t keep_momentum = settings->keep_momentum;
    pass_integer(s, &keep_momentum);
    settings->keep_momentum = keep_momentum != 0;
    pass_float(s, &settings->speed_limit);
    int32_t guarantee = (int32_t)settings->guarantee;
    pass_integer(s, &guarantee);
    settings->guarantee = (pli_guarantee)guarantee;
    s->mode = mode;
    if (mode >= STREAM_CHECK && pli_settings_check(settings, NULL) != PLI_STATUS_OK)
        s->failed = true;
    if (mode == STREAM_READ && !s->failed)
        world->settings = copy;
}

static void pass_dvector(stream *s, pli_dvec3 *v)
{
    pass_double(s, &v->x), pass_double(s, &v->y), pass_double(s, &v->z);
}

static bool finite_motion(const pli_rigid_motion *m)
{
    const double *q = m->pose.turn;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double sum = pli_dlength(m->pose.centre) + pli_dlength(m->velocity) + pli_dlength(m->spin);
    return isfinite(sum) && fabs(square - 1.0) < 1e-6;
}

// Checked to be finite in a copy, as particles are.
static void pass_rigid(stream *s, pli_rigid *rigid)
{
    pli_rigid copy = *rigid;
    stream_mode mode = s->mode;
    if (mode == STREAM_CHECK)
        s->mode = STREAM_READ;
    pli_rigid_motion *m = &copy.now;
    pli_dvec3 *vectors[] = {&m->pose.centre, &m->velocity,      &m->spin,          &m->velocity_change, &m->spin_change,
                            &m->impulse,     &m->angular_impulse, &copy.acceleration, &copy.target.centre};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        pass_dvector(s, vectors[i]);
    for (int k = 0; k < 4; k++)
        pass_double(s, &m->pose.turn[k]);
    for (int k = 0; k < 4; k++)
        pass_double(s, &copy.target.turn[k]);
    int32_t approaching = copy.approaching;
    pass_integer(s, &approaching);
    copy.approaching = approaching != 0;
    pass_float(s, &copy.def.inverse_mass);
    for (int k = 0; k < 6; k++)
        pass_float(s, &copy.def.inverse_inertia[k]);
    s->mode = mode;
    if (mode >= STREAM_CHECK && !finite_motion(m))
        s->failed = true;
    if (mode == STREAM_READ && !s->failed) {
        *rigid = copy;
        pli_rigid_update_inertia(rigid);
    }
}

// Checked to be finite, as particles are.
static void pass_vertex(stream *s, float *vertex)
{
    pli_particle p = {vertex[0], vertex[1], vertex[2], 0.0f};
    pass_particle(s, &p);
    vertex[0] = p.x, vertex[1] = p.y, vertex[2] = p.z;
}

// Those that deform have their vertices with them.
static void pass_solid(stream *s, pli_solid *solid)
{
    same(s, (uint64_t)solid->def.shape);
    pass_pose(s, &solid->def.pose);
    pass_pose(s, &solid->next);
    for (int32_t v = 0; v < 3 * solid->span && solid->def.shape == PLI_SHAPE_MESH && !s->failed; v += 3) {
        pass_vertex(s, solid->vertices + v);
        pass_vertex(s, solid->next_vertices + v);
    }
    int32_t moving = solid->moving;
    pass_integer(s, &moving);
    if (s->mode == STREAM_READ) {
        solid->moving = moving != 0;
        if (solid->surface)
            solid->surface->fitted = solid->surface->laid = false;
    }
}

// Whether intersections are looked for at the next step, and how long there were some.
static void pass_doubt(stream *s, pli_world *world)
{
    pli_space *space = &world->space;
    int32_t doubt = space->unverified || space->tangled_count > 0 || space->within_count > 0, least = world->least_tangled,
            told = world->told_tangled;
    double since = world->tangled_since;
    pass_integer(s, &doubt);
    pass_integer(s, &least);
    pass_integer(s, &told);
    pass_double(s, &since);
    if (s->mode != STREAM_READ)
        return;
    space->unverified = doubt != 0 || space->tangled_count > 0 || space->within_count > 0;
    world->least_tangled = least;
    world->told_tangled = told != 0;
    world->tangled_since = since;
}

static void pass_world(stream *s, pli_world *world)
{
    same(s, SNAPSHOT_MAGIC);
    same(s, SNAPSHOT_VERSION);
    pass_double(s, &world->time);
    uint64_t steps = (uint64_t)world->step_count;
    pass(s, &steps, 8);
    if (s->mode == STREAM_READ)
        world->step_count = (int64_t)steps;
    pass_settings(s, world);
    same(s, (uint64_t)world->bodies.count);
    same(s, (uint64_t)world->sets.count);
    same(s, (uint64_t)world->ties.count);
    same(s, (uint64_t)world->solids.count);
    same(s, (uint64_t)world->rigids.count);
    for (int32_t i = 0; i < world->bodies.count && !s->failed; i++)
        pass_body(s, (pli_body *)(void *)world->bodies.items[i]);
    for (int32_t i = 0; i < world->sets.count && !s->failed; i++)
        pass_set(s, (pli_set *)(void *)world->sets.items[i]);
    for (int32_t i = 0; i < world->ties.count && !s->failed; i++)
        pass_tie(s, (pli_tie *)(void *)world->ties.items[i]);
    for (int32_t i = 0; i < world->solids.count && !s->failed; i++)
        pass_solid(s, (pli_solid *)(void *)world->solids.items[i]);
    for (int32_t i = 0; i < world->rigids.count && !s->failed; i++)
        pass_rigid(s, (pli_rigid *)(void *)world->rigids.items[i]);
    pass_doubt(s, world);
}

size_t pli_world_snapshot_size(const pli_world *world)
{
    stream s = {.mode = STREAM_MEASURE};
    pass_world(&s, (pli_world *)world);
    return s.at + sizeof(uint64_t);
}

pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error)
{
    size_t needed = pli_world_snapshot_size(world);
    if (size < needed)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the snapshot needs %zu bytes, the buffer has %zu", needed,
                        size);
    stream s = {.mode = STREAM_WRITE, .out = buffer, .size = needed};
    pass_world(&s, (pli_world *)world);
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, buffer, s.at);
    pass(&s, &checksum, 8);
    return pli_succeed(error);
}

pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    size_t needed = pli_world_snapshot_size(world);
    stream s = {.mode = STREAM_CHECK, .in = buffer, .size = size};
    if (size != needed)
        return pli_fail(error, PLI_STATUS_CORRUPT, "the snapshot has %zu bytes; one of this world has %zu: it is cut "
                        "off, or of another world", size, needed);
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, buffer, size - 8), found = 0;
    s.at = size - 8;
    pass(&s, &found, 8);
    if (found != checksum)
        return pli_fail(error, PLI_STATUS_CORRUPT, "the snapshot's checksum is wrong: the data were changed");
    s.at = 0;
    pass_world(&s, world);
    if (s.failed)
        return pli_fail(error, PLI_STATUS_CORRUPT, "the snapshot is of another world: its meshes, constraint sets, "
                        "attachments or colliders differ");
    s = (stream){.mode = STREAM_READ, .in = buffer, .size = size};
    pass_world(&s, world);
    world->has_contacts = false;
    for (int32_t i = 0; i < world->bodies.count; i++)
        pli_body_publish((pli_body *)(void *)world->bodies.items[i], 0,
                         ((pli_body *)(void *)world->bodies.items[i])->count);
    return pli_succeed(error);
}
