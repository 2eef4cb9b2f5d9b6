// Findings of a check: each kind in a world that has it and in none beside, and the line that the first step logs.
#include "sheets.h"
#include "worlds.h"

#include "pliant/check.h"
#include "pliant/material.h"
#include "pliant/rigid.h"

static const double frame = 1.0 / 60.0;

typedef struct heard {
    int32_t warnings;
    char line[700];
} heard;

static void hear(void *user, pli_log_level level, const char *message)
{
    heard *h = user;
    h->warnings += level == PLI_LOG_WARNING;
    snprintf(h->line, sizeof h->line, "%s", message);
}

// In few substeps, so that what sweeps miss can be seen.
static pli_world *listened_world(heard *h)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 5;
    def.hooks = pli_hooks_default();
    def.hooks.log = hear, def.hooks.user = h;
    return world_from(&def);
}

// A square metre of 21 x 21 vertices, 10 cm above 0, with a rigid set of this type.
static pli_deformable sheet_of(pli_world *world, const char *name, pli_deformable_def def, const char *type)
{
    pli_mesh *mesh = mesh_grid(21, 21, 1.0, PLI_GRID_ALTERNATING);
    def.mesh = mesh, def.name = name;
    def.pose.position.y = 0.1f;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    constrain(world, cloth, type, NULL);
    pli_mesh_destroy(mesh);
    return cloth;
}

static pli_deformable sheet(pli_world *world, const char *name, pli_deformable_def def)
{
    return sheet_of(world, name, def, "distance");
}

// The finding of this kind, alone of it; null for none.
static const pli_finding *found(pli_world *world, pli_finding_kind kind)
{
    const pli_finding *one = NULL;
    int32_t count;
    must(pli_world_check(world, frame, &count, &problem));
    holds(!pli_world_finding_at(world, -1) && !pli_world_finding_at(world, count), "no more than the count");
    for (int32_t i = 0; i < count; i++) {
        const pli_finding *f = pli_world_finding_at(world, i);
        holds(f->text[0] != '\0' && strlen(f->text) < sizeof f->text - 1, "finding %d has a whole text", (int)i);
        holds(f->kind != kind || !one, "one %s", pli_choice_name("finding", (int32_t)kind));
        one = f->kind == kind ? f : one;
    }
    return one;
}

static const pli_finding *must_find(pli_world *world, pli_finding_kind kind, const char *words)
{
    static const pli_finding none = {.vertex = -1};
    const pli_finding *f = found(world, kind);
    holds(f && strstr(f->text, words), "%s: '%s' in '%.150s'", pli_choice_name("finding", (int32_t)kind), words,
          f ? f->text : "nothing");
    return f ? f : &none;
}

static pli_collider collider(pli_world *world, pli_shape shape, float radius, float y)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape, def.radius = radius, def.half_height = 0.4f, def.pose.position.y = y;
    pli_collider made;
    must(pli_collider_create(world, &def, &made, &problem));
    return made;
}

/* ---- kinds -------------------------------------------------------------------------------------- */

static void nothing_speaks_against_a_soft_sheet(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    sheet_of(world, "sheet", pli_deformable_def_default(), "membrane");
    collider(world, PLI_SHAPE_SPHERE, 0.3f, -0.5f);
    int32_t count = -1;
    must(pli_world_check(world, frame, &count, &problem));
    holds(count == 0, "%d findings", (int)count);
    step(world, frame);
    holds(h.warnings == 0, "%d warnings: %.150s", (int)h.warnings, h.line);
    holds(pli_world_check(world, 0.0, &count, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_world_check(world, NAN, &count, &problem) == PLI_STATUS_INVALID_ARGUMENT && count == 0,
          "steps of no length are refused");
    pli_world_destroy(world);
}

// A sheet of the length L that hangs stretches by up to g L h^2 / l^2, the weight below its top over rho l^2 / h^2.
static void stretch_by_weight_is_found(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    pli_deformable_def def = pli_deformable_def_default();
    def.stretch = PLI_STRETCH_SWEPT;
    const pli_deformable cloth = sheet(world, "a sheet", def);
    const pli_finding *f = must_find(world, PLI_FINDING_WEIGHT, "a sheet: it stretches");
    near(f->value, 9.81 * frame * frame / 25.0 / (0.05 * 0.05), 0.02, "strain");
    holds(f->deformable.id == cloth.id && f->vertex == -1, "about the sheet");
    pli_world_destroy(world);
}

static void loads_are_found_where_nothing_holds_them(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        pli_stretch stretch;
        bool is_found;
    } cases[] = {{"distance", PLI_STRETCH_SWEPT, true},
                 {"distance", PLI_STRETCH_AUTO, true},
                 {"membrane", PLI_STRETCH_SWEPT, true},
                 {"membrane", PLI_STRETCH_AUTO, false},
                 {"membrane", PLI_STRETCH_SOLVED, false}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        pli_deformable_def def = pli_deformable_def_default();
        def.stretch = cases[i].stretch;
        const pli_deformable cloth = sheet_of(world, "towel", def, cases[i].type);
        const float fixed = 0.0f;
        for (int32_t v = 0; v < 21; v++)
            must(pli_deformable_set_inverse_masses(world, cloth, v, 1, &fixed, &problem));
        pli_rigid_body_def weight = pli_rigid_body_def_default();
        weight.inverse_mass = 0.2f;
        pli_rigid_body body;
        must(pli_rigid_body_create(world, &weight, &body, &problem));
        const int32_t held[] = {430, 431, 432, 433};
        pli_attachment_def tie = pli_attachment_def_default();
        tie.deformable = cloth, tie.particles = held, tie.particle_count = 4, tie.body = body;
        pli_attachment attachment;
        must(pli_attachment_create(world, &tie, &attachment, &problem));
        if (!cases[i].is_found) {
            holds(!found(world, PLI_FINDING_LOAD), "a %s that is %s holds it", cases[i].type,
                  pli_choice_name("stretch", (int32_t)cases[i].stretch));
        } else {
            const pli_finding *f = must_find(world, PLI_FINDING_LOAD, "a body of 5 kg hangs from 4 of its vertices");
            holds(f->rigid_body.id == body.id && f->count == 4 && f->vertex == 430 && f->value > 1.0, "by %g",
                  f->value);
            near(f->wanted, 5.0, 1e-5, "mass");
        }
        pli_world_destroy(world);
    }
}

static void bending_that_sweeps_lose_is_found(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    const pli_deformable cloth = sheet(world, NULL, pli_deformable_def_default());
    pli_constraints bend = constrain(world, cloth, "isometric", NULL);
    tune(world, bend, "rigidity", 0.1);
    const pli_finding *f = must_find(world, PLI_FINDING_BENDING, "of the requested 0.1 N m");
    pli_effective_stiffness r;
    must(pli_deformable_get_effective_stiffness(world, cloth, frame, &r, &problem));
    near(f->value, r.rigidity_effective, 1e-12, "what acts");
    near(f->wanted, 0.1, 1e-7, "what was requested");
    pli_world_destroy(world);
}

// Numbers out of all range give sentences, and no cure that settings refuse. Where nothing can move, no stiffness is missed.
static void no_sentence_is_out_of_range(void **state)
{
    (void)state;
    static const struct {
        float density, gravity, rigidity, plate;
        bool pinned;
        int32_t findings;
        const char *words;
    } cases[] = {{0.2f, 9.81f, 0.1f, 0.0f, true, 0, ""},
                 {1e-9f, 9.81f, 0.1f, 0.0f, false, 2, "is less than 0.01 %"},
                 {0.2f, 1e6f, 1e-6f, 0.0f, false, 1, "by more than 10 times its length"},
                 {0.2f, 1e6f, 0.0f, 1e-30f, false, 2, "leave the plate out"}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        pli_settings settings = pli_world_settings(world);
        settings.gravity.y = -cases[i].gravity;
        must(pli_world_set_settings(world, &settings, &problem));
        pli_deformable_def def = pli_deformable_def_default();
        def.stretch = PLI_STRETCH_SWEPT, def.density = cases[i].density;
        def.plate.rigidity = cases[i].plate;
        const pli_deformable cloth = sheet(world, "sheet", def);
        if (cases[i].rigidity > 0.0f)
            tune(world, constrain(world, cloth, "isometric", NULL), "rigidity", (double)cases[i].rigidity);
        const float fixed = 0.0f;
        for (int32_t v = 0; v < 441 && cases[i].pinned; v++)
            must(pli_deformable_set_inverse_masses(world, cloth, v, 1, &fixed, &problem));
        int32_t count;
        bool seen = !*cases[i].words;
        must(pli_world_check(world, frame, &count, &problem));
        holds(count == cases[i].findings, "case %d: %d findings", (int)i, (int)count);
        for (int32_t k = 0; k < count; k++) {
            const char *text = pli_world_finding_at(world, k)->text, *cure = strstr(text, ", or ");
            seen = seen || strstr(text, cases[i].words);
            holds(!strstr(text, "inf") && !strstr(text, "nan") && (!cure || atoi(cure + 5) <= 1000), "case %d: %.200s",
                  (int)i, text);
        }
        holds(seen, "case %d says '%s'", (int)i, cases[i].words);
        pli_world_destroy(world);
    }
}

static void colliders_are_judged(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    const pli_deformable cloth = sheet(world, "sheet", pli_deformable_def_default());
    collider(world, PLI_SHAPE_SPHERE, 0.5f, -1.0f);
    holds(!found(world, PLI_FINDING_INSIDE) && !found(world, PLI_FINDING_THIN), "clear of a large ball");
    const pli_collider rod = collider(world, PLI_SHAPE_CAPSULE, 0.01f, -1.0f);
    if (!found(world, PLI_FINDING_THIN)) // Thin shapes may be met as surfaces.
        holds(true, "the rod is met by triangles");
    else
        holds(must_find(world, PLI_FINDING_THIN, "collider 1, a capsule, is 0.02 m wide")->collider.id == rod.id,
              "rod");
    // A ball about the middle: what is within its radius, less the thickness, is inside.
    const pli_collider ball = collider(world, PLI_SHAPE_SPHERE, 0.3f, 0.1f);
    int32_t inside = 0;
    for (int32_t v = 0; v < 441; v++)
        inside += distance(position_of(world, cloth, v), (vec){0, 0.1, 0}) <
                  0.3 - (double)pli_deformable_def_default().thickness;
    const pli_finding *f = must_find(world, PLI_FINDING_INSIDE, "particles are inside collider 2, a sphere");
    holds(f->count == inside && f->collider.id == ball.id && f->vertex == 220, "%d inside, %d wanted, deepest %d",
          (int)f->count, (int)inside, (int)f->vertex);
    near(f->value, 0.3, 1e-5, "depth");
    // The same ball as triangles.
    must(pli_collider_destroy(world, ball, &problem));
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(3, 0.3f, &mesh, &problem));
    pli_collider_def solid = pli_collider_def_default();
    solid.shape = PLI_SHAPE_MESH, solid.mesh = mesh, solid.pose.position.y = 0.1f;
    pli_collider made;
    must(pli_collider_create(world, &solid, &made, &problem));
    f = must_find(world, PLI_FINDING_INSIDE, "a mesh");
    holds(abs(f->count - inside) <= 4, "%d inside of triangles", (int)f->count);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// Sheets edge to edge have a row of 21 vertices each in common, whole or turned; a gap of a micrometre has none, nor have layers apart.
static void touching_sheets_are_named(void **state)
{
    (void)state;
    static const struct {
        double degrees, gap;
        uint32_t mask;
        int32_t count; // Of vertices; -1 for some, since positions of turned sheets are rounded.
    } cases[] = {{0.0, 0.0, 1u, 42}, {33.0, 0.0, 1u, -1}, {0.0, 1e-6, 1u, 0}, {33.0, 1e-5, 1u, 0}, {0.0, 0.0, 2u, 0}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        pli_deformable cloth[2];
        for (int32_t k = 0; k < 2; k++) {
            pli_deformable_def def = pli_deformable_def_default();
            const double turn = cases[i].degrees * acos(-1.0) / 180.0, x = k * (1.0 + cases[i].gap);
            def.pose = pose_turned(cases[i].degrees, (vec){0, 0, 1}, (vec){x * cos(turn), x * sin(turn), 0});
            def.layers = def.mask = k == 0 ? 1u : cases[i].mask;
            pli_mesh *mesh = mesh_grid(21, 21, 1.0, PLI_GRID_ALTERNATING);
            def.mesh = mesh, def.name = k == 0 ? "left" : "right";
            must(pli_deformable_create(world, &def, &cloth[k], &problem));
            constrain(world, cloth[k], "membrane", NULL);
            pli_mesh_destroy(mesh);
        }
        const pli_finding *f = found(world, PLI_FINDING_TOUCHING);
        holds((f != NULL) == (cases[i].count != 0), "case %d: %.150s", (int)i, f ? f->text : "nothing");
        if (f) {
            holds(strstr(f->text, "left: it touches right at "), "names: %.150s", f->text);
            holds(f->deformable.id == cloth[0].id && f->other.id == cloth[1].id && !f->collider.id, "handles");
            holds(cases[i].count < 0 ? f->count > 10 : f->count == cases[i].count, "%d vertices", (int)f->count);
            near(position_of(world, cloth[0], f->vertex).x, 0.5 * cos(cases[i].degrees * acos(-1.0) / 180.0), 0.51,
                 "x of the first");
            near(f->wanted, (double)pli_deformable_def_default().thickness, 1e-7, "thickness");
        }
        step(world, frame);
        holds(h.warnings == (cases[i].count != 0) && (!h.warnings || strstr(h.line, "left: it touches right")),
              "%d warnings: %.150s", (int)h.warnings, h.line);
        pli_world_destroy(world);
    }
}

// A sheet on a table of triangles: all vertices within the table's outline touch, and the table's own.
static void sheets_on_meshes_are_named(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        const pli_deformable cloth = sheet(world, "cloth", pli_deformable_def_default());
        pli_collider_def def = pli_collider_def_default();
        pli_mesh *mesh = mesh_grid(3, 3, 0.62, PLI_GRID_ALTERNATING);
        def.shape = PLI_SHAPE_MESH, def.mesh = mesh, def.pose.position.y = i == 0 ? 0.1f : 0.09f;
        pli_collider table;
        must(pli_collider_create(world, &def, &table, &problem));
        pli_mesh_destroy(mesh);
        int32_t wanted = 9;
        for (int32_t v = 0; v < 441; v++) {
            const vec at = position_of(world, cloth, v);
            wanted += fabs(at.x) < 0.31 && fabs(at.z) < 0.31;
        }
        const pli_finding *f = found(world, PLI_FINDING_TOUCHING);
        holds((f != NULL) == (i == 0), "%d: %.150s", (int)i, f ? f->text : "nothing");
        if (f)
            holds(f->count == wanted && f->collider.id == table.id && strstr(f->text, "touches collider 0, a mesh, at"),
                  "%d vertices, %d wanted: %.150s", (int)f->count, (int)wanted, f->text);
        holds(!found(world, PLI_FINDING_INSIDE), "on it, not in it");
        pli_world_destroy(world);
    }
}

// A row that is attached to a body lies on the mesh that the body carries: they do not touch. Edges across edges do.
static void attached_rows_do_not_touch_and_edges_do(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    const pli_deformable cloth = sheet(world, "cloth", pli_deformable_def_default());
    pli_rigid_body_def weight = pli_rigid_body_def_default();
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &weight, &body, &problem));
    pli_mesh *mesh = mesh_grid(2, 2, 0.1, PLI_GRID_ALTERNATING);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH, def.mesh = mesh, def.body = body;
    def.pose.position.y = 0.1f, def.pose.position.z = -0.55f;
    pli_collider carried;
    must(pli_collider_create(world, &def, &carried, &problem));
    must_find(world, PLI_FINDING_TOUCHING, "touches collider 0");
    const int32_t row[] = {8, 9, 10, 11, 12};
    pli_attachment_def tie = pli_attachment_def_default();
    tie.deformable = cloth, tie.particles = row, tie.particle_count = 5, tie.body = body;
    pli_attachment attachment;
    must(pli_attachment_create(world, &tie, &attachment, &problem));
    holds(!found(world, PLI_FINDING_TOUCHING), "attached");
    pli_mesh_destroy(mesh);
    // An upright triangle whose border crosses that of the sheet, between vertices of both.
    static const float corners[] = {0.45f, 0.05f, 0.01f, 0.55f, 0.15f, 0.01f, 0.6f, 0.05f, 0.01f};
    static const int32_t face[] = {0, 1, 2};
    pli_mesh_def triangle = pli_mesh_def_default();
    triangle.positions = corners, triangle.vertex_count = 3, triangle.face_vertices = face, triangle.face_count = 1;
    must(pli_mesh_create(&triangle, &mesh, &problem));
    def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH, def.mesh = mesh;
    must(pli_collider_create(world, &def, &carried, &problem));
    const pli_finding *f = must_find(world, PLI_FINDING_TOUCHING, "touches collider 1, a mesh, along edges");
    holds(f->count == 0 && f->vertex == -1, "no vertex");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// Edges of 5 cm and diagonals: 1 mm lets particles through between their corners, and 20 cm is more than a fold has room for.
static void thickness_is_judged_by_the_edges(void **state)
{
    (void)state;
    static const struct {
        pli_self_contact contact;
        float thickness, distance;
        const char *words;
    } cases[] = {{PLI_SELF_CONTACT_SURFACES, 0.01f, 0.0f, NULL},
                 {PLI_SELF_CONTACT_SURFACES, 0.2f, 0.0f, "`thickness`"},
                 {PLI_SELF_CONTACT_PARTICLES, 0.01f, 0.06f, NULL},
                 {PLI_SELF_CONTACT_PARTICLES, 0.01f, 0.2f, "stiff"},
                 {PLI_SELF_CONTACT_PARTICLES, 0.01f, 0.001f, "pass through"}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        pli_deformable_def def = pli_deformable_def_default();
        def.self_collision = true, def.self_contact = cases[i].contact;
        def.thickness = cases[i].thickness, def.particle_distance = cases[i].distance;
        sheet(world, "sheet", def);
        const pli_finding *f = found(world, PLI_FINDING_THICKNESS);
        holds(cases[i].words ? f && strstr(f->text, cases[i].words) : !f, "case %d: %.150s", (int)i,
              f ? f->text : "nothing");
        pli_world_destroy(world);
    }
}

// Pins that are led 10 m away in a frame lag, and are behind until they have come.
static void pins_that_lag_are_found(void **state)
{
    (void)state;
    heard h = {0};
    pli_world *world = listened_world(&h);
    const pli_deformable cloth = sheet(world, "sheet", pli_deformable_def_default());
    const int32_t corners[] = {0, 20};
    pli_attachment_def pin = pli_attachment_def_default();
    pin.deformable = cloth, pin.particles = corners, pin.particle_count = 2;
    pli_attachment grip;
    must(pli_attachment_create(world, &pin, &grip, &problem));
    step(world, frame);
    holds(!found(world, PLI_FINDING_TRACKING), "nothing lags");
    pli_transform pose = pli_transform_identity();
    pose.position.x = 10.0f;
    must(pli_attachment_set_pose(world, grip, pose, &problem));
    step(world, frame);
    pli_attachment_tracking_error lag;
    must(pli_attachment_get_tracking_error(world, grip, &lag, &problem));
    const pli_finding *f = must_find(world, PLI_FINDING_TRACKING, "2 of its 2 pinned vertices");
    holds(f->attachment.id == grip.id && lag.count == 2, "the grip");
    near(f->value, lag.distance, 1e-9, "distance");
    pli_world_destroy(world);
}

/* ---- the log, and the state --------------------------------------------------------------------- */

// One line at the first step, which can be switched off; and a check leaves the motion as it is.
static void the_first_step_logs_one_line(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int32_t i = 0; i < 3; i++) {
        heard h = {0};
        pli_world *world = listened_world(&h);
        pli_deformable_def def = pli_deformable_def_default();
        def.stretch = PLI_STRETCH_SWEPT;
        const pli_deformable cloth = sheet(world, "sheet", def);
        tune(world, constrain(world, cloth, "isometric", NULL), "rigidity", 0.1);
        pli_world_set_advice(world, i > 0);
        int32_t count = 0;
        for (int32_t f = 0; f < 5; f++) {
            if (i == 2)
                must(pli_world_check(world, frame, &count, &problem));
            step(world, frame);
        }
        hashes[i] = pli_world_hash(world);
        holds(h.warnings == (i > 0), "%d warnings with advice %d", (int)h.warnings, i > 0);
        holds(i == 0 || (strstr(h.line, "sheet: it stretches") && strstr(h.line, "1 more")), "it is '%.150s'", h.line);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1] && hashes[1] == hashes[2], "the same bits");
}

static void kinds_have_names(void **state)
{
    (void)state;
    for (int32_t a = 0; a < PLI_FINDING_COUNT; a++)
        for (int32_t b = 0; b < a; b++)
            holds(strcmp(pli_choice_name("finding", a), pli_choice_name("finding", b)) != 0, "%d and %d", (int)a,
                  (int)b);
    holds(strcmp(pli_choice_name("finding", (int32_t)PLI_FINDING_COUNT), "unknown") == 0, "one beyond");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(nothing_speaks_against_a_soft_sheet),
        property(stretch_by_weight_is_found),
        property(loads_are_found_where_nothing_holds_them),
        property(bending_that_sweeps_lose_is_found),
        property(no_sentence_is_out_of_range),
        property(colliders_are_judged),
        property(touching_sheets_are_named),
        property(sheets_on_meshes_are_named),
        property(attached_rows_do_not_touch_and_edges_do),
        property(thickness_is_judged_by_the_edges),
        property(pins_that_lag_are_found),
        property(the_first_step_logs_one_line),
        property(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
