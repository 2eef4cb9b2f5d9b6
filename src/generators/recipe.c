// Runs a recipe: pieces write into arrays of the greatest possible size, whose gaps are then closed.
//
//     before   [aaa.|bb..|cccc]      piece a made 3 of at most 4
//     after    [aaabbcccc]
#include "generators/recipe.h"

#include "base/sort.h"

typedef struct recipe_run {
    const pli_recipe *recipe;
    pli_stencils *stencils;
    pli_piece *pieces;
} recipe_run;

static void make_piece(void *data, int32_t i, int32_t end)
{
    const recipe_run *f = data;
    (void)end;
    if (!f->recipe->serial || !f->recipe->serial[i])
        f->recipe->make(f->recipe->data, &f->pieces[i]);
}

// Allocates the arrays of the stencils and gives each piece its part.
static bool place_pieces(const recipe_run *f, pli_memory *memory, int32_t piece_count)
{
    const pli_recipe *r = f->recipe;
    pli_stencils *s = f->stencils;
    int64_t capacity = r->max_counts ? 0 : r->count;
    for (int32_t i = 0; i < piece_count && r->max_counts; i++)
        capacity += r->max_counts[i];
    if (capacity * r->cardinality > INT32_MAX)
        return false;
    s->cardinality = r->cardinality;
    s->particles = PLI_ALLOCATE_UNSET(memory, int32_t, capacity * r->cardinality);
    s->areas = r->areas ? PLI_ALLOCATE_UNSET(memory, double, capacity) : NULL;
    if (!s->particles || (r->areas && !s->areas))
        return false;
    size_t at = 0;
    for (int32_t i = 0; i < piece_count; i++) {
        int32_t begin = i * PLI_PIECE, end = r->count - begin > PLI_PIECE ? begin + PLI_PIECE : r->count;
        f->pieces[i] = (pli_piece){.begin = begin,
                                   .end = end,
                                   .particles = s->particles + at * (size_t)r->cardinality,
                                   .areas = s->areas ? s->areas + at : NULL};
        at += (size_t)(r->max_counts ? r->max_counts[i] : end - begin);
    }
    return true;
}

// Moves pieces together where one before them made fewer constraints than it might have.
static void close_gaps(const recipe_run *f, int32_t piece_count)
{
    pli_stencils *s = f->stencils;
    size_t size = (size_t)s->cardinality;
    for (int32_t i = 0; i < piece_count; i++) {
        const pli_piece *piece = &f->pieces[i];
        int32_t *to = s->particles + (size_t)s->count * size;
        if (to != piece->particles) {
            memmove(to, piece->particles, (size_t)piece->count * size * sizeof *to);
            if (s->areas)
                memmove(s->areas + s->count, piece->areas, (size_t)piece->count * sizeof *s->areas);
        }
        s->count += piece->count;
        s->degenerate_count += piece->degenerate_count;
    }
}

static bool run_recipe(const pli_recipe *recipe, pli_stencils *stencils)
{
    pli_memory memory = pli_memory_make(&stencils->hooks);
    int32_t piece_count = pli_piece_count(recipe->count, PLI_PIECE);
    recipe_run f = {recipe, stencils, PLI_ALLOCATE_UNSET(&memory, pli_piece, piece_count)};
    bool complete = f.pieces && place_pieces(&f, &memory, piece_count);
    if (complete) {
        pli_run_pieces(&stencils->tasks, piece_count, 1, make_piece, &f);
        for (int32_t i = 0; i < piece_count && recipe->serial; i++)
            if (recipe->serial[i])
                recipe->make(recipe->data, &f.pieces[i]);
        close_gaps(&f, piece_count);
    }
    pli_release(&memory, f.pieces);
    return complete;
}

/* ---- equal pairs --------------------------------------------------------------------------------- */

typedef struct pair_search {
    const int32_t *particles;
    pli_sort_pair *items;
    // For each piece: an upper bound of its particles, and the number of pairs that repeat an earlier one.
    int32_t *bounds, *equal;
    uint8_t *drop;
} pair_search;

static void list_pairs(void *data, int32_t begin, int32_t end)
{
    const pair_search *p = data;
    int32_t bound = 0;
    for (int32_t i = begin; i < end; i++) {
        int32_t first = p->particles[2 * i], second = p->particles[2 * i + 1];
        p->items[i] = (pli_sort_pair){first < second ? first : second, first < second ? second : first, i};
        bound = p->items[i].low >= bound ? p->items[i].low + 1 : bound;
    }
    p->bounds[begin / PLI_PIECE] = bound;
}

static void mark_equal(void *data, int32_t begin, int32_t end)
{
    const pair_search *p = data;
    int32_t equal = 0;
    for (int32_t i = begin; i < end; i++) {
        const pli_sort_pair *item = &p->items[i];
        bool same = i > 0 && item[0].low == item[-1].low && item[0].high == item[-1].high;
        p->drop[item->value] = same;
        equal += same;
    }
    p->equal[begin / PLI_PIECE] = equal;
}

static void drop_marked(pli_stencils *s, const uint8_t *drop)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (drop[i])
            continue;
        s->particles[2 * kept] = s->particles[2 * i];
        s->particles[2 * kept + 1] = s->particles[2 * i + 1];
        kept++;
    }
    s->duplicate_count += s->count - kept;
    s->count = kept;
}

static bool find_and_drop(pair_search *p, pli_memory *memory, pli_stencils *s)
{
    int32_t bound = 0, equal = 0, piece_count = pli_piece_count(s->count, PLI_PIECE);
    pli_run_pieces(&s->tasks, s->count, PLI_PIECE, list_pairs, p);
    for (int32_t i = 0; i < piece_count; i++)
        bound = p->bounds[i] > bound ? p->bounds[i] : bound;
    if (!pli_sort_pairs(memory, &s->tasks, p->items, s->count, bound))
        return false;
    pli_run_pieces(&s->tasks, s->count, PLI_PIECE, mark_equal, p);
    for (int32_t i = 0; i < piece_count; i++)
        equal += p->equal[i];
    if (equal > 0)
        drop_marked(s, p->drop);
    return true;
}

static bool drop_equal_pairs(pli_stencils *stencils)
{
    pli_memory memory = pli_memory_make(&stencils->hooks);
    int32_t piece_count = pli_piece_count(stencils->count, PLI_PIECE);
    pair_search p = {
        .particles = stencils->particles,
        .items = PLI_ALLOCATE_UNSET(&memory, pli_sort_pair, stencils->count),
        .bounds = PLI_ALLOCATE_UNSET(&memory, int32_t, piece_count),
        .equal = PLI_ALLOCATE_UNSET(&memory, int32_t, piece_count),
        .drop = PLI_ALLOCATE_UNSET(&memory, uint8_t, stencils->count),
    };
    bool complete = p.items && p.bounds && p.equal && p.drop && find_and_drop(&p, &memory, stencils);
    void *arrays[] = {p.items, p.bounds, p.equal, p.drop};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&memory, arrays[i]);
    return complete;
}

/* ---- the public face ------------------------------------------------------------------------------ */

static pli_status finish(bool complete, pli_stencils *stencils, pli_error *error)
{
    if (complete)
        return pli_succeed(error);
    pli_stencils_release(stencils);
    return pli_fail_memory(error);
}

pli_status pli_recipe_finish(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error)
{
    return finish(run_recipe(recipe, stencils), stencils, error);
}

pli_status pli_recipe_finish_pairs(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error)
{
    return finish(run_recipe(recipe, stencils) && drop_equal_pairs(stencils), stencils, error);
}
