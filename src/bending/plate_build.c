// Builds the lists, the matrix and its factorisation of a plate: bending/plate_build.h.
#include "bending/plate_build.h"
#include "bending/creases.h"

// Targets below this belong to a flat shape.
#define FLAT 1e-5

typedef struct plate_building {
    pli_world *world;
    pli_memory *memory;
    const pli_deformable_data *deformable;
    pli_plate_state *state;
    pli_plate_element *elements; // [triangles] until the matrices are filled.
    int32_t *numbers;            // [unknowns] the number of each among the free unknowns, or -1.
    int32_t number_count;
    int32_t *edge_slots; // [edges] the index of each in lists.jumps.
    int32_t interior_count;
} plate_building;

static int32_t batches_of(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH; }

static int32_t corner(const plate_building *b, int32_t side) { return pli_plate_corner(b->deformable, side); }

/* ---- elements ----------------------------------------------------------------------------------- */

bool pli_plate_element_of(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                          pli_plate_element *element)
{
    const pli_faces *shape = &deformable->shape;
    pli_dvec3 corners[3];
    for (int32_t k = 0; k < 3; k++) {
        const float *at = shape->positions + 3 * (size_t)shape->triangles[3 * triangle + k];
        corners[k] = (pli_dvec3){(double)at[0], (double)at[1], (double)at[2]};
    }
    const double factor = deformable->triangle.rigidity ? (double)deformable->triangle.rigidity[triangle] : 1.0;
    return pli_plate_element_make(corners, factor * (double)state->key.rigidity, (double)state->key.poisson, element);
}

static void make_elements(plate_building *b)
{
    const pli_faces *shape = &b->deformable->shape;
    double lengths = 0.0;
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        const float *a = shape->positions + 3 * (size_t)shape->triangles[3 * t];
        const float *c = shape->positions + 3 * (size_t)shape->triangles[3 * t + 1];
        const pli_dvec3 side = {(double)c[0] - (double)a[0], (double)c[1] - (double)a[1], (double)c[2] - (double)a[2]};
        b->state->valid[t] = pli_plate_element_of(b->deformable, b->state, t, &b->elements[t]);
        lengths += pli_dlength(side);
    }
    b->state->unit = shape->triangle_count > 0 ? (float)(lengths / shape->triangle_count) : 1.0f;
}

// Removes the sides of degenerate triangles, so that the surface of their neighbours ends there.
static void drop_degenerate_sides(const plate_building *b)
{
    for (int32_t e = 0; e < b->state->mesh.edge_count; e++) {
        int32_t *sides = b->state->mesh.sides + 2 * (size_t)e;
        if (sides[1] >= 0 && !b->state->valid[sides[1] / 3])
            sides[1] = -1;
        if (!b->state->valid[sides[0] / 3])
            sides[0] = sides[1], sides[1] = -1;
    }
}

// The target of an inner edge in the triangle on its side `k`, along the triangle's axes; `elements` are the elements of both sides. Where
// the triangle on one side is fixed, the other has the full jump at rest, n + n'.
static void plate_target_of(const pli_plate_element *const elements[2], const int32_t sides[2], int32_t k, bool clamped,
                            double target[3])
{
    const pli_dvec3 own = elements[k]->normals[sides[k] % 3], other = elements[1 - k]->normals[sides[1 - k] % 3];
    const pli_dvec3 derivative = clamped ? pli_dscale(other, -1.0) : pli_plate_derivative_between(own, other, k == 0);
    const pli_dvec3 excess = pli_dsub(derivative, own);
    for (int32_t axis = 0; axis < 3; axis++)
        target[axis] = pli_ddot(excess, elements[k]->axes[axis]);
}

// Whether the rest shape is curved.
static bool is_curved(const plate_building *b)
{
    double most = 0.0;
    for (int32_t e = 0; e < b->state->mesh.edge_count; e++) {
        const int32_t *sides = b->state->mesh.sides + 2 * (size_t)e;
        for (int32_t k = 0; k < 2 && sides[1] >= 0; k++) {
            const pli_plate_element *const elements[2] = {&b->elements[sides[0] / 3], &b->elements[sides[1] / 3]};
            double target[3];
            plate_target_of(elements, sides, k, b->state->clamped[e], target);
            for (int32_t axis = 0; axis < 3; axis++)
                most = fmax(most, fabs(target[axis]));
        }
    }
    return most > FLAT;
}

/* ---- unknowns ----------------------------------------------------------------------------------- */

bool pli_plate_triangle_is_fixed(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t side)
{
    for (int32_t k = 0; k < 3; k++)
        if (state->system.masses[pli_plate_corner(deformable, side / 3 * 3 + k)] > 0.0f)
            return false;
    return true;
}

bool pli_plate_edge_is_clamped(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge)
{
    const int32_t *sides = state->mesh.sides + 2 * (size_t)edge;
    return (sides[0] >= 0 && pli_plate_triangle_is_fixed(deformable, state, sides[0])) ||
           (sides[1] >= 0 && pli_plate_triangle_is_fixed(deformable, state, sides[1]));
}

static void number_unknowns(plate_building *b)
{
    const pli_plate_state *s = b->state;
    for (int32_t i = 0; i < s->key.count; i++)
        b->numbers[i] = s->system.masses[i] > 0.0f ? b->number_count++ : -1;
    for (int32_t e = 0; e < s->mesh.edge_count; e++) {
        s->clamped[e] = pli_plate_edge_is_clamped(b->deformable, s, e);
        b->numbers[s->key.count + e] = s->clamped[e] ? -1 : b->number_count++;
    }
}

/* ---- lists -------------------------------------------------------------------------------------- */

// The ends of an inner edge in the order of its first side, and the corners opposite to it.
static void edge_corners(const plate_building *b, const int32_t sides[2], int32_t corners[4])
{
    const int32_t t = sides[0] / 3 * 3, k = sides[0] % 3, u = sides[1] / 3 * 3, j = sides[1] % 3;
    corners[0] = corner(b, t + k);
    corners[1] = corner(b, t + (k + 1) % 3);
    corners[2] = corner(b, t + (k + 2) % 3);
    corners[3] = corner(b, u + (j + 2) % 3);
}

// Adds to `weight` the factor of corner `place` in the derivative of the side.
static void add_weight(const plate_building *b, int32_t side, int32_t place, double *weight)
{
    for (int32_t i = 0; i < 3; i++)
        if (corner(b, side / 3 * 3 + i) == place)
            *weight += b->elements[side / 3].derivatives[side % 3][i];
}

static void fill_edges(plate_building *b)
{
    pli_plate_lists *lists = &b->state->lists;
    for (int32_t e = 0; e < b->state->mesh.edge_count; e++) {
        const int32_t *sides = b->state->mesh.sides + 2 * (size_t)e;
        b->edge_slots[e] = -1;
        if (sides[1] < 0)
            continue;
        int32_t corners[4], slot = b->edge_slots[e] = b->interior_count++;
        edge_corners(b, sides, corners);
        for (int32_t k = 0; k < 4; k++) {
            double weight = 0.0;
            add_weight(b, sides[0], corners[k], &weight);
            add_weight(b, sides[1], corners[k], &weight);
            lists->edge_particles[pli_plate_row(slot, 4, k)] = corners[k];
            if (k > 0)
                lists->edge_weights[pli_plate_row(slot, PLI_PLATE_WEIGHTS, k - 1)] = (float)weight;
        }
    }
}

// The same in a plate that keeps bends, whose targets are for the derivative halfway between two triangles. Where a fixed triangle clamps
// the edge, the derivative is the reflection of this side's normal at the halfway derivative. The element is only read in this case.
static void creased_target(const pli_creases *creases, const pli_plate_element *element, int32_t side, bool clamped,
                           double target[3])
{
    double own[3] = {0.0, 0.0, 0.0}, square = 0.0, cosine = 0.0;
    for (int32_t axis = 0; axis < 3; axis++)
        target[axis] = (double)creases->targets[3 * (size_t)side + (size_t)axis] +
                       (double)creases->offsets[3 * (size_t)side + (size_t)axis];
    if (!clamped)
        return;
    for (int32_t axis = 0; axis < 3; axis++) {
        own[axis] = pli_ddot(element->normals[side % 3], element->axes[axis]);
        const double there = target[axis] + own[axis];
        square += there * there, cosine += there * own[axis];
    }
    for (int32_t axis = 0; axis < 3 && square > 0.0; axis++)
        target[axis] = 2.0 * cosine / square * (target[axis] + own[axis]) - 2.0 * own[axis];
}

// The share belongs to the derivative that the residual is evaluated at.
void pli_plate_put_shares(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t edge)
{
    const int32_t *sides = state->mesh.sides + 2 * (size_t)edge;
    pli_plate_element elements[2];
    for (int32_t k = 0; k < 2; k++) {
        if (sides[k] < 0)
            continue;
        const bool fixed = state->clamped[edge] && pli_plate_triangle_is_fixed(deformable, state, sides[k]);
        state->lists.shares[pli_plate_row(sides[k] / 3, 3, sides[k] % 3)] = !state->clamped[edge] ? -0.5f
                                                                            : fixed               ? -0.0f
                                                                                                  : -1.0f;
        if (state->lists.targets && (!deformable->plastic->creases || state->clamped[edge]))
            pli_plate_element_of(deformable, state, sides[k] / 3, &elements[k]);
    }
    for (int32_t k = 0; k < 2 && sides[1] >= 0 && state->lists.targets; k++) {
        double target[3];
        if (deformable->plastic->creases)
            creased_target(deformable->plastic->creases, &elements[k], sides[k], state->clamped[edge], target);
        else
            plate_target_of((const pli_plate_element *const[2]){&elements[0], &elements[1]}, sides, k,
                            state->clamped[edge], target);
        for (int32_t axis = 0; axis < 3; axis++)
            state->lists.targets[pli_plate_row(sides[k] / 3, PLI_PLATE_TARGETS, 3 * (sides[k] % 3) + axis)] =
                (float)target[axis];
    }
}

static void fill_triangle(const plate_building *b, int32_t t, int32_t dummy)
{
    static const int32_t pairs[PLI_PLATE_STIFFNESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const pli_plate_lists *lists = &b->state->lists;
    const pli_plate_element *element = &b->elements[t];
    for (int32_t k = 0; k < 3; k++) {
        const int32_t slot = b->edge_slots[b->state->mesh.edge_of[3 * t + k]];
        lists->corners[pli_plate_row(t, 3, k)] = corner(b, 3 * t + k);
        lists->edges[pli_plate_row(t, 3, k)] = slot < 0 || !b->state->valid[t] ? dummy : slot;
        for (int32_t i = 1; i < 3 && b->state->valid[t]; i++)
            lists->derivatives[pli_plate_row(t, PLI_PLATE_DERIVATIVES, 2 * k + i - 1)] =
                (float)element->derivatives[k][i];
    }
    for (int32_t i = 0; i < PLI_PLATE_STIFFNESSES && b->state->valid[t]; i++)
        lists->stiffnesses[pli_plate_row(t, PLI_PLATE_STIFFNESSES, i)] =
            (float)element->stiffness[pairs[i][0]][pairs[i][1]];
}

// Lists the forces on corners that each particle gathers, and the moments that each derivative gathers.
static void fill_gathers(const plate_building *b)
{
    pli_plate_state *s = b->state;
    const int32_t sides = 3 * b->deformable->shape.triangle_count;
    for (int32_t side = 0; side < sides; side++)
        s->pull_begins[corner(b, side) + 1]++;
    for (int32_t i = 0; i < s->key.count; i++)
        s->pull_begins[i + 1] += s->pull_begins[i];
    for (int32_t side = 0; side < sides; side++)
        s->pull_places[s->pull_begins[corner(b, side)]++] = (int32_t)pli_plate_row(side / 3, 3, side % 3);
    for (int32_t i = s->key.count; i > 0; i--)
        s->pull_begins[i] = s->pull_begins[i - 1];
    s->pull_begins[0] = 0;
    for (int32_t e = 0; e < s->mesh.edge_count; e++) {
        const int32_t *edge = s->mesh.sides + 2 * (size_t)e;
        s->first_moments[e] = edge[0] < 0 ? -1 : (int32_t)pli_plate_row(edge[0] / 3, 3, edge[0] % 3);
        s->second_moments[e] = edge[1] < 0 ? -1 : (int32_t)pli_plate_row(edge[1] / 3, 3, edge[1] % 3);
    }
}

static bool reserve_lists(plate_building *b, bool curved)
{
    pli_plate_state *s = b->state;
    pli_memory *memory = b->memory;
    int32_t inner = 0;
    for (int32_t e = 0; e < b->state->mesh.edge_count; e++)
        inner += b->state->mesh.sides[2 * (size_t)e + 1] >= 0;
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
    lists->ahead = s->system.ahead;
    lists->damping = s->key.damping / s->key.interval;
    lists->turned = s->key.damping > 0.0f ? PLI_ALLOCATE(memory, pli_particle, s->key.count) : NULL;
    s->pull_begins = PLI_ALLOCATE(memory, int32_t, s->key.count + 1);
    s->pull_places = PLI_ALLOCATE(memory, int32_t, 3 * (size_t)b->deformable->shape.triangle_count);
    s->first_moments = PLI_ALLOCATE(memory, int32_t, s->mesh.edge_count);
    s->second_moments = PLI_ALLOCATE(memory, int32_t, s->mesh.edge_count);
    return lists->edge_particles && lists->edge_weights && lists->jumps && lists->corners && lists->edges &&
           lists->shares && lists->stiffnesses && lists->derivatives && (lists->targets || !curved) &&
           (lists->turned || !(s->key.damping > 0.0f)) && lists->moments && lists->pulls && s->pull_begins &&
           s->pull_places && s->first_moments && s->second_moments;
}

static void fill_lists(plate_building *b)
{
    fill_edges(b);
    const int32_t dummy = b->state->edge_batches * PLI_BATCH;
    for (int32_t t = 0; t < b->state->triangle_batches * PLI_BATCH; t++)
        for (int32_t k = 0; k < 3; k++)
            b->state->lists.edges[pli_plate_row(t, 3, k)] = dummy;
    for (int32_t t = 0; t < b->deformable->shape.triangle_count; t++)
        fill_triangle(b, t, dummy);
    for (int32_t e = 0; e < b->state->mesh.edge_count; e++)
        pli_plate_put_shares(b->deformable, b->state, e);
    fill_gathers(b);
}

/* ---- matrix ------------------------------------------------------------------------------------- */

void pli_plate_element_matrix(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t triangle,
                              const pli_plate_element *element, int32_t unknowns[6], double values[36])
{
    const double damped = 1.0 + (double)state->key.damping / (double)state->key.interval;
    double rows[3][6] = {{0.0}};
    for (int32_t k = 0; k < 3; k++) {
        const int32_t side = 3 * triangle + k, e = state->mesh.edge_of[side];
        unknowns[k] = pli_plate_corner(deformable, side);
        unknowns[3 + k] = state->key.count + e;
        for (int32_t i = 0; i < 3; i++)
            rows[k][i] = -element->derivatives[k][i];
        rows[k][3 + k] = (state->mesh.sides[2 * (size_t)e] == side ? 1.0 : -1.0) / (double)state->unit;
    }
    for (int32_t i = 0; i < 6; i++)
        for (int32_t j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < 3; k++)
                for (int32_t l = 0; l < 3; l++)
                    sum += rows[k][i] * element->stiffness[k][l] * rows[l][j];
            values[6 * i + j] = damped * sum;
        }
}

double pli_plate_inertia(const pli_plate_state *state, int32_t unknown, float inverse_mass)
{
    const double interval = (double)state->key.interval;
    if (unknown < state->key.count)
        return 1.0 / ((double)inverse_mass * interval * interval);
    // The edge lies between degenerate triangles only.
    return state->mesh.sides[2 * (size_t)(unknown - state->key.count)] < 0 ? 1.0 : 0.0;
}

// The rest position of an unknown: of a particle, or of the middle of an edge.
static void rest_place(const plate_building *b, int32_t unknown, double point[3])
{
    const pli_plate_state *s = b->state;
    const pli_faces *shape = &b->deformable->shape;
    int32_t first, second;
    if (unknown < s->key.count)
        first = second = pli_vertex(b->deformable, unknown);
    else {
        const int32_t side = s->mesh.sides[2 * (size_t)(unknown - s->key.count)];
        if (side < 0)
            return;
        first = shape->triangles[side], second = shape->triangles[side % 3 == 2 ? side - 2 : side + 1];
    }
    for (int32_t k = 0; k < 3; k++)
        point[k] = 0.5 * ((double)shape->positions[3 * (size_t)first + (size_t)k] +
                          (double)shape->positions[3 * (size_t)second + (size_t)k]);
}

static void place_plate_unknowns(const plate_building *b, double *points, double *diagonal)
{
    for (int32_t i = 0; i < pli_plate_unknowns(b->state); i++) {
        if (b->numbers[i] < 0)
            continue;
        rest_place(b, i, points + 3 * (size_t)b->numbers[i]);
        diagonal[b->numbers[i]] = pli_plate_inertia(b->state, i,
                                                    i < b->state->key.count ? b->state->system.base[i] : 0.0f);
    }
}

static void fill_plate_matrices(const plate_building *b, int32_t *unknowns, double *values)
{
    for (int32_t t = 0; t < b->deformable->shape.triangle_count; t++) {
        int32_t *of = unknowns + 6 * (size_t)t;
        if (b->state->valid[t])
            pli_plate_element_matrix(b->deformable, b->state, t, &b->elements[t], of, values + 36 * (size_t)t);
        for (int32_t k = 0; k < 6; k++)
            of[k] = b->state->valid[t] ? b->numbers[of[k]] : -1;
    }
}

static pli_factor_result factor_matrix(plate_building *b)
{
    const int32_t triangles = b->deformable->shape.triangle_count;
    pli_implicit_terms terms;
    if (!pli_implicit_terms_make(b->memory, b->number_count, 6 * (int64_t)triangles, 36 * (int64_t)triangles, &terms))
        return PLI_FACTOR_NO_MEMORY;
    fill_plate_matrices(b, terms.unknowns, terms.values);
    place_plate_unknowns(b, terms.points, terms.diagonal);
    pli_release(b->memory, b->elements);
    b->elements = NULL;
    const pli_elements elements = {.count = triangles, .size = 6};
    return pli_implicit_factor(b->world, &b->state->system, &terms, elements, b->numbers);
}

/* ---- state -------------------------------------------------------------------------------------- */

static pli_factor_result build_plate(plate_building *b, const float *base)
{
    pli_plate_state *s = b->state;
    if (!pli_plate_mesh_make(b->memory, &b->deformable->shape, &s->mesh))
        return PLI_FACTOR_NO_MEMORY;
    if (!pli_implicit_make(b->memory, &s->system, s->key.count, pli_plate_unknowns(s), base))
        return PLI_FACTOR_NO_MEMORY;
    s->valid = PLI_ALLOCATE(b->memory, bool, b->deformable->shape.triangle_count);
    s->clamped = PLI_ALLOCATE(b->memory, uint8_t, s->mesh.edge_count);
    b->edge_slots = PLI_ALLOCATE(b->memory, int32_t, s->mesh.edge_count);
    b->numbers = PLI_ALLOCATE(b->memory, int32_t, pli_plate_unknowns(s));
    if (!s->valid || !s->clamped || !b->edge_slots || !b->numbers)
        return PLI_FACTOR_NO_MEMORY;
    make_elements(b);
    drop_degenerate_sides(b);
    number_unknowns(b);
    if (!reserve_lists(b, b->deformable->plastic->creases || is_curved(b)))
        return PLI_FACTOR_NO_MEMORY;
    fill_lists(b);
    return factor_matrix(b);
}

pli_factor_result pli_plate_state_build(pli_world *world, const pli_deformable_data *deformable, const float *base,
                                        pli_plate_state *state)
{
    plate_building b = {
        .world = world,
        .memory = &world->memory,
        .deformable = deformable,
        .state = state,
        .elements = PLI_ALLOCATE(&world->memory, pli_plate_element, deformable->shape.triangle_count),
    };
    const pli_factor_result result = b.elements ? build_plate(&b, base) : PLI_FACTOR_NO_MEMORY;
    pli_release(b.memory, b.elements);
    pli_release(b.memory, b.numbers);
    pli_release(b.memory, b.edge_slots);
    return result;
}

void pli_plate_state_clear(pli_memory *memory, pli_plate_state *state)
{
    pli_plate_lists *lists = &state->lists;
    void *const all[] = {state->valid,         state->clamped,        state->pull_begins,    state->pull_places,
                         state->first_moments, state->second_moments, lists->edge_particles, lists->edge_weights,
                         lists->jumps,         lists->corners,        lists->edges,          lists->shares,
                         lists->stiffnesses,   lists->derivatives,    lists->targets,        lists->moments,
                         lists->pulls,         lists->turned};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(memory, all[i]);
    pli_plate_mesh_free(memory, &state->mesh);
    pli_implicit_clear(memory, &state->system);
    *state = (pli_plate_state){0};
}
