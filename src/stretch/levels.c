// One pass of the multilevel stretch solver (stretch/levels.h): restriction from the finest level up, then from the
// coarsest level down projection of lengths and prolongation.
//
//   After Mueller 2008, Hierarchical Position Based Dynamics: coarse levels first, with constraints that only
//   resist stretch. There coarse nodes are particles; here they are centres of mass of the nodes that follow
//   them, so that linear and angular momentum are kept (docs/decisions/0011).
#include "stretch/levels.h"

#include "model/parallel.h"
#include "model/user_types.h"
#include "stretch/levels_kernels.h"

enum { RESTRICT_GRAIN = 8, PROLONG_GRAIN = 128 }; // Batches of a parallel piece.

// Share of the mean edge by which a gentle pass moves nodes at most.
#define GENTLE 0.05f
// Smaller meshes have their levels in every substep: these cost little there, and what carries a hundred times its mass needs them.
enum { LEAST_TO_REST = 4096 };

static int32_t batches(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH; }

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
        .particles = level->lists.nodes,
        .index = {level->index[0], level->index[1]},
        .rest = {level->rest},
        .parameters = &slack,
        .sense = PLI_SENSE_AT_MOST,
        .first = true,
        .block = PLI_BLOCK,
        .stiffness = 1.0f,
    };
    for (int32_t i = 0; i < level->sweeps; i++) {
        for (int32_t colour = 0; colour < level->colour_count; colour++) {
            sweep s = {row->project, &projection, level->colour_offsets[colour]};
            pli_parallel(world, level->colour_offsets[colour + 1] - s.begin, PLI_SLOT_GRAIN, run_piece, &s);
        }
    }
}

// Whether no node was displaced by more than `most`; also false where that is not a number.
static bool is_gentle(const pli_level *level, float most)
{
    bool gentle = true;
    for (int32_t i = 0; i < level->count; i++) {
        const pli_particle *d = &level->lists.displacements[i];
        gentle = gentle && d->x * d->x + d->y * d->y + d->z * d->z <= most * most;
    }
    return gentle;
}

static void project_lists(pli_world *world, pli_deformable_data *deformable, pli_hierarchy *h, float slack)
{
    const pli_level_kernels *kernels = world->kernels->level;
    const pli_constraint_row *row;
    pli_world_find_type(world, "tether", &row, NULL);
    h->levels[0].lists.finer = deformable->particles;
    for (int32_t l = 0; l < h->count; l++)
        pli_parallel(world, batches(h->levels[l].count), RESTRICT_GRAIN, kernels->restrict_nodes, &h->levels[l].lists);
    for (int32_t l = h->count - 1; l >= 0; l--) {
        pli_level *level = &h->levels[l];
        project_level(world, level, row, slack);
        pli_parallel(world, batches(level->count), PROLONG_GRAIN, kernels->find_displacements, &level->lists);
        h->gentle = h->gentle && is_gentle(level, GENTLE * deformable->mean_edge);
        pli_parallel(world, batches(level->finer_count), PROLONG_GRAIN, kernels->prolong, &level->lists);
    }
}

static void project_grid_levels(pli_world *world, pli_hierarchy *h, float slack)
{
    for (int32_t l = 0; l < h->count; l++)
        pli_grid_levels_restrict(world, h->levels[l].grid_levels);
    for (int32_t l = h->count - 1; l >= 0; l--) {
        pli_grid_levels_project(world, h->levels[l].grid_levels, h->levels[l].sweeps, slack);
        pli_grid_levels_prolong(world, h->levels[l].grid_levels);
    }
}

int64_t pli_hierarchy_projections(const pli_hierarchy *h)
{
    int64_t count = 0;
    for (int32_t l = 0; l < h->count; l++)
        count += (int64_t)h->levels[l].sweeps *
                 (h->levels[l].grid_levels ? h->levels[l].grid_levels->pair_count : h->levels[l].pair_count);
    return count;
}

bool pli_hierarchy_acts(const pli_hierarchy *h, int32_t left, int32_t count)
{
    bool rests = h->gentle && h->acted == left + 1;
    return pli_hierarchy_in_grid(h) || left == count || left == 1 || !rests;
}

void pli_hierarchy_project(pli_world *world, pli_deformable_data *deformable, pli_hierarchy *h, float slack,
                           int32_t left, bool again)
{
    if (pli_hierarchy_in_grid(h)) {
        project_grid_levels(world, h, slack);
        return;
    }
    h->gentle = h->levels[0].finer_count >= LEAST_TO_REST && (h->gentle || !again);
    h->acted = left;
    project_lists(world, deformable, h, slack);
}
