// A plugin: the constraint type "rope", an edge that may become shorter and not longer, and the generator "diagonals", which finds both
// diagonals of every quad. A scene of quads then has a cloth of ropes:
//
//     cc -std=c17 -shared -fPIC ropes.c -o ropes.so $(pkg-config --cflags --libs pliant) -lm
//     pliant run ropes.json --plugin ropes.so
#include <pliant/pliant.h>
#include <pliant/plugin.h>

#include <math.h>
#include <stdlib.h>

/* ---- the type: C = |x1 - x2| - slack l0 <= 0 ------------------------------------------------------ */

static double length_of(const pli_stencil *s, double direction[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = s->positions[0][k] - s->positions[1][k];
        square += direction[k] * direction[k];
    }
    return sqrt(square);
}

static bool rest(const pli_stencil *s, float *rest_values)
{
    double direction[3];
    rest_values[0] = (float)length_of(s, direction);
    return rest_values[0] > 0.0f;
}

static void evaluate(const pli_stencil *s, double *values, double *gradients)
{
    double direction[3], length = length_of(s, direction);
    values[0] = length - (double)s->parameters[0] * (double)s->rest[0];
    for (int k = 0; gradients && k < 3; k++) {
        double slope = length > 0.0 ? direction[k] / length : 0.0; // Ends in one place: any direction, so none.
        gradients[k] = slope, gradients[3 + k] = -slope;
    }
}

static const pli_property parameters[] = {
    {.name = "slack",
     .unit = "",
     .summary = "Length of the rope over that at rest",
     .minimum = 1.0,
     .maximum = 10.0,
     .initial = 1.0},
};

static const pli_constraint_type rope = {
    .name = "rope",
    .summary = "Keeps two particles from going apart, and lets them come together.",
    .formula = "C = |x1 - x2| - slack l0 <= 0",
    .source = "examples/plugins/ropes.c",
    .unit = "m",
    .generator = "edges",
    .cardinality = 2,
    .dimension = 1,
    .rest_count = 1,
    .sense = PLI_SENSE_AT_MOST,
    .parameters = parameters,
    .parameter_count = 1,
    .rest = rest,
    .evaluate = evaluate,
};

/* ---- the generator -------------------------------------------------------------------------------- */

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t *pairs = malloc(4 * sizeof *pairs * (size_t)t->face_count + 1), count = 0;
    if (!pairs)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the diagonals");
    for (int32_t f = 0; f < t->face_count; f++) {
        const int32_t *corner = t->face_vertices + t->face_offsets[f];
        if (t->face_offsets[f + 1] - t->face_offsets[f] != 4)
            continue;
        for (int32_t k = 0; k < 2; k++, count++)
            pairs[2 * count] = corner[k], pairs[2 * count + 1] = corner[k + 2];
    }
    pli_status status = pli_stencils_fill(stencils, 2, pairs, NULL, count, error);
    free(pairs);
    return status;
}

static const pli_generator diagonals = {
    .name = "diagonals",
    .summary = "Each quad gives its two diagonals.",
    .source = "examples/plugins/ropes.c",
    .cardinality = 2,
    .generate = generate,
    .reversible_pairs = 1,
};

/* ---- what the plugin brings ------------------------------------------------------------------------ */

static const pli_constraint_type *const types[] = {&rope};
static const pli_generator *const generators[] = {&diagonals};
static const pli_plugin_table plugin = {
    .version = PLI_PLUGIN_VERSION,
    .name = "ropes",
    .types = types,
    .type_count = 1,
    .generators = generators,
    .generator_count = 1,
};

const pli_plugin_table *pli_plugin_entry(void) { return &plugin; }
