// List scheduling of constraints into batches: a constraint is ready when its predecessors are done. Repeatedly, the set of the segment
// with the most ready constraints emits a batch of up to PLI_BATCH of them, in the order in which they became ready.
#include "sweep/wavefront_plan.h"

#include "constraints/registry.h"

// Least mean number of constraints in a batch: with fewer, the scalar kernel one by one is faster.
enum { LEAST_MEAN_SIZE = 3 };

// State of the planner. Constraint i of sweep s is the instance s * count + i, counted over all sets of the segment in
// the order of the sweep.
typedef struct wavefront_planning {
    pli_world *world;
    pli_wavefronts *wavefronts;
    int32_t count, total;            // Instances of one sweep, and of all sweeps.
    int32_t *firsts;                 // [parts + 1] instance of each part's first constraint in the first sweep.
    int32_t *next;                   // [4 * total] instance that follows on each particle of an instance, or -1.
    uint8_t *waits;                  // [total] predecessors that are not done yet.
    int32_t **ready, *tails, *heads; // By part: queue of ready instances, taken at heads and appended at tails.
} wavefront_planning;

static const pli_wavefront_part *wavefront_part_of(const wavefront_planning *p, int32_t instance, int32_t *slot)
{
    int32_t i = instance % p->count, k = 0;
    if (p->wavefronts->turns && instance / p->count < p->wavefronts->sweeps / 2)
        i = p->count - 1 - i;
    while (i >= p->firsts[k + 1])
        k++;
    *slot = i - p->firsts[k];
    return &p->wavefronts->parts[k];
}

static void push_ready(wavefront_planning *p, int32_t instance)
{
    int32_t slot;
    ptrdiff_t k = wavefront_part_of(p, instance, &slot) - p->wavefronts->parts;
    p->ready[k][p->tails[k]++] = instance;
}

// Links each instance to its successors. `last` is by particle: 4 times the last instance on it plus the position of
// the particle there, or -1.
static void link_instances(wavefront_planning *p, int32_t *last)
{
    for (int32_t instance = 0; instance < p->total; instance++) {
        int32_t slot;
        const pli_constraints_data *set = wavefront_part_of(p, instance, &slot)->set;
        for (int32_t k = 0; k < set->type->cardinality; k++) {
            int32_t *before = &last[pli_index_place(set->index[k][slot])];
            p->next[4 * instance + k] = -1;
            if (*before >= 0 && *before / 4 != instance) {
                p->next[*before] = instance;
                p->waits[instance]++;
            }
            *before = 4 * instance + k;
        }
    }
    for (int32_t instance = 0; instance < p->total; instance++)
        if (p->waits[instance] == 0)
            push_ready(p, instance);
}

// Returns the part with the most ready instances, counting at most one batch.
static int32_t choose_part(const wavefront_planning *p)
{
    int32_t best = 0, most = 0;
    for (int32_t k = 0; k < p->wavefronts->part_count; k++) {
        int32_t count = p->tails[k] - p->heads[k];
        count = count < PLI_BATCH ? count : PLI_BATCH;
        if (count > most)
            best = k, most = count;
    }
    return best;
}

static void release_followers(wavefront_planning *p, int32_t instance, int32_t cardinality)
{
    for (int32_t k = 0; k < cardinality; k++) {
        int32_t follower = p->next[4 * instance + k];
        if (follower >= 0 && --p->waits[follower] == 0)
            push_ready(p, follower);
    }
}

// Appends a batch to the slots of its part; one call runs successive full batches of a part.
static void add_batch(wavefront_planning *p, int32_t k, int32_t size)
{
    pli_wavefronts *wavefronts = p->wavefronts;
    pli_batch *last = wavefronts->batch_count > 0 ? &wavefronts->batches[wavefronts->batch_count - 1] : NULL;
    int32_t begin = wavefronts->parts[k].slot_count;
    if (last && last->part == k && last->end == begin)
        last->end += size;
    else
        wavefronts->batches[wavefronts->batch_count++] = (pli_batch){.part = k, .begin = begin, .end = begin + size};
    wavefronts->parts[k].slot_count += PLI_BATCH;
}

// False when there are too many batches.
static bool emit_batches(wavefront_planning *p)
{
    int32_t done = 0;
    for (int32_t batches = 0; done < p->total && batches <= p->total / LEAST_MEAN_SIZE; batches++) {
        int32_t k = choose_part(p), size = p->tails[k] - p->heads[k];
        size = size < PLI_BATCH ? size : PLI_BATCH;
        add_batch(p, k, size);
        for (int32_t i = 0; i < size; i++)
            release_followers(p, p->ready[k][p->heads[k]++], p->wavefronts->parts[k].set->type->cardinality);
        done += size;
    }
    return done == p->total;
}

// A small batch uses a kernel of a narrow back end, since a mostly empty register costs as much as a full one.
static void choose_kernels(const wavefront_planning *p)
{
    for (int32_t b = 0; b < p->wavefronts->batch_count; b++) {
        pli_batch *at = &p->wavefronts->batches[b];
        const pli_kernels *kernels = p->world->kernels->narrowest(p->world->kernels, at->end - at->begin);
        const char *type = p->wavefronts->parts[at->part].set->type->name;
        at->project = kernels->types().rows[pli_constraint_type_index(type)]->project;
    }
}

// Padding slots after a batch repeat its last constraint: a register computes it twice with the same result. A dummy particle would
// instead make successive batches wait for each other's stores.
static void fill_slots(const wavefront_planning *p, int32_t k)
{
    pli_wavefront_part *part = &p->wavefronts->parts[k];
    int32_t taken = 0, slot;
    for (int32_t b = 0; b < p->wavefronts->batch_count; b++) {
        const pli_batch *at = &p->wavefronts->batches[b];
        int32_t end = (at->end + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
        for (int32_t i = at->begin; at->part == k && i < end; i++) {
            if (i < at->end)
                wavefront_part_of(p, p->ready[k][taken++], &slot), part->slots[i] = slot;
            else
                part->slots[i] = part->slots[i - 1];
        }
    }
}

static bool allocate_copy(pli_world *world, const pli_wavefront_part *part, void *to, const void *from)
{
    int32_t *words = PLI_ALLOCATE_UNSET(&world->memory, int32_t, part->slot_count);
    memcpy(to, &words, sizeof words);
    if (words)
        pli_copy_slot_words(words, from, part->slots, part->slot_count);
    return words != NULL;
}

static bool fill_part(const wavefront_planning *p, int32_t k)
{
    pli_world *world = p->world;
    pli_wavefront_part *part = &p->wavefronts->parts[k];
    const pli_constraints_data *set = part->set;
    bool complete = (part->slots = PLI_ALLOCATE_UNSET(&world->memory, int32_t, part->slot_count)) != NULL;
    if (complete)
        fill_slots(p, k);
    for (int32_t i = 0; complete && i < set->type->cardinality; i++)
        complete = allocate_copy(world, part, &part->index[i], set->index[i]);
    for (int32_t i = 0; complete && i < set->type->rest_count; i++)
        complete = allocate_copy(world, part, &part->rest[i], set->rest[i]);
    if (complete && set->compliance_scale)
        complete = allocate_copy(world, part, &part->compliance_scale, set->compliance_scale);
    if (complete && set->damping)
        complete = allocate_copy(world, part, &part->damping_scale, set->damping);
    if (complete && set->state)
        complete = allocate_copy(world, part, &part->state, set->state);
    for (int32_t d = 0; complete && part->multipliers && d < set->type->dimension; d++)
        complete = allocate_copy(world, part, &part->lambda[d], set->lambda[d]);
    return complete;
}

static bool wavefront_allocate(wavefront_planning *p)
{
    pli_memory *memory = &p->world->memory;
    int32_t parts = p->wavefronts->part_count;
    p->firsts = PLI_ALLOCATE(memory, int32_t, (int64_t)parts + 1);
    p->next = PLI_ALLOCATE_UNSET(memory, int32_t, 4 * (int64_t)p->total);
    p->waits = PLI_ALLOCATE(memory, uint8_t, p->total);
    p->ready = PLI_ALLOCATE(memory, int32_t *, parts);
    p->heads = PLI_ALLOCATE(memory, int32_t, parts);
    p->tails = PLI_ALLOCATE(memory, int32_t, parts);
    p->wavefronts->batches = PLI_ALLOCATE_UNSET(memory, pli_batch, p->total / LEAST_MEAN_SIZE + 1);
    bool complete = p->firsts && p->next && p->waits && p->ready && p->heads && p->tails && p->wavefronts->batches;
    for (int32_t k = 0; complete && k < parts; k++) {
        int32_t count = p->wavefronts->parts[k].set->count;
        p->firsts[k + 1] = p->firsts[k] + count;
        complete = (p->ready[k] = PLI_ALLOCATE_UNSET(memory, int32_t, (int64_t)count * p->wavefronts->sweeps)) != NULL;
    }
    return complete;
}

static void wavefront_release(wavefront_planning *p)
{
    pli_memory *memory = &p->world->memory;
    for (int32_t k = 0; p->ready && k < p->wavefronts->part_count; k++)
        pli_release(memory, p->ready[k]);
    void *arrays[] = {p->firsts, p->next, p->waits, p->ready, p->heads, p->tails};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}

bool pli_wavefronts_plan(pli_world *world, pli_wavefronts *wavefronts, int32_t count)
{
    int32_t particles = wavefronts->parts[0].set->deformable->count;
    wavefront_planning p = {
        .world = world, .wavefronts = wavefronts, .count = count, .total = count * wavefronts->sweeps};
    int32_t *last = PLI_ALLOCATE_UNSET(&world->memory, int32_t, particles);
    bool complete = last && wavefront_allocate(&p);
    if (complete) {
        memset(last, -1, (size_t)particles * sizeof *last);
        link_instances(&p, last);
        bool pays = emit_batches(&p);
        choose_kernels(&p);
        for (int32_t k = 0; pays && complete && k < wavefronts->part_count; k++)
            complete = fill_part(&p, k);
        wavefronts->batch_count = pays ? wavefronts->batch_count : 0;
    }
    wavefront_release(&p);
    pli_release(&world->memory, last);
    return complete;
}
