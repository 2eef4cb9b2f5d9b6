#include "collision/press.h"

enum { BLOCK_GRAIN = 8 };

typedef struct pressing {
    pli_space *space;
    int32_t begin, end; // Blocks.
    float bounce;
    bool rebounds;
} pressing;

static void empty_lane(const pli_space *space, pli_press_block *b, int32_t lane)
{
    for (int k = 0; k < 4; k++) {
        b->at[k][lane] = space->dummy;
        b->weights[k][lane] = 0.0f;
    }
    b->normal[0][lane] = b->normal[1][lane] = b->normal[2][lane] = 0.0f;
    b->keep[lane] = b->friction[lane] = b->restitution[lane] = b->approach[lane] = 0.0f;
    b->push[lane] = b->rubbed[lane] = b->kick[lane] = 0.0f;
    b->touch[lane] = -1;
}

static void fill_lane(const pli_touch *t, pli_press_block *b, int32_t lane)
{
    for (int k = 0; k < 4; k++) {
        b->at[k][lane] = t->at[k];
        b->weights[k][lane] = t->weights[k];
    }
    b->normal[0][lane] = t->normal.x, b->normal[1][lane] = t->normal.y, b->normal[2][lane] = t->normal.z;
    b->keep[lane] = t->keep;
    b->friction[lane] = t->friction;
    b->restitution[lane] = t->restitution;
    b->approach[lane] = t->approach;
    b->push[lane] = t->push;
    b->rubbed[lane] = t->rubbed;
    b->kick[lane] = t->kick;
}

static void fill_chunk(void *data, int32_t chunk)
{
    const pressing *p = data;
    const pli_space *space = p->space;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        pli_press_block *b = &space->contacts.press.items[i];
        for (int32_t lane = 0; lane < PLI_PRESS_LANES; lane++)
            if (b->touch[lane] < 0)
                empty_lane(space, b, lane);
            else
                fill_lane(&space->contacts.touches.items[b->touch[lane]], b, lane);
    }
}

static void collect_chunk(void *data, int32_t chunk)
{
    const pressing *p = data;
    const pli_space *space = p->space;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        const pli_press_block *b = &space->contacts.press.items[i];
        for (int32_t lane = 0; lane < PLI_PRESS_LANES; lane++) {
            if (b->touch[lane] < 0)
                continue;
            pli_touch *t = &space->contacts.touches.items[b->touch[lane]];
            t->push = b->push[lane], t->rubbed = b->rubbed[lane], t->kick = b->kick[lane];
        }
    }
}

static void sweep_chunk(void *data, int32_t chunk)
{
    const pressing *p = data;
    const pli_space *space = p->space;
    const pli_press_on on = {space->particles, space->velocities, space->previous};
    int32_t begin = p->begin + chunk * BLOCK_GRAIN;
    int32_t count = p->end - begin < BLOCK_GRAIN ? p->end - begin : BLOCK_GRAIN;
    if (p->rebounds)
        space->presses->rebound(&on, &space->contacts.press.items[begin], count, p->bounce);
    else
        space->presses->project(&on, &space->contacts.press.items[begin], count);
}

static void run(pressing *p, pli_task task)
{
    if (p->begin < p->end)
        pli_tasks_run(p->space->tasks, (p->end - p->begin + BLOCK_GRAIN - 1) / BLOCK_GRAIN, task, p);
}

void pli_press_fill(pli_space *space)
{
    pressing p = {.space = space, .end = space->contacts.press_starts[PLI_PRESS_COLOURS]};
    run(&p, fill_chunk);
}

void pli_press_collect(pli_space *space)
{
    pressing p = {.space = space, .end = space->contacts.press_starts[PLI_PRESS_COLOURS]};
    run(&p, collect_chunk);
}

// Colour by colour, each shared among threads.
static void sweep(pli_space *space, bool rebounds, float bounce)
{
    for (int32_t c = 0; c < PLI_PRESS_COLOURS; c++) {
        pressing p = {space, space->contacts.press_starts[c], space->contacts.press_starts[c + 1], bounce, rebounds};
        run(&p, sweep_chunk);
    }
}

void pli_press_project(pli_space *space) { sweep(space, false, 0.0f); }

void pli_press_rebound(pli_space *space, float bounce) { sweep(space, true, bounce); }
