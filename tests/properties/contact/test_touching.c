// Surfaces that touch at the start, at a distance of exactly 0: they move as the same surfaces with a gap of a micrometre do,
// nothing crosses in any frame, and contact takes no more work.
#include "sheets.h"

enum { SIDE = 12, FRAMES = 45 };

// The angle by which a start is turned as a whole, about an axis along no coordinate [degrees]. Positions are rounded then, so that what
// touches is across or beside one another by rounding.
static double whole_turn = 0.0;
static const vec whole_axis = {0.48, 0.6, 0.64};
#define GAP 1e-6
#define HIGH 3.0

// A start: makes its cloth in a world, with a gap between what touches [m].
typedef struct start {
    const char *name;
    void (*make)(pli_world *world, pli_deformable cloth[3], double gap);
    double tolerance; // Of the height fallen, as a share of it.
    bool upright; // Only as it is: pins that touch cannot be parted, and what slides off a border goes by the last bit.
} start;

static pli_deformable sheet(pli_world *world, int32_t side, pli_transform pose)
{
    return drop_cloth(world, mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING), pose, 0.005, true);
}

static pli_transform in_whole(double degrees, vec axis, vec place)
{
    const double own = degrees * acos(-1.0) / 360.0, whole = whole_turn * acos(-1.0) / 360.0;
    const vec u = scale(axis, sin(own)), w = scale(unit(whole_axis), sin(whole));
    const vec imaginary = add(add(scale(u, cos(whole)), scale(w, cos(own))), cross(w, u));
    const double real = cos(own) * cos(whole) - dot(w, u);
    return (pli_transform){to_vec3(add(turned(place, unit(whole_axis), 2.0 * whole), (vec){0, HIGH, 0})),
                           {(float)imaginary.x, (float)imaginary.y, (float)imaginary.z, (float)real}};
}

static pli_transform flat_at(double x, double y, double z) { return in_whole(0.0, (vec){0, 1, 0}, (vec){x, y, z}); }

static pli_transform upright_at(double x, double y, double z) { return in_whole(90.0, (vec){0, 0, 1}, (vec){x, y, z}); }

static void panels(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, flat_at(1 + gap, 0, 0));
}

static void uneven_panels(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE + 5, flat_at(1 + gap, 0, 0.01));
}

static void curtains(pli_world *world, pli_deformable cloth[3], double gap)
{
    panels(world, cloth, gap);
    for (int32_t k = 0; k < 2; k++)
        attach_every(world, cloth[k], 0, SIDE, 1);
}

static void halves(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, flat_at(0.5, gap, 0));
}

static void shifted(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE + 3, flat_at(0.013, gap, 0.3));
}

static void three_in_one_place(pli_world *world, pli_deformable cloth[3], double gap)
{
    for (int32_t k = 0; k < 3; k++)
        cloth[k] = sheet(world, SIDE, flat_at(0, k * gap, 0));
}

static void turned_over(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, in_whole(180.0, (vec){1, 0, 0}, (vec){0, gap, 0}));
}

static void one_corner(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, flat_at(1 + gap, 0, 1 + gap));
}

static void border_in_a_plane(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, upright_at(0.1, -0.5 - gap, 0.01));
}

static void border_on_border(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0, 0, 0));
    cloth[1] = sheet(world, SIDE, upright_at(0.5 + gap, -0.5, 0));
}

static pli_collider table(pli_world *world)
{
    return mesh_collider(world, mesh_grid(5, 5, 0.6, PLI_GRID_ALTERNATING), flat_at(0, 0, 0), 0.3);
}

static void on_a_table(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0.013, gap, 0));
    table(world);
}

static void border_of_a_table(pli_world *world, pli_deformable cloth[3], double gap)
{
    cloth[0] = sheet(world, SIDE, flat_at(0.8 + gap, 0, 0));
    table(world);
}

static const start starts[] = {
    {"panels edge to edge", panels, 0.05, false},
    {"panels of other edges", uneven_panels, 0.05, false},
    {"curtains", curtains, 0.05, true},
    {"half over one another", halves, 0.05, false},
    {"shifted in their plane", shifted, 0.05, false},
    {"three in one place", three_in_one_place, 0.05, false},
    {"turned over in one place", turned_over, 0.05, false},
    {"one corner", one_corner, 0.05, false},
    {"a border in a plane", border_in_a_plane, 0.05, false},
    {"border on border", border_on_border, 0.05, false},
    {"on a table", on_a_table, 0.05, false},
    {"border of a table", border_of_a_table, 0.05, true},
};
enum { STARTS = sizeof starts / sizeof *starts };

static double mean_height(const pli_world *world, const pli_deformable *cloth, int32_t count)
{
    double sum = 0.0, vertices = 0.0;
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < vertex_count_of(world, cloth[k]); i++, vertices++)
            sum += position_of(world, cloth[k], i).y;
    return sum / vertices;
}

typedef struct outcome {
    double fallen; // Of the middle of all cloth [m].
    double work;   // Most work of contact in a step.
    uint64_t hash;
} outcome;

static outcome run(const start *s, double gap, int32_t threads)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    pli_world *world = world_from(&def);
    pli_deformable cloth[3] = {{0}};
    s->make(world, cloth, gap);
    int32_t count = cloth[1].id == 0 ? 1 : cloth[2].id == 0 ? 2 : 3;
    double high = mean_height(world, cloth, count);
    outcome o = {0};
    for (int32_t frame = 0; frame < FRAMES; frame++) {
        step(world, 1.0 / 60.0);
        pli_statistics now = statistics_of(world);
        int32_t count_now = crossings(world);
        o.work = fmax(o.work, now.work);
        holds(count_now == 0 && now.intersection_count == 0 && now.failed_pair_count == 0,
              "%s, gap %g, frame %d: %d crossings, %d counted, %d given up", s->name, gap, (int)frame, (int)count_now,
              (int)now.intersection_count, (int)now.failed_pair_count);
    }
    o.fallen = high - mean_height(world, cloth, count);
    o.hash = pli_world_hash(world);
    pli_world_destroy(world);
    return o;
}

static void what_touches_moves_as_with_a_gap(void **state)
{
    (void)state;
    for (int32_t i = 0; i < STARTS; i++) {
        outcome touching = run(&starts[i], 0.0, 1), apart = run(&starts[i], GAP, 1);
        near(touching.fallen, apart.fallen, starts[i].tolerance * fabs(apart.fallen), starts[i].name);
        holds(touching.work < 1.5 * apart.work + 0.2, "%s: work %g, %g with a gap", starts[i].name, touching.work,
              apart.work);
    }
}

// Rounding is no crossing: what is turned moves as it does with a gap.
static void what_touches_but_for_rounding_moves_as_with_a_gap(void **state)
{
    (void)state;
    static const double turns[] = {71.0, 17.0, 33.7, 123.0};
    for (int32_t k = 0; k < (shortened() ? 1 : COUNT_OF(turns)); k++)
        for (int32_t i = 0; i < STARTS; i++) {
            if (starts[i].upright)
                continue;
            whole_turn = turns[k];
            const outcome touching = run(&starts[i], 0.0, 1), apart = run(&starts[i], GAP, 1);
            whole_turn = 0.0;
            near(touching.fallen, apart.fallen, starts[i].tolerance * fabs(apart.fallen), "%s, turned by %g degrees",
                 starts[i].name, turns[k]);
            holds(touching.work < 1.0, "%s, turned by %g degrees: work %g, %g with a gap", starts[i].name, turns[k],
                  touching.work, apart.work);
        }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    for (int32_t i = 0; i < STARTS; i += shortened() ? 5 : 1)
        holds(run(&starts[i], 0.0, 1).hash == run(&starts[i], 0.0, 3).hash, "%s: threads", starts[i].name);
}

// The largest stretch of an edge.
static double largest_strain(const pli_world *world, pli_deformable cloth)
{
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, cloth));
    double most = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const int32_t a = t->edges[2 * e], b = t->edges[2 * e + 1];
        const float *p = t->positions + 3 * a, *q = t->positions + 3 * b;
        const double rest = distance((vec){p[0], p[1], p[2]}, (vec){q[0], q[1], q[2]});
        most = fmax(most, distance(position_of(world, cloth, a), position_of(world, cloth, b)) / rest - 1.0);
    }
    return most;
}

// A T of fine sheets, with rigid edges and default settings: the border of one lies in the plane of the other. They part within a
// frame, which stretches no edge by a fifth, and fall as they are from then on.
static void crossed_sheets_part_with_little_strain(void **state)
{
    (void)state;
    for (int32_t side = 30; side <= (shortened() ? 40 : 80); side += 10) {
        pli_world_def defaults = pli_world_def_default();
        pli_world *world = world_from(&defaults);
        pli_deformable cloth[2];
        for (int32_t k = 0; k < 2; k++) {
            pli_deformable_def def = pli_deformable_def_default();
            pli_mesh *mesh = mesh_grid(side + k, side + k, 0.6, PLI_GRID_ALTERNATING);
            def.mesh = mesh, def.self_collision = true;
            def.pose = k == 0 ? flat_at(0, 0, 0) : upright_at(0.3, 0, 0.01);
            must(pli_deformable_create(world, &def, &cloth[k], &problem));
            constrain(world, cloth[k], "distance", NULL);
            tune(world, constrain(world, cloth[k], "isometric", NULL), "rigidity", 1e-6);
            pli_mesh_destroy(mesh);
        }
        const double high = mean_height(world, cloth, 2);
        for (int32_t frame = 0; frame < 12; frame++) {
            step(world, 1.0 / 60.0);
            const double strain = fmax(largest_strain(world, cloth[0]), largest_strain(world, cloth[1]));
            holds(strain < (frame < 2 ? 0.2 : 0.05), "%d a side, frame %d: strain %g", (int)side, (int)frame, strain);
            holds(statistics_of(world).work < 1.0, "%d a side, frame %d: work", (int)side, (int)frame);
        }
        holds(crossings(world) == 0, "%d a side: crossings", (int)side);
        near(high - mean_height(world, cloth, 2), 0.5 * 9.81 * 0.2 * 0.2, 0.01, "fallen");
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_touches_moves_as_with_a_gap),
        property(what_touches_but_for_rounding_moves_as_with_a_gap),
        property(threads_change_no_bit),
        property(crossed_sheets_part_with_little_strain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
