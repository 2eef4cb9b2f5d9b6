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
    holds(hull && pli_mesh_report_get(hull)->closed, "the hull is closed");
    holds(pli_collider_vertices(world, collider).count == pli_mesh_topology(hull)->vertex_count,
          "vertices of the hull");
    pli_deformable sheet = drop_sheet(world, 15, 0.5, (vec){0, 0.2, 0});
    int32_t touching = 0;
    for (int32_t frame = 0; frame < 60; frame++) {
        step(world, 1.0 / 60.0);
        pli_statistics s;
        pli_world_statistics(world, &s);
        touching += s.surface_contact_count > 0;
        int32_t count = crossings(world);
        holds(count == 0 && s.breach_count == 0, "frame %d: %d crossings", (int)frame, (int)count);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_sheet_falls_onto_a_hull),
        property(hulls_without_inside_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
