// Cooked constraint sets as bytes: little-endian, versioned, with a checksum; hashes bind each entry to its source.
//
//   header | length, keys, arrays of set 0 | length, keys, arrays of set 1 | ... | checksum
//
// The data are not trusted: the check proves that every index is in range and that constraints which are projected in
// parallel share no particle, the two properties that kernels rely on.
#include "sweep/cooked.h"

#include "base/hash.h"
#include "sweep/grid/grid_layout.h"
#include "sweep/grid/grid_runs.h"
#include "model/handles.h"
#include "sweep/colouring.h"
#include "sweep/constraint_slots.h"
#include "sweep/contiguous_batches.h"
#include "base/stream.h"

#include <string.h>

#define COOKED_MAGIC 0x4b4f4f43494c50ull // "PLICOOK"
#define COOKED_VERSION 4u

enum { HEADER_WORDS = 3, KEY_WORDS = 5, WORD = 8 };

/* ---- arrays ------------------------------------------------------------------------------------ */

static void pass_words(pli_stream *s, void *words, int64_t count)
{
    size_t size = 4 * (size_t)count;
    if (s->mode != PLI_STREAM_MEASURE && s->size - s->at < size)
        s->failed = true;
    if (s->failed)
        return;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (s->mode == PLI_STREAM_WRITE && size > 0)
        memcpy(s->out + s->at, words, size);
    else if (s->mode == PLI_STREAM_READ && size > 0)
        memcpy(words, s->in + s->at, size);
    s->at += size;
#else
    for (int64_t i = 0; i < count; i++)
        pli_pass_integer(s, (int32_t *)words + i);
#endif
}

// Passes an array; reading allocates it with `capacity` words.
static void pass_cooked_array(pli_stream *s, pli_world *world, void *array, int64_t count, int64_t capacity)
{
    void *words;
    if (s->mode == PLI_STREAM_READ && !s->failed) {
        words = (uint64_t)count * 4 <= s->size - s->at ? pli_allocate(&world->memory, (size_t)capacity, 4) : NULL;
        s->out_of_memory = s->out_of_memory || (!words && (uint64_t)count * 4 <= s->size - s->at);
        s->failed = s->failed || !words;
        memcpy(array, &words, sizeof words);
    }
    memcpy(&words, array, sizeof words);
    pass_words(s, words, count);
}

static bool coloured(const pli_world *world) { return world->order == PLI_ORDER_COLOURED; }

// Passes an array by slot, colour by colour, without the padding.
static void cooked_pass_slots(pli_stream *s, pli_world *world, const pli_constraints_data *set, void *array)
{
    char *words;
    if (s->mode == PLI_STREAM_READ && !s->failed) {
        words = pli_allocate(&world->memory, (size_t)set->slot_count + (set->grid_runs.items ? PLI_BATCH : 0), 4);
        s->failed = s->out_of_memory = s->out_of_memory || !words;
        memcpy(array, &words, sizeof words);
    }
    memcpy(&words, array, sizeof words);
    for (int32_t colour = 0; colour < set->schedule.colour_count && !s->failed; colour++)
        pass_words(s, words ? words + 4 * (size_t)set->schedule.colour_offsets[colour] : NULL,
                   set->schedule.colour_sizes[colour]);
}

static void pass_colours(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    bool reads = s->mode == PLI_STREAM_READ;
    pass_cooked_array(s, world, &set->schedule.colour_sizes, set->schedule.colour_count, set->schedule.colour_count);
    if (!reads || s->failed)
        return;
    int64_t sum = 0;
    set->schedule.pad = coloured(world) && set->type->cardinality > 0 && set->grid_runs.block_count == 0 ? PLI_BATCH
                                                                                                         : 1;
    set->schedule.colour_offsets = PLI_ALLOCATE(&world->memory, int32_t, (int64_t)set->schedule.colour_count + 1);
    s->failed = s->out_of_memory = !set->schedule.colour_offsets;
    for (int32_t colour = 0; colour < set->schedule.colour_count && !s->failed; colour++) {
        int32_t size = set->schedule.colour_sizes[colour];
        s->failed = size < 0 || (sum += size) > set->count || (size == 0 && set->count > 0);
        if (!s->failed)
            set->schedule.colour_offsets[colour + 1] = set->schedule.colour_offsets[colour] +
                                                       (size + set->schedule.pad - 1) / set->schedule.pad *
                                                           set->schedule.pad;
    }
    s->failed = s->failed || sum != set->count;
    set->slot_count = s->failed ? 0 : set->schedule.colour_offsets[set->schedule.colour_count];
}

static void pass_runs(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    int32_t tasks = 2 * set->grid_runs.block_count;
    if (set->grid_runs.block_count == 0)
        return;
    pass_cooked_array(s, world, &set->grid_runs.offsets, (int64_t)tasks + 1, (int64_t)tasks + 1);
    if (s->failed)
        return;
    int64_t runs = set->grid_runs.offsets[tasks], words = (int64_t)(sizeof *set->grid_runs.items / 4);
    s->failed = runs < 0 || runs > set->count;
    if (!s->failed)
        pass_cooked_array(s, world, &set->grid_runs.items, runs * words, runs * words);
}

static void pass_spans(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    pli_span **spans[] = {&set->variable.member_spans, &set->variable.rest_spans, &set->variable.triangle_spans};
    int32_t totals[3] = {0};
    for (int32_t i = 0; i < 3; i++) {
        pass_cooked_array(s, world, spans[i], 2 * (int64_t)set->count, 2 * (int64_t)set->count);
        // The spans are contiguous, so the end of the last one is the size of the array.
        for (int32_t slot = 0, at = 0; slot < set->count && !s->failed; slot++) {
            pli_span span = (*spans[i])[slot];
            s->failed = span.begin != at || span.end < at || span.end > INT32_MAX / 4;
            at = totals[i] = span.end;
        }
    }
    pass_cooked_array(s, world, &set->variable.members, totals[0], totals[0]);
    pass_cooked_array(s, world, &set->variable.rest, totals[1], totals[1]);
    pass_cooked_array(s, world, &set->variable.local_triangles, 3 * (int64_t)totals[2], 3 * (int64_t)totals[2]);
    if (s->mode != PLI_STREAM_READ || s->failed)
        return;
    set->variable.triangles = PLI_ALLOCATE(&world->memory, int32_t, 3 * (int64_t)totals[2]);
    if (!set->deformable->scratch)
        set->deformable->scratch = PLI_ALLOCATE(&world->memory, double, 3 * (int64_t)set->deformable->capacity);
    s->failed = s->out_of_memory = !set->variable.triangles || !set->deformable->scratch;
}

// Maximum number of colours of a set: one for each constraint, and 64 for small sets, whose colours may be empty.
static int32_t max_colours(const pli_constraints_data *set) { return set->count > 64 ? set->count : 64; }

static void pass_numbers(pli_stream *s, const pli_world *world, pli_constraints_data *set)
{
    int32_t zero = (int32_t)set->zero_rest, most = INT32_MAX / 4;
    set->count = pli_pass_index(s, set->count, 0, most);
    set->schedule.colour_count = pli_pass_index(s, set->schedule.colour_count, 0,
                                                coloured(world) && !set->deformable->grid ? max_colours(set) : 64);
    set->degenerate_count = pli_pass_index(s, set->degenerate_count, 0, INT32_MAX);
    set->schedule.overflow = pli_pass_index(s, set->schedule.overflow, -1, set->schedule.colour_count - 1);
    set->variable.largest = pli_pass_index(s, set->variable.largest, 0, set->deformable->count + PLI_CARDINALITY_MAX);
    set->grid_runs.block_count = pli_pass_index(s, set->grid_runs.block_count, 0,
                                                pli_runs_may(set) ? set->deformable->count : 0);
    pli_pass_integer(s, &zero);
    set->zero_rest = (uint32_t)zero;
}

static void cooked_pass_set(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    const pli_constraint_type *type = set->type;
    pass_numbers(s, world, set);
    pass_colours(s, world, set);
    pass_runs(s, world, set);
    if (coloured(world))
        pass_cooked_array(s, world, &set->schedule.slot_of, set->count, set->count);
    for (int32_t k = 0; k < type->cardinality && set->grid_runs.block_count == 0; k++)
        cooked_pass_slots(s, world, set, &set->index[k]);
    for (int32_t j = 0; j < type->rest_count && type->cardinality > 0; j++)
        cooked_pass_slots(s, world, set, &set->rest[j]);
    if (type->compliance_scale) {
        if (set->base_scale) // The reader paints it again.
            pli_constraints_write_scales(set, false);
        cooked_pass_slots(s, world, set, &set->compliance_scale);
        if (set->base_scale)
            pli_constraints_write_scales(set, true);
    }
    if (type->cardinality == 0 && !s->failed)
        pass_spans(s, world, set);
}

/* ---- binding ----------------------------------------------------------------------------------- */

static uint64_t hash_of_type(const pli_constraints_data *set)
{
    const pli_constraint_type *type = set->type;
    const int32_t numbers[] = {type->cardinality,       type->dimension,     type->rest_count,
                               type->rest_per_particle, type->needs_normals, type->compliance_scale != NULL};
    uint64_t hash = pli_hash_bytes(PLI_HASH_START, type->name, strlen(type->name));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = pli_hash_mix(hash, (uint64_t)numbers[i]);
    for (int32_t i = 0; i < type->parameter_count; i++) {
        uint64_t bits;
        memcpy(&bits, &set->parameters[PLI_PARAMETER_COMMON_COUNT + i], sizeof bits);
        hash = type->parameters[i].change != PLI_CHANGE_LIVE ? pli_hash_mix(hash, bits) : hash;
    }
    return hash;
}

static uint64_t hash_of_words(uint64_t hash, const void *words, int64_t count)
{
    const unsigned char *at = words;
    hash = pli_hash_mix(hash, (uint64_t)count);
    for (int64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, at + 4 * i, sizeof word);
        hash = pli_hash_mix(hash, word);
    }
    return hash;
}

static uint64_t hash_of_mesh(const pli_deformable_data *deformable)
{
    const pli_faces *f = &deformable->shape;
    uint64_t hash = hash_of_words(PLI_HASH_START, f->positions, 3 * (int64_t)f->vertex_count);
    hash = hash_of_words(hash, f->face_vertices, f->face_offsets[f->face_count]);
    return hash_of_words(hash, f->triangles, 3 * (int64_t)f->triangle_count);
}

// Hash of the order of the vertices in memory and of the layout as a grid.
static uint64_t hash_of_places(const pli_world *world, const pli_deformable_data *deformable)
{
    uint64_t hash = pli_hash_mix(PLI_HASH_START, (uint64_t)world->order);
    hash = pli_hash_mix(hash, deformable->grid ? (uint64_t)deformable->grid->columns : 0);
    return deformable->order ? hash_of_words(hash, deformable->order, deformable->count) : hash;
}

static const char *const refusals[KEY_WORDS] = {
    "another constraint type, or other parameters that are fixed when a set is made",
    "another generator or list of particles",
    "another mesh",
    "another order, of constraints or of particles in memory",
    "another version of the engine",
};

static void keys_of(const pli_world *world, const pli_constraints_data *set, uint64_t source, uint64_t keys[KEY_WORDS])
{
    keys[0] = hash_of_type(set);
    keys[1] = source;
    keys[2] = hash_of_mesh(set->deformable);
    keys[3] = hash_of_places(world, set->deformable);
    keys[4] = COOKED_VERSION;
}

/* ---- checking ---------------------------------------------------------------------------------- */

typedef struct cooked_checking {
    const pli_constraints_data *set;
    uint32_t *marks, mark; // By particle: the group of constraints in which it was last found.
} cooked_checking;

// Whether the particle exists and has not been found in the present group.
static bool check_particle(const cooked_checking *c, int32_t place)
{
    if (place < 0 || place >= c->set->deformable->count || c->marks[place] == c->mark)
        return false;
    c->marks[place] = c->mark;
    return true;
}

// check_particle for all particles of a constraint with index lists.
static bool cooked_check_particles(const cooked_checking *c, int32_t slot)
{
    const pli_constraints_data *set = c->set;
    pli_span span = set->type->cardinality > 0 ? (pli_span){0, 0} : set->variable.member_spans[slot];
    for (int32_t k = 0; k < set->type->cardinality; k++)
        if (set->index[k][slot].twice % 2 != 0 || !check_particle(c, pli_index_place(set->index[k][slot])))
            return false;
    for (int32_t i = span.begin; i < span.end; i++)
        if (!check_particle(c, set->variable.members[i]))
            return false;
    return true;
}

// Constraints of one colour share no particle. Where they are projected one by one, only the particles of each
// constraint must differ.
static bool check_colours(cooked_checking *c, bool one_by_one)
{
    const pli_constraints_data *set = c->set;
    for (int32_t colour = 0; colour < set->schedule.colour_count; colour++) {
        c->mark++;
        for (int32_t i = 0; i < set->schedule.colour_sizes[colour]; i++) {
            c->mark += one_by_one || colour == set->schedule.overflow;
            if (!cooked_check_particles(c, set->schedule.colour_offsets[colour] + i))
                return false;
        }
    }
    return true;
}

// Whether `count` particles are contiguous in the layout of the grid from index `at` on.
static bool check_side_by_side(const pli_grid_layout *grid, int32_t at, int32_t count)
{
    if (at < 0 || at >= grid->rows * grid->pitch || count > grid->part)
        return false;
    int32_t first = pli_grid_particle(grid, at), column = first % grid->columns + PLI_INTERLEAVE * (count - 1);
    return first < grid->rows * grid->columns && pli_grid_at(grid, first) == at && column < grid->columns;
}

// The constraints of a run have contiguous particles and share none; runs follow one another.
static bool check_run(cooked_checking *c, const pli_slot_run *run, int32_t slot)
{
    const pli_constraints_data *set = c->set;
    const pli_grid_layout *grid = set->deformable->grid;
    if (run->slot != slot || run->count < 1 || run->count > set->count - slot)
        return false;
    for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
        if (k < set->type->cardinality ? !check_side_by_side(grid, run->at[k], run->count) : run->at[k] != 0)
            return false;
    c->mark++;
    for (int32_t k = 0; k < set->type->cardinality; k++) {
        int32_t first = pli_grid_particle(grid, run->at[k]);
        for (int32_t i = 0; i < run->count; i++)
            if (!check_particle(c, first + PLI_INTERLEAVE * i))
                return false;
    }
    return true;
}

// Assigns a particle to a group, unless a group numbered `first` or higher already has it.
static bool claim_particle(uint32_t *owner, uint32_t first, uint32_t group)
{
    if (*owner >= first && *owner != group)
        return false;
    *owner = group;
    return true;
}

// A block has no particle outside of its rows, and blocks that are projected in parallel share no particle. `owners` is indexed by
// particle.
static bool check_block(const cooked_checking *c, int32_t task, uint32_t *owners)
{
    const pli_constraints_data *set = c->set;
    const pli_grid_layout *grid = set->deformable->grid;
    bool inside = task < set->grid_runs.block_count;
    int32_t block = inside ? task : task - set->grid_runs.block_count, behind = block + (inside ? 1 : 2);
    int32_t low = pli_block_begin(block, set->grid_runs.block_count, grid->rows);
    int32_t high = pli_block_begin(behind, set->grid_runs.block_count, grid->rows);
    uint32_t first = inside ? 1 : (uint32_t)set->grid_runs.block_count + 1;
    for (int32_t r = set->grid_runs.offsets[task]; r < set->grid_runs.offsets[task + 1]; r++) {
        const pli_slot_run *run = &set->grid_runs.items[r];
        for (int32_t k = 0; k < set->type->cardinality; k++) {
            if (run->at[k] / grid->pitch < low || run->at[k] / grid->pitch >= high)
                return false;
            uint32_t *run_owners = owners + pli_grid_particle(set->deformable->grid, run->at[k]);
            for (int32_t i = 0; i < run->count; i++)
                if (!claim_particle(run_owners + PLI_INTERLEAVE * i, first, (uint32_t)task + 1))
                    return false;
        }
    }
    return true;
}

static bool check_runs(cooked_checking *c, uint32_t *owners)
{
    const pli_constraints_data *set = c->set;
    int32_t tasks = 2 * set->grid_runs.block_count, slot = 0;
    if (set->grid_runs.offsets[0] != 0 || set->grid_runs.block_count != pli_block_count(set->deformable->grid))
        return false;
    for (int32_t task = 0; task < tasks; task++)
        if (set->grid_runs.offsets[task] > set->grid_runs.offsets[task + 1] ||
            set->grid_runs.offsets[task + 1] > set->grid_runs.offsets[tasks])
            return false;
    // No block follows the last one, so nothing reaches from it into another.
    if (set->grid_runs.offsets[tasks] != set->grid_runs.offsets[tasks - 1])
        return false;
    for (int32_t r = 0; r < set->grid_runs.offsets[tasks]; slot += set->grid_runs.items[r++].count)
        if (!check_run(c, &set->grid_runs.items[r], slot))
            return false;
    bool sound = slot == set->count;
    for (int32_t task = 0; task < tasks && sound; task++)
        sound = check_block(c, task, owners);
    return sound;
}

static bool check_variable(const pli_constraints_data *set)
{
    for (int32_t slot = 0; slot < set->count; slot++) {
        pli_span members = set->variable.member_spans[slot], rest = set->variable.rest_spans[slot],
                 triangles = set->variable.triangle_spans[slot];
        int32_t count = members.end - members.begin;
        if (count > set->variable.largest || count < 1)
            return false;
        if (rest.end - rest.begin != set->type->rest_count + (set->type->rest_per_particle ? count : 0))
            return false;
        for (int32_t t = 3 * triangles.begin; t < 3 * triangles.end; t++) {
            if (set->variable.local_triangles[t] < 0 || set->variable.local_triangles[t] >= count)
                return false;
            set->variable.triangles[t] = set->variable.members[members.begin + set->variable.local_triangles[t]];
        }
    }
    return true;
}

// slot_of maps one to one onto the slots that contain constraints.
static bool check_numbers(const pli_constraints_data *set, uint8_t *occupied)
{
    int32_t used = 0;
    for (int32_t i = 0; set->schedule.slot_of && i < set->count; i++) {
        int32_t slot = set->schedule.slot_of[i];
        if (slot < 0 || slot >= set->slot_count || occupied[slot])
            return false;
        occupied[slot] = 1;
    }
    for (int32_t colour = 0; set->schedule.slot_of && colour < set->schedule.colour_count; colour++)
        for (int32_t i = 0; i < set->schedule.colour_sizes[colour]; i++)
            used += occupied[set->schedule.colour_offsets[colour] + i];
    return !set->schedule.slot_of || used == set->count;
}

static bool all_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; values && i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool check_values(const pli_constraints_data *set)
{
    bool finite = all_finite(set->compliance_scale, set->slot_count);
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        finite = finite && all_finite(set->rest[j], set->slot_count);
    if (set->type->cardinality == 0 && set->count > 0)
        finite = finite && all_finite(set->variable.rest, set->variable.rest_spans[set->count - 1].end);
    return finite;
}

static bool sound(pli_world *world, const pli_constraints_data *set, bool *out_of_memory)
{
    pli_memory *memory = &world->memory;
    uint32_t *marks = PLI_ALLOCATE(memory, uint32_t, set->deformable->count);
    uint32_t *owners = PLI_ALLOCATE(memory, uint32_t, set->deformable->count);
    uint8_t *occupied = PLI_ALLOCATE(memory, uint8_t, set->slot_count);
    cooked_checking c = {set, marks, 0};
    *out_of_memory = !marks || !owners || !occupied;
    bool fixed = set->type->cardinality > 0;
    bool good = !*out_of_memory && set->variable.largest >= set->type->cardinality && check_numbers(set, occupied) &&
                check_values(set) && (fixed || check_variable(set)) &&
                (set->grid_runs.items ? check_runs(&c, owners) : check_colours(&c, !coloured(world)));
    pli_release(memory, marks);
    pli_release(memory, owners);
    pli_release(memory, occupied);
    return good;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static bool complete_set(pli_world *world, pli_constraints_data *set)
{
    set->variable.evaluation = PLI_ALLOCATE(&world->memory, double, 15 * (int64_t)set->variable.largest);
    if (set->type->needs_normals) {
        set->state = PLI_ALLOCATE(&world->memory, float, set->slot_count);
        set->good_state = PLI_ALLOCATE(&world->memory, float, set->slot_count);
        for (int32_t slot = 0; set->state && slot < set->slot_count; slot++)
            set->state[slot] = set->rest[0][slot] < 0.0f ? -1.0f : 1.0f;
    }
    if (set->grid_runs.items && !pli_runs_mark(world, set))
        return false;
    return set->variable.evaluation && (!set->type->needs_normals || (set->state && set->good_state)) &&
           pli_contiguous_batches_mark(world, set);
}

static pli_status read_set(pli_world *world, pli_constraints_data *set, pli_stream *s, pli_error *error)
{
    bool out_of_memory = false;
    cooked_pass_set(s, world, set);
    out_of_memory = s->out_of_memory;
    bool good = !s->failed && s->at == s->size && sound(world, set, &out_of_memory);
    if (good) {
        if (set->type->cardinality > 0)
            pli_constraints_fill_padding(set);
        out_of_memory = !complete_set(world, set);
    }
    if (out_of_memory)
        return pli_fail_memory(error);
    return good ? pli_succeed(error)
                : pli_fail(error, PLI_STATUS_CORRUPT, "cooked set %d of '%s' does not hold together; cook it again",
                           (int)world->cook.taken, set->type->name);
}

pli_status pli_cooked_take(pli_world *world, pli_constraints_data *set, uint64_t source, pli_error *error)
{
    pli_stream s = {.mode = PLI_STREAM_READ, .in = world->cook.data, .at = world->cook.at, .size = world->cook.size};
    uint64_t keys[KEY_WORDS], length = 0;
    if (world->cook.taken >= world->cook.count)
        return pli_fail(error, PLI_STATUS_CORRUPT,
                        "there are %d cooked sets, and one more is made; cook again, or call "
                        "pli_world_set_cooked with null before it",
                        (int)world->cook.count);
    pli_pass(&s, &length, WORD);
    if (s.failed || length > s.size - s.at)
        return pli_fail(error, PLI_STATUS_CORRUPT, "cooked set %d is cut off", (int)world->cook.taken);
    s.size = s.at + (size_t)length;
    size_t end = s.size, before = world->memory.bytes;
    keys_of(world, set, source, keys);
    for (int32_t i = 0; i < KEY_WORDS; i++) {
        uint64_t found = 0;
        pli_pass(&s, &found, WORD);
        if (s.failed || found != keys[i])
            return pli_fail(error, PLI_STATUS_CORRUPT,
                            "cooked set %d does not fit this one of '%s': it was made from %s; "
                            "cook again",
                            (int)world->cook.taken, set->type->name, refusals[i]);
    }
    pli_status status = read_set(world, set, &s, error);
    set->memory = world->memory.bytes - before;
    if (status == PLI_STATUS_OK)
        world->cook.at = end, world->cook.taken++;
    return status;
}

/* ---- public functions ------------------------------------------------------------------------- */

static void cooked_pass_world(pli_stream *s, pli_world *world)
{
    uint64_t header[HEADER_WORDS] = {COOKED_MAGIC, COOKED_VERSION, (uint64_t)world->sets.count};
    for (int32_t i = 0; i < HEADER_WORDS; i++)
        pli_pass(s, &header[i], WORD);
    for (int32_t i = 0; i < world->sets.count && !s->failed; i++) {
        pli_constraints_data copy = *pli_constraints_data_at(world, i);
        // Cooked sets have the shape of their source.
        if (copy.bends) {
            copy.rest[copy.type->bend_rest] = copy.first_rest;
            pli_constraints_mark_bends(&copy);
        }
        pli_stream measure = {.mode = PLI_STREAM_MEASURE};
        uint64_t keys[KEY_WORDS] = {0};
        if (s->mode == PLI_STREAM_WRITE)
            keys_of(world, &copy, copy.made.hash, keys);
        cooked_pass_set(&measure, world, &copy);
        uint64_t length = measure.at + KEY_WORDS * WORD;
        pli_pass(s, &length, WORD);
        for (int32_t k = 0; k < KEY_WORDS; k++)
            pli_pass(s, &keys[k], WORD);
        cooked_pass_set(s, world, &copy);
    }
}

size_t pli_world_cooked_size(const pli_world *world)
{
    pli_stream s = {.mode = PLI_STREAM_MEASURE};
    cooked_pass_world(&s, (pli_world *)world);
    return s.at + WORD;
}

pli_status pli_world_cooked_write(const pli_world *world, void *buffer, size_t size, pli_error *error)
{
    for (int32_t i = 0; i < world->sets.count; i++)
        if (pli_constraints_data_at(world, i)->links)
            return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                            "'%s' is of a deformable that tears or was cut: its sets are "
                            "cooked each time",
                            pli_constraints_data_at(world, i)->name);
    size_t needed = pli_world_cooked_size(world);
    if (size < needed)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the cooked sets need %zu bytes, the buffer has %zu",
                        needed, size);
    pli_stream s = {.mode = PLI_STREAM_WRITE, .out = buffer, .size = needed};
    cooked_pass_world(&s, (pli_world *)world);
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, buffer, s.at);
    pli_pass(&s, &checksum, WORD);
    return pli_succeed(error);
}

pli_status pli_world_set_cooked(pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    world->cook.data = NULL;
    world->cook.count = world->cook.taken = 0;
    if (!buffer)
        return pli_succeed(error);
    pli_stream s = {.mode = PLI_STREAM_READ, .in = buffer, .size = size};
    uint64_t header[HEADER_WORDS] = {0}, checksum = 0;
    for (int32_t i = 0; i < HEADER_WORDS; i++)
        pli_pass(&s, &header[i], WORD);
    if (s.failed || header[0] != COOKED_MAGIC)
        return pli_fail(error, PLI_STATUS_CORRUPT, "these are not cooked sets: they do not begin with PLICOOK");
    if (header[1] != COOKED_VERSION)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "the cooked sets have version %d, this engine reads %d; cook again", (int)header[1],
                        (int)COOKED_VERSION);
    pli_stream end = {.mode = PLI_STREAM_READ, .in = buffer, .size = size, .at = size >= WORD ? size - WORD : 0};
    pli_pass(&end, &checksum, WORD);
    if (size < (HEADER_WORDS + 1) * WORD || checksum != pli_hash_bytes(PLI_HASH_START, buffer, size - WORD))
        return pli_fail(error, PLI_STATUS_CORRUPT,
                        "the checksum of the cooked sets is wrong: they were cut off or changed");
    if (header[2] > INT32_MAX)
        return pli_fail(error, PLI_STATUS_CORRUPT, "the cooked data is damaged: its set count is out of range");
    world->cook.data = buffer;
    world->cook.size = size - WORD;
    world->cook.at = s.at;
    world->cook.count = (int32_t)header[2];
    return pli_succeed(error);
}
