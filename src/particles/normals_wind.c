// Vertex normals, and the forces of the wind and of a painted pressure on the triangles of a deformable.
//
// Both run in two passes, over triangles and then over vertices, and each vertex gathers from its own triangles. So no
// two threads write to one location, and every sum has one order:
//
//   pass 1, triangles    corners --> faces[t]     area normal
//   pass 2, vertices     faces[t] of the triangles around v --> normal of v, or its velocity in the air
#include "particles/normals_wind.h"

#include "model/handles.h"
#include "model/model.h"
#include "model/parallel.h"
#include "particles/air.h"
#include "particles/wind_kernels.h"

bool pli_deformable_reserve_faces(pli_world *world, pli_deformable_data *deformable)
{
    int64_t stride = (deformable->shape.triangle_count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    if (!deformable->normals->faces)
        deformable->normals->faces = PLI_ALLOCATE(&world->memory, pli_particle, stride);
    if (!deformable->normals->corners)
        deformable->normals->corners = PLI_ALLOCATE(&world->memory, int32_t, 3 * stride);
    return deformable->normals->faces && deformable->normals->corners;
}

bool pli_deformable_reserve_normals(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->normals->at)
        deformable->normals->at = PLI_ALLOCATE(&world->memory, pli_particle, (int64_t)deformable->capacity + 1);
    return deformable->normals->at && pli_deformable_reserve_faces(world, deformable);
}

// Writes the internal indices of the corners as a structure of arrays: the first corners of all triangles, then the
// second, then the third, each padded to `stride`.
static void fill_corners(pli_deformable_data *deformable, int32_t stride)
{
    for (int32_t t = 0; t < deformable->shape.triangle_count; t++)
        for (int32_t k = 0; k < 3; k++)
            deformable->normals->corners[k * stride + t] = pli_place(deformable,
                                                                     deformable->shape.triangles[3 * t + k]);
    deformable->normals->has_corners = true;
}

static pli_wind wind_of(pli_deformable_data *deformable, const pli_particle *positions)
{
    const pli_faces *shape = &deformable->shape;
    int32_t stride = (shape->triangle_count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    if (!deformable->normals->has_corners)
        fill_corners(deformable, stride);
    return (pli_wind){
        .positions = positions,
        .velocities = deformable->velocities,
        .normals = deformable->normals->at,
        .corners = {deformable->normals->corners, deformable->normals->corners + stride,
                    deformable->normals->corners + 2 * stride},
        .faces = deformable->normals->faces,
        .vertices = deformable->vertices,
        .begins = shape->triangle_begins,
        .ends = shape->triangle_ends,
        .around = shape->vertex_triangles,
    };
}

void pli_deformable_update_normals(pli_world *world, pli_deformable_data *deformable, const pli_particle *positions)
{
    pli_wind wind = wind_of(deformable, positions);
    pli_parallel(world, deformable->shape.triangle_count, PLI_PARTICLE_GRAIN, world->kernels->wind->area, &wind);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->wind->normal, &wind);
}

// Limits L / D, so that lift alone cannot make the weights infinite (particles/wind_kernels.h).
static const float most_lift_over_drag = 100.0f;

void pli_deformable_add_wind(pli_world *world, pli_deformable_data *deformable, float step, double since)
{
    const pli_deformable_def *def = &deformable->def;
    pli_gust gusts[PLI_EDDIES];
    pli_wind wind = wind_of(deformable, deformable->particles);
    wind.air = deformable->air->velocities;
    wind.factors = deformable->vertex.drag;
    wind.gusts = gusts, wind.gust_count = pli_gusts_now(world, since, gusts);
    wind.drag = def->air_drag, wind.lift = fminf(def->air_lift, most_lift_over_drag * def->air_drag);
    wind.wind = world->settings.wind;
    wind.air_density = world->settings.air_density;
    wind.friction = world->settings.air_friction * def->air_friction;
    wind.step = step;
    pli_parallel(world, deformable->shape.triangle_count, PLI_PARTICLE_GRAIN, world->kernels->wind->face, &wind);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->wind->blow, &wind);
}

typedef struct inflation {
    const pli_wind *wind;
    const float *pressures;
    float step;
} inflation;

// v += h w sum p A n / 3 over the triangles around each particle; faces hold 2 A n.
static void inflate(void *data, int32_t begin, int32_t end)
{
    const inflation *p = data;
    const pli_wind *m = p->wind;
    for (int32_t i = begin; i < end; i++) {
        const int32_t vertex = m->vertices ? m->vertices[i] : i;
        pli_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int32_t k = m->begins[vertex]; k < m->ends[vertex]; k++) {
            const int32_t t = m->around[k];
            sum = pli_add(sum, pli_scale(pli_position_of(&m->faces[t]), p->pressures[t]));
        }
        const pli_vec3 by = pli_scale(sum, p->step * m->positions[i].w / 6.0f);
        m->velocities[i].x += by.x, m->velocities[i].y += by.y, m->velocities[i].z += by.z;
    }
}

void pli_deformable_add_pressure(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_wind wind = wind_of(deformable, deformable->particles);
    inflation p = {&wind, deformable->triangle.pressure, step};
    pli_parallel(world, deformable->shape.triangle_count, PLI_PARTICLE_GRAIN, world->kernels->wind->area, &wind);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, inflate, &p);
}

pli_view pli_deformable_normals(pli_world *world, pli_deformable handle)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    if (!deformable || deformable->count == 0)
        return (pli_view){0};
    if (!deformable->normals->by_vertex)
        deformable->normals->by_vertex = PLI_ALLOCATE(&world->memory, pli_particle, deformable->capacity);
    if (!deformable->normals->by_vertex || !pli_deformable_reserve_normals(world, deformable))
        return (pli_view){0};
    if (!deformable->normals->is_fresh) {
        pli_deformable_update_normals(world, deformable, deformable->particles);
        for (int32_t vertex = 0; vertex < deformable->count; vertex++)
            deformable->normals->by_vertex[vertex] = deformable->normals->at[pli_place(deformable, vertex)];
        deformable->normals->is_fresh = true;
    }
    return (pli_view){&deformable->normals->by_vertex->x, deformable->count, sizeof *deformable->normals->by_vertex};
}

/* ---- the feature -------------------------------------------------------------------------------- */

static bool reserve_normals(pli_world *world, pli_deformable_data *deformable)
{
    bool needed = world->settings.air_density > 0.0f || deformable->triangle.pressure;
    return !needed || pli_deformable_reserve_faces(world, deformable);
}

static void destroy_normals(pli_world *world, pli_deformable_data *deformable)
{
    pli_release(&world->memory, deformable->normals->faces);
    pli_release(&world->memory, deformable->normals->corners);
}

static void cut_normals(pli_deformable_data *deformable) { deformable->normals->has_corners = false; }

static const pli_feature_array normals_arrays[] = {
    {PLI_FEATURE_ARRAY(pli_normals, at, 1), .extra = 1, .inherited = true},
    {PLI_FEATURE_ARRAY(pli_normals, by_vertex, 1), .by_vertex = true},
};

const pli_feature pli_feature_normals = {
    .name = "normals",
    PLI_FEATURE_STATE(pli_normals, normals),
    PLI_FEATURE_ARRAYS(normals_arrays),
    .destroy = destroy_normals,
    .reserve = reserve_normals,
    .cut = cut_normals,
};
