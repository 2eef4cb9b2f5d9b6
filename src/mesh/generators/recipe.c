// Runs a recipe: pieces write into arrays of the maximum possible size, whose gaps are closed after each part.
//
//     before   [aaa.|bb..|cccc]      piece a made 3 of at most 4
//     after    [aaabbcccc]
#include "mesh/generators/recipe.h"

enum { PART_PIECES = PLI_PART / PLI_PIECE };

typedef struct recipe_run {
    const pli_recipe *recipe;
    pli_stencils *stencils;
    pli_stencil_piece pieces[PART_PIECES]; // The largest number of pieces in a part.
    bool is_full;                          // An element made more constraints than allowed.
} recipe_run;

static void make_piece(void *data, int32_t i, int32_t end)
{
    recipe_run *f = data;
    (void)end;
    f->recipe->make(f->recipe->data, &f->pieces[i]);
}

// Returns the largest number of constraints that elements begin..end-1 can make.
static int32_t capacity_of(const pli_recipe *recipe, int32_t begin, int32_t end)
{
    return recipe->offsets ? recipe->offsets[end] - recipe->offsets[begin] : end - begin;
}

static pli_part part_from(int32_t begin, int32_t count)
{
    return (pli_part){begin, count - begin > PLI_PART ? begin + PLI_PART : count};
}

// Applications that were built before stencils had parts leave the size zero.
static bool asks_for_a_part(const pli_stencils *stencils) { return stencils->part > 0; }

pli_part pli_part_of(pli_stencils *stencils, int32_t count)
{
    if (!asks_for_a_part(stencils))
        return (pli_part){0, count};
    stencils->part_count = pli_piece_count(count, PLI_PART);
    return stencils->part <= stencils->part_count ? part_from((stencils->part - 1) * PLI_PART, count)
                                                  : (pli_part){count, count};
}

void pli_ask_for_all(pli_stencils *stencils)
{
    if (asks_for_a_part(stencils))
        stencils->part = 0;
}

static bool recipe_allocate(const pli_recipe *r, pli_stencils *s, pli_part all)
{
    pli_memory memory = pli_memory_make(&s->hooks);
    const int64_t capacity = capacity_of(r, all.begin, all.end);
    if (capacity * r->cardinality > INT32_MAX)
        return false;
    s->cardinality = r->cardinality;
    s->particles = PLI_ALLOCATE_UNSET(&memory, int32_t, capacity * r->cardinality);
    s->areas = r->areas ? PLI_ALLOCATE_UNSET(&memory, double, capacity) : NULL;
    return s->particles && (s->areas || !r->areas);
}

// Places each piece of a part after the existing stencils. Returns the number of pieces.
static int32_t place_pieces(recipe_run *f, pli_part part)
{
    const pli_stencils *s = f->stencils;
    size_t at = (size_t)s->count;
    int32_t count = 0;
    for (int32_t begin = part.begin, end; begin < part.end; begin = end) {
        end = part.end - begin > PLI_PIECE ? begin + PLI_PIECE : part.end;
        f->pieces[count++] = (pli_stencil_piece){.begin = begin,
                                                 .end = end,
                                                 .capacity = capacity_of(f->recipe, begin, end),
                                                 .particles = s->particles + at * (size_t)s->cardinality,
                                                 .areas = s->areas ? s->areas + at : NULL};
        at += (size_t)capacity_of(f->recipe, begin, end);
    }
    return count;
}

// Closes the gaps that earlier pieces leave when they make fewer constraints than their maximum.
static void recipe_close_gaps(recipe_run *f, int32_t piece_count)
{
    pli_stencils *s = f->stencils;
    size_t size = (size_t)s->cardinality;
    for (int32_t i = 0; i < piece_count; i++) {
        const pli_stencil_piece *piece = &f->pieces[i];
        int32_t *to = s->particles + (size_t)s->count * size;
        if (to != piece->particles) {
            memmove(to, piece->particles, (size_t)piece->count * size * sizeof *to);
            if (s->areas)
                memmove(s->areas + s->count, piece->areas, (size_t)piece->count * sizeof *s->areas);
        }
        s->count += piece->count;
        s->degenerate_count += piece->degenerate_count;
        f->is_full |= piece->is_full;
    }
}

// Gaps are closed part by part, so memory beyond the actual stencils is never written.
static pli_status run_recipe(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error)
{
    const pli_part all = pli_part_of(stencils, recipe->count);
    recipe_run f = {.recipe = recipe, .stencils = stencils};
    if (!recipe_allocate(recipe, stencils, all))
        return pli_fail_memory(error);
    for (int32_t begin = all.begin; begin < all.end; begin += PLI_PART) {
        const int32_t piece_count = place_pieces(&f, part_from(begin, all.end));
        pli_run_pieces(recipe->serial ? NULL : &stencils->tasks, piece_count, 1, make_piece, &f);
        recipe_close_gaps(&f, piece_count);
    }
    if (f.is_full)
        return pli_fail(
            error, PLI_STATUS_INVALID_ARGUMENT,
            "a generator made more stencils than its recipe has memory for, which is %s; its offsets say how many an "
            "element makes at most",
            recipe->offsets ? "what its offsets say" : "one an element");
    return pli_succeed(error);
}

/* ---- equal pairs --------------------------------------------------------------------------------- */

// Lists of pairs by their lower particle, from the last pair to the first.
typedef struct pair_lists {
    int32_t *
        last; // [particles] the last pair in the list of each, or -1; after its list is done, the last pair met with it.
    int32_t *before; // [pairs] the previous pair in its list, or -1; DROPPED.
} pair_lists;

enum { DROPPED = -2 };

static int32_t lower_of(const int32_t *pair) { return pair[0] < pair[1] ? pair[0] : pair[1]; }

static void recipe_fill_lists(const pair_lists *p, const pli_stencils *s, int32_t particle_count)
{
    memset(p->last, 0xff, (size_t)particle_count * sizeof *p->last); // -1 in each.
    for (int32_t i = 0; i < s->count; i++) {
        int32_t *last = &p->last[lower_of(s->particles + 2 * i)];
        p->before[i] = *last;
        *last = i;
    }
}

// Drops the later one of equal pairs in the list of a particle. The lists of higher particles are done, so their entries are free.
static void drop_equal(const pair_lists *p, const pli_stencils *s, int32_t low)
{
    for (int32_t i = p->last[low], before; i >= 0; i = before) {
        const int32_t *pair = s->particles + 2 * i;
        int32_t *met = &p->last[pair[0] == low ? pair[1] : pair[0]];
        before = p->before[i];
        if (*met >= 0 && lower_of(s->particles + 2 * *met) == low)
            p->before[*met] = DROPPED;
        *met = i;
    }
}

static void keep_rest(const pair_lists *p, pli_stencils *s)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (p->before[i] == DROPPED)
            continue;
        s->particles[2 * kept] = s->particles[2 * i];
        s->particles[2 * kept + 1] = s->particles[2 * i + 1];
        kept++;
    }
    s->duplicate_count += s->count - kept;
    s->count = kept;
}

static bool drop_equal_pairs(pli_stencils *s, int32_t particle_count)
{
    pli_memory memory = pli_memory_make(&s->hooks);
    const pair_lists p = {PLI_ALLOCATE_UNSET(&memory, int32_t, particle_count),
                          PLI_ALLOCATE_UNSET(&memory, int32_t, s->count)};
    bool complete = p.last && p.before;
    if (complete) {
        recipe_fill_lists(&p, s, particle_count);
        for (int32_t v = particle_count - 1; v >= 0; v--)
            drop_equal(&p, s, v);
        keep_rest(&p, s);
    }
    pli_release(&memory, p.last);
    pli_release(&memory, p.before);
    return complete;
}

/* ---- the public face ------------------------------------------------------------------------------ */

static pli_status recipe_finish(pli_status status, pli_stencils *stencils)
{
    if (status != PLI_STATUS_OK)
        pli_stencils_release(stencils);
    return status;
}

pli_status pli_recipe_finish(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error)
{
    return recipe_finish(run_recipe(recipe, stencils, error), stencils);
}

pli_status pli_recipe_finish_pairs(const pli_recipe *recipe, int32_t particle_count, pli_stencils *stencils,
                                   pli_error *error)
{
    pli_ask_for_all(stencils);
    pli_status status = run_recipe(recipe, stencils, error);
    if (status == PLI_STATUS_OK && !drop_equal_pairs(stencils, particle_count))
        status = pli_fail_memory(error);
    return recipe_finish(status, stencils);
}
