// Elastic energy of a plate, for reports.
//
// The elements of bending/plate_element.h store E = 1/2 sum of e^T K e over triangles, where the excess e_k of a derivative over the
// derivative of the flat triangle has one unknown for each edge. A plate at rest has the derivatives that minimise E, and so does this
// energy: from the derivatives that the residual is evaluated at (bending/plate_kernels.h), conjugate gradients with a diagonal
// preconditioner go to the minimum, in double.
#include "bending/plate.h"

#include "bending/plate_build.h"

#include <math.h>

enum { MOST_ROUNDS = 300 };
#define ENOUGH 1e-18 // Square of the residual, relative to the start.

typedef struct plate_bending {
    const pli_deformable_data *deformable;
    const pli_plate_state *state;
    int32_t triangles, unknowns;
    pli_plate_element *elements;             // [triangles]
    int32_t *unknown_of;                     // [3 * triangles] of each side, or -1 where the derivative is fixed.
    pli_dvec3 *own, *excess;                 // [3 * triangles] derivatives of flat triangles, and e.
    pli_dvec3 *residual, *direction, *image; // [unknowns]
    double *diagonal;                        // [unknowns]
} plate_bending;

static bool reserve_bending(plate_bending *b, pli_memory *memory)
{
    const size_t sides = 3 * (size_t)b->triangles, unknowns = (size_t)b->unknowns;
    b->elements = PLI_ALLOCATE(memory, pli_plate_element, b->triangles);
    b->unknown_of = PLI_ALLOCATE(memory, int32_t, sides);
    b->own = PLI_ALLOCATE(memory, pli_dvec3, sides);
    b->excess = PLI_ALLOCATE(memory, pli_dvec3, sides);
    b->residual = PLI_ALLOCATE(memory, pli_dvec3, unknowns);
    b->direction = PLI_ALLOCATE(memory, pli_dvec3, unknowns);
    b->image = PLI_ALLOCATE(memory, pli_dvec3, unknowns);
    b->diagonal = PLI_ALLOCATE(memory, double, unknowns);
    return b->elements && b->unknown_of && b->own && b->excess && b->residual && b->direction && b->image &&
           b->diagonal;
}

static void clear(plate_bending *b, pli_memory *memory)
{
    void *const all[] = {b->elements, b->unknown_of, b->own,   b->excess,
                         b->residual, b->direction,  b->image, b->diagonal};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(memory, all[i]);
}

/* ---- excess ------------------------------------------------------------------------------------- */

static pli_dvec3 position(const plate_bending *b, int32_t side)
{
    const pli_particle *p = &b->deformable->particles[pli_plate_corner(b->deformable, side)];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

static bool is_first(const plate_bending *b, int32_t side)
{
    return b->state->mesh.sides[2 * (size_t)b->state->mesh.edge_of[side]] == side;
}

// The side across an edge, or -1; a tear in the last step may have separated triangles that the plate still joins.
static int32_t across(const plate_bending *b, int32_t side)
{
    const int32_t *sides = b->state->mesh.sides + 2 * (size_t)b->state->mesh.edge_of[side];
    const int32_t other = sides[0] == side ? sides[1] : sides[0];
    if (other < 0 || (sides[0] != side && sides[1] != side))
        return -1;
    const int32_t *corners = b->deformable->shape.triangles, t = side / 3 * 3, u = other / 3 * 3;
    const int32_t a = corners[side], c = corners[t + (side + 1 - t) % 3];
    const int32_t d = corners[other], e = corners[u + (other + 1 - u) % 3];
    return (a == d && c == e) || (a == e && c == d) ? other : -1;
}

static void number_sides(plate_bending *b)
{
    const int32_t edges = b->state->mesh.edge_count;
    for (int32_t side = 0; side < 3 * b->triangles; side++) {
        const int32_t e = b->state->mesh.edge_of[side], other = across(b, side);
        b->unknown_of[side] = other < 0 ? edges + side : b->state->clamped[e] ? -1 : e;
    }
}

static void take_elements(plate_bending *b)
{
    for (int32_t t = 0; t < b->triangles; t++) {
        pli_plate_element *element = &b->elements[t];
        if (!b->state->valid[t] || !pli_plate_element_of(b->deformable, b->state, t, element))
            *element = (pli_plate_element){{{0.0}}, {{0.0}}, {{0.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0}}};
        for (int32_t k = 0; k < 3; k++) {
            pli_dvec3 sum = {0.0, 0.0, 0.0};
            for (int32_t i = 0; i < 3; i++)
                sum = pli_dadd(sum, pli_dscale(position(b, 3 * t + i), element->derivatives[k][i]));
            b->own[3 * t + k] = sum;
        }
    }
}

// The target of a side, which rotates with the triangle.
static pli_dvec3 bending_target_of(const plate_bending *b, int32_t side)
{
    const int32_t t = side / 3;
    const pli_dvec3 origin = position(b, 3 * t), edge = pli_dsub(position(b, 3 * t + 1), origin);
    const pli_dvec3 up = pli_dcross(edge, pli_dsub(position(b, 3 * t + 2), origin));
    const double length = pli_dlength(edge), area = pli_dlength(up);
    const pli_dvec3 along = pli_dscale(edge, length > 0.0 ? 1.0 / length : 0.0);
    const pli_dvec3 normal = pli_dscale(up, area > 0.0 ? 1.0 / area : 0.0);
    const pli_dvec3 axes[3] = {along, pli_dcross(normal, along), normal};
    pli_dvec3 sum = {0.0, 0.0, 0.0};
    for (int32_t axis = 0; axis < 3; axis++)
        sum = pli_dadd(
            sum,
            pli_dscale(axes[axis],
                       (double)b->state->lists.targets[pli_plate_row(t, PLI_PLATE_TARGETS, 3 * (side % 3) + axis)]));
    return sum;
}

static void take_excess(plate_bending *b)
{
    for (int32_t side = 0; side < 3 * b->triangles; side++) {
        const int32_t other = across(b, side);
        const double share = (double)b->state->lists.shares[pli_plate_row(side / 3, 3, side % 3)];
        b->excess[side] = other < 0 ? (pli_dvec3){0.0, 0.0, 0.0}
                                    : pli_dscale(pli_dadd(b->own[side], b->own[other]), share);
        // A fixed triangle, whose share is 0, has no bending moment.
        if (b->state->lists.targets && share != 0.0)
            b->excess[side] = pli_dsub(b->excess[side], bending_target_of(b, side));
    }
}

/* ---- minimum ------------------------------------------------------------------------------------ */

static double dot_of(const pli_dvec3 *a, const pli_dvec3 *c, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += pli_ddot(a[i], c[i]);
    return sum;
}

// The moment K e of a side.
static pli_dvec3 bending_moment_of(const plate_bending *b, int32_t side, const pli_dvec3 excess[3])
{
    const double *row = b->elements[side / 3].stiffness[side % 3];
    return pli_dadd(pli_dadd(pli_dscale(excess[0], row[0]), pli_dscale(excess[1], row[1])),
                    pli_dscale(excess[2], row[2]));
}

static void gather(const plate_bending *b, const pli_dvec3 excess[3], int32_t triangle, double sign, pli_dvec3 *sums)
{
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
        const int32_t u = b->unknown_of[side];
        if (u >= 0)
            sums[u] = pli_dadd(sums[u],
                               pli_dscale(bending_moment_of(b, side, excess), is_first(b, side) ? sign : -sign));
    }
}

// Writes A d: the change of the moments when the derivatives change by d.
static void apply_bending(const plate_bending *b, const pli_dvec3 *direction, pli_dvec3 *image)
{
    for (int32_t u = 0; u < b->unknowns; u++)
        image[u] = (pli_dvec3){0.0, 0.0, 0.0};
    for (int32_t t = 0; t < b->triangles; t++) {
        pli_dvec3 excess[3];
        for (int32_t k = 0; k < 3; k++) {
            const int32_t side = 3 * t + k, u = b->unknown_of[side];
            excess[k] = u < 0 ? (pli_dvec3){0.0, 0.0, 0.0} : pli_dscale(direction[u], is_first(b, side) ? 1.0 : -1.0);
        }
        gather(b, excess, t, 1.0, image);
    }
}

static double scaled_square(const plate_bending *b)
{
    double sum = 0.0;
    for (int32_t u = 0; u < b->unknowns; u++)
        sum += b->diagonal[u] > 0.0 ? pli_ddot(b->residual[u], b->residual[u]) / b->diagonal[u] : 0.0;
    return sum;
}

// Sets the next search direction: the residual over the diagonal, plus `share` of the previous direction.
static void turn_bending(const plate_bending *b, double share)
{
    for (int32_t u = 0; u < b->unknowns; u++)
        b->direction[u] = pli_dadd(pli_dscale(b->residual[u], b->diagonal[u] > 0.0 ? 1.0 / b->diagonal[u] : 0.0),
                                   pli_dscale(b->direction[u], share));
}

// The energy at the initial derivatives minus the minimum energy.
static double fall_of(plate_bending *b)
{
    for (int32_t t = 0; t < b->triangles; t++) {
        gather(b, b->excess + 3 * (size_t)t, t, -1.0, b->residual);
        for (int32_t k = 0; k < 3; k++)
            if (b->unknown_of[3 * t + k] >= 0)
                b->diagonal[b->unknown_of[3 * t + k]] += b->elements[t].stiffness[k][k];
    }
    double fall = 0.0, square = scaled_square(b);
    const double start = square;
    turn_bending(b, 0.0);
    for (int32_t round = 0; round < MOST_ROUNDS && square > ENOUGH * start; round++) {
        apply_bending(b, b->direction, b->image);
        const double curvature = dot_of(b->direction, b->image, b->unknowns);
        if (!(curvature > 0.0))
            break;
        const double step = square / curvature, before = square;
        fall += 0.5 * step * square;
        for (int32_t u = 0; u < b->unknowns; u++)
            b->residual[u] = pli_dsub(b->residual[u], pli_dscale(b->image[u], step));
        square = scaled_square(b);
        turn_bending(b, square / before);
    }
    return fall;
}

static double energy_of(plate_bending *b)
{
    double sum = 0.0;
    take_elements(b);
    take_excess(b);
    number_sides(b);
    for (int32_t side = 0; side < 3 * b->triangles; side++)
        sum += 0.5 * pli_ddot(b->excess[side], bending_moment_of(b, side, b->excess + side / 3 * 3));
    return fmax(sum - fall_of(b), 0.0);
}

double pli_plate_energy(pli_world *world, const pli_deformable_data *deformable)
{
    const pli_plate_state *state = deformable->plate;
    if (!state || deformable->shape.triangle_count == 0)
        return 0.0;
    plate_bending b = {.deformable = deformable, .state = state, .triangles = deformable->shape.triangle_count};
    b.unknowns = state->mesh.edge_count + 3 * b.triangles;
    const double energy = reserve_bending(&b, &world->memory) ? energy_of(&b) : (double)NAN;
    clear(&b, &world->memory);
    return energy;
}
