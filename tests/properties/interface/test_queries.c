// Contacts as the user sees them: what they carry is what rests on them, what one side gets the other
// gives, and what may not touch does not.
#include "crossings.h"
#include "samples.h"

static const double gravity = 9.81;

enum { MOST = 20000 };

static pli_contact_point points[MOST];

static int32_t contacts_of(const pli_world *world)
{
    int32_t count;
    must(pli_world_contacts(world, points, MOST, &count, &problem));
    assert_true(count <= MOST);
    return count;
}

static pli_world_def rest_def(int32_t iterations)
{
    pli_world_def def = pli_world_def_default();
    def.settings.iterations = iterations;
    def.settings.damping = 3.1f;
    return def;
}

static pli_deformable cloth_at(pli_world *world, int32_t side, double size, double height, double density,
                               uint64_t user_data)
{
    pli_mesh *mesh = mesh_grid(side, side, size, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose.position.y = (float)height;
    def.thickness = 0.01f;
    def.density = (float)density;
    def.user_data = user_data;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-6);
    tune(world, constrain(world, cloth, "dihedral", NULL), "compliance", 1e-2);
    return cloth;
}

static double weight_of(const pli_world *world, pli_deformable d)
{
    double mass = 0.0;
    for (int32_t v = 0; v < vertex_count_of(world, d); v++)
        mass += mass_of(world, d, v);
    return mass * gravity;
}

static pli_collider plane(pli_world *world, uint64_t user_data)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    def.user_data = user_data;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    return collider;
}

static pli_collider floor_of_triangles(pli_world *world, int32_t side, double size, uint64_t user_data)
{
    pli_mesh *mesh = mesh_grid(side, side, size, PLI_GRID_DIAGONAL);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    def.mesh = mesh;
    def.user_data = user_data;
    def.friction = 0.7f;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

static vec wide(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

// Impulse that `d` got from all, or only from what has `other` as its user data.
static vec impulse_on(const pli_world *world, pli_deformable d, const uint64_t *other)
{
    vec sum = {0, 0, 0};
    for (int32_t i = 0, count = contacts_of(world); i < count; i++) {
        vec push = scale(wide(points[i].normal), (double)points[i].impulse);
        if (points[i].a.deformable.id == d.id && (!other || points[i].user_data[1] == *other))
            sum = add(sum, push);
        if (points[i].b.deformable.id == d.id && (!other || points[i].user_data[0] == *other))
            sum = sub(sum, push);
    }
    return sum;
}

static vec side_place(const pli_world *world, const pli_contact_side *side)
{
    vec at = {0, 0, 0};
    pli_view view = side->deformable.id ? pli_deformable_positions(world, side->deformable)
                                        : pli_collider_vertices(world, side->collider);
    for (int32_t k = 0; k < side->vertex_count; k++)
        at = add(at, scale(vec_of_floats(pli_view_at(view, side->vertices[k])), (double)side->weights[k]));
    return at;
}

// A reported contact must agree with the state, for colliders whose vertices are at their targets. One in ten thousand is
// squeezed to half of its distance for a frame, where layers pile up; the others keep it within a hundredth.
static void check_points(const pli_world *world, const char *what)
{
    double distances = 0.0;
    int32_t two_sided = 0;
    for (int32_t i = 0, count = contacts_of(world); i < count; i++) {
        const pli_contact_point *p = &points[i];
        double sums[2] = {0.0, 0.0};
        holds(p->a.deformable.id && !p->a.collider.id, "%s: a is of a deformable", what);
        holds(!p->b.deformable.id != !p->b.collider.id, "%s: b is of one thing", what);
        holds(p->impulse > 0.0f, "%s: impulse %g", what, (double)p->impulse);
        near(length(wide(p->normal)), 1.0, 1e-5, "%s: length of a normal", what);
        for (int32_t k = 0; k < 3; k++)
            sums[0] += (double)p->a.weights[k], sums[1] += (double)p->b.weights[k];
        near(sums[0], 1.0, 1e-5, "%s: weights of a", what);
        near(distance(side_place(world, &p->a), wide(p->position)), 0.0, 1e-5, "%s: position", what);
        if (p->b.vertex_count == 0)
            continue;
        near(sums[1], 1.0, 1e-5, "%s: weights of b", what);
        vec apart = sub(wide(p->position), side_place(world, &p->b));
        near(dot(unit(apart), wide(p->normal)), 1.0, 1e-2, "%s: the normal runs from b to a", what);
        near(length(apart), 0.01, 0.006, "%s: distance of the sides", what);
        distances += length(apart);
        two_sided++;
    }
    if (two_sided > 0)
        near(distances / two_sided, 0.01, 1e-4, "%s: mean distance of the sides", what);
}

static double substep_of(const pli_world *world, double frame)
{
    return frame / (double)pli_world_settings(world).substeps;
}

static void run(pli_world *world, int32_t frames)
{
    for (int32_t frame = 0; frame < frames; frame++)
        step(world, 1.0 / 60.0);
}

static void a_floor_carries_what_lies_on_it(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        pli_world_def def = rest_def(1 + 3 * (i / 2));
        pli_world *world = world_from(&def);
        pli_deformable cloth = cloth_at(world, 11, 0.4, 0.012, 0.3, 1);
        pli_collider floor = i % 2 ? floor_of_triangles(world, 6, 1.0, 2) : plane(world, 2);
        run(world, 60);
        double expected = weight_of(world, cloth) * substep_of(world, 1.0 / 60.0);
        vec found = impulse_on(world, cloth, NULL);
        near(found.y, expected, 0.01 * expected, "impulse of the floor, case %d", (int)i);
        near(hypot(found.x, found.z), 0.0, 1e-3 * expected, "level impulse of the floor, case %d", (int)i);
        check_points(world, i % 2 ? "triangles" : "plane");
        contacts_of(world);
        holds(points[0].b.collider.id == floor.id && points[0].user_data[0] == 1 && points[0].user_data[1] == 2,
              "case %d: who touches whom", (int)i);
        near((double)points[0].friction, i % 2 ? 0.7 : 0.3, 1e-6, "friction, case %d", (int)i);
        pli_world_destroy(world);
    }
}

// Three layers: each carries what lies above it.
static void each_sheet_carries_those_above(void **state)
{
    (void)state;
    pli_world_def def = rest_def(4);
    pli_world *world = world_from(&def);
    pli_deformable cloth[3];
    for (int32_t i = 0; i < 3; i++)
        cloth[i] = cloth_at(world, 9 - 2 * i, 0.3 - 0.08 * i, 0.012 + 0.011 * i, 0.3, 10 + (uint64_t)i);
    plane(world, 2);
    run(world, 120);
    double above = 0.0, time = substep_of(world, 1.0 / 60.0);
    for (int32_t i = 2; i >= 0; i--) {
        const uint64_t under = i > 0 ? 9 + (uint64_t)i : 2;
        above += weight_of(world, cloth[i]) * time;
        near(impulse_on(world, cloth[i], &under).y, above, 0.01 * above, "impulse below sheet %d", (int)i);
    }
    check_points(world, "sheets");
    pli_world_destroy(world);
}

static vec momentum_of(const pli_world *world, pli_deformable d)
{
    vec sum = {0, 0, 0};
    for (int32_t v = 0; v < vertex_count_of(world, d); v++)
        sum = add(sum, scale(velocity_of(world, d, v), mass_of(world, d, v)));
    return sum;
}

// Without friction the change of each momentum in a step of one substep is the sum of its impulses.
static void impulses_are_the_change_of_momentum(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 1;
    def.settings.iterations = 3;
    def.settings.gravity = (pli_vec3){0, 0, 0};
    pli_world *world = world_from(&def);
    pli_deformable cloth[2];
    for (int32_t i = 0; i < 2; i++) {
        pli_mesh *mesh = i ? mesh_ball(2, 0.0) : mesh_grid(12, 12, 1.2, PLI_GRID_ALTERNATING);
        pli_deformable_def body = pli_deformable_def_default();
        body.mesh = mesh;
        body.pose.position.y = i ? 0.53f : 0.0f;
        body.velocity.y = i ? -1.0f : 0.0f;
        body.friction = 0.0f;
        must(pli_deformable_create(world, &body, &cloth[i], &problem));
        pli_mesh_destroy(mesh);
        tune(world, constrain(world, cloth[i], "distance", NULL), "compliance", 1e-5);
    }
    int32_t touching = 0;
    for (int32_t frame = 0; frame < 60; frame++) {
        vec before[2] = {momentum_of(world, cloth[0]), momentum_of(world, cloth[1])}, impulses[2];
        step(world, 1.0 / 600.0);
        pli_statistics s;
        pli_world_get_statistics(world, &s);
        for (int32_t i = 0; i < 2 && s.limited_count == 0; i++) {
            impulses[i] = impulse_on(world, cloth[i], NULL);
            vec change = sub(momentum_of(world, cloth[i]), before[i]);
            near(distance(change, impulses[i]), 0.0, 2e-5 + 1e-3 * length(change), "frame %d, body %d of %g",
                 (int)frame, (int)i, length(change));
            touching += i == 0 && length(change) > 1e-3;
        }
    }
    holds(touching > 10, "they touched in %d frames only", (int)touching);
    pli_world_destroy(world);
}

// Newton: a particle that comes at speed v and leaves at e v got m (1 + e) v, from a plane as from triangles.
static void rebounds_are_in_the_impulse(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        pli_world_def def = pli_world_def_default();
        def.settings.substeps = 1;
        def.settings.gravity = (pli_vec3){0, 0, 0};
        pli_world *world = world_from(&def);
        pli_deformable cloth = cloth_at(world, 2, 0.1, 0.0125, 1.0, 1);
        const float v[12] = {0, -3, 0, 0, -3, 0, 0, -3, 0, 0, -3, 0};
        must(pli_deformable_set_velocities(world, cloth, 0, 4, v, &problem));
        pli_collider_def floor = pli_collider_def_default();
        pli_mesh *mesh = mesh_grid(2, 2, 3.0, PLI_GRID_DIAGONAL);
        floor.shape = i ? PLI_SHAPE_MESH : PLI_SHAPE_PLANE;
        floor.mesh = i ? mesh : NULL;
        floor.restitution = 0.5f;
        pli_collider collider;
        must(pli_collider_create(world, &floor, &collider, &problem));
        pli_mesh_destroy(mesh);
        vec before = momentum_of(world, cloth);
        step(world, 0.001);
        vec change = sub(momentum_of(world, cloth), before), found = impulse_on(world, cloth, NULL);
        near(change.y, -1.5 * before.y, 1e-3 * fabs(before.y), "momentum of the rebound, case %d", (int)i);
        near(found.y, change.y, 1e-3 * change.y, "impulse of the rebound, case %d", (int)i);
        near((double)points[0].restitution, 0.5, 0.0, "restitution, case %d", (int)i);
        pli_world_destroy(world);
    }
}

/* ---- filters --------------------------------------------------------------------------------- */

typedef struct asked {
    uint32_t refused; // Id of a deformable or collider that may touch nothing; 0 for none.
    int64_t count;
    bool malformed;
} asked;

static bool is_sound(const pli_contact_side *s, bool may_be_collider)
{
    bool one = may_be_collider ? !s->deformable.id != !s->collider.id : s->deformable.id && !s->collider.id;
    return one && s->vertex_count >= (s->collider.id ? 0 : 1) && s->vertex_count <= 3;
}

static bool refuse(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    asked *q = user;
    q->count++;
    q->malformed = q->malformed || !is_sound(a, false) || !is_sound(b, true);
    return !q->refused ||
           (q->refused != a->deformable.id && q->refused != b->deformable.id && q->refused != b->collider.id);
}

static double lowest(const pli_world *world, pli_deformable d)
{
    double low = INFINITY;
    for (int32_t v = 0; v < vertex_count_of(world, d); v++)
        low = fmin(low, position_of(world, d, v).y);
    return low;
}

// A sheet above a sheet above a floor: what is refused falls through, and lands once it is not.
static void what_is_refused_falls_through(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        pli_world_def def = rest_def(2);
        pli_world *world = world_from(&def);
        pli_deformable under = cloth_at(world, 9, 0.6, 0.3, 0.3, 0), over = cloth_at(world, 7, 0.3, 0.33, 0.3, 0);
        int32_t count = vertex_count_of(world, under);
        float *held = calloc((size_t)count, sizeof *held);
        weigh(world, under, held, count);
        free(held);
        pli_collider floor = i % 2 ? floor_of_triangles(world, 4, 2.0, 0) : plane(world, 0);
        asked q = {.refused = i < 2 ? under.id : floor.id};
        pli_world_set_contact_filter(world, refuse, &q);
        run(world, 40);
        holds(q.count > 0 && !q.malformed, "case %d: asked %lld times", (int)i, (long long)q.count);
        near(lowest(world, over), i < 2 ? 0.01 : 0.31, 0.005, "where the sheet lands, case %d", (int)i);
        if (i >= 2) {
            q.refused = under.id;
            int64_t before = q.count;
            run(world, 40);
            holds(q.count > before, "case %d: the filter is asked again", (int)i);
            holds(lowest(world, over) > -0.1, "case %d: floor", (int)i);
        }
        pli_world_destroy(world);
    }
}

static void a_filter_counts_from_the_next_step_on(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        pli_world_def def = rest_def(1);
        pli_world *world = world_from(&def);
        pli_deformable cloth = cloth_at(world, 7, 0.3, 0.012, 0.3, 0);
        pli_collider floor = i ? floor_of_triangles(world, 4, 2.0, 0) : plane(world, 0);
        asked q = {.refused = floor.id};
        run(world, 20);
        holds(contacts_of(world) > 0, "case %d: it lies on the floor", (int)i);
        pli_world_set_contact_filter(world, refuse, &q);
        run(world, 1);
        near((double)contacts_of(world), 0.0, 0.0, "contacts with a filter, case %d", (int)i);
        // All particles are near all the time: the plane is asked about once for each, not in every substep.
        int64_t most = (i ? 25 : 1) * (int64_t)vertex_count_of(world, cloth);
        holds(q.count > 0 && q.count <= most, "case %d: %lld questions", (int)i, (long long)q.count);
        pli_world_set_contact_filter(world, NULL, NULL);
        run(world, 20);
        holds(contacts_of(world) > 0, "case %d: the filter is gone", (int)i);
        near(lowest(world, cloth), 0.01, 0.002, "case %d: it comes back", (int)i);
        pli_world_destroy(world);
    }
}

// Two sheets that go through each other are left so while a filter says that they may not touch, and are brought apart
// when it is gone.
static void refused_crossings_are_let_be(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    def.settings.damping = 6.3f;
    pli_world *world = world_from(&def);
    pli_deformable under = cloth_at(world, 12, 0.3, 0.0, 0.3, 0), over = cloth_at(world, 12, 0.3, 0.01, 0.3, 0);
    for (int32_t v = 0; v < 144; v++) {
        vec p = position_of(world, over, v);
        float at[3] = {(float)(p.x + 0.004), (float)(p.y - 0.03 * exp(-200.0 * (p.x * p.x + p.z * p.z))),
                       (float)(p.z + 0.003)};
        must(pli_deformable_set_positions(world, over, v, 1, at, &problem));
    }
    asked q = {.refused = under.id};
    pli_world_set_contact_filter(world, refuse, &q);
    int32_t before = crossings(world);
    run(world, 5);
    pli_statistics s;
    pli_world_get_statistics(world, &s);
    holds(before > 0 && crossings(world) > 0 && s.intersection_count == 0, "%d crossings, %d afterwards, %d counted",
          (int)before, (int)crossings(world), (int)s.intersection_count);
    pli_world_set_contact_filter(world, NULL, NULL);
    for (int32_t i = 0; i < 300 && crossings(world) > 0; i++)
        run(world, 1);
    near((double)crossings(world), 0.0, 0.0, "crossings left");
    pli_world_destroy(world);
}

/* ---- the call -------------------------------------------------------------------------------- */

static pli_world *busy(int32_t threads, asked *q)
{
    pli_world_def def = rest_def(1);
    def.thread_count = threads;
    pli_world *world = world_from(&def);
    for (int32_t i = 0; i < 3; i++)
        cloth_at(world, 30 - 3 * i, 0.6 - 0.08 * i, 0.05 + 0.02 * i, 0.3, 10 + (uint64_t)i);
    plane(world, 1);
    pli_collider_def def_of_ball = pli_collider_def_default();
    def_of_ball.radius = 0.04f;
    pli_collider ball;
    must(pli_collider_create(world, &def_of_ball, &ball, &problem));
    pli_world_set_contact_filter(world, refuse, q);
    return world;
}

// Handles of two worlds are never the same; what they count is.
static pli_contact_point without_world(pli_contact_point p)
{
    p.a.deformable.world = p.a.collider.world = p.b.deformable.world = p.b.collider.world = 0;
    return p;
}

// Field by field: what lies between them is nobody's.
static bool same_points(const pli_contact_point *a, const pli_contact_point *b, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        pli_contact_point p = without_world(a[i]), q = without_world(b[i]);
        if (memcmp(&p, &q, offsetof(pli_contact_point, restitution) + sizeof p.restitution) != 0 ||
            memcmp(p.user_data, q.user_data, sizeof p.user_data) != 0)
            return false;
    }
    return true;
}

static void threads_give_the_same_list(void **state)
{
    (void)state;
    static pli_contact_point expected[MOST];
    int32_t expected_count = 0;
    int64_t questions = 0;
    for (int32_t threads = 1; threads <= 3; threads += shortened() ? 2 : 1) {
        asked q = {0};
        pli_world *world = busy(threads, &q);
        run(world, 12);
        int32_t count = contacts_of(world), particles = 0, surfaces = 0;
        for (int32_t i = 0; i < count; i++)
            *(points[i].b.vertex_count ? &surfaces : &particles) += 1;
        holds(particles > 30 && surfaces > 30, "%d with particles, %d between surfaces", (int)particles, (int)surfaces);
        if (threads == 1) {
            memcpy(expected, points, sizeof points);
            expected_count = count;
            questions = q.count;
        }
        holds(count == expected_count && q.count == questions, "%d threads: %d contacts, %d expected", (int)threads,
              (int)count, (int)expected_count);
        holds(same_points(points, expected, count), "%d threads: another list", (int)threads);
        pli_world_destroy(world);
    }
}

static void contacts_are_of_the_last_step_only(void **state)
{
    (void)state;
    asked q = {0};
    pli_world *world = busy(1, &q);
    near((double)contacts_of(world), 0.0, 0.0, "contacts before a step");
    run(world, 12);
    int32_t count = contacts_of(world), again;
    assert_true(count > 100);
    pli_contact_point few[10] = {0};
    must(pli_world_contacts(world, few, 7, &again, &problem));
    holds(again == count && same_points(few, points, 7) && few[7].impulse == 0.0f, "room for seven");
    must(pli_world_contacts(world, NULL, 0, &again, &problem));
    holds(again == count, "the count alone");
    size_t size = pli_world_snapshot_size(world);
    void *snapshot = malloc(size);
    must(pli_world_snapshot_write(world, snapshot, size, &problem));
    pli_deformable late = cloth_at(world, 5, 0.2, 3.0, 0.3, 0);
    near((double)contacts_of(world), count, 0.0, "contacts after making something");
    check_points(world, "after making something");
    must(pli_deformable_destroy(world, late, &problem));
    near((double)contacts_of(world), 0.0, 0.0, "contacts after destroying something");
    run(world, 1);
    holds(contacts_of(world) > 0, "after another step");
    must(pli_world_snapshot_read(world, snapshot, size, &problem));
    free(snapshot);
    near((double)contacts_of(world), 0.0, 0.0, "contacts of a restored state");
    run(world, 1);
    must(pli_collider_destroy(world, pli_world_collider_at(world, 0), &problem));
    near((double)contacts_of(world), 0.0, 0.0, "contacts after destroying a collider");
    pli_world_destroy(world);
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    asked q = {0};
    pli_world *world = busy(1, &q);
    pli_contact_point point;
    int32_t count = 77;
    pli_error error;
    holds(pli_world_contacts(world, &point, -1, &count, &error) == PLI_STATUS_INVALID_ARGUMENT && error.message[0],
          "less than no room");
    holds(pli_world_contacts(world, NULL, 5, &count, &error) == PLI_STATUS_INVALID_ARGUMENT, "room at null");
    holds(pli_world_contacts(world, &point, 1, NULL, &error) == PLI_STATUS_INVALID_ARGUMENT, "no count");
    holds(pli_world_contacts(NULL, &point, 1, &count, &error) == PLI_STATUS_INVALID_ARGUMENT, "no world");
    holds(count == 77, "a refusal writes nothing");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_floor_carries_what_lies_on_it),     property(each_sheet_carries_those_above),
        property(impulses_are_the_change_of_momentum), property(rebounds_are_in_the_impulse),
        property(what_is_refused_falls_through),       property(a_filter_counts_from_the_next_step_on),
        property(refused_crossings_are_let_be),        property(threads_give_the_same_list),
        property(contacts_are_of_the_last_step_only),  property(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
