// Creates worlds of one deformable, and runs and reads them.
#include "base/lab_world.h"

#include <pliant/constraint_type.h>
#include <pliant/mesh_file.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

static void destroy_mesh(void *mesh) { pli_mesh_destroy(mesh); }

static void destroy_world(void *world) { pli_world_destroy(world); }

static void log_errors(void *user, pli_log_level level, const char *message)
{
    (void)user;
    if (level == PLI_LOG_ERROR)
        fprintf(stderr, "pliant: error: %s\n", message);
}

pli_hooks lab_hooks(void)
{
    pli_hooks hooks = pli_hooks_default();
    hooks.log = log_errors;
    return hooks;
}

pli_settings lab_settings(pli_method method, int32_t substeps, int32_t iterations)
{
    pli_settings settings = pli_world_def_default().settings;
    settings.method = method;
    settings.substeps = substeps;
    settings.iterations = iterations;
    settings.gravity = (pli_vec3){0};
    return settings;
}

lab_body_def lab_paper_def(const pli_mesh *mesh, int32_t iterations)
{
    lab_body_def def = {.mesh = mesh,
                        .settings = lab_settings(PLI_METHOD_PBD, 1, iterations),
                        .order = PLI_ORDER_SEQUENTIAL,
                        .simd = PLI_SIMD_SCALAR};
    def.settings.keep_momentum = false;
    def.settings.sweeps = PLI_SWEEPS_FORWARD;
    return def;
}

lab_set lab_paper_set(const char *type)
{
    const pli_constraint_type *row = type ? pli_constraint_type_find(type) : NULL;
    lab_set set = {.type = type};
    for (int32_t i = 0; row && row->bending && i < row->parameter_count; i++)
        if (strcmp(row->parameters[i].name, "change_limit") == 0)
            set.values[0] = (pli_parameter_value){"change_limit", row->parameters[i].maximum};
    return set;
}

void lab_say_paper(lab *l, int32_t iterations)
{
    lab_say(l,
            "Solved as the papers' programs do, not by our defaults: PBD, Algorithm 1 as printed, one substep a frame "
            "with %d sweeps, all in one direction and in order of creation, no limit on a projection, velocities from "
            "positions without momenta restored, scalar.\n\n",
            (int)iterations);
}

const pli_mesh *lab_mesh_keep(lab *l, pli_mesh *mesh)
{
    if (!lab_ok(l))
        return NULL;
    lab_keep(l, mesh, destroy_mesh);
    return mesh;
}

const pli_mesh *lab_grid(lab *l, int32_t columns, int32_t rows, float width, float depth, pli_grid_pattern pattern)
{
    pli_mesh *mesh = NULL;
    pli_error error;
    lab_note(l, pli_mesh_create_grid(columns, rows, width, depth, pattern, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

const pli_mesh *lab_sphere(lab *l, int32_t subdivisions, float radius)
{
    pli_mesh *mesh = NULL;
    pli_error error;
    lab_note(l, pli_mesh_create_sphere(subdivisions, radius, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

const pli_mesh *lab_mesh_make(lab *l, const float *positions, int32_t count, const int32_t *triangles,
                              int32_t triangle_count)
{
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh = NULL;
    pli_error error;
    def.positions = positions;
    def.vertex_count = count;
    def.face_vertices = triangles;
    def.face_count = triangle_count;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

const pli_mesh *lab_mesh_file(lab *l, const char *name, float scale)
{
    pli_mesh *mesh = NULL;
    pli_error error;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.scale = scale;
    lab_note(l, pli_mesh_read(lab_scene_path(l, name), &import, &mesh, NULL, &error), &error);
    return lab_mesh_keep(l, mesh);
}

static void make_sets(lab *l, const lab_body_def *def, lab_body *body)
{
    pli_error error;
    for (int32_t i = 0; i < LAB_SETS_MAX && def->sets[i].type && lab_ok(l); i++) {
        const lab_set *set = &def->sets[i];
        pli_constraints_def made = pli_constraints_def_default();
        made.deformable = body->deformable;
        made.name = set->name;
        made.type = set->type;
        made.generator = set->generator;
        made.parameters = set->values;
        made.particles = set->particles;
        made.constraint_count = set->constraint_count;
        made.keep_lambda = set->keep_lambda;
        while (made.parameter_count < LAB_VALUES_MAX && set->values[made.parameter_count].name)
            made.parameter_count++;
        lab_note(l, pli_constraints_create(body->world, &made, &body->sets[i], &error), &error);
    }
}

static void fill_deformable(const lab_body_def *def, pli_deformable_def *made)
{
    made->self_collision = def->self_collision;
    made->self_contact = def->self_contact;
    if (def->density > 0.0f)
        made->density = def->density;
    if (def->thickness > 0.0f)
        made->thickness = def->thickness;
    if (def->friction > 0.0f)
        made->friction = def->friction;
    made->plate = def->plate;
    made->stretch = def->stretch == PLI_STRETCH_AUTO && !def->automatic ? PLI_STRETCH_SWEPT : def->stretch;
    if (def->tearing > 0.0f)
        made->tearing.stretch = def->tearing;
    pli_quat turn = def->pose.rotation;
    made->pose.position = def->pose.position;
    if (turn.x != 0.0f || turn.y != 0.0f || turn.z != 0.0f || turn.w != 0.0f)
        made->pose.rotation = turn;
}

lab_body lab_body_add(lab *l, pli_world *world, const lab_body_def *def)
{
    lab_body body = {.world = world, .mesh = def->mesh};
    pli_error error;
    if (!lab_ok(l))
        return (lab_body){0};
    pli_deformable_def deformable_def = pli_deformable_def_default();
    deformable_def.mesh = def->mesh;
    deformable_def.positions = def->positions;
    deformable_def.velocity = def->velocity;
    fill_deformable(def, &deformable_def);
    lab_note(l, pli_deformable_create(world, &deformable_def, &body.deformable, &error), &error);
    body.count = pli_mesh_topology(def->mesh)->vertex_count;
    make_sets(l, def, &body);
    return lab_ok(l) ? body : (lab_body){0};
}

lab_body lab_body_make(lab *l, const lab_body_def *def)
{
    pli_world *world;
    pli_error error;
    if (!lab_ok(l))
        return (lab_body){0};
    pli_world_def world_def = pli_world_def_default();
    world_def.settings = def->settings;
    world_def.order = def->order;
    world_def.simd = def->simd;
    world_def.hooks = lab_hooks();
    lab_note(l, pli_world_create(&world_def, &world, &error), &error);
    if (!lab_ok(l))
        return (lab_body){0};
    lab_keep(l, world, destroy_world);
    return lab_body_add(l, world, def);
}

static void destroy_scene(void *scene) { pli_scene_destroy(scene); }

lab_scene lab_scene_open(lab *l, const char *name, const char *const *settings, int32_t count)
{
    lab_scene s = {0};
    pli_error error;
    if (!lab_ok(l))
        return s;
    pli_scene_load_def load = pli_scene_load_def_default();
    load.path = lab_scene_path(l, name);
    load.overrides = settings;
    load.override_count = count;
    lab_note(l, pli_scene_load(&load, &s.scene, &error), &error);
    if (!lab_ok(l))
        return (lab_scene){0};
    lab_keep(l, s.scene, destroy_scene);
    pli_scene_world_def def = pli_scene_world_def_default();
    def.hooks = lab_hooks();
    lab_note(l, pli_scene_create_world(s.scene, &def, &s.world, &error), &error);
    if (!lab_ok(l))
        return (lab_scene){0};
    lab_keep(l, s.world, destroy_world);
    return s;
}

double lab_scene_step(lab *l, const lab_scene *s, int32_t frame)
{
    pli_error error;
    clock_t start = clock();
    if (lab_ok(l))
        lab_note(l, pli_scene_step(s->scene, s->world, frame, &error), &error);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

lab_body lab_body_of(lab *l, pli_world *world, int32_t i)
{
    lab_body body = {.world = world};
    pli_error error;
    int32_t count = 0;
    if (!lab_ok(l))
        return (lab_body){0};
    body.deformable = pli_world_deformable_at(world, i);
    body.mesh = pli_deformable_rest_mesh(world, body.deformable);
    body.count = pli_mesh_topology(body.mesh)->vertex_count;
    for (int32_t k = 0; k < pli_world_constraints_count(world) && count < LAB_SETS_MAX; k++) {
        pli_constraints_info info;
        pli_constraints set = pli_world_constraints_at(world, k);
        lab_note(l, pli_constraints_get_info(world, set, &info, &error), &error);
        if (info.deformable.id == body.deformable.id)
            body.sets[count++] = set;
    }
    return body;
}

pli_collider lab_collider(lab *l, const lab_body *body, const pli_collider_def *def)
{
    pli_collider collider = {0};
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_collider_create(body->world, def, &collider, &error), &error);
    return collider;
}

void lab_ground(lab *l, const lab_body *body, float friction)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    def.friction = friction;
    lab_collider(l, body, &def);
}

double lab_step(lab *l, pli_world *world, float dt)
{
    pli_error error;
    clock_t start = clock();
    lab_heed_cancel(l);
    if (lab_ok(l))
        lab_note(l, pli_world_step(world, dt, &error), &error);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

bool lab_try_step(lab *l, pli_world *world, float dt)
{
    pli_error error;
    lab_heed_cancel(l);
    if (!lab_ok(l))
        return false;
    pli_status status = pli_world_step(world, dt, &error);
    if (status != PLI_STATUS_NON_FINITE)
        lab_note(l, status, &error);
    return status == PLI_STATUS_OK;
}

lab_motion lab_motion_of(const lab_body *body)
{
    lab_motion sum = {0};
    int32_t stride;
    if (!body->world)
        return sum;
    pli_view places = pli_deformable_positions(body->world, body->deformable);
    pli_view velocities = pli_deformable_velocities(body->world, body->deformable);
    const float *masses = pli_deformable_inverse_masses(body->world, body->deformable, &stride);
    for (int32_t i = 0; i < places.count; i++) {
        const float *x = pli_view_at(places, i), *v = pli_view_at(velocities, i);
        double w = (double)*pli_view_at((pli_view){masses, places.count, stride}, i), m = w > 0.0 ? 1.0 / w : 0.0;
        sum.mass += m;
        for (int32_t k = 0; k < 3; k++) {
            int32_t a = (k + 1) % 3, b = (k + 2) % 3;
            sum.centre[k] += m * (double)x[k];
            sum.momentum[k] += m * (double)v[k];
            sum.angular[k] += m * ((double)x[a] * (double)v[b] - (double)x[b] * (double)v[a]);
            sum.energy += 0.5 * m * (double)v[k] * (double)v[k];
        }
    }
    for (int32_t k = 0; k < 3 && sum.mass > 0.0; k++)
        sum.centre[k] /= sum.mass;
    return sum;
}

void lab_positions(const lab_body *body, float *positions)
{
    if (!body->world)
        return;
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    for (int32_t i = 0; i < view.count; i++)
        for (int32_t k = 0; k < 3; k++)
            positions[3 * i + k] = pli_view_at(view, i)[k];
}

void lab_place(lab *l, const lab_body *body, const float *positions)
{
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_positions(body->world, body->deformable, 0, body->count, positions, &error),
                 &error);
}

void lab_slow(lab *l, const lab_body *body, double left)
{
    pli_error error;
    if (!lab_ok(l))
        return;
    int32_t mark = lab_mark(l);
    float *velocities = lab_memory(l, 3 * (size_t)body->count, sizeof *velocities);
    pli_view now = pli_deformable_velocities(body->world, body->deformable);
    for (int32_t i = 0; i < 3 * body->count; i++)
        velocities[i] = (float)left * pli_view_at(now, i / 3)[i % 3];
    lab_note(l, pli_deformable_set_velocities(body->world, body->deformable, 0, body->count, velocities, &error),
             &error);
    lab_release_to(l, mark);
}

void lab_stop(lab *l, const lab_body *body) { lab_slow(l, body, 0.0); }

void lab_hold(lab *l, const lab_body *body, int32_t particle)
{
    pli_error error;
    const float nothing = 0.0f;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body->world, body->deformable, particle, 1, &nothing, &error),
                 &error);
}

pli_residual lab_residual(lab *l, const lab_body *body, int32_t set)
{
    pli_error error;
    pli_residual residual = {0};
    if (lab_ok(l))
        lab_note(l, pli_constraints_get_residual(body->world, body->sets[set], &residual, &error), &error);
    return residual;
}

int32_t lab_set_count(lab *l, const lab_body *body, int32_t set)
{
    pli_error error;
    pli_constraints_info info = {0};
    if (lab_ok(l))
        lab_note(l, pli_constraints_get_info(body->world, body->sets[set], &info, &error), &error);
    return info.constraint_count;
}

void lab_set_parameter(lab *l, const lab_body *body, int32_t set, const char *name, double value)
{
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_constraints_set_parameter(body->world, body->sets[set], name, value, &error), &error);
}

pli_statistics lab_statistics(const lab *l, const lab_body *body)
{
    pli_statistics statistics = {0};
    if (lab_ok(l))
        pli_world_get_statistics(body->world, &statistics);
    return statistics;
}
