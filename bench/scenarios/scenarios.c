// The table of scenarios, and running one.
#include "scenarios/scenarios.h"

#include "scenarios/bunny.h"
#include "scenarios/capes.h"
#include "scenarios/character.h"
#include "scenarios/curtain.h"
#include "scenarios/over_ball.h"

#include <stdlib.h>

static const bench_scenario table[] = {
    {"ball-10k", "cloth of 10 k vertices over a ball on the ground", bench_build_ball, 100, 30, 60, true},
    {"curtain-6k", "curtain of 6 k vertices that is drawn together and folds into itself", bench_build_curtain, 80, 60,
     30, false},
    {"cape-4k", "cape of 4 k vertices with self-contact on a walking character of 11 capsules", bench_build_cape, 50,
     30, 60, false},
    {"crowd-50x300", "50 capes of 300 vertices on walking characters of 4 capsules", bench_build_crowd, 50, 30, 60,
     false},
    {"bunny-draped-5k", "irregular cloth of 5 k vertices over the bunny", bench_build_bunny_draped, 71, 40, 20, false},
    {"bunny-inflated", "the bunny (1.8 k vertices) blown up on the ground", bench_build_bunny_inflated, 0, 30, 60,
     true},
    {"delaunay-5k", "Delaunay sheet of 5 k vertices over a ball with self-contact", bench_build_delaunay, 71, 40, 20,
     false},
    {"remeshed-1k", "irregular sheet of 1 k vertices over a ball", bench_build_remeshed, 32, 30, 60, true},
    {"remeshed-10k", "irregular sheet of 10 k vertices over a ball", bench_build_remeshed, 100, 30, 60, false},
    {"remeshed-100k", "irregular sheet of 100 k vertices over a ball", bench_build_remeshed, 316, 10, 15, false},
    {"remeshed-300k", "irregular sheet of 300 k vertices over a ball", bench_build_remeshed, 548, 4, 6, false},
    {"closed-10k", "irregular closed surface of 10 k vertices on a ball", bench_build_closed, 10000, 30, 60, false},
    {"closed-100k", "irregular closed surface of 100 k vertices on a ball", bench_build_closed, 100000, 6, 9, false},
};

static const double draw_seconds = 0.7; // In which clips are drawn together.

int32_t bench_scenario_count(void) { return (int32_t)(sizeof table / sizeof *table); }
const bench_scenario *bench_scenario_at(int32_t i) { return &table[i]; }

bench_live *bench_live_create(const bench_scenario *scenario, int32_t threads, pli_simd simd, pli_error *error)
{
    bench_live *live = calloc(1, sizeof *live);
    if (!live) {
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads;
    def.simd = simd;
    live->scenario = scenario;
    if (pli_world_create(&def, &live->world, error) == PLI_STATUS_OK &&
        scenario->build(live, scenario->size, error) == PLI_STATUS_OK)
        return live;
    bench_live_destroy(live);
    return NULL;
}

void bench_live_destroy(bench_live *live)
{
    if (!live)
        return;
    pli_world_destroy(live->world);
    for (int32_t i = 0; i < live->actor_count; i++)
        free(live->actors[i].character);
    free(live);
}

static pli_transform clip_pose(const bench_actor *clip, double time)
{
    float share = time < draw_seconds ? (float)(time / draw_seconds) : 1.0f;
    pli_transform pose = clip->from;
    pose.position.x += share * (clip->to.position.x - clip->from.position.x);
    pose.position.y += share * (clip->to.position.y - clip->from.position.y);
    pose.position.z += share * (clip->to.position.z - clip->from.position.z);
    return pose;
}

pli_status bench_live_move(bench_live *live, double time, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < live->actor_count && status == PLI_STATUS_OK; i++) {
        const bench_actor *actor = &live->actors[i];
        if (actor->character)
            status = bench_character_move(actor->character, live->world, time, error);
        pli_transform pose = actor->character ? bench_character_chest(actor->character, time) : clip_pose(actor, time);
        if (status == PLI_STATUS_OK)
            status = pli_attachment_set_pose(live->world, actor->attachment, pose, error);
    }
    return status;
}
