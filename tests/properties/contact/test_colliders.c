// Colliders with vertices: hulls, and meshes as they come.
#include "crossings.h"
#include "samples.h"

static pli_deformable drop_sheet(pli_world *world, int32_t side, double size, vec position)
{
    pli_mesh *mesh = mesh_grid(side, side, size, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = (pli_vec3){(float)position.x, (float)position.y, (float)position.z};
    def.thickness = 0.008f;
    pli_deformable sheet;
    must(pli_deformable_create(world, &def, &sheet, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, sheet, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, sheet, "dihedral", NULL), "compliance", 1e-2);
    return sheet;
}

static pli_world *contact_world(void)
{
    pli_world_def def = pli_world_def_default();
    return world_from(&def);
}

// Points in a ball that are no surface: 4 in each octant, the inner ones within the hull of the outer.
static pli_mesh *scattered_points(double radius)
{
    float points[3 * 40];
    random_state = 91;
    for (int32_t i = 0; i < 40; i++) {
        vec p = random_vec(1.0);
        p = scale(p, radius * (i % 2 ? 1.0 : 0.5) / sqrt(dot(p, p)));
        points[3 * i] = (float)p.x, points[3 * i + 1] = (float)p.y, points[3 * i + 2] = (float)p.z;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = points;
    def.vertex_count = 40;
    pli_mesh *mesh;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

static pli_collider_def hull_def(const pli_mesh *points)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_HULL;
    def.mesh = points;
    return def;
}

// How deep a point is in a closed convex mesh at the origin [m]; negative outside.
static double depth_in(const pli_mesh *hull, vec p)
{
    const pli_topology *t = pli_mesh_topology(hull);
    double depth = INFINITY;
    for (int32_t f = 0; f < t->triangle_count; f++) {
        vec a = vec_of_floats(t->positions + 3 * t->triangles[3 * f]);
        vec b = vec_of_floats(t->positions + 3 * t->triangles[3 * f + 1]);
        vec c = vec_of_floats(t->positions + 3 * t->triangles[3 * f + 2]);
        vec normal = cross(sub(b, a), sub(c, a));
        depth = fmin(depth, -dot(normal, sub(p, a)) / sqrt(dot(normal, normal)));
    }
    return depth;
}

static void a_sheet_falls_onto_a_hull(void **state)
{
    (void)state;
    pli_world *world = contact_world();
    pli_mesh *points = scattered_points(0.15);
    pli_collider_def def = hull_def(points);
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(points);
    const pli_mesh *hull = pli_collider_mesh(world, collider);
    holds(hull && pli_mesh_get_report(hull)->closed, "the hull is closed");
    holds(pli_collider_vertices(world, collider).count == pli_mesh_topology(hull)->vertex_count,
          "vertices of the hull");
    pli_deformable sheet = drop_sheet(world, 15, 0.5, (vec){0, 0.2, 0});
    int32_t touching = 0;
    for (int32_t frame = 0; frame < 60; frame++) {
        step(world, 1.0 / 60.0);
        pli_statistics s;
        pli_world_get_statistics(world, &s);
        touching += s.surface_contact_count > 0;
        int32_t count = crossings(world);
        holds(count == 0 && s.failed_pair_count == 0, "frame %d: %d crossings", (int)frame, (int)count);
        for (int32_t v = 0; v < vertex_count_of(world, sheet); v++) {
            double depth = depth_in(hull, position_of(world, sheet, v));
            holds(depth < 0.0, "frame %d: vertex %d is %g deep", (int)frame, (int)v, depth);
        }
    }
    holds(touching > 20, "it touched in %d frames", (int)touching);
    pli_world_destroy(world);
}

static void refused(pli_world *world, const pli_collider_def *def, pli_status expected, const char *words)
{
    size_t size = pli_world_snapshot_size(world);
    pli_collider collider;
    pli_status status = pli_collider_create(world, def, &collider, &problem);
    holds(status == expected && strstr(problem.message, words), "status %d: %.200s", (int)status, problem.message);
    holds(collider.id == 0 && pli_world_collider_count(world) == 0, "nothing is left of it");
    holds(pli_world_snapshot_size(world) == size, "the world is as it was");
}

static void hulls_without_inside_are_refused(void **state)
{
    (void)state;
    pli_world *world = contact_world();
    pli_mesh *flat = mesh_grid(4, 4, 1.0, PLI_GRID_QUADS), *points = scattered_points(0.1);
    pli_collider_def def = hull_def(NULL);
    refused(world, &def, PLI_STATUS_INVALID_ARGUMENT, "is missing");
    def.mesh = flat;
    refused(world, &def, PLI_STATUS_INVALID_MESH, "in one plane");
    def.mesh = points;
    def.friction = -1.0f;
    refused(world, &def, PLI_STATUS_INVALID_ARGUMENT, "friction");
    def.friction = 0.0f;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    float still[3 * 40] = {0};
    pli_status status = pli_collider_set_vertices(world, collider, still, 40, &problem);
    holds(status == PLI_STATUS_UNSUPPORTED && strstr(problem.message, "a hull"), "%.200s", problem.message);
    pli_mesh_destroy(flat);
    pli_mesh_destroy(points);
    pli_world_destroy(world);
}

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

static pli_mesh *sphere_mesh(double radius)
{
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(2, (float)radius, &mesh, &problem));
    return mesh;
}

static int32_t vertices_below(const pli_world *world, pli_deformable sheet, double radius)
{
    int32_t count = 0;
    for (int32_t v = 0; v < vertex_count_of(world, sheet); v++) {
        vec p = position_of(world, sheet, v);
        count += dot(p, p) < radius * radius;
    }
    return count;
}

static double fastest(const pli_world *world, pli_deformable sheet)
{
    double most = 0.0;
    for (int32_t v = 0; v < vertex_count_of(world, sheet); v++) {
        vec u = velocity_of(world, sheet, v);
        most = fmax(most, sqrt(dot(u, u)));
    }
    return most;
}

typedef struct placement {
    const char *name;
    vec position;
    double size, gravity;
    int32_t side;
} placement;

// Starts inside of a ball of triangles, in part or whole; comes out at a bounded speed, and stays out.
static void what_starts_inside_comes_out(void **state)
{
    (void)state;
    static const placement cases[] = {
        {"wholly inside", {0.01, 0.11, 0.0}, 0.08, 0.0, 7},
        {"wholly inside, falling", {0.0, 0.12, 0.01}, 0.08, 9.81, 7},
        {"deep inside", {0.03, 0.05, 0.02}, 0.06, 9.81, 6},
        {"half inside", {0.0, 0.1, 0.0}, 0.3, 9.81, 16},
        {"in the middle", {0.0, 0.0, 0.0}, 0.1, 9.81, 9},
        {"a large one", {0.01, 0.07, 0.0}, 0.4, 9.81, 17},
        {"beside", {0.14, 0.02, 0.0}, 0.14, 9.81, 9},
    };
    for (int32_t i = 0; i < COUNT_OF(cases); i++)
        for (int32_t one_sided = 0; one_sided < 2; one_sided++) {
            const placement *c = &cases[i];
            pli_world_def def = pli_world_def_default();
            def.settings.gravity.y = (float)-c->gravity;
            def.thread_count = 1 + one_sided;
            pli_world *world = world_from(&def);
            add_mesh(world, sphere_mesh(0.15), one_sided != 0);
            pli_deformable sheet = drop_sheet(world, c->side, c->size, c->position);
            int32_t inside = vertices_below(world, sheet, 0.149), clean = 0;
            double speed = 0.0;
            holds(inside > 0, "%s: it starts inside", c->name);
            for (int32_t frame = 0; frame < 120 && clean < 10; frame++) {
                step(world, 1.0 / 60.0);
                speed = clean == 0 ? fmax(speed, fastest(world, sheet)) : speed;
                pli_statistics s;
                pli_world_get_statistics(world, &s);
                bool apart = crossings(world) == 0 && vertices_below(world, sheet, 0.148) == 0;
                holds(apart || clean == 0, "%s: apart, then not", c->name);
                holds(apart || s.intersection_count > 0, "%s: frame %d: not said to be inside", c->name, (int)frame);
                clean = apart ? clean + 1 : 0;
            }
            holds(clean == 10, "%s, one-sided %d: %d crossings, %d vertices inside", c->name, (int)one_sided,
                  (int)crossings(world), (int)vertices_below(world, sheet, 0.148));
            holds(speed < 3.0, "%s, one-sided %d: %g m/s", c->name, (int)one_sided, speed);
            pli_world_destroy(world);
        }
}

static void threads_agree_on_the_way_out(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int32_t threads = 1; threads <= 4; threads++) {
        pli_world_def def = pli_world_def_default();
        def.thread_count = threads;
        pli_world *world = world_from(&def);
        add_mesh(world, sphere_mesh(0.15), false);
        drop_sheet(world, 16, 0.3, (vec){0, 0.1, 0});
        for (int32_t frame = 0; frame < 12; frame++)
            step(world, 1.0 / 60.0);
        uint64_t hash = pli_world_hash(world);
        expected = threads == 1 ? hash : expected;
        holds(hash == expected, "%d threads", (int)threads);
        pli_world_destroy(world);
    }
}

// The same faces the other way round.
static pli_mesh *turned_inside_out(pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t *corners = malloc(sizeof *corners * 3 * (size_t)t->triangle_count);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        corners[i] = t->triangles[i - i % 3 + 2 - i % 3];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = t->positions, def.vertex_count = t->vertex_count;
    def.face_vertices = corners, def.face_count = t->triangle_count;
    pli_mesh *turned;
    must(pli_mesh_create(&def, &turned, &problem));
    pli_mesh_destroy(mesh);
    free(corners);
    return turned;
}

static void containers_keep_what_is_in_them(void **state)
{
    (void)state;
    for (int32_t one_sided = 0; one_sided < 2; one_sided++) {
        pli_world *world = contact_world();
        add_mesh(world, turned_inside_out(sphere_mesh(0.15)), one_sided != 0);
        pli_deformable sheet = drop_sheet(world, 8, 0.12, (vec){0.02, 0.05, 0.0});
        for (int32_t frame = 0; frame < 60; frame++) {
            step(world, 1.0 / 60.0);
            holds(crossings(world) == 0, "frame %d", (int)frame);
            holds(vertices_below(world, sheet, 0.15) == 64, "frame %d: one is out", (int)frame);
        }
        pli_world_destroy(world);
    }
}

// A sheet that is through an open one-sided sheet ends on the front of it.
static void one_sided_sheets_push_to_the_front(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    def.settings.gravity.y = 0.0f;
    pli_world *world = world_from(&def);
    add_mesh(world, mesh_grid(9, 9, 0.5, PLI_GRID_DIAGONAL), true);
    pli_deformable sheet = drop_sheet(world, 9, 0.2, (vec){0.003, 0.01, 0.002});
    for (int32_t v = 0; v < 81; v++) {
        vec p = position_of(world, sheet, v);
        float at[3] = {(float)p.x, (float)(p.y - 0.02 * exp(-300.0 * (p.x * p.x + p.z * p.z))), (float)p.z};
        must(pli_deformable_set_positions(world, sheet, v, 1, at, &problem));
    }
    int32_t before = crossings(world), after = before;
    for (int32_t frame = 0; frame < 200 && after > 0; frame++) {
        step(world, 1.0 / 60.0);
        after = crossings(world);
    }
    holds(before > 0 && after == 0, "%d crossings of %d", (int)after, (int)before);
    for (int32_t v = 0; v < 81; v++)
        holds(position_of(world, sheet, v).y > 0.0, "vertex %d is behind", (int)v);
    pli_world_destroy(world);
}

// A mesh whose mask is empty moves through the cloth, as the skin of a figure that is only drawn: it changes no bit of the cloth, and its
// vertices are where they were put. With a mask it touches the cloth.
static void what_no_layer_touches_is_only_moved(void **state)
{
    (void)state;
    pli_world *worlds[3];
    pli_deformable sheets[3];
    pli_collider skins[3] = {{0}};
    pli_mesh *skin = sphere_mesh(0.12);
    const int32_t count = pli_mesh_topology(skin)->vertex_count;
    for (int k = 0; k < 3; k++) {
        worlds[k] = contact_world();
        add_mesh(worlds[k], sphere_mesh(0.15), false);
        sheets[k] = drop_sheet(worlds[k], 15, 0.5, (vec){0, 0.2, 0});
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_MESH, def.mesh = skin;
        def.mask = k == 1 ? 0 : UINT32_MAX;
        def.pose.position = (pli_vec3){0.2f, 0.05f, 0.0f};
        if (k > 0)
            must(pli_collider_create(worlds[k], &def, &skins[k], &problem));
    }
    float *moved = malloc(3 * (size_t)count * sizeof *moved), *placed = malloc(3 * (size_t)count * sizeof *placed);
    for (int32_t frame = 0; frame < 40; frame++) {
        for (int32_t i = 0; i < 3 * count; i++)
            moved[i] = pli_mesh_topology(skin)->positions[i] + (i % 3 == 1 ? 0.005f * (float)frame : 0.0f);
        for (int k = 0; k < 3; k++) {
            if (k > 0)
                must(pli_collider_set_vertices(worlds[k], skins[k], moved, count, &problem));
            step(worlds[k], 1.0 / 60.0);
        }
        must(pli_collider_get_placed_vertices(worlds[1], skins[1], placed, count, &problem));
        for (int32_t i = 0; i < 3 * count; i++)
            near(placed[i],
                 (double)moved[i] + (i % 3 == 0   ? 0.2
                                     : i % 3 == 1 ? 0.05
                                                  : 0.0),
                 1e-6, "coordinate of the skin");
        for (int32_t v = 0; v < vertex_count_of(worlds[0], sheets[0]); v++) {
            const vec a = position_of(worlds[0], sheets[0], v), b = position_of(worlds[1], sheets[1], v);
            holds(memcmp(&a, &b, sizeof a) == 0, "frame %d: particle %d", (int)frame, (int)v);
        }
    }
    double most = 0.0;
    for (int32_t v = 0; v < vertex_count_of(worlds[0], sheets[0]); v++) {
        const vec apart = sub(position_of(worlds[0], sheets[0], v), position_of(worlds[2], sheets[2], v));
        most = fmax(most, sqrt(dot(apart, apart)));
    }
    holds(most > 0.02, "with a mask it moves the cloth by %g m", most);
    free(moved);
    free(placed);
    pli_mesh_destroy(skin);
    for (int k = 0; k < 3; k++)
        pli_world_destroy(worlds[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_sheet_falls_onto_a_hull),           property(hulls_without_inside_are_refused),
        property(what_starts_inside_comes_out),        property(threads_agree_on_the_way_out),
        property(containers_keep_what_is_in_them),     property(one_sided_sheets_push_to_the_front),
        property(what_no_layer_touches_is_only_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
