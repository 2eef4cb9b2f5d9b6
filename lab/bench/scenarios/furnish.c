// Shared by the builders of scenarios: cloth, balloons, shapes, and holding particles.
#include "bench/scenarios/furnish.h"

typedef struct set_row {
    const char *type, *parameter;
    double value;
} set_row;

static pli_status add_sets(pli_world *world, pli_deformable deformable, const set_row *rows, int32_t count,
                           pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < count && status == PLI_STATUS_OK; i++) {
        const pli_parameter_value value = {rows[i].parameter, rows[i].value};
        pli_constraints set;
        pli_constraints_def def = pli_constraints_def_default();
        def.deformable = deformable;
        def.type = rows[i].type;
        def.parameters = &value;
        def.parameter_count = rows[i].parameter != NULL;
        status = pli_constraints_create(world, &def, &set, error);
    }
    return status;
}

pli_status bench_add_cloth_sets(pli_world *world, pli_deformable cloth, pli_error *error)
{
    static const set_row rows[] = {{"distance", NULL, 0.0}, {"isometric", "rigidity", 1e-4}};
    return add_sets(world, cloth, rows, 2, error);
}

pli_status bench_add_balloon_sets(pli_world *world, pli_deformable balloon, double compliance, double pressure,
                                  pli_error *error)
{
    const set_row rows[] = {
        {"distance", "compliance", compliance}, {"isometric", "rigidity", 1e-4}, {"volume", "pressure", pressure}};
    return add_sets(world, balloon, rows, 3, error);
}

pli_status bench_add_cloth(bench_live *live, pli_mesh *mesh, pli_transform pose, bool self_collision,
                           pli_deformable *cloth, pli_error *error)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = pose;
    def.self_collision = self_collision;
    pli_status status = pli_deformable_create(live->world, &def, cloth, error);
    pli_mesh_destroy(mesh);
    return status == PLI_STATUS_OK ? bench_add_cloth_sets(live->world, *cloth, error) : status;
}

pli_status bench_add_shape(pli_world *world, pli_shape shape, float radius, pli_vec3 position, pli_error *error)
{
    pli_collider made;
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape;
    def.radius = radius;
    def.pose.position = position;
    return pli_collider_create(world, &def, &made, error);
}

pli_status bench_add_ground(pli_world *world, pli_error *error)
{
    pli_collider made;
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    return pli_collider_create(world, &def, &made, error);
}

pli_status bench_hold(bench_live *live, pli_deformable cloth, const int32_t *particles, int32_t count,
                      pli_transform pose, bench_actor *actor, pli_error *error)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth;
    def.particles = particles;
    def.particle_count = count;
    def.pose = pose;
    return pli_attachment_create(live->world, &def, &actor->attachment, error);
}
