// Contacts of a particle with another layer of the same cloth that slides past: the particle keeps its height over the
// triangles around the nearest particle there. Layers of particles are bumpy, and sliding cloth would catch on the bumps.
//
//           o a  ->                  Each particle touches the layer once: at the pair whose other end b is
//           | height                 nearer to a than all vertices around b, in the triangle around b that is nearest.
//     *-----+---*--------*           A particle over a layer is within sqrt(distance^2 + cover^2) of one of its
//           c   b                    particles (cover: how far the points of a triangle are from its corners).
//
// These contacts do not lift: they keep the present height, up to the distance of particles. So layers do not rise when they
// start and stop sliding, and layers at rest lie particle on particle, which is quieter.
#include "collision/particle_contact/layer_contact.h"

#include <string.h>

// Distance from the points of a triangle to its nearest corner, over the mean length of edges: 0.58 for equal sides, 0.62
// for the halves of squares.
#define COVER_SHARE 0.63f
// Surroundings are flat if the triangles around a particle are within this angle of their mean normal, and parallel if the
// mean normals of both particles are: 10 degrees [cosine].
#define FLAT_COSINE 0.985
// Two triangles around such a particle then differ by at most twice that angle, triangles of two parallel surroundings by at
// most three times [cosines].
#define NEARLY_FLAT_COSINE 0.93f
#define NEARLY_COSINE 0.86f
// Layers glide if they move along one another by more than this fraction of the distance in a substep.
#define GLIDE_SHARE 1e-3

bool pli_particles_joined(const pli_contact_mesh *s, int32_t a, int32_t b)
{
    for (int32_t k = s->rings.begins[a]; k < s->rings.ends[a]; k++)
        if (s->rings.places[k] == b)
            return true;
    return false;
}

bool pli_either_moves(const pli_collision *collision, const pli_contact_mesh *surface, int32_t a, int32_t b)
{
    const pli_particle *particles = collision->particles + surface->first;
    return particles[a].w > 0.0f || particles[b].w > 0.0f;
}

static float square_at_rest(const pli_contact_mesh *surface, int32_t a, int32_t b)
{
    const float *p = surface->rest + 3 * (int64_t)a, *q = surface->rest + 3 * (int64_t)b;
    pli_vec3 apart = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return pli_dot(apart, apart);
}

// At most PLI_REST_SHARE of the rest distance, and 0 for particles that coincide at rest.
float pli_particles_keep(const pli_contact_mesh *surface, float distance, int32_t a, int32_t b)
{
    float most = (float)PLI_REST_SHARE * sqrtf(square_at_rest(surface, a, b));
    return most < PLI_SEAM_SHARE * surface->mean_edge ? 0.0f : fminf(most, distance);
}

float pli_layers_least(const pli_contact_mesh *s, float distance)
{
    return s->longest_edge + fmaxf(s->longest_edge, distance / (float)PLI_REST_SHARE);
}

bool pli_layers_are_apart(const pli_contact_mesh *s, float distance, int32_t a, int32_t b)
{
    float least = pli_layers_least(s, distance);
    return square_at_rest(s, a, b) > least * least;
}

float pli_layer_reach(const pli_contact_mesh *surface, float distance)
{
    float cover = COVER_SHARE * surface->mean_edge, near = PLI_PARTICLE_CLOSE * distance;
    return sqrtf(near * near + cover * cover);
}

bool pli_fans_build(pli_memory *memory, const pli_contact_mesh *s, pli_fans *fans)
{
    if (fans->begins && !s->tear.was_cut)
        return true;
    if (!pli_reserve_unset(memory, &fans->begins, &fans->begin_capacity, (int64_t)s->vertex_count + 2,
                           sizeof *fans->begins) ||
        !pli_reserve_unset(memory, &fans->sides, &fans->side_capacity, 6 * (int64_t)s->triangle_count,
                           sizeof *fans->sides))
        return false;
    // Counts are stored two entries ahead, so that filling the lists leaves each begin correct.
    memset(fans->begins, 0, ((size_t)s->vertex_count + 2) * sizeof *fans->begins);
    for (int32_t i = 0; i < 3 * s->triangle_count; i++)
        fans->begins[s->triangles[i] + 2]++;
    for (int32_t v = 0; v < s->vertex_count; v++)
        fans->begins[v + 2] += fans->begins[v + 1];
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
        const int32_t *triangle = s->triangles + i - i % 3;
        int32_t *sides = fans->sides + 2 * (int64_t)fans->begins[triangle[i % 3] + 1]++;
        sides[0] = triangle[(i + 1) % 3], sides[1] = triangle[(i + 2) % 3];
    }
    return true;
}

typedef struct layering {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
    const pli_particle_list *list;
    int32_t number; // Index of the surface.
} layering;

static float square_apart(const layering *l, int32_t a, int32_t b)
{
    const pli_particle *from = l->collision->previous + l->surface->first;
    pli_vec3 apart = pli_sub(pli_position_of(&from[a]), pli_position_of(&from[b]));
    return pli_dot(apart, apart);
}

// Is `b` nearer to `a` than every neighbour of `b` with which `a` may have a layer contact?
static bool layer_is_nearest(const layering *l, int32_t a, int32_t b)
{
    const pli_contact_mesh *s = l->surface;
    float least = square_apart(l, a, b);
    for (int32_t k = s->rings.begins[b]; k < s->rings.ends[b]; k++) {
        int32_t c = s->rings.places[k];
        float square = square_apart(l, a, c);
        if ((square < least || (square == least && c < b)) && pli_either_moves(l->collision, s, a, c) &&
            pli_layers_are_apart(s, l->list->distance, a, c))
            return false;
    }
    return true;
}

static pli_dvec3 layer_start(const layering *l, int32_t v)
{
    return pli_start_position(l->collision, l->surface->first + v);
}

// Is a vector within ten degrees of a unit vector?
static bool is_along(pli_dvec3 a, pli_dvec3 unit)
{
    double along = pli_ddot(a, unit);
    return along > 0.0 && along * along > FLAT_COSINE * FLAT_COSINE * pli_ddot(a, a);
}

// The mean normal of the triangles around `a`. Returns false if they are not flat.
static bool own_normal(const layering *l, int32_t a, pli_dvec3 *normal)
{
    const pli_fans *fans = &l->list->fans;
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t turn = 0; turn < 2; turn++) {
        for (int32_t k = fans->begins[a]; k < fans->begins[a + 1]; k++) {
            const int32_t *sides = fans->sides + 2 * (int64_t)k;
            pli_dvec3 at = layer_start(l, a), across = pli_dcross(pli_dsub(layer_start(l, sides[0]), at),
                                                                  pli_dsub(layer_start(l, sides[1]), at));
            if (turn == 0)
                sum = pli_dadd(sum, across);
            else if (!is_along(across, sum))
                return false;
        }
        double size = pli_dlength(sum);
        if (!(size > 0.0))
            return false;
        sum = pli_dscale(sum, 1.0 / size);
    }
    *normal = sum;
    return true;
}

static bool hold_height(const layering *l, int32_t a, int32_t b, pli_dvec3 own, pli_surface_contact *t)
{
    if (!layer_is_nearest(l, a, b))
        return false;
    int32_t at[4] = {a, b, b, b};
    int32_t *corners = at + 1;
    const pli_fans *fans = &l->list->fans;
    pli_closest best = {.square = INFINITY};
    pli_dvec3 place[4] = {layer_start(l, a), layer_start(l, b)};
    for (int32_t k = fans->begins[b]; k < fans->begins[b + 1]; k++) {
        const int32_t *sides = fans->sides + 2 * (int64_t)k;
        place[2] = layer_start(l, sides[0]), place[3] = layer_start(l, sides[1]);
        pli_closest c = pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, place);
        if (c.square < best.square) {
            best = c;
            corners[0] = b, corners[1] = sides[0], corners[2] = sides[1];
        }
    }
    pli_closest c = best;
    if (!(c.square > 0.0 && c.square < INFINITY))
        return false;
    float distance = (float)sqrt(c.square), rest = l->list->distance, step = l->collision->substep.length;
    // At an edge or a vertex the direction between the closest points leans along the sliding. The particle's own mean normal
    // replaces it there (see contact_plane.c).
    bool inside = c.weights[1] < 0.0 && c.weights[2] < 0.0 && c.weights[3] < 0.0;
    pli_dvec3 normal = inside ? pli_dscale(c.apart, 1.0 / sqrt(c.square))
                              : pli_dscale(own, pli_ddot(own, c.apart) > 0.0 ? 1.0 : -1.0);
    pli_dvec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const pli_particle *p = &l->collision->particles[l->surface->first + at[i]];
        pli_dvec3 now = {(double)p->x, (double)p->y, (double)p->z};
        sum = pli_dadd(sum, pli_dscale(pli_dsub(now, layer_start(l, at[i])), c.weights[i]));
    }
    float moved = (float)pli_ddot(normal, sum);
    if (!(distance + moved < PLI_PARTICLE_CLOSE * rest))
        return false;
    *t = (pli_surface_contact){
        .normal = {(float)normal.x, (float)normal.y, (float)normal.z},
        .rest_distance = rest,
        .depth = fminf(rest - distance, 0.0f),
        .friction = l->surface->material.friction,
        .approach = moved / step,
        .surface = {l->number, l->number},
        .split = 1,
        .particles = 4,
        .plane_side = -1,
    };
    for (int i = 0; i < 4; i++)
        t->at[i] = l->surface->first + at[i], t->weights[i] = (float)c.weights[i];
    return true;
}

static pli_vec3 across_of(const layering *l, int32_t v, int32_t k)
{
    const pli_particle *from = l->collision->previous + l->surface->first;
    const int32_t *sides = l->list->fans.sides + 2 * (int64_t)k;
    pli_vec3 at = pli_position_of(&from[v]);
    return pli_cross(pli_sub(pli_position_of(&from[sides[0]]), at), pli_sub(pli_position_of(&from[sides[1]]), at));
}

// A cheap necessary test: are the triangles around a particle nearly parallel to the first of them? Most particles that
// touch in folds fail it.
static bool may_be_flat(const layering *l, int32_t v, pli_vec3 *first)
{
    const pli_fans *fans = &l->list->fans;
    if (fans->begins[v] == fans->begins[v + 1])
        return false;
    *first = across_of(l, v, fans->begins[v]);
    float least = NEARLY_FLAT_COSINE * NEARLY_FLAT_COSINE * pli_dot(*first, *first);
    for (int32_t k = fans->begins[v] + 1; k < fans->begins[v + 1]; k++) {
        pli_vec3 across = across_of(l, v, k);
        float along = pli_dot(across, *first);
        if (!(along > 0.0f && along * along > least * pli_dot(across, across)))
            return false;
    }
    return true;
}

// Do both particles pass that test, with nearly parallel surroundings?
static bool may_be_parallel(const layering *l, const int32_t at[2])
{
    pli_vec3 a, b;
    if (!may_be_flat(l, at[0], &a) || !may_be_flat(l, at[1], &b))
        return false;
    float cosine = pli_dot(a, b);
    return cosine * cosine > NEARLY_COSINE * NEARLY_COSINE * pli_dot(a, a) * pli_dot(b, b);
}

// Do the two particles glide, in flat and parallel surroundings? Then `normals` are their mean normals.
static bool glide(const layering *l, const int32_t at[2], pli_dvec3 displacement, pli_dvec3 normals[2])
{
    double least = GLIDE_SHARE * (double)l->list->distance, square = pli_ddot(displacement, displacement);
    if (!(square > least * least) || !may_be_parallel(l, at))
        return false;
    for (int side = 0; side < 2; side++) {
        if (!own_normal(l, at[side], &normals[side]))
            return false;
        double along = pli_ddot(normals[side], displacement);
        if (!(square - along * along > least * least))
            return false;
    }
    return fabs(pli_ddot(normals[0], normals[1])) > FLAT_COSINE;
}

bool pli_layers_glide(const pli_collision *collision, int32_t number, const pli_particle_pair *pair,
                      pli_surface_contact made[2], int32_t *count)
{
    const pli_contact_mesh *surface = collision->surfaces[number];
    const layering l = {collision, surface, surface->own.particle_list, number};
    const int32_t at[2] = {pair->at[0] - surface->first, pair->at[1] - surface->first};
    const pli_particle *now = collision->particles, *before = collision->previous;
    pli_vec3 end = pli_sub(pli_position_of(&now[pair->at[0]]), pli_position_of(&now[pair->at[1]])),
             start = pli_sub(pli_position_of(&before[pair->at[0]]), pli_position_of(&before[pair->at[1]]));
    float reach = l.list->reach * l.list->reach;
    pli_dvec3 normals[2], displacement = {(double)end.x - (double)start.x, (double)end.y - (double)start.y,
                                          (double)end.z - (double)start.z};
    *count = 0;
    if ((pli_dot(start, start) > reach && pli_dot(end, end) > reach) || !glide(&l, at, displacement, normals))
        return false;
    *count += hold_height(&l, at[0], at[1], normals[0], &made[*count]);
    *count += hold_height(&l, at[1], at[0], normals[1], &made[*count]);
    return true;
}
