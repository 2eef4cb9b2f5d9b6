// Handles and definitions: what is destroyed is not found, what is wrong is refused, and nothing else
// changes. Worlds in threads of their own.
#include "scenery.h"

#include <pthread.h>

static pli_world *one_of_each(pli_deformable *body, pli_constraints *set, pli_collider *collider)
{
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_hilly(5);
    *body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    *set = constrain(world, *body, "distance", NULL);
    pli_collider_def def = pli_collider_def_default();
    must(pli_collider_create(world, &def, collider, &problem));
    return world;
}

#define not_found(call) holds((call) == PLI_STATUS_NOT_FOUND, "%s", #call)

static void check_body_gone(pli_world *world, pli_deformable body)
{
    float values[100];
    const float three[3] = {0};
    pli_constraints set;
    pli_attachment attachment;
    const int32_t particle[1] = {0};
    pli_constraints_def set_def = pli_constraints_def_default();
    set_def.deformable = body, set_def.type = "distance";
    pli_attachment_def attachment_def = pli_attachment_def_default();
    attachment_def.deformable = body, attachment_def.particles = particle, attachment_def.particle_count = 1;
    not_found(pli_deformable_destroy(world, body, &problem));
    not_found(pli_deformable_set_positions(world, body, 0, 1, three, &problem));
    not_found(pli_deformable_set_velocities(world, body, 0, 1, three, &problem));
    not_found(pli_deformable_set_inverse_masses(world, body, 0, 1, three, &problem));
    not_found(pli_deformable_add_force(world, body, 0, (pli_vec3){0, 0, 0}, &problem));
    not_found(pli_deformable_measure(world, body, PLI_MEASURE_SPEED, values, 100, &problem));
    not_found(pli_constraints_create(world, &set_def, &set, &problem));
    not_found(pli_attachment_create(world, &attachment_def, &attachment, &problem));
    holds(pli_deformable_positions(world, body).count == 0, "no positions");
    holds(pli_deformable_velocities(world, body).count == 0, "no velocities");
    holds(pli_deformable_normals(world, body).count == 0, "no normals");
    int32_t stride;
    holds(!pli_deformable_rest_mesh(world, body) && !pli_deformable_inverse_masses(world, body, &stride),
          "no mesh, no masses");
}

static void destroyed_things_are_not_found(void **state)
{
    (void)state;
    pli_deformable body;
    pli_constraints set;
    pli_collider collider;
    pli_world *world = one_of_each(&body, &set, &collider);
    pli_constraints_info info;
    pli_residual residual;
    pli_collider_def def;
    pli_transform pose = pli_transform_identity();
    double value;
    must(pli_collider_destroy(world, collider, &problem));
    not_found(pli_collider_destroy(world, collider, &problem));
    not_found(pli_collider_set_pose(world, collider, pose, &problem));
    not_found(pli_collider_pose(world, collider, &pose, &problem));
    not_found(pli_collider_get_local_pose(world, collider, &pose, &problem));
    not_found(pli_collider_get_placed_vertices(world, collider, NULL, 0, &problem));
    not_found(pli_collider_get_def(world, collider, &def, &problem));
    // The deformable takes its sets with it.
    must(pli_deformable_destroy(world, body, &problem));
    not_found(pli_constraints_destroy(world, set, &problem));
    not_found(pli_constraints_get_info(world, set, &info, &problem));
    not_found(pli_constraints_get_parameter(world, set, "stiffness", &value, &problem));
    not_found(pli_constraints_set_parameter(world, set, "stiffness", 1.0, &problem));
    not_found(pli_constraints_get_residual(world, set, &residual, &problem));
    not_found(pli_constraints_stencil(world, set, 0, NULL, NULL, NULL, NULL, &problem));
    check_body_gone(world, body);
    check_body_gone(world, (pli_deformable){0});
    check_body_gone(world, (pli_deformable){0xffffffffu, 0});
    // A new one in the old one's place has another handle.
    pli_mesh *mesh = mesh_hilly(4);
    pli_deformable next = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    holds(next.id != body.id, "a handle used again");
    check_body_gone(world, body);
    near(pli_world_deformable_count(world), 1, 0.0, "deformables");
    near(pli_world_constraints_count(world), 0, 0.0, "sets");
    holds(pli_world_deformable_at(world, 0).id == next.id && !pli_world_deformable_at(world, 1).id, "the list");
    holds(!pli_world_deformable_at(world, -1).id && !pli_world_collider_at(world, 5).id, "out of range");
    step(world, 0.01);
    pli_world_destroy(world);
    pli_world_destroy(NULL);
}

static void wrong_steps_are_refused(void **state)
{
    (void)state;
    pli_deformable body;
    pli_constraints set;
    pli_collider collider;
    pli_world *world = one_of_each(&body, &set, &collider);
    const float wrong[] = {0.0f, -0.01f, NAN, INFINITY, -INFINITY};
    uint64_t before = pli_world_hash(world);
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        holds(pli_world_step(world, wrong[i], &problem) == PLI_STATUS_INVALID_ARGUMENT, "dt %g", (double)wrong[i]);
        holds(pli_world_step(world, wrong[i], NULL) == PLI_STATUS_INVALID_ARGUMENT, "dt %g without error",
              (double)wrong[i]);
        holds(problem.message[0] && problem.status == PLI_STATUS_INVALID_ARGUMENT, "a message");
        holds(pli_world_hash(world) == before && pli_world_step_count(world) == 0, "unchanged");
    }
    const float extreme[] = {1e-20f, 1e-6f, 10.0f};
    for (int32_t i = 0; i < COUNT_OF(extreme); i++) {
        pli_status status = pli_world_step(world, extreme[i], &problem);
        holds(status == PLI_STATUS_OK || status == PLI_STATUS_INVALID_ARGUMENT || status == PLI_STATUS_NON_FINITE,
              "dt %g: %s", (double)extreme[i], pli_status_name(status));
        holds(all_finite(world), "finite after dt %g", (double)extreme[i]);
    }
    pli_world_destroy(world);
}

static void wrong_deformables_are_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_hilly(4);
    float broken[48] = {0};
    broken[7] = NAN;
    for (int32_t i = 0; i < 12; i++) {
        pli_deformable_def def = pli_deformable_def_default();
        def.mesh = mesh;
        switch (i) {
        case 0:
            def.density = 0.0f;
            break;
        case 1:
            def.density = -1.0f;
            break;
        case 2:
            def.density = NAN;
            break;
        case 3:
            def.thickness = -0.001f;
            break;
        case 4:
            def.thickness = INFINITY;
            break;
        case 5:
            def.velocity.y = NAN;
            break;
        case 6:
            def.pose.position.z = INFINITY;
            break;
        case 7:
            def.pose.rotation = (pli_quat){0, 0, 0, 0};
            break;
        case 8:
            def.pose.rotation = (pli_quat){0, 0, 0, 2};
            break;
        case 9:
            def.positions = broken;
            break;
        case 10:
            def.mesh = NULL;
            break;
        default:
            def.density = INFINITY;
            break;
        }
        pli_deformable body;
        pli_status status = pli_deformable_create(world, &def, &body, &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT, "definition %d: %s", i, pli_status_name(status));
        near(pli_world_deformable_count(world), 0, 0.0, "deformables after definition %d", i);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void wrong_states_are_refused(void **state)
{
    (void)state;
    pli_deformable body;
    pli_constraints set;
    pli_collider collider;
    pli_world *world = one_of_each(&body, &set, &collider);
    uint64_t before = pli_world_hash(world);
    float values[300] = {0};
    const int32_t ranges[][2] = {{-1, 1}, {25, 1}, {0, 26}, {24, 2}, {3, -1}, {2147483647, 1}, {1, 2147483647}};
    for (int32_t i = 0; i < COUNT_OF(ranges); i++) {
        int32_t first = ranges[i][0], count = ranges[i][1];
        holds(pli_deformable_set_positions(world, body, first, count, values, &problem) ==
                      PLI_STATUS_INVALID_ARGUMENT &&
                  pli_deformable_set_velocities(world, body, first, count, values, &problem) ==
                      PLI_STATUS_INVALID_ARGUMENT &&
                  pli_deformable_set_inverse_masses(world, body, first, count, values, &problem) ==
                      PLI_STATUS_INVALID_ARGUMENT,
              "range %d, %d", first, count);
    }
    const float wrong[] = {NAN, INFINITY, -INFINITY, -1.0f};
    for (int32_t i = 0; i < 4; i++) {
        values[5] = wrong[i];
        holds(i == 3 ||
                  pli_deformable_set_positions(world, body, 0, 25, values, &problem) == PLI_STATUS_INVALID_ARGUMENT,
              "position %g", (double)wrong[i]);
        holds(i == 3 ||
                  pli_deformable_set_velocities(world, body, 0, 25, values, &problem) == PLI_STATUS_INVALID_ARGUMENT,
              "velocity %g", (double)wrong[i]);
        holds(pli_deformable_set_inverse_masses(world, body, 0, 25, values, &problem) == PLI_STATUS_INVALID_ARGUMENT,
              "inverse mass %g", (double)wrong[i]);
    }
    holds(pli_deformable_measure(world, body, PLI_MEASURE_SPEED, values, 24, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "room");
    holds(pli_deformable_measure(world, body, PLI_MEASURE_COUNT, values, 25, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "measure");
    const int32_t lists[][2] = {{0, 25}, {-1, 3}, {4, 4}};
    for (int32_t i = 0; i < 3; i++) {
        pli_constraints_def def = pli_constraints_def_default();
        def.deformable = body, def.type = "distance", def.particles = lists[i], def.constraint_count = 1;
        pli_constraints made;
        pli_status status = pli_constraints_create(world, &def, &made, &problem);
        pli_constraints_info info = {0};
        if (i == 2 && !status) // a vertex twice has no length: left out and counted
            must(pli_constraints_get_info(world, made, &info, &problem));
        holds(status == PLI_STATUS_INVALID_ARGUMENT || (info.constraint_count == 0 && info.degenerate_count == 1),
              "list %d: %s", i, pli_status_name(status));
    }
    holds(pli_world_hash(world) == before, "unchanged");
    pli_world_destroy(world);
}

static void wrong_worlds_are_refused(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        pli_world_def def = pli_world_def_default();
        switch (i) {
        case 0:
            def.thread_count = 0;
            break;
        case 1:
            def.thread_count = 65;
            break;
        case 2:
            def.simd = PLI_SIMD_COUNT;
            break;
        case 3:
            def.order = (pli_order)9;
            break;
        case 4:
            def.settings.substeps = 0;
            break;
        default:
            def.settings.gravity.x = NAN;
            break;
        }
        pli_world *world = NULL;
        pli_status status = pli_world_create(&def, &world, &problem);
        holds((status == PLI_STATUS_INVALID_ARGUMENT || status == PLI_STATUS_UNSUPPORTED) && !world,
              "definition %d: %s", i, pli_status_name(status));
    }
}

static void names_are_names(void **state)
{
    (void)state;
    for (int32_t i = -1; i <= PLI_STATUS_COUNT; i++)
        holds(pli_status_name((pli_status)i) && *pli_status_name((pli_status)i), "status %d", i);
    for (int32_t i = 0; i < PLI_MEASURE_COUNT; i++)
        holds(*pli_choice_name("measure", i), "measure %d", i);
    holds(strcmp(pli_choice_name("simd", (int32_t)PLI_SIMD_SCALAR), "scalar") == 0 &&
              pli_simd_available(PLI_SIMD_SCALAR),
          "scalar");
    holds(strcmp(pli_version(), PLI_VERSION_STRING) == 0, "version %s", pli_version());
}

/* ---- measures -------------------------------------------------------------------------------- */

static void measures_are_what_they_say(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_hilly(5);
    pli_deformable body = deform(world, mesh, NULL);
    scatter(world, body, 0.02);
    const float v[3] = {3.0f, 4.0f, 0.0f};
    must(pli_deformable_set_velocities(world, body, 6, 1, v, &problem));
    const pli_topology *t = pli_mesh_topology(mesh);
    float values[25];
    must(pli_deformable_measure(world, body, PLI_MEASURE_SPEED, values, 25, &problem));
    near((double)values[6], 5.0, 1e-6, "speed");
    near((double)values[7], 0.0, 0.0, "speed of another");
    must(pli_deformable_measure(world, body, PLI_MEASURE_STRETCH, values, 25, &problem));
    for (int32_t i = 0; i < 25; i++) {
        double largest = 0.0;
        for (int32_t e = 0; e < t->edge_count; e++) {
            int32_t a = t->edges[2 * e], b = t->edges[2 * e + 1];
            double rest = distance(vec_of_floats(t->positions + 3 * a), vec_of_floats(t->positions + 3 * b));
            double strain = distance(position_of(world, body, a), position_of(world, body, b)) / rest - 1.0;
            if ((a == i || b == i) && fabs(strain) > fabs(largest))
                largest = strain;
        }
        near((double)values[i], largest, 2e-6, "stretch of vertex %d", i);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void curvature_of_a_sphere(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_sphere(3, 0.25f, &mesh, &problem));
    pli_deformable body = deform(world, mesh, NULL);
    float values[642];
    must(pli_deformable_measure(world, body, PLI_MEASURE_CURVATURE, values, 642, &problem));
    // At the twelve vertices of five neighbours the discrete curvature does not converge.
    for (int32_t i = 0; i < 642; i++)
        near(fabs((double)values[i]), 4.0, i < 12 ? 0.8 : 0.2, "mean curvature of radius 0.25 at vertex %d", i);
    pli_view normals = pli_deformable_normals(world, body);
    for (int32_t i = 0; i < 642; i++) {
        vec n = vec_of_floats(pli_view_at(normals, i));
        near(distance(n, unit(position_of(world, body, i))), 0.0, 0.02, "normal of vertex %d", i);
        near(length(n), 1.0, 1e-5, "its length");
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// A sheet that is pressed to a line has hardly any area left, or none, to divide by: the curvature is then at most that
// of a fold by pi in every edge round the vertex.
static void curvature_without_area_is_bounded(void **state)
{
    (void)state;
    for (int32_t pressed = 0; pressed < 3; pressed++) {
        const float width = pressed == 0 ? 1e-3f : pressed == 1 ? 1e-7f : 0.0f;
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_mesh *mesh = NULL;
        must(pli_mesh_create_grid(5, 5, 1.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, &problem));
        const pli_topology *t = pli_mesh_topology(mesh);
        float line[75], values[25];
        double share = 0.0;
        for (int32_t i = 0; i < 25; i++) {
            line[3 * i] = t->positions[3 * i];
            line[3 * i + 1] = width * (float)(i % 3);
            line[3 * i + 2] = width * t->positions[3 * i + 2];
        }
        pli_deformable body = deform(world, mesh, line);
        must(pli_deformable_measure(world, body, PLI_MEASURE_CURVATURE, values, 25, &problem));
        for (int32_t i = 0; i < 25; i++) {
            double lengths = 0.0;
            for (int32_t e = 0; e < t->edge_count; e++)
                if (t->edges[2 * e] == i || t->edges[2 * e + 1] == i)
                    lengths += distance(position_of(world, body, t->edges[2 * e]),
                                        position_of(world, body, t->edges[2 * e + 1]));
            double most = 0.25 * acos(-1.0) * lengths / (1.0 / 16.0);
            holds((double)values[i] <= most * (1.0 + 1e-6), "curvature %g of vertex %d, %g wide", (double)values[i], i,
                  (double)width);
            share = fmax(share, (double)values[i] / most);
        }
        holds(share > 0.99, "share %g of a complete fold, %g wide", share, (double)width);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// The library's own projection says how far a constraint moves its particles: one sweep, equal masses, no compliance.
static void add_projection(const char *type, const int32_t *particles, const pli_mesh *mesh, const float *positions,
                           double edge, double *moves)
{
    pli_world *world = single_sweep_world(PLI_METHOD_XPBD);
    pli_deformable body = deform(world, mesh, NULL);
    float w[25];
    for (int32_t i = 0; i < 25; i++)
        w[i] = 1.0f;
    weigh(world, body, w, 25);
    constrain_list(world, body, type, particles, 1);
    must(pli_deformable_set_positions(world, body, 0, 25, positions, &problem));
    rest_velocities(world, body);
    step(world, 1.0 / 60.0);
    for (int32_t i = 0; i < 25; i++)
        moves[i] = fmax(moves[i], distance(position_of(world, body, i), vec_of_floats(positions + 3 * i)) / edge);
    pli_world_destroy(world);
}

static void residual_is_the_largest_move(void **state)
{
    (void)state;
    static const char *const types[] = {"distance", "opposite_distance", "dihedral", "isometric"};
    pli_mesh *mesh = mesh_hilly(5);
    const pli_topology *t = pli_mesh_topology(mesh);
    double edge = 0.0, expected[25] = {0};
    for (int32_t e = 0; e < t->edge_count; e++)
        edge += distance(vec_of_floats(t->positions + 3 * t->edges[2 * e]),
                         vec_of_floats(t->positions + 3 * t->edges[2 * e + 1])) /
                t->edge_count;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable body = deform(world, mesh, NULL);
    for (int32_t k = 0; k < COUNT_OF(types); k++)
        constrain(world, body, types[k], NULL);
    float values[25], positions[75];
    must(pli_deformable_measure(world, body, PLI_MEASURE_RESIDUAL, values, 25, &problem));
    for (int32_t i = 0; i < 25; i++)
        near((double)values[i], 0.0, 1e-5, "residual of vertex %d at rest", i);
    scatter(world, body, 0.005);
    for (int32_t i = 0; i < 75; i++)
        positions[i] = pli_view_at(pli_deformable_positions(world, body), i / 3)[i % 3];
    must(pli_deformable_measure(world, body, PLI_MEASURE_RESIDUAL, values, 25, &problem));
    for (int32_t k = 0; k < COUNT_OF(types); k++) {
        pli_constraints set = pli_world_constraints_at(world, k);
        pli_residual found;
        must(pli_constraints_get_residual(world, set, &found, &problem));
        for (int32_t c = 0; c < found.count; c++) {
            int32_t particles[PLI_CARDINALITY_MAX];
            must(pli_constraints_stencil(world, set, c, particles, NULL, NULL, NULL, &problem));
            add_projection(types[k], particles, mesh, positions, edge, expected);
        }
    }
    for (int32_t i = 0; i < 25; i++)
        near((double)values[i], expected[i], 2e-4 * expected[i] + 1e-5, "residual of vertex %d", i);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *step_alone(void *data)
{
    pli_world *world = data;
    pli_error error;
    for (int32_t i = 0; i < 20; i++)
        if (pli_world_step(world, 1.0f / 60.0f, &error))
            return NULL;
    return world;
}

static void worlds_in_two_threads_do_not_meet(void **state)
{
    (void)state;
    pli_world_def defs[2] = {furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED),
                             furnished_def(PLI_METHOD_PBD, PLI_ORDER_SEQUENTIAL)};
    uint64_t alone[2] = {hash_after(&defs[0], SMALL, 20), hash_after(&defs[1], SMALL, 20)};
    pli_world *worlds[2] = {furnished_world(&defs[0], SMALL), furnished_world(&defs[1], SMALL)};
    pthread_t threads[2];
    for (int32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, step_alone, worlds[i]), 0);
    for (int32_t i = 0; i < 2; i++) {
        void *done = NULL;
        assert_int_equal(pthread_join(threads[i], &done), 0);
        holds(done != NULL, "world %d stepped", i);
        holds(pli_world_hash(worlds[i]) == alone[i], "world %d: hash %016llx, alone %016llx", i,
              (unsigned long long)pli_world_hash(worlds[i]), (unsigned long long)alone[i]);
        pli_world_destroy(worlds[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(destroyed_things_are_not_found),    property(wrong_steps_are_refused),
        property(wrong_deformables_are_refused),     property(wrong_states_are_refused),
        property(wrong_worlds_are_refused),          property(names_are_names),
        property(measures_are_what_they_say),        property(curvature_of_a_sphere),
        property(curvature_without_area_is_bounded), property(residual_is_the_largest_move),
        property(worlds_in_two_threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
