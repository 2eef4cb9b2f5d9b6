// A sheet drawn between two rollers: gaps from 1 to 20 mm, thicknesses from 1 to 10 mm, rollers that turn against one another, one that
// stands still, and one that slips. Brute force over all edges and triangles judges each frame.
#include "sheets.h"

#define RADIUS 0.08f

typedef struct nip {
    double gap, thickness; // [m]
    double left, right;    // Degrees per second.
    double friction;
} nip;

// Where a roller is once it has turned.
static pli_transform rolled(const nip *n, int32_t k, double angle)
{
    const double c = cos(0.5 * angle), s = sin(0.5 * angle), half = sqrt(0.5);
    // About its own axis, y, then onto z.
    return (pli_transform){{(k ? 1.0f : -1.0f) * (RADIUS + 0.5f * (float)n->gap), 0, 0},
                           {(float)(half * c), (float)(half * s), (float)(half * s), (float)(half * c)}};
}

static pli_world *open_nip(const nip *n, pli_yields yields)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.substeps = 8;
    pli_world *world = world_from(&def);
    pli_transform pose = pose_turned(90, (vec){0, 0, 1}, (vec){0, 0.14, 0});
    drop_cloth(world, mesh_grid(13, 13, 0.3, PLI_GRID_ALTERNATING), pose, n->thickness, true);
    for (int32_t k = 0; k < 2; k++) {
        pli_mesh *tube;
        must(pli_mesh_create_tube(16, 4, RADIUS, 0.4f, true, PLI_GRID_ALTERNATING, &tube, &problem));
        pli_collider_def roller = pli_collider_def_default();
        pli_collider at;
        roller.shape = PLI_SHAPE_MESH, roller.mesh = tube, roller.friction = (float)n->friction, roller.yields = yields;
        roller.pose = rolled(n, k, 0.0);
        must(pli_collider_create(world, &roller, &at, &problem));
        pli_mesh_destroy(tube);
    }
    return world;
}

// Turns the rollers to where they are at a frame.
static void turn(pli_world *world, const nip *n, int32_t frame)
{
    for (int32_t k = 0; k < 2; k++) {
        const double degrees = (k ? n->right : n->left) * frame / 60.0;
        must(pli_collider_set_pose(world, pli_world_collider_at(world, k), rolled(n, k, degrees * 0.017453292519943295),
                                   &problem));
    }
}

static const nip nips[] = {
    {0.002, 0.010, -150, 150, 0.2}, {0.001, 0.005, -150, 150, 0.8}, {0.004, 0.005, -150, 150, 0.8},
    {0.002, 0.005, -150, 0, 0.8},   {0.004, 0.010, -300, 300, 0.0}, {0.010, 0.001, -150, 150, 0.8},
    {0.020, 0.010, -200, 60, 0.4},
};

// Nothing crosses, and the step says so.
static void nothing_crosses_rollers(void **state)
{
    (void)state;
    const int32_t count = shortened() ? 2 : (int32_t)(sizeof nips / sizeof *nips);
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const nip *n = &nips[i];
        pli_world *world = open_nip(n, PLI_YIELDS_AUTO);
        for (int32_t frame = 1; frame <= (shortened() ? 30 : 60); frame++) {
            turn(world, n, frame);
            step(world, 1.0 / 60.0);
            const pli_statistics s = statistics_of(world);
            const int32_t found = crossings(world);
            most = fmax(most, s.tracking_error);
            holds(found == 0 && s.intersection_count == 0 && s.failed_pair_count == 0,
                  "nip %d, frame %d: %d crossings, %d counted, %d given up", (int)i, (int)frame, (int)found,
                  (int)s.intersection_count, (int)s.failed_pair_count);
        }
        pli_world_destroy(world);
    }
    holds(most > 0.0, "no roller has ever stopped");
}

// Where the cloth yields, rollers are where they are moved to in each frame, and whatever crosses is counted.
static void rollers_keep_turning_where_cloth_yields(void **state)
{
    (void)state;
    for (int32_t i = 0; i < (shortened() ? 1 : 3); i++) {
        const nip *n = &nips[i];
        pli_world *world = open_nip(n, PLI_YIELDS_CLOTH);
        for (int32_t frame = 1; frame <= (shortened() ? 30 : 60); frame++) {
            turn(world, n, frame);
            step(world, 1.0 / 60.0);
            const pli_statistics s = statistics_of(world);
            const int32_t found = crossings(world);
            holds(s.tracking_error == 0.0 && s.off_target_count == 0, "nip %d, frame %d: %d lag by %g", (int)i,
                  (int)frame, (int)s.off_target_count, s.tracking_error);
            holds(found == 0 || s.intersection_count > 0, "nip %d, frame %d: %d crossings, none counted", (int)i,
                  (int)frame, (int)found);
        }
        pli_world_destroy(world);
    }
}

// What a collider's vertices are placed at is its pose times them, but for rounding.
static void placed_vertices_are_where_the_pose_is(void **state)
{
    (void)state;
    pli_world *world = open_nip(&nips[0], PLI_YIELDS_AUTO);
    turn(world, &nips[0], 7);
    step(world, 1.0 / 60.0);
    const pli_collider at = pli_world_collider_at(world, 0);
    const pli_view local = pli_collider_vertices(world, at);
    float *placed = malloc(3 * sizeof *placed * (size_t)local.count);
    pli_transform pose;
    must(pli_collider_get_placed_vertices(world, at, placed, local.count, &problem));
    must(pli_collider_pose(world, at, &pose, &problem));
    for (int32_t v = 0; v < local.count; v++) {
        const vec p = vec_of_floats(pli_view_at(local, v)),
                  u = {(double)pose.rotation.x, (double)pose.rotation.y, (double)pose.rotation.z},
                  twice = scale(cross(u, p), 2.0);
        const vec turned = add(add(p, scale(twice, (double)pose.rotation.w)), cross(u, twice));
        near((double)placed[3 * v], turned.x + (double)pose.position.x, 1e-7, "x of vertex %d", (int)v);
        near((double)placed[3 * v + 1], turned.y + (double)pose.position.y, 1e-7, "y of vertex %d", (int)v);
        near((double)placed[3 * v + 2], turned.z + (double)pose.position.z, 1e-7, "z of vertex %d", (int)v);
    }
    holds(pli_collider_get_placed_vertices(world, at, placed, local.count - 1, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "too few vertices");
    free(placed);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(nothing_crosses_rollers),
        property(rollers_keep_turning_where_cloth_yields),
        property(placed_vertices_are_where_the_pose_is),
    };
    return cmocka_run_group_tests_name("nips", tests, NULL, NULL);
}
