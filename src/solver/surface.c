// What is done by faces: vertex normals, and the push of the wind.
//
// Both run in two passes, over triangles and then over vertices that gather their own triangles,
// so that no two threads write to one place and the sums have one order.
#include "solver/body.h"

bool pli_body_reserve_faces(pli_world *world, pli_body *body)
{
    int64_t room = (body->shape.triangle_count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    if (!body->faces)
        body->faces = PLI_ALLOCATE(&world->memory, pli_particle, room);
    if (!body->corners)
        body->corners = PLI_ALLOCATE(&world->memory, int32_t, 3 * room);
    return body->faces && body->corners;
}

bool pli_body_reserve_normals(pli_world *world, pli_body *body)
{
    if (!body->normals)
        body->normals = PLI_ALLOCATE(&world->memory, pli_particle, (int64_t)body->capacity + 1);
    return body->normals && pli_body_reserve_faces(world, body);
}

// Corners of triangles, the first of all of them first.
static void lay_corners(pli_body *body, int32_t room)
{
    for (int32_t t = 0; t < body->shape.triangle_count; t++)
        for (int32_t k = 0; k < 3; k++)
            body->corners[k * room + t] = pli_place(body, body->shape.triangles[3 * t + k]);
    body->has_corners = true;
}

static pli_wind wind_of(pli_body *body, const pli_particle *positions)
{
    const pli_faces *shape = &body->shape;
    int32_t room = (shape->triangle_count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    if (!body->has_corners)
        lay_corners(body, room);
    return (pli_wind){
        .positions = positions,
        .velocities = body->velocities,
        .normals = body->normals,
        .corners = {body->corners, body->corners + room, body->corners + 2 * room},
        .faces = body->faces,
        .vertices = body->vertices,
        .begins = shape->triangle_begins,
        .ends = shape->triangle_ends,
        .around = shape->vertex_triangles,
    };
}

void pli_body_update_normals(pli_world *world, pli_body *body, const pli_particle *positions)
{
    pli_wind wind = wind_of(body, positions);
    pli_parallel(world, body->shape.triangle_count, PLI_PARTICLE_GRAIN, world->kernels->wind->area, &wind);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->wind->normal, &wind);
}

void pli_body_blow(pli_world *world, pli_body *body, float step)
{
    pli_wind wind = wind_of(body, body->particles);
    wind.wind = world->settings.wind;
    wind.air_density = world->settings.air_density;
    wind.step = step;
    pli_parallel(world, body->shape.triangle_count, PLI_PARTICLE_GRAIN, world->kernels->wind->push, &wind);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->wind->blow, &wind);
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
