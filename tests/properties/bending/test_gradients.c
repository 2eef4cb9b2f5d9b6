// Every row of the table of constraint types: gradients against finite differences, zero at rest,
// invariance under rigid motion, finite values on collapsed stencils.
#include "samples.h"

enum { SAMPLES = 12 };

static void moved_rigidly(const double (*from)[3], int32_t count, vec axis, double angle, vec shift, double (*to)[3])
{
    for (int32_t k = 0; k < count; k++) {
        vec p = add(turned(vec_of(from[k]), axis, angle), shift);
        to[k][0] = p.x, to[k][1] = p.y, to[k][2] = p.z;
    }
}

// Half the squared length of C, or C itself where it has one value.
static double potential(const sample *s, const double (*positions)[3])
{
    double values[3];
    pli_stencil stencil = stencil_at(s, positions, (const double(*)[3])s->normals);
    s->type->evaluate(&stencil, values, NULL);
    if (s->type->dimension == 1)
        return values[0];
    return 0.5 * (values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
}

static void analytic(const sample *s, double *gradient)
{
    double values[3], gradients[3 * 3 * SAMPLE_PARTICLES];
    pli_stencil stencil = stencil_at(s, (const double(*)[3])s->positions, (const double(*)[3])s->normals);
    s->type->evaluate(&stencil, values, gradients);
    for (int32_t i = 0; i < 3 * s->count; i++) {
        gradient[i] = 0.0;
        for (int32_t d = 0; d < s->type->dimension; d++)
            gradient[i] += (s->type->dimension == 1 ? 1.0 : values[d]) * gradients[d * 3 * s->count + i];
    }
}

static void numeric(const sample *s, double h, double *gradient)
{
    double positions[SAMPLE_PARTICLES][3];
    memcpy(positions, s->positions, sizeof positions);
    for (int32_t i = 0; i < 3 * s->count; i++) {
        double *x = &positions[i / 3][i % 3], middle = *x;
        *x = middle + h;
        double above = potential(s, (const double(*)[3])positions);
        *x = middle - h;
        double beneath = potential(s, (const double(*)[3])positions);
        *x = middle;
        gradient[i] = (above - beneath) / (2.0 * h);
    }
}

static void compare_gradients(const sample *s)
{
    double exact[3 * SAMPLE_PARTICLES], differences[3 * SAMPLE_PARTICLES], largest = 0.0;
    analytic(s, exact);
    numeric(s, 1e-6, differences);
    for (int32_t i = 0; i < 3 * s->count; i++)
        largest = fmax(largest, fabs(differences[i]));
    holds(largest > 1e-6, "%s: gradient %g", s->type->name, largest);
    for (int32_t i = 0; i < 3 * s->count; i++)
        near(exact[i], differences[i], 2e-7 * largest + 1e-10, "%s particle %d axis %d", s->type->name, i / 3, i % 3);
}

static void each_type(void (*visit)(const sample *))
{
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        pli_mesh *mesh = mesh_for(type);
        if (!mesh) {
            failed("%s: its generator %s finds nothing\n", type->name, type->generator);
            continue;
        }
        for (int32_t i = 0; i < SAMPLES; i++) {
            sample s;
            sample_make(&s, type, mesh, 0.25);
            visit(&s);
        }
        pli_mesh_destroy(mesh);
    }
}

static void gradients_match_finite_differences(void **state)
{
    (void)state;
    each_type(compare_gradients);
}

// Own parameters at other values than the default: the gradient must still be the one of C.
static void compare_with_random_parameters(const sample *s)
{
    sample changed = *s;
    for (int32_t i = 0; i < s->type->parameter_count; i++) {
        const pli_parameter *p = &s->type->parameters[i];
        double high = fmin(p->maximum, fmax(p->minimum, p->initial) + 0.5);
        changed.parameters[i] = (float)(p->choices ? (double)below((int32_t)p->maximum + 1)
                                                   : uniform(p->initial, high));
    }
    if (s->type->parameter_count > 0)
        compare_gradients(&changed);
}

static void gradients_match_with_other_parameters(void **state)
{
    (void)state;
    each_type(compare_with_random_parameters);
}

// The targets of curved linear forms fade where their normals are short.
static void gradients_of_collapsed_forms_match(void **state)
{
    (void)state;
    const char *const forms[] = {"isometric", "triangle_linear"};
    for (int32_t i = 0; i < COUNT_OF(forms); i++) {
        pli_mesh *mesh = mesh_hilly(6);
        for (int32_t k = 0; k < SAMPLES; k++) {
            sample s;
            sample_make(&s, pli_constraint_type_find(forms[i]), mesh, 0.25);
            sample_squash(&s, 0.1);
            compare_gradients(&s);
        }
        pli_mesh_destroy(mesh);
    }
}

static void check_zero_at_rest(const sample *s)
{
    sample resting_sample = *s;
    memcpy(resting_sample.positions, s->rest_positions, sizeof s->rest_positions);
    memcpy(resting_sample.normals, s->rest_normals, sizeof s->rest_normals);
    if (!sample_find_side(&resting_sample))
        return;
    double resting = sample_value(&resting_sample, (const double(*)[3])s->rest_positions);
    double displaced = sample_value(s, (const double(*)[3])s->positions);
    near(resting, 0.0, 1e-6 * displaced + 4e-7, "%s at rest (displaced %g)", s->type->name, displaced);
}

static void rest_shapes_are_at_rest(void **state)
{
    (void)state;
    each_type(check_zero_at_rest);
}

static void check_rigid_motion(const sample *s)
{
    if (s->type->world_anchored)
        return;
    double positions[SAMPLE_PARTICLES][3];
    vec axis = unit(random_vec(1.0)), shift = random_vec(3.0);
    double angle = uniform(0.5, 3.0);
    moved_rigidly((const double(*)[3])s->positions, s->count, axis, angle, shift, positions);
    double before = sample_value(s, (const double(*)[3])s->positions);
    sample moved = *s; // Normals turn with the surface.
    moved_rigidly((const double(*)[3])s->normals, s->count, axis, angle, (vec){0, 0, 0}, moved.normals);
    double after = sample_value(&moved, (const double(*)[3])positions);
    // Weights are stored as floats: a translation by 3 shows their rounding.
    near(after, before, 1e-6 + 1e-6 * before, "%s moved rigidly", s->type->name);
}

static void values_do_not_change_under_rigid_motion(void **state)
{
    (void)state;
    each_type(check_rigid_motion);
}

static void check_forces_balance(const sample *s)
{
    if (s->type->world_anchored)
        return;
    double gradient[3 * SAMPLE_PARTICLES], size = 0.0;
    analytic(s, gradient);
    vec force = {0, 0, 0}, torque = {0, 0, 0};
    for (int32_t k = 0; k < s->count; k++) {
        vec g = vec_of(gradient + 3 * k);
        force = add(force, g);
        torque = add(torque, cross(vec_of(s->positions[k]), g));
        size += length(g);
    }
    near(length(force), 0.0, 1e-6 * size, "%s: sum of gradients", s->type->name);
    near(length(torque), 0.0, 1e-6 * size, "%s: sum of torques", s->type->name);
}

static void gradients_carry_no_force_and_no_torque(void **state)
{
    (void)state;
    each_type(check_forces_balance);
}

static void collapse(double (*positions)[3], int32_t count, int32_t how)
{
    for (int32_t k = 0; k < count; k++) {
        switch (how) {
        case 0: // all at one point
            memcpy(positions[k], positions[0], sizeof(double[3]));
            break;
        case 1: // the first two coincide
            memcpy(positions[1 % count], positions[0], sizeof(double[3]));
            break;
        case 2: // the last two coincide
            memcpy(positions[count - 1], positions[count > 1 ? count - 2 : 0], sizeof(double[3]));
            break;
        case 3: // on a line
            positions[k][1] = positions[0][1] + 2.0 * (positions[k][0] - positions[0][0]);
            positions[k][2] = positions[0][2];
            break;
        case 4: // on a plane
            positions[k][1] = 0.0;
            break;
        case 5: // tiny
            for (int32_t d = 0; d < 3; d++)
                positions[k][d] *= 1e-20;
            break;
        default: // far away
            for (int32_t d = 0; d < 3; d++)
                positions[k][d] = positions[k][d] * 1e10 + 1e12;
            break;
        }
    }
}

static void check_collapsed(const sample *s)
{
    for (int32_t how = 0; how < 7; how++) {
        double positions[SAMPLE_PARTICLES][3], values[3] = {0}, gradients[9 * SAMPLE_PARTICLES] = {0}, sum = 0.0;
        memcpy(positions, s->positions, sizeof positions);
        collapse(positions, s->count, how);
        pli_stencil stencil = stencil_at(s, (const double(*)[3])positions, (const double(*)[3])s->normals);
        s->type->evaluate(&stencil, values, gradients);
        for (int32_t d = 0; d < s->type->dimension; d++)
            sum += values[d];
        for (int32_t i = 0; i < s->type->dimension * 3 * s->count; i++)
            sum += gradients[i];
        holds(isfinite(sum), "%s collapsed in way %d: sum %g", s->type->name, how, sum);
    }
}

static void collapsed_stencils_stay_finite(void **state)
{
    (void)state;
    each_type(check_collapsed);
}

static void check_collapsed_rest(const sample *s)
{
    for (int32_t how = 0; how < 6 && s->type->rest; how++) {
        sample collapsed = *s;
        collapse(collapsed.rest_positions, s->count, how);
        if (!sample_measure_rest(&collapsed))
            continue;
        double sum = 0.0;
        for (int32_t i = 0; i < s->type->rest_count + (s->type->rest_per_particle ? s->count : 0); i++)
            sum += (double)collapsed.rest[i];
        holds(isfinite(sum), "%s: rest of a stencil collapsed in way %d: sum %g", s->type->name, how, sum);
        double value = sample_value(&collapsed, (const double(*)[3])s->positions);
        holds(isfinite(value), "%s: value with a rest shape collapsed in way %d: %g", s->type->name, how, value);
    }
}

static void collapsed_rest_shapes_are_refused_or_finite(void **state)
{
    (void)state;
    each_type(check_collapsed_rest);
}

static void rows_are_whole(void **state)
{
    (void)state;
    holds(pli_constraint_type_count() >= 12, "%d types", (int)pli_constraint_type_count());
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        holds(type->name && *type->name && type->summary && type->formula && type->source && type->unit, "row %d", row);
        holds(pli_constraint_type_find(type->name) == type, "%s is found by its name", type->name);
        holds(type->cardinality >= 0 && type->cardinality <= PLI_CARDINALITY_MAX, "%s: cardinality", type->name);
        holds(type->dimension == 1 || type->dimension == 3, "%s: dimension %d", type->name, type->dimension);
        holds(type->rest_count >= 0 && type->rest_count <= PLI_REST_MAX, "%s: rest values", type->name);
        holds(!type->rest_count == !type->rest, "%s: rest values and their function", type->name);
        holds(!type->generator || pli_generator_find(type->generator), "%s: generator", type->name);
        for (int32_t i = 0; i < type->parameter_count; i++) {
            const pli_parameter *p = &type->parameters[i];
            holds(p->minimum <= p->initial && p->initial <= p->maximum, "%s: default of %s", type->name, p->name);
        }
    }
    holds(!pli_constraint_type_at(-1) && !pli_constraint_type_at(pli_constraint_type_count()), "rows out of range");
    holds(!pli_constraint_type_find("no such type") && !pli_generator_find("none"), "unknown names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(rows_are_whole),
        property(gradients_match_finite_differences),
        property(gradients_match_with_other_parameters),
        property(gradients_of_collapsed_forms_match),
        property(rest_shapes_are_at_rest),
        property(values_do_not_change_under_rigid_motion),
        property(gradients_carry_no_force_and_no_torque),
        property(collapsed_stencils_stay_finite),
        property(collapsed_rest_shapes_are_refused_or_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
