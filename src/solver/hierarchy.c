// A pass over the levels: centres, from the finest up; then, from the coarsest down, lengths, and what that moved is
// passed on to the finer nodes.
//
//   After Mueller 2008, Hierarchical Position Based Dynamics: coarse levels first, with constraints that only resist
//   stretch. There coarse nodes are particles; here they are centres of mass of those that follow them, so that both
//   momenta are kept (docs/decisions/0011).
#include "solver/hierarchy.h"

#include "base/vector.h"

enum { SWEEPS = 2, NODE_GRAIN = 512 };

typedef struct pass {
    const pli_level *level;
    pli_particle *finer;
} pass;

// All four numbers of a particle, so that compilers make one instruction of them.
static inline void add_scaled(float *sum, const pli_particle *p, float by)
{
    sum[0] += by * p->x, sum[1] += by * p->y, sum[2] += by * p->z, sum[3] += by * p->w;
}

static void find_centres(void *data, int32_t begin, int32_t end)
{
    const pass *p = data;
    const pli_level *level = p->level;
    for (int32_t j = begin; j < end; j++) {
        float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int32_t i = level->offsets[j]; i < level->offsets[j + 1]; i++)
            add_scaled(sum, &p->finer[level->members[i]], level->shares[i]);
        pli_particle *node = &level->nodes[j];
        *node = (pli_particle){sum[0], sum[1], sum[2], node->w};
        level->moves[j] = *node;
    }
}

static void find_moves(void *data, int32_t begin, int32_t end)
{
    const pass *p = data;
    for (int32_t j = begin; j < end; j++) {
        const pli_particle *now = &p->level->nodes[j], *then = &p->level->moves[j];
        p->level->moves[j] = (pli_particle){now->x - then->x, now->y - then->y, now->z - then->z, 0.0f};
    }
}

// Held ones stay where they are. The dummy is the parent of those that have fewer: it never moves.
static void pass_on(void *data, int32_t begin, int32_t end)
{
    const pass *p = data;
    for (int32_t i = begin; i < end; i++) {
        const int32_t *parents = p->level->parents + PLI_PARENTS * (size_t)i;
        const float *weights = p->level->weights + PLI_PARENTS * (size_t)i;
        float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        pli_particle *finer = &p->finer[i];
        if (finer->w == 0.0f)
            continue;
        for (int32_t k = 0; k < PLI_PARENTS; k++)
            add_scaled(sum, &p->level->moves[parents[k]], weights[k]);
        *finer = (pli_particle){finer->x + sum[0], finer->y + sum[1], finer->z + sum[2], finer->w};
    }
}

typedef struct sweep {
    pli_project run;
    const pli_projection *projection;
    int32_t begin;
} sweep;

static void run_piece(void *data, int32_t begin, int32_t end)
{
    const sweep *s = data;
    s->run(s->projection, s->begin + begin, s->begin + end);
}

static void project_level(pli_world *world, const pli_level *level, const pli_constraint_row *row, float slack)
{
    pli_projection projection = {
        .particles = level->nodes,
        .index = {level->index[0], level->index[1]},
        .rest = {level->rest},
        .type = row->type,
        .parameters = &slack,
        .sense = PLI_SENSE_AT_MOST,
        .first = true,
        .stiffness = 1.0f,
    };
    for (int32_t i = 0; i < SWEEPS; i++) {
        for (int32_t colour = 0; colour < level->colour_count; colour++) {
            sweep s = {row->project, &projection, level->colour_offsets[colour]};
            pli_parallel(world, level->colour_offsets[colour + 1] - s.begin, PLI_SLOT_GRAIN, run_piece, &s);
        }
        world->projections += level->pair_count;
    }
}

void pli_hierarchy_project(pli_world *world, pli_body *body, const pli_hierarchy *h, float slack)
{
    const pli_constraint_row *row;
    pli_world_find_type(world, "tether", &row, NULL);
    for (int32_t l = 0; l < h->count; l++) {
        pass p = {&h->levels[l], l == 0 ? body->particles : h->levels[l - 1].nodes};
        pli_parallel(world, p.level->count, NODE_GRAIN, find_centres, &p);
    }
    for (int32_t l = h->count - 1; l >= 0; l--) {
        pass p = {&h->levels[l], l == 0 ? body->particles : h->levels[l - 1].nodes};
        project_level(world, p.level, row, slack);
        pli_parallel(world, p.level->count, NODE_GRAIN, find_moves, &p);
        pli_parallel(world, p.level->finer_count, PLI_PARTICLE_GRAIN, pass_on, &p);
    }
}
