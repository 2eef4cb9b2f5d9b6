// Search for contacts of particles with analytic shapes: blocks of particles against a BVH of shapes, then a rejection test
// with a sphere or plane, then the shape's own kernel.
#include "collision/shape_contact/shape_contact.h"

#include "base/layers.h"

// Relative rounding error of a transformation into a shape's frame.
#define SHAPE_ROUNDING 1e-5f

static pli_vec3 shape_position(const pli_particle *p) { return (pli_vec3){p->x, p->y, p->z}; }

static bool overlaps(float low, float high, float from, float to, float grow)
{
    return fminf(from, to) - grow <= high && low <= fmaxf(from, to) + grow;
}

// Can a trajectory of the block come near the shape? The block's box is tested against the bounding spheres of the
// shape in both poses.
static bool near_block(const pli_moving_shape *shape, const pli_smooth_bounds *block, float margin)
{
    if (!isfinite(shape->reach)) {
        if (!shape->rests)
            return true;
        pli_vec3 low = shape_position(&block->low), high = shape_position(&block->high);
        pli_vec3 n = pli_rotate(shape->to.rotation, (pli_vec3){0.0f, 1.0f, 0.0f});
        pli_vec3 nearest = {n.x > 0.0f ? low.x : high.x, n.y > 0.0f ? low.y : high.y, n.z > 0.0f ? low.z : high.z};
        float size = pli_length(nearest) + pli_length(pli_sub(high, low)) + pli_length(shape->to.position);
        float far = margin + 2.0f * pli_length(shape_position(&block->trajectory)) + SHAPE_ROUNDING * size;
        return !(pli_dot(n, pli_sub(nearest, shape->to.position)) > far);
    }
    pli_vec3 from = shape->from.position, to = shape->to.position;
    float grow = shape->reach + margin;
    return overlaps(block->low.x, block->high.x, from.x, to.x, grow) &&
           overlaps(block->low.y, block->high.y, from.y, to.y, grow) &&
           overlaps(block->low.z, block->high.z, from.z, to.z, grow);
}

// The bounds include the rounding error of the exact test that follows.
static pli_swept_box shape_swept_box(const pli_moving_shape *shape)
{
    if (!shape->find)
        return pli_swept_box_empty();
    pli_aabb box = pli_aabb_empty();
    pli_aabb_include(&box, shape->from.position);
    pli_aabb_include(&box, shape->to.position);
    float size = pli_length(shape->from.position) + pli_length(shape->to.position) + shape->reach;
    box = pli_aabb_grow(box, shape->reach + 2.0f * shape->def->thickness + SHAPE_ROUNDING * size);
    return (pli_swept_box){box, box};
}

void pli_shapes_place(pli_bvh16 *around, const pli_moving_shape *shapes)
{
    for (int32_t i = 0; i < around->count; i++) {
        pli_swept_box swept_box = shape_swept_box(&shapes[i]);
        pli_bvh16_set(around, i, &swept_box);
    }
    pli_bvh16_refit(around, NULL);
}

typedef struct block_search {
    const pli_contact_job *job;
    const pli_smooth_kernels *kernels;
    int32_t begin, end; // Range of particles.
    pli_smooth_bounds bounds;
    pli_smooth_block block;
    bool gathered;
    pli_contact_group *groups;
    int32_t capacity, found;
} block_search;

static bool test_shape(void *data, int32_t c)
{
    block_search *s = data;
    const pli_contact_job *job = s->job;
    const pli_moving_shape *shape = &job->shapes[c];
    if (!(shape->find && !pli_is_narrow(shape->width, job->longest_edge) &&
          pli_layers_meet(job->layers, job->mask, shape->def->layers, shape->def->mask)) ||
        !near_block(shape, &s->bounds, 2.0f * (job->thickness + shape->def->thickness)))
        return true;
    if (!s->gathered)
        s->kernels->gather(job, s->begin, s->end, &s->block);
    s->gathered = true;
    int32_t left = s->found < s->capacity ? s->capacity - s->found : 0;
    s->found += shape->find(job, &s->block, c, left > 0 ? s->groups + s->found : NULL, left);
    return true;
}

static int32_t find_in_block(block_search *s)
{
    s->found = 0, s->gathered = false;
    s->kernels->bound(s->job, s->begin, s->end, &s->bounds);
    if (!(s->bounds.high.w > 0.0f))
        return 0;
    pli_vec3 low = shape_position(&s->bounds.low), high = shape_position(&s->bounds.high);
    float grow = 2.0f * s->job->thickness + SHAPE_ROUNDING * (pli_length(low) + pli_length(high));
    pli_aabb box = pli_aabb_grow((pli_aabb){low, high}, grow);
    pli_bvh16_query(s->job->around, s->job->near, &(pli_swept_box){box, box}, 0, test_shape, s);
    return s->found;
}

int32_t pli_contacts_find(const pli_contact_job *job, const pli_smooth_kernels *kernels, int32_t begin, int32_t end,
                          pli_contact_group *groups, int32_t capacity)
{
    block_search s = {.job = job, .kernels = kernels};
    int32_t found = 0;
    for (int32_t i = begin; i < end; i += PLI_SMOOTH_BLOCK) {
        s.begin = i, s.end = end - i > PLI_SMOOTH_BLOCK ? i + PLI_SMOOTH_BLOCK : end;
        s.capacity = found < capacity ? capacity - found : 0;
        s.groups = s.capacity > 0 ? groups + found : NULL;
        found += find_in_block(&s);
    }
    return found;
}

bool pli_contact_before(int32_t particle, int32_t collider, int32_t other_particle, int32_t other_collider)
{
    if (particle / PLI_SMOOTH_BLOCK != other_particle / PLI_SMOOTH_BLOCK)
        return particle / PLI_SMOOTH_BLOCK < other_particle / PLI_SMOOTH_BLOCK;
    return collider != other_collider ? collider < other_collider : particle < other_particle;
}

bool pli_contacts_push(const pli_contact_group *groups, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < PLI_BATCH; k++)
            if (groups[i].push[k] > 0.0f)
                return true;
    return false;
}

int32_t pli_contacts_count(const pli_contact_group *groups, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += __builtin_popcount(groups[i].lanes);
    return sum;
}
