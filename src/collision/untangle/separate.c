// Separates intersecting edges and triangles, at a limited speed.
#include "collision/untangle/separate.h"

#include "collision/untangle/contour.h"

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
    pli_contour_case contour_case = pli_contour_direction(collision, t, &direction);
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
    double size = rate * (double)(collision->step * collision->surfaces[t->edge_surface]->mean_edge);
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
    pli_contours_sum(collision);
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++)
        separate_intersection(collision, &collision->untangle.intersections.items[i]);
    return true;
}
