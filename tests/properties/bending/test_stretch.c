// How the stretch of a deformable is found: the engine's choice, and what of a request can be met.
#include "sheets.h"
#include "worlds.h"

typedef struct choice_case {
    const char *name;
    const char *types[2];
    bool rope, joints, limited;
    pli_order order;
    pli_method method;
    pli_stretch requested, effective;
} choice_case;

static const choice_case cases[] = {
    {.name = "a membrane", .types = {"membrane"}, .effective = PLI_STRETCH_SOLVED},
    {.name = "a membrane and what bends", .types = {"membrane", "isometric"}, .effective = PLI_STRETCH_SOLVED},
    {.name = "edges", .types = {"distance"}, .effective = PLI_STRETCH_SWEPT},
    {.name = "edges beside a membrane", .types = {"membrane", "distance"}, .effective = PLI_STRETCH_SOLVED},
    {.name = "joints beside a membrane", .types = {"membrane"}, .joints = true, .effective = PLI_STRETCH_SOLVED},
    {.name = "a rope", .types = {"distance"}, .rope = true, .effective = PLI_STRETCH_SOLVED},
    {.name = "a membrane with a limit", .types = {"membrane"}, .limited = true, .effective = PLI_STRETCH_SWEPT},
    {.name = "a membrane in sequence",
     .types = {"membrane"},
     .order = PLI_ORDER_SEQUENTIAL,
     .effective = PLI_STRETCH_SWEPT},
    {.name = "a membrane under PBD", .types = {"membrane"}, .method = PLI_METHOD_PBD, .effective = PLI_STRETCH_SWEPT},
    {.name = "a membrane that is swept",
     .types = {"membrane"},
     .requested = PLI_STRETCH_SWEPT,
     .effective = PLI_STRETCH_SWEPT},
    {.name = "edges that are solved",
     .types = {"distance"},
     .requested = PLI_STRETCH_SOLVED,
     .effective = PLI_STRETCH_SOLVED},
    {.name = "edges that cannot be solved",
     .types = {"distance"},
     .order = PLI_ORDER_SEQUENTIAL,
     .requested = PLI_STRETCH_SOLVED,
     .effective = PLI_STRETCH_SWEPT},
};

static pli_mesh *mesh_of(const choice_case *c)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    pli_mesh_def line = pli_mesh_def_default();
    pli_mesh *mesh = NULL;
    line.positions = points, line.vertex_count = 3;
    if (!c->rope)
        return mesh_grid(5, 5, 1.0, PLI_GRID_ALTERNATING);
    must(pli_mesh_create(&line, &mesh, &problem));
    return mesh;
}

static void list(pli_world *world, pli_deformable cloth, const int32_t *particles, int32_t count)
{
    pli_constraints_def def = pli_constraints_def_default();
    pli_constraints set;
    def.deformable = cloth, def.type = "distance", def.particles = particles, def.constraint_count = count;
    must(pli_constraints_create(world, &def, &set, &problem));
}

static void the_choice_follows_what_there_is(void **state)
{
    (void)state;
    static const int32_t links[4] = {0, 1, 1, 2};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        const choice_case *c = &cases[i];
        pli_world_def world_def = pli_world_def_default();
        world_def.order = c->order, world_def.settings.method = c->method;
        pli_world *world = world_from(&world_def);
        pli_mesh *mesh = mesh_of(c);
        pli_deformable_def def = pli_deformable_def_default();
        pli_deformable cloth;
        pli_stretch requested, effective;
        def.mesh = mesh, def.stretch = c->requested;
        must(pli_deformable_create(world, &def, &cloth, &problem));
        if (c->rope || c->joints)
            list(world, cloth, links, c->rope ? 2 : 1);
        for (int32_t k = 0; k < 2 && c->types[k] && !c->rope; k++) {
            const pli_constraints set = constrain(world, cloth, c->types[k], NULL);
            if (c->limited)
                tune(world, set, "strain_limit", 0.1);
        }
        must(pli_deformable_get_stretch(world, cloth, &requested, &effective, &problem));
        holds(requested == c->requested && effective == c->effective, "%s: requested %s, effective %s", c->name,
              pli_choice_name("stretch", (int32_t)requested), pli_choice_name("stretch", (int32_t)effective));
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
}

// A world may change its mind between steps; the equations are part of the deformable's memory while there are any.
static void a_request_acts_from_the_next_step_on(void **state)
{
    (void)state;
    const pli_world_def usual = pli_world_def_default();
    pli_world *world = world_from(&usual);
    pli_mesh *mesh = mesh_grid(9, 9, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable cloth = deform(world, mesh, NULL);
    constrain(world, cloth, "membrane", NULL);
    const pli_stretch requests[] = {PLI_STRETCH_SWEPT, PLI_STRETCH_SOLVED, PLI_STRETCH_SWEPT, PLI_STRETCH_AUTO};
    uint64_t memory[COUNT_OF(requests)];
    for (int32_t i = 0; i < COUNT_OF(requests); i++) {
        pli_stretch requested, effective;
        pli_deformable_statistics s;
        must(pli_deformable_set_stretch(world, cloth, requests[i], &problem));
        must(pli_deformable_get_stretch(world, cloth, &requested, NULL, &problem));
        must(pli_deformable_get_stretch(world, cloth, NULL, &effective, &problem));
        holds(requested == requests[i] && (effective == PLI_STRETCH_SOLVED) == (i % 2 == 1), "%s: %s",
              pli_choice_name("stretch", (int32_t)requests[i]), pli_choice_name("stretch", (int32_t)effective));
        step(world, 1.0 / 60.0);
        must(pli_deformable_get_statistics(world, cloth, &s, &problem));
        memory[i] = s.memory;
    }
    holds(memory[0] == memory[2] && memory[1] == memory[3] && memory[1] > memory[0] + 1000, "%d and %d bytes",
          (int)memory[0], (int)memory[1]);
    holds(pli_deformable_set_stretch(world, cloth, PLI_STRETCH_COUNT, &problem) == PLI_STATUS_INVALID_ARGUMENT &&
              pli_deformable_set_stretch(world, cloth, (pli_stretch)-1, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "values that are none");
    must(pli_deformable_get_stretch(world, cloth, NULL, NULL, &problem));
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(the_choice_follows_what_there_is),
                                       property(a_request_acts_from_the_next_step_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
