// The order of projection that hosts are told: projecting the distances in it, one after the other and in plain floats,
// gives the engine's bits, for grids, irregular meshes and the sequential order, forward and backward.
#include "../../inside.h"
#include "scenery.h"

typedef struct told {
    int32_t count, *order, *particles;
    float *rest, *scales;
} told;

static told ask(const pli_world *world, pli_constraints set)
{
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &problem));
    size_t n = (size_t)info.constraint_count, k = (size_t)info.type->cardinality, r = (size_t)info.type->rest_count;
    told t = {info.constraint_count, malloc(n * sizeof(int32_t)), malloc(n * k * sizeof(int32_t)),
              malloc(n * r * sizeof(float)), malloc(n * sizeof(float))};
    must(pli_constraints_sequence(world, set, t.order, t.particles, t.rest, t.scales, &problem));
    return t;
}

static void told_free(told *t)
{
    free(t->order);
    free(t->particles);
    free(t->rest);
    free(t->scales);
}

// A rigid distance under PBD with k = 1, every operation rounded to float.
static void project_distance(float *x, const float *w, const int32_t *pair, float rest)
{
    float *a = x + 3 * pair[0], *b = x + 3 * pair[1];
    float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float resistance = (w[pair[0]] + w[pair[1]]) * length;
    float scale = -1.0f * (length - rest) * (resistance > 0.0f ? 1.0f / resistance : 0.0f);
    float first = w[pair[0]] * (1.0f * scale), second = w[pair[1]] * (-1.0f * scale);
    for (int k = 0; k < 3; k++)
        a[k] = a[k] + d[k] * first, b[k] = b[k] + d[k] * second;
}

typedef struct sheet {
    pli_world *world;
    pli_deformable body;
    pli_constraints edges;
    int32_t count;
    float *x, *w;
} sheet;

static sheet make_sheet(pli_order order, pli_sweeps sweeps, pli_mesh *mesh)
{
    pli_world_def def = plain_world_def(PLI_METHOD_PBD);
    def.order = order;
    def.settings.sweeps = sweeps;
    def.settings.keep_momentum = false;
    sheet s = {.world = world_from(&def)};
    pli_deformable_def body = pli_deformable_def_default();
    body.mesh = mesh;
    body.stretch = PLI_STRETCH_SWEPT;
    must(pli_deformable_create(s.world, &body, &s.body, &problem));
    scatter(s.world, s.body, 0.1 * mean_edge(mesh));
    rest_velocities(s.world, s.body);
    s.edges = constrain(s.world, s.body, "distance", NULL);
    s.count = vertex_count_of(s.world, s.body);
    s.x = malloc(3 * sizeof(float) * (size_t)s.count);
    s.w = malloc(sizeof(float) * (size_t)s.count);
    int32_t stride;
    const char *masses = (const char *)(const void *)pli_deformable_inverse_masses(s.world, s.body, &stride);
    for (int32_t i = 0; i < s.count; i++) {
        memcpy(s.x + 3 * i, pli_view_at(pli_deformable_positions(s.world, s.body), i), 3 * sizeof(float));
        memcpy(s.w + i, masses + (ptrdiff_t)i * stride, sizeof(float));
    }
    pli_mesh_destroy(mesh);
    return s;
}

static void sheet_free(sheet *s)
{
    pli_world_destroy(s->world);
    free(s->x);
    free(s->w);
}

// Whether the list has every number below `count` once.
static bool is_permutation(const int32_t *list, int32_t count)
{
    uint8_t *seen = calloc((size_t)count, 1);
    bool all = true;
    for (int32_t i = 0; i < count; i++)
        all = all && list[i] >= 0 && list[i] < count && !seen[list[i]]++;
    free(seen);
    return all;
}

static void compare(sheet *s, const char *what)
{
    int32_t different = 0;
    step(s->world, 0.01);
    for (int32_t i = 0; i < s->count; i++)
        different += memcmp(s->x + 3 * i, pli_view_at(pli_deformable_positions(s->world, s->body), i),
                            3 * sizeof(float)) != 0;
    holds(different == 0, "%s: %d of %d positions differ", what, (int)different, (int)s->count);
}

static pli_mesh *mesh_of(int32_t kind)
{
    if (kind == 2)
        return mesh_ball(3, 0.5);
    return mesh_grid(kind == 1 ? 9 : 70, kind == 1 ? 8 : 50, 1.0, PLI_GRID_DIAGONAL);
}

static void the_order_gives_the_bits(void **state)
{
    (void)state;
    static const char *const names[] = {"grid", "small grid", "ball"};
    for (int32_t i = 0; i < 12; i++) {
        pli_order order = i / 3 % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        pli_sweeps sweeps = i / 6 ? PLI_SWEEPS_BACK_AND_FORTH : PLI_SWEEPS_FORWARD;
        char what[80];
        snprintf(what, sizeof what, "%s, %s, %s", names[i % 3], pli_choice_name("order", (int32_t)order),
                 pli_choice_name("sweeps", (int32_t)sweeps));
        sheet s = make_sheet(order, sweeps, mesh_of(i % 3));
        told t = ask(s.world, s.edges);
        holds(is_permutation(t.order, t.count), "%s: each constraint once", what);
        for (int32_t k = t.count - 1; k >= 0 && sweeps == PLI_SWEEPS_BACK_AND_FORTH; k--)
            project_distance(s.x, s.w, t.particles + 2 * k, t.rest[k]);
        for (int32_t k = 0; k < t.count; k++)
            project_distance(s.x, s.w, t.particles + 2 * k, t.rest[k]);
        compare(&s, what);
        told_free(&t);
        sheet_free(&s);
    }
}

static void others_follow_the_order(void **state)
{
    (void)state;
    sheet s = make_sheet(PLI_ORDER_COLOURED, PLI_SWEEPS_FORWARD, mesh_of(2));
    pli_constraints hinges = constrain(s.world, s.body, "dihedral", NULL);
    told t = ask(s.world, hinges);
    for (int32_t k = 0; k < t.count; k++) {
        int32_t particles[4];
        float rest;
        must(pli_constraints_stencil(s.world, hinges, t.order[k], particles, NULL, &rest, NULL, &problem));
        holds(memcmp(particles, t.particles + 4 * k, sizeof particles) == 0 && rest == t.rest[k], "hinge %d", (int)k);
        // The area of two triangles with the edge as base, over its square: half the sum of both heights over the edge.
        vec p[4];
        for (int j = 0; j < 4; j++)
            p[j] = vec_of_floats(pli_mesh_topology(pli_deformable_rest_mesh(s.world, s.body))->positions +
                                 3 * particles[j]);
        vec edge = sub(p[1], p[0]);
        double height1 = length(cross(edge, sub(p[2], p[0]))) / length(edge);
        double height2 = length(cross(edge, sub(p[3], p[0]))) / length(edge);
        near((double)t.scales[k], 0.5 * (height1 + height2) / length(edge), 1e-5, "scale of hinge %d", (int)k);
    }
    told_free(&t);
    pli_constraints volume = constrain(s.world, s.body, "volume", NULL);
    int32_t order[1] = {-1}, particles[1];
    must(pli_constraints_sequence(s.world, volume, order, NULL, NULL, NULL, &problem));
    assert_int_equal(order[0], 0);
    assert_int_equal(pli_constraints_sequence(s.world, volume, order, particles, NULL, NULL, &problem),
                     PLI_STATUS_UNSUPPORTED);
    pli_constraints none = {0, 0};
    assert_int_equal(pli_constraints_sequence(s.world, none, order, NULL, NULL, NULL, &problem), PLI_STATUS_NOT_FOUND);
    sheet_free(&s);
}

// Whether no particle is in two constraints of one batch, and batches follow one another in the sequence.
static bool batches_are_disjoint(const told *t, const int32_t *batches, int32_t particles)
{
    int32_t *last = malloc(sizeof(int32_t) * (size_t)particles), before = 0;
    bool disjoint = true;
    for (int32_t i = 0; i < particles; i++)
        last[i] = -1;
    for (int32_t k = 0; k < t->count; k++) {
        int32_t batch = batches[t->order[k]];
        if (batch < 0)
            continue;
        for (int j = 0; j < 2; j++) {
            int32_t *of = &last[t->particles[2 * k + j]];
            disjoint = disjoint && *of < batch && before <= batch;
            *of = batch;
        }
        before = batch;
    }
    free(last);
    return disjoint;
}

static void batches_share_no_particle(void **state)
{
    (void)state;
    for (int32_t order = 0; order < 2; order++) {
        sheet s = make_sheet(order ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED, PLI_SWEEPS_FORWARD, mesh_of(2));
        told t = ask(s.world, s.edges);
        int32_t *batches = malloc(sizeof(int32_t) * (size_t)t.count), most = -1, least = INT32_MAX;
        must(pli_constraints_batches(s.world, s.edges, batches, &problem));
        for (int32_t i = 0; i < t.count; i++) {
            most = batches[i] > most ? batches[i] : most;
            least = batches[i] < least ? batches[i] : least;
            if (!order)
                assert_int_equal(batches[i], inside_colour_of(s.world, s.edges, i));
        }
        // Six edges meet in most vertices of the ball, and no batch has two of them.
        holds(order ? most == -1 : most >= 5 && least == 0, "batches %d to %d", (int)least, (int)most);
        holds(batches_are_disjoint(&t, batches, s.count), "batches share particles");
        pli_constraints none = {0, 0};
        assert_int_equal(pli_constraints_batches(s.world, none, batches, &problem), PLI_STATUS_NOT_FOUND);
        free(batches);
        told_free(&t);
        sheet_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(the_order_gives_the_bits), property(others_follow_the_order),
                                       property(batches_share_no_particle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
