// Bending energy of a sheet that is rolled to a cylinder, over tessellations and directions: exactly D A / (2 R^2).
//
// The energy of a constraint type, with its vertices put on the cylinder, is the sum of C^2 / (2 alpha); that of a plate, which is a
// quadratic form, is -1/2 x . F with the forces F from what one step does to heavy vertices at rest.
#include "base/clamped_strip.h"
#include "base/tessellation.h"

#include <pliant/constraint_type.h>
#include <pliant/generator.h>

#include <math.h>
#include <string.h>

enum { SIDE = 25, SIDE_QUICK = 13, DIRECTIONS = 3, ROUNDS = 80, MESHES = LAB_TESSELLATIONS + 1 };

static const double directions[DIRECTIONS] = {0.0, 45.0, -45.0}; // [degrees]

// Bends the square (x, z) to a cylinder of radius 1 whose axis is turned by `angle`.
static void roll(const float *rest, int32_t count, double angle, float *rolled)
{
    const double c = cos(angle), s = sin(angle);
    for (int32_t i = 0; i < count; i++) {
        const double x = (double)rest[3 * i], z = (double)rest[3 * i + 2], along = c * z - s * x,
                     bent = sin(c * x + s * z);
        rolled[3 * i] = (float)(c * bent - s * along);
        rolled[3 * i + 1] = (float)(cos(c * x + s * z) - 1.0);
        rolled[3 * i + 2] = (float)(s * bent + c * along);
    }
}

// -1/2 x . F of the plate where only heights are off the rest shape. A step is implicit: what it has moved by, times mass over dt^2, is
// the force at its end. So the start is looked for from which it ends at these heights, by repetition.
static double energy_of_heights(lab *l, const pli_mesh *mesh, const double *heights)
{
    const float dt = 1.0f / 60.0f;
    const int32_t mark = lab_mark(l), count = pli_mesh_topology(mesh)->vertex_count;
    double *start = lab_memory(l, (size_t)count, sizeof *start), energy = 0.0;
    float *positions = lab_memory(l, 3 * (size_t)count, sizeof *positions);
    memcpy(positions, pli_mesh_topology(mesh)->positions, 3 * (size_t)count * sizeof *positions);
    memcpy(start, heights, (size_t)count * sizeof *start);
    lab_body_def def = {.mesh = mesh,
                        .settings = lab_settings(PLI_METHOD_XPBD, 1, 1),
                        .density = 0.02f * (float)count * (float)count, // A step then moves some tenths of the way.
                        .plate = {.rigidity = 1.0f}};
    def.settings.keep_momentum = false; // It acts on nothing but the plate's own forces.
    lab_body body = lab_body_make(l, &def);
    for (int32_t round = 0; round < ROUNDS && lab_ok(l); round++) {
        int32_t stride;
        for (int32_t i = 0; i < count; i++)
            positions[3 * i + 1] = (float)start[i];
        lab_place(l, &body, positions);
        lab_stop(l, &body);
        lab_step(l, body.world, dt);
        const float *inverse = pli_deformable_inverse_masses(body.world, body.deformable, &stride);
        energy = 0.0;
        for (int32_t i = 0; i < count; i++) {
            const double end = (double)pli_view_at(pli_deformable_positions(body.world, body.deformable), i)[1];
            const double mass = 1.0 / (double)*pli_view_at((pli_view){inverse, count, stride}, i);
            energy -= 0.5 * heights[i] * mass * (end - (double)positions[3 * i + 1]) / ((double)dt * (double)dt);
            start[i] += heights[i] - end;
        }
    }
    lab_release_to(l, mark);
    return energy;
}

// A plate that is flat at rest is one quadratic form for each of the three coordinates, to which what is linear in the plane adds
// nothing. So the coordinate across the axis, sin u - u, and the height, cos u - 1, are taken one after the other as heights,
// where floats are finest.
static double energy_of_plate(lab *l, const pli_mesh *mesh, double angle)
{
    const int32_t mark = lab_mark(l), count = pli_mesh_topology(mesh)->vertex_count;
    const float *rest = pli_mesh_topology(mesh)->positions;
    double *heights = lab_memory(l, (size_t)count, sizeof *heights), energy = 0.0;
    for (int32_t part = 0; part < 2 && lab_ok(l); part++) {
        for (int32_t i = 0; i < count; i++) {
            const double u = cos(angle) * (double)rest[3 * i] + sin(angle) * (double)rest[3 * i + 2];
            heights[i] = part ? cos(u) - 0.958 : sin(u) - 0.98 * u;
        }
        energy += energy_of_heights(l, mesh, heights);
    }
    lab_release_to(l, mark);
    return energy;
}

// The energy of constraint k, whose compliance is scale / B for B = 1 N m.
static double energy_of_one(lab *l, const lab_body *body, const pli_constraint_type *type, int32_t k, float scale,
                            int32_t *particles, float *rest, double (*places)[3], double (*normals)[3])
{
    pli_error error;
    int32_t count = 0;
    double values[3] = {0.0}, energy = 0.0;
    float parameters[PLI_PARAMETERS_MAX];
    lab_note(l, pli_constraints_stencil(body->world, body->sets[1], k, particles, &count, rest, NULL, &error), &error);
    const pli_view at = pli_deformable_positions(body->world, body->deformable);
    const pli_view up = pli_deformable_normals(body->world, body->deformable);
    for (int32_t i = 0; i < count; i++)
        for (int32_t axis = 0; axis < 3; axis++) {
            places[i][axis] = (double)pli_view_at(at, particles[i])[axis];
            normals[i][axis] = (double)pli_view_at(up, particles[i])[axis];
        }
    for (int32_t i = 0; i < type->parameter_count; i++)
        parameters[i] = (float)type->parameters[i].initial;
    const pli_stencil stencil = {.positions = (const double(*)[3])places,
                                 .normals = (const double(*)[3])normals,
                                 .count = count,
                                 .rest = rest,
                                 .parameters = parameters,
                                 .state = 1.0f,
                                 .user = type->user};
    type->evaluate(&stencil, values, NULL);
    for (int32_t i = 0; i < type->dimension; i++)
        energy += 0.5 * values[i] * values[i] / (double)scale;
    return energy;
}

static double energy_of_type(lab *l, const char *name, const pli_mesh *mesh, const float *rolled)
{
    const pli_constraint_type *type = pli_constraint_type_find(name);
    lab_body_def def = {.mesh = mesh, .positions = rolled, .settings = lab_settings(PLI_METHOD_XPBD, 1, 1)};
    lab_bend(&def, name, 1.0);
    lab_body body = lab_body_make(l, &def);
    if (!lab_ok(l))
        return NAN;
    pli_error error;
    const int32_t count = lab_set_count(l, &body, 1);
    int32_t *order = lab_memory(l, (size_t)count, sizeof *order);
    int32_t *particles = lab_memory(l, (size_t)body.count + PLI_CARDINALITY_MAX, sizeof *particles);
    float *scales = lab_memory(l, (size_t)count, sizeof *scales);
    float *rest = lab_memory(l, (size_t)body.count + PLI_REST_MAX, sizeof *rest);
    double(*places)[3] = lab_memory(l, 2 * (size_t)body.count, sizeof *places);
    lab_note(l, pli_constraints_sequence(body.world, body.sets[1], order, NULL, NULL, scales, &error), &error);
    double energy = 0.0;
    for (int32_t i = 0; i < count && lab_ok(l); i++)
        energy += energy_of_one(l, &body, type, order[i], scales[i], particles, rest, places, places + body.count);
    return energy;
}

// Over that of the sheet, D A / (2 R^2) = 1/2.
static double energy_of(lab *l, const char *model, const pli_mesh *mesh, double angle)
{
    const int32_t mark = lab_mark(l), count = pli_mesh_topology(mesh)->vertex_count;
    float *rolled = lab_memory(l, 3 * (size_t)count, sizeof *rolled);
    roll(pli_mesh_topology(mesh)->positions, count, angle * 3.14159265358979 / 180.0, rolled);
    const double energy = strcmp(model, "plate") == 0 ? energy_of_plate(l, mesh, angle * 3.14159265358979 / 180.0)
                                                      : energy_of_type(l, model, mesh, rolled);
    lab_release_to(l, mark);
    return 2.0 * energy;
}

static void run(lab *l)
{
    const int32_t side = lab_long_or_quick(l, SIDE, SIDE_QUICK);
    const char *models[LAB_MODELS_MAX];
    lab_tessellation meshes[MESHES];
    const int32_t model_count = lab_rigid_models(models);
    lab_tessellations(l, side, meshes);
    meshes[MESHES - 1] = (lab_tessellation){"quads", lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_QUADS)};
    pli_text *csv = lab_file_add(l, "energy.csv");
    pli_text_add(csv, "model,mesh,direction,energy\n");
    lab_say(l, "Energy over D A / (2 R^2) with the axis turned by 0, 45 and -45 degrees.\n\n| model |");
    for (int32_t mesh = 0; mesh < MESHES; mesh++)
        lab_say(l, " %s |", meshes[mesh].name);
    lab_say(l, "\n| --- |");
    for (int32_t mesh = 0; mesh < MESHES; mesh++)
        lab_say(l, " --- |");
    for (int32_t model = 0; model < model_count && lab_ok(l); model++) {
        double worst = 1.0;
        lab_say(l, "\n| %s |", models[model]);
        for (int32_t mesh = 0; mesh < MESHES && lab_ok(l); mesh++)
            for (int32_t k = 0; k < DIRECTIONS && lab_ok(l); k++) {
                const double energy = energy_of(l, models[model], meshes[mesh].mesh, directions[k]);
                worst = fabs(energy - 1.0) > fabs(worst - 1.0) ? energy : worst;
                lab_say(l, " %.2f%s", energy, k == DIRECTIONS - 1 ? " |" : ",");
                pli_text_add(csv, "%s,%s,%g,%.4g\n", models[model], meshes[mesh].name, directions[k], energy);
            }
        lab_row_near(l,
                     lab_format(l, "%s, energy over the sheet's, worst of %d meshes in %d directions", models[model],
                                MESHES, DIRECTIONS),
                     1.0, worst, "", 0.15,
                     model == 0 || (strcmp(models[model], "ring_laplacian") == 0 && !lab_is_quick(l))
                         ? NULL
                         : "The model looks at a fold or a triple of vertices at a time, whose share of the "
                           "curvature depends on how they lie to the axis and does not converge.");
        lab_progress(l, (model + 1.0) / model_count);
    }
    lab_say(l, "\n\n");
}

const lab_experiment lab_check_cylinder = {
    .name = "cylinder",
    .title = "Energy of a sheet on a cylinder, over tessellations and directions",
    .source = "D A / (2 R^2)",
    .run = run,
};
