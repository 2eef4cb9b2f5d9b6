// Romero et al. 2021, Physical Validation of Simulators in Computer Graphics, test 1.
#include "base/clamped_strip.h"

#include "base/lab_measures.h"

#include <pliant/constraint_type.h>

#include <math.h>
#include <string.h>

#define GRAVITY 9.81f

const char lab_swept[] =
    "The model is swept: one sweep a substep carries a correction a few edges far, so that the rigidity that acts is "
    "about D / (1 + 4 S), S = D h^2 / (rho dx^4), and a finer mesh is softer. A plate is solved (docs/concepts.md).";
const char lab_nearly[] =
    "What is left is the plate's own error where curvature changes along a cell, some .6 (l / c)^2 of D with c = (D / "
    "(rho g))^(1/3), and up to a third of a percent by edges that sweeps leave stretched (docs/decisions/plates.md).";

int32_t lab_rigid_models(const char *models[LAB_MODELS_MAX])
{
    int32_t count = 0;
    const pli_constraint_type *type;
    models[count++] = "plate";
    for (int32_t i = 0; (type = pli_constraint_type_at(i)) && count < LAB_MODELS_MAX; i++)
        if (type->bending && type->compliance_scale)
            models[count++] = type->name;
    return count;
}

void lab_bend(lab_body_def *def, const char *model, double rigidity)
{
    const bool is_plate = strcmp(model, "plate") == 0;
    def->sets[0] = (lab_set){.type = is_plate && def->automatic ? "membrane" : "distance"};
    if (is_plate)
        def->plate = (pli_plate){.rigidity = (float)rigidity};
    else
        def->sets[1] = (lab_set){.type = model, .values = {{"rigidity", rigidity}}};
}

// The grid with its inner vertices moved at random in the plane.
static const pli_mesh *jittered(lab *l, const pli_mesh *grid, int32_t columns, int32_t rows, float distance)
{
    const pli_topology *t = pli_mesh_topology(grid);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    uint64_t seed = 7;
    memcpy(positions, t->positions, 3 * (size_t)t->vertex_count * sizeof *positions);
    for (int32_t i = 0; i < columns * rows; i++)
        for (int32_t k = 0; k < 3; k += 2)
            if (i % columns > 1 && i % columns < columns - 1 && i / columns > 0 && i / columns < rows - 1)
                positions[3 * i + k] += distance * (float)lab_random(&seed);
    return lab_mesh_make(l, positions, t->vertex_count, t->triangles, t->triangle_count);
}

// The mean over the last column of vertices.
static lab_elastica_end end_of(const float *positions, const float *rest, int32_t columns, int32_t rows, float edge)
{
    lab_elastica_end end = {0};
    for (int32_t row = 0; row < rows; row++) {
        const int32_t i = row * columns + columns - 1;
        end.drop -= (double)positions[3 * i + 1] / rows;
        end.reach += ((double)positions[3 * i] - (double)rest[3 * row * columns] - (double)edge) / rows;
    }
    return end;
}

lab_strip lab_strip_of(const char *model, double gamma, int32_t cells)
{
    const double length = 0.2, density = 0.2, gravity = 9.81;
    return (lab_strip){.model = model,
                       .length = length,
                       .cells = cells,
                       .density = density,
                       .rigidity = density * gravity * pow(length, 3.0) / gamma,
                       .pattern = PLI_GRID_ALTERNATING};
}

lab_elastica_end lab_strip_hang(lab *l, const lab_strip *s, int32_t frames)
{
    const int32_t mark = lab_mark(l), columns = s->cells + 2, rows = (s->across ? s->across : s->cells / 4) + 1;
    const float edge = (float)s->length / (float)s->cells;
    const pli_mesh *mesh = lab_grid(l, columns, rows, edge * (float)(columns - 1), edge * (float)(rows - 1),
                                    s->pattern);
    if (s->jitter > 0.0 && lab_ok(l))
        mesh = jittered(l, mesh, columns, rows, (float)s->jitter * edge);
    lab_body_def def = {
        .mesh = mesh,
        .settings = lab_settings(PLI_METHOD_XPBD, s->substeps ? s->substeps : 10, s->iterations ? s->iterations : 1),
        .density = (float)s->density,
        .stretch = s->stretch,
        .automatic = s->automatic};
    def.settings.gravity = (pli_vec3){0.0f, -GRAVITY, 0.0f};
    def.settings.damping = 138.0f;
    lab_bend(&def, s->model, s->rigidity);
    if (s->solve)
        def.sets[1].values[1] = (pli_parameter_value){"solve", 1.0};
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < body.count; i++)
        if (pli_mesh_topology(mesh)->positions[3 * i] < pli_mesh_topology(mesh)->positions[0] + 1.01f * edge)
            lab_hold(l, &body, i);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    lab_elastica_end end = {0};
    if (lab_ok(l)) {
        float *positions = lab_memory(l, 3 * (size_t)body.count, sizeof *positions);
        lab_positions(&body, positions);
        end = end_of(positions, pli_mesh_topology(mesh)->positions, columns, rows, edge);
        end.drop /= s->length;
        end.reach /= s->length;
    }
    lab_release_to(l, mark);
    return end;
}
