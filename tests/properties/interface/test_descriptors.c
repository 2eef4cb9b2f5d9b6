// Descriptors of definitions: what the rows say is what the library does. Values are put into definitions here by a
// writer of this test's own, which looks at nothing.
#include "properties/json_text.h"
#include "sheets.h"

#include <locale.h>

typedef union any_definition {
    pli_world_def world;
    pli_settings settings;
    pli_deformable_def deformable;
    pli_tearing tearing;
    pli_plate plate;
    pli_material_def material;
    pli_attachment_def attachment;
    pli_collider_def collider;
} any_definition;

typedef struct stage {
    pli_world *world;
    pli_deformable deformable;
    const pli_mesh *mesh;
} stage;

/* ---- what each group's definition is made with -------------------------------------------------- */

static void default_world(any_definition *d) { d->world = pli_world_def_default(); }
static void default_settings(any_definition *d) { d->settings = pli_world_def_default().settings; }
static void default_deformable(any_definition *d) { d->deformable = pli_deformable_def_default(); }
static void default_tearing(any_definition *d) { d->tearing = pli_deformable_def_default().tearing; }
static void default_plate(any_definition *d) { d->plate = pli_deformable_def_default().plate; }
static void default_material(any_definition *d) { d->material = pli_material_def_default(); }
static void default_attachment(any_definition *d) { d->attachment = pli_attachment_def_default(); }
static void default_collider(any_definition *d) { d->collider = pli_collider_def_default(); }

static pli_status use_world(const stage *s, const any_definition *d)
{
    (void)s;
    pli_world *world;
    pli_status status = pli_world_create(&d->world, &world, &problem);
    pli_world_destroy(world);
    return status;
}

static pli_status use_settings(const stage *s, const any_definition *d)
{
    return pli_world_set_settings(s->world, &d->settings, &problem);
}

static pli_status use_deformable(const stage *s, const any_definition *d)
{
    pli_deformable_def def = d->deformable;
    pli_deformable made;
    def.mesh = s->mesh;
    pli_status status = pli_deformable_create(s->world, &def, &made, &problem);
    if (status == PLI_STATUS_OK)
        must(pli_deformable_destroy(s->world, made, &problem));
    return status;
}

static pli_status use_tearing(const stage *s, const any_definition *d)
{
    return pli_deformable_set_tearing(s->world, s->deformable, &d->tearing, &problem);
}

static pli_status use_plate(const stage *s, const any_definition *d)
{
    pli_deformable_def def;
    must(pli_deformable_get_def(s->world, s->deformable, &def, &problem));
    def.plate = d->plate;
    return pli_deformable_set_def(s->world, s->deformable, &def, &problem);
}

static pli_status use_material(const stage *s, const any_definition *d)
{
    pli_material_def material = d->material;
    (void)s;
    return pli_material_resolve(&material, &problem);
}

static pli_status use_attachment(const stage *s, const any_definition *d)
{
    pli_attachment_def def = d->attachment;
    pli_attachment made;
    def.deformable = s->deformable;
    def.particles = (const int32_t[]){0, 1};
    def.particle_count = 2;
    pli_status status = pli_attachment_create(s->world, &def, &made, &problem);
    if (status == PLI_STATUS_OK)
        must(pli_attachment_destroy(s->world, made, &problem));
    return status;
}

static pli_status use_collider(const stage *s, const any_definition *d)
{
    pli_collider_def def = d->collider;
    pli_collider made;
    def.mesh = s->mesh;
    pli_status status = pli_collider_create(s->world, &def, &made, &problem);
    if (status == PLI_STATUS_OK)
        must(pli_collider_destroy(s->world, made, &problem));
    return status;
}

static const struct subject {
    const char *group;
    size_t size;
    void (*make_default)(any_definition *);
    pli_status (*use)(const stage *, const any_definition *);
    bool live; // Something changes it in a running world: `use`, or what test_set_again and test_aim try.
} subjects[] = {
    {"world", sizeof(pli_world_def), default_world, use_world, false},
    {"settings", sizeof(pli_settings), default_settings, use_settings, true},
    {"contact", sizeof(pli_settings), default_settings, use_settings, true},
    {"deformable", sizeof(pli_deformable_def), default_deformable, use_deformable, true},
    {"tearing", sizeof(pli_tearing), default_tearing, use_tearing, true},
    {"plate", sizeof(pli_plate), default_plate, use_plate, true},
    {"material", sizeof(pli_material_def), default_material, use_material, false},
    {"attachment", sizeof(pli_attachment_def), default_attachment, use_attachment, true},
    {"collider", sizeof(pli_collider_def), default_collider, use_collider, true},
};

static stage set_stage(void)
{
    pli_mesh *mesh;
    must(pli_mesh_create_box((pli_vec3){1, 1, 1}, &mesh, &problem));
    stage s = {.world = plain_world(PLI_METHOD_XPBD), .mesh = mesh};
    s.deformable = deform(s.world, mesh, NULL);
    constrain(s.world, s.deformable, "distance", NULL);
    return s;
}

static void strike(stage *s)
{
    pli_world_destroy(s->world);
    pli_mesh_destroy((pli_mesh *)(void *)(uintptr_t)s->mesh);
}

// Puts a value into the field of a property, whatever it is. `component` is that of vectors.
static void write_component(const pli_property *p, any_definition *definition, double value, int component)
{
    char *field = (char *)definition + p->offset;
    if (p->kind == PLI_PROPERTY_VECTOR)
        memcpy(field + (size_t)component * sizeof(float), &(float){(float)value}, sizeof(float));
    else if (p->kind == PLI_PROPERTY_NUMBER && p->size == sizeof(float))
        memcpy(field, &(float){(float)value}, sizeof(float));
    else if (p->kind == PLI_PROPERTY_NUMBER)
        memcpy(field, &value, sizeof value);
    else if (p->kind == PLI_PROPERTY_BOOLEAN)
        memcpy(field, &(bool){value != 0.0}, sizeof(bool));
    else
        memcpy(field, &(int32_t){(int32_t)value}, sizeof(int32_t));
}

// A definition for which the property has an effect, such as the right shape for a size.
static void prepare(const struct subject *subject, const pli_descriptor_group *group, const pli_property *p,
                    any_definition *d)
{
    subject->make_default(d);
    for (const pli_condition *c = p->when; c && c->path; c++) {
        const pli_property *other = pli_descriptor_find(group, c->path);
        for (int32_t i = 0; other && other->choices && other->choices[i].name; i++)
            if (strcmp(other->choices[i].name, c->values[0]) == 0)
                write_component(other, d, c->is_not ? i + 1 : i, 0);
        if (other && other->kind == PLI_PROPERTY_BOOLEAN)
            write_component(other, d, strcmp(c->values[0], "true") == 0, 0);
        if (other && other->kind == PLI_PROPERTY_NUMBER && c->is_not)
            write_component(other, d, atof(c->values[0]) + 1.0, 0);
    }
    // Neither end of a tapered capsule may hold the other, which is a rule of the shape and no range.
    if (strcmp(p->name, "top_radius") == 0)
        d->collider.half_height = 1e6f;
    holds(pli_property_applies(group, p, d), "%s.%s: its conditions can be met", group->id, p->name);
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void groups_are_found(void **state)
{
    (void)state;
    holds(pli_descriptor_group_count() == COUNT_OF(subjects), "every group is tried here");
    for (int32_t i = 0; i < COUNT_OF(subjects); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(subjects[i].group);
        holds(group && group == pli_descriptor_group_at(i), "%s is in its place", subjects[i].group);
        for (int32_t k = 0; group && k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            holds(pli_descriptor_find(group, p->name) == p, "%s.%s is found", group->id, p->name);
            holds(p->size > 0 && p->offset + p->size <= subjects[i].size, "%s.%s lies inside", group->id, p->name);
        }
    }
    holds(!pli_descriptor_group_at(-1) && !pli_descriptor_group_at(COUNT_OF(subjects)), "out of range");
    holds(!pli_descriptor_group_find("none") && !pli_descriptor_group_find(NULL), "unknown group");
    holds(!pli_descriptor_find(NULL, "a") && !pli_descriptor_find(pli_descriptor_group_at(0), "none"), "unknown name");
    holds(!pli_section_at(-1) && !pli_section_at(pli_section_count()) && pli_section_at(0), "sections");
}

// The panel in the JSON is compared in tests/cli/test_descriptors.py.
static void a_panel_takes_materials_as_deformables_do(void **state)
{
    (void)state;
    holds(!pli_panel_part_at(-1) && !pli_panel_part_at(pli_panel_part_count()) && pli_panel_part_at(0), "parts");
    for (int32_t i = 0; i < pli_material_count(); i++) {
        const pli_material *material = pli_material_at(i);
        pli_deformable_def def = pli_deformable_def_default();
        pli_panel_value values[PLI_PANEL_VALUES_MAX];
        must(pli_material_apply(&material->def, &def, &problem));
        holds(pli_material_panel_values(material, values) == PLI_PANEL_VALUES_MAX, "all values of %s", material->name);
        for (int32_t k = 0; k < PLI_PANEL_VALUES_MAX; k++) {
            const bool bends = strcmp(values[k].prefix, "bend") == 0;
            const pli_property *p = pli_descriptor_find(pli_descriptor_group_find(bends ? "plate" : "deformable"),
                                                        values[k].name);
            double applied[3];
            if (strcmp(values[k].prefix, "stretch") == 0)
                continue;
            pli_property_read(p, bends ? (const void *)&def.plate : &def, applied);
            holds(fabs(applied[0] - values[k].value) <= 1e-5 * fabs(applied[0]), "%s: %s is %g, not %g", material->name,
                  p->name, values[k].value, applied[0]);
        }
    }
}

static void defaults_are_those_of_the_functions(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(subjects); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(subjects[i].group);
        any_definition d;
        subjects[i].make_default(&d);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            double values[3];
            bool single = p->size == sizeof(float) && p->kind == PLI_PROPERTY_NUMBER;
            pli_property_read(p, &d, values);
            for (int c = 0; c < (p->kind == PLI_PROPERTY_VECTOR ? 3 : 1); c++) {
                double row = p->kind == PLI_PROPERTY_VECTOR ? (double)(float)p->initial_vector[c] : p->initial;
                row = single ? (double)(float)row : row;
                holds(values[c] == row, "%s.%s: default %.9g, row %.9g", group->id, p->name, values[c], row);
            }
        }
    }
}

// The value next to an end, outside, as the field can hold it.
static double beyond(const pli_property *p, double end, double direction)
{
    if (p->kind == PLI_PROPERTY_INTEGER)
        return end + direction;
    if (p->kind == PLI_PROPERTY_VECTOR || p->size == sizeof(float))
        return (double)nextafterf((float)end, (float)direction * INFINITY);
    return nextafter(end, direction * INFINITY);
}

// Of all properties; the bytes between fields may be any.
static bool have_equal_values(const pli_descriptor_group *group, const any_definition *a, const any_definition *b)
{
    bool equal = true;
    for (int32_t i = 0; i < group->property_count; i++) {
        double of_a[3] = {0.0}, of_b[3] = {0.0};
        pli_property_read(&group->properties[i], a, of_a);
        pli_property_read(&group->properties[i], b, of_b);
        equal = equal && memcmp(of_a, of_b, sizeof of_a) == 0;
    }
    return equal;
}

static void try_value(const struct subject *subject, const stage *s, const pli_descriptor_group *group,
                      const pli_property *p, double value, bool valid)
{
    for (int c = 0; c < (p->kind == PLI_PROPERTY_VECTOR ? 3 : 1); c++) {
        any_definition d, before;
        prepare(subject, group, p, &d);
        before = d;
        double values[3];
        pli_property_read(p, &d, values);
        values[c] = value;
        pli_status status = pli_property_check(p, values, &problem);
        holds((status == PLI_STATUS_OK) == valid, "%s.%s = %.9g by itself: %.99s", group->id, p->name, value,
              problem.message);
        status = pli_property_write(p, &d, values, &problem);
        holds((status == PLI_STATUS_OK) == valid, "%s.%s = %.9g is written: %.99s", group->id, p->name, value,
              problem.message);
        holds(valid || have_equal_values(group, &d, &before), "%s.%s is unchanged", group->id, p->name);
        d = before;
        write_component(p, &d, value, c);
        holds((pli_descriptor_check(group, &d, &problem) == PLI_STATUS_OK) == valid, "%s.%s = %.9g is checked: %.99s",
              group->id, p->name, value, problem.message);
        holds(valid || strstr(problem.message, p->name), "the check names %s: %.120s", p->name, problem.message);
        status = subject->use(s, &d);
        holds(status == (valid ? PLI_STATUS_OK : PLI_STATUS_INVALID_ARGUMENT), "%s.%s = %.9g in use: %.99s", group->id,
              p->name, value, problem.message);
        holds(valid || strstr(problem.message, p->name), "the message names %s: %.120s", p->name, problem.message);
        holds(valid || !p->unit || strstr(problem.message, p->unit), "the message has %s: %.120s", p->unit,
              problem.message);
    }
}

static void ranges_are_as_the_rows_say(void **state)
{
    (void)state;
    stage s = set_stage();
    for (int32_t i = 0; i < COUNT_OF(subjects); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(subjects[i].group);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            if (p->kind != PLI_PROPERTY_NUMBER && p->kind != PLI_PROPERTY_INTEGER && p->kind != PLI_PROPERTY_VECTOR)
                continue;
            try_value(&subjects[i], &s, group, p, p->minimum, true);
            try_value(&subjects[i], &s, group, p, p->maximum, true);
            try_value(&subjects[i], &s, group, p, beyond(p, p->minimum, -1.0), false);
            if (!isinf(p->maximum))
                try_value(&subjects[i], &s, group, p, beyond(p, p->maximum, 1.0), false);
            if (p->kind != PLI_PROPERTY_INTEGER)
                try_value(&subjects[i], &s, group, p, NAN, false);
        }
    }
    strike(&s);
}

static void choices_are_as_the_rows_say(void **state)
{
    (void)state;
    stage s = set_stage();
    for (int32_t i = 0; i < COUNT_OF(subjects); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(subjects[i].group);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            int32_t count = 0;
            for (; p->choices && p->choices[count].name; count++)
                try_value(&subjects[i], &s, group, p, count, true);
            holds((p->kind == PLI_PROPERTY_CHOICE) == (count > 1), "%s.%s has choices", group->id, p->name);
            for (int32_t c = 0; c < count; c++)
                holds(pli_choice_find(p->choices, p->choices[c].name) == c, "%s is found", p->choices[c].name);
            any_definition d;
            for (int32_t wrong = -1; count > 0 && wrong <= count; wrong += count + 1) {
                prepare(&subjects[i], group, p, &d);
                write_component(p, &d, wrong, 0);
                holds(subjects[i].use(&s, &d) == PLI_STATUS_INVALID_ARGUMENT, "%s.%s = %d", group->id, p->name, wrong);
                holds(strstr(problem.message, p->name) != NULL, "the message names %s: %.120s", p->name,
                      problem.message);
            }
        }
    }
    strike(&s);
}

static void integers_booleans_and_layers_are_whole(void **state)
{
    (void)state;
    any_definition d;
    default_settings(&d);
    const pli_descriptor_group *settings = pli_descriptor_group_find("settings");
    const pli_property *substeps = pli_descriptor_find(settings, "substeps");
    const pli_property *keeps = pli_descriptor_find(settings, "keep_momentum");
    holds(pli_property_write(substeps, &d, (double[3]){2.5}, &problem) == PLI_STATUS_INVALID_ARGUMENT, "2.5 substeps");
    holds(pli_property_write(substeps, &d, (double[3]){NAN}, &problem) == PLI_STATUS_INVALID_ARGUMENT, "NaN substeps");
    holds(pli_property_write(keeps, &d, (double[3]){0.5}, &problem) == PLI_STATUS_INVALID_ARGUMENT, "half a truth");
    must(pli_property_write(keeps, &d, (double[3]){1.0}, &problem));
    holds(d.settings.keep_momentum, "true is written");
    default_collider(&d);
    const pli_property *mask = pli_descriptor_find(pli_descriptor_group_find("collider"), "collides_with");
    must(pli_property_write(mask, &d, (double[3]){4294967295.0}, &problem));
    holds(d.collider.mask == UINT32_MAX, "all layers");
    holds(pli_property_write(mask, &d, (double[3]){4294967296.0}, &problem) == PLI_STATUS_INVALID_ARGUMENT, "too many");
}

static void live_properties_have_a_call_that_changes_them(void **state)
{
    (void)state;
    stage s = set_stage();
    for (int32_t i = 0; i < COUNT_OF(subjects); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(subjects[i].group);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            bool start = p->offset == offsetof(pli_deformable_def, velocity) && strcmp(group->id, "deformable") == 0;
            holds((p->change == PLI_CHANGE_LIVE) == (subjects[i].live && !start), "%s.%s is live", group->id, p->name);
            holds(!group->animated || p->change == PLI_CHANGE_LIVE, "%s.%s may have keyframes", group->id, p->name);
        }
        any_definition d;
        subjects[i].make_default(&d);
        step(s.world, 0.01);
        if (subjects[i].live)
            must(subjects[i].use(&s, &d));
    }
    strike(&s);
}

/* ---- parameters of types ------------------------------------------------------------------------ */

static void own_value(const pli_stencil *stencil, double *values, double *gradients)
{
    vec d = sub(vec_of(stencil->positions[0]), vec_of(stencil->positions[1]));
    values[0] = length(d) - (double)stencil->parameters[0];
    vec n = length(d) > 0.0 ? unit(d) : (vec){1, 0, 0};
    const double both[6] = {n.x, n.y, n.z, -n.x, -n.y, -n.z};
    if (gradients)
        memcpy(gradients, both, sizeof both);
}

static pli_property own_rows[] = {
    {.name = "size", .maximum = 10.0, .initial = 1.0, .change = PLI_CHANGE_REMAKE},
    {.name = "soft", .maximum = 1.0},
};

static const pli_constraint_type own_type = {.name = "own",
                                             .unit = "m s",
                                             .generator = "edges",
                                             .cardinality = 2,
                                             .dimension = 1,
                                             .parameters = own_rows,
                                             .parameter_count = 2,
                                             .evaluate = own_value};

static void parameters_that_are_not_live_are_refused(void **state)
{
    (void)state;
    stage s = set_stage();
    must(pli_world_register_type(s.world, &own_type, &problem));
    pli_constraints_def def = pli_constraints_def_default();
    const pli_parameter_value given = {"size", 3.0};
    pli_constraints set;
    double value;
    def.deformable = s.deformable;
    def.type = "own";
    def.parameters = &given;
    def.parameter_count = 1;
    must(pli_constraints_create(s.world, &def, &set, &problem));
    must(pli_constraints_get_parameter(s.world, set, "size", &value, &problem));
    near(value, 3.0, 0.0, "given when the set was created");
    must(pli_constraints_set_parameter(s.world, set, "soft", 0.5, &problem));
    holds(pli_constraints_set_parameter(s.world, set, "size", 4.0, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "changed while it lives");
    holds(strstr(problem.message, "size") != NULL, "the message names size: %.99s", problem.message);
    must(pli_constraints_get_parameter(s.world, set, "size", &value, &problem));
    near(value, 3.0, 0.0, "after that");
    strike(&s);
}

static void parameters_of_other_kinds_are_refused(void **state)
{
    (void)state;
    stage s = set_stage();
    const pli_property kept = own_rows[1];
    own_rows[1].kind = PLI_PROPERTY_VECTOR;
    holds(pli_world_register_type(s.world, &own_type, &problem) == PLI_STATUS_INVALID_ARGUMENT, "a vector");
    own_rows[1].kind = PLI_PROPERTY_CHOICE;
    holds(pli_world_register_type(s.world, &own_type, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no choices");
    own_rows[1] = kept;
    must(pli_world_register_type(s.world, &own_type, &problem));
    strike(&s);
}

static void units_are_those_of_the_type(void **state)
{
    (void)state;
    static const struct {
        const char *type, *parameter, *unit;
    } known[] = {{"distance", "compliance", "m^2/J"},   {"dihedral", "compliance", "rad^2/J"},
                 {"volume", "compliance", "(m^3)^2/J"}, {"isometric_energy", "compliance", "1/J"},
                 {"dihedral", "rigidity", "N m"},       {"triangle", "kappa", "m"},
                 {"triangle", "relation", ""},          {"distance", "damping", "s"}};
    char text[60];
    for (int32_t i = 0; i < COUNT_OF(known); i++) {
        const pli_constraint_type *type = pli_constraint_type_find(known[i].type);
        const pli_property *p;
        for (int32_t k = 0; (p = pli_constraint_type_parameter(type, k)); k++)
            if (strcmp(p->name, known[i].parameter) == 0)
                holds(strcmp(pli_constraint_type_parameter_unit(type, p, text, sizeof text), known[i].unit) == 0,
                      "%s.%s has %s", known[i].type, p->name, text);
    }
    const pli_property *compliance = pli_constraint_type_parameter(&own_type, PLI_PARAMETER_COMPLIANCE);
    holds(strcmp(pli_constraint_type_parameter_unit(&own_type, compliance, text, sizeof text), "(m s)^2/J") == 0,
          "a unit of two words: %s", text);
    holds(strlen(pli_constraint_type_parameter_unit(&own_type, compliance, text, 4)) == 3, "cut: %s", text);
}

// The sizes of colliders have the ranges, units and defaults of the table of shapes, and apply to the same shapes.
static void sizes_are_those_of_the_shapes(void **state)
{
    (void)state;
    const pli_descriptor_group *group = pli_descriptor_group_find("collider");
    const pli_shape_field *field;
    for (int32_t i = 0; (field = pli_shape_field_at(i)); i++) {
        const pli_property *p = pli_descriptor_find(group, field->name);
        if (!p) {
            failed("no property describes the size %s\n", field->name);
            continue;
        }
        holds(p->offset == field->offset && strcmp(p->unit, "m") == 0, "%s: field and unit", p->name);
        near(p->minimum, field->minimum, 0.0, "%s: minimum", p->name);
        near(p->maximum, field->maximum, 0.0, "%s: maximum", p->name);
        for (int32_t k = 0; k < field->length; k++)
            near(field->length == 3 ? p->initial_vector[k] : p->initial, field->initial, 0.0, "%s: default", p->name);
        for (int32_t k = 0; k < PLI_SHAPE_COUNT; k++) {
            pli_collider_def def = pli_collider_def_default();
            def.shape = (pli_shape)k;
            holds(pli_property_applies(group, p, &def) == (pli_shape_at(k)->fields >> i & 1u), "%s of a %s", p->name,
                  pli_choice_name("shape", (int32_t)def.shape));
        }
    }
}

static void conditions_are_looked_at(void **state)
{
    (void)state;
    any_definition d;
    default_collider(&d);
    const pli_descriptor_group *collider = pli_descriptor_group_find("collider");
    for (int32_t shape = 0; shape < PLI_SHAPE_COUNT; shape++) {
        d.collider.shape = (pli_shape)shape;
        const pli_property *extents = pli_descriptor_find(collider, "half_extents");
        holds(pli_property_applies(collider, extents, &d) == (shape == PLI_SHAPE_BOX), "half_extents of shape %d",
              shape);
    }
    default_settings(&d);
    const pli_descriptor_group *settings = pli_descriptor_group_find("settings");
    const pli_property *wind = pli_descriptor_find(settings, "wind");
    holds(!pli_property_applies(settings, wind, &d), "wind without air");
    d.settings.air_density = 1.2f;
    holds(pli_property_applies(settings, wind, &d), "wind in air");
    default_collider(&d);
    d.collider.shape = PLI_SHAPE_BOX;
    d.collider.radius = -1.0f;
    stage s = set_stage();
    must(use_collider(&s, &d)); // A size of another shape.
    strike(&s);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_is_escaped(void **state)
{
    (void)state;
    pli_json json = {0};
    pli_json_open(&json, NULL, '{');
    pli_json_string(&json, "a \"key\"", "back\\slash, \"quotes\", tab\t, line\n, bell\a, \xc3\xa9");
    pli_json_string(&json, "none", NULL);
    pli_json_open(&json, "empty", '[');
    pli_json_close(&json, '[');
    pli_json_open(&json, "list", '[');
    pli_json_boolean(&json, NULL, true);
    pli_json_boolean(&json, NULL, false);
    pli_json_close(&json, '[');
    pli_json_close(&json, '{');
    const char *expected = "{\n  \"a \\\"key\\\"\": \"back\\\\slash, \\\"quotes\\\", tab\\u0009, line\\u000a, "
                           "bell\\u0007, \xc3\xa9\",\n  \"none\": null,\n  \"empty\": [],\n  \"list\": [\n    true,\n"
                           "    false\n  ]\n}";
    holds(!json.failed && strcmp(json.text, expected) == 0, "%.250s", json.text);
    free(json.text);
}

static void numbers_read_back(void **state)
{
    (void)state;
    static const double numbers[] = {0.0,
                                     -0.5,
                                     0.1,
                                     1.0 / 3.0,
                                     1e30,
                                     1e-9,
                                     123456789.0,
                                     1e6,
                                     1e15,
                                     5e-324,
                                     -9.81,
                                     4294967295.0,
                                     1.7976931348623157e308};
    for (int32_t i = 0; i < COUNT_OF(numbers); i++) {
        pli_json json = {0};
        pli_json_number(&json, NULL, numbers[i]);
        holds(strtod(json.text, NULL) == numbers[i], "%.17g is written as %s", numbers[i], json.text);
        holds(strlen(json.text) < 25, "%.17g is short: %s", numbers[i], json.text);
        free(json.text);
    }
    static const double none[] = {INFINITY, -INFINITY, NAN};
    for (int32_t i = 0; i < COUNT_OF(none); i++) {
        pli_json json = {0};
        pli_json_number(&json, NULL, none[i]);
        holds(strcmp(json.text, "null") == 0, "%g is written as %s", none[i], json.text);
        free(json.text);
    }
}

static void the_json_does_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const with_commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    char *plain, *again;
    must(pli_descriptors_json(&plain, &problem));
    holds(strstr(plain, "\"pliant\": \"" PLI_VERSION_STRING "\"") != NULL, "the version");
    for (int32_t i = 0; i < COUNT_OF(with_commas); i++) {
        setlocale(LC_NUMERIC, with_commas[i]);
        must(pli_descriptors_json(&again, &problem));
        setlocale(LC_NUMERIC, "C");
        holds(strcmp(plain, again) == 0, "the same under %s", with_commas[i]);
        pli_text_release(again);
    }
    pli_text_release(plain);
    pli_text_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(groups_are_found),
        property(a_panel_takes_materials_as_deformables_do),
        property(defaults_are_those_of_the_functions),
        property(ranges_are_as_the_rows_say),
        property(choices_are_as_the_rows_say),
        property(integers_booleans_and_layers_are_whole),
        property(live_properties_have_a_call_that_changes_them),
        property(parameters_that_are_not_live_are_refused),
        property(parameters_of_other_kinds_are_refused),
        property(units_are_those_of_the_type),
        property(sizes_are_those_of_the_shapes),
        property(conditions_are_looked_at),
        property(json_is_escaped),
        property(numbers_read_back),
        property(the_json_does_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
