// Fills the SIMD blocks of contacts, runs the kernels colour by colour, and copies accumulated impulses back.
#include "collision/contacts/contact_batch.h"

#include "collision/contacts/contact_kernels.h"

enum { BLOCK_GRAIN = 8 };

typedef struct contact_batching {
    pli_collision *collision;
    int32_t begin, end; // Range of blocks.
    float bounce;
    bool rebounds, with_friction, again;
} contact_batching;

static void fill_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        pli_contact_block *b = &collision->contacts.blocks.items[i];
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++)
            if (b->contact[lane] < 0) {
                for (int k = 0; k < 4; k++) {
                    b->at[k][lane] = collision->dummy;
                    b->weights[k][lane] = 0.0f;
                    b->lost[k][0][lane] = b->lost[k][1][lane] = b->lost[k][2][lane] = 0.0f;
                }
                b->drag[0][lane] = b->drag[1][lane] = b->drag[2][lane] = 0.0f;
                b->normal[0][lane] = b->normal[1][lane] = b->normal[2][lane] = 0.0f;
                b->depth[lane] = b->friction[lane] = b->restitution[lane] = b->approach[lane] = 0.0f;
                b->normal_sum[lane] = b->friction_sum[lane] = b->slips[lane] = b->restitution_impulse[lane] = 0.0f;
                b->again[lane] = 0.0f;
                b->contact[lane] = -1;
            } else {
                const pli_surface_contact *t = &collision->contacts.surface_contacts.items[b->contact[lane]];
                for (int k = 0; k < 4; k++) {
                    b->at[k][lane] = t->at[k];
                    b->weights[k][lane] = t->weights[k];
                    b->lost[k][0][lane] = b->lost[k][1][lane] = b->lost[k][2][lane] = 0.0f;
                }
                b->drag[0][lane] = b->drag[1][lane] = b->drag[2][lane] = 0.0f;
                b->normal[0][lane] = t->normal.x, b->normal[1][lane] = t->normal.y, b->normal[2][lane] = t->normal.z;
                b->depth[lane] = t->depth;
                b->friction[lane] = t->friction;
                b->restitution[lane] = t->restitution;
                b->approach[lane] = t->approach;
                b->normal_sum[lane] = t->normal_sum;
                b->friction_sum[lane] = t->friction_sum;
                b->slips[lane] = t->slips;
                b->restitution_impulse[lane] = t->restitution_impulse;
                b->again[lane] = 0.0f;
            }
    }
}

static void collect_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    int32_t end = (chunk + 1) * BLOCK_GRAIN < p->end ? (chunk + 1) * BLOCK_GRAIN : p->end;
    for (int32_t i = chunk * BLOCK_GRAIN; i < end; i++) {
        const pli_contact_block *b = &collision->contacts.blocks.items[i];
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++) {
            if (b->contact[lane] < 0)
                continue;
            pli_surface_contact *t = &collision->contacts.surface_contacts.items[b->contact[lane]];
            t->normal_sum = b->normal_sum[lane], t->friction_sum = b->friction_sum[lane], t->slips = b->slips[lane],
            t->restitution_impulse = b->restitution_impulse[lane];
        }
    }
}

static void sweep_chunk(void *data, int32_t chunk)
{
    const contact_batching *p = data;
    const pli_collision *collision = p->collision;
    const pli_contact_arrays on = {collision->particles,
                                   collision->velocities,
                                   collision->previous,
                                   collision->step,
                                   p->with_friction,
                                   p->again,
                                   collision->contacts.warm_started};
    int32_t begin = p->begin + chunk * BLOCK_GRAIN;
    int32_t count = p->end - begin < BLOCK_GRAIN ? p->end - begin : BLOCK_GRAIN;
    if (p->rebounds)
        collision->contact_batches->rebound(&on, &collision->contacts.blocks.items[begin], count, p->bounce);
    else
        collision->contact_batches->project(&on, &collision->contacts.blocks.items[begin], count);
}

static void batch_run(contact_batching *p, pli_task task)
{
    if (p->begin < p->end)
        pli_tasks_run(p->collision->tasks, (p->end - p->begin + BLOCK_GRAIN - 1) / BLOCK_GRAIN, task, p);
}

void pli_contact_batch_fill(pli_collision *collision)
{
    contact_batching p = {.collision = collision, .end = collision->contacts.block_starts[PLI_CONTACT_COLOURS]};
    batch_run(&p, fill_chunk);
}

void pli_contact_batch_collect(pli_collision *collision)
{
    contact_batching p = {.collision = collision, .end = collision->contacts.block_starts[PLI_CONTACT_COLOURS]};
    batch_run(&p, collect_chunk);
}

// Colours run one after the other; the blocks of a colour share no movable particle and run in parallel.
static void batch_sweep(pli_collision *collision, bool rebounds, float bounce, bool with_friction, bool again)
{
    for (int32_t c = 0; c < PLI_CONTACT_COLOURS; c++) {
        contact_batching p = {collision,
                              collision->contacts.block_starts[c],
                              collision->contacts.block_starts[c + 1],
                              bounce,
                              rebounds,
                              with_friction,
                              again};
        batch_run(&p, sweep_chunk);
    }
}

void pli_contact_batch_project(pli_collision *collision, bool with_friction, bool again)
{
    batch_sweep(collision, false, 0.0f, with_friction, again);
}

void pli_contact_batch_rebound(pli_collision *collision, float bounce)
{
    batch_sweep(collision, true, bounce, false, false);
}
