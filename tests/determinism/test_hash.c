// Fixed scenes whose state hash is a number in this file: the same for every number of threads, every
// width, gcc and clang, debug and release. A change of these numbers is a change of behaviour: say so
// in the changelog. To see the new ones, run this program.
#include "../properties/scenery.h"

enum { STEPS = 60 };

// A sheet that falls over a sphere onto a plane.
static void drape(pli_world *world, const char *bending)
{
    pli_mesh *mesh = mesh_grid(40, 40, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0.05f, 0.45f, 0.02f};
    pli_deformable body;
    must(pli_deformable_create(world, &def, &body, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, body, "distance", NULL);
    pli_constraints set = constrain(world, body, bending, NULL);
    tune(world, set, "compliance", 1e-4);
    tune(world, set, "stiffness", 0.3);
    pli_collider_def shape = pli_collider_def_default();
    pli_collider collider;
    must(pli_collider_create(world, &shape, &collider, &problem));
    shape.shape = PLI_SHAPE_SPHERE;
    shape.radius = 0.2f;
    shape.pose.position.y = 0.2f;
    must(pli_collider_create(world, &shape, &collider, &problem));
}

// A ball under pressure that bounces, and a flag in the wind.
static void ball_and_flag(pli_world *world)
{
    pli_mesh *meshes[2] = {NULL, mesh_grid(50, 30, 1.0, PLI_GRID_QUADS)};
    must(pli_mesh_create_sphere(3, 0.2f, &meshes[0], &problem));
    for (int32_t i = 0; i < 2; i++) {
        pli_deformable_def def = pli_deformable_def_default();
        def.mesh = meshes[i];
        def.pose.position = (pli_vec3){(float)i, 0.4f + 0.6f * (float)i, 0.0f};
        def.pose.rotation = (pli_quat){i ? 0.7071068f : 0.0f, 0.0f, 0.0f, i ? 0.7071068f : 1.0f};
        pli_deformable body;
        must(pli_deformable_create(world, &def, &body, &problem));
        constrain(world, body, "distance", NULL);
        if (i)
            tune(world, constrain(world, body, "triangle_linear", NULL), "rigidity", 1e-5);
        else
            tune(world, constrain(world, body, "volume", NULL), "pressure", 1.3);
        pli_mesh_destroy(meshes[i]);
    }
    int32_t pole[30];
    for (int32_t i = 0; i < 30; i++)
        pole[i] = 50 * i;
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = pli_world_deformable_at(world, 1), hold.particles = pole, hold.particle_count = 30;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    pli_collider_def ground = pli_collider_def_default();
    ground.restitution = 0.5f;
    pli_collider collider;
    must(pli_collider_create(world, &ground, &collider, &problem));
}

// A sheet that falls upright and folds onto itself, particle against particle.
static void fold_by_particles(pli_world *world)
{
    pli_mesh *mesh = mesh_grid(24, 36, 0.5, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose.position.y = 0.26f;
    def.pose.rotation = (pli_quat){0.67559f, 0.0f, 0.0f, 0.737277f};
    def.self_collision = true;
    def.self_contact = PLI_SELF_CONTACT_PARTICLES;
    pli_deformable body;
    must(pli_deformable_create(world, &def, &body, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, body, "distance", NULL);
    tune(world, constrain(world, body, "isometric", NULL), "rigidity", 1e-6);
    pli_collider_def ground = pli_collider_def_default();
    pli_collider collider;
    must(pli_collider_create(world, &ground, &collider, &problem));
}

// The types of the pinned worlds. A new row of the table leaves their hashes be; properties/test_schedule has every row
// on threads and widths.
static const char *const pinned_types[] = {"distance",
                                           "stick",
                                           "tether",
                                           "opposite_distance",
                                           "dihedral",
                                           "dihedral_printed",
                                           "isometric",
                                           "isometric_energy",
                                           "triangle",
                                           "triangle_signed",
                                           "triangle_edge",
                                           "triangle_linear",
                                           "ring_laplacian",
                                           "volume",
                                           NULL};

static void all_types(pli_world *world) { furnish_with(world, SMALL, pinned_types); }
static void all_types_large(pli_world *world) { furnish_with(world, LARGE, pinned_types); }
static void drape_isometric(pli_world *world) { drape(world, "isometric"); }
static void drape_triangle(pli_world *world) { drape(world, "triangle"); }
static void drape_dihedral(pli_world *world) { drape(world, "dihedral"); }

typedef struct scene {
    const char *name;
    void (*make)(pli_world *world);
    pli_method method;
    pli_order order;
    int32_t steps;
    uint64_t hash;
} scene;

static const scene scenes[] = {
    {"all types, XPBD", all_types, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, STEPS, 0xed35a0bda17abe77},
    {"all types, PBD", all_types, PLI_METHOD_PBD, PLI_ORDER_COLOURED, STEPS, 0xd706d799b9ab8cf2},
    {"all types, XPBD, sequential", all_types, PLI_METHOD_XPBD, PLI_ORDER_SEQUENTIAL, STEPS, 0x771e13bdca505c11},
    {"all types, PBD, sequential", all_types, PLI_METHOD_PBD, PLI_ORDER_SEQUENTIAL, STEPS, 0x51cea4bb5eb352f2},
    {"all types, large", all_types_large, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, 10, 0xe70450cfff8ff96b},
    {"drape, isometric", drape_isometric, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, STEPS, 0xe9439288ca4cf07d},
    {"drape, triangle, PBD", drape_triangle, PLI_METHOD_PBD, PLI_ORDER_COLOURED, STEPS, 0xcfa17c47efe01cbb},
    {"drape, dihedral", drape_dihedral, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, STEPS, 0xff82d2bdb3d72fe4},
    {"fold, by particles", fold_by_particles, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, STEPS, 0xfdf42db5e486a5ac},
    {"ball and flag", ball_and_flag, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, STEPS, 0x34fd2ca33f98634e},
};

// After the first tenth of the steps, for processors that are emulated and slow (tests/cross.cmake).
static const uint64_t first_hashes[] = {
    0xc2cc97fcd0f2b9ed, 0x6a79eeb1108f568a, 0xb31c3f0ffe144fea, 0xe901f024e8e18367, 0x5cd70382642d71b2,
    0x449fdc1f8bfbc8b6, 0x29c8f10e28f89977, 0xd367de0d361e0a4d, 0x91d52e06d3e724b7, 0x88a9a9b73e4ea647,
};
_Static_assert(sizeof first_hashes / sizeof *first_hashes == sizeof scenes / sizeof *scenes, "one for each scene");

static uint64_t hash_of(const scene *s, pli_simd simd, int32_t threads, int32_t steps)
{
    pli_world_def def = furnished_def(s->method, s->order);
    def.simd = simd;
    def.thread_count = threads;
    pli_world *world = world_from(&def);
    s->make(world);
    for (int32_t i = 0; i < steps; i++)
        step(world, 1.0 / 60.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void check_pinned(const scene *s, int32_t steps, uint64_t pinned)
{
    uint64_t hash = hash_of(s, PLI_SIMD_AUTO, 1, steps);
    print_message("%-30s %2d steps 0x%016llx\n", s->name, (int)steps, (unsigned long long)hash);
    holds(hash == pinned, "%s: 0x%016llx, pinned 0x%016llx", s->name, (unsigned long long)hash,
          (unsigned long long)pinned);
}

static void first_hashes_are_pinned(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(scenes); i++)
        check_pinned(&scenes[i], scenes[i].steps / 10, first_hashes[i]);
}

static void hashes_are_pinned(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(scenes); i++)
        check_pinned(&scenes[i], scenes[i].steps, scenes[i].hash);
}

static pli_simd widest(void)
{
    pli_simd found = PLI_SIMD_SCALAR;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        found = pli_simd_available((pli_simd)simd) ? (pli_simd)simd : found;
    return found;
}

static void threads_and_widths_do_not_matter(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(scenes); i++) {
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            for (int32_t threads = 1; threads <= 4 && pli_simd_available((pli_simd)simd); threads++) {
                // The whole table costs time: threads with the widest only, widths with one thread.
                if (threads > 1 && simd != (int32_t)widest())
                    continue;
                uint64_t pinned = shortened() ? first_hashes[i] : scenes[i].hash;
                uint64_t hash = hash_of(&scenes[i], (pli_simd)simd, threads, scenes[i].steps / (shortened() ? 10 : 1));
                holds(hash == pinned, "%s, %s, %d threads: 0x%016llx, pinned 0x%016llx", scenes[i].name,
                      pli_choice_name("simd", simd), threads, (unsigned long long)hash, (unsigned long long)pinned);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(first_hashes_are_pinned),
        property(hashes_are_pinned),
        property(threads_and_widths_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
