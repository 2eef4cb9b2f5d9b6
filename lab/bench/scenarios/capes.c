// Capes that hang from the shoulders of walking characters.
#include "bench/scenarios/capes.h"

#include "bench/scenarios/character.h"
#include "bench/scenarios/furnish.h"

#include <math.h>

enum { IN_A_ROW = 10, PINS_MAX = 32 };
static const float apart = 2.5f;       // [m] between characters of a crowd.
static const float shoulder = 0.56f;   // [m] above the hips: the upper edge.
static const float behind = 0.10f;     // [m]
static const float lean = 0.28f;       // [rad] of the cape at the start: it falls onto back and legs.
static const float crowd_width = 0.6f; // [m]

// A cape of columns x rows vertices, its upper edge held at the character's shoulders.
static pli_status dress(bench_live *live, bench_actor *actor, int32_t columns, int32_t rows, float width, float length,
                        bool self_collision, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_deformable cape;
    pli_transform chest = bench_character_chest(actor->character, 0.0);
    // A quarter turn and the lean about x take the first row, which has the least z, to the shoulders.
    float half_angle = 0.5f * (1.5707963f + lean);
    pli_transform hung = {
        {0.0f, shoulder - 0.5f * length * cosf(lean), -behind - 0.5f * length * sinf(lean)},
        {sinf(half_angle), 0.0f, 0.0f, cosf(half_angle)},
    };
    pli_status status = pli_mesh_create_grid(columns, rows, width, length, PLI_GRID_ALTERNATING, &mesh, error);
    if (status == PLI_STATUS_OK)
        status = bench_add_cloth(live, mesh, bench_transform_product(chest, hung), self_collision, &cape, error);
    int32_t pins[PINS_MAX], count = 0, each = columns / 5 + 1;
    for (int32_t i = 0; i < columns && count < PINS_MAX; i++)
        if (i < each || i >= columns - each)
            pins[count++] = i;
    return status == PLI_STATUS_OK ? bench_hold(live, cape, pins, count, chest, actor, error) : status;
}

pli_status bench_build_cape(bench_live *live, int32_t columns, pli_error *error)
{
    bench_actor *actor = &live->actors[live->actor_count++];
    pli_status status = bench_character_create(live->world, BENCH_HERO, (pli_vec3){0.0f, 0.0f, 0.0f}, 0.0,
                                               &actor->character, error);
    if (status == PLI_STATUS_OK)
        status = dress(live, actor, columns, columns * 9 / 5, 0.7f, 1.26f, true, error);
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}

pli_status bench_build_crowd(bench_live *live, int32_t count, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < count && i < BENCH_ACTORS_MAX && status == PLI_STATUS_OK; i++) {
        bench_actor *actor = &live->actors[live->actor_count++];
        pli_vec3 place = {apart * (float)(i % IN_A_ROW), 0.0f, apart * (float)(i / IN_A_ROW)};
        status = bench_character_create(live->world, BENCH_EXTRA, place, 0.2 * sin(i), &actor->character, error);
        if (status == PLI_STATUS_OK)
            status = dress(live, actor, 15, 20, crowd_width, 0.9f, false, error);
    }
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}
