// The nearest triangle on a ray, without leaks between neighbours.
//
//   Woop, Benthin, Wald 2013, Watertight Ray/Triangle Intersection. The ray is sheared onto an axis, so that
//   each vertex has one place in the plane across it, whichever triangle asks. In double the sign of an edge
//   function of such places is right or zero, and zero counts as inside for both triangles at the edge.
#include "pliant/contact.h"
#include "solver/world.h"

typedef struct ray {
    double origin[3], shear[3];
    int32_t along, u, v; // Axes: the largest of the direction, and the two after it.
    double per_along;    // Metres of the ray for one along the axis.
} ray;

// A vertex as seen along the ray.
typedef struct sight {
    double u, v, along;
} sight;

static bool aim(pli_vec3 origin, pli_vec3 direction, ray *r)
{
    const double d[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 0.0) || !pli_finite3(direction) || !pli_finite3(origin))
        return false;
    *r = (ray){.origin = {(double)origin.x, (double)origin.y, (double)origin.z}};
    for (int32_t k = 1; k < 3; k++)
        r->along = fabs(d[k]) > fabs(d[r->along]) ? k : r->along;
    r->u = (r->along + 1) % 3;
    r->v = (r->along + 2) % 3;
    r->shear[0] = d[r->u] / d[r->along];
    r->shear[1] = d[r->v] / d[r->along];
    r->per_along = length / d[r->along];
    return true;
}

static sight see(const ray *r, const pli_particle *p)
{
    const double at[3] = {(double)p->x - r->origin[0], (double)p->y - r->origin[1], (double)p->z - r->origin[2]};
    double along = at[r->along];
    return (sight){at[r->u] - r->shear[0] * along, at[r->v] - r->shear[1] * along, along};
}

static double side(const sight *a, const sight *b) { return a->u * b->v - a->v * b->u; }

// Whether the ray meets the triangle; weights of the corners, and the distance along the ray.
static bool meets(const ray *r, const sight corners[3], double weights[3], double *distance)
{
    double sum = 0.0, along = 0.0;
    bool positive = false, negative = false;
    for (int32_t k = 0; k < 3; k++) {
        weights[k] = side(&corners[(k + 1) % 3], &corners[(k + 2) % 3]);
        positive = positive || weights[k] > 0.0;
        negative = negative || weights[k] < 0.0;
        sum += weights[k];
    }
    if (positive == negative) // Beside it, or it is seen edge on.
        return false;
    for (int32_t k = 0; k < 3; k++) {
        weights[k] /= sum;
        along += weights[k] * corners[k].along;
    }
    *distance = along * r->per_along;
    return *distance >= 0.0;
}

static pli_dvec3 place_of(const pli_particle *p) { return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z}; }

// Of the polygon's vector area, which is the same about any point: here about its first corner.
static pli_dvec3 area_of(const pli_particle *at, const int32_t *vertices, int32_t count)
{
    pli_dvec3 sum = {0, 0, 0}, first = place_of(&at[vertices[0]]);
    for (int32_t k = 1; k + 1 < count; k++)
        sum = pli_dadd(sum, pli_dcross(pli_dsub(place_of(&at[vertices[k]]), first),
                                       pli_dsub(place_of(&at[vertices[k + 1]]), first)));
    return sum;
}

static pli_vec3 face_normal(const pli_faces *shape, const pli_particle *at, int32_t triangle)
{
    int32_t face = shape->triangle_faces[triangle], begin = shape->face_offsets[face];
    pli_dvec3 area = area_of(at, shape->face_vertices + begin, shape->face_offsets[face + 1] - begin);
    // A polygon folded onto itself has none; the triangle that was hit has.
    if (!(pli_dlength(area) > 0.0))
        area = area_of(at, shape->triangles + 3 * triangle, 3);
    double length = pli_dlength(area), scale = length > 0.0 ? 1.0 / length : 0.0;
    return (pli_vec3){(float)(area.x * scale), (float)(area.y * scale), (float)(area.z * scale)};
}

static const pli_particle *vertices_of(const pli_body *body)
{
    return body->order ? body->user_particles : body->particles;
}

typedef struct nearest {
    const pli_body *body;
    int32_t triangle;
    double weights[3], distance;
} nearest;

// Of hits at the same distance the first is kept.
static void look_at_body(const ray *r, const pli_body *body, nearest *n)
{
    const pli_faces *shape = &body->shape;
    const pli_particle *at = vertices_of(body);
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        nearest here = {.body = body, .triangle = t};
        sight corners[3];
        for (int32_t k = 0; k < 3; k++)
            corners[k] = see(r, &at[shape->triangles[3 * t + k]]);
        if (meets(r, corners, here.weights, &here.distance) && here.distance < n->distance)
            *n = here;
    }
}

static void fill(const nearest *n, pli_ray_hit *hit)
{
    const pli_faces *shape = &n->body->shape;
    const pli_particle *at = vertices_of(n->body);
    pli_dvec3 position = {0, 0, 0};
    *hit = (pli_ray_hit){.deformable = {n->body->id},
                         .face = shape->triangle_faces[n->triangle],
                         .distance = (float)n->distance,
                         .normal = face_normal(shape, at, n->triangle)};
    for (int32_t k = 0; k < 3; k++) {
        hit->vertices[k] = shape->triangles[3 * n->triangle + k];
        hit->weights[k] = (float)n->weights[k];
        position = pli_dadd(position, pli_dscale(place_of(&at[hit->vertices[k]]), n->weights[k]));
    }
    hit->position = (pli_vec3){(float)position.x, (float)position.y, (float)position.z};
}

bool pli_world_ray(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach, uint32_t mask,
                   pli_ray_hit *hit)
{
    ray r;
    if (!world || !hit || !(reach >= 0.0f) || !aim(origin, direction, &r))
        return false;
    // What lies at the reach itself is met too.
    nearest n = {.distance = nextafter((double)reach, HUGE_VAL)};
    for (int32_t i = 0; i < world->bodies.count; i++) {
        const pli_body *body = pli_body_at(world, i);
        if (body->def.layers & mask)
            look_at_body(&r, body, &n);
    }
    if (n.body)
        fill(&n, hit);
    return n.body != NULL;
}
