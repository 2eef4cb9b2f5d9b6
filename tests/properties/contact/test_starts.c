// Cloth that starts nearer to an analytic shape than its thickness, or inside it, is moved out at the pace of surfaces
// (60 distances a second), and that motion is neither speed nor a load for friction: for every row of the table of shapes
// that has a signed distance.
#include "shape_samples.h"
#include "shapes.h"
#include "sheets.h"

#include "pliant/rigid.h"

enum { SIDE = 21, FPS = 60, WAYS = 3 };

static const double thickness = 0.005, gravity = 9.81, width = 0.4;
static const int32_t substeps[WAYS] = {10, 20, 40};

static pli_world *world_of(int32_t count, double pull)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = count;
    def.settings.gravity = (pli_vec3){0.0f, -(float)pull, 0.0f};
    return world_from(&def);
}

static pli_deformable lay(pli_world *world, double size, pli_vec3 place, pli_vec3 velocity)
{
    pli_mesh *mesh;
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_mesh_create_grid(SIDE, SIDE, (float)size, (float)size, PLI_GRID_ALTERNATING, &mesh, &problem));
    def.mesh = mesh;
    def.thickness = (float)thickness;
    def.pose.position = place;
    def.velocity = velocity;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    constrain(world, cloth, "distance", NULL);
    pli_mesh_destroy(mesh);
    return cloth;
}

// Equal masses: the mean height, and the kinetic energy of a kilogram.
typedef struct state_of_cloth {
    double height, middle, energy, fastest, nearest;
    vec velocity;
} state_of_cloth;

static state_of_cloth look(const pli_world *world, pli_deformable cloth, const pli_collider_def *shape)
{
    state_of_cloth s = {.nearest = INFINITY};
    const double each = 1.0 / (SIDE * SIDE);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        vec x = position_of(world, cloth, i), v = velocity_of(world, cloth, i);
        s.height += x.y * each;
        s.velocity = add(s.velocity, scale(v, each));
        s.energy += 0.5 * dot(v, v) * each;
        s.fastest = fmax(s.fastest, length(v));
        s.nearest = fmin(s.nearest, signed_distance(shape, x));
    }
    s.middle = position_of(world, cloth, SIDE * SIDE / 2).y;
    return s;
}

// What the lift by what was missing of the thickness takes is all the energy that there is.
static void lay_on(const pli_collider_def *def, double above, int32_t count)
{
    pli_vec3 top = {0.0f, 0.0f, 0.0f};
    pli_shape_support(def, (pli_vec3){0.0f, 1.0f, 0.0f}, &top);
    pli_world *world = world_of(count, gravity);
    pli_collider collider;
    must(pli_collider_create(world, def, &collider, &problem));
    const double start = (double)top.y + above;
    pli_deformable cloth = lay(world, width, (pli_vec3){0.0f, (float)start, 0.0f}, (pli_vec3){0});
    double highest = -INFINITY, energy = -INFINITY;
    for (int32_t frame = 0; frame < 30; frame++) {
        step(world, 1.0 / FPS);
        const state_of_cloth s = look(world, cloth, def);
        highest = fmax(highest, fmax(s.middle, s.height) - start);
        energy = fmax(energy, s.energy + gravity * (s.height - start));
    }
    holds(highest < 1.001 * thickness && highest > -thickness,
          "%s, %g m above it, %d substeps: the napkin rises by %g m", pli_choice_name("shape", (int32_t)def->shape),
          above, (int)count, highest);
    holds(energy < 1.001 * gravity * thickness, "%s, %g m above it, %d substeps: %g J/kg, of %g for the lift",
          pli_choice_name("shape", (int32_t)def->shape), above, (int)count, energy, gravity * thickness);
    pli_world_destroy(world);
}

// All sizes are 0.3 m: flat tops carry the whole napkin, round ones its middle.
static pli_collider_def shape_of(const pli_shape_info *info)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = info->shape;
    for (int32_t i = 0; i < pli_shape_field_count(); i++)
        for (int32_t k = 0; k < pli_shape_field_at(i)->length && (info->fields >> i & 1u); k++)
            size_of(&def, i)[k] = 0.3f;
    return def;
}

static void a_napkin_laid_within_its_thickness_stays(void **state)
{
    (void)state;
    static const double heights[] = {0.0, 0.001, 0.0025, 0.004, 0.005};
    int32_t rows = 0;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_collider_def def = shape_of(pli_shape_at(i));
        if (pli_shape_at(i)->takes_mesh || !has_distance(&def))
            continue;
        rows++;
        for (int32_t k = 0; k < WAYS; k++)
            for (int32_t h = 0; h < COUNT_OF(heights); h += shortened() ? 2 : 1)
                lay_on(&def, heights[h], substeps[k]);
    }
    holds(rows >= 6, "%d rows have a distance", (int)rows);
}

static void a_sheet_below_a_plane_comes_out_slowly(void **state)
{
    (void)state;
    for (int32_t k = 0; k < WAYS; k++) {
        pli_world *world = world_of(substeps[k], gravity);
        pli_collider_def def = pli_collider_def_default();
        pli_collider plane;
        def.shape = PLI_SHAPE_PLANE;
        must(pli_collider_create(world, &def, &plane, &problem));
        pli_deformable cloth = lay(world, 1.0, (pli_vec3){0.0f, -0.1f, 0.0f}, (pli_vec3){0});
        double fastest = 0.0;
        for (int32_t frame = 0; frame < FPS / 2; frame++) {
            step(world, 1.0 / FPS);
            fastest = fmax(fastest, look(world, cloth, &def).fastest);
        }
        const state_of_cloth s = look(world, cloth, &def);
        holds(fastest < 0.5, "%d substeps: it comes out at %g m/s", (int)substeps[k], fastest);
        holds(s.nearest > 0.999 * thickness, "%d substeps: after half a second it is at %g m", (int)substeps[k],
              s.nearest);
        pli_world_destroy(world);
    }
}

// A ball, a box or a capsule in the middle of a sheet, which has to stretch around it. A surface of triangles lets it go at 2 m/s.
static void cloth_around_a_shape_leaves_slowly(void **state)
{
    (void)state;
    static const pli_shape shapes[] = {PLI_SHAPE_SPHERE, PLI_SHAPE_BOX, PLI_SHAPE_CAPSULE};
    for (int32_t i = 0; i < COUNT_OF(shapes); i++)
        for (int32_t k = 0; k < WAYS; k++) {
            pli_world *world = world_of(substeps[k], 0.0);
            pli_collider_def def = pli_collider_def_default();
            pli_collider collider;
            def.shape = shapes[i];
            def.radius = def.half_height = 0.15f;
            def.half_extents = (pli_vec3){0.15f, 0.15f, 0.15f};
            must(pli_collider_create(world, &def, &collider, &problem));
            pli_deformable cloth = lay(world, 1.0, (pli_vec3){0.011f, 0.05f, 0.007f}, (pli_vec3){0});
            for (int32_t frame = 0; frame < 2 * FPS; frame++)
                step(world, 1.0 / FPS);
            const state_of_cloth s = look(world, cloth, &def);
            holds(sqrt(2.0 * s.energy) < 2.0, "%s, %d substeps: it leaves at %g m/s",
                  pli_choice_name("shape", (int32_t)def.shape), (int)substeps[k], sqrt(2.0 * s.energy));
            holds(s.nearest > 0.999 * thickness, "%s, %d substeps: %g m are left",
                  pli_choice_name("shape", (int32_t)def.shape), (int)substeps[k], s.nearest);
            pli_world_destroy(world);
        }
}

// Carriers of a shape: nothing, a pose that its host moves slowly, a body that nothing moves, and a free body.
typedef enum carrier { RESTS, IS_LED, IS_HELD, IS_FREE, CARRIERS } carrier;

static pli_collider carried(pli_world *world, pli_collider_def *def, carrier by)
{
    const double mass = 5.0, radius = 0.15;
    pli_rigid_body_def body_def = pli_rigid_body_def_default();
    pli_rigid_body body;
    pli_collider collider;
    body_def.inverse_mass = by == IS_FREE ? (float)(1.0 / mass) : 0.0f;
    for (int k = 0; k < 3; k++)
        body_def.inverse_inertia[k] = by == IS_FREE ? (float)(1.0 / (0.4 * mass * radius * radius)) : 0.0f;
    if (by >= IS_HELD) {
        must(pli_rigid_body_create(world, &body_def, &body, &problem));
        def->body = body;
    }
    must(pli_collider_create(world, def, &collider, &problem));
    return collider;
}

// Where a sheet begins: its height and angle. The shape of 0.15 m is in its middle, or nearly so.
typedef struct placed {
    double up, aside, degrees;
} placed;

static void leave(pli_collider_def def, carrier by, double size, placed at, int32_t count)
{
    pli_world *world = world_of(count, 0.0);
    const pli_collider collider = carried(world, &def, by);
    pli_deformable_def cloth_def = pli_deformable_def_default();
    pli_mesh *mesh = mesh_grid(SIDE, SIDE, size, PLI_GRID_ALTERNATING);
    cloth_def.mesh = mesh, cloth_def.thickness = (float)thickness, cloth_def.self_collision = true;
    cloth_def.pose = pose_turned(at.degrees, unit((vec){1.0, 0.0, 0.3}), (vec){at.aside, at.up, 0.007});
    pli_deformable cloth;
    must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, cloth, "distance", NULL);
    tune(world, constrain(world, cloth, "isometric", NULL), "rigidity", 1e-5);
    double speed = 0.0, fastest = 0.0;
    for (int32_t frame = 0; frame < 2 * FPS; frame++) {
        const pli_transform pose = {{0.0f, 0.001f * (float)sin(0.1 * frame), 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
        if (by == IS_LED)
            must(pli_collider_set_pose(world, collider, pose, &problem));
        step(world, 1.0 / FPS);
        const state_of_cloth s = look(world, cloth, &def);
        speed = fmax(speed, sqrt(2.0 * s.energy)), fastest = fmax(fastest, s.fastest);
    }
    char what[120];
    snprintf(what, sizeof what, "%s, carrier %d, sheet of %g m at %g m, %g degrees, %d substeps",
             pli_choice_name("shape", (int32_t)def.shape), (int)by, size, at.up, at.degrees, (int)count);
    holds(speed < 0.5 && fastest < 1.5, "%s: it leaves at %g m/s, its fastest particle at %g m/s", what, speed,
          fastest);
    const double nearest = has_distance(&def) && by == RESTS ? look(world, cloth, &def).nearest : 1.0;
    holds(nearest > 0.0 && statistics_of(world).intersection_count == 0, "%s: it is not out: %d intersect, %g m", what,
          (int)statistics_of(world).intersection_count, nearest);
    pli_world_destroy(world);
}

// Every shape, carried by anything, in a sheet or a napkin that has to leave it by one face: a push to the nearest faces would stretch
// the cloth over the shape, and that leaves at 3 to 80 m/s.
static void what_starts_inside_leaves_slowly(void **state)
{
    (void)state;
    static const placed places[] = {{0.003, 0.003, 0.0}, {0.05, 0.011, 0.0}, {0.04, 0.03, 35.0}, {0.02, 0.013, 90.0}};
    pli_mesh *mesh = lump();
    for (int32_t i = 0; i < pli_shape_count(); i++)
        for (int32_t by = 0; by < CARRIERS; by++)
            for (int32_t k = (i + by) % COUNT_OF(places), done = 0; !done; done = 1) {
                pli_collider_def def = pli_collider_def_default();
                def.shape = pli_shape_at(i)->shape;
                if (def.shape == PLI_SHAPE_PLANE || (shortened() && by != i % CARRIERS))
                    continue;
                def.mesh = pli_shape_at(i)->takes_mesh ? mesh : NULL;
                def.radius = def.half_height = 0.15f, def.top_radius = 0.1f;
                def.half_extents = (pli_vec3){0.15f, 0.15f, 0.15f};
                const int32_t number = i + by + k;
                leave(def, (carrier)by, number % 2 == 0 ? 1.0 : 0.4, places[k], substeps[number % WAYS]);
            }
    pli_mesh_destroy(mesh);
}

// Coulomb: friction takes mu g of the speed in a second, whatever was missing of the thickness.
static void the_push_out_is_no_load_for_friction(void **state)
{
    (void)state;
    for (int32_t k = 0; k < WAYS; k++) {
        pli_world *world = world_of(substeps[k], gravity);
        pli_collider_def def = pli_collider_def_default();
        pli_collider plane;
        def.shape = PLI_SHAPE_PLANE;
        def.friction = 0.3f;
        must(pli_collider_create(world, &def, &plane, &problem));
        pli_deformable cloth = lay(world, width, (pli_vec3){0.0f, 0.0f, 0.0f}, (pli_vec3){1.0f, 0.0f, 0.0f});
        for (int32_t frame = 0; frame < 12; frame++)
            step(world, 1.0 / FPS);
        near(look(world, cloth, &def).velocity.x, 1.0 - 0.3 * gravity * 12.0 / FPS, 0.005, "speed, %d substeps",
             (int)substeps[k]);
        pli_world_destroy(world);
    }
}

// A plane that moves gives its speed to what starts too near, and no more; a rebound is that of Newton.
static void a_shape_that_moves_still_gives_its_speed(void **state)
{
    (void)state;
    for (int32_t k = 0; k < WAYS; k++)
        for (int32_t bounces = 0; bounces < 2; bounces++) {
            pli_world *world = world_of(substeps[k], 0.0);
            pli_collider_def def = pli_collider_def_default();
            pli_collider plane;
            def.shape = PLI_SHAPE_PLANE;
            def.restitution = bounces ? 0.5f : 0.0f;
            must(pli_collider_create(world, &def, &plane, &problem));
            pli_deformable cloth = lay(world, width, (pli_vec3){0.0f, 0.001f, 0.0f}, (pli_vec3){0});
            for (int32_t frame = 1; frame <= 12; frame++) {
                pli_transform pose = {{0.0f, 0.5f * (float)frame / FPS, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
                must(pli_collider_set_pose(world, plane, pose, &problem));
                step(world, 1.0 / FPS);
            }
            near(look(world, cloth, &def).velocity.y, bounces ? 0.75 : 0.5, 1e-4, "speed, %d substeps",
                 (int)substeps[k]);
            pli_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_napkin_laid_within_its_thickness_stays), property(a_sheet_below_a_plane_comes_out_slowly),
        property(cloth_around_a_shape_leaves_slowly),       property(the_push_out_is_no_load_for_friction),
        property(a_shape_that_moves_still_gives_its_speed), property(what_starts_inside_leaves_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
