// Long-range attachments: lengths along surfaces against closed forms, and what they hold.
#include "sheets.h"
#include "worlds.h"

static const double pi = 3.14159265358979324;

/* ---- lengths along surfaces -------------------------------------------------------------------- */

typedef double (*way_form)(const pli_mesh *mesh, vec from, vec to);

typedef struct lengths {
    int32_t count;
    double least, most; // Found over exact.
} lengths;

static pli_deformable tethered(pli_world *world, const pli_mesh *mesh, const int32_t *held, int32_t held_count)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.stretch_limit.kind = PLI_STRETCH_LONG_RANGE_ATTACHMENTS;
    pli_deformable body;
    must(pli_deformable_create(world, &def, &body, &problem));
    const float zero = 0.0f;
    for (int32_t i = 0; i < held_count; i++)
        must(pli_deformable_set_inverse_masses(world, body, held[i], 1, &zero, &problem));
    return body;
}

static pli_stretch_limit_info info_of(pli_world *world, pli_deformable body)
{
    pli_stretch_limit_info info;
    must(pli_deformable_build_stretch_limit(world, body, &info, &problem));
    return info;
}

static vec rest_of(const pli_mesh *mesh, int32_t v)
{
    return vec_of_floats(pli_mesh_topology(mesh)->positions + 3 * v);
}

static lengths compare(const pli_mesh *mesh, const int32_t *held, int32_t held_count, way_form exact)
{
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable body = tethered(world, mesh, held, held_count);
    lengths found = {.count = info_of(world, body).tether_count, .least = INFINITY};
    for (int32_t i = 0; i < found.count; i++) {
        int32_t particle, anchor;
        float way;
        must(pli_deformable_tether_at(world, body, i, &particle, &anchor, &way, &problem));
        double ratio = (double)way / exact(mesh, rest_of(mesh, anchor), rest_of(mesh, particle));
        found.least = fmin(found.least, ratio), found.most = fmax(found.most, ratio);
        holds((double)way >= distance(rest_of(mesh, anchor), rest_of(mesh, particle)) * (1.0 - 1e-6),
              "%d to %d: %g is less than the straight distance", (int)particle, (int)anchor, (double)way);
    }
    pli_world_destroy(world);
    return found;
}

static double straight_way(const pli_mesh *mesh, vec from, vec to)
{
    (void)mesh;
    return distance(from, to);
}

// Sheets are convex: the way is the straight line, whatever the triangles.
static void ways_on_flat_sheets_are_straight_lines(void **state)
{
    (void)state;
    for (int32_t pattern = PLI_GRID_DIAGONAL; pattern <= PLI_GRID_CROSSED; pattern++) {
        for (int32_t jittered = 0; jittered < 2; jittered++) {
            pli_mesh *mesh = mesh_grid(21, 17, 1.0, (pli_grid_pattern)pattern);
            // The jitter bends the border in: no more than that is the way longer.
            mesh = jittered ? mesh_jittered(mesh, 0.2, 0.0) : mesh;
            for (int32_t round = 0; round < 4; round++) {
                int32_t held[1] = {round == 0 ? 0 : below(21 * 17)};
                lengths found = compare(mesh, held, 1, straight_way);
                holds(found.count == pli_mesh_topology(mesh)->vertex_count - 1, "%d tethers", (int)found.count);
                near(found.most, 1.0, jittered ? 0.02 : 1e-6, "pattern %d, jittered %d, longest", (int)pattern,
                     (int)jittered);
                near(found.least, 1.0, 1e-6, "pattern %d, jittered %d, shortest", (int)pattern, (int)jittered);
            }
            pli_mesh_destroy(mesh);
        }
    }
}

// From a held row the nearest anchor is straight across.
static void a_row_of_anchors_is_one_group(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_jittered(mesh_grid(21, 17, 1.0, PLI_GRID_ALTERNATING), 0.2, 0.0);
    int32_t row[21];
    for (int32_t i = 0; i < 21; i++)
        row[i] = i;
    lengths found = compare(mesh, row, 21, straight_way);
    holds(found.count == 21 * 16, "%d tethers for %d particles", (int)found.count, 21 * 16);
    near(found.most, 1.0, 0.02, "longest");
    pli_mesh_destroy(mesh);
    // Two corners are two groups; the nearest of many are taken.
    mesh = mesh_grid(21, 17, 1.0, PLI_GRID_ALTERNATING);
    const int32_t corners[6] = {0, 20, 21 * 16, 21 * 17 - 1, 21 * 8 + 10, 21 * 8 + 5};
    for (int32_t count = 1; count <= 6; count++)
        holds(compare(mesh, corners, count, straight_way).count == (count < 4 ? count : 4) * (21 * 17 - count),
              "%d anchors apart", (int)count);
    pli_mesh_destroy(mesh);
}

// Fabric of quads has no diagonals and can be sheared: geodesics go along its threads.
static double thread_way(const pli_mesh *mesh, vec from, vec to)
{
    (void)mesh;
    return fabs(from.x - to.x) + fabs(from.y - to.y) + fabs(from.z - to.z);
}

static void ways_on_quads_follow_the_threads(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(15, 12, 1.0, PLI_GRID_QUADS);
    const int32_t held[1] = {37};
    lengths found = compare(mesh, held, 1, thread_way);
    near(found.least, 1.0, 1e-6, "shortest");
    near(found.most, 1.0, 1e-6, "longest");
    pli_mesh_destroy(mesh);
}

// A prism, unrolled: the shortest of the straight lines that go round it one way or the other.
enum { AROUND = 16 };

static double prism_way(const pli_mesh *mesh, vec from, vec to)
{
    (void)mesh;
    double side = 2.0 * 0.25 * sin(pi / AROUND),
           turn = (atan2(to.z, to.x) - atan2(from.z, from.x)) / (2.0 * pi / AROUND);
    double best = INFINITY;
    for (int32_t k = -1; k <= 1; k++)
        best = fmin(best, hypot((turn + AROUND * k) * side, to.y - from.y));
    return best;
}

static void ways_on_a_tube_are_those_unrolled(void **state)
{
    (void)state;
    pli_mesh *mesh;
    must(pli_mesh_create_tube(AROUND, 21, 0.25f, 1.0f, false, PLI_GRID_ALTERNATING, &mesh, &problem));
    const int32_t held[2] = {3, AROUND * 10};
    lengths found = compare(mesh, held, 2, prism_way);
    near(found.least, 1.0, 1e-5, "shortest");
    near(found.most, 1.0, 2e-3, "longest");
    pli_mesh_destroy(mesh);
}

static double great_circle(const pli_mesh *mesh, vec from, vec to)
{
    (void)mesh;
    return 0.5 * atan2(length(cross(from, to)), dot(from, to));
}

// Where nothing is flat: an icosphere's faces lie inside the ball, and the points made in planes are off.
static void ways_on_a_ball_are_near_great_circles(void **state)
{
    (void)state;
    for (int32_t subdivisions = 2; subdivisions <= 4; subdivisions++) {
        pli_mesh *mesh;
        must(pli_mesh_create_sphere(subdivisions, 0.5f, &mesh, &problem));
        const int32_t held[1] = {5};
        lengths found = compare(mesh, held, 1, great_circle);
        double flatness = 1.0 - pow(0.25, subdivisions) * 0.5; // Chords over arcs of edges, and the error's order.
        holds(found.least > flatness - 0.02 && found.most < 1.02, "%d subdivisions: %g to %g of the arc",
              (int)subdivisions, found.least, found.most);
        pli_mesh_destroy(mesh);
    }
}

// A square sheet with a square hole: the way bends around the corners of the hole.
enum { WIDE = 25, HOLE_FROM = 8, HOLE_TO = 16 };

static pli_mesh *mesh_with_hole(void)
{
    pli_mesh *whole = mesh_grid(WIDE, WIDE, 1.0, PLI_GRID_ALTERNATING), *mesh;
    const pli_topology *t = pli_mesh_topology(whole);
    int32_t *faces = malloc(sizeof *faces * 3 * (size_t)t->triangle_count), count = 0;
    double low = (double)HOLE_FROM / (WIDE - 1) - 0.5, high = (double)HOLE_TO / (WIDE - 1) - 0.5;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        vec centre = {0, 0, 0};
        for (int32_t k = 0; k < 3; k++)
            centre = add(centre, scale(rest_of(whole, t->triangles[3 * i + k]), 1.0 / 3.0));
        if (centre.x > low && centre.x < high && centre.z > low && centre.z < high)
            continue;
        memcpy(faces + 3 * count++, t->triangles + 3 * i, sizeof(int32_t[3]));
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = t->positions, def.vertex_count = t->vertex_count;
    def.face_vertices = faces, def.face_count = count;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(faces);
    pli_mesh_destroy(whole);
    return mesh;
}

static bool sees(vec a, vec b, double low, double high)
{
    for (int32_t i = 1; i < 2000; i++) {
        vec p = add(a, scale(sub(b, a), i / 2000.0));
        if (p.x > low + 1e-4 && p.x < high - 1e-4 && p.z > low + 1e-4 && p.z < high - 1e-4)
            return false;
    }
    return true;
}

static double way_around(const pli_mesh *mesh, vec from, vec to)
{
    (void)mesh;
    double low = (double)HOLE_FROM / (WIDE - 1) - 0.5, high = (double)HOLE_TO / (WIDE - 1) - 0.5, best[6];
    vec at[6] = {from, to, {low, 0, low}, {low, 0, high}, {high, 0, high}, {high, 0, low}};
    for (int32_t i = 0; i < 6; i++)
        best[i] = i == 0 ? 0.0 : INFINITY;
    for (int32_t round = 0; round < 6; round++)
        for (int32_t i = 0; i < 6; i++)
            for (int32_t j = 0; j < 6; j++)
                if (best[i] + distance(at[i], at[j]) < best[j] && sees(at[i], at[j], low, high))
                    best[j] = best[i] + distance(at[i], at[j]);
    return best[1];
}

static void ways_bend_around_holes(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_with_hole();
    const int32_t places[3] = {WIDE * 12 + 2, 0, WIDE * 3 + 12};
    for (int32_t i = 0; i < 3; i++) {
        lengths found = compare(mesh, &places[i], 1, way_around);
        holds(found.count > 400 && found.least > 1.0 - 1e-5 && found.most < 1.015, "%d ways, %.6f to %.6f of the exact",
              (int)found.count, found.least, found.most);
    }
    pli_mesh_destroy(mesh);
}

static void components_without_anchors_have_no_tethers(void **state)
{
    (void)state;
    const float positions[24] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1, 6, 0, 1};
    const int32_t faces[12] = {0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7};
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 8, def.face_vertices = faces, def.face_count = 4;
    pli_mesh *mesh;
    must(pli_mesh_create(&def, &mesh, &problem));
    const int32_t held[1] = {0};
    holds(compare(mesh, held, 1, straight_way).count == 3, "tethers of the other component");
    holds(compare(mesh, held, 0, straight_way).count == 0, "tethers without anchors");
    pli_mesh_destroy(mesh);
}

/* ---- what they hold ---------------------------------------------------------------------------- */

typedef struct hung {
    pli_world *world;
    pli_deformable cloth;
    pli_attachment ends[2];
} hung;

enum { COLUMNS = 24, ROWS = 30 };

static hung hang(pli_world_def def, pli_stretch_kind kind, float slack)
{
    hung h = {.world = world_from(&def)};
    pli_mesh *mesh = mesh_grid(COLUMNS, ROWS, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    cloth.stretch_limit.kind = kind;
    cloth.stretch_limit.slack = slack;
    must(pli_deformable_create(h.world, &cloth, &h.cloth, &problem));
    constrain(h.world, h.cloth, "distance", NULL);
    const int32_t corners[2] = {0, COLUMNS - 1};
    for (int32_t i = 0; i < 2; i++) {
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = h.cloth, hold.particles = &corners[i], hold.particle_count = 1;
        must(pli_attachment_create(h.world, &hold, &h.ends[i], &problem));
    }
    pli_mesh_destroy(mesh);
    return h;
}

// Furthest beyond slack times the way, over it.
static double furthest(const hung *h, double slack)
{
    double most = 0.0;
    int32_t count = info_of(h->world, h->cloth).tether_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t particle, anchor;
        float way;
        must(pli_deformable_tether_at(h->world, h->cloth, i, &particle, &anchor, &way, &problem));
        double now = distance(position_of(h->world, h->cloth, particle), position_of(h->world, h->cloth, anchor));
        most = fmax(most, now / (slack * (double)way) - 1.0);
    }
    return most;
}

static const pli_world_def *way_of_solving(int32_t i)
{
    static pli_world_def def;
    def = pli_world_def_default();
    def.settings.method = i % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD;
    def.settings.substeps = i % 2 ? 2 : 10;
    def.settings.iterations = i % 2 ? 4 : 1;
    def.order = i / 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
    return &def;
}

// They come last in a sweep, so at the end of a step nothing is further away than they let it be.
static void nothing_goes_further_than_its_way(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        for (int32_t slackened = 0; slackened < 2; slackened++) {
            double slack = slackened ? 1.1 : 1.0;
            hung h = hang(*way_of_solving(i), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, (float)slack);
            holds(info_of(h.world, h.cloth).tether_count == 2 * (COLUMNS * ROWS - 2), "tethers");
            for (int32_t frame = 0; frame < 60; frame++) {
                step(h.world, 1.0 / 60.0);
                double beyond = furthest(&h, slack);
                // A particle's last tether holds exactly; the one before it may have given way to that.
                holds(beyond < 0.03, "solved in way %d, slack %g, frame %d: %g beyond", (int)i, slack, (int)frame,
                      beyond);
            }
            pli_world_destroy(h.world);
        }
    }
}

// One chain of triangles has one anchor: exactly its length, to rounding.
static void a_strip_hangs_by_its_length(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(2, 200, 1.0, PLI_GRID_DIAGONAL);
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    cloth.stretch_limit.kind = PLI_STRETCH_LONG_RANGE_ATTACHMENTS;
    cloth.pose.rotation = quat_about((vec){1, 0, 0}, 0.5 * pi);
    pli_deformable body;
    must(pli_deformable_create(world, &cloth, &body, &problem));
    constrain(world, body, "distance", NULL);
    const float zero[2] = {0, 0};
    weigh(world, body, zero, 2);
    for (int32_t frame = 0; frame < 120; frame++) {
        step(world, 1.0 / 60.0);
        for (int32_t v = 2; v < 400; v++)
            holds(distance(position_of(world, body, v), position_of(world, body, v % 2)) <
                      (v / 2) / 199.0 * (1.0 + 1e-5) + 1e-6,
                  "frame %d: particle %d is too far away", (int)frame, (int)v);
    }
    holds(statistics_of(world).stretch_max < 1e-3, "stretch %g", statistics_of(world).stretch_max);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void anchors_may_move_come_and_go(void **state)
{
    (void)state;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    pli_transform pose = pli_transform_identity();
    for (int32_t frame = 0; frame < 60; frame++) {
        pose.position.y = 0.04f * (float)frame; // 2.4 m/s.
        for (int32_t i = 0; i < 2; i++)
            must(pli_attachment_set_pose(h.world, h.ends[i], pose, &problem));
        step(h.world, 1.0 / 60.0);
        double beyond = furthest(&h, 1.0);
        holds(beyond < 0.04, "frame %d, moving: %g beyond", (int)frame, beyond);
    }
    must(pli_attachment_destroy(h.world, h.ends[0], &problem));
    holds(info_of(h.world, h.cloth).tether_count == COLUMNS * ROWS - 1, "tethers of the corner that is left");
    for (int32_t frame = 0; frame < 30; frame++)
        step(h.world, 1.0 / 60.0);
    holds(furthest(&h, 1.0) < 1e-4, "of one corner: %g beyond", furthest(&h, 1.0));
    const int32_t foot[1] = {COLUMNS * ROWS - 1};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = h.cloth, hold.particles = foot, hold.particle_count = 1;
    must(pli_attachment_create(h.world, &hold, &h.ends[0], &problem));
    holds(info_of(h.world, h.cloth).tether_count == 2 * (COLUMNS * ROWS - 2), "tethers of the new one");
    for (int32_t i = 0; i < 2; i++)
        must(pli_attachment_destroy(h.world, h.ends[i], &problem));
    holds(info_of(h.world, h.cloth).tether_count == 0, "tethers of what falls");
    double before = statistics_of(h.world).momentum[1], mass = 0.0;
    for (int32_t v = 0; v < COLUMNS * ROWS; v++)
        mass += mass_of(h.world, h.cloth, v);
    step(h.world, 1.0 / 60.0);
    near(statistics_of(h.world).momentum[1] - before, -9.81 * mass / 60.0, 1e-4 * mass, "it falls freely");
    // Rigid soft attachments are anchors; those that give way are not.
    hold.fixed = false;
    must(pli_attachment_create(h.world, &hold, &h.ends[0], &problem));
    holds(info_of(h.world, h.cloth).tether_count == COLUMNS * ROWS - 1, "a rigid soft attachment");
    must(pli_attachment_destroy(h.world, h.ends[0], &problem));
    hold.compliance = 1e-3;
    must(pli_attachment_create(h.world, &hold, &h.ends[0], &problem));
    holds(info_of(h.world, h.cloth).tether_count == 0, "one that gives way");
    pli_world_destroy(h.world);
}

// The tethers that are listed, without asking for those of what is held now.
typedef struct listed {
    int32_t count, particles[4 * COLUMNS * ROWS], anchors[4 * COLUMNS * ROWS];
    float ways[4 * COLUMNS * ROWS];
} listed;

static void list(const hung *h, listed *l)
{
    l->count = 0;
    while (l->count < 4 * COLUMNS * ROWS &&
           pli_deformable_tether_at(h->world, h->cloth, l->count, &l->particles[l->count], &l->anchors[l->count],
                                    &l->ways[l->count], NULL) == PLI_STATUS_OK)
        l->count++;
}

static bool are_same(const listed *a, const listed *b)
{
    size_t size = (size_t)a->count * sizeof(int32_t);
    return a->count == b->count && memcmp(a->particles, b->particles, size) == 0 &&
           memcmp(a->anchors, b->anchors, size) == 0 && memcmp(a->ways, b->ways, size) == 0;
}

static pli_attachment pin(const hung *h, int32_t vertex)
{
    pli_attachment_def hold = pli_attachment_def_default();
    pli_attachment made;
    hold.deformable = h->cloth, hold.particles = &vertex, hold.particle_count = 1;
    must(pli_attachment_create(h->world, &hold, &made, &problem));
    return made;
}

// A pin's tethers come some steps later, none of them before, and are those of a world that began with it.
static void tethers_follow_pins(void **state)
{
    (void)state;
    static listed before, now, then;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f), other = h;
    step(h.world, 1.0 / 60.0);
    list(&h, &before);
    const int32_t foot = COLUMNS * ROWS - 1;
    pli_attachment pinned = pin(&h, foot);
    int32_t steps = 0;
    for (; steps < 40; steps++) {
        step(h.world, 1.0 / 60.0);
        list(&h, &now);
        if (!are_same(&now, &before))
            break;
    }
    other = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    pin(&other, foot);
    info_of(other.world, other.cloth);
    list(&other, &then);
    holds(steps > 1 && steps < 20, "%d steps until they come", (int)steps);
    holds(are_same(&now, &then), "other tethers than those of a world that began with the pin");
    pli_world_destroy(other.world);
    // Let go at once, the search for those without it begins; pinned again within it, nothing has to change.
    must(pli_attachment_destroy(h.world, pinned, &problem));
    step(h.world, 1.0 / 60.0);
    pinned = pin(&h, foot);
    for (int32_t i = 0; i < 20; i++)
        step(h.world, 1.0 / 60.0);
    list(&h, &now);
    holds(are_same(&now, &then), "other tethers after letting go for a step");
    pli_world_destroy(h.world);
}

// A particle that is let go pulls nothing from the same step on: it is thrown, and only what edges join to it may follow within the step.
static void what_is_let_go_pulls_nothing(void **state)
{
    (void)state;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    const int32_t foot = COLUMNS * ROWS - 1, far = COLUMNS * (ROWS / 2);
    pli_attachment pinned = pin(&h, foot);
    for (int32_t i = 0; i < 20; i++)
        step(h.world, 1.0 / 60.0);
    must(pli_attachment_destroy(h.world, pinned, &problem));
    const float thrown[3] = {0.0f, 0.0f, 200.0f};
    must(pli_deformable_set_velocities(h.world, h.cloth, foot, 1, thrown, &problem));
    vec before = position_of(h.world, h.cloth, far);
    step(h.world, 1.0 / 60.0);
    double went = distance(position_of(h.world, h.cloth, far), before);
    holds(went < 0.05, "half a sheet away it went %g m", went);
    pli_world_destroy(h.world);
}

static void cuts_free_what_loses_its_anchor(void **state)
{
    (void)state;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    int32_t before = info_of(h.world, h.cloth).tether_count;
    float *ways = malloc(sizeof *ways * (size_t)before);
    for (int32_t i = 0; i < before; i++)
        must(pli_deformable_tether_at(h.world, h.cloth, i, NULL, NULL, &ways[i], &problem));
    // Halfway across, below the middle: geodesics get longer, none shorter, and none is lost.
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){0, 0, -1};
    cut.point = (pli_vec3){-0.5f, 0, 0.01f};
    cut.reach = 0.5f;
    int32_t copies;
    must(pli_deformable_cut(h.world, h.cloth, &cut, &copies, &problem));
    int32_t after = info_of(h.world, h.cloth).tether_count, longer = 0, at = 0;
    holds(copies > 0 && after == before + 2 * copies, "%d tethers, %d before, %d copies", (int)after, (int)before,
          (int)copies);
    for (int32_t i = 0; i < after; i++) {
        int32_t particle;
        float way;
        must(pli_deformable_tether_at(h.world, h.cloth, i, &particle, NULL, &way, &problem));
        if (particle >= COLUMNS * ROWS)
            continue;
        holds(way > ways[at] * (1.0f - 1e-5f), "a way became shorter: %g, before %g", (double)way, (double)ways[at]);
        longer += way > ways[at] * 1.01f;
        at++;
    }
    holds(longer > 20, "%d ways are longer", (int)longer);
    free(ways);
    cut.reach = INFINITY;
    must(pli_deformable_cut(h.world, h.cloth, &cut, &copies, &problem));
    holds(info_of(h.world, h.cloth).tether_count < before * 6 / 10, "%d tethers are left of %d",
          (int)info_of(h.world, h.cloth).tether_count, (int)before);
    for (int32_t frame = 0; frame < 30; frame++)
        step(h.world, 1.0 / 60.0);
    near(velocity_of(h.world, h.cloth, COLUMNS * ROWS - 1).y, -9.81 * 0.5, 0.05, "what is cut off falls");
    pli_world_destroy(h.world);
}

static void states_do_not_depend_on_threads_or_width(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        for (int32_t threads = 1; threads <= 3 && pli_simd_available((pli_simd)simd); threads++) {
            pli_world_def def = *way_of_solving(0);
            def.simd = (pli_simd)simd, def.thread_count = threads;
            hung h = hang(def, PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
            for (int32_t frame = 0; frame < 10; frame++)
                step(h.world, 1.0 / 60.0);
            uint64_t hash = pli_world_hash(h.world);
            first = first ? first : hash;
            holds(hash == first, "%s, %d threads", pli_simd_name((pli_simd)simd), (int)threads);
            pli_world_destroy(h.world);
        }
    }
}

// Restoring a snapshot changes which particles are fixed; tethers follow, and the run continues with the same bits.
static void a_restored_run_goes_on_alike(void **state)
{
    (void)state;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    const float zero = 0.0f, mass = 800.0f;
    for (int32_t frame = 0; frame < 10; frame++)
        step(h.world, 1.0 / 60.0);
    must(pli_deformable_set_inverse_masses(h.world, h.cloth, 300, 1, &zero, &problem));
    size_t size = pli_world_snapshot_size(h.world);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(h.world, bytes, size, &problem));
    uint64_t ends[2];
    for (int32_t round = 0; round < 2; round++) {
        for (int32_t frame = 0; frame < 10; frame++)
            step(h.world, 1.0 / 60.0);
        ends[round] = pli_world_hash(h.world);
        must(pli_deformable_set_inverse_masses(h.world, h.cloth, 300, 1, &mass, &problem));
        for (int32_t frame = 0; frame < 5; frame++)
            step(h.world, 1.0 / 60.0);
        must(pli_world_snapshot_read(h.world, bytes, size, &problem));
    }
    holds(ends[0] == ends[1], "another end");
    free(bytes);
    pli_world_destroy(h.world);
}

/* ---- which limit, and refusals ------------------------------------------------------------------ */

static pli_stretch_kind chosen(int32_t side, pli_world_def def, bool held, double compliance, float tears)
{
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    cloth.tearing.stretch = tears;
    pli_deformable body;
    must(pli_deformable_create(world, &cloth, &body, &problem));
    tune(world, constrain(world, body, "distance", NULL), "compliance", compliance);
    const float zero = 0.0f;
    if (held)
        must(pli_deformable_set_inverse_masses(world, body, 0, 1, &zero, &problem));
    pli_stretch_kind kind = info_of(world, body).kind;
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
    return kind;
}

// Edges of 9800 N/m are next to rigid however fine the mesh, and a row of a hundred times the sheet's mass is a load.
static void the_default_does_not_go_by_the_mesh(void)
{
    pli_world_def def = pli_world_def_default();
    for (int32_t side = 41; side <= 81; side += 40)
        holds(chosen(side, def, true, 1.0 / 9800.0, INFINITY) == PLI_STRETCH_HIERARCHY, "%d vertices a side",
              (int)side);
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(21, 21, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    pli_deformable body;
    must(pli_deformable_create(world, &cloth, &body, &problem));
    constrain(world, body, "distance", NULL);
    const float fixed = 0.0f, heavy = 21.0f / (100.0f * cloth.density);
    for (int32_t i = 0; i < 21; i++) {
        must(pli_deformable_set_inverse_masses(world, body, i, 1, &fixed, &problem));
        holds(i > 0 || info_of(world, body).kind == PLI_STRETCH_NONE, "nothing hangs yet");
        must(pli_deformable_set_inverse_masses(world, body, 20 * 21 + i, 1, &heavy, &problem));
    }
    holds(info_of(world, body).kind == PLI_STRETCH_HIERARCHY, "a load of a hundred times the mass");
    for (int32_t frame = 0; frame < 120; frame++)
        step(world, 1.0 / 60.0);
    holds(statistics_of(world).stretch_max < 0.05, "stretch %g under it", statistics_of(world).stretch_max);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void the_default_is_what_suits(void **state)
{
    (void)state;
    const float never = INFINITY;
    pli_world_def fast = pli_world_def_default(), paper = fast, classic = fast;
    paper.order = PLI_ORDER_SEQUENTIAL;
    classic.settings.method = PLI_METHOD_PBD;
    holds(chosen(40, fast, true, 0.0, never) == PLI_STRETCH_HIERARCHY, "held");
    holds(chosen(40, fast, false, 0.0, never) == PLI_STRETCH_HIERARCHY, "free");
    holds(chosen(20, fast, true, 0.0, never) == PLI_STRETCH_NONE, "coarse");
    holds(chosen(40, fast, true, 1e-6, never) == PLI_STRETCH_HIERARCHY, "next to rigid");
    holds(chosen(40, fast, true, 1e-2, never) == PLI_STRETCH_NONE, "elastic");
    holds(chosen(40, fast, true, 0.0, 1.5f) == PLI_STRETCH_NONE, "what tears");
    holds(chosen(40, paper, true, 0.0, never) == PLI_STRETCH_NONE, "sequential");
    holds(chosen(40, classic, true, 0.0, never) == PLI_STRETCH_NONE, "classic");
    the_default_does_not_go_by_the_mesh();
}

static void bad_limits_are_refused(void **state)
{
    (void)state;
    const pli_stretch_limit good = pli_deformable_def_default().stretch_limit;
    pli_stretch_limit bad[8] = {good, good, good, good, good, good, good, good};
    bad[0].kind = PLI_STRETCH_COUNT;
    bad[1].kind = (pli_stretch_kind)-1;
    bad[2].slack = 0.99f;
    bad[3].slack = NAN;
    bad[4].anchors = 0;
    bad[5].anchors = 17;
    bad[6].levels = 0;
    bad[7].slack = INFINITY;
    hung h = hang(*way_of_solving(0), PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 1.0f);
    for (int32_t i = 0; i < 8; i++) {
        holds(pli_deformable_set_stretch_limit(h.world, h.cloth, &bad[i], &problem) == PLI_STATUS_INVALID_ARGUMENT &&
                  strstr(problem.message, "stretch limit"),
              "case %d", (int)i);
        pli_deformable_def def = pli_deformable_def_default();
        def.mesh = pli_deformable_rest_mesh(h.world, h.cloth);
        def.stretch_limit = bad[i];
        pli_deformable body;
        holds(pli_deformable_create(h.world, &def, &body, &problem) == PLI_STATUS_INVALID_ARGUMENT,
              "case %d at creation", (int)i);
    }
    pli_stretch_limit_info info;
    float way;
    holds(info_of(h.world, h.cloth).limit.slack == 1.0f, "it is as it was");
    holds(pli_deformable_build_stretch_limit(h.world, (pli_deformable){0}, &info, &problem) == PLI_STATUS_NOT_FOUND,
          "null");
    holds(pli_deformable_set_stretch_limit(h.world, (pli_deformable){0}, &good, &problem) == PLI_STATUS_NOT_FOUND,
          "null");
    holds(pli_deformable_tether_at(h.world, h.cloth, -1, NULL, NULL, &way, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_deformable_tether_at(h.world, h.cloth, 1 << 20, NULL, NULL, &way, &problem) ==
                  PLI_STATUS_INVALID_ARGUMENT,
          "out of range");
    pli_stretch_limit none = good;
    none.kind = PLI_STRETCH_NONE;
    must(pli_deformable_set_stretch_limit(h.world, h.cloth, &none, &problem));
    holds(info_of(h.world, h.cloth).kind == PLI_STRETCH_NONE && info_of(h.world, h.cloth).tether_count == 0,
          "turned off");
    holds(strcmp(pli_stretch_kind_name(PLI_STRETCH_AUTO), "auto") == 0 &&
              strcmp(pli_stretch_kind_name(PLI_STRETCH_COUNT), "unknown") == 0,
          "names");
    pli_world_destroy(h.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(ways_on_flat_sheets_are_straight_lines),
        property(a_row_of_anchors_is_one_group),
        property(ways_on_quads_follow_the_threads),
        property(ways_on_a_tube_are_those_unrolled),
        property(ways_on_a_ball_are_near_great_circles),
        property(ways_bend_around_holes),
        property(components_without_anchors_have_no_tethers),
        property(nothing_goes_further_than_its_way),
        property(a_strip_hangs_by_its_length),
        property(anchors_may_move_come_and_go),
        property(tethers_follow_pins),
        property(what_is_let_go_pulls_nothing),
        property(cuts_free_what_loses_its_anchor),
        property(states_do_not_depend_on_threads_or_width),
        property(a_restored_run_goes_on_alike),
        property(the_default_is_what_suits),
        property(bad_limits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
