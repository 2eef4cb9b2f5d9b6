// Pieces by union-find: particles of one face or of one constraint are connected. An intact mesh of one part is one piece; a torn mesh, or
// a mesh of several parts, has more.
//
//   members    | piece 0 ........... | piece 1 ..... | loose |     each ascending; pieces by their first particle
//   chunks     | 0 | 0 | 0 | 1 | 1 | ...                           of PLI_PARTICLE_GRAIN members at most
//
// A particle without connections is loose: corrections of it have no counterpart on another particle. Loose particles form the last piece,
// which counts as a piece without rigid motion.
//
// A pivot is a particle that is fixed or that a constraint ties to the world. The force that holds it acts only at the pivot, so it has no
// moment about it. One pivot leaves a piece three rotations about it, collinear pivots leave one rotation about their line, others none.
#include "sweep/connected_pieces.h"

#include "base/pieces.h"
#include "base/union_find.h"
#include "sweep/grid/grid_layout.h"
#include "particles/ghost_motion.h"
#include "particles/rolling_friction.h"
#include "sweep/constraint_slots.h"
#include "particles/momentum.h"

// Pivots further from the line through the first two than this fraction of the distance of these two leave no axis.
static const double off_axis = 1e-4;

/* ---- connections ---------------------------------------------------------------------------------- */

static void join_surface_faces(const pli_deformable_data *deformable, int32_t *parents)
{
    const pli_faces *shape = &deformable->shape;
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        const int32_t *corners = shape->triangles + 3 * t;
        for (int32_t k = 1; k < 3; k++)
            pli_sets_join(parents, pli_place(deformable, corners[0]), pli_place(deformable, corners[k]));
    }
}

static bool join_set(pli_constraints_data *set, pli_world *world, int32_t *parents)
{
    if (set->runs && !set->run_marks && !pli_runs_mark(world, set))
        return false;
    for (int32_t i = 0; i < set->count; i++) {
        int32_t fixed[PLI_CARDINALITY_MAX];
        const int32_t *particles;
        int32_t count = pli_constraints_particles(set, i, &particles, fixed);
        for (int32_t k = 1; k < count; k++)
            pli_sets_join(parents, particles[0], particles[k]);
    }
    return true;
}

static bool is_connected(int32_t *parents, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (pli_set_root(parents, i) != 0)
            return false;
    return true;
}

/* ---- arrays --------------------------------------------------------------------------------------- */

static void clear_pieces(pli_world *world, pli_pieces *pieces)
{
    void *arrays[] = {pieces->items,    pieces->fast,   pieces->ghosts,     pieces->members,
                      pieces->piece_of, pieces->chunks, pieces->sums,       pieces->masses,
                      pieces->pivots,   pieces->before, pieces->footprints, pieces->pins};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
    *pieces = (pli_pieces){0};
}

void pli_pieces_free(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->momentum->pieces)
        clear_pieces(world, deformable->momentum->pieces);
    pli_release(&world->memory, deformable->momentum->pieces);
    deformable->momentum->pieces = NULL;
}

// Numbers the roots of two or more particles in `piece_of`, ascending; returns their number. Loose particles get that number.
static int32_t number_pieces(int32_t *parents, int32_t *piece_of, int32_t count)
{
    int32_t pieces = 0;
    for (int32_t i = 0; i < count; i++)
        piece_of[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t root = pli_set_root(parents, i);
        if (root != i && piece_of[root] < 0)
            piece_of[root] = pieces++;
    }
    for (int32_t i = 0; i < count; i++)
        piece_of[i] = piece_of[pli_set_root(parents, i)];
    for (int32_t i = 0; i < count; i++)
        piece_of[i] = piece_of[i] < 0 ? pieces : piece_of[i];
    return pieces;
}

// Sorts the particles by piece into `members`; begins[pieces + 1] are the starts of the pieces.
static void list_members(const int32_t *piece_of, int32_t count, int32_t pieces, int32_t *begins, int32_t *members)
{
    for (int32_t i = 0; i < count; i++)
        begins[piece_of[i] + 1]++;
    for (int32_t p = 0; p < pieces; p++)
        begins[p + 1] += begins[p];
    for (int32_t i = 0; i < count; i++)
        members[begins[piece_of[i]]++] = i;
    for (int32_t p = pieces; p > 0; p--)
        begins[p] = begins[p - 1];
    begins[0] = 0;
}

static int32_t pad_to_batch(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH; }

static bool make_chunks(pli_world *world, pli_pieces *pieces, const int32_t *begins)
{
    int32_t chunks = 0, at = 0, masses = 0;
    for (int32_t p = 0; p < pieces->count; p++) {
        chunks += pli_piece_count(begins[p + 1] - begins[p], PLI_PARTICLE_GRAIN);
        masses += pad_to_batch(begins[p + 1] - begins[p]);
    }
    pieces->chunks = PLI_ALLOCATE(&world->memory, pli_ghost_chunk, chunks);
    pieces->sums = PLI_ALLOCATE(&world->memory, double, (int64_t)chunks *PLI_GHOST_SUM_COUNT);
    pieces->masses = PLI_ALLOCATE(&world->memory, float, masses);
    if (!pieces->chunks || !pieces->sums || !pieces->masses)
        return false;
    masses = 0;
    for (int32_t p = 0; p < pieces->count; p++) {
        pieces->items[p].first_chunk = at;
        for (int32_t i = begins[p]; i < begins[p + 1]; i += PLI_PARTICLE_GRAIN) {
            int32_t left = begins[p + 1] - i, count = left < PLI_PARTICLE_GRAIN ? left : PLI_PARTICLE_GRAIN;
            pieces->chunks[at++] = (pli_ghost_chunk){.piece = p, .begin = i, .end = i + count, .masses = masses};
            masses += pad_to_batch(count);
        }
        pieces->items[p].chunk_count = at - pieces->items[p].first_chunk;
    }
    pieces->chunk_count = chunks;
    return true;
}

static bool make_items(pli_world *world, pli_pieces *pieces, int32_t count)
{
    pieces->items = PLI_ALLOCATE(&world->memory, pli_piece, count);
    pieces->fast = PLI_ALLOCATE(&world->memory, bool, count);
    pieces->ghosts = PLI_ALLOCATE(&world->memory, pli_ghost, count);
    pieces->footprints = PLI_ALLOCATE(&world->memory, pli_footprint, count);
    pieces->pins = PLI_ALLOCATE(&world->memory, pli_pins, count);
    pieces->count = count;
    return pieces->items && pieces->fast && pieces->ghosts && pieces->footprints && pieces->pins;
}

static bool make_whole(pli_world *world, const pli_deformable_data *deformable)
{
    const int32_t begins[2] = {0, deformable->count};
    return make_items(world, deformable->momentum->pieces, 1) &&
           make_chunks(world, deformable->momentum->pieces, begins);
}

static bool make_several(pli_world *world, const pli_deformable_data *deformable, int32_t *parents)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    int32_t count = deformable->count;
    pieces->members = PLI_ALLOCATE(&world->memory, int32_t, count);
    pieces->piece_of = PLI_ALLOCATE(&world->memory, int32_t, count);
    if (!pieces->members || !pieces->piece_of)
        return false;
    int32_t several = number_pieces(parents, pieces->piece_of, count);
    int32_t *begins = PLI_ALLOCATE(&world->memory, int32_t, several + 2);
    bool complete = begins && make_items(world, pieces, several + 1);
    if (complete) {
        list_members(pieces->piece_of, count, several + 1, begins, pieces->members);
        complete = make_chunks(world, pieces, begins);
    }
    pli_release(&world->memory, begins);
    return complete;
}

static bool find_pieces(pli_world *world, pli_deformable_data *deformable)
{
    int32_t *parents = PLI_ALLOCATE_UNSET(&world->memory, int32_t, deformable->count);
    bool complete = parents != NULL;
    if (complete)
        pli_sets_reset(parents, deformable->count);
    if (complete)
        join_surface_faces(deformable, parents);
    bool whole = complete && is_connected(parents, deformable->count);
    for (pli_constraints_data *set = deformable->first_set; set && complete && !whole; set = set->next)
        complete = join_set(set, world, parents);
    if (complete)
        complete = whole || is_connected(parents, deformable->count) ? make_whole(world, deformable)
                                                                     : make_several(world, deformable, parents);
    pli_release(&world->memory, parents);
    return complete;
}

/* ---- pivots --------------------------------------------------------------------------------------- */

static bool add_pivot(pli_world *world, pli_pieces *pieces, int32_t particle)
{
    if (!pli_reserve(&world->memory, &pieces->pivots, &pieces->pivot_capacity, (int64_t)pieces->pivot_count + 1,
                     sizeof *pieces->pivots))
        return false;
    pieces->pivots[pieces->pivot_count++] = particle;
    return true;
}

// Adds the particles that sets tie to the world: sets of soft attachments, or all others.
static bool add_tied(pli_world *world, const pli_deformable_data *deformable, bool of_attachments)
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        for (int32_t i = 0; set->type->world_anchored && set->of_attachment == of_attachments && i < set->count; i++) {
            int32_t fixed[PLI_CARDINALITY_MAX];
            const int32_t *particles;
            int32_t count = pli_constraints_particles(set, i, &particles, fixed);
            for (int32_t k = 0; k < count; k++)
                if (!add_pivot(world, deformable->momentum->pieces, particles[k]))
                    return false;
        }
    return true;
}

static bool find_pivots(pli_world *world, pli_deformable_data *deformable)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    pieces->pivot_count = 0;
    for (int32_t i = 0; i < deformable->count; i++)
        if (deformable->particles[i].w == 0.0f && !add_pivot(world, pieces, i))
            return false;
    bool complete = add_tied(world, deformable, false);
    pieces->pin_count = pieces->pivot_count;
    return complete && add_tied(world, deformable, true);
}

static pli_dvec3 piece_place(const pli_deformable_data *deformable, int32_t particle)
{
    const pli_particle *p = &deformable->particles[particle];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

static double rest_distance(const pli_deformable_data *deformable, int32_t a, int32_t b)
{
    return pli_dlength(pli_dsub(piece_place(deformable, a), piece_place(deformable, b)));
}

// The second pivot is the one furthest from the first.
static void take_pivot(const pli_deformable_data *deformable, pli_piece *piece, int32_t particle)
{
    if (piece->pivot_count == 0) {
        piece->pivots[0] = particle;
        piece->pivot_count = 1;
        return;
    }
    double far = rest_distance(deformable, piece->pivots[0], particle);
    if (far > (piece->pivot_count == 2 ? rest_distance(deformable, piece->pivots[0], piece->pivots[1]) : 0.0)) {
        piece->pivots[1] = particle;
        piece->pivot_count = 2;
    }
}

static bool is_on_axis(const pli_deformable_data *deformable, const pli_piece *piece, int32_t particle)
{
    pli_dvec3 from = piece_place(deformable, piece->pivots[0]);
    pli_dvec3 along = pli_dsub(piece_place(deformable, piece->pivots[1]), from);
    pli_dvec3 across = pli_dcross(along, pli_dsub(piece_place(deformable, particle), from));
    return pli_dlength(across) <= off_axis * pli_ddot(along, along);
}

// Pivots move, so the remaining motions are determined in every step.
static void find_motions(pli_deformable_data *deformable)
{
    pli_pieces *pieces = deformable->momentum->pieces;
    for (int32_t i = 0; i < pieces->count; i++)
        pieces->items[i].pivot_count = 0;
    for (int32_t k = 0; k < pieces->pivot_count; k++) {
        int32_t particle = pieces->pivots[k];
        take_pivot(deformable, &pieces->items[pieces->piece_of ? pieces->piece_of[particle] : 0], particle);
    }
    for (int32_t k = 0; k < pieces->pivot_count; k++) {
        int32_t particle = pieces->pivots[k];
        pli_piece *piece = &pieces->items[pieces->piece_of ? pieces->piece_of[particle] : 0];
        if (piece->pivot_count == PLI_PIVOTS_MAX && !is_on_axis(deformable, piece, particle))
            piece->pivot_count = PLI_HELD_FAST;
    }
    if (pieces->members)
        pieces->items[pieces->count - 1].pivot_count = PLI_HELD_FAST;
    pieces->any_free = pieces->any_drifts = false;
    for (int32_t i = 0; i < pieces->count; i++) {
        pieces->fast[i] = pieces->items[i].pivot_count == PLI_HELD_FAST;
        pieces->any_free = pieces->any_free || !pieces->fast[i];
        pieces->any_drifts = pieces->any_drifts || pieces->items[i].pivot_count == 0;
    }
}

static bool update_pieces(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->momentum->pieces && !(deformable->momentum->pieces = PLI_ALLOCATE(&world->memory, pli_pieces, 1)))
        return false;
    pli_pieces *pieces = deformable->momentum->pieces;
    if (!deformable->momentum->pieces_known) {
        clear_pieces(world, pieces);
        deformable->momentum->pivots_known = false;
        if (!find_pieces(world, deformable))
            return false;
        deformable->momentum->pieces_known = true;
    }
    if (!deformable->momentum->pivots_known) {
        if (!find_pivots(world, deformable))
            return false;
        pli_deformable_weigh_pieces(world, deformable);
        deformable->momentum->pivots_known = true;
    }
    const bool between = deformable->surface || pli_deformable_is_attached_to_rigids(deformable);
    if ((world->settings.iterations > 1 || between) && !pieces->before &&
        !(pieces->before = PLI_ALLOCATE(&world->memory, pli_particle, 2 * (int64_t)deformable->count)))
        return false;
    find_motions(deformable);
    return true;
}

bool pli_world_update_pieces(pli_world *world)
{
    bool complete = true,
         wanted = world->settings.keep_momentum || world->settings.damping > 0.0f || pli_world_resists_rolling(world);
    for (int32_t i = 0; i < world->deformables.count && wanted; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        if (deformable->first_set)
            complete = update_pieces(world, deformable) && complete;
        else
            pli_pieces_free(world, deformable);
    }
    return complete;
}
