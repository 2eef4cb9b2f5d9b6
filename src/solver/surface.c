// What is done by faces: vertex normals, and the push of the wind.
//
// Both run in two passes, over triangles and then over vertices that gather their own triangles,
// so that no two threads write to one place and the sums have one order.
#include "solver/body.h"

typedef struct surface_job {
    pli_body *body;
    const pli_faces *shape;
    const pli_particle *positions;
    pli_vec3 wind;
    float air_density, step;
} surface_job;

static pli_vec3 place(const pli_particle *p)
{
    return (pli_vec3){p->x, p->y, p->z};
}

bool pli_body_reserve_faces(pli_world *world, pli_body *body)
{
    int32_t triangles = body->shape.triangle_count;
    if (!body->faces)
        body->faces = PLI_ALLOCATE(&world->memory, pli_particle, triangles);
    return body->faces != NULL;
}

bool pli_body_reserve_normals(pli_world *world, pli_body *body)
{
    if (!body->normals)
        body->normals = PLI_ALLOCATE(&world->memory, pli_particle, (int64_t)body->capacity + 1);
    return body->normals && pli_body_reserve_faces(world, body);
}

static void corners_of(const surface_job *job, int32_t triangle, int32_t *corners)
{
    for (int32_t k = 0; k < 3; k++)
        corners[k] = pli_place(job->body, job->shape->triangles[3 * triangle + k]);
}

// Twice the area times the unit normal.
static pli_vec3 area_normal(const surface_job *job, const int32_t *corners)
{
    pli_vec3 a = place(&job->positions[corners[0]]);
    return pli_cross(pli_sub(place(&job->positions[corners[1]]), a), pli_sub(place(&job->positions[corners[2]]), a));
}

static void measure_faces(void *data, int32_t begin, int32_t end)
{
    const surface_job *job = data;
    for (int32_t t = begin; t < end; t++) {
        int32_t corners[3];
        corners_of(job, t, corners);
        pli_vec3 n = area_normal(job, corners);
        job->body->faces[t] = (pli_particle){n.x, n.y, n.z, 0.0f};
    }
}

static pli_vec3 sum_around(const surface_job *job, int32_t vertex)
{
    const pli_faces *shape = job->shape;
    pli_vec3 sum = {0};
    for (int32_t i = shape->triangle_begins[vertex]; i < shape->triangle_ends[vertex]; i++)
        sum = pli_add(sum, place(&job->body->faces[shape->vertex_triangles[i]]));
    return sum;
}

static void gather_normals(void *data, int32_t begin, int32_t end)
{
    const surface_job *job = data;
    for (int32_t vertex = begin; vertex < end; vertex++) {
        pli_vec3 sum = sum_around(job, vertex);
        float length = pli_length(sum);
        pli_vec3 n = length > 0.0f ? pli_scale(sum, 1.0f / length) : (pli_vec3){0};
        job->body->normals[pli_place(job->body, vertex)] = (pli_particle){n.x, n.y, n.z, 0.0f};
    }
}

void pli_body_update_normals(pli_world *world, pli_body *body, const pli_particle *positions)
{
    surface_job job = {.body = body, .shape = &body->shape, .positions = positions};
    pli_parallel(world, job.shape->triangle_count, PLI_PARTICLE_GRAIN, measure_faces, &job);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, gather_normals, &job);
}

// Pressure of the air's normal speed on a plate, rho |u_n| u_n A, for each corner a third. The
// change of velocity is taken so that it never passes the air's own, however light the cloth.
static void push_faces(void *data, int32_t begin, int32_t end)
{
    const surface_job *job = data;
    for (int32_t t = begin; t < end; t++) {
        int32_t corners[3];
        corners_of(job, t, corners);
        pli_vec3 doubled = area_normal(job, corners), velocity = {0};
        float length = pli_length(doubled), weight = 0.0f;
        for (int32_t k = 0; k < 3; k++) {
            velocity = pli_add(velocity, place(&job->body->velocities[corners[k]]));
            weight += job->positions[corners[k]].w * (1.0f / 3.0f);
        }
        pli_vec3 n = length > 0.0f ? pli_scale(doubled, 1.0f / length) : (pli_vec3){0};
        float speed = pli_dot(pli_sub(job->wind, pli_scale(velocity, 1.0f / 3.0f)), n);
        float per_speed = job->air_density * fabsf(speed) * 0.5f * length * (1.0f / 3.0f);
        float impulse = per_speed * speed * job->step / (1.0f + per_speed * job->step * weight);
        pli_vec3 push = pli_scale(n, impulse);
        job->body->faces[t] = (pli_particle){push.x, push.y, push.z, 0.0f};
    }
}

static void gather_pushes(void *data, int32_t begin, int32_t end)
{
    const surface_job *job = data;
    for (int32_t vertex = begin; vertex < end; vertex++) {
        int32_t i = pli_place(job->body, vertex);
        pli_particle *v = &job->body->velocities[i];
        pli_vec3 change = pli_scale(sum_around(job, vertex), job->body->particles[i].w);
        v->x += change.x, v->y += change.y, v->z += change.z;
    }
}

void pli_body_blow(pli_world *world, pli_body *body, float step)
{
    surface_job job = {.body = body, .shape = &body->shape, .positions = body->particles,
                       .wind = world->settings.wind, .air_density = world->settings.air_density, .step = step};
    pli_parallel(world, job.shape->triangle_count, PLI_PARTICLE_GRAIN, push_faces, &job);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, gather_pushes, &job);
}

pli_view pli_deformable_normals(pli_world *world, pli_deformable deformable)
{
    pli_body *body = pli_body_get(world, deformable, NULL);
    if (!body || body->count == 0)
        return (pli_view){0};
    if (!body->user_normals)
        body->user_normals = PLI_ALLOCATE(&world->memory, pli_particle, body->capacity);
    if (!body->user_normals || !pli_body_reserve_normals(world, body))
        return (pli_view){0};
    if (!body->user_normals_fresh) {
        pli_body_update_normals(world, body, body->particles);
        for (int32_t vertex = 0; vertex < body->count; vertex++)
            body->user_normals[vertex] = body->normals[pli_place(body, vertex)];
        body->user_normals_fresh = true;
    }
    return (pli_view){&body->user_normals->x, body->count, sizeof *body->user_normals};
}
