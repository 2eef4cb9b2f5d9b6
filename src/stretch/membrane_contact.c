// Particles of a solved membrane that rest on analytic shapes.
//
// A projection after the solve would push a particle out by a depth that follows from its own mass, independently of the load that the
// membrane puts on it. Friction would then be too small by the ratio of the stiffness to m / h^2. Therefore a particle that is at a shape
// when the substep starts is part of the equations. Its load N is the force that the shape must support. A particle at rest sticks: it is
// fixed at its point on the shape until friction would have to exceed mu N. A sliding particle moves along the surface only, with the drag
// mu N / |v|. The substep before determines whether a particle sticks or slides; in the first substep of a step, its speed does.
#include "stretch/membrane_contact.h"
#include "particles/contact_pool.h"

#include <math.h>
#include <string.h>

// The largest gap of a particle that is at a shape, as a fraction of its thickness.
#define MEMBRANE_TOUCHING 0.01f
// The same as a fraction of the mean edge; the larger gap applies.
#define TOUCHING_EDGE 1e-3f
// A particle that moves along the surface more slowly than this sticks [m/s].
#define SLOW 1e-3f

static float length(pli_particle p) { return sqrtf(p.x * p.x + p.y * p.y + p.z * p.z); }

static inline float component_along(pli_vec3 a, pli_particle b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static pli_particle without_normal(pli_particle p, pli_vec3 n)
{
    const float s = component_along(n, p);
    return (pli_particle){p.x - s * n.x, p.y - s * n.y, p.z - s * n.z, p.w};
}

// Whether the particle of a lane is at the shape when the substep starts, and the place that the motion of the shape gives it.
static bool is_at_shape(const pli_deformable_data *deformable, const pli_contact_group *g, int32_t lane, float step,
                        pli_particle *to)
{
    const int32_t i = g->first + lane;
    if (!(g->lanes >> lane & 1u) || (g->inside >> lane & 1u) || i >= deformable->count)
        return false;
    const pli_vec3 n = {g->normal[0][lane], g->normal[1][lane], g->normal[2][lane]};
    const pli_particle x = deformable->previous[i];
    *to = (pli_particle){x.x + step * g->velocity[0][lane], x.y + step * g->velocity[1][lane],
                         x.z + step * g->velocity[2][lane], deformable->particles[i].w};
    const float gap = component_along(n, *to) - g->offset[lane];
    to->x -= gap * n.x, to->y -= gap * n.y, to->z -= gap * n.z;
    return fabsf(gap) <= fmaxf(MEMBRANE_TOUCHING * deformable->thickness, TOUCHING_EDGE * deformable->rest.mean_edge);
}

// A particle that sticks is placed where the shape carries it; a sliding particle is placed at its projection onto the surface.
static void place_support(pli_deformable_data *deformable, pli_membrane *m, pli_membrane_support *t, float offset,
                          float step)
{
    pli_particle *x = &deformable->particles[t->particle];
    const float off = component_along(t->normal, *x) - offset;
    const pli_particle flown = {x->x - off * t->normal.x, x->y - off * t->normal.y, x->z - off * t->normal.z, x->w};
    pli_membrane_grip *grip = &m->support.grips[t->particle];
    const float speed = length(pli_particle_add_scaled(flown, t->place, -1.0f)) / step;
    if (grip->kind == PLI_SUPPORT_NONE)
        grip->kind = speed < SLOW ? PLI_SUPPORT_STICKS : PLI_SUPPORT_SLIDES;
    t->kind = grip->kind;
    *x = t->kind == PLI_SUPPORT_STICKS ? t->place : flown;
}

static void support_group(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, pli_contact_group *g,
                          float step)
{
    const pli_moving_shape *shape = &world->during.analytic.shapes[g->collider];
    if (pli_collider_at(world, g->collider)->rigid || shape->stopped)
        return;
    for (int32_t lane = 0; lane < PLI_BATCH; lane++) {
        const int32_t i = g->first + lane;
        pli_membrane_support t = {.particle = i,
                                  .normal = {g->normal[0][lane], g->normal[1][lane], g->normal[2][lane]},
                                  .friction = g->slides ? 0.0f : shape->def->friction,
                                  .impulse = &g->impulse[lane]};
        if (!is_at_shape(deformable, g, lane, step, &t.place) || !(m->predicted[i].w > 0.0f) || m->support.of[i] >= 0)
            continue;
        place_support(deformable, m, &t, g->offset[lane], step);
        m->support.of[i] = m->support.count;
        m->support.items[m->support.count++] = t;
        m->support.shapes_move = m->support.shapes_move || !shape->rests;
    }
}

void pli_membrane_find_supports(pli_world *world, pli_deformable_data *deformable, pli_membrane *m, float step,
                                bool first)
{
    const pli_contact_pool *pool = deformable->pool;
    for (int32_t t = 0; t < m->support.count; t++)
        m->support.of[m->support.items[t].particle] = -1;
    m->support.count = 0, m->support.shapes_move = false;
    if (first)
        memset(m->support.grips, 0, (size_t)m->count * sizeof *m->support.grips);
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t k = 0; k < pool->counts[chunk]; k++)
            support_group(world, deformable, m, pli_chunk_contacts(pool, chunk) + k, step);
}

void pli_membrane_decide_supports(pli_membrane *m, const pli_particle *particles, float step)
{
    for (int32_t k = 0; k < m->support.count; k++) {
        pli_membrane_support *t = &m->support.items[k];
        pli_membrane_grip *grip = &m->support.grips[t->particle];
        t->force = m->hierarchy.levels[0].right[t->particle];
        t->flown = without_normal(pli_particle_add_scaled(particles[t->particle], t->place, -1.0f), t->normal);
        t->speed = length(t->flown) / step;
        const float load = grip->load > 0.0f ? grip->load : -component_along(t->normal, t->force);
        if (!(load > 0.0f))
            t->kind = grip->kind = PLI_SUPPORT_NONE;
        if (t->kind == PLI_SUPPORT_STICKS)
            m->predicted[t->particle].w = 0.0f;
        t->drag = t->friction * load / (fmaxf(t->speed, SLOW) * step);
    }
}

// S A S with S = 1 - n n^T, plus the trace along n. The inverse then has no coupling between n and the surface either.
static void filter_block(pli_particle *block, pli_vec3 n)
{
    const float a = block[0].x, b = block[0].w, c = block[1].x, d = block[0].y, e = block[1].y, f = block[0].z;
    const pli_vec3 t = {a * n.x + b * n.y + c * n.z, b * n.x + d * n.y + e * n.z, c * n.x + e * n.y + f * n.z};
    const float s = t.x * n.x + t.y * n.y + t.z * n.z + (a + d + f);
    block[0] = (pli_particle){a - 2.0f * t.x * n.x + s * n.x * n.x, d - 2.0f * t.y * n.y + s * n.y * n.y,
                              f - 2.0f * t.z * n.z + s * n.z * n.z, b - t.x * n.y - n.x * t.y + s * n.x * n.y};
    block[1] = (pli_particle){c - t.x * n.z - n.x * t.z + s * n.x * n.z, e - t.y * n.z - n.y * t.z + s * n.y * n.z,
                              0.0f, 0.0f};
}

void pli_membrane_hold_supports(pli_membrane *m)
{
    const pli_particle none = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < m->support.count; k++) {
        const pli_membrane_support *t = &m->support.items[k];
        pli_particle *force = &m->hierarchy.levels[0].right[t->particle], *block = &m->inverse[2 * t->particle];
        if (t->kind == PLI_SUPPORT_STICKS) {
            *force = block[0] = block[1] = none;
        } else if (t->kind == PLI_SUPPORT_SLIDES) {
            block[0].x += t->drag, block[0].y += t->drag, block[0].z += t->drag;
            *force = without_normal(pli_particle_add_scaled(*force, t->flown, -t->drag), t->normal);
            filter_block(block, t->normal);
        }
    }
}

void pli_membrane_learn_supports(pli_membrane *m, float step)
{
    const pli_membrane_level *finest = &m->hierarchy.levels[0];
    for (int32_t k = 0; k < m->support.count; k++) {
        const pli_membrane_support *t = &m->support.items[k];
        const int32_t i = t->particle;
        pli_membrane_grip *grip = &m->support.grips[i];
        pli_particle left = t->kind == PLI_SUPPORT_STICKS
                                ? t->force
                                : pli_particle_add_scaled(t->force, finest->solution[i], -m->predicted[i].w);
        for (int32_t c = m->corner_offsets[i]; c < m->corner_offsets[i + 1]; c++)
            left = pli_particle_sum(left, m->sheets.pulls[c]);
        if (t->kind == PLI_SUPPORT_NONE)
            continue;
        grip->load = -component_along(t->normal, left);
        *t->impulse = fmaxf(grip->load, 0.0f) * step;
        if (t->kind == PLI_SUPPORT_STICKS && length(without_normal(left, t->normal)) > t->friction * grip->load)
            grip->kind = PLI_SUPPORT_SLIDES;
        if (t->kind == PLI_SUPPORT_SLIDES &&
            length(pli_particle_sum(t->flown, finest->solution[i])) < 0.5f * SLOW * step)
            grip->kind = PLI_SUPPORT_STICKS;
        if (!(grip->load > 0.0f))
            *grip = (pli_membrane_grip){PLI_SUPPORT_NONE, 0.0f};
    }
}

static const pli_vec3 *slide_of(const pli_membrane *m, int32_t particle)
{
    const int32_t k = m->support.of[particle];
    return k >= 0 && m->support.items[k].kind == PLI_SUPPORT_SLIDES ? &m->support.items[k].normal : NULL;
}

void pli_membrane_filter_block(const pli_membrane *m, int32_t row, int32_t column, pli_block *block)
{
    const pli_vec3 *n = slide_of(m, row);
    float *at = block->at;
    for (int32_t c = 0; n && c < 12; c += 4) {
        const float s = n->x * at[c] + n->y * at[c + 1] + n->z * at[c + 2];
        at[c] -= s * n->x, at[c + 1] -= s * n->y, at[c + 2] -= s * n->z;
    }
    n = slide_of(m, column);
    for (int32_t r = 0; n && r < 3; r++) {
        const float s = n->x * at[r] + n->y * at[4 + r] + n->z * at[8 + r];
        at[r] -= s * n->x, at[4 + r] -= s * n->y, at[8 + r] -= s * n->z;
    }
}

void pli_membrane_drag_supports(const pli_membrane *m)
{
    for (int32_t k = 0; k < m->support.count; k++)
        if (m->support.items[k].kind == PLI_SUPPORT_SLIDES) {
            const int32_t i = m->support.items[k].particle;
            m->hierarchy.levels[0].left[i] = pli_particle_add_scaled(
                m->hierarchy.levels[0].left[i], m->hierarchy.levels[0].solution[i], -m->support.items[k].drag);
        }
}

void pli_membrane_filter_supports(const pli_membrane *m, pli_particle *vectors)
{
    for (int32_t k = 0; k < m->support.count; k++)
        if (m->support.items[k].kind == PLI_SUPPORT_SLIDES)
            vectors[m->support.items[k].particle] = without_normal(vectors[m->support.items[k].particle],
                                                                   m->support.items[k].normal);
}
