// Builds the lists, the matrix and its factorisation of a plate: plate/plate_build.h.
#include "plate/plate_build.h"

#include "plate/plate_element.h"
#include "plate/plate_mesh.h"

#include <string.h>

// Targets below this are those of a flat shape.
#define FLAT 1e-5

typedef struct building {
    pli_memory *memory;
    const pli_deformable_data *deformable;
    pli_plate_state *state;
    pli_plate_mesh mesh;
    pli_plate_element *elements; // [triangles]
    bool *valid;                 // [triangles] not degenerate.
    double (*targets)[3];        // [3 * triangles] of each side, along the axes of its triangle.
    int32_t *unknowns;           // [particles] of each internal place; -1 for fixed ones.
    int32_t *edge_slots;         // [edges] its place in lists.jumps.
    int32_t *derivatives; // [edges] its number among the derivatives; -1 where a triangle of fixed corners holds it.
    int32_t interior_count;
} building;

static int32_t batches_of(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH; }

// Where value `kind` of item i stands in rows of `kinds`.
static size_t row_at(int32_t i, int32_t kinds, int32_t kind)
{
    return ((size_t)(i / PLI_BATCH) * (size_t)kinds + (size_t)kind) * PLI_BATCH + (size_t)(i % PLI_BATCH);
}

static int32_t corner(const building *b, int32_t side)
{
    return pli_place(b->deformable, b->deformable->shape.triangles[side]);
}

/* ---- elements ----------------------------------------------------------------------------------- */

static void make_elements(building *b)
{
    const pli_faces *shape = &b->deformable->shape;
    double lengths = 0.0;
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        pli_dvec3 corners[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *at = shape->positions + 3 * (size_t)shape->triangles[3 * t + k];
            corners[k] = (pli_dvec3){(double)at[0], (double)at[1], (double)at[2]};
        }
        b->valid[t] = pli_plate_element_make(corners, (double)b->state->key.rigidity, (double)b->state->key.poisson,
                                             &b->elements[t]);
        lengths += pli_dlength(pli_dsub(corners[1], corners[0]));
    }
    b->state->unit = shape->triangle_count > 0 ? (float)(lengths / shape->triangle_count) : 1.0f;
}

// Sides of degenerate triangles are left out, so that their neighbours end there.
static void drop_degenerate_sides(const building *b)
{
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        int32_t *sides = b->mesh.sides + 2 * (size_t)e;
        if (sides[1] >= 0 && !b->valid[sides[1] / 3])
            sides[1] = -1;
        if (!b->valid[sides[0] / 3])
            sides[0] = sides[1], sides[1] = -1;
    }
}

// Slope across an edge at rest, outwards of its first triangle: between the directions that the two triangles have there.
static pli_dvec3 rest_derivative(const building *b, const int32_t sides[2])
{
    const pli_dvec3 first = b->elements[sides[0] / 3].normals[sides[0] % 3];
    const pli_dvec3 second = b->elements[sides[1] / 3].normals[sides[1] % 3];
    const pli_dvec3 between = pli_dsub(first, second);
    const double length = pli_dlength(between);
    return length > 1e-3 ? pli_dscale(between, 1.0 / length) : first;
}

// Targets of both sides of the inner edges; whether the shape is curved at rest. Where one side is held, the other has to bear the
// whole of the jump at rest, n + n'.
static bool find_targets(const building *b)
{
    double most = 0.0;
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        const int32_t *sides = b->mesh.sides + 2 * (size_t)e;
        for (int32_t k = 0; k < 2 && sides[1] >= 0; k++) {
            const pli_plate_element *element = &b->elements[sides[k] / 3];
            const pli_dvec3 own = element->normals[sides[k] % 3],
                            other = b->elements[sides[1 - k] / 3].normals[sides[1 - k] % 3];
            const pli_dvec3 derivative = b->derivatives[e] < 0
                                             ? pli_dscale(other, -1.0)
                                             : pli_dscale(rest_derivative(b, sides), k == 0 ? 1.0 : -1.0);
            const pli_dvec3 target = pli_dsub(derivative, own);
            for (int32_t axis = 0; axis < 3; axis++) {
                b->targets[sides[k]][axis] = pli_ddot(target, element->axes[axis]);
                most = fmax(most, fabs(b->targets[sides[k]][axis]));
            }
        }
    }
    return most > FLAT;
}

/* ---- unknowns ----------------------------------------------------------------------------------- */

static bool is_held(const building *b, int32_t side)
{
    for (int32_t k = 0; k < 3; k++)
        if (b->unknowns[corner(b, side / 3 * 3 + k)] >= 0)
            return false;
    return true;
}

// Particles that are not fixed, then the derivatives across edges. A triangle whose corners are fixed is clamped, and so are the derivatives at
// its edges.
static bool number_unknowns(building *b)
{
    pli_plate_state *s = b->state;
    s->masses = PLI_ALLOCATE(b->memory, float, s->key.count);
    s->free_particles = PLI_ALLOCATE(b->memory, int32_t, s->key.count);
    b->derivatives = PLI_ALLOCATE(b->memory, int32_t, b->mesh.edge_count);
    if (!s->masses || !s->free_particles || !b->derivatives)
        return false;
    for (int32_t i = 0; i < s->key.count; i++) {
        s->masses[i] = b->deformable->particles[i].w;
        b->unknowns[i] = s->masses[i] > 0.0f ? s->free_count : -1;
        if (s->masses[i] > 0.0f)
            s->free_particles[s->free_count++] = i;
    }
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        const int32_t *sides = b->mesh.sides + 2 * (size_t)e;
        const bool held = (sides[0] >= 0 && is_held(b, sides[0])) || (sides[1] >= 0 && is_held(b, sides[1]));
        b->derivatives[e] = held ? -1 : s->derivative_count++;
    }
    return true;
}

/* ---- lists -------------------------------------------------------------------------------------- */

// The ends of an inner edge in the order of its first side, and the corners opposite to it.
static void edge_corners(const building *b, const int32_t sides[2], int32_t corners[4])
{
    const int32_t t = sides[0] / 3 * 3, k = sides[0] % 3, u = sides[1] / 3 * 3, j = sides[1] % 3;
    corners[0] = corner(b, t + k);
    corners[1] = corner(b, t + (k + 1) % 3);
    corners[2] = corner(b, t + (k + 2) % 3);
    corners[3] = corner(b, u + (j + 2) % 3);
}

// Adds to `weight` by which factor corner `place` enters the derivative of the side.
static void add_weight(const building *b, int32_t side, int32_t place, double *weight)
{
    for (int32_t i = 0; i < 3; i++)
        if (corner(b, side / 3 * 3 + i) == place)
            *weight += b->elements[side / 3].derivatives[side % 3][i];
}

static void fill_edges(building *b)
{
    pli_plate_lists *lists = &b->state->lists;
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        const int32_t *sides = b->mesh.sides + 2 * (size_t)e;
        b->edge_slots[e] = -1;
        if (sides[1] < 0)
            continue;
        int32_t corners[4], slot = b->edge_slots[e] = b->interior_count++;
        edge_corners(b, sides, corners);
        for (int32_t k = 0; k < 4; k++) {
            double weight = 0.0;
            add_weight(b, sides[0], corners[k], &weight);
            add_weight(b, sides[1], corners[k], &weight);
            lists->edge_particles[row_at(slot, 4, k)] = corners[k];
            if (k > 0)
                lists->edge_weights[row_at(slot, PLI_PLATE_WEIGHTS, k - 1)] = (float)weight;
        }
    }
}

// Which share of the jump at an edge the triangle of a side has to bear, at the derivative that the residual is taken at.
static float share_of(const building *b, int32_t side)
{
    return b->derivatives[b->mesh.edge_of[side]] >= 0 ? 0.5f : is_held(b, side) ? 0.0f : 1.0f;
}

static void fill_triangle(const building *b, int32_t t, int32_t dummy)
{
    static const int32_t pairs[PLI_PLATE_STIFFNESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const pli_plate_lists *lists = &b->state->lists;
    const pli_plate_element *element = &b->elements[t];
    for (int32_t k = 0; k < 3; k++) {
        const int32_t slot = b->edge_slots[b->mesh.edge_of[3 * t + k]];
        lists->corners[row_at(t, 3, k)] = corner(b, 3 * t + k);
        lists->edges[row_at(t, 3, k)] = slot < 0 || !b->valid[t] ? dummy : slot;
        lists->shares[row_at(t, 3, k)] = -share_of(b, 3 * t + k);
        for (int32_t i = 1; i < 3 && b->valid[t]; i++)
            lists->derivatives[row_at(t, PLI_PLATE_DERIVATIVES, 2 * k + i - 1)] = (float)element->derivatives[k][i];
        for (int32_t axis = 0; axis < 3 && lists->targets && b->valid[t]; axis++)
            lists->targets[row_at(t, PLI_PLATE_TARGETS, 3 * k + axis)] = (float)b->targets[3 * t + k][axis];
    }
    for (int32_t i = 0; i < PLI_PLATE_STIFFNESSES && b->valid[t]; i++)
        lists->stiffnesses[row_at(t, PLI_PLATE_STIFFNESSES, i)] = (float)element->stiffness[pairs[i][0]][pairs[i][1]];
}

// Which forces on corners each free particle gathers, and which moments each derivative.
static void fill_gathers(const building *b)
{
    pli_plate_state *s = b->state;
    const int32_t sides = 3 * b->deformable->shape.triangle_count;
    for (int32_t side = 0; side < sides; side++)
        if (b->unknowns[corner(b, side)] >= 0)
            s->pull_begins[b->unknowns[corner(b, side)] + 1]++;
    for (int32_t i = 0; i < s->free_count; i++)
        s->pull_begins[i + 1] += s->pull_begins[i];
    for (int32_t side = 0; side < sides; side++)
        if (b->unknowns[corner(b, side)] >= 0)
            s->pull_places[s->pull_begins[b->unknowns[corner(b, side)]]++] = (int32_t)row_at(side / 3, 3, side % 3);
    for (int32_t i = s->free_count; i > 0; i--)
        s->pull_begins[i] = s->pull_begins[i - 1];
    s->pull_begins[0] = 0;
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        const int32_t *edge = b->mesh.sides + 2 * (size_t)e, derivative = b->derivatives[e];
        if (derivative < 0)
            continue;
        s->first_moments[derivative] = edge[0] < 0 ? -1 : (int32_t)row_at(edge[0] / 3, 3, edge[0] % 3);
        s->second_moments[derivative] = edge[1] < 0 ? -1 : (int32_t)row_at(edge[1] / 3, 3, edge[1] % 3);
    }
}

static bool reserve_lists(building *b, bool curved)
{
    pli_plate_state *s = b->state;
    pli_memory *memory = b->memory;
    int32_t inner = 0;
    for (int32_t e = 0; e < b->mesh.edge_count; e++)
        inner += b->mesh.sides[2 * (size_t)e + 1] >= 0;
    s->edge_batches = batches_of(inner), s->triangle_batches = batches_of(b->deformable->shape.triangle_count);
    const size_t edges = (size_t)s->edge_batches * PLI_BATCH, triangles = (size_t)s->triangle_batches * PLI_BATCH;
    pli_plate_lists *lists = &s->lists;
    lists->edge_particles = PLI_ALLOCATE(memory, int32_t, 4 * edges);
    lists->edge_weights = PLI_ALLOCATE(memory, float, PLI_PLATE_WEIGHTS *edges);
    lists->jumps = PLI_ALLOCATE(memory, pli_particle, edges + 1);
    lists->corners = PLI_ALLOCATE(memory, int32_t, 3 * triangles);
    lists->edges = PLI_ALLOCATE(memory, int32_t, 3 * triangles);
    lists->shares = PLI_ALLOCATE(memory, float, 3 * triangles);
    lists->stiffnesses = PLI_ALLOCATE(memory, float, PLI_PLATE_STIFFNESSES *triangles);
    lists->derivatives = PLI_ALLOCATE(memory, float, PLI_PLATE_DERIVATIVES *triangles);
    lists->targets = curved ? PLI_ALLOCATE(memory, float, PLI_PLATE_TARGETS *triangles) : NULL;
    lists->moments = PLI_ALLOCATE(memory, pli_particle, 3 * triangles);
    lists->pulls = PLI_ALLOCATE(memory, pli_particle, 3 * triangles);
    s->ahead = PLI_ALLOCATE(memory, pli_particle, s->key.count);
    lists->ahead = s->ahead;
    s->pull_begins = PLI_ALLOCATE(memory, int32_t, s->free_count + 1);
    s->pull_places = PLI_ALLOCATE(memory, int32_t, 3 * (size_t)b->deformable->shape.triangle_count);
    s->first_moments = PLI_ALLOCATE(memory, int32_t, s->derivative_count);
    s->second_moments = PLI_ALLOCATE(memory, int32_t, s->derivative_count);
    return lists->edge_particles && lists->edge_weights && lists->jumps && lists->corners && lists->edges &&
           lists->shares && lists->stiffnesses && lists->derivatives && (lists->targets || !curved) && lists->moments &&
           lists->pulls && s->ahead && s->pull_begins && s->pull_places && s->first_moments && s->second_moments;
}

static void fill_lists(building *b)
{
    fill_edges(b);
    const int32_t dummy = b->state->edge_batches * PLI_BATCH;
    for (int32_t t = 0; t < b->state->triangle_batches * PLI_BATCH; t++)
        for (int32_t k = 0; k < 3; k++)
            b->state->lists.edges[row_at(t, 3, k)] = dummy;
    for (int32_t t = 0; t < b->deformable->shape.triangle_count; t++)
        fill_triangle(b, t, dummy);
    fill_gathers(b);
}

/* ---- matrix ------------------------------------------------------------------------------------- */

// The matrix of an element over its three corners and three edges.
static void element_matrix(const building *b, int32_t t, int32_t unknowns[6], double *values)
{
    const pli_plate_element *element = &b->elements[t];
    double rows[3][6] = {{0.0}};
    for (int32_t k = 0; k < 3; k++) {
        const int32_t e = b->mesh.edge_of[3 * t + k];
        unknowns[k] = b->valid[t] ? b->unknowns[corner(b, 3 * t + k)] : -1;
        unknowns[3 + k] = b->valid[t] && b->derivatives[e] >= 0 ? b->state->free_count + b->derivatives[e] : -1;
        for (int32_t i = 0; i < 3; i++)
            rows[k][i] = -element->derivatives[k][i];
        rows[k][3 + k] = (b->mesh.sides[2 * (size_t)e] == 3 * t + k ? 1.0 : -1.0) / (double)b->state->unit;
    }
    for (int32_t i = 0; i < 6; i++)
        for (int32_t j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < 3 && b->valid[t]; k++)
                for (int32_t l = 0; l < 3; l++)
                    sum += rows[k][i] * element->stiffness[k][l] * rows[l][j];
            values[6 * i + j] = sum;
        }
}

// Coordinates at rest of the unknowns: particles, and middles of edges. Those of inertia are on the diagonal.
static void place_unknowns(const building *b, double *points, double *diagonal)
{
    const pli_plate_state *s = b->state;
    const pli_faces *shape = &b->deformable->shape;
    const double interval = (double)s->key.interval;
    for (int32_t i = 0; i < s->free_count; i++) {
        const int32_t place = s->free_particles[i], vertex = pli_vertex(b->deformable, place);
        diagonal[i] = 1.0 / ((double)s->masses[place] * interval * interval);
        for (int32_t k = 0; k < 3; k++)
            points[3 * (size_t)i + (size_t)k] = (double)shape->positions[3 * (size_t)vertex + (size_t)k];
    }
    for (int32_t e = 0; e < b->mesh.edge_count; e++) {
        const int32_t side = b->mesh.sides[2 * (size_t)e];
        if (b->derivatives[e] < 0)
            continue;
        const size_t at = (size_t)s->free_count + (size_t)b->derivatives[e];
        diagonal[at] = side < 0 ? 1.0 : 0.0; // Between degenerate triangles there is nothing else.
        for (int32_t k = 0; k < 3 && side >= 0; k++) {
            const int32_t first = shape->triangles[side],
                          second = shape->triangles[side % 3 == 2 ? side - 2 : side + 1];
            points[3 * at + (size_t)k] = 0.5 * ((double)shape->positions[3 * (size_t)first + (size_t)k] +
                                                (double)shape->positions[3 * (size_t)second + (size_t)k]);
        }
    }
}

static pli_factor_result factor_matrix(const building *b)
{
    pli_memory *memory = b->memory;
    pli_plate_state *s = b->state;
    const int32_t triangles = b->deformable->shape.triangle_count, count = s->free_count + s->derivative_count;
    int32_t *unknowns = PLI_ALLOCATE(memory, int32_t, 6 * (size_t)triangles);
    double *values = PLI_ALLOCATE(memory, double, 36 * (size_t)triangles);
    double *points = PLI_ALLOCATE(memory, double, 3 * (size_t)count), *diagonal = PLI_ALLOCATE(memory, double, count);
    pli_symmetric_matrix matrix = {0};
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (unknowns && values && points && diagonal) {
        for (int32_t t = 0; t < triangles; t++)
            element_matrix(b, t, unknowns + 6 * (size_t)t, values + 36 * (size_t)t);
        place_unknowns(b, points, diagonal);
        const pli_elements elements = {triangles, 6, unknowns, values};
        if (pli_symmetric_matrix_assemble(memory, count, &elements, diagonal, &matrix))
            result = pli_factor_make(memory, &matrix, points, &s->factor);
    }
    pli_symmetric_matrix_free(memory, &matrix);
    pli_release(memory, unknowns);
    pli_release(memory, values);
    pli_release(memory, points);
    pli_release(memory, diagonal);
    if (result == PLI_FACTOR_OK && !pli_solve_scratch_make(memory, &s->factor, &s->scratch))
        result = PLI_FACTOR_NO_MEMORY;
    return result;
}

/* ---- state -------------------------------------------------------------------------------------- */

static pli_factor_result build(building *b)
{
    if (!pli_plate_mesh_make(b->memory, &b->deformable->shape, &b->mesh))
        return PLI_FACTOR_NO_MEMORY;
    b->edge_slots = PLI_ALLOCATE(b->memory, int32_t, b->mesh.edge_count);
    if (!b->edge_slots || !number_unknowns(b))
        return PLI_FACTOR_NO_MEMORY;
    make_elements(b);
    drop_degenerate_sides(b);
    if (!reserve_lists(b, find_targets(b)))
        return PLI_FACTOR_NO_MEMORY;
    fill_lists(b);
    return factor_matrix(b);
}

pli_factor_result pli_plate_state_build(pli_world *world, const pli_deformable_data *deformable, pli_plate_state *state)
{
    const int32_t triangles = deformable->shape.triangle_count;
    building b = {
        .memory = &world->memory,
        .deformable = deformable,
        .state = state,
        .elements = PLI_ALLOCATE(&world->memory, pli_plate_element, triangles),
        .valid = PLI_ALLOCATE(&world->memory, bool, triangles),
        .targets = (double(*)[3])pli_allocate(&world->memory, 3 * (size_t)triangles, sizeof(double[3])),
        .unknowns = PLI_ALLOCATE(&world->memory, int32_t, deformable->count),
    };
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (b.elements && b.valid && b.targets && b.unknowns)
        result = build(&b);
    pli_plate_mesh_free(b.memory, &b.mesh);
    pli_release(b.memory, b.elements);
    pli_release(b.memory, b.valid);
    pli_release(b.memory, b.targets);
    pli_release(b.memory, b.unknowns);
    pli_release(b.memory, b.edge_slots);
    pli_release(b.memory, b.derivatives);
    return result;
}

void pli_plate_state_clear(pli_memory *memory, pli_plate_state *state)
{
    pli_plate_lists *lists = &state->lists;
    void *const all[] = {state->masses,        state->free_particles, state->pull_begins, state->pull_places,
                         state->first_moments, state->second_moments, state->ahead,       lists->edge_particles,
                         lists->edge_weights,  lists->jumps,          lists->corners,     lists->edges,
                         lists->shares,        lists->stiffnesses,    lists->derivatives, lists->targets,
                         lists->moments,       lists->pulls};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(memory, all[i]);
    pli_factor_free(memory, &state->factor);
    pli_solve_scratch_free(memory, &state->scratch);
    *state = (pli_plate_state){0};
}
