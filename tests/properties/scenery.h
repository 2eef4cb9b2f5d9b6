// A world with one of everything: each type of the table on bodies it fits, contacts, an attachment.
#ifndef PLIANT_TESTS_SCENERY_H
#define PLIANT_TESTS_SCENERY_H

#include "samples.h"
#include "worlds.h"

// Whether the list, which ends with NULL, has the name. No list has every name.
static UNUSED bool is_listed(const char *const *names, const char *name)
{
    for (int32_t i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return !names;
}

// Adds a set of every listed type that has a generator for this mesh. Returns how many there are.
static UNUSED int32_t constrain_with(pli_world *world, pli_deformable body, const char *const *types, bool soft)
{
    int32_t count = 0;
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        pli_constraints_def def = pli_constraints_def_default();
        def.deformable = body;
        def.type = type->name;
        pli_constraints set;
        if (!type->generator || !is_listed(types, type->name) || pli_constraints_create(world, &def, &set, NULL))
            continue;
        count++;
        if (!soft || strcmp(type->name, "distance") == 0)
            continue;
        tune(world, set, "stiffness", 0.05);
        tune(world, set, "compliance", 0.02);
        tune(world, set, "damping", 0.001);
    }
    return count;
}

static UNUSED int32_t constrain_with_all(pli_world *world, pli_deformable body, bool soft)
{
    return constrain_with(world, body, NULL, soft);
}

static UNUSED void scatter(pli_world *world, pli_deformable body, double by)
{
    int32_t count = vertex_count_of(world, body);
    float *positions = malloc(sizeof *positions * 3 * (size_t)count);
    float *masses = malloc(sizeof *masses * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        vec p = add(position_of(world, body, i), random_vec(by));
        positions[3 * i] = (float)p.x, positions[3 * i + 1] = (float)p.y, positions[3 * i + 2] = (float)p.z;
        masses[i] = (float)(uniform(0.5, 2.0) / fmax(1e-9, mass_of(world, body, i)));
    }
    must(pli_deformable_set_positions(world, body, 0, count, positions, &problem));
    weigh(world, body, masses, count);
    free(positions);
    free(masses);
}

// An uneven sheet whose vertices are not where they are at rest, kept from stretching by its constraints alone.
static UNUSED pli_deformable scattered_sheet(pli_world *world, int32_t columns, int32_t rows, pli_grid_pattern pattern)
{
    pli_mesh *flat = mesh_grid(columns, rows, 1.0, pattern), *mesh = mesh_jittered(flat, 0.1, 0.05);
    pli_deformable_def sheet = pli_deformable_def_default();
    sheet.mesh = mesh;
    sheet.stretch = PLI_STRETCH_SWEPT;
    pli_deformable body;
    must(pli_deformable_create(world, &sheet, &body, &problem));
    scatter(world, body, 0.1 * mean_edge(mesh));
    pli_mesh_destroy(mesh);
    return body;
}

enum { SMALL = 12, LARGE = 60 }; ///< Vertices along the sheet: LARGE is shared out to threads, SMALL is not.

// A ball and a held sheet with every listed type on each, over a sphere, a box, a capsule and the ground.
static UNUSED void furnish_with(pli_world *world, int32_t side, const char *const *types)
{
    random_state = 77;
    pli_mesh *sheet = mesh_grid(side, side - 1, 1.2, PLI_GRID_ALTERNATING);
    pli_mesh *meshes[2] = {mesh_ball(2, 0.05), mesh_jittered(sheet, 0.1, 0.05)};
    for (int32_t m = 0; m < 2; m++) {
        pli_deformable_def def = pli_deformable_def_default();
        def.mesh = meshes[m];
        def.pose.position = (pli_vec3){0.2f * (float)m, 0.52f + 0.65f * (float)m, 0.0f};
        def.thickness = 0.02f;
        pli_deformable body;
        must(pli_deformable_create(world, &def, &body, &problem));
        scatter(world, body, 0.05 * mean_edge(meshes[m]));
        constrain_with(world, body, types, true);
        pli_mesh_destroy(meshes[m]);
    }
    const int32_t corners[2] = {0, side - 1};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = pli_world_deformable_at(world, 1);
    hold.particles = corners;
    hold.particle_count = 2;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    const int32_t middle[1] = {side * (side / 2)};
    hold.particles = middle;
    hold.particle_count = 1;
    hold.fixed = false;
    hold.compliance = 0.01;
    hold.stiffness = 0.3;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    for (int32_t shape = 0; shape < PLI_SHAPE_HULL; shape++) {
        pli_collider_def def = pli_collider_def_default();
        def.shape = (pli_shape)shape;
        def.radius = 0.2f;
        def.half_height = 0.3f;
        def.half_extents = (pli_vec3){0.2f, 0.1f, 0.3f};
        def.friction = 0.4f;
        def.restitution = 0.2f * (float)shape;
        if (shape)
            def.pose.position = (pli_vec3){-0.8f + 0.4f * (float)shape, 0.1f, 0.1f};
        pli_collider collider;
        must(pli_collider_create(world, &def, &collider, &problem));
    }
}

static UNUSED void furnish(pli_world *world, int32_t side) { furnish_with(world, side, NULL); }

static UNUSED pli_world_def furnished_def(pli_method method, pli_order order)
{
    pli_world_def def = pli_world_def_default();
    def.settings.method = method;
    def.settings.substeps = 3;
    def.settings.iterations = 2;
    def.settings.damping = 3.1f;
    def.settings.wind = (pli_vec3){1.0f, 0.0f, 0.5f};
    def.settings.air_density = 1.2f;
    def.order = order;
    return def;
}

static UNUSED pli_world *furnished_world(const pli_world_def *def, int32_t side)
{
    pli_world *world = world_from(def);
    furnish(world, side);
    return world;
}

static UNUSED uint64_t hash_after(const pli_world_def *def, int32_t side, int32_t steps)
{
    pli_world *world = furnished_world(def, side);
    for (int32_t i = 0; i < steps; i++)
        step(world, 1.0 / 60.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

#endif
