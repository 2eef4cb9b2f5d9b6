// Numbers that no sensible host sends: whatever it is, it is refused with a message, or the step ends in a finite state, or it is
// NON_FINITE with a message and the state from before. Ranges are those of the descriptors, so that a new property is tried too.
#include "samples.h"
#include "shape_samples.h"

#include <time.h>

enum { SIDE = 4, STEPS = 3 };

// Definitions of everything in the scene, by the names that the descriptors have for them.
typedef struct hostile_defs {
    pli_world_def world;
    pli_deformable_def sheet;
    pli_attachment_def pin;
    pli_collider_def ball;
    const char *type; // The type of the constraint set beside the distances; null for none.
    const char *parameter;
    double value; // Of its parameter.
    float dt;
    bool of_material; // The sheet and its sets are made of `material`.
    pli_material_def material;
} hostile_defs;

static int32_t tried, refused, non_finite;
static double longest; // Processor time of a step [s].

// Warnings of what is asked for are expected.
static void no_log(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

static hostile_defs plain_defs(void)
{
    hostile_defs d = {pli_world_def_default(),
                      pli_deformable_def_default(),
                      pli_attachment_def_default(),
                      pli_collider_def_default(),
                      NULL,
                      NULL,
                      0.0,
                      1.0f / 60.0f,
                      false,
                      pli_material_def_default()};
    d.world.hooks.log = no_log;
    d.world.settings.substeps = 2;
    d.sheet.self_collision = true;
    d.ball.shape = PLI_SHAPE_SPHERE;
    d.ball.radius = 0.1f;
    d.ball.pose.position.y = -0.12f;
    return d;
}

// Where a group's definition is; null for one that this scene lacks.
static void *definition_of(hostile_defs *d, const char *name)
{
    const struct {
        const char *name;
        void *at;
    } homes[] = {{"pli_world_def", &d->world},      {"pli_settings", &d->world.settings},
                 {"pli_deformable_def", &d->sheet}, {"pli_tearing", &d->sheet.tearing},
                 {"pli_plate", &d->sheet.plate},    {"pli_material_def", &d->material},
                 {"pli_attachment_def", &d->pin},   {"pli_collider_def", &d->ball}};
    for (size_t i = 0; i < COUNT_OF(homes); i++)
        if (strcmp(homes[i].name, name) == 0)
            return homes[i].at;
    return NULL;
}

static pli_status make(const hostile_defs *d, const pli_mesh *mesh, pli_world **world)
{
    pli_status status = pli_world_create(&d->world, world, &problem);
    if (status)
        return status;
    pli_deformable sheet;
    pli_deformable_def sheet_def = d->sheet;
    sheet_def.mesh = mesh;
    if (d->of_material && (status = pli_material_apply(&d->material, &sheet_def, &problem)))
        return status;
    if ((status = pli_deformable_create(*world, &sheet_def, &sheet, &problem)))
        return status;
    pli_constraints set;
    pli_constraints_def set_def = pli_constraints_def_default();
    set_def.deformable = sheet, set_def.type = "distance";
    if ((status = pli_constraints_create(*world, &set_def, &set, &problem)))
        return status;
    pli_constraints made;
    if (d->of_material && (status = pli_material_create_constraints(*world, sheet, &d->material, &made, &problem)))
        return status;
    set_def.type = d->type;
    if (d->type &&
        ((status = pli_constraints_create(*world, &set_def, &set, &problem)) ||
         (d->parameter && (status = pli_constraints_set_parameter(*world, set, d->parameter, d->value, &problem)))))
        return status;
    const int32_t corner = 0;
    pli_attachment attachment;
    pli_attachment_def pin = d->pin;
    pin.deformable = sheet, pin.particles = &corner, pin.particle_count = 1;
    if ((status = pli_attachment_create(*world, &pin, &attachment, &problem)))
        return status;
    pli_collider ball;
    return pli_collider_create(*world, &d->ball, &ball, &problem);
}

// Steps a world that is made, or was refused with `status`, and destroys it.
static void survive_steps(pli_world *world, pli_status status, float dt, const char *what)
{
    tried++;
    refused += status != PLI_STATUS_OK;
    for (int32_t i = 0; i < STEPS && status == PLI_STATUS_OK; i++) {
        const uint64_t before = pli_world_hash(world);
        const double time = pli_world_time(world);
        const clock_t begin = clock();
        status = pli_world_step(world, dt, &problem);
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        longest = fmax(longest, seconds);
        // Sixteen to eighty vertices: whatever is asked, a step is work of milliseconds; sanitizers take ten times that.
        holds(seconds < 4.0, "%.200s: a step takes %.1f s", what, seconds);
        if (status)
            holds(pli_world_hash(world) == before && pli_world_time(world) == time,
                  "%.120s: the state is that before: %.150s", what, problem.message);
        holds(!status || status == PLI_STATUS_NON_FINITE || status == PLI_STATUS_INVALID_ARGUMENT, "%s: step: %s", what,
              pli_status_name(status));
        non_finite += status == PLI_STATUS_NON_FINITE;
    }
    holds(!status || problem.message[0], "%s: %s without a message", what, pli_status_name(status));
    holds(status != PLI_STATUS_OUT_OF_MEMORY, "%s: memory", what);
    holds(!world || all_finite(world), "%s: not finite", what);
    pli_world_destroy(world);
}

// Makes the scene and steps it.
static void survive(const hostile_defs *d, const pli_mesh *mesh, const char *what)
{
    pli_world *world = NULL;
    problem.message[0] = '\0';
    const pli_status status = make(d, mesh, &world);
    survive_steps(world, status, d->dt, what);
}

static pli_mesh *sheet(void) { return mesh_grid(SIDE, SIDE, 0.4, PLI_GRID_ALTERNATING); }

/* ---- ends of ranges ------------------------------------------------------------------------------ */

static double end_of(double limit) { return isinf(limit) ? copysign(1e30, limit) : limit; }

static void both_ends(hostile_defs *d, void *definition, const pli_property *property, const pli_mesh *mesh,
                      const char *group)
{
    const double ends[6] = {property->minimum,
                            property->maximum,
                            end_of(property->minimum),
                            end_of(property->maximum),
                            1e-40,
                            nextafter(property->minimum, INFINITY)};
    const hostile_defs plain = *d;
    char what[120];
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        const double values[3] = {ends[i], ends[i], ends[i]};
        if (pli_property_write(property, definition, values, &problem) == PLI_STATUS_OK) {
            snprintf(what, sizeof what, "%s.%s = %g", group, property->name, ends[i]);
            survive(d, mesh, what);
        }
        *d = plain;
    }
    for (int32_t i = 0; i < 4 && property->kind == PLI_PROPERTY_NUMBER; i++) {
        const double bad[4] = {NAN, -INFINITY, nextafter(property->minimum, -INFINITY) - 1.0,
                               end_of(property->maximum) * 1e9};
        const double values[3] = {bad[i], bad[i], bad[i]};
        const bool inside = bad[i] >= property->minimum && bad[i] <= property->maximum;
        holds(inside || pli_property_write(property, definition, values, &problem) == PLI_STATUS_INVALID_ARGUMENT,
              "%s.%s takes %g", group, property->name, bad[i]);
        *d = plain;
    }
}

static void ends_of_every_range(void **state)
{
    (void)state;
    pli_mesh *mesh = sheet();
    int32_t groups = 0;
    for (int32_t g = 0; g < pli_descriptor_group_count(); g++) {
        const pli_descriptor_group *group = pli_descriptor_group_at(g);
        hostile_defs d = plain_defs();
        void *definition = definition_of(&d, group->definition);
        groups += definition != NULL;
        d.of_material = definition == &d.material;
        for (int32_t i = 0; definition && i < group->property_count; i++)
            both_ends(&d, definition, &group->properties[i], mesh, group->id);
    }
    holds(groups >= 9, "only %d groups", (int)groups);
    pli_mesh_destroy(mesh);
}

static void ends_of_every_parameter(void **state)
{
    (void)state;
    pli_mesh *flat = sheet(), *ball = mesh_ball(1, 0.1);
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        for (int32_t i = 0; i < type->parameter_count; i++)
            for (int32_t end = 0; end < 2 && type->generator; end++) {
                char what[120];
                hostile_defs d = plain_defs();
                d.type = type->name;
                d.parameter = type->parameters[i].name;
                d.value = end_of(end ? type->parameters[i].maximum : type->parameters[i].minimum);
                snprintf(what, sizeof what, "%s.%s = %g", type->name, d.parameter, d.value);
                survive(&d, flat, what);
                survive(&d, ball, what);
            }
    }
    pli_mesh_destroy(flat);
    pli_mesh_destroy(ball);
}

/* ---- forces and times ---------------------------------------------------------------------------- */

static void steps_and_forces(void **state)
{
    (void)state;
    static const float numbers[] = {0.0f,  -1.0f, 1e-40f, 1e-9f, 1e3f,     1e6f,
                                    1e15f, 1e30f, -1e30f, NAN,   INFINITY, -INFINITY};
    pli_mesh *mesh = sheet();
    char what[120];
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        hostile_defs d = plain_defs();
        d.dt = numbers[i];
        snprintf(what, sizeof what, "a step of %g s", (double)numbers[i]);
        survive(&d, mesh, what);
        d = plain_defs();
        d.world.settings.gravity = (pli_vec3){0.0f, numbers[i], numbers[i]};
        snprintf(what, sizeof what, "gravity of %g", (double)numbers[i]);
        survive(&d, mesh, what);
        d.world.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
        d.world.settings.air_density = 1.2f;
        d.world.settings.wind = (pli_vec3){numbers[i], 0.0f, numbers[i]};
        snprintf(what, sizeof what, "wind of %g", (double)numbers[i]);
        survive(&d, mesh, what);
    }
    pli_mesh_destroy(mesh);
}

/* ---- meshes, states and calls -------------------------------------------------------------------- */

// Vertices of a sheet at `place`, all or every third of them.
static void moved_vertices(const float *place, bool all, const char *what)
{
    pli_mesh *plain = sheet();
    float *positions = copied_positions(plain);
    for (int32_t v = 0; v < pli_mesh_topology(plain)->vertex_count; v += all ? 1 : 3)
        memcpy(positions + 3 * v, place, 3 * sizeof *place);
    hostile_defs d = plain_defs();
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        // At rest as in the mesh, and displaced from there.
        d.type = pli_constraint_type_at(row)->generator ? pli_constraint_type_at(row)->name : NULL;
        d.sheet.positions = positions;
        survive(&d, plain, what);
    }
    pli_mesh_def def = pli_mesh_def_default();
    const pli_topology *t = pli_mesh_topology(plain);
    pli_mesh *bad = NULL;
    def.positions = positions, def.vertex_count = t->vertex_count;
    def.face_vertices = t->triangles, def.face_count = t->triangle_count;
    d.sheet.positions = NULL;
    if (pli_mesh_create(&def, &bad, &problem) == PLI_STATUS_OK)
        for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
            d.type = pli_constraint_type_at(row)->generator ? pli_constraint_type_at(row)->name : NULL;
            survive(&d, bad, what);
        }
    pli_mesh_destroy(bad);
    pli_mesh_destroy(plain);
    free(positions);
}

static void collapsed_and_far_meshes(void **state)
{
    (void)state;
    static const float places[][3] = {{0, 0, 0},         {1e-40f, 1e-40f, 0}, {1e7f, 0, 0},    {1e15f, -1e15f, 0},
                                      {1e30f, 0, 1e30f}, {NAN, 0, 0},         {INFINITY, 0, 0}};
    char what[120];
    for (size_t i = 0; i < COUNT_OF(places); i++)
        for (int32_t all = 0; all < 2; all++) {
            snprintf(what, sizeof what, "%s at %g %g", all ? "all vertices" : "a third", (double)places[i][0],
                     (double)places[i][1]);
            moved_vertices(places[i], all, what);
        }
}

// Every number of the calls that change a world between steps.
static void hostile_calls(void **state)
{
    (void)state;
    static const float numbers[] = {0.0f, 1e-40f, 1e-9f, 1e7f, 1e30f, -1e30f, NAN, INFINITY};
    pli_mesh *mesh = sheet();
    for (size_t n = 0; n < COUNT_OF(numbers); n++)
        for (int32_t call = 0; call < 6; call++) {
            hostile_defs d = plain_defs();
            pli_world *world = NULL;
            must(make(&d, mesh, &world));
            const pli_deformable cloth = pli_world_deformable_at(world, 0);
            const float x = numbers[n], three[3] = {x, x, x};
            const double far[3] = {(double)x, 0.0, 0.0};
            pli_transform pose = pli_transform_identity();
            pose.position.x = x;
            pli_status status = PLI_STATUS_OK;
            if (call == 0)
                status = pli_deformable_set_positions(world, cloth, 3, 1, three, &problem);
            if (call == 1)
                status = pli_deformable_set_velocities(world, cloth, 3, 1, three, &problem);
            if (call == 2)
                status = pli_deformable_set_inverse_masses(world, cloth, 3, 1, &x, &problem);
            if (call == 3)
                status = pli_deformable_add_force(world, cloth, 3, (pli_vec3){x, x, x}, &problem);
            if (call == 4)
                status = pli_collider_set_pose(world, pli_world_collider_at(world, 0), pose, &problem);
            if (call == 5)
                status = pli_world_shift(world, far, &problem);
            holds(isfinite(x) || status == PLI_STATUS_INVALID_ARGUMENT, "call %d takes %g", (int)call, (double)x);
            for (int32_t i = 0; i < STEPS; i++) {
                const uint64_t before = pli_world_hash(world);
                status = pli_world_step(world, 1.0f / 60.0f, &problem);
                holds(!status ||
                          (status == PLI_STATUS_NON_FINITE && pli_world_hash(world) == before && problem.message[0]),
                      "call %d of %g: %s: %.150s", (int)call, (double)x, pli_status_name(status), problem.message);
            }
            holds(all_finite(world), "call %d of %g: not finite", (int)call, (double)x);
            tried++;
            pli_world_destroy(world);
        }
    pli_mesh_destroy(mesh);
}

/* ---- several at once, shapes, bodies and paint --------------------------------------------------- */

// Writes a hostile value that is taken into a random property, and says so at the end of `what`.
static void spoil(hostile_defs *d, char *what, size_t size)
{
    const pli_descriptor_group *group = pli_descriptor_group_at(below(pli_descriptor_group_count()));
    void *definition = definition_of(d, group->definition);
    if (!definition || group->property_count == 0)
        return;
    const pli_property *property = &group->properties[below(group->property_count)];
    const double low = property->minimum, high = property->maximum;
    const double numbers[8] = {low, high, end_of(low), end_of(high), 0.0, 1e-40, 1e3, 1e30};
    const double number = numbers[below(8)], values[3] = {number, number, number};
    const hostile_defs before = *d;
    d->of_material = d->of_material || definition == &d->material;
    if (pli_property_write(property, definition, values, &problem) != PLI_STATUS_OK)
        *d = before;
    else
        snprintf(what + strlen(what), size - strlen(what), " %s.%s = %g", group->id, property->name, number);
}

// The test makes 150 worlds; a thousand, which take half a minute, where PLIANT_LONG is set.
static void several_at_once(void **state)
{
    (void)state;
    static const float steps[] = {1e-9f, 1e-4f, 1.0f / 60.0f, 1.0f / 60.0f, 1.0f, 1e3f};
    pli_mesh *flat = sheet(), *ball = mesh_ball(1, 0.1);
    for (int32_t i = 0; i < (getenv("PLIANT_LONG") ? 1000 : 150); i++) {
        char what[260] = "several:";
        hostile_defs d = plain_defs();
        const int32_t count = 2 + below(4);
        for (int32_t k = 0; k < count; k++)
            spoil(&d, what, sizeof what);
        // A thousand substeps of a thousand iterations are done where they are asked for, and take as long.
        pli_settings *settings = &d.world.settings;
        settings->substeps = settings->substeps < 20 ? settings->substeps : 20;
        settings->iterations = settings->iterations < 4 ? settings->iterations : 4;
        const pli_constraint_type *type = pli_constraint_type_at(below(pli_constraint_type_count()));
        d.type = type->generator ? type->name : NULL;
        if (d.type && type->parameter_count > 0) {
            const pli_parameter *parameter = &type->parameters[below(type->parameter_count)];
            d.parameter = parameter->name, d.value = end_of(below(2) ? parameter->maximum : parameter->minimum);
        }
        d.dt = steps[below(COUNT_OF(steps))];
        snprintf(what + strlen(what), sizeof what - strlen(what), " %s.%s = %g, dt = %g", d.type ? d.type : "-",
                 d.parameter ? d.parameter : "-", d.value, (double)d.dt);
        survive(&d, below(2) ? flat : ball, what);
    }
    pli_mesh_destroy(flat);
    pli_mesh_destroy(ball);
}

// Shapes with a size at an end of its range, and far or turned by a quaternion that is none.
static void ends_of_shapes(void **state)
{
    (void)state;
    pli_mesh *mesh = sheet(), *solid = lump();
    char what[120];
    for (int32_t row = 0; row < pli_shape_count(); row++) {
        const pli_shape_info *info = pli_shape_at(row);
        for (int32_t i = 0; i < pli_shape_field_count(); i++)
            for (int32_t end = 0; end < 4 && (info->fields >> i & 1u); end++) {
                const double ends[4] = {pli_shape_field_at(i)->minimum, pli_shape_field_at(i)->maximum, NAN, 1e30};
                hostile_defs d = plain_defs();
                d.ball = sample_of(info, solid);
                size_of(&d.ball, i)[0] = (float)ends[end];
                snprintf(what, sizeof what, "%s.%s = %g", info->name, pli_shape_field_at(i)->name, ends[end]);
                survive(&d, mesh, what);
            }
        static const float places[] = {0.0f, 1e-40f, 1e7f, 1e30f, NAN, INFINITY};
        for (int32_t i = 0; i < 2 * COUNT_OF(places); i++) {
            const float x = places[i / 2];
            hostile_defs d = plain_defs();
            d.ball = sample_of(info, solid);
            if (i % 2)
                d.ball.pose.position = (pli_vec3){x, x, x};
            else
                d.ball.pose.rotation = (pli_quat){x, x, x, x};
            snprintf(what, sizeof what, "%s %s %g", info->name, i % 2 ? "at" : "turned by", (double)x);
            survive(&d, mesh, what);
        }
    }
    pli_mesh_destroy(solid);
    pli_mesh_destroy(mesh);
}

// A body of a ball under the sheet, with one number of its definition or its state hostile.
static void bodies(void **state)
{
    (void)state;
    static const float numbers[] = {0.0f, -1.0f, 1e-40f, 1e-9f, 1e6f, 1e30f, NAN, INFINITY};
    pli_mesh *mesh = sheet();
    char what[120];
    for (int32_t n = 0; n < COUNT_OF(numbers); n++)
        for (int32_t field = 0; field < 8; field++) {
            hostile_defs d = plain_defs();
            pli_world *world = NULL;
            must(make(&d, mesh, &world));
            const float x = numbers[n];
            pli_rigid_body_def def = pli_rigid_body_def_default();
            def.state.pose.position.y = 0.05f;
            float *const fields[8] = {&def.inverse_mass,         &def.inverse_inertia[0], &def.inverse_inertia[4],
                                      &def.mass_scale,           &def.state.velocity.y,   &def.state.angular_velocity.x,
                                      &def.state.acceleration.z, &def.centre_of_mass.x};
            *fields[field] = x;
            problem.message[0] = '\0';
            pli_rigid_body body;
            pli_status status = pli_rigid_body_create(world, &def, &body, &problem);
            pli_collider ball;
            pli_collider_def shape = d.ball;
            shape.body = body;
            if (status == PLI_STATUS_OK)
                status = pli_collider_create(world, &shape, &ball, &problem);
            holds(isfinite(x) || status == PLI_STATUS_INVALID_ARGUMENT, "a body takes %g in its field %d", (double)x,
                  (int)field);
            snprintf(what, sizeof what, "field %d of a body is %g", (int)field, (double)x);
            survive_steps(world, status, d.dt, what);
        }
    pli_mesh_destroy(mesh);
}

static void paint(void **state)
{
    (void)state;
    static const float numbers[] = {0.0f, -1.0f, 1e-40f, 1e-9f, 1e6f, 1e9f, 1e30f, NAN, INFINITY};
    pli_mesh *mesh = sheet();
    char what[120];
    const pli_attribute *row;
    for (int32_t n = 0; n < COUNT_OF(numbers); n++)
        for (int32_t i = 0; (row = pli_attribute_painted_at(i)); i++) {
            hostile_defs d = plain_defs();
            d.sheet.plate.rigidity = 1e-4f;
            d.world.settings.air_density = 1.2f, d.world.settings.wind.z = 5.0f;
            pli_world *world = NULL;
            must(make(&d, mesh, &world));
            float values[SIDE * SIDE];
            for (int32_t v = 0; v < SIDE * SIDE; v++)
                values[v] = v % 3 ? 1.0f : numbers[n];
            problem.message[0] = '\0';
            const pli_status status = pli_deformable_paint(world, pli_world_deformable_at(world, 0), row->name,
                                                           PLI_ELEMENT_VERTEX, values, SIDE * SIDE, &problem);
            holds(isfinite(numbers[n]) || status == PLI_STATUS_INVALID_ARGUMENT, "paint %s takes %g", row->name,
                  (double)numbers[n]);
            snprintf(what, sizeof what, "paint %s of %g", row->name, (double)numbers[n]);
            survive_steps(world, status, d.dt, what);
        }
    pli_mesh_destroy(mesh);
}

static bool blow(void *user, double time, const float *points, float *velocities, int32_t count)
{
    (void)time, (void)points;
    for (int32_t i = 0; i < 3 * count; i++)
        velocities[i] = *(const float *)user;
    return true;
}

// Air from a host's function, all masses at once, and a hand that is led far away.
static void hosts_with_wrong_numbers(void **state)
{
    (void)state;
    static float numbers[] = {0.0f, 1e-40f, 1e-9f, 1e3f, 1e6f, 1e7f, 1e30f, NAN, INFINITY};
    pli_mesh *mesh = sheet();
    char what[120];
    for (int32_t n = 0; n < COUNT_OF(numbers); n++)
        for (int32_t call = 0; call < 3; call++) {
            hostile_defs d = plain_defs();
            d.world.settings.air_density = 1.2f;
            pli_world *world = NULL;
            must(make(&d, mesh, &world));
            const pli_deformable cloth = pli_world_deformable_at(world, 0);
            const float x = numbers[n];
            float masses[SIDE * SIDE];
            pli_status status = PLI_STATUS_OK;
            problem.message[0] = '\0';
            if (call == 0)
                pli_world_set_air_field(world, blow, &numbers[n]);
            if (call == 1) {
                for (int32_t v = 0; v < SIDE * SIDE; v++)
                    masses[v] = x;
                status = pli_deformable_set_inverse_masses(world, cloth, 0, SIDE * SIDE, masses, &problem);
            }
            if (call == 2) {
                pli_grab grab;
                pli_grab_def def = pli_grab_def_default();
                def.deformable = cloth, def.vertex = SIDE * SIDE - 1;
                must(pli_grab_begin(world, &def, &grab, &problem));
                status = pli_grab_update(world, &grab, (pli_vec3){x, x, x}, d.dt, true, &problem);
            }
            holds(isfinite(x) || call == 0 || status == PLI_STATUS_INVALID_ARGUMENT, "call %d takes %g", (int)call,
                  (double)x);
            snprintf(what, sizeof what, "%s of %g",
                     call == 0   ? "air"
                     : call == 1 ? "all inverse masses"
                                 : "a hand",
                     (double)x);
            survive_steps(world, status, d.dt, what);
        }
    pli_mesh_destroy(mesh);
}

static int told(void **state)
{
    (void)state;
    holds(refused > 10 && non_finite > 10, "%d refused, %d undone: the numbers are not hostile", (int)refused,
          (int)non_finite);
    printf("hostile numbers: %d worlds, %d refused, %d steps undone as non-finite; the longest step has %.0f ms\n",
           (int)tried, (int)refused, (int)non_finite, 1e3 * longest);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(ends_of_every_range),
        property(ends_of_every_parameter),
        property(steps_and_forces),
        property(collapsed_and_far_meshes),
        property(hostile_calls),
        property(several_at_once),
        property(ends_of_shapes),
        property(bodies),
        property(paint),
        property(hosts_with_wrong_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, told);
}
