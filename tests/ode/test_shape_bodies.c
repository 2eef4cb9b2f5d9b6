// Every row of the table of shapes as a rigid body: what it weighs, and that it lies on the ground and on others. A new
// shape is tested here without an edit.
#include "ode_world.h"

#include <pliant/math.h>

// A closed mesh for the shapes that take one.
static pli_mesh *ball;

static int make_ball(void **state)
{
    (void)state;
    return pli_mesh_create_sphere(1, 0.3f, &ball, NULL);
}

static int destroy_ball(void **state)
{
    (void)state;
    pli_mesh_destroy(ball);
    return 0;
}

static pli_collider_def sample(const pli_shape_info *info)
{
    pli_collider_def def = shape_of(info->shape, 0.3f);
    def.top_radius = 0.2f;
    def.half_height = 0.4f;
    def.half_extents = (pli_vec3){0.3f, 0.2f, 0.25f};
    def.mesh = info->takes_mesh ? ball : NULL;
    return def;
}

static void bodies_weigh_what_their_shape_does(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        pli_collider_def shape = sample(info);
        pli_ode_body_def def = body_of(&shape, 0.0f, at(0, 0, 0));
        def.density = 500.0f;
        pli_rigid_body body;
        pli_status status = pli_ode_body_create(s.ode, &def, &body, &problem);
        assert_int_equal(status, info->solid ? PLI_STATUS_OK : PLI_STATUS_INVALID_ARGUMENT);
        if (!info->solid) {
            assert_non_null(strstr(problem.message, info->name));
            continue;
        }
        pli_mass_properties expected;
        pli_ode_mass found;
        must(pli_shape_mass(&shape, 500.0, &expected, &problem));
        must(pli_ode_body_get_mass(s.ode, body, &found, &problem));
        assert_close(found.mass / expected.mass, 1.0, 1e-9);
        for (int k = 0; k < 3; k++)
            assert_close(found.centre[k], expected.centre[k], 1e-9);
        for (int k = 0; k < 6; k++)
            assert_close(found.inertia[k], expected.inertia[k], 1e-9 * expected.inertia[0]);
        must(pli_ode_body_destroy(s.ode, body, &problem));
    }
    pli_world_destroy(s.world);
}

// Contacts of two hulls are looked for among all pairs of their edges: a scene cannot ask for more than bodies can meet in time.
static void fine_hulls_are_refused(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_rigid_body body;
    for (int32_t subdivisions = 4; subdivisions <= 5; subdivisions++) { // 2562 and 10242 vertices.
        pli_mesh *fine;
        must(pli_mesh_create_sphere(subdivisions, 0.3f, &fine, NULL));
        pli_collider_def shape = shape_of(PLI_SHAPE_HULL, 0.3f);
        shape.mesh = fine;
        pli_ode_body_def def = body_of(&shape, 0.0f, at(0, 0, 0));
        def.density = 500.0f;
        pli_status status = pli_ode_body_create(s.ode, &def, &body, &problem);
        assert_int_equal(status, subdivisions == 4 ? PLI_STATUS_OK : PLI_STATUS_INVALID_ARGUMENT);
        if (status != PLI_STATUS_OK)
            assert_non_null(strstr(problem.message, "at most 4096 corners, and this one has 10242"));
        pli_mesh_destroy(fine);
    }
    pli_world_destroy(s.world);
}

// The lowest point of a body's shape where it is now.
static double lowest(stage s, pli_rigid_body body, const pli_collider_def *shape)
{
    pli_rigid_state now;
    pli_vec3 low, high;
    must(pli_rigid_body_get_state(s.world, body, &now, &problem));
    assert_true(pli_shape_bounds(shape, now.pose, &low, &high));
    return (double)low.y;
}

static double speed(stage s, pli_rigid_body body)
{
    pli_rigid_state now;
    must(pli_rigid_body_get_state(s.world, body, &now, &problem));
    pli_vec3 v = now.velocity;
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

static void add_obstacle(stage s, const pli_collider_def *def)
{
    pli_collider collider;
    must(pli_collider_create(s.world, def, &collider, &problem));
    must(pli_ode_collider_add(s.ode, collider, &problem));
}

static void every_solid_lies_on_the_ground(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        if (!info->solid)
            continue;
        stage s = make_stage(true, 1);
        pli_collider_def shape = sample(info), ground = shape_of(PLI_SHAPE_PLANE, 1.0f);
        shape.friction = ground.friction = 1.0f;
        add_obstacle(s, &ground);
        pli_ode_body_def def = body_of(&shape, 1.0f, turned(at(0, 1.0f, 0), (pli_vec3){1, 0, 0}, 0.3));
        pli_rigid_body body;
        must(pli_ode_body_create(s.ode, &def, &body, &problem));
        for (int32_t frame = 0; frame < 150; frame++)
            must(pli_world_step(s.world, 1.0f / 60.0f, &problem));
        // Round shapes stand on their triangles, which lie within them, and roll on.
        double low = lowest(s, body, &shape);
        if (!(low > -0.015 && low < 0.005) || !(speed(s, body) < 0.5))
            fail_msg("%s: lies at %g with %g m/s", info->name, low, speed(s, body));
        pli_world_destroy(s.world);
    }
}

// How deep the corners of one shape's triangles are in another; 0 where the other has no distance, or the one no triangles.
static double depth_in(const pli_collider_def *shape, pli_transform pose, const pli_collider_def *other,
                       pli_transform other_pose)
{
    pli_mesh *mesh;
    double deepest = 0.0;
    if (pli_shape_tessellate(shape, 16, NULL, &mesh, NULL) != PLI_STATUS_OK)
        return 0.0;
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_quat q = other_pose.rotation, back = {-q.x, -q.y, -q.z, q.w};
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const float *p = t->positions + 3 * v;
        pli_vec3 at_rest = {p[0], p[1], p[2]}, here = pli_rotate(pose.rotation, at_rest), gradient;
        float distance;
        here = (pli_vec3){here.x + pose.position.x - other_pose.position.x,
                          here.y + pose.position.y - other_pose.position.y,
                          here.z + pose.position.z - other_pose.position.z};
        if (pli_shape_distance(other, pli_rotate(back, here), &distance, &gradient))
            deepest = fmax(deepest, -(double)distance);
    }
    pli_mesh_destroy(mesh);
    return deepest;
}

// One falls onto another that is fixed, of every pair of shapes: it gets there, and neither is ever in the other.
static void every_solid_meets_every_convex_shape(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count() * pli_shape_count(); i++) {
        const pli_shape_info *upper = pli_shape_at(i / pli_shape_count()), *under = pli_shape_at(i % pli_shape_count());
        if (!upper->solid || !under->convex)
            continue;
        stage s = make_stage(true, 1);
        pli_collider_def shape = sample(upper), obstacle = sample(under);
        add_obstacle(s, &obstacle);
        pli_ode_body_def def = body_of(&shape, 1.0f, at(0.01f, 1.4f, 0.005f));
        pli_rigid_body body;
        must(pli_ode_body_create(s.ode, &def, &body, &problem));
        double top = 0.0, least = 10.0, deepest = 0.0;
        pli_vec3 point;
        if (pli_shape_support(&obstacle, (pli_vec3){0, 1, 0}, &point))
            top = (double)point.y;
        for (int32_t frame = 0; frame < 45; frame++) {
            pli_rigid_state now;
            must(pli_world_step(s.world, 1.0f / 60.0f, &problem));
            must(pli_rigid_body_get_state(s.world, body, &now, &problem));
            least = fmin(least, lowest(s, body, &shape));
            deepest = fmax(deepest, depth_in(&shape, now.pose, &obstacle, obstacle.pose));
            deepest = fmax(deepest, depth_in(&obstacle, obstacle.pose, &shape, now.pose));
        }
        if (!(deepest < 0.03) || !(least < top + 0.03))
            fail_msg("a %s on a %s: %g deep, its foot came to %g, the top is at %g", upper->name, under->name, deepest,
                     least, top);
        pli_world_destroy(s.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_weigh_what_their_shape_does),
        cmocka_unit_test(fine_hulls_are_refused),
        cmocka_unit_test(every_solid_lies_on_the_ground),
        cmocka_unit_test(every_solid_meets_every_convex_shape),
    };
    return cmocka_run_group_tests(tests, make_ball, destroy_ball);
}
