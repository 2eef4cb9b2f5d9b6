// Rays against every triangle looked at in another way, against a sphere, and through edges and
// vertices, where nothing may slip between neighbours.
#include "samples.h"
#include "worlds.h"

static const pli_vec3 origin0 = {0.0f, 0.0f, 0.0f};

// A ray of the test, as the engine is asked it.
typedef struct shot {
    pli_vec3 from, direction;
    float reach;
} shot;

static vec of3(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

static double volume(vec a, vec b, vec c, vec d) { return dot(cross(sub(b, a), sub(c, a)), sub(d, a)); }

// Nearest distance by volumes of tetrahedra; infinite when none. `*sure` is false when a ray passes so near a
// side that rounding decides.
static double nearest_by_volumes(const pli_world *world, const shot *s, uint32_t mask, int32_t *body, int32_t *face,
                                 bool *sure)
{
    vec from = of3(s->from), along = unit(of3(s->direction)), to = add(from, along);
    double nearest = INFINITY;
    *sure = true;
    for (int32_t b = 0; b < pli_world_deformable_count(world); b++) {
        pli_deformable d = pli_world_deformable_at(world, b);
        const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, d));
        for (int32_t i = 0; i < t->triangle_count && (mask & (1u << b)); i++) {
            vec p[3];
            for (int32_t k = 0; k < 3; k++)
                p[k] = position_of(world, d, t->triangles[3 * i + k]);
            double w[3], sum = 0.0, least = INFINITY, most = -INFINITY;
            for (int32_t k = 0; k < 3; k++) {
                w[k] = volume(from, to, p[(k + 1) % 3], p[(k + 2) % 3]);
                sum += w[k];
            }
            for (int32_t k = 0; k < 3; k++)
                least = fmin(least, w[k] / sum), most = fmax(most, w[k] / sum);
            vec at = add(add(scale(p[0], w[0] / sum), scale(p[1], w[1] / sum)), scale(p[2], w[2] / sum));
            double far = dot(sub(at, from), along);
            *sure = *sure && !(fabs(least) < 1e-9) && fabs(far) > 1e-9;
            if (least >= 0.0 && far >= 0.0 && far < nearest) {
                nearest = far;
                *body = b;
                *face = t->triangle_faces[i];
            }
        }
    }
    return nearest;
}

static pli_deformable body_in(pli_world *world, pli_mesh *mesh, uint32_t layers, vec position)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.layers = layers;
    def.pose.position = to_vec3(position);
    pli_deformable deformable;
    must(pli_deformable_create(world, &def, &deformable, &problem));
    pli_mesh_destroy(mesh);
    return deformable;
}

// Three bodies, one a layer: a ball, a hilly sheet and a bent sheet of quads.
static pli_world *gallery(pli_order order)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order;
    pli_world *world = world_from(&def);
    body_in(world, mesh_ball(2, 0.1), 1, (vec){0, 0, 0});
    body_in(world, mesh_hilly(9), 2, (vec){0.2, 0.3, 0.1});
    body_in(world, mesh_jittered(mesh_grid(8, 7, 1.2, PLI_GRID_QUADS), 0.1, 0.3), 4, (vec){-0.1, -0.2, 0.3});
    return world;
}

// A hit must agree with itself and with the state of the world.
static void check_hit(const pli_world *world, const shot *s, const pli_ray_hit *hit)
{
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, hit->deformable));
    vec at = {0, 0, 0}, area = {0, 0, 0};
    double sum = 0.0;
    int32_t begin = t->face_offsets[hit->face], end = t->face_offsets[hit->face + 1];
    for (int32_t k = 0; k < 3; k++) {
        bool of_face = false;
        for (int32_t c = begin; c < end; c++)
            of_face = of_face || t->face_vertices[c] == hit->vertices[k];
        holds(of_face, "vertex %d of the hit is not on face %d", (int)hit->vertices[k], (int)hit->face);
        holds(hit->weights[k] >= 0.0f, "weight %g", (double)hit->weights[k]);
        at = add(at, scale(position_of(world, hit->deformable, hit->vertices[k]), (double)hit->weights[k]));
        sum += (double)hit->weights[k];
    }
    for (int32_t c = begin; c < end; c++)
        area = add(area, cross(position_of(world, hit->deformable, t->face_vertices[c]),
                               position_of(world, hit->deformable, t->face_vertices[c + 1 < end ? c + 1 : begin])));
    near(sum, 1.0, 1e-6, "sum of weights");
    near(distance(at, of3(hit->position)), 0.0, 1e-6, "position by weights");
    near(distance(add(of3(s->from), scale(unit(of3(s->direction)), (double)hit->distance)), of3(hit->position)), 0.0,
         2e-6, "position by distance");
    near(distance(unit(area), of3(hit->normal)), 0.0, 1e-5, "normal of face %d", (int)hit->face);
}

static void the_nearest_triangle_is_hit(void **state)
{
    (void)state;
    for (pli_order order = PLI_ORDER_COLOURED; order <= PLI_ORDER_SEQUENTIAL; order++) {
        pli_world *world = gallery(order);
        int32_t hits = 0, misses = 0;
        for (int32_t i = 0; i < 3000; i++) {
            vec from = random_vec(1.5), along = scale(sub(random_vec(0.8), from), i % 3 ? 1.0 : 1e-20);
            shot s = {to_vec3(from), to_vec3(along), INFINITY};
            uint32_t mask = random_bits() % 8;
            int32_t body = -1, face = -1;
            bool sure;
            pli_ray_hit hit;
            double expected = nearest_by_volumes(world, &s, mask, &body, &face, &sure);
            if (!sure)
                continue;
            bool found = pli_world_ray(world, s.from, s.direction, s.reach, mask, &hit);
            holds(found == isfinite(expected), "ray %d: found %d, expected at %g", (int)i, (int)found, expected);
            hits += found, misses += !found;
            if (!found || isinf(expected))
                continue;
            near((double)hit.distance, expected, 1e-6 * (1.0 + expected), "distance of ray %d", (int)i);
            holds(hit.deformable.id == pli_world_deformable_at(world, body).id && hit.face == face,
                  "ray %d: another face", (int)i);
            check_hit(world, &s, &hit);
            float less = (float)expected * 0.999f, more = (float)expected * 1.001f;
            holds(pli_world_ray(world, s.from, s.direction, more, mask, &hit), "ray %d within its reach", (int)i);
            holds(!pli_world_ray(world, s.from, s.direction, less, mask, &hit), "ray %d out of its reach", (int)i);
        }
        holds(hits > 500 && misses > 500, "%d hits, %d misses", (int)hits, (int)misses);
        pli_world_destroy(world);
    }
}

// Triangles of a sphere lie within its sagitta, s = r - sqrt(r^2 - e^2 / 3) for edges e at most.
static void a_fine_sphere_is_a_sphere(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh;
    const double radius = 0.7;
    must(pli_mesh_create_sphere(4, (float)radius, &mesh, &problem));
    double edge = (double)pli_mesh_get_report(mesh)->edge_length_max;
    double sagitta = radius - sqrt(radius * radius - edge * edge / 3.0);
    body_in(world, mesh, 1, (vec){0, 0, 0});
    for (int32_t i = 0; i < 500; i++) {
        vec from = random_vec(2.0), towards = random_vec(0.5);
        vec along = unit(sub(towards, from));
        double b = dot(from, along), c = dot(from, from) - radius * radius, square = b * b - c;
        if (square < 0.1 || fabs(c) < 0.1)
            continue;
        double first = -b - sqrt(square), expected = first >= 0.0 ? first : -b + sqrt(square);
        pli_ray_hit hit;
        bool found = pli_world_ray(world, to_vec3(from), to_vec3(along), 10.0f, 1, &hit);
        holds(found == (expected >= 0.0), "ray %d", (int)i);
        if (!found)
            continue;
        double slope = fabs(dot(along, unit(add(from, scale(along, expected)))));
        near((double)hit.distance, expected, 2.0 * sagitta / slope, "distance to a sphere");
        near(dot(of3(hit.normal), unit(of3(hit.position))), 1.0, 0.01, "normals of a sphere point out");
    }
    pli_world_destroy(world);
}

// From inside a closed mesh every ray hits: those aimed at vertices, at points of edges, and any.
static void nothing_leaks_out_of_a_closed_mesh(void **state)
{
    (void)state;
    const vec places[] = {{0, 0, 0}, {1000.0, 3.0, -70.0}, {1e-3, 1e5, 1e-3}};
    for (int32_t place = 0; place < COUNT_OF(places); place++) {
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_deformable ball = body_in(world, mesh_ball(3, place ? 0.0 : 0.1), 1, places[place]);
        const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, ball));
        for (int32_t i = 0; i < 20000; i++) {
            vec from = add(places[place], random_vec(0.15));
            int32_t e = below(t->edge_count);
            vec a = position_of(world, ball, t->edges[2 * e]), b = position_of(world, ball, t->edges[2 * e + 1]);
            double part = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 0.5 : uniform(0.0, 1.0);
            vec at = add(scale(a, 1.0 - part), scale(b, part)), along = sub(at, of3(to_vec3(from)));
            pli_ray_hit hit;
            holds(pli_world_ray(world, to_vec3(from), to_vec3(along), 10.0f, 1, &hit),
                  "a ray left the ball at %g %g %g", at.x, at.y, at.z);
        }
        pli_world_destroy(world);
    }
}

// On a grid of integers rays go exactly through vertices and along edges of a sheet, its border too.
static void rays_exactly_through_vertices_hit(void **state)
{
    (void)state;
    const pli_vec3 directions[] = {{0, -1, 0}, {1, -1, 0}, {-2, -4, 1}, {0.25f, -0.5f, -1}, {0, -1e-6f, 0}};
    for (pli_grid_pattern pattern = PLI_GRID_QUADS; pattern <= PLI_GRID_CROSSED; pattern++) {
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_deformable sheet = body_in(world, mesh_grid(9, 9, 8.0, pattern), 1, (vec){0, 0, 0});
        for (int32_t d = 0; d < COUNT_OF(directions); d++)
            for (int32_t v = 0; v < vertex_count_of(world, sheet); v++) {
                vec at = position_of(world, sheet, v), along = of3(directions[d]);
                shot s = {to_vec3(sub(at, scale(along, 2.0))), directions[d], 100.0f};
                pli_ray_hit hit;
                bool found = pli_world_ray(world, s.from, s.direction, s.reach, 1, &hit);
                holds(found, "pattern %d: vertex %d is missed", (int)pattern, (int)v);
                if (!found)
                    continue;
                near(distance(of3(hit.position), at), 0.0, 0.0, "place of vertex %d", (int)v);
                check_hit(world, &s, &hit);
            }
        pli_world_destroy(world);
    }
}

// Faces are hit from both sides, with the normal of the face; the nearer body is in front; masks choose.
static void sides_layers_and_reach(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable low = body_in(world, mesh_grid(3, 3, 2.0, PLI_GRID_QUADS), 1, (vec){0, 0, 0});
    pli_deformable high = body_in(world, mesh_grid(3, 3, 2.0, PLI_GRID_DIAGONAL), 6, (vec){0, 1, 0});
    const pli_vec3 up = {0, 1, 0}, down = {0, -3, 0}, below_all = {0.3f, -1, 0.2f}, above_all = {0.3f, 3, 0.2f};
    pli_ray_hit hit;
    assert_true(pli_world_ray(world, below_all, up, 10.0f, UINT32_MAX, &hit));
    holds(hit.deformable.id == low.id && hit.distance == 1.0f && hit.normal.y == 1.0f, "from below");
    assert_true(pli_world_ray(world, above_all, down, 10.0f, UINT32_MAX, &hit));
    holds(hit.deformable.id == high.id && hit.distance == 2.0f && hit.normal.y == 1.0f, "from above");
    assert_true(pli_world_ray(world, below_all, up, 10.0f, 4, &hit));
    holds(hit.deformable.id == high.id && hit.distance == 2.0f, "a mask lets rays through");
    holds(pli_world_ray(world, below_all, up, 1.0f, 1, &hit), "as far as the reach");
    holds(pli_world_ray(world, (pli_vec3){0.3f, 0, 0.2f}, up, 0.0f, 1, &hit) && hit.distance == 0.0f, "from the face");
    holds(!pli_world_ray(world, below_all, up, 10.0f, 8, &hit), "no such layer");
    holds(!pli_world_ray(world, below_all, up, 10.0f, 0, &hit), "no layer");
    pli_world_destroy(world);
}

static void senseless_rays_hit_nothing(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD), *empty = plain_world(PLI_METHOD_XPBD);
    body_in(world, mesh_ball(1, 0.0), 1, (vec){0, 0, 0});
    const pli_vec3 wrong[] = {{0, 0, 0}, {NAN, 0, 0}, {0, NAN, 1}, {INFINITY, 0, 0}, {0, 0, -INFINITY}};
    const pli_vec3 ahead = {0, 0, 1};
    pli_ray_hit hit = {.face = 77};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        holds(!pli_world_ray(world, origin0, wrong[i], 10.0f, 1, &hit), "direction %d", (int)i);
        holds(i == 0 || !pli_world_ray(world, wrong[i], ahead, 10.0f, 1, &hit), "origin %d", (int)i);
    }
    holds(!pli_world_ray(world, origin0, ahead, -1.0f, 1, &hit), "reach behind");
    holds(!pli_world_ray(world, origin0, ahead, NAN, 1, &hit), "reach is no number");
    holds(!pli_world_ray(world, origin0, ahead, 10.0f, 1, NULL), "nowhere to write");
    holds(!pli_world_ray(NULL, origin0, ahead, 10.0f, 1, &hit), "no world");
    holds(!pli_world_ray(empty, origin0, ahead, 10.0f, 1, &hit), "an empty world");
    holds(hit.face == 77, "a miss writes nothing");
    holds(pli_world_ray(world, origin0, ahead, 10.0f, 1, &hit), "the ray itself");
    pli_world_destroy(world);
    pli_world_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(the_nearest_triangle_is_hit),
        property(a_fine_sphere_is_a_sphere),
        property(nothing_leaks_out_of_a_closed_mesh),
        property(rays_exactly_through_vertices_hit),
        property(sides_layers_and_reach),
        property(senseless_rays_hit_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
