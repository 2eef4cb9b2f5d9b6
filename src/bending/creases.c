// Creases of a plate: the targets of its sides follow bends beyond the yield curvature. See bending/plastic.h.
//
// The slope across the edge between two triangles is taken halfway between their slopes, as at rest (bending/plate_build.c), so the targets
// for which a shape would be at rest follow from its positions alone. Their difference to the targets of a triangle gives the tensor of its
// excess curvature through the element of the triangle (bending/plate_element.h):
//
//     e_k = slope_k - normal_k - target_k         H = sum of l_k / A (e_k . n) n_k n_k^T
//
// H is linear in e_k . n, so adding the fraction of e_k that stays to the targets puts the tensor exactly on the yield surface. At a
// border, where the slope is free, e_k minimises |H|. A fixed triangle is clamped and takes no part of the jump to a triangle that is not
// fixed; the other triangle takes twice its usual part.
#include "base/hash.h"
#include "model/parallel.h"
#include "bending/plastic.h"
#include "bending/plate_build.h"
#include "bending/creases.h"

#include <string.h>

enum { GRAIN = 256 };

typedef struct pli_crease_frame {
    pli_dvec3 normals[3], axes[3]; // As in pli_plate_element.
    double along[3][2];            // The normals along the first two axes.
    double lengths[3], area;       // [m], [m2].
    bool valid, fixed;
} pli_crease_frame;

static void measure_creases(const pli_dvec3 corners[3], pli_crease_frame *frame)
{
    pli_plate_element element;
    frame->valid = pli_plate_element_make(corners, 1.0, 0.0, &element);
    if (!frame->valid)
        return;
    for (int k = 0; k < 3; k++) {
        frame->normals[k] = element.normals[k], frame->axes[k] = element.axes[k];
        frame->along[k][0] = pli_ddot(element.normals[k], element.axes[0]);
        frame->along[k][1] = pli_ddot(element.normals[k], element.axes[1]);
        frame->lengths[k] = pli_dlength(pli_dsub(corners[(k + 1) % 3], corners[k]));
    }
    const pli_dvec3 across = pli_dcross(pli_dsub(corners[1], corners[0]), pli_dsub(corners[2], corners[0]));
    frame->area = 0.5 * pli_dlength(across);
}

// The derivative across a side minus the normal of the side in its triangle, along the triangle's axes.
static bool crease_target_of(const pli_crease_frame *frames, const int32_t *across, int32_t side, double target[3])
{
    const pli_crease_frame *own = &frames[side / 3], *other = across[side] < 0 ? NULL : &frames[across[side] / 3];
    if (!other || !own->valid || !other->valid)
        return false;
    const pli_dvec3 between = pli_plate_derivative_between(own->normals[side % 3], other->normals[across[side] % 3],
                                                           side < across[side]);
    const pli_dvec3 crease_excess = pli_dsub(between, own->normals[side % 3]);
    for (int axis = 0; axis < 3; axis++)
        target[axis] = pli_ddot(crease_excess, own->axes[axis]);
    return true;
}

/* ---- memory -------------------------------------------------------------------------------------- */

void pli_deformable_free_creases(pli_world *world, pli_deformable_data *deformable)
{
    pli_creases *c = deformable->plastic->creases;
    if (!c)
        return;
    void *const all[] = {c->offsets, c->bends, c->across, c->targets, c->now, c->work, c};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(&world->memory, all[i]);
    deformable->plastic->creases = NULL;
}

static bool make_crease(pli_world *world, pli_deformable_data *deformable)
{
    pli_memory *memory = &world->memory;
    pli_creases *c = deformable->plastic->creases = PLI_ALLOCATE(memory, pli_creases, 1);
    if (!c)
        return false;
    const size_t count = (size_t)deformable->shape.triangle_count;
    c->count = deformable->shape.triangle_count;
    c->offsets = PLI_ALLOCATE(memory, float, 9 * count);
    c->bends = PLI_ALLOCATE(memory, float, count);
    c->across = PLI_ALLOCATE(memory, int32_t, 3 * count);
    c->targets = PLI_ALLOCATE(memory, float, 9 * count);
    c->now = PLI_ALLOCATE(memory, pli_crease_frame, count);
    c->work = PLI_ALLOCATE(memory, double, count / GRAIN + 1);
    return c->offsets && c->bends && c->across && c->targets && c->now && c->work;
}

static void measure_rest(const pli_deformable_data *deformable)
{
    const pli_faces *shape = &deformable->shape;
    const pli_creases *c = deformable->plastic->creases;
    for (int32_t t = 0; t < c->count; t++) {
        pli_dvec3 corners[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *at = shape->positions + 3 * (size_t)shape->triangles[3 * t + k];
            corners[k] = (pli_dvec3){(double)at[0], (double)at[1], (double)at[2]};
        }
        measure_creases(corners, &c->now[t]);
    }
    for (int32_t side = 0; side < 3 * c->count; side++) {
        double target[3] = {0.0, 0.0, 0.0};
        crease_target_of(c->now, c->across, side, target);
        for (int32_t axis = 0; axis < 3; axis++)
            c->targets[3 * (size_t)side + (size_t)axis] = (float)target[axis];
    }
}

bool pli_deformable_reserve_creases(pli_world *world, pli_deformable_data *deformable)
{
    const pli_faces *shape = &deformable->shape;
    const uint64_t hash = pli_hash_bytes(PLI_HASH_START, shape->triangles,
                                         3 * (size_t)shape->triangle_count * sizeof *shape->triangles);
    const bool is_new = !deformable->plastic->creases;
    if (is_new && !make_crease(world, deformable)) {
        pli_deformable_free_creases(world, deformable);
        return false;
    }
    pli_creases *c = deformable->plastic->creases;
    pli_plate_mesh mesh;
    if (!is_new && c->shape == hash)
        return true;
    if (!pli_plate_mesh_make(&world->memory, shape, &mesh)) {
        if (is_new)
            pli_deformable_free_creases(world, deformable);
        return false;
    }
    for (int32_t e = 0; e < mesh.edge_count; e++) {
        const int32_t *sides = mesh.sides + 2 * (size_t)e;
        c->across[sides[0]] = sides[1];
        if (sides[1] >= 0)
            c->across[sides[1]] = sides[0];
    }
    pli_plate_mesh_free(&world->memory, &mesh);
    measure_rest(deformable);
    c->shape = hash;
    c->changed = true;
    return true;
}

bool pli_deformable_plate_yields(const pli_deformable_data *deformable)
{
    const pli_plate *plate = &deformable->def.plate;
    return plate->rigidity > 0.0f && (plate->yield > 0.0f || deformable->triangle.yield);
}

bool pli_deformable_is_creased(const pli_deformable_data *deformable)
{
    bool creased = false;
    for (int32_t t = 0; deformable->plastic->creases && t < deformable->plastic->creases->count && !creased; t++)
        creased = deformable->plastic->creases->bends[t] > 0.0f;
    return creased;
}

void pli_deformable_forget_creases(pli_deformable_data *deformable)
{
    pli_creases *c = deformable->plastic->creases;
    if (!c)
        return;
    memset(c->offsets, 0, 9 * (size_t)c->count * sizeof *c->offsets);
    memset(c->bends, 0, (size_t)c->count * sizeof *c->bends);
    c->changed = true;
}

/* ---- return mapping ------------------------------------------------------------------------------ */

static void measure_crease_piece(void *data, int32_t begin, int32_t end)
{
    const pli_deformable_data *deformable = data;
    for (int32_t t = begin; t < end; t++) {
        pli_crease_frame *frame = &deformable->plastic->creases->now[t];
        pli_dvec3 corners[3];
        frame->fixed = true;
        for (int32_t k = 0; k < 3; k++) {
            const pli_particle *p = &deformable->particles[pli_plate_corner(deformable, 3 * t + k)];
            corners[k] = (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
            frame->fixed = frame->fixed && !(p->w > 0.0f);
        }
        measure_creases(corners, frame);
    }
}

// The excess of the sides of a triangle.
typedef struct crease_excess {
    double of[3];     // Along its normal, for sides between two triangles; 0 elsewhere.
    double bend[3];   // The part of the jump that the triangle takes.
    double tensor[3]; // xx, yy, xy [1/m].
} crease_excess;

static void add_sides(const pli_creases *c, int32_t t, crease_excess *e, bool is_border[3])
{
    const pli_crease_frame *own = &c->now[t];
    for (int32_t k = 0; k < 3; k++) {
        const int32_t side = 3 * t + k;
        double target[3];
        is_border[k] = !crease_target_of(c->now, c->across, side, target);
        const bool other_is_fixed = !is_border[k] && c->now[c->across[side] / 3].fixed;
        if (is_border[k] || (own->fixed && !other_is_fixed))
            continue;
        const size_t at = 3 * (size_t)side + 2;
        e->of[k] = target[2] - ((double)c->targets[at] + (double)c->offsets[at]);
        e->bend[k] = (other_is_fixed && !own->fixed ? 2.0 : 1.0) * e->of[k];
    }
}

// The slope at borders that bends a triangle least; two borders in a corner need several rounds.
static void free_borders(const pli_crease_frame *frame, const bool is_border[3], double bend[3])
{
    enum { ROUNDS = 8 };
    const int32_t borders = is_border[0] + is_border[1] + is_border[2];
    for (int32_t round = 0; round < (borders > 1 ? ROUNDS : borders) && borders < 3; round++)
        for (int32_t k = 0; k < 3; k++) {
            double others = 0.0;
            for (int32_t j = 0; j < 3 && is_border[k]; j++) {
                const double cosine = pli_ddot(frame->normals[j], frame->normals[k]);
                if (j != k)
                    others += frame->lengths[j] * cosine * cosine * bend[j];
            }
            if (is_border[k])
                bend[k] = -others / frame->lengths[k];
        }
}

static void find_excess(const pli_creases *c, int32_t t, crease_excess *e)
{
    const pli_crease_frame *own = &c->now[t];
    bool is_border[3];
    *e = (crease_excess){0};
    add_sides(c, t, e, is_border);
    free_borders(own, is_border, e->bend);
    for (int32_t k = 0; k < 3; k++) {
        const double bend = own->lengths[k] / own->area * e->bend[k], *n = own->along[k];
        e->tensor[0] += bend * n[0] * n[0], e->tensor[1] += bend * n[1] * n[1], e->tensor[2] += bend * n[0] * n[1];
    }
}

// Rotates the target of a side: the derivative has length 1, so a larger component along the normal reduces its component in the triangle.
static void take_bend(pli_creases *c, int32_t side, double bend)
{
    float *offset = c->offsets + 3 * (size_t)side;
    const float *target = c->targets + 3 * (size_t)side;
    const double *n = c->now[side / 3].along[side % 3];
    const double rise = fmin(fmax((double)target[2] + (double)offset[2] + bend, -1.0), 1.0);
    const double lacking = sqrt(1.0 - rise * rise) - 1.0;
    offset[0] = (float)(lacking * n[0] - (double)target[0]);
    offset[1] = (float)(lacking * n[1] - (double)target[1]);
    offset[2] = (float)(rise - (double)target[2]);
}

// Makes part of the bend permanent. Returns its plastic work: the bending moment grows with the yield, in the energy of
// bending/plate_element.h.
static double keep_crease(const pli_deformable_data *deformable, int32_t t)
{
    pli_creases *c = deformable->plastic->creases;
    const pli_plate *plate = &deformable->def.plate;
    const double poisson = (double)plate->poisson;
    const double yield = (double)(deformable->triangle.yield ? deformable->triangle.yield[t] : plate->yield);
    const double hardening = (double)(deformable->triangle.hardening ? deformable->triangle.hardening[t]
                                                                     : plate->hardening);
    const double bent = (double)c->bends[t];
    crease_excess e;
    if (!c->now[t].valid)
        return 0.0;
    find_excess(c, t, &e);
    const double *h = e.tensor, norm = sqrt(h[0] * h[0] + h[1] * h[1] + 2.0 * h[2] * h[2]);
    const double stays = pli_bend_that_stays(norm, yield, hardening, bent, c->fraction);
    if (!(stays > 0.0) || !isfinite((float)(bent + stays)))
        return 0.0;
    for (int32_t k = 0; k < 3; k++)
        if (e.of[k] != 0.0)
            take_bend(c, 3 * t + k, stays / norm * e.of[k]);
    c->bends[t] = (float)(bent + stays);
    const double trace = (h[0] + h[1]) / norm, stiffness = (1.0 - poisson) + poisson * trace * trace;
    return c->now[t].area * (double)plate->rigidity * stiffness * (yield + hardening * (bent + 0.5 * stays)) * stays;
}

static void keep_crease_piece(void *data, int32_t begin, int32_t end)
{
    const pli_deformable_data *deformable = data;
    double work = 0.0;
    for (int32_t t = begin; t < end; t++)
        work += keep_crease(deformable, t);
    deformable->plastic->creases->work[begin / GRAIN] = work;
}

void pli_deformable_keep_creases(pli_world *world, pli_deformable_data *deformable, double fraction)
{
    pli_creases *c = deformable->plastic->creases;
    double work = 0.0;
    if (!c || !pli_deformable_plate_yields(deformable))
        return;
    c->fraction = fraction;
    pli_parallel(world, c->count, GRAIN, measure_crease_piece, deformable);
    pli_parallel(world, c->count, GRAIN, keep_crease_piece, deformable);
    for (int32_t piece = 0; piece < pli_piece_count(c->count, GRAIN); piece++)
        work += c->work[piece];
    deformable->plastic->work += work;
    c->changed = c->changed || work > 0.0;
}
