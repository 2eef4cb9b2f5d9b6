// The gust is a velocity field added to the world's wind. It is full within half of its cone's angle and zero outside of the cone.
#include "session/blow.h"

#include <pliant/math.h>

static const float step = 0.1f, air = 1.2f;
// Cosines of 12.5 and 25 degrees.
static const float inner = 0.976f, outer = 0.906f;

static bool field(void *user, double time, const float *points, float *velocities, int32_t count)
{
    (void)time;
    const pli_session_gust *g = user;
    for (int32_t i = 0; i < count; i++) {
        const float *p = points + 3 * (size_t)i;
        float *v = velocities + 3 * (size_t)i;
        pli_vec3 direction = pli_sub((pli_vec3){p[0], p[1], p[2]}, g->from);
        float cosine = pli_dot(direction, g->direction) / fmaxf(sqrtf(pli_dot(direction, direction)), 1e-6f);
        float within = fminf(fmaxf((cosine - outer) / (inner - outer), 0.0f), 1.0f);
        float speed = g->speed * g->strength * within;
        v[0] += speed * g->direction.x, v[1] += speed * g->direction.y, v[2] += speed * g->direction.z;
    }
    return true;
}

static pli_status set_density(pli_world *world, float density, pli_error *error)
{
    pli_settings settings = pli_world_settings(world);
    if (settings.air_density == density)
        return PLI_STATUS_OK;
    settings.air_density = density;
    return pli_world_set_settings(world, &settings, error);
}

void pli_session_gust_blow(pli_session_gust *g, const pli_world *world, pli_vec3 from, pli_vec3 direction, float speed)
{
    float length = sqrtf(pli_dot(direction, direction));
    if (!(length > 0.0f))
        return;
    if (g->strength <= 0.0f)
        g->density = pli_world_settings(world).air_density;
    g->from = from, g->direction = pli_scale(direction, 1.0f / length), g->speed = speed;
    g->blows = true;
}

pli_status pli_session_gust_apply(pli_session_gust *g, pli_world *world, pli_error *error)
{
    float before = g->strength;
    g->strength = g->blows ? fminf(before + step, 1.0f) : fmaxf(before - step, 0.0f);
    pli_world_set_air_field(world, g->strength > 0.0f ? field : NULL, g);
    if (g->strength > 0.0f)
        return set_density(world, g->density > 0.0f ? g->density : air, error);
    return before > 0.0f ? set_density(world, g->density, error) : PLI_STATUS_OK;
}
