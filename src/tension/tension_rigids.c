// Bodies that hang from cloth whose tension is solved. Without their masses a solve takes a particle that carries a body for a light
// one, and the body draws it back.
#include "tension/tension.h"

#include "tension/tension_system.h"

#include <math.h>
#include <string.h>

// The share of a body's greatest inverse mass at a point that it has at least in every direction; a point of a body that nothing moves
// has this share of its particle's.
#define LEAST_SHARE 1e-6

static pli_vec3 point_of(const pli_attachment_data *attachment, int32_t i)
{
    const pli_particle *p = &attachment->deformable->particles[attachment->particles[i]];
    return (pli_vec3){p->x, p->y, p->z};
}

// The particles of all deformables that are attached to a body.
static int32_t points_on(const pli_world *world, const pli_rigid_body_data *rigid)
{
    int32_t count = 0;
    for (int32_t i = 0; i < world->attachments.count; i++)
        if (pli_attachment_at(world, i)->rigid == rigid)
            count += pli_attachment_at(world, i)->count;
    return count;
}

// The mass that a pull at the point meets in each direction, the inverse of the generalised inverse mass there [kg].
static void find_mass(const pli_rigid_body_data *rigid, pli_vec3 point, double particle, double mass[6])
{
    static const int32_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double half = sqrt(0.5);
    double w[6];
    for (int32_t k = 0; k < 6; k++) {
        float d[3] = {0.0f, 0.0f, 0.0f};
        d[k < 3 ? k : pairs[k - 3][0]] = d[k < 3 ? k : pairs[k - 3][1]] = k < 3 ? 1.0f : (float)half;
        w[k] = (double)pli_rigid_inverse_mass(rigid, point, (pli_vec3){d[0], d[1], d[2]});
    }
    for (int32_t k = 3; k < 6; k++)
        w[k] -= 0.5 * (w[pairs[k - 3][0]] + w[pairs[k - 3][1]]);
    const double floor = fmax(w[0] + w[1] + w[2], 1.0 / particle) * LEAST_SHARE;
    for (int32_t k = 0; k < 3; k++)
        w[k] += floor;
    const pli_dvec3 x = pli_solve_symmetric(w, (pli_dvec3){1.0, 0.0, 0.0}),
                    y = pli_solve_symmetric(w, (pli_dvec3){0.0, 1.0, 0.0}),
                    z = pli_solve_symmetric(w, (pli_dvec3){0.0, 0.0, 1.0});
    const double found[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
    memcpy(mass, found, sizeof found);
}

// Whether the solve counts the body of an attachment: one that holds exactly.
static bool counts(const pli_attachment_data *attachment)
{
    return attachment->rigid && !(attachment->compliance > 0.0);
}

// The part of the body that belongs to point i of an attachment, one of so many [kg].
static void find_part(const pli_attachment_data *attachment, int32_t i, int32_t points, double part[6])
{
    const float w = attachment->deformable->particles[attachment->particles[i]].w;
    find_mass(attachment->rigid, point_of(attachment, i), 1.0 / (double)w, part);
    for (int32_t k = 0; k < 6; k++)
        part[k] /= points;
}

void pli_tension_weigh_rigids(const pli_world *world, const pli_deformable_data *deformable, pli_tension *t)
{
    if (t->item_count == 0 || t->free_count == 0)
        return;
    memset(t->carried, 0, (size_t)t->free_count * sizeof *t->carried);
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment) {
        const int32_t points = counts(a) ? points_on(world, a->rigid) : 0;
        for (int32_t i = 0; i < a->count && points > 0; i++) {
            const int32_t unknown = t->numbers[a->particles[i]];
            double part[6];
            if (unknown < 0)
                continue;
            find_part(a, i, points, part);
            for (int32_t k = 0; k < 6; k++)
                t->carried[unknown][k] += part[k];
        }
    }
}

// Each point of a body is pulled as the solve has moved its part of the body.
static void pull(const pli_attachment_data *a, int32_t i, int32_t points, const double *moved, double share)
{
    double m[6];
    find_part(a, i, points, m);
    const pli_dvec3 d = {share * moved[0], share * moved[1], share * moved[2]};
    const pli_vec3 push = {(float)(m[0] * d.x + m[3] * d.y + m[4] * d.z), (float)(m[3] * d.x + m[1] * d.y + m[5] * d.z),
                           (float)(m[4] * d.x + m[5] * d.y + m[2] * d.z)};
    pli_rigid_push(a->rigid, point_of(a, i), push);
}

void pli_tension_pull_rigids(const pli_world *world, const pli_deformable_data *deformable, const pli_tension *t)
{
    for (const pli_attachment_data *a = deformable->first_attachment; a && t->share > 0.0; a = a->next_attachment) {
        const int32_t points = counts(a) && pli_rigid_is_movable(a->rigid) ? points_on(world, a->rigid) : 0;
        for (int32_t i = 0; i < a->count && points > 0; i++)
            if (t->numbers[a->particles[i]] >= 0)
                pull(a, i, points, t->vector + 3 * (size_t)t->numbers[a->particles[i]], t->share);
    }
}
