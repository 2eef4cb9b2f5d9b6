// The figures that a host shows of single deformables: positions between steps against those that it read before, through all that places
// particles; statistics against sums over what can be read.
#include "samples.h"
#include "scenery.h"
#include "sheets.h"
#include "tears.h"

static pli_world *shown_world(pli_deformable *cloth, pli_grid_pattern pattern, bool jittered, double x)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    random_state = 9;
    pli_mesh *mesh = mesh_grid(13, 13, 1.0, pattern);
    mesh = jittered ? mesh_jittered(mesh, 0.2, 0.05) : mesh;
    pli_deformable_def sheet = pli_deformable_def_default();
    sheet.mesh = mesh;
    sheet.pose.position = (pli_vec3){(float)x, 0.5f, 0.0f};
    sheet.velocity = (pli_vec3){3.0f, 0.0f, 0.0f};
    sheet.keep_previous = true;
    must(pli_deformable_create(world, &sheet, cloth, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *cloth, "distance", NULL);
    return world;
}

static void same_view(const pli_view found, const float *expected, const char *what)
{
    double worst = 0.0;
    for (int32_t v = 0; v < found.count; v++)
        worst = fmax(worst, distance(vec_of_floats(pli_view_at(found, v)), vec_of_floats(expected + 3 * v)));
    near(worst, 0.0, 0.0, "%s", what);
}

static float *read_positions(const pli_world *world, pli_deformable cloth)
{
    pli_view view = pli_deformable_positions(world, cloth);
    float *copy = malloc(sizeof *copy * 3 * (size_t)view.count);
    for (int32_t v = 0; v < view.count; v++)
        memcpy(copy + 3 * v, pli_view_at(view, v), 3 * sizeof(float));
    return copy;
}

// On a grid, on a mesh with an order of its own, and where the world's origin moves.
static void previous_positions_are_those_that_were_read(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 3; kind++) {
        pli_deformable cloth;
        pli_world *world = shown_world(&cloth, PLI_GRID_ALTERNATING, kind == 1, kind == 2 ? 15.9 : 0.0);
        for (int32_t frame = 0; frame < 6; frame++) {
            float *before = read_positions(world, cloth);
            step(world, 1.0 / 60.0);
            near(pli_deformable_previous_positions(world, cloth).count, vertex_count_of(world, cloth), 0, "vertices");
            same_view(pli_deformable_previous_positions(world, cloth), before, "positions before the step");
            holds(distance(position_of(world, cloth, 5), vec_of_floats(before + 15)) > 0.01, "it moves");
            free(before);
        }
        pli_world_destroy(world);
    }
}

static void nothing_is_drawn_between_jumps(void **state)
{
    (void)state;
    for (int32_t how = 0; how < 5; how++) {
        pli_deformable cloth;
        pli_world *world = shown_world(&cloth, PLI_GRID_ALTERNATING, true, 0.0);
        size_t size = pli_world_snapshot_size(world);
        void *start = malloc(size);
        must(pli_world_snapshot_write(world, start, size, &problem));
        step(world, 1.0 / 60.0);
        const float one[3] = {7.0f, 8.0f, 9.0f};
        pli_teleport_def jump = pli_teleport_def_default();
        jump.everything = true, jump.to.position.z = 40.0f;
        const double offset[3] = {100.0, 0.0, 0.0};
        if (how == 0)
            must(pli_deformable_set_positions(world, cloth, 5, 1, one, &problem));
        if (how == 1)
            must(pli_world_teleport(world, &jump, &problem));
        if (how == 2)
            must(pli_deformable_reset(world, cloth, NULL, &problem));
        if (how == 3)
            must(pli_world_snapshot_read(world, start, size, &problem));
        if (how == 4)
            must(pli_world_shift(world, offset, &problem));
        pli_view before = pli_deformable_previous_positions(world, cloth);
        near(distance(vec_of_floats(pli_view_at(before, 5)), position_of(world, cloth, 5)), 0.0, 0.0, "jump %d",
             (int)how);
        // A vertex that was not placed keeps its way.
        double other = distance(vec_of_floats(pli_view_at(before, 90)), position_of(world, cloth, 90));
        holds((other > 0.01) == (how == 0), "jump %d: another vertex: %g", (int)how, other);
        free(start);
        pli_world_destroy(world);
    }
}

static void previous_positions_follow_tears_and_settings(void **state)
{
    (void)state;
    pli_deformable cloth;
    pli_world *world = shown_world(&cloth, PLI_GRID_ALTERNATING, false, 0.0);
    pli_deformable_def def;
    step(world, 1.0 / 60.0);
    pli_cut_def cut = pli_cut_def_default();
    cut.point = position_of(world, cloth, 84).x > 0 ? (pli_vec3){0.06f, 0.5f, 0} : (pli_vec3){0.06f, 0.5f, 0};
    cut.normal = (pli_vec3){1, 0, 0};
    int32_t copies = 0;
    float *before = read_positions(world, cloth);
    step(world, 1.0 / 60.0);
    must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
    holds(copies > 0, "it is cut");
    pli_view view = pli_deformable_previous_positions(world, cloth);
    near(view.count, 169 + copies, 0, "copies have previous positions");
    for (int32_t v = 0; v < 169; v++)
        near(distance(vec_of_floats(pli_view_at(view, v)), vec_of_floats(before + 3 * v)), 0.0, 0.0, "vertex %d",
             (int)v);
    for (int32_t v = 169; v < view.count; v++)
        near(distance(vec_of_floats(pli_view_at(view, v)), position_of(world, cloth, v)), 3.0 / 60.0, 0.02, "copy %d",
             (int)v);
    // Asked for no longer, and again.
    must(pli_deformable_get_def(world, cloth, &def, &problem));
    def.keep_previous = false;
    must(pli_deformable_set_def(world, cloth, &def, &problem));
    near(pli_deformable_previous_positions(world, cloth).count, 0, 0, "not kept");
    def.keep_previous = true;
    must(pli_deformable_set_def(world, cloth, &def, &problem));
    step(world, 1.0 / 60.0);
    near(pli_deformable_previous_positions(world, cloth).count, 169 + copies, 0, "kept again");
    free(before);
    pli_world_destroy(world);
}

/* ---- statistics ------------------------------------------------------------------------------------ */

static void statistics_are_sums_over_one(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_deformable cloths[3];
    for (int32_t k = 0; k < 3; k++)
        cloths[k] = drop_cloth(world, mesh_grid(6 + 4 * k, 6 + 4 * k, 0.8, PLI_GRID_ALTERNATING),
                               pose_turned(3.0 * k, (vec){1, 0, 0}, (vec){0, k == 2 ? 4.0 : 0.05 + 0.04 * k, 0}), 0.01,
                               k == 1);
    const int32_t corner[1] = {0};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = cloths[2], hold.particles = corner, hold.particle_count = 1;
    pli_attachment held;
    must(pli_attachment_create(world, &hold, &held, &problem));
    ground(world);
    for (int32_t i = 0; i < 30; i++)
        step(world, 1.0 / 60.0);
    pli_statistics whole = statistics_of(world);
    pli_contact_point *points = malloc(sizeof *points * 4096);
    int32_t count, particles = 0, fixed = 0, surface = 0, smooth = 0;
    must(pli_world_contacts(world, points, 4096, &count, &problem));
    double energy = 0.0, momentum = 0.0, most = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        pli_deformable_statistics s;
        must(pli_deformable_get_statistics(world, cloths[k], &s, &problem));
        double own = 0.0, along = 0.0;
        for (int32_t v = 0; v < vertex_count_of(world, cloths[k]); v++) {
            double m = mass_of(world, cloths[k], v);
            own += 0.5 * m * dot(velocity_of(world, cloths[k], v), velocity_of(world, cloths[k], v));
            along += m * velocity_of(world, cloths[k], v).y;
        }
        near(s.kinetic_energy, own, 1e-6 * fabs(own) + 1e-12, "cloth %d: energy", (int)k);
        near(s.momentum[1], along, 1e-6 * fabs(along) + 1e-9, "cloth %d: momentum", (int)k);
        near(s.fixed_count, k == 2, 0, "cloth %d: fixed", (int)k);
        holds(s.seconds > 0.0, "cloth %d: its time", (int)k);
        holds(s.memory > 0, "cloth %d: its memory", (int)k);
        energy += s.kinetic_energy, momentum += s.momentum[1], most = fmax(most, s.stretch_max);
        particles += s.particle_count, fixed += s.fixed_count;
        surface += s.surface_contact_count, smooth += s.contact_count - s.surface_contact_count;
        bool pushed = false;
        for (int32_t i = 0; i < count; i++)
            pushed = pushed || points[i].a.deformable.id == cloths[k].id || points[i].b.deformable.id == cloths[k].id;
        holds(!pushed || s.contact_count > 0, "cloth %d: contacts", (int)k);
        near(s.contact_count > 0, k < 2, 0, "cloth %d: the third hangs alone", (int)k);
    }
    near(energy, whole.kinetic_energy, 1e-9 + 1e-9 * energy, "energies");
    near(momentum, whole.momentum[1], 1e-9, "momenta");
    near(most, whole.stretch_max, 0.0, "stretch");
    near(particles, whole.particle_count, 0, "particles");
    near(fixed, whole.fixed_count, 0, "fixed");
    near(smooth, whole.contact_count - whole.surface_contact_count, 0, "contacts with the ground");
    holds(whole.surface_contact_count > 0, "they lie on one another");
    // Self-contact counts once, contact of two for both.
    holds(surface >= whole.surface_contact_count && surface <= 2 * whole.surface_contact_count, "contacts of surfaces");
    must(pli_deformable_destroy(world, cloths[0], &problem));
    pli_deformable_statistics s;
    must(pli_deformable_get_statistics(world, cloths[1], &s, &problem));
    near(s.contact_count, 0, 0, "after a destruction there are none, as in pli_world_contacts");
    near(pli_deformable_get_statistics(world, cloths[0], &s, &problem), PLI_STATUS_NOT_FOUND, 0, "gone");
    free(points);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(previous_positions_are_those_that_were_read),
        property(nothing_is_drawn_between_jumps),
        property(previous_positions_follow_tears_and_settings),
        property(statistics_are_sums_over_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
