// Runs a sheet of the library and prints, as JSON, what a graphics card needs to run the same: particles, sets in their order of
// projection, colliders, settings; and where the library has the particles after each of a few steps.
//
//   engine MESH BENDING METHOD SUBSTEPS ITERATIONS SWEEPS WHAT STEPS
//
// MESH is grid, small, large, dome or ball, BENDING a constraint type or "none"; WHAT has the letters c for a ball and the ground, m for
// a ball that moves, h for a hand, p for pins, s for soft constraints with damping and rigidity, i for an inequality, v for a
// limit of speeds, and - for none of them.
#include <math.h>
#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_error error;

static void must(pli_status status)
{
    if (status == PLI_STATUS_OK)
        return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static void print_floats(const char *name, const float *values, int32_t count)
{
    printf("\"%s\":[", name);
    for (int32_t i = 0; i < count; i++)
        printf(i ? ",%.9g" : "%.9g", (double)values[i]);
    printf("]");
}

static void print_view(const char *name, pli_view view)
{
    printf("\"%s\":[", name);
    for (int32_t i = 0; i < 3 * view.count; i++)
        printf(i ? ",%.9g" : "%.9g", (double)pli_view_at(view, i / 3)[i % 3]);
    printf("]");
}

static double parameter_of(const pli_world *world, pli_constraints set, const char *name)
{
    double value = -1.0;
    return pli_constraints_get_parameter(world, set, name, &value, NULL) == PLI_STATUS_OK ? value : -1.0;
}

static void print_set(const pli_world *world, pli_constraints set)
{
    static const char *const names[] = {"compliance", "damping", "rigidity", "stiffness", "kappa", "change_limit"};
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &error));
    int32_t n = info.constraint_count, k = info.type->cardinality, r = info.type->rest_count;
    int32_t *order = malloc((size_t)n * sizeof *order), *particles = malloc((size_t)(n * k) * sizeof *particles);
    float *rest = malloc((size_t)(n * r) * sizeof *rest), *scales = malloc((size_t)n * sizeof *scales);
    must(pli_constraints_sequence(world, set, order, particles, rest, scales, &error));
    printf("{\"type\":\"%s\",\"particles\":[", info.type->name);
    for (int32_t i = 0; i < n * k; i++)
        printf(i ? ",%d" : "%d", (int)particles[i]);
    printf("],");
    print_floats("rest", rest, n * r);
    printf(",");
    print_floats("scales", scales, n);
    printf(",\"parameters\":{");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (parameter_of(world, set, names[i]) >= 0.0)
            printf("\"%s\":%.17g,", names[i], parameter_of(world, set, names[i]));
    printf("\"relation\":\"%s\"}}", parameter_of(world, set, "relation") > 0.0 ? "at_most" : "equal");
    free(order), free(particles), free(rest), free(scales);
}

static bool has(const char *what, char letter) { return strchr(what, letter) != NULL; }

// The sheet bent into a dome, so that rest values are not 0.
static pli_mesh *bent(const pli_mesh *flat)
{
    const pli_topology *t = pli_mesh_topology(flat);
    float *positions = malloc(3 * sizeof *positions * (size_t)t->vertex_count);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        const float *p = t->positions + 3 * i;
        positions[3 * i] = p[0], positions[3 * i + 2] = p[2];
        positions[3 * i + 1] = 0.1f - 0.3f * p[0] * p[0] + 0.03f * p[2] * p[0];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = t->vertex_count;
    def.face_vertices = t->triangles, def.face_count = t->triangle_count;
    pli_mesh *mesh;
    must(pli_mesh_create(&def, &mesh, &error));
    free(positions);
    return mesh;
}

static pli_mesh *make_mesh(const char *kind)
{
    pli_mesh *mesh;
    int32_t side = strcmp(kind, "small") == 0 ? 12 : strcmp(kind, "large") == 0 ? 320 : 64;
    if (strcmp(kind, "ball") == 0)
        must(pli_mesh_create_sphere(3, 0.5f, &mesh, &error));
    else
        must(pli_mesh_create_grid(side, side, 1.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, &error));
    if (strcmp(kind, "dome") != 0)
        return mesh;
    pli_mesh *dome = bent(mesh);
    pli_mesh_destroy(mesh);
    return dome;
}

static pli_constraints constrain(pli_world *world, pli_deformable body, const char *type, const char *what)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = body, def.type = type;
    pli_constraints set;
    must(pli_constraints_create(world, &def, &set, &error));
    bool edges = strcmp(type, "distance") == 0;
    if (has(what, 's')) {
        must(pli_constraints_set_parameter(world, set, "compliance", edges ? 1e-7 : 1e-4, &error));
        must(pli_constraints_set_parameter(world, set, "damping", 1e-3, &error));
        must(pli_constraints_set_parameter(world, set, "stiffness", edges ? 0.9 : 0.3, &error));
        if (parameter_of(world, set, "rigidity") >= 0.0)
            must(pli_constraints_set_parameter(world, set, "rigidity", 1e-4, &error));
    }
    if (has(what, 'i') && strcmp(type, "triangle") == 0) {
        must(pli_constraints_set_parameter(world, set, "relation", 1.0, &error));
        must(pli_constraints_set_parameter(world, set, "kappa", 0.002, &error));
    }
    return set;
}

static pli_world *make_world(char **a, const char *what)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world;
    def.settings.method = (pli_method)pli_choice_value("method", a[0]);
    def.settings.substeps = atoi(a[1]), def.settings.iterations = atoi(a[2]);
    def.settings.sweeps = (pli_sweeps)pli_choice_value("sweeps", a[3]);
    def.settings.keep_momentum = false;
    if (has(what, 'a'))
        def.settings.air_density = 1.2f, def.settings.wind = (pli_vec3){2.0f, 0.3f, -1.0f};
    if (has(what, 'd'))
        def.settings.damping = 0.2f;
    if (has(what, 'v'))
        def.settings.speed_limit = 2.0f;
    must(pli_world_create(&def, &world, &error));
    return world;
}

// A capsule lies across and turns about the vertical axis.
static pli_quat turned(int32_t step)
{
    static const pli_quat turns[] = {
        {0.0f, 0.0f, 0.70710678f, 0.70710678f}, {0.1f, 0.1f, 0.7f, 0.7f}, {0.3f, 0.3f, 0.64031242f, 0.64031242f}};
    return turns[step < 2 ? step : 2];
}

static void add_colliders(pli_world *world, const char *what)
{
    pli_collider made;
    pli_collider_def ball = pli_collider_def_default(), ground = ball;
    ball.radius = 0.25f, ball.pose.position = (pli_vec3){0.05f, 0.3f, 0.02f}, ball.restitution = 0.4f;
    ground.shape = PLI_SHAPE_PLANE, ground.friction = 0.7f, ground.thickness = 0.003f;
    if (has(what, 'k')) {
        pli_collider_def capsule = ball;
        capsule.shape = PLI_SHAPE_CAPSULE, capsule.radius = 0.15f, capsule.half_height = 0.2f;
        capsule.pose.rotation = turned(0);
        must(pli_collider_create(world, &capsule, &made, &error));
    }
    if (!has(what, 'c') && !has(what, 'm'))
        return;
    must(pli_collider_create(world, &ball, &made, &error));
    must(pli_collider_create(world, &ground, &made, &error));
}

static void print_scene(pli_world *world, pli_deformable body, const pli_mesh *mesh, const char *what)
{
    pli_settings s = pli_world_settings(world);
    int32_t stride, n = pli_deformable_vertex_count(world, body);
    const pli_topology *t = pli_mesh_topology(mesh);
    const char *masses = (const char *)pli_deformable_inverse_masses(world, body, &stride);
    printf("{\"settings\":{\"method\":\"%s\",\"substeps\":%d,\"iterations\":%d,\"sweeps\":\"%s\",\"gravity\":[%.9g,%."
           "9g,%.9g]",
           pli_choice_name("method", (int32_t)s.method), (int)s.substeps, (int)s.iterations,
           pli_choice_name("sweeps", (int32_t)s.sweeps), (double)s.gravity.x, (double)s.gravity.y, (double)s.gravity.z);
    printf(",\"damping\":%.9g,\"air_density\":%.9g,\"air_friction\":%.9g,\"wind\":[%.9g,%.9g,%.9g]", (double)s.damping,
           (double)s.air_density, (double)s.air_friction, (double)s.wind.x, (double)s.wind.y, (double)s.wind.z);
    if (s.speed_limit < INFINITY)
        printf(",\"speed_limit\":%.9g", (double)s.speed_limit);
    printf("},");
    print_view("positions", pli_deformable_positions(world, body));
    printf(",\"inverseMasses\":[");
    for (int32_t i = 0; i < n; i++)
        printf(i ? ",%.9g" : "%.9g", (double)*(const float *)(const void *)(masses + (ptrdiff_t)i * stride));
    printf("],\"sets\":[");
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        printf(i ? "," : "");
        print_set(world, pli_world_constraints_at(world, i));
    }
    printf("],\"triangles\":[");
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        printf(i ? ",%d" : "%d", (int)t->triangles[i]);
    printf("],\"colliders\":[");
    if (has(what, 'k'))
        printf("{\"shape\":\"capsule\",\"radius\":0.15,\"half_height\":0.2,\"position\":[0.05,0.3,0.02],"
               "\"rotation\":[0,0,0.70710678,0.70710678],\"restitution\":0.4}%s",
               has(what, 'c') || has(what, 'm') ? "," : "");
    if (has(what, 'c') || has(what, 'm'))
        printf("{\"shape\":\"sphere\",\"radius\":0.25,\"position\":[0.05,0.3,0.02],\"restitution\":0.4},"
               "{\"shape\":\"plane\",\"friction\":0.7,\"thickness\":0.003}");
    printf("],\"shape\":{");
    print_floats("positions", t->positions, 3 * n);
    printf(",\"edges\":[");
    for (int32_t i = 0; i < 2 * t->edge_count; i++)
        printf(i ? ",%d" : "%d", (int)t->edges[i]);
    printf("]},");
}

// Where the hand goes, and the ball.
static pli_vec3 hand_at(int32_t step) { return (pli_vec3){0.02f * (float)step, 1.0f + 0.05f * (float)step, 0.1f}; }
static pli_vec3 ball_at(int32_t step) { return (pli_vec3){0.05f, 0.3f + 0.02f * (float)(step + 1), 0.02f}; }

static void advance(pli_world *world, const char *what, pli_grab *grab, int32_t step, int32_t steps)
{
    const float dt = 1.0f / 60.0f;
    pli_transform pose = pli_transform_identity();
    pose.position = ball_at(step);
    if (has(what, 'k'))
        pose.rotation = turned(step + 1);
    if (has(what, 'm'))
        must(pli_collider_set_pose(world, pli_world_collider_at(world, 0), pose, &error));
    if (has(what, 'h'))
        must(pli_grab_update(world, grab, hand_at(step), dt, step < steps - 4, &error));
    must(pli_world_step(world, dt, &error));
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 9)
        return 2;
    const char *bending = arguments[2], *what = arguments[7];
    int32_t steps = atoi(arguments[8]);
    pli_mesh *mesh = make_mesh(arguments[1]);
    pli_world *world = make_world(arguments + 3, what);
    pli_deformable_def def = pli_deformable_def_default();
    pli_deformable body;
    def.mesh = mesh, def.stretch = PLI_STRETCH_SWEPT;
    // Clear of the colliders: the card does not limit the speed of cloth that starts inside one.
    def.pose.position = (pli_vec3){0.0f, strcmp(arguments[1], "ball") == 0 ? 1.06f : 0.58f, 0.0f};
    must(pli_deformable_create(world, &def, &body, &error));
    constrain(world, body, "distance", what);
    if (strcmp(bending, "none") != 0)
        constrain(world, body, bending, what);
    add_colliders(world, what);
    const float zeros[1] = {0.0f};
    for (int32_t k = 0; k < 2 && has(what, 'p'); k++)
        must(pli_deformable_set_inverse_masses(world, body, 11 * k, 1, zeros, &error));
    print_scene(world, body, mesh, what);
    pli_grab grab;
    pli_grab_def wish = pli_grab_def_default();
    wish.deformable = body, wish.vertex = pli_deformable_vertex_count(world, body) / 2, wish.ramp = 3;
    if (has(what, 'h')) {
        must(pli_grab_begin(world, &wish, &grab, &error));
        printf("\"hold\":{\"particleCount\":%d,\"limit\":%.9g,\"reach\":%.9g},", (int)grab.particle_count,
               (double)grab.limit, (double)grab.reach);
    }
    for (int32_t i = 0; i < steps; i++)
        advance(world, what, &grab, i, steps);
    print_view("after", pli_deformable_positions(world, body));
    printf(",");
    print_view("velocitiesAfter", pli_deformable_velocities(world, body));
    printf("}\n");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return 0;
}
