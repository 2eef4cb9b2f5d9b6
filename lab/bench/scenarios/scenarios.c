// The table of scenarios, and running one.
#include "bench/scenarios/scenarios.h"

#include "bench/scenarios/bunny.h"
#include "bench/scenarios/capes.h"
#include "bench/scenarios/character.h"
#include "bench/scenarios/curtain.h"
#include "bench/scenarios/garment.h"
#include "bench/scenarios/over_ball.h"
#include "bench/scenarios/self_contact.h"

#include <pliant/scene.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_scenario table[] = {
    {"garment-5k", "dress of 5 k vertices as `pliant new` makes it over a body of 12 k triangles", bench_build_garment,
     72, 0, 120, false, 0, NULL},
    {"heap-10k", "crumpled cloth of 10 k vertices at rest on the ground", bench_build_heap, 100, 180, 20, false, 16,
     NULL},
    {"heap-10k-falls", "cloth of 10 k vertices falls upright onto the ground and crumples", bench_build_heap, 100, 0,
     120, false, 16, NULL},
    {"hanging-16k", "cloth of 16 k vertices that hangs by its upper row and wrinkles into itself", bench_build_hanging,
     128, 60, 30, false, 16, NULL},
    {"folded-cloth", "scenes/folded-cloth.json", NULL, 0, 0, 100, false, 0, "scenes/folded-cloth.json"},
    {"dress", "scenes/dress.json", NULL, 0, 0, 60, false, 0, "scenes/dress.json"},
    {"bunny-drape", "scenes/bunny-drape.json", NULL, 0, 0, 100, false, 0, "scenes/bunny-drape.json"},
    {"ten-sheets", "scenes/ten-sheets.json", NULL, 0, 0, 100, false, 0, "scenes/ten-sheets.json"},
    {"apart-flat-10k", "flat grid of 10 k vertices with self-contact that touches nothing", bench_build_apart_flat, 100,
     20, 30, false, 16, NULL},
    {"apart-irregular-10k", "Delaunay sheet of 10 k vertices with self-contact that touches nothing",
     bench_build_apart_irregular, 100, 20, 30, false, 16, NULL},
    {"apart-curved-10k", "cloth of 10 k vertices curved at rest with self-contact that touches nothing",
     bench_build_apart_curved, 100, 20, 30, false, 16, NULL},
    {"apart-closed-10k", "irregular closed surface of 10 k vertices with self-contact that touches only the ground",
     bench_build_apart_closed, 10000, 20, 30, false, 16, NULL},
    {"apart-concave-10k", "L-shaped panel of 10 k vertices with self-contact that touches nothing",
     bench_build_apart_concave, 116, 20, 30, false, 16, NULL},
    {"apart-pieces-10k", "four panels in one mesh of 10 k vertices with self-contact that touch nothing",
     bench_build_apart_pieces, 100, 20, 30, false, 16, NULL},
    {"over-mesh-10k", "cloth of 10 k vertices falls over a mesh of 12 k triangles", bench_build_over_mesh, 100, 0, 60,
     false, 16, NULL},
    {"sheets-1000x100", "1000 sheets of 100 vertices that may touch and do not", bench_build_sheets, 1000, 5, 30, false,
     16, NULL},
    {"ball-10k", "cloth of 10 k vertices over a ball on the ground", bench_build_ball, 100, 30, 60, true, 0, NULL},
    {"curtain-6k", "curtain of 6 k vertices that is drawn together and folds into itself", bench_build_curtain, 80, 60,
     30, false, 0, NULL},
    {"cape-4k", "cape of 4 k vertices with self-contact on a walking character of 11 capsules", bench_build_cape, 50,
     30, 60, false, 0, NULL},
    {"crowd-50x300", "50 capes of 300 vertices on walking characters of 4 capsules", bench_build_crowd, 50, 30, 60,
     false, 0, NULL},
    {"bunny-draped-5k", "irregular cloth of 5 k vertices over the bunny", bench_build_bunny_draped, 71, 40, 20, false,
     0, NULL},
    {"bunny-inflated", "the bunny (1.8 k vertices) blown up on the ground", bench_build_bunny_inflated, 0, 30, 60, true,
     0, NULL},
    {"delaunay-5k", "Delaunay sheet of 5 k vertices over a ball with self-contact", bench_build_delaunay, 71, 40, 20,
     false, 0, NULL},
    {"remeshed-1k", "irregular sheet of 1 k vertices over a ball", bench_build_remeshed, 32, 30, 60, true, 0, NULL},
    {"remeshed-10k", "irregular sheet of 10 k vertices over a ball", bench_build_remeshed, 100, 30, 60, false, 0, NULL},
    {"remeshed-100k", "irregular sheet of 100 k vertices over a ball", bench_build_remeshed, 316, 10, 15, false, 0,
     NULL},
    {"remeshed-300k", "irregular sheet of 300 k vertices over a ball", bench_build_remeshed, 548, 4, 6, false, 0, NULL},
    {"closed-10k", "irregular closed surface of 10 k vertices on a ball", bench_build_closed, 10000, 30, 60, false, 0,
     NULL},
    {"closed-100k", "irregular closed surface of 100 k vertices on a ball", bench_build_closed, 100000, 6, 9, false, 0,
     NULL},
};

static const double frame_seconds = 1.0 / 60.0;
static const double draw_seconds = 0.7; // In which clips are drawn together.

int32_t bench_scenario_count(void) { return (int32_t)(sizeof table / sizeof *table); }
const bench_scenario *bench_scenario_at(int32_t i) { return &table[i]; }

bool bench_scenario_is_there(const bench_scenario *scenario)
{
    FILE *file = scenario->file ? fopen(scenario->file, "rb") : NULL;
    if (file)
        fclose(file);
    return !scenario->file || file;
}

static pli_status load_scene(bench_live *live, int32_t threads, pli_simd simd, pli_error *error)
{
    pli_scene_load_def load = pli_scene_load_def_default();
    pli_scene_world_def def = pli_scene_world_def_default();
    load.path = live->scenario->file;
    def.thread_count = threads;
    def.simd = simd;
    pli_status status = pli_scene_load(&load, &live->scene, error);
    return status == PLI_STATUS_OK ? pli_scene_create_world(live->scene, &def, &live->world, error) : status;
}

static pli_status build(bench_live *live, int32_t threads, pli_simd simd, pli_error *error)
{
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads;
    def.simd = simd;
    if (live->scenario->substeps > 0)
        def.settings.substeps = live->scenario->substeps;
    pli_status status = pli_world_create(&def, &live->world, error);
    return status == PLI_STATUS_OK ? live->scenario->build(live, live->scenario->size, error) : status;
}

bench_live *bench_live_create(const bench_scenario *scenario, int32_t threads, pli_simd simd, pli_error *error)
{
    bench_live *live = calloc(1, sizeof *live);
    if (!live) {
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    live->scenario = scenario;
    if ((scenario->file ? load_scene : build)(live, threads, simd, error) == PLI_STATUS_OK)
        return live;
    bench_live_destroy(live);
    return NULL;
}

void bench_live_destroy(bench_live *live)
{
    if (!live)
        return;
    pli_world_destroy(live->world);
    pli_scene_destroy(live->scene);
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

pli_status bench_live_step(bench_live *live, int32_t frame, pli_error *error)
{
    if (live->scene)
        return pli_scene_step(live->scene, live->world, frame, error);
    pli_status status = bench_live_move(live, (frame + 1) * frame_seconds, error);
    return status == PLI_STATUS_OK ? pli_world_step(live->world, (float)frame_seconds, error) : status;
}
