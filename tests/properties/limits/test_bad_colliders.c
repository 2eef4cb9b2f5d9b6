// Collider meshes as users have them: with holes, doubled vertices, faces that are turned or have no area;
// and animations that are wrong. All of it is refused clearly, or does what the headers say.
#include "sheets.h"

// Triangles that a test takes apart.
typedef struct soup {
    float *positions;
    int32_t *corners;
    int32_t vertex_count, triangle_count;
} soup;

static soup soup_of(pli_mesh *mesh, int32_t more_vertices, int32_t more_triangles)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    soup s = {.vertex_count = t->vertex_count, .triangle_count = t->triangle_count};
    s.positions = malloc(sizeof(float) * 3 * (size_t)(s.vertex_count + more_vertices));
    s.corners = malloc(sizeof(int32_t) * 3 * (size_t)(s.triangle_count + more_triangles));
    memcpy(s.positions, t->positions, sizeof(float) * 3 * (size_t)s.vertex_count);
    memcpy(s.corners, t->triangles, sizeof(int32_t) * 3 * (size_t)s.triangle_count);
    pli_mesh_destroy(mesh);
    return s;
}

static int32_t add_vertex(soup *s, vec p)
{
    float *at = s->positions + 3 * s->vertex_count;
    at[0] = (float)p.x, at[1] = (float)p.y, at[2] = (float)p.z;
    return s->vertex_count++;
}

static void add_triangle(soup *s, int32_t a, int32_t b, int32_t c)
{
    int32_t *at = s->corners + 3 * s->triangle_count++;
    at[0] = a, at[1] = b, at[2] = c;
}

static pli_mesh *mesh_of(soup *s)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = s->positions, def.vertex_count = s->vertex_count;
    def.face_vertices = s->corners, def.face_count = s->triangle_count;
    pli_mesh *mesh;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(s->positions);
    free(s->corners);
    return mesh;
}

static pli_mesh *ball(void)
{
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(2, 0.15f, &mesh, &problem));
    return mesh;
}

static pli_mesh *ball_with_holes(void)
{
    soup s = soup_of(ball(), 0, 0);
    for (int32_t t = 0; t < s.triangle_count; t += 9)
        memcpy(s.corners + 3 * t, s.corners + 3 * --s.triangle_count, 3 * sizeof(int32_t));
    return mesh_of(&s);
}

static pli_mesh *ball_with_turned_faces(void)
{
    soup s = soup_of(ball(), 0, 0);
    for (int32_t t = 0; t < s.triangle_count; t += 7) {
        int32_t corner = s.corners[3 * t];
        s.corners[3 * t] = s.corners[3 * t + 1];
        s.corners[3 * t + 1] = corner;
    }
    return mesh_of(&s);
}

// Each triangle has its own vertices.
static pli_mesh *ball_in_pieces(void)
{
    soup s = soup_of(ball(), 3 * 320, 0);
    for (int32_t k = 0; k < 3 * s.triangle_count; k++)
        s.corners[k] = add_vertex(&s, vec_of_floats(s.positions + 3 * s.corners[k]));
    return mesh_of(&s);
}

// Faces without area: three corners in a row on sides of others, two in one place, all three in one.
static pli_mesh *ball_with_needles(void)
{
    soup s = soup_of(ball(), 4 * 40, 3 * 40);
    for (int32_t t = 0; t < 320; t += 8) {
        int32_t a = s.corners[3 * t], b = s.corners[3 * t + 1];
        vec pa = vec_of_floats(s.positions + 3 * a), pb = vec_of_floats(s.positions + 3 * b);
        int32_t ends[2] = {add_vertex(&s, pa), add_vertex(&s, pb)};
        int32_t middle = add_vertex(&s, scale(add(pa, pb), 0.5)), again = add_vertex(&s, pa);
        add_triangle(&s, ends[0], ends[1], middle);
        add_triangle(&s, ends[0], middle, again);
    }
    return mesh_of(&s);
}

// Some corners lie where a neighbour does: faces without area in the middle of a closed surface.
static pli_mesh *pinched_ball(void)
{
    soup s = soup_of(ball(), 0, 0);
    for (int32_t t = 0; t < s.triangle_count; t += 13)
        memcpy(s.positions + 3 * s.corners[3 * t], s.positions + 3 * s.corners[3 * t + 1], 3 * sizeof(float));
    return mesh_of(&s);
}

typedef struct flawed {
    const char *name;
    pli_mesh *(*make)(void);
    bool has_front, has_inside;
} flawed;

static const flawed balls[] = {
    {"holes", ball_with_holes, true, false},
    {"turned faces", ball_with_turned_faces, false, false},
    {"doubled vertices", ball_in_pieces, true, false},
    {"needles", ball_with_needles, true, false},
    {"pinched", pinched_ball, true, true},
};

static pli_collider add_mesh(pli_world *world, pli_mesh *mesh, bool one_sided)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    def.mesh = mesh;
    def.one_sided = one_sided;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

static void flawed_meshes_stop_what_falls(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(balls); i++)
        for (int32_t one_sided = 0; one_sided < 1 + balls[i].has_front; one_sided++) {
            pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
            pli_world *world = world_from(&def);
            add_mesh(world, balls[i].make(), one_sided != 0);
            pli_deformable cloth = drop_cloth(world, mesh_grid(13, 13, 0.4, PLI_GRID_ALTERNATING),
                                              pose_turned(0.0, (vec){0, 1, 0}, (vec){0.01, 0.17, 0.02}), 0.008, false);
            run_clean(world, 40, balls[i].name);
            // Without the ball it would be 2 m further down.
            double top = -INFINITY;
            for (int32_t v = 0; v < 13 * 13; v++)
                top = fmax(top, position_of(world, cloth, v).y);
            holds(top > 0.1, "%s: the highest vertex is at %g m", balls[i].name, top);
            holds(statistics_of(world).surface_contact_count > 5, "%s: nothing touches", balls[i].name);
            pli_world_destroy(world);
        }
}

// A sharp roof whose ridge belongs to a face without area, listed first, under a coarse sheet.
static void a_ridge_without_area_stops_from_its_front(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    soup s = {.positions = malloc(sizeof(float) * 3 * 5), .corners = malloc(sizeof(int32_t) * 3 * 4)};
    int32_t near_end = add_vertex(&s, (vec){0, 0.2, -0.4}), far_end = add_vertex(&s, (vec){0, 0.2, 0.4});
    int32_t middle = add_vertex(&s, (vec){0, 0.2, 0});
    int32_t left = add_vertex(&s, (vec){-0.1, -0.3, 0}), right = add_vertex(&s, (vec){0.1, -0.3, 0});
    add_triangle(&s, near_end, middle, far_end);
    add_triangle(&s, near_end, far_end, right);
    add_triangle(&s, far_end, middle, left);
    add_triangle(&s, middle, near_end, left);
    add_mesh(world, mesh_of(&s), true);
    drop_cloth(world, mesh_grid(4, 4, 0.3, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){0, 1, 0}, (vec){0.01, 0.22, 0.02}), 0.008, false);
    run_clean(world, 15, "a ridge");
    holds(statistics_of(world).surface_contact_count > 0, "nothing touches the ridge");
    pli_world_destroy(world);
}

// A surface without an inside leaves particles where they are; one with an inside moves them out.
static void only_closed_meshes_have_an_inside(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(balls); i++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        def.settings.gravity = (pli_vec3){0, 0, 0};
        pli_world *world = world_from(&def);
        add_mesh(world, balls[i].make(), false);
        pli_deformable sheet = drop_cloth(world, mesh_grid(5, 5, 0.06, PLI_GRID_ALTERNATING),
                                          pose_turned(0.0, (vec){0, 1, 0}, (vec){0.0, 0.08, 0.0}), 0.004, false);
        for (int32_t frame = 0; frame < 60; frame++)
            step(world, 1.0 / 60.0);
        vec p = position_of(world, sheet, 12);
        if (balls[i].has_inside)
            holds(sqrt(dot(p, p)) > 0.14, "%s: still inside", balls[i].name);
        else
            near(p.y, 0.08, 1e-6, "%s: the height of the sheet inside", balls[i].name);
        pli_world_destroy(world);
    }
}

typedef struct animation {
    const float *positions;
    int32_t vertex_count, wrong; // The vertex that is not finite, -1 for none.
} animation;

static bool play(void *user, double time, float *positions)
{
    (void)time;
    const animation *a = user;
    memcpy(positions, a->positions, 3 * sizeof(float) * (size_t)a->vertex_count);
    if (a->wrong >= 0)
        positions[3 * a->wrong + 1] = NAN;
    return true;
}

static void wrong_animations_are_refused(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    pli_collider collider = add_mesh(world, ball(), false);
    drop_cloth(world, mesh_grid(7, 7, 0.2, PLI_GRID_ALTERNATING), pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.2, 0}),
               0.008, false);
    pli_view view = pli_collider_vertices(world, collider);
    float *positions = calloc(3 * (size_t)(view.count + 1), sizeof *positions);
    memcpy(positions, view.data, 3 * sizeof(float) * (size_t)view.count);
    uint64_t before = pli_world_hash(world);
    for (int32_t more = -1; more <= 1; more += 2) {
        pli_status status = pli_collider_set_vertices(world, collider, positions, view.count + more, &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, "keep the number"), "%.200s",
              problem.message);
    }
    positions[3 * 5] = INFINITY;
    pli_status status = pli_collider_set_vertices(world, collider, positions, view.count, &problem);
    holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, "vertex 5"), "%.200s", problem.message);
    positions[3 * 5] = pli_view_at(view, 5)[0];
    animation wrong = {positions, view.count, 11};
    must(pli_collider_set_source(world, collider, play, &wrong, &problem));
    status = pli_world_step(world, 1.0f / 60.0f, &problem);
    holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, "vertex 11"), "%.200s", problem.message);
    holds(pli_world_hash(world) == before, "a refused animation changed the world");
    wrong.wrong = -1;
    run_clean(world, 5, "a mended animation");
    free(positions);
    pli_world_destroy(world);
}

// All its vertices go to one place and come back, with a sheet on it.
static void colliders_may_collapse(void **state)
{
    (void)state;
    for (int32_t one_sided = 0; one_sided < 2; one_sided++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_collider collider = add_mesh(world, ball(), one_sided != 0);
        drop_cloth(world, mesh_grid(9, 9, 0.2, PLI_GRID_ALTERNATING),
                   pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.17, 0}), 0.008, false);
        pli_view view = pli_collider_vertices(world, collider);
        float *positions = calloc(3 * (size_t)view.count, sizeof *positions);
        memcpy(positions, view.data, 3 * sizeof(float) * (size_t)view.count);
        for (int32_t frame = 0; frame < 30; frame++) {
            float size = frame < 10 ? 1.0f : frame < 20 ? 0.0f : 0.7f;
            float *scaled = calloc(3 * (size_t)view.count, sizeof *scaled);
            for (int32_t k = 0; k < 3 * view.count; k++)
                scaled[k] = size * positions[k];
            must(pli_collider_set_vertices(world, collider, scaled, view.count, &problem));
            free(scaled);
            step(world, 1.0 / 60.0);
            holds(all_finite(world), "frame %d", (int)frame);
        }
        free(positions);
        pli_world_destroy(world);
    }
}

static void bodies_keep_their_mass_when_another_is_refused(void **state)
{
    (void)state;
    const float zero_mass = INFINITY, negative = -1.0f;
    const float sound[6] = {1, 1, 1, 0, 0, 0}, singular[6] = {1, INFINITY, 1, 0, 0, 0}, flat[6] = {2, 0, 0, 0, 0, 0},
                impossible[6] = {1, 1, 1, 2, 0, 0};
    pli_world_def world_def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&world_def);
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    const struct {
        float inverse_mass;
        const float *inverse_inertia;
        const char *words;
    } wrong[] = {
        {zero_mass, sound, "mass of zero"},
        {negative, sound, "inverse_mass"},
        {1.0f, singular, "singular"},
        {1.0f, impossible, "negative eigenvalue"},
    };
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        pli_status status = pli_rigid_body_set_mass(world, body, wrong[i].inverse_mass, wrong[i].inverse_inertia,
                                                    &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, wrong[i].words), "%d: %.200s", (int)i,
              problem.message);
    }
    must(pli_rigid_body_set_mass(world, body, 0.0f, flat, &problem));
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(flawed_meshes_stop_what_falls),
        property(a_ridge_without_area_stops_from_its_front),
        property(only_closed_meshes_have_an_inside),
        property(wrong_animations_are_refused),
        property(colliders_may_collapse),
        property(bodies_keep_their_mass_when_another_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
