// Separation of intersections: regions, directions along contours, and the motion itself.
//
// Global intersection analysis: which regions of a surface are cut off by intersections. The smaller region is on the
// wrong side.
//
//    surface A, cut along a contour     edges that cross an odd number of triangles
//    +---------------+                  separate regions; all other edges join them
//    |     ..x..     |
//    |   x/ small\x  |                  flood fill by union-find:
//    |    \..x../    |                    region     joined by uncut edges
//    |    large      |                    component  joined by any edge
//    +---------------+                  beyond = not in the largest region of the component
//
// Baraff, Witkin, Kass 2003, Untangling Cloth, section 4.
#include "collision/untangle/separate.h"

enum { NO_SURFACE = -1, SEVERAL_SURFACES = -2 };

static int32_t region_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].region != i)
        i = regions[i].region = regions[regions[i].region].region;
    return i;
}

static int32_t component_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].component != i)
        i = regions[i].component = regions[regions[i].component].component;
    return i;
}

// Union-find; the smaller index becomes root, so the result is order-independent.
static void region_join(pli_intersection_region *regions, int32_t i, int32_t k, bool in_region)
{
    int32_t a = component_root(regions, i), b = component_root(regions, k);
    regions[a > b ? a : b].component = a < b ? a : b;
    if (!in_region)
        return;
    a = region_root(regions, i), b = region_root(regions, k);
    regions[a > b ? a : b].region = a < b ? a : b;
}

static bool region_is_cut(const pli_find *f, int32_t surface)
{
    return surface < f->surface_count && !f->collision->surfaces[surface]->collider;
}

// Closed colliders are handled by the winding number instead.
static bool involves_closed(const pli_collision *collision, const pli_intersection *t)
{
    return collision->surfaces[t->edge_surface]->closed || collision->surfaces[t->triangle_surface]->closed;
}

static void note_partner(pli_collision *collision, int32_t i, int32_t surface)
{
    int32_t root = region_root(collision->untangle.regions.items, i);
    int32_t *partner = &collision->untangle.regions.items[root].partner;
    *partner = *partner == NO_SURFACE || *partner == surface ? surface : SEVERAL_SURFACES;
}

bool pli_intersection_regions(pli_find *f)
{
    pli_collision *collision = f->collision;
    collision->untangle.cut_edges = PLI_TAKE(&collision->arena, uint8_t, f->edge_bases[f->surface_count]);
    if (!collision->untangle.cut_edges ||
        !pli_array_reserve(collision->memory, &collision->untangle.regions, collision->particle_count))
        return false;
    for (int32_t i = 0; i < collision->particle_count; i++)
        collision->untangle.regions.items[i] = (pli_intersection_region){
            .region = i, .component = i, .largest = -1, .partner = NO_SURFACE, .contour = i};
    // Both ends of an edge that crosses twice are on the same side.
    for (int32_t e = 0; e < f->edge_bases[f->surface_count]; e++)
        collision->untangle.cut_edges[e] = 0;
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        if (region_is_cut(f, t->edge_surface) && !involves_closed(collision, t))
            collision->untangle.cut_edges[f->edge_bases[t->edge_surface] + t->edge_index] ^= 1;
    }
    for (int32_t surface = 0; surface < f->surface_count; surface++)
        if (region_is_cut(f, surface)) {
            const pli_contact_mesh *s = collision->surfaces[surface];
            for (int32_t e = 0; e < s->edge_count; e++)
                region_join(collision->untangle.regions.items, s->first + s->edges[2 * e],
                            s->first + s->edges[2 * e + 1], !collision->untangle.cut_edges[f->edge_bases[surface] + e]);
            for (int32_t i = s->first; i < s->first + s->vertex_count; i++)
                collision->untangle.regions.items[region_root(collision->untangle.regions.items, i)].size++;
            for (int32_t i = s->first; i < s->first + s->vertex_count; i++) {
                pli_intersection_region *component =
                    &collision->untangle.regions.items[component_root(collision->untangle.regions.items, i)];
                if (region_root(collision->untangle.regions.items, i) == i &&
                    (component->largest < 0 || collision->untangle.regions.items[i].size >
                                                   collision->untangle.regions.items[component->largest].size))
                    component->largest = i;
            }
        }
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        if (involves_closed(collision, t))
            continue;
        for (int k = 0; k < 2; k++)
            note_partner(collision, t->edge[k], t->triangle_surface);
        for (int k = 0; k < 3; k++)
            note_partner(collision, t->corners[k], t->edge_surface);
    }
    for (int32_t i = 0; i < collision->particle_count; i++) {
        pli_intersection_region *region = &collision->untangle.regions.items[i];
        region->region = region_root(collision->untangle.regions.items, i);
        int32_t largest =
            collision->untangle.regions.items[component_root(collision->untangle.regions.items, i)].largest;
        region->beyond = largest >= 0 && region->region != largest;
    }
    return true;
}

// Does a side have a particle beyond an intersection with the other surface, in a region that has no particle of the
// other side?
static bool is_beyond(const pli_collision *collision, const int32_t *side, int32_t count, const int32_t *other,
                      int32_t other_count, int32_t other_surface)
{
    for (int32_t i = 0; i < count; i++) {
        const pli_intersection_region *region = &collision->untangle.regions.items[side[i]];
        int32_t partner = collision->untangle.regions.items[region->region].partner;
        if (!region->beyond || (partner != SEVERAL_SURFACES && partner != other_surface))
            continue;
        for (int32_t k = 0; k < other_count; k++)
            if (collision->untangle.regions.items[other[k]].region != region->region)
                return true;
    }
    return false;
}

bool pli_pair_is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    return is_beyond(collision, pair->at, split, pair->at + split, 4 - split, pair->surface[1]) ||
           is_beyond(collision, pair->at + split, 4 - split, pair->at, split, pair->surface[0]);
}

/* ---- contours -------------------------------------------------------------------------------- */

// Direction in which an intersection is resolved.
//
//       edge                 region cut off: the edge goes back through the triangle, towards the
//        | beyond            larger part of its surface (Baraff, Witkin, Kass 2003)
//    ----*------ triangle
//        |                   nothing cut off: the intersection contour is shortened
//        v direction         (Volino, Magnenat-Thalmann 2006)
//
// Single edges along a straight contour give noisy directions, so all of them move along the sum over the contour.
//
// Volino, Magnenat-Thalmann 2006, Resolving Surface Collisions through Intersection Contour Minimization.

// Below this length of the sum there is no common direction, as for a contour around a sleeve.
#define LEAST_SUM 0.5

typedef enum pli_contour_case {
    PLI_CONTOUR_BACK,    // Back through the triangle, to the correct side.
    PLI_CONTOUR_SHORTER, // Shortens the contour.
    PLI_CONTOUR_SLIDE,   // Shortens a contour that cuts off nothing; the surfaces gain velocity.
} pli_contour_case;

// Unit direction of the contour within a triangle, away from the edge.
static pli_dvec3 crossing_within(pli_dvec3 along, pli_dvec3 out, pli_dvec3 face_normal)
{
    pli_dvec3 direction = pli_dcross(pli_dcross(along, out), face_normal);
    double length = pli_dlength(direction), sign = pli_ddot(direction, out) < 0.0 ? -1.0 : 1.0;
    return length > 0.0 ? pli_dscale(direction, sign / length) : (pli_dvec3){0, 0, 0};
}

// Vertices opposite an edge in its triangles. Returns how many.
static int32_t apexes_of(const pli_contact_mesh *s, int32_t edge, int32_t apexes[2])
{
    int32_t triangle = s->edge_triangles[edge], count = 0;
    for (int32_t side = 0; side < 3 && triangle >= 0; side++) {
        if (s->side_edges[3 * triangle + side] != edge)
            continue;
        apexes[count++] = s->triangles[3 * triangle + (side + 2) % 3];
        if (s->apexes[3 * triangle + side] >= 0)
            apexes[count++] = s->apexes[3 * triangle + side];
        break;
    }
    return count;
}

// Negative gradient of the contour's length: the direction in which the edge moves relative to the triangle to shorten it.
static pli_dvec3 contour_edge_direction(const pli_collision *collision, const pli_intersection *t)
{
    const pli_contact_mesh *s = collision->surfaces[t->edge_surface];
    pli_dvec3 a = pli_start_position(collision, t->edge[0]),
              along = pli_dsub(pli_start_position(collision, t->edge[1]), a);
    pli_dvec3 normal;
    double length = pli_dlength(along);
    if (!pli_normal_at_start(collision, t->corners, &normal) || !(length > 0.0))
        return (pli_dvec3){0, 0, 0};
    along = pli_dscale(along, 1.0 / length);
    int32_t apexes[2], count = apexes_of(s, t->edge_index, apexes);
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        pli_dvec3 out = pli_dsub(pli_start_position(collision, s->first + apexes[i]), a);
        out = pli_dsub(out, pli_dscale(along, pli_ddot(out, along)));
        sum = pli_dadd(sum, crossing_within(along, out, normal));
    }
    double gradient = pli_ddot(along, normal);
    gradient = fabs(gradient) < 0.1 ? (gradient < 0.0 ? -0.1 : 0.1) : gradient;
    pli_dvec3 direction = pli_dsub(sum, pli_dscale(normal, pli_ddot(along, sum) / gradient));
    double size = pli_dlength(direction);
    return size > 1.0 ? pli_dscale(direction, 1.0 / size) : direction;
}

// One-sided and closed surfaces have a correct side: the face normal is the direction.
static bool has_front(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    const pli_contact_mesh *se = collision->surfaces[t->edge_surface], *st = collision->surfaces[t->triangle_surface];
    bool of_edge = se->material.one_sided || se->closed;
    const pli_contact_mesh *s = of_edge ? se : st;
    int32_t triangle = of_edge ? se->edge_triangles[t->edge_index] : t->triangle_index;
    if (!(s->material.one_sided || s->closed) || triangle < 0)
        return false;
    const int32_t *places = s->triangles + 3 * triangle;
    const int32_t corners[3] = {s->first + places[0], s->first + places[1], s->first + places[2]};
    pli_dvec3 normal;
    if (!pli_normal_at_start(collision, corners, &normal))
        return false;
    *direction = pli_dscale(normal, of_edge ? -1.0 : 1.0);
    return true;
}

// The direction back through the triangle, for an edge with one end in a region cut off.
static bool can_go_back(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    bool first = collision->untangle.regions.items[t->edge[0]].beyond,
         second = collision->untangle.regions.items[t->edge[1]].beyond;
    if (first == second)
        return false;
    pli_dvec3 back = pli_dsub(pli_start_position(collision, t->edge[first]),
                              pli_start_position(collision, t->edge[second]));
    pli_dvec3 normal;
    if (!pli_normal_at_start(collision, t->corners, &normal))
        return false;
    *direction = pli_dscale(normal, pli_ddot(normal, back) < 0.0 ? -1.0 : 1.0);
    return true;
}

// Direction of one intersection alone. Returns false if only the gradient of the contour's length gives one.
static bool own_direction(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    if (has_front(collision, t, direction) || can_go_back(collision, t, direction))
        return true;
    *direction = contour_edge_direction(collision, t);
    return false;
}

static int32_t contour_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].contour != i)
        i = regions[i].contour = regions[regions[i].contour].contour;
    return i;
}

static void contour_join(pli_intersection_region *regions, int32_t i, int32_t k)
{
    int32_t a = contour_root(regions, i), b = contour_root(regions, k);
    regions[a > b ? a : b].contour = a < b ? a : b;
}

// The contour of an intersection, and the sign of the edge's motion in its sum.
static pli_intersection_region *contour_of(pli_collision *collision, const pli_intersection *t, double *sign)
{
    int32_t a = contour_root(collision->untangle.regions.items, t->edge[0]),
            b = contour_root(collision->untangle.regions.items, t->corners[0]);
    *sign = a < b ? 1.0 : a > b ? -1.0 : 0.0;
    return &collision->untangle.regions.items[a < b ? a : b];
}

static void sum_contours(pli_collision *collision)
{
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        contour_join(collision->untangle.regions.items, t->edge[0], t->edge[1]);
        contour_join(collision->untangle.regions.items, t->corners[0], t->corners[1]);
        contour_join(collision->untangle.regions.items, t->corners[0], t->corners[2]);
    }
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        double sign;
        pli_dvec3 direction;
        bool known = own_direction(collision, &collision->untangle.intersections.items[i], &direction);
        pli_intersection_region *contour = contour_of(collision, &collision->untangle.intersections.items[i], &sign);
        contour->has_known_side = contour->has_known_side || known;
        contour->direction_sum = pli_dadd(contour->direction_sum, pli_dscale(direction, sign));
    }
}

// Direction of the edge relative to the triangle, of at most unit length.
static pli_contour_case contour_direction(pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    if (own_direction(collision, t, direction))
        return PLI_CONTOUR_BACK;
    double sign;
    const pli_intersection_region *contour = contour_of(collision, t, &sign);
    double length = pli_dlength(contour->direction_sum);
    if (!(length > LEAST_SUM) || sign == 0.0)
        return PLI_CONTOUR_SHORTER;
    *direction = pli_dscale(contour->direction_sum, sign / length);
    return contour->has_known_side ? PLI_CONTOUR_SHORTER : PLI_CONTOUR_SLIDE;
}

/* ---- separation ------------------------------------------------------------------------------ */

// Separates intersecting edges and triangles, at a limited speed.

// Relative speed of an edge and its triangle [mean edges/s]; long-lasting intersections move at LASTING_SHARE of it.
#define SEPARATION_RATE 24.0
#define LASTING_SHARE 0.1
// Largest displacement of a particle, as a multiple of the displacement at that speed; see move_by.
#define SEPARATION_FARTHEST 4.0

bool pli_one_sided_reserve(pli_collision *collision, int32_t count)
{
    return pli_array_reserve(collision->memory, &collision->contacts.one_sided, count);
}

pli_surface_contact pli_one_sided_of(int32_t vertex, const int32_t corners[3], const double weights[3],
                                     pli_dvec3 direction, const int32_t surfaces[2])
{
    return (pli_surface_contact){
        .at = {vertex, corners[0], corners[1], corners[2]},
        .weights = {1.0f, (float)-weights[0], (float)-weights[1], (float)-weights[2]},
        .normal = {(float)direction.x, (float)direction.y, (float)direction.z},
        .surface = {surfaces[0], surfaces[1]},
        .split = 1,
        .particles = 4,
        .plane_side = -1,
    };
}

// Is a vertex of the intersection already being pushed out of the collider that it crosses?
static bool is_pushed_out(const pli_collision *collision, const pli_intersection *t)
{
    for (int k = 0; k < 5 && collision->untangle.inside_count > 0; k++) {
        int32_t collider = collision->untangle.inside_of.items[k < 2 ? t->edge[k] : t->corners[k - 2]] - 1;
        if (collider >= 0 && (collider == t->edge_surface || collider == t->triangle_surface))
            return true;
    }
    return false;
}

// The edge and the intersection point of the triangle, as one weighted sum of five particles.
typedef struct crossing {
    int32_t at[5];
    double weights[5];
} crossing;

static void separate_intersection(pli_collision *collision, const pli_intersection *t)
{
    pli_dvec3 direction;
    double corners[3], rate = SEPARATION_RATE * (collision->untangle.lasting ? LASTING_SHARE : 1.0);
    if (is_pushed_out(collision, t))
        return;
    pli_contour_case contour_case = contour_direction(collision, t, &direction);
    // Barycentric weights of the intersection point in the triangle.
    pli_dvec3 ends[2] = {pli_start_position(collision, t->edge[0]), pli_start_position(collision, t->edge[1])};
    pli_dvec3 at[4] = {pli_dadd(pli_dscale(ends[0], 1.0 - t->part), pli_dscale(ends[1], t->part))};
    for (int k = 0; k < 3; k++)
        at[1 + k] = pli_start_position(collision, t->corners[k]);
    pli_closest closest = pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
    for (int k = 0; k < 3; k++)
        corners[k] = -closest.weights[1 + k];
    crossing c = (crossing){
        {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]},
        {1.0 - t->part, t->part, -corners[0], -corners[1], -corners[2]},
    };
    // Separate edge and triangle by up to `size` [m] in this substep, either with velocity (`as_motion`) or as a
    // position-only correction.
    double size = rate * (double)(collision->substep.length * collision->surfaces[t->edge_surface]->mean_edge);
    bool as_motion = contour_case == PLI_CONTOUR_SLIDE;
    double inverse_mass = 0.0, moved = 0.0, most = 0.0;
    for (int k = 0; k < 5; k++) {
        most = fmax(most, (double)collision->particles[c.at[k]].w * fabs(c.weights[k]));
        inverse_mass += (double)collision->particles[c.at[k]].w * c.weights[k] * c.weights[k];
        const pli_particle *p = &collision->particles[c.at[k]], *q = &collision->previous[c.at[k]];
        const pli_dvec3 displacement = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                                        (double)p->z - (double)q->z};
        moved += c.weights[k] * pli_ddot(as_motion ? displacement : collision->untangle.shifts[c.at[k]], direction);
    }
    // Without this limit, a free particle with a small weight among fixed ones would move too far.
    double push = (size - moved) * fmin(1.0 / inverse_mass, SEPARATION_FARTHEST / most);
    for (int k = 0; k < 5 && most > 0.0 && moved < size; k++) {
        int32_t i = c.at[k];
        pli_particle *p = &collision->particles[i];
        pli_dvec3 by = pli_dscale(direction, (double)p->w * c.weights[k] * push);
        if (as_motion) {
            p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
            continue;
        }
        collision->untangle.shifts[i] = pli_dadd(collision->untangle.shifts[i], by);
        pli_collision_shift(collision, i, by);
    }
    if (contour_case == PLI_CONTOUR_BACK && !collision->untangle.lasting) {
        // The end of the edge that lies further back must not move any deeper.
        const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
        pli_dvec3 along = pli_dsub(pli_start_position(collision, t->edge[1]),
                                   pli_start_position(collision, t->edge[0]));
        int32_t end = t->edge[pli_ddot(along, direction) < 0.0];
        collision->contacts.one_sided.items[collision->contacts.one_sided.count++] = pli_one_sided_of(
            end, t->corners, corners, direction, surfaces);
    }
}

bool pli_separate_intersections(pli_collision *collision)
{
    if (collision->untangle.intersections.count == 0)
        return true;
    collision->untangle.shifts = PLI_TAKE_ZEROED(&collision->arena, pli_dvec3, collision->particle_count);
    if (!collision->untangle.shifts || !pli_one_sided_reserve(collision, collision->contacts.one_sided.count +
                                                                             collision->untangle.intersections.count))
        return false;
    for (int32_t i = 0; i < collision->particle_count; i++)
        collision->untangle.shifts[i] = (pli_dvec3){0, 0, 0};
    sum_contours(collision);
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++)
        separate_intersection(collision, &collision->untangle.intersections.items[i]);
    return true;
}
