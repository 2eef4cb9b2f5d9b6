// Each particle's path over the substep is taken into the collider's own frame, from its pose at
// the start to its pose at the end, so that moving colliders are continuous as fast particles are.
#include "collision/contact.h"

enum { MARCH_MAX = 64, BLOCK = 128 };

// A path this close to the surface has arrived [part of the path, and m].
#define ARRIVED 1e-3f

// More than what rounding moves a point in or out of a frame, of the sizes of both.
#define ROUNDING 1e-5f

typedef struct path {
    pli_vec3 from, to; // In the collider's frame.
    float length;
} path;

static pli_vec3 place(const pli_particle *p)
{
    return (pli_vec3){p->x, p->y, p->z};
}

// Where a path from outside first meets the surface, by marching as far as the distance allows.
static bool entry(const pli_moving_shape *shape, const path *way, float thickness, float clear, pli_vec3 *point,
                  pli_vec3 *normal)
{
    pli_vec3 direction = pli_scale(pli_sub(way->to, way->from), 1.0f / way->length);
    float close = ARRIVED * way->length, gone = clear;
    for (int32_t i = 0; i < MARCH_MAX && gone < way->length; i++) {
        *point = pli_add(way->from, pli_scale(direction, gone));
        clear = shape->row->distance(shape->def, *point, normal) - thickness;
        if (clear <= close)
            break;
        gone += clear;
    }
    if (gone >= way->length)
        return false;
    // The plane of contact: the point pulled onto the surface.
    *point = pli_sub(*point, pli_scale(*normal, clear));
    return true;
}

// The plane that keeps this path outside, in the collider's frame; false when none is needed.
// Particles that end near the surface get one too, since projections may still push them in.
static bool plane_of(const pli_moving_shape *shape, const path *way, float thickness, pli_vec3 *point, pli_vec3 *normal)
{
    float start = shape->row->distance(shape->def, way->from, normal) - thickness;
    float margin = way->length + 0.5f * thickness;
    if (start > way->length + margin)
        return false;
    if (start > 0.0f && start < way->length && entry(shape, way, thickness, start, point, normal))
        return true;
    float end = shape->row->distance(shape->def, way->to, normal) - thickness;
    if (end > margin)
        return false;
    *point = pli_sub(way->to, pli_scale(*normal, end));
    return true;
}

// Whether a path ends too far from a bounded shape to need more than this look. `margin` is that of
// plane_of, with the shape's own way added to the particle's.
static bool far_away(const pli_moving_shape *shape, float reach, pli_vec3 before, pli_vec3 after, float thickness)
{
    pli_vec3 way = pli_sub(after, before), carried = pli_sub(shape->to.position, shape->from.position);
    float way_square = pli_dot(way, way) + pli_dot(carried, carried);
    pli_vec3 apart = pli_sub(after, shape->to.position);
    float near = reach + 2.0f * thickness;
    // (near + 4 way)^2 <= 2 near^2 + 32 way^2, without a square root.
    return pli_dot(apart, apart) > 2.0f * near * near + 32.0f * way_square;
}

static bool contact_of(const pli_contact_job *job, int32_t particle, int32_t collider, float reach, float thickness,
                       pli_contact *contact)
{
    const pli_moving_shape *shape = &job->shapes[collider];
    pli_vec3 before = place(&job->previous[particle]), after = place(&job->particles[particle]);
    if (far_away(shape, reach, before, after, thickness))
        return false;
    path way = {pli_transform_inverse_point(shape->from, before), pli_transform_inverse_point(shape->to, after), 0.0f};
    way.length = pli_length(pli_sub(way.to, way.from));
    pli_vec3 point, normal;
    if (!plane_of(shape, &way, thickness, &point, &normal))
        return false;
    pli_vec3 touch = pli_transform_point(shape->to, point);
    pli_vec3 carried = pli_sub(touch, pli_transform_point(shape->from, point));
    float per_second = 1.0f / job->step;
    contact->particle = particle;
    contact->collider = collider;
    contact->normal = pli_rotate(shape->to.rotation, normal);
    contact->offset = pli_dot(contact->normal, touch);
    contact->velocity = pli_scale(carried, per_second);
    contact->approach = pli_dot(contact->normal, pli_scale(pli_sub(pli_sub(after, before), carried), per_second));
    contact->push = 0.0f;
    contact->impulse = 0.0f;
    return true;
}

typedef struct bounds {
    pli_vec3 low, high;
    float longest; // Square of the longest path inside [m2].
} bounds;

// As one instruction, which fminf and fmaxf are not; what is no number leaves `a`.
static float lower(float a, float b) { return b < a ? b : a; }
static float higher(float a, float b) { return b > a ? b : a; }

static void include(bounds *b, pli_vec3 p)
{
    b->low = (pli_vec3){lower(b->low.x, p.x), lower(b->low.y, p.y), lower(b->low.z, p.z)};
    b->high = (pli_vec3){higher(b->high.x, p.x), higher(b->high.y, p.y), higher(b->high.z, p.z)};
}

static bool rests(const pli_moving_shape *shape)
{
    pli_transform a = shape->from, b = shape->to;
    return a.position.x == b.position.x && a.position.y == b.position.y && a.position.z == b.position.z &&
           a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z &&
           a.rotation.w == b.rotation.w;
}

// Whether any path of the block may come as near to a plane as plane_of looks: two paths' lengths from the
// nearest corner of the box. One that moves is near everything.
static bool near_plane(const pli_moving_shape *shape, const bounds *block, float margin)
{
    if (!rests(shape))
        return true;
    pli_vec3 n = pli_rotate(shape->to.rotation, (pli_vec3){0.0f, 1.0f, 0.0f});
    pli_vec3 nearest = {n.x > 0.0f ? block->low.x : block->high.x, n.y > 0.0f ? block->low.y : block->high.y,
                        n.z > 0.0f ? block->low.z : block->high.z};
    float size = pli_length(nearest) + pli_length(pli_sub(block->high, block->low)) + pli_length(shape->to.position);
    float far = margin + 2.0f * sqrtf(block->longest) + ROUNDING * size;
    return !(pli_dot(n, pli_sub(nearest, shape->to.position)) > far);
}

// Whether any path of the block may come near the shape: the block's box, grown by its longest
// side's margin, against the sphere about the shape in both poses.
static bool near_block(const pli_moving_shape *shape, float reach, const bounds *block, float margin)
{
    if (!isfinite(reach))
        return near_plane(shape, block, margin);
    bounds swept = {shape->from.position, shape->from.position, 0.0f};
    include(&swept, shape->to.position);
    float grow = reach + margin;
    return swept.low.x - grow <= block->high.x && block->low.x <= swept.high.x + grow &&
           swept.low.y - grow <= block->high.y && block->low.y <= swept.high.y + grow &&
           swept.low.z - grow <= block->high.z && block->low.z <= swept.high.z + grow;
}

static bounds block_bounds(const pli_contact_job *job, int32_t begin, int32_t end)
{
    bounds block = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f};
    for (int32_t i = begin; i < end; i++) {
        pli_vec3 before = place(&job->previous[i]), after = place(&job->particles[i]), way = pli_sub(after, before);
        include(&block, before);
        include(&block, after);
        block.longest = higher(block.longest, pli_dot(way, way));
    }
    return block;
}

static bool meets(const pli_contact_job *job, const pli_collider_def *collider)
{
    return (job->layers & collider->mask) && (job->mask & collider->layers);
}

static int32_t find_in_block(const pli_contact_job *job, int32_t begin, int32_t end, pli_contact *contacts,
                             int32_t found, int32_t capacity)
{
    pli_contact contact;
    bool movable = false;
    for (int32_t i = begin; i < end && !movable; i++)
        movable = job->particles[i].w > 0.0f;
    if (!movable)
        return found;
    bounds block = block_bounds(job, begin, end);
    for (int32_t c = 0; c < job->shape_count; c++) {
        if (!job->shapes[c].row->distance || !meets(job, job->shapes[c].def))
            continue;
        float reach = job->shapes[c].row->reach(job->shapes[c].def);
        float thickness = job->thickness + job->shapes[c].def->thickness;
        if (!near_block(&job->shapes[c], reach, &block, 2.0f * thickness))
            continue;
        for (int32_t i = begin; i < end; i++) {
            if (job->particles[i].w == 0.0f || !contact_of(job, i, c, reach, thickness, &contact))
                continue;
            if (found < capacity)
                contacts[found] = contact;
            found++;
        }
    }
    return found;
}

int32_t pli_contacts_find(const pli_contact_job *job, int32_t begin, int32_t end, pli_contact *contacts,
                          int32_t capacity)
{
    int32_t found = 0;
    for (int32_t block = begin; block < end; block += BLOCK)
        found = find_in_block(job, block, block + BLOCK < end ? block + BLOCK : end, contacts, found, capacity);
    return found;
}

bool pli_contact_before(int32_t particle, int32_t collider, const pli_contact *other)
{
    if (particle / BLOCK != other->particle / BLOCK)
        return particle / BLOCK < other->particle / BLOCK;
    return collider != other->collider ? collider < other->collider : particle < other->particle;
}

void pli_contacts_project(const pli_contact_job *job, pli_contact *contacts, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        pli_contact *contact = &contacts[i];
        pli_particle *p = &job->particles[contact->particle];
        float depth = contact->offset - pli_dot(contact->normal, place(p));
        if (!(depth > 0.0f))
            continue;
        p->x += contact->normal.x * depth;
        p->y += contact->normal.y * depth;
        p->z += contact->normal.z * depth;
        contact->push += depth;
    }
}

// Coulomb: the tangential velocity falls by at most friction times the normal change of velocity.
// The position moves with it, or resting cloth would creep by g sin(a) h^2 every substep.
static void update_one(const pli_contact_job *job, pli_particle *velocities, pli_contact *contact, float bounce)
{
    const pli_moving_shape *shape = &job->shapes[contact->collider];
    pli_particle *p = &job->particles[contact->particle], *v = &velocities[contact->particle];
    pli_vec3 relative = pli_sub(place(v), contact->velocity);
    float normal_speed = pli_dot(relative, contact->normal);
    pli_vec3 tangent = pli_sub(relative, pli_scale(contact->normal, normal_speed));
    float speed = pli_length(tangent), stopped = shape->friction * contact->push / job->step;
    float share = stopped < speed ? stopped / speed : 1.0f;
    pli_vec3 change = pli_scale(tangent, -share);
    p->x += change.x * job->step, p->y += change.y * job->step, p->z += change.z * job->step;

    float rebound = -shape->restitution * contact->approach, kick = 0.0f;
    if (contact->approach < -bounce && rebound > normal_speed) {
        kick = rebound - normal_speed;
        change = pli_add(change, pli_scale(contact->normal, kick));
    }
    contact->impulse = (contact->push / job->step + kick) / p->w;
    v->x += change.x, v->y += change.y, v->z += change.z;
}

void pli_contacts_update(const pli_contact_job *job, pli_particle *velocities, pli_contact *contacts, int32_t count,
                         float bounce)
{
    for (int32_t i = 0; i < count; i++)
        if (contacts[i].push > 0.0f)
            update_one(job, velocities, &contacts[i], bounce);
}
