// Couples a rigid body engine to Pliant by hand. The engine is a few lines that stand for yours: cubes
// that fall on the ground. A curtain holds one cube by an attachment and stops another, which is thrown
// at it. The program says what happened, and fails if that is not what mechanics say.
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 20, HELD = 0, THROWN = 1, CUBES = 2, FRAMES = 600, LAST_FRAMES = 120 };
static const float gravity = -9.81f, drag = 1.0f, frame_time = 1.0f / 60.0f, top = 1.6f; // drag [1/s]

static pli_vec3 plus(pli_vec3 a, pli_vec3 b, float t)
{
    return (pli_vec3){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}
/* ---- the engine: velocities of cubes under gravity, and impulses at corners below y = 0 ---------- */

typedef struct cube {
    float mass, half; // [kg], [m]
    pli_transform pose;
    pli_vec3 velocity, spin;
    pli_rigid_body proxy; // What the coupling adds: the body in Pliant,
    pli_vec3 impulse;     // and the sum of what the curtain gave, for the figures [N s].
} cube;

static float inverse_inertia(const cube *c) { return 1.5f / (c->mass * c->half * c->half); }

static float impulse_for(const cube *c, pli_vec3 arm, pli_vec3 direction, float speed)
{
    pli_vec3 lever = pli_cross(arm, direction), now = plus(c->velocity, pli_cross(c->spin, arm), 1.0f);
    return (speed - pli_dot(now, direction)) / (1.0f / c->mass + inverse_inertia(c) * pli_dot(lever, lever));
}

static void give(cube *c, pli_vec3 arm, pli_vec3 direction, float impulse)
{
    c->velocity = plus(c->velocity, direction, impulse / c->mass);
    c->spin = plus(c->spin, pli_cross(arm, direction), impulse * inverse_inertia(c));
}

static void stop_corner(cube *c, int k, float step)
{
    const pli_vec3 up = {0, 1, 0}, along[2] = {{1, 0, 0}, {0, 0, 1}};
    pli_vec3 corner = {k & 1 ? c->half : -c->half, k & 2 ? c->half : -c->half, k & 4 ? c->half : -c->half};
    pli_vec3 arm = pli_rotate(c->pose.rotation, corner);
    float depth = -(c->pose.position.y + arm.y), rise = fminf(0.1f * fmaxf(depth - 0.001f, 0.0f) / step, 1.0f);
    float push = depth > 0.0f ? impulse_for(c, arm, up, rise) : 0.0f;
    if (!(push > 0.0f))
        return;
    give(c, arm, up, push);
    for (int i = 0; i < 2; i++) // Friction, coefficient 1/2.
        give(c, arm, along[i], fmaxf(-0.5f * push, fminf(impulse_for(c, arm, along[i], 0.0f), 0.5f * push)));
}

static void engine_solve(cube *cubes, float step)
{
    for (int i = 0; i < CUBES; i++) {
        cubes[i].velocity = plus(cubes[i].velocity, cubes[i].velocity, -drag * step);
        cubes[i].velocity.y += gravity * step;
        for (int sweep = 0; sweep < 10; sweep++)
            for (int corner = 0; corner < 8; corner++)
                stop_corner(&cubes[i], corner, step);
    }
}

/* ---- the coupling -------------------------------------------------------------------------------- */

static pli_error error;

static void must(pli_status status)
{
    if (status == PLI_STATUS_OK)
        return;
    fprintf(stderr, "couple_engine: %s\n", error.message);
    exit(2);
}

// At the start of every substep the engine learns where its bodies went and what the curtain did to
// them, solves for new velocities and says them. Pliant then moves the bodies.
static void couple(void *user, pli_world *world, float step)
{
    cube *cubes = user;
    for (cube *c = cubes; c < cubes + CUBES; c++) {
        pli_rigid_change change;
        pli_rigid_state now;
        must(pli_rigid_body_take_change(world, c->proxy, &change, &error));
        must(pli_rigid_body_get_state(world, c->proxy, &now, &error));
        c->pose = now.pose;
        c->velocity = plus(c->velocity, change.velocity, 1.0f);
        c->spin = plus(c->spin, change.angular_velocity, 1.0f);
        c->impulse = plus(c->impulse, change.impulse, 1.0f);
    }
    engine_solve(cubes, step);
    for (cube *c = cubes; c < cubes + CUBES; c++) {
        pli_rigid_state next = {.pose = c->pose, .velocity = c->velocity, .angular_velocity = c->spin};
        must(pli_rigid_body_set_state(world, c->proxy, &next, false, &error));
    }
}

static void add_proxy(pli_world *world, cube *c)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_collider_def box = pli_collider_def_default();
    pli_collider collider;
    def.state = (pli_rigid_state){.pose = c->pose, .velocity = c->velocity};
    def.inverse_mass = 1.0f / c->mass;
    for (int k = 0; k < 3; k++)
        def.inverse_inertia[k] = inverse_inertia(c);
    must(pli_rigid_body_create(world, &def, &c->proxy, &error));
    box.shape = PLI_SHAPE_BOX;
    box.half_extents = (pli_vec3){c->half, c->half, c->half};
    box.body = c->proxy;
    must(pli_collider_create(world, &box, &collider, &error));
}

// A square metre upright, whose first row of vertices is fixed and whose last row holds a cube.
static void hang_curtain(pli_world *world, pli_rigid_body held)
{
    pli_mesh *mesh;
    pli_deformable_def cloth_def = pli_deformable_def_default();
    pli_constraints_def threads = pli_constraints_def_default();
    pli_attachment_def tie = pli_attachment_def_default();
    pli_deformable cloth;
    pli_constraints set;
    pli_attachment attachment;
    const float fixed[ROWS] = {0.0f};
    const int32_t middle = ROWS * (ROWS - 1) + ROWS / 2, tied[4] = {middle - 2, middle - 1, middle, middle + 1};
    must(pli_mesh_create_grid(ROWS, ROWS, 1.0f, 1.0f, PLI_GRID_ALTERNATING, &mesh, &error));
    cloth_def.mesh = mesh, cloth_def.self_collision = true;
    cloth_def.pose = (pli_transform){{0, top - 0.5f, 0}, {sqrtf(0.5f), 0, 0, sqrtf(0.5f)}};
    must(pli_deformable_create(world, &cloth_def, &cloth, &error));
    pli_mesh_destroy(mesh); // The world keeps its own reference.
    threads.deformable = cloth, threads.type = "distance";
    must(pli_constraints_create(world, &threads, &set, &error));
    must(pli_deformable_set_inverse_masses(world, cloth, 0, ROWS, fixed, &error));
    tie.deformable = cloth;
    tie.particles = tied, tie.particle_count = 4, tie.body = held;
    must(pli_attachment_create(world, &tie, &attachment, &error));
}

static int expect(const char *what, double value, double least, double most)
{
    bool good = value >= least && value <= most;
    printf("%-58s %9.4f   (%g to %g)%s\n", what, value, least, most, good ? "" : "   WRONG");
    return good ? 0 : 1;
}

int main(void)
{
    const pli_quat upright = {0, 0, 0, 1};
    cube cubes[CUBES] = {
        {.mass = 0.3f, .half = 0.06f, .pose = {{0, top - 1.07f, 0}, upright}},
        {.mass = 0.5f, .half = 0.08f, .pose = {{0.1f, 1.1f, 0.9f}, upright}, .velocity = {0, 1, -3}},
    };
    pli_world_def def = pli_world_def_default();
    pli_world *world;
    must(pli_world_create(&def, &world, &error));
    for (int i = 0; i < CUBES; i++)
        add_proxy(world, &cubes[i]);
    hang_curtain(world, cubes[HELD].proxy);
    pli_world_set_substep_callback(world, couple, cubes);
    float held_before = 0.0f, farthest = 0.0f;
    for (int frame = 0; frame < FRAMES; frame++) {
        held_before = frame == FRAMES - LAST_FRAMES ? cubes[HELD].impulse.y : held_before;
        must(pli_world_step(world, frame_time, &error)); // A state that is not finite is an error.
        farthest = fminf(farthest, cubes[THROWN].pose.position.z);
    }
    const cube *held = &cubes[HELD], *thrown = &cubes[THROWN];
    double pull = (double)(held->impulse.y - held_before) / (double)(LAST_FRAMES * frame_time);
    double weight = -(double)(held->mass * gravity), momentum = (double)(3.0f * thrown->mass);
    int wrong = expect("pull of the curtain on the cube it holds, over its weight", pull / weight, 0.99, 1.01);
    wrong += expect("height of that cube; 0.53 if nothing stretched [m]", (double)held->pose.position.y, 0.47, 0.5301);
    wrong += expect("what the curtain took of the other's momentum", (double)thrown->impulse.z / momentum, 0.25, 1.5);
    wrong += expect("how far behind the curtain's place it came [m]", -(double)farthest, 0.0, 0.9);
    wrong += expect("height at which it lies on the ground [m]", (double)thrown->pose.position.y, 0.077, 0.081);
    pli_world_destroy(world);
    return wrong > 0;
}
