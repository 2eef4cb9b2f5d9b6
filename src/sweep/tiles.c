// Sorts the slots of a constraint set into tiles: sweep/tiles.h.
//
// Constraints are assigned to tiles colour by colour: a constraint is in no tile if its particles are in several, or if an earlier
// constraint that is in no tile moves one of them. This is the cone of influence in time skewing of stencils (Wonnacott, Using time
// skewing to eliminate idle time due to memory bandwidth and network limitations, 2000), on a graph.
#include "sweep/tiles.h"

#include "base/tasks.h"
#include "model/attributes.h"

#include <string.h>

// Particles of a tile that fits into a cache with its constraints, and the minimum for each thread.
enum { FITTING = 24576, LEAST_TILED = 2000 };
// Up to one batch in CHANCE may be contiguous by chance, as in an irregular mesh; if more are contiguous, they save more than tiles.
enum { CHANCE = 8 };

typedef struct sorting {
    pli_constraints_data *set;
    int32_t size, count; // Particles of a tile, and number of tiles.
    uint8_t *behind;     // [particles] whether a constraint that is in no tile moves it.
    int32_t *to;         // [slot_count] tile of each slot, or `count` for none; later its new slot.
    int32_t *words;      // [slot_count] scratch.
} sorting;

static int32_t sorted_place(const sorting *s, int32_t k, int32_t slot)
{
    return (int32_t)pli_index_place(s->set->index[k][slot]);
}

static int32_t tile_of(const sorting *s, int32_t slot)
{
    int32_t tile = sorted_place(s, 0, slot) / s->size;
    for (int32_t k = 0; k < s->set->type->cardinality; k++)
        if (s->behind[sorted_place(s, k, slot)] || sorted_place(s, k, slot) / s->size != tile)
            return s->count;
    return tile;
}

// Tiles have whole batches of a colour, so that kernels process no slot of another tile: the remaining last slots are in no tile.
static void find_tiles(const sorting *s, int32_t first, int32_t end, int32_t *sizes)
{
    memset(sizes, 0, (size_t)(s->count + 1) * sizeof *sizes);
    for (int32_t slot = first; slot < end; slot++)
        sizes[s->to[slot] = tile_of(s, slot)]++;
    for (int32_t slot = end - 1; slot >= first; slot--) {
        int32_t *tile = &s->to[slot];
        if (*tile < s->count && sizes[*tile] % PLI_BATCH > 0)
            sizes[*tile]--, *tile = s->count;
        for (int32_t k = 0; k < s->set->type->cardinality && *tile == s->count; k++)
            s->behind[sorted_place(s, k, slot)] = 1;
    }
}

// Finds the new place of each slot of a colour, and the first slot of each tile in it.
static void sort_colour(const sorting *s, int32_t colour)
{
    const int32_t first = s->set->colour_offsets[colour], end = first + s->set->colour_sizes[colour];
    int32_t *starts = s->set->tiles + colour * (s->count + 1), begin = first;
    find_tiles(s, first, end, starts);
    for (int32_t t = 0; t <= s->count; t++) {
        int32_t size = t < s->count ? starts[t] : 0;
        starts[t] = begin;
        begin += size;
    }
    for (int32_t slot = first; slot < end; slot++)
        s->to[slot] = starts[s->to[slot]]++;
    for (int32_t t = s->count; t > 0; t--) // Each start is now the start of the next tile.
        starts[t] = starts[t - 1];
    starts[0] = first;
}

// Permutes an array of floats or indices, by slot, into the new order.
static void move_words(const sorting *s, void *array)
{
    if (!array)
        return;
    const pli_constraints_data *set = s->set;
    int32_t *words = array;
    memcpy(s->words, words, (size_t)set->slot_count * sizeof *words);
    for (int32_t c = 0; c < set->colour_count; c++)
        for (int32_t i = set->colour_offsets[c]; i < set->colour_offsets[c] + set->colour_sizes[c]; i++)
            words[s->to[i]] = s->words[i];
}

static void move_sorted(const sorting *s)
{
    pli_constraints_data *set = s->set;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        move_words(s, set->index[k]);
    int32_t rows;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    for (; rows > 0; rows--, row++)
        for (int32_t k = 0; k < row->components; k++)
            move_words(s, pli_attribute_array(set, row, k));
    for (int32_t i = 0; i < set->count; i++)
        set->slot_of[i] = s->to[set->slot_of[i]];
}

static bool is_regular(const pli_constraints_data *set)
{
    int32_t batches = set->slot_count / PLI_BATCH, together = 0;
    for (int32_t i = 0; set->contiguous_batches && i < batches; i++)
        together += set->contiguous_batches[i];
    return together > batches / CHANCE;
}

// Number of tiles, or 0 for none: tiles fit into a cache, and threads with enough particles get the same number of tiles each.
static int32_t count_tiles(const pli_world *world, const pli_constraints_data *set)
{
    const pli_deformable_data *deformable = set->deformable;
    int32_t particles = deformable->count, threads = pli_tasks_width(world->tasks);
    bool fixed = set->row && set->pad == PLI_BATCH && set->slot_of && set->overflow < 0;
    if (!fixed || deformable->tear_state || pli_tears(&deformable->def.tearing) || is_regular(set))
        return 0;
    int32_t tiles = particles / FITTING;
    if (threads > 1 && particles / threads >= LEAST_TILED)
        tiles = (tiles / threads + 1) * threads;
    return tiles > 1 ? tiles : 0;
}

bool pli_tiles_make(pli_world *world, pli_constraints_data *set)
{
    pli_memory *memory = &world->memory;
    int32_t tiles = count_tiles(world, set), particles = set->deformable->count;
    size_t before = memory->bytes;
    if (tiles == 0)
        return true;
    sorting s = {set,
                 particles / tiles + 1,
                 tiles,
                 PLI_ALLOCATE(memory, uint8_t, (int64_t)particles + 1),
                 PLI_ALLOCATE_UNSET(memory, int32_t, set->slot_count),
                 PLI_ALLOCATE_UNSET(memory, int32_t, set->slot_count)};
    int32_t *starts = PLI_ALLOCATE_UNSET(memory, int32_t, (int64_t)set->colour_count * (tiles + 1));
    bool complete = s.behind && s.to && s.words && starts;
    if (complete) {
        set->tiles = starts, set->tile_count = tiles;
        for (int32_t colour = 0; colour < set->colour_count; colour++)
            sort_colour(&s, colour);
        move_sorted(&s);
        pli_release(memory, set->contiguous_batches);
        set->contiguous_batches = NULL;
    } else {
        pli_release(memory, starts);
    }
    pli_release(memory, s.behind);
    pli_release(memory, s.to);
    pli_release(memory, s.words);
    set->memory += memory->bytes - before; // The difference may be negative.
    return complete;
}
