// Particles keep their thickness from analytic shapes, whatever else moves them: every row of the table of shapes that has
// a signed distance, under cloth that is thrown at it or pressed on it, with self-collision and without.
#include "samples.h"
#include "shape_samples.h"
#include "shapes.h"
#include "sheets.h"

enum { SIDE = 24, SAMPLES = 3, SEED = 77 };

static const double thickness = 0.008;

// Distances are those of float positions, which are rounded by 6e-8 m at 1 m, a hundred-thousandth of the thickness; and a
// trajectory is stopped a thousandth of its length before the surface or behind it.
static const double least_share = 0.999;

// Over the shape's highest point, in no symmetric place, so that it folds.
static pli_deformable throw_cloth(pli_world *world, double top, double speed, bool self)
{
    pli_mesh *mesh;
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_mesh_create_grid(SIDE, SIDE, 1.2f, 1.2f, PLI_GRID_DIAGONAL, &mesh, &problem));
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0.03f, (float)(top + 0.1), -0.02f};
    def.velocity = (pli_vec3){0.0f, -(float)speed, 0.0f};
    def.thickness = (float)thickness;
    def.self_collision = self;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    constrain(world, cloth, "distance", NULL);
    pli_mesh_destroy(mesh);
    return cloth;
}

static pli_collider add_plane(pli_world *world, double height, bool faces_down)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    def.pose.position.y = (float)height;
    if (faces_down)
        def.pose.rotation = (pli_quat){1.0f, 0.0f, 0.0f, 0.0f};
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    return collider;
}

// Comes down within a second, to where four layers have room.
static void press(pli_world *world, pli_collider plate, double top, int32_t frame)
{
    double share = fmin(1.0, (double)frame / 60.0);
    pli_transform pose = {{0.0f, (float)(top + 0.3 + share * (5.0 * thickness - 0.3)), 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    must(pli_collider_set_pose(world, plate, pose, &problem));
}

// The distance of the nearest particle over the thickness.
static double share_kept(const pli_world *world, pli_deformable cloth, const pli_collider_def *def)
{
    double least = INFINITY;
    for (int32_t i = 0; i < vertex_count_of(world, cloth); i++)
        least = fmin(least, signed_distance(def, position_of(world, cloth, i)));
    return least / thickness;
}

static void lie_on(const pli_collider_def *def, double speed, bool pressed, bool self)
{
    pli_vec3 point = {0.0f, 0.0f, 0.0f};
    bool bounded = pli_shape_support(def, (pli_vec3){0.0f, 1.0f, 0.0f}, &point);
    double top = (double)point.y, least = INFINITY;
    pli_world_def world_def = pli_world_def_default();
    pli_world *world = world_from(&world_def);
    pli_collider shape, plate = {0};
    int32_t worst = 0;
    pli_deformable cloth = throw_cloth(world, top, speed, self);
    must(pli_collider_create(world, def, &shape, &problem));
    if (bounded)
        add_plane(world, -(double)pli_shape_reach(def), false);
    if (pressed)
        plate = add_plane(world, top + 0.3, true);
    for (int32_t frame = 0; frame < (shortened() ? 40 : 150); frame++) {
        if (pressed)
            press(world, plate, top, frame);
        step(world, 1.0 / 60.0);
        double share = share_kept(world, cloth, def);
        worst = share < least ? frame : worst;
        least = fmin(least, share);
    }
    holds(least >= least_share && least < 1.5, "%s, %s%s: the nearest particle keeps %.5f of its thickness in frame %d",
          pli_choice_name("shape", (int32_t)def->shape), pressed ? "pressed" : "thrown",
          self ? ", with self-collision" : "", least, (int)worst);
    pli_world_destroy(world);
}

static void run_all(bool pressed)
{
    pli_mesh *mesh = lump();
    for (int32_t i = 0; i < pli_shape_count(); i++)
        for (int32_t k = 0; k < (shortened() ? 1 : SAMPLES); k++) {
            random_state = SEED + (uint64_t)(SAMPLES - 1 - k);
            pli_collider_def def = sample_of(pli_shape_at(i), mesh);
            for (int32_t self = 0; self < 2 && has_distance(&def); self++)
                lie_on(&def, pressed ? 0.0 : 1.5 * k, pressed, self == 1);
        }
    pli_mesh_destroy(mesh);
}

static void cloth_that_is_thrown_keeps_its_thickness(void **state)
{
    (void)state;
    run_all(false);
}

static void cloth_that_is_pressed_keeps_its_thickness(void **state)
{
    (void)state;
    run_all(true);
}

// Candidates and work of contact [usual steps] after a few frames of lace of 1 mm cells above a tarpaulin of 1 m cells, or of
// either alone.
static double work_of_lace(bool lace, bool tarpaulin, int32_t *candidates)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    if (tarpaulin)
        drop_cloth(world, mesh_grid(5, 5, 4.0, PLI_GRID_ALTERNATING),
                   pose_turned(0.0, (vec){1, 0, 0}, (vec){0, 0.5, 0}), 0.01, true);
    if (lace)
        drop_cloth(world, mesh_grid(41, 41, 0.04, PLI_GRID_ALTERNATING),
                   pose_turned(25.0, (vec){1, 0, 0}, (vec){0.21, 0.56, 0.17}), 0.0004, true);
    double work = 0.0;
    *candidates = 0;
    for (int32_t frame = 0; frame < 3; frame++) {
        step(world, 1.0 / 60.0);
        pli_statistics now = statistics_of(world);
        work = fmax(work, now.work);
        *candidates = now.candidate_count > *candidates ? now.candidate_count : *candidates;
    }
    pli_world_destroy(world);
    return work;
}

static void coarse_cloth_does_not_widen_the_search_of_fine_cloth(void **state)
{
    (void)state;
    int32_t alone, other, both;
    double sum = work_of_lace(true, false, &alone) + work_of_lace(false, true, &other);
    double together = work_of_lace(true, true, &both);
    holds(both <= alone + other + 100, "%d candidates, %d and %d alone", (int)both, (int)alone, (int)other);
    holds(together < 1.5 * sum + 0.1, "work %g, %g alone", together, sum);
}

// 24 x 24 vertices on 1 cm are 11 edges to a thickness of 5 mm: most pairs are exempt by their distance at rest, and a step stays far
// within the budget.
static void a_thickness_of_many_edges_is_bounded_work(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(24, 24, 0.01, PLI_GRID_ALTERNATING), pose_turned(25.0, (vec){1, 0, 0}, (vec){0, 1, 0}),
               0.005, true);
    for (int32_t frame = 0; frame < 3; frame++) {
        step(world, 1.0 / 60.0);
        pli_statistics now = statistics_of(world);
        holds(now.work < 4.0 && now.shortened_count == 0, "frame %d: work %g, %d substeps shortened", (int)frame,
              now.work, (int)now.shortened_count);
    }
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(cloth_that_is_thrown_keeps_its_thickness),
        property(cloth_that_is_pressed_keeps_its_thickness),
        property(coarse_cloth_does_not_widen_the_search_of_fine_cloth),
        property(a_thickness_of_many_edges_is_bounded_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
