// Colliders against closed forms: depth, side, continuous entry, friction on an incline, rebound,
// and colliders that move.
#include "samples.h"
#include "shapes.h"
#include "worlds.h"

static const double thickness = 0.01;

// A world with one free particle (index 0) and one collider.
typedef struct ground {
    pli_world *world;
    pli_deformable body;
    pli_collider collider;
} ground;

static pli_deformable lone_particle(pli_world *world, vec start, vec velocity)
{
    // The triangle is small at rest, so that no shape is narrow beside it, and far away but for the particle.
    const double points[3][3] = {{0, 0, 0}, {0.001, 0, 0}, {0.001, 0, 0.0005}};
    const float places[9] = {(float)start.x, (float)start.y, (float)start.z, 1000, 1000, 1000, 1001, 1000, 1000.5f};
    pli_mesh *mesh = mesh_of_points(points, 3);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.positions = places;
    def.thickness = (float)thickness;
    pli_deformable body;
    must(pli_deformable_create(world, &def, &body, &problem));
    pli_mesh_destroy(mesh);
    const float w[3] = {1.0f, 0.0f, 0.0f}, v[3] = {(float)velocity.x, (float)velocity.y, (float)velocity.z};
    weigh(world, body, w, 3);
    must(pli_deformable_set_velocities(world, body, 0, 1, v, &problem));
    return body;
}

static pli_collider_def shape_def(pli_shape shape)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape;
    def.radius = 0.3f;
    def.half_height = 0.4f;
    def.half_extents = (pli_vec3){0.3f, 0.2f, 0.5f};
    return def;
}

static ground ground_make(const pli_collider_def *def, vec start, vec velocity, double gravity, int32_t substeps)
{
    ground g;
    pli_world_def world_def = plain_world_def(PLI_METHOD_XPBD);
    world_def.settings.substeps = substeps;
    world_def.settings.gravity = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    g.world = world_from(&world_def);
    g.body = lone_particle(g.world, start, velocity);
    must(pli_collider_create(g.world, def, &g.collider, &problem));
    return g;
}

// Into the frame of a collider at `shift`, turned about `axis`.
static vec into_frame(vec p, vec shift, vec axis, double angle) { return turned(sub(p, shift), axis, -angle); }

static void particles_are_pushed_to_the_nearest_surface(void **state)
{
    (void)state;
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        for (int32_t i = 0; i < 60; i++) {
            pli_collider_def def = shape_def((pli_shape)shape);
            vec shift = random_vec(2.0), axis = unit(random_vec(1.0)), local = random_vec(0.7);
            double angle = uniform(0.0, 3.0), depth = signed_distance(&def, local);
            if (depth < -0.05)
                continue; // deep inside, two faces may be equally near
            def.thickness = i % 2 == 0 ? 0.0f : 0.02f;
            double kept = thickness + (double)def.thickness;
            def.pose = (pli_transform){to_vec3(shift), quat_about(axis, angle)};
            vec start = add(turned(local, axis, angle), shift);
            ground g = ground_make(&def, start, (vec){0, 0, 0}, 0.0, 1);
            step(g.world, 1.0 / 60.0);
            vec end = position_of(g.world, g.body, 0);
            double after = signed_distance(&def, into_frame(end, shift, axis, angle));
            // 60 distances a second are one in this step.
            double way = fmin(kept, fmax(0.0, kept - depth));
            near(after, depth + way, 2e-5, "%s %d: distance after %g", pli_choice_name("shape", (int32_t)def.shape), i,
                 depth);
            near(distance(start, end), way, 2e-5, "%s %d: shortest way", pli_choice_name("shape", (int32_t)def.shape),
                 i);
            pli_statistics found;
            pli_world_get_statistics(g.world, &found);
            // Particles that end within half the distance kept have a contact too.
            if (depth < kept - 1e-4 || depth > 1.5 * kept + 1e-4)
                near(found.contact_count, depth < kept, 0.0, "%s %d: contacts at %g",
                     pli_choice_name("shape", (int32_t)def.shape), i, depth);
            pli_world_destroy(g.world);
        }
    }
}

// Shot through thin and small things in one substep: the particle must stay on its side.
static void fast_particles_do_not_tunnel(void **state)
{
    (void)state;
    int32_t tunnelled[PLI_SHAPE_HULL] = {0};
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        for (int32_t i = 0; i < 40; i++) {
            pli_collider_def def = shape_def((pli_shape)shape);
            def.radius = 0.02f;
            def.half_height = 0.1f;
            def.half_extents = (pli_vec3){0.5f, 0.003f, 0.5f};
            vec axis = unit(random_vec(1.0)), shift = random_vec(1.0);
            double angle = uniform(0.0, 3.0), speed = uniform(10.0, 200.0);
            def.pose = (pli_transform){to_vec3(shift), quat_about(axis, angle)};
            // Straight down at it in its frame, a little off its middle.
            vec from = {uniform(-0.008, 0.008), uniform(0.05, 0.3) + 0.1 * (shape == PLI_SHAPE_CAPSULE), 0.0};
            vec down = turned((vec){0.0, -speed, 0.0}, axis, angle);
            ground g = ground_make(&def, add(turned(from, axis, angle), shift), down, 0.0, 1);
            for (int32_t k = 0; k < 3; k++) {
                step(g.world, 1.0 / 60.0);
                vec end = into_frame(position_of(g.world, g.body, 0), shift, axis, angle);
                tunnelled[shape] += end.y < 0.0 || signed_distance(&def, end) < thickness - 1e-3;
            }
            pli_world_destroy(g.world);
        }
        near(tunnelled[shape], 0, 0.0, "%s: frames beyond or inside", pli_choice_name("shape", shape));
    }
}

static ground incline(double mu, double slope, int32_t substeps)
{
    pli_collider_def def = shape_def(PLI_SHAPE_PLANE);
    def.friction = (float)mu;
    def.pose.rotation = quat_about((vec){0, 0, 1}, slope);
    vec start = turned((vec){0.0, thickness, 0.0}, (vec){0, 0, 1}, slope);
    return ground_make(&def, start, (vec){0, 0, 0}, 9.81, substeps);
}

// Coulomb: rest below tan a = mu, g (sin a - mu cos a) above.
static void friction_holds_and_lets_go(void **state)
{
    (void)state;
    const double mus[] = {0.2, 0.5, 1.0};
    const int32_t substeps[] = {1, 10};
    for (int32_t i = 0; i < COUNT_OF(mus); i++) {
        for (int32_t s = 0; s < 2; s++) {
            double slope = atan(0.97 * mus[i]);
            ground g = incline(mus[i], slope, substeps[s]);
            for (int32_t k = 0; k < 600; k++)
                step(g.world, 1.0 / 60.0);
            vec start = turned((vec){0.0, thickness, 0.0}, (vec){0, 0, 1}, slope);
            near(distance(position_of(g.world, g.body, 0), start), 0.0, 1e-3, "mu %g, %d substeps: creep in 10 s",
                 mus[i], substeps[s]);
            pli_world_destroy(g.world);
            for (int32_t factor = 0; factor < 2; factor++) {
                slope = atan((factor ? 2.0 : 1.2) * mus[i]);
                g = incline(mus[i], slope, substeps[s]);
                double acceleration = 9.81 * (sin(slope) - mus[i] * cos(slope));
                start = turned((vec){0.0, thickness, 0.0}, (vec){0, 0, 1}, slope);
                for (int32_t k = 0; k < 60; k++)
                    step(g.world, 1.0 / 60.0);
                double first = length(velocity_of(g.world, g.body, 0));
                for (int32_t k = 0; k < 60; k++)
                    step(g.world, 1.0 / 60.0);
                double second = length(velocity_of(g.world, g.body, 0));
                near(second - first, acceleration, 0.03 * acceleration, "mu %g, slope %g mu, %d substeps: acceleration",
                     mus[i], factor ? 2.0 : 1.2, substeps[s]);
                near(distance(position_of(g.world, g.body, 0), start), 2.0 * acceleration, 0.05 * 2.0 * acceleration,
                     "mu %g, slope %g mu, %d substeps: way in 2 s", mus[i], factor ? 2.0 : 1.2, substeps[s]);
                vec end = turned(position_of(g.world, g.body, 0), (vec){0, 0, 1}, -slope);
                near(end.y, thickness, 1e-3, "height over the incline");
                pli_world_destroy(g.world);
            }
        }
    }
}

static void rebounds_keep_the_square_of_restitution(void **state)
{
    (void)state;
    const double restitutions[] = {0.0, 0.3, 0.6, 0.9};
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        for (int32_t i = 0; i < COUNT_OF(restitutions); i++) {
            pli_collider_def def = shape_def((pli_shape)shape);
            def.restitution = (float)restitutions[i];
            double top = shape == PLI_SHAPE_PLANE     ? 0.0
                         : shape == PLI_SHAPE_SPHERE  ? 0.3
                         : shape == PLI_SHAPE_CAPSULE ? 0.7
                                                      : 0.2;
            double floor = top + thickness, drop = 1.0, highest = 0.0;
            ground g = ground_make(&def, (vec){0.0, floor + drop, 0.0}, (vec){0, 0, 0}, 9.81, 20);
            bool bounced = false;
            for (int32_t k = 0; k < 90; k++) {
                step(g.world, 1.0 / 60.0);
                bounced = bounced || velocity_of(g.world, g.body, 0).y > 0.0;
                if (bounced && velocity_of(g.world, g.body, 0).y < 0.0 && highest > 0.05)
                    break;
                if (bounced || restitutions[i] == 0.0)
                    highest = fmax(highest, position_of(g.world, g.body, 0).y - floor);
                if (restitutions[i] == 0.0 && k < 30)
                    highest = 0.0;
            }
            double expected = restitutions[i] * restitutions[i] * drop;
            near(highest, expected, 0.02 * drop, "%s, restitution %g: rebound", pli_choice_name("shape", shape),
                 restitutions[i]);
            pli_world_destroy(g.world);
        }
    }
}

// A box that carries a particle sideways by friction, and one that lifts it.
static void moving_colliders_carry(void **state)
{
    (void)state;
    pli_collider_def def = shape_def(PLI_SHAPE_BOX);
    def.friction = 1.0f;
    def.half_extents = (pli_vec3){2.0f, 0.2f, 2.0f};
    ground g = ground_make(&def, (vec){0.0, 0.2 + thickness, 0.0}, (vec){0, 0, 0}, 9.81, 10);
    pli_transform pose = pli_transform_identity();
    for (int32_t k = 0; k < 10; k++)
        step(g.world, 1.0 / 60.0);
    for (int32_t k = 0; k < 60; k++) {
        pose.position.x += 0.5f / 60.0f;
        must(pli_collider_set_pose(g.world, g.collider, pose, &problem));
        step(g.world, 1.0 / 60.0);
    }
    // Slipping until it is as fast takes v^2 / (2 mu g) = 13 mm.
    near(position_of(g.world, g.body, 0).x, 0.5, 0.02, "carried sideways");
    near(velocity_of(g.world, g.body, 0).x, 0.5, 0.01, "as fast as the box");
    for (int32_t k = 0; k < 60; k++) {
        pose.position.y += 0.5f / 60.0f;
        must(pli_collider_set_pose(g.world, g.collider, pose, &problem));
        step(g.world, 1.0 / 60.0);
        near(position_of(g.world, g.body, 0).y, (double)pose.position.y + 0.2 + thickness, 2e-3, "lifted, frame %d", k);
    }
    pli_transform told;
    must(pli_collider_pose(g.world, g.collider, &told, &problem));
    near((double)told.position.y, (double)pose.position.y, 1e-6, "pose told");
    must(pli_collider_destroy(g.world, g.collider, &problem));
    double before = position_of(g.world, g.body, 0).y;
    for (int32_t k = 0; k < 30; k++)
        step(g.world, 1.0 / 60.0);
    holds(position_of(g.world, g.body, 0).y < before - 0.5, "it falls when the box is gone: %g from %g",
          position_of(g.world, g.body, 0).y, before);
    pli_world_destroy(g.world);
}

// Thin boxes and small spheres that sweep over a resting particle in one step push it ahead.
static void fast_colliders_do_not_pass_through(void **state)
{
    (void)state;
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        pli_collider_def def = shape_def((pli_shape)shape);
        def.half_extents = (pli_vec3){0.5f, 0.01f, 0.5f};
        def.radius = 0.05f;
        def.half_height = 0.05f;
        ground g = ground_make(&def, (vec){0.0, 0.2, 0.0}, (vec){0, 0, 0}, 0.0, 1);
        pli_transform pose = pli_transform_identity();
        pose.position.y = 1.0f;
        must(pli_collider_set_pose(g.world, g.collider, pose, &problem));
        step(g.world, 1.0 / 60.0);
        vec end = position_of(g.world, g.body, 0);
        holds(end.y > 1.0, "%s: the particle ended at %g, the collider at 1", pli_choice_name("shape", shape), end.y);
        holds(signed_distance(&def, (vec){end.x, end.y - 1.0, end.z}) > thickness - 1e-3, "%s: outside",
              pli_choice_name("shape", (int32_t)def.shape));
        pli_world_destroy(g.world);
    }
}

// A turning disc (a box about y) carries what lies on it round with it.
static void turning_colliders_carry_round(void **state)
{
    (void)state;
    pli_collider_def def = shape_def(PLI_SHAPE_BOX);
    def.friction = 2.0f;
    def.half_extents = (pli_vec3){1.0f, 0.1f, 1.0f};
    ground g = ground_make(&def, (vec){0.5, 0.1 + thickness, 0.0}, (vec){0, 0, 0}, 9.81, 10);
    double omega = 1.0;
    for (int32_t k = 1; k <= 60; k++) {
        pli_transform pose = {{0, 0, 0}, quat_about((vec){0, 1, 0}, omega * k / 60.0)};
        must(pli_collider_set_pose(g.world, g.collider, pose, &problem));
        step(g.world, 1.0 / 60.0);
    }
    vec expected = turned((vec){0.5, 0.1 + thickness, 0.0}, (vec){0, 1, 0}, omega);
    near(distance(position_of(g.world, g.body, 0), expected), 0.0, 0.02, "carried round by 1 rad");
    near(length(velocity_of(g.world, g.body, 0)), 0.5 * omega, 0.02, "speed at radius 0.5");
    pli_world_destroy(g.world);
}

static void cloth_lies_outside_of_everything(void **state)
{
    (void)state;
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        pli_world_def world_def = pli_world_def_default();
        pli_world *world = world_from(&world_def);
        pli_mesh *mesh = mesh_grid(16, 16, 1.0, PLI_GRID_DIAGONAL);
        pli_deformable_def body_def = pli_deformable_def_default();
        body_def.mesh = mesh;
        body_def.thickness = (float)thickness;
        body_def.pose.position = (pli_vec3){0.0f, 1.0f, 0.0f};
        pli_deformable body;
        must(pli_deformable_create(world, &body_def, &body, &problem));
        constrain(world, body, "distance", NULL);
        constrain(world, body, "isometric", NULL);
        pli_collider_def def = shape_def((pli_shape)shape);
        pli_collider collider;
        must(pli_collider_create(world, &def, &collider, &problem));
        double nearest = INFINITY;
        for (int32_t k = 0; k < 90; k++) {
            step(world, 1.0 / 60.0);
            for (int32_t i = 0; i < 256; i++)
                nearest = fmin(nearest, signed_distance(&def, position_of(world, body, i)));
        }
        near(nearest, thickness, 2e-3, "%s: least distance in 1.5 s", pli_choice_name("shape", shape));
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

static void wrong_colliders_are_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    for (int32_t i = 0; i < 11; i++) {
        pli_collider_def def = shape_def(i < 3 ? PLI_SHAPE_SPHERE : i < 5 ? PLI_SHAPE_CAPSULE : PLI_SHAPE_BOX);
        switch (i) {
        case 0:
            def.radius = 0.0f;
            break;
        case 1:
            def.radius = -1.0f;
            break;
        case 2:
            def.radius = NAN;
            break;
        case 3:
            def.half_height = -0.1f;
            break;
        case 4:
            def.radius = INFINITY;
            break;
        case 5:
            def.half_extents.y = 0.0f;
            break;
        case 6:
            def.friction = -0.1f;
            break;
        case 7:
            def.restitution = 1.5f;
            break;
        case 8:
            def.pose.position.x = NAN;
            break;
        case 9:
            def.pose.rotation = (pli_quat){0, 0, 0, 0};
            break;
        default:
            def.shape = PLI_SHAPE_COUNT;
            break;
        }
        pli_collider collider;
        holds(pli_collider_create(world, &def, &collider, &problem) == PLI_STATUS_INVALID_ARGUMENT, "definition %d", i);
        near(pli_world_collider_count(world), 0, 0.0, "colliders after definition %d", i);
    }
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(particles_are_pushed_to_the_nearest_surface),
        property(fast_particles_do_not_tunnel),
        property(friction_holds_and_lets_go),
        property(rebounds_keep_the_square_of_restitution),
        property(moving_colliders_carry),
        property(fast_colliders_do_not_pass_through),
        property(turning_colliders_carry_round),
        property(cloth_lies_outside_of_everything),
        property(wrong_colliders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
