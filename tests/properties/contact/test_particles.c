// Cloth that keeps clear of itself by particles: they keep their distance by every pair, momentum is kept, nothing depends on
// threads or widths, and what is wrong is refused.
#include "sheets.h"

enum { COLUMNS = 13, ROWS = 27, VERTICES = COLUMNS * ROWS };

static const double spacing = 0.02, closing = 0.8;

static pli_deformable_def by_particles(const pli_mesh *mesh)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.self_collision = true;
    def.self_contact = PLI_SELF_CONTACT_PARTICLES;
    return def;
}

static pli_mesh *strip(void)
{
    pli_mesh *mesh;
    must(pli_mesh_create_grid(COLUMNS, ROWS, (float)(spacing * (COLUMNS - 1)), (float)(spacing * (ROWS - 1)),
                              PLI_GRID_ALTERNATING, &mesh, &problem));
    assert_int_equal(pli_mesh_topology(mesh)->vertex_count, VERTICES);
    return mesh;
}

// Folded about a round of radius r, both halves flat, a little aside from one another.
static void fold(const pli_mesh *mesh, double r, float *positions)
{
    const float *rest = pli_mesh_topology(mesh)->positions;
    for (int32_t i = 0; i < VERTICES; i++) {
        double z = (double)rest[3 * i + 2], round = 0.5 * acos(-1.0) * r, angle = z / r;
        double y = z < -round ? -r : z > round ? r : r * sin(angle);
        positions[3 * i] = rest[3 * i] + (float)(0.2 * spacing * (z > 0));
        positions[3 * i + 1] = (float)y;
        positions[3 * i + 2] = (float)(fabs(z) > round ? r - (fabs(z) - round) : r + r * cos(angle));
    }
}

typedef struct clap {
    pli_world *world;
    pli_deformable cloth;
} clap;

static pli_world_def clap_def(void)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    def.settings.substeps = 12;
    return def;
}

// A folded strip whose halves fly at each other. With PLI_SELF_CONTACT_COUNT nothing keeps them apart.
static clap make_clap(pli_world_def def, pli_self_contact contact, float friction)
{
    clap c;
    pli_mesh *mesh = strip();
    float positions[3 * VERTICES], velocities[3 * VERTICES];
    fold(mesh, 0.035, positions);
    for (int32_t i = 0; i < VERTICES; i++) {
        velocities[3 * i] = 0.3f;
        velocities[3 * i + 1] = (float)(positions[3 * i + 1] > 0 ? -closing : closing);
        velocities[3 * i + 2] = -0.1f;
    }
    c.world = world_from(&def);
    pli_deformable_def cloth = by_particles(mesh);
    cloth.self_collision = contact != PLI_SELF_CONTACT_COUNT;
    cloth.self_contact = cloth.self_collision ? contact : PLI_SELF_CONTACT_PARTICLES;
    cloth.positions = positions;
    cloth.friction = friction;
    must(pli_deformable_create(c.world, &cloth, &c.cloth, &problem));
    must(pli_deformable_set_velocities(c.world, c.cloth, 0, VERTICES, velocities, &problem));
    constrain(c.world, c.cloth, "distance", NULL);
    tune(c.world, constrain(c.world, c.cloth, "dihedral", NULL), "compliance", 1e-2);
    pli_mesh_destroy(mesh);
    return c;
}

static bool are_joined(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t e = 0; e < t->edge_count; e++)
        if ((t->edges[2 * e] == a && t->edges[2 * e + 1] == b) || (t->edges[2 * e] == b && t->edges[2 * e + 1] == a))
            return true;
    return false;
}

// The least distance of two that no edge joins, over what they should keep.
static double least_share(const pli_world *world, pli_deformable cloth, double keep)
{
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, cloth));
    double least = INFINITY;
    for (int32_t a = 0; a < t->vertex_count; a++)
        for (int32_t b = 0; b < a; b++) {
            double rest = distance(vec_of_floats(t->positions + 3 * a), vec_of_floats(t->positions + 3 * b));
            double share = distance(position_of(world, cloth, a), position_of(world, cloth, b)) /
                           fmin(keep, 0.9 * rest);
            if (share < least && !are_joined(t, a, b))
                least = share;
        }
    return least;
}

static vec momentum_of(const pli_world *world, pli_deformable cloth)
{
    vec sum = {0, 0, 0};
    for (int32_t i = 0; i < VERTICES; i++)
        sum = add(sum, scale(velocity_of(world, cloth, i), mass_of(world, cloth, i)));
    return sum;
}

// Halves stop before each other; without contact they go through.
static void particles_keep_their_distance(void **state)
{
    (void)state;
    for (int32_t keeps = 0; keeps < 2; keeps++) {
        clap c = make_clap(clap_def(), keeps ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_COUNT, 0.2f);
        double keep = 0.75 * mean_edge(pli_deformable_rest_mesh(c.world, c.cloth)), least = INFINITY;
        vec before = momentum_of(c.world, c.cloth);
        int32_t touching = 0;
        for (int32_t frame = 0; frame < 20; frame++) {
            step(c.world, 1.0 / 60.0);
            least = fmin(least, least_share(c.world, c.cloth, keep));
            touching += statistics_of(c.world).surface_contact_count > 0;
        }
        if (keeps)
            holds(least > 0.9 && touching > 2, "nearest %g of the distance, %d frames of contact", least,
                  (int)touching);
        else
            holds(least < 0.4 && touching == 0, "nearest %g of the distance without contact", least);
        holds(distance(momentum_of(c.world, c.cloth), before) < 1e-4 * length(before), "momentum %g, was %g",
              length(momentum_of(c.world, c.cloth)), length(before));
        pli_world_destroy(c.world);
    }
}

// Lists are kept over the substeps of a step and rebuilt where particles leave their linear trajectories; each step
// begins with new ones. So many substeps are the same as so many steps.
static void it_does_not_matter_when_lists_are_made(void **state)
{
    (void)state;
    enum { SUBSTEPS = 16 };
    const double frame = 1.0 / 64.0;
    for (int32_t kind = 0; kind < PLI_SELF_CONTACT_COUNT; kind++) {
        pli_world_def def = clap_def();
        def.settings.ccd = PLI_CCD_OFF;
        def.settings.substeps = SUBSTEPS;
        clap whole = make_clap(def, (pli_self_contact)kind, 0.2f);
        def.settings.substeps = 1;
        clap parts = make_clap(def, (pli_self_contact)kind, 0.2f);
        int32_t touching = 0; // Substeps: halves that bounce may be apart at the end of a frame.
        for (int32_t i = 0; i < 40; i++) {
            step(whole.world, frame);
            for (int32_t part = 0; part < SUBSTEPS; part++) {
                step(parts.world, frame / SUBSTEPS);
                touching += statistics_of(parts.world).surface_contact_count > 0;
            }
            holds(pli_world_hash(whole.world) == pli_world_hash(parts.world), "by %s: frame %d differs",
                  pli_choice_name("self_contact", kind), (int)i);
        }
        holds(touching > 5 * SUBSTEPS, "by %s: %d substeps of contact", pli_choice_name("self_contact", kind),
              (int)touching);
        pli_world_destroy(whole.world);
        pli_world_destroy(parts.world);
    }
}

// Touching halves that slide over each other: friction slows that, and not without it.
static void friction_slows_sliding(void **state)
{
    (void)state;
    double sliding[2];
    for (int32_t k = 0; k < 2; k++) {
        clap c = make_clap(clap_def(), PLI_SELF_CONTACT_PARTICLES, k ? 0.8f : 0.0f);
        float velocities[3 * VERTICES];
        for (int32_t i = 0; i < VERTICES; i++) {
            vec v = velocity_of(c.world, c.cloth, i);
            bool upper = position_of(c.world, c.cloth, i).y > 0;
            velocities[3 * i] = upper ? 0.8f : -0.8f, velocities[3 * i + 1] = (float)v.y,
                           velocities[3 * i + 2] = (float)v.z;
        }
        must(pli_deformable_set_velocities(c.world, c.cloth, 0, VERTICES, velocities, &problem));
        for (int32_t frame = 0; frame < 4; frame++)
            step(c.world, 1.0 / 60.0);
        double sum = 0.0;
        for (int32_t i = 0; i < COLUMNS; i++)
            sum += velocity_of(c.world, c.cloth, VERTICES - 1 - i).x - velocity_of(c.world, c.cloth, i).x;
        sliding[k] = sum / COLUMNS;
        pli_world_destroy(c.world);
    }
    holds(sliding[1] < 0.7 * sliding[0], "sliding at %g m/s with friction, %g without", sliding[1], sliding[0]);
}

static void threads_and_widths_agree(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        for (int32_t threads = 1; threads <= 3 && pli_simd_available((pli_simd)simd); threads++) {
            pli_world_def def = clap_def();
            def.simd = (pli_simd)simd;
            def.thread_count = threads;
            clap c = make_clap(def, PLI_SELF_CONTACT_PARTICLES, 0.4f);
            for (int32_t frame = 0; frame < 12; frame++)
                step(c.world, 1.0 / 60.0);
            uint64_t hash = pli_world_hash(c.world);
            first = first ? first : hash;
            holds(hash == first, "%s, %d threads: 0x%016llx, not 0x%016llx", pli_choice_name("simd", simd),
                  (int)threads, (unsigned long long)hash, (unsigned long long)first);
            pli_world_destroy(c.world);
        }
}

static bool refuse(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    holds(a->vertex_count == 1 && b->vertex_count == 1, "asked about %d and %d vertices", (int)a->vertex_count,
          (int)b->vertex_count);
    ++*(int32_t *)user;
    return false;
}

static void contacts_are_listed_and_filtered(void **state)
{
    (void)state;
    pli_contact_point points[400];
    int32_t count = 0, asked = 0;
    clap c = make_clap(clap_def(), PLI_SELF_CONTACT_PARTICLES, 0.4f);
    for (int32_t frame = 0; frame < 10 && count == 0; frame++) {
        step(c.world, 1.0 / 60.0);
        must(pli_world_contacts(c.world, points, 400, &count, &problem));
    }
    holds(count > 20, "%d contacts", (int)count);
    for (int32_t i = 0; i < count && i < 400; i++) {
        const pli_contact_point *p = &points[i];
        vec apart = position_of(c.world, c.cloth, p->a.vertices[0]);
        for (int32_t k = 0; k < p->b.vertex_count; k++)
            apart = sub(apart, scale(position_of(c.world, c.cloth, p->b.vertices[k]), (double)p->b.weights[k]));
        // A particle against another one or, where flat layers glide, against a triangle of which it is a corner.
        bool one = p->b.vertex_count == 1 && p->b.weights[0] == 1.0f;
        holds(p->a.vertex_count == 1 && p->a.weights[0] == 1.0f && (one || p->b.vertex_count == 3),
              "sides of contact %d", (int)i);
        holds(p->impulse > 0.0f &&
                  dot(unit(apart), (vec){(double)p->normal.x, (double)p->normal.y, (double)p->normal.z}) > 0.9,
              "contact %d", (int)i);
    }
    pli_world_destroy(c.world);
    c = make_clap(clap_def(), PLI_SELF_CONTACT_PARTICLES, 0.4f);
    pli_world_set_contact_filter(c.world, refuse, &asked);
    for (int32_t frame = 0; frame < 10; frame++)
        step(c.world, 1.0 / 60.0);
    must(pli_world_contacts(c.world, NULL, 0, &count, &problem));
    holds(asked > 20 && count == 0, "asked %d times, and %d contacts", (int)asked, (int)count);
    pli_world_destroy(c.world);
}

// On a sheet that has another kind of contact with itself, and with ground.
static void surfaces_and_particles_go_together(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(14, 14, 0.3, PLI_GRID_ALTERNATING), pose_turned(0, (vec){0, 1, 0}, (vec){0, 0.02, 0}),
               0.01, true);
    pli_mesh *mesh = strip();
    pli_deformable_def cloth = by_particles(mesh);
    pli_deformable falling;
    cloth.thickness = 0.01f;
    cloth.pose = pose_turned(70, unit((vec){1, 0, 0.1}), (vec){0, 0.32, 0});
    must(pli_deformable_create(world, &cloth, &falling, &problem));
    double keep = 0.75 * mean_edge(mesh), least = INFINITY;
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, falling, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, falling, "dihedral", NULL), "compliance", 1e-2);
    ground(world);
    int32_t between = 0, within = 0;
    for (int32_t frame = 0; frame < 90; frame++) {
        pli_contact_point points[2000];
        int32_t count;
        step(world, 1.0 / 60.0);
        must(pli_world_contacts(world, points, 2000, &count, &problem));
        for (int32_t i = 0; i < count && i < 2000; i++) {
            bool own = points[i].a.deformable.id == points[i].b.deformable.id;
            within += own && points[i].a.vertex_count + points[i].b.vertex_count == 2;
            between += points[i].b.collider.id == 0 && !own;
        }
        if (frame % 10 == 9)
            least = fmin(least, least_share(world, falling, keep));
    }
    holds(between > 50 && within > 50, "%d contacts between the two, %d of particles", (int)between, (int)within);
    holds(least > 0.75, "nearest %g of the distance", least);
    pli_world_destroy(world);
}

// Neither what has collapsed into a point nor what tears is more than it can do.
static void whatever_becomes_of_it_goes_on(void **state)
{
    (void)state;
    clap c = make_clap(clap_def(), PLI_SELF_CONTACT_PARTICLES, 0.4f);
    float positions[3 * VERTICES] = {0};
    must(pli_deformable_set_positions(c.world, c.cloth, 0, VERTICES, positions, &problem));
    step(c.world, 1.0 / 60.0);
    holds(all_finite(c.world), "collapsed");
    pli_world_destroy(c.world);
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = strip();
    pli_deformable_def cloth = by_particles(mesh);
    pli_deformable torn;
    cloth.tearing.stretch = 1.05f;
    must(pli_deformable_create(world, &cloth, &torn, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, torn, "distance", NULL), "compliance", 1e-3);
    for (int32_t i = 0; i < VERTICES; i++) {
        const float away[3] = {0, 0, (float)(i < VERTICES / 2 ? -4.0 : 4.0)};
        must(pli_deformable_set_velocities(world, torn, i, 1, away, &problem));
    }
    for (int32_t frame = 0; frame < 10; frame++)
        step(world, 1.0 / 60.0);
    holds(vertex_count_of(world, torn) > VERTICES && all_finite(world), "torn into %d vertices",
          (int)vertex_count_of(world, torn));
    pli_world_destroy(world);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = strip();
    const float bad[] = {-1.0f, NAN, INFINITY};
    pli_deformable made;
    for (int32_t i = 0; i < 5; i++) {
        pli_deformable_def cloth = by_particles(mesh);
        cloth.self_contact = (pli_self_contact)(i == 3   ? PLI_SELF_CONTACT_COUNT
                                                : i == 4 ? -1
                                                         : PLI_SELF_CONTACT_PARTICLES);
        cloth.particle_distance = i < 3 ? bad[i] : 0.0f;
        pli_status status = pli_deformable_create(world, &cloth, &made, &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT &&
                  strstr(problem.message, i < 3 ? "particle_distance" : "self_contact"),
              "%d: %.200s", (int)i, problem.message);
    }
    holds(pli_world_deformable_count(world) == 0, "the world is as it was");
    holds(strcmp(pli_choice_name("self_contact", (int32_t)PLI_SELF_CONTACT_PARTICLES), "particles") == 0 &&
              strcmp(pli_choice_name("self_contact", (int32_t)PLI_SELF_CONTACT_COUNT), "unknown") == 0,
          "names");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(particles_keep_their_distance),    property(it_does_not_matter_when_lists_are_made),
        property(friction_slows_sliding),           property(threads_and_widths_agree),
        property(contacts_are_listed_and_filtered), property(surfaces_and_particles_go_together),
        property(whatever_becomes_of_it_goes_on),   property(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
