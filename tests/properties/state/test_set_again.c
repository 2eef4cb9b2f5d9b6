// Definitions of objects that live: every row of the descriptors can be set again, and acts as if the object had been made
// so. A new row is tested without an edit.
#include "samples.h"
#include "scenery.h"
#include "sheets.h"

/* ---- rows ------------------------------------------------------------------------------------------ */

// Sets the definition so that the property acts, as its conditions say.
static void meet_conditions(const pli_descriptor_group *group, const pli_property *p, void *def)
{
    for (const pli_condition *c = p->when; c && c->path; c++) {
        const pli_property *other = pli_descriptor_find(group, c->path);
        double values[3] = {0.0, 0.0, 0.0};
        for (int32_t i = 0; other && other->choices && other->choices[i].name; i++)
            if (strcmp(other->choices[i].name, c->values[0]) == 0)
                values[0] = i;
        if (other && other->kind == PLI_PROPERTY_BOOLEAN)
            values[0] = strcmp(c->values[0], "true") == 0;
        if (other)
            must(pli_property_write(other, def, values, &problem));
    }
}

// Writes another valid value than the one there.
static void write_other(const pli_property *p, void *def)
{
    double v[3];
    pli_property_read(p, def, v);
    for (int k = 0; k < 3; k++)
        switch (p->kind) {
        case PLI_PROPERTY_BOOLEAN:
            v[k] = v[k] == 0.0;
            break;
        case PLI_PROPERTY_CHOICE:
            v[k] = v[k] == 1.0 ? 2.0 : 1.0;
            v[k] = p->choices[(int32_t)v[k]].name ? v[k] : 0.0;
            break;
        case PLI_PROPERTY_LAYER:
            v[k] = 4.0;
            break;
        case PLI_PROPERTY_LAYERS:
            v[k] = 6.0;
            break;
        default:
            v[k] = isinf(v[k]) ? 2.5 : v[k] > 0.0 ? 0.75 * v[k] : 0.03;
        }
    must(pli_property_write(p, def, v, &problem));
}

static void same_row(const pli_descriptor_group *group, const pli_property *p, const void *found, const void *expected)
{
    double a[3] = {0}, b[3] = {0};
    pli_property_read(p, found, a);
    pli_property_read(p, expected, b);
    for (int k = 0; k < (p->kind == PLI_PROPERTY_VECTOR ? 3 : 1); k++)
        holds(a[k] == b[k], "%s.%s: %g, expected %g", group->id, p->name, a[k], b[k]);
}

/* ---- a scene that feels every row ------------------------------------------------------------------ */

typedef struct scene {
    pli_world *world;
    pli_deformable sheets[2];
    pli_collider ball;
} scene;

static pli_mesh *hull_mesh(void) { return mesh_ball(1, 0.0); }

static scene make_scene(const pli_deformable_def *sheet, const pli_collider_def *ball)
{
    scene s = {.world = NULL};
    pli_world_def def = pli_world_def_default();
    s.world = world_from(&def);
    random_state = 3;
    for (int32_t k = 0; k < 2; k++) {
        pli_mesh *grid = mesh_grid(10, 10, 1.0, PLI_GRID_ALTERNATING), *mesh = mesh_jittered(grid, 0.1, 0.02);
        pli_deformable_def cloth = pli_deformable_def_default();
        if (k == 0)
            cloth = *sheet;
        cloth.mesh = mesh;
        cloth.pose.position = (pli_vec3){0.1f * (float)k, 0.33f + 0.02f * (float)k, 0.0f};
        must(pli_deformable_create(s.world, &cloth, &s.sheets[k], &problem));
        constrain(s.world, s.sheets[k], "distance", NULL);
        pli_mesh_destroy(mesh);
    }
    must(pli_collider_create(s.world, ball, &s.ball, &problem));
    return s;
}

// The state of sheets and nothing else goes from one scene to the other.
static void take_state(scene *to, const float *const state[4])
{
    for (int32_t k = 0; k < 2; k++) {
        int32_t count = vertex_count_of(to->world, to->sheets[k]);
        must(pli_deformable_set_positions(to->world, to->sheets[k], 0, count, state[2 * k], &problem));
        must(pli_deformable_set_velocities(to->world, to->sheets[k], 0, count, state[2 * k + 1], &problem));
    }
}

static float *copy_of(pli_view view)
{
    float *copy = malloc(sizeof *copy * 3 * (size_t)view.count);
    for (int32_t i = 0; i < view.count; i++)
        memcpy(copy + 3 * i, pli_view_at(view, i), 3 * sizeof(float));
    return copy;
}

static uint64_t hash_in(scene *s, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step(s->world, 1.0 / 60.0);
    return pli_world_hash(s->world);
}

// Runs one scene that was changed on its way and one that was made as it is then, from the same state.
static void compare_worlds(scene *changed, scene *made, bool same, const char *what)
{
    float *state[4];
    for (int32_t k = 0; k < 2; k++) {
        state[2 * k] = copy_of(pli_deformable_positions(changed->world, changed->sheets[k]));
        state[2 * k + 1] = copy_of(pli_deformable_velocities(changed->world, changed->sheets[k]));
    }
    take_state(changed, (const float *const *)state);
    take_state(made, (const float *const *)state);
    uint64_t a = hash_in(changed, 5), b = hash_in(made, 5);
    holds((a == b) == same, "%s: %s", what, same ? "as if made so" : "it has an effect");
    for (int32_t k = 0; k < 4; k++)
        free(state[k]);
}

static pli_collider_def default_ball(pli_mesh *mesh)
{
    pli_collider_def ball = pli_collider_def_default();
    ball.radius = 0.3f;
    ball.half_height = 0.4f;
    ball.top_radius = 0.25f;
    ball.half_extents = (pli_vec3){0.3f, 0.3f, 0.3f};
    ball.mesh = mesh;
    return ball;
}

static void rows_of_deformables_act_at_once(void **state)
{
    (void)state;
    const pli_descriptor_group *group = pli_descriptor_group_find("deformable");
    pli_collider_def ball = default_ball(NULL);
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        pli_deformable_def before = pli_deformable_def_default(), found;
        meet_conditions(group, p, &before);
        scene changed = make_scene(&before, &ball);
        hash_in(&changed, 4);
        must(pli_deformable_get_def(changed.world, changed.sheets[0], &found, &problem));
        pli_deformable_def after = found;
        write_other(p, &after);
        must(pli_deformable_set_def(changed.world, changed.sheets[0], &after, &problem));
        must(pli_deformable_get_def(changed.world, changed.sheets[0], &found, &problem));
        for (int32_t k = 0; k < group->property_count; k++)
            same_row(group, &group->properties[k], &found, &after);
        scene made = make_scene(&after, &ball);
        // Masses are scaled, so that they round otherwise; where it starts is for resets.
        bool start = strcmp(p->name, "velocity") == 0, scaled = strcmp(p->name, "density") == 0;
        holds(start || p->change == PLI_CHANGE_LIVE, "deformable.%s says that it is live", p->name);
        if (!scaled)
            compare_worlds(&changed, &made, true, p->name);
        pli_world_destroy(changed.world);
        pli_world_destroy(made.world);
    }
}

static void rows_of_colliders_act_at_once(void **state)
{
    (void)state;
    const pli_descriptor_group *group = pli_descriptor_group_find("collider");
    const pli_deformable_def sheet = pli_deformable_def_default();
    pli_mesh *mesh = hull_mesh();
    for (int32_t i = 0; i < 2 * group->property_count; i++) {
        // Each row for a shape that has a distance, and for a mesh.
        const pli_property *p = &group->properties[i / 2];
        pli_collider_def before = default_ball(mesh), found;
        if (i % 2)
            before.shape = PLI_SHAPE_MESH;
        meet_conditions(group, p, &before);
        scene changed = make_scene(&sheet, &before);
        hash_in(&changed, 4);
        must(pli_collider_get_def(changed.world, changed.ball, &found, &problem));
        pli_collider_def after = found;
        after.mesh = mesh;
        write_other(p, &after);
        must(pli_collider_set_def(changed.world, changed.ball, &after, &problem));
        must(pli_collider_get_def(changed.world, changed.ball, &found, &problem));
        for (int32_t k = 0; k < group->property_count; k++)
            same_row(group, &group->properties[k], &found, &after);
        scene made = make_scene(&sheet, &after);
        holds(p->change == PLI_CHANGE_LIVE, "collider.%s says that it is live", p->name);
        compare_worlds(&changed, &made, true, p->name);
        pli_world_destroy(changed.world);
        pli_world_destroy(made.world);
    }
    pli_mesh_destroy(mesh);
}

// The comparisons above would hold in a scene in which nothing is felt; this one is felt.
static void the_scene_feels_what_is_set(void **state)
{
    (void)state;
    const char *const felt[] = {"thickness", "friction", "collides_with", "self_collision"};
    const pli_descriptor_group *group = pli_descriptor_group_find("deformable");
    pli_collider_def ball = default_ball(NULL);
    for (int32_t i = 0; i < COUNT_OF(felt); i++) {
        pli_deformable_def before = pli_deformable_def_default(), after = before;
        write_other(pli_descriptor_find(group, felt[i]), &after);
        scene a = make_scene(&before, &ball), b = make_scene(&after, &ball);
        hash_in(&a, 8);
        hash_in(&b, 8);
        if (strcmp(felt[i], "self_collision") != 0) // Flat cloth does not touch itself.
            compare_worlds(&a, &b, false, felt[i]);
        pli_world_destroy(a.world);
        pli_world_destroy(b.world);
    }
}

// A snapshot has what was set, and goes back over it.
static void snapshots_have_what_is_set(void **state)
{
    (void)state;
    pli_deformable_def sheet = pli_deformable_def_default(), thick;
    pli_collider_def ball = default_ball(NULL), rough;
    scene s = make_scene(&sheet, &ball);
    uint64_t ends[2];
    hash_in(&s, 6);
    size_t size = pli_world_snapshot_size(s.world);
    void *before = malloc(size), *after = malloc(size);
    must(pli_world_snapshot_write(s.world, before, size, &problem));
    ends[0] = hash_in(&s, 5);
    must(pli_world_snapshot_read(s.world, before, size, &problem));
    must(pli_deformable_get_def(s.world, s.sheets[0], &thick, &problem));
    thick.thickness = 0.02f, thick.self_collision = true, thick.density = 0.5f;
    must(pli_deformable_set_def(s.world, s.sheets[0], &thick, &problem));
    must(pli_collider_get_def(s.world, s.ball, &rough, &problem));
    rough.friction = 0.9f, rough.radius = 0.28f, rough.thickness = 0.01f;
    must(pli_collider_set_def(s.world, s.ball, &rough, &problem));
    must(pli_world_snapshot_write(s.world, after, size, &problem));
    ends[1] = hash_in(&s, 5);
    holds(ends[0] != ends[1], "it has an effect");
    for (int32_t k = 0; k < 4; k++) {
        must(pli_world_snapshot_read(s.world, k % 2 ? after : before, size, &problem));
        holds(hash_in(&s, 5) == ends[k % 2], "back to %s", k % 2 ? "after" : "before");
    }
    // A world that was never set goes on from it too.
    scene other = make_scene(&sheet, &ball);
    must(pli_world_snapshot_read(other.world, after, size, &problem));
    holds(hash_in(&other, 5) == ends[1], "another world");
    free(before);
    free(after);
    pli_world_destroy(s.world);
    pli_world_destroy(other.world);
}

/* ---- single fields ----------------------------------------------------------------------------------- */

static void density_scales_masses_as_they_are(void **state)
{
    (void)state;
    const pli_deformable_def sheet = pli_deformable_def_default();
    pli_collider_def ball = default_ball(NULL);
    scene s = make_scene(&sheet, &ball);
    const int32_t corner[1] = {7};
    double light = mass_of(s.world, s.sheets[0], 7);
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = s.sheets[0], hold.particles = corner, hold.particle_count = 1;
    pli_attachment attachment;
    must(pli_attachment_create(s.world, &hold, &attachment, &problem));
    must(pli_deformable_set_inverse_masses(s.world, s.sheets[0], 3, 2, (const float[2]){0.0f, 2.0f}, &problem));
    double before = mass_of(s.world, s.sheets[0], 11);
    pli_deformable_def def;
    must(pli_deformable_get_def(s.world, s.sheets[0], &def, &problem));
    def.density *= 3.0f, def.name = "heavy";
    must(pli_deformable_set_def(s.world, s.sheets[0], &def, &problem));
    near(mass_of(s.world, s.sheets[0], 11) / before, 3.0, 1e-6, "a mass of the mesh");
    near(mass_of(s.world, s.sheets[0], 4), 1.5, 1e-6, "one set by hand");
    near(mass_of(s.world, s.sheets[0], 3), 0.0, 0.0, "a fixed one");
    near(mass_of(s.world, s.sheets[0], 7), 0.0, 0.0, "a held one");
    must(pli_attachment_destroy(s.world, attachment, &problem));
    near(mass_of(s.world, s.sheets[0], 7) / light, 3.0, 1e-6, "which is heavy when it is let go");
    near(pli_world_deformable_find(s.world, "heavy").id, s.sheets[0].id, 0, "its name");
    pli_world_destroy(s.world);
}

static void what_cannot_change_is_refused(void **state)
{
    (void)state;
    const pli_deformable_def sheet = pli_deformable_def_default();
    pli_mesh *mesh = hull_mesh();
    pli_collider_def ball = default_ball(NULL), changed;
    scene s = make_scene(&sheet, &ball);
    pli_rigid_body_def body = pli_rigid_body_def_default();
    pli_rigid_body carrier;
    must(pli_rigid_body_create(s.world, &body, &carrier, &problem));
    pli_deformable_def def, now;
    must(pli_deformable_get_def(s.world, s.sheets[0], &def, &problem));
    def.thickness = 0.02f, def.mesh = mesh;
    near(pli_deformable_set_def(s.world, s.sheets[0], &def, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "a mesh");
    def.mesh = NULL, def.friction = -1.0f;
    near(pli_deformable_set_def(s.world, s.sheets[0], &def, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "friction");
    def.friction = 0.3f, def.tearing.stretch = 0.5f;
    near(pli_deformable_set_def(s.world, s.sheets[0], &def, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "tearing");
    must(pli_deformable_get_def(s.world, s.sheets[0], &now, &problem));
    near((double)now.thickness, 0.005, 1e-9, "nothing has changed");
    must(pli_collider_get_def(s.world, s.ball, &ball, &problem));
    changed = ball, changed.body = carrier;
    near(pli_collider_set_def(s.world, s.ball, &changed, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "a body");
    changed = ball, changed.shape = PLI_SHAPE_MESH, changed.mesh = NULL;
    holds(pli_collider_set_def(s.world, s.ball, &changed, &problem) != PLI_STATUS_OK, "no mesh");
    changed = ball, changed.shape = (pli_shape)99;
    near(pli_collider_set_def(s.world, s.ball, &changed, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "no shape");
    changed = ball, changed.radius = 0.1f, changed.pose.position.x = 5.0f;
    must(pli_collider_set_def(s.world, s.ball, &changed, &problem));
    pli_transform pose;
    must(pli_collider_pose(s.world, s.ball, &pose, &problem));
    near((double)pose.position.x, 0.0, 0.0, "the pose is not read");
    pli_mesh_destroy(mesh);
    pli_world_destroy(s.world);
}

// Between shapes with and without triangles, others behind it in the store, with an animation that ends.
static void a_collider_takes_other_triangles(void **state)
{
    (void)state;
    const pli_deformable_def sheet = pli_deformable_def_default();
    pli_mesh *small = mesh_ball(1, 0.0), *large = mesh_ball(2, 0.0);
    pli_collider_def first = default_ball(small), def;
    first.shape = PLI_SHAPE_MESH;
    scene s = make_scene(&sheet, &first);
    pli_collider other = mesh_collider(s.world, mesh_grid(6, 6, 3.0, PLI_GRID_ALTERNATING),
                                       pose_turned(0.0, (vec){0, 1, 0}, (vec){0, -1.2, 0}), 0.3);
    const struct {
        pli_shape shape;
        const pli_mesh *mesh;
        int32_t vertices;
    } turns[] = {{PLI_SHAPE_MESH, large, 162},
                 {PLI_SHAPE_SPHERE, NULL, 0},
                 {PLI_SHAPE_HULL, small, 42},
                 {PLI_SHAPE_BOX, NULL, 0},
                 {PLI_SHAPE_MESH, small, 42}};
    for (int32_t i = 0; i < COUNT_OF(turns); i++) {
        hash_in(&s, 3);
        must(pli_collider_get_def(s.world, s.ball, &def, &problem));
        def.shape = turns[i].shape, def.mesh = turns[i].mesh;
        must(pli_collider_set_def(s.world, s.ball, &def, &problem));
        near(pli_collider_vertices(s.world, s.ball).count, turns[i].vertices, 0, "turn %d: vertices", (int)i);
        near(pli_collider_vertices(s.world, other).count, 36, 0, "turn %d: the other", (int)i);
        statistics_of(s.world);
        holds(all_finite(s.world), "turn %d", (int)i);
    }
    // Other vertices of the same mesh: at once, as a teleport of vertices.
    float *high = copied_positions(small);
    for (int32_t i = 0; i < 3 * 42; i++)
        high[i] += 0.5f;
    must(pli_collider_get_def(s.world, s.ball, &def, &problem));
    def.positions = high;
    must(pli_collider_set_def(s.world, s.ball, &def, &problem));
    near((double)pli_view_at(pli_collider_vertices(s.world, s.ball), 0)[1], (double)high[1], 0.0, "positions");
    hash_in(&s, 2);
    free(high);
    pli_mesh_destroy(small);
    pli_mesh_destroy(large);
    pli_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(rows_of_deformables_act_at_once),   property(rows_of_colliders_act_at_once),
        property(the_scene_feels_what_is_set),       property(snapshots_have_what_is_set),
        property(density_scales_masses_as_they_are), property(what_cannot_change_is_refused),
        property(a_collider_takes_other_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
