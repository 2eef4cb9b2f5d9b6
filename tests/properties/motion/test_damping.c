// Damping takes what is not free motion (pli_settings.damping): all of what the world holds, beside the motion of its pins,
// and all but the rigid motion of what is free. Against closed forms.
#include "worlds.h"

enum { FPS = 60 };

static const double rate = 2.0;

static pli_world *damped_world(double gravity, int32_t substeps)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0.0f, -(float)gravity, 0.0f};
    def.settings.damping = (float)rate;
    def.settings.substeps = substeps;
    return world_from(&def);
}

static pli_deformable grid(pli_world *world, int32_t columns, int32_t rows, double width, double depth)
{
    pli_mesh *mesh;
    must(pli_mesh_create_grid(columns, rows, (float)width, (float)depth, PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable cloth = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    constrain(world, cloth, "distance", NULL);
    constrain(world, cloth, "isometric", NULL);
    return cloth;
}

// Pins the vertices at the end z = -depth / 2, of which there are `count` first ones.
static void pin(pli_world *world, pli_deformable cloth, int32_t count)
{
    const float zero[8] = {0.0f};
    must(pli_deformable_set_inverse_masses(world, cloth, 0, count, zero, &problem));
}

static void set_velocities(pli_world *world, pli_deformable cloth, vec centre, vec velocity, vec spin)
{
    float values[3 * 64];
    int32_t count = vertex_count_of(world, cloth);
    for (int32_t i = 0; i < count; i++) {
        vec v = add(velocity, cross(spin, sub(position_of(world, cloth, i), centre)));
        values[3 * i] = (float)v.x, values[3 * i + 1] = (float)v.y, values[3 * i + 2] = (float)v.z;
    }
    must(pli_deformable_set_velocities(world, cloth, 0, count, values, &problem));
}

static double energy_of(const pli_world *world)
{
    pli_statistics s;
    pli_world_get_statistics(world, &s);
    return s.kinetic_energy;
}

// Cloth that turns about its pins without other forces goes as exp(-rate t): about two pins, and about one.
static void rotation_about_pins_dies_away(void **state)
{
    (void)state;
    for (int32_t pins = 1; pins <= 2; pins++)
        for (int32_t substeps = 10; substeps <= 40; substeps *= 4) {
            pli_world *world = damped_world(0.0, substeps);
            pli_deformable strip = grid(world, 2, 6, 0.1, 0.5);
            pin(world, strip, pins);
            vec at = position_of(world, strip, 0);
            set_velocities(world, strip, at, (vec){0, 0, 0}, (vec){0.05, 0, 0});
            double before = energy_of(world);
            for (int32_t frame = 0; frame < FPS; frame++)
                step(world, 1.0 / FPS);
            near(energy_of(world) / before, exp(-2.0 * rate), 0.03 * exp(-2.0 * rate), "energy, %d pins, %d substeps",
                 (int)pins, (int)substeps);
            pli_world_destroy(world);
        }
}

// A plate on a hinge: theta'' + rate theta' + w^2 theta = 0 with w^2 = 3 g / (2 L), as long as masses are those of a rod.
static double hinge_energy(double t, double w)
{
    double down = 0.5 * rate, turn = sqrt(w * w - down * down);
    double angle = exp(-down * t) * (cos(turn * t) + down / turn * sin(turn * t));
    double speed = -exp(-down * t) * w * w / turn * sin(turn * t);
    return speed * speed / (w * w) + angle * angle; // Over that of the start.
}

// The masses of the vertices at both rows of a hanging flap, which are lumped, give its frequency.
static double flap_frequency(const pli_world *world, pli_deformable flap, double gravity)
{
    double first = 0.0, second = 0.0;
    vec hinge = position_of(world, flap, 0);
    for (int32_t i = 2; i < vertex_count_of(world, flap); i++) {
        double mass = mass_of(world, flap, i), arm = hinge.y - position_of(world, flap, i).y;
        first += mass * arm;
        second += mass * arm * arm;
    }
    return sqrt(gravity * first / second);
}

static void hang(pli_world *world, pli_deformable flap, double angle)
{
    float values[3 * 64];
    vec hinge = position_of(world, flap, 0);
    int32_t count = vertex_count_of(world, flap);
    for (int32_t i = 0; i < count; i++) {
        vec p = position_of(world, flap, i);
        double along = i < 2 ? 0.0 : 0.3;
        values[3 * i] = (float)p.x;
        values[3 * i + 1] = (float)(hinge.y - along * cos(angle));
        values[3 * i + 2] = (float)(hinge.z + along * sin(angle));
    }
    must(pli_deformable_set_positions(world, flap, 0, count, values, &problem));
}

static void a_clamped_strip_swings_as_a_damped_pendulum(void **state)
{
    (void)state;
    const double gravity = 9.81, start = 0.05;
    pli_world *world = damped_world(gravity, 40);
    pli_deformable flap = grid(world, 2, 2, 0.2, 0.3);
    pin(world, flap, 2);
    hang(world, flap, 0.0);
    const double w = flap_frequency(world, flap, gravity);
    hang(world, flap, start);
    vec hinge = position_of(world, flap, 0);
    for (int32_t frame = 1; frame <= 3 * FPS; frame++) {
        step(world, 1.0 / FPS);
        vec p = position_of(world, flap, 2), v = velocity_of(world, flap, 2);
        double angle = atan2(p.z - hinge.z, hinge.y - p.y), speed = length(v) / distance(p, hinge);
        double energy = (angle * angle + speed * speed / (w * w)) / (start * start);
        near(energy, hinge_energy((double)frame / FPS, w), 0.02, "energy in frame %d", (int)frame);
    }
    pli_world_destroy(world);
}

// A long strip clamped at its end comes to rest.
static void a_clamped_strip_comes_to_rest(void **state)
{
    (void)state;
    pli_world *world = damped_world(9.81, 10);
    pli_deformable strip = grid(world, 2, 20, 0.05, 0.6);
    pin(world, strip, 2);
    for (int32_t frame = 0; frame < 10 * FPS; frame++)
        step(world, 1.0 / FPS);
    holds(energy_of(world) < 1e-6, "%g J are left after 10 s", energy_of(world));
    pli_world_destroy(world);
}

// Where the pins move, they carry what they hold: a carrier that moves and turns steadily meets no drag.
static void pins_that_move_carry_their_cloth(void **state)
{
    (void)state;
    for (int32_t fixed = 0; fixed < 2; fixed++) {
        pli_world *world = damped_world(0.0, 10);
        pli_deformable cloth = grid(world, 4, 4, 0.3, 0.3);
        const int32_t pins[4] = {0, 3, 12, 15};
        pli_attachment_def def = pli_attachment_def_default();
        pli_attachment carrier;
        def.deformable = cloth, def.particles = pins, def.particle_count = 4, def.fixed = fixed != 0;
        must(pli_attachment_create(world, &def, &carrier, &problem));
        set_velocities(world, cloth, (vec){0, 0, 0}, (vec){1.5, 0, 0}, (vec){0, 0, 0});
        double worst = 0.0;
        for (int32_t frame = 1; frame <= FPS; frame++) {
            pli_transform pose = {{1.5f * (float)frame / FPS, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
            must(pli_attachment_set_pose(world, carrier, pose, &problem));
            step(world, 1.0 / FPS);
            for (int32_t i = 0; i < 16; i++)
                worst = fmax(worst, length(sub(velocity_of(world, cloth, i), (vec){1.5, 0, 0})));
        }
        holds(worst < 0.01, "%s: cloth is %g m/s slower than its carrier", fixed ? "fixed" : "soft", worst);
        pli_world_destroy(world);
    }
}

// Free cloth keeps its momenta; so does cloth with a body that it is attached to.
static void what_is_free_keeps_its_motion(void **state)
{
    (void)state;
    pli_world *world = damped_world(0.0, 10);
    pli_deformable cloth = grid(world, 5, 5, 0.3, 0.3);
    set_velocities(world, cloth, (vec){0, 0, 0}, (vec){0.3, 0.2, -0.1}, (vec){0, 0.2, 0});
    double before = energy_of(world);
    for (int32_t frame = 0; frame < FPS; frame++)
        step(world, 1.0 / FPS);
    near(energy_of(world) / before, 1.0, 1e-3, "energy");
    pli_world_destroy(world);
}

// Two panels of one deformable: the pinned one comes to rest, the other falls as if there were no damping.
static void each_piece_by_itself(void **state)
{
    (void)state;
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 4, 0, 0, 3, 0, 1};
    static const int32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh;
    def.positions = positions, def.vertex_count = 6;
    def.face_vertices = triangles, def.face_count = 2;
    must(pli_mesh_create(&def, &mesh, &problem));
    pli_world *world = damped_world(9.81, 10);
    pli_deformable panels = deform(world, mesh, NULL);
    constrain(world, panels, "distance", NULL);
    pin(world, panels, 1);
    for (int32_t frame = 0; frame < FPS; frame++)
        step(world, 1.0 / FPS);
    for (int32_t i = 3; i < 6; i++)
        near(velocity_of(world, panels, i).y, -9.81, 1e-3, "speed of vertex %d", (int)i);
    for (int32_t frame = 0; frame < 9 * FPS; frame++)
        step(world, 1.0 / FPS);
    holds(length(velocity_of(world, panels, 2)) < 1e-2, "the pinned panel moves at %g m/s",
          length(velocity_of(world, panels, 2)));
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(rotation_about_pins_dies_away), property(a_clamped_strip_swings_as_a_damped_pendulum),
        property(a_clamped_strip_comes_to_rest), property(pins_that_move_carry_their_cloth),
        property(what_is_free_keeps_its_motion), property(each_piece_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
